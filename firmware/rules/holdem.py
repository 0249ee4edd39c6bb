"""What the Hold'em games have in common: the order of the seats, wagers against a posted paytable, void rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from firmware.rules.hands import Hand, best_hand, few_cards
from firmware.rules.money import Cents, Micros
from firmware.rules.payment import Outcome, Payment, StandingMeters, lose, void, win
from firmware.rules.paytable import Meter
from firmware.rules.round import Choice, Irregularity, Round, Seat
from firmware.rules.submission import Submission


def from_the_last_seat_down(round_: Round) -> list[Seat]:
    """From the player farthest to the dealer's right, counterclockwise (653a.11(h), 677a.11(g), Maryland .11H)."""
    return list(round_.seats.values())[::-1]


def raised(seat: Seat) -> Cents | None:
    """The Play or Raise wager; None of a player who did not make one."""
    if seat.decision is None or seat.decision.choice is not Choice.PLAY:
        return None
    return seat.decision.wager


def on_its_paytable(rules: Submission, seat: Seat, wager: str, row: str) -> Payment:
    """A wager against its posted paytable: paid by the row it wins on; lost if that is no row of it."""
    table = rules.paytables[wager]
    prize = table.rows.get(row)
    if prize is None:
        return lose(seat.number, wager, seat.wagers[wager], rules.book.cites[wager])
    return win(seat.number, wager, seat.wagers[wager], prize, table.cite)


def at_even_money(rules: Submission, seat: Seat, wager: str, stake: Cents) -> Payment:
    """An Ante, Play or Raise of the higher hand (653a.12(a), 677a.12(a), Maryland .12A)."""
    table = rules.paytables[wager]
    return win(seat.number, wager, stake, table.rows["winning hand"], table.cite)


def abandoned(rules: Submission, seat: Seat, order: Iterable[str]) -> Iterator[Payment]:
    """A player who leaves may be treated as having lost every wager (653a.7(b), 677a.7(b), Maryland .07C(2))."""
    for wager in order:
        if wager in seat.wagers:
            yield lose(seat.number, wager, seat.wagers[wager], rules.book.cites["abandoned"])


def settle_void(
    round_: Round,
    irregularity: Irregularity,
    order: Sequence[str],
    settle_still: Callable[[Seat, str, Hand], Payment],
) -> Outcome:
    """Every wager is returned, whatever was folded or abandoned, but for what is still settled (reading 12).

    `order`: the wagers as they stand in a seat's turn, the Play or Raise among them. `settle_still`: how a wager is
    settled that is settled nevertheless, from the seat's best hand.
    """
    book = round_.submission.book
    cite = book.voids[irregularity.kind]
    shown: dict[int, Hand] = {}
    payments: list[Payment] = []
    for seat in from_the_last_seat_down(round_):
        for wager in order:
            stake = raised(seat) if wager in RAISES else seat.wagers.get(wager)
            if stake is None:
                continue
            if wager not in round_.still_settled:
                payments.append(void(seat.number, wager, stake, cite))
            elif seat.abandoned:
                payments.append(lose(seat.number, wager, stake, book.cites["abandoned"]))
            else:
                shown[seat.number] = _of_what_lies_there((*seat.cards, *round_.board))
                payments.append(settle_still(seat, wager, shown[seat.number]))
    meters = StandingMeters(round_.meters)
    meters.take_back(contributions(round_))
    return Outcome(None, False, dict(sorted(shown.items())), payments, meters.standing)


RAISES = ("play", "raise")


def _of_what_lies_there(cards: tuple[str, ...]) -> Hand:
    return best_hand(cards) if len(cards) >= 5 else few_cards(cards)


def contributions(round_: Round) -> Mapping[str, Micros]:
    """What the wagers of a round put on each meter, in micro-dollars; a void round takes the same off again.

    653a.12(d)(3) and (e)(4), Maryland .12D(3): every wager its rate, folded or abandoned or not.
    """
    fed: dict[str, Micros] = {}
    for seat in round_.seats.values():
        for wager in seat.wagers:
            for meter in _fed_by(wager, round_.submission):
                fed[meter.name] = Micros(fed.get(meter.name, 0) + meter.contribution)
    return fed


def _fed_by(wager: str, rules: Submission) -> Iterable[Meter]:
    if wager == "progressive" and rules.progressive:
        return rules.progressive.meters.values()
    if wager in ("five_card_player", "five_card_dealer") and rules.five_card_hand:
        return rules.five_card_hand.meters.values()
    return ()
