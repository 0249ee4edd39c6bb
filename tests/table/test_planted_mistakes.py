"""Seventeen mistakes are found by the auditor of the shifts (`firmware/proof/simulation/account`) alone.

They were thought up by somebody who had not read him. Each is planted in one function of the program; the table's own
assertions, and the shift's comparison of lines, are silent meanwhile.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from firmware.proof.simulation.account import Unbalanced
from firmware.proof.simulation.shifts import shift
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.rules.worlds import Worlds
from firmware.table import events as e
from firmware.table import (
    evidence,
    evolve_decks,
    evolve_game,
    evolve_prizes,
    interlock,
    irregularity,
    jackpot,
    known,
    outbox,
    pricing,
    projections,
)
from firmware.wire.from_table import Wagers
from firmware.wire.structs import replace
from ui.dealer import pieces

Function = Callable[..., Any]
Mistake = Callable[[Function], Function]


def _of_result(change: Callable[..., Any]) -> Mistake:
    """The function answers as before, and `change(answer, *arguments)` spoils it."""

    def spoil(right: Function) -> Function:
        @wraps(right)
        def wrong(*given: Any, **named: Any) -> Any:
            return change(right(*given, **named), *given, **named)

        return wrong

    return spoil


def _tie_loses(said: Any, *_: Any) -> Any:
    return said._replace(result="lower" if said.result == "equal" else said.result)


def _goes_with_his_wagers(lines: Any, _: Any, state: Any, number: int, *__: Any) -> Any:
    """Who left takes his wagers along: they lie there no more when the dealer comes to collect them."""
    left = state.seat(number).position.left
    return tuple(line._replace(result="push", returned=line.stake) if left else line for line in lines)


def _deck_returns(state: Any, before: Any, event: Any) -> Any:
    """A deck that is removed stays among those that are here."""
    kept = isinstance(event, e.DeckRemoved)
    return replace(state, decks=replace(state.decks, here=before.decks.here)) if kept else state


def _same_deck(state: Any, before: Any, **_: Any) -> Any:
    return replace(state, decks=replace(state.decks, in_play=before.decks.in_play))


def _no_limit(right: Function) -> Function:
    def wrong(submission: Any, *given: Any) -> Any:
        return right(dataclasses.replace(submission, payout_limit=None), *given)

    return wrong


def _one_wager_less(right: Function) -> Function:
    def wrong(state: Any, body: Any, *fed: Any) -> Any:
        if isinstance(body, Wagers) and len((first := body.made[0]).seats) > 1:
            less = replace(first, seats=first.seats[:-1], amounts=first.amounts[:-1])
            body = replace(body, made=(less, *body.made[1:]))
        return right(state, body, *fed)

    return wrong


def _no_reversal(events: Any, *_: Any) -> Iterator[Any]:
    return (event for event in events if not isinstance(event, e.MessageOwed))


def _dollar_less(state: Any, _: Any, event: Any) -> Any:
    if not isinstance(event, e.AccountCredited):
        return state
    accounts = list(state.felt.accounts)
    accounts[event.seat - 1] -= 100
    return replace(state, felt=replace(state.felt, accounts=tuple(accounts)))


def _own_row(rows: Any, game: Any, state: Any, position: Any) -> Any:
    """Of every hand that a position backs, another player's too, the row of its own hand."""
    of_dealer = [(wager, row) for wager, row in rows if wager == game.on_hand(0)]
    others = [wager for wager, _ in position.stakes if game.is_declared(wager) and wager != game.on_hand(0)]
    return (*((wager, position.super_row) for wager in others if position.super_row), *of_dealer)


def _chip_short(right: Function) -> Function:
    """Of every chip of which there are several, one is left out."""

    def wrong(cents: int, denominations: Any) -> Any:
        left, short = cents, 0
        for chip in denominations:
            number, left = divmod(left, chip)
            short += chip if number > 1 else 0
        return right(cents - short, denominations)

    return wrong


def _cent_short(right: Function) -> Function:
    def wrong(house: Any, state: Any, prize: Any, answer: Any, epoch: str) -> Any:
        return right(house, state, prize, replace(answer, amount=answer.amount - 1), epoch)

    return wrong


class Planted(NamedTuple):
    """What is wrong with which function; at which table it is looked for, and what the auditor says."""

    module: ModuleType | type
    function: str
    spoil: Mistake
    book: str
    level: int
    said: str


MISTAKES = {
    "a fixed prize short by the stake": Planted(
        jackpot,
        "fixed",
        _of_result(lambda paid, *_: paid._replace(returned=0)),
        "md-36.05.16",
        0,
        r"due were .* by progressive win \$5.00 returned \$5.00 .*handed over were",
    ),
    "one envy bonus left out": Planted(
        evidence,
        "envy_owed",
        _of_result(lambda owed, *_: owed[:-1]),
        "pa-653a",
        0,
        r"envy win .*; handed over were",
    ),
    "a deck that was removed returns": Planted(
        evolve_decks,
        "evolve_decks",
        _of_result(_deck_returns),
        "pa-653a",
        1,
        r"deck \d+ was removed .*, and the screen has it at the table",
    ),
    "two decks never alternate": Planted(
        evolve_game,
        "_cleared",
        _of_result(_same_deck),
        "md-36.05.16",
        0,
        r"deck \d+ is dealt twice in a row \(36.05.16.03B\)",
    ),
    "the limit is lost": Planted(
        pricing, "pay_lines", _no_limit, "md-36.05.16", 2, r"to pay \$50\d{3}.00 by ante (win|push)"
    ),
    "the limit is forgotten over two boxes": Planted(
        pricing,
        "_other_boxes",
        _of_result(lambda *_: ()),
        "pa-677a",
        1,
        r"to take \S+ and to pay \S+ by ante (win|push) .* \(677a.*; moved were",
    ),
    "a tie is settled as a loss": Planted(
        Worlds,
        "told",
        _of_result(_tie_loses),
        "pa-653a",
        2,
        r"to take \$\d+.00 and to pay \$0.00 by ante push",
    ),
    "one progressive wager is not reported": Planted(
        outbox,
        "owe",
        _one_wager_less,
        "pa-653a",
        0,
        r"meter \w+: .* is right; the bank has",
    ),
    "a void round's contributions stay on the meter": Planted(
        irregularity,
        "void",
        _of_result(_no_reversal),
        "pa-653a",
        1,
        r"meter \w+: .* is right; the bank has",
    ),
    "a known winner goes unpaid": Planted(
        evidence,
        "waiting",
        _of_result(lambda *_: ()),
        "pa-653a",
        2,
        r"due were 1 .*; handed over were none",
    ),
    "an account is credited a dollar less": Planted(
        evolve_prizes,
        "evolve_accounts",
        _of_result(_dollar_less),
        "pa-653a",
        0,
        r"its account should hold .* \(653a.11\(l\)\)",
    ),
    "the owner's row is used for a backed hand": Planted(
        known,
        "_rows_declared",
        _of_result(_own_row),
        "pa-671a",
        2,
        r"super:\d win",
    ),
    "the recipe of chips is a chip short": Planted(
        pieces,
        "recipe",
        _chip_short,
        "pa-653a",
        0,
        r"the chips make .* is to be paid",
    ),
    "a share is paid a cent short": Planted(
        jackpot,
        "answered",
        _cent_short,
        "pa-653a",
        0,
        r"due were 1 × \S+ from cage .*; handed over were 1 × \S+ from cage",
    ),
    "who left gets his wagers back": Planted(
        pricing,
        "early_lines",
        _of_result(_goes_with_his_wagers),
        "pa-671a",
        2,
        r"lose .* \(671a.7\(b\)\)",
    ),
    "the stub is never counted": Planted(
        interlock,
        "stub_due",
        _of_result(lambda *_: False),
        "pa-653a",
        0,
        r"no stub was counted in 5 rounds",
    ),
    "turns go from the first seat up": Planted(
        projections,
        "to_settle",
        _of_result(lambda waiting, *_: waiting[::-1]),
        "pa-653a",
        1,
        r"settled were seats .*; their turn is .* \(653a.11\(h\)\)",
    ),
}
SEEDS, ROUNDS, TROUBLE = range(1, 31), 20, 2


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_the_auditor_finds_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = MISTAKES[name]
    monkeypatch.setattr(shift, "compare", lambda *_: True)
    monkeypatch.setattr(ProvedTable, "_check", lambda *_: None)
    _plant(one, monkeypatch)
    with pytest.raises(Unbalanced, match=one.said):
        for seed in SEEDS:
            shift.Shift(one.book, seed, level=one.level, trouble=TROUBLE).play(ROUNDS)


def _plant(mistake: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mistake is in the program until the test is over: in every module that took the function by its name."""
    module, function = mistake.module, mistake.function
    right = getattr(module, function)
    taken = [one for one in list(sys.modules.values()) if one is not module and getattr(one, function, None) is right]
    for one in (module, *taken):
        monkeypatch.setattr(one, function, mistake.spoil(right))
