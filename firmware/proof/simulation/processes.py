"""The processes of a simulated bank: started, awaited, killed and started again. Everything listens on loopback."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from firmware.config import load_bank, load_table, submission
from firmware.proof.simulation.books import homes
from firmware.proof.simulation.person import FLOOR, MANAGER
from firmware.runtime import bank
from firmware.runtime.adoption import SOCKET, Question, Signature, ask
from firmware.runtime.clock import utc_s
from firmware.runtime.files import open_any
from firmware.runtime.table_journal import make_journal
from firmware.runtime.table_signatures import go_live

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
        """The file of its output."""
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

    def hear(self, within_s: float) -> bytes:
        """The next word of a program that notifies (sd_notify(3)); nothing if it is silent for so long."""
        assert self._notify is not None, f"{self.name} does not notify, or was not started"
        self._notify.settimeout(within_s)
        with contextlib.suppress(TimeoutError):
            return self._notify.recv(4096)
        return b""

    def _heard_ready(self) -> bool:
        if self.notifies:
            return b"READY=1" in self.hear(0.1)
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
    return submission(load_table(file), file).on_sensor != ()


def _felt(home: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> Part:
    command = [sys.executable, "-m", "firmware", "--log", "INFO", *arguments]
    return Part(arguments[0], command, home, environment or {})


def make_ledger(home: Path, file: Path | None = None) -> None:
    """The first step of a new bank: `felt bank new`. `file`: its bank.toml; None: the defaults of the simulation."""
    path = home / "bank.ledger"
    if not path.exists():
        config = load_bank(file)
        rules = bank.rules_of(config, submission(config, file), file)
        bank.make_ledger(path, config.id, rules, secrets.token_hex(16))


class SimulatedTable:
    """One table of a bank: its cabinet, its program and its screen, in a folder of its own."""

    def __init__(
        self, home: Path, file: Path | None, broker_url: str, *, seed: int, headless: bool, pictures: Path | None
    ) -> None:
        """`file`: its table.toml; None: the defaults of the simulation. Raises DidNotStart for a home with a long name."""
        if len(os.fsencode(home)) > HOME_MAX:
            raise DidNotStart(f"{home}: too long a path for Unix sockets; choose a shorter folder with --home")
        self.home, self._file = home, file
        configured = ["--config", str(file)] if file else []
        at_home = ["--home", str(home)]
        look = ["--pictures", str(pictures)] if pictures else []
        window: dict[str, str] = {"SDL_VIDEODRIVER": "dummy"} if headless else {}
        below = [] if headless else ["--cabinet"]
        self.cabinet = _felt(home, "cabinet", *configured, *at_home, "--seed", str(seed))
        self.table = _felt(home, "table", *configured, *at_home, "--broker", broker_url, "--observe")
        self.screen = _felt(home, "screen", *configured, *at_home, *look, *below, environment=window)

    def make_journal(self) -> None:
        """The first steps of a new table: `felt table new`, and two people say `felt table live`."""
        path = self.home / "table.journal"
        if not path.exists():
            config = load_table(self._file)
            make_journal(path, config.id, config.seats.count)
            go_live(path, (FLOOR[0], MANAGER[0]), utc_s())

    def is_adopted(self, bank: Path) -> None:
        """The deed of two people for a new table, at the bank that runs there: `felt bank adopt`. Raises DidNotStart."""
        signed = (Signature(*FLOOR), Signature(*MANAGER))
        with closing(open_any(self.home / "table.journal")) as journal:
            asked = Question(load_table(self._file).id, journal.id, signed)
        answer = ask(bank / SOCKET, asked)
        if answer is None or answer.refused:
            raise DidNotStart(f"{asked.table} was not adopted: {answer.refused if answer else 'no bank listens'}")


class SimulatedBank:
    """A whole bank on one machine: broker, bank, sign, and tables, each with its cabinet and its screen.

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
        tables: int = 1,
        cable_port: int = 0,
    ) -> None:
        """`configuration`: a folder that `books.write` wrote for so many `tables`; None: the defaults of the simulation.

        `pictures`: a folder for those of the first table's screen. cable_port: the port of loopback that the tables dial,
        where something lies between them and the broker. Raises ConfigError for a table.toml that cannot be used.
        """
        self.home = home
        self.is_linked = _is_linked(configuration / "table.toml" if configuration else None)
        self.broker_port = broker_port or free_port()
        self.sign_port = sign_port or free_port()
        broker_url = f"mqtt://127.0.0.1:{self.broker_port}"
        self._bank_file = configuration and configuration / "bank.toml"
        of_bank = ["--config", str(self._bank_file)] if self._bank_file else []
        at_home = ["--home", str(home), "--broker", broker_url]
        self.broker = self._mosquitto() if mosquitto else _felt(home, "broker", "--port", str(self.broker_port))
        self.bank = _felt(home, "bank", *of_bank, *at_home)
        self.sign = _felt(home, "sign", *of_bank, *at_home, "--port", str(self.sign_port))
        folders = homes(configuration, tables) if configuration else [None]
        self.tables = tuple(
            SimulatedTable(
                own,
                folder and folder / "table.toml",
                f"mqtt://127.0.0.1:{cable_port or self.broker_port}",
                seed=seed + number,
                headless=headless,
                pictures=None if number else pictures,
            )
            for number, (own, folder) in enumerate(zip(homes(home, tables), folders, strict=True))
        )
        self._of_the_bank = (self.broker, self.bank, self.sign) if self.is_linked else ()

    @property
    def processes(self) -> Sequence[Part]:
        """All of them: the bank's, and each table's with its screen last."""
        of_tables = (part for one in self.tables for part in (one.cabinet, one.table, one.screen))
        return (*self._of_the_bank, *of_tables)

    @property
    def cabinet(self) -> Part:
        """The first table's."""
        return self.tables[0].cabinet

    @property
    def table(self) -> Part:
        """The first table's program."""
        return self.tables[0].table

    @property
    def screen(self) -> Part:
        """The first table's."""
        return self.tables[0].screen

    @property
    def sign_address(self) -> str:
        """The page of the sign."""
        return f"http://127.0.0.1:{self.sign_port}/"

    def _mosquitto(self) -> Part:
        path = mosquitto_path()
        assert path is not None, "mosquitto is not installed"
        configuration = self.home / "mosquitto.conf"
        self.home.mkdir(parents=True, exist_ok=True)
        configuration.write_text(
            f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
            f"max_queued_messages 0\nset_tcp_nodelay true\n",
            encoding="utf-8",
        )
        command = [path, "-c", str(configuration)]
        port = self.broker_port
        return Part("mosquitto", command, self.home, notifies=False, is_ready=lambda: _accepts(port))

    def start(self) -> None:
        """Start everything at once and wait until all of it is ready. A screen needs its cabinet, so it comes last."""
        ledger = self.home / "bank.ledger"
        new = [table for table in self.tables if not (ledger.exists() and (table.home / "table.journal").exists())]
        for table in self.tables:
            table.make_journal()
        if self.is_linked:
            make_ledger(self.home, self._bank_file)
        screens = [table.screen for table in self.tables]
        for process in self.processes:
            if process not in screens:
                process.start()
        for table in self.tables:
            table.cabinet.wait_ready()
            table.screen.start()
        cabinets = [table.cabinet for table in self.tables]
        for process in self.processes:
            if process not in cabinets:
                process.wait_ready()
        for table in new if self.is_linked else ():
            table.is_adopted(self.home)

    def stop(self) -> None:
        """Stop everything, screens first, the broker last."""
        for process in reversed(self.processes):
            process.stop()
