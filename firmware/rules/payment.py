"""The payment of each wager, and the meters as they stand while a round is settled, one payment after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from firmware.rules.hands import Hand
from firmware.rules.money import NO_MONEY, Cents, Micros, dollars, to_micros
from firmware.rules.paytable import Fixed, Prize, Share
from firmware.rules.strict import Refusal


class Result(StrEnum):
    """The result of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"


class Source(StrEnum):
    """From the table inventory, the cage, the player's game account, or by an attendant (653a.11(k)(4), (l)(3)).

    An attendant brings a fixed progressive prize that a casino does not pay from the table inventory; the cards stay
    until the documents are complete.
    """

    RACK = "rack"
    CAGE = "cage"
    ACCOUNT = "account"
    ATTENDANT = "attendant"


class Payment(NamedTuple):
    """One line of a settlement. A NamedTuple, because a full table makes fifty of them several thousand times a second.

    `stake` what was wagered, `returned` the part of it handed back, `payout` what is paid on top, all in cents.
    `floor`: a floorperson has to verify it. `for_seat`: whose hand an envy bonus is for. `undeclared`: what a Super
    would have paid had it been declared. `racked`: its stake went into the rack, or out of an account, at the lock.
    """

    seat: int
    wager: str
    result: Result
    stake: Cents
    returned: Cents
    payout: Cents
    cite: str
    odds: str | None = None
    source: Source | None = None
    floor: bool = False
    meter: str | None = None
    for_seat: int | None = None
    limited: bool = False
    undeclared: Cents | None = None
    racked: bool = False

    @property
    def paid_over(self) -> Cents:
        """Cents that leave the rack for a win: of a wager that was racked the stake too."""
        return Cents(self.payout + (self.returned if self.racked else 0))

    def as_object(self) -> dict[str, object]:
        """The payment as the contract writes it; what does not apply is left out."""
        written: dict[str, object] = {
            "seat": self.seat,
            "wager": self.wager,
            "result": self.result,
            "stake": dollars(self.stake),
            "returned": dollars(self.returned),
            "payout": dollars(self.payout),
            "odds": self.odds,
            "meter": self.meter,
            "source": self.source,
            "floor": self.floor,
            "cite": self.cite,
            "for_seat": self.for_seat,
            "limited": self.limited or None,
            "undeclared": None if self.undeclared is None else dollars(self.undeclared),
        }
        return {key: said for key, said in written.items() if said is not None}


def win(
    seat: int, wager: str, stake: Cents, prize: Prize, cite: str, source: Source = Source.RACK, floor: bool = False
) -> Payment:
    """A win at the odds or the flat prize of a paytable. At odds "for" the stake stays collected."""
    returned = stake if prize.stake_returned else NO_MONEY
    return Payment(seat, wager, Result.WIN, stake, returned, prize.payout(stake), cite, prize.text, source, floor)


def win_fixed(seat: int, wager: str, stake: Cents, prize: Fixed, source: Source) -> Payment:
    """A win of a wager with a meter, for which the prize is known in cents."""
    paid = (prize.returned, prize.amount, prize.cite, prize.odds, source, prize.floor)
    return Payment(seat, wager, Result.WIN, stake, *paid, racked=True)


def bonus(
    seat: int, wager: str, payout: Cents, odds: str, cite: str, source: Source, for_seat: int | None = None
) -> Payment:
    """A prize on which nothing of its own was staked."""
    return Payment(seat, wager, Result.WIN, NO_MONEY, NO_MONEY, payout, cite, odds, source, for_seat=for_seat)


def award(seat: int, wager: str, stake: Cents, payout: Cents, odds: str, meter: str, cite: str) -> Payment:
    """A share of a meter: from the cage, verified by a floorperson, the stake collected (653a.11(k)(3), (4)).

    A share of nearly nothing is cut to nothing, and is then paid from nowhere.
    """
    source = Source.CAGE if payout else None
    return Payment(seat, wager, Result.WIN, stake, NO_MONEY, payout, cite, odds, source, True, meter, racked=True)


@lru_cache(maxsize=8192)
def lose(seat: int, wager: str, stake: Cents, cite: str) -> Payment:
    """The stake is collected. At a table the same few stakes are lost all night: each such payment is made once."""
    return Payment(seat, wager, Result.LOSE, stake, NO_MONEY, NO_MONEY, cite)


def push(seat: int, wager: str, stake: Cents, cite: str) -> Payment:
    """The stake is returned."""
    return Payment(seat, wager, Result.PUSH, stake, stake, NO_MONEY, cite)


def void(seat: int, wager: str, stake: Cents, cite: str) -> Payment:
    """The round is void and the stake returned."""
    return Payment(seat, wager, Result.VOID, stake, stake, NO_MONEY, cite)


def limited(payments: Sequence[Payment], covers: Iterable[str], left: Cents) -> list[Payment]:
    """The payments with the payouts of the wagers a limit covers brought down to what is left of it (reading 11).

    The excess comes off the wagers in the order of `covers`; each that is cut says so.
    """
    paid = list(payments)
    over = sum([payment.payout for payment in paid if payment.wager in covers]) - left
    if over <= 0:
        return paid
    for wager in covers:
        for place, payment in enumerate(paid):
            if over > 0 and payment.wager == wager and payment.payout:
                cut = min(over, payment.payout)
                payout = Cents(payment.payout - cut)
                paid[place] = payment._replace(payout=payout, source=payment.source if payout else None, limited=True)
                over -= cut
    return paid


class StandingMeters:
    """The meters of a round as they stand when a seat's turn comes (653a.12(d)(4)); nothing leaves them but awards."""

    def __init__(self, meters: Mapping[str, Micros]) -> None:
        self.standing = dict(meters)

    def award(self, prize: Share, shares: int, reset: Micros) -> Cents:
        """Take a share off its meter and say what one of `shares` equal parts is, in whole cents.

        A rest below a whole cent stays on the meter. `reset`: the amount with which a meter that was won whole starts again.
        """
        stands = self.standing[prize.meter]
        part = prize.part(stands, shares)
        self.standing[prize.meter] = Micros(stands - to_micros(Cents(part * shares)) + reset)
        return part

    def take_all(self, meter: str) -> Micros:
        """Empty a reserve."""
        taken = self.standing[meter]
        self.standing[meter] = Micros(0)
        return taken

    def take_back(self, fed: Mapping[str, Micros]) -> None:
        """A void round's contributions leave their meters again. Raises Refusal if they cannot be there."""
        for meter, contribution in fed.items():
            left = self.standing[meter] - contribution
            if left < 0:
                wrong = "is less than this round's contributions; the meters given contain them"
                raise Refusal(f"meters.{meter}", wrong)
            self.standing[meter] = Micros(left)


class Outcome(NamedTuple):
    """A round as its game compares it. `dealer` and its `qualifies`, None in a void round; `seats`: the hands shown."""

    dealer: Hand | None
    qualifies: bool
    seats: Mapping[int, Hand]
    payments: list[Payment]
    meters: Mapping[str, Micros]
