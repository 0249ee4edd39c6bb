"""What goes wrong at a table, by kind and phase, as each book prescribes: sections .13, .8(h), .5(b), (e), .7(b).

`problems` is the list under the PROBLEM key: what each book knows in this phase, in a dealer's words, with its paragraph
and who has to sign. `apply` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware.rules.message import say
from firmware.table import events as e
from firmware.table import opening, pricing
from firmware.table.dealing import last_cards
from firmware.table.house import House, Table
from firmware.table.interlock import machine_used, method
from firmware.table.outbox import owe
from firmware.table.people import floor_only
from firmware.table.press import Press
from firmware.table.procedures import AUTOMATED
from firmware.table.settling import CORRECTIONS, correctable
from firmware.table.state import NO_PANEL, Panel, PanelKind, Phase, PrizeStatus, TableState
from firmware.wire.from_table import Reversal

Events = Iterator[e.Event]

BETWEEN = frozenset({Phase.CLOSED, Phase.OPEN, Phase.SHUFFLE})
"""No card is dealt and nothing is unsettled."""
BEFORE_CARDS = frozenset({Phase.OPEN, Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL})
"""The cards are cut, none is dealt (at level 0 nobody says when the deal begins)."""
DEALING = frozenset({Phase.DEAL, Phase.ASK, Phase.DRAW})
"""Cards leave the deck; in REVEAL where the players wagered before the last community cards."""
ROUND = frozenset(
    {
        Phase.COUNT,
        Phase.DIFFERENCE,
        Phase.DEAL,
        Phase.ASK,
        Phase.SUPERS,
        Phase.DRAW,
        Phase.REVEAL,
        Phase.HAND,
        Phase.SETTLE,
        Phase.CARDS,
        Phase.VALIDATE,
        Phase.PAY,
    }
)
"""Bets are closed and the round can still be void."""
UNFINISHED = ROUND | {Phase.PRICE, Phase.HOLD, Phase.ENVY, Phase.VOID}
UNDECIDED = frozenset({Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.COUNT, Phase.DIFFERENCE})
"""Not every player has folded or wagered; at level 0 the table cannot know."""
AFTER_CARDS = frozenset({Phase.DEAL, Phase.REVEAL, Phase.SETTLE})


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of trouble. `floor`: a floorperson signs. `voids`: the books' name of what voids the round, or "".

    `deck` (its number), `unit`: which deck or shuffler it is about.
    """

    key: str
    words: str
    cite: str
    floor: bool = False
    voids: str = ""
    after_deal: bool = False
    deck: int = 0
    unit: str = ""


def problems(house: House, state: TableState) -> tuple[Problem, ...]:
    """Everything that can be told in this phase."""
    return tuple(_problems(house, state))


def _problems(house: House, state: TableState) -> Iterator[Problem]:
    phase = state.phase
    if phase in BETWEEN:
        yield from _between_rounds(house, state)
    if phase in (Phase.SPREAD, Phase.WASH, Phase.CUT, Phase.IDLE):
        yield Problem("close", "Close the table", "")
    if phase in BEFORE_CARDS and not state.decks.recut:
        if state.decks.cards == "cut":
            yield Problem("recut", "The floor orders another cut", house.procedure.cite("recut"), floor=True)
        yield Problem("shuffle", "The floor orders a shuffle", house.procedure.cite("shuffle"), floor=True)
    if phase is Phase.DEAL and opening.undelivered(house, state):
        yield from _new_units(state)
    if phase in ROUND and may_void(state) == "":
        yield from _voids(house, state)
    if phase in ROUND:
        yield from _notes(house, state)
    if phase is Phase.DEAL and state.program.level:
        yield Problem("boxes", "Who plays, or a wager, was entered wrongly", "", floor=True)
    if phase is Phase.SETTLE and (correctable(state) or state.round.credited):
        yield Problem("correct", "Correct a settled seat", "", floor=True)
    if phase is Phase.SETTLE and state.round.envied:
        yield Problem("envy", "Envy bonuses: pay them again", house.progressive.envy_cite, floor=True)
    if phase in (Phase.DRAW, Phase.REVEAL) and correctable(state):
        yield Problem("correct", "Correct a settled Super", "", floor=True)
    again = phase is Phase.ASK and state.round.street > 0
    if (again or phase is Phase.REVEAL) and house.game.has_pass("streets"):
        cite = house.procedure.streets[_asked_last(state)].cite
        yield Problem("ask-again", "The floor has the last street asked again", cite, floor=True)


def _between_rounds(house: House, state: TableState) -> Iterator[Problem]:
    procedure = house.procedure
    if state.phase is Phase.OPEN and house.offers_progressive:
        yield Problem("sensors", "A sensor is dead or works again", "")
    if state.phase is Phase.CLOSED and house.offers_progressive:
        yield Problem("sensors", "A sensor is dead or works again", "")
    if opening.idles(house, state):
        yield Problem("idle", "Nobody plays: spread the cards", procedure.cite("idle"))
    yield Problem("close", "Close the table", "")
    yield Problem("change-decks", "Change the decks", procedure.cite("change", method(house, state)))
    yield from (
        Problem(
            f"remove-{deck.number}",
            f"Remove the {deck.color} deck",
            procedure.cite("machine count"),
            floor=True,
            deck=deck.number,
        )
        for deck in state.decks.here
    )
    if state.phase is not Phase.OPEN:
        yield Problem("shuffle", "The floor orders a shuffle", procedure.cite("shuffle"), floor=True)
    yield from _devices(house, state)


def _devices(house: House, state: TableState) -> Iterator[Problem]:
    if not house.equipment.machine:
        return
    cite = house.procedure.cite("out of order")
    if state.decks.covered:
        yield Problem("uncover", "The shuffler works again", cite, floor=True)
    else:
        yield Problem("cover", "Shuffler out of order: cover it", cite, floor=True)
    yield from _new_units(state)


def _new_units(state: TableState) -> Iterator[Problem]:
    if state.neighbours.shuffler.unit and state.neighbours.shuffler.unit != state.decks.unit:
        unit = state.neighbours.shuffler.unit
        yield Problem("new-unit", f"New shuffler {unit}", "", floor=True, unit=unit)


def _voids(house: House, state: TableState) -> Iterator[Problem]:
    """What voids this round; where the initial deal changes what is still settled it is asked before and after."""
    procedure, book = house.procedure, house.submission.book
    for kind in book.voids:
        if kind == "stub_count":
            yield from _stub(house, state)
        elif kind == "cards_face_up":
            cite = procedure.cite(kind)
            yield from _face_up(house, state, kind, cite)
        elif kind == "dealing_shoe_fault":
            if method(house, state) == AUTOMATED:
                yield Problem("shoe-fault", "Dealing shoe jammed or stopped", procedure.cite(kind), True, kind)
        elif kind == "shuffler_fault":
            if machine_used(house, state):
                yield Problem("shuffler-fault", "Shuffler jammed in the round", procedure.cite(kind), True, kind)
        elif kind == "dealer_card_exposed":
            if state.phase in UNDECIDED:
                yield Problem("dealer-exposed", "A dealer's card exposed", procedure.cite(kind), True, kind, True)
        else:
            yield Problem("wrong-number", "Wrong number of cards dealt", procedure.cite(kind), True, kind)


def _face_up(house: House, state: TableState, kind: str, cite: str) -> Iterator[Problem]:
    """At level 0, and while dealing, the dealer says whether everybody had the first cards."""
    splits = kind in house.submission.book.still_settled
    dealt = state.program.level > 0 and state.phase not in (Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL)
    if not dealt:
        words = "Two or more face up, before all hands dealt" if splits else "Two or more cards face up"
        yield Problem("face-up", words, cite, True, kind)
    if splits and (dealt or not state.program.level):
        yield Problem("face-up-later", "Two or more face up, after the first deal", cite, True, kind, True)
    if not splits and dealt:
        yield Problem("face-up", "Two or more cards face up", cite, True, kind)


def _stub(house: House, state: TableState) -> Iterator[Problem]:
    cite = house.procedure.cite("stub_count", method(house, state))
    yield Problem("misdealt", "Stub wrong: misdealt, 52 remain", cite, True, "stub_count")
    yield Problem("not-52", "Stub wrong: not 52, deck goes", cite, True, "stub_count")


def _deals(house: House, state: TableState) -> bool:
    """Cards leave the deck in this phase."""
    late = state.phase is Phase.REVEAL and any(step.cards for step in last_cards(house, state))
    return late or state.phase in DEALING


def _notes(house: House, state: TableState) -> Iterator[Problem]:
    procedure = house.procedure
    deals = _deals(house, state)
    if deals:
        if state.round.left_out:
            yield Problem("no-face-up", "No card was face up: take back", procedure.cite("one face up"))
        else:
            yield Problem("one-face-up", "One card face up: left out", procedure.cite("one face up"))
        yield Problem("drawn-in-error", "Card drawn in error, not seen", procedure.cite("drawn in error"))
    if deals and machine_used(house, state) and "shuffler_fault" not in house.submission.book.voids:
        yield Problem("shuffler-jam", "Shuffler jammed: reshuffle", procedure.cite("shuffler jam"))
    there = state.deck is not None and state.deck.number == state.decks.played  # it was not removed in this round
    there = there and not opening.undelivered(house, state)
    if "stub_count" not in house.submission.book.voids and state.phase in AFTER_CARDS and there:
        yield Problem("not-52", "Count wrong: the deck goes", procedure.cite("stub_count", ""), True)
    if state.phase in (Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.REVEAL, Phase.SETTLE):
        yield Problem("left", "A player left the table", procedure.cite("abandoned"))


# Doing it -----------------------------------------------------------------------------------------------------------------


def chosen(house: House, state: TableState) -> Problem | None:
    """The problem that the panel is about; a new shuffler only while that unit is there."""
    panel = state.desk.panel
    if panel.kind is not PanelKind.PROBLEM:
        return None
    key, _, unit = panel.what.partition(" ")
    found = next((one for one in problems(house, state) if one.key == key), None)
    return found if found is None or found.unit == unit else None


def tell(table: Table, press: Press) -> Events:
    """What can be told in this phase; with a key's name, what happened: what nobody has to sign follows at once."""
    house, state = table
    can_be_told = problems(house, state)
    found = next((one for one in can_be_told if one.key == press.rest), None)
    if found is None and not press.rest and can_be_told:
        yield e.PanelTurned(Panel(PanelKind.PROBLEM))
    elif found is None:
        instead = "That cannot be told here." if press.rest else "Nothing can be told here: call the floor."
        yield press.refused(why_not(state) or instead)
    elif found.key in ("sensors", "left"):
        yield e.PanelTurned(Panel(PanelKind(found.key)))
    elif found.floor:  # what is signed is what was shown
        yield e.PanelTurned(Panel(PanelKind.PROBLEM, 0, f"{found.key} {found.unit}".rstrip()))
    else:
        yield from _do(table, found, press)


def apply(table: Table, press: Press) -> Events:
    """A floorperson signs what was chosen."""
    found = chosen(*table)
    if found is None:
        yield press.refused("Choose what happened first.")
    else:
        yield from floor_only(table.house, press, found.cite, _do(table, found, press))


def _do(table: Table, found: Problem, press: Press) -> Events:
    by = press.by if found.floor else ""
    deed = _DEEDS.get("remove" if found.deck else found.key)
    if found.voids:
        yield from void(table.house, table.state, found, by)
    elif deed is None:
        yield e.IrregularityNoted(found.key, found.cite, by=by)
        yield e.PanelTurned(NO_PANEL)
    else:
        yield from deed(table, found, press)


def _remove(table: Table, found: Problem, press: Press) -> Events:
    """The deck leaves; while the cards are shuffled or bets are open another one has to come at once."""
    state = table.state
    if why_not := opening.staked(state):
        yield press.refused(why_not)
        return
    yield e.DeckRemoved(found.deck, found.cite, by=press.by)
    if state.phase is Phase.CLOSED:
        yield e.PanelTurned(NO_PANEL)
    else:
        yield e.DecksWanted(state.decks.due or say("deck.missing"), all=bool(state.decks.due))


def _wrong_count(table: Table, found: Problem, press: Press) -> Events:
    """Lunar Poker: the deck goes after the round, which stands (671a.11(h)(2))."""
    if table.state.deck is not None:
        yield e.DeckRemoved(table.state.deck.number, table.house.procedure.cite("stub_count"), by=press.by)
    yield e.StubCounted()
    yield e.PanelTurned(NO_PANEL)


def _cover(table: Table, found: Problem, press: Press) -> Events:
    """The cards are shuffled by hand now; where wagers lie before the first one, unless the dealer has cut them."""
    state = table.state
    yield e.DeviceCovered(state.neighbours.shuffler.fault or "out of order", by=press.by)
    yield e.PanelTurned(NO_PANEL)
    if state.phase is Phase.OPEN and not opening.staked(state):
        yield e.ShuffleWanted(ordered=True, by=press.by)
    elif state.phase is Phase.OPEN and state.decks.cards != "cut":
        yield e.RecutOrdered(shuffle=True, by=press.by)


def _uncover(table: Table, found: Problem, press: Press) -> Events:
    yield e.DeviceUncovered(by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _new_unit(table: Table, found: Problem, press: Press) -> Events:
    yield e.UnitAccepted(found.unit, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _recut(table: Table, found: Problem, press: Press) -> Events:
    yield e.RecutOrdered(shuffle=False, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _shuffle(table: Table, found: Problem, press: Press) -> Events:
    yield from opening.shuffle_wanted(table.state, press.by)
    yield e.PanelTurned(NO_PANEL)


def _ask_again(table: Table, found: Problem, press: Press) -> Events:
    """Decisions that the dealer told wrongly, though cards were seen since: only a floorperson opens them again."""
    yield e.IrregularityNoted("ask-again", found.cite, by=press.by)
    yield e.StreetReopened(_asked_last(table.state), by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _asked_last(state: TableState) -> int:
    """The street whose answers are told wrongly: the last one that was closed."""
    return state.round.street if state.phase is Phase.REVEAL else state.round.street - 1


def _boxes(table: Table, found: Problem, press: Press) -> Events:
    """What lies on the felt is not what the table holds: until the cards are dealt the dealer enters it rightly."""
    yield e.IrregularityNoted("boxes", "", by=press.by)
    yield e.PanelTurned(Panel(PanelKind.STAKES))


def _envy_again(table: Table, found: Problem, press: Press) -> Events:
    """They went to a wrong seat: go through every receiver again."""
    assert table.state.round.envied is not None, "told only after envy bonuses were paid"
    holder, paid, receivers = table.state.round.envied
    yield e.SettlementCorrected(holder, "envy", paid, CORRECTIONS["wrong-seat"], by=press.by)
    yield e.EnvyOwed(holder, receivers)


_DEEDS: dict[str, Callable[[Table, Problem, Press], Events]] = {
    "idle": lambda table, found, press: opening.idle(table, press),
    "close": lambda table, found, press: opening.close(table, press),
    "change-decks": lambda table, found, press: opening.change_decks(table, press),
    "remove": _remove,
    "not-52": _wrong_count,
    "cover": _cover,
    "uncover": _uncover,
    "new-unit": _new_unit,
    "recut": _recut,
    "ask-again": _ask_again,
    "boxes": _boxes,
    "envy": _envy_again,
    "shuffle": _shuffle,
}
"""What follows from a problem that voids nothing; what is not here is only noted."""


def why_not(state: TableState) -> str:
    """Why what voids a round cannot be told now; "" where it can, or no round is being played."""
    return may_void(state) if state.phase in UNFINISHED else ""


def may_void(state: TableState) -> str:
    """Why this round cannot be void any more; "" where it can. A rejected claim has moved no money.

    What Lunar Poker's first pass paid is no reason: 671a.13 returns all wagers, and that payout comes back.
    """
    if state.round.credited:
        number = state.round.credited[-1].seat
        return f"Seat {number}'s account was credited: a floorperson takes that back first."
    for number, seat in state.numbered():
        for prize in seat.prizes:
            if prize.status in (PrizeStatus.CLAIMED, PrizeStatus.PENDING, PrizeStatus.PAID):
                return f"Seat {number}'s prize is {prize.status}: the round cannot be void. Call the floor."
        if seat.position.final:
            return f"Seat {number} is settled: the round cannot be void. Call the floor."
    return "This round is void already." if state.round.void_cite else ""


def void(house: House, state: TableState, found: Problem, by: str) -> Events:
    """The round is void: every wager goes back, and its contribution with it; some wagers are settled nevertheless."""
    still = house.submission.book.still_settled.get(found.voids, frozenset()) if found.after_deal else frozenset()
    offered = tuple(
        sorted(wager for wager in still if any(wager in dict(seat.position.stakes) for seat in state.round.seats))
    )
    returned = pricing.void_meters(house, state, found.voids, found.cite)
    yield e.RoundVoided(state.round.number, found.cite, returned, found.voids, offered, by=by)
    for number, seat in state.numbered():
        if seat.position.plays:
            lines = pricing.void_lines(house, state, number, found.voids, found.cite, offered)
            waits = any(wager in offered for wager, _ in seat.position.stakes)
            if waits and seat.left:  # (b): who left has lost what is still settled
                lines += pricing.early_lines(house, state, number, lambda wager: wager in offered)
                waits = False
            yield e.LinesSettled(number, lines, complete=not waits)
        for hand in seat.five_card:
            yield e.FiveCardReturned(number, hand, five_card_wager(house), found.cite, 0)
    if found.key == "not-52" and state.deck is not None:
        yield e.DeckRemoved(state.deck.number, found.cite, by=by)
    if state.round.sent_wagers:
        yield owe(state, Reversal(state.round.number, found.cite))


def five_card_wager(house: House) -> int:
    """Cents of a Five Card Hand wager."""
    offer = house.submission.five_card_hand
    assert offer is not None, "this table has no Five Card Hand wager"
    return offer.wager
