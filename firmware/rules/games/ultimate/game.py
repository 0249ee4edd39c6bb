"""Ultimate Texas Hold 'Em in Pennsylvania: 58 Pa. Code Chapter 653a. Its comparisons are those of a game with a Blind."""

from __future__ import annotations

from firmware.rules.games.blind import WithBlind

GAME = WithBlind
