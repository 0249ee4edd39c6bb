"""The rigs' own parts: a broken one stays so, units are kept as by systemd, cables are pulled, promises are documented."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.hil import conftest, self_test
from tests.hil.cable import Cable
from tests.hil.promises import Promise
from tests.hil.rig import Broken, Lines, Unit
from tests.hil.sim import SimRig
from tests.hil.supervisor import UNITS, Keeping, keeping

DOCS = Path(__file__).parents[2] / "docs"


class NeverThere(SimRig):
    """A rig that does not come up."""

    starts = 0

    def start(self) -> None:
        type(self).starts += 1
        raise Broken("no power")


def test_a_broken_rig_stays_broken_and_every_scenario_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(conftest.RIGS, "sim", (__name__, "NeverThere"))
    bench = conftest.Bench("sim")
    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="the rig is broken: no power"):
            bench.rig("pa-653a")
    assert bench.kind is not SimRig and getattr(bench.kind, "starts", 0) == 1, "it is not tried again"
    bench.close()


def test_a_unit_is_kept_as_its_file_says() -> None:
    assert keeping(UNITS / "felt-table.service") == Keeping(restart_s=1.0, watchdog_s=5.0)


def test_a_unit_that_is_not_started_again_is_refused(tmp_path: Path) -> None:
    unit = tmp_path / "felt-table.service"
    unit.write_text("[Service]\nRestart=on-failure\nRestartSec=1\nWatchdogSec=5\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="a killed program stays away"):
        keeping(unit)


def test_a_pulled_cable_carries_nothing_and_hangs_up_on_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as far:
        cable = Cable(far.getsockname()[1])
        with socket.create_connection(("127.0.0.1", cable.port)) as near:
            end, _ = far.accept()
            near.sendall(b"one")
            assert end.recv(16) == b"one"
            cable.unplug()
            near.sendall(b"two")
            end.settimeout(0.2)
            with pytest.raises(TimeoutError):
                end.recv(16)
            cable.replug()
            end.settimeout(5)
            assert end.recv(16) == b"two", "put back, it carries what was said meanwhile"
            end.close()
        cable.close()


@pytest.mark.parametrize("promise", Promise, ids=lambda promise: promise.name)
def test_a_promise_stands_in_its_document(promise: Promise) -> None:
    text = " ".join((DOCS / promise.document).read_text(encoding="utf-8").split())
    assert promise.words in text


class Slow(SimRig):
    """Twelve times slower than a Raspberry Pi; its table's watchdog bites 15 s later."""

    slowness = 12.0
    later_s: Mapping[str, float] = {Unit.TABLE: 15.0}


def test_a_slow_rig_takes_promises_in_its_own_time_and_a_later_watchdog_on_top() -> None:
    promises = (Promise.LAMP, Promise.HUNG_DARK)
    for kind, expected, most in ((SimRig, (0.1, 8.0), (1.0, 80.0)), (Slow, (1.2, 111.0), (3.6, 303.0))):
        rig = kind()
        assert tuple(map(rig.expected_s, promises)) == pytest.approx(expected)
        assert tuple(map(rig.most_s, promises)) == pytest.approx(most)
        rig.stop()


class Metered(SimRig):
    """A rig whose meter always sees this lamp, and no other."""

    def __init__(self, lit: int) -> None:
        super().__init__()
        self._lit = lit

    def lines(self) -> Lines:
        return Lines({seat: seat == self._lit for seat in range(1, 7)}, True, time.monotonic())


def test_the_self_test_says_whether_a_sensors_wire_or_a_lamps_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "LINE_S", 0.05)
    rig = Metered(lit=3)
    assert self_test.wires(rig, 3, [3]) == []
    assert self_test.wires(rig, 2, [3]) == ["sensor 2: the table hears seat 3; its wire is swapped or shorted"]
    assert self_test.wires(rig, 2, [2]) == [
        "lamp 2: the meter sees 3 lit; a lamp's wire is swapped, cut or inverted",
    ]
    rig.stop()
