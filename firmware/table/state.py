"""What a table knows: one frozen value, rebuilt from the journal after any power cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from firmware.rules.paytable import Progressive

NO_HASH = "0" * 64


class Phase(StrEnum):
    """Where a round stands. `firmware.table.phases` says which event leads where."""

    CLOSED = "closed"
    """Nothing at stake; opens by itself when nothing stands in the way."""
    OPEN = "open"
    COUNT = "count"
    DIFFERENCE = "difference"
    DEAL = "deal"
    WINNERS = "winners"
    CARDS = "cards"
    VALIDATE = "validate"
    PRICE = "price"
    HOLD = "hold"
    PAY = "pay"
    ENVY = "envy"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Prize:
    """What a seat's progressive wager has won. `amount` is in cents, None until the bank has priced a share."""

    hand: str
    odds: str
    cite: str
    amount: int | None = None
    meter: str = ""
    percent: int = 0
    cards: tuple[str, ...] = ()
    rank: str = ""
    slot: int = 0
    claim: str = ""
    by: tuple[str, ...] = ()
    status: str = "named"
    """named, validated, claimed, pending, paid or rejected."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One betting position and its sensor."""

    covered: bool = False
    before_lock: bool = False
    """Covered since before the last lock: no wager until it was seen uncovered."""
    ignored: bool = False
    """Covered while progressive bets were off: no wager until it was seen uncovered."""
    dead: bool = False
    """The dealer marked the sensor as dead; wagers are entered by hand."""
    wager: bool = False
    late: bool = False
    late_ms: int | None = None
    was_lit: bool = False
    mark: str = ""
    """"same player" (another box of the holder of an envy hand) or "left" (abandoned)."""
    prize: Prize | None = None


@dataclass(frozen=True, slots=True)
class Shuffler:
    """The shuffler's last word. `alarm` above `acknowledged` is an alarm that nobody has seen."""

    connected: bool = False
    unit: str = ""
    mode: str = "off"
    count: int | None = None
    deck: str = ""
    fault: str = ""
    alarm: int = 0
    acknowledged: int = 0


@dataclass(frozen=True, slots=True)
class Owed:
    """A message to the bank as it goes over the wire."""

    seq: int
    hash: str
    text: str


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table. Seats are numbered from 1, the dealer's far left; `seats[n - 1]` is seat n."""

    table: str = ""
    journal: str = ""
    boot: str = ""
    phase: Phase = Phase.CLOSED
    round: int = 0
    seats: tuple[Seat, ...] = ()
    lock_at_ns: int = 0
    lock_boot: str = ""
    lock_source: str = ""
    chips: int = 0
    """Counted chips that are not yet settled with the lamps."""
    question: int = 0
    """The seat that the dealer tapped in a difference, 0 for none."""
    turn: int = 0
    """The seat whose prize is being settled, 0 for none."""
    envy: tuple[tuple[int, int], ...] = ()
    void_cite: str = ""
    floor_called: bool = False
    panel: str = ""
    notice: str = ""
    """Why the last press was refused; the next step clears it."""
    complaint: str = ""
    """The last refused bytes or payload of this round, for the screen."""
    complaints: int = 0
    """All that were refused since the journal began."""
    switch_locked: bool = True
    shuffler: Shuffler = field(default_factory=Shuffler)
    link_up: bool = False
    link_why: str = "not connected since the start"
    sensors_up: bool = False
    sensors_why: str = "not heard of since the start"
    bank_alarm: str = ""
    bank_alarm_text: str = ""
    bank_epoch: str = ""
    bank_seq: int = 0
    outbox: tuple[Owed, ...] = ()
    """The last messages owed to the bank, held or not, oldest first."""
    sent_wagers: bool = False
    """This round's wagers are in the outbox: they are the bank's business too."""
    before_clear: tuple[Seat, ...] = ()
    """The seats as they stood when the last round was cleared, for taking it back; () when that is no longer possible."""

    def seat(self, number: int) -> Seat:
        """Seat `number`, from 1."""
        return self.seats[number - 1]

    def numbered(self) -> Iterator[tuple[int, Seat]]:
        """Every (number, seat), from the dealer's left."""
        return enumerate(self.seats, start=1)

    def with_seat(self, number: int, seat: Seat) -> TableState:
        """The same table with one other seat."""
        return replace(self, seats=(*self.seats[: number - 1], seat, *self.seats[number:]))

    @property
    def wagers(self) -> tuple[int, ...]:
        """The seats whose wager is recognised."""
        return tuple(number for number, seat in self.numbered() if seat.wager)

    @property
    def seq(self) -> int:
        """The number of the last message owed, 0 before the first."""
        return self.outbox[-1].seq if self.outbox else 0

    @property
    def owed(self) -> tuple[Owed, ...]:
        """What the bank does not hold, in order."""
        return tuple(message for message in self.outbox if message.seq > self.bank_seq)

    @property
    def locked(self) -> bool:
        """The lock line: no progressive wager may be placed."""
        return self.phase is not Phase.OPEN or not recognises(self)


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a badge. Roles: dealer, floorperson, manager, technician."""

    badge: str
    name: str
    role: str

    @property
    def is_floor(self) -> bool:
        """A floorperson or above (653a.11(k)(3))."""
        return self.role in ("floorperson", "manager")


@dataclass(frozen=True, slots=True)
class House:
    """What a casino decided: the rules submission's progressive wager, its book's irregularities, people.

    `voids`: paragraph -> what happened, for all that voids a round. Constant while a program runs.
    """

    progressive: Progressive
    debounce_ns: int
    people: Mapping[str, Person]
    voids: Mapping[str, str]


def lamps(state: TableState) -> dict[int, str]:
    """What every seat's lamp shows: dark, lit, late or fault. A wager stays lit to the end of its round."""
    return {number: _lamp(state, seat) for number, seat in state.numbered()}


def _lamp(state: TableState, seat: Seat) -> str:
    if seat.wager:
        return "lit"
    if seat.late and seat.covered:
        return "late"
    if state.phase is Phase.OPEN and seat.before_lock and not seat.dead:
        return "fault"
    return "dark"


def recognises(state: TableState) -> bool:
    """True where a progressive wager placed now is recognised: the bank can be told and no alarm stands."""
    return state.link_up and state.sensors_up and not state.bank_alarm


def why_off(state: TableState) -> str:
    """Why progressive wagers are not recognised, in words for the dealer; "" where they are."""
    if state.bank_alarm:
        return f"Bank alarm: {state.bank_alarm_text}"
    if not state.sensors_up:
        return f"Sensors lost: {state.sensors_why}"
    if not state.link_up:
        return f"No link to the bank: {state.link_why}"
    return ""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why bets do not open, and what to do about it."""

    what: str
    remedy: str


FULL_DECK = 52


def obstacles(state: TableState) -> tuple[Obstacle, ...]:
    """All that keeps bets closed between two rounds, the most urgent first."""
    return tuple(_obstacles(state))


def _obstacles(state: TableState) -> Iterator[Obstacle]:
    shuffler = state.shuffler
    if shuffler.alarm > shuffler.acknowledged:
        yield Obstacle(
            f"Shuffler alarm: {shuffler.fault or 'see the unit'}", "Clear the fault, then press ACKNOWLEDGE."
        )
    if not shuffler.connected:
        yield Obstacle("Shuffler not connected", "Check its power and cable.")
    elif shuffler.fault:
        yield Obstacle(f"Shuffler fault: {shuffler.fault}", "Clear it at the unit; it must reshuffle.")
    elif shuffler.mode in ("sort", "service", "off", "selftest", "fault"):
        yield Obstacle(f"Shuffler is in {shuffler.mode} mode", "Set it to shuffle.")
    elif shuffler.mode == "ready" and shuffler.count != FULL_DECK:
        yield Obstacle(f"Shuffler counts {shuffler.count}, not {FULL_DECK}", "Remove that deck (653a.5(b)).")
    if state.bank_alarm:
        yield Obstacle(f"Bank alarm: {state.bank_alarm_text}", "Call the floor; two people must look.")
    if not state.sensors_up:
        yield Obstacle(f"Sensors lost: {state.sensors_why}", "Call the technician.")
    if state.switch_locked:
        yield Obstacle("Lockout switch is locked", "Turn it to open.")
