"""Every command line that README.md and docs/ print: run as it stands, or known here with the reason why it is not.

The lines are found by this file itself, so a new one without an entry fails. What `felt` itself is told has to be something
that its parser takes, whether it is run or not.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware.__main__ import main, parser_of_all
from firmware.proof.simulation import books
from firmware.rules import games

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = re.compile(
    r"(sudo|systemctl|journalctl|openssl|sqlite3|git|apt-get|pip|python3?|mosquitto\w*|cd|issue|curl|"
    r"felt|scripts/\w+|(?:/opt/felt/)?\.venv/bin/\w+)(?=\s|$)"
)
REMARK = re.compile(r"\s{2,}.*$|\s+#\s.*$")
"""What stands behind a command in a block: two spaces and a sentence, or a comment."""


@dataclass(frozen=True, slots=True)
class Line:
    """A command line; `places`: file:line."""

    text: str
    places: tuple[str, ...]


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """(number, command) of every command in indented and fenced blocks, and between backticks."""
    fenced = ""
    joined = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith("```"):
            fenced = "" if fenced else line.strip("` ") or "plain"
            continue
        if fenced in ("sh", "bash", "console", "plain") or (not fenced and line.startswith("    ")):
            joined += line.strip()
            if joined.endswith("\\"):
                joined = joined[:-1]
                continue
            command, joined = REMARK.sub("", joined), ""
            if PROGRAMS.match(command) and not re.match(r"\S+ \S+:", command):  # what a program prints begins so
                yield number, command
            elif "`" in line:
                yield from ((number, one) for one in _between_backticks(line))
        elif not fenced:
            yield from ((number, one) for one in _between_backticks(line))


def _between_backticks(line: str) -> Iterator[str]:
    for said in re.findall(r"`([^`]+)`", line):
        if PROGRAMS.match(said):
            yield said


def documented() -> tuple[Line, ...]:
    """Each command line once, with where it stands."""
    found: dict[str, list[str]] = {}
    for file in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for number, command in lines_of(file.read_text(encoding="utf-8")):
            found.setdefault(command, []).append(f"{file.name}:{number}")
    return tuple(Line(text, tuple(places)) for text, places in found.items())


LINES = documented()

# Why a line is not run -----------------------------------------------------------------------------------------------

NAMED = "names the command"
REASONS: Sequence[tuple[str, str]] = (
    (
        r"sudo\b|.*&& sudo ",
        "needs root; tests/hil/provision.py says the lines of docs/install.md to a machine of its own",
    ),
    (r"cd /opt/felt", "needs root"),
    (r"(systemctl|journalctl|apt-get|pip|git|python|mosquitto\w*)\b", "a program of the system, or what it needs"),
    (r"openssl |issue ", "tests/hil/provision.py makes its certificates by these very lines"),
    (r"sqlite3", "Debian's sqlite3; tests/runtime/test_journal.py runs the statement that docs/journal.md prints"),
    (r"scripts/hil --rig pi", "needs a Raspberry Pi that is wired to another one"),
    (r"scripts/hil", "needs a virtual machine; CI runs the gate on it"),
    (r"scripts/test", "runs the tests, this one among them: CI is that line"),
    (r"scripts/run( --book BOOK)?$", "opens a window on fixed ports; without one it is run below"),
    (
        r"scripts/(bench|screens|drawings|words)",
        "measured or drawn by hand; tests/test_scripts.py runs each with --help",
    ),
    (r"(\.venv/bin/)?felt$", "names the program"),
    (
        r"\S*felt pin( --role \w+)?$|felt doctor( --verify .*)?$|felt lines safe",
        "asks at a terminal, or looks at a table's own devices",
    ),
    (
        r"felt (table|bank|screen|sign|mirror|broker|cabinet|rehearse|settle|rules|journal|reconcile|conformance)$",
        NAMED,
    ),
    (r"felt rules explain$|felt journal (verify|show|checkpoint)$|felt bank verify$|felt table check$", NAMED),
    (
        r"felt (table|bank) (--config \S+ )?"
        r"(new|accept|adopt|refuse|reopen|unlock|live|force|close-day|retention|--restored)",
        "made once at a stopped service, or signed by people at a terminal: tests/runtime does it for them",
    ),
    (r"felt table check --config", "reads a file that a casino wrote: tests/runtime/test_config.py"),
    (r"felt rules (check|show) FILE|felt rules show BOOK.FILE", "reads a file that a casino wrote: tests/rules"),
    (r"felt settle ", "reads a round's file: tests/rules"),
    (r"felt rehearse ", "plays a script: tests/proof/rehearse plays all of tests/rehearsals"),
    (r"felt mirror --", "serves until it is stopped: tests/runtime/test_mirror.py"),
    (r"felt conformance ", "plays against a bank at a broker: tests/scenarios/test_conformance_at_a_broker.py"),
    (
        r"felt journal (show|verify|checkpoint) \S+|felt bank verify ",
        "reads what a casino kept: tests/runtime/test_seals.py",
    ),
    (r"felt wire export", "writes docs/asyncapi.yaml again: tests/wire compares it"),
)
"""(pattern of a line, why no test runs it as it stands); the first that matches counts."""
RUN = {
    "felt rules show BOOK": [["rules", "show", book] for book in games.books()],
    "felt rules explain BOOK": [["rules", "explain", book] for book in games.books()],
    "felt table states": [["table", "states"]],
    "felt wire schema": [["wire", "schema"]],
    "felt rehearse --book pa-653a --show": [["rehearse", "--book", "pa-653a", "--show"]],
    "felt rehearse --words > docs/rehearse.md": [["rehearse", "--words"]],
}
"""Lines that need nothing but Felt -> what is run."""


def why_not(line: Line) -> str:
    """Why a line is not run as it stands; "" where it is, or nobody knows."""
    return next((why for pattern, why in REASONS if re.match(pattern, line.text)), "")


HEADLESS = "scripts/run --headless --rounds 50 --seed 7 --out out [--book pa-671a]"
READS = (
    "felt journal show, verify, checkpoint, export FILE",
    "felt journal show FILE",
    "felt journal verify FILE",
    "felt journal checkpoint FILE",
    "felt journal export FILE",
    "felt reconcile LEDGER JOURNAL...",
)
"""Lines that read what a run leaves: they are run after it."""


def test_every_documented_command_line_is_run_or_has_its_reason() -> None:
    run = {*RUN, *READS, HEADLESS}
    assert [line for line in LINES if line.text not in run and not why_not(line)] == []
    assert run <= {line.text for line in LINES}, "what is run here is documented"


def test_every_reason_is_needed() -> None:
    for pattern, _why in REASONS:
        assert any(re.match(pattern, line.text) for line in LINES), pattern


FELTS = [line for line in LINES if re.match(r"felt\b|.*\.venv/bin/felt( |$)", line.text)]
SAMPLES = {
    "N": "1",
    "BOOK": "pa-653a",
    "DOLLARS": "1000.00",
    "METER": "main",
    "KEY": "0" * 32,
    "URL": "mqtt://127.0.0.1:1883",
    "LEDGER": "out/bank.ledger",
    "JOURNAL": "out/table.journal",
}


def spoken_to_felt(text: str) -> Iterator[list[str]]:
    """What the program is told by a line: with what stands in brackets and without, and each of several commands."""
    found = re.match(r"(?:.*\.venv/bin/)?felt(?: (.*))?$", text)
    told = re.sub(r"\s[>|].*$", "", (found[1] if found else "") or "").replace("…", "").replace("...", "")
    for one in dict.fromkeys((re.sub(r"\[([^\]]*)\]", r"\1", told), re.sub(r"\[[^\]]*\]", "", told))):
        words = [SAMPLES.get(word, word.partition("|")[0]) for word in shlex.split(one)]
        last = max((place for place, word in enumerate(words) if word.endswith(",")), default=0) + 1
        several = [word.rstrip(",") for word in words[1 : last + 1]] if last > 1 else []
        yield from ([words[0], word, *words[last + 1 :]] for word in several)
        if not several:
            yield words


@pytest.mark.parametrize("line", FELTS, ids=lambda line: line.text)
def test_what_felt_is_told_in_a_document_is_taken(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    """A name of a command alone may want more; no word of a line is one that Felt does not know."""
    for told in spoken_to_felt(line.text):
        try:
            parser_of_all().parse_args(told)
        except SystemExit:
            said = capsys.readouterr().err
            assert re.search(r"arguments are required|expected .*argument|one of the arguments", said), (
                f"{line}: {said}"
            )


@pytest.mark.parametrize("text", RUN)
def test_what_needs_nothing_but_felt_is_run(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    for told in RUN[text]:
        assert main(told) == 0
        assert capsys.readouterr().out


# scripts/run --headless ----------------------------------------------------------------------------------------------


def runs_headless(line: str, at: Path) -> None:
    """A line of scripts/run in a folder of its own; free ports are its own business, and it stops all that it started."""
    script, *told = shlex.split(line)
    assert script == "scripts/run", "which sets up .venv, where these tests run already, and starts the module"
    ran = subprocess.run(
        [sys.executable, "-m", "firmware.proof.simulation", *told],
        cwd=at,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=1_100,
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    assert (at / "out" / "summary.json").exists()


def variants(line: str) -> tuple[str, ...]:
    """With what stands in brackets, and without."""
    return (re.sub(r" \[[^\]]*\]", "", line), re.sub(r"\[([^\]]*)\]", r"\1", line))


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("line", variants(HEADLESS))
def test_the_documented_run_without_a_window_ends_with_0(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs_headless(line, tmp_path)
    monkeypatch.chdir(tmp_path)
    for read in READS if (tmp_path / "out" / "bank.ledger").exists() else READS[:-1]:
        for told in spoken_to_felt(read.replace("FILE", "out/table.journal")):
            assert main(told) == 0, capsys.readouterr().err
            assert capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(("book", "level"), [(book, level) for book in games.books() for level in books.levels(book)])
def test_a_run_without_a_window_of_each_book_and_level_ends_with_0(book: str, level: int, tmp_path: Path) -> None:
    runs_headless(f"scripts/run --headless --rounds 3 --seed 7 --book {book} --level {level}", tmp_path)
