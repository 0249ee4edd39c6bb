"""Serial lines: the one door to pyserial, and the shuffler on its line. Bytes are the business of the codecs.

One thread of a line reads, with a time limit, and does everything else as well: opens the line again when it was unplugged,
says what is owed, and notices a unit that fell silent.
"""

from __future__ import annotations

import contextlib
import termios
import threading
import time
from dataclasses import replace
from pathlib import Path

import serial

from hal.frames import Refused
from hal.ports import Complaint, DeviceFound, DeviceLost, Put, ShufflerStatus
from hal.shuffler.codec import Acknowledge, Query
from hal.shuffler.protocols import FELT, SHUFFLERS
from hal.workers import Worker

DEVICE = "shuffler"
BAUD = 115_200
SILENCE_NS = 3_000_000_000
"""A unit tells its status every second; three missed heartbeats and it counts as disconnected."""
REPEAT_NS = 1_000_000_000
"""How often an acknowledgement, or a question to a silent unit, is repeated."""
RETRY_S = 1.0
READ_S = 1.0


class SerialLine:
    """A unit on the serial device at `path` (8N1), such as /dev/serial/by-id/… or a pseudo-terminal.

    A subclass says which kind of unit it is: `_opened` runs after the line was opened, `_turn` with the bytes of READ_S,
    and `remedy` says what to do when the unit is lost.
    """

    remedy = ""

    def __init__(self, put: Put, name: str, path: Path, baud: int) -> None:
        self.name = name
        self.is_found = False
        """It was told to be there, and not to be lost since."""
        self._put = put
        self._baud = baud
        self._path = path
        self._line: serial.Serial | None = None
        self._line_lock = threading.Lock()
        """Held to close the line and to interrupt it: an interrupt must not write to a descriptor that was closed."""
        self._lost_told = False
        self._stopped = threading.Event()
        self._worker = Worker(name, self._run)

    def start(self) -> None:
        """Begin to put: DeviceFound or DeviceLost, what the unit says, a Complaint for every refused frame."""
        self._worker.start()

    def close(self) -> None:
        """End the thread and close the line."""
        self._stopped.set()
        self._interrupt()
        self._worker.end()

    def _opened(self) -> None:
        raise NotImplementedError

    def _turn(self, received: bytes) -> None:
        raise NotImplementedError

    def _write(self, said: bytes) -> None:
        assert self._line is not None
        self._line.write(said)

    def _find(self) -> None:
        """The unit is there."""
        self.is_found, self._lost_told = True, False
        self._put(DeviceFound(self.name))

    def _lose(self, why: str) -> None:
        """It is not; told once, until it was there again."""
        self.is_found = False
        if not self._lost_told:
            self._lost_told = True
            self._put(DeviceLost(self.name, f"{self._path}: {why}; {self.remedy}"))

    def _interrupt(self) -> None:
        """Wake the reading thread. If the line is being lost just now, the thread is awake anyway."""
        with self._line_lock:
            if self._line is not None:
                self._line.cancel_read()

    def _run(self) -> None:
        self._close_line()  # of a thread that ended by itself
        while not self._stopped.is_set():
            try:
                # `exclusive` keeps a second program (a terminal left open, a second table) from stealing half of the bytes.
                self._line = serial.Serial(
                    str(self._path), self._baud, timeout=READ_S, write_timeout=READ_S, exclusive=True
                )
                self._opened()
                while not self._stopped.is_set():
                    self._turn(self._read())
            except (OSError, termios.error) as error:  # a SerialException is an OSError
                self._close_line()
                self._lose(str(error))
                self._stopped.wait(RETRY_S)
        self._close_line()

    def _read(self) -> bytes:
        line = self._line
        assert line is not None
        received: bytes = line.read(1)
        return received + line.read(line.in_waiting) if received else received

    def _close_line(self) -> None:
        with self._line_lock:
            if self._line is not None:
                with contextlib.suppress(OSError):  # the device under it is gone already
                    self._line.close()
                self._line = None


class SerialShuffler(SerialLine):
    """`hal.ports.Shuffler` over a serial line; what it puts is every change of status.

    protocol: what the unit speaks, a name of `SHUFFLERS`.
    """

    remedy = "check the cable and power of the shuffler, and [shuffler] port in table.toml"

    def __init__(
        self, put: Put, path: Path, baud: int = BAUD, silence_ns: int = SILENCE_NS, protocol: str = FELT
    ) -> None:
        super().__init__(put, DEVICE, path, baud)
        self._silence_ns = silence_ns
        self._codec = SHUFFLERS[protocol]()
        self._told: ShufflerStatus | None = None
        self._seen = ShufflerStatus(False, "", "off", None, "", "", 0, 0)
        self._heard_ns = 0
        self._acknowledge = 0
        self._said_ns = 0
        self._urgent = False

    def acknowledge(self, alarm: int) -> None:
        """A person has seen this alarm. Sent at once, and again every second until the unit's status says so."""
        self._acknowledge = alarm
        self._urgent = True
        self._interrupt()

    def _opened(self) -> None:
        self._codec.forget()
        self._heard_ns = time.monotonic_ns()
        self._find()
        self._say(Query())

    def _turn(self, received: bytes) -> None:
        """Take what came, then say what is owed."""
        for message in self._codec.feed(received):
            if isinstance(message, Refused):
                self._put(Complaint(DEVICE, message.text))
            elif isinstance(message, ShufflerStatus):
                self._heard_ns = time.monotonic_ns()
                self._seen = message
                self._tell(message)
        now_ns = time.monotonic_ns()
        silent = now_ns - self._heard_ns >= self._silence_ns
        if silent:
            self._disconnected()
        self._say_what_is_owed(now_ns, silent)

    def _say_what_is_owed(self, now_ns: int, silent: bool) -> None:
        urgent, self._urgent = self._urgent, False
        if not urgent and now_ns - self._said_ns < REPEAT_NS:
            return
        if self._seen.acknowledged < self._acknowledge <= self._seen.alarm:
            self._say(Acknowledge(self._acknowledge))
        elif silent:
            self._say(Query())

    def _say(self, message: Query | Acknowledge) -> None:
        self._write(self._codec.encode(message))
        self._said_ns = time.monotonic_ns()

    def _lose(self, why: str) -> None:
        super()._lose(why)
        self._disconnected()

    def _disconnected(self) -> None:
        """Nothing is known of a unit that does not speak, but which alarm it had."""
        self._codec.forget()
        self._tell(replace(self._seen, connected=False, mode="off", count=None, deck="", fault=""))

    def _tell(self, status: ShufflerStatus) -> None:
        if status != self._told:
            self._told = status
            self._put(status)
