"""A ledger by a program that knew the progressive wager only: it is read, it goes on, and it is verified."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.bank.decide import RulesChanged, decide
from firmware.bank.events import ClaimPriced, Event, MetersSeeded, WagersHeld
from firmware.bank.inputs import Input, Started
from firmware.bank.ledger import Account
from firmware.bank.state import BankState, evolve
from firmware.bank.wire import decode_up
from firmware.runtime.bank import open_journal, post, verify
from firmware.runtime.journal import Journal
from firmware.runtime.spine import Spine
from firmware.wire.from_bank import ClaimStatus
from firmware.wire.from_table import MeterWager
from tests.bank.casino import AT, EPOCH, Table, rules
from tests.golden.make_bank_before_five_card import shift_of_then

GOLDEN = Path(__file__).parent.parent / "golden" / "bank-before-five-card.ledger"
CHANGED = {"MetersSeeded", "WagersHeld", "ClaimPriced"}

BankSpine = Spine[BankState, Input, Event]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A royal flush waits for its verdict, a straight flush was paid, a round at another table is void."""
    path = tmp_path / "bank.ledger"
    shutil.copy(GOLDEN, path)
    return path


@pytest.fixture
def journal(path: Path) -> Iterator[Journal[Event]]:
    journal = open_journal(path)
    yield journal
    journal.close()


def bank_on(journal: Journal[Event], five_card: str = "") -> BankSpine:
    of_today = rules("A", five_card=five_card)
    return Spine(journal, BankState(), lambda state, given: decide(of_today, state, given), evolve, post)


def test_its_events_say_what_they_meant_then(journal: Journal[Event]) -> None:
    entries = list(journal.entries())
    assert {entry.version for entry in entries if entry.kind in CHANGED} == {1}
    (seeded,) = (entry.event for entry in entries if isinstance(entry.event, MetersSeeded))
    assert seeded.five_card == 0
    assert [(meter.name, meter.account) for meter in seeded.meters] == [("main", Account.METERS)]
    for entry in entries:
        if isinstance(entry.event, WagersHeld):
            assert (entry.event.own, entry.event.dealer) == ((), ())
        if isinstance(entry.event, ClaimPriced):
            claim = entry.event.claim
            assert (claim.wager, claim.backers, claim.reserve) == (MeterWager.PROGRESSIVE, 1, "")


def test_it_goes_on_where_it_stood_and_is_verified(path: Path, journal: Journal[Event]) -> None:
    bank = bank_on(journal)
    assert [(priced.claim.meter, priced.status) for priced in bank.state.book("uth-01").claims] == [
        ("main", ClaimStatus.PENDING),
        ("main", ClaimStatus.PAID),
    ]
    table = Table()
    table.said = [payload for by, payload in shift_of_then() if by.name == table.name]
    bank.take([Started(AT, EPOCH, restored=False)])
    bank.take([decode_up(table.name, table.verdict(1, 5, paid=False), AT)])
    bank.take([decode_up(table.name, table.wagers(2, 1), AT)])
    bank.take([decode_up(table.name, table.claim(2, 1, "straight flush"), AT)])
    assert not bank.state.book("uth-01").alarms
    assert bank.state.accounts.total(Account.SEEDS) == 10_000_000_000
    assert verify(path) == bank.state.accounts
    assert {entry.version for entry in journal.entries() if entry.kind in CHANGED} == {1, 2}


def test_it_says_what_it_said_before_a_second_time(journal: Journal[Event]) -> None:
    """Hashes and rounds are remembered: what the tables of then send again is nothing new."""
    bank = bank_on(journal)
    rows = journal.rows
    bank.take(decode_up(table.name, payload, AT) for table, payload in shift_of_then())
    assert journal.rows == rows


def test_a_submission_with_five_card_hand_needs_another_ledger(journal: Journal[Event]) -> None:
    with pytest.raises(RulesChanged, match=r"a 1\.00 Five Card Hand wager; put the submission back"):
        bank_on(journal, five_card="1.00").take([Started(AT, EPOCH, restored=False)])
