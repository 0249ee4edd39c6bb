"""What a tired dealer sees on the screens, and must not see: one test for each thing that once misled somebody."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.ui.test_screens import Acts, cards_come, locked_and_counted
from tests.ui.walk import HOUSES, Walk
from ui.dealer.widgets import Screen, Tone, Widget


def done(acts: Acts) -> None:
    """Everything that the acts do is done."""
    for _ in acts:
        pass


def asked(book: str, *players: int) -> Walk:
    """Cards are dealt to these seats, and the first questions are asked."""
    table = Walk(HOUSES[f"{book} 1"], 0)
    done(cards_come(table))
    done(table.presses(*(f"box {seat}" for seat in players)))
    done(locked_and_counted(table))
    done(table.presses("dealt"))
    return table


def widget(shown: Screen, name: str) -> Widget:
    return next(one for one in shown.widgets if one.id == name)


def said(one: Widget | Iterable[Widget]) -> str:
    """The words of a widget, or of several."""
    widgets = [one] if isinstance(one, Widget) else list(one)
    return " ".join(line.text for each in widgets for line in each.lines)


# Decisions: 653a.11(b), (d), (f) --------------------------------------------------------------------------------------------


def test_the_next_key_says_what_it_writes_down_before_it_is_final() -> None:
    table = asked("pa-653a", 1, 2, 3)
    assert "3 CHECK" in said(widget(table.shown(), "primary"))
    done(table.presses("seat 2"))
    assert "1 PLAY · 2 CHECK" in said(widget(table.shown(), "primary"))
    done(table.presses("next", "next", "seat 1"))
    assert "2 PLAY · 1 FOLD" in said(widget(table.shown(), "primary"))


def test_a_seat_whose_answer_was_changed_in_this_street_says_so() -> None:
    """653a.11(b): four antes became three, or a fold came and went."""
    table = asked("pa-653a", 1, 2)
    done(table.presses("seat 1"))
    assert "changed" not in said(table.shown().widgets)
    done(table.presses("seat 1"))
    assert "changed" in said(widget(table.shown(), "seat-1"))
    assert "changed" not in said(widget(table.shown(), "seat-2"))
    done(table.presses("undo"))
    assert "changed" not in said(table.shown().widgets)
    done(table.presses("next", "next", "seat 2", "seat 2"))
    shown = widget(table.shown(), "seat-2")
    assert "PLAY 1×" in said(shown) and "changed" in said(shown)


def test_the_mark_of_a_changed_answer_goes_with_its_street() -> None:
    table = asked("pa-653a", 1, 2)
    done(table.presses("seat 1", "seat 1", "next"))
    assert "changed" not in said(table.shown().widgets)


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-677a"])
def test_three_streets_have_three_titles_and_say_what_is_dealt_next(book: str) -> None:
    table = asked(book, 1)
    titles, keys = [], []
    for _ in range(3):
        shown = table.shown()
        titles.append(said(widget(shown, "title")))
        keys.append(widget(shown, "primary").lines[0].text)
        done(table.presses("next"))
    assert titles == ["BEFORE THE FLOP  ●○○", "THE FLOP  ●●○", "TURN AND RIVER  ●●●"]
    assert keys[:2] == ["DEAL THE FLOP", "DEAL TURN AND RIVER"]


# Calling the floor --------------------------------------------------------------------------------------------------------


def test_the_floor_key_does_not_claim_that_somebody_heard_it() -> None:
    """The call stands in the journal; no page shows it to anybody yet."""
    table = asked("pa-653a", 1)
    done(table.presses("floor"))
    shown = widget(table.shown(), "floor")
    assert said(shown) == "FLOOR NOTED" and shown.border is Tone.FLOOR
