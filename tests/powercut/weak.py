"""A control of the power cuts: Felt as it must not be, with SQLite's synchronous=NORMAL. A patch of this rig, no setting."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from firmware.__main__ import main
from firmware.runtime import sqlite

_strong = sqlite._connected


def _weak(path: Path) -> sqlite3.Connection:
    connection = _strong(path)
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


if __name__ == "__main__":
    sqlite._connected = _weak
    sys.exit(main())
