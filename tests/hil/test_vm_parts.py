"""Parts of the rig `vm` that need no virtual machine."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, cast

import pytest

from firmware.config import DEFAULT_BOOK, load_bank, load_table
from firmware.proof.simulation.at_table import AtTable
from firmware.proof.simulation.person import FLOOR, Person, Stuck
from firmware.rules import games
from firmware.rules.message import say
from firmware.runtime.glass import Observation, Text
from hal.ports import Lamp
from tests.hil import boot, image, provision, vm
from tests.hil.far import LOOK_S, Bulb, Control, FarHands, Pull, Wiring, wiring
from tests.hil.machine import Machine, Qmp, starved_s
from tests.hil.rehearsal import Shows
from tests.hil.rig import Broken
from tests.hil.test_play import judged_as
from ui.dealer.panels import PANELS

MS = 1_000_000


def test_every_line_of_the_installation_is_executed() -> None:
    lines = list(provision.commands())
    before = provision.lines(*provision.BEFORE)
    assert any("felt table new" in line for line in lines)
    assert any("felt-bank.service" in line for line in lines)
    for mark in provision.BEFORE:
        assert any(mark in line for line in before), f"the document no longer says {mark!r}"
    for part in provision.NOT_YET:
        assert any(part in line for line in lines), f"the document no longer says {part!r}"
    assert "issue uth-04 clientAuth" in provision.certificates()


@pytest.mark.parametrize("book", games.books())
def test_a_machine_can_be_configured_for_every_book(book: str, tmp_path: Path) -> None:
    for name, text in provision.configuration(book).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    table = load_table(tmp_path / "table.toml")
    assert (table.id, table.home, table.seats.hardware) == (provision.TABLE, "/var/lib/felt", "gpio")
    assert (table.badge.device, table.shuffler.port) == (provision.BADGE, provision.SHUFFLER)
    assert table.screen.observe
    if (tmp_path / "bank.toml").exists():
        bank = load_bank(tmp_path / "bank.toml")
        assert (bank.tables, bank.link.broker) == ((table.id,), table.link.broker)
        assert len(wiring(table, sensors=True).lamps) == table.seats.count


def test_a_watchdog_of_the_machine_is_longer_than_a_casinos_by_what_a_promise_allows() -> None:
    assert {unit: provision.later_s(unit) for unit in ("table", "screen", "bank", "sign", "machine")} == {
        "table": 15.0,
        "screen": 80.0,
        "bank": 75.0,
        "sign": 60.0,
        "machine": 50.0,
    }


def test_nobody_waits_for_the_answer_of_a_machine_whose_power_was_cut(tmp_path: Path) -> None:
    """A plug is pulled out just then: the thread that carries the shuffler's words would never come back."""
    path = tmp_path / "qmp"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()
        machine = threading.Thread(target=_is_cut, args=(listening,), daemon=True)
        machine.start()
        said = Qmp(path, lambda _event: None)
        with pytest.raises(Broken, match="QEMU is gone: device_del"):
            said.say("device_del", {"id": "shuffler"})
        said.close()
        machine.join()


def _is_cut(listening: socket.socket) -> None:
    """A machine that says who it is, takes one command, and is dead at the second."""
    here, _ = listening.accept()
    with here, here.makefile("rb") as commands:
        here.sendall(b'{"QMP": {}}\n')
        commands.readline()
        here.sendall(b'{"return": {}}\n')
        commands.readline()


def test_the_law_is_judged_by_the_levels_at_the_switchs_first_edge_at_the_machines_wires(tmp_path: Path) -> None:
    """A contact that bounces on after that edge was closed at it: on a busy machine the rest of a bounce comes late."""
    wires = Wiring({1: 5, 2: 6, 3: 13, 4: 19}, {}, lockout=16)
    hands = FarHands(cast(Machine, None), tmp_path, wires, PANELS["800x480"])
    last_round = [(16, True, 100 * MS), (16, False, 900 * MS), (5, False, 50 * MS), (5, True, 950 * MS)]
    bounced = [(5, False, 8_000 * MS), (5, True, 8_001 * MS), (5, False, 8_002 * MS)]
    stretched = [(13, False, 8_000 * MS), (13, True, 8_180 * MS), (13, False, 8_181 * MS)]
    switch = [(16, True, 8_025 * MS), (16, False, 8_026 * MS), (16, True, 8_027 * MS)]
    moved = [*last_round, *bounced, *stretched, *switch, (6, False, 8_030 * MS)]
    hands.pulled += [Pull(*one) for one in moved]
    held = {
        seat: exactly for seat, (least, exactly) in hands.held_ms(8_028 * MS, within_s=1.0).items() if least == exactly
    }
    assert held == {1: 23.0, 2: -5.0, 3: 25.0}, "nothing moved at seat 4"


def test_a_switch_that_was_opened_a_moment_before_was_turned_when_it_was_turned_last(tmp_path: Path) -> None:
    """Seen on a quick machine: a chip that lay 100 ms before the lock *had held for -817 ms*, by the edge of the opening."""
    hands = FarHands(cast(Machine, None), tmp_path, Wiring({1: 5}, {}, lockout=16), PANELS["800x480"])
    opened, bounced, locked = (16, False, 8_000 * MS), (16, True, 8_823 * MS), (16, True, 8_820 * MS)
    hands.pulled += [Pull(*one) for one in (opened, locked, (16, False, 8_822 * MS), bounced, (5, False, 8_720 * MS))]
    assert hands.held_ms(8_821 * MS, within_s=1.0) == {1: (100.0, 100.0)}


@pytest.mark.parametrize(
    ("again_ms", "held"),
    [(8_010, (-3.0, -3.0)), (8_021, (-3.0, 12.0)), (8_040, (31.0, 31.0))],
    ids=["it bounces", "nobody knows", "it was turned back"],
)
def test_a_switch_that_bounces_so_slowly_that_it_was_turned_back_is_turned_at_its_next_edge(
    again_ms: int, held: tuple[float, float], tmp_path: Path
) -> None:
    """Seen: every pull took a busy machine 5 ms, and a chip that was lit by right *had held for -11.1 to -1.0 ms*."""
    hands = FarHands(cast(Machine, None), tmp_path, Wiring({1: 5}, {}, lockout=16), PANELS["800x480"])
    switch = [(16, True, 8_006 * MS), (16, False, 8_007 * MS), (16, True, again_ms * MS)]
    hands.pulled += [Pull(*one) for one in [*switch, (5, False, 8_009 * MS)]]
    assert hands.held_ms(8_006 * MS, within_s=1.0) == {1: held}


def test_a_switch_is_not_taken_for_turned_back_by_a_pull_that_took_long(tmp_path: Path) -> None:
    """Seen with every core busy: a chip that was late by right *had held for 125.3 to 204.2 ms*."""
    hands = FarHands(cast(Machine, None), tmp_path, Wiring({1: 5}, {}, lockout=16), PANELS["800x480"])
    hands.pulled += [Pull(16, True, 8_000 * MS), Pull(16, False, 8_001 * MS), Pull(16, True, 8_080 * MS, 79 * MS)]
    hands.pulled += [Pull(5, False, 7_985 * MS)]
    assert hands.held_ms(8_000 * MS, within_s=1.0) == {1: (15.0, 95.0)}, "which edge the table takes nobody knows"


def test_a_machine_that_stood_still_between_two_bounces_of_the_switch_judges_no_chip_that_fell_then(
    tmp_path: Path,
) -> None:
    """Seen beside seven busy programs: a chip that was late by right *had held for 44 to 160 ms*."""
    hands = FarHands(cast(Machine, None), tmp_path, Wiring({1: 5, 2: 6}, {}, lockout=16), PANELS["800x480"])
    hands.pulled += [Pull(6, False, 7_600 * MS)]
    hands.pulled += [Pull(16, True, 8_000 * MS), Pull(16, False, 8_001 * MS), Pull(5, False, 8_160 * MS, 10 * MS)]
    hands.pulled += [Pull(16, True, 8_230 * MS, 3 * MS, late_ns=190 * MS)]
    held = hands.held_ms(8_000 * MS, within_s=1.0)
    assert {seat: judged_as(of, blur_ms=6.0) for seat, of in held.items()} == {1: "", 2: "lit"}


def test_a_boot_is_told_part_by_part() -> None:
    said = (
        "UserspaceTimestampMonotonic=4000000\nExecMainStartTimestampMonotonic=9000000\n"
        "ActiveEnterTimestampMonotonic=12500000\nId=felt-table.service\n\n"
        "ExecMainStartTimestampMonotonic=0\nActiveEnterTimestampMonotonic=0\nId=felt-sign.service\n"
    )
    assert boot.parts(said) == {
        "kernel and initrd": 4.0,
        "systemd, until felt-table begins": 5.0,
        "felt-table, until it is ready": 3.5,
    }


def test_a_machine_that_stands_still_between_a_pull_and_its_clock_does_not_know_how_long_a_contact_held(
    tmp_path: Path,
) -> None:
    """Seen: with every core busy a chip that was lit by right was said to have lain for 8.7 ms."""
    hands = FarHands(cast(Machine, None), tmp_path, Wiring({1: 5}, {}, lockout=16), PANELS["800x480"])
    hands.pulled += [Pull(5, False, 8_015 * MS, took_ns=15 * MS), Pull(16, True, 8_024 * MS, took_ns=1 * MS)]
    assert hands.held_ms(8_024 * MS, within_s=1.0) == {1: (8.0, 24.0)}
    assert judged_as((8.0, 24.0), blur_ms=6.0) == "", "it may have held for the debounce time, or not"
    assert (judged_as((27.0, 40.0), 6.0), judged_as((-3.0, 13.0), 6.0)) == ("lit", "late")


@pytest.mark.parametrize(("half_ms", "lamp"), [(500, Lamp.LATE), (125, Lamp.FAULT)], ids=["half a second", "an eighth"])
def test_a_meter_at_a_lamp_tells_how_it_blinks(half_ms: int, lamp: Lamp) -> None:
    bulb, now_ns, high = Bulb(), 10_000 * MS, False
    for _ in range(4):
        high, now_ns = not high, now_ns + half_ms * MS
        bulb.change(high, now_ns)
    assert bulb.look(now_ns + half_ms * MS // 2) is lamp
    assert bulb.look(now_ns + 5_000 * MS) is Lamp.DARK


def test_a_lamp_that_was_lit_once_is_lit_and_one_that_went_out_is_dark() -> None:
    bulb = Bulb()
    bulb.change(True, 10_000 * MS)
    assert bulb.look(10_001 * MS) is bulb.look(90_000 * MS) is Lamp.LIT
    bulb.change(False, 90_000 * MS)
    assert bulb.look(90_001 * MS) is Lamp.DARK


class SlowReader:
    """A person at a reader that types slowly: the screen asks for the badge a while longer."""

    world, tap_again_s = None, 12.0

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.waited_s: list[float | None] = []

    def show_badge(self, number: str) -> None:
        self.shown.append(number)

    def see(self, what: Callable[[Observation], bool], waiting_for: str, within_s: float | None = None) -> Observation:
        asks = Text("work", "", (say("badge.show"),), 0, 0, 1, 1, "", enabled=True, hold_ms=0, shape="", seat=0)
        asked = Observation("sign", "1", (asks,), {}, locked=True, guard_ms=0, at_ns=0)
        self.waited_s.append(within_s)
        if what(asked):
            return asked
        raise Stuck(waiting_for)


def test_what_a_busy_machine_complains_of_is_no_difference_between_a_rehearsal_and_a_rig() -> None:
    """Seen at an inspection: contacts were told 42 ms late, and the rehearsal's last line had no place."""
    heading, decks = say("inspect.heading"), say("deck.list", decks="blue")
    complaint = say("desk.late-contacts", complaint="contacts: machine too busy: told up to 42 ms late")
    work = Text("work", "", (heading, decks, complaint), 0, 0, 1, 1, "", enabled=True, hold_ms=0, shape="", seat=0)
    seen = Observation("inspect", "1", (work,), {}, locked=True, guard_ms=0, at_ns=0)
    rehearsed = (heading, decks, say("inspect.defect"))
    assert Shows("inspect", {"work": rehearsed}, frozenset()).agrees(seen)
    assert not Shows("inspect", {"work": (say("wash.heading"), *rehearsed[1:])}, frozenset()).agrees(seen)


def test_a_badge_that_is_not_read_at_once_is_not_held_there_again_and_again() -> None:
    """A reader types for a while; a hundred badges a second fill the kernel's buffer, and all are lost."""
    person = SlowReader()
    assert not AtTable(cast(Person, person))._tries_pin(*FLOOR)
    assert (person.shown, person.waited_s) == (["2001"], [12.0])


def test_nobody_touches_a_slow_glass_before_it_shows_what_the_table_says() -> None:
    """Seen: every tap after a new screen met its guard, and was made again four seconds later."""
    person = Person.__new__(Person)
    person.drawn_s = 0.2
    began = person._key_since = person._seen_since = time.monotonic()
    person._react(Observation("open", "1", (), {}, locked=False, guard_ms=100, at_ns=0))
    assert time.monotonic() - began >= 0.3


class NewTables:
    """A rig whose tables stand ready at once."""

    made: ClassVar[list[str]] = []

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def table(self, book: str) -> None:
        self.made.append(book)


@pytest.mark.parametrize(("enough_s", "made"), [(60.0, games.books()), (0.0, (DEFAULT_BOOK,))], ids=["quick", "slow"])
def test_tables_of_every_book_are_kept_before_any_is_loaded_while_there_is_time(
    enough_s: float, made: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: QEMU took 50 s to keep a state in a disk where another was loaded, and one second otherwise."""
    NewTables.made.clear()
    monkeypatch.setattr(vm, "ENOUGH_S", enough_s)
    (tmp_path / image.LINES).touch()
    monkeypatch.setattr(sys, "argv", ["tests.hil.vm"])
    monkeypatch.setattr(image, "build", lambda: image.Image(tmp_path / "disk", tmp_path, tmp_path))
    monkeypatch.setattr(vm, "states_of", lambda built: tmp_path / "states")
    monkeypatch.setattr(vm, "VmRig", NewTables)
    assert vm.main() == 0
    assert NewTables.made[0] == DEFAULT_BOOK and sorted(NewTables.made) == sorted(made)


def test_what_a_program_waited_for_a_processor_is_told() -> None:
    assert 0 <= starved_s(os.getpid()) < time.monotonic()


class Busy:
    """A machine that answers after a while; its clock stands still where it waits for a processor."""

    def __init__(self, port: int, *, waits: bool) -> None:
        self.port, self._waits = port, waits

    @property
    def now_s(self) -> float:
        return 0.0 if self._waits else time.monotonic()


@pytest.mark.slow
@pytest.mark.parametrize("waits", [True, False], ids=["it has no processor", "it does nothing"])
def test_who_waits_for_a_processor_is_waited_for(waits: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_answers_late, args=(listening,), daemon=True).start()
        control = Control(cast(Machine, Busy(listening.getsockname()[1], waits=waits)))
        if waits:
            assert control.ask("now", patience_s=1.0) == {"at_ns": 7}
        else:
            with pytest.raises(TimeoutError):
                control.ask("now", patience_s=1.0)


def _answers_late(listening: socket.socket) -> None:
    here, _ = listening.accept()
    with here:
        threading.Event().wait(4 * LOOK_S)
        with contextlib.suppress(OSError):
            here.sendall(b'{"at_ns": 7}\n')
