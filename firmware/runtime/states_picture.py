"""The phase graph as a drawing: `felt table states --svg`. Where each phase stands is one table, the arrows find their way.

Every event is written in the box of the phase it leaves, so no arrow crosses a word. Arrows run in the gaps between the
boxes; those to the same phase share one line. Phases that many others lead to have no arrows but a color.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from firmware.runtime.drawing import INK, PALE, Point, arrow, box, picture, text
from firmware.table.phases import TRANSITIONS, arrows
from firmware.table.state import Phase

LANES: Mapping[str, tuple[tuple[Phase, str] | None, ...]] = {
    "Opening the table": (
        (Phase.SHUT, "closed for gaming, no deck here"),
        (Phase.INSPECT, "the dealer inspects the decks"),
        (Phase.VERIFY, "the floor verifies the inspection"),
        (Phase.SPREAD, "face up, for the first player"),
        (Phase.WASH, "face down, washed, stacked"),
        (Phase.IDLE, "open for gaming, nobody plays"),
    ),
    "Between rounds": (
        (Phase.EMPTY, "closing: the cards are counted"),
        (Phase.SHUFFLE, "by hand, or in the shuffler"),
        (Phase.CUT, "the deck is cut"),
        (Phase.CLOSED, "nothing may be wagered"),
        (Phase.VOID, "wagers go back, cards come in"),
        None,
    ),
    "Bets and count": (
        (Phase.OPEN, "bets are open"),
        (Phase.COUNT, "locked; chips are counted"),
        (Phase.DIFFERENCE, "chips and lamps differ"),
        (Phase.DEAL, "cards go out"),
        None,
        None,
    ),
    "The game": (
        (Phase.ASK, "decisions, street by street"),
        (Phase.SUPERS, "declared hands, folds"),
        (Phase.DRAW, "cards that were paid for"),
        (Phase.REVEAL, "the dealer's hand"),
        (Phase.HAND, "cards are entered"),
        (Phase.SETTLE, "seat by seat: collect and pay"),
    ),
    "Jackpots": (
        (Phase.CARDS, "the five cards of a share"),
        (Phase.VALIDATE, "the floor signs for the hand"),
        (Phase.PRICE, "the bank freezes the amount"),
        (Phase.HOLD, "a second person closes it"),
        (Phase.PAY, "a fixed prize is paid"),
        (Phase.ENVY, "envy bonuses, seat by seat"),
    ),
}
"""Where every phase stands, and what it is in a few words. A new phase needs a place here."""

BY_COLOR: Mapping[Phase, str] = {
    Phase.VOID: "#f3b4ad",
    Phase.EMPTY: "#d8c7ee",
    Phase.SHUT: "#c9d1da",
    Phase.IDLE: "#f6dc8e",
}
"""Phases that many others lead to: a color instead of arrows."""
LINES = ("#0b5cad", "#a8481b", "#1c7a45", "#7a3fa0", "#9c7a00", "#007a86", "#b0306a")

WIDE, ROW, HEAD, GAP, EDGE, TRACK = 196, 17, 44, 46, 16, 6
LABEL = 36


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a phase's box stands (pixels), in which lane and column."""

    lane: int
    column: int
    x: int
    y: int
    h: int

    @property
    def entry(self) -> Point:
        """Where arrows end."""
        return self.x, self.y + 16

    def exit(self, row: int) -> Point:
        """Where the arrow of an event begins."""
        return self.x + WIDE, self.y + HEAD + row * ROW + 8


def svg() -> str:
    """The drawing. ValueError names a phase that has no place."""
    plan = _Plan()
    parts = [part for phase in Phase for part in _arrows_from(plan, phase)]
    parts += [text(EDGE, plan.label(lane), name.upper(), 12, color=PALE, bold=True) for lane, name in enumerate(LANES)]
    parts += [part for phase in Phase for part in _card(plan.places[phase], phase)]
    legend = (
        "A box lists its events and where each leads. A name on a color stands for an arrow to the box of that color."
    )
    parts.append(text(EDGE, 24, "The phases of a table", 18, bold=True))
    parts.append(text(EDGE, 44, legend, 12, color=PALE))
    return picture(plan.width, plan.height, "The phases of a table and what leads where", parts)


class _Plan:
    """Where boxes and lines stand, computed once."""

    def __init__(self) -> None:
        self.tops: list[int] = []
        self.places: dict[Phase, _Place] = {}
        cells = {
            cell[0]: (lane, column)
            for lane, row in enumerate(LANES.values())
            for column, cell in enumerate(row)
            if cell is not None
        }
        if missing := [phase for phase in Phase if phase not in cells]:
            raise ValueError(f"{missing[0].upper()} has no place in LANES, firmware/runtime/states_picture.py")
        self.gaps, self.corridors = _tracks(cells)
        self._columns = self._edges()
        y = 50
        for lane, row in enumerate(LANES.values()):
            y += LABEL + TRACK * len(self.corridors.get(lane, ()))
            self.tops.append(y)
            phases = [cell[0] for cell in row if cell is not None]
            for phase in phases:
                column = cells[phase][1]
                high = HEAD + ROW * len(TRANSITIONS[phase]) + 4
                self.places[phase] = _Place(lane, column, self._columns[column], y, high)
            y += max(self.places[phase].h for phase in phases) + 12
        self.height = y + 4
        self.width = self._columns[-1] + EDGE

    def _edges(self) -> list[int]:
        """The left edge of every column, and where a further one would stand."""
        edges, x = [], EDGE
        for column in range(max(map(len, LANES.values())) + 1):
            x += 22 + TRACK * len(self.gaps.get(column, ()))
            edges.append(x)
            x += WIDE
        return edges

    def down(self, gap: int, target: Phase) -> int:
        """The x of the line to `target` in the gap left of this column."""
        lines = self.gaps[gap]
        return self._columns[gap] - 14 - TRACK * (len(lines) - 1 - lines.index(target))

    def across(self, lane: int, target: Phase) -> int:
        """The y of the line to `target` above this lane."""
        return self.tops[lane] - 14 - TRACK * self.corridors[lane].index(target)

    def label(self, lane: int) -> int:
        """The baseline of a lane's name, above the lines of its corridor."""
        return self.tops[lane] - 14 - TRACK * len(self.corridors.get(lane, ())) - 2


def _tracks(cells: Mapping[Phase, tuple[int, int]]) -> tuple[dict[int, list[Phase]], dict[int, list[Phase]]]:
    """Which targets' lines run in each gap between columns, and in each corridor above a lane."""
    gaps: dict[int, list[Phase]] = {}
    corridors: dict[int, list[Phase]] = {}

    def noted(where: dict[int, list[Phase]], number: int, target: Phase) -> None:
        if target not in where.setdefault(number, []):
            where[number].append(target)

    for source, _, target in arrows():
        if target in BY_COLOR:
            continue
        after, before = cells[source][1] + 1, cells[target][1]
        noted(gaps, after, target)
        if after != before:
            noted(corridors, cells[target][0], target)
            noted(gaps, before, target)
    return gaps, corridors


def _arrows_from(plan: _Plan, phase: Phase) -> Iterator[str]:
    place = plan.places[phase]
    for row, target in enumerate(TRANSITIONS[phase].values()):
        if target in BY_COLOR:
            continue
        end = plan.places[target]
        start, after = place.exit(row), place.column + 1
        leave = plan.down(after, target)
        way = [start, (leave, start[1])]
        if after != end.column:
            y, arrive = plan.across(end.lane, target), plan.down(end.column, target)
            way += [(leave, y), (arrive, y), (arrive, end.entry[1])]
        else:
            way.append((leave, end.entry[1]))
        yield arrow([*way, end.entry], _color(target))


def _color(target: Phase) -> str:
    with_lines = [phase for phase in Phase if phase not in BY_COLOR]
    return LINES[with_lines.index(target) % len(LINES)]


def _card(place: _Place, phase: Phase) -> Iterator[str]:
    """The box of a phase: its name, what it is, and a row for every event that leaves it."""
    caption = next(cell[1] for row in LANES.values() for cell in row if cell is not None and cell[0] is phase)
    head = BY_COLOR.get(phase, "#eef2f6")
    yield box(place.x, place.y, WIDE, place.h, stroke=INK)
    yield box(place.x, place.y, WIDE, HEAD - 6, fill=head, stroke=INK)
    yield text(place.x + 8, place.y + 17, phase.upper(), 14, bold=True)
    yield text(place.x + 8, place.y + 32, caption, 11, color="#3a4552")
    for row, (event, target) in enumerate(TRANSITIONS[phase].items()):
        y = place.exit(row)[1]
        yield text(place.x + 8, y + 4, event.__name__, 11)
        if target in BY_COLOR:
            yield box(place.x + WIDE - 49, y - 7, 43, 14, fill=BY_COLOR[target], stroke="none", radius=3)
            yield text(place.x + WIDE - 27, y + 4, target.upper(), 10, bold=True, anchor="middle")
        else:
            yield text(place.x + WIDE - 6, y + 4, target.upper(), 10, color=_color(target), bold=True, anchor="end")
