"""SERVICE before a table opens: signed for the floor, shows the wires, tries lamps and touch, and leaves nothing behind."""

from __future__ import annotations

import logging

import pytest

from firmware.runtime.doctor.findings import Finding, Verdict
from firmware.runtime.doctor.report import Head, signed, text_of
from firmware.runtime.seals import load_key
from firmware.table import events as e
from hal.ports import LOCKOUT, DeviceLost, Lamp
from tests.runtime.planted_machine import PlantedMachine
from tests.runtime.world import TableWorld
from ui.dealer.service import CROSSES


def in_service(table: TableWorld) -> TableWorld:
    """TABLE, SERVICE, and a floorperson signs."""
    table.presses_for("problem table")
    table.presses_for("service")
    table.identifies("2001")
    table.presses_for("service-open")
    return table


def lit(table: TableWorld) -> set[int]:
    return {seat for seat, lamp in table.sensors.lamps.items() if lamp is Lamp.LIT}


def word_at(table: TableWorld, seat: int) -> str:
    assert table.glass.seen is not None
    return next(one.text for one in table.glass.seen.widgets if one.id == f"lamp-{seat}")


@pytest.fixture
def shut(table: TableWorld) -> TableWorld:
    """A table that nobody has brought cards to."""
    assert table.state.phase == "shut"
    return table


def test_a_floorperson_opens_it_and_the_log_keeps_who(shut: TableWorld, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    in_service(shut)
    assert "service: opened by badge 2001" in caplog.text
    assert "LEAVE SERVICE" in shut.text


def test_without_a_signature_nothing_is_shown_and_nothing_is_lit(shut: TableWorld) -> None:
    shut.presses_for("problem table")
    shut.presses_for("service")
    assert not shut.key_for("service-open").enabled
    shut.presses("primary")
    assert "LEAVE SERVICE" not in shut.text and not lit(shut)
    shut.presses_for("service-leave")
    assert "SERVICE" in shut.text and "PIN" not in shut.text


def test_a_technicians_badge_signs_nothing_here_either(shut: TableWorld) -> None:
    """The law of signatures is the table's own (docs/round.md, who signs what)."""
    shut.presses_for("problem table")
    shut.presses_for("service")
    shut.shows_badge("7777")
    assert not shut.key_for("service-open").enabled


def test_the_contacts_are_what_is_on_the_wires_just_now(shut: TableWorld) -> None:
    in_service(shut)
    assert word_at(shut, 3) == "SEAT 3\nopen"
    shut.sensors.moves(3, True)
    shut.turns()
    assert word_at(shut, 3) == "SEAT 3\nCLOSED", "at once, not debounced"
    shut.sensors.moves(LOCKOUT, True)
    shut.turns()
    assert "Lockout: contact closed" in shut.text
    shut.sensors.moves(LOCKOUT, False)
    shut.turns()
    assert "Lockout: contact open, locked" in shut.text
    shut.inbox.put(DeviceLost("gpio", "unplugged"))
    shut.turns()
    assert word_at(shut, 3) == "SEAT 3\nnot heard" and "Lockout: not heard" in shut.text


def test_lamps_are_lit_one_by_one_and_all_and_the_lock_line_stays_locked(shut: TableWorld) -> None:
    in_service(shut)
    shut.presses("lamp-3")
    assert lit(shut) == {3} and shut.sensors.locked
    shut.presses("lamp-5")
    assert lit(shut) == {3, 5}
    shut.presses("all-lamps")
    assert lit(shut) == {1, 2, 3, 4, 5, 6} and shut.sensors.locked
    shut.presses("all-lamps")
    assert not lit(shut)


def test_leaving_makes_the_lamps_the_tables_own_again(shut: TableWorld) -> None:
    in_service(shut)
    shut.presses("all-lamps")
    shut.presses_for("service-leave")
    assert not lit(shut)
    shut.presses_for("service")
    assert not shut.key_for("service-open").enabled, "who comes again signs again"


def test_a_cross_that_is_touched_is_lit_until_all_are(shut: TableWorld) -> None:
    in_service(shut)
    shut.presses("touch-test")
    for number in range(1, CROSSES + 1):
        assert f"{number - 1} of {CROSSES} touched" in shut.text
        shut.presses(f"cross-{number}")
    assert "ALL TOUCHED" in shut.text
    shut.presses("primary")
    assert "LEAVE SERVICE" in shut.text


def test_a_badge_is_only_read(shut: TableWorld) -> None:
    in_service(shut)
    shut.shows_badge("4242")
    assert "Last badge: 4242" in shut.text
    shut.presses_for("service-leave")
    assert not shut.events(e.PinTried), "a stranger's badge that was tried out is no attempt to sign"


def test_a_journal_has_no_row_of_it(shut: TableWorld) -> None:
    shut.presses_for("problem table")
    before = shut.journal.rows
    shut.presses_for("service")
    shut.identifies("2001")
    shut.presses_for("service-open")
    shut.presses("all-lamps")
    shut.presses("touch-test")
    shut.presses("cross-4")
    shut.presses("back")
    shut.presses_for("service-leave")
    assert shut.journal.rows == before


def test_an_open_table_has_no_service(shut: TableWorld) -> None:
    shut.opens()
    assert "service" not in [one.press for one in shut.glass.frame.screen.widgets]  # type: ignore[union-attr]
    if any(one.press == "problem table" for one in shut.glass.frame.screen.widgets):  # type: ignore[union-attr]
        shut.presses_for("problem table")
    assert "service" not in [one.press for one in shut.glass.frame.screen.widgets]  # type: ignore[union-attr]


def test_the_doctors_last_word_stands_there_where_this_tables_key_signed_it(shut: TableWorld) -> None:
    folder = shut.folder
    findings = [
        Finding(Verdict.PASS, "pins", "14 lines."),
        Finding(Verdict.FAIL, "lockout", "is wired normally open.", "use the other contact."),
    ]
    text = text_of(Head("uth-04", "2026-11-21T14:07:05.123Z", PlantedMachine().of_program), findings)
    (folder / "doctor.report").write_text(signed(text, load_key(folder / "table-seal.key")), encoding="utf-8")
    in_service(shut)
    assert "felt doctor 2026-11-21 14:07: 1 PASS, 1 FAIL, 0 CANNOT TELL" in shut.text
    assert "FAIL lockout: is wired normally open." in shut.text and "14 lines" not in shut.text


def test_a_report_that_somebody_changed_is_not_believed(shut: TableWorld) -> None:
    text = text_of(Head("uth-04", "2026-11-21T14:07:05.123Z", PlantedMachine().of_program), [])
    (shut.folder / "doctor.report").write_text(text, encoding="utf-8")
    assert "FAIL doctor.report is not signed" in in_service(shut).text


def test_where_the_doctor_never_was_that_is_said(shut: TableWorld) -> None:
    assert "felt doctor was not run here yet." in in_service(shut).text
