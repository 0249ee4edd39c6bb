"""The simulated cabinet, drawn under the dealer's screen: the edge of a table that a laptop does not have. Pure.

Here one does what players, wires and floorpersons do: click a seat to place or take its chip, press its wagering buttons,
turn the lockout, cut its wire, jam or empty the shuffler. It shows only what the table has. Calmer than the product above
it and labeled, so that nobody takes it for part of the product.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ui.dealer.panels import Panel
from ui.dealer.widgets import Line, Screen, Shape, Tone, Widget

HEIGHT_MM = 47.0
"""So high is the picture; `Display(extra_height_px=panel.y_px(HEIGHT_MM))` makes room for it."""

BADGES: dict[str, str] = {"f": "2001", "g": "3001"}
"""The key that shows a floorperson's and a games manager's badge to the reader."""
_TOP = 1.6
"""Width of bare background, so that the cabinet does not touch the product."""
_GAP = 1.6
_SEAT_MM, _BUTTON_MM, _KEY_MM = 17.6, 7.0, 9.4
_WHO = {"2001": "Floor", "3001": "Manager"}
_LAMPS = {
    "dark": (Shape.RING, Tone.MUTED),
    "lit": (Shape.DISC, Tone.MONEY),
    "late": (Shape.TRIANGLE, Tone.CAUTION),
    "fault": (Shape.ALERT, Tone.STOP),
}


class CabinetState(Struct, frozen=True):
    """The simulated world now. Seats are 1 to `seats`; `chips` are those with a chip on the sensor.

    `sensors`, `lockout`: whether the table has bet sensors and a lockout switch. `buttons`: its wagering buttons, each a
    seat and "own" or "dealer" → whether its lamp is lit; `buttons_down`: those under a finger.
    `lamps`: seat → dark, lit, late or fault. `switch_locked`: the dealer turned the lockout switch; `lock_line`: the
    table's order to the lock (True: no bets). `wire_cut`, `jammed`, `door_open`, `plugged`: faults made by hand.
    `sorting`, `in_service`, `shoe`: the shuffler is in sort mode, is out of service, has a deck to deal from inside.
    `deck`: the color inside. `shuffler`: the unit's own words, a few.
    """

    seats: int = 6
    sensors: bool = True
    lockout: bool = True
    buttons: Mapping[tuple[int, str], bool] = {}
    buttons_down: frozenset[tuple[int, str]] = frozenset()
    chips: frozenset[int] = frozenset()
    lamps: Mapping[int, str] = {}
    switch_locked: bool = False
    wire_cut: bool = False
    lock_line: bool = True
    jammed: bool = False
    door_open: bool = False
    plugged: bool = True
    sorting: bool = False
    in_service: bool = False
    shoe: bool = False
    deck: str = ""
    shuffler: str = ""


def cabinet_screen(state: CabinetState, panel: Panel) -> Screen:
    """The picture, in millimeters from the lower edge of the panel; its key never changes, so no touch is guarded."""
    width = panel.width_mm
    says = Line(_says(state), "small", Tone.MUTED, "right")
    widgets = (
        Widget("cabinet", 0, _TOP, width, HEIGHT_MM - _TOP, fill="rail"),
        Widget("cabinet-name", _GAP, _TOP + 0.6, width / 2, 4.4, (Line("SIMULATED CABINET", "small", Tone.MUTED),)),
        Widget("cabinet-says", width / 2, _TOP + 0.6, width / 2 - _GAP, 4.4, (says,)),
        *_seats(state, width),
        *_controls(state, width),
    )
    return Screen("cabinet", "cabinet", widgets)


def press_of_letter(letter: str, state: CabinetState) -> str:
    """The word of a keyboard shortcut, or "": digits are seats, letters are printed on the keys."""
    if state.sensors and len(letter) == 1 and letter.isdecimal() and 1 <= int(letter) <= state.seats:
        return _seat_press(int(letter), state)
    keys = (key for row in _control_keys(state) for key in row)
    return next((press for shown, press, *_ in keys if letter and shown == letter.lower()), "")


def _says(state: CabinetState) -> str:
    lock = ["bets locked" if state.lock_line else "bets open"] if state.lockout else []
    return "  ·  ".join([*lock, *([f"shuffler {state.shuffler}"] if state.shuffler else [])])


def _seat_press(seat: int, state: CabinetState) -> str:
    return f"take {seat}" if seat in state.chips else f"place {seat}"


def _seats(state: CabinetState, width: float) -> list[Widget]:
    wide = (width - _GAP * (state.seats + 1)) / state.seats
    widgets = []
    for seat in range(1, state.seats + 1):
        left = _GAP + (seat - 1) * (wide + _GAP)
        widgets += _seat(seat, state, left, wide)
        mine = [button for button in sorted(state.buttons, reverse=True) if button[0] == seat]  # own before dealer
        each = (wide - 0.8 * (len(mine) - 1)) / len(mine) if mine else 0
        widgets += [_button(button, state, left + n * (each + 0.8), each) for n, button in enumerate(mine)]
    return widgets


def _seat(seat: int, state: CabinetState, left: float, wide: float) -> list[Widget]:
    """The sensor with or without its chip (a key), and the lamp before it; a seat without a sensor is just a seat."""
    high = _SEAT_MM - (_BUTTON_MM + 0.8 if state.buttons else 0)
    number, top = Line(str(seat), "small", Tone.MUTED), _TOP + 5.4
    if not state.sensors:
        return [Widget(f"cabinet-seat-{seat}", left, top, wide, high, (number,), fill="felt")]
    chip = seat in state.chips
    word = () if state.buttons else (Line("take" if chip else "place", "small", Tone.MUTED, "center"),)
    shape, tone = _LAMPS[state.lamps.get(seat, "dark")]
    return [
        Widget(
            f"cabinet-seat-{seat}", left, top, wide, high, (number, *word),
            Shape.CHIP if chip else Shape.RING, Tone.PLAIN if chip else Tone.OFF, "felt",
            press=_seat_press(seat, state),
        ),
        Widget(f"cabinet-lamp-{seat}", left + wide - 6.2, _TOP + 6.1, 5, 5, shape=shape, shape_tone=tone),
    ]  # fmt: skip


def _button(button: tuple[int, str], state: CabinetState, left: float, wide: float) -> Widget:
    """A wagering button: filled while its lamp is lit, framed while a finger is on it."""
    (seat, hand), lit = button, state.buttons[button]
    return Widget(
        f"cabinet-button-{seat}-{hand}", left, _TOP + 5.4 + _SEAT_MM - _BUTTON_MM, wide, _BUTTON_MM,
        (Line(hand, "small", Tone.PLAIN, "center"),), fill="money" if lit else "key",
        border=Tone.PLAIN if button in state.buttons_down else None, press=f"button {seat} {hand}",
    )  # fmt: skip


def _controls(state: CabinetState, width: float) -> list[Widget]:
    widgets = []
    for n, keys in enumerate(_control_keys(state)):
        wide = (width - _GAP * (len(keys) + 1)) / len(keys)
        top = _TOP + 5.4 + _SEAT_MM + 1.4 + n * (_KEY_MM + 1.2)
        widgets += [
            Widget(
                f"cabinet-{press.replace(' ', '-')}", _GAP + m * (wide + _GAP), top, wide, _KEY_MM,
                (_small(name, Tone.PLAIN), _small(f"{word} {letter.upper()}", Tone.CAUTION if on else Tone.MUTED)),
                fill="tile", border=Tone.CAUTION if on else None, press=press,
            )
            for m, (letter, press, (name, word), on) in enumerate(keys)
        ]  # fmt: skip
    return widgets


def _small(text: str, tone: Tone) -> Line:
    return Line(text, "small", tone, "center")


_Key = tuple[str, str, tuple[str, str], bool]
"""Letter, word, two lines of text, out of the ordinary."""


def _control_keys(state: CabinetState) -> tuple[list[_Key], list[_Key]]:
    """The keys below the seats, in two rows: the table and its people, the shuffler's cards. Each says what it does now."""
    switch: list[_Key] = [
        ("l", "lockout", ("Lockout", "locked" if state.switch_locked else "open"), state.switch_locked),
        ("w", "wire", ("Mend wire", "cut") if state.wire_cut else ("Cut wire", "whole"), state.wire_cut),
    ]
    first: list[_Key] = [
        ("k", "next", ("NEXT key", "at rack"), False),
        *(switch if state.lockout else []),
        *((letter, f"badge {badge}", (_WHO[badge], badge), False) for letter, badge in BADGES.items()),
        ("j", "jam", ("Clear jam", "jammed") if state.jammed else ("Jam", "runs"), state.jammed),
        ("d", "door", ("Shut door", "open") if state.door_open else ("Open door", "closed"), state.door_open),
        ("u", "unplug", ("Unplug", "in") if state.plugged else ("Plug in", "out"), not state.plugged),
    ]
    second: list[_Key] = [
        ("s", "swap", ("Swap deck", "other in"), False),
        ("e", "load", ("Load deck", "again"), False),
        ("c", "card", ("Take a card", "out of it"), False),
        *([("n", "deal", ("Deal two", "cards"), False)] if state.shoe else []),
        ("o", "sort", ("End sorting", "on") if state.sorting else ("Sort mode", "off"), state.sorting),
        ("v", "service", ("End service", "out") if state.in_service else ("Service", "in"), state.in_service),
        ("y", "empty", ("Empty it", "count"), False),
    ]
    return first, second
