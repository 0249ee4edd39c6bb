"""From a betting position to the law and back: its wagers and decisions as `firmware.rules` wants them, its payments.

Nothing is decided here, and no money is counted: `firmware.rules.worlds` asks the questions, `payline` pays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from firmware.rules.games.game import Game
from firmware.rules.known import Said
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import Cents
from firmware.rules.payline import pay_lines, void_payments
from firmware.rules.payment import Payment
from firmware.rules.round import check_stakes
from firmware.rules.seat import FOLDS, LEAVES, Choice, Decision, Option
from firmware.rules.seat import Seat as RulesSeat
from firmware.rules.strict import Refusal
from firmware.rules.told import Told
from firmware.rules.wager import SettledBy
from firmware.rules.worlds import Choices
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.known import declared_wagers, known_at, known_of
from firmware.table.projections import positions_of_one, shares_paid
from firmware.table.state import Position, TableState

COMPARED = ("result", "hand", "dealer_hand", "second")
"""Answers that are about hands and not about one wager."""


# A position as the law knows it -----------------------------------------------------------------------------------------


def rules_seat(house: House, number: int, position: Position) -> RulesSeat:
    """The seat as the law knows it, without cards. Its meter wagers are not among the stakes (`meter_seat`)."""
    game = house.game
    return dataclasses.replace(
        game.seat_with(number, {wager: Cents(stake) for wager, stake in position.stakes}),
        decisions=_decisions(game, position),
        option=Option((), (), position.exchanged) if position.option else None,
        declared=bool(position.super_row) or not declared_wagers(game, position),
    )


def _decisions(game: Game, position: Position) -> tuple[Decision, ...]:
    """All that was decided, one after the other; a fee for cards comes before what was decided after them."""
    made: list[Decision] = [Decision(Choice.INSTANT)] if position.verified else []
    for one in () if position.verified else position.decisions:
        if one.option:
            [fee] = game.settled_by(SettledBy.FEE)
            made.append(Decision(Choice.OPTION, one.street or None, Cents(position.base), fee))
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
    seat = state.seat(number)
    wagers = {wager: house.submission.offers[wager].wager for wager in seat.placed}
    player = str(positions_of_one(state, number)[0]) if seat.player else None
    return RulesSeat(number, (), wagers, LEAVES if seat.left else (), player)


# Questions and answers --------------------------------------------------------------------------------------------------


@kept
def questions(house: House, state: TableState, number: int) -> Choices:
    """The open questions to the dealer about a seat, each with its choices; the dealer's own hand is known by now.

    A question with one possible answer is not asked.
    """
    return house.worlds.open(*known_at(house, state, number))


def is_compared(house: House, state: TableState, number: int) -> bool:
    """The law wants to know how this seat's hand compares with the dealer's."""
    return "result" in house.worlds.questions(*known_at(house, state, number))


def told(house: House, state: TableState, number: int) -> Told:
    """All answers about a seat in the law's form; an answer that alone is possible needs nobody to give it."""
    return house.worlds.told(*known_at(house, state, number))


def by_first_cards(state: TableState, number: int) -> tuple[str, ...]:
    """The cards that were entered for a declared hand and lie there unchanged, so that nothing of it is asked; else ()."""
    position = state.seat(number).position
    unchanged = position.choice is Choice.PLAY and not (position.option or position.cards or state.round.void_cite)
    return position.first if unchanged else ()


def settled_in_vain(house: House, state: TableState, number: int) -> bool:
    """A seat was settled by words that cannot be true any more, or is due another payment: the dealer's hand was told
    again since, or cards were entered (653a.11(h), (j)(2), .12(g), 671a.11(f)(2), 677a.11(h)).

    A word that was taken back, and may still be true, makes no other payment: a hand whose declared row was
    entered again, for one. The dealer's hand of Bad Beat is told at one seat for all: taken back there, it pays nobody.
    """
    position = state.seat(number).position
    if not (position.settled and position.final) or position.left or state.round.void_cite:
        return False
    if not house.worlds.possible(known_of(house, state)):
        return False  # `conflicts.among_all` says what contradicts what
    if questions(house, state, number).keys() - {"dealer_hand"}:
        return False
    before = {line.wager for line in position.lines}
    due = lines(house, state, number, lambda wager: wager not in before)
    paid = (line for line in position.final if line.wager not in state.program.wagers)
    return _outcomes(paid) != _outcomes(due)


def paid_by_another_limit(house: House, state: TableState, number: int) -> tuple[Payment, ...]:
    """Payments of this position within a player's payout limit that are due otherwise now, because the other positions
    were paid otherwise since (677a.12(f)); () if there are none. The wager won and lost as it did: only the amount differs.
    """
    box = state.seat(number).position
    if not (box.settled and box.final) or box.left or state.round.void_cite or questions(house, state, number):
        return ()
    due = {line.wager: line for line in lines(house, state, number, lambda wager: True)}
    paid = [line for line in box.final if line.wager in due and line.wager not in state.program.wagers]
    if _outcomes(paid) != _outcomes(due[line.wager] for line in paid):
        return ()
    return tuple([line for line in paid if line.payout != due[line.wager].payout])


def _outcomes(paid: Iterable[Payment]) -> frozenset[tuple[str, str, str | None]]:
    """Wager, result and odds of each; how much a payout limit left is what other boxes were paid (677a.12(f))."""
    return frozenset((line.wager, line.result, line.odds) for line in paid)


# Payments ---------------------------------------------------------------------------------------------------------------


def lines(
    house: House, state: TableState, number: int, wanted: Callable[[str], bool], said: Said | None = None
) -> tuple[Payment, ...]:
    """The payments of the wanted wagers of a seat whose questions are answered; `said`: the words about it, if those are
    more than the dealer has entered.
    """
    known, was_said = known_at(house, state, number)
    seat = (folded if state.round.void_cite else rules_seat)(house, number, state.seat(number).position)
    paid = pay_lines(house.submission, seat, house.worlds.told(known, said or was_said), _other_boxes(state, number))
    return tuple([line for line in paid if wanted(line.wager)])


def _other_boxes(state: TableState, number: int) -> tuple[Payment, ...]:
    """The payments so far in this round to the other positions of the same person (677a.12(f))."""
    others = [state.seat(other).position for other in positions_of_one(state, number) if other != number]
    return tuple([line for position in others for line in (*position.lines, *position.final)])


def due_lines(house: House, state: TableState, number: int, said: Said | None = None) -> tuple[Payment, ...]:
    """The lines to collect and pay at a seat's turn: all that was not settled before."""
    position = state.seat(number).position
    settled = {line.wager for line in (*position.lines, *position.final)}
    if state.round.void_cite:
        still = state.round.settled_anyway
        return lines(house, state, number, lambda wager: wager in still and wager not in settled, said)
    shares = tuple(one for one in state.round.shares if one.seat == number and one.wager not in settled)
    due = lines(house, state, number, lambda wager: wager not in settled, said)
    after = tuple(line for line in due if line.wager in house.game.after_meters)
    return (*(line for line in due if line not in after), *shares, *after)


def answered(state: TableState, number: int) -> tuple[Payment, ...]:
    """The lines that were found due at a seat's last answer, () while a question is open.

    For a person with several positions they are found again: a later payment at another one leaves less of the limit, or
    more (677a.12(f)).
    """
    return state.seat(number).position.due if len(positions_of_one(state, number)) == 1 else ()


def early_lines(house: House, state: TableState, number: int, wanted: Callable[[str], bool]) -> tuple[Payment, ...]:
    """The settlements before a seat's turn, and so without comparing hands: folds, Supers, options fees."""
    position = state.seat(number).position
    known, said = known_at(house, state, number)
    side = {wager: row for wager, row in (*said.answers, *said.rows) if wager not in COMPARED and row}
    as_it_is = position.choice in (Choice.ABANDONED, Choice.INSTANT)
    seat = rules_seat(house, number, position) if as_it_is else folded(house, number, position)
    paid = pay_lines(house.submission, seat, Told(known.qualifies is not False, side=side))
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
        return found.said or say("stakes.not-together")
    return NOTHING
