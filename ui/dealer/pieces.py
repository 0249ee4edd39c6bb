"""What every screen of the dealer is built from: the status bar, seats, the work area, the bar of keys, PIN pad, cards.

Millimetres of a panel of 153.8 × 92.3 mm. From above: status, seats, work area, bar. Seat 1 stands on the left.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware.rules.hands import HandName
from firmware.rules.money import Cents
from firmware.table.card_entry import RANKS, SUITS
from firmware.table.interlock import machine_used
from firmware.table.state import House, Prize, TableState
from ui.dealer.widgets import Line, Shape, Tone, Widget

WIDTH, HEIGHT = 153.8, 92.3
MARGIN, GAP = 1.5, 1.2
INNER = WIDTH - 2 * MARGIN
STATUS_H = 9.0
TILES_Y, TILES_H = 10.0, 33.4
SHORT_H = 18.4
"""Of seats that leave more room to the work area below them."""
WORK_Y, WORK_H = 44.6, 26.4
LOW_Y, LOW_H = 29.4, 41.6
"""The work area below short seats."""
PROMPT_H = 8.2
"""Above keys: one line, or two small ones."""
KEYS_Y = PROMPT_H + 0.4
"""Where keys begin below a prompt."""
BAR_Y, BAR_H = 72.2, 18.6
SIDE_W = 24.0
PRIMARY_X = MARGIN + 3 * (SIDE_W + GAP)
PRIMARY_W = WIDTH - MARGIN - PRIMARY_X
FACTS_W = 90.0
"""Of the column beside the PIN pad."""
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


Body = Callable[[House, TableState, Live], Iterable[Widget]]
"""What a screen shows below its status bar."""


# Words --------------------------------------------------------------------------------------------------------------


def money(cents: int) -> str:
    """`$1,234.50`."""
    return f"${cents // 100:,}.{cents % 100:02d}"


def short_money(cents: int) -> str:
    """`$15`, and `$1.50` where there are cents."""
    return money(cents).removesuffix(".00")


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


def plural(number: int, word: str) -> str:
    """The word for so many."""
    return word if number == 1 else f"{word}s"


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most so many characters, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


WAGERS: Mapping[str, str] = {
    "bad_beat_bonus": "Bad Beat",
    "six_card_bonus": "Six Card",
    "pocket_bonus": "Pocket",
    "trips_plus": "Trips Plus",
    "options_fee": "Options fee",
    "super:dealer": "Super on dealer",
    "bet:second": "Bet, second hand",
    "five_card_player": "Five Card, own hand",
    "five_card_dealer": "Five Card, dealer's hand",
    "magic_card_player": "Magic Card, own hand",
    "magic_card_dealer": "Magic Card, dealer's hand",
    "lucky_player": "Lucky Bonus, own hand",
    "lucky_dealer": "Lucky Bonus, dealer's hand",
}


def wager_words(wager: str) -> str:
    """What a wager is called at the table: `Trips`, `Super on seat 4`."""
    if wager in WAGERS:
        return WAGERS[wager]
    if wager.startswith("super:"):
        return f"Super on seat {wager.removeprefix('super:')}"
    return wager.replace("_", " ").capitalize()


def person_name(house: House, badge: str) -> str:
    """Who wears a badge."""
    return house.people[badge].name if badge in house.people else f"badge {badge}"


def progressive_wager(house: House) -> str:
    """`$1`: what a progressive wager is."""
    return short_money(house.progressive.wager)


def rank_word(rank: str) -> str:
    """`10` of `T`."""
    return "10" if rank == "T" else rank


def card_words(card: str) -> str:
    """`10 of hearts` of `Th`."""
    suits = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
    return f"{rank_word(card[0])} of {suits[card[1]]}"


def alarming(state: TableState) -> bool:
    """The shuffler has an alarm that nobody has acknowledged."""
    return state.shuffler.alarm > state.shuffler.acknowledged


# Widgets ------------------------------------------------------------------------------------------------------------


def centre(text: str, size: str = "strong", tone: Tone = Tone.PLAIN) -> Line:
    """A line in the middle."""
    return Line(text, size, tone, "centre")


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
    second: str = "status",
    enabled: bool = True,
    hold: bool = False,
    border: Tone | None = None,
) -> Widget:
    """Something to press. `size` of its first word, `second` of the others."""
    lines = tuple(Line(word, size if place == 0 else second, align="centre") for place, word in enumerate(words))
    held = HOLD_MS if hold else 0
    return Widget(name, x, y, w, h, lines, fill=fill, press=press, enabled=enabled, hold_ms=held, border=border)


def primary(
    press: str, *words: str, enabled: bool = True, hold: bool = False, fill: str = "next", size: str = "key"
) -> Widget:
    """The one next step, lower right."""
    second = size if size != "key" else "status"
    return key(
        "primary", press, PRIMARY_X, BAR_Y, PRIMARY_W, BAR_H, *words,
        fill=fill, enabled=enabled, hold=hold, size=size, second=second,
    )  # fmt: skip


def nothing_yet(*words: str) -> Widget:
    """The place of the next step, where something else has to come first."""
    return primary("", *words, enabled=False, fill="key")


def bar(
    state: TableState, *, undo: str = "undo", undo_word: str = "UNDO", hold: bool = False, problem: str = "problem"
) -> Iterator[Widget]:
    """FLOOR, PROBLEM, and the way back: always in the same place."""
    called = state.floor_called
    words = ("FLOOR", "called") if called else ("FLOOR",)
    yield key("floor", "floor", *FLOOR_AND_BACK["floor"], *words, border=Tone.FLOOR if called else None)
    yield key("problem", problem, *FLOOR_AND_BACK["problem"], "PROBLEM", enabled=bool(problem))
    back = (undo_word, "hold 1.5 s") if hold and undo else (undo_word,)
    yield key("undo", undo, *FLOOR_AND_BACK["undo"], *back, enabled=bool(undo), hold=hold and bool(undo))


FLOOR_AND_BACK: Mapping[str, tuple[float, float, float, float]] = {
    name: (MARGIN + place * (SIDE_W + GAP), BAR_Y, SIDE_W, BAR_H)
    for place, name in enumerate(("floor", "problem", "undo"))
}
"""Where the three keys of the bar lie: x, y, width, height."""


def order_words(state: TableState) -> str:
    """The key for what a floorperson ordered before the first card."""
    return "SHUFFLE AGAIN" if state.reshuffle else "CUT AGAIN"


def columns(number: int, x: float = MARGIN, width: float = INNER) -> Iterator[tuple[int, float, float]]:
    """(0, x, width), (1, x, width) … across the panel, or across a part of it."""
    each = (width - (number - 1) * GAP) / number
    for place in range(number):
        yield place, x + place * (each + GAP), each


def work(*lines: Line, border: Tone | None = None, y: float = WORK_Y, h: float = WORK_H) -> Widget:
    """The work area as one tile of words."""
    return Widget("work", MARGIN, y, INNER, h, lines, fill="tile", border=border)


def notice(state: TableState, *otherwise: Line) -> tuple[Line, ...]:
    """Why the last press was refused, or what else there is to say."""
    if state.notice:
        return tuple(Line(part, "body", Tone.CAUTION) for part in wrap(state.notice, 68)[:3])
    if state.complaint:
        refused = f"{state.complaints} refused"
        return (*otherwise[:2], Line(f"Refused ({refused}): {state.complaint}"[:96], "small", Tone.CAUTION))
    return otherwise


def prompt(state: TableState, text: str, tone: Tone = Tone.PLAIN, *, y: float = WORK_Y, w: float = INNER) -> Widget:
    """What is asked, above the keys that answer it; or why the last press was refused, in small words if it is long."""
    said, tone = (state.notice, Tone.CAUTION) if state.notice else (text, tone)
    room = w / INNER
    for size, most in (("strong", 68), ("status", 78)):
        if len(said) <= most * room:
            return label("prompt", MARGIN, y, w, PROMPT_H, Line(said, size, tone))
    lines = [Line(part, "small", tone) for part in wrap(said, int(88 * room))[:2]]
    return label("prompt", MARGIN, y, w, PROMPT_H, *lines)


def choices(
    offered: Sequence[tuple[str, str, str]],
    y: float,
    h: float,
    *,
    chosen: Container[str] = (),
    enabled: bool = True,
    most: int = 6,
) -> Iterator[Widget]:
    """Keys (name, press, words) in as few rows as hold them, their words all of one size; `chosen` names have a border."""
    rows = -(-len(offered) // most)
    in_row = -(-len(offered) // rows)
    height = (h - (rows - 1) * GAP) / rows
    places = list(columns(in_row))
    size = _size_for([words for _, _, words in offered], places[0][2] - 1.4, height - 1.2)
    for place, (name, press, words) in enumerate(offered):
        row, column = divmod(place, in_row)
        _, x, width = places[column]
        lines = _broken(words, width - 1.4, size)
        border = Tone.NEXT if name in chosen else None
        top = y + row * (height + GAP)
        yield key(name, press, x, top, width, height, *lines, size=size, second=size, enabled=enabled, border=border)


EMS = {"key": 24 / 5.2, "label": 19 / 5.2, "small": 16 / 5.2}
"""Millimetres of the em of the sizes that a key's words can have, largest first."""


def _size_for(texts: Iterable[str], width: float, height: float) -> str:
    """The largest type in which every text fits."""
    for size, em in EMS.items():
        broken = [_broken(text, width, size) for text in texts]
        fits = all(
            len(lines) * em * 1.24 <= height and max(_wide(line, em) for line in lines) <= width for lines in broken
        )
        if fits:
            return size
    return "small"


def _broken(text: str, width: float, size: str) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _wide(longer, EMS[size]) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _wide(text: str, em: float) -> float:
    """About how wide a text is, a little more than it is."""
    narrow, small = sum(c in "iljtf.,:'()- " for c in text), sum(c.islower() for c in text if c not in "iljtf")
    return em * (0.34 * narrow + 0.58 * small + 0.67 * (len(text) - narrow - small))


def status(house: House, state: TableState, live: Live, title: tuple[str, Tone]) -> Iterator[Widget]:
    """The table, the phase, and what it depends on. `{last}` in a title is the last seat's number."""
    words, tone = title
    yield label("table", MARGIN, 0, 28, STATUS_H, Line(state.table.upper(), "strong", align="left"))
    yield label("title", 30, 0, 55, STATUS_H, Line(words.format(last=len(state.seats)), "key", tone))
    told = [f"R{state.round}"]
    sound = True
    if state.progressive:
        told.append("LINK ok" if state.link_up else "NO LINK")
        sound = state.link_up
    if machine_used(house, state):
        shuffler = state.shuffler
        works = shuffler.connected and not alarming(state)
        told.append(f"SHUF {'--' if shuffler.count is None else shuffler.count}" if works else "SHUF !")
        sound = sound and works
    elif state.covered:
        told.append("SHUF off")
    told.append(live.clock)
    yield label(
        "neighbours", 85, 0, WIDTH - 85 - MARGIN, STATUS_H,
        Line("   ".join(told), "status", Tone.MUTED if sound else Tone.CAUTION, "right"),
    )  # fmt: skip


# Cards --------------------------------------------------------------------------------------------------------------


def card_slots(
    cards: Sequence[str], places: int, slot: int, rank: str, *, y: float, h: float
) -> Iterator[tuple[Widget, float, float]]:
    """The places of a hand being entered, each with its x and width; a filled one can be tapped to be replaced."""
    for place, x, width in columns(places):
        border = Tone.NEXT if place == slot else None
        name = f"slot-{place + 1}"
        if place == slot and rank:
            shown = Widget(name, x, y, width, h, (centre(rank_word(rank), "key"),), fill="tile", border=border)
        elif place < len(cards):
            card = cards[place]
            shown = Widget(
                name, x, y, width, h, (centre(rank_word(card[0]), "key"),), SUIT_SHAPES[card[1]], Tone.PLAIN, "tile",
                border, press=f"slot {place + 1}",
            )  # fmt: skip
        else:
            shown = Widget(name, x, y, width, h, (centre("?", "key", Tone.OFF),), fill="tile", border=border)
        yield shown, x, width


RANK_H = 12.4


def card_pad(rank: str, *, y: float = 32.0) -> Iterator[Widget]:
    """Thirteen ranks, back, and four suits: two taps a card."""
    for row, part in ((0, RANKS[:7]), (1, RANKS[7:])):
        for (_, x, width), one in zip(columns(7), part, strict=False):
            chosen = Tone.NEXT if one == rank else None
            top = y + row * (RANK_H + GAP)
            yield key(f"rank-{one}", f"rank {one}", x, top, width, RANK_H, rank_word(one), border=chosen)
    _, x, width = list(columns(7))[6]
    yield key("card-back", "card-back", x, y + RANK_H + GAP, width, RANK_H, "‹ BACK", size="strong")
    for (_, x, width), suit in zip(columns(4), SUITS, strict=True):
        yield Widget(
            f"suit-{suit}", x, y + 2 * (RANK_H + GAP), width, RANK_H, (), SUIT_SHAPES[suit], Tone.PLAIN, "key",
            press=f"suit {suit}", enabled=bool(rank),
        )  # fmt: skip


def hand_of_cards(cards: Sequence[str], y: float = 57.0) -> Iterator[Widget]:
    """Five cards, where they were entered."""
    for place, card in enumerate(cards):
        width = 17.0
        yield Widget(
            f"card-{place + 1}", MARGIN + place * (width + GAP), y, width, 13.6, (centre(rank_word(card[0]), "key"),),
            SUIT_SHAPES[card[1]], Tone.PLAIN, "tile",
        )  # fmt: skip


def chip_keys(live: Live, *, x: float, y: float, w: float, h: float) -> Iterator[Widget]:
    """One key for each chip in the rack: it adds that much."""
    chips = tuple(reversed(live.denominations))
    for (_, left, width), chip in zip(columns(len(chips), x, w), chips, strict=True):
        yield key(f"chips-{chip}", f"chips {chip}", left, y, width, h, f"+{short_money(chip)}", size="label")


# Who signs ----------------------------------------------------------------------------------------------------------

PAD_X, PAD_Y, PAD_W, PAD_H = 94.4, 23.4, 19.0, 11.4


def pin_pad(state: TableState, live: Live, who: str) -> Iterator[Widget]:
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
        size = "strong" if len(live.name) <= 18 else "small"
        return (Line(f"{live.name} is here", size, Tone.DONE), Line(f"badge {live.by}, PIN right", "status"))
    if live.checking:
        return (Line("Checking …", "strong"), Line(f"badge {live.badge}", "status"))
    if live.typed:
        return (Line(live.name, "strong"), Line(f"PIN  {'•' * live.typed}", "body"))
    if state.notice and (live.wait_s or not live.badge):
        return tuple(Line(part, "small", Tone.CAUTION) for part in wrap(state.notice, 42)[:3])
    if live.wait_s:
        return (Line(f"Wait {live.wait_s} s", "strong", Tone.CAUTION), Line(f"badge {live.badge}", "status"))
    if live.badge:
        return (Line(live.name, "strong"), Line("PIN  4 to 8 digits", "body"))
    return (Line("Badge, please", "strong", Tone.FLOOR), Line(f"a {who} or above", "status"))


def refusal(state: TableState, live: Live, *otherwise: Line) -> tuple[Line, ...]:
    """Why the press of somebody who is here was refused; the badge's own box says who that is."""
    if not (state.notice and live.by):
        return otherwise
    return tuple(Line(part, "status", Tone.CAUTION) for part in wrap(state.notice, 46)[:2])


def prize_money(prize: Prize) -> str:
    """What a prize is, "" while the bank has not priced it."""
    return "" if prize.amount is None else money(prize.amount)
