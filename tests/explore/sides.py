"""The two sides of the wire, as far as their programs decide: a table with its journal, a bank with its ledger.

The law and the book-keeping of both are the program's own, and so are the payloads, the outbox's choice of what is sent
(`Outgoing`) and the table's ear for a bank that is over (`LedgerWatch`). Written here is only what the processes do
around them: commit, then say; start again from the journal's own bytes; hold the other side's record against one's own.

Records anchor each other by rows and heads. Here a row of a table's journal is one act or start (what the bank said is no
row), and a ledger's row is the part of it up to the backup, or after it: no more is needed to tell a record that was put
back from one that was not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache, reduce
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from firmware.bank import decide as bank_law
from firmware.bank import events as b
from firmware.bank import state as bank_book
from firmware.bank import wire as bank_wire
from firmware.bank.inputs import Input as BankInput
from firmware.bank.inputs import Started as BankStarted
from firmware.bank.inputs import TableBeat, VerdictSigned
from firmware.bank.state import BankState
from firmware.bank.state import Days as BankDays
from firmware.runtime.ledger_watch import LedgerWatch
from firmware.runtime.outgoing import Outgoing
from firmware.table import events as e
from firmware.table import evolve as table_book
from firmware.table import wire as table_wire
from firmware.table.house import House
from firmware.table.inputs import BankSaid
from firmware.table.projections import shares_paid
from firmware.table.state import NO_TRAIL, TableState
from firmware.wire.anchors import Anchor
from firmware.wire.from_bank import Board, ClaimStatus
from firmware.wire.payload import NO_HASH, hash_of, read, write
from firmware.wire.reports import AccountMove
from firmware.wire.structs import replace
from tests.bank.casino import AT, EPOCH
from tests.explore import days, people
from tests.explore.days import Effect
from tests.table.table import VOCABULARY

Event = TypeVar("Event")
SECOND_EPOCH = "f" * 32
EXPLAINED = 50_000
"""Cents, 5 % of the meter's seed: what an announced restore explains by itself above a ledger's own price (B-34)."""
PEOPLE = ("2001", "3001")
"""Two badges of the bank."""
BEFORE, LOST, SINCE = "b" * 64, "1" * 64, "2" * 64
"""Heads of a ledger: up to its backup, and after it, in the ledger that was lost and in the one that was put back."""
IGNORED_OF_TABLE: Mapping[str, str] = {
    "trail": "UNDO goes back along it, and nobody presses UNDO; the law reads it for nothing else",
    "taps": "a number that an event carries for UNDO and for whoever reads the journal",
}
"""Fields of a table's state that are no part of what tells two of them apart, and why."""
IGNORED_OF_BANK: Mapping[str, str] = {
    "days": "what accounting is told when two people close the bank's own day, and nobody does here",
}
"""The same of a bank's."""


class Rows(NamedTuple, Generic[Event]):
    """A journal: its last events, and the rows before."""

    before: Rows[Event] | None
    events: tuple[Event, ...]

    def all(self) -> Iterator[Event]:
        """Every event, the oldest first."""
        parts, rows = [self.events], self.before
        while rows is not None:
            parts.append(rows.events)
            rows = rows.before
        for events in reversed(parts):
            yield from events


class Up(NamedTuple):
    """A message of a table under way."""

    table: str
    payload: bytes
    seq: int
    prev: str
    digest: str
    effect: Effect


class TableSide(Struct, frozen=True):
    """One table. `truth`: what really happened on its felt; no journal that is put back changes that.

    `heads`: of its journal, a row each. `before`: the journal before the last act. `lost`: the rows that are gone since
    one was put back, None where none was. `seen_lost`: the bank had seen some of them.
    """

    name: str
    state: TableState
    rows: Rows[e.Event]
    truth: tuple[Effect, ...]
    heads: tuple[str, ...]
    acts: int
    before: TableSide | None = None
    put_back: bool = False

    @property
    def anchor(self) -> Anchor:
        return Anchor(len(self.heads), self.heads[-1])

    def key(self) -> bytes:
        """All of it but what is ignored, and but how the journal's rows came together."""
        before = self.before.key() if self.before else b""
        known = (_blank(self.state), self.truth, self.heads, self.acts, self.put_back)
        return _digest(msgspec.json.encode(known, order="deterministic") + before)


class BankSide(Struct, frozen=True):
    """The bank. `log`: what it should hold, a (table, hash, effect) each, kept by whoever carried the messages.

    `heads`: of its ledger, see above. `kind`: how it was put back, "" where it was not. `waits`: the claims whose verdict
    two people have to look at before it is booked, by the rule alone. `accepted`: those that they looked at, each with how
    many messages the bank held then: it is booked after these.
    """

    state: BankState
    rows: Rows[b.Event]
    log: tuple[tuple[str, str, Effect], ...] = ()
    heads: tuple[str, ...] = (BEFORE,)
    kind: str = ""
    waits: tuple[str, ...] = ()
    accepted: tuple[tuple[str, int], ...] = ()

    @property
    def anchor(self) -> Anchor:
        return Anchor(len(self.heads), self.heads[-1])

    def waits_of(self, table: str) -> tuple[str, ...]:
        """The table's claims among them."""
        return tuple(claim for claim in self.waits if claim.startswith(f"{table}:"))

    def held(self, table: str) -> tuple[str, ...]:
        """The hashes of the table's messages that it should hold."""
        return tuple(digest for name, digest, _ in self.log if name == table)

    def key(self) -> bytes:
        """All of it but how the ledger's rows came together, and what accounting is told when a day is closed."""
        state = replace(self.state, days=BankDays())
        beside = (self.log, self.heads, self.kind, self.waits, self.accepted)
        return _digest(msgspec.json.encode((state, *beside), order="deterministic"))


class Told(Struct, frozen=True):
    """A payload of the bank to one table, and what its board said at the same time: the most of each meter.

    A table holds pending claims against that, and those that are owed more; without one there is nothing to remember of it.
    """

    payload: bytes
    epoch: str
    most: tuple[tuple[str, int], ...]


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


def _blank(state: TableState) -> TableState:
    return replace(state, trail=NO_TRAIL, taps=0)


# A table -------------------------------------------------------------------------------------------------------------


def new_table(name: str, journal: str, acts: int, *, accounts: bool = False) -> tuple[House, TableSide]:
    """A table with open bets, and so many acts before it."""
    house, done = people.opened(name, journal, accounts=accounts)
    return house, TableSide(name, _blank(done.state), Rows(None, done.events), (), (_head("", "opened"),), acts)


def acts_of(
    house: House, side: TableSide, hands: tuple[str, ...], reports: tuple[str, ...] = (), chance: Random | None = None
) -> Iterator[tuple[str, TableSide]]:
    """What its people may do next, and the table then; in an order by `chance`, where that is given."""
    if side.acts:
        for words, done in people.acts(house, side.state, hands, reports, chance):
            truth = (*side.truth, *_happened(side.truth, done))
            forgotten = replace(side, before=None)
            after = _after(side, done, words)
            yield words, replace(after, truth=truth, acts=side.acts - 1, before=forgotten)


def _after(side: TableSide, done: people.Done, row: str) -> TableSide:
    if not done.events:
        return side
    heads = (*side.heads, _head(side.heads[-1], row)) if row else side.heads
    return replace(side, state=_blank(done.state), rows=Rows(side.rows, done.events), heads=heads)


def _head(before: str, row: str) -> str:
    return hashlib.sha256(f"{before} {row}".encode()).hexdigest()


def _happened(before: tuple[Effect, ...], done: people.Done) -> Iterator[Effect]:
    """What these events say of the felt, beside what they owe the bank. Chips that differ are told at the next lock."""
    hands: dict[int, str] = {}
    untold: list[Effect] = []
    for event in done.events:
        match event:
            case e.LateWager(seat=seat):
                untold.append(Effect("late", str(seat)))
            case e.DifferenceSettled(seat=seat):
                untold.append(Effect("differences", str(seat)))
            case e.BetsClosed():
                yield from untold
                untold.clear()
            case e.PrizePaid(payment=payment):
                yield Effect(
                    "payment", str(done.state.round.number), paid=True, cents=payment.payout + payment.returned
                )
            case e.SettlementCorrected(wager=wager, lines=lines) if wager:
                back = sum(one.payout + one.returned for one in lines)
                yield Effect("payment", str(done.state.round.number), cents=back)
            case e.AccountMoved(seat=seat, move=AccountMove.BUY_IN, amount=amount):
                yield Effect("account", f"{seat} buy-in", cents=amount)
            case e.AccountMoved(seat=seat, amount=amount):
                yield Effect("account", f"{seat} cash-out", cents=amount)
            case e.DayClosed(day=day):
                yield days.closed(before, day)
            case e.CountAgreed(seats=seats) if seats:
                yield Effect("wagers", str(done.state.round.number), cents=len(seats))
            case e.RoundVoided():
                for holder in dict.fromkeys(one.for_seat for one in event.envy):
                    back = sum(one.payout for one in event.envy if one.for_seat == holder)
                    yield Effect("payment", str(event.round), cents=back)
                if not shares_paid(done.state):
                    yield Effect("void", str(event.round))
            case e.ShareNamed():
                hands[event.seat] = event.hand
            case e.ClaimMade():
                yield Effect("claim", event.claim, hands[event.seat])
            case e.ClaimPaid():
                paid = sum(one.payout for one in (*event.payments, *event.later))
                yield Effect("verdict", event.claim, paid=True, cents=paid)
            case e.ClaimRejected():
                yield Effect("verdict", event.claim)


def said_by(side: TableSide) -> tuple[Effect, ...]:
    """What its messages say, held or not."""
    return tuple(_effect_in(owed.text) for owed in side.state.neighbors.outbox)


@lru_cache(100_000)
def _effect_in(text: str) -> Effect:
    """What a message says; it is asked of every table that owes it."""
    return effect_of(json.loads(text))


def payment_of(body: dict[str, Any]) -> Effect:
    """A fixed prize as a message says it, or what is taken back of one."""
    cents = sum(_cents(line["payout"]) + _cents(line["returned"]) for line in body["lines"])
    return Effect("payment", str(body["round"]), paid="corrected" not in body, cents=cents)


def count_of(body: dict[str, Any]) -> Effect:
    """The one late chip, or the one difference, that a message tells of here."""
    found = [Effect(what, str(one["seat"])) for what in ("late", "differences") for one in body[what]]
    return found[0] if len(found) == 1 else Effect("count", json.dumps(body))


def effect_of(document: dict[str, Any]) -> Effect:
    """What one message says."""
    body = document["body"]
    match document["kind"]:
        case "wagers":
            return Effect("wagers", str(body["round"]), cents=sum(len(one["seats"]) for one in body["made"]))
        case "reversal":
            return Effect("void", str(body["round"]))
        case "claim":
            return Effect("claim", body["claim"], body["hand"])
        case "payment":
            return payment_of(body)
        case "count":
            return count_of(body)
        case "day":
            return days.said(body)
        case "account":
            return Effect("account", f"{body['seat']} {body['move']}", cents=_cents(body["amount"]))
        case _:
            paid = body["paid"]
            return Effect("verdict", body["claim"], paid=paid, cents=_cents(body["amount"]) if paid else 0)


def _cents(amount: str) -> int:
    return int(amount.replace(".", ""))


class _Wire:
    """A link that only keeps what is published."""

    connected = True

    def __init__(self) -> None:
        self.published: list[bytes] = []

    def publish(self, _topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        self.published.append(payload)


def up(table: str, payload: bytes) -> Up:
    """A payload as it goes up: what is hashed is all of it but its anchor (docs/mqtt.md)."""
    document = json.loads(payload)
    del document["anchor"]
    digest = hash_of(json.dumps(document, sort_keys=True, separators=(",", ":")).encode())
    return Up(table, payload, document["seq"], document["prev"], digest, effect_of(document))


def due_of(side: TableSide) -> tuple[bytes, ...]:
    """What the table sends while nothing of it is under way, in order."""
    wire = _Wire()
    Outgoing(wire, "up", lambda first, most: ()).act(side.state, 0, side.anchor)  # type: ignore[arg-type]
    return tuple(wire.published)


def tell(house: House, side: TableSide, told: Told) -> TableSide:
    """The bank's word comes to the table, as its process hears it."""
    said = table_wire.decode_down(told.payload, side.name)
    watch = LedgerWatch()
    watch.recall(side.state.neighbors)
    if watch.is_older(said.epoch, said.anchors.term):
        return side
    return _after(side, people.hear(house, side.state, _compared(side, said, told)), "")


def _compared(side: TableSide, said: BankSaid, told: Told) -> BankSaid:
    seen = said.anchors.seen_rows
    if said.journal == side.state.program.journal and seen:
        own = side.heads[seen - 1] if seen <= len(side.heads) else ""
        said = replace(said, anchors=replace(said.anchors, own_head=own))
    return replace(said, most=told.most if told.epoch == said.epoch else ())


def restart(house: House, side: TableSide) -> TableSide:
    """The program starts again from what its journal's bytes say."""
    rows = (VOCABULARY.decode(*VOCABULARY.encode(event)) for event in side.rows.all())
    state = _blank(reduce(table_book.evolve, rows, TableState()))
    return _after(replace(side, state=state), people.hear(house, state, *people.started()), "")


def put_back(house: House, side: TableSide) -> TableSide | None:
    """The journal is put back to what it was before the last act; what people have done stays done."""
    old = side.before
    if old is None:
        return None
    kept = replace(
        old, truth=side.truth, acts=side.acts, put_back=True, heads=(*old.heads, _head(old.heads[-1], "again"))
    )
    return restart(house, kept)


# The bank ---------------------------------------------------------------------------------------------------------------


def new_bank(rules: bank_law.BankRules) -> BankSide:
    """A bank that has just begun its ledger."""
    return _take(rules, BankSide(BankState(), Rows(None, ())), BankStarted(AT, EPOCH, restored=False))[0]


def _take(rules: bank_law.BankRules, side: BankSide, given: BankInput) -> tuple[BankSide, tuple[b.Event, ...]]:
    """Think, then write; complaints are the process's to count, and no rows of their own here."""
    events = bank_law.decide(rules, side.state, given)
    written = tuple(one for one in events if not isinstance(one, b.Complained))
    if not written:
        return side, events
    state = reduce(bank_book.evolve, written, side.state)
    return replace(side, state=state, rows=Rows(side.rows, written)), events


def hear(rules: bank_law.BankRules, side: BankSide, said: Up, part: str) -> tuple[BankSide, tuple[b.Event, ...]]:
    """A table's message comes. `part`: the ledger's head for what is written now, "" for the one that it has.

    What the bank should hold is told by the message alone: the next one of its table, where it follows.
    """
    after, events = _take(rules, side, bank_wire.decode_up(said.table, said.payload, AT))
    if _is_next(side, said):
        waits = (*side.waits, said.effect.name) if _is_unexplained(side, said) else side.waits
        after = replace(after, log=(*side.log, (said.table, said.digest, said.effect)), waits=waits)
    return _grown(side, after, part), events


def _is_unexplained(side: BankSide, said: Up) -> bool:
    """Whether two people have to look at what was paid: the lost ledger's price was far above this one's."""
    what = said.effect
    priced = side.state.book(said.table).claim(what.name) if what.what == "verdict" and what.paid else None
    return side.kind == "announced" and priced is not None and what.cents > priced.due + EXPLAINED


def _is_next(side: BankSide, said: Up) -> bool:
    held = side.held(said.table)
    return (said.seq, said.prev) == (len(held) + 1, held[-1] if held else NO_HASH)


def _grown(before: BankSide, after: BankSide, part: str) -> BankSide:
    if after is before or not part or before.heads[-1] == part:
        return after
    return replace(after, heads=(BEFORE, part))


def beat(
    rules: bank_law.BankRules, side: BankSide, table: TableSide, part: str
) -> tuple[BankSide, tuple[b.Event, ...]]:
    """A table says that it is there, how far its journal has come, and what it saw of this ledger."""
    journal = table.state.program.journal
    alarm = table.state.neighbors.bank_alarm
    found = alarm if alarm in (bank_law.BEHIND, bank_law.FORK) else ""
    given = TableBeat(AT, table.name, journal, table.anchor.rows, table.anchor.head, found)
    seen = LedgerWatch()
    seen.recall(table.state.neighbors)
    if seen.seen is not None:
        ours = side.heads[seen.seen.rows - 1] if seen.seen.rows <= len(side.heads) else ""
        of_now = seen.seen.epoch == side.state.epoch
        given = replace(
            given,
            epoch=seen.seen.epoch,
            ledger_rows=seen.seen.rows,
            ledger_head=seen.seen.head,
            ours=ours if of_now else seen.seen.head,
        )
    after, events = _take(rules, side, given)
    return _grown(side, after, part), events


def say(side: BankSide, table: str) -> Told:
    """What the bank says to a table that spoke."""
    state = side.state
    board = read(write(bank_wire.board(state, AT)), Board)
    claims = bank_wire.down(state, table).claims
    waits = any(claim.status is ClaimStatus.PENDING or claim.owed for claim in claims)
    most = tuple((meter.name, int(meter.most)) for meter in board.meters) if waits else ()
    return Told(write(bank_wire.down(state, table, side.anchor)), board.epoch, most)


def accept(rules: bank_law.BankRules, side: BankSide, table: str, part: str) -> BankSide:
    """Two people look at the first verdict of a table that waits for them, and accept it as it was said: it was paid."""
    claim = side.waits_of(table)[0]
    waits = tuple(one for one in side.waits if one != claim)
    after = replace(side, waits=waits, accepted=(*side.accepted, (claim, len(side.log))))
    if (held := bank_law.held_verdict(side.state, claim)) is not None:
        position = held.position
        after, _ = _take(rules, after, VerdictSigned(AT, claim, True, PEOPLE, position.seq, position.hash))
    return _grown(side, after, part)


def restart_bank(rules: bank_law.BankRules, side: BankSide, *, restored: bool = False) -> BankSide:
    """The program starts again from what its ledger's bytes say."""
    encoded = ((type(event), msgspec.json.encode(event)) for event in side.rows.all())
    rows = (msgspec.json.decode(text, type=kind) for kind, text in encoded)
    state = reduce(bank_book.evolve, rows, BankState())
    epoch = SECOND_EPOCH if restored else EPOCH
    return _take(rules, replace(side, state=state), BankStarted(AT, epoch, restored))[0]


def restore(rules: bank_law.BankRules, backup: BankSide, *, announced: bool) -> BankSide:
    """The ledger is lost; a bank starts on the backup, and says so, or not."""
    side = restart_bank(rules, backup, restored=announced)
    return replace(side, kind="announced" if announced else "in silence")
