"""Rounds as a lawyer would write them, read into the objects of the contract.

A seat is one line: its cards | its wagers | what the player did, and at Lunar Poker the option and the declaration:

    "Jh Th | ante 15.00, blind 15.00, trips 5.00 | plays 60.00 preflop | player A"
    "Ah Ad Kh 8c 9s | ante 5.00, super 5.00, super on dealer 5.00 | bets | buys 5h | declares nothing"

A payment is one line too: `2 blind wins 7500.00`, `2 progressive wins 900.00, stake kept, floor`, `4 envy for 2 wins
1000.00`, `1 trips loses`, `1 ante pushes`, `3 blind is void`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from firmware.rules.games.registry import game_of
from firmware.rules.known import Said
from firmware.rules.seat import DEALER, Choice, Round, Seat
from firmware.rules.told import Told

LAW = Path(__file__).with_name("law")
LUNAR = {"book": "pa-671a", "table_minimum": "5.00", "instant": {"paytable": "A"}, "super_on_others": {}}
"""What the tests of named hands file for Lunar Poker: every wager of the book."""


def law_file(name: str) -> dict[str, Any]:
    """One file of `law/`: the rules they share and the cases."""
    return tomllib.loads((LAW / name).read_text(encoding="utf-8"))


def round_file(rules: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """The object of a round file for one case."""
    filed = {key: value for key, value in (rules | case.get("rules", {})).items() if key not in case.get("without", ())}
    cards = {place: case[place].split() for place in ("board", "dealer", "six_card") if place in case}
    seats = {str(number): seat_object(line) for number, line in case["seats"].items()}
    written: dict[str, Any] = {"rules": filed, "cards": cards, "seats": seats}
    for key in ("meters", "drawn", "irregularity"):
        if key in case:
            written[key] = case[key]
    return written


def seat_object(line: str) -> dict[str, Any]:
    """One seat from its line."""
    cards, wagers, *rest = (part.strip() for part in line.split("|"))
    seat: dict[str, Any] = {"cards": cards.split(), "wagers": {}}
    for wager in wagers.split(","):
        *name, stake = wager.split()
        if name[:2] == ["super", "on"]:
            seat["wagers"].setdefault("super_on", {})[name[2]] = stake
        else:
            seat["wagers"]["_".join(name)] = stake
    for part in rest:
        seat |= did(part.split())
    return seat


def did(words: list[str]) -> dict[str, Any]:
    """What a player did, said, or is called."""
    match words:
        case ["plays" | "raises", stake, ("preflop" | "flop" | "river") as street]:
            return {"decision": {"at": street, "wager": stake}}
        case ["folds"]:
            return {"decision": "fold"}
        case ["leaves"]:
            return {"decision": "abandoned"}
        case ["bets"]:
            return {"decision": "bet"}
        case ["takes", "the", "instant", "payout"]:
            return {"decision": "instant"}
        case ["undecided"]:
            return {}
        case ["player", label]:
            return {"player": label}
        case ["buys", card]:
            return {"option": {"buy": card}}
        case ["exchanges", *cards]:
            half = cards.index("for")
            return {"option": {"exchange": {"discard": cards[:half], "draw": cards[half + 1 :]}}}
        case ["declares", "nothing"]:
            return {"declared": False}
    raise ValueError(f"what is {' '.join(words)!r}?")


def payment_line(payment: dict[str, Any]) -> str:
    """One payment of a settlement in words."""
    envied = f" for {payment['for_seat']}" if "for_seat" in payment else ""
    said = {"win": f"wins {payment['payout']}", "lose": "loses", "push": "pushes", "void": "is void"}[payment["result"]]
    kept = payment["result"] == "win" and payment["returned"] != payment["stake"]
    notes = [
        *(["stake kept"] if kept else []),
        *(["floor"] if payment["floor"] else []),
        *(["limited"] if payment.get("limited") else []),
        *([f"undeclared {payment['undeclared']}"] if "undeclared" in payment else []),
    ]
    return ", ".join([f"{payment['seat']} {payment['wager']}{envied} {said}", *notes])


def told_of_round(round_: Round, number: int) -> Told:
    """What would truly be said of a seat of a round whose cards are all known: declared hands too, after the options."""
    game = game_of(round_.submission.book.name)
    dealer, hands = game.hands(round_)
    return game.told_of_round(round_, round_.seats[number], hands[number], dealer)


def said_of(seat: Seat) -> Said:
    """What lies at a seat and was decided there; nothing was told of it yet."""
    backed = [f"super:{'dealer' if on == DEALER else on}" for on in seat.super_on]
    option = None if seat.option is None else seat.option.exchanged
    return Said(seat.choice or Choice.NONE, (*seat.wagers, *backed), option, seat.declared, seat.number)
