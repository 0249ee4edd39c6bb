"""The phase graph as a drawing: `felt table states --svg`. One table has the place of each phase; the arrows find their way.

Every event is written in the box of the phase it leaves, so no arrow crosses a word. Arrows run in the gaps between the
boxes; those to the same phase share one line, in the color of that phase's lane. Phases that many others lead to have no
arrows but a color. The thick line is a normal round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from firmware.runtime.drawing import INK, PALE, Point, arrow, box, picture, text
from firmware.table.phases import TRANSITIONS, arrows, name_of
from firmware.table.state import Phase

LANES: Mapping[str, tuple[tuple[Phase, str] | None, ...]] = {
    "Opening the table": (
        (Phase.SHUT, "closed, no deck here"),
        (Phase.INSPECT, "the dealer looks at the decks"),
        (Phase.VERIFY, "the floor looks at them too"),
        (Phase.SPREAD, "face up, for the first player"),
    ),
    "Washing, waiting, closing": (
        (Phase.WASH, "face down, washed, stacked"),
        (Phase.IDLE, "open, but nobody plays"),
        (Phase.EMPTY, "closing: cards are counted"),
        None,
    ),
    "Between rounds": (
        (Phase.SHUFFLE, "by hand, or in the shuffler"),
        (Phase.CUT, "the deck is cut"),
        (Phase.CLOSED, "nothing may be wagered"),
        (Phase.VOID, "wagers go back, cards come in"),
    ),
    "Bets and count": (
        (Phase.OPEN, "bets are open"),
        (Phase.COUNT, "locked; chips are counted"),
        (Phase.DIFFERENCE, "chips and lamps differ"),
        (Phase.DEAL, "cards go out"),
    ),
    "Decisions": (
        (Phase.ASK, "decisions, street by street"),
        (Phase.SUPERS, "declared hands, folds"),
        (Phase.DRAW, "cards that were paid for"),
        (Phase.REVEAL, "the dealer's hand"),
    ),
    "Settlement": (
        (Phase.HAND, "cards are entered"),
        (Phase.SETTLE, "seat by seat: collect and pay"),
        (Phase.PAY, "a fixed prize is paid"),
        (Phase.ENVY, "envy bonuses, seat by seat"),
    ),
    "Prizes and jackpots": (
        (Phase.CARDS, "a share of a meter: five cards"),
        (Phase.VALIDATE, "the floor signs for the hand"),
        (Phase.PRICE, "the bank freezes the amount"),
        (Phase.HOLD, "a second person closes it"),
    ),
}
"""The place of every phase, and its description in a few words. A new phase needs a place here."""

BY_COLOR: Mapping[Phase, str] = {
    Phase.VOID: "#f3b4ad",
    Phase.EMPTY: "#d8c7ee",
    Phase.SHUT: "#c9d1da",
    Phase.IDLE: "#f6dc8e",
}
"""Phases that many others lead to: a color instead of arrows."""
LINES = ("#56616e", "#7a3fa0", "#b0306a", "#0b5cad", "#a8481b", "#1c7a45", "#007a86")
"""The color of a lane: of its name, and of every arrow that leads into it."""
NORMAL_ROUND = (
    Phase.CLOSED,
    Phase.OPEN,
    Phase.COUNT,
    Phase.DEAL,
    Phase.ASK,
    Phase.REVEAL,
    Phase.SETTLE,
    Phase.CLOSED,
)
"""A round at assist level 1 in which nothing goes wrong and nobody wins a progressive prize: the thick line."""
LEGEND = (
    "A box lists what leaves its phase, and the phase that follows. An arrow has the color of the row it leads to.",
    "A name on a colored field stands for an arrow to the box with that color.",
    "Thick and bold: a normal round at assist level 1. At level 0, DEAL leads straight to CLOSED if nobody won.",
    "UNDO is not drawn: it leads back to where the table was before the last tap.",
)

WIDE, ROW, HEAD, EDGE, TRACK = 262, 23, 56, 16, 7
LABEL = 44
THIN, THICK = "1.5", "5"


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a phase's box (pixels), its lane and its column."""

    lane: int
    column: int
    x: int
    y: int
    h: int

    @property
    def entry(self) -> Point:
        """The place where arrows end."""
        return self.x, self.y + 20

    def exit(self, row: int) -> Point:
        """The place where the arrow of an event begins."""
        return self.x + WIDE, self.y + HEAD + row * ROW + 10


def svg() -> str:
    """The drawing. ValueError names a phase that has no place."""
    plan = _Plan()
    arrows_drawn = [one for phase in Phase for one in _arrows_from(plan, phase)]
    parts = [drawn for width in (THIN, THICK) for stroke, drawn in arrows_drawn if stroke == width]
    for lane, name in enumerate(LANES):
        parts.append(text(EDGE, plan.label(lane), name.upper(), 16, color=LINES[lane], bold=True))
    parts += [part for phase in Phase for part in _card(plan.places[phase], phase)]
    parts.append(text(EDGE, 30, "The phases of a table", 22, bold=True))
    parts += [text(EDGE, 56 + 22 * row, line, 17, color=PALE) for row, line in enumerate(LEGEND)]
    return picture(plan.width, plan.height, "The phases of a table and what leads where", parts)


class _Plan:
    """The places of boxes and lines, computed once."""

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
        y = 56 + 22 * len(LEGEND) - 8
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
    """The targets whose lines run in each gap between columns, and in each corridor above a lane."""
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


def _arrows_from(plan: _Plan, phase: Phase) -> Iterator[tuple[str, str]]:
    """Every arrow from this phase: how wide its line is, and the line."""
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
        width = THICK if (phase, row) in _normal() else THIN
        yield width, arrow([*way, end.entry], LINES[end.lane], width)


def _normal() -> frozenset[tuple[Phase, int]]:
    """The rows of the normal round: of each pair of phases that follow one another in it, the first event between."""
    return frozenset(
        (phase, list(TRANSITIONS[phase].values()).index(target)) for phase, target in pairwise(NORMAL_ROUND)
    )


def _card(place: _Place, phase: Phase) -> Iterator[str]:
    """The box of a phase: its name, what it is, and a row for every event that leaves it."""
    caption = next(cell[1] for row in LANES.values() for cell in row if cell is not None and cell[0] is phase)
    head = BY_COLOR.get(phase, "#eef2f6")
    yield box(place.x, place.y, WIDE, place.h, stroke=INK)
    yield box(place.x, place.y, WIDE, HEAD - 6, fill=head, stroke=INK)
    yield text(place.x + 8, place.y + 21, phase.upper(), 18, bold=True)
    yield text(place.x + 8, place.y + 42, caption, 16, color="#3a4552")
    for row, (way, target) in enumerate(TRANSITIONS[phase].items()):
        y = place.exit(row)[1]
        normal = (phase, row) in _normal()
        yield text(place.x + 8, y + 6, name_of(way), 17, bold=normal)
        if target in BY_COLOR:
            yield box(place.x + WIDE - 64, y - 10, 58, 20, fill=BY_COLOR[target], stroke="none", radius=3)
            yield text(place.x + WIDE - 35, y + 5, target.upper(), 14, bold=True, anchor="middle")
        else:
            color = LINES[_lane_of(target)]
            yield text(place.x + WIDE - 6, y + 5, target.upper(), 14, color=color, bold=True, anchor="end")


def _lane_of(phase: Phase) -> int:
    return next(
        lane for lane, row in enumerate(LANES.values()) for cell in row if cell is not None and cell[0] is phase
    )
