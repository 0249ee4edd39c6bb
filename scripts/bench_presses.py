"""What a round costs the dealer in presses and seconds: `scripts/bench presses` runs this."""

from __future__ import annotations

import sys

from tests.table.press_costs import main

if __name__ == "__main__":
    sys.exit(main())
