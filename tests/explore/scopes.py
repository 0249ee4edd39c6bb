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
SMALL = (
    Scope(acts=(3, 2), faults=0),
    Scope(acts=(1, 1), faults=2),
    Scope(acts=(3, 1), faults=1),
    Scope(acts=(2, 2), faults=1),
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
