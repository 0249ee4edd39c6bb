"""Every write, sync, rename, link and truncate of a table and a bank made to fail in turn (tests/faults/campaign.py)."""

from __future__ import annotations

import sys

from tests.faults.campaign import main

if __name__ == "__main__":
    sys.exit(main())
