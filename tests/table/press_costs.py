"""What a round costs the dealer: presses, and seconds by a keystroke-level estimate. Nobody was timed.

Every press is a key that the screen shows. The rounds of the taps test, rounds that are aimed at, and means over
random rounds from real cards: each told by exception, and seat by seat with a key for every answer, as before.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from firmware.proof.simulation.hands import DECK, Cards, declared_row, instant_row, lay, qualifies, truth
from firmware.table import pricing, results, settling
from firmware.table.inputs import NextPushed
from firmware.table.projections import to_settle
from tests.table.procedures.test_taps import ROUNDS
from tests.table.procedures.walks import Stakes, betting
from tests.table.table import Dealer, Table

REACH_S, KEY_S, HOME_S = 1.1, 0.2, 0.4
"""Pointing at another key, a keystroke, a hand that comes home to a key it knows: Card, Moran, Newell, The Keystroke-Level
Model for User Performance Time with Interactive Systems, CACM 23 (1980) 396-410. What the dealer reads off the cards is his
work with or without a screen and is left out (M, 1.35 s)."""
FULL = {"pa-653a": 6, "md-36.05.16": 6, "pa-677a": 6, "pa-671a": 5}
SIDES: Mapping[str, Mapping[str, int]] = {"pa-677a": {"pocket_bonus": 500, "trips_plus": 500}}
RAISES, RAISES_LATER, FOLDS = 1 / 3, 1 / 4, 1 / 5
"""So often a player raises before the flop, after it, and folds at the end, or at Lunar Poker folds or buys a card."""


class Hand(Dealer):
    """A dealer's hand: it counts what it presses on the glass and on the NEXT key, and how long that takes."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.glass = self.next_key = 0
        self.seconds = 0.0
        self._last = ""

    def presses(self, *words: str, by: str = "") -> None:
        """On the glass."""
        for word in words:
            super().presses(word, by=by)
            self.glass += not by
            self.seconds += 0.0 if by else KEY_S if word == self._last else REACH_S + KEY_S
            self._last = word

    def goes_on(self) -> None:
        """The NEXT key, without a look at it."""
        before = len(self.table.happened)
        self.table.hears(NextPushed(self.table.clock))
        assert len(self.table.happened) > before, f"NEXT does nothing at {self.table.phase}"
        self.next_key += 1
        self.seconds += KEY_S if self._last == "NEXT" else HOME_S + KEY_S
        self._last = "NEXT"

    @property
    def all(self) -> int:
        """Presses of the round."""
        return self.glass + self.next_key


# The rounds that are aimed at ----------------------------------------------------------------------------------------


def ultimate_with_six(*, next_key: bool = True) -> Hand:
    """653a: three raise early, three lose, two win with nothing special, one ties; by the switch, no lamp."""
    hand = _hand("pa-653a", range(1, 7))
    hand.table.turns_switch(locked=True)
    hand.presses("seat 1", "seat 3", "seat 6")
    for _ in range(3):
        hand.goes_on() if next_key else hand.presses("next")
    hand.presses("dealer yes", "seat 6", "seat 4", "seat 4", "seat 2")
    return _to_the_end(hand)


def lunar_with_five() -> Hand:
    """671a: five bet, no option, the dealer qualifies, two win with a pair."""
    hand = _hand("pa-671a", range(1, 6))
    hand.presses("no-more-bets", "next", "supers-settled", "dealer yes")
    hand.presses("seat 5", "answer pair", "seat 2", "answer pair")
    return _to_the_end(hand)


def heads_up_with_six() -> Hand:
    """677a: both side bets of which none wins, three raise the least, three lose, two win, one ties."""
    hand = _hand("pa-677a", range(1, 7), sides=SIDES["pa-677a"])
    hand.presses("no-more-bets", "seat 1", "seat 3", "seat 6", "next", "next", "next", "dealer yes")
    hand.presses("seat 6", "seat 4", "seat 4", "seat 2")
    return _to_the_end(hand)


def nobody_wins_at_level_0() -> Hand:
    """653a at level 0: lock, count, clear."""
    table, _ = betting("pa-653a", lit=(1, 2, 5), level=0)
    hand = Hand(table)
    hand.presses("no-more-bets", "count 3")
    table.seats(1, 2, 5).lift()
    hand.presses("clear")
    return hand


NAMED: Mapping[str, tuple[Callable[[], Hand], int]] = {
    "653a, six, by the switch": (ultimate_with_six, 15),
    "671a, five bet": (lunar_with_five, 12),
    "677a, six, both side bets": (heads_up_with_six, 18),
    "653a, level 0, nobody wins": (nobody_wins_at_level_0, 3),
}
"""The round, and the most presses that it may cost."""


def _hand(book: str, seats: Iterable[int], sides: Mapping[str, int] | None = None) -> Hand:
    stakes: Stakes = dict.fromkeys(seats, sides) if sides else {}
    table, _ = betting(book, *seats, sides=stakes)
    return Hand(table)


def _to_the_end(hand: Hand) -> Hand:
    """The primary key until bets could open again."""
    while hand.table.phase == "settle":
        screen = hand.table.screen()
        primary = next(widget for widget in screen.widgets if widget.id == "primary")
        assert primary.enabled, f"something is asked: {hand.table.words()}"
        hand.presses(primary.press)
    return hand


# Random rounds ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """Means over random rounds."""

    presses: float
    seconds: float


def means(book: str, players: int, rounds: int, sides: Mapping[str, int], *, by_exception: bool) -> Played:
    """The same rounds each time: the seed is the book's, and so are the players and their side wagers."""
    chance = random.Random(f"{book} {players} {sorted(sides)}")
    hands = [_round(book, players, sides, chance.random(), by_exception=by_exception) for _ in range(rounds)]
    return Played(sum(hand.all for hand in hands) / rounds, sum(hand.seconds for hand in hands) / rounds)


def _round(book: str, players: int, sides: Mapping[str, int], seed: float, *, by_exception: bool) -> Hand:
    chance = random.Random(seed)
    seats = tuple(range(1, players + 1))
    hand = _hand(book, seats, sides)
    table = hand.table
    cards = lay(table.house.procedure, chance.sample(DECK, 52), seats, six=False)
    hand.presses("no-more-bets")
    if not by_exception:
        hand.presses("dealt")
    (_elections if table.house.game.elections else _streets)(hand, cards, chance)
    if table.phase == "reveal":
        hand.presses("dealer yes" if qualifies(table.house.submission, cards) else "dealer no")
    if by_exception:
        for number in to_settle(table.state):
            _tell(hand, number, cards)
        return _to_the_end(hand)
    while settling.in_question(table.state):
        _seat_by_seat(hand, table.state.round.turn, cards)
    return _to_the_end(hand)


def _streets(hand: Hand, cards: Cards, chance: random.Random) -> None:
    streets = hand.table.house.procedure.streets
    decided: set[int] = set()
    for street in streets:
        for number in sorted(cards.first):
            share = FOLDS if street.last else RAISES if street is streets[0] else RAISES_LATER
            if number not in decided and chance.random() < share:
                hand.presses(f"seat {number}")
                decided.add(number)
        if hand.table.phase in ("deal", "ask"):
            hand.presses("next")
        if hand.table.phase == "reveal":
            return


def _elections(hand: Hand, cards: Cards, chance: random.Random) -> None:
    rules = hand.table.house.submission
    for number in sorted(cards.first):
        owed = instant_row(rules, cards.first[number])
        choice = "instant" if owed else chance.choice(["bet", "bet", "bet", "fold", "buy"])
        if choice != "bet":
            hand.presses(f"seat {number}", f"choose {choice}")
    hand.presses("next")
    for number in sorted(cards.first):
        instant = hand.table.state.seat(number).position.choice == "instant"
        rows = [
            declared_row(rules, cards.first[number]),
            made if (made := instant_row(rules, cards.first[number])) and instant else "",
        ]
        if any(rows):
            hand.presses(
                *([] if hand.table.state.round.turn == number else [f"seat {number}"]),
                *(f"row {row}" for row in rows if row),
            )
    hand.presses("supers-settled")
    while hand.table.phase == "draw":
        cards.draw(hand.table.state.round.turn, 0)
        hand.presses("bets" if chance.random() < 0.7 else "folds")


def _truth(hand: Hand, number: int, cards: Cards) -> dict[str, str]:
    house, state = hand.table.house, hand.table.state
    seat = dataclasses.replace(
        pricing.rules_seat(house, number, state.seat(number).position), cards=cards.hands[number]
    )
    return truth(house.submission, seat, cards, void=False)


def _tell(hand: Hand, number: int, cards: Cards) -> None:
    """Taps until the tile is right; then what is special."""
    house, table = hand.table.house, hand.table
    given = _truth(hand, number, cards)
    offered = results.taps(house, table.state, number)
    wanted = given["result"] if given["result"] in offered else ""
    beaten = wanted == results.LOSES and given["hand"] not in _rows(hand, number, wanted)
    wanted = "" if beaten else wanted
    for _ in range(len(offered) + 1):
        chosen = table.state.round.turn == number or not _special(hand, number, given)
        if results.result_of(table.state, number) == wanted and chosen:
            break
        hand.presses(f"seat {number}")
    while table.state.round.turn == number and (more := _special(hand, number, given)):
        word = f"answer {more}"
        if not table.offers(word):
            first = next(iter(results.beside(house, table.state, number)))
            skip = "answer lower" if first == "result" else "answer none"
            word = f"answer {more.removeprefix(f'{first} = ')}" if more.startswith(f"{first} = ") else skip
        hand.presses(word)


def _rows(hand: Hand, number: int, result: str) -> tuple[str, ...]:
    """The hands that are paid though they lost."""
    house, state = hand.table.house, hand.table.state
    seat = pricing.rules_seat(house, number, state.seat(number).position)
    asked = house.game.asks(house.submission, seat, result, bool(state.round.qualifies)).get("hand", ())
    return tuple(row for row in asked if row and row != "three of a kind")


def _special(hand: Hand, number: int, given: Mapping[str, str]) -> str:
    beside = results.beside(hand.table.house, hand.table.state, number)
    if list(beside) == ["hand"] and given.get("hand", "") not in beside["hand"] and "" in beside["hand"]:
        asked = results.turn_of(hand.table.house, hand.table.state, number).asked  # told beaten, for a row behind it
        return "none" if asked == "hand" else ""
    special = (
        f"{about} = {given.get(about, '')}"
        for about in beside
        if about != "result" and given.get(about, "") in beside[about]
    )
    return next((one for one in special if not one.endswith("= ")), "")


def _seat_by_seat(hand: Hand, number: int, cards: Cards) -> None:
    """Every question of the seat in turn with a key of its own, and one that it is paid."""
    given = _truth(hand, number, cards)
    while (asked := settling.question(hand.table.house, hand.table.state))[0] and hand.table.state.round.turn == number:
        choice = given.get(asked[0], "")
        word = f"answer {choice if choice in asked[1] and choice else 'none'}"
        hand.presses(word)
    if not hand.table.state.seat(number).position.settled:
        hand.presses("settled")


def main() -> int:
    """Print the table."""
    options = argparse.ArgumentParser(prog="scripts/bench presses", description=__doc__)
    options.add_argument("--rounds", type=int, default=200, help="random rounds of each book (default 200)")
    chosen = options.parse_args()
    print(f"{'round':46}{'presses':>9}{'seconds':>9}")
    for play, taps, _ in ROUNDS:
        print(f"{play.__name__.replace('_', ' '):46}{taps:>9}{taps * (REACH_S + KEY_S):>9.1f}")
    for name, (plays, most) in NAMED.items():
        hand = plays()
        on = f" ({hand.glass} on glass; at most {most})"
        print(f"{name + on:46}{hand.all:>9}{hand.seconds:>9.1f}")
    print(f"\n{'mean of ' + str(chosen.rounds) + ' random rounds':34}{'by exception':>22}{'seat by seat':>22}")
    for book, full in FULL.items():
        for players in (3, full):
            for sides in ({}, *([SIDES[book]] if book in SIDES else [])):
                new = means(book, players, chosen.rounds, sides, by_exception=True)
                old = means(book, players, chosen.rounds, sides, by_exception=False)
                name = f"{book}, {players} players{', side bets' if sides else ''}"
                print(f"{name:34}{new.presses:>12.1f} ({new.seconds:.1f} s){old.presses:>12.1f} ({old.seconds:.1f} s)")
    return 0
