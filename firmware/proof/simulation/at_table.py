"""The people at a simulated table: their knowledge and memory of the round, and how they sign and tell.

The wishes of a screen are in `game_opening`, `game_betting` and `game_settling`, by the screen's name; `dealer` plays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.proof.simulation.game import Game
from firmware.proof.simulation.hands import Cards
from firmware.proof.simulation.person import FLOOR, Person, Stuck, field_at, not_shown, says, shown
from firmware.proof.simulation.plan import Round
from firmware.runtime.glass import Observation
from firmware.table.irregularity import ROUTINE

log = logging.getLogger("felt.dealer")

Moment = Callable[[str], None]
"""Told of moments that are worth a picture: "running", "pending", "won"."""


@dataclass
class InPlay:
    """Everybody's knowledge of the round that is being played."""

    script: Round
    cards: Cards
    done: set[str] = field(default_factory=set)
    """Steps of the script that happen once."""
    named: set[tuple[int, str]] = field(default_factory=set)
    """Prizes that were named: seat, wager."""
    turn: int = 0
    """The seat whose prize is being settled."""
    wager: str = ""
    """And which of its wagers won."""
    magic: str = ""
    """The Magic Card that the screen showed."""

    def once(self, deed: str) -> bool:
        """True the first time."""
        first = deed not in self.done
        self.done.add(deed)
        return first


class AtTable:
    """Everybody at one table: a dealer, players, a floorperson and a manager."""

    def __init__(
        self, person: Person, moment: Moment = lambda _what: None, game: Game | None = None, seed: int = 0
    ) -> None:
        self.person = person
        self.world = person.world
        self.game = game or Game.of(None)
        self.moment = moment
        self.on_felt: set[int] = set()
        """Seats with a chip on their sensor."""
        self.dead: set[int] = set()
        """Seats whose sensor is marked as dead."""
        self.stakes: dict[int, dict[str, int]] = {}
        """The stakes of each seat, in cents, as this dealer entered them."""
        self.preinspected = True
        """Decks come preinspected and preshuffled; otherwise they are inspected here."""
        self.refuses = False
        """The next inspection finds a defect."""
        self.shown_as: list[int] = []
        """The number that the screen gave each round that was played; where bets opened twice it has passed some."""
        self._seed = seed
        self.round = InPlay(Round(()), Cards({}, {}, (), (), (), []))

    def tell(self, problem: str) -> None:
        """PROBLEM or TABLE, what happened, and a floorperson's signature where it is asked for."""
        menu, screen = ("table", "table") if problem in ROUTINE else ("problem", "irregularity")
        self.person.key(menu, until=shown(screen))
        seen = self.person.key(f"problem-{problem}", until=not_shown(screen))
        if seen.screen == "sign":
            self.signed(FLOOR, "primary", not_shown("sign"))

    def signed(self, who: tuple[str, str], place: str, until: Callable[[Observation], bool]) -> Observation:
        """Somebody shows badge and PIN and presses a key; a power cut forgets who was there, so they do it again."""
        while True:
            self.signs_in(*who)
            seen = self.person.key(place, until=lambda seen: until(seen) or _cut(seen))
            if until(seen):
                return seen

    def signs_in(self, badge: str, pin: str) -> None:
        """Show a badge and type a PIN until the screen has taken both."""
        while not self._tries_pin(badge, pin):
            log.info("badge %s once more", badge)

    def _tries_pin(self, badge: str, pin: str) -> bool:
        self.person.show_badge(badge)
        try:
            seen = self.person.see(lambda seen: says(seen, PIN_WANTED), "the PIN line", self.person.tap_again_s)
        except Stuck:  # it was not read: a reader types it more slowly than a person would hold it there again
            return False
        for place, digit in enumerate(pin, start=1):
            if _cut(seen):
                return False
            seen = self.person.key(f"pin-{digit}", until=_typed(place))
        if not _cut(seen):
            seen = self.person.key("pin-OK", until=lambda seen: says(seen, SIGNED_IN) or _cut(seen))
        return says(seen, SIGNED_IN)


PIN_WANTED, SIGNED_IN = "badge.digits", "badge.signed-in"


def _typed(digits: int) -> Callable[[Observation], bool]:
    return lambda seen: len(str(field_at(seen, "badge", "typed", "badge.pin") or "")) >= digits or _cut(seen)


def _cut(seen: Observation) -> bool:
    """The badge has to be shown again: the power was away, or a digit was felt twice."""
    return says(seen, "badge.show") or says(seen, "badge.wrong-pin")


Act = Callable[[AtTable, Observation], None]
"""The work that a screen wants."""
