"""A new journal is a shut table; the time of day comes with presses, and now and then by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware import config as c
from firmware.rules.message import say
from firmware.table import events as e
from tests.runtime.test_config import BY_HAND, FIVE_CARD, HEADS_UP, RULES
from tests.runtime.world import MS, Clock, TableWorld
from ui.words import ENGLISH

HOUR_MS = 3_600_000


def test_653a_4_a_new_journal_is_a_table_that_nobody_brought_cards_to(table: TableWorld) -> None:
    assert table.state.phase == "shut" and table.state.decks.here == ()
    assert [type(event) for event in table.service._spine.journal.replay()][:4] == [
        e.TableOpened,
        e.TableShut,
        e.TableLive,
        e.Started,
    ]
    table.starts()
    assert len(table.events(e.TableShut)) == 1, "a restart shuts nothing"


def test_653a_3_c_a_deck_knows_when_it_came_and_is_due_after_four_hours_by_hand(
    table: TableWorld, clock: Clock
) -> None:
    came_s = clock.utc_s
    table.opens()
    assert [deck.since - came_s for deck in table.state.decks.here] == [0, 0]
    clock.now_ns += (4 * HOUR_MS - 60_000) * MS
    table.turns()
    assert table.events(e.DeckDue) == []
    table.turns(60_000)
    (due,) = table.events(e.DeckDue)
    assert "4 hours (653a.3(c)(1))" in ENGLISH(due.why)


def test_the_time_of_day_is_told_every_half_minute_and_writes_nothing(table: TableWorld) -> None:
    table.opens()
    for _ in range(6):
        table.beats()
        table.turns(5_000)
    rows = table.journal.rows
    for _ in range(24):
        table.beats()
        table.turns(5_000)
    assert table.journal.rows == rows, "two minutes of an idle table are no row"


@pytest.mark.parametrize("count", [1, 6])
def test_a_table_has_the_seats_of_its_file(tmp_path: Path, clock: Clock, count: int) -> None:
    table = TableWorld(tmp_path, clock, f"[seats]\ncount = {count}\n")
    assert len(table.state.round.seats) == count


@pytest.mark.parametrize(
    ("written", "refused"),
    [
        ('id = "uth-05"', "id: 'uth-05'; .* is of 'uth-04': name another home"),
        ("[seats]\ncount = 5", "seats.count: 5; .* was begun with 6 seats: name another home"),
        (HEADS_UP, "rules.book: 'pa-677a'; .* has a table of 'pa-653a' that is not shut: close it"),
    ],
)
def test_a_journal_of_another_table_is_refused(table: TableWorld, written: str, refused: str) -> None:
    table.brings_cards()
    table.journal.close()
    with pytest.raises(c.ConfigError, match=refused):
        TableWorld(table.folder, table.clock, written)


def test_a_shut_table_may_become_one_of_another_game(table: TableWorld) -> None:
    table.journal.close()
    other = TableWorld(table.folder, table.clock, HEADS_UP)
    assert other.state.program.book == "pa-677a" and other.state.phase == "shut"


def test_the_assist_level_changes_between_two_rounds_only(table: TableWorld) -> None:
    written = "[dealing]\nassist = 1\n"
    table.journal.close()
    table = TableWorld(table.folder, table.clock, written)
    assert table.state.program.level == 1 and table.state.phase == "shut"
    table.opens()
    table.locks()
    assert table.state.phase in ("count", "deal")
    table.journal.close()
    with pytest.raises(
        c.ConfigError, match=r"dealing\.assist: 0; .* in the middle of a round of level 1: put the level"
    ):
        TableWorld(table.folder, table.clock)


@pytest.mark.parametrize(
    ("written", "refused"),
    [
        (FIVE_CARD, r"rules: submission \w{8}; .* has a table of \w{8} that is not shut: close it under the old"),
        (
            BY_HAND,
            r"dealing: shoe, shuffler none, decks blue; .* has a table with hand, shuffler counts, decks blue and red "
            "that is not shut: close it under the old rules first",
        ),
    ],
)
def test_other_rules_and_other_equipment_wait_until_the_table_is_shut(
    table: TableWorld, written: str, refused: str
) -> None:
    table.opens()
    table.journal.close()
    with pytest.raises(c.ConfigError, match=refused):
        TableWorld(table.folder, table.clock, written)


@pytest.mark.parametrize("written", [FIVE_CARD, BY_HAND])
def test_a_table_that_was_shut_takes_other_rules_and_other_equipment(table: TableWorld, written: str) -> None:
    table.opens()
    before = (table.state.program.submission, table.state.program.equipment)
    table.presses("table")
    table.presses_for("problem close")
    table.presses_for("emptied 104")
    table.journal.close()
    other = TableWorld(table.folder, table.clock, written)
    assert other.state.phase == "shut" and other.state.decks.here == ()
    assert (other.state.program.submission, other.state.program.equipment) != before


def test_credit_in_an_account_holds_the_rules_though_the_decks_are_being_changed(tmp_path: Path, clock: Clock) -> None:
    table = TableWorld(tmp_path, clock, FIVE_CARD)
    table.opens()
    table.presses("accounts")
    table.presses_for("account 3")
    table.presses_for("chips 10000")
    table.presses_for("back")
    table.service._spine.record([e.DecksWanted(say("deck.house-changes"), all=True)])
    assert (table.state.phase, table.state.decks.here) == ("shut", ())
    table.journal.close()
    with pytest.raises(c.ConfigError, match=r"rules: submission .* that is not shut"):
        TableWorld(tmp_path, clock, RULES)


def test_a_journal_that_does_not_say_its_equipment_takes_what_is_there(table: TableWorld) -> None:
    table.opens()
    started = e.Started("boot", "0.1", "e" * 64, "pa-653a", 0, (), (), "", 0)
    table.service._spine.record([started])
    table.starts()
    assert table.state.program.equipment == "hand, shuffler counts, decks blue and red"


def test_level_0_knows_no_positions_that_level_1_was_told(tmp_path: Path, clock: Clock) -> None:
    table = TableWorld(tmp_path, clock, "[dealing]\nassist = 1\n")
    table.opens()
    table.presses_for("box 3")
    assert table.state.players == (3,)
    table.journal.close()
    table = TableWorld(tmp_path, clock, "[dealing]\nassist = 0\n")
    assert (table.state.phase, table.state.program.level, table.state.players) == ("open", 0, ())
