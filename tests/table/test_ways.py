"""Issue 4, "Shown by" 3: every phase has a way forward and a way back; no input leaves a table stuck.

A machine presses any key of any phase with any argument that makes sense, with any badge, between chips, devices, the
bank, days that pass and power cuts, at each book and level. After every input `table.check` holds; at the end the way
forward is found and gone.
"""

from __future__ import annotations

import os
from functools import lru_cache
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from msgspec.structs import fields

from firmware.rules.approvals import Act
from firmware.rules.money import Cents
from firmware.rules.payment import Source, bonus
from firmware.table import events as e
from firmware.table import opening, phases
from firmware.table.decide import ANY_TIME, KEYS, decide
from firmware.table.evolve import evolve
from firmware.table.house import House
from firmware.table.inputs import ButtonPushed, Chance, Pressed
from firmware.table.procedures import AUTOMATED, COUNTS, HAND, NO_SHUFFLER, RESHUFFLES, SHOE, SHUFFLES, Equipment
from firmware.table.state import DeckWork, Phase, RoundWork
from firmware.wire.structs import replace
from tests.table.crowd import BADGES, TROUBLE, Choose, Crowd
from tests.table.keys import ARGUMENTS, plausible, verbs
from tests.table.table import DIAZ, HANDS, MS, OKAFOR, SETTLED_MS, Table, cards_of, house_of
from tests.table.test_end_of_round import EVERY_PHASE, Play, played
from tests.table.ways import WAYS, find_way, goes_on

EQUIPMENT = (
    Equipment(),
    Equipment(SHOE, NO_SHUFFLER, ("red", "blue")),
    Equipment(SHOE, SHUFFLES, ("blue", "red")),
    Equipment(HAND, COUNTS, ("blue", "red")),
    Equipment(AUTOMATED, RESHUFFLES, board_first=True),
)
TOP = "royal flush"
BOOKS = ("pa-653a", "md-36.05.16", "pa-671a", "pa-677a")
HOUSES = {
    f"{book} level {level} by {equipment.text}{', five card hand' if five_card else ''}": house_of(
        book=book, level=level, equipment=equipment, five_card=five_card
    )
    for book in BOOKS
    for level in (1, 2)
    for equipment in EQUIPMENT
    for five_card in ((False, True) if book == "pa-653a" else (False,))
}
"""Every book, at the levels at which a table knows the game, with each kind of equipment: each by a name of its own."""


# The transition table ----------------------------------------------------------------------------------------------------


def test_no_house_takes_the_place_of_another() -> None:
    """Ten were lost when two kinds of equipment, with one deck and with two, shared a name."""
    offers = len(BOOKS) + 1  # one of them without and with the bonus
    assert len(HOUSES) == offers * 2 * len(EQUIPMENT)


def test_no_phase_is_a_dead_end_and_every_phase_is_reached() -> None:
    assert phases.dead_ends() == () and phases.unreached() == ()


def test_every_phase_has_keys_and_a_way_on() -> None:
    assert set(KEYS) == set(WAYS) == set(Phase)


def test_every_key_is_pressed_with_what_belongs_to_it() -> None:
    assert set(ARGUMENTS) == {verb for keys in (*KEYS.values(), ANY_TIME) for verb in keys}


@pytest.mark.parametrize("play", EVERY_PHASE)
def test_from_every_phase_the_way_leads_to_open_bets(play: Play) -> None:
    table, _ = played(play)
    before = table.state
    way = find_way(table)
    assert table.state == before, "the way is found on a copy"
    assert way or before.phase in (Phase.OPEN, Phase.CLOSED), "where nothing is to be done bets open by themselves"


def test_a_fact_is_known_in_every_phase_and_what_people_tell_in_some() -> None:
    for kind in e.EVENTS.values():
        for work in {e.DecksDone: DeckWork, e.RoundDone: RoundWork, e.OneSigned: (Act.UNHEARD, Act.OWED)}.get(
            kind, (None,)
        ):
            event = kind(*[work for field in fields(kind) if field.required])
            known = {phase for phase in Phase if phases.knows(phase, event)}
            assert known == set(Phase) if not issubclass(kind, e.Told) else known, (kind, work)


def test_what_the_phase_does_not_know_is_refused_and_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in the law itself: the dealer is told, the technician finds a complaint, replay never meets it."""
    table = Table().opens()
    paid = e.PrizePaid(1, bonus(1, "progressive", Cents(500), "$5", "653a.12(d)(1)", Source.RACK))
    monkeypatch.setitem(KEYS[Phase.OPEN], "paid", lambda _table, _press: iter((paid,)))
    events = decide(table.house, table.state, Pressed("paid")).events
    assert [type(event) for event in events] == [e.PressRefused, e.Complained]
    with pytest.raises(AssertionError, match="PrizePaid while open"):
        evolve(table.state, paid)


# Any key at any time ------------------------------------------------------------------------------------------------------


class Hands:
    """Whatever hands can do at one table; what they do is chosen by `choose`."""

    def __init__(self, table: Table, choose: Choose) -> None:
        self.table = table
        self.choose = choose
        self.crowd = Crowd(table, choose)

    def presses(self) -> None:
        """Any key of this phase, with anything that may follow it."""
        words = plausible(self.table, self.choose(verbs(self.table)))
        self.table.press(self.choose(words), self.choose(BADGES))

    def signs(self) -> None:
        """A problem is told, and signed by whoever is there."""
        self.table.press(self.choose(plausible(self.table, "problem")))
        self.table.press("apply", self.choose(BADGES))

    def goes_on(self) -> None:
        """What leads on, a few steps."""
        for _ in range(self.choose((1, 2, 3, 5, 8))):
            self.table.bank.listens()
            if self.table.state.phase is Phase.OPEN and not self.table.panel:
                self.bets()
            elif self.table.state.phase in DETOURS and self.choose((True, False)):
                DETOURS[self.table.state.phase](self)
            elif self.can_go_on():
                goes_on(self.table)

    def decides(self) -> None:
        """Some players are asked, and answer."""
        for number in self.table.state.players if self.table.state.phase is Phase.ASK else ():
            self.table.press(f"seat {number}")
            self.table.press(self.choose(plausible(self.table, "choose")))

    def wins(self) -> None:
        """A seat is picked, a prize named, its cards entered; those whose turn it is see to the rest."""
        table = self.table
        for _ in range(self.choose((2, 4, 9))):
            match table.state.phase:
                case Phase.DEAL | Phase.SETTLE:
                    for number in table.state.wagers[-1:]:
                        table.press(f"seat {number}")
                    table.press(
                        self.choose((f"hand {self.choose(list(HANDS))}", f"five dealer {TOP}", f"five own {TOP}"))
                    )
                case Phase.CARDS:
                    for card in cards_of(self.choose((TOP, TOP, "four of a kind", "straight flush"))):
                        table.press(f"rank {card[0]}")
                        table.press(f"suit {card[1]}")
                    table.press("show")
                case Phase.VALIDATE:
                    table.press("approve", self.choose((DIAZ, OKAFOR)))
                case Phase.PRICE:
                    table.bank.listens()
                case Phase.HOLD:
                    table.press(self.choose(("claim-paid", "claim-rejected")), self.choose((DIAZ, OKAFOR)))
                case Phase.PAY | Phase.ENVY:
                    goes_on(table)

    def can_go_on(self) -> bool:
        """Only the bank prices; between two rounds, where another shuffle was ordered, or before the machine has had the
        deck ready, a device may be in the way."""
        state = self.table.state
        waits = state.decks.reshuffle or opening.undelivered(self.table.house, state)
        return state.phase not in (Phase.PRICE, Phase.CLOSED, Phase.SHUFFLE) and not waits

    def bets(self) -> None:
        """Players sit down, chips and buttons are pressed, and then no more bets."""
        table = self.table
        seats = sorted({self.choose(sorted(table.chips)) for _ in range(self.choose((1, 2, 4)))})
        for seat in seats:
            table.press(f"box {seat}")
            table.press(self.choose(plausible(table, "stakes")))
            table.press(self.choose(plausible(table, "chips")))
        table.press("back")
        if table.house.offers_progressive:
            table.seats(*seats).place()
        for seat in seats if table.house.submission.by_account else ():
            for word in (f"account {seat}", "chips 500", "back"):
                table.press(word)
            table.hears(ButtonPushed(seat, self.choose(("own", "dealer")), table.now * MS))
        self.locks()

    def locks(self) -> None:
        """No more bets, and a bonus is drawn, or none."""
        drawn = Chance("Ah", self.choose((0, 1)), self.choose((True, False)), self.choose((True, False)))
        self.table.chance = drawn
        self.table.lines.lock(self.table.now * MS, "screen")
        self.table.waits(SETTLED_MS)

    def moves_something(self) -> None:
        """A chip, the switch, a button."""
        if self.table.house.offers_progressive:
            self.choose((self.crowd.moves_chips, self.crowd.turns_switch, self.locks))()
        else:
            self.locks()

    def lets_time_pass(self) -> None:
        """An hour, or many; and the loop tells the time."""
        self.table.now += self.choose((1, 60, 3 * 3600, 9 * 3600)) * 1000
        self.table.ticks()

    def has_trouble(self) -> None:
        """A device, the bank or the power."""
        acts = TROUBLE if self.table.house.offers_progressive else (Crowd.shuffler_speaks, Crowd.power_goes)
        self.choose(acts)(self.crowd)

    def another_shuffler(self) -> None:
        """Another unit, or another deck in it."""
        deck = self.choose(("", "blue", "red"))
        self.table.shuffles(unit=self.choose(("S-1", "S-1", "S-2")), deck=deck)

    def restores(self) -> None:
        """Every neighbor is in order again."""
        table = self.table
        deck = table.state.deck
        table.shuffler = replace(table.shuffler, connected=True, unit="S-1", mode="ready", fault="", count=52)
        table.shuffler = replace(table.shuffler, deck=deck.color if deck else "")
        table.switch_on = True
        table.comes_back()
        if table.house.offers_progressive:
            table.bank.listens()
        if table.state.neighbors.shuffler.alarm > table.state.neighbors.shuffler.acknowledged:
            table.press("acknowledge")


DETOURS = {
    Phase.SHUT: Hands.presses,
    Phase.COUNT: Hands.presses,
    Phase.ASK: Hands.decides,
    Phase.SETTLE: Hands.wins,
    Phase.CARDS: Hands.wins,
    Phase.VALIDATE: Hands.wins,
    Phase.HOLD: Hands.wins,
}
"""Where the shortest way on is not the only one."""
ACTS = {
    Hands.presses: 25,
    Hands.goes_on: 25,
    Hands.wins: 8,
    Hands.signs: 4,
    Hands.moves_something: 3,
    Hands.restores: 6,
    Hands.lets_time_pass: 1,
    Hands.has_trouble: 2,
    Hands.another_shuffler: 1,
}
"""What hands do, and how often."""


def ends_well(table: Table) -> None:
    """The journal alone gives the same state, and the way forward is there."""
    assert table.replayed() == table.state
    find_way(table)


def a_table(house: House, seats: int = 6) -> Table:
    """An open table of that house; its shuffler holds the deck that is dealt first."""
    table = Table(house=house, seats=seats)
    table.shuffler = replace(table.shuffler, deck=house.equipment.colors[0])
    return table.opens()


class AnyKey(RuleBasedStateMachine):
    """One table of any book, and hands that press whatever there is."""

    @initialize(house=st.sampled_from(list(HOUSES.values())), seats=st.integers(1, 6))
    def opens(self, house: House, seats: int) -> None:
        self.table = a_table(house, seats)

    def _hands(self, data: st.DataObject) -> Hands:
        return Hands(self.table, lambda among: data.draw(st.sampled_from(among)))

    @rule(data=st.data(), times=st.integers(1, 6))
    def somebody_presses(self, data: st.DataObject, times: int) -> None:
        for _ in range(times):
            self._hands(data).presses()

    @rule(data=st.data())
    def it_goes_on(self, data: st.DataObject) -> None:
        self._hands(data).goes_on()

    @rule(data=st.data())
    def something_else_happens(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(list(ACTS)))(self._hands(data))

    def teardown(self) -> None:
        if hasattr(self, "table"):
            ends_well(self.table)


TestAnyKey = pytest.mark.slow(AnyKey.TestCase)
TestAnyKey.settings = settings(
    max_examples=int(os.environ.get("FELT_WAYS_EXAMPLES", "15")),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


# The same, seeded and long ------------------------------------------------------------------------------------------------


@lru_cache
def wander(name: str, steps: int, seed: int) -> frozenset[Phase]:
    """So many acts at one table; the way forward is sought again and again. Returns the phases that were met."""
    chance = Random(f"{name} {seed}")
    table = a_table(HOUSES[name])
    hands = Hands(table, chance.choice)
    for step in range(steps):
        chance.choices(list(ACTS), list(ACTS.values()))[0](hands)
        if step % 25 == 24:
            ends_well(table)
    ends_well(table)
    return frozenset(state.phase for state in table.states)


STEPS, SEED = 100, 11


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.slow
def test_no_key_leaves_a_table_stuck(name: str) -> None:
    assert {Phase.DEAL, Phase.ASK} <= wander(name, STEPS, SEED), "rounds were played"


@pytest.mark.slow
def test_every_phase_was_met() -> None:
    met = frozenset[Phase]().union(*(wander(name, STEPS, SEED) for name in HOUSES))
    assert met == set(Phase), set(Phase) - met


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(int(os.environ.get("FELT_WAYS_SEEDS", "3"))))
def test_no_key_leaves_a_table_stuck_for_long(seed: int) -> None:
    for name in HOUSES:
        wander(name, 400, 1_000 + seed)
