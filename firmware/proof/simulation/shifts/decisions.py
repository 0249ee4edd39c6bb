"""From the first card to the dealer's hand: what players answer on each street."""

from __future__ import annotations

from firmware.proof.simulation.hands import Cards, declared_row, qualifies
from firmware.proof.simulation.shifts.elections import play_elections
from firmware.proof.simulation.shifts.irregular import count_stub, maybe_void, player_leaves, tell
from firmware.proof.simulation.shifts.settling import enter, settle_by_exception, settle_seat
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table import deciding, settling
from firmware.table.state import Phase, PrizeStatus


def play_hands(shift: ProvedTable, cards: Cards) -> bool:
    """Deal, ask, show, settle; True where the round became void."""
    if deciding.needs_stub(shift.house, shift.state):
        count_stub(shift)
    if shift.chance.random() < 0.3:  # the first answer says it too
        shift.press("dealt", again=0.02)
    if shift.house.game.has_pass("elections"):
        if play_elections(shift, cards):
            return True
    else:
        while shift.state.phase in (Phase.DEAL, Phase.ASK):
            _ask(shift)
            if maybe_void(shift):
                return True
            shift.press("next")
    if maybe_void(shift):
        return True
    asked = shift.state.phase is Phase.REVEAL and shift.house.game.has_pass("streets")
    if asked and shift.sometimes(0.02):
        shift.press("undo")
        if shift.state.desk.panel.kind:  # of a note: the list that it was chosen from
            shift.press("back")
        if shift.state.phase is Phase.ASK:  # what was undone is the end of the questions, not a note that came after it
            shift.press("next")
    _reveal(shift, cards)
    if shift.house.level == 1 and shift.chance.random() < 0.6:
        settle_by_exception(shift, cards)
    while settling.in_question(shift.state):
        settle_seat(shift, cards)
        _floor_corrects(shift, cards)
    return False


def _floor_corrects(shift: ProvedTable, cards: Cards) -> None:
    """The dealer's hand was told wrongly, or a declared one was; it is told again, rightly."""
    paid = any(prize.status != PrizeStatus.REJECTED for seat in shift.state.round.seats for prize in seat.prizes)
    if shift.state.phase is not Phase.SETTLE or paid or any(seat.left for seat in shift.state.round.seats):
        return
    if shift.sometimes(0.01):
        shift.tally["dealer's hand corrected"] += 1
        tell(shift, "correct-dealer")
        _reveal(shift, cards)
    elif shift.state.round.supers_settled and shift.sometimes(0.01):
        shift.tally["first pass corrected"] += 1
        tell(shift, "correct-declared")
        shift.press("supers-settled")


def _ask(shift: ProvedTable) -> None:
    """Each player answers; a wrong tap is tapped away."""
    street = deciding.street(shift.house, shift.state)
    for number, seat in shift.state.numbered():
        if not deciding.asked(shift.house, shift.state, seat):
            continue
        cycle = len(street.cycle)
        for _ in range(shift.chance.randrange(cycle)):
            shift.press(f"seat {number}")
        _size_raise(shift, number)
        if shift.sometimes(0.02):
            for _ in range(cycle):
                shift.press(f"seat {number}")
    player_leaves(shift)


def _size_raise(shift: ProvedTable, number: int) -> None:
    """A raise between two multiples of the ante, where the book allows it (677a.11(b), (d))."""
    if deciding.sizes_raise(shift.house, shift.state, shift.state.seat(number)) and shift.chance.random() < 0.1:
        shift.tally["raise sized"] += 1
        shift.press(f"raise {number}")
        shift.press("no-chips")
        shift.press("chips 500")
        shift.press("back")


def _reveal(shift: ProvedTable, cards: Cards) -> None:
    """The dealer's hand."""
    if deciding.needs_stub(shift.house, shift.state):
        shift.tally["stub counted"] += 1
        shift.press("stub-right")
    if settling.backs_dealer(shift.house, shift.state) and shift.house.level < 2:
        row = declared_row(shift.house.submission, cards.dealer)
        shift.press(f"dealer-row {row or 'none'}")
    if shift.house.level == 2 or shift.chance.random() < 0.05:
        shift.tally["board entered"] += 1
        shift.press("cards")
        enter(shift, {"board": cards.board, "dealer": cards.dealer, "six": cards.six})
        return
    good = qualifies(shift.house.submission, cards)
    if shift.sometimes(0.02) and not settling.backs_dealer(shift.house, shift.state):
        shift.press(f"dealer {'no' if good else 'yes'}")
        if shift.state.trail.steps:
            shift.press("undo")
    if shift.state.phase is Phase.REVEAL:
        shift.press(f"dealer {'yes' if good else 'no'}")
