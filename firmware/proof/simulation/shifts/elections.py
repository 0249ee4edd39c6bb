"""Rounds with elections and draws: Supers, instant payouts, bought and exchanged cards."""

from __future__ import annotations

from firmware.proof.simulation.hands import Cards, declared_row, instant_row, made_by
from firmware.proof.simulation.shifts.irregular import maybe_void, player_leaves
from firmware.proof.simulation.shifts.settling import enter
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table import deciding
from firmware.table.state import Phase


def play_elections(shift: ProvedTable, cards: Cards) -> bool:
    """Elections, Supers, draws; True where the round became void."""
    for number in shift.state.players:
        _elect(shift, number, cards)
    player_leaves(shift)
    if maybe_void(shift):
        return True
    shift.press("next", again=0.02)
    for number in shift.state.players:
        row = declared_row(shift.house.submission, cards.first[number])
        declared = bool(row) and shift.chance.random() < 0.97
        verified = [row] if declared else []
        if shift.state.seat(number).position.choice == "instant":
            shift.tally["instant payout"] += 1
            verified.append(made_by(cards.first[number]))
        if verified:
            shift.press(f"seat {number}")
            if shift.house.level > 1:
                vain = bool(row) and not declared  # its cards are entered for the instant payout alone
                before = vain and shift.chance.random() < 0.5
                if before:
                    shift.press("row undeclared")
                shift.press("cards")
                enter(shift, {"first": cards.first[number]})
                if vain and not before:
                    shift.press("row undeclared")
            else:
                for one in verified:
                    shift.press(f"row {one}")
            shift.press(f"seat {number}")
    cards.declared = {n: bool(shift.state.seat(n).position.super_row) for n in shift.state.players}
    shift.press("supers-settled")
    while shift.state.phase is Phase.DRAW:
        _draw(shift, shift.state.round.turn, cards)
    return False


_DECISIONS = ("play", "fold", "instant")


def _elect(shift: ProvedTable, number: int, cards: Cards) -> None:
    elections = shift.house.game.elections.values()
    [play], [fold], [at_once] = ([one.name for one in elections if one.choice == what] for what in _DECISIONS)
    choices = [play, play, fold]
    left = deciding.cards_left(shift.house, shift.state) - deciding.draws_wanted(shift.state)
    if left < max(shift.house.procedure.exchanges):
        choices = [play, fold]
    else:
        for one in elections:
            choices += [f"{one.name} {one.draws[0]}", f"{one.name} {one.draws[-1]}"] if one.counted else []
            choices += [one.name] if one.is_option and not one.counted else []
    owed = instant_row(shift.house.submission, cards.hands[number])
    choice = at_once if owed else shift.chance.choice(choices)
    if choice == play and not shift.sometimes(0.1):
        return
    shift.press(f"seat {number}")
    if shift.sometimes(0.05):
        shift.press(f"choose {fold}")
    shift.press(f"choose {choice}")
    shift.press(f"seat {number}")


def _draw(shift: ProvedTable, number: int, cards: Cards) -> None:
    """New cards for the fee; then bet or fold."""
    box = shift.state.seat(number).position
    if number not in cards.options:
        discard = list(cards.hands[number][: box.exchanged])
        drawn = cards.draw(number, box.exchanged)
        cards.options[number] = {box.option: {"discard": discard, "draw": drawn} if discard else drawn[0]}
    shift.press("bets" if shift.chance.random() < 0.7 else "folds")
    if shift.sometimes(0.03) and shift.state.phase in (Phase.DRAW, Phase.REVEAL):
        shift.press("undo")
