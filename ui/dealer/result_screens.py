"""The settlement at assist level 1: results of all seats by exception, then the money seat by seat (sections .11).

A tap on a seat: it wins; again: it ties; a seat that is not tapped lost. The keys below are about the seat that was tapped
last. The primary goes on to the next seat that is paid, and says how many lost, won and tied.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payment import Payment
from firmware.table import pricing, results, settling
from firmware.table.house import House
from firmware.table.projections import is_again, still_out, to_settle
from firmware.table.results import LOSES, TIES, WINS, SeatTurn
from firmware.table.settling import known_first
from firmware.table.state import Seat, TableState
from ui.dealer import settle_screens
from ui.dealer.frame import GAP, KEY_MM, Area, Frame
from ui.dealer.game_screens import CARDS_KEY_W, ENTER_CARDS, both_ways
from ui.dealer.pieces import (
    HAND_KEYS,
    Body,
    Live,
    Title,
    again_first,
    bar,
    choices,
    hand_name,
    instant_alone,
    joined,
    key,
    label,
    limit_words,
    nothing_yet,
    paid_from,
    primary,
    prompt,
    recipe,
    seats_of,
    short_money,
    sums,
)
from ui.dealer.seats import short_tile, tiles
from ui.dealer.settle_screens import (
    ANSWERS,
    KEYS_GAP,
    TITLES,
    UNDECIDED,
    known_key,
    known_of_dealer,
    lines_of,
    on_dealer_words,
    pay_table,
    prize_rows,
    rows_height,
    rows_of_keys,
    share_by_cage,
)
from ui.dealer.widgets import Line, Text, Tone, Widget

RESULT_WORDS: Mapping[str, tuple[Message, Tone]] = {
    WINS: (say("result-tile.wins"), Tone.MONEY),
    TIES: (say("result-tile.ties"), Tone.PLAIN),
    LOSES: (say("result-tile.lost"), Tone.MUTED),
}
"""The result of a seat so far: word and tone."""
LONG_ROW = 5
ROW_MM, CAPTION_W = 9.2, 22.0
NOTICE_W = 70.0
ROW_ROOMY_MM, ROOMY_MM = 13.0, 40.0
"""Height of a row of long words, if the keys have so much room."""
MONEY_W, MONEY_H = 40.0, 14.0
"""Size of the payment box: beside the keys, on an upright panel below them."""


def settle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Results by exception where the dealer tells them; else one seat after the other, or by cards."""
    if not (results.by_exception(state) and to_settle(state)):
        yield from settle_screens.settle(house, state, live, frame)
        return
    yield from tiles(state, lambda number, seat: _tile(frame, house, state, number, seat))
    found = prize_rows(house, state) if state.round.turn else []
    if state.round.turn not in to_settle(state):  # a settled seat's meter wagers are open
        yield from settle_screens.pay_seat(frame, house, state, live)
        yield from bar(house, state, frame)
        return
    area = frame.low
    if found and _may_be_named(house, state):
        area, keys = area.foot(rows_height(found, frame))
        yield from rows_of_keys(found, keys, frame, seat=state.round.turn)
    yield from _seat_in_question(frame, house, state, live, area)
    yield from bar(house, state, frame)
    answers = len(next(iter(pricing.questions(house, state, state.round.turn).values()), ()))
    if state.desk.notice and answers > LONG_ROW and _is_low(answers, area, frame):  # the answers stay where they are
        said = Line(state.desk.notice, "small", Tone.CAUTION)
        yield label("primary", frame.next, said, fill="tile", border=Tone.CAUTION)
    else:
        yield _goes_on(frame, house, state)


def title(house: House, state: TableState) -> Title:
    """The question about the seat in turn, or what it came to."""
    number = state.round.turn
    if not number:
        return TITLES["settle"]
    asked, _ = settling.question(house, state)
    if asked == "result":
        return say("title.result", seat=number), Tone.NEXT
    if asked:
        return say("settle.ask", seat=number, question=house.game.asked(asked)), Tone.NEXT
    if number not in to_settle(state):
        return say("title.seat-settled", seat=number), Tone.NEXT
    if results.turn_of(house, state, number).pays:
        return say("title.seat-paid", seat=number), Tone.MONEY
    if results.came_to(house, state, number) == LOSES:
        return say("title.seat-lost", seat=number), Tone.NEXT
    return say("title.seat-returned", seat=number), Tone.NEXT


def _may_be_named(house: House, state: TableState) -> bool:
    """A prize of the seat in question: every seat before it in the order is settled with it."""
    there = results.stop(house, state)
    return there <= state.round.turn


def _tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    if number not in to_settle(state):
        return settle_screens.settle_tile(frame, house, state, number, seat)
    one = results.turn_of(house, state, number)
    word, tone = _said(house, state, number)
    told = word is not UNDECIDED
    rows = _own_money(house, state, number, one) if told or one.asked else _at_stake(one)
    # A wager on the dealer's hand goes before any seat's turn (671a.11(e)): once one was settled it is over.
    begun = any(other.position.final for other in state.round.seats)
    on_dealer = NOTHING if one.asked and begun else on_dealer_words(house, state, seat.position)
    border = Tone.NEXT if number == state.round.turn else Tone.CAUTION if one.asked else None
    below = (*rows, on_dealer or (say("seat.5c") if seat.five_card else NOTHING))[:ROWS_BELOW]
    return short_tile(frame, state, number, word, *below, tone=tone, press=f"seat {number}", border=border)


ROWS_BELOW = 2
"""A short tile has so many below its word."""


def _own_money(house: House, state: TableState, number: int, one: SeatTurn) -> list[Text]:
    """The money over the table at this seat's turn; a hand without a name is asked for it."""
    if one.asked:
        return [say("result-tile.result") if one.asked == "result" else say("result-tile.which")]
    below = both_ways(*sums(one.now))
    return [say("result-tile.limit"), *below] if _cut_to_nothing(one) else below


def _at_stake(one: SeatTurn) -> list[Text]:
    """The money that a seat loses if nobody tells anything about it."""
    take, _ = sums(one.now)
    return [f"-{short_money(take)}"] if take else []


def _cut_to_nothing(one: SeatTurn) -> bool:
    """A winner whom the payout limit leaves nothing: the stake goes back (677a.12(f))."""
    return not one.pays and any(line.limited for line in one.lines)


def _said(house: House, state: TableState, number: int) -> tuple[Text, Tone]:
    """The result of a seat that is still to be settled; a dash where nobody compared the hands."""
    box = state.seat(number).position
    if box.choice != "play":
        return say(f"choice.{box.choice}"), Tone.MUTED
    if results.beaten_well(house, state, number):
        return say("result-tile.bad-beat"), Tone.MONEY
    if results.turn_of(house, state, number).asked == "result":
        return say("result-tile.again"), Tone.CAUTION
    came_to = results.came_to(house, state, number)
    if came_to == LOSES and not box.called and results.taps(house, state, number):
        return UNDECIDED, Tone.MUTED
    return RESULT_WORDS[came_to]


# The seat that was tapped ------------------------------------------------------------------------------------------------


def _seat_in_question(frame: Frame, house: House, state: TableState, live: Live, area: Area) -> Iterator[Widget]:
    asked = pricing.questions(house, state, state.round.turn)
    if asked:
        yield from _questions(frame, house, state, live, area)
        return
    number = state.round.turn
    one = results.turn_of(house, state, number)
    no_bet = instant_alone(house) if state.seat(number).position.verified else NOTHING  # (671a.11(b)(2))
    back = again_first(state.seat(number), one.lines)
    said = state.desk.notice or one.why_not or no_bet or back or share_by_cage(one.lines)
    said = said or limit_words(house, one.lines)
    if not one.lines and one.begun:  # settled before its prize: asked for no more
        settled = state.seat(number).position
        yield from pay_table(house, live, (*settled.lines, *settled.final), said, area, frame, done=True)
    elif number == results.in_one_go(house, state)[-1] or said:
        yield from pay_table(house, live, one.now, said, area, frame)
    else:
        area = yield from _money_beside(frame, house, state, live, area)
        whose = Line(say("settle.of-seat", seat=number), "body", Tone.MUTED)  # beside it another seat's money
        yield label("lines", area, whose, *lines_of(house, one.lines), fill="tile")


def _questions(frame: Frame, house: House, state: TableState, live: Live, area: Area) -> Iterator[Widget]:
    """The next question about the seat, with its keys; below it what else may be told of its cards at once. Above the hands
    of a winner stands what it is paid if none of them is named.
    """
    number = state.round.turn
    about, offered = next(iter(pricing.questions(house, state, number).items()))
    if _is_low(len(offered), area, frame):
        yield from _answers_alone(house, state, about, offered, area, frame)
        return
    if about != "result" and results.in_one_go(house, state)[-1] == number:
        panel = _paid_above(len(offered), area, frame)
        lines = results.turn_of(house, state, number).now
        if panel is not None and any(line.payout for line in lines):
            above, keys = area.top(panel)
            above, enter = above.side(frame.for_words(CARDS_KEY_W))
            yield key("cards", "cards", enter, ENTER_CARDS, size="label")
            yield from pay_table(house, live, lines, state.desk.notice, above, frame, so_far=True)
            yield from _hands_and_sums(house, state, about, offered, keys, frame)
            return
    question, keys = area.top(max(KEY_MM + 0.4, frame.prompt_h))
    question, enter = question.side(frame.for_words(CARDS_KEY_W))
    yield key("cards", "cards", enter, ENTER_CARDS, size="label")
    yield prompt(state, _words(house, state, number, about), question)
    keys = yield from _beside_it(house, state, len(offered), keys, frame)
    if keys.h >= _least_high(len(offered), keys):
        keys = yield from _money_beside(frame, house, state, live, keys)
    yield from _answers(house, state, about, offered, keys, _across(len(offered), keys))


PANEL_LEAST_MM, HANDS_LOW_MM, HANDS_MM = 13.0, 12.4, 13.5
"""The least height of what a winner is paid, and two heights of a row of hands with their amounts."""
HANDS_IN_ROW, HANDS_UPRIGHT = 8, 4


def _paid_above(number: int, area: Area, frame: Frame) -> float | None:
    """Height of the payment above so many hands; None where there is no room for both (mm)."""
    rows = -(-number // (HANDS_UPRIGHT if frame.upright else HANDS_IN_ROW))
    for high in (HANDS_MM, HANDS_LOW_MM):
        if (left := area.h - rows * (high + GAP)) >= PANEL_LEAST_MM:
            return left
    return None


def _hands_and_sums(
    house: House, state: TableState, about: str, offered: Sequence[str], area: Area, frame: Frame
) -> Iterator[Widget]:
    """The hands, each with what the seat is paid if it is named."""
    number = state.round.turn
    across = HANDS_UPRIGHT if frame.upright else HANDS_IN_ROW
    down = -(-len(offered) // across)
    places = area.grid(-(-len(offered) // down), down, KEYS_GAP)
    for (name, press, words), one, place in zip(
        _keys(house, state, number, about, offered, short=True), _ranked(offered), places, strict=False
    ):
        give = sums(results.would_pay(house, state, number, about, one))[1]
        amount = (short_money(give),) if give else ()
        yield key(name, press, place, words, *amount, size="label", second="strong", group="choices")


_SHORT: Mapping[str, Message] = {str(hand): words for hand, words in HAND_KEYS.items()}


def _beside_it(
    house: House, state: TableState, offered: int, area: Area, frame: Frame
) -> Generator[Widget, None, Area]:
    """The other answers about the seat's cards, a row each from below; the area that is left for so many answers."""
    number = state.round.turn
    (_, *others) = results.beside(house, state, number).items()
    turn = results.turn_of(house, state, number)
    for place, (other, may_be) in enumerate(sorted(others, key=lambda one: one[0] != turn.asked)):
        rows = [row for row in may_be if row or other in (turn.asked, turn.later)]  # where silence says nothing
        across = -(-len(rows) // 2) if frame.upright else len(rows)
        left, row = area.foot(_beside_high(len(rows), across, area, frame))
        if left.h < _least_high(offered, left):
            break
        area = left
        caption, row = row.top(frame.small_h, 0.0) if frame.upright else row.left(frame.for_words(CAPTION_W), 0.0)
        words = house.game.called(other) if other in house.game.wagers else house.game.asked(other)
        yield label(f"about-{place}", caption, Line(words, "small", Tone.MUTED))
        offered_here = [
            (
                f"beside-{other}-{one or 'none'}",
                f"answer {other} = {one or 'none'}",
                hand_name(one) if one else ANSWERS[""],
            )
            for one in _ranked(rows)
        ]
        if max(map(len, rows)) > LONG_NAME and not frame.upright:
            places = _by_length(rows, row)
            for (name, press, words), at in zip(offered_here, places, strict=True):
                yield key(name, press, at, words, group=f"about-{place}")
        else:
            yield from choices(offered_here, row, most=across, group=f"about-{place}")
    return area


def _answers(
    house: House, state: TableState, about: str, offered: Sequence[str], area: Area, most: int, *, short: bool = False
) -> Iterator[Widget]:
    """The keys of a question, so many in a row. A bad beat that is paid has a place of its own at the end: a finger
    that says of one seat that it lost says nothing else of the next one.
    """
    keys = _keys(house, state, state.round.turn, about, offered, short=short)
    beats = any(results.may_be_beaten_well(house, state, number) for number in state.players)
    if about != "result" or not beats:
        yield from choices(keys, area, most=most)
        return
    places = area.columns(len(results.TAPS) + 1)
    for one, (name, press, words) in zip(offered, keys, strict=True):
        apart = one == LOSES and _has_bad_beat(house, state, state.round.turn)
        at = places[-1] if apart else places[results.TAPS.index(one)]
        yield key(name, press, at, words, border=Tone.MONEY if apart else None, group="choices")


LONG_NAME, NAME_LEAST = 30, 6
"""Letters of a name for which its key is wider than others in its row; so many are added to each, for the short ones."""


def _by_length(rows: Sequence[str], area: Area) -> Iterator[Area]:
    """The places of a row of keys whose names differ much: a longer name has a wider key."""
    shares = [NAME_LEAST + len(row) for row in _ranked(rows)]
    free, x = area.w - (len(shares) - 1) * GAP, area.x
    for share in shares:
        w = free * share / sum(shares)
        yield Area(x, area.y, w, area.h)
        x += w + GAP


def _answers_alone(
    house: House, state: TableState, about: str, offered: Sequence[str], area: Area, frame: Frame
) -> Iterator[Widget]:
    """One row of answers: the seat's border alone says who is asked. A refusal stands beside a short row, or in the
    place of the next step.
    """
    if len(offered) <= LONG_ROW:
        wide = frame.for_words(NOTICE_W if state.desk.notice else CARDS_KEY_W)
        area, beside = area.foot(KEY_MM + 0.4) if frame.upright else area.side(wide)
        if state.desk.notice:
            yield prompt(state, NOTHING, beside)
        else:
            yield key("cards", "cards", beside, ENTER_CARDS, size="label")
    yield from _answers(house, state, about, offered, area, len(offered), short=True)


def _money_beside(
    frame: Frame, house: House, state: TableState, live: Live, area: Area
) -> Generator[Widget, None, Area]:
    """The money over the table with the primary key, if any; the area that is left."""
    reached = results.in_one_go(house, state)
    lines = [line for place in reached for line in results.turn_of(house, state, place).lines]
    if not any(line.payout for line in lines):
        return area
    area, total = area.foot(MONEY_H) if frame.upright else area.side(frame.for_words(MONEY_W))
    yield _next_money(live, reached, lines, total, so_far=_may_rise(house, state, reached))
    return area


def _may_rise(house: House, state: TableState, reached: Sequence[int]) -> bool:
    """A seat that the primary key pays has no named hand that may win more: the key takes it that there is none."""
    return any(
        results.turn_of(house, state, number).pays and set(pricing.questions(house, state, number)) - {"result"}
        for number in reached
    )


def _beside_high(number: int, across: int, area: Area, frame: Frame) -> float:
    """Height of the other answers about a seat: a row, higher if there is room; upright two below their caption (mm)."""
    down = -(-number // across)
    row = frame.for_words(ROW_ROOMY_MM) if area.h > ROOMY_MM and not frame.upright else ROW_MM
    return down * row + (down - 1) * GAP + (frame.small_h if frame.upright else 0.0)


def _is_low(number: int, area: Area, frame: Frame) -> bool:
    """No room for so many answers below a question: above three rows of prizes."""
    keys = area.top(max(KEY_MM + 0.4, frame.prompt_h))[1]
    return keys.h < _lowest(number, keys)


def _lowest(number: int, area: Area) -> float:
    """Height of so many keys, in as few rows as the width allows (mm)."""
    down = -(-number // area.across(number, number))
    return down * KEY_MM + (down - 1) * GAP


def _least_high(number: int, area: Area) -> float:
    """Height of the keys of a question beside the payment (mm)."""
    return _lowest(number, area) if number <= LONG_ROW else 2 * KEY_MM + GAP


def _across(number: int, area: Area) -> int:
    """In one row where it is low, else in two of one length."""
    return number if number <= LONG_ROW or area.h < _least_high(number, area) else -(-number // 2)


def _words(house: House, state: TableState, number: int, about: str) -> Message:
    if about == "result" and is_again(seat := state.seat(number)):
        return say("settle.again", seat=number, amount=still_out(seat.position))
    if about == "result":
        return known_of_dealer(state)
    return say("settle.ask", seat=number, question=house.game.asked(about))


def _has_bad_beat(house: House, state: TableState, number: int) -> bool:
    """Only a bad beat has to be told of a seat that lost; of one that is settled again, that it lost."""
    return results.may_be_beaten_well(house, state, number) and not is_again(state.seat(number))


def _keys(
    house: House, state: TableState, number: int, about: str, offered: Sequence[str], *, short: bool = False
) -> list[tuple[str, str, Text]]:
    """(name, press, words): the results, or hands as everywhere, best first, none last; `short`: as on narrow keys."""
    if about == "result":
        words = {
            WINS: say("answer.wins"),
            TIES: say("answer.ties"),
            LOSES: say("answer.bad-beat") if _has_bad_beat(house, state, number) else say("answer.loses"),
        }
        return [(f"answer-{one}", f"answer {one}", words[one]) for one in offered]
    named: dict[str, Text] = {one: hand_name(one) if one else say("answer.none") for one in _ranked(offered)}
    words_of = {one: _SHORT.get(one, said) if short else said for one, said in named.items()}
    return [(f"answer-{one or 'none'}", f"answer {one or 'none'}", said) for one, said in words_of.items()]


def _ranked(offered: Sequence[str]) -> list[str]:
    """The best first, as the law's row has them, and none after them."""
    return sorted(offered, key=lambda one: not one)


def _next_money(live: Live, reached: Sequence[int], lines: Sequence[Payment], area: Area, *, so_far: bool) -> Widget:
    """The money over the table with the primary key, in chips. `so_far`: a hand may still be named that wins more."""
    _take, give = sums(lines)
    paid = [number for number in reached if any(line.payout for line in lines if line.seat == number)]
    who = say("settle.of-seats", seats=tuple(paid), n=len(paid))
    who = say("settle.so-far", who=who) if so_far else who
    chips = joined([recipe(give, live.denominations), paid_from(lines)], " ") if len(paid) == 1 else NOTHING
    said = [
        Line(who, "small", Tone.CAUTION if so_far else Tone.MUTED),
        Line(say("pay.total-give", amount=give), "label", Tone.MONEY),
    ]
    said += [Line(chips, "small")] if chips else []
    return label("total", area, *said, fill="tile", border=Tone.MONEY)


# The next step -----------------------------------------------------------------------------------------------------------


def _goes_on(frame: Frame, house: House, state: TableState) -> Widget:
    """To the next seat that is paid; before it, where something has to be asked or looked at, to that one."""
    reached = results.in_one_go(house, state)
    last = reached[-1]
    one = results.turn_of(house, state, last)
    if one.asked or one.why_not:
        result = one.asked == "result"
        which = say("key.of-seat-result", seat=last) if result else say("key.of-seat-which", seat=last)
        return (
            nothing_yet(frame, which, say("key.answer-above"))
            if last == state.round.turn
            else primary(frame, "look", which, say("key.look-there"))
        )
    if results.wants_a_look(state, last) and last != state.round.turn:
        return primary(frame, "look", say("key.seat-look", seat=last), say("key.lit-look"))
    if known := known_first(house, state, reached):
        return known_key(frame, house, known, known.press if known.seat == state.round.turn else "look")
    words = tuple(_records(house, state, reached))
    if not one.pays:  # green pays, a loss is no win
        return primary(frame, "settled", *words, seat=last)
    # A payment that a hand may still raise does not shine as the next step.
    return primary(frame, "settled", *words, fill="key" if _may_rise(house, state, reached) else "done", seat=last)


def _records(house: House, state: TableState, reached: Sequence[int]) -> Iterator[Text]:
    """The record of the primary key, seat by seat: the paid seats, their defaults, and the collected seats on the way."""
    last = reached[-1]
    one = results.turn_of(house, state, last)
    alike = results.all_alike(house, state)
    below: list[Text] = [say("key.no-hand-named")] if _may_rise(house, state, reached) else []
    if alike:
        odds = next(line.odds for line in results.turn_of(house, state, alike[0]).lines if line.odds)
        yield say("key.everybody", odds=odds)
        below.append(say("pass.pay", seats=seats_of(alike)))
    elif one.pays:
        yield say("key.seat-paid", seat=last)
    elif one.begun and not one.lines:
        yield say("key.seat-done", seat=last)
    elif results.wants_a_look(state, last):
        lost = results.came_to(house, state, last) == LOSES
        yield say("key.seat-collected", seat=last) if lost else say("key.seat-done", seat=last)
        below.append(say("key.lit-lost"))
    else:
        yield passing_words(house, state, reached)
        return
    if passed := passing_words(house, state, [number for number in reached if number not in (last, *alike)]):
        below.append(passed)
    if below:
        yield joined(below, " · ")


def passing_words(house: House, state: TableState, seats: Sequence[int]) -> Text:
    """`COLLECT 6, 5 · PUSH 4`: what is done at seats that are paid nothing; of a winner whom a limit leaves nothing, the
    stake goes back.
    """
    came = {number: results.came_to(house, state, number) for number in seats}
    lost, tied, won = (seats_of(n for n, result in came.items() if result == one) for one in (LOSES, TIES, WINS))
    parts = [say("passing.collect", seats=lost)] if lost else []
    parts += [say("passing.push", seats=tied)] if tied else []
    parts += [say("passing.limit", seats=won)] if won else []
    return joined(parts, " · ") if parts else NOTHING


BODIES: dict[str, Body] = {"settle": settle}
