"""One table under proof: every input is taken as the loop would take it, and every step is checked.

With `checks`: replay equals live, a refused press changes nothing, signatures are right, no chip is lost, what the bank says
comes over the wire; and an auditor (`firmware.proof.simulation.account`) sees every screen that hands act upon.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import reduce

from firmware.proof.rehearse.bank import Bank, rules_of
from firmware.proof.simulation.account import Account
from firmware.proof.simulation.screen_reader import Glass, Remembering, glass_of
from firmware.proof.simulation.shifts.houses import CHIEF, FLOOR, PEOPLE
from firmware.proof.simulation.shifts.law import Wrong, check_chips
from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING
from firmware.runtime.journal import Vocabulary
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.house import House
from firmware.table.inputs import (
    Input,
    LinkSeen,
    Pressed,
    SensorsSeen,
    ShufflerSeen,
    Started,
    SwitchSettled,
)
from firmware.table.invariants import broken
from firmware.table.procedures import AUTOMATED
from firmware.table.projections import may_pay_unheard, why_unpaid
from firmware.table.state import PAYS, DeckWork, MachineWork, Phase, TableState
from firmware.wire.structs import replace
from ui.dealer.frame import frame_of
from ui.dealer.panels import TEN_INCH
from ui.dealer.pieces import Live
from ui.dealer.screens import screen_name, widgets

TABLE, EPOCH, AT = "t", "e" * 32, "2027-01-15T08:00:00.000Z"
PAYING = ("approve", "paid", "claim-paid", "envy-paid")
"""Presses that pay a prize, or lead to it."""
CARD_ENTRY = ("rank", "suit", "slot", "royal", "highest")
"""Presses that an auditor, who knows the cards, does not write down."""
FRAME, WORDS = frame_of(TEN_INCH), Remembering()
VOCABULARY: Vocabulary[e.Event] = Vocabulary("table", e.EVENTS, e.UPGRADES)


def unsaid(state: TableState) -> TableState:
    """The table without its last refusal."""
    if not (state.desk.notice.id or state.desk.refused or state.desk.failed):
        return state
    return replace(state, desk=state.desk.unsaid)


class ProvedTable:
    """A table, its journal, and the chance of this shift."""

    def __init__(self, house: House, chance: random.Random, *, checks: bool, trouble: float, who: str = "") -> None:
        self.house = house
        self.account = Account(house.submission, house.level, house.seats, who, counts=house.equipment.counts)
        self.bank: Bank | None = None
        if house.offers_progressive:
            people = {person.badge: person.role for person in house.people.values()}
            self.bank = Bank(rules_of(house.submission.book.title, (TABLE,), house.submission, people), EPOCH, AT)
        self.sent = 0
        """The last message of the table that its bank has."""
        self._glass: tuple[TableState, Glass] | None = None
        self._board: tuple[object, Live] = (None, Live())
        self.chance = chance
        self.whims = random.Random(f"whims, {who}")
        self.late = random.Random(f"late, {who}")
        """A chance of its own: a whim that comes in later changes no other seed's rounds."""
        self.follows = False
        """In this round the dealer names no prize but what the primary key says of cards that the table knows."""
        self.checks, self.trouble = checks, trouble
        self.state = TableState()
        self.rows: list[tuple[str, int, str]] = []
        self.replayed, self.proved = TableState(), 0
        self.tally: Counter[str] = Counter()
        self.now_s = 1_800_000_000
        self.now_ns = 1_000_000_000
        self.boots = 0
        self.machine = ShufflerSeen(True, "S-1", "empty", 0, "", "", 0)
        """The shuffler's status now."""
        self.numbers: set[int] = set()
        opened = e.TableOpened(TABLE, "a" * 32, self.house.seats)
        born: list[e.Event] = [opened, e.TableShut(0, NOTHING), e.TableLive((FLOOR, CHIEF), at=self.now_s, by=CHIEF)]
        self._write(born, reduce(evolve, born, self.state))
        self._boot()

    def take(self, given: Input) -> tuple[e.Event, ...]:
        """One input, all that follows, and what must hold after it."""
        before = self.state
        watched = self.checks and isinstance(given, Pressed) and given.word.partition(" ")[0] not in CARD_ENTRY
        shown = self.glass() if watched else None
        turn = decide(self.house, before, given)
        self._write(turn.events, turn.state)
        if self.checks:
            self._check(before, given, turn.events)
        if shown is not None and isinstance(given, Pressed):
            self.account.sees(shown, given.word, self.glass())
        return turn.events

    def glass(self) -> Glass:
        """The screen's words now, to people who know that a refusal changes nothing."""
        if self._glass is None or self._glass[0] is not self.state:
            live = self._live()
            state = unsaid(self.state)
            self._glass = (self.state, glass_of(screen_name(state), widgets(self.house, state, live, FRAME), WORDS))
        return self._glass[1]

    def _live(self) -> Live:
        """The board as the bank says it; it says the same until its ledger changes."""
        bank = self.bank.state if self.bank else None
        if self._board[0] is not bank:
            self._board = (bank, Live(meters=self.bank.board if self.bank else ()))
        return self._board[1]

    def hear_bank(self) -> None:
        """The bank holds all that is owed, and says so; a claim is priced."""
        if self.bank is None or self.state.seq == self.sent:
            return
        for owed in self.state.owed:
            if owed.seq > self.sent:
                self.bank.hear(TABLE, owed.text, AT)
                self.sent = owed.seq
        self.take(self.bank.says(TABLE, wire=self.checks))

    def _write(self, events: Sequence[e.Event], after: TableState) -> None:
        """These are in the journal, and the table stands as it does after them."""
        for event in events:
            if self.checks:
                self.rows.append(VOCABULARY.encode(event))
            self._follow(event)
        self.state = after

    def press(self, word: str, by: str = "", again: float = 0) -> tuple[e.Event, ...]:
        """A key that the table must take. again: how often it is taken back, and pressed once more."""
        while word in PAYING and may_pay_unheard(self.state):
            self._unheard(Pressed(word, by, self.now_s))
        events = self.take(Pressed(word, by, self.now_s))
        for event in events:
            if isinstance(event, e.PressRefused):
                raise Wrong(f"{word!r} in {self.state.phase}: {event.why}")
        if self.house.offers_progressive and not self.state.neighbors.link_up and self.state.phase not in PAYS:
            self.take(LinkSeen(True, NOTHING))
        self._mistake()
        self.power_cut()
        if again and self.state.trail.steps and self.sometimes(again):
            self.tally[f"{word.split()[0]} taken back"] += 1
            self.press("undo")
            return self.press(word, by)
        return events

    def _unheard(self, pays: Pressed) -> None:
        """A prize waits for the bank after a start; then the bank is heard, or two people sign."""
        self.tally["prize before the bank was heard"] += 1
        if not any(isinstance(event, e.PressRefused) for event in self.take(pays)):
            raise Wrong(f"{pays.word} before the bank was heard")
        if self.whims.random() < 0.5:
            self.take(LinkSeen(True, NOTHING))
            return
        self.tally["prize without the bank"] += 1
        signing = (
            ("problem", ""),
            ("problem unheard", ""),
            ("apply", FLOOR),
            ("problem unheard-second", ""),
            ("apply", CHIEF),
        )
        for word, by in signing:  # a cut between them would end the wait
            if any(isinstance(event, e.PressRefused) for event in self.take(Pressed(word, by, self.now_s))):
                raise Wrong(f"{word!r} of a prize that waits is refused in {self.state.phase}")

    def expect(self, phase: Phase, otherwise: str) -> None:
        """The table is in this phase now. Raises Wrong."""
        if self.state.phase is not phase:
            raise Wrong(f"{otherwise}: the table is in {self.state.phase}")

    def sometimes(self, share: float) -> bool:
        """Chance, scaled by how much trouble this shift shall have."""
        return self.chance.random() < share * self.trouble

    def _mistake(self) -> None:
        """A key that means nothing here is refused; that it changes nothing is checked as of every refusal."""
        if self.sometimes(0.02):
            self.tally["refused press"] += 1
            phase = self.state.phase
            events = self.take(Pressed(self.chance.choice(("count 99", "hand pair", "apply", "seat 0", "slot 99"))))
            if not any(isinstance(event, e.PressRefused) for event in events):
                raise Wrong(f"{phase} took a press without meaning: {events}")

    def power_cut(self) -> None:
        """Between any two steps: the journal alone gives the same table, and so does a snapshot, which goes on."""
        if self.checks and self.sometimes(0.003):
            self.tally["power cut"] += 1
            since = self.rows[self.proved :]
            self.replayed = reduce(evolve, (VOCABULARY.decode(*row) for row in since), self.replayed)
            self.proved = len(self.rows)
            if self.replayed != self.state:
                raise Wrong("replay differs from live")
            self.state = keeping().state_of(keeping().write(self.replayed))
            if self.replayed != self.state:
                raise Wrong("a snapshot differs from replay")
            self._boot()

    def _boot(self) -> None:
        self.boots += 1
        self.take(Started(f"boot-{self.boots}", "program", "submission"))
        if self.house.offers_progressive:
            if self.state.phase not in PAYS or self.whims.random() < 0.5:
                self.take(LinkSeen(True, NOTHING))
            self.take(SensorsSeen(True, NOTHING))
            self.take(SwitchSettled(False))
        if self.house.equipment.machine:
            self.take(self.machine)

    def machine_ready(self) -> None:
        """The shuffler has the deck that is next ready; where the table has not seen it shuffled, it shuffles it."""
        deck = self.state.deck.color if self.state.deck else self.house.equipment.colors[0]
        if self.state.decks.covered:  # its cards were taken out
            self._says("service", 0, "")
        elif self.house.equipment.machine:
            holds = (self.machine.mode, self.machine.deck) == ("ready", deck)
            decks, shoe = self.state.decks, self.house.equipment.method == AUTOMATED
            if (shoe and not holds) or not (decks.cards or (holds and decks.work is MachineWork.DONE)):
                self.shuffles(deck)

    def shuffles(self, deck: str) -> None:
        """The machine shuffles this deck, and counts it if it can."""
        self._says("shuffling", None, deck)
        self._says("ready", 52 if self.house.equipment.counts else None, deck)

    def _says(self, mode: str, count: int | None, deck: str) -> None:
        self.machine = ShufflerSeen(True, "S-1", mode, count, deck, "", 0)
        self.take(self.machine)

    def _check(self, before: TableState, given: Input, events: tuple[e.Event, ...]) -> None:
        state = self.state
        if any(isinstance(event, e.PressRefused) for event in events):
            if len(events) != 1 or not isinstance(given, Pressed):
                raise Wrong(f"a refusal among {events}")
            if unsaid(state) != unsaid(before):
                raise Wrong("a refused press changed the table")
        for event in events:
            self._signed(before, event)
        if wrong := broken(state):
            raise Wrong(f"after {[type(event).__name__ for event in events]}: {wrong}")

    def _signed(self, before: TableState, event: e.Event) -> None:
        """Two-person rules, and what needs a floorperson."""
        if isinstance(event, (e.PrizePaid, e.ClaimPaid)) and why_unpaid(before):
            raise Wrong(f"paid before the bank was heard: {event}")
        match event:
            case e.OneSigned(act=Act.UNHEARD):
                self._by_somebody(event)
                if event.by in before.neighbors.unheard_by:
                    raise Wrong(f"one person twice: {event}")
            case (
                e.DecksDone(work=DeckWork.VERIFIED) | e.RecutOrdered() | e.DeviceMarked(covered=True) | e.RoundVoided()
            ):
                self._by_somebody(event)
            case e.SettlementCorrected() | e.PassReopened() | e.RevealReopened() | e.ElectionReopened():
                self._by_somebody(event)
            case e.ClaimPaid() | e.ClaimRejected():
                if len(set(event.signed)) != 2:
                    raise Wrong(f"one person alone: {event}")
            case e.PrizePaid():
                prize = before.seat(event.seat).prize
                if prize is None or not prize.by:
                    raise Wrong("paid without validation")
            case e.RoundCleared():
                waiting = [n for n, seat in before.numbered() if seat.position.plays and not seat.position.settled]
                if waiting:
                    raise Wrong(f"seats {waiting} were forgotten")
                check_chips(self.house, before)

    def _by_somebody(self, event: e.Told) -> None:
        if event.by not in PEOPLE:
            raise Wrong(f"nobody signed {event}")

    def _follow(self, event: e.Event) -> None:
        """The work of hands when the table says so."""
        match event:
            case e.DecksReceived():
                for number, _ in event.decks:
                    if number in self.numbers:
                        raise Wrong("a deck came back")
                    self.numbers.add(number)
