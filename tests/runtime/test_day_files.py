"""A gaming day that was closed gets a file of its own; rows, chain, messages and totals go on across files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.__main__ import main
from firmware.bank import events as b
from firmware.bank.inputs import AdoptionSigned, VerdictSigned
from firmware.bank.ledger import Account, LedgerBroken
from firmware.runtime import bank as bank_runtime
from firmware.runtime.adoption import Answer, ClosingAsked
from firmware.runtime.anchor import AnchorFile
from firmware.runtime.clock import SteadyClock
from firmware.runtime.day_files import Journal
from firmware.runtime.files import open_any, verify
from firmware.runtime.journal import JournalDamaged, SnapshotTaken
from firmware.runtime.reconcile import Finding, reconcile
from firmware.runtime.seals import SealCheck
from firmware.runtime.sqlite import Database, StoreError
from firmware.runtime.table_journal import VOCABULARY, open_journal
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table import jackpot, tally
from firmware.wire.from_table import Verdict
from firmware.wire.payload import canonical
from firmware.wire.structs import replace
from tests.runtime.test_seals import two_people
from tests.runtime.test_two_records import House
from tests.runtime.world import BankWorld, Clock, TableWorld

WAGER = 210_000
"""Micro-dollars of a wager for the meter `main`: 21% of a dollar."""
FIRST, SECOND = "table.journal.00001.2027-01-11", "table.journal.00002.2027-01-12"


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The gaming day by the house's clock: the first of these."""
    today = ["2027-01-11"]
    monkeypatch.setattr(SteadyClock, "gaming_day", lambda _, begins: today[0])
    yield today


def closes_day(table: TableWorld) -> None:
    """A floorperson signs at the table."""
    table.presses_for("problem table")
    table.presses_for("problem close-day")
    table.identifies("2001")
    table.presses_for("apply")


def plays_a_round(table: TableWorld, seat: int) -> None:
    table.counted(seat)


def clears(table: TableWorld) -> None:
    table.presses_for("clear")
    table.turns(50)


@pytest.fixture
def played(table: TableWorld, days: list[str]) -> TableWorld:
    """A round with one wager, which the bank does not hold; then the first day was closed, and another round is played."""
    plays_a_round(table, 3)
    clears(table)
    closes_day(table)
    plays_a_round(table, 2)
    return table


def kinds(path: Path) -> list[str]:
    journal = Journal(path, VOCABULARY, read_only=True)
    try:
        return [entry.kind for entry in journal.own_entries()]
    finally:
        journal.close()


def test_a_closed_day_stays_in_a_file_of_its_own_and_the_next_one_begins_with_what_it_left(played: TableWorld) -> None:
    assert (played.folder / FIRST).exists() and played.journal.days == 1
    assert "DayClosed" in kinds(played.folder / FIRST) and kinds(played.folder / "table.journal")[0] == "SnapshotTaken"
    assert not list(played.folder.glob("*.next*")) and not list(played.folder.glob(f"{FIRST}-*"))
    entries = list(played.journal.entries())
    assert [one.row for one in entries] == list(range(1, len(entries) + 1)), "the numbers go on"
    (begun,) = [one for one in played.journal.own_entries() if one.row == played.journal.first]
    assert isinstance(begun.event, SnapshotTaken) and begun.event.after == FIRST
    assert played.journal.hash_at(begun.row - 1) == entries[begun.row - 2].hash
    assert verify(played.folder).rows == len(entries) and verify(played.folder).files == 2


def test_a_start_reads_the_new_file_alone(played: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    before = played.state
    played.journal.close()
    (played.folder / FIRST).rename(played.folder / "elsewhere")
    journal = open_journal(played.folder / "table.journal")
    try:
        row, state = keeping().restore(journal)
        for event in journal.replay(row):
            state = keeping().evolve(state, event)
        assert state == before and row == journal.first
        AnchorFile(journal.path).hold(journal)
    finally:
        journal.close()


def test_a_table_starts_again_plays_on_and_closes_the_next_day(played: TableWorld, days: list[str]) -> None:
    played.starts()
    played.turns(1_100)
    clears(played)
    days[0] = "2027-01-12"
    played.opens()
    closes_day(played)
    plays_a_round(played, 4)
    assert played.journal.days == 2 and (played.folder / SECOND).exists()
    first, second = (one for one in played.events(e.DayClosed))
    assert (first.day, second.day) == ("2027-01-11", "2027-01-12")
    assert second.perpetual.rounds == 2 == first.totals.rounds + second.totals.rounds
    assert verify(played.folder / "table.journal").files == 3


def test_what_is_owed_is_found_however_many_days_ago(played: TableWorld) -> None:
    found = played.journal.messages("up", 1, 10)
    assert [one.seq for one in found] == [1, 2, 3], "the first stands in the closed day's file"
    assert [one.seq for one in played.journal.messages("up", 1, 1)] == [1]
    assert [one.seq for one in played.journal.messages("up", 2, 5)] == [2, 3]
    assert [one.kind for one in found if isinstance(one, e.MessageOwed)] == ["wagers", "day", "wagers"]
    assert played.journal.messages("up", 4, 5) == []
    state = played.state
    assert [one.seq for one in state.owed] == [1, 2, 3]


def test_a_day_is_closed_while_bets_are_open_and_put_aside_after_the_lock(table: TableWorld, days: list[str]) -> None:
    table.opens()
    table.places(3)
    closes_day(table)
    assert table.journal.days == 0, "a chip may wait for its lamp"
    table.locks()
    assert table.journal.days == 1 and table.state.wagers == (3,)


def test_a_file_that_somebody_reads_is_put_aside_when_he_has_done(table: TableWorld, days: list[str]) -> None:
    table.opens()
    reader = Database(table.journal.path, read_only=True)
    reader.execute("SELECT count(*) FROM event")
    closes_day(table)
    table.locks()
    assert table.journal.days == 0 and table.state.phase == "deal", "the game goes on"
    reader.close()
    table.turns(11_000)
    table.turns(10)
    assert table.journal.days == 1
    table.starts()


@pytest.mark.usefixtures("days")
def test_a_day_whose_name_is_taken_is_put_aside_under_the_next_one_and_the_other_file_stays(table: TableWorld) -> None:
    """After a backup was put back its day is closed a second time."""
    taken = table.folder / FIRST
    taken.write_bytes(b"evidence")
    plays_a_round(table, 3)
    clears(table)
    closes_day(table)
    plays_a_round(table, 2)
    assert taken.read_bytes() == b"evidence" and table.journal.days == 1
    assert table.journal.about["before"] == f"{FIRST}.2"
    assert [one.seq for one in table.journal.messages("up", 1, 10)] == [1, 2, 3]
    table.journal.close()
    found = verify(table.folder)
    assert (found.files, found.missing) == (2, "")


def test_what_lies_in_the_way_of_a_new_file_is_named_and_tried_again(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder of that name ended the bank, at every start, with a traceback."""
    way = house.bank.folder / "bank.ledger.new"
    way.mkdir()
    assert closes_ledger(house, "2026-01-11") == Answer(journal="2026-01-11"), "the day is closed all the same"
    assert f"day 1 is not put aside yet, and that is tried again: {way}: Is a directory" in caplog.text
    house.restarts()
    house.goes_on(3)
    assert house.bank.journal.days == 0 and house.bank.service.state.days.closed == 1
    way.rmdir()
    house.bank.turns(11_000)
    assert house.bank.journal.days == 1 and (house.bank.folder / "bank.ledger.00001.2026-01-11").exists()


def test_a_table_plays_on_while_something_lies_in_the_way_of_its_new_file(
    table: TableWorld, days: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    way = table.folder / "table.journal.new"
    way.mkdir()
    table.opens()
    closes_day(table)
    table.locks()
    assert (
        table.journal.days == 0 and table.state.phase == "deal" and "Does something else lie in the way" in caplog.text
    )
    way.rmdir()
    table.turns(11_000)
    table.turns(10)
    assert table.journal.days == 1


def test_a_missing_file_is_named(played: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    first = played.journal.first
    played.journal.close()
    (played.folder / FIRST).unlink()
    assert main(["journal", "verify", str(played.folder)]) == 2
    said = capsys.readouterr().out
    assert f"{FIRST}: this file is missing; rows 1 to {first - 1} were not looked at" in said
    with pytest.raises(StoreError, match="this file is missing"):
        list(open_journal(played.folder / "table.journal").entries())


def test_a_row_of_an_old_day_that_was_changed_is_found(played: TableWorld) -> None:
    played.journal.close()
    old = Database(played.folder / FIRST)
    old.execute("DROP TRIGGER event_stays")
    old.execute("UPDATE event SET body = replace(body, '\"seat\":3', '\"seat\":4') WHERE kind = 'WagerPlaced'")
    old.close()
    with pytest.raises(JournalDamaged, match="was changed after it was written") as damage:
        verify(played.folder / "table.journal")
    assert damage.value.path.name == FIRST


def test_an_old_day_is_shown_and_verified_by_itself(played: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "show", str(played.folder / FIRST)]) == 0
    shown = capsys.readouterr().out
    assert "DayClosed" in shown and len(shown.splitlines()) == played.journal.first - 1
    assert main(["journal", "verify", str(played.folder / FIRST)]) == 0


# The power goes between any two steps ----------------------------------------------------------------------------------


def test_wherever_the_power_goes_a_start_finds_one_journal_and_finishes(
    table: TableWorld,
    days: list[str],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
) -> None:
    """The folder as it is before each step of closing a file, and after the last: each is started, goes on and is whole."""
    plays_a_round(table, 3)
    clears(table)
    table.opens()
    closes_day(table)
    assert table.journal.days == 0
    elsewhere = tmp_path_factory.mktemp("cuts")
    cuts: list[Path] = []

    def cut() -> None:
        cuts.append(elsewhere / f"{len(cuts)}")
        subprocess.run(["cp", "-a", table.folder, cuts[-1]], check=True)  # one file with two names stays one

    def watched(owner: Any, name: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        def called(*args: Any, **options: Any) -> Any:
            cut()
            return real(*args, **options)

        monkeypatch.setattr(owner, name, called)

    with monkeypatch.context():
        for owner, name in (
            (os, "link"),
            (os, "fsync"),
            (os, "pwrite"),
            (Path, "unlink"),
            (Path, "rename"),
            (Database, "execute"),
            (Database, "insert_all"),
            (Database, "close"),
            (Database, "checkpoint"),
        ):
            watched(owner, name)
        table.service._keep_days = watching(table.service._keep_days, cut)  # type: ignore[method-assign]
        table.locks()
    monkeypatch.undo()
    clock.install(monkeypatch)
    monkeypatch.setattr(SteadyClock, "gaming_day", lambda _, begins: days[0])
    assert len(cuts) > 20 and table.journal.days == 1
    wanted = table.state.days
    table.journal.close()
    for folder in cuts:
        again = TableWorld(folder, clock)
        assert again.state.days == wanted, folder
        again.turns(20)
        again.opens() if again.state.phase == "closed" else again.turns(1_000)
        if again.journal.days == 0 and again.state.phase == "open":
            again.locks()
        assert again.journal.days == 1, folder
        again.journal.close()
        found = verify(folder)
        assert (found.files, found.missing) == (2, ""), folder


def watching(real: Callable[[], None], cut: Callable[[], None]) -> Callable[[], None]:
    def called() -> None:
        cut()
        real()
        cut()

    return called


@pytest.mark.usefixtures("days")
@pytest.mark.parametrize("read", [False, True])
def test_a_log_that_is_lost_later_in_the_round_is_missed_though_the_day_was_put_aside_in_it(
    table: TableWorld, tmp_path: Path, *, read: bool
) -> None:
    table.opens()
    table.places(3)
    reader = Database(table.journal.path, read_only=True)
    reader.execute("SELECT count(*) FROM event")
    if not read:
        reader.close()
    closes_day(table)
    table.locks()
    assert table.journal.days == (0 if read else 1)
    table.presses("count-1")
    table.turns(10)
    copy = tmp_path / "after a power cut"
    shutil.copytree(table.folder, copy, ignore=shutil.ignore_patterns("*.sock", "*-shm", "*-wal", "after*"))
    journal = open_journal(copy / "table.journal")
    list(journal.entries())
    assert AnchorFile(journal.path).objection(journal)
    journal.close()
    reader.close()


@pytest.mark.usefixtures("days")
def test_a_table_that_plays_on_while_its_journal_is_verified_has_lost_no_seal(table: TableWorld) -> None:
    plays_a_round(table, 3)
    clears(table)
    closes_day(table)
    with closing(open_any(table.journal.path)) as reader:
        check = SealCheck(reader)
        for entry in reader.checked():
            check.see(entry)
            if entry.row == reader.first - 1:
                plays_a_round(table, 2)
                clears(table)
        assert " seals, " in check.report()
        assert reader.rows == table.journal.rows


# Both sides -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path, clock: Clock, days: list[str]) -> House:
    """A table and a bank that hold one wager; the table's first day was closed and put aside."""
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    house = House(TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock))
    house.table.counted(3)
    house.goes_on()
    clears(house.table)
    closes_day(house.table)
    plays_another_round(house)
    assert house.table.journal.days == 1
    return house


def plays_another_round(house: House, seat: int = 1) -> None:
    house.goes_on()
    house.table.counted(seat)
    house.goes_on()


def reconciled(house: House) -> list[Finding]:
    house.table.journal.close()
    house.bank.journal.close()
    return list(reconcile(house.bank.path, [house.table.journal.path]))


def test_a_bank_does_not_notice_that_a_table_began_a_new_file(house: House) -> None:
    house.restarts()
    house.goes_on(30)
    assert house.alarms == ("", []) and not house.table.state.owed and house.table.state.neighbors.link_up


def test_the_days_contributions_are_the_ledgers_to_the_micro_dollar(house: House) -> None:
    found = reconciled(house)
    assert not [one for one in found if one.wrong]
    assert any("contributions and awards of 1 gaming days compared" in one.text for one in found)


def test_a_day_that_says_other_contributions_than_the_ledger_is_named(
    house: House, days: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = tally.COUNTED[e.MessageOwed]
    twice = {**tally.COUNTED, e.MessageOwed: lambda *of: counted(counted(*of), *of[1:])}
    monkeypatch.setattr(tally, "COUNTED", twice)
    days[0] = "2027-01-12"
    clears(house.table)
    plays_another_round(house, 2)
    clears(house.table)
    closes_day(house.table)
    house.goes_on()
    wrong = [one.text for one in reconciled(house) if one.wrong]
    assert len(wrong) == 1 and "day 2, 2027-01-12: its contributions differ from the ledger's, main by -" in wrong[0]


def pays_a_royal(house: House, *, second: str = "3001") -> None:
    """Seat 1 has wagered and is counted: its claim is validated, priced and paid."""
    table = house.table
    table.claims_a_royal(1)
    house.goes_on()
    table.identifies(second)
    table.presses("primary", held_ms=1_500)
    house.goes_on()
    assert len(table.events(e.ClaimPaid)) == 1, table.text


def closes_the_second_day(house: House, days: list[str]) -> None:
    days[0] = "2027-01-12"
    clears(house.table)
    closes_day(house.table)
    house.goes_on()


def test_the_days_awards_are_the_ledgers_to_the_micro_dollar(house: House, days: list[str]) -> None:
    pays_a_royal(house)
    closes_the_second_day(house, days)
    [paid] = house.bank.events(b.ClaimPaid)
    found = reconciled(house)
    assert [one.text for one in found if one.wrong] == [] and paid.amount
    assert any("contributions and awards of 2 gaming days compared" in one.text for one in found)


def test_a_day_that_says_other_awards_than_the_ledger_is_named(
    house: House, days: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table's day could say a million more, and both sides agreed."""
    counted = tally.COUNTED[e.ClaimPaid]
    twice = {**tally.COUNTED, e.ClaimPaid: lambda *of: counted(counted(*of), *of[1:])}
    monkeypatch.setattr(tally, "COUNTED", twice)
    pays_a_royal(house)
    closes_the_second_day(house, days)
    [paid] = house.bank.events(b.ClaimPaid)
    wrong = [one.text for one in reconciled(house) if one.wrong]
    differ = f"day 2, 2027-01-12: its awards differ from the ledger's, main by -{paid.amount * 10_000} micro-dollars"
    assert len(wrong) == 1 and differ in wrong[0]


def test_a_share_that_is_paid_and_not_told_is_named(
    house: House, days: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the row says paid, the verdict says that it was no winner."""
    monkeypatch.setattr(jackpot, "Verdict", lambda claim, paid, *rest: Verdict(claim, False, *rest))
    pays_a_royal(house)
    closes_the_second_day(house, days)
    [paid] = house.table.events(e.ClaimPaid)
    wrong = [one.text for one in reconciled(house) if one.wrong]
    assert len(wrong) == 2 and "its awards differ from the ledger's" in wrong[0]
    assert f"books the share of claim {paid.claim}, and no message tells of it" in wrong[1]


def test_a_verdict_that_is_held_is_told_and_what_two_people_accept_is_booked_in_its_day(
    house: House, days: list[str]
) -> None:
    """The ledger says itself that it has not booked it yet."""
    bank = house.bank.service
    known = bank._rules
    bank._rules = replace(known, people={badge: role for badge, role in known.people.items() if badge != "3001"})
    pays_a_royal(house)
    bank._rules = known
    [held] = house.bank.events(b.VerdictHeld)
    at = "2027-01-12T00:00:00.000Z"
    bank._spine.take([AdoptionSigned(at, "uth-04", house.table.journal.id, ("2001", "3001"))])
    house.goes_on(15)
    closes_the_second_day(house, days)
    before = list(reconcile(house.bank.path, [house.table.journal.path]))
    assert [one.text for one in before if one.wrong] == []
    assert [one for one in before if "its verdict is held until two people have looked" in one.text]
    bank._spine.take(
        [VerdictSigned(at, held.verdict.claim, True, ("2001", "3001"), held.position.seq, held.position.hash)]
    )
    [paid] = house.bank.events(b.ClaimPaid)
    after = reconciled(house)
    assert paid.accepted and [one.text for one in after if one.wrong or "its verdict" in one.text] == []


ALIVE, UP, DOWN = (f"felt/felt/table/uth-04/{end}" for end in ("alive", "up", "down"))


@pytest.fixture
def bare(house: House) -> House:
    """Both programs start in the files of their second day; somebody has moved those of the first away."""
    clears(house.table)
    closes_ledger(house, "2026-01-11")
    house.table.journal.close()
    house.bank.journal.close()
    for path in (*house.table.folder.glob("table.journal.0*"), *house.bank.folder.glob("bank.ledger.0*")):
        path.unlink()
    house.restarts()
    return house


def complaints(of: TableWorld | BankWorld) -> list[str]:
    """What stands in the file that is there."""
    of.turns(10_000)
    journal: Journal[Any] = Journal(of.journal.path, of.journal.vocabulary, read_only=True)
    events = [entry.event for entry in journal.own_entries()]
    found = [event.text for event in events if isinstance(event, e.Complained | b.Complained)]
    journal.close()
    return found


def test_a_word_about_a_row_of_a_day_that_is_not_there_ends_no_bank(bare: House) -> None:
    said = bare.table.link.last(ALIVE)
    bare.bank.link.deliver(ALIVE, canonical(said | {"ledger": said["ledger"] | {"rows": 1}}))
    assert any("row 1 is not compared" in text for text in complaints(bare.bank))
    assert not bare.bank.service.state.book("uth-04").alarms


def test_a_word_about_a_row_of_a_day_that_is_not_there_ends_no_table(bare: House) -> None:
    said = bare.bank.link.last(DOWN)
    bare.table.link.deliver(DOWN, canonical(said | {"seen": said["seen"] | {"rows": 1}}))
    assert any("row 1 is not compared" in text for text in complaints(bare.table))
    plays_another_round(bare, 2)
    assert not bare.table.state.owed and bare.table.state.neighbors.link_up


def test_a_message_of_a_day_that_is_not_there_is_complained_of_and_the_table_plays_on(bare: House) -> None:
    assert bare.table.service._read(1, 1) == []
    assert any("message 1 is not found" in text for text in complaints(bare.table))


# The bank's ledger ------------------------------------------------------------------------------------------------------


def closes_ledger(house: House, day: str, by: tuple[str, str] = ("2001", "3001")) -> Answer:
    """Two people have signed at the bank (`felt bank close-day`), which runs."""
    answers: list[Answer] = []
    house.bank.inbox.put(ClosingAsked(day, by, answers.append))
    house.bank.turns()
    (answer,) = answers
    return answer


def test_the_ledgers_day_is_closed_while_the_bank_runs_and_it_goes_on_in_a_new_file(house: House) -> None:
    before = house.bank.journal.rows
    assert closes_ledger(house, "2026-01-11") == Answer(journal="2026-01-11")
    old = house.bank.folder / "bank.ledger.00001.2026-01-11"
    assert old.exists() and house.bank.journal.days == 1 and house.bank.journal.first == before + 2
    house.table.presses_for("clear")
    house.table.turns(50)
    plays_another_round(house, 2)
    house.restarts()
    house.goes_on(5)
    assert house.alarms == ("", []) and not house.table.state.owed
    assert bank_runtime.verify(house.bank.path).balance(Account.CONTRIBUTIONS, "main") == 3 * WAGER
    assert not [one for one in reconciled(house) if one.wrong]


def test_a_days_sums_are_what_was_booked_in_it_and_all_days_together_are_the_ledger(house: House) -> None:
    closes_ledger(house, "2026-01-11")
    house.table.presses_for("clear")
    house.table.turns(50)
    plays_another_round(house, 2)
    closes_ledger(house, "2026-01-12")
    first, second = house.bank.events(b.DayClosed)
    entries = [entry for event in house.bank.service._spine.journal.replay() for entry in b.entries_of(event)]
    for one in second.perpetual:
        key = (one.table, one.meter, one.account)
        assert one.micros == sum(e.micros for e in entries if (e.table, e.meter, e.account) == key)
    fed = {(one.table, one.meter): one.micros for one in second.totals if one.account is Account.CONTRIBUTIONS}
    assert fed == {("uth-04", "main"): WAGER}, "one wager since"
    assert first.by == ("2001", "3001") and second.held[0][2] == house.table.state.seq


def test_a_ledgers_day_is_closed_once_and_by_two(house: House) -> None:
    closes_ledger(house, "2026-01-11")
    assert "2026-01-11 is closed already" in closes_ledger(house, "2026-01-11").refused
    assert closes_ledger(house, "2026-01-12", ("2001", "2001")).refused
    for day in ("../../x", "", "2026-1-12", "20260112", "2026-02-30", "2026-01-12\n"):
        assert "it is a date like 2026-11-21" in closes_ledger(house, day).refused, (
            "by the socket as by the command line"
        )
    assert [one.day for one in house.bank.events(b.DayClosed)] == ["2026-01-11"]


@pytest.fixture
def dated(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The gaming day of the ledger's clock."""
    today = ["2026-11-25"]
    monkeypatch.setattr(SteadyClock, "gaming_day", lambda *_: today[0])
    return today


@pytest.mark.parametrize("mistyped", ["2062-11-25", "9999-12-31", "2026-11-26"])
def test_a_day_of_the_ledger_that_has_not_begun_is_not_closed(house: House, dated: list[str], mistyped: str) -> None:
    """One mistyped date, and no day of the ledger was ever closed again."""
    refused = closes_ledger(house, mistyped).refused
    assert f"{mistyped} has not begun: it is 2026-11-25 by the ledger's clock" in refused
    assert "`felt bank close-day 2026-11-25`" in refused and not house.bank.events(b.DayClosed)
    assert closes_ledger(house, "2026-11-24") == Answer(journal="2026-11-24"), "the evening before, after midnight"
    assert closes_ledger(house, "2026-11-25") == Answer(journal="2026-11-25")
    early = closes_ledger(house, "2026-11-23").refused
    assert early.endswith("is before 2026-11-25, which is closed; the next one to close is that of tomorrow")
    dated[0] = "2026-11-26"
    assert "close a later one: `felt bank close-day 2026-11-26`" in closes_ledger(house, "2026-11-23").refused
    assert closes_ledger(house, "2026-11-26") == Answer(journal="2026-11-26")


def test_a_ledger_whose_last_day_is_of_the_future_goes_on_by_its_clock(house: House, dated: list[str]) -> None:
    dated[0] = "2062-11-25"
    closes_ledger(house, "2062-11-25")
    dated[0] = "2026-11-25"
    assert closes_ledger(house, "2026-11-25") == Answer(journal="2026-11-25")
    assert "before 2026-11-25, which is closed" in closes_ledger(house, "2026-11-24").refused
    dated[0] = "2026-11-26"
    assert closes_ledger(house, "2026-11-26") == Answer(journal="2026-11-26")
    house.restarts()
    assert [one.day for one in house.bank.events(b.DayClosed)] == ["2062-11-25", "2026-11-25", "2026-11-26"]
    bank_runtime.verify(house.bank.path)


def test_a_day_of_a_stopped_banks_ledger_that_has_not_begun_is_not_closed_either(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house.bank.journal.close()
    two_people(monkeypatch)
    assert main(["bank", "--home", str(house.bank.folder), "close-day", "2062-11-25"]) == 2
    (cure,) = re.findall("`felt bank (.*)`", capsys.readouterr().err)
    two_people(monkeypatch)
    assert main(["bank", "--home", str(house.bank.folder), *cure.split()]) == 0


def test_what_stands_beside_the_rows_is_held_against_them_through_all_files(house: House) -> None:
    closes_ledger(house, "2026-01-11")
    house.table.presses_for("clear")
    house.table.turns(50)
    plays_another_round(house, 2)
    house.bank.journal.close()
    journal = bank_runtime.open_journal(house.bank.path)
    accounts = bank_runtime.keeping().initial
    for event in journal.replay():
        accounts = bank_runtime.keeping().evolve(accounts, event)
    since = [entry for event in journal.replay(2) for entry in b.entries_of(event)]
    bank_runtime.hold(journal, 0, accounts.accounts, ())
    bank_runtime.hold(journal, 2, accounts.accounts, since)
    with pytest.raises(LedgerBroken, match=f"its last {len(since) - 1} entries are not what the rows since row 2 say"):
        bank_runtime.hold(journal, 2, accounts.accounts, since[:-1])
    journal.close()
    old = Database(house.bank.folder / "bank.ledger.00001.2026-01-11")
    old.execute("DROP TRIGGER ledger_stays")
    old.execute("UPDATE ledger SET micros = micros + 1 WHERE account = 'contributions'")
    old.close()
    with pytest.raises(LedgerBroken, match="is not what row"):
        bank_runtime.verify(house.bank.path)
    journal = bank_runtime.open_journal(house.bank.path)
    with pytest.raises(LedgerBroken, match="the rows say"):
        bank_runtime.hold(journal, 0, accounts.accounts, ())
    journal.close()


@pytest.mark.parametrize("command", ["close-day", "adopt uth-04"])
def test_what_was_changed_beside_the_rows_is_found_before_a_stopped_bank_is_written(
    house: House, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house.bank.journal.close()
    ledger = Database(house.bank.path)
    ledger.execute("UPDATE meter SET micros = micros + 1")
    ledger.close()
    two_people(monkeypatch)
    assert main(["bank", "--home", str(house.bank.folder), *command.split()]) == 2
    assert "meter main is stored as" in capsys.readouterr().err
    assert not list(house.bank.folder.glob("bank.ledger.0*"))
