"""What may be pressed now, said once: screens, rehearsals and tests ask here and nowhere beside it.

An offer is judged by the key's own function on the state as it is, so that a key is lit if and only if the law takes it.
"""

from __future__ import annotations

from msgspec import Struct

from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, Message
from firmware.table.decide import ANY_TIME, KEYS, refusal
from firmware.table.house import House
from firmware.table.inputs import Pressed
from firmware.table.kept import kept
from firmware.table.state import TableState
from firmware.wire.structs import replace


class Offer(Struct, frozen=True):
    """A press, and whether the law takes it from the person who is here.

    `act`: what somebody signs for with it; None where nobody signs. `unsigned`: it waits for a signature alone.
    """

    press: str
    lit: bool
    act: Act | None = None
    unsigned: bool = False


def offer(house: House, state: TableState, given: Pressed) -> Offer:
    """What would become of a press with the badge in `given.by`, on its day."""
    now = _offer(house, state, Pressed(given.word))
    return replace(_offer(house, state, given), act=now.act) if now.act and given.by else now


@kept
def _offer(house: House, state: TableState, given: Pressed) -> Offer:
    refused = refusal(house, state, given, tried=True)
    act = refused.act if refused else None
    return Offer(given.word, refused is None, act, unsigned=act is not None)


def in_the_way(house: House, state: TableState, given: Pressed) -> Message:
    """Why a press would be refused whoever signs, as its refusal says it; nothing where it would not."""
    now = offer(house, state, given)
    refused = None if now.lit or now.unsigned else refusal(house, state, given)
    return refused.why if refused else NOTHING


def is_of_the_law(press: str) -> bool:
    """The law knows a key of this verb; PIN pad, lock and SERVICE answer theirs themselves."""
    return press.partition(" ")[0] in _VERBS


_VERBS = frozenset([*ANY_TIME, *(verb for keys in KEYS.values() for verb in keys)])
