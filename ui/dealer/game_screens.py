"""Cards and decisions, up to the dealer's hand: sections .8 to .11(g)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payline import rows
from firmware.rules.payment import Payment
from firmware.rules.procedure import Street
from firmware.rules.seat import Choice
from firmware.rules.strict import Refusal
from firmware.table import dealing, deciding, opening, settling, wagering
from firmware.table.evidence import undecided
from firmware.table.house import House
from firmware.table.interlock import method, stub_due
from firmware.table.procedures import DECK
from firmware.table.state import Seat, TableState
from ui.dealer.frame import KEY_MM, Area, Frame
from ui.dealer.pieces import (
    NO_CHIPS_W,
    Body,
    Live,
    Title,
    back_key,
    bar,
    card_name,
    card_pad,
    card_slots,
    center,
    chip_keys,
    choices,
    hand_name,
    hindered,
    instant_alone,
    joined,
    key,
    label,
    limit_words,
    machine_in_the_way,
    nothing_yet,
    notice,
    order_words,
    primary,
    prompt,
    seats_of,
    short_money,
    sums,
    work,
)
from ui.dealer.seats import (
    empty_tile,
    in_turn,
    lamp_tile,
    not_taken_back,
    short_tile,
    tile,
    tiles,
)
from ui.dealer.widgets import Line, Text, Tone, Widget


def drawn_words(state: TableState) -> Text:
    """The card and the position of this round's bonuses, nothing where none was drawn."""
    said: list[Text] = []
    if state.round.magic_card:
        said.append(say("drawn.magic-card", card=card_name(state.round.magic_card)))
    if state.round.lucky is not None:
        lucky = state.round.lucky
        said.append(say("drawn.lucky-seat", seat=lucky) if lucky else say("drawn.lucky-dealer"))
    return joined(said, " ") if said else NOTHING


def _drawn(state: TableState) -> Iterator[Line]:
    if words := drawn_words(state):
        yield Line(words, "label", Tone.MONEY)


# The deal -------------------------------------------------------------------------------------------------------------


def deal(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The steps of the deal; at level 0 also the place where a winner is entered."""
    yield from _deal_at_zero(frame, house, state) if not state.program.level else _deal_to_players(frame, house, state)
    yield from bar(house, state, frame)
    stays = wagering.drawn(state) or state.was_dealt or not state.program.level
    if not stays:
        yield back_key(frame, "reopen", say("key.reopen"))
    yield _deal_primary(frame, house, state, beside_back=not stays)


def _deal_primary(frame: Frame, house: House, state: TableState, *, beside_back: bool) -> Widget:
    if state.decks.recut:
        return primary(frame, "recut", order_words(state), say("key.floor-ordered"), beside_back=beside_back)
    playing = bool(state.program.level and state.players)
    if playing and deciding.needs_stub(house, state):
        return stub_primary(frame, house, state, beside_back=beside_back)
    if playing:
        press, words, below = _first_step(house, state)
        # While cards are still dealt, what locks every decision does not shine as the next step.
        fill = "key" if house.game.has_pass("elections") else "next"
        return primary(frame, press, words, below, beside_back=beside_back, fill=fill)
    if stub_due(house, state) and deciding.counted_after(house, state):
        return stub_primary(frame, house, state, beside_back=beside_back)
    nobody = say("key.no-winners-clear") if not state.program.level else say("key.nobody-clear")
    return primary(frame, "clear", nobody, not_named(state) or say("key.all-settled"), beside_back=beside_back)


def not_named(state: TableState) -> Message:
    """The lit seats that CLEAR takes as lost: nobody named a prize for them; nothing where there are none."""
    seats = tuple(number for number, _ in state.numbered() if undecided(state, number))
    return say("key.lit-no-prize", seats=seats_of(seats)) if seats else NOTHING


def _first_step(house: House, state: TableState) -> tuple[str, Text, Text]:
    """(press, words): the cards are dealt, and everybody answers what is not tapped; the next cards follow at once."""
    if house.game.has_pass("elections"):
        told = joined(list(_elected(house, state)), " · ")
        return "next", say("key.lock-in"), say("key.when-all-asked", elected=told)
    step = dealing.next_cards(house, state) if house.game.has_pass("streets") else None
    if step is None:
        return "dealt", say("key.dealt"), say("key.ask-players")
    return "next", next(_deal_key(house, state, deciding.street(house, state))), say("key.all-check")


def asks_at_the_deal(house: House, state: TableState) -> bool:
    """While the cards are dealt the first answers are taken too."""
    return deciding.asks_next(house, state) and house.game.asks_players and not state.round.positions_open


def stub_primary(frame: Frame, house: House, state: TableState, *, beside_back: bool = False) -> Widget:
    """The count that is due; PROBLEM tells that it was wrong."""
    right = None if state.round.void_cite else dealing.stub_cards(house, state)
    words = (say("key.all-counted", deck=DECK), say("key.wrong-count"))
    if right is not None:
        words = (say("key.stub-counted", right=right), say("key.of-deck-wrong-count", deck=DECK))
    return primary(frame, "stub-right", *words, beside_back=beside_back)


def stub_line(house: House, state: TableState) -> Line:
    """Why a count is due."""
    cite = house.procedure.cite("stub", "" if house.procedure.has("stub") else method(house, state))
    return Line(say("count-stub.this-round", cite=cite), "strong", Tone.CAUTION)


def _steps(house: House, state: TableState, size: str) -> Iterator[Line]:
    found = dealing.steps(house, state)
    for place, step in enumerate(found, start=1):
        words = say("play.step", words=step.words, cite=step.cite)
        yield Line(say("play.numbered-step", place=place, step=words) if len(found) > 1 else words, size)


def _burn_words(house: House, state: TableState) -> Message:
    dealt = [house.game.dealt(street) for street in house.procedure.streets if street.then]
    if not dealt:
        return NOTHING
    if dealing.board_first(house, state):
        return say("burn.turn-up", cards=_then(dealt))
    if not dealing.burns(house, state):
        return say("burn.nothing")
    return say("burn.before", cards=_then([say("burn.one-before", cards=cards) for cards in dealt]))


def _then(parts: Sequence[Message]) -> Message:
    """One after the other."""
    first, *rest = parts
    return say("list.then", first=first, rest=_then(rest)) if rest else first


def _deal_at_zero(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        return lamp_tile(frame, house, state, number, seat, press=f"seat {number}")

    yield from tiles(state, one)
    last = len(state.round.seats)
    lines = [*_this_round(house, state)]
    lines += _steps(house, state, "body")
    burned, order = _burn_words(house, state), say("play.order", last=last)
    lines.append(Line(say("two-sentences", first=burned, second=order) if burned else order, "body", Tone.MUTED))
    if state.wagers:
        lines.append(Line(say("play.lit-seat-won"), "strong"))
    yield work(frame.work, *notice(state, *lines))


def _this_round(house: House, state: TableState) -> Iterator[Line]:
    """Lines that are not the same in every round stand above the others: nobody reads the same lines twice an hour."""
    if ordered := opening.order_words(house, state):
        yield Line(ordered, "strong", Tone.CAUTION)
    if stub_due(house, state):
        yield stub_line(house, state)
    yield from _drawn(state)
    yield from _machine(house, state)


def _machine(house: House, state: TableState) -> Iterator[Line]:
    """The machine's report only if it is in the way: with two decks it holds another one than is dealt."""
    if line := machine_in_the_way(house, state):
        yield line


DEALT_W = 34.0


def _deal_to_players(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    asks = asks_at_the_deal(house, state)

    def one(number: int, seat: Seat) -> Widget:
        if seat.late:
            word = say("seat.return") if state.sensor(number).covered else say("seat.returned")
            late = say("seat.late")
            return short_tile(frame, state, number, late, word, tone=Tone.CAUTION, border=Tone.CAUTION)
        if not seat.position.plays:
            return empty_tile(frame, state, number)
        press = f"seat {number}" if asks and not seat.left else ""
        ante = short_money(seat.position.base)
        return short_tile(frame, state, number, ante, _sides(house, seat), press=press)

    yield from tiles(state, one)
    heading = say("play.in-this-order") if state.players else say("play.nobody")
    ordered = opening.order_words(house, state)
    lines = [Line(ordered, "strong", Tone.CAUTION)] if ordered else [Line(heading, "strong")]
    if state.players:
        lines += [*_machine(house, state), *_steps(house, state, "body"), *_drawn(state)]
        lines += [Line(words, "body", Tone.MUTED)] if (words := _burn_words(house, state)) else []
    area = frame.low
    if asks:
        area, side = frame.low.side(frame.for_words(DEALT_W))
        yield key("dealt", "dealt", side, say("key.dealt"), say("key.ask-players"), size="label")
    yield work(area, *notice(state, *lines))


def _sides(house: House, seat: Seat) -> Text:
    """Other stakes in few words: Five Card Hand, side wagers."""
    said = [say("seat.5c")] if seat.five_card else []
    sides = [wager for wager, _ in seat.position.stakes if wager not in house.game.required]
    said += [say("seat.sides", n=len(sides))] if sides else []
    return joined(said, " + ") if said else NOTHING


# Decisions ------------------------------------------------------------------------------------------------------------


def ask(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The questions of this street, or what players elect."""
    yield from (_elections if house.game.has_pass("elections") else _street)(frame, house, state)
    yield from bar(house, state, frame)


def _answer(house: House, state: TableState, seat: Seat) -> tuple[str, int]:
    """The answer of a seat that is asked, or the default: check, on the last street play."""
    now = deciding.street(house, state)
    if seat.position.street == now.name:
        return seat.position.choice, seat.position.times
    return now.default


def _street(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    now = deciding.street(house, state)
    yield from tiles(state, lambda number, seat: _decision_tile(frame, house, state, number, seat))
    checks = any(
        deciding.asked(house, state, seat) and _answer(house, state, seat)[0] == "check" for seat in state.round.seats
    )
    step = dealing.next_cards(house, state)
    lines = [Line(_street_asks(house, now), "strong")]
    if step is not None and not checks:
        rest = [say("text-by", text=one.words, cite=one.cite) for one in dealing.rest_of_board(house, state)]
        lines.append(Line(say("street.nobody-left", words=joined(rest, " ")), "body"))
    else:
        lines.append(Line(_unless_tapped(house, state, now), "body"))
        if step is not None:
            lines.append(Line(say("text-by", text=step.words, cite=step.cite), "body", Tone.MUTED))
    sized = next((n for n, seat in state.numbered() if deciding.sizes_raise(house, state, seat)), 0)
    if sized:
        yield from _beside_amount(frame, state, sized, *lines, *_drawn(state))
    else:
        yield work(frame.work, *notice(state, *lines, *_drawn(state)))
    recorded = _recorded(house, state)
    if step is None or not checks:
        yield primary(frame, "next", say("key.dealers-hand"), recorded)
    else:
        verb, *first = _deal_key(house, state, now)
        yield primary(frame, "next", verb, joined([*first, recorded], " · "))


def _street_asks(house: House, now: Street) -> Message:
    """The question to players; some raises may be any amount between two (677a.11(b), (d))."""
    question = house.game.question(now)
    if now.between:
        return say("street.any-amount", question=question, cite=now.cite)
    return say("street.question", question=question, cite=now.cite)


def _deal_key(house: House, state: TableState, now: Street) -> Iterator[Text]:
    """The next community cards as a key: `DEAL THE FLOP`, `burn one first`."""
    cards = house.game.dealt(now)
    if dealing.board_first(house, state):
        yield say("key.turn-up", cards=cards)
        return
    yield say("key.deal", cards=cards)
    if dealing.burns(house, state):
        yield say("key.burn-first")


def _recorded(house: House, state: TableState) -> Text:
    """The record of the next key: `5 PLAY · 1 FOLD`. A seat that was tapped once too often is seen before it is final."""
    told = [
        _answer(house, state, seat)[0] if deciding.asked(house, state, seat) else seat.position.choice
        for seat in state.round.seats
        if seat.position.plays and not seat.left
    ]
    wager = house.game.called(house.procedure.play)
    words = {"play": say("recorded.wager", wager=wager), "check": say("choice.check"), "fold": FOLD}
    counted = [(told.count(Choice(choice)), word) for choice, word in words.items()]
    return joined([say("recorded.so-many", n=n, what=word) for n, word in counted if n], " · ")


def ask_title(house: House, state: TableState) -> Title:
    """The title of the questions: `BEFORE THE FLOP ●○○`; three streets look alike, and their keys lie in one place."""
    streets, place = house.procedure.streets, state.round.street
    if not house.game.has_pass("streets") or len(streets) < 2:
        return say("title.ask", last=len(state.round.seats)), Tone.NEXT
    dots = "".join("●" if one <= place else "○" for one in range(len(streets)))
    known = streets[place - 1] if place else streets[0]
    if not known.then:
        words = say("title.ask", last=len(state.round.seats))
    else:
        cards = house.game.dealt(known)
        words = say("title.after", cards=cards) if place else say("title.before", cards=cards)
    return joined([words, dots], "  "), Tone.NEXT


def _unless_tapped(house: House, state: TableState, now: Street) -> Message:
    """The choice of a seat that is not tapped."""
    last = len(state.round.seats)
    if now.last:
        return say("street.all-wager", last=last, wager=house.game.called(now.wager), times=now.times[0])
    return say("street.all-check", last=last)


AMOUNT_W = 34.0


def _beside_amount(frame: Frame, state: TableState, first: int, *lines: Line) -> Iterator[Widget]:
    """The question, and beside it the key for a raise that is no whole multiple of the ante (677a.11(b))."""
    area, side = frame.work.side(frame.for_words(AMOUNT_W))
    yield work(area, *notice(state, *lines))
    yield key("amount", f"raise {first}", side, say("key.amount"), say("key.of-a-raise"), size="label")


def raise_(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The amount of a raise between the multiples."""
    number, now = deciding.raising(state), deciding.street(house, state)

    def one(place: int, seat: Seat) -> Widget:
        sizes = deciding.sizes_raise(house, state, seat)
        tone = Tone.NEXT if sizes else Tone.MUTED
        word = short_money(seat.position.played) if sizes else say("raise.no-raise")
        border = Tone.NEXT if place == number else None
        return short_tile(frame, state, place, word, tone=tone, press=f"raise {place}" if sizes else "", border=border)

    yield from tiles(state, one)
    box = state.seat(number).position
    asked = say("raise.ask", seat=number, amount=box.played, most=max(now.times) * box.base, cite=now.cite)
    question, keys = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, asked, question)
    chips, least = keys.foot(keys.h / 2) if frame.upright else keys.side(frame.for_words(NO_CHIPS_W))
    yield from chip_keys(live, chips)
    yield key("no-chips", "no-chips", least, say("key.one-ante"), say("key.then-more"), size="label")
    yield from bar(house, state, frame)
    yield primary(frame, "back", say("key.back-to-questions"), house.game.question(now))


def _decision_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    box = seat.position
    if not box.plays:
        return tile(frame, state, number)
    if box.choice == "abandoned":
        return tile(frame, state, number, center(LEFT, "key", Tone.CAUTION))
    asked = deciding.asked(house, state, seat)
    choice, times = _answer(house, state, seat) if asked else (box.choice, box.times)
    press = f"seat {number}" if asked else ""
    lit = [center(sides, "body", Tone.MONEY if seat.wager else Tone.MUTED)] if (sides := _sides(house, seat)) else []
    changed = asked and box.street == deciding.street(house, state).name and box.decision.changed
    lit = [center(CHANGED, "body", Tone.CAUTION), *lit] if changed else lit
    if choice == "fold":
        words = deciding.what_happens_to(house, seat)
        look = seat.wager or bool(seat.five_card)
        below = [center(words, "body", Tone.CAUTION if look else Tone.PLAIN)]
        below += [center(CHANGED, "body", Tone.CAUTION)] if changed else []
        edge = Tone.CAUTION if look else None
        return tile(frame, state, number, center(FOLD, "key", Tone.STOP), *below, press=press, border=edge)
    if choice == "play":
        tone = Tone.NEXT if asked else Tone.MUTED
        amount = center(short_money(box.raised or box.base * times), "body", tone)
        many = wagered(house) if box.raised else say("decided.multiple", times=times)
        return tile(frame, state, number, center(many, "key", tone), amount, *lit, press=press)
    return tile(frame, state, number, center(say("choice.check"), "key"), *lit, press=press)


def wagered(house: House, times: int = 0) -> Message:
    """The wager that a decision made; `times`: the ante, 0 where that is not said."""
    wager = house.game.called(house.procedure.play)
    return say("decided.times", wager=wager, times=times) if times else say("decided.wager", wager=wager)


FOLD, LEFT = say("choice.fold"), say("choice.abandoned")
CHANGED = say("seat.changed")


def _place(choice: str) -> int:
    return {"instant": 1, "fold": 2}.get(choice, 0)


def _offered_elections(house: House) -> Iterator[tuple[str, str, Text]]:
    """(name, press, words) of what players elect; what is paid at once comes after the others, and a fold at the end."""
    for name, one in sorted(house.game.elections.items(), key=lambda item: _place(item[1].choice)):
        if one.counted:
            for cards in one.draws:
                yield f"{name}-{cards}", f"choose {name} {cards}", house.game.elected(name, cards)
        else:
            yield name, f"choose {name}", house.game.elected(name)


_ELECTED: Mapping[str, Tone] = {"fold": Tone.STOP, "instant": Tone.MONEY, "play": Tone.PLAIN}


def _election(house: House, seat: Seat) -> tuple[Text, Text, Tone]:
    """Word, second line and tone of what a player elected; who was not tapped plays."""
    box = seat.position
    if box.option:
        fee = say("seat.fee", amount=box.base)
        return house.game.elected(box.option, box.exchanged), fee, Tone.NEXT
    if box.choice == "abandoned":
        return LEFT, "", Tone.CAUTION
    choice = box.choice if box.choice in _ELECTED else "play"
    name = next(name for name, one in house.game.elections.items() if one.choice == choice)
    return house.game.elected(name), short_money(_bet_money(house, seat)) if choice == "play" else "", _ELECTED[choice]


def _bet_money(house: House, seat: Seat) -> int:
    """The stake of a player who plays, in cents."""
    return house.procedure.streets[0].times[0] * seat.position.base


def _elections(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        if not seat.position.plays:
            return empty_tile(frame, state, number)
        word, below, tone = _election(house, seat)
        border = in_turn(state, number)
        press = f"seat {number}" if deciding.asked(house, state, seat) else ""
        return short_tile(frame, state, number, word, below, tone=tone, press=press, border=border)

    yield from tiles(state, one)
    turn, waits = state.round.turn, deciding.elects_alone(state)
    chosen = say("elections.seat", seat=turn or waits) if turn or waits else house.game.elected_by_default()
    question, area = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, say("prompt-by", text=chosen, cite=deciding.street(house, state).cite), question)
    keys, area = area.top(0.7 * area.h)
    yield from choices(list(_offered_elections(house)), keys, most=4)
    wanted, there = deciding.draws_wanted(state), deciding.cards_left(house, state)
    short = deciding.beyond_the_deck(house, state)
    words = say("elections.cards", wanted=wanted, there=there)
    lines = [Line(words, "strong" if short else "body", Tone.CAUTION if short else Tone.MUTED)]
    if short:
        lines.append(Line(say("elections.too-many"), "small", Tone.CAUTION))
    yield label("draws", area, *lines, fill="tile")
    yield primary(frame, "next", say("key.lock-in"), joined(list(_elected(house, state)), " · "))


def _elected(house: House, state: TableState) -> Iterator[Message]:
    """The record of LOCK IN: `3 BET 2×`, `1 OPTION`, `1 FOLD`; a seat that was not tapped plays."""
    waits = deciding.elects_alone(state)
    told = [
        seat.position
        for number, seat in state.numbered()
        if seat.position.plays and seat.position.choice != "abandoned" and number != waits
    ]
    kinds = [Choice.OPTION if box.option else box.choice if box.choice in _ELECTED else Choice.PLAY for box in told]
    bets = next(house.game.elected(name) for name, one in house.game.elections.items() if one.choice == Choice.PLAY)
    words: dict[Choice, Message] = {
        Choice.PLAY: bets,
        Choice.OPTION: say("choice.option"),
        Choice.INSTANT: say("choice.instant"),
        Choice.FOLD: FOLD,
    }
    for choice, word in words.items():
        if n := kinds.count(choice):
            yield say("recorded.so-many", n=n, what=word)


# Declared hands and draws -----------------------------------------------------------------------------------------------


def supers(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The first pass: declared Supers, instant payouts, the antes of folds (671a.11(c))."""
    sums = _first_pass(house, state)

    def one(number: int, seat: Seat) -> Widget:
        if not seat.position.plays:
            return empty_tile(frame, state, number)
        take, give = sums.get(number, (0, 0))
        row = seat.position.super_row
        word: Text = house.game.row_called(row) if row else _election(house, seat)[0]
        if row and seat.position.verified:  # most of the money is not the Super's
            word = joined([_election(house, seat)[0], word], " + ")
        tone = Tone.MONEY if row else Tone.MUTED
        below = both_ways(take, give)
        border = in_turn(state, number)
        return short_tile(frame, state, number, word, *below, tone=tone, press=f"seat {number}", border=border)

    yield from tiles(state, one)
    cite = house.procedure.cite("locked in")
    declared, turn = house.game.called(house.game.declared), state.round.turn
    box = state.seat(turn).position if turn else None
    by_cards = state.program.level > 1 or bool(box and box.first)
    which = say("declared.cards", seat=turn) if by_cards else say("declared.row", seat=turn)
    who = which if turn else say("declared.who", wager=declared)
    question, area = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, say("prompt-by", text=who, cite=cite), question)
    instant = rows(house.submission, "instant") if "instant" in house.game.elections else ()
    chosen = {f"instant {box.verified}", box.super_row} if box else {""}
    offered: list[tuple[str, str, Text]] = []
    offered += [(f"instant {row}", f"row {row}", say("declared.instant", row=hand_name(row))) for row in instant]
    offered += [(row, f"row {row}", hand_name(row)) for row in rows(house.submission, house.game.declared)]
    if by_cards:
        chosen = {"undeclared"} if box and box.undeclared else {""}
        not_declared = say("key.not-declared")
        offered = [("cards", "cards", ENTER_CARDS), ("undeclared", f"row {deciding.UNDECLARED}", not_declared)]
    most = UPRIGHT_ROWS if frame.upright else 5 if instant else 8
    keys, area = area.top(area.height_of(len(offered), most, 0.72 if frame.upright else 0.62), 0.4)
    yield from choices(offered, keys, chosen=chosen, most=most)
    said = _hand_of_the_pass(house, state) or _whole_pass(house, state, declared)
    if before := _pass_before(state):  # tiles say the rest
        said = [Line(before, "small", Tone.CAUTION), *(line for line in said if line.tone is Tone.CAUTION)]
    yield work(area, *said)
    yield from bar(house, state, frame)
    words = [say("key.declared-settled", wager=declared), _of_the_pass(sums)]
    yield primary(frame, "supers-settled", *(word for word in words if word))


def _pass_before(state: TableState) -> Text:
    """The money that crosses the table before a first pass is settled again: back from players, and back to them."""
    taken = [
        say("void.of-seat", seat=number, amount=cents)
        for number, seat in state.numbered()
        if (cents := sums(seat.position.undone)[0])
    ]
    parts = [back for back in (not_taken_back(state),) if back]
    parts += [say("again.return-taken", seats=joined(taken))] if taken else []
    return joined(parts, " ") if parts else NOTHING


def _of_the_pass(sums: Mapping[int, tuple[int, int]]) -> Text:
    """The seats whose money the key of the first pass records: `pay 3 · collect 1, 2, 5`; a seat with both is in both."""
    paid = seats_of(number for number, (_, give) in sums.items() if give)
    taken = seats_of(number for number, (take, _) in sums.items() if take)
    parts = [say("pass.pay", seats=paid)] if paid else []
    parts += [say("pass.collect", seats=taken)] if taken else []
    return joined(parts, " · ") if parts else NOTHING


def _whole_pass(house: House, state: TableState, declared: Message) -> list[Line]:
    base = house.game.called(house.game.base)
    return [
        Line(say("declared.settle", last=len(state.round.seats), wager=declared, base=base), "small"),
        Line(say("declared.not", wager=declared), "small", Tone.MUTED),
    ]


def _hand_of_the_pass(house: House, state: TableState) -> list[Line]:
    """The chosen seat's hand: what lies on it, the owner's first, then who backed it (671a.11(c)(1), (2))."""
    turn = state.round.turn
    steps: list[Text] = []
    paid: list[Payment] = []
    with suppress(Refusal):  # an instant payout that nobody has verified yet
        for hand, number, lines in deciding.pass_by_hand(house, state):
            if hand == turn:
                paid += lines
                steps += [say("declared.step", seat=number, what=over_the_table(*sums(lines))) for _ in lines[:1]]
    if not steps:
        return []
    said = [Line(say("declared.hand", seat=turn), "small", Tone.MUTED), Line(joined(steps), "small")]
    if cut := limit_words(house, paid):
        said.append(Line(cut, "small", Tone.CAUTION))
    box = state.seat(turn).position
    if box.verified and box.decision.choice != "instant":
        said.append(Line(instant_alone(house), "small", Tone.CAUTION))
    return said


def both_ways(take: int, give: int) -> list[Text]:
    """The money over the table at a seat's turn, in cents: to the player, and in a row of its own to the rack."""
    return [over_the_table(*way) for way in ((0, give), (take, 0)) if any(way)]


def over_the_table(take: int, give: int) -> Message:
    """The cents to pay, or else to collect."""
    if give:
        return say("pay.give", amount=give)
    return say("pay.take", amount=take) if take else NOTHING


def _first_pass(house: House, state: TableState) -> dict[int, tuple[int, int]]:
    """Cents to collect and to pay at each seat before the draws, as far as the seats have told."""
    told: dict[int, tuple[int, int]] = {}
    with suppress(Refusal):  # an instant payout that nobody has verified yet
        for number, lines in deciding.first_pass(house, state):
            before, more = told.get(number, (0, 0)), sums(lines)
            told[number] = before[0] + more[0], before[1] + more[1]
    return told


def draw(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A player who paid the fee gets the cards, and bets or forfeits the ante (671a.11(d))."""

    def one(number: int, seat: Seat) -> Widget:
        if not seat.position.plays:
            return empty_tile(frame, state, number)
        word, below, tone = _election(house, seat)
        if seat.position.drawn:
            below = say("draw.bets") if seat.position.choice == "play" else say("draw.folds")
        border = in_turn(state, number)
        return short_tile(frame, state, number, word, below, tone=tone, border=border)

    yield from tiles(state, one)
    box = state.seat(state.round.turn).position if state.round.turn else state.round.seats[0].position
    cards = box.exchanged
    what = say("draw.exchange", n=cards) if cards else say("draw.one-more")
    bet = _bet_money(house, state.seat(state.round.turn or 1))
    lines = (
        Line(say("draw.fee", seat=state.round.turn, amount=box.base), "key", Tone.MONEY),
        Line(what, "body"),
        Line(say("draw.then", amount=bet, base=house.game.called(house.game.base)), "body"),
        Line(house.procedure.cite("draw"), "small", Tone.MUTED),
    )
    area, side = frame.low.foot(FOLDS_H) if frame.upright else frame.low.side(frame.for_words(FOLDS_W))
    yield work(area, *notice(state, *lines))
    yield key("folds", "folds", side, say("key.folds"), say("pay.take", amount=box.base))
    yield from bar(house, state, frame)
    yield primary(frame, "bets", say("key.seat-bets", seat=state.round.turn), short_money(bet))


FOLDS_W, FOLDS_H = 46.0, 20.0


# The dealer's hand ------------------------------------------------------------------------------------------------------


def reveal(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The dealer's hand is turned up and announced."""
    yield from tiles(state, lambda number, seat: _waiting_tile(frame, house, state, number, seat))
    if deciding.needs_stub(house, state):
        yield from _count_first(frame, house, state)
        return
    yield from bar(house, state, frame)
    backed = settling.backs_dealer(house, state)
    entering = state.program.level >= 2
    crowded = backed and frame.prompt_h < KEY_MM  # by two rows of keys: CARDS stands beside the answers
    high = PROMPT_BESIDE_KEY_MM if frame.upright else max(KEY_MM + 0.4, frame.prompt_h)
    question, area = frame.low.top(frame.prompt_h - 0.9 if crowded else frame.prompt_h if entering else high, 0.5)
    if backed and not entering:
        most = UPRIGHT_ROWS if frame.upright else 9
        dealer_rows, area = area.top(area.height_of(_super_rows(house), most, 0.55 if frame.upright else 0.41))
        yield from _dealer_rows(house, state, dealer_rows, most)
    told = not backed or entering or state.round.dealer_row is not None
    better, less = house.game.qualified(True), house.game.qualified(False)
    cite = house.procedure.cite("reveal")
    words = _turn_up(house, state) if told else _which_row(house)
    if not entering:
        place, enter = (area if crowded else question).side(frame.for_words(CARDS_KEY_W))
        question, area = (question, place) if crowded else (place, area)
        yield key("cards", "cards", enter, ENTER_CARDS, size="label")
    yield prompt(state, words if frame.upright else say("prompt-by", text=words, cite=cite), question)
    by_cards = backed and entering  # the cards say the row of the Supers too
    offered = (("less", "dealer no", less), ("better", "dealer yes", better))
    yield from () if by_cards else choices(offered, area, most=2)
    if not told:  # which row the dealer's hand is on is never a default either
        yield nothing_yet(frame, say("key.which-row"), say("key.answer-above"))
    elif entering:
        yield primary(
            frame,
            "cards",
            ENTER_CARDS,
            say("entry.board-and-dealer") if house.game.has_board else say("entry.dealer"),
        )
    else:  # which hand the dealer has is never a default
        yield nothing_yet(frame, say("key.which-hand"), say("key.answer-above"))


CARDS_KEY_W = 26.0
UPRIGHT_ROWS = 3
"""So many names of hands stand side by side on an upright panel: each in two lines."""
PROMPT_BESIDE_KEY_MM = 16.0
"""Upright: the key leaves it so little of the width that it needs another line."""
ENTER_CARDS = say("key.enter-cards")


def _turn_up(house: House, state: TableState) -> Message:
    """If everybody has wagered before the last street, the board is not complete yet; then the stub goes away."""
    before = dealing.last_cards(house, state)
    if len(before) > 1:
        return say("reveal.board-first-burn") if dealing.burns(house, state) else say("reveal.board-first")
    if before and not state.round.stub_counted:
        return say("reveal.stub-first")
    return say("reveal.turn-up")


def _which_row(house: House) -> Message:
    return say("declared.dealer-row", wager=house.game.called(house.game.declared))


def _super_rows(house: House) -> int:
    """How many keys say which row: one for each, one for none."""
    return len(rows(house.submission, house.game.declared)) + 1


def _dealer_rows(house: House, state: TableState, area: Area, most: int) -> Iterator[Widget]:
    offered: list[tuple[str, str, Text]] = []
    offered += [(row, f"dealer-row {row}", hand_name(row)) for row in rows(house.submission, house.game.declared)]
    offered.append(("none", "dealer-row none", say("answer.none")))
    row = state.round.dealer_row
    chosen = {"none" if row == "" else row or "-"}
    yield from choices(offered, area, chosen=chosen, most=most, group="rows")


def _count_first(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    right = dealing.stub_cards(house, state)
    lines = (
        Line(say("count-stub.heading"), "strong", Tone.CAUTION),
        Line(say("count-stub.left", n=right) if right is not None else say("count-stub.all", deck=DECK), "body"),
        stub_line(house, state),
        Line(say("count-stub.other", deck=DECK), "small", Tone.MUTED),
    )
    yield work(frame.low, *notice(state, *lines), border=Tone.CAUTION)
    yield from bar(house, state, frame)
    yield stub_primary(frame, house, state)


def _waiting_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    """A seat before the dealer's hand is shown."""
    box = seat.position
    if not box.plays:
        return empty_tile(frame, state, number)
    if house.game.has_pass("elections"):
        word, below, tone = _election(house, seat)
        return short_tile(frame, state, number, word, below, tone=tone)
    if box.choice == "fold":
        fate = deciding.what_happens_to(house, seat, short=True)
        return short_tile(frame, state, number, FOLD, fate, tone=Tone.STOP)
    if box.choice == "abandoned":
        return short_tile(frame, state, number, LEFT, tone=Tone.CAUTION)
    said = wagered(house, 0 if box.raised else box.times)
    return short_tile(frame, state, number, said, short_money(box.played))


PLACES = {"board": say("entry.place-board"), "dealer": say("seat.dealer"), "six": say("entry.place-six")}
"""The owner of cards that are not a seat's."""


SLOTS_UPRIGHT = 6
"""So many places of cards stand side by side on an upright panel."""
ROW_GAP = 1.0


def hand(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Cards are entered, for one hand or for the board and the dealer."""
    entry = state.round.entry
    number = settling.entering(state)
    entered, wanted = len(entry.cards), len(entry.want)
    asked = say("entry.ask", whose=_whose_cards(number, entry.want))
    why_not = hindered(house, state, live, "enter") if entered == wanted else NOTHING
    question, area = frame.page.top(frame.prompt_h - 1.6, 0.4)
    yield prompt(state, why_not or asked, question, Tone.CAUTION if why_not else Tone.PLAIN)
    down = -(-len(entry.want) // SLOTS_UPRIGHT) if frame.upright else 1
    slots, area = area.top(down * (frame.small_h + frame.slot_h) + (down - 1) * ROW_GAP, 1.0)
    rows = [row.top(frame.small_h, 0.0) for row in slots.rows(down, ROW_GAP)]
    places = [place for _, row in rows for place in row.columns(-(-len(entry.want) // down))]
    before = ("", 0.0)
    slots_shown = card_slots(entry.cards, places[: len(entry.want)], entry.slot, entry.rank)
    for (shown, at), place in zip(slots_shown, entry.want, strict=True):
        if (place, at.y) != before:
            same = [
                one.right for one, other in zip(places, entry.want, strict=False) if other == place and one.y == at.y
            ]
            words = say("entry.place-seat", seat=number) if place in ("seat", settling.FIRST) else PLACES[place]
            span = Area(at.x, at.y - frame.small_h, max(same) - at.x, frame.small_h)
            yield label(f"group-{shown.id}", span, center(words, "small", Tone.MUTED))
            before = (place, at.y)
        yield shown
    yield from card_pad(entry, area)
    yield from bar(house, state, frame)
    yield back_key(frame, "cancel", say("key.cancel"))
    if entered < wanted:
        yield nothing_yet(frame, say("key.so-many-of", entered=entered, wanted=wanted), beside_back=True)
    else:
        yield primary(frame, "enter", say("key.cards-entered"), beside_back=True)


def _whose_cards(number: int, wanted: Sequence[str]) -> Message:
    if number:
        return say("entry.seats-hand", seat=number)
    return say("entry.board-and-dealer") if "board" in wanted else say("entry.dealers-hand")


BODIES: dict[str, Body] = {
    "deal": deal,
    "ask": ask,
    "raise": raise_,
    "supers": supers,
    "draw": draw,
    "reveal": reveal,
    "hand": hand,
}
TITLES: dict[str, Title] = {
    "deal": (say("title.deal"), Tone.NEXT),
    "ask": (lambda last: say("title.ask", last=last), Tone.NEXT),
    "raise": (say("title.raise"), Tone.NEXT),
    "supers": (lambda last: say("title.supers", last=last), Tone.NEXT),
    "draw": (lambda last: say("title.draw", last=last), Tone.NEXT),
    "reveal": (say("title.reveal"), Tone.NEXT),
    "hand": (say("title.hand"), Tone.NEXT),
}
