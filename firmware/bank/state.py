"""The state of the bank: one frozen value, rebuilt from its events after any power cut, with no rulebook.

Meters are not kept: they are the sums of the ledger's entries. Every memory has a bound, so that a bank that runs for
years stays the size of one that ran for a week; the bounds stand at the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial, reduce
from typing import assert_never

from msgspec import Struct, field

from firmware.bank.events import (
    AccountHeld,
    AlarmRaised,
    BankStarted,
    Claim,
    ClaimPaid,
    ClaimPaidOtherwise,
    ClaimPriced,
    ClaimRejected,
    ClaimReopened,
    Complained,
    CountHeld,
    DayClosed,
    DebtStands,
    Event,
    KeyAccepted,
    Made,
    MessageNotHonored,
    MeterSeed,
    MetersSeeded,
    PaymentsHeld,
    Position,
    Raised,
    RepetitionHeld,
    RoundReversed,
    Sum,
    TableAdopted,
    TableAnchored,
    TableDayHeld,
    TablesAdded,
    VerdictHeld,
    WagersHeld,
    entries_of,
)
from firmware.bank.ledger import Account, Accounts, Entry
from firmware.bank.meters import Meters, Step, Story
from firmware.rules.money import Cents, Micros, in_full, to_micros
from firmware.wire.from_bank import ClaimStatus
from firmware.wire.offers import WagerOffered
from firmware.wire.payload import NO_HASH
from firmware.wire.reports import PaymentLine
from firmware.wire.structs import replace
from firmware.wire.values import CLAIMS_MAX, EPOCHS_MAX, REFUSED_MAX

NOTHING = Cents(0)
HASH_LENGTH = 64
HASHES_PER_PAGE = 128
PAGES_MAX = 2
"""The last 128 messages of a table, at least, can be compared at once with one that says it is the same."""
HELD_LEAST = (PAGES_MAX - 1) * HASHES_PER_PAGE
"""So many messages are held in one transaction at most; then any older one can be looked up in the ledger."""
ROUNDS_MAX = 64
"""A reversal or a claim speaks of a round that is still on the felt; this many a table are remembered."""
ENDED_CLAIMS_MAX = 20
REJECTED_MAX = 100
"""Claims of a table that were no winners and are remembered, for a regulator may order that one is opened again."""
VERDICT, OWED, AMOUNT = "verdict", "owed", "amount"
"""Alarms: a verdict that two people have to look at; a claim that is to be paid more, which closes no bets; a claim that
was paid otherwise."""
WON_MAX = 5
RECENT_DAYS = 8
"""Dates of closed days that are kept, so that none is closed twice though a clock ran ahead for some of them."""
ALARMS_MAX = 8
"""Alarms of a table and one kind that nobody has looked at, about its own journal and about others each; more would only
fill the journal. A verdict that is held, and a claim that is owed, has its alarm however many there are."""


class Held(Struct, frozen=True):
    """The committed messages of one journal: the highest one, and the hashes of the last ones, in pages."""

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


class Round(Struct, frozen=True):
    """One round's contributions. `made`: its wagers; `version`: the ledger's after them.

    `claimed`: the wagers and seats with a claim that is not rejected.
    """

    number: int
    made: tuple[Made, ...]
    contributions: Mapping[str, Micros]
    version: int
    claimed: tuple[tuple[str, int], ...] = ()
    reversed: bool = False
    paid: tuple[PaymentLine, ...] = ()
    """Fixed prizes, envy bonuses and credits of this round that stand."""

    def seats(self, wager: str) -> tuple[int, ...]:
        """The seats that made that wager."""
        return next((made.seats for made in self.made if made.wager == wager), ())

    def has_claimed(self, wager: str, seat: int) -> bool:
        """Whether that wager has its prize."""
        return any(self.one_hand(wager, seat, *claimed) for claimed in self.claimed)

    def one_hand(self, wager: str, seat: int, other: str, at: int) -> bool:
        """Two prizes are for one hand: a seat's, or the dealer's, which has one for all who backed it (653a.12(e)(2))."""
        return wager == other and (seat == at or any(made.shared for made in self.made if made.wager == wager))


class Priced(Struct, frozen=True):
    """A claim and what became of it. `version`: the ledger's after it was priced; `ended`: "" while it is pending.

    `due`: cents that are to be paid for it in all; `paid`: those that were. `raises`: every `due` but the first, with the
    ledger's version after it. `held`: the verdict that two people have to look at before it is booked; no other one takes
    its place meanwhile.
    `gone`: two people found the player gone who is owed more.
    """

    claim: Claim
    journal: str
    version: int
    due: Cents
    status: ClaimStatus = ClaimStatus.PENDING
    ended: str = ""
    paid: Cents = NOTHING
    raises: tuple[tuple[Cents, int], ...] = ()
    held: VerdictHeld | None = None
    gone: bool = False

    @property
    def owed(self) -> Cents:
        """The missing part of the payment."""
        return Cents(self.due - self.paid) if self.status is ClaimStatus.PAID else NOTHING

    @property
    def rejected_by_table(self) -> bool:
        """The table has said that it is no winner, and two people have to look at that."""
        return self.status is ClaimStatus.PENDING and self.held is not None and not self.held.verdict.paid

    @property
    def prices(self) -> tuple[Cents, ...]:
        """Every amount that this ledger has said is to be paid for it."""
        return (self.claim.amount, *(amount for amount, _ in self.raises))

    @property
    def priced_at(self) -> int:
        """The ledger's version when `due` was frozen."""
        return self.raises[-1][1] if self.raises else self.version


class Alarm(Struct, frozen=True):
    """Something that two people have to look at. `journal`, `seq` and `hash`: of the message that raised it.

    The table closes its progressive bets, unless that message is not its own: then another machine uses its name.
    """

    kind: str
    journal: str
    seq: int
    hash: str
    text: str


LOOKED_AT = -1
"""Instead of the number of a journal's last gaming day: two people have looked at one that did not follow."""


class Journal(Struct, frozen=True):
    """The words of one journal of a table. A table that gets an older one back goes on where that one stood."""

    held: Held = field(default_factory=Held)
    rounds: tuple[Round, ...] = ()
    """The last of them, ascending; numbers rise within a journal."""
    key: str = ""
    """The digits of the key that seals what its table says, where that is not the one the journal is named after."""
    days: int = 0
    """Gaming days of it that the table has closed, or LOOKED_AT; `day`: the date of the last one."""
    day: str = ""

    def round(self, number: int) -> Round | None:
        """That round, if it is still remembered."""
        return next((round for round in reversed(self.rounds) if round.number == number), None)

    def with_round(self, changed: Round) -> Journal:
        """The same with one round changed."""
        rounds = tuple(changed if round.number == changed.number else round for round in self.rounds)
        return replace(self, rounds=rounds)


NO_JOURNAL = Journal()


class Seen(Struct, frozen=True):
    """How far a table's journal had come at the highest that the bank saw. 0 rows: never told."""

    rows: int = 0
    head: str = ""


class Refused(Struct, frozen=True):
    """A claim that is held without effect. `by`: who ended the alarm about it, () while it stands."""

    claim: str
    by: tuple[str, ...] = ()


class TableBook(Struct, frozen=True):
    """The bank's record of one table. `journal` is "" until its first message."""

    journal: str = ""
    journals: Mapping[str, Journal] = {}
    claims: tuple[Priced, ...] = ()
    """All that are pending, owed more or in the story, and the last twenty that ended, in the order in which they were
    priced and ended."""
    alarms: tuple[Alarm, ...] = ()
    seen: Seen = Seen()
    """How far `journal` had come, since it was adopted."""
    refused: tuple[Refused, ...] = ()
    """The last claims that are held without effect."""

    @property
    def current(self) -> Journal:
        """The journal that the table writes now; an empty one before its first message."""
        return self.journals.get(self.journal, NO_JOURNAL)

    @property
    def key(self) -> str:
        """As `Journal.key`."""
        return self.current.key

    @property
    def alarm(self) -> Alarm | None:
        """The oldest about the journal that the table has, else the oldest of all.

        One about a claim's money comes before all others, so that nobody ends it unseen; what is owed comes last.
        """

        def place(alarm: Alarm) -> tuple[bool, bool, bool]:
            return alarm.kind == OWED, alarm.journal != self.journal, alarm.kind not in (VERDICT, AMOUNT)

        return min(self.alarms, key=place, default=None)

    @property
    def pending(self) -> tuple[Priced, ...]:
        """Its claims without a verdict, of whichever journal."""
        return tuple(priced for priced in self.claims if priced.status is ClaimStatus.PENDING)

    @property
    def said(self) -> tuple[Priced, ...]:
        """Its claims as they are said to it: so many that a payload holds them, in the order in which they are kept.

        All that are pending; of those owed more the oldest whose players are there, the others when these are paid; and the
        last that ended.
        """
        owed = sorted((priced for priced in self.claims if priced.owed), key=lambda priced: priced.gone)[:CLAIMS_MAX]
        open = (*self.pending[:CLAIMS_MAX], *owed)
        ended = [one for one in self.claims if one.status is not ClaimStatus.PENDING and not one.owed]
        told = {priced.version for priced in (*open, *ended[-ENDED_CLAIMS_MAX:])}
        return tuple(priced for priced in self.claims if priced.version in told)

    @property
    def has_open_price(self) -> bool:
        """A claim of it is pending or owed more."""
        return any(priced.status is ClaimStatus.PENDING or priced.owed for priced in self.claims)

    def standing(self, round: Round) -> tuple[tuple[str, int], ...]:
        """The wagers and seats of a round of the journal it writes whose claim is pending or paid.

        One that the table rejected does not stand, though two people have to accept that yet: they cannot refuse it.
        """
        of_round = (one for one in self.claims if (one.journal, one.claim.round) == (self.journal, round.number))
        rejected = {(one.claim.wager, one.claim.seat) for one in of_round if one.rejected_by_table}
        return tuple(one for one in round.claimed if one not in rejected)

    def claim(self, name: str) -> Priced | None:
        """The latest claim of that name, if it is still remembered."""
        return next((priced for priced in reversed(self.claims) if priced.claim.claim == name), None)


NO_ACCOUNTS = Accounts()
ByTable = Mapping[str, Accounts]
"""Sums of the entries of each table's messages; under "" those of the first seeds."""


class Days(Struct, frozen=True):
    """The ledger's gaming days. `closed`: how many were; `recent`: the last dates.

    `total`: since the ledger began; `before`: of that, what the closed days had.
    """

    closed: int = 0
    recent: tuple[str, ...] = ()
    total: ByTable = {}
    before: ByTable = {}

    @property
    def last(self) -> str:
        """The date of the last one, "" for none."""
        return self.recent[-1] if self.recent else ""


def sums(total: ByTable, before: ByTable | None = None) -> tuple[Sum, ...]:
    """The bookings since `before`, by table, meter and account; a sum of zero is left out."""
    found = []
    for table, accounts in sorted(total.items()):
        earlier = (before or {}).get(table, Accounts())
        for meter, of_meter in sorted(accounts.balances.items()):
            for account, micros in sorted(of_meter.items()):
                if more := micros - earlier.balance(account, meter):
                    found.append(Sum(table, meter, account, Micros(more)))
    return tuple(found)


class BankState(Struct, frozen=True):
    """The whole bank. `version` rises by one with every change of the ledger."""

    epoch: str = ""
    before: tuple[str, ...] = ()
    """The epochs that this ledger had before it was restored, also after the backup, the last ones, oldest first."""
    term: int = 0
    """How often a bank has started on this ledger."""
    title: str = ""
    configured: tuple[str, ...] = ()
    wagers: tuple[WagerOffered, ...] = ()
    """Every wager with a meter, as the submission offered it when the ledger was made."""
    seeds: tuple[MeterSeed, ...] = ()
    """Every meter, and reserve, and what it starts with."""
    meters: Meters = field(default_factory=Meters)
    version: int = 0
    tables: Mapping[str, TableBook] = {}
    won: tuple[Priced, ...] = ()
    """The last five that were paid, newest first."""
    waiting: tuple[tuple[int, str], ...] = ()
    """`Priced.version` and table of each pending claim, in the order in which they were priced."""
    story: Story = field(default_factory=Story)
    """The changes of the meters since before the oldest pending claim was priced."""
    steps: Mapping[str, int] = {}
    """By meter, or reserve: how often something else than wagers changed it."""
    highest: Mapping[str, Micros] = {}
    """By meter, or reserve: the most it would have held without its pending claims; no true price is a share of more."""
    days: Days = field(default_factory=Days)
    complaints: int = 0
    complaint: str = ""
    """The last of them: place and text."""

    def meter(self, name: str) -> Micros:
        """The amount on a meter, or on a reserve, now."""
        return self.accounts.stands(name)

    @property
    def accounts(self) -> Accounts:
        """The sums of all entries."""
        return self.meters.accounts

    def book(self, table: str) -> TableBook:
        """The record of a table; an empty one for a table never heard of."""
        return self.tables.get(table) or TableBook()

    @property
    def pending(self) -> tuple[Priced, ...]:
        """Every pending claim of the bank, in the order in which they were priced."""
        return tuple(
            next(priced for priced in self.tables[table].claims if priced.version == version)
            for version, table in self.waiting
        )

    def priced_at(self, version: int) -> Priced | None:
        """The claim that was priced at this version of the ledger, if it is still remembered."""
        claims = (priced for book in self.tables.values() for priced in book.claims)
        return next((priced for priced in claims if priced.version == version), None)


def evolve(state: BankState, event: Event) -> BankState:
    """The book-keeping: post the entries, then remember what the event says."""
    return _evolved(_post(state, event), event)


def _evolved(state: BankState, event: Event) -> BankState:
    match event:
        case BankStarted():
            return _start(state, event)
        case TablesAdded():
            return replace(state, configured=event.tables)
        case MetersSeeded():
            return _seed(state, event)
        case TableAdopted():
            return _adopt(state, event)
        case KeyAccepted():
            return state
        case DayClosed():
            recent = (*state.days.recent, event.day)[-RECENT_DAYS:]
            days = replace(state.days, closed=event.number, recent=recent, before=state.days.total)
            return replace(state, days=days)
        case TableAnchored():
            return _see(state, event.table, Seen(event.rows, event.head))
        case WagersHeld():
            return _hold(state, event.position, _with_round(state, event))
        case RoundReversed():
            return _hold(_forget_contributions(state, event), event.position)
        case ClaimPriced():
            return _hold(_freeze(state, event), event.position)
        case ClaimPaid():
            return _ends(_paid_less(_pay(state, event), event), event)
        case ClaimPaidOtherwise(position=position):
            alarm = Alarm(AMOUNT, position.journal, position.seq, position.hash, event.text)
            return _ends(_paid_less(_alarm(_pay(state, event), position.table, alarm), event), event)
        case ClaimRejected():
            return _ends(_reject(state, event), event)
        case ClaimReopened():
            return _reopen(state, event)
        case DebtStands():
            return _ends(_with_claim(state, replace(_ended(state, event), gone=True, held=None)), event)
        case VerdictHeld():
            return _hold(_keep(state, event), event.position)
        case PaymentsHeld():
            return _hold(_remember_payments(state, event), event.position)
        case TableDayHeld(position=position, said=said):
            journal = state.book(position.table).journals[position.journal]
            return _hold(_with_journal(state, position, replace(journal, days=said.number, day=said.day)), position)
        case AccountHeld() | CountHeld() | RepetitionHeld():
            return _hold(state, event.position)
        case MessageNotHonored(position=position):
            alarm = Alarm(event.kind, position.journal, position.seq, position.hash, event.text)
            return _hold(_alarm(_refuse(state, position.table, event.claim), position.table, alarm), position)
        case AlarmRaised():
            return _alarm(state, event.table, Alarm(event.kind, event.journal, event.seq, event.hash, event.text))
        case Complained():
            return replace(state, complaints=state.complaints + event.count, complaint=f"{event.place}: {event.text}")
    assert_never(event)


def _post(state: BankState, event: Event) -> BankState:
    """A claim changes the board even where its share is cut to nothing, and moves no money."""
    entries = entries_of(event)
    if not entries and not isinstance(event, ClaimPriced | ClaimPaid | ClaimPaidOtherwise | ClaimRejected):
        return state
    steps = state.steps
    if isinstance(event, ClaimPriced | ClaimPaidOtherwise | ClaimRejected | ClaimReopened | RoundReversed):
        stepped = sorted({entry.meter for entry in entries})
        steps = {**steps, **{meter: steps.get(meter, 0) + 1 for meter in stepped}}
    version = state.version + 1
    meters, story, highest = state.meters.posted(entries, _taken(event), version), _told(state, event), state.highest
    if isinstance(event, ClaimRejected):
        meters = replace(meters, taken=story.told().meters.taken)
    if isinstance(event, WagersHeld | MetersSeeded):
        highest = _risen(state, meters.accounts, {entry.meter for entry in entries})
    return replace(
        state,
        meters=meters,
        days=replace(state.days, total=_by_table(state.days.total, entries)),
        version=version,
        story=story,
        steps=steps,
        highest=highest,
    )


def _taken(event: Event) -> tuple[str, ...]:
    """The meters, and reserves, that lose a share by it."""
    if isinstance(event, ClaimPriced):
        return event.claim.takes
    if isinstance(event, ClaimReopened):
        given = (entry.meter for entry in event.entries if entry.account in (Account.METERS, Account.RESERVE))
        return tuple(dict.fromkeys(given))
    return ()


def _told(state: BankState, event: Event) -> Story:
    """The changes of the meters with this one. Nothing is kept while no claim is pending."""
    story = state.story
    if isinstance(event, ClaimPriced):
        story = story if story.steps else Story(state.meters)
        return story.followed_by(Step(claim=event.claim, version=state.version + 1))
    if not story.steps:
        return story
    match event:
        case WagersHeld():
            return story.followed_by(Step(_moved(event)))
        case ClaimReopened():
            return story.followed_by(Step(_moved(event), version=state.version + 1, taken=_taken(event)))
        case RoundReversed():
            round = _round_of(state, event.position, event.round)
            off = _moved(event)
            if off == {meter: -contribution for meter, contribution in round.contributions.items()}:
                return story.followed_by(Step(off))  # no claim came between, even if one is left out
            return story.followed_by(Step(void=round.contributions, version=round.version))
        case ClaimPaidOtherwise() if event.due != (priced := _ended(state, event)).due:
            return story.fixed(priced.version).followed_by(Step(_moved(event)))
        case ClaimRejected():
            return story.without(_ended(state, event).version)
    return story


def _moved(event: WagersHeld | RoundReversed | ClaimPaidOtherwise | ClaimReopened) -> Mapping[str, Micros]:
    amounts: dict[str, Micros] = {}
    for entry in event.entries:
        if entry.account in (Account.METERS, Account.RESERVE, Account.ADVANCES):
            amounts[entry.meter] = Micros(amounts.get(entry.meter, 0) + entry.micros)
    return amounts


def _by_table(total: ByTable, entries: tuple[Entry, ...]) -> ByTable:
    tables = dict.fromkeys([entry.table for entry in entries])  # in one order, wherever they are replayed
    if len(tables) == 1:
        [table] = tables
        return {**total, table: total.get(table, NO_ACCOUNTS).post(entries)}
    posted = {
        table: total.get(table, Accounts()).post(entry for entry in entries if entry.table == table) for table in tables
    }
    return {**total, **posted}


def _risen(state: BankState, accounts: Accounts, meters: Iterable[str]) -> Mapping[str, Micros]:
    """The most that these meters would have held, had one or another pending claim not been made; only wagers raise it."""
    highest, pending = dict(state.highest), state.pending
    for meter in meters:
        taken = sum(max(0, to_micros(one.due) - one.claim.reseed) for one in pending if one.claim.meter == meter)
        highest[meter] = Micros(max(highest.get(meter, 0), accounts.stands(meter) + taken))
    return highest


def _seed(state: BankState, event: MetersSeeded) -> BankState:
    return replace(state, wagers=event.wagers, seeds=event.meters)


def _start(state: BankState, event: BankStarted) -> BankState:
    restored = state.epoch not in ("", event.epoch)
    before = (*state.before, state.epoch, *event.forgotten)[-EPOCHS_MAX:] if restored else state.before
    return replace(state, epoch=event.epoch, before=before, term=event.term, title=event.title, configured=event.tables)


def _see(state: BankState, table: str, seen: Seen) -> BankState:
    """The highest stays: a message that is sent again says what its first sending said, or more."""
    book = state.book(table)
    return _with_book(state, table, replace(book, seen=seen)) if seen.rows > book.seen.rows else state


def _hold(state: BankState, position: Position, rounds: tuple[Round, ...] | None = None) -> BankState:
    """`rounds`: those of its journal with what the message says, None where it changes none."""
    book = state.book(position.table)
    journal = book.journals[position.journal]
    held = journal.held.followed_by(position.hash)
    after = replace(journal, held=held, rounds=journal.rounds if rounds is None else rounds)
    seen = Seen(position.rows, position.head) if position.rows > book.seen.rows else book.seen
    journals = {**book.journals, position.journal: after}
    return _with_book(state, position.table, replace(book, journals=journals, seen=seen))


def _ends(state: BankState, event: ClaimPaid | ClaimPaidOtherwise | ClaimRejected | DebtStands) -> BankState:
    """The alarm about a verdict is over once none is held any more: two people accepted or refused it, or a right one came.

    So is the one about what is owed, once all of it is paid, or two people know that it waits.
    """
    position = event.position
    book = state.book(position.table)
    held = {(priced.held.position.journal, priced.held.position.seq) for priced in book.claims if priced.held}
    owes = any(priced.owed and not priced.gone for priced in book.claims)
    alarms = tuple(
        alarm
        for alarm in book.alarms
        if (alarm.kind != VERDICT or (alarm.journal, alarm.seq) in held) and (owes or alarm.kind != OWED)
    )
    state = _bounded(_with_book(state, position.table, replace(book, alarms=alarms)), position.table)
    return state if event.accepted else _hold(state, position)


def _keep(state: BankState, event: VerdictHeld) -> BankState:
    position = event.position
    state = _with_claim(state, replace(_ended(state, event), held=event))
    return _alarm(state, position.table, Alarm(VERDICT, position.journal, position.seq, position.hash, event.text))


def _adopt(state: BankState, event: TableAdopted) -> BankState:
    """A debt is not over by it: that alarm ends with the payment. For a new journal it names no message."""
    book = state.book(event.table)
    adopted = book.journals.get(event.journal, Journal())
    if any(alarm.kind == "day" for alarm in book.alarms):
        adopted = replace(adopted, days=LOOKED_AT)
    journals = {**book.journals, event.journal: replace(adopted, key=event.key or adopted.key)}
    owed = (alarm for alarm in book.alarms if alarm.kind == OWED)
    alarms = tuple(
        alarm if alarm.journal == event.journal else replace(alarm, journal=event.journal, seq=0, hash=NO_HASH)
        for alarm in owed
    )
    refused = tuple(one if one.by else replace(one, by=event.by) for one in book.refused)
    adopted_book = replace(book, journal=event.journal, journals=journals, alarms=alarms, seen=Seen(), refused=refused)
    return _with_book(state, event.table, adopted_book)


def _refuse(state: BankState, table: str, claim: str) -> BankState:
    """The table waits for a price until it hears that none will come."""
    if not claim:
        return state
    book = state.book(table)
    return _with_book(state, table, replace(book, refused=(*book.refused, Refused(claim))[-REFUSED_MAX:]))


def _with_round(state: BankState, event: WagersHeld) -> tuple[Round, ...]:
    """The rounds of that journal: a later one than the last, or the last again where its bets were opened again."""
    contributions = {entry.meter: entry.micros for entry in event.entries if entry.account is Account.CONTRIBUTIONS}
    rounds = state.book(event.position.table).journals[event.position.journal].rounds
    again = bool(rounds) and rounds[-1].number == event.round
    claimed = rounds[-1].claimed if again else ()
    before = rounds[:-1] if again else rounds[-ROUNDS_MAX + 1 :]
    return (*before, Round(event.round, event.made, contributions, state.version, claimed))


def _remember_payments(state: BankState, event: PaymentsHeld) -> BankState:
    said, journal = event.said, state.book(event.position.table).journals[event.position.journal]
    round = _round_of(state, event.position, said.round)
    kept = tuple(line for line in round.paid if line not in said.lines)
    paid = kept if said.corrected else (*kept, *said.lines)
    return _with_journal(state, event.position, journal.with_round(replace(round, paid=paid)))


def _round_of(state: BankState, position: Position, number: int) -> Round:
    round = state.book(position.table).journals[position.journal].round(number)
    assert round is not None, f"{position} speaks of round {number}, which no event before it has opened"
    return round


def _forget_contributions(state: BankState, event: RoundReversed) -> BankState:
    journal = state.book(event.position.table).journals[event.position.journal]
    round = _round_of(state, event.position, event.round)
    return _with_journal(state, event.position, journal.with_round(replace(round, reversed=True)))


def _freeze(state: BankState, event: ClaimPriced) -> BankState:
    claim = event.claim
    book = state.book(claim.table)
    priced = Priced(claim, event.position.journal, state.version, claim.amount)
    waiting = (*state.waiting, (priced.version, claim.table))
    state = _with_book(replace(state, waiting=waiting), claim.table, replace(book, claims=(*book.claims, priced)))
    return _mark_claimed(state, priced, claimed=True)


def _reject(state: BankState, event: ClaimRejected) -> BankState:
    ended = replace(_ended(state, event), status=ClaimStatus.REJECTED, ended=event.at, held=None)
    state = _mark_claimed(_with_ended(state, ended), ended, claimed=False)
    return reduce(partial(_raise, because=event), event.raised, state)


def _reopen(state: BankState, event: ClaimReopened) -> BankState:
    """A claim that nothing was paid for yet, and all of it is owed."""
    rejected = state.book(event.table).claim(event.claim)
    assert rejected is not None, f"claim {event.claim} is opened again, which no event before it has priced"
    after = replace(rejected, status=ClaimStatus.PAID, due=event.amount, gone=False)
    state = _mark_claimed(_with_claim(state, after), after, claimed=True)
    return _owes(state, after, 0, NO_HASH, f"opened again, {event.reason}")


def _raise(state: BankState, raised: Raised, because: ClaimRejected) -> BankState:
    """A later claim is to be paid more: one that is pending has another price, one that was paid is owed the rest."""
    book = state.book(raised.table)
    place = next(at for at, priced in enumerate(book.claims) if priced.version == raised.version)
    before = book.claims[place]
    after = replace(before, due=raised.amount, raises=(*before.raises, (raised.amount, state.version)), gone=False)
    state = _with_claim(state, after)
    if after.status is ClaimStatus.PENDING:
        return state
    return _owes(state, after, 0, NO_HASH, f"{because.claim} was no winner")


def _owes(state: BankState, priced: Priced, seq: int, hash: str, why: str) -> BankState:
    """One alarm a claim, with what it is owed now; not its journal's that the table has, it names no message."""
    table, about = priced.claim.table, f"{priced.claim.claim} is owed "
    book = state.book(table)
    others = tuple(alarm for alarm in book.alarms if alarm.kind != OWED or not alarm.text.startswith(about))
    state = _with_book(state, table, replace(book, alarms=others))
    alarm = Alarm(OWED, priced.journal, seq, hash, f"{about}{in_full(priced.owed)} more: {why}")
    if priced.journal != book.journal:
        alarm = replace(alarm, journal=book.journal, seq=0, hash=NO_HASH)
    return _alarm(state, table, alarm)


def _with_claim(state: BankState, after: Priced) -> BankState:
    """The same with one claim changed, at its place."""
    book = state.book(after.claim.table)
    claims = tuple(after if priced.version == after.version else priced for priced in book.claims)
    return _with_book(state, after.claim.table, replace(book, claims=claims))


def _pay(state: BankState, event: ClaimPaid | ClaimPaidOtherwise) -> BankState:
    pending = _ended(state, event)
    due = event.due if isinstance(event, ClaimPaidOtherwise) else pending.due
    first = pending.status is ClaimStatus.PENDING
    ended = replace(
        pending,
        status=ClaimStatus.PAID,
        ended=event.at if first else pending.ended,
        paid=event.amount,
        due=due,
        held=None,
        gone=False,
    )
    state = _with_ended(state, ended)
    won = tuple(ended if priced.version == ended.version else priced for priced in state.won)
    won = (ended, *won)[:WON_MAX] if first else won
    return replace(state, won=won)


def _paid_less(state: BankState, event: ClaimPaid | ClaimPaidOtherwise) -> BankState:
    """The table had not heard yet that the claim was raised, or it paid less than it was told."""
    paid = _ended(state, event)
    if not paid.owed:
        return state
    why = "it was raised before it was paid" if isinstance(event, ClaimPaid) else "its price was not paid"
    return _owes(state, paid, event.position.seq, event.position.hash, why)


def _ended(
    state: BankState, event: ClaimPaid | ClaimPaidOtherwise | ClaimRejected | DebtStands | VerdictHeld
) -> Priced:
    name = event.verdict.claim if isinstance(event, VerdictHeld) else event.claim
    priced = state.book(event.position.table).claim(name)
    assert priced is not None, f"{event.position} ends claim {name}, which no event before it has priced"
    return priced


def _with_ended(state: BankState, ended: Priced) -> BankState:
    """An ended claim is the last of its table's, whichever they were priced before."""
    claim = ended.claim
    book = state.book(claim.table)
    others = (priced for priced in book.claims if priced.version != ended.version)
    waiting = tuple(one for one in state.waiting if one[0] != ended.version)
    story = state.story.since(frozenset(version for version, _ in waiting))
    state = replace(state, waiting=waiting, story=story)
    return _with_book(state, claim.table, replace(book, claims=(*others, ended)))


def _bounded(state: BankState, table: str) -> BankState:
    """The claims of a table that are pending, owed, held, or may still be raised, and the last of all others and of the
    rejected ones.
    """
    told, book = state.story.claims, state.book(table)

    def stays(priced: Priced) -> bool:
        open = priced.status is ClaimStatus.PENDING or priced.owed > 0 or priced.held is not None
        return open or priced.version in told

    ended = [priced for priced in book.claims if not stays(priced)]
    rejected = [priced for priced in ended if priced.status is ClaimStatus.REJECTED]
    last = (*ended[-ENDED_CLAIMS_MAX:], *rejected[-REJECTED_MAX:])
    claims = tuple(priced for priced in book.claims if stays(priced) or priced in last)
    return _with_book(state, table, replace(book, claims=claims))


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
    """No kind takes the room of another one."""
    book = state.book(table)
    of_kind = sum(one.kind == alarm.kind for one in book.alarms)
    if of_kind >= 2 * ALARMS_MAX and alarm.kind not in (VERDICT, OWED):
        return state
    return _with_book(state, table, replace(book, alarms=(*book.alarms, alarm)))


def _with_journal(state: BankState, position: Position, journal: Journal) -> BankState:
    book = state.book(position.table)
    return _with_book(state, position.table, replace(book, journals={**book.journals, position.journal: journal}))


def _with_book(state: BankState, table: str, book: TableBook) -> BankState:
    return replace(state, tables={**state.tables, table: book})
