"""Hands of one flop at the table: whatever a deal makes is named and paid, seat by seat (653a.11(k), .12(d)(2))."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from firmware.rules.cards import DECK
from firmware.rules.hands import RANKED, HandName, five_card_hand
from firmware.table import events as e
from tests.sample import some
from tests.table.table import DIAZ, OKAFOR, Dealer, Table

DEALS, TRIES, SEATS = 40, 300, 6
PRIZES = RANKED[RANKED.index(HandName.THREE_OF_A_KIND) :]
SHARES = ("royal flush", "straight flush")
SUITED = tuple(f"{rank}{suit}" for suit in "hs" for rank in "89TJQKA")
PAIRED = tuple(f"{rank}{suit}" for rank in "9KA4" for suit in "cdhs")


def deal(seed: int) -> Mapping[int, tuple[str, ...]]:
    """Of many deals the one with the most different prizes: every seat's two cards and the flop."""
    chance = random.Random(seed)
    near = chance.choice((SUITED, PAIRED))
    return max((_shuffled(chance, near) for _ in range(TRIES)), key=lambda dealt: len(prizes_of(dealt)))


def _shuffled(chance: random.Random, near: tuple[str, ...]) -> Mapping[int, tuple[str, ...]]:
    cards = [*chance.sample(near, len(near)), *chance.sample(DECK, len(DECK))]
    cards = list(dict.fromkeys(cards))
    return {seat: (*cards[1 + 2 * seat : 3 + 2 * seat], *cards[:3]) for seat in range(1, SEATS + 1)}


def prizes_of(dealt: Mapping[int, tuple[str, ...]]) -> set[str]:
    return {hand for hand in map(five_card_hand, dealt.values()) if hand in PRIZES}


def is_paid(table: Table, dealer: Dealer, seat: int, five: tuple[str, ...]) -> None:
    """A prize from its name to the money."""
    hand = five_card_hand(five)
    dealer.names(seat, hand)
    if hand in SHARES:
        dealer.enters(five)
        dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    table.bank.listens()
    if hand not in SHARES:
        dealer.presses("paid")
        return
    dealer.presses("claim-paid", by=OKAFOR)
    if table.phase == "envy":
        dealer.presses("envy-paid", by=DIAZ)


@pytest.mark.parametrize("seed", some(range(DEALS), keep=range(0, DEALS, 5)))
def test_653a_12d2_every_prize_of_a_deal_is_paid_beside_the_others(seed: int) -> None:
    dealt = deal(seed)
    table = Table("A").opens()
    dealer = Dealer(table)
    dealer.deals(*dealt)
    table.bank.listens()
    winners = [seat for seat in sorted(dealt, reverse=True) if five_card_hand(dealt[seat]) in PRIZES]
    for seat in winners:
        is_paid(table, dealer, seat, dealt[seat])
    paid = [event.seat for _, event in table.standing() if isinstance(event, e.PrizePaid | e.ClaimPaid)]
    assert paid == winners
    dealer.presses("clear")


def test_these_deals_have_several_prizes_each_and_all_of_them_somewhere() -> None:
    made = [prizes_of(deal(seed)) for seed in range(DEALS)]
    assert min(map(len, made)) >= 2 and set().union(*made) == set(PRIZES)
