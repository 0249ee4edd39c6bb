"""Ultimate Texas Hold 'Em in Maryland: COMAR 36.05.16. Its comparisons are those of a game with a Blind."""

from __future__ import annotations

from firmware.rules.games.blind import WithBlind

GAME = WithBlind
