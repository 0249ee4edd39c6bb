"""Every screen of the dealer: nothing cut off, no two keys in one place, keys large enough, one primary key."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.rules.money import Cents, cents
from firmware.rules.paytable import load_book, progressive
from firmware.table.settling import voids
from firmware.table.state import House, Person, Phase, Prize, Seat, Shuffler, TableState
from ui.dealer.display import Display
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.screens import BODIES, HEIGHT, WIDTH, Live, money, recipe, screen
from ui.dealer.widgets import Screen

PEOPLE = {"2001": Person("2001", "Bartholomew Featherstone", "floorperson")}
BOOK = load_book("pa-653a")
VOIDS = voids(BOOK)
HOUSES = {name: House(progressive(BOOK, name, cents("5.00")), 20_000_000, PEOPLE, VOIDS) for name in "ABCD"}
LONGEST = 999_999_999
ROYAL = Prize("straight flush", "100% of major", "653a.12(d)(1)", LONGEST, "major", 100, ("Th", "Jh", "Qh", "Kh", "9h"))
LIVE = Live(
    "23:59",
    (("mega", "9999999.99"), ("major", "9999999.99"), ("minor", "9999999.99")),
    denominations=(Cents(10_000), Cents(2_500), Cents(500), Cents(100)),
)
SHUFFLER = Shuffler(True, "felt-1", "shuffling", 52, "blue", "", 0, 0)


def seat(**changes: object) -> Seat:
    return replace(Seat(), **changes)  # type: ignore[arg-type]


MIXED = (
    seat(wager=True, covered=True),
    seat(late=True, late_ms=12_345, covered=True),
    seat(dead=True),
    seat(covered=True, before_lock=True),
    seat(wager=True, prize=replace(ROYAL, status="paid")),
    seat(wager=True, prize=replace(ROYAL, status="pending", by=("2001",))),
)
FROM_THE_RACK = (*MIXED[:5], seat(wager=True, prize=Prize("four of a kind", "300 for 1", "653a.12(d)(1)", 149_900)))
"""The largest prize that is paid in chips is $1,500.00: four of a kind with a $5.00 wager."""
TABLE = TableState(
    "uth-04", "0" * 32, "boot", round=99_999, seats=MIXED, link_up=True, sensors_up=True, shuffler=SHUFFLER, turn=6,
    switch_locked=False, envy=((5, 500_000), (1, 500_000)), void_cite="653a.13(d)", chips=1, question=1,
)  # fmt: skip


def states() -> Iterator[tuple[str, TableState, Live]]:
    """Every phase and panel, with and without the longest things that can be said."""
    refused = "Badge 2001 validated this hand: a different person must end it."
    for phase in Phase:
        table = replace(TABLE, phase=phase, seats=FROM_THE_RACK if phase is Phase.PAY else MIXED)
        yield str(phase), table, LIVE
        yield f"{phase} refused", replace(table, notice=refused), replace(LIVE, badge="2001", by="2001")
    for fault in ("jam", "door", "count", "colour", "cycle", "motor", "card", ""):
        alarm = replace(SHUFFLER, alarm=3, fault=fault)
        yield f"shuffler {fault}", replace(TABLE, phase=Phase.CLOSED, shuffler=alarm), LIVE
    for why in ("no broker answers", "the bank is silent", "the bank has stopped"):
        yield f"link {why}", replace(TABLE, phase=Phase.OPEN, link_up=False, link_why=why), LIVE
    yield "sensors", replace(TABLE, phase=Phase.OPEN, panel="sensors"), LIVE
    for cite in ("", *VOIDS):
        yield f"void {cite}", replace(TABLE, phase=Phase.DEAL, panel=f"void {cite}".strip()), LIVE
    for who in (replace(LIVE, badge="2001", name=PEOPLE["2001"].name, typed=8), replace(LIVE, badge="2001", wait_s=60)):
        yield "validate with a badge", replace(TABLE, phase=Phase.VALIDATE), who
    complaint = "felt/felt/table/uth-04/down: not JSON: Expecting property name enclosed in double quotes"
    yield "complaint", replace(TABLE, phase=Phase.OPEN, complaint=complaint, complaints=1_234), LIVE
    for slot in range(6):
        prize = replace(ROYAL, cards=ROYAL.cards[:slot], slot=slot, rank="T" if slot < 5 else "")
        seats = (*MIXED[:5], seat(wager=True, prize=prize))
        yield f"cards {slot}", replace(TABLE, phase=Phase.CARDS, seats=seats), LIVE


CASES = [
    pytest.param(screen(house, state, live), id=f"{name} {paytable}")
    for paytable, house in HOUSES.items()
    for name, state, live in states()
]


@pytest.fixture(scope="module")
def display() -> Iterator[Display]:
    shown = Display(SEVEN_INCH, "test")
    yield shown
    shown.close()


@pytest.mark.parametrize("shown", CASES)
def test_nothing_is_cut_off_and_every_sign_can_be_drawn(shown: Screen, display: Display) -> None:
    assert display.overflows(shown) == []
    said = "".join(line.text for widget in shown.widgets for line in widget.lines)
    assert display.undrawable(said) == ""


@pytest.mark.parametrize("shown", CASES)
def test_every_widget_is_on_the_panel_and_no_two_keys_touch(shown: Screen) -> None:
    for widget in shown.widgets:
        assert widget.x >= 0 and widget.y >= 0, widget.id
        assert widget.x + widget.w <= WIDTH + 0.01 and widget.y + widget.h <= HEIGHT + 0.01, widget.id
    keys = [widget for widget in shown.widgets if widget.press]
    for one, other in itertools.combinations(keys, 2):
        apart = max(
            other.x - one.x - one.w, one.x - other.x - other.w, other.y - one.y - one.h, one.y - other.y - other.h
        )
        assert apart >= 0.4, f"{one.id} and {other.id}"


@pytest.mark.parametrize("shown", CASES)
def test_keys_are_large_enough_for_a_finger_and_money_keys_for_a_hurried_one(shown: Screen) -> None:
    for widget in shown.widgets:
        if widget.press:
            assert min(widget.w, widget.h) >= 9, widget.id
    primary = [widget for widget in shown.widgets if widget.id == "primary"]
    assert len(primary) == 1
    assert primary[0].w >= 20 and primary[0].h >= 14
    ids = [widget.id for widget in shown.widgets]
    assert len(ids) == len(set(ids))


def test_every_kind_of_screen_is_among_the_cases() -> None:
    assert {case.values[0].name for case in CASES} == set(BODIES)  # type: ignore[attr-defined]


def test_two_screens_that_differ_only_by_colour_do_not_exist() -> None:
    """A seat's four lamp states are told apart by shape and word as well (8 % of men are colour-blind)."""
    shown = screen(HOUSES["A"], replace(TABLE, phase=Phase.OPEN), LIVE)
    tiles = [widget for widget in shown.widgets if widget.id.startswith("seat-")][:4]
    assert len({widget.shape for widget in tiles}) == 4
    assert len({widget.lines[1].text for widget in tiles}) == 4


@pytest.mark.parametrize(
    ("amount", "chips"),
    [
        (20_000, "2 × $100"),
        (4_500, "1 × $25 + 4 × $5"),
        (900, "1 × $5 + 4 × $1"),
        (150, "1 × $1 + $0.50 without chips"),
        (0, "nothing"),
    ],
)
def test_the_fewest_chips_make_an_amount(amount: int, chips: str) -> None:
    assert recipe(amount, LIVE.denominations) == chips


def test_money_is_shown_with_its_thousands() -> None:
    assert money(LONGEST) == "$9,999,999.99"
