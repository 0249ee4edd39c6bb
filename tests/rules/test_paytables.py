"""Every row of every paytable, from a round that makes exactly that hand to the cents that are paid for it.

`paytables.toml` is a second copy of the texts, made apart from the books. The stake is 2.00 for every wager but the
progressive, so that 3 to 2 has no half cent.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from firmware.rules.book import meter_offer, meters
from firmware.rules.games import books, load_book
from firmware.rules.money import cents, dollars
from firmware.rules.paytable import ONLY, read_rate
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle

TABLES = tomllib.loads(Path(__file__).with_name("paytables.toml").read_text(encoding="utf-8"))
ROWS = [
    pytest.param(book, wager, letter, hand, odds.split(" | ")[place], id=f"{book} {wager} {letter} {hand}")
    for book, wagers in TABLES.items()
    for wager, table in wagers.items()
    for place, letter in enumerate(table["of"])
    for hand, odds in table.items()
    if hand != "of"
]

# Two cards and a flop that make the hand with no turn or river's help; the rest of the board and the dealer stay low.
FLOPPED = {
    "royal flush": ("As Ks", "Qs Js Ts"),
    "straight flush": ("9s 8s", "7s 6s 5s"),
    "four of a kind": ("9s 9h", "9c 9d 5s"),
    "full house": ("9s 9h", "9c 5d 5s"),
    "flush": ("As 9s", "7s 6s 5s"),
    "straight": ("9s 8h", "7s 6s 5s"),
    "three of a kind": ("9s 9h", "9c Qd 5s"),
    "two pair": ("9s Qh", "9c Qd 5s"),
    "pair": ("9s 9h", "Ac Qd 5s"),
    "high card": ("9s 7h", "Ac Qd 5s"),
}
LAST_TWO = "4d 2h"
# The dealer's two cards that lose to the hand above, or beat it (the bad beats).
BEATEN_BY = {
    "straight flush": ("4s 3s", "7s 6s 5s", "9s 8s"),
    "four of a kind": ("5h 5c", "9c 9d 5s 5d 2h", "9s 9h"),
    "full house": ("5h 9h", "9c 5d 5s", "9s 9d"),
    "flush": ("As 9s", "7s 6s 5s", "8s 4s"),
    "straight": ("9s 8h", "7s 6s 5s", "As Ks"),
    "three of a kind": ("5h Kh", "5c 7d 5s", "7h 7c"),
    "two pair": ("9s Qh", "9c Qd 5s", "5h 5c"),
    "pair": ("9s 9h", "Ac Qd 5s", "Ah Qs"),
    "high card": ("9s 7h", "Ac Qd 5s", "Ah Qs"),
}
SIX_CARDS = {
    "six-card royal flush, diamonds": ("Td 9d", "Ad Kd Qd Jd"),
    "six-card royal flush": ("Th 9h", "Ah Kh Qh Jh"),
    "royal flush": ("Th 2d", "Ah Kh Qh Jh"),
    "straight flush": ("9h 8h", "Kh Qh Jh Th"),
    "four of a kind": ("9h 9c", "9d 9s Jh Jd"),
    "full house": ("9h 9c", "9d 2s Jh Jd"),
    "flush": ("9h 6h", "7h 5h Jh Jd"),
    "straight": ("9h 8s", "7h 6h 5d Jd"),
    "three of a kind": ("9h 9s", "9d 6h 5d Jd"),
    "two pair": ("9h 9s", "6d 6h 5d Jd"),
    "pair": ("9h 9s", "6d 7h 5d Jd"),
    "high card": ("9h 2s", "6d 7h 5d Jd"),
}
LUNAR = {
    "four of a kind": "9h 9c 9d 9s Jh",
    "five picture cards": "Kh Kc Qd Js Jh",
    "full house": "9h 9c 9d Js Jh",
    "flush": "9h 2h 7h 5h Jh",
    "straight": "9h 8s 7h 6h 5d",
    "three of a kind": "9h 9s 9d 6h 5d",
    "ace-king-queen": "Ah Ks Qd 6h 5d",
    "same colored five": "Jh Td 8d 6h 5d",
    "two pair": "9h 9s 6d 6h 5d",
    "pair": "9h 9s 6d 7h 5d",
    "high card": "Qh 9s 6d 7h 5d",
    "ace-king": "Ah Ks 6d 7h 5d",
}
POCKETS = {
    "pair of aces": ["As Ah"],
    "ace and king, queen or jack, same suit": ["As Ks", "Qs As", "As Js"],
    "ace and king, queen or jack, different suits": ["As Kh", "Qs Ah", "Ac Js"],
    "pair of 2s to kings": [f"{rank}s {rank}c" for rank in "23456789TJQK"],
    "nothing": ["As Th", "Ks Qs", "Kh Jh", "2c 7h"],
}


def submission(book: str, wager: str, letter: str) -> dict[str, Any]:
    """A submission that offers the wager by that paytable."""
    filed: dict[str, Any] = {"book": book, "table_minimum": "2.00"}
    if book in ("pa-653a", "md-36.05.16"):
        filed |= {"blind": {"paytable": "A"}, "trips": {"paytable": "A"}}
    if book == "pa-671a":
        filed |= {"instant": {"paytable": "A"}}
    if wager == "progressive":
        choice = {"seed": "10000.00", "rate": "21"} if letter == ONLY else {"paytable": letter}
        return filed | {"progressive": {"wager": "1.00", **choice}}
    if wager == "five_card_hand":
        return filed | {"five_card_hand": {"wager": "2.00"}}
    return filed if letter == ONLY else filed | {wager: {"paytable": letter}}


def holdem(
    book: str, rules: dict[str, Any], seat: str, flop: str, dealer: str, wagers: dict[str, str], **more: Any
) -> Any:
    """One seat that played preflop, settled."""
    blind = {"odds": "2.00"} if book == "pa-677a" else {"blind": "2.00"}
    round_ = {
        "rules": rules,
        "cards": {"board": f"{flop} {LAST_TWO}".split()[:5], "dealer": dealer.split(), **more.get("cards", {})},
        "meters": more.get("meters", {}),
        "seats": {
            "1": {
                "cards": seat.split(),
                "wagers": {"ante": "2.00"} | blind | wagers,
                "decision": {"at": "preflop", "wager": "6.00"},
            }
        },
    }
    return settle(parse_round(round_)).as_object()


def paid(settled: Any, wager: str) -> Any:
    """The one payment of a wager."""
    [payment] = [payment for payment in settled["payments"] if payment["wager"] == wager]
    return payment


def expect(payment: Any, odds: str, stake: str, below: str = "lose", meter: str = "20000.00") -> None:
    """The payment is what a row says: the odds, the cents, whether the stake comes back."""
    if odds == "-":
        assert payment["result"] == below
        assert payment["payout"] == "0.00"
        return
    assert payment["result"] == "win"
    assert payment["odds"] == odds
    if odds.startswith("$"):
        assert payment["payout"] == odds[1:].replace(",", "") + ".00"
        assert payment["returned"] == stake
    elif "%" in odds:
        assert payment["payout"] == {"100": meter, "10": dollars(cents(meter) // 10)}[odds.split("%")[0]]
        assert payment["returned"] == "0.00"
        assert payment["meter"] == odds.split(" of ")[1]
        assert payment["source"] == "cage"
    else:
        win, kind, on = odds.split()
        assert cents(payment["payout"]) * int(on) == cents(stake) * int(win)
        assert payment["returned"] == (stake if kind == "to" else "0.00")


@pytest.mark.parametrize(("book", "wager", "letter", "hand", "odds"), ROWS)
def test_row(book: str, wager: str, letter: str, hand: str, odds: str) -> None:
    rules = submission(book, wager, letter)
    if book == "pa-671a":
        row_of_lunar(rules, wager, hand, odds)
    elif wager == "pocket_bonus":
        for pocket in POCKETS[hand]:
            settled = holdem(book, rules, pocket, "9d 9h 5d", "3d 3h", {wager: "2.00"})
            expect(paid(settled, wager), odds, "2.00")
    elif wager == "six_card_bonus":
        seat, six = SIX_CARDS[hand]
        wagers = {wager: "2.00", "trips": "2.00"}
        settled = holdem(book, rules, seat, "3h 8c 4c", "3c 3s", wagers, cards={"six_card": six.split()})
        expect(paid(settled, wager), odds, "2.00")
    elif wager in ("bad_beat_bonus", "bad_beat"):
        row_of_a_bad_beat(book, rules, wager, hand, odds)
    else:
        row_of_a_flopped_hand(book, rules, wager, hand, odds)


def row_of_a_flopped_hand(book: str, rules: dict[str, Any], wager: str, hand: str, odds: str) -> None:
    seat, flop = FLOPPED[hand]
    made = {"five_card_hand": "five_card_player"}.get(wager, wager)
    stake = "1.00" if wager == "progressive" else "2.00"
    wagers = {} if made in ("blind", "odds") else {made: stake}
    names = {
        "progressive": ("main", "mega", "major", "minor"),
        "five_card_hand": ("five_card", "five_card_reserve"),
    }.get(wager, ())
    known = parse_round_meters(rules, names)
    settled = holdem(book, rules, seat, flop, "3c Jc", wagers, meters=known)
    won = settled["payments"][0]["result"] != "lose"
    assert settled["seats"]["1"]["hand"] == hand
    if made in ("blind", "odds"):
        expect(paid(settled, made), odds, stake, below="push" if won and hand != "high card" else "lose")
    else:
        expect(paid(settled, made), odds, stake)


def parse_round_meters(rules: dict[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Twenty thousand dollars on every meter the rules know."""
    book = load_book(rules["book"])
    section = "progressive" if "progressive" in rules else "five_card_hand"
    letter = rules.get(section, {}).get("paytable", ONLY)
    return {name: "20000.00" for name in names if name in book.meters[section][letter]}


def row_of_a_bad_beat(book: str, rules: dict[str, Any], wager: str, hand: str, odds: str) -> None:
    seat, flop, dealer = BEATEN_BY[hand]
    wagers = {} if wager == "bad_beat" else {"bad_beat_bonus": "2.00", "trips": "2.00"}
    settled = holdem(book, rules, seat, flop, dealer, wagers)
    assert settled["seats"]["1"]["hand"] == hand
    assert paid(settled, "ante")["result"] == "lose"
    expect(paid(settled, "odds" if wager == "bad_beat" else "bad_beat_bonus"), odds, "2.00")
    if wager == "bad_beat_bonus":  # and the other way round: the dealer's hand is beaten
        settled = holdem(book, rules, dealer, flop, seat, wagers)
        assert settled["dealer"]["hand"] == hand
        expect(paid(settled, "bad_beat_bonus"), odds, "2.00")


def row_of_lunar(rules: dict[str, Any], wager: str, hand: str, odds: str) -> None:
    first = {"royal flush": "As Ks Qs Js Ts", "straight flush": "Ks Qs Js Ts 9s"}.get(hand) or LUNAR[hand]
    seat: dict[str, Any] = {"cards": first.split(), "wagers": {"ante": "2.00", "super": "2.00"}, "decision": "bet"}
    if wager == "instant":
        seat["decision"] = "instant"
    elif hand in ("royal flush", "straight flush"):
        seat |= {"cards": [*first.split()[:4], "2d"], "option": {"buy": first.split()[4]}}
    cards = {"dealer": ["Ac", "Kd", "2c", "3c", "4s"]}
    settled: Any = settle(parse_round({"rules": rules, "cards": cards, "seats": {"1": seat}})).as_object()
    made = {"instant": "ante"}.get(wager, wager)
    if odds == "-" and wager == "bet":
        assert paid(settled, made)["result"] == "lose"
        return
    expect(paid(settled, made), odds, "4.00" if wager == "bet" else "2.00")


@pytest.mark.parametrize("book", books())
def test_every_row_of_the_book_is_in_the_second_copy(book: str) -> None:
    for wager, tables in load_book(book).paytables.items():
        if wager not in TABLES[book]:
            assert wager in ("ante", "play", "raise", "magic_card", "lucky_bonus")
            continue
        copied = TABLES[book][wager]
        assert list(tables) == copied["of"]
        for table in tables.values():
            assert set(table.rows) | set(table.shares) <= set(copied)


# 653a.12(d)(3): the letter, the meter, the seed for a wager of $1, what goes to it of each $1, in dollars.
SEEDS_AND_RATES = [
    ("A", "main", 10_000, "0.21"),
    ("B", "mega", 10_000, "0.11"),
    ("B", "major", 1_000, "0.10"),
    ("C", "mega", 10_000, "0.09"),
    ("C", "major", 1_000, "0.07"),
    ("C", "minor", 250, "0.03"),
    ("D", "mega", 10_000, "0.10"),
    ("D", "major", 1_000, "0.08"),
    ("D", "minor", 250, "0.03"),
]


@pytest.mark.parametrize(("letter", "meter", "seed", "contribution"), SEEDS_AND_RATES)
def test_653a_12_d_3_seeds_and_rates(letter: str, meter: str, seed: int, contribution: str) -> None:
    for price in (1, 5):
        offered = meter_offer(load_book("pa-653a"), "progressive", letter, cents(f"{price}.00"))
        assert offered.meters[meter].seed == seed * price * 1_000_000
        assert offered.meters[meter].contribution == cents(contribution) * price * 10_000
    assert sum(len(load_book("pa-653a").meters["progressive"][each]) for each in "ABCD") == len(SEEDS_AND_RATES)


def test_653a_12_e_4_the_five_card_meter_and_its_reserve() -> None:
    found = meters(load_book("pa-653a"), "five_card_hand", ONLY, cents("2.50"))
    assert (found["five_card"].seed, found["five_card"].contribution) == (25_000_000_000, 325_000)
    assert (found["five_card_reserve"].seed, found["five_card_reserve"].contribution) == (0, 200_000)


def test_maryland_12D_3_seed_and_rate_are_the_casinos() -> None:
    book = load_book("md-36.05.16")
    offered = meter_offer(book, "progressive", ONLY, cents("5.00"), seed=cents("12345.67"), rate=read_rate("0.0001"))
    assert (offered.meters["main"].seed, offered.meters["main"].contribution) == (12_345_670_000, 5)
    with pytest.raises(ValueError, match="files the seed"):
        meter_offer(book, "progressive", ONLY, cents("5.00"), rate=read_rate("21"))
    with pytest.raises(ValueError, match="files the rate"):
        meter_offer(book, "progressive", ONLY, cents("5.00"), seed=cents("10000.00"))


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_envy_of_one_and_five_dollars(book: str) -> None:
    envy = load_book(book).envy
    assert {price: {str(hand): bonus for hand, bonus in rows.items()} for price, rows in envy.items()} == {
        cents("1.00"): {"royal flush": cents("1000.00"), "straight flush": cents("300.00")},
        cents("5.00"): {"royal flush": cents("5000.00"), "straight flush": cents("1500.00")},
    }
