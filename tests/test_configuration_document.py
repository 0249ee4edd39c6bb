"""docs/configuration.md is true: every key, its default and its bounds; the examples load as they stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware import config as c
from firmware.config import ConfigError
from firmware.rules.games import books, load_book
from firmware.rules.paytable import ONLY
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission
from firmware.runtime.house import warnings

DOCS = Path(__file__).resolve().parent.parent / "docs"
ROW = re.compile(r"\| `(?P<key>\w+)` \| (?P<meaning>[^|]+) \| (?P<default>[^|]+) \| (?P<bounds>[^|]+) \|")
SECTIONS: dict[str, type[msgspec.Struct]] = {
    "table.toml": c.TableConfig,
    "[seats]": c.SeatsConfig,
    "[dealing]": c.DealingConfig,
    "[bonus]": c.BonusConfig,
    "[approvals]": c.ApprovalsConfig,
    "[shuffler]": c.ShufflerConfig,
    "[sensors]": c.SensorsConfig,
    "[lock]": c.LockConfig,
    "[badge]": c.BadgeConfig,
    "[link]": c.LinkConfig,
    "[screen]": c.ScreenConfig,
    "[[people]]": c.PersonConfig,
    "bank.toml": c.BankConfig,
    "[[meters]]": c.MeterConfig,
}
BELOW = {"seats", "dealing", "bonus", "approvals", "shuffler", "sensors", "lock", "badge", "link", "screen", "people"}
"""Keys of table.toml that have a heading of their own instead of a row."""


def documented() -> dict[str, list[re.Match[str]]]:
    """Heading -> the rows of its table."""
    parts = re.split(r"^##+ (.+)$", (DOCS / "configuration.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {heading: list(ROW.finditer(text)) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


DOCUMENTED = documented()
BOOKS = tuple(books())
RULES = re.split(
    r"^##+ .+$", (DOCS / "configuration.md").read_text(encoding="utf-8").split("### [rules]\n")[1], flags=re.M
)[0]
"""The text under `[rules]`, whose tables have a column for each book."""


def cells(table: str) -> list[list[str]]:
    """The rows of a table of the document, without its head."""
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def letters(paytables: Collection[str]) -> str:
    """`, A or B`, `, A to D`; nothing where there is one only, which has no letter."""
    if ONLY in paytables:
        return ""
    first, *_, last = sorted(paytables)
    return f", {first} {'or' if len(paytables) == 2 else 'to'} {last}"


def of_book(name: str) -> dict[str, str]:
    """Key of `[rules]` -> what a book does with it, as the document has it."""
    book = load_book(name)
    keys = {"book": "must", "table_minimum": "must", **dict.fromkeys(book.general, "may")}
    if "adjacent_boxes" in keys:
        keys["adjacent_boxes"] += f", 1 to {book.seats}"
    for key, section in book.sections.items():
        keys[key] = ("must" if section.required else "may") + letters(book.paytables.get(key, {ONLY: None}))
    return keys


def test_every_key_of_rules_is_documented_for_every_book() -> None:
    top, _ = RULES.split("Within a section:")
    [head] = re.findall(r"^\| key \| meaning \| (.+) \|$", top, re.M)
    assert head.split(" | ") == list(BOOKS)
    said = {row[0].strip("`"): dict(zip(BOOKS, row[2:], strict=True)) for row in cells(top)}
    keys = {name: of_book(name) for name in BOOKS}
    known = {key for of in keys.values() for key in of}
    assert said == {key: {name: keys[name].get(key, "–") for name in BOOKS} for key in known}


def submitted(book: str, section: str, given: dict[str, object]) -> str:
    """What the law says to this section in an otherwise whole submission; "" where it takes it."""
    required = {key: {"paytable": "A"} for key, one in load_book(book).sections.items() if one.required}
    try:
        parse_submission({"book": book, "table_minimum": "15.00", **required, section: given})
    except Refusal as refusal:
        return str(refusal)
    return ""


WHOLE: dict[tuple[str, str], dict[str, object]] = {
    ("pa-653a", "progressive"): {"paytable": "A", "wager": "1.00"},
    ("md-36.05.16", "progressive"): {"wager": "5.00", "seed": "10000.00", "rate": "21"},
    ("pa-653a", "five_card_hand"): {"wager": "5.00", "magic_card": True, "lucky_bonus": True},
    ("pa-653a", "trips"): {"paytable": "A"},
}


@pytest.mark.parametrize(("book", "section"), WHOLE)
def test_every_key_within_a_section_of_rules_is_documented(book: str, section: str) -> None:
    """A section with exactly the documented keys is taken, one without a key that must be is not."""
    rows = [row for row in cells(RULES.split("Within a section:")[1]) if is_of(row[1], book, section)]
    assert {row[0].strip("`") for row in rows} == set(WHOLE[book, section])
    assert submitted(book, section, WHOLE[book, section]) == ""
    for key, *_, must in rows:
        fewer = {name: value for name, value in WHOLE[book, section].items() if name != key.strip("`")}
        assert bool(submitted(book, section, fewer)) == (must == "must"), key


def is_of(place: str, book: str, section: str) -> bool:
    """Whether a row is about this section of this book."""
    if place.startswith("every section with letters"):
        return bool(letters(load_book(book).paytables[section]))
    return place == f"`{section}`" or place == f"`{section}` of {book}"


def test_every_section_is_documented() -> None:
    assert [heading for heading in DOCUMENTED if heading != "[rules]"] == list(SECTIONS)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_is_documented_and_no_other(section: str) -> None:
    keys = {field.encode_name for field in msgspec.structs.fields(SECTIONS[section])}
    assert {row["key"] for row in DOCUMENTED[section]} == (keys - BELOW if section == "table.toml" else keys)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_default_is_the_programs(section: str) -> None:
    fields = {field.encode_name: field for field in msgspec.structs.fields(SECTIONS[section])}
    stated = {row["key"]: row["default"] for row in DOCUMENTED[section] if row["key"] not in ("rules", "link")}
    assert stated
    for key, text in stated.items():
        if text == "none":
            assert fields[key].required, key
            continue
        default = tomllib.loads(f"value = {text.strip('`')}")["value"]
        assert fields[key].default == (tuple(default) if isinstance(default, list) else default), key


def test_the_default_submission_is_the_documented_one() -> None:
    submission = c.submission(c.load_table(None), None)
    assert (submission.book.name, submission.table_minimum) == ("pa-653a", 1500)
    offer = submission.offers["progressive"]
    assert (offer.paytable, offer.wager) == ("A", 100)


NUMBERS = ("[seats]", "[dealing]", "[bonus]", "[shuffler]", "[sensors]", "[screen]")
"""The sections with whole numbers in them."""


def bounds() -> Iterator[tuple[str, str, int, int]]:
    for section in NUMBERS:
        for row in DOCUMENTED[section]:
            if found := re.match(r"(\d+) to (\d+)", row["bounds"]):
                yield section, row["key"], int(found[1]), int(found[2])


def test_every_whole_number_has_bounds() -> None:
    numbers = {
        (section, field.encode_name)
        for section in NUMBERS
        for field in msgspec.structs.fields(SECTIONS[section])
        if field.type is int and not field.encode_name.endswith("_pin")
    }
    assert {(section, key) for section, key, _, _ in bounds()} == numbers


@pytest.mark.parametrize(("section", "key", "lowest", "highest"), list(bounds()))
def test_bounds_are_the_programs(section: str, key: str, lowest: int, highest: int, tmp_path: Path) -> None:
    def load(value: int) -> None:
        (tmp_path / "table.toml").write_text(f"{section}\n{key} = {value}\n", encoding="utf-8")
        c.load_table(tmp_path / "table.toml")

    load(lowest)
    load(highest)
    for value in (lowest - 1, highest + 1):
        with pytest.raises(ConfigError, match=re.escape(key)):
            load(value)


def test_the_example_table_loads_and_its_submission_is_allowed() -> None:
    file = DOCS / "examples" / "table.toml"
    table = c.load_table(file)
    assert table.seats.hardware == "gpio"
    assert c.parse_address(table.link.broker).tls
    assert c.submission(table, file).on_sensor


def test_the_example_with_the_five_card_hand_loads_and_warns_of_nothing() -> None:
    file = DOCS / "examples" / "table-five-card-hand.toml"
    table = c.load_table(file)
    submission = c.submission(table, file)
    assert submission.by_account and len(table.seats.own_button_pins) == table.seats.count
    assert warnings(table, submission) == ()


PERSON, MANAGER = (msgspec.structs.replace(one, pin_digits=6) for one in c.SIMULATED_PEOPLE)
TECHNICIAN = msgspec.structs.replace(PERSON, badge="4001", role="technician")
DEALER = msgspec.structs.replace(PERSON, badge="1001", role="dealer")


@pytest.mark.parametrize(
    ("example", "people", "warned"),
    [
        ("table", (PERSON, MANAGER), ""),
        ("table", (PERSON, DEALER), "[[people]]: only one is floorperson or manager; a share of a meter needs two"),
        ("table", (TECHNICIAN, DEALER), "[[people]]: nobody is floorperson or manager"),
        ("table", (), "[[people]]: nobody is floorperson or manager"),
        ("table-lunar", (PERSON,), ""),
        ("table-lunar", (TECHNICIAN,), "[[people]]: nobody is floorperson or manager"),
    ],
)
def test_a_table_warns_of_too_few_people_who_may_sign(
    example: str, people: tuple[c.PersonConfig, ...], warned: str
) -> None:
    file = DOCS / "examples" / f"{example}.toml"
    table = msgspec.structs.replace(c.load_table(file), people=people)
    found = warnings(table, c.submission(table, file))
    assert len(found) == bool(warned) and all(said.startswith(warned) for said in found)


def test_the_example_of_lunar_poker_loads_and_has_neither_sensors_nor_bank() -> None:
    file = DOCS / "examples" / "table-lunar.toml"
    table = c.load_table(file)
    assert (table.seats.count, table.dealing.assist) == (5, 1)
    assert not c.submission(table, file).on_sensor


def test_the_example_bank_and_sign_load_and_agree_with_the_table() -> None:
    table_file, bank_file, sign_file = (DOCS / "examples" / name for name in ("table.toml", "bank.toml", "sign.toml"))
    table, bank, sign = c.load_table(table_file), c.load_bank(bank_file), c.load_bank(sign_file)
    assert table.id in bank.tables
    assert table.link.bank == bank.id == sign.id
    assert table.link.broker == bank.link.broker == sign.link.broker
    assert c.submission(table, table_file).submission_hash == c.submission(bank, bank_file).submission_hash


@pytest.mark.parametrize("loaded", [c.load_table, c.load_bank], ids=["table", "bank"])
def test_nobody_knows_the_pins_of_the_examples(loaded: Any) -> None:
    published = {person.pin_hash for person in c.SIMULATED_PEOPLE}
    people = loaded(DOCS / "examples" / ("table.toml" if loaded is c.load_table else "bank.toml")).people
    assert {person.role for person in people} == {"floorperson", "manager"}
    assert not published & {person.pin_hash for person in people}


# docs/install.md ------------------------------------------------------------------------------------------------------

WIRE = re.compile(r"\| (?P<what>[^|]+?) +\| GPIO(?P<gpio>\d+) +\| (?P<pin>\d+) +\|")


def test_the_wiring_table_is_the_examples_and_the_boards() -> None:
    gpiozero: Any = pytest.importorskip("gpiozero")
    header = gpiozero.pi_info("c03115").headers["J8"].pins
    text = (DOCS / "install.md").read_text(encoding="utf-8")
    wired = {row["what"]: (int(row["gpio"]), int(row["pin"])) for row in WIRE.finditer(text)}
    for what, (gpio, pin) in wired.items():
        assert header[pin].name == f"GPIO{gpio}", what
    seats = c.load_table(DOCS / "examples" / "table.toml").seats
    wanted = {f"seat {seat} sensor": gpio for seat, gpio in enumerate(seats.sensor_pins, start=1)}
    wanted |= {f"seat {seat} lamp": gpio for seat, gpio in enumerate(seats.lamp_pins, start=1)}
    wanted |= {"lockout switch": seats.lockout_pin, "lock line": seats.lock_pin}
    assert {what: gpio for what, (gpio, _) in wired.items()} == wanted
