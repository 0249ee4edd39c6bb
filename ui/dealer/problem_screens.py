"""What goes wrong: the list under PROBLEM, a floorperson's signature, corrections, players who left (section .13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.rules.payment import Payment, Source
from firmware.table import five_card, irregularity, settling
from firmware.table.house import House
from firmware.table.irregularity import Problem
from firmware.table.state import Seat, TableState
from ui.dealer.frame import GAP, Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    back_key,
    bar,
    key,
    label,
    money,
    nothing_yet,
    notice,
    paid_from,
    pin_pad,
    primary,
    refusal,
    short_money,
    work,
)
from ui.dealer.seats import short_tile, taken_back_words, tiles
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget

LIST_GAP = 0.6
IN_TWO_COLUMNS = 12
"""So many problems stand in two columns of keys; more of them in three, without the word that the floor signs."""
ROWS_LEAST = 5


def irregularity_list(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Everything that can be told in this phase."""
    found = irregularity.problems(house, state)
    wide = len(found) <= IN_TWO_COLUMNS or frame.upright
    across = 2 if wide else 3
    down = max(ROWS_LEAST, -(-len(found) // across))
    places = [place for column in frame.page.columns(across) for place in column.rows(down, LIST_GAP)]
    for problem, place in zip(found, places, strict=False):
        yield _problem_key(problem, place, wide)
    yield from bar(frame, state, problem="")
    yield back_key(frame)
    if state.desk.notice:  # the list may need all the room above
        said = Line(state.desk.notice, "status", Tone.CAUTION)
        yield label("primary", frame.next_beside_back, said, fill="tile", border=Tone.CAUTION)
    else:
        yield nothing_yet(frame, "WHAT HAPPENED?", "nothing is void or paid yet", beside_back=True)


def _problem_key(problem: Problem, area: Area, wide: bool) -> Widget:
    who = "floor signs" if problem.floor and wide else ""
    below = "  ".join(part for part in (problem.cite, who) if part)
    lines = (Line(problem.words, "status"), *([Line(below, "small", Tone.MUTED)] if below else []))
    border = Tone.STOP if problem.voids else None
    return Widget(
        f"problem-{problem.key}", area.x, area.y, area.w, area.h, lines,
        fill="key", press=f"problem {problem.key}", border=border, group="problems",
    )  # fmt: skip


def sign(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """One problem that a floorperson signs: what happened, what follows, badge and PIN."""
    found = irregularity.chosen(house, state)
    if found is None:
        lines = [Line("That cannot be told any more.", "strong", Tone.CAUTION), Line("Choose again: PROBLEM.", "body")]
    else:
        lines = [Line(found.words, "strong")]
        lines += [Line(found.cite, "status", Tone.MUTED)] if found.cite else []
        lines += [Line(text, "status") for text in _follows(house, state, found)]
    lines += refusal(state, live, Line("Badge and PIN, then hold APPLY.", "status", Tone.FLOOR))
    voids = found is not None and bool(found.voids)
    border = Tone.STOP if voids else Tone.FLOOR
    yield label("facts", frame.facts, *lines, fill="tile", border=border)
    yield from pin_pad(state, live, frame, "floorperson")
    yield from bar(frame, state)
    yield back_key(frame)
    words = ("APPLY: ROUND VOID" if voids else "APPLY", "hold 1.5 s")
    ready = found is not None and bool(live.by)
    yield primary(frame, "apply", *words, hold=True, enabled=ready, fill="stop" if voids else "floor", beside_back=True)


def _follows(house: House, state: TableState, found: Problem) -> Iterator[Text]:
    if not found.voids:
        yield found.effect
        return
    yield "All hands are void. Every wager goes back."
    still = house.submission.book.still_settled.get(found.voids, frozenset()) if found.after_deal else frozenset()
    if still:
        names = " and ".join(house.game.called(wager) for wager in sorted(still))
        yield f"But the community cards are dealt, and {names} settled from them."
    paid = ((number, sum(line.payout for line in seat.position.lines)) for number, seat in state.numbered())
    if words := taken_back_words(tuple(one for one in paid if one[1])):
        yield words
    if state.program.progressive:
        lit = ", ".join(map(str, state.wagers)) or "none"
        yield f"Progressive chips come back from the rack to seats: {lit}."
    if found.effect:
        yield found.effect


# Corrections --------------------------------------------------------------------------------------------------------


def correct(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Which seat is settled again, and why; or the last credit to an account is taken back."""
    if seat := state.desk.panel.seat:
        yield from _reasons(house, state, live, frame, seat)
    else:
        yield from _whose_settlement(house, state, live, frame)
    yield from bar(frame, state)
    yield back_key(frame)


CORRECT_KEY_H, REASON_KEY_H = 11.4, 10.8


def _whose_settlement(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    again = settling.correctable(state)
    lines = refusal(
        state,
        live,
        Line("Which seat was settled wrongly?", "strong"),
        Line("It is settled again, from the start.", "status", Tone.MUTED),
    )
    area = frame.facts
    if credit := five_card.last_credit(state):
        area, below = area.foot(frame.for_words(CORRECT_KEY_H))
        yield key(
            "uncredit", "uncredit", below, "TAKE THE LAST CREDIT BACK",
            f"seat {credit.seat}: {house.game.called(credit.wager)}, {money(credit.payout)} · hold",
            size="label", second="small", hold=True, enabled=bool(live.by),
        )  # fmt: skip
    seats_h = 2 * frame.for_words(CORRECT_KEY_H) + GAP
    facts, seats = area.foot(seats_h)
    yield label("facts", facts, *lines, fill="tile")
    for number, place in zip(again, seats.grid(3, 2 if len(again) <= 6 else 3), strict=False):
        paid = sum(line.payout for line in settling.settled_again(state, number))
        words = (f"SEAT {number}", f"paid {short_money(paid)}" if paid else "settled")
        yield key(f"correct-{number}", f"correct {number}", place, *words, size="label", group="correct")
    yield from pin_pad(state, live, frame, "floorperson")
    yield nothing_yet(frame, "WHICH SEAT?", beside_back=True)


REASON_KEYS: Mapping[str, tuple[str, str]] = {
    "wrong-result": ("HANDS COMPARED WRONGLY", "hold 1.5 s"),
    "wrong-amount": ("WRONG AMOUNT PAID", "hold 1.5 s"),
    "wrong-seat": ("ANOTHER SEAT WAS MEANT", "hold 1.5 s"),
}


def _undone(house: House, line: Payment) -> str:
    """`Blind win $47,500 (limit)`, `Play push $30`: what became of a wager, and what crossed the table."""
    over = line.payout or line.returned
    words = f"{house.game.called(line.wager)} {line.result}" + (f" {short_money(over)}" if over else "")
    where = f" {paid_from([line])}" if line.source not in (None, Source.RACK) else ""
    return f"{words}{where}{' (limit)' if line.limited else ''}"


def _reasons(house: House, state: TableState, live: Live, frame: Frame, number: int) -> Iterator[Widget]:
    said = [_undone(house, line) for line in settling.settled_again(state, number)]
    facts = [Line(f"Seat {number} is settled again", "strong")]
    facts += [Line(", ".join(said), "small", Tone.MUTED)]
    lines = [*facts, *refusal(state, live, Line("Why? Badge and PIN, then hold the reason.", "status", Tone.FLOOR))]
    told, keys = frame.facts.foot(3 * frame.for_words(REASON_KEY_H) + 2 * GAP)
    yield label("facts", told, *lines, fill="tile", border=Tone.FLOOR)
    for reason, area in zip(settling.CORRECTIONS, keys.rows(len(settling.CORRECTIONS)), strict=True):
        words = REASON_KEYS.get(reason, (reason.upper(), "hold 1.5 s"))
        yield key(
            f"reason-{reason}", f"correct {number} {reason}", area, *words,
            size="label", second="small", hold=True, enabled=bool(live.by),
        )  # fmt: skip
    yield from pin_pad(state, live, frame, "floorperson")
    yield nothing_yet(frame, "HOLD THE REASON", beside_back=True)


# Who left -------------------------------------------------------------------------------------------------------------


def left(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Whose player left the table during the round."""

    def one(number: int, seat: Seat) -> Widget:
        gone = seat.left
        takes_part = seat.position.plays or seat.wager or bool(seat.five_card)
        can = takes_part and not seat.position.settled and seat.prize is None
        shape, tone = (Shape.DASH, Tone.CAUTION) if gone else (Shape.TICK, Tone.DONE)
        if not takes_part:
            return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand")
        word = "LEFT" if gone else "here"
        below = "" if can else "settled"
        return short_tile(frame, state, number, shape, tone, word, below, press=f"left {number}" if can else "")

    yield from tiles(state, one)
    cite = house.procedure.cite("abandoned")
    lines = (
        Line(f"Whose player left the table? ({cite})", "strong"),
        Line("What he wagered is lost: his cards and wagers are collected.", "body"),
        Line("Tap the seat again if he is still here.", "body", Tone.MUTED),
    )
    yield work(frame.low, *notice(state, *lines))
    yield from bar(frame, state)
    yield primary(frame, "back", "BACK TO THE ROUND")


BODIES: dict[str, Body] = {
    "irregularity": irregularity_list,
    "sign": sign,
    "correct": correct,
    "left": left,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "irregularity": ("PROBLEM", Tone.CAUTION),
    "sign": ("PROBLEM · FLOOR", Tone.FLOOR),
    "correct": ("CORRECTION", Tone.FLOOR),
    "left": ("PLAYER LEFT", Tone.CAUTION),
}
