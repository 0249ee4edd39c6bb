"""The right settlement of a round (`account`): it is written as a round's file and settled as `felt settle` does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from firmware.proof.simulation.account_books import Books
from firmware.proof.simulation.hands import instant_row
from firmware.rules.games.game import Game
from firmware.rules.money import Cents, Micros, dollars, meter_dollars
from firmware.rules.payment import Payment, Source
from firmware.rules.round import parse_round
from firmware.rules.seat import Round
from firmware.rules.settlement import settle
from firmware.rules.submission import Submission
from firmware.rules.wager import FIVE_CARD, PROGRESSIVE

Written = dict[str, Any]


class AtTable(NamedTuple):
    """The table of the round."""

    books: Books
    submission: Submission
    game: Game
    level: int
    seats: int


class Right(NamedTuple):
    """A settled round. `extra`: by seat, what a player who left had put up since the deal, which no file can say."""

    payments: tuple[Payment, ...]
    meters: Mapping[str, Micros]
    extra: Mapping[int, int]


def right_of(at: AtTable) -> Right | None:
    """The settlement of this round; None if nobody was dealt a hand.

    Shares that were paid in a void round stay, with the wagers that won them, and so do the round's contributions (reading
    7 of the procedures): that part is right as it was before.
    """
    right = _right_of(at)
    won = {(one.seat, one.wager) for one in at.books.moves if one.why == "claim"}
    if right is None or not (at.books.void and won):
        return right
    before = at.books.copy()
    before.void = ()
    whole = _right_of(AtTable(before, *at[1:]))
    assert whole is not None, "the same hands"
    stay = tuple(one for one in whole.payments if (one.seat, one.wager) in won)
    back = tuple(one for one in right.payments if (one.seat, one.wager) not in won)
    return Right((*stay, *back), whole.meters, right.extra)


def _right_of(at: AtTable) -> Right | None:
    books = at.books
    seats = {str(seat): written for seat in _dealt(at) if (written := _seat(at, seat))}
    if books.cards is None or not seats:
        return None
    cards = books.cards
    dealt: Written = {"dealer": list(cards.dealer)}
    dealt |= {"board": list(cards.board)} if cards.board else {}
    dealt |= {"six_card": list(cards.six)} if cards.six else {}
    file: Written = {"rules": {}, "cards": dealt, "seats": seats, "irregularity": list(books.void)}
    if books.lit or books.pushed:
        file["meters"] = {name: meter_dollars(stands) for name, stands in books.meters.items()}
        bonuses = {bonus for offer in at.submission.offers.values() for bonus in offer.drawn}
        drawn = {"magic_card": cards.rest[0]} if "magic_card" in bonuses else {}
        drawn |= {"lucky": "dealer"} if "lucky_bonus" in bonuses else {}
        file |= {"drawn": drawn} if drawn else {}
    magic, lucky = books.drawn
    round_ = replace(parse_round(file, at.submission), magic_card=magic or None, lucky=lucky)
    settled = settle(round_)
    stands = settle(_without_rejected(at, round_)) if books.rejected and not books.void else settled
    meters = stands.meters if "meters" in file else {}
    shares = {(one.seat, one.wager): one for one in stands.payments if one.source is Source.CAGE}
    payments = tuple(
        shares.get((one.seat, one.wager), one) if one.source is Source.CAGE else one
        for one in settled.payments
        if not _was_rejected(at, one)
    )
    return Right(payments, meters, _extra(at))


def _dealt(at: AtTable) -> list[int]:
    """The seats with a hand: those who play; at assist level 0 every seat, for nobody says who does."""
    return sorted(at.books.boxes) if at.level else list(range(1, at.seats + 1))


def _seat(at: AtTable, seat: int) -> Written:
    books, game = at.books, at.game
    cards = books.cards
    if cards is None or seat not in cards.first:
        return {}
    stakes = books.boxes[seat] if at.level else game.default_stakes(at.submission)
    wagers: Written = {wager: dollars(Cents(stake)) for wager, stake in stakes.items() if ":" not in wager}
    if backed := {wager.partition(":")[2]: dollars(Cents(stake)) for wager, stake in stakes.items() if ":" in wager}:
        wagers[next(name for name, one in game.wagers.items() if one.backs)] = backed
    made = [PROGRESSIVE] if seat in books.lit else []
    made += [FIVE_CARD[hand == "dealer"] for number, hand in sorted(books.pushed) if number == seat]
    wagers |= {wager: dollars(at.submission.offers[wager].wager) for wager in made}
    written: Written = {"cards": list(cards.first[seat]), "wagers": wagers}
    if books.joined & {seat, seat + 1}:
        written["player"] = holder(books, seat)
    return written | _decided(at, seat)


def holder(books: Books, seat: int) -> str:
    """The holder of this box, by the holder's first one: a player's limit covers all boxes (677a.12(f))."""
    while seat in books.joined:
        seat -= 1
    return str(seat)


def _decided(at: AtTable, seat: int) -> Written:
    """The decision, and what was drawn and declared. In a void round it may be absent."""
    books, game, cards = at.books, at.game, at.books.cards
    assert cards is not None, "a decision without cards"
    if not at.level:
        owed = game.elections and instant_row(at.submission, tuple(cards.first[seat]))  # no other decision may be
        return {"decision": "abandoned" if seat in books.left else "instant" if owed else "fold"}
    choice = books.choices.get(seat)
    said: Written = {}
    if game.elections:
        said["declared"] = cards.declared.get(seat, True)
        if seat in cards.options and seat in books.fees:
            said["option"] = cards.options[seat]
    if seat in books.left:
        return said | {"decision": "abandoned"}
    if choice is None or choice.kind == "option":
        return said if books.void else said | {"decision": "fold"}
    if not game.elections and choice.kind == "play":
        return said | {"decision": {"at": choice.at, "wager": dollars(Cents(choice.amount))}}
    names = {one.choice: one.name for one in game.elections.values() if not one.is_option}
    return said | {"decision": names.get(choice.kind, choice.kind)}


def _extra(at: AtTable) -> Mapping[int, int]:
    """Lines that no file can say: the wager of a decision or the fee of a player who left, or a void round's fee without a
    drawn card. It is lost, or returned if the round is void.
    """
    books = at.books
    lay = {seat: one.amount for seat, one in books.choices.items() if seat not in books.fees}
    waits = {seat for seat, one in books.choices.items() if books.void and one.kind == "option"}
    return {seat: lay[seat] for seat in lay if seat in books.left | waits}


# Claims that a second person rejected ----------------------------------------------------------------------------------


def _was_rejected(at: AtTable, one: Payment) -> bool:
    """A share that was found to be no winner, and the envy that its hand would have brought."""
    rejected = at.books.rejected
    if one.source is Source.CAGE:
        dealers = one.wager == FIVE_CARD[1] and any(wager == FIVE_CARD[1] for _, wager in rejected)
        return dealers or (one.seat, one.wager) in rejected
    return one.wager == "envy" and (one.for_seat, PROGRESSIVE) in rejected


def _without_rejected(at: AtTable, round_: Round) -> Round:
    """A rejected share never left its meter: the shares after it are of all that stands there (653a.12(d)(4))."""
    rejected = set(at.books.rejected)
    if any(wager == FIVE_CARD[1] for _, wager in rejected):
        rejected |= {(number, FIVE_CARD[1]) for number in round_.seats}
    seats = {
        number: replace(
            seat, wagers={name: stake for name, stake in seat.wagers.items() if (number, name) not in rejected}
        )
        for number, seat in round_.seats.items()
    }
    return replace(round_, seats=seats)
