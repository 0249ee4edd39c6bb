"""Settlement: progressive winners at level 0, seat by seat against the dealer at levels 1 and 2, void rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware.rules.games.game import Game
from firmware.rules.hands import HandName
from firmware.rules.payment import Payment
from firmware.table import deciding, settling
from firmware.table.five_card import MAGIC, WAGERS, is_credited
from firmware.table.house import House
from firmware.table.interlock import stub_due
from firmware.table.jackpot import progressive_paid
from firmware.table.procedures import DECK
from firmware.table.state import Position, Prize, Seat, TableState
from ui.dealer.frame import KEY_MM, Area, Frame
from ui.dealer.game_screens import drawn_words, stub_primary
from ui.dealer.pieces import (
    HAND_KEYS,
    Body,
    Live,
    bar,
    centre,
    choices,
    key,
    label,
    limit_words,
    money,
    nothing_yet,
    notice,
    paid_from,
    primary,
    progressive_wager,
    prompt,
    recipe,
    short_money,
    work,
)
from ui.dealer.seats import lamp_tile, short_tile, taken_back_words, tile, tiles, winner_tile
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget

# Prize keys ---------------------------------------------------------------------------------------------------------

ROW_GAP = 0.5
CAPTION_W = 22.3
KEYS_IN_ROW = 7
UPRIGHT_IN_ROW = 4

PrizeRow = tuple[str, Sequence[tuple[str, str, str]]]
"""A caption, and keys: (name, press, words)."""


def _prize_rows(house: House, state: TableState) -> list[PrizeRow]:
    """The keys that name a prize of the seat whose turn it is: its progressive wager, its Five Card Hand wagers."""
    seat = state.seat(state.round.turn)
    found: list[PrizeRow] = []
    if state.round.void_cite or seat.left:
        return found
    if seat.wager and not progressive_paid(state, state.round.turn):
        found.append(("PROGRESSIVE", _hands(house.progressive.prizes, "hand", "hand")))
    offer = house.submission.five_card_hand
    for hand in seat.five_card if offer is not None else ():
        assert offer is not None, "a wager that is not offered"
        keys = [] if _is_over(state, WAGERS[hand]) else _hands(offer.prizes, f"five-{hand}", f"five {hand}")
        if state.round.magic_card and not _is_over(state, MAGIC[hand]):
            keys.append((f"five-{hand}-magic", f"five {hand} magic", "MAGIC"))
        if keys:
            found.append(("5 CARD OWN" if hand == "own" else "5 CARD DEALER", keys))
    return found


def _is_over(state: TableState, wager: str) -> bool:
    """This wager of the seat whose turn it is was paid or credited."""
    prizes = state.seat(state.round.turn).prizes
    return is_credited(state, state.round.turn, wager) or any(p.wager == wager and p.status == "paid" for p in prizes)


def _hands(prizes: Mapping[HandName, object], name: str, press: str) -> list[tuple[str, str, str]]:
    return [
        (f"{name}-{hand.name.lower().replace('_', '-')}", f"{press} {hand}", words)
        for hand, words in HAND_KEYS.items()
        if hand in prizes
    ]


def _rows_of_keys(found: list[PrizeRow], area: Area, frame: Frame) -> Iterator[Widget]:
    """For each a caption and its keys, from above; on an upright panel the caption stands above its keys."""
    for place, ((caption, keys), row) in enumerate(zip(found, area.rows(len(found), ROW_GAP), strict=True), start=1):
        upright = frame.upright
        head, rest = row.top(frame.small_h, 0.0) if upright else row.left(frame.for_words(CAPTION_W), 0.0)
        parts = [caption] if upright else caption.rsplit(" ", 1)
        yield label(f"caption-{place}", head, *(Line(part, "small", Tone.MUTED) for part in parts))
        for cell, (name, press, said) in zip(rest.columns(KEYS_IN_ROW), keys, strict=False):
            words = UPRIGHT_KEYS.get(said, said) if upright else said
            yield key(name, press, cell, words, size="label", group=f"prizes-{place}")


UPRIGHT_KEYS: Mapping[str, str] = {"STRAIGHT": "STR"}
"""Where seven keys share 84 mm."""


def _rows_height(found: list[PrizeRow], frame: Frame) -> float:
    """Of so many rows of keys, none lower than a finger needs (mm)."""
    each = KEY_MM + 0.2 + frame.small_h if frame.upright else max(KEY_MM + 0.2, 0.155 * frame.low.h)
    return len(found) * each + (len(found) - 1) * ROW_GAP


# Level 0 ------------------------------------------------------------------------------------------------------------


def winners(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Tap the seat that won, name its hand."""
    yield from tiles(state, lambda number, seat: winner_tile(frame, house, state, number, seat))
    found = _prize_rows(house, state) if state.round.turn else []
    if house.submission.five_card_hand is not None:
        yield from _winners_of_both(frame, house, state, found)
    else:
        yield from _winners_of_one(frame, house, state)
    yield from bar(frame, state)
    if not state.round.turn and stub_due(house, state) and not state.round.void_cite:
        yield stub_primary(frame, house, state)
    else:
        yield primary(frame, "clear", "NO MORE WINNERS · CLEAR", enabled=not state.round.turn)


def _winners_of_one(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    asked = f"Seat {state.round.turn}: which hand? Two cards and the flop only."
    question, keys = frame.work.top(frame.prompt_h, 0.4)
    yield prompt(state, asked if state.round.turn else "Tap the lit seat that won.", question)
    hands = _hands(house.progressive.prizes, "hand", "hand") if state.program.progressive else []
    most = UPRIGHT_IN_ROW if frame.upright else KEYS_IN_ROW
    yield from choices(hands, keys, enabled=bool(state.round.turn), most=most) if hands else ()


def _winners_of_both(frame: Frame, house: House, state: TableState, found: list[PrizeRow]) -> Iterator[Widget]:
    """With the Five Card Hand bonus a seat has up to three rows of keys."""
    area = frame.work
    if len(found) == 3:  # the seat's border alone says whose hand is asked
        area = Area(area.x, area.y - 0.4, area.w, area.h + 1.1)
    else:
        asked = f"Seat {state.round.turn}: which hand? Cards and the flop only."
        question, area = area.top(frame.prompt_h, 0.4)
        yield prompt(
            state, asked if state.round.turn else f"Tap the seat that won. {drawn_words(state)}".strip(), question
        )
    if found:
        yield from _rows_of_keys(found, area, frame)
    elif state.round.credited:
        said = _credit_words(house, state.round.credited[-1])
        yield label("credited", area, Line(said, "body", Tone.DONE))


def _credit_words(house: House, credit: Payment) -> str:
    return f"Last credit: seat {credit.seat}, {house.game.called(credit.wager)}, {money(credit.payout)}."


# Levels 1 and 2 -----------------------------------------------------------------------------------------------------


def settle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """One seat completely before the next: what the dealer is asked, then what is collected and paid."""
    yield from tiles(state, lambda number, seat: _settle_tile(frame, house, state, number, seat))
    asked, offered = settling.question(house, state)
    if asked:
        yield from _question(frame, house, state, asked, offered)
    elif state.round.turn:
        yield from _pay_seat(frame, house, state, live)
    else:
        yield from _all_settled(frame, house, state)
    yield from bar(frame, state)


def _settle_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    box = seat.position
    press = f"seat {number}" if _may_win(state, seat) and _may_pick(state, number) else ""
    border = Tone.NEXT if number == state.round.turn else None
    lit = "LIT" if seat.wager else "5C" if seat.five_card else ""
    if seat.prize is not None and seat.prize.status in ("paid", "rejected"):
        lit = f"prize {seat.prize.status}"
    if not box.plays:
        return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand", lit, press=press, border=border)
    if not box.settled:
        word = "NOW" if number == state.round.turn else "waits"
        tone = Tone.NEXT if number == state.round.turn else Tone.OFF
        decided = "" if lit.startswith("prize") else _decided(house, box)
        below = " ".join(part for part in (decided, lit) if part)
        return short_tile(frame, state, number, Shape.RING, tone, word, below, press=press, border=border)
    lines = (*box.lines, *box.final)
    paid, back = sum(line.payout for line in lines), any(line.result in ("push", "void") for line in lines)
    word = f"+{short_money(paid)}" if paid else "back" if back else "LOST"
    return short_tile(frame, state, number, Shape.TICK, Tone.DONE, word, lit, press=press, border=border)


def _decided(house: House, box: Position) -> str:
    if box.choice != "play":
        return box.choice
    return f"{house.procedure.play} {short_money(box.raised) if box.raised else f'{box.times}×'}"


QUESTIONS: Mapping[str, str] = {
    "result": "against the dealer's hand?",
    "hand": "what is the hand called?",
}
"""What every game asks; what else one asks is among its words."""
ANSWERS: Mapping[str, str] = {"higher": "WINS", "equal": "TIES", "lower": "LOSES", "": "none of these"}


def question_words(game: Game, asked: str) -> str:
    """What a seat's dealer is asked."""
    return QUESTIONS.get(asked) or game.book.words.get(f"ask.{asked}", f"{game.called(asked)}: which row?")


def _question(frame: Frame, house: House, state: TableState, asked: str, offered: Sequence[str]) -> Iterator[Widget]:
    words = question_words(house.game, asked)
    side = state.program.level < 2
    dealer = state.round.dealer_hand
    told = (
        f"Dealer: {dealer}."
        if dealer
        else "The dealer qualifies."
        if state.round.qualifies
        else "The dealer does not qualify."
    )
    known = f" {told}" if asked == "result" else ""
    question, area = frame.low.top(max(KEY_MM + 0.4, frame.prompt_h))
    if side:
        question, enter = question.side(frame.for_words(CARDS_KEY_W))
        yield key("cards", "cards", enter, "ENTER CARDS", size="label")
    yield prompt(state, f"Seat {state.round.turn}: {words}{known}", question)
    keys = [
        (f"answer-{choice or 'none'}", f"answer {choice or 'none'}", _choice_words(asked, choice)) for choice in offered
    ]
    yield from choices(keys, area)
    if side:
        yield nothing_yet(frame, f"SEAT {state.round.turn}", "answer above")
    else:
        yield primary(frame, "cards", "ENTER CARDS", f"of seat {state.round.turn}")


CARDS_KEY_W = 26.0


def _choice_words(asked: str, choice: str) -> str:
    return ANSWERS.get(choice, choice) if asked == "result" or not choice else choice


def _pay_seat(frame: Frame, house: House, state: TableState, live: Live) -> Iterator[Widget]:
    seat = state.seat(state.round.turn)
    found = _prize_rows(house, state)
    area = frame.low
    if found:
        area, keys = area.foot(_rows_height(found, frame))
        yield from _rows_of_keys(found, keys, frame)
    in_question = settling.in_question(state)
    due = seat.position.due if in_question else (*seat.position.lines, *seat.position.final)
    said = state.desk.notice or (
        "" if in_question else f"Seat {state.round.turn} is settled; its meter wagers are open."
    )
    yield from _pay_table(house, live, due, said or limit_words(house, due), area, frame)
    if not in_question:
        yield nothing_yet(frame, "NAME THE HAND", "or UNDO")
        return
    take, give = _sums(due)
    words = (
        f"SEAT {state.round.turn} PAID"
        if give
        else f"SEAT {state.round.turn} COLLECTED"
        if take
        else f"SEAT {state.round.turn} DONE"
    )
    below = f"pay {short_money(give)}" if give else f"take {short_money(take)}" if take else "nothing to pay"
    yield primary(frame, "settled", words, below, fill="done")


def _sums(lines: Sequence[Payment]) -> tuple[int, int]:
    """Cents to collect and to pay."""
    take = sum(line.stake - line.returned for line in lines)
    return take, sum(line.payout for line in lines)


TOTAL_W, TOTAL_H = 46.0, 20.0
"""Of what goes over the table in all: beside the lines, on an upright panel below them."""
LINE_MM = 4.0
"""From one line of the smallest type to the next; a line that is broken needs two."""


def _pay_table(
    house: House, live: Live, lines: Sequence[Payment], said: Text, area: Area, frame: Frame
) -> Iterator[Widget]:
    """Wager, result, money; beside it what goes over the table in all, in chips."""
    table, total = area.foot(min(TOTAL_H, area.h / 2)) if frame.upright else area.side(frame.for_words(TOTAL_W))
    rows = len(lines) * LINE_MM + 1.4
    if rows * (2 if frame.upright else 1) <= table.h:
        yield label("lines", table, *_flat([_pay_row(house, line) for line in lines], "body"), fill="tile")
    elif rows <= table.h:
        yield label("lines", table, *_flat([_pay_row(house, line, brief=True) for line in lines], "body"), fill="tile")
    else:
        half = -(-len(lines) // 2)
        for place, (part, column) in enumerate(zip((lines[:half], lines[half:]), table.columns(2), strict=True)):
            short = [_pay_row(house, line, brief=True) for line in part]
            yield label(f"lines-{place + 1}", column, *_flat(short, "small"), fill="tile")
    yield _totals(live, lines, said, total)


ROOMY_MM = 18.0


def _totals(live: Live, lines: Sequence[Payment], said: Text, area: Area) -> Widget:
    take, give = _sums(lines)
    totals = [Line(said, "status", Tone.CAUTION)] if said else []
    if area.h > ROOMY_MM or not said:
        totals += [Line(f"TAKE {money(take)}", "label")] if take else []
        totals += [Line(f"PAY {money(give)}", "money", Tone.MONEY)] if give else []
        source = f" {paid_from(lines)}" if area.h > ROOMY_MM and not said and give else ""
        chips = f"{recipe(give, live.denominations)}{source}"
        totals += [Line(chips, "status")] if area.h > ROOMY_MM or give else []
    return label("total", area, *totals, fill="tile", border=Tone.MONEY if give else None)


def _flat(rows: Sequence[tuple[str, str, Tone]], size: str) -> Iterator[Line]:
    for left, right, tone in rows:
        yield Line(left, size, Tone.MUTED if tone is Tone.MUTED else Tone.PLAIN)
        yield Line(right, size, tone, "right")


RESULT_WORDS: Mapping[str, str] = {"win": "wins", "lose": "loses", "push": "pushes", "void": "void"}


def _pay_row(house: House, line: Payment, *, brief: bool = False) -> tuple[str, str, Tone]:
    """(wager, result and paragraph; money; its tone)."""
    odds = f" {line.odds}" if line.odds else ""
    name = house.game.called(line.wager).upper()
    stake = f" {short_money(line.stake)}" if line.stake else ""
    result = RESULT_WORDS.get(line.result, line.result)
    limited = ", LIMIT" if line.limited else ""
    left = f"{name}{odds}{limited}" if brief else f"{name}{stake} {result}{odds}{limited} ({line.cite})"
    take = line.stake - line.returned
    if line.payout:
        taken = f", take {short_money(take)}" if take else ""
        return left, f"pay {short_money(line.payout)}{taken}", Tone.MONEY
    if take:
        return left, f"take {short_money(take)}", Tone.MUTED
    return left, f"back {short_money(line.returned)}", Tone.PLAIN


def _all_settled(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    lines = [Line("Every hand is settled.", "strong", Tone.DONE)]
    if state.round.void_cite:
        lines = [
            Line(f"VOID: {_void_why(state)}.", "strong", Tone.STOP),
            Line("What still counted is settled.", "body"),
        ]
    due = stub_due(house, state) and deciding.counted_after(house, state) and not state.round.void_cite
    if due:
        lines.append(Line(f"Count all cards first: {DECK} ({house.procedure.cite('stub')}).", "body", Tone.CAUTION))
    else:
        cite = house.procedure.cite("clear")
        lines.append(Line(f"Gather the cards so that each hand can be rebuilt ({cite}).", "body"))
    waiting = [n for n, seat in state.numbered() if _may_win(state, seat)]
    if waiting:
        seats = ", ".join(map(str, waiting))
        lines.append(Line(f"Progressive winner? Tap the seat: {seats}. Two cards and the flop.", "body"))
    if drawn := drawn_words(state):
        lines.append(Line(drawn, "label", Tone.MONEY))
    if state.round.credited:
        lines.append(Line(_credit_words(house, state.round.credited[-1]), "status"))
    yield work(frame.low, *notice(state, *lines))
    yield stub_primary(frame, house, state) if due else primary(frame, "clear", "CLEAR", "the cards into the rack")


def _may_win(state: TableState, seat: Seat) -> bool:
    open_prize = seat.wager and not any(_ended(prize) for prize in seat.prizes)
    return (open_prize or bool(seat.five_card)) and not seat.left and not state.round.void_cite


def _may_pick(state: TableState, number: int) -> bool:
    """One seat at a time: beside the one whose turn it is only those that are settled (653a.11(h)(2))."""
    box = state.seat(number).position
    return number != state.round.turn and (box.settled or not box.plays)


def _ended(prize: Prize) -> bool:
    return prize.wager == "progressive" and prize.status == "paid"


# Void rounds --------------------------------------------------------------------------------------------------------

VOIDS: Mapping[str, str] = {
    "cards_face_up": "two or more cards face up",
    "incorrect_number_of_cards": "wrong number of cards dealt",
    "dealer_card_exposed": "a dealer's card exposed",
    "dealing_shoe_fault": "the dealing shoe failed",
    "shuffler_fault": "the shuffler failed",
    "stub_count": "the stub was not right",
}
"""What voided a round, in a dealer's words."""


def _void_why(state: TableState) -> str:
    return f"{VOIDS.get(state.round.void_kind, state.round.void_kind)} ({state.round.void_cite})".strip()


def void(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Every wager goes back; some are settled from the cards nevertheless."""
    yield from tiles(state, lambda number, seat: _return_tile(frame, house, state, number, seat))
    names = " and ".join(house.game.called(wager) for wager in state.round.settled_anyway)
    waits = bool(state.program.level and state.round.settled_anyway) and any(
        seat.position.plays and not seat.position.settled for seat in state.round.seats
    )
    chips = " Progressive chips come back from the rack." if state.program.progressive else ""
    lines = [Line(_headline(_void_why(state)), "strong", Tone.STOP), Line(f"Return every wager.{chips}", "body")]
    if waits:
        lines.append(Line(f"Then deal the community cards and settle {names} from them.", "body", Tone.CAUTION))
    elif not state.program.level and (words := _still_at_zero(house, state)):
        lines += [Line(words, "status", Tone.CAUTION)]
    else:
        lines.append(Line("Reshuffle the cards.", "body", Tone.MUTED))
    if back := taken_back_words(state.round.taken_back):
        lines.insert(2, Line(back, "body", Tone.CAUTION))
    yield work(frame.work, *notice(state, *lines), border=Tone.STOP)
    yield from bar(frame, state)
    if waits:
        yield primary(frame, "winners", f"SETTLE {names.upper()}", "all else is returned")
    else:
        yield primary(frame, "clear", "ALL RETURNED · CLEAR")


def _headline(text: str) -> str:
    return text[:1].upper() + text[1:]


def _still_at_zero(house: House, state: TableState) -> str:
    """Without seats' wagers the table cannot know who made those that are settled nevertheless."""
    still = house.submission.book.still_settled.get(state.round.void_kind, frozenset())
    if not still:
        return ""
    names = " and ".join(house.game.called(wager) for wager in sorted(still))
    when = "If all first cards had been dealt: deal" if state.round.void_kind == "cards_face_up" else "Deal"
    return f"{when} the community cards and settle {names} from them ({state.round.void_cite}); then reshuffle."


def _return_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    back = sum(line.returned for line in seat.position.lines if line.result == "void")
    if not back and not seat.wager:
        return lamp_tile(frame, house, state, number, seat)
    words = [centre("RETURN", tone=Tone.MONEY)]
    words += [centre(short_money(back))] if back else []
    words += (
        [centre(f"{'+ ' if back else ''}{progressive_wager(house)}", "status" if back else "strong")]
        if seat.wager
        else []
    )
    return tile(frame, state, number, Shape.DISC, Tone.MONEY, *words)


BODIES: dict[str, Body] = {"winners": winners, "settle": settle, "void": void}
TITLES: dict[str, tuple[Text, Tone]] = {
    "winners": ("PAY {last} › 1", Tone.NEXT),
    "settle": ("SETTLE {last} › 1", Tone.NEXT),
    "void": ("ROUND VOID", Tone.STOP),
}
