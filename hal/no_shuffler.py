"""A table whose cards are shuffled by hand: no machine, so nothing to hear and nothing to acknowledge."""

from __future__ import annotations


class NoShuffler:
    """`hal.ports.Shuffler` of a table that has none: it never says a word."""

    def start(self) -> None:
        """There is no unit whose status could be put."""

    def acknowledge(self, alarm: int) -> None:
        """There is no unit that could have an alarm."""

    def close(self) -> None:
        """There is nothing to give back."""
