"""`felt rehearse`: its files and its exit codes. 0 all held, 1 something did not, 2 malformed, 3 Felt itself failed."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import firmware.config as c
import firmware.plain as plain
from firmware.bank.decide import BankRules
from firmware.proof.rehearse.script import SCRIPT_MOST, Malformed, read_script
from firmware.proof.rehearse.stage import Failed, rehearse
from firmware.proof.rehearse.tables import Filed, of_book, of_file, shown
from firmware.proof.rehearse.transcript import Pictures, Transcript
from firmware.proof.rehearse.words import text_of
from firmware.rules.strict import Refusal
from firmware.runtime.bank import rules_of
from firmware.wire.structs import replace
from ui.dealer.widgets import Screen

HELD, DID_NOT, MALFORMED, FELT_FAILED = range(4)


def run(options: argparse.Namespace) -> int:
    """Run the command; the exit code."""
    where = options.script or "rehearse"
    try:
        return _run(options)
    except Failed as failed:
        said = [f"{where}:{failed.line.number}: {failed.line.text}: {failed.why}", *failed.seen]
        return _said(DID_NOT, *said)
    except Malformed as wrong:
        place = f"{where}:{wrong.line}" if wrong.line else where
        return _said(MALFORMED, f"{place}: {wrong.text}")
    except (c.ConfigError, Refusal) as wrong:
        return _said(MALFORMED, str(wrong))
    except OSError as wrong:
        return _said(MALFORMED, f"{wrong.filename or where}: {wrong.strerror}; name one that this user can use")
    except Exception:
        traceback.print_exc()
        return _said(FELT_FAILED, f"{where}: Felt itself failed; please report the lines above with the script")


def _said(code: int, *lines: str) -> int:
    for place, line in enumerate(lines):
        print(f"felt rehearse: {line}" if not place else f"  {line}", file=sys.stderr)
    return code


def _run(options: argparse.Namespace) -> int:
    if options.words is not None:
        print(text_of(options.words), end="")
        return HELD
    filed = tuple(_filed(options.tables, options.level))
    if options.show:
        if any(one.path for one in filed) or not filed:
            raise Malformed("--show prints what --book stands for; name a book")
        print("\n".join(map(shown, filed)), end="")
        return HELD
    if not filed:
        raise Malformed("no table; name one with --table TABLE.toml or --book BOOK")
    if options.script is None:
        raise Malformed("no script; name one, or - for standard input")
    script = read_script(_content(options.script), options.script)
    with ExitStack() as open_files:
        rehearse(script, filed, _bank(options.bank), options.seed, _kept(options, open_files))
    return HELD


def _filed(named: Sequence[tuple[str, str]], level: int | None) -> Iterator[Filed]:
    books = 0
    for kind, name in named:
        if kind == "table":
            yield of_file(Path(name))
        else:
            books += 1
            yield of_book(name, f"t{books}", level)


def _content(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read(SCRIPT_MOST + 1) if name == "-" else plain.content(Path(name), SCRIPT_MOST)
    except ValueError as wrong:  # a NUL in the path
        raise Malformed(f"{wrong}; name a plain file") from wrong


def _bank(path: Path | None) -> BankRules | None:
    if path is None:
        return None
    config = c.load_bank(path)
    submission = c.submission(config, path)
    if not submission.on_sensor:
        raise c.ConfigError(f"{path}: rules: no [progressive] section; a bank would have no meter to keep")
    return replace(rules_of(config, submission, path), signed_first=False)


def _kept(options: argparse.Namespace, open_files: ExitStack) -> Transcript:
    file = None
    if options.transcript is not None:
        file = open_files.enter_context(options.transcript.open("w", encoding="utf-8", newline="\n"))
    if options.pictures is None:
        return Transcript(file)
    options.pictures.mkdir(parents=True, exist_ok=True)
    return Transcript(file, Pictures(options.pictures, _drawing()))


def _drawing() -> Callable[[str], Callable[[Screen, Path], None]]:
    """The drawer of a panel into a file, without a window."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    from ui.dealer.display import Display
    from ui.dealer.panels import PANELS

    made: dict[str, Display] = {}

    def drawing(panel: str) -> Callable[[Screen, Path], None]:
        def save(screen: Screen, path: Path) -> None:
            display = made.get(panel)
            if display is None:
                made.clear()  # there is one window: another panel's begins again
                display = made[panel] = Display(PANELS[panel], "Felt")
            display.draw(screen)
            display.save_png(path)

        return save

    return drawing
