"""Open bets of a shift: who plays and with what, chips on sensors, buttons, the lock and the count."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.proof.simulation.hands import DECK
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table.inputs import ButtonPushed, Chance, NoMoreBets, SensorSettled, SpotReading
from firmware.table.projections import positions_of_one

HIGH = 400_000
"""Cents that somebody puts on the ante who plays high."""
HIGH_ON_BOTH = 1_000_000
"""Hands of a player with two boxes: both win more than the payout limit of one player, and neither alone."""


def players_come(shift: ProvedTable) -> None:
    """The players and their wagers; most bet as in the round before."""
    if not shift.house.level:
        return
    seats = range(1, shift.house.seats + 1)
    for seat in seats:
        if (not shift.state.players and seat <= 3) or shift.chance.random() < 0.05:
            shift.press(f"box {seat}")
    if not shift.state.players:
        shift.press("box 1")
    for seat in shift.state.players:
        if shift.chance.random() < 0.15:
            _change_wagers(shift, seat)
    if shift.house.submission.adjacent_boxes > 1:
        _boxes_of_one(shift)
    if shift.house.submission.payout_limit is not None:
        _high_stakes(shift)


def _boxes_of_one(shift: ProvedTable) -> None:
    """Somebody takes the next box too, or two people hold them again; the dealer marks it (677a.7(e))."""
    for seat in shift.state.players:
        if seat - 1 not in shift.state.players:
            continue
        mine, before = (positions_of_one(shift.state, one) for one in (seat, seat - 1))
        both = seat - 1 not in mine
        room = len(mine) + len(before) <= shift.house.submission.adjacent_boxes
        if (both and not room) or shift.whims.random() >= (0.06 if both else 0.2):
            continue
        shift.tally["one player's boxes" if both else "boxes of two again"] += 1
        shift.account.holds_both(seat, both=both)
        shift.press("stakes")
        shift.press(f"stakes {seat} {shift.house.game.base}")
        shift.press(f"same-player {seat}")
        for box in (seat - 1, seat) if both and shift.whims.random() < 0.6 else ():
            shift.press(f"stakes {box} {shift.house.game.base}")
            shift.press("no-chips")
            shift.press(f"chips {HIGH_ON_BOTH}")
        shift.press("back")


def _high_stakes(shift: ProvedTable) -> None:
    """Somebody bets so much that four of a kind reach the payout limit, and after some rounds the least again."""
    for seat in shift.state.players:
        high = shift.state.seat(seat).position.base >= HIGH
        if shift.whims.random() < (0.1 if high else 0.02):
            shift.press("stakes")
            shift.press(f"stakes {seat} {shift.house.game.base}")
            shift.press("no-chips" if high else f"chips {HIGH}")
            shift.press("back")


def _change_wagers(shift: ProvedTable, seat: int) -> None:
    """Somebody changes the wagers."""
    game = shift.house.game
    shift.press("stakes")
    for wager in game.offered(shift.house.submission, seat):
        name, _, hand = wager.partition(":")
        playing = hand in ("", "dealer") or int(hand) in shift.state.players
        lying = dict(shift.state.seat(seat).position.stakes)
        needs = game.wagers[name].needs
        if not playing or (needs and needs not in lying) or shift.chance.random() < 0.5:
            continue
        shift.press(f"stakes {seat} {wager}")
        if wager not in game.required | game.needed and wager in lying:
            shift.press("no-chips")
        elif wager == game.base and shift.chance.random() < 0.1:
            shift.press("chips 10000")  # enough for a payout limit
        else:
            shift.press("chips 1500" if hand else "chips 500")
    shift.press("back")


def place_chips(shift: ProvedTable) -> list[int]:
    """Chips onto sensors, and buttons."""
    if not shift.house.offers_progressive:
        return []
    playing = shift.state.players or tuple(range(1, shift.house.seats + 1))
    lit = [seat for seat in playing if shift.chance.random() < 0.6]
    for seat in lit:
        shift.take(SensorSettled(seat, True, shift.now_ns))
    if shift.house.submission.by_account:
        _push_buttons(shift, playing)
    return lit


def _push_buttons(shift: ProvedTable, playing: Iterable[int]) -> None:
    for seat in playing:
        if not shift.account.can_push(seat) and shift.chance.random() < 0.05:
            shift.press(f"account {seat}")
            shift.press("chips 2500")
            shift.press("back")
        for hand in ("own", "dealer"):
            if shift.account.can_push(seat) and shift.chance.random() < 0.5:
                shift.account.pushes(seat, hand)
                shift.take(ButtonPushed(seat, hand, shift.now_ns))


def no_more_bets(shift: ProvedTable) -> None:
    """The lock, from the screen; nobody is late."""
    seats = range(1, len(shift.state.round.seats) + 1) if shift.house.offers_progressive else ()
    readings = tuple(SpotReading(seat, shift.state.sensor(seat).covered, 1_000_000_000) for seat in seats)
    card = shift.chance.choice(DECK)
    chance = Chance(
        card, shift.chance.randint(0, shift.house.seats), shift.chance.random() < 0.5, shift.chance.random() < 0.5
    )
    shift.account.draws(card if chance.magic else "", chance.lucky if chance.luck else None)
    shift.now_ns += 10_000_000_000
    shift.take(NoMoreBets(shift.now_ns, "screen", readings, chance))
    shift.power_cut()


def count_chips(shift: ProvedTable, lit: list[int]) -> None:
    """The chips are swept and counted; sometimes the count is wrong first, or a chip is missing."""
    for seat in lit:
        shift.take(SensorSettled(seat, False, shift.now_ns))
    missing = bool(lit) and shift.sometimes(0.02)
    shift.account.sweeps(lit[:-1] if missing else lit)
    if lit and shift.sometimes(0.03):
        shift.tally["recount"] += 1
        shift.press(f"count {len(lit) - 1}")
        shift.press("undo")
    if missing:
        shift.tally["difference"] += 1
        shift.press(f"count {len(lit) - 1}")
        shift.press(f"seat {lit[-1]}")
        shift.press("settle taken-back")
    else:
        shift.press(f"count {len(lit)}")
    shift.hear_bank()
