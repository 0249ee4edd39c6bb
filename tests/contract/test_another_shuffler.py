"""A unit with bytes of its own, on the same serial line: what docs/adding-a-shuffler-driver.md promises."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.frames import Refused
from hal.ports import Complaint, DeviceFound, ShufflerStatus
from hal.serial import SerialShuffler
from hal.shuffler.codec import Acknowledge, Message, Query
from hal.shuffler.protocols import SHUFFLERS
from tests.contract.signals import Signals


class LineCodec:
    """A unit that says one line of text for every change: mode, count, deck. It knows no alarms."""

    def __init__(self) -> None:
        self._rest = b""

    def encode(self, message: Query | Acknowledge) -> bytes:
        """It can be asked, and told nothing."""
        return b"?\n" if isinstance(message, Query) else b""

    def feed(self, received: bytes) -> Iterator[Message | Refused]:
        """One status a line."""
        *lines, self._rest = (self._rest + received).split(b"\n")
        for line in lines:
            words = line.decode("ascii", "replace").split()
            if len(words) != 3 or not words[1].isdecimal():
                yield Refused(f"{line!r} is not mode, count, deck")
                continue
            yield ShufflerStatus(True, "line-unit", words[0].lower(), int(words[1]), words[2].lower(), "", 0, 0)

    def forget(self) -> None:
        """A half line is no line any more."""
        self._rest = b""


def test_a_codec_and_its_name_are_all_that_another_unit_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    unit, table = os.openpty()
    tty.setraw(unit)
    tty.setraw(table)
    heard = Signals()
    monkeypatch.setitem(SHUFFLERS, "lines", LineCodec)
    port = SerialShuffler(heard.put, Path(os.ttyname(table)), protocol="lines")
    port.start()
    try:
        heard.wait_for(DeviceFound("shuffler"))
        assert os.read(unit, 2) == b"?\n"
        os.write(unit, b"READY 52 BLUE\n")
        heard.wait_for(ShufflerStatus(True, "line-unit", "ready", 52, "blue", "", 0, 0))
        os.write(unit, b"nonsense\nSHUFFLING 0 RED\n")
        heard.wait_for(ShufflerStatus(True, "line-unit", "shuffling", 0, "red", "", 0, 0))
        assert Complaint("shuffler", "b'nonsense' is not mode, count, deck") in heard.everything
    finally:
        port.close()
        os.close(unit)
        os.close(table)
