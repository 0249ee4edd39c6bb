"""A prize of a meter: cards, validation, claim, payment, envy; 653a.11(k), (l) and .12(d), (e)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from firmware.rules.payment import Source
from firmware.table import jackpot
from firmware.table.house import House
from firmware.table.projections import why_off
from firmware.table.state import HAND_CARDS, Prize, Seat, TableState
from ui.dealer.frame import HAND_MM, Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    back_key,
    bar,
    card_pad,
    card_slots,
    centre,
    hand_of_cards,
    key,
    label,
    money,
    nothing_yet,
    notice,
    paid_from,
    person_name,
    pin_pad,
    primary,
    prize_money,
    prompt,
    recipe,
    refusal,
    short_money,
    work,
)
from ui.dealer.seats import lamp_tile, tile, tiles, winner_tile
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget


def _prize_in_turn(state: TableState) -> Prize:
    prize = state.seat(state.round.turn).prize
    assert prize is not None, "a screen of a prize without a prize"
    return prize


def _whose(prize: Prize) -> str:
    return "the dealer's two cards" if prize.wager == "five_card_dealer" else "two cards"


def cards(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The five cards of a share."""
    prize = _prize_in_turn(state)
    question, area = frame.page.top(frame.prompt_h - 0.6, 0.4)
    yield prompt(state, f"Seat {state.round.turn}, {prize.hand}: {_whose(prize)} and the flop", question)
    slots, area = area.top(frame.slot_h)
    yield from (shown for shown, _ in card_slots(prize.cards, slots.columns(HAND_CARDS), prize.slot, prize.rank))
    yield from card_pad(prize.rank, area)
    yield from bar(frame, state)
    yield back_key(frame, "cancel", "CANCEL")
    entered = len(prize.cards)
    ready = entered == HAND_CARDS
    yield primary(
        frame, "show", "SHOW THE HAND" if ready else f"{entered} OF {HAND_CARDS}", enabled=ready, beside_back=True
    )


def _facts(state: TableState, prize: Prize, area: Area, *rows: Line) -> Widget:
    """What somebody signs for."""
    head = Line(f"Seat {state.round.turn}   {prize.hand.upper()}", "key")
    return label("facts", area, head, *rows, fill="tile", border=Tone.FLOOR)


NOT_W, NOT_H = 56.0, 11.0


def _refuse(frame: Frame) -> tuple[Area, Area]:
    """The facts, and below them the key that says this is no winner."""
    facts, row = frame.facts_above_hand.foot(frame.for_words(NOT_H))
    return facts, row.left(frame.for_words(NOT_W))[0]


def validate(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A floorperson looks at the hand."""
    prize = _prize_in_turn(state)
    seat = state.seat(state.round.turn)
    placed = "wager placed by its button" if prize.wager != "progressive" else "lamp lit at the lock"
    lit = placed if seat.wager or prize.wager != "progressive" else "LAMP WAS NOT LIT"
    rows = [
        Line(prize_money(prize) or prize.odds, "strong", Tone.MONEY),
        *([Line(prize.odds, "status", Tone.MUTED, "right")] if prize.amount is not None else []),
        Line(f"1  {lit}", "status"),
        Line(f"2  {_whose(prize)} and the flop make the hand", "status"),
    ]
    if prize.meter:
        rows.append(Line("NOT FROM THE RACK. CARDS STAY.", "label", Tone.CAUTION))
    rows += refusal(state, live, Line("3  a floorperson validates", "status", Tone.FLOOR))
    facts, place = _refuse(frame)
    yield _facts(state, prize, facts, *rows)
    yield key("not-a-winner", "not-a-winner", place, "NOT A WINNER", size="label", enabled=bool(live.by))
    yield from hand_of_cards(prize.cards, frame)
    yield from pin_pad(state, live, frame, "floorperson", cards=True)
    yield from bar(frame, state)
    yield back_key(frame, "cancel", "CANCEL")
    yield primary(
        frame, "approve", "APPROVE", "hold 1.5 s", hold=True, enabled=bool(live.by), fill="floor", beside_back=True
    )


def _above_cards(frame: Frame) -> Area:
    """The page without what lies where the cards lie."""
    return frame.facts if frame.upright else frame.page.foot(HAND_MM)[0]


def price(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The bank is asked."""
    prize = _prize_in_turn(state)
    off = why_off(state) if state.neighbours.bank_alarm or not state.neighbours.link_up else ""
    link = off or "The bank freezes the amount at this seat's turn."
    rows = (
        Line(f"Seat {state.round.turn}   {prize.hand.upper()}", "key"),
        Line(prize.odds, "strong", Tone.MONEY),
        Line(link, "body", Tone.CAUTION if off else Tone.PLAIN),
        Line("HOLD THE CARDS. Pay nothing yet.", "strong", Tone.CAUTION),
        Line("The claim is safe here and is priced when the bank answers.", "body", Tone.MUTED),
    )
    yield label("facts", _above_cards(frame), *rows, fill="tile", border=Tone.FLOOR)
    yield from hand_of_cards(prize.cards, frame)
    yield from bar(frame, state)
    yield nothing_yet(frame, "WAITING FOR THE BANK")


def hold(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Documents are made; a second person ends it."""
    prize = _prize_in_turn(state)
    shared = f"{prize.odds}, for {len(prize.backers)} who backed it" if len(prize.backers) > 1 else prize.odds
    rows = (
        Line(prize_money(prize), "money", Tone.MONEY),
        Line(
            f"{shared}, {paid_from(prize.payments)}. PENDING on the sign.",
            "small",
            Tone.MUTED,
        ),
        Line("NOT FROM THE RACK. CARDS STAY.", "label", Tone.CAUTION),
        *refusal(
            state,
            live,
            Line(
                f"Validated by {person_name(house, prize.by[0])}. A different person ends it when the documents are done.",
                "small",
                Tone.MUTED,
            ),
        ),
    )
    facts, place = _refuse(frame)
    yield _facts(state, prize, facts, *rows)
    enabled = bool(live.by)
    yield key(
        "claim-rejected", "claim-rejected", place, "NOT A WINNER", "hold 1.5 s",
        enabled=enabled, hold=True, size="label", second="small",
    )  # fmt: skip
    yield from hand_of_cards(prize.cards, frame)
    yield from pin_pad(state, live, frame, "second floorperson", cards=True)
    yield from bar(frame, state)
    yield primary(frame, "claim-paid", "PAID BY THE CAGE", "hold 1.5 s", hold=True, enabled=enabled, fill="floor")


STAYS = "The wager stays in the rack."


def pay(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A validated prize is paid from the rack, or credited."""
    prize = _prize_in_turn(state)
    paid = prize.payment
    yield from tiles(
        state, lambda number, seat: replace(winner_tile(frame, house, state, number, seat), press="", fill="tile")
    )
    heading = Line(f"Seat {state.round.turn}   {prize.hand.upper()}   {prize.odds}", "strong")
    if paid.source is Source.ACCOUNT:
        lines = (
            heading,
            Line(f"CREDIT {money(paid.payout)}", "money", Tone.MONEY),
            Line(f"{house.game.called(paid.wager)}: to the account of seat {state.round.turn}. No chips.", "body"),
        )
        words = f"SEAT {state.round.turn} CREDITED"
    else:  # the wager's chip went into the rack after the count: what is returned is paid out with the prize
        over = paid.payout + paid.returned
        wager = f"The wager of {short_money(paid.returned)} is in it." if paid.returned else STAYS
        chips = recipe(over, live.denominations) if paid.source is Source.RACK else "No chips"
        lines = (
            heading,
            Line(f"PAY {money(over)} {paid_from([paid])}", "money", Tone.MONEY),
            Line(f"{chips}. {wager}", "body"),
        )
        words = f"SEAT {state.round.turn} PAID"
    yield work(frame.work, *notice(state, *lines), border=Tone.MONEY)
    yield from bar(frame, state)
    yield primary(frame, "paid", words, fill="done")


def envy(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Everybody else with a lit lamp receives the bonus."""
    due = {one.seat: one for one in jackpot.envy_due(state)}
    owed = [one.seat for one in state.round.envy]

    def one(number: int, seat: Seat) -> Widget:
        press = f"seat {number}" if number in owed else ""
        if number == state.round.turn:
            return tile(frame, state, number, Shape.TICK, Tone.DONE, centre("WINNER", tone=Tone.DONE))
        if number in due:
            words = (centre("ENVY", tone=Tone.MONEY), centre(short_money(due[number].payout)))
            return tile(frame, state, number, Shape.DISC, Tone.MONEY, *words, press=press)
        if press:
            why = "same player" if seat.same_player else "has left"
            dash = (centre("NO ENVY", "status"), centre(why, "status"))
            return tile(frame, state, number, Shape.DASH, Tone.OFF, *dash, press=press)
        return lamp_tile(frame, house, state, number, seat)

    yield from tiles(state, one)
    total = sum(one.payout for one in due.values())
    each = max((one.payout for one in due.values()), default=0)
    seats = ", ".join(str(number) for number in due) or "nobody"
    lines = (
        Line(f"Pay seats {seats}, in this order, {money(each)} each", "strong"),
        Line(
            f"{recipe(each, live.denominations)} each, {money(total)} in all {paid_from(due.values())}",
            "body",
            Tone.MONEY,
        ),
        Line(f"Tap a seat: {_marks(house, state)}has left › receives.", "body", Tone.MUTED),
    )
    yield work(frame.work, *notice(state, *lines))
    yield from bar(frame, state)
    yield primary(frame, "envy-paid", "ENVY PAID", fill="done")


def _marks(house: House, state: TableState) -> str:
    other_boxes = any(jackpot.adjacent(house, state, number) for number in (one.seat for one in state.round.envy))
    return "same player as the winner › " if other_boxes else ""


BODIES: dict[str, Body] = {
    "cards": cards,
    "validate": validate,
    "price": price,
    "hold": hold,
    "pay": pay,
    "envy": envy,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "cards": ("ENTER THE CARDS", Tone.NEXT),
    "validate": ("VALIDATION", Tone.FLOOR),
    "price": ("ASKING THE BANK", Tone.FLOOR),
    "hold": ("JACKPOT HOLD", Tone.FLOOR),
    "pay": ("PAY", Tone.NEXT),
    "envy": ("ENVY BONUS", Tone.NEXT),
}
