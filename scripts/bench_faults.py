"""Every write, sync, rename, link and truncate of a table and a bank made to fail in turn (tests/faults/campaign.py).

`--full-disk`: on disks that are really full instead (tests/faults/full_disk.py).
"""

from __future__ import annotations

import sys

from tests.faults import campaign, full_disk

if __name__ == "__main__":
    if sys.argv[1:2] == ["--full-disk"]:
        sys.exit(full_disk.main(sys.argv[2:]))
    sys.exit(campaign.main())
