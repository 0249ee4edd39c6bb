"""The events of the bank. Each event is a row of the journal and carries its outcome, so replay needs no rulebook.

An event that a table's message caused carries that message's `Position`, and its ledger entries with it: the position
and the effect are one row, so that neither can exist without the other. No field has a default. A kind once fielded is
readable for good: a class that must then change gets the next `VERSION` and a step in `UPGRADES` that turns the older body
into the newer one.
Amounts that people are paid are cents, meters and entries are micro-dollars, every `at` is UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, get_args

from msgspec import Struct

from firmware.bank.ledger import Account, Entry
from firmware.rules.money import Cents, Micros
from firmware.wire.from_table import Verdict
from firmware.wire.offers import WagerOffered
from firmware.wire.reports import AccountMoved, Counted, DayEnded, Payments


class Position(Struct, frozen=True):
    """A table's message, by its place among that table's messages and its hash.

    `rows`, `head`: how far the table's journal had come; 0 and "" where it did not say.
    """

    table: str
    journal: str
    seq: int
    hash: str
    rows: int
    head: str


class MeterSeed(Struct, frozen=True):
    """A meter, the amount it starts with, and the account on which it stands: a reserve is no meter that is shown.

    A progressive meter is reset to its seed (653a.12(d)(3)), the Five Card Hand's to its reserve (653a.12(e)(4)).
    """

    name: str
    seed: Micros
    account: Account


class Claim(Struct, frozen=True):
    """A share of a meter, frozen. `amount` is what is paid; `reseed` what its reset took; `now` the meter after it.

    `backers`: the wagers among which `amount` is divided, equally and in whole cents. `reserve`: the reserve that the
    reseed came from, "" where the house seeds. `made`: when, by the table's clock, seconds of UTC; 0 where it did not say.
    """

    claim: str
    table: str
    round: int
    seat: int
    hand: str
    cards: tuple[str, ...]
    floor: str
    wager: str
    backers: int
    meter: str
    reserve: str
    percent: int
    amount: Cents
    reseed: Micros
    now: Cents
    cite: str
    at: str
    made: int

    @property
    def takes(self) -> tuple[str, ...]:
        """The meter that it takes a share of, and the reserve that this starts again with."""
        return tuple(filter(None, (self.meter, self.reserve)))


# The bank itself ----------------------------------------------------------------------------------------------------


class Recorded(Struct, frozen=True):
    """A row of the bank's journal."""

    VERSION: ClassVar[int] = 1


class BankStarted(Recorded, frozen=True):
    """The program started on this journal. `epoch` is another than before where the ledger is new or restored.

    `term` is higher than at the last start; a bank that comes back after a rival of this ledger takes a new one too.
    `forgotten`: epochs that this ledger had after the backup that was put back.
    """

    at: str
    epoch: str
    title: str
    tables: tuple[str, ...]
    term: int
    forgotten: tuple[str, ...]


class TablesAdded(Recorded, frozen=True):
    """While the bank ran, its configuration named more tables: these are all of them."""

    at: str
    tables: tuple[str, ...]


class MetersSeeded(Recorded, frozen=True):
    """The ledger's first entries, for the submission's wagers with a meter."""

    at: str
    wagers: tuple[WagerOffered, ...]
    meters: tuple[MeterSeed, ...]
    entries: tuple[Entry, ...]


class TableAdopted(Recorded, frozen=True):
    """This journal is the table's own from here on. `by` is empty where a bank takes a first journal without signatures.

    Two people who sign have looked at every alarm of the table: they are over, but for what is owed until it is paid. `key`:
    the digits of the key with which the table seals from here on; "": the one that is known, at first the journal's own.
    """

    at: str
    table: str
    journal: str
    by: tuple[str, ...]
    key: str


class KeyAccepted(Recorded, frozen=True):
    """Two people took a new key, which seals the ledger from here on: the one before is lost, or somebody has seen it.

    `key`: its public half. `why`: what was wrong with the seals before, "" for nothing.
    """

    at: str
    key: str
    why: str
    by: tuple[str, ...]


class Sum(Struct, frozen=True):
    """Micro-dollars of one account of a meter, of a table's messages; `table` is empty for the first seeds."""

    table: str
    meter: str
    account: Account
    micros: Micros


class DayClosed(Recorded, frozen=True):
    """Two people closed the ledger's gaming day: its sums by table, meter and account, and those since the ledger began.

    `pending`: claims without a verdict, which are carried over; `held`: (table, journal, highest message held).
    """

    at: str
    day: str
    number: int
    by: tuple[str, ...]
    totals: tuple[Sum, ...]
    perpetual: tuple[Sum, ...]
    pending: tuple[str, ...]
    held: tuple[tuple[str, str, int], ...]


# Messages that are held ---------------------------------------------------------------------------------------------


class Made(Struct, frozen=True):
    """A wager with a meter, and the seats that made it. `shared`: on the dealer's hand, and all of them have one prize."""

    wager: str
    seats: tuple[int, ...]
    shared: bool


class WagersHeld(Recorded, frozen=True):
    """A round's wagers, and their contributions to the meters."""

    at: str
    position: Position
    round: int
    made: tuple[Made, ...]
    entries: tuple[Entry, ...]


class RoundReversed(Recorded, frozen=True):
    """A round was void; its contributions go back."""

    at: str
    position: Position
    round: int
    reason: str
    entries: tuple[Entry, ...]


class ClaimPriced(Recorded, frozen=True):
    """A share of a meter was frozen, taken off, and the meter reset where it was the whole of it."""

    at: str
    position: Position
    claim: Claim
    entries: tuple[Entry, ...]


class Raised(Struct, frozen=True):
    """A claim that gets more because an earlier one was no winner: cents in all, and how much of them that is.

    `version`: the ledger's when the claim was priced, which names it for good.
    """

    claim: str
    table: str
    version: int
    amount: Cents
    more: Cents


class ClaimPaid(Recorded, frozen=True):
    """Two people saw it paid: `amount` cents in all. A second one pays what the claim was raised by after the first.

    `accepted`: who accepted the verdict at the bank, where it had been held (`VerdictHeld`); `position` is that one's.
    """

    at: str
    position: Position
    claim: str
    amount: Cents
    by: tuple[str, ...]
    reason: str
    entries: tuple[Entry, ...]
    accepted: tuple[str, ...]


class ClaimPaidOtherwise(Recorded, frozen=True):
    """Two people saw another amount paid than this ledger has for the claim: booked as it was paid, and an alarm.

    `amount`: cents that were paid in all, `due`: those that are to be paid in all after it. `text` says who had priced
    what. The difference stands among the entries. `accepted`: as of `ClaimPaid`.
    """

    at: str
    position: Position
    claim: str
    amount: Cents
    due: Cents
    by: tuple[str, ...]
    reason: str
    text: str
    entries: tuple[Entry, ...]
    accepted: tuple[str, ...]


class ClaimRejected(Recorded, frozen=True):
    """Not a winner: the meters, and the later claims (`raised`), stand as if it had never been made.

    `accepted`: as of `ClaimPaid`; also who refused a verdict that said paid.
    """

    at: str
    position: Position
    claim: str
    by: tuple[str, ...]
    reason: str
    raised: tuple[Raised, ...]
    entries: tuple[Entry, ...]
    accepted: tuple[str, ...]


class ClaimReopened(Recorded, frozen=True):
    """Two people opened a rejected claim again, by order of the regulator: `amount` cents, as it stood, are owed.

    The meter pays as much of that as it still holds; the rest is the house's, a transfer. `reason`: the order, in words.
    """

    at: str
    table: str
    claim: str
    amount: Cents
    by: tuple[str, ...]
    reason: str
    entries: tuple[Entry, ...]


class DebtStands(Recorded, frozen=True):
    """The player of a claim that is owed more has gone, two people say: it stays owed by name until it is paid.

    `accepted`: as of `ClaimPaid`.
    """

    at: str
    position: Position
    claim: str
    by: tuple[str, ...]
    accepted: tuple[str, ...]


class VerdictHeld(Recorded, frozen=True):
    """A verdict by people whom the bank does not take, at a time that cannot be, or with more than anybody pays.

    It is held and acknowledged, not booked, and an alarm.

    Two people of the bank accept it, or refuse it; until then the claim is frozen as it was. `text` says who and why.
    """

    at: str
    position: Position
    verdict: Verdict
    text: str


class PaymentsHeld(Recorded, frozen=True):
    """Fixed prizes, envy bonuses or credits that a table paid, or took back; they move no meter."""

    at: str
    position: Position
    said: Payments


class AccountHeld(Recorded, frozen=True):
    """Money into a wagering account at a table, or out of it; it moves no meter."""

    at: str
    position: Position
    said: AccountMoved


class CountHeld(Recorded, frozen=True):
    """Late chips and count differences of a table; they move no meter."""

    at: str
    position: Position
    said: Counted


class TableDayHeld(Recorded, frozen=True):
    """A table's gaming day was closed, with the table's own totals; they move no meter."""

    at: str
    position: Position
    said: DayEnded


class RepetitionHeld(Recorded, frozen=True):
    """A claim or verdict that the bank had already answered, said again under a new number; nothing else changes."""

    at: str
    position: Position
    claim: str


class MessageNotHonored(Recorded, frozen=True):
    """A message that is the table's next one but contradicts the submission or the ledger: held, and an alarm.

    `claim`: the one that it makes, to which no price will come; "" for any other message.
    """

    at: str
    position: Position
    kind: str
    text: str
    claim: str


class TableAnchored(Recorded, frozen=True):
    """How far a table's journal had come, by its own word, where that is more than it said with its messages."""

    at: str
    table: str
    journal: str
    rows: int
    head: str


# Words that are not held --------------------------------------------------------------------------------------------


class AlarmRaised(Recorded, frozen=True):
    """A table's word that cannot be true. `journal`: the one that spoke.

    `kind`: "new", a table that nobody adopted yet; "hash" or "journal", a message that cannot be its next one; "behind" or
    "fork", a record with fewer rows than the other side saw of it, or with another one at a row that it saw.
    """

    at: str
    table: str
    journal: str
    seq: int
    hash: str
    kind: str
    text: str


class Complained(Recorded, frozen=True):
    """Something refused that changes nothing but a count."""

    at: str
    place: str
    text: str
    count: int


Event = (
    BankStarted
    | TablesAdded
    | MetersSeeded
    | TableAdopted
    | KeyAccepted
    | DayClosed
    | WagersHeld
    | RoundReversed
    | ClaimPriced
    | ClaimPaid
    | ClaimPaidOtherwise
    | ClaimRejected
    | ClaimReopened
    | DebtStands
    | VerdictHeld
    | PaymentsHeld
    | AccountHeld
    | CountHeld
    | TableDayHeld
    | RepetitionHeld
    | MessageNotHonored
    | TableAnchored
    | AlarmRaised
    | Complained
)

EVENTS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""Every kind by the name under which it stands in the journal."""


UPGRADES: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(kind, older version) -> the step to the next version."""


ReportHeld = PaymentsHeld | AccountHeld | CountHeld | TableDayHeld
"""The reports of a table, which move no meter, a row each; `said` is the body of its message."""


def entries_of(event: Event) -> tuple[Entry, ...]:
    """The ledger entries of an event; the ledger of a bank is these, in the order of its journal."""
    return getattr(event, "entries", ())


def position_of(event: Event) -> Position | None:
    """The message that an event holds, None for one that holds none: who accepts a verdict finds it held."""
    return None if getattr(event, "accepted", ()) else getattr(event, "position", None)
