"""The Five Card Hand bonus of 653a.12(e): what five cards, a Magic Card and a Lucky Bonus bring, and what comes back.

The five cards are the player's own two, or the dealer's two, with the three-card flop (653a.7(d)(4), readings 3, 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from types import MappingProxyType

from firmware.rules.hands import HandName
from firmware.rules.money import to_micros
from firmware.rules.paytable import Fixed, MeterOffer

DECK_CARDS = 52
FIVE = 5
RANKS = 13
SUITS = 4
STRAIGHTS = 10
"""Runs of five in one suit, from ace to five up to the royal one."""

HANDS_OF_FIVE = comb(DECK_CARDS, FIVE)

DEALT: Mapping[HandName, int] = MappingProxyType(
    {
        HandName.ROYAL_FLUSH: SUITS,
        HandName.STRAIGHT_FLUSH: SUITS * (STRAIGHTS - 1),
        HandName.FOUR_OF_A_KIND: RANKS * (DECK_CARDS - SUITS),
        HandName.FULL_HOUSE: RANKS * comb(SUITS, 3) * (RANKS - 1) * comb(SUITS, 2),
        HandName.FLUSH: SUITS * (comb(RANKS, FIVE) - STRAIGHTS),
    }
)
"""How many of the `HANDS_OF_FIVE` are each of the hands with a prize."""


def returns(offer: MeterOffer, magic_one_in: int, lucky_one_in: int, seats: int) -> Fraction:
    """The exact share of a wager that comes back to players in the long run; 1 is all of it.

    It is the fixed prizes, the contributions to meter and reserve (won in the end; the casino's first seed is not
    counted), a Magic Card drawn in one round of `magic_one_in`, and a lucky position, of `seats` and the dealer's, drawn
    in one round of `lucky_one_in`. A bonus that is not offered does not count. Raises ValueError for less than one.
    """
    shares = (_prizes(offer), _magic_card(offer, magic_one_in), _lucky_bonus(offer, lucky_one_in, seats))
    return sum(shares, Fraction(0))


def warning(offer: MeterOffer, magic_one_in: int, lucky_one_in: int, seats: int) -> str:
    """One sentence for the person who sets how often cards are drawn, if the wager returns more than it takes; else ""."""
    total = returns(offer, magic_one_in, lucky_one_in, seats)
    if total <= 1:
        return ""
    drawn = {
        f"a Magic Card in {_how_often(magic_one_in)}": _magic_card(offer, magic_one_in),
        f"a Lucky Bonus in {_how_often(lucky_one_in)}": _lucky_bonus(offer, lucky_one_in, seats),
    }
    parts = [f"{what} alone returns {_for_one(share)}" for what, share in drawn.items() if share]
    return (
        f"The Five Card Hand bonus returns {_for_one(total)}, more than it takes: {', '.join(parts)}, beside "
        f"{_for_one(_prizes(offer))} by its hands and meter; draw less often."
    )


def _prizes(offer: MeterOffer) -> Fraction:
    fixed = sum(
        DEALT[hand] * Fraction(prize.amount, offer.wager * HANDS_OF_FIVE)
        for hand, prize in offer.prizes.items()
        if isinstance(prize, Fixed)
    )
    return fixed + Fraction(sum(meter.contribution for meter in offer.meters.values()), to_micros(offer.wager))


def _magic_card(offer: MeterOffer, one_in: int) -> Fraction:
    """Five different cards hold the one drawn of 52 in five rounds of 52."""
    return _drawn(offer, "magic_card", one_in, Fraction(FIVE, DECK_CARDS))


def _lucky_bonus(offer: MeterOffer, one_in: int, seats: int) -> Fraction:
    return _drawn(offer, "lucky_bonus", one_in, Fraction(1, _at_least_one(seats) + 1))


def _drawn(offer: MeterOffer, bonus: str, one_in: int, hit: Fraction) -> Fraction:
    prize = offer.drawn.get(bonus)
    return Fraction(prize.amount, offer.wager * _at_least_one(one_in)) * hit if prize else Fraction(0)


def _at_least_one(count: int) -> int:
    if count < 1:
        raise ValueError(f"{count}: one round in 1 or more, and 1 seat or more, are wanted")
    return count


def _how_often(one_in: int) -> str:
    return "every round" if one_in == 1 else f"one round in {one_in}"


def _for_one(share: Fraction) -> str:
    """Three decimals, cut: `1.923 for 1`."""
    thousandths = share.numerator * 1000 // share.denominator
    return f"{thousandths // 1000}.{thousandths % 1000:03d} for 1"
