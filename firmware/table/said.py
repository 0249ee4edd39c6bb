"""What the law of hands reads of a table: what lies and was said at every position, and of the dealer's hand.

Money that was settled, the seat in turn, panels and neighbors are no part of it; of prizes only the hand that one says
that the dealer holds (653a.11(l)).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from firmware.rules.seat import DEALER
from firmware.table.kept import kept_by
from firmware.table.named import hands_held
from firmware.table.state import Called, Decision, Position, TableState

POSITIONS_MAX = 256
MARKS_MAX = 1024


def said(state: TableState) -> Hashable:
    """The same of two states in which the same lies there, was decided and was said; nowhere but in this process."""
    round_ = state.round
    return (
        state.program.level,
        round_.qualifies,
        round_.dealer_hand,
        round_.dealer_row,
        round_.void_cite,
        round_.settled_anyway,
        round_.board,
        round_.dealer,
        round_.six_card,
        hands_held(state).get(DEALER),
        *[_at(seat.position) for seat in round_.seats],
    )


kept_by_said = kept_by(said)
"""For functions that read nothing else of a state: a screen that turned, money that moved, or a press that was taken back
and made again, asks nothing of the law that it was not asked before.
"""

_POSITIONS: dict[int, tuple[Position, object]] = {}


def _at(position: Position) -> object:
    """What stands for all that was said of a position; while the position is kept, no other has its identity."""
    there = _POSITIONS.get(id(position))
    if there is None:
        if len(_POSITIONS) >= POSITIONS_MAX:
            del _POSITIONS[next(iter(_POSITIONS))]
        lying = position.stakes, position.decisions, position.left, position.drawn
        mark = _mark(*lying, position.super_row, position.first, position.cards, position.called)
        there = _POSITIONS[id(position)] = position, mark
    return there[1]


@lru_cache(maxsize=MARKS_MAX)
def _mark(
    stakes: tuple[tuple[str, int], ...],
    decisions: tuple[Decision, ...],
    left: bool,
    drawn: bool,
    super_row: str,
    first: tuple[str, ...],
    cards: tuple[str, ...],
    called: Called,
) -> object:
    """Another object for each other position: it is hashed and compared by what it is, and not by what it holds."""
    return object()
