"""The seats on the dealer's screens: what lies there, what its lamp shows, what the player decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import Cents
from firmware.table.house import House
from firmware.table.inputs import Pressed
from firmware.table.offers import offer
from firmware.table.projections import shares_paid, still_out
from firmware.table.state import Phase, Prize, Seat, Sensor, TableState
from firmware.wire.structs import replace
from ui.dealer.frame import Area, Frame
from ui.dealer.pieces import center, joined, lit_wagers, money, prize_money, short_money
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget

HANDS_BACKED: Mapping[str, Message] = {"own": say("seat.own"), "dealer": say("seat.dealer")}
"""The owner of the five cards that a wager is on."""


def tiles(state: TableState, one: Callable[[int, Seat], Widget]) -> Iterator[Widget]:
    """Every seat, from the dealer's left."""
    for number, seat in state.numbered():
        yield one(number, seat)


def tile(
    frame: Frame,
    state: TableState,
    number: int,
    *words: Line,
    press: str = "",
    border: Tone | None = None,
    area: Area | None = None,
    done: bool = False,
) -> Widget:
    """One seat: its number, its lamp, its word, and below it an amount. A tick says that it is `done`, and nothing else.

    `area`: less than its place, where a key stands below it.
    """
    at = area or frame.seat(number, len(state.round.seats))
    named = Line(f"{number} ✓", "strong", Tone.DONE) if done else Line(str(number), "strong", Tone.MUTED)
    shape, tone = lamp(state, number)
    return Widget(
        f"seat-{number}", at.x, at.y, at.w, at.h, (named, *words), shape, tone,
        "key" if press else "tile" if words else "", border, press, group="seats", slotted=True,
    )  # fmt: skip


def short_tile(
    frame: Frame,
    state: TableState,
    number: int,
    word: Text,
    *below: Text,
    tone: Tone = Tone.PLAIN,
    press: str = "",
    border: Tone | None = None,
    done: bool = False,
) -> Widget:
    """A seat that leaves room for a larger work area. `tone`: of its word. `below`: each in a row of its own."""
    lines = (center(word, "key", tone), *(center(text, "body") for text in below if text))
    area = frame.seat(number, len(state.round.seats), short=True)
    return tile(frame, state, number, *lines, press=press, border=border, area=area, done=done)


def lamp(state: TableState, number: int) -> tuple[Shape, Tone]:
    """The lamp of a seat: the same on every screen. A chip that is late, that lies there since an earlier round, or that no
    sensor sees has a shape of its own; a table without a progressive wager has none.
    """
    seat = state.seat(number)
    if not state.program.progressive:
        return Shape.NONE, Tone.OFF
    sensor = _worst(state, number)
    if lit_wagers(state, seat):
        return Shape.DISC, Tone.MONEY
    if seat.late:
        return Shape.TRIANGLE, Tone.CAUTION
    if sensor.dead:
        return Shape.DASH, Tone.OFF
    return (Shape.ALERT, Tone.STOP) if _is_no_bet(state, sensor) else (Shape.RING, Tone.OFF)


def _is_no_bet(state: TableState, sensor: Sensor) -> bool:
    """A chip that is no wager: it has lain there since before the last lock, or nothing is recognized here."""
    return sensor.covered and state.phase is Phase.OPEN and (sensor.before_lock or sensor.ignored)


MARKS_H, MARKS_GAP_MM = 8.0, 0.5
"""Height of all seats in one narrow row."""


def marks(state: TableState, area: Area) -> Iterator[Widget]:
    """Every seat as a number and the shape of its lamp, where a screen for somebody else has no room for tiles."""
    for (number, seat), at in zip(state.numbered(), area.columns(len(state.round.seats), MARKS_GAP_MM), strict=True):
        shape, tone = _mark(state, seat)
        words = (center(str(number), "label"),)
        edge = in_turn(state, number)
        yield Widget(f"mark-{number}", at.x, at.y, at.w, at.h, words, shape, tone, "tile", edge, group="marks")


def _mark(state: TableState, seat: Seat) -> tuple[Shape, Tone]:
    if seat.wager:
        return Shape.DISC, Tone.MONEY
    if seat.late:
        return Shape.TRIANGLE, Tone.CAUTION
    if seat.position.plays:
        return Shape.TICK, Tone.DONE
    return (Shape.DASH if state.program.level else Shape.RING), Tone.OFF


def empty_tile(frame: Frame, state: TableState, number: int) -> Widget:
    """A seat at which nobody plays: its number."""
    return tile(frame, state, number, area=frame.seat(number, len(state.round.seats), short=True))


def in_turn(state: TableState, number: int) -> Tone | None:
    """The border of the seat whose turn it is."""
    return Tone.NEXT if number == state.round.turn else None


def lamp_tile(
    frame: Frame, house: House, state: TableState, number: int, seat: Seat, press: str = "", border: Tone | None = None
) -> Widget:
    """A seat as its lamp is: word, shape and color say the same. The players and their stakes are said as well."""
    if state.program.level or not state.program.progressive or house.submission.by_account:
        return stakes_tile(frame, house, state, number, seat, press, border)
    return tile(frame, state, number, *_of_lamp(state, number), press=press, border=border or _alert(state, number))


def _alert(state: TableState, number: int) -> Tone | None:
    """The border of a lamp that wants a look."""
    shape, tone = lamp(state, number)
    return tone if shape in (Shape.TRIANGLE, Shape.ALERT) else None


def _of_lamp(state: TableState, number: int) -> Iterator[Line]:
    """The words of a lamp; none of a dark one."""
    seat, sensor = state.seat(number), _worst(state, number)
    if lit := lit_wagers(state, seat):
        yield center(say("seat.bet", what=lit), "key", Tone.MONEY)
        if sensor.dead:
            yield center(say("seat.by-hand"), "body")
    elif seat.late:
        yield center(say("seat.late"), "key", Tone.CAUTION)
        yield center(say("seat.return") if sensor.covered else say("seat.returned"), "body")
        yield center(_when(seat.late[0][1]), "small", Tone.MUTED)
    elif sensor.dead:
        yield center(say("seat.sensor"), "strong", Tone.MUTED)
        yield center(say("seat.failed"), "body", Tone.MUTED)
    elif _is_no_bet(state, sensor):
        yield center(say("seat.old-chip") if sensor.before_lock else say("seat.no-bet-here"), "key", Tone.STOP)
        yield center(say("seat.take-it-off"), "body")


def _when(late_ms: int | None) -> Message:
    """How long after the lock a chip came."""
    if late_ms is None:
        return say("seat.came-late")
    if abs(late_ms) < 1_000:
        return say("seat.ms-after", ms=late_ms)
    return say("seat.s-after", ms=late_ms)


def stakes_tile(
    frame: Frame,
    house: House,
    state: TableState,
    number: int,
    seat: Seat,
    press: str = "",
    border: Tone | None = None,
    area: Area | None = None,
) -> Widget:
    """The stakes, the lamp, the Five Card Hand wagers and the account, together."""
    words = [*_stakes(house, seat)] if state.program.level else []
    edge = border
    if state.program.progressive:
        of_lamp = [*_of_lamp(state, number)]
        words += [replace(line, size="body") for line in of_lamp[:2]] if words else of_lamp
        edge = border or _alert(state, number)
    if house.submission.by_account and area is None:
        words += _five_card(state, number, seat)
    return tile(frame, state, number, *words, press=press, border=edge, area=area)


def _worst(state: TableState, number: int) -> Sensor:
    """The sensor of a seat that needs the most attention."""
    return max(state.sensors(number), key=lambda one: (one.dead, one.ignored, one.before_lock, one.covered))


def _stakes(house: House, seat: Seat) -> Iterator[Line]:
    """The first wager of a seat that plays, and the sum of its side wagers."""
    if not seat.position.plays:
        return
    sides = sum(stake for wager, stake in seat.position.stakes if wager not in house.game.along_with_base)
    yield center(short_money(seat.position.base), "key")
    if sides:
        yield center(f"+ {short_money(sides)}", "body")


def _five_card(state: TableState, number: int, seat: Seat) -> Iterator[Line]:
    hands = [HANDS_BACKED[hand] for hand in seat.five_card]
    if hands:
        shown = joined(hands, " + ") if len(hands) > 1 else say("seat.five-card", hand=hands[0])
        yield center(shown, "small", Tone.MONEY)
    account = state.felt.accounts[number - 1] if number <= len(state.felt.accounts) else 0
    if account and not hands:
        yield center(say("seat.account", amount=account), "small", Tone.MUTED)


def winner_tile(frame: Frame, house: House, state: TableState, number: int, seat: Seat) -> Widget:
    """A seat while progressive prizes are paid."""
    prize, press = seat.prize or _shared_with(state, number), f"seat {number}"
    border = in_turn(state, number)
    if prize is not None and prize.status in ("paid", "rejected"):
        paid = prize.status == "paid"
        words = (
            center(say("seat.paid") if paid else say("seat.rejected"), "key", Tone.DONE if paid else Tone.STOP),
            center(_part_of(prize, number), "small"),
        )
        return tile(frame, state, number, *words, press=press, border=border, done=paid)
    return lamp_tile(frame, house, state, number, seat, press=press, border=border)


def _shared_with(state: TableState, number: int) -> Prize | None:
    """A share that was paid to all who backed the dealer's hand, this seat among them (653a.12(e)(2)); None for none."""
    prizes = (prize for seat in state.round.seats for prize in seat.prizes if prize.status == "paid")
    return next((prize for prize in prizes if any(one.seat == number for one in prize.payments)), None)


def _part_of(prize: Prize, number: int) -> str:
    """This seat's part of a prize; its share of a divided one."""
    parts = [one.payout for one in prize.payments if one.seat == number]
    return money(Cents(sum(parts))) if parts else prize_money(prize)


def can_be_tapped(house: House, state: TableState, number: int) -> bool:
    """A tap on this seat means something now."""
    return offer(house, state, Pressed(f"seat {number}")).lit


def taken_back_words(paid: tuple[tuple[int, int], ...]) -> Message:
    """Something was paid, and the round is void: what comes back from the players; nothing where nothing was paid."""
    seats = [say("void.of-seat", seat=number, amount=cents) for number, cents in paid]
    return say("void.take-back", seats=joined(seats)) if seats else NOTHING


def stays_words(state: TableState) -> Message:
    """Payments of the cage that no void round takes back: the seat and the amount; nothing if there are none."""
    cents: dict[int, int] = {}
    for one in shares_paid(state):
        cents[one.seat] = cents.get(one.seat, 0) + one.payout
    seats = [say("void.of-seat", seat=number, amount=amount) for number, amount in cents.items()]
    return say("void.stays", seats=joined(seats)) if seats else NOTHING


def not_taken_back(state: TableState) -> Message:
    """Money that a correction undid and that was not settled since: it comes back from these seats; nothing for none."""
    undone = ((n, still_out(seat.position)) for n, seat in state.numbered())
    return taken_back_words(tuple(one for one in undone if one[1]))
