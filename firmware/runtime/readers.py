"""Readers of a file of PIN hashes besides the one program that checks them: all PINs of four digits fall in minutes."""

from __future__ import annotations

import contextlib
import grp
import pwd
import stat
from pathlib import Path

REMEDY = "let the group of one program alone read it (mode 0640, owner root; a table's people in a people_file)"


def readers(path: Path) -> str:
    """Its readers besides root, its owner, and a group with one user in it; "" for nobody. Raises OSError."""
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if mode & stat.S_IROTH:
        return "everybody"
    if not mode & stat.S_IRGRP:
        return ""
    users = {
        one.pw_name for one in pwd.getpwall() if one.pw_gid == found.st_gid and one.pw_uid not in (0, found.st_uid)
    }
    name = str(found.st_gid)
    with contextlib.suppress(KeyError):
        group = grp.getgrgid(found.st_gid)
        name = group.gr_name
        users |= set(group.gr_mem)
    return f"group {name} ({', '.join(sorted(users))})" if len(users) > 1 else ""


def exposed(path: Path | None) -> tuple[str, ...]:
    """The complaint about a file of PIN hashes that others may read, with the cure; nothing if nobody else may."""
    if path is None:
        return ()
    try:
        others = readers(path)
    except OSError:
        return ()  # its loader says so
    return (f"{path}: PIN hashes may be read by {others}; {REMEDY}",) if others else ()
