"""Make `.venv` with Felt in it, once; with the standard library of Python 3.11 or newer and nothing else."""

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


def make_ready(name, extra=""):
    """The interpreter of `.venv`, installed as pyproject.toml asks now, with an extra such as "test"."""
    _refuse_old_python(name)
    stamp = VENV / f"felt-{extra or 'base'}.stamp"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
        return PYTHON
    print(f"{name}: setting up .venv (once, about a minute)", file=sys.stderr, flush=True)
    if not PYTHON.exists():
        _make_venv(name)
    what = f"{ROOT}[{extra}]" if extra else str(ROOT)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", what]
    if subprocess.run(pip).returncode:
        sys.exit(
            f"{name}: pip could not install Felt's packages (its words are above); is the package index reachable?"
        )
    stamp.write_text(wanted)
    return PYTHON


def _refuse_old_python(name):
    if sys.version_info < (3, 11):  # noqa: UP036
        found = ".".join(map(str, sys.version_info[:3]))
        sys.exit(
            f"{name}: Python {found} is too old, Felt needs 3.11 or newer: sudo apt-get install python3.11 python3.11-venv"
        )


def _make_venv(name):
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        sys.exit(f"{name}: Python's venv module is missing: sudo apt-get install python3-venv")
    venv.create(VENV, with_pip=True, clear=True)
