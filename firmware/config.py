"""table.toml and bank.toml: typed, total, strict. An unknown key is a spelling mistake until proved otherwise."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from firmware.rules.money import MoneyError, cents
from firmware.rules.submission import Submission, parse_submission

T = TypeVar("T")


class ConfigError(Exception):
    """A configuration cannot be used: the file, the place in it, what is wrong, what would be right."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a configuration file."""


class SeatsConfig(Section, frozen=True):
    """`[seats]`: sensors, lamps and the lockout."""

    count: int = 6
    """Betting positions, 1 to 6 (653a.2(a))."""
    debounce_ms: int = 20
    """A level that has held so long is settled."""
    window_ms: int = 10
    """How much later than another line a line's edge may be reported."""
    hardware: str = "cabinet"
    """"cabinet": the simulated world; "gpio": the pins below."""
    sensor_pins: tuple[int, ...] = (5, 6, 13, 19, 26, 21)
    lamp_pins: tuple[int, ...] = (4, 17, 27, 22, 23, 24)
    lockout_pin: int = 16
    lock_pin: int = 20


class ShufflerConfig(Section, frozen=True):
    """`[shuffler]`: the serial port of the card shuffler."""

    port: str = ""
    """A device path; "" means `shuffler` in the home folder, where the simulated cabinet puts it."""
    baud: int = 115_200


class LinkConfig(Section, frozen=True):
    """`[link]`: the MQTT broker and the name of the bank."""

    broker: str = "mqtt://127.0.0.1:18830"
    """mqtt://HOST:PORT or mqtts://HOST:PORT"""
    bank: str = "felt"
    username: str = ""
    password_file: str = ""
    ca_file: str = ""
    certificate: str = ""
    key: str = ""


class ScreenConfig(Section, frozen=True):
    """`[screen]`: the dealer's touchscreen."""

    guard_ms: int = 350
    """Touches so soon after a change of the screen do nothing."""
    observe: bool = False
    """Offer the read-only observation of the table on the same socket."""
    denominations: tuple[str, ...] = ("100.00", "25.00", "5.00", "1.00")
    """The chips in the rack, largest first."""


class PersonConfig(Section, frozen=True):
    """`[[people]]`: a badge, who wears it, and the argon2 hash of the PIN (`felt pin` makes one)."""

    badge: str
    name: str
    role: str
    pin_hash: str


class TableConfig(Section, frozen=True):
    """table.toml. Every key has a default that serves the simulation."""

    id: str = "uth-04"
    """Lower case; the sign and the screens show it in capitals."""
    home: str = "run"
    """Folder of the journal and the sockets, relative to the file."""
    rules: dict[str, Any] | str = msgspec.field(default_factory=lambda: dict(SIMULATED_RULES))
    """The rules submission, or the path of its file."""
    seats: SeatsConfig = SeatsConfig()
    shuffler: ShufflerConfig = ShufflerConfig()
    link: LinkConfig = LinkConfig()
    screen: ScreenConfig = ScreenConfig()
    people: tuple[PersonConfig, ...] = ()


class BankConfig(Section, frozen=True):
    """bank.toml."""

    id: str = "felt"
    home: str = "run"
    title: str = "Ultimate Texas Hold 'Em Progressive"
    tables: tuple[str, ...] = ("uth-04",)
    rules: dict[str, Any] | str = msgspec.field(default_factory=lambda: dict(SIMULATED_RULES))
    link: LinkConfig = LinkConfig()
    people: tuple[PersonConfig, ...] = ()
    """Who may adopt a table's journal (`felt bank adopt`)."""


SIMULATED_RULES: dict[str, Any] = {
    "book": "pa-653a",
    "table_minimum": "15.00",
    "blind": {"paytable": "A"},
    "trips": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
}

SIMULATED_PEOPLE = (
    PersonConfig(
        badge="2001",
        name="R. Diaz",
        role="floorperson",
        pin_hash="$argon2id$v=19$m=19456,t=2,p=1$G0VGQepz8nnOKaQNt44YKg$w0cF4j0C47/3qE0SZuIsbOavz1jtcB7dbU8oKtAfU5k",
    ),
    PersonConfig(
        badge="3001",
        name="M. Okafor",
        role="manager",
        pin_hash="$argon2id$v=19$m=19456,t=2,p=1$m8JBPH9eueJTsJTv+AFsXw$k6K5BJvc4I0HMVDPI1Kz8g91ZPQBbwDTI2R7UnHB4UE",
    ),
)
"""Two people of a casino that does not exist. Their PINs, 4826 and 7391, are in the README: never use them at a table."""

ROLES = ("dealer", "floorperson", "manager", "technician")


def load_table(path: Path | None) -> TableConfig:
    """The table's configuration; None: the defaults of the simulation, with its two people. Raises ConfigError."""
    config = _load(path, TableConfig)
    if path is None:
        config = msgspec.structs.replace(config, people=SIMULATED_PEOPLE)
    where = str(path or "table.toml")
    _check_id(where, "id", config.id)
    _check_link(where, config.link)
    _check_seats(where, config.seats)
    _check_range(where, "shuffler.baud", config.shuffler.baud, 300, 4_000_000)
    _check_range(where, "screen.guard_ms", config.screen.guard_ms, 0, 2000)
    _check_denominations(where, config.screen.denominations)
    _check_people(where, config.people)
    return config


def load_bank(path: Path | None) -> BankConfig:
    """The bank's configuration; None: the defaults of the simulation. Raises ConfigError."""
    config = _load(path, BankConfig)
    if path is None:
        config = msgspec.structs.replace(config, people=SIMULATED_PEOPLE)
    where = str(path or "bank.toml")
    _check_id(where, "id", config.id)
    _check_link(where, config.link)
    if not config.tables:
        raise ConfigError(f"{where}: tables: none; name at least one table")
    for place, table in enumerate(config.tables):
        _check_id(where, f"tables.{place}", table)
        if table in config.tables[:place]:
            raise ConfigError(f"{where}: tables.{place}: {table!r} stands there twice; name each table once")
    _check_people(where, config.people)
    return config


def submission(config: TableConfig | BankConfig, path: Path | None) -> Submission:
    """The rules submission that a configuration names. Raises ConfigError."""
    rules = config.rules
    where = f"{path or 'configuration'}: rules"
    if isinstance(rules, str):
        file = (path.parent if path else Path()) / rules
        where = str(file)
        rules = _read(file)
    try:
        return parse_submission(rules)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def home(config: TableConfig | BankConfig, path: Path | None) -> Path:
    """The folder of this process's files."""
    return ((path.parent if path else Path()) / config.home).resolve()


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name a file that this user can read") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: nested too deeply; a configuration has sections and keys") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except ValueError as error:  # tomllib's errors, and a number of more digits than Python reads
        raise ConfigError(f"{path}: not TOML: {error}") from error


def _load(path: Path | None, kind: type[T]) -> T:
    if path is None:
        return kind()
    given = _read(path)
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_explain(str(error), kind)}") from error


_AT = re.compile(r" - at `\$\.?(?P<place>[^`]*)`$")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>[^`]*)`")


def _explain(error: str, kind: type[Any]) -> str:
    """msgspec's message in the words of a configuration file: the place first, and the key that was probably meant."""
    at = _AT.search(error)
    place = re.sub(r"\[(\d+)\]", r".\1", at["place"]) if at else ""
    text = error[: at.start()] if at else error
    unknown = _UNKNOWN.match(text)
    if unknown is None:
        return f"{place or 'file'}: {text}"
    known = _keys(kind, place)
    near = difflib.get_close_matches(unknown["key"], known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"keys here: {', '.join(known)}"
    full = f"{place}.{unknown['key']}" if place else unknown["key"]
    return f"{full}: no such key; {hint}"


def _keys(kind: type[Any], place: str) -> list[str]:
    for part in re.findall(r"[a-z_]+", place.replace("[...]", "")):
        field = next(field for field in msgspec.structs.fields(kind) if field.encode_name == part)
        kind = PersonConfig if part == "people" else field.type
    return [field.encode_name for field in msgspec.structs.fields(kind)]


_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _check_id(where: str, key: str, value: str) -> None:
    if not _ID.fullmatch(value) or len(value) > 32:
        raise ConfigError(f"{where}: {key}: {value!r} must be a-z, 0-9 and single hyphens, at most 32 characters")


def _check_range(where: str, key: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise ConfigError(f"{where}: {key}: {value}; it lies between {lowest} and {highest}")


def _check_seats(where: str, seats: SeatsConfig) -> None:
    if not 1 <= seats.count <= 6:
        raise ConfigError(f"{where}: seats.count: {seats.count}; a table has 1 to 6 seats (653a.2(a))")
    if seats.hardware not in ("cabinet", "gpio"):
        raise ConfigError(f'{where}: seats.hardware: {seats.hardware!r}; it is "cabinet" or "gpio"')
    _check_range(where, "seats.debounce_ms", seats.debounce_ms, 1, 500)
    _check_range(where, "seats.window_ms", seats.window_ms, 1, 500)
    if seats.hardware == "gpio":
        _check_pins(where, seats)


PIN_LAST = 27
"""The 40-pin header of a Raspberry Pi has GPIO 0 to 27."""


def _check_pins(where: str, seats: SeatsConfig) -> None:
    for key, pins in (("sensor_pins", seats.sensor_pins), ("lamp_pins", seats.lamp_pins)):
        if len(pins) != seats.count:
            raise ConfigError(f"{where}: seats.{key}: {len(pins)} pins for {seats.count} seats; name one for each seat")
    every = [*seats.sensor_pins, *seats.lamp_pins, seats.lockout_pin, seats.lock_pin]
    for pin in every:
        _check_range(where, "seats: pin", pin, 0, PIN_LAST)
    twice = sorted({pin for pin in every if every.count(pin) > 1})
    if twice:
        raise ConfigError(f"{where}: seats: pin {twice[0]} is used twice; each line has a pin of its own")


def _check_denominations(where: str, chips: Sequence[str]) -> None:
    last = None
    for place, chip in enumerate(chips):
        key = f"{where}: screen.denominations.{place}"
        try:
            value = cents(chip)
        except MoneyError as error:
            raise ConfigError(f"{key}: {error}") from error
        if not value or (last is not None and value >= last):
            raise ConfigError(f"{key}: {chip}; name the chips from the largest down, all above 0.00")
        last = value


_PIN_HASH = re.compile(r"\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")


def _check_people(where: str, people: Sequence[PersonConfig]) -> None:
    badges = [person.badge for person in people]
    for place, person in enumerate(people):
        if person.role not in ROLES:
            raise ConfigError(f"{where}: people.{place}.role: {person.role!r}; roles: {', '.join(ROLES)}")
        if not person.badge.isascii() or not person.badge.isalnum() or badges.count(person.badge) > 1:
            raise ConfigError(f"{where}: people.{place}.badge: {person.badge!r}; a badge is letters and digits, once")
        if not _PIN_HASH.fullmatch(person.pin_hash):  # not repeated here: somebody may have written the PIN itself
            raise ConfigError(f"{where}: people.{place}.pin_hash: is no argon2 hash; `felt pin` makes one")


# The broker -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address:
    """Where the broker is."""

    host: str
    port: int
    tls: bool


def parse_address(url: str) -> Address:
    """mqtt://HOST[:PORT] or mqtts://HOST[:PORT]. Raises ConfigError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"link.broker: {url!r}: {error}") from error
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/") or parts.username:
        raise ConfigError(f"link.broker: {url!r}; it is mqtt://HOST:PORT or mqtts://HOST:PORT")
    tls = parts.scheme == "mqtts"
    return Address(parts.hostname, port or (8883 if tls else 1883), tls)


def _check_link(where: str, link: LinkConfig) -> None:
    try:
        parse_address(link.broker)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    _check_id(where, "link.bank", link.bank)
    if link.username and not link.password_file:
        raise ConfigError(f"{where}: link.password_file: missing; a username needs the file that holds its password")
    if bool(link.certificate) != bool(link.key):
        raise ConfigError(f"{where}: link: certificate and key belong together; name both or neither")
