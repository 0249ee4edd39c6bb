"""The table's settlement against the law's own of the whole round."""

from __future__ import annotations

from collections import Counter
from typing import Any

from firmware.proof.simulation.hands import Cards
from firmware.rules.money import dollars
from firmware.rules.payment import Payment
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.table.house import House
from firmware.table.projections import positions_of_one
from firmware.table.state import TableState


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
            wagered.update(dict.fromkeys(house.game.fees, box.base))
        lines = [line for line in (*box.lines, *box.final) if line.stake and not _of_meter(house, line)]
        settled = Counter({line.wager: line.stake for line in lines})
        if settled != wagered or len(settled) != len(lines):
            raise Wrong(f"seat {number} wagered {dict(wagered)}, settled were {lines}")


def _of_meter(house: House, line: Payment) -> bool:
    """A share on the dealer's hand that is paid at its backer's turn is followed by the auditor."""
    kind = house.game.wagers.get(line.wager.partition(":")[0])
    return kind is not None and kind.of_meter


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
            if not _of_meter(house, one)
        )
        law = sorted(
            (one.wager, str(one.result), one.stake, one.returned, one.payout) for one in paid if one.seat == number
        )
        if seat.position.choice == "abandoned":  # the contract's round cannot say the stakes of a player who left
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
        if len(of_one := positions_of_one(state, number)) > 1:
            seat["player"] = str(of_one[0])
        seats[str(number)] = seat
    dealt: dict[str, Any] = {"dealer": list(cards.dealer)}
    if cards.board:
        dealt["board"] = list(cards.board)
    if cards.six:
        dealt["six_card"] = list(cards.six)
    return {"rules": {}, "cards": dealt, "seats": seats} if seats else None
