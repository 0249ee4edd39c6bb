"""Opening and closing a table, shuffle and cut, nobody plays: sections .3 to .5."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.table import opening
from firmware.table.house import House
from firmware.table.interlock import machine_obstacles, machine_used
from firmware.table.procedures import DECK
from firmware.table.state import TableState
from ui.dealer.frame import Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    bar,
    choices,
    key,
    label,
    notice,
    pin_pad,
    plural,
    primary,
    refusal,
)
from ui.dealer.widgets import Line, Tone, Widget

LOWER_KEYS = 14.0
"""Height of the keys above the bar."""
LOWER_KEY_W = 50.0
COUNTS_H = 28.0
"""Of the keys for a count that is not the right one."""


def _page(state: TableState, area: Area, heading: str, *lines: Line, cite: str = "") -> Widget:
    """The work area of a table where nobody bets: what is done now, and why."""
    first = [Line(heading, "key")]
    if cite:
        first.append(Line(cite, "small", Tone.MUTED, "right"))
    return label("work", area, *first, *notice(state, *lines), fill="tile")


def _said(*texts: str, tone: Tone = Tone.PLAIN) -> Iterator[Line]:
    """Plain sentences."""
    for text in texts:
        yield Line(text, "body", tone)


def _above_key(page: Area, width: float = LOWER_KEY_W) -> tuple[Area, Area]:
    """The page and, below it, the place of one key."""
    above, row = page.foot(LOWER_KEYS)
    return above, row.left(min(width, row.w))[0]


def _decks(state: TableState) -> str:
    return ", ".join(f"{deck.color} (no. {deck.number})" for deck in state.decks.here) or "none"


def shut(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Closed for gaming, or a deck is on its way."""
    wanted = opening.missing(house, state)
    there = f"Here already: {_decks(state)}." if state.decks.here else "No cards are at the table."
    words = f"{' and '.join(wanted)} {plural(len(wanted), 'deck')}" if wanted else "no deck"
    page, below = _above_key(frame.page, 74.0)
    yield _page(
        state,
        page,
        "The table is closed for gaming" if not state.decks.here else "A deck is missing",
        *_said(f"Wanted: {words}. {there}", "Decks are inspected and verified before they are used."),
        Line(
            f"Preinspected and preshuffled decks go straight to the cut ({house.procedure.cite('preinspected')}).",
            "status",
            Tone.MUTED,
        ),
        cite=house.procedure.cite("decks"),
    )
    yield key("preinspected", "preinspected", below, "PREINSPECTED", "decks received")
    yield from bar(frame, state)
    yield primary(frame, "received", "DECKS RECEIVED", words)


def inspect(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The dealer's inspection."""
    page, below = _above_key(frame.page)
    yield _page(
        state,
        page,
        "Inspect every card, front and back",
        *_said(
            f"Decks: {_decks(state)}.",
            f"{opening.deck_words(house)} No flaw, scratch or mark on any.",
            "A deck with a defect goes back: other decks are brought.",
        ),
        cite=house.procedure.cite("inspect"),
    )
    yield _defect(below)
    yield from bar(frame, state)
    yield primary(frame, "inspected", "NO DEFECT", "a floorperson verifies")


def _defect(area: Area) -> Widget:
    return key("defect", "defect", area, "DEFECT", "other decks")


def verify(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The floorperson's verification."""
    facts, below = _above_key(frame.facts)
    lines = (
        Line("A floorperson verifies the decks", "key"),
        Line(house.procedure.cite("verify"), "small", Tone.MUTED),
        Line(f"Decks: {_decks(state)}.", "body"),
        *refusal(
            state,
            live,
            Line("The dealer found no defect.", "body"),
            Line("Badge and PIN, then hold VERIFIED.", "body", Tone.FLOOR),
        ),
    )
    yield label("facts", facts, *lines, fill="tile", border=Tone.FLOOR)
    yield _defect(below)
    yield from pin_pad(state, live, frame, "floorperson")
    yield from bar(frame, state)
    yield primary(frame, "verify", "VERIFIED", "hold 1.5 s", hold=True, enabled=bool(live.by), fill="floor")


def spread(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Face up, until the first player looked."""
    yield _page(
        state,
        frame.page,
        "Spread the cards face up on the layout",
        *_said(
            "In fans, one for each suit, in sequence, where the first player can look at them.",
            "They stay there until a player has come and has looked.",
        ),
        cite=house.procedure.cite("spread"),
    )
    yield from bar(frame, state)
    yield primary(frame, "looked", "FIRST PLAYER HAS LOOKED", "turn them down and wash")


def wash(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Face down, mixed, stacked."""
    yield _page(
        state,
        frame.page,
        "Turn the cards face down, wash and stack them",
        *_said(
            "Mix them thoroughly on the layout, in plain view, then make one stack.",
            "With two decks each is washed and stacked by itself.",
        ),
        cite=house.procedure.cite("wash"),
    )
    yield from bar(frame, state)
    yield primary(frame, "stacked", "WASHED AND STACKED", "shuffle them")


def shuffle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """By the machine, which says how far it is, or by hand."""
    if machine_used(house, state):
        yield _machine(house, state, frame.page)
        yield from bar(frame, state)
        yield primary(frame, "shuffled", "SHUFFLED", "the machine has finished")
        return
    fault = f" ({state.decks.covered})" if state.decks.covered != "out of order" else ""
    why = f"The device is out of order{fault}." if state.decks.covered else "No device shuffles at this table."
    deck = f"The {state.deck.color} deck is next." if state.deck else ""
    page, below = _above_key(frame.page)
    yield _page(
        state,
        page,
        "Shuffle the cards by hand, then cut",
        *_said(f"{why} {deck}".strip(), f"The cut: {opening.cut_words(house, state)} ({house.procedure.cite('cut')})."),
        cite=house.procedure.cite("shuffle"),
    )
    yield key("shuffled", "shuffled", below, "SHUFFLED", "cut it next")
    yield from bar(frame, state)
    yield primary(frame, "shuffled-and-cut", "SHUFFLED AND CUT", "10 cards or more")


def _machine(house: House, state: TableState, page: Area) -> Widget:
    shuffler = state.neighbours.shuffler
    count = "" if shuffler.count is None else f", {shuffler.count} cards"
    colour = f" the {shuffler.deck} deck" if shuffler.deck else ""
    found = tuple(machine_obstacles(house, state))
    lines: list[Line] = []
    for obstacle in found[:2]:
        lines += [Line(obstacle.what, "strong", Tone.CAUTION), *_said(obstacle.remedy)]
    lines += _said(f"The device has{colour}: {shuffler.mode}{count}.") if shuffler.connected else ()
    lines += _said("Press SHUFFLED when it has finished. PROBLEM covers it if it does not work.", tone=Tone.MUTED)
    return _page(state, page, "Put the cards into the shuffler", *lines, cite=house.procedure.cite("shuffle"))


def cut(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """With a cover card."""
    concern = "preinspected" if state.decks.cards == "preshuffled" else "cut"
    why = (
        "The decks came preinspected and preshuffled."
        if state.decks.cards == "preshuffled"
        else "The cards are shuffled."
    )
    yield _page(
        state,
        frame.page,
        "Cut the cards",
        *_said(f"{why} {opening.cut_words(house, state).capitalize()}."),
        cite=house.procedure.cite(concern),
    )
    yield from bar(frame, state)
    yield primary(frame, "cut", "CUT", "10 cards or more")


def idle(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Nobody plays."""
    lie = "face up, as a player asked" if state.decks.face_up else "face down"
    page, below = _above_key(frame.page, 60.0)
    yield _page(
        state,
        page,
        "No gaming activity: the table is open, nobody plays",
        *_said(
            opening.idle_words(house),
            f"They lie {lie}.",
            "The first player who comes looks at them face up; then they are washed, shuffled and cut.",
        ),
        Line("PROBLEM closes the table.", "status", Tone.MUTED),
        cite=house.procedure.cite("idle"),
    )
    words = ("FACES DOWN AGAIN",) if state.decks.face_up else ("TURN FACES UP", "a player asks")
    yield key("face-up", "face-up", below, *words)
    yield from bar(frame, state)
    yield primary(frame, "looked", "FIRST PLAYER HAS LOOKED", "turn them down and wash")


def empty(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Being closed: all cards are counted."""
    right = opening.expected(state)
    if state.decks.counted and state.decks.emptied != right:
        yield from _short(house, state, live, frame, right)
        return
    where = "the shuffler, the shoe and the discard rack" if house.equipment.machine else "the shoe and the rack"
    page, below = frame.page.foot(COUNTS_H * (2 if frame.upright else 1))
    yield _page(
        state,
        page,
        "Closing: take out every card and count",
        *_said(
            f"Empty {where}. {len(state.decks.here)} {plural(len(state.decks.here), 'deck')}: {right} cards must be there."
        ),
        Line("Another number? Tap it: a floorperson is asked for.", "status", Tone.MUTED),
    )
    yield from _counts(right, below)
    yield from bar(frame, state)
    yield primary(frame, f"emptied {right}", f"{right} CARDS", "close the table")


def _counts(right: int, area: Area) -> Iterator[Widget]:
    """The neighbours of the right number, and what a whole deck less would be."""
    near = {count for count in (0, right - DECK, *range(right - 6, right + 7)) if count >= 0} - {right}
    counts = sorted(near)[: 2 * 7]
    offered = [(f"emptied-{count}", f"emptied {count}", str(count)) for count in counts]
    yield from choices(offered, area, most=7)


def _short(house: House, state: TableState, live: Live, frame: Frame, right: int) -> Iterator[Widget]:
    """The count was not right."""
    lines = (
        Line(f"{state.decks.emptied} cards, not {right}", "money", Tone.STOP),
        *refusal(
            state,
            live,
            Line("Look in machine, shoe, rack and on the floor.", "status"),
            Line("A floorperson may close the table so:", "status", Tone.FLOOR),
            Line("every deck then counts as removed for cause.", "status"),
        ),
    )
    facts, again = frame.facts.foot(12.6)
    facts, steps = facts.foot(10.8)
    yield label("facts", facts, *lines, fill="tile", border=Tone.STOP)
    for area, step in zip(steps.columns(4), (-10, -1, 1, 10), strict=True):
        count = _past(state.decks.emptied, step, right)
        press = f"emptied {count}" if count >= 0 else ""
        words = f"{step:+} › {max(0, count)}"
        yield key(f"by-{step}", press, area, words, enabled=count >= 0, size="label", group="by")
    yield key(f"emptied-{right}", f"emptied {right}", again, f"COUNTED AGAIN: {right}")
    yield from pin_pad(state, live, frame, "floorperson")
    yield from bar(frame, state)
    yield primary(
        frame,
        "shut-short",
        f"CLOSE WITH {state.decks.emptied}",
        "hold 1.5 s",
        hold=True,
        enabled=bool(live.by),
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
TITLES: dict[str, tuple[str, Tone]] = {
    "shut": ("TABLE CLOSED", Tone.CAUTION),
    "inspect": ("INSPECTION", Tone.NEXT),
    "verify": ("VERIFICATION", Tone.FLOOR),
    "spread": ("CARDS SPREAD", Tone.NEXT),
    "wash": ("WASH", Tone.NEXT),
    "shuffle": ("SHUFFLE", Tone.NEXT),
    "cut": ("CUT", Tone.NEXT),
    "idle": ("OPEN · NO PLAYERS", Tone.DONE),
    "empty": ("CLOSING · COUNT", Tone.CAUTION),
}
