"""Badge and PIN at a table: wrong ones slow down, are written down without the PIN, and an approval stays on its screen."""

from __future__ import annotations

import logging
import re
import tomllib
from datetime import datetime

import msgspec
import pytest
from argon2.exceptions import VerificationError

from firmware.__main__ import main
from firmware.config import SIMULATED_PEOPLE
from firmware.rules.message import say
from firmware.runtime.pins import (
    LOST_NS,
    VALID_NS,
    Check,
    PinChecked,
    PinDesk,
    hash_pin,
    in_a_thread,
    is_pin,
    short_pins,
)
from firmware.table import events as e
from firmware.table.wire import faults, floor_wanted
from tests.runtime.world import PINS, S, TableWorld
from ui.words import ENGLISH

WRONG = "60381947"


def wrong_pins(table: TableWorld) -> list[e.PinTried]:
    return [tried for tried in table.events(e.PinTried) if not tried.right]


def raw_files(table: TableWorld) -> bytes:
    """Every byte that the table has on disk."""
    return b"".join(file.read_bytes() for file in sorted(table.folder.iterdir()) if file.is_file())


def test_653a_11_k_3_a_prize_is_paid_only_after_a_floorpersons_badge_and_pin(table: TableWorld) -> None:
    table.validating()
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "validate", "APPROVE is dim until somebody is there"
    table.identifies("2001")
    assert "R. Diaz signed in" in table.text
    table.presses("primary", held_ms=1_499)
    assert table.state.phase == "validate", "it must be held"
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "pay" and "PAY $40.00" in table.text
    assert [(event.seat, event.by) for event in table.events(e.PrizeValidated)] == [(3, "2001")]


def test_wrong_pins_wait_twice_as_long_each_time_up_to_a_minute(table: TableWorld) -> None:
    table.validating()
    waits = []
    for _ in range(8):
        table.shows_badge("2001")
        assert not table.enters_pin(WRONG).right
        waits.append(int(ENGLISH(wrong_pins(table)[-1].why).split()[-2]))
        table.turns(waits[-1] * 1_000 - 1)
        table.shows_badge("2001")
        table.types(PINS["2001"])
        table.presses("pin-OK")
        assert not [one for one in table.inbox.take(0) if isinstance(one, PinChecked)], "not before the wait is over"
        table.turns(1)
        table.shows_badge("3001")
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "pay"


def test_the_wait_is_the_badges_and_another_person_need_not_wait(table: TableWorld) -> None:
    table.validating()
    table.shows_badge("2001")
    table.enters_pin(WRONG)
    table.identifies("3001")
    table.presses("primary", held_ms=1_500)
    assert [(event.seat, event.by) for event in table.events(e.PrizeValidated)] == [(3, "3001")]


def test_after_a_wrong_pin_the_badges_box_shows_the_wait_then_what_is_typed_then_who_is_here(table: TableWorld) -> None:
    table.validating()
    table.shows_badge("2001")
    table.enters_pin(WRONG)
    assert "Wrong PIN, failure 1 of badge 2001." in table.text
    table.turns(1_000)
    table.shows_badge("2001")
    table.types("48")
    assert "PIN  ••" in table.text
    table.types("26")
    table.presses("pin-OK")
    table.hears(PinChecked)
    assert "R. Diaz signed in" in table.text


def test_a_right_pin_ends_the_count_of_failures(table: TableWorld) -> None:
    table.validating()
    for _ in range(2):
        table.shows_badge("3001")
        table.shows_badge("2001")
        table.enters_pin(WRONG)
        table.turns(1_000)
        table.identifies("2001")
    assert [ENGLISH(failed.why) for failed in wrong_pins(table)] == [
        "Wrong PIN, failure 1 of badge 2001. Next try in 1 s."
    ] * 2


def test_an_unknown_badge_is_named_and_written_down(table: TableWorld) -> None:
    table.validating()
    table.shows_badge("9999")
    assert "Badge 9999 is unknown at this table." in table.text
    assert wrong_pins(table) == [e.PinTried("9999", False, say("badge.unknown", badge="9999"), 0)]
    assert not table.asks_pin
    table.identifies("2001")


def test_no_pin_right_or_wrong_is_ever_in_journal_log_or_on_the_screen(
    table: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table.validating()
    seen: list[str] = []
    for badge, pin in (("2001", WRONG), ("3001", PINS["3001"])):
        table.shows_badge(badge)
        for digit in pin:
            table.presses(f"pin-{digit}")
            seen.append(table.text + msgspec.json.encode(table.glass.frame).decode())
        table.presses("pin-OK")
        seen.append(repr(table.hears(PinChecked)))
        table.turns()
        seen.append(table.text)
        table.turns(1_000)
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "pay"
    table.journal.close()
    haystack = raw_files(table) + "\n".join([*seen, caplog.text, repr(table.state)]).encode()
    for pin in (WRONG, PINS["3001"], PINS["2001"]):
        # Four digits stand in some hash, time or boot id sooner or later; a PIN that was written would stand alone.
        assert not re.search(rb"(?<![0-9a-f-])" + pin.encode() + rb"(?![0-9a-f-])", haystack)
    for person in SIMULATED_PEOPLE:
        assert person.pin_hash.encode() not in haystack
    assert "••••" in "".join(seen), "how much is typed is shown, what is not"


def test_an_approval_is_bound_to_its_screen(table: TableWorld) -> None:
    """Who was right at seat 3's validation has approved nothing else."""
    table.counted(3, 5)
    table.presses("seat-3")
    table.presses("hand-flush")
    table.identifies("2001")
    table.presses("back")
    table.presses("seat-5")
    table.presses("hand-flush")
    assert table.state.phase == "validate" and "SHOW BADGE" in table.text
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "validate"
    table.identifies("3001")
    table.presses("primary", held_ms=1_500)
    assert [(event.seat, event.by) for event in table.events(e.PrizeValidated)] == [(5, "3001")]


def test_a_key_held_for_one_thing_does_not_approve_what_another_tap_of_the_same_turn_chose(table: TableWorld) -> None:
    """The loop stood still while two taps waited: the second was held for what the first took from the screen."""
    table.counted(3)
    table.presses("problem")
    table.presses_for("problem wrong-number")
    table.identifies("2001")
    table.taps("back")
    table.taps("primary", 1_500)
    table.turns()
    assert table.events(e.RoundVoided) == [] and table.state.phase == "deal"
    assert table.events(e.PressRefused) == [], "it never reached the table's law"
    table.presses("problem")
    table.presses_for("problem wrong-number")
    assert "SHOW BADGE" in table.text


def test_one_pin_is_checked_at_a_time_however_often_a_badge_is_shown(table: TableWorld) -> None:
    """Each shown badge began another check: hundreds of guesses in a second, and memory for each of them."""
    table.validating()
    checks: list[Check] = []
    table.service._pins._run = checks.append
    for badge in ("2001", "3001") * 20:
        table.shows_badge(badge)
        table.types(WRONG)
        table.presses("pin-OK")
    assert len(checks) == 1
    checks.pop()()
    table.turns()
    assert [failed.badge for failed in wrong_pins(table)] == ["2001"]
    table.service._pins._run = in_a_thread
    table.shows_badge("2001")
    table.identifies("3001")


def test_a_restart_forgets_no_failure(table: TableWorld) -> None:
    table.validating()
    for wait_ms in (1_000, 2_000, 4_000):
        table.shows_badge("2001")
        table.enters_pin(WRONG)
        table.turns(wait_ms)
    table.starts()
    table.shows_badge("2001")
    table.types(PINS["2001"])
    table.presses("pin-OK")
    assert not [one for one in table.inbox.take(0) if isinstance(one, PinChecked)], "four seconds, from the start on"
    table.turns(4_000)
    table.shows_badge("3001")
    table.shows_badge("2001")
    table.enters_pin(WRONG)
    assert "failure 4 of badge 2001" in table.text
    table.turns(8_000)
    table.identifies("2001")
    table.starts()
    assert table.state.history.failures == ()
    table.identifies("2001")


@pytest.mark.parametrize("why", ["Memory allocation error", "can't start new thread"])
def test_out_of_memory_is_no_failure_of_a_person(table: TableWorld, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """argon2 takes 19 MiB, and a thread its stack: where the machine has neither, nobody mistyped anything."""
    table.validating()
    table.shows_badge("2001")

    def no_memory(*_: object) -> bool:
        raise VerificationError(why)

    def no_thread(_: Check) -> None:
        raise RuntimeError(why)

    with monkeypatch.context() as broken:
        if why.startswith("Memory"):
            broken.setattr("firmware.runtime.pins.PasswordHasher.verify", no_memory)
        else:
            broken.setattr(table.service._pins, "_run", no_thread)
        for _ in range(3):
            answer = table.enters_pin(PINS["2001"])
            assert not answer.right and answer.unchecked == why
    assert f"PIN not checked: {why}. Not counted as wrong." in table.text.replace(" / ", " ")
    assert table.state.history.failures == ()
    table.enters_pin(PINS["2001"])
    assert "R. Diaz signed in" in table.text, "at once: no wait"


def test_a_check_that_was_lost_does_not_lock_the_pad(table: TableWorld) -> None:
    table.validating()
    table.shows_badge("2001")
    table.types("4826")
    table.presses("pin-OK")
    table.awaits(PinChecked)
    table.inbox.take(0)  # the answer, dropped by a flood
    table.turns(LOST_NS // 1_000_000)
    table.identifies("2001")
    assert "R. Diaz signed in" in table.text


def test_an_approval_that_is_not_used_expires_after_two_minutes(table: TableWorld) -> None:
    table.validating()
    table.identifies("2001")
    table.turns(VALID_NS // 1_000_000 - 1_000)
    assert "signed in" in table.text
    table.turns(1_001)
    assert "signed in" not in table.text
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "validate"
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "pay"


def test_a_restart_forgets_who_was_there(table: TableWorld) -> None:
    table.validating()
    table.identifies("2001")
    table.journal.close()
    table.starts()
    assert table.state.phase == "validate" and "SHOW BADGE" in table.text


def test_an_answer_that_comes_when_another_badge_is_shown_makes_nobody_right(table: TableWorld) -> None:
    table.validating()
    table.shows_badge("2001")
    table.types(PINS["2001"])
    table.presses("pin-OK")
    answer = table.awaits(PinChecked)
    table.inbox.take(0)
    table.shows_badge("3001")
    table.inbox.put(answer)
    table.turns()
    assert "M. Okafor" in table.text and "signed in" not in table.text


def test_a_badge_that_lies_on_the_reader_is_read_again_and_changes_nothing(table: TableWorld) -> None:
    """Card readers read a card that stays on them every two seconds."""
    table.validating()
    for digit in PINS["2001"]:
        table.shows_badge("2001")
        table.types(digit)
    table.shows_badge("2001")
    table.presses("pin-OK")
    table.shows_badge("2001")
    (answer,) = table.inbox.take(10)
    table.inbox.put(answer)
    table.turns()
    table.shows_badge("2001")
    assert "R. Diaz signed in" in table.text
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "pay"


def test_digits_typed_are_forgotten_when_the_badge_or_the_screen_changes(table: TableWorld) -> None:
    table.validating()
    table.shows_badge("2001")
    table.types("48")
    table.shows_badge("3001")
    assert "•" not in table.text
    table.shows_badge("2001")
    table.types("48")
    table.presses("pin-‹")
    assert "PIN  •" in table.text and "••" not in table.text
    table.presses("back")
    table.presses("seat-3")
    table.presses("hand-flush")
    assert "•" not in table.text and "SHOW BADGE" in table.text


def test_a_claim_needs_two_different_people(table: TableWorld) -> None:
    table.counted(3)
    table.claims_a_royal()
    (claim,) = table.events(e.ClaimMade)
    answer = {
        "claim": claim.claim,
        "status": "pending",
        "meter": "main",
        "share": "100%",
        "amount": "10000.21",
        "owed": "0.00",
        "version": 3,
        "cite": "",
    }
    table.hears_board()
    table.bank_says(claims=[answer])
    assert table.state.phase == "hold" and "$10,000.21" in table.text
    table.shows_badge("2001")
    assert not table.asks_pin and "R. Diaz has signed: another person, please." in table.text.replace(" / ", " "), (
        "told at the badge"
    )
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "hold"
    table.identifies("3001")
    table.presses("primary", held_ms=1_500)
    assert table.events(e.ClaimPaid)[0].signed == ("2001", "3001")


def test_a_technicians_and_a_dealers_pin_approve_nothing(table: TableWorld) -> None:
    technician = msgspec.structs.replace(SIMULATED_PEOPLE[0], badge="4001", name="T. Wire", role="technician")
    table.config = msgspec.structs.replace(table.config, people=(*SIMULATED_PEOPLE, technician))
    table.journal.close()
    table.starts()
    table.validating()
    table.shows_badge("4001")
    assert not table.asks_pin and "T. Wire cannot sign here: a floorperson, please." in table.text.replace(
        " / ", " "
    ), "told at the badge"
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "validate"


def test_a_hash_that_felt_pin_makes_is_one_that_the_desk_takes() -> None:
    person = msgspec.structs.replace(SIMULATED_PEOPLE[0], pin_hash=hash_pin("00112233"), pin_digits=8)
    answers: list[object] = []
    desk = PinDesk({person.badge: person}, answers.append)
    desk.move_to("here")
    assert desk.show(person.badge) == ""
    for digit in "001122334":
        desk.digit(digit)
    assert desk.typed == 8, "no more than eight digits"
    desk._check(person, "00112233", "here")
    desk._check(person, "0011223", "here")
    assert [answer.right for answer in answers] == [True, False]  # type: ignore[attr-defined]
    desk.checked(answers[0], 5 * S)  # type: ignore[arg-type]
    assert desk.by("here", 6 * S) == person.badge
    assert desk.by("elsewhere", 6 * S) == ""


def test_badges_that_nobody_wears_are_counted_and_cannot_fill_the_journal(table: TableWorld) -> None:
    table.validating()
    for _ in range(40):
        table.shows_badge("9999")
    table.shows_badge("8888")
    first = wrong_pins(table)
    assert [(one.badge, ENGLISH(one.why)) for one in first] == [("9999", "Badge 9999 is unknown at this table.")]
    table.turns(10_000)
    second = wrong_pins(table)[1:]
    assert [one.badge for one in second] == ["8888"]
    assert "Unknown badges were shown 40 times since the last one" in ENGLISH(second[0].why)
    table.turns(60_000)
    assert len(wrong_pins(table)) == 2


def test_a_badge_of_control_characters_is_written_without_them(table: TableWorld) -> None:
    table.shows_badge("\x00\u2028" + "7" * 500)
    (refused,) = wrong_pins(table)
    assert refused.badge.startswith("??777") and len(refused.badge) <= 200


def test_a_slip_of_the_finger_becomes_nobodys_pin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["482613", "482631", "482613", "482613"])
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(typed))
    assert main(["pin"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "the two PINs differ; begin again" in said.err
    assert main(["pin"]) == 0
    written = tomllib.loads(capsys.readouterr().out)
    person = msgspec.structs.replace(SIMULATED_PEOPLE[0], **written)
    assert written["pin_digits"] == 6 and is_pin(person, "482613") and not is_pin(person, "482631")


@pytest.mark.parametrize(
    ("role", "pin", "taken"),
    [
        ("floorperson", "48261", False),
        ("manager", "48261", False),
        ("manager", "482613", True),
        ("dealer", "4826", True),
        ("technician", "4826", True),
        ("technician", "482", False),
        ("manager", "482613579", False),
    ],
)
def test_whoever_may_close_a_claim_types_six_digits_at_least(
    role: str, pin: str, taken: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": pin)
    assert main(["pin", "--role", role]) == (0 if taken else 2)
    said = capsys.readouterr()
    assert taken or f"a {role}'s PIN is {4 if role == 'technician' else 6} to 8 digits" in said.err


def test_a_short_pin_does_not_pass_for_a_long_one() -> None:
    """`pin_digits` is what `felt table check` goes by, so what it says has to be true of the PIN that is typed."""
    short = SIMULATED_PEOPLE[0]
    assert is_pin(short, "4826") and not is_pin(msgspec.structs.replace(short, pin_digits=6), "4826")
    unknown = msgspec.structs.replace(short, pin_digits=0)
    assert is_pin(unknown, "4826")
    assert [len(short_pins([one])) for one in (short, unknown, msgspec.structs.replace(short, pin_digits=6))] == [
        1,
        1,
        0,
    ]
    assert short_pins([msgspec.structs.replace(short, role="dealer")]) == ()


def failing(table: TableWorld, times: int, badge: str = "2001") -> None:
    """So many wrong PINs of a badge, each after its wait."""
    for _ in range(times):
        table.shows_badge(badge)
        table.enters_pin(WRONG)
        table.turns(60_000)


def test_the_next_right_pin_says_how_many_were_wrong_and_when(table: TableWorld) -> None:
    table.validating()
    times = []
    for _ in range(2):
        times.append(table.clock.utc_s)
        failing(table, 1)
    table.starts()
    table.link.connects()
    table.beats()
    table.turns(2_000)
    table.identifies("2001")
    first, last = (datetime.fromtimestamp(seconds) for seconds in times)
    said = f"2 wrong PINs before this: {first:%b} {first.day}, {first:%H:%M} to {last:%b} {last.day}, {last:%H:%M}"
    assert said in table.text.replace(" / ", " ") and "R. Diaz signed in" in table.text
    assert table.state.history.failures == ()
    table.presses("primary", held_ms=1_500)
    assert "wrong PINs before" not in table.text


def test_the_floor_and_the_status_are_told_from_the_third_wrong_pin_on(table: TableWorld) -> None:
    table.validating()
    failing(table, 2)
    assert "WRONG PINS" not in table.text and "pins" not in faults(table.state, machine=False)
    failing(table, 1)
    assert "WRONG PINS" in table.text and "pins" in faults(table.state, machine=False)
    assert floor_wanted(table.state) == "prize", "somebody is wanted already"
    table.presses("back")
    assert "WRONG PINS" in table.text and floor_wanted(table.state) == "pins"
    table.starts()
    assert "WRONG PINS" in table.text, "a restart forgets it no more than the wait"


def test_ten_wrong_pins_lock_a_badge_until_a_manager_unlocks_it(table: TableWorld) -> None:
    """At a table that was left alone 485 PINs of a badge were tried in eight hours: one in twenty of four digits."""
    table.validating()
    failing(table, 10)
    table.starts()
    table.shows_badge("2001")
    assert "Badge 2001 is locked: 10 wrong PINs. PROBLEM: a manager unlocks it." in table.text.replace(" / ", " ")
    assert "badge-locked" in faults(table.state, machine=False)
    assert not table.asks_pin
    desk = table.service._pins
    for digit in PINS["2001"]:
        desk.digit(digit)
    desk.enter(10**15)
    assert not [one for one in table.inbox.take(0) if isinstance(one, PinChecked)], "not even the right one is checked"
    table.presses("problem")
    table.presses_for("problem unlock-2001")
    table.identifies("3001")
    table.presses("primary", held_ms=1_500)
    assert [(event.badge, event.by) for event in table.events(e.BadgeUnlocked)] == [("2001", "3001")]
    table.starts()
    table.identifies("2001")
    assert "10 wrong PINs before this" in table.text.replace(" / ", " "), "whoever owns it reads it all the same"
    assert table.state.history.failures == ()


def test_wrong_pins_that_are_hours_apart_lock_no_badge_and_are_told(table: TableWorld) -> None:
    """Ten in a year are no guessing, and where the only manager is away nobody could unlock it."""
    table.validating()
    for _ in range(12):
        failing(table, 1)
        table.turns(360_000)
    assert "badge-locked" not in faults(table.state, machine=False)
    assert "pins" in faults(table.state, machine=False), "the floor reads of them"
    table.starts()
    table.link.connects()
    table.beats()
    table.turns(60_000)
    table.identifies("2001")
    assert "12 wrong PINs before this" in table.text.replace(" / ", " ")


def test_a_floorperson_unlocks_nobody(table: TableWorld) -> None:
    table.validating()
    failing(table, 10, "3001")
    table.presses("problem")
    table.presses_for("problem unlock-3001")
    table.shows_badge("2001")
    assert not table.asks_pin
    table.presses("primary", held_ms=1_500)
    assert table.events(e.BadgeUnlocked) == []
    assert "Only a manager unlocks a badge." in table.text.replace(" / ", " "), "told at the badge"
