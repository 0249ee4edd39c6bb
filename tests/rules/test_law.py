"""The law, case by case: every numbered reading and every paragraph that settles a wager, from the tables in `law/`.

A case says either what is paid, in order (`settles`, or `says` for a few lines of many), or where it is refused.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware.rules.poster import readings
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from tests import register
from tests.rules.law_rounds import LAW, law_file, payment_line, round_file

FILES = ("pa-653a.toml", "md-36.05.16.toml", "pa-671a.toml", "pa-677a.toml")
CASES = [
    pytest.param(file["rules"], case, id=f"{case['section']} {case['name']}")
    for file in map(law_file, FILES)
    for case in file["case"]
]


@pytest.mark.parametrize(("rules", "case"), CASES)
def test_law(rules: dict[str, Any], case: dict[str, Any]) -> None:
    register.settled(case["section"])
    filed = round_file(rules, case)
    if "refused" in case:
        with pytest.raises(Refusal) as refused:
            settle(parse_round(filed))
        assert refused.value.at == case["refused"], str(refused.value)
        assert case["because"] in refused.value.text
        return
    settlement = settle(parse_round(filed))
    settled: Any = settlement.as_object()
    assert settlement.as_line() == json.dumps(settled, separators=(",", ":")), "a batch writes the same object"
    assert settled["book"] == rules["book"]
    lines = [payment_line(payment) for payment in settled["payments"]]
    for payment in settled["payments"]:
        assert payment["cite"]
        assert type(payment["floor"]) is bool
        assert ("odds" in payment) == (payment["result"] == "win")
        assert payment.get("odds", "of nothing")
        assert ("source" in payment) == (payment["payout"] != "0.00")
    if "settles" in case:
        assert lines == case["settles"]
    for line in case.get("says", ()):
        assert line in lines
    for line in case.get("never", ()):
        assert not any(said.startswith(line) for said in lines), lines
    for meter, stands in case.get("leaves", {}).items():
        assert settled["meters"][meter] == stands
    for seat, hand in case.get("hands", {}).items():
        assert " ".join([settled["seats"][seat]["hand"], "=", *settled["seats"][seat]["cards"]]) == hand
    if "dealer_has" in case:
        dealer = settled["dealer"]
        assert " ".join([dealer["hand"], "=", *dealer["cards"]]) == case["dealer_has"]
    if "qualifies" in case:
        assert settled["dealer"]["qualifies"] is case["qualifies"]
    if "void" in case:
        assert settled["void"] is case["void"]
        assert (settled["dealer"] is None) is case["void"]
    for line, cite in case.get("cites", {}).items():
        [payment] = [payment for payment in settled["payments"] if payment_line(payment) == line]
        assert payment["cite"] == cite
    for line, odds in case.get("at_odds", {}).items():
        [payment] = [payment for payment in settled["payments"] if payment_line(payment) == line]
        assert payment["odds"] == odds
    for line, source in case.get("paid_from", {}).items():
        [payment] = [payment for payment in settled["payments"] if payment_line(payment) == line]
        assert payment.get("source", "nowhere") == source


@pytest.mark.parametrize("file", FILES)
def test_every_reading_of_a_book_has_its_case(file: str) -> None:
    read = {number for case in law_file(file)["case"] for number in case.get("readings", ())}
    assert read == {reading.number for reading in readings(file.removesuffix(".toml"))}


def test_half_of_the_cases_say_no() -> None:
    """A table of cases that are all paid proves little: these lose, push, are void, are cut or are refused."""
    cases = [case for file in FILES for case in law_file(file)["case"]]
    no = [
        case
        for case in cases
        if "refused" in case
        or "never" in case
        or not any("wins" in line for line in [*case.get("settles", ()), *case.get("says", ())])
        or any("limited" in line for line in [*case.get("settles", ()), *case.get("says", ())])
    ]
    assert len(no) * 2 >= len(cases), f"{len(no)} of {len(cases)}"
    assert sorted(path.name for path in LAW.iterdir()) == sorted(FILES)
