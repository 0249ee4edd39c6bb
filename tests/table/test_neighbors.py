"""The shuffler, the bank and the screen beside the table: what closes bets, who ends it, and what is hostile."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.table import events as e
from firmware.table.decide import KEYS
from firmware.table.inputs import ClaimAnswer, Complaints, Pressed
from firmware.table.interlock import obstacles
from firmware.table.projections import locked
from firmware.table.state import NO_HASH, Phase, Prize
from firmware.wire.structs import replace
from tests.table.table import DEALER, DIAZ, OKAFOR, TECHNICIAN, Dealer, Table
from ui.dealer.screens import screen_key
from ui.words import ENGLISH


def between_rounds(**shuffler: Any) -> tuple[Table, Dealer]:
    """A table that would open bets, and a shuffler that says something."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    table.shuffles(**shuffler)
    dealer.presses("clear")
    return table, dealer


# 653a.5(b), 653a.13(e): the shuffler --------------------------------------------------------------------------------------


OBSTACLES: list[tuple[dict[str, Any], str]] = [
    ({"connected": False}, "Shuffler not connected"),
    ({"mode": "fault", "fault": "jam"}, "Shuffler fault: jam"),
    ({"mode": "fault", "fault": "door"}, "Shuffler fault: door"),
    ({"fault": "color"}, "Shuffler fault: color"),
    ({"mode": "fault"}, "Shuffler is in fault mode"),
    ({"mode": "sort"}, "Shuffler is in sort mode"),
    ({"mode": "service"}, "Shuffler is in service mode"),
    ({"mode": "off"}, "Shuffler is in off mode"),
    ({"mode": "selftest"}, "Shuffler is in selftest mode"),
    ({"mode": "empty", "count": 0}, "The shuffler is empty"),
    ({"count": 51}, "Shuffler counts 51, not 52"),
    ({"count": 53}, "Shuffler counts 53, not 52"),
    ({"count": 0}, "Shuffler counts 0, not 52"),
    ({"count": None}, "Shuffler counts ?, not 52"),
]


@pytest.mark.parametrize("shuffler, why", OBSTACLES)
def test_653a_5b_the_shuffler_keeps_bets_closed_until_it_is_in_order(shuffler: dict[str, Any], why: str) -> None:
    table, dealer = between_rounds(**shuffler)
    assert table.phase == "closed" and why in table.words()
    table.seats(1).place()
    assert table.lit == ()
    dealer.sees_no("no-more-bets")
    table.shuffles(connected=True, mode="ready", fault="", count=52)
    if shuffler.get("count", 52) not in (52, None) and shuffler.get("mode") != "empty":
        assert table.phase == "closed" and "Remove a deck" in table.words(), "that deck does not come back (653a.5(b))"
        return
    assert table.phase == "open" and table.lit == (1,), "the chip that waited is a wager now"


@pytest.mark.parametrize("mode", ["idle", "loading", "shuffling", "dispensing", "ready"])
def test_653a_5b_a_shuffler_at_work_is_no_obstacle(mode: str) -> None:
    table, _ = between_rounds(mode=mode, count=52)
    assert table.phase == "open"


@pytest.mark.parametrize("fault", ["jam", "door", "lid", "count", "color", "cycle", "motor", "card"])
def test_653a_13e_an_alarm_stays_until_the_dealer_has_seen_it(fault: str) -> None:
    table, dealer = between_rounds(mode="fault", fault=fault, alarm=1)
    assert table.screen().name == "shuffler" and "Do now" in table.words()
    table.shuffles(mode="ready", fault="")
    assert table.phase == "closed", "the fault is gone, the alarm is not"
    dealer.presses("acknowledge")
    assert table.phase == "open"


def test_653a_13e_an_acknowledged_alarm_with_its_fault_still_keeps_bets_closed() -> None:
    table, dealer = between_rounds(mode="fault", fault="jam", alarm=1)
    dealer.presses("acknowledge")
    assert table.phase == "closed" and "Shuffler fault: jam" in table.words()
    table.shuffles(mode="ready", fault="")
    assert table.phase == "open"


def test_653a_13e_each_alarm_is_seen_by_itself() -> None:
    table, dealer = between_rounds(mode="fault", fault="jam", alarm=1)
    dealer.presses("acknowledge")
    table.shuffles(alarm=2)
    table.shuffles(mode="ready", fault="")
    assert table.phase == "closed"
    dealer.presses("acknowledge")
    assert table.phase == "open"
    table.hears(Pressed("acknowledge"))
    assert table.notice == "The shuffler has no alarm."


def test_653a_13e_another_unit_counts_its_alarms_anew() -> None:
    table, dealer = between_rounds(fault="jam", alarm=7)
    dealer.presses("acknowledge")
    table.shuffles(unit="S-2", fault="", alarm=1)
    assert table.phase == "closed", "what was acknowledged at the other unit says nothing about this one"
    dealer.presses("acknowledge")
    assert table.phase == "closed", "nobody has said yet that this unit belongs to the table"
    dealer.presses("problem", "problem new-unit")
    dealer.presses("apply", by=DIAZ)
    assert table.phase == "open" and table.state.decks.unit == "S-2"


def test_653a_5_another_unit_is_accepted_by_a_floorperson_or_the_right_one_put_back() -> None:
    table, dealer = between_rounds(unit="S-2")
    assert [ENGLISH(found.what) for found in obstacles(table.house, table.state)] == ["Shuffler S-2, not S-1"]
    dealer.presses("problem", "problem new-unit")
    for badge in ("", DEALER, TECHNICIAN):
        table.hears(Pressed("apply", badge))
        assert table.phase == "closed" and table.notice == "A floorperson's badge and PIN first."
    table.shuffles(unit="S-1")
    assert table.phase == "open" and table.state.decks.unit == "S-1"
    assert e.UnitAccepted not in map(type, table.happened)


def test_653a_13e_a_jam_during_the_round_does_not_end_it() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    table.shuffles(mode="fault", fault="jam", alarm=1)
    assert table.phase == "deal" and {"ALARM", "Shuffler alarm: jam"} <= set(table.words().splitlines())
    dealer.presses("clear")
    assert table.phase == "closed"


def test_an_alarm_is_remembered_through_a_power_cut() -> None:
    table, dealer = between_rounds(fault="jam", alarm=1)
    table.restarts()
    assert table.phase == "closed" and table.screen().name == "shuffler"
    dealer.presses("acknowledge")
    table.restarts()
    assert table.screen().name == "closed", "acknowledged, and the fault still stands"


# The bank -----------------------------------------------------------------------------------------------------------------


BANK_ALARMS: list[tuple[dict[str, Any], str]] = [
    ({"alarm": "hash", "alarm_text": "Message 1 was another one"}, "hash"),
    ({"journal": "b" * 32}, "journal"),
    ({"seq": 9}, "ahead"),
    ({"hash": "c" * 64}, "hash"),
    ({"seq": 0, "hash": "c" * 64}, "hash"),
]


@pytest.mark.parametrize("said, kind", BANK_ALARMS)
def test_a_bank_alarm_closes_progressive_bets_until_two_people_have_looked(said: dict[str, Any], kind: str) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    table.bank.listens()
    table.hears(table.bank.said(**said))
    assert table.state.neighbors.bank_alarm == kind
    dealer.presses("clear")
    assert table.phase == "open" and "Bank alarm" in table.words() and locked(table.state)
    table.bank.speaks()
    assert table.state.neighbors.bank_alarm == "" and not locked(table.state)


def test_a_bank_alarm_in_the_middle_of_the_bets_recognizes_no_further_chip() -> None:
    table = Table().opens()
    table.seats(1).place()
    table.hears(table.bank.said(alarm="rules", alarm_text="another paytable"))
    table.seats(2).place()
    assert table.lit == (1,) and "Bank alarm: another paytable" in table.words() and locked(table.state)


def test_what_a_bank_says_under_an_alarm_prices_nothing_and_takes_nothing_over() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(3)
    dealer.claims(3, "royal flush")
    table.bank.listens_in_silence()
    table.hears(table.bank.said(alarm="hash", alarm_text="Message 1 was another one"))
    assert table.phase == "price" and table.state.neighbors.bank_seq == 0
    table.bank.speaks()
    assert table.phase == "hold" and table.state.neighbors.bank_seq == 2


def test_the_bank_says_the_same_twice() -> None:
    table = Table().opens()
    table.bank.listens()
    assert table.hears(table.bank.said()) == ()


def test_a_bank_restored_from_a_backup_is_sent_again_what_it_lacks() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    for _ in range(4):
        dealer.deals(1, 2)
        dealer.presses("clear")
        table.bank.listens()
    assert not len(table.state.owed) and table.state.neighbors.bank_seq == 4
    table.bank.goes_back(1)
    table.bank.speaks()
    assert table.state.neighbors.ledger.epoch == "f" * 32
    assert [owed.seq for owed in table.state.owed] == [2, 3, 4], "the very same messages"
    table.bank.listens()
    assert table.state.owed == () and table.bank.meters["main"] == 10_000_000_000 + 8 * 210_000


def test_a_bank_that_lost_everything_is_sent_everything() -> None:
    table = Table().opens()
    Dealer(table).deals(1, 2)
    table.bank.listens()
    table.bank.goes_back(0)
    table.bank.speaks()
    assert (table.state.neighbors.bank_seq, len(table.state.owed)) == (0, 1)
    assert table.bank.said().hash == NO_HASH


def test_a_bank_restored_while_a_claim_waits_prices_it_once_more() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(3)
    dealer.claims(3, "royal flush")
    table.bank.goes_back(0)
    table.bank.listens()
    assert table.phase == "hold"
    dealer.presses("claim-paid", by=OKAFOR)
    table.bank.listens()
    assert [claim.status for claim in table.bank.claims.values()] == ["paid"]


def on_hold() -> tuple[Table, Dealer, ClaimAnswer]:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(3)
    dealer.claims(3, "royal flush")
    table.bank.listens()
    [claim] = table.bank.claims.values()
    return table, dealer, claim


def prize_of(table: Table) -> Prize:
    prize = table.state.seat(3).prize
    assert prize is not None and table.phase == "hold"
    return prize


def test_an_amount_that_was_shown_changes_only_with_a_signature() -> None:
    table, dealer, claim = on_hold()
    dearer = replace(claim, amount=claim.amount + 12_345, version=9)
    before = screen_key(table.state)
    table.hears(table.bank.said(claims=(dearer,)))
    assert prize_of(table).amount == claim.amount, "what was shown stands"
    assert screen_key(table.state) != before, "whoever signs, sees both amounts"
    assert "was $10,000.21, now $10,123.66" in table.words()
    assert table.hears(table.bank.said(claims=(dearer,))) == ()
    dealer.sees_no("accept-price", by=DEALER)
    table.press("accept-price", DEALER)
    assert table.notice == "A floorperson's badge and PIN first."
    dealer.presses("accept-price", by=OKAFOR)
    assert prize_of(table).amount == dearer.amount and "now $" not in table.words()
    dealer.sees_no("claim-paid", by=OKAFOR)
    table.press("claim-paid", OKAFOR)
    assert table.phase == "hold", "whoever accepted the amount does not pay it"
    dealer.presses("claim-paid", by=DIAZ)
    body = table.owed[-1].body
    assert (body["amount"], body["version"], body["by"]) == ("10123.66", 9, [OKAFOR, DIAZ])


def test_the_amount_that_was_shown_can_be_paid_while_the_bank_says_another() -> None:
    """A bank that was restored from a backup, or somebody who speaks in its name: the ledger follows what was paid."""
    table, dealer, claim = on_hold()
    table.hears(table.bank.said(epoch="f" * 32, claims=(replace(claim, amount=100_000_000),)))
    dealer.presses("claim-paid", by=OKAFOR)
    body = table.owed[-1].body
    assert (body["amount"], body["epoch"]) == ("10000.21", table.bank.epoch)


def test_a_bank_that_says_the_shown_amount_again_offers_nothing_any_more() -> None:
    table, dealer, claim = on_hold()
    table.hears(table.bank.said(claims=(replace(claim, amount=100_000_000),)))
    table.hears(table.bank.said(claims=(claim,)))
    assert prize_of(table).offered is None and "now $" not in table.words()
    dealer.sees_no("accept-price")
    table.hears(Pressed("accept-price", OKAFOR))
    assert table.notice == "The bank says the amount that is shown."


# Words that nobody can press ------------------------------------------------------------------------------------------


HOSTILE = [
    "", " ", "clear me", "CLEAR", "count\n3", "no-more-bets", "pin 1", "seat", "seat 0", "seat 7", "seat -1", "seat ٣",
    "sensor", "sensor 9", "approve now", "back", "void", "__class__", "\x00", "é" * 300, "slot 0", "slot 6", "settle",
    "settle by-hand", "hand", "rank", "suit", "envy-paid", "paid", "claim-paid", "apply", "winners",
]  # fmt: skip


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_that_no_key_says_never_breaks_the_table(word: str) -> None:
    table = Table().opens()
    for badge in ("", "9999", DIAZ):
        table.hears(Pressed(word, badge))
        assert not table.owed and table.state.round.number == 1


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_its_keys(phase: Phase) -> None:
    assert phase in KEYS


def test_refused_bytes_are_counted_and_kept_until_the_next_round_and_never_stand_beside_money() -> None:
    table = Table().opens()
    table.hears(Complaints("shuffler", "a frame with a wrong checksum", 3))
    table.hears(Complaints("felt/felt/meters", "version is a text", 1))
    assert table.state.desk.complaints == 4 and "version is a text" in table.state.desk.complaint
    dealer = Dealer(table)
    dealer.deals()
    assert "Refused" not in table.words()
    dealer.presses("clear")
    assert table.state.desk.complaint == "" and table.state.desk.complaints == 4


def test_the_floor_is_called_and_comes() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.presses("floor")
    assert table.state.desk.floor_called and "NOTED" in table.words()
    dealer.presses("floor")
    assert table.last(e.FloorCalled) == e.FloorCalled(False)
