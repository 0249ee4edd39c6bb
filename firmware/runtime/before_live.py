"""The rows of a table's journal that belong to a test: all before two people said LIVE.

No gaming day is closed in a test, so they all stand in the first file.
"""

from __future__ import annotations

from firmware.table import events as e


class BeforeLive:
    """Told the events of a file one after the other."""

    def __init__(self) -> None:
        self._on = False

    def of(self, event: object) -> bool:
        """This event is of a test. The row that says LIVE ends it, and is none any more."""
        if isinstance(event, e.TableOpened):
            self._on = True
        elif isinstance(event, e.TableLive):
            self._on = False
        return self._on
