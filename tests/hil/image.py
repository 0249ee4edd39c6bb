"""The disk of the virtual machine: Debian, what `docs/install.md` installs on it, and this checkout.

Built in three layers, each in a folder of the cache that its contents name, so only what changed is built again: Debian's
packages; the Python packages of `requirements/` and the kernel module `gpio-sim`; the checkout with its units. Nothing of
Debian or of the kernel is kept in this repository. Runs as root (mmdebstrap, chroot).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hil import provision

ROOT = Path(__file__).resolve().parents[2]
GUEST = Path(__file__).resolve().parent / "guest"
SUITE = "bookworm"
"""Debian 12: what this computer runs, and whose kernel every machine boots."""
SUITES = {SUITE: "Debian 12", "trixie": "Debian 13, with Debian 12's kernel"}
"""What FELT_HIL_SUITE may name."""
SKIP = 77
"""Exit code where a virtual machine cannot be had here."""
IMAGE_MB = 3000
HOST_PACKAGES = (
    "e2fsprogs",
    "gcc",
    "make",
    "mmdebstrap",
    "nbdkit",
    "nbdkit-plugin-python",
    "qemu-system-x86",
    "qemu-utils",
    "seabios",
    "xz-utils",
)
MACHINE_PACKAGES = (
    *("systemd", "systemd-sysv", "udev", "kmod", "dbus", "initramfs-tools", "zstd", "iproute2", "nftables", "procps"),
    *("ca-certificates", "e2fsprogs", "gpiod", "openssl", "sqlite3", "sudo"),
)
"""What a Debian installer has put on a machine, and what hands need to break it; install.md's own packages come on top."""
REPOSITORY = "/root/felt.git"
"""In the machine: the working tree, for the document's `git clone`."""
LINES = "install.txt"
"""Beside the disk: what became of each line of docs/install.md."""


class Cannot(Exception):
    """No virtual machine can be had on this computer; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Image:
    """What a machine boots from."""

    disk: Path
    """ext4, raw; never written to: a machine writes to a layer of its own."""
    kernel: Path
    initrd: Path


def suite() -> str:
    """The Debian that the machine gets: FELT_HIL_SUITE, or this computer's. Raises Cannot."""
    named = os.environ.get("FELT_HIL_SUITE") or SUITE
    if named not in SUITES:
        raise Cannot(f"FELT_HIL_SUITE names {named!r}; it may be {' or '.join(SUITES)}")
    return named


def cache() -> Path:
    """Where layers are kept; FELT_HIL_CACHE, or a folder of ~/.cache. Another Debian has a folder of its own in it."""
    own = Path(os.environ.get("FELT_HIL_CACHE") or Path.home() / ".cache" / "felt-hil")
    return own if suite() == SUITE else own / suite()


def build(say: Callable[[str], None] = print) -> Image:
    """The image of this checkout, from the cache where nothing changed. Raises Cannot."""
    say(f"the machine's system: {SUITES[suite()]}")
    with _told(say, "packages of this computer"):
        kernel = prepare_host()
    packages = [suite(), kernel, *_machine_sources(), *_packages(kernel), *provision.lines(provision.APT)]
    with _or_cannot("Debian's packages could not be unpacked; are apt's sources reachable?"):
        base = _layer("debian", packages, lambda to: _debian(to, kernel), say)
    module = _digest([kernel, *_module_recipe()])
    pins = [path.read_text() for path in sorted((ROOT / "requirements").glob("*.txt"))]
    with _or_cannot("the document's pip lines, or the kernel's module, failed; is the package index reachable?"):
        ready = _layer("python", [base.name, module, *pins], lambda to: _python(base, to, kernel), say)
    tree = _tree()
    own = [path.read_bytes().decode() for path in sorted(GUEST.iterdir()) if path.is_file()]
    recipe = Path(__file__).read_text() + Path(provision.__file__).read_text()
    contents = [ready.name, recipe, *own, *(f"{path} {_digest([_content(path)])}" for path in tree)]
    made = _layer("felt", contents, lambda to: _felt(ready, to, tree), say)
    return Image(made / "disk.ext4", made / "vmlinuz", made / "initrd.img")


# This computer ------------------------------------------------------------------------------------------------------


def prepare_host() -> str:
    """Install what is missing; the version of the kernel that the machine gets. Raises Cannot."""
    if not shutil.which("apt-get"):
        raise Cannot("this is no Debian: there is no apt-get")
    if os.geteuid() != 0:
        raise Cannot("this is not root: a Debian system can be unpacked by root only")
    if not _sources():
        raise Cannot(f"apt knows no source of Debian {SUITE}")
    kernel = _depends("linux-image-amd64").removeprefix("linux-image-")
    source = _depends("linux-source")
    wanted = [*HOST_PACKAGES, f"linux-headers-{kernel}", source]
    listed = _output("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted, check=False)
    installed = {line.split()[0] for line in listed.splitlines() if line.endswith(" installed")}
    if missing := [name for name in wanted if name not in installed]:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
        if subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL).returncode:
            raise Cannot(f"apt-get could not install {' '.join(missing)}")
    return kernel


def _depends(package: str) -> str:
    """What a package without contents stands for today."""
    found = re.search(r"Depends: (\S+)", _output("apt-cache", "depends", package, check=False))
    if not found:
        subprocess.run(["apt-get", "update", "-qq"], stdout=subprocess.DEVNULL)
        found = re.search(r"Depends: (\S+)", _output("apt-cache", "depends", package, check=False))
    if not found:
        raise Cannot(f"apt knows no {package}; `apt-get update` may help")
    return found[1]


def _sources() -> list[str]:
    """Lines of a sources.list: those of this computer that are Debian's, of its suite."""
    wanted = "$(ORIGIN)|$(CODENAME)|deb $(REPO_URI) $(RELEASE) $(COMPONENT)"
    listed = _output("apt-get", "indextargets", "--format", wanted, "Created-By: Packages", check=False)
    parts = [line.split("|", 2) for line in listed.splitlines()]
    return sorted({line for origin, codename, line in parts if origin == "Debian" and codename.startswith(SUITE)})


def _machine_sources() -> list[str]:
    """Those of the machine: of its own suite, and Debian 12's for the kernel, to which gpio-sim is built."""
    own = _sources()
    return own if suite() == SUITE else [line.replace(SUITE, suite()) for line in own] + own


def _apt_options() -> list[str]:
    """How this computer's apt reaches its sources, where that is set: proxies, and whether dates are checked."""
    dumped = _output("apt-config", "dump").splitlines()
    return [line for line in dumped if re.match(r"Acquire::(https?::|Check-)", line)]


# Layers -------------------------------------------------------------------------------------------------------------


def _layer(name: str, contents: Sequence[str], make: Callable[[Path], None], say: Callable[[str], None]) -> Path:
    """The folder of a layer with these contents. A half-made one is never found: it has another name until it is done."""
    folder = cache() / f"{name}-{_digest(contents)[:16]}"
    if folder.is_dir():
        say(f"{name}: in the cache")
        return folder
    for old in cache().glob(f"{name}-*"):
        shutil.rmtree(old)
    coming = cache() / f"{name}-unfinished"  # one that was broken off is an old one: it is gone by now
    coming.mkdir(parents=True)
    with _told(say, name):
        make(coming)
    return coming.rename(folder)


def _debian(folder: Path, kernel: str) -> None:
    """Debian as its installer would leave it, without documentation and translations; then the document's own packages."""
    root = folder / "root"
    excluded = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("man", "doc", "locale", "info")]
    modules = "virtio_pci\nvirtio_blk\next4\ni6300esb\n"
    prepared = (
        'mkdir -p "$1/etc/initramfs-tools/conf.d" "$1/usr/share/initramfs-tools/modules.d"',
        'printf "MODULES=list\\nCOMPRESS=zstd\\n" > "$1/etc/initramfs-tools/conf.d/felt"',
        f'printf "{modules}" > "$1/usr/share/initramfs-tools/modules.d/felt"',
    )
    _run(
        *("mmdebstrap", "--quiet", "--variant=minbase", "--mode=root"),
        *('--aptopt=APT::Install-Recommends "false"', *(f"--aptopt={line}" for line in _apt_options())),
        *excluded,
        f"--essential-hook={' && '.join(prepared)}",
        f"--include={','.join(_packages(kernel))}",
        *(suite(), str(root), *_machine_sources()),
    )
    with _index_of_this_computer(root), _answers_apt(root):
        _in(root, "apt-get -qq update")
        for line in provision.lines(provision.APT):
            _in(root, line)
        _in(root, "apt-get clean && find /var/lib/apt/lists -type f -delete")


@contextmanager
def _answers_apt(root: Path) -> Iterator[None]:
    """While this lasts apt is told yes, as a technician tells it, and starts nothing: it would run on this computer."""
    told = {
        root / "etc" / "apt" / "apt.conf.d" / "felt-hil": 'APT::Get::Assume-Yes "true";\n',
        root / "usr" / "sbin" / "policy-rc.d": "#!/bin/sh\nexit 101\n",
    }
    for path, words in told.items():
        path.write_text(words, encoding="utf-8")
        path.chmod(0o755)
    try:
        yield
    finally:
        for path in told:
            path.unlink()


def _packages(kernel: str) -> list[str]:
    """What is on the machine before the document's first line."""
    return sorted({*MACHINE_PACKAGES, f"linux-image-{kernel}"})


def _python(base: Path, folder: Path, kernel: str) -> None:
    """Debian with the packages of `requirements/`, compiled where they must be, and with a GPIO chip that is simulated."""
    root = folder / "root"
    _copy_tree(base / "root", root)
    module = _gpio_sim(folder / "module", kernel)
    extra = root / "lib" / "modules" / kernel / "extra"
    extra.mkdir()
    shutil.copy(module, extra)
    shutil.rmtree(folder / "module")
    _in(root, f"depmod {kernel} && update-initramfs -u -k {kernel}")
    shutil.copytree(ROOT / "requirements", root / "opt" / "felt" / "requirements")
    with _index_of_this_computer(root):
        for line in provision.lines(*provision.PIP):
            _in(root, provision.in_checkout(line))


def _module_recipe() -> tuple[str, ...]:
    """How the kernel's own gpio-sim is built beside it.

    Debian leaves it out, and what simulates its interrupts too; the latter uses a function that modules may not.
    """
    return (
        r"s/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/",
        r"s/#include <linux\/irq.h>/&\n#include <linux\/irqdesc.h>/",
        "obj-m += gpio-sim.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\n",
    )


def _gpio_sim(folder: Path, kernel: str) -> Path:
    """gpio-sim.ko for this kernel, from Debian's source of it."""
    version = ".".join(kernel.split(".")[:2])
    archive = Path(f"/usr/src/linux-source-{version}.tar.xz")
    names = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
    folder.mkdir()
    _run("tar", "-xJf", str(archive), "-C", str(folder), *(f"linux-source-{version}/{name}" for name in names))
    for name in names:
        (folder / f"linux-source-{version}" / name).rename(folder / Path(name).name)
    (folder / "gpio-sim.c").rename(folder / "gpio-sim-main.c")
    *edits, makefile = _module_recipe()
    _run("sed", "-i", ";".join(edits), str(folder / "irq_sim.c"))
    (folder / "Makefile").write_text(makefile)
    _run("make", "-s", "-C", f"/usr/src/linux-headers-{kernel}", f"M={folder}", "modules")
    return folder / "gpio-sim.ko"


def _felt(ready: Path, folder: Path, tree: Sequence[Path]) -> None:
    """The whole machine: this checkout, installed as install.md says, and the rig's own units."""
    root = folder / "root"
    _copy_tree(ready / "root", root)
    _clone(root, tree)
    told = provision.install(root, lambda line: _in(root, line), GUEST)
    (folder / LINES).write_text("".join(f"{line}\n" for line in told), encoding="utf-8")
    for name, pattern in (("vmlinuz", "vmlinuz-*"), ("initrd.img", "initrd.img-*")):
        shutil.copy(next((root / "boot").glob(pattern)), folder / name)
    disk = folder / "disk.ext4"
    _run("mke2fs", "-q", "-t", "ext4", "-L", "felt", "-d", str(root), str(disk), f"{IMAGE_MB}M")
    shutil.rmtree(root)


def _clone(root: Path, tree: Sequence[Path]) -> None:
    """The document's first line; the working tree, changed files as they are, is the repository. pip's folder stays."""
    bare, checkout, aside = root / REPOSITORY.lstrip("/"), root / "opt" / "felt", root / "opt" / "venv"
    _run("git", "init", "-q", "--bare", str(bare))
    git = ("git", "-C", str(ROOT), f"--git-dir={bare}", f"--work-tree={ROOT}")
    _run(*git, "add", "-f", "--", *map(str, tree))
    _run(*git, "-c", "user.name=rig", "-c", "user.email=rig@localhost", "commit", "-q", "-m", "This working tree")
    (checkout / ".venv").rename(aside)
    shutil.rmtree(checkout)
    for line in provision.lines(provision.CLONE):
        _in(root, line.replace("REPOSITORY", REPOSITORY))
    aside.rename(checkout / ".venv")


def _tree() -> list[Path]:
    """The files of the working tree that git would keep, changed ones as they are."""
    listed = _output("git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    kept = (
        "firmware/",
        "hal/",
        "ui/",
        "docs/examples/",
        "docs/install.md",
        "systemd/",
        "requirements/",
        "pyproject.toml",
    )
    names = sorted(name for name in listed.split("\0") if name.startswith(kept) or name in ("README.md", "LICENSE"))
    return [Path(name) for name in names if (ROOT / name).is_file()]


def _content(path: Path) -> str:
    return (ROOT / path).read_bytes().hex()


def _digest(contents: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(contents).encode()).hexdigest()


def _copy_tree(of: Path, to: Path) -> None:
    _run("cp", "-a", "--reflink=auto", str(of), str(to))


# Commands -----------------------------------------------------------------------------------------------------------


@contextmanager
def _or_cannot(why: str) -> Iterator[None]:
    """What failed was printed."""
    try:
        yield
    except subprocess.CalledProcessError as error:
        raise Cannot(why) from error


@contextmanager
def _index_of_this_computer(root: Path) -> Iterator[None]:
    """While this lasts the machine's pip reaches its index as this computer's does: resolver, certificates, settings."""
    lent = {path for path in map(Path, ("/etc/resolv.conf", "/etc/pip.conf")) if path.is_file()}
    certificates = {Path(value) for name, value in os.environ.items() if name in ("PIP_CERT", "SSL_CERT_FILE")}
    kept: dict[Path, bytes | None] = {}
    for path in lent | {path for path in certificates if path.is_file()}:
        inside = root / path.relative_to("/")
        kept[inside] = inside.read_bytes() if inside.is_file() else None
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.write_bytes(path.read_bytes())
    try:
        yield
    finally:
        for inside, before in kept.items():
            if before is None:
                inside.unlink()
            else:
                inside.write_bytes(before)


def _in(root: Path, line: str) -> None:
    """A line of shell, as root in the machine's file system while it is not running."""
    passed = {
        name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_CERT", "http", "https"))
    }
    told = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
    }
    inside = 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -euc "$2"'
    _run("unshare", "-m", "/bin/sh", "-euc", inside, "sh", str(root), line, environment={**passed, **told})


def _run(*command: str, environment: Mapping[str, str] | None = None) -> None:
    """Raises CalledProcessError; what the command said stands in it and is printed."""
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        print(done.stdout[-6000:], file=sys.stderr)
        done.check_returncode()


def _output(*command: str, check: bool = True) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=check).stdout


@contextmanager
def _told(say: Callable[[str], None], what: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    say(f"{what}: {time.monotonic() - began:.0f} s")
