"""What the bank is told. Facts come decoded and strict (`firmware.bank.wire`); time and identity come as data.

Every `at` is UTC as `2026-11-21T14:07:05.123Z`; the bank only records it, order is the order of the journal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from firmware.rules.hands import HandName
from firmware.rules.money import Cents


class MeterWager(StrEnum):
    """The wagers that feed a meter and may win a share of it, as a settlement names them."""

    PROGRESSIVE = "progressive"
    OWN_HAND = "five_card_player"
    DEALERS_HAND = "five_card_dealer"


@dataclass(frozen=True, slots=True)
class FiveCardWagers:
    """Five Card Hand wagers (653a.7(d)(4)): seats that backed their `own` hand and the `dealer`'s, at `wager` cents."""

    own: tuple[int, ...]
    dealer: tuple[int, ...]
    wager: Cents


@dataclass(frozen=True, slots=True)
class Wagers:
    """The wagers of one round that feed meters: `seats` made the progressive one, at `wager` cents on `paytable`.

    Seats ascend. There may be none of them where there are Five Card Hand wagers.
    """

    KIND: ClassVar[str] = "wagers"
    round: int
    seats: tuple[int, ...]
    wager: Cents
    paytable: str
    five_card: FiveCardWagers | None = None


@dataclass(frozen=True, slots=True)
class Reversal:
    """A round was void; `reason` is the section that says so."""

    KIND: ClassVar[str] = "reversal"
    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimMade:
    """A share of a meter, validated by the badge `floor`, at that seat's turn.

    `backers`: among how many wagers a share won by the dealer's hand is divided (653a.12(e)(2)); 1 for every other one.
    """

    KIND: ClassVar[str] = "claim"
    claim: str
    round: int
    seat: int
    hand: HandName
    cards: tuple[str, ...]
    floor: str
    wager: MeterWager = MeterWager.PROGRESSIVE
    backers: int = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """Paid, or not a winner, by these badges."""

    KIND: ClassVar[str] = "verdict"
    claim: str
    paid: bool
    by: tuple[str, ...]
    reason: str


Body = Wagers | Reversal | ClaimMade | Verdict


@dataclass(frozen=True, slots=True)
class MessageArrived:
    """One owed message of a table (`docs/mqtt.md`, `up`). `hash` is that of its canonical bytes."""

    at: str
    table: str
    journal: str
    seq: int
    prev: str
    hash: str
    body: Body


@dataclass(frozen=True, slots=True)
class MessageRefused:
    """A payload that is not a message (`wire.WireError`); `count` of them where the shell has put several together."""

    at: str
    place: str
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class AdoptionSigned:
    """Two people, known by badge and PIN, have looked at a table's alarms and say that this journal is its own."""

    at: str
    table: str
    journal: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Started:
    """The bank's program started on this journal. `epoch` is a fresh name for a ledger that is new or `restored`."""

    at: str
    epoch: str
    restored: bool


Input = MessageArrived | MessageRefused | AdoptionSigned | Started
