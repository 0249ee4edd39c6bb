"""Words: code and catalogs agree in both directions, the compiled catalogs are those of the texts, kinds of fields."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.games import books
from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANKED
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.rules.meter_wagers import LUCKY, MAGIC_CARD
from firmware.rules.seat import DEALER, Choice
from firmware.rules.wager import FIVE_CARD
from firmware.table import events as e
from tests.ui.words_catalogs import compiled, complaints, fields_of, files, in_compiled, language, texts
from ui.dealer.pieces import SUIT_NAMES, card_name, hand_name, joined
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


@pytest.mark.parametrize(
    "file", [one for one in files() if language(one) == "en"], ids=lambda file: str(file.relative_to(ROOT))
)
@pytest.mark.usefixtures("riverboat", "levee")
def test_the_pseudo_locale_keeps_every_field(file: Path) -> None:
    for id_, said in texts(file).items():
        number = 2 if len(said) > 1 else None
        english, pseudo = ENGLISH.template(id_, number), PSEUDO.template(id_, number)
        assert fields_of(pseudo) == fields_of(english)
        assert pseudo[0] == OPEN and pseudo[-1] == CLOSE and len(pseudo) >= len(english) + 2


def said_by(game: Game) -> Iterator[Message]:
    """Every message whose id a game makes."""
    wagers = [*game.wagers, *game.book.order, *FIVE_CARD, *MAGIC_CARD.values(), *LUCKY.values()]
    yield from (game.called(wager) for wager in wagers if wager in game.wagers or game.wagers.keys() & set(FIVE_CARD))
    for street in game.procedure.streets:
        yield game.question(street)
        yield from [game.dealt(street)] if street.deals else []
    for name, one in game.elections.items():
        yield from (game.elected(name, cards) for cards in one.draws or (0,))
    if game.elections:
        yield game.elected_by_default()
    if game.declared:
        yield game.called(game.on_hand(DEALER))
        yield from (game.row_called(row) for row in game.book.paytable(game.declared).rows)
    yield from (game.qualified(qualifies) for qualifies in (True, False))


@pytest.mark.usefixtures("riverboat", "levee")
def test_every_game_has_its_words() -> None:
    for book in books():
        assert all(ENGLISH(message) for message in said_by(game_of(book))), book


def test_what_a_game_says() -> None:
    lunar, heads_up = game_of("pa-671a"), game_of("pa-677a")
    assert ENGLISH(lunar.called("super:4")) == "Super on seat 4"
    assert ENGLISH(lunar.called("super:dealer")) == "Super on dealer"
    assert ENGLISH(lunar.elected("exchange", 3)) == "EXCH 3"
    assert [ENGLISH(heads_up.question(street)) for street in heads_up.procedure.streets] == [
        "Raise 1× or 2× or 3×, or check",
        "Raise 1× or 2×, or check",
        "Raise 1×, or fold",
    ]
    assert ENGLISH(heads_up.asked("trips_plus")) == "Trips Plus: which hand?"


def test_every_question_has_words() -> None:
    """Whatever a dealer has to answer of a seat, whatever voids a round."""
    for book in books():
        game = game_of(book)
        for kind in game.book.voids:
            assert ENGLISH(say(f"void.{kind.replace('_', '-')}", cite="x"))
    for book, about in (("pa-653a", "dealer_hand"), ("pa-671a", "second"), ("pa-671a", "instant"), ("pa-677a", "hand")):
        assert ENGLISH(game_of(book).asked(about))


def test_every_row_that_is_asked_for_has_words() -> None:
    for book in books():
        game = game_of(book)
        tables = [
            table
            for name in (*game.book.sections, *game.wagers)
            if game.wagers.get(name) is None or game.wagers[name].picked or name == "trips"
            for table in game.book.paytables.get(name, {}).values()
        ]
        assert all(ENGLISH(hand_name(row)) for row in (*RANKED, *(row for table in tables for row in table.rows)))


def test_every_choice_has_words() -> None:
    assert all(ENGLISH(say(f"choice.{choice}")) for choice in Choice if choice not in ("", Choice.PLAY))


def test_a_message_without_words_is_named() -> None:
    with pytest.raises(KeyError, match="no\\.such"):
        ENGLISH(Message("no.such"))


def test_fields_have_kinds() -> None:
    assert ENGLISH(say("decided.amount", wager="Ante", amount=125_000)) == "ANTE $1,250"
    assert ENGLISH(say("decided.amount", wager="Ante", amount=750)) == "ANTE $7.50"
    assert ENGLISH(say("seat.ms-after", ms=1234)) == "+1,234 ms"
    late = (12_345, -1_099, 99_999, 120_500, 3_600_000)
    assert [ENGLISH(say("seat.s-after", ms=ms)) for ms in late] == [
        "+12.3 s",
        "-1.0 s",
        "+99.9 s",
        "+120 s",
        "+3,600 s",
    ]
    assert ENGLISH(say("stakes.none", wager=say("wager.trips"))) == "TRIPS"


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
    assert ENGLISH(joined([say("seat.own"), say("seat.dealer")], " + ")) == "OWN HAND + DEALER"
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
    refused = e.PressRefused("seat 9", message, "", None)
    assert msgspec.json.decode(msgspec.json.encode(refused), type=e.PressRefused) == refused
