"""One round as it lay on the table: cards, wagers, decisions, and what went wrong. Read strictly, then never changed.

`parse_round` takes the object of a round file and refuses, naming the place, whatever the contract, the book or the
submission does not allow. What it returns can be settled without another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from firmware.rules.hands import STRAIGHT_FLUSH, class_of, strength
from firmware.rules.money import NO_MONEY, Cents, Micros, dollars
from firmware.rules.strict import (
    Keys,
    Refusal,
    amount,
    card,
    cards,
    fields,
    flag,
    meter_amount,
    shown,
    text,
    under,
    whole,
)
from firmware.rules.submission import Submission, parse_submission

DEALER = 0
"""The dealer where a seat could stand: backed by a Super wager, drawn for a Lucky Bonus."""

COUNT_RIGHT = 52
COUNT_UNKNOWN = 0
DECK_COUNT_MAX = 104
"""More cards than this nobody counts out of one deck, even with the other one shuffled into it."""

HOLE_CARDS = 2
BOARD = 5
SIX_CARD_BOX = 4
LUNAR = "pa-671a"
LUNAR_HAND = 5
LABEL_MAX = 40
NOTHING: frozenset[str] = frozenset()


class Choice(StrEnum):
    """What a player did. PLAY stands for Play, Raise and Bet: the wager that stays in competition with the dealer."""

    PLAY = "play"
    FOLD = "fold"
    INSTANT = "instant"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Decision:
    """`street` and `wager` go with PLAY; at Lunar Poker there is no street and the wager is twice the ante."""

    choice: Choice
    street: str | None = None
    wager: Cents = NO_MONEY


@dataclass(frozen=True, slots=True)
class Option:
    """Lunar Poker, for an options fee: a sixth card (nothing discarded), or two to five cards exchanged."""

    discarded: tuple[str, ...]
    drawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """One betting position. `super_on`: Super wagers on other hands, by seat number or DEALER."""

    number: int
    cards: tuple[str, ...]
    wagers: Mapping[str, Cents]
    decision: Decision | None
    player: str | None = None
    super_on: Mapping[int, Cents] | None = None
    option: Option | None = None
    declared: bool = True

    @property
    def abandoned(self) -> bool:
        """The player left: every wager of the seat loses (653a.7(b))."""
        return self.decision is not None and self.decision.choice is Choice.ABANDONED


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What went wrong. `after_initial_deal` goes with cards_face_up, `deck` with stub_count."""

    kind: str
    after_initial_deal: bool = False
    deck: int = COUNT_UNKNOWN


@dataclass(frozen=True, slots=True)
class Round:
    """`seats` in rising order. `lucky`: a seat number, DEALER, or None. `meters` contain this round's contributions.

    `still_settled`: in a void round, the wagers that are settled from the cards nevertheless (reading 12).
    """

    submission: Submission
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    six_card: tuple[str, ...]
    magic_card: str | None
    lucky: int | None
    meters: Mapping[str, Micros]
    irregularity: Irregularity | None
    void: bool
    still_settled: frozenset[str]
    seats: Mapping[int, Seat]


@dataclass(frozen=True, slots=True)
class _Game:
    """What a round of one book is made of.

    `second`: the wager that goes with every ante; `always`: the wagers no section has to offer. `raised`: for each
    street the least and the most times the ante, either one of the two or (`raised_between`) anything from to.
    """

    hole_cards: int
    board: int
    second: str
    always: frozenset[str]
    wagers: Keys
    raised: Mapping[str, tuple[int, int]]
    raised_between: bool
    cite: str


_ULTIMATE_RAISED = {"preflop": (3, 4), "flop": (2, 2), "river": (1, 1)}
_MD_SIDE = ("trips", "progressive", "six_card_bonus")
_PA_SIDE = (*_MD_SIDE, "five_card_player", "five_card_dealer", "bad_beat_bonus")

_GAMES: Mapping[str, _Game] = {
    "pa-653a": _Game(
        hole_cards=HOLE_CARDS,
        board=BOARD,
        second="blind",
        always=frozenset({"ante", "blind"}),
        wagers=Keys("ante", "blind", optional=_PA_SIDE),
        raised=_ULTIMATE_RAISED,
        raised_between=False,
        cite="653a.7(d)(1)",
    ),
    "md-36.05.16": _Game(
        hole_cards=HOLE_CARDS,
        board=BOARD,
        second="blind",
        always=frozenset({"ante", "blind"}),
        wagers=Keys("ante", "blind", optional=_MD_SIDE),
        raised=_ULTIMATE_RAISED,
        raised_between=False,
        cite="36.05.16.07F(1)",
    ),
    LUNAR: _Game(
        hole_cards=LUNAR_HAND,
        board=0,
        second="super",
        always=frozenset({"ante", "super"}),
        wagers=Keys("ante", "super", optional=["super_on"]),
        raised={},
        raised_between=False,
        cite="671a.7(c)(2)",
    ),
    "pa-677a": _Game(
        hole_cards=HOLE_CARDS,
        board=BOARD,
        second="odds",
        always=frozenset({"ante", "odds"}),
        wagers=Keys("ante", "odds", optional=["pocket_bonus", "trips_plus"]),
        raised={"preflop": (1, 3), "flop": (1, 2), "river": (1, 1)},
        raised_between=True,
        cite="677a.7(d)(1)",
    ),
}

_FIVE_CARD = {"five_card_player": "five_card_hand", "five_card_dealer": "five_card_hand"}
_NEEDS_TRIPS = {
    ("pa-653a", "bad_beat_bonus"): "653a.7(d)(6)",
    ("md-36.05.16", "six_card_bonus"): "36.05.16.07F(4)(b)",
}
_LEFT = {"fold": Decision(Choice.FOLD), "abandoned": Decision(Choice.ABANDONED)}
_LUNAR_CHOICES = {
    "bet": Choice.PLAY,
    "fold": Choice.FOLD,
    "instant": Choice.INSTANT,
    "abandoned": Choice.ABANDONED,
}
_SEAT_NUMBERS = {
    seats: ({str(number): number for number in range(1, seats + 1)}, Keys(optional=[*map(str, range(1, seats + 1))]))
    for seats in (5, 6)
}
_ROUND = Keys("rules", "seats", optional=["cards", "drawn", "meters", "irregularity"])
_HOLDEM_CARDS = Keys(optional=["board", "dealer"])
_SIX_CARDS = Keys(optional=["board", "dealer", "six_card"])
_LUNAR_CARDS = Keys(optional=["dealer"])
_DRAWN = Keys(optional=["magic_card", "lucky"])
_PLAY = Keys("at", "wager")
_OPTION = Keys(optional=["buy", "exchange"])
_EXCHANGE = Keys("discard", "draw")
_SEAT: Mapping[str, Keys] = {
    "pa-653a": Keys("wagers", optional=["cards", "decision", "player"]),
    "md-36.05.16": Keys("wagers", optional=["cards", "decision"]),
    "pa-671a": Keys("wagers", optional=["cards", "decision", "option", "declared"]),
    "pa-677a": Keys("wagers", optional=["cards", "decision", "player"]),
}
_IRREGULARITY = Keys("kind", optional=["after_initial_deal", "cards"])
_IRREGULARITIES: Mapping[str, Keys] = {
    "cards_face_up": Keys("kind", "after_initial_deal"),
    "incorrect_number_of_cards": Keys("kind"),
    "dealer_card_exposed": Keys("kind"),
    "dealing_shoe_fault": Keys("kind"),
    "shuffler_fault": Keys("kind"),
    "stub_count": Keys("kind", "cards"),
}


def parse_round(filed: object, submission: Submission | None = None) -> Round:
    """A round from the object of a round file. Raises Refusal, naming the place.

    `submission`: what `rules` stands for, where the caller has read it already (a path, or the same as before).
    """
    given = fields(filed, "", _ROUND)
    rules = submission or parse_submission(given["rules"], "rules")
    irregularity = _irregularity(given.get("irregularity"))
    void = irregularity is not None and irregularity.deck != COUNT_RIGHT and irregularity.kind in rules.book.voids
    still_settled = _still_settled(rules, irregularity) if void else NOTHING
    board, dealer, six_card = _dealt(given, rules, void)
    seats = _seats(given["seats"], rules, void)
    wagers = {wager for seat in seats.values() for wager in seat.wagers}
    if void:
        _cards_of_what_is_still_settled(board, seats, still_settled)
    elif "six_card_bonus" in wagers and not six_card:
        raise Refusal("cards.six_card", "is missing; a seat made the Six Card wager, so four cards are wanted")
    _each_card_lies_once(board, dealer, six_card, seats)
    magic_card, lucky = _drawn(given.get("drawn", {}), rules, needed=not void and not wagers.isdisjoint(_FIVE_CARD))
    return Round(
        submission=rules,
        board=board,
        dealer=dealer,
        six_card=six_card,
        magic_card=magic_card,
        lucky=lucky,
        meters=_meters(given.get("meters", {}), rules, wagers),
        irregularity=irregularity,
        void=void,
        still_settled=still_settled,
        seats=seats,
    )


def _irregularity(given: object) -> Irregularity | None:
    if given is None:
        return None
    at = "irregularity"
    found = fields(given, at, _IRREGULARITY)
    kind = text(found["kind"], at, "kind", _IRREGULARITIES)
    fields(found, at, _IRREGULARITIES[kind])
    return Irregularity(
        kind=kind,
        after_initial_deal=flag(found.get("after_initial_deal", False), at, "after_initial_deal"),
        deck=whole(found["cards"], at, "cards", 0, DECK_COUNT_MAX) if kind == "stub_count" else COUNT_UNKNOWN,
    )


def _still_settled(rules: Submission, irregularity: Irregularity | None) -> frozenset[str]:
    """Reading 12: what is settled from the cards although the round is void."""
    if irregularity is None or (irregularity.kind == "cards_face_up" and not irregularity.after_initial_deal):
        return NOTHING
    return rules.book.still_settled.get(irregularity.kind, NOTHING)


def _dealt(
    given: Mapping[str, object], rules: Submission, void: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Board, dealer's cards, six-card bonus cards; in a void round there may be fewer."""
    game = _GAMES[rules.book.name]
    if "cards" not in given:
        if void:
            return (), (), ()
        raise Refusal("cards", "is missing; add it")
    if not game.board:
        keys = _LUNAR_CARDS
    else:
        keys = _SIX_CARDS if "six_card_bonus" in rules.paytables else _HOLDEM_CARDS
    lying = fields(given["cards"], "cards", keys)
    board = _lying(lying, "board", game.board, void) if game.board else ()
    dealer = _lying(lying, "dealer", game.hole_cards, void)
    six_card = _lying(lying, "six_card", SIX_CARD_BOX, void) if "six_card" in lying else ()
    return board, dealer, six_card


def _lying(lying: Mapping[str, object], key: str, count: int, void: bool) -> tuple[str, ...]:
    if key not in lying and not void:
        raise Refusal(under("cards", key), f"is missing; {count} cards are wanted")
    return cards(lying.get(key, ()), "cards", key, 0 if void else count, count)


def _seats(given: object, rules: Submission, void: bool) -> Mapping[int, Seat]:
    numbers, keys = _SEAT_NUMBERS[rules.book.seats]
    taken = fields(given, "seats", keys)
    if not taken:
        raise Refusal("seats", "is empty; at least one seat is wanted")
    seats = {numbers[key]: _seat(numbers[key], taken[key], rules, void) for key in sorted(taken)}
    if rules.super_on_others:
        _backed_hands_are_dealt(seats)
    if any(seat.player is not None for seat in seats.values()):
        _boxes_are_adjacent(seats, rules.adjacent_boxes)
    return seats


def _seat(number: int, given: object, rules: Submission, void: bool) -> Seat:
    at = f"seats.{number}"
    game = _GAMES[rules.book.name]
    seat = fields(given, at, _SEAT[rules.book.name])
    if not void:
        for key in ("cards", "decision"):
            if key not in seat:
                raise Refusal(under(at, key), "is missing; add it")
    hand = cards(seat.get("cards", ()), at, "cards", 0 if void else game.hole_cards, game.hole_cards)
    wagers = fields(seat["wagers"], f"{at}.wagers", game.wagers)
    placed = _wagers(wagers, f"{at}.wagers", rules)
    if rules.book.name == LUNAR:
        return _lunar_seat(number, at, seat, hand, placed, wagers, rules)
    return Seat(
        number=number,
        cards=hand,
        wagers=placed,
        decision=_decision(seat["decision"], at, placed["ante"], game) if "decision" in seat else None,
        player=_player(seat["player"], at) if "player" in seat else None,
    )


def _wagers(given: Mapping[str, object], at: str, rules: Submission) -> Mapping[str, Cents]:
    """Every wager but `super_on`, each one offered, of an amount the book allows, with those it depends on."""
    game = _GAMES[rules.book.name]
    placed = {wager: amount(stake, at, wager) for wager, stake in given.items() if wager != "super_on"}
    ante = placed["ante"]
    if ante < rules.table_minimum:
        least = f"the table minimum is {dollars(rules.table_minimum)}"
        raise Refusal(under(at, "ante"), f"is {dollars(ante)}; {least}")
    second = placed[game.second]
    if second != ante and (game.second != "super" or second < ante):
        wanted = "at least the ante" if game.second == "super" else "the same as the ante"
        raise Refusal(
            under(at, game.second), f"is {dollars(second)}; {wanted}, {dollars(ante)}, is wanted ({game.cite})"
        )
    for wager in placed:
        if wager not in game.always:
            _is_offered(wager, placed, at, rules)
    return placed


def _is_offered(wager: str, placed: Mapping[str, Cents], at: str, rules: Submission) -> None:
    section = _FIVE_CARD.get(wager, wager)
    if section not in rules.paytables:
        raise Refusal(under(at, wager), f"is not offered by these rules; leave it out, or file a section [{section}]")
    needs = _NEEDS_TRIPS.get((rules.book.name, wager))
    if needs and "trips" not in placed:
        raise Refusal(
            under(at, wager), f"depends on a trips wager, and there is none; place one or leave this out ({needs})"
        )
    if section == "progressive" and rules.progressive:
        _costs(rules.progressive.wager, wager, placed, at)
    if section == "five_card_hand" and rules.five_card_hand:
        _costs(rules.five_card_hand.wager, wager, placed, at)


def _costs(price: Cents, wager: str, placed: Mapping[str, Cents], at: str) -> None:
    if placed[wager] != price:
        raise Refusal(under(at, wager), f"is {dollars(placed[wager])}; this table's wager is {dollars(price)}")


def _decision(given: object, at: str, ante: Cents, game: _Game) -> Decision:
    """Hold'em: a fold, an abandoned seat, or the wager of a street."""
    if type(given) is str and given in _LEFT:
        return _LEFT[given]
    if not isinstance(given, Mapping):
        raise Refusal(
            under(at, "decision"),
            f'is {shown(given)}; right would be {{"at": ..., "wager": ...}}, "fold" or "abandoned"',
        )
    at = under(at, "decision")
    play = fields(given, at, _PLAY)
    street = text(play["at"], at, "at", game.raised)
    wager = amount(play["wager"], at, "wager")
    least, most = game.raised[street]
    right = least * ante <= wager <= most * ante if game.raised_between else wager in (least * ante, most * ante)
    if not right:
        joint = " to " if game.raised_between else " or "
        times = joint.join(dollars(Cents(times * ante)) for times in sorted({least, most}))
        raise Refusal(under(at, "wager"), f"is {dollars(wager)}; right at the {street} would be {times}")
    return Decision(Choice.PLAY, street, wager)


def _player(given: object, at: str) -> str:
    if type(given) is not str or not 0 < len(given) <= LABEL_MAX:
        raise Refusal(under(at, "player"), f"is {shown(given)}; a label of 1 to {LABEL_MAX} characters is wanted")
    return given


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


def _lunar_seat(
    number: int,
    at: str,
    seat: Mapping[str, object],
    hand: tuple[str, ...],
    placed: Mapping[str, Cents],
    wagers: Mapping[str, object],
    rules: Submission,
) -> Seat:
    option = _option(seat["option"], hand, f"{at}.option") if "option" in seat else None
    return Seat(
        number=number,
        cards=hand,
        wagers=placed,
        decision=_lunar_decision(seat["decision"], at, hand, placed["ante"], option) if "decision" in seat else None,
        super_on=_super_on(wagers["super_on"], number, f"{at}.wagers.super_on", rules) if "super_on" in wagers else {},
        option=option,
        declared=flag(seat.get("declared", True), at, "declared"),
    )


def _lunar_decision(given: object, at: str, hand: tuple[str, ...], ante: Cents, option: Option | None) -> Decision:
    choice = _LUNAR_CHOICES[text(given, at, "decision", _LUNAR_CHOICES)]
    owed = len(hand) == LUNAR_HAND and class_of(strength(hand)) >= STRAIGHT_FLUSH
    if owed and choice not in (Choice.INSTANT, Choice.ABANDONED):
        raise Refusal(
            under(at, "decision"),
            f'is "{given}"; this hand is owed the instant payout, so right is "instant" (671a.11(b)(2))',
        )
    if choice is Choice.INSTANT and not owed:
        raise Refusal(
            under(at, "decision"), 'is "instant"; only a royal or straight flush is owed that (671a.11(c)(3))'
        )
    if owed and option:
        raise Refusal(
            under(at, "option"), "goes with no hand that is owed the instant payout; leave it out (671a.11(c)(3))"
        )
    return Decision(choice, wager=Cents(2 * ante) if choice is Choice.PLAY else Cents(0))


def _super_on(given: object, own: int, at: str, rules: Submission) -> Mapping[int, Cents]:
    if not rules.super_on_others:
        raise Refusal(at, "is not offered by these rules; leave it out, or file a section [super_on_others]")
    hands = {"dealer": DEALER} | {str(seat): seat for seat in range(1, rules.book.seats + 1) if seat != own}
    backed = {hands[key]: amount(stake, at, key) for key, stake in fields(given, at, Keys(optional=hands)).items()}
    for hand, stake in backed.items():
        if stake < rules.table_minimum:
            least = f"the table minimum, {dollars(rules.table_minimum)}, holds for it (671a.7(c)(3))"
            raise Refusal(under(at, hand or "dealer"), f"is {dollars(stake)}; {least}")
    return backed


def _backed_hands_are_dealt(seats: Mapping[int, Seat]) -> None:
    for number, seat in seats.items():
        for hand in seat.super_on or ():
            if hand != DEALER and hand not in seats:
                raise Refusal(f"seats.{number}.wagers.super_on.{hand}", "is an empty seat; back a hand that was dealt")


def _option(given: object, hand: tuple[str, ...], at: str) -> Option:
    option = fields(given, at, _OPTION)
    if len(option) != 1:
        raise Refusal(at, f'holds {len(option)} options; right would be {{"buy": card}} or {{"exchange": ...}}')
    if "buy" in option:
        return Option(discarded=(), drawn=(card(option["buy"], at, "buy"),))
    at = f"{at}.exchange"
    exchange = fields(option["exchange"], at, _EXCHANGE)
    discarded = cards(exchange["discard"], at, "discard", 2, LUNAR_HAND)
    drawn = cards(exchange["draw"], at, "draw", len(discarded), len(discarded))
    for place, thrown in enumerate(discarded):
        if thrown not in hand or thrown in discarded[:place]:
            raise Refusal(
                f"{at}.discard.{place}", f"is {thrown}, which the hand does not hold; discard cards of the hand"
            )
    return Option(discarded, drawn)


def _each_card_lies_once(
    board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...], seats: Mapping[int, Seat]
) -> None:
    dealt = [*board, *dealer, *six_card]
    for seat in seats.values():
        dealt += seat.cards
        if seat.option:
            dealt += seat.option.drawn
    if len(set(dealt)) == len(dealt):
        return
    twice = next(card for place, card in enumerate(dealt) if card in dealt[:place])
    first, second, *_ = [place for place, card in _places(board, dealer, six_card, seats) if card == twice]
    raise Refusal(second, f"is {twice}, which already lies at {first}; a card lies in one place")


def _places(
    board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...], seats: Mapping[int, Seat]
) -> Iterator[tuple[str, str]]:
    for name, lying in (("cards.board", board), ("cards.dealer", dealer), ("cards.six_card", six_card)):
        yield from ((f"{name}.{place}", one) for place, one in enumerate(lying))
    for number, seat in seats.items():
        yield from ((f"seats.{number}.cards.{place}", one) for place, one in enumerate(seat.cards))
        if seat.option and not seat.option.discarded:
            yield f"seats.{number}.option.buy", seat.option.drawn[0]
        elif seat.option:
            for place, one in enumerate(seat.option.drawn):
                yield f"seats.{number}.option.exchange.draw.{place}", one


def _cards_of_what_is_still_settled(
    board: tuple[str, ...], seats: Mapping[int, Seat], still_settled: frozenset[str]
) -> None:
    for number, seat in seats.items():
        wagers = still_settled.intersection(seat.wagers)
        if not wagers or seat.abandoned:
            continue
        if len(seat.cards) < HOLE_CARDS:
            raise Refusal(
                f"seats.{number}.cards", f"holds {len(seat.cards)} cards; {min(wagers)} is still settled from two"
            )
        if wagers != {"pocket_bonus"} and len(board) < BOARD:
            raise Refusal("cards.board", f"holds {len(board)} cards; {max(wagers)} is still settled from five")


def _drawn(given: object, rules: Submission, needed: bool) -> tuple[str | None, int | None]:
    """The Magic Card and the lucky position, each where it is offered (653a.1)."""
    offered = rules.five_card_hand
    drawn = fields(given, "drawn", _DRAWN)
    offers = {
        "magic_card": offered is not None and offered.magic_card,
        "lucky": offered is not None and offered.lucky_bonus,
    }
    for key, is_offered in offers.items():
        if key in drawn and not is_offered:
            raise Refusal(under("drawn", key), "is not offered by these rules; leave it out")
        if is_offered and needed and key not in drawn:
            raise Refusal(under("drawn", key), "is missing; it is offered and a Five Card wager was made")
    magic_card = card(drawn["magic_card"], "drawn", "magic_card") if "magic_card" in drawn else None
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


def _meters(given: object, rules: Submission, wagers: set[str]) -> Mapping[str, Micros]:
    known = rules.meters
    needed: list[str] = []
    if rules.progressive and "progressive" in wagers:
        needed += rules.progressive.meters
    if rules.five_card_hand and not wagers.isdisjoint(_FIVE_CARD):
        needed += rules.five_card_hand.meters
    standing = fields(given, "meters", _meter_keys(tuple(needed), tuple(known)))
    return {meter: meter_amount(stands, "meters", meter) for meter, stands in standing.items()}
