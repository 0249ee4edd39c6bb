"""From a betting position to the law and back: its wagers and decisions as `firmware.rules` wants them, its payments.

Nothing is decided here, and no money is counted: `firmware.rules.payline` asks the questions and pays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from firmware.rules.cards import DECK
from firmware.rules.flop import IN_SEVEN
from firmware.rules.games.game import ANY_HAND, Game
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import FIVE_CARD, PROGRESSIVE
from firmware.rules.money import Cents
from firmware.rules.payline import (
    answers,
    dealer_of_cards,
    dealers_possible_hands,
    left_by,
    made_beside,
    made_by_buying,
    names_together,
    pay_lines,
    pays_losers,
    possible_hands,
    rows,
    second_of_cards,
    still_answers,
    told_of_cards,
    void_payments,
)
from firmware.rules.payment import Payment
from firmware.rules.round import check_stakes
from firmware.rules.seat import DEALER, FOLDS, LEAVES, Choice, Decision, Option
from firmware.rules.seat import Seat as RulesSeat
from firmware.rules.strict import Refusal
from firmware.rules.told import NONE_OF_THESE, Made, Told
from firmware.rules.wager import SettledBy
from firmware.table.house import House
from firmware.table.named import hands_held
from firmware.table.projections import positions_of_one, shares_paid
from firmware.table.said import kept_by_said
from firmware.table.state import Decision as TableDecision
from firmware.table.state import Position, TableState
from firmware.wire.structs import replace

WITH_METER = (PROGRESSIVE, *FIVE_CARD)
"""The wagers of a seat as they stand in its turn (653a.11(k), (l), reading 4)."""
COMPARED = ("result", "hand", "dealer_hand", "second")
"""Answers that are about hands and not about one wager."""


# A position as the law knows it -----------------------------------------------------------------------------------------


class _Wagered(NamedTuple):
    """All that the law reads of a position that is not yet paid, and nothing that changes while it is being settled."""

    stakes: tuple[tuple[str, int], ...]
    decisions: tuple[TableDecision, ...]
    left: bool
    drawn: bool
    super_row: str
    called: tuple[tuple[str, str], ...]
    """The instant payout that was verified: it takes the place of every election (671a.11(c)(3))."""

    @classmethod
    def at(cls, position: Position, *, sized: bool = True) -> _Wagered:
        """Of this position; where the stakes are not `sized`, each is a cent, and no decision says how much it wagers."""
        verified = tuple([one for one in position.called if one[0] == "instant"])
        stakes, decisions = position.stakes, position.decisions
        if not sized:
            stakes = tuple([(wager, 1) for wager, _ in stakes])
            decisions = tuple([_unsized(one) for one in decisions])
        return cls(stakes, decisions, position.left, position.drawn, position.super_row, verified)


@lru_cache(maxsize=256)
def _unsized(decision: TableDecision) -> TableDecision:
    """What is asked, and what hands can be, is the same whatever it wagers."""
    return replace(decision, times=0, raised=0, changed=False)


def rules_seat(house: House, number: int, position: Position) -> RulesSeat:
    """The seat as the law knows it, without cards. Its meter wagers are not among the stakes (`meter_seat`)."""
    return _rules_seat(house.game, number, _Wagered.at(position))


@lru_cache(maxsize=1024)
def _rules_seat(game: Game, number: int, wagered: _Wagered) -> RulesSeat:
    """Wanted again and again of the same wagers: for every question, for every payment, and in the next round too."""
    position = Position(**wagered._asdict())
    return dataclasses.replace(
        game.seat_with(number, {wager: Cents(stake) for wager, stake in position.stakes}),
        decisions=_decisions(game, position),
        option=Option((), (), position.exchanged) if position.option else None,
        declared=bool(position.super_row) or not _declared_wagers(game, position),
    )


def _declared_wagers(game: Game, position: Position) -> tuple[str, ...]:
    """The wagers on the own hand that its player has to declare."""
    return tuple(wager for wager, _ in position.stakes if wager in game.settled_by(SettledBy.DECLARED))


def _decisions(game: Game, position: Position) -> tuple[Decision, ...]:
    """All that was decided, one after the other; a fee for cards comes before what was decided after them."""
    made: list[Decision] = [Decision(Choice.INSTANT)] if position.verified else []
    for one in () if position.verified else position.decisions:
        if one.option:
            [fee] = game.settled_by(SettledBy.FEE)
            made.append(Decision(Choice.OPTION, one.street or None, Cents(position.ante), fee))
        if one.choice is Choice.PLAY:
            [wager] = [street.wager for street in game.procedure.streets if street.name == one.street]
            made.append(Decision(one.choice, one.street, Cents(position.staked(one)), wager))
        elif not one.option or position.drawn:
            made.append(Decision(one.choice, one.street or None))
    return (*made, *LEAVES) if position.left else tuple(made)


def folded(house: House, number: int, position: Position) -> RulesSeat:
    """The seat as if it had folded: what is settled without a comparison is told like that."""
    return dataclasses.replace(rules_seat(house, number, position), decisions=FOLDS)


def meter_seat(house: House, state: TableState, number: int) -> RulesSeat:
    """The seat with nothing but the wagers that a meter belongs to; at every assist level the table knows these."""
    seat, rules = state.seat(number), house.submission
    wagers: dict[str, Cents] = {}
    if seat.wager and rules.progressive:
        wagers[PROGRESSIVE] = rules.progressive.wager
    if rules.five_card_hand:
        placed = zip(FIVE_CARD, (seat.own, seat.dealers), strict=True)
        wagers |= {wager: rules.five_card_hand.wager for wager, there in placed if there}
    player = str(positions_of_one(state, number)[0]) if seat.player else None
    return RulesSeat(number, (), wagers, LEAVES if seat.left else (), player)


# Questions and answers --------------------------------------------------------------------------------------------------


def questions(house: House, state: TableState, number: int) -> Mapping[str, tuple[str, ...]]:
    """What the dealer is still to be asked of a seat, each with its choices; the dealer's own hand is known by now.

    What has one possible answer is not asked.
    """
    given = dict(state.seat(number).position.called)
    asked = _open_answers(house, state, number)
    return {about: choices for about, choices in asked.items() if about not in given and len(choices) > 1}


def is_compared(house: House, state: TableState, number: int) -> bool:
    """The law wants to know how this seat's hand compares with the dealer's."""
    return "result" in _open_answers(house, state, number)


@kept_by_said
def _open_answers(house: House, state: TableState, number: int) -> Mapping[str, tuple[str, ...]]:
    """What the law wants to know of a seat, and the table does not know without the dealer."""
    round_, position = state.round, state.seat(number).position
    still = round_.settled_anyway if round_.void_cite else None
    given = {**by_first_cards(house, state, number), **dict(position.called)}
    sure = {about: row for about, row in given.items() if about not in dict(position.called)}
    wagered = _Wagered.at(position, sized=False)
    told_once, (dealer_hand, dealer_row) = dealer_told_elsewhere(state, number), _known_of_dealer(house, state)
    qualifies, shown = _qualifies(state, number), bool(dealers_name(house, state)) or told_once is not None
    seat = number if house.game.declared else 1  # where nobody backs another hand, all seats are asked the same
    dealers = told_once or dealer_hand, dealer_row

    def asked(result: str) -> Mapping[str, tuple[str, ...]]:
        said = result, given.get("hand", ""), tuple(_side(house, state, number).items())
        left = _left(house, state, number)
        found = _asked(house, seat, wagered, still, *said, qualifies, shown, *dealers, left)
        if not all(found.values()):  # what was said of other seats denies what is known of this one
            found = _asked(house, seat, wagered, still, *said, qualifies, shown, *dealers, None)
        found = {about: _narrowed(all_, sure[about]) if about in sure else all_ for about, all_ in found.items()}
        only = found.get("result", ())
        return _that_lie_there(house, state, number, only[0] if len(only) == 1 else result, found)

    first = asked(given.get("result", ""))
    if "result" in given or len(first.get("result", ())) != 1:
        return first
    return {**asked(*first["result"]), "result": first["result"]}  # what else is asked depends on it


def _known_of_dealer(house: House, state: TableState) -> tuple[str, str | None]:
    """(the dealer's hand, its row for declared wagers) as answers are held against it."""
    return (dealers_name(house, state), state.round.dealer_row) if state.program.level == 1 else BY_CARDS


def dealers_name(house: House, state: TableState) -> str:
    """What the dealer's hand is called, as it was announced or by its cards; "" where nobody knows."""
    round_ = state.round
    if round_.dealer_hand or not round_.dealer or round_.void_cite:
        return round_.dealer_hand
    return dealer_of_cards(house.submission, round_.board, round_.dealer)[0]


def dealer_told_elsewhere(state: TableState, number: int) -> str | None:
    """The row of the dealer's hand that was told at another seat, "" for none of them; None where nobody told it.

    One hand, and one answer for every seat (653a.11(j)(2)). Where its cards lie open they say it.
    """
    if state.program.level != 1 or state.round.dealer or state.round.void_cite:
        return None
    return next((row for other, row in _told_of_dealer(state) if other != number), None)


def _told_of_dealer(state: TableState) -> Iterator[tuple[int, str]]:
    """(seat, the row of the dealer's hand that was told there)."""
    for number in state.players:
        called = dict(state.seat(number).position.called)
        if "dealer_hand" in called:
            yield number, called["dealer_hand"]


def dealer_is_another(house: House, state: TableState, number: int) -> bool:
    """The dealer's cards are not the hand that was told of it at another seat than this one (653a.11(j)(2))."""
    made = dealers_name(house, state) if state.round.dealer else ""
    choices = {row for wager in house.game.settled_by(SettledBy.BEATEN) for row in _rows(house, wager)}
    told_so = (row for other, row in _told_of_dealer(state) if other != number)
    return bool(made) and any(row != (made if made in choices else NONE_OF_THESE) for row in told_so)


def _rows(house: House, wager: str) -> tuple[str, ...]:
    """Of a wager that this table offers."""
    return rows(house.submission, wager) if wager in house.submission.paytables else ()


def settled_in_vain(house: House, state: TableState, number: int) -> bool:
    """A seat was settled by what cannot be any more, or is due another payment: the dealer's hand was told again since, or
    cards were entered (653a.11(h), (j)(2), .12(g), 671a.11(f)(2), 677a.11(h)).

    What followed from something that was taken back, and may still be so, is no other payment: a hand whose declared row was
    told again, for one. The dealer's hand of Bad Beat is told at one seat for all: taken back there, it pays nobody.
    """
    position = state.seat(number).position
    if not (position.settled and position.final) or position.left or state.round.void_cite:
        return False
    if denied_by_cards(house, state, number):
        return True
    if questions(house, state, number).keys() - {"dealer_hand"}:
        return False
    before = {line.wager for line in position.lines}
    try:
        due = lines(house, state, number, lambda wager: wager not in before)
    except Refusal:
        return True
    paid = (line for line in position.final if line.wager not in WITH_METER)
    return _outcomes(paid) != _outcomes(due)


def paid_by_another_limit(house: House, state: TableState, number: int) -> tuple[Payment, ...]:
    """What this position was paid within a player's payout limit and is due otherwise now, because his other positions
    were paid otherwise since (677a.12(f)); () where nothing is. The wager won and lost as it did: only the amount differs.
    """
    box = state.seat(number).position
    if not (box.settled and box.final) or box.left or state.round.void_cite:
        return ()
    if questions(house, state, number) or denied_by_cards(house, state, number):
        return ()
    try:
        due = {line.wager: line for line in lines(house, state, number, lambda wager: True)}
    except Refusal:
        return ()
    paid = [line for line in box.final if line.wager in due and line.wager not in WITH_METER]
    if _outcomes(paid) != _outcomes(due[line.wager] for line in paid):
        return ()
    return tuple([line for line in paid if line.payout != due[line.wager].payout])


def _outcomes(paid: Iterable[Payment]) -> frozenset[tuple[str, str, str | None]]:
    """Wager, result and odds of each; how much a payout limit left is what other boxes were paid (677a.12(f))."""
    return frozenset((line.wager, line.result, line.odds) for line in paid)


def _narrowed(choices: tuple[str, ...], known: str) -> tuple[str, ...]:
    """A question that known cards answer: their row, or none of these; all choices where what was told leaves neither."""
    left = known if known in choices else NONE_OF_THESE
    return (left,) if left in choices else choices


def by_first_cards(house: House, state: TableState, number: int) -> Mapping[str, str]:
    """What the cards that were entered for a declared hand answer, where they lie there unchanged: no fee was paid.

    A known card outranks a tap: nothing of it is asked. {} where they are not known, or are not all (671a.11(d), (f)(2)).
    """
    round_, position = state.round, state.seat(number).position
    unchanged = position.choice is Choice.PLAY and not position.option
    if not (position.first and unchanged) or position.cards or round_.void_cite:
        return {}
    seat = dataclasses.replace(rules_seat(house, number, position), cards=position.first)
    said = told_of_cards(house.submission, seat, round_.board, round_.dealer, round_.six_card)
    found = {"hand": said.hand, "second": second_of_cards(house.submission, position.first)}
    return {**found, "result": said.result} if said.result else found


BY_CARDS = ("", None)
"""At assist level 2 a seat's cards are entered, though the dealer's hand decides it already."""


@lru_cache(maxsize=4096)
def _asked(
    house: House,
    number: int,
    wagered: _Wagered,
    still: tuple[str, ...] | None,
    result: str,
    hand: str,
    side: tuple[tuple[str, str], ...],
    qualifies: bool,
    shown: bool,
    dealer_hand: str,
    dealer_row: str | None,
    left: frozenset[tuple[str, str, str]] | None,
) -> Mapping[str, tuple[str, ...]]:
    """All questions but those of declared hands and of a dealer's hand that is `shown`, whatever the stakes are. `still`:
    what a void round settles, None of another.

    Asked again and again: by the screen, by the key that answers, by what comes of the answer, and in the next round.
    """
    game, seat = house.game, _rules_seat(house.game, number, wagered)
    known = {"qualifies", *(["dealer_hand"] if shown else []), *game.settled_by(SettledBy.DECLARED)}
    if still is not None:
        asked = still_answers(house.submission, dataclasses.replace(seat, decisions=FOLDS), still)
    else:
        of_dealer = qualifies, hand, dict(side), known, dealer_hand, dealer_row
        asked = answers(house.submission, seat, result, *of_dealer, left)
    return {about: choices for about, choices in asked.items() if about.partition(":")[0] not in known}


_Together = frozenset[tuple[str, str]]

# What was said of other seats, and what cards lie there ------------------------------------------------------------------


def _left(house: House, state: TableState, number: int) -> frozenset[tuple[str, str, str]] | None:
    """What the results that were told of all other seats leave for this one (`payline.left_by`), and a prize that was named
    on the dealer's hand; None where they say nothing. A seat whose cards are known needs no evidence.
    """
    if state.seat(number).position.cards:
        return None
    left, dealers = _left_by_all_but(house, state, number), _by_a_prize_of_the_dealer(state)
    return left if dealers == ANY_HAND else _of_these_dealers(house, left, dealers)


def _by_a_prize_of_the_dealer(state: TableState) -> frozenset[str]:
    """What the dealer's best hand can be, of which two cards and the flop won a prize (653a.11(l), .12(e)(2)). One that was
    found not to qualify since is a fact: the prize has to be put right.
    """
    held = hands_held(state)
    return IN_SEVEN[held[DEALER][1]] if DEALER in held and state.round.qualifies else ANY_HAND


@lru_cache(maxsize=64)
def _of_these_dealers(
    house: House, left: frozenset[tuple[str, str, str]] | None, dealers: frozenset[str]
) -> frozenset[tuple[str, str, str]] | None:
    """Of what the other seats leave, None for all that can be, what is left against a dealer's hand of these names."""
    every = left or left_by(house.submission, ()) or frozenset()
    return frozenset(one for one in every if one[1] in dealers) or None


def _left_by_all_but(house: House, state: TableState, number: int) -> frozenset[tuple[str, str, str]] | None:
    """What the results of all seats but this one leave; 0: of all seats."""
    told_of = tuple([told for other, told in _results(house, state) if other != number])
    return _left_by(house, told_of) if told_of and not state.round.void_cite else None


@kept_by_said
def _results(house: House, state: TableState) -> list[tuple[int, tuple[str, _Together]]]:
    """(seat, its result with the names that the dealer's hand and its own can have) of every seat of which it was told."""
    return [
        (number, (called["result"], _together(house, *_facts(house, state, number))))
        for number, seat in state.numbered()
        if seat.position.called and seat.position.choice is Choice.PLAY
        for called in [dict(seat.position.called)]
        if "result" in called
    ]


_Facts = tuple[int, _Wagered, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], bool, str, str | None]


@lru_cache(maxsize=1024)
def _left_by(house: House, others: tuple[tuple[str, _Together], ...]) -> frozenset[tuple[str, str, str]] | None:
    return left_by(house.submission, others)


def _facts(house: House, state: TableState, number: int) -> _Facts:
    """All that was answered of a compared seat, and nothing that follows from another one's answers."""
    position = state.seat(number).position
    wagered, side = _Wagered.at(position, sized=False), tuple(_side(house, state, number).items())
    seat = number if house.game.declared else 1
    return (seat, wagered, position.called, side, _qualifies(state, number), *_known_of_dealer(house, state))


@lru_cache(maxsize=1024)
def _together(
    house: House,
    number: int,
    wagered: _Wagered,
    called: tuple[tuple[str, str], ...],
    side: tuple[tuple[str, str], ...],
    qualifies: bool,
    dealer_hand: str,
    dealer_row: str | None,
) -> _Together:
    """The names that the dealer's hand and this seat's can have by what was answered of both."""
    given = dict(called)
    hands = given["result"], given.get("hand", ""), given.get("dealer_hand", dealer_hand)
    said = Told(qualifies, *hands, dict(side), dealer_row=dealer_row)
    return names_together(house.submission, _rules_seat(house.game, number, wagered), said, given)


def _that_lie_there(
    house: House, state: TableState, number: int, result: str, asked: Mapping[str, tuple[str, ...]]
) -> Mapping[str, tuple[str, ...]]:
    """Of the choices those that some two cards make, beside those that are known and with what was answered already."""
    fits = _that_fit(house, state, number, result)
    if not fits:  # nothing is known, or `evidence.answers_contradict` says so
        return asked
    given = dict(state.seat(number).position.called)
    every = _every_choice(house, state, number, given.get("result", result))
    return {
        about: choices
        if about in given
        else tuple(one for one in choices if any(made.agrees(about, one, every[about]) for made in fits))
        for about, choices in asked.items()
    }


@kept_by_said
def denied_by_cards(house: House, state: TableState, number: int) -> bool:
    """No two cards make what was answered of this seat, beside those that are known."""
    return bool(cards_left(house, state, number)) and not _that_fit(house, state, number)


def are_denied(house: House, state: TableState, number: int, own: tuple[str, ...]) -> bool:
    """These two cards do not make what was answered of this seat, with a known board and dealer's hand."""
    fits, round_ = _that_fit(house, state, number), state.round
    made = _made(house, round_.board, round_.dealer, round_.six_card)
    return bool(fits) and made[tuple(sorted(own, key=DECK.index))] not in fits


def with_the_flop(house: House, state: TableState, number: int) -> frozenset[str]:
    """What a seat's two cards can be called with the flop, beside known cards and what was answered; nothing where the
    board is not known, these cards are, or no two make what was answered.
    """
    return frozenset(made.flopped for made in _that_fit(house, state, number))


def _that_fit(house: House, state: TableState, number: int, result: str = "") -> list[Made]:
    """What two cards that may be this seat's make, with what was answered of it; [] where nothing is known.

    `result`: one that alone is possible, where nobody told it.
    """
    made, given = cards_left(house, state, number), dict(state.seat(number).position.called)
    every = _every_choice(house, state, number, given.get("result", result)) if made else {}
    told_so = [(about, choice) for about, choice in given.items() if about in every]
    return [one for one in made if all(one.agrees(about, choice, every[about]) for about, choice in told_so)]


def _every_choice(house: House, state: TableState, number: int, result: str) -> Mapping[str, tuple[str, ...]]:
    position = state.seat(number).position
    seat = (folded if state.round.void_cite else rules_seat)(house, number, position)
    return {} if seat.abandoned else house.game.asks(house.submission, seat, result, _qualifies(state, number))


@kept_by_said
def cards_left(house: House, state: TableState, number: int) -> frozenset[Made]:
    """What the cards of a seat can make that nobody entered, where the whole board is known, or all of them but the one that
    was bought; else nothing.
    """
    round_, position = state.round, state.seat(number).position
    lying = frozenset(card for seat in round_.seats for card in (*seat.position.cards, *seat.position.first))
    if position.cards:
        return frozenset()
    if position.first and position.bought and position.choice is Choice.PLAY and not round_.void_cite:
        return _by_buying(house, _Wagered.at(position, sized=False), position.first, round_.dealer, lying)
    if not round_.board:
        return frozenset()
    return _beside(house, round_.board, round_.dealer, round_.six_card, lying)


@lru_cache(maxsize=64)
def _by_buying(
    house: House, wagered: _Wagered, first: tuple[str, ...], dealer: tuple[str, ...], lying: frozenset[str]
) -> frozenset[Made]:
    """Five cards that are known, and any one of the deck that lies nowhere else (671a.11(d)(1)(i))."""
    seat = dataclasses.replace(_rules_seat(house.game, 1, wagered), cards=first)
    left = [card for card in DECK if card not in lying.union(dealer)]
    return frozenset(made_by_buying(house.submission, seat, dealer, card) for card in left)


@lru_cache(maxsize=64)
def _beside(
    house: House, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...], lying: frozenset[str]
) -> frozenset[Made]:
    """What is made by two cards that do not lie elsewhere."""
    found = _owns(house, board, dealer, six_card)
    return frozenset(made for made, owns in found.items() if any(lying.isdisjoint(own) for own in owns))


@lru_cache(maxsize=4)
def _owns(
    house: House, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Mapping[Made, list[tuple[str, ...]]]:
    """Once a board: what is made, and by which cards."""
    found: dict[Made, list[tuple[str, ...]]] = {}
    last, owns = None, list[tuple[str, ...]]()
    for own, made in _made(house, board, dealer, six_card).items():
        if made is not last:
            last, owns = made, found.setdefault(made, [])
        owns.append(own)
    return found


@lru_cache(maxsize=4)
def _made(
    house: House, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Mapping[tuple[str, ...], Made]:
    """Once a board: what every two cards make."""
    return made_beside(house.submission, board, dealer, six_card)


@kept_by_said
def may_be_beaten_well(house: House, state: TableState, number: int) -> bool:
    """A good hand of this seat that loses to the dealer's is paid for it, and can be: not below a dealer with less."""
    wagered = _Wagered.at(state.seat(number).position, sized=False)
    if made := cards_left(house, state, number):
        paid = house.game.paid_to_losers(house.submission, _rules_seat(house.game, 1, wagered))
        return any(one.result == "lower" and one.hand in paid for one in made)
    of_dealer = _qualifies(state, number), dealers_name(house, state)
    return _beaten_well(house, wagered, *of_dealer, _left(house, state, number))


@lru_cache(maxsize=1024)
def _beaten_well(
    house: House, wagered: _Wagered, qualifies: bool, dealer_hand: str, left: frozenset[tuple[str, str, str]] | None
) -> bool:
    """Wanted for every seat, each time a screen is drawn."""
    return pays_losers(house.submission, _rules_seat(house.game, 1, wagered), qualifies, dealer_hand, left)


@kept_by_said
def told(house: House, state: TableState, number: int) -> Told:
    """All answers about a seat in the law's form; an answer that alone is possible needs nobody to give it."""
    given = dict(state.seat(number).position.called)
    for about, choices in _open_answers(house, state, number).items():
        if about not in given and len(choices) == 1:
            given[about] = choices[0]
    side = {wager: row for wager, row in given.items() if wager not in COMPARED and row}
    return Told(
        qualifies=_qualifies(state, number),
        result=given.get("result", ""),
        hand=given.get("hand", ""),
        dealer_hand=given.get("dealer_hand", dealers_name(house, state) or dealer_told_elsewhere(state, number) or ""),
        side={**side, **_side(house, state, number)},
        second=given.get("second", ""),
        dealer_row=state.round.dealer_row,
    )


def _qualifies(state: TableState, number: int) -> bool:
    """The dealer's hand was found to qualify. Beside a seat that is not compared with it, where nobody has seen it or the
    round is void, it may be any: one that qualifies.
    """
    compared = state.seat(number).position.choice is Choice.PLAY and not state.round.void_cite
    return (
        bool(state.round.qualifies) if compared else bool(state.round.void_cite) or state.round.qualifies is not False
    )


def _side(house: House, state: TableState, number: int) -> dict[str, str]:
    """The rows that the seat's wagers win on, as far as they were said."""
    position = state.seat(number).position
    side = {wager: row for wager, row in position.called if wager not in COMPARED and row}
    declared = house.game.settled_by(SettledBy.DECLARED)
    for wager, _ in position.stakes if declared else ():
        name, _, on = wager.partition(":")
        row = _declared_row(state, number, on) if name in declared else ""
        if row:
            side[wager] = row
    return side


@kept_by_said
def hands_left(house: House, state: TableState, number: int) -> frozenset[str]:
    """What a seat's best hand can be called after what was answered of it; of one that is not known, anything."""
    position = state.seat(number).position
    if not position.called:
        return ANY_HAND
    seat = folded(house, number, position) if state.round.void_cite else rules_seat(house, number, position)
    return possible_hands(house.submission, seat, told(house, state, number), dict(position.called))


@kept_by_said
def dealers_hands_left(house: House, state: TableState) -> frozenset[str]:
    """What the dealer's hand can be called after what was answered of any seat; where he is not known, anything."""
    if state.round.qualifies is None or not state.program.level:
        return ANY_HAND
    known = (
        dealers_possible_hands(
            house.submission,
            rules_seat(house, number, state.seat(number).position),
            told(house, state, number),
            dict(state.seat(number).position.called),
        )
        for number in state.players
    )
    by_all = _left_by_all_but(house, state, 0)
    together = frozenset(dealer for _, dealer, _ in by_all) if by_all else ANY_HAND
    return together.intersection(*known) or ANY_HAND


def _declared_row(state: TableState, number: int, on: str) -> str:
    """The row that a declared hand wins on: the seat's own, or the one that it backs."""
    if on == "dealer":
        return state.round.dealer_row or ""
    return state.seat(int(on) if on else number).position.super_row


# Payments ---------------------------------------------------------------------------------------------------------------


def lines(house: House, state: TableState, number: int, wanted: Callable[[str], bool]) -> tuple[Payment, ...]:
    """What becomes of the wagers that are wanted of a seat whose questions are answered. Raises Refusal."""
    boxes = _other_boxes(state, number)
    paid = _paid(house, state, number, boxes) if boxes else _paid_alone(house, state, number)
    return tuple([line for line in paid if wanted(line.wager)])


@kept_by_said
def _paid_alone(house: House, state: TableState, number: int) -> tuple[Payment, ...]:
    """Of a player who was paid at no other box."""
    return _paid(house, state, number, ())


def _paid(house: House, state: TableState, number: int, boxes: tuple[Payment, ...]) -> tuple[Payment, ...]:
    position = state.seat(number).position
    seat = folded(house, number, position) if state.round.void_cite else rules_seat(house, number, position)
    return pay_lines(house.submission, seat, told(house, state, number), boxes)


def _other_boxes(state: TableState, number: int) -> tuple[Payment, ...]:
    """What the other positions of the same person were paid so far in this round (677a.12(f))."""
    others = [state.seat(other).position for other in positions_of_one(state, number) if other != number]
    return tuple([line for position in others for line in (*position.lines, *position.final)])


def due_lines(house: House, state: TableState, number: int) -> tuple[Payment, ...]:
    """What is to be collected and paid at a seat's turn: all that was not settled before. Raises Refusal."""
    position = state.seat(number).position
    settled = {line.wager for line in (*position.lines, *position.final)}
    if state.round.void_cite:
        return lines(house, state, number, lambda wager: wager in state.round.settled_anyway and wager not in settled)
    shares = tuple(one for one in state.round.shares if one.seat == number and one.wager not in settled)
    due = lines(house, state, number, lambda wager: wager not in settled)
    after = tuple(line for line in due if line.wager in house.game.after_meters)
    return (*(line for line in due if line not in after), *shares, *after)


def answered(state: TableState, number: int) -> tuple[Payment, ...]:
    """What was found to be due when a seat's last question was answered, () where there is one.

    Of somebody with several positions it is found again: what another one was paid since leaves less of his limit, or
    more (677a.12(f)).
    """
    return state.seat(number).position.due if len(positions_of_one(state, number)) == 1 else ()


def early_lines(house: House, state: TableState, number: int, wanted: Callable[[str], bool]) -> tuple[Payment, ...]:
    """What is settled before a seat's turn, and so without comparing hands: folds, Supers, options fees."""
    position, given = state.seat(number).position, told(house, state, number)
    as_it_is = position.choice in (Choice.ABANDONED, Choice.INSTANT)
    seat = rules_seat(house, number, position) if as_it_is else folded(house, number, position)
    paid = pay_lines(house.submission, seat, Told(qualifies=given.qualifies, side=given.side))
    return tuple(line for line in paid if wanted(line.wager))


def void_lines(
    house: House, state: TableState, number: int, kind: str, cite: str, still: tuple[str, ...]
) -> tuple[Payment, ...]:
    """Every stake of a void round that goes back (reading 12). `cite`: the paragraph for this way of dealing."""
    seat = rules_seat(house, number, state.seat(number).position)
    return void_payments(house.submission, seat, kind, still, cite)


def void_meters(house: House, state: TableState, kind: str, cite: str) -> tuple[Payment, ...]:
    """The wagers of a void round that a meter belongs to: they go back too, but for those that have won a share of it."""
    seats = (meter_seat(house, state, number) for number, _ in state.numbered())
    won = {(one.seat, one.wager) for one in shares_paid(state)}
    lines = (line for seat in seats if seat.wagers for line in void_payments(house.submission, seat, kind, (), cite))
    return tuple(line for line in lines if (line.seat, line.wager) not in won)


# Stakes -------------------------------------------------------------------------------------------------------------


def refusal(house: House, positions: Mapping[int, tuple[tuple[str, int], ...]]) -> Message:
    """Why these stakes may not lie on the table; nothing where they may."""
    placed = {number: {wager: Cents(stake) for wager, stake in stakes} for number, stakes in positions.items()}
    try:
        check_stakes(house.submission, placed)
    except Refusal as found:
        return say("law.refused", why=str(found))
    return NOTHING
