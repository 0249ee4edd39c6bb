"""The equipment that the casino put on the table, and how cards are dealt there.

`firmware.rules.procedure` has the prescriptions of a book.
"""

from __future__ import annotations

from msgspec import Struct

DECK = 52

SHOE, HAND, AUTOMATED = "shoe", "hand", "automated"
METHODS = (SHOE, HAND, AUTOMATED)
"""Manual dealing shoe (.8), dealer's hand (.9), automated dealing shoe (.10; in Maryland also a shuffler)."""

NO_SHUFFLER, SHUFFLES, COUNTS, RESHUFFLES = "none", "shuffles", "counts", "reshuffles"
MACHINES = (NO_SHUFFLER, SHUFFLES, COUNTS, RESHUFFLES)
"""The work of a machine: nothing, shuffle, shuffle and count 52 (653a.5(b)), or reshuffle and count by itself (.5(g))."""


class Equipment(Struct, frozen=True):
    """The equipment of this table: the way of dealing, the shuffling machine, and the decks' back colors."""

    method: str = HAND
    shuffler: str = COUNTS
    colors: tuple[str, ...] = ("blue",)
    board_first: bool = False
    """An automated shoe that reshuffles dispenses the community cards first (653a.10(g))."""

    @property
    def machine(self) -> bool:
        """An automated card shuffling device is on the table."""
        return self.shuffler != NO_SHUFFLER

    @property
    def counts(self) -> bool:
        """The machine says whether 52 cards are present after every shuffle."""
        return self.shuffler in (COUNTS, RESHUFFLES)

    @property
    def text(self) -> str:
        """All of it in one line, as the journal keeps it."""
        board_first = ", board first" if self.board_first else ""
        return f"{self.method}, shuffler {self.shuffler}, decks {' and '.join(self.colors)}{board_first}"
