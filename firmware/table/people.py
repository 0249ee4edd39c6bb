"""Signatures: a badge whose PIN was right on this very screen, and whose role the table of approvals names for the act."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.approvals import FLOORPERSON, Act
from firmware.rules.message import NOTHING, Message, say
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.press import Press


def signed(house: House, press: Press, act: Act, cite: str, then: Iterator[e.Event]) -> Iterator[e.Event]:
    """The events if an allowed person signs; else a refusal that names the paragraph."""
    if house.may_sign(press.by, act):
        yield from then
    else:
        yield press.refused(managers_sign(house, act) or _floor_signs(cite), act)


def managers_sign(house: House, act: Act) -> Message:
    """That no floorperson signs for this; nothing where one may."""
    if FLOORPERSON in house.approvals[act].roles:
        return NOTHING
    return say("unlock.manager") if act is Act.UNLOCK else say("people.manager-first")


def _floor_signs(cite: str) -> Message:
    return say("people.floor-first-by", cite=cite) if cite else say("people.floor-first")
