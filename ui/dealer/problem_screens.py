"""What goes wrong: the list under PROBLEM, a floorperson's signature, corrections, players who left (section .13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.table import five_card, irregularity, settling
from firmware.table.irregularity import Problem
from firmware.table.state import House, Seat, TableState
from firmware.table.state import Line as RoundLine
from ui.dealer.pieces import (
    FACTS_W,
    GAP,
    LOW_H,
    LOW_Y,
    MARGIN,
    Body,
    Live,
    bar,
    columns,
    key,
    label,
    money,
    nothing_yet,
    notice,
    pin_pad,
    primary,
    prompt,
    refusal,
    short_money,
    wager_words,
    work,
    wrap,
)
from ui.dealer.seats import short_tile, taken_back_words, tiles
from ui.dealer.widgets import Line, Shape, Tone, Widget

LIST_Y, LIST_END = 9.4, 71.6
IN_TWO_COLUMNS = 12
"""So many problems stand in two columns of keys, 9 mm high; more of them in three, with their words in two lines."""


def irregularity_list(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Everything that can be told in this phase."""
    found = irregularity.problems(house, state)
    wide = len(found) <= IN_TWO_COLUMNS
    across = 2 if wide else 3
    down = max(5, -(-len(found) // across))
    height = (LIST_END - LIST_Y - (down - 1) * 0.7) / down
    places = list(columns(across))
    for place, problem in enumerate(found):
        column, row = divmod(place, down)
        _, x, width = places[column]
        yield _problem_key(problem, x, LIST_Y + row * (height + 0.7), width, height, wide)
    if state.notice:
        bottom = prompt(state, "")
        yield label("notice", MARGIN, LIST_END - 9.0, 150, 8.4, *bottom.lines, fill="tile", border=Tone.CAUTION)
    yield from bar(state, undo="back", undo_word="BACK", problem="")
    yield nothing_yet("WHAT HAPPENED?", "nothing is void or paid yet")


def _problem_key(problem: Problem, x: float, y: float, w: float, h: float, wide: bool) -> Widget:
    who = "floor signs" if problem.floor else ""
    below = "  ".join(part for part in (problem.cite, who) if part)
    if wide:
        words = [Line(problem.words, "status" if len(problem.words) <= 36 else "small")]
    else:
        words = [Line(part, "small") for part in wrap(problem.words, 28)[:2]]
        below = problem.cite
    lines = (*words, *([Line(below, "small", Tone.MUTED)] if below else []))
    border = Tone.STOP if problem.voids else None
    return Widget(
        f"problem-{problem.key}", x, y, w, h, lines, fill="key", press=f"problem {problem.key}", border=border
    )


EFFECTS: Mapping[str, str] = {
    "recut": "The cards are cut again before they are dealt.",
    "cover": "The device is covered with its sign; cards are shuffled by hand and dealt from a manual shoe.",
    "uncover": "The device is used again from the next shuffle.",
    "new-unit": "This shuffler belongs to the table from now on.",
    "shuffle": "The cards are shuffled before the next round.",
    "correct": "Choose the seat; it is settled again.",
    "boxes": "The dealer enters what lies on the felt; BACK ends it.",
    "envy": "Take them back; every receiver is looked through anew.",
    "not-52": "The deck leaves the table and never comes back.",
}
"""What follows from a problem that voids nothing."""


def sign(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """One problem that a floorperson signs: what happened, what follows, badge and PIN."""
    found = irregularity.chosen(house, state)
    if found is None:
        lines = [Line("That cannot be told any more.", "strong", Tone.CAUTION), Line("Choose again: PROBLEM.", "body")]
    else:
        lines = [Line(part, "strong") for part in wrap(found.words, 40)]
        lines += [Line(found.cite, "status", Tone.MUTED)] if found.cite else []
        lines += [Line(part, "status") for text in _follows(house, state, found) for part in wrap(text, 46)]
    lines += refusal(state, live, Line("Badge and PIN, then hold APPLY.", "status", Tone.FLOOR))
    voids = found is not None and bool(found.voids)
    border = Tone.STOP if voids else Tone.FLOOR
    yield label("facts", MARGIN, 10, FACTS_W, 61.2, *lines, fill="tile", border=border)
    yield from pin_pad(state, live, "floorperson")
    yield from bar(state, undo="back", undo_word="BACK")
    words = ("APPLY: ROUND VOID" if voids else "APPLY", "hold 1.5 s")
    ready = found is not None and bool(live.by)
    yield primary("apply", *words, hold=True, enabled=ready, fill="stop" if voids else "floor")


def _follows(house: House, state: TableState, found: Problem) -> Iterator[str]:
    if not found.voids:
        yield (
            "This deck is removed and never comes back."
            if found.key.startswith("remove-")
            else EFFECTS.get(found.key, "It is noted in the journal.")
        )
        return
    yield "All hands are void. Every wager goes back."
    still = house.submission.book.still_settled.get(found.voids, frozenset()) if found.after_deal else frozenset()
    if still:
        names = " and ".join(wager_words(wager) for wager in sorted(still))
        yield f"But the community cards are dealt, and {names} settled from them."
    paid = ((number, sum(line.payout for line in seat.box.lines)) for number, seat in state.numbered())
    if words := taken_back_words(tuple(one for one in paid if one[1])):
        yield words
    if state.progressive:
        lit = ", ".join(map(str, state.wagers)) or "none"
        yield f"Progressive chips come back from the rack to seats: {lit}."
    if found.key == "not-52":
        yield "The deck leaves the table and never comes back."
    elif found.key == "misdealt":
        yield "The deck stays; it is shuffled again."


# Corrections --------------------------------------------------------------------------------------------------------


def correct(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Which seat is settled again, and why; or the last credit to an account is taken back."""
    seat = state.panel.removeprefix("problem correct").strip()
    if seat.isdecimal():
        yield from _reasons(state, live, int(seat))
    else:
        yield from _whose_settlement(state, live)
    yield from bar(state, undo="back", undo_word="BACK")


def settled_lines(state: TableState, number: int) -> tuple[RoundLine, ...]:
    """What is undone: a seat's settlement at its turn; before the dealer's hand is shown its Supers."""
    box = state.seat(number).box
    return box.final if state.game.qualifies is not None or state.void_cite else box.lines


def _whose_settlement(state: TableState, live: Live) -> Iterator[Widget]:
    again = settling.correctable(state)
    y, h = 31.4, 12.4
    lines = refusal(
        state,
        live,
        Line("Which seat was settled wrongly?", "strong"),
        Line("It is settled again, from the start.", "status", Tone.MUTED),
    )
    yield label("facts", MARGIN, 10, FACTS_W, 20, *lines, fill="tile")
    for place, number in enumerate(again):
        row, column = divmod(place, 3)
        _, x, width = list(columns(3, MARGIN, FACTS_W))[column]
        paid = sum(line.payout for line in settled_lines(state, number))
        words = (f"SEAT {number}", f"paid {short_money(paid)}" if paid else "settled")
        yield key(f"correct-{number}", f"correct {number}", x, y + row * (h + GAP), width, h, *words, size="label")
    if credit := five_card.last_credit(state):
        number, wager, cents = credit
        yield key(
            "uncredit", "uncredit", MARGIN, 58.6, FACTS_W, 12.4, "TAKE THE LAST CREDIT BACK",
            f"seat {number}: {wager_words(wager)}, {money(cents)} · hold", size="label", second="small",
            hold=True, enabled=bool(live.by),
        )  # fmt: skip
    yield from pin_pad(state, live, "floorperson")
    yield nothing_yet("WHICH SEAT?")


REASON_KEYS: Mapping[str, tuple[str, str]] = {
    "wrong-result": ("HANDS COMPARED WRONGLY", "hold 1.5 s"),
    "wrong-amount": ("WRONG AMOUNT PAID", "hold 1.5 s"),
    "wrong-seat": ("ANOTHER SEAT WAS MEANT", "hold 1.5 s"),
}


def _reasons(state: TableState, live: Live, number: int) -> Iterator[Widget]:
    said = [f"{wager_words(line.wager)} {line.result}" for line in settled_lines(state, number)]
    facts = [Line(f"Seat {number} is settled again", "strong")]
    facts += [Line(part, "small", Tone.MUTED) for part in wrap(", ".join(said), 54)[:2]]
    lines = [*facts, *refusal(state, live, Line("Why? Badge and PIN, then hold the reason.", "status", Tone.FLOOR))]
    yield label("facts", MARGIN, 10, FACTS_W, 22, *lines, fill="tile", border=Tone.FLOOR)
    for place, reason in enumerate(settling.CORRECTIONS):
        words = REASON_KEYS.get(reason, (reason.upper(), "hold 1.5 s"))
        yield key(
            f"reason-{reason}", f"correct {number} {reason}", MARGIN, 33.2 + place * 12.8, FACTS_W, 12.0, *words,
            size="label", second="small", hold=True, enabled=bool(live.by),
        )  # fmt: skip
    yield from pin_pad(state, live, "floorperson")
    yield nothing_yet("HOLD THE REASON")


# Who left -------------------------------------------------------------------------------------------------------------


def left(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Whose player left the table during the round."""

    def one(number: int, seat: Seat) -> Widget:
        gone = seat.mark == "left"
        takes_part = seat.box.plays or seat.wager or bool(seat.five_card)
        can = takes_part and not seat.box.settled and seat.prize is None
        shape, tone = (Shape.DASH, Tone.CAUTION) if gone else (Shape.TICK, Tone.DONE)
        if not takes_part:
            return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand")
        word = "LEFT" if gone else "here"
        below = "" if can else "settled"
        return short_tile(state, number, shape, tone, word, below, press=f"left {number}" if can else "")

    yield from tiles(state, one)
    cite = house.procedure.cite("abandoned")
    lines = (
        Line(f"Whose player left the table? ({cite})", "strong"),
        Line("What he wagered is lost: his cards and wagers are collected.", "body"),
        Line("Tap the seat again if he is still here.", "body", Tone.MUTED),
    )
    yield work(*notice(state, *lines), y=LOW_Y, h=LOW_H)
    yield from bar(state, undo="back", undo_word="BACK")
    yield primary("back", "BACK TO THE ROUND")


BODIES: dict[str, Body] = {
    "irregularity": irregularity_list,
    "sign": sign,
    "correct": correct,
    "left": left,
}
TITLES: dict[str, tuple[str, Tone]] = {
    "irregularity": ("PROBLEM", Tone.CAUTION),
    "sign": ("PROBLEM · FLOOR", Tone.FLOOR),
    "correct": ("CORRECTION", Tone.FLOOR),
    "left": ("PLAYER LEFT", Tone.CAUTION),
}
