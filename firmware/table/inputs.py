"""What can reach a table: facts from the felt, presses on the screen, words of the bank. Pure values.

A fact (a chip moved, a line changed, the bank said) is never refused; a press may be. Times are nanoseconds of
CLOCK_MONOTONIC and come with the input: nothing here reads a clock.
"""

from __future__ import annotations

from firmware.rules.message import Message
from firmware.table.records import record


@record
class Started:
    """The program runs (again): on which boot of the machine, which program, under which rules submission (hash)."""

    boot: str
    program: str
    submission: str


@record
class Chance:
    """What the machine's cryptographic generator said, without bias: a card, a position (0 the dealer), and whether
    this is one of the rounds in which each is drawn."""

    magic_card: str = ""
    lucky: int = 0
    magic: bool = False
    luck: bool = False


@record
class SensorSettled:
    """A seat's sensor has held a new level for the debounce time. `since_ns`: the edge that began it."""

    seat: int
    covered: bool
    since_ns: int


@record
class SwitchSettled:
    """The lockout switch stands locked or open. A cut wire reads as locked."""

    locked: bool


@record
class SeatReading:
    """One sensor at the lock's time stamp.

    `covered`: its level then; `held_ns`: for how long it had held, None where the line was not watched so long (the
    program has just started).
    """

    seat: int
    covered: bool
    held_ns: int | None


@record
class NoMoreBets:
    """The lock, decided after debounce time and window: the earliest of switch and screen, and every sensor then."""

    at_ns: int
    source: str
    """"switch", "screen", or "start": found locked when the program started."""
    readings: tuple[SeatReading, ...]
    chance: Chance = Chance()


@record
class Pressed:
    """A key of the screen. `word` is the key's press; `by` the badge whose PIN was right on this very screen, or ""."""

    word: str
    by: str = ""
    at: int = 0
    """The time of day, seconds of UTC."""


@record
class Ticked:
    """The time of day, seconds of UTC; now and then, so that a deck's age is noticed."""

    at: int


@record
class ButtonPushed:
    """A Five Card Hand button of a seat, "own" or "dealer", at the edge that began the push."""

    seat: int
    hand: str
    at_ns: int


@record
class NextPushed:
    """The NEXT key beside the rack, once its contact has settled. `at`: seconds of UTC."""

    at: int = 0


@record
class PinRefused:
    """A badge was shown and its PIN was wrong, or the badge is nobody's. The PIN itself stays in the shell."""

    badge: str
    why: Message


@record
class ShufflerSeen:
    """The whole status of the shuffler, as it stands."""

    connected: bool
    unit: str
    mode: str
    count: int | None
    deck: str
    fault: str
    alarm: int


@record
class LinkSeen:
    """The way to the bank: up, or down and why."""

    up: bool
    why: Message


@record
class SensorsSeen:
    """The sensors' wires: all there, or lost and what to do about it."""

    up: bool
    why: Message


@record
class DiskSeen:
    """The disk of the journal: it is short of room, what is left is kept for the rounds under way."""

    short: bool


@record
class ClaimAnswer:
    """One claim of this table as the bank holds it; `amount` in cents."""

    claim: str
    status: str
    amount: int


@record
class BankSaid:
    """What the bank holds of this table (topic `down`). `alarm` is "" or its kind, `alarm_text` says it in words.

    `ours`: the hash of message `seq` in the table's journal, where the state no longer keeps it.
    """

    epoch: str
    journal: str
    seq: int
    hash: str
    claims: tuple[ClaimAnswer, ...]
    alarm: str = ""
    alarm_text: str = ""
    ours: str = ""


@record
class Complaints:
    """Refused bytes or payloads at one place, counted since the last time it was said."""

    place: str
    text: str
    count: int


Heard = (
    Started
    | SensorSettled
    | SwitchSettled
    | NoMoreBets
    | Pressed
    | Ticked
    | ButtonPushed
    | PinRefused
    | ShufflerSeen
    | LinkSeen
    | SensorsSeen
    | DiskSeen
    | BankSaid
    | Complaints
)
Input = Heard | NextPushed
"""The NEXT key is a press of another key, or nothing: the law hears that press."""
