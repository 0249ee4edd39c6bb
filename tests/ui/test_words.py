"""Words: code and catalogs agree in both directions, the compiled catalogs are those of the texts, kinds of fields."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.games import books
from firmware.rules.games.registry import game_of
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.table import events as e
from tests.ui.words_catalogs import compiled, complaints, fields_of, files, in_compiled, texts
from ui.dealer.pieces import SUIT_NAMES, card_name, joined, wager_name
from ui.words import CLOSE, ENGLISH, OPEN, PSEUDO

ROOT = Path(__file__).resolve().parents[2]

CATALOGS = pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(ROOT)))


def test_code_and_catalogs_agree() -> None:
    assert complaints() == []


@CATALOGS
def test_the_compiled_catalog_is_the_text(file: Path) -> None:
    assert in_compiled(file.with_suffix(".mo").read_bytes()) == in_compiled(compiled(file)), "run scripts/words compile"


@CATALOGS
def test_every_message_has_words_and_an_id_that_tells(file: Path) -> None:
    for id_, said in texts(file).items():
        assert all(said) and id_ == id_.lower() and " " not in id_, id_


@CATALOGS
def test_the_pseudo_locale_keeps_every_field(file: Path) -> None:
    for id_, said in texts(file).items():
        number = 2 if len(said) > 1 else None
        english, pseudo = ENGLISH.template(id_, number), PSEUDO.template(id_, number)
        assert fields_of(pseudo) == fields_of(english)
        assert pseudo[0] == OPEN and pseudo[-1] == CLOSE and len(pseudo) >= len(english) + 2


def test_every_wager_has_a_name() -> None:
    for book in books():
        assert all(ENGLISH(wager_name(wager)) for wager in game_of(book).wagers)
    assert ENGLISH(wager_name("super:4")) == "Super on seat 4"


def test_a_message_without_words_is_named() -> None:
    with pytest.raises(KeyError, match="no\\.such"):
        ENGLISH(Message("no.such"))


def test_fields_have_kinds() -> None:
    assert ENGLISH(say("seat.ante", amount=125_000)) == "ANTE $1,250"
    assert ENGLISH(say("seat.ante", amount=750)) == "ANTE $7.50"
    assert ENGLISH(say("seat.ms-after", ms=1234)) == "+1,234 ms"
    assert ENGLISH(say("stakes.none", wager=wager_name("trips"))) == "TRIPS"


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ((1,), "Cash out the wagering account of seat 1 first."),
        ((1, 3), "Cash out the wagering accounts of seats 1 and 3 first."),
        ((1, 3, 5), "Cash out the wagering accounts of seats 1, 3 and 5 first."),
    ],
)
def test_several_and_plurals(seats: tuple[int, ...], said: str) -> None:
    assert ENGLISH(say("account.cash-out-first", seats=seats, n=len(seats))) == said


def test_data_is_the_same_in_every_language() -> None:
    assert ENGLISH(as_is("R. Diaz")) == PSEUDO(as_is("R. Diaz")) == "R. Diaz"
    assert ENGLISH("7") == "7" and as_is("") == NOTHING and not NOTHING and ENGLISH(NOTHING) == ""


def test_messages_in_messages() -> None:
    assert ENGLISH(joined([say("seat.own"), say("seat.dealer")], " + ")) == "OWN + DEALER"
    assert [ENGLISH(card_name(f"T{suit}")) for suit in SUIT_NAMES][1] == "10 of hearts"


names = st.text("abc.-", min_size=1, max_size=6)
leaves = st.text(max_size=5) | st.integers(-(2**63), 2**63 - 1)
messages = st.recursive(
    st.builds(Message, names, st.just(())),
    lambda inner: st.builds(
        Message,
        names,
        st.lists(st.tuples(names, leaves | inner | st.lists(leaves | inner, max_size=3).map(tuple)), max_size=3).map(
            tuple
        ),
    ),
    max_leaves=4,
)


@given(messages)
def test_a_message_goes_through_the_journal_and_back(message: Message) -> None:
    refused = e.PressRefused("seat 9", message)
    assert msgspec.json.decode(msgspec.json.encode(refused), type=e.PressRefused) == refused
