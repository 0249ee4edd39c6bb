"""The invariants between the parts of a table's state, in one place.

The table is asked when its program starts, and after every step by every test and every shift.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.table.evolve import FACTS_MAX, STEPS_MAX
from firmware.table.state import PanelKind, Phase, Prize, PrizeStatus, TableState

UNSEEN = frozenset(
    {Phase.OPEN, Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.REVEAL}
)
"""The dealer's hand was not called yet."""
PRIZE_AT: Mapping[Phase, PrizeStatus] = {
    Phase.CARDS: PrizeStatus.NAMED,
    Phase.VALIDATE: PrizeStatus.NAMED,
    Phase.PRICE: PrizeStatus.CLAIMED,
    Phase.HOLD: PrizeStatus.PENDING,
    Phase.PAY: PrizeStatus.VALIDATED,
}
"""How far the prize of the seat in turn has come, where one is being settled."""


def broken(state: TableState) -> tuple[str, ...]:
    """Every invariant that does not hold, in words for an engineer; () for a sound table."""
    return (*_sizes(state), *_decks(state), *_bets(state), *_game(state), *_prizes(state), *_trail(state))


def _sizes(state: TableState) -> Iterator[str]:
    seats = len(state.round.seats)
    spots = seats * len(state.program.sensed)
    if (len(state.felt.sensors), len(state.felt.accounts)) != (spots, seats):
        yield "seats, sensors and accounts are not equally many"
    for name, number in (
        ("turn", state.round.turn),
        ("question", state.round.question),
        ("panel", state.desk.panel.seat),
    ):
        if not 0 <= number <= seats:
            yield f"{name} is about seat {number} of {seats}"


def _decks(state: TableState) -> Iterator[str]:
    decks = state.decks
    numbers = [deck.number for deck in decks.here]
    if len(set(numbers)) != len(numbers) or max(numbers, default=0) > state.history.deck_number:
        yield f"decks {numbers}, and the highest number ever was {state.history.deck_number}"
    if not 0 <= decks.in_play < max(1, len(numbers)):
        yield f"deck {decks.in_play} of {len(numbers)} is in play"
    if not set(decks.opening) <= set(numbers):
        yield f"decks {decks.opening} are opened and not here"
    if decks.reshuffle and not decks.recut:
        yield "a shuffle was ordered by nobody"


def _bets(state: TableState) -> Iterator[str]:
    for _, number, wager, sensor in state.spots():
        lit = state.seat(number).staked(wager)
        if state.phase is Phase.OPEN and lit and not (sensor.covered or sensor.dead):
            yield f"seat {number} has a wager without a chip"
        if (sensor.before_lock or sensor.ignored) and not sensor.covered:
            yield f"seat {number}'s sensor is blocked by no chip"
    if state.round.question and state.phase is not Phase.DIFFERENCE:
        yield "a seat is in question and nothing differs"
    if min(state.felt.accounts, default=0) < 0:
        yield "an account holds less than nothing"
    if not state.program.live and (state.neighbors.outbox or state.neighbors.shares):
        yield "the bank is told of a test"
    if state.program.live and state.program.meters:
        yield "a live table has meters of its own"
    owed = state.neighbors.outbox[-2:]
    if len(owed) == 2 and owed[1].seq != owed[0].seq + 1:
        yield "the messages owed have a gap"


def _game(state: TableState) -> Iterator[str]:
    round_ = state.round
    if bool(round_.entry.want) != (state.phase is Phase.HAND):
        yield f"cards are wanted while {state.phase}"
    if round_.qualifies is not None and state.phase in UNSEEN and not round_.supers_settled:  # else a pass paid again
        yield "the dealer's hand is known before it was shown"
    if bool(round_.void_cite) != bool(round_.void_kind) or (state.phase is Phase.VOID and not round_.void_cite):
        yield "a void round without its paragraph"
    if round_.positions_open and state.desk.panel.kind is not PanelKind.STAKES:
        yield "positions are open and their panel is not"
    for number, _ in state.numbered():
        yield from (f"seat {number} {what}" for what in _position(state, number))


def _position(state: TableState, number: int) -> Iterator[str]:
    seat, position = state.seat(number), state.seat(number).position
    if position.plays and not state.program.level:
        yield "plays at a level that knows no positions"
    if position.decisions and not position.plays:
        yield "decided and does not play"
    # Lines after the wagers of a meter wait for them, and for the envy that the hand brings (653a.11(k) to (m)).
    # So does what another position left of a payout limit since (677a.12(f)).
    waits = seat.wager or bool(seat.five_card or position.cards or position.undone) or number in state.round.envied_by
    if position.final and (position.due or not position.settled) and not waits:
        yield "is paid and not settled"
    if len({decision.street for decision in position.decisions}) != len(position.decisions):
        yield "decided twice on one street"


def _prizes(state: TableState) -> Iterator[str]:
    wanted = PRIZE_AT.get(state.phase)
    prize = _in_turn(state)
    if wanted is not None and (prize is None or prize.status is not wanted):
        yield f"no prize is {wanted} while {state.phase}"
    if bool(state.round.envy) != (state.phase is Phase.ENVY):
        yield f"envy bonuses are owed while {state.phase}"


def _in_turn(state: TableState) -> Prize | None:
    return state.seat(state.round.turn).prize if state.round.turn else None


def _trail(state: TableState) -> Iterator[str]:
    trail = state.trail
    if len(trail.steps) > STEPS_MAX or len(trail.facts) > FACTS_MAX:
        yield f"a trail of {len(trail.steps)} steps and {len(trail.facts)} facts"
    if trail.facts and not trail.steps:
        yield "facts beside no step"
    if any(step.before.trail.steps or step.facts > len(trail.facts) for step in trail.steps):
        yield "a step that holds another trail"
