"""The auditor of the shifts (`firmware/proof/simulation/account`): he compares every round, and he can read."""

from __future__ import annotations

import pytest

from firmware.proof.simulation.account import Unbalanced
from firmware.proof.simulation.books import levels
from firmware.proof.simulation.hands import Cards
from firmware.proof.simulation.screen_reader import (
    Glass,
    Row,
    amounts,
    deck_in_play,
    decks,
    in_chips,
    rows,
    seat_in,
    to_pay,
    to_take,
)
from firmware.proof.simulation.shifts import shift as shifts
from firmware.proof.simulation.shifts.prizes import prizes_of
from firmware.proof.simulation.shifts.shift import Shift
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.rules.games import books
from firmware.rules.message import NOTHING
from firmware.table import jackpot

TABLES = [(book, level) for book in books() for level in levels(book)]


@pytest.mark.parametrize(("book", "level"), TABLES)
def test_every_round_is_in_the_account(book: str, level: int) -> None:
    """At all levels; where nobody was dealt a hand there is nothing to compare."""
    shift = Shift(book, 501, level=level, trouble=2)
    shift.play(12)
    assert 11 <= shift.tally["rounds in the account"] <= 12


def test_of_a_player_who_left_a_void_round_takes_what_is_settled_nevertheless() -> None:
    """In round 4 seat 1 leaves, and then cards lie face up: its Trips lost (653a.7(b), .13(a))."""
    Shift("pa-653a", 1028, trouble=1.5).play(6)


def test_a_share_that_was_rejected_is_over_for_all_who_backed_the_dealers_hand() -> None:
    """In round 15 a second person rejects it, and the table waits for no other backer of the same royal flush."""
    Shift("pa-653a", 4, level=2).play(15)


@pytest.mark.parametrize(("book", "seed", "rounds"), [("pa-653a", 7, 15), ("pa-653a", 33, 5), ("md-36.05.16", 2, 6)])
def test_13_what_two_people_void_after_a_share_or_envy_is_right_to_the_micro_dollar(
    book: str, seed: int, rounds: int
) -> None:
    """Two shares and envy, envy alone, a share and envy: the auditor sees glass, cards and meters (reading 7)."""
    shift = Shift(book, seed, level=0)
    shift.play(rounds)
    assert any(key.endswith("by two people") for key in shift.tally)


@pytest.mark.slow
def test_36_05_16_11J_a_prize_of_a_seat_that_folded_settles_nobody_who_stands_before_it() -> None:
    """Found by the shift of seed 20261230, round 99: the auditor took what another seat's tile said for taken, twice."""
    Shift("md-36.05.16", 20261230, level=1).play(100)


@pytest.mark.parametrize(("seed", "level", "rounds"), [(200046, 0, 28), (200011, 1, 35)])
@pytest.mark.slow
def test_11h_12e2_a_divided_share_is_claimed_once_at_its_first_backers_turn(seed: int, level: int, rounds: int) -> None:
    """In the last round it is divided with seat 1, and a seat between claims its own after it (reading 4)."""
    Shift("pa-653a", seed, level=level).play(rounds)


def test_11h_a_share_that_is_claimed_out_of_turn_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: no table refuses it, and the dealer looks for winners from the first seat up; in round 7 there are two."""
    monkeypatch.setattr(jackpot, "out_of_turn", lambda *_: NOTHING)
    monkeypatch.setattr(shifts, "winners", _from_the_first_seat_up)
    said = r"claimed for seat 4 \(progressive\), seat 6 \(progressive\); their turn is seat 6 .*, seat 4 .*653a.11\(h\)"
    with pytest.raises(Unbalanced, match=said):
        Shift("pa-653a", 16, level=0).play(8)


def _from_the_first_seat_up(table: ProvedTable, cards: Cards) -> None:
    for seat in range(1, len(table.state.round.seats) + 1):
        prizes_of(table, seat, cards)
        if table.state.round.turn:
            table.press(f"seat {table.state.round.turn}")


def test_a_prize_that_is_paid_again_comes_from_the_rack_though_an_attendant_brought_it() -> None:
    """In round 29 the floor corrects it: that an attendant brings it is decided anew (36.05.16.11J)."""
    Shift("md-36.05.16", 77, level=2).play(29)


def test_where_a_note_is_undone_the_list_is_left_before_the_stub_is_counted() -> None:
    """In round 10 the stub is counted after it; on a screen with the list open nothing would be seen of the count."""
    Shift("pa-677a", 202, level=1, trouble=2).play(10)


def test_a_tied_seats_side_wagers_are_taken_when_a_later_seats_prize_is_named() -> None:
    """In round 19 seat 5 ties and loses Trips and Bad Beat; the primary key names no seat, and seat 3's hand is named.

    Found by the shift of seed 200014 at level 1: who stands before the holder is settled with it (653a.11(h)(2)).
    """
    Shift("pa-653a", 200_014, level=1).play(19)


@pytest.mark.slow
def test_653a_11h2_where_the_dealers_hand_is_told_again_a_seat_that_was_paid_is_asked() -> None:
    """In round 183 seat 2 was paid for Six Card; its result is told again, and a tile that says AGAIN moves nothing.

    Found by the shift of seed 2001004 at level 1.
    """
    Shift("md-36.05.16", 2_001_004, level=1).play(183)


@pytest.mark.parametrize(
    ("seed", "rounds"),
    [
        pytest.param(
            711_007,
            88,
            id="a credit at a seat out of turn moves nothing of the turn that waits",
            marks=pytest.mark.slow,
        ),
        pytest.param(712_003, 63, id="a correction takes no share back that the cage has paid", marks=pytest.mark.slow),
        pytest.param(
            732_010, 80, id="after a credit the primary key names what the dealer's cards win", marks=pytest.mark.slow
        ),
        pytest.param(743_005, 15, id="an envy hand at the last seat leaves nobody to settle"),
        pytest.param(760_006, 12, id="of a fold only Six Card is left, which follows the prize"),
        pytest.param(800_002, 189, id="a tie before it: the primary key named no seat", marks=pytest.mark.slow),
        pytest.param(815_005, 17, id="a credit at a settled seat whose cards are known"),
        pytest.param(808_009, 74, id="a credit that ended the turn of a seat", marks=pytest.mark.slow),
        pytest.param(713_005, 15, id="who told an envy hand ends that seat's turn before the next prize"),
    ],
)
@pytest.mark.slow
def test_own_wagers_before_a_prize_are_in_the_account_once(seed: int, rounds: int) -> None:
    """653a.11(h) to (l). What the shifts of these seeds met at level 1 when a prize's key settled the wagers before it."""
    Shift("pa-653a", seed, level=1).play(rounds)


@pytest.mark.slow
def test_an_answer_that_alone_is_possible_is_not_told() -> None:
    """671a.11(f): seed 702010, round 135: the people told no other seat, because a declared straight needed no tap."""
    Shift("pa-671a", 702_010, level=1).play(135)


@pytest.mark.parametrize(
    ("word", "holder"), [("hand flush", 4), ("five own flush", 3), ("envy 2 straight flush", 2), ("cards", 0)]
)
def test_whose_prize_is_named_is_read_off_its_key(word: str, holder: int) -> None:
    """Not off the words of the primary key, which may be about nobody."""
    settle = {"seat-5": ("5", "PUSH", "take $10"), "seat-4": ("4", "PUSH", "take $10"), "primary": ("SEAT 4 DONE",)}
    settle |= {f"seat-{seat}": (str(seat), "–", "-$10") for seat in (1, 2, 3)}
    account = Shift("pa-653a", 501, level=1).account
    account.books.boxes = {seat: {"ante": 1000} for seat in range(1, 6)}
    keys = {"settled": "primary", word: "prize"}
    account.sees(Glass("settle", settle, keys, {word: holder}), word, Glass("validate", {}, {}))
    assert [one.seat for one in account.books.moves] == ([*range(5, holder - 1, -1)] if holder else [])


def test_a_key_that_names_another_seat_than_it_settles_is_found() -> None:
    account = Shift("pa-653a", 501, level=1).account
    with pytest.raises(Unbalanced, match="seat 4"):
        account.looks(Glass("settle", {"primary": ("SEAT 3 PAID",)}, {"settled": "primary"}, {"settled": 4}))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("book", "level"), TABLES)
def test_many_rounds_are_in_the_account(book: str, level: int) -> None:
    """With everything that is rare: shares, envy alone, claims that are rejected, prizes that an attendant brings."""
    met = Shift(book, 500, level=level, trouble=2).tally
    for seed in range(600, 610):
        shift = Shift(book, seed, level=level, trouble=2)
        shift.play(60)
        met += shift.tally
    assert met["rounds in the account"] >= 500
    if shift.bank:
        assert met["claim paid"] and met["claim rejected"] and met["paid by an attendant"] and met["envy alone"]


def test_amounts_seats_and_deeds_are_read_off_the_words() -> None:
    assert list(amounts("take $1,250, pay $7.50")) == [125_000, 750]
    assert (to_take("pay $15, take $1"), to_pay("pay $15, take $1")) == (100, 1500)
    assert (to_take("PAY $15.00 from the rack"), to_pay("PAY $15.00 from the rack")) == (0, 1500)
    assert (seat_in("SEAT 3 PAID"), seat_in("nobody")) == (3, 0)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("2 × $100 + 1 × $25 from the rack", 22_500),
        ("10 × $1,000 each, $30,000.00 in all", 1_000_000),
        ("1 × $1 + 2 × 25¢ + $0.40 left over", 190),
        ("SUPER $5 wins (2)", 0),
    ],
)
def test_recipes_of_chips_are_added_up(text: str, made: int) -> None:
    assert in_chips(text) == made


def test_rows_are_read_with_the_wager_they_are_about() -> None:
    said = {"lines": ("ANTE $15 loses (1)", "take $15", "SUPER ON SEAT 4 $5 wins (2)", "pay $40")}
    glass = Glass("settle", said, {})
    assert rows(glass, {"Ante": "ante", "Super": "super", "Super on seat 4": "super:4"}) == (
        Row("ante", 1500, 0),
        Row("super:4", 0, 4000),
    )


def test_decks_are_read_by_number() -> None:
    glass = Glass("deal", {"rail-decks": ("DECKS", "blue (no. 3)", "", "red (no. 4)", "in play")}, {})
    assert (decks(glass), deck_in_play(glass)) == ({3: "blue", 4: "red"}, 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("book", "level", "seed", "rounds"),
    [
        pytest.param("pa-653a", 2, 913_001, 36, id="a folded, lit seat wins by the flop alone"),
        pytest.param("pa-653a", 1, 916_009, 37, id="an envy hand is named where its seat was told"),
        pytest.param("pa-653a", 1, 20_261_236, 134, id="a Magic Card after what is settled on the way"),
        pytest.param("md-36.05.16", 1, 911_008, 89, id="everybody loses to a royal flush, and one seat is lit"),
        pytest.param("md-36.05.16", 1, 908_005, 137, id="a seat without a question stands before the lit one"),
        pytest.param("md-36.05.16", 1, 908_011, 196, id="the same, and the lit one folded"),
        pytest.param(
            "pa-653a", 1, 1_002_007, 71, id="an envy is named after its holder's shares, and his tile is paid"
        ),
        pytest.param("pa-653a", 1, 1_016_008, 99, id="the same, and his tile is settled later"),
        pytest.param("pa-671a", 1, 1_007_010, 94, id="the key of the seat in turn takes two others that may have won"),
    ],
)
def test_people_know_what_nobody_is_asked(book: str, level: int, seed: int, rounds: int) -> None:
    """653a.11(h), .11H. Since known cards answer, a seat may go along with a lit one; the people did not know."""
    Shift(book, seed, level=level).play(rounds)
