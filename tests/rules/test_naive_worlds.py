"""An independent enumeration of deals (`naive_worlds`) beside the reasoner: no true answer is missing (653a.11, 671a.11).

A round is dealt of a few cards, so that rare hands meet, or of a whole deck of which most cards lie open. A dealer tells the
truth of it, fact by fact in any order. After each fact every deal that agrees with all that is known says what may be true.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from firmware.rules.known import Known, Said
from firmware.rules.seat import Choice
from firmware.rules.submission import parse_submission
from firmware.rules.worlds import Worlds
from tests.rules.naive_worlds import ORDER, WHOLE, Cards, Deal, Game, Lying, Truth, best, every_deal, truth

TRIPS_UP = frozenset(ORDER[4:])
STRAIGHT_UP = frozenset(ORDER[5:])
FLUSH_UP = frozenset(ORDER[6:])
BETS = frozenset(ORDER[1:])
BAD_BEAT_653A = TRIPS_UP - {"royal flush"}
"""653a.12(g)."""
BAD_BEAT_677A = STRAIGHT_UP - {"royal flush"}
"""677a.12(c)."""
POSITIVE = ("progressive", "five_card_player")
CASES = int(os.environ.get("FELT_NAIVE_CASES", "600"))
"""5,000 for the whole proof."""
MOST_DEALS = 1_000


class Filed(NamedTuple):
    """A book, what a casino filed of it, and the side wagers that may lie there."""

    rules: Mapping[str, Any]
    sides: tuple[str, ...]
    blind: frozenset[str] = frozenset()
    six: frozenset[str] = frozenset()

    @property
    def book(self) -> str:
        return str(self.rules["book"])

    @property
    def lunar(self) -> bool:
        return self.book == "pa-671a"

    @property
    def always(self) -> tuple[str, ...]:
        return ("ante", {"pa-671a": "super", "pa-677a": "odds"}.get(self.book, "blind"))

    @property
    def worlds(self) -> Worlds:
        return worlds_of(self.book, self.blind, self.six)


def pa(blind: str, six: str) -> Filed:
    rules = {
        "book": "pa-653a",
        "table_minimum": "5.00",
        "blind": {"paytable": blind},
        "trips": {"paytable": "A"},
        "progressive": {"paytable": "A", "wager": "1.00"},
        "five_card_hand": {"wager": "5.00"},
        "six_card_bonus": {"paytable": six},
        "bad_beat_bonus": {"paytable": "A"},
    }
    sides = ("trips", "bad_beat_bonus", "six_card_bonus", "progressive", "five_card_player", "five_card_dealer")
    royals = {"six-card royal flush, diamonds", "six-card royal flush"} if six == "E" else set()
    return Filed(rules, sides, {"A": STRAIGHT_UP, "B": FLUSH_UP}[blind], TRIPS_UP | royals)


MARYLAND = Filed(
    {
        "book": "md-36.05.16",
        "table_minimum": "5.00",
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "progressive": {"wager": "5.00", "seed": "10000.00", "rate": "21"},
        "six_card_bonus": {"paytable": "B"},
    },
    ("trips", "six_card_bonus", "progressive"),
    STRAIGHT_UP,
    TRIPS_UP | {"six-card royal flush"},
)
HEADS_UP = Filed(
    {
        "book": "pa-677a",
        "table_minimum": "5.00",
        "adjacent_boxes": 2,
        "pocket_bonus": {"paytable": "A"},
        "trips_plus": {"paytable": "A"},
    },
    ("pocket_bonus", "trips_plus"),
)
LUNAR = Filed(
    {"book": "pa-671a", "table_minimum": "5.00", "instant": {"paytable": "A"}, "super_on_others": {}},
    ("dealer", "others"),
)
ALL = {
    "pa-653a, blind A": pa("A", "A"),
    "pa-653a, blind B": pa("B", "E"),
    "md-36.05.16": MARYLAND,
    "pa-677a": HEADS_UP,
    "pa-671a": LUNAR,
}
_WORLDS: dict[tuple[str, frozenset[str], frozenset[str]], Worlds] = {}


def worlds_of(book: str, blind: frozenset[str], six: frozenset[str]) -> Worlds:
    """One reasoner of each submission."""
    key = book, blind, six
    if key not in _WORLDS:
        [filed] = [one for one in ALL.values() if (one.book, one.blind, one.six) == key]
        _WORLDS[key] = Worlds(parse_submission(filed.rules))
    return _WORLDS[key]


# The law, of one seat -------------------------------------------------------------------------------------------------


def paid_names(filed: Filed, said: Said, result: str, qualifies: str) -> frozenset[str]:
    """The names of a seat's own hand that the law pays differently from lower ones."""
    plays, names = said.choice is Choice.PLAY, set[str]()
    if {"trips", "trips_plus"} & set(said.wagers):
        names |= TRIPS_UP  # 653a.11(i), 677a.11(i)(2)
    if not plays:
        return frozenset(names)
    if filed.lunar:
        if qualifies == "no":
            return STRAIGHT_UP  # 671a.12(c)
        return BETS if result == "higher" else frozenset()
    if result == "higher":
        names |= STRAIGHT_UP if filed.book == "pa-677a" else filed.blind
    if result == "lower" and filed.book == "pa-677a" and qualifies == "yes":
        names |= BAD_BEAT_677A
    if result == "lower" and "bad_beat_bonus" in said.wagers:
        names |= BAD_BEAT_653A
    return frozenset(names)


def answer_of(filed: Filed, said: Said, true: Truth, seat: int, about: str) -> tuple[str, frozenset[str]]:
    """(what is true, the rows that have to be told apart); below or beside all rows nothing is told."""
    if about == "hand":
        return true[seat, "hand"], paid_names(filed, said, true[seat, "result"], true[0, "qualifies"])
    if about == "dealer_hand":
        return true[0, "hand"], BAD_BEAT_653A
    if about == "six_card_bonus":
        row = true[seat, about]
        while row not in filed.six and row.startswith("six-card royal"):
            row = "six-card royal flush" if "," in row and "six-card royal flush" in filed.six else "royal flush"
        return row, filed.six
    found = true[seat, about]
    return found, frozenset({found} - {""})


def asked_by_law(filed: Filed, said: Said, known: Known, true: Truth, seat: int) -> set[str]:
    """What a dealer has to be asked of this deal, if what lies there does not say it."""
    qualifies = true[0, "qualifies"]
    asked = set[str]()
    if known.still is not None:
        said = replace(said, wagers=tuple([wager for wager in said.wagers if wager in known.still]))
    compared = said.choice is Choice.PLAY and not known.void
    if compared and not (filed.lunar and qualifies == "no"):
        asked.add("result")
    if paid_names(filed, said, true[seat, "result"] if compared else "", qualifies):
        asked.add("hand")
    if compared and "bad_beat_bonus" in said.wagers and true[seat, "result"] == "higher":
        asked.add("dealer_hand")
    if compared and filed.lunar and qualifies == "yes" and true[seat, "result"] == "higher":
        asked.add("second")
    for wager in ("pocket_bonus", "six_card_bonus"):
        if wager in said.wagers:
            asked.add(wager)
    return asked


# A telling ------------------------------------------------------------------------------------------------------------

Test = Callable[[Truth], bool]


class Round:
    """One round of which cards may lie open; what was said of it so far, and the deals that agree with that."""

    def __init__(self, filed: Filed, level: int, whole: bool, chance: random.Random) -> None:
        self.filed, self.level, self.whole, self.chance = filed, level, whole, chance
        self.worlds = filed.worlds
        count = 1 if whole else chance.choice((1, 1, 2, 3))
        self.seats = tuple(sorted(chance.sample(range(1, 6), count)))
        self.void = not filed.lunar and not whole and chance.random() < 0.05
        self.said = {seat: self.seat_of(seat) for seat in self.seats}
        box = any("six_card_bonus" in said.wagers for said in self.said.values())
        options = {seat: self.said[seat].option for seat in self.seats}
        self.game = Game(filed.lunar, box, options)
        few = self.few_cards()
        self.deal = max(every_deal(self.game, few, {}, chance.choice((1, 1, 20)), chance), key=self.rare)
        deck = WHOLE if whole else few
        self.lying = self.open_cards()
        self.true = truth(self.game, self.deal)
        made = (truth(self.game, deal) for deal in every_deal(self.game, deck, self.lying, self.most, chance))
        self.deals = [self.true, *({tuple(one.values()): one for one in made}.values())]
        self.known = self.known_first()

    @property
    def most(self) -> int:
        return 10_000 if self.whole else MOST_DEALS

    def few_cards(self) -> Cards:
        """A part of a deck, so that rare hands meet each other often."""
        chance, number = self.chance, self.game.needed + self.chance.choice((1, 1, 2, 4))
        while True:
            low, there = chance.randrange(0, 9), chance.sample("cdhs", chance.choice((1, 2, 2, 3, 4)))
            near = "23456789TJQKA"[low : low + chance.randrange(4, 14)]
            part = [card for card in WHOLE if card[0] in near and card[1] in there]
            if len(part) >= number:
                return tuple(chance.sample(part, number))

    def rare(self, deal: Deal) -> tuple[int, ...]:
        """High hands first."""
        return max(best(frozenset((*cards, *deal.board))) for cards in (deal.dealer, *deal.seats.values()))[:1]

    def seat_of(self, seat: int) -> Said:
        """What lies at a seat and was decided there."""
        chance, filed = self.chance, self.filed
        sides = [side for side in filed.sides if chance.random() < 0.5]
        choice = Choice.FOLD if self.void or chance.random() < 0.12 else Choice.PLAY
        if not filed.lunar:
            if filed.book.startswith("md") and "trips" not in sides:
                sides = [side for side in sides if side != "six_card_bonus"]
            return Said(choice, (*filed.always, *sides))
        backed = ["super:dealer"] if "dealer" in sides else []
        backed += [f"super:{other}" for other in self.seats if other != seat] if "others" in sides else []
        option = chance.choice((None, None, 0, 2, 3, 5)) if not self.whole else chance.choice((0, 0, 2))
        return Said(choice, (*filed.always, *backed), option=option, number=seat)

    def open_cards(self) -> Lying:
        """The cards that lie open, of a table where cards are entered."""
        chance, deal = self.chance, self.deal
        lying: dict[str | int, Cards] = {}
        if self.level == 1:
            return {}
        dealer_too = self.whole or chance.random() < 0.6
        if dealer_too:
            lying["dealer"] = deal.dealer
        if not self.filed.lunar:
            lying["board"] = deal.board
            if self.game.box and (self.whole or chance.random() < 0.6):
                lying["box"] = deal.box
        for seat in self.seats:
            if self.whole and not self.filed.lunar:
                continue
            if self.whole or chance.random() < 0.3:
                lying[seat] = deal.first[seat] if self.filed.lunar else deal.seats[seat]
        return lying

    def known_first(self) -> Known:
        """The dealer's hand as it was announced, declared wagers, and the cards that lie open."""
        true, chance, lying = self.true, self.chance, self.lying
        board, dealer = lying.get("board", ()), lying.get("dealer", ())
        if self.void:
            settled = [side for side in self.filed.sides if side in ("trips", "trips_plus", "pocket_bonus")]
            still = tuple([side for side in settled if chance.random() < 0.7])
            known = Known(still=still, board=board, six=lying.get("box", ()))
        else:
            named = bool(dealer) if self.level == 2 else chance.random() < 0.3
            self.learns(lambda one: one[0, "qualifies"] == true[0, "qualifies"])
            if named:
                self.learns(lambda one: one[0, "hand"] == true[0, "hand"])
            known = Known(
                qualifies=true[0, "qualifies"] == "yes",
                hand=true[0, "hand"] if named and not (self.filed.lunar and self.level == 2) else "",
                board=board,
                dealer=dealer,
                six=lying.get("box", ()),
            )
        for seat in self.seats:
            self.lies_open(seat)
        if self.filed.lunar and chance.random() < 0.7:
            known = self.declared(known)
        for seat, said in self.said.items():
            known = known.at(seat, said)
        return known

    def lies_open(self, seat: int) -> None:
        if cards := self.lying.get(seat, ()):
            said = self.said[seat]
            alone = not self.filed.lunar or (said.option is None and said.choice is Choice.PLAY)
            first = cards if self.filed.lunar else ()
            self.said[seat] = replace(said, cards=cards if alone else (), first=first)

    def declared(self, known: Known) -> Known:
        """671a.11(b), (c), (e): all Supers that win were declared."""
        true, backed = self.true, False
        for seat, said in self.said.items():
            rows = []
            for wager in said.wagers:
                name, _, on = wager.partition(":")
                who = 0 if on == "dealer" else int(on or seat)
                backed |= on == "dealer"
                if name == "super" and true[who, "super"]:
                    rows.append((wager, true[who, "super"]))
                    self.is_true(who, "super")
            self.said[seat] = replace(said, rows=tuple(rows))
        if backed:
            self.is_true(0, "super")
            return replace(known, row=true[0, "super"])
        return known

    def is_true(self, who: int, about: str) -> None:
        self.learns(lambda one: one[who, about] == self.true[who, about])

    def learns(self, test: Test) -> None:
        """Only deals that agree are left."""
        self.deals = [one for one in self.deals if test(one)]

    def tell_prize(self) -> None:
        """653a.11(k), (l): a hand of two cards and the flop that wins on a meter is named."""
        holders = [
            *((seat, wager) for seat, said in self.said.items() for wager in said.wagers if wager in POSITIVE),
            *((0, wager) for said in self.said.values() for wager in said.wagers if wager == "five_card_dealer"),
        ]
        for who, wager in holders:
            name = self.true[who, "flop"]
            if name in (TRIPS_UP if wager == "progressive" else FLUSH_UP) and self.chance.random() < 0.5:
                self.is_true(who, "flop")
                if who:
                    self.said[who] = replace(self.said[who], prizes=(name,))
                    self.known = self.known.at(who, self.said[who])
                else:
                    self.known = replace(self.known, prizes=(name,))

    def tell(self, seat: int, about: str, choices: tuple[str, ...]) -> None:
        """The true answer, as these choices have it."""
        said, true = self.said[seat], self.true
        name, rows = answer_of(self.filed, said, true, seat, about)
        if name in choices:
            self.learns(lambda one: answer_of(self.filed, said, one, seat, about)[0] == name)
        else:
            apart = rows | set(choices)
            self.learns(lambda one: answer_of(self.filed, said, one, seat, about)[0] not in apart)
        self.said[seat] = self.worlds.answering(said, about, name if name in choices else "")
        self.known = self.known.at(seat, self.said[seat])

    # What is compared

    def wrong(self, seat: int, seen: Counter[str]) -> Iterator[str]:
        """Every answer that a deal makes true and that is not offered."""
        said, known, deals = self.said[seat], self.known.beside(seat), self.seen_from(seat)
        offered = self.worlds.questions(known, said)
        for about, choices in offered.items():
            if about == "result" and said.choice is not Choice.PLAY:
                yield f"{about} is asked of a hand that is not compared"
                continue
            true = set()
            for one in deals:
                name, rows = answer_of(self.filed, said, one, seat, about)
                if name in choices:
                    true.add(name)
                elif name not in rows and "" in choices:
                    true.add("")
                elif about in asked_by_law(self.filed, said, known, one, seat):
                    yield f"{about} {name} is true of {one} and not among {choices}"
                    return
            if self.whole:
                for choice in set(choices) - true:
                    exchanged = " after an exchange" if said.option else ""
                    seen[f"{about} {choice or 'none'} is offered and no deal makes it{exchanged}"] += 1
            seen["answers"] += len(choices)
        if said.result or said.choice is not Choice.PLAY or "result" not in offered:
            for about in ("result", "hand", "dealer_hand", "second", "pocket_bonus", "six_card_bonus"):
                if about not in offered and said.answer(about) is None and self.differs(about, seat, deals):
                    yield f"{about} is not asked"
        everything = self.known
        if not self.worlds.possible(everything):
            yield f"what is true is not possible: {self.worlds.conflict(everything)}"
        if self.true[seat, "hand"] not in self.worlds.names(known, said):
            yield f"{self.true[seat, 'hand']} is no name of {seat}"
        if not self.filed.lunar:
            least = ORDER.index(self.worlds.least(everything))
            if min(ORDER.index(self.true[who, "flop"]) for who in (0, *self.seats)) < least:
                yield f"somebody has less than {ORDER[least]}"

    def seen_from(self, seat: int) -> list[Truth]:
        """The deals that are left, as far as they differ for this seat."""
        found = {tuple([(key, value) for key, value in one.items() if key[0] in (0, seat)]) for one in self.deals}
        return [dict(one) for one in found]

    def differs(self, about: str, seat: int, deals: list[Truth]) -> bool:
        """The law pays two deals differently by it."""
        said, found = self.said[seat], set()
        for one in deals:
            if about in asked_by_law(self.filed, said, self.known, one, seat):
                name, rows = answer_of(self.filed, said, one, seat, about)
                found.add(name if name in rows else "")
        return len(found) > 1

    def tellings(self, seen: Counter[str]) -> Iterator[str]:
        """Facts one after the other, and what is wrong after each."""
        self.tell_prize()
        for _ in range(8):
            seat = self.chance.choice(self.seats)
            seen["cases"] += 1
            if wrong := next(self.wrong(seat, seen), ""):
                yield f"{self.filed.book} {self.known} | seat {seat} {self.said[seat]} | {self.lying} | {wrong}"
                return
            asked = self.worlds.questions(self.known.beside(seat), self.said[seat])
            left = [about for about in asked if self.said[seat].answer(about) is None]
            if left:
                about = self.chance.choice(left)
                self.tell(seat, about, asked[about])


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("filed", ALL)
def test_every_answer_that_a_deal_of_few_cards_makes_true_is_offered(filed: str, level: int) -> None:
    seen = told(filed, level, whole=False, cases=CASES // 12, seed=level)
    assert seen["answers"] > CASES // 12


@pytest.mark.slow
@pytest.mark.parametrize("filed", ALL)
def test_of_a_whole_deck_with_the_dealers_cards_known_no_answer_is_offered_that_no_deal_makes(filed: str) -> None:
    """Of a board and the dealer's two cards; of Lunar Poker's first five, the answers are coarser than cards."""
    seen = told(filed, 2, whole=True, cases=CASES // 12, seed=3)
    coarser = {kind: count for kind, count in seen.items() if "no deal makes it" in kind}
    assert filed == "pa-671a" or not coarser


def told(filed: str, level: int, whole: bool, cases: int, seed: int) -> Counter[str]:
    """So many cases: (what is known, a seat). What was seen in them; nothing was wrong."""
    chance, seen = random.Random(seed), Counter[str]()
    while seen["cases"] < cases:
        round_ = Round(ALL[filed], level, whole, chance)
        assert list(round_.tellings(seen)) == []
    return seen
