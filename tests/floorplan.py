"""The floor plan, from the folders and from the rules of `tests/test_architecture.py`: `scripts/drawings` runs this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from firmware.runtime import states_picture
from firmware.runtime.drawing import INK, PALE, PAPER, box, picture, text
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
    "firmware.__main__": Room(20, 104, 310, 34, ("felt: the list",)),
    "firmware.commands": Room(340, 104, 480, 34, ("one file a command",)),
    "firmware.proof.simulation": Room(
        840, 104, 300, 98, ("a simulated bank with its people;", "not installed at a table")
    ),
    "firmware.proof.conformance": Room(840, 212, 300, 68, ("plays the other side",)),
    "firmware.proof.rehearse": Room(840, 290, 300, 68, ("plays a table by a script",)),
    "firmware.runtime": Room(
        20,
        148,
        400,
        220,
        ("the processes; journal, sockets, pins",),
    ),
    "firmware.config": Room(430, 148, 190, 220, ("reads table.toml and", "bank.toml")),
    "firmware.settle": Room(630, 148, 190, 100, ("felt settle: a round", "file in, payments out")),
    "firmware.plain": Room(630, 258, 190, 110, ("files: bounded,", "never a pipe")),
    "hal": Room(
        20,
        378,
        265,
        244,
        ("devices: each port with its two", "sides, the real device and the", "cabinet; knows no poker"),
    ),
    "firmware.table": Room(295, 378, 265, 104, ("one table: decide, evolve,", "phases, what is final")),
    "firmware.bank": Room(570, 378, 250, 104, ("one bank: decide, ledger,", "meters, claims, reserve")),
    "ui": Room(840, 378, 300, 244, ("what people see: the dealer's", "screens, the sign above the bank")),
    "firmware.wire": Room(295, 492, 525, 54, ("messages between table, bank and sign",)),
    "firmware.rules": Room(295, 556, 525, 66, ("the law: a round in, its payments out",)),
}
"""Every room of `MAY_IMPORT`. A new room needs a place here."""
STARTS = ("firmware.__main__", "firmware.commands")
"""Nobody imports these but the first the second."""
UNDRAWN = ("firmware",)
"""The package around the rooms, which is empty."""
PURE_COLOR, SHELL_COLOR, DOOR_COLOR = "#e3f1e6", "#f3f5f8", "#f6dc8e"
MATRIX_TOP, MATRIX_ROW, MATRIX_COLUMN, MATRIX_LEFT = 740, 26, 72, 226
WIDE, NOTE = 1160, 20


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
    parts = [text(20, 30, "The rooms", 22, bold=True), *_legend()]
    for name in ROOMS:
        parts += drawn_room(name)
    parts += _matrix(list(ROOMS))
    tall = MATRIX_TOP + 44 + MATRIX_ROW * len(ROOMS) + NOTE * len(_only())
    return picture(WIDE, tall, "The rooms of Felt and who may import whom", parts)


def _legend() -> Iterator[str]:
    for x, y, color, words in (
        (20, 54, PURE_COLOR, "pure: no clock, no chance, no files, no float; standard library, msgspec in wire"),
        (840, 54, SHELL_COLOR, "meets the world"),
        (
            20,
            80,
            DOOR_COLOR,
            "a library › the only module that may import it; without a module: any module of this room may",
        ),
    ):
        yield box(x, y - 13, 18, 16, fill=color)
        yield text(x + 26, y, words, 15, color=PALE)


def drawn_room(name: str) -> Iterator[str]:
    """One room: its name, its purpose, its folders, the doors in its walls."""
    room = ROOMS[name]
    yield box(room.x, room.y, room.w, room.h, fill=PURE_COLOR if name in PURE else SHELL_COLOR, stroke=INK)
    yield text(room.x + 8, room.y + 22, name, 17, bold=True)
    flat = room.h <= 66
    along = room.x + (190 if flat else 8)
    y = room.y + (22 if flat else 44)
    for line in room.purpose:
        yield text(along, y, line, 15, color="#3a4552")
        y += 20
    y += 4
    for line in _folders(name):
        yield text(room.x + 8, y, line, 15)
        y += 20
    yield from _doorways(room, name, room.y + 22 if flat else y + 4)


def _doorways(room: Room, name: str, y: int) -> Iterator[str]:
    """The libraries of a room, side by side; those of a flat room at its right end."""
    x = room.x + (room.w - 110 if room.h <= 66 else 8)
    for library, module in _doors(name):
        words = f"{library} › {module}" if module else library
        wide = 9 * len(words) + 12
        if x + wide > room.x + room.w - 4:
            x, y = room.x + 8, y + 24
        yield box(x, y - 15, wide, 20, fill=DOOR_COLOR, radius=3)
        yield text(x + wide // 2, y, words, 15, anchor="middle")
        x += wide + 6


def _folders(name: str) -> Iterator[str]:
    """The folders of a room that hold Python, each with the folders in it."""
    for folder in _packages(ROOT / Path(*name.split("."))):
        inner = [one.name for one in _packages(folder)]
        yield f"{folder.name}/" + (f"  {', '.join(inner)}" if inner else "")


def _packages(folder: Path) -> list[Path]:
    return sorted(one for one in folder.glob("*") if any(one.glob("*.py")))


def _doors(name: str) -> Iterator[tuple[str, str]]:
    """Libraries that a room may import, and the module that does ("": the room)."""
    for library, modules in DOORS.items():
        for module in modules:
            if within(module, name):
                yield library, module.removeprefix(name).removeprefix(".")


def _matrix(rooms: list[str]) -> Iterator[str]:
    """Who may import whom, as dots: full for the whole room, a ring for a part of it."""
    yield text(20, MATRIX_TOP - 60, "Who may import whom", 18, bold=True)
    yield text(20, MATRIX_TOP - 36, "● all of it   ○ a part of it, named below   gray: itself", 15, color=PALE)
    targets = [room for room in rooms if room not in STARTS]
    for column, target in enumerate(targets):
        x = MATRIX_LEFT + column * MATRIX_COLUMN
        raised = 16 * (column % 2)  # neighbors' names are wider than a column
        yield text(x, MATRIX_TOP - raised, target.removeprefix("firmware."), 13, bold=True, anchor="middle")
    for row, room in enumerate(rooms):
        y = MATRIX_TOP + 26 + row * MATRIX_ROW
        yield box(
            20, y - 18, WIDE - 40, MATRIX_ROW - 1, fill=SHELL_COLOR if row % 2 else PAPER, stroke="none", radius=0
        )
        yield text(26, y, room, 15)
        for column, target in enumerate(targets):
            yield from _dot(MATRIX_LEFT + column * MATRIX_COLUMN, y, room, target)
    below = MATRIX_TOP + 40 + MATRIX_ROW * len(rooms)
    for line, said in enumerate(_only()):
        yield text(26, below + NOTE * line, said, 14, color=PALE)


def _only() -> list[str]:
    """Of which rooms another imports a part, one line for each that does."""
    parts: dict[str, list[str]] = {}
    for room, target in product(ROOMS, ROOMS):
        for one in MAY_IMPORT[room]:
            if within(one, target) and one != target:
                parts.setdefault(room, []).append(one)
    return [
        f"○ {room.removeprefix('firmware.')} imports only {', '.join(sorted(set(found)))}"
        for room, found in parts.items()
    ]


def _dot(x: int, y: int, room: str, target: str) -> Iterator[str]:
    if target == "firmware.proof.simulation" and room != target:
        return  # a test of its own: nothing that is installed reaches it
    allowed = MAY_IMPORT[room]
    if room == target or any(within(target, one) for one in allowed):
        yield text(x, y, "●", 17, anchor="middle", color=PALE if room == target else INK)
    elif any(within(one, target) for one in allowed):
        yield text(x, y, "○", 17, anchor="middle")


if __name__ == "__main__":
    main()
