"""The inputs of a table: facts from the felt, presses on the screen, words of the bank. Pure values.

A fact (a chip moved, a line changed, the bank said) is never refused; a press may be. Times are nanoseconds of
CLOCK_MONOTONIC and come with the input: nothing here reads a clock.
"""

from __future__ import annotations

from msgspec import Struct

from firmware.rules.message import NOTHING, Message


class Started(Struct, frozen=True):
    """The program runs (again): on which boot of the machine, which program, under which rules submission (hash)."""

    boot: str
    program: str
    submission: str
    at: int = 0
    """The time of day, seconds of UTC."""


class Chance(Struct, frozen=True):
    """The word of the machine's cryptographic generator, without bias: a card, a position (0 the dealer), and whether this
    is one of the rounds in which each is drawn."""

    magic_card: str = ""
    lucky: int = 0
    magic: bool = False
    luck: bool = False


class SensorSettled(Struct, frozen=True):
    """A new state of the sensor at a `spot` has held for the debounce time. `since_ns`: the edge that began it.

    `chips`: the worth in cents of each chip there, 0 if the sensor cannot tell; () if it only says "covered".
    """

    spot: int
    covered: bool
    since_ns: int
    chips: tuple[int, ...] = ()


class SwitchSettled(Struct, frozen=True):
    """The lockout switch stands locked or open. A cut wire reads as locked."""

    locked: bool


class SpotReading(Struct, frozen=True):
    """One sensor at the lock's time stamp.

    `covered`: its level then; `held_ns`: for how long it had held, None where the line was not watched so long (the
    program has just started).
    """

    spot: int
    covered: bool
    held_ns: int | None


class NoMoreBets(Struct, frozen=True):
    """The lock, decided after debounce time and window: the earliest of switch and screen, and every sensor then."""

    at_ns: int
    source: str
    """"switch", "screen", or "start": found locked when the program started."""
    readings: tuple[SpotReading, ...]
    chance: Chance = Chance()
    told_ns: int = 0
    """When the screen said that it was touched, where that was too old to be believed; else 0."""


class Pressed(Struct, frozen=True):
    """A key of the screen. `word` is the key's press; `by` the badge whose PIN was right on this very screen, or ""."""

    word: str
    by: str = ""
    at: int = 0
    """The time of day, seconds of UTC."""
    day: str = ""
    """The gaming day by the house's clock, `2026-11-21`; "" where there is none."""


class Ticked(Struct, frozen=True):
    """The time of day, seconds of UTC; every `TOLD_EVERY_S`, so that a deck's age is noticed."""

    at: int
    sure: bool = True
    """A time server bears out for how long the machine was off before this boot; else only the wall clock says so."""


class ClockSet(Struct, frozen=True):
    """The time of day was wrong since this boot, and is set by so many seconds. `at`: what it is now, seconds of UTC."""

    by: int
    at: int


TOLD_EVERY_S = 30
"""How often the table is told the time of day: what has to be done by a time is done as many seconds before it."""


class ButtonPushed(Struct, frozen=True):
    """A Five Card Hand button of a seat, "own" or "dealer", at the edge that began the push."""

    seat: int
    hand: str
    at_ns: int


class NextPushed(Struct, frozen=True):
    """The NEXT key beside the rack, once its contact has settled. `at`: seconds of UTC."""

    at: int = 0


class PinRefused(Struct, frozen=True):
    """A badge was shown and its PIN was wrong, or the badge is nobody's. The PIN itself stays in the shell."""

    badge: str
    why: Message
    failures: int = 0
    """The badge's wrong PINs since its last right one, with this one."""
    at: int = 0
    """Seconds of UTC; 0 where it was no wrong PIN."""


class PinAccepted(Struct, frozen=True):
    """The PIN of a badge that had failed before was right. `why`: what its owner is told of that."""

    badge: str
    why: Message = NOTHING


class ShufflerSeen(Struct, frozen=True):
    """The whole status of the shuffler, as it stands."""

    connected: bool
    unit: str
    mode: str
    count: int | None
    deck: str
    fault: str
    alarm: int


class LinkSeen(Struct, frozen=True):
    """The way to the bank: up, or down and why."""

    up: bool
    why: Message


class SensorsSeen(Struct, frozen=True):
    """The sensors' wires: all there, or lost and what to do about it."""

    up: bool
    why: Message


class DiskSeen(Struct, frozen=True):
    """The disk of the journal: it is short of room, what is left is kept for the rounds under way."""

    short: bool


class ClaimAnswer(Struct, frozen=True):
    """One claim of this table as the bank holds it; `amount` in cents, `version` the ledger's when it was frozen.

    `owed`: cents that are still to be paid of one that is paid; `gone`: its player has gone.
    """

    claim: str
    status: str
    amount: int
    meter: str
    version: int
    owed: int = 0
    gone: bool = False


class RefusedAnswer(Struct, frozen=True):
    """A claim of this table that the bank holds without effect; `by`: the two who ended the alarm about it there."""

    claim: str
    by: tuple[str, ...]


class Anchors(Struct, frozen=True):
    """How the two records hold each other (docs/mqtt.md): how far the ledger has come, and what the bank saw of ours.

    `term`: how often a bank has started on the ledger; `before`: the epochs it had before it was restored. `seen_rows`: 0
    where the bank saw nothing; `own_head`: the hash of that row of this journal, "" where there is no such row.
    """

    term: int = 0
    rows: int = 0
    head: str = ""
    before: tuple[str, ...] = ()
    seen_rows: int = 0
    seen_head: str = ""
    own_head: str = ""


class BankSaid(Struct, frozen=True):
    """The bank's record of this table (topic `down`). `alarm` is "" or its kind, `alarm_text` says it in words.

    `ours`: the hash of message `seq` in the table's journal, if the state no longer keeps it. `about`: journal, number
    and hash of the message that raised the alarm. `retained`: the broker had kept it, from an unknown time. `most`:
    by meter, the most cents that the last board of this epoch says it ever held; None for a listener without boards.
    `refused`: claims to which no price will come. `key`: the digits of the key that seals the word.
    """

    epoch: str
    journal: str
    seq: int
    hash: str
    claims: tuple[ClaimAnswer, ...]
    alarm: str = ""
    alarm_text: str = ""
    ours: str = ""
    anchors: Anchors = Anchors()
    about: tuple[str, int, str] = ("", 0, "")
    retained: bool = False
    most: tuple[tuple[str, int], ...] | None = None
    refused: tuple[RefusedAnswer, ...] = ()
    key: str = ""


class Complaints(Struct, frozen=True):
    """Refused bytes or payloads at one place, counted since the last time it was said."""

    place: str
    text: str
    count: int


Observed = (
    Started
    | SensorSettled
    | SwitchSettled
    | NoMoreBets
    | Ticked
    | ClockSet
    | ButtonPushed
    | PinRefused
    | PinAccepted
    | ShufflerSeen
    | LinkSeen
    | SensorsSeen
    | DiskSeen
    | BankSaid
    | Complaints
)
"""Inputs that nobody pressed."""
Heard = Observed | Pressed
Input = Heard | NextPushed
"""The NEXT key is a press of another key, or nothing: the law hears that press."""
