"""The book on the wall: paytables as a person would post them at the table, and the readings a casino agrees to."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware.rules.book import Book, MeterTerms
from firmware.rules.games import folder_of
from firmware.rules.money import Micros, in_full, meter_dollars
from firmware.rules.paytable import ONLY, RATE_UNITS, Odds, Paytable
from firmware.rules.submission import Submission

WIDTH = 96


@dataclass(frozen=True, slots=True)
class Reading:
    """How Felt reads a text that is silent or can be read two ways. `cite`: the paragraph.

    `says`: what the text says. `text`: what Felt does. `other`: what the other reading would pay. `ask`: whether a casino
    has to ask its regulator, and why.
    """

    number: int
    title: str
    says: str
    text: str
    reason: str
    other: str
    ask: str
    cite: str


def readings(book: str) -> list[Reading]:
    """The readings that concern the settlement of a book, in the contract's numbers."""
    return _readings(book, "reading")


def table_readings(book: str) -> list[Reading]:
    """The readings that concern what a table of this book does, in the numbers of docs/procedures.md."""
    return _readings(book, "at_the_table")


def _readings(book: str, kind: str) -> list[Reading]:
    file = tomllib.loads(folder_of(book).joinpath("readings.toml").read_text(encoding="utf-8"))
    return [Reading(**entry) for entry in file.get(kind, ())]


def posted_book(book: Book) -> str:
    """Every paytable of a book, its meters, envy and limit, as plain text."""
    tables = [list(tables.values()) for tables in book.paytables.values()]
    return "\n".join([*_heading(book), *_posted(book, tables), *_limit(book, None), *_inscriptions(book)])


def posted_submission(submission: Submission) -> str:
    """The offer of one table as plain text: only the paytables it chose."""
    book = submission.book
    tables = [[submission.paytables[wager]] for wager in book.paytables if wager in submission.paytables]
    minimum = f"Table minimum {in_full(submission.table_minimum)}"
    limit = None if submission.payout_limit is None else in_full(submission.payout_limit)
    heading = [*_heading(book), minimum.center(WIDTH).rstrip()]
    return "\n".join([*heading, *_posted(book, tables), *_limit(book, limit), *_inscriptions(book)])


def explained_book(book: Book) -> str:
    """Every reading of a book with its paragraph, its reason and the other reading, as plain text."""
    lines = [
        *_heading(book),
        *_explained(readings(book.name), "How Felt reads this text where it is silent or can be read two ways"),
    ]
    if at_the_table := table_readings(book.name):
        lines += ["", *_explained(at_the_table, "At the table")]
    return "\n".join(lines)


def _explained(found: Iterable[Reading], heading: str) -> Iterator[str]:
    yield heading.center(WIDTH).rstrip()
    for reading in found:
        yield ""
        yield f"{reading.number}. {reading.title}   [{reading.cite}]"
        yield from _indented(f"The text: {reading.says}")
        yield from _indented(f"Felt: {reading.text}")
        yield from _indented(f"Why: {reading.reason}")
        yield from _indented(f"Read otherwise: {reading.other}")
        yield from _indented(f"Ask the regulator: {reading.ask}")


def _heading(book: Book) -> list[str]:
    lines = [book.title.upper(), f"{book.jurisdiction}, {book.section}", f"({book.text})"]
    if book.expires:
        lines.append(f"lapses after {book.expires}")
    return [line.center(WIDTH).rstrip() for each in lines for line in textwrap.wrap(each, WIDTH)]


def _posted(book: Book, wagers: Iterable[list[Paytable]]) -> Iterator[str]:
    for tables in wagers:
        first = tables[0]
        letters = [table.name for table in tables if table.name != ONLY]
        yield ""
        yield _between(f"{first.title}{f'  (paytable {letters[0]})' if len(letters) == 1 else ''}", f"[{first.cite}]")
        yield "-" * WIDTH
        yield from _rows(tables, letters if len(letters) > 1 else [])
        yield from _meters(book, tables)
        if first.wager == "progressive":
            yield from _envy(book)


def _rows(tables: list[Paytable], letters: list[str]) -> Iterator[str]:
    """The rows with one column a paytable, each as wide as its widest odds."""
    names = _row_names(tables)
    grid = [(row[0].upper() + row[1:], [_cell(table, row) for table in tables]) for row in names]
    if letters:
        grid.insert(0, ("", letters))
    if tables[0].below == "push":
        grid.append(("Winning hand below these", ["push"] * len(tables)))
    widths = [max(len(cells[column]) for _, cells in grid) for column in range(len(tables))]
    spare = max(0, WIDTH - max(len(name) for name in names) - 2 - sum(widths))
    gap = 2 if len(tables) == 1 else max(2, min(6, spare // len(tables)))
    for name, cells in grid:
        right = "".join(" " * gap + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        yield _between(f"  {name}", right)


def _row_names(tables: list[Paytable]) -> list[str]:
    """The rows of all tables, highest first: the longest table has the most of them."""
    longest = max(tables, key=lambda table: len(table.shares) + len(table.rows))
    return [*longest.shares, *(row for row in longest.rows if row not in longest.shares)]


def _cell(table: Paytable, row: str) -> str:
    """The prize of a row, thousands with their comma as on a layout."""
    if row in table.shares:
        return table.shares[row].odds
    prize = table.rows.get(row)
    if prize is None:
        return "-"
    return f"{prize.win:,}{prize.text[len(str(prize.win)) :]}" if isinstance(prize, Odds) else prize.text


def _between(left: str, right: str) -> str:
    return left + " " * max(1, WIDTH - len(left) - len(right)) + right


def _meters(book: Book, tables: list[Paytable]) -> Iterator[str]:
    for table in tables:
        for terms in book.meters.get(table.wager, {}).get(table.name, {}).values():
            letter = "" if table.name == ONLY else f"{table.name}: "
            yield _between(f"  {letter}meter {terms.name}, {_terms(terms)}", f"[{terms.cite}]")


def _terms(terms: MeterTerms) -> str:
    if terms.rate is None:
        return f"seed at least {in_full(terms.seed_least)}, seed and rate as submitted"
    percent = meter_dollars(Micros(terms.rate * 100 * 1_000_000 // RATE_UNITS)).removesuffix(".00")
    return f"seed {terms.seed_for_one:,} for 1, grows by {percent}% of each wager"


def _envy(book: Book) -> Iterator[str]:
    for wager, rows in book.envy.items():
        prizes = ", ".join(f"{hand} ${bonus // 100:,}" for hand, bonus in rows.items())
        yield _between(f"  Envy on a {in_full(wager)} wager: {prizes}", f"[{book.envy_cite}]")


def _limit(book: Book, chosen: str | None) -> Iterator[str]:
    if book.limit:
        covered = ", ".join(book.limit.covers)
        least = f"at least {in_full(book.limit.least)} and {book.limit.times_minimum} times the table minimum"
        yield ""
        yield _between(f"Payout limit: {chosen or least}", f"[{book.limit.cite}]")
        yield f"  covers {covered}"


def _inscriptions(book: Book) -> Iterator[str]:
    yield ""
    yield _between("At this table", f"[{book.inscriptions_cite}]")
    yield "-" * WIDTH
    for line in book.inscriptions:
        yield from textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="   ", subsequent_indent="   ")
