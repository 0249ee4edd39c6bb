"""All that can happen at a table: dealers, players, floorpersons, devices, the bank and the power.

Each act takes its choices from `choose`, so that hypothesis can shrink them and a seeded generator can make thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from firmware.rules.message import as_is
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.inputs import Complaints, PinRefused, Pressed
from firmware.table.interlock import machine_used
from firmware.table.irregularity import must_be_void
from firmware.table.phases import way_of
from firmware.table.projections import may_pay_unheard, shares_paid, why_unpaid
from firmware.table.state import DeckWork, Phase, Prize, TableState
from tests.table.table import DEALER, DIAZ, HANDS, OKAFOR, Dealer, Table, cards_of, lit_seats

T = TypeVar("T")


class Choose(Protocol):
    """One of several: drawn by hypothesis, or by a seed."""

    def __call__(self, among: Sequence[T], /) -> T: ...


BADGES = ("", DEALER, DIAZ, OKAFOR)
FLOOR = (DIAZ, OKAFOR)
PRIZED = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind")
HOSTILE = (
    "", "clear", "undo", "paid", "claim-paid", "claim-rejected", "envy-paid", "approve", "apply", "reopen", "show",
    "seat 1", "seat 3", "seat 99", "count 2", "settle by-hand", "settle returned", "hand royal flush", "hand flush",
    "rank A", "suit h", "slot 5", "recount", "cancel", "problem face-up", "sensor 2", "acknowledge", "problem",
    "winners", "not-a-winner", "no-more-bets", "\x00 \ufffd",
)  # fmt: skip
PAUSES_MS = (0, 1, 15, 20, 29, 30, 40, 40, 40)


class Crowd:
    """Everybody around one table."""

    def __init__(self, table: Table, choose: Choose) -> None:
        self.table = table
        self.choose = choose
        self.dealer = Dealer(table)

    @property
    def state(self) -> TableState:
        return self.table.state

    # Those who know what they do -----------------------------------------------------------------------------------------

    def plays_on(self) -> None:
        """What comes next in a round, done well."""
        if not self.table.panel and must_be_void(self.state):
            self.dealer.presses(*self._shown("problem s"))
            self.dealer.presses("apply", by=self.choose(FLOOR))
        elif not self.table.panel:
            NEXT[self.state.phase](self)
        elif self.table.panel.startswith("problem") and self.choose((True, False)):
            self.tells_a_problem()
        else:
            self.dealer.presses("back")

    def bets(self) -> None:
        if self.choose((False, False, False, True)):
            self.bets_by_hand()
        seats = self._some_seats()
        self.table.seats(*seats).place(self.choose(PAUSES_MS))
        if self.choose((False, False, False, False, True)):
            self.table.seats(seats[0]).lift(self.choose(PAUSES_MS))
        if self.state.phase is Phase.OPEN and not self.table.panel:
            if self.choose((True, True, False)):
                self.dealer.presses("no-more-bets")
            else:
                self.table.turns_switch(locked=True)

    def bets_by_hand(self) -> None:
        """A sensor is marked as dead, or as working; a dead one's seat is tapped."""
        marks = [word for word in self.table.pressable() if word.startswith("seat")]
        if marks:
            self.dealer.presses(self.choose(marks))
        else:
            self.dealer.presses("problem table", "problem sensors")
            sensors = [word for word in self.table.pressable() if word.startswith("sensor")]
            self.dealer.presses(*([self.choose(sensors)] if sensors else []), "back")

    def counts(self) -> None:
        self.dealer.presses(f"count {len(self.state.wagers)}")
        self.table.seats(*self.table.chips).lift()

    def settles_difference(self) -> None:
        words = [word for word in self.table.pressable() if word.startswith("settle")]
        if words:
            self.dealer.presses(self.choose(words), by=DIAZ)
        elif self.choose((True, False)):
            self.dealer.presses("recount")
        else:
            self.dealer.presses(self.choose([word for word in self.table.pressable() if word.startswith("seat")]))

    def finds_winners(self) -> None:
        self.table.bank.listens()
        if "acknowledge" in self.table.pressable():
            self.dealer.presses("acknowledge")
            return
        if waits := self._shown("recut", "stub-right"):  # a deal waits for the floor's order, a round for its count
            self.restores_order()
            self._one_of(*waits)
            return
        lit = [word for word in self.table.pressable() if word.startswith("seat")]
        envied = [word for word in self.table.pressable() if word.startswith("envy")]
        if self.state.round.turn:
            hands = [
                word for word in self.table.pressable() if word.startswith("hand ")
            ]  # what was named leaves few, or none
            self.dealer.presses(self.choose(envied or hands or [f"seat {self.state.round.turn}"]))
        elif lit and ("clear" not in self.table.pressable() or bool(self.choose((True, True, False)))):
            self.dealer.presses(self.choose(lit))  # also where a seat wins with any flop that was named (653a.11(k))
        elif "clear" in self.table.pressable():  # dark while a deal waits for its machine
            self.dealer.presses("clear")

    def enters_cards(self) -> None:
        """The cards of some hand, mostly of the one that was named."""
        prize = self._in_hand()
        if prize.cards or prize.rank:
            self.dealer.presses("cancel")  # they make no hand, or somebody else began: from the start again
            return
        self.dealer.enters(cards_of(self.choose((prize.hand, prize.hand, *HANDS))))
        if "show" in self.table.pressable():
            self.dealer.presses("show")

    def validates(self) -> None:
        word = self.choose(("approve", "approve", "approve", "not-a-winner"))
        if word == "approve":
            self.awaits_the_bank()
        self.dealer.presses(word, by=self.choose(FLOOR))

    def hears_price(self) -> None:
        self.table.bank.listens()

    def ends_claim(self) -> None:
        word, by = self.choose(("claim-paid", "claim-paid", "claim-rejected")), self.choose(FLOOR)
        self.awaits_the_bank()
        assert (word in self.table.pressable(by)) is (by not in self._in_hand().by), "dark for whoever validated"
        self.table.press(word, by)

    def _in_hand(self) -> Prize:
        prize = self.state.seat(self.state.round.turn).prize
        assert prize is not None
        return prize

    def awaits_the_bank(self) -> None:
        """A prize waits: the bank is heard, or two people sign; where the records differ that alarm ends."""
        if may_pay_unheard(self.state) and self.choose((True, False)):
            first = self.state.neighbors.unheard_by
            left = [badge for badge in (DIAZ, OKAFOR) if badge not in first]
            for key, by in zip(("unheard", "unheard-second")[len(first) :], left, strict=True):
                self.dealer.presses(*(() if self.table.panel else ("problem",)), f"problem {key}")
                self.dealer.presses("apply", by=by)
        elif why_unpaid(self.state):
            self.restores_order()

    def pays(self) -> None:
        self.awaits_the_bank()
        self.dealer.presses("paid")

    def pays_envy(self) -> None:
        marks = [word for word in self.table.pressable() if word.startswith("seat")]
        if marks and bool(self.choose((True, False))):
            self.dealer.presses(self.choose(marks))
        self.awaits_the_bank()
        self.dealer.presses("envy-paid", by=DIAZ)

    def clears(self) -> None:
        self.table.seats(*self.table.chips).lift()
        self.dealer.presses(*self._shown("stub-right") or ["clear"])

    def has_a_problem(self) -> None:
        """Something is told under PROBLEM: a void round, other decks, a covered device, the end of the day."""
        if not self.table.panel:
            if not (lit := self._shown("problem")):
                return  # nothing can be told
            self.dealer.presses(self.choose(lit))
        self.tells_a_problem()

    def tells_a_problem(self) -> None:
        """One of those that the list shows; who has to sign signs, and a corrected seat has its reason."""
        told = self._shown("problem ")
        if told:
            self.dealer.presses(self.choose(told))
        by = self.choose(FLOOR)
        for begins in ("left ", "correct ", "correct "):  # the seat, then the reason
            if words := self._shown(begins, by=by):
                self.dealer.presses(self.choose(words), by=by)
        if self.table.panel and self._shown("apply", by=by):
            self.dealer.presses("apply", by=by)

    # Before the first round, between two, and after the last --------------------------------------------------------------

    def opens_table(self) -> None:
        """Decks come: preinspected and to be cut, or to be inspected, verified, looked at, washed, shuffled and cut."""
        self.restores_order()
        self._one_of("preinspected", "preinspected", "received")

    def inspects(self) -> None:
        self._one_of("inspected", "inspected", "inspected", "defect", "undo")

    def verifies(self) -> None:
        self._one_of("verify", "verify", "verify", "defect", "undo", by=self.choose(FLOOR))

    def lays_out(self) -> None:
        """The spread cards are looked at, then washed and stacked."""
        self._one_of("looked", "stacked", "looked", "stacked", "face-up", "undo")

    def shuffles(self) -> None:
        self.restores_order()
        self._one_of("shuffled", "shuffled-and-cut", "shuffled", "shuffled-and-cut", "undo")

    def cuts(self) -> None:
        self._one_of("cut", "cut", "cut", "undo")

    def empties(self) -> None:
        """The cards are counted at the closing; a floorperson closes a table whose count is not right."""
        word = self.choose(self._shown("emptied", "undo"))
        self.dealer.presses(word)
        by = self.choose(FLOOR)
        if self.choose((True, False)) and self._shown("shut-short", by=by):
            self.dealer.presses("shut-short", by=by)

    def fetches(self) -> None:
        """Between two rounds: somebody looks after all that keeps bets closed, and accepts another shuffler."""
        self.restores_order()
        for number, _ in self.state.decks.miscounted:
            self.dealer.presses("problem", f"problem remove-{number}")
            self.dealer.presses("apply", by=self.choose(FLOOR))
        for word in self._shown("fetch"):
            self.dealer.presses(word)
        if self.state.phase is Phase.CLOSED and self.state.decks.unit not in ("", self.state.neighbors.shuffler.unit):
            self.dealer.presses("problem")
            self.dealer.presses(*self._shown("problem new-unit"))
            if self._shown("apply", by=DIAZ):
                self.dealer.presses("apply", by=DIAZ)

    def _one_of(self, *words: str, by: str = "") -> None:
        """One of these keys, as far as the screen shows them."""
        shown = self.table.pressable(by)
        if offered := [word for word in words if word in shown]:
            self.dealer.presses(self.choose(offered), by=by)

    def _shown(self, *begins: str, by: str = "") -> list[str]:
        """The keys that the screen shows, of those that begin so."""
        return sorted(word for word in self.table.pressable(by) if word.startswith(begins))

    def restores_order(self) -> None:
        """Somebody looks after every neighbor."""
        self.table.bank.listens()
        self.table.link(True)
        if not self.state.felt.up:
            self.table.sensors(True)
        if not self.table.switch_on:
            self.table.turns_switch(locked=False)
        deck = self.state.deck
        self.table.shuffles(
            connected=True,
            unit=self.choose((self.state.decks.unit, self.state.neighbors.shuffler.unit)) or "S-1",
            mode="empty" if self.state.decks.covered else "ready",
            fault="",
            count=0 if self.state.decks.covered else 52,
            deck=deck.color if deck and not self.state.decks.covered else "",
            alarm=self.state.neighbors.shuffler.alarm,
        )
        if "acknowledge" in self.table.pressable():
            self.dealer.presses("acknowledge")
        self.table.waits(40)

    # Those who do not ----------------------------------------------------------------------------------------------------

    def thinks_better_of_it(self) -> None:
        """The last press, and perhaps some before it, are taken back."""
        for _ in range(self.choose((1, 1, 1, 2, 5))):
            if self.table.offers("undo"):
                self.dealer.presses("undo")

    def presses_anything(self) -> None:
        """Any enabled key, with or without somebody's badge."""
        by = self.choose(BADGES)
        self.dealer.presses(self.choose(sorted(self.table.pressable(by))), by=by)

    def says(self, word: str) -> None:
        """A word that no key may say now."""
        self.table.hears(Pressed(word, self.choose((*BADGES, "9999"))))

    def moves_chips(self) -> None:
        moved = self.table.seats(*self._some_seats())
        if self.choose((True, False)):
            moved.place(self.choose(PAUSES_MS))
        else:
            moved.lift(self.choose(PAUSES_MS))

    def bounces_chips(self) -> None:
        moved = self.table.seats(*self._some_seats())
        for _ in range(self.choose((1, 2, 5))):
            moved.place(self.choose((1, 5, 19)))
            moved.lift(self.choose((1, 5, 19)))

    def turns_switch(self) -> None:
        bounces = [self.choose((2, 9, 19, 21)) for _ in range(2 * self.choose((0, 0, 1, 2)))]
        self.table.turns_switch(locked=self.table.switch_on, bounces=bounces, ms=self.choose(PAUSES_MS))

    def hours_pass(self) -> None:
        """The loop tells the time now and then: a deck grows old."""
        self.table.now += self.choose((1, 10, 200, 500)) * 60_000
        self.table.ticks()

    def waits(self) -> None:
        self.table.waits(self.choose((1, 25, 1_500)))

    # What goes wrong -------------------------------------------------------------------------------------------------------

    def has_trouble(self) -> None:
        self.choose(TROUBLE)(self)

    def shuffler_speaks(self) -> None:
        fault = self.choose(("", "", "jam", "jam", "jam", "door"))
        mode = self.choose(("ready", "shuffling", "dispensing", "idle", "sort", "off", "fault"))
        alarm = self.table.shuffler.alarm + bool(fault)
        connected = self.choose((True, True, True, True, False))
        count = self.choose((52, 52, 51, None))
        unit = self.choose(("S-1", "S-1", "S-2"))
        self.table.shuffles(connected=connected, mode=mode, count=count, fault=fault, alarm=alarm, unit=unit)

    def link_goes(self) -> None:
        self.table.link(not self.state.neighbors.link_up)

    def sensors_go(self) -> None:
        self.table.sensors(not self.state.felt.up)

    def bank_repeats_itself(self) -> None:
        self.table.bank.speaks()

    def bank_comes_from_a_backup(self) -> None:
        held = len(self.table.bank.held)
        self.table.bank.goes_back(max(0, held - self.choose((0, 1, 2, 5, 10_000))))
        self.table.bank.speaks()

    def bank_alarms(self) -> None:
        self.table.hears(self.table.bank.said(alarm="hash", alarm_text="another message"))

    def somebody_mistypes(self) -> None:
        self.table.hears(PinRefused(DIAZ, as_is("Wrong PIN.")))
        self.table.hears(Complaints("shuffler", "garbage", 2))

    def power_goes(self) -> None:
        lit = self.table.lit
        assert self.table.replayed() == self.state, "the journal alone gives the same state"
        self.table.loses_power()
        assert self.table.lit == lit, "a lit lamp is on disk"
        if self.choose((True, True, False)):
            self.table.comes_back()

    def _some_seats(self) -> list[int]:
        first = self.choose(sorted(self.table.chips))
        return sorted({first, *(self.choose(sorted(self.table.chips)) for _ in range(self.choose((0, 1, 3))))})


Act = Callable[[Crowd], None]

NEXT: dict[Phase, Act] = {
    Phase.SHUT: Crowd.opens_table,
    Phase.INSPECT: Crowd.inspects,
    Phase.VERIFY: Crowd.verifies,
    Phase.SPREAD: Crowd.lays_out,
    Phase.WASH: Crowd.lays_out,
    Phase.SHUFFLE: Crowd.shuffles,
    Phase.CUT: Crowd.cuts,
    Phase.IDLE: Crowd.lays_out,
    Phase.EMPTY: Crowd.empties,
    Phase.CLOSED: Crowd.fetches,
    Phase.OPEN: Crowd.bets,
    Phase.COUNT: Crowd.counts,
    Phase.DIFFERENCE: Crowd.settles_difference,
    Phase.DEAL: Crowd.finds_winners,
    Phase.SETTLE: Crowd.finds_winners,
    Phase.CARDS: Crowd.enters_cards,
    Phase.VALIDATE: Crowd.validates,
    Phase.PRICE: Crowd.hears_price,
    Phase.HOLD: Crowd.ends_claim,
    Phase.PAY: Crowd.pays,
    Phase.ENVY: Crowd.pays_envy,
    Phase.VOID: Crowd.clears,
}
TROUBLE: tuple[Act, ...] = (
    Crowd.shuffler_speaks,
    Crowd.link_goes,
    Crowd.sensors_go,
    Crowd.bank_repeats_itself,
    Crowd.bank_comes_from_a_backup,
    Crowd.bank_alarms,
    Crowd.somebody_mistypes,
    Crowd.power_goes,
)


# What the whole history must show -------------------------------------------------------------------------------------


def rounds_of(table: Table) -> dict[int, dict[str, list[tuple[int, ...]]]]:
    """Per round: the seats agreed at the count, those whose wager went back because it was void, or bets were reopened.

    `stays`: those that had won a share of a meter, for which the bank keeps the wagers of a void round.
    """
    told: dict[int, dict[str, list[tuple[int, ...]]]] = {}
    for before, event in table.standing():
        number = before.round.number
        if isinstance(event, e.BetsReopened) and number in told:
            told[number]["back"] += [seats for seats in told[number]["agreed"] if seats]
            told[number]["agreed"].clear()
        if isinstance(event, e.CountAgreed):
            told.setdefault(number, {"agreed": [], "void": [], "back": [], "stays": []})["agreed"].append(event.seats)
        if isinstance(event, e.RoundVoided):
            here = told.setdefault(number, {"agreed": [], "void": [], "back": [], "stays": []})
            if before.round.void_cite:
                assert here["void"] and not event.returned, "a void round gave its wagers back a second time"
            else:
                here["void"].append(lit_seats(event.returned))
                here["stays"] += [(one.seat,) for one in shares_paid(before)]
    return told


def ledger_holds(table: Table) -> None:
    """What stands of a round at the bank is exactly what was agreed; it goes back once, by a void round or open bets."""
    owed = table.told
    assert [message.seq for message in owed] == list(range(1, len(owed) + 1))
    stands: dict[int, list[int]] = {}
    back: list[tuple[int, list[int]]] = []
    for message in owed:
        number = message.body.get("round", 0)
        if message.kind == "wagers":
            assert number not in stands, "a round's wagers were owed twice"
            stands[number] = message.made["progressive"]
        if message.kind == "reversal":
            assert number in stands, "a round was reversed twice"
            back.append((number, stands.pop(number)))
    told = rounds_of(table)
    assert all(len(round["agreed"]) <= 1 and len(round["void"]) <= 1 for round in told.values())
    agreed = {number: list(round["agreed"][0]) for number, round in told.items() if any(round["agreed"])}
    void = {number for number, round in told.items() if round["void"] and not round["stays"]}
    kept = {number: seats for number, seats in agreed.items() if number not in void}
    assert stands == kept, "the bank is owed other wagers than were agreed, or a void round's"
    reopened = [(number, list(seats)) for number, round in told.items() for seats in round["back"]]
    voided = [(number, seats) for number, seats in agreed.items() if number in void]
    assert sorted(back) == sorted([*reopened, *voided]), "what went back is what was opened again, or void"


def each_is_paid_once(table: Table) -> None:
    """A seat's prize is paid once a round, at what the house owes, and never in a void one; what nobody corrects two people
    have void, and a share stays.
    """
    claims: list[str] = []
    seen: set[tuple[int, int]] = set()
    void: set[int] = set()
    for before, event in table.history():
        number = before.round.number
        if isinstance(event, e.RoundVoided):
            void.add(number)
            shares = {one.seat for one in shares_paid(before)}
            assert {seat for paid_in, seat in seen if paid_in == number} <= shares, "a round with a payment was void"
            assert bool(event.signed) == bool(shares or event.envy)
            won = {one.seat for one in shares_paid(before) if one.wager == "progressive"}
            assert not won.intersection(lit_seats(event.returned)), "what won a share went back"
            assert len({*event.signed}) == len(event.signed) and all(badge in FLOOR for badge in event.signed)
        if isinstance(event, e.PrizePaid | e.ClaimPaid):
            assert (number, event.seat) not in seen, f"seat {event.seat} was paid twice in round {number}"
            assert number not in void, "a void round was paid"
            seen.add((number, event.seat))
        if isinstance(event, e.ClaimPaid):
            claims.append(event.claim)
        if isinstance(event, e.SettlementCorrected) and event.wager != "envy" and event.lines:
            assert (number, event.seat) in seen, "nothing was paid that a floorperson corrects"
            assert event.by in FLOOR and event.reason
            seen.discard((number, event.seat))
    assert len(claims) == len(set(claims))


def decks_hold(table: Table) -> None:
    """A deck that left never comes back, none is dealt unshuffled, uncut or before an order was carried out."""
    came = [0]
    for before, event in table.history():
        if isinstance(event, e.DecksReceived):
            numbers = [number for number, _ in event.decks]
            assert numbers == list(range(came[-1] + 1, came[-1] + 1 + len(numbers))), "a number is never used again"
            came += numbers
        if isinstance(event, e.Told) and event.by and way_of(event) in (e.DeckRemoved, DeckWork.VERIFIED):
            assert event.by in FLOOR
        if isinstance(event, e.BetsOpened):
            _ready(table.house, before)
        if before.phase is Phase.DEAL and isinstance(event, e.SettlingBegun | e.RoundCleared):
            assert not before.decks.recut, "a floorperson's order was not carried out before the first card"
            assert machine_used(table.house, before) or before.decks.cards == "cut", (
                "a deck that nobody shuffled and cut"
            )
        if isinstance(event, e.TableShut) and event.cards != 52 * len(before.decks.here):
            assert event.reason and event.by in FLOOR, "a wrong count is signed for"


def _ready(house: House, state: TableState) -> None:
    """What has to be there before bets open."""
    assert sorted(deck.color for deck in state.decks.here) == sorted(house.equipment.colors)
    assert not state.decks.due and state.deck is not None
    assert not state.decks.miscounted, "a deck that a machine counted wrong"
    assert machine_used(house, state) or state.decks.cards == "cut", "by hand: shuffled and cut"
