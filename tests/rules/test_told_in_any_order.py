"""Random deals of every book, told in any order: what is true is offered, nothing offered is refused, and all is paid.

A round is known as far as a table at level 1 or 2 knows it: the dealer's hand, or cards that lie open. Its seats are told
question by question, in any order, and some are not told. The law's settlement of the cards says what is paid
(653a.11(h) to (m), 677a.11(h) and (i), 671a.11(c) to (f), COMAR 36.05.16.11).
"""

from __future__ import annotations

import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from firmware.rules.games import books
from firmware.rules.games.registry import game_of
from firmware.rules.hands import five_card_hand
from firmware.rules.known import Known, Said
from firmware.rules.payline import dealer_of_cards, pay_lines, row_of_cards
from firmware.rules.payment import Payment
from firmware.rules.round import parse_round
from firmware.rules.seat import Choice, Round, Seat
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from firmware.rules.told import Told
from firmware.rules.worlds import Worlds
from tests.rules.law_rounds import said_of, told_of_round
from tests.rules.random_rounds import random_rounds
from tests.rules.test_payline import BONUSES, OF_METERS, without_cards

DEALS = int(os.environ.get("FELT_DEALS", "2000"))
"""100,000 for the whole proof."""
PRIZES = ("three of a kind", "straight", "flush", "full house", "four of a kind", "straight flush", "royal flush")
SUBMISSIONS = 6


def rounds(seed: int, count: int) -> Iterator[Round]:
    """Rounds of every book that stand, a few submissions of each, so that a reasoner has seen others of its own."""
    chance, kept = random.Random(seed), defaultdict[str, list[dict[str, Any]]](list)
    found = 0
    while found < count:
        for written in random_rounds(chance, len(books())):
            rules = written["rules"]
            filed = kept[rules["book"]]
            if len(filed) < SUBMISSIONS:
                filed.append(rules)
            usable = [one for one in filed if set(one) == set(rules)]
            if not usable:
                continue
            written |= {"rules": chance.choice(usable), "irregularity": None}
            for seat in written["seats"].values():
                seat.update({"declared": True} if "declared" in seat else {})
            try:
                round_ = parse_round(written)
                settle(round_)
            except Refusal:
                continue
            yield round_
            found += 1
            if found == count:
                return


BY_SUBMISSION: dict[str, Worlds] = {}


def worlds_of(round_: Round) -> Worlds:
    """One reasoner of each submission."""
    key = repr(round_.submission)
    if key not in BY_SUBMISSION:
        BY_SUBMISSION[key] = Worlds(round_.submission)
    return BY_SUBMISSION[key]


class Telling:
    """A round as a table of this level knows it, and the dealer who tells it."""

    def __init__(self, round_: Round, level: int, chance: random.Random) -> None:
        self.round, self.level, self.chance = round_, level, chance
        self.worlds, self.game = worlds_of(round_), game_of(round_.submission.book.name)
        self.said = {number: self.lies(seat) for number, seat in round_.seats.items()}
        self.true = {number: told_of_round(round_, number) for number in round_.seats}
        self.known = self.first_known()

    def lies(self, seat: Seat) -> Said:
        """What lies at a seat; of Lunar Poker what was declared, and at level 2 now and then its cards."""
        said, chance, lunar = said_of(seat), self.chance, self.game.declared
        said = said if lunar else replace(said, number=1)
        if lunar:
            said = replace(said, rows=tuple(self.rows_declared(seat, said)))
        elif seat.wagers.get("progressive") and chance.random() < 0.5:
            name = five_card_hand((*seat.cards, *self.round.board[:3]))
            said = replace(said, prizes=(name,) if name in PRIZES else ())
        if self.level == 2 and chance.random() < 0.3 and not seat.abandoned:
            if not lunar:
                return replace(said, cards=seat.cards)
            alone = said.option is None and said.choice is Choice.PLAY
            return replace(said, first=seat.cards, cards=seat.cards if alone else ())
        return said

    def rows_declared(self, seat: Seat, said: Said) -> Iterator[tuple[str, str]]:
        for wager in said.wagers:
            name, _, on = wager.partition(":")
            if name == "super":
                cards = self.round.dealer if on == "dealer" else self.round.seats[int(on or seat.number)].cards
                if row := row_of_cards(self.round.submission, wager, cards):
                    yield wager, row

    def first_known(self) -> Known:
        round_, chance = self.round, self.chance
        hand, qualifies = dealer_of_cards(round_.submission, round_.board, round_.dealer)
        backed = any("super:dealer" in said.wagers for said in self.said.values())
        row = row_of_cards(round_.submission, "super:dealer", round_.dealer) if backed else None
        known = Known(qualifies=qualifies, row=row)
        if self.level == 2 and chance.random() < 0.7:
            known = replace(known, board=round_.board, dealer=round_.dealer, hand=hand if self.game.has_board else "")
            if chance.random() < 0.5:
                known = replace(known, six=round_.six_card)
        elif chance.random() < 0.2:
            known = replace(known, hand=hand)
        for number, said in self.said.items():
            known = known.at(number, said)
        return known

    def questions(self, number: int) -> dict[str, tuple[str, ...]]:
        return dict(self.worlds.questions(self.known.beside(number), self.said[number]))

    def open(self, number: int) -> dict[str, tuple[str, ...]]:
        return dict(self.worlds.open(self.known.beside(number), self.said[number]))

    def tell(self, number: int, about: str, choice: str) -> None:
        self.said[number] = self.worlds.answering(self.said[number], about, choice)
        self.known = self.known.at(number, self.said[number])

    def truth(self, number: int, about: str, choices: tuple[str, ...]) -> str:
        """The true answer among these choices. Raises AssertionError where it is not offered."""
        true = self.true[number].answer(about)
        if about in ("hand", "dealer_hand"):
            assert true in choices or "" in choices, self.case(number, about, f"{true!r} is not among {choices}")
            return true if true in choices else ""
        assert true in choices, self.case(number, about, f"{true!r} is not among {choices}")
        return true

    def case(self, number: int, about: str, wrong: str) -> str:
        return f"seat {number}, {about}: {wrong}; {self.said.get(number)}; {self.known}; {self.round}"

    def nothing_offered_is_refused(self, number: int, asked: dict[str, tuple[str, ...]]) -> None:
        """A choice, true or not, contradicts nothing that was known when it was offered."""
        about = self.chance.choice(list(asked))
        choice = self.chance.choice(asked[about])
        after = self.known.at(number, self.worlds.answering(self.said[number], about, choice))
        assert self.worlds.possible(after), self.case(number, about, f"{choice!r} is offered and refused")

    def told(self, number: int) -> Told:
        return self.worlds.told(self.known.beside(number), self.said[number])

    def pays(self, number: int, boxes: list[Payment]) -> list[Payment]:
        seat = without_cards(self.round.seats[number])
        return list(pay_lines(self.round.submission, seat, self.told(number), boxes))


def tells_the_truth(telling: Telling, seen: Counter[str]) -> None:
    """Every question in any order; some seats are never told."""
    chance, numbers = telling.chance, list(telling.round.seats)
    untold = {number for number in numbers if len(numbers) > 1 and chance.random() < 0.2}
    left = [number for number in numbers if number not in untold]
    while left:
        number = chance.choice(left)
        for about, choices in telling.questions(number).items():
            telling.truth(number, about, choices)
        asked = telling.open(number)
        if not asked:
            left.remove(number)
            continue
        telling.nothing_offered_is_refused(number, asked)
        about = chance.choice(list(asked))
        telling.tell(number, about, telling.truth(number, about, asked[about]))
        seen[about] += 1
    assert telling.worlds.possible(telling.known), telling.case(numbers[0], "", "the truth is refused")
    assert not telling.worlds.conflict(telling.known)
    settled, boxes = settle(telling.round).payments, defaultdict[object, list[Payment]](list)
    for number in sorted(numbers, reverse=True):
        player = telling.round.seats[number].player or number
        wanted = [
            line
            for line in settled
            if line.seat == number and line.wager not in OF_METERS and line.wager not in BONUSES
        ]
        if number not in untold:
            paid = telling.pays(number, boxes[player])
            assert paid == wanted, telling.case(number, "", f"{paid} for {wanted}")
        boxes[player] += wanted
    seen["untold"] += len(untold)


def tells_anything(telling: Telling, seen: Counter[str]) -> None:
    """Answers that are offered, true or not: each question keeps a choice, and the end is paid."""
    chance, left = telling.chance, list(telling.round.seats)
    while left:
        number = chance.choice(left)
        for about, choices in telling.questions(number).items():
            assert choices, telling.case(number, about, "no choice is left")
        asked = telling.open(number)
        if not asked:
            left.remove(number)
            continue
        about = chance.choice(list(asked))
        choice, before = chance.choice(asked[about]), telling.case(number, about, "is refused at once")
        telling.tell(number, about, choice)
        assert telling.worlds.possible(telling.known), f"{choice!r} of {before}"
    seen["anything"] += 1


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.slow
def test_the_truth_of_random_deals_is_offered_and_paid_in_any_order(level: int) -> None:
    seen = Counter[str]()
    for place, round_ in enumerate(rounds(26 + level, DEALS // 2)):
        telling = Telling(round_, level, random.Random(place))
        (tells_anything if place % 10 == 9 else tells_the_truth)(telling, seen)
    assert {"result", "hand", "second", "six_card_bonus", "pocket_bonus", "anything", "untold"} <= set(seen)
