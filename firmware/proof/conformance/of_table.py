"""A table under test, found out by a bank that holds nothing at first, is deaf, restored, rivaled, and honest at the end.

Somebody plays at the table meanwhile: the check says what. A table goes by one ledger for good, so it is one made for this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware.proof.conformance.player import PATIENCE_S, Heard, Player, S, Talk, anchor_of
from firmware.proof.conformance.sheet import Sheet
from firmware.rules.money import Cents
from firmware.runtime.clock import utc_now
from firmware.wire.from_bank import AlarmHeld, Board, ClaimHeld, ClaimStatus, Down, Heartbeat, Meter
from firmware.wire.from_table import (
    Body,
    ClaimMade,
    Owed,
    Presence,
    Reversal,
    Status,
    Verdict,
    Wagers,
)
from firmware.wire.offers import Offer
from firmware.wire.payload import NO_HASH, canonical, hash_of, object_in, write
from firmware.wire.reports import Counted, DayEnded, PaymentLine, Payments
from firmware.wire.structs import replace
from firmware.wire.topics import TableTopics

BEAT_NS = 2 * S
PRESENT_S, PRESENT_MOST_NS = 25, 11 * S
"""Two words of a table that says every ten seconds that it is there, and one second for a busy machine."""
TAKEN_S = 9
"""After so many seconds of hearts of the restored ledger alone a table takes it."""
GRACE_S = 1
"""The message under way when the bank said something else."""
SILENT_S = 5
"""Twice what a table waits before it sends again, and more."""
MOST, PRICE = Cents(100_000_000), Cents(10_000)
"""The board's amount of the meter, and the price of every claim: below any share of it."""
TERM = 3
REPORTS = ("T-24", "T-25", "T-26")
"""Rules of what moves no meter."""
BEFORE_PLAY = (
    *("T-03", "T-04", "T-05", "T-06", "T-07", "T-08", "T-10", "T-11", "T-12", "T-15", "T-16", "T-17", "T-23", "T-28"),
)
"""Rules of messages that are owed: nobody owes any before a round was played."""


@dataclass(frozen=True, slots=True)
class AsBank:
    """The played part: the bank of that table, its meter, and how long a person has for a request."""

    bank: str
    table: str
    meter: str
    epoch: str
    restored: str
    claim: bool
    wait_s: int = 300
    reports: bool = False


class TableCheck(Player):
    """One check of a table."""

    def __init__(self, talk: Talk, sheet: Sheet, tell: Callable[[str], None], own: AsBank) -> None:
        super().__init__(talk, sheet, tell)
        self._own, self._topics = own, TableTopics.of(own.bank, own.table)
        self._down = Down(own.epoch, own.table, "", 0, NO_HASH, (), None, TERM)
        self._rows, self._beat_ns = 1, talk.now_ns() - BEAT_NS
        self._takes = False
        """The bank holds what comes next, as an honest one."""
        self._messages: dict[int, Owed] = {}
        """The table's messages by their numbers, as they came first."""
        self._arrived: list[tuple[int, int]] = []
        """When a message came, and its number."""
        self._present: list[tuple[int, Presence]] = []
        self._status: Status | None = None
        self._offer: Offer | None = None
        """The table's offer; the played bank has the same."""
        self._paid: list[tuple[int, PaymentLine]] = []
        """(round, line) of every payment that stands."""
        self._came_to = 0
        """The rows of the table's journal, as it last said."""

    def run(self) -> None:
        """All of it; what a step needs and does not find ends it."""
        self._say_down()
        if not self._is_there():
            return
        self.tell("play a round with a progressive wager")
        if not self.until(lambda: bool(self._messages), self._own.wait_s):
            self.sheet.skips(
                "no round with a progressive wager was played", *BEFORE_PLAY, "T-13", "T-18", "T-19", *REPORTS
            )
            return
        self._says_how_it_stands()
        self._says_it_again()
        self._minds_alarms()
        self._goes_by_one_bank()
        self._hears_what_is_held()
        self._claims()
        self._reports()
        self._knows_the_ledger()
        self._sends_again_what_was_lost()
        self.is_kept([self._topics.alive, self._topics.status], [self._topics.up])

    # Speaking --------------------------------------------------------------------------------------------------------

    def beat(self) -> None:
        """The bank's heart."""
        if self.talk.now_ns() - self._beat_ns < BEAT_NS:
            return
        self._beat_ns = self.talk.now_ns()
        down = self._down
        anchor = anchor_of(down.epoch, self._rows)
        beat = Heartbeat(self._own.bank, down.epoch, True, utc_now(), self._rows, down.term, anchor, self._offer)
        self.talk.say(self._topics.bank, write(beat), qos=0, retain=True)

    def stop(self) -> None:
        """The bank says that it is gone."""
        gone = Heartbeat(self._own.bank, "", False, utc_now(), 0)
        self.talk.say(self._topics.bank, write(gone), retain=True)

    def _say_down(self) -> None:
        """The board first: a table holds prices against it."""
        meter = Meter(self._own.meter, "Jackpot", MOST, MOST, 0, MOST)
        down = self._down
        board = Board(down.epoch, self._rows, utc_now(), "Conformance", (self._own.table,), (meter,), (), (), down.term)
        self.talk.say(self._topics.meters, write(board), retain=True)
        said = replace(down, anchor=anchor_of(down.epoch, self._rows))
        self.talk.say(self._topics.down, write(said), retain=True)

    def _hold(self, owed: Owed) -> None:
        """Its effect is that a claim has a price, and a verdict ends it."""
        self._rows += 1
        claims = (*self._down.claims, *self._priced(owed.body))
        if isinstance(owed.body, Verdict):
            status = ClaimStatus.PAID if owed.body.paid else ClaimStatus.REJECTED
            claims = tuple(replace(one, status=status) if one.claim == owed.body.claim else one for one in claims)
        self._down = replace(self._down, journal=owed.journal, seq=owed.seq, hash=_hash(owed), claims=claims)

    def _priced(self, body: Body) -> tuple[ClaimHeld, ...]:
        if not isinstance(body, ClaimMade):
            return ()
        zero = Cents(0)
        return (ClaimHeld(body.claim, ClaimStatus.PENDING, self._own.meter, "1%", PRICE, zero, self._rows, ""),)

    def _hold_all(self) -> None:
        """From now on the bank is honest."""
        self._takes = True
        while (following := self._messages.get(self._down.seq + 1)) is not None:
            self._hold(following)
        self._say_down()

    # Hearing ---------------------------------------------------------------------------------------------------------

    def hear(self, heard: Heard) -> None:
        """A presence that the broker had kept is not judged; a message that it had kept should not be there (W-03)."""
        if heard.topic == self._topics.alive and not heard.retained:
            said = self.read(heard, Presence, lambda said: said.table, self._own.table)
            if said is not None and said.alive:
                self._present.append((heard.at_ns, said))
                self._offer = said.offer or self._offer
                self._comes_to(said)
                self._saw(said)
                if not self._messages:  # a bank answers, or it is not heard (W-08)
                    self._say_down()
        elif heard.topic == self._topics.status:
            self._status = self.read(heard, Status, lambda said: said.table, self._own.table) or self._status
        elif heard.topic == self._topics.up:
            owed = self.read(heard, Owed, lambda owed: owed.table, self._own.table)
            if owed is not None:
                self._owed(owed, heard)

    def _comes_to(self, said: Presence | Owed) -> None:
        """T-13."""
        rows = said.anchor.rows if said.anchor else 0
        self.sheet.holds("T-13", rows >= max(self._came_to, 1), f"its journal has {rows} rows, it had {self._came_to}")
        self._came_to = max(rows, self._came_to)

    def _saw(self, said: Presence) -> None:
        """T-14: never more of this ledger than there was, nor another row."""
        seen = said.ledger
        if seen is not None and seen.epoch == self._down.epoch:
            right = seen.rows <= self._rows and seen.head == anchor_of(seen.epoch, seen.rows).head
            self.sheet.holds("T-14", right, f"it says row {seen.rows}, hash {seen.head[:8]}; there are {self._rows}")

    def _owed(self, owed: Owed, heard: Heard) -> None:
        self._comes_to(owed)
        right = canonical(object_in(heard.payload)) == heard.payload
        self.sheet.holds("T-05", right, f"message {owed.seq}: {heard.payload[:60]!r} is not canonical")
        self._arrived.append((heard.at_ns, owed.seq))
        live = self._status is None or self._status.live
        self.sheet.holds("T-28", live, f"message {owed.seq} is owed, and `status` says that the table is not live")
        known = self._messages.get(owed.seq)
        if known is not None:
            self.sheet.holds("T-07", _hash(known) == _hash(owed), f"message {owed.seq} was another one before")
        else:
            self._follows(owed)
            self._judge(owed.body)
            self._messages[owed.seq] = owed
        if self._takes:
            self._hold_all()

    def _follows(self, owed: Owed) -> None:
        """T-03 and T-04."""
        last = max(self._messages, default=0)
        self.sheet.holds("T-03", owed.seq == last + 1, f"message {owed.seq} follows {last or 'none'}")
        before = self._messages.get(owed.seq - 1)
        prev = _hash(before) if before else NO_HASH
        self.sheet.holds("T-04", owed.prev == prev, f"message {owed.seq}: prev is {owed.prev[:8]}, not {prev[:8]}")

    def _judge(self, body: Body) -> None:
        """T-17 to T-19, T-24 to T-26, and T-33, by what this table said before."""
        said = [message.body for message in self._messages.values()]
        if isinstance(body, Wagers):
            void = {one.round for one in said if isinstance(one, Reversal)}
            last = max((one.round for one in said if isinstance(one, Wagers) and one.round not in void), default=0)
            self.sheet.holds("T-17", body.round > last, f"round {body.round} after {last}")
            for made in body.made:
                other = [amount for amount in made.amounts if amount != made.wager]
                self.sheet.holds("T-33", not other, f"round {body.round}: {other} wagered, {made.wager} posted")
        elif isinstance(body, ClaimMade):
            of_round = [one for one in said if isinstance(one, Wagers) and one.round == body.round]
            right = any(_backed(one, body) for one in of_round)
            self.sheet.holds(
                "T-18", right, f"{body.claim}: no {body.wager} wager of seat {body.seat} in round {body.round}"
            )
        elif isinstance(body, Verdict):
            price = next((one for one in self._down.claims if one.claim == body.claim), None)
            told = (body.amount, body.meter, body.version, body.epoch)
            wanted = (price.amount, price.meter, price.version, self._down.epoch) if price else None
            right = told == wanted and len(set(body.by)) >= 2
            self.sheet.holds("T-19", right, f"{told} by {body.by}; the bank said {wanted}")
        elif isinstance(body, Payments):
            self._judge_payment(body)
        elif isinstance(body, DayEnded):
            self._judge_day(body)

    def _sent_since(self, at_ns: int, most: int) -> bool:
        return any(at >= at_ns and seq <= most for at, seq in self._arrived)

    def _is_sent_again(self) -> bool:
        """An older message that is sent later than the one under way."""
        said = max(self._messages)
        self.listen(GRACE_S)
        now = self.talk.now_ns()
        return self.until(lambda: self._sent_since(now, said))

    def _is_silent(self) -> bool:
        """It sends nothing that it had sent before, but for what was under way."""
        said = max(self._messages)
        self.listen(GRACE_S)
        now = self.talk.now_ns()
        return not self.until(lambda: self._sent_since(now, said), SILENT_S)

    # The steps -------------------------------------------------------------------------------------------------------

    def _is_there(self) -> bool:
        """T-01."""
        if not self.until(lambda: len(self._present) >= 2, PRESENT_S):
            return self.sheet.holds("T-01", False, f"{len(self._present)} words on `alive` in {PRESENT_S} seconds")
        (first, _), (second, _) = self._present[-2:]
        return self.sheet.holds("T-01", second - first <= PRESENT_MOST_NS, f"{(second - first) // S} s between two")

    def _says_how_it_stands(self) -> None:
        """T-23: it is in the round whose wagers it said."""
        rounds = [one.body.round for one in self._messages.values() if isinstance(one.body, Wagers)]
        now = max(rounds, default=0)
        right = self.until(lambda: self._status is not None and self._status.round >= now)
        said = f"round {self._status.round}" if self._status else "nothing"
        self.sheet.holds("T-23", right, f"wagers of round {now} were said, `status` says {said}")

    def _says_it_again(self) -> None:
        """T-06, and T-07 with it."""
        self.sheet.holds("T-06", self._is_sent_again(), f"not held, and not sent again within {PATIENCE_S} seconds")

    def _minds_alarms(self) -> None:
        """T-15 and T-16: an alarm about its own message, and one about another machine's."""
        own = self._messages[min(self._messages)]
        stranger = AlarmHeld("journal", hash_of(b"a stranger")[:32], 1, "f" * 64, "Conformance: a stranger spoke")
        self._says_alarm(stranger)
        self.sheet.holds("T-16", self._is_sent_again(), "an alarm about a stranger's message silenced it")
        self._says_alarm(AlarmHeld("round", own.journal, own.seq, _hash(own), "Conformance: an alarm of its own"))
        self.sheet.holds("T-15", self._is_silent(), "it went on sending under an alarm about its own message")
        self._says_alarm(None)
        self.sheet.holds("T-15", self._is_sent_again(), "the alarm is over, and it sends nothing")

    def _says_alarm(self, alarm: AlarmHeld | None) -> None:
        self._down = replace(self._down, alarm=alarm)
        self._say_down()

    def _goes_by_one_bank(self) -> None:
        """T-11 and T-12: another ledger, and an older bank that says it holds everything."""
        own = self._down
        self._down = replace(own, epoch=hash_of(b"another ledger")[:32])
        self._say_down()
        self._down = own  # the heart is its bank's all the time
        self.sheet.holds("T-11", self._is_silent(), "it sent messages to a bank of another ledger")
        self._say_down()
        self.sheet.holds("T-11", self._is_sent_again(), "its bank speaks again, and it sends nothing")
        last = self._messages[max(self._messages)]
        self._down = replace(own, term=TERM - 1, journal=last.journal, seq=last.seq, hash=_hash(last))
        self._say_down()
        self._down = own
        self.sheet.holds("T-12", self._is_sent_again(), "a bank of a lower term said it holds all, and it was believed")

    def _hears_what_is_held(self) -> None:
        """W-04 and T-08: words that cannot be read, then one that holds everything."""
        payload = write(self._down)
        doubled, stranger = b'{"v":1,' + payload[1:], canonical(object_in(payload) | {"stranger": 1})
        for wrong in (b"", b"{", b"[1]", b"\xff", b'{"v":1.5}', b"x" * 70_000, doubled, stranger):
            self.talk.say(self._topics.down, wrong)
        self.sheet.holds("W-04", self._is_sent_again(), "after words that cannot be read it sends nothing")
        self._hold_all()
        right = self._is_silent()
        self.sheet.holds("W-04", right, "a good word after bad ones is not heard")
        self.sheet.holds("T-08", right, f"held up to {self._down.seq}, and it sends on")

    def _claims(self) -> None:
        """T-18 and T-19 are judged while somebody claims a share of the meter."""
        if not self._own.claim:
            self.sheet.skips("no claim was asked for (--claim)", "T-18", "T-19")
            return
        self.tell("claim")

        def closed() -> bool:
            return any(isinstance(one.body, Verdict) for one in self._messages.values())

        if not self.until(closed, self._own.wait_s):
            self.sheet.skips("no claim was made and closed", "T-18", "T-19")

    def _reports(self) -> None:
        """T-24 to T-26 are judged while somebody pays a fixed prize, and closes the gaming day."""
        if not self._own.reports:
            self.sheet.skips("no prize and no closed day was asked for (--reports)", *REPORTS)
            return
        self.tell("pay a fixed prize, then close the gaming day")

        def closed() -> bool:
            return any(isinstance(one.body, DayEnded) for one in self._messages.values())

        if not self.until(closed, self._own.wait_s):
            self.sheet.skips("no prize was paid, or no gaming day closed", *REPORTS)

    def _judge_payment(self, body: Payments) -> None:
        """T-24: each once a round, for a wager that the table said, and has not claimed; what is taken back was paid."""
        rounds = [one.body for one in self._messages.values() if isinstance(one.body, Wagers)]
        seats = {seat for one in rounds if one.round == body.round for seat in _who_wagered(one)}
        for line in body.lines:
            this = (body.round, line)
            named = (body.round, line.seat, line.wager, line.for_seat)
            again = any((of, one.seat, one.wager, one.for_seat) == named for of, one in self._paid)
            again = again or (body.round, line.seat, line.wager) in self._claimed()
            right = line.seat in seats and (this in self._paid if body.corrected else not again)
            said = "taken back" if body.corrected else "paid"
            self.sheet.holds("T-24", right, f"round {body.round}: {said} {line}; paid before: {self._paid}")
            if body.corrected:
                self._paid = [one for one in self._paid if one != this]
            else:
                self._paid.append(this)

    def _claimed(self) -> set[tuple[int, int, str]]:
        """Round, seat and wager of the claims that this table made and did not reject."""
        said = [message.body for message in self._messages.values()]
        rejected = {one.claim for one in said if isinstance(one, Verdict) and not one.paid}
        claims = (one for one in said if isinstance(one, ClaimMade) and one.claim not in rejected)
        return {(one.round, one.seat, one.wager) for one in claims}

    def _judge_day(self, body: DayEnded) -> None:
        """T-25 and T-26, by all that this table said since its journal was made."""
        said = [message.body for message in self._messages.values()]
        days = [one for one in said if isinstance(one, DayEnded)]
        counts = [one for one in said if isinstance(one, Counted)]
        told = (sum(len(one.late) for one in counts), sum(len(one.differences) for one in counts))
        counted = (body.perpetual.late, body.perpetual.differences)
        self.sheet.holds("T-25", told == counted, f"late chips and differences: told {told}, counted {counted}")
        rounds = body.perpetual.rounds == body.totals.rounds + sum(one.totals.rounds for one in days)
        right = body.number == len(days) + 1 and rounds and (not days or days[-1].day != body.day or not body.day)
        self.sheet.holds("T-26", right, f"day {body.number}, {body.day}, after {[one.day for one in days]}")

    def _knows_the_ledger(self) -> None:
        """T-14: what it saw of this ledger stands in one of its next words."""
        known = self._rows

        def says_it() -> bool:
            seen = self._present[-1][1].ledger
            return seen is not None and seen.epoch == self._down.epoch and seen.rows >= known

        said = self.until(says_it, PRESENT_S)
        self.sheet.holds("T-14", said, f"it says {self._present[-1][1].ledger}; the ledger has {known} rows")

    def _sends_again_what_was_lost(self) -> None:
        """T-10: a bank that was restored from a backup, announced, and holds nothing."""
        before = (*self._down.before, self._down.epoch)
        self._takes = False
        self._down = Down(self._own.restored, self._own.table, "", 0, NO_HASH, (), None, TERM + 1, before=before)
        self._say_down()
        self.listen(TAKEN_S)
        now = self.talk.now_ns()
        self._say_down()
        wanted = set(self._messages)
        right = self.until(lambda: wanted <= {seq for at, seq in self._arrived if at >= now}, 2 * PATIENCE_S)
        came = sorted({seq for at, seq in self._arrived if at >= now})
        self.sheet.holds("T-10", right, f"the restored bank holds nothing; of {len(wanted)} messages came {came}")
        self._hold_all()
        self.listen(GRACE_S)


def _hash(owed: Owed) -> str:
    return hash_of(write(replace(owed, anchor=None, said=None, seal="")))


def _who_wagered(wagers: Wagers) -> frozenset[int]:
    return frozenset(seat for made in wagers.made for seat in made.seats)


def _backed(wagers: Wagers, claim: ClaimMade) -> bool:
    return any(made.name == claim.wager and claim.seat in made.seats for made in wagers.made)
