"""A scripted dealer, with players, a floorperson and a manager: plays rounds as a person would."""

from __future__ import annotations

import logging
from collections.abc import Callable

from firmware.runtime.glass import Observation
from scripts.simulation.person import Person
from scripts.simulation.plan import CARDS, Round, Winner
from ui.dealer.screens import HAND_KEYS

log = logging.getLogger("felt.dealer")

FLOOR = ("2001", "4826")
MANAGER = ("3001", "7391")
SUITS = {"s": "spade", "h": "heart", "d": "diamond", "c": "club"}
OPEN = ("open", "link-down")
LOCKED = ("count", "deal")
"""Where progressive bets were off and none is on the felt there is nothing to count."""
Moment = Callable[[str], None]
"""Told of moments that are worth a picture: "running", "pending", "won"."""


def shown(*names: str) -> Callable[[Observation], bool]:
    """The screen is one of these."""
    return lambda seen: seen.screen in names


class Dealer:
    """Everybody at one table."""

    def __init__(self, person: Person, moment: Moment = lambda _what: None) -> None:
        self.person = person
        self.world = person.world
        self._moment = moment

    def play(self, number: int, round: Round) -> None:
        """One round from open bets to open bets."""
        log.info("round %d: %s", number, round)
        self._bets(round)
        self._lock(round)
        self._count(round)
        if round.void:
            self._void(round)
        else:
            self._deal_and_settle(round)
        self._open_again(round)

    # Bets and lock ---------------------------------------------------------------------------------------------------

    def _bets(self, round: Round) -> None:
        """Players put chips down and see that their lamps light (653a.7(d)(3))."""
        self.person.screen("open")
        for seat in round.chips:
            self.world.place(seat)
        for seat in round.chips:
            self._verify_accepted(seat)
        self._moment("running")

    def _verify_accepted(self, seat: int) -> None:
        """A player looks at his lamp (653a.7(d)(3)); where the seat says "lift chip" he does, and places it again."""

        def lift(seen: Observation) -> bool:
            return any(w.text.startswith(f"{seat}\n") and "lift chip" in w.text for w in seen.widgets)

        def lit(seen: Observation) -> bool:
            return seen.lamps[str(seat)] == "lit"

        while not lit(self.person.see(lambda seen: lit(seen) or lift(seen), f"seat {seat} lit, or why not")):
            self.world.take(seat)
            self.person.see(lambda seen: seen.screen == "open" and not lift(seen), f"seat {seat} free")
            self.world.place(seat)

    def _lock(self, round: Round) -> None:
        if round.by_switch:
            self.world.lockout(True)
            self.person.screen(*LOCKED)
        else:
            self.person.press("NO MORE BETS", until=shown(*LOCKED))
        if round.late:
            self.world.place(round.late)
            self.person.lamp(round.late, "late")
            self.world.take(round.late)
            self.person.lamp(round.late, "dark")

    # Count -----------------------------------------------------------------------------------------------------------

    def _count(self, round: Round) -> None:
        """Sweep the chips off the sensors, count them in front of the rack, settle what differs."""
        if self.person.screen(*LOCKED).screen == "deal":
            return
        for seat in round.chips:
            self.world.take(seat)
        there = len(round.chips) + {"missing": -1, "unlit": +1}.get(round.difference, 0)
        if not round.difference:
            self.person.press(str(there), until=shown("deal"))
            return
        self.person.press(str(there), until=shown("difference"))
        if round.difference == "missing":
            self._settle_seat(round.chips[-1], "NO CHIP")
        else:
            dark = next(seat for seat in (1, 2, 3, 4, 5, 6) if seat not in round.chips)
            self._settle_seat(dark, "CHIP RETURNED")

    def _settle_seat(self, seat: int, words: str) -> None:
        self.person.tile(seat, until=lambda seen: any(f"Seat {seat}:" in widget.text for widget in seen.widgets))
        self.person.press(words, until=shown("deal"))

    # Deal and settle -------------------------------------------------------------------------------------------------

    def _deal_and_settle(self, round: Round) -> None:
        self.person.screen("deal")
        if round.alarm == "jam":
            self.world.jam()
        elif round.alarm == "door":
            self.world.door(True)
        else:
            self.world.swap_deck()
        for winner in sorted(round.winners, key=lambda winner: -winner.seat):
            self._settle_winner(winner)
        words = "NO MORE WINNERS · CLEAR" if round.winners else "NO WINNERS · CLEAR"
        self.person.press(words, until=shown("open", "closed", "link-down", "shuffler"))

    def _settle_winner(self, winner: Winner) -> None:
        prompt = f"Seat {winner.seat}: which hand?"
        self.person.tile(winner.seat, until=lambda seen: any(prompt in widget.text for widget in seen.widgets))
        key = next(words for hand, words in HAND_KEYS.items() if str(hand) == winner.hand)
        seen = self.person.press(key, until=shown("validate", "cards"))
        if seen.screen == "cards":
            self.enter_cards(CARDS[winner.hand])
        seen = self.signed(FLOOR, "APPROVE", shown("pay", "price", "hold"))
        if seen.screen == "pay":
            self.person.press(f"SEAT {winner.seat} PAID", until=shown("winners"))
            return
        self.person.screen("hold")
        self._moment("pending")
        if not winner.paid:
            self.signed(MANAGER, "NOT A WINNER", shown("winners"))
            return
        seen = self.signed(MANAGER, "PAID BY THE CAGE", shown("envy", "winners"))
        self._moment("won")
        if seen.screen == "envy":
            self.person.press("ENVY PAID", until=shown("winners"))

    def enter_cards(self, cards: tuple[str, ...]) -> None:
        for place, card in enumerate(cards, start=1):
            rank = "10" if card[0] == "T" else card[0]
            self.person.press(rank, until=_suits_wanted)
            entered = f"{place} OF 5" if place < 5 else "SHOW THE HAND"
            self.person.shape(SUITS[card[1]], until=lambda seen, words=entered: _says(seen, words))
        self.person.press("SHOW THE HAND", until=shown("validate"))

    def signed(self, who: tuple[str, str], words: str, until: Callable[[Observation], bool]) -> Observation:
        """Somebody shows badge and PIN and presses a key; a power cut forgets who was there, so they do it again."""
        while True:
            self._identify(*who)
            seen = self.person.press(words, until=lambda seen: until(seen) or _cut(seen))
            if until(seen):
                return seen

    def _identify(self, badge: str, pin: str) -> None:
        while not self._tries_pin(badge, pin):
            log.info("badge %s once more", badge)

    def _tries_pin(self, badge: str, pin: str) -> bool:
        self.person.show_badge(badge)
        seen = self.person.see(lambda seen: _says_part(seen, "4 to 8 digits") or _cut(seen), "the PIN line")
        for place, digit in enumerate(pin, start=1):
            if _cut(seen):
                return False
            dots = "•" * place
            seen = self.person.press(digit, until=lambda seen, dots=dots: _says_part(seen, dots) or _cut(seen))
        if not _cut(seen):
            seen = self.person.press("OK", until=lambda seen: _says_part(seen, "is here") or _cut(seen))
        return _says_part(seen, "is here")

    def _void(self, round: Round) -> None:
        self.person.screen("deal")
        self.person.press("PROBLEM", until=shown("irregularity"))
        self.person.press(round.void, until=lambda seen: _says_part(seen, "all hands void"))
        self.signed(FLOOR, "VOID THE ROUND", shown("void"))
        self.world.swap_deck()
        self.person.press("ALL RETURNED · CLEAR", until=shown("open", "closed", "link-down", "shuffler"))

    # Open again ------------------------------------------------------------------------------------------------------

    def _open_again(self, round: Round) -> None:
        if round.alarm:
            self.person.screen("shuffler")
            if round.alarm == "jam":
                self.world.clear_jam()
            else:
                self.world.door(False)
            self.person.press("ACKNOWLEDGE", until=shown("open", "closed", "link-down"))
        if round.by_switch:
            self.world.lockout(False)
        self.person.screen(*OPEN)


def _says(seen: Observation, words: str) -> bool:
    return any(widget.text == words for widget in seen.widgets)


def _says_part(seen: Observation, words: str) -> bool:
    return any(words in widget.text for widget in seen.widgets)


def _cut(seen: Observation) -> bool:
    """The badge has to be shown again: the power was away, or a digit was felt twice."""
    return _says_part(seen, "Badge, please") or _says_part(seen, "Wrong PIN")


def _suits_wanted(seen: Observation) -> bool:
    return any(widget.key and widget.enabled and widget.shape == "heart" and not widget.text for widget in seen.widgets)
