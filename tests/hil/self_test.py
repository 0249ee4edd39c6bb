"""A rig tests itself at a new table: a scenario that fails afterwards speaks of the program, not of a wire.

What the program believes (the observers' socket) is compared with what a meter reads (`Rig.lines`) and with what the
hands did, so a fault is named by the wire it is on.
"""

from __future__ import annotations

from firmware.proof.simulation.at_table import PIN_WANTED
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game_betting import LIFT
from firmware.proof.simulation.person import Stuck, field_at, not_shown, saying, says, shown
from firmware.runtime.glass import Observation
from hal.cabinet.world import WorldFault
from tests.hil.rig import Broken, Rig

LINE_S = 5.0
"""So long a lamp may take in a self-test; what was promised is measured by the scenarios."""


def self_test(rig: Rig) -> None:
    """Set up a new table and test it. Raises Broken with every part that is not as it should be, in one sentence each."""
    rig.table()
    at_its_table(rig)


def at_its_table(rig: Rig) -> None:
    """The same at the table that is set up and was not played at yet."""
    dealer = rig.dealer(rig.book)
    faults: list[str] = []
    for part, test in (
        ("touch", _touch),
        ("sensors and lamps", _sensors_and_lamps),
        ("serial", _serial),
        ("badge", _badge),
        ("lock line", _lock_line),
    ):
        try:
            faults += test(rig, dealer)
        except (Stuck, WorldFault, AssertionError, OSError) as error:
            faults.append(f"{part}: {error}")
        if faults:
            raise Broken(f"rig {rig.name} fails its self-test: {'; '.join(faults)}")


def _touch(_rig: Rig, dealer: Dealer) -> list[str]:
    """The keys that open a table are pressed."""
    dealer.open()
    dealer.person.screen("open")
    return []


def _sensors_and_lamps(rig: Rig, dealer: Dealer) -> list[str]:
    """One chip after another: which seat the program hears, which lamp the meter sees."""
    person, seats = dealer.person, range(1, dealer.game.seats + 1)
    faults = [f"lamp {seat} is lit though nothing lies there" for seat, lit in rig.lines().lamps.items() if lit]
    for seat in () if faults else seats:
        person.world.place(seat)
        try:
            seen = _recognized(rig, dealer, seat)
        except Stuck:
            faults.append(f"sensor {seat}: a chip was laid, and the table hears none")
            person.world.take(seat)
            continue
        heard = [int(name) for name, lamp in seen.lamps.items() if lamp == "lit"]
        faults += wires(rig, seat, heard)
        person.world.take(seat)
        person.see(lambda seen: "lit" not in seen.lamps.values(), f"seat {seat} empty again")
    return faults


def _recognized(rig: Rig, dealer: Dealer, seat: int) -> Observation:
    """Its lamp is lit for the chip; where the sensors had not been steady for long enough it is lifted and laid again.

    On a slow machine the last chip's contact may bounce so late that its lamp is lit once more for a moment; a lamp of
    another seat counts once this one's has not come.
    """

    def lift(seen: Observation) -> bool:
        return says(seen, LIFT)

    def own(seen: Observation) -> bool:
        return [int(name) for name, lamp in seen.lamps.items() if lamp == "lit"] == [seat]

    while True:
        try:
            seen = dealer.person.see(lambda seen: own(seen) or lift(seen), "a lamp", LINE_S * rig.slowness)
        except Stuck:
            seen = dealer.person.look()
            if "lit" not in seen.lamps.values():
                raise
        if not lift(seen):
            return seen
        dealer.world.take(seat)
        dealer.person.see(lambda seen: not lift(seen), "the sensors empty")
        dealer.world.place(seat)


def wires(rig: Rig, seat: int, heard: list[int]) -> list[str]:
    """What the meter says of the lamps that the program lit for one chip."""
    if heard != [seat]:
        return [f"sensor {seat}: the table hears seat {' and '.join(map(str, heard))}; its wire is swapped or shorted"]
    wanted = {number: number == seat for number in rig.lines().lamps}
    try:
        rig.until(lambda lines: dict(lines.lamps) == wanted, f"lamp {seat} alone", LINE_S * rig.slowness)
    except AssertionError:
        lit = [str(number) for number, on in rig.lines().lamps.items() if on]
        return [
            f"lamp {seat}: the meter sees {' and '.join(lit) or 'none'} lit; a lamp's wire is swapped, cut or inverted"
        ]
    return []


def _lock_line(rig: Rig, dealer: Dealer) -> list[str]:
    """High while bets are open; low once the switch is turned, and high in the next round."""
    if not rig.lines().open:
        return ["lock line: low though bets are open; its wire is cut or inverted"]
    dealer.world.lockout(True)
    dealer.person.see(not_shown("open"), "bets locked")
    try:
        rig.until(lambda lines: not lines.open, "the lock line low", LINE_S * rig.slowness)
    except AssertionError:
        return ["lock line: high though bets are locked; its wire is shorted or inverted"]
    dealer.world.lockout(False)
    return []


def _serial(_rig: Rig, dealer: Dealer) -> list[str]:
    """A card sticks in the shuffler, and the screen says so; it is taken out, and the screen says something else."""
    dealer.world.jam()
    dealer.person.see(_jammed, "a jam of the shuffler")
    dealer.world.clear_jam()
    dealer.person.see(lambda seen: not _jammed(seen), "the jam cleared")
    return []


def _jammed(seen: Observation) -> bool:
    return field_at(seen, "", "fault", "shuffler.alarm") == "jam"


def _badge(_rig: Rig, dealer: Dealer) -> list[str]:
    """A badge is shown where one is asked for: the screen asks for the PIN."""
    person = dealer.person
    person.key("problem", until=shown("irregularity"))
    person.key("problem-recut", until=shown("sign"))
    person.show_badge("2001")
    person.see(saying(PIN_WANTED), "the PIN line")
    person.key("back", until=shown("open"))
    return []
