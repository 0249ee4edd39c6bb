"""What a program writes is its user's alone, however the shell or the unit that started it is set."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.runtime.glass import Glass


@pytest.fixture(autouse=True)
def usual_shell() -> Iterator[None]:
    """Everybody may read what is made, as on most machines."""
    was = os.umask(0o022)
    yield
    os.umask(was)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_journal_and_its_home_are_their_users_alone_without_systemd_too(tmp_path: Path) -> None:
    """The home was 0755 and the journal 0644 to whoever had an account on the machine."""
    home = tmp_path / "home"
    assert main(["table", "new", "--home", str(home)]) == 0
    files = {path.name: mode(path) for path in home.iterdir()}
    assert mode(home) == 0o700
    assert "table.journal" in files and {name: had for name, had in files.items() if had & 0o077} == {}


def test_what_is_written_for_everybody_is_not_private(tmp_path: Path) -> None:
    assert main(["wire", "schema", "--out", str(tmp_path / "schemas")]) == 0
    assert {mode(path) for path in (tmp_path / "schemas").iterdir()} == {0o644}


def test_the_screens_own_user_still_reaches_the_socket_of_a_private_program(tmp_path: Path) -> None:
    """It is let in by its group, from the socket's first moment on; nobody else is, and a socket at home lets nobody in."""
    main(["table", "new", "--home", str(tmp_path / "home")])
    for name, shared, wanted in (("shared", True, 0o660), ("own", False, 0o600)):
        glass = Glass(tmp_path / name, lambda _: None, observable=False, shared=shared)
        glass.start()
        try:
            assert mode(tmp_path / name) == wanted
        finally:
            glass.close()
