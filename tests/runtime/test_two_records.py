"""Two records that hold each other: a journal or a ledger that was put back, cut or made again is an alarm at the next word.

The table and the bank are their programs, joined by a wire that loses nothing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from firmware.__main__ import main
from firmware.bank import decide
from firmware.bank import events as b
from firmware.bank.inputs import AdoptionSigned
from firmware.bank.ledger import Account
from firmware.runtime.adoption import AdoptionAsked, Answer
from firmware.runtime.anchor import AnchorFile
from firmware.runtime.bank import RIVAL_NS, adopt, open_journal
from firmware.runtime.outgoing import with_anchor
from firmware.table import events as e
from firmware.table import reports
from firmware.wire.anchors import Anchor
from firmware.wire.reports import Payments
from firmware.wire.structs import replace
from tests.bank.casino import Table, rules
from tests.runtime.test_adoption import PINS
from tests.runtime.test_journal import edited, sealed_again
from tests.runtime.world import EPOCH, BankWorld, Clock, TableWorld
from ui.words import ENGLISH

RULES = rules(tables=("uth-04",))
ALIVE = "felt/felt/alive"


@dataclass
class House:
    """A table, its bank, and the wire between them."""

    table: TableWorld
    bank: BankWorld

    def goes_on(self, seconds: int = 3) -> None:
        """So much time passes, and all that is said arrives."""
        for _ in range(seconds):
            self.talk()
            self.table.clock.now_ns += 1_000_000_000
        self.talk()

    def talk(self) -> None:
        """Until nobody has anything to say."""
        for _ in range(20):
            self.table.turns()
            self.bank.turns()
            said, heard = self.table.link.carries(), self.bank.link.carries()
            for topic, payload in said:
                self.bank.link.deliver(topic, payload)
            for topic, payload in heard:
                self.table.link.deliver(topic, payload)
                if topic == ALIVE and self.bank.sealed:  # its own, which only the edge of its link tells from a rival's
                    self.bank.link.deliver(topic, payload)
            if not said and not heard:
                return
        raise AssertionError("they talk without end")

    def restarts(self, table_from: Path | None = None, bank_from: Path | None = None) -> None:
        """Both programs end; their files become those copies; both start."""
        self.table.journal.close()
        self.bank.journal.close()
        for copy, folder in ((table_from, self.table.folder), (bank_from, self.bank.folder)):
            if copy is not None:
                shutil.rmtree(folder)
                shutil.copytree(copy, folder)
        self.bank.starts()
        self.table.starts()
        self.table.link.connects()
        self.goes_on()

    def copy(self, what: TableWorld | BankWorld) -> Path:
        """Everything in its folder as it is now."""
        return self.copy_of(what, f"copy of {what.folder.name}")

    def copy_of(self, what: TableWorld | BankWorld, name: str) -> Path:
        """The same, under this name beside it."""
        to = what.folder.with_name(name)
        shutil.copytree(what.folder, to, ignore=shutil.ignore_patterns("*.sock", "*-shm"))
        return to

    @property
    def alarms(self) -> tuple[str, list[str]]:
        """The one at the table, and those in the bank's ledger."""
        raised = [event.kind for event in self.bank.events(b.AlarmRaised)]
        return self.table.state.neighbors.bank_alarm, raised


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> House:
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    house = House(TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock))
    house.table.counted(3)  # its own heartbeats are those of EPOCH, the bank's too
    house.goes_on()
    assert house.alarms == ("", []) and not house.table.state.owed
    return house


def pays_the_flush(house: House) -> None:
    """A fixed prize, $40 at the table: no message to the bank says so."""
    table = house.table
    table.presses("seat-3")
    table.presses("hand-flush")
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)
    table.presses("primary", held_ms=1_500)
    assert table.events(e.PrizePaid), table.text
    house.goes_on()


def plays_another_round(house: House) -> None:
    """The felt is cleared, and one more wager is owed and held."""
    house.table.presses("primary")
    house.goes_on()
    house.table.opens()
    house.table.places(1)
    house.table.locks()
    house.table.presses("count-1")
    house.goes_on()


def test_an_honest_table_and_an_honest_bank_hold_each_other_and_raise_nothing(house: House) -> None:
    pays_the_flush(house)
    house.restarts()
    house.goes_on(30)
    assert house.alarms == ("", []) and house.table.state.neighbors.link_up


def test_an_idle_table_writes_nothing_into_either_record(house: House) -> None:
    house.goes_on(60)
    rows = (house.table.journal.rows, house.bank.journal.rows)
    house.goes_on(120)
    assert (house.table.journal.rows, house.bank.journal.rows) == rows


# The table's journal ----------------------------------------------------------------------------------------------------


def test_a_journal_put_back_to_before_a_prize_is_an_alarm_before_the_prize_is_paid_again(house: House) -> None:
    """Before, $40 were paid a second time and nobody was told."""
    backup = house.copy(house.table)
    pays_the_flush(house)
    house.restarts(table_from=backup)
    assert not house.table.events(e.PrizePaid), "the copy knows nothing of it"
    kind, raised = house.alarms
    assert kind == "ahead" and raised == ["behind"], "it lacks a message too"
    assert "it was put back" in house.bank.down["alarm"]["text"]
    house.table.presses("seat-3")
    house.table.presses("hand-flush")
    house.table.identifies("2001")
    house.table.presses("primary", held_ms=1_500)
    house.goes_on()
    assert house.table.state.phase == "validate" and "may have been paid before" in house.table.text
    assert not house.table.events(e.PrizeValidated)


def test_a_journal_put_back_while_the_bank_restarts_is_an_alarm_too(house: House) -> None:
    """What the bank saw stands in its ledger, at the latest a minute after it saw it."""
    backup = house.copy(house.table)
    pays_the_flush(house)
    house.goes_on(61)
    house.table.beats()
    house.goes_on(10)
    house.bank.starts()
    house.restarts(table_from=backup)
    kind, raised = house.alarms
    assert kind == "ahead" and raised == ["behind"], "it lacks a message too"


def test_a_journal_whose_chain_was_made_again_is_an_alarm(house: House) -> None:
    """$40 became $4,000; chain, seals and anchor were made again by who has the key too, and verify is green."""
    house.table.journal.close()
    path = house.table.journal.path
    edited(path, "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 5", rechained=True)
    sealed_again(path)
    again = house.table.journal.__class__(path, house.table.journal.vocabulary)
    again.verify()
    AnchorFile(path).write(again, running=False)
    again.close()
    assert main(["journal", "verify", str(path)]) == 0
    house.restarts()
    assert house.alarms == ("fork", ["fork"])


def test_two_people_end_it_and_the_table_goes_on_with_what_it_has(house: House) -> None:
    """What is missing owed the bank no message."""
    pays_the_flush(house)
    backup = house.copy(house.table)
    house.table.presses("primary")
    house.table.opens()
    for seat in range(1, 7):
        house.table.places(seat)
    house.goes_on(61)
    house.table.beats()
    house.goes_on(10)
    house.restarts(table_from=backup)
    house.bank.journal.close()
    adopt(house.bank.path, RULES, "uth-04", "", ("2001", "3001"))
    house.restarts()
    assert house.alarms[0] == "" and house.table.state.neighbors.link_up
    house.goes_on(30)
    assert house.alarms == ("", ["behind"])


def clears_the_felt(house: House) -> None:
    for seat in (1, 3):
        house.table.sensors.moves(seat, False)


def adopted(house: House, journal: str = "") -> Answer:
    """Two people at the running bank; what they hear."""
    answers: list[Answer] = []
    house.bank.inbox.put(AdoptionAsked("uth-04", journal, ("2001", "3001"), answers.append))
    house.goes_on(12)
    return answers[0]


def test_an_older_copy_that_lacks_messages_goes_on_no_more_and_a_new_journal_does(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Adoption after adoption was signed and changed nothing; the table stood for good, and no text named a cure."""
    backup = house.copy(house.table)
    plays_another_round(house)
    meter = house.bank.meter()
    house.restarts(table_from=backup)
    house.goes_on(12)
    assert house.alarms[0] == "ahead"
    for _ in range(2):
        answer = adopted(house)
        assert not answer.journal and "lacks message 2, which this bank holds" in answer.refused
        assert "`felt table new`" in answer.refused
    people(monkeypatch)
    house.table.journal.close()
    assert main(["table", "accept", "journal", "--home", str(house.table.folder)]) == 2
    assert "is ended at the bank" in capsys.readouterr().err
    house.table.folder.rename(house.table.folder.with_name("evidence"))
    house.table.folder.mkdir()
    house.restarts()
    assert house.alarms[0] == "journal"
    assert adopted(house, house.table.journal.id).journal == house.table.journal.id
    assert house.alarms[0] == "" and house.bank.meter() == meter, "what was booked stays booked"
    clears_the_felt(house)
    house.table.counted(3)
    house.goes_on()
    assert house.alarms[0] == "" and not house.table.state.owed and house.bank.meter() > meter


def test_the_newest_copy_put_back_after_an_older_one_is_adopted(house: House) -> None:
    backup = house.copy(house.table)
    plays_another_round(house)
    newest = house.copy_of(house.table, "newest")
    house.restarts(table_from=backup)
    assert house.alarms[0] == "ahead" and not adopted(house).journal
    house.restarts(table_from=newest)
    house.goes_on(12)
    assert adopted(house).journal and house.alarms[0] == ""
    clears_the_felt(house)
    plays_another_round(house)
    assert house.table.state.neighbors.bank_seq == 3 and not house.table.state.owed


# The bank's ledger ------------------------------------------------------------------------------------------------------


def test_a_ledger_put_back_is_an_alarm_and_its_bank_is_no_bank(house: House) -> None:
    """Restored from a backup, or cut off cleanly at the tail, and not announced: `felt bank verify` is green."""
    backup = house.copy(house.bank)
    plays_another_round(house)
    assert house.table.state.neighbors.bank_seq == 2
    house.restarts(bank_from=backup)
    kind, raised = house.alarms
    assert kind == "behind" and raised == ["behind"]
    assert "ledger" in house.bank.down["alarm"]["text"]


def test_a_ledger_whose_chain_was_made_again_is_an_alarm(house: House) -> None:
    house.bank.journal.close()
    change = "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 2"
    edited(house.bank.path, change, rechained=True)
    sealed_again(house.bank.path)
    with closing(open_journal(house.bank.path)) as ledger:  # who can write the one file can write the other
        ledger.verify()
        AnchorFile(house.bank.path).write(ledger, running=False)
    assert main(["bank", "verify", str(house.bank.path)]) == 0
    house.restarts()
    assert house.alarms == ("fork", ["fork"])


def test_a_restore_that_is_announced_is_taken_and_what_it_lacks_is_sent_again(house: House) -> None:
    backup = house.copy(house.bank)
    plays_another_round(house)
    meter = house.bank.meter()
    house.bank.journal.close()
    shutil.rmtree(house.bank.folder)
    shutil.copytree(backup, house.bank.folder)
    house.bank.starts("f" * 32, restored=True)
    house.goes_on(10)
    assert house.alarms == ("", []) and house.table.state.neighbors.link_up
    assert house.table.state.neighbors.ledger.epoch == "f" * 32
    assert house.bank.meter() == meter


# One bank of a name -----------------------------------------------------------------------------------------------------


def people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people answer for themselves."""
    badges, pins = iter(PINS), iter(PINS.values())
    monkeypatch.setattr("builtins.input", lambda _prompt: next(badges))
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(pins))


def test_another_ledger_closes_the_progressive_until_two_people_accept_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, a second bank of the name took the whole history, won the same royal, and no alarm was raised."""
    house.bank.journal.close()
    shutil.rmtree(house.bank.folder)
    house.bank.folder.mkdir()
    house.bank.starts("f" * 32)
    house.goes_on(10)
    assert house.table.state.neighbors.bank_alarm == "epoch" and house.table.sensors.locked
    assert house.bank.down["seq"] == 0, "it is sent nothing"
    house.table.journal.close()
    people(monkeypatch)
    assert main(["table", "accept", "bank", "--home", str(house.table.folder)]) == 0
    house.restarts()
    assert house.table.state.neighbors.bank_alarm == "" and house.bank.down["seq"] == 1
    (accepted,) = house.table.events(e.RecordAccepted)
    assert (accepted.what, accepted.people) == ("bank", ("2001", "3001"))


def test_the_word_of_an_older_bank_is_not_heard(house: House) -> None:
    house.restarts()
    assert house.table.state.neighbors.ledger.term == 2
    before = house.table.state.neighbors.bank_seq
    house.table.bank_says(term=1, seq=0, hash="0" * 64)
    assert house.table.state.neighbors.bank_seq == before
    house.table.turns(11_000)
    assert any("a bank of term 1 speaks" in one.text for one in house.table.events(e.Complained))


def test_the_board_of_an_older_bank_is_not_shown(house: House) -> None:
    house.restarts()
    house.table.presses("primary")
    house.goes_on()
    house.table.opens()
    house.goes_on()
    older = house.bank.link.last("felt/felt/meters") | {"term": 1}
    older["meters"][0]["amount"] = "99.99"
    house.table.link.deliver("felt/felt/meters", json.dumps(older).encode())
    house.table.turns()
    assert "$10,000.21" in house.table.text
    house.table.link.deliver("felt/felt/meters", json.dumps(older | {"term": 2}).encode())
    house.table.turns()
    assert "99.99" in house.table.text


def test_the_heart_of_an_older_bank_is_no_bank_and_the_screen_says_so(house: House) -> None:
    house.restarts()
    for _ in range(10):
        house.table.beats(term=1)
        house.table.turns(1_000)
    assert not house.table.state.neighbors.link_up
    assert ENGLISH(house.table.state.neighbors.link_why) == "only an older bank is there, term 1, not 2"


@pytest.mark.parametrize(
    "forged", [{"term": 2**53 - 1}, {"term": 1, "anchor": {"rows": 2**53 - 1, "head": "f" * 64}}], ids=["term", "rows"]
)
def test_one_forged_heart_blinds_the_table_for_seconds_and_raises_no_alarm(
    house: House, forged: dict[str, object]
) -> None:
    """What no other heart confirms was nobody's."""
    house.goes_on(5)
    house.table.beats(**forged)
    house.goes_on(10)
    assert house.table.state.neighbors.link_up and house.alarms == ("", [])
    plays_another_round(house)
    assert house.table.state.neighbors.bank_seq == 2


RIVALS: dict[str, Callable[[dict[str, object]], dict[str, object]]] = {
    "another ledger": lambda beat: beat | {"epoch": "f" * 32},
    "a later start on this ledger": lambda beat: beat | {"term": 2},
    "a clone that started when this one did": lambda beat: beat | {"at": "2026-11-21T14:07:05.999Z"},
}


def hears_rival(bank: BankWorld, heart: dict[str, object]) -> None:
    bank.link.deliver(ALIVE, json.dumps(heart).encode())
    bank.turns()


def said_since(bank: BankWorld, before: int) -> list[str]:
    return [topic for topic, _ in bank.link.published[before:]]


@pytest.mark.parametrize("rival", RIVALS.values(), ids=RIVALS)
def test_a_bank_that_hears_a_rival_stands_back_and_comes_back_by_itself_when_it_is_gone(
    bank: BankWorld, rival: Callable[[dict[str, object]], dict[str, object]], caplog: pytest.LogCaptureFixture
) -> None:
    heart, table = rival(bank.link.last(ALIVE)), Table("uth-04")
    hears_rival(bank, heart)
    assert "another bank is at work under the name 'felt'" in caplog.text
    assert bank.link.last(ALIVE)["alive"] is False
    before = len(bank.link.published)
    for _ in range(10):
        hears_rival(bank, heart)
        bank.hears(table.wagers(1, 3))
        bank.turns(ms=2_000)
    assert bank.service.state.book("uth-04").current.held.seq == 0, "it books nothing, and acknowledges nothing"
    assert set(said_since(bank, before)) == {"felt/felt/rival"}, "its heart beats where its rival alone hears it"
    bank.turns(ms=RIVAL_NS // 1_000_000)
    bank.turns()
    assert bank.link.last(ALIVE)["alive"] is True
    bank.hears(table.said[0])
    assert bank.down["seq"] == 1


def test_a_bank_goes_on_where_an_older_one_is_heard_or_what_the_other_says_is_farewell(bank: BankWorld) -> None:
    hears_rival(bank, bank.link.last(ALIVE) | {"alive": False, "epoch": ""})
    bank.starts()
    hears_rival(bank, bank.link.last(ALIVE) | {"term": 1})
    assert bank.service.state.term == 2
    bank.turns(ms=2_000)
    assert bank.link.last(ALIVE)["alive"] is True and "felt/felt/rival" not in said_since(bank, 0)


# The wire ---------------------------------------------------------------------------------------------------------------


def test_a_message_sent_again_with_another_anchor_is_the_same_message(bank: BankWorld) -> None:
    table = Table("uth-04")
    text = table.wagers(1, 3).decode()
    bank.hears(with_anchor(text, Anchor(7, "1" * 64)), with_anchor(text, Anchor(9, "2" * 64)), text.encode())
    (held,) = bank.events(b.WagersHeld)
    assert held.position.hash == table.head and bank.down["alarm"] is None
    assert bank.down["seen"] == {"rows": 7, "head": "1" * 64}


def test_a_table_says_at_once_that_it_paid_a_prize_and_every_ten_seconds_that_it_is_there(house: House) -> None:
    topic = f"{house.table.topic}/alive"
    pays_the_flush(house)
    seen = house.bank.down["seen"]
    assert seen["rows"] == house.table.journal.rows - 1, "all but the row that the bank holds the payment"
    before = len(house.table.link.all(topic))
    for _ in range(21):
        house.table.beats()
        house.table.turns(1_000)
    assert 2 <= len(house.table.link.all(topic)) - before <= 3


def test_the_ledger_has_what_was_seen_at_the_latest_a_minute_after(house: House) -> None:
    pays_the_flush(house)
    house.goes_on(61)
    house.table.beats()
    house.goes_on(11)
    assert open_journal(house.bank.path, read_only=True).verify()[0] == house.bank.journal.rows
    assert house.bank.service.state.book("uth-04").seen.rows >= house.table.journal.rows - 2
    assert house.bank.service.state.epoch == EPOCH


# Both sides, afterward -------------------------------------------------------------------------------------------------


def reconciled(house: House, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The exit code of `felt reconcile` once both programs have ended, and what it says is wrong."""
    house.table.journal.close()
    house.bank.journal.close()
    capsys.readouterr()
    code = main(["reconcile", str(house.bank.path), str(house.table.journal.path)])
    lines = capsys.readouterr().out.splitlines()
    return code, [line for line in lines if line.startswith("WRONG")] or lines


def test_two_sides_that_agree_are_said_to(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    pays_the_flush(house)
    code, said = reconciled(house, capsys)
    assert code == 0 and said[-1] == "both sides agree"
    assert "1 reports compared: prize 40.00, envy 0.00, credit 0.00" in said[0]
    assert "2 messages" in said[1] and "owes" not in said[1]


def test_a_payment_that_the_ledger_has_otherwise_is_named(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """$40.00 became $50.00; chain and seals were made again by who has the key."""
    pays_the_flush(house)
    house.bank.journal.close()
    edited(
        house.bank.path,
        "UPDATE event SET body = replace(body, '4000', '5000') WHERE kind = 'PaymentsHeld'",
        rechained=True,
    )
    sealed_again(house.bank.path)
    code, wrong = reconciled(house, capsys)
    assert code == 2
    assert any("row of message 2 says otherwise than the message" in line for line in wrong), wrong


def test_a_table_that_pays_and_does_not_tell_is_named(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted in the program: its journal says that a prize was paid, and no message does."""
    monkeypatch.setattr(reports, "_paid", lambda *_: ())
    pays_the_flush(house)
    code, wrong = reconciled(house, capsys)
    assert code == 2 and len(wrong) == 1
    assert "books prize 40.00 at seat 3 (progressive), and no message tells of it" in wrong[0]


def pays_a_flush_in_another_round(house: House, *, hears: bool = True) -> None:
    """At seat 1. `hears`: the bank hears of what was paid."""
    plays_another_round(house)
    if not hears:
        house.bank.link.drops()
        house.bank.link.deliver = lambda *_, **__: None  # type: ignore[method-assign]
    house.table.presses("seat-1")
    house.table.presses("hand-flush")
    house.table.identifies("2001")
    house.table.presses("primary", held_ms=1_500)
    house.table.presses("primary", held_ms=1_500)
    house.goes_on()
    assert len(house.table.events(e.PrizePaid)) == 2


def two_people_have_looked(house: House) -> None:
    journal = house.bank.service.state.book("uth-04").journal
    house.bank.service._spine.take([AdoptionSigned("2027-01-11T00:00:00.000Z", "uth-04", journal, ("2001", "3001"))])
    house.goes_on(15)


def test_a_report_without_effect_hides_no_prize_that_is_paid_and_not_told(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One report that the bank had ever refused turned the comparison of all sums off, and both sides agreed."""
    with monkeypatch.context() as planted:
        planted.setattr(decide, "_objection_to_payment", lambda *_: "planted")
        pays_the_flush(house)
    assert house.bank.down["alarm"]["kind"] == "payment"
    two_people_have_looked(house)
    monkeypatch.setattr(reports, "_paid", lambda *_: ())
    pays_a_flush_in_another_round(house)
    code, said = reconciled(house, capsys)
    assert code == 2 and len(said) == 1 and "books prize 40.00 at seat 1 (progressive), and no message tells" in said[0]


def test_a_report_without_effect_alone_is_told_with_its_amount_and_is_not_wrong(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bank's alarm had said it."""
    with monkeypatch.context() as planted:
        planted.setattr(decide, "_objection_to_payment", lambda *_: "planted")
        pays_the_flush(house)
    two_people_have_looked(house)
    pays_a_flush_in_another_round(house)
    code, said = reconciled(house, capsys)
    assert code == 0
    assert any("1 reports without effect, from message 2 on: prize 40.00, envy" in line for line in said), said
    assert any("1 reports compared: prize 40.00, envy" in line for line in said), said


def test_what_is_owed_hides_no_prize_that_is_paid_and_not_told(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bank that was off the wire for one message compared no sums at all."""
    with monkeypatch.context() as planted:
        planted.setattr(reports, "_paid", lambda *_: ())
        pays_the_flush(house)
    assert not house.table.state.owed
    pays_a_flush_in_another_round(house, hears=False)
    assert house.table.state.owed
    code, said = reconciled(house, capsys)
    assert code == 2 and len(said) == 1 and "at seat 3 (progressive), and no message tells of it" in said[0]


def test_what_is_owed_is_told_by_its_own_amounts(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    pays_the_flush(house)
    pays_a_flush_in_another_round(house, hears=False)
    code, said = reconciled(house, capsys)
    assert code == 0
    assert any("of reports it owes 1: prize 40.00" in line for line in said), said
    assert any("1 reports compared: prize 40.00" in line for line in said), said


def test_a_payment_that_is_told_and_never_made_is_named(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the message names another seat than the row. The bank refuses it, and what the table wrote is not told."""
    real = reports._paid

    def of_another(*given: Any) -> Iterator[Payments]:
        for body in real(*given):
            yield replace(body, lines=tuple(replace(line, seat=6) for line in body.lines))

    monkeypatch.setattr(reports, "_paid", of_another)
    pays_the_flush(house)
    code, wrong = reconciled(house, capsys)
    assert code == 2 and len(wrong) == 2
    assert "at seat 3 (progressive), and no message tells of it" in wrong[0]
    assert "message 2 tells of prize 40.00 at seat 6 (progressive), and no row before it books that" in wrong[1]


def swapped(folder: Path, copy: Path) -> None:
    shutil.rmtree(folder)
    shutil.copytree(copy, folder)


def test_a_first_message_on_its_way_is_owed_and_one_that_the_ledger_forgot_is_wrong(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """A power cut before the bank has heard of a new journal contradicts nothing."""
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    house = House(TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock))
    house.table.counted(3)
    before = house.copy(house.bank), house.copy(house.table)
    house.goes_on()
    house.bank.journal.close()
    swapped(house.bank.folder, before[0])
    code, wrong = reconciled(house, capsys)
    assert code == 2 and any("the ledger has nothing of journal" in line for line in wrong)
    swapped(house.table.folder, before[1])
    code, said = reconciled(house, capsys)
    assert code == 0 and said[-1] == "both sides agree"
    assert "owes 1 from 1 on" in said[0]


def test_a_journal_that_was_put_back_is_named(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    backup = house.copy(house.table)
    plays_another_round(house)
    house.table.journal.close()
    swapped(house.table.folder, backup)
    code, wrong = reconciled(house, capsys)
    assert code == 2
    assert any("the ledger holds message 2, this journal never owed it" in line for line in wrong)
    assert any("it was put back, or rows were cut off" in line for line in wrong)


def test_a_ledger_that_was_put_back_is_named(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    backup = house.copy(house.bank)
    plays_another_round(house)
    house.bank.journal.close()
    swapped(house.bank.folder, backup)
    code, wrong = reconciled(house, capsys)
    assert code == 2 and len(wrong) == 1
    assert "of the ledger, which ends at row" in wrong[0]


@pytest.mark.parametrize("whose", ["table", "bank"])
def test_a_chain_that_was_made_again_is_named(house: House, capsys: pytest.CaptureFixture[str], whose: str) -> None:
    path = house.table.journal.path if whose == "table" else house.bank.path
    house.table.journal.close()
    house.bank.journal.close()
    edited(path, "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 2", rechained=True)
    sealed_again(path)
    code, wrong = reconciled(house, capsys)
    assert code == 2 and wrong and all("has another one there: it was made again" in line for line in wrong)


def test_a_ledger_named_where_a_journal_belongs_is_refused(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reconcile", str(house.bank.path), str(house.bank.path)]) == 2
    assert "name the ledger first, then the journals" in capsys.readouterr().err


def test_a_claim_that_is_pending_at_the_bank_and_dropped_by_the_journal_is_named(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sides agreed, and the bank kept a royal pending for ever that the table had ended with no second signature."""
    table = house.table
    table.claims_a_royal()
    claim = table.events(e.ClaimMade)[0].claim
    table.bank_says(
        epoch=house.bank.service.state.epoch,
        term=house.bank.service.state.term,
        refused=[{"claim": claim, "by": ["2001", "3001"]}],
    )
    assert table.events(e.ClaimRejected), table.text
    house.goes_on()
    code, wrong = reconciled(house, capsys)
    assert code == 2 and len(wrong) == 1, wrong
    assert f"claim {claim} of 10000.21 is pending in the ledger" in wrong[0] and "no verdict says so" in wrong[0]


@pytest.mark.parametrize("share", [True, False])
def test_653a_13_a_round_that_is_void_after_a_share_and_envy_is_the_same_in_both_records(
    house: House, capsys: pytest.CaptureFixture[str], share: bool
) -> None:
    """Two people sign it at the table (reading 7); then the day is closed, and both records are read from their files.

    Of $10,000.42 on the meter the share is what it stands at, and the round is not reversed; without a share it is.
    """
    table = house.table
    table.presses_for("clear")
    table.opens()
    table.places(1, 2)
    table.locks()
    table.presses("count-2")
    house.goes_on()
    before, fed = house.bank.meter(), 210_000
    if share:
        table.claims_a_royal(1)
        house.goes_on()
        table.identifies("3001")
        table.presses_for("claim-paid")
    else:
        table.presses_for("seat 5")
        table.presses_for("envy 5 royal flush")
    table.identifies("2001")
    table.presses_for("envy-paid")
    house.goes_on()
    table.presses_for("problem")
    table.presses_for("problem wrong-number")
    for badge in ("2001", "3001"):
        table.identifies(badge)
        table.presses_for("apply")
    house.goes_on()
    (void,) = table.events(e.RoundVoided)
    assert void.signed == ("2001", "3001") and len(void.envy) == (1 if share else 2), table.text
    table.presses_for("clear")
    table.opens()
    for key in ("problem table", "problem close-day"):
        table.presses_for(key)
    table.identifies("2001")
    table.presses_for("apply")
    house.goes_on()
    assert house.alarms == ("", []) and not table.state.owed
    accounts = house.bank.service.state.accounts
    taken = {
        name: accounts.balance(name, "main") for name in (Account.CONTRIBUTIONS, Account.REVERSALS, Account.AWARDS)
    }
    if share:
        award = before // 10_000 * 10_000
        assert taken == {Account.CONTRIBUTIONS: 3 * fed, Account.REVERSALS: 0, Account.AWARDS: award}
    else:
        assert taken == {Account.CONTRIBUTIONS: 3 * fed, Account.REVERSALS: 2 * fed, Account.AWARDS: 0}
        assert house.bank.meter() == before - 2 * fed
    (day,) = table.events(e.DayClosed)
    assert dict(day.totals.contributions)["main"] == taken[Account.CONTRIBUTIONS] - taken[Account.REVERSALS]
    assert dict(day.totals.awards).get("main", 0) * 10_000 == taken[Account.AWARDS]
    assert "envy" not in dict(day.totals.paid)
    code, said = reconciled(house, capsys)
    assert code == 0 and said[-1] == "both sides agree", said
    assert any("envy 0.00" in line for line in said), said
    for path in (house.table.journal.path, house.bank.path):
        assert main(["journal", "verify", str(path)]) == 0
    assert main(["bank", "verify", str(house.bank.path)]) == 0
