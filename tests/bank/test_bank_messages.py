"""The owed message: held once, with its effect, whatever a network, a broker or another box does to it."""

from __future__ import annotations

import pytest

from firmware.bank import wire
from firmware.bank.events import AlarmRaised, Complained, TableAdopted, WagersHeld
from firmware.bank.inputs import AdoptionSigned, MessageRefused, TableBeat
from firmware.bank.state import ALARMS_MAX, HASHES_PER_PAGE, HELD_LEAST, PAGES_MAX, BankState, Held
from firmware.config import ConfigError
from firmware.runtime.bank import adoptable
from firmware.wire.payload import NO_HASH, WireError
from firmware.wire.records import document
from firmware.wire.structs import replace
from firmware.wire.values import REFUSED_MAX
from tests.bank.casino import AT, Bank, Table, rules


@pytest.fixture
def bank() -> Bank:
    return Bank(rules("A"))


@pytest.fixture
def table() -> Table:
    return Table()


def held(bank: Bank, table: Table) -> tuple[str, int, str]:
    down = document(wire.down(bank.state, table.name))
    return down["journal"], down["seq"], down["hash"]


@pytest.fixture
def signing() -> Bank:
    """A bank as a casino starts it: two people adopt each table."""
    return Bank(replace(rules("A"), signed_first=True))


def test_nothing_is_held_of_a_table_that_nobody_adopted_and_nothing_is_lost(signing: Bank, table: Table) -> None:
    """Whoever spoke first under a configured table's name was adopted with his journal, and nobody signed."""
    (alarm,) = signing.hears(table, table.wagers(1, 1, 3))
    assert isinstance(alarm, AlarmRaised) and alarm.kind == "new" and table.journal in alarm.text
    said = wire.down(signing.state, table.name)
    assert (said.journal, said.seq) == ("", 0) and said.alarm is not None
    assert (said.alarm.seq, said.alarm.hash) == (0, NO_HASH)
    assert signing.meter() == 10_000_000_000
    assert signing.hears(table, table.said[0]) == (), "it is sent again and again"
    signing.restarts()
    assert signing.alarm(table) == "new"
    signing.adopts(table, "2001", "3001")
    signing.hears(table, table.said[0])
    assert signing.alarm(table) is None and signing.meter() == 10_000_420_000


def test_a_table_that_nobody_adopted_is_told_so_before_its_first_wager(signing: Bank, table: Table) -> None:
    beat = TableBeat(AT, table.name, table.journal, 2, "1" * 64)
    (alarm,) = signing.told(beat)
    assert isinstance(alarm, AlarmRaised) and alarm.kind == "new"
    assert signing.told(beat) == () and signing.told(replace(beat, table="uth-99")) == ()
    signing.adopts(table, "2001", "3001")
    assert signing.alarm(table) is None


def test_one_person_adopts_no_table(signing: Bank, table: Table) -> None:
    signing.hears(table, table.wagers(1, 1))
    for by in ((), ("2001",), ("2001", "2001")):
        signing.adopts(table, *by)
        assert signing.alarm(table) == "new" and not signing.state.book(table.name).journal


def test_a_stranger_who_speaks_first_changes_nothing(signing: Bank, table: Table) -> None:
    stranger = Table(table.name, "f" * 32)
    signing.hears(stranger, stranger.wagers(1, 1))
    signing.hears(table, table.wagers(1, 3))
    signing.adopts(table, "2001", "3001")
    signing.hears(table, table.said[0])
    assert signing.meter() == 10_000_210_000
    signing.hears(stranger, stranger.said[0])
    assert signing.alarm(table) == "journal"


def test_the_first_journal_of_a_configured_table_is_adopted_by_itself(bank: Bank, table: Table) -> None:
    assert held(bank, table) == ("", 0, NO_HASH)
    events = bank.hears(table, table.wagers(1, 1))
    assert [type(event) for event in events] == [TableAdopted, WagersHeld]
    assert held(bank, table) == (table.journal, 1, table.head)


def test_position_and_effect_are_one_event(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1))
    (event,) = bank.hears(table, table.wagers(2, 1, 2))
    assert isinstance(event, WagersHeld)
    assert (event.position.seq, event.position.hash) == (2, table.head)
    assert sum(entry.micros for entry in event.entries if entry.account == "contributions") == 420_000


def test_a_message_that_comes_twice_changes_nothing(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1))
    bank.hears(table, table.wagers(2, 1))
    before = bank.state
    for payload in table.said * 2:
        assert bank.hears(table, payload) == ()
    assert bank.state == before


def test_after_a_gap_the_table_sends_again_and_nothing_is_lost(bank: Bank, table: Table) -> None:
    first, second, third = (table.wagers(round, 1) for round in (1, 2, 3))
    for early in (third, second):
        (complaint,) = bank.hears(table, early)
        assert isinstance(complaint, Complained)
        assert complaint.place == "uth-01/up"
    assert held(bank, table) == ("", 0, NO_HASH)
    assert bank.state.complaints == 2
    for payload in (first, second, third):
        bank.hears(table, payload)
    assert held(bank, table)[1] == 3
    assert bank.meter() == 10_000_630_000
    assert bank.alarm(table) is None


def test_the_same_number_with_another_hash_is_an_alarm_and_has_no_effect(bank: Bank, table: Table) -> None:
    twin = Table()
    bank.hears(table, table.wagers(1, 1))
    bank.hears(table, table.wagers(2, 1))
    before = bank.state.accounts
    (event,) = bank.hears(twin, twin.wagers(1, 1, 2, 3))
    assert isinstance(event, AlarmRaised)
    assert document(wire.down(bank.state, "uth-01"))["alarm"] == {
        "kind": "hash",
        "journal": twin.journal,
        "seq": 1,
        "hash": twin.head,
        "text": "Message 1 was another one before",
    }
    assert bank.state.accounts == before
    assert held(bank, table)[1] == 2


def test_a_next_message_that_does_not_follow_is_an_alarm_and_has_no_effect(bank: Bank, table: Table) -> None:
    twin = Table()
    bank.hears(table, table.wagers(1, 1))
    twin.wagers(1, 2)
    bank.hears(twin, twin.wagers(2, 1))
    assert bank.alarm(table) == "hash"
    assert held(bank, table)[1] == 1
    bank.hears(table, table.wagers(2, 1))  # a fact of the journal that the bank knows is still held
    assert held(bank, table)[1] == 2
    assert bank.alarm(table) == "hash"


def test_an_alarm_is_said_once_however_often_the_message_comes_and_eight_are_enough(bank: Bank, table: Table) -> None:
    twin = Table()
    for round in range(1, ALARMS_MAX + 3):
        bank.hears(table, table.wagers(round, 1))
        twin.wagers(round, 2)
    kinds = [type(event) for payload in twin.said * 2 for event in bank.hears(twin, payload)]
    assert kinds.count(AlarmRaised) == ALARMS_MAX
    assert len(bank.state.book(table.name).alarms) == ALARMS_MAX
    assert kinds.count(Complained) == 4  # the ninth and the tenth, twice


def test_another_journal_is_an_alarm_until_two_different_people_adopt_it(bank: Bank, table: Table) -> None:
    replaced = Table(journal="c" * 32)
    bank.hears(table, table.wagers(7, 1))
    bank.hears(replaced, replaced.wagers(1, 2))
    assert bank.alarm(table) == "journal"
    for alone in [("3001",), ("3001", "3001"), ()]:
        (complaint,) = bank.adopts(replaced, *alone)
        assert isinstance(complaint, Complained)
        assert complaint.text == "needs two different people; call a second one"
        assert bank.alarm(table) == "journal"
    bank.adopts(replaced, "3001", "4001")
    assert held(bank, table) == (replaced.journal, 0, NO_HASH)
    bank.hears_all(replaced)
    assert held(bank, table) == (replaced.journal, 1, replaced.head)
    assert bank.alarm(table) is None
    assert bank.meter() == 10_000_420_000


def test_a_table_that_gets_its_old_journal_back_goes_on_where_it_stood(bank: Bank, table: Table) -> None:
    """A borrowed Pi: were the old journal to begin at zero again, all its rounds would be counted twice."""
    borrowed = Table(journal="c" * 32)
    bank.hears(table, table.wagers(1, 1))
    bank.adopts(borrowed, "3001", "4001")
    bank.hears(borrowed, borrowed.wagers(1, 1))
    bank.adopts(table, "3001", "4001")
    assert held(bank, table) == (table.journal, 1, table.head)
    bank.hears_all(table)
    bank.hears(table, table.wagers(2, 1))
    assert bank.meter() == 10_000_630_000
    assert bank.alarm(table) is None


def test_a_claim_of_a_replaced_pi_is_ended_by_its_successor(bank: Bank, table: Table) -> None:
    successor = Table(journal="c" * 32)
    bank.hears(table, table.wagers(1, 1))
    bank.hears(table, table.claim(1, 1, "royal flush"))
    bank.adopts(successor, "3001", "4001")
    successor.told(bank.state)
    bank.hears(successor, successor.verdict(1, 1, paid=True))
    assert bank.amounts(table) == [("paid", "10000.21")]


def test_two_people_who_have_looked_end_every_alarm_of_the_table(bank: Bank, table: Table) -> None:
    bank.hears(table, table.void(1))
    bank.hears(table, table.void(2))
    assert len(bank.state.book(table.name).alarms) == 2
    bank.adopts(table, "3001", "4001")
    assert bank.alarm(table) is None
    assert held(bank, table)[1] == 2


def test_a_table_that_is_not_configured_is_a_complaint_and_can_not_be_adopted(bank: Bank) -> None:
    stranger = Table("uth-99")
    for event in (*bank.hears(stranger, stranger.wagers(1, 1)), *bank.adopts(stranger, "3001", "4001")):
        assert isinstance(event, Complained)
        assert event.text.startswith("is not a table of this bank")
    assert bank.state.tables == {}


def test_a_message_before_the_start_waits(table: Table) -> None:
    bank = Bank(rules("A"))
    bank.state = BankState()
    (complaint,) = bank.hears(table, table.wagers(1, 1))
    assert isinstance(complaint, Complained)
    assert bank.state.tables == {}


def test_a_refused_payload_is_counted_and_the_next_valid_message_works(bank: Bank, table: Table) -> None:
    with pytest.raises(WireError) as refused:
        wire.decode_up(table.name, b"\xff", AT)
    bank.told(MessageRefused(AT, refused.value.place, refused.value.text, count=3))
    assert bank.state.complaints == 3
    assert bank.state.complaint == "uth-01/up: is not UTF-8 at byte 0; send canonical JSON"
    bank.hears(table, table.wagers(1, 1))
    assert held(bank, table)[1] == 1


def test_a_restored_bank_says_a_lower_number_and_the_table_fills_it_again(bank: Bank, table: Table) -> None:
    for round in range(1, 6):
        bank.hears(table, table.wagers(round, 1))
    lost = Bank(rules("A"))
    for payload in table.said[:2]:
        lost.hears(table, payload)
    for payload in table.said[held(lost, table)[1] :]:
        lost.hears(table, payload)
    assert lost.state.accounts == bank.state.accounts
    assert held(lost, table) == held(bank, table)


def test_the_last_messages_of_a_transaction_can_be_compared_at_once(bank: Bank, table: Table) -> None:
    kept_least = HELD_LEAST
    hashes = [f"{number:064x}" for number in range(1, kept_least + 300)]
    journal = Held()
    for digest in hashes:
        journal = journal.followed_by(digest)
    assert journal.seq == len(hashes)
    for seq in range(journal.seq - kept_least + 1, journal.seq + 1):
        assert journal.hash_at(seq) == hashes[seq - 1]
    assert journal.hash_at(1) == journal.hash_at(0) == journal.hash_at(journal.seq + 1) == ""
    assert len(journal.pages) <= PAGES_MAX


def test_a_message_too_old_to_be_compared_is_taken_for_another_one(
    bank: Bank, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.bank.state.PAGES_MAX", 1)
    for round in range(1, HASHES_PER_PAGE + 2):
        bank.hears(table, table.wagers(round, 1))
    assert bank.hears(table, table.said[-1]) == ()
    old = wire.decode_up(table.name, table.said[0], AT)
    assert bank.told(replace(old, known=old.hash)) == (), "the ledger was asked, and has the same"
    bank.hears(table, table.said[0])
    assert document(wire.down(bank.state, table.name))["alarm"]["text"] == "Message 1 is too old to be compared"


def test_signatures_come_as_they_are_journaled(bank: Bank, table: Table) -> None:
    (adopted,) = bank.told(AdoptionSigned(AT, table.name, table.journal, ("3001", "4001"), ""))
    assert adopted == TableAdopted(AT, table.name, table.journal, ("3001", "4001"), "")
    assert bank.replayed() == bank.state


def test_a_claim_held_without_effect_is_named_once_two_people_have_looked(bank: Bank, table: Table) -> None:
    """The table waits for a price; that `down` says nothing of its claim is no word that none will come."""
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert bank.alarm(table) == "claim" and not wire.down(bank.state, table.name).refused, "nobody has looked yet"
    bank.adopts(table, "2001", "3001")
    (refused,) = wire.down(bank.state, table.name).refused
    assert (refused.claim, refused.by) == ("uth-01:1:3:1", ("2001", "3001"))
    bank.restarts()
    assert wire.down(bank.state, table.name).refused == (refused,)
    for round in range(2, 60):
        bank.hears(table, table.claim(round, 3, "royal flush"))
        bank.adopts(table, "2001", "3001")
    assert len(wire.down(bank.state, table.name).refused) == REFUSED_MAX
    assert bank.replayed() == bank.state


def test_a_journal_is_adopted_for_one_table(bank: Bank, table: Table) -> None:
    """Two tables went by one journal, and each could say the other's messages."""
    bank.hears(table, table.wagers(1, 1))
    twin = Table("uth-02", table.journal)
    (event,) = bank.adopts(twin, "2001", "3001")
    assert isinstance(event, Complained) and event.text == "its journal is table uth-01's"
    with pytest.raises(ConfigError, match="belongs to table 'uth-01', and to one table alone"):
        adoptable(bank.state, ("uth-01", "uth-02"), "uth-02", table.journal, "felt bank adopt")
    assert adoptable(bank.state, ("uth-01", "uth-02"), "uth-01", "", "felt bank adopt") == table.journal
