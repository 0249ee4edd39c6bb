"""All that can happen at a table: dealers, players, floorpersons, devices, the bank and the power.

Each act takes its choices from `choose`, so that hypothesis can shrink them and a seeded generator can make thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from firmware.table import events as e
from firmware.table.inputs import Complaints, PinRefused, Pressed
from firmware.table.state import Phase, TableState
from tests.table.table import DEALER, DIAZ, HANDS, OKAFOR, Dealer, Table, cards_of

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
    "rank A", "suit h", "slot 5", "card-back", "cancel", "problem face-up", "sensor 2", "acknowledge", "problem",
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
        if not self.state.panel:
            NEXT[self.state.phase](self)
        elif self.state.panel.startswith("void") and self.choose((True, False)):
            self.voids()
        else:
            self.dealer.presses("back")

    def bets(self) -> None:
        if self.choose((False, False, False, True)):
            self.bets_by_hand()
        seats = self._some_seats()
        self.table.seats(*seats).place(self.choose(PAUSES_MS))
        if self.state.phase is Phase.OPEN and not self.state.panel:
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
            self.dealer.presses("problem", f"sensor {self.choose(sorted(self.table.chips))}", "back")

    def counts(self) -> None:
        self.dealer.presses(f"count {len(self.state.wagers)}")
        self.table.seats(*self.table.chips).lift()

    def settles_difference(self) -> None:
        words = [word for word in self.table.pressable() if word.startswith("settle")]
        if words:
            self.dealer.presses(self.choose(words))
        elif self.choose((True, False)):
            self.dealer.presses("undo")
        else:
            self.dealer.presses(self.choose([word for word in self.table.pressable() if word.startswith("seat")]))

    def finds_winners(self) -> None:
        self.table.bank.listens()
        lit = [word for word in self.table.pressable() if word.startswith("seat")]
        if self.state.turn:
            self.dealer.presses(f"hand {self.choose(PRIZED)}")
        elif lit and self.choose((True, True, False)):
            self.dealer.presses(self.choose(lit))
        else:
            self.dealer.presses("clear")

    def enters_cards(self) -> None:
        """The cards of some hand, mostly of the one that was named."""
        prize = self.state.seat(self.state.turn).prize
        assert prize is not None
        if prize.cards:
            self.dealer.presses("cancel")  # they make no hand, or somebody else began: from the start again
            return
        if prize.rank:
            self.dealer.presses("card-back")
        self.dealer.enters(cards_of(self.choose((prize.hand, prize.hand, *HANDS))))
        self.dealer.presses("show")

    def validates(self) -> None:
        word = self.choose(("approve", "approve", "approve", "not-a-winner"))
        self.dealer.presses(word, by=self.choose(FLOOR))

    def hears_price(self) -> None:
        self.table.bank.listens()

    def ends_claim(self) -> None:
        self.dealer.presses(self.choose(("claim-paid", "claim-paid", "claim-rejected")), by=self.choose(FLOOR))

    def pays(self) -> None:
        self.dealer.presses("paid")

    def pays_envy(self) -> None:
        marks = [word for word in self.table.pressable() if word.startswith("seat")]
        if marks and self.choose((True, False)):
            self.dealer.presses(self.choose(marks))
        self.dealer.presses("envy-paid")

    def clears(self) -> None:
        self.table.seats(*self.table.chips).lift()
        self.dealer.presses("clear")

    def voids(self) -> None:
        void = [word for word in self.table.pressable() if word.startswith("void ")]
        self.dealer.presses(self.choose(void))
        if self.state.panel.startswith("void "):
            self.dealer.presses("apply", by=self.choose(FLOOR))

    def restores_order(self) -> None:
        """Somebody looks after every neighbour."""
        self.table.bank.listens()
        self.table.link(True)
        if not self.state.sensors_up:
            self.table.sensors(True)
        if not self.table.switch_on:
            self.table.turns_switch(locked=False)
        self.table.shuffles(connected=True, mode="ready", fault="", count=52, alarm=self.state.shuffler.alarm)
        if "acknowledge" in self.table.pressable():
            self.dealer.presses("acknowledge")
        self.table.waits(40)

    # Those who do not ----------------------------------------------------------------------------------------------------

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

    def waits(self) -> None:
        self.table.waits(self.choose((1, 25, 1_500)))

    # What goes wrong -------------------------------------------------------------------------------------------------------

    def has_trouble(self) -> None:
        self.choose(TROUBLE)(self)

    def shuffler_speaks(self) -> None:
        fault = self.choose(("", "", "jam", "door"))
        mode = self.choose(("ready", "shuffling", "dispensing", "idle", "sort", "off", "fault"))
        alarm = self.table.shuffler.alarm + bool(fault)
        connected = self.choose((True, True, False))
        count = self.choose((52, 52, 51, None))
        self.table.shuffles(connected=connected, mode=mode, count=count, fault=fault, alarm=alarm)

    def link_goes(self) -> None:
        self.table.link(not self.state.link_up)

    def sensors_go(self) -> None:
        self.table.sensors(not self.state.sensors_up)

    def bank_repeats_itself(self) -> None:
        self.table.bank.speaks()

    def bank_comes_from_a_backup(self) -> None:
        held = len(self.table.bank.held)
        self.table.bank.goes_back(max(0, held - self.choose((0, 1, 2, 5, 10_000))))
        self.table.bank.speaks()

    def bank_alarms(self) -> None:
        self.table.hears(self.table.bank.said(alarm="hash", alarm_text="another message"))

    def somebody_mistypes(self) -> None:
        self.table.hears(PinRefused(DIAZ, "Wrong PIN."))
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
    Phase.CLOSED: Crowd.restores_order,
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


def rounds_of(happened: Iterable[e.Event]) -> dict[int, dict[str, list[tuple[int, ...]]]]:
    """Per round: the seats agreed at the count, and those whose wager went back because it was void."""
    number, told = 0, {}
    for event in happened:
        if isinstance(event, e.BetsOpened | e.ClearTakenBack):
            number = event.round
        if isinstance(event, e.CountAgreed):
            told.setdefault(number, {"agreed": [], "void": []})["agreed"].append(event.seats)
        if isinstance(event, e.RoundVoided):
            told.setdefault(number, {"agreed": [], "void": []})["void"].append(event.returned)
    return told


def ledger_holds(table: Table) -> None:
    """The wagers of a round are owed once, with exactly the agreed seats; a reversal at most once, for those only."""
    owed = table.owed
    assert [message.seq for message in owed] == list(range(1, len(owed) + 1))
    sent = {message.body["round"]: message.body["seats"] for message in owed if message.kind == "wagers"}
    assert len(sent) == sum(message.kind == "wagers" for message in owed), "a round's wagers were owed twice"
    back = [message.body["round"] for message in owed if message.kind == "reversal"]
    assert len(back) == len(set(back)), "a round was reversed twice"
    told = rounds_of(table.happened)
    assert all(len(round["agreed"]) <= 1 and len(round["void"]) <= 1 for round in told.values())
    agreed = {number: list(round["agreed"][0]) for number, round in told.items() if any(round["agreed"])}
    assert sent == agreed, "the bank is owed other wagers than were agreed"
    void = {number for number, round in told.items() if round["void"]}
    assert set(back) == void & set(sent), "void rounds that the bank knows, and no other, are reversed"


def each_is_paid_once(table: Table) -> None:
    """A seat's prize is paid once a round, at what the house owes, and never in a void one."""
    number, seen, claims, void = 0, set(), [], set()
    for event in table.happened:
        if isinstance(event, e.BetsOpened | e.ClearTakenBack):
            number = event.round
        if isinstance(event, e.RoundVoided):
            void.add(number)
            assert not [seat for paid_in, seat in seen if paid_in == number], "a round with a payment was void"
        if isinstance(event, e.PrizePaid | e.ClaimPaid):
            assert (number, event.seat) not in seen, f"seat {event.seat} was paid twice in round {number}"
            assert number not in void, "a void round was paid"
            seen.add((number, event.seat))
        if isinstance(event, e.ClaimPaid):
            claims.append(event.claim)
    assert len(claims) == len(set(claims))


def finds_a_way_on(table: Table, presses_max: int = 60) -> None:
    """With healthy neighbours and two floorpersons there, keys that the screen offers lead to open bets.

    Tried on a copy: the table under test is left as it is.
    """
    copy = Table.again(table)
    copy.switch_on = True
    copy.shuffler = Table().shuffler
    copy.bank = table.bank.copied_to(copy)
    copy.comes_back()
    copy.shuffles(alarm=table.state.shuffler.alarm)
    dealer = Dealer(copy)
    for _ in range(presses_max):
        copy.bank.listens()
        if copy.state.phase is Phase.OPEN and not copy.state.panel:
            return
        word, by = _sensible(copy)
        dealer.presses(word, by=by)
    raise AssertionError(f"no way on from {table.phase}, stands at {copy.phase}: {copy.notice}")


def _sensible(table: Table) -> tuple[str, str]:
    """What a dealer who wants to be done presses next, and whose badge lies there."""
    keys = table.pressable()
    if table.state.panel:
        return "back", ""
    if table.state.phase is Phase.COUNT:
        return f"count {len(table.state.wagers)}", ""
    if table.state.phase is Phase.HOLD:
        prize = table.state.seat(table.state.turn).prize
        assert prize is not None
        return "claim-rejected", next(badge for badge in FLOOR if badge not in prize.by)
    for word in ("acknowledge", "paid", "envy-paid", "cancel", "clear", "undo"):
        if word in keys:
            return word, ""
    raise AssertionError(f"no key leads on from {table.phase}: {sorted(keys)}; {table.notice}")
