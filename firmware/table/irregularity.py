"""Irregularities at a table, by kind and phase, as each book prescribes: sections .13, .8(h), .5(b), (e), .7(b).

`problems` is the list under the PROBLEM key: the cases of each book in this phase, in a dealer's words, with the paragraph
and the signer. `apply` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import reduce

from msgspec import Struct

from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.rules.payment import Result, Source
from firmware.rules.seat import Choice
from firmware.table import days, debts, deciding, jackpot, live, opening, pricing, reports, settling
from firmware.table import events as e
from firmware.table.dealing import last_cards
from firmware.table.evolve import ahead
from firmware.table.house import House, Table
from firmware.table.interlock import machine_used, method, stub_due
from firmware.table.outbox import taken_back
from firmware.table.people import signed
from firmware.table.press import Press
from firmware.table.procedures import AUTOMATED
from firmware.table.projections import envy_paid, may_pay_unheard, shares_paid, why_unpaid
from firmware.table.settling import correctable
from firmware.table.state import (
    BEFORE_CARDS,
    BETWEEN,
    DAY_CLOSES,
    IN_ROUND,
    NO_PANEL,
    PAYS,
    UNFINISHED,
    Correction,
    Panel,
    PanelKind,
    Phase,
    Prepared,
    PrizeStatus,
    RoundWork,
    StakeBack,
    TableState,
)
from firmware.wire.from_table import Reversal
from firmware.wire.structs import replace

Events = Iterator[e.Event]
Deed = Callable[[Table, "Problem", Press], Events]
"""The effect of a problem."""

DEALING = frozenset({Phase.DEAL, Phase.ASK, Phase.DRAW})
"""Cards leave the deck; in REVEAL where the players wagered before the last community cards."""
BEFORE_DECISIONS = frozenset({Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.COUNT, Phase.DIFFERENCE})
"""Not every player has folded or wagered; at level 0 the table cannot know."""
SHOE_FAULT, SHUFFLER_FAULT = "dealing_shoe_fault", "shuffler_fault"
"""The names in the books for a device that fails."""
FOULED_DECK = "fouled_deck"
"""The name in the books for a card that lies twice, is of another deck, or is damaged: it is not the deck of the text."""
STOPPED = frozenset({"jam", "cycle", "motor", "card"})
"""Faults of a device that jams, stops, or does not complete a cycle; an open door or a wrong deck is none."""
AFTER_CARDS = frozenset({Phase.DEAL, Phase.REVEAL, Phase.SETTLE})
PREPARED = frozenset({Phase.SPREAD, Phase.WASH, Phase.CUT, Phase.IDLE})
"""The cards of a table that is being opened, or where nobody plays, are seen and handled."""
ABANDONED = frozenset({Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.REVEAL, Phase.SETTLE})
"""From the deal to the seat's turn a player may leave; at the envy bonuses too."""


class ProblemKind(StrEnum):
    """The cases, by the names of their keys."""

    SENSORS = "sensors"
    IDLE = "idle"
    CLOSE = "close"
    CHANGE_DECKS = "change-decks"
    CLOSE_DAY = "close-day"
    LIVE = "live"
    LIVE_SECOND = "live-second"
    REMOVE = "remove"
    SHUFFLE = "shuffle"
    RECUT = "recut"
    COVER = "cover"
    UNCOVER = "uncover"
    NEW_UNIT = "new-unit"
    SHUFFLED = "shuffled"
    PROGRESSIVE_OFF = "progressive-off"
    PROGRESSIVE_ON = "progressive-on"
    POSITIONS = "boxes"
    CORRECT = "correct"
    CORRECT_DECLARED = "correct-declared"
    CORRECT_DEALER = "correct-dealer"
    ENVY = "envy"
    NOT_A_WINNER = "not-a-winner"
    ELSEWHERE = "elsewhere"
    ASK_AGAIN = "ask-again"
    NOT_INSTANT = "not-instant"
    MISDEALT = "misdealt"
    NOT_52 = "not-52"
    FOULED = "fouled"
    FACE_UP = "face-up"
    FACE_UP_LATER = "face-up-later"
    SHOE_FAULT = "shoe-fault"
    SHUFFLER_FAULT = "shuffler-fault"
    DEALER_EXPOSED = "dealer-exposed"
    WRONG_NUMBER = "wrong-number"
    ONE_FACE_UP = "one-face-up"
    NO_FACE_UP = "no-face-up"
    DRAWN_IN_ERROR = "drawn-in-error"
    SHUFFLER_JAM = "shuffler-jam"
    LEFT = "left"
    OWED = "owed"
    OWED_PAID = "owed-paid"
    OWED_GONE = "owed-gone"
    UNHEARD = "unheard"
    UNHEARD_SECOND = "unheard-second"
    UNLOCK = "unlock"


class Group(StrEnum):
    """The place where a dealer looks for it: the table's own work, or the kind of trouble."""

    TABLE = "table"
    CARDS = "cards"
    CHIPS = "chips"
    MACHINE = "machine"
    PEOPLE = "people"


class Problem(Struct, frozen=True):
    """One kind of trouble: its words, its paragraph ("" for none), who signs, what it will do, and its deed.

    `act`: what is signed for; None where nobody signs. `effect`: nothing where the words say it. `voids`: the books' name
    of what voids the round, or "". `deck` (its number), `unit`, `seat`, `badge`: which deck, shuffler, seat or person it is
    about.
    """

    kind: ProblemKind
    words: Message
    cite: str
    act: Act | None
    effect: Message
    deed: Deed
    voids: str = ""
    after_deal: bool = False
    deck: int = 0
    unit: str = ""
    seat: int = 0
    badge: str = ""

    @property
    def group(self) -> Group:
        """Its place: under TABLE, or in a group under PROBLEM."""
        return _ROWS[self.kind].group

    @property
    def key(self) -> str:
        """The words of its key; two decks have two keys, and so have two seats."""
        number = self.deck or self.seat or self.badge
        return f"{self.kind}-{number}" if number else self.kind


def _problem(kind: ProblemKind, cite: str = "", words: Message = NOTHING, *, deck: int = 0, unit: str = "") -> Problem:
    """By its row; `words` where the row has none, because they name a deck, a unit or a wager."""
    row = _ROWS[kind]
    return Problem(kind, words or row.words, cite, row.act, row.effect, row.deed, deck=deck, unit=unit)


def _void_by(kind: ProblemKind, cite: str, voids: str, words: Message = NOTHING, *, later: bool = False) -> Problem:
    """A case that voids the round: a floorperson signs, even if the row does something else in another book. `later`:
    after the first deal.
    """
    row = _ROWS[kind]
    return Problem(kind, words or row.words, cite, Act.VOID, row.effect, _void, voids, later)


def problems(house: House, state: TableState) -> tuple[Problem, ...]:
    """Everything that can be told in this phase."""
    return tuple(_problems(house, state))


def _problems(house: House, state: TableState) -> Iterator[Problem]:
    phase = state.phase
    yield from _own_work(house, state)
    if phase in BETWEEN:
        yield from _between_rounds(house, state)
    if phase in BETWEEN | PREPARED:
        yield from _removable(house, state)
    if phase in BEFORE_CARDS and not state.decks.recut:
        if state.decks.cards == Prepared.CUT:
            yield _problem(ProblemKind.RECUT, house.procedure.cite("recut"))
        yield _problem(ProblemKind.SHUFFLE, house.procedure.cite("shuffle"))
    if phase is Phase.DEAL and opening.undelivered(house, state):
        yield from _new_units(state)
        well = state.decks.miscount is None and not state.neighbors.shuffler.fault
        if machine_used(house, state) and well:  # after a jam it has to shuffle again (653a.13(e))
            yield _problem(ProblemKind.SHUFFLED, house.procedure.cite("shuffle"))
    if phase in IN_ROUND | {Phase.VOID} and not may_void(state):
        yield from _voids(house, state)
    elif phase in UNFINISHED:
        yield from _deck_alone(house, state)
    if phase is Phase.OPEN and machine_used(house, state) and SHUFFLER_FAULT in house.submission.book.voids:
        yield _void_by(ProblemKind.SHUFFLER_FAULT, house.procedure.cite(SHUFFLER_FAULT), SHUFFLER_FAULT)
    if phase in IN_ROUND | {Phase.VOID}:
        yield from _notes(house, state)
    if phase is Phase.DEAL and state.program.level:
        yield _problem(ProblemKind.POSITIONS)
    if phase is Phase.SETTLE and (correctable(state) or state.round.credited):
        yield _problem(ProblemKind.CORRECT)
    if phase is Phase.SETTLE and state.round.qualifies is not None and not state.round.void_cite:
        yield from _dealers_hand(house, state)
    if phase is Phase.SETTLE and state.round.envied:
        yield _problem(ProblemKind.ENVY, house.submission.offers[house.submission.envied].envy_cite)
    if phase is Phase.ENVY:
        yield _problem(ProblemKind.LEFT, house.procedure.cite("abandoned"))
    if phase in PAYS and may_pay_unheard(state):
        yield _problem(ProblemKind.UNHEARD_SECOND if state.neighbors.unheard_by else ProblemKind.UNHEARD)
    if phase is Phase.PAY:
        yield _problem(ProblemKind.NOT_A_WINNER, house.procedure.cite("validate"))
        if state.seat(state.round.turn).prizes[-1].payment.source is Source.RACK:
            yield _problem(ProblemKind.ELSEWHERE, house.procedure.cite("elsewhere"))
    if phase in (Phase.DRAW, Phase.REVEAL) and correctable(state):
        declared = house.game.called(house.game.declared)
        yield _problem(ProblemKind.CORRECT, "", say("problem.correct-declared", wager=declared))
    again = phase is Phase.ASK and state.round.street > 0
    elected = phase is Phase.SUPERS and not state.round.supers_settled
    if ((again or phase is Phase.REVEAL) and house.game.has_pass("streets")) or elected:
        yield _problem(ProblemKind.ASK_AGAIN, house.procedure.streets[_asked_last(state)].cite)
    if phase is Phase.SUPERS:
        yield from _instants(house, state)
    for wrong in state.history.failures:
        if wrong.locked:
            words = say("problem.unlock", badge=wrong.badge, count=wrong.count)
            yield replace(_problem(ProblemKind.UNLOCK, "", words), badge=wrong.badge)


def _instants(house: House, state: TableState) -> Iterator[Problem]:
    """A player who elected the instant payout may have been wrong, before it is paid and after the pass was opened again."""
    for number, seat in state.numbered():
        if seat.position.decision.choice is Choice.INSTANT and not seat.left:
            words = say("problem.not-instant", seat=number)
            found = _problem(ProblemKind.NOT_INSTANT, house.game.elections["instant"].cite, words)
            effect = say("problem.not-instant-folds") if deciding.dealer_seen(state) else found.effect
            yield replace(found, seat=number, effect=effect)


def _dealers_hand(house: House, state: TableState) -> Iterator[Problem]:
    """Once the dealer's hand is shown: it was told wrongly, or what was declared before it."""
    if house.game.has_pass("reveal"):
        yield _problem(ProblemKind.CORRECT_DEALER, house.procedure.cite("reveal"))
    if state.round.supers_settled and house.game.declared:
        words = say("problem.correct-declared", wager=house.game.called(house.game.declared))
        yield _problem(ProblemKind.CORRECT_DECLARED, house.procedure.cite("locked in"), words)


def _own_work(house: House, state: TableState) -> Iterator[Problem]:
    """The rows under TABLE; in a round only the closing of a day, while a claim waits."""
    procedure, between = house.procedure, state.phase in BETWEEN
    if state.phase in (Phase.OPEN, Phase.CLOSED) and house.offers_progressive:
        yield _problem(ProblemKind.SENSORS)
    if between and opening.idles(house, state):
        yield _problem(ProblemKind.IDLE, procedure.cite("idle"))
    if between or state.phase in (Phase.SPREAD, Phase.WASH, Phase.CUT, Phase.IDLE):
        yield _problem(ProblemKind.CLOSE)
    if between:
        yield _problem(ProblemKind.CHANGE_DECKS, procedure.cite("change", method(house, state)))
    if state.program.live and state.phase in DAY_CLOSES:
        yield _problem(ProblemKind.CLOSE_DAY)
    elif live.may_be_said(state):
        yield _problem(ProblemKind.LIVE_SECOND if state.program.live_by else ProblemKind.LIVE)


def _between_rounds(house: House, state: TableState) -> Iterator[Problem]:
    if state.phase is not Phase.OPEN:
        yield _problem(ProblemKind.SHUFFLE, house.procedure.cite("shuffle"))
    if house.offers_progressive:
        yield _problem(ProblemKind.PROGRESSIVE_ON if state.felt.out_of_order else ProblemKind.PROGRESSIVE_OFF)
    yield from _devices(house, state)
    yield from _owed(state)


def _removable(house: House, state: TableState) -> Iterator[Problem]:
    for deck in state.decks.here:
        words = say("problem.remove", color=deck.color)
        yield _problem(ProblemKind.REMOVE, house.procedure.cite("machine count"), words, deck=deck.number)


def _owed(state: TableState) -> Iterator[Problem]:
    """The second payment of a claim: one signature, then its two ends for another person."""
    if (debt := debts.open_debt(state)) is None or why_unpaid(state):
        return
    whose = {"round": debt.round, "seat": debt.seat, "amount": debt.owed}
    if not debt.by:
        yield _problem(ProblemKind.OWED, "", say("problem.owed", **whose), unit=debt.claim)
        return
    yield _problem(ProblemKind.OWED_PAID, "", say("problem.owed-paid", **whose), unit=debt.claim)
    if not debt.gone:
        yield _problem(ProblemKind.OWED_GONE, "", say("problem.owed-gone", **whose), unit=debt.claim)


def _devices(house: House, state: TableState) -> Iterator[Problem]:
    if not house.equipment.machine:
        return
    cite = house.procedure.cite("out of order")
    yield _problem(ProblemKind.UNCOVER if state.decks.covered else ProblemKind.COVER, cite)
    yield from _new_units(state)


def _new_units(state: TableState) -> Iterator[Problem]:
    unit = state.neighbors.shuffler.unit
    if unit and unit != state.decks.unit:
        yield _problem(ProblemKind.NEW_UNIT, "", say("problem.new-unit", unit=unit), unit=unit)


def _voids(house: House, state: TableState) -> Iterator[Problem]:
    """The cases that void this round; if the initial deal changes the settled wagers, it is asked before and after."""
    procedure, book = house.procedure, house.submission.book
    for kind in book.voids:
        if kind == "stub_count":
            yield from _stub(house, state)
        elif kind == "cards_face_up":
            cite = procedure.cite(kind)
            yield from _face_up(house, state, kind, cite)
        elif kind == SHOE_FAULT:
            if method(house, state) == AUTOMATED:
                yield _void_by(ProblemKind.SHOE_FAULT, procedure.cite(kind), kind)
        elif kind == SHUFFLER_FAULT:
            if machine_used(house, state):
                yield _void_by(ProblemKind.SHUFFLER_FAULT, procedure.cite(kind), kind)
        elif kind == FOULED_DECK:
            yield _void_by(ProblemKind.FOULED, _fouled_cite(house, state), kind)
        elif kind == "dealer_card_exposed":
            if state.phase in BEFORE_DECISIONS and not _all_decided(state):
                yield _void_by(ProblemKind.DEALER_EXPOSED, procedure.cite(kind), kind, later=True)
        else:
            yield _void_by(ProblemKind.WRONG_NUMBER, procedure.cite(kind), kind)


def _deck_alone(house: House, state: TableState) -> Iterator[Problem]:
    """The round is void already, or money moved that the floor corrects before it is: what else is wrong with its deck has
    it removed, and leaves what lies there.
    """
    if state.round.void_cite and state.phase in (Phase.VOID, Phase.SETTLE) and stub_due(house, state):
        yield _problem(ProblemKind.NOT_52, house.procedure.cite("stub_count", method(house, state)))
    if state.decks.played_is_here:
        effect = say("two-sentences", first=_DECK_LEAVES, second=may_void(state))
        yield replace(_problem(ProblemKind.FOULED, _fouled_cite(house, state)), effect=effect)


def _fouled_cite(house: House, state: TableState) -> str:
    """The paragraph for this way of dealing, if the book has a count that voids: the cards are not 52 of one deck."""
    voids = house.submission.book.voids
    return house.procedure.cite("stub_count", method(house, state)) if "stub_count" in voids else voids[FOULED_DECK]


def _all_decided(state: TableState) -> bool:
    """Everybody has folded or wagered: decisions are locked in, and nobody waits for cards to decide again."""
    return state.phase is Phase.SUPERS and not any(seat.position.waits_for_cards for seat in state.round.seats)


def _face_up(house: House, state: TableState, kind: str, cite: str) -> Iterator[Problem]:
    """At level 0, and while dealing, the dealer says whether everybody had the first cards."""
    splits = kind in house.submission.book.still_settled
    dealt = state.program.level > 0 and state.phase not in (Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL)
    dealt = dealt or bool(state.round.void_cite)  # something is settled of it, so all had their first cards
    if not dealt:
        words = say("problem.face-up-before") if splits else NOTHING
        yield _void_by(ProblemKind.FACE_UP, cite, kind, words)
    if splits and (dealt or not state.program.level):
        yield _void_by(ProblemKind.FACE_UP_LATER, cite, kind, later=True)
    if not splits and dealt:
        yield _void_by(ProblemKind.FACE_UP, cite, kind)


def _stub(house: House, state: TableState) -> Iterator[Problem]:
    cite = house.procedure.cite("stub_count", method(house, state))
    yield _void_by(ProblemKind.MISDEALT, cite, "stub_count")
    yield _void_by(ProblemKind.NOT_52, cite, "stub_count")


def _deals(house: House, state: TableState) -> bool:
    """Cards leave the deck in this phase."""
    late = state.phase is Phase.REVEAL and any(step.cards for step in last_cards(house, state))
    board = state.phase is Phase.VOID and house.game.needs_board(state.round.settled_anyway)
    return late or board or state.phase in DEALING


def _notes(house: House, state: TableState) -> Iterator[Problem]:
    procedure = house.procedure
    deals = _deals(house, state)
    if deals:
        found = ProblemKind.NO_FACE_UP if state.round.left_out else ProblemKind.ONE_FACE_UP
        yield _problem(found, procedure.cite("one face up"))
        yield _problem(ProblemKind.DRAWN_IN_ERROR, procedure.cite("drawn in error"))
    if deals and machine_used(house, state) and SHUFFLER_FAULT not in house.submission.book.voids:
        yield _problem(ProblemKind.SHUFFLER_JAM, procedure.cite("shuffler jam"))
    there = state.decks.played_is_here and not state.round.void_cite and not opening.undelivered(house, state)
    if "stub_count" not in house.submission.book.voids and state.phase in AFTER_CARDS and there:
        yield _problem(ProblemKind.NOT_52, procedure.cite("stub_count", ""))
    if state.phase in ABANDONED:
        yield _problem(ProblemKind.LEFT, procedure.cite("abandoned"))


# Doing it -----------------------------------------------------------------------------------------------------------------


def chosen(house: House, state: TableState) -> Problem | None:
    """The problem that the panel is about; a new shuffler only while that unit is there."""
    panel = state.desk.panel
    if panel.kind is not PanelKind.PROBLEM:
        return None
    key, _, unit = panel.what.partition(" ")
    found = next((one for one in problems(house, state) if one.key == key), None)
    return found if found is None or found.unit == unit else None


_NEVER_WRONG = frozenset({ProblemKind.CLOSE_DAY, ProblemKind.LIVE, ProblemKind.LIVE_SECOND})
"""Cases that alone make no list under PROBLEM."""
TABLE_MENU = "table"
"""After the verb of a problem: the list of the table's own work, where nothing went wrong."""


def routine(house: House, state: TableState) -> tuple[Problem, ...]:
    """The table's own work in this phase."""
    return tuple(_own_work(house, state))


def can_go_wrong(house: House, state: TableState) -> bool:
    """PROBLEM has something to list."""
    return any(one.kind not in _NEVER_WRONG for one in _problems(house, state))


def tell(table: Table, press: Press) -> Events:
    """The cases of this phase; with a key's name, the one that happened: without a signature it follows at once."""
    house, state = table
    if press.rest == TABLE_MENU:
        yield e.PanelTurned(Panel(PanelKind.TABLE))
        return
    if not press.rest and can_go_wrong(house, state):
        yield e.PanelTurned(Panel(PanelKind.PROBLEM))
        return
    found = next((one for one in _problems(house, state) if one.key == press.rest), None)
    if found is None:
        instead = say("problem.not-here") if press.rest else say("problem.none-here")
        yield press.refused(why_not(state) or instead)
    elif found.act:  # what is signed is what was shown
        yield e.PanelTurned(Panel(PanelKind.PROBLEM, 0, f"{found.key} {found.unit}".rstrip()))
    else:
        yield from found.deed(table, found, press)


def apply(table: Table, press: Press) -> Events:
    """A floorperson signs what was chosen."""
    found = chosen(*table)
    if found is None:
        yield press.refused(say("problem.choose-first"))
    else:
        yield from signed(table.house, press, act_of(table.state, found), found.cite, found.deed(table, found, press))


def act_of(state: TableState, found: Problem) -> Act:
    """The act that is signed; another one if a payment stands against a void round."""
    assert found.act is not None, "nobody signs for it"
    return Act.VOID_PAID if found.voids and needs_two(state) else found.act


def _note(table: Table, found: Problem, press: Press) -> Events:
    """A case that voids and changes nothing is only noted."""
    yield e.IrregularityNoted(found.kind, found.cite, by=press.by if found.act else "")
    yield e.PanelTurned(NO_PANEL)


def _turn_to(kind: PanelKind) -> Deed:
    """A panel of its own says the rest."""

    def turned(table: Table, found: Problem, press: Press) -> Events:
        yield e.PanelTurned(Panel(kind))

    return turned


def _void(table: Table, found: Problem, press: Press) -> Events:
    """One floorperson's word; two people's where what was paid stands against it: the first one's stays on the panel."""
    state, panel = table.state, table.state.desk.panel
    if needs_two(state) and not panel.signed:
        yield e.PanelTurned(replace(panel, signed=press.by), by=press.by)
        return
    if press.by == panel.signed:
        yield press.refused(say("void.second", badge=press.by), Act.VOID_PAID)
        return
    yield from void(table.house, state, found, press)
    if state.phase is Phase.VOID:
        yield e.PanelTurned(NO_PANEL)


def _remove(table: Table, found: Problem, press: Press) -> Events:
    """The deck leaves; while the cards are shuffled or bets are open another one has to come at once."""
    state = table.state
    if why_not := opening.staked(state):
        yield press.refused(why_not)
        return
    yield e.DeckRemoved(found.deck, as_is(found.cite), by=press.by)
    if state.phase is Phase.CLOSED:
        yield e.PanelTurned(NO_PANEL)
    else:
        yield e.DecksWanted(state.decks.due or say("deck.missing"), all=bool(state.decks.due))


def _wrong_count(table: Table, found: Problem, press: Press) -> Events:
    """The deck goes: at Lunar Poker after the round, which stands (671a.11(h)(2)); or with a round that returns all."""
    if table.state.deck is not None:
        yield e.DeckRemoved(table.state.deck.number, as_is(found.cite), by=press.by)
    yield e.RoundDone(RoundWork.STUB_COUNTED)
    yield e.PanelTurned(NO_PANEL)


def _fouled(table: Table, found: Problem, press: Press) -> Events:
    """Payments with this deck stand until the floor corrects them; no hand is dealt from it again."""
    assert table.state.deck is not None, "told only while the deck of this round is here"
    yield e.IrregularityNoted(found.kind, found.cite, by=press.by)
    yield e.DeckRemoved(table.state.deck.number, as_is(found.cite), by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _cover(table: Table, found: Problem, press: Press) -> Events:
    """The cards are shuffled by hand now; where wagers lie before the first one, unless the dealer has cut them."""
    state = table.state
    yield e.DeviceMarked(True, state.neighbors.shuffler.fault, by=press.by)
    yield e.PanelTurned(NO_PANEL)
    if state.phase is Phase.OPEN and not opening.staked(state):
        yield e.ShuffleWanted(by=press.by)
    elif state.phase is Phase.OPEN and state.decks.cards != Prepared.CUT:
        yield e.RecutOrdered(shuffle=True, by=press.by)


def _uncover(table: Table, found: Problem, press: Press) -> Events:
    yield e.DeviceMarked(False, "", by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _progressive_off(table: Table, found: Problem, press: Press) -> Events:
    yield e.ProgressiveMarked(works=False, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _progressive_on(table: Table, found: Problem, press: Press) -> Events:
    """While bets are open the switch has to agree, or it would lock them at once."""
    if table.state.phase is Phase.OPEN and table.state.felt.switch_locked:
        yield press.refused(say("switch.turn-first"))
        return
    yield e.ProgressiveMarked(works=True, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _new_unit(table: Table, found: Problem, press: Press) -> Events:
    accepted = e.UnitAccepted(found.unit, by=press.by)
    yield accepted
    yield from opening.miscounted(table.house, ahead(table.state, accepted))
    yield e.PanelTurned(NO_PANEL)


def _shuffled(table: Table, found: Problem, press: Press) -> Events:
    """The machine had this round's deck ready while the table was off or did not hear it: a floorperson saw it."""
    yield e.DeckDelivered(by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _recut(table: Table, found: Problem, press: Press) -> Events:
    yield e.RecutOrdered(shuffle=False, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _shuffle(table: Table, found: Problem, press: Press) -> Events:
    yield from opening.shuffle_wanted(table.state, press.by)
    yield e.PanelTurned(NO_PANEL)


def _ask_again(table: Table, found: Problem, press: Press) -> Events:
    """Decisions that the dealer told wrongly, though cards were seen since: only a floorperson opens them again."""
    yield e.IrregularityNoted(found.kind, found.cite, by=press.by)
    yield e.StreetReopened(_asked_last(table.state), by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _not_instant(table: Table, found: Problem, press: Press) -> Events:
    """Its money comes back if the pass was opened again; the Super is entered, and paid by its true row, in the pass."""
    yield e.IrregularityNoted(found.kind, found.cite, by=press.by)
    yield from deciding.instant_withdrawn(table, found.seat, press.by)


def _asked_last(state: TableState) -> int:
    """The street whose answers are told wrongly: the last one that was closed."""
    return state.round.street - 1 if state.phase is Phase.ASK else state.round.street


def _pass_again(table: Table, found: Problem, press: Press) -> Events:
    yield from settling.pass_again(table, 0, Correction.WRONG_RESULT, press)


def _dealer_again(table: Table, found: Problem, press: Press) -> Events:
    yield from settling.dealer_again(table, press)


def _close_day(table: Table, found: Problem, press: Press) -> Events:
    yield from days.close(table.state, press)


def _live_signed(table: Table, found: Problem, press: Press) -> Events:
    yield from live.signed(table.state, press)


def _positions(table: Table, found: Problem, press: Press) -> Events:
    """The chips on the felt differ from the table's record: until the cards are dealt the dealer corrects it."""
    yield e.IrregularityNoted(found.kind, "", by=press.by)
    yield e.PanelTurned(Panel(PanelKind.STAKES))


def _envy_again(table: Table, found: Problem, press: Press) -> Events:
    """They went to a wrong seat: go through every receiver again."""
    last = table.state.round.envied[-1]
    yield e.SettlementCorrected(last.holder, "envy", last.paid, Correction.WRONG_SEAT, by=press.by)
    yield e.EnvyOwed(last.holder, last.owed, table.state.round.envied_by[last.holder])


def _owed_signed(table: Table, found: Problem, press: Press) -> Events:
    yield from debts.signed(table.state, press)


def _owed_ended(*, paid: bool) -> Deed:
    """Its end, by a second person."""

    def ended(table: Table, found: Problem, press: Press) -> Events:
        yield from debts.ended(table.state, press, paid=paid)

    return ended


def _unheard_signed(table: Table, found: Problem, press: Press) -> Events:
    """The first of two people; a second, different one has prizes paid though the bank was not heard."""
    first = table.state.neighbors.unheard_by
    if press.by in first:
        yield press.refused(say("unpaid.second", badge=press.by), Act.UNHEARD)
        return
    yield e.OneSigned(Act.UNHEARD, "", by=press.by)
    yield e.PanelTurned(NO_PANEL if first else Panel(PanelKind.PROBLEM))


def _unlock(table: Table, found: Problem, press: Press) -> Events:
    """A locked badge cannot sign; so another manager does."""
    yield e.BadgeUnlocked(found.badge, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _not_a_winner(table: Table, found: Problem, press: Press) -> Events:
    """A validated prize was wrong, and no money has moved yet."""
    yield e.PrizeTakenBack(table.state.round.turn, by=press.by)
    yield e.PanelTurned(NO_PANEL)


def _elsewhere(table: Table, found: Problem, press: Press) -> Events:
    """This prize does not come from the table inventory (653a.11(k)(4))."""
    yield from jackpot.pay_elsewhere(table, press)
    yield e.PanelTurned(NO_PANEL)


class _Row(Struct, frozen=True):
    """The part of a problem that is the same in every phase and book: its name, its effect, its signer, its deed.

    `group`: its place.
    """

    words: Message = NOTHING
    effect: Message = NOTHING
    act: Act | None = None
    deed: Deed = _note
    group: Group = Group.CARDS


_NOTED = say("problem.noted")
_DECK_LEAVES = say("problem.deck-leaves")
_ROWS: Mapping[ProblemKind, _Row] = {
    ProblemKind.SENSORS: _Row(say("problem.sensors"), deed=_turn_to(PanelKind.SENSORS), group=Group.TABLE),
    ProblemKind.LEFT: _Row(say("problem.left"), deed=_turn_to(PanelKind.LEFT), group=Group.PEOPLE),
    ProblemKind.IDLE: _Row(
        say("problem.idle"), deed=lambda table, found, press: opening.idle(table, press), group=Group.TABLE
    ),
    ProblemKind.CLOSE: _Row(
        say("problem.close"), deed=lambda table, found, press: opening.close(table, press), group=Group.TABLE
    ),
    ProblemKind.CLOSE_DAY: _Row(
        say("problem.close-day"), say("problem.close-day-effect"), Act.DAY, _close_day, group=Group.TABLE
    ),
    ProblemKind.LIVE: _Row(say("problem.live"), say("problem.live-effect"), Act.LIVE, _live_signed, group=Group.TABLE),
    ProblemKind.LIVE_SECOND: _Row(
        say("problem.live-second"), say("problem.live-second-effect"), Act.LIVE, _live_signed, group=Group.TABLE
    ),
    ProblemKind.CHANGE_DECKS: _Row(
        say("problem.change-decks"),
        deed=lambda table, found, press: opening.change_decks(table, press),
        group=Group.TABLE,
    ),
    ProblemKind.REMOVE: _Row(effect=_DECK_LEAVES, act=Act.DECK, deed=_remove),
    ProblemKind.SHUFFLE: _Row(say("problem.shuffle"), say("problem.shuffle-effect"), Act.DECK, _shuffle),
    ProblemKind.RECUT: _Row(say("problem.recut"), say("problem.recut-effect"), Act.DECK, _recut),
    ProblemKind.COVER: _Row(
        say("problem.cover"), say("problem.cover-effect"), Act.MACHINE, _cover, group=Group.MACHINE
    ),
    ProblemKind.UNCOVER: _Row(
        say("problem.uncover"), say("problem.uncover-effect"), Act.MACHINE, _uncover, group=Group.MACHINE
    ),
    ProblemKind.NEW_UNIT: _Row(
        effect=say("problem.new-unit-effect"), act=Act.MACHINE, deed=_new_unit, group=Group.MACHINE
    ),
    ProblemKind.SHUFFLED: _Row(
        say("problem.shuffled"), say("problem.shuffled-effect"), Act.MACHINE, _shuffled, group=Group.MACHINE
    ),
    ProblemKind.PROGRESSIVE_OFF: _Row(
        say("problem.progressive-off"),
        say("problem.progressive-off-effect"),
        Act.PROGRESSIVE,
        _progressive_off,
        group=Group.MACHINE,
    ),
    ProblemKind.PROGRESSIVE_ON: _Row(
        say("problem.progressive-on"),
        say("problem.progressive-on-effect"),
        Act.PROGRESSIVE,
        _progressive_on,
        group=Group.MACHINE,
    ),
    ProblemKind.POSITIONS: _Row(
        say("problem.boxes"), say("problem.boxes-effect"), Act.STAKES, _positions, group=Group.CHIPS
    ),
    ProblemKind.CORRECT: _Row(say("problem.correct"), say("problem.correct-effect"), Act.CORRECTION, group=Group.CHIPS),
    ProblemKind.CORRECT_DECLARED: _Row(
        effect=say("problem.correct-pass-effect"), act=Act.CORRECTION, deed=_pass_again, group=Group.CHIPS
    ),
    ProblemKind.CORRECT_DEALER: _Row(
        say("problem.correct-dealer"),
        say("problem.correct-dealer-effect"),
        Act.CORRECTION,
        _dealer_again,
        group=Group.CHIPS,
    ),
    ProblemKind.ENVY: _Row(
        say("problem.envy"), say("problem.envy-effect"), Act.CORRECTION, _envy_again, group=Group.CHIPS
    ),
    ProblemKind.NOT_A_WINNER: _Row(
        say("problem.not-a-winner"), say("problem.not-a-winner-effect"), Act.PRIZE, _not_a_winner, group=Group.CHIPS
    ),
    ProblemKind.ELSEWHERE: _Row(
        say("problem.elsewhere"), say("problem.elsewhere-effect"), Act.PRIZE, _elsewhere, group=Group.CHIPS
    ),
    ProblemKind.ASK_AGAIN: _Row(
        say("problem.ask-again"), say("problem.ask-again-effect"), Act.DECISIONS, _ask_again, group=Group.PEOPLE
    ),
    ProblemKind.NOT_INSTANT: _Row(
        effect=say("problem.not-instant-effect"), act=Act.DECISIONS, deed=_not_instant, group=Group.PEOPLE
    ),
    ProblemKind.MISDEALT: _Row(say("problem.misdealt"), say("problem.misdealt-effect"), Act.VOID),
    ProblemKind.NOT_52: _Row(say("problem.not-52"), _DECK_LEAVES, Act.DECK, _wrong_count),
    ProblemKind.FOULED: _Row(say("problem.fouled"), _DECK_LEAVES, Act.DECK, _fouled),
    ProblemKind.FACE_UP: _Row(say("problem.face-up"), act=Act.VOID),
    ProblemKind.FACE_UP_LATER: _Row(say("problem.face-up-later"), act=Act.VOID),
    ProblemKind.SHOE_FAULT: _Row(say("problem.shoe-fault"), say("void.shoe-cards"), Act.VOID, group=Group.MACHINE),
    ProblemKind.SHUFFLER_FAULT: _Row(
        say("problem.shuffler-fault"), say("void.shuffler-cards"), Act.VOID, group=Group.MACHINE
    ),
    ProblemKind.DEALER_EXPOSED: _Row(say("problem.dealer-exposed"), act=Act.VOID),
    ProblemKind.WRONG_NUMBER: _Row(say("problem.wrong-number"), act=Act.VOID),
    ProblemKind.ONE_FACE_UP: _Row(say("problem.one-face-up"), _NOTED),
    ProblemKind.NO_FACE_UP: _Row(say("problem.no-face-up"), _NOTED),
    ProblemKind.DRAWN_IN_ERROR: _Row(say("problem.drawn-in-error"), _NOTED),
    ProblemKind.SHUFFLER_JAM: _Row(say("problem.shuffler-jam"), _NOTED, group=Group.MACHINE),
    ProblemKind.UNHEARD: _Row(
        say("problem.unheard"), say("problem.unheard-effect"), Act.UNHEARD, _unheard_signed, group=Group.CHIPS
    ),
    ProblemKind.UNHEARD_SECOND: _Row(
        say("problem.unheard-second"),
        say("problem.unheard-second-effect"),
        Act.UNHEARD,
        _unheard_signed,
        group=Group.CHIPS,
    ),
    ProblemKind.UNLOCK: _Row(effect=say("problem.unlock-effect"), act=Act.UNLOCK, deed=_unlock, group=Group.PEOPLE),
    ProblemKind.OWED: _Row(effect=say("problem.owed-effect"), act=Act.OWED, deed=_owed_signed, group=Group.PEOPLE),
    ProblemKind.OWED_PAID: _Row(
        effect=say("problem.owed-paid-effect"), act=Act.OWED, deed=_owed_ended(paid=True), group=Group.PEOPLE
    ),
    ProblemKind.OWED_GONE: _Row(
        effect=say("problem.owed-gone-effect"), act=Act.OWED, deed=_owed_ended(paid=False), group=Group.PEOPLE
    ),
}
"""One row for each problem. Words that name a deck, a unit or a wager are given where they are known."""
ROUTINE: frozenset[str] = frozenset(str(kind) for kind, row in _ROWS.items() if row.group is Group.TABLE)
"""The kinds that stand under TABLE."""


def why_not(state: TableState) -> Message:
    """Why what voids a round cannot be told now; nothing where it can, or no round is being played."""
    return may_void(state) if state.phase in UNFINISHED else NOTHING


def may_void(state: TableState) -> Message:
    """Why this round cannot be void now; nothing if it can. A rejected claim has moved no money. A void round that still
    settles wagers can be void once more: another paragraph may return those too (reading 12).

    The payouts of Lunar Poker's first pass are no reason: 671a.13 returns all wagers, and the payouts come back.
    """
    if first := _first(state):
        return first
    if state.round.void_cite and not state.round.settled_anyway:
        return say("void.already")
    return NOTHING if state.phase in _TWO_SIGN else _for_good(state)


def _first(state: TableState) -> Message:
    """The correction that the floor makes before the round can be void; nothing if none is left."""
    if state.round.credited:
        return say("void.credited", seat=state.round.credited[-1].seat)
    for number, seat in state.numbered():
        for prize in seat.prizes:
            of_meter = prize.meter and prize.status == PrizeStatus.PAID
            if prize.status in (PrizeStatus.CLAIMED, PrizeStatus.PENDING, PrizeStatus.PAID) and not of_meter:
                return say(f"void.prize-{prize.status}", seat=number)
        if seat.position.final:
            return say("void.settled", seat=number)
    return NOTHING


_TWO_SIGN = frozenset({Phase.SETTLE, Phase.VOID})
"""Nothing of a prize or of a hand is half done."""


def _for_good(state: TableState) -> Message:
    """The payments that no correction takes back: two people can sign that the round is void; nothing if there are none."""
    if shares := shares_paid(state):
        return say("void.share-paid", seat=shares[0].seat)
    if envy := envy_paid(state):
        return say("void.envied", seat=envy[-1].for_seat or 0)
    return NOTHING


def needs_two(state: TableState) -> bool:
    """A share of a meter or envy bonuses were paid: two people sign that the round is void (reading 7)."""
    return bool(_for_good(state))


def device_failed(house: House, state: TableState) -> Events:
    """The machine has just stopped, and wagers lie: the table knows of it, and the book says what follows.

    An automated shoe that stops in a round voids it (653a.13(f), 36.05.16.13I), but not one that has dealt and is empty:
    it cannot "fail to deal". Maryland's shuffler has all wagers returned, also before the lock (36.05.16.13H), unless it
    stopped with the other one of two decks.
    """
    shuffler = state.neighbors.shuffler
    stopped = shuffler.fault in STOPPED or (shuffler.mode == "fault" and not shuffler.fault)
    heard = machine_used(house, state) and shuffler.connected and shuffler.unit == state.decks.unit
    if not (stopped and heard) or state.phase not in UNFINISHED | {Phase.OPEN}:
        return
    if state.phase is Phase.VOID and may_void(state):  # all is returned
        return
    shoe, cite = method(house, state) == AUTOMATED, ""
    if shoe and state.round.shoe_empty:
        return
    if shoe and state.phase is not Phase.OPEN:
        cite = house.procedure.cite(SHOE_FAULT)
    elif SHUFFLER_FAULT in house.submission.book.voids and not _other_deck(state) and _lies(state):
        cite = house.procedure.cite(SHUFFLER_FAULT)
    if (cite or shoe) and not state.round.device_failed:
        yield e.DeviceFailed(shuffler.fault, cite)


def _other_deck(state: TableState) -> bool:
    """Two decks, and the one in the machine is not that of this round."""
    color = state.neighbors.shuffler.deck
    here = bool(state.decks.cards) if not color else state.deck is not None and state.deck.color != color
    return len(state.decks.here) > 1 and here


def _lies(state: TableState) -> bool:
    """A wager lies that the table knows; from the lock on it takes for granted that one does."""
    return state.phase is not Phase.OPEN or bool(state.wagers or state.players or opening.staked(state))


def must_be_void(state: TableState) -> Message:
    """Why nothing but PROBLEM is left in this round: its shoe or shuffler failed; nothing if it may go on.

    Earlier payments stand in the way of a void round: then the floor decides, or two people do.
    """
    played = state.phase in IN_ROUND | {Phase.OPEN, Phase.VOID}
    if state.round.device_failed and played and not (may_void(state) or needs_two(state)):
        return say("void.device-failed", cite=state.round.device_failed)
    return NOTHING


def still_settled(house: House, state: TableState, found: Problem) -> tuple[str, ...]:
    """The wagers that are still settled if this voids the round: of those on the felt, and of those that a void round
    settles. At level 0 nobody knows who made them: those of the book.
    """
    still = house.submission.book.still_settled.get(found.voids, frozenset()) if found.after_deal else frozenset()
    if state.program.level:
        still &= {wager for seat in state.round.seats for wager, _ in seat.position.stakes}
    return tuple(sorted(still.intersection(state.round.settled_anyway) if state.round.void_cite else still))


def also_void(house: House, state: TableState, found: Problem) -> tuple[str, ...]:
    """The wagers of a void round that this returns too, out of those that were still to be settled."""
    return tuple(sorted(set(state.round.settled_anyway).difference(still_settled(house, state, found))))


def fouled(state: TableState) -> Message:
    """The deck of this round was found fouled and its wagers do not all go back yet: the step that comes first; else
    nothing.

    A payment stands until the floor corrects it, and the text leaves it to the floor whether it does (readings 7, 15).
    """
    if not state.round.fouled or (state.round.void_cite and not state.round.settled_anyway):
        return NOTHING
    return say("fouled.until-void", what=may_void(state) or say("fouled.declare"))


def void(house: House, state: TableState, found: Problem, press: Press) -> Events:
    """The round is void: every wager goes back, and its contribution with it; some wagers are still settled.

    In a void round a returned wager stays returned, by its paragraph; this one returns the rest that an earlier one left.
    A share that the cage paid stays an award with the wager that won it, and no contribution of its round goes back: the
    price of that share was frozen with them on the meter (reading 7).
    """
    again, offered = bool(state.round.void_cite), still_settled(house, state, found)
    returned = () if again else pricing.void_meters(house, state, found.voids, found.cite)
    dealt, first, shares = opening.card_left(house, state), state.desk.panel.signed, shares_paid(state)
    signed = (first, press.by) if first else ()
    voided = e.RoundVoided(
        *(state.round.number, found.cite, returned, envy_paid(state), signed, found.voids, offered, dealt), by=press.by
    )
    yield voided
    if found.kind is ProblemKind.MISDEALT:  # 52 cards remain: they were counted
        yield e.RoundDone(RoundWork.STUB_COUNTED)
    for number, seat in state.numbered():
        if seat.position.plays:
            yield _voided_lines(house, state, number, found, offered)
        for wager in () if again else house.submission.by_account:
            amount = seat.staked(wager)
            if amount and (number, wager) not in {(one.seat, one.wager) for one in shares}:
                yield e.WagerReturned(number, wager, 0, amount, StakeBack.VOID)
    if found.kind in (ProblemKind.NOT_52, ProblemKind.FOULED) and state.deck is not None:
        yield e.DeckRemoved(state.deck.number, as_is(found.cite), by=press.by)
    back = reports.envy_back(state, voided, press.at)
    yield from back
    if state.round.sent_wagers and not again and not shares:
        after = reduce(ahead, back, state)
        yield from live.told(house, after, Reversal(state.round.number, found.cite), taken_back(state))


def _voided_lines(
    house: House, state: TableState, number: int, found: Problem, offered: tuple[str, ...]
) -> e.LinesSettled:
    """The wagers that go back to a player, by the paragraph that first returned them; a player who left loses the others."""
    position = state.seat(number).position
    before = {line.wager: line for line in position.lines if line.result is Result.VOID}
    lines = tuple(
        before.get(line.wager, line)
        for line in pricing.void_lines(house, state, number, found.voids, found.cite, offered)
    )
    waits = any(wager in offered for wager, _ in position.stakes)
    if waits and position.left:  # (b)
        lines += pricing.early_lines(house, state, number, lambda wager: wager in offered)
    return e.LinesSettled(number, lines, complete=position.left or not waits)
