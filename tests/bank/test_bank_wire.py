"""What the bank says: the documents of `down` and `meters`, from its state."""

from __future__ import annotations

from firmware.bank import wire
from firmware.bank.events import EVENTS, ClaimPriced, MessageNotHonored
from firmware.bank.state import ENDED_CLAIMS_MAX
from firmware.rules.money import Cents, dollars
from firmware.table.wire import decode_meters
from firmware.wire.anchors import Anchor
from firmware.wire.from_bank import (
    AlarmHeld,
    Board,
    ClaimHeld,
    ClaimRefused,
    ClaimStatus,
    Down,
    Meter,
    Pending,
    Won,
)
from firmware.wire.payload import PAYLOAD_MAX, write
from firmware.wire.records import document
from firmware.wire.structs import replace
from firmware.wire.values import CLAIMS_MAX, EPOCHS_MAX, METERS_MAX, PENDING_MAX, REFUSED_MAX, WINS_MAX
from tests.bank.casino import AT, EPOCH, TITLE, Bank, Table, rules

METER_AFTER_A_SHARE = {
    "name": "main",
    "display_name": "main",
    "amount": "9000.19",
    "seed": "10000.00",
    "steps": 2,
    "most": "10000.42",
}


def test_down_and_board_are_the_documents_of_the_wire() -> None:
    bank, table, other = Bank(rules("A")), Table(), Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, 3, 5))
    bank.hears(table, table.claim(1, 5, "royal flush"))
    bank.hears(table, table.verdict(1, 5, paid=True))
    bank.hears(other, other.wagers(4, 1))
    bank.hears(table, table.claim(1, 3, "straight flush"))
    claim = {"meter": "main", "cite": "653a.12(d)"}
    assert document(wire.down(bank.state, "uth-01")) == {
        "v": 1,
        "epoch": EPOCH,
        "table": "uth-01",
        "journal": table.journal,
        "seq": 4,
        "hash": table.head,
        "claims": [
            {
                "claim": "uth-01:1:5:1",
                "status": "paid",
                "share": "100%",
                "amount": "10000.42",
                "owed": "0.00",
                "version": 3,
                **claim,
            },
            {
                "claim": "uth-01:1:3:1",
                "status": "pending",
                "share": "10%",
                "amount": "1000.02",
                "owed": "0.00",
                "version": 6,
                **claim,
            },
        ],
        "alarm": None,
        "term": 1,
    }
    assert document(wire.board(bank.state, AT)) == {
        "v": 1,
        "epoch": EPOCH,
        "version": 6,
        "at": AT,
        "title": TITLE,
        "tables": ["uth-01", "uth-02", "uth-03"],
        "meters": [METER_AFTER_A_SHARE],
        "pending": [
            {
                "claim": "uth-01:1:3:1",
                "meter": "main",
                "table": "uth-01",
                "amount": "1000.02",
                "at": "2026-11-21T14:07:05.000Z",
            },
        ],
        "won": [
            {
                "claim": "uth-01:1:5:1",
                "meter": "main",
                "table": "uth-01",
                "seat": 5,
                "hand": "royal flush",
                "amount": "10000.42",
                "now": "10000.00",
                "at": "2026-11-21T14:07:03.000Z",
            }
        ],
        "term": 1,
    }


def test_the_board_keeps_the_last_five_wins_newest_first() -> None:
    bank, table = Bank(rules("A")), Table()
    for round in range(1, 8):
        bank.hears(table, table.wagers(round, 2))
        bank.hears(table, table.claim(round, 2, "straight flush"))
        bank.hears(table, table.verdict(round, 2, paid=round != 6))
    won = [win["claim"] for win in document(wire.board(bank.state, AT))["won"]]
    assert won == [f"uth-01:{round}:2:1" for round in (7, 5, 4, 3, 2)]


def steps(bank: Bank) -> dict[str, int]:
    return {meter.name: meter.steps for meter in wire.board(bank.state, AT).meters}


def test_a_meter_steps_with_a_share_a_rejected_claim_and_a_void_round_and_never_with_wagers() -> None:
    bank, table = Bank(rules("C")), Table(paytable="C")
    bank.hears(table, table.wagers(1, 3, 5))
    assert steps(bank) == {"mega": 0, "major": 0, "minor": 0}
    bank.hears(table, table.claim(1, 5, "royal flush"))
    assert steps(bank) == {"mega": 1, "major": 0, "minor": 0}, "it is reseeded"
    bank.hears(table, table.wagers(2, 1))
    assert steps(bank) == {"mega": 1, "major": 0, "minor": 0}
    bank.hears(table, table.verdict(1, 5, paid=False))
    assert steps(bank) == {"mega": 2, "major": 0, "minor": 0}, "it stands again where it stood"
    bank.hears(table, table.void(2))
    assert steps(bank) == {"mega": 3, "major": 1, "minor": 1}
    bank.restarts()
    assert steps(bank) == {"mega": 3, "major": 1, "minor": 1}


def test_both_of_two_pending_claims_are_on_the_board_with_what_was_frozen() -> None:
    bank, table = Bank(rules("A")), Table()
    bank.hears(table, table.wagers(1, 3, 5))
    bank.hears(table, table.claim(1, 5, "straight flush"))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    board = document(wire.board(bank.state, AT))
    assert [claim["amount"] for claim in board["pending"]] == ["1000.04", "9000.38"]
    assert [meter["amount"] for meter in board["meters"]] == ["10000.00"]


NAMED = {"minor": "Minor", "mega": "Mega Jackpot"}
"""In the order of rank; `major` has no section of its own."""


def test_meters_stand_by_rank_under_one_name_for_sign_and_dealer() -> None:
    board = wire.board(Bank(rules("C")).state, AT, NAMED)
    shown = [(meter.name, meter.display_name) for meter in board.meters]
    assert shown == [("minor", "Minor"), ("mega", "Mega Jackpot"), ("major", "major")]
    assert [heard.display_name for heard in decode_meters(write(board))] == ["Minor", "Mega Jackpot", "major"]


def test_a_meter_that_holds_more_than_the_one_ranked_above_it_is_named() -> None:
    assert wire.larger_below(wire.board(Bank(rules("C")).state, AT)) == ()
    assert wire.larger_below(wire.board(Bank(rules("C")).state, AT, NAMED)) == (("Minor", "Mega Jackpot"),)


def test_every_kind_of_event_has_a_version_and_its_own_name() -> None:
    assert all(kind.__name__ == name and kind.VERSION >= 1 for name, kind in EVENTS.items())


def test_claims_that_nobody_ends_close_their_own_table_and_no_board() -> None:
    """468 open claims of one table made its `down`, 604 the board larger than a broker takes: every table's board stood."""
    bank, table, other = Bank(rules("A")), Table(), Table("uth-02", "b" * 32)
    bank.hears(other, other.wagers(1, 3))
    for round in range(1, CLAIMS_MAX + 2):
        bank.hears(table, table.wagers(round, 3))
        (event,) = bank.hears(table, table.claim(round, 3, "straight flush"))
    assert isinstance(event, MessageNotHonored) and event.kind == "claim"
    assert event.text == f"uth-01:{CLAIMS_MAX + 1}:3:1: {CLAIMS_MAX} claims of this table have no verdict yet"
    assert bank.alarm(table) == "claim" and bank.alarm(other) is None
    assert len(wire.down(bank.state, "uth-01").claims) == CLAIMS_MAX
    bank.hears(other, other.claim(1, 3, "royal flush"))
    assert [claim for claim, _ in bank.amounts(other)] == ["pending"]
    bank.adopts(table, "2001", "3001")
    bank.hears(table, table.verdict(1, 3, paid=True))
    bank.hears(table, table.wagers(CLAIMS_MAX + 2, 3))
    (event,) = bank.hears(table, table.claim(CLAIMS_MAX + 2, 3, "straight flush"))
    assert isinstance(event, ClaimPriced), "one has ended, so there is room"


def test_claims_that_were_paid_while_one_waits_fill_no_payload() -> None:
    bank, table = Bank(rules("A")), Table()
    for round in range(1, 61):
        bank.hears(table, table.wagers(round, 1, 2, 3, 4, 5, 6))
    bank.hears(table, table.claim(60, 3, "royal flush"))
    for round in range(61, 161):
        bank.hears(table, table.wagers(round, 3))
        bank.hears(table, table.claim(round, 3, "straight flush"))
        bank.hears(table, table.verdict(round, 3, paid=True))
    assert len(wire.down(bank.state, "uth-01").claims) == 1 + ENDED_CLAIMS_MAX
    bank.hears(table, table.verdict(60, 3, paid=False))
    owed = [one for one in wire.down(bank.state, "uth-01").claims if one.owed]
    assert len(owed) == CLAIMS_MAX and owed[0].claim == "uth-01:61:3:1", "the oldest first"
    price = {"amount": dollars(owed[0].amount), "meter": "main", "epoch": EPOCH, "version": owed[0].version}
    bank.hears(table, table.verdict(61, 3, paid=True, price=price))
    after = [one.claim for one in wire.down(bank.state, "uth-01").claims if one.owed]
    assert owed[0].claim not in after and len(after) == CLAIMS_MAX, "and the next one when it is paid"


def test_the_largest_board_and_the_largest_down_fit_a_payload() -> None:
    name, big = "t" * 32, Cents(99_999_999_999_999)
    claim = f"{name}:{10**15}:6:{10**15}"
    meter = Meter("m" * 32, "M" * 24, big, big, 2**53 - 1, big)
    pending = Pending(claim, "m" * 32, name, big, AT)
    won = Won(claim, "m" * 32, name, 6, "straight flush", big, big, AT)
    meters = tuple(replace(meter, name="m" * 31 + str(number)) for number in range(METERS_MAX))
    said = Board(
        EPOCH,
        2**53 - 1,
        AT,
        "T" * 120,
        (name,) * TABLES_SHOWN,
        meters,
        (pending,) * PENDING_MAX,
        (won,) * WINS_MAX,
        1,
        9,
    )
    assert len(write(said)) < PAYLOAD_MAX * 9 // 10
    held = ClaimHeld(claim, ClaimStatus.PENDING, "m" * 32, "100%", big, big, 2**53 - 1, "653a.12(d)(1)" * 4, True)
    refused = ClaimRefused(claim, ("b" * 32, "c" * 32))
    anchor, alarm = Anchor(2**53 - 1, "a" * 64), AlarmHeld("hash", "a" * 32, 2**53 - 1, "a" * 64, "x" * 200)
    claims, epochs = (held,) * (2 * CLAIMS_MAX + ENDED_CLAIMS_MAX), ("e" * 32,) * EPOCHS_MAX
    down = Down(EPOCH, name, "a" * 32, 9, "a" * 64, claims, alarm, 9, anchor, anchor, epochs, (refused,) * REFUSED_MAX)
    assert len(write(down)) < PAYLOAD_MAX * 9 // 10


TABLES_SHOWN = 700
"""Of names of 32 letters; of names as tables have them, a thousand."""
