"""Opening and closing a table, decks, shuffle and cut: sections .3 to .5 of the books.

Between two rounds a machine shuffles without a tap; without one the dealer shuffles and cuts. Decks have numbers that are
never used again, so that a deck which was removed cannot come back.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, Message, say
from firmware.table import events as e
from firmware.table import five_card
from firmware.table.evolve import ahead
from firmware.table.house import House, Table
from firmware.table.inputs import TOLD_EVERY_S, ClockSet, Ticked
from firmware.table.interlock import (
    ObstacleKind,
    hours,
    left_in_the_machine,
    machine_obstacles,
    machine_used,
    method,
    miscounts,
)
from firmware.table.people import signed
from firmware.table.press import Press
from firmware.table.procedures import DECK, HAND, RESHUFFLES
from firmware.table.state import BEFORE_CARDS, IN_ROUND, Deck, DeckWork, Phase, Prepared, StakeBack, TableState

Events = Iterator[e.Event]


def missing(house: House, state: TableState) -> tuple[str, ...]:
    """Back colors of the decks that have to come."""
    there = [deck.color for deck in state.decks.here]
    return tuple(color for color in house.equipment.colors if color not in there)


def _numbered(house: House, state: TableState) -> tuple[tuple[int, str], ...]:
    return tuple(enumerate(missing(house, state), start=state.history.deck_number + 1))


def received(table: Table, press: Press) -> Events:
    """Decks came to the table, to be inspected (653a.4(a))."""
    if decks := _numbered(*table):
        yield e.DecksReceived(decks)
    else:
        yield press.refused(say("deck.all-here"))


def preinspected(table: Table, press: Press) -> Events:
    """Decks came preinspected and preshuffled (653a.4(e))."""
    house, state = table
    if decks := _numbered(house, state):
        yield e.DecksReceived(decks)
        yield e.DecksDone(DeckWork.PREINSPECTED)
        if machine_used(house, state) and house.equipment.shuffler == RESHUFFLES:
            yield e.DeckCut(house.procedure.cite("reshuffles"))
    else:
        yield press.refused(say("deck.all-here"))


def inspected(table: Table, press: Press) -> Events:
    """The dealer found no defect."""
    yield e.DecksDone(DeckWork.INSPECTED)


def defect(table: Table, press: Press) -> Events:
    """The decks that came go away again."""
    yield e.DecksDone(DeckWork.REFUSED)


def verify(table: Table, press: Press) -> Events:
    """The floorperson verified the inspection (653a.4(a))."""
    verified = iter((e.DecksDone(DeckWork.VERIFIED, by=press.by),))
    yield from signed(table.house, press, Act.OPENING, table.house.procedure.cite("verify"), verified)


def looked(table: Table, press: Press) -> Events:
    """The first player had the opportunity to look at the cards (653a.4(c), .5(f))."""
    yield e.DecksDone(DeckWork.LOOKED)


def face_up(table: Table, press: Press) -> Events:
    """A player asks for the spread cards face up, or they are turned down again (653a.5(f))."""
    yield e.FacesTurned(not table.state.decks.face_up)


def stacked(table: Table, press: Press) -> Events:
    """Turned face down, washed, stacked (653a.4(c))."""
    yield e.DecksDone(DeckWork.STACKED)


def cut(table: Table, press: Press) -> Events:
    """Cut (653a.5(d))."""
    yield e.DeckCut("")


def shuffled(table: Table, press: Press) -> Events:
    """The deck is shuffled: by the machine, whose word is wanted, or by hand, and then it is cut."""
    if why_not := _not_shuffled(*table):
        yield press.refused(why_not)
    elif machine_used(*table):
        yield e.DeckDelivered()
    else:
        yield e.DecksDone(DeckWork.SHUFFLED)


def _not_shuffled(house: House, state: TableState) -> Message:
    """Why the deck is not shuffled yet, or must not be dealt; nothing where it is."""
    for found in miscounts(house, state):
        return found.both
    return _not_delivered(house, state) if machine_used(house, state) else NOTHING


def shuffle_wanted(state: TableState, by: str) -> Events:
    """A floorperson directs a shuffle: now, or before the first card where bets were made on this deck."""
    between = state.phase in (Phase.CLOSED, Phase.SHUFFLE)
    yield e.ShuffleWanted(by=by) if between else e.RecutOrdered(shuffle=True, by=by)


def order_words(house: House, state: TableState) -> Message:
    """A floorperson's order before the first card that is still to be done; nothing if there is none."""
    if not state.decks.recut:
        return NOTHING
    if state.decks.reshuffle:
        return say("order.shuffle", cite=house.procedure.cite("shuffle"))
    return say("order.cut", cite=house.procedure.cite("recut"))


def recut(table: Table, press: Press) -> Events:
    """Cut again, or shuffled again as a floorperson ordered: by the machine, or by hand and cut where it is in trouble.

    A deck that the machine has counted wrongly is not dealt, shuffled by anybody (653a.5(b)).
    """
    house, state = table
    left = next(left_in_the_machine(house, state), None) if state.decks.covered else None
    if not state.decks.recut:
        yield press.refused(say("order.none"))
    elif state.decks.miscount is not None:
        yield press.refused(next(miscounts(house, state)).both)
    elif left and state.decks.reshuffle:
        yield press.refused(left.both)
    elif machine_used(house, state) and state.decks.cards != Prepared.CUT and _machine_decides(house, state):
        yield from _delivered(table, press)
    else:
        yield e.DeckCut("")


def _machine_decides(house: House, state: TableState) -> bool:
    shuffler = state.neighbors.shuffler
    counted = house.equipment.counts and shuffler.mode in ("ready", "fault") and shuffler.count is not None
    trouble = (one for one in machine_obstacles(house, state) if one.kind is not ObstacleKind.STALE)
    return (counted and shuffler.count != DECK) or not any(trouble)


def _delivered(table: Table, press: Press) -> Events:
    if why_not := _not_delivered(*table):
        yield press.refused(why_not)
    else:
        yield e.DeckDelivered()


def _not_delivered(house: House, state: TableState) -> Message:
    for obstacle in machine_obstacles(house, state):
        return obstacle.both
    mode = state.neighbors.shuffler.mode
    if mode in ("loading", "shuffling"):
        return say("shuffler.at-work")
    return NOTHING if mode == "ready" else say("shuffler.not-ready", mode=mode)


def delivered(house: House, state: TableState) -> Events:
    """The machine that was still at work when bets opened has this round's deck ready, and nothing is wrong with it."""
    waits = state.phase in BEFORE_CARDS and not state.decks.cards and not state.decks.recut and state.deck is not None
    ready = machine_used(house, state) and state.neighbors.shuffler.mode == "ready"
    if waits and ready and state.decks.miscount is None and not any(machine_obstacles(house, state)):
        yield e.DeckDelivered()


def miscounted(house: House, state: TableState) -> Events:
    """The machine reveals that a deck here has not 52 cards: this is never forgotten (653a.5(b)).

    It counts after a shuffle. A fault of another kind ends the shuffle, and the number is then no count of a deck.
    """
    shuffler, deck = state.neighbors.shuffler, _counted_deck(state)
    heard = shuffler.connected and shuffler.unit == state.decks.unit
    counts = machine_used(house, state) and house.equipment.counts and heard
    revealed = shuffler.mode == "ready" or shuffler.fault == "count"
    wrong = counts and revealed and shuffler.count not in (None, DECK)
    if wrong and deck is not None and deck.number not in dict(state.decks.miscounted):
        yield e.DeckMiscounted(deck.number, shuffler.count or 0)


def _counted_deck(state: TableState) -> Deck | None:
    """The deck in the machine, by its color; of two that it cannot tell apart the one that is not being dealt."""
    decks, color = state.decks, state.neighbors.shuffler.deck
    on_the_table = decks.opening if state.phase in _NEW_DECKS else ()
    inside = [deck for deck in decks.here if deck.number not in on_the_table and color in ("", deck.color)]
    if len(inside) < 2:
        return inside[0] if inside else None
    dealing = bool(decks.cards) or state.phase in IN_ROUND
    return next(deck for deck in inside if (deck is decks.current) != dealing)


_NEW_DECKS = frozenset({Phase.SHUT, Phase.INSPECT, Phase.VERIFY, Phase.SPREAD, Phase.WASH})
"""New decks lie on the table, in no machine."""


def card_left(house: House, state: TableState) -> bool:
    """A card left the deck in this round: it was one of play (653a.3(b)(3)). At level 0 nobody says when cards are dealt;
    a deck that is ready is taken to be dealt.
    """
    if state.round.void_cite:
        return state.round.void_dealt
    if state.phase in (Phase.OPEN, Phase.COUNT, Phase.DIFFERENCE):
        return False
    if state.phase is not Phase.DEAL or state.was_dealt:
        return True
    somebody = bool(state.players) or not state.program.level
    return somebody and not state.decks.recut and not undelivered(house, state)


def undelivered(house: House, state: TableState) -> Message:
    """Why no card can be dealt: the machine has not had this round's deck ready; nothing where it had, or hands cut it.

    A deck that was removed since the lock says nothing; what has become of it a floorperson has signed.
    """
    if state.phase is not Phase.DEAL or state.decks.cards:
        return NOTHING
    if state.deck is None or state.deck.number != state.decks.played:
        return NOTHING
    if state.decks.miscount is not None:
        voids = say("shuffler.count-voids", cite=house.procedure.cite("machine count"))
        return say("obstacle.both", what=next(miscounts(house, state)).what, remedy=voids)
    if not machine_used(house, state):
        return NOTHING
    for obstacle in machine_obstacles(house, state):
        return say("two-sentences", first=obstacle.both, second=say("shuffler.unseen"))
    return say("shuffler.not-ready", mode=state.neighbors.shuffler.mode)


def shuffled_and_cut(table: Table, press: Press) -> Events:
    """Both steps by hand, told at once."""
    if machine_used(*table):
        yield press.refused(say("shuffler.shuffles-here"))
        return
    if why_not := _not_shuffled(*table):
        yield press.refused(why_not)
        return
    yield e.DecksDone(DeckWork.SHUFFLED)
    yield e.DeckCut("")


def cut_words(house: House, state: TableState) -> Message:
    """The cut, and the place of the cards after it (653a.5(d))."""
    if method(house, state) == HAND:
        return say("cut.into-hand", least=house.procedure.cut_least)
    return say("cut.into-shoe", least=house.procedure.cut_least)


def deck_words(house: House) -> Message:
    """The defects that the dealer looks for in a deck (653a.3(a))."""
    return say("deck.whole", cards=DECK, n=house.procedure.cover_cards)


def idle_words(house: House) -> Message:
    """How the cards are spread when nobody plays; Lunar Poker says where they come from (671a.5(f))."""
    return say("idle.spread-from") if house.procedure.has("idle from") else say("idle.spread")


def cards_wanted(house: House, state: TableState) -> Events:
    """Between two rounds: where no machine shuffles, the dealer has to (653a.5(a)); so are new decks (653a.4(c))."""
    ready = state.decks.cards == Prepared.CUT or (
        machine_used(house, state) and not (state.decks.opening and state.decks.cards != Prepared.MACHINE)
    )
    if (
        state.phase is Phase.CLOSED
        and state.decks.here
        and not ready
        and not missing(house, state)
        and not state.decks.due
    ):
        yield e.ShuffleWanted()


def idle(table: Table, press: Press) -> Events:
    """Nobody plays: the cards are spread (653a.5(f)); with a device that reshuffles, Pennsylvania does not ask for it."""
    house, state = table
    if why_not := staked(state) or credited(state):
        yield press.refused(why_not)
    elif not idles(house, state):
        yield press.refused(say("idle.nothing-spread", cite=house.procedure.cite("reshuffles")))
    else:
        yield e.DecksDone(DeckWork.IDLE)


def idles(house: House, state: TableState) -> bool:
    """The book asks for a spread when nobody plays; some free a device that reshuffles of it."""
    reshuffles = machine_used(house, state) and house.equipment.shuffler == RESHUFFLES
    return not reshuffles or house.procedure.idle_spreads_reshuffler


def credited(state: TableState) -> Message:
    """Why players have to be paid before the table stops for a while; nothing where no account holds anything."""
    if any(state.felt.accounts):
        seats = tuple(place for place, cents in enumerate(state.felt.accounts, start=1) if cents)
        return say("account.cash-out-first", seats=seats, n=len(seats))
    return NOTHING


def staked(state: TableState) -> Message:
    """Why the table cannot be idle, shut or given other decks now; nothing where nothing is at stake."""
    if state.phase is Phase.OPEN and (state.wagers or any(seat.five_card for seat in state.round.seats)):
        return say("wagers.on-the-felt")
    return NOTHING


def close(table: Table, press: Press) -> Events:
    """Close the table for gaming: everything is emptied and counted."""
    if why_not := staked(table.state) or credited(table.state):
        yield press.refused(why_not)
    else:
        yield e.DecksDone(DeckWork.CLOSING)


def expected(state: TableState) -> int:
    """Cards that have to be there at the closing."""
    return DECK * len(state.decks.here)


def emptied(table: Table, press: Press) -> Events:
    """So many cards came out of machine, shoe and rack. The right number shuts the table."""
    yield e.CardsEmptied(press.number)
    if press.number == expected(table.state):
        yield e.TableShut(press.number, NOTHING)


def shut_short(table: Table, press: Press) -> Events:
    """A floorperson shuts a table whose count was not right; every deck counts as removed for cause."""
    if table.state.decks.counted:
        yield from signed(table.house, press, Act.CLOSING, "", _shut_short(table.state, press))
    else:
        yield press.refused(say("closing.count-first"))


def _shut_short(state: TableState, press: Press) -> Events:
    reason = say("closing.count-off", n=state.decks.emptied, right=expected(state))
    for deck in state.decks.here:
        yield e.DeckRemoved(deck.number, reason, by=press.by)
    yield e.TableShut(state.decks.emptied, reason, by=press.by)


def ticked(house: House, state: TableState, given: Ticked) -> Events:
    """The time of day: has a deck been in use as long as it may (653a.3(c))?

    While bets are open the decks go before a round is dealt with them, and all wagers go back. A chip that
    still lies there when bets open again is a wager of that round, like any other that came before. But how long the machine
    was off is the wall clock's word: while no time server bears it out it takes no deck away and no wager back, and decks
    that came before this boot are due after the round.
    """
    if not state.decks.here or state.phase in (Phase.SHUT, Phase.EMPTY):
        return
    due = state.decks.due or _due(house, state, given.at)
    if due and not state.decks.due:
        yield e.DeckDue(due)
    known = given.sure or _oldest(state) >= state.program.booted
    if due and known and state.phase is Phase.OPEN:
        back = staked(state)
        yield from _not_played(house, state)
        yield e.DecksWanted(say("obstacle.both", what=due, remedy=say("deck.wagers-back")) if back else due, all=True)


def _not_played(house: House, state: TableState) -> Events:
    """Every wager that the table sees while bets are open goes back: no round is dealt."""
    for number, seat in state.numbered():
        yield from (e.WagerMarked(number, wager, 0) for wager in state.program.sensed if seat.staked(wager))
        yield from five_card.returned(house, state, number, StakeBack.DECKS)


def _due(house: House, state: TableState, at: int) -> Message:
    cite = house.procedure.cite("change", method(house, state))
    limit = hours(house, state)
    late = at + TOLD_EVERY_S - _oldest(state) > limit * 3600
    return say("deck.in-use", hours=limit, cite=cite) if late else NOTHING


def _oldest(state: TableState) -> int:
    """When the first of the decks at the table came, seconds of UTC."""
    return min(deck.since for deck in state.decks.here)


def clock_set(house: House, state: TableState, given: ClockSet) -> Events:
    """The time of day was wrong. Its words about the decks are taken back."""
    corrected = e.ClockCorrected(given.by)
    yield corrected
    if state.decks.due and state.decks.here and not _due(house, ahead(state, corrected), given.at):
        yield e.DeckDue(NOTHING)


def change_decks(table: Table, press: Press) -> Events:
    """Other decks, before the next round."""
    state = table.state
    if why_not := staked(state) or credited(state):
        yield press.refused(why_not)
    else:
        yield e.DecksWanted(state.decks.due or say("deck.house-changes"), all=True)


def fetch(table: Table, press: Press) -> Events:
    """A removed deck is replaced; due decks all are."""
    house, state = table
    if state.decks.due:
        yield e.DecksWanted(state.decks.due, all=True)
    elif missing(house, state):
        yield e.DecksWanted(say("deck.missing"), all=False)
    else:
        yield press.refused(say("deck.all-here"))
