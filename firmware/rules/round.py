"""Round files: one round as somebody wrote it down, read strictly.

`parse_round` takes the object of a round file and refuses, naming the place, everything that the contract, the book or the
submission does not allow. Its result can be settled without another question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from firmware.rules.cards import parse_card
from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.message import say
from firmware.rules.meter_wagers import fed_by
from firmware.rules.money import Cents, Micros, dollars, micros
from firmware.rules.seat import COUNT_UNKNOWN, DEALER, Irregularity, Round, Seat, Voiding
from firmware.rules.strict import (
    Keys,
    Refusal,
    amount,
    cards,
    fields,
    flag,
    parsed,
    shown,
    text,
    under,
    whole,
)
from firmware.rules.submission import Submission, parse_submission
from firmware.rules.wager import SettledBy, Wager

COUNT_RIGHT = 52
DECK_COUNT_MAX = 104
"""More cards than this nobody counts out of one deck, even with the other one shuffled into it."""

NOTHING: frozenset[str] = frozenset()
_COUNTED = ("no", "one", "two", "three", "four", "five", "six")

_ROUND = Keys("rules", "seats", optional=["cards", "drawn", "meters", "irregularity"])
_DRAWN = Keys(optional=["magic_card", "lucky"])
_IRREGULARITY = Keys("kind", optional=["after_initial_deal", "cards", "misdealt"])
_IRREGULARITIES: Mapping[str, Keys] = {
    "cards_face_up": Keys("kind", "after_initial_deal"),
    "incorrect_number_of_cards": Keys("kind"),
    "dealer_card_exposed": Keys("kind"),
    "dealing_shoe_fault": Keys("kind"),
    "shuffler_fault": Keys("kind"),
    "stub_count": Keys("kind", "cards", optional=["misdealt"]),
    "fouled_deck": Keys("kind"),
}


def parse_round(filed: object, submission: Submission | None = None) -> Round:
    """A round from the object of a round file. Raises Refusal, naming the place.

    `submission`: what `rules` stands for, where the caller has read it already (a path, or the same as before).
    """
    given = fields(filed, "", _ROUND)
    rules = submission or parse_submission(given["rules"], "rules")
    voids = tuple(_voids(_irregularities(given.get("irregularity"), rules), rules))
    void = bool(voids)
    still_settled = frozenset.intersection(*[one.still for one in voids]) if voids else NOTHING
    game = game_of(rules.book.name)
    lying = _dealt(given, game, rules, void)
    board = lying.get("board", ())
    seats = _seats(given["seats"], game, rules, void)
    wagers = {wager for seat in seats.values() for wager in seat.wagers}
    if void:
        _cards_of_what_is_still_settled(game, board, seats, still_settled)
    elif not lying.get("six_card") and not wagers.isdisjoint(game.settled_by(SettledBy.SIX)):
        raise Refusal("cards.six_card", "is missing; a seat made the Six Card wager, so four cards are wanted")
    _each_card_lies_once(lying, seats)
    drawn_for = not void and not wagers.isdisjoint(rules.by_account)
    magic_card, lucky = _drawn(given.get("drawn", {}), rules, needed=drawn_for)
    return Round(
        submission=rules,
        board=board,
        dealer=lying.get("dealer", ()),
        six_card=lying.get("six_card", ()),
        magic_card=magic_card,
        lucky=lucky,
        meters=_meters(given.get("meters", {}), game, rules, wagers),
        voids=voids,
        seats=seats,
    )


def _irregularities(given: object, rules: Submission) -> Iterator[Irregularity]:
    """Nothing, one, or a list in the order in which they were found."""
    if type(given) is list:
        for place, one in enumerate(given):
            yield _irregularity(one, f"irregularity.{place}", rules)
    elif given is not None:
        yield _irregularity(given, "irregularity", rules)


def _irregularity(given: object, at: str, rules: Submission) -> Irregularity:
    found = fields(given, at, _IRREGULARITY)
    kind = text(found["kind"], at, "kind", _IRREGULARITIES)
    fields(found, at, _IRREGULARITIES[kind])
    deck = whole(found["cards"], at, "cards", 0, DECK_COUNT_MAX) if kind == "stub_count" else COUNT_UNKNOWN
    return Irregularity(
        kind=kind,
        after_initial_deal=flag(found.get("after_initial_deal", False), at, "after_initial_deal"),
        deck=deck,
        misdealt=_misdealt(found["misdealt"], at, deck, rules) if "misdealt" in found else False,
    )


def _misdealt(given: object, at: str, deck: int, rules: Submission) -> bool:
    """The cards were misdealt and all 52 are there (653a.8(h), 677a.8(g), Maryland .08G(1))."""
    if "stub_count" not in rules.book.voids:
        raise Refusal(under(at, "misdealt"), "is not in this book, whose count voids no round; leave it out")
    misdealt = flag(given, at, "misdealt")
    if misdealt and deck != COUNT_RIGHT:
        raise Refusal(
            under(at, "misdealt"),
            f"is said of {deck} cards; it is said where all {COUNT_RIGHT} are there, any other count voids without it",
        )
    return misdealt


def _voids(found: Iterable[Irregularity], rules: Submission) -> Iterator[Voiding]:
    """Those that void the round, as each was found: a count that finds 52 cards does not, unless they were misdealt.

    A wager that a paragraph still settles (reading 12) is settled by cards face up only after the initial deal.
    """
    for one in found:
        right = one.deck == COUNT_RIGHT and not one.misdealt
        if one.kind in rules.book.voids and not right:
            early = one.kind == "cards_face_up" and not one.after_initial_deal
            yield Voiding(
                rules.book.voids[one.kind], NOTHING if early else rules.book.still_settled.get(one.kind, NOTHING)
            )


def _dealt(given: Mapping[str, object], game: Game, rules: Submission, void: bool) -> dict[str, tuple[str, ...]]:
    """The cards of the board, the dealer and the Six Card box, by place; in a void round there may be fewer."""
    places = {"board": game.board_cards, "dealer": game.dealer_cards}
    if any(game.wagers[wager].section in rules.paytables for wager in game.settled_by(SettledBy.SIX)):
        places["six_card"] = game.procedure.box_cards
    keys = _place_keys(tuple([place for place, count in places.items() if count]))
    if "cards" not in given:
        if void or not keys.allowed:
            return {}
        raise Refusal("cards", "is missing; add it")
    lying = fields(given["cards"], "cards", keys)
    wanted = {place: count for place, count in places.items() if count and (place in lying or place != "six_card")}
    return {place: _lying(lying, place, count, void) for place, count in wanted.items()}


@lru_cache(maxsize=16)
def _place_keys(places: tuple[str, ...]) -> Keys:
    return Keys(optional=places)


def _lying(lying: Mapping[str, object], key: str, count: int, void: bool) -> tuple[str, ...]:
    if key not in lying and not void:
        raise Refusal(under("cards", key), f"is missing; {count} cards are wanted")
    return cards(lying.get(key, ()), "cards", key, 0 if void else count, count)


def _seats(given: object, game: Game, rules: Submission, void: bool) -> Mapping[int, Seat]:
    numbers, keys = _seat_numbers(rules.book.seats)
    taken = fields(given, "seats", keys)
    if not taken:
        raise Refusal("seats", "is empty; at least one seat is wanted")
    seats = {number: _seat(number, taken[key], game, rules, void) for key, number in numbers.items() if key in taken}
    game.check_seats(seats)
    if any(seat.player is not None for seat in seats.values()):
        _boxes_are_adjacent(seats, rules.adjacent_boxes)
    return seats


@lru_cache(maxsize=16)
def _seat_numbers(seats: int) -> tuple[Mapping[str, int], Keys]:
    numbers = {str(number): number for number in range(1, seats + 1)}
    return numbers, Keys(optional=[*numbers])


def _seat(number: int, given: object, game: Game, rules: Submission, void: bool) -> Seat:
    at = f"seats.{number}"
    seat = fields(given, at, game.seat_keys)
    if not void:
        for key in ("cards", "decision"):
            if key not in seat:
                raise Refusal(under(at, key), "is missing; add it")
    hand = cards(seat.get("cards", ()), at, "cards", 0 if void else game.hole_cards, game.hole_cards)
    at = f"{at}.wagers"
    wagers = fields(seat["wagers"], at, game.wager_keys)
    placed = {wager: amount(stake, at, wager) for wager, stake in wagers.items() if not game.wagers[wager].backs}
    _are_right(placed, at, game, rules)
    if void:  # what was decided is not held against the cards
        return replace(game.read_seat(Seat(number, (), placed), seat, rules), cards=hand)
    return game.read_seat(Seat(number, hand, placed), seat, rules)


# Stakes --------------------------------------------------------------------------------------------------------------


def check_stakes(submission: Submission, boxes: Mapping[int, Mapping[str, Cents]]) -> None:
    """Whether these first stakes may lie on the table, by seat and wager ("super:4" is on the hand of seat 4).

    Raises Refusal, naming the place as a round file would have it.
    """
    game = game_of(submission.book.name)
    _, keys = _seat_numbers(submission.book.seats)
    seats = {number: game.seat_with(number, stakes) for number, stakes in boxes.items() if stakes}
    fields({str(number): seat for number, seat in seats.items()}, "seats", keys)
    for number, seat in seats.items():
        at = f"seats.{number}.wagers"
        fields(seat.wagers, at, game.wager_keys)
        for wager, stake in seat.wagers.items():
            if stake <= 0:
                raise Refusal(under(at, wager), "is 0.00; an amount above 0.00 is wanted, or leave it out")
        _are_right(seat.wagers, at, game, submission)
        game.check_backed(seat, at, submission)
    game.check_seats(seats)


def _are_right(placed: Mapping[str, Cents], at: str, game: Game, rules: Submission) -> None:
    """Every wager is offered, of an amount the book allows, and those it depends on are there."""
    base = placed[game.base]
    if base < rules.table_minimum:
        least = f"the table minimum is {dollars(rules.table_minimum)}"
        raise Refusal(under(at, game.base), f"is {dollars(base)}; {least}")
    if game.companion:
        _goes_along(game.companion, placed[game.companion.name], game.base, base, at)
    for wager in placed:
        if wager not in game.required:
            _is_offered(wager, placed, at, game, rules)


def _goes_along(companion: Wager, stake: Cents, name: str, base: Cents, at: str) -> None:
    at_least = companion.companion == "at least"
    if stake == base or (at_least and stake > base):
        return
    wanted = f"at least the {name}" if at_least else f"the same as the {name}"
    wrong = f"is {dollars(stake)}; {wanted}, {dollars(base)}, is wanted ({companion.cite})"
    raise Refusal(under(at, companion.name), wrong)


def _is_offered(wager: str, placed: Mapping[str, Cents], at: str, game: Game, rules: Submission) -> None:
    said = game.wagers[wager]
    section = said.section
    if section not in rules.paytables:
        raise Refusal(under(at, wager), f"is not offered by these rules; leave it out, or file a section [{section}]")
    if said.needs and said.needs not in placed:
        raise Refusal(
            under(at, wager),
            f"depends on a {said.needs} wager, and there is none; place one or leave this out ({said.needs_cite})",
            say("stakes.needs", wager=game.called(wager), needs=game.called(said.needs), cite=said.needs_cite),
        )
    price = rules.offers[wager].wager if said.of_meter else None
    if price is not None and placed[wager] != price:
        wrong = f"is {dollars(placed[wager])}; this table's wager is {dollars(price)}"
        raise Refusal(under(at, wager), wrong, say("stakes.price", wager=game.called(wager), price=price))


def _boxes_are_adjacent(seats: Mapping[int, Seat], most: int) -> None:
    boxes: dict[str, list[int]] = {}
    for number, seat in seats.items():
        if seat.player is not None:
            held = boxes.setdefault(seat.player, [])
            held.append(number)
            at = f"seats.{number}.player"
            if len(held) > most:
                raise Refusal(at, f"is a box more than one player may have; these rules allow {most} (adjacent_boxes)")
            if number - held[0] != len(held) - 1:
                raise Refusal(at, f"is not next to seat {held[-2]}; one player's boxes are adjacent")


def _each_card_lies_once(lying: Mapping[str, tuple[str, ...]], seats: Mapping[int, Seat]) -> None:
    dealt = [card for there in lying.values() for card in there]
    for seat in seats.values():
        dealt += seat.cards
        if seat.option:
            dealt += seat.option.drawn
    if len(set(dealt)) == len(dealt):
        return
    twice = next(card for place, card in enumerate(dealt) if card in dealt[:place])
    first, second, *_ = [place for place, card in _places(lying, seats) if card == twice]
    raise Refusal(second, f"is {twice}, which already lies at {first}; a card lies in one place")


def _places(lying: Mapping[str, tuple[str, ...]], seats: Mapping[int, Seat]) -> Iterator[tuple[str, str]]:
    for name, there in lying.items():
        yield from ((f"cards.{name}.{place}", one) for place, one in enumerate(there))
    for number, seat in seats.items():
        yield from ((f"seats.{number}.cards.{place}", one) for place, one in enumerate(seat.cards))
        if seat.option and not seat.option.discarded:
            yield f"seats.{number}.option.buy", seat.option.drawn[0]
        elif seat.option:
            for place, one in enumerate(seat.option.drawn):
                yield f"seats.{number}.option.exchange.draw.{place}", one


def _cards_of_what_is_still_settled(
    game: Game, board: tuple[str, ...], seats: Mapping[int, Seat], still_settled: frozenset[str]
) -> None:
    pocket = game.settled_by(SettledBy.POCKET)
    for number, seat in seats.items():
        wagers = still_settled.intersection(seat.wagers)
        if not wagers or seat.abandoned:
            continue
        if len(seat.cards) < game.hole_cards:
            wanted = f"{min(wagers)} is still settled from {_COUNTED[game.hole_cards]}"
            raise Refusal(f"seats.{number}.cards", f"holds {len(seat.cards)} cards; {wanted}")
        if not wagers.issubset(pocket) and len(board) < game.board_cards:
            wanted = f"{max(wagers)} is still settled from {_COUNTED[game.board_cards]}"
            raise Refusal("cards.board", f"holds {len(board)} cards; {wanted}")


def _drawn(given: object, rules: Submission, needed: bool) -> tuple[str | None, int | None]:
    """The Magic Card and the lucky position, each where it is offered (653a.1)."""
    offered = {bonus for offer in rules.offers.values() for bonus in offer.drawn}
    drawn = fields(given, "drawn", _DRAWN)
    for key, bonus in (("magic_card", "magic_card"), ("lucky", "lucky_bonus")):
        is_offered = bonus in offered
        if key in drawn and not is_offered:
            raise Refusal(under("drawn", key), "is not offered by these rules; leave it out")
        if is_offered and needed and key not in drawn:
            raise Refusal(under("drawn", key), "is missing; it is offered and a Five Card wager was made")
    magic_card = parsed(parse_card, drawn["magic_card"], "drawn", "magic_card") if "magic_card" in drawn else None
    return magic_card, _lucky(drawn["lucky"], rules.book.seats) if "lucky" in drawn else None


def _lucky(given: object, seats: int) -> int:
    if given == "dealer":
        return DEALER
    if type(given) is not int or not 1 <= given <= seats:
        raise Refusal("drawn.lucky", f'is {shown(given)}; right would be a seat from 1 to {seats}, or "dealer"')
    return given


@lru_cache(maxsize=64)
def _meter_keys(needed: tuple[str, ...], known: tuple[str, ...]) -> Keys:
    return Keys(*needed, optional=known)


def _meters(given: object, game: Game, rules: Submission, wagers: set[str]) -> Mapping[str, Micros]:
    known = rules.meters
    needed = {meter.name: None for wager in game.wagers if wager in wagers for meter in fed_by(wager, rules)}
    standing = fields(given, "meters", _meter_keys(tuple(needed), tuple(known)))
    return {meter: parsed(micros, stands, "meters", meter) for meter, stands in standing.items()}
