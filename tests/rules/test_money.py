"""Money: strings of dollars in, whole numbers inside, strings of dollars out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware.rules
from firmware.rules.money import (
    Cents,
    Micros,
    MoneyError,
    cents,
    cut_to_cents,
    dollars,
    meter_dollars,
    micros,
    to_micros,
)
from firmware.rules.paytable import read_prize, read_rate

SOURCES = sorted(Path(firmware.rules.__file__).parent.glob("*.py"))


@given(st.integers(0, 10**14 - 1))
def test_cents_and_back(amount: int) -> None:
    """Bounds: everything the contract can write, up to 999999999999.99."""
    assert cents(dollars(Cents(amount))) == amount


@given(st.integers(0, 10**18 - 1))
def test_a_meter_and_back(amount: int) -> None:
    """Bounds: everything the contract can write, up to 999999999999.999999."""
    assert micros(meter_dollars(Micros(amount))) == amount


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("0.00", "0.00"),
        ("10012.34", "10012.34"),
        ("1.100000", "1.10"),
        ("1.123400", "1.1234"),
        ("1.000001", "1.000001"),
    ],
)
def test_zeros_beyond_two_are_cut(written: str, shown: str) -> None:
    assert meter_dollars(micros(written)) == shown


WRONG = [
    "", " ", "15", "15.", ".50", "15.0", "15.000", "+15.00", "-15.00", "015.00", "00.00", "1,500.00", "15,00", "$15.00",
    "1e3.00", " 15.00", "15.00 ", "15.00\n", "١٥.٠٠", "1234567890123.00", "NaN", "15.00.00", 15, 15.0, True, None, ["15.00"],
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_money_is_refused_with_the_remedy(wrong: object) -> None:
    with pytest.raises(MoneyError, match=r'two decimals.*"15\.00"'):
        cents(wrong)


@pytest.mark.parametrize("wrong", [*(w for w in WRONG if w != "15.000"), "1.1234567", "1.1"])
def test_what_is_no_meter_is_refused_with_the_remedy(wrong: object) -> None:
    with pytest.raises(MoneyError, match=r'two to six decimals.*"10012\.34"'):
        micros(wrong)


def test_cents_and_micro_dollars() -> None:
    assert cut_to_cents(micros("12345.678901")) == cents("12345.67")
    assert to_micros(cents("0.01")) == 10_000


@pytest.mark.parametrize("text", ["21", "0.0001", "100", "99.9999", "19.25"])
def test_a_rate_is_exact(text: str) -> None:
    whole, _, part = text.partition(".")
    assert read_rate(text) == int(whole) * 10_000 + int(part.ljust(4, "0") or 0)


@pytest.mark.parametrize(
    "text", ["", "0", "0.0000", "100.0001", "101", "21%", "21.", ".5", "1.00001", "-1", "1e1", "021"]
)
def test_a_rate_is_a_percentage_of_four_decimals(text: str) -> None:
    with pytest.raises(ValueError, match="above 0, at most 100"):
        read_rate(text)


@given(st.integers(0, 10**14), st.sampled_from(["3 to 2", "1 to 1", "500 to 1"]))
def test_odds_never_pay_more_than_they_say(stake: int, text: str) -> None:
    """Bounds: stakes up to a trillion dollars."""
    odds = read_prize(text)
    win, on = int(text.split()[0]), int(text.split()[2])
    payout = odds.payout(Cents(stake))
    assert payout * on <= stake * win < (payout + 1) * on


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_there_is_no_float_in_the_rules(source: Path) -> None:
    """No float literal, no true division, no call of float(): money cannot become one.

    A Fraction is exact, but no money either: only the share of a wager that comes back is one.
    """
    other_numbers = {"float", "Decimal"} | ({"Fraction"} if source.name != "five_card.py" else set())
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), node.lineno
        assert not (
            isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and not _joins_a_path(node)
        )
        assert not (isinstance(node, ast.Name) and node.id in other_numbers)


def _joins_a_path(node: ast.BinOp | ast.AugAssign) -> bool:
    left = node.left if isinstance(node, ast.BinOp) else node.target
    return isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute) and left.func.attr == "with_name"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_rules_import_nothing_but_the_standard_library(source: Path) -> None:
    import sys

    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            assert name.startswith("firmware.rules") or name.split(".")[0] in sys.stdlib_module_names
