"""Random round files of every book, by seed: any wagers, decisions and irregularities, and a few that are refused.

Each round is made from what its book says of itself, so a new game has rounds without a line here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from firmware.rules.cards import DECK
from firmware.rules.games import books
from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.paytable import ONLY
from firmware.rules.wager import SettledBy

PRICES = ("1.00", "5.00")
KINDS: tuple[dict[str, Any], ...] = (
    {"kind": "cards_face_up", "after_initial_deal": True},
    {"kind": "cards_face_up", "after_initial_deal": False},
    {"kind": "incorrect_number_of_cards"},
    {"kind": "dealer_card_exposed"},
    {"kind": "dealing_shoe_fault"},
    {"kind": "shuffler_fault"},
    {"kind": "stub_count", "cards": 51},
    {"kind": "stub_count", "cards": 52},
    {"kind": "fouled_deck"},
)
MISDEALT = {"kind": "stub_count", "cards": 52, "misdealt": True}
"""Where a count of the stub voids."""
SHORT_DECK = tuple(card for card in DECK if card[1] in "hs" or card[0] in "TJQKA")
"""So that flushes, straights and fours come up as well."""


def random_rounds(chance: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """So many round files, every book in turn."""
    names = books()
    for place in range(count):
        yield _Dealer(game_of(names[place % len(names)]), chance).round()


class _Dealer:
    """One random round of a game."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self.chance = game, chance
        seats = sorted(chance.sample(range(1, game.book.seats + 1), chance.randint(1, game.book.seats)))
        self.seats = [str(number) for number in seats]
        needed = (game.hole_cards + 5) * len(seats) + game.board_cards + game.dealer_cards + game.procedure.box_cards
        pack = SHORT_DECK if chance.random() < 0.5 and needed <= len(SHORT_DECK) else DECK
        self.deck = chance.sample(pack, len(pack))
        self.rules = self.submission()

    def sometimes(self, share: float = 0.5) -> bool:
        return self.chance.random() < share

    def money(self, least: int, most: int) -> str:
        return f"{self.chance.randint(least, most - 1)}.{self.chance.randint(0, 99):02d}"

    def take(self, count: int) -> list[str]:
        taken, self.deck = self.deck[:count], self.deck[count:]
        return taken

    def submission(self) -> dict[str, Any]:
        """Every section by half, the required ones always."""
        book = self.game.book
        filed: dict[str, Any] = {"book": book.name, "table_minimum": "5.00"}
        if "payout_limit" in book.general and self.sometimes():
            filed["payout_limit"] = "50000.00"
        if "adjacent_boxes" in book.general:
            filed["adjacent_boxes"] = book.seats
        for name, section in book.sections.items():
            if section.required or self.sometimes(0.8):
                filed[name] = self.section(name, section.kind)
        return filed

    def section(self, name: str, kind: str) -> dict[str, Any]:
        letters = [letter for letter in self.game.book.paytables.get(name, {}) if letter != ONLY]
        paytable = {"paytable": self.chance.choice(letters)} if letters else {}
        price = {"wager": self.chance.choice(PRICES)}
        if kind == "progressive as submitted":
            return {**price, "seed": "10000.00", "rate": self.chance.choice(("21", "19.2501"))}
        if kind == "five card hand":
            return {"wager": self.money(1, 25), "magic_card": self.sometimes(), "lucky_bonus": self.sometimes()}
        return paytable | (price if kind == "progressive" else {})

    def kinds(self) -> tuple[dict[str, Any], ...]:
        return (*KINDS, MISDEALT) if "stub_count" in self.game.book.voids else KINDS

    def irregularity(self) -> dict[str, Any] | list[dict[str, Any]]:
        """One, or several in the order in which they were found."""
        if self.sometimes(0.6):
            return self.chance.choice(self.kinds())
        return self.chance.choices(self.kinds(), k=self.chance.randint(1, 3))

    def round(self) -> dict[str, Any]:
        game, chance = self.game, self.chance
        places = {"board": game.board_cards, "dealer": game.dealer_cards}
        if any(wager in self.rules for wager in game.settled_by(SettledBy.SIX)):
            places["six_card"] = game.procedure.box_cards
        cards = {place: self.take(count) for place, count in places.items() if count}
        written: dict[str, Any] = {"rules": self.rules, "cards": cards, "seats": {}, "meters": self.meters()}
        written["irregularity"] = self.irregularity() if self.sometimes(0.2) else None
        if offer := self.rules.get("five_card_hand"):
            drawn = {"magic_card": chance.choice(DECK), "lucky": chance.choice((1, 2, 3, "dealer"))}
            offered = {"magic_card": offer["magic_card"], "lucky": offer["lucky_bonus"]}
            written["drawn"] = {key: value for key, value in drawn.items() if offered[key]}
        one_player = self.sometimes(0.2)
        for number in self.seats:
            written["seats"][number] = self.seat(number, "A" if one_player else number)
        return written

    def meters(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, tables in self.game.book.meters.items():
            if name in self.rules:
                for meter in tables[self.rules[name].get("paytable", ONLY)]:
                    found[meter] = f"{self.money(300, 10**6)}{self.chance.randint(0, 9999):04d}"
        return found

    def seat(self, number: str, player: str) -> dict[str, Any]:
        ante = self.money(5, 40_000) if self.sometimes(0.3) else f"{self.chance.randint(1, 20) * 5}.00"
        seat: dict[str, Any] = {"cards": self.take(self.game.hole_cards), "wagers": self.wagers(number, ante)}
        keys = self.game.seat_keys.allowed
        if "player" in keys and self.sometimes():
            seat["player"] = player
        if "option" in keys and self.sometimes():
            seat["option"] = self.option(seat["cards"])
        if "declared" in keys:
            seat["declared"] = self.sometimes(0.8)
        seat["decision"] = self.decision(tuple(seat["cards"]), ante)
        if seat["decision"] == "instant":
            seat.pop("option", None)
        return seat

    def wagers(self, number: str, ante: str) -> dict[str, Any]:
        placed: dict[str, Any] = {name: ante for name in self.game.wagers if name in self.game.required}
        for name, wager in self.game.wagers.items():
            if wager.required or wager.deciding or wager.section not in self.rules or self.sometimes():
                continue
            if wager.backs:
                others = [*(seat for seat in self.seats if seat != number), "dealer"]
                placed[name] = {hand: self.money(5, 50) for hand in others if self.sometimes()}
            elif not wager.needs or wager.needs in placed or self.sometimes(0.05):
                placed[name] = self.rules[wager.section]["wager"] if wager.of_meter else self.money(1, 500)
        return placed

    def option(self, hand: list[str]) -> dict[str, Any]:
        count = self.chance.choice((1, *self.game.procedure.exchanges))
        drawn = self.take(count)
        return {"buy": drawn[0]} if count == 1 else {"exchange": {"discard": hand[:count], "draw": drawn}}

    def decision(self, hand: tuple[str, ...], ante: str) -> object:
        if self.game.elections:
            legal = [name for name, each in self.game.elections.items() if not each.is_option]
            right = [name for name in self.game.legal_elections(hand) if name in legal]
            return self.chance.choice([*right, *right, *right, "abandoned"])
        street = self.chance.choice(self.game.procedure.streets)
        cents = int(ante.replace(".", ""))
        amount = self.chance.choice(street.times) * cents
        if street.between and self.sometimes():
            amount = self.chance.randint(min(street.times) * cents, max(street.times) * cents)
        if self.sometimes(0.01):
            amount += 1
        play = {"at": street.name, "wager": f"{amount // 100}.{amount % 100:02d}"}
        return self.chance.choice([play, play, play, play, "fold", "abandoned"])
