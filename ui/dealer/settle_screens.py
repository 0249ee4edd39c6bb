"""Settlement: progressive winners at level 0, seat by seat against the dealer at levels 1 and 2, void rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware.rules.hands import HandName
from firmware.table import deciding, settling
from firmware.table.five_card import MAGIC, WAGERS, is_credited
from firmware.table.interlock import stub_due
from firmware.table.jackpot import progressive_paid
from firmware.table.procedures import DECK
from firmware.table.state import Box, House, Prize, Seat, TableState
from firmware.table.state import Line as PayLine
from ui.dealer.game_screens import drawn_words, stub_primary
from ui.dealer.pieces import (
    BAR_Y,
    GAP,
    HAND_KEYS,
    INNER,
    KEYS_Y,
    LOW_H,
    LOW_Y,
    MARGIN,
    WORK_H,
    WORK_Y,
    Body,
    Live,
    bar,
    centre,
    choices,
    columns,
    key,
    label,
    money,
    nothing_yet,
    notice,
    primary,
    progressive_wager,
    prompt,
    recipe,
    short_money,
    wager_words,
    work,
    wrap,
)
from ui.dealer.seats import lamp_tile, short_tile, taken_back_words, tile, tiles, winner_tile
from ui.dealer.widgets import Line, Shape, Tone, Widget

# Prize keys ---------------------------------------------------------------------------------------------------------

ROW_H, ROW_GAP = 9.4, 0.6
CAPTION_W = 24.0

PrizeRow = tuple[str, Sequence[tuple[str, str, str]]]
"""A caption, and keys: (name, press, words)."""


def _prize_rows(house: House, state: TableState) -> list[PrizeRow]:
    """The keys that name a prize of the seat whose turn it is: its progressive wager, its Five Card Hand wagers."""
    seat = state.seat(state.turn)
    found: list[PrizeRow] = []
    if state.void_cite or seat.mark == "left":
        return found
    if seat.wager and not progressive_paid(state, state.turn):
        found.append(("PROGRESSIVE", _hands(house.progressive.prizes, "hand", "hand")))
    offer = house.submission.five_card_hand
    for hand in seat.five_card if offer is not None else ():
        assert offer is not None, "a wager that is not offered"
        keys = [] if _is_over(state, WAGERS[hand]) else _hands(offer.prizes, f"five-{hand}", f"five {hand}")
        if state.game.magic_card and not _is_over(state, MAGIC[hand]):
            keys.append((f"five-{hand}-magic", f"five {hand} magic", "MAGIC"))
        if keys:
            found.append(("5 CARD OWN" if hand == "own" else "5 CARD DEALER", keys))
    return found


def _is_over(state: TableState, wager: str) -> bool:
    """This wager of the seat whose turn it is was paid or credited."""
    prizes = state.seat(state.turn).prizes
    return is_credited(state, state.turn, wager) or any(p.wager == wager and p.status == "paid" for p in prizes)


def _hands(prizes: Mapping[HandName, object], name: str, press: str) -> list[tuple[str, str, str]]:
    return [
        (f"{name}-{hand.name.lower().replace('_', '-')}", f"{press} {hand}", words)
        for hand, words in HAND_KEYS.items()
        if hand in prizes
    ]


def _rows_of_keys(
    found: list[PrizeRow], bottom: float, height: float = ROW_H, gap: float = ROW_GAP
) -> Iterator[Widget]:
    """From `bottom` upwards, in their order from above: a caption, then its keys."""
    for place, (caption, keys) in enumerate(reversed(found)):
        y = bottom - (place + 1) * height - place * gap
        words = [Line(part, "small", Tone.MUTED) for part in caption.rsplit(" ", 1)]
        yield label(f"caption-{len(found) - place}", MARGIN, y, CAPTION_W, height, *words)
        x = MARGIN + CAPTION_W
        for (_, left, width), (name, press, said) in zip(columns(7, x, INNER - CAPTION_W), keys, strict=False):
            yield key(name, press, left, y, width, height, said, size="label" if len(said) < 8 else "small")


# Level 0 ------------------------------------------------------------------------------------------------------------


def winners(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Tap the seat that won, name its hand."""
    yield from tiles(state, lambda number, seat: winner_tile(house, state, number, seat))
    found = _prize_rows(house, state) if state.turn else []
    if house.submission.five_card_hand is not None:
        yield from _winners_of_both(house, state, found)
    else:
        yield from _winners_of_one(house, state)
    yield from bar(state, undo="undo" if state.turn else "")
    if not state.turn and stub_due(house, state) and not state.void_cite:
        yield stub_primary(house, state)
    else:
        yield primary("clear", "NO MORE WINNERS · CLEAR", enabled=not state.turn)


def _winners_of_one(house: House, state: TableState) -> Iterator[Widget]:
    asked = f"Seat {state.turn}: which hand? Two cards and the flop only."
    yield prompt(state, asked if state.turn else "Tap the lit seat that won.")
    hands = _hands(house.progressive.prizes, "hand", "hand") if state.progressive else []
    for (_, x, width), (name, press, words) in zip(columns(len(hands) or 1), hands, strict=False):
        yield key(
            name, press, x, WORK_Y + KEYS_Y, width, WORK_H - KEYS_Y, words, size="label", enabled=bool(state.turn)
        )  # fmt: skip


def _winners_of_both(house: House, state: TableState, found: list[PrizeRow]) -> Iterator[Widget]:
    """With the Five Card Hand bonus a seat has up to three rows of keys."""
    if len(found) == 3:  # the seat's border alone says whose hand is asked
        yield from _rows_of_keys(found, BAR_Y - 0.45, 9.0, 0.45)
    else:
        asked = f"Seat {state.turn}: which hand? Cards and the flop only."
        yield prompt(state, asked if state.turn else f"Tap the seat that won. {drawn_words(state)}".strip())
        yield from _rows_of_keys(found, WORK_Y + WORK_H)
    if not found and state.game.credited:
        number, wager, cents = state.game.credited[-1]
        said = f"Last credit: seat {number}, {wager_words(wager)}, {money(cents)}."
        yield label("credited", MARGIN, WORK_Y + 8, INNER, 8, Line(said, "body", Tone.DONE))


# Levels 1 and 2 -----------------------------------------------------------------------------------------------------


def settle(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """One seat completely before the next: what the dealer is asked, then what is collected and paid."""
    yield from tiles(state, lambda number, seat: _settle_tile(house, state, number, seat))
    asked, offered = settling.question(house, state)
    if asked:
        yield from _question(house, state, asked, offered)
    elif state.turn:
        yield from _pay_seat(house, state, live)
    else:
        yield from _all_settled(house, state)
    yield from bar(state)


def _settle_tile(house: House, state: TableState, number: int, seat: Seat) -> Widget:
    box = seat.box
    press = f"seat {number}" if _may_win(state, seat) and _may_pick(state, number) else ""
    border = Tone.NEXT if number == state.turn else None
    lit = "LIT" if seat.wager else "5C" if seat.five_card else ""
    if seat.prize is not None and seat.prize.status in ("paid", "rejected"):
        lit = f"prize {seat.prize.status}"
    if not box.plays:
        return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand", lit, press=press, border=border)
    if not box.settled:
        word = "NOW" if number == state.turn else "waits"
        tone = Tone.NEXT if number == state.turn else Tone.OFF
        decided = "" if lit.startswith("prize") else _decided(house, box)
        below = " ".join(part for part in (decided, lit) if part)
        return short_tile(state, number, Shape.RING, tone, word, below, press=press, border=border)
    lines = (*box.lines, *box.final)
    paid, back = sum(line.payout for line in lines), any(line.result in ("push", "void") for line in lines)
    word = f"+{short_money(paid)}" if paid else "back" if back else "LOST"
    return short_tile(state, number, Shape.TICK, Tone.DONE, word, lit, press=press, border=border)


def _decided(house: House, box: Box) -> str:
    if box.choice != "play":
        return box.choice
    return f"{house.procedure.play} {short_money(box.raised) if box.raised else f'{box.times}×'}"


QUESTIONS: Mapping[str, str] = {
    "result": "against the dealer's hand?",
    "hand": "what is the hand called?",
    "dealer_hand": "the dealer's hand, for Bad Beat?",
    "second": "a second combination in the hand?",
    "instant": "which instant payout?",
}
ANSWERS: Mapping[str, str] = {"higher": "WINS", "equal": "TIES", "lower": "LOSES", "": "none of these"}


def _question(house: House, state: TableState, asked: str, offered: Sequence[str]) -> Iterator[Widget]:
    words = QUESTIONS.get(asked, f"{wager_words(asked)}: which row?")
    side = state.level < 2
    width = INNER - (31.0 if side else 0)
    dealer = state.game.dealer_hand
    told = (
        f"Dealer: {dealer}."
        if dealer
        else "The dealer qualifies."
        if state.game.qualifies
        else "The dealer does not qualify."
    )
    known = f" {told}" if asked == "result" else ""
    yield prompt(state, f"Seat {state.turn}: {words}{known}", y=LOW_Y + 0.8, w=width)
    if side:
        yield key("cards", "cards", MARGIN + INNER - 30, LOW_Y, 30, 9.2, "ENTER CARDS", size="small")
    y = LOW_Y + 10.2
    keys = [
        (f"answer-{choice or 'none'}", f"answer {choice or 'none'}", _choice_words(asked, choice)) for choice in offered
    ]
    yield from choices(keys, y, LOW_Y + LOW_H - y)
    if side:
        yield nothing_yet(f"SEAT {state.turn}", "answer above")
    else:
        yield primary("cards", "ENTER CARDS", f"of seat {state.turn}")


def _choice_words(asked: str, choice: str) -> str:
    return ANSWERS.get(choice, choice) if asked == "result" or not choice else choice


def _pay_seat(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    seat = state.seat(state.turn)
    found = _prize_rows(house, state)
    space = len(found) * (ROW_H + ROW_GAP)
    bottom = LOW_Y + LOW_H
    in_question = settling.in_question(state)
    due = seat.box.due if in_question else (*seat.box.lines, *seat.box.final)
    said = state.notice or ("" if in_question else f"Seat {state.turn} is settled; its meter wagers are open.")
    yield from _pay_table(house, state, live, due, said, LOW_H - space - (GAP if found else 0))
    yield from _rows_of_keys(found, bottom)
    if not in_question:
        yield nothing_yet("NAME THE HAND", "or UNDO")
        return
    take, give = _sums(due)
    words = f"SEAT {state.turn} PAID" if give else f"SEAT {state.turn} COLLECTED" if take else f"SEAT {state.turn} DONE"
    below = f"pay {short_money(give)}" if give else f"take {short_money(take)}" if take else "nothing to pay"
    yield primary("settled", words, below, fill="done")


def _sums(lines: Sequence[PayLine]) -> tuple[int, int]:
    """Cents to collect and to pay."""
    take = sum(line.stake - line.returned for line in lines if line.result == "lose")
    return take, sum(line.payout for line in lines)


SMALL_MM = 3.95
"""From one small line to the next."""
TOTAL_W = 46.0
SIZES = (("body", 5.4, 44), ("status", 4.7, 52), ("small", SMALL_MM, 64))
"""Of the lines of a seat: size, from one to the next (mm), letters that fit."""


def _pay_table(
    house: House, state: TableState, live: Live, lines: Sequence[PayLine], said: str, h: float
) -> Iterator[Widget]:
    """Wager, result, money; beside it what goes over the table in all, in chips."""
    width = INNER - TOTAL_W - GAP
    rows = [_pay_row(line) for line in lines]
    longest = max((len(left) + len(right) for left, right, _ in rows), default=0)
    for size, each, letters in SIZES:
        if len(rows) * each + 1.4 <= h and longest <= letters:
            yield label("lines", MARGIN, LOW_Y, width, h, *_flat(rows, size), fill="tile")
            break
    else:
        half = -(-len(rows) // 2)
        for column, part in enumerate((lines[:half], lines[half:])):
            x, narrow = MARGIN + column * (width + GAP) / 2, (width - GAP) / 2
            short = [_pay_row(line, brief=True) for line in part]
            yield label(f"lines-{column + 1}", x, LOW_Y, narrow, h, *_flat(short, "small"), fill="tile")
    yield _totals(live, lines, said, h)


def _totals(live: Live, lines: Sequence[PayLine], said: str, h: float) -> Widget:
    take, give = _sums(lines)
    roomy = h > 20
    totals = [Line(part, "small", Tone.CAUTION) for part in wrap(said, 30)[: 4 if roomy else 2]] if said else []
    if roomy or not said:
        pay = f"PAY {money(give)}"
        totals += [Line(f"TAKE {money(take)}", "label")] if take else []
        totals += [Line(pay, "money" if roomy and len(pay) <= 11 else "label", Tone.MONEY)] if give else []
        totals += [Line(part, "small") for part in wrap(recipe(give, live.denominations), 30)[: 4 if roomy else 1]]
    edge = Tone.MONEY if give else None
    return label("total", MARGIN + INNER - TOTAL_W, LOW_Y, TOTAL_W, h, *totals, fill="tile", border=edge)


def _flat(rows: Sequence[tuple[str, str, Tone]], size: str) -> Iterator[Line]:
    for left, right, tone in rows:
        yield Line(left, size, Tone.MUTED if tone is Tone.MUTED else Tone.PLAIN)
        yield Line(right, size, tone, "right")


RESULT_WORDS: Mapping[str, str] = {"win": "wins", "lose": "loses", "push": "pushes", "void": "void"}


def _pay_row(line: PayLine, *, brief: bool = False) -> tuple[str, str, Tone]:
    """(wager, result and paragraph; money; its tone)."""
    odds = f" {line.odds}" if line.odds else ""
    name = wager_words(line.wager).upper()
    stake = f" {short_money(line.stake)}" if line.stake else ""
    result = RESULT_WORDS.get(line.result, line.result)
    left = f"{name}{odds}" if brief else f"{name}{stake} {result}{odds} ({line.cite})"
    if line.payout:
        return left, f"pay {short_money(line.payout)}", Tone.MONEY
    if line.result == "lose":
        return left, f"take {short_money(line.stake)}", Tone.MUTED
    return left, f"back {short_money(line.returned)}", Tone.PLAIN


def _all_settled(house: House, state: TableState) -> Iterator[Widget]:
    lines = [Line("Every hand is settled.", "strong", Tone.DONE)]
    if state.void_cite:
        lines = [
            Line(f"VOID: {_void_why(state)}.", "strong", Tone.STOP),
            Line("What still counted is settled.", "body"),
        ]
    due = stub_due(house, state) and state.book == deciding.LUNAR and not state.void_cite
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
    if state.game.credited:
        number, wager, cents = state.game.credited[-1]
        lines.append(Line(f"Last credit: seat {number}, {wager_words(wager)}, {money(cents)}.", "status"))
    yield work(*notice(state, *lines), y=LOW_Y, h=LOW_H)
    yield stub_primary(house, state) if due else primary("clear", "CLEAR", "the cards into the rack")


def _may_win(state: TableState, seat: Seat) -> bool:
    open_prize = seat.wager and not any(_ended(prize) for prize in seat.prizes)
    return (open_prize or bool(seat.five_card)) and seat.mark != "left" and not state.void_cite


def _may_pick(state: TableState, number: int) -> bool:
    """One seat at a time: beside the one whose turn it is only those that are settled (653a.11(h)(2))."""
    box = state.seat(number).box
    return number != state.turn and (box.settled or not box.plays)


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
    return f"{VOIDS.get(state.void_kind, state.void_kind)} ({state.void_cite})".strip()


def void(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Every wager goes back; some are settled from the cards nevertheless."""
    yield from tiles(state, lambda number, seat: _return_tile(house, state, number, seat))
    names = " and ".join(wager_words(wager) for wager in state.still)
    waits = bool(state.level and state.still) and any(seat.box.plays and not seat.box.settled for seat in state.seats)
    chips = " Progressive chips come back from the rack." if state.progressive else ""
    lines = [Line(_headline(_void_why(state)), "strong", Tone.STOP), Line(f"Return every wager.{chips}", "body")]
    if waits:
        lines.append(Line(f"Then deal the community cards and settle {names} from them.", "body", Tone.CAUTION))
    elif not state.level and (words := _still_at_zero(house, state)):
        lines += [Line(part, "small", Tone.CAUTION) for part in wrap(words, 96)]
    else:
        lines.append(Line("Reshuffle the cards.", "body", Tone.MUTED))
    lines[2:2] = [
        Line(part, "body", Tone.CAUTION) for part in wrap(taken_back_words(state.game.taken_back), 68) if part
    ]
    yield work(*notice(state, *lines), border=Tone.STOP)
    yield from bar(state, undo="")
    if waits:
        yield primary("winners", f"SETTLE {names.upper()}", "all else is returned", size="strong")
    else:
        yield primary("clear", "ALL RETURNED · CLEAR")


def _headline(text: str) -> str:
    return text[:1].upper() + text[1:]


def _still_at_zero(house: House, state: TableState) -> str:
    """Without seats' wagers the table cannot know who made those that are settled nevertheless."""
    still = house.submission.book.still_settled.get(state.void_kind, frozenset())
    if not still:
        return ""
    names = " and ".join(wager_words(wager) for wager in sorted(still))
    when = "If all first cards had been dealt: deal" if state.void_kind == "cards_face_up" else "Deal"
    return f"{when} the community cards and settle {names} from them ({state.void_cite}); then reshuffle."


def _return_tile(house: House, state: TableState, number: int, seat: Seat) -> Widget:
    back = sum(line.returned for line in seat.box.lines if line.result == "void")
    if not back and not seat.wager:
        return lamp_tile(house, state, number, seat)
    words = [centre("RETURN", tone=Tone.MONEY)]
    words += [centre(short_money(back))] if back else []
    words += (
        [centre(f"{'+ ' if back else ''}{progressive_wager(house)}", "status" if back else "strong")]
        if seat.wager
        else []
    )
    return tile(state, number, Shape.DISC, Tone.MONEY, *words)


BODIES: dict[str, Body] = {"winners": winners, "settle": settle, "void": void}
TITLES: dict[str, tuple[str, Tone]] = {
    "winners": ("PAY {last} › 1", Tone.NEXT),
    "settle": ("SETTLE {last} › 1", Tone.NEXT),
    "void": ("ROUND VOID", Tone.STOP),
}
