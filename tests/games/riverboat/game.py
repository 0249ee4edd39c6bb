"""Riverboat Hold 'Em: a game of the tests. It compares hands like a game with a Blind, which it calls Paddle."""

from __future__ import annotations

from firmware.rules.games.blind import WithBlind

GAME = WithBlind
