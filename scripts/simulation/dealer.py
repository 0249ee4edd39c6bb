"""A scripted dealer, with players, a floorperson and a manager: plays rounds as a person would.

He looks at the screen and does what it wants, as this round's script has it, until bets are open again. What a screen
wants is in `game_opening`, `game_betting` and `game_settling`, by the screen's name; he remembers what he did in this
round, as a person does, so that he goes on where he was when the table comes back from a power cut.
"""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from firmware.runtime.glass import Observation
from scripts.simulation import game_betting, game_opening, game_settling
from scripts.simulation.game import Cards, Game, deal
from scripts.simulation.person import FLOOR, Person, Stuck, key_at, not_shown, says, shown, text_at, words
from scripts.simulation.plan import Round

log = logging.getLogger("felt.dealer")

OPEN = ("open", "link-down")
OVER = (*OPEN, "closed", "shuffler", "shuffle", "cut")
"""A round is over when one of these is shown."""
STEPS_MAX = 400
"""So many steps no round has."""
Moment = Callable[[str], None]
"""Told of moments that are worth a picture: "running", "pending", "won"."""
Act = Callable[["Dealer", Observation], None]
"""What a screen wants done."""
ACTS: Mapping[str, Act] = {**game_opening.ACTS, **game_betting.ACTS, **game_settling.ACTS}


@dataclass
class InPlay:
    """What everybody knows of the round that is being played."""

    script: Round
    cards: Cards
    done: set[str] = field(default_factory=set)
    """Of the script, what happens once."""
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


class Dealer:
    """Everybody at one table."""

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
        """What lies at each seat, in cents, as this dealer entered it."""
        self.preinspected = True
        """Decks come preinspected and preshuffled; otherwise they are inspected here."""
        self.refuses = False
        """The next inspection finds a defect."""
        self.shown_as: list[int] = []
        """The number that the screen gave each round that was played; where bets opened twice it has passed some."""
        self._seed = seed
        self.round = InPlay(Round(()), Cards({}, {}, (), (), (), []))

    def play(self, number: int, script: Round) -> None:
        """One round from open bets to open bets."""
        log.info("round %d: %s", number, script)
        self.open()
        for event in script.before:
            game_opening.BETWEEN[event](self)
            self.open()
        self.round = InPlay(script, self._deal(number, script))
        game_betting.bet(self)
        game_betting.lock(self)
        self.shown_as.append(self._number())
        self._go(OVER, "the end of the round")
        if "clear" in script.undo and not script.void:
            self._take_clear_back()
        if script.by_switch:
            self.world.lockout(False)
        self.open()

    def _deal(self, number: int, script: Round) -> Cards:
        chance = random.Random(f"{self._seed} {number}")
        seats = sorted({*script.players, *script.chips}) if self.game.level else range(1, self.game.seats + 1)
        wins = {winner.seat: winner.hand for winner in script.winners}
        return deal(chance, self.game, seats, wins, dict(script.given))

    def _number(self) -> int:
        found = re.match(
            r"R(\d+)", text_at(self.person.see(lambda seen: seen.screen in ACTS, "the round"), "neighbours")
        )
        assert found, "the status bar begins with the round"
        return int(found[1])

    def open(self) -> None:
        """Do whatever the table wants until bets are open."""
        self._go(OPEN, "open bets")

    def _go(self, ends: tuple[str, ...], waiting_for: str) -> None:
        """Do what each screen wants until one of these is there."""
        for _ in range(STEPS_MAX):
            seen = self.person.see(
                lambda seen: seen.screen in ends or seen.screen in ACTS, f"{waiting_for}, or a screen"
            )
            if seen.screen in ends:
                return
            ACTS[seen.screen](self, seen)
        raise Stuck(f"waited for {waiting_for}; the table shows {words(seen)}")

    def _take_clear_back(self) -> None:
        """CLEAR was pressed too early; what can no longer be taken back is not."""
        seen = self.person.screen(*OVER)
        if seen.screen in OPEN and key_at(seen, "undo") is not None:
            self.person.key("undo", until=not_shown(*OPEN))
            self._go(OVER, "the end of the round")

    def close(self) -> None:
        """The end of the shift: accounts are cashed out, the table is closed for gaming, every card is counted."""
        self.open()
        game_betting.cash_out(self)
        game_opening.close(self)

    # Who signs, what is told ------------------------------------------------------------------------------------------

    def tell(self, problem: str) -> None:
        """PROBLEM, what happened, and a floorperson's signature where it is asked for."""
        self.person.key("problem", until=shown("irregularity"))
        seen = self.person.key(f"problem-{problem}", until=not_shown("irregularity"))
        if seen.screen == "sign":
            self.signed(FLOOR, "primary", not_shown("sign"))

    def signed(self, who: tuple[str, str], place: str, until: Callable[[Observation], bool]) -> Observation:
        """Somebody shows badge and PIN and presses a key; a power cut forgets who was there, so they do it again."""
        while True:
            self._identify(*who)
            seen = self.person.key(place, until=lambda seen: until(seen) or _cut(seen))
            if until(seen):
                return seen

    def _identify(self, badge: str, pin: str) -> None:
        while not self._tries_pin(badge, pin):
            log.info("badge %s once more", badge)

    def _tries_pin(self, badge: str, pin: str) -> bool:
        self.person.show_badge(badge)
        seen = self.person.see(lambda seen: says(seen, "4 to 8 digits") or _cut(seen), "the PIN line")
        for place, digit in enumerate(pin, start=1):
            if _cut(seen):
                return False
            seen = self.person.press(digit, until=_typed("•" * place))
        if not _cut(seen):
            seen = self.person.press("OK", until=lambda seen: says(seen, "is here") or _cut(seen))
        return says(seen, "is here")


def _typed(dots: str) -> Callable[[Observation], bool]:
    return lambda seen: says(seen, dots) or _cut(seen)


def _cut(seen: Observation) -> bool:
    """The badge has to be shown again: the power was away, or a digit was felt twice."""
    return says(seen, "Badge, please") or says(seen, "Wrong PIN")
