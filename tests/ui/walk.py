"""A dealer who presses whatever key is shown: a seeded walk through all that a table can show.

Facts from the felt come in between. Every state on the way is yielded, so that the tests can look at its screen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from firmware.rules.games import books
from firmware.rules.message import NOTHING, say
from firmware.table.card_entry import RANKS, SUITS, entry_of
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.house import House
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
    Chance,
    ClaimAnswer,
    Input,
    LinkSeen,
    NoMoreBets,
    Pressed,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    SpotReading,
    Started,
    SwitchSettled,
    Ticked,
)
from firmware.table.interlock import ObstacleKind, machine_obstacles, machine_used
from firmware.table.procedures import Equipment
from firmware.table.state import Phase, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from tests.table.table import DIAZ, NOON, OKAFOR, born, cards_of, house_of
from ui.dealer.frame import frame_of
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.pieces import Live
from ui.dealer.screens import screen
from ui.dealer.widgets import Screen, Widget

S = 1_000_000_000
DECK = [rank + suit for suit in SUITS for rank in RANKS]
LIVE = Live("11:59 PM", tuple(MeterHeard(name, name, "9999999.99") for name in ("mega", "major", "minor")), "11:58 PM")
NAMES = {"": "", DIAZ: "R. Diaz", OKAFOR: "M. Okafor"}

BY_HAND = Equipment("shoe", "none", ("blue",))
TWO_DECKS = Equipment("hand", "counts", ("blue", "red"))
AUTOMATED = Equipment("automated", "reshuffles", ("blue", "red"), board_first=True)

HOUSES: dict[str, House] = {
    **{f"{book} {level}": house_of(book=book, level=level) for book in books() for level in (0, 1, 2)},
    **{
        f"{book} by hand": house_of(book=book, level=level, equipment=BY_HAND)
        for level, book in enumerate(books())
        if level < 3
    },
    **{f"{book} automated": house_of(book=book, level=1, equipment=AUTOMATED) for book in books()},
    "two decks": house_of(book="md-36.05.16", level=0, equipment=TWO_DECKS),
    **{f"five card {level}": house_of("A", "5.00", level=level, five_card=True) for level in (0, 1, 2)},
    **{f"paytable {table}": house_of(table, "5.00") for table in "BCD"},
}
"""Every book at every assist level, every way of dealing, every paytable of a meter."""


@dataclass
class Walk:
    """One table, from a shut one on. `facts`: how often in a hundred steps something happens on the felt."""

    house: House
    seed: int
    facts: int = 14
    state: TableState = field(default_factory=TableState)
    at: int = 0
    drawn: Chance | None = None
    """What is drawn at every lock; None: by chance."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        for event in born(self.house.seats):
            self.state = evolve(self.state, event)
        self.hears(Started("boot", "felt", "0" * 64))
        self.healthy()

    def hears(self, given: Input) -> None:
        """One input, and all that follows."""
        self.state = decide(self.house, self.state, given).state

    def healthy(self) -> None:
        """Every neighbor is there."""
        self.hears(LinkSeen(True, NOTHING))
        self.hears(SensorsSeen(True, NOTHING))
        self.hears(SwitchSettled(False))
        machine, deck, decks = self.house.equipment.machine, self._deck(), self.state.decks
        if machine and (not decks.cards or decks.reshuffle):  # the deck that is next goes in, and is shuffled
            self.hears(ShufflerSeen(machine, "felt-1", "shuffling", None, deck, "", 0))
        self.hears(ShufflerSeen(machine, "felt-1", "ready", 52, deck, "", 0))

    def _deck(self) -> str:
        return self.state.deck.color if self.state.deck else ""

    def shown(self, by: str = "") -> Screen:
        """The screen, with a person there or nobody."""
        return screen(self.house, self.state, replace(LIVE, badge=by, by=by, name=NAMES[by]), frame_of(SEVEN_INCH))

    def goes(self, steps: int) -> Iterator[tuple[TableState, Live]]:
        """So many steps; what was shown before each of them."""
        for _ in range(steps):
            by = self.chance.choice(("", DIAZ, OKAFOR))
            yield self.state, replace(LIVE, badge=by, by=by, name=NAMES[by])
            self._step(by)

    def _step(self, by: str) -> None:
        self.at += S
        if self.chance.randrange(100) < self.facts or self.state.phase is Phase.PRICE:
            self._fact()
            return
        keys = [
            widget
            for widget in self.shown(by).widgets
            if widget.press and widget.enabled and not widget.press.startswith("pin")
        ]
        if not keys:
            self.healthy()
        else:
            self.press(self._choose(keys).press, by)

    def _choose(self, keys: list[Widget]) -> Widget:
        wanted = self._wanted_card() if self.state.phase in (Phase.CARDS, Phase.HAND) else ""
        return self.chance.choices(keys, [self._weight(one, len(keys), wanted) for one in keys])[0]

    def _weight(self, key: Widget, keys: int, wanted: str) -> float:
        if wanted and key.press == wanted:
            return 60.0
        if self.state.phase in (Phase.CARDS, Phase.HAND) and key.id != "primary":
            return 0.2
        weights = {"primary": keys / 2, "floor": 0.1, "problem": 0.6, "undo": 0.5, "wagers": 4.0, "accounts": 2.0}
        if key.press == f"count {len(self.state.wagers)}" or key.press.startswith("settle "):
            return 20.0
        likely = ("hand ", "five ", "chips ", *(("seat ",) if self.state.phase is Phase.DEAL else ()))
        if key.press.startswith(likely):
            return 3.0
        return weights.get(key.id, 1.0)

    def _wanted_card(self) -> str:
        """The next tap of somebody who enters the hand that was named, or any cards that lie nowhere else."""
        entry = entry_of(self.state)
        if entry.slot >= len(entry.want):
            return ""
        prize = self.state.seat(self.state.round.turn).prize if self.state.round.turn else None
        if self.state.phase is Phase.CARDS and prize is not None:
            card = cards_of(prize.hand)[entry.slot]
        else:
            start = 17 * self.state.round.number % 52
            game = self.state.round
            lying = {*game.board, *game.dealer, *game.six_card, *entry.cards}
            lying |= {card for seat in self.state.round.seats for card in seat.position.cards}
            card = next(card for card in (*DECK[start:], *DECK[:start]) if card not in lying)
        return f"suit {card[1]}" if entry.rank == card[0] else f"rank {card[0]}"

    def presses(self, *words: str, by: str = "") -> Iterator[tuple[TableState, Live]]:
        """These keys, each of which must be on the screen that is then shown; what was shown before and after each."""
        live = replace(LIVE, badge=by, by=by, name=NAMES[by])
        yield self.state, live
        for word in words:
            if word == "shuffled" or word not in self._keys(by):
                self._machine_shuffles()
            there = self._keys(by)
            assert word in there, f"no key {word!r} on {self.shown(by).name}: {there}; {self.state.desk.notice}"
            self.press(word, by)
            yield self.state, live

    def _keys(self, by: str) -> list[str]:
        return [widget.press for widget in self.shown(by).widgets if widget.press and widget.enabled]

    def _machine_shuffles(self) -> None:
        """Hands put the deck that is next in where nothing else is missing than that the machine is seen to shuffle it."""
        found = (
            {one.kind for one in machine_obstacles(self.house, self.state)} if self.house.equipment.machine else set()
        )
        if found and found <= {ObstacleKind.STALE, ObstacleKind.DECK} and machine_used(self.house, self.state):
            self.healthy()

    def press(self, word: str, by: str = "") -> None:
        """One key, whatever is shown."""
        if word == "no-more-bets":
            sensors = enumerate(self.state.felt.sensors, start=1)
            readings = tuple(SpotReading(n, one.covered, S) for n, one in sensors)
            self.hears(NoMoreBets(self.at, "screen", readings if self.state.program.progressive else (), self._drawn()))
        else:
            self.hears(Pressed(word, by, NOON + self.at // S))

    def _drawn(self) -> Chance:
        chance = self.chance
        card = chance.choice(("Ah", "Td"))
        return self.drawn or Chance(card, chance.randrange(7), chance.random() < 0.6, chance.random() < 0.6)

    def _fact(self) -> None:
        roll, chance, state = self.chance.randrange(12), self.chance, self.state
        seat = chance.randint(1, len(state.round.seats))
        if state.phase in (Phase.PRICE, Phase.HOLD):
            self.bank_prices()
        elif roll < 5 and state.program.progressive:
            self.hears(SensorSettled(seat, not state.sensor(seat).covered, self.at - chance.choice((0, 1, 2)) * S))
        elif roll < 8 and self.house.submission.by_account:
            self.hears(ButtonPushed(seat, chance.choice(("own", "dealer")), self.at))
        elif roll == 8 and state.program.progressive:
            up = not state.neighbors.link_up
            self.hears(LinkSeen(up, NOTHING if up else say("link.bank-silent")))
        elif roll == 9 and self.house.equipment.machine:
            fault = chance.choice(("", "", "jam", "door", "count"))
            alarm = state.neighbors.shuffler.alarm + bool(fault)
            unit = chance.choice(("felt-1", "felt-1", "felt-1", "felt-2"))
            count = None if fault else chance.choice((52, 52, 51))
            self.hears(ShufflerSeen(True, unit, "fault" if fault else "ready", count, self._deck(), fault, alarm))
        elif roll == 10 and chance.random() < 0.1:
            self.hears(Ticked(NOON + self.at // S + 9 * 3600))
        else:
            self.healthy()

    def bank_prices(self, amount: int = 999_999_999) -> None:
        """The bank answers the claim that waits, or says another amount, in cents."""
        state = self.state
        prize = state.seat(state.round.turn).prize
        assert prize is not None
        answer = ClaimAnswer(prize.claim, "pending", amount, prize.meter, 3)
        claims = (answer,) if self.chance.random() < 0.9 else ()
        self.hears(BankSaid("e" * 32, state.program.journal, state.seq, state.neighbors.outbox[-1].hash, claims))
