"""Wrong PINs at the commands of a bank and of a table: counted, told to their owner, a lock, and who ends it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from firmware import config as c
from firmware.__main__ import main
from firmware.bank import events as e
from firmware.runtime.adoption import SOCKET, UNLOCK, AdoptionDesk, Question, Signature, ask
from firmware.runtime.sqlite import StoreError
from firmware.runtime.table_journal import make_journal
from firmware.runtime.tries import Tries
from firmware.table.state import LOCKS_AT, LOCKS_WITHIN_S, WrongPins
from tests.runtime.test_adoption import PINS, while_it_runs
from tests.runtime.world import BankWorld, Clock

DIAZ = c.SIMULATED_PEOPLE[0]
WRONG = "0000"
HOUR = 3_600


class Now:
    """Seconds of UTC, as a command's machine says."""

    utc_s = 1_790_000_000

    def __call__(self) -> int:
        return self.utc_s


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    now = Now()
    monkeypatch.setattr("firmware.runtime.tries.utc_s", now)
    return now


class Terminal:
    """What is typed at `felt bank` and `felt table`: badge and PIN, in turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._typed: Iterator[str] = iter(())
        monkeypatch.setattr("builtins.input", lambda _prompt: next(self._typed))
        monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(self._typed))

    def types(self, *signatures: tuple[str, str]) -> None:
        self._typed = iter([text for one in signatures for text in one])


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(monkeypatch)


@pytest.fixture
def home(tmp_path: Path, clock: Clock) -> Path:
    """Of a bank that is stopped."""
    BankWorld(tmp_path, clock).journal.close()
    return tmp_path


def closes_day(home: Path, day: str = "2026-09-20") -> int:
    return main(["bank", "--home", str(home), "close-day", day])


def fails(terminal: Terminal, home: Path, now: Now, times: int, every_s: int = 60) -> None:
    """So many wrong PINs of badge 2001, each after its wait."""
    for _ in range(times):
        terminal.types(("2001", WRONG))
        assert closes_day(home) == 2
        now.utc_s += every_s


def test_the_next_right_pin_says_how_many_were_wrong_and_when(
    home: Path, terminal: Terminal, now: Now, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(terminal, home, now, 3)
    assert "not signed: badge '2001': wrong PIN 3; the next try in 4 s" in capsys.readouterr().err
    terminal.types(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    closes_day(home)
    assert "badge 2001: 3 wrong PINs before this: " in capsys.readouterr().out
    terminal.types(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    closes_day(home)
    assert "wrong PINs" not in capsys.readouterr().out, "and then it is over"


def test_before_its_wait_is_over_no_pin_of_the_badge_is_checked(
    home: Path, terminal: Terminal, now: Now, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(terminal, home, now, 3, every_s=1 << 2)
    now.utc_s -= 1
    terminal.types(("2001", PINS["2001"]))
    assert closes_day(home) == 2
    assert "badge '2001' had 3 wrong PINs; try again in 1 s" in capsys.readouterr().err
    terminal.types(("3001", PINS["3001"]), ("2001", PINS["2001"]))
    assert closes_day(home) == 2, "and another person need not wait"
    assert "badge '2001' had 3 wrong PINs; try again in 1 s" in capsys.readouterr().err
    now.utc_s += 1
    terminal.types(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    closes_day(home)
    assert "3 wrong PINs before this" in capsys.readouterr().out


def test_ten_within_an_hour_lock_a_badge_until_another_manager_unlocks_it(
    home: Path, terminal: Terminal, now: Now, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(terminal, home, now, LOCKS_AT)
    locked = f"badge '2001' is locked: 10 wrong PINs; another manager unlocks it: {UNLOCK} 2001"
    assert locked in capsys.readouterr().err
    now.utc_s += 24 * HOUR
    terminal.types(("2001", PINS["2001"]))
    assert closes_day(home) == 2, "not even the right one is checked, the day after"
    assert locked in capsys.readouterr().err
    unlock = ["bank", "--home", str(home), "unlock"]
    terminal.types(("2001", PINS["2001"]))
    assert main([*unlock, "2001"]) == 2, "a floorperson unlocks nobody"
    assert "it takes a manager" in capsys.readouterr().err
    terminal.types(("3001", PINS["3001"]))
    assert main([*unlock, "3001"]) == 2
    assert "badge '3001' is not locked here; those that are: 2001" in capsys.readouterr().err
    terminal.types(("3001", PINS["3001"]))
    assert main([*unlock, "2001"]) == 0
    assert "badge 2001: unlocked after 10 wrong PINs by badge 3001" in capsys.readouterr().out
    terminal.types(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    closes_day(home)
    assert "10 wrong PINs before this" in capsys.readouterr().out, "whoever owns it reads it all the same"


def test_a_locked_manager_does_not_unlock_himself(home: Path, terminal: Terminal, now: Now) -> None:
    for _ in range(LOCKS_AT):
        terminal.types(("3001", WRONG))
        assert main(["bank", "--home", str(home), "unlock", "2001"]) == 2
        now.utc_s += 60
    terminal.types(("3001", PINS["3001"]))
    assert main(["bank", "--home", str(home), "unlock", "3001"]) == 2


def test_wrong_pins_that_are_further_apart_lock_no_badge_and_are_told(now: Now, tmp_path: Path) -> None:
    """Ten in a year are no guessing; the owner reads of them all the same."""
    tries = Tries(tmp_path / "bank.ledger", UNLOCK)
    for _ in range(2 * LOCKS_AT):
        assert "wrong PIN" in tries.refusal(DIAZ, WRONG)[0]
        now.utc_s += LOCKS_WITHIN_S // (LOCKS_AT - 1) + 1
    why, told = tries.refusal(DIAZ, PINS["2001"])
    assert not why and "20 wrong PINs before this" in told


@pytest.mark.parametrize(("apart", "locked"), [(400, True), (401, False), (-5, True)])
def test_an_hour_is_an_hour_and_a_clock_that_goes_back_makes_none_longer(apart: int, locked: bool) -> None:
    wrong = WrongPins("2001", 0)
    for number in range(LOCKS_AT):
        wrong = wrong.one_more(1_790_000_000 + number * apart)
    assert wrong.locked is locked
    assert not wrong.unlocked().locked and wrong.unlocked().tries == 0


def test_of_two_commands_that_try_at_once_none_is_forgotten(now: Now, tmp_path: Path) -> None:
    people = [replace_badge(f"{2000 + number}") for number in range(6)]
    threads = [
        threading.Thread(target=lambda who=who: Tries(tmp_path / "bank.ledger", UNLOCK).refusal(who, WRONG))
        for who in people
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for who in people:
        now.utc_s += 60
        assert "wrong PIN 2" in Tries(tmp_path / "bank.ledger", UNLOCK).refusal(who, WRONG)[0]


def replace_badge(badge: str) -> c.PersonConfig:
    return msgspec.structs.replace(DIAZ, badge=badge)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"wrong": {"2001": {"badge": "2001"}}}'])
def test_where_the_count_cannot_be_read_no_pin_is_checked(
    home: Path, terminal: Terminal, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "bank.ledger.wrong-pins").write_bytes(content)
    terminal.types(("2001", PINS["2001"]))
    assert closes_day(home) == 2
    said = capsys.readouterr().err
    assert "bank.ledger.wrong-pins" in said and "no PIN is checked" in said and "keep a copy and remove it" in said


def test_a_folder_that_is_gone_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="gone: No such file"):
        Tries(tmp_path / "gone" / "bank.ledger", UNLOCK).refusal(DIAZ, WRONG)


def test_at_a_tables_commands_it_is_the_same(
    tmp_path: Path, terminal: Terminal, now: Now, capsys: pytest.CaptureFixture[str]
) -> None:
    make_journal(tmp_path / "table.journal", "uth-04", 6)
    for _ in range(LOCKS_AT):
        terminal.types(("2001", WRONG))
        assert main(["table", "live", "--home", str(tmp_path)]) == 2
        now.utc_s += 60
    assert "another manager unlocks it: felt table unlock 2001" in capsys.readouterr().err
    terminal.types(("3001", PINS["3001"]))
    assert main(["table", "unlock", "2001", "--home", str(tmp_path)]) == 0


# While the bank runs --------------------------------------------------------------------------------------------------


def told(bank: BankWorld) -> list[str]:
    """What the ledger has of PINs."""
    return [event.text for event in bank.events(e.Complained) if event.place.startswith("PINs")]


def test_a_running_bank_tells_of_them_from_the_third_on_and_of_lock_and_unlock(
    bank: BankWorld, terminal: Terminal, now: Now, caplog: pytest.LogCaptureFixture
) -> None:
    desk = AdoptionDesk(bank.folder / SOCKET, bank.config.people, bank.inbox.put)
    with closing(desk):
        desk.start()
        fails(terminal, bank.folder, now, 2)
        bank.turns(20_000)
        assert told(bank) == []
        fails(terminal, bank.folder, now, 1)
        bank.turns(20_000)
        (third,) = told(bank)
        assert third.startswith("badge 2001: 3 wrong PINs, ") and third in caplog.text
        asked = Question("", "", (Signature("2001", WRONG), Signature("3001", PINS["3001"])), day="2026-09-20")
        for number in range(4, LOCKS_AT + 1):  # past the command, at the socket itself
            answer = ask(bank.folder / SOCKET, asked)
            assert answer is not None
            assert ("is locked" if number == LOCKS_AT else f"wrong PIN {number}") in answer.refused
            now.utc_s += 60
        bank.turns(20_000)
        assert told(bank)[-1].endswith(f"; locked: {UNLOCK} 2001")
        terminal.types(("3001", PINS["3001"]))
        assert main(["bank", "--home", str(bank.folder), "unlock", "2001"]) == 0
        bank.turns(20_000)
        assert told(bank)[-1] == "badge 2001 was unlocked by manager 3001"
        both = (Signature("2001", PINS["2001"]), Signature("3001", PINS["3001"]))
        right = Question("", "", both, day="2026-09-20")
        while_it_runs(bank, lambda: 0 if ask(bank.folder / SOCKET, right) else 1)
        bank.turns(20_000)
        assert told(bank)[-1].startswith("badge 2001: 10 wrong PINs before this: ")


def test_a_bank_that_starts_tells_what_stands_and_a_damaged_count_stops_nothing(
    bank: BankWorld, now: Now, caplog: pytest.LogCaptureFixture
) -> None:
    tries = Tries(bank.path, UNLOCK)
    for _ in range(3):
        tries.refusal(DIAZ, WRONG)
        now.utc_s += 60
    bank.starts()
    bank.turns(2_000)
    assert "badge 2001: 3 wrong PINs" in caplog.text and len(told(bank)) == 1
    (bank.folder / "bank.ledger.wrong-pins").write_bytes(b"{")
    bank.turns(20_000)
    assert "no PIN is checked" in told(bank)[-1]
    rows = bank.journal.rows
    bank.turns(20_000)
    assert bank.journal.rows == rows, "and it is said once"
