"""What the bank knows: one frozen value, rebuilt from its events after any power cut, with no rulebook.

Meters are not kept: they are the sums of the ledger's entries. Every memory has a bound, so that a bank that runs for
years stays the size of one that ran for a week; the bounds stand at the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from firmware.bank.events import (
    AlarmRaised,
    BankStarted,
    Claim,
    ClaimPaid,
    ClaimPriced,
    ClaimRejected,
    Complained,
    Event,
    MessageNotHonoured,
    MeterSeed,
    MetersSeeded,
    Position,
    RepetitionHeld,
    RoundReversed,
    TableAdopted,
    WagersHeld,
    entries_of,
)
from firmware.bank.ledger import Account, Accounts
from firmware.rules.money import Cents, Micros
from firmware.wire.from_bank import ClaimStatus
from firmware.wire.from_table import MeterWager
from firmware.wire.payload import NO_HASH

NOTHING = Cents(0)
HASH_LENGTH = 64
HASHES_PER_PAGE = 128
PAGES_MAX = 80
"""The last 79 x 128 = 10,112 messages of a table, at least, can be compared with one that says it is the same."""
ROUNDS_MAX = 256
"""A reversal or a claim speaks of a round that is still on the felt; this many a table are remembered."""
ENDED_CLAIMS_MAX = 20
WON_MAX = 5
ALARMS_MAX = 8
"""Alarms of a table that nobody has looked at; bets are closed at the first, more would only fill the journal."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is committed of one journal: the highest message, and the hashes of the last ten thousand, in pages."""

    seq: int = 0
    hash: str = NO_HASH
    first_kept: int = 1
    pages: tuple[str, ...] = ()

    def followed_by(self, hash: str) -> Held:
        """The same with the next message."""
        if self.pages and len(self.pages[-1]) < HASHES_PER_PAGE * HASH_LENGTH:
            pages = (*self.pages[:-1], self.pages[-1] + hash)
        else:
            pages = (*self.pages, hash)
        dropped = len(pages) > PAGES_MAX
        return Held(
            self.seq + 1,
            hash,
            self.first_kept + HASHES_PER_PAGE if dropped else self.first_kept,
            pages[1:] if dropped else pages,
        )

    def hash_at(self, seq: int) -> str:
        """The hash of message `seq`, or "" where it is older than what is kept, or not held."""
        if not self.first_kept <= seq <= self.seq:
            return ""
        page, place = divmod(seq - self.first_kept, HASHES_PER_PAGE)
        return self.pages[page][place * HASH_LENGTH : (place + 1) * HASH_LENGTH]


@dataclass(frozen=True, slots=True)
class Round:
    """One round's contributions. `wagers`: the seats that made each; `version`: the ledger's after them.

    `claimed`: the wagers and seats with a claim that is not rejected.
    """

    number: int
    wagers: Mapping[MeterWager, tuple[int, ...]]
    contributions: Mapping[str, Micros]
    version: int
    claimed: tuple[tuple[MeterWager, int], ...] = ()
    reversed: bool = False

    def has_claimed(self, wager: MeterWager, seat: int) -> bool:
        """Whether that wager has its prize: all who backed the dealer's hand are in one claim (653a.12(e)(2))."""
        if wager is MeterWager.DEALERS_HAND:
            return any(claimed is wager for claimed, _ in self.claimed)
        return (wager, seat) in self.claimed


@dataclass(frozen=True, slots=True)
class Priced:
    """A claim and what became of it. `version`: the ledger's after it was priced; `ended`: "" while it is pending."""

    claim: Claim
    journal: str
    version: int
    status: ClaimStatus = ClaimStatus.PENDING
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Why a table closes its bets until two people have looked. `journal` and `seq`: of the message that raised it."""

    kind: str
    journal: str
    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class Journal:
    """What one journal of a table has told: a table that gets an older one back goes on where that one stood."""

    held: Held = field(default_factory=Held)
    rounds: tuple[Round, ...] = ()
    """The last of them, ascending; numbers rise within a journal."""

    def round(self, number: int) -> Round | None:
        """That round, if it is still remembered."""
        return next((round for round in reversed(self.rounds) if round.number == number), None)

    def with_round(self, changed: Round) -> Journal:
        """The same with one round changed."""
        rounds = tuple(changed if round.number == changed.number else round for round in self.rounds)
        return replace(self, rounds=rounds)


@dataclass(frozen=True, slots=True)
class TableBook:
    """What the bank holds of one table. `journal` is "" until its first message."""

    journal: str = ""
    journals: Mapping[str, Journal] = field(default_factory=dict)
    claims: tuple[Priced, ...] = ()
    """All that are pending, and the last twenty that ended, in the order in which they were priced and ended."""
    alarms: tuple[Alarm, ...] = ()

    @property
    def current(self) -> Journal:
        """The journal that the table writes now; an empty one before its first message."""
        return self.journals.get(self.journal, Journal())

    def claim(self, name: str) -> Priced | None:
        """The latest claim of that name, if it is still remembered."""
        return next((priced for priced in reversed(self.claims) if priced.claim.claim == name), None)


@dataclass(frozen=True, slots=True)
class BankState:
    """The whole bank. `version` rises by one with every change of the ledger."""

    epoch: str = ""
    title: str = ""
    configured: tuple[str, ...] = ()
    wager: Cents = NOTHING
    paytable: str = ""
    five_card: Cents = NOTHING
    """What a Five Card Hand wager costs, 0 where it is not offered."""
    meters: tuple[MeterSeed, ...] = ()
    accounts: Accounts = field(default_factory=Accounts)
    version: int = 0
    tables: Mapping[str, TableBook] = field(default_factory=dict)
    won: tuple[Priced, ...] = ()
    """The last five that were paid, newest first."""
    paid_versions: Mapping[str, int] = field(default_factory=dict)
    """By meter, or reserve: the highest `Priced.version` among the paid claims that took from it."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """By meter, or reserve: how often something else than wagers changed it."""
    complaints: int = 0
    complaint: str = ""
    """The last of them: place and text."""

    def meter(self, name: str) -> Micros:
        """What stands on a meter, or on a reserve, now."""
        return self.accounts.stands(name)

    def account(self, meter: str) -> Account:
        """The account on which a meter stands: `RESERVE` for a reserve."""
        return next((seed.account for seed in self.meters if seed.name == meter), Account.METERS)

    def book(self, table: str) -> TableBook:
        """What is held of a table; an empty book for one never heard of."""
        return self.tables.get(table, TableBook())

    @property
    def pending(self) -> tuple[Priced, ...]:
        """Every pending claim of the bank, in the order in which they were priced."""
        claims = (
            priced for book in self.tables.values() for priced in book.claims if priced.status is ClaimStatus.PENDING
        )
        return tuple(sorted(claims, key=lambda priced: priced.version))

    def won_since(self, meter: str, version: int) -> bool:
        """Whether a share of this meter, or this reserve, was priced after `version` of the ledger, and not rejected."""
        return self.paid_versions.get(meter, 0) > version or any(
            meter in (priced.claim.meter, priced.claim.reserve) and priced.version > version for priced in self.pending
        )


def evolve(state: BankState, event: Event) -> BankState:
    """The book-keeping: post the entries, then remember what the event says."""
    state = _post(state, event)
    match event:
        case BankStarted():
            return replace(state, epoch=event.epoch, title=event.title, configured=event.tables)
        case MetersSeeded():
            return _seed(state, event)
        case TableAdopted():
            return _adopt(state, event)
        case WagersHeld():
            return _hold(_remember_round(state, event), event.position)
        case RoundReversed():
            return _hold(_forget_contributions(state, event), event.position)
        case ClaimPriced():
            return _hold(_freeze(state, event), event.position)
        case ClaimPaid():
            return _hold(_end(state, event, ClaimStatus.PAID), event.position)
        case ClaimRejected():
            return _hold(_end(state, event, ClaimStatus.REJECTED), event.position)
        case RepetitionHeld():
            return _hold(state, event.position)
        case MessageNotHonoured(position=position):
            alarm = Alarm(event.kind, position.journal, position.seq, event.text)
            return _hold(_alarm(state, position.table, alarm), position)
        case AlarmRaised():
            return _alarm(state, event.table, Alarm(event.kind, event.journal, event.seq, event.text))
        case Complained():
            return replace(state, complaints=state.complaints + event.count, complaint=f"{event.place}: {event.text}")
    assert_never(event)


def _post(state: BankState, event: Event) -> BankState:
    """A claim changes the board even where its share is cut to nothing, and moves no money."""
    entries = entries_of(event)
    if not entries and not isinstance(event, ClaimPriced | ClaimPaid | ClaimRejected):
        return state
    steps = state.steps
    if isinstance(event, ClaimPriced | ClaimRejected | RoundReversed):
        stepped = sorted({entry.meter for entry in entries})
        steps = {**steps, **{meter: steps.get(meter, 0) + 1 for meter in stepped}}
    return replace(state, accounts=state.accounts.post(entries), version=state.version + 1, steps=steps)


def _seed(state: BankState, event: MetersSeeded) -> BankState:
    return replace(state, wager=event.wager, paytable=event.paytable, five_card=event.five_card, meters=event.meters)


def _hold(state: BankState, position: Position) -> BankState:
    journal = state.book(position.table).journals[position.journal]
    return _with_journal(state, position, replace(journal, held=journal.held.followed_by(position.hash)))


def _adopt(state: BankState, event: TableAdopted) -> BankState:
    book = state.book(event.table)
    journals = {**book.journals, event.journal: book.journals.get(event.journal, Journal())}
    return _with_book(state, event.table, replace(book, journal=event.journal, journals=journals, alarms=()))


def _remember_round(state: BankState, event: WagersHeld) -> BankState:
    contributions = {entry.meter: entry.micros for entry in event.entries if entry.account is Account.CONTRIBUTIONS}
    wagers = {
        MeterWager.PROGRESSIVE: event.seats,
        MeterWager.OWN_HAND: event.own,
        MeterWager.DEALERS_HAND: event.dealer,
    }
    round = Round(event.round, wagers, contributions, state.version)
    journal = state.book(event.position.table).journals[event.position.journal]
    before = (one for one in journal.rounds if one.number != event.round)  # reversed: its bets were opened again
    rounds = (*before, round)[-ROUNDS_MAX:]
    return _with_journal(state, event.position, replace(journal, rounds=rounds))


def _forget_contributions(state: BankState, event: RoundReversed) -> BankState:
    journal = state.book(event.position.table).journals[event.position.journal]
    round = journal.round(event.round)
    assert round is not None, f"{event.position} reverses round {event.round}, which no event before it has opened"
    return _with_journal(state, event.position, journal.with_round(replace(round, reversed=True)))


def _freeze(state: BankState, event: ClaimPriced) -> BankState:
    claim = event.claim
    book = state.book(claim.table)
    priced = Priced(claim, event.position.journal, state.version)
    state = _with_book(state, claim.table, replace(book, claims=(*book.claims, priced)))
    return _mark_claimed(state, priced, claimed=True)


def _end(state: BankState, event: ClaimPaid | ClaimRejected, status: ClaimStatus) -> BankState:
    book = state.book(event.position.table)
    pending = book.claim(event.claim)
    assert pending is not None, f"{event.position} ends claim {event.claim}, which no event before it has priced"
    ended = replace(pending, status=status, ended=event.at)
    claims = _bounded((*(priced for priced in book.claims if priced is not pending), ended))
    state = _with_book(state, event.position.table, replace(book, claims=claims))
    if status is ClaimStatus.REJECTED:
        return _mark_claimed(state, ended, claimed=False)
    taken_from = (meter for meter in (ended.claim.meter, ended.claim.reserve) if meter)
    paid = {meter: max(state.paid_versions.get(meter, 0), ended.version) for meter in taken_from}
    paid_versions = {**state.paid_versions, **paid}
    return replace(state, won=(ended, *state.won)[:WON_MAX], paid_versions=paid_versions)


def _bounded(claims: tuple[Priced, ...]) -> tuple[Priced, ...]:
    ended = [priced for priced in claims if priced.status is not ClaimStatus.PENDING][-ENDED_CLAIMS_MAX:]
    return tuple(priced for priced in claims if priced.status is ClaimStatus.PENDING or priced in ended)


def _mark_claimed(state: BankState, priced: Priced, *, claimed: bool) -> BankState:
    """A wager wins one prize a round; only a rejected claim lets it claim again. The round may be forgotten by then."""
    claim = priced.claim
    book = state.book(claim.table)
    journal = book.journals[priced.journal]
    round = journal.round(claim.round)
    if round is None:
        return state
    this = (claim.wager, claim.seat)
    others = tuple(one for one in round.claimed if one != this)
    round = replace(round, claimed=(*others, this) if claimed else others)
    journals = {**book.journals, priced.journal: journal.with_round(round)}
    return _with_book(state, claim.table, replace(book, journals=journals))


def _alarm(state: BankState, table: str, alarm: Alarm) -> BankState:
    book = state.book(table)
    return _with_book(state, table, replace(book, alarms=(*book.alarms, alarm)[:ALARMS_MAX]))


def _with_journal(state: BankState, position: Position, journal: Journal) -> BankState:
    book = state.book(position.table)
    return _with_book(state, position.table, replace(book, journals={**book.journals, position.journal: journal}))


def _with_book(state: BankState, table: str, book: TableBook) -> BankState:
    return replace(state, tables={**state.tables, table: book})
