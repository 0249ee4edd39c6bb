"""A small casino for the bank's tests: tables that speak the wire, and a bank that forgets all but its journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from typing import Any

import msgspec

from firmware.bank import wire
from firmware.bank.decide import BankRules, decide
from firmware.bank.events import EVENTS, ClaimPriced, Event, entries_of
from firmware.bank.inputs import AdoptionSigned, Input, Started
from firmware.bank.ledger import Account, Entry
from firmware.bank.state import BankState, evolve
from firmware.rules.book import meter_offer
from firmware.rules.games import load_book
from firmware.rules.money import Micros, cents, dollars
from firmware.rules.paytable import read_rate
from firmware.rules.submission import parse_submission
from firmware.runtime.bank import keeping
from firmware.wire.payload import NO_HASH, hash_of
from firmware.wire.records import document

TITLE = "Ultimate Texas Hold 'Em Progressive"
AT = "2026-11-21T14:07:05.123Z"
EPOCH = "e" * 32
PEOPLE = {"2001": "floorperson", "3001": "manager", "4001": "manager", "1001": "dealer"}
TABLES = ("uth-01", "uth-02", "uth-03")

CARDS = {
    "royal flush": ["Ah", "Kh", "Qh", "Jh", "Th"],
    "straight flush": ["9c", "8c", "7c", "6c", "5c"],
    "four of a kind": ["7c", "7d", "7h", "7s", "Kd"],
}


def rules(paytable: str = "A", wager: str = "1.00", tables: tuple[str, ...] = TABLES, five_card: str = "") -> BankRules:
    """`five_card`: what a Five Card Hand wager costs, "" where it is not offered."""
    filed = {
        "book": "pa-653a",
        "table_minimum": "15.00",
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "progressive": {"paytable": paytable, "wager": wager},
        **({"five_card_hand": {"wager": five_card}} if five_card else {}),
    }
    return BankRules(TITLE, tables, parse_submission(filed).offers, PEOPLE)


def maryland(rate: str, seed: str = "10000.00") -> BankRules:
    """Maryland's one paytable, which alone can leave a fraction of a cent: its rate is the casino's, and its seed."""
    book = load_book("md-36.05.16")
    offer = meter_offer(book, "progressive", "only", cents("1.00"), seed=cents(seed), rate=read_rate(rate))
    return BankRules(TITLE, TABLES, {"progressive": offer}, PEOPLE)


@dataclass
class Table:
    """One table's side of the wire: what it said stays in `said`, in order, as the bytes that went out."""

    name: str = "uth-01"
    journal: str = "a" * 32
    wager: str = "1.00"
    paytable: str = "A"
    five_card: str = "1.00"
    said: list[bytes] = field(default_factory=list)
    prices: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the bank froze for its claims, as `down` told it."""

    @property
    def head(self) -> str:
        return hash_of(self.said[-1]) if self.said else NO_HASH

    def document(self, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        """The next message, not yet said."""
        return {
            "v": 1,
            "table": self.name,
            "journal": self.journal,
            "seq": len(self.said) + 1,
            "prev": self.head,
            "kind": kind,
            "body": body,
        }

    def says(self, kind: str, body: dict[str, Any]) -> bytes:
        self.said.append(encode(self.document(kind, body)))
        return self.said[-1]

    def wagers(self, round: int, *seats: int, own: Sequence[int] = (), dealer: Sequence[int] = ()) -> bytes:
        """`seats` made the progressive wager, `own` and `dealer` backed those hands with a Five Card Hand wager."""
        made = [self.made("progressive", seats, self.wager, self.paytable)]
        made += [
            self.made("five_card_player", own, self.five_card),
            self.made("five_card_dealer", dealer, self.five_card),
        ]
        return self.says("wagers", {"round": round, "made": [one for one in made if one["seats"]]})

    def made(self, name: str, seats: Sequence[int], wager: str, paytable: str = "only") -> dict[str, Any]:
        """One kind of wager of a round, each of `seats` at the posted price."""
        amounts = [wager] * len(seats)
        return {"name": name, "seats": list(seats), "amounts": amounts, "wager": wager, "paytable": paytable}

    def void(self, round: int) -> bytes:
        return self.says("reversal", {"round": round, "reason": "653a.13(c)"})

    def claim(self, round: int, seat: int, hand: str, number: int = 1, **five_card: Any) -> bytes:
        name = f"{self.name}:{round}:{seat}:{number}"
        won = {"hand": hand, "cards": CARDS[hand], "floor": "2001", "wager": "progressive", "backers": 1}
        return self.says("claim", {"claim": name, "round": round, "seat": seat, **won, **five_card})

    def own_hand(self, round: int, seat: int, hand: str, number: int = 2) -> bytes:
        """A share of the Five Card Hand's meter, won by the seat's own hand."""
        return self.claim(round, seat, hand, number, wager="five_card_player")

    def dealers_hand(self, round: int, seat: int, hand: str, backers: int, number: int = 3) -> bytes:
        """One claim for all who backed the dealer's hand, at the turn of the first of them."""
        return self.claim(round, seat, hand, number, wager="five_card_dealer", backers=backers)

    def verdict(
        self,
        round: int,
        seat: int,
        *,
        paid: bool,
        number: int = 1,
        by: Iterable[str] = ("2001", "3001"),
        price: dict[str, Any] | None = None,
    ) -> bytes:
        """`price`: what of the claim's price the table says, None: what the bank told it last (`told`)."""
        name = f"{self.name}:{round}:{seat}:{number}"
        told = self.prices.get(name, {"amount": "0.00", "meter": "main", "epoch": EPOCH, "version": 0})
        body = {"claim": name, "paid": paid, **told, **(price or {}), "by": list(by), "reason": ""}
        return self.says("verdict", body)

    def told(self, state: BankState) -> None:
        """The bank's `down` came: a price is what is said first of a claim."""
        said = document(wire.down(state, self.name))
        for claim in said["claims"]:
            price = {"epoch": said["epoch"], **{key: claim[key] for key in ("amount", "meter", "version")}}
            self.prices.setdefault(claim["claim"], price)


def with_seat_2(wagers: bytes) -> bytes:
    """The message, as if seat 2 had wagered too, and not only seat 1."""
    return wagers.replace(b'"amounts":["1.00"]', b'"amounts":["1.00","1.00"]').replace(b'"seats":[1]', b'"seats":[1,2]')


def encode(document: Any) -> bytes:
    """A table's own encoder, written apart from the bank's."""
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")


class Bank:
    """The bank with its journal as bytes: `restarts` rebuilds it from those alone."""

    def __init__(self, rules: BankRules) -> None:
        self.rules = rules
        self.rows: list[tuple[str, bytes]] = []
        self.events: list[Event] = []
        self.state = BankState()
        self.clock = count(1)
        self.told(Started(AT, EPOCH, restored=False))

    def told(self, given: Input) -> tuple[Event, ...]:
        events = decide(self.rules, self.state, given)
        self.rows += [(type(event).__name__, msgspec.json.encode(event)) for event in events]
        self.events += events
        self.state = reduce(evolve, events, self.state)
        return events

    def hears(self, table: Table, payload: bytes) -> tuple[Event, ...]:
        at = f"2026-11-21T14:07:{next(self.clock) % 60:02d}.000Z"
        events = self.told(wire.decode_up(table.name, payload, at))
        table.told(self.state)
        return events

    def hears_all(self, table: Table) -> None:
        for payload in table.said:
            self.hears(table, payload)

    def adopts(self, table: Table, *by: str) -> tuple[Event, ...]:
        return self.told(AdoptionSigned(AT, table.name, table.journal, by))

    def replayed(self) -> BankState:
        events = (msgspec.json.decode(row, type=EVENTS[kind]) for kind, row in self.rows)
        return reduce(evolve, events, BankState())

    def restarts(self) -> None:
        """From a snapshot as of the last row."""
        self.state = keeping().state_of(keeping().write(self.replayed()))
        self.told(Started(AT, "f" * 32, restored=False))

    def copied(self) -> Bank:
        """A backup of the ledger."""
        backup = copy(self)
        backup.rows, backup.events = list(self.rows), list(self.events)
        return backup

    @property
    def ledger(self) -> list[Entry]:
        return [entry for event in self.events for entry in entries_of(event)]

    @property
    def claims(self) -> list[ClaimPriced]:
        return [event for event in self.events if isinstance(event, ClaimPriced)]

    def meter(self, name: str = "main") -> Micros:
        return self.state.meter(name)

    def account(self, account: Account) -> int:
        return self.state.accounts.total(account)

    def amounts(self, table: Table) -> list[tuple[str, str]]:
        """Status and dollars of a table's claims, as `down` says them."""
        return [(claim.status.value, dollars(claim.amount)) for claim in wire.down(self.state, table.name).claims]

    def alarm(self, table: Table) -> str | None:
        alarm = wire.down(self.state, table.name).alarm
        return alarm.kind if alarm else None
