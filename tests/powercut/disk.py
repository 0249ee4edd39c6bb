"""A logged disk under a folder of this machine: nbdkit's plugin, nbdfuse, a loop device, the kernel's ext4.

A program's fsync goes: ext4 (jbd2) commits and sends a flush to the block layer -> the loop driver calls fsync on its file
-> FUSE_FSYNC to nbdfuse -> NBD_CMD_FLUSH -> `disk_plugin.flush`. FUSE writes through: no page of that file waits anywhere.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.powercut.crash import Cutter, read_log

SIZE = 192 << 20
"""Bytes: a table closes its bets where less than 64 MB are free."""
PROGRAMS = ("nbdkit", "nbdfuse", "fusermount3", "mke2fs", "e2fsck", "debugfs", "losetup", "mount", "umount")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
ENVIRONMENT = {**os.environ, "PATH": PATH, "PYTHONPATH": ""}
EXT4 = ("-q", "-F", "-t", "ext4", "-b", "4096", "-J", "size=4", "-N", "256")
PLUGIN = Path(__file__).with_name("disk_plugin.py")
PATIENCE_S = 10.0


class NoDisk(Exception):
    """This machine cannot have a logged disk, or its disk did not do what it was told; the text says what."""


def cannot() -> str:
    """Why this machine cannot have a logged disk; "" where it can."""
    if missing := [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]:
        return f"{', '.join(missing)} not found: apt-get install nbdkit nbdkit-plugin-python libnbd-bin fuse3 e2fsprogs"
    if os.geteuid() != 0:
        return "only root may mount a disk"
    if gone := [name for name in ("/dev/loop-control", "/dev/fuse") if not Path(name).exists()]:
        return f"{' and '.join(gone)} missing: this kernel, or this container, has none"
    return ""


def run(*command: str | Path) -> str:
    """What a command prints. Raises NoDisk where it fails."""
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode:
        raise NoDisk(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Server:
    """nbdkit with a disk in memory; its log is `NAME.log` in `folder`. It ends with the thread that started it."""

    def __init__(self, folder: Path, name: str, *, lies: int = 0) -> None:
        """`lies`: every so manyth flush is answered and not done; 0: none."""
        self.log, self.socket, self.said = (folder / f"{name}.{ending}" for ending in ("log", "nbd", "err"))
        self._lies, self._cut = lies, folder / f"{name}.cut"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, image: Path | None = None) -> None:
        """The disk is there, with this on it or nothing; a new log begins. Raises NoDisk."""
        self.log.unlink(missing_ok=True)
        self.socket.unlink(missing_ok=True)
        given = [f"log={self.log}", f"size={SIZE}", f"cut={self._cut}", *([f"image={image}"] if image else [])]
        given += [f"lies={self._lies}"] if self._lies else []
        self._process = spawn(self.said, "nbdkit", "--foreground", "--unix", self.socket, "python", PLUGIN, *given)
        _await(self.socket.exists, "nbdkit's socket")

    def fails_in(self, writes: int, within_s: float) -> bool:
        """Wait until its power fails with so many further writes; False where they were not made so soon."""
        wanted = self._cut.with_suffix(".wanted")
        wanted.write_text(str(writes))
        wanted.rename(self._cut)
        deadline = time.monotonic() + within_s
        while self._cut.exists() and time.monotonic() < deadline:
            threading.Event().wait(0.001)
        failed = not self._cut.exists()
        self._cut.unlink(missing_ok=True)
        return failed

    def end(self) -> None:
        """It is gone, whatever it was asked last."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def forget(self, way: str, chance: random.Random, image: Path) -> int:
        """Its power failed: `image` is what lies on it, its unflushed sectors as `way` has them; gives their number."""
        log = read_log(self.log)
        cutter = Cutter(log, SIZE)
        cutter.go_to(log[-1].at_ns)
        cutter.cut(way, chance).write(image)
        return cutter.outstanding


class LoggedDisk:
    """One disk of this machine, mounted at `NAME` in `folder`."""

    def __init__(self, folder: Path, name: str, *, lies: int = 0) -> None:
        """`lies`: every so manyth flush is answered and not done; 0: none."""
        self.mount, self._file = folder / name, folder / f"{name}.disk"
        self.server = Server(folder, name, lies=lies)
        self._fuse: subprocess.Popen[bytes] | None = None
        self._loop = ""

    def make(self) -> None:
        """A new disk with an empty ext4. Raises NoDisk."""
        self.mount.mkdir(parents=True)
        self._attach()
        run("mke2fs", *EXT4, self._loop)
        run("mount", "-t", "ext4", self._loop, self.mount)

    def restore(self, image: Path) -> None:
        """The power is back, and this is what lies on the disk; the kernel replays ext4's journal. Raises NoDisk."""
        self._attach(image)
        run("mount", "-t", "ext4", self._loop, self.mount)

    def _attach(self, image: Path | None = None) -> None:
        self.server.start(image)
        self._file.touch()
        self._fuse = spawn(self.server.said, "nbdfuse", self._file, "--unix", self.server.socket)
        _await(lambda: self._file.stat().st_size == SIZE, "nbdfuse's file")
        self._loop = run("losetup", "--show", "-f", self._file).strip()

    def settle(self) -> None:
        """What lies there now is on the disk, its folder's names too."""
        run("sync", "-f", self.mount)

    def kill(self) -> None:
        """The power goes: nothing that was not flushed is on the disk any more; the log says what was."""
        if self._fuse is not None:
            self._fuse.kill()
            self._fuse.wait()
        self.server.end()
        self._let_go()

    def close(self) -> None:
        """Unmount it in order, and end its programs."""
        if self._fuse is None:
            return
        if os.path.ismount(self.mount):
            run("umount", self.mount)
        self._let_go()
        self._fuse.terminate()
        self._fuse.wait()
        self._fuse = None
        self.server.end()

    def _let_go(self) -> None:
        if os.path.ismount(self.mount):
            run("umount", "-l", self.mount)
        if self._loop:
            run("losetup", "-d", self._loop)
            self._loop = ""
        subprocess.run(["fusermount3", "-u", "-q", "-z", str(self._file)], env=ENVIRONMENT, capture_output=True)


def spawn(said: Path, *command: str | Path) -> subprocess.Popen[bytes]:
    """A program that runs beside this one; `said`: where what it says is kept."""
    with said.open("ab") as log:
        words = [str(one) for one in command]
        return subprocess.Popen(words, env=ENVIRONMENT, start_new_session=True, stdin=subprocess.DEVNULL, stderr=log)


def _await(is_so: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline:
            raise NoDisk(f"waited {PATIENCE_S:.0f} s for {what}")
        threading.Event().wait(0.01)
