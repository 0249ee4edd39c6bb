"""Whole shifts by seed (`firmware/proof/simulation/shifts`): what a table may never do, and that shifts would see it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from firmware.proof.simulation.account import Unbalanced
from firmware.proof.simulation.hands import Cards
from firmware.proof.simulation.shifts import settling as shift_settling
from firmware.proof.simulation.shifts.law import Wrong
from firmware.proof.simulation.shifts.prizes import turn_to
from firmware.proof.simulation.shifts.shift import SHIFT_ROUNDS, Shift, play
from firmware.rules.games import books, load_book
from firmware.rules.message import as_is, say
from firmware.table import deciding, irregularity, opening, results, settling
from firmware.table import events as e
from firmware.table.decide import ANY_TIME, KEYS
from firmware.table.projections import to_settle
from firmware.table.state import Phase, TableState
from firmware.wire.structs import replace
from tests.sample import some

BOOKS = pytest.mark.parametrize("book", books())
FEW = pytest.mark.parametrize("book", some(books(), keep=books()[1:2]))


@FEW
@pytest.mark.parametrize("seed", some(range(1, 5), keep=[1]))
def test_an_hour_at_each_table(book: str, seed: int) -> None:
    """Every round with a hand is in the auditor's account (`firmware/proof/simulation/account`)."""
    met = play(book, seed, SHIFT_ROUNDS // 8)
    assert met["rounds"] == SHIFT_ROUNDS // 8 and met["rounds in the account"] > SHIFT_ROUNDS // 8 - 3


@FEW
def test_a_seed_fixes_the_shift(book: str) -> None:
    assert play(book, 7, 8) == play(book, 7, 8)


@FEW
def test_7e_where_a_book_allows_a_player_two_boxes_somebody_has_them(book: str) -> None:
    """One limit over both (677a.12(f)) or one for each (653a.12(h)), and no envy from his own hand: all in the account."""
    allowed = "adjacent_boxes" in load_book(book).general
    assert (Shift(book, 5, level=1).house.submission.adjacent_boxes > 1) == allowed
    if allowed:
        shift = Shift(book, 6, level=1, trouble=0)
        shift.play(50)
        assert shift.tally["one player's boxes"]


@pytest.mark.slow
def test_the_shifts_meet_every_kind_of_trouble() -> None:
    """A simulation that never voids a round proves nothing about void rounds."""
    met: Counter[str] = Counter()
    for book in books():
        for seed in range(10, 12):
            table = Shift(book, seed, trouble=4)
            table.play(60)
            met += table.tally
    for what in ("power cut", "refused press", "device covered", "idle", "left", "clear taken back", "stub counted"):
        assert met[what], f"no {what} in {met}"
    for what in (
        "corrected by the floor",
        "collected, taken back",
        "settled in a void round",
        "rounds compared",
        "recut",
        "rounds in the account",
    ):
        assert met[what], f"no {what} in {met}"
    voids = {name.split(" ")[0] for name in met if " in " in name}
    assert {"face-up", "wrong-number", "dealer-exposed", "misdealt", "not-52", "one-face-up"} <= voids


@pytest.mark.slow
@pytest.mark.timeout(1200)
@BOOKS
def test_whole_shifts(book: str) -> None:
    for seed in range(1000, 1002):
        assert play(book, seed, SHIFT_ROUNDS)["rounds"] == SHIFT_ROUNDS


# Would it be seen? --------------------------------------------------------------------------------------------------------


def lines_paid_twice(*args: Any) -> Any:
    yield from (
        replace(event, lines=(*event.lines, *event.lines)) if isinstance(event, e.SeatSettled) else event
        for event in settle_seat(*args)
    )


def a_refusal_that_forgets(*args: Any) -> Any:
    yield e.PressRefused("count 99", as_is("no"), "", None)
    yield e.SeatChosen(0)


def never_told(state: TableState) -> TableState:
    return replace(state, desk=replace(state.desk, complaints=99))


def removed_decks_return(house: Any, state: Any) -> Any:
    return tuple(enumerate(opening.missing(house, state), start=1))


def void_without_a_signature(table: Any, press: Any) -> Any:
    found = irregularity.chosen(*table)
    if found is None:
        yield press.refused(say("problem.choose-first"))
    else:
        yield from found.deed(table, found, press._replace(by=""))


def folds_pay(house: Any, state: Any) -> Any:
    for event in collect_folds(house, state):
        yield replace(event, lines=event.lines[1:]) if isinstance(event, e.LinesSettled) else event


settle_seat, collect_folds = settling.settle_seat, deciding.collect_folds
SPOILT_KEYS = {
    "a seat is settled twice": (KEYS[Phase.SETTLE], "settled", lines_paid_twice),
    "nobody signs": (ANY_TIME, "apply", void_without_a_signature),
    "a refusal changes the table": (KEYS[Phase.SETTLE], "answer", a_refusal_that_forgets),
}
SPOILT = {
    "a fold is forgotten": (deciding, "collect_folds", folds_pay),
    "a removed deck comes back": (opening, "_numbered", removed_decks_return),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SPOILT_KEYS, *SPOILT])
def test_a_spoilt_table_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in SPOILT:
        monkeypatch.setattr(*SPOILT[name])
    else:
        monkeypatch.setitem(*SPOILT_KEYS[name])
    with pytest.raises((Wrong, Unbalanced)):
        for seed in range(1, 12):
            Shift("pa-653a", seed, level=1, trouble=4).play(30)


def test_who_comes_back_to_a_lost_seat_tells_no_other_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tap on a seat of which nothing was told says that it wins: at level 1, seed 200047, round 194, the people tapped
    seat 5 for its prize after they had been at seat 6, and it was paid though it lost.
    """
    pay_in_order = shift_settling._pay_in_order
    lost: list[int] = []

    def looked_around(shift: Shift, cards: Cards) -> None:
        before = {seat: results.result_of(shift.state, seat) for seat in to_settle(shift.state)}
        for seat in before:
            turn_to(shift, seat)
            assert shift.state.round.turn == seat
        assert {seat: results.result_of(shift.state, seat) for seat in before} == before
        lost.extend(seat for seat, told in before.items() if not told)
        pay_in_order(shift, cards)

    monkeypatch.setattr(shift_settling, "_pay_in_order", looked_around)
    Shift("pa-653a", 2, level=1).play(14)
    assert len(lost) > 5


@pytest.mark.slow
def test_a_corrected_seat_tells_its_result_before_its_prize() -> None:
    """653a.11(h)(2): at level 1, seed 2420008, round 136, the floor had a seat settled again of which cards had been told;
    the people named its Magic Card first, and the table refused it. A whole shift: the seed alone comes to it.
    """
    assert play("pa-653a", 2420008, SHIFT_ROUNDS, level=1)["corrected by the floor"]


@pytest.mark.slow
def test_11m_who_folded_is_asked_for_trips_and_then_for_six_card() -> None:
    """653a.11(i), (m): at level 1, seed 20261161, round 72, a "none" of a Six Card answered the Trips before it."""
    assert play("pa-653a", 20261161, 80, level=1)["rounds in the account"]


@pytest.mark.slow
def test_13_what_a_correction_undid_is_taken_back_by_the_void_round_that_follows() -> None:
    """36.05.16.13: at level 1, seed 20261152, round 224, Trips that were paid in a void round were corrected, and the round
    was void twice more: the auditor took the correction for the payment back.
    """
    assert play("md-36.05.16", 20261152, 230, level=1)["rounds in the account"]


@pytest.mark.slow
def test_11m_what_a_credited_prizes_key_took_behind_the_meters_is_in_the_account() -> None:
    """653a.11(l), (m): at level 1, seed 2703007, round 77, a Six Card Bonus lost where the Magic Card was credited."""
    assert play("pa-653a", 2703007, 80, level=1)["rounds in the account"]


def test_a_state_that_is_not_in_the_journal_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something remembered that no event says: the first power cut shows it."""
    table = Shift("pa-677a", 3, trouble=8)
    written = table._write
    monkeypatch.setattr(table, "_write", lambda events, after: written(events, never_told(after)))
    with pytest.raises(Wrong, match="replay differs"):
        table.play(30)


@pytest.mark.slow
def test_the_spoilt_tables_are_sound_unspoilt() -> None:
    Shift("pa-653a", 1, level=1, trouble=4).play(30)
