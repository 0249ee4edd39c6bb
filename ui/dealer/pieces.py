"""The parts of every screen of the dealer: the status bar, seats, the work area, the bar of keys, PIN pad, cards.

Everything takes its place from a `Frame`: areas in millimeters of the panel. From above: status, seats, work area, bar.
Seat 1 stands on the left. Texts are whole sentences; `layout` breaks them where their widget ends.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from firmware.rules.approvals import Act
from firmware.rules.hands import HandName
from firmware.rules.hands import hand_name as hand_name
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import Cents, in_chips
from firmware.rules.payment import Payment, Source
from firmware.rules.paytable import WHOLE
from firmware.table.card_entry import RANKS, SUITS
from firmware.table.days import is_due
from firmware.table.house import House
from firmware.table.inputs import Pressed
from firmware.table.interlock import ObstacleKind, machine_obstacles, machine_used, miscounts
from firmware.table.irregularity import TABLE_MENU, routine
from firmware.table.offers import in_the_way, is_of_the_law, offer
from firmware.table.people import managers_sign
from firmware.table.procedures import DECK
from firmware.table.projections import trouble
from firmware.table.state import HAND_CARDS, LATE_CONTACTS, Entry, PanelKind, Phase, Prize, Seat, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from ui.dealer.frame import Area, Frame
from ui.dealer.no_touch import status_areas
from ui.dealer.service import Service
from ui.dealer.theme import CARD
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget
from ui.words import money as money
from ui.words import short_money as short_money

HOLD_MS = 1_500
HOLD = say("key.hold")

HAND_KEYS: Mapping[HandName, Message] = {
    HandName.ROYAL_FLUSH: say("row.royal-flush"),
    HandName.STRAIGHT_FLUSH: say("row.straight-flush"),
    HandName.FOUR_OF_A_KIND: say("row.four-of-a-kind"),
    HandName.FULL_HOUSE: say("row.full-house"),
    HandName.FLUSH: say("row.flush"),
    HandName.STRAIGHT: say("row.straight"),
    HandName.THREE_OF_A_KIND: say("row.three-of-a-kind"),
}
"""The hands that have a key of their own, as it says them."""
SUIT_SHAPES = {"s": Shape.SPADE, "h": Shape.HEART, "d": Shape.DIAMOND, "c": Shape.CLUB}


class Live(Struct, frozen=True):
    """Facts of this moment that belong to no journal: the clock, the meters last heard, the badge that is being shown."""

    clock: str = ""
    meters: tuple[MeterHeard, ...] = ()
    """The bank's board, highest rank first."""
    meters_at: str = ""
    """When that was heard, by the clock."""
    badge: str = ""
    name: str = ""
    typed: int = 0
    wait_s: int = 0
    checking: bool = False
    by: str = ""
    """The badge whose PIN was right on this very screen."""
    denominations: tuple[Cents, ...] = (Cents(10_000), Cents(2_500), Cents(500), Cents(100), Cents(50))
    locking: bool = False
    reader_gone: bool = False
    """The badge reader does not answer."""
    faults: tuple[Message, ...] = ()
    """Other work for a technician, though the game goes on."""
    at: int = 0
    """The time of day, seconds of UTC, to the minute."""
    day: str = ""
    """The gaming day by the house's clock, "" where there is none."""
    can_serve: bool = False
    """SERVICE is offered under TABLE: the table is not open."""
    service: Service | None = None
    """The view of SERVICE, while somebody is in it."""


Body = Callable[[House, TableState, Live, Frame], Iterable[Widget]]
"""The part of a screen below its status bar."""


# Words --------------------------------------------------------------------------------------------------------------


def grouped(text: str) -> str:
    """`"10012.34"` of the board as `$10,012.34`."""
    whole, _, fraction = text.partition(".")
    return f"${int(whole):,}.{fraction}"


def recipe(cents: int, denominations: Sequence[int]) -> Text:
    """The fewest chips that make an amount, largest first: `2 × $100 + 1 × $25`; what no chip makes is named."""
    made, left = in_chips(cents, denominations)
    parts: list[Text] = [
        f"{number} × ${chip // 100:,}" if chip % 100 == 0 else f"{number} × {chip}¢" for number, chip in made
    ]
    if left:
        parts.append(say("chips.without", amount=left))
    return joined(parts, " + ") if parts else say("chips.none")


def sums(lines: Iterable[Payment]) -> tuple[int, int]:
    """Cents to collect and to pay at the table; a share of a meter is the cage's, and its stake was the account's."""
    lines = [line for line in lines if line.source is not Source.CAGE]
    take = sum(line.stake - line.returned for line in lines)
    return take, sum(line.payout for line in lines)


PAID_FROM: Mapping[Source, Message] = {
    Source.RACK: say("paid.from-rack"),
    Source.CAGE: say("paid.from-cage"),
    Source.ACCOUNT: say("paid.to-account"),
    Source.ATTENDANT: say("paid.by-attendant"),
}


def paid_from(payments: Iterable[Payment]) -> Message:
    """The source of a payment: `from the rack`; nothing without a payment."""
    sources = list(dict.fromkeys(PAID_FROM[one.source] for one in payments if one.source is not None))
    if len(sources) > 1:
        return say("paid.from-several", sources=tuple(sources))
    return sources[0] if sources else NOTHING


def limit_words(house: House, payments: Iterable[Payment]) -> Message:
    """The wagers that pay less than their odds, and why (reading 11); nothing if none does."""
    cut = tuple(house.game.called(one.wager) for one in payments if one.limited)
    most = house.submission.payout_limit
    return say("pay.limited", wagers=cut, amount=most) if cut and most is not None else NOTHING


def person_name(house: House, badge: str) -> Text:
    """The owner of a badge."""
    return house.people[badge].name if badge in house.people else say("badge.number", badge=badge)


def instant_alone(house: House) -> Message:
    """An instant payout leaves only the first wager (671a.11(b)(2))."""
    return say("instant.no-bet", base=house.game.called(house.game.base))


def lit_wagers(state: TableState, seat: Seat) -> str:
    """`$1`, or `$1 + $5`: the wagers that the sensors of a seat saw; during the count the one that is counted."""
    counted = state.phase in (Phase.COUNT, Phase.DIFFERENCE)
    shown = (state.round.counting,) if counted else state.program.sensed
    return " + ".join(short_money(amount) for wager, amount in seat.meters if wager in shown)


def meter_name(heard: MeterHeard) -> str:
    """`FIVE CARD` of the display name `Five Card`."""
    return heard.display_name.upper()


def rank_word(rank: str) -> str:
    """`10` of `T`."""
    return "10" if rank == "T" else rank


def card_name(card: str) -> Message:
    """`10 of hearts` of `Th`."""
    return say("cards.name", rank=rank_word(card[0]), suit=SUIT_NAMES[card[1]])


SUIT_NAMES: Mapping[str, Message] = {
    "s": say("cards.spades"),
    "h": say("cards.hearts"),
    "d": say("cards.diamonds"),
    "c": say("cards.clubs"),
}


def joined(texts: Sequence[Text], between: str = ", ") -> Text:
    """Several texts as one, in the order in which they stand."""
    if all(isinstance(text, str) for text in texts):
        return between.join(map(str, texts))
    first, *rest = texts
    return say("list.joined", first=first, between=between, rest=joined(rest, between)) if rest else first


def seats_of(numbers: Iterable[int]) -> str:
    """`6, 5`: several seats on a key, where a sentence has no room."""
    return ", ".join(map(str, numbers))


def first_back(undone: Iterable[Payment], now: Iterable[Payment]) -> Message:
    """The money that goes back before wagers are settled again that a correction had undone; nothing if none does.

    The cage paid a meter's share, and no hand at the table takes it back.
    """
    wagers = {line.wager for line in now}
    again = [line for line in undone if line.wager in wagers and line.source is not Source.CAGE]
    paid = sum(line.paid_over for line in again)
    taken = sum(line.stake - line.returned for line in again if not line.racked)
    if paid and taken:
        return say("again.both", paid=paid, taken=taken)
    if paid:
        return say("again.take-back", amount=paid)
    return say("again.give-back", amount=taken) if taken else NOTHING


def again_first(seat: Seat, now: Iterable[Payment]) -> Message:
    """Why a position is settled again and the money that goes back before it; nothing if it is not settled again.

    Nobody at this position has seen the rest of a payout limit since another one was corrected: it is said.
    """
    box = seat.position
    back = first_back(box.undone, now)
    by_itself = bool(box.final) or not seat.corrected  # else a floorperson had it settled again
    if not (by_itself and any(line.limited for line in box.undone)):
        return back
    more = say("again.limit")
    return say("two-sentences", first=more, second=back) if back else more


def alarming(state: TableState) -> bool:
    """The shuffler has an alarm that nobody has acknowledged."""
    return state.neighbors.shuffler.alarm > state.neighbors.shuffler.acknowledged


UNFIT = {ObstacleKind.COUNT, ObstacleKind.UNIT, ObstacleKind.FAULT, ObstacleKind.MODE}
"""A fault of a connected machine, or of its count; any other obstacle is a step of every round."""


def is_unfit(house: House, state: TableState) -> bool:
    """The shuffler, or a deck that it counted, is not well: no tick stands beside its name."""
    shuffler = state.neighbors.shuffler
    if house.equipment.counts and shuffler.mode == "ready" and shuffler.count not in (DECK, None):
        return True  # also while its cards are out of it, when nothing is asked of it
    return any(one.kind in UNFIT for one in (*miscounts(house, state), *machine_obstacles(house, state)))


def machine_in_the_way(house: House, state: TableState) -> Line | None:
    """The shuffler's report, if it is no longer fit for the next deal."""
    shuffler = state.neighbors.shuffler
    if not machine_used(house, state) or (shuffler.connected and not alarming(state)):
        return None
    words = say("shuffler.not-connected")
    if shuffler.connected:
        words = say("shuffler.alarm", fault=shuffler.fault) if shuffler.fault else say("shuffler.alarm-see-unit")
    return Line(words, "strong", Tone.CAUTION)


NO_READER = say("badge.no-reader")


def faults(state: TableState, live: Live) -> Iterator[Line]:
    """The work for a technician, and that all of it is a test: shown between rounds and while bets are open."""
    if live.reader_gone:
        yield Line(NO_READER, "small", Tone.CAUTION)
    for fault in live.faults:
        yield Line(fault, "small", Tone.CAUTION)
    if not state.program.live:
        yield Line(say("live.not"), "small", Tone.STOP)


# Widgets ------------------------------------------------------------------------------------------------------------


def center(text: Text, size: str = "strong", tone: Tone = Tone.PLAIN) -> Line:
    """A line in the middle."""
    return Line(text, size, tone, "center")


def label(name: str, area: Area, *lines: Line, fill: str = "", border: Tone | None = None) -> Widget:
    """Words in a rectangle."""
    return Widget(name, area.x, area.y, area.w, area.h, lines, fill=fill, border=border)


def key(
    name: str,
    press: str,
    area: Area,
    *words: Text,
    fill: str = "key",
    size: str = "key",
    second: str = "body",
    hold: bool = False,
    border: Tone | None = None,
    group: str = "",
    seat: int = 0,
) -> Widget:
    """Something to press. `size` of its first word, `second` of the others; keys of a `group` have type of one size.

    Whether it is lit the law says (`judged`); without a press it never is. A key to be held says so in its last line, which
    is "let go" once it has been held long enough.
    """
    words = (*words, HOLD) if hold else words
    first, *others = words
    lines = (Line(first, size, align="center"), *[Line(word, second, align="center") for word in others])
    held = HOLD_MS if hold else 0
    return Widget(
        name, area.x, area.y, area.w, area.h, lines,
        fill=fill, press=press, enabled=bool(press), hold_ms=held, border=border, group=group, seat=seat,
    )  # fmt: skip


def primary(
    frame: Frame,
    press: str,
    *words: Text,
    hold: bool = False,
    fill: str = "next",
    beside_back: bool = False,
    seat: int = 0,
) -> Widget:
    """The one next step, lower right; narrower on a screen that has a way back."""
    area = frame.next_beside_back if beside_back else frame.next
    return key("primary", press, area, *words, fill=fill, hold=hold, seat=seat)


def nothing_yet(frame: Frame, *words: Text, beside_back: bool = False) -> Widget:
    """The place of the next step, where something else has to come first."""
    return primary(frame, "", *words, fill="key", beside_back=beside_back)


def judged(house: House, state: TableState, live: Live, shown: Sequence[Widget]) -> Iterator[Widget]:
    """The keys of a screen as they are shown: lit if and only if the law takes their press from the person who is here.

    A seat whose tap means nothing is no key. The obstacle of the next step stands on its key, in place of its effect, if
    nothing else on the screen says so.
    """
    for widget in shown:
        if not is_of_the_law(widget.press) or offer(house, state, _pressed(live, widget.press)).lit:
            yield widget
        elif widget.id.startswith("seat-"):
            yield replace(widget, press="", fill="tile")
        else:
            yield replace(_explained(house, state, live, widget, shown), enabled=False)


def _explained(house: House, state: TableState, live: Live, widget: Widget, shown: Sequence[Widget]) -> Widget:
    if widget.id != "primary" or not widget.press:
        return widget
    why_not = hindered(house, state, live, widget.press)
    if not why_not or any(line.said == why_not for one in shown for line in one.lines):
        return widget
    return replace(widget, lines=(widget.lines[0], Line(why_not, align="center")), hold_ms=0)


def hindered(house: House, state: TableState, live: Live, press: str) -> Message:
    """Why the law takes this press from nobody; nothing where it does."""
    return in_the_way(house, state, _pressed(live, press))


def _pressed(live: Live, press: str) -> Pressed:
    return Pressed(press, live.by, live.at, live.day)


def bar(house: House, state: TableState, frame: Frame, *, reports: bool = True) -> Iterator[Widget]:
    """FLOOR, PROBLEM and UNDO: on every screen, always in the same place, dark where they do nothing."""
    words, border = [say("key.floor")], Tone.FLOOR
    if state.desk.floor_called:
        words.append(say("key.floor-called"))
    elif state.history.warned:  # somebody tries PINs of a badge
        words, border = [*words, say("key.floor-pins")], Tone.CAUTION
    yield key("floor", "floor", frame.floor, *words, border=border if len(words) > 1 else None, group="bar")
    yield key("problem", "problem" if reports else "", frame.problem, say("key.problem"), group="bar")
    yield key("undo", "undo", frame.undo, say("key.undo"), group="bar")


BACK = say("key.back")


def back_key(frame: Frame, press: str = "back", word: Text = BACK, *, hold: bool = False) -> Widget:
    """The way back out of a screen, beside the next step."""
    return key("back", press, frame.back, word, hold=hold)


def order_words(state: TableState) -> Message:
    """The key for what a floorperson ordered before the first card."""
    return say("key.shuffle-again") if state.decks.reshuffle else say("key.cut-again")


def work(area: Area, *lines: Line, border: Tone | None = None) -> Widget:
    """The work area as one tile of words."""
    return label("work", area, *lines, fill="tile", border=border)


WITHOUT_MONEY = frozenset(
    {
        Phase.SHUT,
        Phase.INSPECT,
        Phase.VERIFY,
        Phase.SPREAD,
        Phase.WASH,
        Phase.SHUFFLE,
        Phase.CUT,
        Phase.IDLE,
        Phase.CLOSED,
    }
)
"""Nobody bets, and nobody is paid."""


def notice(state: TableState, *otherwise: Line) -> tuple[Line, ...]:
    """Why the last press was refused, or what else there is to say.

    A machine's refused word is a technician's business: it never stands where a dealer reads money.
    """
    if state.desk.notice:
        return (Line(state.desk.notice, "body", Tone.CAUTION),)
    if state.desk.complaint and state.phase in WITHOUT_MONEY:
        return (*otherwise[:2], Line(_complaint(state), "small", Tone.CAUTION))
    return otherwise


def _complaint(state: TableState) -> Message:
    """The place of the last one; its text is in the journal, in the words of programs."""
    place = state.desk.complaint.partition(": ")[0]
    if place == LATE_CONTACTS:
        return say("desk.late-contacts")
    return say("desk.refused", count=state.desk.complaints, place=place)


def prompt(state: TableState, text: Text, area: Area, tone: Tone = Tone.PLAIN, *, both: bool = False) -> Widget:
    """The question above the keys that answer it; or why the last press was refused.

    `both`: the refusal stands below the question, if nothing else on the screen says the question.
    """
    asked = (Line(text, "strong", tone),) if text and (both or not state.desk.notice) else ()
    size = "small" if both else "strong"
    refused = (Line(state.desk.notice, size, Tone.CAUTION),) if state.desk.notice else ()
    return label("prompt", area, *asked, *refused)


def choices(
    offered: Sequence[tuple[str, str, Text]],
    area: Area,
    *,
    chosen: Container[str] = (),
    most: int = 6,
    group: str = "choices",
) -> Iterator[Widget]:
    """Keys (name, press, words) in as few rows as hold them, their words all of one size; `chosen` names have a border."""
    across = area.across(len(offered), most)
    places = area.grid(across, -(-len(offered) // across))
    for (name, press, words), place in zip(offered, places, strict=False):
        border = Tone.NEXT if name in chosen else None
        yield key(name, press, place, words, border=border, group=group)


Title = tuple[Text | Callable[[int], Message], Tone]
"""The title of a screen, perhaps with the number of the last seat; its tone."""


def status(
    house: House, state: TableState, live: Live, frame: Frame, title: Title, warning: Message = NOTHING
) -> Iterator[Widget]:
    """The phase, the table, round and clock; link and shuffler only when they are not just ready. A `warning` replaces
    phase and neighbors, upright it stands below.
    """
    words, tone = title
    name, rest = status_areas(frame)
    of_title, below = rest.rows(2, 0.0) if frame.upright else (rest, rest)
    yield _table_key(house, state, live, name)
    clock = joined([say("status.round", number=state.round.number), live.clock], "  ")
    of_neighbors, at_the_end = below.side(frame.for_words(CLOCK_W), 0.0)
    now = Line(clock, "small", Tone.MUTED, "right")
    yield label("neighbors", at_the_end, now if state.program.live else _NOT_LIVE)
    if warning:
        under = Area(frame.status.x, frame.status.bottom, frame.status.w, WARNING_H)
        yield label("warning", under if frame.upright else of_neighbors, Line(warning, "small", Tone.CAUTION))
    if warning and not frame.upright:
        return
    unwell = [("link", *said) for said in _link_said(state)]
    unwell += [("machine", *said) for said in _machine_said(house, state)]
    if not frame.upright:
        of_title, of_neighbors = of_neighbors.side(frame.for_words(UNWELL_W) * len(unwell), 0.0)
    said = words(len(state.round.seats)) if callable(words) else words
    yield label("title", of_title, Line(said, "key", tone))
    for (id_, fault, what), area in zip(unwell, of_neighbors.columns(max(1, len(unwell)), 0.0), strict=False):
        tone = Tone.CAUTION if fault else Tone.MUTED
        shape = Shape.TRIANGLE if fault and not frame.upright else Shape.NONE  # upright there is no room for it
        line = Line(what, "small", tone, "left" if frame.upright else "right")
        yield Widget(id_, area.x, area.y, area.w, area.h, (line,), shape, tone)


_NOT_LIVE = Line(say("status.not-live"), "small", Tone.STOP, "right")
"""Instead of round and clock, on every screen of a test."""


WARNING_H = 13.2
"""Upright, of three lines of the smallest type."""
CLOCK_W = 27.0
UNWELL_W = 25.0
"""Widths of round and clock, and of each neighbor that is not well."""


Said = tuple[bool, Message]
"""A neighbor that is not just ready: whether somebody has to look after it, and its word."""


def _link_said(state: TableState) -> Iterator[Said]:
    if state.program.progressive and not state.neighbors.link_up:
        yield True, say("status.no-link")
    elif state.program.progressive and trouble(state):
        yield True, say("status.progressive-off")


def _machine_said(house: House, state: TableState) -> Iterator[Said]:
    shuffler = state.neighbors.shuffler
    if state.decks.covered:
        yield False, say("status.shuffler-off")
    elif not machine_used(house, state):
        return
    elif not shuffler.connected:
        yield True, say("status.shuffler-gone")
    elif alarming(state):
        yield True, say("status.shuffler-alarm")
    elif is_unfit(house, state):  # where its number is right, something else is not
        wrong = shuffler.count in (DECK, None)
        yield True, say("status.see-shuffler") if wrong else say("status.shuffler", count=shuffler.count or 0)
    elif shuffler.count is None:
        yield False, say("status.shuffler-counts")


def _table_key(house: House, state: TableState, live: Live, area: Area) -> Widget:
    """The table's name; where there is work of its own to do (open, close, decks, sensors), the key that lists it.

    Its border asks for the closing of a gaming day that is over.
    """
    name, kind = state.program.table.upper(), state.desk.panel.kind
    if (
        kind not in (PanelKind.NONE, PanelKind.PROBLEM)
        or state.desk.panel.what
        or live.service
        or not (live.can_serve or routine(house, state))
    ):
        return label("table", area, Line(name, "small", Tone.MUTED, "right"))
    due, menu = is_due(state, live.day), f"problem {TABLE_MENU}"
    called, asks = (say("key.day-over"), Tone.CAUTION) if due else (say("key.table"), None)
    return key("table", menu, area, called, name, size="label", second="small", border=asks)


# Cards --------------------------------------------------------------------------------------------------------------


def card_slots(cards: Sequence[str], places: Sequence[Area], slot: int, rank: str) -> Iterator[tuple[Widget, Area]]:
    """The places of a hand being entered; a filled one can be tapped to be replaced."""
    for number, area in enumerate(places):
        border = Tone.NEXT if number == slot else None
        name = f"slot-{number + 1}"
        if number == slot and rank:
            shown = label(name, area, center(rank_word(rank), "key"), fill="tile", border=border)
        elif number < len(cards):
            card = cards[number]
            shown = Widget(
                name, area.x, area.y, area.w, area.h, (center(rank_word(card[0]), "key"),), SUIT_SHAPES[card[1]],
                Tone.PLAIN, "tile", border, press=f"slot {number + 1}",
            )  # fmt: skip
        else:
            shown = label(name, area, center("?", "key", Tone.OFF), fill="tile", border=border)
        yield shown, area


def card_pad(entry: Entry, area: Area, suits: str = "suit") -> Iterator[Widget]:
    """Thirteen ranks and four suits: two taps a card. On a narrow panel the ranks stand in three rows.

    `suits`: the key that a suit is; any other than that of a card stands ready without a rank.
    """
    across = 7 if area.w > 100 else 5
    down = -(-len(RANKS) // across)
    rows = area.rows(down + 1)
    places = [place for row in rows[:down] for place in row.columns(across)]
    for one, place in zip(RANKS, places, strict=False):
        border = Tone.NEXT if one == entry.rank else None
        yield key(f"rank-{one}", f"rank {one}", place, rank_word(one), border=border)
    for suit, place in zip(SUITS, rows[down].columns(4), strict=True):
        yield Widget(
            f"{suits}-{suit}", place.x, place.y, place.w, place.h, (), SUIT_SHAPES[suit], Tone.PLAIN, "key",
            press=f"{suits} {suit}",
        )  # fmt: skip


def hand_of_cards(cards: Sequence[str], frame: Frame) -> Iterator[Widget]:
    """The cards of the hand that is signed for."""
    places = frame.hand.rows(HAND_CARDS) if frame.upright else frame.hand.columns(HAND_CARDS)
    for place, (card, area) in enumerate(zip(cards, places, strict=False)):
        yield Widget(
            f"card-{place + 1}", area.x, area.y, area.w, area.h, (center(rank_word(card[0]), "key"),),
            SUIT_SHAPES[card[1]], Tone.PLAIN, CARD, group="hand",
        )  # fmt: skip


def chip_keys(live: Live, area: Area) -> Iterator[Widget]:
    """One key for each chip in the rack that a wager is made of, a dollar at least: it adds that much."""
    chips = [chip for chip in live.denominations if chip >= DOLLAR] or live.denominations
    offered = [(f"chips-{chip}", f"chips {chip}", f"+{short_money(chip)}") for chip in reversed(chips)]
    yield from choices(offered, area, most=8, group="chips")


DOLLAR = 100
NO_CHIPS_W = 36.0
"""Width of the key beside them that takes all back."""
FLOORPERSON, FLOOR_OR_HIGHER = say("badge.floorperson"), say("badge.floor-or-higher")
"""The signers, as the badge's box asks."""


# Signatures ---------------------------------------------------------------------------------------------------------


def pin_pad(
    house: House,
    state: TableState,
    live: Live,
    frame: Frame,
    press: str,
    who: Text = FLOORPERSON,
    *,
    cards: bool = False,
    checked: Sequence[Line] = (),
) -> Iterator[Widget]:
    """Badge and PIN. Typed digits are never shown, only their number. `press`: the signed act. `cards`: a hand lies
    there too. `checked`: what is true or signed already, above who is asked for.

    The digits stand there only between badge and PIN. A person who may not sign reads so at the badge: nobody types a PIN
    and holds a key for nothing.
    """
    place = frame.pad_beside_cards if cards else frame.pad
    why_not = _locked(state, live) or _may_not_sign(house, state, live, press)
    lines = (Line(why_not, "body", Tone.CAUTION),) if why_not else _badge_lines(house, state, live, who)
    if live.by or why_not or not live.badge:
        yield label("badge", place, *checked, *lines, fill="tile", border=Tone.FLOOR)
        return
    badge, digits = place.top(frame.badge_h, 0.7)
    yield label("badge", badge, *lines, fill="tile", border=Tone.FLOOR)
    words = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "‹", "0", "OK")
    for word, area in zip(words, digits.grid(3, 4, 0.7), strict=True):
        press = {"‹": "pin-back", "OK": "pin-enter"}.get(word, f"pin {word}")
        shown = say("key.ok") if word == "OK" else word
        asks = word != "OK" or (live.typed >= PIN_LEAST and not live.wait_s)  # digits are taken while a wait runs
        yield replace(key(f"pin-{word}", press, area, shown), enabled=not live.checking and asks)


PIN_LEAST = 4


def _locked(state: TableState, live: Live) -> Message:
    """The badge that is here had too many wrong PINs; nothing where it had not."""
    wrong = state.history.failed(live.badge)
    return say("badge.locked", badge=live.badge, count=wrong.count) if live.badge and wrong.locked else NOTHING


def _may_not_sign(house: House, state: TableState, live: Live, press: str) -> Message:
    """Why the badge that is here cannot sign for this; nothing where it can, or nobody is here."""
    now = offer(house, state, Pressed(press, live.badge, live.at, live.day))
    act = now.act if is_of_the_law(press) else Act.SERVICE
    if live.badge not in house.people or act is None:
        return NOTHING
    if not house.may_sign(live.badge, act):
        return managers_sign(house, act) or say("badge.no-floorperson", name=_name_of(house, live))
    return say("badge.signed-before", name=_name_of(house, live)) if now.unsigned else NOTHING


def _name_of(house: House, live: Live) -> Text:
    """The person here; the number of a badge without a known name."""
    return live.name or person_name(house, live.by or live.badge)


NOT_OF_THE_WAIT = frozenset({"badge.not-checked"})
"""The line at the badge until something is typed: no wait goes with it."""


def _badge_lines(house: House, state: TableState, live: Live, who: Text) -> tuple[Line, ...]:
    if live.by:
        before = state.desk.notice.id == "badge.had-failed" and state.desk.failed == live.by
        accepted = Line(say("badge.accepted", badge=live.by), "small")
        return (
            Line(say("badge.signed-in", name=_name_of(house, live)), "strong", Tone.DONE),
            Line(state.desk.notice, "body", Tone.CAUTION) if before else accepted,
        )
    if live.checking:
        return (Line(say("badge.checking"), "strong"), Line(say("badge.number", badge=live.badge), "small"))
    if live.typed:
        return (Line(_name_of(house, live), "strong"), Line(say("badge.pin", typed="•" * live.typed), "body"))
    waits = live.wait_s or not live.badge or state.desk.notice.id in NOT_OF_THE_WAIT
    if state.desk.notice and waits and _concerns(state, live):
        return (Line(state.desk.notice, "small", Tone.CAUTION),)
    if live.wait_s:
        return (
            Line(say("badge.wait", seconds=live.wait_s), "strong", Tone.CAUTION),
            Line(say("badge.number", badge=live.badge), "small"),
        )
    if live.badge:
        return (Line(_name_of(house, live), "strong"), Line(say("badge.digits"), "body"))
    if live.reader_gone:
        return (Line(NO_READER, "small", Tone.CAUTION),)
    return (Line(say("badge.show"), "key", Tone.FLOOR), Line(who, "body"))


def _concerns(state: TableState, live: Live) -> bool:
    """The last refusal was not about somebody else than who is here, or was here last."""
    about = state.desk.failed or state.desk.refused
    return about in ("", live.badge) or (bool(state.desk.failed) and not live.badge)


def refusal(state: TableState, live: Live, *otherwise: Line) -> tuple[Line, ...]:
    """Why the press of the person who is here was refused; the badge's own box names the person.

    A refusal of another person, or of a PIN that is right by now, stands beside nobody.
    """
    if not (state.desk.notice and live.by) or state.desk.failed or state.desk.refused != live.by:
        return otherwise
    return (Line(state.desk.notice, "small", Tone.CAUTION),)


def share_words(prize: Prize, live: Live) -> Text:
    """The part of its meter that a prize is, by the name on the sign; the odds of a fixed one."""
    if not prize.meter:
        return prize.odds
    name = next((meter_name(heard) for heard in live.meters if heard.name == prize.meter), prize.meter.upper())
    if prize.percent == WHOLE:
        return say("prize.whole", meter=name)
    return say("prize.part", percent=prize.percent, meter=name)


def prize_money(prize: Prize) -> str:
    """The amount of a prize, "" while the bank has not priced it."""
    return "" if prize.amount is None else money(prize.amount)
