"""From a round to its settlement: every wager of every seat, in the order in which a dealer pays them.

    settle(parse_round(file)).as_object()

is the object `felt settle` prints, and `as_line()` the same as one line of a batch. The game compares and pays
(`games`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from firmware.rules.games.registry import game_of
from firmware.rules.hands import Hand
from firmware.rules.money import Cents, Micros, dollars, meter_dollars
from firmware.rules.payment import Payment
from firmware.rules.seat import Round


@dataclass(frozen=True, slots=True)
class Settlement:
    """One round, settled. `totals`: staked and received by seat; `meters`: as they stand after the last payment."""

    book: str
    void: bool
    dealer: Hand | None
    qualifies: bool
    seats: Mapping[int, Hand]
    payments: tuple[Payment, ...]
    totals: Mapping[int, tuple[Cents, Cents]]
    meters: Mapping[str, Micros]

    def as_object(self) -> dict[str, object]:
        """The settlement as the contract writes it."""
        return {**self._hands(), "payments": [payment.as_object() for payment in self.payments], **self._sums()}

    def as_line(self) -> str:
        """The same object as one line of JSON, put together from payments that mostly were written before."""
        hands, sums = _json(self._hands()), _json(self._sums())
        return f'{hands[:-1]},"payments":[{",".join(map(_payment_as_json, self.payments))}],{sums[1:]}'

    def _hands(self) -> dict[str, object]:
        return {
            "book": self.book,
            "void": self.void,
            "dealer": None if self.dealer is None else {**_hand(self.dealer), "qualifies": self.qualifies},
            "seats": {str(seat): _hand(hand) for seat, hand in self.seats.items()},
        }

    def _sums(self) -> dict[str, object]:
        return {
            "totals": {
                str(seat): {"staked": dollars(staked), "received": dollars(received)}
                for seat, (staked, received) in self.totals.items()
            },
            "meters": {name: meter_dollars(stands) for name, stands in self.meters.items()},
        }


_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@lru_cache(maxsize=8192)
def _payment_as_json(payment: Payment) -> str:
    """At a table the same few stakes are lost and won all night: a batch writes each such payment once."""
    return _json(payment.as_object())


def _hand(hand: Hand) -> dict[str, object]:
    return {"hand": hand.name, "cards": list(hand.cards)}


def settle(round_: Round) -> Settlement:
    """Settle a round that `parse_round` let through. Raises Refusal only for a void round's impossible meter."""
    book = round_.submission.book.name
    outcome = game_of(book).settle(round_)
    return Settlement(
        book=book,
        void=round_.void,
        dealer=outcome.dealer,
        qualifies=outcome.qualifies,
        seats=outcome.seats,
        payments=tuple(outcome.payments),
        totals=_totals(round_, outcome.payments),
        meters=outcome.meters,
    )


def _totals(round_: Round, payments: list[Payment]) -> Mapping[int, tuple[Cents, Cents]]:
    staked = dict.fromkeys(round_.seats, 0)
    received = dict.fromkeys(round_.seats, 0)
    for payment in payments:
        staked[payment.seat] += payment.stake
        received[payment.seat] += payment.returned + payment.payout
    return {seat: (Cents(staked[seat]), Cents(received[seat])) for seat in round_.seats}
