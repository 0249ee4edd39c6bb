"""A game that is no Hold'em at a table: `tests/games/levee` has hands of three cards, one decision and no companion."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from firmware.__main__ import main
from firmware.rules.cards import DECK
from firmware.rules.games.registry import game_of
from firmware.rules.money import Cents, dollars
from firmware.rules.payment import Payment
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.submission import parse_submission
from firmware.table import events as e
from firmware.table import results
from firmware.table.house import House
from firmware.table.procedures import Equipment
from firmware.table.projections import next_turn
from tests.sample import some
from tests.table.table import DEBOUNCE_MS, DIAZ, MS, OKAFOR, PEOPLE, Dealer, Table

pytestmark = pytest.mark.usefixtures("levee")

FILED = {
    "book": "levee",
    "table_minimum": "10.00",
    "pair_plus": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
}
SEATS = range(1, 6)
PRIZES = ("straight flush", "three of a kind", "straight")
DEALT = {
    1: ("2h", "3h", "Ah"),
    2: ("7c", "7d", "7s"),
    3: ("Kh", "9h", "4h"),
    4: ("8c", "9d", "Ts"),
}
"""Straight flush, three of a kind, flush, straight: a straight is above a flush here, three of a kind above both."""


def house_of(level: int) -> House:
    rules = parse_submission(FILED)
    return House(rules, rules.book.procedure, Equipment(), level, DEBOUNCE_MS * MS, PEOPLE)


class Deal:
    """One round as the cards fell: who plays, with what, and what the law makes of it."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        deck = chance.sample(DECK, 18)
        self.players = sorted(chance.sample(SEATS, chance.randint(1, 5)))
        self.hands = {seat: tuple(deck[3 * seat : 3 * seat + 3]) for seat in self.players}
        if seed % 2:  # hands that win something
            for seat in chance.sample(self.players, min(len(self.players), chance.randint(1, 4))):
                taken = {card for other, hand in self.hands.items() if other != seat for card in hand}
                wanted = [hand for hand in DEALT.values() if taken.isdisjoint(hand)]
                self.hands[seat] = chance.choice(wanted) if wanted else self.hands[seat]
        lying = {card for hand in self.hands.values() for card in hand}
        self.dealer = tuple(card for card in deck if card not in lying)[:3]
        self.lit = [seat for seat in self.players if chance.random() < 0.6]
        self.plus = [seat for seat in self.players if chance.random() < 0.6]
        self.folds = [seat for seat in self.players if chance.random() < 0.3]

    def file(self, meter: str) -> dict[str, Any]:
        """The round file of it."""
        seats = {str(seat): self._seat(seat) for seat in self.players}
        return {"rules": FILED, "cards": {"dealer": [*self.dealer]}, "seats": seats, "meters": {"main": meter}}

    def _seat(self, seat: int) -> dict[str, Any]:
        wagers = {"entry": "10.00"}
        wagers |= {"pair_plus": "5.00"} if seat in self.plus else {}
        wagers |= {"progressive": "1.00"} if seat in self.lit else {}
        decision = "fold" if seat in self.folds else {"at": "decision", "wager": "10.00"}
        return {"cards": [*self.hands[seat]], "wagers": wagers, "decision": decision}


def row_of(deal: Deal, table: Table, seat: int) -> str:
    """What the own cards win on Pair Plus, "" for nothing."""
    return game_of("levee").row_of(table.house.submission, "pair_plus", deal.hands[seat])


def result_of(deal: Deal, seat: int) -> str:
    """The true comparison, as taps tell it: who lost is not tapped, nor is anybody where the dealer does not play."""
    game = game_of("levee")
    own, dealers = game.hand_of(deal.hands[seat]), game.hand_of(deal.dealer)
    if seat in deal.folds or not game.qualifies(dealers.name) or own.strength < dealers.strength:
        return ""
    return "higher" if own.strength > dealers.strength else "equal"


def dealt(table: Table, deal: Deal) -> Dealer:
    """From open bets to the deal: who plays, what is wagered, the lock, the count."""
    dealer = Dealer(table)
    for seat in deal.players if table.house.level else ():
        dealer.presses(f"box {seat}")
        if seat in deal.plus:
            dealer.presses("stakes", f"stakes {seat}", f"stakes {seat} pair_plus", "chips 500", "back")
    dealer.deals(*deal.lit)
    table.bank.listens()
    return dealer


def plays(table: Table, deal: Deal) -> None:
    """A round at level 1 with the true answers, up to open bets."""
    dealer = dealt(table, deal)
    dealer.presses("dealt", *(f"seat {seat}" for seat in deal.folds), "next")
    if table.phase == "reveal":
        game = game_of("levee")
        dealer.presses(f"dealer {'yes' if game.qualifies(game.name_of(deal.dealer)) else 'no'}")
    for seat in reversed(deal.players):
        tells(dealer, deal, seat)
    waiting = [seat for seat in reversed(deal.players) if wins(deal, seat)]
    while table.phase == "settle" and not (table.offers("clear") and not waiting):
        turn = next_turn(table.state)
        if waiting and (turn <= waiting[0] or table.offers("clear")):
            pays(dealer, waiting[0], deal.hands[waiting.pop(0)])
        else:
            dealer.presses("look" if table.offers("look") else "settled")
    dealer.presses("clear")


def wins(deal: Deal, seat: int) -> bool:
    """A prize of its own wager, or envy for others by a hand without one."""
    name = game_of("levee").name_of(deal.hands[seat])
    return name in PRIZES if seat in deal.lit else name == PRIZES[0] and bool(deal.lit)


def tells(dealer: Dealer, deal: Deal, seat: int) -> None:
    """What a dealer sees of a seat: its result by taps, the row of its own cards by a key."""
    table, row = dealer.table, row_of(deal, dealer.table, seat) if seat in deal.plus else ""
    while results.result_of(table.state, seat) != result_of(deal, seat):
        dealer.presses(f"seat {seat}")
    if not row:
        return
    if table.state.round.turn != seat:
        dealer.presses(f"seat {seat}")
    while results.result_of(table.state, seat) != result_of(deal, seat):
        dealer.presses(f"seat {seat}")
    beside = f"answer pair_plus = {row}"
    if not (table.offers(beside) or table.offers(f"answer {row}")):  # who lost and wins by his own cards is told so
        dealer.presses("answer lower")
    dealer.presses(beside if table.offers(beside) else f"answer {row}")


def pays(dealer: Dealer, seat: int, hand: tuple[str, ...]) -> None:
    """The prize of a lit seat: named, shown where it is a share, validated, paid; envy after it."""
    table, name = dealer.table, game_of("levee").name_of(hand)
    if table.state.round.turn != seat:
        dealer.presses(f"seat {seat}")
    wagered = table.state.seat(seat).wager
    dealer.presses(f"hand {name}" if wagered else f"envy {seat} {name}")
    if wagered and name == "straight flush":
        dealer.enters(hand)
        dealer.presses("show")
        dealer.presses("approve", by=DIAZ)
        table.bank.listens()
        dealer.presses("claim-paid", by=OKAFOR)
    elif wagered:
        dealer.presses("approve", by=DIAZ)
        dealer.presses("paid")
    if table.phase == "envy":
        dealer.presses("envy-paid")


Line = tuple[int, str, str, int, int, int]


def as_line(one: Payment) -> Line:
    return one.seat, one.wager, str(one.result), one.stake, one.returned, one.payout


def paid(table: Table) -> list[Line]:
    """Everything that was collected and paid, prizes and lost wagers of the meter too."""
    found: list[Payment] = []
    for _, event in table.standing():
        match event:
            case e.LinesSettled() | e.SeatSettled():
                found += event.lines
            case e.PrizePaid():
                found.append(event.payment)
            case e.ClaimPaid() | e.EnvyPaid():
                found += event.payments
            case e.RoundCleared():
                found += event.lost
    return sorted(map(as_line, found))


@pytest.mark.parametrize("seed", some(range(120), keep=[1, 2, 3, 5, 7, 8, 9, 11]))
def test_it_is_paid_as_its_law_settles_the_cards(seed: int) -> None:
    """Level 1, what a dealer tells of a random deal; the meter stands at its seed and the contributions of the round."""
    deal, table = Deal(seed), Table(house=house_of(1), seats=len(SEATS)).opens()
    plays(table, deal)
    outcome = settle(parse_round(deal.file(dollars(Cents(1000_00 + 21 * len(deal.lit))))))
    assert paid(table) == sorted(map(as_line, outcome.payments))
    table.bank.listens()
    assert table.bank.meters["main"] == outcome.meters["main"]
    assert table.replayed() == table.state


REHEARSED = """
open
tell 1 in
tell 2 in pair_plus 5.00
tell 3 in entry 20.00
chip 2
chip 3
press no-more-bets
press count 2
press dealt
expect phase ask
expect meter main 1000.42
tell 3 fold
press undo
tell 2 fold
press undo
tell 3 fold
go on
tell dealer qualifies
tell 2 win
tell 2 pair_plus straight
press undo
tell 2 pair_plus straight flush
tell 2 progressive three of a kind
press cancel
tell 2 progressive straight flush
cards 2 3h 2h Ah
expect phase validate
badge 2001 4826
press approve
expect phase hold
expect meter main 1000.00
badge 3001 7391
press claim-paid
expect payment 2 progressive win 0.00 1000.42
expect phase envy
press envy-paid
badge none
expect payment 3 envy win 0.00 25.00
press settled
press settled
expect payment 2 entry win 10.00 10.00
expect payment 2 play win 10.00 10.00
expect payment 2 pair_plus win 5.00 200.00
expect payment 3 entry lose 0.00 0.00
expect payment 1 entry lose 0.00 0.00
clear
expect phase open
"""
AT_LEVEL_0 = """
open
chip 2
chip 3
chip 5
press no-more-bets
press count 3
expect phase deal
expect meter main 1000.63
tell 5 progressive straight
press cancel
tell 5 progressive three of a kind
badge 2001 4826
press approve
press paid
badge none
expect payment 5 progressive win 0.00 60.00
tell 2 progressive straight flush
cards 2 Qs Js Ts
badge 2001 4826
press approve
badge 3001 7391
press claim-rejected
badge none
expect meter main 1000.63
clear
expect phase open
"""
VOID = """
open
tell 1 in pair_plus 5.00
tell 2 in
chip 1
press no-more-bets
press count 1
expect meter main 1000.21
go on to ask
press problem wrong-number
badge 2001 4826
press apply
badge none
expect void LV.13(c)
go on
expect payment 1 entry void 10.00 0.00
expect payment 1 pair_plus void 5.00 0.00
expect payment 2 entry void 10.00 0.00
expect meter main 1000.00
clear
expect phase open
"""
KNOWN_CARDS = """
open
tell 1 in pair_plus 5.00
tell 4 in pair_plus 5.00
chip 1
chip 4
press no-more-bets
press count 2
press dealt
go on
cards dealer Kc Kd 2s
press seat 4
cards 4 8c 9d Ts
press settled
expect payment 4 pair_plus win 5.00 30.00
press seat 4
press hand three of a kind
expect refused
press hand straight
badge 2001 4826
press approve
press paid
expect payment 4 progressive win 0.00 6.00
"""


def rehearsed(script: str, folder: Path, level: int) -> int:
    """The exit code of a rehearsal, whose bank is the product's own."""
    (folder / "script").write_text(script, encoding="utf-8")
    return main(["rehearse", "--book", "levee", "--level", str(level), str(folder / "script")])


@pytest.mark.parametrize(
    ("level", "script"),
    [(1, REHEARSED), (0, AT_LEVEL_0), (1, VOID), (1, KNOWN_CARDS)],
    ids=["a round", "level 0", "void", "known cards"],
)
def test_its_round_is_rehearsed_with_its_bank(tmp_path: Path, level: int, script: str) -> None:
    """Played, taken back and told again; the bank freezes the share, resets the meter, takes a void round's chip off."""
    assert rehearsed(script, tmp_path, level) == 0
