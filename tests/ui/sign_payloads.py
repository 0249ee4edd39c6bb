"""Payloads of the bank for the tests of the sign."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = "e" * 32
CLAIM = "uth-04:12:3:18"
OPENED = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


def payload(document: object) -> bytes:
    """As it travels."""
    return json.dumps(document).encode()


def at(seconds: float) -> str:
    """The bank's time of day, so long after it opened."""
    return (OPENED + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def heartbeat(seconds: float = 0, **other: Any) -> dict[str, Any]:
    return {"v": 1, "bank": "felt", "epoch": EPOCH, "alive": True, "at": at(seconds), "board": 1} | other


def offer(paytable: str = "A", *wagers: str, book: str = "pa-653a") -> dict[str, Any]:
    """A bank's, with a wager of a dollar on this paytable of its progressive."""
    offered = [{"name": name, "wager": "1.00", "paytable": "only"} for name in wagers]
    return {
        "program": "0.2.0", "book": book,
        "wagers": [{"name": "progressive", "wager": "1.00", "paytable": paytable}, *offered],
        "meters": [{"name": "main", "seed": "10000.00", "feeds": 210000}],
    }  # fmt: skip


def won(claim: str = CLAIM, seconds: float = 0, **other: Any) -> dict[str, Any]:
    return {
        "claim": claim, "meter": "main", "table": "uth-04", "seat": 3, "hand": "royal flush",
        "amount": "10012.34", "now": "10000.00", "at": at(seconds),
    } | other  # fmt: skip


def pending(meter: str = "main", amount: str = "9001.41", claim: str = CLAIM) -> dict[str, Any]:
    return {"claim": claim, "meter": meter, "table": "uth-04", "amount": amount, "at": at(0)}


def meter(name: str = "main", amount: str = "10012.34", steps: int = 0, display_name: str = "") -> dict[str, Any]:
    shown = display_name or {"main": "Jackpot"}.get(name, name)
    return {"name": name, "display_name": shown, "amount": amount, "seed": "10000.00", "steps": steps, "most": amount}


def board(amount: str = "10012.34", version: int = 1, seconds: float = 0, **other: Any) -> dict[str, Any]:
    return {
        "v": 1, "epoch": EPOCH, "version": version, "at": at(seconds), "title": "Ultimate Texas Hold 'Em Progressive",
        "tables": ["uth-04"], "meters": [meter("main", amount)],
        "pending": [], "won": [],
    } | other  # fmt: skip
