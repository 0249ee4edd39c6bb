"""What a gaming day comes to, by what happened on the felt; written apart from the table, for one seat and one wager."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

METER, WAGER = "main", "progressive"
CONTRIBUTION, STAKE = 210_000, 100
"""21 % of a dollar in micro-dollars (653a.12(b)), and the dollar in cents."""


class Effect(NamedTuple):
    """What happened on the felt, or what a message says of it: `what` is its kind; who or which round; and how much.

    `totals`: of a day that was closed, the day's own and then those since the journal was made.
    """

    what: str
    name: str
    hand: str = ""
    paid: bool = False
    cents: int = 0
    totals: tuple[tuple[tuple[str, int], ...], ...] = ()


def closed(truth: tuple[Effect, ...], day: str) -> Effect:
    """The day that ends after all this; its round was cleared before."""
    ends = [at for at, effect in enumerate(truth, start=1) if effect.what == "day"]
    return Effect("day", f"{len(ends) + 1} {day}", totals=(_sums(truth[ends[-1] if ends else 0 :]), _sums(truth)))


def _sums(effects: Iterable[Effect]) -> tuple[tuple[str, int], ...]:
    sums: Counter[str] = Counter()
    for effect in effects:
        match effect.what:
            case "wagers":
                sums.update({"rounds": 1, f"staked {WAGER}": STAKE, f"contributions {METER}": CONTRIBUTION})
            case "void":
                sums.update({"voids": 1, f"returned {WAGER}": STAKE, f"contributions {METER}": -CONTRIBUTION})
            case "verdict" if effect.paid:
                sums.update({f"awards {METER}": effect.cents, f"paid {WAGER}": effect.cents})
            case "payment":
                sums[f"paid {WAGER}"] += effect.cents if effect.paid else -effect.cents
            case "account":
                sums["bought" if effect.name.endswith("buy-in") else "cashed"] += effect.cents
            case "late" | "differences":
                sums.update({"rounds": 1, effect.what: 1})  # that round had no wager
            case _:
                pass
    return tuple(sorted((name, amount) for name, amount in sums.items() if amount))


def said(body: dict[str, Any]) -> Effect:
    """The day that a message tells of."""
    return Effect("day", f"{body['number']} {body['day']}", totals=(_flat(body["totals"]), _flat(body["perpetual"])))


def _flat(totals: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    flat: dict[str, int] = {}
    for name, amount in totals.items():
        if isinstance(amount, list):
            flat |= {f"{name} {one['name']}": one.get("cents", one.get("micros")) for one in amount}
        else:
            flat[name] = int(amount.replace(".", "")) if isinstance(amount, str) else amount
    return tuple(sorted((name, amount) for name, amount in flat.items() if amount))
