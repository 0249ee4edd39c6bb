"""The simulated world: what hands do to it, what it refuses, and how it outlives the tables that connect to it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hal.cabinet.cabinet import Cabinet
from hal.cabinet.ends import CabinetPanel, SimulatedTable
from hal.cabinet.peers import CabinetFault
from hal.cabinet.wire import DEVICE_SOCKET, SHUFFLER_LINK, WORLD_SOCKET
from hal.cabinet.world import World, WorldFault
from hal.debounce import Inbox
from hal.ports import LOCKOUT, NEXT_KEY, Badge, Complaint, DeviceFound, DeviceLost, Edge, Lamp, Level, ShufflerStatus
from hal.serial import SerialShuffler
from hal.touch import Touch
from tests.hal.told import tell

DEADLINE_S = 10.0


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[Cabinet]:
    cabinet = Cabinet(tmp_path, seats=6, seed=7, shuffle_ms=50)
    cabinet.start()
    yield cabinet
    cabinet.close()


@pytest.fixture
def world(cabinet: Cabinet, tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path / WORLD_SOCKET)
    yield world
    world.close()


class Table:
    """A table as its loop sees it: one inbox, from which it takes until it has what it waits for."""

    def __init__(self, home: Path) -> None:
        self.inbox = Inbox(debounce_ns=20_000_000)
        self.taken: list[object] = []
        self.port = SimulatedTable(self.inbox.put, home / DEVICE_SOCKET)
        self.port.start()

    def takes(self, wanted: object) -> object:
        """Wait for a signal that equals `wanted`, or is of that kind."""
        until = time.monotonic() + DEADLINE_S
        while time.monotonic() < until:
            for taken in self.taken:
                if taken == wanted or (isinstance(wanted, type) and isinstance(taken, wanted)):
                    self.taken = self.taken[self.taken.index(taken) + 1 :]
                    return taken
            self.taken = self.inbox.take(0.1)
        raise AssertionError(f"{wanted} did not come")


@pytest.fixture
def table(cabinet: Cabinet, tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.takes(DeviceFound("cabinet"))
    yield table
    table.port.close()


def test_a_chip_bounces_for_some_milliseconds_and_then_lies_still(
    world: World, tmp_path: Path, cabinet: Cabinet
) -> None:
    edges: list[Edge] = []
    fence = threading.Event()

    def put(signal: object) -> None:
        if isinstance(signal, Edge):
            edges.append(signal)
        if isinstance(signal, Badge):
            fence.set()

    port = SimulatedTable(put, tmp_path / DEVICE_SOCKET)
    port.start()
    world.wait(table=True)
    bounced = 0
    for seat in (1, 2, 3, 4, 5, 6):
        edges.clear()
        fence.clear()
        began_ns = world.place(seat)
        world.wait(steady=True)
        world.badge("9999")  # all edges come before it
        assert fence.wait(DEADLINE_S)
        assert all(edge.line == seat for edge in edges)
        assert [edge.on for edge in edges] == [number % 2 == 0 for number in range(len(edges))]
        assert edges[-1].on
        assert world.state().contact_ns[seat] == edges[-1].at_ns
        assert edges[0].at_ns <= began_ns
        bounced += len(edges) > 1
    assert bounced >= 2, "a contact that never bounces is no contact"
    port.close()


def test_without_bounce_a_chip_is_one_edge(tmp_path: Path) -> None:
    cabinet = Cabinet(tmp_path, bounce=False)
    cabinet.start()
    world, table = World(tmp_path / WORLD_SOCKET), Table(tmp_path)
    world.wait(table=True)
    world.place(2)
    world.badge("2001")
    table.takes(Edge)
    assert isinstance(table.takes(object), Badge)
    world.close()
    table.port.close()
    cabinet.close()


def test_a_loose_contact_chatters_as_told_and_cannot_fill_the_inbox(world: World, table: Table) -> None:
    table.takes(Level)
    world.bounce(3, edges=400, ms=200)
    world.wait(steady=True)  # the loop is busy elsewhere while the contact chatters
    world.badge("9999")  # all edges come before it
    waiting: list[object] = []
    while not any(isinstance(signal, Badge) for signal in waiting):
        waiting += table.inbox.take(DEADLINE_S)
    edges = [signal for signal in waiting if isinstance(signal, Edge)]
    assert 2 <= len(edges) <= 2 * 250 / 20 + 2
    assert edges[-1] == Edge(3, False, world.state().contact_ns[3])


def test_lamps_and_lock_are_shown_as_told_and_stamped(world: World, table: Table) -> None:
    before_ns = time.monotonic_ns()
    tell(table.port, {1: Lamp.LIT, 2: Lamp.LATE}, locked=False)
    seen_ns = world.wait(lamps={1: Lamp.LIT, 2: Lamp.LATE, 3: Lamp.DARK}, locked=False)
    state = world.state()
    assert before_ns <= state.locked_ns <= state.lamp_ns[1] <= min(seen_ns, state.told_ns)
    assert state.lamp_ns[3] == 0
    tell(table.port, {1: Lamp.LIT, 2: Lamp.FAULT}, locked=False)
    world.wait(lamps={2: Lamp.FAULT})
    assert world.state().lamp_ns[1] == state.lamp_ns[1], "lamp 1 did not change"


def test_a_table_that_is_killed_leaves_dark_lamps_a_closed_lock_and_the_chips(world: World, tmp_path: Path) -> None:
    program = (
        "import sys, threading; from pathlib import Path\n"
        "from hal.ports import Lamp; from hal.cabinet.ends import SimulatedTable\n"
        "table = SimulatedTable(lambda signal: None, Path(sys.argv[1]))\n"
        "table.lock(False); table.light({1: Lamp.LIT}); table.start(); threading.Event().wait()\n"
    )
    for _ in range(2):
        killed = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / DEVICE_SOCKET)])
        world.wait(lamps={1: Lamp.LIT}, locked=False, table=True, within_s=DEADLINE_S)
        if not world.state().chips[4]:
            world.place(4)
        killed.send_signal(signal.SIGKILL)
        killed.wait(DEADLINE_S)
        world.wait(lamps={1: Lamp.DARK}, locked=True, table=False)
        assert world.state().chips == {seat: seat == 4 for seat in range(1, 7)}
    table = Table(tmp_path)
    table.takes(DeviceFound("cabinet"))
    while not (isinstance(level := table.takes(Level), Level) and level.line == 4):
        pass
    assert level.on
    table.port.close()


def test_a_second_table_is_refused_and_takes_over_when_the_first_is_gone(
    world: World, table: Table, tmp_path: Path
) -> None:
    second = Table(tmp_path)
    lost = second.takes(DeviceLost)
    assert isinstance(lost, DeviceLost)
    assert "another table is connected" in lost.text
    table.port.close()
    second.takes(DeviceFound("cabinet"))
    second.port.close()


def test_a_cabinet_that_went_away_is_told_once_and_told_the_lamps_again_when_it_comes_back(tmp_path: Path) -> None:
    table = Table(tmp_path)
    lost = table.takes(DeviceLost)
    assert isinstance(lost, DeviceLost)
    assert "start `felt cabinet`" in lost.text
    tell(table.port, {5: Lamp.LIT}, locked=False)
    for _ in range(2):
        cabinet = Cabinet(tmp_path)
        cabinet.start()
        table.takes(DeviceFound("cabinet"))
        world = World(tmp_path / WORLD_SOCKET)
        world.wait(lamps={5: Lamp.LIT}, locked=False)
        world.close()
        cabinet.close()
        table.takes(DeviceLost)
    table.port.close()


def test_a_badge_reaches_the_table(world: World, table: Table) -> None:
    at_ns = world.badge("2001")
    badge = table.takes(Badge)
    assert isinstance(badge, Badge)
    assert badge.number == "2001"
    assert badge.at_ns <= at_ns


def test_a_finger_reaches_the_screen_and_is_lifted_again(world: World, tmp_path: Path) -> None:
    inbox = Inbox(1)
    screen = CabinetPanel(inbox.put, tmp_path / DEVICE_SOCKET)
    screen.start()
    world.wait(panels=1)
    world.touch(10.5, 20, held_ms=30)
    taken: list[object] = []
    while sum(isinstance(signal, Touch) for signal in taken) < 2:
        new = inbox.take(DEADLINE_S)
        assert new
        taken += new
    found, down, up = taken
    assert found == DeviceFound("cabinet")
    assert isinstance(down, Touch)
    assert isinstance(up, Touch)
    assert (down.x_mm, down.y_mm, down.down) == (10.5, 20.0, True)
    assert (up.x_mm, up.y_mm, up.down) == (10.5, 20.0, False)
    assert up.at_ns - down.at_ns >= 30_000_000
    screen.close()
    world.wait(panels=0)


def test_the_lockout_and_its_wire(world: World, table: Table) -> None:
    world.lockout(True)
    while not (isinstance(edge := table.takes(Edge), Edge) and edge.line == LOCKOUT and not edge.on):
        pass
    world.cut_wire()
    world.lockout(False)
    state = world.state()
    assert (state.lockout_locked, state.wire_cut) == (False, True)
    world.mend_wire()
    while not (isinstance(edge := table.takes(Edge), Edge) and edge.line == LOCKOUT and edge.on):
        pass


def test_the_shuffler_speaks_over_the_link_in_its_home(world: World, tmp_path: Path) -> None:
    inbox = Inbox(1)
    shuffler = SerialShuffler(inbox.put, tmp_path / SHUFFLER_LINK)
    shuffler.start()
    ready = world.state().shuffler
    assert ready == ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 0, 0)

    def tells(status: ShufflerStatus) -> None:
        until = time.monotonic() + DEADLINE_S
        while time.monotonic() < until:
            if status in inbox.take(0.1):
                return
        raise AssertionError(f"{status} was not told")

    tells(ready)
    world.door(True)
    tells(replace(ready, mode="fault", fault="door", alarm=1))
    world.door(False)
    tells(replace(ready, alarm=1))
    world.jam()
    tells(replace(ready, mode="fault", fault="jam", alarm=2))
    world.clear_jam()
    tells(replace(ready, alarm=2))
    world.sort(True)
    tells(replace(ready, mode="sort", alarm=2))
    world.sort(False)
    tells(replace(ready, alarm=2))
    world.count(51)
    tells(replace(ready, mode="fault", fault="count", count=51, alarm=3))
    world.swap_deck()
    tells(replace(ready, deck="red", alarm=3))
    world.unplug()
    assert not world.state().plugged
    tells(ShufflerStatus(False, "felt-emulator-1", "off", None, "", "", 3, 0))
    world.replug()
    tells(replace(ready, deck="red", alarm=3))
    shuffler.close()


def test_hands_at_the_shuffler_are_seen_in_its_status(world: World) -> None:
    def says() -> tuple[str, int | None, str, str]:
        unit = world.state().shuffler
        return unit.mode, unit.count, unit.deck, unit.fault

    world.load("red")
    assert says() == ("shuffling", None, "red", "")
    world.service(True)
    assert says() == ("service", None, "red", "")
    world.take_card()
    world.empty()
    assert says() == ("empty", 51, "red", "")
    world.service(False)
    world.load("")
    world.fail("color")
    assert says() == ("fault", None, "", "color")
    with pytest.raises(WorldFault, match="shuffler: this unit is no dealing shoe; use swap_deck"):
        world.deal(2)
    with pytest.raises(WorldFault, match="shuffler: fault 'rain'"):
        world.fail("rain")


def test_other_kinds_of_shuffler_a_shoe_and_one_that_does_not_count(tmp_path: Path) -> None:
    cabinet = Cabinet(tmp_path, counts=False, shoe=True)
    cabinet.start()
    world = World(tmp_path / WORLD_SOCKET)
    assert world.state().shoe
    world.deal(2)
    assert (world.state().shuffler.mode, world.state().shuffler.count) == ("dispensing", None)
    world.close()
    cabinet.close()


@pytest.fixture
def five_card(tmp_path: Path) -> Iterator[World]:
    """The world of a table with wagering buttons and without sensors."""
    cabinet = Cabinet(tmp_path, seats=2, seed=7, sensors=False, buttons=("own", "dealer"))
    cabinet.start()
    world = World(tmp_path / WORLD_SOCKET)
    yield world
    world.close()
    cabinet.close()


def test_a_finger_on_a_button_is_seen_until_it_lifts_and_a_second_press_waits_for_it(five_card: World) -> None:
    first_ns = five_card.button(2, "own", held_ms=300)  # a busy machine looks late
    assert five_card.state().buttons_down == {
        (1, "own"): False,
        (1, "dealer"): False,
        (2, "own"): True,
        (2, "dealer"): False,
        NEXT_KEY: False,
    }
    assert five_card.button(2, "own", held_ms=30) - first_ns >= 320_000_000
    five_card.wait(steady=True)
    assert not any(five_card.state().buttons_down.values())


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda world: world.button(3, "own"), "button: seat must be one of 1 to 2, not 3"),
        (lambda world: world.button(1, "left"), "button: name must be one of own, dealer, not 'left'"),
        (lambda world: world.place(1), "place: this table has no sensors"),
        (lambda world: world.wait(buttons={(1, "own"): True}, within_s=0.01), "button 1 own is dark, not lit"),
        (lambda world: world.wait(buttons={(3, "own"): True}), "'3 own' is not one of them: \"1 own\" to \"2 dealer\""),
        (lambda world: world.wait(lamps={1: Lamp.LIT}), "seat '1' has no lamp at this table"),
    ],
)  # fmt: skip
def test_what_such_a_table_cannot_do_is_refused(five_card: World, act: Callable[[World], int], says: str) -> None:
    with pytest.raises(WorldFault, match=re.escape(says)):
        act(five_card)


def test_a_table_that_lights_what_is_not_there_is_refused(five_card: World, tmp_path: Path) -> None:
    heard: list[object] = []
    complained = threading.Event()

    def put(signal: object) -> None:
        heard.append(signal)
        if isinstance(signal, Complaint):
            complained.set()

    table = SimulatedTable(put, tmp_path / DEVICE_SOCKET)
    table.start()
    five_card.wait(table=True)
    tell(table, {}, locked=False, buttons={(9, "own"): True})
    assert complained.wait(DEADLINE_S)
    (complaint,) = (signal for signal in heard if isinstance(signal, Complaint))
    assert "buttons: '9 own' is not one of them" in complaint.text
    table.close()


def test_without_sensors_and_buttons_there_is_no_lockout_to_turn(tmp_path: Path) -> None:
    cabinet = Cabinet(tmp_path, seats=5, sensors=False)
    cabinet.start()
    world = World(tmp_path / WORLD_SOCKET)
    state = world.state()
    assert (state.seats, state.sensors, state.lockout, state.buttons, state.chips, state.lamps) == (
        5,
        False,
        False,
        {},
        {},
        {},
    )
    acts: tuple[Callable[[], int], ...] = (lambda: world.lockout(True), world.cut_wire, world.mend_wire)
    for act in acts:
        with pytest.raises(WorldFault, match="this table has no lockout switch"):
            act()
    world.close()
    cabinet.close()


@pytest.mark.parametrize("seats", [0, 7])
def test_a_table_has_one_to_six_seats(tmp_path: Path, seats: int) -> None:
    with pytest.raises(CabinetFault, match=f"{seats} seats; a table has 1 to 6"):
        Cabinet(tmp_path, seats)


@pytest.mark.usefixtures("cabinet")
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("plac", "not a line of JSON"),
        ("[1]", "is not a JSON object"),
        ('{"seat": 3}', "None is not a command; use one of place, take"),
        ('{"do": "plac", "seat": 3}', "'plac' is not a command; use one of place, take"),
        ('{"do": ["place"], "seat": 3}', "is not a command"),
        ('{"do": "place"}', "place: 'seat' is missing; it takes seat"),
        ('{"do": "place", "seat": 9}', "place: seat must be one of 1 to 6, not 9"),
        ('{"do": "place", "seat": 0}', "place: seat must be one of 1 to 6, not 0"),
        ('{"do": "place", "seat": true}', "place: seat must be a int, not true"),
        ('{"do": "place", "seat": "3"}', 'place: seat must be a int, not "3"'),
        ('{"do": "place", "seat": 3, "chips": 2}', "place: 'chips' is not understood; it takes seat"),
        ('{"do": "cut_wire", "now": true}', "cut_wire: 'now' is not understood; it takes nothing more"),
        ('{"do": "take", "seat": 3}', "take: no chip lies at seat 3; place one first"),
        ('{"do": "button", "seat": 3, "name": "own", "held_ms": 5}', "button: this table has no wagering buttons"),
        ('{"do": "count", "cards": 300}', "count: cards must be 0 to 254, not 300"),
        ('{"do": "bounce", "seat": 3, "edges": 1, "ms": 5}', "bounce: edges must be 2 to 100000, not 1"),
        ('{"do": "badge", "number": "2001"}', "badge: no table is connected to the reader; start `felt table`"),
        ('{"do": "touch", "x_mm": 1, "y_mm": 2, "held_ms": 80}', "touch: no screen is connected to the panel"),
        ('{"do": "touch", "x_mm": NaN, "y_mm": 2, "held_ms": 80}', "touch: x_mm must be a float, not NaN"),
        ('{"do": "await", "what": {"lamp": 1}, "within_ms": 1}', "await: what: 'lamp' is not understood"),
        ('{"do": "await", "what": {"lamps": {"9": "lit"}}, "within_ms": 1}', "seat '9' is not one of 1 to 6"),
        ('{"do": "await", "what": {"lamps": {"1": "red"}}, "within_ms": 1}', "seat 1 cannot be 'red'; use one of dark"),
        ('{"do": "await", "what": {"lamps": {"1": "lit"}, "locked": false}, "within_ms": 1}',
         "await: after 1 ms lamp 1 is dark, not lit; locked is True, not False"),
    ],
)  # fmt: skip
def test_a_bad_command_is_refused_with_the_place_and_the_remedy(tmp_path: Path, command: str, says: str) -> None:
    with socket.socket(socket.AF_UNIX) as hand, hand.makefile("rb") as answers:
        hand.connect(str(tmp_path / WORLD_SOCKET))
        hand.settimeout(DEADLINE_S)
        hand.sendall(command.encode() + b"\n")
        assert says in json.loads(answers.readline())["error"]
        hand.sendall(b'{"do":"place","seat":3}\n{"do":"place","seat":3}\n')
        assert json.loads(answers.readline())["ok"] is True, "the next valid command works"
        assert "a chip lies at seat 3 already" in json.loads(answers.readline())["error"]


@pytest.mark.usefixtures("cabinet")
@pytest.mark.parametrize(
    ("said", "says"),
    [
        ('{"hello":"dealer"}', 'begin with {"hello":"table"} or "panel"'),
        ('{"hello":"table"}\n{"lamps":{"9":"lit"},"locked":true,"at_ns":1}', "seat '9' is not one of 1 to 6"),
        ('{"hello":"table"}\n{"lamps":{"1":"blue"},"locked":true,"at_ns":1}', "seat 1 cannot be 'blue'"),
        (
            '{"hello":"table"}\n{"lamps":{},"buttons":{"1 own":true},"locked":true,"at_ns":1}',
            "buttons: '1 own' is not one of them: there are none at this table",
        ),
        ('{"hello":"table"}\n{"lamps":{},"buttons":["1 own"],"locked":true,"at_ns":1}', 'buttons: ["1 own"] is not'),
        (
            '{"hello":"table"}\n{"lamps":{},"noise":1,"locked":true,"at_ns":1}',
            "tell at_ns with lamps, buttons, locked, or read",
        ),
        ('{"hello":"table"}\n{"lamps":{},"locked":1,"at_ns":1}', "locked: 1 is not understood; tell a bool"),
        ('{"hello":"table"}\n{"lamps":{},"locked":true}', "tell at_ns with lamps, buttons, locked, or read"),
    ],
)
def test_what_a_wire_cannot_carry_is_refused(tmp_path: Path, said: str, says: str) -> None:
    with socket.socket(socket.AF_UNIX) as wire, wire.makefile("rb") as answers:
        wire.connect(str(tmp_path / DEVICE_SOCKET))
        wire.settimeout(DEADLINE_S)
        wire.sendall(said.encode() + b"\n")
        error = next(answer["error"] for answer in map(json.loads, answers) if "error" in answer)
        assert says in error


def test_a_line_without_an_end_is_cut_off(cabinet: Cabinet, tmp_path: Path, world: World) -> None:
    with socket.socket(socket.AF_UNIX) as hand:
        hand.connect(str(tmp_path / WORLD_SOCKET))
        hand.settimeout(DEADLINE_S)
        hand.sendall(b"x" * 20_000)
        answer = hand.makefile("rb").read()
    assert b"end each command with a line feed" in answer
    assert world.state().chips[1] is False


def test_a_table_complains_of_what_it_does_not_understand_and_reads_on(tmp_path: Path) -> None:
    inbox = Inbox(1)
    with socket.socket(socket.AF_UNIX) as cabinet:
        cabinet.bind(str(tmp_path / DEVICE_SOCKET))
        cabinet.listen()
        table = SimulatedTable(inbox.put, tmp_path / DEVICE_SOCKET)
        table.start()
        wire, _ = cabinet.accept()
        wire.sendall(b'{"hello":"cabinet"}\nnoise\n{"edge":[1,"on",5]}\n{"error":"no"}\n{"badge":["2001",5]}\n')
        taken: list[object] = []
        while Badge("2001", 5) not in taken:
            new = inbox.take(DEADLINE_S)
            assert new
            taken += new
        assert [signal.place for signal in taken if isinstance(signal, Complaint)] == ["cabinet"] * 3
        table.close()
        wire.close()


def test_a_cabinet_that_stands_still_never_blocks_the_table(tmp_path: Path) -> None:
    inbox = Inbox(1)
    with socket.socket(socket.AF_UNIX) as cabinet:
        cabinet.bind(str(tmp_path / DEVICE_SOCKET))
        cabinet.listen()
        table = SimulatedTable(inbox.put, tmp_path / DEVICE_SOCKET)
        table.start()
        wire, _ = cabinet.accept()
        wire.sendall(b'{"hello":"cabinet"}\n')
        assert inbox.take(DEADLINE_S) == [DeviceFound("cabinet")]
        slowest_ns, taken = 0, []
        for number in range(20_000):
            before_ns = time.monotonic_ns()
            tell(table, {1: Lamp.LIT if number % 2 else Lamp.DARK}, locked=False)
            slowest_ns = max(slowest_ns, time.monotonic_ns() - before_ns)
            if taken := inbox.take(0):
                break
        assert slowest_ns < 1_000_000_000
        (lost,) = taken or inbox.take(DEADLINE_S)
        assert isinstance(lost, DeviceLost), "it hangs up and begins anew"
        wire.close()
        table.close()


def test_two_cabinets_cannot_live_in_one_home_but_a_dead_one_leaves_room(cabinet: Cabinet, tmp_path: Path) -> None:
    with pytest.raises(CabinetFault, match="a cabinet lives here already; stop it, or choose another home"):
        Cabinet(tmp_path).start()
    assert (tmp_path / SHUFFLER_LINK).exists(), "the living one keeps its shuffler"
    World(tmp_path / WORLD_SOCKET).close()
    dead = tmp_path / "dead"
    dead.mkdir()
    for name in (DEVICE_SOCKET, WORLD_SOCKET):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(dead / name))
    successor = Cabinet(dead)
    successor.start()
    World(dead / WORLD_SOCKET).close()
    successor.close()
    assert list(dead.iterdir()) == []


def test_a_home_that_is_too_deep_for_a_socket_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(CabinetFault, match="choose a home with a short path"):
        Cabinet(tmp_path / ("deep" * 30)).start()


def test_without_a_cabinet_a_hand_is_told_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(WorldFault, match="start `felt cabinet` with the same home"):
        World(tmp_path / WORLD_SOCKET)


def test_run_stands_until_it_is_stopped(tmp_path: Path) -> None:
    stop, ready = threading.Event(), threading.Event()
    standing = threading.Thread(target=Cabinet(tmp_path).run, args=(stop, ready.set))
    standing.start()
    assert ready.wait(DEADLINE_S)
    stop.set()
    standing.join(DEADLINE_S)
    assert not standing.is_alive()
    assert list(tmp_path.iterdir()) == []
