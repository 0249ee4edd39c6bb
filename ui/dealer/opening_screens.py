"""Opening and closing a table, shuffle and cut, nobody plays: sections .3 to .5."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.message import Message, say
from firmware.table import opening
from firmware.table.house import House
from firmware.table.interlock import ROUTINE, Obstacle, machine_obstacles, machine_used
from firmware.table.procedures import DECK
from firmware.table.state import Prepared, TableState
from ui.dealer.frame import Area, Frame
from ui.dealer.pieces import (
    FLOOR_OR_HIGHER,
    Body,
    Live,
    bar,
    choices,
    faults,
    joined,
    key,
    label,
    notice,
    pin_pad,
    primary,
    refusal,
)
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget

LOWER_KEYS = 14.0
"""Height of the keys above the bar."""
LOWER_KEY_W = 50.0
COUNTS_H = 28.0
"""Size of the keys for a wrong count."""


def _page(state: TableState, area: Area, heading: Text, *lines: Line, cite: str = "") -> Widget:
    """The work area of a table where nobody bets: what is done now, and why."""
    first = [Line(heading, "key")]
    if cite:
        first.append(Line(cite, "small", Tone.MUTED, "right"))
    return label("work", area, *first, *notice(state, *lines), fill="tile")


PICTURE_MM = 40.0
"""Size of the picture of hands, beside the words; on an upright panel below them."""


def _pictured(frame: Frame, area: Area, shape: Shape) -> tuple[Area, Widget]:
    """The place of the words, and a drawing of what they say: a trainee looks before reading."""
    size = frame.for_words(PICTURE_MM)
    words, at = area.foot(size) if frame.upright else area.side(size)
    return words, Widget("picture", at.x, at.y, at.w, at.h, (), shape, Tone.OFF, "tile")


def _said(*texts: Text, tone: Tone = Tone.PLAIN) -> Iterator[Line]:
    """Plain sentences, as large as the page has room for: these screens are what a trainee learns from."""
    for text in texts:
        yield Line(text, "body", tone)


def _above_key(page: Area, width: float = LOWER_KEY_W) -> tuple[Area, Area]:
    """The page and, below it, the place of one key."""
    above, row = page.foot(LOWER_KEYS)
    return above, row.left(min(width, row.w))[0]


def _decks(state: TableState) -> Text:
    named = [say("deck.numbered", color=deck.color, number=deck.number) for deck in state.decks.here]
    return joined(named) if named else say("deck.none")


def shut(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Closed for gaming, or a deck is on its way."""
    wanted = opening.missing(house, state)
    there = say("shut.here", decks=_decks(state)) if state.decks.here else say("deck.none-here")
    bring = say("shut.bring", colors=wanted, n=len(wanted)) if wanted else say("shut.bring-none")
    words = say("shut.decks", colors=wanted, n=len(wanted)) if wanted else say("shut.no-deck")
    page, below = _above_key(frame.page, 74.0)
    page, picture = _pictured(frame, page, Shape.DECKS)
    yield picture
    yield _page(
        state,
        page,
        say("shut.heading") if not state.decks.here else say("deck.missing"),
        *([Line(state.decks.went, "body", Tone.CAUTION)] if state.decks.went else []),
        *_said(say("two-sentences", first=bring, second=there), say("shut.inspect-first")),
        Line(
            say("shut.preinspected", cite=house.procedure.cite("preinspected")),
            "small",
            Tone.MUTED,
        ),
        *_sensors_lost(state),
        *faults(state, live),
        cite=house.procedure.cite("decks"),
    )
    yield key("preinspected", "preinspected", below, say("key.preinspected"), say("key.decks-came"))
    yield from bar(house, state, frame)
    yield primary(frame, "received", say("key.decks-received"), words)


def _sensors_lost(state: TableState) -> Iterator[Line]:
    """Known before a player comes; once the table is open the reason why the progressive is off says it."""
    if state.program.progressive and not state.felt.up and state.felt.why:
        yield Line(say("off.sensors", why=state.felt.why), "small", Tone.CAUTION)


def inspect(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The dealer's inspection."""
    page, below = _above_key(frame.page)
    yield _page(
        state,
        page,
        say("inspect.heading"),
        *_said(
            say("deck.list", decks=_decks(state)),
            say("inspect.whole", deck=opening.deck_words(house)),
            say("inspect.defect"),
        ),
        cite=house.procedure.cite("inspect"),
    )
    yield _defect(below)
    yield from bar(house, state, frame)
    yield primary(frame, "inspected", say("key.no-defect"), say("key.floor-verifies"))


def _defect(area: Area) -> Widget:
    return key("defect", "defect", area, say("key.defect"), say("key.other-decks"))


def verify(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The floorperson's verification."""
    facts, below = _above_key(frame.facts)
    lines = (
        Line(say("verify.heading"), "key"),
        Line(house.procedure.cite("verify"), "small", Tone.MUTED),
        Line(say("deck.list", decks=_decks(state)), "body"),
        *refusal(
            state,
            live,
            Line(say("verify.no-defect"), "body"),
            Line(say("verify.how"), "body", Tone.FLOOR),
        ),
    )
    yield label("facts", facts, *lines, fill="tile", border=Tone.FLOOR)
    yield _defect(below)
    yield from pin_pad(house, state, live, frame, "verify", FLOOR_OR_HIGHER)
    yield from bar(house, state, frame)
    yield primary(frame, "verify", say("key.verified"), hold=True, fill="floor")


def spread(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Face up, until the first player looked."""
    page, picture = _pictured(frame, frame.page, Shape.FANS)
    yield picture
    yield _page(
        state,
        page,
        say("spread.heading"),
        *_said(
            say("spread.fans"),
            say("spread.stay"),
        ),
        cite=house.procedure.cite("spread"),
    )
    yield from bar(house, state, frame)
    yield primary(frame, "looked", say("key.looked"), say("key.turn-down"))


def wash(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Face down, mixed, stacked."""
    page, picture = _pictured(frame, frame.page, Shape.WASH)
    yield picture
    yield _page(
        state,
        page,
        say("wash.heading"),
        *_said(
            say("wash.how"),
            say("wash.two-decks"),
        ),
        cite=house.procedure.cite("wash"),
    )
    yield from bar(house, state, frame)
    yield primary(frame, "stacked", say("key.stacked"), say("key.shuffle-next"))


def shuffle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """By the machine, which says how far it is, or by hand."""
    if machine_used(house, state):
        page, picture = _pictured(frame, frame.page, Shape.MACHINE)
        yield picture
        yield _machine(house, state, page)
        yield from bar(house, state, frame)
        yield primary(frame, "shuffled", say("key.shuffled"), say("key.machine-finished"))
        return
    why = _why_by_hand(state)
    deck = say("deck.next", color=state.deck.color) if state.deck else None
    page, below = _above_key(frame.page)
    yield _page(
        state,
        page,
        say("shuffle.heading"),
        *_said(
            say("two-sentences", first=why, second=deck) if deck else why,
            say("shuffle.the-cut", how=opening.cut_words(house, state), cite=house.procedure.cite("cut")),
        ),
        cite=house.procedure.cite("shuffle"),
    )
    yield key("shuffled", "shuffled", below, say("key.shuffled"), say("key.cut-next"))
    yield from bar(house, state, frame)
    words = say("key.shuffled-and-cut"), say("key.cut-least", least=house.procedure.cut_least)
    yield primary(frame, "shuffled-and-cut", *words)


def _why_by_hand(state: TableState) -> Message:
    if not state.decks.covered:
        return say("shuffle.no-shuffler")
    if not state.decks.covered_for:
        return say("shuffle.out-of-order")
    return say("shuffle.out-of-order-by", fault=state.decks.covered_for)


def _machine(house: House, state: TableState, page: Area) -> Widget:
    shuffler = state.neighbors.shuffler
    found = tuple(machine_obstacles(house, state))
    lines: list[Line] = []
    for obstacle in found[:2]:
        lines += order(obstacle)
    lines += _said(_contents(state), tone=Tone.MUTED) if shuffler.connected else ()
    heading = say("shuffle.put-in") if found else say("shuffle.when-finished")
    return _page(state, page, heading, *lines, cite=house.procedure.cite("shuffle"))


def order(obstacle: Obstacle) -> Iterator[Line]:
    """The dealer's next act, large; before it the fault, unless it is a step of every round."""
    if obstacle.kind in ROUTINE:
        yield Line(obstacle.remedy, "money")
        yield Line(obstacle.what, "small", Tone.MUTED)
    else:
        yield Line(obstacle.what, "strong", Tone.CAUTION)
        yield Line(obstacle.remedy, "body")


def _contents(state: TableState) -> Message:
    """The shuffler's own word about its work, and its deck."""
    shuffler = state.neighbors.shuffler
    deck = say("shuffle.its-deck", color=shuffler.deck) if shuffler.deck else say("shuffle.itself")
    if shuffler.count is None:
        return say("shuffle.state", deck=deck, mode=shuffler.mode)
    return say("shuffle.state-count", deck=deck, mode=shuffler.mode, n=shuffler.count)


def cut(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """With a cover card."""
    concern = "preinspected" if state.decks.cards == Prepared.PRESHUFFLED else "cut"
    why = say("cut.preshuffled") if state.decks.cards == Prepared.PRESHUFFLED else say("cut.shuffled")
    page, picture = _pictured(frame, frame.page, Shape.CUT)
    yield picture
    yield _page(
        state,
        page,
        say("cut.heading"),
        *_said(say("cut.how", why=why, how=opening.cut_words(house, state))),
        cite=house.procedure.cite(concern),
    )
    yield from bar(house, state, frame)
    yield primary(frame, "cut", say("key.cut"), say("key.cut-least", least=house.procedure.cut_least))


def idle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Nobody plays."""
    lie = say("idle.face-up") if state.decks.face_up else say("idle.face-down")
    page, below = _above_key(frame.page, 60.0)
    yield _page(
        state,
        page,
        say("idle.heading"),
        *_said(
            opening.idle_words(house),
            lie,
            say("idle.then"),
        ),
        Line(say("idle.closes"), "small", Tone.MUTED),
        cite=house.procedure.cite("idle"),
    )
    words = (say("key.faces-down"),) if state.decks.face_up else (say("key.faces-up"), say("key.player-asks"))
    yield key("face-up", "face-up", below, *words)
    yield from bar(house, state, frame)
    yield primary(frame, "looked", say("key.looked"), say("key.turn-down"))


def empty(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Being closed: all cards are counted."""
    right = opening.expected(state)
    if state.decks.counted and state.decks.emptied != right:
        yield from _short(house, state, live, frame, right)
        return
    where = say("empty.with-shuffler") if house.equipment.machine else say("empty.by-hand")
    page, below = frame.page.foot(COUNTS_H * (2 if frame.upright else 1))
    yield _page(
        state,
        page,
        say("empty.heading"),
        *_said(say("two-sentences", first=where, second=say("empty.right", n=len(state.decks.here), cards=right))),
        Line(say("empty.other-count"), "small", Tone.MUTED),
    )
    yield from _counts(right, below)
    yield from bar(house, state, frame)
    yield primary(frame, f"emptied {right}", say("key.cards", n=right), say("key.close-table"))


def _counts(right: int, area: Area) -> Iterator[Widget]:
    """The neighbors of the right number, and what a whole deck less would be."""
    near = {count for count in (0, right - DECK, *range(right - 6, right + 7)) if count >= 0} - {right}
    counts = sorted(near)[: 2 * 7]
    offered = [(f"emptied-{count}", f"emptied {count}", str(count)) for count in counts]
    yield from choices(offered, area, most=7)


def _short(house: House, state: TableState, live: Live, frame: Frame, right: int) -> Iterator[Widget]:
    """The count was not right."""
    lines = (
        Line(say("closing.count-off", n=state.decks.emptied, right=right), "money", Tone.STOP),
        *refusal(
            state,
            live,
            Line(say("short.look"), "small"),
            Line(say("short.floor"), "small", Tone.FLOOR),
            Line(say("short.decks-removed"), "small"),
        ),
    )
    facts, again = frame.facts.foot(12.6)
    facts, steps = facts.foot(10.8)
    yield label("facts", facts, *lines, fill="tile", border=Tone.STOP)
    for area, step in zip(steps.columns(4), (-10, -1, 1, 10), strict=True):
        count = _past(state.decks.emptied, step, right)
        press = f"emptied {count}" if count >= 0 else ""
        words = f"{step:+} › {max(0, count)}"
        yield key(f"by-{step}", press, area, words, size="label", group="by")
    yield key(f"emptied-{right}", f"emptied {right}", again, say("key.counted-again", cards=right))
    yield from pin_pad(house, state, live, frame, "shut-short", FLOOR_OR_HIGHER)
    yield from bar(house, state, frame)
    yield primary(
        frame,
        "shut-short",
        say("key.close-with", cards=state.decks.emptied),
        hold=True,
        fill="stop",
    )


def _past(count: int, step: int, right: int) -> int:
    """The count so much higher or lower; the right one has a key of its own and is passed over."""
    other = count + step
    return other + (1 if step > 0 else -1) if other == right else other


BODIES: dict[str, Body] = {
    "shut": shut,
    "inspect": inspect,
    "verify": verify,
    "spread": spread,
    "wash": wash,
    "shuffle": shuffle,
    "cut": cut,
    "idle": idle,
    "empty": empty,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "shut": (say("title.shut"), Tone.CAUTION),
    "inspect": (say("title.inspect"), Tone.NEXT),
    "verify": (say("title.verify"), Tone.FLOOR),
    "spread": (say("title.spread"), Tone.NEXT),
    "wash": (say("title.wash"), Tone.NEXT),
    "shuffle": (say("title.shuffle"), Tone.NEXT),
    "cut": (say("title.cut"), Tone.NEXT),
    "idle": (say("title.idle"), Tone.DONE),
    "empty": (say("title.empty"), Tone.CAUTION),
}
