"""The contract of `hal.ports.Shuffler`: `SerialShuffler` on a real pseudo-terminal; a unit that speaks its bytes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hal.frames import Refused, stuff
from hal.ports import Complaint, DeviceFound, DeviceLost, ShufflerStatus
from hal.serial import SerialShuffler
from hal.shuffler.codec import Decoder, Encoder
from hal.shuffler.emulator import Emulator
from tests.contract.signals import Signals

READY = ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 0, 0)


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[Emulator]:
    emulator = Emulator(tmp_path / "shuffler", shuffle_ms=20)
    emulator.start()
    yield emulator
    emulator.close()


@pytest.fixture
def heard() -> Signals:
    return Signals()


@pytest.fixture
def shuffler(unit: Emulator, heard: Signals, tmp_path: Path) -> Iterator[SerialShuffler]:
    port = SerialShuffler(heard.put, tmp_path / "shuffler")
    port.start()
    heard.wait_for(READY)
    yield port
    port.close()


def test_it_tells_its_whole_status_at_once(shuffler: SerialShuffler, heard: Signals) -> None:
    assert heard.everything == [DeviceFound("shuffler"), READY]


@pytest.mark.usefixtures("shuffler")
def test_a_swapped_deck_is_shuffled_and_counted(unit: Emulator, heard: Signals) -> None:
    unit.swap_deck()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "shuffling", None, "red", "", 0, 0))
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "ready", 52, "red", "", 0, 0))
    unit.swap_deck()
    heard.wait_for(READY)


@pytest.mark.usefixtures("shuffler")
def test_sort_mode_is_shown(unit: Emulator, heard: Signals) -> None:
    unit.sort(True)
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "sort", 52, "blue", "", 0, 0))
    unit.sort(False)
    heard.wait_for(READY)


def test_an_alarm_stays_until_it_is_acknowledged(shuffler: SerialShuffler, unit: Emulator, heard: Signals) -> None:
    unit.jam()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 52, "blue", "jam", 1, 0))
    unit.clear_jam()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 1, 0))
    shuffler.acknowledge(1)
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 1, 1))


def test_every_alarm_has_its_own_number(shuffler: SerialShuffler, unit: Emulator, heard: Signals) -> None:
    unit.door(True)
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 52, "blue", "door", 1, 0))
    shuffler.acknowledge(1)
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 52, "blue", "door", 1, 1))
    unit.door(False)
    unit.set_count(51)
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 51, "blue", "count", 2, 1))
    unit.set_count(52)
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 2, 1))


def test_an_acknowledgement_is_a_state_and_survives_the_cable(
    shuffler: SerialShuffler, unit: Emulator, heard: Signals
) -> None:
    unit.jam()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 52, "blue", "jam", 1, 0))
    unit.unplug()
    heard.wait_for(ShufflerStatus(False, "felt-emulator-1", "off", None, "", "", 1, 0))
    shuffler.acknowledge(1)
    unit.replug()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 52, "blue", "jam", 1, 1))


@pytest.mark.usefixtures("shuffler")
def test_a_pulled_cable_is_told_once_and_found_again(unit: Emulator, heard: Signals, tmp_path: Path) -> None:
    unit.unplug()
    lost = heard.wait_for_kind(DeviceLost)
    assert lost.device == "shuffler"
    assert str(tmp_path / "shuffler") in lost.text
    assert "check the cable" in lost.text
    heard.wait_for(ShufflerStatus(False, "felt-emulator-1", "off", None, "", "", 0, 0))
    unit.replug()
    heard.wait_for(DeviceFound("shuffler"))
    heard.wait_for(READY)
    assert sum(isinstance(signal, DeviceLost) for signal in heard.everything) == 1


def test_a_unit_that_is_not_there_is_told_with_the_remedy(tmp_path: Path, heard: Signals) -> None:
    port = SerialShuffler(heard.put, tmp_path / "nothing")
    port.start()
    assert "check the cable and power" in heard.wait_for_kind(DeviceLost).text
    heard.wait_for(ShufflerStatus(False, "", "off", None, "", "", 0, 0))
    port.close()


def test_a_unit_that_falls_silent_counts_as_disconnected(tmp_path: Path, heard: Signals) -> None:
    unit = Emulator(tmp_path / "shuffler")
    unit.replug()  # the cable is in, but the unit is not switched on
    port = SerialShuffler(heard.put, tmp_path / "shuffler", silence_ns=300_000_000)
    port.start()
    heard.wait_for(DeviceFound("shuffler"))
    unit.say(Encoder().encode(READY))
    heard.wait_for(READY)
    heard.wait_for(ShufflerStatus(False, "felt-emulator-1", "off", None, "", "", 0, 0))
    port.close()
    unit.close()


@pytest.mark.usefixtures("shuffler")
@pytest.mark.parametrize(
    ("noise", "says"),
    [
        pytest.param(b"\0\x55\xaa\x01\0", "cut short", id="garbage"),
        pytest.param(b"\0" + stuff(b"\x01\x02\x03\x04\x05\x06") + b"\0", "checksum", id="bad checksum"),
        pytest.param(b"\0" + b"\x11" * 200 + b"\0", "check baud rate", id="noise"),
    ],
)
def test_what_is_refused_is_one_complaint_and_the_next_frame_works(
    unit: Emulator, heard: Signals, noise: bytes, says: str
) -> None:
    unit.say(noise)
    complaint = heard.wait_for_kind(Complaint)
    assert complaint.place == "shuffler"
    assert says in complaint.text
    unit.jam()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "fault", 52, "blue", "jam", 1, 0))
    assert sum(isinstance(signal, Complaint) for signal in heard.everything) == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_fuzzed_line_is_complained_of_and_the_next_frame_works(tmp_path: Path, heard: Signals, seed: int) -> None:
    """Garbage, truncated, repeated and reordered frames, as an independent decoder counts them."""
    noise = random.Random(seed)
    encoder = Encoder()
    frames = [encoder.encode(replace(READY, count=count)) for count in range(20)]
    said = b""
    for frame in frames[1:]:
        kind = noise.choice(["whole", "whole", "truncated", "repeated", "late", "garbage"])
        said += {
            "whole": frame,
            "truncated": frame[: noise.randrange(2, len(frame) - 1)],
            "repeated": frame * 2,
            "late": frame + noise.choice(frames[1:]),
            "garbage": noise.randbytes(30),
        }[kind]
    oracle = Decoder(ShufflerStatus)
    expected = list(oracle.feed(said + b"\0"))
    unit = Emulator(tmp_path / "shuffler")
    unit.replug()  # the cable is in, and only the noise speaks
    port = SerialShuffler(heard.put, tmp_path / "shuffler")
    port.start()
    heard.wait_for(DeviceFound("shuffler"))
    unit.say(said + b"\0")
    unit.say(Encoder().encode(replace(READY, count=254)))
    heard.wait_for(replace(READY, count=254))
    complaints = [signal for signal in heard.everything if isinstance(signal, Complaint)]
    assert [complaint.text for complaint in complaints] == [
        message.text for message in expected if isinstance(message, Refused)
    ]
    assert complaints
    port.close()
    unit.close()


def test_close_ends_its_thread_at_once_and_may_be_called_while_unplugged(
    shuffler: SerialShuffler, unit: Emulator, heard: Signals
) -> None:
    unit.unplug()
    heard.wait_for_kind(DeviceLost)
    shuffler.close()
    assert (thread := shuffler._worker._thread) is not None and not thread.is_alive()
