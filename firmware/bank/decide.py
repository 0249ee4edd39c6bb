"""The law of the bank: the events that follow from a message, from a start, from two signatures. Pure.

A fact is never refused: a message that is a table's next one is always held, with its effect, or with an alarm where it
contradicts the submission or the ledger. A message that cannot be the next one has no effect:

    number              hash             becomes
    held + 1            prev = held      position and effect, in one event
    held + 1            prev differs     alarm "hash"
    held or below       the same         nothing: it came twice
    held or below       another          alarm "hash"; also where it is too old to be compared
    above held + 1                       a complaint; the table sends again what `down` says is missing
    of another journal                   alarm "journal", until two people adopt it
    of a table never adopted             alarm "new", until two people adopt it; the table keeps the message

A table also says how far its journal has come, and how far it saw this ledger's come. If one of the two has fewer rows
than the other side saw, or another one at a row that it saw, the alarm is "behind" or "fork".

Nothing that a table says raises here. `RulesChanged` is for the shell, which refuses to start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import assert_never

from msgspec import Struct

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
    Made,
    MessageNotHonored,
    MeterSeed,
    MetersSeeded,
    PaymentsHeld,
    Position,
    Raised,
    RepetitionHeld,
    RoundReversed,
    TableAdopted,
    TableAnchored,
    TableDayHeld,
    TablesAdded,
    VerdictHeld,
    WagersHeld,
)
from firmware.bank.inputs import (
    AdoptionSigned,
    DaySigned,
    Input,
    MessageArrived,
    MessageRefused,
    ReopeningSigned,
    Started,
    TableBeat,
    TablesNamed,
    VerdictSigned,
)
from firmware.bank.ledger import Account, Entry, booked
from firmware.bank.meters import account_of
from firmware.bank.state import ALARMS_MAX, LOOKED_AT, REJECTED_MAX, BankState, Priced, Round, TableBook, sums
from firmware.rules.approvals import APPROVALS, Act, Needs, enough
from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName
from firmware.rules.money import NO_MONEY, Cents, Micros, cut_to_cents, in_full, to_micros
from firmware.rules.paytable import WHOLE, Fixed, MeterOffer, Share
from firmware.rules.strict import shown
from firmware.rules.wager import Wager
from firmware.wire.from_bank import ClaimStatus
from firmware.wire.from_table import ClaimMade, MadeWager, Reversal, Verdict, Wagers
from firmware.wire.offers import WagerOffered, wagers_offered
from firmware.wire.payload import NO_HASH, hash_of, write
from firmware.wire.reports import AccountMoved, Counted, DayEnded, PaidAs, PaymentLine, Payments
from firmware.wire.structs import replace
from firmware.wire.values import CLAIMS_MAX, TEXT_MAX, is_claim_of

NEW = "new"
"""The alarm about a table that nobody adopted yet."""
AHEAD = "ahead"
"""A table's word about its journal: it never owed a message that the bank holds of it."""
BEHIND, FORK = "behind", "fork"
"""Alarms about a record: it has fewer rows than the other side saw, or another one at a row that it saw."""
REASON_MAX = 100
"""Characters of the order by which a claim is opened again."""
WAITS_MOST_S = 366 * 24 * 3600
"""No claim waits longer for its verdict: one of the two times is invented."""
PAID_MOST = Cents(10_000_000_000)
"""$100,000,000.00: nothing above it is taken for a payment before two people have looked, but a price of this ledger's."""
EXPLAINED_PERCENT = 5
"""Percent of a meter's seed. An announced restore explains a difference up to this; two people look at a larger one."""
Closed = ClaimPaid | ClaimPaidOtherwise | ClaimRejected | DebtStands
"""The events that end a claim, pay more of it, or say that this waits."""


class BankRules(Struct, frozen=True):
    """The decisions of a casino: the sign's title, the tables of the bank, the submission's wagers that feed meters.

    `offers`: by wager, one of a sensor at least. `people`: badge -> role. `least_seconds`: so long after
    a claim, by its table's clock, a verdict comes at the soonest.
    `approvals`: who signs what, and from how much on.
    `signed_first`: two people adopt a table's first journal too; else (a rehearsal) the first that speaks is its own.
    """

    title: str
    tables: tuple[str, ...]
    offers: Mapping[str, MeterOffer]
    people: Mapping[str, str] = {}
    least_seconds: int = 0
    approvals: Mapping[Act, Needs] = APPROVALS
    signed_first: bool = False

    def may_sign(self, badge: str, act: Act) -> bool:
        """Somebody of `people` whose role signs for this."""
        return self.people.get(badge) in self.approvals[act].roles

    @property
    def game(self) -> Game:
        """The game that the bank's tables play."""
        return game_of(next(iter(self.offers.values())).book)

    def row(self, wager: str) -> Wager:
        """The book's row of a wager."""
        return self.game.wagers[wager]

    def paid_for(self, paid: str) -> str:
        """The wager that a payment, as the law names it, is for: who made it may be paid so. "": none that is offered."""
        return next((wager for wager in self.offers if paid in self.row(wager).pays), "")

    @property
    def seeds(self) -> tuple[MeterSeed, ...]:
        """Every meter in the order of its wagers, and what each starts with."""
        meters = {meter.name: meter for offer in self.offers.values() for meter in offer.meters.values()}
        return tuple(MeterSeed(meter.name, meter.seed, account_of(meter.name)) for meter in meters.values())

    def share(self, wager: str, hand: HandName) -> Share | None:
        """The share of a meter that a hand wins for a wager, None where it wins none."""
        offer = self.offers.get(wager)
        prize = offer.prizes.get(hand) if offer else None
        return prize if isinstance(prize, Share) else None

    def most(self, wager: str) -> Cents:
        """The highest fixed amount that the submission pays for a wager, or envy, as a settlement names it; 0: none.

        Magic Card and Lucky Bonus bring less than the Five Card Hand's own prizes, so a bank needs no figure for them.
        """
        if wager == PaidAs.ENVY:
            return max((most for offer in self.offers.values() for most in offer.envy.values()), default=NO_MONEY)
        offer = self.offers.get(self.paid_for(wager))
        return _highest(offer.prizes.values()) if offer else NO_MONEY


def _highest(prizes: Iterable[Fixed | Share]) -> Cents:
    return max((prize.amount for prize in prizes if isinstance(prize, Fixed)), default=NO_MONEY)


class RulesChanged(ValueError):
    """The ledger was opened for another wager, paytable or seed than the configuration names."""


def decide(rules: BankRules, state: BankState, given: Input) -> tuple[Event, ...]:
    """The events that follow from `given`. Raises RulesChanged for `Started`, and only for that."""
    match given:
        case Started():
            return _start(rules, state, given)
        case TablesNamed():
            return (TablesAdded(given.at, given.tables),)
        case AdoptionSigned():
            return _adopt(rules, state, given)
        case VerdictSigned():
            return _sign(rules, state, given)
        case ReopeningSigned():
            return (_reopen(rules, state, given),)
        case DaySigned():
            return _close_day(rules, state, given)
        case MessageRefused():
            return (Complained(given.at, given.place, given.text, given.count),)
        case MessageArrived():
            return _receive(rules, state, given)
        case TableBeat():
            return _hear(rules, state, given)
    assert_never(given)


# Start and adoption -------------------------------------------------------------------------------------------------


def _start(rules: BankRules, state: BankState, given: Started) -> tuple[Event, ...]:
    new = not state.epoch
    epoch = given.epoch if new or given.restored else state.epoch
    forgotten = given.forgotten if given.restored else ()
    started = BankStarted(given.at, epoch, rules.title, rules.tables, max(state.term, given.heard) + 1, forgotten)
    if new:
        return (started, _seed(rules, given.at))
    _agree(rules, state)
    return (started,)


def _seed(rules: BankRules, at: str) -> MetersSeeded:
    entries = tuple(
        entry
        for meter in rules.seeds
        for entry in booked(meter.name, "", 0, {Account.SEEDS: meter.seed, meter.account: meter.seed})
    )
    return MetersSeeded(at, wagers_offered(rules.offers), rules.seeds, entries)


def _agree(rules: BankRules, state: BankState) -> None:
    """Rates and seeds belong to the ledger that they filled; another submission needs another ledger."""
    offered = wagers_offered(rules.offers)
    if (offered, rules.seeds) != (state.wagers, state.seeds):
        raise RulesChanged(
            f"this ledger is of {', '.join(map(_offered, state.wagers))}, with its seeds; the submission says "
            f"{', '.join(map(_offered, offered))}; put the submission back, or start a new ledger in another folder"
        )


def _offered(one: WagerOffered) -> str:
    return f"{_called(one.name)} at {in_full(one.wager)} (paytable {one.paytable})"


def _called(wager: str) -> str:
    return wager.replace("_", " ")


def _adopt(rules: BankRules, state: BankState, given: AdoptionSigned) -> tuple[Event, ...]:
    if given.table not in rules.tables:
        return (_complaint(given.at, f"adoption of {given.table}", "is not a table of this bank; see bank.toml"),)
    if not enough(rules.approvals[Act.ADOPTION], given.by):
        return (_complaint(given.at, f"adoption of {given.table}", "needs two different people; call a second one"),)
    if owner := owner_of(state, given.table, given.journal):
        return (_complaint(given.at, f"adoption of {given.table}", f"its journal is table {owner}'s"),)
    return (TableAdopted(given.at, given.table, given.journal, given.by, given.key),)


def owner_of(state: BankState, table: str, journal: str) -> str:
    """Another table that has, or had, this journal; "" for none. A journal is one table's for good."""
    return next((name for name, book in state.tables.items() if name != table and journal in book.journals), "")


def _close_day(rules: BankRules, state: BankState, given: DaySigned) -> tuple[Event, ...]:
    """A day is closed once; what comes later belongs to the next one."""
    if why := why_not_closed(rules, state, given.day, given.by, given.today):
        return (_complaint(given.at, f"closing of {given.day}", why),)
    held = tuple(
        (table, name, journal.held.seq)
        for table, book in sorted(state.tables.items())
        for name, journal in sorted(book.journals.items())
    )
    pending = tuple(priced.claim.claim for priced in state.pending)
    total, totals = sums(state.days.total), sums(state.days.total, state.days.before)
    return (DayClosed(given.at, given.day, state.days.closed + 1, given.by, totals, total, pending, held),)


def why_not_closed(rules: BankRules, state: BankState, day: str, by: tuple[str, ...], today: str) -> str:
    """Why this gaming day cannot be closed by these badges while the ledger's clock says `today`, "" where it can.

    A date before the last one is taken only where the last one is of the future: it was of a clock that ran ahead.
    """
    last = state.days.last
    if not enough(rules.approvals[Act.BANK_DAY], by):
        return "needs two different people; call a second one"
    if not is_day(day):
        return f"gaming day {shown(day)}; it is a date like 2026-11-21"
    if day in state.days.recent:
        return f"gaming day {day} is closed already; a day is closed once"
    if day > today:
        cure = f"close that one or one before it (`felt bank close-day {today}`), or set the machine's clock"
        return f"gaming day {day} has not begun: it is {today} by the ledger's clock; {cure}"
    if day < last < today:
        return f"gaming day {day} is before {last}, which is closed; close a later one: `felt bank close-day {today}`"
    if day < last == today:
        return f"gaming day {day} is before {last}, which is closed; the next one to close is that of tomorrow"
    return ""


def is_day(text: str) -> bool:
    """A date as it stands in rows and in the names of files: `2026-11-21`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _complaint(at: str, place: str, text: str) -> Complained:
    return Complained(at, place, text, 1)


# Is it the next message? --------------------------------------------------------------------------------------------


def _receive(rules: BankRules, state: BankState, message: MessageArrived) -> tuple[Event, ...]:
    place = f"{message.table}/up"
    book = state.book(message.table)
    held = book.current.held
    if not state.epoch:
        return (_complaint(message.at, place, "came before the bank has started; it will be sent again"),)
    if message.table not in rules.tables:
        return (_complaint(message.at, place, "is not a table of this bank; name it in bank.toml"),)
    if not book.journal and rules.signed_first:
        return _quarantine(book, message)
    if book.journal and message.journal != book.journal:
        return _alarm(book, message, "journal", f"Journal {message.journal[:8]} is not the one this table has")
    if message.seq > held.seq + 1:
        return (_complaint(message.at, place, f"message {message.seq} came, {held.seq + 1} is the next one"),)
    if message.seq <= held.seq:
        return _compare(book, message)
    if message.prev != held.hash:
        return _alarm(book, message, "hash", f"Message {message.seq} does not follow the one that the bank holds")
    effect = _honor(rules, state, message)
    if book.journal:
        return (effect,)
    return (TableAdopted(message.at, message.table, message.journal, (), ""), effect)


def _quarantine(book: TableBook, spoke: MessageArrived | TableBeat) -> tuple[Event, ...]:
    """A table that nobody adopted: nothing of it is held, so it keeps all that it owes and sends it again."""
    text = f"Table {spoke.table} was never adopted; its journal says that it is {spoke.journal}"
    return _raise(book, AlarmRaised(spoke.at, spoke.table, spoke.journal, 0, NO_HASH, NEW, text))


def _compare(book: TableBook, message: MessageArrived) -> tuple[Event, ...]:
    """A message older than the state keeps was looked up in the ledger. One that is not there either is the worse case."""
    known = book.current.held.hash_at(message.seq) or message.known
    if known == message.hash:
        return ()
    why = "was another one before" if known else "is too old to be compared"
    return _alarm(book, message, "hash", f"Message {message.seq} {why}")


def _alarm(book: TableBook, message: MessageArrived, kind: str, text: str) -> tuple[Event, ...]:
    alarm = AlarmRaised(message.at, message.table, message.journal, message.seq, message.hash, kind, text)
    return _raise(book, alarm)


def _raise(book: TableBook, alarm: AlarmRaised) -> tuple[Event, ...]:
    """One alarm for each fault, even if it is sent often, and only as many as people can see.

    Another machine that speaks under the table's name leaves room for the alarms about the journal that the table has, and
    no kind takes the room of another one.
    """
    this = (alarm.kind, alarm.journal, alarm.seq)
    if any((one.kind, one.journal, one.seq) == this for one in book.alarms):
        return ()
    side = (alarm.kind, alarm.journal != book.journal)
    if sum((one.kind, one.journal != book.journal) == side for one in book.alarms) >= ALARMS_MAX:
        return (_complaint(alarm.at, f"{alarm.table}/up", alarm.text),)
    return (alarm,)


# How far the table's record has come, and ours ----------------------------------------------------------------------


def _hear(rules: BankRules, state: BankState, beat: TableBeat) -> tuple[Event, ...]:
    """Neither record has lost rows, or has others than it had. A table that is not known yet is told so."""
    book = state.book(beat.table)
    if not book.journal and rules.signed_first and beat.table in rules.tables:
        return _quarantine(book, beat)
    if not book.journal or beat.journal != book.journal:
        return ()
    if any(alarm.kind in (BEHIND, FORK) for alarm in book.alarms):
        return ()
    wrong = _wrong_with_ledger(state, beat) or _wrong_with_journal(book, beat)
    if wrong:
        kind, text = wrong
        held = book.current.held
        return _raise(book, AlarmRaised(beat.at, beat.table, beat.journal, held.seq, held.hash, kind, text))
    if beat.rows > book.seen.rows:
        return (TableAnchored(beat.at, beat.table, beat.journal, beat.rows, beat.head),)
    return ()


def _wrong_with_ledger(state: BankState, beat: TableBeat) -> tuple[str, str] | None:
    """An alarm about this ledger, by what the table saw of it in this epoch."""
    if beat.epoch != state.epoch or beat.ours == beat.ledger_head:
        return None
    row = beat.ledger_rows
    if not beat.ours:
        return BEHIND, f"The table saw row {row} of this ledger, which has fewer: it was put back"
    return FORK, f"Row {row} of this ledger is not the one that the table saw: it was rewritten"


def _wrong_with_journal(book: TableBook, beat: TableBeat) -> tuple[str, str] | None:
    """An alarm about the table's journal: by what the bank saw of it, or by the table's own word."""
    seen = book.seen
    if beat.found == AHEAD:
        return BEHIND, (
            f"The table's journal has not the message {book.current.held.seq} that the bank holds of it: it was put back, "
            "and can go on no more"
        )
    if beat.rows < seen.rows or beat.found == BEHIND:
        return BEHIND, f"The table's journal ends at row {beat.rows}, the bank saw row {seen.rows}: it was put back"
    if beat.found == FORK or (beat.rows == seen.rows and beat.head != seen.head):
        return FORK, "The table's journal has another row where the bank saw one: it was rewritten"
    return None


# Its effect ---------------------------------------------------------------------------------------------------------


def _honor(rules: BankRules, state: BankState, message: MessageArrived) -> Event:
    body = message.body
    match body:
        case Wagers():
            return _contribute(rules, state, message, body)
        case Reversal():
            return _reverse(state, message, body)
        case ClaimMade():
            return _claim(rules, state, message, body)
        case Verdict():
            return _judge(rules, state, message, body)
        case Payments():
            return _pay_reported(rules, state, message, body)
        case AccountMoved():
            return AccountHeld(message.at, _position(message), body)
        case Counted():
            return CountHeld(message.at, _position(message), body)
        case DayEnded():
            return _end_day(state, message, body)
    assert_never(body)


def _contribute(rules: BankRules, state: BankState, message: MessageArrived, body: Wagers) -> Event:
    if difference := _other_offer(rules, body):
        return _not_honored(message, "rules", f"Round {body.round}: {difference}")
    rounds = state.book(message.table).current.rounds
    if rounds and not _may_follow(rounds[-1], body.round):
        return _not_honored(message, "round", f"Round {body.round} came after round {rounds[-1].number}")
    fed: dict[str, int] = {}
    for one in body.made:  # every wager feeds by itself: also two that one seat has made (653a.12(d)(3), (e)(4))
        for meter in rules.offers[one.name].meters.values():
            fed[meter.name] = fed.get(meter.name, 0) + meter.contribution * len(one.seats)
    entries = tuple(entry for one in fed.items() for entry in _feed(state, message.table, body.round, *one))
    made = tuple(Made(one.name, one.seats, rules.row(one.name).on_dealer) for one in body.made)
    return WagersHeld(message.at, _position(message), body.round, made, entries)


def _may_follow(last: Round, number: int) -> bool:
    """A later round, or the last one again: its wagers went back when bets were opened again (653a.7(c))."""
    return number > last.number or (number == last.number and last.reversed)


def _other_offer(rules: BankRules, body: Wagers) -> str:
    """The part of the table's play that is not the bank's submission, or ""."""
    return next(filter(None, (_other_wager(rules.offers.get(made.name), made) for made in body.made)), "")


def _other_wager(ours: MeterOffer | None, made: MadeWager) -> str:
    said = f"this table plays {_offered(WagerOffered(made.name, made.wager, made.paytable))}, the bank"
    if ours is None:
        return f"{said} no such wager"
    if (made.wager, made.paytable) != (ours.wager, ours.paytable):
        return f"{said} {_offered(WagerOffered(made.name, ours.wager, ours.paytable))}"
    for seat, amount in zip(made.seats, made.amounts, strict=True):
        if amount not in ours.amounts:
            return f"seat {seat} wagered {in_full(amount)}, the bank takes {' or '.join(map(in_full, ours.amounts))}"
    return ""


def _feed(state: BankState, table: str, round: int, meter: str, fed: int) -> tuple[Entry, ...]:
    return booked(meter, table, round, {Account.CONTRIBUTIONS: fed, **state.meters.moved(meter, fed)})


def _reverse(state: BankState, message: MessageArrived, body: Reversal) -> Event:
    book = state.book(message.table)
    round = book.current.round(body.round)
    if round is None:
        return _not_honored(message, "void", f"Round {body.round} is void, but the bank holds no wagers of it")
    if objection := _objection_to_reversal(book, round):
        return _not_honored(message, "void", f"Round {body.round} is void {objection}")
    entries = tuple(
        entry
        for meter, contribution in round.contributions.items()
        for entry in booked(
            meter, message.table, round.number, state.meters.given_back(meter, contribution, round.version)
        )
    )
    return RoundReversed(message.at, _position(message), body.round, body.reason, entries)


def _objection_to_reversal(book: TableBook, round: Round) -> str:
    """Why the wagers of a round cannot go back, or "". A won share and a payment stand (docs/mqtt.md, `payment`)."""
    if round.reversed:
        return "a second time"
    if claimed := book.standing(round):
        wager, seat = claimed[0]
        return f"after seat {seat} claimed a share for its {_called(wager)} wager"
    if round.paid:
        line = round.paid[0]
        return f"after {in_full(line.payout)} was paid to seat {line.seat} for {line.wager}"
    return ""


def _claim(rules: BankRules, state: BankState, message: MessageArrived, body: ClaimMade) -> Event:
    book = state.book(message.table)
    known = book.claim(body.claim)
    if known is not None and _same_claim(known, message, body):
        return RepetitionHeld(message.at, _position(message), body.claim)
    share = rules.share(body.wager, body.hand)
    if share is None:
        return _not_honored(
            message, "rules", f"{body.claim}: {body.hand} takes no share of a meter on the bank's paytable"
        )
    if objection := _objection_to_claim(rules, book, known, body):
        return _not_honored(message, "claim", f"{body.claim}: {objection}")
    return _price(rules, state, message, body, share)


def _same_claim(known: Priced, message: MessageArrived, body: ClaimMade) -> bool:
    claim = known.claim
    first = (claim.round, claim.seat, claim.wager, claim.backers, claim.hand, claim.cards, claim.floor)
    again = (body.round, body.seat, body.wager, body.backers, body.hand, body.cards, body.floor)
    return (known.journal, first) == (message.journal, again)


def _objection_to_claim(rules: BankRules, book: TableBook, known: Priced | None, body: ClaimMade) -> str:
    """Why a claim cannot be priced, or "". Without a wager that the bank holds no seat wins a meter."""
    round = book.current.round(body.round)
    if known is not None:
        return "another claim has this name"
    if len(book.pending) >= CLAIMS_MAX:
        return f"{len(book.pending)} claims of this table have no verdict yet"
    if round is None or body.seat not in round.seats(body.wager):
        return f"the bank holds no {_called(body.wager)} wager of seat {body.seat} in round {body.round}"
    if round.reversed:
        return f"round {body.round} is void"
    if round.has_claimed(body.wager, body.seat):
        who = "the dealer's hand" if rules.row(body.wager).on_dealer else f"seat {body.seat}"
        return f"{who} has claimed already in round {body.round}"
    if _has_prize(round, body.wager, body.seat):
        return f"a fixed prize was paid for the {_called(body.wager)} wager of seat {body.seat} in round {body.round}"
    if body.backers > (backed := len(round.seats(body.wager)) if rules.row(body.wager).on_dealer else 1):
        return f"{body.backers} shares are wanted, the bank holds {backed} wagers on that hand"
    game = rules.game
    if len(body.cards) != game.procedure.hand_cards:
        return f"{len(body.cards)} cards are no hand of {game.name}; it has {game.procedure.hand_cards}"
    if (hand := game.name_of(body.cards)) != body.hand:
        return f"{' '.join(body.cards)} is a {hand}, not a {body.hand}"
    return ""


def _price(rules: BankRules, state: BankState, message: MessageArrived, body: ClaimMade, share: Share) -> ClaimPriced:
    seed, reserve = _reset(rules, body.wager, share)
    claim = state.meters.priced(
        Claim(
            claim=body.claim,
            table=message.table,
            round=body.round,
            seat=body.seat,
            hand=body.hand.value,
            cards=body.cards,
            floor=body.floor,
            wager=body.wager,
            backers=body.backers,
            meter=share.meter,
            reserve=reserve,
            percent=share.percent,
            amount=NO_MONEY,
            reseed=seed,
            now=NO_MONEY,
            cite=share.cite,
            at=message.at,
            made=body.at,
        )
    )
    return ClaimPriced(message.at, _position(message), claim, state.meters.frozen(claim))


def _reset(rules: BankRules, wager: str, share: Share) -> tuple[Micros, str]:
    """The house's amount on a meter after a share of it, and the reserve with which it starts again ("": none)."""
    if not share.whole:
        return Micros(0), ""
    meter = rules.offers[wager].meters[share.meter]
    return (Micros(0), meter.reserve) if meter.reserve else (meter.seed, "")


def _judge(rules: BankRules, state: BankState, message: MessageArrived, body: Verdict) -> Event:
    priced = state.book(message.table).claim(body.claim)
    verdict = ClaimStatus.PAID if body.paid else ClaimStatus.REJECTED
    if priced is None:
        return _not_honored(message, "claim", f"{body.claim} is {verdict}, but the bank holds no such claim")
    first = priced.status is ClaimStatus.PENDING
    again = not body.paid or body.amount == priced.paid
    if body.gone:
        again = priced.gone or not priced.owed
    if (priced.status is verdict and again) or (priced.held is not None and priced.held.verdict == body):
        return RepetitionHeld(message.at, _position(message), body.claim)
    if not first and priced.status is not verdict:
        return _not_honored(message, "claim", f"{body.claim} is {verdict}, but it was {priced.status} before")
    if not first and body.amount < priced.paid:
        text = f"{body.claim} is paid {in_full(body.amount)} in all, but {in_full(priced.paid)} were paid before"
        return _not_honored(message, "amount", text)
    if body.paid and priced.rejected_by_table and (taken := _taken_since(state.book(message.table), priced)):
        text = f"{body.claim} is {_said(body)}, but it was rejected before and {taken}"
        return _not_honored(message, "claim", text[:TEXT_MAX])
    people = _objection_to_people(rules, priced.claim, body, first=first)
    objection = _objection_to_amount(state, priced, body) or people
    if not objection:
        return _close(rules, state, message, body, priced)
    if priced.held is not None:
        text = f"{body.claim} is {_said(body)}, but message {priced.held.position.seq} on it is held already"
        return _not_honored(message, "claim", text[:TEXT_MAX])
    text = f"Table {message.table}, claim {body.claim}: {_said(body)}, but {objection}"
    return VerdictHeld(message.at, _position(message), body, text[:TEXT_MAX])


def _taken_since(book: TableBook, priced: Priced, *, long_ago: str = "its round is too long ago to be compared") -> str:
    """The fate of a wager since its table said that it wins no share, or "". It wins one prize, or goes back.

    `long_ago`: the answer for a round that is not remembered.
    """
    claim = priced.claim
    round = book.journals[priced.journal].round(claim.round)
    if round is None:
        return long_ago
    if round.reversed or round.version > priced.version:
        return "its round was void then"
    return "its wager was paid a fixed prize then" if _has_prize(round, claim.wager, claim.seat) else ""


def _said(body: Verdict) -> str:
    """The words of a verdict, with the amount that was paid in all."""
    if body.gone:
        return f"its player gone with {in_full(body.amount)}"
    return f"paid {in_full(body.amount)} of {body.meter}" if body.paid else "rejected"


def _objection_to_amount(state: BankState, priced: Priced, body: Verdict) -> str:
    """Why two people have to look at what was paid, or "".

    After an announced restore the difference to this ledger's price comes off the meter, and off the next winner's price: by
    itself only so much of it as wagers that are not heard again yet can have put there.
    """
    if not body.paid:
        return ""
    if body.amount < priced.due and not body.gone and _is_forgotten(state, body.epoch):
        return (
            f"ledger {body.epoch[:8]} is none that a restore announced, and this one's price is {in_full(priced.due)}"
        )
    if body.amount <= priced.due:
        return ""
    if body.amount > PAID_MOST:
        return f"nobody pays more than {in_full(PAID_MOST)}"
    seed = next((one.seed for one in state.seeds if one.name == priced.claim.meter), Micros(0))
    explained = priced.due + cut_to_cents(seed) * EXPLAINED_PERCENT // 100
    if body.epoch not in state.before or body.amount <= explained:
        return ""
    return f"this ledger's price is {in_full(priced.due)}, and a restore explains no such difference"


def _is_forgotten(state: BankState, epoch: str) -> bool:
    """After a restore: an epoch that neither the ledger knows nor the file beside it (`firmware/runtime/epochs.py`)."""
    return bool(state.before) and epoch not in (state.epoch, *state.before)


def _close(
    rules: BankRules, state: BankState, message: MessageArrived, body: Verdict, priced: Priced, *, signed: bool = False
) -> Closed:
    """The event that books a verdict. For a claim that was paid before, `amount` is the sum paid for it in all.

    `signed`: two people at the bank have accepted it.
    """
    if body.gone:
        return DebtStands(message.at, _position(message), body.claim, body.by, ())
    if body.paid:
        return _pay(state, message, body, priced, signed=signed)
    raised, entries = _untold(state, priced)
    return ClaimRejected(message.at, _position(message), body.claim, body.by, body.reason, raised, entries, ())


def _objection_to_people(rules: BankRules, claim: Claim, body: Verdict, *, first: bool) -> str:
    """Why two people have to look before a verdict is booked, or "". `first`: nothing was owed by name before it.

    Times are the table's own, which go by its monotonic clock; this bank's clock says nothing of them.
    """
    earlier, last = (Act.PRIZE, Act.CLAIM) if first else (Act.OWED, Act.OWED)
    acts = [(claim.floor, Act.PRIZE), *((badge, earlier) for badge in body.by[:-1]), (body.by[-1], last)]
    for badge, act in acts:
        role = rules.people.get(badge)
        if role is None:
            return f"badge {badge} is nobody of bank.toml"
        if not rules.may_sign(badge, act):
            return f"badge {badge} is a {role}"
    if not enough(rules.approvals[last], body.by):
        return f"badge {body.by[0]} alone signed{', who validated it' if claim.floor in body.by else ''}"
    if rules.least_seconds and not (claim.made and body.at):
        return f"badge {body.by[-1]} signed at no time that is told"
    if rules.least_seconds and body.at - claim.made < rules.least_seconds:
        waited = f"{body.at - claim.made} s after the claim"
        return f"badge {body.by[-1]} signed {waited}, least_seconds is {rules.least_seconds}"
    if rules.least_seconds and first and body.at - claim.made > WAITS_MOST_S:
        return f"badge {body.by[-1]} signed {body.at - claim.made} s after the claim: a time is invented"
    return ""


def _sign(rules: BankRules, state: BankState, given: VerdictSigned) -> tuple[Event, ...]:
    """Two people accept a verdict that is held, as it was said; or they refuse one that said paid: no winner."""
    held = held_verdict(state, given.claim)
    place = f"verdict on {given.claim}"
    if held is None or not enough(rules.approvals[Act.VERDICT], given.by):
        wrong = "needs two different people; call a second one" if held else "is not held; see its table's alarm"
        return (_complaint(given.at, place, wrong),)
    if (given.seq, given.hash) != (held.position.seq, held.position.hash):
        return (_complaint(given.at, place, f"message {given.seq} is not the one that is held; look again"),)
    position, priced = held.position, state.book(held.position.table).claim(given.claim)
    assert priced is not None, "a verdict is held with its claim"
    body = held.verdict
    if not given.accepted and not may_be_refused(priced, held):
        return (_complaint(given.at, place, "cannot be refused; accept it, or leave it held"),)
    if not given.accepted or not body.by:
        body = replace(body, paid=given.accepted, by=given.by, reason=held.text)
    message = MessageArrived(given.at, position.table, position.journal, position.seq, "", position.hash, body)
    return (replace(_close(rules, state, message, body, priced, signed=True), accepted=given.by),)


def why_not_reopened(state: BankState, claim: str) -> str:
    """Why a claim cannot be opened again, "" where it can: it was rejected, and its wager won nothing else."""
    book = state.book(claim.partition(":")[0])
    priced = book.claim(claim)
    if priced is None:
        return f"is none of the last {REJECTED_MAX} that its table rejected"
    if priced.status is not ClaimStatus.REJECTED:
        return f"is {priced.status}; only a rejected one is opened again"
    round = book.journals[priced.journal].round(priced.claim.round)
    again = round is not None and round.has_claimed(priced.claim.wager, priced.claim.seat)
    return "its wager was claimed again since" if again else _taken_since(book, priced, long_ago="")


def _reopen(rules: BankRules, state: BankState, given: ReopeningSigned) -> Event:
    """The claim is owed as it stood. Its share comes off the meter, with the reseed that follows; where another one won the
    whole of it since, or less is there, the house pays: a transfer. A later claim that was raised stays raised.
    """
    place = f"claim {given.claim}"
    if why := why_not_reopened(state, given.claim):
        return _complaint(given.at, place, f"not opened again: {why}")
    if not enough(rules.approvals[Act.REOPENING], given.by) or not 0 < len(given.reason) <= REASON_MAX:
        return _complaint(given.at, place, f"needs two different people and a reason of 1 to {REASON_MAX} characters")
    priced = state.book(given.claim.partition(":")[0]).claim(given.claim)
    assert priced is not None, "it was found above"
    claim, due = priced.claim, to_micros(priced.due)
    gone = claim.percent == WHOLE and state.meters.taken.get(claim.meter, 0) > priced.version
    off = 0 if gone else min(due, state.meter(claim.meter))
    amounts = {**state.meters.moved(claim.meter, -off), Account.OWED: due, Account.TRANSFERS: off - due}
    entries = booked(claim.meter, claim.table, claim.round, amounts)
    if claim.percent == WHOLE and not gone:
        reseed = state.meter(claim.reserve) if claim.reserve else claim.reseed
        entries += state.meters.posted(entries).reseeded(claim, reseed)
    return ClaimReopened(given.at, claim.table, given.claim, priced.due, given.by, given.reason, entries)


def held_verdict(state: BankState, claim: str) -> VerdictHeld | None:
    """The verdict on this claim that two people have to look at, None for none.

    On a claim of a journal that its table does not write any more nobody at the table can say one: they look at its price.
    """
    book = state.book(claim.partition(":")[0])
    priced = book.claim(claim)
    if priced is None or priced.held is not None:
        return priced.held if priced else None
    open = priced.status is ClaimStatus.PENDING or priced.owed
    return _left_behind(state, priced) if open and priced.journal != book.journal else None


def _left_behind(state: BankState, priced: Priced) -> VerdictHeld:
    """That the cage pays what is left of its price. No message says so: its hash is that of what is looked at."""
    claim = priced.claim
    text = (
        f"Table {claim.table}, claim {claim.claim}: {in_full(Cents(priced.due - priced.paid))} of {claim.meter} wait to "
        f"be paid, and the table does not write journal {priced.journal[:8]} any more"
    )
    verdict = Verdict(claim.claim, True, priced.due, claim.meter, state.epoch, priced.version, (), text)
    return VerdictHeld(
        claim.at, Position(claim.table, priced.journal, 0, hash_of(write(verdict)), 0, ""), verdict, text
    )


def may_be_refused(priced: Priced, held: VerdictHeld) -> bool:
    """A first payment may: then the claim is no winner. A second one may not: the debt stays owed, by name."""
    return held.verdict.paid and priced.status is ClaimStatus.PENDING


def _pay(
    state: BankState, message: MessageArrived, body: Verdict, priced: Priced, *, signed: bool
) -> ClaimPaid | ClaimPaidOtherwise:
    position = _position(message)
    if body.amount in priced.prices and body.amount <= priced.due and body.meter == priced.claim.meter:
        entries = _award(priced, body)
        return ClaimPaid(message.at, position, body.claim, body.amount, body.by, body.reason, entries, ())
    less = body.amount < priced.due
    explained = body.epoch in state.before or (signed and less and _is_forgotten(state, body.epoch))
    due = body.amount if explained else max(body.amount, priced.due)
    entries = _award_by_another_ledger(state, priced, body) if explained else _award_otherwise(priced, body)
    text = _otherwise(priced, body)
    paid = (body.claim, body.amount, due, body.by, body.reason)
    return ClaimPaidOtherwise(message.at, position, *paid, text, entries, ())


def _award(priced: Priced, body: Verdict) -> tuple[Entry, ...]:
    """If the table had not heard of a raise when it paid, the rest is owed."""
    claim, due = priced.claim, to_micros(priced.due)
    frozen, owed = (-due, due - to_micros(body.amount)) if priced.status is ClaimStatus.PENDING else (0, 0)
    if priced.status is ClaimStatus.PAID:
        owed = to_micros(priced.paid) - to_micros(body.amount)
    awards = to_micros(body.amount) - to_micros(priced.paid)
    amounts = {Account.PENDING: frozen, Account.OWED: owed, Account.AWARDS: awards}
    return booked(claim.meter, claim.table, claim.round, amounts)


def _otherwise(priced: Priced, body: Verdict) -> str:
    claim = priced.claim
    return (
        f"Round {claim.round}, seat {claim.seat}: the table paid {in_full(body.amount)} of {body.meter}, the bank had "
        f"{in_full(priced.due)} of {claim.meter} (claim {body.claim}, version {body.version} of ledger {body.epoch[:8]})"
    )


def _award_otherwise(priced: Priced, body: Verdict) -> tuple[Entry, ...]:
    """The paid amount is an award, by name. A meter pays the amount that this very ledger had frozen, and nothing else.

    A payment beyond that is a transfer; a missing part stays owed.
    """
    due, paid, amount = to_micros(priced.due), to_micros(priced.paid), to_micros(body.amount)
    held = {Account.OWED: max(0, due - amount)}
    if priced.status is ClaimStatus.PENDING:
        held |= {Account.PENDING: -due}
    else:
        held[Account.OWED] -= due - paid
    amounts = {**held, Account.AWARDS: amount - paid, Account.TRANSFERS: -max(0, amount - due)}
    return booked(priced.claim.meter, priced.claim.table, priced.claim.round, amounts)


def _award_by_another_ledger(state: BankState, priced: Priced, body: Verdict) -> tuple[Entry, ...]:
    """The paid amount is an award, and the difference the meter's: an announced restore explains it.

    The price that the ledger gave before its backup was put back was right then: the tables' messages come again in
    another order than the first time, so the difference stands on the meter, or was put there by wagers that are still
    to be heard (`advances`).
    """
    claim = priced.claim
    more = to_micros(body.amount) - to_micros(priced.due)
    held = Account.PENDING if priced.status is ClaimStatus.PENDING else Account.OWED
    amounts: dict[Account, int] = {
        held: to_micros(priced.paid) - to_micros(priced.due),
        Account.AWARDS: to_micros(body.amount) - to_micros(priced.paid),
    }
    return booked(claim.meter, claim.table, claim.round, {**amounts, **state.meters.moved(claim.meter, -more)})


def _untold(state: BankState, priced: Priced) -> tuple[tuple[Raised, ...], tuple[Entry, ...]]:
    """Everything as if the claim had never been made: the meters, and the amount that every later claim would have frozen.

    A winner who would have got more gets it: a pending claim has a higher price, a paid one is owed the rest. A winner who
    got more by it (a part of the reseed it caused) keeps it, and the house's money for that stays in `seeds`.
    """
    told, untold = state.story.told(), state.story.without(priced.version).told()
    later = [(found, amount) for at, amount in untold.frozen.items() if (found := state.priced_at(at)) is not None]
    raised = [(found, amount) for found, amount in later if amount > found.due]
    entries: list[Entry] = []
    for meter in (seed.name for seed in state.seeds):
        here = [(found, to_micros(Cents(amount - found.due))) for found, amount in raised if found.claim.meter == meter]
        amounts = {Account.PENDING: -to_micros(priced.due) if meter == priced.claim.meter else 0}
        for account in (account_of(meter), Account.ADVANCES, Account.TRANSFERS):
            amounts[account] = untold.meters.accounts.balance(account, meter) - told.meters.accounts.balance(
                account, meter
            )
        amounts[account_of(meter)] += sum(micros for _, micros in here)
        amounts[Account.SEEDS] = sum(amounts.values())
        entries += booked(meter, priced.claim.table, priced.claim.round, amounts)
        for found, micros in here:
            to = Account.OWED if found.status is ClaimStatus.PAID else Account.PENDING
            entries += booked(meter, found.claim.table, found.claim.round, {Account.METERS: -micros, to: micros})
    return tuple(
        Raised(found.claim.claim, found.claim.table, found.version, amount, Cents(amount - found.due))
        for found, amount in raised
    ), tuple(entries)


# Reports that move no meter ------------------------------------------------------------------------------------------


def _pay_reported(rules: BankRules, state: BankState, message: MessageArrived, body: Payments) -> Event:
    book = state.book(message.table)
    objections = (_objection_to_payment(rules, book, body, line) for line in body.lines)
    if objection := next(filter(None, objections), "") or _objection_to_envy(rules, book, body):
        return _not_honored(message, "payment", f"Round {body.round}: {objection}")
    return PaymentsHeld(message.at, _position(message), body)


def _objection_to_payment(rules: BankRules, book: TableBook, body: Payments, line: PaymentLine) -> str:
    """Why it cannot have been paid, or taken back, or "". The table alone knows what it wins, except for the most."""
    round = book.current.round(body.round)
    what = f"{line.wager} of {in_full(line.payout)} at seat {line.seat}"
    wager = rules.paid_for(line.wager)
    if round is None or line.seat not in round.seats(wager):
        return f"{what} is paid, and the bank holds no wager for it"
    if round.reversed:
        return f"{what} is paid, and the round is void"
    if line.payout > (most := rules.most(line.wager)):
        return f"{what} is paid, and the bank's submission pays {in_full(most)} for it at most"
    if body.corrected:
        return "" if line in round.paid else f"{what} is taken back, and was not paid"
    if any(one.this == line.this for one in round.paid):
        return f"{what} is paid a second time"
    if line.wager == wager and any(round.one_hand(wager, line.seat, *one) for one in book.standing(round)):
        return f"{what} is paid, and a share of a meter was claimed for that wager"
    return ""


def _objection_to_envy(rules: BankRules, book: TableBook, body: Payments) -> str:
    """Why the envy bonuses of a round are not paid by one person alone, or ""; who may close a claim signs them."""
    if body.what is not PaidAs.ENVY or body.corrected or rules.may_sign(body.by, Act.ENVY):
        return ""
    round = book.current.round(body.round)
    before = round.paid if round else ()
    total = Cents(sum(line.payout for line in (*before, *body.lines) if line.what is PaidAs.ENVY))
    if total < rules.approvals[Act.ENVY].least:
        return ""
    who = f"badge {body.by} signed, who is no floorperson or manager of bank.toml" if body.by else "nobody signed"
    return f"envy bonuses come to {in_full(total)}, and {who}"


def _has_prize(round: Round, wager: str, seat: int) -> bool:
    """A fixed prize was paid for this wager, and stands."""
    return any(round.one_hand(wager, seat, one.wager, one.seat) for one in round.paid)


def _end_day(state: BankState, message: MessageArrived, body: DayEnded) -> Event:
    """Days are closed one after the other, by number, and no date twice; a house without a clock has no dates.

    After two people have looked at a day that did not follow, the next one is taken with the number that it has.
    """
    journal = state.book(message.table).current
    if journal.days != LOOKED_AT and body.number != journal.days + 1:
        return _not_honored(message, "day", f"Day {body.number} was closed, {journal.days + 1} is the next one")
    if body.day and body.day == journal.day:
        return _not_honored(message, "day", f"Day {body.day} was closed twice")
    if strange := [claim for claim in body.claims if not is_claim_of(claim, message.table)]:
        return _not_honored(message, "day", f"Day {body.number} carries claim {strange[0]}, which is another table's")
    return TableDayHeld(message.at, _position(message), body)


def _position(message: MessageArrived) -> Position:
    return Position(message.table, message.journal, message.seq, message.hash, message.rows, message.head)


def _not_honored(message: MessageArrived, kind: str, text: str) -> MessageNotHonored:
    claim = message.body.claim if isinstance(message.body, ClaimMade) else ""
    return MessageNotHonored(message.at, _position(message), kind, text, claim)
