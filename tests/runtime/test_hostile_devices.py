"""What a table does with a shuffler, sensors and screens that say what cannot be; and a stale or hostile tap."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.runtime.glass import GlassComplaint, TapArrived
from firmware.table import events as e
from hal.debounce import LATE
from hal.ports import LOCKOUT, Complaint, DeviceFound, DeviceLost, Edge, Level
from tests.runtime.world import READY, TableWorld


@pytest.mark.parametrize(
    ("put", "place", "text", "count"),
    [
        (Complaint("shuffler", "frame of 9 bytes: its checksum differs"), "shuffler", "its checksum differs", 3),
        (Complaint("cabinet", "'\\x00' is not understood"), "cabinet", "is not understood", 3),
        (GlassComplaint("DecodeError: JSON is malformed"), "screen socket", "JSON is malformed", 3),
        (Edge(7, True, 5), "sensors", "check the seats in table.toml", 2),  # the inbox leaves out the middle one
        (Level(-1, True, 5), "sensors", "check the seats in table.toml", 2),
    ],
    ids=["shuffler", "cabinet", "screen", "edge of a seventh seat", "level of line -1"],
)
def test_garbage_from_a_device_is_counted_and_logged_and_the_table_plays_on(
    table: TableWorld, put: object, place: str, text: str, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    table.opens()
    for _ in range(3):
        table.inbox.put(put)
    table.turns()
    (complained,) = table.events(e.Complained)
    assert (complained.place, complained.count) == (place, count)
    assert text in complained.text
    assert f"refused ({count} times): {place}: " in caplog.text
    assert "Refused" not in table.text, "where a dealer reads money no technician's notice stands"
    table.places(4)
    assert table.state.wagers == (4,) and table.sensors.lamps[4] == "lit"


def test_what_a_machine_said_wrong_is_on_the_glass_between_rounds_and_gone_with_the_next_round(
    table: TableWorld,
) -> None:
    table.shuffler.complains("its checksum differs")
    table.turns()
    assert table.state.phase == "shut" and "Refused from shuffler (1 refused). The journal says why." in table.text
    table.opens()
    assert "Refused" not in table.text
    table.inbox.put(Complaint("cabinet", "a line was cut off"))
    table.turns()
    table.locks()
    assert "Refused" not in table.text
    table.presses("primary")
    assert table.state.phase == "closed" and "Refused from cabinet (2 refused). The journal says why." in table.text
    table.inbox.put(Complaint(LATE, "machine too busy: contacts told up to 61 ms late, 3 times (window_ms is 10)"))
    table.turns()
    assert "Technician needed: contacts are heard too late." in table.text
    assert "Refused" not in table.text, "a fact is not refused"
    table.sensors.moves(LOCKOUT, True)
    table.beats()
    table.turns(50)
    table.shuffles()
    table.turns()
    assert table.state.phase == "open" and table.state.desk.complaint == ""


def test_after_garbage_on_the_serial_line_the_next_valid_status_works(table: TableWorld) -> None:
    table.opens()
    table.shuffler.complains("a frame was cut off")
    table.shuffler.says(replace(READY, fault="jam", mode="fault", alarm=1, count=None))
    table.turns()
    assert table.state.neighbors.shuffler.fault == "jam" and "ALARM" in table.text
    table.locks()
    table.presses("primary")
    assert "a card is jammed" in table.text and "Shuffler alarm" in table.text
    table.shuffler.says(replace(READY, alarm=1))
    table.turns()
    table.sensors.moves(LOCKOUT, True)
    table.turns(50)
    assert table.state.phase == "closed", "an alarm that nobody acknowledged"
    table.presses("primary")
    assert table.state.phase == "open"
    assert table.shuffler.acknowledged == [1]


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        (replace(READY, count=None), "Shuffler counts ?, not 52"),
        (replace(READY, connected=False), "Shuffler not connected"),
        (replace(READY, mode="sort"), "Shuffler is in sort mode"),
        (replace(READY, fault="door"), "Shuffler fault: door"),
    ],
)
def test_653a_5_bets_stay_closed_while_the_shuffler_is_not_right_and_open_when_it_is(
    table: TableWorld, status: object, shown: str
) -> None:
    table.opens()
    table.locks()
    table.shuffler.says(status)  # type: ignore[arg-type]
    table.presses("primary")
    table.sensors.moves(LOCKOUT, True)
    table.beats()
    table.turns(50)
    assert table.state.phase == "closed" and shown in table.text
    table.shuffles()
    table.turns()
    assert table.state.phase == "open"


def test_653a_5b_a_deck_that_counts_51_does_not_come_back_whatever_the_shuffler_says_then(table: TableWorld) -> None:
    table.opens()
    table.locks()
    table.shuffler.says(replace(READY, count=51))
    table.presses("primary")
    table.sensors.moves(LOCKOUT, True)
    table.beats()
    table.turns(50)
    assert table.state.phase == "closed" and "Shuffler counts 51, not 52" in table.text
    table.shuffles()
    table.turns()
    assert table.state.phase == "closed" and "Shuffler counts 51, not 52" in table.text


def test_sensors_that_are_lost_turn_the_progressive_off_and_come_back_with_their_levels(table: TableWorld) -> None:
    table.opens()
    table.places(2)
    table.inbox.put(DeviceLost("cabinet", "unplugged: check the cable"))
    table.turns()
    assert "PROGRESSIVE OFF" in table.text and "unplugged: check the cable" in table.text
    assert table.sensors.locked and table.state.wagers == (2,)
    table.inbox.put(DeviceFound("cabinet"))
    table.sensors.read()
    for _ in range(2):
        table.beats()
        table.turns(1_100)
    assert "PROGRESSIVE OFF" not in table.text
    assert table.state.wagers == (2,) and not table.sensors.locked


# Taps ---------------------------------------------------------------------------------------------------------------


def test_a_tap_on_a_screen_that_is_no_longer_shown_does_nothing(table: TableWorld) -> None:
    table.opens()
    table.places(1)
    old = table.glass.frame.screen.key  # type: ignore[union-attr]
    table.locks()
    rows = table.journal.rows
    table.taps("primary", held_ms=9_000, screen_key=old)
    table.turns()
    assert table.state.phase == "count" and table.journal.rows == rows
    table.presses("count-1")
    assert table.state.phase == "deal"


def test_a_key_that_is_held_too_short_does_nothing(table: TableWorld) -> None:
    table.opens()
    table.places(1)
    table.locks()
    table.sensors.moves(LOCKOUT, True)
    table.turns(60)
    table.presses("primary", held_ms=1_499)
    assert table.state.phase == "count"
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "open"


def test_a_tap_between_keys_or_beside_the_panel_does_nothing(table: TableWorld) -> None:
    table.opens()
    table.locks()
    key = table.glass.frame.screen.key  # type: ignore[union-attr]
    rows = table.journal.rows
    for x, y in ((0.1, 80.0), (-5.0, 80.0), (1e300, 1e300), (26.1, 75.0), (153.7, 85.2)):
        table.inbox.put(TapArrived(key, x, y, 0, table.clock.now_ns))
    table.turns()
    assert table.journal.rows == rows


def test_two_taps_on_one_key_in_one_turn_do_it_once(table: TableWorld) -> None:
    table.validating()
    table.identifies("2001")
    table.taps("primary", held_ms=1_500)
    table.taps("primary", held_ms=1_500)
    table.turns()
    assert table.state.phase == "pay" and len(table.events(e.PrizeValidated)) == 1
    table.taps("primary")
    table.taps("primary")
    table.turns()
    assert len(table.events(e.PrizePaid)) == 1


def test_no_more_bets_on_the_screen_is_the_time_of_the_touch(table: TableWorld) -> None:
    """A chip that settled after the finger and before the loop turned is late."""
    table.opens()
    table.places(1)
    table.taps("primary")
    at_ns = table.clock.now_ns
    table.clock.now_ns += 1_000_000
    table.sensors.moves(2, True)
    table.turns(25)
    table.turns(40)
    (closed,) = table.events(e.BetsClosed)
    assert (closed.at_ns, closed.source, closed.accepted) == (at_ns, "screen", (1,))
    assert table.sensors.lamps[2] == "late" and "LATE" in table.text


def test_a_chip_after_the_touch_is_late_however_slow_the_screen_was(table: TableWorld) -> None:
    """The lamp of a sensor that had never moved before was lit when the tap came at last: it was no wager at the touch."""
    table.opens()
    touched_ns = table.clock.now_ns
    table.turns(1)
    table.places(2)
    assert table.sensors.lamps[2] == "lit"
    shown = table.glass.frame.screen  # type: ignore[union-attr]
    key = next(widget for widget in shown.widgets if widget.id == "primary")
    table.inbox.put(TapArrived(shown.key, key.x + 1, key.y + 1, 0, touched_ns))
    table.turns()
    table.turns(60)
    assert table.events(e.BetsClosed)[0].accepted == () and table.sensors.lamps[2] == "late"


def test_a_tap_from_the_future_counts_as_now(table: TableWorld) -> None:
    table.opens()
    table.places(1)
    shown = table.glass.frame.screen  # type: ignore[union-attr]
    key = next(widget for widget in shown.widgets if widget.id == "primary")
    table.inbox.put(TapArrived(shown.key, key.x + 1, key.y + 1, 0, 2**62))
    table.turns()
    now_ns = table.clock.now_ns
    table.turns(60)
    assert table.events(e.BetsClosed)[0].at_ns == now_ns


def test_a_touch_that_a_hung_screen_tells_late_counts_as_one_of_now_and_both_times_are_written(
    table: TableWorld,
) -> None:
    """Three bets were lit while the screen hung for eight seconds; a lit lamp is a promise."""
    table.opens()
    touched_ns = table.clock.now_ns
    table.turns(1_000)
    table.places(1, 2, 3)
    table.beats()
    table.turns(1_000)
    shown = table.glass.frame.screen  # type: ignore[union-attr]
    key = next(widget for widget in shown.widgets if widget.id == "primary")
    table.inbox.put(TapArrived(shown.key, key.x + 1, key.y + 1, 0, touched_ns))
    table.turns()
    now_ns = table.clock.now_ns
    table.turns(60)
    (closed,) = table.events(e.BetsClosed)
    assert (closed.accepted, closed.at_ns, closed.told_ns) == ((1, 2, 3), now_ns, touched_ns)


def test_a_tap_from_before_its_screen_was_shown_cannot_backdate_the_lock(table: TableWorld) -> None:
    """A screen that says the touch was an hour ago would make every wager of the round late."""
    table.opens()
    table.places(1, 2)
    shown = table.glass.frame.screen  # type: ignore[union-attr]
    key = next(widget for widget in shown.widgets if widget.id == "primary")
    table.inbox.put(TapArrived(shown.key, key.x + 1, key.y + 1, 0, 1))
    table.turns()
    table.turns(60)
    assert table.state.wagers == (1, 2), table.text
