"""Badge and PIN at the table: typed digits live here and nowhere else, never in the journal, a log or on a screen.

Checking takes tens of milliseconds of argon2, so a thread of its own does it and puts the answer into the inbox; one
check at a time, even if another badge is shown meanwhile. After each failure of a badge the wait before its next attempt
doubles, from one second to a minute; ten within an hour lock it until a manager unlocks it. The next right PIN says how many
there were and when. The journal keeps the failures, so a restart forgets none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError, VerifyMismatchError

from firmware.config import PIN_MAX, PIN_MIN, PersonConfig
from firmware.rules.approvals import APPROVALS, Act
from firmware.rules.message import NOTHING, Message, say
from firmware.runtime.clock import local
from firmware.table.state import WrongPins
from hal.workers import errand

DIGITS_OF_FLOOR = 6
"""The fewest digits of a PIN that may close a claim: four can be found in minutes from a hash that was read."""
WAIT_FIRST_S = 1
WAIT_MAX_S = 60
LOST_NS = 10_000_000_000
"""A check that has not answered for so long was lost in a flood, and another one may begin."""
_DOUBLINGS = 6
VALID_NS = 120_000_000_000
"""An approval that is not used within two minutes has to be given again."""


_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""argon2id, strong enough for a Pi to take a tenth of a second."""


def hash_pin(pin: str) -> str:
    """The form of a PIN in table.toml."""
    return _HASHER.hash(pin)


def is_weak(person: PersonConfig) -> bool:
    """A reader of this hash finds the PIN sooner than from one that `felt pin` wrote.

    Fewer passes with as much more memory cost as much to try; less memory is weaker with any number of passes.
    """
    try:
        had = extract_parameters(person.pin_hash)
    except InvalidHashError:
        return False  # no hash: loading the file refuses it, and no PIN is right
    work, wanted = had.memory_cost * had.time_cost, _HASHER.memory_cost * _HASHER.time_cost
    lengths = had.salt_len < _HASHER.salt_len or had.hash_len < _HASHER.hash_len
    return had.memory_cost < _HASHER.memory_cost or work < wanted or lengths


def weak_hashes(people: Iterable[PersonConfig]) -> tuple[str, ...]:
    """A complaint by name for each person whose PIN's hash is weaker than it has to be: a reader of it soon has the PIN."""
    return tuple(
        f"the PIN hash of {person.name}, badge {person.badge}, is weaker than what `felt pin` writes"
        for person in people
        if is_weak(person)
    )


STRONGER = "let its owner type a new PIN at `felt pin`, and put its lines into the file"
"""The cure of a weak hash."""


def digits_least(role: str) -> int:
    """How many digits a new PIN of this role has at least."""
    return DIGITS_OF_FLOOR if role in APPROVALS[Act.CLAIM].roles else PIN_MIN


def short_pins(people: Iterable[PersonConfig]) -> tuple[str, ...]:
    """A complaint by name for each person who may close a claim and whose PIN is short, or of unknown length."""
    return tuple(
        f"the PIN of {one.name}, badge {one.badge}, "
        + (f"has {one.pin_digits} digits" if one.pin_digits else "may have fewer digits than it should (no pin_digits)")
        + f"; a {one.role}'s has {DIGITS_OF_FLOOR} at least"
        for one in people
        if one.role in APPROVALS[Act.CLAIM].roles and one.pin_digits < DIGITS_OF_FLOOR
    )


def warnings(people: Iterable[PersonConfig]) -> tuple[str, ...]:
    """Each weak hash and short PIN with its cure, for who checks or starts a table or a bank."""
    people = tuple(people)
    return tuple(f"[[people]]: {weak}; {STRONGER}" for weak in (*weak_hashes(people), *short_pins(people)))


class Unchecked(Exception):
    """A PIN could not be checked: nobody knows whether it is right, so it counts as no wrong one. Its text says why."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the PIN was not checked: {why or 'out of memory'}; it does not count as wrong, try again")
        self.why = why or "out of memory"


def is_pin(person: PersonConfig, digits: str) -> bool:
    """Whether these digits are that person's PIN. Takes tens of milliseconds, on purpose. Raises Unchecked.

    One of another length than `pin_digits` is wrong, so no short PIN passes for a long one. It takes as much memory as the
    hash asks for, and where there is not so much the person is not the one who failed.
    """
    if person.pin_digits not in (0, len(digits)):
        return False
    try:
        return PasswordHasher().verify(person.pin_hash, digits)
    except (VerifyMismatchError, InvalidHashError):
        return False
    except (Argon2Error, MemoryError) as error:
        raise Unchecked(str(error)) from error


@dataclass(frozen=True, slots=True)
class PinChecked:
    """The answer of the checking thread. `unchecked`: why there is none, "" where there is one."""

    badge: str
    right: bool
    place: str
    unchecked: str = ""


def had_failed(wrong: WrongPins, clock: Callable[[int], str] = local) -> Message:
    """The sentence for the owner of a badge at the right PIN: how many were wrong before it, and when (by `clock`)."""
    return say("badge.had-failed", count=wrong.count, first=clock(wrong.first), last=clock(wrong.last))


def wait_s(wrong: WrongPins) -> int:
    """How many seconds a badge waits after the last of its wrong PINs."""
    return min(WAIT_FIRST_S << min(wrong.tries - 1, _DOUBLINGS), WAIT_MAX_S) if wrong.tries else 0


Check = Callable[[], None]


def in_a_thread(check: Check) -> None:
    """Check a PIN while the table's loop goes on. Raises RuntimeError where the machine has no thread to give."""
    if not errand("pin", check):
        raise RuntimeError("can't start new thread")


class PinDesk:
    """The person at the table, for one place (one screen of one round) at a time. `run` does the checking."""

    def __init__(
        self,
        people: Mapping[str, PersonConfig],
        put: Callable[[PinChecked], None],
        run: Callable[[Check], None] = in_a_thread,
    ) -> None:
        self._people = people
        self._put = put
        self._run = run
        self._failures: dict[str, WrongPins] = {}
        self._wait_until_ns: dict[str, int] = {}
        self._digits = ""
        self._place = ""
        self.badge = ""
        """The badge shown at this place, "" for none."""
        self._checks = False
        """The PIN of the badge shown is being checked."""
        self._busy_since_ns: int | None = None
        """The start of the check whose answer has not come."""
        self._right_since_ns = 0
        self._right = False

    @property
    def typed(self) -> int:
        """How many digits are typed."""
        return len(self._digits)

    def checking(self, now_ns: int) -> bool:
        """The PIN of the badge shown is being checked."""
        return self._checks and self._busy(now_ns)

    def _busy(self, now_ns: int) -> bool:
        return self._busy_since_ns is not None and now_ns - self._busy_since_ns < LOST_NS

    def by(self, place: str, now_ns: int) -> str:
        """The badge whose PIN was right at this very place a short while ago, or ""."""
        fresh = now_ns - self._right_since_ns < VALID_NS
        return self.badge if self._right and fresh and place == self._place else ""

    def wait_s(self, now_ns: int) -> int:
        """Seconds until the shown badge may try again."""
        return max(0, -((now_ns - self._wait_until_ns.get(self.badge, 0)) // 1_000_000_000))

    def move_to(self, place: str) -> None:
        """Another place: badge and digits of the last one are forgotten."""
        if place != self._place:
            self._forget()
            self._place = place

    def show(self, badge: str) -> str:
        """A badge was shown. Why it is nobody's, or "".

        The badge that stands here already lies on the reader, or was read twice: what was typed and who signed in stay.
        """
        if badge == self.badge:
            return ""
        self._forget()
        if badge not in self._people:
            return f"Badge {badge} is unknown at this table."
        self.badge = badge
        return ""

    def digit(self, digit: str) -> None:
        """One more digit."""
        if self.badge and len(self._digits) < PIN_MAX and digit.isdecimal():
            self._digits += digit

    def erase(self) -> None:
        """Take back one digit."""
        self._digits = self._digits[:-1]

    def enter(self, now_ns: int) -> None:
        """Check what was typed, in a thread of its own."""
        if (
            not self.badge
            or self.wrong(self.badge).locked
            or self._busy(now_ns)
            or len(self._digits) < PIN_MIN
            or self.wait_s(now_ns)
        ):
            return
        self._checks, self._busy_since_ns = True, now_ns
        person, digits, place = self._people[self.badge], self._digits, self._place
        self._digits = ""
        try:
            self._run(lambda: self._check(person, digits, place))
        except (RuntimeError, MemoryError) as error:  # no room for one more thread
            self._put(PinChecked(person.badge, False, place, str(error) or "out of memory"))

    def _check(self, person: PersonConfig, digits: str, place: str) -> None:
        try:
            answer = PinChecked(person.badge, is_pin(person, digits), place)
        except Unchecked as error:
            answer = PinChecked(person.badge, False, place, error.why)
        self._put(answer)

    def checked(self, answer: PinChecked, now_ns: int, at: int = 0) -> Message:
        """The thread answered, `at` seconds of UTC. Why it is refused; nothing where the PIN is right."""
        self._checks, self._busy_since_ns = False, None
        if answer.unchecked:
            return say("badge.not-checked", why=answer.unchecked)
        if answer.right:
            self._failures.pop(answer.badge, None)
            if (answer.badge, answer.place) == (self.badge, self._place):
                self._right, self._right_since_ns = True, now_ns
            return NOTHING
        wrong = self.wrong(answer.badge).one_more(at)
        self._wait(wrong, now_ns)
        if wrong.locked:
            return say("badge.locked", badge=answer.badge, count=wrong.count)
        return say("badge.wrong-pin", count=wrong.count, badge=answer.badge, seconds=wait_s(wrong))

    def wrong(self, badge: str) -> WrongPins:
        """The wrong PINs that a badge had since its last right one."""
        return self._failures.get(badge, WrongPins(badge, 0))

    def remember(self, failures: Iterable[WrongPins], now_ns: int) -> None:
        """Those of the program that ran before: each badge waits its whole time again."""
        for wrong in failures:
            self._wait(wrong, now_ns)

    def unlock(self, badge: str) -> None:
        """A manager unlocked it; it need not wait."""
        self._failures[badge] = self.wrong(badge).unlocked()
        self._wait_until_ns.pop(badge, None)

    def _wait(self, wrong: WrongPins, now_ns: int) -> None:
        """So many failures, and the badge waits from now on."""
        self._failures[wrong.badge], self._wait_until_ns[wrong.badge] = wrong, now_ns + wait_s(wrong) * 1_000_000_000

    def _forget(self) -> None:
        self.badge, self._digits, self._right, self._checks = "", "", False, False
