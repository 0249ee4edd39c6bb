"""What a bank's program does with a table, or somebody who plays one, that says what nobody may say; and its promise.

The promise: `down` says what is committed, never more. A ledger is derived, compared, and any changed byte is found.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.__main__ import main
from firmware.bank import events as e
from firmware.bank.decide import held_verdict
from firmware.bank.inputs import VerdictSigned
from firmware.bank.ledger import Account, LedgerBroken
from firmware.proof.simulation.books import people
from firmware.runtime.bank import open_journal
from firmware.runtime.day_files import Journal
from firmware.runtime.grievances import PLACES_MAX
from firmware.runtime.sqlite import StoreError
from tests.bank.casino import AT, Table, encode, with_seat_2
from tests.runtime.world import BankWorld


@pytest.fixture
def table() -> Table:
    return Table("uth-04")


MADE = Table().made("progressive", [1], "1.00", "A")


def changed(**changes: Any) -> Callable[[Table], bytes]:
    """The table's next message with these keys, unsaid."""
    body = {"round": 2, "made": [MADE]}

    def message(table: Table) -> bytes:
        return encode(table.document("wagers", body) | changes)

    return message


def spoilt(change: Callable[[bytes], bytes]) -> Callable[[Table], bytes]:
    return lambda table: change(changed()(table))


def with_body(**changes: Any) -> Callable[[Table], bytes]:
    return changed(body={"round": 2, "made": [MADE | changes]})


REFUSED_UP: dict[str, tuple[Callable[[Table], bytes], str]] = {
    "nothing": (lambda _: b"", "is not JSON"),
    "not JSON": (lambda _: b"hello", "is not JSON"),
    "a list": (lambda _: b"[]", "a list of 0; send one JSON object"),
    "not UTF-8": (lambda _: b"\xff", "is not UTF-8 at byte 0"),
    "UTF-16": (spoilt(lambda payload: payload.decode().encode("utf-16")), "is not UTF-8"),
    "70 KiB": (spoilt(lambda payload: payload + b" " * 70 * 1024), "at most 65536"),
    "not canonical": (spoilt(lambda payload: payload + b"\n"), "is not canonical"),
    "a doubled key": (spoilt(lambda payload: payload.replace(b'"v":1', b'"v":1,"v":1')), "stands there twice"),
    "an unknown key": (changed(extra=1), "is not a key here"),
    "a float": (changed(seq=2.0), "numbers are whole"),
    "a huge number": (changed(seq=10**30), "whole number from 1 to"),
    "five thousand digits": (
        spoilt(lambda payload: payload.replace(b'"seq":2', b'"seq":' + b"9" * 5000)),
        "holds a number of thousands of digits",
    ),
    "a negative seq": (changed(seq=-2), "whole number from 1 to"),
    "seq zero": (changed(seq=0), "whole number from 1 to"),
    "true for one": (changed(seq=True), "whole number from 1 to"),
    "another version": (changed(v=2), "whole number from 1 to 1"),
    "nested 10,000 deep": (lambda _: b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "nested too deeply"),
    "another table's name": (changed(table="uth-05"), "the topic says 'uth-04'"),
    "an unknown kind": (changed(kind="gift"), "right would be wagers or reversal or claim or verdict"),
    "no seats": (with_body(seats=[]), "a list of 1 to 6"),
    "a seat twice": (with_body(seats=[1, 1]), "not ascending"),
    "a seventh seat": (with_body(seats=[7]), "whole number from 1 to 6"),
    "a wager as a number": (with_body(wager=1), "string of dollars"),
    "a negative wager": (with_body(wager="-1.00"), "two decimals"),
    "a paytable of nothing": (with_body(paytable=""), "the name of a paytable"),
}


@pytest.mark.parametrize(("wrong", "why"), REFUSED_UP.values(), ids=REFUSED_UP)
def test_what_is_refused_is_counted_and_the_next_valid_message_works(
    bank: BankWorld, table: Table, wrong: Callable[[Table], bytes], why: str
) -> None:
    bank.hears(table.wagers(1, 1))
    before = (bank.service.state.version, bank.meter(), bank.down)
    bank.hears(wrong(table))
    (complained,) = bank.events(e.Complained)
    assert complained.place.startswith("uth-04/up") and complained.count == 1
    assert why in complained.text
    assert (bank.service.state.version, bank.meter(), bank.down) == before
    bank.hears(table.wagers(2, 1))
    assert bank.down["seq"] == 2 and bank.meter() == 10_000_420_000


def test_a_table_that_bank_toml_does_not_name_is_refused_and_gets_no_answer(bank: BankWorld) -> None:
    stranger = Table("uth-99")
    bank.hears(stranger.wagers(1, 1), table="uth-99")
    (complained,) = bank.events(e.Complained)
    assert complained.place == "uth-99/up" and "bank.toml" in complained.text
    assert not bank.link.all("felt/felt/table/uth-99/down")
    assert bank.meter() == 10_000_000_000


def test_a_gap_holds_nothing_and_says_what_is_missing(bank: BankWorld, table: Table) -> None:
    first, second, third = table.wagers(1, 1), table.wagers(2, 1), table.wagers(3, 1)
    bank.hears(first, third)
    assert bank.down["seq"] == 1 and bank.down["alarm"] is None
    (complained,) = bank.events(e.Complained)
    assert complained.text == "message 3 came, 2 is the next one"
    bank.hears(second, third)
    assert bank.down["seq"] == 3


def test_gaps_without_end_do_not_fill_the_ledgers_journal(bank: BankWorld, table: Table) -> None:
    """A table that sends everything above a hole again and again, or somebody who plays one."""
    bank.hears(table.wagers(1, 1))
    table.wagers(2, 1)
    beyond = [table.wagers(number, 1) for number in range(3, 103)]
    rows = bank.journal.rows
    for _ in range(5):
        bank.hears(*beyond)
    assert bank.journal.rows - rows <= 2
    assert sum(complained.count for complained in bank.events(e.Complained)) >= 1


def test_replays_are_held_once_and_answered_every_time(bank: BankWorld, table: Table) -> None:
    said = table.wagers(1, 1, 2)
    for _ in range(20):
        bank.hears(said, said)
    assert bank.meter() == 10_000_420_000
    assert len(bank.events(e.WagersHeld)) == 1
    assert len(bank.link.all("felt/felt/table/uth-04/down")) == 21, "one for the start, one for each turn"
    assert bank.down["seq"] == 1 and bank.down["alarm"] is None


def test_another_message_under_a_held_number_is_an_alarm_and_the_right_one_still_works(
    bank: BankWorld, table: Table
) -> None:
    said = table.wagers(1, 1)
    bank.hears(said)
    bank.hears(with_seat_2(said))
    assert bank.down["alarm"]["kind"] == "hash" and bank.down["seq"] == 1
    assert bank.meter() == 10_000_210_000
    bank.hears(table.wagers(2, 1))
    assert bank.down["seq"] == 2 and bank.meter() == 10_000_420_000


def test_a_journal_that_nobody_adopted_is_an_alarm_and_holds_nothing(bank: BankWorld, table: Table) -> None:
    bank.hears(table.wagers(1, 1))
    forged = Table("uth-04", journal="b" * 32)
    bank.hears(forged.wagers(1, 1, 2, 3))
    assert bank.down["alarm"]["kind"] == "journal"
    assert (bank.down["journal"], bank.down["seq"], bank.meter()) == (table.journal, 1, 10_000_210_000)


def test_garbage_that_names_a_new_key_each_time_does_not_fill_the_ledgers_journal(
    bank: BankWorld, table: Table
) -> None:
    rows = bank.journal.rows
    for number in range(1_000):
        bank.hears(changed(**{f"key-{number}": 1})(table))
    assert bank.journal.rows - rows == PLACES_MAX + 1
    bank.turns(10_000)
    assert sum(complained.count for complained in bank.events(e.Complained)) == 1_000


def test_a_flood_between_two_turns_is_counted_too(bank: BankWorld) -> None:
    """The inbox refuses what does not fit, and says so; nothing is swallowed."""
    bank.hears(*[b"{"] * 4_100)
    assert sum(complained.count for complained in bank.events(e.Complained)) >= 4_097


# The promise --------------------------------------------------------------------------------------------------------


def test_nothing_is_acknowledged_that_is_not_committed(
    bank: BankWorld, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails between the decision and the commit: the program ends, and has said nothing."""
    bank.hears(table.wagers(1, 1))
    before, said = bank.meter(), list(bank.link.published)

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch, pytest.raises(StoreError, match="disk is full"):
        patch.setattr(Journal, "append", full)
        bank.hears(table.wagers(2, 1))
    assert bank.link.published == said
    assert bank.meter() == before
    bank.journal.close()
    bank.starts()
    assert (bank.down["seq"], bank.meter()) == (1, before)
    bank.hears(table.said[1])
    assert bank.down["seq"] == 2


def test_a_kill_after_the_commit_and_before_the_answer_counts_once(
    bank: BankWorld, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(bank.link, "publish", lambda *_, **__: None)
        bank.hears(table.wagers(1, 1))
    bank.journal.close()
    bank.starts()
    assert bank.down["seq"] == 1, "what was committed is published on the next connection"
    bank.hears(table.said[0])
    assert bank.meter() == 10_000_210_000


def test_a_restart_publishes_what_is_held_the_board_and_a_heartbeat(bank: BankWorld, table: Table) -> None:
    bank.hears(table.wagers(1, 1), table.claim(1, 1, "royal flush"))
    down, board = bank.down, bank.link.last("felt/felt/meters")
    bank.journal.close()
    bank.starts()
    assert bank.down == down | {"term": 2, "anchor": {"rows": bank.journal.rows, "head": bank.journal.head}}
    assert bank.link.last("felt/felt/meters") | {"at": ""} == board | {"at": "", "term": 2}
    assert bank.link.last("felt/felt/alive")["alive"] is True
    assert down["claims"][0]["amount"] == "10000.21" and board["pending"]


# The ledger ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def ledger(bank: BankWorld, table: Table) -> Path:
    """Two rounds, a claim that was paid, a void round; the file is closed."""
    bank.hears(table.wagers(1, 1, 2), table.claim(1, 1, "royal flush"))
    table.told(bank.service.state)
    bank.hears(table.verdict(1, 1, paid=True))
    bank.hears(table.wagers(2, 3), table.void(2), table.wagers(3, 4))
    assert bank.down["alarm"] is None and bank.down["seq"] == 6
    bank.journal.close()
    return bank.path


def verified(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["bank", "verify", str(path)])
    said = capsys.readouterr()
    return code, said.out + said.err


def tampered(path: Path, *statements: str) -> None:
    """Somebody who knows SQL and takes the triggers away first."""
    connection = sqlite3.connect(path)
    triggers = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
    for statement in (*(f"DROP TRIGGER {name}" for name in triggers), *statements):
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_verify_derives_the_meters_from_the_ledger_alone(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verified(ledger, capsys)
    assert code == 0
    lines = {tuple(line.split()[:-1]): line.split()[-1] for line in said.splitlines() if "=" not in line}
    assert lines[("meter", "main")] == "10000.21"
    assert lines[("awards",)] == "10000.42" and lines[("pending",)] == "0.00"
    assert lines[("contributions",)] == "0.84" and lines[("reversals",)] == "0.21"
    assert "holds" in said


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ("UPDATE ledger SET micros = micros + 1 WHERE row = 5", "ledger row 5"),
        ("UPDATE ledger SET account = 'awards' WHERE row = 4", "ledger row 4"),
        ("UPDATE ledger SET meter = 'mine' WHERE row = 3", "ledger row 3"),
        ("UPDATE ledger SET table_id = 'uth-05' WHERE row = 3", "ledger row 3"),
        ("UPDATE ledger SET round = 9 WHERE row = 3", "ledger row 3"),
        ("DELETE FROM ledger WHERE row = 6", "ledger row 6"),
        ("DELETE FROM ledger WHERE row = (SELECT max(row) FROM ledger)", "ledger row"),
        (
            "INSERT INTO ledger (account, meter, table_id, round, micros) VALUES ('meters', 'main', '', 0, 5)",
            "ledger row",
        ),
        ("UPDATE meter SET micros = micros + 1 WHERE name = 'main'", "meter main"),
    ],
)
def test_verify_finds_a_changed_row_a_missing_one_and_one_too_many(
    ledger: Path, capsys: pytest.CaptureFixture[str], change: str, row: str
) -> None:
    tampered(ledger, change)
    code, said = verified(ledger, capsys)
    assert code == 2
    assert row in said and len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger SET account = 'metfrs' WHERE row = 4",
        "UPDATE ledger SET micros = 'much' WHERE row = 4",
        "UPDATE ledger SET meter = x'ff' WHERE row = 4",
    ],
)
def test_verify_names_a_row_of_the_ledger_that_cannot_be_read(
    ledger: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    tampered(ledger, change)
    code, said = verified(ledger, capsys)
    assert code == 2
    assert "ledger row 4" in said and len(said.splitlines()) == 1


def test_verify_finds_a_stored_meter_that_is_gone(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tampered(ledger, "DELETE FROM meter WHERE name = 'main'")
    code, said = verified(ledger, capsys)
    assert code == 2 and "meter main" in said


def test_verify_finds_entries_that_were_changed_in_ledger_and_meter_alike(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both tables agree with each other, and not with the journal."""
    tampered(
        ledger,
        "UPDATE ledger SET micros = micros + 10000 WHERE row IN (3, 4)",
        "UPDATE meter SET micros = micros + 10000 WHERE name = 'main'",
    )
    code, said = verified(ledger, capsys)
    assert code == 2 and "ledger row 3: is not what row" in said


def tables_of(path: Path) -> list[tuple[Any, ...]]:
    """The two tables beside the journal."""
    with closing(sqlite3.connect(path)) as connection:
        return [row for name in ("meter", "ledger") for row in connection.execute(f"SELECT * FROM {name}")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE meter SET micros = micros + 1000000000000 WHERE name = 'main'", "meter main is stored as"),
        ("DELETE FROM meter WHERE name = 'main'", "meter main is stored as None"),
        ("INSERT INTO meter VALUES ('mine', 5)", "meter mine is stored as 5"),
        ("UPDATE ledger SET micros = micros + 1 WHERE row = 5", "come to"),
        ("UPDATE ledger SET account = 'awards' WHERE row = 4", "come to"),
        ("DELETE FROM ledger WHERE row = 6", "come to"),
        ("UPDATE ledger SET micros = micros + 0.5 WHERE row = 5", "come to"),
        (
            "INSERT INTO ledger (account, meter, table_id, round, micros) VALUES ('gifts', 'mine', '', 0, 5)",
            "its gifts mine come to 5",
        ),
        (
            "INSERT INTO ledger (account, meter, table_id, round, micros) VALUES ('awards', 'main', '', 0, -5)",
            "its awards main come to 10000419995",
        ),
    ],
)
def test_a_bank_whose_tables_differ_from_its_rows_does_not_start_and_the_trace_stays(
    bank: BankWorld, ledger: Path, change: str, said: str
) -> None:
    """Before, a meter edited by $1,000,000 was overwritten by the next wager, and nothing showed it any more."""
    tampered(ledger, change)
    evidence = tables_of(ledger)
    with pytest.raises(LedgerBroken, match=said) as refused:
        bank.starts()
    assert "felt bank verify" in str(refused.value) and "Keep the file" in str(refused.value)
    bank.journal.close()
    assert tables_of(ledger) == evidence


def test_a_bank_starts_again_whatever_the_amounts_of_its_ledger_come_to(
    bank: BankWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twelve payments of $999,999,999,999.99 were right for `felt bank verify`, and more than the start could add up."""
    table = Table("uth-04", "a" * 32)
    for round in range(1, 13):
        bank.hears(table.wagers(round, 1), table.claim(round, 1, "straight flush"))
        table.told(bank.service.state)
        bank.hears(table.verdict(round, 1, paid=True, price={"amount": "999999999999.99"}))
        held = held_verdict(bank.service.state, f"uth-04:{round}:1:1")
        assert held is not None, "nobody can have paid so much: two people have looked at each"
        seen = (held.position.seq, held.position.hash)
        bank.service._spine.take([VerdictSigned(AT, held.verdict.claim, True, ("2001", "3001"), *seen)])
    before = bank.service.state.accounts
    assert before.total(Account.AWARDS) == 12 * 999_999_999_999_990_000 > 2**63
    bank.starts()
    assert bank.service.state.accounts == before and not bank.service._spine.kept, "from row 1, without a snapshot"
    code, said = verified(bank.path, capsys)
    assert code == 0 and "11999999999999.88" in said.replace(",", "")


def test_a_ledger_is_never_edited_nor_shortened(ledger: Path) -> None:
    connection = sqlite3.connect(ledger)
    for statement in ("UPDATE ledger SET micros = 0", "DELETE FROM ledger", "DELETE FROM event"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)
    connection.close()


def test_verify_without_a_ledger_says_where_it_looked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verified(tmp_path / "none.ledger", capsys)
    assert code == 2 and "none.ledger: there is no such file" in said


def test_a_ledger_of_another_submission_is_not_opened(ledger: Path, tmp_path: Path) -> None:
    rows = [json.loads(entry.body) for entry in open_journal(ledger, read_only=True).entries()]
    assert rows[1]["wagers"][0]["paytable"] == "A"
    (tmp_path / "bank.toml").write_text(
        f'home = "{ledger.parent}"\n[rules]\nbook = "pa-653a"\ntable_minimum = "15.00"\n'
        'blind = { paytable = "A" }\ntrips = { paytable = "A" }\nprogressive = { paytable = "B", wager = "1.00" }\n'
        + people()
    )
    assert main(["bank", "--config", str(tmp_path / "bank.toml")]) == 2
