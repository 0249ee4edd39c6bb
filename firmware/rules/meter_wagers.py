"""Wagers that a meter belongs to, and the bonuses beside them: what they put on it, what they win, and from where.

653a.11(k), (l), .12(d), (e), Maryland .11J, .12D. A hand is named, and a share of a meter has its price: `felt settle`
takes it off the meter itself, a table gets it frozen from the bank. One way leads to the payment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from firmware.rules.hands import HandName
from firmware.rules.money import Cents, Micros
from firmware.rules.payment import Payment, Source, StandingMeters, award, bonus, lose, win_fixed
from firmware.rules.paytable import Fixed, Meter, Share
from firmware.rules.seat import Round, Seat
from firmware.rules.submission import Submission
from firmware.rules.wager import Placed

MAGIC_CARD: Mapping[str, str] = {"five_card_player": "magic_card_player", "five_card_dealer": "magic_card_dealer"}
LUCKY: Mapping[str, str] = {"five_card_player": "lucky_player", "five_card_dealer": "lucky_dealer"}
"""The names of bonuses on a wager among the payments."""


# Prizes of a wager ---------------------------------------------------------------------------------------------------


def prize_of(rules: Submission, wager: str, hand: HandName) -> Fixed | Share | None:
    """The prize of a wager on this hand: a fixed one, a share of a meter, or nothing."""
    offer = rules.offers.get(wager)
    return offer.prizes.get(hand) if offer else None


def meter_payment(
    rules: Submission,
    seat: int,
    wager: str,
    hand: HandName,
    price: Cents | None = None,
    paid_from: Source | None = None,
) -> Payment:
    """A wager with a meter whose five cards are named (653a.11(k), (l), .12(e), Maryland .11J).

    `price`: what a share of a meter is, in cents, and never paid from the rack; on the dealer's hand this seat's part of it.
    `paid_from`: ATTENDANT where the casino pays its fixed prizes otherwise ((k)(4)); None: as the wager is placed, from the
    rack or to the game account. Raises ValueError for a share without its price, or where the wager is not offered.
    """
    if (offer := rules.offers.get(wager)) is None:
        raise ValueError(f"these rules do not offer {wager}")
    prize, row = offer.prizes.get(hand), rules.book.wagers[wager]
    if prize is None:
        return lose(seat, wager, offer.wager, rules.book.cites[row.section])
    if isinstance(prize, Fixed):
        usual = Source.ACCOUNT if row.placed is Placed.ACCOUNT else Source.RACK
        return win_fixed(seat, wager, offer.wager, prize, paid_from or usual)
    if price is None:
        raise ValueError(f"{prize.odds} has no price yet")
    return award(seat, wager, offer.wager, price, prize.odds, prize.meter, prize.cite)


def claim_payments(
    rules: Submission, wager: str, hand: HandName, frozen: Cents, seats: Iterable[int]
) -> tuple[Payment, ...]:
    """A share of a meter for which a bank froze an amount: each of the `seats` gets an equal part (reading 4).

    `seats`: the one that won, or all who backed the dealer's hand, in the order of payment. Raises ValueError where
    nothing of this wager can be frozen, or for no seat.
    """
    among = tuple(seats)
    if not among or not isinstance(prize_of(rules, wager, hand), Share):
        raise ValueError(f"{hand} wins no share of a meter for {len(among)} seats")
    part = Cents(frozen // len(among))
    return tuple(meter_payment(rules, seat, wager, hand, part) for seat in among)


def magic_card_payment(rules: Submission, seat: int, wager: str) -> Payment:
    """The Magic Card lies among the five cards of this Five Card wager (653a.12(e)(3)). KeyError: not offered."""
    return _drawn(rules, seat, wager, MAGIC_CARD[wager], "magic_card")


def lucky_payment(rules: Submission, seat: int, wager: str) -> Payment:
    """The position drawn is the one this Five Card wager is on (653a.12(e)(3)). KeyError: not offered."""
    return _drawn(rules, seat, wager, LUCKY[wager], "lucky_bonus")


def envy_payments(rules: Submission, holder: int, hand: HandName, receivers: Iterable[int]) -> Iterator[Payment]:
    """A bonus to every receiver for the hand at seat `holder`, whether or not a wager was on it (653a.11(k)(5)).

    `receivers`: seats in the order of payment; who may be one is the caller's to know (`envy_receivers`, reading 5).
    """
    offer = rules.offers.get(rules.envied)
    envied = offer.envy.get(hand) if offer else None
    if offer and envied is not None:
        for seat in receivers:
            yield bonus(seat, "envy", envied, f"${envied // 100:,}", offer.envy_cite, Source.RACK, holder)


def lost_payments(rules: Submission, seat: Seat, won: Iterable[str]) -> Iterator[Payment]:
    """The wagers on meters of a seat that are collected when its round is over: all but those in `won`.

    At a seat that was left they are lost by leaving (653a.7(b)).
    """
    cites, over = rules.book.cites, frozenset(won)
    for wager, stake in seat.wagers.items():
        row = rules.book.wagers[wager]
        if row.of_meter and wager not in over:
            yield lose(seat.number, wager, stake, cites["abandoned" if seat.abandoned else row.section])


def envy_receivers(rules: Submission, seats: Iterable[Seat], holder: Seat) -> Iterator[int]:
    """Every other player's seat with the wager that envy follows from, in the order given; no abandoned one (reading 5)."""
    for seat in seats:
        own = seat.number == holder.number or (seat.player is not None and seat.player == holder.player)
        if rules.envied in seat.wagers and not seat.abandoned and not own:
            yield seat.number


def _drawn(rules: Submission, seat: int, wager: str, name: str, drawn: str) -> Payment:
    """A credit to the game account, on top of the wager's own result."""
    prize = rules.offers[wager].drawn[drawn]
    return bonus(seat, name, prize.amount, prize.odds, prize.cite, Source.ACCOUNT)


# Amounts of a meter --------------------------------------------------------------------------------------------------


def price_of(rules: Submission, wager: str, prize: Share, meters: StandingMeters, shares: int = 1) -> Cents:
    """Take a share off its meter as it stands now, and say what one of `shares` equal parts is (reading 3).

    A meter that is won whole starts again with its seed, or with its reserve, and that with nothing.
    """
    reset = Micros(0)
    if prize.whole:
        meter = rules.offers[wager].meters[prize.meter]
        reset = meters.take_all(meter.reserve) if meter.reserve else meter.seed
    return meters.award(prize, shares, reset)


def contributions(round_: Round) -> Mapping[str, Micros]:
    """The contributions of a round's wagers to each meter, in micro-dollars; a void round takes the same off again.

    653a.12(d)(3) and (e)(4), Maryland .12D(3): every wager pays its rate, folded or abandoned or not.
    """
    fed: dict[str, Micros] = {}
    for seat in round_.seats.values():
        for wager in seat.wagers:
            for meter in fed_by(wager, round_.submission):
                fed[meter.name] = Micros(fed.get(meter.name, 0) + meter.contribution)
    return fed


def fed_by(wager: str, rules: Submission) -> Iterable[Meter]:
    """The meters that a wager feeds, and may win a share of; none where it is not offered."""
    offer = rules.offers.get(wager)
    return offer.meters.values() if offer else ()
