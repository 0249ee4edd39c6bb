"""How fast the law is, measured here and now: `scripts/bench rules` runs this.

Evaluators of five, six and seven cards side by side in one run (those of other people only if they are installed); full
six-seat rounds through the library and through `felt settle --batch`; and `felt settle` on one round as a whole
process. Each number is the best of several runs, because the machine is shared.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from firmware.config import DEFAULT_BOOK
from firmware.rules.cards import DECK
from firmware.rules.games.registry import game_of
from firmware.rules.hands import strength
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.submission import parse_submission

HANDS = 100_000
ROUNDS = 2_000
RUNS = 5
GAME = game_of(DEFAULT_BOOK)
RULES: dict[str, Any] = {"book": GAME.name, **GAME.book.sample.shift, "payout_limit": "50000.00"}
"""The game that the simulation plays where none is named, with everything that it offers."""
SIDE_WAGERS = tuple(name for name, wager in GAME.wagers.items() if not wager.required and not wager.deciding)
FEW_WAGERS = (SIDE_WAGERS[0], "progressive")


def best_rate(things: Sequence[Any], do: Callable[[Any], object]) -> float:
    """Things a second, the best of several runs."""
    rates = []
    for _ in range(RUNS):
        start = time.perf_counter()
        for thing in things:
            do(thing)
        rates.append(len(things) / (time.perf_counter() - start))
    return max(rates)


def evaluators(count: int) -> Iterable[tuple[str, Callable[[Any], object], Callable[[tuple[str, ...]], Any]]]:
    """Each evaluator's name, its function, and how a hand is put into the form it likes best."""
    yield "felt (strings)", strength, tuple
    try:
        import phevaluator
        from phevaluator.card import Card

        yield (
            "phevaluator (numbers)",
            lambda hand: phevaluator.evaluate_cards(*hand),
            lambda hand: [Card(c).id_ for c in hand],
        )
        yield "phevaluator (strings)", lambda hand: phevaluator.evaluate_cards(*hand), list
    except ImportError:
        print("  phevaluator is not installed")
    try:
        import eval7

        yield "eval7 (its cards)", eval7.evaluate, lambda hand: [eval7.Card(card) for card in hand]
    except ImportError:
        print("  eval7 is not installed")
    try:
        import treys

        evaluate = treys.Evaluator().evaluate
        yield "treys (its cards)", lambda hand: evaluate([], hand), lambda hand: [treys.Card.new(card) for card in hand]
    except ImportError:
        print("  treys is not installed")


def bench_evaluators(chance: random.Random) -> None:
    print("hands a second, one process")
    for count in (5, 6, 7):
        hands = [tuple(chance.sample(DECK, count)) for _ in range(HANDS)]
        for name, evaluate, form in evaluators(count):
            formed = [form(hand) for hand in hands]
            evaluate(formed[0])
            print(f"  {count} cards  {name:24}{best_rate(formed, evaluate):>12,.0f}")


def full_round(chance: random.Random, wagers: Sequence[str]) -> dict[str, Any]:
    """Six seats, each with the wagers that every position has and the side wagers named; all of them stay."""
    deck = chance.sample(DECK, len(DECK))
    own = {wager: RULES[GAME.wagers[wager].section]["wager"] for wager in wagers if GAME.wagers[wager].of_meter}
    placed = {**dict.fromkeys(GAME.required, "15.00"), **dict.fromkeys(wagers, "5.00"), **own}
    street = GAME.procedure.streets[1]
    seats = {
        str(number): {
            "cards": [deck.pop(), deck.pop()],
            "wagers": placed,
            "decision": {"at": street.name, "wager": f"{15 * street.times[0]}.00"},
        }
        for number in range(1, 7)
    }
    return {
        "rules": RULES,
        "cards": {
            "board": [deck.pop() for _ in range(5)],
            "dealer": [deck.pop(), deck.pop()],
            "six_card": [deck.pop() for _ in range(4)],
        },
        "drawn": {"magic_card": deck[0], "lucky": 3},
        "meters": dict.fromkeys(parse_submission(RULES).meters, "123456.78"),
        "irregularity": None,
        "seats": seats,
    }


def bench_rounds(chance: random.Random) -> None:
    submission = parse_submission(RULES)
    for name, wagers in ((" and ".join(FEW_WAGERS), FEW_WAGERS), ("every wager there is", SIDE_WAGERS)):
        filed = [full_round(chance, wagers) for _ in range(ROUNDS)]
        rounds = [parse_round(each, submission) for each in filed]
        lines = sum(len(settle(each).payments) for each in rounds) / len(rounds)
        print(f"\nfull six-seat rounds of {GAME.name} a second: {name} ({lines:.0f} payments a round)")
        read_too = best_rate(filed, lambda each: settle(parse_round(each, submission)))
        print(f"  settled, through the library      {best_rate(rounds, settle):>10,.0f}")
        print(f"  read and settled                  {read_too:>10,.0f}")
        print(f"  felt settle --batch, JSON to JSON {batch_rate(filed):>10,.0f}   (whole process, its start included)")


def batch_rate(filed: list[dict[str, Any]]) -> float:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "rounds.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in filed), encoding="utf-8")
        return len(filed) / min(felt("settle", "--batch", str(path)) for _ in range(3))


def felt(*arguments: str) -> float:
    """Seconds one process of `felt` takes."""
    start = time.perf_counter()
    root = Path(__file__).resolve().parents[1]
    subprocess.run([sys.executable, "-m", "firmware", *arguments], cwd=root, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def bench_one_round(chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "round.json"
        path.write_text(json.dumps(full_round(chance, SIDE_WAGERS)), encoding="utf-8")
        taken = sorted(felt("settle", str(path)) for _ in range(15))
    print(
        f"\nfelt settle on one full round, whole process: median {taken[7] * 1000:.0f} ms, best {taken[0] * 1000:.0f} ms"
    )


def main() -> None:
    """Print every measurement."""
    chance = random.Random(653)
    bench_evaluators(chance)
    bench_rounds(chance)
    bench_one_round(chance)


if __name__ == "__main__":
    main()
