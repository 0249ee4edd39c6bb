"""A new table is a test until two people say LIVE: it is played whole, and no money of the bank moves.

Nothing is owed to the bank, and no day is counted. A share of a meter is priced by what a technician forced that meter to,
which is possible in a test only. LIVE is said once, at a table that is closed, and nothing takes it back.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.hands import HandName
from firmware.rules.message import say
from firmware.rules.meter_wagers import claim_payments, prize_of
from firmware.rules.money import Cents, to_micros
from firmware.rules.paytable import Share
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.press import Press
from firmware.table.projections import is_closed
from firmware.table.state import NO_PANEL, Panel, PanelKind, Price, Prize, TableState

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
        yield press.refused(say("live.second", badge=press.by))
    else:
        yield e.TableLive((first, press.by), by=press.by)
        yield e.PanelTurned(NO_PANEL)


def claimed(house: House, state: TableState, prize: Prize, press: Press) -> Iterator[e.Event]:
    """A share of a meter in a test: priced at once by what the meter was forced to; refused where it was not."""
    stands = dict(state.program.forced).get(prize.meter)
    if stands is None:
        yield press.refused(say("live.not-forced", meter=prize.meter))
        return
    hand = HandName(prize.hand)
    share = prize_of(house.submission, prize.wager, hand)
    assert isinstance(share, Share), "a claim is of a share of a meter"
    amount = share.frozen(to_micros(Cents(stands)), len(prize.backers))
    seat = state.round.turn
    claim = f"{TEST}:{state.round.number}:{seat}:{state.taps + 1}"
    yield e.ClaimMade(seat, claim, 0, by=press.by)
    payments = claim_payments(house.submission, prize.wager, hand, amount, prize.backers)
    yield e.ClaimPriced(seat, claim, Price(amount, prize.meter, "", 0), payments)
