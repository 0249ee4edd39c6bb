"""The plan of the rounds of a simulation. The seed fixes it; the first twenty rounds or so hold every kind of event."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from firmware.proof.simulation.game import Game
from firmware.proof.simulation.hands import HANDS
from firmware.rules.procedure import Election
from firmware.rules.seat import DEALER

SHOWCASE = 20
IDLE, NEW_DECKS, COVER, RECUT, UNCOVER, DEAD = 2, 4, 6, 8, 13, 15
"""Before which round of the showcase that happens, counted from 0. Between COVER and UNCOVER cards are shuffled by hand."""


@dataclass(frozen=True)
class Winner:
    """A lit seat that wins. `paid` is the second person's verdict on a share of a meter."""

    seat: int
    hand: str
    paid: bool = True


@dataclass(frozen=True)
class Round:
    """One round as it will be played."""

    chips: tuple[int, ...]
    """Seats with a progressive wager."""
    by_switch: bool = False
    late: int = 0
    difference: str = ""
    """"missing": a lit seat's chip is not there; "unlit": a chip without a lamp is."""
    void: str = ""
    """The problem that voids it, by its name."""
    alarm: str = ""
    winners: tuple[Winner, ...] = ()
    before: tuple[str, ...] = ()
    """The event before it: idle, new decks, cover, recut, uncover."""
    dead: int = 0
    """A seat of `chips` whose sensor is dead: its wager is entered by hand."""
    five: tuple[tuple[int, str], ...] = ()
    """Five Card Hand buttons that are pushed: seat, "own" or "dealer"."""
    players: tuple[int, ...] = ()
    """The players against the dealer, those with a progressive wager among them (assist levels 1 and 2)."""
    sides: tuple[tuple[int, str, int], ...] = ()
    """Side wagers: seat, wager, dollars."""
    acts: tuple[tuple[int, str], ...] = ()
    """Decisions: seat, "preflop 4", "fold", "buy", "exchange 3"; who is not named checks, and plays or bets at last."""
    given: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Cards of one's own that somebody shall hold; 0: the dealer."""
    void_at: str = "deal"
    left: int = 0
    notes: tuple[str, ...] = ()
    enter: str = ""
    """At level 1 the cards of this round are entered: "board" and the dealer's, or one "seat"'s."""
    correct: bool = False
    undo: tuple[str, ...] = ()
    """Steps that are taken back and done again: "street", "clear"."""


def plan(seed: int, rounds: int, game: Game | None = None) -> list[Round]:
    """The script of a seed, at the simulation's own table unless another game is named."""
    chance = random.Random(seed)
    told = game or Game.of(None)
    script = _Hands(chance, told) if told.level else _Chips(chance, told)
    showcase = [script.round(kind) for kind in script.kinds()]
    for place, before in {IDLE: "idle", NEW_DECKS: "new decks", COVER: "cover", UNCOVER: "uncover"}.items():
        showcase[place] = replace(showcase[place], before=(before,))
    showcase[RECUT] = replace(showcase[RECUT], before=("recut",))
    return showcase[:rounds] + [script.any_round() for _ in range(rounds - len(showcase))]


class _Chips:
    """Rounds at assist level 0: progressive wagers, and Five Card Hand where there is one."""

    def __init__(self, chance: random.Random, game: Game) -> None:
        self._chance, self._game = chance, game
        self._seats = tuple(range(1, game.seats + 1))

    def kinds(self) -> list[str]:
        """The showcase, shuffled; the shuffler's alarms come while it is not covered."""
        kinds = self._kinds()
        kinds += ["plain"] * (SHOWCASE - 2 - len(kinds))
        self._chance.shuffle(kinds)
        kinds.insert(self._chance.randrange(COVER), "jam")
        kinds.insert(UNCOVER + 4, "door")
        return kinds

    def _kinds(self) -> list[str]:
        kinds = [*HANDS, "two meters", "rejected", "late", "missing", "unlit", "void"]
        return kinds + (["five", "five", "dead"] if self._game.five_card else ["dead"])

    def round(self, kind: str) -> Round:
        """One round of this kind."""
        base = self._plain()
        if kind == "void":
            return replace(base, void=self._chance.choice(("face-up", "wrong-number")))
        if kind in ("jam", "door"):
            return replace(base, alarm=kind)
        return self._progressive(kind, base) or base

    def _progressive(self, kind: str, base: Round) -> Round | None:
        """A round about wagers with a meter; None for another kind. Both buttons are pushed at one seat, one at another."""
        chips = self._some(2, 3)
        low, high = sorted(self._chance.sample(chips, 2))
        without = [seat for seat in self._seats if seat not in chips]
        changes: dict[str, dict[str, Any]] = {
            **{hand: {"winners": (Winner(low, hand),)} for hand in HANDS},
            "lit fold": {"acts": ((low, "fold"),), "winners": (Winner(low, "three of a kind"),)},
            "two meters": {"winners": (Winner(high, "royal flush"), Winner(low, "straight flush"))},
            "rejected": {"winners": (Winner(low, "royal flush", paid=False),)},
            "late": {"late": self._chance.choice(without)},
            "missing": {"difference": "missing"},
            "unlit": {"difference": "unlit"},
            "five": {
                "five": ((low, "own"), (low, "dealer"), (high, "dealer")),
                "winners": (Winner(low, "flush"),),
                "given": ((0, ("Qd", "Qs")),),
            },
            "dead": {"dead": low},
        }
        return replace(base, chips=chips, players=chips, **changes[kind]) if kind in changes else None

    def _plain(self, least: int = 2) -> Round:
        return Round(self._some(least, len(self._seats)), by_switch=self._chance.random() < 0.5)

    def _some(self, least: int, most: int) -> tuple[int, ...]:
        return tuple(sorted(self._chance.sample(self._seats, self._chance.randint(least, most))))

    def any_round(self) -> Round:
        """A round of an ordinary night, a little busier than life."""
        draw = self._chance.random()
        if draw < 0.15:
            return self.round(self._chance.choices(HANDS, weights=(20, 39, 210, 14, 2, 1, 1))[0])
        if draw < 0.25:
            return self.round(self._chance.choice(("late", "missing", "unlit", "void", "jam")))
        return self._plain(least=1) if draw < 0.95 else Round(())


PAIR = ("7c", "7d")
FIVE_CARDS: Mapping[str, tuple[str, ...]] = {
    "royal": ("Ah", "Kh", "Qh", "Jh", "Th"),
    "full": ("8c", "8d", "8s", "3c", "3d"),
    "flush": ("2s", "5s", "9s", "Js", "Ks"),
    "trips": ("4c", "4d", "4h", "9c", "Jd"),
}


class _Hands(_Chips):
    """Rounds at assist levels 1 and 2: who plays with what, what everybody decides."""

    def __init__(self, chance: random.Random, game: Game) -> None:
        super().__init__(chance, game)
        self._offered = [
            wager
            for wager in game.law.offered(game.submission, 1)
            if wager not in game.law.required and ":" not in wager
        ]

    def _kinds(self) -> list[str]:
        kinds = ["plain", "left", "notes", "void", "void later", "board", "seat cards", "correct", "undo", "sides"]
        if self._game.elects:
            elections = sorted(self._game.law.elections.values(), key=lambda one: one.choice == "instant")
            kinds += [one.name for one in elections if one.choice != "play"]
            kinds += ["declared", "on dealer", "on other", "short deck"]
        else:
            kinds += ["early", "folds", "exposed", "sides"]
        if self._game.progressive:
            kinds += ["flush", "lit fold", "two meters", "rejected", "late", "missing"]
        return kinds + (["five"] if self._game.five_card else [])

    def round(self, kind: str) -> Round:
        """One round of this kind."""
        base = self._base()
        made = self._elected(kind, base) if self._game.elects else self._streets(kind, base)
        made = made or (self._game.progressive and self._progressive(kind, base)) or self._any_game(kind, base)
        return replace(made, players=tuple(sorted({*made.players, *made.chips})))

    def _base(self, least: int = 1, most: int = 3) -> Round:
        players = self._some(least, most)
        chips = tuple(seat for seat in players if self._chance.random() < 0.5) if self._game.progressive else ()
        return Round(chips, by_switch=self._game.progressive and self._chance.random() < 0.3, players=players)

    def _any_game(self, kind: str, base: Round) -> Round:
        first = base.players[0]
        changes: Mapping[str, dict[str, Any]] = {
            "left": {"left": first},
            "notes": {"notes": ("one-face-up", "drawn-in-error")},
            "void": {"void": "wrong-number"},
            "board": {"enter": "board"},
            "seat cards": {"enter": "seat"},
            "correct": {"correct": True, "given": ((first, self._strong()),)},
            "undo": {"undo": ("clear",) if self._game.elects else ("street", "clear")},
            "jam": {"alarm": "jam"},
            "door": {"alarm": "door"},
        }
        return replace(base, **changes.get(kind, {}))

    def _strong(self) -> tuple[str, ...]:
        return FIVE_CARDS["full"] if self._game.elects else ("Ac", "Ad")

    # Streets ---------------------------------------------------------------------------------------------------------

    def _streets(self, kind: str, base: Round) -> Round | None:
        first = base.players[0]
        early = self._early()
        if kind == "early":
            base = self._base(least=3)
            return replace(base, acts=tuple(zip(base.players, early, strict=False)))
        if kind == "folds":
            return replace(base, acts=tuple((seat, "fold") for seat in base.players), sides=self._sides(first)[:1])
        if kind == "sides":
            return replace(base, sides=self._sides(first), given=((first, PAIR),), acts=((first, early[0]),))
        if kind in ("exposed", "void later"):
            void = "dealer-exposed" if kind == "exposed" else "face-up-later" if self._splits else "face-up"
            if kind == "exposed" and "dealer_card_exposed" not in self._game.submission.book.voids:
                void = "wrong-number"
            return replace(base, void=void, void_at="ask", sides=self._sides(first))
        return None

    @property
    def _splits(self) -> bool:
        """Two cards face up are told differently before and after the first deal; after it the words are the same."""
        return "cards_face_up" in self._game.submission.book.still_settled

    def _early(self) -> list[str]:
        return [
            f"{street.name} {times}"
            for street in self._game.procedure.streets
            for times in street.times
            if not street.last
        ]

    def _sides(self, seat: int) -> tuple[tuple[int, str, int], ...]:
        return tuple((seat, wager, 5) for wager in self._offered)

    # Elections -----------------------------------------------------------------------------------------------------

    def _elected(self, kind: str, base: Round) -> Round | None:
        first, law = base.players[0], self._game.law
        if kind == "fold":
            return replace(base, acts=tuple((seat, "fold") for seat in base.players))
        if (option := law.elections.get(kind)) and option.is_option:
            return replace(base, acts=tuple((seat, self._option(option)) for seat in base.players))
        if kind == "instant":
            return replace(base, acts=((first, "instant"),), given=((first, FIVE_CARDS["royal"]),))
        if kind in ("declared", "sides"):
            return replace(base, sides=((first, law.declared, 15),), given=((first, FIVE_CARDS["full"]),))
        if kind == "on dealer":
            return replace(base, sides=((first, law.on_hand(DEALER), 5),), given=((0, FIVE_CARDS["flush"]),))
        if kind == "on other":
            base = self._base(least=2)
            low, high = base.players[0], base.players[-1]
            return replace(base, sides=((low, law.on_hand(high), 5),), given=((high, FIVE_CARDS["trips"]),))
        if kind == "short deck":
            everybody = self._seats
            most, name = max((max(one.draws, default=0), one.name) for one in law.elections.values())
            return replace(base, players=everybody, acts=tuple((seat, f"{name} {most}") for seat in everybody[:4]))
        if kind == "void later":
            return replace(base, void="face-up", void_at="ask")
        return None

    def _option(self, option: Election) -> str:
        return f"{option.name} {self._chance.choice(option.draws)}" if option.counted else option.name

    def any_round(self) -> Round:
        """A round of an ordinary night, a little busier than life."""
        return self.round(self._chance.choice((*["plain"] * 6, *self.kinds())))
