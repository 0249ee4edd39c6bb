"""Settlement: progressive winners at level 0, seat by seat against the dealer at levels 1 and 2, void rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payment import Payment, Result, Source
from firmware.rules.seat import DEALER
from firmware.rules.wager import FIVE_CARD
from firmware.table import conflicts, deciding, evidence, settling
from firmware.table.evidence import Winner, why_no_envy
from firmware.table.five_card import MAGIC, is_credited
from firmware.table.house import House
from firmware.table.interlock import method, stub_due
from firmware.table.irregularity import SHOE_FAULT, SHUFFLER_FAULT, problems
from firmware.table.jackpot import unpaid
from firmware.table.offers import hands_of_sensors
from firmware.table.procedures import DECK
from firmware.table.projections import chips_back
from firmware.table.results import turn_of
from firmware.table.state import FIVE_CARD_ON, Position, Seat, TableState
from ui.dealer.frame import KEY_MM, Area, Frame
from ui.dealer.game_screens import (
    CARDS_KEY_W,
    ENTER_CARDS,
    drawn_words,
    not_named,
    over_the_table,
    stub_line,
    stub_primary,
    wagered,
)
from ui.dealer.pieces import (
    HAND_KEYS,
    Body,
    Live,
    Title,
    again_first,
    bar,
    center,
    choices,
    hand_name,
    instant_alone,
    joined,
    key,
    label,
    limit_words,
    lit_wagers,
    nothing_yet,
    notice,
    paid_from,
    primary,
    prompt,
    recipe,
    short_money,
    sums,
    work,
)
from ui.dealer.seats import (
    HANDS_BACKED,
    can_be_tapped,
    empty_tile,
    in_turn,
    lamp_tile,
    not_taken_back,
    short_tile,
    stays_words,
    taken_back_words,
    tile,
    tiles,
    winner_tile,
)
from ui.dealer.widgets import Line, Text, Tone, Widget

# Prize keys ---------------------------------------------------------------------------------------------------------

ROW_GAP, KEYS_GAP = 0.5, 0.8
CAPTION_W = 19.5
KEYS_IN_ROW = 7
UPRIGHT_IN_ROW = 4

PrizeKey = tuple[str, str, Message]
"""(name, press, words)."""
PrizeRow = tuple[tuple[Message, ...], Sequence[PrizeKey]]
"""A caption in parts, and keys."""


def prize_rows(house: House, state: TableState) -> list[PrizeRow]:
    """The keys that name a prize of the seat whose turn it is: its progressive wager, its Five Card Hand wagers."""
    seat = state.seat(state.round.turn)
    found: list[PrizeRow] = []
    if state.round.void_cite or seat.left:
        return found
    if not why_no_envy(house, state, state.round.turn):
        found.append(((say("prize.envy"),), _hands(house.envy, "envy", f"envy {state.round.turn}")))
    if waits := unpaid(state, state.round.turn):
        rows = {hand: prize for wager in waits for hand, prize in house.submission.offers[wager].prizes.items()}
        called = tuple(house.game.called(wager) for wager in waits)
        found.append((called, _hands(rows, "hand", "hand")))
    for hand in seat.five_card:
        prizes = house.submission.offers[FIVE_CARD_ON[hand]].prizes
        keys = [] if _is_over(state, FIVE_CARD_ON[hand]) else _hands(prizes, f"five-{hand}", f"five {hand}")
        if state.round.magic_card and not _is_over(state, MAGIC[hand]):
            keys.append((f"five-{hand}-magic", f"five {hand} magic", say("key.magic")))
        if keys:
            found.append(((say("prize.five-card"), HANDS_BACKED[hand]), keys))
    return found


def _is_over(state: TableState, wager: str) -> bool:
    """This wager of the seat whose turn it is was paid or credited."""
    prizes = state.seat(state.round.turn).prizes
    return is_credited(state, state.round.turn, wager) or any(p.wager == wager and p.status == "paid" for p in prizes)


def _hands(prizes: Mapping[HandName, object], name: str, press: str) -> list[PrizeKey]:
    return [
        (f"{name}-{hand.name.lower().replace('_', '-')}", f"{press} {hand}", words)
        for hand, words in HAND_KEYS.items()
        if hand in prizes
    ]


def rows_of_keys(found: list[PrizeRow], area: Area, frame: Frame, *, seat: int = 0) -> Iterator[Widget]:
    """For each a caption and its keys, from above; on an upright panel the caption stands above its keys. `seat`: whose."""
    for place, ((caption, keys), row) in enumerate(zip(found, area.rows(len(found), ROW_GAP), strict=True), start=1):
        upright = frame.upright
        head, rest = row.top(frame.small_h, 0.0) if upright else row.left(frame.for_words(CAPTION_W), 0.0)
        parts = [joined(caption, " ")] if upright else caption
        yield label(f"caption-{place}", head, *(Line(part, "small", Tone.MONEY) for part in parts))
        for cell, (name, press, said) in zip(rest.columns(KEYS_IN_ROW, KEYS_GAP), keys, strict=False):
            words = say("row.straight-upright") if upright and said == HAND_KEYS[HandName.STRAIGHT] else said
            of_row = f"prizes-{place}"
            yield key(name, press, cell, words, size="label", border=Tone.MONEY, group=of_row, seat=seat)


def rows_height(found: list[PrizeRow], frame: Frame) -> float:
    """Height of so many rows of keys, none lower than a finger needs (mm)."""
    each = KEY_MM + 0.1 + frame.small_h if frame.upright else max(KEY_MM, 0.155 * frame.low.h)
    return len(found) * each + (len(found) - 1) * ROW_GAP


# Level 0 ------------------------------------------------------------------------------------------------------------


def winners(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Tap the seat that won, name its hand."""
    yield from tiles(state, lambda number, seat: winner_tile(frame, house, state, number, seat))
    found = prize_rows(house, state) if state.round.turn else []
    if house.submission.by_account:
        yield from _winners_of_both(frame, house, state, found)
    else:
        yield from _winners_of_one(frame, house, state)
    yield from bar(house, state, frame)
    if state.round.turn:
        yield nothing_yet(frame, say("key.no-more-winners"))
    elif stub_due(house, state):
        yield stub_primary(frame, house, state)
    elif known := () if state.round.turn else evidence.waiting(house, state):
        yield known_key(frame, house, known[0], f"seat {known[0].seat}")
    elif sure := () if state.round.turn else evidence.sure_winners(house, state):
        yield _sure_key(frame, sure[0])
    else:
        yield primary(frame, "clear", say("key.no-more-winners"), *filter(None, [not_named(state)]))


def _winners_of_one(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    back, tap = not_taken_back(state), _tap_winner(house, state)
    tap = say("two-sentences", first=back, second=tap) if back else tap
    asked = say("winner.which-hand", seat=state.round.turn) if state.round.turn else tap
    hands = _hands(dict.fromkeys(hands_of_sensors(house)), "hand", "hand")
    if state.round.turn and not state.seat(state.round.turn).wager:  # by envy alone (653a.11(k)(5))
        asked = say("winner.which-envy", seat=state.round.turn)
        hands = _hands(house.envy, "envy", f"envy {state.round.turn}")
    question, keys = frame.work.top(frame.prompt_h, 0.4)
    yield prompt(state, asked, question, both=True)
    most = UPRIGHT_IN_ROW if frame.upright else KEYS_IN_ROW
    yield from choices(hands, keys, most=most) if hands else ()


def _winners_of_both(frame: Frame, house: House, state: TableState, found: list[PrizeRow]) -> Iterator[Widget]:
    """With the Five Card Hand bonus a seat has up to three rows of keys."""
    area = frame.work
    if len(found) == 3:  # the seat's border alone says whose hand is asked
        area = Area(area.x, area.y - 0.55, area.w, area.h + 1.3)
    else:
        asked = say("winner.which-five", seat=state.round.turn) if state.round.turn else _tap_winner(house, state)
        question, area = area.top(frame.prompt_h, 0.4)
        yield prompt(state, asked, question)
    if found:
        yield from rows_of_keys(found, area, frame)
    elif state.round.credited:
        said = _credit_words(house, state.round.credited[-1])
        yield label("credited", area, Line(said, "body", Tone.DONE))


def _tap_winner(house: House, state: TableState) -> Message:
    if why_not := evidence.unnamed(house, state):
        return why_not
    if not house.submission.by_account:
        return say("winner.tap")
    drawn = drawn_words(state)
    return say("two-sentences", first=say("winner.tap-any"), second=drawn) if drawn else say("winner.tap-any")


def _credit_words(house: House, credit: Payment) -> Message:
    return say("winner.credited", seat=credit.seat, wager=house.game.called(credit.wager), amount=credit.payout)


# Levels 1 and 2 -----------------------------------------------------------------------------------------------------


def settle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """One seat completely before the next: what the dealer is asked, then what is collected and paid."""
    yield from tiles(state, lambda number, seat: settle_tile(frame, house, state, number, seat))
    asked, offered = settling.question(house, state)
    if asked:
        yield from _question(frame, house, state, asked, offered)
    elif state.round.turn:
        yield from pay_seat(frame, house, state, live)
    else:
        yield from _all_settled(frame, house, state)
    yield from bar(house, state, frame)


def settle_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    """A seat while seats are settled: whose turn it is, what a settled one came to."""
    box = seat.position
    press = f"seat {number}" if can_be_tapped(house, state, number) else ""
    border = in_turn(state, number)
    also = _prize_words(seat)
    if not (box.plays or also or press or border or seat.wager):
        return empty_tile(frame, state, number)
    if not box.plays:
        return short_tile(frame, state, number, "", also, press=press, border=border)
    if not box.settled:
        folded = box.choice not in ("", "play")
        undecided = say(f"choice.{box.choice}") if folded else UNDECIDED
        below = on_dealer_words(house, state, box) or also or (NOTHING if folded else _decided(house, box))
        tone = Tone.MUTED if folded else Tone.PLAIN
        return short_tile(frame, state, number, undecided, below, tone=tone, press=press, border=border)
    lines = box.final or box.lines  # of its own turn, without earlier settlements
    word, tone = _came_to(lines)
    take, give = sums(lines)
    amount = short_money(give) if give else f"-{short_money(take)}" if take else ""
    on_dealer = on_dealer_words(house, state, box)
    return short_tile(
        frame, state, number, word, amount, also, on_dealer, tone=tone, press=press, border=border, done=True
    )


UNDECIDED = say("seat.undecided")
"""A seat that nobody compared yet."""


def _prize_words(seat: Seat) -> Message:
    """The fate of its progressive wager; or its Five Card Hand wager, which has no lamp here."""
    if seat.prize is not None and seat.prize.status == "paid":
        return say("seat.prize-paid")
    if seat.prize is not None and seat.prize.status == "rejected":
        return say("seat.prize-rejected")
    return say("seat.5c") if seat.five_card else NOTHING


def on_dealer_words(house: House, state: TableState, box: Position) -> Message:
    """A wager on the dealer's hand, settled when that hand was shown and before any seat's turn (671a.11(e)).

    Once a seat's turn was settled these went before: the tile says what was paid or taken, and asks for it no more.
    """
    lines = [line for line in box.lines if line.wager == house.game.on_hand(DEALER) and line.result is not Result.VOID]
    if not lines:
        return NOTHING
    take, give = sums(lines)
    if not any(seat.position.final for seat in state.round.seats):
        return say("seat.on-dealer", what=over_the_table(take, give))
    return say("seat.dealer-paid", amount=give) if give else say("seat.dealer-lost", amount=take)


def _came_to(lines: Sequence[Payment]) -> tuple[Text, Tone]:
    """The result of a settled seat in a word, and its tone."""
    results = {line.result for line in lines}
    if any(line.payout for line in lines):
        return say("seat.paid"), Tone.DONE
    if Result.PUSH in results:
        return say("seat.push"), Tone.PLAIN
    if Result.VOID in results:
        return say("seat.returned"), Tone.PLAIN
    if Result.WIN in results:  # the limit left nothing of it, and the stake goes back (677a.12(f))
        return say("pay.at-limit"), Tone.PLAIN
    return say("seat.lost"), Tone.MUTED


def _decided(house: House, box: Position) -> Message:
    if box.choice != "play":
        return say(f"choice.{box.choice}") if box.choice else NOTHING
    if box.raised:
        return say("decided.amount", wager=house.game.called(house.procedure.play), amount=box.raised)
    return wagered(house, box.times)


ANSWERS: Mapping[str, Message] = {
    "higher": say("answer.wins"),
    "equal": say("answer.ties"),
    "lower": say("answer.loses"),
    "": say("answer.none"),
}


def _question(frame: Frame, house: House, state: TableState, asked: str, offered: Sequence[str]) -> Iterator[Widget]:
    side = state.program.level < 2
    words = say("settle.ask", seat=state.round.turn, question=house.game.asked(asked))
    if asked == "result":
        words = say("two-sentences", first=words, second=known_of_dealer(state))
    question, area = frame.low.top(max(KEY_MM + 0.4, frame.prompt_h))
    if side:
        question, enter = question.side(frame.for_words(CARDS_KEY_W))
        yield key("cards", "cards", enter, ENTER_CARDS, size="label")
    yield prompt(state, words, question)
    keys = [
        (f"answer-{choice or 'none'}", f"answer {choice or 'none'}", _choice_words(asked, choice)) for choice in offered
    ]
    yield from choices(keys, area)
    if side:
        yield nothing_yet(frame, say("entry.place-seat", seat=state.round.turn), say("key.answer-above"))
    else:
        yield primary(frame, "cards", ENTER_CARDS, say("key.of-seat", seat=state.round.turn))


def known_of_dealer(state: TableState) -> Message:
    """The known facts of the dealer's hand, as a sentence."""
    if state.round.dealer_hand:
        return say("settle.dealer-has", hand=hand_name(state.round.dealer_hand))
    return say("settle.dealer-qualifies") if state.round.qualifies else say("settle.dealer-not")


def _choice_words(asked: str, choice: str) -> Text:
    return ANSWERS[choice] if asked == "result" or not choice else hand_name(choice)


def pay_seat(frame: Frame, house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """The lines to collect and pay at the seat in turn, and the prizes that it may have won."""
    seat = state.seat(state.round.turn)
    found = prize_rows(house, state)
    area = frame.low
    if found:
        area, keys = area.foot(rows_height(found, frame))
        yield from rows_of_keys(found, keys, frame, seat=state.round.turn)
    in_question = settling.in_question(state)
    due = turn_of(house, state, state.round.turn).now
    done = not due and bool(seat.position.final or not in_question)
    shown = (*seat.position.lines, *seat.position.final) if done else due
    said = state.desk.notice or (NOTHING if in_question else say("settle.meters-open", seat=state.round.turn))
    if in_question and seat.position.verified:  # against any tap (671a.11(b)(2))
        said = said or instant_alone(house)
    said = said or again_first(seat, due) or share_by_cage(shown) or limit_words(house, shown)
    if in_question and settling.needs_no_cards(house, state):
        known_already, area = area.top(max(KEY_MM + 0.4, frame.prompt_h))
        known_already, enter = known_already.side(frame.for_words(CARDS_KEY_W))
        yield key("cards", "cards", enter, ENTER_CARDS, size="label")
        yield prompt(state, say("settle.one-result", seat=state.round.turn), known_already)
    yield from pay_table(house, live, shown, said, area, frame, done=done)
    if known := settling.known_first(house, state, (state.round.turn,)):
        yield known_key(frame, house, known, known.press)
        return
    if not in_question:
        yield _leaves(frame, house, state)
        return
    take, give = sums(due)
    words = say("key.seat-done", seat=state.round.turn)
    if give or take:
        words = (
            say("key.seat-paid", seat=state.round.turn) if give else say("key.seat-collected", seat=state.round.turn)
        )
    fill = "done" if give else "next"  # green pays; a collected loss is no win
    yield primary(
        frame, "settled", words, over_the_table(take, give) or say("pay.nothing"), fill=fill, seat=state.round.turn
    )


def _leaves(frame: Frame, house: House, state: TableState) -> Widget:
    """The way from a seat that was picked: back to the turn that it interrupted; where no turn is left it is let go of."""
    there = settling.turn_goes_on(house, state)
    if there:
        return primary(frame, "look", say("key.back-to-seat", seat=there), say("key.or-name-the-hand"))
    return primary(frame, f"seat {state.round.turn}", say("key.no-more-prizes"), say("key.or-name-the-hand"))


def share_by_cage(lines: Sequence[Payment]) -> Message:
    """A payment of the cage does not come from the rack (653a.12(e)(2))."""
    return say("settle.share-by-cage") if any(line.source is Source.CAGE for line in lines) else NOTHING


def known_key(frame: Frame, house: House, known: Winner, press: str) -> Widget:
    """The hand that the cards make, for the dealer to confirm."""
    if known.wager == evidence.ENVY:
        wager = say("prize.envy")
    else:
        wager = house.game.called(known.wager)
    hand = say("key.magic") if known.hand == evidence.MAGIC else hand_name(known.hand)
    return primary(frame, press, say("key.known-wins", seat=known.seat, hand=hand), wager, fill="done", seat=known.seat)


TOTAL_W, TOTAL_BESIDE_MANY_W, TOTAL_H = 72.0, 46.0, 20.0
"""Size of the box of all money over the table: beside the lines, or beside two columns of them; upright below them."""
TOTAL_LOW_W = 80.0
"""Above three rows of prizes, with a sentence in it."""
LINE_MM = 4.0
"""From one line of the smallest type to the next; a line that is broken needs two."""


def pay_table(
    house: House,
    live: Live,
    lines: Sequence[Payment],
    said: Text,
    area: Area,
    frame: Frame,
    *,
    done: bool = False,
    so_far: bool = False,
) -> Iterator[Widget]:
    """Wager, result, money; beside it what goes over the table in all, in chips; where it is `done`, what went. `so_far`: a
    hand may still be named that wins more.
    """
    rows = len(lines) * LINE_MM + 1.4
    wide = min(TOTAL_W, area.w / 2 / frame.panel.type_scale) if rows <= area.h else TOTAL_BESIDE_MANY_W
    wide = TOTAL_LOW_W if said and area.h < KEY_MM + 0.4 else wide
    table, total = area.foot(min(TOTAL_H, area.h / 2)) if frame.upright else area.side(frame.for_words(wide))
    if rows * (2 if frame.upright else 1) <= table.h:
        yield label("lines", table, *lines_of(house, lines, done=done), fill="tile")
    elif rows <= table.h:
        yield label("lines", table, *lines_of(house, lines, brief=True, done=done), fill="tile")
    else:
        down = max(1, int((table.h - 0.4) / LINE_MM))
        for place, column in enumerate(table.columns(-(-len(lines) // down))):
            part = lines[place * down : (place + 1) * down]
            short = lines_of(house, part, "small", brief=True, done=done)
            yield label(f"lines-{place + 1}", column, *short, fill="tile")
    yield _went(lines, said, total) if done else _totals(live, lines, said, total, so_far=so_far)


ROOMY_MM = 18.0


def lines_of(
    house: House, lines: Sequence[Payment], size: str = "body", *, brief: bool = False, done: bool = False
) -> Iterator[Line]:
    """Wager, result, money: one row a payment; what to do, or what was `done`."""
    for line in lines:
        left, right, tone = _pay_row(house, line, brief=brief, done=done)
        yield Line(left, size, Tone.MUTED if tone is Tone.MUTED else Tone.PLAIN)
        yield Line(right, size, tone, "right")


def _went(lines: Sequence[Payment], said: Text, area: Area) -> Widget:
    """The money that went over the table before: nothing is asked for again."""
    take, give = sums(lines)
    totals = [Line(said, "small", Tone.CAUTION)] if said else []
    if area.h > ROOMY_MM or not said:
        totals += [Line(say("pay.total-taken", amount=take), "label", Tone.MUTED)] if take else []
        totals += [Line(say("pay.total-paid", amount=give), "label", Tone.DONE)] if give else []
    totals = totals or [Line(say("pay.no-payment"), "small", Tone.MUTED)]
    return label("total", area, *totals, fill="tile")


def _totals(live: Live, lines: Sequence[Payment], said: Text, area: Area, *, so_far: bool) -> Widget:
    take, give = sums(lines)
    if area.h < KEY_MM + 0.4 and give and not said:
        sum_in_chips = joined([say("pay.total-give", amount=give), recipe(give, live.denominations)], "   ")
        return label("total", area, center(sum_in_chips, "key", Tone.MONEY), fill="tile", border=Tone.MONEY)
    totals = [Line(said, "small", Tone.CAUTION)] if said else []
    if area.h > ROOMY_MM or not said:
        totals += [center(say("pay.total-give", amount=give), "hero", Tone.MONEY)] if give else []
        totals += [center(say("pay.total-take", amount=take), "body" if give else "money")] if take else []
        chips = recipe(give, live.denominations) if give else say("pay.no-payment")
        if area.h > ROOMY_MM and not said and give:
            chips = joined([chips, paid_from(lines)], " ")
        chips = say("settle.so-far", who=chips) if so_far else chips
        totals += [center(chips, "strong")] if area.h > ROOMY_MM or give else []
    return label("total", area, *totals, fill="tile", border=Tone.MONEY if give else None)


RESULT_WORDS: Mapping[Result, Message] = {
    Result.WIN: say("result.wins"),
    Result.LOSE: say("result.loses"),
    Result.PUSH: say("result.pushes"),
    Result.VOID: say("result.void"),
}


def _pay_row(house: House, line: Payment, *, brief: bool, done: bool) -> tuple[Text, Text, Tone]:
    """(wager, result and paragraph; money; its tone)."""
    if done:
        return _result_row(house, line, brief=brief), _money_went(line), Tone.MUTED
    take = line.stake - line.returned
    left = _result_row(house, line, brief=brief)
    if line.payout:
        pay = say("pay.give-and-take", amount=line.payout, take=take) if take else say("pay.give", amount=line.payout)
        return left, pay, Tone.MONEY
    if take:
        return left, say("pay.take", amount=take), Tone.MUTED
    return left, say("pay.return", amount=line.returned), Tone.PLAIN


def _money_went(line: Payment) -> Message:
    """The money that went over the table for a wager."""
    if line.payout:
        return say("pay.paid", amount=line.payout)
    taken = line.stake - line.returned
    return say("pay.taken", amount=taken) if taken else say("pay.returned", amount=line.returned)


def _result_row(house: House, line: Payment, *, brief: bool) -> Text:
    """Wager, stake, odds, or the result where nothing is paid, whether a limit cut it; `brief`: wager and limit."""
    parts: list[Text] = [say("decided.wager", wager=house.game.called(line.wager))]
    if not brief:
        parts += [short_money(line.stake)] if line.stake else []
        parts += [RESULT_WORDS[line.result]] if not line.payout else []
    parts += [line.odds] if line.odds and not brief else []
    if line.limited:
        parts.append(say("pay.at-limit"))
    return joined(parts, " ")


def _all_settled(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    lines = [Line(say("settled.all"), "strong", Tone.DONE)]
    if state.round.void_cite:
        lines = [
            Line(say("settled.void", why=void_why(state)), "strong", Tone.STOP),
            Line(say("settled.still"), "body"),
        ]
    if back := not_taken_back(state):
        lines.append(Line(back, "body", Tone.CAUTION))
    known = evidence.waiting(house, state)
    if known:
        seats = tuple(dict.fromkeys(one.seat for one in known))
        lines.append(Line(say("settled.known", seats=seats), "body", Tone.CAUTION))
    vain = conflicts.among_settled(house, state)
    sure = () if known or vain else evidence.sure_winners(house, state)
    if said := vain or (evidence.unnamed(house, state) if sure else NOTHING):
        lines.append(Line(said, "body", Tone.CAUTION))
    after = bool(state.round.void_cite) or deciding.counted_after(house, state)
    due = after and stub_due(house, state)
    if due:
        cite = house.procedure.cite("stub", method(house, state))
        count = say("settled.count-first", deck=DECK, cite=cite)
        lines.append(Line(count, "body", Tone.CAUTION))
    else:
        cite = house.procedure.cite("clear")
        lines.append(Line(say("settled.gather", cite=cite), "body"))
    lines += [Line(words, "body") for words in _winners_asked(house, state)]
    if drawn := drawn_words(state):
        lines.append(Line(drawn, "label", Tone.MONEY))
    if state.round.credited:
        lines.append(Line(_credit_words(house, state.round.credited[-1]), "small"))
    yield work(frame.low, *notice(state, *lines))
    if known:
        yield known_key(frame, house, known[0], f"seat {known[0].seat}")
    elif vain:
        yield primary(frame, "problem correct", say("key.correct"), say("key.floor-signs-it"))
    elif sure:
        yield _sure_key(frame, sure[0])
    elif due:
        yield stub_primary(frame, house, state)
    else:
        yield primary(frame, "clear", say("key.clear"), not_named(state) or say("key.cards-into-rack"))


def _winners_asked(house: House, state: TableState) -> Iterator[Message]:
    """For each wager with a meter the seats where it is undecided, and the cards it wins on (.11(k), (l))."""
    pickable = [(n, evidence.undecided(state, n)) for n, _ in state.numbered() if can_be_tapped(house, state, n)]
    if seats := tuple(number for number, wagers in pickable if set(state.program.sensed) & set(wagers)):
        yield say("settled.winner", seats=seats)
    own, dealers = FIVE_CARD
    if seats := tuple(number for number, wagers in pickable if own in wagers):
        yield say("settled.winner-own", seats=seats)
    if seats := tuple(number for number, wagers in pickable if dealers in wagers):
        yield say("settled.winner-dealer", seats=seats)


def _sure_key(frame: Frame, number: int) -> Widget:
    """A seat that wins with any cards: the dealer looks, and names its hand."""
    return primary(frame, f"seat {number}", say("key.sure-wins", seat=number), say("key.which-hand"), fill="done")


# Void rounds --------------------------------------------------------------------------------------------------------


def void_why(state: TableState) -> Message:
    """The cause of the void round, in a dealer's words, with its paragraph."""
    return say(f"void.{state.round.void_kind.replace('_', '-')}", cite=state.round.void_cite)


def void(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Every wager goes back; some are still settled from the cards."""
    yield from tiles(state, lambda number, seat: _return_tile(frame, house, state, number, seat))
    still = tuple(house.game.called(wager) for wager in state.round.settled_anyway)
    waits = bool(state.program.level and state.round.settled_anyway) and any(
        seat.position.plays and not seat.position.settled for seat in state.round.seats
    )
    again = state.round.also_void is not None
    racked = not again and state.round.sent_wagers and bool(chips_back(state))
    back = say("void.return-but", wagers=still) if still else say("void.return")
    back = say("two-sentences", first=back, second=say("void.chips-back")) if racked else back
    back = _also_back(house, state) if again else back
    lines = [Line(say("void.headline", why=void_why(state)), "strong", Tone.STOP), Line(back, "body")]
    if waits:
        board = house.game.needs_board(state.round.settled_anyway)
        words = say("void.then-settle", wagers=still) if board else say("void.then-settle-own", wagers=still)
        lines.append(Line(words, "body", Tone.CAUTION))
    elif still and not state.program.level:
        own, cite = not house.game.needs_board(state.round.settled_anyway), state.round.void_cite
        words = say("void.still-own", wagers=still, cite=cite) if own else say("void.still", wagers=still, cite=cite)
        lines.append(Line(words, "body", Tone.CAUTION))
    else:
        lines.append(Line(_cards_go(state), "body", Tone.MUTED))
    if stays := stays_words(state):
        lines.insert(2, Line(stays, "body", Tone.CAUTION))
    if paid := taken_back_words(state.round.taken_back):
        lines.insert(2, Line(paid, "body", Tone.CAUTION))
    if lost := _lost_by_who_left(state):
        lines.insert(2, Line(lost, "body", Tone.CAUTION))
    due = stub_due(house, state)
    lines += [stub_line(house, state)] if due else []
    yield work(frame.work, *notice(state, *lines), border=Tone.STOP)
    yield from bar(house, state, frame)
    if due:  # before anything is paid: it may return the rest too
        yield stub_primary(frame, house, state)
    elif waits:
        these = joined([say("decided.wager", wager=wager) for wager in still], " + ")
        yield primary(frame, "winners", say("key.settle-these", wagers=these), say("key.rest-returned"))
    elif still and not state.program.level:
        yield primary(frame, "clear", say("key.clear"), say("key.settled-but", wagers=still))
    else:
        yield primary(frame, "clear", say("key.all-returned"))


def _also_back(house: House, state: TableState) -> Message:
    """A round that was void before: the wagers that go back now, and that the rest is not returned again."""
    also = tuple(house.game.called(wager) for wager in state.round.also_void or ())
    if not also:
        return say("void.nothing-more")
    seats = [
        say("void.of-seat", seat=number, amount=back)
        for number, seat in state.numbered()
        if (back := _goes_back(state, seat)[0])
    ]
    now = say("void.too-of-seats", wagers=also, seats=joined(seats)) if seats else NOTHING
    return now or say("void.too", wagers=also, n=len(also))


def _goes_back(state: TableState, seat: Seat) -> tuple[int, int]:
    """Cents that go back to a player now, and those that an earlier paragraph has returned."""
    also = state.round.also_void
    back = {line.wager: line.returned for line in seat.position.lines if line.result is Result.VOID}
    now = sum(cents for wager, cents in back.items() if also is None or wager in also)
    return now, sum(back.values()) - now


def _lost_by_who_left(state: TableState) -> Message:
    """Wagers of departed players that a void round still settles: they are taken, and their other wagers returned."""
    seats = [
        say("void.of-seat", seat=number, amount=lost)
        for number, seat in state.numbered()
        if seat.left and (lost := sum(line.stake - line.returned for line in _settled_anyway(state, seat)))
    ]
    return say("void.take-from-left", seats=joined(seats)) if seats else NOTHING


def _settled_anyway(state: TableState, seat: Seat) -> tuple[Payment, ...]:
    return tuple(line for line in seat.position.lines if line.wager in state.round.settled_anyway)


def device_failed(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The shoe or the shuffler stopped: all wagers go back, and the floor signs it."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    cite = state.round.device_failed
    lines = (
        Line(say("device-failed.heading"), "strong", Tone.STOP),
        Line(say("device-failed.do", cite=cite), "body"),
        Line(say("device-failed.meanwhile"), "body", Tone.MUTED),
    )
    yield work(frame.work, *notice(state, *lines), border=Tone.STOP)
    yield from bar(house, state, frame)
    devices = (SHOE_FAULT, SHUFFLER_FAULT)
    keys = [one.key for one in problems(house, state) if one.voids in devices and one.cite == cite]
    yield primary(frame, f"problem {keys[0]}" if keys else "problem", say("key.void-round"), say("key.floor-signs"))


def _cards_go(state: TableState) -> Message:
    """The fate of the cards: those of a machine that failed, and those that were dealt, are shuffled together."""
    if not state.decks.played_is_here:
        return say("void.deck-left")
    return _MACHINE_CARDS.get(state.round.void_kind, say("void.reshuffle"))


_MACHINE_CARDS = {SHOE_FAULT: say("void.shoe-cards"), SHUFFLER_FAULT: say("void.shuffler-cards")}


def _return_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    back, before = _goes_back(state, seat)
    chip_back = number in chips_back(state)
    if not back and not before and not chip_back:  # at level 0 that of a share is known by its prize alone
        return (lamp_tile if state.program.level else winner_tile)(frame, house, state, number, seat)
    again = state.round.also_void is not None
    words = [center(say("seat.return"))] if back or not again else []
    words += [center(short_money(back))] if back else []
    chip = lit_wagers(state, seat) if chip_back and not again else ""
    words += [center(f"+ {chip}" if back else chip, "small" if back else "strong")] if chip else []
    earlier = say("seat.rest-before") if back else say("seat.returned-before")
    words += [center(earlier, "small", Tone.MUTED)] if again else []
    return tile(frame, state, number, *words)


BODIES: dict[str, Body] = {"winners": winners, "settle": settle, "void": void, "device-failed": device_failed}
TITLES: dict[str, Title] = {
    "winners": (lambda last: say("title.winners", last=last), Tone.NEXT),
    "settle": (lambda last: say("title.settle", last=last), Tone.NEXT),
    "void": (say("title.void"), Tone.STOP),
    "device-failed": (say("title.void"), Tone.STOP),
}
