"""The simulated cabinet, drawn under the dealer's screen: the edge of a table that a laptop does not have. Pure.

Here one does what players, wires and floorpersons do: click a seat to place or take its chip, turn the lockout, cut its
wire, jam the shuffler. Calmer than the product above it and labelled, so that nobody takes it for part of the product.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ui.dealer.panels import Panel
from ui.dealer.widgets import Line, Screen, Shape, Tone, Widget

HEIGHT_MM = 45.0
"""So high is the picture; `Display(extra_height_px=panel.px(HEIGHT_MM))` makes room for it."""

BADGES: dict[str, str] = {"f": "2001", "g": "3001"}
"""The key that shows a floorperson's and a games manager's badge to the reader."""
_TOP = 1.6
"""Of bare background, so that the cabinet does not touch the product."""
_GAP = 1.6
_WHO = {"2001": "Floor", "3001": "Manager"}
_LAMPS = {
    "dark": (Shape.RING, Tone.MUTED),
    "lit": (Shape.DISC, Tone.MONEY),
    "late": (Shape.TRIANGLE, Tone.CAUTION),
    "fault": (Shape.ALERT, Tone.STOP),
}


@dataclass(frozen=True, slots=True)
class CabinetState:
    """What the simulated world is like now. Seats are 1 to `seats`; `chips` are those with a chip on the sensor.

    `lamps`: seat → dark, lit, late or fault. `switch_locked`: the dealer turned the lockout switch; `lock_line`: what
    the table tells the lock (True: no bets). `wire_cut`, `jammed`, `door_open`, `plugged`: faults made by hand.
    `shuffler`: what the unit says of itself, in a few words.
    """

    seats: int = 6
    chips: frozenset[int] = frozenset()
    lamps: Mapping[int, str] = field(default_factory=dict)
    switch_locked: bool = False
    wire_cut: bool = False
    lock_line: bool = True
    jammed: bool = False
    door_open: bool = False
    plugged: bool = True
    shuffler: str = ""


def cabinet_screen(state: CabinetState, panel: Panel) -> Screen:
    """The picture, in millimetres from the lower edge of the panel; its key never changes, so no touch is guarded."""
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
    if len(letter) == 1 and letter.isdecimal() and 1 <= int(letter) <= state.seats:
        return _seat_press(int(letter), state)
    return next((press for shown, press, *_ in _control_keys(state) if shown.lower() == letter.lower()), "")


def _says(state: CabinetState) -> str:
    lock = "bets locked" if state.lock_line else "bets open"
    return f"{lock}  ·  shuffler {state.shuffler}" if state.shuffler else lock


def _seat_press(seat: int, state: CabinetState) -> str:
    return f"take {seat}" if seat in state.chips else f"place {seat}"


def _seats(state: CabinetState, width: float) -> list[Widget]:
    """Two widgets a seat: the sensor with or without its chip (a key), and the lamp before it."""
    wide = (width - _GAP * (state.seats + 1)) / state.seats
    widgets = []
    for seat in range(1, state.seats + 1):
        left, chip = _GAP + (seat - 1) * (wide + _GAP), seat in state.chips
        word = Line("take" if chip else "place", "small", Tone.MUTED, "centre")
        shape, tone = _LAMPS[state.lamps.get(seat, "dark")]
        widgets += [
            Widget(
                f"cabinet-seat-{seat}", left, _TOP + 5.4, wide, 18.6,
                (Line(str(seat), "status", Tone.MUTED), word),
                Shape.CHIP if chip else Shape.RING, Tone.PLAIN if chip else Tone.OFF, "felt",
                press=_seat_press(seat, state),
            ),
            Widget(f"cabinet-lamp-{seat}", left + wide - 6.2, _TOP + 6.1, 5, 5, shape=shape, shape_tone=tone),
        ]  # fmt: skip
    return widgets


def _controls(state: CabinetState, width: float) -> list[Widget]:
    keys = _control_keys(state)
    wide = (width - _GAP * (len(keys) + 1)) / len(keys)
    return [
        Widget(
            f"cabinet-{press.replace(' ', '-')}", _GAP + n * (wide + _GAP), _TOP + 25.8, wide, 15.6,
            tuple(map(_small, (*words, letter.upper()), _tones(on))),
            fill="tile", border=Tone.CAUTION if on else None, press=press,
        )
        for n, (letter, press, words, on) in enumerate(keys)
    ]  # fmt: skip


def _small(text: str, tone: Tone) -> Line:
    return Line(text, "small", tone, "centre")


def _tones(out_of_the_ordinary: bool) -> tuple[Tone, Tone, Tone]:
    """Of a control's name, its state, and its letter."""
    return Tone.PLAIN, Tone.CAUTION if out_of_the_ordinary else Tone.MUTED, Tone.OFF


def _control_keys(state: CabinetState) -> list[tuple[str, str, tuple[str, str], bool]]:
    """(letter, word, two lines of text, out of the ordinary) of every key below the seats."""
    return [
        ("l", "lockout", ("Lockout", "locked" if state.switch_locked else "open"), state.switch_locked),
        ("w", "wire", ("Its wire", "cut" if state.wire_cut else "whole"), state.wire_cut),
        ("j", "jam", ("Shuffler", "jammed" if state.jammed else "runs"), state.jammed),
        ("d", "door", ("Its door", "open" if state.door_open else "closed"), state.door_open),
        ("u", "unplug", ("Its cable", "in" if state.plugged else "out"), not state.plugged),
        ("s", "swap", ("Deck", "swap"), False),
        *((letter, f"badge {badge}", (_WHO[badge], badge), False) for letter, badge in BADGES.items()),
    ]
