"""Faults that somebody planted: each is found and named by `felt doctor`, by the rig's self-test or by a scenario.

The fifth, a flush that is ignored, is the explorer's: `tests/powercut/test_powercut.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest

from firmware.proof.simulation.person import Stuck
from tests.hil.acts import opens
from tests.hil.conftest import PLANTED
from tests.hil.rig import Broken, Capability, Fault, Rig, Unit
from tests.hil.self_test import at_its_table
from tests.hil.test_play import race

pytestmark = [pytest.mark.rig, pytest.mark.slow, pytest.mark.timeout(1800)]

DOCTOR, SELF_TEST, GLASS = "felt doctor", "the self-test", "the table itself"
NAMED: Mapping[Fault, Mapping[str, str]] = {
    Fault.BADGE: {DOCTOR: r"FAIL badge reader: no badge was read", SELF_TEST: r"badge: "},
    Fault.LAMP: {DOCTOR: r"FAIL the lamp of seat 3: is inverted", SELF_TEST: r"lamp 3 is lit though nothing lies"},
    Fault.LOCKOUT: {DOCTOR: r"FAIL lockout: is wired normally open"},
    Fault.WINDOW: {GLASS: r"contacts told up to \d+ ms late, \d+ times \(window_ms is 1\)"},
}
"""Who names each, and how."""
ROUNDS = 20
"""In none of so many an edge came late: then the fault is not found."""


@pytest.mark.needs(Capability.DOCTOR)
def test_felt_doctor_finds_no_wire_wrong_at_a_table_that_is_right(rig: Rig) -> None:
    said = rig.doctor()
    assert re.search(r"PASS lockout: ", said) and re.search(r"PASS badge reader: .* read badge", said), said
    failed = set(re.findall(r"FAIL ([^:]+):", said))
    assert failed <= {"clock"}, said  # nobody sets a clock without a network


@pytest.mark.needs(Capability.PLANT)
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, marks=pytest.mark.needs(Capability.DOCTOR if DOCTOR in named else Capability.LOG))
        for fault, named in NAMED.items()
    ],
)
def test_a_planted_fault_is_found_and_named(rig: Rig, fault: Fault, request: pytest.FixtureRequest) -> None:
    rig.plant(fault)
    said = {who: ASKED[who](rig) for who in NAMED[fault]}
    finders = {who for who, words in NAMED[fault].items() if re.search(words, said[who])}
    request.node.user_properties.append((PLANTED, (str(fault), ", ".join(sorted(finders)))))
    assert finders == set(NAMED[fault]), said


def _self_test(rig: Rig) -> str:
    try:
        at_its_table(rig)
    except Broken as fault:
        return str(fault)
    return ""


def _plays_under_load(rig: Rig) -> str:
    """Six chips around the switch's edge, every core busy, until an edge came too late; what the table wrote down.

    Whether one does is the scheduler's to say: so there are as many rounds as it takes, and an end to them.
    """
    dealer = rig.dealer(rig.book)
    with rig.load():
        try:
            opens(dealer)
            for number in range(1, ROUNDS + 1):
                race(rig, dealer, number)
                if re.search(NAMED[Fault.WINDOW][GLASS], rig.log(Unit.TABLE)):
                    break
                dealer.open()
        except (Stuck, AssertionError) as wrong:
            return f"{wrong}\n{rig.log(Unit.TABLE)}"
    return rig.log(Unit.TABLE)


ASKED: Mapping[str, Callable[[Rig], str]] = {
    DOCTOR: lambda rig: rig.doctor(),
    SELF_TEST: _self_test,
    GLASS: _plays_under_load,
}
"""What each says of a table."""
