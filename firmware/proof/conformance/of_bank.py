"""A bank under test, found out by a table that plays rounds, claims, and at the end says what no table may say.

Its traces, alarms above all, stay in the bank's ledger: never use it against a bank in service.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from firmware.proof.conformance.player import PATIENCE_S, Heard, Player, S, Talk, anchor_of
from firmware.proof.conformance.sheet import Sheet
from firmware.rules.hands import HandName
from firmware.rules.money import Cents, dollars
from firmware.rules.payment import Result, Source
from firmware.runtime.clock import utc_now, utc_s
from firmware.wire.anchors import Anchor
from firmware.wire.from_bank import AlarmHeld, Board, ClaimHeld, ClaimStatus, Down, Heartbeat
from firmware.wire.from_table import Body, ClaimMade, MadeWager, Owed, Presence, Reversal, Verdict, Wagers
from firmware.wire.offers import WagerOffered
from firmware.wire.payload import NO_HASH, WireError, canonical, hash_of, object_in, read, write
from firmware.wire.reports import (
    AccountMove,
    AccountMoved,
    Counted,
    DayEnded,
    Difference,
    DifferenceOutcome,
    LateChip,
    PaidAs,
    PaymentLine,
    Payments,
    Totals,
)
from firmware.wire.structs import replace
from firmware.wire.topics import TableTopics

ROYAL = ("Ah", "Kh", "Qh", "Jh", "Th")
BEAT_MOST_NS = 3 * S
"""Between two heartbeats: two seconds, and one for a busy machine."""
WHOLE = "100%"
STRANGERS = ("conformance-1", "conformance-2")
"""Badges that nobody wears."""
NOTHING = Totals(0, 0, 0, 0, Cents(0), Cents(0), (), (), (), (), ())
WAITED_S = 3_600
"""Between a claim and its verdict, by this table's clock: no bank takes longer ones for too soon."""


@dataclass(frozen=True, slots=True)
class AsTable:
    """The played part: a table that the bank knows, its journal, its wager of a sensor, and two people of the house.

    `stranger`: a journal that nobody adopts, named after a key of its own.
    """

    bank: str
    table: str
    journal: str
    stranger: str
    wager: WagerOffered
    people: tuple[str, str]
    wait_s: int = 120


class BankCheck(Player):
    """One check of a bank, from its first heartbeat to its alarms."""

    def __init__(self, talk: Talk, sheet: Sheet, tell: Callable[[str], None], own: AsTable) -> None:
        super().__init__(talk, sheet, tell)
        self._own, self._topics = own, TableTopics.of(own.bank, own.table)
        self._beats: list[tuple[int, Heartbeat]] = []
        self._words: list[Down | Board] = []
        """The words of `down` and `meters` that were heard, in order."""
        self._seq, self._prev, self._rows, self._round = 0, NO_HASH, 0, 0
        self._first = self._wagers(1, 2, 3)
        self._paid_round = 0
        """In which something was paid that stands."""
        self._since: tuple[str, int] | None = None
        """Epoch and term of the bank's first word."""

    def run(self) -> None:
        """All of it; what a step needs and does not find ends it."""
        if not self._is_there() or not self._answers() or not self._holds_the_first():
            return
        self._counts_once()
        self._leaves_gaps()
        self._wants_canonical()
        self._gives_back()
        self._prices()
        self._tells_without_the_wrong_one()
        self._holds_what_moves_no_meter()
        self._raises_alarms()
        self._holds_a_strangers_verdict()
        self._says_how_far()
        self.is_kept([self._topics.down, self._topics.meters, self._topics.bank])

    # Hearing ---------------------------------------------------------------------------------------------------------

    def hear(self, heard: Heard) -> None:
        """A word that the broker had kept may be of long ago, and is not judged; a board may be the one that stands."""
        if heard.retained:
            if heard.topic == self._topics.meters:
                with suppress(WireError):
                    self._words.append(read(heard.payload, Board))
        elif heard.topic == self._topics.bank:
            beat = self.read(heard, Heartbeat, lambda beat: beat.bank, self._own.bank)
            if beat is not None and beat.alive:
                self._beats.append((heard.at_ns, beat))
                self.sheet.holds("B-35", beat.offer is not None, "its heart says nothing of what it plays")
                self._is_of_one_start(beat.epoch, beat.term)
        elif heard.topic == self._topics.meters:
            board = self.read(heard, Board, lambda _: "", "")
            if board is not None:
                self._rises(board)
                self._words.append(board)
                self._is_of_one_start(board.epoch, board.term)
        elif heard.topic == self._topics.down:
            down = self.read(heard, Down, lambda down: down.table, self._own.table)
            if down is not None:
                self._reaches(down)
                self._words.append(down)
                self._is_of_one_start(down.epoch, down.term)

    def _is_of_one_start(self, epoch: str, term: int) -> None:
        self._since = self._since or (epoch, term)
        right = self._since == (epoch, term)
        self.sheet.holds(
            "B-12", right, f"epoch {epoch[:8]}, term {term}; before {self._since[0][:8]}, {self._since[1]}"
        )

    def _rises(self, board: Board) -> None:
        last = max((one.version for one in self._boards if one.epoch == board.epoch), default=0)
        self.sheet.holds("B-14", board.version >= last, f"version {board.version} after {last}")

    def _reaches(self, down: Down) -> None:
        last = max((one.anchor.rows for one in self._downs if one.anchor), default=0)
        rows = down.anchor.rows if down.anchor else 0
        self.sheet.holds("B-21", rows >= max(last, 1), f"down: the ledger has {rows} rows, it had {last}")

    @property
    def _boards(self) -> Sequence[Board]:
        return [word for word in self._words if isinstance(word, Board)]

    @property
    def _downs(self) -> Sequence[Down]:
        return [word for word in self._words if isinstance(word, Down)]

    @property
    def _down(self) -> Down:
        return self._downs[-1]

    @property
    def _amounts(self) -> Mapping[str, Cents]:
        return {meter.name: meter.amount for meter in self._boards[-1].meters}

    # Speaking --------------------------------------------------------------------------------------------------------

    def _next(self, body: Body) -> Owed:
        """The table's next message; it counts as said."""
        owed = Owed(self._own.table, self._own.journal, self._seq + 1, self._prev, body)
        self._seq, self._prev = owed.seq, hash_of(write(owed))
        return owed

    def _anchor(self) -> Anchor:
        """The journal that this table would have: it grows with every word."""
        self._rows += 1
        return anchor_of(self._own.journal, self._rows)

    def _send(self, owed: Owed) -> None:
        self.talk.say(self._topics.up, write(replace(owed, anchor=self._anchor())))

    def _wagers(self, *seats: int) -> Wagers:
        self._round += 1
        return Wagers(self._round, (MadeWager.at(self._own.wager, *seats),))

    def _answered(self) -> bool:
        """Say that the table is there, and hear what the bank holds."""
        before = len(self._downs)
        self._says_that_it_is_there()
        return self.until(lambda: len(self._downs) > before)

    def _says_that_it_is_there(self) -> None:
        beat = Presence(self._own.table, True, utc_now(), self._own.journal, self._anchor())
        self.talk.say(self._topics.alive, write(beat), qos=0, retain=True)

    def _settled(self) -> bool:
        """The message is taken, and the board that the bank's next heartbeat names was heard."""
        if not self._answered():
            return False
        before = len(self._beats)
        if not self.until(lambda: len(self._beats) > before):
            return False
        version = self._beats[-1][1].board
        right = self.until(lambda: bool(self._boards) and self._boards[-1].version == version)
        heard = self._boards[-1].version if self._boards else "none"
        return self.sheet.holds("B-14", right, f"the heart names board {version}, the last board is {heard}")

    def _held(self, body: Body) -> bool:
        """Say the next message and wait until the bank holds it."""
        self._send(self._next(body))
        return self._holds(self._seq)

    def _holds(self, seq: int, seconds: int = PATIENCE_S) -> bool:
        return self.until(lambda: bool(self._downs) and self._down.seq == seq, seconds)

    # The steps -------------------------------------------------------------------------------------------------------

    def _is_there(self) -> bool:
        """B-01. A heart is heard once its bank has answered a word that came after the bank's first (W-08)."""
        for _ in range(PATIENCE_S):
            self._says_that_it_is_there()
            if self.until(lambda: bool(self._beats), PATIENCE_S // 3):
                break
        if not self.until(lambda: len(self._beats) >= 3, 2 * PATIENCE_S):
            return self.sheet.holds("B-01", False, f"{len(self._beats)} heartbeats in {4 * PATIENCE_S} seconds")
        times = [at for at, _ in self._beats]
        longest = max(later - earlier for earlier, later in pairwise(times))
        return self.sheet.holds("B-01", longest <= BEAT_MOST_NS, f"{longest // 1_000_000} ms between two heartbeats")

    def _answers(self) -> bool:
        """B-03."""
        seen = f"no `down` after `alive`; is {self._own.table} a table of this bank?"
        return self.sheet.holds("B-03", self._answered(), seen)

    def _holds_the_first(self) -> bool:
        """B-04; a bank may want two people to adopt a journal first."""
        if not self._settled():
            return False
        first = self._next(self._first)
        self._send(first)
        if not self._holds(1):
            self.tell(f"adopt this table's journal: felt bank adopt {self._own.table} {self._own.journal}")
            deadline = self.talk.now_ns() + self._own.wait_s * S
            while not self._holds(1, 2) and self.talk.now_ns() < deadline:
                self._send(first)
        down = self._down
        right = (down.journal, down.seq, down.hash) == (self._own.journal, 1, self._prev)
        return self.sheet.holds("B-04", right, f"after message 1: seq {down.seq}, hash {down.hash[:8]}")

    def _counts_once(self) -> None:
        """B-05: the same message three times more."""
        first = Owed(self._own.table, self._own.journal, 1, NO_HASH, self._first)
        self._settled()
        before = self._amounts
        for _ in range(3):
            self._send(first)
        self._settled()
        right = (self._down.seq, self._amounts) == (1, before)
        self.sheet.holds("B-05", right, f"message 1 came four times: {_told(before)} became {_told(self._amounts)}")

    def _leaves_gaps(self) -> None:
        """B-06: the third message before the second."""
        second, third = self._next(self._wagers(1)), self._next(self._wagers(2))
        self._send(third)
        self._answered()
        self.sheet.holds("B-06", self._down.seq == 1, f"3 came before 2: down says seq {self._down.seq}")
        self._send(second)
        self._send(third)
        self.sheet.holds("B-04", self._holds(3), f"after 2 and 3: down says seq {self._down.seq}")

    def _wants_canonical(self) -> None:
        """B-07 and W-04: the same content in another form, and what is no message at all."""
        held, proper = self._seq, self._next(self._wagers(1, 2))
        payload = write(proper)
        for wrong in (payload.replace(b",", b", "), payload + b"\n"):
            self.talk.say(self._topics.up, wrong)
        self._answered()
        self.sheet.holds("B-07", self._down.seq == held, f"held a payload that is not canonical, seq {self._down.seq}")
        doubled, stranger = b'{"v":1,' + payload[1:], canonical(object_in(payload) | {"stranger": 1})
        for wrong in (b"", b"{", b"[1]", b"\xff", b'{"v":1.5}', b"x" * 70_000, doubled, stranger):
            self.talk.say(self._topics.up, wrong)
        self._answered()
        right = self._down.seq in (held, proper.seq) and self._down.alarm is None
        self.sheet.holds("W-04", right, f"after what cannot be read: seq {self._down.seq}, alarm {self._down.alarm}")
        self._send(proper)
        self.sheet.holds(
            "W-04", self._holds(proper.seq), f"a good message after bad ones is not held: {self._down.seq}"
        )

    def _gives_back(self) -> None:
        """B-15: a round that is void."""
        self._settled()
        before = self._amounts
        self._held(self._wagers(1, 2, 3, 4))
        self._settled()
        fed = self._amounts
        self._held(Reversal(self._round, "conformance"))
        self._settled()
        right = self._amounts == before and fed != before
        seen = f"{_told(before)}, with four wagers {_told(fed)}, reversed {_told(self._amounts)}"
        self.sheet.holds("B-15", right, seen)

    def _claim(self, number: int, round: int = 0) -> ClaimHeld | None:
        """A royal flush of seat 1, validated; the claim with its price as the bank holds it, None where it does not."""
        of = round or self._round
        name, wager = f"{self._own.table}:{of}:1:{number}", self._own.wager.name
        claim = ClaimMade(name, of, 1, HandName.ROYAL_FLUSH, ROYAL, self._own.people[0], wager, 1, utc_s() - WAITED_S)
        self._held(claim)
        return self._of(name)

    def _of(self, name: str) -> ClaimHeld | None:
        return next((claim for claim in self._down.claims if claim.claim == name), None)

    def _verdict(self, claim: ClaimHeld, *, paid: bool) -> None:
        """Two people end a claim; a bank that does not know them holds their verdict until it is accepted."""
        price = (claim.amount, claim.meter, self._down.epoch, claim.version)
        self._held(Verdict(claim.claim, paid, *price, self._own.people, "conformance", utc_s()))
        if self._is_held(claim.claim):
            self.tell(f"accept this table's verdict: felt bank accept {claim.claim}")
            self.until(lambda: not self._is_held(claim.claim), self._own.wait_s)

    def _is_held(self, name: str) -> bool:
        claim = self._of(name)
        return claim is not None and claim.status is ClaimStatus.HELD

    def _prices(self) -> None:
        """B-16 to B-19: a royal flush, wagers while it is pending, and paid."""
        later = ("B-17", "B-18", "B-19")
        self._held(self._wagers(1, 2))
        self._settled()
        before = self._amounts
        claim = self._claim(1)
        if claim is None:
            self.sheet.holds("B-16", False, f"no claim in down after its message; alarm {self._down.alarm}")
            self.sheet.skips("there was no price", *later, "B-20")
            return
        if claim.share == WHOLE:
            seen = f"{claim.meter} showed {dollars(before[claim.meter])}, frozen is {dollars(claim.amount)}"
            self.sheet.holds("B-16", claim.amount == before[claim.meter], seen)
        else:
            self.sheet.skips(f"a royal flush is {claim.share} of {claim.meter} here", "B-16")
        self.sheet.holds("B-18", self._was_on_a_board(claim.claim), "no board told of the claim before its price")
        self._held(self._wagers(1))
        self._settled()
        now = self._of(claim.claim)
        self.sheet.holds(
            "B-17", now == claim, f"{dollars(claim.amount)} became {dollars(now.amount) if now else 'none'}"
        )
        self._verdict(claim, paid=True)
        self._settled()
        ended = self._of(claim.claim)
        won = [(win.claim, win.amount) for win in self._boards[-1].won]
        right = ended == replace(claim, status=ClaimStatus.PAID) and (claim.claim, claim.amount) in won
        self.sheet.holds("B-19", right, f"paid, it stands as {ended}; won: {won}")

    def _was_on_a_board(self, name: str) -> bool:
        """Before the first `down` with that claim."""
        for word in self._words:
            if isinstance(word, Board) and any(claim.claim == name for claim in word.pending):
                return True
            if isinstance(word, Down) and any(claim.claim == name for claim in word.claims):
                return False
        return False

    def _tells_without_the_wrong_one(self) -> None:
        """B-20: a claim that is rejected."""
        self._held(self._wagers(1))
        self._settled()
        before = self._amounts
        claim = self._claim(2)
        if claim is None:
            self.sheet.holds("B-20", False, f"no claim in down after its message; alarm {self._down.alarm}")
            return
        self._verdict(claim, paid=False)
        self._settled()
        ended = self._of(claim.claim)
        right = self._amounts == before and ended is not None and ended.status is ClaimStatus.REJECTED
        seen = f"{_told(before)} became {_told(self._amounts)}, the claim is {ended.status if ended else 'gone'}"
        self.sheet.holds("B-20", right, seen)

    def _holds_what_moves_no_meter(self) -> None:
        """B-26: one of each kind, and a correction."""
        self._held(self._wagers(1, 2))
        self._settled()
        before = (self._amounts, self._boards[-1].version)
        paid, self._paid_round = self._payment(), self._round
        self._reads_no_wrong_payment(paid)
        late = Counted(
            (LateChip(self._round, 5, self._own.wager.name, 40, lit=False),),
            (Difference(self._round, 6, self._own.wager.name, DifferenceOutcome.RETURNED),),
        )
        account = AccountMoved(1, AccountMove.BUY_IN, Cents(500))
        day = DayEnded("2000-01-01", 1, self._own.people[0], NOTHING, NOTHING, 0, ())
        said = (paid, replace(paid, corrected="conformance"), paid, late, account, day)
        held = [self._held(body) for body in said]
        self._settled()
        after = (self._amounts, self._boards[-1].version)
        right = all(held) and after == before and self._down.alarm is None
        seen = f"held {sum(held)} of {len(held)}, alarm {self._down.alarm}, {_told(before[0])} became {_told(after[0])}"
        self.sheet.holds("B-26", right, seen)

    def _reads_no_wrong_payment(self, paid: Payments) -> None:
        """B-31: one line twice, a lost wager that is paid, more returned than staked, by nobody, for another's hand."""
        line, held = paid.lines[0], self._seq
        wrong = (
            replace(line, result=Result.LOSE),
            replace(line, returned=Cents(line.stake + 1)),
            replace(line, source=None),
            replace(line, for_seat=line.seat),
        )
        for lines in ((line, line), *((one,) for one in wrong)):
            owed = Owed(self._own.table, self._own.journal, held + 1, self._prev, replace(paid, lines=lines))
            self._send(owed)
        self._answered()
        self.sheet.holds("B-31", self._down.seq == held, f"held a payment that cannot be: seq {self._down.seq}")

    def _payment(self) -> Payments:
        cents, cite = Cents(1_000), "conformance"
        line = PaymentLine(
            1,
            self._own.wager.name,
            Result.WIN,
            self._own.wager.wager,
            Cents(0),
            cents,
            cite,
            source=Source.RACK,
            floor=True,
        )
        return Payments(self._round, PaidAs.PRIZE, (line,))

    def _holds_a_strangers_verdict(self) -> None:
        """B-28: people whom no bank knows."""
        self._held(self._wagers(1))
        claim = self._claim(3)
        if claim is None:
            self.sheet.skips("there was no price", "B-28")
            return
        price = (claim.amount, claim.meter, self._down.epoch, claim.version)
        self._held(Verdict(claim.claim, True, *price, STRANGERS, "conformance", utc_s()))
        now = self._of(claim.claim)
        right = now is not None and now.status is ClaimStatus.HELD and now.amount == claim.amount
        self.sheet.holds("B-28", right, f"a verdict of badges that nobody wears: the claim is {now}")

    def _raises_alarms(self) -> None:
        """B-08 to B-11: another machine's journal, a message that does not follow, a round that was already. B-29:
        payments.
        """
        held = (self._seq, self._prev)
        stranger = Owed(self._own.table, self._own.stranger, 1, NO_HASH, self._wagers(1))
        self.talk.say(self._topics.up, write(stranger))
        self._answered()
        self._found("B-09", "journal", stranger, held)
        wrong = Owed(self._own.table, self._own.journal, self._seq + 1, "f" * 64, self._wagers(1))
        self._send(wrong)
        self._answered()
        self._found("B-08", "hash", wrong, held)
        self._send(replace(wrong, seq=self._seq, prev="e" * 64))
        self._answered()
        self.sheet.holds("B-08", self._is_at(held), f"other content under {held[0]}: down says {self._down.seq}")
        self._settled()
        before = self._amounts
        held_too = self._held(self._first)
        self._settled()
        right = held_too and self._amounts == before
        self.sheet.holds("B-10", right, f"round 1 again: {_told(before)} became {_told(self._amounts)}")
        before = self._amounts
        held_too = self._held(Reversal(self._paid_round, "conformance"))
        self._settled()
        right = held_too and self._amounts == before
        self.sheet.holds("B-29", right, f"reversed after a payment: {_told(before)} became {_told(self._amounts)}")
        before = self._amounts
        claim = self._claim(4, self._paid_round)
        self._settled()
        right = claim is None and self._amounts == before
        self.sheet.holds(
            "B-30", right, f"claimed after a payment: {claim}; {_told(before)} became {_told(self._amounts)}"
        )

    def _is_at(self, held: tuple[int, str]) -> bool:
        return (self._down.seq, self._down.hash) == held

    def _found(self, rule: str, kind: str, owed: Owed, held: tuple[int, str]) -> None:
        """It is not held, and the alarm says what it is and which message raised it."""
        self.until(lambda: self._down.alarm is not None and self._down.alarm.kind == kind)
        alarm = self._down.alarm
        right = self._is_at(held) and alarm is not None and alarm.kind == kind
        self.sheet.holds(rule, right, f"down says seq {self._down.seq}, alarm {alarm.kind if alarm else 'none'}")
        if alarm is not None and alarm.kind == kind:
            self.sheet.holds(
                "B-11", _names(alarm, owed), f"{alarm} is not about message {owed.seq} of {owed.journal[:8]}"
            )

    def _says_how_far(self) -> None:
        """B-21: the highest that it saw of this table's journal."""
        seen = self._down.seen
        right = seen is not None and seen == anchor_of(self._own.journal, seen.rows) and seen.rows <= self._rows
        self.sheet.holds("B-21", right, f"seen: {seen}, this journal has {self._rows} rows")


def _names(alarm: AlarmHeld, owed: Owed) -> bool:
    return (alarm.journal, alarm.seq, alarm.hash) == (owed.journal, owed.seq, hash_of(write(owed)))


def _told(amounts: Mapping[str, Cents]) -> str:
    return ", ".join(f"{name} {dollars(amount)}" for name, amount in amounts.items())
