"""Who signs what is one table, and docs/round.md says the same, row by row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware.rules.approvals import APPROVALS, ROLES, Act, Needs, approvals, enough
from firmware.rules.money import Cents, in_full

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "round.md"
ROW = re.compile(r"\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \|")


def in_words(needs: Needs) -> str:
    """`two floorpersons or managers`, `a manager`, `a floorperson or a manager, from $500.00 on`."""
    if needs.people == 2:
        return f"two {' or '.join(f'{role}s' for role in needs.roles)}"
    *others, last = (f"a {role}" for role in needs.roles)
    one = f"{', '.join(others)} or {last}" if others else last
    return f"{one}, from {in_full(needs.least)} on" if needs.least else one


def test_the_document_has_every_act_in_the_order_of_the_table_with_who_signs_it() -> None:
    _, _, text = DOCUMENT.read_text(encoding="utf-8").partition("## Who signs what")
    said = ROW.findall(text.partition("\n\n| act |")[2].partition("\n\n")[0])
    assert said == [(str(act), in_words(APPROVALS[act])) for act in Act]


@pytest.mark.parametrize("act", Act)
def test_a_row_names_roles_that_there_are_and_one_or_two_people(act: Act) -> None:
    """No act has three steps."""
    needs = APPROVALS[act]
    assert needs.roles and set(needs.roles) <= set(ROLES) and needs.people in (1, 2)


def test_one_person_twice_is_not_two() -> None:
    assert not enough(APPROVALS[Act.ADOPTION], ("2001", "2001")) and enough(APPROVALS[Act.ADOPTION], ("2001", "3001"))
    assert not enough(Needs(people=3), ("2001", "3001")), "as many as the house wants"
    assert enough(APPROVALS[Act.PRIZE], ("2001",)) and not enough(APPROVALS[Act.PRIZE], ())


def test_a_house_says_from_which_amount_on_envy_is_signed_and_nothing_else() -> None:
    of_house = approvals(Cents(100_00))
    assert of_house[Act.ENVY] == Needs(APPROVALS[Act.ENVY].roles, 1, Cents(100_00))
    assert {act for act in Act if of_house[act] != APPROVALS[act]} == {Act.ENVY}
