"""A new table is a test until two people say LIVE: it is played whole, and no money of the bank moves.

Nothing is owed to the bank, and no day is counted. A test has meters of its own: each starts with its seed, or with what a
technician forced it to, grows by the test's wagers, and loses the shares that are paid. They are what its screens show and
what its claims are priced by. LIVE is said once, at a table that is closed, and nothing takes it back.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.approvals import Act
from firmware.rules.hands import HandName
from firmware.rules.message import say
from firmware.rules.meter_wagers import claim_payments, price_of, prize_of
from firmware.rules.money import Cents, Micros, cut_to_cents, dollars
from firmware.rules.payment import StandingMeters
from firmware.rules.paytable import RESERVE, Share
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.outbox import owe
from firmware.table.press import Press
from firmware.table.projections import is_closed
from firmware.table.state import NO_PANEL, Amounts, Panel, PanelKind, Price, Prize, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.from_table import Reversal, Wagers

TEST = "test"
"""Before the name of a claim of a test, where that of a live table has the table: no bank ever hears of it."""


def may_be_said(state: TableState) -> bool:
    """LIVE may be said: it was not, and the table is closed, without cards, wagers or credit of a test."""
    return not state.program.live and is_closed(state)


def signed(state: TableState, press: Press) -> Iterator[e.Event]:
    """The first of two people, or a second, different one."""
    first = state.program.live_by
    if not first:
        yield e.LiveSigned(by=press.by)
        yield e.PanelTurned(Panel(PanelKind.TABLE))
    elif press.by == first:
        yield press.refused(say("live.second", badge=press.by), Act.LIVE)
    else:
        yield e.TableLive((first, press.by), by=press.by)
        yield e.PanelTurned(NO_PANEL)


# The meters of a test -------------------------------------------------------------------------------------------------


def told(house: House, state: TableState, body: Wagers | Reversal, fed: Amounts) -> Iterator[e.Event]:
    """The bank of a live table is owed what its wagers put on the meters, or take back; a test's own meters get it."""
    if state.program.live:
        yield owe(state, body, fed)
        return
    stand = _meters(house, state).standing
    moved = {meter: Micros(stand.get(meter, 0) + micros) for meter, micros in fed}
    yield e.MetersMoved(_amounts({**stand, **moved}), fed)


def claimed(house: House, state: TableState, prize: Prize, press: Press) -> Iterator[e.Event]:
    """A share of a meter in a test: priced at once, by what stands on the test's own."""
    amount = _award(house, _meters(house, state), prize)
    seat = state.round.turn
    claim = f"{TEST}:{state.round.number}:{seat}:{state.taps + 1}"
    yield e.ClaimMade(seat, claim, 0, by=press.by)
    payments = claim_payments(house.submission, prize.wager, HandName(prize.hand), amount, prize.backers)
    yield e.ClaimPriced(seat, claim, Price(amount, prize.meter, "", 0), payments)


def taken(house: House, state: TableState, prize: Prize) -> e.MetersMoved:
    """A share of a test was paid: it leaves its meter, and one that was won whole starts again."""
    meters = _meters(house, state)
    _award(house, meters, prize)
    return e.MetersMoved(_amounts(meters.standing), ())


def of_a_test(house: House, state: TableState, heard: tuple[MeterHeard, ...]) -> tuple[MeterHeard, ...]:
    """The meters that a test shows in place of its bank's, under the names and in the order that were `heard`."""
    stand = _meters(house, state).standing
    names = {one.name: one.display_name for one in heard}
    order = [name for name in dict.fromkeys((*names, *house.submission.meters)) if name in house.submission.meters]
    return tuple(
        MeterHeard(name, names.get(name, name.replace("_", " ")), dollars(cut_to_cents(stand[name])))
        for name in order
        if not name.endswith(RESERVE)
    )


def _meters(house: House, state: TableState) -> StandingMeters:
    """As they stand: those that were not forced and have not moved, with their seeds."""
    seeds = {name: meter.seed for name, meter in house.submission.meters.items()}
    return StandingMeters({**seeds, **{name: Micros(micros) for name, micros in state.program.meters}})


def _award(house: House, meters: StandingMeters, prize: Prize) -> Cents:
    """Take the share off its meter; cents for all who backed it."""
    share = prize_of(house.submission, prize.wager, HandName(prize.hand))
    assert isinstance(share, Share), "a claim is of a share of a meter"
    frozen = share.frozen(meters.standing[share.meter], len(prize.backers))
    price_of(house.submission, prize.wager, share, meters, len(prize.backers))
    return frozen


def _amounts(stand: dict[str, Micros]) -> Amounts:
    return tuple(sorted(stand.items()))
