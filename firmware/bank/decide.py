"""The law of the bank: what follows from a message, from a start, from two signatures. Pure.

A fact is never refused: a message that is a table's next one is always held, with its effect, or with an alarm where it
contradicts the submission or the ledger. A message that cannot be the next one has no effect:

    number              hash             becomes
    held + 1            prev = held      position and effect, in one event
    held + 1            prev differs     alarm "hash"
    held or below       the same         nothing: it came twice
    held or below       another          alarm "hash"; also where it is too old to be compared
    above held + 1                       a complaint; the table sends again what `down` says is missing
    of another journal                   alarm "journal", until two people adopt it

Nothing here raises for what a table says. `RulesChanged` is for the shell, which refuses to start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
)
from firmware.bank.inputs import (
    AdoptionSigned,
    ClaimMade,
    Input,
    MessageArrived,
    MessageRefused,
    Reversal,
    Started,
    Verdict,
    Wagers,
)
from firmware.bank.ledger import Account, Entry
from firmware.bank.state import ALARMS_MAX, BankState, Priced, Round, Status, TableBook
from firmware.rules.hands import five_card_hand
from firmware.rules.money import Cents, Micros, cut_to_cents, dollars, to_micros
from firmware.rules.paytable import Progressive, Share


@dataclass(frozen=True, slots=True)
class BankRules:
    """What a casino decided: the sign's title, the tables of the bank, the submission's progressive wager."""

    title: str
    tables: tuple[str, ...]
    progressive: Progressive


class RulesChanged(ValueError):
    """The ledger was opened for another wager, paytable or seed than the configuration names."""


def decide(rules: BankRules, state: BankState, given: Input) -> tuple[Event, ...]:
    """What happens because of `given`. Raises RulesChanged for `Started`, and only for that."""
    match given:
        case Started():
            return _start(rules, state, given)
        case AdoptionSigned():
            return _adopt(rules, state, given)
        case MessageRefused():
            return (Complained(given.at, given.place, given.text, given.count),)
        case MessageArrived():
            return _receive(rules, state, given)
    assert_never(given)


# Start and adoption -------------------------------------------------------------------------------------------------


def _start(rules: BankRules, state: BankState, given: Started) -> tuple[Event, ...]:
    new = not state.epoch
    epoch = given.epoch if new or given.restored else state.epoch
    started = BankStarted(given.at, epoch, rules.title, rules.tables)
    if new:
        return (started, _seed(rules.progressive, given.at))
    _agree(rules.progressive, state)
    return (started,)


def _seed(progressive: Progressive, at: str) -> MetersSeeded:
    meters = _seeds(progressive)
    entries = tuple(
        Entry(account, meter.name, "", 0, meter.seed) for meter in meters for account in (Account.SEEDS, Account.METERS)
    )
    return MetersSeeded(at, progressive.wager, progressive.paytable, meters, entries)


def _agree(progressive: Progressive, state: BankState) -> None:
    """Rates and seeds belong to the ledger that they filled; another submission needs another ledger."""
    if (progressive.wager, progressive.paytable, _seeds(progressive)) != (state.wager, state.paytable, state.meters):
        raise RulesChanged(
            f"this ledger is of paytable {state.paytable} with a {dollars(state.wager)} wager and its seeds, the "
            f"submission says paytable {progressive.paytable} with {dollars(progressive.wager)}; "
            "put the submission back, or start a new ledger in another folder"
        )


def _seeds(progressive: Progressive) -> tuple[MeterSeed, ...]:
    return tuple(MeterSeed(meter.name, meter.seed) for meter in progressive.meters.values())


def _adopt(rules: BankRules, state: BankState, given: AdoptionSigned) -> tuple[Event, ...]:
    if given.table not in rules.tables:
        return (_complaint(given.at, f"adoption of {given.table}", "is not a table of this bank; see bank.toml"),)
    if len(set(given.by)) < 2:
        return (_complaint(given.at, f"adoption of {given.table}", "needs two different people; call a second one"),)
    return (TableAdopted(given.at, given.table, given.journal, given.by),)


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
    if book.journal and message.journal != book.journal:
        return _alarm(book, message, "journal", f"Journal {message.journal[:8]} is not the one this table has")
    if message.seq > held.seq + 1:
        return (_complaint(message.at, place, f"message {message.seq} came, {held.seq + 1} is the next one"),)
    if message.seq <= held.seq:
        return _compare(book, message)
    if message.prev != held.hash:
        return _alarm(book, message, "hash", f"Message {message.seq} does not follow the one that the bank holds")
    effect = _honour(rules.progressive, state, message)
    if book.journal:
        return (effect,)
    return (TableAdopted(message.at, message.table, message.journal, ()), effect)


def _compare(book: TableBook, message: MessageArrived) -> tuple[Event, ...]:
    """A table never goes back ten thousand messages; what is too old to be compared is taken for the worse case."""
    known = book.current.held.hash_at(message.seq)
    if known == message.hash:
        return ()
    why = "was another one before" if known else "is too old to be compared"
    return _alarm(book, message, "hash", f"Message {message.seq} {why}")


def _alarm(book: TableBook, message: MessageArrived, kind: str, text: str) -> tuple[Event, ...]:
    """Once for each thing that is wrong, however often it is sent, and so many that one sees it, not more."""
    if any((alarm.kind, alarm.journal, alarm.seq) == (kind, message.journal, message.seq) for alarm in book.alarms):
        return ()
    if len(book.alarms) >= ALARMS_MAX:
        return (_complaint(message.at, f"{message.table}/up", text),)
    return (AlarmRaised(message.at, message.table, message.journal, message.seq, kind, text),)


# Its effect ---------------------------------------------------------------------------------------------------------


def _honour(progressive: Progressive, state: BankState, message: MessageArrived) -> Event:
    body = message.body
    match body:
        case Wagers():
            return _contribute(progressive, state, message, body)
        case Reversal():
            return _reverse(state, message, body)
        case ClaimMade():
            return _claim(progressive, state, message, body)
        case Verdict():
            return _judge(state, message, body)
    assert_never(body)


def _contribute(progressive: Progressive, state: BankState, message: MessageArrived, body: Wagers) -> Event:
    if (body.wager, body.paytable) != (progressive.wager, progressive.paytable):
        theirs, ours = _offer(body.wager, body.paytable), _offer(progressive.wager, progressive.paytable)
        return _not_honoured(message, "rules", f"Round {body.round}: the table plays {theirs}, the bank {ours}")
    rounds = state.book(message.table).current.rounds
    if rounds and body.round <= rounds[-1].number:
        return _not_honoured(message, "round", f"Round {body.round} came after round {rounds[-1].number}")
    entries = tuple(
        Entry(account, meter.name, message.table, body.round, Micros(meter.contribution * len(body.seats)))
        for meter in progressive.meters.values()
        for account in (Account.CONTRIBUTIONS, Account.METERS)
    )
    return WagersHeld(message.at, _position(message), body.round, body.seats, entries)


def _offer(wager: Cents, paytable: str) -> str:
    return f"paytable {paytable} with {dollars(wager)}"


def _reverse(state: BankState, message: MessageArrived, body: Reversal) -> Event:
    round = state.book(message.table).current.round(body.round)
    if round is None:
        return _not_honoured(message, "void", f"Round {body.round} is void, but the bank holds no wagers of it")
    if round.reversed:
        return _not_honoured(message, "void", f"Round {body.round} is void a second time")
    entries = tuple(
        entry
        for meter, contribution in round.contributions.items()
        for entry in _give_back(state, message.table, round, meter, contribution)
    )
    return RoundReversed(message.at, _position(message), body.round, body.reason, entries)


def _give_back(state: BankState, table: str, round: Round, meter: str, contribution: Micros) -> tuple[Entry, ...]:
    """A contribution goes back off its meter; what went with a win, or is not there any more, is a named adjustment."""
    from_meter = Micros(0) if state.won_since(meter, round.version) else min(contribution, state.meter(meter))
    return _entries(
        meter,
        table,
        round.number,
        {
            Account.REVERSALS: contribution,
            Account.METERS: -from_meter,
            Account.TRANSFERS: from_meter - contribution,
        },
    )


def _claim(progressive: Progressive, state: BankState, message: MessageArrived, body: ClaimMade) -> Event:
    book = state.book(message.table)
    known = book.claim(body.claim)
    if known is not None and _same_claim(known, message, body):
        return RepetitionHeld(message.at, _position(message), body.claim)
    share = progressive.prizes.get(body.hand)
    if not isinstance(share, Share):
        return _not_honoured(message, "rules", f"{body.claim}: {body.hand} takes no share of a meter on this paytable")
    if objection := _objection_to_claim(book, known, body):
        return _not_honoured(message, "claim", f"{body.claim}: {objection}")
    return _price(progressive, state, message, body, share)


def _same_claim(known: Priced, message: MessageArrived, body: ClaimMade) -> bool:
    claim = known.claim
    return (known.journal, claim.round, claim.seat, claim.hand, claim.cards, claim.floor) == (
        message.journal,
        body.round,
        body.seat,
        body.hand,
        body.cards,
        body.floor,
    )


def _objection_to_claim(book: TableBook, known: Priced | None, body: ClaimMade) -> str:
    """Why a claim cannot be priced, or "". Without a wager that the bank holds no seat wins a meter."""
    round = book.current.round(body.round)
    if known is not None:
        return "another claim has this name"
    if round is None or body.seat not in round.seats:
        return f"the bank holds no wager of seat {body.seat} in round {body.round}"
    if round.reversed:
        return f"round {body.round} is void"
    if body.seat in round.claimed:
        return f"seat {body.seat} has claimed already in round {body.round}"
    if (hand := five_card_hand(body.cards)) != body.hand:
        return f"{' '.join(body.cards)} is a {hand}, not a {body.hand}"
    return ""


def _price(
    progressive: Progressive, state: BankState, message: MessageArrived, body: ClaimMade, share: Share
) -> ClaimPriced:
    """The meter as it stands at this seat's turn (653a.12(d)(4)), in whole cents; what is cut stays on the meter.

    The whole of a meter resets it to its seed and that fraction of a cent; a part of it just lowers it.
    """
    stands = state.meter(share.meter)
    amount = cut_to_cents(Micros(stands * share.percent // 100))
    reseed = progressive.meters[share.meter].seed if share.percent == 100 else Micros(0)
    claim = Claim(
        claim=body.claim,
        table=message.table,
        round=body.round,
        seat=body.seat,
        hand=body.hand.value,
        cards=body.cards,
        floor=body.floor,
        meter=share.meter,
        percent=share.percent,
        amount=amount,
        reseed=reseed,
        now=cut_to_cents(Micros(stands - to_micros(amount) + reseed)),
        cite=share.cite,
        at=message.at,
    )
    freeze = {Account.METERS: -to_micros(amount), Account.PENDING: to_micros(amount)}
    reset = {Account.SEEDS: reseed, Account.METERS: reseed}
    entries = (
        *_entries(share.meter, message.table, body.round, freeze),
        *_entries(share.meter, message.table, body.round, reset),
    )
    return ClaimPriced(message.at, _position(message), claim, entries)


def _judge(state: BankState, message: MessageArrived, body: Verdict) -> Event:
    priced = state.book(message.table).claim(body.claim)
    verdict = Status.PAID if body.paid else Status.REJECTED
    if priced is None:
        return _not_honoured(message, "claim", f"{body.claim} is {verdict}, but the bank holds no such claim")
    if priced.status is verdict:
        return RepetitionHeld(message.at, _position(message), body.claim)
    if priced.status is not Status.PENDING:
        return _not_honoured(message, "claim", f"{body.claim} is {verdict}, but it was {priced.status} before")
    if len(set(body.by)) < 2:
        return _not_honoured(message, "claim", f"{body.claim} is {verdict} by one person; a meter needs two")
    position = _position(message)
    if body.paid:
        return ClaimPaid(message.at, position, body.claim, body.by, body.reason, _award(priced.claim))
    return ClaimRejected(message.at, position, body.claim, body.by, body.reason, _take_back(state, priced.claim))


def _award(claim: Claim) -> tuple[Entry, ...]:
    paid = to_micros(claim.amount)
    return _entries(claim.meter, claim.table, claim.round, {Account.PENDING: -paid, Account.AWARDS: paid})


def _take_back(state: BankState, claim: Claim) -> tuple[Entry, ...]:
    """The amount goes back on the meter and the reseed it caused off it.

    Where others have won so much of that reseed since (the 10 % shares of paytable A, while the meter had stood below
    its seed) that the meter no longer holds it, only what is there is taken back, and the rest stays what it has
    become: house money that was played for. No meter falls below zero, and `seeds` says what the house has put in.
    """
    amount = to_micros(claim.amount)
    reseed = min(claim.reseed, Micros(state.meter(claim.meter) + amount))
    return (
        *_entries(claim.meter, claim.table, claim.round, {Account.METERS: amount, Account.PENDING: -amount}),
        *_entries(claim.meter, claim.table, claim.round, {Account.METERS: -reseed, Account.SEEDS: -reseed}),
    )


def _entries(meter: str, table: str, round: int, amounts: Mapping[Account, int]) -> tuple[Entry, ...]:
    return tuple(Entry(account, meter, table, round, Micros(micros)) for account, micros in amounts.items() if micros)


def _position(message: MessageArrived) -> Position:
    return Position(message.table, message.journal, message.seq, message.hash)


def _not_honoured(message: MessageArrived, kind: str, text: str) -> MessageNotHonoured:
    return MessageNotHonoured(message.at, _position(message), kind, text)
