"""The table's neighbors: the shuffler beside it, the link, the bank. All they say is fact."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.rules.meter_wagers import prize_of
from firmware.rules.money import Cents
from firmware.rules.paytable import Share
from firmware.table import debts, irregularity, jackpot, opening
from firmware.table import events as e
from firmware.table.evolve import ahead
from firmware.table.house import House, Table
from firmware.table.inputs import BankSaid, DiskSeen, LinkSeen, SensorsSeen, ShufflerSeen
from firmware.table.press import Press
from firmware.table.state import NO_HASH, STRANGER, Neighbor, Phase, TableState

NEW = "new"
"""The bank's alarm that two people have to adopt this table first."""


def shuffler_seen(house: House, state: TableState, given: ShufflerSeen) -> Iterator[e.Event]:
    """The shuffler's status, where it differs from its last; what it reveals of a deck; and that it failed."""
    seen = e.ShufflerChanged(given.connected, given.unit, given.mode, given.count, given.deck, given.fault, given.alarm)
    known = state.neighbors.shuffler
    if seen != e.ShufflerChanged(
        known.connected, known.unit, known.mode, known.count, known.deck, known.fault, known.alarm
    ):
        yield seen
        after = ahead(state, seen)
        if (given.mode, given.count, given.deck, given.fault) != (known.mode, known.count, known.deck, known.fault):
            yield from opening.miscounted(house, after)
            yield from irregularity.device_failed(house, after)


def acknowledge(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer saw the shuffler's alarm."""
    state = table.state
    if state.neighbors.shuffler.alarm > state.neighbors.shuffler.acknowledged:
        yield e.AlarmAcknowledged(state.neighbors.shuffler.alarm)
    else:
        yield press.refused(say("shuffler.no-alarm"))


def link_seen(state: TableState, given: LinkSeen) -> Iterator[e.Event]:
    """The way to the bank."""
    if (given.up, given.why) != (state.neighbors.link_up, state.neighbors.link_why):
        yield e.NeighborChanged(Neighbor.LINK, given.up, given.why)


def sensors_seen(state: TableState, given: SensorsSeen) -> Iterator[e.Event]:
    """The wires of the sensors."""
    if (given.up, given.why) != (state.felt.up, state.felt.why):
        yield e.NeighborChanged(Neighbor.SENSORS, given.up, given.why)


def disk_seen(state: TableState, given: DiskSeen) -> Iterator[e.Event]:
    """The room on the disk."""
    if given.short != state.neighbors.disk_short:
        yield e.NeighborChanged(Neighbor.DISK, not given.short, NOTHING)


def bank_said(house: House, state: TableState, given: BankSaid) -> Iterator[e.Event]:
    """The bank's record of this table, its alarm, and the price of a claim that waits for it.

    A word that the broker had kept may be of long ago, or nobody's: it neither begins nor ends an alarm. The table
    says that it is there, and the bank, if there is one, says it again.
    """
    alarm, text = _alarm(house, state, given)
    if given.retained and (alarm or state.neighbors.bank_alarm):
        return
    if given.alarm not in ("", NEW) and not _is_ours(state, given):
        yield from _stranger(state, given)
    if (alarm, text) != (state.neighbors.bank_alarm, state.neighbors.bank_alarm_text):
        yield e.BankAlarm(alarm, text)
    if alarm:
        return
    ledger, said = state.neighbors.ledger, given.anchors
    known = (ledger.epoch, state.neighbors.bank_seq, ledger.term, ledger.key)
    if (given.epoch, given.seq, said.term, given.key) != known:
        yield e.BankHolds(given.epoch, given.seq, said.term, said.rows, said.head, given.key)
    held = tuple(answer.claim for answer in given.claims if answer.status == "held")
    if held != state.neighbors.held:
        yield e.VerdictsHeld(held)
    yield from debts.heard(state, given)
    if state.phase in (Phase.PRICE, Phase.HOLD) and state.program.live:
        yield from _price(house, state, given)


def journal_fault(state: TableState, given: BankSaid) -> str:
    """The fault of this table's journal by the bank's word, "" for none.

    "ahead": the bank holds a message that this journal never owed, and can hold no next one of it. "behind", "fork": the
    rows that the bank saw are not there, or are others.
    """
    if _is_ahead(state, given) or _is_another(state, given):
        return "ahead"
    return _fault_of_rows(given)


def _is_ahead(state: TableState, given: BankSaid) -> bool:
    return given.journal == state.program.journal and given.seq > state.seq


def _is_another(state: TableState, given: BankSaid) -> bool:
    """Under the number that it has reached the bank holds another message than this journal."""
    held = _hash_of(state, given.seq) or given.ours
    return bool(held) and held != given.hash


def _fault_of_rows(given: BankSaid) -> str:
    said = given.anchors
    if not said.seen_rows or said.own_head == said.seen_head:
        return ""
    return "fork" if said.own_head else "behind"


def _price(house: House, state: TableState, given: BankSaid) -> Iterator[e.Event]:
    """The claim that waits, once the bank holds its message: an older word may speak of another claim of that name.

    An amount that was shown changes only with a signature, for any reason: the bank raised the claim, or was
    restored from a backup and priced it again.
    """
    waiting = state.seat(state.round.turn).prize
    assert waiting is not None, "a claim without a prize"
    if given.seq < waiting.claim_seq:
        return
    answers = [answer for answer in given.claims if answer.claim == waiting.claim]
    for answer in answers:
        if answer.status == "pending":
            yield from jackpot.answered(house, state, waiting, answer, given.epoch)
    refused = [one.by for one in given.refused if one.claim == waiting.claim]
    if refused and not answers and state.phase is Phase.PRICE:
        # The bank's own word, by name and with who signed: its silence about a claim ends none, said by anybody.
        yield e.ClaimRejected(state.round.turn, waiting.claim, refused[0])


def _too_much(house: House, state: TableState, given: BankSaid) -> Message:
    """No price is above its share of what the board says that its meter ever held, by anybody's word."""
    if above := debts.too_much(house, state, given):
        return above
    if given.most is None or state.phase not in (Phase.PRICE, Phase.HOLD) or not state.program.live:
        return NOTHING
    waiting = state.seat(state.round.turn).prize
    assert waiting is not None, "a claim without a prize"
    share = prize_of(house.submission, waiting.wager, HandName(waiting.hand))
    assert isinstance(share, Share), "a claim is of a share of a meter"
    most = share.most(Cents(dict(given.most).get(share.meter, 0)))
    for answer in given.claims:
        if answer.claim == waiting.claim and answer.status == "pending" and answer.amount > most:
            return say("bank.price-above", amount=answer.amount, most=most)
    return NOTHING


def _is_ours(state: TableState, given: BankSaid) -> bool:
    """The bank's alarm is about a message of this journal; one that was never owed came from another machine in its name."""
    journal, seq, digest = given.about
    if journal != state.program.journal or seq > state.seq:
        return False
    return _hash_of(state, seq) in (None, digest)


def _stranger(state: TableState, given: BankSaid) -> Iterator[e.Event]:
    """The dealer is told who else speaks under this table's name: once a round, until two people have looked."""
    if state.desk.stranger != given.alarm_text:
        yield e.Complained(STRANGER, given.alarm_text, 1)


def _hash_of(state: TableState, seq: int) -> str | None:
    """The hash of a message that was owed, None where it is too old to be known."""
    owed = state.neighbors.message(seq)
    return owed.hash if owed else None if seq else NO_HASH


def _alarm(house: House, state: TableState, given: BankSaid) -> tuple[str, Message]:
    """The bank's own alarm, or ours about what the bank holds: both close bets until two people have looked.

    A ledger of another epoch is another ledger, but where the bank announces that it restored the one that the table knows.
    """
    known = state.neighbors.ledger.epoch
    if known not in ("", given.epoch, *given.anchors.before):
        return "epoch", say("bank.other-ledger", there=given.epoch[:8], wanted=known[:8])
    if given.alarm == NEW:  # the first to speak under its name: nobody has adopted this table
        return NEW, say("bank.not-adopted")
    if _is_ahead(state, given):  # the bank's own alarm may be of its rows: two people's adoption does not end this one
        return "ahead", say("bank.ahead", held=given.seq, last=state.seq)
    if given.alarm and given.alarm != debts.OWED and _is_ours(state, given):
        return given.alarm, as_is(given.alarm_text)
    if given.journal not in ("", state.program.journal):
        return "journal", say("bank.another-journal")
    if fault := _fault_of_rows(given):
        row = given.anchors.seen_rows
        return fault, say("bank.fork", row=row) if fault == "fork" else say("bank.behind", row=row)
    if _is_another(state, given):
        return "hash", say("bank.another-message", number=given.seq)
    if above := _too_much(house, state, given):
        return "price", above
    return "", NOTHING
