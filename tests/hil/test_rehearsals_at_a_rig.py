"""Scripts of tests/rehearsals at a rig's table: what one process says of a round a real table shows as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.config import DEFAULT_BOOK
from firmware.proof.rehearse.script import read_script
from firmware.proof.simulation import books
from tests.hil.conftest import REHEARSED
from tests.hil.rehearsal import Mirror
from tests.hil.rig import Capability, Rig

pytestmark = [pytest.mark.rig, pytest.mark.slow, pytest.mark.timeout(1800)]

SCRIPTS = Path(__file__).parents[1] / "rehearsals"
PLAYED = (
    (DEFAULT_BOOK, "653a-flush-wins-the-progressive"),
    (DEFAULT_BOOK, "653a-9a3-chips-against-lamps"),
    (DEFAULT_BOOK, "653a-power-cut"),
    (DEFAULT_BOOK, "653a-4a-a-defect"),
    (DEFAULT_BOOK, "653a-progressive-out-of-order"),
    ("md-36.05.16", "36.05.16-09A3b-the-count"),
    ("md-36.05.16", "36.05.16-11J2ei-a-holder-without-a-wager"),
    ("md-36.05.16", "36.05.16-11J2eiii-not-for-the-dealers-hand"),
    ("md-36.05.16", "md-fixed-prize-returns-the-stake"),
    ("pa-671a", "671a-round"),
    ("pa-671a", "671a-11c-locked-decisions"),
    ("pa-671a", "671a-13d-after-every-decision"),
    ("pa-677a", "677a-13a-two-cards-face-up"),
    ("pa-677a", "677a-dealers-card-exposed"),
)
"""They hold at the tables of the rigs, whose rules are the simulation's and not a rehearsal's own, to their last step."""


@pytest.mark.parametrize(
    ("book", "script"),
    [
        pytest.param(book, name, marks=[] if book == DEFAULT_BOOK else pytest.mark.needs(Capability.BOOKS), id=name)
        for book, name in PLAYED
    ],
)
@pytest.mark.needs(Capability.POWER_CUT)
def test_a_rehearsal_is_what_the_table_shows(
    rig: Rig, book: str, script: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    books.write(tmp_path, book)
    mirror = Mirror(rig, rig.dealer(book), tmp_path / "table.toml")
    played = mirror.play(read_script((SCRIPTS / f"{script}.felt").read_bytes(), script))
    request.node.user_properties.append((REHEARSED, (played.steps, played.ended_by)))
    assert played.steps, "not even its first step can be done"
