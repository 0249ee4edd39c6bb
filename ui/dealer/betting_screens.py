"""Between two rounds, bets, lock, count: sections .7 and .8(b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.table import deciding, five_card, opening, pricing, wagering
from firmware.table.interlock import obstacles
from firmware.table.state import House, Phase, Seat, TableState, recognises, why_off
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
    bar,
    centre,
    chip_keys,
    choices,
    columns,
    grouped,
    key,
    label,
    money,
    nothing_yet,
    notice,
    order_words,
    plural,
    primary,
    prompt,
    short_money,
    wager_words,
    work,
    wrap,
)
from ui.dealer.seats import lamp_tile, short_tile, stakes_tile, tile, tiles
from ui.dealer.widgets import Line, Shape, Tone, Widget

SIDE_KEY_W = 30.0
"""Of the keys at the right of the work area."""


# Closed -------------------------------------------------------------------------------------------------------------


def closed(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """What keeps bets closed, and what to do about it."""
    yield from tiles(state, lambda number, seat: lamp_tile(house, state, number, seat))
    found = obstacles(house, state)[:2]
    lines = [
        line
        for obstacle in found
        for line in (
            Line(obstacle.what, "strong" if len(obstacle.what) <= 70 else "small", Tone.CAUTION),
            Line(obstacle.remedy, "body" if len(obstacle.remedy) <= 68 else "small"),
        )
    ]
    accounts = house.submission.five_card_hand is not None
    width = INNER - (SIDE_KEY_W + GAP if accounts else 0)
    said = _fitted(notice(state, *lines), accounts)
    yield label("work", MARGIN, WORK_Y, width, WORK_H, *said, fill="tile", border=Tone.CAUTION)
    if accounts:
        yield key("accounts", "account 1", WIDTH_LEFT, WORK_Y, SIDE_KEY_W, WORK_H, "ACCOUNTS", size="label")
    yield from bar(state, undo="undo" if state.before_clear else "")
    decks = _decks_wanted(house, state)
    yield primary("fetch", decks, "bets stay closed") if decks else nothing_yet("BETS STAY CLOSED")


WIDTH_LEFT = MARGIN + INNER - SIDE_KEY_W


def _fitted(lines: tuple[Line, ...], narrow: bool) -> tuple[Line, ...]:
    """The same lines beside a column of keys, smaller where they would be cut off."""
    if not narrow:
        return lines
    return tuple(
        Line(part, "small" if len(line.text) > 50 else line.size, line.tone)
        for line in lines
        for part in wrap(line.text, 66)
    )


def _decks_wanted(house: House, state: TableState) -> str:
    if state.deck_due:
        return "CHANGE DECKS"
    return "FETCH A DECK" if opening.missing(house, state) else ""


FAULTS: Mapping[str, tuple[str, str, str]] = {
    "jam": ("a card is jammed", "the shuffle did not finish: reshuffle", "open, clear, close, reshuffle."),
    "door": ("the door is open", "the cards are not under lock.", "close the door; it shuffles again."),
    "lid": ("the lid is open", "the cards are not under lock.", "close the lid; it shuffles again."),
    "count": ("the count is not 52", "that deck leaves the table", "remove the deck, call the floor."),
    "colour": ("the wrong deck colour", "two decks are mixed.", "remove both decks, call the floor."),
    "cycle": ("the shuffle took too long", "it did not complete: reshuffle", "clear it and reshuffle."),
    "motor": ("the motor failed", "the unit cannot shuffle.", "cover it with its sign, call the floor."),
    "card": ("a card cannot be read", "it may be damaged.", "take the deck out, call the floor."),
}
"""Fault -> what happened, what it means, what to do now."""
FAULT_CITES = {"jam": "shuffler jam", "cycle": "shuffler jam", "count": "machine count"}


def shuffler(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """An alarm that nobody has seen yet."""
    yield from tiles(state, lambda number, seat: lamp_tile(house, state, number, seat))
    fault = state.shuffler.fault
    unknown = (f"Alarm {state.shuffler.alarm}", "These cards must be reshuffled.", "Look at the unit.")
    what, means, remedy = FAULTS.get(fault, unknown)
    if fault in FAULT_CITES:
        means = f"{means} ({house.procedure.cite(FAULT_CITES[fault])})."
    lines = (
        Line(f"What happened: {what}", "strong", Tone.STOP),
        Line(f"What it means: {means}", "body"),
        Line(f"Do now: {remedy}", "body"),
    )
    yield work(*notice(state, *lines), border=Tone.STOP)
    yield from bar(state, undo="")
    yield primary("acknowledge", "ACKNOWLEDGE", "alarm seen, the fault may still stand")


# Open ---------------------------------------------------------------------------------------------------------------


def open_bets(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Players place their wagers."""
    yield from _open_tiles(house, state)
    width = INNER - (SIDE_KEY_W + GAP if _has_side_keys(house, state) else 0)
    yield from _meters(state, live, width) if state.progressive else _no_meters(state, width)
    below = notice(state, Line(_hint(state), "status", Tone.MUTED))
    yield from _below(state, below, width)
    yield from _side_keys(house, state)
    yield from bar(state, undo="undo" if state.before_clear else "")
    yield _no_more_bets(state, live)


def _no_more_bets(state: TableState, live: Live) -> Widget:
    lit, plays = len(state.wagers), len(state.players)
    off = state.progressive and not recognises(state)
    said = [f"{plays} {plural(plays, 'hand')}"] if state.level else []
    if state.progressive:
        said.append("no progressive" if off and not lit else f"{lit} lit" if lit else "no lamp lit")
    words = ("LOCKING …",) if live.locking else ("NO MORE BETS", ", ".join(said) or "lock the round")
    return primary("no-more-bets", *words)


def _hint(state: TableState) -> str:
    if state.level:
        return "Tap a seat that plays; tap it again if nobody does."
    return "A lit lamp is a recognised wager." if state.progressive else "NO MORE BETS begins the round."


def _open_tiles(house: House, state: TableState) -> Iterator[Widget]:
    """At levels 1 and 2 a tap says who plays; where the sensor is dead a second key enters the progressive wager."""
    for number, seat in state.numbered():
        by_hand = f"seat {number}" if seat.dead and (seat.wager or recognises(state)) else ""
        plays = f"box {number}" if state.level else by_hand
        shown = lamp_tile(house, state, number, seat, press=plays)
        if not (by_hand and state.level):
            yield shown
            continue
        height = shown.h - 10.6 - 0.8
        yield stakes_tile(house, state, number, seat, press=plays, height=height)
        words = "NO BET" if seat.wager else "BET BY HAND"
        yield key(f"hand-bet-{number}", by_hand, shown.x, shown.y + height + 0.8, shown.w, 10.6, words, size="small")


def _has_side_keys(house: House, state: TableState) -> bool:
    return bool(state.level) or house.submission.five_card_hand is not None


def _side_keys(house: House, state: TableState) -> Iterator[Widget]:
    offered = [("wagers", "stakes", "WAGERS")] if state.level else []
    if house.submission.five_card_hand is not None:
        offered.append(("accounts", "account 1", "ACCOUNTS"))
    height = (WORK_H - (len(offered) - 1) * GAP) / max(1, len(offered))
    for place, (name, press, words) in enumerate(offered):
        y = WORK_Y + place * (height + GAP)
        yield key(name, press, WIDTH_LEFT, y, SIDE_KEY_W, height, words, size="label")


def _meters(state: TableState, live: Live, width: float) -> Iterator[Widget]:
    if not recognises(state):
        yield label(
            "meter-off", MARGIN, WORK_Y, width, 16.4,
            *(Line(part, "label", Tone.CAUTION) for part in wrap(f"PROGRESSIVE OFF. {why_off(state)}", 50)[:2]),
            fill="tile", border=Tone.CAUTION,
        )  # fmt: skip
        return
    meters = live.meters[:3]
    size = "money" if width == INNER else "strong"
    for (_, x, each), (name, amount) in zip(columns(len(meters) or 1, MARGIN, width), meters, strict=False):
        words = (
            centre(name.upper().replace("_", " "), "status", Tone.MUTED),
            centre(grouped(amount), size, Tone.MONEY),
        )
        yield Widget(f"meter-{name}", x, WORK_Y, each, 16.4, words, fill="tile")
    if not meters:
        words = (centre("METERS", "status", Tone.MUTED), centre("not heard of yet", "body", Tone.MUTED))
        yield Widget("meter-none", MARGIN, WORK_Y, width, 16.4, words, fill="tile")


def _no_meters(state: TableState, width: float) -> Iterator[Widget]:
    deck = f"The {state.deck.colour} deck is next." if state.deck else ""
    lines = (Line("Bets are open.", "strong"), Line(deck, "body", Tone.MUTED))
    yield label("work", MARGIN, WORK_Y, width, 16.4, *lines, fill="tile")


def _below(state: TableState, below: tuple[Line, ...], width: float) -> Iterator[Widget]:
    """The last line above the bar; a cut that the floor ordered has its key there."""
    y, h = WORK_Y + 17.2, WORK_H - 17.2
    if not state.recut:
        size = "small" if width < INNER else ""
        lines = tuple(Line(part, size or line.size, line.tone) for line in below for part in wrap(line.text, 76)[:2])
        yield Widget("notice", MARGIN, y, width, h, lines[:2])
        return
    yield Widget(
        "notice",
        MARGIN,
        y,
        width - 42,
        h,
        (Line("The floor ordered it, before the first card.", "label", Tone.CAUTION),),
    )
    yield key("recut", "recut", MARGIN + width - 40, y, 40, h, order_words(state), size="label", border=Tone.NEXT)


def link_down(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Bets are open, progressive wagers are not recognised."""
    if _has_side_keys(house, state) or state.recut:
        yield from open_bets(house, state, live)
        return
    yield from _open_tiles(house, state)
    lines = (
        Line(f"PROGRESSIVE OFF. {why_off(state)}", "strong", Tone.CAUTION),
        Line("The main game plays on. No progressive chips this round.", "body"),
        Line("Bets that are lit stay: safe here, sent when the link returns.", "body", Tone.MUTED),
    )
    yield work(*notice(state, *lines), border=Tone.CAUTION)
    yield from bar(state, undo="undo" if state.before_clear else "")
    words = ("LOCKING …",) if live.locking else ("NO MORE BETS", "no progressive")
    yield primary("no-more-bets", *words)


# Panels of the open table ---------------------------------------------------------------------------------------------


def stakes(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """The wagers of one seat: which, and how much."""
    number, wager = deciding.editing(state)

    def one(place: int, seat: Seat) -> Widget:
        border = Tone.NEXT if place == number else None
        shape, tone = (Shape.TICK, Tone.DONE) if seat.box.plays else (Shape.DASH, Tone.OFF)
        word = short_money(seat.box.ante) if seat.box.plays else "no hand"
        total = sum(stake for _, stake in seat.box.stakes)
        below = f"in all {short_money(total)}" if seat.box.plays else ""
        return short_tile(state, place, shape, tone, word, below, press=f"stakes {place}", border=border)

    yield from tiles(state, one)
    if not number:
        yield prompt(state, "Whose wagers? Tap the seat.", y=LOW_Y)
    else:
        yield from _stakes_of(house, state, live, number, wager)
    yield from bar(state, undo="back", undo_word="BACK")
    yield primary("back", "BACK TO THE TABLE", "bets are open" if state.phase is Phase.OPEN else "the floor signed")


def _stakes_of(house: House, state: TableState, live: Live, number: int, wager: str) -> Iterator[Widget]:
    lying = dict(state.seat(number).box.stakes)
    second = wager_words(house.procedure.second)
    along = f"; {second} follows it" if wager == "ante" else ""
    ask = f"Seat {number}, {wager_words(wager)}: {short_money(lying.get(wager, 0))}{along}. Tap chips."
    yield prompt(state, ask, y=LOW_Y)
    offered = [
        (one, f"stakes {number} {one}", f"{wager_words(one).upper()} {short_money(lying[one]) if one in lying else ''}")
        for one in pricing.offered(house, number)
    ]
    y = LOW_Y + KEYS_Y
    yield from choices(offered, y, 15.4, chosen=(wager,), most=8)
    y += 15.4 + GAP
    h = LOW_Y + LOW_H - y
    yield from chip_keys(live, x=MARGIN, y=y, w=INNER - 36 - GAP, h=h)
    words = ("MINIMUM",) if wager == "ante" else ("NO CHIPS",)
    x, w = MARGIN + INNER - 36, 36.0
    if state.phase is Phase.DEAL and state.seat(number).box.plays:  # with bets open a tap on the seat does it
        w = (w - GAP) / 2
        yield key("no-hand", f"box {number}", x + w + GAP, y, w, h, "NO HAND", size="small")
    yield key("no-chips", "no-chips", x, y, w, h, *words, size="label" if w > 30 else "small")


def accounts(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """A seat's wagering account: buy in with chips, cash out."""
    number = five_card.account_of(state)

    def one(place: int, seat: Seat) -> Widget:
        border = Tone.NEXT if place == number else None
        balance = state.accounts[place - 1]
        shape, tone = (Shape.DISC, Tone.MONEY) if balance else (Shape.RING, Tone.OFF)
        hands = " + ".join(seat.five_card)
        return short_tile(
            state, place, shape, tone, short_money(balance), hands, press=f"account {place}", border=border
        )

    yield from tiles(state, one)
    balance = state.accounts[number - 1] if number else 0
    yield label(
        "work", MARGIN, LOW_Y, INNER, 20.0,
        Line(f"Seat {number}: account", "strong"), Line(money(balance), "money", Tone.MONEY, "right"),
        *_small_notice(state, Line("SIMULATION: not a licensed wagering account system.", "status", Tone.CAUTION)),
        fill="tile", border=Tone.CAUTION,
    )  # fmt: skip
    y = LOW_Y + 20.0 + GAP
    h = LOW_Y + LOW_H - y
    yield from chip_keys(live, x=MARGIN, y=y, w=INNER - 46 - GAP, h=h)
    out = f"pay {short_money(balance)}" if balance else "nothing there"
    x = MARGIN + INNER - 46
    yield key("cash-out", "cash-out", x, y, 46, h, "CASH OUT", out, size="label", enabled=bool(balance))
    yield from bar(state, undo="back", undo_word="BACK")
    yield primary("back", "BACK TO THE TABLE", "chips bought in go to the rack")


def _small_notice(state: TableState, *otherwise: Line) -> tuple[Line, ...]:
    if not state.notice:
        return otherwise
    return tuple(Line(part, "status", Tone.CAUTION) for part in wrap(state.notice, 78)[:2])


def sensors(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Which sensors are dead."""

    def one(number: int, seat: Seat) -> Widget:
        shape, tone = (Shape.ALERT, Tone.STOP) if seat.dead else (Shape.TICK, Tone.DONE)
        word = "DEAD" if seat.dead else "works"
        level = "chip" if seat.covered else "no chip"
        lines = (centre(word), centre(level, "status", Tone.MUTED))
        return tile(state, number, shape, tone, *lines, press=f"sensor {number}")

    yield from tiles(state, one)
    yield work(
        *notice(
            state,
            Line("Tap a seat whose sensor is dead; tap again when it works.", "strong"),
            Line("Its wagers are then entered by hand: tap the seat while bets are open.", "body"),
            Line(state.sensors_why if not state.sensors_up else "All sensors answer.", "body", Tone.MUTED),
        )
    )
    yield from bar(state, undo="back", undo_word="BACK")
    yield primary("back", "BACK TO THE TABLE")


# The count ----------------------------------------------------------------------------------------------------------


def count(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """How many chips the dealer counted."""
    yield from tiles(state, lambda number, seat: lamp_tile(house, state, number, seat))
    ask = "Chips spread in front of the rack: how many?"
    top = KEYS_Y
    if state.recut:
        yield prompt(state, ask, w=INNER - 42)
        top = 9.6
        x = MARGIN + INNER - 40
        yield key("recut", "recut", x, WORK_Y - 0.4, 40, 9.2, order_words(state), size="label", border=Tone.NEXT)
    else:
        yield prompt(state, ask)
    for chips, x, width in columns(len(state.seats) + 1):
        yield key(f"count-{chips}", f"count {chips}", x, WORK_Y + top, width, WORK_H - top, str(chips), size="money")
    yield from bar(state, undo="")
    yield primary("reopen", "REOPEN BETS", "hold 1.5 s", hold=True, fill="key")


SETTLEMENT_KEYS: Mapping[str, tuple[str, str]] = {
    "taken-back": ("NO CHIP", "player took it back"),
    "no-chip": ("NO CHIP", "sensor error"),
    "second-chip": ("TWO CHIPS", "one is returned"),
    "returned": ("CHIP RETURNED", "it had no lamp"),
    "by-hand": ("IT IS A BET", "sensor is dead"),
}


def difference(house: House, state: TableState, live: Live) -> Iterator[Widget]:
    """Lamps and chips differ."""

    def one(number: int, seat: Seat) -> Widget:
        border = Tone.NEXT if number == state.question else None
        return lamp_tile(house, state, number, seat, press=f"seat {number}", border=border)

    yield from tiles(state, one)
    lamps = len(state.wagers)
    words = f"{lamps} {plural(lamps, 'lamp')}, {state.chips} {plural(state.chips, 'chip')}."
    ask = f"Seat {state.question}: what is true?" if state.question else "Tap the seat that differs."
    yield prompt(state, f"{words} {ask}", Tone.CAUTION)
    if state.question:
        offered = wagering.settlements(state.seat(state.question))
        for (_, x, width), choice in zip(columns(3), offered, strict=False):
            words_of_key = SETTLEMENT_KEYS[choice]
            yield key(f"settle-{choice}", f"settle {choice}", x, WORK_Y + KEYS_Y, width, WORK_H - KEYS_Y, *words_of_key)
    yield from bar(state, undo_word="RECOUNT")
    yield nothing_yet("SETTLE EACH SEAT")


BODIES: dict[str, Body] = {
    "closed": closed,
    "shuffler": shuffler,
    "open": open_bets,
    "link-down": link_down,
    "stakes": stakes,
    "accounts": accounts,
    "sensors": sensors,
    "count": count,
    "difference": difference,
}
TITLES: dict[str, tuple[str, Tone]] = {
    "closed": ("BETS CLOSED", Tone.CAUTION),
    "shuffler": ("SHUFFLER ALARM", Tone.STOP),
    "open": ("BETS OPEN", Tone.DONE),
    "link-down": ("BETS OPEN", Tone.CAUTION),
    "stakes": ("WAGERS", Tone.NEXT),
    "accounts": ("ACCOUNTS", Tone.CAUTION),
    "sensors": ("SENSORS", Tone.CAUTION),
    "count": ("LOCKED · COUNT", Tone.NEXT),
    "difference": ("LOCKED · DIFFERENCE", Tone.CAUTION),
}
