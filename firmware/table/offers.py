"""Offers: the presses that are possible now, said once. Screens, rehearsals and tests ask here alone.

An offer is judged by the key's own function on the state as it is, so that a key is lit if and only if the law takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from firmware.rules.approvals import Act
from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message
from firmware.rules.payline import rows
from firmware.table import results, settling, wagering
from firmware.table.card_entry import RANKS, SUITS
from firmware.table.decide import ANY_TIME, KEYS, refusal
from firmware.table.deciding import UNDECLARED
from firmware.table.evidence import MAGIC
from firmware.table.house import House
from firmware.table.inputs import Pressed
from firmware.table.irregularity import TABLE_MENU, problems
from firmware.table.kept import kept
from firmware.table.press import ARGUMENTS, Argument, bounds
from firmware.table.state import FIVE_CARD_ON, TableState
from firmware.wire.structs import replace


class Offer(Struct, frozen=True):
    """A press, and whether the law takes it from the person who is here.

    `act`: what somebody signs for with it; None where nobody signs. `unsigned`: it waits for a signature alone.
    """

    press: str
    lit: bool
    act: Act | None = None
    unsigned: bool = False


CHIPS = (10_000, 2_500, 500, 100)
"""Denominations of a rack, where nobody says which it has: cents."""


def offer(house: House, state: TableState, given: Pressed) -> Offer:
    """The offer of a press with the badge in `given.by`, on its day."""
    now = _offer(house, state, Pressed(given.word))
    return replace(_offer(house, state, given), act=now.act) if now.act and given.by else now


@kept
def _offer(house: House, state: TableState, given: Pressed) -> Offer:
    refused = refusal(house, state, given, tried=True)
    act = refused.act if refused else None
    return Offer(given.word, refused is None, act, unsigned=act is not None)


def in_the_way(house: House, state: TableState, given: Pressed) -> Message:
    """Why a press would be refused with any signature, as its refusal says it; nothing if it would not."""
    now = offer(house, state, given)
    refused = None if now.lit or now.unsigned else refusal(house, state, given)
    return refused.why if refused else NOTHING


def offers(house: House, state: TableState, by: str = "", chips: Iterable[int] = CHIPS) -> Iterator[Offer]:
    """Everything that may be pressed now, or signed, by the person with this badge. `chips`: what the rack has, in cents."""
    offered = (offer(house, state, Pressed(press, by)) for press in presses(house, state, chips))
    return (one for one in offered if one.lit or one.unsigned)


def presses(house: House, state: TableState, chips: Iterable[int] = CHIPS) -> Iterator[str]:
    """Every press that has a meaning in this phase: each verb with everything that can follow it."""
    for verb in (*ANY_TIME, *KEYS[state.phase]):
        for rest in _what_follows(house, state, verb, chips):
            yield f"{verb} {rest}" if rest else verb


def _what_follows(house: House, state: TableState, verb: str, chips: Iterable[int]) -> Iterable[str]:
    kind = ARGUMENTS.get(verb, Argument.NOTHING)
    match kind:
        case Argument.NOTHING:
            return ("",)
        case Argument.WORDS:
            return _WORDS[verb](house, state)
        case Argument.SEAT_WORDS:
            seats = [str(number) for number, _ in state.numbered()]
            words = [f"{seat} {word}" for seat in seats for word in _WORDS[verb](house, state)]
            return ("", *seats, *words)
        case Argument.CENTS:
            return map(str, chips)
        case _:
            lowest, highest = bounds(state, kind)
            return map(str, range(lowest, highest + 1))


Words = Callable[[House, TableState], Iterable[str]]
"""The words that may follow a verb."""


def _problems(house: House, state: TableState) -> Iterable[str]:
    return ("", TABLE_MENU, *(one.key for one in problems(house, state)))


def _elections(house: House, state: TableState) -> Iterator[str]:
    for name, made in house.game.elections.items():
        yield from (f"{name} {cards}" for cards in made.draws) if made.counted else (name,)


def _declared(house: House, state: TableState) -> Iterable[str]:
    return rows(house.submission, house.game.declared) if house.game.declared else ()


def _instant(house: House) -> Iterable[str]:
    return rows(house.submission, "instant") if "instant" in house.game.elections else ()


def _answers(house: House, state: TableState) -> Iterator[str]:
    asked, choices = settling.question(house, state)
    if asked:
        yield from (choice or "none" for choice in choices)
        beside = results.beside(house, state, state.round.turn) if results.by_exception(state) else {}
        yield from (f"{about} = {row or 'none'}" for about, found in beside.items() for row in found if about != asked)


def hands_of_sensors(house: House) -> tuple[HandName, ...]:
    """The hands that win a prize of a wager of a sensor."""
    offers = (house.submission.offers[wager] for wager in house.submission.on_sensor)
    return tuple(dict.fromkeys(hand for offer in offers for hand in offer.prizes))


def _of_five_cards(house: House, state: TableState) -> Iterator[str]:
    for hand, wager in FIVE_CARD_ON.items():
        if wager in house.submission.offers:
            yield from (f"{hand} {made}" for made in (*house.submission.offers[wager].prizes, MAGIC))


_WORDS: Mapping[str, Words] = {
    "problem": _problems,
    "settle": lambda house, state: wagering.settlements(state, state.round.question) if state.round.question else (),
    "reopen": lambda house, state: ("", *wagering.REOPENINGS),
    "choose": _elections,
    "row": lambda house, state: (*_instant(house), *_declared(house, state), UNDECLARED),
    "dealer": lambda house, state: ("yes", "no"),
    "dealer-row": lambda house, state: (*_declared(house, state), "none"),
    "hand": lambda house, state: hands_of_sensors(house),
    "five": _of_five_cards,
    "envy": lambda house, state: house.envy,
    "answer": _answers,
    "rank": lambda house, state: RANKS,
    "suit": lambda house, state: SUITS,
    "royal": lambda house, state: SUITS,
    "stakes": lambda house, state: house.game.offered(house.submission, 1),
    "correct": lambda house, state: settling.CORRECTIONS,
}
"""Verb -> the words that can follow it, or follow the seat, in this state."""


def is_of_the_law(press: str) -> bool:
    """The law knows a key of this verb; PIN pad, lock and SERVICE answer theirs themselves."""
    return press.partition(" ")[0] in _VERBS


_VERBS = frozenset([*ANY_TIME, *(verb for keys in KEYS.values() for verb in keys)])
