"""The catalogs as files, and what is wrong between them and the code: `scripts/words` and a test run this."""

from __future__ import annotations

import ast
import io
import string
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from ui.words import KINDS

ROOT = Path(__file__).resolve().parents[2]
CODE = ("firmware", "ui", "hal")
WORDED = (*CODE, "tests/games")
"""Where catalogs are; the tests have a game of their own."""


@dataclass(frozen=True, slots=True)
class Use:
    """One place where code says a message. `fields` is None where they are not written out there."""

    id: str
    fields: frozenset[str] | None
    where: str
    prefix: bool = False
    """The id is made: it only begins so."""


def files() -> tuple[Path, ...]:
    """Every catalog."""
    return tuple(sorted(file for folder in WORDED for file in (ROOT / folder).glob("**/words/*/LC_MESSAGES/*.po")))


def language(file: Path) -> str:
    """The code of a catalog's language."""
    return file.parent.parent.name


def read(file: Path) -> Catalog:
    """One catalog."""
    with file.open("rb") as opened:
        return read_po(opened, locale=language(file))


def compiled(file: Path) -> bytes:
    """What stands in the .mo of a catalog."""
    made, catalog = io.BytesIO(), read(file)
    catalog.creation_date = catalog.revision_date = NO_DATE
    write_mo(made, catalog)
    return made.getvalue()


def in_compiled(compiled_catalog: bytes) -> dict[str, tuple[str, ...]]:
    """Id -> its text or texts, of a .mo; who made it when is left out."""
    found = read_mo(io.BytesIO(compiled_catalog))
    return {_id(message): _texts(message) for message in found if message.id}


def texts(file: Path) -> dict[str, tuple[str, ...]]:
    """Id -> its text, or its texts where it has plurals."""
    found = {}
    for message in read(file):
        if message.id:
            found[_id(message)] = _texts(message)
    return found


def _id(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _texts(message: Message) -> tuple[str, ...]:
    said = message.string
    return (said,) if isinstance(said, str) else tuple(said or ())


def uses() -> Iterator[Use]:
    """Every `say("…", …)` in the code."""
    for folder in CODE:
        for file in sorted((ROOT / folder).glob("**/*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                    yield _use(node, f"{file.relative_to(ROOT)}:{node.lineno}")


def _use(call: ast.Call, where: str) -> Use:
    first = call.args[0] if call.args else None
    open_ended = any(keyword.arg is None for keyword in call.keywords)
    fields = None if open_ended else frozenset(keyword.arg for keyword in call.keywords if keyword.arg)
    match first:
        case ast.Constant(value=str(id_)):
            return Use(id_, fields, where)
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
            return Use(start, fields, where, prefix=True)
        case _:
            return Use("", fields, where)


def fields_of(text: str) -> dict[str, str]:
    """Field -> its kind, "" for none."""
    return {field: kind or "" for _, field, kind, _ in string.Formatter().parse(text) if field is not None}


NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""A compiled catalog is the same on every day."""
INSIDE = frozenset({"list.and"})
"""Messages that the words themselves say."""


def complaints() -> list[str]:
    """All that is wrong between code and catalogs; nothing, where they agree."""
    found: list[str] = []
    spoken: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for file in files():
        for id_, said in texts(file).items():
            if spoken[language(file)].setdefault(id_, said) != said:
                found.append(f"{file.relative_to(ROOT)}: {id_} has other words in another catalog")
    catalog = spoken.pop("en")
    for name, other in spoken.items():
        found += _wrong_translation(name, catalog, other)
    used: dict[str, list[Use]] = defaultdict(list)
    prefixes = set()
    for use in uses():
        if not use.id:
            found.append(f"{use.where}: the id is not written out, nor how it begins")
        elif use.prefix:
            prefixes.add(use.id)
        else:
            used[use.id].append(use)
    for id_, places in used.items():
        if id_ not in catalog:
            found.append(f"{places[0].where}: no catalog has {id_}")
        else:
            found += [wrong for use in places for wrong in _wrong_fields(use, catalog[id_])]
    known = {*used, *INSIDE}
    found += [
        f"nobody says {id_}" for id_ in catalog if id_ not in known and not id_.startswith(tuple(prefixes) or "\0")
    ]
    return found


def _wrong_translation(
    name: str, english: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """A language has the product's messages, with the same fields; the games of the tests are English alone."""
    ours = {id_ for file in files() if language(file) == "en" and "tests" not in file.parts for id_ in texts(file)}
    yield from (f"{name}: {id_} has no words" for id_ in sorted(ours - other.keys()))
    yield from (f"{name}: nobody says {id_}" for id_ in sorted(other.keys() - ours))
    for id_ in sorted(ours & other.keys()):
        wanted, said = _fields(english[id_]), _fields(other[id_])
        if wanted != said or not all(other[id_]):
            yield f"{name}: {id_} has the fields {', '.join(said) or 'none'}; the English has {', '.join(wanted) or 'none'}"


def _fields(said: tuple[str, ...]) -> list[str]:
    return sorted({f"{field}:{kind}" for text in said for field, kind in fields_of(text).items()})


def _wrong_fields(use: Use, said: tuple[str, ...]) -> Iterator[str]:
    if not all(said):
        yield f"{use.where}: {use.id} has no words"
    wanted = {field: kind for text in said for field, kind in fields_of(text).items()}
    plural = len(said) > 1
    if use.fields is not None:
        if wrong := (use.fields ^ wanted.keys()) - ({"n"} if plural else set()):
            yield f"{use.where}: {use.id} and its words differ in {', '.join(sorted(wrong))}"
        if plural != ("n" in use.fields):
            yield f"{use.where}: {use.id}: n is the number that chooses among plurals, and only that"
    for field, kind in wanted.items():
        if kind and kind not in KINDS and kind not in (",", "+", "+,"):
            yield f"{use.id}: {field} is of kind {kind}, which is none"


def main(what: str) -> int:
    """`compile` or `check`; the exit code."""
    if what == "compile":
        for file in files():
            file.with_suffix(".mo").write_bytes(compiled(file))
        return 0
    found = complaints()
    print("\n".join(found) or "every message has its words")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
