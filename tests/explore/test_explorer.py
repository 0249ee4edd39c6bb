"""Table and bank explored (`scripts/bench explore`), and what is merged there is one and the same."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

import pytest

from firmware.bank.ledger import Account
from firmware.bank.state import BankState
from firmware.table import events as e
from firmware.table.evolve import evolve
from firmware.table.state import TableState
from firmware.wire.structs import replace
from tests.explore import never, people, sides
from tests.explore.people import ROYAL, STRAIGHT_FLUSH
from tests.explore.scopes import HELD, REPORTS, SMALL
from tests.explore.search import BANK, KINDS, MASK, NAMES, SIDE, Explorer, Kind, Scope
from tests.explore.sides import IGNORED_OF_BANK, IGNORED_OF_TABLE, SINCE, BankSide, TableSide

PAIRS = 60
WORDS = 4
"""What each of a pair is then told, at random."""


@pytest.fixture(scope="module")
def explorer() -> Explorer:
    explorer = Explorer(Scope(acts=(2, 1), faults=1))
    found = explorer.explore(worlds=15_000)
    assert not found.violations, found.violations[0]
    return explorer


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("scope", SMALL, ids=str)
def test_nothing_that_must_never_be_is_in_a_small_scope(scope: Scope) -> None:
    found = Explorer(scope).explore()
    print(found)
    assert not found.violations, str(found.violations[0])
    assert found.whole and found.rests > 50


@pytest.mark.slow
def test_random_steps_in_a_larger_scope_find_nothing() -> None:
    found = Explorer(Scope(acts=(3, 3))).walk(3_000, seed=1)
    assert not found.violations, str(found.violations[0])
    assert found.depth > 30


def test_prizes_late_chips_differences_days_and_accounts_are_told_within_a_scope() -> None:
    explorer = Explorer(REPORTS[1]._replace(acts=(2, 0)))
    found = explorer.explore()
    assert found.whole and not found.violations, str(found.violations[0])
    told = {(up.effect.what, up.effect.paid) for up in explorer.messages}
    assert told == {
        ("wagers", False),
        ("void", False),
        ("payment", True),
        ("late", False),
        ("differences", False),
        ("day", False),
        ("account", False),
    }


def test_a_table_hears_what_its_meters_ever_held_with_a_claim_that_is_owed_more() -> None:
    """The bank raises a claim that was paid, once an earlier one is rejected: no alarm `price` at an honest table."""
    explorer = Explorer(Scope(acts=(3, 3), faults=0, hands=((STRAIGHT_FLUSH,), (ROYAL,))))
    for world in explorer.along(RAISED_AFTER_IT_WAS_PAID):
        assert not explorer.judged(world) and not explorer.wrong
    there = explorer.tables[world & MASK[SIDE]]
    assert [debt.owed for debt in there.state.neighbors.debts] == [4] and not there.state.neighbors.bank_alarm


RAISED_AFTER_IT_WAS_PAID = (
    "uth-01 has a round's wager counted",
    "the bank hears message 1 of uth-01",
    "uth-01 hears the bank: it holds 1",
    "uth-02 has a round's wager counted",
    "the bank hears message 1 of uth-02",
    "uth-02 hears the bank: it holds 1",
    "uth-02 claims a royal flush",
    "the bank hears message 2 of uth-02",
    "uth-02 hears the bank: it holds 2",
    "uth-01 claims a straight flush",
    "the bank hears message 2 of uth-01",
    "uth-01 hears the bank: it holds 2",
    "uth-01 pays the claim",
    "the bank hears message 3 of uth-01",
    "uth-01 hears the bank: it holds 3",
    "uth-02 finds that the claim is no winner",
    "the bank hears message 3 of uth-02",
    "uth-02 hears the bank: it holds 3",
    "uth-01 says that it is there",
    "uth-01 hears the bank: it holds 3",
)


def test_b_34_what_no_restore_explains_is_booked_once_two_people_have_looked() -> None:
    """An honest restore: without the people a royal flush that was paid would never be an award."""
    explorer = Explorer(HELD)
    banks = [explorer.banks[(world >> BANK & MASK[SIDE]) - 1] for world in explorer.along(PAID_BY_THE_LOST_LEDGER)]
    assert not explorer.wrong and [bank.waits for bank in banks[-3:]] == [(), ("uth-01:1:1:2",), ()]
    waits, booked = banks[-2].state, banks[-1].state
    assert [alarm.kind for alarm in waits.book("uth-01").alarms] == ["verdict"]
    assert [alarm.kind for alarm in booked.book("uth-01").alarms] == ["amount"]
    assert [state.accounts.total(Account.AWARDS) for state in (waits, booked)] == [0, 10_000_420_000]


PAID_BY_THE_LOST_LEDGER = (
    "the bank hears message 2 of uth-02",
    "uth-01 says that it is there",
    "uth-01 hears the bank: it holds 1",
    "uth-01 sends message 3 of uth-01",
    "the bank hears message 2 of uth-01",
    "uth-01 hears the bank: it holds 2 messages, ledger f term 2, uth-01:1:1:2 pending $9000.38",
    "the bank hears message 3 of uth-01",
    "two people look at what uth-01 said was paid, and accept it at the bank",
)


# Merged by a key ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_of_two_tables_with_one_key_the_same_comes_next(explorer: Explorer) -> None:
    chance = Random(1)
    merged = explorer.merged_tables
    assert len(merged) > PAIRS, "many are merged, else this shows nothing"
    for kept, other in chance.sample(merged, PAIRS):
        assert kept.rows is not other.rows and kept.key() == other.key()
        words = [told for told in explorer.words_to(kept.name) if chance.random() < 0.3][:WORDS]
        assert _next_of_table(explorer, kept, words) == _next_of_table(explorer, other, words)


def _next_of_table(explorer: Explorer, side: TableSide, words: list[sides.Told]) -> list[Any]:
    """Keys and verdicts of all that may happen to a table, and what it sends."""
    after = [("act " + act, there) for act, there in sides.acts_of(explorer.house, side, explorer.scope.hands[0])]
    after += [("told", sides.tell(explorer.house, side, told)) for told in words]
    after.append(("starts", sides.restart(explorer.house, side)))
    if back := sides.put_back(explorer.house, side):
        after.append(("put back", back))
    return [sides.due_of(side), *[(what, there.key(), never.of_table(side, there)) for what, there in after]]


def test_of_two_banks_with_one_key_the_same_comes_next(explorer: Explorer) -> None:
    chance = Random(2)
    merged = explorer.merged_banks
    assert len(merged) > PAIRS, "many are merged, else this shows nothing"
    for kept, other in chance.sample(merged, PAIRS):
        assert kept.rows is not other.rows and kept.key() == other.key()
        ups = chance.sample(explorer.messages, WORDS)
        assert _next_of_bank(explorer, kept, ups) == _next_of_bank(explorer, other, ups)


def _next_of_bank(explorer: Explorer, side: BankSide, ups: list[Any]) -> list[Any]:
    """Keys and verdicts of all that may happen to a bank, and what it says."""
    found: list[Any] = [never.of_bank(side), *[sides.say(side, name) for name in NAMES]]
    for up in ups:
        after, events = sides.hear(explorer.rules, side, up, SINCE)
        found.append((after.key(), never.of_hearing(side, after, up, events)))
    starts = [sides.restart_bank(explorer.rules, side)]
    starts += [sides.restore(explorer.rules, side, announced=announced) for announced in (True, False)]
    return [*found, *[there.key() for there in starts]]


def test_what_is_ignored_of_a_table_changes_nothing_that_its_people_or_its_bank_do(explorer: Explorer) -> None:
    """The same journal with its trail, and without."""
    chance = Random(3)
    for side in chance.sample(explorer.tables, PAIRS):
        whole = reduce(evolve, side.rows.all(), TableState())
        assert whole.trail != side.state.trail or whole.taps != side.state.taps
        for told in explorer.words_to(side.name)[:WORDS]:
            assert _heard(explorer, replace(side, state=whole), told) == _heard(explorer, side, told)
        ways = [_ways(explorer, state) for state in (whole, side.state)]
        assert ways[0] == ways[1]


def _ways(explorer: Explorer, state: TableState) -> list[Any]:
    """Every act and its events, without the number of a press, and without what is said of UNDO alone."""
    acts = people.acts(explorer.house, state, explorer.scope.hands[0])
    return [(words, [replace(event, tap=0) for event in done.events if _is_no_step(event)]) for words, done in acts]


def _is_no_step(event: e.Event) -> bool:
    return not isinstance(event, e.StepsFinal)


def _heard(explorer: Explorer, side: TableSide, told: sides.Told) -> list[e.Event]:
    after = sides.tell(explorer.house, side, told)
    return [] if after is side else [event for event in after.rows.events if _is_no_step(event)]


def _with(thing: Any, field: str) -> Any:
    """The same with another value in one field, whatever it is."""
    return replace(thing, **{field: None if field == "before" else f"another {field}"})


@pytest.mark.parametrize("field", TableState.__struct_fields__)
def test_every_field_of_a_table_is_in_its_key_but_those_ignored_by_name(field: str, explorer: Explorer) -> None:
    side = explorer.tables[0]
    changed = replace(side, state=_with(side.state, field))
    assert (changed.key() == side.key()) == (field in IGNORED_OF_TABLE)


@pytest.mark.parametrize("field", BankState.__struct_fields__)
def test_every_field_of_a_bank_is_in_its_key_but_those_ignored_by_name(field: str, explorer: Explorer) -> None:
    side = explorer.banks[0]
    assert (replace(side, state=_with(side.state, field)).key() == side.key()) == (field in IGNORED_OF_BANK)


@pytest.mark.parametrize("field", ("truth", "heads", "acts", "put_back", "before"))
def test_what_stands_beside_a_tables_state_is_in_its_key(field: str, explorer: Explorer) -> None:
    side = next(side for side in explorer.tables if side.before)
    assert _with(side, field).key() != side.key()


@pytest.mark.parametrize("field", ("log", "heads", "kind", "waits"))
def test_what_stands_beside_a_banks_state_is_in_its_key(field: str, explorer: Explorer) -> None:
    side = explorer.banks[0]
    assert _with(side, field).key() != side.key()


FAULTS = {
    "doubled": {Kind.HEARD_TWICE, Kind.TOLD_TWICE},
    "reordered": {Kind.HEARD_EARLY, Kind.TOLD_EARLY},
    "lost": {Kind.UP_LOST, Kind.SECOND_UP_LOST, Kind.DOWN_LOST, Kind.SECOND_DOWN_LOST},
    "table_starts": {Kind.TABLE_STARTS, Kind.TABLE_STARTS_SILENT},
    "bank_starts": {Kind.BANK_STARTS, Kind.BANK_STARTS_SILENT},
    "restores": {Kind.BACKUP, Kind.RESTORED, Kind.RESTORED_IN_SILENCE, Kind.PUT_BACK},
}
WORLDS = 6_000


@pytest.mark.parametrize("fault", FAULTS)
def test_every_kind_of_a_fault_happens_where_the_scope_has_it_and_nowhere_else(fault: str) -> None:
    limits: dict[str, Any] = {name: int(name == fault) for name in FAULTS}
    explorer = Explorer(Scope((2, 1))._replace(**limits))
    worlds, kinds = [explorer.start], set[Kind]()
    for world in worlds:
        for code, after in explorer.moves(world) if len(worlds) < WORLDS else ():
            kinds.add(Kind(code & KINDS))
            worlds.append(after)
    assert kinds & set[Kind]().union(*FAULTS.values()) >= FAULTS[fault] - NO_OTHER_WORLD
    assert not kinds & set[Kind]().union(*(those for name, those in FAULTS.items() if name != fault))
    assert kinds >= {Kind.ACT, Kind.HEARD, Kind.TOLD, Kind.BEAT}


NO_OTHER_WORLD = {Kind.TABLE_STARTS}
"""A table that starts again, with all on its way that was, is the very table that it was."""
