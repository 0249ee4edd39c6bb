"""Who may: a badge whose PIN was right on this very screen, and its role."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.message import say
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.press import Press

MANAGER = "manager"


def is_floor(house: House, badge: str) -> bool:
    """A floorperson or above."""
    return badge in house.people and house.people[badge].is_floor


def unlocks_badges(house: House, badge: str) -> bool:
    """A manager, who alone unlocks badges."""
    return badge in house.people and house.people[badge].role == MANAGER


def floor_only(house: House, press: Press, cite: str, then: Iterator[e.Event]) -> Iterator[e.Event]:
    """What follows if a floorperson or above signs; else a refusal that names the paragraph."""
    if is_floor(house, press.by):
        yield from then
    else:
        yield press.refused(say("people.floor-first-by", cite=cite) if cite else say("people.floor-first"))
