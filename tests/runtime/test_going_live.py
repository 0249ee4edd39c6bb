"""`felt table live` and `felt table force` at a stopped table; what a running one says of it (`firmware/table/live`)."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.rules.money import Cents
from firmware.runtime.anchor import JournalLost
from firmware.runtime.day_files import Journal
from firmware.runtime.doctor.machine import _is_live
from firmware.runtime.reconcile import read_table
from firmware.runtime.table_journal import VOCABULARY, make_journal
from firmware.runtime.table_signatures import force_meter, go_live
from firmware.table import events as e
from tests.runtime.test_adoption import PINS
from tests.runtime.world import BOARD, METER, BankWorld, Clock, TableWorld
from ui.dealer.pieces import grouped

NAME, BOTH, AT = "table.journal", ("2001", "3001"), 1_800_000_000


class TestTable(TableWorld):
    """A new table that nobody said LIVE at."""

    __test__ = False
    live = False


@pytest.fixture
def made(tmp_path: Path) -> Path:
    make_journal(tmp_path / NAME, "uth-04", 6)
    return tmp_path


@pytest.fixture
def signs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Badges to be typed, and their PINs."""
    badges: list[str] = []
    pins: list[str] = []

    def badge(_prompt: str = "") -> str:
        pins.append(PINS[badges[0]])
        return badges.pop(0)

    monkeypatch.setattr("builtins.input", badge)
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": pins.pop(0))
    return badges


def test_two_people_say_live_at_a_stopped_table(
    made: Path, signs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    signs += BOTH
    assert _is_live(made / NAME) is False
    assert main(["table", "live", "--home", str(made)]) == 0
    assert "is live; signed by badges 2001 and 3001" in capsys.readouterr().out
    assert _is_live(made / NAME) is True
    journal = Journal(made / NAME, VOCABULARY)
    (said,) = [event for event in journal.replay() if isinstance(event, e.TableLive)]
    assert said.people == BOTH and said.at and journal.rows == 3
    journal.close()
    signs += BOTH
    assert main(["table", "live", "--home", str(made)]) == 2
    assert "live already, and stays so" in capsys.readouterr().err


def test_one_person_alone_does_not_say_live(made: Path, signs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    signs += ["2001", "2001"]
    assert main(["table", "live", "--home", str(made)]) == 2
    assert "it takes two different people" in capsys.readouterr().err
    assert _is_live(made / NAME) is False


def test_live_is_not_said_of_a_table_that_is_open(tmp_path: Path, clock: Clock) -> None:
    table = TestTable(tmp_path, clock)
    table.opens()
    table.journal.close()
    with pytest.raises(JournalLost, match="the table is not closed"):
        go_live(tmp_path / NAME, BOTH, AT)


def test_a_meter_is_forced_in_a_test_only(made: Path, signs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    signs += ["2001"]
    assert main(["table", "force", "main", "1234.50", "--home", str(made)]) == 0
    assert "$1234.50 on main, in tests only" in capsys.readouterr().out
    assert main(["table", "force", "none", "1.00", "--home", str(made)]) == 2
    assert "these rules have main" in capsys.readouterr().err
    go_live(made / NAME, BOTH, AT)
    with pytest.raises(JournalLost, match="this table is live: only its bank says what stands on a meter"):
        force_meter(made / NAME, "main", Cents(1), "2001")


@pytest.mark.parametrize("command", [["live"], ["force", "main", "1234.50"]])
def test_where_nobody_can_answer_nothing_is_signed(
    made: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard input is closed: it ended with a traceback."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["table", *command, "--home", str(made)]) == 2
    assert "nobody answers; run it in a terminal" in capsys.readouterr().err


def test_no_meter_is_forced_during_a_round(tmp_path: Path, clock: Clock) -> None:
    """A claim is paid what it was priced by, and a void round takes off what it put there."""
    table = TestTable(tmp_path, clock)
    table.counted(3)
    table.journal.close()
    with pytest.raises(JournalLost, match="a round is being played"):
        force_meter(tmp_path / NAME, "main", Cents(1), "2001")


def test_the_glass_of_a_test_shows_what_a_technician_forced(tmp_path: Path, clock: Clock) -> None:
    """Whatever the bank's board says."""
    make_journal(tmp_path / NAME, "uth-04", 6)
    force_meter(tmp_path / NAME, "main", Cents(123_450), "4001")
    table = TestTable(tmp_path, clock)
    table.opens()
    table.link.deliver("felt/felt/meters", json.dumps(BOARD).encode())
    table.turns()
    assert str(METER["display_name"]).upper() in table.text, "the bank's name for it, not what the bank has on it"
    assert "$1,234.50" in table.text and grouped(str(METER["amount"])) not in table.text


def test_a_test_is_told_on_status_and_owes_nothing(tmp_path: Path, clock: Clock) -> None:
    table = TestTable(tmp_path, clock)
    table.counted(3)
    status = f"{table.topic}/status"
    assert json.loads(table.link.kept[status])["live"] is False
    assert "NOT LIVE" in table.text and not table.link.all(f"{table.topic}/up")
    table.starts()
    assert not table.state.program.live and table.state.phase == "deal" and not table.state.seq


def test_a_live_table_says_so(table: TableWorld) -> None:
    table.counted(3)
    assert json.loads(table.link.kept[f"{table.topic}/status"])["live"] is True


def test_show_marks_the_rows_of_a_test(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    go_live(made / NAME, BOTH, AT)
    capsys.readouterr()
    assert main(["journal", "show", str(made)]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert "test  TableOpened" in first and "test  TableShut" in second and "test" not in third


def test_a_prize_of_a_test_needs_no_message(tmp_path: Path, clock: Clock) -> None:
    """`felt reconcile` asks for a message of each prize of a live table, and of none of before."""
    table = TestTable(tmp_path, clock)
    table.validating()
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)
    table.presses("primary", held_ms=1_500)
    assert table.events(e.PrizePaid)
    found = read_table(table.journal.path)
    assert not any(found.untold.values()) and not found.messages


def test_the_bank_hears_that_a_table_is_not_live(table: TableWorld, bank: BankWorld) -> None:
    table.counted(3)
    topic = f"{table.topic}/status"
    bank.link.deliver(topic, json.dumps(table.link.last(topic) | {"live": False}).encode())
    bank.turns()
    assert not bank.service.standing["uth-04"].live
    bank.link.deliver(topic, json.dumps(table.link.last(topic)).encode())
    bank.turns()
    assert bank.service.standing["uth-04"].live
