"""The virtual machine itself: QEMU, its plugs and its power switch.

Its disk is a layer over the image, in a file of its own, so the image stays clean and what the machine wrote outlives a
power cut. Whatever is said to QEMU goes through QMP.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.hil.accelerator import QEMU, accelerator
from tests.hil.image import Image
from tests.hil.rig import Broken
from ui.dealer.panels import Panel

PORT = 7000
"""Where the hands in the machine listen (tests/hil/guest/hands.py)."""
PLACES = 0x10
"""The slot of the first further disk."""
ANSWER_S = 3600.0
LOOK_S = 0.05
SHUFFLER = {
    "driver": "usb-serial",
    "id": "shuffler",
    "chardev": "shuffler",
    "serial": "felt-shuffler",
    "bus": "xhci.0",
    "port": "1",
}
"""The shuffler's USB plug: the same socket each time, as a technician is told to use."""


class Machine:
    """One virtual machine.

    folder: where its disk and its sockets are; a short path. panel: its display. data_disks: "table" or "bank" -> a disk
    of QEMU (nbd:unix:/path, or a file) that /var/lib/felt or /var/lib/felt-bank shall be on. told: of QEMU's events.
    """

    def __init__(
        self,
        folder: Path,
        image: Image,
        panel: Panel,
        told: Callable[[str], None] = lambda _event: None,
        data_disks: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.port = folder, 0
        self._image, self._panel, self._told = image, panel, told
        self._data_disks = dict(data_disks or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._qmp: Qmp | None = None
        self._starved_before_s = 0.0
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def console(self) -> Path:
        """What the kernel and systemd said on the serial console, of all boots."""
        return self.folder / "console.log"

    @property
    def shuffler(self) -> Path:
        """The socket that is the far end of the shuffler's cable."""
        return self.folder / "shuffler.sock"

    @property
    def on(self) -> bool:
        """The power is on."""
        return self._process is not None and self._process.poll() is None

    @property
    def now_s(self) -> float:
        """This computer's clock, which stands still while the machine could run and other programs have the processor."""
        return time.monotonic() - self._starved_s

    @property
    def _starved_s(self) -> float:
        return self._starved_before_s + (starved_s(self._process.pid) if self._process is not None else 0.0)

    @property
    def disk(self) -> Path:
        """What the machine has written, and its states that were kept."""
        return self.folder / "disk.qcow2"

    def new_disk(self) -> None:
        """A disk as it was when the image was made."""
        self.disk.unlink(missing_ok=True)
        layer = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(self._image.disk), str(self.disk)]
        subprocess.run(layer, check=True)

    def take_disk(self, of: Path) -> set[str]:
        """A copy of a disk that was kept; the names of the states on it."""
        subprocess.run(["cp", "--reflink=auto", "--sparse=always", str(of), str(self.disk)], check=True)
        listed = subprocess.run(
            ["qemu-img", "snapshot", "-l", str(self.disk)], check=True, stdout=subprocess.PIPE, text=True
        )
        return {line.split()[1] for line in listed.stdout.splitlines()[2:]}

    def power_on(self, *, paused: bool = False, clock: str = "") -> float:
        """Switch it on; when. Raises Broken if QEMU does not start.

        paused: nothing boots, a kept state is loaded next. clock: what its clock says then (2021-01-01T00:00:00);
        empty: the time.
        """
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        control = self.folder / "qmp.sock"
        control.unlink(missing_ok=True)
        log = (self.folder / "qemu.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                ["nice", "-n", "10", *self._command(control), *(["-S"] if paused else []), *_clock(clock)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        began = time.monotonic()
        while not control.exists() or not _answers(control):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LOOK_S)
            if not self.on or time.monotonic() - began > ANSWER_S:
                raise Broken(f"QEMU did not start: {(self.folder / 'qemu.log').read_text()[-500:]}")
        self._qmp = Qmp(control, self._told)
        return began

    def power_off(self) -> float:
        """Pull its plug: nothing that was not written yet will be; when."""
        if self._process is None:
            return time.monotonic()
        self._starved_before_s = self._starved_s
        self._process.kill()
        when = time.monotonic()
        self._process.wait()
        self._process = None
        if self._qmp is not None:
            self._qmp.close()
            self._qmp = None
        return when

    def quit(self) -> None:
        """Switch it off so that its disk is whole, with the states that are kept on it."""
        with contextlib.suppress(Broken):  # it may be gone before it answers
            self.say("quit")
        if self._process is not None:
            self._process.wait()

    def plug_shuffler(self, there: bool) -> None:
        """Put the shuffler's USB plug in, or pull it. While it is in, no state of the machine can be kept."""
        if there:
            self.say("device_add", **SHUFFLER)
        else:
            self.say("device_del", id=SHUFFLER["id"])

    def screenshot(self, to: Path) -> Path:
        """The display's pixels, as PNG."""
        self.say("screendump", filename=str(to), format="png")
        return to

    def say(self, command: str, **arguments: Any) -> Any:
        """A command of QMP; what it returns. Raises Broken."""
        return self._connected.say(command, arguments)

    @property
    def _connected(self) -> Qmp:
        if self._qmp is None:
            raise Broken("the virtual machine is off")
        return self._qmp

    def _command(self, control: Path) -> list[str]:
        boot = "root=/dev/vda rw console=ttyS0 quiet panic=0 mitigations=off random.trust_cpu=on"
        boot += " net.ifnames=0"  # a card that udev renames while it is set up was seen to cost a machine its network
        boot += " no_timer_check"  # starved of time as it booted, one was seen to panic: "timer does not work"
        screen = f"virtio-gpu-pci,xres={self._panel.width_px},yres={self._panel.height_px}"
        network = f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:{PORT}"
        return [
            *(QEMU, *accelerator().options, "-M", "q35", "-smp", "2", "-m", "2048"),
            *("-nodefaults", "-display", "none", "-action", "watchdog=reset", "-device", "i6300esb"),
            *("-kernel", str(self._image.kernel), "-initrd", str(self._image.initrd), "-append", boot),
            *("-drive", f"file={self.folder / 'disk.qcow2'},if=virtio,format=qcow2,cache=writeback"),
            *self._disks(),
            *("-chardev", f"file,id=console,path={self.console},append=on", "-serial", "chardev:console"),
            *("-qmp", f"unix:{control},server=on,wait=off"),
            *("-netdev", network, "-device", "virtio-net-pci,netdev=net,romfile="),
            *("-device", screen, "-device", "qemu-xhci,id=xhci"),
            *("-chardev", f"socket,id=shuffler,path={self.shuffler},server=on,wait=off"),
        ]

    def _disks(self) -> list[str]:
        said: list[str] = []
        for place, (name, where) in enumerate(self._data_disks.items()):  # behind the machine's own disk, which is vda
            said += ["-drive", f"file={where},if=none,id={name},format=raw,cache=writeback"]
            said += ["-device", f"virtio-blk-pci,drive={name},serial=felt-{name},addr={PLACES + place:#x}"]
        return said


class Qmp:
    """QEMU's control socket. One thread reads; answers come in the order of the commands."""

    def __init__(self, path: Path, told: Callable[[str], None]) -> None:
        self._told = told
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")
        self._lines.readline()  # its greeting
        self._lock = threading.Lock()
        self._answered = threading.Condition()
        self._answers: list[dict[str, Any]] = []
        self._gone = False
        threading.Thread(target=self._read, name="qmp", daemon=True).start()
        self.say("qmp_capabilities", {})

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def say(self, command: str, arguments: Mapping[str, Any]) -> Any:
        with self._lock:
            line = json.dumps({"execute": command, "arguments": dict(arguments)}).encode()
            try:
                self._socket.sendall(line + b"\n")
            except OSError as error:
                raise Broken(f"QEMU does not listen: {error}") from error
            with self._answered:
                self._answered.wait_for(lambda: self._answers or self._gone, ANSWER_S)
                if not self._answers:
                    raise Broken(f"QEMU {'is gone' if self._gone else 'does not answer'}: {command}")
                answer = self._answers.pop(0)
        if "error" in answer:
            raise Broken(f"QEMU refused {command}: {answer['error']['desc']}")
        return answer["return"]

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in self._lines:
                self._hear(json.loads(line))
        with self._answered:
            self._gone = True
            self._answered.notify_all()

    def _hear(self, said: dict[str, Any]) -> None:
        event = said.get("event")
        if event is None:
            with self._answered:
                self._answers.append(said)
                self._answered.notify()
            return
        self._told(event)


def starved_s(pid: int) -> float:
    """Of that thread of a process which waited longest for a processor (Documentation/scheduler/sched-stats.rst)."""
    longest_ns = 0
    for told in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            longest_ns = max(longest_ns, int(told.read_text().split()[1]))
    return longest_ns / 1e9


def _clock(says: str) -> list[str]:
    return ["-rtc", f"base={says}"] if says else []


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
        return knock.connect_ex(str(path)) == 0
