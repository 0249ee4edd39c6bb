"""The tables of a rehearsal: those of files, those of a book, and the settings that the script gives before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import firmware.config as c
from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.script import Malformed
from firmware.rules.games import load_book
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission, parse_submission
from firmware.table.procedures import COUNTS, HAND

COLORS = ("blue", "red")
FLAGS, WHOLE = ("magic_card", "lucky_bonus"), ("adjacent_boxes",)
"""Keys of a submission that are no strings."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A table as it was filed: the object of its table.toml with the submission in it; `path`: None of a book's."""

    filed: Mapping[str, Any]
    path: Path | None

    @property
    def name(self) -> str:
        """Its name: its id."""
        return str(self.filed.get("id", c.SAMPLE.table))


@dataclass(frozen=True, slots=True)
class Seating:
    """One table that can be played on."""

    config: c.TableConfig
    submission: Submission

    @property
    def name(self) -> str:
        """Its name: its id."""
        return self.config.id


class Forbidden(Exception):
    """The book does not allow a script's setting. `line`: of the script."""

    def __init__(self, line: s.Line, why: str) -> None:
        super().__init__(why)
        self.line, self.why = line, why


def of_book(book: str, name: str, level: int | None = None) -> Filed:
    """The table that a book stands for. Raises Refusal for a name that is no book's, ConfigError for its level."""
    sample = load_book(book).sample
    rules: dict[str, Any] = {"book": book, **deepcopy(dict(sample.rehearsal or sample.rules))}
    offered = parse_submission(rules)
    assist = offered.levels[0] if level is None else level
    if assist not in offered.levels:
        raise c.ConfigError(f"--level {assist}: {book} has the levels {offered.levels[0]} to {offered.levels[-1]}")
    dealing = {"method": HAND, "shuffler": COUNTS, "colors": list(COLORS[:1]), "assist": assist}
    people = [{field: getattr(one, field) for field in PERSON} for one in c.SIMULATED_PEOPLE]
    return Filed({"id": name, "rules": rules, "dealing": dealing, "people": people}, None)


PERSON = ("badge", "name", "role", "pin_hash")


def of_file(path: Path) -> Filed:
    """The table of a table.toml, its submission read into it. Raises ConfigError."""
    filed = c.read_toml(path)
    rules = filed.get("rules", c.SIMULATED_RULES)
    return Filed({**filed, "rules": c.read_toml(path.parent / rules) if isinstance(rules, str) else dict(rules)}, path)


def shown(filed: Filed) -> str:
    """The table.toml of a table, with its submission."""
    lines: list[str] = [f"id = {_value(filed.name)}", "", "[rules]"]
    lines += [f"{key} = {_value(value)}" for key, value in filed.filed["rules"].items()]
    lines += ["", "[dealing]", *(f"{key} = {_value(value)}" for key, value in filed.filed["dealing"].items())]
    for person in filed.filed["people"]:
        lines += ["", "[[people]]", *(f"{key} = {_value(value)}" for key, value in person.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """As TOML writes it; of numbers, plain strings and lists of them JSON writes the same."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }" if value else "{}"
    return json.dumps(value)


# Given by a script -------------------------------------------------------------------------------------------------------


def seatings(filed: Iterable[Filed], givens: Iterable[s.Line]) -> tuple[Seating, ...]:
    """The tables with what is given before the first step. Raises Forbidden, ConfigError, or Malformed for a name."""
    tables = tuple(filed)
    lines = [line for line in givens if isinstance(line.says, s.Given)]
    return tuple(_seating(one, [line for line in lines if _speaks_of(line, one.name)]) for one in tables)


def _speaks_of(line: s.Line, table: str) -> bool:
    return isinstance(line.says, s.Given | s.GivenMeter) and line.says.table in ("", table)


def _seating(one: Filed, lines: list[s.Line]) -> Seating:
    filed = deepcopy(dict(one.filed))
    for line in lines:
        assert isinstance(line.says, s.Given), "meters are not given here"
        _give(filed, line, line.says)
    try:
        submission = parse_submission(filed["rules"], "rules")
        return Seating(c.table_of(filed, one.path), submission)
    except (Refusal, c.ConfigError) as wrong:
        at = wrong.at if isinstance(wrong, Refusal) else ""
        if lines:
            raise Forbidden(_blamed(lines, at or ""), str(wrong)) from None
        if isinstance(wrong, Refusal):
            raise c.ConfigError(f"{one.path or one.name}: {wrong}") from None
        raise


def _blamed(lines: list[s.Line], at: str) -> s.Line:
    """The line that gave what is refused at this place; else the last one."""
    for line in reversed(lines):
        assert isinstance(line.says, s.Given), "meters are not given here"
        place = ".".join(line.says.path)
        if at and (at == place or at.startswith(f"{place}.") or place.startswith(f"{at}.")):
            return line
    return lines[-1]


def _give(filed: dict[str, Any], line: s.Line, given: s.Given) -> None:
    if given.path[0] == "table":
        _give_table(filed, given.path[1], given.value)
        return
    rules: dict[str, Any] = filed["rules"]
    key = given.path[1]
    if len(given.path) == 2 and given.value in ("present", "absent"):
        rules.pop(key, None) if given.value == "absent" else rules.setdefault(key, {})
        return
    if len(given.path) == 2:
        rules[key] = _typed(key, given.value)
        return
    section = dict(rules.get(key, {}))
    section[given.path[2]] = _typed(given.path[2], given.value)
    rules[key] = section


def _typed(key: str, value: str) -> object:
    if key in FLAGS and value in ("true", "false"):
        return value == "true"
    return int(value) if key in WHOLE and value.isascii() and value.isdecimal() and len(value) < 4 else value


def _give_table(filed: dict[str, Any], key: str, value: str) -> None:
    if key == "debounce_ms":
        filed["seats"] = {**filed.get("seats", {}), "debounce_ms": int(value)}
        return
    said = {"dealing": ("method", value), "shuffler": ("shuffler", value), "decks": ("colors", None)}[key]
    filed["dealing"] = {**filed.get("dealing", {}), said[0]: said[1] or list(COLORS[: int(value)])}


def check_names(script: s.Script, names: Iterable[str]) -> None:
    """Every table that a script names is there. Raises Malformed."""
    known = tuple(names)
    if twice := next((name for name in known if known.count(name) > 1), ""):
        raise Malformed(f"two tables are called {twice}; give each another id")
    for line in script.lines:
        for name in _named(line):
            if name not in known:
                raise Malformed(f"no table {name!r}; right would be {', '.join(known)}", line.number)


def _named(line: s.Line) -> Iterator[str]:
    if isinstance(line.says, s.OnTable):
        yield line.says.name
    elif isinstance(line.says, s.Given | s.GivenMeter) and line.says.table:
        yield line.says.table
