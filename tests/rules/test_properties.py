"""What holds of every round, whatever was dealt and wagered. Each test states its bounds."""

from __future__ import annotations

import copy
import random
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.cards import DECK
from firmware.rules.hands import strength
from firmware.rules.meter_wagers import contributions
from firmware.rules.money import cents, dollars, micros
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from tests.rules.random_rounds import KINDS, MISDEALT, random_rounds

EXAMPLES = settings(max_examples=250, deadline=None)

PA_ORDER = (
    "ante", "blind", "play", "trips", "bad_beat_bonus", "progressive", "envy", "five_card_player", "five_card_dealer",
    "magic_card_player", "magic_card_dealer", "lucky_player", "lucky_dealer", "six_card_bonus",
)  # fmt: skip
MD_ORDER = ("ante", "blind", "play", "trips", "six_card_bonus", "progressive", "envy")
HEADS_UP_ORDER = ("ante", "raise", "odds", "pocket_bonus", "trips_plus")
ORDERS = {"pa-653a": PA_ORDER, "md-36.05.16": MD_ORDER, "pa-677a": HEADS_UP_ORDER}

IRREGULARITIES = [None, None, None, *KINDS]


@st.composite
def decks(draw: st.DrawFn) -> list[str]:
    """A shuffled deck that is often a short one, so that flushes, straights and fours come up as well."""
    suits = draw(st.sampled_from(["cdhs", "cdhs", "hs"]))
    return list(draw(st.permutations([card for card in DECK if card[1] in suits or card[0] in "89TJQK"])))


def money(least: str, most: str) -> st.SearchStrategy[str]:
    """Amounts in cents between two, as strings."""
    return st.integers(cents(least), cents(most)).map(lambda amount: dollars(amount))


@st.composite
def submissions(draw: st.DrawFn, book: str) -> dict[str, Any]:
    """Any submission of a book with every wager offered; half of them with a payout limit."""
    filed: dict[str, Any] = {"book": book, "table_minimum": "5.00"}
    if book == "pa-671a":
        return filed | {"instant": {"paytable": draw(st.sampled_from("ABC"))}, "super_on_others": {}}
    if draw(st.booleans()):
        filed["payout_limit"] = "50000.00"
    if book == "pa-677a":
        return filed | {
            "adjacent_boxes": 6,
            "pocket_bonus": {"paytable": draw(st.sampled_from("ABC"))},
            "trips_plus": {"paytable": draw(st.sampled_from("ABCD"))},
        }
    filed |= {"blind": {"paytable": draw(st.sampled_from("AB"))}, "trips": {"paytable": draw(st.sampled_from("ABCD"))}}
    price = draw(st.sampled_from(["1.00", "5.00"]))
    if book == "md-36.05.16":
        progressive = {"wager": price, "seed": "10000.00", "rate": draw(st.sampled_from(["21", "19.2501"]))}
        return filed | {"progressive": progressive, "six_card_bonus": {"paytable": draw(st.sampled_from("AB"))}}
    return filed | {
        "adjacent_boxes": 6,
        "progressive": {"wager": price, "paytable": draw(st.sampled_from("ABCD"))},
        "five_card_hand": {"wager": draw(money("0.01", "25.00")), "magic_card": True, "lucky_bonus": True},
        "six_card_bonus": {"paytable": draw(st.sampled_from("ABCDE"))},
        "bad_beat_bonus": {"paytable": draw(st.sampled_from("AB"))},
    }


def irregularities(kinds: list[dict[str, Any] | None]) -> st.SearchStrategy[Any]:
    """None, one, or up to three of them in the order in which they were found."""
    several = st.lists(st.sampled_from([one for one in kinds if one]), max_size=3)
    return st.one_of(st.sampled_from(kinds), several)


@st.composite
def holdem_rounds(draw: st.DrawFn, book: str) -> dict[str, Any]:
    """Any round of a Hold'em book: one to six seats, antes to 40000.00, every decision, every irregularity."""
    rules = draw(submissions(book))
    deck = draw(decks())
    seats = {}
    for number in sorted(draw(st.sets(st.integers(1, 6), min_size=1))):
        ante = draw(money("5.00", "40000.00"))
        wagers = {"ante": ante, ("odds" if book == "pa-677a" else "blind"): ante}
        for side in {"pa-653a": PA_ORDER, "md-36.05.16": MD_ORDER, "pa-677a": HEADS_UP_ORDER}[book][3:]:
            if side in SIDE[book] and draw(st.booleans()):
                wagers[side] = price(rules, side) or draw(money("0.01", "500.00"))
        if not wagers.get("trips"):
            wagers.pop("bad_beat_bonus", None)
            if book == "md-36.05.16":
                wagers.pop("six_card_bonus", None)
        street, times = draw(st.sampled_from([("preflop", 3), ("flop", 2), ("river", 1)]))
        play = {"at": street, "wager": dollars(cents(ante) * times)}
        decision = draw(st.sampled_from([play, play, play, "fold", "abandoned"]))
        seats[str(number)] = {"cards": [deck.pop(), deck.pop()], "wagers": wagers, "decision": decision}
        if book != "md-36.05.16" and draw(st.booleans()):
            seats[str(number)]["player"] = str(number)
    cards: dict[str, Any] = {"board": [deck.pop() for _ in range(5)], "dealer": [deck.pop(), deck.pop()]}
    if "six_card_bonus" in rules:
        cards["six_card"] = [deck.pop() for _ in range(4)]
    written = {
        "rules": rules,
        "cards": cards,
        "seats": seats,
        "irregularity": draw(irregularities([*IRREGULARITIES, MISDEALT])),
    }
    if book != "pa-677a":
        names = {"A": ["main"], "B": ["mega", "major"]}.get(
            rules["progressive"].get("paytable", "A"), ["mega", "major", "minor"]
        )
        names += ["five_card", "five_card_reserve"] if book == "pa-653a" else []
        written["meters"] = {
            name: f"{draw(st.integers(300, 10**6))}.{draw(st.integers(0, 999_999)):06d}" for name in names
        }
    if book == "pa-653a":
        lucky = draw(st.sampled_from([1, 2, 3, 4, 5, 6, "dealer"]))
        written["drawn"] = {"magic_card": draw(st.sampled_from(DECK)), "lucky": lucky}
    return written


SIDE = {
    "pa-653a": {"trips", "bad_beat_bonus", "progressive", "five_card_player", "five_card_dealer", "six_card_bonus"},
    "md-36.05.16": {"trips", "progressive", "six_card_bonus"},
    "pa-677a": {"pocket_bonus", "trips_plus"},
}


def price(rules: dict[str, Any], side: str) -> str | None:
    """What the table's wager costs, where the submission says so."""
    section = "five_card_hand" if side.startswith("five_card") else side
    wager: str | None = rules[section].get("wager") if section in rules else None
    return wager


@st.composite
def lunar_rounds(draw: st.DrawFn) -> dict[str, Any]:
    """Any round of Lunar Poker: one to five seats, every option and decision, Supers on every hand."""
    rules = draw(submissions("pa-671a"))
    deck = draw(decks())
    numbers = sorted(draw(st.sets(st.integers(1, 5), min_size=1)))
    seats: dict[str, Any] = {}
    dealer = [deck.pop() for _ in range(5)]
    hands = {number: [deck.pop() for _ in range(5)] for number in numbers}
    for number, hand in hands.items():
        ante = draw(money("5.00", "500.00"))
        backed = draw(st.sets(st.sampled_from([*(str(each) for each in numbers if each != number), "dealer"])))
        seat: dict[str, Any] = {
            "cards": hand,
            "wagers": {
                "ante": ante,
                "super": ante,
                "super_on": {hand: draw(money("5.00", "50.00")) for hand in backed},
            },
            "declared": draw(st.booleans()),
        }
        if strength(hand) >> 20 >= 8:
            seat["decision"] = draw(st.sampled_from(["instant", "abandoned"]))
        else:
            seat["decision"] = draw(st.sampled_from(["bet", "bet", "fold", "abandoned"]))
            option = draw(st.sampled_from(["none", "buy", "exchange"]))
            if option == "buy" and deck:
                seat["option"] = {"buy": deck.pop()}
            if option == "exchange" and len(deck) > 2:
                count = draw(st.integers(2, 3))
                seat["option"] = {"exchange": {"discard": hand[:count], "draw": [deck.pop() for _ in range(count)]}}
        seats[str(number)] = seat
    irregularity = draw(irregularities(IRREGULARITIES))
    return {"rules": rules, "cards": {"dealer": dealer}, "seats": seats, "irregularity": irregularity}


ANY_ROUND = st.one_of(holdem_rounds("pa-653a"), holdem_rounds("md-36.05.16"), holdem_rounds("pa-677a"), lunar_rounds())


def settled(round_: dict[str, Any]) -> Any:
    return settle(parse_round(round_)).as_object()


@EXAMPLES
@given(ANY_ROUND)
@pytest.mark.slow
def test_chips_are_conserved(round_: dict[str, Any]) -> None:
    """Bounds: every book, wagers to 160000.00. A stake is returned whole or kept whole, once, and totals are the sums."""
    found = settled(round_)
    staked: dict[str, int] = defaultdict(int)
    received: dict[str, int] = defaultdict(int)
    once = set()
    for payment in found["payments"]:
        key = (payment["seat"], payment["wager"], payment.get("for_seat"))
        assert key not in once
        once.add(key)
        stake, returned, payout = (cents(payment[part]) for part in ("stake", "returned", "payout"))
        assert returned in (0, stake)
        assert payment["result"] != "lose" or (returned == 0 and payout == 0)
        assert payment["result"] not in ("push", "void") or (returned == stake and payout == 0)
        assert (payout > 0) <= (payment["result"] == "win")
        assert (payout > 0) == ("source" in payment)
        assert payment["cite"]
        assert type(payment["floor"]) is bool
        assert ("odds" in payment) == (payment["result"] == "win")
        staked[str(payment["seat"])] += stake
        received[str(payment["seat"])] += returned + payout
    for seat in round_["seats"]:
        assert found["totals"][seat] == {"staked": dollars(staked[seat]), "received": dollars(received[seat])}
        assert staked[seat] == laid_down(round_["seats"][seat])


def laid_down(seat: dict[str, Any]) -> int:
    """Everything a seat put on the table: its wagers, those on other hands, the play or bet, the options fee."""
    wagers = {wager: stake for wager, stake in seat["wagers"].items() if wager != "super_on"}
    total: int = sum(cents(stake) for stake in wagers.values())
    total += sum(cents(stake) for stake in seat["wagers"].get("super_on", {}).values())
    if isinstance(seat["decision"], dict):
        total += cents(seat["decision"]["wager"])
    elif seat["decision"] == "bet":
        total += 2 * cents(wagers["ante"])
    return total + (cents(wagers["ante"]) if "option" in seat else 0)


ROUND_FILES = [*random_rounds(random.Random("second irregularities"), 400)]


def by_each_alone(round_: dict[str, Any]) -> dict[tuple[Any, ...], tuple[str, str]]:
    """(result, paragraph) of every wager of a round with several irregularities, from what each of them does alone: the
    first one that returns a wager does; what none of them returns is settled, as any of them has it settled.
    """
    alone = [settled(round_ | {"irregularity": one}) for one in round_["irregularity"]]
    found: dict[tuple[Any, ...], tuple[str, str]] = {}
    for outcome in [one for one in alone if one["void"]] or [settled(round_ | {"irregularity": None})]:
        for payment in outcome["payments"]:
            wager, came = (payment["seat"], payment["wager"], payment.get("for_seat")), payment["result"]
            if found.get(wager, ("",))[0] != "void":
                found[wager] = (came, payment["cite"])
    return found


@pytest.mark.parametrize("round_", [one for one in ROUND_FILES if type(one["irregularity"]) is list])
def test_each_irregularity_voids_what_an_earlier_one_had_left(round_: dict[str, Any]) -> None:
    """Bounds: every book, up to three of all kinds in any order. A wager goes back by the first one that returns it."""
    try:
        right = by_each_alone(round_)
    except Refusal:
        return
    found = settled(round_)
    came = {(one["seat"], one["wager"], one.get("for_seat")): (one["result"], one["cite"]) for one in found["payments"]}
    assert came == right


@pytest.mark.slow
@EXAMPLES
@given(st.one_of(holdem_rounds("pa-653a"), holdem_rounds("md-36.05.16")))
def test_meters_lose_exactly_what_is_awarded_and_are_never_below_zero(round_: dict[str, Any]) -> None:
    """Bounds: meters from 300.00 to a million, up to six awards a round. What a reset adds is the book's seed, no more."""
    found = settled(round_)
    rules = parse_round(round_).submission
    awarded: dict[str, int] = defaultdict(int)
    resets: dict[str, int] = defaultdict(int)
    for payment in found["payments"]:
        if "meter" in payment:
            awarded[payment["meter"]] += cents(payment["payout"]) * 10_000
            if payment["odds"].startswith("100%"):
                resets[payment["meter"]] += 1
    before = {name: micros(stands) for name, stands in round_["meters"].items()}
    after = {name: micros(stands) for name, stands in found["meters"].items()}
    assert set(before) == set(after)
    assert min(after.values()) >= 0
    fed = contributions(parse_round(round_))
    if found["void"]:
        assert not awarded
        assert all(after[name] == before[name] - fed.get(name, 0) for name in before)
        return
    five_card = {"five_card", "five_card_reserve"}
    for name in set(before) - five_card:
        assert after[name] == before[name] - awarded[name] + resets[name] * rules.meters[name].seed
    if five_card <= set(before):
        # The reserve only moves over to the meter: together they lose what was awarded.
        assert sum(after[name] for name in five_card) == sum(before[name] for name in five_card) - awarded["five_card"]


@pytest.mark.slow
@EXAMPLES
@given(st.one_of(holdem_rounds("pa-653a"), holdem_rounds("md-36.05.16"), holdem_rounds("pa-677a")))
def test_holdem_is_paid_from_the_last_seat_down_in_the_order_of_the_wagers(round_: dict[str, Any]) -> None:
    """Bounds: every Hold'em book. An envy payment stands in the turn of the seat that holds the hand."""
    order = ORDERS[round_["rules"]["book"]]
    turns = [
        (-payment.get("for_seat", payment["seat"]), order.index(payment["wager"]), -payment["seat"])
        for payment in settled(round_)["payments"]
    ]
    assert turns == sorted(turns)


@pytest.mark.slow
@EXAMPLES
@given(lunar_rounds())
def test_lunar_is_paid_in_its_four_passes(round_: dict[str, Any]) -> None:
    """Bounds: one to five seats, every option and decision."""
    passes = [lunar_pass(payment, round_) for payment in settled(round_)["payments"]]
    assert passes == sorted(passes)


def lunar_pass(payment: dict[str, Any], round_: dict[str, Any]) -> tuple[int, ...]:
    """Where a payment belongs: the pass, the seat whose turn it is, the place within the turn."""
    number, wager = payment["seat"], payment["wager"]
    seat = round_["seats"][str(number)]
    if wager == "super":
        return (1, number, 0, 0)
    if wager == "super:dealer":
        return (3, number, 0, 0)
    if wager.startswith("super:"):
        return (1, int(wager.removeprefix("super:")), 1, number)
    if wager == "options_fee":
        return (2, number, 0, 0)
    if wager == "ante" and seat["decision"] != "bet":
        return (2, number, 1, 0) if "option" in seat else (1, number, 2, 0)
    return (4, -number, ("ante", "bet", "bet:second").index(wager), 0)


@EXAMPLES
@given(holdem_rounds("pa-677a"), st.permutations(range(1, 7)))
@pytest.mark.slow
def test_permuting_seats_permutes_payments(round_: dict[str, Any], seats: list[int]) -> None:
    """Bounds: 677a without a limit (no meter, no limit, no envy ties the seats together): each seat is paid the same."""
    round_["rules"].pop("payout_limit", None)
    moved = copy.deepcopy(round_)
    moved["seats"] = {str(seats[int(number) - 1]): seat for number, seat in round_["seats"].items()}
    for seat in moved["seats"].values():
        seat.pop("player", None)
    here, there = settled(round_), settled(moved)
    for number in round_["seats"]:
        assert paid(here, int(number)) == paid(there, seats[int(number) - 1])


def paid(found: Any, number: int) -> list[tuple[str, ...]]:
    parts = ("wager", "result", "stake", "returned", "payout", "cite")
    return [tuple(payment[part] for part in parts) for payment in found["payments"] if payment["seat"] == number]


@EXAMPLES
@given(st.sampled_from("ABCD"), decks(), money("0.01", "1000.00"))
@pytest.mark.slow
def test_a_better_hand_never_pays_less_on_trips(letter: str, deck: list[str], stake: str) -> None:
    """Bounds: six seats on one board with the same Trips wager, which touches no meter, no limit and no dealer."""
    wagers = {"ante": "5.00", "blind": "5.00", "trips": stake}
    rules = {"book": "pa-653a", "table_minimum": "5.00", "blind": {"paytable": "A"}, "trips": {"paytable": letter}}
    board, dealer = deck[:5], deck[5:7]
    hands = [deck[7 + 2 * place : 9 + 2 * place] for place in range(6)]
    seats = {str(place + 1): {"cards": hand, "wagers": wagers, "decision": "fold"} for place, hand in enumerate(hands)}
    found = settled({"rules": rules, "cards": {"board": board, "dealer": dealer}, "seats": seats})
    won = {payment["seat"]: cents(payment["payout"]) for payment in found["payments"] if payment["wager"] == "trips"}
    rising = sorted(won, key=lambda seat: strength([*hands[seat - 1], *board]))
    assert [won[seat] for seat in rising] == sorted(won.values())


@pytest.mark.slow
@EXAMPLES
@given(holdem_rounds("pa-653a"))
def test_the_limit_holds_and_touches_nothing_else(round_: dict[str, Any]) -> None:
    """Bounds: 653a with a limit of 50000.00 against the same round without."""
    with_limit, without = copy.deepcopy(round_), copy.deepcopy(round_)
    with_limit["rules"]["payout_limit"] = "50000.00"
    without["rules"].pop("payout_limit", None)
    capped, free = settled(with_limit), settled(without)
    covered: dict[int, int] = defaultdict(int)
    for cut, full in zip(capped["payments"], free["payments"], strict=True):
        if cut["wager"] in ("ante", "blind", "play"):
            covered[cut["seat"]] += cents(cut["payout"])
            assert ("limited" in cut) == (cents(cut["payout"]) < cents(full["payout"]))
        else:
            assert cut == full
    assert all(paid_out <= 5_000_000 for paid_out in covered.values())
