"""The notification socket, as systemd would read it."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

from hal.watchdog import AGAIN_NS, Watchdog


@pytest.fixture(params=["path", "abstract"])
def supervisor(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[socket.socket, str]:
    address = str(tmp_path / "notify") if request.param == "path" else f"@felt-test-{os.getpid()}"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind("\0" + address[1:] if address.startswith("@") else address)
    listening.settimeout(5)
    request.addfinalizer(listening.close)
    return listening, address


def test_ready_status_and_pets_reach_systemd(supervisor: tuple[socket.socket, str]) -> None:
    listening, address = supervisor
    now = [0]
    watchdog = Watchdog({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "3000000"}, clock=lambda: now[0])
    watchdog.ready("bets locked")
    watchdog.status("round 12")
    for now[0] in (0, 1, 999_999_999, 1_000_000_000, 1_000_000_001, 2_000_000_000):
        watchdog.pet()
    watchdog.status("end")
    received = [listening.recv(100).decode() for _ in range(6)]
    assert received == ["READY=1\nSTATUS=bets locked", "STATUS=round 12", *["WATCHDOG=1"] * 3, "STATUS=end"]


def test_a_start_that_goes_on_is_given_more_time_every_ten_seconds(supervisor: tuple[socket.socket, str]) -> None:
    listening, address = supervisor
    now = [0]
    watchdog = Watchdog({"NOTIFY_SOCKET": address}, clock=lambda: now[0])
    for now[0] in (0, 1, 9_999_999_999, 10_000_000_000, 10_000_000_001, 20_000_000_000):
        watchdog.starting()
    watchdog.ready()
    assert [listening.recv(100).decode() for _ in range(4)] == [*["EXTEND_TIMEOUT_USEC=60000000"] * 3, "READY=1"]


def test_a_supervisor_that_does_not_read_never_stops_the_table(supervisor: tuple[socket.socket, str]) -> None:
    _, address = supervisor
    watchdog = Watchdog({"NOTIFY_SOCKET": address})
    for number in range(5000):
        watchdog.status(f"round {number}")


def test_a_socket_that_refuses_ends_no_loop_and_hears_later_what_it_missed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """systemd crashed, is frozen or is being exchanged: a table that said READY to nobody says it again."""
    now = [0]
    path = tmp_path / "notify"
    watchdog = Watchdog({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "3000000"}, clock=lambda: now[0])
    watchdog.starting()
    watchdog.ready("bets locked")
    watchdog.status("round 12")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as dead:
        dead.bind(str(path))
    for now[0] in range(0, 4_000_000_000, 500_000_000):
        watchdog.pet()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    path.unlink()
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(str(path))
        listening.settimeout(5)
        now[0] += AGAIN_NS
        watchdog.pet()
        received = [listening.recv(100).decode() for _ in range(4)]
    assert received[1:] == ["READY=1\nSTATUS=bets locked", "STATUS=round 12", "WATCHDOG=1"]


def test_the_watchdog_of_another_process_is_not_ours(supervisor: tuple[socket.socket, str]) -> None:
    listening, address = supervisor
    watchdog = Watchdog({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"})
    watchdog.pet()
    watchdog.status("end")
    assert listening.recv(100) == b"STATUS=end"


def test_without_systemd_nothing_happens_and_nothing_fails() -> None:
    watchdog = Watchdog({})
    watchdog.ready()
    watchdog.pet()


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"NOTIFY_SOCKET": "notify"}, "NOTIFY_SOCKET is 'notify': it must begin"),
        ({"WATCHDOG_USEC": "3s"}, "WATCHDOG_USEC is '3s': it must be microseconds"),
    ],
)
def test_a_malformed_environment_is_named(environ: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Watchdog(environ)
