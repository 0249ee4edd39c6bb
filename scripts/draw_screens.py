"""One picture of every kind of screen on a panel, the fullest of its kind: `scripts/screens` runs this."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import draw_operations
import draw_sign

from firmware.config import DEFAULT_BOOK
from firmware.rules.money import Cents
from firmware.runtime.screen import Pictures, kind_of
from firmware.table.state import Phase, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from tests.ui.test_screens import longest, played
from tests.ui.walk import HOUSES
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS
from ui.dealer.screens import screen
from ui.dealer.widgets import Shape


def main() -> int:
    """Draw what the options ask for."""
    options = argparse.ArgumentParser(prog="scripts/screens")
    options.add_argument("--panel", choices=list(PANELS), help="one panel; without it, all of them")
    options.add_argument("--out", type=Path, default=Path("run/screens"), help="where the pictures go")
    options.add_argument("--readme", action="store_true", help="the pictures of README.md instead")
    options.add_argument("--operations", action="store_true", help="the pictures of docs/operations.md instead")
    options.add_argument("--sign", action="store_true", help="the overhead sign instead")
    chosen = options.parse_args()
    if chosen.sign:
        draw_sign.draw(chosen.out / "sign")
        print(f"{chosen.out / 'sign'}: {len(list((chosen.out / 'sign').glob('*/*.png')))} pictures")
        return 0
    if chosen.readme:
        draw_readme(README)
        return 0
    if chosen.operations:
        draw_operations.draw(draw_operations.FOLDER)
        return 0
    for name in [chosen.panel] if chosen.panel else PANELS:
        folder = chosen.out / name
        draw(name, folder)
        print(f"{folder}: {len(list(folder.glob('*/*.png')))} pictures")
    return 0


def draw(panel: str, folder: Path) -> None:
    """Every kind of screen on one panel, from every procedure that is played and from the longest things to be said."""
    display, frame = Display(PANELS[panel], "Felt"), frame_of(PANELS[panel])
    by_level: dict[str, Pictures] = {}
    for house, state, live in (*played(), *((HOUSES[f"{DEFAULT_BOOK} 0"], *one) for one in longest())):
        kind = f"{house.game.name}-l{state.program.level}"
        pictures = by_level.setdefault(kind, Pictures(folder / kind))
        shown = screen(house, state, live, frame)
        display.draw(shown)
        pictures.take(shown, display.save_png)
    display.close()


README = Path("docs/pictures")
OF_README = {"open": 0, "count": 0, "hold": 0, "settle-settled": 1}
"""Kind of picture -> the assist level that shows it."""
SIGN = (960, 540)
"""Size of the picture of the sign."""
STANDING = {"mega": "126418.20", "major": "10012.34", "minor": "1204.75"}
METERS = tuple(MeterHeard(name, name, amount) for name, amount in STANDING.items())


def _usual(state: TableState) -> TableState:
    """The same table with a jackpot of the usual size in place of the largest that a screen must hold."""
    turn = state.round.turn
    prize = state.seat(turn).prize if turn else None
    if prize is None or not prize.meter or not prize.payments:
        return state
    paid = tuple(one._replace(payout=Cents(1_001_234)) for one in prize.payments)
    seats = list(state.round.seats)
    seats[turn - 1] = replace(seats[turn - 1], prize=replace(prize, payments=paid))
    return replace(state, round=replace(state.round, seats=tuple(seats)))


def draw_readme(folder: Path) -> None:
    """The pictures of the README: the fullest of each kind, of the default book, without bonus wagers and refusals."""
    display, frame = Display(PANELS["800x480"], "Felt"), frame_of(PANELS["800x480"])
    with tempfile.TemporaryDirectory() as made:
        pictures = Pictures(Path(made))
        for house, state, live in played():
            usual = house.game.name == DEFAULT_BOOK and not house.submission.by_account
            corrected = any(seat.position.undone for seat in state.round.seats)
            dead = state.phase is Phase.OPEN and any(sensor.dead for sensor in state.felt.sensors)
            rare = corrected or dead or state.decks.recut or state.round.void_cite or state.desk.notice
            if not usual or rare:
                continue
            shown = screen(house, _usual(state), replace(live, meters=METERS), frame)
            if any(widget.shape is Shape.ALERT for widget in shown.widgets):
                continue
            if kind_of(shown) == "winners" and not state.round.turn:  # the seat is tapped, its hand is next
                continue
            if OF_README.get(kind_of(shown)) == state.program.level:
                display.draw(shown)
                pictures.take(shown, display.save_png)
        for kind in OF_README:
            shutil.copy(Path(made, f"dealer-{kind}.png"), folder / f"dealer-{kind.partition('-')[0]}.png")
        draw_sign.draw_in(Path(made), "", [SIGN], "won")
        shutil.copy(Path(made, "{}x{}".format(*SIGN), "sign-won.png"), folder / "sign-won.png")
    display.close()


if __name__ == "__main__":
    sys.exit(main())
