"""The players and their decisions, street by street: sections .7 and .11 of the books (assist levels 1 and 2).

Decisions are entered by exception: a player who is not tapped checks, or on the last street plays. A fold is settled at
once, and its cards are tucked under the wagers that wait, or go (653a.11(f)(2)); a lit seat's cards are looked at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import Cents
from firmware.rules.payline import least_row, row_of_cards, rows
from firmware.rules.payment import Payment
from firmware.rules.procedure import Street
from firmware.rules.seat import DEALER, Choice
from firmware.table import conflicts, pricing
from firmware.table import events as e
from firmware.table.evolve import ahead
from firmware.table.house import House, Table
from firmware.table.interlock import method, stub_due
from firmware.table.opening import order_words, undelivered
from firmware.table.people import signed
from firmware.table.press import Key, Press
from firmware.table.procedures import DECK
from firmware.table.projections import positions_of_one, prizes_paid
from firmware.table.state import Panel, PanelKind, Phase, Position, PrizeStatus, RoundWork, Seat, TableState
from firmware.wire.structs import replace

Events = Iterator[e.Event]

# Players --------------------------------------------------------------------------------------------------------------


def default_stakes(house: House) -> tuple[tuple[str, int], ...]:
    """The least that plays: the ante at the table minimum, and the wager that goes with it."""
    return tuple(house.game.default_stakes(house.submission).items())


def toggle_position(table: Table, press: Press) -> Events:
    """A player takes part, or does not."""
    house, state = table
    number, seat = press.number, state.seat(press.number)
    if not house.level:
        yield press.refused(say("press.level-0-wagers"))
    elif state.phase is Phase.DEAL and not state.round.positions_open:
        yield press.refused(POSITIONS_SHUT)
    elif state.phase is Phase.DEAL and (seat.wager or seat.five_card):
        yield press.refused(say("position.lit", seat=number, base=house.game.called(house.game.base)))
    elif not seat.position.plays:
        yield from _place(house, state, number, default_stakes(house), press)
    else:
        for other, backer in state.numbered():  # nobody backs a hand that is not dealt
            kept = tuple(stake for stake in backer.position.stakes if stake[0] != house.game.on_hand(number))
            if kept != backer.position.stakes:
                yield e.StakesPlaced(other, kept)
        yield e.StakesPlaced(number, ())


POSITIONS_SHUT = say("position.shut")


def turn_to_stakes(table: Table, press: Press) -> Events:
    """The panel of the wagers: "stakes", "stakes 3", "stakes 3 trips"."""
    house, state = table
    known = not press.rest or press.rest in house.game.offered(house.submission, press.number)
    if not house.level or not known:
        yield press.refused(say("stakes.no-such"))
    elif state.phase is Phase.DEAL and not state.round.positions_open:
        yield press.refused(POSITIONS_SHUT)
    else:
        yield e.PanelTurned(Panel(PanelKind.STAKES, press.number, press.rest))


def _place(house: House, state: TableState, number: int, stakes: tuple[tuple[str, int], ...], press: Press) -> Events:
    if why_not := _not_placed(house, state, number, stakes):
        yield press.refused(why_not)
    else:
        yield e.StakesPlaced(number, stakes)


def _not_placed(house: House, state: TableState, number: int, stakes: tuple[tuple[str, int], ...]) -> Message:
    if number > house.seats:
        return say("position.seats", n=house.seats)
    positions = {other: seat.position.stakes for other, seat in state.numbered()}
    return pricing.refusal(house, {**positions, number: stakes})


def same_player(table: Table, press: Press) -> Events:
    """The position and the one before it, nearer to the dealer's left, are one person's; or they are not."""
    house, state = table
    number = press.number
    mine, before = positions_of_one(state, number), positions_of_one(state, max(number - 1, 1))
    if why_not := _not_joined(house, state, number):
        yield press.refused(why_not)
    elif number - 1 in mine:
        for positions in (tuple(n for n in mine if n < number), tuple(n for n in mine if n >= number)):
            yield e.PlayerMarked(positions, str(positions[0]) if len(positions) > 1 else "")
    else:
        yield e.PlayerMarked((*before, *mine), str(before[0]))


def _not_joined(house: House, state: TableState, number: int) -> Message:
    if state.phase is Phase.DEAL and not state.round.positions_open:
        return POSITIONS_SHUT
    mine, before = positions_of_one(state, number), positions_of_one(state, max(number - 1, 1))
    joined = number - 1 in mine or len(mine) + len(before) <= house.submission.adjacent_boxes
    if may_join(house, state, number) and joined:
        return NOTHING
    return say("same-player.adjacent", most=house.submission.adjacent_boxes)


def may_join(house: House, state: TableState, number: int) -> bool:
    """The rules let one person bet at this position and the one before it, and both are played (653a.7(e), 677a.7(e))."""
    both = number > 1 and state.seat(number).position.plays and state.seat(number - 1).position.plays
    return both and house.submission.adjacent_boxes > 1


def editing(house: House, state: TableState) -> tuple[int, str]:
    """The seat and the wager that the panel of the wagers is about; (0, "") where none is."""
    panel = state.desk.panel
    if panel.kind is not PanelKind.STAKES or not panel.seat:
        return 0, ""
    return panel.seat, panel.what or house.game.base


def add_chips(table: Table, press: Press) -> Events:
    """More on the wager that is being edited; an ante takes its companion along."""
    house, state = table
    number, wager = editing(house, state)
    lying = dict(state.seat(number).position.stakes).get(wager, 0)
    yield from _place(house, state, number, _restaked(house, state, lying + press.number), press)


def no_chips(table: Table, press: Press) -> Events:
    """Nothing on the wager that is being edited; the ante goes back to the table minimum."""
    house, state = table
    number, wager = editing(house, state)
    least = house.submission.table_minimum if wager == house.game.base else 0
    yield from _place(house, state, number, _restaked(house, state, least), press)


def _restaked(house: House, state: TableState, cents: int) -> tuple[tuple[str, int], ...]:
    number, wager = editing(house, state)
    lying = {name: Cents(stake) for name, stake in state.seat(number).position.stakes}
    return tuple(house.game.restaked(house.submission, lying, wager, Cents(cents)).items())


# Questions ------------------------------------------------------------------------------------------------------------


def street(house: House, state: TableState) -> Street:
    """The questions that are being asked."""
    return house.procedure.streets[min(state.round.street, len(house.procedure.streets) - 1)]


def asked(house: House, state: TableState, seat: Seat) -> bool:
    """This player is asked on this street: still here, not folded, and without its wager on an earlier one.

    If an instant payout was withdrawn, only that seat is asked: every other decision is locked in (671a.11(c)).
    """
    position = seat.position
    if not position.plays or position.left:
        return False
    if any(one.position.elects_again for one in state.round.seats):
        return position.elects_again
    if position.choice in (Choice.NONE, Choice.CHECK) or _street_of(house, position) >= state.round.street:
        return True
    return position.choice is Choice.PLAY and street(house, state).wager not in _made(house, position)


def _made(house: House, position: Position) -> frozenset[str]:
    """The deciding wagers that this player has made."""
    played = (decision.street for decision in position.decisions if decision.choice is Choice.PLAY)
    return frozenset(house.procedure.street(name).wager for name in played)


def _street_of(house: House, position: Position) -> int:
    """The place of the street on which this player decided; a street that was taken back may lie before it."""
    return [street.name for street in house.procedure.streets].index(position.street)


def decided_later(house: House, state: TableState, position: Position) -> bool:
    """The answer was given on a later street, before this one was opened again: on this one the player checked."""
    return bool(position.street) and _street_of(house, position) > state.round.street


def dealt(table: Table, press: Press) -> Events:
    """The cards are dealt; not before a cut that a floorperson ordered."""
    house, state = table
    if why_not := order_words(house, state) or undelivered(house, state):
        yield press.refused(why_not)
    elif not state.players:
        yield press.refused(say("deal.nobody"))
    elif needs_stub(house, state):
        yield stub_first(table, press)
    else:
        yield e.RoundDone(RoundWork.DEALT)
        if not house.game.asks_players:
            yield from asking_done(house)


def asks_next(house: House, state: TableState) -> bool:
    """While the cards are dealt nothing is asked before the first answers: no cut that was ordered, no count."""
    return bool(state.program.level and state.players) and not (state.decks.recut or needs_stub(house, state))


def first_answer(key: Key) -> Key:
    """A key of the questions, pressed while the cards are dealt: its answer says that they are."""

    def pressed(table: Table, press: Press) -> Events:
        house, state = table
        out = tuple(dealt(table, press))
        after = reduce(ahead, out, state)
        if after.phase is not Phase.ASK:
            yield from out
            return
        answered = tuple(key(Table(house, after), press))
        refused = answered and isinstance(answered[0], e.PressRefused)
        yield from answered if refused else (*out, *answered)

    return pressed


def asking_done(house: House) -> Events:
    """Nobody is left to ask. In a game without a dealer's hand the seats are settled next."""
    yield e.RoundDone(RoundWork.ASKED)
    yield from _no_dealer(house)


def _no_dealer(house: House) -> Events:
    if not house.game.has_pass("reveal"):
        yield e.DealerShown("", qualifies=True)


def stub_first(table: Table, press: Press) -> e.PressRefused:
    """Five rounds have gone without a count."""
    cite = table.house.procedure.cite("stub", method(*table))
    return press.refused(say("stub.count-first", cite=cite))


def stub_right(table: Table, press: Press) -> Events:
    """Not before the deal, but where nobody plays, or the book's machine puts its stub away then (36.05.16.10B(4))."""
    house, state = table
    early = state.phase is Phase.DEAL and state.program.level and state.players
    if early and not needs_stub(house, state):
        yield press.refused(say("deal.first"))
    elif stub_due(house, state):
        yield e.RoundDone(RoundWork.STUB_COUNTED)
    else:
        yield press.refused(say("stub.not-due"))


def answer_of(table: Table, press: Press) -> Events:
    """Streets: the seat's answer turns. Elections: the next keys are about this seat."""
    if table.house.game.has_pass("elections"):
        yield from choose_seat(table, press)
    else:
        yield from _next_choice(table, press)


def choose_seat(table: Table, press: Press) -> Events:
    """The next keys are about this seat; tapped again, about none."""
    house, state = table
    seat = state.seat(press.number)
    there = asked(house, state, seat) if state.phase is Phase.ASK else seat.position.plays
    if there or state.round.turn == press.number:
        yield e.SeatChosen(0 if state.round.turn == press.number else press.number)
    else:
        yield press.refused(say("street.not-asked", seat=press.number))


def _next_choice(table: Table, press: Press) -> Events:
    """Each tap on a seat turns its answer: the street's multiples of the ante, then the default again."""
    house, state = table
    now = street(house, state)
    number, seat = press.number, state.seat(press.number)
    if not asked(house, state, seat):
        yield press.refused(say("street.not-asked", seat=number))
        return
    cycle = now.cycle
    decision = seat.position.decision
    given = (str(decision.choice), decision.times) if decision.street == now.name else cycle[0]
    choice, times = cycle[(cycle.index(given) + 1) % len(cycle)]
    yield e.Decided(number, choice, now.name, times, "", 0)


def next_cards(table: Table, press: Press) -> Events:
    """All are asked: the next cards, or "all decisions are locked in"."""
    if table.house.game.has_pass("elections"):
        yield from _lock_in(table, press)
    else:
        yield from _close_street(table)


def raising(state: TableState) -> int:
    """The seat that the panel of a raise is about, 0 for none."""
    panel = state.desk.panel
    return panel.seat if panel.kind is PanelKind.RAISE else 0


def sizes_raise(house: House, state: TableState, seat: Seat) -> bool:
    """This player has raised on this street, and the book leaves the amount to the player."""
    now, position = street(house, state), seat.position
    return now.between and position.choice == Choice.PLAY and position.street == now.name


def turn_to_raise(table: Table, press: Press) -> Events:
    """The panel where a raise gets its amount, where the book leaves it to the player."""
    house, state = table
    if sizes_raise(house, state, state.seat(press.number)):
        yield e.PanelTurned(Panel(PanelKind.RAISE, press.number))
    else:
        yield press.refused(say("raise.none", seat=press.number))


def size_raise(table: Table, press: Press) -> Events:
    """So many cents more on the raise; without a number the least that a raise may be."""
    house, state = table
    if why_not := _not_raised(house, state, press.number):
        yield press.refused(why_not)
    else:
        position = state.seat(raising(state)).position
        least = street(house, state).least(Cents(position.base))
        yield e.RaiseSized(raising(state), position.played + press.number if press.number else least)


def _not_raised(house: House, state: TableState, cents: int) -> Message:
    number, now = raising(state), street(house, state)
    if not number or not sizes_raise(house, state, state.seat(number)):
        return say("press.seat-first")
    position = state.seat(number).position
    most = now.most(Cents(position.base))
    if cents and position.played + cents > most:
        base = house.game.called(house.game.base)
        return say("raise.most", times=max(now.times), base=base, amount=most, cite=now.cite)
    return NOTHING


def _close_street(table: Table) -> Events:
    """Everybody has answered: a seat that was not tapped checks; on the last street it plays."""
    house, state = table
    now = street(house, state)
    default = now.default
    later = house.procedure.streets[state.round.street + 1 :]
    decided: list[e.Event] = []
    remaining = False
    for number, seat in state.numbered():
        if not asked(house, state, seat):
            continue
        if decided_later(house, state, seat.position):
            remaining = True
        elif seat.position.street != now.name:
            decided.append(e.Decided(number, default[0], now.name, default[1], "", 0))
            remaining = remaining or default[0] == Choice.CHECK or _asked_later(house, seat.position, now, later)
        else:
            remaining = remaining or seat.position.choice is Choice.CHECK
            remaining = remaining or _asked_later(house, seat.position, now, later)
    yield from decided
    if remaining:
        yield e.StreetClosed(state.round.street + 1)
        return
    yield from collect_folds(house, state)
    yield from asking_done(house)


def _asked_later(house: House, position: Position, now: Street, later: tuple[Street, ...]) -> bool:
    """A player who stays wagers again on a later street; not where the game has one deciding wager."""
    made = {*_made(house, position), now.wager}
    return position.choice in (Choice.NONE, Choice.PLAY) and any(street.wager not in made for street in later)


def collect_folds(house: House, state: TableState) -> Events:
    """The wagers that a fold loses are collected; the others are settled at the seat's turn (reading 2)."""
    for number, seat in state.numbered():
        if seat.position.plays and seat.position.choice == "fold":
            lines = pricing.early_lines(house, state, number, house.game.forfeited.__contains__)
            yield e.LinesSettled(number, lines, complete=not tucked_under(house, seat.position))


def tucked_under(house: House, position: Position) -> tuple[str, ...]:
    """The wagers of a folded seat that wait for its cards."""
    return house.game.tucked_under(wager for wager, _ in position.stakes)


def what_happens_to(house: House, seat: Seat, *, short: bool = False) -> Message:
    """The words for a folded hand; a lit seat warns before its cards go. `short`: for a low seat."""
    if seat.wager or seat.five_card:
        return say("fold.lit-short") if short else say("fold.lit")
    under = tucked_under(house, seat.position)
    if not under:
        return say("fold.muck")
    wager = house.game.called(under[0])
    return say("fold.tuck-short", wager=wager) if short else say("fold.tuck", wager=wager)


def abandon(table: Table, press: Press) -> Events:
    """A player left the table during the round, or did not.

    The wagers "may be considered abandoned and may be treated as losing" (653a.7(b)): that is a floorperson's to say.
    """
    house, state = table
    if why_not := may_leave(house, state, press.number):
        yield press.refused(why_not)
    else:
        gone = _abandoned(house, state, boxes_that_leave(house, state, press.number), press.by)
        yield from signed(house, press, Act.LEFT, house.procedure.cite("abandoned"), gone)


def boxes_that_leave(house: House, state: TableState, number: int) -> tuple[int, ...]:
    """The boxes of this player that go when the player leaves, or come back: "any wagers made by the player" (653a.7(b)).

    Settlements at another box before that stay.
    """
    gone = state.seat(number).left
    others = (
        n for n in positions_of_one(state, number) if state.seat(n).left == gone and not may_leave(house, state, n)
    )
    return tuple(sorted({number, *others}))


def _abandoned(house: House, state: TableState, numbers: tuple[int, ...], by: str) -> Events:
    gone = not state.seat(numbers[0]).left
    for number in numbers:
        yield e.SeatAbandoned(number, left=gone, by=by)
    if state.phase is Phase.DRAW and gone:
        yield from _no_draws(house, state, *numbers)


def may_leave(house: House, state: TableState, number: int) -> Message:
    """Why it cannot be said now that this player left, or did not; nothing if it can.

    A player who was paid was there. A rejected prize moved no money.
    """
    seat = state.seat(number)
    lost = any(line.cite == house.procedure.cite("abandoned") for line in seat.position.lines)
    if why_not := anyone_may_leave(house, state):
        return why_not
    if state.phase is Phase.ENVY:
        owed = any(one.seat == number for one in state.round.envy)
        paid = say("left.paid", seat=number) if was_paid(state, number) else NOTHING
        return paid if owed else say("envy.not-owed", seat=number)
    if any(one.seat == number for one in prizes_paid(state)):
        return say("left.paid", seat=number)
    if (
        seat.position.settled
        or seat.position.final
        or lost
        or any(prize.status != PrizeStatus.REJECTED for prize in seat.prizes)
    ):
        return say("left.settling", seat=number)
    if not seat.position.plays and not seat.wager and not seat.five_card:
        return say("left.nobody", seat=number)
    back = seat.left and replace(seat.position, left=False)
    if back and back.waits_for_cards and state.phase not in (Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW):
        return say("left.draws-over", seat=number)
    return NOTHING


def was_paid(state: TableState, number: int) -> bool:
    """This seat's player received something in this round: a prize, a credit, a payout against the dealer."""
    position = state.seat(number).position
    prize = any(one.seat == number for one in prizes_paid(state))
    return prize or any(line.payout for line in (*position.lines, *position.final))


def anyone_may_leave(house: House, state: TableState) -> Message:
    """Why it can be said of nobody now; nothing where it can."""
    if state.phase in (Phase.ASK, Phase.SUPERS) and state.round.supers_settled:  # the pass was opened again
        return say("left.declared-first", wager=house.game.called(house.game.declared))
    return NOTHING


# Elections and draws ----------------------------------------------------------------------------------------------------


def choose(table: Table, press: Press) -> Events:
    """The chosen player's election: bet, fold, instant, buy, or exchange with a number (671a.11(b))."""
    house, state = table
    verb, _, cards = press.rest.partition(" ")
    number = state.round.turn
    if not number or not asked(house, state, state.seat(number)):
        yield press.refused(say("press.seat-first"))
        return
    made = house.game.elections.get(verb)
    if made is None or made.counted != bool(cards) or (cards and cards not in map(str, made.draws)):
        yield press.refused(say("election.no-such", given=press.rest))
        return
    now = street(house, state)
    if made.is_option:  # a player who pays an options fee decides after the cards (671a.11(d)(3))
        yield e.Decided(number, Choice.CHECK, now.name, 0, verb, int(cards or 0))
    else:
        times = now.times[0] if made.choice == Choice.PLAY else 0
        yield e.Decided(number, made.choice, now.name, times, "", 0)


def instant_withdrawn(table: Table, number: int, by: str) -> Events:
    """A hand that is neither a royal nor a straight flush has no instant payout: its player elects again (671a.11(b)).

    Once the dealer's cards are seen no Bet is placed any more, so that the player folds (671a.11(c)(4), (e)).
    """
    house, state = table
    yield e.ElectionReopened(number, by=by)
    if dealer_seen(state):
        yield e.Decided(number, Choice.FOLD, street(house, state).name, 0, "", 0)
        yield e.RoundDone(RoundWork.LOCKED_IN)


def dealer_seen(state: TableState) -> bool:
    """The dealer's hand was shown; the first pass may have been opened again since."""
    return state.round.qualifies is not None


def draws_wanted(state: TableState) -> int:
    """Cards that the players have asked for, those that were dealt included."""
    positions = (seat.position for seat in state.round.seats)
    return sum(one.exchanged or 1 for one in positions if one.waits_for_cards or one.drawn)


def cards_left(house: House, state: TableState) -> int:
    """Cards that are left of the deck after the first deal, without one that lay face up (671a.13(a))."""
    dealt = house.procedure.hole_cards * len(state.players) + house.procedure.dealer_cards
    return DECK - dealt - state.round.left_out


def beyond_the_deck(house: House, state: TableState) -> bool:
    """The players have asked for more cards than are left; not all of them can be dealt (671a.11(d)(1))."""
    return draws_wanted(state) > cards_left(house, state)


def elects_alone(state: TableState) -> int:
    """The seat whose instant payout was withdrawn and whose player has not elected again; 0 for none.

    That player alone is asked, and was here a moment ago: the election is entered, not taken from silence (671a.11(b)).
    """
    waiting = (number for number, seat in state.numbered() if seat.position.elects_again and not seat.left)
    return next((number for number in waiting if not state.seat(number).position.choice), 0)


def _lock_in(table: Table, press: Press) -> Events:
    """ "All decisions are locked in" (671a.11(c)); a seat that was not tapped bets."""
    house, state = table
    if beyond_the_deck(house, state):
        yield press.refused(say("elections.too-many"))
        return
    if waits := elects_alone(state):
        yield press.refused(say("elections.ask-first", seat=waits))
        return
    now = street(house, state)
    for number, seat in state.numbered():
        if seat.position.plays and not seat.position.choice:
            yield e.Decided(number, Choice.PLAY, now.name, now.times[0], "", 0)
    yield e.RoundDone(RoundWork.LOCKED_IN)
    if not house.game.has_pass("supers"):
        yield e.RoundDone(RoundWork.SUPERS_SETTLED)
        yield from _no_draws(house, state)


def call_super(table: Table, press: Press) -> Events:
    """A declared hand, verified by the dealer: its row of the Super paytable; tapped again, it is none.

    The same for an instant payout, "royal flush" or "straight flush": it is owed to any first five cards, after any
    election (671a.11(b)(2), (c)(3)).
    """
    house, state = table
    number, row = state.round.turn, press.rest
    position = state.seat(number).position if number else None
    if position is None or not position.plays:
        yield press.refused(say("declared.seat-first"))
    elif cards_decide(state, position):
        if row == UNDECLARED:
            yield _not_declared(house, number, position)
        else:
            yield press.refused(say("declared.by-cards"))
    elif pays_at_once(house, position) and row in rows(house.submission, "instant"):
        yield from _if_it_can_be(table, _at_once(house, number, position, row), press)
    elif row not in rows(house.submission, house.game.declared):
        yield press.refused(say("row.no-prize", row=row))
    else:
        called = e.SuperCalled(number, "" if position.super_row == row else row, False)
        yield from _if_it_can_be(table, (called,), press)


UNDECLARED = "undeclared"


def _not_declared(house: House, number: int, position: Position) -> e.SuperCalled:
    """Cards say what a hand makes, and not whether its player declared it: told before or after they are entered."""
    undeclared = not position.undeclared
    made = row_of_cards(house.submission, house.game.declared, position.first) if position.first else ""
    return e.SuperCalled(number, "" if undeclared else made, undeclared)


def _at_once(house: House, number: int, position: Position, row: str) -> tuple[e.HandCalled | e.SuperCalled, ...]:
    """An instant payout is told, or taken back. A player who declares such a hand declares the Super that it wins, which
    comes and goes with it (671a.11(b), (c)(2)); one that was told otherwise stands.
    """
    back, told = position.verified == row, position.super_row
    called = e.HandCalled(number, () if back else (("instant", row),), ())
    won = "" if back else least_row(house.submission, row)
    follows = told in ("", least_row(house.submission, position.verified))
    return (called, e.SuperCalled(number, won, False)) if follows and told != won else (called,)


def cards_decide(state: TableState, position: Position) -> bool:
    """A declared hand is told by its cards: at assist level 2, and where they are known."""
    return state.program.level > 1 or bool(position.first)


def pays_at_once(house: House, position: Position) -> bool:
    """The game has an instant payout, and this player's first five cards still lie there."""
    at_once = any(one.choice == Choice.INSTANT for one in house.game.elections.values())
    return at_once and position.plays and not (position.left or position.drawn)


def _if_it_can_be(table: Table, called: tuple[e.HandCalled | e.SuperCalled, ...], press: Press) -> Events:
    """Two rows that the same cards cannot make are refused before anything is paid."""
    house, state = table
    if why_not := conflicts.of_seat(house, reduce(ahead, called, state), called[0].seat, brief=press.tried):
        yield press.refused(why_not)
    else:
        yield from called


def settle_supers(table: Table, press: Press) -> Events:
    """The first pass: Supers on players' hands, instant payouts, and the antes of folds (671a.11(c))."""
    house, state = table
    unverified = [n for n, seat in state.numbered() if seat.position.choice == "instant" and not seat.position.verified]
    if unverified:
        yield press.refused(say("instant.verify", seat=unverified[0]))
        return
    settled = tuple(first_pass(house, state))
    for place, (number, lines) in enumerate(settled):
        last = number not in [later for later, _ in settled[place + 1 :]]
        yield e.LinesSettled(number, lines, complete=last and _goes_no_further(house, state.seat(number).position))
    yield e.RoundDone(RoundWork.SUPERS_SETTLED)
    yield from _no_draws(house, state)


def _no_draws(house: House, state: TableState, *done: int) -> Events:
    """Nobody waits for cards (`done`: the seats that have just got them, or left): the dealer's hand is next."""
    if not any(seat.position.waits_for_cards for number, seat in state.numbered() if number not in done):
        yield e.RoundDone(RoundWork.DRAWN)
        yield from _no_dealer(house)
        if state.round.qualifies is not None:  # the pass was opened again after the dealer's hand was shown
            yield e.DealerShown(state.round.dealer_hand, state.round.qualifies)


def first_pass(house: House, state: TableState) -> Iterator[tuple[int, tuple[Payment, ...]]]:
    """(seat, what is settled) of the pass, in its order."""
    for _, number, lines in pass_by_hand(house, state):
        yield number, lines


def pass_by_hand(house: House, state: TableState) -> Iterator[tuple[int, int, tuple[Payment, ...]]]:
    """(hand, seat, wagers that are settled on it): from seat 1, the owner's Super before its backers', then the
    owner's ante.
    """
    for hand, owner in state.numbered():
        if not owner.position.plays:
            continue
        for number in sorted(state.players, key=hand.__ne__):
            wager = house.game.declared if number == hand else house.game.on_hand(hand)
            if lines := pricing.early_lines(house, state, number, wager.__eq__):
                yield hand, number, lines
        if owner.position.choice in GONE and not owner.position.drawn:
            rest = pricing.early_lines(house, state, hand, lambda wager: not house.game.is_declared(wager))
            settled = {line.wager for line in owner.position.final}  # the pass was opened again after the seat's turn
            yield hand, hand, tuple(line for line in rest if line.wager not in settled)


GONE = ("fold", "instant", "abandoned")
"""The seats whose ante is settled in the first pass."""


def _goes_no_further(house: House, position: Position) -> bool:
    """Nothing of this seat is open after the first pass: a wager on the dealer's hand would be."""
    settled = any(line.wager == house.game.on_hand(DEALER) for line in position.lines)
    return position.choice in GONE and (settled or not backs_dealers_hand(house, position))


def backs_dealers_hand(house: House, position: Position) -> bool:
    """A declared wager of this player is on the dealer's hand (671a.11(e))."""
    return house.game.on_hand(DEALER) in dict(position.stakes)


def draw_bets(table: Table, press: Press) -> Events:
    """The player who has the new cards now bets (671a.11(d)(3))."""
    yield from _take_draw(table, bets=True)


def draw_folds(table: Table, press: Press) -> Events:
    """The player who has the new cards now folds and forfeits the ante (671a.11(d)(4))."""
    yield from _take_draw(table, bets=False)


def _take_draw(table: Table, *, bets: bool) -> Events:
    """The player in turn has the new cards: the fee is collected; a bet follows, or the ante is lost (671a.11(d))."""
    house, state = table
    number = state.round.turn
    wanted = house.game.fees if bets else house.game.fees | {house.game.base}
    lines = pricing.early_lines(house, state, number, lambda wager: wager in wanted)
    backs = backs_dealers_hand(house, state.seat(number).position)
    yield e.DrawTaken(number, bets, street(house, state).times[0] if bets else 0)
    yield e.LinesSettled(number, lines, complete=not bets and not backs)
    yield from _no_draws(house, state, number)


def needs_stub(house: House, state: TableState) -> bool:
    """The stub has to be counted now: where the book has it put away, which is in the deal, before the dealer's hand is
    shown, or after the round.
    """
    return state.phase is _STUB_AT[house.procedure.stub_at[method(house, state)]] and stub_due(house, state)


_STUB_AT: Mapping[str, Phase] = {"deal": Phase.DEAL, "reveal": Phase.REVEAL, "after": Phase.SETTLE}


def counted_after(house: House, state: TableState) -> bool:
    """The cards are counted when the round is over: at level 0 always, at the others where the book says so."""
    return not state.program.level or house.procedure.stub_at[method(house, state)] == "after"
