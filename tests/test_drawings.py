"""The drawings of the documents show the code as it is: `scripts/drawings` makes them again."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.__main__ import main
from firmware.runtime import states_picture
from firmware.table.phases import arrows
from firmware.table.state import Phase
from tests import floorplan

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def test_the_committed_phase_graph_is_that_of_the_code() -> None:
    assert (PICTURES / "phases.svg").read_text(encoding="utf-8") == states_picture.svg(), "run scripts/drawings"


def test_the_committed_floor_plan_is_that_of_the_code() -> None:
    assert (PICTURES / "floorplan.svg").read_text(encoding="utf-8") == floorplan.drawn(), "run scripts/drawings"


def test_the_command_draws_the_phases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "states", "--svg"]) == 0
    assert capsys.readouterr().out == states_picture.svg()


def test_every_transition_is_written_in_the_drawing() -> None:
    drawn = [text.text for text in ElementTree.fromstring(states_picture.svg()).iter(f"{SVG}text")]
    for _, event, _ in arrows():
        assert drawn.count(event) == sum(other == event for _, other, _ in arrows()), event
    assert {phase.upper() for phase in Phase} <= set(drawn)


def test_no_arrow_crosses_a_box() -> None:
    """So none crosses a word: all events stand in boxes."""
    tree = ElementTree.fromstring(states_picture.svg())
    boxes = [tuple(int(box.attrib[key]) for key in ("x", "y", "width", "height")) for box in tree.iter(f"{SVG}rect")]
    for line in tree.iter(f"{SVG}polyline"):
        points = [(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", line.attrib["points"])]
        for (x1, y1), (x2, y2) in pairwise(points):
            for x, y, w, h in boxes[1:]:  # the first is the paper
                beside = max(x1, x2) <= x or min(x1, x2) >= x + w
                above = max(y1, y2) <= y or min(y1, y2) >= y + h
                assert beside or above, (x1, y1, x2, y2)


def test_the_normal_round_is_one_that_the_table_can_go() -> None:
    ways = {(source, target) for source, _, target in arrows()}
    assert set(pairwise(states_picture.NORMAL_ROUND)) <= ways
    assert states_picture.NORMAL_ROUND[0] is states_picture.NORMAL_ROUND[-1]


def test_the_normal_round_is_one_thick_line() -> None:
    lines = ElementTree.fromstring(states_picture.svg()).iter(f"{SVG}polyline")
    thick = [line for line in lines if line.attrib["stroke-width"] == states_picture.THICK]
    assert len(thick) == len(states_picture.NORMAL_ROUND) - 1


def test_every_lane_has_a_color_of_its_own() -> None:
    assert len(set(states_picture.LINES)) == len(states_picture.LINES) == len(states_picture.LANES)


def test_a_phase_without_a_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {
        name: tuple(cell for cell in row if cell is None or cell[0] is not Phase.ENVY)
        for name, row in states_picture.LANES.items()
    }
    monkeypatch.setattr(states_picture, "LANES", without)
    with pytest.raises(ValueError, match="ENVY has no place"):
        states_picture.svg()


def test_a_room_without_a_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(floorplan.ROOMS, "hal")
    with pytest.raises(ValueError, match="hal: "):
        floorplan.drawn()


@pytest.mark.parametrize("name", floorplan.ROOMS)
def test_a_room_holds_all_that_is_written_in_it(name: str) -> None:
    """The doors of one room lay over the next, and words ran out of a third."""
    room = floorplan.ROOMS[name]
    drawn = ElementTree.fromstring(f"<svg>{''.join(floorplan.drawn_room(name))}</svg>")
    for one in drawn.iter("text"):
        assert int(one.attrib["y"]) + 5 <= room.y + room.h and right_end(one) <= room.x + room.w, one.text
    others = [(other.x, other.y, other.w, other.h) for key, other in floorplan.ROOMS.items() if key != name]
    for x, y, w, h in others:
        assert x >= room.x + room.w or room.x >= x + w or y >= room.y + room.h or room.y >= y + h


def test_no_word_of_the_floor_plan_leaves_the_paper() -> None:
    """Two columns of the table stood beside it."""
    drawn = ElementTree.fromstring(floorplan.drawn())
    for one in drawn.iter(f"{SVG}text"):
        assert right_end(one) <= floorplan.WIDE and int(one.attrib["y"]) < int(drawn.attrib["height"]), one.text


def right_end(words: ElementTree.Element) -> float:
    """Where a line of words ends at most, in pixels, in a wide font."""
    wide = (0.62 if "font-weight" in words.attrib else 0.54) * int(words.attrib["font-size"]) * len(words.text or "")
    return int(words.attrib["x"]) + (wide / 2 if words.attrib["text-anchor"] == "middle" else wide)
