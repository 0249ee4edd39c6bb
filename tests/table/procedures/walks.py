"""Common walks of the procedure tests: the way to a phase, in a dealer's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from firmware.table import events as e
from firmware.table.house import House
from firmware.table.irregularity import ROUTINE
from firmware.table.procedures import Equipment
from tests.table.table import DIAZ, Dealer, Table, house_of

# Rounds against the dealer, at assist levels 1 and 2 ----------------------------------------------------------------

HOLDEM = ("pa-653a", "md-36.05.16", "pa-677a")
BOOKS = (*HOLDEM, "pa-671a")
Stakes = Mapping[int, Mapping[str, int]]
"""Side wagers by seat, in cents."""


def betting(
    book: str = "pa-653a",
    *seats: int,
    lit: Iterable[int] = (),
    sides: Stakes | None = None,
    level: int = 1,
    equipment: Equipment = Equipment(),  # noqa: B008 (frozen)
    five_card: bool = False,
    house: House | None = None,
) -> tuple[Table, Dealer]:
    """Bets are open; these seats have an ante of $15 and what goes with it, some their side wagers, some a lit lamp."""
    house = house or house_of(book=book, level=level, equipment=equipment, five_card=five_card)
    table = Table(house=house).opens()
    dealer = Dealer(table)
    for seat in seats if level else ():
        dealer.presses(f"box {seat}")
    for seat, wagers in (sides or {}).items():
        for wager, cents in wagers.items():
            stakes(dealer, seat, wager, *in_chips(cents))
    if lit := tuple(lit):
        table.seats(*lit).place()
    return table, dealer


def in_chips(cents: int) -> Iterator[int]:
    """The chips of the screen's keys that make this amount, the largest first."""
    for chip in (10_000, 2_500, 500, 100):
        yield from [chip] * (cents // chip)
        cents %= chip


def stakes(dealer: Dealer, seat: int, wager: str, *cents: int) -> None:
    """Chips on one wager of a seat, or none: the panel, the seat, the wager, the chips."""
    edits(dealer, seat, wager)
    dealer.presses(*(f"chips {more}" for more in cents), *([] if cents else ["no-chips"]), "back")


def edits(dealer: Dealer, seat: int, wager: str = "") -> None:
    """The panel of a seat's wagers; of one wager."""
    dealer.presses("stakes", f"stakes {seat}", *([f"stakes {seat} {wager}"] if wager else []))


def buys_in(dealer: Dealer, seat: int, *cents: int) -> None:
    """Chips become credit in a seat's wagering account."""
    if dealer.table.panel != "accounts 1":
        dealer.presses("account 1")
    dealer.presses(*([f"account {seat}"] if seat != 1 else []), *(f"chips {more}" for more in cents), "back")


def leaves(dealer: Dealer, seat: int) -> None:
    """A player got up during the round, or did not: a floorperson says so."""
    dealer.presses("problem", "problem left")
    dealer.presses(f"left {seat}", by=DIAZ)
    if dealer.table.panel:  # where nobody waits for cards any more, the dealer's hand is next
        dealer.presses("back")


def tells(dealer: Dealer, problem: str, by: str = "") -> None:
    """What happened, from the list; and who signs it."""
    menu = "problem table" if problem in ROUTINE else "problem"
    dealer.presses(menu, f"problem {problem}")
    if by:
        dealer.presses("apply", by=by)


def locks(table: Table, dealer: Dealer) -> None:
    """No more bets; the chips of the lit seats are counted and racked."""
    dealer.presses("no-more-bets")
    if table.phase == "count":
        lit = table.lit
        dealer.presses(f"count {len(lit)}")
        table.seats(*lit).lift()


def at_deal(book: str = "pa-653a", *seats: int, **how: Any) -> tuple[Table, Dealer]:
    """Bets are closed, the chips are in the rack; the cards are about to be dealt."""
    table, dealer = betting(book, *seats, **how)
    locks(table, dealer)
    assert table.phase == "deal"
    return table, dealer


def at_ask(book: str = "pa-653a", *seats: int, **how: Any) -> tuple[Table, Dealer]:
    """Every hand is dealt; the first question."""
    table, dealer = at_deal(book, *seats, **how)
    dealer.presses("dealt")
    return table, dealer


def decides(table: Table, dealer: Dealer, seat: int, choice: str, times: int = 0) -> None:
    """Tap the seat until its answer is this one."""
    for _ in range(5):
        box = table.state.seat(seat).position
        street = table.house.procedure.streets[table.state.round.street].name
        if (box.choice, box.times, box.street) == (choice, times, street):
            return
        dealer.presses(f"seat {seat}")
    raise AssertionError(f"seat {seat} is never offered {choice} {times}")


def at_reveal(book: str = "pa-653a", *seats: int, folds: Iterable[int] = (), **how: Any) -> tuple[Table, Dealer]:
    """Everybody checked twice and then played once his ante, or folded."""
    table, dealer = at_ask(book, *seats, **how)
    dealer.presses("next", "next")
    for seat in folds:
        decides(table, dealer, seat, "fold")
    dealer.presses("next")
    assert table.phase == "reveal"
    return table, dealer


def at_settle(book: str = "pa-653a", *seats: int, qualifies: bool = True, **how: Any) -> tuple[Table, Dealer]:
    """The dealer has shown his hand."""
    table, dealer = at_reveal(book, *seats, **how)
    dealer.presses("dealer yes" if qualifies else "dealer no")
    return table, dealer


def lines_of(table: Table, seat: int) -> dict[str, tuple[str, int, int]]:
    """What became of the wagers of a seat: wager -> (result, cents returned, cents paid on top)."""
    box = table.state.seat(seat).position
    return {line.wager: (line.result, line.returned, line.payout) for line in (*box.lines, *box.final)}


def since(table: Table, count: int) -> list[e.Event]:
    """What happened after the first `count` events."""
    return table.happened[count:]


def refuses(table: Table, word: str, by: str = "") -> str:
    """Press what is forbidden here; nothing follows but the notice, which comes back."""
    count = len(table.happened)
    table.press(word, by)
    assert [type(event) for event in since(table, count)] == [e.PressRefused], word
    return table.notice
