"""Opening and closing a table, decks, shuffle and cut: sections .3 to .5 of the books.

Between two rounds a machine shuffles without a tap; without one the dealer shuffles and cuts. Decks have numbers that are
never used again, so that a deck which was removed cannot come back.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.table import events as e
from firmware.table.inputs import Ticked
from firmware.table.interlock import hours, left_in_the_machine, machine_obstacles, machine_used, method
from firmware.table.procedures import CUT_LEAST, DECK, HAND, RESHUFFLES
from firmware.table.state import House, Phase, TableState

Events = Iterator[e.Event]


def missing(house: House, state: TableState) -> tuple[str, ...]:
    """Back colours of the decks that have to come."""
    there = [deck.colour for deck in state.decks]
    return tuple(colour for colour in house.equipment.colours if colour not in there)


def _numbered(house: House, state: TableState) -> tuple[tuple[int, str], ...]:
    return tuple(enumerate(missing(house, state), start=state.deck_number + 1))


def receive(house: House, state: TableState, at: int, word: str, *, preinspected: bool) -> Events:
    """Decks came to the table (653a.4(a)), or preinspected and preshuffled ones (653a.4(e))."""
    decks = _numbered(house, state)
    if not decks:
        yield e.PressRefused(word, "Every deck is here.")
    elif not preinspected:
        yield e.DecksReceived(decks, at)
    else:
        yield e.PreinspectedReceived(decks, at)
        if machine_used(house, state) and house.equipment.shuffler == RESHUFFLES:
            yield e.CutNotNeeded(house.procedure.cite("reshuffles"))


def shuffled(house: House, state: TableState, word: str) -> Events:
    """The deck is shuffled: by the machine, whose word is wanted, or by hand, and then it is cut."""
    if machine_used(house, state):
        yield from _delivered(house, state, word)
    else:
        yield e.DeckShuffled()


def shuffle_wanted(state: TableState, by: str) -> Events:
    """A floorperson directs a shuffle: now, or before the first card where bets were made on this deck."""
    between = state.phase in (Phase.CLOSED, Phase.SHUFFLE)
    yield e.ShuffleWanted(by) if between else e.ReshuffleOrdered(by)


def order_words(house: House, state: TableState) -> str:
    """What a floorperson ordered before the first card and is still to be done; "" where nothing is."""
    if not state.recut:
        return ""
    if state.reshuffle:
        return f"Shuffle the cards again first ({house.procedure.cite('shuffle')})."
    return f"Cut the cards again first ({house.procedure.cite('recut')})."


def ordered(house: House, state: TableState, word: str) -> Events:
    """Cut again, or shuffled again as a floorperson ordered: by the machine, or by hand and cut where it is in trouble.

    What the machine has counted wrongly is not dealt, whoever shuffles it (653a.5(b)).
    """
    left = next(left_in_the_machine(house, state), None) if state.covered else None
    if not state.recut:
        yield e.PressRefused(word, "Nobody ordered another cut or shuffle.")
    elif left and state.reshuffle:
        yield e.PressRefused(word, f"{left.what}. {left.remedy}")
    elif machine_used(house, state) and state.cards != "cut" and _machine_decides(house, state):
        yield from _delivered(house, state, word)
    else:
        yield e.DeckCut()


def _machine_decides(house: House, state: TableState) -> bool:
    shuffler = state.shuffler
    counted = house.equipment.counts and shuffler.mode in ("ready", "fault") and shuffler.count is not None
    return (counted and shuffler.count != DECK) or not any(machine_obstacles(house, state))


def _delivered(house: House, state: TableState, word: str) -> Events:
    for obstacle in machine_obstacles(house, state):
        yield e.PressRefused(word, f"{obstacle.what}. {obstacle.remedy}")
        return
    if state.shuffler.mode == "shuffling":
        yield e.PressRefused(word, "The shuffler is still at work.")
    else:
        yield e.DeckDelivered()


def delivered(house: House, state: TableState) -> Events:
    """The machine that was still at work when bets opened has this round's deck ready, and nothing is wrong with it."""
    waits = state.phase in BEFORE_DEAL and not state.cards and not state.recut and state.deck is not None
    ready = machine_used(house, state) and state.shuffler.mode == "ready"
    if waits and ready and not any(machine_obstacles(house, state)):
        yield e.DeckDelivered()


BEFORE_DEAL = frozenset({Phase.OPEN, Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL})
"""Bets were opened, no card is out."""


def undelivered(house: House, state: TableState) -> str:
    """Why no card can be dealt: the machine has not had this round's deck ready; "" where it had, or hands cut it.

    A deck that was removed since the lock says nothing; what has become of it a floorperson has signed.
    """
    if state.phase is not Phase.DEAL or state.cards or not machine_used(house, state):
        return ""
    if state.deck is None or state.deck.number != state.played:
        return ""
    for obstacle in machine_obstacles(house, state):
        counted = obstacle.what.startswith("Shuffler counts")
        remedy = f"PROBLEM voids the round ({house.procedure.cite('machine count')})." if counted else obstacle.remedy
        return f"{obstacle.what}. {remedy}"
    return f"The shuffler is not ready ({state.shuffler.mode}): wait, or PROBLEM, the floor orders a shuffle."


def shuffled_and_cut(house: House, state: TableState, word: str) -> Events:
    """Both steps by hand, told at once."""
    if machine_used(house, state):
        yield e.PressRefused(word, "The machine shuffles here.")
        return
    yield e.DeckShuffled()
    yield e.DeckCut()


def cut_words(house: House, state: TableState) -> str:
    """What a cut is, and where the cards go then (653a.5(d))."""
    where = "the shoe" if method(house, state) != HAND else "the hand"
    return (
        f"cover card in at least {CUT_LEAST} cards from the top; those and the cover card go to the bottom; "
        f"then the stack goes into {where}"
    )


def deck_words(house: House) -> str:
    """What the dealer looks for in a deck (653a.3(a))."""
    covers = house.procedure.cover_cards
    return f"All {DECK} cards there and alike, none twice, and {covers} cover {'card' if covers == 1 else 'cards'}."


def idle_words(house: House) -> str:
    """How the cards are spread when nobody plays; Lunar Poker says where they come from (671a.5(f))."""
    first = "Take the cards out of the dealing shoe and the discard rack. " if house.procedure.has("idle from") else ""
    return f"{first}Spread them face down, or face up if a player asks."


def cards_wanted(house: House, state: TableState) -> Events:
    """Between two rounds: where no machine shuffles, the dealer has to (653a.5(a)); so are new decks (653a.4(c))."""
    ready = state.cards == "cut" or (machine_used(house, state) and not (state.opening and state.cards != "machine"))
    if state.phase is Phase.CLOSED and state.decks and not ready and not missing(house, state) and not state.deck_due:
        yield e.ShuffleWanted("")


def idle(house: House, state: TableState, word: str) -> Events:
    """Nobody plays: the cards are spread (653a.5(f)); with a device that reshuffles, Pennsylvania does not ask for it."""
    if why_not := staked(state) or credited(state):
        yield e.PressRefused(word, why_not)
    elif not idles(house, state):
        yield e.PressRefused(word, f"The device reshuffles: nothing is spread ({house.procedure.cite('reshuffles')}).")
    else:
        yield e.TableIdled()


def idles(house: House, state: TableState) -> bool:
    """The book asks for a spread when nobody plays. Maryland's .05I frees of D to F only, its spread is in H."""
    reshuffles = machine_used(house, state) and house.equipment.shuffler == RESHUFFLES
    return not reshuffles or house.procedure.book == "md-36.05.16"


def credited(state: TableState) -> str:
    """Why players have to be paid before the table stops for a while; "" where no account holds anything."""
    if any(state.accounts):
        seats = ", ".join(str(place) for place, cents in enumerate(state.accounts, start=1) if cents)
        return f"Cash out the wagering accounts of seats {seats} first."
    return ""


def staked(state: TableState) -> str:
    """Why the table cannot be idle, shut or given other decks now; "" where nothing is at stake."""
    if state.phase is Phase.OPEN and (state.wagers or any(seat.five_card for seat in state.seats)):
        return "Wagers are on the felt: play this round first."
    return ""


def close(state: TableState, word: str) -> Events:
    """Close the table for gaming: everything is emptied and counted."""
    if why_not := staked(state) or credited(state):
        yield e.PressRefused(word, why_not)
    else:
        yield e.ClosingBegun()


def expected(state: TableState) -> int:
    """Cards that have to be there at the closing."""
    return DECK * len(state.decks)


def emptied(state: TableState, cards: int) -> Events:
    """So many cards came out of machine, shoe and rack. The right number shuts the table."""
    yield e.CardsEmptied(cards)
    if cards == expected(state):
        yield e.TableShut(cards, "", "")


def shut_short(state: TableState, by: str, word: str) -> Events:
    """A floorperson shuts a table whose count was not right; every deck counts as removed for cause."""
    if not state.counted:
        yield e.PressRefused(word, "Count the cards first.")
        return
    reason = f"{state.emptied} cards, not {expected(state)}"
    for deck in state.decks:
        yield e.DeckRemoved(deck.number, reason, by)
    yield e.TableShut(state.emptied, by, reason)


def ticked(house: House, state: TableState, given: Ticked) -> Events:
    """The time of day: has a deck been in use as long as it may (653a.3(c))?

    While bets are open and the table sees no wager, the decks go before a round is dealt with them.
    """
    if not state.decks or state.phase in (Phase.SHUT, Phase.EMPTY):
        return
    due = state.deck_due or _due(house, state, given.at)
    if due and not state.deck_due:
        yield e.DeckDue(due)
    if due and state.phase is Phase.OPEN and not staked(state):
        yield e.DecksWanted(due, all=True)


def _due(house: House, state: TableState, at: int) -> str:
    cite = house.procedure.cite("change", method(house, state))
    limit = hours(house, state)
    oldest = min(deck.since for deck in state.decks)
    if at < oldest - CLOCK_ERROR_S:
        return f"The clock stands before the deck came: its age is unknown ({cite})"
    return f"The decks have been in use for {limit} hours ({cite})" if at - oldest >= limit * 3600 else ""


CLOCK_ERROR_S = 120
"""A clock that was set right by less than this is no reason to change a deck."""


def change_decks(state: TableState, word: str) -> Events:
    """Other decks, before the next round."""
    if why_not := staked(state) or credited(state):
        yield e.PressRefused(word, why_not)
    elif state.deck_due:
        yield e.DecksWanted(state.deck_due, all=True)
    else:
        yield e.DecksWanted("the house changes its decks", all=True)


def fetch_missing(house: House, state: TableState, word: str) -> Events:
    """A removed deck is replaced; due decks all are."""
    if state.deck_due:
        yield e.DecksWanted(state.deck_due, all=True)
    elif missing(house, state):
        yield e.DecksWanted("a deck is missing", all=False)
    else:
        yield e.PressRefused(word, "Every deck is here.")


def step_back(state: TableState, word: str) -> Events:
    """Take back the last step of opening, idling or closing."""
    match state.phase:
        case Phase.INSPECT:
            yield e.DecksRefused()
        case Phase.CUT if state.cards == "preshuffled":
            yield e.DecksRefused()
        case Phase.SHUFFLE | Phase.CLOSED | Phase.OPEN if state.before:
            yield e.ClearTakenBack(state.before.round)
        case Phase.EMPTY if state.opening:
            yield e.ClosingTakenBack()
        case Phase.EMPTY if state.idled:
            yield e.TableIdled()
        case Phase.WASH if not state.opening:
            yield e.TableIdled()
        case Phase.IDLE if state.faces_seen:
            yield e.PressRefused(word, "A player saw the faces: look at them, wash and shuffle the cards.")
        case Phase.SHUT if not state.decks:
            yield e.PressRefused(word, "Nothing can be taken back here.")
        case Phase.SHUFFLE if not (state.opening or state.idled):
            yield e.PressRefused(word, "Nothing can be taken back here.")
        case Phase.CLOSED | Phase.OPEN:
            yield e.PressRefused(word, "Nothing can be taken back here.")
        case _:
            yield e.StepTakenBack()
