"""Between two rounds, bets, lock, count: sections .7 and .8(b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from firmware.rules.message import NOTHING, Message, say
from firmware.table import debts, deciding, five_card, opening, wagering
from firmware.table.house import House
from firmware.table.interlock import ROUTINE, obstacles
from firmware.table.projections import heeds_switch, positions_of_one, recognizes, remedy, trouble, why_off
from firmware.table.state import Phase, Seat, TableState
from firmware.wire.structs import replace
from ui.dealer.frame import KEY_MM, Area, Frame
from ui.dealer.opening_screens import order
from ui.dealer.pieces import (
    NO_CHIPS_W,
    Body,
    Live,
    Title,
    back_key,
    bar,
    center,
    chip_keys,
    choices,
    faults,
    grouped,
    hindered,
    joined,
    key,
    label,
    machine_in_the_way,
    meter_name,
    money,
    nothing_yet,
    notice,
    order_words,
    pin_pad,
    primary,
    prompt,
    refusal,
    short_money,
    work,
)
from ui.dealer.seats import HANDS_BACKED, lamp_tile, short_tile, stakes_tile, tile, tiles
from ui.dealer.widgets import Line, Text, Tone, Widget

SIDE_KEY_W = 30.0
"""Width of the keys at the right of the work area."""


# Closed -------------------------------------------------------------------------------------------------------------


def closed(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The obstacle that keeps bets closed, and its cure."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    found = obstacles(house, state)[:2]
    lines = [line for obstacle in found for line in order(obstacle)]
    tone = closed_title(house, state)[1]
    area = frame.work
    if house.submission.by_account:
        area, side = area.side(frame.for_words(SIDE_KEY_W))
        yield key("accounts", "account 1", side, say("key.accounts"), size="label")
    lines.append(Line(say("closed.meanwhile"), "small", Tone.MUTED))
    yield work(area, *notice(state, *lines, *faults(state, live)), border=tone)
    yield from bar(house, state, frame)
    decks = _decks_wanted(house, state)
    yield (
        primary(frame, "fetch", decks, say("closed.stay")) if decks else nothing_yet(frame, say("key.bets-stay-closed"))
    )


def closed_title(house: House, state: TableState) -> Title:
    """Bets are closed; where only the next deck is wanted, as after every round, it says so and is no alarm."""
    routine = all(one.kind in ROUTINE for one in obstacles(house, state))
    return (say("title.next-deck"), Tone.NEXT) if routine else (say("title.closed"), Tone.CAUTION)


def _decks_wanted(house: House, state: TableState) -> Message:
    if state.decks.due:
        return say("key.change-decks")
    return say("key.fetch-deck") if opening.missing(house, state) else NOTHING


FAULTS: Mapping[str, tuple[Message, Message, Message]] = {
    "jam": (say("fault.jam"), say("fault.jam-means"), say("fault.jam-now")),
    "door": (say("fault.door"), say("fault.door-means"), say("fault.door-now")),
    "lid": (say("fault.lid"), say("fault.lid-means"), say("fault.lid-now")),
    "count": (say("fault.count"), say("fault.count-means"), say("fault.count-now")),
    "color": (say("fault.color"), say("fault.color-means"), say("fault.color-now")),
    "cycle": (say("fault.cycle"), say("fault.cycle-means"), say("fault.cycle-now")),
    "motor": (say("fault.motor"), say("fault.motor-means"), say("fault.motor-now")),
    "card": (say("fault.card"), say("fault.card-means"), say("fault.card-now")),
}
"""Fault -> what happened, what it means, what to do now."""
FAULT_CITES = {"jam": "shuffler jam", "cycle": "shuffler jam", "count": "machine count"}


def shuffler(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """An alarm that nobody has seen yet."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    fault = state.neighbors.shuffler.fault
    number = state.neighbors.shuffler.alarm
    unknown = (say("fault.unknown", number=number), say("fault.unknown-means"), say("fault.unknown-now"))
    what, means, remedy = FAULTS.get(fault, unknown)
    if fault in FAULT_CITES:
        means = say("text-by", text=means, cite=house.procedure.cite(FAULT_CITES[fault]))
    lines = (
        Line(say("fault.happened", what=what), "strong", Tone.STOP),
        Line(say("fault.means", what=means), "body"),
        Line(say("fault.do-now", what=remedy), "body"),
    )
    yield work(frame.work, *notice(state, *lines), border=Tone.STOP)
    yield from bar(house, state, frame)
    yield primary(frame, "acknowledge", say("key.seen"), say("key.fix-before-deal"))


# Open ---------------------------------------------------------------------------------------------------------------


def open_bets(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Players place their wagers."""
    yield from _open_tiles(frame, house, state)
    area = frame.work
    if _has_side_keys(house, state):
        area, side = area.side(frame.for_words(SIDE_KEY_W))
        yield from _side_keys(house, state, side)
    other = (Line(said, "body", Tone.STOP) for said in wagering.wrong_chips(house, state))
    wrong = machine_in_the_way(house, state) or next(chain(faults(state, live), other), None)
    hint = _hint(state)
    below = notice(state, *filter(None, [wrong or (Line(hint, "body", Tone.MUTED) if hint else None)]))
    if below or state.decks.recut:
        both = state.decks.recut and area.w < 2 * RECUT_W  # the key stands below the words
        area, lower = area.foot(2 * HINT_H if both else HINT_H, 0.4)
        yield from _below(frame, state, below, lower)
    yield from _meters(state, live, area) if state.program.progressive else _no_meters(state, area)
    yield from bar(house, state, frame)
    yield _no_more_bets(frame, state, live)


def _no_more_bets(frame: Frame, state: TableState, live: Live) -> Widget:
    lit, plays = len(state.wagers), len(state.players)
    off = state.program.progressive and not recognizes(state)
    hands = say("open.hands", n=plays) if plays else say("open.no-hands")
    said: list[Message] = [hands] if state.program.level else []
    if state.program.progressive:
        said.append(
            say("open.no-progressive")
            if off and not lit
            else say("open.lit", count=lit)
            if lit
            else say("open.none-lit")
        )
    words = (
        (say("key.locking"),) if live.locking else (say("key.no-more-bets"), joined(said) if said else say("open.lock"))
    )
    return primary(frame, "no-more-bets", *words)


def _hint(state: TableState) -> Message:
    """The line of a dealer who has nothing else to read."""
    if debt := debts.waiting(state):
        return say("open.owed", round=debt.round, seat=debt.seat, amount=debt.owed)
    if state.program.level and not state.players:
        return say("open.tap-players")
    return NOTHING if state.program.progressive else say("open.begins")


def _open_tiles(frame: Frame, house: House, state: TableState) -> Iterator[Widget]:
    """At levels 1 and 2 a tap says who plays; where the sensor is dead a second key enters the progressive wager."""
    for number, seat in state.numbered():
        dead = any(sensor.dead for sensor in state.sensors(number))
        by_hand = f"seat {number}" if dead and (seat.wager or recognizes(state)) else ""
        plays = f"box {number}" if state.program.level else by_hand
        shown = lamp_tile(frame, house, state, number, seat, press=plays)
        if not (by_hand and state.program.level):
            yield shown
            continue
        above, below = Area(shown.x, shown.y, shown.w, shown.h).foot(max(KEY_MM, frame.for_words(HAND_BET_H)), 0.8)
        yield stakes_tile(frame, house, state, number, seat, press=plays, area=above)
        words = say("key.no-bet") if seat.wager else say("key.bet-by-hand")
        yield key(f"hand-bet-{number}", by_hand, below, words, size="small", group="hand-bet")


HAND_BET_H = 9.2
"""Height of the key that enters a wager by hand, below a seat."""


def _has_side_keys(house: House, state: TableState) -> bool:
    return bool(state.program.level or house.submission.by_account)


def _side_keys(house: House, state: TableState, area: Area) -> Iterator[Widget]:
    offered: list[tuple[str, str, Text]] = [("wagers", "stakes", say("key.wagers"))] if state.program.level else []
    if house.submission.by_account:
        offered.append(("accounts", "account 1", say("key.accounts")))
    for (name, press, words), place in zip(offered, area.rows(len(offered)), strict=True):
        yield key(name, press, place, words, size="strong", group="side")


METERS_SHOWN = 3
METERS_W = 90.0
"""With less width the other meters stand below each other."""
JACKPOT_H = 24.0
"""The height at which the first meter has the largest type."""
OTHER_METERS_H = 7.6
"""Height of a meter below the first one: its name and its amount in a row."""


def _meters(state: TableState, live: Live, area: Area) -> Iterator[Widget]:
    """The highest meter as the hero of the screen, the others in a row below it."""
    first, *others = live.meters[:METERS_SHOWN] or (None,)
    if first is None:
        words = (center(say("rail.meters"), "small", Tone.MUTED), center(say("meters.none"), "body", Tone.MUTED))
        yield label("meter-none", area, *words, fill="tile")
        return
    below = OTHER_METERS_H * (len(others) if area.w < METERS_W else 1)
    hero, rest = area.foot(below, 0.0) if others else (area, area)
    yield label(
        f"meter-{first.name}", hero, center(meter_name(first), "body", Tone.MUTED),
        center(grouped(first.amount), "jackpot" if hero.h > JACKPOT_H else "hero", Tone.MONEY), fill="tile",
    )  # fmt: skip
    places = rest.columns(len(others) or 1, 0.0) if area.w > METERS_W else rest.rows(len(others) or 1, 0.0)
    for heard, place in zip(others, places, strict=False):
        words = (
            Line(meter_name(heard), "small", Tone.MUTED),
            Line(grouped(heard.amount), "strong", Tone.MONEY, "right"),
        )
        yield Widget(f"meter-{heard.name}", place.x, place.y, place.w, place.h, words, fill="tile", group="meters")


def _no_meters(state: TableState, area: Area) -> Iterator[Widget]:
    deck = say("deck.next", color=state.deck.color) if state.deck else ""
    lines = (Line(say("open.heading"), "strong"), Line(deck, "body", Tone.MUTED))
    yield work(area, *lines)


HINT_H = 9.4
"""Height of the line above the bar, and of the key that may stand in it."""
RECUT_W = 40.0


def _below(frame: Frame, state: TableState, below: tuple[Line, ...], area: Area) -> Iterator[Widget]:
    """The last line above the bar; a cut that the floor ordered has its key there."""
    if not state.decks.recut:
        yield label("notice", area, *below)
        return
    narrow = area.w < 2 * RECUT_W
    said, place = area.foot(HINT_H, 0.4) if narrow else area.side(frame.for_words(RECUT_W))
    yield label("notice", said, Line(say("order.by-floor"), "small", Tone.CAUTION))
    yield key("recut", "recut", place, order_words(state), size="label", border=Tone.NEXT)


def link_down(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Bets are open, progressive wagers are not recognized: why, what players are told, and what was heard last."""
    yield from _open_tiles(frame, house, state)
    area = frame.work
    if _has_side_keys(house, state):
        area, side = area.side(frame.for_words(SIDE_KEY_W))
        yield from _side_keys(house, state, side)
    if state.decks.recut:
        area, below = area.foot(max(HINT_H, 0.35 * area.h), 0.8)
        yield from _below(frame, state, (), below)
    yield work(area, *notice(state, *_why_no_progressive(state, live)), border=Tone.CAUTION)
    yield from bar(house, state, frame)
    yield _no_more_bets(frame, state, live)


def _why_no_progressive(state: TableState, live: Live) -> Iterator[Line]:
    """The meaning for the dealer comes first; a technician's lines stand below it, and smaller."""
    why = Line(why_off(state), "small", Tone.CAUTION)
    wrong = bool(trouble(state))
    yield Line(say("off.call", does=remedy(state) if wrong else say("link.call")), "strong", Tone.CAUTION)
    yield Line(say("link-down.tell"), "body")
    if wrong:
        if not heeds_switch(state):
            yield Line(say("off.lock-here"), "body")
        if state.wagers:
            yield Line(say("off.lit-stay"), "body", Tone.MUTED)
        yield why
        if not state.neighbors.link_up:  # another machine of this name is why the bank raised its alarm
            yield Line(say("off.link", why=state.neighbors.link_why), "small", Tone.CAUTION)
        return
    if state.wagers:
        yield Line(say("link-down.safe"), "body", Tone.MUTED)
    yield why
    if live.meters and live.meters_at:
        said = [f"{meter_name(heard)} {grouped(heard.amount)}" for heard in live.meters[:METERS_SHOWN]]
        yield Line(say("meters.heard", at=live.meters_at, meters=joined(said)), "body", Tone.OFF)


# Panels of the open table ---------------------------------------------------------------------------------------------


def stakes(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The wagers of one seat: which, and how much."""
    number, wager = deciding.editing(house, state)

    def one(place: int, seat: Seat) -> Widget:
        border = Tone.NEXT if place == number else None
        word = short_money(seat.position.base) if seat.position.plays else ""
        total = sum(stake for _, stake in seat.position.stakes)
        below = say("stakes.in-all", amount=total) if seat.position.plays else ""
        return short_tile(frame, state, place, word, below, press=f"stakes {place}", border=border)

    yield from tiles(state, one)
    if not number:
        yield prompt(state, say("stakes.whose"), frame.low.top(frame.prompt_h)[0])
    else:
        yield from _stakes_of(house, state, live, frame, number, wager)
    yield from bar(house, state, frame)
    yield primary(
        frame,
        "back",
        say("key.to-table"),
        say("stakes.bets-open") if state.phase is Phase.OPEN else say("stakes.signed"),
    )


NO_CHIPS_AND_SEAT_W = 48.0
NO_CHIPS_AND_TWO_W = 66.0
"""Widths of two and of three keys beside those of the chips."""


def _stakes_of(house: House, state: TableState, live: Live, frame: Frame, number: int, wager: str) -> Iterator[Widget]:
    lying = dict(state.seat(number).position.stakes)
    name, amount, companion = house.game.called(wager), lying.get(wager, 0), house.game.companion
    ask, is_base = say("stakes.ask", seat=number, wager=name, amount=amount), wager == house.game.base
    if is_base and companion:
        second = house.game.called(companion.name)
        ask = say("stakes.ask-base", seat=number, wager=name, amount=amount, second=second)
    question, area = frame.low.top(frame.prompt_h - 1.2, 0.4)
    yield prompt(state, ask, question)
    offered = [
        (one, f"stakes {number} {one}", _stake(house.game.called(one), lying.get(one)))
        for one in house.game.offered(house.submission, number)
    ]
    most = 4 if frame.upright else 8
    wagers, area = area.top(area.height_of(len(offered), most, 0.46))
    yield from choices(offered, wagers, chosen=(wager,), most=most)
    no_chips = say("key.minimum") if is_base else say("key.no-chips")
    others = [("no-chips", "no-chips", no_chips)]
    if state.phase is Phase.DEAL and state.seat(number).position.plays:  # with bets open a tap on the seat does it
        others.append(("no-hand", f"box {number}", say("key.not-playing")))
    joined_to = number - 1 in positions_of_one(state, number)
    if deciding.may_join(house, state, number):
        others.append(("same-player", f"same-player {number}", say("key.same-player", seat=number - 1)))
    beside = frame.for_words((NO_CHIPS_W, NO_CHIPS_AND_SEAT_W, NO_CHIPS_AND_TWO_W)[len(others) - 1])
    chips, area = area.foot(area.h / 2) if frame.upright else area.side(beside)
    yield from chip_keys(live, chips)
    for (id_, press, words), place in zip(others, area.columns(len(others)), strict=True):
        border = Tone.NEXT if id_ == "same-player" and joined_to else None
        yield key(id_, press, place, words, size="label", border=border, group="no-chips")


def _stake(name: Message, amount: int | None) -> Message:
    return say("stakes.none", wager=name) if amount is None else say("stakes.amount", wager=name, amount=amount)


def accounts(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A seat's wagering account: buy in with chips, cash out."""
    number = five_card.account_of(state)

    def one(place: int, seat: Seat) -> Widget:
        border = Tone.NEXT if place == number else None
        balance = state.felt.accounts[place - 1]
        tone = Tone.MONEY if balance else Tone.MUTED
        hands = joined([HANDS_BACKED[hand] for hand in seat.five_card], " + ") if seat.five_card else ""
        return short_tile(
            frame, state, place, short_money(balance), hands, tone=tone, press=f"account {place}", border=border
        )

    yield from tiles(state, one)
    balance = state.felt.accounts[number - 1] if number else 0
    said, area = frame.low.top(0.48 * frame.low.h)
    yield work(
        said,
        Line(say("account.heading", seat=number), "strong"),
        Line(money(balance), "money", Tone.MONEY, "right"),
        *_small_notice(state, Line(say("account.simulation"), "small", Tone.CAUTION)),
        border=Tone.CAUTION,
    )
    out = say("account.pay", amount=balance) if balance else say("account.empty")
    chips, cash = area.foot(area.h / 2) if frame.upright else area.side(frame.for_words(CASH_OUT_W))
    yield from chip_keys(live, chips)
    yield key("cash-out", "cash-out", cash, say("key.cash-out"), out, size="label")
    yield from bar(house, state, frame)
    yield primary(frame, "back", say("key.to-table"), say("account.to-rack"))


CASH_OUT_W = 46.0


def _small_notice(state: TableState, *otherwise: Line) -> tuple[Line, ...]:
    return (Line(state.desk.notice, "small", Tone.CAUTION),) if state.desk.notice else otherwise


def sensors(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The sensors that are dead."""

    several = len(state.program.sensed)
    for spot, number, wager, sensor in state.spots():
        tone = Tone.STOP if sensor.dead else Tone.DONE
        word = say("sensor.failed") if sensor.dead else say("sensor.ok")
        level = say("sensor.chip") if sensor.covered else say("sensor.no-chip")
        why_not = hindered(house, state, live, f"sensor {spot}")
        below = center(why_not, "small", Tone.CAUTION) if why_not else center(level, "small", Tone.MUTED)
        lines = (center(word, "strong", tone), below)
        if several == 1:
            yield tile(frame, state, number, *lines, press=f"sensor {spot}")
            continue
        area = frame.seat(number, len(state.round.seats)).rows(several, 0.8)[state.program.sensed.index(wager)]
        called = center(house.game.called(wager), "small", Tone.MUTED)
        said = tile(frame, state, number, called, center(word, "strong", tone), press=f"sensor {spot}", area=area)
        yield replace(said, id=f"sensor-{spot}")
    yield work(
        frame.work,
        *notice(
            state,
            Line(say("sensor.tap"), "strong"),
            Line(say("sensor.by-hand"), "body"),
            Line(state.felt.why if not state.felt.up else say("sensor.all-answer"), "body", Tone.MUTED),
        ),
    )
    yield from bar(house, state, frame)
    yield primary(frame, "back", say("key.to-table"))


# The count ----------------------------------------------------------------------------------------------------------


def _count_prompt_h(frame: Frame, state: TableState) -> float:
    """The question; where the deck is to be cut again also the key, below it on an upright panel."""
    if not state.decks.recut:
        return frame.prompt_h
    return frame.prompt_h + HINT_H if frame.upright else max(frame.prompt_h, HINT_H)


def count(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """How many chips the dealer counted."""
    yield from tiles(state, lambda number, seat: lamp_tile(frame, house, state, number, seat))
    several = len(state.program.sensed) > 1
    ask = say("count.ask-of", wager=house.game.called(state.round.counting)) if several else say("count.ask")
    question, keys = frame.work.top(_count_prompt_h(frame, state), 0.5)
    if state.decks.recut:
        question, again = question.foot(HINT_H) if frame.upright else question.side(frame.for_words(RECUT_W))
        yield key("recut", "recut", again, order_words(state), size="label", border=Tone.NEXT)
    yield prompt(state, ask, question, both=True)
    numbers = len(state.round.seats) + 1
    across = -(-numbers // 2) if frame.upright else numbers
    for chips, area in zip(range(numbers), keys.grid(across, -(-numbers // across)), strict=False):
        yield key(f"count-{chips}", f"count {chips}", area, str(chips), size="hero", group="count")
    yield from bar(house, state, frame)
    yield primary(frame, "reopen", say("key.reopen"), hold=not state.was_counted, fill="key")


SETTLEMENT_KEYS: Mapping[str, tuple[Message, Message]] = {
    "taken-back": (say("key.no-chip"), say("key.took-back")),
    "no-chip": (say("key.no-chip"), say("key.sensor-error")),
    "second-chip": (say("key.two-chips"), say("key.one-returned")),
    "returned": (say("key.chip-returned"), say("key.no-lamp")),
    "by-hand": (say("key.count-as-bet"), say("key.sensor-failed")),
    "no-ante": (say("key.no-ante"), say("key.wager-returned")),
}


def difference(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Lamps and chips differ."""

    def one(number: int, seat: Seat) -> Widget:
        border = Tone.NEXT if number == state.round.question else None
        return lamp_tile(frame, house, state, number, seat, press=f"seat {number}", border=border)

    number = state.round.question
    if number and BY_HAND in wagering.settlements(state, number):
        yield from _failed_sensor(house, state, live, frame)
        return
    yield from tiles(state, one)
    question, keys = frame.work.top(frame.prompt_h, 0.4)
    yield prompt(state, _difference(house, state), question, Tone.CAUTION, both=True)
    if number:
        offered = [(f"settle {one}", SETTLEMENT_KEYS[one]) for one in wagering.settlements(state, number)]
        if number in wagering.without_ante(house, state):
            offered.append((f"box {number}", (say("key.ante-lies"), say("key.not-entered"))))
        down = max(1, -(-len(offered) // 3)) if frame.upright else 1
        for area, (press, words) in zip(keys.grid(max(3, -(-len(offered) // down)), down), offered, strict=False):
            yield key(press.replace(" ", "-"), press, area, *words, group="settle")
    yield from bar(house, state, frame)
    yield back_key(frame, "recount", say("key.recount"))
    yield nothing_yet(frame, say("key.settle-each"), beside_back=True)


BY_HAND = "by-hand"
FAILED_KEYS_H = 34.8
"""Height of the keys for the fate of a chip at a failed sensor, below each other."""


def _failed_sensor(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A wager that is entered after the lock, because its sensor was marked as failed: a floorperson signs it."""
    facts, keys = frame.facts.foot(frame.for_words(FAILED_KEYS_H))
    sign = Line(say("difference.sign"), "small", Tone.FLOOR)
    lines = refusal(state, live, Line(_difference(house, state), "strong", Tone.CAUTION), sign)
    yield label("facts", facts, *lines, fill="tile", border=Tone.FLOOR)
    offered = wagering.settlements(state, state.round.question)
    *places, last = keys.rows(len(offered) + 1)
    for one, area in zip(offered, places, strict=True):
        yield key(
            f"settle-{one}", f"settle {one}", area, *SETTLEMENT_KEYS[one],
            size="label", second="small", hold=one == BY_HAND, group="settle",
        )  # fmt: skip
    yield key("another", f"seat {state.round.question}", last, say("key.another-seat"), size="label", group="settle")
    yield from pin_pad(house, state, live, frame, f"settle {BY_HAND}")
    yield from bar(house, state, frame)
    yield back_key(frame, "recount", say("key.recount"))
    yield nothing_yet(frame, say("key.settle-each"), beside_back=True)


def _difference(house: House, state: TableState) -> Message:
    lamps, chips, seat = len(state.made(state.round.counting)), state.round.chips, state.round.question
    found = say("difference.found", lamps=say("difference.lamps", n=lamps), chips=say("difference.chips", n=chips))
    ask = say("difference.what-happened", seat=seat) if seat else say("difference.tap")
    no_ante = wagering.without_ante(house, state)
    if no_ante and lamps == chips:
        base = house.game.called(house.game.base)
        found = say("difference.without-ante", seats=no_ante, n=len(no_ante), base=base)
        ask = ask if seat else say("difference.tap-it")
    said = say("two-sentences", first=found, second=ask)
    several = len(state.program.sensed) > 1
    return say("difference.of", wager=house.game.called(state.round.counting), said=said) if several else said


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
TITLES: dict[str, tuple[Text, Tone]] = {
    "closed": (say("title.closed"), Tone.CAUTION),
    "shuffler": (say("title.shuffler"), Tone.STOP),
    "open": (say("title.open"), Tone.DONE),
    "link-down": (say("title.open"), Tone.CAUTION),
    "stakes": (say("title.stakes"), Tone.NEXT),
    "accounts": (say("title.accounts"), Tone.CAUTION),
    "sensors": (say("title.sensors"), Tone.CAUTION),
    "count": (say("title.count"), Tone.NEXT),
    "difference": (say("title.difference"), Tone.CAUTION),
}
