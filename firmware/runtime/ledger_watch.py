"""A table's view of its bank's ledger, from word to word: an older bank, and a ledger that was put back, are no bank.

The journal has the view at the last message held (`BankHolds`); this module has the view since. A single heartbeat that
the next ones do not confirm was nobody's: it blinds the table for three heartbeats, and no longer.
"""

from __future__ import annotations

from firmware.rules.message import NOTHING, Message, say
from firmware.table.state import LedgerSeen, Neighbors
from firmware.wire import anchors as wire
from firmware.wire.from_bank import Heartbeat
from firmware.wire.structs import replace

S = 1_000_000_000
ALONE_NS, FRESH_NS = 5 * S, 6 * S
"""An announced restore is taken once hearts of the new epoch alone were heard for so long (a bank's heart beats every two
seconds), and the last of them at most so long ago."""
DOUBTED = 3
"""Hearts, one after the other, that contradict one that no other has confirmed: then that one is forgotten."""


class LedgerWatch:
    """The highest term and row of one ledger that was heard, in the epoch that the table goes by."""

    def __init__(self) -> None:
        self._seen = LedgerSeen()
        self._sure = LedgerSeen()
        """The highest that the journal has, or that a later heart confirmed."""
        self._doubts = 0
        self._other, self._other_ns, self._beat_ns = "", 0, 0
        """Another epoch whose heartbeats are heard, since when no other one is, and when the last of them came."""

    @property
    def seen(self) -> wire.LedgerSeen | None:
        """For the wire; None before a bank said how far its ledger has come."""
        sure = self._sure
        return wire.LedgerSeen(sure.epoch, sure.rows, sure.head) if sure.epoch and sure.rows else None

    def recall(self, them: Neighbors) -> None:
        """The journal's record of it, if that is another epoch, or more."""
        known = them.ledger
        if known.epoch != self._seen.epoch or _reach(known) > _reach(self._seen):
            self._seen, self._doubts = known, 0
        if known.epoch != self._sure.epoch or _reach(known) > _reach(self._sure):
            self._sure = known

    def is_older(self, epoch: str, term: int) -> bool:
        """An earlier bank of this ledger said it: one that was kept by a broker, or runs beside the new one."""
        return epoch == self._sure.epoch and term < self._sure.term

    def hears(self, beat: Heartbeat, at_ns: int) -> bool:
        """Whether, with this living heart, another epoch's bank has taken the place of the one that was known."""
        before = self.has_taken_over(self._other, self._beat_ns)
        if beat.epoch == self._seen.epoch:
            self._other = ""
        elif beat.epoch != self._other:
            self._other, self._other_ns = beat.epoch, at_ns
        elif at_ns - self._beat_ns > FRESH_NS:
            self._other_ns = at_ns
        self._beat_ns = at_ns
        return not before and self.has_taken_over(self._other, at_ns)

    def has_taken_over(self, epoch: str, now_ns: int) -> bool:
        """A bank of this other epoch beats, and the one that was known does not: a word on `down` alone is anybody's."""
        alone = self._beat_ns - self._other_ns >= ALONE_NS and now_ns - self._beat_ns <= FRESH_NS
        return bool(epoch) and epoch == self._other and alone

    def is_another(self, beat: Heartbeat) -> bool:
        """Not the bank that the table goes by: of another ledger, or an earlier one of this."""
        return beat.epoch != self._seen.epoch or beat.term < self._seen.term

    def objection(self, beat: Heartbeat) -> Message:
        """Why this living heart is not that of the table's bank; NOTHING where it is, and then it is remembered."""
        if not self._seen.epoch:
            return NOTHING
        why = self._contradicts(beat, self._seen)
        if not why:
            self._sure = max(self._sure, self._seen, key=_reach)
        elif self._contradicts(beat, self._sure):
            return why
        else:
            self._doubts += 1
            if self._doubts < DOUBTED:
                return why
        self._doubts = 0
        if beat.anchor is not None:
            self._seen = replace(
                self._seen, epoch=beat.epoch, term=beat.term, rows=beat.anchor.rows, head=beat.anchor.head
            )
        return NOTHING

    @staticmethod
    def _contradicts(beat: Heartbeat, seen: LedgerSeen) -> Message:
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
        return NOTHING


def _reach(ledger: LedgerSeen) -> tuple[int, int]:
    """How far a ledger has come."""
    return ledger.term, ledger.rows
