"""What makes a Debian system a table and its bank: `docs/install.md`, line by line, and the values that it leaves open.

The lines are read from the document when the machine is built, so a line that is wrong there fails here.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from firmware.config import DEFAULT_BOOK
from firmware.proof.simulation import books

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "install.md"
EXAMPLES = ROOT / "docs" / "examples"
TABLE = "uth-04"
"""The table's name in the document; its certificate and the broker's rules know it by that."""
SHUFFLER = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_felt-shuffler-if00-port0"
BADGE = "/dev/input/by-id/usb-Felt_badge_reader-event-kbd"
SECTIONS = ("The program, on every machine", "A bank", "A table")
CLONE, APT = "sudo git clone", "sudo apt-get install"
PIP = (" -r requirements/", "-m venv .venv")
BEFORE: Mapping[str, str] = {
    CLONE: "with this working tree as the REPOSITORY",
    APT: "in a layer that is kept while the packages are the same",
    **dict.fromkeys(PIP, "in a layer that is kept while the pins are the same"),
}
"""What `tests.hil.image` has run before the others: how such a line is known, and what is to be said of it."""
NOT_YET = (
    " && sudo udevadm control --reload && sudo udevadm trigger",
    "sudo systemctl daemon-reload && sudo systemctl restart mosquitto && ",
    " --now",
    " && sudo reboot",
)
"""Parts of lines that only a running machine can do; this one boots next."""
IDLE = (
    "apt-daily.timer",
    "apt-daily-upgrade.timer",
    "dpkg-db-backup.timer",
    "e2scrub_reap.service",
    "systemd-logind.service",
)
"""What Debian starts and no table needs: an emulated processor has no time for it."""
UNITS = {"table": "felt-table.conf", **dict.fromkeys(("screen", "bank", "sign"), "felt-slow.conf")}
"""What is different for a unit on an emulated processor."""
WATCHDOG = re.compile(r"(?m)^(?:Runtime)?WatchdogSec=(\d+)$")
HERE = "/usr/local/lib/felt-hil"
"""Where the rig's own programs lie in the machine."""


def commands() -> Iterator[str]:
    """The shell commands of the document's sections about program, bank and table, in their order."""
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", _joined(), re.MULTILINE | re.DOTALL))
    for name in SECTIONS:
        own = sections[name].split("\n### ")[0]
        yield from (line for line in re.findall(r"^    (\S.*)$", own, re.MULTILINE) if not line.startswith("#"))


def lines(*marks: str) -> list[str]:
    """Those commands in which one of these words stands."""
    return [line for line in commands() if any(mark in line for mark in marks)]


def doctor() -> str:
    """The document's line that lets the doctor look at a table."""
    found = re.search(r"(sudo setpriv [^\n]*)$", _joined(), re.MULTILINE)
    assert found, "docs/install.md says how felt doctor is run"
    return " ".join(found[1].split())


def _joined() -> str:
    return DOCUMENT.read_text(encoding="utf-8").replace("\\\n", " ")


def certificates() -> str:
    """The document's script that makes an authority and four certificates."""
    found = re.search(r"^## Certificates\n.*?^```sh\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.M | re.S)
    assert found, "docs/install.md has a section Certificates with a script"
    return found[1]


def install(root: Path, run: Callable[[str], None], guest: Path) -> list[str]:
    """Everything up to the first boot; what became of each line of the document.

    run: a line of shell as root in `root`. guest: the rig's own programs.
    """
    told = ["ran as it stands: the script of Certificates"]
    (root / "etc" / "hosts").write_text("127.0.0.1 localhost felt-hil bank.example\n", encoding="utf-8")
    (root / "etc" / "hostname").write_text("felt-hil\n", encoding="utf-8")
    run(f"mkdir /root/authority && cd /root/authority\n{certificates()}\ncp *.crt *.key /opt/felt/")
    for line in commands():
        told.append(_became(line))
        if any(mark in line for mark in BEFORE):
            continue
        if "felt bank new" in line or "felt table new" in line:
            configure(root)
        for end in NOT_YET:
            line = line.replace(end, "")
        run(in_checkout(line))
    run("rm /opt/felt/*.key /opt/felt/*.crt")
    _own_programs(root, run, guest)
    return told


def _became(line: str) -> str:
    for mark, where in BEFORE.items():
        if mark in line:
            return f"ran as it stands ({where}): {line}"
    return f"{'ran once more, in the machine' if is_for_a_running_machine(line) else 'ran as it stands'}: {line}"


def is_for_a_running_machine(line: str) -> bool:
    """A part of it can only be done there."""
    return any(end in line for end in NOT_YET) and not any(mark in line for mark in BEFORE)


def in_checkout(line: str) -> str:
    """A line of the document, where it is to be typed."""
    return f"cd /opt/felt && {line.removeprefix('cd /opt/felt && ')}"


def configure(root: Path, book: str = DEFAULT_BOOK) -> None:
    """The files of /etc/felt for a book, on this machine's devices, with the two people of the simulation."""
    for name, text in configuration(book).items():
        (root / "etc" / "felt" / name).write_text(text, encoding="utf-8")


def configuration(book: str) -> dict[str, str]:
    """table.toml and, where there is a bank, bank.toml: the examples, with this book's rules and this machine's devices."""
    with tempfile.TemporaryDirectory() as folder:
        books.write(Path(folder), book)
        made = {path.name: path.read_text(encoding="utf-8") for path in Path(folder).glob("*.toml")}
    linked = books.has_bank(book)
    wired = _sections(EXAMPLES / ("table.toml" if linked else "table-lunar.toml"))
    devices = "".join(wired[name] for name in ("seats", "shuffler", "badge", "link", "screen") if name in wired)
    devices = re.sub(r'(?m)^port = ".*"$', f'port = "{SHUFFLER}"', devices)
    devices = re.sub(r'(?m)^device = ".*"$', f'device = "{BADGE}"', devices)
    devices = devices.replace("[screen]\n", "[screen]\nobserve = true\n")
    if "[screen]" not in devices:
        devices += "\n[screen]\nobserve = true\n"
    own = re.sub(r'(?m)^id = ".*"$', f'id = "{TABLE}"', made["table.toml"], count=1)
    told = {"table.toml": own.replace('home = "."', 'home = "/var/lib/felt"') + "\n" + devices}
    if linked:
        bank = re.sub(r"(?m)^tables = .*$", f'tables = ["{TABLE}"]', made["bank.toml"], count=1)
        bank = bank.replace('home = "."', 'home = "/var/lib/felt-bank"')
        told["bank.toml"] = bank + "\n" + _sections(EXAMPLES / "bank.toml")["link"]
    return told


def later_s(unit: str) -> float:
    """By how much later a watchdog bites on this machine than by `systemd/`, s: a unit's, or the hardware's ("machine")."""
    name, own = (f"felt-{unit}.service", UNITS[unit]) if unit in UNITS else ("felt-watchdog.conf", "zz-felt-hil.conf")
    casino = (ROOT / "systemd" / name).read_text(encoding="utf-8")
    here = (Path(__file__).parent / "guest" / own).read_text(encoding="utf-8")
    casinos, ours = (WATCHDOG.findall(text) for text in (casino, here))
    return float(ours[0]) - float(casinos[0])


def _sections(example: Path) -> dict[str, str]:
    """The sections of an example by their name, without those that stand there more than once."""
    text = example.read_text(encoding="utf-8")
    return {name: f"\n[{name}]\n{body}" for name, body in re.findall(r"(?ms)^\[(\w+)\]\n(.*?)(?=^#|^\[|\Z)", text)}


def _own_programs(root: Path, run: Callable[[str], None], guest: Path) -> None:
    """Devices that are simulated, and the hands that move them: nothing here belongs to the firmware."""
    here = root / HERE.lstrip("/")
    here.mkdir(parents=True)
    units = root / "etc" / "systemd" / "system"
    for path in guest.iterdir():
        if path.suffix == ".service":
            shutil.copy(path, units)
        elif path.is_file():
            shutil.copy(path, here)
    for unit, name in UNITS.items():
        (units / f"felt-{unit}.service.d").mkdir()
        shutil.copy(here / name, units / f"felt-{unit}.service.d" / "hil.conf")
    shutil.copy(here / "zz-felt-hil.conf", root / "etc" / "systemd" / "system.conf.d")
    shutil.move(here / "98-felt-hil.rules", root / "etc" / "udev" / "rules.d")
    run("systemctl enable hil-devices hil-hands hil-disks serial-getty@ttyS0")
    run(f"passwd -q -d root && systemctl mask {' '.join(IDLE)}")
