"""A month at three tables and their bank (`firmware/proof/simulation/month`): `scripts/bench month` plays it.

Gaming days with closings, power cuts, lost and repeated messages, days without a link, by seed; journals and ledger on disk,
a file for each day. It ends at the first mistake, with the reason.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from firmware.bank.reported import in_words
from firmware.proof.simulation.month import TABLES, play


def main() -> None:
    """Play, and print the totals."""
    parser = argparse.ArgumentParser(prog="scripts/bench month", description=__doc__)
    parser.add_argument("--days", type=int, default=30, help="gaming days (default 30)")
    parser.add_argument("--rounds", type=int, default=12, help="rounds a day at each table (default 12)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        seen = play(Path(folder), options.seed, options.days, options.rounds)
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        disk = sum(path.stat().st_size for path in files)
    print(f"{seen.days} gaming days, {len(TABLES)} tables, seed {options.seed}: {time.monotonic() - began:.0f} s")
    for name, total in seen.totals.items():
        print(f"{name}: {total.rounds} rounds, {total.voids} void, {total.differences} differences, {total.late} late")
        print(f"  staked {dict(total.staked)}, returned {dict(total.returned)}, paid {dict(total.paid)} (cents)")
        print(f"  contributions {dict(total.contributions)} (micro-dollars), awards {dict(total.awards)} (cents)")
        print(
            f"  told the bank, beside: {in_words(seen.told[name].paid)}, as its journal says; {seen.told[name].days} days"
        )
    print(f"ledger: contributions {dict(seen.contributions)}, awards {dict(seen.awards)} (micro-dollars): the same")
    print("met: " + ", ".join(f"{number} {what}" for what, number in sorted(seen.met.items())))
    print(f"{seen.rows} rows of the tables, {len(files)} files, {disk // 1024} KiB")


if __name__ == "__main__":
    main()
