"""The parts of a dealer's screen: plain values in millimeters, drawn by `display`, hit by `gesture`, read by tests.

A widget knows nothing of pygame and nothing of poker. Positions are millimeters from the upper left corner of the
panel, so that a key keeps its size on every panel; `theme` gives the color of a `Tone`, `panels` the pixels of a mm,
`frame` the regions of a panel.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from firmware.rules.message import Message

Text = Message | str
"""The words of a screen: a message of a catalog, or data (a number, a name, cards), which is the same in every language."""


class Tone(StrEnum):
    """The meaning of a color; color is never alone, each tone has a shape or a word as well."""

    PLAIN = "plain"
    MUTED = "muted"
    NEXT = "next"
    """The one next step."""
    DONE = "done"
    CAUTION = "caution"
    STOP = "stop"
    FLOOR = "floor"
    """Only a floorperson can do this."""
    MONEY = "money"
    """Money and lit lamps; nothing else is yellow."""
    OFF = "off"


class Shape(StrEnum):
    """The picture of a seat's lamp, and other marks that must be told apart without color."""

    NONE = ""
    DISC = "disc"
    """lit"""
    RING = "ring"
    """dark"""
    TRIANGLE = "triangle"
    """late"""
    ALERT = "alert"
    """square with an exclamation mark: stop, fault"""
    TICK = "tick"
    KEY = "key"
    """floor"""
    DASH = "dash"
    """empty, off"""
    SPADE = "spade"
    HEART = "heart"
    DIAMOND = "diamond"
    CLUB = "club"
    CHIP = "chip"
    """a chip on a sensor; only the simulated cabinet sees that"""
    DECKS = "decks"
    """two decks of cards that are brought"""
    BACK = "back"
    """an arrow that turns back: a wager that is returned"""
    FANS = "fans"
    """a deck spread face up, a fan for each suit"""
    WASH = "wash"
    """cards mixed face down on the layout"""
    CUT = "cut"
    """the upper part of a deck lifted off the lower"""
    MACHINE = "machine"
    """a deck that is put into the shuffler"""


class Line(Struct, frozen=True):
    """A text in a widget, broken between words where the widget's width ends (`layout`).

    `size` is a step of the type scale in `theme`, not pixels: the largest in which it is set. If the words of a widget
    do not fit, all of them are set in smaller steps.
    """

    said: Text
    size: str = "body"
    """small, tight (bold), status, label (bold), body, large, strong, key, money or count (these bold)"""
    tone: Tone = Tone.PLAIN
    align: str = "left"
    """left, center or right"""

    @property
    def text(self) -> str:
        """The text for people, once the screen's messages are put into words (`screens.screen`)."""
        assert isinstance(self.said, str), f"{self.said} is not put into words"
        return self.said


class Widget(Struct, frozen=True):
    """A rectangle with lines of text, a shape, or both. With a `press` it is a key.

    `press` is the word that the table is told when the key is released ("count 3"); empty: nothing to press. `hold_ms`:
    how long it must be held (0: a tap). A key that cannot be pressed now is drawn dim (`enabled=False`).
    """

    id: str
    x: float
    y: float
    w: float
    h: float
    lines: tuple[Line, ...] = ()
    shape: Shape = Shape.NONE
    shape_tone: Tone = Tone.PLAIN
    fill: str = ""
    """"", tile, key, card (the face of one), hatch (test mode), felt, rail (the simulated cabinet), or the name of a tone:
    what fills it.
    """
    border: Tone | None = None
    press: str = ""
    enabled: bool = True
    hold_ms: int = 0
    group: str = ""
    """Widgets of one group are set in the same step: keys that stand beside each other."""
    slotted: bool = False
    """A seat's tile: number, word and amount stand in slots, the same in each tile of a row; its lamp, the shape, stands in
    the upper right corner.
    """
    seat: int = 0
    """The seat whose prize a key names, or whose turn it settles last; 0: none."""

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """True where the point lies on this widget (left and upper edge included)."""
        return self.x <= x_mm < self.x + self.w and self.y <= y_mm < self.y + self.h


class Screen(Struct, frozen=True):
    """One whole screen. `name` is its kind ("open", "count", …); a change of `key` starts the 350 ms touch guard."""

    name: str
    key: str
    widgets: tuple[Widget, ...] = ()

    def key_at(self, x_mm: float, y_mm: float) -> Widget | None:
        """The key under a point that can be pressed now, or None. Keys never overlap (tested)."""
        for widget in self.widgets:
            if widget.press and widget.enabled and widget.holds(x_mm, y_mm):
                return widget
        return None
