"""A dealer's finger on the glass: what counts as a press, and all that must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.wire.structs import replace
from ui.dealer.gesture import MOUSE, MS, Contact, Gesture, Pressed, Tap, Touch
from ui.dealer.widgets import Screen, Widget

LOCK = Widget("lock", 100, 70, 50, 20, press="lock")
REOPEN = Widget("reopen", 40, 70, 50, 20, press="reopen", hold_ms=1500)
DIM = Widget("undo", 0, 70, 30, 20, press="undo", enabled=False)
OPEN = Screen("open", "open:1", (LOCK, REOPEN, DIM))
ON_LOCK, ON_REOPEN, ON_DIM, BESIDE = (120.0, 80.0), (60.0, 80.0), (10.0, 80.0), (95.0, 80.0)
SHOWN_NS = 10_000 * MS


def dealer_sees(screen: Screen = OPEN, guard_ms: int = 350) -> Gesture:
    gesture = Gesture(guard_ms)
    gesture.show(screen, SHOWN_NS)
    return gesture


def contact(touch: str, at_ms: float, where: tuple[float, float] = ON_LOCK, finger: int = 0) -> Contact:
    return Contact(Touch(touch), finger, *where, SHOWN_NS + round(at_ms * MS))


def presses(gesture: Gesture, *contacts: Contact) -> list[str]:
    return [tap.press for tap in map(gesture.feel, contacts) if tap]


def test_a_tap_tells_the_word_the_screen_the_place_and_the_time() -> None:
    gesture = dealer_sees()
    gesture.feel(contact("down", 400))
    assert gesture.feel(contact("up", 480)) == Tap("lock", "open:1", 80, 120.0, 80.0, SHOWN_NS + 480 * MS)


@pytest.mark.parametrize(
    ("what", "down_ms", "up_ms", "where", "finger", "counts"),
    [
        ("a plain tap", 400, 500, ON_LOCK, 0, True),
        ("as short as a finger can be", 400, 430, ON_LOCK, 0, True),
        ("a ghost of the controller", 400, 429.9, ON_LOCK, 0, False),
        ("a phantom of no length", 400, 400, ON_LOCK, 0, False),
        ("a mouse click of no length", 400, 400, ON_LOCK, MOUSE, True),
        ("as long as a tap may be", 400, 3400, ON_LOCK, 0, True),
        ("a chip lying on the glass", 400, 3401, ON_LOCK, 0, False),
        ("just within the guard time", 349.9, 500, ON_LOCK, 0, False),
        ("just after the guard time", 350, 450, ON_LOCK, 0, True),
        ("begun before the screen came", -20, 500, ON_LOCK, 0, False),
        ("a key that cannot be pressed now", 400, 500, ON_DIM, 0, False),
        ("beside every key", 400, 500, BESIDE, 0, False),
        ("a tap on a key to be held", 400, 500, ON_REOPEN, 0, False),
        ("held a moment too short", 400, 1899, ON_REOPEN, 0, False),
        ("held for its time", 400, 1900, ON_REOPEN, 0, True),
        ("held longer", 400, 4000, ON_REOPEN, 0, True),
        ("a chip left lying on a key to be held", 400, 5000, ON_REOPEN, 0, False),
        ("a clock that ran back", 500, 400, ON_LOCK, 0, False),
    ],
)
def test_which_touches_count(
    what: str, down_ms: float, up_ms: float, where: tuple[float, float], finger: int, counts: bool
) -> None:
    gesture = dealer_sees()
    got = presses(gesture, contact("down", down_ms, where, finger), contact("up", up_ms, where, finger))
    assert bool(got) is counts, what


@pytest.mark.parametrize(
    ("down_ms", "where", "begins"),
    [(400, ON_REOPEN, True), (400, ON_LOCK, False), (400, BESIDE, False), (200, ON_REOPEN, False)],
)
def test_the_table_is_told_of_a_finger_that_comes_down_on_a_key_to_be_held(
    down_ms: float, where: tuple[float, float], begins: bool
) -> None:
    gesture = dealer_sees()
    finger = contact("down", down_ms, where)
    gesture.feel(finger)
    assert gesture.begins_hold(finger) is begins
    second = contact("down", down_ms + 100, where, 1)
    gesture.feel(second)
    assert not gesture.begins_hold(second), "one contact counts"
    up = contact("up", down_ms + 1_600, where)
    gesture.feel(up)
    assert not gesture.begins_hold(up)


def test_sliding_off_cancels_and_sliding_back_does_not_revive() -> None:
    gesture = dealer_sees()
    away = [
        contact("down", 400),
        contact("move", 450, BESIDE),
        contact("move", 500, ON_LOCK),
        contact("up", 550, ON_LOCK),
    ]
    assert presses(gesture, *away) == []
    assert presses(gesture, contact("down", 600), contact("up", 700)) == ["lock"]


def test_released_on_another_key_presses_neither() -> None:
    assert presses(dealer_sees(), contact("down", 400, ON_LOCK), contact("up", 500, ON_REOPEN)) == []


def test_a_finger_may_roll_within_its_key() -> None:
    rolled = [contact("down", 400, (101, 71)), contact("move", 450, (130, 85)), contact("up", 500, (149, 89))]
    assert presses(dealer_sees(), *rolled) == ["lock"]


def test_a_second_contact_is_ignored_until_the_first_has_left() -> None:
    gesture = dealer_sees()
    two = [
        contact("down", 400, ON_LOCK, 1),
        contact("down", 420, ON_REOPEN, 2),
        contact("up", 480, ON_REOPEN, 2),
        contact("up", 500, ON_LOCK, 1),
    ]
    assert presses(gesture, *two) == ["lock"]


def test_a_chip_lying_on_the_glass_does_not_make_it_deaf() -> None:
    gesture = dealer_sees()
    lying = [contact("down", 400, BESIDE, 1), contact("down", 4000, ON_LOCK, 2), contact("up", 4100, ON_LOCK, 2)]
    assert presses(gesture, *lying) == ["lock"]


def test_a_release_that_nobody_pressed_does_nothing() -> None:
    assert presses(dealer_sees(), contact("up", 400), contact("move", 410)) == []


def test_the_screen_changes_under_the_finger() -> None:
    gesture = dealer_sees()
    gesture.feel(contact("down", 400))
    gesture.show(replace(OPEN, key="count:1"), SHOWN_NS + 420 * MS)
    assert gesture.pressed(SHOWN_NS + 430 * MS) is None
    assert presses(gesture, contact("up", 900)) == []
    assert presses(gesture, contact("down", 1000), contact("up", 1100)) == ["lock"]


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("it went dim", replace(LOCK, enabled=False)),
        ("it says something else", replace(LOCK, press="clear")),
        ("it wants to be held now", replace(LOCK, hold_ms=1500)),
        ("another key lies there", replace(LOCK, id="other")),
    ],
)
def test_the_key_changes_under_the_finger_on_the_same_screen(what: str, instead: Widget) -> None:
    gesture = dealer_sees()
    gesture.feel(contact("down", 400))
    gesture.show(Screen("open", "open:1", (instead,)), SHOWN_NS + 450 * MS)
    assert presses(gesture, contact("up", 500)) == [], what


def test_the_same_screen_drawn_again_does_not_start_the_guard_again() -> None:
    gesture = dealer_sees()
    gesture.show(replace(OPEN, widgets=(LOCK,)), SHOWN_NS + 390 * MS)
    assert presses(gesture, contact("down", 400), contact("up", 500)) == ["lock"]


SEAT = Widget("seat-4", 0, 10, 20, 30, press="seat 4")
CHIP = Widget("chips-500", 30, 10, 20, 30, press="chips 500")
STREET = Screen("ask", "ask:1", (SEAT, CHIP, LOCK))
ON_SEAT, ON_CHIP = (10.0, 20.0), (40.0, 20.0)


def two_taps(where: tuple[float, float], apart_ms: float, again_ms: int = 300, finger: int = 0) -> list[str]:
    gesture = Gesture(350, again_ms)
    gesture.show(STREET, SHOWN_NS)
    times = (("down", 400.0), ("up", 450.0), ("down", 450 + apart_ms), ("up", 500 + apart_ms))
    return presses(gesture, *(contact(what, at_ms, where, finger) for what, at_ms in times))


def test_a_finger_that_trembles_on_a_seat_turns_its_answer_once() -> None:
    """653a.11(b): a fold that comes and goes in 180 ms, or four antes that become three, is nobody's decision."""
    assert two_taps(ON_SEAT, 130) == ["seat 4"]
    assert two_taps(ON_SEAT, 299) == ["seat 4"]
    assert two_taps(ON_SEAT, 300) == ["seat 4", "seat 4"]


def test_digits_chips_and_cards_may_be_tapped_as_fast_as_a_finger_goes() -> None:
    assert two_taps(ON_CHIP, 50) == ["chips 500", "chips 500"]


def test_a_contact_that_comes_back_at_once_where_it_left_is_one_touch() -> None:
    """raspberrypi/linux#4749: one resting finger is reported as several, with gaps of 30 ms."""
    assert two_taps(ON_CHIP, 49) == ["chips 500"]
    gesture = dealer_sees()
    times = ((400, 460, 3), (490, 1_500, 4), (1_530, 1_899, 5))
    contacts = []
    for down_ms, up_ms, finger in times:
        contacts += [contact("down", down_ms, ON_REOPEN, finger), contact("up", up_ms, ON_REOPEN, finger)]
    assert presses(gesture, *contacts) == [], "held for 1,499 ms in three pieces"
    begun = contact("down", 1_948, ON_REOPEN, 6)
    assert gesture.feel(begun) is None and not gesture.begins_hold(begun), "the table measures from the first piece on"
    assert presses(gesture, contact("up", 2_000, ON_REOPEN, 6)) == ["reopen"]


def test_another_finger_or_a_later_one_is_no_piece_of_the_first() -> None:
    gesture = dealer_sees(STREET)
    taps = (contact("down", 400, ON_CHIP), contact("up", 450, ON_CHIP), contact("down", 460), contact("up", 500))
    assert presses(gesture, *taps) == ["chips 500", "lock"], "two thumbs, 80 mm apart"


def test_a_touch_in_pieces_that_slid_off_or_saw_the_screen_change_does_nothing() -> None:
    gesture = dealer_sees()
    slid = (contact("down", 400), contact("up", 450, BESIDE), contact("down", 480, (97.0, 80.0)), contact("up", 900))
    assert presses(gesture, *slid) == []
    gesture = dealer_sees(STREET, guard_ms=0)
    assert presses(gesture, contact("down", 400, ON_CHIP), contact("up", 420, ON_CHIP)) == []
    gesture.show(replace(STREET, key="ask:2"), SHOWN_NS + 425 * MS)
    assert presses(gesture, contact("down", 430, ON_CHIP), contact("up", 600, ON_CHIP)) == []


def test_another_key_is_not_deaf_because_one_was_pressed() -> None:
    gesture = dealer_sees(STREET)
    taps = (contact("down", 400, ON_SEAT), contact("up", 450, ON_SEAT), contact("down", 500), contact("up", 540))
    assert presses(gesture, *taps) == ["seat 4", "lock"]


def test_in_the_cabinet_a_chip_may_be_put_down_and_lifted_at_once() -> None:
    assert two_taps(ON_SEAT, 20, again_ms=0, finger=MOUSE) == ["seat 4", "seat 4"]


def test_without_a_guard_the_cabinet_answers_at_once() -> None:
    gesture = dealer_sees(guard_ms=0)
    assert presses(gesture, contact("down", 0, ON_LOCK, MOUSE), contact("up", 0, ON_LOCK, MOUSE)) == ["lock"]


def test_the_key_under_the_finger_shows_how_far_it_was_held() -> None:
    gesture = dealer_sees()
    gesture.feel(contact("down", 400, ON_REOPEN))
    shown = [gesture.pressed(SHOWN_NS + ms * MS) for ms in (400, 1150, 1900, 2500, 4901)]
    assert shown == [
        Pressed("reopen", 0.0),
        Pressed("reopen", 0.5),
        Pressed("reopen", 1.0),
        Pressed("reopen", 1.0),
        None,
    ]


def test_a_tapped_key_shows_as_pressed_and_no_longer_when_left() -> None:
    gesture = dealer_sees()
    gesture.feel(contact("down", 400))
    assert gesture.pressed(SHOWN_NS + 410 * MS) == Pressed("lock", 0.0)
    gesture.feel(contact("move", 420, BESIDE))
    assert gesture.pressed(SHOWN_NS + 430 * MS) is None


def test_the_phantom_touches_of_linux_7638_change_nothing() -> None:
    """One zero-length tap at one fixed point every 12.864 s, for a day."""
    gesture = dealer_sees()
    taps = range(1, 86_400_000 // 12_864)
    assert not any(presses(gesture, contact("down", n * 12_864), contact("up", n * 12_864)) for n in taps)


CONTACTS = st.lists(
    st.tuples(
        st.sampled_from(["down", "move", "up"]),
        st.integers(0, 2_000),
        st.sampled_from([ON_LOCK, ON_REOPEN, ON_DIM, BESIDE]),
        st.integers(MOUSE, 2),
        st.booleans(),
    ),
    max_size=40,
)


@given(CONTACTS)
def test_whatever_the_fingers_do_a_press_is_one_down_and_one_up_on_one_key_after_the_guard(
    story: list[tuple[str, int, tuple[float, float], int, bool]],
) -> None:
    gesture, now_ms, changed_ms, round_number = dealer_sees(), 0, 0, 1
    downs: dict[int, tuple[int, tuple[float, float]]] = {}
    for touch, after_ms, where, finger, changes in story:
        now_ms += after_ms
        if changes:
            round_number, changed_ms = round_number + 1, now_ms
            gesture.show(replace(OPEN, key=f"open:{round_number}"), SHOWN_NS + now_ms * MS)
        tap = gesture.feel(contact(touch, now_ms, where, finger))
        if tap:
            began_ms, began_where = downs.pop(finger)
            assert touch == "up" and where == began_where and where in (ON_LOCK, ON_REOPEN)
            assert began_ms >= changed_ms + 350
            assert tap.held_ms == now_ms - began_ms and tap.screen_key == f"open:{round_number}"
            assert tap.held_ms >= (1500 if tap.press == "reopen" else 0 if finger == MOUSE else 30)
        if touch == "down":
            downs[finger] = (now_ms, where)
