"""The processes of a simulated bank: started, awaited, killed and started again. Everything listens on loopback."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware.config import load_table, submission
from firmware.runtime.table import make_journal

READY_S = 30.0
STOP_S = 10.0
HOME_MAX = 80
"""Bytes of a folder's path: a Unix socket in it has 108 at most."""


class DidNotStart(Exception):
    """A process ended or stayed silent instead of becoming ready; its last words are in the text."""


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Part:
    """One process that says READY=1 on a notification socket, as it would to systemd."""

    name: str
    command: Sequence[str]
    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    notifies: bool = True
    is_ready: Callable[[], bool] | None = None
    """For a program that does not notify: asked again and again."""
    _process: subprocess.Popen[bytes] | None = None
    _notify: socket.socket | None = None

    @property
    def log(self) -> Path:
        """Where its output goes."""
        return self.home / f"{self.name}.log"

    @property
    def pid(self) -> int:
        """The running process."""
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    @property
    def running(self) -> bool:
        """True until it ended or was stopped."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start without waiting."""
        self.home.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **self.environment}
        environment.pop("NOTIFY_SOCKET", None)
        if self.notifies:
            address = self.home / f"{self.name}.notify"
            address.unlink(missing_ok=True)
            self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._notify.bind(str(address))
            environment["NOTIFY_SOCKET"] = str(address)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True
            )

    def wait_ready(self) -> None:
        """Until it is ready. Raises DidNotStart."""
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if self._heard_ready():
                return
            if not self.running:
                break
        raise DidNotStart(f"{self.name} did not become ready; the end of {self.log}:\n{self.last_words()}")

    def _heard_ready(self) -> bool:
        if self._notify is not None:
            self._notify.settimeout(0.1)
            with contextlib.suppress(TimeoutError):
                return b"READY=1" in self._notify.recv(4096)
            return False
        assert self.is_ready is not None, f"{self.name} has no way to say that it is ready"
        return self.is_ready()

    def last_words(self) -> str:
        """The end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-2000:] if self.log.exists() else ""

    def kill(self) -> None:
        """SIGKILL: the power goes."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM, as an operator stops it; the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)
        try:
            code = process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        if self._notify is not None:
            self._notify.close()
            self._notify = None
        return code

    def restart(self) -> None:
        """Start again and wait until it is ready."""
        self.start()
        self.wait_ready()


def _accepts(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=0.1):
        return True
    return False


def mosquitto_path() -> str | None:
    """The mosquitto program of this machine; Debian keeps it outside a user's PATH."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def _is_linked(file: Path | None) -> bool:
    return submission(load_table(file), file).progressive is not None


class SimulatedBank:
    """A whole bank on one machine: broker, bank, sign, cabinet, one table and its screen.

    A table whose submission has no progressive wager has nothing to do with a bank: cabinet, table and screen only.
    """

    def __init__(
        self,
        home: Path,
        *,
        mosquitto: bool = False,
        headless: bool = True,
        seed: int = 0,
        pictures: Path | None = None,
        broker_port: int = 0,
        sign_port: int = 0,
        configuration: Path | None = None,
    ) -> None:
        """`configuration`: a folder with table.toml and bank.toml; None: the defaults of the simulation.

        Raises ConfigError for a table.toml that cannot be used.
        """
        if len(os.fsencode(home)) > HOME_MAX:
            raise DidNotStart(f"{home}: too long a path for Unix sockets; choose a shorter folder with --home")
        self.home = home
        self._table_file = configuration / "table.toml" if configuration else None
        self.is_linked = _is_linked(self._table_file)
        self.broker_port = broker_port or free_port()
        self.sign_port = sign_port or free_port()
        broker_url = f"mqtt://127.0.0.1:{self.broker_port}"
        to_broker = ["--broker", broker_url]
        of_table = ["--config", str(configuration / "table.toml")] if configuration else []
        of_bank = ["--config", str(configuration / "bank.toml")] if configuration else []
        at_home = ["--home", str(home)]
        look = ["--pictures", str(pictures)] if pictures else []
        window: dict[str, str] = {"SDL_VIDEODRIVER": "dummy"} if headless else {}
        below = [] if headless else ["--cabinet"]
        self.broker = self._mosquitto() if mosquitto else self._felt("broker", "--port", str(self.broker_port))
        self.bank = self._felt("bank", *of_bank, *at_home, *to_broker)
        self.sign = self._felt("sign", *of_bank, *at_home, *to_broker, "--port", str(self.sign_port))
        self.cabinet = self._felt("cabinet", *of_table, *at_home, "--seed", str(seed))
        self.table = self._felt("table", *of_table, *at_home, *to_broker, "--observe")
        self.screen = self._felt("screen", *of_table, *at_home, *look, *below, environment=window)
        of_the_bank = (self.broker, self.bank, self.sign) if self.is_linked else ()
        self.processes = (*of_the_bank, self.cabinet, self.table, self.screen)

    @property
    def sign_address(self) -> str:
        """The page of the sign."""
        return f"http://127.0.0.1:{self.sign_port}/"

    def _felt(self, *arguments: str, environment: Mapping[str, str] | None = None) -> Part:
        command = [sys.executable, "-m", "firmware", "--log", "INFO", *arguments]
        return Part(arguments[0], command, self.home, environment or {})

    def _mosquitto(self) -> Part:
        path = mosquitto_path()
        assert path is not None, "mosquitto is not installed"
        configuration = self.home / "mosquitto.conf"
        self.home.mkdir(parents=True, exist_ok=True)
        configuration.write_text(
            f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {self.home}/\nmax_queued_messages 0\nset_tcp_nodelay true\n",
            encoding="utf-8",
        )
        command = [path, "-c", str(configuration)]
        port = self.broker_port
        return Part("mosquitto", command, self.home, notifies=False, is_ready=lambda: _accepts(port))

    def _make_journal(self) -> None:
        """What a technician does once for a new table: `felt table new`."""
        path = self.home / "table.journal"
        if not path.exists():
            config = load_table(self._table_file)
            make_journal(path, config.id, config.seats.count)

    def start(self) -> None:
        """Start everything at once and wait until all of it is ready. The screen needs the cabinet, so it comes last."""
        self._make_journal()
        first = [process for process in self.processes if process is not self.screen]
        for process in first:
            process.start()
        self.cabinet.wait_ready()
        self.screen.start()
        for process in self.processes:
            if process is not self.cabinet:
                process.wait_ready()

    def stop(self) -> None:
        """Stop everything, screens first, the broker last."""
        for process in reversed(self.processes):
            process.stop()
