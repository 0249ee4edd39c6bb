"""The law for a table that knows results but not cards: what a dealer says of a seat, and what its wagers then bring.

The dealer compares the hands and says "higher"; the code knows which other questions that answer leaves (`answers`), and
pays every wager of the seat (`pay_lines`) by the same functions that settle a round from its cards. Wagers on a meter are
in `meter_wagers`. Where somebody enters the cards after all, they say what the dealer would have said (`told_of_cards`).
What is lost or returned without a comparison is here too: `void_payments`, a fold, and a seat that was left.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from firmware.rules.flop import Flop
from firmware.rules.games.game import ANY_HAND, Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANK_OF, RANKED, Hand
from firmware.rules.payment import Payment, void
from firmware.rules.seat import Seat
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, NOTHING_SAID, RESULTS, Made, Told
from firmware.rules.wager import SettledBy

HANDS = ("hand", "dealer_hand")
"""The questions that are answered by the name of a hand."""

_PLACE, _TOP = RANK_OF.__getitem__, len(RANKED) - 1


# What the dealer pays ------------------------------------------------------------------------------------------------


def pay_lines(submission: Submission, seat: Seat, told: Told, boxes: Iterable[Payment] = ()) -> tuple[Payment, ...]:
    """A payment for every wager of a decided seat but those of meters, in the order of its book.

    The seat's cards are not looked at. Of a seat that was left, what its decisions had staked is lost too. `boxes`: what
    the other boxes of the same player were paid before in this round (677a.12(f)). Raises Refusal, naming the answer,
    where one is missing or two contradict each other.
    """
    game = game_of(submission.book.name)
    _refuse_what_cannot_be(game, submission, seat, told)
    return tuple(game.pay(submission, seat, told, boxes))


def void_payments(
    submission: Submission, seat: Seat, kind: str, still: Iterable[str] = (), cite: str = ""
) -> tuple[Payment, ...]:
    """Every stake of a seat that goes back in a void round, whatever was folded or left (reading 12).

    `kind`: what voids it, a key of the book's `voids`. `still`: the wagers that are settled nevertheless, and not here.
    `cite`: the paragraph for this way of dealing, "" for the one of the kind.
    """
    settled, paragraph = frozenset(still), cite or submission.book.voids[kind]
    stakes = game_of(submission.book.name).stakes(seat)
    return tuple(void(seat.number, wager, stake, paragraph) for wager, stake in stakes if wager not in settled)


# What the dealer is asked --------------------------------------------------------------------------------------------


def answers(
    submission: Submission,
    seat: Seat,
    result: str = "",
    qualifies: bool = True,
    hand: str = "",
    side: Mapping[str, str] = NOTHING_SAID,
    but: Container[str] = (),
    dealer_hand: str = "",
    dealer_row: str | None = None,
    left: frozenset[tuple[str, str, str]] | None = None,
) -> Mapping[str, tuple[str, ...]]:
    """Every answer a seat needs with its choices, highest first: `qualifies` (of the dealer, once a round), `result`,
    `hand`, `dealer_hand`, `second`, and wagers of `Told.side`. Where `NONE_OF_THESE` is no choice, one of them it is.

    `result`, `qualifies`, `hand`, `side`: what was answered already; with a result "" only what is needed whatever it
    will be. An answer that cannot be beside these is no choice; one that alone is left need not be asked. `but`: what nobody
    wants to know, wagers of declared hands by one name. `dealer_hand`, `dealer_row`: what is known of the dealer's hand
    (`Told`), which holds for every seat. `left`: what was said of other seats (`left_by`).
    """
    if seat.abandoned:
        return {}
    game = game_of(submission.book.name)
    said = Told(qualifies, result, hand, dealer_hand, side, dealer_row=dealer_row, left=left)
    asked = game.asks(submission, seat, result, qualifies)
    can_be: dict[str, tuple[str, ...]] = {}
    for about, choices in asked.items():
        if about.partition(":")[0] in but:
            continue
        can_be[about] = tuple(_that_can_be(game, submission, seat, said, about, choices))
        if about == "result" and not result and len(can_be[about]) == 1:  # what else is asked depends on it
            [only] = can_be[about]
            rest = answers(submission, seat, only, qualifies, hand, side, but, dealer_hand, dealer_row, left)
            return {**rest, about: can_be[about]}
        if about == "hand" and len(can_be[about]) == 1:
            said = said._replace(hand=can_be[about][0])
    return can_be


def _that_can_be(
    game: Game, rules: Submission, seat: Seat, said: Told, about: str, choices: tuple[str, ...]
) -> Iterator[str]:
    """The choices of a question that nothing said so far speaks against."""
    if about == "qualifies" or said.answer(about):  # what was answered stands
        yield from choices
        return
    seconds = game.seconds_told(seat, said) if about == "second" else frozenset(choices)
    for choice in choices:
        if choice not in seconds:
            continue
        if about == "hand" and game.owed_at_once(rules, seat, choice):  # an answer that the instant payout follows
            yield from [choice] if choice in game.hands_told(seat, said) else []
            continue
        mine = _named(choice, choices) if about == "hand" else _named(said.hand, ())
        if about == "dealer_hand" and said.left is not None:
            dealers = _named(choice, choices)  # below all of them too, where it is none
            if not any(dealer in dealers and own in mine for dealer, own in _hands_compared(said.left, said.result)):
                continue
        with suppress(Refusal):
            _refuse_contradictions(game, rules, seat, _with(said, about, choice), mine)
            yield choice


def _with(said: Told, about: str, choice: str) -> Told:
    told: dict[str, Any] = {about: choice}
    if about in Told._fields:
        return said._replace(**told)
    return said._replace(side={**said.side, about: choice})


def still_answers(submission: Submission, seat: Seat, still: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The answers that a void round still needs of a seat, told like a fold: only what settles the wagers `still`."""
    game, left = game_of(submission.book.name), frozenset(still)
    by_hand = not left.isdisjoint(game.settled_by(SettledBy.HAND))
    asked = answers(submission, seat)
    return {answer: choices for answer, choices in asked.items() if answer in left or (answer == "hand" and by_hand)}


def rows(submission: Submission, wager: str) -> tuple[str, ...]:
    """The rows of the wager's paytable, highest first. Raises KeyError where the submission has none of that name."""
    name = wager.partition(":")[0]
    said = submission.book.wagers.get(name)
    table = submission.paytables[name if said is None or name in submission.paytables else said.section]
    return (*table.shares, *table.rows)


def possible_hands(submission: Submission, seat: Seat, told: Told, answered: Iterable[str]) -> frozenset[str]:
    """What this player's best hand can be called after what was said of him and of the dealer; any where that contradicts.

    Two cards and the flop, on which a progressive wager wins, are among his cards (653a.12(d)(2)). `answered`: the
    questions that `told` has an answer to.
    """
    game = game_of(submission.book.name)
    fits = _hands_answered(game, submission, seat, told, answered)
    with suppress(Refusal):
        dealers = _dealers_hands(game, told) if told.result else ANY_HAND
        left = frozenset(name for name in fits if not told.result or _compare(game, told.result, {name}, dealers))
        return left or ANY_HAND
    return ANY_HAND


def dealers_possible_hands(submission: Submission, seat: Seat, told: Told, answered: Iterable[str]) -> frozenset[str]:
    """What the dealer's hand can be called after what was said of it at this seat; any where that contradicts itself.

    `answered`: the questions that `told` has an answer to; none of the choices is below all of them.
    """
    game = game_of(submission.book.name)
    with suppress(Refusal):
        fits = _dealers_hands(game, told)
        if "dealer_hand" in answered and not told.dealer_hand:
            fits -= set(game.asks(submission, seat, told.result, told.qualifies).get("dealer_hand", ()))
        left = frozenset(name for name in fits if not told.result or _compare(game, told.result, ANY_HAND, {name}))
        return left or ANY_HAND
    return ANY_HAND


def names_together(
    submission: Submission, seat: Seat, told: Told, answered: Iterable[str]
) -> frozenset[tuple[str, str]]:
    """The names (the dealer's hand, this seat's) that can be together after what was said of both; none where that
    contradicts itself. `answered`: the questions that `told` has an answer to.
    """
    game = game_of(submission.book.name)
    mine = _hands_answered(game, submission, seat, told, answered)
    with suppress(Refusal):
        dealers = _dealers_hands(game, told)
        if "dealer_hand" in answered and not told.dealer_hand:
            dealers -= set(game.asks(submission, seat, told.result, told.qualifies).get("dealer_hand", ()))
        return frozenset([(d, m) for d in dealers for m in mine & _compared(game, told.result, d)])
    return frozenset()


def left_by(
    submission: Submission, others: Iterable[tuple[str, frozenset[tuple[str, str]]]]
) -> frozenset[tuple[str, str, str]] | None:
    """(result, or "" of a hand that is not compared; the dealer's hand; the seat's hand) that one more seat can have beside
    these; None where these contradict each other.

    `others`: (result, `names_together`) of each. All of them are compared with one dealer's hand (653a.11(h), 671a.11(f),
    677a.11(h)): whoever lost to it says that it has no less, whoever beat it no more.
    """
    game, said = game_of(submission.book.name), [(result, _by_dealer(together)) for result, together in others]
    return frozenset(_beside(game, said)) or None


def _by_dealer(together: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """The dealer's hand -> what a seat's can be with it."""
    found: dict[str, set[str]] = {}
    for dealer, mine in together:
        found.setdefault(dealer, set()).add(mine)
    return found


def _beside(game: Game, said: list[tuple[str, dict[str, set[str]]]]) -> Iterator[tuple[str, str, str]]:
    tied = any(result == "equal" for result, _ in said)
    winners = [own for result, by_dealer in said if result == "higher" for own in [set().union(*by_dealer.values())]]
    beaten = game.names.intersection(*[game.beside_a_winner(*own) for own in winners if len(own) == 1])
    for dealer in frozenset(game.names).intersection(*[by_dealer for _, by_dealer in said]):
        held = [by_dealer[dealer] for _, by_dealer in said]
        for result in ("", *RESULTS):
            here = game.beside_a_tie(dealer) if tied or result == "equal" else game.names
            if any(here.isdisjoint(names) for names in held):
                continue
            for mine in here & beaten & _compared(game, result, dealer):
                there = here & game.beside_a_winner(mine) if result == "higher" else here
                if there is here or not any(there.isdisjoint(names) for names in held):
                    yield result, dealer, mine


def can_be_beside(submission: Submission, hand: str, qualifies: bool) -> bool:
    """A seat, folded or not, can hold this hand beside a dealer's that qualifies or does not."""
    return hand in game_of(submission.book.name).beside_the_dealer(qualifies)


def can_be_dealt(submission: Submission, wager: str, rows: Iterable[str], known: Iterable[str]) -> bool:
    """Several hands' own cards can be on these rows of a wager in one round, beside cards that lie elsewhere."""
    return game_of(submission.book.name).can_be_dealt(wager, rows, known)


def flops(submission: Submission, hands: Iterable[str]) -> frozenset[Flop]:
    """What the flop can be where hands of these names, each of two other cards and it, are dealt in one round; none where
    no deal makes them all.
    """
    return game_of(submission.book.name).flops(hands)


# What the cards say --------------------------------------------------------------------------------------------------


def told_of_cards(
    submission: Submission, seat: Seat, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Told:
    """What a dealer who looks at the cards says of a seat; all he could be asked but what was declared before.

    Lunar Poker's Supers were, on the first five cards; `seat.cards` are the cards that lie there in the end, and
    `seat.option` says only that its fee was paid. Fewer cards, as a void round can leave them, say less: what is not
    known is "".
    """
    game = game_of(submission.book.name)
    own, dealers = _best_of(game, seat.cards, board), _best_of(game, dealer, board)
    return game.told(submission, seat, seat.cards, own, dealers, six_card)


@lru_cache(maxsize=64)
def _best_of(game: Game, own: tuple[str, ...], board: tuple[str, ...]) -> Hand | None:
    """Wanted of one dealer's hand for every seat."""
    return game.best_of(own, board)


def dealer_of_cards(submission: Submission, board: tuple[str, ...], dealer: tuple[str, ...]) -> tuple[str, bool]:
    """What the dealer's best hand is called, and whether it qualifies by the book.

    ("", False) where the dealer has no cards, or fewer than five lie there with the board.
    """
    game = game_of(submission.book.name)
    best = _best_of(game, dealer, board)
    return (best.name, game.qualifies(best.name)) if best else ("", False)


def made_beside(
    submission: Submission, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Mapping[tuple[str, ...], Made]:
    """What every hand of own cards makes that can be dealt beside a whole board; {} in a game without one.

    Of a dealer or a Six Card box whose cards are not known, (), nothing is said.
    """
    game = game_of(submission.book.name)
    return game.made_beside(submission, board, dealer, six_card) if len(board) == game.board_cards else {}


def made_by_buying(submission: Submission, seat: Seat, dealer: tuple[str, ...], bought: str) -> Made:
    """What the cards of a seat make with one more that was bought; of a dealer who is not known, (), nothing is said."""
    cards = (*seat.cards, bought)
    said = told_of_cards(submission, replace(seat, cards=cards), (), dealer, ())
    return Made(said.result or None, said.hand, (("second", second_of_cards(submission, cards)),))


def row_of_cards(submission: Submission, wager: str, cards: tuple[str, ...]) -> str:
    """The row on which a wager with cards of its own wins ("super:dealer" and "super:4" too); "" for none."""
    row = game_of(submission.book.name).row_of(submission, wager, cards)
    return row if row and row in rows(submission, wager) else ""


def second_of_cards(submission: Submission, cards: tuple[str, ...]) -> str:
    """The row of the second combination that a winning hand of these cards is paid beside it; "" for none."""
    return game_of(submission.book.name).second_of(submission, cards)


def owed_at_once(submission: Submission, seat: Seat, hand: str) -> str:
    """The row of an instant payout that a hand of this name is owed instead of any other wager; "" for none."""
    return game_of(submission.book.name).owed_at_once(submission, seat, hand)


def pays_losers(
    submission: Submission,
    seat: Seat,
    qualifies: bool = True,
    dealer_hand: str = "",
    left: frozenset[tuple[str, str, str]] | None = None,
) -> bool:
    """A hand that loses to this dealer's may be paid for its name because it lost: a bad beat (653a.12(g), 677a.12(c)).

    `qualifies`, `dealer_hand`: what is known of the dealer's, `left`: what was said of other seats. A hand below the
    dealer's can be on no row that is above it.
    """
    game = game_of(submission.book.name)
    paid = game.paid_to_losers(submission, seat) if seat.plays else frozenset()
    if not paid:
        return False
    said = answers(submission, seat, "lower", qualifies, dealer_hand=dealer_hand, left=left)
    return not paid.isdisjoint(said.get("hand", ()))


def may_qualify(submission: Submission, row: str, qualifies: bool) -> bool:
    """A dealer's hand that wins a declared wager on this row can qualify, or can not."""
    game = game_of(submission.book.name)
    return any(game.qualifies(name) == qualifies for name in game.hands_on_row(row))


def least_row(submission: Submission, hand: str) -> str:
    """The row on which a declared wager surely wins with first cards of this name, whatever they are; "" for none."""
    return game_of(submission.book.name).least_row(hand)


def refuse_rows(submission: Submission, seat: Seat, side: Mapping[str, str]) -> None:
    """Rows of a seat's own cards that cannot be together. Raises Refusal."""
    game_of(submission.book.name).refuse(submission, seat, Told(qualifies=True, side=side))


# What cannot be ------------------------------------------------------------------------------------------------------


def _refuse_what_cannot_be(game: Game, rules: Submission, seat: Seat, told: Told) -> None:
    if not seat.decisions:
        raise Refusal("decision", f"is missing; seat {seat.number} has not decided yet")
    asked = {} if seat.abandoned else game.asks(rules, seat, told.result, told.qualifies)
    for answer in HANDS:
        name = told.answer(answer)
        if name and name not in RANKED:
            raise Refusal(answer, f"is {name}; right would be {_listed(reversed(RANKED))}")
    for answer, choices in asked.items():
        given = told.answer(answer)
        below_these = answer in HANDS and NONE_OF_THESE in choices
        if answer != "qualifies" and given not in choices and not below_these:
            raise Refusal(answer, f"is {given or 'missing'}; right would be {_listed(choices)}")
    if "second" in asked and told.second not in game.seconds_told(seat, told):
        raise Refusal("second", f"is {told.second or 'none'}, which a winning {told.hand} cannot have beside itself")
    for wager in told.side:
        if wager not in asked and not _is_picked(game, seat, wager):
            raise Refusal(f"side.{wager}", "is no wager of this seat whose row is picked; leave it out")
    _refuse_contradictions(game, rules, seat, told, _named(told.hand, asked.get("hand", ())))


def _named(hand: str, choices: tuple[str, ...]) -> frozenset[str]:
    """What a hand can be that was called so; where it is none of the choices, any other."""
    if hand:
        return frozenset({hand})
    return ANY_HAND.difference(choices) if NONE_OF_THESE in choices else ANY_HAND


def _is_picked(game: Game, seat: Seat, wager: str) -> bool:
    """A wager of the seat that is won by other cards than the best hand's: the dealer picks its row."""
    name = wager.partition(":")[0]
    lies = wager in (stake for stake, _ in game.stakes(seat))
    return lies and name in game.wagers and game.wagers[name].picked


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choice or "nothing" for choice in choices)


def _refuse_contradictions(game: Game, rules: Submission, seat: Seat, told: Told, mine: frozenset[str]) -> None:
    """What the hands cannot be by all that was said of them: a wrong tap, before anything is paid.

    `mine`: what the seat's hand can be by its name alone.
    """
    game.refuse(rules, seat, told)
    fits = _hands(game, seat, told, mine)
    if not fits:
        raise Refusal("hand", f"is {told.hand or 'none of these'}, and the row of its own cards says otherwise")
    if told.left is not None and fits.isdisjoint(_hands_left(told.left)):
        raise Refusal(
            "hand", f"is {told.hand or 'none of these'}, and what was said of other seats leaves no such hand"
        )
    if not seat.plays:
        return
    dealers = _dealers_hands(game, told)
    if told.result and not _compare(game, told.result, fits, dealers):
        hand = f"a {told.hand}" if told.hand else "this hand"
        raise Refusal("result", f"is {told.result}, which {hand} cannot be against this dealer's hand")
    if told.left is not None and not any(
        dealer in dealers and mine in fits for dealer, mine in _hands_compared(told.left, told.result)
    ):
        raise Refusal("result", f"is {told.result}, which cannot be beside what was said of other seats")


@lru_cache(maxsize=1024)
def _hands_left(left: frozenset[tuple[str, str, str]]) -> frozenset[str]:
    """What the seat's hand can be called by what was said of other seats."""
    return frozenset([mine for _, _, mine in left])


@lru_cache(maxsize=1024)
def _hands_compared(left: frozenset[tuple[str, str, str]], told: str) -> frozenset[tuple[str, str]]:
    """(the dealer's hand, the seat's) that can be with this result, "" for any, by what was said of other seats."""
    return frozenset([(dealer, mine) for result, dealer, mine in left if told in ("", result)])


def _hands_answered(game: Game, rules: Submission, seat: Seat, told: Told, answered: Iterable[str]) -> frozenset[str]:
    """What the seat's hand can be by the answers; one that was answered by none of the choices is no one of them."""
    asked = game.asks(rules, seat, told.result, told.qualifies).get("hand", ()) if "hand" in answered else ()
    return _hands(game, seat, told, _named(told.hand, asked))


def _hands(game: Game, seat: Seat, told: Told, mine: frozenset[str]) -> frozenset[str]:
    """What the seat's hand can be by its name, the rows of its own cards, and the dealer's hand."""
    return mine & game.hands_told(seat, told) & game.beside_the_dealer(told.qualifies)


def _dealers_hands(game: Game, told: Told) -> frozenset[str]:
    """What the dealer's hand can be. Raises Refusal where it cannot be what was said."""
    fits = game.dealers_hands[told.qualifies]
    if told.dealer_hand:
        if told.dealer_hand not in fits:
            raise Refusal("dealer_hand", f"is {told.dealer_hand}, and that decides whether the dealer qualifies")
        fits = frozenset({told.dealer_hand})
    fits &= game.dealers_told(told)
    if not fits:
        raise Refusal("qualifies", f"is {told.answer('qualifies')}, and a wager on the dealer's hand says otherwise")
    return fits


@lru_cache(maxsize=256)
def _compared(game: Game, result: str, dealer: str) -> frozenset[str]:
    """What a hand can be called that compares so with this one of the dealer's; any where no result is told."""
    return frozenset([mine for mine in ANY_HAND if not result or _compare(game, result, {mine}, {dealer})])


def _compare(game: Game, result: str, mine: Set[str], dealers: Set[str]) -> bool:
    """Some hands of these names compare so; two royal flushes are equal."""
    if result == "equal":
        return game.may_equal(mine, dealers)
    winners, losers = (mine, dealers) if result == "higher" else (dealers, mine)
    lowest = min(map(_PLACE, losers))
    return max(map(_PLACE, winners)) >= lowest < _TOP
