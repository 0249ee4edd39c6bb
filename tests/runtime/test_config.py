"""A configuration that cannot be used: one line that names the file, the place in it and the remedy; exit 2, no trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from firmware import config as c
from firmware.__main__ import main
from firmware.commands.devices import hardware
from firmware.config import Address, ConfigError, LinkConfig, parse_address
from firmware.rules.approvals import Act
from firmware.rules.submission import Submission
from firmware.runtime.house import house_of
from firmware.runtime.link import Link
from firmware.runtime.pins import weak_hashes
from firmware.runtime.readers import exposed
from firmware.table.house import Drawing
from firmware.table.phases import TRANSITIONS, arrows
from firmware.table.procedures import Equipment
from firmware.table.state import Phase
from hal.debounce import Inbox
from hal.gpio import GpioTable
from hal.no_sensors import NoSensors
from hal.ports import Button

HASH = c.SIMULATED_PEOPLE[0].pin_hash
PERSON = f'[[people]]\nbadge = "2001"\nname = "R. Diaz"\nrole = "floorperson"\npin_hash = "{HASH}"\n'
GPIO = '[badge]\ndevice = "/dev/input/by-id/usb-badge"\n[seats]\nhardware = "gpio"\n'
RULES = (
    '[rules]\nbook = "pa-653a"\ntable_minimum = "15.00"\nblind = { paytable = "A" }\ntrips = { paytable = "A" }\n'
    'progressive = { paytable = "A", wager = "1.00" }\n'
)

FIVE_CARD = RULES + 'five_card_hand = { wager = "5.00", magic_card = true, lucky_bonus = true }\n'
NO_PROGRESSIVE = RULES.split("progressive")[0]
LUNAR = '[rules]\nbook = "pa-671a"\ntable_minimum = "15.00"\ninstant = { paytable = "A" }\n'
MARYLAND = (
    '[rules]\nbook = "md-36.05.16"\ntable_minimum = "15.00"\nblind = { paytable = "A" }\ntrips = { paytable = "A" }\n'
)
HEADS_UP = '[rules]\nbook = "pa-677a"\ntable_minimum = "15.00"\n'
BY_HAND = '[dealing]\nmethod = "shoe"\nshuffler = "none"\ncolors = ["blue"]\n'

WRONG_TABLES = {
    # what is written: the place that is named, and the remedy
    "an unknown key": ('hom = "run"', "hom: no such key; did you mean 'home'?"),
    "an unknown section": ("[seat]\ncount = 3", "seat: no such key; did you mean 'seats'?"),
    "an unknown key in a section": (
        "[seats]\ndebouce_ms = 20",
        "seats.debouce_ms: no such key; did you mean 'debounce_ms'?",
    ),
    "an unknown key like none": (
        "[screen]\nqqq = 1",
        "screen.qqq: no such key; keys here: panel, theme, hand, language, touch, guard_ms, socket,",
    ),
    "an unknown key of a person": (
        PERSON + "shoe = 9",
        "people.0.shoe: no such key; keys here: badge, name, role, pin_hash, pin_digits",
    ),
    "text for a number": ('[seats]\ncount = "6"', "seats.count: Expected `int`, got `str`"),
    "a float": ("[seats]\ncount = 6.0", "seats.count: Expected `int`, got `float`"),
    "a number for text": ("id = 4", "id: Expected `str`, got `int`"),
    "a value for a section": ("seats = 6", "seats: Expected `object`, got `int`"),
    "a person without a name": ('[[people]]\nbadge = "1"', "people.0: Object missing required field `name`"),
    "a second person's wrong type": (PERSON + "[[people]]\nbadge = 7", "people.1.badge: Expected `str`, got `int`"),
    "no seats": ("[seats]\ncount = 0", "seats.count: 0; a table has 1 to 6 seats"),
    "seven seats": ("[seats]\ncount = 7", "seats.count: 7; a table has 1 to 6 seats"),
    "no debounce": ("[seats]\ndebounce_ms = 0", "seats.debounce_ms: 0; it lies between 1 and 500"),
    "a window of a minute": ("[seats]\nwindow_ms = 60000", "seats.window_ms: 60000; it lies between 1 and 500"),
    "a panel that nobody has measured": (
        '[screen]\npanel = "640x480"',
        "screen.panel: '640x480'; it is one of 800x480, 1280x800, 720x1280",
    ),
    "a negative guard": ("[screen]\nguard_ms = -1", "screen.guard_ms: -1; it lies between 0 and 2000"),
    "a shuffler that nobody knows": ('[shuffler]\nprotocol = "acme"', "shuffler.protocol: 'acme'; it is one of felt"),
    "a baud rate below zero": ("[shuffler]\nbaud = -9600", "shuffler.baud: -9600; it lies between 300 and 4000000"),
    "hardware of its own": ('[seats]\nhardware = "usb"', 'seats.hardware: \'usb\'; it is "cabinet" or "gpio"'),
    "no badge reader": ('[seats]\nhardware = "gpio"', "badge.device: missing; without a badge reader nobody can sign"),
    "any keyboard": (
        '[badge]\ndevice = "/dev/input/event3"',
        "badge.device: '/dev/input/event3'; name the reader by its path in /dev/input/by-id",
    ),
    "a reader without a path": (
        '[badge]\ndevice = "keyboard"',
        "badge.device: 'keyboard'; name the reader by its path",
    ),
    "any touch panel": (
        '[screen]\ntouch = "/dev/input/event0"',
        "screen.touch: '/dev/input/event0'; name the panel by its path in /dev/input/by-path",
    ),
    "a pin used twice": (GPIO + "lockout_pin = 5", "seats: pin 5 is used twice; each line has a pin of its own"),
    "a pin beyond the header": (GPIO + "lock_pin = 28", "seats: pin: 28; it lies between 0 and 27"),
    "a next key beyond the header, without sensors": (
        GPIO + "next_pin = 28\n" + LUNAR,
        "seats.next_pin: 28; it lies between 0 and 27",
    ),
    "a sensor that is none": ('[sensors]\nkind = "lidar"', "sensors.kind: 'lidar'; it is one of contacts, felt"),
    "a reader in a cabinet": ('[sensors]\nkind = "felt"', "sensors.kind: 'felt'; a cabinet has contacts"),
    "a reader without a line": (GPIO + '[sensors]\nkind = "felt"', "sensors.port: ''; name the reader's line"),
    "pins for other seats": (GPIO + "count = 5", "seats.sensor_pins: 6 pins for 5 seats; name one for each seat"),
    "capitals in the name": ('id = "UTH-04"', "id: 'UTH-04' must be a-z, 0-9 and single hyphens"),
    "a name that is a topic": ('id = "a/b"', "id: 'a/b' must be a-z, 0-9 and single hyphens"),
    "a name that is too long": (f'id = "{"a" * 33}"', "at most 32 characters"),
    "a bank's name that is none": ('[link]\nbank = "#"', "link.bank: '#' must be a-z"),
    "a broker that is a web page": (
        '[link]\nbroker = "http://x"',
        "link.broker: 'http://x'; it is mqtt://HOST:PORT or mqtts://HOST:PORT",
    ),
    "a broker's port of letters": (
        '[link]\nbroker = "mqtt://x:abc"',
        "link.broker: 'mqtt://x:abc': Port could not be cast",
    ),
    "a broker's port beyond all": (
        '[link]\nbroker = "mqtt://x:99999"',
        "link.broker: 'mqtt://x:99999': Port out of range",
    ),
    "a username without password": ('[link]\nusername = "t"', "link.password_file: missing; a username needs the file"),
    "a certificate without key": ('[link]\ncertificate = "c.pem"', "link: certificate and key belong together"),
    "a chip of nothing": (
        '[screen]\ndenominations = ["5.00", "0.00"]',
        "screen.denominations.1: 0.00; name the chips from",
    ),
    "chips upside down": (
        '[screen]\ndenominations = ["1.00", "5.00"]',
        "screen.denominations.1: 5.00; name the chips from the largest",
    ),
    "a chip that is no money": (
        '[screen]\ndenominations = ["five"]',
        "screen.denominations.0: is 'five'; right would be dollars",
    ),
    "an unknown role": (
        PERSON.replace("floorperson", "boss"),
        "people.0.role: 'boss'; roles: dealer, floorperson, manager, technician",
    ),
    "a badge with a blank": (
        PERSON.replace("2001", "20 01"),
        "people.0.badge: '20 01'; a badge is 1 to 32 letters and digits, once",
    ),
    "a badge twice": (PERSON * 2, "people.0.badge: '2001'; a badge is 1 to 32 letters and digits, once"),
    "rules that are a number": ("rules = 5", "rules: Expected `str | object`, got `int`"),
    "an unknown book": (RULES.replace("pa-653a", "pa-999"), "rules: book: is 'pa-999'; right would be pa-653a or"),
    "an unknown paytable": (
        RULES.replace('progressive = { paytable = "A"', 'progressive = { paytable = "Z"'),
        "rules: progressive.paytable: is 'Z'; right would be A or B",
    ),
    "a wager that is not offered": (
        RULES.replace('"1.00"', '"2.00"'),
        "rules: progressive.wager: is '2.00'; right would be 1.00 or 5.00",
    ),
    "rules without a minimum": (
        RULES.replace('table_minimum = "15.00"\n', ""),
        "rules: table_minimum: is missing; add it",
    ),
    "a way of dealing of its own": (
        '[dealing]\nmethod = "thrown"',
        "dealing.method: 'thrown'; it is one of shoe, hand, automated",
    ),
    "a shuffler of its own": (
        '[dealing]\nshuffler = "washes"',
        "dealing.shuffler: 'washes'; it is one of none, shuffles, counts, reshuffles",
    ),
    "no deck": ("[dealing]\ncolors = []", "dealing.colors: none; name one or two different ones of blue, red"),
    "two decks with the same backs": ('[dealing]\ncolors = ["blue", "blue"]', "dealing.colors: 'blue', 'blue'; name"),
    "three decks": ('[dealing]\ncolors = ["blue", "red", "green"]', "name one or two different ones of blue, red"),
    "backs that no shuffler tells apart": ('[dealing]\ncolors = ["teal"]', "dealing.colors: 'teal'; name one or two"),
    "an assist level beyond all": ("[dealing]\nassist = 3", "dealing.assist: 3; it lies between 0 and 2"),
    "653a.9(a)(1) from the hand without a shuffler": (
        BY_HAND.replace("shoe", "hand"),
        "dealing.method: 'hand' needs an automated shuffler (653a.9(a)(1)); deal from a shoe, or name the shuffler",
    ),
    "36.05.16.09A(1) from the hand without a shuffler": (
        BY_HAND.replace("shoe", "hand") + MARYLAND,
        "dealing.method: 'hand' needs an automated shuffler (36.05.16.09A(1))",
    ),
    "653a.10 an automated shoe without a device": (
        BY_HAND.replace("shoe", "automated"),
        "dealing.method: 'automated' needs the device that deals (653a.10); name what it does",
    ),
    "653a.3(b) two decks without a shuffler": (
        '[dealing]\nmethod = "shoe"\nshuffler = "none"',
        "dealing.colors: two decks need an automated shuffler (653a.3(b)); name one color, or the shuffler",
    ),
    "653a.10(g) the board first, by hand": (
        "[dealing]\nboard_first = true",
        "dealing.board_first: only an automated shoe that reshuffles may dispense the community cards first (653a.10(g))",
    ),
    "677a.10(g) the board first, from a shoe that does not reshuffle": (
        '[dealing]\nmethod = "automated"\nboard_first = true\n' + HEADS_UP,
        "dealing.board_first: only an automated shoe that reshuffles may dispense the community cards first (677a.10(g))",
    ),
    "671a.10 the board first, where there is none": (
        '[dealing]\nmethod = "automated"\nshuffler = "reshuffles"\nboard_first = true\n' + LUNAR,
        "dealing.board_first: this game has no community cards (671a.10); leave it out",
    ),
    "671a.2(a) six seats at Lunar Poker": (
        "[seats]\ncount = 6\n" + LUNAR,
        "seats.count: 6; this game has at most 5 seats (671a.2(a))",
    ),
    "nothing to tell a table": (
        "[dealing]\nassist = 0\n" + LUNAR,
        "dealing.assist: 0; without [rules.progressive] there would be nothing to tell this table: 1 or 2",
    ),
    "653a.12(e) Five Card Hand without a progressive": (
        NO_PROGRESSIVE + 'five_card_hand = { wager = "5.00" }\n',
        "rules.five_card_hand: its meter comes over the link of a progressive wager; add",
    ),
    "a Magic Card in no round": (
        "[bonus]\nmagic_card_one_in = 0",
        "bonus.magic_card_one_in: 0; it lies between 1 and 1000000",
    ),
    "a Lucky Bonus in no round": ("[bonus]\nlucky_one_in = 0", "bonus.lucky_one_in: 0; it lies between 1 and 1000000"),
    "no pins for the buttons": (
        GPIO + FIVE_CARD,
        "seats.own_button_pins: 0 pins for 6 seats; name one for each seat",
    ),
    "a button on a sensor's pin": (
        GPIO + "own_button_pins = [0, 1, 2, 3, 7, 8]\ndealer_button_pins = [9, 10, 11, 12, 14, 5]\n" + FIVE_CARD,
        "seats: pin 5 is used twice; each line has a pin of its own",
    ),
    "lamps for two of six buttons": (
        GPIO
        + "own_button_pins = [0, 1, 2, 3, 7, 8]\ndealer_button_pins = [9, 10, 11, 12, 14, 15]\n"
        + "own_button_lamp_pins = [18, 25]\n"
        + FIVE_CARD,
        "seats.own_button_lamp_pins: 2 pins for 6 seats; name one for each seat",
    ),
    "a rules file that is not there": ('rules = "none.toml"', "none.toml: No such file or directory; name a file"),
    "not TOML": ("id = ", "not TOML: Invalid value"),
    "a key twice": ('id = "a"\nid = "b"\n', "not TOML: Cannot overwrite a value (at line 2"),
    "nested without end": ("a = " + "[" * 5_000, "nested too deeply; a configuration has sections and keys"),
    "digits without end": ("a = " + "1" * 5_000, "not TOML: Exceeds the limit"),
}

METERS = '[[meters]]\nname = "main"\ndisplay_name = "Jackpot"\nrank = 1\n'
WRONG_BANKS = {
    "an unknown key": ('titel = "x"', "titel: no such key; did you mean 'title'?"),
    "a title of two lines": (
        'title = "two\\nlines"',
        "title: is 'two\\nlines'; wanted are 1 to 120 printable characters",
    ),
    "no title": ('title = ""', "title: is ''; wanted are 1 to 120"),
    "a badge too long for the wire": (PERSON.replace("2001", "2" * 33), "a badge is 1 to 32 letters and digits"),
    "a table's name in capitals": ('tables = ["uth-04", "UTH-05"]', "tables.1: 'UTH-05' must be a-z"),
    "a table twice": ('tables = ["uth-04", "uth-04"]', "tables.1: 'uth-04' stands there twice; name each table once"),
    "a meter that the book has not": (METERS.replace("main", "mian"), "meters.0.name: 'mian'; the meters of this book"),
    "a reserve, which nobody is shown": (
        METERS.replace("main", "five_card_reserve"),
        "the meters of this book are main",
    ),
    "a meter twice": (METERS + METERS.replace("1", "2"), "meters.1.name: 'main' stands there twice"),
    "a rank twice": (METERS + METERS.replace("main", "five_card"), "meters.1.rank: 1 is another meter's"),
    "a rank of none": (METERS.replace("1", "0"), "meters.0.rank: 0; it lies between 1 and 6"),
    "a meter without what people read": (
        METERS.replace("Jackpot", ""),
        "meters.0.display_name: is ''; wanted are 1 to 24",
    ),
    "a key of a meter that is none": (METERS.replace("rank", "ranks"), "meters.0"),
    "an hour that is none": ('gaming_day = "24:00"', "gaming_day: '24:00'; it is a time of day like \"06:00\""),
    "no tables": ("tables = []", "tables: none; name at least one table"),
    "tables that are text": ('tables = "uth-04"', "tables: Expected `array`, got `str`"),
    "a broker that is none": ('[link]\nbroker = "mqtt://"', "link.broker: 'mqtt://'; it is mqtt://HOST:PORT"),
    "a wager that is not offered": (RULES.replace('"1.00"', '"2.00"'), "rules: progressive.wager"),
    "screens, which a bank has not": ("[screen]\nguard_ms = 300", "screen: no such key"),
    "a person of no role": (PERSON.replace("floorperson", "boss"), "people.0.role: 'boss'; roles: dealer"),
    "nobody who may close a claim": (RULES, "people: 0 may sign as floorperson or manager; name at least 2"),
    "one who may close a claim, and a dealer": (
        PERSON + PERSON.replace("2001", "1001").replace("floorperson", "dealer"),
        "people: 1 may sign as floorperson or manager",
    ),
    "less than no time before a claim is closed": (
        "least_seconds = -1",
        "least_seconds: -1; it lies between 0 and 3600",
    ),
    "envy from no amount of money": (
        'envy_from = "500"',
        "envy_from: is '500'; right would be dollars with two decimals",
    ),
}


def said_of(command: str, file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error of a command that refuses its configuration."""
    assert main([command, "--config", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1
    assert said.err.startswith(f"felt {command}: ")
    return said.err


@pytest.mark.parametrize(("text", "wanted"), WRONG_TABLES.values(), ids=WRONG_TABLES)
def test_a_wrong_table_toml_is_refused_by_file_place_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, wanted: str
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text)
    said = said_of("table", file, capsys)
    assert wanted in said
    assert str(tmp_path) in said
    assert list(tmp_path.iterdir()) == [file], "nothing is made where the configuration is wrong"


@pytest.mark.parametrize(("text", "wanted"), WRONG_BANKS.values(), ids=WRONG_BANKS)
def test_a_wrong_bank_toml_is_refused_by_file_place_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, wanted: str
) -> None:
    file = tmp_path / "bank.toml"
    file.write_text(text)
    said = said_of("bank", file, capsys)
    assert wanted in said and str(file) in said


@pytest.mark.parametrize("command", ["table", "screen", "cabinet", "bank", "sign"])
def test_every_command_refuses_a_file_that_is_not_there_not_text_or_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    file = tmp_path / "felt.toml"
    assert f"{file}: No such file or directory; name a file that this user can read" in said_of(command, file, capsys)
    file.write_bytes(b'id = "\xff"')
    assert f"{file}: byte 6 is not UTF-8; save the file as UTF-8" in said_of(command, file, capsys)
    assert f"{tmp_path}: Is a directory" in said_of(command, tmp_path, capsys)


@pytest.mark.parametrize("command", ["table", "bank", "sign"])
def test_a_pipe_or_a_device_is_no_configuration_and_nobody_waits_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """A FIFO hung for ever, and /dev/zero filled the memory."""
    pipe, file = tmp_path / "pipe", tmp_path / "felt.toml"
    os.mkfifo(pipe)
    wanted = "is a device or a pipe, not a file; name a plain file"
    for given in (pipe, Path("/dev/zero"), Path("/dev/null")):
        assert f"{given}: {wanted}" in said_of(command, given, capsys)
        if command != "sign":
            file.write_text(f'rules = "{given}"\n')
            assert f"{given}: {wanted}" in said_of(command, file, capsys)


def test_a_configuration_that_does_not_end_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    with file.open("wb") as made:
        made.truncate(2 * 1024 * 1024)
    assert f"{file}: longer than 1048576 bytes" in said_of("table", file, capsys)


def test_a_password_or_a_key_that_is_a_pipe_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for given in ({"username": "t", "password_file": str(pipe)}, {"broker": "mqtts://x", "ca_file": str(pipe)}):
        with pytest.raises(ConfigError, match="is a device or a pipe"):
            Link(LinkConfig(**given), "felt-test", [], lambda _: None)


def test_a_pin_written_where_its_hash_belongs_is_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(PERSON.replace(HASH, "4826"))
    said = said_of("table", file, capsys)
    assert "people.0.pin_hash: is no argon2 hash; `felt pin` makes one" in said
    assert "4826" not in said


def test_a_whole_table_toml_is_read_and_its_folders_are_relative_to_it(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    (tmp_path / "rules.toml").write_text(RULES.removeprefix("[rules]\n").replace('"1.00"', '"5.00"'))
    file.write_text(f'id = "uth-07"\nhome = "here"\nrules = "rules.toml"\n[seats]\ncount = 5\n{PERSON}')
    config = c.load_table(file)
    assert (config.id, config.seats.count, config.people[0].name) == ("uth-07", 5, "R. Diaz")
    assert c.home(config, file) == (tmp_path / "here").resolve()
    assert c.submission(config, file).offers["progressive"].wager == 500


def test_the_two_people_of_the_simulation_are_not_at_a_table_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("")
    assert c.load_table(file).people == ()
    assert [person.badge for person in c.load_table(None).people] == ["2001", "3001"]


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("mqtt://127.0.0.1:18830", Address("127.0.0.1", 18830, tls=False)),
        ("mqtt://broker", Address("broker", 1883, tls=False)),
        ("mqtts://broker/", Address("broker", 8883, tls=True)),
        ("mqtts://[::1]:8884", Address("::1", 8884, tls=True)),
    ],
)
def test_an_address_has_the_ports_that_are_usual(url: str, address: Address) -> None:
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "tcp://x", "mqtt://u:p@x", "mqtt://x/topic", "mqtt://", "mqtt://[::1"),
        *("mqtt://host..example:1883", "mqtt://.example", "mqtt://x:0"),
    ],
)
def test_a_broker_on_the_command_line_is_refused_the_same_way(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match=r"link\.broker"):
        parse_address(url)


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"broker": "mqtts://x", "ca_file": "none.pem"}, "none.pem: .*No such file"),
        ({"broker": "mqtts://x", "certificate": "none.pem", "key": "none.key"}, "none.pem: .*No such file"),
        ({"username": "t", "password_file": "none.txt"}, "link.password_file: none.txt: .*No such file"),
    ],
)
def test_files_of_the_link_that_are_not_there_are_named(changes: dict[str, str], wanted: str) -> None:
    with pytest.raises(ConfigError, match=wanted):
        Link(LinkConfig(**changes), "felt-test", [], lambda _: None)


def test_a_ca_file_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("hello")
    with pytest.raises(ConfigError, match="ca_file, certificate and key are PEM files"):
        Link(LinkConfig(broker="mqtts://x", ca_file=str(file)), "felt-test", [], lambda _: None)


def read(tmp_path: Path, text: str) -> tuple[c.TableConfig, Submission]:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    config = c.load_table(file)
    return config, c.submission(config, file)


@pytest.mark.parametrize(
    ("rules", "seats", "level"),
    [(RULES, 6, 0), (NO_PROGRESSIVE, 6, 1), (LUNAR, 5, 1), (MARYLAND, 6, 1), (HEADS_UP, 6, 1)],
)
def test_what_is_not_said_is_what_the_book_and_the_submission_allow(
    tmp_path: Path, rules: str, seats: int, level: int
) -> None:
    config, _ = read(tmp_path, rules)
    assert (config.seats.count, config.dealing.assist) == (seats, level)
    config, _ = read(tmp_path, "[seats]\ncount = 4\n[dealing]\nassist = 2\n" + rules)
    assert (config.seats.count, config.dealing.assist) == (4, 2), "what is said counts"


def test_fewer_seats_by_default_are_fewer_pins_on_no_table_with_sensors(tmp_path: Path) -> None:
    """Lunar Poker has five seats and no sensors: its pins are nobody's concern."""
    config, submission = read(tmp_path, GPIO + LUNAR)
    assert isinstance(hardware(config, submission, tmp_path, Inbox(0)).lamps, NoSensors)


@pytest.mark.parametrize("rules", [LUNAR, HEADS_UP], ids=["671a", "677a"])
def test_a_table_without_sensors_may_have_a_next_key(tmp_path: Path, rules: str) -> None:
    config, submission = read(tmp_path, GPIO + "next_pin = 12\n" + rules)
    assert isinstance(hardware(config, submission, tmp_path, Inbox(0)).lamps, GpioTable)


@pytest.mark.parametrize(
    "dealing",
    [
        "",
        BY_HAND,
        '[dealing]\nmethod = "automated"\nshuffler = "reshuffles"\nboard_first = true\n',
        '[dealing]\nmethod = "shoe"\nshuffler = "shuffles"\n',
    ],
)
def test_equipment_that_the_book_allows_becomes_the_houses(tmp_path: Path, dealing: str) -> None:
    config, submission = read(tmp_path, dealing + RULES)
    equipment = house_of(config, submission).equipment
    said = config.dealing
    assert equipment == Equipment(said.method, said.shuffler, said.colors, said.board_first)
    assert equipment.machine == (dealing != BY_HAND)


def test_36_05_16_10b_2_in_maryland_every_automated_shoe_has_the_board_first(tmp_path: Path) -> None:
    config, _ = read(tmp_path, '[dealing]\nmethod = "automated"\nboard_first = true\n' + MARYLAND)
    assert config.dealing.board_first


def test_the_house_is_what_the_file_says(tmp_path: Path) -> None:
    config, submission = read(tmp_path, "[bonus]\nmagic_card_one_in = 9\nlucky_one_in = 7\n" + FIVE_CARD + PERSON)
    house = house_of(config, submission)
    assert (house.game.name, house.level, house.debounce_ns) == ("pa-653a", 0, 20_000_000)
    assert house.may_sign("2001", Act.CLAIM)
    assert house.drawing == Drawing(9, 7)


@pytest.mark.parametrize(
    ("offered", "drawing"),
    [
        ("", Drawing(0, 0)),
        ('five_card_hand = { wager = "5.00" }', Drawing(0, 0)),
        ('five_card_hand = { wager = "5.00", magic_card = true }', Drawing(40, 0)),
        ('five_card_hand = { wager = "5.00", lucky_bonus = true }', Drawing(0, 40)),
    ],
)
def test_a_bonus_that_is_not_offered_is_never_drawn(tmp_path: Path, offered: str, drawing: Drawing) -> None:
    config, submission = read(tmp_path, RULES + offered)
    assert house_of(config, submission).drawing == drawing


# felt table check, felt table states ------------------------------------------------------------------------------------


def test_table_check_says_what_the_table_would_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    person = PERSON + "pin_digits = 6\n"
    file.write_text(FIVE_CARD + person + person.replace("2001", "2002"))
    file.chmod(0o600)
    assert main(["table", "check", "--config", str(file)]) == 0
    said = capsys.readouterr().out
    assert "table uth-04: pa-653a, 6 seats, assist level 0\n" in said
    assert "dealt by: hand; shuffler: counts; decks: blue, red\n" in said
    assert "Magic Card one round in 40, Lucky Bonus one round in 40\n" in said
    assert "warning" not in said


def test_table_check_warns_where_the_bonus_returns_more_than_it_takes_653a_12_e(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[bonus]\nmagic_card_one_in = 1\n" + FIVE_CARD)
    assert main(["table", "--config", str(file), "check"]) == 0
    assert "warning: [bonus]: The Five Card Hand bonus returns " in capsys.readouterr().out


@pytest.mark.parametrize(("seats", "warned"), [(6, True), (1, False)])
def test_table_check_warns_where_one_player_could_win_more_than_the_limit_at_the_minimum_677a_12_f(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seats: int, warned: bool
) -> None:
    """Two boxes of one player; a table of one seat has no second one."""
    file = tmp_path / "table.toml"
    limit = HEADS_UP.replace("15.00", "95.00") + 'payout_limit = "50000.00"\nadjacent_boxes = 2\n'
    file.write_text(f"[seats]\ncount = {seats}\n" + limit + PERSON)
    assert main(["table", "check", "--config", str(file)]) == 0
    said = capsys.readouterr().out
    assert ("warning: [rules] payout_limit: $50,000.00; at the table minimum one player with 2 boxes" in said) is warned


WEAK = "$argon2id$v=19$m=8,t=1,p=1$iY+IUQHAMXZUAwrTK2/HDQ$01K/v+LwHogpHnfMU6YexRW07gadStQI3mL1ybBkrQc"
WEAKER = "the PIN hash of R. Diaz, badge 2001, is weaker than what `felt pin` writes"


def test_table_check_names_who_has_a_weaker_pin_hash_than_felt_pin_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten thousand PINs are tried in a second at 8 KiB and one pass."""
    file = tmp_path / "table.toml"
    strong = PERSON.replace("2001", "2002").replace("R. Diaz", "M. Chen") + "pin_digits = 6\n"
    file.write_text(RULES + PERSON.replace(HASH, WEAK) + strong)
    file.chmod(0o600)
    assert main(["table", "check", "--config", str(file)]) == 0
    warned = [line for line in capsys.readouterr().out.splitlines() if "PIN hash" in line]
    assert len(warned) == 1 and warned[0].startswith(f"warning: [[people]]: {WEAKER}")
    assert WEAK not in warned[0]


def test_a_bank_that_starts_names_who_has_a_weaker_pin_hash(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It starts on all the same; here a ledger that is none ends it."""
    (tmp_path / "bank.ledger").write_text("no ledger")
    file = tmp_path / "bank.toml"
    strong = PERSON.replace("2001", "2002")
    file.write_text('tables = ["uth-04"]\n' + RULES + PERSON.replace(HASH, WEAK) + strong)
    assert main(["bank", "--config", str(file), "--home", str(tmp_path)]) == 2
    assert [said for said in caplog.messages if WEAKER in said]


@pytest.mark.parametrize(
    ("cost", "weak"),
    [
        ("m=19456,t=2,p=1", False),
        ("m=47104,t=1,p=1", False),
        ("m=19456,t=1,p=1", True),
        ("m=8,t=100000,p=1", True),
        ("m=65536,t=3,p=4", False),
    ],
)
def test_fewer_passes_are_made_up_for_by_memory_and_less_memory_by_nothing(cost: str, weak: bool) -> None:
    person = msgspec.structs.replace(c.SIMULATED_PEOPLE[0], pin_hash=HASH.replace("m=19456,t=2,p=1", cost))
    assert bool(weak_hashes([person])) is weak


def test_table_check_refuses_what_the_table_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[seats]\ncount = 6\n" + LUNAR)
    assert main(["table", "check", "--config", str(file)]) == 2
    assert "seats.count: 6; this game has at most 5 seats" in capsys.readouterr().err


def test_table_states_prints_every_phase_its_keys_and_that_none_is_a_dead_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["table", "states"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert {phase.upper() for phase in Phase} <= set(said)
    opened = said[said.index("OPEN") :]
    assert "no-more-bets" in opened[1] and "  BetsClosed -> COUNT" in opened[: opened.index("")]
    assert said[-2:] == ["dead ends: none", "never reached: none"]


def test_table_states_with_a_dead_end_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TRANSITIONS, Phase.PAY, {})
    assert main(["table", "states"]) == 1
    assert "dead ends: PAY" in capsys.readouterr().out


def test_table_states_draws_one_line_between_two_phases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "states", "--dot"]) == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith("digraph table {") and drawn.endswith("}\n")
    between = [line.split(" [")[0] for line in drawn.splitlines() if "->" in line]
    assert len(between) == len(set(between)) == len({(source, target) for source, _, target in arrows()})
    assert '"ENVY" -> "SETTLE" [label="EnvyPaid"];' in drawn


# Pins -------------------------------------------------------------------------------------------------------------------


def test_gpio_pins_are_told_by_seat(tmp_path: Path) -> None:
    """`felt table` on the device: pins in the order of the seats, from seat 1."""
    config, submission = read(tmp_path, GPIO + "count = 2\nsensor_pins = [5, 6]\nlamp_pins = [4, 17]\n")
    table = hardware(config, submission, tmp_path, Inbox(0)).lamps
    assert isinstance(table, GpioTable)
    assert table._input_pins == {0: 16, 1: 5, 2: 6} and table._output_pins == {0: 20, 1: 4, 2: 17}


def test_where_a_reader_senses_the_chips_no_pin_is_a_sensor_and_lamps_stay_on_pins(tmp_path: Path) -> None:
    reader = '[sensors]\nkind = "felt"\nport = "/dev/serial/by-id/usb-reader"\n'
    config, submission = read(tmp_path, GPIO + "count = 2\nlamp_pins = [4, 17]\n" + reader)
    wired = hardware(config, submission, tmp_path, Inbox(0))
    assert wired.names == ("gpio", "chip reader") and len(wired.sensors) == 2
    assert isinstance(wired.lamps, GpioTable) and wired.lamps._input_pins == {0: 16}
    assert wired.lamps._output_pins == {0: 20, 1: 4, 2: 17}


def test_653a_2_d_buttons_are_told_by_seat_where_the_wager_is_offered(tmp_path: Path) -> None:
    pins = (
        "count = 2\nsensor_pins = [5, 6]\nlamp_pins = [4, 17]\nown_button_pins = [7, 8]\ndealer_button_pins = [9, 10]\n"
    )
    lamps = "own_button_lamp_pins = [11, 12]\n"
    config, submission = read(tmp_path, GPIO + pins + lamps + FIVE_CARD)
    table = hardware(config, submission, tmp_path, Inbox(0)).lamps
    assert isinstance(table, GpioTable)
    buttons: dict[int | Button, int] = {(1, "own"): 7, (2, "own"): 8, (1, "dealer"): 9, (2, "dealer"): 10}
    assert table._input_pins == {0: 16, 1: 5, 2: 6, **buttons}
    assert table._output_pins == {0: 20, 1: 4, 2: 17, (1, "own"): 11, (2, "own"): 12}
    config, submission = read(tmp_path, GPIO + pins + RULES)
    table = hardware(config, submission, tmp_path, Inbox(0)).lamps
    assert isinstance(table, GpioTable) and table._input_pins == {0: 16, 1: 5, 2: 6}


@pytest.mark.parametrize("command", [["table", "check", "--config"], ["doctor", "--config"], ["bank", "--config"]])
@pytest.mark.parametrize("line", ["rules.{} = 1", "{} = 1", "[rules.{}]"])
def test_a_configuration_of_thousands_of_keys_in_one_is_refused_at_once(
    command: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """tomllib takes 45 s for 50,000 dotted keys, and minutes for more."""
    file = tmp_path / "felt.toml"
    file.write_text(line.format(".".join(["a"] * 100_000)))
    assert main([*command, str(file)]) == 2
    assert f"{file}: nested too deeply; a configuration has sections and keys" in capsys.readouterr().err


@pytest.mark.parametrize(("encoding", "printed"), [("latin-1", "\\u0141. Müller"), ("ascii", "\\u0141. M\\xfcller")])
def test_a_terminal_without_utf_8_reads_every_name(encoding: str, printed: str, tmp_path: Path) -> None:
    """What its letters can write it writes; the others are numbers, and no command dies of a name."""
    file = tmp_path / "table.toml"
    weak = HASH.replace("m=19456", "m=1024")
    file.write_text(PERSON.replace(HASH, weak).replace("R. Diaz", "Ł. Müller"), encoding="utf-8")
    said = subprocess.run(
        [sys.executable, "-m", "firmware", "table", "check", "--config", str(file)],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert said.returncode == 0 and f"PIN hash of {printed}".encode(encoding) in said.stdout


def test_a_rehearsals_script_that_is_a_pipe_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for given in (str(pipe), "/dev/zero", "nul\0byte"):
        assert main(["rehearse", "--book", "pa-653a", given]) == 2
        said = capsys.readouterr().err
        assert "is a device or a pipe, not a file" in said or "embedded null byte" in said


def test_people_may_stand_in_a_file_that_the_screen_does_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the hashes that the screen's user could read all PINs of four digits fell in four minutes."""
    table, people = tmp_path / "table.toml", tmp_path / "people.toml"
    table.write_text('people_file = "people.toml"\n' + RULES)
    assert c.load_table(table, people=False).people == ()
    assert f"{people}: No such file or directory" in said_of("table", table, capsys)
    people.write_text(PERSON + "pin_digits = 6\n" + PERSON.replace("2001", "3001") + "pin_digits = 8\n")
    assert [person.badge for person in c.load_table(table).people] == ["2001", "3001"]
    people.write_text(PERSON + "shoe = 9\n")
    assert f"{people}: people.0.shoe: no such key" in said_of("table", table, capsys)
    people.write_text(PERSON.replace("floorperson", "pope"))
    assert f"{people}: people.0.role: 'pope'" in said_of("table", table, capsys)
    table.write_text('people_file = "people.toml"\n' + RULES + PERSON)
    assert f"{table}: people_file: {people} has the people, and so has this file" in said_of("table", table, capsys)


@pytest.mark.parametrize(
    ("mode", "users", "who"),
    [
        (0o644, (), "everybody"),
        (0o640, ("felt", "felt-screen"), "group felt-glass (felt, felt-screen)"),
        (0o640, ("felt",), ""),
        (0o640, (), ""),
        (0o600, ("felt", "felt-screen"), ""),
    ],
)
def test_who_else_may_read_the_pin_hashes_is_said(
    mode: int, users: tuple[str, ...], who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "people.toml"
    file.write_text(PERSON)
    file.chmod(mode)
    group = SimpleNamespace(gr_name="felt-glass", gr_mem=list(users))
    monkeypatch.setattr("firmware.runtime.readers.grp.getgrgid", lambda _: group)
    said = exposed(file)
    assert len(said) == bool(who) and all(f"{file}: PIN hashes may be read by {who}; " in one for one in said)


def test_table_check_names_a_file_of_hashes_that_others_may_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, people = tmp_path / "table.toml", tmp_path / "people.toml"
    table.write_text('people_file = "people.toml"\n' + RULES)
    people.write_text(PERSON)
    people.chmod(0o644)
    assert main(["table", "check", "--config", str(table)]) == 0
    assert f"warning: {people}: PIN hashes may be read by everybody" in capsys.readouterr().out
    people.chmod(0o600)
    assert main(["table", "check", "--config", str(table)]) == 0
    assert "may be read by" not in capsys.readouterr().out
