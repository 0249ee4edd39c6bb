"""A rehearsal's script on a rig: what it does in one process people do at a real table, tap by tap; both show the same.

`Shadow` plays the script as `felt rehearse` does, on the rig's own table.toml, and writes down what hands did: which
place of the glass was tapped, which chip moved, who signed. `Mirror` does that at the rig and waits until its screen says
what the shadow's says. A step that a rig cannot do ends the script there; its word is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.expectations import failure
from firmware.proof.rehearse.player import Outcome, Player
from firmware.proof.rehearse.rig import Rig as Rehearsed
from firmware.proof.rehearse.tables import of_file, seatings
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game_opening import next_deck
from firmware.proof.simulation.person import CORNER, Stuck, changed, key_at, ready, says
from firmware.rules.message import Message
from firmware.runtime.glass import Observation
from firmware.table.events import Event
from hal.cabinet.world import World
from tests.hil.promises import Promise
from tests.hil.rig import GLANCE_S, Rig, glance
from ui.dealer.screens import screen_key
from ui.dealer.widgets import Screen

NOT_DOABLE = (s.Button, s.Device, s.ShufflerSays, s.ShufflerAuto, s.Draw, s.Wait, s.OnTable)
"""What people at a rig cannot do, or only in hours. A real shuffler says what it is asked to by nobody."""
COMPLAINTS = ("desk.refused", "desk.late-contacts")
"""The line in which a screen without money tells what a machine said that was refused, or was told late."""
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
    """Plays a script in this process and writes down what hands did, as acts for the people at the rig."""

    def __init__(self, table: Path) -> None:
        super().__init__(Rehearsed(seatings((of_file(table),), ()), None, 1))
        self.acts: list[Callable[[Mirror], object]] = []
        self._signed: tuple[str, str] = ("", "")
        self._person = s.Badge()
        self._follow("move_chip", self._chip)
        self._follow("turn_switch", self._switch)
        self._follow("push_next", lambda: lambda mirror: mirror.world.next_key())

    def shows(self) -> Shows:
        """What its screen says now."""
        return Shows.of(self.table.composed(), self.table.name.upper())

    def _follow(self, name: str, act: Callable[..., Callable[[Mirror], object]]) -> None:
        """Whatever the table is told this way the hands do too."""
        told = getattr(self.table, name)

        def follow(*given: Any, **named: Any) -> Any:
            self.acts.append(act(*given, **named))
            return told(*given, **named)

        setattr(self.table, name, follow)

    def _chip(self, seat: int, lies: bool) -> Callable[[Mirror], object]:
        return lambda mirror: mirror.world.place(seat) if lies else mirror.world.take(seat)

    def _switch(self, way: str) -> Callable[[Mirror], object]:
        def turn(mirror: Mirror) -> None:
            if way == "cut":
                mirror.world.cut_wire()
            else:
                mirror.world.mend_wire()
                mirror.world.lockout(way == "on")

        return turn

    def meets(self, person: s.Badge) -> None:
        """Whose badge and PIN it is from now on."""
        self._person = person

    def _press(self, word: str) -> tuple[Event, ...]:
        """Where that key lies, who signed before it, and what the screen says then."""
        self.table.sign_in()
        now = (screen_key(self.table.state), self.table.by)
        if self.table.by and now != self._signed:
            self._signed = now
            badge, pin = self._person.number, self._person.pin
            self.acts.append(lambda mirror: mirror.dealer.signs_in(badge, pin))
        before = self.table.screen()
        place = next(one.id for one in before.widgets if one.press == word)
        was = self.shows()
        events = super()._press(word)
        then = self.shows()
        silent = was == then and bool(events)
        self.acts.append(lambda mirror: mirror.tap(place, None if silent else then))
        return events


Lines = tuple[Message | str, ...]


@dataclass(frozen=True, slots=True)
class Shows:
    """What a screen says, by the places where both tables must say the same."""

    name: str
    lines: Mapping[str, Lines]
    called: frozenset[str]
    """Places that name the table or a meter: a rig may call them otherwise."""

    @classmethod
    def of(cls, screen: Screen, table: str) -> Shows:
        said = {one.id: tuple(line.said for line in one.lines) for one in screen.widgets}
        compared = {place: lines for place, lines in said.items() if _compared(place)}
        named = frozenset(place for place, lines in compared.items() if any(_named(table, line) for line in lines))
        return cls(screen.name, compared, named)

    def agrees(self, seen: Observation) -> bool:
        """A rig's screen says the same, whatever a busy machine complains of in between."""
        shown = {one.id: one.said for one in seen.widgets if _compared(one.id)}
        places = (self.lines.keys() | shown.keys()) - self.called
        return seen.screen == self.name and all(_same(shown.get(one), self.lines.get(one)) for one in places)

    def __str__(self) -> str:
        return f"what a rehearsal shows: {self.name}: {' | '.join(' '.join(map(str, said)) for said in self.lines.values())}"


def _named(table: str, line: Message | str) -> bool:
    """It says the name of this table, or what its bank calls a meter."""
    said = str(line)
    return table in said or "'meter'" in said


def _same(shown: Lines | None, said: Lines | None) -> bool:
    """A complaint of machinery stands behind the first two lines of what there is to say, or where nothing was."""
    last = shown[-1] if shown else ""
    if shown is None or not (isinstance(last, Message) and last.id in COMPLAINTS):
        return shown == said
    return shown[:-1] == (said or ())[: len(shown) - 1]


class Mirror:
    """A script at a rig. `dealer`: of its table; `config`: that table's table.toml."""

    def __init__(self, rig: Rig, dealer: Dealer, config: Path) -> None:
        self.dealer, self._rig = dealer, rig
        self._shadow = Shadow(config)
        self._swapped = 0

    @property
    def world(self) -> World:
        """What hands move at the rig."""
        return self.dealer.world

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
                self._cut()
            if isinstance(line.says, s.Badge):
                self._shadow.meets(line.says)
            outcome = self._shadow.play(line, joined=False)
            if outcome.refused is not None:
                return Played(played, "refused")
            self._do(self._rig.most_s(Promise.BOOT_PLAYABLE) if isinstance(line.says, s.Power) else None)
            played += 1
        return Played(played, "")

    def _cut(self) -> None:
        """The power goes, everybody sees the table gone, and it comes back: no old picture is taken for a new one."""
        self._rig.power_cut()
        while self._is_seen():
            glance()
        self._rig.boot()

    def _is_seen(self) -> bool:
        """Somebody at the rig sees a screen of the table."""
        try:
            self.dealer.person.see(lambda _seen: True, "the table", GLANCE_S)
        except Stuck:
            return False
        return True

    def _do(self, within_s: float | None) -> None:
        """What the shadow did, at the rig; then both screens say the same. `within_s`: None for people's own patience."""
        acts, self._shadow.acts = self._shadow.acts, []
        for act in acts:
            act(self)
            self._swap()
        shows = self._shadow.shows()
        self._see(shows.agrees, str(shows), within_s)

    def tap(self, place: str, then: Shows | None) -> None:
        """Press the key in this place until the screen says this; None: a key only looks different then."""
        person = self.dealer.person
        self._see(lambda seen: key_at(seen, place) is not None, f"key {place}")
        before, taps = person.look(), person.taps

        def done(seen: Observation) -> bool:
            if then is None:
                return person.taps > taps
            return then.agrees(seen) or seen.key != before.key or _wants_deck(seen) != ""

        person.key(place, until=done)

    def _see(self, what: Callable[[Observation], bool], waiting_for: str, within_s: float | None = None) -> None:
        """Until it is seen. Whatever deck the shuffler lacks is put in: a rehearsal's has always shuffled already."""
        person = self.dealer.person
        while not what(seen := person.see(lambda now: what(now) or _wants_deck(now) != "", waiting_for, within_s)):
            self.world.load(_wants_deck(seen))
            person.see(changed(seen, "work"), "what the shuffler says then")

    def _swap(self) -> None:
        """The shuffled deck and the one that is dealt change places once a round, as a dealer's hands do it."""
        seen, number = self.dealer.person.look(), self._shadow.table.state.round.number
        if seen.screen == "deal" and self._swapped != number and not says(seen, "status.shuffler-off", "machine"):
            self._swapped = number
            self.dealer.person.see(ready("machine"), "the shuffled deck")
            self.world.swap_deck()


def _wants_deck(seen: Observation) -> str:
    """The deck that the screen wants in the shuffler before bets can open; "" where it wants none."""
    return next_deck(seen) if seen.screen in ("closed", "shuffle") else ""


def _compared(place: str) -> bool:
    return place not in CORNER and not place.startswith(METERS)


def _is_forced(step: object) -> bool:
    return isinstance(step, s.Press) and step.manner == "force"
