"""Lunar Poker from the first election to the count of the deck: 671a.11 and .12, in a dealer's words.

An ante is $15, the Super beside it $15, one on another hand $25; a bet is $30, an options fee $15.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware.rules.message import as_is
from firmware.table import deciding
from firmware.table import events as e
from firmware.table.procedures import COUNTS, HAND, RESHUFFLES, SHUFFLES, Equipment
from firmware.table.settling import question
from tests.table.procedures.openings import refused
from tests.table.procedures.walks import betting, leaves
from tests.table.table import DIAZ, Dealer, Table

ANTE, BET, BACKED = 15_00, 30_00, 25_00
FIVES = (1, 2, 3, 4, 5)


def bets_open(*seats: int, level: int = 1, shuffler: str = COUNTS, backs: tuple[tuple[int, str], ...] = ()) -> Dealer:
    """Players at `seats`; `backs`: who placed a Super on another hand, and on which."""
    sides: dict[int, dict[str, int]] = {}
    for seat, on in backs:
        sides.setdefault(seat, {})[f"super:{on}"] = BACKED
    return betting("pa-671a", *seats, sides=sides, level=level, equipment=Equipment(HAND, shuffler))[1]


def asked(*seats: int, level: int = 1, backs: tuple[tuple[int, str], ...] = ()) -> Dealer:
    """Five cards lie before everybody."""
    dealer = bets_open(*seats, level=level, backs=backs)
    dealer.presses("no-more-bets", "dealt")
    return dealer


def elect(dealer: Dealer, elections: dict[int, str]) -> None:
    for seat, election in elections.items():
        dealer.presses(f"seat {seat}", f"choose {election}")


def locked(elections: dict[int, str], level: int = 1, backs: tuple[tuple[int, str], ...] = ()) -> Dealer:
    """ "All decisions are locked in"."""
    dealer = asked(*elections, level=level, backs=backs)
    elect(dealer, elections)
    dealer.presses("next")
    return dealer


def lies(table: Table, seat: int) -> list[tuple[str, str, int, int, int]]:
    """What became of every wager of a seat so far: wager, result, stake, returned, payout."""
    box = table.state.seat(seat).position
    lines = (*box.lines, *box.final)
    return [(line.wager, line.result, line.stake, line.returned, line.payout) for line in lines]


def settles(dealer: Dealer, **answers: str) -> None:
    """The seat whose turn it is."""
    table = dealer.table
    seat = table.state.round.turn
    while (asks := question(table.house, table.state)[0]) and table.state.round.turn == seat:
        dealer.presses(f"answer {answers.get(asks, 'none')}")
    if table.state.round.turn == seat:
        dealer.presses("settled")


# (a), (b): elections ----------------------------------------------------------------------------------------------------


def test_11b_each_seat_folds_bets_or_takes_an_option() -> None:
    dealer = asked(1, 2, 3, 4)
    table = dealer.table
    elect(dealer, {1: "fold", 2: "bet", 3: "buy", 4: "exchange 3"})
    boxes = [table.state.seat(seat).position for seat in (1, 2, 3, 4)]
    assert [(box.choice, box.times, box.option, box.exchanged) for box in boxes] == [
        ("fold", 0, "", 0),
        ("play", 2, "", 0),
        ("check", 0, "buy", 0),
        ("check", 0, "exchange", 3),
    ]
    elect(dealer, {1: "exchange 5", 3: "fold"})
    assert table.state.seat(1).position.exchanged == 5 and table.state.seat(3).position.option == ""
    dealer.presses("undo", "undo")
    assert table.state.seat(3).position.option == "buy" and table.state.seat(1).position.exchanged == 5


@pytest.mark.parametrize(
    "word", ["choose exchange 1", "choose exchange 6", "choose exchange", "choose buy 2", "choose call"]
)
def test_11b_there_is_no_other_election(word: str) -> None:
    dealer = asked(1, 2)
    dealer.presses("seat 2")
    refused(dealer.table, word)
    assert dealer.table.state.seat(2).position.choice == ""


def test_11a_nobody_elects_before_the_cards_are_dealt_nor_for_an_empty_seat() -> None:
    dealer = bets_open(1, 2)
    dealer.presses("no-more-bets")
    refused(dealer.table, "choose bet", "supers-settled")
    dealer.presses("dealt")
    dealer.table.press("seat 4")
    refused(dealer.table, "choose bet")


def test_11b_a_winning_super_is_declared() -> None:
    """Declared and verified it is paid, to its owner and to who backed it; not declared both have lost."""
    dealer = locked({1: "bet", 2: "bet", 3: "bet"}, backs=((3, "1"), (3, "2")))
    table = dealer.table
    dealer.presses("seat 1", "row flush", "supers-settled")
    assert lies(table, 1) == [("super", "win", ANTE, ANTE, 60 * ANTE)]
    assert lies(table, 2) == [("super", "lose", ANTE, 0, 0)]
    assert lies(table, 3) == [
        ("super:1", "win", BACKED, BACKED, 60 * BACKED),
        ("super:2", "lose", BACKED, 0, 0),
        ("super", "lose", ANTE, 0, 0),
    ]


def test_11b_a_row_tapped_again_or_another_one_takes_it_back() -> None:
    dealer = locked({1: "bet", 2: "bet"})
    dealer.presses("seat 1", "row flush", "row full house")
    assert dealer.table.state.seat(1).position.super_row == "full house"
    dealer.presses("row full house")
    assert dealer.table.state.seat(1).position.super_row == ""
    refused(dealer.table, "row two pair", "row high card", "row ace-king")
    dealer.presses("seat 1")
    refused(dealer.table, "row flush")


@pytest.mark.parametrize(
    ("row", "times", "own", "odds"),
    [("royal flush", 1500, "ace-king-queen", 5), ("straight flush", 250, "same colored five", 2)],
)
def test_11b2_an_instant_payout_leaves_no_bet(row: str, times: int, own: str, odds: int) -> None:
    """The ante is paid at once, by paytable A; there is no bet and no turn in the settlement."""
    dealer = asked(1, 2)
    table = dealer.table
    elect(dealer, {1: "bet", 2: "bet"})
    elect(dealer, {1: "instant"})
    dealer.presses("next")
    refused(table, "supers-settled")
    assert "verify the instant payout" in table.notice
    dealer.presses("seat 1", f"row {row}")
    assert table.state.seat(1).position.super_row == own, "who declares it declares its Super (671a.11(b))"
    dealer.presses("supers-settled")
    assert lies(table, 1) == [("super", "win", ANTE, ANTE, odds * ANTE), ("ante", "win", ANTE, ANTE, times * ANTE)]
    dealer.presses("dealer yes")
    assert table.state.round.turn == 2
    settles(dealer, result="lower")
    assert not [line for line in lies(table, 1) if line[0] == "bet"] and table.state.round.turn == 0
    dealer.presses("clear")


def test_11b2_an_election_of_the_instant_payout_is_changed_like_any_other() -> None:
    dealer = locked({1: "instant", 2: "bet"})
    dealer.presses("seat 1", "row royal flush", "row royal flush", "row straight flush")
    dealer.sees_no("choose bet")
    dealer = locked({1: "instant", 2: "bet"})
    dealer.presses("undo")
    elect(dealer, {1: "bet"})
    dealer.presses("next", "supers-settled", "dealer no")
    settles(dealer)
    settles(dealer)
    assert [line[:2] for line in lies(dealer.table, 1)] == [("super", "lose"), ("ante", "win"), ("bet", "push")]


@pytest.mark.parametrize("election", ["bet", "fold", "buy"])
@pytest.mark.parametrize(("row", "times"), [("royal flush", 1500), ("straight flush", 250)])
def test_11b2_an_instant_payout_is_owed_whatever_was_tapped(election: str, row: str, times: int) -> None:
    """671a.11(b)(2), (c)(3), .12(a). A forgotten tap on INSTANT takes nothing from a player."""
    dealer = locked({1: election, 2: "bet"})
    dealer.presses("seat 1", f"row {row}")
    assert "Return the Bet or the options fee" in dealer.table.words()
    dealer.presses("supers-settled")
    assert dealer.table.phase == "reveal", "no card is drawn for it"
    assert lies(dealer.table, 1)[1:] == [("ante", "win", ANTE, ANTE, times * ANTE)]
    dealer.presses("dealer yes")
    assert dealer.table.state.round.turn == 2


@pytest.mark.parametrize("qualifies", [True, False])
@pytest.mark.parametrize(("row", "times"), [("royal flush", 1500), ("straight flush", 250)])
def test_11b2_a_hand_that_is_owed_the_instant_payout_is_never_paid_as_a_bet(
    qualifies: bool, row: str, times: int
) -> None:
    """Found when the hands are compared: the Ante by 671a.12(a), no Bet (reading 17: it needs no declaration)."""
    dealer = locked({1: "bet", 2: "bet"})
    table = dealer.table
    dealer.presses("supers-settled", "dealer yes" if qualifies else "dealer no")
    settles(dealer, result="lower")
    dealer.presses(*(["answer higher"] if qualifies else []), f"answer {row}")
    assert "Return the Bet" in table.words()
    dealer.presses("settled")
    assert lies(table, 1)[1:] == [("ante", "win", ANTE, ANTE, times * ANTE)]
    assert table.state.seat(1).position.final[0].cite == "671a.12(a)"
    dealer.presses("problem", "problem correct", "correct 1")
    dealer.presses("correct 1 wrong-result", by=DIAZ)
    assert table.state.seat(1).position.choice == "play"


def test_11b2_what_was_drawn_for_a_fee_is_owed_no_instant_payout() -> None:
    dealer = locked({1: "exchange 3"})
    dealer.presses("supers-settled", "bets", "dealer yes")
    settles(dealer, result="higher", hand="straight flush")
    assert lies(dealer.table, 1)[-1] == ("bet", "win", BET, BET, 50 * BET)


@pytest.mark.parametrize("dealers", [["Kd", "Kc", "2c", "7d", "9d"], ["Qd", "Jc", "2c", "7d", "9d"]])
def test_11b2_the_cards_say_it_too(dealers: list[str]) -> None:
    """Assist level 2."""
    dealer = locked({1: "bet"}, level=2)
    dealer.presses("supers-settled", "cards")
    dealer.enters(dealers)
    dealer.presses("enter", "cards")
    dealer.enters(["Ah", "Kh", "Qh", "Jh", "Th"])
    dealer.presses("enter")
    assert [(line.wager, line.payout) for line in dealer.table.state.seat(1).position.due] == [("ante", 1500 * ANTE)]
    dealer.presses("settled", "clear")


def test_11c_rows_that_the_same_cards_cannot_make_are_refused() -> None:
    """671a.6(d): a straight flush is no four of a kind, and a royal flush holds ace, king and queen."""
    dealer = locked({1: "instant", 2: "bet"})
    dealer.presses("seat 1", "row straight flush")
    assert "straight flush" in refused(dealer.table, "row four of a kind", "row ace-king-queen")
    dealer.presses("row straight flush", "row same colored five")
    refused(dealer.table, "row royal flush")


def test_11b_a_super_comes_and_goes_with_the_instant_payout_that_declares_it() -> None:
    """671a.11(c)(1), (2), 671a.6(d)(7), (8). Reading 17: taken back by itself it was not declared, and loses."""
    dealer = locked({1: "instant", 2: "bet"})
    dealer.presses("seat 1", "row royal flush", "row straight flush")
    assert dealer.table.state.seat(1).position.super_row == "same colored five"
    dealer.presses("row straight flush")
    assert dealer.table.state.seat(1).position.super_row == ""
    dealer.presses("row ace-king-queen", "row royal flush", "row ace-king-queen", "supers-settled")
    assert [line[:2] for line in lies(dealer.table, 1)] == [("super", "lose"), ("ante", "win")]


@pytest.mark.parametrize("row", ["flush", "straight", "three of a kind", "ace-king-queen", "five picture cards"])
def test_11f_a_dealers_hand_with_that_super_qualifies(row: str) -> None:
    """671a.6(b), (d): "dealer no" would pay every Ante on a hand that plays."""
    dealer = locked({1: "bet"}, backs=((1, "dealer"),))
    dealer.presses("supers-settled", f"dealer-row {row}")
    assert "qualifies" in refused(dealer.table, "dealer no")
    dealer.presses("dealer-row same colored five", "dealer no")


def test_11f_a_hand_that_declared_a_flush_is_one() -> None:
    """Without an option the first five cards are the hand; nobody is asked what has one answer.

    Seat 2 beats the dealer's hand with a pair: seat 1's flush does too, and is not compared any more.
    """
    dealer = locked({1: "bet", 2: "bet", 3: "bet"})
    table = dealer.table
    dealer.presses("seat 1", "row flush", "seat 2", "row same colored five", "supers-settled", "dealer yes")
    settles(dealer, result="lower")
    dealer.presses("answer higher")
    refused(table, "answer flush", "answer straight")
    dealer.presses("answer pair", "answer none", "settled")
    assert question(table.house, table.state)[0] == ""
    dealer.presses("settled")
    assert lies(table, 1)[-1] == ("bet", "win", BET, BET, 5 * BET)


@pytest.mark.parametrize(
    ("hand", "second"),
    [("ace-king", ""), ("pair", "ace-king"), ("four of a kind", "ace-king"), ("straight", ""), ("full house", "")],
)
def test_11f2ii_a_second_combination_is_asked_for_where_there_can_be_one(hand: str, second: str) -> None:
    """Of five cards only ace-king can have a card outside the winning hand; none is higher than the hand."""
    dealer = locked({1: "bet"})
    dealer.presses("supers-settled", "dealer yes", "answer higher", f"answer {hand}")
    asked_for, choices = question(dealer.table.house, dealer.table.state)
    assert (asked_for, choices) == (("second", (second, "")) if second else ("", ()))


def test_11c_what_a_seat_wins_and_loses_in_supers_are_both_shown() -> None:
    """671a.11(c)(1), (2): hand by hand, the owner's before those who backed it."""
    dealer = locked({1: "bet", 2: "bet"}, backs=((1, "2"),))
    dealer.presses("seat 2", "row flush")
    words = dealer.table.words()
    assert "pay $1,500\ntake $15" in words, "each way in a row of its own"
    assert "On seat 2's hand, in this order: seat 2 pay $900, seat 1 pay $1,500" in words.replace("\n", " ")


# (c): all decisions are locked in ---------------------------------------------------------------------------------------


def test_11c_all_decisions_are_locked_in() -> None:
    """One key; who was not tapped has bet. Then no tap changes a decision; the key itself, tapped too early, goes back."""
    dealer = asked(1, 2)
    table = dealer.table
    elect(dealer, {2: "fold"})
    dealer.presses("next")
    assert table.phase == "supers" and table.state.seat(1).position.times == 2
    dealer.presses("seat 2")
    refused(table, "choose bet", "choose buy", "next", "bets", "folds")
    dealer.presses("undo", "undo")
    assert table.phase == "ask" and table.state.seat(2).position.choice == "fold"
    dealer.presses("next", "seat 1", "row flush", "undo")
    assert table.state.seat(1).position.super_row == "" and table.phase == "supers"
    dealer.presses("undo")
    refused(table, "undo", "choose bet")
    assert table.final == "locked in" and table.state.seat(2).position.choice == "fold"
    dealer.presses("supers-settled")
    assert table.phase == "reveal"
    refused(table, "choose bet")


def test_11c_supers_come_before_any_further_card() -> None:
    dealer = locked({1: "buy", 2: "fold"})
    table = dealer.table
    refused(table, "bets", "folds", "dealer yes")
    assert table.phase == "supers"
    dealer.presses("supers-settled")
    assert table.phase == "draw" and table.state.round.turn == 1
    refused(table, "dealer yes", "supers-settled")


def test_11c_the_owners_super_before_its_backers() -> None:
    """Hand by hand from seat 1: the owner, then who backed it from seat 1; a fold's ante after all of them."""
    dealer = locked({1: "bet", 2: "fold", 4: "bet"}, backs=((1, "2"), (4, "2"), (2, "1"), (2, "4")))
    table = dealer.table
    first = len(table.happened)
    dealer.presses("supers-settled")
    settled = [event for event in table.happened[first:] if isinstance(event, e.LinesSettled)]
    assert [(event.seat, line.wager) for event in settled for line in event.lines] == [
        (1, "super"),
        (2, "super:1"),
        (2, "super"),
        (1, "super:2"),
        (4, "super:2"),
        (2, "ante"),
        (4, "super"),
        (2, "super:4"),
    ]
    assert [event.seat for event in settled if event.complete] == [2] and settled[-1].complete


def test_11c_an_instant_payout_or_a_fold_ends_the_seat() -> None:
    dealer = locked({1: "instant", 2: "fold", 3: "bet"})
    table = dealer.table
    dealer.presses("seat 1", "row straight flush", "supers-settled")
    assert lies(table, 1)[-1] == ("ante", "win", ANTE, ANTE, 250 * ANTE)
    assert lies(table, 2)[-1] == ("ante", "lose", ANTE, 0, 0)
    assert table.state.seat(2).position.lines[-1].cite == "671a.11(c)(4)"
    dealer.presses("dealer no")
    assert table.state.round.turn == 3
    settles(dealer)
    dealer.presses("clear")


def test_11c_a_fold_that_backs_the_dealer_waits_for_the_dealers_hand() -> None:
    dealer = locked({1: "fold", 2: "bet"}, backs=((1, "dealer"),))
    table = dealer.table
    dealer.presses("supers-settled")
    assert not table.state.seat(1).position.settled
    dealer.presses("dealer-row straight", "dealer yes")
    assert (
        lies(table, 1)[-1] == ("super:dealer", "win", BACKED, BACKED, 30 * BACKED)
        and table.state.seat(1).position.settled
    )


# (d): options -----------------------------------------------------------------------------------------------------------


def test_11d_options_are_served_from_the_dealers_left() -> None:
    """The fee is collected, the cards are dealt, the question asked: one seat complete before the next."""
    dealer = locked({1: "bet", 2: "exchange 2", 3: "fold", 5: "buy"})
    table = dealer.table
    dealer.presses("supers-settled")
    assert table.state.round.turn == 2
    dealer.presses("bets")
    assert lies(table, 2)[-1] == ("options_fee", "lose", ANTE, 0, 0) and table.state.round.turn == 5
    assert not table.state.seat(5).position.drawn and len(lies(table, 5)) == 1
    dealer.presses("bets")
    assert table.phase == "reveal" and table.state.seat(5).position.lines[-1].cite == "671a.11(d)(1)"


def test_11d_the_bet_after_the_option_is_twice_the_ante() -> None:
    dealer = locked({1: "buy"})
    dealer.presses("supers-settled", "bets", "dealer yes")
    settles(dealer, result="higher", hand="pair")
    assert lies(dealer.table, 1)[-2:] == [("ante", "push", ANTE, ANTE, 0), ("bet", "win", BET, BET, BET)]


@pytest.mark.parametrize(
    ("elections", "wanted"),
    [
        (dict.fromkeys(FIVES, "exchange 5"), 25),
        ({**dict.fromkeys(FIVES[:4], "exchange 5"), 5: "exchange 3"}, 23),
        ({**dict.fromkeys(FIVES[:4], "exchange 5"), 5: "exchange 2"}, 22),
        ({**dict.fromkeys(FIVES[:4], "exchange 5"), 5: "buy"}, 21),
        (dict.fromkeys(FIVES, "buy"), 5),
    ],
)
def test_11d_the_deck_cannot_cover_five_exchanges_of_five(elections: dict[int, str], wanted: int) -> None:
    """52 cards less 30 dealt are 22; more are not locked in, and no fee is taken for them."""
    dealer = asked(*FIVES)
    elect(dealer, elections)
    table = dealer.table
    assert (deciding.draws_wanted(table.state), deciding.cards_left(table.house, table.state)) == (wanted, 22)
    assert ("The deck cannot cover that" in table.words()) == (wanted > 22) == ("next" not in table.pressable(""))
    table.press("next")
    assert table.phase == ("ask" if wanted > 22 else "supers")


def test_11d_a_card_that_lay_face_up_is_not_there_to_be_drawn() -> None:
    dealer = asked(*FIVES)
    dealer.presses("problem", "problem one-face-up")
    assert deciding.cards_left(dealer.table.house, dealer.table.state) == 21


def test_11d3_after_the_option_fold_or_bet() -> None:
    dealer = locked({1: "buy", 2: "buy"})
    table = dealer.table
    dealer.presses("supers-settled", "folds", "bets")
    assert lies(table, 1)[1:] == [("options_fee", "lose", ANTE, 0, 0), ("ante", "lose", ANTE, 0, 0)]
    assert table.state.seat(1).position.lines[-1].cite == "671a.11(d)(4)"
    dealer.presses("undo", "folds", "undo", "undo")
    assert table.phase == "draw" and table.state.round.turn == 1 and len(lies(table, 1)) == len(lies(table, 2)) == 1
    dealer.presses("bets", "folds", "dealer yes")
    assert table.state.round.turn == 1
    settles(dealer, result="lower")
    assert [line[:3] for line in lies(table, 1)[2:]] == [("ante", "lose", ANTE), ("bet", "lose", BET)]


# (e), (f): the dealer's hand ----------------------------------------------------------------------------------------------


def test_11e_supers_on_the_dealer_after_the_reveal() -> None:
    """One answer for all of them, from seat 1 upward, before any ante or bet."""
    dealer = locked({1: "bet", 2: "bet", 3: "fold"}, backs=((1, "dealer"), (3, "dealer")))
    table = dealer.table
    dealer.presses("supers-settled")
    refused(table, "dealer yes", "dealer-row two pair")
    dealer.presses("dealer-row flush", "dealer-row none", "dealer-row straight")
    first = len(table.happened)
    dealer.presses("dealer yes")
    settled = [event for event in table.happened[first:] if isinstance(event, e.LinesSettled)]
    assert [(event.seat, [line.wager for line in event.lines]) for event in settled] == [
        (1, ["super:dealer"]),
        (3, ["super:dealer"]),
    ]
    assert all(line.payout == 30 * BACKED for event in settled for line in event.lines)
    assert table.state.round.turn == 2 and not any(seat.position.final for seat in table.state.round.seats)


def test_11e_without_a_super_hand_all_of_them_are_collected() -> None:
    dealer = locked({1: "bet", 2: "bet"}, backs=((1, "dealer"), (2, "dealer")))
    dealer.presses("supers-settled", "dealer-row none", "dealer no")
    for seat in (1, 2):
        assert lies(dealer.table, seat)[-1] == ("super:dealer", "lose", BACKED, 0, 0)
        assert dealer.table.state.seat(seat).position.lines[-1].cite == "671a.11(e)(1)"


@pytest.mark.parametrize(("hand", "paid"), [("none", 1), ("straight", 4), ("full house", 4), ("royal flush", 4)])
def test_11f_without_ace_king_the_bet_goes_back_and_the_ante_wins(hand: str, paid: int) -> None:
    """Whatever the player holds (reading 8)."""
    dealer = locked({1: "exchange 5"})
    dealer.presses("supers-settled", "bets", "dealer no")
    settles(dealer, hand=hand)
    assert lies(dealer.table, 1)[2:] == [("ante", "win", ANTE, ANTE, paid * ANTE), ("bet", "push", BET, BET, 0)]


@pytest.mark.parametrize(
    ("result", "ante", "bet"),
    [
        ("higher", ("ante", "push", ANTE, ANTE, 0), ("bet", "win", BET, BET, 3 * BET)),
        ("equal", ("ante", "push", ANTE, ANTE, 0), ("bet", "push", BET, BET, 0)),
        ("lower", ("ante", "lose", ANTE, 0, 0), ("bet", "lose", BET, 0, 0)),
    ],
)
def test_11f_with_ace_king_the_hands_are_compared(
    result: str, ante: tuple[object, ...], bet: tuple[object, ...]
) -> None:
    dealer = locked({1: "bet"})
    dealer.presses("supers-settled", "dealer yes")
    settles(dealer, result=result, hand="three of a kind")
    assert lies(dealer.table, 1)[1:] == [ante, bet]


def test_11f_from_the_dealers_right_one_seat_at_a_time() -> None:
    dealer = locked({1: "bet", 2: "bet", 4: "bet", 5: "fold"})
    dealer.presses("supers-settled", "dealer yes")
    turns = []
    while dealer.table.state.round.turn:
        turns.append(dealer.table.state.round.turn)
        settles(dealer, result="equal")
    assert turns == [4, 2, 1]


@pytest.mark.parametrize(
    ("qualifies", "result", "asks"),
    [
        ("yes", "higher", ["result", "hand", "second"]),
        ("yes", "lower", ["result"]),
        ("yes", "equal", ["result"]),
        ("no", "", ["hand"]),
    ],
)
def test_11f_a_second_combination_is_only_a_winners(qualifies: str, result: str, asks: list[str]) -> None:
    dealer = locked({1: "bet"})
    table = dealer.table
    dealer.presses("supers-settled", f"dealer {qualifies}")
    given = []
    while asked_for := question(table.house, table.state)[0]:
        given.append(asked_for)
        dealer.presses(
            f"answer {({'result': result, 'hand': 'pair'} if qualifies == 'yes' else {}).get(asked_for, 'none')}"
        )
    assert given == asks


def test_11f_a_second_combination_is_paid_on_the_bet() -> None:
    """The text's own example, aces with a king, from the cards (assist level 2); then six cards that make two straights."""
    dealer = locked({1: "buy", 2: "bet"}, level=2)
    table = dealer.table
    dealer.presses("supers-settled", "bets", "cards")
    dealer.enters(["Kd", "Kc", "2c", "7d", "9d"])
    dealer.presses("enter", "cards")
    dealer.enters(["As", "Ah", "Ks", "9c", "8h"])
    dealer.presses("enter")
    assert [(line.wager, line.payout) for line in table.state.seat(2).position.due] == [
        ("ante", 0),
        ("bet", BET),
        ("bet:second", BET),
    ]
    dealer.presses("settled", "cards")
    dealer.enters(["3s", "4h", "4d", "5s", "6h", "7s"])
    dealer.presses("enter")
    assert [(line.wager, line.payout) for line in table.state.seat(1).position.due] == [
        ("ante", 0),
        ("bet", 4 * BET),
        ("bet:second", 4 * BET),
    ]
    dealer.presses("settled", "clear")


def test_11f_who_was_paid_a_second_combination_can_be_settled_again() -> None:
    """PROBLEM, Correct: its list says what each seat was paid, the second combination in it."""
    dealer = locked({2: "bet"}, level=2)
    dealer.presses("supers-settled", "cards")
    dealer.enters(["Kd", "Kc", "2c", "7d", "9d"])
    dealer.presses("enter", "cards")
    dealer.enters(["As", "Ah", "Ks", "9c", "8h"])
    dealer.presses("enter", "settled", "problem", "problem correct")
    assert f"paid ${2 * BET // 100}" in dealer.table.words()


def test_11e_the_tiles_say_what_a_super_on_the_dealer_brings() -> None:
    """Before any ante or bet, so the hands know it then."""
    dealer = locked({1: "bet", 2: "bet", 3: "fold"}, backs=((1, "dealer"), (3, "dealer")))
    dealer.presses("supers-settled", "dealer-row straight", "dealer yes")
    said = {widget.id: "\n".join(line.text for line in widget.lines) for widget in dealer.table.screen().widgets}
    pays = f"DEALER: pay ${30 * BACKED // 100}"
    assert pays in said["seat-1"] and pays in said["seat-3"] and pays not in said["seat-2"]


def test_11e_a_super_on_the_dealer_that_was_paid_is_not_asked_for_again() -> None:
    """It goes before any seat's turn: from the first one on the tile says that it was paid, or lost."""
    for row, said in (("straight", f"DEALER: ✓ ${30 * BACKED // 100}"), ("none", f"DEALER: lost ${BACKED // 100}")):
        dealer = locked({1: "bet", 2: "bet"}, backs=((1, "dealer"),))
        dealer.presses("supers-settled", f"dealer-row {row}", "dealer yes")
        assert said not in dealer.table.words()
        settles(dealer, result="lower")
        assert said in dealer.table.words()
        assert "DEALER: pay $" not in dealer.table.words() and "DEALER: take $" not in dealer.table.words()


def test_11f_a_box_that_lost_says_so_whatever_its_super_won() -> None:
    dealer = locked({1: "bet", 2: "bet"}, backs=((1, "dealer"),))
    dealer.presses("supers-settled", "dealer-row straight", "dealer yes")
    settles(dealer, result="lower")
    settles(dealer, result="lower")
    said = {widget.id: [line.text for line in widget.lines] for widget in dealer.table.screen().widgets}
    assert "LOST" in said["seat-1"]


# (h): the count of the deck -----------------------------------------------------------------------------------------------


def plays_a_round(dealer: Dealer, *, clear: bool = True) -> None:
    """Everybody bets, the dealer has no ace-king."""
    dealer.presses("no-more-bets", "dealt", "next", "supers-settled", "dealer no")
    while dealer.table.state.round.turn:
        settles(dealer)
    if clear:
        dealer.presses("clear")


def test_11h_the_deck_is_counted_after_every_five_rounds() -> None:
    dealer = bets_open(1, shuffler=SHUFFLES)
    table = dealer.table
    for number in range(1, 11):
        plays_a_round(dealer, clear=False)
        if number % 5:
            refused(table, "stub-right")
        else:
            table.restarts()
            refused(table, "clear")
            assert "671a.11(h)" in table.notice
            dealer.presses("stub-right")
        dealer.presses("clear")
    assert table.state.round.number == 11


@pytest.mark.parametrize("shuffler", [COUNTS, RESHUFFLES])
def test_11h_a_device_that_counts_spares_it(shuffler: str) -> None:
    dealer = bets_open(1, shuffler=shuffler)
    for _ in range(6):
        plays_a_round(dealer)
    assert dealer.table.state.round.number == 7


def test_11h_not_52_takes_the_deck_and_voids_nothing() -> None:
    dealer = bets_open(1, shuffler=SHUFFLES)
    table = dealer.table
    for _ in range(4):
        plays_a_round(dealer)
    plays_a_round(dealer, clear=False)
    paid = lies(table, 1)
    dealer.presses("problem", "problem not-52")
    refused(table, "apply")
    dealer.presses("apply", by=DIAZ)
    assert table.last(e.DeckRemoved) == e.DeckRemoved(1, as_is("671a.11(h)(2)"), by=DIAZ)
    assert lies(table, 1) == paid and e.RoundVoided not in map(type, table.happened)
    dealer.presses("clear")
    assert table.phase == "closed" and not table.state.decks.here
    dealer.presses("fetch", "preinspected", "cut")
    assert table.phase == "open" and [deck.number for deck in table.state.decks.here] == [2]


# Every step, and a power cut after it -----------------------------------------------------------------------------------

WHOLE_ROUND = (
    "no-more-bets",
    "dealt",
    "seat 1",
    "choose buy",
    "seat 2",
    "choose fold",
    "seat 3",
    "choose exchange 4",
    "next",
    "seat 3",
    "row straight",
    "supers-settled",
    "bets",
    "folds",
    "dealer-row none",
    "dealer yes",
    "answer higher",
    "answer two pair",
    "answer ace-king",
    "settled",
    "clear",
)


def test_11_a_power_cut_between_any_two_steps_changes_nothing() -> None:
    dealer = bets_open(1, 2, 3, backs=((2, "dealer"),))
    other = bets_open(1, 2, 3, backs=((2, "dealer"),))
    for word in WHOLE_ROUND:
        dealer.presses(word)
        dealer.table.restarts()
        other.presses(word)
        assert (dealer.table.state.phase, dealer.table.state.round.number) == (
            other.table.state.phase,
            other.table.state.round.number,
        )
        assert dealer.table.state.round.seats == other.table.state.round.seats
    assert dealer.table.phase == "open"


def test_11_every_answer_of_the_settlement_goes_back() -> None:
    """Up to the money that was paid; the dealer's hand too."""
    dealer = locked({1: "bet"})
    table = dealer.table
    states = []
    for word in ("supers-settled", "dealer yes", "answer higher", "answer pair", "answer ace-king"):
        dealer.presses(word)
        states.append((table.phase, table.state.seat(1).position))
    for (_, _), (phase, box) in pairwise(reversed(states)):
        dealer.presses("undo")
        assert (table.phase, table.state.seat(1).position) == (phase, box)
    dealer.presses("dealer yes", "answer lower", "settled")
    assert table.state.round.turn == 0
    dealer.presses("undo")
    assert table.state.round.turn == 1 and table.state.seat(1).position.final == ()


# A first pass that was paid is no round that stands -----------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [(), ("bets",), ("bets", "dealer-row none")])
def test_13_a_paid_super_or_instant_payout_does_not_keep_a_round_from_being_void(drawn: tuple[str, ...]) -> None:
    """Found by a hostile tester. 671a.13(c) voids all hands: what the first pass paid comes back, and every stake."""
    dealer = locked({1: "instant", 2: "buy", 3: "bet"}, backs=((3, "dealer"),))
    table = dealer.table
    dealer.presses("seat 1", "row straight flush", "seat 3", "row flush", "supers-settled", *drawn)
    paid = {n: sum(line.payout for line in table.state.seat(n).position.lines) for n in (1, 3)}
    assert all(paid.values())
    dealer.presses("problem", "problem wrong-number")
    assert "Take back what was paid: seat 1 $" in table.words()
    dealer.presses("apply", by=DIAZ)
    assert table.phase == "void" and table.state.round.taken_back == tuple(paid.items())
    assert "Take back what was paid" in table.words()
    stakes = {1: 2 * ANTE, 2: 3 * ANTE + (BET if drawn else 0), 3: 2 * ANTE + BACKED + BET}
    for seat, stake in stakes.items():
        assert {line[1] for line in lies(table, seat)} == {"void"}
        assert sum(line[3] for line in lies(table, seat)) == stake and not any(line[4] for line in lies(table, seat))
    dealer.presses("clear")


def test_11c_a_floorperson_has_a_super_told_again() -> None:
    """Until the dealer's hand is shown; elections and draws stand, and what was settled at them."""
    dealer = locked({1: "buy", 2: "buy", 3: "fold", 4: "instant"}, backs=((2, "1"),))
    table = dealer.table
    dealer.presses("seat 1", "row full house", "seat 4", "row straight flush", "supers-settled", "folds", "bets")
    assert table.phase == "reveal"
    before = {n: sorted(lies(table, n)) for n in (1, 2, 3, 4)}
    dealer.presses("problem", "problem correct", "correct 1")
    table.press("correct 1 wrong-amount")
    assert table.phase == "reveal", "a floorperson signs"
    dealer.presses("correct 1 wrong-amount", by=DIAZ)
    assert table.phase == "supers" and table.state.round.turn == 1
    assert table.last(e.PassReopened).by == DIAZ and table.last(e.PassReopened).lines
    refused(table, "undo", "left 2", "choose bet")
    dealer.presses("row flush", "supers-settled")
    assert table.phase == "reveal"
    for seat in (2, 3, 4):
        assert sorted(line for line in lies(table, seat) if line[0] != "super:1") == [
            line for line in before[seat] if line[0] != "super:1"
        ]
    assert [line[4] for line in lies(table, 2) if line[0] == "super:1"] != [
        line[4] for line in before[2] if line[0] == "super:1"
    ]
    assert [line for line in sorted(lies(table, 1)) if line[0] != "super"] == [
        line for line in before[1] if line[0] != "super"
    ]
    dealer.presses("dealer no")
    assert table.state.round.turn == 2
    settles(dealer)
    dealer.presses("clear")


def test_11c_a_super_told_again_while_players_draw() -> None:
    dealer = locked({1: "buy", 2: "exchange 2"})
    table = dealer.table
    dealer.presses("seat 2", "row flush", "supers-settled", "bets", "problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-seat", by=DIAZ)
    dealer.presses("supers-settled")
    assert table.phase == "draw" and table.state.round.turn == 2 and lies(table, 2) == [("super", "lose", ANTE, 0, 0)]
    table.restarts()
    dealer.presses("bets", "dealer no")
    settles(dealer)
    settles(dealer)
    dealer.presses("clear")


def test_11c_who_left_after_a_paid_super_keeps_it() -> None:
    dealer = locked({1: "bet", 2: "bet"})
    table = dealer.table
    dealer.presses("seat 1", "row flush", "supers-settled")
    leaves(dealer, 1)
    dealer.presses("problem", "problem correct", "correct 2")
    table.press("correct 2 wrong-amount", by=DIAZ)
    assert table.phase == "reveal" and "Seat 1 left after Super was settled" in table.notice


def test_11e_a_dealers_hand_told_wrongly_is_the_floors_to_put_right() -> None:
    """Also where a Super lies on it and was paid, and a seat was settled: all of it is settled again (671a.11(e), (f))."""
    dealer = locked({1: "bet", 2: "fold", 3: "bet"}, backs=((1, "dealer"), (2, "dealer")))
    table = dealer.table
    dealer.presses("supers-settled")
    before = {seat: lies(table, seat) for seat in (1, 2, 3)}
    dealer.presses("dealer-row flush", "dealer yes")
    settles(dealer, result="higher", hand="full house")
    refused(table, "undo")
    dealer.presses("problem", "problem correct-dealer")
    refused(table, "apply")
    dealer.presses("apply", by=DIAZ)
    taken = table.last(e.RevealReopened)
    assert taken.by == DIAZ and {line.seat for line in taken.lines} == {1, 2, 3}
    assert table.phase == "reveal" and {seat: lies(table, seat) for seat in (1, 2, 3)} == before
    refused(table, "undo", "dealer no")
    table.restarts()
    dealer.presses("dealer-row none", "dealer no")
    assert lies(table, 2)[-1] == ("super:dealer", "lose", BACKED, 0, 0)
    settles(dealer, hand="full house")
    settles(dealer)
    assert lies(table, 3)[-2:] == [("ante", "win", ANTE, ANTE, 4 * ANTE), ("bet", "push", BET, BET, 0)]
    dealer.presses("clear")


def test_11c_a_super_paid_wrongly_is_put_right_after_the_dealers_hand_too() -> None:
    """671a.11(c)(2): the pass is called and paid again, the dealer's hand and who was compared with it stand."""
    dealer = locked({1: "bet", 2: "bet", 3: "instant", 4: "fold"}, backs=((1, "2"), (2, "dealer"), (4, "dealer")))
    table = dealer.table
    dealer.presses("seat 2", "row four of a kind", "seat 3", "row straight flush", "supers-settled")
    dealer.presses("dealer-row straight", "dealer yes")
    settles(dealer, result="higher")
    before = {seat: lies(table, seat) for seat in (1, 2, 3, 4)}
    dealer.presses("problem", "problem correct-declared")
    dealer.presses("apply", by=DIAZ)
    assert table.phase == "supers" and table.last(e.PassReopened).seat == 0
    dealer.presses("seat 2", "row four of a kind", "supers-settled")
    assert table.phase == "settle" and table.state.round.turn == 1
    for seat in (3, 4):
        assert sorted(lies(table, seat)) == sorted(before[seat])
    was = [line for line in before[2] if line[0] != "super"]
    assert sorted(lies(table, 2)) == sorted([*was, ("super", "lose", ANTE, 0, 0)])
    assert ("super:2", "lose", BACKED, 0, 0) in lies(table, 1)
    settles(dealer, result="lower")
    dealer.presses("clear")


def withdrawn(dealer: Dealer, seat: int) -> None:
    dealer.presses("problem", f"problem not-instant-{seat}")
    dealer.table.press("apply")
    assert dealer.table.phase == "supers", "a floorperson signs"
    dealer.presses("apply", by=DIAZ)


def test_11c3_a_withdrawn_instant_payout_has_that_seat_alone_elect_again() -> None:
    """671a.11(b), (c): what others decided is locked in, also what was settled at a draw; what was paid comes back once."""
    dealer = locked({1: "exchange 5", 2: "instant", 3: "fold", 4: "buy", 5: "instant"})
    table = dealer.table
    dealer.presses("seat 2", "row straight flush", "seat 5", "row royal flush", "supers-settled", "folds", "bets")
    before = {seat: sorted(lies(table, seat)) for seat in (1, 3, 4, 5)}
    dealer.presses("problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-result", by=DIAZ)
    withdrawn(dealer, 2)
    assert table.phase == "ask" and table.state.round.turn == 2 and table.last(e.ElectionReopened).by == DIAZ
    for seat in (1, 3, 4, 5):
        dealer.sees_no(f"seat {seat}")
        assert not deciding.asked(table.house, table.state, table.state.seat(seat))
    refused(table, "undo", "left 4", "next")
    dealer.presses("seat 2")
    assert table.state.round.turn == 0 and "Seat 2: player's choice?" in table.words(), "nothing is taken from silence"
    refused(table, "next")
    dealer.presses("seat 2")
    table.restarts()
    dealer.presses("choose exchange 5", "next", "undo", "choose buy", "next")
    table.restarts()
    assert "Take back what was paid: seat 2 $" in table.words()
    dealer.presses("seat 2", "row flush", "supers-settled")
    assert table.phase == "draw" and table.state.round.turn == 2 and "Take back" not in table.words()
    assert {seat: sorted(lies(table, seat)) for seat in (1, 3, 4, 5)} == before
    dealer.presses("bets", "dealer no")
    assert not any(seat.position.undone for seat in table.state.round.seats)
    settles(dealer)
    settles(dealer, hand="flush")
    dealer.presses("clear")


def test_11d1_cards_that_were_dealt_at_a_draw_are_not_dealt_to_who_elects_again() -> None:
    dealer = locked({1: "exchange 5", 2: "exchange 5", 3: "exchange 5", 4: "exchange 5", 5: "instant"})
    table = dealer.table
    dealer.presses("seat 5", "row straight flush", "supers-settled", *["bets"] * 4, "problem", "problem correct")
    dealer.presses("correct 5")
    dealer.presses("correct 5 wrong-result", by=DIAZ)
    withdrawn(dealer, 5)
    dealer.presses("choose exchange 3")
    refused(table, "next")
    dealer.presses("choose exchange 2", "next", "supers-settled")
    assert table.phase == "draw" and table.state.round.turn == 5


@pytest.mark.parametrize("level", [1, 2])
def test_11e_once_the_dealers_cards_are_seen_a_withdrawn_instant_payout_is_a_fold(level: int) -> None:
    """671a.11(c)(4), (e): no Bet is placed any more; whoever was compared stays as he was."""
    dealer = locked({1: "bet", 2: "instant"}, level=level, backs=((2, "dealer"), (1, "2")))
    table = dealer.table
    if level > 1:
        dealer.presses("seat 2", "cards")
        dealer.enters(["8h", "7h", "6h", "5h", "4h"])
        dealer.presses("enter")
    else:
        dealer.presses("seat 2", "row straight flush")
    dealer.presses("supers-settled")
    if level > 1:
        dealer.presses("cards")
        dealer.enters(["Ac", "Kd", "7c", "8d", "2s"])
        dealer.presses("enter")
    else:
        dealer.presses("dealer-row none", "dealer yes")
    dealer.presses("problem", "problem correct-declared")
    dealer.presses("apply", by=DIAZ)
    withdrawn(dealer, 2)
    assert table.phase == "supers" and table.state.seat(2).position.choice == "fold"
    dealer.sees_no("problem not-instant-2")
    dealer.presses("supers-settled")
    assert table.phase == "settle" and table.state.round.turn == 1
    assert ("ante", "lose", ANTE, 0, 0) in lies(table, 2) and ("super:2", "lose", BACKED, 0, 0) in lies(table, 1)
    settles(dealer, result="lower")
    dealer.presses("clear")


@pytest.mark.parametrize(("election", "told"), [("fold", False), ("bet", False), ("buy", True)])
def test_13d_a_dealers_card_exposed_voids_only_until_each_has_folded_or_bet(election: str, told: bool) -> None:
    """671a.13(d): where nobody waits for cards, everybody has."""
    dealer = locked({1: "bet", 2: election})
    dealer.presses("problem")
    assert ("problem dealer-exposed" in dealer.table.pressable()) == told


# Assist level 2: the cards decide what was declared ------------------------------------------------------------------------


def shows(dealer: Dealer, seat: int, cards: str) -> None:
    """The player declares, and the dealer enters the cards."""
    dealer.presses(f"seat {seat}", "cards")
    dealer.enters(cards.split())
    dealer.presses("enter")


def test_11c2_the_cards_say_which_super_is_won() -> None:
    """671a.11(c)(2): verified by the cards; a tap says nothing beside them, and they are not entered twice."""
    dealer = locked({1: "bet", 2: "bet"}, level=2)
    table = dealer.table
    dealer.presses("seat 1")
    refused(table, "row flush")
    dealer.presses("cards", "cancel")
    assert table.phase == "supers"
    dealer.presses("seat 1")
    shows(dealer, 1, "2s 5s 9s Js Ks")
    assert table.state.seat(1).position.super_row == "flush"
    table.restarts()
    dealer.presses("supers-settled")
    assert lies(table, 1) == [("super", "win", ANTE, ANTE, 60 * ANTE)]
    dealer.presses("cards")
    dealer.enters(["Kd", "Kc", "2c", "7d", "9d"])
    dealer.presses("enter", "cards")
    dealer.enters(["3d", "3h", "4c", "8d", "9c"])
    dealer.presses("enter", "settled")
    assert "these cards decide" in refused(table, "answer lower")
    dealer.presses("settled")
    assert lies(table, 1)[-1] == ("bet", "win", BET, BET, 5 * BET)


def test_11d1_a_bought_card_comes_to_the_declared_ones() -> None:
    """671a.11(d)(1)(i): "one additional card"; the five that were declared lie there still."""
    dealer = locked({1: "buy"}, level=2)
    table = dealer.table
    shows(dealer, 1, "2s 5s 9s Js Ks")
    dealer.presses("supers-settled", "bets", "cards")
    dealer.enters(["Kd", "Kc", "2c", "7d", "9d"])
    dealer.presses("enter", "cards", "slot 5")
    dealer.enters(["Qs", "3d"])
    assert "Declared with 2s" in refused(table, "enter")
    dealer.presses("slot 5")
    dealer.enters(["Ks"])
    dealer.presses("enter", "settled")
    assert lies(table, 1)[-1] == ("bet", "win", BET, BET, 5 * BET)


def test_11c2_cards_of_a_player_who_left_say_what_his_backer_wins() -> None:
    """His own Super is lost (671a.7(b)), an instant payout is nobody's, and who backed his hand wins on it."""
    dealer = asked(1, 2, level=2, backs=((2, "1"),))
    elect(dealer, {1: "instant", 2: "bet"})
    leaves(dealer, 1)
    dealer.presses("next")
    shows(dealer, 1, "2s 5s 9s Js Ks")
    table = dealer.table
    table.restarts()
    dealer.presses("supers-settled")
    assert ("super:1", "win", BACKED, BACKED, 60 * BACKED) in lies(table, 2)
    assert ("super", "lose", ANTE, 0, 0) in lies(table, 1)


def test_11c3_an_instant_payout_is_verified_by_the_cards() -> None:
    dealer = locked({1: "instant", 2: "bet"}, level=2)
    table = dealer.table
    refused(table, "supers-settled")
    dealer.presses("seat 1", "cards")
    dealer.enters(["Ah", "Kh", "Qh", "Jh", "9h"])
    assert "no royal or straight flush" in refused(table, "enter")
    dealer.presses("slot 5")
    dealer.enters(["Th"])
    dealer.presses("enter", "supers-settled")
    assert lies(table, 1) == [("super", "win", ANTE, ANTE, 5 * ANTE), ("ante", "win", ANTE, ANTE, 1500 * ANTE)]


def test_11e_the_dealers_cards_say_which_super_is_won() -> None:
    dealer = locked({1: "bet"}, level=2, backs=((1, "dealer"),))
    table = dealer.table
    dealer.presses("supers-settled")
    refused(table, "dealer-row straight", "dealer yes", "dealer no")
    dealer.presses("cards")
    dealer.enters(["Kd", "Kc", "2c", "7d", "9d"])
    dealer.presses("enter")
    assert lies(table, 1)[-1] == ("super:dealer", "lose", BACKED, 0, 0) and table.phase == "settle"


def test_7b_the_fee_of_a_player_who_left_is_collected_as_a_fee() -> None:
    """671a.1: a payment, no wager; so 671a.11(d)(1) collects it, as in a round file, and 671a.7(b) the rest."""
    dealer = locked({1: "buy", 2: "bet"})
    table = dealer.table
    leaves(dealer, 1)
    dealer.presses("supers-settled", "dealer yes")
    cites = {line.wager: line.cite for line in table.state.seat(1).position.lines}
    assert cites == {"super": "671a.7(b)", "ante": "671a.7(b)", "options_fee": "671a.11(d)(1)"}
