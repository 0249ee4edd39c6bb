"""What must never be, of one step, of a ledger, and of a casino that has come to rest. Each answer is words, "" for sound.

The bank's money is held against `Oracle` (tests/bank/test_bank_never.py), which knows the law's numbers by heart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from firmware.bank import events as b
from firmware.bank.ledger import Account
from firmware.bank.state import Round
from firmware.table.state import Phase
from firmware.wire.records import document
from tests.bank.test_bank_never import Oracle
from tests.explore.days import Effect
from tests.explore.people import SEAT
from tests.explore.sides import BankSide, TableSide, Up, effect_of, said_by

REPORTS = frozenset({"payment", "late", "differences", "day", "account"})
"""What tables tell that moves no meter."""
MONEY_ALARMS = frozenset({"owed", "amount"})
"""Alarms that name a difference in money; the records still agree."""


def of_table(before: TableSide, after: TableSide) -> str:
    """One step of a table: what the bank said, a start, or an act."""
    state = after.state
    known, ledger = before.state.neighbors.ledger, state.neighbors.ledger
    if after.put_back and not before.put_back:
        return ""
    if ledger.epoch == known.epoch and ledger.term < known.term:
        return f"{after.name} goes by term {ledger.term} of a bank that it heard as term {known.term}"
    if said_by(after) != after.truth and not after.put_back:
        return f"{after.name} owes the bank {said_by(after)}, and what happened is {after.truth}"
    old = [message.hash for message in before.state.neighbors.outbox]
    if [message.hash for message in state.neighbors.outbox][: len(old)] != old:
        return f"{after.name} owes other messages than before"
    return _of_claim(before, after)


def _of_claim(before: TableSide, after: TableSide) -> str:
    """While nobody acts, a claim stays, and so does the price that was shown for it."""
    if before.acts != after.acts or before.state.phase not in (Phase.PRICE, Phase.HOLD):
        return ""
    if after.state.phase not in (before.state.phase, Phase.HOLD):
        return f"{after.name} has forgotten its claim"
    one, other = before.state.seat(SEAT).prize, after.state.seat(SEAT).prize
    if one and other and one.price is not None and one.price != other.price:
        return f"{after.name} shows another price than before, and nobody has signed"
    return ""


def of_hearing(before: BankSide, after: BankSide, said: Up, events: tuple[b.Event, ...]) -> str:
    """What a bank does with a message, by the message's place alone (docs/mqtt.md)."""
    held, kinds = before.held(said.table), ", ".join(type(event).__name__ for event in events)
    place = f"message {said.seq} of {said.table}, where {len(held)} are held"
    if said.seq <= len(held) and held[said.seq - 1] == said.digest:
        return f"{place}, came twice and counted as {kinds}" if events else ""
    if said.seq > len(held) + 1:
        return "" if kinds == "Complained" else f"{place}, came too early and counted as {kinds}"
    if len(after.held(said.table)) > len(held):
        taken = [event for event in events if b.position_of(event) is not None]
        refused = any(isinstance(event, b.MessageNotHonored | b.Complained) for event in events)
        sound = len(taken) == 1 and after.state.book(said.table).current.held.seq == said.seq and not refused
        return "" if sound else f"{place}, was the next one and counted as {kinds}"
    if any(b.position_of(event) for event in events):
        return f"{place}, contradicts what is held and counted as {kinds}"
    return "" if after.state.book(said.table).alarms else f"{place}, contradicts what is held, and nobody is told"


def of_bank(side: BankSide) -> str:
    """A ledger against what should be held by it."""
    return next(_of_bank(side), "")


def _of_bank(side: BankSide) -> Iterator[str]:
    state, total = side.state, side.state.accounts.total
    for table in {name for name, *_ in side.log}:
        if state.book(table).current.held.seq != len(side.held(table)):
            yield f"the bank holds {state.book(table).current.held.seq} messages of {table} and took {len(side.held(table))}"
    yield from _of_reports(side)
    yield from _of_waits(side)
    if off := [meter.name for meter in state.seeds if state.accounts.imbalance(meter.name)]:
        yield f"the two sides of {off} differ"
    if any(state.meter(meter.name) < 0 for meter in state.seeds):
        yield "a meter is below zero"
    oracle = _told(side)
    sums = {
        Account.CONTRIBUTIONS: oracle.contributions,
        Account.REVERSALS: oracle.reversals,
        Account.AWARDS: oracle.awards,
    }
    if not any(isinstance(event, b.ClaimPaidOtherwise) for event in side.rows.all()):
        meters = {name: state.meter(name) for name in oracle.meters}
        if meters != oracle.meters:
            yield f"the meters hold {meters}, and should {oracle.meters}"
        sums |= {
            Account.SEEDS: oracle.seeds,
            Account.PENDING: oracle.pending,
            Account.OWED: oracle.owed,
            Account.TRANSFERS: oracle.transfers,
        }
    elif not any(alarm.kind == "amount" for book in state.tables.values() for alarm in book.alarms):
        yield "a claim was paid otherwise, and nobody is told"
    for account, wanted in sums.items():
        if total(account) != wanted:
            yield f"{account} are {total(account)} micro-dollars, and should be {wanted}"
    for name, claim in oracle.claims.items():
        priced = next((one for book in state.tables.values() if (one := book.claim(name))), None)
        if priced is None or priced.status.value != claim["status"]:
            yield f"claim {name} is {claim['status']}, and the bank has {priced and priced.status}"


def _of_waits(side: BankSide) -> Iterator[str]:
    """What a restore does not explain by itself waits for two people, who are told of it; nothing else does."""
    books = side.state.tables.values()
    waits = {priced.claim.claim for book in books for priced in book.claims if priced.held}
    if waits != set(side.waits):
        yield f"two people have to look at {sorted(side.waits)}, and the bank waits for them with {sorted(waits)}"
    untold = [name for name in side.state.tables if side.waits_of(name) and "verdict" not in _alarms(side, name)]
    if untold:
        yield f"the bank waits for two people with a verdict of {', '.join(untold)}, and nobody is told"


def _alarms(side: BankSide, table: str) -> frozenset[str]:
    return frozenset(alarm.kind for alarm in side.state.book(table).alarms)


def _of_reports(side: BankSide) -> Iterator[str]:
    """Prizes, late chips, differences and days stand in the ledger as they were told, each once, in order."""
    told = [(table, effect) for table, _, effect in side.log if effect.what in REPORTS]
    held = [
        (event.position.table, effect_of({"kind": event.said.KIND, "body": document(event.said)}))
        for event in side.rows.all()
        if isinstance(event, b.ReportHeld)
    ]
    if held != told:
        yield f"tables told {told}, and the ledger has {held}"
    for table in {name for name, *_ in side.log}:
        rounds, days = _standing(side, table)
        book = side.state.book(table).current
        if {round.number: paid for round in book.rounds if (paid := _paid(round))} != rounds:
            yield f"prizes of {rounds} cents by round stand at {table}, and the bank has {book.rounds}"
        if (book.days, book.day) != days:
            yield f"{table} has closed {days[0]} days up to {days[1]}, and the bank has {book.days} up to {book.day}"


def _standing(side: BankSide, table: str) -> tuple[dict[int, int], tuple[int, str]]:
    """Cents of the prizes that stand, by round; how many days were closed, and the last of them."""
    told: list[Effect] = [effect for name, _, effect in side.log if name == table]
    paid: Counter[int] = Counter()
    for effect in told:
        if effect.what == "payment":
            paid[int(effect.name)] += effect.cents if effect.paid else -effect.cents
    closed = [effect.name.split()[1] for effect in told if effect.what == "day"]
    return {round: cents for round, cents in paid.items() if cents}, (len(closed), closed[-1] if closed else "")


def _paid(round: Round) -> int:
    return sum(line.payout + line.returned for line in round.paid)


def _told(side: BankSide) -> Oracle:
    """The oracle, told what the bank should hold, in its order."""
    offered = {one.name: one for one in side.state.wagers}
    five_card = offered["five_card_player"].wager // 100 if "five_card_player" in offered else 0
    oracle = Oracle(offered["progressive"].paytable, 1, five_card)
    ended: Counter[str] = Counter()
    for table, effect in _in_order(side):
        match effect.what:
            case "wagers":
                oracle.wagers(f"{table}:{effect.name}", effect.cents, 0)
            case "void":
                oracle.void(f"{table}:{effect.name}")
            case "claim":
                oracle.claim(effect.name, effect.hand, "progressive", 1)
            case what if what in REPORTS:
                pass
            case _:
                ended[effect.name] += 1
                if ended[effect.name] > 1:
                    oracle.more(effect.name, effect.cents)
                else:
                    oracle.verdict(effect.name, effect.paid, effect.cents)
    return oracle


def _in_order(side: BankSide) -> Iterator[tuple[str, Effect]]:
    """(table, effect) as the bank books them: a verdict that two people have to look at once they accepted it, and until
    then the claim is as it was, and no meter pays it.
    """
    looked_at = {*side.waits, *dict(side.accepted)}
    late: dict[str, tuple[str, Effect]] = {}
    for place in range(len(side.log) + 1):
        yield from (late[claim] for claim, held in side.accepted if held == place)
        for table, _, effect in side.log[place : place + 1]:
            if effect.name in looked_at and effect.what not in BOOKED_AT_ONCE and effect.name not in late:
                late[effect.name] = table, effect
            else:
                yield table, effect


BOOKED_AT_ONCE = frozenset({"wagers", "void", "claim", *REPORTS})
"""All but a verdict, and what a table says more of one."""


def of_pair(table: TableSide, bank: BankSide) -> str:
    """A table never takes for held what the very bank that it goes by does not hold."""
    them = table.state.neighbors
    same = (them.ledger.epoch, them.ledger.term) == (bank.state.epoch, bank.state.term)
    if same and bank.kind != "in silence" and them.bank_seq > len(bank.held(table.name)) and not them.bank_alarm:
        return f"{table.name} takes message {them.bank_seq} for held, and the bank holds {len(bank.held(table.name))}"
    return ""


def at_rest(table: TableSide, bank: BankSide) -> str:
    """Everything has arrived that ever will: the two records agree, or people are told that they do not."""
    alarms = alarms_of(table, bank)
    if alarms - MONEY_ALARMS:
        return _needless(table, bank, alarms - MONEY_ALARMS)
    them, held = table.state.neighbors, bank.held(table.name)
    hashes = tuple(message.hash for message in them.outbox)
    there = f"the bank holds {len(held)}"
    if hashes != held and not (them.bank_alarm and hashes[: len(held)] == held):  # under an alarm nothing is sent
        return f"{table.name} owes {len(hashes)} messages, {there} of them: no alarm, and nobody sends any more"
    if them.bank_seq != len(held) and not alarms:
        return f"{table.name} takes {them.bank_seq} messages for held, {there}: no alarm"
    if table.state.phase is Phase.PRICE and not alarms:
        return f"the claim of {table.name} waits for a price for ever"
    said, log = said_by(table)[: len(held)], tuple(effect for name, _, effect in bank.log if name == table.name)
    if said != log:
        return f"{table.name} says {said}, the bank has {log}: no alarm"
    if not table.put_back and table.truth[: len(held)] != log:
        return f"at {table.name} {table.truth} happened, the bank has {log}: no alarm"
    return ""


def _needless(table: TableSide, bank: BankSide, alarms: frozenset[str]) -> str:
    """Without a restore nothing closes an honest table."""
    if table.put_back or bank.kind:
        return ""
    return f"{table.name} is honest, nothing was put back, and there is an alarm {', '.join(sorted(alarms))}"


def alarms_of(table: TableSide, bank: BankSide) -> frozenset[str]:
    """Every alarm about this table, at the bank or on its own glass."""
    return (_alarms(bank, table.name) | {table.state.neighbors.bank_alarm}) - {""}
