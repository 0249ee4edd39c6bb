"""Irregularities: the list under PROBLEM, a floorperson's signature, corrections, players who left (section .13)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payment import Payment, Result, Source
from firmware.table import days, debts, deciding, five_card, irregularity, settling, wagering
from firmware.table.house import House
from firmware.table.irregularity import Group, Problem, ProblemKind
from firmware.table.projections import chips_back, comes_back, positions_of_one
from firmware.table.state import Correction, Reopening, Seat, TableState
from ui.dealer.frame import GAP, Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    back_key,
    bar,
    hindered,
    joined,
    key,
    label,
    nothing_yet,
    paid_from,
    pin_pad,
    primary,
    refusal,
    short_money,
    work,
)
from ui.dealer.seats import MARKS_H, marks, stays_words, taken_back_words
from ui.dealer.widgets import Line, Text, Tone, Widget

HEADING_MM = 4.8
ROWS_LEAST = 4
COLUMNS, UPRIGHT_COLUMNS = 4, 2
HEADINGS: Mapping[Group, Message] = {
    Group.CARDS: say("problem.cards"),
    Group.CHIPS: say("problem.chips"),
    Group.MACHINE: say("problem.machine"),
    Group.PEOPLE: say("problem.people"),
}
"""The groups in their order; what is the table's own work stands under TABLE."""

Listed = list[Group | Problem]
"""A column: headings, and below each its keys."""


def irregularity_list(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Everything that can have gone wrong in this phase, by what it happened to."""
    found = irregularity.problems(house, state)
    groups = [(group, [one for one in found if one.group is group]) for group in HEADINGS]
    columns = _in_columns([(group, those) for group, those in groups if those], frame)
    if not columns:
        yield work(frame.page, Line(say("problem.none-here"), "strong"), Line(say("problem.see-table"), "body"))
    each = min([MOST_MM, *(_key_h(listed, frame) for listed in columns)])
    headed: set[Group] = set()
    for column, listed in zip(frame.page.columns(max(len(columns), 2)), columns, strict=False):
        yield from _column(listed, column, each, frame, headed)
        headed.update(one for one in listed if isinstance(one, Group))
    yield from bar(house, state, frame, reports=False)
    yield back_key(frame)
    if why_not := state.desk.notice or _first_hindered(
        house, state, live, found
    ):  # the list may need all the room above
        said = Line(why_not, "small", Tone.CAUTION)
        yield label("primary", frame.next_beside_back, said, fill="tile", border=Tone.CAUTION)
    else:
        yield nothing_yet(frame, say("key.what-happened"), say("problem.nothing-yet"), beside_back=True)


def _rows(listed: Listed) -> int:
    return sum(isinstance(one, Problem) for one in listed)


HEADING_SHARE = 0.4
"""The part of a key's height that a heading below the first one takes."""


def _tall(listed: Listed) -> float:
    """In keys: how much of its column is taken."""
    keys = _rows(listed)
    return keys + HEADING_SHARE * (len(listed) - keys - 1)


def _in_columns(groups: Sequence[tuple[Group, Sequence[Problem]]], frame: Frame) -> list[Listed]:
    """The groups below and beside each other: in as few rows as their columns allow, a long one in several columns."""
    most = UPRIGHT_COLUMNS if frame.upright else COLUMNS
    rows = ROWS_LEAST
    while len(columns := _filled(groups, rows)) > most:
        rows += 1
    return columns


def _filled(groups: Sequence[tuple[Group, Sequence[Problem]]], rows: int) -> list[Listed]:
    """Columns of so many keys; a group that would not fit below another one begins a column of its own."""
    columns: list[Listed] = []
    for group, those in groups:
        if not columns or _tall(columns[-1]) + HEADING_SHARE + len(those) > rows:
            columns.append([])
        columns[-1].append(group)
        for one in those:
            if _tall(columns[-1]) >= rows:
                columns.append([group])
            columns[-1].append(one)
    return columns


def _key_h(listed: Listed, frame: Frame) -> float:
    """How high the keys of this column can be (mm)."""
    keys = _rows(listed)
    return (frame.page.h - (len(listed) - keys) * frame.for_words(HEADING_MM) - (keys - 1) * GAP) / keys


def _column(listed: Listed, area: Area, each: float, frame: Frame, headed: Container[Group]) -> Iterator[Widget]:
    """One column; its keys are as high as those of the others. A group that goes on is `headed` where it began."""
    heading = frame.for_words(HEADING_MM)
    for place, one in enumerate(listed):
        if isinstance(one, Problem):
            here, area = area.top(each)
            yield _problem_key(one, here)
        else:
            here, area = area.top(heading, 0.0)
            if one not in headed:
                yield label(f"group-{one}-{place}-{area.x:.0f}", here, Line(HEADINGS[one], "label", Tone.MUTED))


MOST_MM = 18.0
"""The greatest height of a key of the list."""


def table_list(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The table's own work, where nothing went wrong: open, close, decks, sensors."""
    found = irregularity.routine(house, state)
    down = max(2, -(-(len(found) + live.can_serve) // 2))
    top = frame.page.top(down * min(MOST_MM, (frame.page.h - (down - 1) * GAP) / down) + (down - 1) * GAP)[0]
    places = top.grid(2, down)
    for problem, place in zip(found, places, strict=False):
        yield _problem_key(problem, place, "key", _called(state, live, problem))
    if live.can_serve:
        yield key("service", "service", places[len(found)], say("key.service"), group="problems")
    yield from bar(house, state, frame)
    if why_not := state.desk.notice or _first_hindered(house, state, live, found):
        yield back_key(frame)
        said = Line(why_not, "small", Tone.CAUTION)
        yield label("primary", frame.next_beside_back, said, fill="tile", border=Tone.CAUTION)
    else:
        yield primary(frame, "back", say("key.to-table"))


def _first_hindered(house: House, state: TableState, live: Live, found: Sequence[Problem]) -> Message:
    """The obstacle of the first of these that is dark; nothing if none is."""
    why_not = (hindered(house, state, live, f"problem {one.key}") for one in found)
    return next(filter(None, why_not), NOTHING)


def _called(state: TableState, live: Live, problem: Problem) -> Message:
    """The words of a key, and of the screen that is signed; for the closing of a gaming day also the day."""
    day = days.day_of(state, live.day) if problem.kind is ProblemKind.CLOSE_DAY else ""
    return say("problem.close-day-of", day=day) if day else problem.words


def _problem_key(problem: Problem, area: Area, size: str = "label", words: Message = NOTHING) -> Widget:
    """Red, with the word at its right edge, only where the round will be void."""
    lines = [Line(words or problem.words, size)]
    if problem.voids:
        lines.append(Line(say("problem.void"), "label", Tone.STOP, "right"))
    border = Tone.STOP if problem.voids else None
    return Widget(
        f"problem-{problem.key}", area.x, area.y, area.w, area.h, tuple(lines),
        fill="key", press=f"problem {problem.key}", border=border, group="problems",
    )  # fmt: skip


def sign(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """One problem that a floorperson signs: what happened, what follows, badge and PIN."""
    found = irregularity.chosen(house, state)
    if found is None:
        lines = [Line(say("problem.too-late"), "strong", Tone.CAUTION), Line(say("problem.choose-again"), "body")]
    else:
        lines = [Line(_called(state, live, found), "strong")]
        lines += [Line(found.cite, "small", Tone.MUTED)] if found.cite else []
        lines += [Line(text, "small") for text in _follows(house, state, found)]
    lines += refusal(state, live, Line(_who_signs(state, found), "small", Tone.FLOOR))
    voids = found is not None and bool(found.voids)
    border = Tone.STOP if voids else Tone.FLOOR
    seats, facts = frame.facts.top(frame.for_words(MARKS_H))
    yield from marks(state, seats)
    yield label("facts", facts, *lines, fill="tile", border=border)
    yield from pin_pad(house, state, live, frame, "apply")
    yield from bar(house, state, frame)
    yield back_key(frame)
    words: list[Text] = [_apply_words(house, state, found)]
    words += _of_debt(state, found) if found is not None else []
    yield primary(frame, "apply", *words, hold=True, fill="stop" if voids else "floor", beside_back=True)


def _apply_words(house: House, state: TableState, found: Problem | None) -> Text:
    """The subject of the signature; for a void round the wagers that are void too."""
    if found is None or not found.voids:
        return say("key.apply")
    if irregularity.needs_two(state) and not state.desk.panel.signed:
        return say("key.apply-first")
    if not state.round.void_cite:
        return say("key.apply-void")
    also = [
        say("decided.wager", wager=house.game.called(wager)) for wager in irregularity.also_void(house, state, found)
    ]
    return say("key.apply-void-too", wagers=joined(also, " + ")) if also else say("key.apply")


def _who_signs(state: TableState, found: Problem | None) -> Message:
    """How it is signed; of a void round against which something paid stands, that two people do."""
    first = state.desk.panel.signed
    if first:
        return say("void.second-now", badge=first)
    two = found is not None and found.voids and irregularity.needs_two(state)
    return say("void.two-sign") if two else say("problem.sign")


def _of_debt(state: TableState, found: Problem) -> Iterator[Message]:
    """The record of APPLY about money that is still owed: somebody takes it on, it was paid, it was not."""
    debt = debts.open_debt(state)
    if debt is None:
        return
    match found.kind:
        case ProblemKind.OWED:
            yield say("key.apply-owed", amount=debt.owed)
        case ProblemKind.OWED_PAID:
            yield say("key.apply-paid", amount=debt.owed)
        case ProblemKind.OWED_GONE:
            yield say("key.apply-gone", amount=debt.owed)


def _follows(house: House, state: TableState, found: Problem) -> Iterator[Text]:
    if not found.voids:
        yield found.effect
        return
    still = irregularity.still_settled(house, state, found)
    names = tuple(house.game.called(wager) for wager in still)
    if state.round.void_cite:
        also = tuple(house.game.called(wager) for wager in irregularity.also_void(house, state, found))
        yield say("void.already")
        yield say("void.too", wagers=also, n=len(also)) if also else say("void.nothing-more")
    else:
        yield say("follows.void-but", wagers=names) if names else say("follows.void")
    if names:
        own = not house.game.needs_board(still)
        yield (
            say("follows.still-own", n=len(names), wagers=names)
            if own
            else say("follows.still-settled", n=len(names), wagers=names)
        )
    if words := taken_back_words(comes_back(state)):
        yield words
    if state.program.progressive and not state.round.void_cite:
        yield _chips_back(state)
    if found.effect:
        yield found.effect
    if stays := stays_words(state):
        yield stays


def _chips_back(state: TableState) -> Message:
    """The progressive chips that go back from the rack, where they lie once the count agreed (653a.9(a)(3))."""
    lit = chips_back(state)
    if not lit:
        return say("follows.no-chips")
    if not state.round.sent_wagers:
        return say("follows.return-uncounted", n=len(lit), seats=lit)
    return say("follows.return-chips", n=len(lit), seats=lit)


# Corrections --------------------------------------------------------------------------------------------------------


def correct(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The seat that is settled again, and why; or the last credit to an account is taken back."""
    if seat := state.desk.panel.seat:
        yield from _reasons(house, state, live, frame, seat)
    else:
        yield from _whose_settlement(house, state, live, frame)
    yield from bar(house, state, frame)
    yield back_key(frame)


CORRECT_KEY_H, CREDIT_KEY_H = 11.4, 16.4
REASONS_H, REASONS_UPRIGHT_H = 34.8, 36.5
"""Height of the keys of the reasons, below each other."""


def _whose_settlement(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    again = settling.correctable(state)
    lines = refusal(
        state,
        live,
        Line(say("correct.which-seat"), "strong"),
        Line(say("correct.from-the-start"), "small", Tone.MUTED),
    )
    area = frame.facts
    if credit := five_card.last_credit(state):
        area, below = area.foot(frame.for_words(CREDIT_KEY_H))
        what = say("correct.credit", seat=credit.seat, wager=house.game.called(credit.wager), amount=credit.payout)
        yield key(
            "uncredit", "uncredit", below, say("key.take-credit-back"), what,
            size="label", second="small", hold=True,
        )  # fmt: skip
    seats_h = 2 * frame.for_words(CORRECT_KEY_H) + GAP
    facts, seats = area.foot(seats_h)
    yield label("facts", facts, *lines, fill="tile")
    for number, place in zip(again, seats.grid(3, 2 if len(again) <= 6 else 3), strict=False):
        undone = settling.settled_again(state, number)
        paid = sum(line.paid_over for line in undone if line.source is not Source.CAGE)
        done = say("correct.settled") if state.seat(number).position.settled else say("correct.answered")
        words = (say("key.seat", seat=number), say("correct.paid", amount=paid) if paid else done)
        yield key(f"correct-{number}", f"correct {number}", place, *words, size="label", group="correct")
    yield from pin_pad(house, state, live, frame, _correction(1))
    yield nothing_yet(frame, say("key.which-seat"), beside_back=True)


def _correction(number: int) -> str:
    """A press for which somebody signs, whichever seat and reason it is."""
    return f"correct {number} {Correction.WRONG_RESULT}"


REASON_KEYS: Mapping[Correction, Message] = {
    Correction.WRONG_RESULT: say("key.wrong-result"),
    Correction.WRONG_AMOUNT: say("key.wrong-amount"),
    Correction.WRONG_SEAT: say("key.wrong-seat"),
    Correction.FOULED_DECK: say("key.fouled-deck"),
}
RESULTS: Mapping[Result, Message] = {
    Result.WIN: say("undone.win"),
    Result.LOSE: say("undone.lose"),
    Result.PUSH: say("undone.push"),
    Result.VOID: say("undone.void"),
}


def _undone(house: House, line: Payment) -> Text:
    """`Blind win $47,500 (limit)`, `Play push $30`: what became of a wager, and what crossed the table."""
    over = line.paid_over if line.payout else line.returned
    said: list[Text] = [house.game.called(line.wager), RESULTS[line.result]]
    said += [short_money(over)] if over else []
    said += [paid_from([line])] if line.source not in (None, Source.RACK) else []
    said += [say("undone.limit")] if line.limited else []
    return joined(said, " ")


def _reasons(house: House, state: TableState, live: Live, frame: Frame, number: int) -> Iterator[Widget]:
    undone = settling.settled_again(state, number)
    here = [_undone(house, line) for line in undone if line.source is not Source.CAGE]
    away = [_undone(house, line) for line in undone if line.source is Source.CAGE]
    facts = [Line(say("correct.again", seat=number), "strong"), Line(joined(here), "small", Tone.MUTED)]
    facts += [Line(say("correct.by-cage", paid=joined(away)), "small", Tone.MUTED)] if away else []
    lines = [*facts, *refusal(state, live, Line(say("correct.why"), "small", Tone.FLOOR))]
    told, keys = frame.facts.foot(frame.for_words(REASONS_UPRIGHT_H if frame.upright else REASONS_H))
    yield label("facts", told, *lines, fill="tile", border=Tone.FLOOR)
    for reason, area in zip(settling.CORRECTIONS, keys.grid(2, 2), strict=True):
        yield key(
            f"reason-{reason}", f"correct {number} {reason}", area, REASON_KEYS[reason],
            size="label", second="small", hold=True,
        )  # fmt: skip
    yield from pin_pad(house, state, live, frame, _correction(number))
    yield nothing_yet(frame, say("key.hold-reason"), beside_back=True)


# Departed players, and bets that are opened again -------------------------------------------------------------------------

LEFT_KEY_H, LEFT_IN_TWO_ROWS = 16.2, 6
"""Height of a seat's key with what it does, why it cannot, and HOLD, one below the other; of more seats two lines."""


def left(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The seats whose player left the table during the round: a floorperson has the wagers treated as losing (653a.7(b))."""
    nobody = deciding.anyone_may_leave(house, state)
    cite = house.procedure.cite("abandoned")
    lines = (
        Line(say("left.whose", cite=cite), "strong"),
        Line(nobody, "small", Tone.CAUTION) if nobody else Line(_lost_words(state), "small"),
        Line(say("left.again"), "small", Tone.MUTED),
        Line(say("left.sign"), "small", Tone.FLOOR),
    )
    facts, seats = frame.facts.foot(2 * frame.for_words(LEFT_KEY_H) + GAP)
    yield label("facts", facts, *refusal(state, live, *lines), fill="tile", border=Tone.FLOOR)
    there = [(number, seat) for number, seat in state.numbered() if _is_there(seat)]
    roomy = len(there) <= LEFT_IN_TWO_ROWS
    for (number, seat), place in zip(there, seats.grid(3, 2 if roomy else 3), strict=False):
        yield _left_key(house, state, live, place, number, seat, roomy=roomy)
    yield from pin_pad(house, state, live, frame, f"left {_may_leave(house, state, live, there)}")
    yield from bar(house, state, frame)
    yield primary(frame, "back", say("key.to-round"))


def _may_leave(house: House, state: TableState, live: Live, there: Sequence[tuple[int, Seat]]) -> int:
    """A seat whose player can be said to have left; the first one, where nobody can."""
    return next((number for number, _ in there if not hindered(house, state, live, f"left {number}")), 1)


def _lost_words(state: TableState) -> Message:
    """The fate of a departed player's wagers, at both boxes of a player with two."""
    two = any(len(positions_of_one(state, number)) > 1 for number, _ in state.numbered())
    return say("left.lost-at-all-boxes") if two else say("left.lost")


def _is_there(seat: Seat) -> bool:
    return seat.position.plays or seat.wager or bool(seat.five_card)


def _left_key(
    house: House, state: TableState, live: Live, place: Area, number: int, seat: Seat, *, roomy: bool
) -> Widget:
    why_not = hindered(house, state, live, f"left {number}")
    paid = why_not == say("left.paid", seat=number)
    word: Message = NOTHING
    if why_not and not deciding.anyone_may_leave(house, state):
        word = say("seat.prize-paid") if paid else say("correct.settled")
    border = Tone.CAUTION if seat.left else None
    does = say("key.seat-back", seat=number) if seat.left else say("key.seat-gone", seat=number)
    said = (say("key.seat", seat=number) if why_not else does, word)
    words: tuple[Text, ...] = tuple(filter(None, said))
    words = words if roomy else (joined(words, " · "),)
    return key(
        f"left-{number}", f"left {number}", place, *words,
        size="label", second="small", hold=True, border=border, group="left",
    )  # fmt: skip


REOPEN_KEYS: Mapping[Reopening, Message] = {
    Reopening.BY_MISTAKE: say("key.locked-by-mistake"),
    Reopening.TOO_EARLY: say("key.locked-too-early"),
    Reopening.NOT_TAKEN: say("key.wager-not-taken"),
}


def reopen(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Why a floorperson has bets opened again after the count (653a.7(c))."""
    cite = house.procedure.cite("after no more bets")
    why_not = hindered(house, state, live, f"reopen {Reopening.BY_MISTAKE}")
    lines = (
        Line(say("reopen.heading"), "strong"),
        Line(cite, "small", Tone.MUTED),
        Line(why_not or say("reopen.no-card"), "small", Tone.CAUTION),
        Line(say("correct.why"), "small", Tone.FLOOR),
    )
    told, keys = frame.facts.foot(frame.for_words(REASONS_UPRIGHT_H if frame.upright else REASONS_H))
    yield label("facts", told, *refusal(state, live, *lines), fill="tile", border=Tone.FLOOR)
    for reason, area in zip(wagering.REOPENINGS, keys.rows(3), strict=True):
        yield key(
            f"reason-{reason}", f"reopen {reason}", area, REOPEN_KEYS[reason],
            size="label", second="small", hold=True,
        )  # fmt: skip
    yield from pin_pad(house, state, live, frame, f"reopen {Reopening.BY_MISTAKE}")
    yield from bar(house, state, frame)
    yield back_key(frame)
    yield nothing_yet(frame, say("key.hold-reason"), beside_back=True)


BODIES: dict[str, Body] = {
    "irregularity": irregularity_list,
    "table": table_list,
    "sign": sign,
    "correct": correct,
    "left": left,
    "reopen": reopen,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "irregularity": (say("title.irregularity"), Tone.CAUTION),
    "table": (say("title.table"), Tone.NEXT),
    "sign": (say("title.sign"), Tone.FLOOR),
    "correct": (say("title.correct"), Tone.FLOOR),
    "left": (say("title.left"), Tone.FLOOR),
    "reopen": (say("title.reopen"), Tone.FLOOR),
}
