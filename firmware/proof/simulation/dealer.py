"""A scripted dealer, with players, a floorperson and a manager: plays rounds as a person would.

The dealer looks at the screen and does the work that it wants, as this round's script has it, until bets are open again.
The work is in `game_opening`, `game_betting` and `game_settling`, by the screen's name. The dealer remembers the deeds
of this round, as a person does, and goes on from there when the table comes back from a power cut.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from firmware.proof.simulation import game_betting, game_opening, game_settling
from firmware.proof.simulation.at_table import Act, AtTable, InPlay, log
from firmware.proof.simulation.game import deal
from firmware.proof.simulation.hands import Cards
from firmware.proof.simulation.person import Stuck, key_at, not_shown, number_at, words
from firmware.proof.simulation.plan import Round

OPEN = ("open", "link-down")
OVER = (*OPEN, "closed", "shuffler", "shuffle", "cut")
"""A round is over when one of these is shown."""
STEPS_MAX = 400
"""So many steps no round has."""
ACTS: Mapping[str, Act] = {**game_opening.ACTS, **game_betting.ACTS, **game_settling.ACTS}


class Dealer(AtTable):
    """Everybody at one table, who plays rounds by a script."""

    def play(self, number: int, script: Round) -> None:
        """One round from open bets to open bets."""
        log.info("round %d: %s", number, script)
        self.open()
        for event in script.before:
            game_opening.BETWEEN[event](self)
            self.open()
        self.sit(number, script)
        game_betting.bet(self)
        game_betting.lock(self)
        self.finish()

    def sit(self, number: int, script: Round) -> None:
        """This is the round that begins, or is under way."""
        self.round = InPlay(script, self._deal(number, script))

    def finish(self) -> None:
        """From locked bets to open bets."""
        script = self.round.script
        self.shown_as.append(self._number())
        self._go(OVER, "the end of the round")
        if "clear" in script.undo and not script.void:
            self._take_clear_back()
        if script.by_switch:
            self.world.lockout(False)
        self.open()

    def plays_until(self, screen: str) -> None:
        """No more bets, and on until this screen is there."""
        game_betting.lock(self)
        self._go((screen,), screen)

    def _deal(self, number: int, script: Round) -> Cards:
        chance = random.Random(f"{self._seed} {number}")
        seats = sorted({*script.players, *script.chips}) if self.game.level else range(1, self.game.seats + 1)
        wins = {winner.seat: winner.hand for winner in script.winners}
        return deal(chance, self.game, seats, wins, dict(script.given))

    def _number(self) -> int:
        number = number_at(self.person.see(lambda seen: seen.screen in ACTS, "the round"), "neighbors", "number")
        assert number, "the status bar begins with the round"
        return number

    def open(self) -> None:
        """Do the table's wishes until bets are open."""
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
