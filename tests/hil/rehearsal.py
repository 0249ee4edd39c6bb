"""A rehearsal's script on a rig: what it does in one process people do at a real table, tap by tap; both show the same.

`Shadow` plays the script as `felt rehearse` does, on the rig's own table.toml, and writes down what hands did: which
place of the glass was tapped, which chip moved, who signed. `Mirror` does that at the rig and waits until its screen says
what the shadow's says. A step that a rig cannot do ends the script there; its word is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.rehearse import steps as s
from firmware.rehearse.expecting import failure
from firmware.rehearse.player import Outcome, Player
from firmware.rehearse.rig import Rig as Rehearsed
from firmware.rehearse.tables import of_file, seatings
from firmware.runtime.glass import Observation
from firmware.simulation.dealer import Dealer
from firmware.simulation.person import CORNER, text_at
from firmware.table.events import Event
from tests.hil.promises import Promise
from tests.hil.rig import Rig
from ui.dealer.screens import screen_key
from ui.dealer.widgets import Screen

NOT_DOABLE = (s.Button, s.Device, s.ShufflerSays, s.ShufflerAuto, s.Draw, s.Wait, s.OnTable)
"""What people at a rig cannot do, or only in hours. A real shuffler says what it is asked to by nobody."""
METERS = "meter-"
"""Places of the glass where a meter stands: what it is called and holds is the bank's."""


class NotHere(Exception):
    """This table is not the script's: it fails in the shadow already. The text says where."""


@dataclass(frozen=True, slots=True)
class Played:
    """How far a script came: steps that were played, and the word of the one that the rig cannot do ("" at its end)."""

    steps: int
    ended_by: str


class Shadow(Player):
    """Plays a script in this process and writes down what hands did, as acts for a dealer."""

    def __init__(self, table: Path) -> None:
        super().__init__(Rehearsed(seatings((of_file(table),), ()), None, 1))
        self.acts: list[Callable[[Dealer], object]] = []
        self._signed: tuple[str, str] = ("", "")
        self._person = s.Badge()
        self._follow("move_chip", self._chip)
        self._follow("turn_switch", self._switch)
        self._follow("push_next", lambda: lambda dealer: dealer.world.next_key())

    def _follow(self, name: str, act: Callable[..., Callable[[Dealer], object]]) -> None:
        """Whatever the table is told this way the hands do too."""
        told = getattr(self.table, name)

        def follow(*given: Any, **named: Any) -> Any:
            self.acts.append(act(*given, **named))
            return told(*given, **named)

        setattr(self.table, name, follow)

    def _chip(self, seat: int, lies: bool) -> Callable[[Dealer], object]:
        return lambda dealer: dealer.world.place(seat) if lies else dealer.world.take(seat)

    def _switch(self, way: str) -> Callable[[Dealer], object]:
        def turn(dealer: Dealer) -> None:
            if way == "cut":
                dealer.world.cut_wire()
            else:
                dealer.world.mend_wire()
                dealer.world.lockout(way == "on")

        return turn

    def meets(self, person: s.Badge) -> None:
        """Whose badge and PIN it is from now on."""
        self._person = person

    def _press(self, word: str) -> tuple[Event, ...]:
        """Where that key lies, and who signed before it."""
        self.table.sign_in()
        now = (screen_key(self.table.state), self.table.by)
        if self.table.by and now != self._signed:
            self._signed = now
            badge, pin = self._person.number, self._person.pin
            self.acts.append(lambda dealer: dealer.signs_in(badge, pin))
        before = self.table.screen()
        place = next(one.id for one in before.widgets if one.press == word)
        events = super()._press(word)
        silent = _said(before) == _said(self.table.screen()) and bool(events)
        self.acts.append(lambda dealer: _tap(dealer, place, silent=silent))
        return events


def _tap(dealer: Dealer, place: str, *, silent: bool) -> None:
    """Until the screen says something else; `silent`: it only looks different, a key is lit."""
    before = dealer.person.look()
    dealer.person.key(place, until=(lambda seen: seen.at_ns > before.at_ns) if silent else None)


def _said(screen: Screen) -> dict[str, str]:
    """The words of a screen by their places, where both tables must say the same."""
    return {one.id: " ".join(line.text for line in one.lines) for one in screen.widgets if _compared(one.id)}


class Mirror:
    """A script at a rig. `dealer`: of its table; `config`: that table's table.toml."""

    def __init__(self, rig: Rig, dealer: Dealer, config: Path) -> None:
        self._rig, self._dealer = rig, dealer
        self._shadow = Shadow(config)
        self._swapped = 0

    def play(self, script: s.Script) -> Played:
        """As far as the rig can. Raises NotHere before anything is done, Stuck where the two tables differ."""
        played, outcome = 0, Outcome()
        for line in script.lines:
            if not line.is_step:
                if why := failure(self._shadow.table, line.says, outcome):  # type: ignore[arg-type]
                    raise NotHere(f"line {line.number}: {line.text}: {why}")
                continue
            if isinstance(line.says, NOT_DOABLE) or line.after_ns is not None or _is_forced(line.says):
                return Played(played, line.text.split()[0])
            if isinstance(line.says, s.Power):
                self._rig.power_cut()
                self._rig.boot()
            if isinstance(line.says, s.Badge):
                self._shadow.meets(line.says)
            outcome = self._shadow.play(line, joined=False)
            if outcome.refused is not None:
                return Played(played, "refused")
            self._do(self._rig.most_s(Promise.BOOT_PLAYABLE) if isinstance(line.says, s.Power) else None)
            played += 1
        return Played(played, "")

    def _do(self, within_s: float | None) -> None:
        """What the shadow did, at the rig; then both screens say the same. `within_s`: None for people's own patience."""
        acts, self._shadow.acts = self._shadow.acts, []
        for act in acts:
            act(self._dealer)
            self._swap()
        screen = self._shadow.table.screen()
        said, called = _said(screen), self._shadow.table.name.upper()
        wanted = {place: text for place, text in said.items() if called not in text}

        def agrees(seen: Observation) -> bool:
            shown = {one.id: " ".join(one.text.split("\n")) for one in seen.widgets if _compared(one.id)}
            named = set(said) - set(wanted)  # a rig may call its table otherwise
            return seen.screen == screen.name and wanted == {
                place: text for place, text in shown.items() if place not in named
            }

        shows = f"what a rehearsal shows: {screen.name}: {' | '.join(wanted.values())}"
        self._dealer.person.see(agrees, shows, within_s)

    def _swap(self) -> None:
        """The shuffled deck and the one that is dealt change places once a round, as a dealer's hands do it."""
        seen, number = self._dealer.person.look(), self._shadow.table.state.round.number
        if seen.screen == "deal" and self._swapped != number and "SHUF off" not in text_at(seen, "machine"):
            self._swapped = number
            self._dealer.person.see(lambda now: "SHUF 52" in text_at(now, "machine"), "the shuffled deck")
            self._dealer.world.swap_deck()


def _compared(place: str) -> bool:
    return place not in CORNER and not place.startswith(METERS)


def _is_forced(step: object) -> bool:
    return isinstance(step, s.Press) and step.manner == "force"
