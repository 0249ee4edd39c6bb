"""The Five Card Hand bonus: two buttons a seat, an account, a drawn card and position (653a.7(d)(4), .11(l), .12(e)).

The wagering accounts are a simulation: the rules for such systems (605a.2, 605a.3) are not in this program.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.approvals import Act
from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import LUCKY, MAGIC_CARD, lucky_payment, magic_card_payment
from firmware.rules.money import Cents
from firmware.rules.payment import Payment
from firmware.rules.paytable import MeterOffer, Share
from firmware.rules.wager import FIVE_CARD
from firmware.table import conflicts
from firmware.table import events as e
from firmware.table.evidence import CLAIMED, known_five, magic_is_elsewhere, undecided, waiting
from firmware.table.house import House, Table
from firmware.table.inputs import ButtonPushed, NoMoreBets
from firmware.table.jackpot import fixed, named, share_waits
from firmware.table.press import Press
from firmware.table.projections import recognizes, why_off
from firmware.table.state import (
    FIVE_CARD_ON,
    HANDS,
    Correction,
    Panel,
    PanelKind,
    Phase,
    PrizeStatus,
    StakeBack,
    TableState,
)
from firmware.wire.reports import AccountMove

Events = Iterator[e.Event]

MAGIC = {hand: MAGIC_CARD[wager] for hand, wager in FIVE_CARD_ON.items()}
ACCOUNT_MAX = 100_000_000
"""Cents that an account may hold; more is a wrong key."""


def _offer(house: House) -> MeterOffer:
    return house.submission.offers[FIVE_CARD[0]]


def wager_of(house: House) -> Cents:
    """The price of a Five Card Hand wager."""
    return _offer(house).wager


def pushed(house: House, state: TableState, given: ButtonPushed) -> Events:
    """A button places its wager, or takes it back, while bets are open."""
    if not house.submission.by_account or given.hand not in HANDS or given.seat > len(state.round.seats):
        return
    made, amount = FIVE_CARD_ON[given.hand], wager_of(house)
    if state.phase is not Phase.OPEN:
        yield e.ButtonIgnored(given.seat, given.hand, say("button.no-more-bets"))
    elif state.seat(given.seat).staked(made):
        yield e.WagerReturned(given.seat, made, given.at_ns, amount, StakeBack.TAKEN_BACK)
    elif not recognizes(state):
        yield e.ButtonIgnored(given.seat, given.hand, why_off(state))
    elif state.felt.accounts[given.seat - 1] < amount:
        yield e.ButtonIgnored(given.seat, given.hand, say("button.buy-in-first"))
    else:
        yield e.WagerPlaced(given.seat, made, given.at_ns, amount, ())


def locked(house: House, state: TableState, given: NoMoreBets) -> Events:
    """At the lock: a push after it counts neither way; then the card and the position of this round are drawn."""
    if not house.submission.by_account:
        return
    amount, stood = wager_of(house), _stood(state, given.at_ns)
    placed = {(number, made) for made in house.submission.by_account for number in state.made(made)}
    for number, made in sorted(placed - stood):
        yield e.WagerReturned(number, made, given.at_ns, amount, StakeBack.LATE)
    credit = list(state.felt.accounts)
    back = []
    for number, made in sorted(stood - placed):  # taken back too late: put down again, where the credit is still there
        if credit[number - 1] >= amount:
            credit[number - 1] -= amount
            back.append(e.WagerPlaced(number, made, given.at_ns, amount, ()))
    yield from back
    if back or placed & stood:
        yield from _drawn(house, given)


def returned(house: House, state: TableState, number: int, why: StakeBack) -> tuple[e.WagerReturned, ...]:
    """A seat's wagers go back to its account: no Ante was placed before them (653a.7(d)(4)), or no round is dealt."""
    at_ns, seat = state.round.lock.at_ns, state.seat(number)
    made = ((wager, seat.staked(wager)) for wager in house.submission.by_account)
    return tuple(e.WagerReturned(number, wager, at_ns, amount, why) for wager, amount in made if amount)


def _stood(state: TableState, at_ns: int) -> set[tuple[int, str]]:
    """(seat, wager) of the wagers at an instant, by the last push of each button until then."""
    stood = {(number, wager): placed for number, wager, ns, placed in state.round.pushed if ns <= at_ns}
    return {key for key, placed in stood.items() if placed}


def _drawn(house: House, given: NoMoreBets) -> Events:
    drawn, chance = _offer(house).drawn, given.chance
    magic = chance.magic_card if "magic_card" in drawn and chance.magic else ""
    lucky = chance.lucky if "lucky_bonus" in drawn and chance.luck else None
    if magic or lucky is not None:
        yield e.BonusDrawn(magic, lucky)


# Prizes -----------------------------------------------------------------------------------------------------------


def backers(state: TableState) -> tuple[int, ...]:
    """The seats whose wager is on the dealer's hand; who left does not count (reading 4)."""
    return tuple(number for number, seat in state.numbered() if seat.staked(FIVE_CARD_ON["dealer"]) and not seat.left)


def name(table: Table, press: Press) -> Events:
    """ "own flush", "dealer royal flush", "own magic": what the picked seat's wager wins on."""
    house, state = table
    hand, _, made = press.rest.partition(" ")
    seat = state.seat(state.round.turn) if state.round.turn else None
    if seat is None or hand not in seat.five_card:
        yield press.refused(say("five-card.seat-first"))
    elif seat.left:
        yield press.refused(say("winner.left", seat=state.round.turn))
    elif made == "magic":
        yield from _magic(house, state, hand, press)
    elif _paid(state, FIVE_CARD_ON[hand]):
        yield press.refused(say("five-card.paid", seat=state.round.turn))
    else:
        yield from _hand(house, state, hand, made, press)


def _paid(state: TableState, wager: str) -> bool:
    seat = state.seat(state.round.turn)
    over = any(prize.wager == wager and prize.status == PrizeStatus.PAID for prize in seat.prizes)
    return over or is_credited(state, state.round.turn, wager)


def is_credited(state: TableState, number: int, wager: str) -> bool:
    """This seat's account was credited for this wager."""
    return any((one.seat, one.wager) == (number, wager) for one in state.round.credited)


def _hand(house: House, state: TableState, hand: str, made: str, press: Press) -> Events:
    prize = _offer(house).prizes.get(HandName(made)) if made in set(HandName) else None
    if prize is None:
        yield press.refused(say("row.no-prize", row=made))
    elif (
        why_not := conflicts.of_prize(house, state, state.round.turn, FIVE_CARD_ON[hand], made, brief=press.tried)
    ) or (why_not := progressive_first(house, state, hand, made)):
        yield press.refused(why_not)
    elif isinstance(prize, Share) and hand == "dealer" and _claimed(state):
        yield press.refused(say("five-card.claimed-once"))
    elif isinstance(prize, Share) and hand == "dealer" and state.round.turn != max(backers(state)):
        yield press.refused(say("five-card.first-backer", seat=max(backers(state))))
    elif why_not := share_waits(house, state, FIVE_CARD_ON[hand], HandName(made)):
        yield press.refused(why_not)
    elif isinstance(prize, Share) or prize.floor:  # 653a.11(l)(2): 500 for 1 is verified first
        shares = backers(state)[::-1] if hand == "dealer" else (state.round.turn,)
        known = known_five(state, state.round.turn, FIVE_CARD_ON[hand])
        yield from named(house, state.round.turn, HandName(made), FIVE_CARD_ON[hand], shares, known)
    else:
        yield e.AccountCredited(
            state.round.turn, fixed(house, state.round.turn, FIVE_CARD_ON[hand], HandName(made)), made
        )


def progressive_first(house: House, state: TableState, hand: str, made: str) -> Message:
    """A prize of the picked seat's progressive wager that comes before this one; nothing where none is known.

    "The dealer shall then settle the Progressive Payout Wager", then Five Card Hand (653a.11(k), (l)). An own
    hand is one hand for both; what entered cards make of it comes before the dealer's hand and the Magic Card too.
    """
    number = state.round.turn
    won = {one.wager for one in waiting(house, state) if one.seat == number}
    for wager in state.program.sensed:
        on_it = wager in won or (hand == "own" and made in house.submission.offers[wager].prizes)
        if on_it and wager in undecided(state, number):
            return say("five-card.progressive-first", seat=number)
    return NOTHING


def _claimed(state: TableState) -> bool:
    """Reading 4: the share on the dealer's hand is fixed once, and divided."""
    prizes = (prize for seat in state.round.seats for prize in seat.prizes)
    return any(prize.wager == FIVE_CARD_ON["dealer"] and prize.status in CLAIMED for prize in prizes)


def _magic(house: House, state: TableState, hand: str, press: Press) -> Events:
    if "magic_card" not in _offer(house).drawn or not state.round.magic_card:
        yield press.refused(say("five-card.no-magic-card"))
    elif _paid(state, MAGIC[hand]):
        yield press.refused(say("five-card.magic-credited", seat=state.round.turn))
    elif why_not := progressive_first(house, state, hand, "magic"):
        yield press.refused(why_not)
    elif magic_is_elsewhere(state, state.round.turn, FIVE_CARD_ON[hand]):
        yield press.refused(say("five-card.magic-elsewhere", seat=state.round.turn))
    else:
        payment = magic_card_payment(house.submission, state.round.turn, FIVE_CARD_ON[hand])
        yield e.AccountCredited(state.round.turn, payment, "")


def lucky(house: House, state: TableState, last: int = 1) -> Events:
    """The seats that wagered on the hand of the position drawn are credited, from the last down to `last` (653a.11(l),
    .12(e)(3)): each at the end of its turn, the others before a round is cleared.
    """
    drawn = state.round.lucky
    if drawn is None or state.round.void_cite:
        return
    for number in range(len(state.round.seats), last - 1, -1):
        seat = state.seat(number)
        if seat.left:
            continue
        for hand in seat.five_card:
            won = drawn == number if hand == "own" else drawn == 0
            if won and not is_credited(state, number, LUCKY[FIVE_CARD_ON[hand]]):
                yield e.AccountCredited(number, lucky_payment(house.submission, number, FIVE_CARD_ON[hand]), "")


# Accounts -----------------------------------------------------------------------------------------------------------------


def turn_to_account(table: Table, press: Press) -> Events:
    """The panel of a seat's wagering account."""
    if not table.house.submission.by_account:
        yield press.refused(say("account.none"))
    else:
        yield e.PanelTurned(Panel(PanelKind.ACCOUNTS, press.number))


def account_of(state: TableState) -> int:
    """The seat that the panel of an account is about, 0 for none."""
    panel = state.desk.panel
    return panel.seat if panel.kind is PanelKind.ACCOUNTS else 0


def buy_in(table: Table, press: Press) -> Events:
    """Chips on the layout become credit; the dealer puts them into the rack."""
    state = table.state
    number = account_of(state)
    if not number:
        yield press.refused(say("press.seat-first"))
    elif state.felt.accounts[number - 1] + press.number > ACCOUNT_MAX:
        yield press.refused(say("account.most"))
    else:
        yield e.AccountMoved(number, AccountMove.BUY_IN, press.number)


def cash_out(table: Table, press: Press) -> Events:
    """The whole credit is paid from the rack."""
    state = table.state
    number = account_of(state)
    if not number or not state.felt.accounts[number - 1]:
        yield press.refused(say("account.nothing"))
    else:
        yield e.AccountMoved(number, AccountMove.CASH_OUT, state.felt.accounts[number - 1])


def last_credit(state: TableState) -> Payment | None:
    """The last credit that can be taken back; what a floorperson verified is corrected with a reason."""
    verified = {
        (number, prize.wager)
        for number, seat in state.numbered()
        for prize in seat.prizes
        if prize.status == PrizeStatus.PAID
    }
    return next((one for one in reversed(state.round.credited) if (one.seat, one.wager) not in verified), None)


def take_credit_back(table: Table, press: Press) -> Events:
    """A floorperson takes the last credit of this round back."""
    last = last_credit(table.state)
    if not table.house.may_sign(press.by, Act.CORRECTION):
        yield press.refused(say("people.floor-first"), Act.CORRECTION)
    elif last is None:
        yield press.refused(say("account.no-credit-back"))
    else:
        yield e.AccountCorrected(last.seat, last, Correction.WRONG_CREDIT, by=press.by)
