"""Rounds with elections and draws: Supers, instant payouts, bought and exchanged cards."""

from __future__ import annotations

from firmware.simulation.hands import Cards, instant_row, made_by, super_row
from firmware.simulation.shifts.irregular import maybe_void, player_leaves
from firmware.simulation.shifts.proved import ProvedTable
from firmware.table import deciding
from firmware.table.state import Phase


def play_lunar(shift: ProvedTable, cards: Cards) -> bool:
    """Elections, Supers, draws; True where the round became void."""
    for number in shift.state.players:
        _elect(shift, number, cards)
    player_leaves(shift)
    if maybe_void(shift):
        return True
    shift.press("next")
    if shift.sometimes(0.02):
        shift.press("undo")
        shift.press("next")
    for number in shift.state.players:
        row = super_row(shift.house.submission, cards.first[number])
        verified = [row] if row and shift.chance.random() < 0.97 else []
        if shift.state.seat(number).position.choice == "instant":
            shift.tally["instant payout"] += 1
            verified.append(made_by(cards.first[number]))
        if verified:
            shift.press(f"seat {number}")
            for one in verified:
                shift.press(f"row {one}")
            shift.press(f"seat {number}")
    cards.declared = {n: bool(shift.state.seat(n).position.super_row) for n in shift.state.players}
    shift.press("supers-settled")
    while shift.state.phase is Phase.DRAW:
        _draw(shift, shift.state.round.turn, cards)
    return False


def _elect(shift: ProvedTable, number: int, cards: Cards) -> None:
    choices = ["bet", "bet", "fold", "buy", "exchange 2", "exchange 5"]
    left = deciding.cards_left(shift.house, shift.state) - deciding.draws_wanted(shift.state)
    if left < 5:
        choices = ["bet", "fold"]
    choice = "instant" if instant_row(shift.house.submission, cards.hands[number]) else shift.chance.choice(choices)
    if choice == "bet" and not shift.sometimes(0.1):
        return
    shift.press(f"seat {number}")
    if shift.sometimes(0.05):
        shift.press("choose fold")
    shift.press(f"choose {choice}")
    shift.press(f"seat {number}")


def _draw(shift: ProvedTable, number: int, cards: Cards) -> None:
    """New cards for the fee; then bet or fold."""
    box = shift.state.seat(number).position
    if number not in cards.options:
        hand = cards.hands[number]
        if box.option == "buy":
            bought = cards.rest.pop(0)
            cards.options[number] = {"buy": bought}
            cards.hands[number] = (*hand, bought)
        else:
            drawn = [cards.rest.pop(0) for _ in range(box.exchanged)]
            cards.options[number] = {"exchange": {"discard": list(hand[: box.exchanged]), "draw": drawn}}
            cards.hands[number] = (*hand[box.exchanged :], *drawn)
    shift.press("bets" if shift.chance.random() < 0.7 else "folds")
    if shift.sometimes(0.03) and shift.state.phase in (Phase.DRAW, Phase.REVEAL):
        shift.press("undo")
