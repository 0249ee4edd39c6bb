"""The way forward from wherever a table stands: what a dealer who wants to play on presses, with whom beside him.

`find_way` presses on a copy of the table. In each phase it tries a few keys in their order and takes the first one that
is not refused; a refused press changes nothing, so trying costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from firmware.table import deciding, evidence, irregularity, opening, settling
from firmware.table import events as e
from firmware.table.interlock import machine_used
from firmware.table.state import Phase
from firmware.table.wagering import without_ante
from firmware.wire.structs import replace
from tests.table.table import DIAZ, OKAFOR, Table

PRESSES_MAX = 120
Press = tuple[str, str]
"""A word, and the badge whose PIN was right."""


class NoWay(AssertionError):
    """Nothing that a dealer and two floorpersons do leads back to open bets."""


def find_way(table: Table) -> tuple[Press, ...]:
    """The presses that lead to open bets and a bare screen once every neighbor is healthy; raises NoWay."""
    copy = _healthy(table)
    way: list[Press] = []
    while not (copy.state.phase is Phase.OPEN and not copy.panel):
        if len(way) == PRESSES_MAX:
            raise NoWay(f"{table.phase} leads to {copy.phase} and no further: {way}")
        copy.bank.listens()
        if copy.state.phase is Phase.OPEN and not copy.panel:
            break
        way.append(goes_on(copy, way[-1][0] if way else ""))
    return tuple(way)


def _healthy(table: Table) -> Table:
    """The same table for which somebody has looked after everything beside it."""
    copy = Table.again(table)
    copy.switch_on = True
    deck = copy.state.deck
    copy.shuffler = replace(
        table.shuffler,
        connected=True,
        unit=table.shuffler.unit or "S-1",
        mode="ready" if machine_used(copy.house, copy.state) else "empty",
        count=52 if machine_used(copy.house, copy.state) else 0,
        deck=deck.color if deck else "",
        fault="",
    )
    copy.bank = table.bank.copied_to(copy)
    copy.comes_back()
    return copy


def goes_on(table: Table, last: str = "") -> Press:
    """The first key of the phase that is not refused, pressed after `last`; raises NoWay where all are."""
    refused = []
    for word, by in _keys(table, last):
        if not table.offers(word, by):
            refused.append(f"{word}: not on the screen")
            continue
        happened = len(table.happened)
        table.press(word, by)
        if any(not isinstance(event, e.PressRefused) for event in table.happened[happened:]):
            _puts_the_next_deck_in(table)
            return word, by
        refused.append(f"{word}: {table.notice}")
    raise NoWay(f"at {table.phase}: {'; '.join(refused)}")


def _puts_the_next_deck_in(table: Table) -> None:
    """The machine holds the deck that is next."""
    deck = table.state.deck
    if deck and machine_used(table.house, table.state) and table.shuffler.deck != deck.color:
        table.shuffles(deck=deck.color)


def _keys(table: Table, last: str) -> Iterator[Press]:
    aside = bool(table.panel) or table.state.phase is Phase.HAND
    if aside and last == "undo":  # who takes back goes on taking back: to leave would be the next step to take back
        yield "undo", ""
    if key := _to_be_signed(table):
        panels = {"": ("problem", ""), "problem": (f"problem {key}", ""), f"problem {key}": ("apply", DIAZ)}
        yield panels.get(table.panel, ("back", ""))
    elif _another_unit(table):
        unit = table.state.neighbors.shuffler.unit
        yield NEW_UNIT.get(table.panel.removesuffix(f" {unit}"), ("back", ""))
    elif table.panel:
        yield from _on_a_panel(table)
    else:
        yield from WAYS[table.state.phase](table)


NEW_UNIT = {"": ("problem", ""), "problem": ("problem new-unit", ""), "problem new-unit": ("apply", DIAZ)}
"""Panel -> what leads to the acceptance of another shuffler."""


def _to_be_signed(table: Table) -> str:
    """What a machine has done to the round or to a deck, and a floorperson has to sign; "" for nothing."""
    house, state = table.house, table.state
    known = [one.key for one in irregularity.problems(house, state)]
    if irregularity.must_be_void(state):
        return next(key for key in ("shoe-fault", "shuffler-fault") if key in known)
    if not _seen(table):
        return ""
    if state.phase in (Phase.CLOSED, Phase.SHUFFLE):
        wrong = (f"remove-{number}" for number, _ in state.decks.miscounted)
        return next((key for key in wrong if key in known), "")
    if state.decks.miscount is not None and opening.undelivered(house, state):
        return "not-52" if "not-52" in known else "wrong-number"
    return ""


def _seen(table: Table) -> bool:
    """The shuffler has no alarm that nobody saw."""
    shuffler = table.state.neighbors.shuffler
    return shuffler.alarm <= shuffler.acknowledged


def _another_unit(table: Table) -> bool:
    """Somebody put another shuffler beside the table, and it stands in the way."""
    state = table.state
    undelivered = bool(opening.undelivered(table.house, state))
    waits = (state.phase in (Phase.CLOSED, Phase.SHUFFLE) and machine_used(table.house, state)) or undelivered
    return waits and _seen(table) and state.neighbors.shuffler.unit != state.decks.unit


Keys = Callable[[Table], Iterator[Press]]


def _simply(*words: str, by: str = "") -> Keys:
    return lambda _: iter([(word, by) for word in words])


def _closed(_table: Table) -> Iterator[Press]:
    yield "acknowledge", ""
    yield "fetch", ""


def _shuffle(table: Table) -> Iterator[Press]:
    yield "shuffled", ""
    yield from _closed(table)


def _shut(_table: Table) -> Iterator[Press]:
    yield "preinspected", ""
    yield "undo", ""


def _empty(table: Table) -> Iterator[Press]:
    yield f"emptied {opening.expected(table.state)}", ""


def _deal(_table: Table) -> Iterator[Press]:
    yield from ((word, "") for word in ("acknowledge", "recut", "dealt", "clear", "stub-right"))


def _supers(table: Table) -> Iterator[Press]:
    """Instant payouts are verified, then all Supers are settled."""
    yield "supers-settled", ""
    boxes = {number: seat.position for number, seat in table.state.numbered()}
    unverified = [number for number, box in boxes.items() if box.choice == "instant" and not box.called]
    if table.state.round.turn in unverified:
        yield ("cards" if table.house.level > 1 else "row straight flush"), ""
        yield f"row {boxes[table.state.round.turn].super_row}", ""  # a Super that was told of another hand
    yield from ((f"seat {number}", "") for number in unverified)


def _reveal(_table: Table) -> Iterator[Press]:
    yield from ((word, "") for word in ("dealer no", "stub-right", "dealer-row none", "cards"))


def _hand(table: Table) -> Iterator[Press]:
    """Where only cards lead on they are entered: an instant payout's, and those of a dealer who was backed."""
    entry = table.state.round.entry
    if len(entry.cards) == len(entry.want):
        yield "enter", ""
    if entry.want[0] == "first":
        seat = table.state.round.turn
        wanted = [rank + "cdhss"[seat - 1] for rank in ("98765" if seat == 5 else "AKQJT")]
    else:
        wanted = ["2c", "3d", "4h", "4c", "3h"]
    if entry.want[0] != "first" and not (entry.want[0] == "dealer" and table.house.game.declared):
        yield "cancel", ""
    elif len(entry.cards) < len(entry.want):
        card = wanted[entry.slot] if entry.slot < len(wanted) else "2s"
        yield (f"suit {card[1]}" if entry.rank else f"rank {card[0]}"), ""
    yield "cancel", ""


def _settle(table: Table) -> Iterator[Press]:
    """Answer what is asked, low and high; who is answered is settled; then clear."""
    choices = settling.question(table.house, table.state)[1]
    yield from ((f"answer {choice or 'none'}", "") for choice in reversed(choices))
    known = evidence.waiting(table.house, table.state)  # what known cards win is named before its seat is settled
    yield from ((one.press, "") for one in known if one.seat == table.state.round.turn)
    if known and not table.state.round.turn:
        yield f"seat {known[0].seat}", ""
    picked = f"seat {table.state.round.turn}"  # a seat that was picked is tapped again
    yield from ((word, "") for word in ("settled", "look", "clear", "stub-right", picked))
    if table.state.round.turn in settling.correctable(table.state):
        yield "problem", ""  # what was answered contradicts itself: the floorperson has the seat settled again
    yield "undo", ""


def _on_a_panel(table: Table) -> Iterator[Press]:
    """Away from it; where a seat is in question the floorperson first has it settled again."""
    turn = table.state.round.turn
    if table.state.phase is Phase.SETTLE and turn in settling.correctable(table.state):
        again = {
            "problem": ("problem correct", ""),
            "problem correct": (f"correct {turn}", ""),
            f"problem {turn} correct": (f"correct {turn} wrong-result", DIAZ),
        }
        yield from (press for panel, press in again.items() if panel == table.panel)
    yield "back", ""


def _ask(table: Table) -> Iterator[Press]:
    """Who is not tapped is silent, but for the one seat that is asked alone."""
    yield "next", ""
    if number := deciding.elects_alone(table.state):
        yield ("choose bet" if table.state.round.turn == number else f"seat {number}"), ""


def _validate(table: Table) -> Iterator[Press]:
    """Back; what known cards win would be asked for again, until a floorperson finds that it does not win."""
    turn = table.state.round.turn
    prize = table.state.seat(turn).prize
    if prize and evidence.known_five(table.state, turn, prize.wager):
        yield "not-a-winner", DIAZ
    yield "cancel", ""


def _hold(table: Table) -> Iterator[Press]:
    prize = table.state.seat(table.state.round.turn).prize
    assert prize is not None
    yield "claim-rejected", next(badge for badge in (DIAZ, OKAFOR) if badge not in prize.by)


def _count(table: Table) -> Iterator[Press]:
    yield f"count {len(table.state.wagers)}", ""


def _difference(table: Table) -> Iterator[Press]:
    """The chips are counted again; a lit seat without an Ante is tapped, and its Ante lies there (653a.7(d)(3))."""
    if len(table.state.wagers) == table.state.round.chips:
        for number in without_ante(table.house, table.state)[:1]:
            yield (f"box {number}" if table.state.round.question == number else f"seat {number}"), ""
    yield "recount", ""


WAYS: Mapping[Phase, Keys] = {
    Phase.SHUT: _shut,
    Phase.INSPECT: _simply("inspected"),
    Phase.VERIFY: _simply("verify", by=DIAZ),
    Phase.SPREAD: _simply("looked"),
    Phase.WASH: _simply("stacked"),
    Phase.SHUFFLE: _shuffle,
    Phase.CUT: _simply("cut"),
    Phase.IDLE: _simply("looked"),
    Phase.EMPTY: _empty,
    Phase.CLOSED: _closed,
    Phase.OPEN: _simply("back"),
    Phase.COUNT: _count,
    Phase.DIFFERENCE: _difference,
    Phase.DEAL: _deal,
    Phase.ASK: _ask,
    Phase.SUPERS: _supers,
    Phase.DRAW: _simply("bets", "folds"),
    Phase.REVEAL: _reveal,
    Phase.HAND: _hand,
    Phase.SETTLE: _settle,
    Phase.CARDS: _simply("cancel"),
    Phase.VALIDATE: _validate,
    Phase.PRICE: _simply(),  # only the bank's price leads on
    Phase.HOLD: _hold,
    Phase.PAY: _simply("paid"),
    Phase.ENVY: _simply("envy-paid", by=DIAZ),
    Phase.VOID: _simply("clear", "stub-right", "winners"),
}
"""What leads on in each phase, the best key first."""
