"""The wall clock of table and bank jumps while rounds are played, real processes: nothing closes, nobody has to sign."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.bank import events as b
from firmware.proof.simulation.books import write
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game_betting import bet
from firmware.proof.simulation.person import Person
from firmware.proof.simulation.plan import Round, Winner
from firmware.proof.simulation.processes import Part, SimulatedBank
from firmware.runtime.files import open_any
from firmware.table import events as e

NOW_1970 = -56 * 365 * 24 * 3600
JUMPS = {"1970": NOW_1970, "an hour back": -3600, "8 days": 8 * 24 * 3600, "2099": 73 * 365 * 24 * 3600}
JUMPING = """
import os, time
from pathlib import Path
from firmware.runtime import clock

def look():
    off = int(Path(os.environ["FELT_TEST_CLOCK"]).read_text() or 0)
    return clock.Look(time.time_ns() + off * 10**9, time.monotonic_ns(), True)

clock.look = look
"""
"""Python's own hook of a start, in the processes of this test: their wall clock is off by what a file says, and the
kernel says that it is set."""


class Clocks:
    """The wall clocks of some processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "sitecustomize.py").write_text(JUMPING, encoding="utf-8")

    def drives(self, part: Part) -> None:
        """Before it starts."""
        self.says(part, 0)
        file = str(self._folder / part.name)
        part.environment = {**part.environment, "PYTHONPATH": str(self._folder), "FELT_TEST_CLOCK": file}

    def says(self, part: Part, off: int) -> None:
        """From now on it is wrong by so many seconds."""
        beside = self._folder / f"{part.name}.next"
        beside.write_text(str(off), encoding="utf-8")
        beside.rename(self._folder / part.name)


@pytest.fixture
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedBank]:
    """A bank that takes no verdict sooner than a second after its claim."""
    home = tmp_path_factory.mktemp("b")
    write(home, "pa-653a", 0)
    file = home / "bank.toml"
    file.write_text(f"least_seconds = 1\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    bank = SimulatedBank(home, configuration=home)
    yield bank
    bank.stop()


@pytest.mark.slow
@pytest.mark.parametrize("of", ["table", "bank"])
def test_clocks_that_jump_end_with_the_table_in_play_by_itself(bank: SimulatedBank, of: str, tmp_path: Path) -> None:
    """A claim waits for its verdict meanwhile; the program starts again under the wrong clock, and when it is right."""
    clocks = Clocks(tmp_path)
    victim = bank.table if of == "table" else bank.bank
    clocks.drives(victim)
    bank.start()
    person = Person(bank.home)
    try:
        dealer = Dealer(person)
        for number, jump in enumerate(JUMPS.values(), start=1):
            dealer.open()
            dealer.sit(number, Round((2,), winners=(Winner(2, "royal flush"),)))
            bet(dealer)
            dealer.plays_until("hold")
            clocks.says(victim, jump)
            dealer.finish()
            victim.kill()
            victim.restart()
            dealer.play(number, Round((1, 4)))
            clocks.says(victim, 0)
            dealer.play(number, Round((5, 6)))
    finally:
        person.close()
    bank.stop()
    with closing(open_any(bank.home / "bank.ledger")) as ledger:
        booked = list(ledger.replay())
    assert sum(isinstance(event, b.ClaimPaid) for event in booked) == len(JUMPS)
    alarms = [event.kind for event in booked if isinstance(event, b.AlarmRaised)]
    assert set(alarms) <= {"new"} and not any(isinstance(event, b.VerdictHeld) for event in booked)
    with closing(open_any(bank.home / "table.journal")) as journal:
        happened = list(journal.replay())
    assert {event.kind for event in happened if isinstance(event, e.BankAlarm)} <= {"", "new"}
    assert not any(isinstance(event, e.DeckDue | e.DecksWanted) for event in happened)
    assert sum(isinstance(event, e.RoundCleared) for event in happened) == 3 * len(JUMPS)
