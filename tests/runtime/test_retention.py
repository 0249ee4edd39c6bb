"""Files of old gaming days go only where they are closed, old enough, settled, verified and exported; off by default."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.__main__ import main
from firmware.bank import events as b
from firmware.bank.inputs import AdoptionSigned, VerdictSigned
from firmware.config import SIMULATED_PEOPLE
from firmware.runtime.adoption import ClosingAsked
from firmware.runtime.files import verify
from firmware.runtime.seals import checkpoint
from firmware.runtime.signed_notes import note
from firmware.wire.structs import replace
from tests.bank import casino
from tests.runtime.test_day_files import (
    FIRST,
    SECOND,
    closes_the_second_day,
    days,
    house,
    pays_a_royal,
    played,
    reconciled,
)
from tests.runtime.test_lost_days import LEDGER_DAY, changes_a_row, closed, ends, signed, three
from tests.runtime.test_seals import two_people
from tests.runtime.test_two_records import House
from tests.runtime.world import BankWorld, Clock, TableWorld
from tests.sample import some

__all__ = ["closed", "days", "house", "played", "three"]


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven weeks after the day that was closed."""
    now = SimpleNamespace(gaming_day=lambda begins: "2027-03-01")
    monkeypatch.setattr("firmware.runtime.files.clock_of", lambda path: now)


@pytest.fixture
def exports(closed: House, tmp_path: Path) -> Path:
    """Copies of both sides' first day, made as operations do."""
    folder = tmp_path / "exports"
    folder.mkdir()
    shutil.copy(closed.table.folder / FIRST, folder)
    shutil.copy(closed.bank.folder / LEDGER_DAY, folder)
    return folder


def keeps(tmp_path: Path, days: int) -> Path:
    """A table.toml with that many days; the simulation's people."""
    file = tmp_path / "table.toml"
    said = "".join(
        f'[[people]]\nbadge = "{one.badge}"\nname = "{one.name}"\nrole = "{one.role}"\npin_hash = "{one.pin_hash}"\n'
        for one in SIMULATED_PEOPLE
    )
    file.write_text(f"keep_days = {days}\n{said}", encoding="utf-8")
    return file


def asks(house: House, whose: str, *options: object, config: Path | None = None) -> int:
    """`felt table retention` or `felt bank retention`."""
    folder = house.table.folder if whose == "table" else house.bank.folder
    given = [whose, *(["--config", str(config)] if config else []), "--home", str(folder), "retention"]
    return main([*given, *map(str, options)])


def test_by_default_every_day_is_kept_for_ever(
    closed: House, exports: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    two_people(monkeypatch)
    for whose, name in (("table", FIRST), ("bank", LEDGER_DAY)):
        assert asks(closed, whose, "--remove", "--exports", exports) == 0
        assert f"{name}: stays: every day is kept for ever (keep_days is 0)" in capsys.readouterr().out
    assert (closed.table.folder / FIRST).exists() and (closed.bank.folder / LEDGER_DAY).exists()


@pytest.mark.parametrize("whose", ["table", "bank"])
def test_what_may_go_goes_by_two_and_the_journal_says_what_with_its_seal(
    closed: House, exports: Path, whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = closed.table.folder / "table.journal" if whose == "table" else closed.bank.path
    name = FIRST if whose == "table" else LEDGER_DAY
    last = ends(path.with_name(name))
    config = keeps(tmp_path, 1)
    assert asks(closed, whose, "--exports", exports, config=config) == 0
    assert path.with_name(name).exists(), "a list removes nothing"
    two_people(monkeypatch)
    assert asks(closed, whose, "--exports", exports, "--remove", config=config) == 0
    assert not path.with_name(name).exists()
    [gone] = signed(path)
    assert (gone.file, gone.rows, gone.head, gone.after) == (name, *last, 0)
    assert gone.people == ("2001", "3001") and str(exports / name) in gone.why
    said = checkpoint(note(gone.seal).text)
    assert (said.rows, said.head) == last, "its seal covers every row of the file, and the export is held against it"
    assert verify(exports / name).rows == last[0]
    assert [one.file for one in verify(path).gone] == [name]
    assert [one.text for one in reconciled(closed) if one.wrong] == []
    assert main(["bank", "verify", str(closed.bank.path)]) == 0, "after a rightful retention too"
    closed.restarts()
    assert not closed.bank.service.state.book("uth-04").alarms and not closed.table.state.owed


def test_what_is_too_young_not_exported_or_exported_otherwise_stays(
    closed: House, exports: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    two_people(monkeypatch)
    assert asks(closed, "table", "--remove", "--exports", exports, config=keeps(tmp_path, 36_500)) == 0
    assert "36500 are kept" in capsys.readouterr().out
    old = keeps(tmp_path, 1)
    assert asks(closed, "table", "--remove", "--exports", tmp_path / "nowhere", config=old) == 0
    assert "not exported: copy it to" in capsys.readouterr().out
    with (exports / FIRST).open("ab") as copy:
        copy.write(b"\0")
    assert asks(closed, "table", "--remove", "--exports", exports, config=old) == 0
    assert "differs from it" in capsys.readouterr().out
    assert asks(closed, "table", "--remove", "--exports", closed.table.folder, config=old) == 0
    assert "is this very file" in capsys.readouterr().out
    assert (closed.table.folder / FIRST).exists()


def test_a_journal_in_which_anything_is_wrong_loses_no_file(
    closed: House, exports: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_people(monkeypatch)
    changes_a_row(closed.table.folder / "table.journal")
    assert asks(closed, "table", "--remove", "--exports", exports, config=keeps(tmp_path, 1)) == 2
    assert (closed.table.folder / FIRST).exists()


def test_a_day_with_a_message_that_the_bank_does_not_hold_stays(
    played: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bank may be restored from a backup of before it, and asks for it then."""
    played.journal.close()
    exports = tmp_path / "exports"
    exports.mkdir()
    shutil.copy(played.folder / FIRST, exports)
    given = ["table", "--config", str(keeps(tmp_path, 1)), "--home", str(played.folder), "retention"]
    assert main([*given, "--exports", str(exports), "--remove"]) == 0
    assert f"{FIRST}: stays: the bank does not hold message 1 yet" in capsys.readouterr().out
    assert (played.folder / FIRST).exists()


@pytest.mark.parametrize("is_adopted", some([False, True], keep=[True]))
def test_a_day_whose_claim_has_a_verdict_that_the_bank_holds_stays_until_two_people_have_looked(
    house: House, days: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], is_adopted: bool
) -> None:
    """Held, it is no final verdict: earlier days could go while people still judge a claim.

    An adoption ends the bank's alarm, so that the table plays on: the claim is as open as before.
    """
    service = house.bank.service
    known = service._rules
    service._rules = replace(known, people={badge: role for badge, role in known.people.items() if badge != "3001"})
    pays_a_royal(house)
    service._rules = known
    closes_the_second_day(house, days)
    [held] = house.bank.events(b.VerdictHeld)
    house.goes_on()
    days_of_both = (FIRST, SECOND)

    def listed() -> list[str]:
        house.table.journal.close()
        exports = tmp_path / "exports"
        shutil.copytree(house.table.folder, exports, ignore=shutil.ignore_patterns("*.sock"), dirs_exist_ok=True)
        assert asks(house, "table", "--exports", exports, config=keeps(tmp_path, 1)) == 0
        return [line for line in capsys.readouterr().out.splitlines() if line.startswith(days_of_both)]

    if is_adopted:
        journal = held.position.journal
        service._spine.take([AdoptionSigned("2027-01-12T00:00:00.000Z", "uth-04", journal, ("2001", "3001"))])
        service._act({"uth-04"}, house.bank.clock.now_ns)
        house.goes_on()
        assert house.alarms[0] == ""
    before = listed()
    assert len(before) == 2
    if is_adopted:
        assert before[0].endswith("may go"), "no claim of that day is open"
        assert f"claim {held.verdict.claim} is not settled yet" in before[1]
    else:
        assert "the bank's alarm verdict stands" in before[0] and "stays" in before[1]
    seen = held.position.seq, held.position.hash
    service._spine.take([VerdictSigned("2027-01-12T00:00:00.000Z", held.verdict.claim, True, ("2001", "3001"), *seen)])
    house.restarts()
    house.goes_on(10)
    assert [line.endswith("may go") for line in listed()] == [True, True]


def test_no_gap_is_made_before_a_day_that_stays(
    three: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["table", "--config", str(keeps(tmp_path, 1)), "--home", str(three.folder), "retention"]
    assert main(given) == 0
    assert f"{SECOND}: stays: an earlier day stays" in capsys.readouterr().out


def test_a_day_of_a_ledger_that_names_a_claim_which_waits_stays(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bank").mkdir()
    bank, table = BankWorld(tmp_path / "bank", clock), casino.Table("uth-04")
    bank.hears(table.wagers(1, 1), table.claim(1, 1, "royal flush"))
    bank.inbox.put(ClosingAsked("2026-01-11", ("2001", "3001"), lambda _: None))
    bank.turns()
    bank.journal.close()
    config = keeps(tmp_path, 1)
    assert main(["bank", "--config", str(config), "--home", str(bank.folder), "retention"]) == 0
    assert f"{LEDGER_DAY}: stays: claim uth-04:1:1:1 is not settled yet" in capsys.readouterr().out


def test_a_file_that_the_power_left_though_it_was_written_down_is_read_and_goes_the_next_time(
    closed: House, exports: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, real = keeps(tmp_path, 1), Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.name == FIRST:
            raise OSError("the power goes")
        real(path, missing_ok)

    two_people(monkeypatch)
    with monkeypatch.context() as power:
        power.setattr(Path, "unlink", unlink)
        with pytest.raises(OSError, match="the power goes"):
            asks(closed, "table", "--exports", exports, "--remove", config=config)
    path = closed.table.folder / "table.journal"
    assert (verify(path).files, verify(path).gone) == (2, ())
    two_people(monkeypatch)
    assert asks(closed, "table", "--exports", exports, "--remove", config=config) == 0
    assert [one.file for one in verify(path).gone] == [FIRST]
