"""The law for a table that knows results but not cards: what a dealer says of a seat, and what its wagers then bring.

The dealer compares the hands and says "higher"; the code knows which other questions that answer leaves (`answers`), and
pays every wager of the seat (`pay_lines`) by the same functions that settle a round from its cards. Wagers on a meter
(progressive, Five Card Hand) and a void round are not settled here. Where somebody enters the cards after all, they say
what the dealer would have said (`told_of_cards`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from firmware.rules import heads_up, lunar, ultimate
from firmware.rules.hands import CLASSES, Hand, HandName, best_hand
from firmware.rules.holdem import abandoned, on_its_paytable, raised
from firmware.rules.payment import Payment
from firmware.rules.round import DEALER, HOLE_CARDS, LUNAR, SIX_CARD_BOX, Choice, Seat
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission

OF_METERS = frozenset({"progressive", "five_card_player", "five_card_dealer"})
"""Wagers that a meter belongs to; they are settled with it, elsewhere."""

RESULTS: Mapping[str, int] = MappingProxyType({"higher": 1, "equal": 0, "lower": -1})
"""The player's hand against the dealer's, as a dealer says it."""

NONE_OF_THESE = ""
"""Among the choices of an answer: the hand is on no row, or below all of them."""

RANKED: tuple[str, ...] = (HandName.HIGH_CARD, HandName.ACE_KING, *CLASSES[1:])
"""What a hand can be called against a dealer, low to high."""

_TOP = len(RANKED) - 1
_WORDS = {compared: word for word, compared in RESULTS.items()}
_SECTIONS = {"five_card_player": "five_card_hand", "five_card_dealer": "five_card_hand"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a dealer says of one seat without naming cards.

    `qualifies`: the dealer's hand does (a pair or better; Lunar Poker: ace-king or better). `result`: a key of `RESULTS`,
    "" of a hand that was not compared. `hand`, `dealer_hand`: what they are called, "" unknown or below all that pays.
    `side`: the row on which a wager with cards of its own wins: `six_card_bonus`, `pocket_bonus`, Lunar Poker's `super`,
    `super:dealer`, `super:4` and `instant`; a wager that is not here loses. `second`: the row of Lunar Poker's second
    combination. `undeclared`: the Supers on other players' hands that were not declared (671a.11(c)(1)).
    """

    qualifies: bool
    result: str = ""
    hand: str = ""
    dealer_hand: str = ""
    side: Mapping[str, str] = field(default_factory=dict)
    second: str = ""
    undeclared: frozenset[str] = frozenset()


# What the dealer pays ------------------------------------------------------------------------------------------------


def pay_lines(submission: Submission, seat: Seat, told: Told, boxes: Iterable[Payment] = ()) -> tuple[Payment, ...]:
    """A payment for every wager of a decided seat but those of meters, in the order of its book.

    The seat's cards are not looked at. `boxes`: what the other boxes of the same player were paid before in this round
    (677a.12(f)). Raises Refusal, naming the answer, where one is missing or two contradict each other.
    """
    _refuse_what_cannot_be(submission, seat, told)
    return tuple(_PAID[submission.book.name](submission, seat, told, boxes))


def _ultimate(rules: Submission, seat: Seat, told: Told, boxes: Iterable[Payment]) -> Iterable[Payment]:
    if seat.abandoned:
        return abandoned(rules, seat, [wager for wager in ultimate.order_of(rules.book) if wager not in OF_METERS])
    lines = ultimate.limited_wagers(rules, seat, RESULTS.get(told.result, 0), told.hand, told.qualifies)
    if "bad_beat_bonus" in seat.wagers:
        beaten = {"higher": told.dealer_hand, "lower": told.hand}.get(told.result, "")
        lines.append(ultimate.bad_beat(rules, seat, beaten))
    if "six_card_bonus" in seat.wagers:
        lines.append(on_its_paytable(rules, seat, "six_card_bonus", told.side.get("six_card_bonus", "")))
    return lines


def _heads_up(rules: Submission, seat: Seat, told: Told, boxes: Iterable[Payment]) -> Iterable[Payment]:
    if seat.abandoned:
        return abandoned(rules, seat, heads_up.ORDER)
    compared = RESULTS.get(told.result, 0)
    lines = list(heads_up.against_the_dealer(rules, seat, compared, told.hand, told.qualifies))
    lines = heads_up.within_the_limit(rules, lines, heads_up.paid_under_the_limit(rules, boxes))
    for wager in heads_up.SIDE:
        if wager in seat.wagers:
            row = told.side.get(wager, "") if wager == "pocket_bonus" else told.hand
            lines.append(on_its_paytable(rules, seat, wager, row))
    return lines


def _lunar(rules: Submission, seat: Seat, told: Told, boxes: Iterable[Payment]) -> Iterable[Payment]:
    return lunar.pay_in_order(rules, {seat.number: seat}, _Words(told))


_PAID: Mapping[str, Callable[[Submission, Seat, Told, Iterable[Payment]], Iterable[Payment]]] = {
    "pa-653a": _ultimate,
    "md-36.05.16": _ultimate,
    "pa-671a": _lunar,
    "pa-677a": _heads_up,
}


class _Words:
    """Lunar Poker's hands as the dealer says them."""

    def __init__(self, told: Told) -> None:
        self.told = told

    @property
    def qualifies(self) -> bool:
        return self.told.qualifies

    def compared(self, seat: Seat) -> int:
        return RESULTS[self.told.result]

    def hand(self, seat: Seat) -> str:
        return self.told.side["instant"] if _takes_instant(seat) else self.told.hand

    def second(self, seat: Seat) -> str:
        return self.told.second

    def super(self, seat: Seat, wager: str, on: int) -> str:
        return self.told.side.get(wager, "")

    def declared(self, seat: Seat, wager: str, on: int) -> bool:
        if on == seat.number:
            return seat.declared
        return on == DEALER or wager not in self.told.undeclared


# What the dealer is asked --------------------------------------------------------------------------------------------


def needs(submission: Submission, seat: Seat, result: str = "", qualifies: bool = True) -> tuple[str, ...]:
    """Which answers a dealer has to give for a decided seat: the names in `answers`, in their order."""
    return tuple(answers(submission, seat, result, qualifies))


def answers(
    submission: Submission, seat: Seat, result: str = "", qualifies: bool = True
) -> Mapping[str, tuple[str, ...]]:
    """Every answer a seat needs with its choices, highest first: `qualifies` (of the dealer, once a round), `result`,
    `hand`, `dealer_hand`, `second`, and wagers of `Told.side`. Where `NONE_OF_THESE` is no choice, one of them it is.

    `result`, `qualifies`: what was answered already; with a result "" only what is needed whatever it will be.
    """
    if seat.abandoned:
        return {}
    ask = _asked_at_lunar if submission.book.name == LUNAR else _asked_at_holdem
    return ask(submission, seat, result, qualifies)


def rows(submission: Submission, wager: str) -> tuple[str, ...]:
    """The rows of the wager's paytable, highest first. Raises KeyError where the submission has none of that name."""
    table = submission.paytables[_SECTIONS.get(wager, wager.partition(":")[0])]
    return (*table.shares, *table.rows)


def _asked_at_holdem(rules: Submission, seat: Seat, result: str, qualifies: bool) -> dict[str, tuple[str, ...]]:
    asked: dict[str, tuple[str, ...]] = {}
    plays = raised(seat) is not None
    if plays:
        asked |= {"qualifies": ("yes", "no"), "result": tuple(RESULTS)}
    paid = {row for wager in _paid_by_the_hand(seat, result if plays else "") for row in rows(rules, wager)}
    if paid:
        asked["hand"] = (*[name for name in reversed(RANKED) if name in paid], NONE_OF_THESE)
    if plays and result == "higher" and "bad_beat_bonus" in seat.wagers:
        asked["dealer_hand"] = (*rows(rules, "bad_beat_bonus"), NONE_OF_THESE)
    return asked | {wager: (*rows(rules, wager), NONE_OF_THESE) for wager in _picked(rules, seat)}


def _paid_by_the_hand(seat: Seat, result: str) -> list[str]:
    """The paytables on which what the player's hand is called decides."""
    paid = [wager for wager in ("trips", "trips_plus") if wager in seat.wagers]
    if result == "higher":
        paid += [wager for wager in ("blind", "odds") if wager in seat.wagers]
    if result == "lower":
        paid += ["bad_beat_bonus"] if "bad_beat_bonus" in seat.wagers else []
        paid += ["bad_beat"] if "odds" in seat.wagers else []
    return paid


def _asked_at_lunar(rules: Submission, seat: Seat, result: str, qualifies: bool) -> dict[str, tuple[str, ...]]:
    picked = [wager for wager in _picked(rules, seat) if wager != "super" or seat.declared]
    asked = {wager: (*rows(rules, wager), NONE_OF_THESE) for wager in picked}
    if _takes_instant(seat):
        asked["instant"] = rows(rules, "instant")
    elif raised(seat) is not None:
        asked["qualifies"] = ("yes", "no")
        if not qualifies:  # 671a.12(c): the ante is paid by the player's hand alone
            better = [name for name in reversed(RANKED) if name in lunar.STRAIGHT_OR_BETTER]
            return asked | {"hand": (*better, NONE_OF_THESE)}
        asked["result"] = tuple(RESULTS)
        if result == "higher":
            asked |= {"hand": rows(rules, "bet"), "second": (*rows(rules, "bet"), NONE_OF_THESE)}
    return asked


def _picked(rules: Submission, seat: Seat) -> list[str]:
    """The wagers of a seat that are won by other cards than the best hand's: the dealer picks their row."""
    if rules.book.name != LUNAR:
        return [wager for wager in ("pocket_bonus", "six_card_bonus") if wager in seat.wagers]
    wagers = [wager for _, wager, _, _ in lunar.wagers_in_order({seat.number: seat})]
    return [wager for wager in wagers if wager.startswith("super")]


def _takes_instant(seat: Seat) -> bool:
    return seat.decision is not None and seat.decision.choice is Choice.INSTANT


# What the cards say -------------------------------------------------------------------------------------------------


def told_of_cards(
    submission: Submission, seat: Seat, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Told:
    """What a dealer who looks at the cards says of a seat; all he could be asked but Lunar Poker's Supers.

    Those were declared on the first five cards; `seat.cards` are the cards that lie there in the end, and `seat.option`
    says only that its fee was paid. Fewer cards, as a void round can leave them, say less: what is not known is "".
    """
    dealer_hand, qualifies = dealer_of_cards(submission, board, dealer)
    own, dealers = _best_of(submission, seat.cards, board), _best_of(submission, dealer, board)
    hand = own.name if own else ""
    result = ""
    if own and dealers and raised(seat) is not None:
        result = _WORDS[(own.strength > dealers.strength) - (own.strength < dealers.strength)]
    second = ""
    if submission.book.name == LUNAR and qualifies and result == "higher":
        made = lunar.second_combinations(seat.cards)
        second = next((row for row in rows(submission, "bet") if row in made), "")
    return Told(
        qualifies=qualifies,
        result=result,
        hand=hand,
        dealer_hand=dealer_hand,
        side=_side_of_cards(submission, seat, six_card, hand),
        second=second,
    )


def dealer_of_cards(submission: Submission, board: tuple[str, ...], dealer: tuple[str, ...]) -> tuple[str, bool]:
    """What the dealer's best hand is called, and whether it qualifies: a pair or better, Lunar Poker's ace-king or better.

    ("", False) where the dealer has no cards, or fewer than five lie there with the board.
    """
    best = _best_of(submission, dealer, board)
    return (best.name, best.name is not HandName.HIGH_CARD) if best else ("", False)


def _best_of(rules: Submission, own: tuple[str, ...], board: tuple[str, ...]) -> Hand | None:
    """None without cards of one's own: a board alone is nobody's hand."""
    cards = own + board
    if not own or len(cards) < 5:
        return None
    return lunar.lunar_hand(cards) if rules.book.name == LUNAR else best_hand(cards)


def _side_of_cards(rules: Submission, seat: Seat, six_card: tuple[str, ...], hand: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if _takes_instant(seat):
        found["instant"] = hand
    if "pocket_bonus" in seat.wagers and len(seat.cards) == HOLE_CARDS:
        found["pocket_bonus"] = heads_up.pocket_row(seat.cards)
    six = seat.cards + six_card
    if "six_card_bonus" in seat.wagers and len(six) == HOLE_CARDS + SIX_CARD_BOX:
        found["six_card_bonus"] = ultimate.six_card_row(rules.paytables["six_card_bonus"], six)
    return {wager: row for wager, row in found.items() if row in rows(rules, wager)}


# What cannot be ------------------------------------------------------------------------------------------------------


def _refuse_what_cannot_be(rules: Submission, seat: Seat, told: Told) -> None:
    if seat.decision is None:
        raise Refusal("decision", f"is missing; seat {seat.number} has not decided yet")
    asked = answers(rules, seat, told.result, told.qualifies)
    hands = {"hand": told.hand, "dealer_hand": told.dealer_hand}
    for answer, name in hands.items():
        if name and name not in RANKED:
            raise Refusal(answer, f"is {name}; right would be {_listed(reversed(RANKED))}")
    said = {"result": told.result, "second": told.second, **hands}
    for answer, choices in asked.items():
        given = said.get(answer, told.side.get(answer, NONE_OF_THESE))
        below_these = answer in hands and NONE_OF_THESE in choices
        if answer != "qualifies" and given not in choices and not below_these:
            raise Refusal(answer, f"is {given or 'missing'}; right would be {_listed(choices)}")
    for wager in told.side:
        if wager not in asked and wager not in _picked(rules, seat):
            raise Refusal(f"side.{wager}", "is no wager of this seat whose row is picked; leave it out")
    if "result" in asked:
        _refuse_contradictions(rules, told)


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choice or "nothing" for choice in choices)


def _refuse_contradictions(rules: Submission, told: Told) -> None:
    """A result that the names of the two hands cannot have: a wrong tap, before anything is paid."""
    least = RANKED.index(HandName.ACE_KING if rules.book.name == LUNAR else HandName.PAIR)
    low, high = (least, _TOP) if told.qualifies else (0, least - 1)
    if told.dealer_hand:
        dealer = RANKED.index(told.dealer_hand)
        if not low <= dealer <= high:
            raise Refusal("dealer_hand", f"is {told.dealer_hand}, and that decides whether the dealer qualifies")
        low = high = dealer
    if told.hand:
        player = RANKED.index(told.hand)
        right = {
            "higher": player >= low,
            "equal": low <= player <= high,
            "lower": player <= high and player < _TOP,
        }
        if not right[told.result]:
            raise Refusal("result", f"is {told.result}, which a {told.hand} cannot be against this dealer's hand")
