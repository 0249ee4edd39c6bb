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
    KINDS,
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
        self._alone: dict[tuple[int, int], tuple[int, ...]] = {}
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
            self.explorer._of_acts(at, found, member)
            self.explorer._of_table(at, found, member)
            self.explorer._of_downs(at, found, member)
            self._alone[key] = tuple(world for _, world in found)
        found, world = [], member | center
        self.explorer._of_people(at, found, world)
        if _says(at, member):
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
                yield f"the bank hears {NAMES[at]}, or people about it", after, _with(pair, at, frozenset(members))
        found: list[Move] = []
        self.explorer._of_bank(found, center)
        for code, after in found:
            kind = Kind(code & KINDS)
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


Center = int
"""The bank, its backup, and the faults to come of it."""


class Joined(Apart):
    """The same with one place for each bank: what it may stand beside, by whatever way it came there, is put together.

    That is more worlds than there are: what one table may be there goes with what the other may be on another way to the
    same bank. Nothing that may be is left out, so what is not found here is nowhere.
    """

    def __init__(self, scope: Scope, what: str = LEDGER, explorer: Explorer | None = None) -> None:
        super().__init__(scope, what, explorer)
        self.beside: dict[tuple[Center, int], dict[int, list[int]]] = {}
        """By bank and table: what the table may be, by all of it but its faults to come."""
        self._leads: dict[tuple[Center, int], set[Center]] = {}
        """By bank and table: to which banks the other table's messages lead."""
        self._waits: deque[tuple[Center, int, int]] = deque()
        self._own: dict[Center, list[tuple[Kind, Center]]] = {}

    def explore(self, *, places: int = 0) -> Seen:
        """Until nothing is added any more, or there are more than so many banks (0: all)."""
        began, seen = process_time(), Seen(self.explorer.scope, self.what)
        center, pair = self.first()
        for at in (0, 1):
            for member in pair[at]:
                self._add(center, at, member)
        while self._waits and not seen.wrong and not self.explorer.wrong and not (places and len(self._own) > places):
            center, at, member = self._waits.popleft()
            if member in self.beside[center, at][member & APART]:
                seen.wrong = self._wrong_at(
                    center, (frozenset(() if at else (member,)), frozenset((member,) if at else ()))
                )
                self._spread(center, at, member)
        seen.whole = not self._waits
        seen.wrong += [f"{step}: {wrong}" for step, wrong in self.explorer.wrong]
        sizes = {key: sum(map(len, kept.values())) for key, kept in self.beside.items()}
        seen.places, seen.members = len(self._own), max(sizes.values())
        seen.worlds = sum(sizes.get((one, 0), 0) * sizes.get((one, 1), 0) for one in self._own)
        seen.rests, seen.seconds = len(self._rests), process_time() - began
        seen.tables, seen.banks = len(self.explorer.tables), len(self.explorer.banks)
        return seen

    def _spread(self, center: Center, at: int, member: int) -> None:
        """Whatever may come of this table beside this bank."""
        for after in self._moves(at, center & CENTER, member):
            if not after & CENTER:
                self._add(center, at, after)
                continue
            there = center & ~CENTER | after & CENTER
            self._add(there, at, after & ~CENTER)
            if there not in self._leads.setdefault((center, 1 - at), set()):
                self._leads[center, 1 - at].add(there)
                for other in [one for some in self.beside.get((center, 1 - at), {}).values() for one in some]:
                    self._add(there, 1 - at, other)
        for there in self._leads.get((center, at), ()):
            self._add(there, at, member)
        for kind, there in self._by_itself(center):
            self._add(there, at, member)
            if kind is Kind.BANK_STARTS:
                self._add(there, at, member & ~(MASK[2 * DOWN] << DOWN_AT[at]))

    def _by_itself(self, center: Center) -> list[tuple[Kind, Center]]:
        if center not in self._own:
            found: list[Move] = []
            self.explorer._of_bank(found, center)
            self._own[center] = [(Kind(code & KINDS), after) for code, after in found]
        return self._own[center]

    def _add(self, center: Center, at: int, member: int) -> None:
        kept = self.beside.setdefault((center, at), {})
        there = kept.get(member & APART)
        if there is not None and member in there:
            return
        waits: deque[int] = deque()
        self._keep((member,), kept, waits)
        self._waits.extend((center, at, one) for one in waits)
