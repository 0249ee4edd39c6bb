"""The people who sign: a row for each act that needs a badge. Law, screens, bank and commands all read this one table.

docs/round.md has it in words, row by row, and `tests/rules/test_approvals.py` holds the two together. An act that two people
sign on the glass has two steps: more people need more steps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from firmware.rules.money import NO_MONEY, Cents

DEALER, FLOORPERSON, MANAGER, TECHNICIAN = "dealer", "floorperson", "manager", "technician"
ROLES = (DEALER, FLOORPERSON, MANAGER, TECHNICIAN)
FLOOR = (FLOORPERSON, MANAGER)
"""A floorperson or above (653a.11(k)(3))."""
ENVY_FROM = Cents(500_00)
"""Cents of envy bonuses in a round from which they are signed, if a house says nothing."""


class Act(StrEnum):
    """The acts that people sign: first on the glass, then at a table's machine, at last at a bank's."""

    OPENING = "opening"
    CLOSING = "closing"
    DECK = "deck"
    MACHINE = "machine"
    PROGRESSIVE = "progressive"
    STAKES = "stakes"
    WAGER = "wager"
    BETS = "bets"
    DECISIONS = "decisions"
    LEFT = "left"
    VOID = "void"
    VOID_PAID = "void-paid"
    CORRECTION = "correction"
    PRIZE = "prize"
    CLAIM = "claim"
    ENVY = "envy"
    UNHEARD = "unheard"
    OWED = "owed"
    DAY = "day"
    LIVE = "live"
    UNLOCK = "unlock"
    SERVICE = "service"
    FORCE = "force"
    RECORD = "record"
    ADOPTION = "adoption"
    VERDICT = "verdict"
    REOPENING = "reopening"
    BANK_DAY = "bank-day"


@dataclass(frozen=True, slots=True)
class Needs:
    """So many different `people`, each in one of these `roles`. `least`: cents; below it nobody signs."""

    roles: tuple[str, ...] = FLOOR
    people: int = 1
    least: Cents = NO_MONEY


_ONE, _TWO = Needs(), Needs(people=2)
APPROVALS: Mapping[Act, Needs] = MappingProxyType(
    {
        Act.OPENING: _ONE,
        Act.CLOSING: _ONE,
        Act.DECK: _ONE,
        Act.MACHINE: _ONE,
        Act.PROGRESSIVE: _ONE,
        Act.STAKES: _ONE,
        Act.WAGER: _ONE,
        Act.BETS: _ONE,
        Act.DECISIONS: _ONE,
        Act.LEFT: _ONE,
        Act.VOID: _ONE,
        Act.VOID_PAID: _TWO,
        Act.CORRECTION: _ONE,
        Act.PRIZE: _ONE,
        Act.CLAIM: _TWO,
        Act.ENVY: Needs(least=ENVY_FROM),
        Act.UNHEARD: _TWO,
        Act.OWED: _TWO,
        Act.DAY: _ONE,
        Act.LIVE: _TWO,
        Act.UNLOCK: Needs((MANAGER,)),
        Act.SERVICE: _ONE,
        Act.FORCE: Needs((*FLOOR, TECHNICIAN)),
        Act.RECORD: _TWO,
        Act.ADOPTION: _TWO,
        Act.VERDICT: _TWO,
        Act.REOPENING: _TWO,
        Act.BANK_DAY: _TWO,
    }
)


def enough(needs: Needs, by: Collection[str]) -> bool:
    """So many different badges have signed as this needs."""
    return len(set(by)) >= needs.people


def approvals(envy_from: Cents) -> Mapping[Act, Needs]:
    """The table of a house that signs envy bonuses from so many cents of a round on."""
    return MappingProxyType({**APPROVALS, Act.ENVY: replace(APPROVALS[Act.ENVY], least=envy_from)})
