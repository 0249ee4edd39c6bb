"""The devices of a table, as its table.toml names them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.config import TableConfig
    from firmware.rules.message import Message
    from firmware.rules.submission import Submission
    from hal.chip_reader import ChipReader
    from hal.debounce import Inbox
    from hal.ports import BadgeReader, Button, Hardware, Shuffler


def hardware(config: TableConfig, submission: Submission, home: Path, inbox: Inbox) -> Hardware:
    """Sensors, lamps, lock line and buttons: on pins, in the cabinet, or none."""
    from hal.ports import Hardware

    seats = config.seats
    debounce_ns = seats.debounce_ms * 1_000_000
    if seats.hardware == "cabinet":
        from hal.cabinet.ends import SimulatedTable
        from hal.cabinet.wire import DEVICE_SOCKET

        return Hardware.of(SimulatedTable(inbox.put, home / DEVICE_SOCKET, debounce_ns))
    from hal.ports import NEXT_KEY

    next_key = {NEXT_KEY: seats.next_pin} if seats.next_pin >= 0 else {}
    if not submission.on_sensor and not next_key:
        from hal.no_sensors import NoSensors

        return Hardware.of(NoSensors(inbox.put))
    from firmware.table.state import HANDS
    from hal.gpio import GpioTable

    if not submission.on_sensor:
        pins = GpioTable(inbox.put, {}, {}, None, None, buttons=next_key, button_debounce_ns=debounce_ns)
        return Hardware.of(pins)
    wired = bool(submission.by_account)

    def by_seat(pins: Sequence[int]) -> dict[int, int]:
        return dict(enumerate(pins, start=1))

    def by_button(*each: Sequence[int]) -> dict[Button, int]:
        named = zip(HANDS, each, strict=True) if wired else ()
        return {(seat, hand): pin for hand, pins in named for seat, pin in by_seat(pins).items()}

    reader = _reader(config, len(submission.on_sensor), inbox)
    pins = GpioTable(
        inbox.put,
        by_seat(seats.sensor_pins if reader is None else ()),
        by_seat(seats.lamp_pins),
        seats.lockout_pin,
        seats.lock_pin,
        buttons={
            **by_button(seats.own_button_pins, seats.dealer_button_pins),
            **next_key,
        },
        button_lamps=by_button(seats.own_button_lamp_pins, seats.dealer_button_lamp_pins),
        button_debounce_ns=debounce_ns,
        chip_labels=seats.gpio_chips,
        lock_wave_hz=config.lock.frequency_hz if config.lock.dynamic else 0,
    )
    if reader is None:
        return Hardware.of(pins)
    return Hardware((pins, reader), sensors=(pins, reader), lamps=pins, lock_line=pins, buttons=pins)


def _reader(config: TableConfig, wagers: int, inbox: Inbox) -> ChipReader | None:
    """The reader of chips at its serial port, for so many wagers a seat; None where contacts sense them."""
    from hal.chip_reader import ChipReader
    from hal.reader.protocols import CONTACTS

    line = config.sensors
    if line.kind == CONTACTS:
        return None
    return ChipReader(inbox.put, Path(line.port), config.seats.count * wagers, line.kind, line.baud)


def shuffler(config: TableConfig, home: Path, inbox: Inbox) -> Shuffler:
    """The shuffler at its serial port, or none."""
    from firmware.table.procedures import NO_SHUFFLER

    if config.dealing.shuffler == NO_SHUFFLER:
        from hal.no_shuffler import NoShuffler

        return NoShuffler()
    from hal.serial import SerialShuffler

    unit = config.shuffler
    return SerialShuffler(inbox.put, Path(unit.port or home / "shuffler"), unit.baud, protocol=unit.protocol)


def badges(config: TableConfig, inbox: Inbox) -> BadgeReader | None:
    """The reader at the table's hardware; the cabinet brings its own."""
    if config.seats.hardware == "cabinet":
        return None
    from hal import badge

    return badge.BadgeReader(inbox.put, badge.reader(Path(config.badge.device)))


def faults(config: TableConfig, submission: Submission) -> tuple[Message, ...]:
    """The faults of the machine that a technician has to mend: in the log, and on the glass until they are mended."""
    if config.seats.hardware == "cabinet" or not submission.on_sensor:
        return ()
    from firmware.rules.message import say
    from hal.chips import keeps_levels

    parameter = keeps_levels()
    if parameter is None:
        return ()
    logging.getLogger("felt.table").warning(
        "%s is Y: lamps and lock line stay as they are when this program dies; "
        "add dtparam=strict_gpiod to config.txt and boot again",
        parameter,
    )
    return (say("pins.stay"),)
