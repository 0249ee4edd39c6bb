"""The round as a table one can read: in this phase, after that event, the round stands there.

What the table cannot say (who may, when, why) is in `decide`; what else an event changes is in `evolve`. An event that
is not listed for a phase leaves the phase as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware.table import events as e
from firmware.table.state import Phase

TRANSITIONS: Mapping[Phase, Mapping[type[e.Event], Phase]] = {
    Phase.CLOSED: {e.BetsOpened: Phase.OPEN, e.ClearTakenBack: Phase.WINNERS},
    Phase.OPEN: {e.BetsClosed: Phase.COUNT, e.ClearTakenBack: Phase.WINNERS},
    Phase.COUNT: {
        e.BetsReopened: Phase.OPEN,
        e.CountEntered: Phase.DIFFERENCE,
        e.CountAgreed: Phase.DEAL,
        e.RoundVoided: Phase.VOID,
    },
    Phase.DIFFERENCE: {e.CountTakenBack: Phase.COUNT, e.CountAgreed: Phase.DEAL, e.RoundVoided: Phase.VOID},
    Phase.DEAL: {e.SettlingBegun: Phase.WINNERS, e.RoundCleared: Phase.CLOSED, e.RoundVoided: Phase.VOID},
    Phase.WINNERS: {
        e.PrizeNamed: Phase.VALIDATE,
        e.ShareNamed: Phase.CARDS,
        e.EnvyOwed: Phase.ENVY,  # in one transaction with the ClaimPaid that causes it
        e.RoundCleared: Phase.CLOSED,
        e.RoundVoided: Phase.VOID,
    },
    Phase.CARDS: {
        e.HandShown: Phase.VALIDATE,
        e.PrizeNamed: Phase.VALIDATE,
        e.PrizeTakenBack: Phase.WINNERS,
        e.RoundVoided: Phase.VOID,
    },
    Phase.VALIDATE: {
        e.PrizeValidated: Phase.PAY,
        e.ClaimMade: Phase.PRICE,
        e.PrizeTakenBack: Phase.WINNERS,
        e.RoundVoided: Phase.VOID,
    },
    Phase.PRICE: {e.ClaimPriced: Phase.HOLD, e.ClaimRejected: Phase.WINNERS},
    Phase.HOLD: {e.ClaimPriced: Phase.HOLD, e.ClaimPaid: Phase.WINNERS, e.ClaimRejected: Phase.WINNERS},
    Phase.PAY: {e.PrizePaid: Phase.WINNERS, e.RoundVoided: Phase.VOID},
    Phase.ENVY: {e.EnvyPaid: Phase.WINNERS},
    Phase.VOID: {e.RoundCleared: Phase.CLOSED},
}


def after(phase: Phase, event: e.Event) -> Phase:
    """The phase that `event` leads to from `phase`."""
    return TRANSITIONS[phase].get(type(event), phase)
