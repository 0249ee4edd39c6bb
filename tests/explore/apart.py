"""All faults together: each table is followed apart, and all that it may be stands beside the bank's state as one set.

The two tables never speak to each other. So whatever one of them may be, after all that the bank has heard and said to it,
goes with whatever the other may be: a place is the bank (and its backup), a set of what one table and the messages to and
from it may be, and such a set of the other. It stands for every pair of the two, which nobody has to visit. A step that
leaves the bank as it was leads to another member of a set; one that changes the bank leads to another place. Of two members
that differ in the faults to come only, the one with more of them is kept: it may do all that the other may.

Messages doubled, before an older one and lost are counted for each table by itself: that is more than for both together.
What is put back is one of three (`what`): the ledger, or the journal of one table. Every move is the `Explorer`'s own, and
so is every step's verdict; at rest is a table that, with nothing under way, says everything again and changes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from time import process_time

from tests.explore import never
from tests.explore.search import (
    BACKUP,
    BANK,
    DOWN,
    DOWN_AT,
    LEFT,
    MASK,
    NAMES,
    SIDE,
    TABLE_AT,
    UP,
    UP_AT,
    WORDS,
    Explorer,
    Kind,
    Move,
    Scope,
)

LEDGER = "the ledger"
WHAT = (LEDGER, *NAMES)
"""What may be put back."""
CENTER = MASK[SIDE] << BANK | MASK[SIDE] << BACKUP
APART = (1 << LEFT) - 1
"""All of a world but its faults."""
Members = frozenset[int]
"""What a table may be: worlds of which only the table, what is under way to and from it, and its faults are told."""
Pair = tuple[Members, Members]


@dataclass
class Seen:
    """What was seen. `worlds`: pairs that the places stand for, some of them in several places."""

    scope: Scope
    what: str
    places: int = 0
    members: int = 0
    worlds: int = 0
    rests: int = 0
    tables: int = 0
    banks: int = 0
    seconds: float = 0.0
    whole: bool = False
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        end = "all of it" if self.whole else "NOT all of it"
        return (
            f"{self.scope}; messages of each table by themselves, put back is {self.what}: {end}\n"
            f"{self.places} places for {self.worlds} worlds, {self.members} members of the largest set, "
            f"{self.tables} states of tables, {self.banks} of banks, {self.rests} tables at rest, "
            f"{self.seconds:.0f} s of processor time; violations: {len(self.wrong)}"
        )


class Apart:
    """The places of one scope."""

    def __init__(self, scope: Scope, what: str = LEDGER, explorer: Explorer | None = None) -> None:
        self.what = what
        self.explorer = explorer or Explorer(scope)
        self.places: dict[int, list[Pair]] = {}
        """By bank, backup and its faults to come: the sets that no larger ones stand for."""
        self._alone: dict[tuple[int, int], list[int]] = {}
        self._known: dict[tuple[int, int, int, Members], tuple[Members, dict[int, list[int]]]] = {}
        self._rests: dict[tuple[int, int, str], str] = {}
        self._faults: dict[int, tuple[int, ...]] = {}

    # Faults ----------------------------------------------------------------------------------------------------------------

    def _of(self, which: Iterable[int]) -> int:
        """So many faults of these kinds to come, as a world counts them."""
        limits, weights = self.explorer.scope.limits, self.explorer._weights
        most = min(self.explorer.scope.faults, sum(limits[kind] for kind in which))
        return sum(limits[kind] * weights[kind][0] for kind in which) + most << LEFT

    def first(self) -> tuple[int, Pair]:
        """Where it begins: the bank, and each table as it is."""
        start, center = self.explorer.start, self._of((5, 6) if self.what == LEDGER else (5,))
        sides = []
        for at in (0, 1):
            kinds = (0, 1, 2, 3 + at, *((6,) if self.what == NAMES[at] else ()))
            table = start >> TABLE_AT[at] & MASK[SIDE]
            sides.append(frozenset([table << TABLE_AT[at] | self._of(kinds)]))
        return (start & MASK[SIDE] << BANK) | center, (sides[0], sides[1])

    def _left(self, world: int) -> tuple[int, ...]:
        faults = world >> LEFT
        if faults not in self._faults:
            kinds = (faults // weight % radix for weight, radix in self.explorer._weights)
            self._faults[faults] = (faults % self.explorer._most, *kinds)
        return self._faults[faults]

    # One table beside a bank -----------------------------------------------------------------------------------------------

    def _moves(self, at: int, center: int, member: int) -> tuple[int, ...]:
        """The worlds after anything that happens to this table, or between it and the bank."""
        key = (at, member)
        if key not in self._alone:
            found: list[Move] = []
            self.explorer._of_table(at, found, member)
            self.explorer._of_downs(at, found, member)
            self._alone[key] = tuple(world for _, world in found)
        if not _says(at, member):
            return self._alone[key]
        found, world = [], member | center
        self.explorer._of_ups(at, found, world)
        self.explorer._of_beat(at, found, world)
        heard = (after if (after ^ center) & CENTER else after & ~CENTER for _, after in found)
        return (*self._alone[key], *heard)

    def around(self, at: int, center: int, members: Members) -> tuple[Members, dict[int, list[int]]]:
        """All that the table may be while the bank stays; and by what bank there may be next, what it may be then."""
        key = (at, center & MASK[SIDE] << BANK, bool(center & MASK[SIDE] << BACKUP), members)
        if key not in self._known:
            self._known[key] = self._around(at, center & CENTER, members)
        return self._known[key]

    def _around(self, at: int, center: int, members: Members) -> tuple[Members, dict[int, list[int]]]:
        kept: dict[int, list[int]] = {}
        leads: dict[int, list[int]] = {}
        waits: deque[int] = deque()
        self._keep(members, kept, waits)
        while waits:
            member = waits.popleft()
            if member not in kept[member & APART]:
                continue
            for after in self._moves(at, center, member):
                if after & CENTER:
                    leads.setdefault(after >> BANK & MASK[SIDE], []).append(after & ~CENTER)
                else:
                    self._keep((after,), kept, waits)
        return frozenset(member for some in kept.values() for member in some), leads

    def _keep(self, members: Iterable[int], kept: dict[int, list[int]], waits: deque[int]) -> None:
        """Those that no other one stands for."""
        for member in members:
            there, left = kept.setdefault(member & APART, []), self._left(member)
            if any(_is_covered(left, self._left(one)) for one in there):
                continue
            there[:] = [one for one in there if not _is_covered(self._left(one), left)]
            there.append(member)
            waits.append(member)

    # Places ----------------------------------------------------------------------------------------------------------------

    def next_places(self, center: int, pair: Pair) -> Iterator[tuple[str, int, Pair]]:
        """Everything that changes the bank, in words; the bank then, and what led there of each table."""
        for at in (0, 1):
            for bank, members in self.around(at, center, pair[at])[1].items():
                after = center & ~(MASK[SIDE] << BANK) | bank << BANK
                yield f"the bank hears {NAMES[at]}", after, _with(pair, at, frozenset(members))
        found: list[Move] = []
        self.explorer._of_bank(found, center)
        for code, after in found:
            kind = Kind(code & 31)
            yield WORDS[kind], after, pair
            if kind is Kind.BANK_STARTS:
                silent = [frozenset(one & ~(MASK[2 * DOWN] << DOWN_AT[at]) for one in pair[at]) for at in (0, 1)]
                yield WORDS[Kind.BANK_STARTS_SILENT], after, (silent[0], silent[1])

    def explore(self, *, places: int = 0) -> Seen:
        """Every place, the nearest first; about so many of them (0: all)."""
        began, seen = process_time(), Seen(self.explorer.scope, self.what)
        center, pair = self.first()
        order: list[tuple[int, Pair, int, str]] = []
        self._put(order, center, pair, -1, "")
        for at, (center, pair, _, _) in enumerate(order):
            if not any(pair is one for one in self.places[center]):
                continue  # another place stands for it
            seen.wrong = self._wrong_at(center, pair)
            if seen.wrong or self.explorer.wrong or (places and seen.places >= places):
                break
            seen.places += 1
            seen.worlds += len(pair[0]) * len(pair[1])
            seen.members = max(seen.members, len(pair[0]), len(pair[1]))
            for words, after, there in self.next_places(center, pair):
                self._put(order, after, there, at, words)
        else:
            seen.whole = True
        seen.wrong += [f"{step}: {wrong}" for step, wrong in self.explorer.wrong]
        if seen.wrong:
            seen.wrong.append("by way of " + "; ".join(_way(order, at)))
        seen.rests, seen.seconds = len(self._rests), process_time() - began
        seen.tables, seen.banks = len(self.explorer.tables), len(self.explorer.banks)
        return seen

    def _put(
        self,
        order: list[tuple[int, Pair, int, str]],
        center: int,
        pair: Pair,
        parent: int,
        words: str,
    ) -> None:
        whole = (self.around(0, center, pair[0])[0], self.around(1, center, pair[1])[0])
        there = self.places.setdefault(center, [])
        if not any(whole[0] <= one and whole[1] <= other for one, other in there):
            there[:] = [pair for pair in there if not (pair[0] <= whole[0] and pair[1] <= whole[1])]
            there.append(whole)
            order.append((center, whole, parent, words))

    # Never -----------------------------------------------------------------------------------------------------------------

    def _wrong_at(self, center: int, pair: Pair) -> list[str]:
        bank, part = self.explorer._bank_of(center)
        found = []
        for at in (0, 1):
            under_way = MASK[2 * UP] << UP_AT[at] | MASK[2 * DOWN] << DOWN_AT[at]
            for table in {one >> TABLE_AT[at] & MASK[SIDE] for one in pair[at]}:
                found.append(self.explorer._pair(table, bank))
            for table in {one >> TABLE_AT[at] & MASK[SIDE] for one in pair[at] if not one & under_way}:
                found.append(self._at_rest(table, bank, part))
        return [wrong for wrong in found if wrong]

    def _at_rest(self, table: int, bank: int, part: str) -> str:
        key = (table, bank, part)
        if key not in self._rests:
            sides = self.explorer._tables.all[table], self.explorer._banks.all[bank]
            self._rests[key] = never.at_rest(*sides) if self._is_quiet(table, bank, part) else ""
        return self._rests[key]

    def _is_quiet(self, table: int, bank: int, part: str) -> bool:
        """Whatever the table says again, nothing changes."""
        heard = [self.explorer.beats(table, bank, part)]
        heard += [self.explorer.hears(bank, up, part) for up in self.explorer.due(table)]
        return all(after == bank and self.explorer.tells(table, down) == table for after, down in heard)


def _says(at: int, member: int) -> bool:
    """Something is under way to the bank, or nothing at all, so that the table says that it is there."""
    return bool(member >> UP_AT[at] & MASK[2 * UP]) or not member >> DOWN_AT[at] & MASK[2 * DOWN]


def _is_covered(left: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(mine <= more for mine, more in zip(left, other, strict=True))


def _with(pair: Pair, at: int, members: Members) -> Pair:
    return (members, pair[1]) if at == 0 else (pair[0], members)


def _way(order: list[tuple[int, Pair, int, str]], at: int) -> list[str]:
    way = []
    while at > 0:
        way.append(order[at][3])
        at = order[at][2]
    return way[::-1]
