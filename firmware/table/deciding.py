"""Who plays, and what each player decides, street by street: sections .7 and .11 of the books (assist levels 1 and 2).

Decisions are told by exception: whoever is not tapped checks, or on the last street plays. A fold is settled at once, and
its cards are tucked under what is still to be settled, or go (653a.11(f)(2)); a lit seat's cards are looked at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.rules.money import Cents, dollars
from firmware.rules.payline import rows
from firmware.rules.procedure import Street
from firmware.table import events as e
from firmware.table import pricing
from firmware.table.interlock import method, stub_due
from firmware.table.opening import order_words, undelivered
from firmware.table.procedures import DECK
from firmware.table.state import Box, House, Line, Phase, Seat, TableState

Events = Iterator[e.Event]

LUNAR = "pa-671a"
EXCHANGES = (2, 3, 4, 5)
"""Cards that may be exchanged for an options fee (671a.11(b)(3))."""


# Who plays ------------------------------------------------------------------------------------------------------------


def default_stakes(house: House) -> tuple[tuple[str, int], ...]:
    """The least that plays: the ante at the table minimum, and the wager that goes with it."""
    minimum = house.submission.table_minimum
    return (("ante", minimum), (house.procedure.second, minimum))


def toggle_box(house: House, state: TableState, number: int, word: str) -> Events:
    """A player takes part, or does not."""
    if not state.seat(number).box.plays:
        yield from _place(house, state, number, default_stakes(house), word)
        return
    for other, seat in state.numbered():  # nobody backs a hand that is not dealt
        kept = tuple(stake for stake in seat.box.stakes if stake[0] != f"{pricing.SUPER_ON}{number}")
        if kept != seat.box.stakes:
            yield e.BoxPlaced(other, kept)
    yield e.BoxPlaced(number, ())


def _place(house: House, state: TableState, number: int, stakes: tuple[tuple[str, int], ...], word: str) -> Events:
    boxes = {other: seat.box.stakes for other, seat in state.numbered()}
    why_not = pricing.refusal(house, {**boxes, number: stakes})
    if number > house.seats:
        yield e.PressRefused(word, f"This game has {house.seats} seats.")
    elif why_not:
        yield e.PressRefused(word, why_not)
    else:
        yield e.BoxPlaced(number, stakes)


def editing(state: TableState) -> tuple[int, str]:
    """The seat and the wager that the panel "stakes SEAT WAGER" is about; (0, "") where none is."""
    parts = state.panel.split(" ")
    if parts[0] != "stakes" or len(parts) < 2:
        return 0, ""
    return int(parts[1]), parts[2] if len(parts) > 2 else "ante"


def add_chips(house: House, state: TableState, cents: int, word: str) -> Events:
    """More on the wager that is being edited; an ante takes its companion along."""
    number, wager = editing(state)
    yield from _stake(house, state, number, wager, dict(state.seat(number).box.stakes).get(wager, 0) + cents, word)


def no_chips(house: House, state: TableState, word: str) -> Events:
    """Nothing on the wager that is being edited; the ante goes back to the table minimum."""
    number, wager = editing(state)
    yield from _stake(house, state, number, wager, house.submission.table_minimum if wager == "ante" else 0, word)


def _stake(house: House, state: TableState, number: int, wager: str, cents: int, word: str) -> Events:
    stakes = dict(state.seat(number).box.stakes) or dict(default_stakes(house))
    second = house.procedure.second
    if wager == "ante":
        stakes[second] = cents if second != "super" else max(cents, stakes.get(second, 0))
    if cents and wager.startswith(pricing.SUPER_ON):  # 671a.7(c)(3): the first chip makes the table minimum
        cents = max(cents, house.submission.table_minimum)
    stakes[wager] = cents
    if wager == second == "super":
        stakes[wager] = max(cents, stakes["ante"])
    yield from _place(house, state, number, tuple((name, stake) for name, stake in stakes.items() if stake), word)


# Questions ------------------------------------------------------------------------------------------------------------


def street(house: House, state: TableState) -> Street:
    """The questions that are being asked."""
    return house.procedure.streets[min(state.game.street, len(house.procedure.streets) - 1)]


def asked(house: House, state: TableState, seat: Seat) -> bool:
    """This player is asked on this street: he has neither wagered on an earlier one nor left."""
    box = seat.box
    if not box.plays or box.choice == "abandoned":
        return False
    return box.choice in ("", "check") or _street_of(house, box) >= state.game.street


def _street_of(house: House, box: Box) -> int:
    """The place of the street on which this player decided; a street that was taken back may lie before it."""
    return [street.name for street in house.procedure.streets].index(box.street)


def decided_later(house: House, state: TableState, box: Box) -> bool:
    """The answer was given on a later street, before this one was opened again: here he checked."""
    return bool(box.street) and _street_of(house, box) > state.game.street


def anyone_asked(house: House, state: TableState) -> bool:
    """Somebody is still to be asked."""
    return any(asked(house, state, seat) for seat in state.seats)


def dealt(house: House, state: TableState, word: str) -> Events:
    """The cards are dealt; not before a cut that a floorperson ordered."""
    if why_not := order_words(house, state) or undelivered(house, state):
        yield e.PressRefused(word, why_not)
    elif not state.players:
        yield e.PressRefused(word, "Nobody plays: clear the round.")
    elif needs_stub(house, state):
        yield stub_first(house, state, word)
    else:
        yield e.Dealt()


def stub_first(house: House, state: TableState, word: str) -> e.PressRefused:
    """Five rounds have gone without a count."""
    cite = house.procedure.cite("stub", method(house, state))
    return e.PressRefused(word, f"Count the stub first: five rounds have gone ({cite}).")


def next_choice(house: House, state: TableState, number: int, word: str) -> Events:
    """Each tap on a seat turns its answer: the street's multiples of the ante, then the default again."""
    now = street(house, state)
    seat = state.seat(number)
    if not asked(house, state, seat):
        yield e.PressRefused(word, f"Seat {number} is not asked here.")
        return
    cycle = [("play", times) for times in now.times]
    cycle = [*cycle, ("fold", 0)] if now.last else [("check", 0), *cycle]
    given = (seat.box.choice, seat.box.times) if seat.box.street == now.name else cycle[0]
    choice, times = cycle[(cycle.index(given) + 1) % len(cycle)]
    yield e.Decided(number, choice, now.name, times, "", 0)


def raising(state: TableState) -> int:
    """The seat that the panel "raise SEAT" is about, 0 for none."""
    verb, _, seat = state.panel.partition(" ")
    return int(seat) if verb == "raise" and seat else 0


def sizes_raise(house: House, state: TableState, seat: Seat) -> bool:
    """This player has raised on this street, and the book leaves him the amount."""
    return street(house, state).between and seat.box.choice == "play" and seat.box.street == street(house, state).name


def turn_to_raise(house: House, state: TableState, number: int, word: str) -> Events:
    """The panel where a raise gets its amount."""
    if sizes_raise(house, state, state.seat(number)):
        yield e.PanelTurned(f"raise {number}")
    else:
        yield e.PressRefused(word, f"Seat {number} has no raise whose amount is open: tap the seat first.")


def size_raise(house: House, state: TableState, cents: int, word: str) -> Events:
    """So many cents more on the raise; 0: the least that a raise may be."""
    number, now = raising(state), street(house, state)
    box = state.seat(number).box
    least, most = min(now.times) * box.ante, max(now.times) * box.ante
    size = box.played + cents if cents else least
    if not sizes_raise(house, state, state.seat(number)):
        yield e.PressRefused(word, "Tap the seat first.")
    elif size > most:
        words = f"At most {max(now.times)} times the ante, {dollars(Cents(most))} ({now.cite})."
        yield e.PressRefused(word, words)
    else:
        yield e.RaiseSized(number, size)


def close_street(house: House, state: TableState) -> Events:
    """Everybody has answered: who was not tapped checks, or on the last street plays."""
    now = street(house, state)
    default = ("play", now.times[0]) if now.last else ("check", 0)
    decided: list[e.Event] = []
    remaining = False
    for number, seat in state.numbered():
        if not asked(house, state, seat):
            continue
        if decided_later(house, state, seat.box):
            remaining = True
        elif seat.box.street != now.name:
            decided.append(e.Decided(number, default[0], now.name, default[1], "", 0))
            remaining = remaining or default[0] == "check"
        else:
            remaining = remaining or seat.box.choice == "check"
    yield from decided
    if remaining:
        yield e.StreetClosed(state.game.street + 1)
        return
    yield from collect_folds(house, state)
    yield e.AskingDone()


FOLD_COLLECTS = ("ante", "blind", "odds", "bad_beat_bonus")


def collect_folds(house: House, state: TableState) -> Events:
    """What a fold loses is collected; what it does not forfeit is settled at the seat's turn (reading 2)."""
    for number, seat in state.numbered():
        if seat.box.plays and seat.box.choice == "fold":
            lines = pricing.early_lines(house, state, number, lambda wager: wager in FOLD_COLLECTS)
            yield e.LinesSettled(number, lines, complete=not tucked_under(seat.box))


def tucked_under(box: Box) -> tuple[str, ...]:
    """The wagers of a folded seat that wait for its cards."""
    return tuple(wager for wager, _ in box.stakes if wager not in FOLD_COLLECTS)


def what_happens_to(house: House, seat: Seat) -> str:
    """Of a folded hand, in the dealer's words; a lit seat warns before its cards go."""
    if seat.wager or seat.five_card:
        return "LIT: LOOK FIRST"
    under = tucked_under(seat.box)
    return f"TUCK: {under[0].split('_')[0].upper()}" if under else "MUCK"


def abandon(house: House, state: TableState, number: int, word: str) -> Events:
    """A player left the table during the round (653a.7(b)), or did not."""
    seat = state.seat(number)
    if state.phase is Phase.SUPERS and state.game.supers_settled:
        yield e.PressRefused(word, "First the Supers again: a player who left since then had won or lost his.")
        return
    lost = any(line.cite == house.procedure.cite("abandoned") for line in seat.box.lines)
    if seat.prize is not None or seat.box.settled or lost:
        yield e.PressRefused(word, f"Seat {number} is being settled already.")
    elif not seat.box.plays and not seat.wager and not seat.five_card:
        yield e.PressRefused(word, f"Nobody plays at seat {number}.")
    else:
        yield e.SeatAbandoned(number, left=seat.mark != "left")


def ask_again(state: TableState) -> Events:
    """Take back the last step of asking."""
    if state.game.street:
        yield e.StreetReopened(state.game.street - 1)
    else:
        yield e.DealTakenBack()


# Lunar Poker ------------------------------------------------------------------------------------------------------------


def choose(house: House, state: TableState, answer: str, word: str) -> Events:
    """The chosen player's election: bet, fold, instant, buy, or exchange with a number (671a.11(b))."""
    verb, _, cards = answer.partition(" ")
    number = state.turn
    if not number or not asked(house, state, state.seat(number)):
        yield e.PressRefused(word, "Tap the seat first.")
        return
    made = LUNAR_ANSWERS.get(verb)
    if made is None or (verb == "exchange") != bool(cards) or (cards and cards not in map(str, EXCHANGES)):
        yield e.PressRefused(word, f"{answer!r} is no election.")
        return
    choice, option = made
    times = pricing.BET_TIMES if choice == "play" and not option else 0
    yield e.Decided(number, choice, "bet", times, option, int(cards or 0))


LUNAR_ANSWERS: Mapping[str, tuple[str, str]] = {
    "bet": ("play", ""),
    "fold": ("fold", ""),
    "instant": ("instant", ""),
    "buy": ("check", "buy"),
    "exchange": ("check", "exchange"),
}
"""Election -> choice and option; who pays an options fee decides after his cards (671a.11(d)(3))."""


def draws_wanted(state: TableState) -> int:
    """Cards that the players have asked for."""
    waiting = [seat.box for seat in state.seats if seat.box.waits_for_cards]
    return sum(box.exchanged or 1 for box in waiting)


def cards_left(house: House, state: TableState) -> int:
    """Cards that are left of the deck after the first deal, without one that lay face up (671a.13(a))."""
    return DECK - house.procedure.hole_cards * (len(state.players) + 1) - state.game.left_out


def lock_in(house: House, state: TableState) -> Events:
    """ "All decisions are locked in" (671a.11(c)); who was not tapped bets."""
    for number, seat in state.numbered():
        if seat.box.plays and not seat.box.choice:
            yield e.Decided(number, "play", "bet", pricing.BET_TIMES, "", 0)
    yield e.LockedIn()


def tell_super(house: House, state: TableState, row: str, word: str) -> Events:
    """A declared hand, verified by the dealer: its row of the Super paytable; tapped again, it is none.

    Of a player with an instant payout also that: "royal flush" or "straight flush" (671a.11(c)(3)).
    """
    seat = state.seat(state.turn) if state.turn else None
    if seat is None or not seat.box.plays:
        yield e.PressRefused(word, "Tap the seat that declared first.")
    elif seat.box.choice == "instant" and row in rows(house.submission, "instant"):
        yield e.HandTold(state.turn, () if ("instant", row) in seat.box.told else (("instant", row),), ())
    elif row not in rows(house.submission, "super"):
        yield e.PressRefused(word, f"{row} has no prize.")
    else:
        yield e.SuperTold(state.turn, "" if seat.box.super_row == row else row)


def settle_supers(house: House, state: TableState, word: str) -> Events:
    """The first pass: Supers on players' hands, instant payouts, and the antes of folds (671a.11(c))."""
    unverified = [n for n, seat in state.numbered() if seat.box.choice == "instant" and not seat.box.told]
    if unverified:
        yield e.PressRefused(word, f"Seat {unverified[0]}: verify the instant payout, royal or straight flush.")
        return
    settled = tuple(first_pass(house, state))
    for place, (number, lines) in enumerate(settled):
        last = number not in [later for later, _ in settled[place + 1 :]]
        yield e.LinesSettled(number, lines, complete=last and _goes_no_further(state.seat(number).box))
    yield e.SupersSettled()
    if not any(seat.box.waits_for_cards for seat in state.seats):
        yield e.DrawsDone()


def first_pass(house: House, state: TableState) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """(seat, what is settled): hand by hand from seat 1, the owner's Super before those of its backers, then his ante."""
    for hand, owner in state.numbered():
        if not owner.box.plays:
            continue
        for number in sorted(state.players, key=hand.__ne__):
            wager = "super" if number == hand else f"super:{hand}"
            if lines := pricing.early_lines(house, state, number, wager.__eq__):
                yield number, lines
        if owner.box.choice in GONE and not owner.box.drawn:
            yield hand, pricing.early_lines(house, state, hand, lambda wager: not wager.startswith("super"))


GONE = ("fold", "instant", "abandoned")
"""Whose ante is settled in the first pass."""


def _goes_no_further(box: Box) -> bool:
    return box.choice in GONE and not _backs_dealer(box)


def _backs_dealer(box: Box) -> bool:
    return "super:dealer" in dict(box.stakes)


def take_draw(house: House, state: TableState, *, bets: bool) -> Events:
    """The player whose turn it is has his cards: the fee is collected, and he bets or forfeits the ante (671a.11(d))."""
    number = state.turn
    wanted = ("options_fee",) if bets else ("options_fee", "ante")
    lines = pricing.early_lines(house, state, number, lambda wager: wager in wanted)
    backs = _backs_dealer(state.seat(number).box)
    yield e.DrawTaken(number, bets, pricing.BET_TIMES if bets else 0)
    yield e.LinesSettled(number, lines, complete=not bets and not backs)
    if not any(seat.box.waits_for_cards for other, seat in state.numbered() if other != number):
        yield e.DrawsDone()


def back_from_reveal(state: TableState, word: str) -> Events:
    """Before the dealer's hand is shown: the last draw, or the last street, is taken back."""
    if state.game.was_shown:
        yield e.PressRefused(word, "The dealer's hand was seen: decisions stand. PROBLEM has a floorperson ask again.")
    elif state.book == LUNAR:
        yield from draw_back(state, word)
    else:
        yield e.StreetReopened(state.game.street)


def draw_back(state: TableState, word: str) -> Events:
    """The last player's answer after his draw is taken back; not one who has left since."""
    last = max((number for number, seat in state.numbered() if seat.box.drawn), default=0)
    if not last:
        yield e.PressRefused(word, "The Supers are settled: call the floor, PROBLEM corrects a seat.")
    elif state.seat(last).box.choice == "abandoned":
        yield e.PressRefused(word, f"The player of seat {last} has left: take that back first.")
    else:
        yield e.DrawTakenBack(last)


def needs_stub(house: House, state: TableState) -> bool:
    """The stub has to be counted before the dealer's hand is shown, or where it is put away before that, in the deal.

    Only Maryland's machine does the latter (36.05.16.10B(4)); at Lunar Poker all cards are counted after the round.
    """
    if state.book == LUNAR:
        at = Phase.SETTLE
    else:
        at = Phase.REVEAL if house.procedure.has(f"stub away:{method(house, state)}") else Phase.DEAL
    return state.phase is at and stub_due(house, state)
