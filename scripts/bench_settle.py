"""Two versions of the law on the same rounds: `scripts/bench settle --against CHECKOUT` runs this.

Every case of `tests/rules/law` and random rounds of every book go through `felt settle --batch` of this checkout and of
the other one. Every answer has to be the same, byte for byte, and so has every refusal. The exit is 1 where one is not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.rules.law_rounds import LAW, law_file, round_file
from tests.rules.random_rounds import random_rounds

ROOT = Path(__file__).resolve().parents[1]
SHOWN = 5


def main() -> int:
    """Compare, count, report."""
    parser = argparse.ArgumentParser(prog="scripts/bench settle", description=__doc__)
    parser.add_argument("--against", type=Path, required=True, help="another checkout of Felt")
    parser.add_argument("--rounds", type=int, default=20_000, help="random rounds, all books together (default 20000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rounds = [*cases_of_the_law(), *random_rounds(random.Random(options.seed), options.rounds)]
    with tempfile.TemporaryDirectory() as directory:
        batch = Path(directory) / "rounds.jsonl"
        batch.write_text("".join(json.dumps(one) + "\n" for one in rounds), encoding="utf-8")
        here, there = answers(ROOT, batch), answers(options.against, batch)
    assert len(here) == len(there) == len(rounds), (len(here), len(there), len(rounds))
    other = [place for place, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1]]
    refused = sum(line.startswith(b'{"error"') for line in here)
    print(f"{len(rounds):,} rounds, {refused:,} of them refused: {len(other):,} answers differ")
    for place in other[:SHOWN]:
        print(f"\n{json.dumps(rounds[place])}\n  here  {here[place].decode()}\n  there {there[place].decode()}")
    return 1 if other else 0


def cases_of_the_law() -> Iterator[dict[str, Any]]:
    """Every round of `tests/rules/law`, refused ones included."""
    for path in sorted(LAW.iterdir()):
        file = law_file(path.name)
        yield from (round_file(file["rules"], case) for case in file["case"])


def answers(checkout: Path, batch: Path) -> list[bytes]:
    """The answers of `felt settle --batch` of a checkout, a line a round."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    command = [sys.executable, "-m", "firmware", "settle", "--batch", str(batch)]
    return subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE).stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
