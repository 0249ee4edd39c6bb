"""The game against the dealer is settled: the dealer's hand, then seat by seat from the last down (sections .11).

At assist level 1 the dealer says how a hand compares, and answers what follows from that; at level 2, or for one hand,
its cards are entered. `firmware.rules` pays either way. One seat completely before the next (653a.11(h)(2)).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import NamedTuple

from firmware.rules.approvals import Act
from firmware.rules.known import Known
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payline import dealer_of_cards, row_of_cards, rows
from firmware.rules.payment import Payment, Source
from firmware.rules.seat import DEALER, Choice
from firmware.rules.told import NONE_OF_THESE
from firmware.rules.wager import SettledBy
from firmware.table import conflicts, pricing, results
from firmware.table import events as e
from firmware.table.dealing import six_card_wagered
from firmware.table.deciding import backs_dealers_hand, needs_stub, pays_at_once, stub_first
from firmware.table.evidence import Winner, lies_twice, stands_for_good, turn_passed, waiting
from firmware.table.evolve import ahead
from firmware.table.five_card import lucky
from firmware.table.house import House, Table
from firmware.table.jackpot import pick
from firmware.table.kept import kept
from firmware.table.known import known_at, known_of
from firmware.table.press import Key, Press
from firmware.table.projections import next_turn, positions_of_one, to_settle
from firmware.table.results import TurnStep, by_exception
from firmware.table.state import (
    NO_PANEL,
    Correction,
    Entry,
    Panel,
    PanelKind,
    Phase,
    Prize,
    PrizeStatus,
    RoundWork,
    Seat,
    TableState,
)

Events = Iterator[e.Event]

# The dealer's hand ------------------------------------------------------------------------------------------------------


def backs_dealer(house: House, state: TableState) -> bool:
    """Somebody backed the dealer's hand with a wager that its row decides (671a.11(e))."""
    return any(backs_dealers_hand(house, seat.position) for seat in state.round.seats)


def call_dealer_row(table: Table, press: Press) -> Events:
    """The row that the dealer's hand wins on for those who backed it; "none" for none."""
    house, state = table
    row = press.rest
    if not backs_dealer(house, state):
        yield press.refused(say("declared.nobody-on-dealer"))
    elif state.program.level > 1:
        yield press.refused(say("declared.by-cards"))
    elif row != "none" and row not in rows(house.submission, house.game.declared):
        yield press.refused(say("row.no-prize", row=row))
    else:
        called = e.SuperCalled(DEALER, "" if row == "none" else row, False)
        if called.row and (why_not := conflicts.of_dealers_row(house, state, row)):
            yield press.refused(why_not)
        else:
            yield called


def call_dealer(table: Table, press: Press) -> Events:
    """Whether the dealer's hand qualifies (653a.11(g))."""
    if needs_stub(*table):
        yield stub_first(table, press)
    elif press.rest in ("yes", "no"):
        qualifies, row = press.rest == "yes", table.state.round.dealer_row
        if table.house.worlds.possible(Known(qualifies, row=row)):
            yield from _show_dealer(table, "", press, qualifies=qualifies)
        else:
            yield press.refused(say("dealer.row-otherwise", row=row or ""))
    else:
        yield press.refused(say("dealer.qualifies-ask"))


def _show_dealer(table: Table, hand: str, press: Press, *, qualifies: bool) -> Events:
    """The dealer's hand is turned up and announced (653a.11(g)); players who left are settled."""
    house, state = table
    if backs_dealer(house, state) and state.round.dealer_row is None:
        yield press.refused(say("declared.dealer-first", wager=house.game.called(house.game.on_hand(DEALER))))
        return
    on_dealer = house.game.on_hand(DEALER)
    for number, seat in state.numbered():
        position = seat.position
        if position.plays and not position.settled and position.left:
            lines = pricing.early_lines(house, state, number, lambda wager: True)
            yield e.LinesSettled(number, _not_yet(position.lines, lines), complete=True)
        elif position.plays and backs_dealers_hand(house, position) and not _done(position.lines, on_dealer):
            lines = pricing.early_lines(house, state, number, on_dealer.__eq__)
            yield e.LinesSettled(number, lines, complete=position.choice in (Choice.FOLD, Choice.INSTANT))
    yield e.DealerShown(hand, qualifies)


def _done(lines: tuple[Payment, ...], wager: str) -> bool:
    return any(line.wager == wager for line in lines)


def _not_yet(settled: tuple[Payment, ...], lines: tuple[Payment, ...]) -> tuple[Payment, ...]:
    done = [line.wager for line in settled]
    return tuple(line for line in lines if line.wager not in done)


# Seat by seat -----------------------------------------------------------------------------------------------------------


def question(house: House, state: TableState) -> tuple[str, tuple[str, ...]]:
    """The next thing to ask about the seat whose turn it is, with its choices; ("", ()) when all is answered."""
    if not in_question(state):
        return "", ()
    return next(iter(pricing.questions(house, state, state.round.turn).items()), ("", ()))


def in_question(state: TableState) -> bool:
    """A seat is being settled against the dealer."""
    return bool(state.round.turn) and state.in_turn and not state.seat(state.round.turn).position.settled


def needs_no_cards(house: House, state: TableState) -> bool:
    """Level 2: board and dealer leave the seat in turn one result. Its cards may be entered all the same."""
    position = state.seat(state.round.turn).position
    told = position.called or position.cards or position.final
    return state.program.level > 1 and not told and pricing.is_compared(house, state, state.round.turn)


def answer(table: Table, press: Press) -> Events:
    """One answer; when it was the last one the lines are known. "none" is none of the rows.

    By exception what lies behind other questions is named: "answer six_card_bonus = flush".
    """
    house, state = table
    about, _, row = press.rest.rpartition(" = ")
    choice = "" if row == "none" else row
    asked, choices = question(house, state)
    if about:
        beside = results.beside(house, state, state.round.turn) if asked and by_exception(state) else {}
        asked, choices = about if about in beside else "", beside.get(about, ())
    if not asked or choice not in choices:
        yield press.refused(_no_answer(house, state, press))
        return
    _, said = known_at(house, state, state.round.turn)
    yield from _call(table, house.worlds.answering(said, asked, choice).answers, press)


def _no_answer(house: House, state: TableState, press: Press) -> Message:
    """Why this is no answer now: it is not asked, and perhaps because known cards say it."""
    number = state.round.turn
    if in_question(state) and pricing.by_first_cards(state, number):
        return say("settle.by-cards", seat=number, cards=" ".join(state.seat(number).position.first))
    return say("press.no-answer", given=press.rest)


def _call(table: Table, called: tuple[tuple[str, str], ...], press: Press) -> Events:
    house, state = table
    number = state.round.turn
    if press.tried and conflicts.all_stands(house, state):
        yield e.HandCalled(number, called, ())
        return
    after = ahead(state, e.HandCalled(number, called, ()))
    if why_not := conflicts.of_seat(house, after, number):
        yield press.refused(why_not)
        return
    yield e.HandCalled(number, called, () if question(house, after)[0] else pricing.due_lines(house, after, number))


def tell_seat(table: Table, press: Press) -> Events:
    """A tap on a seat: its result, while it is still to be settled; else it is said to have won a prize."""
    house, state = table
    number = press.number
    if not (by_exception(state) and number in to_settle(state)) or state.seat(number).left:
        yield from pick(table, press)
        return
    told = tuple(results.tap(house, state, number))
    if not told and results.turn_of(house, state, number).begun:
        yield press.refused(say("left.settling", seat=number))
    elif not told:
        yield press.refused(_why_not_told(house, state, number))
    elif press.tried and conflicts.all_stands(house, state):
        yield from told
    elif why_not := conflicts.of_seat(house, reduce(ahead, told, state), number):
        yield press.refused(why_not)
    else:
        yield from told


def _why_not_told(house: House, state: TableState, number: int) -> Message:
    """Why a tap tells no result of a seat."""
    position = state.seat(number).position
    if cards := position.cards or pricing.by_first_cards(state, number):
        return say("settle.by-cards", seat=number, cards=" ".join(cards))
    if pricing.is_compared(house, state, number):
        return say("settle.one-result", seat=number)
    return say("settle.not-compared", seat=number)


def look(table: Table, press: Press) -> Events:
    """On to the seat whose turn it is: it is lit, or something is asked of it; or back from one that was picked."""
    house, state = table
    there = turn_goes_on(house, state)
    if not there or there == state.round.turn:
        yield press.refused(say("settle.no-seat"))
    else:
        yield e.SeatChosen(there)


def turn_goes_on(house: House, state: TableState) -> int:
    """The seat that `look` leads to: the one that holds up the results, or the turn that a picked seat interrupted."""
    if not (state.in_turn and not state.round.void_cite):
        return 0
    there = results.stop(house, state) if by_exception(state) else 0
    picked = state.round.turn not in to_settle(state)
    return there or (next_turn(state) if picked else 0)


def own_first(house: House, state: TableState) -> bool:
    """The wagers of the seat in question against the dealer have to be settled by a key of their own before its prize.

    They come first: "After settling ...", "The dealer shall then settle the Progressive Payout Wager" (653a.11(i) to (l)).
    """
    if state.round.void_cite or not in_question(state) or _by_its_name(state):
        return False
    return results.turn_of(house, state, state.round.turn).step in (TurnStep.ANSWERS, TurnStep.OWN)


def _by_its_name(state: TableState) -> bool:
    """By exception, of cards that nobody entered: the key that names a prize settles what comes before it at the seat."""
    return by_exception(state) and not state.seat(state.round.turn).position.cards


class BeforePrize(NamedTuple):
    """The settlements before a prize of the seat in question: the seats before it in the order, and its own wagers.

    `at_turn`, `after`: the table when the others are settled, and when its own wagers are too. `why_not`: why no prize at
    all is named now.
    """

    at_turn: TableState
    after: TableState
    others: tuple[e.Event, ...] = ()
    own: tuple[e.Event, ...] = ()
    why_not: Message = NOTHING


@kept
def before_prize(house: House, state: TableState) -> BeforePrize:
    """By exception the key that names a prize settles what comes before it (653a.11(h)(2), (i) to (k))."""
    turn = state.round.turn
    if own_first(house, state):
        return BeforePrize(state, state, why_not=say("settle.own-first", seat=turn))
    if not (by_exception(state) and in_question(state)):
        return BeforePrize(state, state)
    if (there := results.stop(house, state)) > turn:
        return BeforePrize(state, state, why_not=say("settle.one-at-a-time", seat=there))
    others = tuple(_settled(house, state, (number for number in to_settle(state) if number > turn)))
    at_turn = reduce(ahead, others, state)
    here = results.turn_of(house, at_turn, turn)
    if here.asked in house.game.after_meters:
        return BeforePrize(at_turn, at_turn, others)  # it is asked after the prize (653a.11(m))
    if here.why_not or here.step is not TurnStep.OWN:
        return BeforePrize(at_turn, at_turn, others, why_not=here.why_not)
    own = tuple(_settled(house, at_turn, (turn,), prize_follows=True))
    nobody = say("settle.own-first", seat=turn) if answers_for_nobody(house, at_turn) else NOTHING
    return BeforePrize(at_turn, reduce(ahead, own, at_turn), others, own, nobody)


def at_its_turn(named: Key) -> Key:
    """A key that names a prize of the seat in question: who stands before it in the order is settled first."""

    def pressed(table: Table, press: Press) -> Events:
        house, state = table
        at_turn, after, others, own, why_not = before_prize(house, state)
        events = tuple(named(Table(house, after), press))
        if _refuses(events):
            nothing_special = own and not press.tried and not _refuses(tuple(named(Table(house, at_turn), press)))
            # Nothing special is what the prize denies: which hand it is decides the other wagers too.
            yield from (
                (press.refused(say("settle.answer-first", seat=state.round.turn)),) if nothing_special else events
            )
        elif why_not:
            yield press.refused(why_not)
        else:
            yield from (*others, *own, *events)

    return pressed


def answers_for_nobody(house: House, state: TableState) -> bool:
    """By exception a question of the seat in question but the comparison is still open, and SETTLED would take it that there
    is nothing special. A key that names a prize takes no question away.
    """
    number = state.round.turn
    told = len(state.seat(number).position.called)
    return any(about != "result" for about, _ in results.turn_of(house, state, number).called[told:])


def _refuses(events: tuple[e.Event, ...]) -> bool:
    return bool(events) and isinstance(events[0], e.PressRefused)


def settle_seat(table: Table, press: Press) -> Events:
    """The dealer has collected and paid.

    By exception a seat that gets nothing is settled too, on the way to the next seat that is paid (653a.11(h)(2)).
    """
    house, state = table
    alone = (state.round.turn,) if in_question(state) else ()
    reached = results.in_one_go(house, state) if by_exception(state) else alone
    last = reached[-1] if reached else 0
    turns = (results.turn_of(house, state, number) for number in reached)
    if not reached:
        yield press.refused(say("settle.no-seat"))
    elif why_not := next((one.why_not for one in turns if one.why_not), NOTHING):
        yield press.refused(why_not)
    elif results.wants_a_look(state, last) and state.round.turn != last:
        yield press.refused(say("settle.look-first", seat=last))
    elif known := known_first(house, state, reached):
        yield press.refused(say("winner.known", seat=known.seat, hand=known.hand))
    else:
        yield from _settled(house, state, reached)


def known_first(house: House, state: TableState, numbers: tuple[int, ...]) -> Winner | None:
    """A prize of known cards that has to be named before the last of these seats is settled, None for none.

    The last one's wagers against the dealer come before those of a meter (653a.11(i) to (k)): they are settled, the seat
    stays in turn, and its prize is named then.
    """
    own = results.turn_of(house, state, numbers[-1]).step is TurnStep.OWN
    over = numbers[:-1] if own else numbers
    return next((one for one in waiting(house, state) if one.seat in over), None)


def _settled(house: House, state: TableState, numbers: Iterable[int], *, prize_follows: bool = False) -> Events:
    """These seats, each completely before the next: by exception what is told and taken to be, and what is paid now.

    `prize_follows`: one is named at once, so that the turn goes on.
    """
    events: tuple[e.Event, ...] = ()
    for number in numbers:
        state = reduce(ahead, events, state)
        here = results.turn_of(house, state, number)
        ends = here.now == here.lines and not (here.later or prize_follows or _prize_waits(house, state, number))
        own = here.step is TurnStep.OWN
        before = lucky(house, state, number if ends and not own else number + 1)
        events = (*before, e.SeatSettled(number, here.now, complete=ends))
        if by_exception(state):
            events = (e.HandCalled(number, here.called, here.lines), *events)
        if ends and own:
            events = (*events, *lucky(house, reduce(ahead, events, state), number))
        yield from events


def _prize_waits(house: House, state: TableState, number: int) -> bool:
    return any(one.seat == number for one in waiting(house, state))


def goes_on(house: House, state: TableState) -> Events:
    """After a prize: where the seat's own wagers were settled before it, and nothing of it waits any more, its turn is over.

    No key is pressed for what nobody collects or pays.
    """
    number = state.round.turn
    here = results.turn_of(house, state, number)
    over = here.step is TurnStep.METERS and here.begun and not here.lines
    if over and not (_by_its_name(state) or _prize_waits(house, state, number)):
        yield from lucky(house, state, number)
        yield e.SeatSettled(number, (), complete=True)


def limit_goes_on(house: House, state: TableState, number: int) -> Events:
    """After a position of a player who has several was settled, the last of them: one that was paid before, and is due
    another part of the payout limit now, is settled again (677a.12(f)). One after the other, from the last one down:
    each takes of the limit what those before it left, and a seat that gets the same stays as it is.
    """
    of_one = positions_of_one(state, number)
    if len(of_one) == 1 or not {*of_one}.isdisjoint(to_settle(state)):
        return
    for other in reversed(of_one):
        if undone := pricing.paid_by_another_limit(house, state, other):
            yield e.LimitReopened(other, undone)
            return


def unsettled(state: TableState) -> Message:
    """Why the round cannot be cleared; nothing where every hand is settled."""
    if state.phase is Phase.DEAL:
        return say("settle.deal-first") if state.players and state.program.level else NOTHING
    if state.in_turn and (waiting := to_settle(state)[::-1]):
        return say("settle.waiting", seats=waiting, n=len(waiting))
    return NOTHING


CORRECTIONS = (Correction.WRONG_RESULT, Correction.WRONG_AMOUNT, Correction.WRONG_SEAT, Correction.FOULED_DECK)
"""Reasons that a floorperson gives."""


def correct(table: Table, press: Press) -> Events:
    """ "correct 3 wrong-result": a floorperson has a seat settled again, settled or answered, or its fixed prize."""
    house, state = table
    number = press.number
    reason = next((one for one in CORRECTIONS if one == press.rest), None)
    if not number:
        yield press.refused(say("press.seat-first"))
    elif not press.rest:
        yield e.PanelTurned(Panel(PanelKind.PROBLEM, number, "correct"))
    elif not house.may_sign(press.by, Act.CORRECTION):
        yield press.refused(say("people.floor-first"), Act.CORRECTION)
    elif reason is None:
        yield press.refused(say("correct.choose-reason"))
    elif state.phase is not Phase.SETTLE:
        yield from _correct_super(table, reason, press)
    else:
        yield from _correct_seat(state, reason, press)


def _correct_seat(state: TableState, reason: Correction, press: Press) -> Events:
    undone = _correction_of(state, press.number)
    if undone is None:
        yield press.refused(say("correct.nothing", seat=press.number))
        return
    wager, lines = undone
    yield e.PanelTurned(NO_PANEL)
    yield e.SettlementCorrected(press.number, wager, lines, reason, by=press.by)
    for line in lines:
        if wager and line.source is Source.ACCOUNT:
            yield e.AccountCorrected(press.number, line, reason, by=press.by)


def _correct_super(table: Table, reason: Correction, press: Press) -> Events:
    """Until the dealer's hand is shown Lunar Poker's first pass is called and paid again (671a.11(c))."""
    number = press.number
    if number not in correctable(table.state):
        yield press.refused(say("correct.nothing", seat=number))
    else:
        yield from pass_again(table, number, reason, press)


def pass_again(table: Table, number: int, reason: Correction, press: Press) -> Events:
    """The first pass is called and paid again, this seat's hand first, 0: none of them."""
    house, state = table
    cite = house.procedure.cite("abandoned")
    left = [n for n, seat in state.numbered() if seat.left and _had_super(house, seat.position.lines, cite)]
    if left:
        yield press.refused(say("correct.left-since", seat=left[0], wager=house.game.called(house.game.declared)))
        return
    stands = tuple(_settled_at_a_draw(table))
    lines = state.seat(number).position.lines if number else tuple(_all_but(state, dict(stands)))
    yield e.PassReopened(number, stands, lines, reason, by=press.by)


def _all_but(state: TableState, stands: Mapping[int, tuple[Payment, ...]]) -> Iterator[Payment]:
    for number, lines in stands.items():
        yield from (line for line in state.seat(number).position.lines if line not in lines)


def dealer_again(table: Table, press: Press) -> Events:
    """The dealer's hand was told wrongly: it is told again, and all that it settled is settled again."""
    house, state = table
    on_dealer, gone = house.game.on_hand(DEALER), house.procedure.cite("abandoned")
    stands = {
        number: tuple(one for one in seat.position.lines if one.wager != on_dealer or one.cite == gone)
        for number, seat in state.numbered()
        if seat.position.plays
    }
    compared = (state.seat(number).position for number in stands)
    final = (line for position in compared if position.choice is Choice.PLAY for line in position.final)
    yield e.RevealReopened(tuple(stands.items()), (*_all_but(state, stands), *final), by=press.by)


def _settled_at_a_draw(table: Table) -> Iterator[tuple[int, tuple[Payment, ...]]]:
    """(seat, what stays settled): of every player, who has drawn, all but the wagers on declared hands (671a.11(d))."""
    game = table.house.game
    for number, seat in table.state.numbered():
        if seat.position.plays:
            drawn, lines = seat.position.drawn, seat.position.lines
            of_dealer = tuple(line for line in lines if line.wager == game.on_hand(DEALER))
            yield number, (*(one for one in lines if drawn and not game.is_declared(one.wager)), *of_dealer)


def _had_super(house: House, lines: tuple[Payment, ...], abandoned: str) -> bool:
    return any(house.game.is_declared(line.wager) and line.cite != abandoned for line in lines)


def correctable(state: TableState) -> tuple[int, ...]:
    """Seats that a floorperson can have settled again: what was paid or answered; before it, Lunar Poker's Supers."""
    if state.phase in (Phase.DRAW, Phase.REVEAL):
        return tuple(n for n, seat in state.numbered() if state.round.supers_settled and seat.position.plays)
    return tuple(n for n, _ in state.numbered() if _correction_of(state, n) is not None)


def settled_again(state: TableState, number: int) -> tuple[Payment, ...]:
    """The payments that a correction of this seat undoes; before the reveal those of its first pass."""
    if state.phase in (Phase.DRAW, Phase.REVEAL):
        return state.seat(number).position.lines
    _, lines = _correction_of(state, number) or ("", ())
    return lines


def _correction_of(state: TableState, number: int) -> tuple[str, tuple[Payment, ...]] | None:
    """(wager, or "" for the whole seat; payments) that a correction undoes in SETTLE; None where it undoes nothing.

    A fixed prize first, for it was handed over; then what was answered of the seat in turn, for no answer that fits
    the cards may be left; then the seat's settlement. Last its turn, where a share was claimed after it: nothing is
    undone, and its own share may be claimed late (653a.11(h), .12(d)(4)). So where its share was paid, or its hand
    brought envy: that stays, and refuses nobody else's hand any more.
    """
    if state.phase is not Phase.SETTLE:
        return None
    seat = state.seat(number)
    box = seat.position
    prize = _last_fixed_prize(seat)
    if prize is not None:
        return prize.wager, (prize.payment,)
    answered = number == state.round.turn and in_question(state) and bool(box.called or box.cards)
    if box.final or answered:
        return "", box.final
    return (state.program.sensed[0], ()) if turn_passed(state, number) or stands_for_good(state, number) else None


def _last_fixed_prize(seat: Seat) -> Prize | None:
    """The last prize that the rack or the account paid; a share of a meter may have followed it."""
    return next(
        (prize for prize in reversed(seat.prizes) if prize.status == PrizeStatus.PAID and not prize.meter), None
    )


# Cards ------------------------------------------------------------------------------------------------------------------


FIRST = "first"
"""The place of a card that was dealt first to the seat that declared."""


def entering(state: TableState) -> int:
    """The seat whose cards are being entered; 0 where they are the board's and the dealer's."""
    return state.round.turn if FIRST in state.round.entry.want or in_question(state) else 0


def want(house: House, state: TableState) -> tuple[str, ...]:
    """The cards to enter now: board and dealer before the dealer's hand is shown, then one seat's."""
    procedure, known = house.procedure, state.round
    if state.phase is Phase.SUPERS:
        return (FIRST,) * procedure.hole_cards
    places: list[str] = []
    if in_question(state):
        option = procedure.elections.get(state.seat(known.turn).position.option)
        places += ["seat"] * (procedure.hole_cards + (option.adds if option else 0))
    if not known.board and (not known.void_cite or house.game.needs_board(known.settled_anyway)):
        places += ["board"] * procedure.board_cards
    if not known.dealer and not known.void_cite:
        places += ["dealer"] * procedure.dealer_cards
    if six_card_wagered(house, state) and not known.six_card and not known.void_cite:
        places += ["six"] * procedure.box_cards
    return tuple(places)


def begin_entry(table: Table, press: Press) -> Events:
    """Enter the cards of this hand."""
    house, state = table
    if needs_stub(house, state) and state.phase is Phase.REVEAL:
        yield stub_first(table, press)
    elif not state.program.level:
        yield press.refused(say("entry.level-0"))
    elif state.phase is Phase.SETTLE and not in_question(state):
        yield press.refused(say("settle.no-seat"))
    elif state.phase is Phase.SUPERS and not _may_declare(state):
        yield press.refused(say("declared.seat-first"))
    else:
        yield e.EntryBegun(want(house, state))


def _may_declare(state: TableState) -> bool:
    """This hand's first cards lie there, also those of a player who left, for its backers win on them."""
    position = state.seat(state.round.turn).position if state.round.turn else None
    return position is not None and position.plays and not position.drawn


def leave_entry(table: Table, press: Press) -> Events:
    """No cards after all."""
    if FIRST in table.state.round.entry.want:
        yield e.RoundDone(RoundWork.NO_DECLARED_CARDS)
    else:
        yield e.RoundDone(RoundWork.NO_CARDS if table.state.in_turn else RoundWork.NO_CARDS_OF_DEALER)


def enter(table: Table, press: Press) -> Events:
    """All cards are there: what they make is what is paid."""
    house, state = table
    entry = state.round.entry
    if len(entry.cards) != len(entry.want):
        yield press.refused(say("entry.so-many", there=len(entry.cards), n=len(entry.want)))
        return
    clash = lies_twice(state, entry.cards)
    if clash:
        yield press.refused(say("entry.elsewhere", card=clash))
        return
    if FIRST in entry.want:
        yield from _declared_by_cards(table, entry.cards, press)
        return
    known = state.round
    number = known.turn if in_question(state) else 0
    entered = e.CardsEntered(
        number,
        _of(entry, "seat"),
        _of(entry, "board") or known.board,
        _of(entry, "dealer") or known.dealer,
        _of(entry, "six") or known.six_card,
    )
    after = Table(house, ahead(state, entered))
    if not house.worlds.deck_has_the_rows(known_of(house, after.state)):
        yield press.refused(say("entry.not-in-the-deck", cards=" ".join(entered.cards or entered.dealer)))
    elif number and not _fit_the_first(state, number, entered.cards):
        yield press.refused(say("entry.first-otherwise", cards=" ".join(state.seat(number).position.first)))
    elif number:
        yield from _called_by_cards(after, entered, press)
    else:
        hand, qualifies = dealers_hand(house, after.state)
        yield entered
        if backs_dealer(house, state):  # the cards say it, against any tap (671a.11(e))
            called = e.SuperCalled(DEALER, row_of_cards(house.submission, house.game.declared, entered.dealer), False)
            yield called
            after = Table(house, ahead(after.state, called))
        yield from _show_dealer(after, hand, press, qualifies=qualifies)


def _fit_the_first(state: TableState, number: int, cards: tuple[str, ...]) -> bool:
    """The cards that were shown for a declared hand still lie there, but for as many as were exchanged; those are in the
    discard rack, and no drawn card is one of them (671a.11(d)(1)).
    """
    position = state.seat(number).position
    kept = len(position.first) - position.exchanged
    return not position.first or len({*position.first} & {*cards}) == kept


def _declared_by_cards(table: Table, cards: tuple[str, ...], press: Press) -> Events:
    """A declared hand is verified: its cards say the row of the Super, and whether the instant payout is owed."""
    house, state = table
    number, rules = state.round.turn, house.submission
    position = state.seat(number).position
    at_once = row_of_cards(rules, "instant", cards) if pays_at_once(house, position) else ""
    if position.decision.choice is Choice.INSTANT and not (at_once or position.left):
        yield press.refused(say("instant.not-owed", cite=house.game.elections["instant"].cite))
        return
    yield e.FirstCardsEntered(number, cards)
    yield e.HandCalled(number, (("instant", at_once),) if at_once else (), ())
    row = "" if position.undeclared else row_of_cards(rules, house.game.declared, cards)
    yield e.SuperCalled(number, row, position.undeclared)


def _of(entry: Entry, place: str) -> tuple[str, ...]:
    return tuple(card for card, where in zip(entry.cards, entry.want, strict=True) if where == place)


def dealers_hand(house: House, state: TableState) -> tuple[str, bool]:
    """The name of the dealer's entered hand, and whether it qualifies."""
    return dealer_of_cards(house.submission, state.round.board, state.round.dealer)


def _dealer_told_otherwise(house: House, state: TableState) -> bool:
    """The dealer's cards are not the hand that was announced, or that another seat's Bad Beat was told, or not on the row
    that a Super on it was settled by.
    """
    known = state.round
    if known.qualifies is None or not known.dealer:
        return False
    row = "" if known.dealer_row is None else row_of_cards(house.submission, house.game.declared, known.dealer)
    as_announced = dealers_hand(house, state)[1] == known.qualifies and row == (known.dealer_row or "")
    made = dealers_hand(house, state)[0]
    beaten = [wager for wager in house.game.settled_by(SettledBy.BEATEN) if wager in house.submission.paytables]
    choices = {row for wager in beaten for row in rows(house.submission, wager)}
    others = (said.answer("dealer_hand") for _, said in known_of(house, state).beside(known.turn).seats)
    told = {row for row in others if row is not None}
    return not as_announced or bool(told - {made if made in choices else NONE_OF_THESE})


def _called_by_cards(table: Table, entered: e.CardsEntered, press: Press) -> Events:
    """The answers that the cards give; a dealer's hand that was called must be the one that lies there."""
    house, after = table
    number = entered.seat
    if _dealer_told_otherwise(house, after):
        yield press.refused(say("entry.dealer-otherwise"))
        return
    beside, said = known_at(house, after, number)
    hand = house.worlds.hand_of(beside, said)
    said = said.paid_at_once(hand) if hand in house.worlds.owed(said) else said.answering(())
    nobody_asks = {about for about, one in house.worlds.questions(beside, said.holding()).items() if len(one) == 1}
    said_by_cards = house.worlds.questions(beside, said).items()
    called = (*said.answers, *((about, one[0]) for about, one in said_by_cards if about not in nobody_asks))
    yield entered
    yield e.HandCalled(number, called, pricing.due_lines(house, ahead(after, e.HandCalled(number, called, ())), number))
