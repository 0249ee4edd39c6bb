"""table.toml and bank.toml: typed, total, strict. An unknown key is a spelling mistake until proved otherwise."""

from __future__ import annotations

import difflib
import ipaddress
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

import firmware.plain as plain
from firmware.rules.approvals import ROLES
from firmware.rules.book import Book
from firmware.rules.games import load_book
from firmware.rules.money import MoneyError, cents
from firmware.rules.paytable import RESERVE
from firmware.rules.procedure import Procedure
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission, parse_submission
from firmware.table.procedures import (
    AUTOMATED,
    COUNTS,
    HAND,
    MACHINES,
    METHODS,
    NO_SHUFFLER,
    RESHUFFLES,
)
from firmware.wire.shapes import Line
from firmware.wire.values import DISPLAY_NAME_MAX, METERS_MAX, TITLE_MAX
from hal.reader.protocols import CONTACTS, SENSORS
from hal.shuffler.protocols import FELT, SHUFFLERS
from ui.dealer.panels import PANELS
from ui.dealer.theme import PALETTES
from ui.words import languages

T = TypeVar("T")


class ConfigError(Exception):
    """A configuration cannot be used: the file, the place in it, what is wrong, what would be right."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a configuration file."""


class SeatsConfig(Section, frozen=True):
    """`[seats]`: sensors, lamps, the lockout and wagering buttons. A table without a progressive wager has none of them."""

    count: int = 6
    """Betting positions, 1 to 6 (653a.2(a)), at Lunar Poker 1 to 5 (671a.2(a)); not given: as many as the book allows."""
    debounce_ms: int = 20
    """A level that has held so long is settled."""
    window_ms: int = 10
    """How much later than another line a line's edge may be reported."""
    hardware: str = "cabinet"
    """"cabinet": the simulated world; "gpio": the pins below."""
    gpio_chips: tuple[str, ...] = ("pinctrl-bcm2711", "pinctrl-rp1", "pinctrl-bcm2835")
    """Names that the kernel may give the GPIO chip of the header; the first that is there counts."""
    sensor_pins: tuple[int, ...] = (5, 6, 13, 19, 26, 21)
    """Each seat's sensor, and `lamp_pins` its lamp; of several wagers those of the first one stand first."""
    lamp_pins: tuple[int, ...] = (4, 17, 27, 22, 23, 24)
    lockout_pin: int = 16
    lock_pin: int = 20
    next_pin: int = -1
    """The NEXT key beside the rack; -1: there is none."""
    own_button_pins: tuple[int, ...] = ()
    """Five Card Hand: each seat's button for the player's own hand."""
    dealer_button_pins: tuple[int, ...] = ()
    """And for the dealer's hand."""
    own_button_lamp_pins: tuple[int, ...] = ()
    """The lamps in them; none: the buttons have no lamps."""
    dealer_button_lamp_pins: tuple[int, ...] = ()


class DealingConfig(Section, frozen=True):
    """`[dealing]`: how cards are shuffled and dealt, and how much of a round the table is told."""

    method: str = HAND
    """"hand", "shoe" (a manual one) or "automated": sections .8 to .10 of the books."""
    shuffler: str = COUNTS
    """"none", or what the machine does: "shuffles", "counts" (and shuffles), "reshuffles" (and counts)."""
    colors: tuple[str, ...] = ("blue", "red")
    """Back colors of the decks: one deck, or two that alternate."""
    board_first: bool = False
    """An automated shoe that reshuffles dispenses the community cards first (653a.10(g))."""
    assist: int = 0
    """0: progressive winners only; 1: decisions and results; 2: cards. Without a progressive wager 1 at the least."""


class BonusConfig(Section, frozen=True):
    """`[bonus]`: how often Magic Card and Lucky Bonus are drawn; no text says it."""

    magic_card_one_in: int = 40
    lucky_one_in: int = 40


class ApprovalsConfig(Section, frozen=True):
    """`[approvals]`: from which amount on a floorperson signs what a dealer pays without one below it."""

    envy_from: str = "500.00"
    """The envy bonuses of a round, in dollars; the texts say only "pay" (653a.11(k)(5))."""


class ShufflerConfig(Section, frozen=True):
    """`[shuffler]`: the serial port of the card shuffler."""

    port: str = ""
    """A device path; "" means `shuffler` in the home folder, where the simulated cabinet puts it."""
    baud: int = 115_200
    protocol: str = FELT
    """The unit's protocol: a name of `hal.shuffler.protocols`."""


class SensorsConfig(Section, frozen=True):
    """`[sensors]`: what senses the chips, where that is no contact at a pin: a reader on a serial line."""

    kind: str = CONTACTS
    """A name of `hal.reader.protocols`."""
    port: str = ""
    """A device path."""
    baud: int = 115_200


class LockConfig(Section, frozen=True):
    """`[lock]`: what the lock line says while bets are open."""

    dynamic: bool = False
    """A square wave, which a monostable on the board turns into "open"; else a high level."""
    frequency_hz: int = 20
    """The frequency of that wave."""


class BadgeConfig(Section, frozen=True):
    """`[badge]`: the badge reader, a keyboard to the kernel."""

    device: str = ""
    """A path in /dev/input/by-id; needed with `hardware = "gpio"`. In the simulation the cabinet has the reader."""


class LinkConfig(Section, frozen=True):
    """`[link]`: the MQTT broker and the name of the bank."""

    broker: str = "mqtt://127.0.0.1:18830"
    """mqtt://HOST:PORT or mqtts://HOST:PORT"""
    bank: str = "felt"
    bank_key: str = ""
    """32 hex digits of the key with which the bank seals all that it says; its log names them at every start. "": those of
    the first bank that is heard."""
    username: str = ""
    password_file: str = ""
    ca_file: str = ""
    certificate: str = ""
    key: str = ""


HANDS = ("right", "left")


class ScreenConfig(Section, frozen=True):
    """`[screen]`: the dealer's touchscreen."""

    panel: str = "800x480"
    """The panel: a name of `ui.dealer.panels`."""
    theme: str = "dark"
    """The colors: a name of `ui.dealer.theme.PALETTES`."""
    hand: str = "right"
    """The hand with which the dealer taps."""
    language: str = "en"
    """The language of the glass: a folder of `ui/words`."""
    touch: str = ""
    """The touch panel in /dev/input/by-path; "": the first device that is touched directly."""
    guard_ms: int = 350
    """Touches so soon after a change of the screen do nothing."""
    socket: str = ""
    """The socket of table and screen; "": `table.sock` in the home folder, for the table's own user alone."""
    observe: bool = False
    """Offer the read-only observation of the table on the same socket."""
    denominations: tuple[str, ...] = ("100.00", "25.00", "5.00", "1.00", "0.50")
    """The chips in the rack, largest first."""


class PersonConfig(Section, frozen=True):
    """`[[people]]`: a badge, who wears it, and the argon2 hash of the PIN (`felt pin` makes one).

    `pin_digits`: how many digits that PIN has, as `felt pin` wrote it; 0: a hash without it says nothing of its length.
    """

    badge: str
    name: str
    role: str
    pin_hash: str
    pin_digits: int = 0


class MeterConfig(Section, frozen=True):
    """`[[meters]]` of bank.toml: what people read of a meter, on the sign and on the dealers' screens alike."""

    name: str
    """The meter, as the book calls it."""
    display_name: str
    rank: int
    """1: the largest figures of the sign. Meters without a section follow, as the submission has them."""


DEFAULT_BOOK = "pa-653a"
"""The book that is simulated if none is named: the only name of a book outside its folder."""
SAMPLE = load_book(DEFAULT_BOOK).sample
SIMULATED_RULES: dict[str, Any] = {"book": DEFAULT_BOOK, **SAMPLE.plain}


class TableConfig(Section, frozen=True):
    """table.toml. Every key has a default that serves the simulation."""

    id: str = SAMPLE.table
    """Lower case; the sign and the screens show it in capitals."""
    home: str = "run"
    """Folder of the journal and the sockets, relative to the file."""
    rules: dict[str, Any] | str = msgspec.field(default_factory=lambda: dict(SIMULATED_RULES))
    """The rules submission, or the path of its file."""
    seats: SeatsConfig = SeatsConfig()
    dealing: DealingConfig = DealingConfig()
    bonus: BonusConfig = BonusConfig()
    approvals: ApprovalsConfig = ApprovalsConfig()
    shuffler: ShufflerConfig = ShufflerConfig()
    sensors: SensorsConfig = SensorsConfig()
    lock: LockConfig = LockConfig()
    badge: BadgeConfig = BadgeConfig()
    link: LinkConfig = LinkConfig()
    screen: ScreenConfig = ScreenConfig()
    people: tuple[PersonConfig, ...] = ()
    people_file: str = ""
    """A file with `[[people]]` instead, which only the table's own user reads: the screen's reads table.toml."""
    gaming_day: str = "06:00"
    """When a gaming day begins, in the local time of the table's machine."""
    keep_days: int = 0
    """So many days the file of a closed day stays at least; 0: forever."""


class PeopleConfig(Section, frozen=True):
    """people.toml: the people of a table, in a file of their own."""

    people: tuple[PersonConfig, ...]


class BankConfig(Section, frozen=True):
    """bank.toml."""

    id: str = "felt"
    home: str = "run"
    title: str = SAMPLE.title
    tables: tuple[str, ...] = (SAMPLE.table,)
    rules: dict[str, Any] | str = msgspec.field(default_factory=lambda: dict(SIMULATED_RULES))
    link: LinkConfig = LinkConfig()
    people: tuple[PersonConfig, ...] = ()
    """People who may close a claim, adopt a table's journal and end an alarm (`felt bank adopt`, `accept`, `refuse`)."""
    least_seconds: int = 0
    """So long after a claim, by its table's clock, a verdict comes at the soonest; a sooner one is held."""
    envy_from: str = "500.00"
    """The envy bonuses of a round, in dollars: from so much on a floorperson signed, or it is an alarm."""
    meters: tuple[MeterConfig, ...] = ()
    """Names and ranks of the meters."""
    keep_days: int = 0
    """So many days the file of a closed day stays at least; 0: forever."""
    gaming_day: str = "06:00"
    """When a gaming day begins, in the local time of the sign's machine: until then a win of the day before is told."""


def display_names(config: BankConfig) -> dict[str, str]:
    """Name of a meter -> what people read, in the order of rank."""
    return {meter.name: meter.display_name for meter in sorted(config.meters, key=lambda meter: meter.rank)}


def gaming_day(config: BankConfig | TableConfig) -> time:
    """When a gaming day begins."""
    return time.fromisoformat(config.gaming_day)


SIMULATED_METERS = tuple(
    MeterConfig(name, display_name, rank) for rank, (name, display_name) in enumerate(SAMPLE.meters.items(), start=1)
)
"""The names that the meters have in the simulation."""

SIMULATED_PEOPLE = (
    PersonConfig(
        badge="2001",
        name="R. Diaz",
        role="floorperson",
        pin_hash="$argon2id$v=19$m=19456,t=2,p=1$G0VGQepz8nnOKaQNt44YKg$w0cF4j0C47/3qE0SZuIsbOavz1jtcB7dbU8oKtAfU5k",
        pin_digits=4,
    ),
    PersonConfig(
        badge="3001",
        name="M. Okafor",
        role="manager",
        pin_hash="$argon2id$v=19$m=19456,t=2,p=1$m8JBPH9eueJTsJTv+AFsXw$k6K5BJvc4I0HMVDPI1Kz8g91ZPQBbwDTI2R7UnHB4UE",
        pin_digits=4,
    ),
)
"""Two people of a casino that does not exist. Their PINs, 4826 and 7391, are in the README: never use them at a table."""

LEAST_SECONDS_MOST = 3600


def load_table(path: Path | None, *, people: bool = True) -> TableConfig:
    """The table's configuration; None: the defaults of the simulation, with its two people. Raises ConfigError.

    Without `people`, their file is not read: a process that checks no PIN may not read it. Book and submission give the
    number of seats and, at a table without a progressive wager, the assist level, if the file does not. A submission that
    cannot be used is refused.
    """
    return table_of({} if path is None else read_toml(path), path, people=people)


def table_of(given: Mapping[str, Any], path: Path | None, *, people: bool = True) -> TableConfig:
    """The table of a table.toml's object; `path` and `people` as for `load_table`. Raises ConfigError."""
    config = _converted(given, path, TableConfig)
    if config.people_file and people:
        config = _with_people(config, path)
    if path is None and "people" not in given:
        config = msgspec.structs.replace(config, people=SIMULATED_PEOPLE)
    where = str(path or "table.toml")
    _check_id(where, "id", config.id)
    _check_link(where, config.link)
    _check_seats(where, config.seats)
    _check_range(where, "bonus.magic_card_one_in", config.bonus.magic_card_one_in, 1, ONE_IN_MOST)
    _check_range(where, "bonus.lucky_one_in", config.bonus.lucky_one_in, 1, ONE_IN_MOST)
    _check_amount(where, "approvals.envy_from", config.approvals.envy_from)
    _check_badge(where, config)
    _check_range(where, "shuffler.baud", config.shuffler.baud, 300, 4_000_000)
    _check_one_of(where, "shuffler.protocol", config.shuffler.protocol, SHUFFLERS)
    _check_sensors(where, config)
    _check_range(where, "lock.frequency_hz", config.lock.frequency_hz, *WAVE_HZ)
    _check_one_of(where, "screen.panel", config.screen.panel, PANELS)
    _check_one_of(where, "screen.theme", config.screen.theme, PALETTES)
    _check_one_of(where, "screen.hand", config.screen.hand, HANDS)
    _check_one_of(where, "screen.language", config.screen.language, languages())
    _check_input(where, "screen.touch", config.screen.touch, "the panel by its path in /dev/input/by-path")
    _check_socket(where, config.screen.socket)
    _check_range(where, "screen.guard_ms", config.screen.guard_ms, 0, 2000)
    _check_denominations(where, config.screen.denominations)
    _check_people(where, config.people)
    _check_dealing(where, config.dealing)
    offered = submission(config, path)
    config = _by_the_book(config, given, offered)
    _check_range(where, "keep_days", config.keep_days, 0, KEEP_DAYS_MOST)
    _check_gaming_day(where, config.gaming_day)
    _check_table(where, config, offered)
    return config


def people_at(config: TableConfig, path: Path | None) -> Path | None:
    """The file that has the PIN hashes of a table; None where no file has any."""
    if config.people_file:
        return (path.parent if path else Path()) / config.people_file
    return path if config.people else None


def _with_people(config: TableConfig, path: Path | None) -> TableConfig:
    file = people_at(config, path)
    assert file is not None, "it is named"
    if config.people:
        raise ConfigError(f"{path}: people_file: {file} has the people, and so has this file; put all into that one")
    people = _converted(read_toml(file), file, PeopleConfig).people
    _check_people(str(file), people)
    return msgspec.structs.replace(config, people=people)


def _by_the_book(config: TableConfig, given: Mapping[str, Any], offered: Submission) -> TableConfig:
    """Two defaults that are not the same for every table."""
    seats, dealing = config.seats, config.dealing
    if "count" not in given.get("seats", {}):
        most = offered.book.seats
        seats = msgspec.structs.replace(seats, count=min(seats.count, most))
    if "assist" not in given.get("dealing", {}) and not offered.on_sensor:
        dealing = msgspec.structs.replace(dealing, assist=1)
    return msgspec.structs.replace(config, seats=seats, dealing=dealing)


def load_bank(path: Path | None) -> BankConfig:
    """The bank's configuration; None: the defaults of the simulation. Raises ConfigError."""
    config = _converted({} if path is None else read_toml(path), path, BankConfig)
    if path is None:
        config = msgspec.structs.replace(config, people=SIMULATED_PEOPLE, meters=SIMULATED_METERS)
    where = str(path or "bank.toml")
    _check_id(where, "id", config.id)
    _check_title(where, config.title)
    _check_link(where, config.link)
    if not config.tables:
        raise ConfigError(f"{where}: tables: none; name at least one table")
    for place, table in enumerate(config.tables):
        _check_id(where, f"tables.{place}", table)
        if table in config.tables[:place]:
            raise ConfigError(f"{where}: tables.{place}: {table!r} stands there twice; name each table once")
    _check_people(where, config.people)
    _check_range(where, "keep_days", config.keep_days, 0, KEEP_DAYS_MOST)
    _check_range(where, "least_seconds", config.least_seconds, 0, LEAST_SECONDS_MOST)
    _check_amount(where, "envy_from", config.envy_from)
    _check_meters(where, config.meters)
    _check_gaming_day(where, config.gaming_day)
    return config


def _check_gaming_day(where: str, begins: str) -> None:
    if not _TIME_OF_DAY.fullmatch(begins):
        raise ConfigError(f'{where}: gaming_day: {begins!r}; it is a time of day like "06:00"')


def check_meter_names(config: BankConfig, offered: Submission, path: Path | None) -> None:
    """A display name is of a meter of the book, offered or not. Raises ConfigError."""
    known = _meters_of(offered.book)
    for place, meter in enumerate(config.meters):
        if meter.name not in known:
            at = f"{path or 'bank.toml'}: meters.{place}.name"
            raise ConfigError(f"{at}: {meter.name!r}; the meters of this book are {', '.join(known)}")


def _meters_of(book: Book) -> tuple[str, ...]:
    """Every meter that a sign may show."""
    names = (name for tables in book.meters.values() for meters in tables.values() for name in meters)
    return tuple(name for name in dict.fromkeys(names) if not name.endswith(RESERVE))


def submission(config: TableConfig | BankConfig, path: Path | None) -> Submission:
    """The rules submission that a configuration names. Raises ConfigError."""
    rules = config.rules
    where = f"{path or 'configuration'}: rules"
    if isinstance(rules, str):
        file = (path.parent if path else Path()) / rules
        where = str(file)
        rules = read_toml(file)
    try:
        return parse_submission(rules)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def glass_socket(config: TableConfig, home: Path) -> Path:
    """The socket where table and screen meet."""
    return Path(config.screen.socket) if config.screen.socket else home / "table.sock"


def home(config: TableConfig | BankConfig, path: Path | None) -> Path:
    """The folder of this process's files."""
    return ((path.parent if path else Path()) / config.home).resolve()


SOCKET_PATH_MAX = 90
"""The kernel takes 107 bytes."""
KEEP_DAYS_MOST = 36_500
CONFIG_BYTES_MAX = 1024 * 1024


def read_plain(path: Path) -> bytes:
    """The content of a plain configuration file, 1 MiB at most. Raises ConfigError for a FIFO, a device, a folder."""
    try:
        content = plain.content(path, CONFIG_BYTES_MAX)
    except plain.NotPlain as error:
        raise ConfigError(f"{path}: {error.strerror}; name a plain file") from error
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name a file that this user can read") from error
    except ValueError as error:  # a NUL in the path
        raise ConfigError(f"{str(path)!a}: {error}; name a plain file") from error
    if len(content) > CONFIG_BYTES_MAX:
        raise ConfigError(f"{path}: longer than {CONFIG_BYTES_MAX} bytes; a configuration is a few hundred")
    return content


def read_toml(path: Path) -> dict[str, Any]:
    """The object of a TOML file. Raises ConfigError."""
    content = read_plain(path)
    try:
        given = plain.toml(content)
    except RecursionError as error:
        raise ConfigError(f"{path}: nested too deeply; a configuration has sections and keys") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except ValueError as error:  # tomllib's errors, and a number of more digits than Python reads
        raise ConfigError(f"{path}: not TOML: {error}") from error
    for key, value in given.items():
        if _has_nul(value):
            raise ConfigError(f"{path}: {key} has a character NUL, which no name and no path has; take it out")
    return given


def _has_nul(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_nul, (*value, *value.values())))
    return any(map(_has_nul, value)) if isinstance(value, list) else isinstance(value, str) and "\0" in value


def _converted(given: Mapping[str, Any], path: Path | None, kind: type[T]) -> T:
    """The record of an object of a configuration file, with its defaults."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path or 'configuration'}: {_explain(str(error), kind)}") from error


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
        kind = {"people": PersonConfig, "meters": MeterConfig}.get(part) or field.type
    return [field.encode_name for field in msgspec.structs.fields(kind)]


_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _check_id(where: str, key: str, value: str) -> None:
    if not _ID.fullmatch(value) or len(value) > 32:
        raise ConfigError(f"{where}: {key}: {value!r} must be a-z, 0-9 and single hyphens, at most 32 characters")


def _check_title(where: str, title: str) -> None:
    """Signs and tables read it off the wire, and refuse a board with a title that cannot be shown."""
    try:
        Line(1, TITLE_MAX).read(title, "", "title")
    except Refusal as refusal:
        raise ConfigError(f"{where}: {refusal}") from refusal


_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def _check_meters(where: str, meters: Sequence[MeterConfig]) -> None:
    for place, meter in enumerate(meters):
        at = f"{where}: meters.{place}"
        try:
            Line(1, DISPLAY_NAME_MAX).read(meter.display_name, f"meters.{place}", "display_name")
        except Refusal as refusal:
            raise ConfigError(f"{where}: {refusal}") from refusal
        _check_range(where, f"meters.{place}.rank", meter.rank, 1, METERS_MAX)
        if meter.name in (other.name for other in meters[:place]):
            raise ConfigError(f"{at}.name: {meter.name!r} stands there twice; name each meter once")
        if meter.rank in (other.rank for other in meters[:place]):
            raise ConfigError(f"{at}.rank: {meter.rank} is another meter's; give each a rank of its own")


def _check_range(where: str, key: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise ConfigError(f"{where}: {key}: {value}; it lies between {lowest} and {highest}")


def _check_seats(where: str, seats: SeatsConfig) -> None:
    if not 1 <= seats.count <= 6:
        raise ConfigError(f"{where}: seats.count: {seats.count}; a table has 1 to 6 seats")
    if seats.hardware not in ("cabinet", "gpio"):
        raise ConfigError(f'{where}: seats.hardware: {seats.hardware!r}; it is "cabinet" or "gpio"')
    _check_range(where, "seats.debounce_ms", seats.debounce_ms, 1, 500)
    _check_range(where, "seats.window_ms", seats.window_ms, 1, 500)


_ANY_NUMBER = re.compile(r"/dev/input/(event|js|mouse)\d+|/dev/input/mice")


def _check_badge(where: str, config: TableConfig) -> None:
    if not config.badge.device and config.seats.hardware == "gpio":
        raise ConfigError(
            f"{where}: badge.device: missing; without a badge reader nobody can sign for a prize: "
            "name the reader's path in /dev/input/by-id"
        )
    _check_input(where, "badge.device", config.badge.device, "the reader by its path in /dev/input/by-id")


def _check_input(where: str, key: str, device: str, wanted: str) -> None:
    """ "" or a path of the kernel's input devices that is always the same device."""
    if device and (not device.startswith("/") or _ANY_NUMBER.fullmatch(device)):
        raise ConfigError(f"{where}: {key}: {device!r}; name {wanted}, which stays the same when devices come and go")


WAVE_HZ = (10, 100)
"""Slower, and the monostable of docs/install.md lets go between two edges."""
PIN_LAST = 27
"""The 40-pin header of a Raspberry Pi has GPIO 0 to 27."""
COLORS = ("blue", "red")
"""The backs that a shuffler tells apart."""
ONE_IN_MOST = 1_000_000


def _check_dealing(where: str, dealing: DealingConfig) -> None:
    for key, value, known in (("method", dealing.method, METHODS), ("shuffler", dealing.shuffler, MACHINES)):
        if value not in known:
            raise ConfigError(f"{where}: dealing.{key}: {value!r}; it is one of {', '.join(known)}")
    colors = dealing.colors
    if not 1 <= len(colors) <= len(COLORS) or len(set(colors)) != len(colors) or set(colors) - set(COLORS):
        shown = ", ".join(map(repr, colors)) or "none"
        raise ConfigError(f"{where}: dealing.colors: {shown}; name one or two different ones of {', '.join(COLORS)}")
    _check_range(where, "dealing.assist", dealing.assist, 0, 2)


def _check_table(where: str, config: TableConfig, offered: Submission) -> None:
    """Checks of what fits only together: the book, the submission, the equipment."""
    procedure, most = offered.book.procedure, offered.book.seats
    if config.seats.count > most:
        raise ConfigError(
            f"{where}: seats.count: {config.seats.count}; this game has at most {most} seats ({procedure.cite('seats')})"
        )
    _check_equipment(where, config.dealing, procedure)
    if not offered.on_sensor and not config.dealing.assist:
        raise ConfigError(
            f"{where}: dealing.assist: 0; without [rules.progressive] there would be nothing to tell this table: "
            + " or ".join(map(str, offered.levels))
        )
    if config.dealing.assist > offered.levels[-1]:
        why_not = f"hands of {procedure.hand_cards} cards cannot be entered yet: {offered.levels[-1]}"
        raise ConfigError(f"{where}: dealing.assist: {config.dealing.assist}; {why_not}")
    if not offered.on_sensor and offered.by_account:
        raise ConfigError(
            f"{where}: rules.five_card_hand: its meter comes over the link of a progressive wager; "
            "add [rules.progressive] or leave it out"
        )
    if config.seats.hardware == "gpio" and not offered.on_sensor and config.seats.next_pin >= 0:
        _check_range(where, "seats.next_pin", config.seats.next_pin, 0, PIN_LAST)
    if config.seats.hardware == "gpio" and offered.on_sensor:
        _check_pins(where, config.seats, contacts=config.sensors.kind == CONTACTS, offered=offered)


def _check_equipment(where: str, dealing: DealingConfig, procedure: Procedure) -> None:
    none = dealing.shuffler == NO_SHUFFLER
    if none and dealing.method == HAND:
        raise ConfigError(
            f"{where}: dealing.method: 'hand' needs an automated shuffler ({procedure.cite('by hand')}); "
            "deal from a shoe, or name the shuffler"
        )
    if none and dealing.method == AUTOMATED:
        raise ConfigError(
            f"{where}: dealing.method: 'automated' needs the device that deals "
            f"({procedure.cite('deal', AUTOMATED)}); name what it does in dealing.shuffler, or deal from a shoe"
        )
    if none and len(dealing.colors) > 1:
        raise ConfigError(
            f"{where}: dealing.colors: two decks need an automated shuffler ({procedure.cite('two decks')}); "
            "name one color, or the shuffler"
        )
    if dealing.board_first:
        _check_board_first(where, dealing, procedure)


def _check_board_first(where: str, dealing: DealingConfig, procedure: Procedure) -> None:
    at = f"{where}: dealing.board_first"
    if not procedure.has("board first"):
        none = f"this game has no community cards ({procedure.cite('deal', AUTOMATED)})"
        raise ConfigError(f"{at}: {none}; leave it out")
    always = dealing.method in procedure.board_first
    if dealing.method != AUTOMATED or not (always or dealing.shuffler == RESHUFFLES):
        raise ConfigError(
            f"{at}: only an automated shoe that reshuffles may dispense the community cards first "
            f'({procedure.cite("board first")}); method = "automated", shuffler = "reshuffles", or leave it out'
        )


def _check_sensors(where: str, config: TableConfig) -> None:
    sensors = config.sensors
    _check_one_of(where, "sensors.kind", sensors.kind, (CONTACTS, *SENSORS))
    _check_range(where, "sensors.baud", sensors.baud, 300, 4_000_000)
    if sensors.kind == CONTACTS:
        return
    if config.seats.hardware != "gpio":
        raise ConfigError(f'{where}: sensors.kind: {sensors.kind!r}; a cabinet has contacts: seats.hardware = "gpio"')
    if not sensors.port:
        raise ConfigError(f"{where}: sensors.port: ''; name the reader's line, such as /dev/serial/by-id/...")


def _check_pins(where: str, seats: SeatsConfig, *, contacts: bool, offered: Submission) -> None:
    buttons, spots = bool(offered.by_account), seats.count * len(offered.on_sensor)
    if not seats.gpio_chips or not all(seats.gpio_chips):
        raise ConfigError(
            f"{where}: seats.gpio_chips: {list(seats.gpio_chips)!r}; name the header's GPIO chip as gpiodetect does"
        )
    lines = {"sensor_pins": seats.sensor_pins} if contacts else {}
    lines |= {"lamp_pins": seats.lamp_pins}
    if buttons:
        lines |= {"own_button_pins": seats.own_button_pins, "dealer_button_pins": seats.dealer_button_pins}
    lamps = {
        "own_button_lamp_pins": seats.own_button_lamp_pins,
        "dealer_button_lamp_pins": seats.dealer_button_lamp_pins,
    }
    lines |= {key: pins for key, pins in lamps.items() if buttons and pins}
    for key, pins in lines.items():
        of_sensors = key in ("sensor_pins", "lamp_pins") and len(offered.on_sensor) > 1
        each = f"one for each seat and wager ({', '.join(offered.on_sensor)})" if of_sensors else "one for each seat"
        if len(pins) != (spots if of_sensors else seats.count):
            raise ConfigError(f"{where}: seats.{key}: {len(pins)} pins for {seats.count} seats; name {each}")
    every = [*(pin for pins in lines.values() for pin in pins), seats.lockout_pin, seats.lock_pin]
    every += [seats.next_pin] if seats.next_pin >= 0 else []
    for pin in every:
        _check_range(where, "seats: pin", pin, 0, PIN_LAST)
    twice = sorted({pin for pin in every if every.count(pin) > 1})
    if twice:
        raise ConfigError(f"{where}: seats: pin {twice[0]} is used twice; each line has a pin of its own")


def _check_socket(where: str, path: str) -> None:
    if path and (not path.startswith("/") or len(path) > SOCKET_PATH_MAX):
        raise ConfigError(f"{where}: screen.socket: {path!r}; an absolute path of at most {SOCKET_PATH_MAX} characters")


def _check_one_of(where: str, key: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ConfigError(f"{where}: {key}: {name!r}; it is one of {', '.join(known)}")


def _check_amount(where: str, key: str, amount: str) -> None:
    try:
        cents(amount)
    except MoneyError as error:
        raise ConfigError(f"{where}: {key}: {error}") from error


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


PIN_MIN, PIN_MAX = 4, 8
"""Digits of a PIN."""
_BADGE = re.compile(r"[A-Za-z0-9]{1,32}")
_PIN_HASH = re.compile(r"\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")


def _check_people(where: str, people: Sequence[PersonConfig]) -> None:
    badges = [person.badge for person in people]
    for place, person in enumerate(people):
        if person.role not in ROLES:
            raise ConfigError(f"{where}: people.{place}.role: {person.role!r}; roles: {', '.join(ROLES)}")
        if not _BADGE.fullmatch(person.badge) or badges.count(person.badge) > 1:
            wanted = "a badge is 1 to 32 letters and digits, once"
            raise ConfigError(f"{where}: people.{place}.badge: {person.badge!r}; {wanted}")
        if not _PIN_HASH.fullmatch(person.pin_hash):  # not repeated here: somebody may have written the PIN itself
            raise ConfigError(f"{where}: people.{place}.pin_hash: is no argon2 hash; `felt pin` makes one")
        if person.pin_digits and not PIN_MIN <= person.pin_digits <= PIN_MAX:
            raise ConfigError(
                f"{where}: people.{place}.pin_digits: {person.pin_digits}; a PIN has {PIN_MIN} to {PIN_MAX} digits: "
                "put in the line that `felt pin` printed"
            )


# The broker -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address:
    """The address of the broker."""

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
    if not _may_be_a_host(parts.hostname) or port == 0:
        raise ConfigError(
            f"link.broker: {url!r}: no machine can have this name and port; a name is parts of 1 to 63 letters, digits and "
            "hyphens with one dot between, as in bank.example, or an address as in 192.0.2.7; a port is 1 to 65535"
        )
    tls = parts.scheme == "mqtts"
    return Address(parts.hostname, port or (8883 if tls else 1883), tls)


def _may_be_a_host(host: str) -> bool:
    """An address, or a name that the domain name system could know (RFC 1123, 2.1; underscores are about)."""
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        labels = host.removesuffix(".").split(".")
        return len(host) <= 253 and all(re.fullmatch(r"[\w-]{1,63}", label) for label in labels)


_DIGITS = re.compile("[0-9a-f]{32}")


def _check_link(where: str, link: LinkConfig) -> None:
    try:
        parse_address(link.broker)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    _check_id(where, "link.bank", link.bank)
    if link.bank_key and not _DIGITS.fullmatch(link.bank_key):
        raise ConfigError(
            f"{where}: link.bank_key: {link.bank_key!r}; the bank's log says its 32 hex digits at every start"
        )
    if link.username and not link.password_file:
        raise ConfigError(f"{where}: link.password_file: missing; a username needs the file that holds its password")
    if bool(link.certificate) != bool(link.key):
        raise ConfigError(f"{where}: link: certificate and key belong together; name both or neither")
