"""The table's socket: a screen gets the newest frame, a slow or hostile one costs the table nothing."""

from __future__ import annotations

import queue
import select
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware.runtime.glass import (
    CLIENTS_MAX,
    LINE_MAX,
    PRESSES_A_SECOND,
    PRESSES_MOST,
    ClientCame,
    FingerDown,
    Frame,
    Glass,
    GlassComplaint,
    Observation,
    TapArrived,
    observe,
)
from firmware.runtime.glass_client import GlassClient, TableGone
from tests.runtime.world import Clock, TableWorld
from ui.dealer.widgets import Line, Screen, Widget

WAIT_S = 5


def frame(number: int, words: str = "NO MORE BETS") -> Frame:
    widgets = (
        Widget("primary", 10, 20, 30, 10, (Line(words), Line("2 lit")), press="no-more-bets", hold_ms=1500),
        Widget("work", 10, 40, 30, 10, (Line(f"frame {number}"),)),
    )
    return Frame(Screen("open", f"open:{number}", widgets), 350, number)


def seen(number: int) -> Observation:
    return observe(frame(number), frame(number).screen, {1: "lit", 2: "dark"}, locked=False)


class Person:
    """One end of the socket, by hand."""

    def __init__(self, path: Path, hello: bytes = b'{"hello":"screen"}\n') -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(WAIT_S)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.says(hello)

    def says(self, line: bytes) -> None:
        self.socket.sendall(line)

    def hears(self) -> dict[str, Any]:
        """The next frame."""
        return dict(msgspec.json.decode(self.lines.readline()))

    def was_let_go(self) -> bool:
        try:
            return self.lines.read() == b""
        except ConnectionResetError:  # there was more of ours that nobody read
            return True

    def leaves(self) -> None:
        self.lines.close()
        self.socket.close()


class Table:
    """The server's side: a glass, and what it put."""

    def __init__(self, folder: Path, *, observable: bool = False) -> None:
        self.now_ns = 0
        self.looked = threading.Semaphore(0)
        """How often the glass has looked at its clock."""
        self.path = folder / "table.sock"
        self.put: queue.Queue[object] = queue.Queue()
        self.glass = Glass(self.path, self.put.put, observable=observable, clock=self._clock)
        self.glass.start()
        self.people: list[Person] = []

    def _clock(self) -> int:
        self.looked.release()
        return self.now_ns

    def person(self, hello: bytes = b'{"hello":"screen"}\n') -> Person:
        self.people.append(Person(self.path, hello))
        return self.people[-1]

    def screen(self) -> Person:
        person = self.person()
        assert self.hears() == ClientCame("screen")
        return person

    def hears(self) -> object:
        return self.put.get(timeout=WAIT_S)

    def ends(self) -> None:
        self.glass.close()
        for person in self.people:
            person.leaves()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.ends()


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Table]:
    """A table whose configuration allows observation."""
    table = Table(tmp_path, observable=True)
    yield table
    table.ends()


TAP = {"screen_key": "open:1", "x_mm": 12.5, "y_mm": 21.0, "held_ms": 0, "at_ns": 99}


def tap(**changes: Any) -> bytes:
    return msgspec.json.encode({"tap": TAP | changes}) + b"\n"


def test_only_the_tables_own_user_may_connect(table: Table) -> None:
    assert stat.S_IMODE(table.path.stat().st_mode) == 0o600


def test_a_screen_gets_the_last_frame_at_once_and_every_newer_one(table: Table) -> None:
    table.glass.show(frame(1), None)
    screen = table.screen()
    assert screen.hears()["screen"]["key"] == "open:1"
    table.glass.show(frame(2), None)
    assert screen.hears()["screen"]["key"] == "open:2"


def test_a_tap_arrives_as_it_was_made(table: Table) -> None:
    table.screen().says(tap())
    assert table.hears() == TapArrived("open:1", 12.5, 21.0, 0, 99)


def test_two_screens_show_the_same_and_both_may_tap(table: Table) -> None:
    one, two = table.screen(), table.screen()
    table.glass.show(frame(7), None)
    assert one.hears() == two.hears()
    one.says(tap(held_ms=1))
    assert isinstance(table.hears(), TapArrived)
    two.says(tap(held_ms=2))
    assert table.hears() == TapArrived("open:1", 12.5, 21.0, 0, 99)


# How long a key was held is measured here -------------------------------------------------------------------------------


def down(**changes: Any) -> bytes:
    return msgspec.json.encode({"down": {"screen_key": "open:1", "x_mm": 12.5, "y_mm": 21.0} | changes}) + b"\n"


@pytest.fixture
def holding(table: Table) -> Person:
    """A screen that shows a key to be held for 1,500 ms."""
    table.glass.show(frame(1), None)
    screen = table.screen()
    screen.hears()
    return screen


def held(table: Table, screen: Person, *fingers: bytes, ms: int, **changes: Any) -> int:
    """For how long the table takes a key as held that a screen says was held for 1,500 ms, so long after `fingers`."""
    for finger in fingers:
        screen.says(finger)
        assert table.looked.acquire(timeout=WAIT_S), "a finger's time is the table's"
    table.now_ns += ms * 1_000_000
    screen.says(tap(**{"held_ms": 1_500, **changes}))
    said = table.hears()
    assert isinstance(said, TapArrived)
    return said.held_ms


@pytest.mark.parametrize(("ms", "held_ms"), [(1_300, 1_300), (1_499, 1_499), (1_500, 1_500), (2_500, 1_500)])
def test_a_key_is_held_for_the_time_that_the_table_saw(table: Table, holding: Person, ms: int, held_ms: int) -> None:
    """A busy machine tells a finger a little late; a hold is never shorter than the key's words promise."""
    assert held(table, holding, down(), ms=ms) == held_ms


def test_a_screen_that_presses_without_end_is_bounded_and_said(table: Table, holding: Person) -> None:
    """A hostile screen made 18,299 rows a second."""
    began_ns = time.monotonic_ns()
    holding.says(tap() * 2_000 + b"end\n")
    assert holding.was_let_go()
    heard = [table.hears() for _ in range(table.put.qsize())]
    most = PRESSES_MOST + 1 + PRESSES_A_SECOND * (time.monotonic_ns() - began_ns) // 1_000_000_000
    taps = [one for one in heard if isinstance(one, TapArrived)]
    said = [one for one in heard if isinstance(one, GlassComplaint)]
    assert 0 < len(taps) <= most and len(said) <= most + 1
    assert any("no hand is so fast" in one.text for one in said)


def test_a_screen_that_comes_back_without_end_is_bounded(table: Table) -> None:
    table.glass.show(frame(1), None)
    began_ns = time.monotonic_ns()
    for _ in range(100):
        person = table.person()
        person.hears()
        person.leaves()
    most = PRESSES_MOST + 1 + PRESSES_A_SECOND * (time.monotonic_ns() - began_ns) // 1_000_000_000
    assert sum(isinstance(one, ClientCame) for one in (table.hears() for _ in range(table.put.qsize()))) <= most


@pytest.mark.parametrize(
    ("fingers", "ms", "changes"),
    [
        pytest.param((), 5_000, {}, id="no finger was told"),
        pytest.param((down(),), 0, {"held_ms": 9_999}, id="a hold of no time"),
        pytest.param((down(),), 2_501, {}, id="a finger of long ago"),
        pytest.param((down(x_mm=12.5, y_mm=45.0),), 1_500, {}, id="a finger beside the key"),
        pytest.param((down(screen_key="open:0"),), 1_500, {}, id="a finger on the screen before"),
        pytest.param((down(),), 1_500, {"x_mm": 50.0}, id="it left beside the key"),
        pytest.param((down(), down(x_mm=50.0)), 1_500, {}, id="the last finger counts"),
    ],
)
def test_a_screen_cannot_say_by_itself_that_a_key_was_held(
    table: Table, holding: Person, fingers: tuple[bytes, ...], ms: int, changes: dict[str, Any]
) -> None:
    """Any process of the screen's user pressed APPROVE with a hold of 9,999 ms, sent in no time."""
    assert held(table, holding, *fingers, ms=ms, **changes) == 0


def test_one_finger_holds_one_key_once(table: Table, holding: Person) -> None:
    assert held(table, holding, down(), ms=1_500) == 1_500
    assert held(table, holding, ms=0) == 0


def test_another_screens_finger_is_not_this_ones(table: Table, holding: Person) -> None:
    other = table.screen()
    other.says(down())
    assert table.looked.acquire(timeout=WAIT_S)
    assert held(table, holding, ms=1_500) == 0


def test_a_screen_that_does_not_read_holds_nobody_up_and_gets_the_newest_frame_when_it_does(table: Table) -> None:
    slow, quick = table.screen(), table.screen()
    words = "x" * 20_000
    for number in range(200):  # four megabytes, far more than a socket takes
        table.glass.show(frame(number, words), None)
    newest = 0
    while newest < 199:
        newest = quick.hears()["at_ns"]
    heard = [slow.hears()["at_ns"]]
    while heard[-1] < 199:
        heard.append(slow.hears()["at_ns"])
    assert heard == sorted(heard) and len(heard) < 200, "frames between are left out, none is late"


def test_a_screen_that_was_killed_is_forgotten_and_the_next_one_is_served(table: Table) -> None:
    table.screen().leaves()
    table.glass.show(frame(1), None)
    assert table.screen().hears()["screen"]["key"] == "open:1"


HOSTILE = {
    "nothing that is JSON": b"hello?\n",
    "not UTF-8": b'{"hello":"\xff"}\n',
    "half a surrogate pair": b'{"hello":"\\ud800"}\n',
    "a role that does not exist": b'{"hello":"root"}\n',
    "a role of a thousand letters": b'{"hello":"' + b"r" * 1000 + b'"}\n',
    "an unknown key": b'{"hello":"screen","more":1}\n',
    "a wrong type": b'{"hello":1}\n',
    "a list": b"[]\n",
    "nested 10,000 deep": b'{"hello":' + b"[" * 10_000 + b"]" * 10_000 + b"}\n",
    "a line without an end": b"x" * (LINE_MAX + 10),
    "half a line": b'{"hello',
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_client_that_does_not_speak_the_protocol_is_complained_of_and_let_go(table: Table, line: bytes) -> None:
    stranger = table.person(line)
    if not line.endswith(b"\n"):
        stranger.socket.shutdown(socket.SHUT_WR)
    complaint = table.hears()
    assert isinstance(complaint, GlassComplaint) and len(complaint.text) < 200
    assert stranger.was_let_go()
    screen = table.screen()
    screen.says(tap())
    assert isinstance(table.hears(), TapArrived)


@pytest.mark.parametrize(
    "line",
    [
        tap(at_ns=-1),
        tap(at_ns=2**63),
        tap(at_ns=10**40),
        tap(held_ms=-5),
        tap(held_ms=1.5),
        tap(x_mm="12"),
        tap(word="approve"),
        b'{"tap":{"screen_key":"open:1","x_mm":1e999,"y_mm":1,"held_ms":0,"at_ns":1}}\n',
        b'{"tap":{"screen_key":"open:1","x_mm":NaN,"y_mm":1,"held_ms":0,"at_ns":1}}\n',
        b'{"tap":{"z":' + b"[" * 10_000 + b"]" * 10_000 + b"}}\n",
        b'{"tap":null}\n',
        b'{"down":null}\n',
        b"{}\n",
        down(held_ms=9_999),
        down().rstrip(b"}\n") + b"}," + tap()[1:],
        b'{"hello":"screen"}\n',
    ],
    ids=lambda line: line[:60].decode(),
)
def test_a_tap_that_cannot_be_is_complained_of_and_the_screen_may_come_again(table: Table, line: bytes) -> None:
    screen = table.screen()
    screen.says(line)
    assert isinstance(table.hears(), GlassComplaint)
    assert screen.was_let_go()
    table.screen().says(tap())
    assert isinstance(table.hears(), TapArrived)


def test_a_screen_that_goes_with_frames_unread_is_nothing_to_complain_of(table: Table) -> None:
    screen = table.screen()
    table.glass.show(frame(1), None)
    screen.hears()
    table.glass.show(frame(2), None)  # it lies unread in the socket: closing it resets the connection
    assert select.select([screen.socket], [], [], 10)[0]
    screen.socket.close()
    table.screen().says(tap())
    assert isinstance(table.hears(), TapArrived), "and no complaint before it"


def test_whoever_connects_without_end_makes_room_for_the_next_screen(table: Table) -> None:
    table.glass.show(frame(1), None)
    strangers = [table.person(b"") for _ in range(3 * CLIENTS_MAX)]
    assert table.screen().hears()["at_ns"] == 1
    assert all(stranger.was_let_go() for stranger in strangers[: 2 * CLIENTS_MAX])


def test_observation_is_refused_where_the_configuration_does_not_allow_it(table: Table) -> None:
    bench = table.person(b'{"hello":"observe"}\n')
    complaint = table.hears()
    assert isinstance(complaint, GlassComplaint) and "where table.toml allows it" in complaint.text
    assert bench.was_let_go()
    assert not table.glass.watched


def test_an_observer_sees_words_and_lamps_and_has_no_finger(open_table: Table) -> None:
    bench = open_table.person(b'{"hello":"observe"}\n')
    assert open_table.hears() == ClientCame("observe")
    assert open_table.glass.watched
    open_table.glass.show(frame(3), seen(3))
    heard = bench.hears()
    assert heard["lamps"] == {"1": "lit", "2": "dark"} and heard["locked"] is False
    assert heard["widgets"][0] == {
        "id": "primary", "text": "NO MORE BETS\n2 lit", "said": ["NO MORE BETS", "2 lit"],
        "x": 10.0, "y": 20.0, "w": 30.0, "h": 10.0,
        "press": "no-more-bets", "enabled": True, "hold_ms": 1500, "shape": "", "seat": 0,
    }  # fmt: skip
    bench.says(tap())
    open_table.glass.show(frame(4), seen(4))
    assert bench.hears()["at_ns"] == 4
    screen = open_table.person()
    assert open_table.hears() == ClientCame("screen"), "the observer's tap went nowhere"
    assert screen.hears()["screen"]["key"] == "open:4"


def test_an_observer_that_left_is_not_watching(open_table: Table) -> None:
    bench = open_table.person(b'{"hello":"observe"}\n')
    open_table.hears()
    bench.socket.shutdown(socket.SHUT_RDWR)
    assert bench.was_let_go()
    gone = threading.Event()
    for _ in range(500):
        if not open_table.glass.watched:
            break
        gone.wait(0.01)
    assert not open_table.glass.watched


def test_garbage_from_a_screen_is_in_the_log_and_not_where_the_dealer_reads_money(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    felt = TableWorld(tmp_path, clock)
    felt.opens()
    glass = Glass(tmp_path / "g.sock", felt.inbox.put, observable=False)
    glass.start()
    stranger = Person(tmp_path / "g.sock", b"GET / HTTP/1.1\r\n")
    assert stranger.was_let_go()
    signals = felt.inbox.take(WAIT_S)
    felt.service.turn(signals)
    assert "refused (1 times): screen socket: " in caplog.text and "Refused" not in felt.text
    stranger.leaves()
    glass.close()


# The other end ------------------------------------------------------------------------------------------------------


class FakeTable:
    """A listening socket whose bytes the test writes."""

    def __init__(self, path: Path) -> None:
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(path))
        self.listener.listen()
        self.listener.settimeout(WAIT_S)

    def answers(self, content: bytes) -> None:
        """Take the next client, say this, and die."""
        connection, _ = self.listener.accept()
        with connection, connection.makefile("rb") as lines:
            assert lines.readline() == b'{"hello":"screen"}\n'
            connection.sendall(content)


@pytest.mark.parametrize(
    "last_words",
    [b'{"screen":{"na', b"\xff\xff\n", b'{"screen":1}\n', b"", b"[" * 5_000 + b"\n"],
    ids=["half a frame", "no UTF-8", "another version's frame", "nothing", "nested without end"],
)
def test_a_screen_outlives_a_table_that_dies_within_a_frame_and_finds_the_next_one(
    tmp_path: Path, last_words: bytes
) -> None:
    table = FakeTable(tmp_path / "table.sock")
    heard: queue.Queue[Frame | TableGone] = queue.Queue()
    client = GlassClient(tmp_path / "table.sock", "screen", Frame, heard.put)
    client.start()
    whole = msgspec.json.encode(frame(1)) + b"\n"
    table.answers(whole + last_words)
    assert heard.get(timeout=WAIT_S) == frame(1)
    assert heard.get(timeout=WAIT_S) == TableGone()
    table.answers(msgspec.json.encode(frame(2)) + b"\n")
    assert heard.get(timeout=WAIT_S) == frame(2)
    client.close()
    table.listener.close()


def test_a_screen_that_starts_before_its_table_waits_for_it_and_taps_into_nothing(tmp_path: Path) -> None:
    heard: queue.Queue[Frame | TableGone] = queue.Queue()
    client = GlassClient(tmp_path / "table.sock", "screen", Frame, heard.put)
    client.start()
    client.tap(TapArrived("open:1", 1, 1, 0, 1))
    table = Table(tmp_path)
    table.glass.show(frame(5), None)
    assert heard.get(timeout=WAIT_S) == frame(5)
    assert table.hears() == ClientCame("screen")
    client.finger_down(FingerDown("open:5", 12.5, 21.0))
    assert table.looked.acquire(timeout=WAIT_S)
    table.now_ns += 1_500_000_000
    client.tap(TapArrived("open:5", 12.5, 21.0, 1_500, 4))
    assert table.hears() == TapArrived("open:5", 12.5, 21.0, 1_500, 4)
    client.close()
    table.ends()
