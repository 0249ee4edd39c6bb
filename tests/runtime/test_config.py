"""A configuration that cannot be used: one line that names the file, the place in it and the remedy; exit 2, no trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware import config as c
from firmware.__main__ import main
from firmware.config import Address, ConfigError, LinkConfig, parse_address
from firmware.runtime.link import Link

HASH = c.SIMULATED_PEOPLE[0].pin_hash
PERSON = f'[[people]]\nbadge = "2001"\nname = "R. Diaz"\nrole = "floorperson"\npin_hash = "{HASH}"\n'
GPIO = '[seats]\nhardware = "gpio"\n'
RULES = (
    '[rules]\nbook = "pa-653a"\ntable_minimum = "15.00"\nblind = { paytable = "A" }\ntrips = { paytable = "A" }\n'
    'progressive = { paytable = "A", wager = "1.00" }\n'
)

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
        "screen.qqq: no such key; keys here: guard_ms, observe, denominations",
    ),
    "an unknown key of a person": (
        PERSON + "shoe = 9",
        "people.0.shoe: no such key; keys here: badge, name, role, pin_hash",
    ),
    "text for a number": ('[seats]\ncount = "6"', "seats.count: Expected `int`, got `str`"),
    "a float": ("[seats]\ncount = 6.0", "seats.count: Expected `int`, got `float`"),
    "a number for text": ("id = 4", "id: Expected `str`, got `int`"),
    "a value for a section": ("seats = 6", "seats: Expected `object`, got `int`"),
    "a person without a name": ('[[people]]\nbadge = "1"', "people.0: Object missing required field `name`"),
    "a second person's wrong type": (PERSON + "[[people]]\nbadge = 7", "people.1.badge: Expected `str`, got `int`"),
    "no seats": ("[seats]\ncount = 0", "seats.count: 0; a table has 1 to 6 seats (653a.2(a))"),
    "seven seats": ("[seats]\ncount = 7", "seats.count: 7; a table has 1 to 6 seats"),
    "no debounce": ("[seats]\ndebounce_ms = 0", "seats.debounce_ms: 0; it lies between 1 and 500"),
    "a window of a minute": ("[seats]\nwindow_ms = 60000", "seats.window_ms: 60000; it lies between 1 and 500"),
    "a negative guard": ("[screen]\nguard_ms = -1", "screen.guard_ms: -1; it lies between 0 and 2000"),
    "a baud rate below zero": ("[shuffler]\nbaud = -9600", "shuffler.baud: -9600; it lies between 300 and 4000000"),
    "hardware of its own": ('[seats]\nhardware = "usb"', 'seats.hardware: \'usb\'; it is "cabinet" or "gpio"'),
    "a pin used twice": (GPIO + "lockout_pin = 5", "seats: pin 5 is used twice; each line has a pin of its own"),
    "a pin beyond the header": (GPIO + "lock_pin = 28", "seats: pin: 28; it lies between 0 and 27"),
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
        "people.0.badge: '20 01'; a badge is letters and digits, once",
    ),
    "a badge twice": (PERSON * 2, "people.0.badge: '2001'; a badge is letters and digits, once"),
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
    "a table without a progressive": (RULES.split("progressive")[0], "rules: no [progressive] section"),
    "a rules file that is not there": ('rules = "none.toml"', "none.toml: No such file or directory; name a file"),
    "not TOML": ("id = ", "not TOML: Invalid value"),
    "a key twice": ('id = "a"\nid = "b"\n', "not TOML: Cannot overwrite a value (at line 2"),
    "nested without end": ("a = " + "[" * 5_000, "nested too deeply; a configuration has sections and keys"),
    "digits without end": ("a = " + "1" * 5_000, "not TOML: Exceeds the limit"),
}

WRONG_BANKS = {
    "an unknown key": ('titel = "x"', "titel: no such key; did you mean 'title'?"),
    "a table's name in capitals": ('tables = ["uth-04", "UTH-05"]', "tables.1: 'UTH-05' must be a-z"),
    "a table twice": ('tables = ["uth-04", "uth-04"]', "tables.1: 'uth-04' stands there twice; name each table once"),
    "no tables": ("tables = []", "tables: none; name at least one table"),
    "tables that are text": ('tables = "uth-04"', "tables: Expected `array`, got `str`"),
    "a broker that is none": ('[link]\nbroker = "mqtt://"', "link.broker: 'mqtt://'; it is mqtt://HOST:PORT"),
    "a wager that is not offered": (RULES.replace('"1.00"', '"2.00"'), "rules: progressive.wager"),
    "screens, which a bank has not": ("[screen]\nguard_ms = 300", "screen: no such key"),
    "a person of no role": (PERSON.replace("floorperson", "boss"), "people.0.role: 'boss'; roles: dealer"),
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
    progressive = c.submission(config, file).progressive
    assert progressive is not None and progressive.wager == 500


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


@pytest.mark.parametrize("url", ["", "x", "tcp://x", "mqtt://u:p@x", "mqtt://x/topic", "mqtt://", "mqtt://[::1"])
def test_a_broker_on_the_command_line_is_refused_the_same_way(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match=r"link\.broker"):
        parse_address(url)


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"broker": "mqtts://x", "ca_file": "none.pem"}, "none.pem: .*No such file"),
        ({"broker": "mqtts://x", "certificate": "none.pem", "key": "none.key"}, "none.pem, none.key: .*No such file"),
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


def test_gpio_pins_are_told_by_seat(tmp_path: Path) -> None:
    """`felt table` on the device: pins in the order of the seats, from seat 1."""
    from firmware.__main__ import _sensors
    from hal.debounce import Inbox
    from hal.gpio import GpioTable

    file = tmp_path / "table.toml"
    file.write_text(GPIO + "count = 2\nsensor_pins = [5, 6]\nlamp_pins = [4, 17]\n")
    table = _sensors(c.load_table(file), tmp_path, Inbox(0))
    assert isinstance(table, GpioTable)
    assert table._input_pins == {0: 16, 1: 5, 2: 6} and table._output_pins == {0: 20, 1: 4, 2: 17}
