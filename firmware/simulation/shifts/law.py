"""What the table did, against the law's own settlement of the whole round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from firmware.rules.games.registry import game_of
from firmware.rules.meter_wagers import FIVE_CARD, LUCKY, MAGIC_CARD, PROGRESSIVE
from firmware.rules.money import Micros, dollars, meter_dollars
from firmware.rules.payment import Payment, StandingMeters
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.simulation.hands import Cards
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.pricing import meter_seat
from firmware.table.state import PrizeStatus, TableState

OF_METERS = frozenset({PROGRESSIVE, "envy", *FIVE_CARD, *MAGIC_CARD.values(), *LUCKY.values()})
STANDS = Micros(12_345_678_900)
"""Micro-dollars on every meter when a round of a shift begins."""


class Wrong(AssertionError):
    """The table did something that it may never do."""


def check_chips(house: House, state: TableState) -> None:
    """Every chip that was wagered went somewhere, once, and as the whole round's settlement says."""
    for number, seat in state.numbered():
        box = seat.position
        if not box.plays:
            continue
        wagered = Counter(dict(box.stakes))
        if box.decision.choice == "play" and box.played:
            wagered[house.procedure.street(box.decision.street).wager] = box.played
        if box.decision.option:
            wagered.update(dict.fromkeys(house.game.fees, box.ante))
        lines = [line for line in (*box.lines, *box.final) if line.stake]
        settled = Counter({line.wager: line.stake for line in lines})
        if settled != wagered or len(settled) != len(lines):
            raise Wrong(f"seat {number} wagered {dict(wagered)}, settled were {lines}")


def compare(house: House, state: TableState, cards: Cards) -> bool:
    """The same lines as the law's own settlement of the whole round; False where there is none to compare."""
    document = _round_file(house, state, cards)
    if document is None:
        return False
    paid = settle(parse_round(document, house.submission)).payments
    for number, seat in state.numbered():
        if not seat.position.plays:
            continue
        ours = sorted(
            (one.wager, one.result, one.stake, one.returned, one.payout)
            for one in (*seat.position.lines, *seat.position.final)
        )
        law = sorted(
            (one.wager, str(one.result), one.stake, one.returned, one.payout) for one in paid if one.seat == number
        )
        if seat.position.choice == "abandoned":  # the contract's round cannot say what he had put up before he left
            ours = [line for line in ours if line[0] in [one[0] for one in law]]
        if ours != law:
            raise Wrong(f"seat {number}: {ours}, and the law says {law}; {document}")
    return True


def _round_file(house: House, state: TableState, cards: Cards) -> dict[str, Any] | None:
    """The round as a file: None where the table need not know all that a file says."""
    seats: dict[str, Any] = {}
    elections = house.game.elections.values()
    decisions = {one.choice: one.name for one in elections if not one.is_option}
    for number in state.players:
        box = state.seat(number).position
        wagers: dict[str, Any] = {w: dollars(s) for w, s in box.stakes if ":" not in w}
        backed = {w.partition(":")[2]: dollars(s) for w, s in box.stakes if ":" in w}
        if backed:
            wagers[next(name for name, one in house.game.wagers.items() if one.backs)] = backed
        seat: dict[str, Any] = {"cards": list(cards.first[number]), "wagers": wagers}
        if box.option:
            seat["option"] = cards.options[number]
        if elections:
            seat["decision"] = decisions.get(box.choice, str(box.choice))
            seat["declared"] = cards.declared[number]
        elif box.choice == "play":
            seat["decision"] = {"at": box.street, "wager": dollars(box.played)}
        else:
            seat["decision"] = str(box.choice)
        seats[str(number)] = seat
    dealt: dict[str, Any] = {"dealer": list(cards.dealer)}
    if cards.board:
        dealt["board"] = list(cards.board)
    if cards.six:
        dealt["six_card"] = list(cards.six)
    return {"rules": {}, "cards": dealt, "seats": seats} if seats else None


# Wagers with a meter, at every assist level ----------------------------------------------------------------------------


def fresh_meters(house: House) -> StandingMeters:
    """The bank's meters when a round begins, with its contributions."""
    return StandingMeters(dict.fromkeys(house.submission.meters, STANDS))


def compare_meters(
    house: House, state: TableState, cards: Cards, envy: Iterable[Payment], end: tuple[e.Event, ...]
) -> bool:
    """Every payment of a wager with a meter, field by field, as the law settles the whole round from its cards.

    `state`: before the round was cleared. `envy`: what was paid of it in the round. `end`: what the clearing brought.
    False where there is nothing to compare, or where somebody rejected a hand that the cards make.
    """
    prizes = [prize for seat in state.round.seats for prize in seat.prizes]
    document = _meter_file(house, state, cards)
    if document is None or any(prize.status == PrizeStatus.REJECTED for prize in prizes):
        return False
    ours = [one for prize in prizes if prize.status == PrizeStatus.PAID for one in prize.payments]
    ours = [one for one in ours if one not in state.round.credited] + [*state.round.credited, *envy]
    for event in end:
        ours += [event.payment] if isinstance(event, e.AccountCredited) else []
        ours += event.lost if isinstance(event, e.RoundCleared) else ()
    round_ = parse_round(document, house.submission)
    drawn = {"magic_card": state.round.magic_card or None, "lucky": state.round.lucky}
    paid = settle(replace(round_, **drawn)).payments  # type: ignore[arg-type]
    law = [one for one in paid if one.wager in OF_METERS and (one.for_seat is None or state.seat(one.for_seat).wager)]
    if sorted(map(repr, ours)) != sorted(map(repr, law)):
        raise Wrong(f"meters: {ours}, and the law says {law}; {document}")
    return True


def _meter_file(house: House, state: TableState, cards: Cards) -> dict[str, Any] | None:
    """The seats with such a wager as a round's file: what they did in the game does not matter to it."""
    rules, seats = house.submission, {}
    for number, _ in state.numbered():
        seat = meter_seat(house, state, number)
        if seat.wagers:
            stakes = {**game_of(rules.book.name).default_stakes(rules), **seat.wagers}
            wagers = {wager: dollars(stake) for wager, stake in stakes.items()}
            decision = "abandoned" if seat.abandoned else "fold"
            seats[str(number)] = {"cards": list(cards.hands[number]), "wagers": wagers, "decision": decision}
    meters = dict.fromkeys(rules.meters, meter_dollars(STANDS))
    dealt = {"dealer": list(cards.dealer), "board": list(cards.board)}
    drawn = {"magic_card": cards.rest[0], "lucky": "dealer"} if rules.five_card_hand else {}
    return {"rules": {}, "cards": dealt, "meters": meters, "drawn": drawn, "seats": seats} if seats else None
