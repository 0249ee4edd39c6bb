"""Every key of every phase with every argument that makes sense there: what a hand on the glass could say.

`plausible` asks the law's own lists (problems, questions, paytables), so that a new key is pressed as soon as it exists:
`ARGUMENTS` must name each verb of `decide.KEYS`, which a test proves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from firmware.rules.payline import rows
from firmware.table import irregularity, opening, settling, wagering
from firmware.table.card_entry import RANKS, SUITS
from firmware.table.decide import ANY_TIME, KEYS
from firmware.table.state import HANDS as BONUS_HANDS
from tests.table.table import HANDS, Table

Words = Callable[[Table], Iterator[str]]


def _nothing(_table: Table) -> Iterator[str]:
    yield ""


def _seats(table: Table) -> Iterator[str]:
    yield from (str(number) for number, _ in table.state.numbered())


def _counts(table: Table) -> Iterator[str]:
    yield from map(str, range(len(table.state.round.seats) + 1))


def _slots(table: Table) -> Iterator[str]:
    yield from (str(slot) for slot in (1, 2, 5))


def _problems(table: Table) -> Iterator[str]:
    yield ""
    yield from (found.key for found in irregularity.problems(table.house, table.state))


def _stakes(table: Table) -> Iterator[str]:
    yield ""
    for number in range(1, table.house.seats + 1):
        yield str(number)
        yield from (f"{number} {wager}" for wager in table.house.game.offered(table.house.submission, number))


def _elections(table: Table) -> Iterator[str]:
    if not table.house.game.elections:
        yield "bet"  # which this game does not know
    for verb, election in table.house.game.elections.items():
        yield from (f"{verb} {cards}" for cards in election.draws) if election.counted else (verb,)


def _super_rows(table: Table) -> Iterator[str]:
    yield from ("none", "flush")
    if "super" in table.house.submission.paytables:
        yield from rows(table.house.submission, "super")


def _answers(table: Table) -> Iterator[str]:
    yield from (choice or "none" for choice in settling.question(table.house, table.state)[1] or ("higher",))


def _bonus_hands(_table: Table) -> Iterator[str]:
    for hand in BONUS_HANDS:
        yield f"{hand} magic"
        yield from (f"{hand} {name}" for name in HANDS)


def _corrections(table: Table) -> Iterator[str]:
    for number in settling.correctable(table.state) or (1,):
        yield str(number)
        yield from (f"{number} {reason}" for reason in settling.CORRECTIONS)


def _envied(_table: Table) -> Iterator[str]:
    yield from ("2 royal flush", "5 straight flush", "3 flush")


def _emptied(table: Table) -> Iterator[str]:
    right = opening.expected(table.state)
    yield from (str(right), str(max(0, right - 1)))


ARGUMENTS: Mapping[str, Words] = {
    "problem": _problems,
    "stakes": _stakes,
    "choose": _elections,
    "row": _super_rows,
    "dealer-row": _super_rows,
    "answer": _answers,
    "five": _bonus_hands,
    "correct": _corrections,
    "envy": _envied,
    "emptied": _emptied,
    "count": _counts,
    "slot": _slots,
    "settle": lambda _: iter(wagering.SETTLEMENTS),
    "reopen": lambda _: iter(("", *wagering.REOPENINGS)),
    "dealer": lambda _: iter(("yes", "no")),
    "hand": lambda _: iter(HANDS),
    "rank": lambda _: iter(RANKS),
    "suit": lambda _: iter(SUITS),
    "royal": lambda _: iter(SUITS),
    "chips": lambda _: iter(("100", "500", "1500", "2500")),
    **dict.fromkeys(("seat", "sensor", "box", "same-player", "left", "account", "raise"), _seats),
    **dict.fromkeys(
        (
            *("floor", "apply", "back", "acknowledge", "received", "preinspected", "inspected", "defect", "verify"),
            *("looked", "stacked", "shuffled", "shuffled-and-cut", "cut", "recut", "face-up", "shut-short", "fetch"),
            *("cash-out", "no-chips", "undo", "dealt", "winners", "stub-right", "clear", "next"),
            *("supers-settled", "bets", "folds", "cards", "recount", "enter", "cancel", "look", "settled", "uncredit"),
            *("show", "approve", "not-a-winner", "claim-paid", "accept-price", "claim-rejected", "paid", "envy-paid"),
            "highest",
        ),
        _nothing,
    ),
}
"""Verb -> what may follow it."""


def verbs(table: Table) -> tuple[str, ...]:
    """The verbs of the phase that is shown."""
    return (*KEYS[table.state.phase], *ANY_TIME)


def plausible(table: Table, verb: str) -> tuple[str, ...]:
    """The words that a verb begins, now."""
    return tuple(f"{verb} {rest}".rstrip() for rest in ARGUMENTS[verb](table))
