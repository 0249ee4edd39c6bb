"""Progressive and Five Card prizes of a shift: named, validated, paid or claimed."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.proof.simulation.hands import Cards, made_by, won
from firmware.proof.simulation.shifts.houses import CHIEF, FLOOR
from firmware.proof.simulation.shifts.irregular import tell
from firmware.proof.simulation.shifts.law import Wrong
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.rules.hands import HandName
from firmware.rules.meter_wagers import prize_of
from firmware.rules.payment import Source
from firmware.rules.paytable import Share
from firmware.rules.wager import PROGRESSIVE
from firmware.table import jackpot, results, settling
from firmware.table.card_entry import fewest_keys
from firmware.table.evidence import why_no_envy
from firmware.table.five_card import MAGIC, is_credited
from firmware.table.state import FIVE_CARD_ON, Phase, PrizeStatus


def winners(shift: ProvedTable, cards: Cards) -> None:
    """Every winning wager that was not named yet, from the last seat down: at level 0 all, then those of folded hands."""
    for seat in range(len(shift.state.round.seats), 0, -1):
        prizes_of(shift, seat, cards)
        if shift.state.round.turn:
            shift.press(f"seat {shift.state.round.turn}")
    _follow(shift, cards)


def prizes_of(shift: ProvedTable, seat: int, cards: Cards) -> None:
    """Progressive and Five Card wagers of one seat, in its own turn or chosen for them."""
    if shift.state.round.void_cite or shift.state.seat(seat).left:
        return
    if shift.follows and shift.state.seat(seat).position.cards and shift.state.round.board:
        _follow(shift, cards)
        return
    for wager, key, five in _won(shift, seat, cards):
        if _tried(shift, seat, wager):
            continue
        shift.tally[key] += 1
        for _ in range(2 if wager == PROGRESSIVE and shift.sometimes(0.1) else 1):
            if shift.state.phase in (Phase.VALIDATE, Phase.CARDS):
                shift.press("cancel")
            turn_to(shift, seat)
            _own_first(shift)
            shift.press(key)
        if shift.state.phase is not Phase.SETTLE:
            _validated(shift, five)
    _envied(shift, seat, cards)


def _own_first(shift: ProvedTable) -> None:
    """A key that names a prize answers nothing of the seat's other wagers: where silence does, theirs is pressed first."""
    number = shift.state.round.turn
    while results.by_exception(shift.state) and settling.in_question(shift.state):
        if settling.before_prize(shift.house, shift.state).why_not.id != "settle.own-first":
            break
        shift.press("settled")
        turn_to(shift, number)  # every seat before it was settled first
    turn_to(shift, number)


def turn_to(shift: ProvedTable, seat: int) -> None:
    """The seat is in question, and its result is as before: a tap on one without an answer says that it wins.

    One that returns from a seat that was picked out of turn says nothing. Raises Wrong if it does.
    """
    told, returns = results.result_of(shift.state, seat), results.aside(shift.house, shift.state)
    while shift.state.round.turn != seat or results.result_of(shift.state, seat) != told:
        shift.press(f"seat {seat}")
        if returns and results.result_of(shift.state, seat) != told:
            raise Wrong(f"the tap that returned to seat {seat} told a result")


def _follow(shift: ProvedTable, cards: Cards) -> None:
    """The primary key names what known cards win: a dealer who looks at no cards presses that, and nothing else."""
    while shift.follows and shift.state.phase is Phase.SETTLE:
        word = shift.glass().primary
        kind, _, about = word.partition(" ")
        if kind not in ("hand", "five", "envy", "look", "seat"):
            return
        if kind == "seat" and not shift.state.seat(int(about)).position.cards:
            return  # it wins by the flop or the dealer's hand alone: `winners` comes to it
        shift.press(word)
        if kind == "envy":
            _envy_paid(shift)
        elif kind in ("hand", "five") and shift.state.phase is not Phase.SETTLE:
            shift.tally["named by the primary key"] += 1
            own = cards.dealer if about.startswith("dealer") else cards.hands[shift.state.round.turn]
            _validated(shift, (*own, *cards.board[:3]))


def _envy_paid(shift: ProvedTable) -> None:
    """From an amount of the house on a floorperson signs."""
    signed = jackpot.envy_is_signed(shift.house, shift.state)
    shift.press("envy-paid", FLOOR if signed else "")


def _envied(shift: ProvedTable, seat: int, cards: Cards) -> None:
    """An envy hand whose holder made no progressive wager: everybody else's bonus all the same (reading 5)."""
    if not shift.house.offers_progressive or seat not in cards.hands:
        return
    made = made_by(cards.hands[seat], cards.board)
    if made in shift.house.envy and not why_no_envy(shift.house, shift.state, seat):
        shift.tally["envy alone"] += 1
        turn_to(shift, seat)
        if settling.own_first(shift.house, shift.state):  # its cards were entered (653a.11(h))
            shift.press("settled")
        shift.press(f"envy {seat} {made}")
        _envy_paid(shift)


def _won(shift: ProvedTable, seat: int, cards: Cards) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The prizes of a seat's wagers: (wager, key, five cards)."""
    state = shift.state.seat(seat)
    wagers = [*(["hand"] if state.wager else []), *(f"five {hand}" for hand in state.five_card)]
    for wager, made, five in won(shift.house.submission, cards, seat, wagers, shift.state.round.magic_card):
        if wager == "hand":
            yield PROGRESSIVE, f"hand {made}", five
        elif made == "magic" or wager == "five own" or not _shared_already(shift, made):
            yield (MAGIC if made == "magic" else FIVE_CARD_ON)[wager.removeprefix("five ")], f"{wager} {made}", five


def _tried(shift: ProvedTable, seat: int, wager: str) -> bool:
    """This wager was paid, credited or rejected."""
    over = (PrizeStatus.PAID, PrizeStatus.REJECTED)
    done = any(prize.wager == wager and prize.status in over for prize in shift.state.seat(seat).prizes)
    return done or is_credited(shift.state, seat, wager)


def _validated(shift: ProvedTable, five: tuple[str, ...]) -> None:
    if shift.state.phase is Phase.CARDS:
        for word in fewest_keys(shift.state.seat(shift.state.round.turn).prizes[-1].hand, five):
            shift.press(word)
        shift.press("show")
    shift.press("approve", FLOOR)
    if shift.state.phase is Phase.PAY:
        payment = shift.state.seat(shift.state.round.turn).prizes[-1].payment
        if payment.source is Source.RACK and shift.sometimes(0.1):
            shift.tally["paid by an attendant"] += 1
            tell(shift, "elsewhere")
        shift.press("paid")
        return
    _bank_prices(shift)
    if shift.sometimes(0.2):
        shift.tally["claim rejected"] += 1
        shift.press("claim-rejected", CHIEF)
    else:
        shift.tally["claim paid"] += 1
        shift.press("claim-paid", CHIEF)
        if shift.state.phase is Phase.ENVY:
            _envy_paid(shift)


def _bank_prices(shift: ProvedTable) -> None:
    """The bank holds all that is owed, and freezes the share."""
    shift.hear_bank()
    shift.expect(Phase.HOLD, "a priced claim is not on hold")


def _shared_already(shift: ProvedTable, made: str) -> bool:
    """The share of the dealer's hand was claimed at another seat."""
    return isinstance(prize_of(shift.house.submission, FIVE_CARD_ON["dealer"], HandName(made)), Share) and (
        any(
            one.wager == FIVE_CARD_ON["dealer"] and one.meter for seat in shift.state.round.seats for one in seat.prizes
        )
    )
