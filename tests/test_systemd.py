"""The units, the broker's configuration and the rules beside them: read as systemd and mosquitto read them, and run."""

from __future__ import annotations

import ctypes
import os
import pwd
import re
import select
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from queue import Queue
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from firmware import config as c
from firmware.__main__ import main, parser_of_all
from firmware.config import LinkConfig
from firmware.proof.simulation.processes import free_port, mosquitto_path
from firmware.runtime.glass import Glass
from firmware.runtime.link import Arrived, Connected, Disconnected, Link, Visited, visit
from tests.crowd import crowd

ROOT = Path(__file__).resolve().parent.parent
SYSTEMD = ROOT / "systemd"
EXAMPLES = ROOT / "docs" / "examples"
UNITS = ("felt-table", "felt-screen", "felt-bank", "felt-sign", "felt-mirror")
INSTALLED = "/opt/felt/.venv/bin/felt"
Unit = dict[str, list[str]]

OURS = pytest.mark.parametrize("name", UNITS)


def unit(name: str) -> Unit:
    """Key -> its values in order: a unit may say a key more than once."""
    said: Unit = {}
    for line in (SYSTEMD / f"{name}.service").read_text(encoding="utf-8").splitlines():
        key, found, value = line.partition("=")
        if found and not line.startswith("#"):
            said.setdefault(key, []).append(value)
    return said


def one(said: Unit, key: str) -> str:
    values = said.get(key, [])
    assert len(values) == 1, f"{key} stands {len(values)} times"
    return values[0]


def arguments(name: str) -> list[str]:
    program, *given = shlex.split(one(unit(name), "ExecStart"))
    assert program == INSTALLED
    return given


# As systemd reads them ------------------------------------------------------------------------------------------------


def test_systemd_finds_nothing_to_say_about_the_units(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    copies = []
    for name in UNITS:
        text = (SYSTEMD / f"{name}.service").read_text(encoding="utf-8")
        copy = tmp_path / f"{name}.service"
        copy.write_text(
            text.replace(INSTALLED, "/bin/true").replace("/opt/felt/systemd", str(SYSTEMD)), encoding="utf-8"
        )
        copies.append(str(copy))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *copies], capture_output=True, text=True, timeout=60
    )
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if "felt-" in line]) == (0, [])


def test_systemd_makes_the_users_and_files_that_the_units_name(tmp_path: Path) -> None:
    if not shutil.which("systemd-sysusers") or not shutil.which("systemd-tmpfiles") or os.geteuid() != 0:
        pytest.skip("needs root, systemd-sysusers and systemd-tmpfiles")
    (tmp_path / "etc" / "felt").mkdir(parents=True)
    (tmp_path / "etc" / "felt" / "table.key").write_text("secret", encoding="utf-8")
    root = f"--root={tmp_path}"
    subprocess.run(["systemd-sysusers", root, str(SYSTEMD / "felt.sysusers.conf")], check=True, capture_output=True)
    users = {line.split(":")[0]: line for line in (tmp_path / "etc" / "passwd").read_text().splitlines()}
    assert {one(unit(name), "User") for name in UNITS} == set(users)
    assert all(line.endswith("nologin") for line in users.values())
    subprocess.run(
        ["systemd-tmpfiles", "--create", root, str(SYSTEMD / "felt.tmpfiles.conf")], check=True, capture_output=True
    )
    key = (tmp_path / "etc" / "felt" / "table.key").stat()
    assert (key.st_mode & 0o777, key.st_uid) == (0o640, 0)
    assert key.st_gid == int(users["felt"].split(":")[3])


@OURS
def test_a_unit_is_a_command_of_felt_with_a_configuration_that_the_documents_have(name: str) -> None:
    options = parser_of_all().parse_args(arguments(name))
    assert options.command == name.removeprefix("felt-")
    assert str(options.config) == one(unit(name), "ConditionPathExists")
    example = EXAMPLES / options.config.name
    loaded = c.load_table(example) if options.config.name == "table.toml" else c.load_bank(example)
    if "StateDirectory" in unit(name):
        assert loaded.home == f"/var/lib/{one(unit(name), 'StateDirectory')}"


HARDENED = {
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "RestrictSUIDSGID": "yes",
    "SystemCallFilter": "@system-service",
}


@OURS
def test_a_unit_comes_back_for_ever_and_may_do_little(name: str) -> None:
    said = unit(name)
    assert (one(said, "Type"), one(said, "Restart"), one(said, "StartLimitIntervalSec")) == ("notify", "always", "0")
    assert {key: one(said, key) for key in HARDENED} == HARDENED
    assert one(said, "User") != "root"
    assert said.get("PrivateDevices") == ["yes"] or one(said, "DevicePolicy") == "closed"


@OURS
def test_a_unit_comes_back_after_a_second_however_often_it_fell(name: str) -> None:
    """systemd's back-off never counts a good start (systemd#43813), and Debian 12's systemd 252 does not know it."""
    said = unit(name)
    assert one(said, "RestartSec") == "1" and not {"RestartSteps", "RestartMaxDelaySec"} & set(said)


def test_the_table_depends_on_nobody() -> None:
    said = unit("felt-table")
    assert not {"Requires", "Requisite", "BindsTo", "PartOf", "Wants", "After", "Conflicts"} & set(said)


def test_the_table_owns_its_files_and_the_screen_only_looks() -> None:
    table, screen = unit("felt-table"), unit("felt-screen")
    assert not {"StateDirectory", "ReadWritePaths"} & set(screen)
    assert "AF_INET" not in one(screen, "RestrictAddressFamilies")
    hidden = {path.removeprefix("-") for path in one(screen, "InaccessiblePaths").split()}
    assert {f"/var/lib/{one(table, 'StateDirectory')}", "/etc/felt/table.key"} <= hidden


def test_every_program_has_a_user_of_its_own_and_no_other_programs_group() -> None:
    users = [one(unit(name), "User") for name in UNITS]
    assert len(set(users)) == len(UNITS)
    for name in UNITS:
        groups = {group for line in unit(name).get("SupplementaryGroups", []) for group in line.split()}
        assert not groups & set(users), name


SCREENS_USER, STRANGERS_USER = 64_000, 64_001
"""Nobody's numbers. The program itself runs as the user of the tests, who is root here."""


def as_user(user: int, groups: list[int], act: Callable[[], object]) -> str:
    """What becomes of an act of another user of this machine: "done", or the name of what it was refused with."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setgroups(groups)
        os.setgid(user)
        os.setuid(user)
        try:
            act()
            os.write(write, b"done")
        except OSError as error:
            os.write(write, type(error).__name__.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as said:
        answer = said.read().decode()
    os.waitpid(child, 0)
    return answer


def test_a_screens_user_reaches_the_table_at_its_socket_and_reads_neither_journal_nor_key() -> None:
    """With the users, groups, folders and modes of the files in `systemd/`, and a table's real files."""
    if not shutil.which("systemd-sysusers") or not shutil.which("systemd-tmpfiles") or os.geteuid() != 0:
        pytest.skip("needs root, systemd-sysusers and systemd-tmpfiles")
    with tempfile.TemporaryDirectory() as made:
        installed_as_the_files_say(Path(made))


def installed_as_the_files_say(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    root = f"--root={tmp_path}"
    (tmp_path / "etc" / "felt").mkdir(parents=True)
    shutil.copy(EXAMPLES / "table.toml", tmp_path / "etc" / "felt")
    (tmp_path / "etc" / "felt" / "table.key").write_text("secret", encoding="ascii")
    for tool in (["systemd-sysusers", root], ["systemd-tmpfiles", "--create", root]):
        file = SYSTEMD / f"felt.{tool[0].removeprefix('systemd-')}.conf"
        subprocess.run([*tool, str(file)], check=True, capture_output=True)
    home = tmp_path / "var" / "lib" / "felt"
    home.mkdir(parents=True, mode=int(one(unit("felt-table"), "StateDirectoryMode"), 8))
    mask = os.umask(int(one(unit("felt-table"), "UMask"), 8))
    try:
        assert main(["table", "new", "--home", str(home)]) == 0
    finally:
        os.umask(mask)
    [entry] = [line for line in (tmp_path / "etc" / "group").read_text().splitlines() if line.startswith("felt-glass:")]
    assert set(entry.split(":")[3].split(",")) == {"felt", "felt-screen"}
    group = int(entry.split(":")[2])
    place = tmp_path / str(c.load_table(EXAMPLES / "table.toml").screen.socket).lstrip("/")
    glass = Glass(place, lambda _: None, observable=False, shared=True)
    glass.start()
    try:

        def reaches() -> None:
            with socket.socket(socket.AF_UNIX) as screen:
                screen.connect(str(place))

        acts: dict[str, Callable[[], object]] = {
            "socket": reaches,
            "table.toml": (tmp_path / "etc" / "felt" / "table.toml").read_bytes,
            "table.key": (tmp_path / "etc" / "felt" / "table.key").read_bytes,
            "journal": (home / "table.journal").read_bytes,
            "seal key": (home / "table-seal.key").read_bytes,
            "another's socket": lambda: place.unlink(),
        }
        screens = {what: as_user(SCREENS_USER, [group], act) for what, act in acts.items()}
        strangers = {what: as_user(STRANGERS_USER, [], act) for what, act in acts.items()}
    finally:
        glass.close()
    refused = dict.fromkeys(acts, "PermissionError")
    assert screens == {**refused, "socket": "done", "table.toml": "done"}
    assert strangers == refused


def test_the_installed_socket_lies_in_the_folder_that_table_and_screen_share() -> None:
    made = [line.split() for line in (SYSTEMD / "felt.tmpfiles.conf").read_text().splitlines() if line.startswith("d ")]
    [folder] = [line for line in made if line[1] == one(unit("felt-table"), "ReadWritePaths")]
    assert folder[2:5] == ["2750", "felt", "felt-glass"], "what is made in it gets its group"
    for example in EXAMPLES.glob("table*.toml"):
        assert str(Path(c.load_table(example).screen.socket).parent) == folder[1], example


def test_lgpio_can_make_its_pipes() -> None:
    said = unit("felt-table")
    assert f"LG_WD=/run/{one(said, 'RuntimeDirectory')}" in said["Environment"]


def test_the_table_may_open_every_device_of_its_example() -> None:
    said, example = unit("felt-table"), c.load_table(EXAMPLES / "table.toml")
    classes = {"/dev/serial": "char-ttyUSB", "/dev/input": "char-input"}
    for path in (example.shuffler.port, example.badge.device):
        kind = next(kind for folder, kind in classes.items() if path.startswith(folder))
        assert f"{kind} rw" in said["DeviceAllow"], path
    assert {"gpio", "dialout", "input"} <= set(one(said, "SupplementaryGroups").split())


def test_before_a_table_starts_and_after_it_died_its_lines_are_made_safe_and_that_keeps_no_table_from_starting() -> (
    None
):
    said = unit("felt-table")
    for key in ("ExecStartPre", "ExecStopPost"):
        program, *given = shlex.split(one(said, key))
        assert program == f"-{INSTALLED}"
        options = parser_of_all().parse_args(given)
        assert (options.command, options.lines_command) == ("lines", "safe")
        assert str(options.config) == one(said, "ConditionPathExists")


def test_the_lines_about_a_raspberry_pi_do_nothing_elsewhere_and_may_be_run_again(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in guide.splitlines() if line.startswith("    ") and "/boot/firmware" in line]
    script = "\n".join(lines).replace("sudo ", "").replace("/boot/firmware", str(tmp_path))
    assert len(lines) == 2

    def run() -> list[str]:
        subprocess.run(["sh", "-e", "-c", script], check=True, capture_output=True, timeout=10)
        return [path.read_text(encoding="ascii") for path in sorted(tmp_path.iterdir())]

    assert run() == [], "plain Debian has no such files"
    (tmp_path / "cmdline.txt").write_text("root=PARTUUID=1 rootwait\n", encoding="ascii")
    (tmp_path / "config.txt").write_text("dtparam=audio=on\n[cm4]\notg_mode=1\n", encoding="ascii")
    first = run()
    assert first == [
        "root=PARTUUID=1 rootwait consoleblank=0 vt.global_cursor_default=0\n",
        "dtparam=audio=on\n[cm4]\notg_mode=1\n[all]\ndtparam=strict_gpiod\n",
    ]
    assert run() == first


def test_the_table_goes_before_the_screen() -> None:
    table, screen = unit("felt-table"), unit("felt-screen")
    assert int(one(table, "Nice")) < 0 < int(one(screen, "Nice"))
    assert int(one(table, "CPUWeight")) > 100, "the weight of everybody else"


def exposure(unit_file: Path) -> float:
    """How much a service may do, from 0 to 10, as systemd-analyze judges it."""
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", str(unit_file)], capture_output=True, text=True, timeout=60
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", judged.stdout)
    assert found, judged.stderr
    return float(found[1])


def test_the_broker_may_do_little_once_our_lines_are_added_to_its_unit(tmp_path: Path) -> None:
    debians = Path("/lib/systemd/system/mosquitto.service")
    if not shutil.which("systemd-analyze") or not debians.exists():
        pytest.skip("needs systemd-analyze and Debian's mosquitto")
    copy = tmp_path / "mosquitto.service"
    shutil.copy(debians, copy)
    assert exposure(copy) > 9
    added = tmp_path / "mosquitto.service.d"
    added.mkdir()
    shutil.copy(SYSTEMD / "felt-mosquitto.conf", added / "felt.conf")
    assert exposure(copy) < 2
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, timeout=60
    )
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if "mosquitto" in line]) == (0, [])


def of_the_broker(word: str, file: str) -> str:
    """What a line of its drop-in, or of its configuration, says."""
    said = re.findall(rf"^{word}[= ](.*)$", (SYSTEMD / file).read_text(encoding="utf-8"), re.M)
    assert len(said) == 1, f"{word} stands in {file} {len(said)} times"
    return str(said[0])


def test_the_broker_writes_nothing_that_a_power_cut_could_damage() -> None:
    added = (SYSTEMD / "felt-mosquitto.conf").read_text(encoding="utf-8")
    configured = (SYSTEMD / "mosquitto.conf").read_text(encoding="utf-8")
    assert of_the_broker("persistence", "mosquitto.conf") == "false"
    assert "persistence_location" not in configured and "StateDirectory" not in added
    assert "\nUser=mosquitto\n" in added and "pid_file" not in configured


def test_the_broker_is_never_given_up_and_has_more_files_than_callers() -> None:
    said = {word: of_the_broker(word, "felt-mosquitto.conf") for word in ("StartLimitIntervalSec", "Restart")}
    assert said == {"StartLimitIntervalSec": "0", "Restart": "always"}
    files, callers = (
        of_the_broker("LimitNOFILE", "felt-mosquitto.conf"),
        of_the_broker("max_connections", "mosquitto.conf"),
    )
    assert int(files) >= int(callers) + 1000


FIREWALL = """
import socket, subprocess, sys
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.run(["nft", "-f", sys.argv[1]], check=True)
subprocess.run(["nft", "-f", sys.argv[1]], check=True)
listening = socket.create_server(("127.0.0.1", 8883), backlog=64)
held = []
for _ in range(20):
    caller = socket.socket()
    caller.settimeout(0.5)
    try:
        caller.connect(("127.0.0.1", 8883))
        held.append(caller)
    except TimeoutError:
        pass
print(len(held))
held.pop().close()
listening.close()
"""
"""In a network of its own: the rules are loaded twice, and one machine calls twenty times."""


def test_one_machine_holds_sixteen_connections_at_the_brokers_port(tmp_path: Path) -> None:
    tools = [shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin") for tool in ("nft", "ip", "unshare")]
    if not all(tools) or subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode:
        pytest.skip("needs nft, ip and a network namespace: sudo apt-get install nftables iproute2")
    rules = (SYSTEMD / "felt-broker.nft").read_text(encoding="utf-8")
    assert "        iif lo accept\n" in rules
    (tmp_path / "rules.nft").write_text(rules.replace("        iif lo accept\n", ""), encoding="utf-8")
    tried = subprocess.run(
        ["unshare", "-rn", sys.executable, "-c", FIREWALL, str(tmp_path / "rules.nft")],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"},
    )
    assert (tried.returncode, tried.stdout) == (0, "16\n"), tried.stderr


def test_a_lost_chip_cannot_write_the_log_full() -> None:
    said = unit("felt-table")
    assert (one(said, "LogRateLimitIntervalSec"), one(said, "LogRateLimitBurst")) == ("10s", "200")


def test_a_table_that_hangs_is_killed_within_five_seconds() -> None:
    assert float(one(unit("felt-table"), "WatchdogSec")) <= 5


def test_the_screen_draws_on_the_kernel_and_on_no_desktop() -> None:
    said = unit("felt-screen")
    assert {"SDL_VIDEODRIVER=kmsdrm", "SDL_RENDER_DRIVER=opengles2"} <= set(said["Environment"])
    assert (one(said, "TTYPath"), one(said, "StandardInput")) == ("/dev/tty1", "tty")
    assert one(said, "Conflicts") == "getty@tty1.service"


def test_every_group_of_a_unit_is_there() -> None:
    ours = re.findall(r"^g (\S+)", (SYSTEMD / "felt.sysusers.conf").read_text(encoding="utf-8"), flags=re.MULTILINE)
    needed = {group for name in UNITS for line in unit(name).get("SupplementaryGroups", []) for group in line.split()}
    assert needed <= {*ours, "dialout", "video", "render", "input"}, "Debian makes only the last four itself"


# The panel ------------------------------------------------------------------------------------------------------------

CONNECTORS = {
    # what the kernel lists: the card that is chosen
    "the panel of a Pi 4": ({"card0-HDMI-A-1": "disconnected", "card1-DSI-1": "connected"}, "1"),
    "a Pi 5, whose panel is a card of its own": ({"card0-DSI-1": "connected", "card2-HDMI-A-1": "connected"}, "0"),
    "a panel goes before HDMI": ({"card0-HDMI-A-1": "connected", "card2-DSI-2": "connected"}, "2"),
    "only HDMI": ({"card1-HDMI-A-1": "disconnected", "card1-HDMI-A-2": "connected"}, "1"),
    "card ten": ({"card10-HDMI-A-1": "connected"}, "10"),
    "nothing is plugged in": ({"card0-HDMI-A-1": "disconnected", "card1-DSI-1": "disconnected"}, None),
    "no graphics at all": ({}, None),
}


@pytest.mark.parametrize(("listed", "card"), CONNECTORS.values(), ids=CONNECTORS)
def test_the_screen_finds_its_card(listed: dict[str, str], card: str | None, tmp_path: Path) -> None:
    kernel = tmp_path / "drm"
    (kernel / "card0").mkdir(parents=True)
    for connector, status in listed.items():
        (kernel / connector).mkdir()
        (kernel / connector / "status").write_text(f"{status}\n", encoding="ascii")
    told = tmp_path / "card"
    ran = subprocess.run([SYSTEMD / "felt-screen-card", told, kernel], capture_output=True, text=True, timeout=10)
    if card is None:
        assert ran.returncode == 1
        assert "no panel is connected" in ran.stderr
        assert not told.exists()
    else:
        assert (ran.returncode, told.read_text(encoding="ascii")) == (0, f"SDL_KMSDRM_DEVICE_INDEX={card}\n")


def test_the_unit_reads_what_the_search_wrote() -> None:
    said = unit("felt-screen")
    program, file = one(said, "ExecStartPre").split()
    assert (program, one(said, "EnvironmentFile")) == ("/opt/felt/systemd/felt-screen-card", f"-{file}")
    assert file.startswith(f"/run/{one(said, 'RuntimeDirectory')}/")


# As systemd runs them -------------------------------------------------------------------------------------------------

WATCHED_S = 7.0
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1
"""linux/prctl.h: what MemoryDenyWriteExecute asks for; Linux 6.3."""


def simulated(name: str, home: Path) -> list[str]:
    """The unit's own command, but in the simulation, in a folder of the test and on any free port."""
    given = arguments(name)
    config = given.index("--config")
    given[config : config + 2] = ["--home", str(home)]
    if "--port" in given:
        given[given.index("--port") + 1] = "0"
    return [sys.executable, "-m", "firmware", *given]


def deny_write_execute() -> None:
    ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)


def listen_to(name: str, home: Path, heard: Queue[tuple[str, bytes, float]]) -> subprocess.Popen[bytes]:
    """Start a unit's program as systemd would; what it notifies goes into the queue, with its time."""
    address = home / f"{name}.notify"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(str(address))
    # A watchdog's time of three microseconds: every turn of the loop pets.
    watched = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "3", "SDL_VIDEODRIVER": "dummy"}
    environment = {**os.environ, **watched}
    environment.pop("WATCHDOG_PID", None)
    strict = unit(name).get("MemoryDenyWriteExecute") == ["yes"]
    with (home / f"{name}.log").open("wb") as log:
        program = subprocess.Popen(
            simulated(name, home),
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            preexec_fn=deny_write_execute if strict else None,
        )

    def hear() -> None:
        with listening:
            while program.poll() is None:
                readable, _, _ = select.select([listening], [], [], 0.1)
                if readable:
                    heard.put((name, listening.recv(4096), time.monotonic()))

    threading.Thread(target=hear, daemon=True).start()
    return program


@pytest.mark.slow
def test_every_program_says_it_is_ready_and_pets_often_enough_for_its_unit(tmp_path: Path) -> None:
    """With nothing to do (no broker, no cabinet): the longest that a loop may ever be still."""
    heard: Queue[tuple[str, bytes, float]] = Queue()
    for made in ("table", "bank"):
        assert main([made, "new", "--home", str(tmp_path)]) == 0
    programs = {name: listen_to(name, tmp_path, heard) for name in UNITS}
    try:
        ready, turns = watch(heard, lambda: {name: program.poll() for name, program in programs.items()}, tmp_path)
    finally:
        for program in programs.values():
            program.send_signal(signal.SIGTERM)
        codes = {name: program.wait(10) for name, program in programs.items()}
    assert codes == dict.fromkeys(UNITS, 0)
    for name in UNITS:
        allowed_s = float(one(unit(name), "WatchdogSec"))
        moments = [ready[name], *turns[name], ready[name] + WATCHED_S]
        still_s = max(later - earlier for earlier, later in pairwise(moments))
        # A pet is sent at most three times in the watchdog's time, so the next may come a third and a turn after one.
        assert allowed_s / 3 + still_s <= allowed_s * 0.75, f"{name} is still for {still_s:.1f} s of {allowed_s} s"


def watch(
    heard: Queue[tuple[str, bytes, float]], ended: Callable[[], dict[str, int | None]], home: Path
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """Name -> when it was ready, and the moments of its pets up to WATCHED_S later."""
    ready: dict[str, float] = {}
    turns: dict[str, list[float]] = {name: [] for name in UNITS}
    deadline = time.monotonic() + 60
    while len(ready) < len(UNITS) or time.monotonic() < max(ready.values()) + WATCHED_S:
        gone = {name: code for name, code in ended().items() if code is not None}
        logs = "\n".join((home / f"{name}.log").read_text(encoding="utf-8") for name in gone)
        assert not gone, f"{gone}\n{logs}"
        assert time.monotonic() < deadline, f"not ready: {set(UNITS) - set(ready)}"
        while not heard.empty():
            name, said, at = heard.get()
            if said.startswith(b"READY=1"):
                ready[name] = at
            elif said == b"WATCHDOG=1" and name in ready and at <= ready[name] + WATCHED_S:
                turns[name].append(at)
        select.select([], [], [], 0.05)
    return ready, turns


# The broker -----------------------------------------------------------------------------------------------------------

ACL = (SYSTEMD / "mosquitto.acl").read_text(encoding="utf-8")
WITNESS = "\nuser witness\ntopic readwrite #\n"
"""The test's own eye and hand: it sees and says everything."""
PUBLIC = {"felt/felt/meters", "felt/felt/alive"}
OWN = {f"felt/felt/table/uth-04/{last}" for last in ("up", "down", "alive", "status")}
OF_ANOTHER = {f"felt/felt/table/uth-05/{last}" for last in ("up", "down", "alive", "status")}
STRANGE = {"felt/felt", "felt/felt/table", "felt/other/meters", "felt/other/table/uth-04/up", "elsewhere"}
OF_BANKS = {"felt/felt/rival"}
"""A bank alone reads and writes it."""
VIEW = {"felt-view/felt/meter/main", "felt-view/felt/table/uth-04/phase", "homeassistant/device/felt-felt/config"}
STATES = {f"felt/felt/table/{table}/{last}" for table in ("uth-04", "uth-05") for last in ("alive", "status")}
"""A mirror reads these of tables."""
TOPICS = sorted(PUBLIC | OWN | OF_BANKS | OF_ANOTHER | STRANGE | VIEW)

MAY_WRITE = {
    "uth-04": {f"felt/felt/table/uth-04/{last}" for last in ("up", "alive", "status")},
    "uth-05": {f"felt/felt/table/uth-05/{last}" for last in ("up", "alive", "status")},
    "bank": {"felt/felt", "felt/felt/table", *PUBLIC, *OF_BANKS, *OWN, *OF_ANOTHER},
    "sign-1": set[str](),
    "mirror": VIEW,
    "viewer": set[str](),
    "stranger": set[str](),
}
MAY_READ = {
    "uth-04": {"felt/felt/table/uth-04/down", *PUBLIC},
    "uth-05": {"felt/felt/table/uth-05/down", *PUBLIC},
    "bank": MAY_WRITE["bank"],
    "sign-1": PUBLIC,
    "mirror": PUBLIC | STATES,
    "viewer": VIEW,
    "stranger": set[str](),
}


def test_these_are_the_topics_of_the_document() -> None:
    text = (ROOT / "docs" / "mqtt.md").read_text(encoding="utf-8")
    named = {
        topic.replace("BANK", "felt").replace("TABLE", "uth-04")
        for topic in re.findall(r"^\| `(felt/\S+)`", text, re.M)
    }
    assert named == PUBLIC | OWN | OF_BANKS


@contextmanager
def mosquitto(folder: Path, configuration: str) -> Iterator[None]:
    """A real broker with this configuration. It listens before the block begins."""
    program = mosquitto_path()
    if program is None:
        pytest.skip("mosquitto is not installed: sudo apt-get install mosquitto")
    me = pwd.getpwuid(os.geteuid()).pw_name
    file = folder / "mosquitto.conf"
    file.write_text(f"{configuration}\nuser {me}\n", encoding="utf-8")
    log = folder / "mosquitto.log"
    files = of_the_broker("LimitNOFILE", "felt-mosquitto.conf")
    limited = ["prlimit", f"--nofile={files}:{files}"]
    with log.open("wb") as written:
        broker = subprocess.Popen([*limited, program, "-c", str(file)], stdout=written, stderr=written)
    try:
        port = int(re.findall(r"^listener (\d+)", configuration, re.M)[0])
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
                break
            except OSError:
                assert broker.poll() is None and time.monotonic() < deadline, log.read_text(encoding="utf-8")
        yield
    finally:
        broker.terminate()
        broker.wait(10)


class Client:
    """A user of the broker who knows when everything sent so far has arrived."""

    def __init__(self, port: int, user: str, will: str = "") -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._code: Queue[Any] = Queue()
        self._subscribed: Queue[Any] = Queue()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"{user} {will}")
        self._client.username_pw_set(user)
        self._client.on_connect = lambda _c, _d, _f, code, _p: self._code.put(code)
        self._client.on_subscribe = lambda *_: self._subscribed.put(None)
        self._client.on_message = lambda _c, _d, message: self.heard.append((message.topic, bytes(message.payload)))
        if will:
            self._client.will_set(will, f"the will of {user}".encode(), qos=1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert not self._code.get(timeout=10).is_failure

    def listen(self, pattern: str) -> None:
        """Subscribe. The answer comes after everything that the broker had for us: so this is a barrier, too."""
        self._client.subscribe(pattern, qos=1)
        self._subscribed.get(timeout=10)

    def say(self, topic: str, payload: bytes = b"x") -> None:
        """Returns when the broker has taken it, which it also says of what it throws away."""
        self._client.publish(topic, payload, qos=1).wait_for_publish(10)

    def die(self) -> None:
        """The connection breaks without goodbye."""
        connection = self._client.socket()
        assert isinstance(connection, socket.socket)
        connection.shutdown(socket.SHUT_RDWR)

    def come_back(self) -> None:
        """Once the broker has taken us again, our will has been read."""
        assert not self._code.get(timeout=10).is_failure

    def topics(self) -> set[str]:
        self.listen("barrier")
        return {topic for topic, _ in self.heard}

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """A broker with the shipped rules on a plain listener, where a name alone is believed."""
    stanza = ACL[ACL.index("user uth-04") : ACL.index("user sign-1")]
    (tmp_path / "felt.acl").write_text(ACL + "\n" + stanza.replace("uth-04", "uth-05") + WITNESS, encoding="utf-8")
    (tmp_path / "felt.acl").chmod(0o600)
    port = free_port()
    clients: list[Client] = []

    def connected(user: str, will: str = "") -> Client:
        clients.append(Client(port, user, will))
        return clients[-1]

    with mosquitto(tmp_path, f"listener {port} 127.0.0.1\nallow_anonymous true\nacl_file {tmp_path}/felt.acl\n"):
        yield connected
        for client in clients:
            client.close()


@pytest.mark.mosquitto
def test_a_user_writes_under_its_own_name_only(connect: Callable[..., Client]) -> None:
    witness = connect("witness")
    witness.listen("#")
    for user in MAY_WRITE:
        client = connect(user)
        for topic in TOPICS:
            client.say(topic, user.encode())
    witness.listen("barrier")
    written = {user: {topic for topic, payload in witness.heard if payload == user.encode()} for user in MAY_WRITE}
    assert written == MAY_WRITE


@pytest.mark.mosquitto
def test_a_user_reads_what_is_its_own_and_what_is_everybodys(connect: Callable[..., Client]) -> None:
    readers = {user: connect(user) for user in MAY_READ}
    for reader in readers.values():
        reader.listen("#")
        reader.listen("$SYS/#")
        for topic in TOPICS:
            reader.listen(topic)
    witness = connect("witness")
    for topic in TOPICS:
        witness.say(topic)
    assert {user: reader.topics() for user, reader in readers.items()} == MAY_READ


@pytest.mark.mosquitto
def test_nobody_leaves_a_will_in_anothers_name(connect: Callable[..., Client]) -> None:
    wills = {
        "uth-04": ("felt/felt/table/uth-04/alive", "felt/felt/table/uth-05/alive", "felt/felt/alive"),
        "bank": ("felt/felt/alive",),
        "sign-1": ("felt/felt/meters", "felt/felt/alive"),
    }
    witness = connect("witness")
    witness.listen("#")
    dying = [connect(user, will) for user, topics in wills.items() for will in topics]
    for client in dying:
        client.die()
    for client in dying:
        client.come_back()
    witness.listen("barrier")
    assert sorted(witness.heard) == [
        ("felt/felt/alive", b"the will of bank"),
        ("felt/felt/table/uth-04/alive", b"the will of uth-04"),
    ]


# The door: TLS, and whose certificate it is ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made with the very commands of docs/install.md; the broker's host is this machine."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificates")
    commands = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "install.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(commands) == 1
    made = subprocess.run(
        ["sh", "-euc", commands[0].replace("bank.example", "localhost")],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture
def tls_broker(certificates: Path, tmp_path: Path) -> Iterator[int]:
    """A broker with the shipped configuration whole, but for its port and its folders; gives the port."""
    port = free_port()
    shutil.copy(SYSTEMD / "mosquitto.acl", tmp_path / "felt.acl")
    (tmp_path / "felt.acl").chmod(0o600)
    text = (SYSTEMD / "mosquitto.conf").read_text(encoding="utf-8")
    for said, instead in (
        ("listener 8883", f"listener {port} 127.0.0.1"),
        ("/etc/mosquitto/ca_certificates/felt-ca.crt", f"{certificates}/felt-ca.crt"),
        ("/etc/mosquitto/certs/felt-broker.crt", f"{certificates}/localhost.crt"),
        ("/etc/mosquitto/certs/felt-broker.key", f"{certificates}/localhost.key"),
        ("acl_file /etc/mosquitto/felt.acl", f"acl_file {tmp_path}/felt.acl"),
    ):
        assert said in text
        text = text.replace(said, instead)
    with mosquitto(tmp_path, text):
        yield port


def by_certificate(port: int, who: str, certificates: Path, authority: Path, host: str = "localhost") -> LinkConfig:
    """The [link] of somebody with a certificate, or with none."""
    return LinkConfig(
        broker=f"mqtts://{host}:{port}",
        ca_file=str(certificates / "felt-ca.crt"),
        certificate=str(authority / f"{who}.crt") if who else "",
        key=str(authority / f"{who}.key") if who else "",
    )


@pytest.fixture
def casino(tls_broker: int, certificates: Path) -> Iterator[Callable[..., tuple[Link, Queue[Any]]]]:
    """Links to that broker by certificate."""
    links: list[Link] = []

    def connect(who: str, name: str, *topics: str, authority: Path = certificates) -> tuple[Link, Queue[Any]]:
        heard: Queue[Any] = Queue()
        config = by_certificate(tls_broker, who, certificates, authority)
        link = Link(config, name, [(topic, 1) for topic in topics], heard.put)
        link.start()
        links.append(link)
        return link, heard

    yield connect
    for link in links:
        link.close()


CROWD = 1_200
"""Callers: more than the 1,024 files that a service has by default."""
Casino = Callable[..., tuple[Link, "Queue[Any]"]]


@pytest.mark.mosquitto
def test_a_table_with_its_certificate_reaches_the_bank(casino: Casino) -> None:
    _, bank_heard = casino("bank", "felt-bank-felt", "felt/felt/table/+/up")
    assert isinstance(bank_heard.get(timeout=10), Connected)
    table, heard = casino("uth-04", "felt-table-uth-04")
    assert isinstance(heard.get(timeout=10), Connected)
    table.publish("felt/felt/table/uth-05/up", b"in another's name")
    table.publish("felt/felt/table/uth-04/up", b"in its own")
    arrived = bank_heard.get(timeout=10)
    assert isinstance(arrived, Arrived)
    assert (arrived.topic, arrived.payload) == ("felt/felt/table/uth-04/up", b"in its own")


@pytest.mark.mosquitto
def test_nobody_comes_in_without_a_certificate_of_ours(casino: Casino, certificates: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    for name in ("uth-04.crt", "uth-04.key"):
        command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=uth-04"
        subprocess.run(
            [*command.split(), "-keyout", "uth-04.key", "-out", "uth-04.crt"],
            cwd=tmp_path / "theirs",
            check=True,
            capture_output=True,
        )
        assert (tmp_path / "theirs" / name).exists()
    for who, authority in (("", certificates), ("uth-04", tmp_path / "theirs")):
        link, heard = casino(who, "intruder", "#", authority=authority)
        assert isinstance(heard.get(timeout=10), Disconnected)
        assert not link.connected


@pytest.mark.mosquitto
def test_a_table_that_calls_itself_the_bank_throws_nobody_off(casino: Casino) -> None:
    bank, bank_heard = casino("bank", "felt-bank-felt", "felt/felt/table/+/up")
    assert isinstance(bank_heard.get(timeout=10), Connected)
    table, heard = casino("uth-04", "felt-bank-felt", "felt/felt/table/+/up")
    assert isinstance(heard.get(timeout=10), Connected)
    table.publish("felt/felt/table/uth-04/up", b"still there?")
    assert isinstance(bank_heard.get(timeout=10), Arrived)
    assert bank.connected


@pytest.mark.mosquitto
def test_a_crowd_without_a_word_keeps_no_table_out(casino: Casino, tls_broker: int) -> None:
    """1,024 callers before their handshake filled the files that a broker is given where nobody says how many."""
    with crowd(tls_broker, CROWD):
        bank, bank_heard = casino("bank", "felt-bank-felt", "felt/felt/table/+/up")
        assert isinstance(bank_heard.get(timeout=20), Connected)
        table, heard = casino("uth-04", "felt-table-uth-04")
        assert isinstance(heard.get(timeout=20), Connected)
        table.publish("felt/felt/table/uth-04/up", b"still there?")
        assert isinstance(bank_heard.get(timeout=20), Arrived)
    assert bank.connected


@pytest.mark.mosquitto
def test_a_damaged_database_of_before_keeps_no_broker_down(tmp_path: Path) -> None:
    (tmp_path / "mosquitto.db").write_bytes(bytes(4096))
    port, text = free_port(), (SYSTEMD / "mosquitto.conf").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if line.startswith(("persist", "max_queued", "max_connections"))]
    with mosquitto(tmp_path, f"listener {port} 127.0.0.1\npersistence_location {tmp_path}/\n" + "\n".join(kept)):
        socket.create_connection(("127.0.0.1", port), timeout=5).close()


ALIVE, HEART = "felt/felt/table/uth-04/alive", "felt/felt/alive"


@pytest.mark.mosquitto
def test_the_doctor_has_every_group_that_a_table_has() -> None:
    """The installation's line named the groups of the unit only: table.toml is the group's that table and screen share."""
    line = re.search(r"setpriv --reuid=felt --regid=felt --groups=(\S+)", (ROOT / "docs" / "install.md").read_text())
    assert line
    unit = re.search(r"^SupplementaryGroups=(.*)$", (SYSTEMD / "felt-table.service").read_text(), re.MULTILINE)
    assert unit
    member = re.findall(r"^m felt +(\S+)$", (SYSTEMD / "felt.sysusers.conf").read_text(), re.MULTILINE)
    assert {"felt", *unit[1].split(), *member} <= set(line[1].split(","))


def test_the_doctor_visits_the_broker_as_the_table(
    casino: Casino, tls_broker: int, certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what the table's last will would say, and hears the bank's heart; and whether it may, the broker says."""
    bank, heard = casino("bank", "felt-bank-felt", ALIVE)
    assert isinstance(heard.get(timeout=10), Connected)
    bank.publish(HEART, b"a heart", retain=True)
    table = by_certificate(tls_broker, "uth-04", certificates, certificates)
    assert visit(table, "felt-table-uth-04", ALIVE, b"last words", HEART) == Visited(may_write=True, heard=True)
    arrived = heard.get(timeout=10)
    assert isinstance(arrived, Arrived) and arrived.payload == b"last words"
    monkeypatch.setattr("firmware.runtime.link.VISIT_S", 1.0)
    other = visit(table, "felt-table-uth-04", ALIVE.replace("04", "05"), b"", HEART.replace("alive", "other"))
    assert other == Visited(may_write=False, heard=False)


@pytest.mark.mosquitto
def test_the_doctor_names_the_step_at_which_a_visit_failed(
    tls_broker: int, certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed(who: str, host: str = "localhost", port: int = tls_broker) -> tuple[str, str]:
        seen = visit(
            by_certificate(port, who, certificates, certificates, host), "felt-table-uth-04", ALIVE, b"", HEART
        )
        return seen.failed, seen.why

    assert failed("uth-04", port=free_port())[0] == "reach"
    assert failed("uth-04", host="127.0.0.1") == (
        "tls",
        "IP address mismatch, certificate is not valid for '127.0.0.1'.",
    )
    monkeypatch.setattr("firmware.runtime.link.VISIT_S", 2.0)
    assert failed("")[0] == "taken", "it has no certificate"


def test_the_broker_asks_for_the_newest_tls_that_the_program_has() -> None:
    assert ssl.HAS_TLSv1_3
    assert "\ntls_version tlsv1.3\n" in (SYSTEMD / "mosquitto.conf").read_text(encoding="utf-8")
