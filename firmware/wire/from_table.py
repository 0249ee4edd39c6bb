"""The words of a table: the messages that it owes its bank, and that it is there (docs/mqtt.md, `up` and `alive`)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, ClassVar

from firmware.rules.hands import HandName
from firmware.rules.money import dollars
from firmware.rules.strict import Refusal, shown
from firmware.wire.anchors import Anchor, LedgerSeen
from firmware.wire.offers import Offer, WagerOffered
from firmware.wire.provenance import Said, Seal
from firmware.wire.records import Record
from firmware.wire.reports import AccountMoved, Counted, DayEnded, Payments
from firmware.wire.shapes import Several, named_twice, wrong_length
from firmware.wire.values import (
    METER_WAGERS_MAX,
    Amount,
    Amounts,
    At,
    Backers,
    Badge,
    Badges,
    ClaimName,
    Count,
    Found,
    HandCards,
    Hash,
    Hex32,
    MeterName,
    Number,
    PaytableName,
    PhaseName,
    Reason,
    Round,
    Seat,
    Seats,
    TableName,
    Text,
    Wager,
    WagerName,
    is_claim_of,
)


class MadeWager(Record, frozen=True):
    """A wager with a meter, as it was made in one round: the name that a settlement gives it, and the `seats` that made it.

    `amounts`: what each of `seats` wagered, in cents, in their order. `wager`: the posted price, on this `paytable`.
    """

    name: WagerName
    seats: Seats
    amounts: Amounts
    wager: Wager
    paytable: PaytableName

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """Each of `seats`, which ascend, has its amount."""
        if (count := len(self.seats)) != len(self.amounts):
            return wrong_length([dollars(one) for one in self.amounts], "amounts", count, count)
        return None

    @classmethod
    def at(cls, offered: WagerOffered, *seats: int) -> MadeWager:
        """Each of `seats`, ascending, wagered the posted price."""
        return cls(offered.name, seats, (offered.wager,) * len(seats), offered.wager, offered.paytable)


class Wagers(Record, frozen=True):
    """The wagers of one round that feed meters, each once, in the order of a seat's turn."""

    KIND: ClassVar[str] = "wagers"
    round: Round
    made: Annotated[tuple[MadeWager, ...], Several(1, METER_WAGERS_MAX)]

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """No name stands twice."""
        return named_twice("made", [one.name for one in self.made])


class Reversal(Record, frozen=True):
    """A round was void; `reason` is the section that says so. Its contributions go back."""

    KIND: ClassVar[str] = "reversal"
    round: Round
    reason: Reason


class ClaimMade(Record, frozen=True):
    """A share of a meter that a `wager` won, validated by the badge `floor`, at that seat's turn.

    `backers`: among how many wagers a share won by the dealer's hand is divided (653a.12(e)(2)); 1 for every other one.
    `at`: when, by the table's clock, in seconds of UTC; 0 where it does not say.
    """

    KIND: ClassVar[str] = "claim"
    claim: ClaimName
    round: Round
    seat: Seat
    hand: HandName
    cards: HandCards
    floor: Badge
    wager: WagerName
    backers: Backers
    at: Count = 0


class Verdict(Record, frozen=True):
    """Paid, or not a winner, by these badges.

    `amount`: cents, what the table had as the claim's price, and paid for it in all where it is `paid`; `meter`, `epoch`
    and `version` (the ledger's) as the bank said them with that price. `at`: as of a claim. `gone`: nothing more
    was paid of a claim that is owed more: its player has gone, and the debt stays by name.
    """

    KIND: ClassVar[str] = "verdict"
    claim: ClaimName
    paid: bool
    amount: Amount
    meter: MeterName
    epoch: Hex32
    version: Count
    by: Badges
    reason: Text
    at: Count = 0
    gone: bool = False


Body = Wagers | Reversal | ClaimMade | Verdict | Payments | AccountMoved | Counted | DayEnded
"""The bodies of messages. The first four move a meter or hold it; the others do not."""


class Owed(Record, frozen=True):
    """One message that a table owes its bank. `prev` is the hash of the one before it.

    `anchor`: the table's journal in the moment of sending. No message's hash covers it, nor `said` and `seal`.
    """

    VERSION: ClassVar[int] = 1
    table: TableName
    journal: Hex32
    seq: Number
    prev: Hash
    body: Body
    anchor: Anchor | None = None
    said: Said | None = None
    seal: Seal = ""

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """A claim is named TABLE:ROUND:SEAT:NUMBER after its own table, round and seat, a verdict's after its table."""
        body = self.body
        if isinstance(body, ClaimMade):
            own = f"{self.table}:{body.round}:{body.seat}:"
            if not body.claim.startswith(own):
                return Refusal("body.claim", f"is {shown(body.claim)}; right would be {own}NUMBER")
        if isinstance(body, Verdict) and not is_claim_of(body.claim, self.table):
            return Refusal("body.claim", f"is {shown(body.claim)}; right would be {self.table}:ROUND:SEAT:NUMBER")
        return None


class FloorReason(StrEnum):
    """Why a table wants the floor: the dealer called, a prize is to be validated, a claim is to be closed, or somebody tries
    PINs of a badge.
    """

    CALLED = "called"
    PRIZE = "prize"
    CLAIM = "claim"
    PINS = "pins"


class Fault(StrEnum):
    """The faults of a table. `PINS`: a badge had three wrong PINs or more since its last right one; ten lock it.

    All but `DISK`, `SHUFFLER`, `MACHINE`, `PINS` and `BADGE_LOCKED` concern progressive wagers only.
    """

    OUT_OF_ORDER = "out-of-order"
    BANK_ALARM = "bank-alarm"
    SENSORS = "sensors"
    SENSOR = "sensor"
    LINK = "link"
    SHUFFLER = "shuffler"
    DISK = "disk"
    MACHINE = "machine"
    PINS = "pins"
    BADGE_LOCKED = "badge-locked"


class FloorWanted(Record, frozen=True):
    """A floorperson or manager is wanted at a table, since when the table's program first saw it."""

    reason: FloorReason
    since: At


class Versions(Record, frozen=True):
    """The program's version, the hash of the submission that is its rules ("" before the first start), and the wire's."""

    program: Text
    rules: Text
    wire: Number


class RefusedWords(Record, frozen=True):
    """Words that a table has heard since its program began, and did not believe.

    `unsealed`: without a seal that is right, or no words at all. `stranger`: sealed by a key that is not its bank's. `old`:
    no later than what was heard, and not as the broker had kept it.
    """

    unsealed: Count
    stranger: Count
    old: Count


class Status(Record, frozen=True):
    """How a table stands, said when it changes and at most once a second; it stays at the broker.

    `dealer`: who deals, "" where nobody signed on. `faults`: in the order of their names, each once. `live`: false until
    two people have said LIVE; what is played is a test, and the table owes nothing. `refused`: words that it heard.
    """

    VERSION: ClassVar[int] = 1
    table: TableName
    journal: Hex32
    at: At
    phase: PhaseName
    round: Count
    dealer: Text
    floor: FloorWanted | None
    faults: Annotated[tuple[Fault, ...], Several(0, len(Fault), ascending=True)]
    versions: Versions
    live: bool
    refused: RefusedWords
    said: Said | None = None
    seal: Seal = ""


class Presence(Record, frozen=True):
    """A table is there, said every ten seconds; its last will says that it is not.

    `anchor`: its journal's, `found`: what the table itself found wrong with it. `ledger`: what it saw of the bank's.
    `offer`: what the table plays.
    """

    VERSION: ClassVar[int] = 1
    table: TableName
    alive: bool
    at: At
    journal: Hex32
    anchor: Anchor | None = None
    ledger: LedgerSeen | None = None
    found: Found = ""
    offer: Offer | None = None
    said: Said | None = None
    seal: Seal = ""
