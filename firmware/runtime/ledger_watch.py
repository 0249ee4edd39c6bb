"""What a table saw of its bank's ledger, from word to word: an older bank, and a ledger that was put back, are no bank.

The journal has what was seen with the last message held (`BankHolds`); here is what was seen since.
"""

from __future__ import annotations

from firmware.rules.message import NOTHING, Message, say
from firmware.table.inputs import Anchors
from firmware.table.state import LedgerSeen, Neighbours
from firmware.wire import anchors as wire
from firmware.wire.from_bank import Heartbeat


class LedgerWatch:
    """The highest term and row of one ledger that was heard, in the epoch that the table goes by."""

    def __init__(self) -> None:
        self._seen = LedgerSeen()

    @property
    def seen(self) -> wire.LedgerSeen | None:
        """For the wire; None before a bank said how far its ledger has come."""
        seen = self._seen
        return wire.LedgerSeen(seen.epoch, seen.rows, seen.head) if seen.epoch and seen.rows else None

    def recall(self, them: Neighbours) -> None:
        """What the journal has of it, where that is another epoch, or more."""
        known = them.ledger
        if known.epoch != self._seen.epoch or (known.term, known.rows) > (self._seen.term, self._seen.rows):
            self._seen = known

    def is_older(self, epoch: str, said: Anchors) -> bool:
        """An earlier bank of this ledger said it: one that was kept by a broker, or runs beside the new one."""
        return epoch == self._seen.epoch and said.term < self._seen.term

    def is_another(self, beat: Heartbeat) -> bool:
        """Not the bank that the table goes by: of another ledger, or an earlier one of this."""
        return (beat.epoch, max(beat.term, self._seen.term)) != (self._seen.epoch, beat.term)

    def objection(self, beat: Heartbeat) -> Message:
        """Why this living heart is not that of the table's bank; NOTHING where it is, and then it is remembered."""
        seen = self._seen
        if not seen.epoch:
            return NOTHING
        if beat.epoch != seen.epoch:
            return say("link.other-ledger", there=beat.epoch[:8], wanted=seen.epoch[:8])
        if beat.term < seen.term:
            return say("link.older-bank", there=beat.term, wanted=seen.term)
        if beat.anchor is None:
            return NOTHING
        if beat.anchor.rows < seen.rows:
            return say("link.ledger-put-back", there=beat.anchor.rows, wanted=seen.rows)
        if beat.anchor.rows == seen.rows and beat.anchor.head != seen.head:
            return say("link.ledger-rewritten", row=seen.rows)
        self._seen = LedgerSeen(beat.epoch, beat.term, beat.anchor.rows, beat.anchor.head)
        return NOTHING
