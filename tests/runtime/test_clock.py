"""A journal's time: the monotonic clock decides, the wall clock is evidence (`firmware/runtime/clock.py`)."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from firmware.runtime import clock as clock_runtime
from firmware.runtime.clock import Look, Mark, SteadyClock, is_set, look, mark_of
from firmware.table import events as e
from hal.ports import Lamp
from tests.runtime.world import MS, BankWorld, Clock, TableWorld

S = 1_000_000_000
HOUR, DAY = 3600, 24 * 3600
NOON = 1_800_000_000
BOOT, BEFORE = "b" * 36, "a" * 36
JUMPS = {"1970": -NOON, "an hour back": -HOUR, "an hour": HOUR, "8 days": 8 * DAY, "2099": 72 * 365 * DAY}


class Machine:
    """A machine's clocks, turned by hand. Seconds."""

    def __init__(self, wall: int, mono: int = 100, *, is_set: bool = False) -> None:
        self.wall, self.mono, self.is_set = wall, mono, is_set

    def passes(self, seconds: int) -> None:
        self.wall, self.mono = self.wall + seconds, self.mono + seconds

    def look(self) -> Look:
        return Look(self.wall * S, self.mono * S, self.is_set)

    def clock(self, last: Mark | None) -> SteadyClock:
        return SteadyClock(BOOT, last, self.look)


def row(boot: str = BEFORE, mono: int = 5_000, utc: int = NOON) -> Mark:
    """Of the last row before this start."""
    return Mark(boot, mono * S, utc * S)


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("is_set", [False, True], ids=["alone", "a time server is heard"])
def test_a_clock_that_jumps_while_the_program_runs_says_nothing(jump: str, is_set: bool) -> None:
    machine = Machine(NOON + 100, is_set=is_set)
    clock = machine.clock(row())
    machine.passes(60)
    machine.wall += JUMPS[jump]
    assert clock.utc_s() == NOON + 160
    machine.passes(60)
    machine.wall -= JUMPS[jump]
    assert clock.utc_s() == NOON + 220


@pytest.mark.parametrize("jump", JUMPS)
def test_a_program_that_starts_again_on_its_boot_needs_no_wall_clock(jump: str) -> None:
    machine = Machine(NOON + 60 + JUMPS[jump], 5_060)
    clock = machine.clock(row(BOOT))
    assert clock.utc_s() == NOON + 60
    machine.wall = NOON + 60
    assert clock.utc_s() == NOON + 60


def test_how_long_the_machine_was_off_is_what_the_wall_clock_says() -> None:
    assert Machine(NOON + 10 * HOUR).clock(row()).utc_s() == NOON + 10 * HOUR


@pytest.mark.parametrize("behind", [900, DAY, NOON], ids=["15 minutes", "a day", "1970"])
def test_a_clock_behind_after_a_power_cut_goes_on_from_the_last_row_until_a_time_server_is_heard(behind: int) -> None:
    machine = Machine(NOON - behind)
    clock = machine.clock(row())
    assert clock.utc_s() == NOON + 100, "the least that it can be: the machine has run for a hundred seconds"
    machine.passes(5)
    machine.wall, machine.is_set = NOON + 2 * HOUR, True
    assert clock.utc_s() == NOON + 2 * HOUR and clock.is_sure


@pytest.mark.parametrize("jump", ["8 days", "2099"])
@pytest.mark.parametrize("is_set", [False, True], ids=["by hand", "by a time server"])
def test_what_a_wrong_clock_said_at_the_start_of_a_machine_is_taken_back_when_it_is_right(
    jump: str, is_set: bool
) -> None:
    machine = Machine(NOON + HOUR + JUMPS[jump])
    clock = machine.clock(row())
    machine.passes(60)
    machine.wall, machine.is_set = NOON + HOUR + 60, is_set
    expected = NOON + HOUR + 60 if is_set or jump == "8 days" else NOON + 160
    assert clock.utc_s() == expected, (
        "2099 was never believed: set by hand it is taken at the next start of the machine"
    )


def test_a_time_server_that_was_heard_once_is_not_believed_far_ahead_a_second_time() -> None:
    machine = Machine(NOON + HOUR, is_set=True)
    clock = machine.clock(row())
    assert clock.is_sure
    machine.wall += 8 * DAY
    assert clock.utc_s() == NOON + HOUR


def test_a_new_journal_believes_the_first_clock_that_can_be_right() -> None:
    machine = Machine(200)
    clock = machine.clock(None)
    assert clock.utc_s() == 200, "1970: nothing better is known"
    machine.wall = NOON
    assert clock.utc_s() == NOON
    machine.wall += 8 * DAY
    assert clock.utc_s() == NOON


def test_a_journal_that_was_made_in_1970_is_no_evidence() -> None:
    assert Machine(NOON).clock(row(utc=500)).utc_s() == NOON


def test_a_row_and_its_mark_say_the_same() -> None:
    clock = Machine(NOON + 7).clock(None)
    utc, mono_ns = clock.row()
    assert utc == datetime.fromtimestamp(NOON + 7, UTC).isoformat(timespec="milliseconds")
    assert mark_of(BOOT, mono_ns, utc) == row(BOOT, 100, NOON + 7)
    assert clock.utc_now() == utc.replace("+00:00", "Z")


def test_the_gaming_day_is_of_the_evening_before_until_it_begins() -> None:
    local = datetime(2027, 1, 12, 5, 59).timestamp()
    assert Machine(int(local)).clock(None).gaming_day(time(6)) == "2027-01-11"
    assert Machine(int(local) + 60).clock(None).gaming_day(time(6)) == "2027-01-12"


def test_a_machines_own_clocks_are_looked_at() -> None:
    seen = look()
    assert is_set() in (True, False, None) and seen.wall_ns > NOON and seen.mono_ns > 0


# At a table and a bank ------------------------------------------------------------------------------------------------


class Jumping:
    """The world's clock, whose wall clock is `off` by so many seconds."""

    def __init__(self, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.off = clock, 0
        monkeypatch.setattr(clock_runtime, "look", self.look)

    def look(self) -> Look:
        return Look((self.clock.utc_s + self.off) * S, self.clock.now_ns, True)


@pytest.fixture
def jumping(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Jumping:
    return Jumping(clock, monkeypatch)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_clock_that_jumps_closes_nothing_and_leaves_the_lit_lamps_lit(
    jumping: Jumping, table: TableWorld, jump: str
) -> None:
    table.opens()
    table.places(2)
    for off in (JUMPS[jump], 0):
        jumping.off = off
        table.turns(31_000)
        table.beats()
        table.turns()
        assert table.state.phase == "open" and table.sensors.lamps[2] is Lamp.LIT and not table.state.decks.due
        table.starts()
        table.turns(1_000)
        assert table.state.phase == "open" and table.state.wagers == (2,)
    assert not table.events(e.DeckDue) and len(table.state.decks.here) == 2


def test_a_bank_writes_its_rows_by_the_ledgers_clock(
    jumping: Jumping, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bank = BankWorld(tmp_path_factory.mktemp("bank"), jumping.clock)
    jumping.off = JUMPS["2099"]
    assert bank.service._at.startswith("2026-")
    jumping.clock.now_ns += 1_000 * MS
    bank.turns()
    rows = bank.journal.database.execute("SELECT utc FROM event")
    assert rows and all(str(utc).startswith("2026-") for (utc,) in rows)
