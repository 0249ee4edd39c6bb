"""What the other reading would pay: every amount that a reading names is made here by the law, from cards or a paytable."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from operator import mul
from typing import Any

import pytest

from firmware.rules.games import books, load_book
from firmware.rules.hands import CLASSES
from firmware.rules.meter_wagers import prize_of
from firmware.rules.money import Cents
from firmware.rules.payment import Payment
from firmware.rules.payout_bounds import most
from firmware.rules.paytable import Fixed
from firmware.rules.poster import readings, table_readings
from firmware.rules.round import parse_round
from firmware.rules.settlement import Settlement, settle
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission
from tests.rules.law_rounds import seat_object
from tests.rules.test_hands import FREQUENCIES

GAMES = ("pa-653a", "md-36.05.16", "pa-671a", "pa-677a")
TABLES = {"blind": {"paytable": "A"}, "trips": {"paytable": "A"}}
RULES: dict[str, dict[str, Any]] = {
    "pa-653a": TABLES
    | {
        "progressive": {"paytable": "A", "wager": "1.00"},
        "five_card_hand": {"wager": "1.00"},
        "six_card_bonus": {"paytable": "E"},
        "bad_beat_bonus": {"paytable": "A"},
    },
    "md-36.05.16": TABLES
    | {"progressive": {"wager": "1.00", "seed": "10000.00", "rate": "21"}, "six_card_bonus": {"paytable": "A"}},
    "pa-671a": {"instant": {"paytable": "A"}, "super_on_others": {}},
    "pa-677a": {"pocket_bonus": {"paytable": "A"}, "trips_plus": {"paytable": "A"}},
}
MONEY = re.compile(r"\$\d{1,3}(?:,\d{3})*(?:\.\d\d)?")
METER = "100000.00"


def rules_of(book: str, **more: Any) -> dict[str, Any]:
    return {"book": book, "table_minimum": "15.00", **RULES[book], **more}


def settled(
    book: str, board: str, dealer: str, seats: dict[int, str], rules: dict[str, Any] | None = None, **more: Any
) -> Settlement:
    cards: dict[str, Any] = {"dealer": dealer.split()} | ({"board": board.split()} if board else {})
    cards |= {"six_card": more.pop("six_card").split()} if "six_card" in more else {}
    filed = {"rules": rules_of(book, **(rules or {})), "cards": cards, **more}
    return settle(parse_round(filed | {"seats": {str(seat): seat_object(line) for seat, line in seats.items()}}))


def line(found: Settlement, wager: str, seat: int = 1) -> Payment:
    [payment] = [each for each in found.payments if each.wager == wager and each.seat == seat]
    return payment


def money(*cents: int) -> set[str]:
    """As a reading writes amounts."""
    whole = {f"${amount // 100:,}" for amount in cents if amount % 100 == 0}
    return whole | {f"${amount // 100:,}.{amount % 100:02d}" for amount in cents if amount % 100}


def on(book: str, wager: str, row: str, stake: int, paytable: str = "A") -> int:
    """What a row of a paytable brings on a stake of so many dollars."""
    tables = load_book(book).paytables[wager]
    return tables[paytable if paytable in tables else "only"].rows[row].payout(Cents(stake * 100))


# Rounds -----------------------------------------------------------------------------------------------------------------

STAKES = {
    "pa-653a": "ante 15.00, blind 15.00 | plays 60.00 preflop",
    "md-36.05.16": "ante 15.00, blind 15.00 | plays 60.00 preflop",
    "pa-677a": "ante 15.00, odds 15.00 | raises 45.00 preflop",
}


def a_pair_beats_a_pair(book: str) -> set[str]:
    """What is won, what was staked, and each stake."""
    if book == "pa-671a":
        won = settled(book, "", "2c 2d Ah 7s 9c", {1: "3c 3d Kh 8s 6h | ante 15.00, super 15.00 | bets"})
    else:
        won = settled(book, "4h 6s 9c Jd 7h", "2c 2d", {1: f"3c 3d | {STAKES[book]}"})
    game = [each for each in won.payments if each.wager != "super"]
    staked = sum(each.stake for each in game)
    assert all(each.result != "lose" for each in game)
    return money(staked, sum(each.payout for each in game), *(each.stake for each in game))


def threes_beat_deuces_with_an_ace(book: str) -> set[str]:
    """Reading 13: 3-3-K beats 2-2-A."""
    if book == "pa-671a":
        return a_pair_beats_a_pair(book)
    board = "Kd 6s 9c Jd 7h"
    found = settled(book, board, "2c 2d", {1: f"3c 3d | {STAKES[book]}"})
    assert found.qualifies and all(each.result != "lose" for each in found.payments)
    return a_pair_beats_a_pair(book)


def two_meter_hands(book: str) -> set[str]:
    """Seat 5's straight flush and seat 2's royal flush, in the law's order, and seat 5's royal flush first."""
    meters = dict.fromkeys(("main", "five_card", "five_card_reserve"), METER)
    wagers = "ante 15.00, blind 15.00, progressive 1.00 | folds"
    rules = {name: section for name, section in RULES[book].items() if name != "five_card_hand"}
    base = {"book": book, "table_minimum": "15.00", **rules}
    paid = []
    for second, fifth in (("Ah Kh", "9h 8h"), ("9h 8h", "Ah Kh")):
        seats = {"2": seat_object(f"{second} | {wagers}"), "5": seat_object(f"{fifth} | {wagers}")}
        cards = {"board": ["Th", "Jh", "Qh", "2c", "3d"], "dealer": ["7c", "7d"]}
        found = settle(parse_round({"rules": base, "cards": cards, "meters": {"main": meters["main"]}, "seats": seats}))
        paid += [each.payout for each in found.payments if each.wager == "progressive"]
    assert paid == [1_000_000, 9_000_000, 10_000_000, 100_000]
    seed = 1_000_000
    return money(*paid, *([100] if book == "pa-653a" else [seed]))


def both_backers_of_the_dealer(book: str) -> set[str]:
    wagers = "ante 15.00, blind 15.00, five card dealer 1.00 | folds"
    meters = {"five_card": METER, "five_card_reserve": "0.00", "main": METER}
    found = settled(book, "Th Jh Qh 2c 3d", "Ah Kh", {1: f"4c 5d | {wagers}", 2: f"4s 5s | {wagers}"}, meters=meters)
    each = line(found, "five_card_dealer").payout
    assert each == line(found, "five_card_dealer", 2).payout == 5_000_000
    return money(10_000_000, each, each // 2)


def envy(book: str) -> set[str]:
    """The holder of the royal flush has no wager of his own."""
    paid = []
    for price in ("1.00", "5.00"):
        offer = {"progressive": RULES[book]["progressive"] | {"wager": price}}
        seats = {
            2: "Ah Kh | ante 15.00, blind 15.00 | folds",
            1: f"4c 5d | ante 15.00, blind 15.00, progressive {price} | folds",
        }
        found = settled(book, "Th Jh Qh 2c 3d", "7c 7d", seats, offer, meters={"main": METER})
        paid.append(line(found, "envy").payout)
    return money(*paid, 500)


def full_house(book: str) -> set[str]:
    wager = "trips_plus" if book == "pa-677a" else "trips"
    full, three = (on(book, wager, row, 5) for row in ("full house", "three of a kind"))
    return money(full + three, 500, full)


def a_royal_when_the_dealer_shows(book: str) -> set[str]:
    wagers = "ante 15.00, blind 15.00, trips 5.00, progressive 1.00 | undecided"
    found = settled(
        book, "Th Jh Qh 2c 3d", "7c 7d", {1: f"Ah Kh | {wagers}"},
        meters={"main": METER}, irregularity={"kind": "dealer_card_exposed"},
    )  # fmt: skip
    assert line(found, "progressive").result == "void"
    return money(line(found, "progressive").returned, line(found, "trips").stake, line(found, "trips").payout)


def instead_of_a_push(book: str) -> set[str]:
    """Maryland's Blind paytable B: a winning straight is returned; paytable A pays it."""
    table = {"blind": {"paytable": "B"}}
    found = settled(book, "4h 6s 9c Jd 7h", "2c 2d", {1: f"5c 8d | {STAKES[book]}"}, table)
    assert (line(found, "blind").result, line(found, "blind").returned) == ("push", 1500)
    return money(1500, on(book, "blind", "straight", 15))


def two_rows_of_six_cards(book: str) -> set[str]:
    table = "E" if book == "pa-653a" else "A"
    stakes = STAKES[book].replace(" |", ", trips 5.00, six_card_bonus 5.00 |")
    found = settled(book, "4h 6s 9c Jc 7h", "2c 2s", {1: f"Ad Kd | {stakes}"}, six_card="Qd Jd Td 9d")
    royal, paid = on(book, "six_card_bonus", "royal flush", 5, table), line(found, "six_card_bonus").payout
    return money(500, paid, paid + royal)


def fixed_prizes(book: str, cards: int) -> int:
    """What the fixed prizes return of $1 in the long run, stakes included, in cents, rounded."""
    rules = parse_submission(rules_of(book))
    prizes = [prize_of(rules, "progressive", name) for name in CLASSES]
    paid = [prize.amount + prize.returned if isinstance(prize, Fixed) else 0 for prize in prizes]
    return round(Fraction(sum(map(mul, paid, FREQUENCIES[cards])), sum(FREQUENCIES[cards])))


def most_of(book: str, boxes: int, minimum: str = "95.00") -> Cents:
    several = {"adjacent_boxes": boxes} if boxes > 1 else {}
    return most(parse_submission(rules_of(book, table_minimum=minimum, **several)), boxes).amount


def three_to_two(book: str) -> set[str]:
    paid = on(book, "odds" if book == "pa-677a" else "blind", "flush", 15)
    return money(1500, paid, paid // 100 * 100, -(-paid // 100) * 100)


def supers(*rows: str) -> set[str]:
    return money(1500, *(on("pa-671a", "super", row, 15) for row in rows))


def super_rows_as_felt_reads_them(book: str) -> set[str]:
    """A straight flush and a royal flush of red cards, and KKKQQ, on $15 each; beside them what a flush would bring."""
    seats = {
        1: "5h 6h 7h 8h 9h | ante 15.00, super 15.00 | takes the instant payout",
        2: "Ad Kd Qd Jd Td | ante 15.00, super 15.00 | takes the instant payout",
        3: "Kh Kc Ks Qh Qs | ante 15.00, super 15.00 | bets",
    }
    found = settled(book, "", "2c 2d 7s 9c Jc", seats)
    paid = [line(found, "super", seat).payout for seat in seats]
    assert paid == [3000, 7500, 225_000]
    return supers("flush", "full house") | money(*paid)


def second_combinations(book: str) -> set[str]:
    """Six hearts, and 344567 in two suits, on a bet of $30: both combinations together and one of them."""
    seats = {
        1: "2h 5h 7h 9h Kh | ante 15.00, super 15.00 | bets | buys Jh",
        2: "3c 4c 4d 5d 6c | ante 15.00, super 15.00 | bets | buys 7d",
    }
    found = settled(book, "", "Ac Ks 8s 9s Tc", seats)
    paid = []
    for seat in seats:
        first, second = line(found, "bet", seat), line(found, "bet:second", seat)
        assert first.payout == second.payout
        paid += [first.payout, first.payout + second.payout]
    return money(3000, *paid)


def a_straight_that_was_bought(book: str) -> set[str]:
    seats = {1: "3c 4c 5d 6c Kd | ante 15.00, super 15.00 | bets | buys 7d"}
    found = settled(book, "", "2c 2d 7s 9c Jc", seats)
    assert found.qualifies
    found = settled(book, "", "2c Qd 7s 9c Jc", seats)
    assert not found.qualifies
    return money(line(found, "ante").payout, on(book, "ante", "any other hand", 15))


def instant(book: str) -> set[str]:
    return money(1500, on(book, "instant", "royal flush", 15))


def a_fee_that_comes_back(book: str) -> set[str]:
    seats = {1: "3c 4c 5d 6c Kd | ante 15.00, super 15.00 | bets | buys 7d"}
    found = settled(book, "", "", seats, irregularity={"kind": "incorrect_number_of_cards"})
    return money(line(found, "options_fee").returned)


def a_folded_pair_of_aces(book: str) -> set[str]:
    found = settled(book, "4h 6s 9c Jd 7h", "2c 2d", {1: "Ac Ad | ante 15.00, odds 15.00, pocket_bonus 5.00 | folds"})
    return money(500, line(found, "pocket_bonus").payout)


def a_bad_beat_of_one_rank(book: str) -> set[str]:
    """Three of a kind loses to three of a kind: both hold the board's."""
    stakes = STAKES[book].replace(" |", ", trips 5.00, bad_beat_bonus 5.00 |")
    found = settled(book, "9h 9s 9c 4d 2h", "Ac Kd", {1: f"Qc Jd | {stakes}"})
    return money(500, line(found, "bad_beat_bonus").payout)


def a_losing_straight(book: str) -> set[str]:
    found = settled(book, "4h 6s 7c Jd 8h", "9c Td", {1: f"5c 2d | {STAKES[book]}"})
    assert line(found, "odds").returned == 1500
    return money(1500, line(found, "odds").payout)


def three_of_a_kind_goes_back(book: str) -> set[str]:
    return money(500, on(book, "trips_plus", "three of a kind", 5))


def one_cent_and_a_fold(book: str) -> set[str]:
    """The raise of one cent that Felt refuses, and what a folder loses."""
    with pytest.raises(Refusal) as refused:
        settled(book, "4h 6s 9c Jd 7h", "2c 2d", {1: "3c Td | ante 15.00, odds 15.00 | raises 0.01 preflop"})
    assert refused.value.at == "seats.1.decision.wager"
    found = settled(book, "4h 6s 9c Jd 7h", "2c 2d", {1: "3c Td | ante 15.00, odds 15.00 | folds"})
    lost = sum(each.stake for each in found.payments)
    assert lost == 3000
    return {"$15", "$30.00"} | money(lost + 1)


def the_limit(book: str) -> set[str]:
    two = most_of(book, 1 if book == "md-36.05.16" else 2)
    limit = load_book(book).limit
    assert limit is not None and most_of(book, 1) >= limit.times_minimum * 9500
    both = {"$100,000"} if book == "pa-653a" else money(two - limit.least)
    return money(two, limit.least, 9500) | both


def seeds(book: str) -> set[str]:
    offer = {"progressive": RULES[book]["progressive"] | {"wager": "5.00"}}
    [main] = [each for name, each in parse_submission(rules_of(book, **offer)).meters.items() if name == "main"]
    if book == "md-36.05.16":
        assert main.seed == 10_000 * 1_000_000
        return {"$5", "$50,000"}
    assert main.seed == 50_000 * 1_000_000
    return {"$5", "$10,000", "$40,000"}


OTHER: dict[int, Callable[[str], set[str]]] = {
    3: two_meter_hands,
    4: both_backers_of_the_dealer,
    5: envy,
    11: the_limit,
    13: threes_beat_deuces_with_an_ace,
    15: two_rows_of_six_cards,
    16: seeds,
    18: three_to_two,
}
"""By number, where the books' amounts are made alike."""
OF_A_BOOK: dict[tuple[str, int], Callable[[str], set[str]]] = {
    **dict.fromkeys([("pa-653a", 6), ("md-36.05.16", 6), ("pa-677a", 6)], full_house),
    **dict.fromkeys([("pa-653a", 12), ("md-36.05.16", 12)], a_royal_when_the_dealer_shows),
    ("md-36.05.16", 1): lambda book: {
        "$1",
        f"${fixed_prizes(book, 7) / 100:.2f}",
        f"${fixed_prizes(book, 5) / 100:.2f}",
    },
    ("md-36.05.16", 10): lambda book: {"$15"},
    ("md-36.05.16", 14): instead_of_a_push,
    ("pa-653a", 10): a_bad_beat_of_one_rank,
    ("pa-671a", 2): lambda book: supers("flush"),
    ("pa-671a", 6): super_rows_as_felt_reads_them,
    ("pa-671a", 7): second_combinations,
    ("pa-671a", 8): a_straight_that_was_bought,
    ("pa-671a", 12): a_fee_that_comes_back,
    ("pa-671a", 17): lambda book: instant(book) | supers("flush"),
    ("pa-677a", 2): a_folded_pair_of_aces,
    ("pa-677a", 9): a_losing_straight,
    ("pa-677a", 12): three_of_a_kind_goes_back,
    ("pa-677a", 19): one_cent_and_a_fold,
}
AT_THE_TABLE: dict[tuple[str, int], Callable[[str], set[str]]] = {
    ("pa-671a", 7): instant,
    **{(book, 7): lambda book: stakes_and_winnings(book) for book in ("pa-653a", "md-36.05.16", "pa-677a")},
    **dict.fromkeys([(book, 8) for book in GAMES], a_pair_beats_a_pair),
}


def stakes_and_winnings(book: str) -> set[str]:
    """Without the single stakes, which reading 7 does not name."""
    found = settled(book, "4h 6s 9c Jd 7h", "2c 2d", {1: f"3c 3d | {STAKES[book]}"})
    return money(sum(each.stake for each in found.payments), sum(each.payout for each in found.payments))


def nothing(book: str) -> set[str]:
    return set()


@pytest.mark.parametrize(("book", "number"), [(book, each.number) for book in GAMES for each in readings(book)])
def test_what_the_other_reading_would_pay_is_what_the_law_makes_it(book: str, number: int) -> None:
    [reading] = [each for each in readings(book) if each.number == number]
    made = OF_A_BOOK.get((book, number)) or OTHER.get(number, nothing)
    assert set(MONEY.findall(reading.other)) == made(book)


@pytest.mark.parametrize(("book", "number"), [(book, each.number) for book in GAMES for each in table_readings(book)])
def test_what_the_other_reading_of_the_table_would_pay(book: str, number: int) -> None:
    [reading] = [each for each in table_readings(book) if each.number == number]
    assert set(MONEY.findall(reading.other)) == AT_THE_TABLE.get((book, number), nothing)(book)


def test_12d_an_envy_hand_of_seven_cards_is_twenty_times_as_frequent() -> None:
    five, seven = (Fraction(sum(FREQUENCIES[cards][-2:]), sum(FREQUENCIES[cards])) for cards in (5, 7))
    assert round(seven / five) == 20
    assert "twenty times" in readings("pa-653a")[0].other


@pytest.mark.parametrize("book", GAMES)
def test_12f_the_times_that_reading_11_names_are_those_of_the_search(book: str) -> None:
    for reading in (each for each in readings(book) if each.number == 11):
        found = {most_of(book, boxes) // 9500 for boxes in (1, 2, 3) if boxes == 1 or book != "md-36.05.16"}
        named = {int(times) for times in re.findall(r"(\d{3}) times", reading.other)}
        assert found >= named - {505} and (505 in named) is (book != "pa-677a")


@pytest.mark.parametrize("book", books())
def test_every_reading_says_whether_the_regulator_is_asked(book: str) -> None:
    for reading in (*readings(book), *table_readings(book)):
        assert reading.ask.startswith(("Yes", "No", "Only if")), reading
        assert all((reading.says, reading.text, reading.reason, reading.other, reading.cite))
        assert all(
            said.endswith(".") for said in (reading.says, reading.text, reading.reason, reading.other, reading.ask)
        )


def test_9_10_readings_13_and_8_speak_of_the_same_hands() -> None:
    """The stakes of these readings are those of the rounds above."""
    assert {(book, tuple(sorted(a_pair_beats_a_pair(book)))) for book in STAKES} == {
        ("pa-653a", ("$15", "$60", "$75", "$90")),
        ("md-36.05.16", ("$15", "$60", "$75", "$90")),
        ("pa-677a", ("$15", "$45", "$60", "$75")),
    }
