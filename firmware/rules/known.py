"""The known facts of a table: the one value from which the law of hands reasons (`worlds`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from firmware.rules.games.game import Game
from firmware.rules.money import Cents
from firmware.rules.seat import DEALER, Choice, Decision, Option, Seat

Answers = tuple[tuple[str, str], ...]
"""(question or wager, answer), in the order in which they were given."""


@dataclass(frozen=True)
class Said:
    """The facts of one position: its cards, decisions and the words about it. Amounts are no part of it.

    `option`: how many cards were exchanged for an options fee, 0 if one was bought, None without a fee. `declared`: in
    a game with declared hands. `number`: of its seat, in such a game; else 1, so that all seats are alike. `answers`: to
    the questions of `Worlds.questions`. `rows`: of its wagers on declared hands, as they were declared. `cards`: all its
    cards; `first`: its first five, if others followed. `prizes`: the names of its two cards and the flop.
    """

    choice: Choice = Choice.NONE
    wagers: tuple[str, ...] = ()
    option: int | None = None
    declared: bool = True
    number: int = 1
    answers: Answers = ()
    rows: Answers = ()
    cards: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    prizes: tuple[str, ...] = ()

    @property
    def result(self) -> str:
        """The comparison with the dealer's hand, "" where nobody told it."""
        return self.answer("result") or ""

    @property
    def compared(self) -> bool:
        """The hand is compared with the dealer's."""
        return self.choice is Choice.PLAY

    @property
    def compared_as(self) -> str:
        """The result of a hand that is compared, "" where nobody told it or there is none."""
        return self.result if self.compared else ""

    @property
    def is_evidence(self) -> bool:
        """It says something of the cards."""
        return bool(self.answers or self.rows or self.cards or self.first or self.prizes)

    def __hash__(self) -> int:
        lying = self.choice, self.wagers, self.option, self.declared, self.number
        return _once(self, lying, self.answers, self.rows, self.cards, self.first, self.prizes)

    @property
    def asked_about(self) -> Said:
        """The cards and decisions alone, by which the law asks its questions."""
        return Said(self.choice, self.wagers, self.option, self.declared, self.number)

    def answer(self, about: str) -> str | None:
        """The answer to a question, None where there is none."""
        for question, answer in self.answers:
            if question == about:
                return answer
        return None

    def saying(self, about: str, answer: str) -> Said:
        """The same with one more answer."""
        return self.answering((*self.answers, (about, answer)))

    def answering(self, answers: Answers) -> Said:
        """The same with these answers alone."""
        lying = self.choice, self.wagers, self.option, self.declared, self.number
        return Said(*lying, answers, self.rows, self.cards, self.first, self.prizes)

    def counted(self, rows: Answers) -> Said:
        """Only these answers, the declared rows and the cards."""
        return Said(option=self.option, answers=rows, rows=self.rows, cards=self.cards, first=self.first)

    def bare(self) -> Said:
        """Nothing of what the dealer said of it."""
        return replace(self, answers=(), prizes=())

    def holding(self, *cards: str) -> Said:
        """The same without the names that these cards had with the flop."""
        return replace(self, cards=cards, prizes=())

    def paid_at_once(self, row: str) -> Said:
        """A hand that an instant payout follows has no Bet, and is not compared (671a.11(c)(3))."""
        return replace(self, choice=Choice.INSTANT, answers=(("instant", row),))

    def seat(self, game: Game) -> Seat:
        """The seat as the law asks about it; each of its stakes is a cent."""
        return replace(
            game.seat_with(self.number, dict.fromkeys(self.wagers, Cents(1))),
            decisions=(Decision(self.choice),) if self.choice else (),
            option=None if self.option is None else Option((), (), self.option),
            declared=self.declared,
        )


@dataclass(frozen=True)
class Known:
    """The known facts of a round: the dealer's hand, cards that lie open, and the words about seats.

    `qualifies`: the dealer's hand does, None if nobody said it. `hand`: its name, "" unknown. `row`: the row on which it
    wins declared wagers, "" none, None unknown. `prizes`: the names of the dealer's two cards and the flop.
    `still`: the wagers that a void round settles, None if the round stands. `seats`: only those with a known fact.
    """

    qualifies: bool | None = None
    hand: str = ""
    row: str | None = None
    prizes: tuple[str, ...] = ()
    still: tuple[str, ...] | None = None
    board: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    six: tuple[str, ...] = ()
    seats: tuple[tuple[int, Said], ...] = ()

    def __hash__(self) -> int:
        of_dealer = self.qualifies, self.hand, self.row, self.prizes, self.still
        return _once(self, of_dealer, self.board, self.dealer, self.six, self.seats)

    @property
    def void(self) -> bool:
        """No hands are compared any more."""
        return self.still is not None

    def on_row(self, row: str) -> Known:
        """The same with a dealer's hand that wins declared wagers on this row."""
        return replace(self, row=row)

    def naming(self, who: int, said: Said, prizes: tuple[str, ...]) -> Known:
        """The same, if the two cards of a seat with these `said` facts, or the dealer's, had this name with the flop."""
        return replace(self, prizes=prizes) if who == DEALER else self.at(who, replace(said, prizes=prizes))

    def open_cards(self) -> Known:
        """Only the cards of the board, the dealer and the Six Card box."""
        return Known(board=self.board, dealer=self.dealer, six=self.six)

    def alone(self) -> Known:
        """Nothing of what was said of seats."""
        return replace(self, seats=())

    def beside(self, number: int) -> Known:
        """All but what was said of this seat."""
        return replace(self, seats=tuple([one for one in self.seats if one[0] != number]))

    def at(self, number: int, said: Said) -> Known:
        """The same with this said of a seat, in place of what was."""
        others = [one for one in self.seats if one[0] != number]
        return replace(self, seats=tuple(sorted([*others, (number, said)] if said.is_evidence else others)))


def _once(value: object, *fields: object) -> int:
    """The hash of a value, found once: it is looked up again and again."""
    found: int | None = value.__dict__.get("hash")
    if found is None:
        found = value.__dict__["hash"] = hash(fields)
    return found


PRIZE = "prize"


class Fact(NamedTuple):
    """One thing that is known. `seat`: DEALER of the dealer's hand. `about`: a question or wager, PRIZE, or a field of what
    is known.
    """

    seat: int
    about: str
    answer: str | tuple[str, ...] | bool

    @property
    def lies_open(self) -> bool:
        """Cards, which no word changes."""
        return self.about in _CARDS


_OF_DEALER = {"qualifies": None, "hand": "", "row": None, "board": (), "dealer": (), "six": ()}
"""Facts of the round beside its seats and prizes -> the value that stands for nothing."""
_CARDS = ("board", "dealer", "six", "cards", "first")


def facts(known: Known) -> Iterator[Fact]:
    """Everything that is known, one by one."""
    for about, nothing in _OF_DEALER.items():
        if (answer := getattr(known, about)) != nothing:
            yield Fact(DEALER, about, answer)
    for number, of_prizes in ((DEALER, known.prizes), *((number, said.prizes) for number, said in known.seats)):
        yield from (Fact(number, PRIZE, prize) for prize in of_prizes)
    for number, said in known.seats:
        yield from (Fact(number, about, answer) for about, answer in (*said.answers, *said.rows))
        yield from (Fact(number, about, cards) for about in ("cards", "first") if (cards := getattr(said, about)))


def without(known: Known, fact: Fact) -> Known:
    """The same, had this not been known."""
    if fact.seat == DEALER and fact.about in _OF_DEALER:
        nothing: dict[str, Any] = {fact.about: _OF_DEALER[fact.about]}
        return replace(known, **nothing)
    said = dict(known.seats).get(fact.seat)
    prizes = tuple([one for one in (said or known).prizes if fact.about != PRIZE or one != fact.answer])
    if said is None:
        return replace(known, prizes=prizes)
    gone = fact.about, fact.answer
    answers, rows = (tuple([one for one in each if one != gone]) for each in (said.answers, said.rows))
    cards, first = (() if gone == (name, getattr(said, name)) else getattr(said, name) for name in ("cards", "first"))
    return known.at(fact.seat, replace(said, answers=answers, rows=rows, cards=cards, first=first, prizes=prizes))
