"""What each book prescribes at the table, beside its numbers: streets, burns, who is dealt what in which order.

Sections .3 to .5 and .7 to .11 of 58 Pa. Code 653a, 671a, 677a and of COMAR 36.05.16. The money is in
`firmware.rules`; here is what hands do. `Equipment` is what the casino put on the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DECK = 52
STUB_EVERY = 5
"""Rounds after which the stub has to be counted, unless the shuffler counts (653a.8(f))."""
CUT_LEAST = 10
"""Cards above the cover card at the least (653a.5(d))."""

SHOE, HAND, AUTOMATED = "shoe", "hand", "automated"
METHODS = (SHOE, HAND, AUTOMATED)
"""Manual dealing shoe (.8), dealer's hand (.9), automated dealing shoe (.10; in Maryland also a shuffler)."""

NO_SHUFFLER, SHUFFLES, COUNTS, RESHUFFLES = "none", "shuffles", "counts", "reshuffles"
SHUFFLERS = (NO_SHUFFLER, SHUFFLES, COUNTS, RESHUFFLES)
"""What a machine does: nothing, shuffle, shuffle and count 52 (653a.5(b)), or reshuffle and count by itself (.5(g))."""

HOURS: Mapping[str, int] = {HAND: 4, SHOE: 8, AUTOMATED: 8}
"""A deck's life at the table (653a.3(c))."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What is on this table: how cards are dealt, which machine shuffles them, and the decks' back colors."""

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


@dataclass(frozen=True, slots=True)
class Street:
    """One round of questions. `times`: the multiples of the ante offered, the first one by one tap; 0 is a check.

    `between`: any amount from the least to the most of them may be wagered (677a.11(b), (d)).
    `then`: the community cards that are dealt after it. On the `last` street a player plays or folds.
    """

    name: str
    times: tuple[int, ...]
    then: int
    last: bool
    cite: str
    question: str
    between: bool = False


@dataclass(frozen=True, slots=True)
class Procedure:
    """One book's procedures. `cites`: concern -> paragraph; a missing concern is not in that book.

    `play`: what the deciding wager is called; `second`: the wager that goes with every ante. `burns`: the methods with
    which a card is burned before the flop, and before turn and river; `cover_card`: with which the dealer's cards lie
    under one; `board_first`: with which the community cards are dealt before the players' cards.
    """

    book: str
    section: str
    seats: int
    hole_cards: int
    play: str
    second: str
    streets: tuple[Street, ...]
    burns: frozenset[str]
    tuck: tuple[str, ...]
    cover_card: frozenset[str]
    board_first: frozenset[str]
    cites: Mapping[str, str]
    cover_cards: int = 2

    def cite(self, concern: str, method: str = "") -> str:
        """The paragraph of a concern; some stand once for each way of dealing. KeyError: not in this book."""
        return self.cites[f"{concern}:{method}"] if f"{concern}:{method}" in self.cites else self.cites[concern]

    def has(self, concern: str) -> bool:
        """The book has a paragraph about it."""
        return concern in self.cites


def _streets(
    cites: tuple[str, str, str], play: str, first: tuple[int, ...], second: tuple[int, ...], *, between: bool = False
) -> tuple[Street, ...]:
    def words(times: tuple[int, ...]) -> str:
        return " or ".join(f"{one}×" for one in sorted(times))

    return (
        Street("preflop", first, 3, False, cites[0], f"{play} {words(first)}, or check", between),
        Street("flop", second, 2, False, cites[1], f"{play} {words(second)}, or check", between),
        Street("river", (1,), 0, True, cites[2], f"{play} 1×, or fold"),
    )


def _pennsylvania(section: str) -> dict[str, str]:
    """Sections .3 to .5 and .13(a)-(c), (e)-(g) read alike in the three Pennsylvanian chapters."""
    return {
        "decks": f"{section}.3(a)",
        "two decks": f"{section}.3(b)",
        "alternate": f"{section}.3(b)(3)",
        "one in the rack": f"{section}.3(b)(4)",
        "colors": f"{section}.3(b)(1)",
        "change": f"{section}.3(c)",
        "change:hand": f"{section}.3(c)(1)",
        "change:shoe": f"{section}.3(c)(2)",
        "change:automated": f"{section}.3(c)(2)",
        "inspect": f"{section}.4(a)",
        "verify": f"{section}.4(a)",
        "spread": f"{section}.4(b)",
        "wash": f"{section}.4(c)",
        "preinspected": f"{section}.4(e)",
        "shuffle": f"{section}.5(a)",
        "machine count": f"{section}.5(b)",
        "cut": f"{section}.5(d)",
        "machine": f"{section}.5(c)(1)",
        "recut": f"{section}.5(e)",
        "idle": f"{section}.5(f)",
        "reshuffles": f"{section}.5(g)",
        "abandoned": f"{section}.7(b)",
        "by hand": f"{section}.9(a)(1)",
        "one face up": f"{section}.13(a)",
        "cards_face_up": f"{section}.13(a)",
        "drawn in error": f"{section}.13(b)",
        "incorrect_number_of_cards": f"{section}.13(c)",
        "dealer_card_exposed": f"{section}.13(d)",
        "shuffler jam": f"{section}.13(e)",
        "dealing_shoe_fault": f"{section}.13(f)",
        "out of order": f"{section}.13(g)",
    }


_DEALT = {"deal:shoe": "8", "deal:hand": "9", "deal:automated": "10"}

ULTIMATE = Procedure(
    book="pa-653a",
    section="653a",
    seats=6,
    hole_cards=2,
    play="Play",
    second="blind",
    streets=_streets(("653a.11(b)", "653a.11(d)", "653a.11(f)"), "Play", (4, 3), (2,)),
    burns=frozenset(METHODS),
    tuck=("trips", "six_card_bonus"),
    cover_card=frozenset({AUTOMATED}),
    board_first=frozenset(),
    cites={
        **_pennsylvania("653a"),
        **{concern: f"653a.{number}" for concern, number in _DEALT.items()},
        "order:shoe": "653a.8(d)",
        "order:hand": "653a.9(b)",
        "order:automated": "653a.10(b)",
        "board first": "653a.10(g)",
        "six card:shoe": "653a.8(d)",
        "six card:hand": "653a.9(b)",
        "six card:automated": "653a.10(c)",
        "stub away:shoe": "653a.8(e)",
        "stub away:hand": "653a.9(c)",
        "stub away:automated": "653a.10(c)",
        "rest": "653a.10(c)",
        "stub:shoe": "653a.8(f)",
        "stub:hand": "653a.9(d)",
        "stub:automated": "653a.10(d)",
        "stub_count:shoe": "653a.8(h)",
        "stub_count:hand": "653a.9(f)",
        "stub_count:automated": "653a.10(f)",
        "burn flop": "653a.11(c)",
        "burn turn": "653a.11(e)",
        "fold": "653a.11(f)(2)",
        "tuck": "653a.11(f)(2)(i)",
        "muck": "653a.11(f)(2)(ii)",
        "reveal": "653a.11(g)",
        "settle": "653a.11(h)",
        "clear": "653a.11(n)",
    },
)

MARYLAND = Procedure(
    book="md-36.05.16",
    section="36.05.16",
    seats=6,
    hole_cards=2,
    play="Play",
    second="blind",
    streets=_streets(("36.05.16.11B", "36.05.16.11D", "36.05.16.11F"), "Play", (4, 3), (2,)),
    burns=frozenset({HAND}),
    tuck=("trips", "six_card_bonus"),
    cover_card=frozenset({SHOE, HAND}),
    board_first=frozenset({AUTOMATED}),
    cites={
        "decks": "36.05.16.03A",
        "two decks": "36.05.16.03B",
        "colors": "36.05.16.03B(2)",
        "alternate": "36.05.16.03B(4)",
        "one in the rack": "36.05.16.03B(5)",
        "change": "36.05.16.03C",
        "change:hand": "36.05.16.03C(1)",
        "change:shoe": "36.05.16.03C(2)",
        "change:automated": "36.05.16.03C(2)",
        "inspect": "36.05.16.04A",
        "verify": "36.05.16.04A",
        "spread": "36.05.16.04B",
        "wash": "36.05.16.04C",
        "preinspected": "36.05.16.04F",
        "shuffle": "36.05.16.05A",
        "machine count": "36.05.16.05E",
        "machine": "36.05.16.05D(1)",
        "cut": "36.05.16.05F",
        "recut": "36.05.16.05G",
        "idle": "36.05.16.05H",
        "reshuffles": "36.05.16.05I",
        "abandoned": "36.05.16.07C(2)",
        "by hand": "36.05.16.09A(1)",
        **{concern: f"36.05.16.{int(number):02}" for concern, number in _DEALT.items()},
        "order:shoe": "36.05.16.08D(2)",
        "order:hand": "36.05.16.09B(2)",
        "order:automated": "36.05.16.10B(3)",
        "board first": "36.05.16.10B(2)",
        "six card:shoe": "36.05.16.07F(4)",
        "six card:hand": "36.05.16.07F(4)",
        "six card:automated": "36.05.16.10B(1)",
        "stub away:shoe": "36.05.16.08D(4)",
        "stub away:hand": "36.05.16.09B(4)",
        "stub:shoe": "36.05.16.08E",
        "stub:hand": "36.05.16.09C",
        "stub:automated": "36.05.16.10C",
        "stub_count:shoe": "36.05.16.08G",
        "stub_count:hand": "36.05.16.09E",
        "stub_count:automated": "36.05.16.10E",
        "burn flop": "36.05.16.11C(1)",
        "burn turn": "36.05.16.11E(1)",
        "fold": "36.05.16.11F(2)",
        "tuck": "36.05.16.11F(3)(a)",
        "muck": "36.05.16.11F(3)(b)",
        "reveal": "36.05.16.11G",
        "settle": "36.05.16.11H",
        "clear": "36.05.16.11K",
        "one face up": "36.05.16.13A",
        "cards_face_up": "36.05.16.13B",
        "drawn in error": "36.05.16.13D",
        "incorrect_number_of_cards": "36.05.16.13E",
        "dealer_card_exposed": "36.05.16.13F",
        "shuffler jam": "36.05.16.13H",
        "shuffler_fault": "36.05.16.13H",
        "dealing_shoe_fault": "36.05.16.13I",
        "out of order": "36.05.16.13J",
    },
)

HEADS_UP = Procedure(
    book="pa-677a",
    section="677a",
    seats=6,
    hole_cards=2,
    play="Raise",
    second="odds",
    streets=_streets(("677a.11(b)", "677a.11(d)", "677a.11(f)"), "Raise", (3, 2, 1), (2, 1), between=True),
    burns=frozenset(METHODS),
    tuck=("trips_plus", "pocket_bonus"),
    cover_card=frozenset(),
    board_first=frozenset(),
    cites={
        **_pennsylvania("677a"),
        **{concern: f"677a.{number}" for concern, number in _DEALT.items()},
        "order:shoe": "677a.8(c)",
        "order:hand": "677a.9(b)",
        "order:automated": "677a.10(b)",
        "board first": "677a.10(g)",
        "stub away:shoe": "677a.8(d)",
        "stub away:hand": "677a.9(c)",
        "stub away:automated": "677a.10(c)",
        "rest": "677a.10(c)",
        "stub:shoe": "677a.8(e)",
        "stub:hand": "677a.9(d)",
        "stub:automated": "677a.10(d)",
        "stub_count:shoe": "677a.8(g)",
        "stub_count:hand": "677a.9(f)",
        "stub_count:automated": "677a.10(f)",
        "burn flop": "677a.11(c)",
        "burn turn": "677a.11(e)",
        "fold": "677a.11(f)",
        "tuck": "677a.11(f)",
        "muck": "677a.11(f)",
        "reveal": "677a.11(g)",
        "settle": "677a.11(h)",
        "clear": "677a.11(j)",
    },
)

LUNAR = Procedure(
    book="pa-671a",
    section="671a",
    seats=5,
    hole_cards=5,
    play="Bet",
    second="super",
    streets=(Street("bet", (2,), 0, True, "671a.11(b)", "Bet 2×, fold, or an option for one more ante"),),
    burns=frozenset(),
    tuck=(),
    cover_card=frozenset(),
    board_first=frozenset(),
    cover_cards=1,
    cites={
        **_pennsylvania("671a"),
        "idle from": "671a.5(f)",
        **{concern: f"671a.{number}" for concern, number in _DEALT.items()},
        "order:shoe": "671a.8(c)",
        "order:hand": "671a.9(b)",
        "order:automated": "671a.10(b)",
        "stub": "671a.11(h)",
        "stub_count": "671a.11(h)(2)",
        "fold": "671a.11(c)(4)",
        "locked in": "671a.11(c)",
        "draw": "671a.11(d)",
        "reveal": "671a.11(e)",
        "settle": "671a.11(f)",
        "clear": "671a.11(g)",
    },
)

PROCEDURES: Mapping[str, Procedure] = {one.book: one for one in (ULTIMATE, MARYLAND, LUNAR, HEADS_UP)}
"""By the name of the book."""
