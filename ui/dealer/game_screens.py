"""Cards and decisions, up to the dealer's hand: sections .8 to .11(g)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payline import rows
from firmware.rules.strict import Refusal
from firmware.table import dealing, deciding, opening, settling
from firmware.table.house import House
from firmware.table.interlock import machine_used, method, stub_due
from firmware.table.procedures import DECK
from firmware.table.state import Seat, TableState
from ui.dealer.frame import Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    alarming,
    back_key,
    bar,
    card_pad,
    card_slots,
    card_words,
    centre,
    chip_keys,
    choices,
    joined,
    key,
    label,
    notice,
    order_words,
    primary,
    prompt,
    short_money,
    work,
)
from ui.dealer.seats import lamp_tile, short_tile, tile, tiles
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget


def drawn_words(state: TableState) -> str:
    """The card and the position of this round's bonuses, "" where none was drawn."""
    said = []
    if state.round.magic_card:
        said.append(f"Magic Card: {card_words(state.round.magic_card)}.")
    if state.round.lucky is not None:
        said.append(f"Lucky: {f'seat {state.round.lucky}' if state.round.lucky else 'the dealer'}.")
    return " ".join(said)


def _drawn(state: TableState) -> Iterator[Line]:
    if words := drawn_words(state):
        yield Line(words, "label", Tone.MONEY)


# The deal -------------------------------------------------------------------------------------------------------------


def deal(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Who is dealt what; at level 0 also the place where a winner is told."""
    yield from _deal_at_zero(frame, house, state) if not state.program.level else _deal_to_players(frame, house, state)
    yield from bar(frame, state)
    stays = state.round.sent_wagers or state.was_dealt or not state.program.level
    if not stays:
        yield back_key(frame, "reopen", "REOPEN", hold=True)
    yield _deal_primary(frame, house, state, beside_back=not stays)


def _deal_primary(frame: Frame, house: House, state: TableState, *, beside_back: bool) -> Widget:
    if state.decks.recut:
        return primary(frame, "recut", order_words(state), "the floor ordered it", beside_back=beside_back)
    playing = bool(state.program.level and state.players)
    if playing and deciding.needs_stub(house, state):
        return stub_primary(frame, house, state, beside_back=beside_back)
    if playing:
        return primary(frame, "dealt", "DEALT", "ask the players", beside_back=beside_back)
    if stub_due(house, state) and deciding.counted_after(house, state):
        return stub_primary(frame, house, state, beside_back=beside_back)
    words = "NO WINNERS · CLEAR" if not state.program.level else "NOBODY PLAYS · CLEAR"
    return primary(frame, "clear", words, "every hand is settled", beside_back=beside_back)


def stub_primary(frame: Frame, house: House, state: TableState, *, beside_back: bool = False) -> Widget:
    """The count that is due; PROBLEM tells that it was wrong."""
    right = dealing.stub_cards(house, state)
    words = (f"{DECK} COUNTED", "wrong count? PROBLEM")
    if right is not None:
        words = (f"STUB COUNTED: {right}", f"of {DECK}; wrong count? PROBLEM")
    return primary(frame, "stub-right", *words, beside_back=beside_back)


def stub_line(house: House, state: TableState) -> Line:
    """Why a count is due."""
    cite = house.procedure.cite("stub", "" if house.procedure.has("stub") else method(house, state))
    return Line(f"Count the cards this round: five rounds have gone ({cite}).", "status", Tone.CAUTION)


def _steps(house: House, state: TableState, size: str) -> Iterator[Line]:
    found = dealing.steps(house, state)
    for place, step in enumerate(found, start=1):
        one = say("deal.only-step", what=step.words, cite=step.cite)
        several = say("deal.step", place=place, what=step.words, cite=step.cite)
        yield Line(several if len(found) > 1 else one, size)


def _burn_words(house: House, state: TableState) -> Message:
    if not house.game.has_board:
        return NOTHING
    dealt = dealing.dealt_between(house)
    if dealing.board_first(house, state):
        return say("burn.board-lies", cards=joined(dealt, ", "))
    burned = joined([say("burn.before", cards=cards) for cards in dealt], ", ")
    return say("burn.burn", what=burned) if dealing.burns(house, state) else say("burn.nothing")


def _deal_at_zero(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        return lamp_tile(
            frame, house, state, number, seat, press=f"seat {number}" if seat.wager or seat.five_card else ""
        )

    yield from tiles(state, one)
    last = len(state.round.seats)
    ordered = opening.order_words(house, state)
    lines = [Line(ordered, "label", Tone.CAUTION)] if ordered else []
    lines += _steps(house, state, "status")
    order, burned = say("deal.order", last=last), _burn_words(house, state)
    lines.append(Line(say("two-sentences", first=burned, second=order) if burned else order, "status"))
    if state.program.progressive:
        lines.append(Line("A lit seat won on its two cards and the flop? Tap the seat.", "label"))
    lines += [stub_line(house, state)] if stub_due(house, state) else []
    lines += [*_drawn(state), *_machine(house, state)]
    yield work(frame.work, *notice(state, *lines))


def _machine(house: House, state: TableState) -> Iterator[Line]:
    if not machine_used(house, state):
        return
    shuffler = state.neighbours.shuffler
    deck = f"{shuffler.deck} deck " if shuffler.deck else ""
    count = "" if shuffler.count is None else f" {shuffler.count}/{DECK}"
    words = f"Shuffler: {deck}{shuffler.mode.upper()}{count}" if shuffler.connected else "Shuffler: not connected"
    yield Line(words, "small", Tone.MUTED if shuffler.connected and not alarming(state) else Tone.CAUTION)


def _deal_to_players(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        if seat.late:
            word = "RETURN" if state.sensor(number).covered else "returned"
            return short_tile(frame, state, number, Shape.TRIANGLE, Tone.CAUTION, "LATE", word, border=Tone.CAUTION)
        if not seat.position.plays:
            return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand")
        return short_tile(
            frame, state, number, Shape.TICK, Tone.DONE, short_money(seat.position.ante), _sides(house, seat)
        )

    yield from tiles(state, one)
    heading = "Deal, in this order:" if state.players else "Nobody plays this round."
    lines = [Line(heading, "strong")]
    if ordered := opening.order_words(house, state):
        lines = [Line(ordered, "strong", Tone.CAUTION)]
    if state.players:
        lines += [*_steps(house, state, "body"), *_drawn(state)]
        lines += [Line(words, "status", Tone.MUTED)] if (words := _burn_words(house, state)) else []
        lines += _machine(house, state)
    yield work(frame.low, *notice(state, *lines))


def _sides(house: House, seat: Seat) -> str:
    """What else is at stake, in few words: a lit lamp, Five Card Hand, side wagers."""
    said = ["LIT"] if seat.wager else []
    said += ["5C"] if seat.five_card else []
    sides = [wager for wager, _ in seat.position.stakes if wager not in house.game.required]
    said += [f"{len(sides)} side"] if sides else []
    return " + ".join(said)


# Decisions ------------------------------------------------------------------------------------------------------------


def ask(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The questions of this street, or what players elect."""
    yield from (_elections if house.game.has_pass("elections") else _street)(frame, house, state)
    yield from bar(frame, state)


def _answer(house: House, state: TableState, seat: Seat) -> tuple[str, int]:
    """What a seat that is asked has answered, or the default: check, on the last street play."""
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
    otherwise = f"{house.procedure.play} {now.times[0]}×" if now.last else "check"
    lines = [
        Line(f"{now.question}?  ({now.cite})", "strong"),
        Line(f"Ask 1 › {len(state.round.seats)}. Tap only who answers otherwise than: {otherwise}.", "body"),
    ]
    if step is not None and not checks:
        lines.append(Line(say("street.nobody-left", what=step.words), "status"))
    elif step is not None:
        lines.append(Line(say("text-by", text=step.words, cite=step.cite), "status", Tone.MUTED))
    sized = next((n for n, seat in state.numbered() if deciding.sizes_raise(house, state, seat)), 0)
    if sized:
        yield from _beside_amount(frame, state, sized, *lines)
    else:
        yield work(frame.work, *notice(state, *lines, *_drawn(state)))
    if step is None or not checks:
        yield primary(frame, "next", "DEALER'S HAND", "all have answered")
    else:
        yield primary(frame, "next", step.words)


AMOUNT_W = 34.0


def _beside_amount(frame: Frame, state: TableState, first: int, *lines: Line) -> Iterator[Widget]:
    """The question, and beside it the key for a raise that is no whole multiple of the ante (677a.11(b))."""
    area, side = frame.work.side(frame.for_words(AMOUNT_W))
    yield work(area, *((Line(state.desk.notice, "body", Tone.CAUTION),) if state.desk.notice else lines))
    yield key("amount", f"raise {first}", side, "AMOUNT", "of a raise", size="label")


def raise_(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The amount of a raise between the multiples."""
    number, now = deciding.raising(state), deciding.street(house, state)

    def one(place: int, seat: Seat) -> Widget:
        sizes = deciding.sizes_raise(house, state, seat)
        shape, tone = (Shape.TICK, Tone.NEXT) if sizes else (Shape.DASH, Tone.OFF)
        word = short_money(seat.position.played) if sizes else "no raise"
        border = Tone.NEXT if place == number else None
        return short_tile(
            frame, state, place, shape, tone, word, press=f"raise {place}" if sizes else "", border=border
        )

    yield from tiles(state, one)
    box = state.seat(number).position
    most = short_money(max(now.times) * box.ante)
    question, keys = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, f"Seat {number} raises {short_money(box.played)}, at most {most} ({now.cite}).", question)
    chips, least = keys.foot(keys.h / 2) if frame.upright else keys.side(frame.for_words(NO_CHIPS_W))
    yield from chip_keys(live, chips)
    yield key("no-chips", "no-chips", least, "1× ANTE", "then more", size="label")
    yield from bar(frame, state)
    yield primary(frame, "back", "BACK TO THE QUESTIONS", now.question)


NO_CHIPS_W = 36.0


def _decision_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    box = seat.position
    if not box.plays:
        return tile(frame, state, number, Shape.DASH, Tone.OFF, centre("no hand", "status", Tone.MUTED))
    if box.choice == "abandoned":
        return tile(frame, state, number, Shape.DASH, Tone.OFF, centre("LEFT", tone=Tone.CAUTION))
    asked = deciding.asked(house, state, seat)
    choice, times = _answer(house, state, seat) if asked else (box.choice, box.times)
    press = f"seat {number}" if asked else ""
    lit = [centre(sides, "small", Tone.MONEY if seat.wager else Tone.MUTED)] if (sides := _sides(house, seat)) else []
    if choice == "fold":
        words = deciding.what_happens_to(house, seat)
        look = seat.wager or bool(seat.five_card)
        below = [centre(words, "small", Tone.CAUTION if look else Tone.PLAIN)]
        edge = Tone.CAUTION if look else None
        return tile(
            frame,
            state,
            number,
            Shape.DASH,
            Tone.STOP,
            centre("FOLD", tone=Tone.STOP),
            *below,
            press=press,
            border=edge,
        )
    if choice == "play":
        name = house.procedure.play.upper()
        tone = Tone.NEXT if asked else Tone.MUTED
        amount = centre(short_money(box.raised or box.ante * times), "status", tone)
        many = name if box.raised else f"{name} {times}×"
        return tile(frame, state, number, Shape.TICK, tone, centre(many, tone=tone), amount, *lit, press=press)
    return tile(frame, state, number, Shape.RING, Tone.OFF, centre("CHECK"), *lit, press=press)


def election_words(house: House, name: str, cards: int = 0) -> str:
    """What a player elects, short enough for a key or a seat."""
    said = house.submission.book.words.get(f"election.{name}", name.upper())
    return f"{said} {cards}" if cards else said


def _offered_elections(house: House) -> Iterator[tuple[str, str, str]]:
    """(name, press, words) of what players elect; what is paid at once comes last."""
    for name, one in sorted(house.game.elections.items(), key=lambda item: item[1].choice == "instant"):
        if one.counted:
            for cards in one.draws:
                yield f"{name}-{cards}", f"choose {name} {cards}", election_words(house, name, cards)
        else:
            yield name, f"choose {name}", election_words(house, name)


_ELECTED: Mapping[str, tuple[Shape, Tone]] = {
    "fold": (Shape.DASH, Tone.STOP),
    "instant": (Shape.DISC, Tone.MONEY),
    "play": (Shape.TICK, Tone.DONE),
}


def _election(house: House, seat: Seat) -> tuple[str, str, Shape, Tone]:
    """Word, second line, shape and tone of what a player elected; who was not tapped plays."""
    box = seat.position
    if box.option:
        fee = f"fee {short_money(box.ante)}"
        return election_words(house, box.option, box.exchanged), fee, Shape.CHIP, Tone.NEXT
    if box.choice == "abandoned":
        return "LEFT", "", Shape.DASH, Tone.CAUTION
    choice = box.choice if box.choice in _ELECTED else "play"
    name = next((name for name, one in house.game.elections.items() if one.choice == choice), choice)
    return election_words(house, name), _bet_money(house, seat) if choice == "play" else "", *_ELECTED[choice]


def _bet_money(house: House, seat: Seat) -> str:
    """What a player who plays puts up."""
    return short_money(house.procedure.streets[0].times[0] * seat.position.ante)


def _elections(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        if not seat.position.plays:
            return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand")
        word, below, shape, tone = _election(house, seat)
        border = Tone.NEXT if number == state.round.turn else None
        press = f"seat {number}" if seat.position.choice != "abandoned" else ""
        return short_tile(frame, state, number, shape, tone, word, below, press=press, border=border)

    yield from tiles(state, one)
    play = next(name for name, one in house.game.elections.items() if one.choice == "play")
    default = election_words(house, play).lower()
    chosen = f"Seat {state.round.turn}: what does he choose?"
    if not state.round.turn:
        chosen = f"Tap who does not simply {default}."
    question, area = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, f"{chosen}  ({deciding.street(house, state).cite})", question)
    keys, area = area.top(0.56 * area.h)
    yield from choices(list(_offered_elections(house)), keys, enabled=bool(state.round.turn), most=8)
    wanted, there = deciding.draws_wanted(state), deciding.cards_left(house, state)
    short = wanted > there
    words = f"Cards wanted: {wanted}, left in the deck: {there}."
    lines = [Line(words, "strong" if short else "status", Tone.CAUTION if short else Tone.MUTED)]
    if short:
        lines.append(Line("The deck cannot cover that: call the floor before locking in.", "status", Tone.CAUTION))
    yield label("draws", area, *lines, fill="tile")
    yield primary(frame, "next", "ALL DECISIONS", "ARE LOCKED IN")


# Declared hands and draws -----------------------------------------------------------------------------------------------


def supers(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The first pass: declared Supers, instant payouts, the antes of folds (671a.11(c))."""
    sums = _first_pass(house, state)

    def one(number: int, seat: Seat) -> Widget:
        if not seat.position.plays:
            return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand")
        take, give = sums.get(number, (0, 0))
        word = seat.position.super_row.upper() if seat.position.super_row else _election(house, seat)[0]
        shape, tone = (Shape.DISC, Tone.MONEY) if seat.position.super_row else (Shape.RING, Tone.OFF)
        below = f"pay {short_money(give)}" if give else f"take {short_money(take)}" if take else ""
        border = Tone.NEXT if number == state.round.turn else None
        shown = house.submission.book.words.get(f"row.{seat.position.super_row}", word)
        return short_tile(frame, state, number, shape, tone, shown, below, press=f"seat {number}", border=border)

    yield from tiles(state, one)
    cite = house.procedure.cite("locked in")
    who = (
        f"Seat {state.round.turn} declared: which row?"
        if state.round.turn
        else "Who declares a Super? Tap the seat, then its row."
    )
    question, area = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, f"{who}  ({cite})", question)
    box = state.seat(state.round.turn).position if state.round.turn else None
    instant = rows(house.submission, "instant") if box and box.choice == "instant" else ()
    verified = dict(box.called).get("instant", "") if box else ""
    chosen = {f"instant {verified}", box.super_row if box else ""}
    offered = [(f"instant {row}", f"row {row}", f"INSTANT: {row}") for row in instant]
    offered += [(row, f"row {row}", row_words(row)) for row in rows(house.submission, house.game.declared)]
    most = 5 if instant else 8
    keys, area = area.top(area.height_of(len(offered), most, 0.62))
    yield from choices(offered, keys, chosen=chosen, enabled=bool(state.round.turn), most=most)
    lines = (
        Line(
            f"Settle 1 › {len(state.round.seats)}: collect lost Supers, pay declared ones, collect antes of folds.",
            "status",
        ),
        Line("A hand that nobody declares loses its Super.", "status", Tone.MUTED),
    )
    yield work(area, *lines)
    yield from bar(frame, state)
    yield primary(frame, "supers-settled", "SUPERS SETTLED", "then the draws")


def row_words(row: str) -> str:
    """A row of a paytable as a key says it, which breaks between words."""
    return row.replace("ace-king-queen", "ace king queen")


def _first_pass(house: House, state: TableState) -> dict[int, tuple[int, int]]:
    """Cents to collect and to pay at each seat before the draws, as far as the seats have told."""
    sums: dict[int, tuple[int, int]] = {}
    with suppress(Refusal):  # an instant payout that nobody has verified yet
        for number, lines in deciding.first_pass(house, state):
            take, give = sums.get(number, (0, 0))
            take += sum(line.stake - line.returned for line in lines if line.result == "lose")
            sums[number] = take, give + sum(line.payout for line in lines)
    return sums


def draw(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A player who paid the fee gets his cards, and bets or forfeits the ante (671a.11(d))."""

    def one(number: int, seat: Seat) -> Widget:
        if not seat.position.plays:
            return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand")
        word, below, shape, tone = _election(house, seat)
        if seat.position.drawn:
            below = "bets" if seat.position.choice == "play" else "folds"
        border = Tone.NEXT if number == state.round.turn else None
        return short_tile(frame, state, number, shape, tone, word, below, border=border)

    yield from tiles(state, one)
    box = state.seat(state.round.turn).position if state.round.turn else state.round.seats[0].position
    cards = box.exchanged
    what = f"takes back {cards} cards, deals {cards}" if cards else "deals one more card"
    bet = _bet_money(house, state.seat(state.round.turn or 1))
    lines = (
        Line(f"Seat {state.round.turn}: collect the fee, {short_money(box.ante)}", "key", Tone.MONEY),
        Line(f"The dealer {what}, face down.", "body"),
        Line(f"Then: a bet of {bet}, or the ante is lost.", "body"),
        Line(house.procedure.cite("draw"), "small", Tone.MUTED),
    )
    refused = (Line(state.desk.notice, "body", Tone.CAUTION),)
    area, side = frame.low.foot(FOLDS_H) if frame.upright else frame.low.side(frame.for_words(FOLDS_W))
    yield work(area, *(refused if state.desk.notice else lines))
    yield key("folds", "folds", side, "FOLDS", f"take {short_money(box.ante)}")
    yield from bar(frame, state)
    yield primary(frame, "bets", f"SEAT {state.round.turn} BETS", bet)


FOLDS_W, FOLDS_H = 46.0, 20.0


# The dealer's hand ------------------------------------------------------------------------------------------------------


def reveal(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The dealer's hand is turned up and announced."""
    yield from tiles(state, lambda number, seat: _waiting_tile(frame, house, state, number, seat))
    if deciding.needs_stub(house, state):
        yield from _count_first(frame, house, state)
        return
    yield from bar(frame, state)
    backed = settling.backs_dealer(state)
    question, area = frame.low.top(frame.prompt_h, 0.4)
    if backed:
        dealer_rows, area = area.top(area.height_of(_super_rows(house), 9, 0.55 if frame.upright else 0.41))
        yield from _dealer_rows(house, state, dealer_rows)
    told = not backed or state.round.dealer_row is not None
    better, less = qualify_words(house)
    cite = house.procedure.cite("reveal")
    ask_row = "The dealer's first five cards: which Super row?"
    words = _turn_up(house, state) if told else ask_row
    yield prompt(state, f"{words}  ({cite})", question)
    entering = state.program.level >= 2
    offered = [("less", "dealer no", less)]
    offered += [("better", "dealer yes", better)] if entering else []
    offered += [] if entering else [("enter", "cards", "ENTER CARDS")]
    yield from choices(offered, area, enabled=told, most=4)
    if not told:
        yield primary(frame, "dealer-row none", "NO SUPER", "none of these rows")
    elif entering:
        yield primary(
            frame,
            "cards",
            "ENTER CARDS",
            house.submission.book.words.get("cards.entered", "board and dealer"),
        )
    else:
        yield primary(frame, "dealer yes", better, "the dealer qualifies")


def qualify_words(house: House) -> tuple[str, str]:
    """The dealer's hand qualifies, or does not, as the keys say it."""
    least = house.submission.book.qualify
    return (least.yes.upper(), least.no.upper()) if least else ("ANY HAND", "NO HAND")


def _turn_up(house: House, state: TableState) -> str:
    """Where everybody has wagered before the last street, the board is not complete yet; then the stub goes away."""
    before = dealing.last_cards(house, state)
    if len(before) > 1:
        return "First the board, then the stub away. Turn up the dealer's cards, announce the hand."
    if before and not state.round.stub_counted:
        return "Stub into the rack, unseen. Then turn up the dealer's cards and announce the hand."
    return "Turn the dealer's cards up and announce the best hand."


def _super_rows(house: House) -> int:
    """How many keys say which row: one for each, one for none."""
    return len(rows(house.submission, house.game.declared)) + 1


def _dealer_rows(house: House, state: TableState, area: Area) -> Iterator[Widget]:
    offered = [(row, f"dealer-row {row}", row_words(row)) for row in rows(house.submission, house.game.declared)]
    offered.append(("none", "dealer-row none", "none"))
    row = state.round.dealer_row
    yield from choices(offered, area, chosen={"none" if row == "" else row or "-"}, most=9, group="rows")


def _count_first(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    right = dealing.stub_cards(house, state)
    lines = (
        Line("Count the stub before the dealer's hand is shown", "strong", Tone.CAUTION),
        Line(f"{right} cards must be left." if right is not None else f"All {DECK} cards must be there.", "body"),
        stub_line(house, state),
        Line("Another number: PROBLEM says whether cards were misdealt or the deck is not 52.", "status", Tone.MUTED),
    )
    yield work(frame.low, *notice(state, *lines), border=Tone.CAUTION)
    yield from bar(frame, state)
    yield stub_primary(frame, house, state)


def _waiting_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    """A seat before the dealer's hand is shown."""
    box = seat.position
    if not box.plays:
        return short_tile(frame, state, number, Shape.DASH, Tone.OFF, "no hand")
    if house.game.has_pass("elections"):
        word, below, shape, tone = _election(house, seat)
        return short_tile(frame, state, number, shape, tone, word, below)
    if box.choice == "fold":
        return short_tile(
            frame, state, number, Shape.DASH, Tone.STOP, "FOLD", deciding.what_happens_to(house, seat, short=True)
        )
    if box.choice == "abandoned":
        return short_tile(frame, state, number, Shape.DASH, Tone.CAUTION, "LEFT")
    name = house.procedure.play.upper()
    said = name if box.raised else f"{name} {box.times}×"
    return short_tile(frame, state, number, Shape.TICK, Tone.DONE, said, short_money(box.played))


PLACES = {"seat": "SEAT", "board": "BOARD", "dealer": "DEALER", "six": "SIX CARD"}


SLOTS_UPRIGHT = 6
"""So many places of cards stand side by side on an upright panel."""
ROW_GAP = 1.0


def hand(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Cards are entered, for one hand or for the board and the dealer."""
    entry = state.round.entry
    number = state.round.turn if settling.in_question(state) else 0
    whose = f"Seat {number}'s hand" if number else "Board and dealer" if "board" in entry.want else "The dealer's hand"
    asked = f"{whose}: rank, then suit. Tap a card to replace it."
    question, area = frame.page.top(frame.prompt_h - 1.6, 0.4)
    yield prompt(state, asked, question)
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
            words = f"SEAT {number}" if place == "seat" else PLACES[place]
            span = Area(at.x, at.y - frame.small_h, max(same) - at.x, frame.small_h)
            yield label(f"group-{shown.id}", span, centre(words, "small", Tone.MUTED))
            before = (place, at.y)
        yield shown
    yield from card_pad(entry.rank, area)
    yield from bar(frame, state)
    yield back_key(frame, "cancel", "CANCEL")
    entered, wanted = len(entry.cards), len(entry.want)
    ready = entered == wanted
    yield primary(
        frame, "enter", "CARDS ENTERED" if ready else f"{entered} OF {wanted}", enabled=ready, beside_back=True
    )


BODIES: dict[str, Body] = {
    "deal": deal,
    "ask": ask,
    "raise": raise_,
    "supers": supers,
    "draw": draw,
    "reveal": reveal,
    "hand": hand,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "deal": ("DEAL", Tone.NEXT),
    "ask": ("ASK 1 › {last}", Tone.NEXT),
    "raise": ("RAISE", Tone.NEXT),
    "supers": ("SUPERS 1 › {last}", Tone.NEXT),
    "draw": ("DRAWS 1 › {last}", Tone.NEXT),
    "reveal": ("DEALER'S HAND", Tone.NEXT),
    "hand": ("ENTER THE CARDS", Tone.NEXT),
}
