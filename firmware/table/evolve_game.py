"""The game against the dealer, as it is written down: sections .7 to .11 and .13 of the books."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from firmware.rules.message import say
from firmware.rules.payment import Payment, Source
from firmware.rules.seat import Choice
from firmware.table import events as e
from firmware.table.projections import comes_back, next_draw, next_turn
from firmware.table.state import (
    BEFORE_CARDS,
    Decision,
    Entry,
    MachineWork,
    Phase,
    Position,
    Prepared,
    Round,
    RoundWork,
    Seat,
    TableState,
)
from firmware.wire.structs import replace


def _round(state: TableState, **changes: object) -> TableState:
    return replace(state, round=replace(state.round, **changes))  # type: ignore[arg-type]


def _position(state: TableState, number: int, **changes: object) -> TableState:
    seat = state.seat(number)
    return state.with_seat(number, replace(seat, position=replace(seat.position, **changes)))  # type: ignore[arg-type]


def _each(state: TableState, change: Callable[[Position], Position]) -> TableState:
    """Every position changed in one way."""
    seats = tuple(replace(seat, position=change(seat.position)) for seat in state.round.seats)
    return _round(state, seats=seats)


def evolve_game(state: TableState, event: e.GameEvent) -> TableState:
    """The table after something happened in the game against the dealer; what happens most often is looked for first."""
    match event:
        case (
            e.HandCalled()
            | e.EntryBegun()
            | e.FirstCardsEntered()
            | e.CardsEntered()
            | e.DealerShown()
            | e.SuperCalled()
        ):
            return _seen(state, event)
        case e.StakesPlaced() | e.Decided() | e.RaiseSized() | e.SeatChosen() | e.SeatAbandoned():
            return _told(state, event)
        case e.RoundDone():
            return _done(state, event.work)
        case e.StreetClosed() | e.DrawTaken():
            return _moved_on(state, event)
        case e.StreetReopened() | e.ElectionReopened():
            return _asked_again(state, event)
        case e.LinesSettled() | e.SeatSettled() | e.SettlementCorrected() | e.PassReopened():
            return _settled(state, event)
        case e.LimitReopened():
            return _of_the_limit(state, event)
        case e.RevealReopened():
            return _dealer_again(state, event)
        case e.IrregularityNoted() | e.DeviceFailed() | e.RoundVoided() | e.RoundCleared():
            return _ended(state, event)
        case _:
            assert_never(event)


def _told(
    state: TableState, event: e.StakesPlaced | e.Decided | e.RaiseSized | e.SeatChosen | e.SeatAbandoned
) -> TableState:
    match event:
        case e.StakesPlaced():  # who sits there now has decided nothing yet
            position = Position(stakes=event.stakes)
            before = state.seat(event.seat)
            player = before.player if before.position.plays and position.plays else ""
            return state.with_seat(event.seat, replace(before, position=position, same_player=False, player=player))
        case e.Decided():
            return _position(state, event.seat, decisions=_decided(state.seat(event.seat).position, event), called=())
        case e.RaiseSized():
            decisions = state.seat(event.seat).position.decisions
            return _position(state, event.seat, decisions=(*decisions[:-1], replace(decisions[-1], raised=event.cents)))
        case e.SeatChosen():
            return _round(state, **{"question" if state.phase is Phase.DIFFERENCE else "turn": event.seat})
        case e.SeatAbandoned():
            if state.seat(event.seat).position.settled:
                return _position(state, event.seat, left=event.left)
            state = _position(state, event.seat, left=event.left, called=(), due=(), cards=())
            return _round(state, turn=next_draw(state)) if state.phase is Phase.DRAW else state
        case _:
            assert_never(event)


def _decided(position: Position, event: e.Decided) -> tuple[Decision, ...]:
    """The decisions of this position: one a street, those of the streets before it kept."""
    earlier = position.decisions
    places = [place for place, one in enumerate(earlier) if one.street == event.street]
    choice = Choice(event.choice)
    new = Decision(event.street, choice, event.times, 0, event.option, event.exchanged, changed=bool(places))
    return (*(earlier[: places[0]] if places else earlier), new)


def _done(state: TableState, work: RoundWork) -> TableState:
    match work:
        case RoundWork.DEALT:
            state = replace(state, history=replace(state.history, dealt=state.round.number))
            if len(state.decks.here) == 1:  # what the machine shuffled before the deal was shuffled for it
                state = replace(state, decks=replace(state.decks, work=MachineWork.NOTHING))
            return _round(state, street=0, positions_open=False, turn=0)
        case RoundWork.ASKED | RoundWork.LOCKED_IN | RoundWork.DRAWN:
            return _round(state, turn=0)
        case RoundWork.SUPERS_SETTLED:
            state = _each(state, _elected_again)
            return _round(state, supers_settled=True, turn=next_draw(state))
        case RoundWork.NO_CARDS | RoundWork.NO_CARDS_OF_DEALER | RoundWork.NO_DECLARED_CARDS:
            return _round(state, entry=Entry())
        case RoundWork.STUB_COUNTED:
            return _round(state, stub_counted=True)
        case _:
            assert_never(work)


def _moved_on(
    state: TableState,
    event: e.StreetClosed | e.DrawTaken,
) -> TableState:
    match event:
        case e.StreetClosed():
            return _round(state, street=event.street, turn=0)
        case e.DrawTaken():
            choice = Choice.PLAY if event.bets else Choice.FOLD
            position = state.seat(event.seat).position
            after_the_draw = replace(position.decision, choice=choice, times=event.times)
            decisions = (*position.decisions[:-1], after_the_draw)
            state = _position(state, event.seat, decisions=decisions, drawn=True)
            return _round(state, turn=next_draw(state))
        case _:
            assert_never(event)


def _asked_again(state: TableState, event: e.StreetReopened | e.ElectionReopened) -> TableState:
    match event:
        case e.StreetReopened():  # folds that were collected lie before their players again
            state = _each(state, _asked_afresh)
            return _round(state, street=event.street, turn=0)
        case e.ElectionReopened():  # what was told of its hand was told of another one
            state = _position(state, event.seat, super_row="", undeclared=False, first=(), called=(), due=())
            state = _position(state, event.seat, decisions=(), settled=False, elects_again=True)
            return _round(state, turn=event.seat)
        case _:
            assert_never(event)


def _asked_afresh(box: Position) -> Position:
    return replace(box, lines=(), settled=False, elects_again=False) if box.plays else box


def _elected_again(box: Position) -> Position:
    """The money of its instant payout came back before this pass was paid; a Bet leaves the ante to the seat's turn."""
    return replace(box, elects_again=False, undone=()) if box.elects_again else box


def _seen(
    state: TableState,
    event: e.EntryBegun | e.FirstCardsEntered | e.CardsEntered | e.DealerShown | e.SuperCalled | e.HandCalled,
) -> TableState:
    match event:
        case e.HandCalled():
            return _position(state, event.seat, called=event.called, due=event.lines)
        case e.EntryBegun():
            there = _shown_before(state) if "seat" in event.want else ()
            return _round(state, entry=Entry(want=event.want, cards=there, slot=len(there)))
        case e.FirstCardsEntered():
            return _round(_position(state, event.seat, first=event.cards), entry=Entry())
        case e.CardsEntered():
            state = _round(state, board=event.board, dealer=event.dealer, six_card=event.six_card, entry=Entry())
            return _position(state, event.seat, cards=event.cards) if event.seat else state
        case e.DealerShown():
            state = _round(state, dealer_hand=event.hand, qualifies=event.qualifies)
            return _round(state, turn=next_turn(state))
        case e.SuperCalled():  # on the hand of a seat, or (0) of the dealer
            if event.seat:
                return _position(state, event.seat, super_row=event.row, undeclared=event.undeclared)
            return _round(state, dealer_row=event.row)
        case _:
            assert_never(event)


def _shown_before(state: TableState) -> tuple[str, ...]:
    """The cards of the seat in turn that were entered when it declared them, and that it still has."""
    position = state.seat(state.round.turn).position
    return () if position.exchanged else position.first


# Settlement -----------------------------------------------------------------------------------------------------------


def _settled(
    state: TableState,
    event: e.LinesSettled | e.SeatSettled | e.SettlementCorrected | e.PassReopened,
) -> TableState:
    match event:
        case e.LinesSettled():
            box = settled_again(state.seat(event.seat).position, event.lines)
            lines, settled = (*box.lines, *event.lines), event.complete or bool(box.final)
            return _position(state, event.seat, lines=lines, settled=settled, undone=box.undone)
        case e.SeatSettled():
            box = settled_again(state.seat(event.seat).position, event.lines)
            final = (*box.final, *event.lines)
            state = _position(state, event.seat, final=final, due=(), settled=event.complete, undone=box.undone)
            return _round(state, turn=next_turn(state))
        case e.SettlementCorrected():
            return _corrected(state, event)
        case e.PassReopened():
            return _reopened(state, event)
        case _:
            assert_never(event)


def settled_again(box: Position, lines: tuple[Payment, ...]) -> Position:
    """Wagers that a correction had undone are settled again."""
    again = {line.wager for line in lines}
    return replace(box, undone=tuple(line for line in box.undone if line.wager not in again)) if box.undone else box


def _without(box: Position, stands: tuple[Payment, ...]) -> tuple[Payment, ...]:
    """The undone lines if only these lines of the passes stand."""
    return (*box.undone, *(line for line in box.lines if line not in stands))


def _from_rack(lines: tuple[Payment, ...]) -> tuple[Payment, ...]:
    """An account is corrected at once; chips are out until they are taken back."""
    return tuple(line for line in lines if line.source is not Source.ACCOUNT)


def _corrected(state: TableState, event: e.SettlementCorrected) -> TableState:
    """A prize (named by its wager), the envy bonuses, or a whole seat is settled again."""
    if event.wager == "envy":
        state = _round(state, envied=state.round.envied[:-1])
    else:  # signed: its share may be claimed though its turn was before
        state = state.with_seat(event.seat, replace(state.seat(event.seat), corrected=True, not_winners=()))
        state = _position(state, event.seat, undone=(*state.seat(event.seat).position.undone, *_from_rack(event.lines)))
    if not event.wager:  # what was settled before the seat's turn (a fold, the passes) stays
        state = _position(state, event.seat, final=(), due=(), settled=False, called=(), cards=())
        return _round(state, turn=next_turn(state))
    seat = state.seat(event.seat)
    kept = [prize for prize in seat.prizes if not event.lines or (prize.wager, prize.status) != (event.wager, "paid")]
    seat = replace(seat, prize=kept[-1] if kept else None, earlier=tuple(kept[:-1]))
    state = state.with_seat(event.seat, seat)
    if out := sum(line.paid_over for line in _from_rack(event.lines)) if event.wager != "envy" else 0:
        said = say("corrected.prize", seat=event.seat, amount=out)
        state = replace(state, desk=replace(state.desk, notice=said))
    return _round(state, turn=next_turn(state) if state.in_turn else 0)


def _of_the_limit(state: TableState, event: e.LimitReopened) -> TableState:
    """These wagers alone are open again: what was told of the hand stands, and so does what else it was settled for."""
    box = state.seat(event.seat).position
    final = tuple(line for line in box.final if line not in event.lines)
    undone = (*box.undone, *_from_rack(event.lines))
    state = _position(state, event.seat, final=final, due=(), settled=False, undone=undone)
    return _round(state, turn=next_turn(state))


def _reopened(state: TableState, event: e.PassReopened) -> TableState:
    """The first pass is paid again, this seat's hand called again; what was settled at a draw stays."""
    for number, lines in event.stands:
        box = state.seat(number).position
        settled = box.settled and (lines == box.lines or bool(box.final))
        state = _position(state, number, lines=lines, settled=settled, undone=_without(box, lines))
    if event.seat:
        state = _position(state, event.seat, super_row="", undeclared=False, called=())
    return _round(state, turn=event.seat)


def _dealer_again(state: TableState, event: e.RevealReopened) -> TableState:
    """The dealer's hand is not known, and nobody was compared with it."""
    for number, lines in event.stands:
        box = state.seat(number).position
        if box.choice is Choice.PLAY:
            undone = (*_without(box, lines), *box.final)
            told = {"called": (), "cards": (), "due": (), "final": (), "settled": False}
            state = _position(state, number, lines=lines, undone=undone, **told)
        else:
            settled = box.settled and lines == box.lines
            state = _position(state, number, lines=lines, settled=settled, undone=_without(box, lines))
    shown = {"dealer_hand": "", "dealer_row": None, "qualifies": None, "board": (), "dealer": (), "six_card": ()}
    return _round(state, **shown, turn=0)


# The end of a round ---------------------------------------------------------------------------------------------------


def _ended(
    state: TableState, event: e.IrregularityNoted | e.DeviceFailed | e.RoundVoided | e.RoundCleared
) -> TableState:
    match event:
        case e.DeviceFailed():
            if state.phase in BEFORE_CARDS:
                state = replace(state, decks=replace(state.decks, cards=Prepared.NOT))
            return _round(state, device_failed=event.cite or state.round.device_failed)
        case e.IrregularityNoted():
            change = {"one-face-up": 1, "no-face-up": -1}.get(event.kind, 0)
            opened = state.round.positions_open or event.kind == "boxes"
            fouled = state.round.fouled or event.kind == "fouled"
            return _round(state, left_out=state.round.left_out + change, positions_open=opened, fouled=fouled)
        case e.RoundVoided():
            return _voided(state, event)
        case e.RoundCleared():
            return _cleared(state, dealt=event.dealt)
        case _:
            assert_never(event)


def _voided(state: TableState, event: e.RoundVoided) -> TableState:
    """Wagers that were collected already go back too (reading 12): the lines that follow say everything again."""
    earlier, now = dict(state.round.taken_back), dict(comes_back(state))
    back = tuple((one, earlier.get(one, 0) + now.get(one, 0)) for one in sorted(earlier.keys() | now))
    state = _each(state, lambda one: replace(one, lines=(), due=(), called=(), cards=(), undone=(), settled=False))
    if state.phase is Phase.OPEN:  # what lies there is given back: no wager of the next round until it was lifted
        sensors = tuple(replace(sensor, before_lock=sensor.covered) for sensor in state.felt.sensors)
        played = state.deck.number if state.deck else 0
        state = replace(state, felt=replace(state.felt, sensors=sensors), decks=replace(state.decks, played=played))
    also_void = set(state.round.settled_anyway).difference(event.settled_anyway)
    return _round(
        state,
        entry=Entry(),
        taken_back=back,
        envied=(),
        void_cite=event.cite,
        void_kind=event.kind,
        void_dealt=event.dealt,
        also_void=tuple(sorted(also_void)) if state.round.void_cite else None,
        settled_anyway=event.settled_anyway,
        turn=0,
    )


def _cleared(state: TableState, *, dealt: bool) -> TableState:
    """The cards of this round are in the discard rack; with two decks the other one is next (653a.3(b)(3)).

    While the machine is covered the table plays with one deck (653a.3(a)): two need a machine (653a.3(b)). A deck
    that lost no card stays in play, and as it was prepared: the machine holds the other one.
    """
    decks, round_ = state.decks, state.round
    gone = frozenset(str(number) for number, seat in state.numbered() if seat.left)
    seats = tuple(
        Seat(position=Position(_bets_again(seat, gone)), player="" if seat.left else seat.player)
        for seat in round_.seats
    )
    stays = decks.covered or not dealt
    following = decks.in_play if stays else (decks.in_play + 1) % max(1, len(decks.here))
    untouched = not (dealt or decks.covered or decks.recut) and len(decks.here) > 1
    cards = decks.cards if untouched else Prepared.NOT
    since = 0 if round_.stub_counted else decks.since_count + 1
    return replace(
        state,
        round=Round(round_.number, seats, round_.lock),
        decks=replace(decks, in_play=following, since_count=since, cards=cards, recut="", reshuffle=False),
    )


def _bets_again(seat: Seat, gone: frozenset[str]) -> tuple[tuple[str, int], ...]:
    """A player who stays is taken to bet the same again; but nobody backs the hand of a player who is gone."""
    return () if seat.left else tuple(one for one in seat.position.stakes if one[0].partition(":")[2] not in gone)
