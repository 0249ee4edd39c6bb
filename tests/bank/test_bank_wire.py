"""What the bank says: the documents of `down` and `meters`, from its state."""

from __future__ import annotations

from firmware.bank import wire
from firmware.bank.events import EVENTS
from firmware.table.wire import decode_meters
from firmware.wire.payload import write
from firmware.wire.records import document
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
