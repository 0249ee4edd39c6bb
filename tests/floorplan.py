"""The floor plan, from the folders and from the rules of `tests/test_architecture.py`: `scripts/drawings` runs this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.runtime import states_picture
from firmware.runtime.drawing import INK, PALE, box, picture, text
from tests.test_architecture import DOORS, MAY_IMPORT, PURE, ROOT, within

PICTURES = ROOT / "docs" / "pictures"


@dataclass(frozen=True, slots=True)
class Room:
    """Where a room stands in the drawing (pixels), and what it is for."""

    x: int
    y: int
    w: int
    h: int
    purpose: tuple[str, ...]


ROOMS: Mapping[str, Room] = {
    "firmware.__main__": Room(20, 60, 790, 44, ("the command felt: builds the parts together",)),
    "firmware.simulation": Room(
        830, 60, 250, 154, ("a simulated bank, its dealers and", "floorpersons; not installed at a table")
    ),
    "firmware.runtime": Room(
        20,
        114,
        490,
        100,
        (
            "the shell: loop, journal, link to the bank, sockets, pins",
            "the processes table, bank, screen, sign, broker",
        ),
    ),
    "firmware.config": Room(520, 114, 140, 100, ("table.toml, bank.toml", "typed and total")),
    "firmware.settle": Room(670, 114, 140, 100, ("felt settle: a round", "file in, payments out")),
    "hal": Room(
        20, 224, 240, 212, ("devices: ports and their two sides,", "the real one and the cabinet", "knows no poker")
    ),
    "firmware.table": Room(
        270,
        224,
        265,
        94,
        ("one table: decide, evolve, phases,", "the state, what is final,", "a module for each concern"),
    ),
    "firmware.bank": Room(545, 224, 265, 94, ("one bank: decide, ledger,", "meters, claims, reserve")),
    "ui": Room(830, 224, 250, 212, ("what people see: the dealer's screens,", "the sign above the bank")),
    "firmware.wire": Room(270, 328, 540, 44, ("every message between table, bank and sign",)),
    "firmware.rules": Room(270, 382, 540, 54, ("the law: a round in, its payments out",)),
}
"""Every room of `MAY_IMPORT`. A new room needs a place here."""
UNDRAWN = ("firmware",)
"""The package around the rooms, which is empty."""
PURE_COLOR, SHELL_COLOR, DOOR_COLOR = "#e3f1e6", "#f3f5f8", "#f6dc8e"
MATRIX_TOP, MATRIX_ROW, MATRIX_COLUMN, MATRIX_LEFT = 520, 22, 76, 160


def main() -> None:
    """Write both drawings."""
    (PICTURES / "floorplan.svg").write_text(drawn(), encoding="utf-8")
    (PICTURES / "phases.svg").write_text(states_picture.svg(), encoding="utf-8")
    print(f"{PICTURES.relative_to(Path.cwd()) if PICTURES.is_relative_to(Path.cwd()) else PICTURES}: floorplan, phases")


def drawn() -> str:
    """The drawing. ValueError names a room that has no place."""
    rooms = [room for room in MAY_IMPORT if room not in UNDRAWN]
    if missing := set(rooms) ^ set(ROOMS):
        raise ValueError(f"{', '.join(sorted(missing))}: ROOMS of tests/floorplan.py and MAY_IMPORT differ")
    parts = [text(20, 28, "The house", 18, bold=True), *_legend()]
    for name in ROOMS:
        parts += _room(name)
    parts += _matrix(list(ROOMS))
    return picture(1100, MATRIX_TOP + 32 + MATRIX_ROW * len(ROOMS), "The rooms of Felt and who may import whom", parts)


def _legend() -> Iterator[str]:
    for x, color, words in (
        (140, PURE_COLOR, "pure: no clock, no chance, no files, no float; standard library only"),
        (560, SHELL_COLOR, "meets the world"),
        (700, DOOR_COLOR, "the one door of a library: the only module that imports it"),
    ):
        yield box(x, 16, 16, 14, fill=color)
        yield text(x + 22, 28, words, 12, color=PALE)
    yield text(
        20, 50, "A room may import rooms that stand lower, and itself. The dots below say it exactly.", 12, color=PALE
    )


def _room(name: str) -> Iterator[str]:
    """One room: its name, its purpose, its folders, the doors in its walls."""
    room = ROOMS[name]
    yield box(room.x, room.y, room.w, room.h, fill=PURE_COLOR if name in PURE else SHELL_COLOR, stroke=INK)
    yield text(room.x + 8, room.y + 18, name, 14, bold=True)
    flat = room.h <= 54
    along = room.x + (160 if flat else 8)
    y = room.y + (18 if flat else 36)
    for line in room.purpose:
        yield text(along, y, line, 12, color="#3a4552")
        y += 16
    y += 2 if flat else 6
    for line in _folders(name):
        yield text(room.x + 8, y, line, 12)
        y += 16
    x = room.x + 8
    y += 4 if any(_folders(name)) else 0
    for library, module in _doors(name):
        words = f"{library} › {module}"
        wide = 13 * len(words) // 2 + 8
        if x + wide > room.x + room.w - 4:
            x, y = room.x + 8, y + 19
        yield box(x, y - 12, wide, 16, fill=DOOR_COLOR, radius=3)
        yield text(x + wide // 2, y, words, 12, anchor="middle")
        x += wide + 6


def _folders(name: str) -> Iterator[str]:
    """The folders of a room that hold Python, each with the folders in it."""
    for folder in _packages(ROOT / Path(*name.split("."))):
        inner = [one.name for one in _packages(folder)]
        yield f"{folder.name}/" + (f"  {', '.join(inner)}" if inner else "")


def _packages(folder: Path) -> list[Path]:
    return sorted(one for one in folder.glob("*") if any(one.glob("*.py")))


def _doors(name: str) -> Iterator[tuple[str, str]]:
    """Libraries that a room may import, and the module that does (or `*`: each of them)."""
    for library, modules in DOORS.items():
        for module in modules:
            if within(module, name):
                yield library, module.removeprefix(f"{name}.") if module != name else "*"


def _matrix(rooms: list[str]) -> Iterator[str]:
    """Who may import whom, as dots: full for the whole room, a ring for a part of it."""
    yield text(20, MATRIX_TOP - 40, "Who may import whom", 14, bold=True)
    yield text(20, MATRIX_TOP - 22, "● may import   ○ may import a part of it   gray: itself", 12, color=PALE)
    targets = [room for room in rooms if room not in ("firmware.__main__", "firmware.settle")]
    for column, target in enumerate(targets):
        x = MATRIX_LEFT + 50 + column * (MATRIX_COLUMN + 24)
        yield text(x, MATRIX_TOP, target.removeprefix("firmware."), 12, bold=True, anchor="middle")
    for row, room in enumerate(rooms):
        y = MATRIX_TOP + 24 + row * MATRIX_ROW
        yield box(20, y - 15, 1060, MATRIX_ROW - 1, fill=SHELL_COLOR if row % 2 else "#ffffff", stroke="none", radius=0)
        yield text(26, y, room, 12)
        for column, target in enumerate(targets):
            x = MATRIX_LEFT + 50 + column * (MATRIX_COLUMN + 24)
            yield from _dot(x, y, room, target)


def _dot(x: int, y: int, room: str, target: str) -> Iterator[str]:
    if target == "firmware.simulation" and room != target:
        return  # a test of its own: nothing that is installed reaches it
    allowed = MAY_IMPORT[room]
    if any(within(target, one) for one in allowed):
        yield text(x, y, "●", 13, anchor="middle", color=PALE if room == target else INK)
    elif any(within(one, target) for one in allowed):
        yield text(x, y, "○", 13, anchor="middle")


if __name__ == "__main__":
    main()
