"""What goes wrong at a table, by kind and phase, as each book prescribes: sections .13, .8(h), .5(b), (e), .7(b).

`problems` is the list under the PROBLEM key: what each book knows in this phase, in a dealer's words, with its paragraph
and who has to sign. `apply` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware.table import events as e
from firmware.table import opening, pricing
from firmware.table.dealing import last_cards
from firmware.table.deciding import LUNAR
from firmware.table.interlock import machine_used, method
from firmware.table.outbox import owe
from firmware.table.people import floor_only
from firmware.table.procedures import AUTOMATED
from firmware.table.settling import CORRECTIONS, correctable
from firmware.table.state import House, Phase, TableState

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
    """One kind of trouble. `floor`: a floorperson signs. `voids`: the books' name of what voids the round, or ""."""

    key: str
    words: str
    cite: str
    floor: bool = False
    voids: str = ""
    after_deal: bool = False


def problems(house: House, state: TableState) -> tuple[Problem, ...]:
    """Everything that can be told in this phase."""
    return tuple(_problems(house, state))


def _problems(house: House, state: TableState) -> Iterator[Problem]:
    phase = state.phase
    if phase in BETWEEN:
        yield from _between_rounds(house, state)
    if phase in (Phase.SPREAD, Phase.WASH, Phase.CUT, Phase.IDLE):
        yield Problem("close", "Close the table", "")
    if phase in BEFORE_CARDS and not state.recut:
        if state.cards == "cut":
            yield Problem("recut", "The floor orders another cut", house.procedure.cite("recut"), floor=True)
        yield Problem("shuffle", "The floor orders a shuffle", house.procedure.cite("shuffle"), floor=True)
    if phase is Phase.DEAL and opening.undelivered(house, state):
        yield from _new_units(state)
    if phase in ROUND and may_void(state) == "":
        yield from _voids(house, state)
    if phase in ROUND:
        yield from _notes(house, state)
    if phase is Phase.DEAL and state.level:
        yield Problem("boxes", "Who plays, or a wager, was entered wrongly", "", floor=True)
    if phase is Phase.SETTLE and (correctable(state) or state.game.credited):
        yield Problem("correct", "Correct a settled seat", "", floor=True)
    if phase is Phase.SETTLE and state.game.envied:
        yield Problem("envy", "Envy bonuses: pay them again", house.progressive.envy_cite, floor=True)
    if phase in (Phase.DRAW, Phase.REVEAL) and correctable(state):
        yield Problem("correct", "Correct a settled Super", "", floor=True)
    if phase is Phase.REVEAL and state.game.was_shown and state.book != LUNAR:
        cite = house.procedure.streets[state.game.street].cite
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
        Problem(f"remove-{deck.number}", f"Remove the {deck.colour} deck", procedure.cite("machine count"), floor=True)
        for deck in state.decks
    )
    if state.phase is not Phase.OPEN:
        yield Problem("shuffle", "The floor orders a shuffle", procedure.cite("shuffle"), floor=True)
    yield from _devices(house, state)


def _devices(house: House, state: TableState) -> Iterator[Problem]:
    if not house.equipment.machine:
        return
    cite = house.procedure.cite("out of order")
    if state.covered:
        yield Problem("uncover", "The shuffler works again", cite, floor=True)
    else:
        yield Problem("cover", "Shuffler out of order: cover it", cite, floor=True)
    yield from _new_units(state)


def _new_units(state: TableState) -> Iterator[Problem]:
    if state.shuffler.unit and state.shuffler.unit != state.unit:
        yield Problem("new-unit", f"New shuffler {state.shuffler.unit}", "", floor=True)


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
    dealt = state.level > 0 and state.phase not in (Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL)
    if not dealt:
        words = "Two or more face up, before all hands dealt" if splits else "Two or more cards face up"
        yield Problem("face-up", words, cite, True, kind)
    if splits and (dealt or not state.level):
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
        if state.game.left_out:
            yield Problem("no-face-up", "No card was face up: take back", procedure.cite("one face up"))
        else:
            yield Problem("one-face-up", "One card face up: left out", procedure.cite("one face up"))
        yield Problem("drawn-in-error", "Card drawn in error, not seen", procedure.cite("drawn in error"))
    if deals and machine_used(house, state) and "shuffler_fault" not in house.submission.book.voids:
        yield Problem("shuffler-jam", "Shuffler jammed: reshuffle", procedure.cite("shuffler jam"))
    there = state.deck is not None and state.deck.number == state.played  # it was not removed in this round
    there = there and not opening.undelivered(house, state)
    if "stub_count" not in house.submission.book.voids and state.phase in AFTER_CARDS and there:
        yield Problem("not-52", "Count wrong: the deck goes", procedure.cite("stub_count", ""), True)
    if state.phase in (Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.REVEAL, Phase.SETTLE):
        yield Problem("left", "A player left the table", procedure.cite("abandoned"))


# Doing it -----------------------------------------------------------------------------------------------------------------


def chosen(house: House, state: TableState) -> Problem | None:
    """The problem that the panel "problem KEY" is about; of "problem new-unit S-2" only while that unit is there."""
    key, _, unit = state.panel.removeprefix("problem ").partition(" ")
    if unit and unit != state.shuffler.unit:
        return None
    return next((one for one in problems(house, state) if one.key == key), None)


def choose(house: House, state: TableState, key: str, word: str) -> Events:
    """What happened: what needs nobody's signature follows at once, the rest waits for a floorperson."""
    found = next((one for one in problems(house, state) if one.key == key), None)
    if found is None:
        yield e.PressRefused(word, why_not(state) or "That cannot be told here.")
    elif found.key in ("sensors", "left"):
        yield e.PanelTurned(found.key)
    elif found.floor:
        unit = f" {state.shuffler.unit}" if key == "new-unit" else ""  # what is signed is what was shown
        yield e.PanelTurned(f"problem {key}{unit}")
    else:
        yield from _do(house, state, found, "", word)


def apply(house: House, state: TableState, by: str, word: str) -> Events:
    """A floorperson signs what was chosen."""
    found = chosen(house, state)
    if found is None:
        yield e.PressRefused(word, "Choose what happened first.")
    else:
        yield from floor_only(house, by, word, found.cite, _do(house, state, found, by, word))


def _do(house: House, state: TableState, found: Problem, by: str, word: str) -> Events:
    if found.voids:
        yield from void(house, state, found, by)
        return
    deed = _DEEDS.get(found.key.partition("-")[0] if found.key.startswith("remove-") else found.key)
    if deed is None:
        yield e.IrregularityNoted(found.key, found.cite, by)
        yield e.PanelTurned("")
    else:
        yield from deed(house, state, by, word)


def _remove(house: House, state: TableState, by: str, word: str) -> Events:
    """The deck leaves; while the cards are shuffled or bets are open another one has to come at once."""
    if why_not := opening.staked(state):
        yield e.PressRefused(word, why_not)
        return
    number = int(state.panel.rpartition("-")[2])
    yield e.DeckRemoved(number, house.procedure.cite("machine count"), by)
    if state.phase is Phase.CLOSED:
        yield e.PanelTurned("")
    else:
        yield e.DecksWanted(state.deck_due or "a deck is missing", all=bool(state.deck_due))


def _wrong_count(house: House, state: TableState, by: str, word: str) -> Events:
    """Lunar Poker: the deck goes after the round, which stands (671a.11(h)(2))."""
    if state.deck is not None:
        yield e.DeckRemoved(state.deck.number, house.procedure.cite("stub_count"), by)
    yield e.StubCounted()
    yield e.PanelTurned("")


def _cover(house: House, state: TableState, by: str, word: str) -> Events:
    """The cards are shuffled by hand now; where wagers lie before the first one, unless the dealer has cut them."""
    yield e.DeviceCovered(state.shuffler.fault or "out of order", by)
    yield e.PanelTurned("")
    if state.phase is Phase.OPEN and not opening.staked(state):
        yield e.ShuffleWanted(by)
    elif state.phase is Phase.OPEN and state.cards != "cut":
        yield e.ReshuffleOrdered(by)


def _uncover(house: House, state: TableState, by: str, word: str) -> Events:
    yield e.DeviceUncovered(by)
    yield e.PanelTurned("")


def _new_unit(house: House, state: TableState, by: str, word: str) -> Events:
    yield e.UnitAccepted(state.shuffler.unit, by)
    yield e.PanelTurned("")


def _recut(house: House, state: TableState, by: str, word: str) -> Events:
    yield e.RecutOrdered(by)
    yield e.PanelTurned("")


def _shuffle(house: House, state: TableState, by: str, word: str) -> Events:
    yield from opening.shuffle_wanted(state, by)
    yield e.PanelTurned("")


def _ask_again(house: House, state: TableState, by: str, word: str) -> Events:
    """Decisions that the dealer told wrongly, though his hand was seen: only a floorperson opens them again."""
    yield e.IrregularityNoted("ask-again", house.procedure.streets[state.game.street].cite, by)
    yield e.StreetReopened(state.game.street)


def _boxes(house: House, state: TableState, by: str, word: str) -> Events:
    """What lies on the felt is not what the table holds: until the cards are dealt the dealer enters it rightly."""
    yield e.IrregularityNoted("boxes", "", by)
    yield e.PanelTurned("stakes")


def _envy_again(house: House, state: TableState, by: str, word: str) -> Events:
    """They went to a wrong seat: every receiver is looked through anew."""
    assert state.game.envied is not None, "told only after envy bonuses were paid"
    holder, paid, receivers = state.game.envied
    yield e.SettlementCorrected(holder, "envy", (), paid, by, CORRECTIONS["wrong-seat"])
    yield e.EnvyOwed(holder, receivers)


_DEEDS: dict[str, Callable[[House, TableState, str, str], Events]] = {
    "idle": lambda house, state, by, word: opening.idle(house, state, word),
    "close": lambda house, state, by, word: opening.close(state, word),
    "change-decks": lambda house, state, by, word: opening.change_decks(state, word),
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
    if state.game.credited:
        number = state.game.credited[-1][0]
        return f"Seat {number}'s account was credited: a floorperson takes that back first."
    for number, seat in state.numbered():
        for prize in seat.prizes:
            if prize.status in ("claimed", "pending", "paid"):
                return f"Seat {number}'s prize is {prize.status}: the round cannot be void. Call the floor."
        if seat.box.final:
            return f"Seat {number} is settled: the round cannot be void. Call the floor."
    return "This round is void already." if state.void_cite else ""


def void(house: House, state: TableState, found: Problem, by: str) -> Events:
    """The round is void: every wager goes back, and its contribution with it; some wagers are settled nevertheless."""
    still = house.submission.book.still_settled.get(found.voids, frozenset()) if found.after_deal else frozenset()
    offered = tuple(sorted(wager for wager in still if any(wager in dict(seat.box.stakes) for seat in state.seats)))
    yield e.RoundVoided(state.round, found.cite, by, state.wagers, found.voids, offered)
    for number, seat in state.numbered():
        if seat.box.plays:
            lines = pricing.void_lines(house, state, number, found.cite, offered)
            waits = any(wager in offered for wager, _ in seat.box.stakes)
            if waits and seat.box.choice == "abandoned":  # (b): who left has lost what is still settled
                lines += pricing.early_lines(house, state, number, lambda wager: wager in offered)
                waits = False
            yield e.LinesSettled(number, lines, complete=not waits)
        for hand in seat.five_card:
            yield e.FiveCardReturned(number, hand, five_card_wager(house), found.cite, 0)
    if found.key == "not-52" and state.deck is not None:
        yield e.DeckRemoved(state.deck.number, found.cite, by)
    if state.sent_wagers:
        yield owe(state, "reversal", {"round": state.round, "reason": found.cite})


def five_card_wager(house: House) -> int:
    """Cents of a Five Card Hand wager."""
    offer = house.submission.five_card_hand
    assert offer is not None, "this table has no Five Card Hand wager"
    return offer.wager
