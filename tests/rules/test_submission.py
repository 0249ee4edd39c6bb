"""Submissions: what is in force and until when, what they hash to, what of them the table and the bank use."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from firmware.rules.book import Section
from firmware.rules.games import books, load_book
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName
from firmware.rules.meter_wagers import contributions
from firmware.rules.money import cents
from firmware.rules.paytable import Fixed, Share
from firmware.rules.poster import posted_book
from firmware.rules.round import check_stakes, parse_round
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission, parse_submission

FILED: dict[str, Any] = {
    "book": "pa-653a",
    "table_minimum": "15.00",
    "blind": {"paytable": "A"},
    "trips": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
}


def test_the_progressive_wager_for_table_and_bank() -> None:
    offered = parse_submission(FILED).offers["progressive"]
    assert offered.wager == cents("1.00")
    assert offered.prizes[HandName.ROYAL_FLUSH] == Share("main", 100, "100% of main", "653a.12(d)")
    assert offered.prizes[HandName.FLUSH] == Fixed("40 for 1", cents("40.00"), cents("0.00"), "653a.12(d)")
    assert HandName.TWO_PAIR not in offered.prizes
    assert offered.meters["main"].contribution == 210_000
    assert offered.envy[HandName.STRAIGHT_FLUSH] == cents("300.00")


def test_maryland_returns_the_stake_of_a_fixed_prize() -> None:
    filed = FILED | {"book": "md-36.05.16", "progressive": {"wager": "5.00", "seed": "10000.00", "rate": "21"}}
    offered = parse_submission(filed).offers["progressive"]
    assert offered.prizes[HandName.FLUSH] == Fixed("40 to 1", cents("200.00"), cents("5.00"), "36.05.16.12D")


def test_653a_12_d_3_and_e_4_what_a_round_puts_on_its_meters() -> None:
    filed = FILED | {"progressive": {"paytable": "C", "wager": "5.00"}, "five_card_hand": {"wager": "2.00"}}
    main = {"ante": "15.00", "blind": "15.00"}
    seats = {
        "1": {
            "cards": ["Ah", "Ac"],
            "wagers": main | {"progressive": "5.00", "five_card_player": "2.00"},
            "decision": "fold",
        },
        "2": {"cards": ["Kh", "Kc"], "wagers": main | {"progressive": "5.00"}, "decision": "abandoned"},
        "3": {
            "cards": ["Qh", "Qc"],
            "wagers": main | {"five_card_player": "2.00", "five_card_dealer": "2.00"},
            "decision": "fold",
        },
        "4": {"cards": ["Jh", "Jc"], "wagers": main, "decision": "fold"},
    }
    names = ("mega", "major", "minor", "five_card", "five_card_reserve")
    written = {
        "rules": filed,
        "cards": {"board": ["2c", "3c", "4c", "6d", "7d"], "dealer": ["Td", "Tc"]},
        "meters": dict.fromkeys(names, "1000.00"),
        "seats": seats,
    }
    assert contributions(parse_round(written)) == {
        "mega": 900_000,
        "major": 700_000,
        "minor": 300_000,
        "five_card": 780_000,
        "five_card_reserve": 480_000,
    }


def test_the_hash_is_of_what_is_filed() -> None:
    turned = dict(reversed(FILED.items()))
    assert parse_submission(turned).submission_hash == parse_submission(FILED).submission_hash
    assert (
        parse_submission(FILED | {"table_minimum": "10.00"}).submission_hash != parse_submission(FILED).submission_hash
    )
    assert len(parse_submission(FILED).submission_hash) == 64


def lapsing(expires: date) -> Submission:
    """A submission one of whose paytables is temporary, as the 653b regulations were."""
    submission = parse_submission(FILED)
    trips = replace(submission.paytables["trips"], expires=expires)
    return replace(submission, paytables={**submission.paytables, "trips": trips})


def test_a_table_does_not_open_on_a_text_that_has_lapsed() -> None:
    submission = lapsing(date(2026, 3, 23))
    assert submission.expires == date(2026, 3, 23)
    submission.refuse_if_lapsed(date(2026, 3, 23))
    with pytest.raises(Refusal, match="lapsed after 2026-03-23"):
        submission.refuse_if_lapsed(date(2026, 3, 24))


def test_nor_on_one_that_has_not_taken_effect() -> None:
    submission = parse_submission(FILED)
    assert submission.expires is None
    submission.refuse_if_lapsed(date(2019, 8, 31))
    with pytest.raises(Refusal, match="takes effect on 2019-08-31; the clock says 2019-08-30; set the clock"):
        submission.refuse_if_lapsed(date(2019, 8, 30))


def test_a_book_that_lapses_says_so_on_the_wall() -> None:
    assert "lapses after 2026-03-23" in posted_book(replace(load_book("pa-653a"), expires=date(2026, 3, 23)))


@pytest.mark.parametrize("book", books())
def test_every_number_of_a_book_has_its_paragraph_and_its_day(book: str) -> None:
    read = load_book(book)
    chapter = {"pa-653a": "653a.", "md-36.05.16": "36.05.16.", "pa-671a": "671a.", "pa-677a": "677a."}[book]
    cites = [table.cite for tables in read.paytables.values() for table in tables.values()]
    cites += [meter.cite for tables in read.meters.values() for meters in tables.values() for meter in meters.values()]
    cites += [*read.cites.values(), *read.voids.values()]
    assert all(cite.startswith(chapter) for cite in cites)
    assert all(table.effective <= read.effective for tables in read.paytables.values() for table in tables.values())


def test_a_section_without_keys_offers_what_is_named_after_it_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    lunar = load_book("pa-671a")
    two = replace(lunar, sections={**lunar.sections, "night_deck": Section("present")})
    monkeypatch.setattr("firmware.rules.submission.load_book", lambda name: two)
    filed = {"book": "pa-671a", "table_minimum": "5.00", "instant": {"paytable": "A"}, "night_deck": {}}
    other, both = parse_submission(filed), parse_submission(filed | {"super_on_others": {}})
    assert (other.present, both.present) == ({"night_deck"}, {"night_deck", "super_on_others"})
    game, stakes = game_of("pa-671a"), {"ante": cents("5.00"), "super": cents("5.00"), "super:dealer": cents("5.00")}
    assert (game.backable(other, 1), len(game.backable(both, 1))) == ((), 5)
    check_stakes(both, {1: stakes})
    with pytest.raises(Refusal, match=r"super_on: is not offered by these rules; .* a section \[super_on_others\]"):
        check_stakes(other, {1: stakes})


@pytest.mark.parametrize(
    ("book", "cite"),
    [("pa-653a", "653a.2(a)"), ("md-36.05.16", "36.05.16.02A"), ("pa-671a", "671a.2(a)"), ("pa-677a", "677a.2(a)")],
)
def test_how_many_seats_there_are_has_its_paragraph(book: str, cite: str) -> None:
    assert load_book(book).procedure.cite("seats") == cite


def test_there_is_no_fifth_book() -> None:
    with pytest.raises(Refusal, match="is not a book; right would be pa-653a"):
        load_book("../../etc/passwd")
