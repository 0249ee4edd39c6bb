"""What goes wrong: the list under PROBLEM, a floorperson's signature, corrections, players who left (section .13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.rules.message import Message, say
from firmware.rules.payment import Payment, Result, Source
from firmware.table import deciding, five_card, irregularity, settling, wagering
from firmware.table.house import House
from firmware.table.irregularity import Problem
from firmware.table.projections import paid_out
from firmware.table.state import Correction, Reopening, Seat, TableState
from ui.dealer.frame import GAP, Area, Frame
from ui.dealer.pieces import (
    FLOORPERSON,
    Body,
    Live,
    back_key,
    bar,
    joined,
    key,
    label,
    nothing_yet,
    paid_from,
    pin_pad,
    primary,
    refusal,
    short_money,
)
from ui.dealer.seats import taken_back_words
from ui.dealer.widgets import Line, Text, Tone, Widget

LIST_GAP = 0.6
IN_TWO_COLUMNS, UPRIGHT_IN_ONE_COLUMN = 12, 10
"""So many problems stand in few columns of keys; more of them in one column more, without the word that the floor signs."""
ROWS_LEAST = 5


def irregularity_list(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Everything that can be told in this phase."""
    found = irregularity.problems(house, state)
    across = _columns(len(found), frame)
    wide = across < (2 if frame.upright else 3)
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
        yield nothing_yet(frame, say("key.what-happened"), say("problem.nothing-yet"), beside_back=True)


def _columns(problems: int, frame: Frame) -> int:
    if frame.upright:
        return 1 if problems <= UPRIGHT_IN_ONE_COLUMN else 2
    return 2 if problems <= IN_TWO_COLUMNS else 3


def _problem_key(problem: Problem, area: Area, wide: bool) -> Widget:
    who: list[Text] = [say("problem.floor-signs")] if problem.floor and wide else []
    below = [problem.cite, *who] if problem.cite else who
    lines = (
        Line(problem.words, "status"),
        *([Line(joined(below, "  "), "small", Tone.MUTED, "right")] if below else []),
    )
    border = Tone.STOP if problem.voids else None
    return Widget(
        f"problem-{problem.key}", area.x, area.y, area.w, area.h, lines,
        fill="key", press=f"problem {problem.key}", border=border, group="problems",
    )  # fmt: skip


def sign(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """One problem that a floorperson signs: what happened, what follows, badge and PIN."""
    found = irregularity.chosen(house, state)
    if found is None:
        lines = [Line(say("problem.too-late"), "strong", Tone.CAUTION), Line(say("problem.choose-again"), "body")]
    else:
        lines = [Line(found.words, "strong")]
        lines += [Line(found.cite, "status", Tone.MUTED)] if found.cite else []
        lines += [Line(text, "status") for text in _follows(house, state, found)]
    lines += refusal(state, live, Line(say("problem.sign"), "status", Tone.FLOOR))
    voids = found is not None and bool(found.voids)
    border = Tone.STOP if voids else Tone.FLOOR
    yield label("facts", frame.facts, *lines, fill="tile", border=border)
    yield from pin_pad(house, state, live, frame, FLOORPERSON)
    yield from bar(frame, state)
    yield back_key(frame)
    word = say("key.apply-void") if voids else say("key.apply")
    ready = found is not None and bool(live.by)
    yield primary(frame, "apply", word, hold=True, enabled=ready, fill="stop" if voids else "floor", beside_back=True)


def _follows(house: House, state: TableState, found: Problem) -> Iterator[Text]:
    if not found.voids:
        yield found.effect
        return
    yield say("follows.void")
    still = house.submission.book.still_settled.get(found.voids, frozenset()) if found.after_deal else frozenset()
    if state.program.level:  # of those that lie there
        still &= {wager for seat in state.round.seats for wager, _ in seat.position.stakes}
    if still:
        names = tuple(house.game.called(wager) for wager in sorted(still))
        own = not house.game.needs_board(still)
        yield (
            say("follows.still-own", n=len(names), wagers=names)
            if own
            else say("follows.still-settled", n=len(names), wagers=names)
        )
    paid = ((number, paid_out(seat.position)) for number, seat in state.numbered())
    if words := taken_back_words(tuple(one for one in paid if one[1])):
        yield words
    if state.program.progressive:
        lit = state.wagers
        yield say("follows.return-chips", n=len(lit), seats=lit) if lit else say("follows.no-chips")
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


CORRECT_KEY_H, CREDIT_KEY_H = 11.4, 14.6
REASONS_H, REASONS_UPRIGHT_H = 34.8, 33.0
"""Of the keys of the reasons, below each other."""


def _whose_settlement(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    again = settling.correctable(state)
    lines = refusal(
        state,
        live,
        Line(say("correct.which-seat"), "strong"),
        Line(say("correct.from-the-start"), "status", Tone.MUTED),
    )
    area = frame.facts
    if credit := five_card.last_credit(state):
        area, below = area.foot(frame.for_words(CREDIT_KEY_H))
        what = say("correct.credit", seat=credit.seat, wager=house.game.called(credit.wager), amount=credit.payout)
        yield key(
            "uncredit", "uncredit", below, say("key.take-credit-back"), what,
            size="label", second="small", hold=True, enabled=bool(live.by),
        )  # fmt: skip
    seats_h = 2 * frame.for_words(CORRECT_KEY_H) + GAP
    facts, seats = area.foot(seats_h)
    yield label("facts", facts, *lines, fill="tile")
    for number, place in zip(again, seats.grid(3, 2 if len(again) <= 6 else 3), strict=False):
        undone = settling.settled_again(state, number)
        paid = sum(_crossed(house, line) for line in undone)
        done = say("correct.settled") if state.seat(number).position.settled else say("correct.answered")
        words = (say("key.seat", seat=number), say("correct.paid", amount=paid) if paid else done)
        yield key(f"correct-{number}", f"correct {number}", place, *words, size="label", group="correct")
    yield from pin_pad(house, state, live, frame, FLOORPERSON)
    yield nothing_yet(frame, say("key.which-seat"), beside_back=True)


REASON_KEYS: Mapping[Correction, Message] = {
    Correction.WRONG_RESULT: say("key.wrong-result"),
    Correction.WRONG_AMOUNT: say("key.wrong-amount"),
    Correction.WRONG_SEAT: say("key.wrong-seat"),
}
RESULTS: Mapping[Result, Message] = {
    Result.WIN: say("undone.win"),
    Result.LOSE: say("undone.lose"),
    Result.PUSH: say("undone.push"),
    Result.VOID: say("undone.void"),
}


def _crossed(house: House, line: Payment) -> int:
    """Cents that crossed the table for a win: the payout, and the stake where that had been racked at the count."""
    racked = house.game.wagers[line.wager].of_meter if line.wager in house.game.wagers else False
    return line.payout + (line.returned if racked else 0)


def _undone(house: House, line: Payment) -> Text:
    """`Blind win $47,500 (limit)`, `Play push $30`: what became of a wager, and what crossed the table."""
    over = _crossed(house, line) if line.payout else line.returned
    said: list[Text] = [house.game.called(line.wager), RESULTS[line.result]]
    said += [short_money(over)] if over else []
    said += [paid_from([line])] if line.source not in (None, Source.RACK) else []
    said += [say("undone.limit")] if line.limited else []
    return joined(said, " ")


def _reasons(house: House, state: TableState, live: Live, frame: Frame, number: int) -> Iterator[Widget]:
    said = [_undone(house, line) for line in settling.settled_again(state, number)]
    facts = [Line(say("correct.again", seat=number), "strong"), Line(joined(said), "small", Tone.MUTED)]
    lines = [*facts, *refusal(state, live, Line(say("correct.why"), "status", Tone.FLOOR))]
    told, keys = frame.facts.foot(frame.for_words(REASONS_UPRIGHT_H if frame.upright else REASONS_H))
    yield label("facts", told, *lines, fill="tile", border=Tone.FLOOR)
    for reason, area in zip(settling.CORRECTIONS, keys.rows(3), strict=True):
        yield key(
            f"reason-{reason}", f"correct {number} {reason}", area, REASON_KEYS[reason],
            size="label", second="small", hold=True, enabled=bool(live.by),
        )  # fmt: skip
    yield from pin_pad(house, state, live, frame, FLOORPERSON)
    yield nothing_yet(frame, say("key.hold-reason"), beside_back=True)


# Who left, and bets that are opened again ---------------------------------------------------------------------------------


def left(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Whose player left the table during the round: a floorperson has the wagers treated as losing (653a.7(b))."""
    nobody = deciding.anyone_may_leave(house, state)
    cite = house.procedure.cite("abandoned")
    lines = (
        Line(say("left.whose", cite=cite), "strong"),
        *([Line(nobody, "status", Tone.CAUTION)] if nobody else [Line(say("left.lost"), "status")]),
        Line(say("left.again"), "status", Tone.MUTED),
        Line(say("left.sign"), "status", Tone.FLOOR),
    )
    facts, seats = frame.facts.foot(2 * frame.for_words(CORRECT_KEY_H) + GAP)
    yield label("facts", facts, *refusal(state, live, *lines), fill="tile", border=Tone.FLOOR)
    there = [(number, seat) for number, seat in state.numbered() if _is_there(seat)]
    for (number, seat), place in zip(there, seats.grid(3, 2 if len(there) <= 6 else 3), strict=False):
        yield _left_key(house, state, live, place, number, seat)
    yield from pin_pad(house, state, live, frame, FLOORPERSON)
    yield from bar(frame, state)
    yield primary(frame, "back", say("key.to-round"))


def _is_there(seat: Seat) -> bool:
    return seat.position.plays or seat.wager or bool(seat.five_card)


def _left_key(house: House, state: TableState, live: Live, place: Area, number: int, seat: Seat) -> Widget:
    why_not = deciding.may_leave(house, state, number)
    paid = why_not == say("left.paid", seat=number)
    word = say("left.gone") if seat.left else say("left.here")
    if why_not and not deciding.anyone_may_leave(house, state):
        word = say("seat.prize-paid") if paid else say("correct.settled")
    border = Tone.CAUTION if seat.left else None
    return key(
        f"left-{number}", f"left {number}", place, say("key.seat", seat=number), word,
        size="label", second="small", enabled=bool(live.by) and not why_not, border=border, group="left",
    )  # fmt: skip


REOPEN_KEYS: Mapping[Reopening, Message] = {
    Reopening.BY_MISTAKE: say("key.locked-by-mistake"),
    Reopening.TOO_EARLY: say("key.locked-too-early"),
    Reopening.NOT_TAKEN: say("key.wager-not-taken"),
}


def reopen(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Why a floorperson has bets opened again after the count (653a.7(c))."""
    cite = house.procedure.cite("after no more bets")
    why_not = wagering.may_not_reopen(house, state)
    lines = (
        Line(say("reopen.heading"), "strong"),
        Line(cite, "status", Tone.MUTED),
        Line(why_not or say("reopen.no-card"), "status", Tone.CAUTION),
        Line(say("correct.why"), "status", Tone.FLOOR),
    )
    told, keys = frame.facts.foot(frame.for_words(REASONS_UPRIGHT_H if frame.upright else REASONS_H))
    yield label("facts", told, *refusal(state, live, *lines), fill="tile", border=Tone.FLOOR)
    ready = bool(live.by) and not why_not
    for reason, area in zip(wagering.REOPENINGS, keys.rows(3), strict=True):
        yield key(
            f"reason-{reason}", f"reopen {reason}", area, REOPEN_KEYS[reason],
            size="label", second="small", hold=True, enabled=ready,
        )  # fmt: skip
    yield from pin_pad(house, state, live, frame, FLOORPERSON)
    yield from bar(frame, state)
    yield back_key(frame)
    yield nothing_yet(frame, say("key.hold-reason"), beside_back=True)


BODIES: dict[str, Body] = {
    "irregularity": irregularity_list,
    "sign": sign,
    "correct": correct,
    "left": left,
    "reopen": reopen,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "irregularity": (say("title.irregularity"), Tone.CAUTION),
    "sign": (say("title.sign"), Tone.FLOOR),
    "correct": (say("title.correct"), Tone.FLOOR),
    "left": (say("title.left"), Tone.FLOOR),
    "reopen": (say("title.reopen"), Tone.FLOOR),
}
