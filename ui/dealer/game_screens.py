"""Cards and decisions, up to the dealer's hand: sections .8 to .11(g)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from firmware.rules.payline import rows
from firmware.rules.strict import Refusal
from firmware.table import dealing, deciding, opening, settling
from firmware.table.interlock import machine_used, method, stub_due
from firmware.table.procedures import DECK
from firmware.table.state import House, Seat, TableState
from ui.dealer.pieces import (
    GAP,
    INNER,
    KEYS_Y,
    LOW_H,
    LOW_Y,
    MARGIN,
    WORK_H,
    WORK_Y,
    Body,
    Live,
    alarming,
    bar,
    card_pad,
    card_slots,
    card_words,
    centre,
    chip_keys,
    choices,
    key,
    label,
    notice,
    order_words,
    primary,
    prompt,
    short_money,
    work,
    wrap,
)
from ui.dealer.seats import lamp_tile, short_tile, tile, tiles
from ui.dealer.widgets import Line, Shape, Tone, Widget


def drawn_words(state: TableState) -> str:
    """The card and the position of this round's bonuses, "" where none was drawn."""
    said = []
    if state.game.magic_card:
        said.append(f"Magic Card: {card_words(state.game.magic_card)}.")
    if state.game.lucky is not None:
        said.append(f"Lucky: {f'seat {state.game.lucky}' if state.game.lucky else 'the dealer'}.")
    return " ".join(said)


def _drawn(state: TableState) -> Iterator[Line]:
    if words := drawn_words(state):
        yield Line(words, "label", Tone.MONEY)


# The deal -------------------------------------------------------------------------------------------------------------


def deal(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Who is dealt what; at level 0 also the place where a winner is told."""
    yield from _deal_at_zero(house, state) if not state.level else _deal_to_players(house, state)
    stays = state.sent_wagers or state.game.was_dealt or not state.level
    yield from bar(state, undo="" if stays else "reopen", undo_word="REOPEN", hold=True)
    yield _deal_primary(house, state)


def _deal_primary(house: House, state: TableState) -> Widget:
    if state.recut:
        return primary("recut", order_words(state), "the floor ordered it")
    playing = bool(state.level and state.players)
    if playing and deciding.needs_stub(house, state):
        return stub_primary(house, state)
    if playing:
        return primary("dealt", "DEALT", "ask the players")
    if stub_due(house, state) and (not state.level or state.book == deciding.LUNAR):
        return stub_primary(house, state)
    return primary(
        "clear", "NO WINNERS · CLEAR" if not state.level else "NOBODY PLAYS · CLEAR", "every hand is settled"
    )


def stub_primary(house: House, state: TableState) -> Widget:
    """The count that is due; PROBLEM tells that it was wrong."""
    right = dealing.stub_cards(house, state) if state.book != deciding.LUNAR else None
    if right is None:
        return primary("stub-right", f"{DECK} COUNTED", "wrong count? PROBLEM")
    return primary("stub-right", f"STUB COUNTED: {right}", f"of {DECK}; wrong count? PROBLEM")


def stub_line(house: House, state: TableState) -> Line:
    """Why a count is due."""
    cite = house.procedure.cite("stub", "" if house.procedure.has("stub") else method(house, state))
    return Line(f"Count the cards this round: five rounds have gone ({cite}).", "status", Tone.CAUTION)


def _steps(house: House, state: TableState, size: str, width: int) -> Iterator[Line]:
    found = dealing.steps(house, state)
    for place, step in enumerate(found, start=1):
        first = f"{place}. " if len(found) > 1 else ""
        for part in wrap(f"{first}{step.words} ({step.cite})", width):
            yield Line(part, size)


def _burn_words(house: House, state: TableState) -> str:
    if not house.procedure.has("burn flop"):
        return ""
    if dealing.board_first(house, state):
        return "The community cards lie there: turn up flop, then turn and river."
    return (
        "Burn one before the flop, one before turn and river." if dealing.burns(house, state) else "Nothing is burned."
    )


def _deal_at_zero(house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        return lamp_tile(house, state, number, seat, press=f"seat {number}" if seat.wager or seat.five_card else "")

    yield from tiles(state, one)
    last = len(state.seats)
    ordered = opening.order_words(house, state)
    lines = [Line(ordered, "label", Tone.CAUTION)] if ordered else []
    lines += _steps(house, state, "small", 96)
    order = f"Ask 1 › {last}. Settle {last} › 1."
    lines.append(Line(f"{_burn_words(house, state)} {order}".strip(), "small"))
    if state.progressive:
        lines.append(Line("A lit seat won on its two cards and the flop? Tap the seat.", "label"))
    lines += [stub_line(house, state)] if stub_due(house, state) else []
    lines += [*_drawn(state), *_machine(house, state)]
    yield work(*notice(state, *lines[:6]))


def _machine(house: House, state: TableState) -> Iterator[Line]:
    if not machine_used(house, state):
        return
    shuffler = state.shuffler
    deck = f"{shuffler.deck} deck " if shuffler.deck else ""
    count = "" if shuffler.count is None else f" {shuffler.count}/{DECK}"
    words = f"Shuffler: {deck}{shuffler.mode.upper()}{count}" if shuffler.connected else "Shuffler: not connected"
    yield Line(words, "small", Tone.MUTED if shuffler.connected and not alarming(state) else Tone.CAUTION)


def _deal_to_players(house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        if seat.late:
            word = "RETURN" if seat.covered else "returned"
            return short_tile(state, number, Shape.TRIANGLE, Tone.CAUTION, "LATE", word, border=Tone.CAUTION)
        if not seat.box.plays:
            return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand")
        return short_tile(state, number, Shape.TICK, Tone.DONE, short_money(seat.box.ante), _sides(seat))

    yield from tiles(state, one)
    heading = "Deal, in this order:" if state.players else "Nobody plays this round."
    lines = [Line(heading, "strong")]
    if ordered := opening.order_words(house, state):
        lines = [Line(ordered, "strong", Tone.CAUTION)]
    if state.players:
        steps = [*_steps(house, state, "status", 78)]
        lines += [*(steps if len(steps) < 6 else _steps(house, state, "small", 96)), *_drawn(state)]
        lines += [Line(words, "small", Tone.MUTED)] if (words := _burn_words(house, state)) else []
        lines += _machine(house, state)
    yield work(*notice(state, *lines), y=LOW_Y, h=LOW_H)


def _sides(seat: Seat) -> str:
    """What else is at stake, in few words: a lit lamp, Five Card Hand, side wagers."""
    said = ["LIT"] if seat.wager else []
    said += ["5C"] if seat.five_card else []
    sides = [wager for wager, _ in seat.box.stakes if wager not in ("ante", "blind", "odds", "super")]
    said += [f"{len(sides)} side"] if sides else []
    return " + ".join(said)


# Decisions ------------------------------------------------------------------------------------------------------------


def ask(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """The questions of this street; Lunar Poker's elections."""
    yield from _elections(house, state) if state.book == deciding.LUNAR else _street(house, state)
    yield from bar(state)


def _answer(house: House, state: TableState, seat: Seat) -> tuple[str, int]:
    """What a seat that is asked has answered, or the default: check, on the last street play."""
    now = deciding.street(house, state)
    if seat.box.street == now.name:
        return seat.box.choice, seat.box.times
    return ("play", now.times[0]) if now.last else ("check", 0)


def _street(house: House, state: TableState) -> Iterator[Widget]:
    now = deciding.street(house, state)
    yield from tiles(state, lambda number, seat: _decision_tile(house, state, number, seat))
    checks = any(
        deciding.asked(house, state, seat) and _answer(house, state, seat)[0] == "check" for seat in state.seats
    )
    step = dealing.next_cards(house, state)
    otherwise = f"{house.procedure.play} {now.times[0]}×" if now.last else "check"
    lines = [
        Line(f"{now.question}?  ({now.cite})", "strong"),
        Line(f"Ask 1 › {len(state.seats)}. Tap only who answers otherwise than: {otherwise}.", "body"),
    ]
    if step is not None and not checks:
        lines.append(Line(f"Nobody is left to ask: {_lower(step.words)}, and the rest of the board.", "status"))
    elif step is not None:
        lines.append(Line(f"{step.words} ({step.cite}).", "status", Tone.MUTED))
    sized = next((n for n, seat in state.numbered() if deciding.sizes_raise(house, state, seat)), 0)
    if sized:
        yield from _beside_amount(state, sized, *lines)
    else:
        yield work(*notice(state, *lines, *_drawn(state)))
    if step is None or not checks:
        yield primary("next", "DEALER'S HAND", "all have answered")
    else:
        yield primary("next", *wrap(f"{step.words}", 25), size="strong")


AMOUNT_W = 34.0


def _beside_amount(state: TableState, first: int, *lines: Line) -> Iterator[Widget]:
    """The question, and beside it the key for a raise that is no whole multiple of the ante (677a.11(b))."""
    width = INNER - AMOUNT_W - GAP
    said = (Line(state.notice, "body", Tone.CAUTION),) if state.notice else lines
    parts = [Line(part, line.size, line.tone) for line in said for part in wrap(line.text, 54)]
    yield label("work", MARGIN, WORK_Y, width, WORK_H, *parts[:5], fill="tile")
    x = MARGIN + width + GAP
    yield key("amount", f"raise {first}", x, WORK_Y, AMOUNT_W, WORK_H, "AMOUNT", "of a raise", size="label")


def raise_(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """The amount of a raise between the multiples."""
    number, now = deciding.raising(state), deciding.street(house, state)

    def one(place: int, seat: Seat) -> Widget:
        sizes = deciding.sizes_raise(house, state, seat)
        shape, tone = (Shape.TICK, Tone.NEXT) if sizes else (Shape.DASH, Tone.OFF)
        word = short_money(seat.box.played) if sizes else "no raise"
        border = Tone.NEXT if place == number else None
        return short_tile(state, place, shape, tone, word, press=f"raise {place}" if sizes else "", border=border)

    yield from tiles(state, one)
    box = state.seat(number).box
    most = short_money(max(now.times) * box.ante)
    yield prompt(state, f"Seat {number} raises {short_money(box.played)}, at most {most} ({now.cite}).", y=LOW_Y)
    y, h = LOW_Y + KEYS_Y, LOW_H - KEYS_Y
    yield from chip_keys(live, x=MARGIN, y=y, w=INNER - 36 - GAP, h=h)
    yield key("no-chips", "no-chips", MARGIN + INNER - 36, y, 36, h, "1× ANTE", "then more", size="label")
    yield from bar(state, undo="back", undo_word="BACK")
    yield primary("back", "BACK TO THE QUESTIONS", now.question)


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _decision_tile(house: House, state: TableState, number: int, seat: Seat) -> Widget:
    box = seat.box
    if not box.plays:
        return tile(state, number, Shape.DASH, Tone.OFF, centre("no hand", "status", Tone.MUTED))
    if box.choice == "abandoned":
        return tile(state, number, Shape.DASH, Tone.OFF, centre("LEFT", tone=Tone.CAUTION))
    asked = deciding.asked(house, state, seat)
    choice, times = _answer(house, state, seat) if asked else (box.choice, box.times)
    press = f"seat {number}" if asked else ""
    lit = [centre(_sides(seat), "small", Tone.MONEY if seat.wager else Tone.MUTED)] if _sides(seat) else []
    if choice == "fold":
        words = deciding.what_happens_to(house, seat)
        look = seat.wager or bool(seat.five_card)
        below = [centre(part, "small", Tone.CAUTION if look else Tone.PLAIN) for part in wrap(words, 11)]
        edge = Tone.CAUTION if look else None
        return tile(
            state, number, Shape.DASH, Tone.STOP, centre("FOLD", tone=Tone.STOP), *below, press=press, border=edge
        )
    if choice == "play":
        name = house.procedure.play.upper()
        tone = Tone.NEXT if asked else Tone.MUTED
        amount = centre(short_money(box.raised or box.ante * times), "status", tone)
        many = name if box.raised else f"{name} {times}×"
        return tile(state, number, Shape.TICK, tone, centre(many, tone=tone), amount, *lit, press=press)
    return tile(state, number, Shape.RING, Tone.OFF, centre("CHECK"), *lit, press=press)


ELECTIONS: tuple[tuple[str, str, str], ...] = (
    ("bet", "choose bet", "BET 2×"),
    ("fold", "choose fold", "FOLD"),
    ("buy", "choose buy", "BUY 6TH"),
    *((f"exchange-{cards}", f"choose exchange {cards}", f"EXCH {cards}") for cards in deciding.EXCHANGES),
    ("instant", "choose instant", "INSTANT"),
)
"""(name, press, words) of Lunar Poker's elections (671a.11(b))."""


def _election(seat: Seat) -> tuple[str, str, Shape, Tone]:
    """Word, second line, shape and tone of a Lunar player's decision; who was not tapped bets."""
    box = seat.box
    if box.option == "buy":
        return "BUY 6TH", f"fee {short_money(box.ante)}", Shape.CHIP, Tone.NEXT
    if box.option == "exchange":
        return f"EXCH {box.exchanged}", f"fee {short_money(box.ante)}", Shape.CHIP, Tone.NEXT
    if box.choice == "fold":
        return "FOLD", "", Shape.DASH, Tone.STOP
    if box.choice == "instant":
        return "INSTANT", "", Shape.DISC, Tone.MONEY
    if box.choice == "abandoned":
        return "LEFT", "", Shape.DASH, Tone.CAUTION
    return "BET 2×", short_money(2 * box.ante), Shape.TICK, Tone.DONE


def _elections(house: House, state: TableState) -> Iterator[Widget]:
    def one(number: int, seat: Seat) -> Widget:
        if not seat.box.plays:
            return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand")
        word, below, shape, tone = _election(seat)
        border = Tone.NEXT if number == state.turn else None
        press = f"seat {number}" if seat.box.choice != "abandoned" else ""
        return short_tile(state, number, shape, tone, word, below, press=press, border=border)

    yield from tiles(state, one)
    chosen = f"Seat {state.turn}: what does he choose?" if state.turn else "Tap who does not simply bet 2×."
    yield prompt(state, f"{chosen}  ({deciding.street(house, state).cite})", y=LOW_Y)
    y = LOW_Y + KEYS_Y
    yield from choices(ELECTIONS, y, 18.0, enabled=bool(state.turn), most=8)
    wanted, there = deciding.draws_wanted(state), deciding.cards_left(house, state)
    short = wanted > there
    words = f"Cards wanted: {wanted}, left in the deck: {there}."
    lines = [Line(words, "strong" if short else "status", Tone.CAUTION if short else Tone.MUTED)]
    if short:
        lines.append(Line("The deck cannot cover that: call the floor before locking in.", "status", Tone.CAUTION))
    yield label("draws", MARGIN, y + 18.0 + GAP, INNER, LOW_Y + LOW_H - y - 18.0 - GAP, *lines, fill="tile")
    yield primary("next", "ALL DECISIONS", "ARE LOCKED IN", size="strong")


# Lunar Poker: Supers and draws ------------------------------------------------------------------------------------------


def supers(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """The first pass: declared Supers, instant payouts, the antes of folds (671a.11(c))."""
    sums = _first_pass(house, state)

    def one(number: int, seat: Seat) -> Widget:
        if not seat.box.plays:
            return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand")
        take, give = sums.get(number, (0, 0))
        word = seat.box.super_row.upper() if seat.box.super_row else _election(seat)[0]
        shape, tone = (Shape.DISC, Tone.MONEY) if seat.box.super_row else (Shape.RING, Tone.OFF)
        below = f"pay {short_money(give)}" if give else f"take {short_money(take)}" if take else ""
        border = Tone.NEXT if number == state.turn else None
        shown = ROW_SHORT.get(seat.box.super_row, word)
        return short_tile(state, number, shape, tone, shown, below, press=f"seat {number}", border=border)

    yield from tiles(state, one)
    cite = house.procedure.cite("locked in")
    who = (
        f"Seat {state.turn} declared: which row?" if state.turn else "Who declares a Super? Tap the seat, then its row."
    )
    yield prompt(state, f"{who}  ({cite})", y=LOW_Y)
    y = LOW_Y + KEYS_Y
    box = state.seat(state.turn).box if state.turn else None
    instant = rows(house.submission, "instant") if box and box.choice == "instant" else ()
    verified = dict(box.told).get("instant", "") if box else ""
    chosen = {f"instant {verified}", box.super_row if box else ""}
    offered = [(f"instant {row}", f"row {row}", f"INSTANT: {row}") for row in instant]
    offered += [(row, f"row {row}", row_words(row)) for row in rows(house.submission, "super")]
    yield from choices(offered, y, SUPER_H, chosen=chosen, enabled=bool(state.turn), most=5 if instant else 8)
    lines = (
        Line(
            f"Settle 1 › {len(state.seats)}: collect lost Supers, pay declared ones, collect antes of folds.", "status"
        ),
        Line("A hand that nobody declares loses its Super.", "status", Tone.MUTED),
    )
    yield label("work", MARGIN, y + SUPER_H + GAP, INNER, LOW_Y + LOW_H - y - SUPER_H - GAP, *lines, fill="tile")
    yield from bar(state)
    yield primary("supers-settled", "SUPERS SETTLED", "then the draws")


SUPER_H = 20.4


def row_words(row: str) -> str:
    """A row of a paytable as a key says it, which breaks between words."""
    return row.replace("ace-king-queen", "ace king queen")


ROW_SHORT = {
    "four of a kind": "4 KIND",
    "five picture cards": "PICTURES",
    "full house": "FULL",
    "flush": "FLUSH",
    "straight": "STRAIGHT",
    "three of a kind": "3 KIND",
    "ace-king-queen": "A-K-Q",
    "same colored five": "COLOUR",
}
"""Rows of the Super paytable, short enough for a seat."""


def _first_pass(house: House, state: TableState) -> dict[int, tuple[int, int]]:
    """Cents to collect and to pay at each seat before the draws, as far as the seats have told."""
    sums: dict[int, tuple[int, int]] = {}
    with suppress(Refusal):  # an instant payout that nobody has verified yet
        for number, lines in deciding.first_pass(house, state):
            take, give = sums.get(number, (0, 0))
            take += sum(line.stake - line.returned for line in lines if line.result == "lose")
            sums[number] = take, give + sum(line.payout for line in lines)
    return sums


def draw(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """A player who paid the fee gets his cards, and bets or forfeits the ante (671a.11(d))."""

    def one(number: int, seat: Seat) -> Widget:
        if not seat.box.plays:
            return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand")
        word, below, shape, tone = _election(seat)
        if seat.box.drawn:
            below = "bets" if seat.box.choice == "play" else "folds"
        border = Tone.NEXT if number == state.turn else None
        return short_tile(state, number, shape, tone, word, below, border=border)

    yield from tiles(state, one)
    box = state.seat(state.turn).box if state.turn else state.seats[0].box
    cards = box.exchanged if box.option == "exchange" else 1
    what = f"takes back {cards} cards, deals {cards}" if box.option == "exchange" else "deals one more card"
    width = INNER - 46 - GAP
    lines = (
        Line(f"Seat {state.turn}: collect the fee, {short_money(box.ante)}", "key", Tone.MONEY),
        Line(f"The dealer {what}, face down.", "body"),
        Line(f"Then: a bet of {short_money(2 * box.ante)}, or the ante is lost.", "body"),
        Line(house.procedure.cite("draw"), "small", Tone.MUTED),
    )
    refused = tuple(Line(part, "body", Tone.CAUTION) for part in wrap(state.notice, 46)[:3])
    yield label("work", MARGIN, LOW_Y, width, LOW_H, *(refused if state.notice else lines), fill="tile")
    yield key("folds", "folds", MARGIN + width + GAP, LOW_Y, 46, LOW_H, "FOLDS", f"take {short_money(box.ante)}")
    yield from bar(state)
    yield primary("bets", f"SEAT {state.turn} BETS", short_money(2 * box.ante))


# The dealer's hand ------------------------------------------------------------------------------------------------------


def reveal(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """The dealer's hand is turned up and announced."""
    yield from tiles(state, lambda number, seat: _waiting_tile(house, state, number, seat))
    if deciding.needs_stub(house, state):
        yield from _count_first(house, state)
        return
    yield from bar(state)
    backed = settling.backs_dealer(state)
    y, top = LOW_Y, LOW_Y + KEYS_Y
    if backed:
        yield from _dealer_rows(house, state, top)
        top += 13.6 + GAP
    told = not backed or state.game.dealer_row is not None
    better = "ACE-KING OR BETTER" if state.book == deciding.LUNAR else "PAIR OR BETTER"
    cite = house.procedure.cite("reveal")
    ask_row = "The dealer's first five cards: which Super row?"
    words = _turn_up(house, state) if told else ask_row
    yield prompt(state, f"{words}  ({cite})", y=y)
    entering = state.level >= 2
    offered = [("less", "dealer no", "LESS THAN ACE-KING" if state.book == deciding.LUNAR else "LESS THAN A PAIR")]
    offered += [("better", "dealer yes", better)] if entering else []
    offered += [] if entering else [("enter", "cards", "ENTER CARDS")]
    yield from choices(offered, top, LOW_Y + LOW_H - top, enabled=told, most=4)
    if not told:
        yield primary("dealer-row none", "NO SUPER", "none of these rows")
    elif entering:
        yield primary(
            "cards", "ENTER CARDS", "board and dealer" if state.book != deciding.LUNAR else "the dealer's five"
        )
    else:
        yield primary("dealer yes", better, "the dealer qualifies", size="strong")


def _turn_up(house: House, state: TableState) -> str:
    """Where everybody has wagered before the last street, the board is not complete yet; then the stub goes away."""
    before = dealing.last_cards(house, state)
    if len(before) > 1:
        return "First the board, then the stub away. Turn up the dealer's cards, announce the hand."
    if before and not state.game.stub_counted:
        return "Stub into the rack, unseen. Then turn up the dealer's cards and announce the hand."
    return "Turn the dealer's cards up and announce the best hand."


def _dealer_rows(house: House, state: TableState, y: float) -> Iterator[Widget]:
    offered = [(row, f"dealer-row {row}", row_words(row)) for row in rows(house.submission, "super")]
    offered.append(("none", "dealer-row none", "none"))
    row = state.game.dealer_row
    yield from choices(offered, y, 13.6, chosen={"none" if row == "" else row or "-"}, most=9)


def _count_first(house: House, state: TableState) -> Iterator[Widget]:
    right = dealing.stub_cards(house, state)
    lines = (
        Line("Count the stub before the dealer's hand is shown", "strong", Tone.CAUTION),
        Line(f"{right} cards must be left." if right is not None else f"All {DECK} cards must be there.", "body"),
        stub_line(house, state),
        Line("Another number: PROBLEM says whether cards were misdealt or the deck is not 52.", "status", Tone.MUTED),
    )
    yield work(*notice(state, *lines), y=LOW_Y, h=LOW_H, border=Tone.CAUTION)
    yield from bar(state)
    yield stub_primary(house, state)


def _waiting_tile(house: House, state: TableState, number: int, seat: Seat) -> Widget:
    """A seat before the dealer's hand is shown."""
    box = seat.box
    if not box.plays:
        return short_tile(state, number, Shape.DASH, Tone.OFF, "no hand")
    if state.book == deciding.LUNAR:
        word, below, shape, tone = _election(seat)
        return short_tile(state, number, shape, tone, word, below)
    if box.choice == "fold":
        return short_tile(state, number, Shape.DASH, Tone.STOP, "FOLD", _fate(house, seat))
    if box.choice == "abandoned":
        return short_tile(state, number, Shape.DASH, Tone.CAUTION, "LEFT")
    name = house.procedure.play.upper()
    return short_tile(
        state, number, Shape.TICK, Tone.DONE, name if box.raised else f"{name} {box.times}×", short_money(box.played)
    )


def _fate(house: House, seat: Seat) -> str:
    """What happens to a folded hand, short enough for a low seat."""
    return deciding.what_happens_to(house, seat).replace("LIT: LOOK FIRST", "LIT: LOOK").replace("TUCK: ", "TUCK ")


PLACES = {"seat": "SEAT", "board": "BOARD", "dealer": "DEALER", "six": "SIX CARD"}


def hand(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Cards are entered, for one hand or for the board and the dealer."""
    entry = state.game.entry
    number = state.turn if settling.in_question(state) else 0
    whose = f"Seat {number}'s hand" if number else "Board and dealer" if "board" in entry.want else "The dealer's hand"
    said = wrap(state.notice, 84)[0] if state.notice else f"{whose}: rank, then suit. Tap a card to replace it."
    tone = Tone.CAUTION if state.notice else Tone.PLAIN
    size = "strong" if len(said) <= 66 else "status"
    yield label("prompt", MARGIN, 9.0, INNER, 5.8, Line(said, size, tone))
    before = ""
    for (shown, x, width), place in zip(
        card_slots(entry.cards, len(entry.want), entry.slot, entry.rank, y=19.0, h=12.0), entry.want, strict=True
    ):
        if place != before:
            group = entry.want.count(place)
            words = f"SEAT {number}" if place == "seat" else PLACES[place]
            span = group * width + (group - 1) * GAP
            yield label(f"group-{place}", x, 14.6, span, 4.4, centre(words, "small", Tone.MUTED))
            before = place
        yield shown
    yield from card_pad(entry.rank)
    yield from bar(state, undo="cancel", undo_word="CANCEL")
    entered, wanted = len(entry.cards), len(entry.want)
    ready = entered == wanted
    yield primary("enter", "CARDS ENTERED" if ready else f"{entered} OF {wanted}", enabled=ready)


BODIES: dict[str, Body] = {
    "deal": deal,
    "ask": ask,
    "raise": raise_,
    "supers": supers,
    "draw": draw,
    "reveal": reveal,
    "hand": hand,
}
TITLES: dict[str, tuple[str, Tone]] = {
    "deal": ("DEAL", Tone.NEXT),
    "ask": ("ASK 1 › {last}", Tone.NEXT),
    "raise": ("RAISE", Tone.NEXT),
    "supers": ("SUPERS 1 › {last}", Tone.NEXT),
    "draw": ("DRAWS 1 › {last}", Tone.NEXT),
    "reveal": ("DEALER'S HAND", Tone.NEXT),
    "hand": ("ENTER THE CARDS", Tone.NEXT),
}
