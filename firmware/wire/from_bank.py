"""The words of a bank: its record of a table, its board, and that it is there (docs/mqtt.md, `down`, `meters`, `alive`)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, ClassVar

from firmware.rules.strict import Refusal, shown
from firmware.wire.anchors import Anchor
from firmware.wire.offers import Offer
from firmware.wire.provenance import Said, Seal
from firmware.wire.records import Record
from firmware.wire.shapes import Several, named_twice
from firmware.wire.values import (
    ENTRIES_MAX,
    METERS_MAX,
    REFUSED_MAX,
    WINS_MAX,
    AlarmKind,
    Amount,
    At,
    Badges,
    BankName,
    ClaimName,
    Count,
    DisplayName,
    Epochs,
    Hash,
    Hex32,
    Hex32OrNone,
    MeterName,
    Reason,
    Seat,
    Share,
    TableName,
    Text,
    Title,
    is_claim_of,
)


class ClaimStatus(StrEnum):
    """How a claim stands at the bank."""

    PENDING = "pending"
    PAID = "paid"
    REJECTED = "rejected"
    HELD = "held"
    """A verdict was said that the bank does not book before two people have looked; the claim stays frozen."""


class ClaimHeld(Record, frozen=True):
    """A claim of a table as the bank holds it; `amount` in cents is what is paid for it in all.

    `version`: the ledger's when that amount was frozen. `owed`: what of it is still to be paid for a claim that was paid
    less before, because an earlier claim of the meter was no winner; `gone`: two people found its player gone.
    """

    claim: ClaimName
    status: ClaimStatus
    meter: MeterName
    share: Share
    amount: Amount
    owed: Amount
    version: Count
    cite: Text
    gone: bool = False


class ClaimRefused(Record, frozen=True):
    """A claim that is held without effect: no price will come. `by`: the people who ended the alarm about it."""

    claim: ClaimName
    by: Badges


class AlarmHeld(Record, frozen=True):
    """The oldest alarm about a table that two people have not looked at; one about its own journal comes first.

    `journal`, `seq` and `hash` are those of the message that raised it: a table that did not send it is not closed.
    """

    kind: AlarmKind
    journal: Hex32
    seq: Count
    hash: Hash
    text: Text


class Down(Record, frozen=True):
    """The bank's record of one table: the highest message that is committed, and that table's claims.

    `anchor`: the ledger's. `seen`: the highest that the bank saw of that journal. `before`: the epochs that this ledger had
    before a restore was announced, newest last. `refused`: the last claims that are held without effect, after two people
    ended their alarm.
    """

    VERSION: ClassVar[int] = 1
    epoch: Hex32
    table: TableName
    journal: Hex32OrNone
    seq: Count
    hash: Hash
    claims: Annotated[tuple[ClaimHeld, ...], Several(0, ENTRIES_MAX)]
    alarm: AlarmHeld | None
    term: Count = 0
    anchor: Anchor | None = None
    seen: Anchor | None = None
    before: Epochs = ()
    refused: Annotated[tuple[ClaimRefused, ...], Several(0, REFUSED_MAX)] = ()
    said: Said | None = None
    seal: Seal = ""

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """Every claim is this table's own: its name begins with the table's. Two different people refuse one."""
        named = [(f"claims.{place}.claim", one.claim) for place, one in enumerate(self.claims)]
        named += [(f"refused.{place}.claim", one.claim) for place, one in enumerate(self.refused)]
        for at, claim in named:
            if not is_claim_of(claim, self.table):
                return Refusal(at, f"is {shown(claim)}, which is not of table {shown(self.table)}")
        for place, refused in enumerate(self.refused):
            if len(set(refused.by)) < 2:
                return Refusal(f"refused.{place}.by", f"is {shown(list(refused.by))}; two different people sign")
        return None


class Meter(Record, frozen=True):
    """A jackpot: its name, and what people read; what it holds, cut down to the cent, and what it started with, in cents.

    `steps`: how often something else than wagers changed it (a share frozen or given back, a void round). `most`: what it
    would ever have held without its pending claims, in cents: no true price is a share of more.
    """

    name: MeterName
    display_name: DisplayName
    amount: Amount
    seed: Amount
    steps: Count
    most: Amount


class Pending(Record, frozen=True):
    """A claim that is being verified, and the amount that was frozen for it, in cents."""

    claim: ClaimName
    meter: MeterName
    table: TableName
    amount: Amount
    at: At


class Won(Record, frozen=True):
    """A win that was paid: the amount won and the meter's amount after it, in cents."""

    claim: ClaimName
    meter: MeterName
    table: TableName
    seat: Seat
    hand: Reason
    amount: Amount
    now: Amount
    at: At


class Board(Record, frozen=True):
    """The board: the meters in the order of their rank, the claims that are pending, the last wins, newest first.

    `pending` has the oldest, `more_pending` is how many there are beyond those.
    """

    VERSION: ClassVar[int] = 1
    epoch: Hex32
    version: Count
    at: At
    title: Title
    tables: Annotated[tuple[TableName, ...], Several(0, ENTRIES_MAX)]
    meters: Annotated[tuple[Meter, ...], Several(1, METERS_MAX)]
    pending: Annotated[tuple[Pending, ...], Several(0, ENTRIES_MAX)]
    won: Annotated[tuple[Won, ...], Several(0, WINS_MAX)]
    term: Count = 0
    more_pending: Count = 0
    said: Said | None = None
    seal: Seal = ""

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """A meter's name comes once, and what is pending or won is of a meter of this board."""
        known = [meter.name for meter in self.meters]
        if twice := named_twice("meters", known):
            return twice
        pending = [(f"pending.{place}.meter", claim.meter) for place, claim in enumerate(self.pending)]
        won = [(f"won.{place}.meter", win.meter) for place, win in enumerate(self.won)]
        for at, name in pending + won:
            if name not in known:
                return Refusal(at, f"is {shown(name)}, which is not on this board; right would be {' or '.join(known)}")
        return None


class Heartbeat(Record, frozen=True):
    """The bank is there; `board` is the version of its board. Its last will says that it is not, and knows no epoch.

    `term` rises with every start of a bank on its ledger, `anchor` is the ledger's. `offer`: what the bank plays; a table
    recognizes no wager before it has heard the same as its own. `short`: its disk has no room for the wagers of more rounds.
    """

    VERSION: ClassVar[int] = 1
    bank: BankName
    epoch: Hex32OrNone
    alive: bool
    at: At
    board: Count
    term: Count = 0
    anchor: Anchor | None = None
    offer: Offer | None = None
    short: bool = False
    said: Said | None = None
    seal: Seal = ""
