"""The bounds within which everything is visited, and those that are walked at random; figures: docs/measurements.md."""

from __future__ import annotations

from tests.explore.people import ROYAL, STRAIGHT_FLUSH
from tests.explore.search import Scope

SMALL = (
    Scope(acts=(3, 2), faults=0),
    Scope(acts=(1, 1), faults=2),
    Scope(acts=(3, 1), faults=1),
    Scope(acts=(2, 2), faults=1),
)
FULL = (
    Scope(acts=(2, 1), faults=2),
    Scope(acts=(2, 2), faults=1),
    Scope(acts=(3, 3), faults=0),
    Scope(acts=(3, 1), faults=1),
)
LARGE = Scope(acts=(4, 4), hands=((ROYAL, STRAIGHT_FLUSH), (ROYAL, STRAIGHT_FLUSH)))
"""All the faults together: for random steps."""
