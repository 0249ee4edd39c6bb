"""The law of hands' view of a table: the one place where a state becomes `firmware.rules.known.Known`.

Money that was settled, the seat in turn, panels and neighbors are no part of it; of prizes only the hands that they name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.rules.games.game import Game
from firmware.rules.known import Known, Said
from firmware.rules.payline import dealer_of_cards
from firmware.rules.seat import DEALER, Choice
from firmware.rules.wager import FIVE_CARD, SettledBy
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.state import Position, Prize, PrizeStatus, Seat, TableState

DEALERS_HAND = FIVE_CARD[1]


@kept
def known_of(house: House, state: TableState) -> Known:
    """All that is known at this table."""
    round_, game = state.round, house.game
    void, named = bool(round_.void_cite), _hands_named(state)
    seats = [
        (number, _said(house, state, number, named.get(number, ())))
        for number, seat in state.numbered()
        if number in named or game.declared or seat.position.called or seat.position.cards
    ]
    return Known(
        qualifies=None if void else round_.qualifies,
        # Without a board each hand's cards are entered at level 2, though the dealer's hand decides it already.
        hand=dealers_name(house, state) if state.program.level == 1 or game.has_board else "",
        row=round_.dealer_row,
        prizes=named.get(DEALER, ()),
        still=round_.settled_anyway if void else None,
        board=round_.board,
        dealer=() if void else round_.dealer,
        six=round_.six_card,
        seats=tuple([(number, said) for number, said in seats if said.is_evidence]),
    )


@kept
def known_at(house: House, state: TableState, number: int) -> tuple[Known, Said]:
    """The known facts beside a seat, and the words about it."""
    known = known_of(house, state)
    said = dict(known.seats).get(number)
    return (known.beside(number), said) if said else (known, _said(house, state, number, ()))


def _said(house: House, state: TableState, number: int, prizes: tuple[str, ...]) -> Said:
    game, position = house.game, state.seat(number).position
    choice = position.choice
    if state.round.void_cite and not position.left:
        choice = Choice.FOLD  # what is still settled of a void round is told like a fold
    unchanged = bool(position.first) and choice is Choice.PLAY and not position.option
    return Said(
        choice=choice,
        wagers=tuple([wager for wager, _ in position.stakes]),
        option=position.exchanged if position.option else None,
        declared=bool(position.super_row) or not declared_wagers(game, position),
        number=number if game.declared else 1,
        answers=position.called,
        rows=_rows_declared(game, state, position) if game.declared else (),
        cards=position.cards or (position.first if unchanged else ()),
        first=position.first,
        prizes=prizes,
    )


def declared_wagers(game: Game, position: Position) -> tuple[str, ...]:
    """The wagers on the own hand that its player has to declare."""
    return tuple([wager for wager, _ in position.stakes if wager in game.settled_by(SettledBy.DECLARED)])


def _rows_declared(game: Game, state: TableState, position: Position) -> tuple[tuple[str, str], ...]:
    """(wager, row) of every wager on a declared hand that wins: the seat's own, another seat's, or the dealer's."""
    on_hand = [(wager, wager.partition(":")[2]) for wager, _ in position.stakes if game.is_declared(wager)]
    rows = [
        (
            wager,
            state.round.dealer_row if on == "dealer" else (state.seat(int(on)).position if on else position).super_row,
        )
        for wager, on in on_hand
    ]
    return tuple([(wager, row) for wager, row in rows if row])


def dealers_name(house: House, state: TableState) -> str:
    """The name of the dealer's hand, as it was announced or by its cards; "" if nobody knows."""
    round_ = state.round
    if round_.dealer_hand or not round_.dealer or round_.void_cite:
        return round_.dealer_hand
    return dealer_of_cards(house.submission, round_.board, round_.dealer)[0]


# Hands that prizes name ---------------------------------------------------------------------------------------------------


def _hands_named(state: TableState) -> Mapping[int, tuple[str, ...]]:
    """Holder of two cards, a seat or the dealer -> their names with the flop, in every prize that says so."""
    found: dict[int, tuple[str, ...]] = {}
    for (number, wager), hand in named(state):
        who = holder(number, wager)
        found[who] = (*found.get(who, ()), hand)
    return found


def holder(number: int, wager: str) -> int:
    """On whose two cards this wager of a seat wins."""
    return DEALER if wager == DEALERS_HAND else number


def named(state: TableState) -> Iterator[tuple[tuple[int, str], str]]:
    """((seat, wager or "" for a hand that brings envy), hand) of everything that says what somebody's five cards are."""
    for number, seat in state.numbered():
        yield from (((number, prize.wager), prize.hand) for prize in seat.prizes if speaks(seat, prize))
    for credit in state.round.credits:
        if credit.hand:
            yield (credit.payment.seat, credit.payment.wager), credit.hand
    for number, hand in state.round.envied_by.items():
        if not state.seat(number).share_is_no_evidence:
            yield (number, ""), hand


def speaks(seat: Seat, prize: Prize) -> bool:
    """It says what the cards are: it was not rejected, nor is it a paid share that a floorperson signed as wrong.

    Nothing takes a paid share back, and it keeps nobody from the prizes of the own cards for good.
    """
    return prize.status != PrizeStatus.REJECTED and not (seat.share_is_no_evidence and is_paid_share(prize))


def is_paid_share(prize: Prize) -> bool:
    """The bank paid it: no correction undoes it."""
    return bool(prize.meter) and prize.status == PrizeStatus.PAID


def same_hand(one: tuple[int, str], other: tuple[int, str]) -> bool:
    """(seat, wager) of two different wagers that win on the same cards: a seat's own, or the dealer's."""
    own = one[0] == other[0] and DEALERS_HAND not in (one[1], other[1])
    return one != other and (own or one[1] == other[1] == DEALERS_HAND)
