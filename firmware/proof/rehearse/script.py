"""Reads a script, strictly: every line becomes a typed value, or is refused with what would be right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from typing import TypeVar

from firmware.proof.rehearse import steps as s
from firmware.rules.cards import DECK
from firmware.rules.games import books, load_book
from firmware.rules.hands import RANKED
from firmware.rules.meter_wagers import LUCKY, MAGIC_CARD
from firmware.rules.money import Cents, Micros, MoneyError, cents, micros
from firmware.rules.payment import Result
from firmware.table.state import HANDS, Phase

Found = TypeVar("Found")

UNITS = {"h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000}
DURATION_MOST_NS = 366 * 24 * UNITS["h"]
SCRIPT_MOST = 1 << 20
"""Bytes of a script; a longer one is not read."""
LAMPS = ("dark", "lit", "late", "fault")
MODES = (
    *("off", "selftest", "idle", "loading", "shuffling", "ready", "dispensing"),
    *("empty", "sort", "service", "fault"),
)
DECKS = ("blue", "red", "unknown")
FAULTS: Mapping[str, str] = {
    "none": "",
    **{fault: fault for fault in ("jam", "door", "lid", "count", "color", "cycle", "motor", "card")},
    "colour": "color",
}
"""The words of a script for the shuffler's faults; it may spell a color either way."""
DEVICES = {
    "sensors": ("gone", "back"),
    "badge-reader": ("gone", "back"),
    "shuffler": ("gone", "back"),
    "link": ("down", "up"),
}
GIVEN_OF_TABLE: Mapping[str, tuple[str, ...]] = {
    "dealing": ("shoe", "hand", "automated"),
    "shuffler": ("none", "shuffles", "counts", "reshuffles"),
    "decks": ("1", "2"),
    "debounce_ms": (),
}
CHOICES = ("check", "play", "raise", "bet", "fold", "buy", "exchange", "instant")
COUNTED_CHOICES = {"play": 9, "exchange": 5}
RESULTS = ("win", "lose", "tie")
NONE, UNDECLARED = "none", "undeclared"
COUNT_MOST = 104
Words = Sequence[str]


class Malformed(ValueError):
    """A script or a file that cannot be read: `line` (0: none), what is wrong, what would be right."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.text, self.line = text, line


def read_script(content: bytes, name: str) -> s.Script:
    """A whole script. Raises Malformed."""
    if len(content) > SCRIPT_MOST:
        raise Malformed(f"longer than {SCRIPT_MOST} bytes and not read; a rehearsal is a few thousand")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = content.count(b"\n", 0, wrong.start) + 1
        raise Malformed(f"byte {wrong.start} is not UTF-8; save the script as UTF-8", line) from None
    lines: list[s.Line] = []
    for number, said in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        try:
            words = shlex.split(said, comments=True)
            if words:
                lines.append(_line(number, _without_comment(said).strip(), words, lines))
        except Malformed as wrong:
            raise Malformed(wrong.text, number) from None
        except ValueError as unclosed:
            raise Malformed(f"{str(unclosed).lower()}; close the quotation marks on this line", number) from None
    return s.Script(name, tuple(lines))


def _without_comment(said: str) -> str:
    """A line up to its comment; what stands in quotation marks is none."""
    quoted = ""
    for place, letter in enumerate(said):
        if letter == "#" and not quoted:
            return said[:place]
        if letter in "'\"":
            quoted = letter if not quoted else "" if quoted == letter else quoted
    return said


def _line(number: int, said: str, words: Words, before: Sequence[s.Line]) -> s.Line:
    after_ns = None
    if words[0].startswith("+"):
        after_ns, words = duration(words[0][1:]), words[1:]
        if not words or words[0] in ("given", "expect"):
            raise Malformed(f"{said.split()[0]} stands before a step; an expectation takes no time")
    if words[0] == "given":
        if any(line.is_step for line in before):
            raise Malformed("given comes before the first step; move the line up")
        return s.Line(number, said, _given(words[1:]))
    if words[0] == "expect":
        says = _expectation(words[1:])
        if isinstance(says, s.WasRefused) and not before:
            raise Malformed("expect refused: there is no step before it; write the step that is refused")
        return s.Line(number, said, says)
    if after_ns is not None and not any(line.is_step for line in before):
        raise Malformed(f"{said.split()[0]}: there is no step before it; write the step it follows")
    return s.Line(number, said, _step(words), after_ns)


# Words -------------------------------------------------------------------------------------------------------------------


def one_of(word: str, known: Iterable[str], what: str) -> str:
    """A word of a list."""
    names = tuple(known)
    if word not in names:
        raise Malformed(f"{what} {word!r}; right would be {', '.join(names)}")
    return word


def duration(text: str) -> int:
    """`15ms`, `2s`, `10m`, `8h` in nanoseconds."""
    match = re.fullmatch(r"([0-9]{1,9})(ms|s|m|h)", text)
    if not match:
        raise Malformed(f"duration {text!r}; right would be a whole number and h, m, s or ms, like 15ms")
    ns = int(match[1]) * UNITS[match[2]]
    if ns > DURATION_MOST_NS:
        raise Malformed(f"duration {text!r}; at most a year (8784h)")
    return ns


def seat(text: str) -> int:
    """A seat's number."""
    return whole(text, 1, 99, "seat")


def whole(text: str, least: int, most: int, what: str) -> int:
    """A whole number."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise Malformed(f"{what} {text!r}; right would be a whole number from {least} to {most}")
    return int(text)


def money(text: str) -> Cents:
    """Dollars."""
    try:
        return cents(text)
    except MoneyError as wrong:
        raise Malformed(f"amount {wrong}") from None


def _micros(text: str) -> Micros:
    try:
        return micros(text)
    except MoneyError as wrong:
        raise Malformed(f"amount {wrong}") from None


def _card(text: str) -> str:
    if text not in DECK:
        raise Malformed(f"card {text!r}; right would be a rank of 23456789TJQKA and a suit of cdhs, like Ah")
    return text


def _cards(words: Words) -> tuple[str, ...]:
    cards = tuple(map(_card, words))
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise Malformed(f"card {twice} stands twice; a deck has each card once")
    return cards


def wager(text: str) -> str:
    """A wager of some book: `trips`, `super:4`."""
    name, _, hand = text.partition(":")
    backed = name in _backing() and (hand == "dealer" or re.fullmatch(r"[1-9]", hand))
    if name not in known_wagers() or (":" in text and not backed and text != SECOND):
        raise Malformed(f"wager {text!r}; right would be {', '.join(known_wagers())}")
    return text


SECOND = "bet:second"
BONUSES = ("envy", *MAGIC_CARD.values(), *LUCKY.values())


def _as_registered(found: Callable[[], Found]) -> Callable[[], Found]:
    """Found once for the books that there are: a game may be added."""
    kept = lru_cache(maxsize=4)(lambda _: found())
    return wraps(found)(lambda: kept(books()))


@_as_registered
def known_wagers() -> tuple[str, ...]:
    """Every wager and bonus of every book."""
    named = (name for book in books() for name in load_book(book).wagers)
    return tuple(dict.fromkeys((*named, *BONUSES)))


@_as_registered
def _backing() -> frozenset[str]:
    of_books = (load_book(book).wagers.values() for book in books())
    backs = {one.name for wagers in of_books for one in wagers if one.backs}
    return frozenset({name.removesuffix("_on") for name in backs} | backs | {SECOND.partition(":")[0]})


@_as_registered
def known_rows() -> tuple[str, ...]:
    """Every row of every paytable of every book, and the names of hands."""
    tables = [one for book in books() for kinds in load_book(book).paytables.values() for one in kinds.values()]
    rows = (row for table in tables for row in (*table.shares, *table.rows))
    return tuple(dict.fromkeys((*rows, *map(str, reversed(RANKED)))))


@_as_registered
def known_phases() -> tuple[str, ...]:
    """Every phase, and the streets."""
    streets = (street.name for book in books() for street in load_book(book).procedure.streets)
    return tuple(dict.fromkeys((*map(str, Phase), *(name for name in streets if name in ("preflop", "flop", "river")))))


def _count(words: Words, least: int, most: int, form: str) -> None:
    if not least <= len(words) <= most:
        raise Malformed(f"right would be {form}")


MANY = 1_000

# Given -----------------------------------------------------------------------------------------------------------------


def _given(words: Words) -> s.Given | s.GivenMeter:
    forms = (
        "given rules.KEY VALUE, given meter NAME AMOUNT or given table.KEY VALUE, perhaps with a table's name before it"
    )
    table = ""
    if words and not words[0].startswith(("rules.", "table.")) and words[0] != "meter":
        table, words = words[0], words[1:]
    if len(words) == 3 and words[0] == "meter":
        return s.GivenMeter(table, words[1], _micros(words[2]))
    _count(words, 2, 2, forms)
    path, value = tuple(words[0].split(".")), words[1]
    if not 2 <= len(path) <= 3 or not all(path) or path[0] not in ("rules", "table"):
        raise Malformed(f"{words[0]!r}; right would be {forms}")
    if path[0] == "table":
        _given_of_table(path, value)
    return s.Given(table, path, value)


def _given_of_table(path: Words, value: str) -> None:
    known = one_of(".".join(path[1:]), GIVEN_OF_TABLE, "key table.")
    if known == "debounce_ms":
        whole(value, 1, 500, "table.debounce_ms")
    else:
        one_of(value, GIVEN_OF_TABLE[known], f"table.{known}")


# Steps -----------------------------------------------------------------------------------------------------------------


def _step(words: Words) -> s.Step:
    verb = one_of(words[0], (*_STEPS, "given", "expect"), "step")
    return _STEPS[verb](words[1:])


def _chip(words: Words) -> s.Chip:
    _count(words, 1, 1, "chip SEAT")
    return s.Chip(seat(words[0]), lies=True)


def _lift(words: Words) -> s.Chip:
    _count(words, 1, 1, "lift SEAT")
    return s.Chip(seat(words[0]), lies=False)


def _button(words: Words) -> s.Button:
    _count(words, 2, 2, "button SEAT own or button SEAT dealer")
    return s.Button(seat(words[0]), one_of(words[1], HANDS, "hand"))


def _lockout(words: Words) -> s.Lockout:
    _count(words, 1, 1, "lockout on, lockout off or lockout cut")
    return s.Lockout(one_of(words[0], ("on", "off", "cut"), "lockout"))


def _next_key(words: Words) -> s.NextKey:
    _count(words, 0, 0, "next-key alone")
    return s.NextKey()


def _device(name: str) -> Callable[[Words], s.Device]:
    def read(words: Words) -> s.Device:
        lost, there = DEVICES[name]
        _count(words, 1, 1, f"{name} {lost} or {name} {there}")
        return s.Device(name, one_of(words[0], (lost, there), name) == there)

    return read


def _shuffler(words: Words) -> s.Step:
    _count(words, 1, MANY, "shuffler KEY=VALUE..., shuffler gone, shuffler back or shuffler auto")
    if words == ["auto"]:
        return s.ShufflerAuto()
    if len(words) == 1 and words[0] in DEVICES["shuffler"]:
        return _device("shuffler")(words)
    said: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        one_of(key, ("mode", "count", "deck", "fault", "alarm"), "shuffler key")
        if not sign or key in said:
            raise Malformed(f"{word!r}; right would be each key once, like {key}=VALUE")
        said[key] = value
    return _status(said)


def _status(said: Mapping[str, str]) -> s.ShufflerSays:
    for key, known in (("mode", MODES), ("deck", DECKS), ("fault", FAULTS), ("alarm", ("yes",))):
        if key in said:
            one_of(said[key], known, f"shuffler {key}")
    count = said.get("count")
    unknown = count == "unknown"
    return s.ShufflerSays(
        mode=said.get("mode"),
        count=None if count is None or unknown else whole(count, 0, COUNT_MOST, "shuffler count"),
        uncounted=unknown,
        deck=None if "deck" not in said else said["deck"].replace("unknown", ""),
        fault=None if "fault" not in said else FAULTS[said["fault"]],
        alarm="alarm" in said,
    )


def _badge(words: Words) -> s.Badge:
    if list(words) == ["none"]:
        return s.Badge()
    _count(words, 2, 2, "badge NUMBER PIN or badge none")
    if not re.fullmatch(r"[A-Za-z0-9]{1,32}", words[0]):
        raise Malformed(f"badge {words[0]!r}; right would be 1 to 32 letters and digits")
    if not re.fullmatch(r"[0-9]{1,8}", words[1]):
        raise Malformed("a PIN is up to 8 digits; right would be badge NUMBER PIN")
    return s.Badge(words[0], words[1])


def _press(manner: str) -> Callable[[Words], s.Press]:
    def read(words: Words) -> s.Press:
        _count(words, 1, MANY, f"{manner} WORD...")
        return s.Press(" ".join(words), manner)

    return read


def _go(words: Words) -> s.GoOn:
    if list(words) == ["on"]:
        return s.GoOn()
    if len(words) != 3 or list(words[:2]) != ["on", "to"]:
        raise Malformed("right would be go on, or go on to PHASE")
    return s.GoOn(one_of(words[2], known_phases(), "phase"))


def _enter(words: Words) -> s.EnterCards:
    _count(words, 2, MANY, "cards board CARD..., cards dealer CARD..., cards six CARD... or cards SEAT CARD...")
    place = words[0] if words[0] in ("board", "dealer", "six") else str(seat(words[0]))
    return s.EnterCards(place, _cards(words[1:]))


def _draw(words: Words) -> s.Draw:
    if list(words) == ["none"]:
        return s.Draw()
    _count(words, 2, 2, "draw magic CARD, draw lucky SEAT, draw lucky dealer or draw none")
    if one_of(words[0], ("magic", "lucky"), "draw") == "magic":
        return s.Draw(magic=_card(words[1]))
    return s.Draw(lucky=0 if words[1] == "dealer" else seat(words[1]))


def _wait(words: Words) -> s.Wait:
    _count(words, 1, 1, "wait DURATION, like wait 10s")
    return s.Wait(duration(words[0]))


def _alone(step: s.Step, word: str) -> Callable[[Words], s.Step]:
    def read(words: Words) -> s.Step:
        _count(words, 0, 0, f"{word} alone")
        return step

    return read


def _table(words: Words) -> s.OnTable:
    _count(words, 1, 1, "table NAME")
    return s.OnTable(words[0])


# Tell --------------------------------------------------------------------------------------------------------------------

TELL_FORMS = (
    "tell SEAT in, out, same-player SEAT, check, play N, raise AMOUNT, bet, fold, buy, exchange N, instant, left, "
    "win, lose, tie or WAGER ROW; tell dealer qualifies or does-not-qualify"
)


def _tell(words: Words) -> s.Step:
    _count(words, 2, MANY, TELL_FORMS)
    if words[0] == "dealer":
        _count(words, 2, 2, "tell dealer qualifies or tell dealer does-not-qualify")
        return s.TellDealer(one_of(words[1], ("qualifies", "does-not-qualify"), "tell dealer") == "qualifies")
    number, verb, rest = seat(words[0]), words[1], words[2:]
    if verb == "in":
        return s.TellIn(number, tuple(_stakes(rest)))
    if verb == "same-player":
        _count(rest, 1, 1, "tell SEAT same-player SEAT")
        return s.TellSamePlayer(number, seat(rest[0]))
    if not rest:
        return _tell_alone(number, verb)
    if verb in COUNTED_CHOICES and len(rest) == 1 and rest[0] not in known_rows():
        return s.TellChoice(number, verb, whole(rest[0], 1, COUNTED_CHOICES[verb], verb))
    if verb == "raise" and len(rest) == 1 and rest[0] not in known_rows():
        return s.TellChoice(number, verb, money(rest[0]))
    if verb in ("out", "left", *CHOICES, *RESULTS) and verb not in known_wagers():
        raise Malformed(f"tell SEAT {verb} {' '.join(rest)}; right would be tell SEAT {verb}")
    row = one_of(" ".join(rest).lower(), (*known_rows(), NONE, UNDECLARED, "match"), "row")
    return s.TellRow(number, wager(verb), row)


def _tell_alone(number: int, verb: str) -> s.Step:
    if verb in RESULTS:
        return s.TellResult(number, verb)
    if verb == "left":
        return s.TellLeft(number)
    if verb == "out":
        return s.TellOut(number)
    if verb in CHOICES and verb not in COUNTED_CHOICES and verb != "raise":
        return s.TellChoice(number, verb)
    raise Malformed(f"tell SEAT {verb}; right would be {TELL_FORMS}")


def _stakes(words: Words) -> Iterator[tuple[str, Cents]]:
    if len(words) % 2:
        raise Malformed("right would be tell SEAT in WAGER AMOUNT..., each wager with its amount")
    named = words[::2]
    for name, amount in zip(named, words[1::2], strict=True):
        if named.count(name) > 1:
            raise Malformed(f"wager {name} stands twice; name it once")
        yield wager(name), money(amount)


_STEPS: Mapping[str, Callable[[Words], s.Step]] = {
    "chip": _chip,
    "lift": _lift,
    "button": _button,
    "lockout": _lockout,
    "next-key": _next_key,
    "sensors": _device("sensors"),
    "badge-reader": _device("badge-reader"),
    "link": _device("link"),
    "shuffler": _shuffler,
    "badge": _badge,
    "press": _press("press"),
    "hold": _press("hold"),
    "force": _press("force"),
    "go": _go,
    "tell": _tell,
    "cards": _enter,
    "draw": _draw,
    "wait": _wait,
    "power": _alone(s.Power(), "power"),
    "open": _alone(s.OpenBets(), "open"),
    "clear": _alone(s.Clear(), "clear"),
    "table": _table,
}

# Expectations ------------------------------------------------------------------------------------------------------------


def _expectation(words: Words) -> s.Expectation:
    _count(words, 1, MANY, f"expect, and one of {', '.join(_EXPECTATIONS)}")
    if words[0] == "no":
        _count(words, 2, MANY, "expect no text, expect no key, expect no payment or expect no alarm")
        return _NONE_OF[one_of(words[1], _NONE_OF, "expect no")](words[2:])
    return _EXPECTATIONS[one_of(words[0], (*_EXPECTATIONS, "no"), "expect")](words[1:])


def _phase(words: Words) -> s.PhaseIs:
    _count(words, 1, 1, "expect phase WORD")
    return s.PhaseIs(one_of(words[0], known_phases(), "phase"))


def _text(there: bool) -> Callable[[Words], s.TextShown]:
    def read(words: Words) -> s.TextShown:
        _count(words, 1, 1, 'expect text "...", in quotation marks')
        return s.TextShown(words[0], there)

    return read


def _key(there: bool) -> Callable[[Words], s.KeyOffered]:
    def read(words: Words) -> s.KeyOffered:
        _count(words, 1, MANY, "expect key WORD...")
        return s.KeyOffered(" ".join(words), there)

    return read


def _refused(words: Words) -> s.WasRefused:
    _count(words, 0, 1, 'expect refused or expect refused "..."')
    return s.WasRefused(words[0] if words else "")


def _lamp(words: Words) -> s.LampIs:
    _count(words, 2, 2, "expect lamp SEAT dark, lit, late or fault")
    return s.LampIs(seat(words[0]), one_of(words[1], LAMPS, "lamp"))


def _lock(words: Words) -> s.LockIs:
    _count(words, 1, 1, "expect lock open or expect lock locked")
    return s.LockIs(one_of(words[0], ("open", "locked"), "lock") == "locked")


def _payment(words: Words) -> s.PaymentMade:
    form = "expect payment SEAT WAGER RESULT RETURNED PAYOUT [limited] [for SEAT] [cite CITE]"
    _count(words, 5, 10, form)
    limited, for_seat, cite, rest = False, None, "", list(words[5:])
    while rest:
        word = one_of(rest.pop(0), ("limited", "for", "cite"), "expect payment")
        if word == "limited":
            limited = True
        elif not rest:
            raise Malformed(f"right would be {form}")
        elif word == "for":
            for_seat = seat(rest.pop(0))
        else:
            cite = rest.pop(0)
    result = one_of(words[2], map(str, Result), "result")
    return s.PaymentMade(
        seat(words[0]), wager(words[1]), result, money(words[3]), money(words[4]), limited, for_seat, cite
    )


def _no_payment(words: Words) -> s.NoPayment:
    _count(words, 2, 2, "expect no payment SEAT WAGER")
    return s.NoPayment(seat(words[0]), wager(words[1]))


def _order(words: Words) -> s.InOrder:
    form = "expect order SEAT WAGER, SEAT WAGER..."
    parts = [part.split() for part in " ".join(words).split(",")]
    if len(parts) < 2 or any(len(part) != 2 for part in parts):
        raise Malformed(f"right would be {form}, two or more")
    return s.InOrder(tuple((seat(number), wager(name)) for number, name in parts))


def _void(words: Words) -> s.VoidBy:
    _count(words, 1, 1, "expect void CITE, the start of a paragraph")
    return s.VoidBy(words[0])


def _not(words: Words) -> s.VoidBy:
    if list(words) != ["void"]:
        raise Malformed("right would be expect not void")
    return s.VoidBy(None)


def _deck(words: Words) -> s.DeckIs:
    _count(words, 2, 2, "expect deck N playable or expect deck N removed")
    number = whole(words[0], 1, 9_999, "deck")
    return s.DeckIs(number, one_of(words[1], ("playable", "removed"), "deck") == "playable")


def _meter(pending: bool) -> Callable[[Words], s.MeterStands]:
    def read(words: Words) -> s.MeterStands:
        _count(words, 2, 2, f"expect {'pending' if pending else 'meter'} NAME AMOUNT")
        return s.MeterStands(words[0], money(words[1]), pending)

    return read


def _account(words: Words) -> s.AccountHolds:
    _count(words, 2, 2, "expect account SEAT AMOUNT")
    return s.AccountHolds(seat(words[0]), money(words[1]))


def _alarm(words: Words) -> s.AlarmIs:
    _count(words, 1, 1, "expect alarm KIND")
    return s.AlarmIs(words[0])


def _no_alarm(words: Words) -> s.AlarmIs:
    _count(words, 0, 0, "expect no alarm")
    return s.AlarmIs()


def _taps(words: Words) -> s.TapsAre:
    _count(words, 1, 1, "expect taps N")
    return s.TapsAre(whole(words[0], 0, 9_999, "taps"))


_EXPECTATIONS: Mapping[str, Callable[[Words], s.Expectation]] = {
    "phase": _phase,
    "text": _text(True),
    "key": _key(True),
    "refused": _refused,
    "lamp": _lamp,
    "lock": _lock,
    "payment": _payment,
    "order": _order,
    "void": _void,
    "not": _not,
    "deck": _deck,
    "meter": _meter(pending=False),
    "pending": _meter(pending=True),
    "account": _account,
    "alarm": _alarm,
    "taps": _taps,
}
_NONE_OF: Mapping[str, Callable[[Words], s.Expectation]] = {
    "text": _text(False),
    "key": _key(False),
    "payment": _no_payment,
    "alarm": _no_alarm,
}
