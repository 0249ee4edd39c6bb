"""A table and its bank play on logged disks, each on its own: real processes, a scripted dealer, and somebody who looks on.

The cabinet (chips, lamps, switch, shuffler), the broker and the logs of the programs lie elsewhere: they are the world, and
outlive a cut of the table's or the bank's power.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path

from firmware.config import DEFAULT_BOOK, load_bank, load_table
from firmware.config import gaming_day as day_begins
from firmware.proof.simulation import books
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.person import FLOOR, MANAGER
from firmware.proof.simulation.plan import SHOWCASE, Round, plan
from firmware.proof.simulation.processes import DidNotStart, Part, free_port, make_ledger
from firmware.runtime.adoption import SOCKET, Question, Signature, ask
from firmware.runtime.clock import gaming_day
from firmware.runtime.files import open_any
from firmware.runtime.table_journal import make_journal
from firmware.runtime.table_signatures import go_live
from hal.cabinet.wire import DEVICE_SOCKET, SHUFFLER_LINK, WORLD_SOCKET
from tests.powercut.disk import LoggedDisk
from tests.powercut.watch import LampWatch, Onlooker, Seen, WireWatch

GUARD_MS = 40
"""Of the screen's touch guard: the scripted dealer never touches a screen that he has not read."""
NEXT_WRITES, PATIENCE_S = 3, 6.0
"""Of a cut: with which of the next writes the power goes, and how long they are waited for."""
JOURNAL, LEDGER = "table.journal", "bank.ledger"
SIDES = {"table": JOURNAL, "bank": LEDGER}
"""Who has a disk, and the record on it."""
TRUTH, SEEN = "truth", "seen.json"
STRONG, WEAK = "firmware", "tests.powercut.weak"
"""The program, and the one with synchronous=NORMAL."""


def rounds(seed: int, count: int, game: Game) -> list[Round]:
    """Prizes and ordinary rounds in turn, without anything that only takes time; further ones after the first twenty."""
    played = [
        replace(round, before=())
        for round in plan(seed, max(count, SHOWCASE) * 2, game)
        if not round.alarm and not round.dead
    ]
    won = [round for round in played if round.winners]
    others = [round for round in played if not round.winners]
    mixed = [round for round in chain.from_iterable(zip_longest(won, others)) if round is not None]
    return mixed[:count]


class Night:
    """One table, its bank and everybody who is there, in a folder with a short path."""

    def __init__(self, folder: Path, seed: int, *, lies: int = 0, program: str = STRONG) -> None:
        """`lies`: the disks ignore every so manyth flush; 0: none. `program`: `STRONG` or `WEAK`."""
        self.folder, self.seed = folder, seed
        self.room = folder / "room"
        self.disks = {side: LoggedDisk(folder, side, lies=lies) for side in SIDES}
        books.write(self.room, DEFAULT_BOOK, None, GUARD_MS)
        self.config, self._of_bank = load_table(self.room / "table.toml"), load_bank(self.room / "bank.toml")
        self.game = Game.of(self.room / "table.toml")
        self.seen = Seen()
        self._program = program
        self._broker = f"mqtt://127.0.0.1:{free_port()}"
        self._parts = self._make_parts()

    def _make_parts(self) -> dict[str, Part]:
        table, bank = (str(self.disks[side].mount) for side in SIDES)
        of_table, of_bank = (("--config", str(self.room / f"{side}.toml")) for side in SIDES)
        port = self._broker.rpartition(":")[2]
        dark = {"SDL_VIDEODRIVER": "dummy"}
        return {
            "broker": self._part(STRONG, "broker", "--port", port),
            "cabinet": self._part(STRONG, "cabinet", *of_table, "--home", str(self.room), "--seed", str(self.seed)),
            "bank": self._part(self._program, "bank", *of_bank, "--home", bank, "--broker", self._broker),
            "table": self._part(
                self._program, "table", *of_table, "--home", table, "--broker", self._broker, "--observe"
            ),
            "screen": self._part(STRONG, "screen", *of_table, "--home", table, environment=dark),
        }

    def _part(self, program: str, *arguments: str, environment: dict[str, str] | None = None) -> Part:
        command = [sys.executable, "-m", program, "--log", "INFO", *arguments]
        return Part(arguments[0], command, self.room, environment or {})

    # Beginning and end --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Disks, a new journal, the programs, an adoption; everything is flushed. Raises NoDisk, DidNotStart."""
        for disk in self.disks.values():
            disk.make()
        table = self.disks["table"].mount
        for name in (DEVICE_SOCKET, WORLD_SOCKET, SHUFFLER_LINK):
            (table / name).symlink_to(self.room / name)
        make_journal(table / JOURNAL, self.config.id, self.config.seats.count)
        go_live(table / JOURNAL, (FLOOR[0], MANAGER[0]), int(time.time()))
        make_ledger(self.disks["bank"].mount, self.room / "bank.toml")
        for name in ("broker", "cabinet"):
            self._parts[name].start()
        for name in ("broker", "cabinet"):
            self._parts[name].wait_ready()
        self._start("bank", "table", "screen")
        self._is_adopted()
        for disk in self.disks.values():
            disk.settle()

    def _start(self, *names: str) -> None:
        for name in names:
            self._parts[name].start()
        for name in names:
            self._parts[name].wait_ready()

    def _is_adopted(self) -> None:
        """What two people do once for a new table. Raises DidNotStart."""
        signed = (Signature(*FLOOR), Signature(*MANAGER))
        with closing(open_any(self.disks["table"].mount / JOURNAL)) as journal:
            asked = Question(self.config.id, journal.id, signed)
        answer = ask(self.disks["bank"].mount / SOCKET, asked)
        if answer is None or answer.refused:
            raise DidNotStart(f"{asked.table} was not adopted: {answer.refused if answer else 'no bank listens'}")

    def stop(self) -> None:
        """End all programs in order, and the disks."""
        for part in reversed(self._parts.values()):
            part.stop()
        for disk in self.disks.values():
            disk.close()

    # What happens -------------------------------------------------------------------------------------------------------

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Somebody looks at the lamps and listens to the wire."""
        lamps = LampWatch(self.room, self.seen)
        wire = WireWatch(self._broker, self._of_bank.id, self.config.id, self.seen)
        self.seen.began_ns = time.monotonic_ns()
        lamps.start()
        try:
            yield
        finally:
            self.seen.ended_ns = time.monotonic_ns()
            lamps.end()
            wire.end()

    def play(self, count: int) -> None:
        """So many rounds that are looked at from outside; then the records as they are at the end are put aside."""
        with self.watched(), closing(Onlooker(self.disks["table"].mount, self.seen)) as person:
            dealer = Dealer(person, game=self.game, seed=self.seed)
            for number, round in enumerate(rounds(self.seed, count, self.game), start=1):
                dealer.play(number, round)
                if number == count // 2:
                    self._close_days(dealer)
            for side, name in SIDES.items():
                kept = next(self.disks[side].mount.glob(f"{name}.[0-9]*"))
                self.seen.handed_over_ns[side] = kept.stat().st_ctime_ns - time.time_ns() + time.monotonic_ns()
        self.put_aside()

    def _close_days(self, dealer: Dealer) -> None:
        """The floor closes the table's gaming day, two people the bank's: each goes on in a new file. Raises DidNotStart."""
        dealer.tell("close-day")
        dealer.open()
        asked = Question(
            "", "", (Signature(*FLOOR), Signature(*MANAGER)), day=gaming_day(day_begins(self.config), int(time.time()))
        )
        answer = ask(self.disks["bank"].mount / SOCKET, asked)
        if answer is None or answer.refused:
            raise DidNotStart(f"the ledger's day was not closed: {answer.refused if answer else 'no bank listens'}")

    def put_aside(self) -> None:
        """The programs end in order; their records, and what was seen, are kept in the night's folder."""
        for name in ("screen", "table", "bank"):
            self._parts[name].stop()
        for side in SIDES:
            shutil.copytree(self.disks[side].mount, self.folder / TRUTH / side, symlinks=True, ignore=_no_file)
        self.seen.save(self.folder / SEEN)

    def cut(self, side: str, way: str, chance: random.Random) -> int:
        """The power of one side goes with one of its next writes, and comes back. Gives how many sectors were unflushed.

        They are as `way` has them. Where nothing is written for a while it goes all the same.
        """
        gone = ("screen", "table") if side == "table" else ("bank",)
        disk = self.disks[side]
        disk.server.fails_in(chance.randrange(NEXT_WRITES), PATIENCE_S)
        for name in gone:  # who waits for the disk can only end with it
            os.kill(self._parts[name].pid, signal.SIGKILL)
        disk.kill()
        for name in gone:
            self._parts[name].kill()
        image = self.folder / f"{side}.image"
        sectors = disk.server.forget(way, chance, image)
        disk.restore(image)
        image.unlink()
        self._start(*reversed(gone))
        return sectors


def _no_file(folder: str, names: Sequence[str]) -> list[str]:
    """What is not copied: sockets, links, and what the file system keeps for itself."""
    return [name for name in names if not (Path(folder) / name).is_file() or (Path(folder) / name).is_symlink()]
