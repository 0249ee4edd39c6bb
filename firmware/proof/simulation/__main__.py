"""A whole simulated bank on one machine: `scripts/run` starts this once everything is installed."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from firmware.config import DEFAULT_BOOK, ConfigError
from firmware.proof.simulation import books
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.person import Person, Stuck
from firmware.proof.simulation.pictures import SignPictures
from firmware.proof.simulation.plan import plan
from firmware.proof.simulation.processes import DidNotStart, SimulatedBank
from firmware.proof.simulation.summary import is_right, summarise
from firmware.rules import games
from firmware.runtime.progress import shown

SIGN_PORT, BROKER_PORT = 8653, 18830
TABLES_MAX = 20
"""Each table is three programs of one small computer."""
GUARD_MS = 40
"""Milliseconds of the screen's touch guard in a headless run: its dealer never touches an unread screen."""


def main() -> int:
    """Run a bank for a person at the screen, or a scripted night; the exit code."""
    options = _options()
    logging.basicConfig(level=os.environ.get("FELT_LOG", "WARNING"), format="%(asctime)s %(name)s %(message)s")
    try:
        return _headless(options) if options.headless else _with_window(options)
    except (ConfigError, DidNotStart, Stuck) as error:
        print(f"scripts/run: {error}", file=sys.stderr)
        return 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/run",
        description="Start a whole simulated bank: broker, bank, sign, and tables, each with its cabinet and its screen.",
    )
    parser.add_argument(
        "--book", choices=games.books(), default=DEFAULT_BOOK, help=f"the game (default {DEFAULT_BOOK})"
    )
    parser.add_argument(
        "--level",
        type=int,
        metavar="L",
        help="assist level 0, 1 or 2 (default 0, without a progressive wager 1; then 0 is refused)",
    )
    parser.add_argument(
        "--five-card", action="store_true", help="with the Five Card Hand bonus: two buttons and an account a seat"
    )
    parser.add_argument("--tables", type=int, default=1, metavar="N", help="tables of the bank (default 1, at most 20)")
    parser.add_argument(
        "--headless", action="store_true", help="no window: a scripted dealer at each table plays --rounds rounds"
    )
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="rounds of a headless run (default 20)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="fixes the script of a headless run (default 1)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("out"), metavar="DIR", help="pictures and summary.json (default out)"
    )
    parser.add_argument(
        "--home", type=Path, metavar="DIR", help="journals of a run with a window (default run, then the book's name)"
    )
    parser.add_argument(
        "--mosquitto", action="store_true", help="use this machine's mosquitto instead of the embedded broker"
    )
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds: {options.rounds}; play at least one")
    if not 1 <= options.tables <= TABLES_MAX:
        parser.error(f"--tables: {options.tables}; start 1 to {TABLES_MAX}")
    if options.level is not None and options.level not in books.levels(options.book):
        known = ", ".join(map(str, books.levels(options.book)))
        parser.error(f"--level: {options.level}; a table of {options.book} has {known}")
    if options.five_card and not books.has_five_card(options.book):
        parser.error(f"--five-card: {options.book} has no Five Card Hand bonus")
    return options


def _headless(options: argparse.Namespace) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    for old in (*options.out.glob("dealer-*.png"), *options.out.glob("sign-*.png"), options.out / "summary.json"):
        old.unlink(missing_ok=True)
    home = Path(tempfile.mkdtemp(prefix="felt-"))
    books.write(home, options.book, options.level, GUARD_MS, five_card=options.five_card, tables=options.tables)
    bank = SimulatedBank(
        home,
        mosquitto=options.mosquitto,
        seed=options.seed,
        pictures=options.out.resolve(),
        configuration=home,
        tables=options.tables,
    )
    pictures = SignPictures(bank.sign_address if bank.is_linked else "", options.out.resolve())
    began = time.monotonic()
    try:
        bank.start()
        taps = _play(bank, options, pictures)
    except Stuck:
        print(f"the logs are kept in {home}", file=sys.stderr)
        raise
    finally:
        bank.stop()
    journals = [folder / "table.journal" for folder in books.homes(home, options.tables)]
    summary = summarise(journals, home / "bank.ledger", options.rounds * options.tables)
    (options.out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    for kept in (*options.out.glob("table*.journal"), options.out / "bank.ledger", *options.out.glob("*.pub")):
        kept.unlink(missing_ok=True)
    for number, journal in enumerate(journals, start=1):
        name = "table" if number == 1 else f"table-{number}"
        shutil.copy(journal, options.out / f"{name}.journal")
        shutil.copy(journal.with_name("table-seal.pub"), options.out / f"{name}-seal.pub")
    if bank.is_linked:
        for name in ("bank.ledger", "bank-seal.pub"):
            shutil.copy(home / name, options.out / name)
    shutil.rmtree(home)
    seconds = time.monotonic() - began
    at = f" at each of {options.tables} tables" if options.tables > 1 else ""
    print(f"{options.rounds} rounds{at}, {taps} taps, {seconds:.0f} s; see {options.out}/summary.json", file=sys.stderr)
    return 0 if is_right(summary) else 1


def _play(bank: SimulatedBank, options: argparse.Namespace, pictures: SignPictures) -> int:
    """A scripted night at every table at once; how many taps it took. Raises Stuck for the first table that is."""
    with ThreadPoolExecutor(options.tables) as dealers:
        nights = [
            dealers.submit(_play_at, table.home, options.seed + number, options.rounds, None if number else pictures)
            for number, table in enumerate(bank.tables)
        ]
        return sum(night.result() for night in nights)


def _play_at(home: Path, seed: int, rounds: int, pictures: SignPictures | None) -> int:
    """One table's night. `pictures`: of the sign, taken by one of the tables."""
    with contextlib.closing(Person(home)) as person:
        game = Game.of(home / "table.toml")
        dealer = Dealer(person, pictures.take if pictures else lambda _moment: None, game, seed)
        night = plan(seed, rounds, game)
        for number, round in enumerate(shown(night, "round", rounds) if pictures else night, start=1):
            dealer.play(number, round)
        if pictures:
            pictures.take("end")
        dealer.close()
        return person.taps


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
"""Variables that name a display to open a window on."""


def _with_window(options: argparse.Namespace) -> int:
    if sys.platform == "linux" and not any(os.environ.get(name) for name in DISPLAYS):
        print("scripts/run: no display: use --headless, or ssh -X", file=sys.stderr)
        return 1
    home = (options.home or Path("run") / options.book).resolve()
    books.write(home, options.book, options.level, five_card=options.five_card, tables=options.tables)
    bank = SimulatedBank(
        home,
        mosquitto=options.mosquitto,
        headless=False,
        broker_port=BROKER_PORT,
        sign_port=SIGN_PORT,
        configuration=home,
        tables=options.tables,
    )
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    try:
        bank.start()
        if bank.is_linked:
            print(f"The sign:  {bank.sign_address}", flush=True)
        chips = "click a seat below the screen to place a chip; " if bank.is_linked else ""
        print(f"The table: {chips}keys are printed on the cabinet.")
        print(
            "Badges:    F shows the floorperson's (PIN 4826), G the manager's (PIN 7391). Ctrl-C ends it all.",
            flush=True,
        )
        while all(table.screen.running for table in bank.tables) and not stopped.wait(0.5):
            pass
    finally:
        bank.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
