"""The bounds within which everything is visited, and those that are walked at random; figures: docs/measurements.md."""

from __future__ import annotations

from tests.explore.people import ACCOUNT, DAY, DIFFERENCE, LATE, PRIZE, ROYAL, STRAIGHT_FLUSH
from tests.explore.search import Scope

EVERY = (PRIZE, LATE, DIFFERENCE, DAY, ACCOUNT)
REPORTS = (
    Scope(acts=(3, 0), faults=1, hands=((), ()), reports=((PRIZE, DAY), ())),
    Scope(acts=(2, 1), faults=0, hands=((), ()), reports=(EVERY, (PRIZE, DAY))),
)
"""What moves no meter: prizes, chips that differ, days, accounts."""
RESTORED = (
    "uth-01 has a round's wager counted",
    "the bank hears message 1 of uth-01",
    "uth-01 hears the bank",
    "uth-02 has a round's wager counted",
    "the bank hears message 1 of uth-02",
    "uth-02 hears the bank",
    "the ledger is backed up",
    "uth-01 claims a royal flush",
    "the bank hears message 2 of uth-01",
    "uth-01 hears the bank",
    "uth-01 pays the claim",
    "the bank hears message 3 of uth-01",
    "uth-01 hears the bank",
    "uth-02 claims a straight flush",
    "the ledger is lost; the bank starts on the backup and says so",
)
"""A royal flush was paid by the ledger that is lost, and another table's straight flush may be priced before it is told
again: then what was paid is more than a restore explains, and waits for two people."""
HELD = Scope(acts=(3, 3), hands=((ROYAL,), (STRAIGHT_FLUSH,)), faults=3, begun=RESTORED)
SMALL = (
    Scope(acts=(3, 2), faults=0),
    Scope(acts=(1, 1), faults=2),
    Scope(acts=(3, 1), faults=1),
    Scope(acts=(2, 2), faults=1),
    HELD,
    *REPORTS,
)
FULL = (
    Scope(acts=(2, 1), faults=2),
    Scope(acts=(2, 2), faults=1),
    Scope(acts=(3, 3), faults=0),
    Scope(acts=(3, 1), faults=1),
)
LARGE = Scope(acts=(4, 4), hands=((ROYAL, STRAIGHT_FLUSH), (ROYAL, STRAIGHT_FLUSH)), reports=(EVERY, EVERY))
"""All the faults together: for random steps."""
