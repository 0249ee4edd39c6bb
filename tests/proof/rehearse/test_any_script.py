"""Whatever a script says, Felt itself does not fail: steps at random on a table of each book."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.rules.games import books
from tests.proof.rehearse.test_script import GOOD
from tests.sample import some

USUAL = (
    *("open", "clear", "press no-more-bets", "press count 0", "press count 1", "go on", "go on to reveal", "chip 1"),
    *("chip 2", "tell 1 in", "tell 2 in", "badge 2001 4826", "badge 3001 7391", "press apply", "press approve"),
    *("press paid", "press settled", "press undo", "press claim-paid", "press problem wrong-number"),
    *("press problem not-52", "press problem cover", "tell 1 win", "tell 2 lose", "tell dealer qualifies"),
    *("tell 2 progressive royal flush", "cards 2 Ah Kh Qh Jh Th", "force clear", "force settled", "power"),
)
SLOW = ("wait 8h", "table t2")
STEPS = 30


@pytest.mark.parametrize("seed", some(range(2), keep=[0]))
@pytest.mark.parametrize("book", books())
def test_no_script_makes_felt_fail(book: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"{book} {seed}")
    known = [*(line for line in GOOD if not line.startswith("expect") and line not in SLOW), *USUAL, *USUAL]
    lines = [chance.choice(known) for _ in range(STEPS)]
    lines = [f"+{chance.randint(1, 40)}ms {line}" if chance.random() < 0.1 else line for line in lines]
    script = tmp_path / "any.felt"
    script.write_text("\n".join(["open", *lines]), encoding="utf-8")
    monkeypatch.setattr("firmware.proof.rehearse.stage._fails", lambda line: False)  # what is refused is passed over
    assert main(["rehearse", "--book", book, "--level", str(1 + seed), str(script)]) == 0
