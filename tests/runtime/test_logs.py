"""A log that fails ends no loop and holds none up."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from firmware import __main__ as command
from firmware.commands import REFUSED
from firmware.runtime import logs

TALKS = """
import logging, sys
from firmware.runtime.logs import never_wait
never_wait()
logging.basicConfig(level="INFO", stream=sys.stderr)
file = open(sys.argv[1], "w")
assert file.fileno() > 2
for number in range(5_000):
    logging.getLogger("felt.table").info("round %d %s", number, "x" * 200)
file.write("the loop went on")
"""


def unread_pipe(held: ExitStack) -> int:
    reading, writing = os.pipe()
    held.callback(os.close, reading)
    held.callback(os.close, writing)
    return writing


def pipe_without_reader(held: ExitStack) -> int:
    reading, writing = os.pipe()
    os.close(reading)
    held.callback(os.close, writing)
    return writing


def unread_socket(held: ExitStack) -> int:
    """journald, stopped."""
    ours, theirs = socket.socketpair()
    held.callback(theirs.close)
    return held.enter_context(ours).fileno()


def full_disk(held: ExitStack) -> int:
    return held.enter_context(Path("/dev/full").open("wb")).fileno()


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("log", [unread_pipe, pipe_without_reader, unread_socket, full_disk])
def test_a_log_that_takes_nothing_holds_no_loop_up(
    log: Callable[[ExitStack], int], held: ExitStack, tmp_path: Path
) -> None:
    said = tmp_path / "said"
    subprocess.run([sys.executable, "-c", TALKS, str(said)], stderr=log(held), timeout=60)
    assert said.read_text() == "the loop went on"


def test_a_log_that_is_closed_gives_no_file_its_number(tmp_path: Path) -> None:
    said = tmp_path / "said"
    subprocess.run(["sh", "-c", 'exec "$@" <&- 2>&-', "sh", sys.executable, "-c", TALKS, str(said)], timeout=60)
    assert said.read_text() == "the loop went on"


@pytest.mark.parametrize("service", ["table", "bank", "sign", "screen"])
def test_each_service_has_such_a_log(service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(logs, "never_wait", lambda: asked.append(True))
    assert command.main([service, "--config", str(tmp_path / "missing.toml")]) == REFUSED
    assert asked == [True]
