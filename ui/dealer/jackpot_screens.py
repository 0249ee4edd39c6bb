"""A prize of a meter: cards, validation, claim, payment, envy; 653a.11(k), (l) and .12(d), (e)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.approvals import Act
from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import cents
from firmware.rules.payment import Payment, Source
from firmware.table import card_entry, evidence, jackpot
from firmware.table.house import House
from firmware.table.projections import remedy, why_off, why_unpaid
from firmware.table.state import Prize, Seat, TableState
from firmware.wire.structs import replace
from ui.dealer.frame import HAND_MM, Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    back_key,
    bar,
    card_name,
    card_pad,
    card_slots,
    center,
    first_back,
    hand_name,
    hand_of_cards,
    hindered,
    joined,
    key,
    label,
    limit_words,
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
    seats_of,
    share_words,
    short_money,
    work,
)
from ui.dealer.seats import MARKS_H, lamp_tile, marks, tile, tiles, winner_tile
from ui.dealer.widgets import Line, Text, Tone, Widget


def _prize_in_turn(state: TableState) -> Prize:
    prize = state.seat(state.round.turn).prize
    assert prize is not None, "a screen of a prize without a prize"
    return prize


LEAVE_CARDS = say("prize.leave-cards")


def _whose(prize: Prize) -> Message:
    return say("prize.dealers-cards") if prize.wager == "five_card_dealer" else say("prize.players-cards")


def _heading(state: TableState, prize: Prize) -> Message:
    return say("prize.heading", seat=state.round.turn, hand=hand_name(prize.hand))


def cards(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The cards of a share."""
    prize = _prize_in_turn(state)
    question, area = frame.page.top(frame.prompt_h - 0.6, 0.4)
    entered, asked = len(prize.cards), _asked_of(house, state.round.turn, prize)
    why_not = hindered(house, state, live, "show") if entered == prize.hand_cards else NOTHING
    yield prompt(state, why_not or asked, question, Tone.CAUTION if why_not else Tone.PLAIN)
    slots, area = area.top(frame.slot_h)
    yield from (shown for shown, _ in card_slots(prize.cards, slots.columns(prize.hand_cards), prize.slot, prize.rank))
    yield from card_pad(card_entry.entry_of(state), area, "royal" if card_entry.by_suit(prize) else "suit")
    yield from bar(house, state, frame)
    yield back_key(frame, "cancel", say("key.cancel"))
    if high := card_entry.by_high_card(prize):
        yield primary(frame, "highest", say("key.highest", card=card_name(high)), beside_back=True)
        return
    if entered < prize.hand_cards:
        yield nothing_yet(frame, say("key.entered", cards=entered, of=prize.hand_cards), beside_back=True)
    else:
        yield primary(frame, "show", say("key.show-hand"), beside_back=True)


def _asked_of(house: House, seat: int, prize: Prize) -> Message:
    """The cards; one is enough for a royal or a straight flush."""
    hand, whose = hand_name(prize.hand), _whose(prize)
    if not house.game.has_board and prize.hand == HandName.STRAIGHT_FLUSH:
        return say("prize.enter-own-highest", seat=seat, hand=hand)
    if not house.game.has_board:
        return say("prize.enter-own", seat=seat, hand=hand)
    if prize.hand == HandName.ROYAL_FLUSH:
        return say("prize.enter-suit", seat=seat, hand=hand, cards=whose)
    if prize.hand == HandName.STRAIGHT_FLUSH:
        return say("prize.enter-highest", seat=seat, hand=hand, cards=whose)
    return say("prize.enter-cards", seat=seat, hand=hand, cards=whose)


def _facts(state: TableState, prize: Prize, area: Area, *rows: Line) -> Widget:
    """The subject of a signature."""
    return label("facts", area, Line(_heading(state, prize), "key"), *rows, fill="tile", border=Tone.FLOOR)


NOT_W, NOT_H = 56.0, 12.4
NOT_BESIDE_W, APART_MM = 34.0, 5.0
"""Width of the key beside one that signs for another amount, and the gap between the two."""


def _refuse(frame: Frame) -> tuple[Area, Area, Area]:
    """The facts, and below them the key that says this is no winner, and the seats."""
    facts, row = frame.facts_above_hand.foot(frame.for_words(NOT_H))
    return (facts, *row.left(frame.for_words(NOT_W)))


def validate(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A floorperson looks at the hand."""
    prize = _prize_in_turn(state)
    seat = state.seat(state.round.turn)
    about = prize_money(prize) or _about(prize, live)
    rows = [center(about or prize.odds, "hero", Tone.MONEY)]
    rows += [center(_share(prize, live), "body", Tone.MUTED)] if about else []
    if prize.meter:
        before = evidence.before_it(state)
        rows += [Line(say("prize.before", seats=before, n=len(before)), "small", Tone.CAUTION)] if before else []
    rows += _waits(state) or refusal(state, live)
    facts, place, seats = _refuse(frame)
    yield from marks(state, seats)
    yield _facts(state, prize, facts, *rows)
    yield key(
        "not-a-winner", "not-a-winner", place, say("key.not-a-winner"),
        size="label", second="small", hold=True,
    )  # fmt: skip
    yield from hand_of_cards(prize.cards, frame)
    yield from pin_pad(house, state, live, frame, "approve", cards=True, checked=_checklist(house, seat, prize))
    yield from bar(house, state, frame)
    yield back_key(frame, "cancel", say("key.cancel"))
    yield primary(frame, "approve", say("key.approve"), hold=True, fill="floor", beside_back=True)


def _share(prize: Prize, live: Live) -> Text:
    """The share of the meter; the bank freezes the amount once a floorperson approves."""
    share = share_words(prize, live)
    return say("prize.frozen-later", odds=share) if prize.amount is None else share


def _checklist(house: House, seat: Seat, prize: Prize) -> tuple[Line, ...]:
    """The list of a validation: the wager, which the table knows, and the hand, which the floorperson sees."""
    lit, placed = bool(seat.wager), say("prize.by-button")
    if prize.wager in house.submission.on_sensor:
        placed = say("prize.lamp-lit") if lit else say("prize.lamp-not-lit")
    cards = say("prize.second", cards=_whose(prize)) if house.game.has_board else say("prize.second-own")
    known = lit or prize.wager not in house.submission.on_sensor
    first = Line(say("check.done", what=placed), "body", Tone.DONE)
    return (
        *_stay(prize),
        first if known else Line(say("check.open", what=placed), "body", Tone.STOP),
        Line(say("check.open", what=cards), "body"),
    )


def _stay(prize: Prize) -> tuple[Line, ...]:
    """The cards lie there until a share of a meter is paid."""
    return (Line(LEAVE_CARDS, "strong", Tone.CAUTION),) if prize.meter else ()


def _waits(state: TableState) -> tuple[Line, ...]:
    """Why the prize waits, () where it does not."""
    waits = why_unpaid(state)
    return (Line(waits, "small", Tone.CAUTION),) if waits else ()


def _about(prize: Prize, live: Live) -> Message:
    """The share by the meter heard last; the bank freezes it once a floorperson approves."""
    heard = next((meter.amount for meter in live.meters if meter.name == prize.meter), "")
    return say("prize.about", amount=cents(heard) * prize.percent // 100) if heard else NOTHING


def _above_cards(frame: Frame) -> Area:
    """The page without what lies where the cards lie."""
    return frame.facts if frame.upright else frame.page.foot(HAND_MM)[0]


def price(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The bank is asked."""
    prize = _prize_in_turn(state)
    off = why_off(state) if state.neighbors.bank_alarm or not state.neighbors.link_up else NOTHING
    rows = (
        Line(_heading(state, prize), "key"),
        center(_about(prize, live) or share_words(prize, live), "hero", Tone.MONEY),
        *((center(off, "body", Tone.CAUTION),) if off else ()),
        center(say("price.hold-cards"), "strong", Tone.CAUTION),
        center(_meanwhile(state) if off else say("price.safe"), "small", Tone.PLAIN if off else Tone.MUTED),
    )
    seats, facts = _above_cards(frame).top(frame.for_words(MARKS_H))
    yield from marks(state, seats)
    yield label("facts", facts, *rows, fill="tile", border=Tone.FLOOR)
    yield from hand_of_cards(prize.cards, frame)
    yield from bar(house, state, frame)
    yield nothing_yet(frame, say("key.waiting-for-bank"))


def _meanwhile(state: TableState) -> Message:
    """No price comes: whom to call, and what goes on until it does."""
    return say("two-sentences", first=remedy(state) or say("link.call"), second=say("price.meanwhile"))


def hold(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The paperwork is made; a second person closes the claim."""
    prize = _prize_in_turn(state)
    backers = len(prize.backers)
    each = prize.payment.payout  # reading 4: one share for each backer of the dealer's hand, at the own turn
    odds = share_words(prize, live)
    shared = say("hold.shared", odds=odds, players=backers, each=each) if backers > 1 else odds
    amount = center(prize_money(prize), "hero", Tone.MONEY)
    pending = center(say("hold.pending", odds=shared, source=paid_from(prize.payments)), "small", Tone.MUTED)
    if prize.offered:
        changed = say("hold.was-now", was=prize.amount or 0, now=prize.offered.amount)
        amount, pending = center(changed, "money", Tone.CAUTION), center(say("hold.another-amount"), "small")
    rows = (
        amount,
        pending,
        *(_waits(state) or refusal(state, live)),
    )
    validated = Line(
        say("check.done", what=say("hold.validated", name=person_name(house, prize.by[0]))), "body", Tone.DONE
    )
    facts, row = frame.facts_above_hand.foot(frame.for_words(NOT_H))
    place, beside = (
        row.left(frame.for_words(NOT_BESIDE_W), APART_MM) if prize.offered else row.left(frame.for_words(NOT_W))
    )
    if not prize.offered:
        yield from marks(state, beside)
    yield _facts(state, prize, facts, *rows)
    yield key(
        "claim-rejected", "claim-rejected", place, say("key.not-a-winner"),
        hold=True, size="label", second="small",
    )  # fmt: skip
    if prize.offered:
        now = say("key.accept-amount", now=prize.offered.amount)
        yield key(
            "accept-price", "accept-price", beside, now,
            hold=True, size="strong", second="small", border=Tone.MONEY,
        )  # fmt: skip
    yield from hand_of_cards(prize.cards, frame)
    signs = "accept-price" if prize.offered else "claim-paid"  # the validator may sign for another amount too
    yield from pin_pad(
        house,
        state,
        live,
        frame,
        signs,
        say("badge.second-floorperson"),
        cards=True,
        checked=(*_stay(prize), validated),
    )
    yield from bar(house, state, frame)
    signed: Text = say("key.seat-amount", seat=state.round.turn, amount=prize.amount or 0)
    if backers > 1:
        signed = say("key.seats-each", seats=seats_of(sorted(prize.backers)), each=each)
    yield primary(frame, "claim-paid", say("key.paid-by-cage"), signed, hold=True, fill="floor")


def pay(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """A validated prize is paid from the rack, or credited."""
    prize = _prize_in_turn(state)
    yield from tiles(
        state, lambda number, seat: replace(winner_tile(frame, house, state, number, seat), press="", fill="tile")
    )
    amount, how, words, chip = _to_pay(house, state.round.turn, prize.payment, live)
    heading = say("pay.heading", seat=state.round.turn, hand=hand_name(prize.hand), odds=share_words(prize, live))
    lines = [Line(heading, "strong"), center(amount, "hero", Tone.MONEY), center(how, "strong")]
    lines += [center(chip, "small", Tone.MUTED)] if chip else []
    if cut := limit_words(house, prize.payments):
        lines.append(Line(cut, "strong", Tone.CAUTION))
    if back := first_back(state.seat(state.round.turn).position.undone, prize.payments):
        lines.insert(1, Line(back, "strong", Tone.CAUTION))
    waits = _waits(state)
    yield work(frame.work, *(lines[:2] if waits else notice(state, *lines)), *waits, border=Tone.MONEY)
    yield from bar(house, state, frame)
    yield primary(frame, "paid", words, fill="done")


def _to_pay(house: House, seat: int, paid: Payment, live: Live) -> tuple[Text, Text, Message, Message]:
    """How much, in what, the key that says it is done, and what becomes of the wager's chip."""
    if paid.source is Source.ACCOUNT:
        to_account = say("pay.to-account", wager=house.game.called(paid.wager), seat=seat)
        return say("pay.credit", amount=paid.payout), to_account, say("key.seat-credited", seat=seat), NOTHING
    # The wager's chip went into the rack after the count: what is returned is paid out with the prize.
    over = paid.paid_over
    wager = say("pay.wager-in-it", amount=paid.returned) if paid.returned else say("pay.wager-stays")
    how: Text = recipe(over, live.denominations)
    if paid.source is not Source.RACK:  # 653a.11(k)(4)
        how = say("pay.attendant")
    return say("pay.amount", amount=over), joined([how, paid_from([paid])], " "), say("key.seat-paid", seat=seat), wager


ENVY_TILE_H = 24.0
"""Height of a receiver's tile above the signer's pad; no more than half of the room."""


def envy(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Everybody else with a lit lamp receives the bonus; from an amount of the house on a floorperson signs."""
    due = jackpot.envy_due(state)
    other_boxes = any(jackpot.adjacent(house, state, one.seat) for one in state.round.envy)
    tap = say("envy.same-player-or-gone") if other_boxes else say("envy.gone")
    waits = _waits(state) if due else ()
    if jackpot.envy_is_signed(house, state):
        owed = [one.seat for one in state.round.envy]
        facts, below = frame.facts.foot(min(frame.for_words(ENVY_TILE_H), frame.facts.h / 2))
        for number, area in zip(owed, below.columns(len(owed)), strict=True):
            yield _envy_tile(frame, house, state, number, area)
        of_house = Line(say("envy.signed", amount=house.approvals[Act.ENVY].least), "small", Tone.FLOOR)
        lines = (*_envy_lines(due, live), Line(tap, "small", Tone.MUTED), *(waits or refusal(state, live, of_house)))
        yield label("work", facts, *lines, fill="tile", border=Tone.FLOOR)
        yield from pin_pad(house, state, live, frame, "envy-paid")
        yield from bar(house, state, frame)
        yield primary(frame, "envy-paid", say("key.envy-paid"), hold=True, fill="floor")
        return
    yield from tiles(state, lambda number, seat: _envy_tile(frame, house, state, number))
    shown = (*_envy_lines(due, live), *(waits or (Line(tap, "body", Tone.MUTED),)))
    yield work(frame.work, *notice(state, *shown))
    yield from bar(house, state, frame)
    yield primary(frame, "envy-paid", say("key.envy-paid"), fill="done")


def _envy_tile(frame: Frame, house: House, state: TableState, number: int, area: Area | None = None) -> Widget:
    """A seat that receives, and what; why another one does not."""
    seat, owed = state.seat(number), [one.seat for one in state.round.envy]
    due = {one.seat: one for one in jackpot.envy_due(state)}
    press = f"seat {number}" if number in owed and jackpot.adjacent(house, state, number) else ""
    if number == state.round.turn:
        return tile(frame, state, number, center(say("seat.winner"), "key", Tone.DONE))
    if number in due:
        words = (center(say("seat.envy"), "key", Tone.MONEY), center(short_money(due[number].payout)))
        return tile(frame, state, number, *words, press=press, area=area)
    if number in owed:
        why = say("seat.player-left") if seat.left else say("seat.same-player")
        dash = (center(say("seat.no-envy"), "body"), center(why, "small"))
        return tile(frame, state, number, *dash, press=press, area=area)
    return lamp_tile(frame, house, state, number, seat)


def _envy_lines(due: Sequence[Payment], live: Live) -> Iterator[Line]:
    if not due:
        yield Line(say("envy.nobody"), "strong")
        return
    each, seats = due[0].payout, tuple(one.seat for one in due)
    yield Line(say("envy.pay", n=len(due), seats=seats, each=each), "strong")
    chips, total = recipe(each, live.denominations), sum(one.payout for one in due)
    yield Line(say("envy.chips", chips=chips, total=total, source=paid_from(due)), "body", Tone.MONEY)


BODIES: dict[str, Body] = {
    "cards": cards,
    "validate": validate,
    "price": price,
    "hold": hold,
    "pay": pay,
    "envy": envy,
}
TITLES: dict[str, tuple[Text, Tone]] = {
    "cards": (say("title.cards"), Tone.NEXT),
    "validate": (say("title.validate"), Tone.FLOOR),
    "price": (say("title.price"), Tone.FLOOR),
    "hold": (say("title.hold"), Tone.FLOOR),
    "pay": (say("title.pay"), Tone.NEXT),
    "envy": (say("title.envy"), Tone.NEXT),
}
