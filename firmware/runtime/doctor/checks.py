"""Every check: a pure function of what table.toml says and what a `Machine` reads. A finding is a sentence and a remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath

from firmware.config import TableConfig
from firmware.rules.submission import Submission
from firmware.runtime.disk import ENOUGH_BYTES, MB
from firmware.runtime.doctor import readings as r
from firmware.runtime.doctor.findings import Finding, Verdict, notice, right, unknown, wrong
from firmware.runtime.pins import STRONGER, short_pins, weak_hashes
from firmware.table.procedures import NO_SHUFFLER
from hal.reader.protocols import CONTACTS
from ui.dealer.panels import PANELS

DAY_S = 86_400
RENEW_DAYS = 30
"""A certificate that ends so soon is to be renewed before the table opens."""
HOT_CELSIUS = 80.0
"""From here on a Raspberry Pi slows down."""
WORN = 9
"""Tenths of an eMMC's life, as the kernel counts them, from which on it is to be replaced."""
STEP_S = 120
"""A clock may be behind the journal's last row by so much: two machines never agree to the second."""
SAVES = ("ext4", "ext3", "xfs", "btrfs", "f2fs")
"""File systems that keep what was flushed through a power cut."""
UNDER_VOLTAGE, SLOWED = 0x1_0001, 0x4_0004
"""Bits of the firmware's word: now, and since the boot."""
HELD = "the devices are held by a running program"


@dataclass(frozen=True, slots=True)
class Subject:
    """The table that is examined."""

    config: TableConfig
    submission: Submission

    @property
    def is_wired(self) -> bool:
        """It has real devices, and not the simulated cabinet."""
        return self.config.seats.hardware != "cabinet"

    @property
    def has_bank(self) -> bool:
        """A table without a progressive wager has no sensors, no lamps, no switch and no bank."""
        return bool(self.submission.on_sensor)


Check = Callable[[Subject, r.Machine], Iterator[Finding]]


def examine(subject: Subject, machine: r.Machine) -> tuple[Finding, ...]:
    """All that can be said of a machine, in the order in which a technician works."""
    held = machine.holder()
    found = [*check_holder(held)]
    if not subject.is_wired:
        where = 'table.toml says hardware = "cabinet", the simulated world'
        found.append(unknown("devices", where, 'say hardware = "gpio" at a table with wires.'))
    elif held:
        found.append(unknown("devices", HELD, "stop it, and run felt doctor again."))
    else:
        found += [one for check in DEVICES for one in check(subject, machine)]
    checks = [check for check in REST if not (held and check is check_broker)]
    return (*found, *(one for check in checks for one in check(subject, machine)))


def is_well(findings: tuple[Finding, ...]) -> bool:
    """Nothing failed; what cannot be told here is no failure."""
    return all(one.verdict is not Verdict.FAIL for one in findings)


def check_holder(held: str) -> Iterator[Finding]:
    """Two programs cannot have one device."""
    if held:
        remedy = "sudo systemctl stop felt-table felt-screen, run felt doctor again, start them again."
        yield wrong("running table", f"{held}; its devices and its broker were not looked at.", remedy)


# Wires ----------------------------------------------------------------------------------------------------------------


def check_pins(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Each line can be had, its bias is what was asked, a lamp follows its pin and a person's eyes agree."""
    reading = machine.pins()
    if reading.fault:
        remedy = "check that user felt is in the group gpio, and the labels in [seats] gpio_chips (gpiodetect)."
        yield wrong("pins", f"no line can be looked at: {reading.fault}.", remedy)
    elif not reading.pins:
        yield right("pins", "this table has no wires.")
    else:
        found = [one for pin in reading.pins for one in _of_pin(pin)]
        yield from found or [right("pins", f"{len(reading.pins)} lines can be had, with the right bias and levels.")]
        yield from _of_eyes(reading.pins)
    if reading.keeps:
        remedy = "add dtparam=strict_gpiod to /boot/firmware/config.txt and boot again."
        yield wrong(
            "dead program", f"{reading.keeps} is Y: lamps and lock line stay as a dead program left them.", remedy
        )
    elif reading.pins:
        yield right("dead program", "the kernel lets go of lamps and lock line when the program dies.")


def _of_pin(pin: r.PinReading) -> Iterator[Finding]:
    wire, number = pin.wire, f"GPIO{pin.wire.pin}"
    if pin.fault:
        remedy = "end the program that has it (gpioinfo names it), or turn off I2C, SPI and the serial console there."
        yield wrong(wire.name, f"{number} ({wire.kind}) cannot be had: {pin.fault}.", remedy)
    elif wire.kind in r.OUTPUTS:
        yield from _of_output(pin)
    elif pin.pull != "up":
        remedy = "update the kernel; until then give the line a resistor of 10 kΩ to 3.3 V."
        yield wrong(wire.name, f"{number} has the bias {pin.pull or 'unknown'}, and a pull-up was asked for.", remedy)
    elif wire.kind != r.SWITCH and pin.level is False:
        lies = "a chip lies there" if wire.kind == r.SENSOR else "the button is held down"
        remedy = "take it off; if it stays, its wire touches ground."
        yield wrong(wire.name, f"the contact on {number} is closed: {lies}, or the line is short to ground.", remedy)


def _of_output(pin: r.PinReading) -> Iterator[Finding]:
    wire, number = pin.wire, f"GPIO{pin.wire.pin}"
    if pin.when_high is False and pin.when_low:
        remedy = "something drives the line the other way round: disconnect it and look at the transistor."
        yield wrong(wire.name, f"{number} reads inverted: low while driven high, and high while driven low.", remedy)
    elif pin.when_high is False:
        yield wrong(wire.name, f"{number} stays low while it is driven high.", "look for a short to ground.")
    elif pin.when_low:
        yield wrong(wire.name, f"{number} stays high while it is driven low.", "look for a short to 3.3 V.")


def _of_eyes(pins: tuple[r.PinReading, ...]) -> Iterator[Finding]:
    """The lamps as a person saw them; the level of a pin says nothing about the bulb behind it."""
    lamps = [pin for pin in pins if pin.wire.kind == r.LAMP and not pin.fault]
    if not lamps:
        return
    if all(pin.seen is None for pin in lamps):
        yield unknown("lamps", "nobody looked whether they light.", "run felt doctor in a terminal: it asks.")
        return
    found = [one for pin in lamps for one in _of_lamp(pin)]
    yield from found or [right("lamps", f"{len(lamps)} lamps light one by one, each at its seat, and go dark.")]


def _of_lamp(pin: r.PinReading) -> Iterator[Finding]:
    wire, seen = pin.wire, pin.seen
    where = f"the lamp of {wire.name}"
    if pin.glowed and (seen is None or wire.token not in seen):
        remedy = "it is driven active low: put a transistor with a pull-down there (docs/install.md, Wiring)."
        yield wrong(where, "is inverted: it glows while it is driven dark, and is dark while it is driven lit.", remedy)
    elif pin.glowed:
        remedy = "its transistor needs a pull-down of at most 4.7 kΩ."
        yield wrong(where, "glows while it is driven dark.", remedy)
    elif seen == ():
        yield wrong(where, "is dead: nobody saw it lit.", "check lamp, transistor, supply and plug.")
    elif seen is not None and wire.token not in seen:
        other = f"the lamp of {', '.join(seen)} lit instead"
        yield wrong(where, f"{other}.", "change the plugs, or lamp_pins in table.toml.")
    elif seen is not None and len(seen) > 1:
        others = ", ".join(token for token in seen if token != wire.token)
        yield wrong(where, f"lights together with {others}.", "look for a short between their lines.")


def check_lockout(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Normally closed: a contact to ground where bets may be open, so that an open wire means locked."""
    if not subject.has_bank:
        return
    seen, what = machine.lockout(), "lockout"
    if seen.fault:
        yield wrong(what, f"its line cannot be read: {seen.fault}.", "see the findings about pins.")
    elif seen.at_open is None and seen.at_locked is None:
        remedy = "run felt doctor in a terminal, which asks, or with --lockout open while it is turned to OPEN."
        yield unknown(what, "nobody said how the switch stands, so its level says nothing.", remedy)
    elif seen.at_open is False and seen.at_locked:
        remedy = "use the normally closed contact: closed to ground while bets may be open."
        yield wrong(what, "is wired normally open: open at OPEN, closed at LOCKED; a cut wire would open bets.", remedy)
    elif seen.at_open is False:
        remedy = "it looks normally open: use the normally closed contact; else look for a cut wire or an open plug."
        yield wrong(what, "its contact is open though the switch is turned to OPEN.", remedy)
    elif seen.at_locked:
        remedy = "it looks normally open, or its wire touches ground: nobody could lock bets with it."
        yield wrong(what, "its contact is closed though the switch is turned to LOCKED.", remedy)
    elif seen.at_locked is None:
        yield unknown(what, "its contact is closed at OPEN, as it must be.", "look at LOCKED too: --lockout locked.")
    elif seen.at_open is None:
        yield unknown(what, "its contact is open at LOCKED, as it must be.", "look at OPEN too: --lockout open.")
    else:
        yield right(what, "its contact is closed at OPEN and open at LOCKED: a cut wire means locked.")


def check_chips(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Whether the reader of chips tells of every seat, and finds nothing there."""
    if subject.config.sensors.kind == CONTACTS or not subject.submission.on_sensor:
        return
    seen = machine.chips()
    if seen.fault:
        yield wrong("chip reader", f"{seen.fault}.", "check its cable and power, and [sensors] port and baud.")
    elif seen.lies:
        yield wrong("chip reader", f"a chip lies at seat {seen.lies[0]}.", "take it off; else check that antenna.")
    else:
        yield right("chip reader", f"all {subject.config.seats.count} seats are heard, and nothing lies there.")


def check_shuffler(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Its port is there and the unit answers."""
    if subject.config.dealing.shuffler == NO_SHUFFLER:
        return
    seen, port = machine.shuffler(), subject.config.shuffler.port
    cable = "check its cable and power, and [shuffler] port in table.toml (ls /dev/serial/by-id)."
    if seen.fault:
        yield wrong("shuffler", f"{seen.fault}.", cable)
    elif seen.status is None:
        yield wrong("shuffler", f"nobody answers at {port}.", "switch it on; check [shuffler] baud.")
    elif seen.status.fault:
        yield wrong("shuffler", f"unit {seen.status.unit} reports {seen.status.fault}.", "clear it at the machine.")
    else:
        yield right("shuffler", f"unit {seen.status.unit} answers: {seen.status.mode}.")


def check_touch(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """The panel is there, says where it is touched, and can be had alone."""
    seen = machine.touch()
    if seen.busy:
        yield wrong("touch panel", f"{seen.name} is grabbed by another program.", "sudo systemctl stop felt-screen.")
    elif seen.fault:
        yield wrong("touch panel", f"{seen.fault}.", "check its cable, and [screen] touch in table.toml.")
    elif min(seen.most) < 1:
        yield wrong("touch panel", f"{seen.name} names no range of its axes.", "it is no absolute panel: use another.")
    else:
        across, down = seen.most
        yield right("touch panel", f"{seen.name}: 0 to {across} across, 0 to {down} down, and it can be grabbed.")


def check_badge(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """The reader is there, can be had alone, and reads a badge of somebody who works here."""
    seen, what = machine.badge(), "badge reader"
    if seen.busy:
        yield wrong(what, f"{seen.name} is grabbed by another program.", "sudo systemctl stop felt-table.")
    elif seen.fault:
        remedy = "plug it in, and name it in [badge] device (ls /dev/input/by-id)."
        yield wrong(what, f"{seen.fault}.", remedy)
    elif seen.badge is None:
        yield right(what, f"{seen.name} is there and can be grabbed; no badge was shown.")
    elif not seen.badge:
        yield wrong(what, "no badge was read.", "set it to type letters and digits, then Enter, on a US keyboard.")
    elif seen.badge not in {person.badge for person in subject.config.people}:
        yield wrong(what, f"badge {seen.badge} is nobody's.", "name its wearer in [[people]], or show another.")
    else:
        yield right(what, f"{seen.name} read badge {seen.badge}.")


def check_screen(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """A panel is connected, of the size that table.toml names, and SDL can draw on it."""
    seen, panel = machine.screen(), PANELS[subject.config.screen.panel]
    if seen.missing:
        named = ", ".join(seen.missing)
        yield wrong(
            "screen", f"{named} is missing: the screen would stay black.", "sudo apt-get install libgl1 libgles2."
        )
    there = [one for one in seen.connectors if one.connected]
    wanted = f"{panel.width_px}x{panel.height_px}"
    sized = ", ".join(f"{one.name} {one.size or 'of no size'}" for one in there)
    if not seen.connectors:
        yield unknown("screen", "the kernel lists no graphics card.", "load its driver (vc4 on a Raspberry Pi).")
    elif not there:
        yield wrong("screen", "no panel is connected.", "check the panel's ribbon or cable, and its power.")
    elif wanted not in {one.size for one in there}:
        yield wrong(
            "screen", f"table.toml says {wanted}, and there is {sized}.", "correct [screen] panel in table.toml."
        )
    else:
        yield right("screen", f"{sized}.")


# The machine ----------------------------------------------------------------------------------------------------------


def check_disk(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Room, a file system that keeps its word, and what is left of the disk's life."""
    seen, free = machine.disk(), f"{machine.disk().free // MB} MB"
    if seen.read_only:
        remedy = "look for errors in dmesg: a failing card goes read-only. Replace it (docs/install.md)."
        yield wrong("disk", f"{seen.folder} is read-only.", remedy)
    elif seen.fault:
        yield wrong(
            "disk", f"nothing can be written in {seen.folder}: {seen.fault}.", "make room, or give it to user felt."
        )
    elif seen.free < ENOUGH_BYTES:
        yield wrong(
            "disk", f"{free} are free, and bets need {ENOUGH_BYTES // MB} MB.", "sudo du -xh / | sort -h | tail."
        )
    elif seen.kind and seen.kind not in SAVES:
        remedy = f"put the journal on one of {', '.join(SAVES)}."
        yield wrong(
            "disk", f"{seen.folder} is on {seen.kind}, which forgets what was flushed when the power goes.", remedy
        )
    else:
        yield right("disk", f"{seen.folder} is on {seen.kind or 'a file system that is not named'}, {free} free.")
    yield _wear(seen)


def _wear(seen: r.DiskReading) -> Finding:
    name = seen.device or "the disk"
    if not seen.wear and not seen.end_of_life:
        text = f"the kernel tells no wear of {name}: SMART and SD cards are not read here."
        return unknown("disk wear", text, "replace a card by its age; write the day on it.")
    used = max(seen.wear, default=0)
    if used > WORN or seen.end_of_life > 1:
        return wrong("disk wear", f"{name} has used {used} tenths of its life.", "replace it (docs/install.md).")
    return right("disk wear", f"{name} has used at most {used} tenths of its life.")


def check_power(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Voltage and heat."""
    seen, word = machine.power(), machine.power().throttled
    supply = "use the supply of the Raspberry Pi itself, and a short cable."
    if seen.low_voltage or (word is not None and word & UNDER_VOLTAGE):
        yield wrong("supply", "the voltage was too low.", supply)
    elif seen.low_voltage is None and word is None:
        yield unknown("supply", "the voltage cannot be told here.", "a Raspberry Pi tells it; elsewhere measure it.")
    else:
        yield right("supply", "no under-voltage.")
    if seen.celsius is None:
        yield unknown("heat", "the temperature cannot be told here.", "feel the case after an hour.")
    elif seen.celsius >= HOT_CELSIUS or (word is not None and word & SLOWED):
        yield wrong("heat", f"{seen.celsius:.0f} °C, and the processor slows down.", "give it air, or a fan.")
    else:
        yield right("heat", f"{seen.celsius:.0f} °C.")


def check_clock(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """The right time: certificates and gaming days go by it, wagers do not."""
    seen = machine.clock()
    now, server = _utc(seen.now_s), "let it reach a time server (systemd-timesyncd), and boot again."
    if seen.now_s < seen.last_row_s - STEP_S:
        text = f"it says {now}, and the journal's last row is of {_utc(seen.last_row_s)}: it is wrong."
        yield wrong("clock", text, server)
    elif seen.synchronized is None:
        yield unknown("clock", f"it says {now}; the kernel does not tell whether somebody sets it.", server)
    elif not seen.synchronized:
        yield wrong("clock", f"it says {now}, and nobody sets it.", server)
    else:
        yield right("clock", f"it says {now} and is set by a time server.")
    if not seen.has_rtc:
        text = "there is none: after a power cut the time is old until a server is reached."
        yield unknown("battery clock", text, "fit one where the network may come up after the table.")


def check_broker(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """It is reached, is who it says, takes this table, and lets it say and hear what is its own."""
    if not subject.has_bank:
        return
    seen, url = machine.broker(), subject.config.link.broker
    acl = "put the table's lines into felt.acl on the bank's machine, and reload mosquitto."
    if seen.failed == r.NO_JOURNAL:
        yield wrong("broker", f"not visited: {seen.why}.", "felt table new makes the journal, once (docs/install.md).")
    elif seen.failed == r.REACH:
        yield wrong("broker", f"{url} is not reached: {seen.why}.", "check network, name and [link] broker.")
    elif seen.failed == r.TLS:
        yield wrong(
            "broker", f"{url} is not who table.toml says: {seen.why}.", "check ca_file, the name, and both clocks."
        )
    elif seen.failed:
        remedy = "its certificate must be of the broker's authority, with the table's id as common name."
        yield wrong("broker", f"{url} does not take this table: {seen.why}.", remedy)
    elif seen.may_write is False:
        yield wrong("broker", "it lets this table say nothing.", acl)
    elif not seen.hears_bank:
        remedy = f"start the bank; if it runs, {acl}"
        yield wrong("broker", f"{url} takes this table, but no word of bank {subject.config.link.bank} came.", remedy)
    elif seen.may_write is None:
        yield unknown("broker", f"{url} takes this table; whether it may say its own cannot be told.", acl)
    else:
        yield right("broker", f"{url} takes this table, and bank {subject.config.link.bank} is heard.")


def check_words(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Whom the table believes, and how often somebody else has spoken."""
    if not subject.has_bank:
        return
    if subject.is_wired and not subject.config.link.bank_key:
        text = 'link.bank_key is "": the first bank that this table hears is believed.'
        yield notice("bank key", text, "enter the 32 digits that the bank's log names at every start.")
    if refused := machine.refused_words():
        text = f"{refused} words of the link were refused since the journal's last file began."
        remedy = "felt journal show names them under Complained: look for a second bank, or a stranger at the broker."
        yield notice("words", text, remedy)


# Papers ---------------------------------------------------------------------------------------------------------------


def check_papers(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Certificates that hold today and a while longer, keys that nobody else reads."""
    papers, now_s = machine.papers(), machine.clock().now_s
    for one in (papers.authority, papers.own):
        if one is not None:
            yield _certificate(one, now_s, subject.config.id if one is papers.own else "")
    for key in (papers.key, papers.seal):
        if key is not None:
            yield _key(key)
    if papers.exposed:
        text, _, remedy = papers.exposed.partition("; ")
        yield notice("people", f"{text}.", f"{remedy}.")


def _certificate(one: r.CertificateReading, now_s: int, name: str) -> Finding:
    what, days = f"certificate {PurePath(one.path).name}", (one.to_s - now_s) // DAY_S
    renew = "make a new one (docs/install.md, Certificates), and install it."
    if one.fault:
        return wrong(what, f"{one.path}: {one.fault}.", "name a PEM file that user felt can read.")
    if now_s < one.from_s:
        return wrong(what, f"is valid from {_utc(one.from_s)} only.", "set the clock, or make a new one.")
    if now_s >= one.to_s:
        return wrong(what, f"was valid until {_utc(one.to_s)}.", renew)
    if days < RENEW_DAYS:
        return wrong(what, f"is valid for {days} days more.", renew)
    if name and one.name != name:
        return wrong(what, f"is of {one.name!r}, and this table is {name!r}.", renew)
    if one.issued is False:
        return wrong(what, "was not issued by the authority in ca_file.", renew)
    return right(what, f"of {one.name}, from {_utc(one.from_s)} to {_utc(one.to_s)}: {days} days more.")


def _key(key: r.KeyReading) -> Finding:
    what = f"key {PurePath(key.path).name}"
    if key.fault:
        return wrong(what, f"{key.fault}.", "put it back from its copy; docs/operations.md says what if it is lost.")
    if key.readers:
        return wrong(what, f"{key.path} may be read by {key.readers}.", "sudo systemd-tmpfiles --create felt.conf.")
    if key.fits is False:
        return wrong(what, "does not belong to the certificate.", "install certificate and key of one making.")
    return right(what, "only its reader can read it.")


def check_program(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """The program is the one that was installed."""
    seen = machine.program()
    text = f"felt {seen.version}, {seen.program_hash[:16]}; rules {seen.rules_hash[:16]}"
    if seen.changed is None:
        yield unknown(
            "program", f"{text}; it runs from a checkout.", "install it with pip: then its files are compared."
        )
    elif seen.changed:
        named = ", ".join(seen.changed[:3])
        yield wrong(
            "program", f"{len(seen.changed)} files are not as installed: {named}.", "install it again, and ask who."
        )
    else:
        yield right("program", f"{text}; every file is as it was installed.")


def _utc(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


DEVICES: tuple[Check, ...] = (
    check_pins,
    check_lockout,
    check_chips,
    check_shuffler,
    check_touch,
    check_badge,
    check_screen,
)


def check_people(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """The people whose PIN a reader of its hash finds soon; nothing if there are none."""
    for weak in weak_hashes(subject.config.people):
        yield wrong("people", f"{weak}.", f"{STRONGER}.")
    for short in short_pins(subject.config.people):
        yield notice("people", f"{short}.", f"{STRONGER}.")


def check_live(subject: Subject, machine: r.Machine) -> Iterator[Finding]:
    """Whether what is played counts. A table that is not live is in order: it is new."""
    live = machine.live()
    if live is None:
        yield unknown("live", "there is no journal that can be read.", "felt table new makes the journal, once.")
    elif live:
        yield right("live", "two people said LIVE: money counts.")
    else:
        text = "not live: what is played is a test, and no money counts."
        yield notice(
            "live", text, "after the tests close the table; two people say LIVE under TABLE, or felt table live."
        )


REST: tuple[Check, ...] = (
    check_live,
    check_disk,
    check_power,
    check_clock,
    check_broker,
    check_words,
    check_papers,
    check_people,
    check_program,
)
