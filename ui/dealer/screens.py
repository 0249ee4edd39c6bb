"""The dealer's screens: `screen(house, state, live)` is pure, and everything on the glass comes from it.

Seat 1 is the player farthest to the dealer's left and stands on the left. Ask and deal go left to right, settling goes
right to left. One primary key, lower right, named by its effect. A problem changes the work area and never hides seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware.rules.hands import HandName
from firmware.rules.money import Cents
from firmware.table import irregularity, jackpot, wagering
from firmware.table.interlock import obstacles
from firmware.table.state import House, Phase, Prize, Seat, TableState, recognises, why_off
from ui.dealer.widgets import Line, Screen, Shape, Tone, Widget

WIDTH, HEIGHT = 153.8, 92.3
MARGIN, GAP = 1.5, 1.2
INNER = WIDTH - 2 * MARGIN
STATUS_H = 9.0
TILES_Y, TILES_H = 10.0, 33.4
WORK_Y, WORK_H = 44.6, 26.4
BAR_Y, BAR_H = 72.2, 18.6
SIDE_W = 24.0
PRIMARY_X = MARGIN + 3 * (SIDE_W + GAP)
PRIMARY_W = WIDTH - MARGIN - PRIMARY_X
HOLD_MS = 1_500

HAND_KEYS: Mapping[HandName, str] = {
    HandName.ROYAL_FLUSH: "ROYAL",
    HandName.STRAIGHT_FLUSH: "STR FL",
    HandName.FOUR_OF_A_KIND: "4 KIND",
    HandName.FULL_HOUSE: "FULL",
    HandName.FLUSH: "FLUSH",
    HandName.STRAIGHT: "STRAIGHT",
    HandName.THREE_OF_A_KIND: "3 KIND",
}
SUIT_SHAPES = {"s": Shape.SPADE, "h": Shape.HEART, "d": Shape.DIAMOND, "c": Shape.CLUB}


@dataclass(frozen=True, slots=True)
class Live:
    """What is true now and belongs to no journal: the clock, the meters last heard, the badge that is being shown."""

    clock: str = ""
    meters: tuple[tuple[str, str], ...] = ()
    """(name, dollars) as the bank's board says, highest first."""
    badge: str = ""
    name: str = ""
    typed: int = 0
    wait_s: int = 0
    checking: bool = False
    by: str = ""
    """The badge whose PIN was right on this very screen."""
    denominations: tuple[Cents, ...] = (Cents(10_000), Cents(2_500), Cents(500), Cents(100))
    locking: bool = False


def screen(house: House, state: TableState, live: Live) -> Screen:
    """The one screen that this state and moment show."""
    name = screen_name(state)
    body = BODIES[name](house, state, live)
    status = _status(state, live, TITLES[name])
    return Screen(name, screen_key(state), tuple(status) + tuple(body))


def screen_name(state: TableState) -> str:
    """Which kind of screen a state shows."""
    if state.panel == "sensors":
        return "sensors"
    if state.panel.startswith("void"):
        return "irregularity"
    if state.phase is Phase.CLOSED and _alarming(state):
        return "shuffler"
    if state.phase is Phase.OPEN and not recognises(state):
        return "link-down"
    return str(state.phase)


def screen_key(state: TableState) -> str:
    """Changes when a touch meant for the last screen must not count on this one."""
    turn = state.turn if state.phase is not Phase.SETTLE else 0
    prize = state.seat(turn).prize if state.phase is Phase.HOLD else None
    amount = prize.amount if prize else 0  # whoever signs, signs for this amount
    return f"{screen_name(state)}:{state.round}:{turn}:{state.panel}:{amount}"


TITLES: Mapping[str, tuple[str, Tone]] = {
    "closed": ("BETS CLOSED", Tone.CAUTION),
    "open": ("BETS OPEN", Tone.DONE),
    "link-down": ("BETS OPEN", Tone.CAUTION),
    "count": ("LOCKED · COUNT", Tone.NEXT),
    "difference": ("LOCKED · DIFFERENCE", Tone.CAUTION),
    "deal": ("DEAL", Tone.NEXT),
    "winners": ("PAY 6 › 1", Tone.NEXT),
    "cards": ("ENTER THE CARDS", Tone.NEXT),
    "validate": ("VALIDATION", Tone.FLOOR),
    "price": ("ASKING THE BANK", Tone.FLOOR),
    "hold": ("JACKPOT HOLD", Tone.FLOOR),
    "pay": ("PAY", Tone.NEXT),
    "envy": ("ENVY BONUS", Tone.NEXT),
    "void": ("ROUND VOID", Tone.STOP),
    "irregularity": ("PROBLEM", Tone.CAUTION),
    "sensors": ("SENSORS", Tone.CAUTION),
    "shuffler": ("SHUFFLER ALARM", Tone.STOP),
}


# Pieces -------------------------------------------------------------------------------------------------------------


def money(cents: int) -> str:
    """`$1,234.50`."""
    return f"${cents // 100:,}.{cents % 100:02d}"


def grouped(text: str) -> str:
    """`"10012.34"` of the board as `$10,012.34`."""
    whole, _, fraction = text.partition(".")
    return f"${int(whole):,}.{fraction}"


def recipe(cents: int, denominations: Sequence[int]) -> str:
    """The fewest chips that make an amount, largest first: `2 × $100 + 1 × $25`; what no chip makes is named."""
    parts: list[str] = []
    for chip in denominations:
        number, cents = divmod(cents, chip)
        if number:
            parts.append(f"{number} × ${chip // 100:,}" if chip % 100 == 0 else f"{number} × {chip}¢")
    if cents:
        parts.append(f"{money(cents)} without chips")
    return " + ".join(parts) or "nothing"


def label(
    name: str, x: float, y: float, w: float, h: float, *lines: Line, fill: str = "", border: Tone | None = None
) -> Widget:
    """Words in a rectangle."""
    return Widget(name, x, y, w, h, lines, fill=fill, border=border)


def key(
    name: str,
    press: str,
    x: float,
    y: float,
    w: float,
    h: float,
    *words: str,
    fill: str = "key",
    size: str = "key",
    enabled: bool = True,
    hold: bool = False,
    shape: Shape = Shape.NONE,
    border: Tone | None = None,
) -> Widget:
    """Something to press."""
    lines = tuple(Line(word, size if place == 0 else "status", align="centre") for place, word in enumerate(words))
    return Widget(
        name,
        x,
        y,
        w,
        h,
        lines,
        fill=fill,
        press=press,
        enabled=enabled,
        hold_ms=HOLD_MS if hold else 0,
        shape=shape,
        border=border,
    )


def primary(press: str, *words: str, enabled: bool = True, hold: bool = False, fill: str = "next") -> Widget:
    """The one next step, lower right."""
    return key("primary", press, PRIMARY_X, BAR_Y, PRIMARY_W, BAR_H, *words, fill=fill, enabled=enabled, hold=hold)


def bar(state: TableState, *, undo: str = "undo", undo_word: str = "UNDO") -> Iterator[Widget]:
    """FLOOR, PROBLEM, UNDO: always in the same place."""
    called = state.floor_called
    words = ("FLOOR", "called") if called else ("FLOOR",)
    yield key("floor", "floor", MARGIN, BAR_Y, SIDE_W, BAR_H, *words, border=Tone.FLOOR if called else None)
    yield key("problem", "problem", MARGIN + SIDE_W + GAP, BAR_Y, SIDE_W, BAR_H, "PROBLEM")
    yield key("undo", undo, MARGIN + 2 * (SIDE_W + GAP), BAR_Y, SIDE_W, BAR_H, undo_word, enabled=bool(undo))


def _columns(number: int) -> Iterator[tuple[int, float, float]]:
    """(0, x, width), (1, x, width) … across the panel."""
    width = (INNER - (number - 1) * GAP) / number
    for place in range(number):
        yield place, MARGIN + place * (width + GAP), width


def _status(state: TableState, live: Live, title: tuple[str, Tone]) -> Iterator[Widget]:
    words, tone = title
    yield label("table", MARGIN, 0, 28, STATUS_H, Line(state.table.upper(), "strong", align="left"))
    yield label("title", 30, 0, 55, STATUS_H, Line(words, "key", tone))
    shuffler = state.shuffler
    count = "--" if shuffler.count is None else str(shuffler.count)
    link = "LINK ok" if state.link_up else "NO LINK"
    shuffle = f"SHUF {count}" if shuffler.connected and not _alarming(state) else "SHUF !"
    sound = state.link_up and shuffler.connected and not _alarming(state)
    right = f"R{state.round}   {link}   {shuffle}   {live.clock}"
    yield label(
        "neighbours", 85, 0, WIDTH - 85 - MARGIN, STATUS_H,
        Line(right, "status", Tone.MUTED if sound else Tone.CAUTION, "right"),
    )  # fmt: skip


def _alarming(state: TableState) -> bool:
    return state.shuffler.alarm > state.shuffler.acknowledged


def _tiles(state: TableState, tile: Callable[[int, Seat], Widget]) -> Iterator[Widget]:
    for number, seat in state.numbered():
        yield tile(number, seat)


def _tile(
    state: TableState,
    number: int,
    shape: Shape,
    tone: Tone,
    *words: Line,
    press: str = "",
    enabled: bool = True,
    border: Tone | None = None,
) -> Widget:
    _, x, width = list(_columns(len(state.seats)))[number - 1]
    lines = (Line(str(number), "strong", Tone.MUTED), *words)
    fill = "key" if press else "tile"
    return Widget(f"seat-{number}", x, TILES_Y, width, TILES_H, lines, shape, tone, fill, border, press, enabled)


def _centre(text: str, size: str = "strong", tone: Tone = Tone.PLAIN) -> Line:
    return Line(text, size, tone, "centre")


def _wager(house: House) -> str:
    return money(house.progressive.wager).removesuffix(".00")


def _seat_tile(
    house: House, state: TableState, number: int, seat: Seat, press: str = "", border: Tone | None = None
) -> Widget:
    """A seat as its lamp is: word, shape and colour say the same."""
    enabled = bool(press)
    if seat.wager:
        second = "by hand" if seat.dead else _wager(house)
        return _tile(
            state, number, Shape.DISC, Tone.MONEY, _centre("BET", tone=Tone.MONEY), _centre(second),
            press=press, enabled=enabled, border=border,
        )  # fmt: skip
    if seat.late:
        when = "late" if seat.late_ms is None else f"{seat.late_ms:+,} ms"
        word = "RETURN" if seat.covered else "returned"
        lines = (_centre("LATE", tone=Tone.CAUTION), _centre(when, "status"), _centre(word, "status"))
        return _tile(
            state,
            number,
            Shape.TRIANGLE,
            Tone.CAUTION,
            *lines,
            press=press,
            enabled=enabled,
            border=border or Tone.CAUTION,
        )
    if seat.dead:
        return _tile(
            state, number, Shape.DASH, Tone.OFF, _centre("SENSOR", "status"), _centre("DEAD", "status"),
            press=press, enabled=enabled, border=border,
        )  # fmt: skip
    if seat.covered and state.phase is Phase.OPEN and (seat.before_lock or seat.ignored):
        why = "STUCK" if seat.before_lock else "NO BET"
        return _tile(
            state, number, Shape.ALERT, Tone.STOP, _centre(why, tone=Tone.STOP), _centre("lift chip", "status"),
            press=press, enabled=enabled, border=Tone.STOP,
        )  # fmt: skip
    return _tile(
        state, number, Shape.RING, Tone.OFF, _centre("no bet", "status", Tone.MUTED), press=press, border=border
    )


def _work(*lines: Line, border: Tone | None = None, y: float = WORK_Y, h: float = WORK_H) -> Widget:
    return Widget("work", MARGIN, y, INNER, h, lines, fill="tile", border=border)


def _notice(state: TableState, *otherwise: Line) -> tuple[Line, ...]:
    """Why the last press was refused, or what else there is to say."""
    if state.notice:
        return (Line(state.notice, "body", Tone.CAUTION),)
    if state.complaint:
        refused = f"{state.complaints} refused"
        return (*otherwise[:2], Line(f"Refused ({refused}): {state.complaint}"[:96], "small", Tone.CAUTION))
    return otherwise


# Between rounds, and bets open --------------------------------------------------------------------------------------


def _closed(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    yield from _tiles(state, lambda number, seat: _seat_tile(house, state, number, seat))
    found = obstacles(house, state)[:2]
    lines = [
        line
        for obstacle in found
        for line in (Line(obstacle.what, "strong", Tone.CAUTION), Line(obstacle.remedy, "body"))
    ]
    yield _work(*_notice(state, *lines), border=Tone.CAUTION)
    yield from bar(state, undo="undo" if state.before_clear else "")
    yield primary("", "BETS STAY CLOSED", enabled=False, fill="key")


def _shuffler(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    yield from _tiles(state, lambda number, seat: _seat_tile(house, state, number, seat))
    fault = state.shuffler.fault
    what = FAULTS.get(fault, (f"Alarm {state.shuffler.alarm}", "These cards must be reshuffled.", "Look at the unit."))
    lines = (
        Line(f"What happened: {what[0]}", "strong", Tone.STOP),
        Line(f"What it means: {what[1]}", "body"),
        Line(f"Do now: {what[2]}", "body"),
    )
    yield _work(*_notice(state, *lines), border=Tone.STOP)
    yield from bar(state, undo="")
    yield primary("acknowledge", "ACKNOWLEDGE", "alarm seen, the fault may still stand")


FAULTS: Mapping[str, tuple[str, str, str]] = {
    "jam": (
        "a card is jammed",
        "the shuffle did not finish: reshuffle (653a.13(e)).",
        "open, clear, close, reshuffle.",
    ),
    "door": ("the door is open", "the cards are not under lock.", "close the door; it shuffles again."),
    "lid": ("the lid is open", "the cards are not under lock.", "close the lid; it shuffles again."),
    "count": ("the count is not 52", "that deck leaves the table (653a.5(b)).", "remove the deck, call the floor."),
    "colour": ("the wrong deck colour", "two decks are mixed.", "remove both decks, call the floor."),
    "cycle": ("the shuffle took too long", "it did not complete: reshuffle (653a.13(e)).", "clear it and reshuffle."),
    "motor": ("the motor failed", "the unit cannot shuffle.", "cover it with its sign, call the floor."),
    "card": ("a card cannot be read", "it may be damaged.", "take the deck out, call the floor."),
}
"""Fault -> what happened, what it means, what to do now."""


def _open(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    yield from _tiles(
        state, lambda number, seat: _seat_tile(house, state, number, seat, press=f"seat {number}" if seat.dead else "")
    )
    yield from _meters(live, _notice(state, Line("A lit lamp is a recognised wager.", "status", Tone.MUTED)))
    yield from bar(state, undo="undo" if state.before_clear else "")
    lit = len(state.wagers)
    words = ("LOCKING …",) if live.locking else ("NO MORE BETS", f"{lit} lit" if lit else "no lamp lit")
    yield primary("no-more-bets", *words)


def _meters(live: Live, below: tuple[Line, ...]) -> Iterator[Widget]:
    meters = live.meters[:3]
    for (_, x, width), (name, amount) in zip(_columns(len(meters) or 1), meters, strict=False):
        words = (_centre(name.upper(), "status", Tone.MUTED), _centre(grouped(amount), "money", Tone.MONEY))
        yield Widget(f"meter-{name}", x, WORK_Y, width, 16.4, words, fill="tile")
    if not meters:
        words = (_centre("METERS", "status", Tone.MUTED), _centre("not heard of yet", "body", Tone.MUTED))
        yield Widget("meter-none", MARGIN, WORK_Y, INNER, 16.4, words, fill="tile")
    yield Widget("notice", MARGIN, WORK_Y + 17.2, INNER, WORK_H - 17.2, below)


def _link_down(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    yield from _tiles(state, lambda number, seat: _seat_tile(house, state, number, seat))
    lines = (
        Line(f"PROGRESSIVE OFF. {why_off(state)}", "strong", Tone.CAUTION),
        Line("The main game plays on. No progressive chips this round.", "body"),
        Line("Bets that are lit stay: safe here, sent when the link returns.", "body", Tone.MUTED),
    )
    yield _work(*_notice(state, *lines), border=Tone.CAUTION)
    yield from bar(state, undo="undo" if state.before_clear else "")
    words = ("LOCKING …",) if live.locking else ("NO MORE BETS", "no progressive")
    yield primary("no-more-bets", *words)


def _sensors(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    def tile(number: int, seat: Seat) -> Widget:
        shape, tone = (Shape.ALERT, Tone.STOP) if seat.dead else (Shape.TICK, Tone.DONE)
        word = "DEAD" if seat.dead else "works"
        level = "chip" if seat.covered else "no chip"
        lines = (_centre(word), _centre(level, "status", Tone.MUTED))
        return _tile(state, number, shape, tone, *lines, press=f"sensor {number}")

    yield from _tiles(state, tile)
    yield _work(
        *_notice(
            state,
            Line("Tap a seat whose sensor is dead; tap again when it works.", "strong"),
            Line("Its wagers are then entered by hand: tap the seat while bets are open.", "body"),
            Line(state.sensors_why if not state.sensors_up else "All sensors answer.", "body", Tone.MUTED),
        )
    )
    yield from bar(state, undo="")
    yield primary("back", "BACK TO THE TABLE")


# The count ----------------------------------------------------------------------------------------------------------


def _count(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    yield from _tiles(state, lambda number, seat: _seat_tile(house, state, number, seat))
    prompt = _notice(state, Line("Chips spread in front of the rack: how many?", "strong"))
    yield label("prompt", MARGIN, WORK_Y, INNER, 7.4, *prompt)
    for chips, x, width in _columns(len(state.seats) + 1):
        yield key(f"count-{chips}", f"count {chips}", x, WORK_Y + 7.8, width, WORK_H - 7.8, str(chips), size="money")
    yield from bar(state, undo="")
    yield primary("reopen", "REOPEN BETS", "hold 1.5 s", hold=True, fill="key")


SETTLEMENT_KEYS: Mapping[str, tuple[str, str]] = {
    "taken-back": ("NO CHIP", "player took it back"),
    "no-chip": ("NO CHIP", "sensor error"),
    "second-chip": ("TWO CHIPS", "one is returned"),
    "returned": ("CHIP RETURNED", "it had no lamp"),
    "by-hand": ("IT IS A BET", "sensor is dead"),
}


def _difference(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    def tile(number: int, seat: Seat) -> Widget:
        border = Tone.NEXT if number == state.question else None
        return _seat_tile(house, state, number, seat, press=f"seat {number}", border=border)

    yield from _tiles(state, tile)
    lamps = len(state.wagers)
    words = f"{lamps} {_plural(lamps, 'lamp')}, {state.chips} {_plural(state.chips, 'chip')}."
    ask = f"Seat {state.question}: what is true?" if state.question else "Tap the seat that differs."
    prompt = _notice(state, Line(f"{words} {ask}", "strong", Tone.CAUTION))
    yield label("prompt", MARGIN, WORK_Y, INNER, 7.4, *prompt)
    if state.question:
        choices = wagering.settlements(state.seat(state.question))
        for (_, x, width), choice in zip(_columns(3), choices, strict=False):
            words_of_key = SETTLEMENT_KEYS[choice]
            yield key(f"settle-{choice}", f"settle {choice}", x, WORK_Y + 7.8, width, WORK_H - 7.8, *words_of_key)
    yield from bar(state, undo_word="RECOUNT")
    yield primary("", "SETTLE EACH SEAT", enabled=False, fill="key")


def _plural(number: int, word: str) -> str:
    return word if number == 1 else f"{word}s"


# Dealing and winners ------------------------------------------------------------------------------------------------


def _deal(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    def tile(number: int, seat: Seat) -> Widget:
        return _seat_tile(house, state, number, seat, press=f"seat {number}" if seat.wager else "")

    yield from _tiles(state, tile)
    shuffler = state.shuffler
    deck = f"{shuffler.deck} deck " if shuffler.deck else ""
    count = "" if shuffler.count is None else f" {shuffler.count}/52"
    machine = f"Shuffler: {deck}{shuffler.mode.upper()}{count}" if shuffler.connected else "Shuffler: not connected"
    lines = _notice(
        state,
        Line("Deal 1 › 6, then the dealer. Ask 1 › 6. Settle 6 › 1.", "strong"),
        Line("A lit seat won on its two cards and the flop? Tap the seat.", "body"),
        Line(machine, "body", Tone.MUTED if shuffler.connected and not _alarming(state) else Tone.CAUTION),
    )
    yield _work(*lines)
    yield from bar(state, undo="")
    yield primary("clear", "NO WINNERS · CLEAR", "every hand is settled")


def _winners(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    def tile(number: int, seat: Seat) -> Widget:
        return _winner_tile(house, state, number, seat)

    yield from _tiles(state, tile)
    prompt = (
        f"Seat {state.turn}: which hand? Two cards and the flop only." if state.turn else "Tap the lit seat that won."
    )
    yield label("prompt", MARGIN, WORK_Y, INNER, 7.4, *_notice(state, Line(prompt, "strong")))
    hands = [hand for hand in HAND_KEYS if hand in house.progressive.prizes]
    for (_, x, width), hand in zip(_columns(len(hands)), hands, strict=True):
        yield key(
            f"hand-{hand.name.lower().replace('_', '-')}", f"hand {hand}", x, WORK_Y + 7.8, width, WORK_H - 7.8,
            HAND_KEYS[hand], size="label", enabled=bool(state.turn),
        )  # fmt: skip
    yield from bar(state, undo="undo" if state.turn else "")
    yield primary("clear", "NO MORE WINNERS · CLEAR", enabled=not state.turn)


def _winner_tile(house: House, state: TableState, number: int, seat: Seat) -> Widget:
    prize = seat.prize
    if prize is not None and prize.status in ("paid", "rejected"):
        paid = prize.status == "paid"
        words = (
            _centre("PAID" if paid else "REJECTED", tone=Tone.DONE if paid else Tone.STOP),
            _centre(_short(prize), "small"),
        )
        shape, tone = (Shape.TICK, Tone.DONE) if paid else (Shape.ALERT, Tone.STOP)
        return _tile(state, number, shape, tone, *words, press="" if paid else f"seat {number}")
    border = Tone.NEXT if number == state.turn else None
    return _seat_tile(house, state, number, seat, press=f"seat {number}" if seat.wager else "", border=border)


def _short(prize: Prize) -> str:
    return "" if prize.amount is None else money(prize.amount)


def _cards(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    prize = state.seat(state.turn).prize
    assert prize is not None, "card entry without a prize"
    heading = Line(f"Seat {state.turn}, {prize.hand}: two cards and the flop", "strong")
    yield label("prompt", MARGIN, 9.4, INNER, 7, *_notice(state, heading))
    for place, x, width in _columns(5):
        yield _slot(place, x, width, prize)
    ranks = jackpot.RANKS
    for row, part in ((0, ranks[:7]), (1, ranks[7:])):
        for (_, x, width), rank in zip(_columns(7), part, strict=False):
            y = 30.4 + row * (13.2 + GAP)
            chosen = Tone.NEXT if rank == prize.rank else None
            yield key(f"rank-{rank}", f"rank {rank}", x, y, width, 13.2, _rank_word(rank), border=chosen)
    last = list(_columns(7))[6]
    yield key("card-back", "card-back", last[1], 30.4 + 13.2 + GAP, last[2], 13.2, "‹ BACK", size="strong")
    for (_, x, width), suit in zip(_columns(4), jackpot.SUITS, strict=True):
        yield Widget(
            f"suit-{suit}", x, 59.4, width, 13.2, (), SUIT_SHAPES[suit], Tone.PLAIN, "key",
            press=f"suit {suit}", enabled=bool(prize.rank),
        )  # fmt: skip
    yield key("cancel", "cancel", MARGIN, 74.2, 40, 16.6, "CANCEL")
    entered = len(prize.cards)
    ready = entered == jackpot.HAND_CARDS
    words = "SHOW THE HAND" if ready else f"{entered} OF 5"
    x = MARGIN + 40 + GAP
    yield key("primary", "show", x, 74.2, WIDTH - MARGIN - x, 16.6, words, fill="next", enabled=ready)


def _slot(place: int, x: float, width: float, prize: Prize) -> Widget:
    border = Tone.NEXT if place == prize.slot else None
    name, y, h = f"slot-{place + 1}", 16.8, 12.4
    filled = place < len(prize.cards)
    if place == prize.slot and prize.rank:
        return Widget(name, x, y, width, h, (_centre(_rank_word(prize.rank), "key"),), fill="tile", border=border)
    if filled:
        rank, suit = prize.cards[place][0], prize.cards[place][1]
        return Widget(
            name, x, y, width, h, (_centre(_rank_word(rank), "key"),), SUIT_SHAPES[suit], Tone.PLAIN, "tile", border,
            press=f"slot {place + 1}",
        )  # fmt: skip
    return Widget(name, x, y, width, h, (_centre("?", "key", Tone.OFF),), fill="tile", border=border)


def _rank_word(rank: str) -> str:
    return "10" if rank == "T" else rank


# Validation, hold, payment ------------------------------------------------------------------------------------------


def _validate(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    prize = state.seat(state.turn).prize
    assert prize is not None, "validation without a prize"
    lit = "lamp lit at the lock" if state.seat(state.turn).wager else "LAMP WAS NOT LIT"
    rows = [
        Line(f"Seat {state.turn}   {prize.hand.upper()}", "key"),
        Line(f"{prize.odds}   {_short(prize)}".rstrip(), "strong", Tone.MONEY),
        Line(f"1  {lit}", "body"),
        Line("2  two cards and the flop make the hand", "body"),
        Line("3  a floorperson validates", "body", Tone.FLOOR),
    ]
    if prize.meter:
        rows.append(Line("NOT FROM THE RACK. CARDS STAY.", "strong", Tone.CAUTION))
    rows += _refusal(state, live)
    yield label("facts", MARGIN, 10, 90, 45, *rows, fill="tile")
    yield from _hand_of_cards(prize)
    yield from _pin_pad(state, live, "floorperson")
    yield key("cancel", "cancel", MARGIN, BAR_Y, 28, BAR_H, "CANCEL")
    yield key(
        "not-a-winner", "not-a-winner", MARGIN + 28 + GAP, BAR_Y, 44, BAR_H, "NOT A WINNER", enabled=bool(live.by)
    )
    yield primary("approve", "APPROVE", "hold 1.5 s", hold=True, enabled=bool(live.by), fill="floor")


def _hand_of_cards(prize: Prize, y: float = 56.2) -> Iterator[Widget]:
    """The five cards, where they were entered."""
    for place, card in enumerate(prize.cards):
        width = 17.0
        yield Widget(
            f"card-{place + 1}", MARGIN + place * (width + GAP), y, width, 13.6, (_centre(_rank_word(card[0]), "key"),),
            SUIT_SHAPES[card[1]], Tone.PLAIN, "tile",
        )  # fmt: skip


PAD_X, PAD_Y, PAD_W, PAD_H = 94.4, 23.4, 19.0, 11.4


def _pin_pad(state: TableState, live: Live, who: str) -> Iterator[Widget]:
    """Badge and PIN. What is typed is never shown, only how much."""
    width = WIDTH - MARGIN - PAD_X
    yield label("badge", PAD_X, 10, width, 12.6, *_badge_lines(state, live, who), fill="tile", border=Tone.FLOOR)
    ready = bool(live.badge) and not live.by and not live.checking and not live.wait_s
    for place, word in enumerate(("1", "2", "3", "4", "5", "6", "7", "8", "9", "‹", "0", "OK")):
        row, column = divmod(place, 3)
        press = {"‹": "pin-back", "OK": "pin-enter"}.get(word, f"pin {word}")
        enabled = ready and (word != "OK" or live.typed >= 4)
        x, y = PAD_X + column * (PAD_W + 0.45), PAD_Y + row * (PAD_H + 0.7)
        yield key(f"pin-{word}", press, x, y, PAD_W, PAD_H, word, enabled=enabled)


def _badge_lines(state: TableState, live: Live, who: str) -> tuple[Line, ...]:
    if live.by:
        return (Line(f"{live.name} is here", "strong", Tone.DONE), Line(f"badge {live.by}, PIN right", "status"))
    if live.checking:
        return (Line("Checking …", "strong"), Line(f"badge {live.badge}", "status"))
    if live.typed:
        return (Line(live.name, "strong"), Line(f"PIN  {'•' * live.typed}", "body"))
    if state.notice and (live.wait_s or not live.badge):
        return tuple(Line(part, "small", Tone.CAUTION) for part in _wrap(state.notice, 42)[:3])
    if live.wait_s:
        return (Line(f"Wait {live.wait_s} s", "strong", Tone.CAUTION), Line(f"badge {live.badge}", "status"))
    if live.badge:
        return (Line(live.name, "strong"), Line("PIN  4 to 8 digits", "body"))
    return (Line("Badge, please", "strong", Tone.FLOOR), Line(f"a {who} or above", "status"))


def _refusal(state: TableState, live: Live, *otherwise: Line) -> tuple[Line, ...]:
    """Why the press of somebody who is here was refused; the badge's own box says who that is."""
    if not (state.notice and live.by):
        return otherwise
    return tuple(Line(part, "status", Tone.CAUTION) for part in _wrap(state.notice, 46)[:2])


def _wrap(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _price(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    prize = state.seat(state.turn).prize
    assert prize is not None, "a claim without a prize"
    off = why_off(state) if state.bank_alarm or not state.link_up else ""
    link = off or "The bank freezes the amount at this seat's turn."
    rows = (
        Line(f"Seat {state.turn}   {prize.hand.upper()}", "key"),
        Line(prize.odds, "strong", Tone.MONEY),
        Line(link, "body", Tone.CAUTION if off else Tone.PLAIN),
        Line("HOLD THE CARDS. Pay nothing yet.", "strong", Tone.CAUTION),
        Line("The claim is safe here and is priced when the bank answers.", "body", Tone.MUTED),
    )
    yield label("facts", MARGIN, 10, INNER, 44, *rows, fill="tile", border=Tone.FLOOR)
    yield from _hand_of_cards(prize)
    yield from bar(state, undo="")
    yield primary("", "WAITING FOR THE BANK", enabled=False, fill="key")


def _hold(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    prize = state.seat(state.turn).prize
    assert prize is not None, "a hold without a prize"
    amount = _short(prize)
    rows = (
        Line(f"Seat {state.turn}   {prize.hand.upper()}", "key"),
        Line(amount, "money", Tone.MONEY),
        Line(f"{prize.odds}. PENDING on the sign.", "status"),
        Line("NOT FROM THE RACK. CARDS STAY.", "strong", Tone.CAUTION),
        *_refusal(
            state,
            live,
            Line(f"Validated by {_name(house, prize.by[0])}. A different", "status", Tone.MUTED),
            Line("person ends it when the documents are done.", "status", Tone.MUTED),
        ),
    )
    yield label("facts", MARGIN, 10, 90, 45, *rows, fill="tile", border=Tone.FLOOR)
    yield from _hand_of_cards(prize)
    yield from _pin_pad(state, live, "second floorperson")
    yield key("floor", "floor", MARGIN, BAR_Y, 28, BAR_H, "FLOOR", border=Tone.FLOOR if state.floor_called else None)
    enabled = bool(live.by)
    yield key(
        "claim-rejected", "claim-rejected", MARGIN + 28 + GAP, BAR_Y, 44, BAR_H, "NOT A WINNER", "hold 1.5 s",
        enabled=enabled, hold=True,
    )  # fmt: skip
    yield primary("claim-paid", "PAID BY THE CAGE", "hold 1.5 s", hold=True, enabled=enabled, fill="floor")


def _name(house: House, badge: str) -> str:
    return house.people[badge].name if badge in house.people else f"badge {badge}"


def _pay(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    prize = state.seat(state.turn).prize
    assert prize is not None and prize.amount is not None, "a payment without an amount"
    yield from _tiles(state, lambda number, seat: _winner_tile(house, state, number, seat))
    lines = (
        Line(f"Seat {state.turn}   {prize.hand.upper()}   {prize.odds}", "strong"),
        Line(f"PAY {money(prize.amount)}", "money", Tone.MONEY),
        Line(f"{recipe(prize.amount, live.denominations)}. The wager stays in the rack.", "body"),
    )
    yield _work(*_notice(state, *lines), border=Tone.MONEY)
    yield from bar(state, undo="")
    yield primary("paid", f"SEAT {state.turn} PAID", fill="done")


def _envy(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    due = dict(jackpot.envy_due(state))

    def tile(number: int, seat: Seat) -> Widget:
        press = f"seat {number}" if number in dict(state.envy) else ""
        if number == state.turn:
            return _tile(state, number, Shape.TICK, Tone.DONE, _centre("WINNER", tone=Tone.DONE))
        if number in due:
            words = (_centre("ENVY", tone=Tone.MONEY), _centre(money(due[number]).removesuffix(".00")))
            return _tile(state, number, Shape.DISC, Tone.MONEY, *words, press=press)
        if press:
            word = "same player" if seat.mark == "same player" else "has left"
            return _tile(
                state, number, Shape.DASH, Tone.OFF, _centre("NO ENVY", "status"), _centre(word, "status"), press=press
            )
        return _seat_tile(house, state, number, seat)

    yield from _tiles(state, tile)
    total = sum(due.values())
    each = max(due.values(), default=0)
    seats = ", ".join(str(number) for number in due) or "nobody"
    lines = (
        Line(f"Pay seats {seats}, in this order, {money(each)} each", "strong"),
        Line(f"{recipe(each, live.denominations)} each, {money(total)} in all", "body", Tone.MONEY),
        Line("Tap a seat: same player as the winner › has left › receives.", "body", Tone.MUTED),
    )
    yield _work(*_notice(state, *lines))
    yield from bar(state, undo="")
    yield primary("envy-paid", "ENVY PAID", fill="done")


# Void rounds --------------------------------------------------------------------------------------------------------


def _irregularity(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    chosen = state.panel.removeprefix("void").strip()
    height = 9.4
    for place, (cite, what) in enumerate(house.voids.items()):
        y = 9.6 + place * (height + 1.0)
        line = Line(what, "status", Tone.PLAIN)
        yield Widget(
            f"void-{place + 1}", MARGIN, y, 90, height, (line,), fill="key", press=f"void {cite}",
            border=Tone.NEXT if cite == chosen else None,
        )  # fmt: skip
    returned = ", ".join(str(number) for number in state.wagers) or "none"
    rows = _refusal(
        state,
        live,
        Line(f"{chosen}: all hands void, all wagers go back" if chosen else "Nothing is void yet: choose.", "small"),
        Line(f"Progressive chips back to seats: {returned}", "small", Tone.MUTED),
    )
    yield label("facts", MARGIN, 9.2 + 5 * (height + 1.0), 90, 9.4, *rows)
    yield from _pin_pad(state, live, "floorperson")
    yield key("back", "back", MARGIN, BAR_Y, 40, BAR_H, "BACK")
    yield primary(
        "apply-void", "VOID THE ROUND", "hold 1.5 s", hold=True, enabled=bool(chosen and live.by), fill="stop"
    )


def _void(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    def tile(number: int, seat: Seat) -> Widget:
        if seat.wager:
            words = (_centre("RETURN", tone=Tone.MONEY), _centre(_wager(house)))
            return _tile(state, number, Shape.DISC, Tone.MONEY, *words)
        return _seat_tile(house, state, number, seat)

    yield from _tiles(state, tile)
    lines = (
        Line(f"{state.void_cite}: {house.voids.get(state.void_cite, '')}", "strong", Tone.STOP),
        Line("Return every wager. Progressive chips come back from the rack.", "body"),
        Line("Reshuffle the cards.", "body", Tone.MUTED),
    )
    yield _work(*_notice(state, *lines), border=Tone.STOP)
    yield from bar(state, undo="")
    yield primary("clear", "ALL RETURNED · CLEAR")


Body = Callable[[House, TableState, Live], Iterable[Widget]]

BODIES: Mapping[str, Body] = {
    "closed": _closed,
    "open": _open,
    "link-down": _link_down,
    "count": _count,
    "difference": _difference,
    "deal": _deal,
    "winners": _winners,
    "cards": _cards,
    "validate": _validate,
    "price": _price,
    "hold": _hold,
    "pay": _pay,
    "envy": _envy,
    "void": _void,
    "irregularity": _irregularity,
    "sensors": _sensors,
    "shuffler": _shuffler,
}
"""Every kind of screen; `screen_name` says which is shown when."""
