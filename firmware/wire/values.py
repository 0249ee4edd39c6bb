"""The values that messages are made of, each with its shape."""

from __future__ import annotations

from typing import Annotated

from firmware.rules.money import Cents
from firmware.wire.shapes import NUMBER_MAX, Dollars, Hand, Line, Moment, Several, Whole, Word

SEATS_MAX = 6
"""653a.2(a), Maryland .02A: no table has more."""
PEOPLE_MAX = 4
TEXT_MAX = 200
TITLE_MAX = 120
DISPLAY_NAME_MAX = 24
METERS_MAX = 6
METER_WAGERS_MAX = 8
"""Kinds of wagers with a meter that a table offers."""
WINS_MAX = 5
REFUSED_MAX = 20
"""Claims held without effect that a bank still names: the last ones of a table."""
EPOCHS_MAX = 16
"""Restores that a bank still announces: the last ones."""
CLAIMS_MAX = 40
"""Claims of a table that are open at once, at most: three rounds in which all that can be claimed was. More is no table."""
PENDING_MAX = 80
"""Pending claims that a board lists; a board of a thousand tables still fits a payload."""
ENTRIES_MAX = 1000
"""Entries of a list that is otherwise bounded only by the size of a payload."""

_NUMBER = "[1-9][0-9]{0,15}"
_TABLE = "[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?"
_HEX32 = "[0-9a-f]{32}"

Seat = Annotated[int, Whole(1, SEATS_MAX)]
Round = Annotated[int, Whole(1, NUMBER_MAX)]
Number = Annotated[int, Whole(1, NUMBER_MAX)]
Count = Annotated[int, Whole(0, NUMBER_MAX)]
Backers = Annotated[int, Whole(1, SEATS_MAX)]
Badge = Annotated[str, Word("[A-Za-z0-9-]{1,32}", "a badge number")]
TableName = Annotated[str, Word(_TABLE, 'a name like "table-04"')]
BankName = Annotated[str, Word(_TABLE, 'a name like "felt"')]
MeterName = Annotated[str, Word("(?!.{33})[a-z0-9]([ _-]?[a-z0-9])*", 'the name of a meter, like "main"')]
AlarmKind = Annotated[str, Word("[a-z0-9]{1,32}", 'one word, like "hash"')]
PhaseName = Annotated[str, Word("[a-z]{1,32}", 'the name of a phase, like "deal"')]
WagerName = Annotated[str, Word("(?!.{33})[a-z0-9]([_-]?[a-z0-9])*", 'the name of a wager, like "progressive"')]
PaytableName = Annotated[str, Word("[A-Za-z][A-Za-z ]{0,15}", "the name of a paytable")]
Hex32 = Annotated[str, Word(_HEX32, "32 hex digits")]
Found = Annotated[str, Word("(ahead|behind|fork)?", '"ahead", "behind", "fork" or ""')]
"""The fault that a table found with its own journal: fewer rows than the bank saw, or another one at a row that it saw."""
Hex32OrNone = Annotated[str, Word(f"({_HEX32})?", '32 hex digits or ""')]
Hash = Annotated[str, Word("[0-9a-f]{64}", "64 hex digits")]
ClaimName = Annotated[str, Word(f"{_TABLE}:{_NUMBER}:[1-{SEATS_MAX}]:{_NUMBER}", "TABLE:ROUND:SEAT:NUMBER")]
Share = Annotated[str, Word("[0-9]{1,3}%", 'a part of a meter, like "10%"')]
Reason = Annotated[str, Line(1, TEXT_MAX)]
Text = Annotated[str, Line(0, TEXT_MAX)]
Title = Annotated[str, Line(1, TITLE_MAX)]
DisplayName = Annotated[str, Line(1, DISPLAY_NAME_MAX)]
At = Annotated[str, Moment()]
Wager = Annotated[Cents, Dollars(above_zero=True)]
Amount = Annotated[Cents, Dollars()]
Epochs = Annotated[tuple[Hex32, ...], Several(0, EPOCHS_MAX)]
HandCards = Annotated[tuple[str, ...], Hand(3, 5)]
Badges = Annotated[tuple[Badge, ...], Several(1, PEOPLE_MAX)]
Seats = Annotated[tuple[Seat, ...], Several(1, SEATS_MAX, ascending=True)]
Amounts = Annotated[tuple[Wager, ...], Several(1, SEATS_MAX)]


def is_claim_of(claim: str, table: str) -> bool:
    """A claim's name begins with its table's: `TABLE:ROUND:SEAT:NUMBER`."""
    return claim.startswith(f"{table}:")
