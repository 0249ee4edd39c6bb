"""What happens in the rounds of a simulation. The seed fixes it; the first twenty rounds hold every thing there is."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

HANDS = ("flush", "straight", "three of a kind", "full house", "four of a kind", "straight flush", "royal flush")
SEATS = (1, 2, 3, 4, 5, 6)
SHOWCASE = 20
CARDS = {
    "royal flush": ("Qh", "Jh", "Th", "Ah", "Kh"),
    "straight flush": ("Qh", "Jh", "Th", "9h", "8h"),
    "four of a kind": ("9c", "9d", "2s", "9h", "9s"),
}
"""Flop first, so that two hands of one round share it."""


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
    by_switch: bool = False
    late: int = 0
    difference: str = ""
    """"missing": a lit seat's chip is not there; "unlit": a chip without a lamp is."""
    void: str = ""
    alarm: str = ""
    winners: tuple[Winner, ...] = ()


@dataclass
class Plan:
    """All rounds of a run."""

    rounds: list[Round] = field(default_factory=list)


def plan(seed: int, rounds: int) -> Plan:
    """The script of a seed."""
    chance = random.Random(seed)
    showcase = [_special(chance, kind) for kind in _kinds(chance)]
    made = showcase[:rounds]
    while len(made) < rounds:
        made.append(_any_round(chance))
    return Plan(made)


def _kinds(chance: random.Random) -> list[str]:
    kinds = [*HANDS, "two meters", "rejected", "late", "missing", "unlit", "void", "jam", "door"]
    kinds += ["plain"] * (SHOWCASE - len(kinds))
    chance.shuffle(kinds)
    return kinds


def _seats(chance: random.Random, least: int = 2) -> tuple[int, ...]:
    return tuple(sorted(chance.sample(SEATS, chance.randint(least, 6))))


def _plain(chance: random.Random, least: int = 2) -> Round:
    return Round(_seats(chance, least), by_switch=chance.random() < 0.5)


def _special(chance: random.Random, kind: str) -> Round:
    base = _plain(chance)
    if kind in HANDS:
        return replace(base, winners=(Winner(chance.choice(base.chips), kind),))
    if kind == "two meters":
        base = _plain(chance, least=3)
        low, high = sorted(chance.sample(base.chips, 2))
        return replace(base, winners=(Winner(high, "royal flush"), Winner(low, "straight flush")))
    if kind == "rejected":
        return replace(base, winners=(Winner(chance.choice(base.chips), "royal flush", paid=False),))
    if kind == "late":
        chips = _some_but_not_all(chance)
        return replace(base, chips=chips, late=chance.choice([seat for seat in SEATS if seat not in chips]))
    if kind in ("missing", "unlit"):
        return replace(base, chips=_some_but_not_all(chance), difference=kind)
    if kind == "void":
        return replace(base, void=chance.choice(("More than one card found face up", "Wrong number of cards dealt")))
    if kind in ("jam", "door"):
        return replace(base, alarm=kind)
    return base


def _some_but_not_all(chance: random.Random) -> tuple[int, ...]:
    return tuple(sorted(chance.sample(SEATS, chance.randint(2, 4))))


def _any_round(chance: random.Random) -> Round:
    """A round of an ordinary night, a little busier than life."""
    draw = chance.random()
    if draw < 0.15:
        hand = chance.choices(HANDS, weights=(20, 39, 210, 14, 2, 1, 1))[0]
        return _special(chance, hand)
    if draw < 0.25:
        return _special(chance, chance.choice(("late", "missing", "unlit", "void", "jam")))
    return _plain(chance, least=1) if draw < 0.95 else Round(())
