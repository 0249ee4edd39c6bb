"""The presses and seconds that a round costs the dealer: `scripts/bench presses` runs this."""

from __future__ import annotations

import sys

from tests.table.press_costs import main

if __name__ == "__main__":
    sys.exit(main())
