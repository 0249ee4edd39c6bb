"""Make `.venv` with Felt in it, once; with the standard library of Python 3.11 or newer and nothing else."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
VENV = ROOT / ".venv"


def make_ready(name: str, purpose: str) -> Path:
    """The interpreter of `.venv` with Felt and what requirements/PURPOSE.txt pins: "run" or "test"."""
    _refuse_old_python(name)
    python, stamp = VENV / "bin" / "python", VENV / f"felt-{purpose}.stamp"
    wanted = _wanted(purpose)
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"{name}: setting up .venv (once, about a minute)", file=sys.stderr, flush=True)
    if not python.exists():
        make_venv(name, VENV)
    install(name, python, "build")
    install(name, python, purpose)
    _pip(name, python, "--no-deps", "--editable", str(ROOT))
    stamp.write_text(wanted)
    return python


def make_venv(name: str, folder: Path) -> Path:
    """A new environment with pip in it; its interpreter."""
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        sys.exit(f"{name}: Python's venv module is missing: sudo apt-get install python3-venv")
    venv.create(folder, with_pip=True, clear=True)
    return folder / "bin" / "python"


def install(name: str, python: Path, purpose: str) -> None:
    """Install exactly what requirements/PURPOSE.txt pins; a package that is not the pinned file is refused."""
    _pip(name, python, "--require-hashes", "--requirement", str(REQUIREMENTS / f"{purpose}.txt"))


def _pip(name: str, python: Path, *arguments: str) -> None:
    """pip install. The pinned setuptools builds here, not by one that pip would fetch for it."""
    quietly = ("--quiet", "--disable-pip-version-check", "--no-build-isolation", "--use-pep517")
    if subprocess.run([str(python), "-m", "pip", "install", *quietly, *arguments]).returncode:
        sys.exit(
            f"{name}: pip could not install Felt's packages (its words are above); is the package index reachable?"
        )


def _wanted(purpose: str) -> str:
    """The stamp of an environment in which nothing has changed since."""
    files = (ROOT / "pyproject.toml", REQUIREMENTS / "build.txt", REQUIREMENTS / f"{purpose}.txt")
    return hashlib.sha256(b"\n".join([str(ROOT).encode(), *(file.read_bytes() for file in files)])).hexdigest()


def _refuse_old_python(name: str) -> None:
    if sys.version_info < (3, 11):  # noqa: UP036
        found = ".".join(map(str, sys.version_info[:3]))
        sys.exit(
            f"{name}: Python {found} is too old, Felt needs 3.11 or newer: sudo apt-get install python3.11 python3.11-venv"
        )
