"""Every world that a small casino can come to, once: breadth first, or by random steps where there are too many.

A world is two tables, the bank, a backup of its ledger, what is under way between them, and the faults that are still to
come. Tables, banks and payloads stand once each in lists, by their keys; what one of them does is asked of the program
once and remembered. So a world is nine small numbers, and millions of them fit.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, auto
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from time import process_time
from typing import Generic, NamedTuple, TypeVar

from firmware.wire.structs import replace
from tests.bank.casino import rules
from tests.explore import never, sides
from tests.explore.days import Effect
from tests.explore.people import ACCOUNT, ROYAL
from tests.explore.sides import LOST, SINCE, BankSide, TableSide, Told, Up

Thing = TypeVar("Thing")
NAMES = ("uth-01", "uth-02")
JOURNALS = ("a" * 32, "c" * 32)
REST_MOST = 40
"""Rounds of saying everything again, after which a casino without faults has come to rest."""


class Scope(NamedTuple):
    """What is explored. `acts`: whole acts of the people of each table. `hands`: what may be claimed at each.

    `reports`: acts at each that move no meter (`people.PRIZE` and so on).

    The faults: messages that come twice, before an older one, or never; starts of each table and of the bank; how often a
    ledger or a journal is put back; `faults`: of all these together. `flight`: messages under way in a direction at a time.
    `begun`: the steps before what is explored, each by a part of its words; what they spend is spent.
    """

    acts: tuple[int, int] = (3, 3)
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((ROYAL,), (ROYAL,))
    doubled: int = 1
    reordered: int = 1
    lost: int = 2
    table_starts: int = 1
    bank_starts: int = 1
    restores: int = 1
    flight: int = 2
    faults: int = 9
    reports: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    begun: tuple[str, ...] = ()

    def __str__(self) -> str:
        first, second = self.acts
        kinds = (
            f"{self.doubled} doubled, {self.reordered} reordered, {self.lost} lost, {self.table_starts} crash of each "
            f"table, {self.bank_starts} of the bank, {self.restores} ledger or journal put back"
        )
        most = min(self.faults, sum(self.limits))
        reports = ", ".join(sorted({*self.reports[0], *self.reports[1]}))
        return (
            f"2 tables with a seat each, {first} and {second} acts{f' (also {reports})' if reports else ''}, "
            f"{self.flight} messages under way a direction, "
            f"{f'at most {most} of: {kinds}' if most else 'no faults'}"
            f"{f', after {len(self.begun)} steps that end with: {self.begun[-1]}' if self.begun else ''}"
        )

    @property
    def limits(self) -> tuple[int, ...]:
        """How many of each kind, in the order in which a world counts them."""
        starts = self.table_starts
        return (self.doubled, self.reordered, self.lost, starts, starts, self.bank_starts, self.restores)


class Index(Generic[Thing]):
    """Things once each, by a key; each is then its number."""

    def __init__(self) -> None:
        self.all: list[Thing] = []
        self._known: dict[Hashable, int] = {}

    def put(self, key: Hashable, thing: Thing) -> tuple[int, bool]:
        """Its number, and whether it was not there."""
        known = self._known.setdefault(key, len(self.all))
        if known == len(self.all):
            self.all.append(thing)
            return known, True
        return known, False


# A world is one number: each part has its place in it.
SIDE, UP, DOWN, FAULTS = 20, 14, 20, 12
"""Bits of the number of a table, a bank or a backup; of a message to and from the bank; of the faults to come."""
BITS = {"a": SIDE, "b": SIDE, "bank": SIDE, "backup": SIDE, "ua": 2 * UP, "ub": 2 * UP, "da": 2 * DOWN, "db": 2 * DOWN}
PLACES = tuple(accumulate(BITS.values(), initial=0))
A, B, BANK, BACKUP, UA, UB, DA, DB, LEFT = PLACES
MASK = tuple((1 << bits) - 1 for bits in range(4 * (UP + DOWN) + 1))
TABLE_AT, UP_AT, DOWN_AT = (A, B), (UA, UB), (DA, DB)


class Kind(IntEnum):
    """What may happen next."""

    ACT = 0
    SENDS = auto()
    HEARD = auto()
    HEARD_TWICE = auto()
    HEARD_EARLY = auto()
    UP_LOST = auto()
    SECOND_UP_LOST = auto()
    TOLD = auto()
    TOLD_TWICE = auto()
    TOLD_EARLY = auto()
    DOWN_LOST = auto()
    SECOND_DOWN_LOST = auto()
    BEAT = auto()
    TABLE_STARTS = auto()
    TABLE_STARTS_SILENT = auto()
    BANK_STARTS = auto()
    BANK_STARTS_SILENT = auto()
    BACKUP = auto()
    RESTORED = auto()
    RESTORED_IN_SILENCE = auto()
    PUT_BACK = auto()
    ACCEPTED = auto()


KINDS = 31
"""Where the kind stands in the number of a move."""
WORDS: Mapping[Kind, str] = {
    Kind.ACT: "{table} {act}",
    Kind.SENDS: "{table} sends {up}",
    Kind.HEARD: "the bank hears {first_up}",
    Kind.HEARD_TWICE: "the bank hears {first_up}, which will come once more",
    Kind.HEARD_EARLY: "the bank hears {second_up} before {first_up}",
    Kind.UP_LOST: "{first_up} is lost",
    Kind.SECOND_UP_LOST: "{second_up} is lost",
    Kind.TOLD: "{table} hears the bank: {first_down}",
    Kind.TOLD_TWICE: "{table} hears the bank, and will once more: {first_down}",
    Kind.TOLD_EARLY: "{table} hears the bank: {second_down}; an older word is still on its way",
    Kind.DOWN_LOST: "the bank's word to {table} is lost: {first_down}",
    Kind.SECOND_DOWN_LOST: "the bank's last word to {table} is lost: {second_down}",
    Kind.BEAT: "{table} says that it is there, and the bank answers",
    Kind.TABLE_STARTS: "the program of {table} is killed and starts again",
    Kind.TABLE_STARTS_SILENT: "the program of {table} is killed with what it was sending, and starts again",
    Kind.BANK_STARTS: "the bank is killed and starts again",
    Kind.BANK_STARTS_SILENT: "the bank is killed with what it was saying, and starts again",
    Kind.BACKUP: "the ledger is backed up",
    Kind.RESTORED: "the ledger is lost; the bank starts on the backup and says so",
    Kind.RESTORED_IN_SILENCE: "the ledger is lost; the bank starts on the backup and does not say so",
    Kind.PUT_BACK: "the journal of {table} is put back to what it was before its last act",
    Kind.ACCEPTED: "two people look at what {table} said was paid, and accept it at the bank",
}


class Violation(NamedTuple):
    """What should never be, and the way there in words, the first step first."""

    wrong: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"NEVER: {self.wrong}", *(f"  {n}. {words}" for n, words in enumerate(self.path, start=1))])


@dataclass
class Found:
    """What an exploration has seen. `whole`: it came to the end of its scope."""

    scope: Scope
    worlds: int = 0
    transitions: int = 0
    depth: int = 0
    seconds: float = 0.0
    whole: bool = False
    tables: int = 0
    banks: int = 0
    rests: int = 0
    violations: list[Violation] = field(default_factory=list)

    def __str__(self) -> str:
        end = "all of it" if self.whole else "NOT all of it"
        return (
            f"{self.scope}: {end}\n{self.worlds} worlds, {self.transitions} transitions, depth {self.depth}, "
            f"{self.seconds:.0f} s of processor time; of them {self.tables} states of tables, {self.banks} of banks, "
            f"{self.rests} casinos at rest; violations: {len(self.violations)}"
        )


MERGED_MOST = 10_000
"""Merged pairs that are kept, to be looked at (`merged`)."""
Move = tuple[int, int]
"""What happens (its kind, the table and which act, in one number), and the world after it."""


class Explorer:
    """One casino and everything that may become of it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        accounts = any(ACCOUNT in reports for reports in scope.reports)
        self.rules = rules("A", tables=NAMES, five_card="1.00" if accounts else "")
        self._tables: Index[TableSide] = Index()
        self._banks: Index[BankSide] = Index()
        self._ups: Index[Up] = Index()
        self._downs: Index[Told] = Index()
        self._merged_tables: list[tuple[int, TableSide]] = []
        self._merged_banks: list[tuple[int, BankSide]] = []
        self._ups.put("", Up("", b"", 0, "", "", Effect("", "")))
        self._downs.put("", Told(b"", "", ()))  # number 0 is none under way
        self._acts: dict[int, tuple[tuple[str, int, int], ...]] = {}
        self._due: dict[int, tuple[int, ...]] = {}
        self._hears: dict[tuple[int, int, str], tuple[int, int]] = {}
        self._tells: dict[tuple[int, int], int] = {}
        self._beats: dict[tuple[int, int, str], tuple[int, int]] = {}
        self._accepted: dict[tuple[int, int, str], tuple[int, int]] = {}
        self._said: dict[tuple[int, int], int] = {}
        self._table_starts: dict[int, int] = {}
        self._puts_back: dict[int, int] = {}
        self._bank_starts: dict[tuple[int, int], int] = {}
        self._pairs: dict[tuple[int, int], str] = {}
        self._rests: dict[tuple[int, int, int, str], str] = {}
        self.wrong: list[tuple[str, str]] = []
        """Steps that should never be, in words, and why; what was asked once is not asked again."""
        of_each = (self._of_acts, self._of_table, self._of_ups, self._of_downs, self._of_beat, self._of_people)
        self._sections: tuple[Callable[[list[Move], int], None], ...]
        self._sections = (*(partial(what, at) for what in of_each for at in (0, 1)), self._of_bank)
        self._faults(scope)
        houses = [sides.new_table(*named, accounts=accounts) for named in zip(NAMES, JOURNALS, scope.acts, strict=True)]
        self.house = houses[0][0]
        first = [self._table(side) for _, side in houses]
        new = sides.new_bank(self.rules)
        self._banks.put("", new)  # number 0 is no backup
        bank = self._bank(new, "the bank begins")
        self.start = first[0] | first[1] << B | bank << BANK | self._all << LEFT
        for world in self.along(scope.begun):
            self.start = world

    def _faults(self, scope: Scope) -> None:
        """Each fault has a weight in one number, and so many are left of it."""
        most = min(scope.faults, sum(scope.limits))
        self._weights, weight = [], most + 1
        for number in scope.limits:
            self._weights.append((weight, number + 1))
            weight *= number + 1
        assert weight <= MASK[FAULTS], "more faults than a world has room for"
        self._most, self._all = most + 1, weight - 1

    def _left(self, faults: int, which: int) -> int:
        """What spending one of these faults takes off a world; 0 where none is left."""
        weight, radix = self._weights[which]
        return weight + 1 if faults // weight % radix and faults % self._most else 0

    # What each side does, asked once ---------------------------------------------------------------------------------------

    def _table(self, side: TableSide) -> int:
        number, is_new = self._tables.put(side.key(), side)
        if not is_new and len(self._merged_tables) < MERGED_MOST and side.rows is not self._tables.all[number].rows:
            self._merged_tables.append((number, side))
        return number

    def _bank(self, side: BankSide, step: str) -> int:
        number, is_new = self._banks.put(side.key(), side)
        if is_new and (wrong := never.of_bank(side)):
            self.wrong.append((step, wrong))
        if not is_new and len(self._merged_banks) < MERGED_MOST and side.rows is not self._banks.all[number].rows:
            self._merged_banks.append((number, side))
        return number

    def _after(self, step: str, before: int, side: TableSide) -> int:
        """A table after a step, and what is wrong with the step."""
        known = self._tables.all[before]
        if wrong := never.of_table(known, side):
            self.wrong.append((f"{side.name} {step}", wrong))
        return self._table(side)

    def acts(self, table: int, at: int) -> tuple[tuple[str, int, int], ...]:
        """What the people of a table may do, in words; the table then; the messages that it owes, 0 for none."""
        if table not in self._acts:
            there = sides.acts_of(self.house, self._tables.all[table], self.scope.hands[at], self.scope.reports[at])
            self._acts[table] = tuple(
                (words, after, self._new(table, after))
                for words, side in there
                for after in (self._after(words, table, side),)
            )
        return self._acts[table]

    def _one_act(self, table: int, at: int, chance: Random) -> tuple[int, int] | None:
        """The table after one of its acts, and the messages that it owes; None where there is none."""
        there = self._tables.all[table]
        acts = sides.acts_of(self.house, there, self.scope.hands[at], self.scope.reports[at], chance)
        words, side = next(acts, ("", None))
        if side is None:
            return None
        after = self._after(words, table, side)
        return after, self._new(table, after)

    def _new(self, before: int, after: int) -> int:
        """The first two messages that an act owes; the table sends them at once, and again if they are not held."""
        last = self._tables.all[before].state.seq
        first, second, *_ = (*(up for up in self.due(after) if self._ups.all[up].seq > last), 0, 0)
        return first | second << UP

    def due(self, table: int) -> tuple[int, ...]:
        """The messages that it would send, were none under way."""
        if table not in self._due:
            side = self._tables.all[table]
            self._due[table] = tuple(self._up(side.name, payload) for payload in sides.due_of(side))
        return self._due[table]

    def _up(self, name: str, payload: bytes) -> int:
        return self._ups.put((name, payload), sides.up(name, payload))[0]

    def _bank_of(self, world: int) -> tuple[int, str]:
        """The bank, and the head of what its ledger writes now, "" for the one that it has."""
        bank = world >> BANK & MASK[SIDE]
        if self._banks.all[bank].kind:
            return bank, SINCE
        return bank, LOST if world >> BACKUP & MASK[SIDE] else ""

    def hears(self, bank: int, up: int, part: str) -> tuple[int, int]:
        """The bank after a message, and what it says then."""
        key = (bank, up, part)
        if key not in self._hears:
            before, said = self._banks.all[bank], self._ups.all[up]
            after, events = sides.hear(self.rules, before, said, part)
            step = f"the bank hears {_message(said)}"
            if wrong := never.of_hearing(before, after, said, events):
                self.wrong.append((step, wrong))
            number = self._bank(after, step)
            self._hears[key] = number, self._say(number, NAMES.index(said.table))
        return self._hears[key]

    def _say(self, bank: int, at: int) -> int:
        if (bank, at) not in self._said:
            told = sides.say(self._banks.all[bank], NAMES[at])
            self._said[bank, at] = self._downs.put((at, told), told)[0]
        return self._said[bank, at]

    def tells(self, table: int, down: int) -> int:
        """The table after the bank's word."""
        key = (table, down)
        if key not in self._tells:
            side = sides.tell(self.house, self._tables.all[table], self._downs.all[down])
            self._tells[key] = self._after(f"hears the bank: {_word(self._downs.all[down])}", table, side)
        return self._tells[key]

    def beats(self, table: int, bank: int, part: str) -> tuple[int, int]:
        """The bank after a table has said that it is there, and what it says then."""
        key = (table, bank, part)
        if key not in self._beats:
            side = self._tables.all[table]
            after, _ = sides.beat(self.rules, self._banks.all[bank], side, part)
            number = self._bank(after, f"the bank hears that {side.name} is there")
            self._beats[key] = number, self._say(number, NAMES.index(side.name))
        return self._beats[key]

    def accepts(self, bank: int, at: int, part: str) -> tuple[int, int]:
        """The bank after two people have accepted a verdict of the table that waits for them, and what it says then."""
        key = (bank, at, part)
        if key not in self._accepted:
            after = sides.accept(self.rules, self._banks.all[bank], NAMES[at], part)
            number = self._bank(after, WORDS[Kind.ACCEPTED].format(table=NAMES[at]))
            self._accepted[key] = number, self._say(number, at)
        return self._accepted[key]

    def table_starts(self, table: int) -> int:
        """The table after its program was killed."""
        if table not in self._table_starts:
            side = sides.restart(self.house, self._tables.all[table])
            self._table_starts[table] = self._after("starts again", table, side)
        return self._table_starts[table]

    def puts_back(self, table: int) -> int:
        """The table on the journal from before its last act; itself where there was none."""
        if table not in self._puts_back:
            side = sides.put_back(self.house, self._tables.all[table])
            self._puts_back[table] = self._after("goes on with an older journal", table, side) if side else table
        return self._puts_back[table]

    def bank_starts(self, bank: int, how: Kind) -> int:
        """The bank after it was killed, or on a backup."""
        key = (bank, how)
        if key not in self._bank_starts:
            side = self._banks.all[bank]
            if how is Kind.BANK_STARTS:
                after = sides.restart_bank(self.rules, side)
                if replace(after.state, term=side.state.term) != side.state:
                    self.wrong.append(("the bank starts again", "the bank is another one after a start than before"))
            else:
                after = sides.restore(self.rules, side, announced=how is Kind.RESTORED)
            self._bank_starts[key] = self._bank(after, "the bank starts again")
        return self._bank_starts[key]

    # What may happen next --------------------------------------------------------------------------------------------------

    def moves(self, world: int) -> list[Move]:
        """Everything that may happen next."""
        found: list[Move] = []
        for some in self._sections:
            some(found, world)
        return found

    def along(self, steps: Iterable[str]) -> Iterator[int]:
        """The worlds on a way that is told by a part of the words of each step; the first step that fits is taken."""
        world = self.start
        for words in steps:
            world = next(after for _, after in self.moves(world) if words in self._step(world, after))
            yield world

    def _one_of(self, world: int, chance: Random) -> int | None:
        """A world after something that may happen next; None where nothing may. What else may happen is not asked.

        Of a table's acts one is tried after the other until the law takes one: asking it for all took half the time.
        """
        acts = (partial(self._of_one_act, at, chance) for at in (0, 1))
        found: list[Move] = []
        sections: list[Callable[[list[Move], int], None]] = [*acts, *self._sections[2:]]
        chance.shuffle(sections)
        while sections and not found:
            sections.pop()(found, world)
        return chance.choice(found)[1] if found else None

    def _of_acts(self, at: int, found: list[Move], world: int) -> None:
        table = world >> TABLE_AT[at] & MASK[SIDE]
        for n, (_, after, message) in enumerate(self.acts(table, at)):
            found.append((_code(Kind.ACT, at, n), self._acted(at, world, after, message)))

    def _of_one_act(self, at: int, chance: Random, found: list[Move], world: int) -> None:
        table = world >> TABLE_AT[at] & MASK[SIDE]
        if table in self._acts:
            self._of_acts(at, found, world)
        elif (done := self._one_act(table, at, chance)) is not None:
            found.append((_code(Kind.ACT, at, 0), self._acted(at, world, *done)))

    def _acted(self, at: int, world: int, after: int, message: int) -> int:
        """The world in which an act has made that table, and has sent what of its messages there is room for."""
        table, ups = world >> TABLE_AT[at] & MASK[SIDE], world >> UP_AT[at] & MASK[2 * UP]
        shift = UP_AT[at] + (UP if ups else 0)
        alone = bool(ups) or self.scope.flight == 1
        sent = (message & MASK[UP] if alone else message) << shift if self._has_room(ups, UP) else 0
        return world + (after - table << TABLE_AT[at]) + sent

    def _of_table(self, at: int, found: list[Move], world: int) -> None:
        place, faults = TABLE_AT[at], world >> LEFT
        table = world >> place & MASK[SIDE]
        ups, downs = world >> UP_AT[at] & MASK[2 * UP], world >> DOWN_AT[at] & MASK[2 * DOWN]
        if not ups and not downs and (due := self.due(table)):
            again = due[0] | (due[1] << UP if len(due) > 1 and self.scope.flight > 1 else 0)
            found.append((_code(Kind.SENDS, at, 0), world + (again << UP_AT[at])))
        if spent := self._left(faults, 3 + at):
            started = self.table_starts(table)
            after = world + (started - table << place) - (spent << LEFT)
            if started != table:  # else it is a world that is there, with a fault less to come
                found.append((_code(Kind.TABLE_STARTS, at, 0), after))
            if ups:
                found.append((_code(Kind.TABLE_STARTS_SILENT, at, 0), after - (ups << UP_AT[at])))
        if spent := self._left(faults, 6):
            back = self.puts_back(table)
            if back != table:
                found.append((_code(Kind.PUT_BACK, at, 0), world + (back - table << place) - (spent << LEFT)))

    def _has_room(self, under_way: int, bits: int) -> bool:
        return not under_way or (not under_way >> bits and self.scope.flight > 1)

    def _of_ups(self, at: int, found: list[Move], world: int) -> None:
        place, answers, faults = UP_AT[at], DOWN_AT[at], world >> LEFT
        ups, downs = world >> place & MASK[2 * UP], world >> answers & MASK[2 * DOWN]
        if not ups:
            return
        bank, part = self._bank_of(world)
        first, second = ups & MASK[UP], ups >> UP
        shift = answers + (DOWN if downs else 0)
        if self._has_room(downs, DOWN):
            after, down = self.hears(bank, first, part)
            heard = world + (after - bank << BANK) + (down << shift)
            found.append((_code(Kind.HEARD, at, 0), heard + (second - ups << place)))
            if spent := self._left(faults, 0):
                found.append((_code(Kind.HEARD_TWICE, at, 0), heard - (spent << LEFT)))
            if second and (spent := self._left(faults, 1)):
                after, down = self.hears(bank, second, part)
                early = world + (after - bank << BANK) + (down << shift) + (first - ups << place)
                found.append((_code(Kind.HEARD_EARLY, at, 0), early - (spent << LEFT)))
        if spent := self._left(faults, 2):
            found.append((_code(Kind.UP_LOST, at, 0), world + (second - ups << place) - (spent << LEFT)))
            if second:
                found.append((_code(Kind.SECOND_UP_LOST, at, 0), world + (first - ups << place) - (spent << LEFT)))

    def _of_downs(self, at: int, found: list[Move], world: int) -> None:
        place, table_at, faults = DOWN_AT[at], TABLE_AT[at], world >> LEFT
        downs, table = world >> place & MASK[2 * DOWN], world >> table_at & MASK[SIDE]
        if not downs:
            return
        first, second = downs & MASK[DOWN], downs >> DOWN
        told = world + (self.tells(table, first) - table << table_at)
        found.append((_code(Kind.TOLD, at, 0), told + (second - downs << place)))
        if spent := self._left(faults, 0):
            found.append((_code(Kind.TOLD_TWICE, at, 0), told - (spent << LEFT)))
        if second and (spent := self._left(faults, 1)):
            early = world + (self.tells(table, second) - table << table_at) + (first - downs << place)
            found.append((_code(Kind.TOLD_EARLY, at, 0), early - (spent << LEFT)))
        if spent := self._left(faults, 2):
            found.append((_code(Kind.DOWN_LOST, at, 0), world + (second - downs << place) - (spent << LEFT)))
            if second:
                found.append((_code(Kind.SECOND_DOWN_LOST, at, 0), world + (first - downs << place) - (spent << LEFT)))

    def _of_beat(self, at: int, found: list[Move], world: int) -> None:
        """When nothing is under way between the two, and where it changes anything."""
        if world >> UP_AT[at] & MASK[2 * UP] or world >> DOWN_AT[at] & MASK[2 * DOWN]:
            return
        table, (bank, part) = world >> TABLE_AT[at] & MASK[SIDE], self._bank_of(world)
        after, down = self.beats(table, bank, part)
        if after != bank or self.tells(table, down) != table:
            found.append((_code(Kind.BEAT, at, 0), world + (after - bank << BANK) + (down << DOWN_AT[at])))

    def _of_people(self, at: int, found: list[Move], world: int) -> None:
        """At the bank, where a verdict of the table waits for two of them."""
        bank, part = self._bank_of(world)
        downs = world >> DOWN_AT[at] & MASK[2 * DOWN]
        if self._banks.all[bank].waits_of(NAMES[at]) and self._has_room(downs, DOWN):
            after, down = self.accepts(bank, at, part)
            shift = DOWN_AT[at] + (DOWN if downs else 0)
            found.append((_code(Kind.ACCEPTED, at, 0), world + (after - bank << BANK) + (down << shift)))

    def _of_bank(self, found: list[Move], world: int) -> None:
        faults, bank, backup = world >> LEFT, world >> BANK & MASK[SIDE], world >> BACKUP & MASK[SIDE]
        if spent := self._left(faults, 5):
            started = world + (self.bank_starts(bank, Kind.BANK_STARTS) - bank << BANK) - (spent << LEFT)
            found.append((_code(Kind.BANK_STARTS, 0, 0), started))
            if said := world >> DA & MASK[4 * DOWN]:
                found.append((_code(Kind.BANK_STARTS_SILENT, 0, 0), started - (said << DA)))
        if backup and backup != bank:
            for how in (Kind.RESTORED, Kind.RESTORED_IN_SILENCE):
                restored = self.bank_starts(backup, how)
                after = world + (restored - bank << BANK) - (backup << BACKUP)
                found.append((_code(how, 0, 0), after))
        if spent := self._left(faults, 6):  # a backup that nobody needs is no fault, and no other world
            found.append((_code(Kind.BACKUP, 0, 0), world + (bank << BACKUP) - (spent << LEFT)))

    # For those who look at what is merged --------------------------------------------------------------------------------

    @property
    def tables(self) -> list[TableSide]:
        """Every table there was."""
        return self._tables.all

    @property
    def banks(self) -> list[BankSide]:
        """Every bank there was."""
        return self._banks.all[1:]

    @property
    def messages(self) -> list[Up]:
        """Every message that a table sent."""
        return self._ups.all[1:]

    def words_to(self, name: str) -> list[Told]:
        """Every word of a bank to that table."""
        return [told for told in self._downs.all[1:] if json.loads(told.payload)["table"] == name]

    @property
    def merged_tables(self) -> list[tuple[TableSide, TableSide]]:
        """A table that stands for another one, of another journal, and that one."""
        return [(self._tables.all[number], side) for number, side in self._merged_tables]

    @property
    def merged_banks(self) -> list[tuple[BankSide, BankSide]]:
        """A bank that stands for another one, of another ledger, and that one."""
        return [(self._banks.all[number], side) for number, side in self._merged_banks]

    # What must never be of a world ---------------------------------------------------------------------------------------

    def judged(self, world: int) -> str:
        """What is wrong with a world, "" for nothing."""
        a, b, (bank, part) = world & MASK[SIDE], world >> B & MASK[SIDE], self._bank_of(world)
        wrong = self._pair(a, bank) or self._pair(b, bank)
        if wrong or world >> UA & MASK[2 * UP + 2 * UP + 4 * DOWN]:
            return wrong
        return self._rest(a, b, bank, part)

    def _pair(self, table: int, bank: int) -> str:
        key = (table, bank)
        known = self._pairs.get(key)
        if known is None:
            known = self._pairs[key] = never.of_pair(self._tables.all[table], self._banks.all[bank])
        return known

    def _rest(self, a: int, b: int, bank: int, part: str) -> str:
        """Nothing is under way: all that is owed is said, and what waits for people is looked at, until nothing changes."""
        key = (a, b, bank, part)
        known = self._rests.get(key)
        if known is None:
            known = self._rests[key] = self._to_rest(a, b, bank, part)
        return known

    def _to_rest(self, a: int, b: int, bank: int, part: str) -> str:
        tables = [a, b]
        for _ in range(REST_MOST):
            before = (*tables, bank)
            for at in (0, 1):
                bank, down = self.beats(tables[at], bank, part)
                tables[at] = self.tells(tables[at], down)
                for up in self.due(tables[at]):
                    bank, down = self.hears(bank, up, part)
                    tables[at] = self.tells(tables[at], down)
                if self._banks.all[bank].waits_of(NAMES[at]):
                    bank, _ = self.accepts(bank, at, part)
            if before == (*tables, bank):
                said = (never.at_rest(self._tables.all[table], self._banks.all[bank]) for table in tables)
                return next(filter(None, said), "")
        return "table and bank never come to rest"

    # Exploring -----------------------------------------------------------------------------------------------------------

    def explore(self, *, worlds: int = 0) -> Found:
        """Every world, the nearest first, until one should never be; about so many of them (0: all)."""
        began, found = process_time(), Found(self.scope)
        order, parents, seen = [self.start], array("I", [0]), {self.start}
        at = end = 0
        while at < len(order) and not found.violations:
            if at == end:  # one step further away
                end, found.depth = len(order), found.depth + 1
            if worlds and len(order) > worlds:
                break
            moves = self.moves(order[at])
            found.transitions += len(moves)
            if self.wrong:
                self._tell_wrong(found, order, parents, at)
                break
            for _, world in moves:
                if world not in seen:
                    seen.add(world)
                    order.append(world)
                    parents.append(at)
                    if wrong := self.judged(world):
                        found.violations.append(Violation(wrong, self._path(order, parents, len(order) - 1)))
                        break
                    if self.wrong:
                        self._tell_wrong(found, order, parents, len(order) - 1)
                        break
            at += 1
        found.whole = at == len(order)
        return self._counted(found, len(order), process_time() - began)

    def _counted(self, found: Found, worlds: int, seconds: float) -> Found:
        found.worlds, found.seconds = worlds, seconds
        found.tables, found.banks, found.rests = len(self._tables.all), len(self._banks.all) - 1, len(self._rests)
        return found

    def _tell_wrong(self, found: Found, order: list[int], parents: array[int], at: int) -> None:
        for step, wrong in tuple(self.wrong[:1]):
            found.violations.append(Violation(wrong, (*self._path(order, parents, at), step)))

    def walk(self, steps: int, seed: int) -> Found:
        """So many random steps, from the beginning again wherever nothing more may happen; it ends with what is wrong."""
        began, found, chance = process_time(), Found(self.scope), Random(seed)
        path = [self.start]
        seen = {self.start}
        while found.transitions < steps:
            after = self._one_of(path[-1], chance)
            if not self.wrong and after is not None:
                found.transitions, found.depth = found.transitions + 1, max(found.depth, len(path))
                path.append(after)
                if after not in seen:
                    seen.add(after)
                    if wrong := self.judged(after):
                        found.violations.append(Violation(wrong, self._words(path)))
                        break
            if self.wrong:
                step, wrong = self.wrong[0]
                found.violations.append(Violation(wrong, (*self._words(path), step)))
                break
            if after is None:
                assert len(path) > 1, "nothing may ever happen"
                path = [self.start]
        return self._counted(found, len(seen), process_time() - began)

    # In words ------------------------------------------------------------------------------------------------------------

    def _path(self, order: list[int], parents: array[int], at: int) -> tuple[str, ...]:
        path = [order[at]]
        while at:
            at = parents[at]
            path.append(order[at])
        return self._words(path[::-1])

    def _words(self, path: list[int]) -> tuple[str, ...]:
        """The steps of a path from where this exploration begins, with those before it."""
        return (*self.scope.begun, *(self._step(before, after) for before, after in pairwise(path)))

    def _step(self, before: int, after: int) -> str:
        code = next(code for code, world in self.moves(before) if world == after)
        kind, at, act = Kind(code & KINDS), code >> 5 & 1, code >> 6
        ups, downs = before >> UP_AT[at] & MASK[2 * UP], before >> DOWN_AT[at] & MASK[2 * DOWN]
        first, second = self._ups.all[ups & MASK[UP]], self._ups.all[ups >> UP]
        ups_after = after >> UP_AT[at] & MASK[2 * UP]
        sent = self._ups.all[ups_after >> UP or ups_after & MASK[UP]]
        acts = self.acts(before >> TABLE_AT[at] & MASK[SIDE], at)
        return WORDS[kind].format(
            table=NAMES[at],
            act=acts[act][0] if kind is Kind.ACT else "",
            up=_message(sent),
            first_up=_message(first),
            second_up=_message(second),
            first_down=_word(self._downs.all[downs & MASK[DOWN]]),
            second_down=_word(self._downs.all[downs >> DOWN]),
        )


def _code(kind: Kind, at: int, act: int) -> int:
    return kind | at << 5 | act << 6


def _message(up: Up) -> str:
    said = up.effect
    end = {True: f", paid ${said.cents // 100:,}.{said.cents % 100:02}", False: ", no winner"}[said.paid]
    return f"message {up.seq} of {up.table} ({said.what} {said.name}{end if said.what == 'verdict' else ''})"


def _word(told: Told) -> str:
    if not told.payload:
        return ""
    said = json.loads(told.payload)
    claims = "".join(f", {one['claim']} {one['status']} ${one['amount']}" for one in said["claims"])
    alarm = f", alarm {said['alarm']['kind']}" if said["alarm"] else ""
    return f"it holds {said['seq']} messages, ledger {said['epoch'][:1]} term {said['term']}{claims}{alarm}"
