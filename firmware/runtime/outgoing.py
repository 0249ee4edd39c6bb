"""The words that a table repeats by itself: its debts to the bank until the bank holds them, and that it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware.runtime.clock import utc_now
from firmware.runtime.link import Carrier
from firmware.table.state import Owed, TableState
from firmware.wire.anchors import Anchor, LedgerSeen
from firmware.wire.from_table import Presence
from firmware.wire.offers import Offer
from firmware.wire.payload import write

S = 1_000_000_000
UNHELD_NS = 10 * S
"""A message that the bank has not held for so long, though the link was up: the way to it counts as down."""
RESEND_NS = 2 * S
BATCH_MAX = 100
IN_FLIGHT_MAX = 500
"""Messages beyond what the bank holds that are under way at most: a broker drops what it cannot keep."""


def presence(
    table: str,
    journal: str,
    *,
    alive: bool,
    anchor: Anchor | None = None,
    ledger: LedgerSeen | None = None,
    found: str = "",
    offer: Offer | None = None,
) -> bytes:
    """The table's `alive` payload."""
    return write(Presence(table, alive, utc_now(), journal, anchor, ledger, found, offer))


def with_anchor(text: str, anchor: Anchor) -> bytes:
    """A message as it is sent: its canonical text, with an anchor that its hash does not cover (docs/mqtt.md)."""
    return b'{"anchor":' + write(anchor) + b"," + text[1:].encode()


class Outgoing:
    """The outbox as a projection: everything above what the bank holds, in order, again and again.

    `read(first, most)` gives messages that are older than the state keeps, from the journal.
    """

    def __init__(self, link: Carrier, topic: str, read: Callable[[int, int], Sequence[Owed]]) -> None:
        self._link, self._topic, self._read = link, topic, read
        self._sent = 0
        self._sent_ns = 0
        self._held, self._held_ns = 0, 0
        """The bank's record by its last word, and when it last held more than before."""
        self._oldest = 0
        """The number of the oldest message owed, 0 for none."""
        self._since_ns: int | None = None
        """Since when the bank could have held it, without a break."""
        self._stuck = False

    def forget(self) -> None:
        """A new connection: every message under way may be lost."""
        self._sent = 0

    def is_stuck(self, state: TableState, now_ns: int, *, heard: bool) -> bool:
        """The oldest message owed is not held though the bank was there for long enough; until it is held.

        heard: the bank's heart is heard. While it is not, nothing can be held, and no time is counted.
        """
        held = state.neighbors.bank_seq
        oldest = held + 1 if held < state.seq and not state.neighbors.bank_alarm else 0
        if oldest != self._oldest:
            self._oldest, self._since_ns, self._stuck = oldest, None, False
        if not oldest or not heard:
            self._since_ns = None
        elif self._since_ns is None:
            self._since_ns = now_ns
        elif now_ns - self._since_ns >= UNHELD_NS:
            self._stuck = True
        return self._stuck

    def act(self, state: TableState, now_ns: int, anchor: Anchor) -> None:
        """Send what is owed and was not sent a moment ago. `anchor`: the journal's, now.

        A bank that goes on booking is not hurried: it works through what is under way, and a repetition takes its time.
        """
        held = state.neighbors.bank_seq
        if held != self._held:
            self._held, self._held_ns = held, now_ns if held > self._held else self._held_ns
        if not self._link.connected or state.neighbors.bank_alarm:
            return
        if self._sent > held and now_ns - max(self._sent_ns, self._held_ns) >= RESEND_NS:
            self._sent = held
        due = self._due(state)
        for message in due:
            self._link.publish(self._topic, with_anchor(message.text, anchor))
        if due:
            self._sent, self._sent_ns = due[-1].seq, now_ns

    def _due(self, state: TableState) -> Sequence[Owed]:
        """The next messages to send, found by their numbers: what is held, or under way, is not looked at."""
        held, outbox = state.neighbors.bank_seq, state.neighbors.outbox
        first = max(self._sent, held) + 1
        most = min(BATCH_MAX, min(state.seq, held + IN_FLIGHT_MAX) + 1 - first)
        if most <= 0:
            return ()
        place = first - outbox[0].seq
        return outbox[place : place + most] if place >= 0 else self._read(first, most)
