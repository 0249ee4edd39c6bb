"""Between two rounds, bets, lock, count: sections .7 and .8(b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.table import deciding, five_card, opening, wagering
from firmware.table.house import House
from firmware.table.interlock import obstacles
from firmware.table.projections import recognizes, why_off
from firmware.table.state import Phase, Seat, TableState
from ui.dealer.frame import Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    back_key,
    bar,
    centre,
    chip_keys,
    choices,
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
    work,
)
from ui.dealer.seats import lamp_tile, short_tile, stakes_tile, tile, tiles
from ui.dealer.widgets import Line, Shape, Tone, Widget

SIDE_KEY_W = 30.0
"""Of the keys at the right of the work area."""


# Closed -------------------------------------------------------------------------------------------------------------


def closed(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """What keeps bets closed, and what to do about it."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    found = obstacles(house, state)[:2]
    lines = [
        line
        for obstacle in found
        for line in (Line(obstacle.what, "strong", Tone.CAUTION), Line(obstacle.remedy, "body"))
    ]
    area = frame.work
    if house.submission.five_card_hand is not None:
        area, side = area.side(frame.for_words(SIDE_KEY_W))
        yield key("accounts", "account 1", side, "ACCOUNTS", size="label")
    yield work(area, *notice(state, *lines), border=Tone.CAUTION)
    yield from bar(frame, state)
    decks = _decks_wanted(house, state)
    yield primary(frame, "fetch", decks, "bets stay closed") if decks else nothing_yet(frame, "BETS STAY CLOSED")


def _decks_wanted(house: House, state: TableState) -> str:
    if state.decks.due:
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


def shuffler(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """An alarm that nobody has seen yet."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    fault = state.neighbours.shuffler.fault
    unknown = (f"Alarm {state.neighbours.shuffler.alarm}", "These cards must be reshuffled.", "Look at the unit.")
    what, means, remedy = FAULTS.get(fault, unknown)
    if fault in FAULT_CITES:
        means = f"{means} ({house.procedure.cite(FAULT_CITES[fault])})."
    lines = (
        Line(f"What happened: {what}", "strong", Tone.STOP),
        Line(f"What it means: {means}", "body"),
        Line(f"Do now: {remedy}", "body"),
    )
    yield work(frame.work, *notice(state, *lines), border=Tone.STOP)
    yield from bar(frame, state)
    yield primary(frame, "acknowledge", "ACKNOWLEDGE", "alarm seen, the fault may still stand")


# Open ---------------------------------------------------------------------------------------------------------------


def open_bets(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Players place their wagers."""
    yield from _open_tiles(frame, house, state)
    area = frame.work
    if _has_side_keys(house, state):
        area, side = area.side(frame.for_words(SIDE_KEY_W))
        yield from _side_keys(house, state, side)
    upper, lower = area.foot(max(HINT_H, 0.35 * area.h), 0.8)
    yield from _meters(state, live, upper) if state.program.progressive else _no_meters(state, upper)
    yield from _below(frame, state, notice(state, Line(_hint(state), "status", Tone.MUTED)), lower)
    yield from bar(frame, state)
    yield _no_more_bets(frame, state, live)


def _no_more_bets(frame: Frame, state: TableState, live: Live) -> Widget:
    lit, plays = len(state.wagers), len(state.players)
    off = state.program.progressive and not recognizes(state)
    said = [f"{plays} {plural(plays, 'hand')}"] if state.program.level else []
    if state.program.progressive:
        said.append("no progressive" if off and not lit else f"{lit} lit" if lit else "no lamp lit")
    words = ("LOCKING …",) if live.locking else ("NO MORE BETS", ", ".join(said) or "lock the round")
    return primary(frame, "no-more-bets", *words)


def _hint(state: TableState) -> str:
    if state.program.level:
        return "Tap a seat that plays; tap it again if nobody does."
    return "A lit lamp is a recognised wager." if state.program.progressive else "NO MORE BETS begins the round."


def _open_tiles(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    """At levels 1 and 2 a tap says who plays; where the sensor is dead a second key enters the progressive wager."""
    for number, seat in state.numbered():
        by_hand = f"seat {number}" if state.sensor(number).dead and (seat.wager or recognizes(state)) else ""
        plays = f"box {number}" if state.program.level else by_hand
        shown = lamp_tile(frame, house, state, number, seat, press=plays)
        if not (by_hand and state.program.level):
            yield shown
            continue
        above, below = Area(shown.x, shown.y, shown.w, shown.h).foot(HAND_BET_H, 0.8)
        yield stakes_tile(frame, house, state, number, seat, press=plays, area=above)
        words = "NO BET" if seat.wager else "BET BY HAND"
        yield key(f"hand-bet-{number}", by_hand, below, words, size="small", group="hand-bet")


HAND_BET_H = 9.2
"""Of the key that enters a wager by hand, below a seat."""


def _has_side_keys(house: House, state: TableState) -> bool:
    return bool(state.program.level) or house.submission.five_card_hand is not None


def _side_keys(house: House, state: TableState, area: Area) -> Iterator[Widget]:
    offered = [("wagers", "stakes", "WAGERS")] if state.program.level else []
    if house.submission.five_card_hand is not None:
        offered.append(("accounts", "account 1", "ACCOUNTS"))
    for (name, press, words), place in zip(offered, area.rows(len(offered)), strict=True):
        yield key(name, press, place, words, size="label", group="side")


METERS_SHOWN = 3
METERS_W = 90.0
"""Where there is less, meters stand below each other, each in one row: its name and its amount."""


def _meters(state: TableState, live: Live, area: Area) -> Iterator[Widget]:
    if not recognizes(state):
        off = Line(f"PROGRESSIVE OFF. {why_off(state)}", "strong", Tone.CAUTION)
        yield label("meter-off", area, off, fill="tile", border=Tone.CAUTION)
        return
    meters = live.meters[:METERS_SHOWN]
    places = area.columns(len(meters) or 1) if area.w > METERS_W else area.rows(len(meters) or 1)
    for (name, amount), place in zip(meters, places, strict=False):
        aligned = ("centre", "centre") if area.w > METERS_W else ("left", "right")
        words = (
            Line(name.upper().replace("_", " "), "status", Tone.MUTED, aligned[0]),
            Line(grouped(amount), "money", Tone.MONEY, aligned[1]),
        )
        yield Widget(f"meter-{name}", place.x, place.y, place.w, place.h, words, fill="tile", group="meters")
    if not meters:
        words = (centre("METERS", "status", Tone.MUTED), centre("not heard of yet", "body", Tone.MUTED))
        yield label("meter-none", area, *words, fill="tile")


def _no_meters(state: TableState, area: Area) -> Iterator[Widget]:
    deck = f"The {state.deck.color} deck is next." if state.deck else ""
    lines = (Line("Bets are open.", "strong"), Line(deck, "body", Tone.MUTED))
    yield work(area, *lines)


HINT_H = 9.4
"""Of the line above the bar, and of the key that may stand in it."""
RECUT_W = 40.0


def _below(frame: Frame, state: TableState, below: tuple[Line, ...], area: Area) -> Iterator[Widget]:
    """The last line above the bar; a cut that the floor ordered has its key there."""
    if not state.decks.recut:
        yield label("notice", area, *below)
        return
    narrow = area.w < 2 * RECUT_W
    said, place = area.foot(HINT_H, 0.4) if narrow else area.side(frame.for_words(RECUT_W))
    yield label("notice", said, Line("The floor ordered it, before the first card.", "label", Tone.CAUTION))
    yield key("recut", "recut", place, order_words(state), size="label", border=Tone.NEXT)


def link_down(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Bets are open, progressive wagers are not recognised."""
    if _has_side_keys(house, state) or state.decks.recut:
        yield from open_bets(house, state, live, frame)
        return
    yield from _open_tiles(frame, house, state)
    lines = (
        Line(f"PROGRESSIVE OFF. {why_off(state)}", "strong", Tone.CAUTION),
        Line("The main game plays on. No progressive chips this round.", "body"),
        Line("Bets that are lit stay: safe here, sent when the link returns.", "body", Tone.MUTED),
    )
    yield work(frame.work, *notice(state, *lines), border=Tone.CAUTION)
    yield from bar(frame, state)
    words = ("LOCKING …",) if live.locking else ("NO MORE BETS", "no progressive")
    yield primary(frame, "no-more-bets", *words)


# Panels of the open table ---------------------------------------------------------------------------------------------


def stakes(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The wagers of one seat: which, and how much."""
    number, wager = deciding.editing(state)

    def one(place: int, seat: Seat) -> Widget:
        border = Tone.NEXT if place == number else None
        shape, tone = (Shape.TICK, Tone.DONE) if seat.position.plays else (Shape.DASH, Tone.OFF)
        word = short_money(seat.position.ante) if seat.position.plays else "no hand"
        total = sum(stake for _, stake in seat.position.stakes)
        below = f"in all {short_money(total)}" if seat.position.plays else ""
        return short_tile(frame, state, place, shape, tone, word, below, press=f"stakes {place}", border=border)

    yield from tiles(state, one)
    if not number:
        yield prompt(state, "Whose wagers? Tap the seat.", frame.low.top(frame.prompt_h)[0])
    else:
        yield from _stakes_of(house, state, live, frame, number, wager)
    yield from bar(frame, state)
    yield primary(
        frame, "back", "BACK TO THE TABLE", "bets are open" if state.phase is Phase.OPEN else "the floor signed"
    )


NO_CHIPS_W = 36.0


def _stakes_of(house: House, state: TableState, live: Live, frame: Frame, number: int, wager: str) -> Iterator[Widget]:
    lying = dict(state.seat(number).position.stakes)
    second = house.game.called(house.game.companion.name)
    along = f"; {second} follows it" if wager == "ante" else ""
    ask = f"Seat {number}, {house.game.called(wager)}: {short_money(lying.get(wager, 0))}{along}. Tap chips."
    question, area = frame.low.top(frame.prompt_h, 0.4)
    yield prompt(state, ask, question)
    offered = [
        (
            one,
            f"stakes {number} {one}",
            f"{house.game.called(one).upper()} {short_money(lying[one]) if one in lying else ''}",
        )
        for one in house.game.offered(house.submission, number)
    ]
    wagers, area = area.top(area.height_of(len(offered), 8, 0.46))
    yield from choices(offered, wagers, chosen=(wager,), most=8)
    chips, area = area.foot(area.h / 2) if frame.upright else area.side(frame.for_words(NO_CHIPS_W))
    yield from chip_keys(live, chips)
    words = "MINIMUM" if wager == "ante" else "NO CHIPS"
    if state.phase is Phase.DEAL and state.seat(number).position.plays:  # with bets open a tap on the seat does it
        area, no_hand = area.columns(2)
        yield key("no-hand", f"box {number}", no_hand, "NO HAND", size="label", group="no-chips")
    yield key("no-chips", "no-chips", area, words, size="label", group="no-chips")


def accounts(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A seat's wagering account: buy in with chips, cash out."""
    number = five_card.account_of(state)

    def one(place: int, seat: Seat) -> Widget:
        border = Tone.NEXT if place == number else None
        balance = state.felt.accounts[place - 1]
        shape, tone = (Shape.DISC, Tone.MONEY) if balance else (Shape.RING, Tone.OFF)
        hands = " + ".join(seat.five_card)
        return short_tile(
            frame, state, place, shape, tone, short_money(balance), hands, press=f"account {place}", border=border
        )

    yield from tiles(state, one)
    balance = state.felt.accounts[number - 1] if number else 0
    said, area = frame.low.top(0.48 * frame.low.h)
    yield work(
        said,
        Line(f"Seat {number}: account", "strong"),
        Line(money(balance), "money", Tone.MONEY, "right"),
        *_small_notice(state, Line("SIMULATION: not a licensed wagering account system.", "status", Tone.CAUTION)),
        border=Tone.CAUTION,
    )
    out = f"pay {short_money(balance)}" if balance else "nothing there"
    chips, cash = area.foot(area.h / 2) if frame.upright else area.side(frame.for_words(CASH_OUT_W))
    yield from chip_keys(live, chips)
    yield key("cash-out", "cash-out", cash, "CASH OUT", out, size="label", enabled=bool(balance))
    yield from bar(frame, state)
    yield primary(frame, "back", "BACK TO THE TABLE", "chips bought in go to the rack")


CASH_OUT_W = 46.0


def _small_notice(state: TableState, *otherwise: Line) -> tuple[Line, ...]:
    return (Line(state.desk.notice, "status", Tone.CAUTION),) if state.desk.notice else otherwise


def sensors(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Which sensors are dead."""

    def one(number: int, seat: Seat) -> Widget:
        sensor = state.sensor(number)
        shape, tone = (Shape.ALERT, Tone.STOP) if sensor.dead else (Shape.TICK, Tone.DONE)
        word = "DEAD" if sensor.dead else "works"
        level = "chip" if sensor.covered else "no chip"
        lines = (centre(word), centre(level, "status", Tone.MUTED))
        return tile(frame, state, number, shape, tone, *lines, press=f"sensor {number}")

    yield from tiles(state, one)
    yield work(
        frame.work,
        *notice(
            state,
            Line("Tap a seat whose sensor is dead; tap again when it works.", "strong"),
            Line("Its wagers are then entered by hand: tap the seat while bets are open.", "body"),
            Line(state.felt.why if not state.felt.up else "All sensors answer.", "body", Tone.MUTED),
        ),
    )
    yield from bar(frame, state)
    yield primary(frame, "back", "BACK TO THE TABLE")


# The count ----------------------------------------------------------------------------------------------------------


def count(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """How many chips the dealer counted."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    ask = "Chips spread in front of the rack: how many?"
    question, keys = frame.work.top(max(frame.prompt_h, HINT_H) if state.decks.recut else frame.prompt_h, 0.5)
    if state.decks.recut:
        question, again = question.side(frame.for_words(RECUT_W))
        yield key("recut", "recut", again, order_words(state), size="label", border=Tone.NEXT)
    yield prompt(state, ask, question)
    numbers = len(state.round.seats) + 1
    across = -(-numbers // 2) if frame.upright else numbers
    for chips, area in zip(range(numbers), keys.grid(across, -(-numbers // across)), strict=False):
        yield key(f"count-{chips}", f"count {chips}", area, str(chips), size="money")
    yield from bar(frame, state)
    yield primary(frame, "reopen", "REOPEN BETS", "hold 1.5 s", hold=True, fill="key")


SETTLEMENT_KEYS: Mapping[str, tuple[str, str]] = {
    "taken-back": ("NO CHIP", "player took it back"),
    "no-chip": ("NO CHIP", "sensor error"),
    "second-chip": ("TWO CHIPS", "one is returned"),
    "returned": ("CHIP RETURNED", "it had no lamp"),
    "by-hand": ("IT IS A BET", "sensor is dead"),
}


def difference(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Lamps and chips differ."""

    def one(number: int, seat: Seat) -> Widget:
        border = Tone.NEXT if number == state.round.question else None
        return lamp_tile(frame, house, state, number, seat, press=f"seat {number}", border=border)

    yield from tiles(state, one)
    lamps = len(state.wagers)
    words = f"{lamps} {plural(lamps, 'lamp')}, {state.round.chips} {plural(state.round.chips, 'chip')}."
    ask = f"Seat {state.round.question}: what is true?" if state.round.question else "Tap the seat that differs."
    question, keys = frame.work.top(frame.prompt_h, 0.4)
    yield prompt(state, f"{words} {ask}", question, Tone.CAUTION)
    if state.round.question:
        offered = wagering.settlements(state, state.round.question)
        for area, choice in zip(keys.columns(3), offered, strict=False):
            words_of_key = SETTLEMENT_KEYS[choice]
            yield key(f"settle-{choice}", f"settle {choice}", area, *words_of_key, group="settle")
    yield from bar(frame, state)
    yield back_key(frame, "recount", "RECOUNT")
    yield nothing_yet(frame, "SETTLE EACH SEAT", beside_back=True)


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
