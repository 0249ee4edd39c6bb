"""What happens in the rounds of a simulation. The seed fixes it; the first twenty rounds or so hold every thing there is."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter

from firmware.rules.procedure import Election
from firmware.simulation.game import Game
from firmware.simulation.hands import HANDS

SEATS = (1, 2, 3, 4, 5, 6)
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
    """What voids it, by its name among the problems."""
    alarm: str = ""
    winners: tuple[Winner, ...] = ()
    before: tuple[str, ...] = ()
    """What happens before it: idle, new decks, cover, recut, uncover."""
    dead: int = 0
    """A seat of `chips` whose sensor is dead: its wager is entered by hand."""
    five: tuple[tuple[int, str], ...] = ()
    """Five Card Hand buttons that are pushed: seat, "own" or "dealer"."""
    players: tuple[int, ...] = ()
    """Who plays against the dealer, those with a progressive wager among them (assist levels 1 and 2)."""
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
    """What is taken back and done again: "street", "dealer", "clear"."""


@dataclass
class Plan:
    """All rounds of a run."""

    rounds: list[Round] = field(default_factory=list)


def plan(seed: int, rounds: int, game: Game | None = None) -> Plan:
    """The script of a seed, at the simulation's own table unless another game is named."""
    chance = random.Random(seed)
    told = game or Game.of(None)
    script = _Hands(chance, told) if told.level else _Chips(chance, told)
    showcase = [script.round(kind) for kind in script.kinds()]
    for place, before in {IDLE: "idle", NEW_DECKS: "new decks", COVER: "cover", UNCOVER: "uncover"}.items():
        showcase[place] = replace(showcase[place], before=(before,))
    showcase[RECUT] = replace(showcase[RECUT], before=("recut",))
    made = showcase[:rounds]
    while len(made) < rounds:
        made.append(script.any_round())
    return Plan(made)


def _apart(chance: random.Random, kinds: list[str], alarms: list[str]) -> list[str]:
    """Shuffled; the shuffler's alarms come while it is not covered."""
    chance.shuffle(kinds)
    for alarm, place in zip(alarms, (chance.randrange(COVER), UNCOVER + 4), strict=False):
        kinds.insert(place, alarm)
    return kinds


def _some(chance: random.Random, seats: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    return tuple(sorted(chance.sample(seats, chance.randint(least, most))))


class _Chips:
    """Rounds at assist level 0: progressive wagers, and Five Card Hand where there is one."""

    def __init__(self, chance: random.Random, game: Game) -> None:
        self._chance, self._game = chance, game

    def kinds(self) -> list[str]:
        """The showcase."""
        kinds = [*HANDS, "two meters", "rejected", "late", "missing", "unlit", "void"]
        kinds += ["five", "five", "dead"] if self._game.five_card else ["dead"]
        kinds += ["plain"] * (SHOWCASE - 2 - len(kinds))
        return _apart(self._chance, kinds, ["jam", "door"])

    def round(self, kind: str) -> Round:
        """One round of this kind."""
        chance, base = self._chance, self._plain()
        if kind in HANDS:
            return replace(base, winners=(Winner(chance.choice(base.chips), kind),))
        if kind == "two meters":
            base = self._plain(least=3)
            low, high = sorted(chance.sample(base.chips, 2))
            return replace(base, winners=(Winner(high, "royal flush"), Winner(low, "straight flush")))
        if kind == "rejected":
            return replace(base, winners=(Winner(chance.choice(base.chips), "royal flush", paid=False),))
        if kind == "late":
            chips = self._some_but_not_all()
            return replace(base, chips=chips, late=chance.choice([seat for seat in SEATS if seat not in chips]))
        if kind in ("missing", "unlit"):
            return replace(base, chips=self._some_but_not_all(), difference=kind)
        if kind == "void":
            return replace(base, void=chance.choice(("face-up", "wrong-number")))
        if kind == "five":
            return self._five()
        if kind == "dead":
            return replace(base, dead=chance.choice(base.chips))
        return replace(base, alarm=kind) if kind in ("jam", "door") else base

    def _five(self) -> Round:
        """Both buttons at two seats; one of them holds a flush, which its lit lamp wins as well."""
        chips = self._some_but_not_all()
        winner, other = chips[:2]
        five = ((winner, "own"), (winner, "dealer"), (other, "dealer"))
        return Round(chips, winners=(Winner(winner, "flush"),), five=five, given=((0, ("Qd", "Qs")),))

    def _plain(self, least: int = 2) -> Round:
        return Round(_some(self._chance, SEATS, least, 6), by_switch=self._chance.random() < 0.5)

    def _some_but_not_all(self) -> tuple[int, ...]:
        return _some(self._chance, SEATS, 2, 4)

    def any_round(self) -> Round:
        """A round of an ordinary night, a little busier than life."""
        draw = self._chance.random()
        if draw < 0.15:
            return self.round(self._chance.choices(HANDS, weights=(20, 39, 210, 14, 2, 1, 1))[0])
        if draw < 0.25:
            return self.round(self._chance.choice(("late", "missing", "unlit", "void", "jam")))
        return self._plain(least=1) if draw < 0.95 else Round(())


PAIR, PICTURES = ("7c", "7d"), ("Kc", "Qd")
FIVE_CARDS: Mapping[str, tuple[str, ...]] = {
    "royal": ("Ah", "Kh", "Qh", "Jh", "Th"),
    "full": ("8c", "8d", "8s", "3c", "3d"),
    "flush": ("2s", "5s", "9s", "Js", "Ks"),
    "trips": ("4c", "4d", "4h", "9c", "Jd"),
}


class _Hands:
    """Rounds at assist levels 1 and 2: who plays with what, what everybody decides."""

    def __init__(self, chance: random.Random, game: Game) -> None:
        self._chance, self._game = chance, game
        self._seats = tuple(range(1, game.seats + 1))
        self._offered = [
            wager
            for wager in game.law.offered(game.submission, 1)
            if wager not in game.law.required and ":" not in wager
        ]

    def kinds(self) -> list[str]:
        """The showcase."""
        kinds = ["plain", "left", "notes", "void", "void later", "board", "seat cards", "correct", "undo", "sides"]
        if self._game.elects:
            elections = sorted(self._game.law.elections.values(), key=lambda one: one.choice == "instant")
            kinds += [one.name for one in elections if one.choice != "play"]
            kinds += ["declared", "on dealer", "on other", "short deck"]
        else:
            kinds += ["early", "folds", "exposed", "sides"]
        if self._game.progressive:
            kinds += ["flush", "lit fold", "two meters", "rejected", "late", "missing"]
        if self._game.five_card:
            kinds += ["five"]
        kinds += ["plain"] * (SHOWCASE - 2 - len(kinds))
        return _apart(self._chance, kinds, ["jam", "door"])

    def round(self, kind: str) -> Round:
        """One round of this kind."""
        base = self._base()
        made = self._elected(kind, base) if self._game.elects else self._streets(kind, base)
        made = made or self._progressive(kind, base) or self._any_game(kind, base)
        if not self._game.progressive:
            return made
        players = tuple(sorted({*made.players, *made.chips}))
        return replace(made, players=players)

    def _base(self, least: int = 1, most: int = 3) -> Round:
        players = _some(self._chance, self._seats, least, most)
        chips = tuple(seat for seat in players if self._chance.random() < 0.5) if self._game.progressive else ()
        return Round(chips, by_switch=self._game.progressive and self._chance.random() < 0.3, players=players)

    def _any_game(self, kind: str, base: Round) -> Round:
        first = base.players[0]
        changes: Mapping[str, dict[str, object]] = {
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
        return replace(base, **changes.get(kind, {}))  # type: ignore[arg-type]

    def _strong(self) -> tuple[str, ...]:
        return FIVE_CARDS["full"] if self._game.elects else ("Ac", "Ad")

    # Streets ---------------------------------------------------------------------------------------------------------

    def _streets(self, kind: str, base: Round) -> Round | None:
        first = base.players[0]
        early = self._early()
        if kind == "early":
            base = self._base(least=3)
            acts = tuple(zip(base.players, early, strict=False))
            return replace(base, acts=acts)
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
            return replace(base, sides=((first, law.on_hand(0), 5),), given=((0, FIVE_CARDS["flush"]),))
        if kind == "on other":
            base = self._base(least=2)
            low, high = base.players[0], base.players[-1]
            return replace(base, sides=((low, law.on_hand(high), 5),), given=((high, FIVE_CARDS["trips"]),))
        if kind == "short deck":
            everybody = self._seats
            name, most = max(
                ((one.name, max(one.draws, default=0)) for one in law.elections.values()), key=itemgetter(1)
            )
            return replace(base, players=everybody, acts=tuple((seat, f"{name} {most}") for seat in everybody[:4]))
        if kind == "void later":
            return replace(base, void="face-up", void_at="ask")
        return None

    def _option(self, option: Election) -> str:
        return f"{option.name} {self._chance.choice(option.draws)}" if option.counted else option.name

    # Meters ----------------------------------------------------------------------------------------------------------

    def _progressive(self, kind: str, base: Round) -> Round | None:
        if kind not in ("flush", "lit fold", "two meters", "rejected", "late", "missing", "unlit", "five", *HANDS):
            return None
        chips = _some(self._chance, self._seats, 2, 3)
        base = replace(base, chips=chips, players=chips)
        low, high = chips[0], chips[-1]
        if kind == "lit fold":
            return replace(base, acts=((low, "fold"),), winners=(Winner(low, "three of a kind"),))
        if kind == "two meters":
            return replace(base, winners=(Winner(high, "royal flush"), Winner(low, "straight flush")))
        if kind == "rejected":
            return replace(base, winners=(Winner(low, "royal flush", paid=False),))
        if kind == "late":
            return replace(base, late=self._chance.choice([seat for seat in self._seats if seat not in chips]))
        if kind in ("missing", "unlit"):
            return replace(base, difference=kind)
        if kind == "five":
            five = ((low, "own"), (low, "dealer"), (high, "dealer"))
            return replace(base, winners=(Winner(low, "flush"),), five=five, given=((0, ("Qd", "Qs")),))
        return replace(base, winners=(Winner(low, kind),))

    def any_round(self) -> Round:
        """A round of an ordinary night, a little busier than life."""
        return self.round(self._chance.choice((*["plain"] * 6, *self.kinds())))
