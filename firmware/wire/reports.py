"""The reports of a table about money and disputes, which move no meter (docs/mqtt.md, `up`): prizes, accounts, counts, days.

A payment is the law's, as the table has it in its journal (`firmware.rules.payment.Payment`); nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, ClassVar

from firmware.rules.money import dollars
from firmware.rules.payment import Payment, Result, Source
from firmware.rules.strict import Refusal
from firmware.wire.records import Record
from firmware.wire.shapes import NUMBER_MAX, Day, Line, Several, Whole
from firmware.wire.values import (
    ENTRIES_MAX,
    SEATS_MAX,
    Amount,
    ClaimName,
    Count,
    Number,
    Reason,
    Round,
    Seat,
    Text,
    Wager,
    WagerName,
)

WAGERS_MAX = 60
"""Wagers, or meters, with a total of a day."""
COUNTS_MAX = 100
"""Late chips, or differences, in one message; what is more comes in the next one."""

Named = Annotated[str, Line(1, 64)]
"""A wager, or a meter."""
Signed = Annotated[int, Whole(-NUMBER_MAX, NUMBER_MAX)]
"""Below zero where more was taken back in a day than was given in it."""
Date = Annotated[str, Day()]
"""The date of a gaming day; "" from a house without a clock."""


class PaidAs(StrEnum):
    """A fixed progressive prize, envy bonuses for another one's hand, or what a wagering account is credited."""

    PRIZE = "prize"
    ENVY = "envy"
    CREDIT = "credit"


class PaymentLine(Record, frozen=True):
    """One payment of the law: `stake` what was wagered, `returned` of it, `payout` on top, all in cents; `cite`: by what.

    `source`: who pays; None where the payout is nothing. `for_seat`: whose hand an envy bonus is for. `floor`: a
    floorperson had to verify it. `limited`: a payout limit has cut it.
    """

    seat: Seat
    wager: WagerName
    result: Result
    stake: Amount
    returned: Amount
    payout: Amount
    cite: Reason
    odds: Reason | None = None
    source: Source | None = None
    floor: bool = False
    for_seat: Seat | None = None
    limited: bool = False

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """No more than `stake` is `returned`; only a `win` has a `payout`, and a payout a `source` other than the `cage`.

        `for_seat` stands beside the wager `envy`, and only there; it is another seat.
        """
        if self.returned > self.stake:
            return Refusal("returned", f"is more than the stake of {dollars(self.stake)}")
        if self.result is not Result.WIN and (self.payout or (self.result is Result.LOSE and self.returned)):
            return Refusal("payout", f"stands beside {self.result}; only a win is paid")
        if self.payout and self.source in (None, Source.CAGE):
            return Refusal("source", "is missing or cage; say who pays, and a share of a meter by a verdict")
        if (self.wager == PaidAs.ENVY) != (self.for_seat is not None):
            return Refusal("for_seat", f"stands beside the wager {PaidAs.ENVY}, and only there")
        return (
            Refusal("for_seat", "is the seat itself; envy is for another one's hand")
            if self.for_seat == self.seat
            else None
        )

    @property
    def what(self) -> PaidAs:
        """The kind of payment. It follows from the wager and from the payer."""
        if self.wager == PaidAs.ENVY:
            return PaidAs.ENVY
        return PaidAs.CREDIT if self.source is Source.ACCOUNT else PaidAs.PRIZE

    @property
    def this(self) -> tuple[int, str, int | None]:
        """The key of a payment, which is made once a round: seat, wager, and the holder for an envy bonus."""
        return self.seat, self.wager, self.for_seat

    @staticmethod
    def of(payment: Payment) -> PaymentLine:
        """The law's payment, of a wager with a fixed price."""
        return PaymentLine(**{name: getattr(payment, name) for name in PaymentLine.__struct_fields__})


class Payments(Record, frozen=True):
    """Paid at a table, and no share of a meter. `corrected`: why these payments are taken back, "" where they are paid.

    `at`: when, by the table's clock, in seconds of UTC; 0 where it does not say. `by`: the badge that signed it, "" for
    none.
    """

    KIND: ClassVar[str] = "payment"
    round: Round
    what: PaidAs
    lines: Annotated[tuple[PaymentLine, ...], Several(1, SEATS_MAX)]
    corrected: Text = ""
    at: Count = 0
    by: Text = ""

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """No two of `lines` are of one seat, wager and `for_seat`; each is paid as `what` says.

        `envy`: the wager `envy`; `credit`: every other one from an `account`; `prize`: the rest.
        """
        if len({line.this for line in self.lines}) < len(self.lines):
            return Refusal("lines", "name a seat's wager twice; it is paid once")
        if any(line.what is not self.what for line in self.lines):
            return Refusal("what", f"is {self.what}, and a line is paid as another; tell each in a message of its own")
        return None


class AccountMove(StrEnum):
    """Chips became credit of a seat's wagering account, or its whole credit was paid from the rack."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"


class AccountMoved(Record, frozen=True):
    """Money into a wagering account, or out of it. Its wagers stand in `wagers`, its prizes in `payment`."""

    KIND: ClassVar[str] = "account"
    seat: Seat
    move: AccountMove
    amount: Wager
    at: Count = 0


class LateChip(Record, frozen=True):
    """A chip after "no more bets" on the sensor of a `wager`.

    `ms`: after the lock, below zero where it had not settled; None where nobody knows. `lit`: its lamp had been lit.
    """

    round: Count
    seat: Seat
    wager: WagerName
    ms: Signed | None
    lit: bool


class DifferenceOutcome(StrEnum):
    """The outcome for a seat where chips and lamps differed."""

    NO_CHIP = "no chip"
    RETURNED = "returned"
    BY_HAND = "by hand"
    NO_ANTE = "no ante"
    """The chip lay there and is returned: no Ante was placed before it (653a.7(d)(3))."""


class Difference(Record, frozen=True):
    """A seat at which chips and lamps of a `wager` differed, as the dealer settled it."""

    round: Count
    seat: Seat
    wager: WagerName
    outcome: DifferenceOutcome


class Counted(Record, frozen=True):
    """Late chips and count differences since the last such message, each in the order in which it was seen."""

    KIND: ClassVar[str] = "count"
    late: Annotated[tuple[LateChip, ...], Several(0, COUNTS_MAX)]
    differences: Annotated[tuple[Difference, ...], Several(0, COUNTS_MAX)]

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """One of the two lists may be empty, not both."""
        return None if self.late or self.differences else Refusal(None, "tells nothing; send no such message")


class CentsOf(Record, frozen=True):
    """A total of one wager, or of a meter's awards, in cents."""

    name: Named
    cents: Signed


class MicrosOf(Record, frozen=True):
    """A total of one meter, in micro-dollars."""

    name: Named
    micros: Signed


ByWager = Annotated[tuple[CentsOf, ...], Several(0, WAGERS_MAX)]


class Totals(Record, frozen=True):
    """The counts of a table: rounds that were cleared, the void ones among them, amounts by wager; see docs/journal.md.

    `staked`, of it `returned`, `paid` on top; `awards` by meter. `contributions`: by meter, less what was taken back.
    """

    rounds: Count
    voids: Count
    late: Count
    differences: Count
    bought: Amount
    cashed: Amount
    staked: ByWager
    returned: ByWager
    paid: ByWager
    awards: ByWager
    contributions: Annotated[tuple[MicrosOf, ...], Several(0, WAGERS_MAX)]


class DayEnded(Record, frozen=True):
    """A floorperson (`by`) closed a gaming day; what comes later belongs to the next one.

    `number`: the first day of a journal is 1. `totals`: the day's, `perpetual`: since the journal was made. `round`: what
    bets were open or locked for, 0 for nothing; `claims`: those without a verdict.
    """

    KIND: ClassVar[str] = "day"
    day: Date
    number: Number
    by: Text
    totals: Totals
    perpetual: Totals
    round: Count
    claims: Annotated[tuple[ClaimName, ...], Several(0, ENTRIES_MAX)]
    at: Count = 0


Report = Payments | AccountMoved | Counted | DayEnded
"""Bodies of messages that change no meter."""
