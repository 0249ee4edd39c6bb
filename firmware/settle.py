"""The command line of the law: `felt settle`, `felt rules check`, `felt rules show`, `felt rules explain`.

Files and standard streams are read and written here; what they mean is `firmware.rules`. Everything that is not needed
to answer one question is imported when it is asked, because one round should take no longer than a person waits.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import firmware.plain as plain
from firmware.rules.strict import Refusal, under

if TYPE_CHECKING:
    from firmware.rules.seat import Round
    from firmware.rules.submission import Submission

LINE_BYTES_MAX = 1 << 20
"""A longer line or file is refused without being read to its end."""

RULES_KEPT_MAX = 64
"""So many different submissions of one batch are remembered; a batch usually has one."""

REFUSED = 2


def run_settle(args: argparse.Namespace) -> int:
    """`felt settle ROUND` or `felt settle --batch FILE`. Exit code 0, or 2 with the refusal on standard error."""
    try:
        if args.batch is not None:
            return _settle_batch(args.batch)
        return _settle_one(args.round)
    except Refusal as refusal:
        return _refused("settle", refusal)
    except BrokenPipeError:
        # The reader of standard output has gone, as `head` does; there is nobody left to say anything to.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123  (closed with the process)
        return REFUSED
    except OSError as wrong:
        return _refused(
            "settle", Refusal(None, f"{ascii(args.batch or args.round)[:80]} cannot be read ({_line(wrong)})")
        )


def _settle_one(name: str) -> int:
    from firmware.rules.settlement import settle

    with _opened(name) as file:
        line = file.read(LINE_BYTES_MAX + 1)
    settlement = settle(_Rounds(name).parse(line)).as_object()
    sys.stdout.write(json.dumps(settlement, indent=2) + "\n")
    return 0


def _settle_batch(name: str) -> int:
    """A bad line gives its error on its own line and the others go on; then the exit code is 2."""
    from firmware.rules.settlement import settle

    rounds = _Rounds(name)
    code = 0
    with _opened(name) as file:
        while line := file.readline(LINE_BYTES_MAX + 1):
            if line.isspace() and len(line) <= LINE_BYTES_MAX:
                continue
            try:
                written = settle(rounds.parse(line)).as_line()
            except Refusal as refusal:
                written = json.dumps({"error": refusal.text, "at": refusal.at}, separators=(",", ":"))
                code = REFUSED
            sys.stdout.write(written + "\n")
            sys.stdout.flush()  # a caller that waits for the answer before the next question gets it
            if len(line) > LINE_BYTES_MAX:
                while line and not line.endswith(b"\n"):
                    line = file.readline(LINE_BYTES_MAX)
    return code


def _opened(name: str) -> BinaryIO:
    if name == "-":
        return sys.stdin.buffer
    try:
        return plain.opened(Path(name))
    except plain.NotPlain as wrong:
        raise Refusal(
            None, f"{ascii(name)[:80]} {wrong.strerror}; name a plain file, or - for standard input"
        ) from None
    except (OSError, ValueError) as wrong:
        raise Refusal(None, f"{ascii(name)[:80]} cannot be read ({_line(wrong)}); give a file that can") from None


class _Rounds:
    """Rounds of one source. A submission that was read stays read: most rounds of a batch name the same."""

    def __init__(self, name: str) -> None:
        self.directory = Path(name).parent if name != "-" else Path()
        self.submissions: dict[str, Submission] = {}

    def parse(self, line: bytes) -> Round:
        from firmware.rules.round import parse_round

        try:
            filed = read_json(line)
            if not isinstance(filed, dict) or "rules" not in filed:
                return parse_round(filed)
            return parse_round(filed, self.submission(filed["rules"]))
        except RecursionError:
            raise Refusal(None, "nested too deeply; a round has six levels") from None

    def submission(self, rules: object) -> Submission:
        """The submission that `rules` names: an object, or a path relative to the file that names it."""
        from firmware.rules.submission import parse_submission

        known = repr(rules)  # tells "15.00" from 15.00, and true from 1
        if known not in self.submissions:
            filed = read_toml(self.directory / rules, "rules") if isinstance(rules, str) else rules
            if len(self.submissions) >= RULES_KEPT_MAX:
                self.submissions.clear()
            self.submissions[known] = parse_submission(filed, "rules")
        return self.submissions[known]


def read_json(line: bytes) -> object:
    """One JSON value of at most 1 MiB, in UTF-8, without doubled keys. Raises Refusal."""
    if len(line.rstrip(b"\r\n")) > LINE_BYTES_MAX:
        raise Refusal(None, f"longer than {LINE_BYTES_MAX} bytes and not read; a round is a few thousand")
    doubled: list[tuple[dict[str, object], str]] = []

    def of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            doubled.append((found, _twice(pairs)))
        return found

    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=of)
    except UnicodeDecodeError as wrong:
        raise Refusal(None, f"not UTF-8 at byte {wrong.start}; write the file in UTF-8") from None
    except json.JSONDecodeError as wrong:
        raise Refusal(None, f"not JSON: {wrong}; write one JSON object") from None
    except ValueError:
        # Python reads no whole number of more than 4,300 digits.
        raise Refusal(None, 'holds a number of thousands of digits; write money as a string, like "15.00"') from None
    if doubled:
        # An object is finished after those inside it, so the last one lies in none that lost it to a doubled key.
        found, key = doubled[-1]
        raise Refusal(under(_place_of(found, value), key), "stands twice; leave one of the two out")
    return value


def _twice(pairs: list[tuple[str, object]]) -> str:
    seen: set[str] = set()
    return next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _place_of(sought: object, value: object) -> str:
    """The place of an object inside a value that contains it."""
    at, found, waiting = "", value, []
    while found is not sought:
        if isinstance(found, dict | list):
            inside = found.items() if isinstance(found, dict) else enumerate(found)
            waiting += [(under(at, key), each) for key, each in inside]
        at, found = waiting.pop()
    return at


def read_toml(path: Path, at: str | None = None) -> object:
    """A TOML file of at most 1 MiB. Raises Refusal, at the place that named the file."""
    shown = ascii(str(path))[:80]
    try:
        content = plain.content(path, LINE_BYTES_MAX)
        if len(content) > LINE_BYTES_MAX:
            raise Refusal(
                at, f"{shown} is longer than {LINE_BYTES_MAX} bytes and not read; a submission is a few hundred"
            )
        return plain.toml(content)
    except UnicodeDecodeError as wrong:
        raise Refusal(at, f"{shown} is not UTF-8 at byte {wrong.start}; write it in UTF-8") from None
    except RecursionError:
        raise Refusal(at, f"{shown} is nested too deeply; a submission has two levels") from None
    except Refusal:
        raise
    except plain.NotPlain as wrong:
        raise Refusal(at, f"{shown} {wrong.strerror}; name a plain file") from None
    except OSError as wrong:
        raise Refusal(at, f"{shown} cannot be read ({_line(wrong)}); name a submission that can") from None
    except ValueError as wrong:  # tomllib's errors, and a NUL in the path
        raise Refusal(at, f"{shown} is not TOML: {_line(wrong)}; write a submission in TOML") from None


def run_check(args: argparse.Namespace) -> int:
    """`felt rules check FILE`: 0 and one line that says what was filed, or 2 and what is wrong."""
    from datetime import date

    from firmware.rules.submission import parse_submission

    try:
        submission = parse_submission(read_toml(Path(args.file)))
        submission.refuse_if_lapsed(date.today())
    except Refusal as refusal:
        return _refused("rules check", refusal)
    until = f", lapses after {submission.expires}" if submission.expires else ""
    sys.stdout.write(f"{submission.book.name}, allowed by {submission.book.section}{until}\n")
    sys.stdout.write(f"submission {submission.submission_hash}\n")
    return 0


def run_show(args: argparse.Namespace) -> int:
    """`felt rules show BOOK`, or the TOML file of a submission: only what that one offers."""
    from firmware.rules.games import load_book
    from firmware.rules.poster import posted_book, posted_submission
    from firmware.rules.submission import parse_submission

    try:
        if args.book.endswith(".toml"):
            text = posted_submission(parse_submission(read_toml(Path(args.book))))
        else:
            text = posted_book(load_book(args.book))
    except Refusal as refusal:
        return _refused("rules show", refusal)
    sys.stdout.write(text + "\n")
    return 0


def run_explain(args: argparse.Namespace) -> int:
    """`felt rules explain BOOK`."""
    from firmware.rules.games import load_book
    from firmware.rules.poster import explained_book

    try:
        sys.stdout.write(explained_book(load_book(args.book)) + "\n")
    except Refusal as refusal:
        return _refused("rules explain", refusal)
    return 0


def _refused(command: str, refusal: Refusal) -> int:
    sys.stderr.write(f"felt {command}: {_line(refusal)}\n")
    return REFUSED


def _line(wrong: Exception) -> str:
    """An error as one line of printable ASCII, with any file names or values in it."""
    words = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
    return " ".join(words.split()).encode("ascii", "backslashreplace").decode()
