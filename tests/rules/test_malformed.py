# ruff: noqa: E501  the table is read by row, and a row is one line
"""Rounds and submissions that are wrong: each is refused, at its place, with what would be right, in one line.

A row says: in which round, where something is put (or taken away), and which place the refusal names. The rounds are
right before they are spoilt; a test of their own says so.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission

GONE = object()

PA: dict[str, Any] = {
    "rules": {
        "book": "pa-653a",
        "table_minimum": "15.00",
        "payout_limit": "50000.00",
        "adjacent_boxes": 2,
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "progressive": {"paytable": "B", "wager": "1.00"},
        "five_card_hand": {"wager": "5.00", "magic_card": True, "lucky_bonus": True},
        "six_card_bonus": {"paytable": "E"},
        "bad_beat_bonus": {"paytable": "A"},
    },
    "cards": {
        "board": ["Ah", "Kh", "Qh", "2c", "9d"],
        "dealer": ["7c", "7d"],
        "six_card": ["3c", "3d", "3h", "3s"],
    },
    "drawn": {"magic_card": "Qh", "lucky": 3},
    "meters": {"mega": "20000.00", "major": "2000.00", "five_card": "60000.00", "five_card_reserve": "50.00"},
    "irregularity": None,
    "seats": {
        "2": {
            "cards": ["Jh", "Th"],
            "wagers": {
                "ante": "15.00",
                "blind": "15.00",
                "trips": "5.00",
                "progressive": "1.00",
                "five_card_player": "5.00",
                "five_card_dealer": "5.00",
                "six_card_bonus": "5.00",
                "bad_beat_bonus": "5.00",
            },
            "decision": {"at": "preflop", "wager": "60.00"},
            "player": "A",
        },
        "3": {"cards": ["4c", "4d"], "wagers": {"ante": "20.00", "blind": "20.00"}, "decision": "fold", "player": "A"},
    },
}
MD: dict[str, Any] = {
    "rules": {
        "book": "md-36.05.16",
        "table_minimum": "10.00",
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "progressive": {"wager": "5.00", "seed": "10000.00", "rate": "21"},
        "six_card_bonus": {"paytable": "A"},
    },
    "cards": {"board": ["Ah", "Kh", "Qh", "2c", "9d"], "dealer": ["7c", "7d"], "six_card": ["3c", "3d", "3h", "3s"]},
    "meters": {"main": "20000.00"},
    "seats": {
        "1": {
            "cards": ["Jh", "Th"],
            "wagers": {
                "ante": "10.00",
                "blind": "10.00",
                "trips": "5.00",
                "progressive": "5.00",
                "six_card_bonus": "1.00",
            },
            "decision": "fold",
        }
    },
}
LUNAR: dict[str, Any] = {
    "rules": {"book": "pa-671a", "table_minimum": "5.00", "instant": {"paytable": "A"}, "super_on_others": {}},
    "cards": {"dealer": ["Ac", "Kd", "8c", "4d", "7s"]},
    "seats": {
        "1": {
            "cards": ["Ah", "Ad", "Kh", "8h", "9s"],
            "wagers": {"ante": "5.00", "super": "5.00", "super_on": {"dealer": "5.00", "4": "5.00"}},
            "decision": "bet",
            "option": {"buy": "2c"},
        },
        "4": {
            "cards": ["2h", "2d", "3c", "Jd", "9d"],
            "wagers": {"ante": "5.00", "super": "6.00"},
            "decision": "fold",
            "option": {"exchange": {"discard": ["3c", "9d"], "draw": ["Qh", "Qd"]}},
            "declared": False,
        },
    },
}
HEADS_UP: dict[str, Any] = {
    "rules": {
        "book": "pa-677a",
        "table_minimum": "10.00",
        "pocket_bonus": {"paytable": "A"},
        "trips_plus": {"paytable": "A"},
    },
    "cards": {"board": ["Ah", "Kh", "Qh", "2c", "9d"], "dealer": ["7c", "7d"]},
    "seats": {
        "6": {
            "cards": ["Jh", "Th"],
            "wagers": {"ante": "10.00", "odds": "10.00", "pocket_bonus": "1.00", "trips_plus": "1.00"},
            "decision": {"at": "flop", "wager": "15.00"},
        }
    },
}
VOID: dict[str, Any] = PA | {"irregularity": {"kind": "dealer_card_exposed"}}
ROUNDS = {"PA": PA, "MD": MD, "LUNAR": LUNAR, "HEADS_UP": HEADS_UP, "VOID": VOID}

LIST: list[Any] = []
OBJECT: dict[str, Any] = {}
NOT_OBJECTS: list[Any] = [None, True, 7, 1.5, "text", [], ["x"]]
NOT_MONEY: list[Any] = [
    None,
    True,
    15,
    15.0,
    [],
    {},
    "",
    "15",
    "15.0",
    "015.00",
    "+15.00",
    "-15.00",
    "1e9",
    "15,00",
    "$15.00",
    "9" * 13 + ".00",
]
NOT_CARDS: list[Any] = ["10h", "ah", "Ahh", "", "XX", 7, None, {}, ["Ah"]]
NOT_FLAGS: list[Any] = [None, 0, 1, "true", "no", [], {}]

TABLE: list[tuple[str, str, Any, str | None]] = [
    # the file
    *[("PA", "", wrong, None) for wrong in NOT_OBJECTS],
    *[("PA", key, GONE, key) for key in ("rules", "cards", "seats")],
    *[("PA", key, 1, key) for key in ("note", "Rules", "seat", "payments")],
    *[(which, "cards", wrong, "cards") for which in ("PA", "LUNAR", "VOID") for wrong in NOT_OBJECTS],
    *[("PA", "seats", wrong, "seats") for wrong in NOT_OBJECTS],
    ("PA", "seats", {}, "seats"),
    # the submission
    *[(which, "rules", wrong, "rules") for which in ("PA", "LUNAR") for wrong in NOT_OBJECTS],
    *[("PA", f"rules.{key}", GONE, f"rules.{key}") for key in ("book", "table_minimum", "blind", "trips")],
    *[("PA", "rules.book", wrong, "rules.book") for wrong in ("pa-653", "653a", "PA-653A", "", None, 1, ["pa-653a"], OBJECT)],
    *[("PA", "rules.table_minimum", wrong, "rules.table_minimum") for wrong in [*NOT_MONEY, "0.00"]],
    *[("PA", "rules.payout_limit", wrong, "rules.payout_limit") for wrong in [*NOT_MONEY, "0.00", "49999.99"]],
    *[("PA", "rules.adjacent_boxes", wrong, "rules.adjacent_boxes") for wrong in (0, 7, -1, True, "2", 2.0, None, 10**30)],
    *[("PA", f"rules.{key}", {}, f"rules.{key}") for key in ("instant", "pocket_bonus", "super_on_others", "odds", "x")],
    *[
        ("PA", f"rules.{key}.paytable", wrong, f"rules.{key}.paytable")
        for key, wrong in [
            ("blind", "C"), ("blind", "a"), ("blind", None), ("trips", "E"), ("trips", "only"), ("progressive", "E"),
            ("six_card_bonus", "F"), ("bad_beat_bonus", "C"), ("bad_beat_bonus", ["A"]), ("blind", 1), ("trips", OBJECT),
        ]
    ],
    *[(which, f"rules.{key}", wrong, f"rules.{key}") for which, key in (("PA", "blind"), ("PA", "progressive"),
        ("PA", "five_card_hand"), ("MD", "progressive"), ("LUNAR", "super_on_others"), ("HEADS_UP", "pocket_bonus"))
        for wrong in NOT_OBJECTS],
    ("PA", "rules.blind.note", "x", "rules.blind.note"),
    ("LUNAR", "rules.super_on_others.x", 1, "rules.super_on_others.x"),
    *[("PA", "rules.progressive.wager", wrong, "rules.progressive.wager") for wrong in ("2.00", "0.00", "1", 1, 1.0, None)],
    *[("PA", f"rules.progressive.{key}", "21", f"rules.progressive.{key}") for key in ("seed", "rate")],
    ("PA", "rules.progressive.wager", GONE, "rules.progressive.wager"),
    *[("PA", "rules.five_card_hand.wager", wrong, "rules.five_card_hand.wager") for wrong in [*NOT_MONEY, "0.00", GONE]],
    *[("PA", f"rules.five_card_hand.{key}", wrong, f"rules.five_card_hand.{key}")
        for key in ("magic_card", "lucky_bonus") for wrong in NOT_FLAGS],
    ("PA", "rules.five_card_hand.paytable", "A", "rules.five_card_hand.paytable"),
    ("MD", "rules.progressive.paytable", "A", "rules.progressive.paytable"),
    *[("MD", "rules.progressive.seed", wrong, "rules.progressive.seed") for wrong in [*NOT_MONEY, "9999.99", "0.00", GONE]],
    *[("MD", "rules.progressive.rate", wrong, "rules.progressive.rate")
        for wrong in ("0", "100.0001", "21%", "", "21.00001", "-1", 21, 0.21, None, True, [], GONE)],
    *[("MD", f"rules.{key}", 2, f"rules.{key}") for key in ("adjacent_boxes", "five_card_hand", "bad_beat_bonus")],
    *[("LUNAR", f"rules.{key}", "50000.00", f"rules.{key}") for key in ("payout_limit", "adjacent_boxes", "blind", "super")],
    ("LUNAR", "rules.instant.paytable", "D", "rules.instant.paytable"),
    ("LUNAR", "rules.instant", GONE, "rules.instant"),
    ("HEADS_UP", "rules.payout_limit", "49999.99", "rules.payout_limit"),
    ("HEADS_UP", "rules.trips_plus.paytable", "E", "rules.trips_plus.paytable"),
    ("HEADS_UP", "rules.trips", {"paytable": "A"}, "rules.trips"),
    # cards
    *[("PA", f"cards.{key}", GONE, f"cards.{key}") for key in ("board", "dealer", "six_card")],
    *[("PA", f"cards.{key}", wrong, f"cards.{key}") for key in ("board", "dealer", "six_card")
        for wrong in (None, "Ah", 5, OBJECT, LIST, ["Ac"], ["Ac"] * 6)],
    *[("PA", f"cards.board.{place}", wrong, f"cards.board.{place}") for place in (0, 4) for wrong in NOT_CARDS],
    *[("PA", "seats.2.cards.1", wrong, "seats.2.cards.1") for wrong in NOT_CARDS],
    *[("PA", "cards.six_card.3", wrong, "cards.six_card.3") for wrong in NOT_CARDS],
    ("PA", "cards.burn", ["Ac"], "cards.burn"),
    ("PA", "cards.board.3", "Ah", "cards.board.3"),
    ("PA", "cards.dealer.0", "9d", "cards.dealer.0"),
    ("PA", "cards.six_card.2", "Ah", "cards.six_card.2"),
    ("PA", "seats.2.cards.0", "Ah", "seats.2.cards.0"),
    ("PA", "seats.2.cards.1", "Jh", "seats.2.cards.1"),
    ("PA", "seats.3.cards.1", "Th", "seats.3.cards.1"),
    ("PA", "seats.3.cards.0", "7c", "seats.3.cards.0"),
    *[("PA", "seats.2.cards", wrong, "seats.2.cards") for wrong in (GONE, None, "Jh", [], ["Jh"], ["Jh", "Th", "2d"], {}, 2)],
    *[("LUNAR", "seats.1.cards", wrong, "seats.1.cards") for wrong in (GONE, [], ["Ah", "Ad", "Kh", "8h"])],
    ("LUNAR", "cards.board", ["2s"], "cards.board"),
    *[("LUNAR", "cards.dealer", wrong, "cards.dealer") for wrong in (GONE, [], ["Ac", "Kd"])],
    ("HEADS_UP", "cards.six_card", ["3c", "3d", "3h", "3s"], "cards.six_card"),
    # what is drawn
    *[(which, "drawn", wrong, "drawn") for which in ("PA", "MD", "LUNAR", "VOID") for wrong in NOT_OBJECTS],
    *[("PA", f"drawn.{key}", GONE, f"drawn.{key}") for key in ("magic_card", "lucky")],
    *[("PA", "drawn.magic_card", wrong, "drawn.magic_card") for wrong in NOT_CARDS],
    *[("PA", "drawn.lucky", wrong, "drawn.lucky") for wrong in (0, 7, -1, "3", "Dealer", True, 3.0, None, LIST, 10**40)],
    ("PA", "drawn.seat", 3, "drawn.seat"),
    ("PA", "drawn", GONE, "drawn.magic_card"),
    ("HEADS_UP", "drawn", {"lucky": 3}, "drawn.lucky"),
    ("MD", "drawn", {"magic_card": "2d"}, "drawn.magic_card"),
    # meters
    *[(which, "meters", wrong, "meters") for which in ("PA", "LUNAR", "HEADS_UP", "VOID") for wrong in NOT_OBJECTS],
    *[("PA", f"meters.{key}", GONE, f"meters.{key}") for key in ("mega", "major", "five_card", "five_card_reserve")],
    *[("PA", "meters.mega", wrong, "meters.mega") for wrong in
        (None, True, 1, 1.5, "", "1", "1.0", "1.1234567", "-1.00", "01.00", "1e3", "9" * 13 + ".00", OBJECT, LIST)],
    *[("PA", f"meters.{key}", "1.00", f"meters.{key}") for key in ("main", "minor", "Mega", "")],
    ("PA", "meters", GONE, "meters.mega"),
    ("LUNAR", "meters", {"main": "1.00"}, "meters.main"),
    # irregularities
    *[("PA", "irregularity", wrong, "irregularity") for wrong in NOT_OBJECTS if not (wrong is None or type(wrong) is list)],
    *[("PA", "irregularity", [{"kind": "dealer_card_exposed"}, wrong], "irregularity.1") for wrong in NOT_OBJECTS],
    ("PA", "irregularity", [{"kind": "stub_count", "cards": 105}], "irregularity.0.cards"),
    ("PA", "irregularity", {}, "irregularity.kind"),
    *[("PA", "irregularity", {"kind": wrong}, "irregularity.kind") for wrong in ("fire", "", None, 1, LIST, OBJECT, "Stub_count")],
    ("PA", "irregularity", {"kind": "cards_face_up"}, "irregularity.after_initial_deal"),
    *[("PA", "irregularity", {"kind": "cards_face_up", "after_initial_deal": wrong}, "irregularity.after_initial_deal")
        for wrong in NOT_FLAGS],
    *[("PA", "irregularity", {"kind": "stub_count", "cards": 52, "misdealt": wrong}, "irregularity.misdealt")
        for wrong in (None, 1, "true", LIST)],
    ("PA", "irregularity", {"kind": "dealing_shoe_fault", "misdealt": True}, "irregularity.misdealt"),
    ("LUNAR", "irregularity", {"kind": "stub_count", "cards": 52, "misdealt": False}, "irregularity.misdealt"),
    ("PA", "irregularity", {"kind": "stub_count"}, "irregularity.cards"),
    *[("PA", "irregularity", {"kind": "stub_count", "cards": wrong}, "irregularity.cards")
        for wrong in (-1, 105, 10**30, "52", 52.0, True, None, LIST)],
    ("PA", "irregularity", {"kind": "shuffler_fault", "cards": 51}, "irregularity.cards"),
    ("PA", "irregularity", {"kind": "dealer_card_exposed", "after_initial_deal": True}, "irregularity.after_initial_deal"),
    ("PA", "irregularity", {"kind": "dealer_card_exposed", "at": "flop"}, "irregularity.at"),
    ("LUNAR", "irregularity", {"kind": "fouled_deck", "cards": 52}, "irregularity.cards"),
    # seats
    *[("PA", f"seats.{key}", {}, f"seats.{key}") for key in ("0", "7", "01", "-1", "one", "2 ", "1" * 30)],
    ("PA", "seats.¹", {}, r"seats.'\xb9'"),
    ("LUNAR", "seats.6", {}, "seats.6"),
    *[("PA", "seats.2", wrong, "seats.2") for wrong in NOT_OBJECTS],
    *[("PA", f"seats.2.{key}", 1, f"seats.2.{key}") for key in ("name", "option", "declared", "Cards")],
    *[("MD", f"seats.1.{key}", "A", f"seats.1.{key}") for key in ("player", "option", "declared")],
    ("LUNAR", "seats.1.player", "A", "seats.1.player"),
    *[("PA", "seats.2.player", wrong, "seats.2.player") for wrong in (None, "", 1, True, LIST, OBJECT, "A" * 41)],
    *[("LUNAR", "seats.4.declared", wrong, "seats.4.declared") for wrong in NOT_FLAGS],
    # wagers
    *[("PA", "seats.2.wagers", wrong, "seats.2.wagers") for wrong in NOT_OBJECTS],
    ("PA", "seats.2.wagers", GONE, "seats.2.wagers"),
    *[("PA", f"seats.2.wagers.{key}", GONE, f"seats.2.wagers.{key}") for key in ("ante", "blind")],
    *[("LUNAR", f"seats.1.wagers.{key}", GONE, f"seats.1.wagers.{key}") for key in ("ante", "super")],
    *[("HEADS_UP", f"seats.6.wagers.{key}", GONE, f"seats.6.wagers.{key}") for key in ("ante", "odds")],
    *[("PA", f"seats.2.wagers.{key}", "5.00", f"seats.2.wagers.{key}") for key in ("play", "odds", "super", "envy", "Trips", "")],
    *[("MD", f"seats.1.wagers.{key}", "5.00", f"seats.1.wagers.{key}") for key in ("bad_beat_bonus", "five_card_player")],
    *[("LUNAR", f"seats.1.wagers.{key}", "5.00", f"seats.1.wagers.{key}") for key in ("blind", "bet", "options_fee", "super:4")],
    *[("HEADS_UP", f"seats.6.wagers.{key}", "5.00", f"seats.6.wagers.{key}") for key in ("blind", "raise", "trips", "super_on")],
    *[("PA", f"seats.2.wagers.{key}", wrong, f"seats.2.wagers.{key}")
        for key in ("ante", "blind", "trips", "progressive", "five_card_dealer") for wrong in [*NOT_MONEY, "0.00"]],
    ("PA", "seats.2.wagers.ante", "14.99", "seats.2.wagers.ante"),
    ("PA", "seats.2.wagers.blind", "15.01", "seats.2.wagers.blind"),
    ("PA", "seats.2.wagers.progressive", "5.00", "seats.2.wagers.progressive"),
    ("PA", "seats.2.wagers.five_card_player", "10.00", "seats.2.wagers.five_card_player"),
    ("PA", "seats.2.wagers.five_card_dealer", "4.99", "seats.2.wagers.five_card_dealer"),
    ("PA", "seats.2.wagers.trips", GONE, "seats.2.wagers.bad_beat_bonus"),
    ("MD", "seats.1.wagers.trips", GONE, "seats.1.wagers.six_card_bonus"),
    ("HEADS_UP", "seats.6.wagers.odds", "10.01", "seats.6.wagers.odds"),
    ("LUNAR", "seats.1.wagers.super", "4.99", "seats.1.wagers.super"),
    *[("PA", f"rules.{key}", GONE, f"seats.2.wagers.{wager}") for key, wager in
        (("progressive", "progressive"), ("bad_beat_bonus", "bad_beat_bonus"), ("five_card_hand", "five_card_player"))],
    *[("HEADS_UP", f"rules.{key}", GONE, f"seats.6.wagers.{key}") for key in ("pocket_bonus", "trips_plus")],
    ("PA", "rules.six_card_bonus", GONE, "cards.six_card"),
    ("LUNAR", "rules.super_on_others", GONE, "seats.1.wagers.super_on"),
    *[("LUNAR", "seats.1.wagers.super_on", wrong, "seats.1.wagers.super_on") for wrong in NOT_OBJECTS],
    *[("LUNAR", f"seats.1.wagers.super_on.{key}", "5.00", f"seats.1.wagers.super_on.{key}")
        for key in ("1", "2", "0", "6", "Dealer", "x")],
    *[("LUNAR", "seats.1.wagers.super_on.dealer", wrong, "seats.1.wagers.super_on.dealer") for wrong in [*NOT_MONEY, "4.99"]],
    # decisions
    *[("PA", "seats.2.decision", wrong, "seats.2.decision")
        for wrong in (GONE, None, True, 1, [], "", "check", "Fold", "bet", "instant", "play")],
    *[("LUNAR", "seats.1.decision", wrong, "seats.1.decision")
        for wrong in (GONE, None, True, 1, [], "", "check", "raise", "instant", {"at": "river", "wager": "10.00"})],
    ("PA", "seats.2.decision", {}, "seats.2.decision.at"),
    ("PA", "seats.2.decision", {"at": "river"}, "seats.2.decision.wager"),
    ("PA", "seats.2.decision.street", "flop", "seats.2.decision.street"),
    *[("PA", "seats.2.decision.at", wrong, "seats.2.decision.at") for wrong in ("turn", "Flop", "", None, 3, LIST, OBJECT)],
    *[("PA", "seats.2.decision.wager", wrong, "seats.2.decision.wager")
        for wrong in [*NOT_MONEY, "0.00", "15.00", "30.00", "59.99", "60.01", "75.00", "50.00"]],
    *[("PA", "seats.2.decision", {"at": "flop", "wager": wrong}, "seats.2.decision.wager") for wrong in ("15.00", "45.00")],
    *[("PA", "seats.2.decision", {"at": "river", "wager": wrong}, "seats.2.decision.wager") for wrong in ("14.99", "30.00")],
    *[("HEADS_UP", "seats.6.decision.wager", wrong, "seats.6.decision.wager") for wrong in ("9.99", "20.01", "30.00", "0.01")],
    *[("HEADS_UP", "seats.6.decision", {"at": "river", "wager": wrong}, "seats.6.decision.wager") for wrong in ("9.99", "10.01")],
    # options
    *[("LUNAR", "seats.1.option", wrong, "seats.1.option") for wrong in [*NOT_OBJECTS, {}]],
    ("LUNAR", "seats.1.option", {"buy": "2c", "exchange": {"discard": [], "draw": []}}, "seats.1.option"),
    ("LUNAR", "seats.1.option.sell", "2c", "seats.1.option.sell"),
    *[("LUNAR", "seats.1.option.buy", wrong, "seats.1.option.buy") for wrong in [*NOT_CARDS, "Ah", "Ac", "Qh"] if wrong != "Qh"],
    ("LUNAR", "seats.1.option.buy", "Qh", "seats.4.option.exchange.draw.0"),
    *[("LUNAR", "seats.4.option.exchange", wrong, "seats.4.option.exchange") for wrong in NOT_OBJECTS],
    *[("LUNAR", f"seats.4.option.exchange.{key}", GONE, f"seats.4.option.exchange.{key}") for key in ("discard", "draw")],
    *[("LUNAR", "seats.4.option.exchange.discard", wrong, "seats.4.option.exchange.discard")
        for wrong in (None, "3c", [], ["3c"], ["3c"] * 6)],
    *[("LUNAR", "seats.4.option.exchange.draw", wrong, "seats.4.option.exchange.draw")
        for wrong in (None, "Qh", [], ["Qh"], ["Qh", "Qd", "Qs"])],
    ("LUNAR", "seats.4.option.exchange.discard.1", "9c", "seats.4.option.exchange.discard.1"),
    ("LUNAR", "seats.4.option.exchange.discard.1", "3c", "seats.4.option.exchange.discard.1"),
    ("LUNAR", "seats.4.option.exchange.draw.1", "Qh", "seats.4.option.exchange.draw.1"),
    ("LUNAR", "seats.4.option.exchange.draw.1", "9d", "seats.4.option.exchange.draw.1"),
    # a void round is not a license: what lies there is still read strictly
    ("VOID", "seats.2.cards", ["Jh", "Th", "2d"], "seats.2.cards"),
    ("VOID", "cards.board", ["Ac"] * 6, "cards.board"),
    ("VOID", "cards.board.1", "Ah", "cards.board.1"),
    ("VOID", "cards.board", ["Ah"], "cards.board"),
    ("VOID", "seats.2.cards", ["Jh"], "seats.2.cards"),
    ("VOID", "seats.2.wagers.blind", "16.00", "seats.2.wagers.blind"),
    ("VOID", "seats.2.decision.wager", "61.00", "seats.2.decision.wager"),
    ("VOID", "meters.mega", GONE, "meters.mega"),
    ("VOID", "meters.mega", "0.10", "meters.mega"),
    ("VOID", "meters.five_card_reserve", "0.79", "meters.five_card_reserve"),
]  # fmt: skip


def spoilt(which: str, path: str, value: Any) -> Any:
    """One of the rounds with something put at a place, or taken away."""
    round_ = copy.deepcopy(ROUNDS[which])
    if not path:
        return value
    *way, last = path.split(".") if not path.endswith(".") else [*path[:-1].split("."), ""]
    found: Any = round_
    for step in way:
        found = found[int(step)] if isinstance(found, list) else found[step]
    if isinstance(found, list):
        found[int(last)] = value
    elif value is GONE:
        del found[last]
    else:
        found[last] = value
    return round_


@pytest.mark.parametrize("which", ROUNDS)
def test_the_rounds_are_right_before_they_are_spoilt(which: str) -> None:
    settle(parse_round(copy.deepcopy(ROUNDS[which])))


@pytest.mark.parametrize(
    ("which", "path", "value", "place"),
    TABLE,
    ids=[f"{row[0]} {row[1]} {'gone' if row[2] is GONE else ascii(row[2])[:30]}" for row in TABLE],
)
def test_it_is_refused_at_its_place(which: str, path: str, value: Any, place: str | None) -> None:
    with pytest.raises(Refusal) as refused:
        settle(parse_round(spoilt(which, path, value)))
    refusal = refused.value
    assert refusal.at == place or (path.endswith(".") and refusal.at == f"{place}''"), str(refusal)
    assert str(refusal).isascii()
    assert str(refusal).isprintable()
    assert len(str(refusal)) < 400
    assert any(mark in refusal.text for mark in (";", "missing", ",")), "names no remedy"


@pytest.mark.parametrize("which", ["PA", "LUNAR", "HEADS_UP"])
def test_a_void_round_needs_no_card_no_decision_and_nothing_drawn(which: str) -> None:
    round_ = copy.deepcopy(ROUNDS[which]) | {"irregularity": {"kind": "incorrect_number_of_cards"}}
    round_.pop("drawn", None)
    del round_["cards"]
    for seat in round_["seats"].values():
        del seat["cards"], seat["decision"]
        seat.pop("option", None)
    settled = settle(parse_round(round_))
    assert {payment.result for payment in settled.payments} == {"void"}


def test_there_are_hundreds_of_them() -> None:
    assert len(TABLE) > 500


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["Ah", "15.00", "fold"]),
    lambda inside: st.lists(inside, max_size=6) | st.dictionaries(st.text(max_size=10), inside, max_size=6),
    max_leaves=20,
)
PATHS = [(which, path) for which, path, *_ in TABLE if path]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PATHS), ANYTHING)
@pytest.mark.slow
def test_anything_anywhere_is_settled_or_refused(where: tuple[str, str], value: Any) -> None:
    """Bounds: any JSON value of up to twenty leaves at any place that the table above spoils."""
    try:
        settled = settle(parse_round(spoilt(*where, value)))
    except Refusal as refusal:
        assert "\n" not in str(refusal)
        return
    json.dumps(settled.as_object(), allow_nan=False)


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
@pytest.mark.slow
def test_anything_as_a_submission_is_read_or_refused(value: Any) -> None:
    """Bounds: any JSON value of up to twenty leaves."""
    try:
        parse_submission(value)
    except Refusal as refusal:
        assert "\n" not in str(refusal)
    else:
        assert isinstance(value, Mapping)
