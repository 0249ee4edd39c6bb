"""The table's neighbors: the shuffler beside it, the link, the bank. All they say is fact."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.table import events as e
from firmware.table import irregularity, jackpot, opening
from firmware.table.evolve import ahead
from firmware.table.house import House, Table
from firmware.table.inputs import BankSaid, LinkSeen, SensorsSeen, ShufflerSeen
from firmware.table.press import Press
from firmware.table.state import NO_HASH, Phase, TableState


def shuffler_seen(house: House, state: TableState, given: ShufflerSeen) -> Iterator[e.Event]:
    """The shuffler's status, where it differs from its last; what it reveals of a deck; and that it failed."""
    seen = e.ShufflerChanged(given.connected, given.unit, given.mode, given.count, given.deck, given.fault, given.alarm)
    known = state.neighbours.shuffler
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
    if state.neighbours.shuffler.alarm > state.neighbours.shuffler.acknowledged:
        yield e.AlarmAcknowledged(state.neighbours.shuffler.alarm)
    else:
        yield press.refused(say("shuffler.no-alarm"))


def link_seen(state: TableState, given: LinkSeen) -> Iterator[e.Event]:
    """The way to the bank."""
    if (given.up, given.why) != (state.neighbours.link_up, state.neighbours.link_why):
        yield e.LinkChanged(given.up, given.why)


def sensors_seen(state: TableState, given: SensorsSeen) -> Iterator[e.Event]:
    """The wires of the sensors."""
    if (given.up, given.why) != (state.felt.up, state.felt.why):
        yield e.SensorsChanged(given.up, given.why)


def bank_said(house: House, state: TableState, given: BankSaid) -> Iterator[e.Event]:
    """What the bank holds of this table, its alarm, and the price of a claim that waits for it."""
    alarm, text = _alarm(state, given)
    if (alarm, text) != (state.neighbours.bank_alarm, state.neighbours.bank_alarm_text):
        yield e.BankAlarm(alarm, text)
    if alarm:
        return
    if (given.epoch, given.seq) != (state.neighbours.bank_epoch, state.neighbours.bank_seq):
        yield e.BankHolds(given.epoch, given.seq)
    if state.phase in (Phase.PRICE, Phase.HOLD):
        yield from _price(house, state, given)


def _price(house: House, state: TableState, given: BankSaid) -> Iterator[e.Event]:
    """The claim that waits, once the bank holds its message: an older word may speak of another claim of that name.

    An amount that was shown changes only with a signature, whoever says another one: the bank raised the claim, or was
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
    if (
        not answers and state.phase is Phase.PRICE
    ):  # held without effect: the alarm about it is over, two people have looked, and no price will come
        yield e.ClaimRejected(state.round.turn, waiting.claim, ())


def _alarm(state: TableState, given: BankSaid) -> tuple[str, Message]:
    """The bank's own alarm, or ours about what the bank holds: both close bets until two people have looked."""
    if given.alarm:
        return given.alarm, as_is(given.alarm_text)
    if given.journal not in ("", state.program.journal):
        return "journal", say("bank.another-journal")
    if given.seq > state.seq:
        return "ahead", say("bank.ahead", held=given.seq, last=state.seq)
    held = {message.seq: message.hash for message in state.neighbours.outbox}.get(
        given.seq, NO_HASH if not given.seq else None
    )
    if held is not None and held != given.hash:
        return "hash", say("bank.another-message", number=given.seq)
    return "", NOTHING
