"""The record of a rehearsal: one line of JSON a step, and pictures of the screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.expectations import alarms, texts
from firmware.proof.rehearse.player import Outcome
from firmware.proof.rehearse.table import MS, Table
from ui.dealer.widgets import Screen


def entry(table: Table, line: s.Line, at_ns: int, outcome: Outcome) -> dict[str, object]:
    """The record after a step. `at_ms`: when the step began."""
    shown = table.screen()
    return {
        "line": line.number,
        "step": line.text,
        "table": table.name,
        "at_ms": at_ns // MS,
        "phase": str(table.state.phase),
        "title": " ".join(one.text for widget in shown.widgets if widget.id == "title" for one in widget.lines),
        "texts": texts(shown),
        "keys": _keys(shown),
        "lamps": {str(seat): lamp for seat, lamp in table.lamps.items() if lamp != "dark"},
        "lock": "locked" if table.locked else "open",
        "refused": outcome.refused,
        "payments": [one.as_object() for one in table.payments],
        "meters": dict(table.bank.meters) if table.bank else {},
        "pending": dict(table.bank.pendings) if table.bank else {},
        "alarm": next(iter(alarms(table)), None),
    }


def _keys(shown: Screen) -> list[dict[str, object]]:
    return [
        {
            "word": widget.press,
            "label": " ".join(" ".join(line.text for line in widget.lines).split()),
            "enabled": widget.enabled,
            "primary": widget.id == "primary",
            "hold": widget.hold_ms > 0,
        }
        for widget in shown.widgets
        if widget.press
    ]


class Transcript:
    """Writes every step; nothing where no file was named."""

    def __init__(self, file: TextIO | None, pictures: Pictures | None = None) -> None:
        self._file, self._pictures = file, pictures

    def note(self, table: Table, line: s.Line, at_ns: int, outcome: Outcome) -> None:
        """One step, after it ended."""
        if self._file is not None:
            self._file.write(json.dumps(entry(table, line, at_ns, outcome), ensure_ascii=False) + "\n")
        if self._pictures is not None:
            self._pictures.take(table, line.number)


class Pictures:
    """A picture of the screen after every step that changed it. `drawing`: makes what draws a table's panel."""

    def __init__(self, folder: Path, drawing: Callable[[str], Callable[[Screen, Path], None]]) -> None:
        self._folder, self._drawing = folder, drawing
        self._shown: dict[str, Screen] = {}

    def take(self, table: Table, line: int) -> None:
        """Keep this one if it differs from the last of its table."""
        shown = table.screen()
        if self._shown.get(table.name) != shown:
            self._shown[table.name] = shown
            self._drawing(table.config.screen.panel)(shown, self._folder / f"{line:04d}-{table.name}.png")
