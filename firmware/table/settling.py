"""The game against the dealer is settled: the dealer's hand, then seat by seat from the last down (sections .11).

At assist level 1 the dealer says how a hand compares, and answers what follows from that; at level 2, or for one hand,
its cards are entered. `firmware.rules` pays either way. One seat completely before the next (653a.11(h)(2)).
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.payline import dealer_of_cards, rows, told_of_cards
from firmware.rules.strict import Refusal
from firmware.table import events as e
from firmware.table import pricing
from firmware.table.evolve import evolve
from firmware.table.people import is_floor
from firmware.table.records import replace
from firmware.table.state import Entry, House, Line, Phase, Prize, Seat, TableState

Events = Iterator[e.Event]

# The dealer's hand ------------------------------------------------------------------------------------------------------


def backs_dealer(state: TableState) -> bool:
    """Somebody placed a Super on the dealer's hand (671a.11(e))."""
    return any("super:dealer" in dict(seat.box.stakes) for seat in state.seats)


def tell_dealer_row(house: House, state: TableState, row: str, word: str) -> Events:
    """The row of the Super paytable that the dealer's hand wins on; "none" for none."""
    if not backs_dealer(state):
        yield e.PressRefused(word, "Nobody wagered on the dealer's hand.")
    elif row != "none" and row not in rows(house.submission, "super"):
        yield e.PressRefused(word, f"{row} has no prize.")
    else:
        yield e.SuperTold(0, "" if row == "none" else row)


def show_dealer(house: House, state: TableState, hand: str, *, qualifies: bool, word: str) -> Events:
    """The dealer's hand is turned up and announced (653a.11(g)); players who left are settled."""
    if backs_dealer(state) and state.game.dealer_row is None:
        yield e.PressRefused(word, "First the Supers on the dealer's hand: which row?")
        return
    for number, seat in state.numbered():
        box = seat.box
        if box.plays and not box.settled and box.choice == "abandoned":
            lines = pricing.early_lines(house, state, number, lambda wager: True)
            yield e.LinesSettled(number, _not_yet(box.lines, lines), complete=True)
        elif box.plays and "super:dealer" in dict(box.stakes):
            lines = pricing.early_lines(house, state, number, lambda wager: wager == "super:dealer")
            yield e.LinesSettled(number, lines, complete=box.choice in ("fold", "instant"))
    yield e.DealerShown(hand, qualifies)


def _not_yet(settled: tuple[Line, ...], lines: tuple[Line, ...]) -> tuple[Line, ...]:
    done = [line.wager for line in settled]
    return tuple(line for line in lines if line.wager not in done)


# Seat by seat -----------------------------------------------------------------------------------------------------------


def question(house: House, state: TableState) -> tuple[str, tuple[str, ...]]:
    """The next thing to ask about the seat whose turn it is, with its choices; ("", ()) when all is answered."""
    if not in_question(state):
        return "", ()
    return next(iter(pricing.questions(house, state, state.turn).items()), ("", ()))


def in_question(state: TableState) -> bool:
    """A seat is being settled against the dealer."""
    return bool(state.turn) and state.in_turn and not state.seat(state.turn).box.settled


def answer(house: House, state: TableState, given: str, word: str) -> Events:
    """One answer; when it was the last one the lines are known. "none" is none of the rows."""
    asked, choices = question(house, state)
    choice = "" if given == "none" else given
    if not asked or choice not in choices:
        yield e.PressRefused(word, f"{given!r} is no answer here.")
        return
    told = (*state.seat(state.turn).box.told, (asked, choice))
    yield from _tell(house, state, told, word)


def _tell(house: House, state: TableState, told: tuple[tuple[str, str], ...], word: str) -> Events:
    number = state.turn
    after = evolve(state, e.HandTold(number, told, ()))
    try:
        due = () if question(house, after)[0] else due_lines(house, after, number)
    except Refusal as refused:
        yield e.PressRefused(word, f"That cannot be: {refused}")
        return
    yield e.HandTold(number, told, due)
    if due and not any(line.payout or line.returned for line in due) and not _has_prize_chance(after):
        yield e.SeatSettled(number, due)


def _has_prize_chance(state: TableState) -> bool:
    """A lit seat is not passed over before somebody looked at its two cards and the flop."""
    seat = state.seat(state.turn)
    return (seat.wager or bool(seat.five_card)) and not state.void_cite


def due_lines(house: House, state: TableState, number: int) -> tuple[Line, ...]:
    """What is to be collected and paid at a seat's turn: all that was not settled before. Raises Refusal."""
    settled = {line.wager for line in state.seat(number).box.lines}
    if state.void_cite:
        return pricing.lines(house, state, number, lambda wager: wager in state.still and wager not in settled)
    return pricing.lines(house, state, number, lambda wager: wager not in settled)


def settle_seat(house: House, state: TableState, word: str) -> Events:
    """The dealer has collected and paid."""
    if not in_question(state):
        yield e.PressRefused(word, "No seat is being settled.")
    elif question(house, state)[0]:
        yield e.PressRefused(word, f"Seat {state.turn}: answer first.")
    else:
        due = state.seat(state.turn).box.due or due_lines(house, state, state.turn)
        yield e.SeatSettled(state.turn, due)


def back(house: House, state: TableState, word: str) -> Events:
    """Take back the last answer, the last collected seat, or the dealer's hand; money that was paid stays paid."""
    box = state.seat(state.turn).box if state.turn else None
    if state.turn and not in_question(state):
        yield e.WinnerPicked(0)
    elif box is not None and box.told:
        kept = () if box.cards else box.told[:-1]
        yield e.HandTold(state.turn, kept, ())
    elif state.game.last_settled:
        yield e.SettledTakenBack(state.game.last_settled)
    elif state.game.qualifies is not None and not any(seat.box.final for seat in state.seats) and not _supers(state):
        yield e.DealerTakenBack()
    else:
        yield e.PressRefused(word, "That is paid, or with the bank: a floorperson corrects it, with PROBLEM.")


def _supers(state: TableState) -> bool:
    return any(line.wager == "super:dealer" for seat in state.seats for line in seat.box.lines)


def unsettled(state: TableState) -> str:
    """Why the round cannot be cleared; "" where every hand is settled."""
    if state.phase is Phase.DEAL:
        return "Deal and settle first." if state.players and state.level else ""
    waiting = [str(number) for number, seat in state.numbered() if seat.box.plays and not seat.box.settled]
    if waiting and state.in_turn:
        return f"Seats {', '.join(waiting)} are not settled."
    return ""


CORRECTIONS = {
    "wrong-result": "the hands were compared wrongly",
    "wrong-amount": "the wrong amount was paid",
    "wrong-seat": "another seat was meant",
}
"""Reasons that a floorperson gives."""


def correct(house: House, state: TableState, number: int, reason: str, by: str, word: str) -> Events:
    """A floorperson has a settled seat, or a prize paid from the rack, settled again."""
    seat = state.seat(number)
    paid = _paid_from_rack(seat)
    if not is_floor(house, by):
        yield e.PressRefused(word, "A floorperson's badge and PIN first.")
    elif reason not in CORRECTIONS:
        yield e.PressRefused(word, "Choose a reason.")
    elif state.phase is not Phase.SETTLE:
        yield from _correct_super(house, state, number, CORRECTIONS[reason], by, word)
    elif paid is not None:
        amount = paid.amount or 0
        yield e.SettlementCorrected(number, paid.wager, (), amount, by, CORRECTIONS[reason])
        if paid.wager != "progressive":
            yield e.AccountCorrected(number, paid.wager, amount, by, CORRECTIONS[reason])
        yield e.PanelTurned("")
    elif seat.box.final:
        yield e.SettlementCorrected(number, "", seat.box.final, 0, by, CORRECTIONS[reason])
        yield e.PanelTurned("")
    else:
        yield e.PressRefused(word, f"Nothing of seat {number} can be corrected.")


def _correct_super(house: House, state: TableState, number: int, why: str, by: str, word: str) -> Events:
    """Until the dealer's hand is shown Lunar Poker's first pass is told and paid again (671a.11(c))."""
    cite = house.procedure.cite("abandoned")
    left = [n for n, seat in state.numbered() if seat.box.choice == "abandoned" and _had_super(seat.box.lines, cite)]
    if number not in correctable(state):
        yield e.PressRefused(word, f"Nothing of seat {number} can be corrected.")
    elif left:
        yield e.PressRefused(word, f"Seat {left[0]} left after its Super: take that back first, then tell it again.")
    else:
        yield e.SettlementCorrected(number, "super", state.seat(number).box.lines, 0, by, why)


def _had_super(lines: tuple[Line, ...], abandoned: str) -> bool:
    return any(line.wager.startswith("super") and line.cite != abandoned for line in lines)


def correctable(state: TableState) -> tuple[int, ...]:
    """Seats of which something was paid that a floorperson can have settled again; before it, Lunar Poker's Supers."""
    if state.phase in (Phase.DRAW, Phase.REVEAL):
        return tuple(n for n, seat in state.numbered() if state.game.supers_settled and seat.box.plays)
    return tuple(number for number, seat in state.numbered() if seat.box.final or _paid_from_rack(seat))


def _paid_from_rack(seat: Seat) -> Prize | None:
    """The last fixed prize of a seat; a share of a meter may have followed it."""
    return next((prize for prize in reversed(seat.prizes) if prize.status == "paid" and not prize.meter), None)


# Cards ------------------------------------------------------------------------------------------------------------------


def want(house: House, state: TableState) -> tuple[str, ...]:
    """The cards to enter now: board and dealer before the dealer's hand is shown, then one seat's."""
    procedure, game = house.procedure, state.game
    places: list[str] = []
    if in_question(state):
        bought = state.seat(state.turn).box.option == "buy"
        places += ["seat"] * (procedure.hole_cards + bought)
    if not game.board and procedure.book != "pa-671a":
        places += ["board"] * 5
    if not game.dealer and not state.void_cite:
        places += ["dealer"] * procedure.hole_cards
    six = any("six_card_bonus" in dict(seat.box.stakes) for seat in state.seats)
    if six and not game.six_card and not state.void_cite:
        places += ["six"] * 4
    return tuple(places)


def begin_entry(house: House, state: TableState, word: str) -> Events:
    """Enter the cards of this hand."""
    if state.phase is Phase.SETTLE and not in_question(state):
        yield e.PressRefused(word, "No seat is being settled.")
    elif state.phase is Phase.REVEAL and backs_dealer(state) and state.game.dealer_row is None:
        yield e.PressRefused(word, "First the Supers on the dealer's hand: which row?")
    else:
        yield e.EntryBegun(want(house, state))


def leave_entry(state: TableState) -> Events:
    """No cards after all."""
    if state.in_turn:
        yield e.EntryLeft()
    else:
        yield e.RevealEntryLeft()


def enter(house: House, state: TableState, word: str) -> Events:
    """All cards are there: what they make is what is paid."""
    entry = state.game.entry
    if len(entry.cards) != len(entry.want):
        yield e.PressRefused(word, f"{len(entry.cards)} of {len(entry.want)} cards are entered.")
        return
    parts = {place: _of(entry, place) for place in ("seat", "board", "dealer", "six")}
    clash = _lies_twice(state, entry.cards)
    if clash:
        yield e.PressRefused(word, f"{clash} lies somewhere else already.")
        return
    game = state.game
    number = state.turn if in_question(state) else 0
    entered = e.CardsEntered(
        number,
        parts["seat"],
        parts["board"] or game.board,
        parts["dealer"] or game.dealer,
        parts["six"] or game.six_card,
    )
    after = evolve(state, entered)
    if number:
        yield from _told_by_cards(house, after, entered, word)
    else:
        hand, qualifies = dealers_hand(house, after)
        yield entered
        yield from show_dealer(house, after, hand, qualifies=qualifies, word=word)


def _of(entry: Entry, place: str) -> tuple[str, ...]:
    return tuple(card for card, where in zip(entry.cards, entry.want, strict=True) if where == place)


def _lies_twice(state: TableState, cards: tuple[str, ...]) -> str:
    game = state.game
    known = {*game.board, *game.dealer, *game.six_card}
    for number, seat in state.numbered():
        known |= set(seat.box.cards) if number != state.turn else set()
    return next((card for card in cards if card in known), "")


def dealers_hand(house: House, state: TableState) -> tuple[str, bool]:
    """The name of the dealer's entered hand, and whether it qualifies."""
    return dealer_of_cards(house.submission, state.game.board, state.game.dealer)


def _told_by_cards(house: House, after: TableState, entered: e.CardsEntered, word: str) -> Events:
    """The answers that the cards give; a dealer's hand that was told must be the one that lies there."""
    number = entered.seat
    if after.game.qualifies is not None and after.game.dealer:
        _, qualifies = dealers_hand(house, after)
        if qualifies != after.game.qualifies:
            yield e.PressRefused(
                word, "The dealer's hand was told otherwise: check the cards, or take that back first."
            )
            return
    box = after.seat(number).box
    seat = replace(pricing.rules_seat(house, number, box, pricing.FOLDED if after.void_cite else None), cards=box.cards)
    game = after.game
    said = told_of_cards(house.submission, seat, game.board, game.dealer, game.six_card)
    given = {
        **dict(said.side),
        "result": said.result,
        "hand": said.hand,
        "dealer_hand": said.dealer_hand,
        "second": said.second,
    }
    yield entered
    state = after
    told: tuple[tuple[str, str], ...] = ()
    while (asked := question(house, state))[0]:
        choice = given.get(asked[0], "")
        told = (*told, (asked[0], choice if choice in asked[1] else ""))
        state = evolve(state, e.HandTold(number, told, ()))
    yield e.HandTold(number, told, due_lines(house, state, number))
