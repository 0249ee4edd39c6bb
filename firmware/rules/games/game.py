"""The questions that every game answers: a `Game` is its book and the law that no table of numbers can hold.

A game in a folder is a subclass, named `GAME` in its `game.py`. Most answers are read from the book; the abstract methods
are the rest: how a seat's cards and decisions are read, compared, asked and paid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from firmware.rules.book import Book
from firmware.rules.flop import ANY_FLOP, Flop
from firmware.rules.hands import RANK_OF, RANKED, Hand, HandName, best_hand, few_cards
from firmware.rules.message import Message, say
from firmware.rules.money import NO_MONEY, Cents
from firmware.rules.payment import Outcome, Payment
from firmware.rules.procedure import FIVE, Election, Procedure, Street
from firmware.rules.seat import Choice, Round, Seat
from firmware.rules.strict import Keys
from firmware.rules.submission import Submission
from firmware.rules.told import RESULT_OF, RESULTS, Made, Told
from firmware.rules.wager import SettledBy, Wager

ANY_HAND = frozenset(RANKED)
"""Every name of a hand, where nothing that was said leaves one out."""


class Tie(NamedTuple):
    """A seat ties with the dealer. `names`: those that anybody's hand can have. `prizes`: those of two cards and the flop.
    `leaves_less`: another hand can lose to the dealer's.
    """

    names: frozenset[str] = ANY_HAND
    prizes: frozenset[str] = ANY_HAND
    leaves_less: bool = True


ANY_TIE = Tie()


class Game(ABC):
    """One game by its book."""

    names: frozenset[str] = ANY_HAND
    """The names of its hands."""
    on_the_board: frozenset[str] = frozenset()
    """Names that two hands have only if all five cards lie on the board, and so everybody."""

    def __init__(self, book: Book) -> None:
        self.book: Book = book
        self.name: str = book.name
        self.procedure: Procedure = book.procedure
        self.wagers: Mapping[str, Wager] = book.wagers
        self.hole_cards: int = book.procedure.hole_cards
        self.board_cards: int = book.procedure.board_cards
        self.dealer_cards: int = book.procedure.dealer_cards
        self._settled_by = {
            kind: tuple(name for name, wager in book.wagers.items() if wager.settled_by is kind) for kind in SettledBy
        }
        placed = {name: wager for name, wager in book.wagers.items() if not wager.deciding}
        required = [name for name, wager in placed.items() if wager.required]
        self.wager_keys = Keys(*required, optional=[name for name in placed if name not in required])
        self.required = frozenset(required)
        [self.base] = [name for name in required if not placed[name].companion]
        """The wager that every position has: decisions are multiples of its amount, and it stands first."""
        self.companion: Wager | None = next((wager for wager in placed.values() if wager.companion), None)
        """The wager that goes with the base, where the book has one."""
        equal = self.companion is not None and self.companion.companion == "equal"
        self.along_with_base = frozenset({self.base, *([self.companion.name] if self.companion and equal else [])})
        """The wagers at every position in the amount of its base; all others lie beside them."""
        declared = self._settled_by[SettledBy.DECLARED]
        self.declared: str = next((name for name in declared if not book.wagers[name].backs), "")
        """The wager on a hand that its player has to declare, "" where nothing is declared."""
        self.fees = frozenset(self._settled_by[SettledBy.FEE])
        self.needed: frozenset[str] = frozenset(wager.needs for wager in book.wagers.values() if wager.needs)
        """The wagers without which another one may not be made."""
        self.deciding: tuple[str, ...] = tuple(name for name, wager in book.wagers.items() if wager.deciding)
        """The wagers that decisions make."""
        self.forfeited: frozenset[str] = frozenset(n for n, wager in book.wagers.items() if wager.forfeited_by_fold)
        """The wagers that a fold loses at once (reading 2)."""
        qualifying = frozenset(hand for hand in self.names if book.qualify is None or book.qualify.by(hand))
        self.dealers_hands: Mapping[bool, frozenset[str]] = {True: qualifying, False: self.names - qualifying}
        """The names of a dealer's hand that qualifies, and of one that does not."""
        self.after_meters: frozenset[str] = frozenset()
        """The wagers that follow those of a meter in a seat's turn (653a.11(k) to (m))."""
        self.seat_keys = Keys("wagers", optional=self.keys_of_a_seat())
        self._compared = {
            (result, dealer): frozenset([mine for mine in RANKED if self._compares(result, mine, dealer)])
            for result in RESULTS
            for dealer in RANKED
        }

    # Data, asked by name ---------------------------------------------------------------------------------------------

    def has_pass(self, name: str) -> bool:
        """A round of this game goes through a pass of this name: "streets", "supers", "draw", "reveal", "settle" …"""
        return name in self.book.passes

    @property
    def asks_players(self) -> bool:
        """Players decide after the deal: street by street, or what they elect."""
        return self.has_pass("streets") or self.has_pass("elections")

    @property
    def elections(self) -> Mapping[str, Election]:
        """The elections of players in place of answers street by street; {} if there are only streets."""
        return self.procedure.elections

    @property
    def has_board(self) -> bool:
        """Community cards are dealt."""
        return self.board_cards > 0

    @property
    def has_six_card_box(self) -> bool:
        """There is a wager on the player's own cards with the Six Card box."""
        return bool(self._settled_by[SettledBy.SIX])

    def on_hand(self, number: int) -> str:
        """The stake that backs the hand of this seat, 0: the dealer's: "super:4", "super:dealer"."""
        return f"{self.declared}:{number or 'dealer'}"

    def is_declared(self, wager: str) -> bool:
        """A wager on a declared hand, the own one or another."""
        return bool(self.declared) and wager.partition(":")[0] == self.declared

    def qualifies(self, hand: str) -> bool:
        """A dealer's hand of this name qualifies; in a game without such a rule every hand does."""
        return hand in self.dealers_hands[True]

    def offered(self, rules: Submission, seat: int) -> tuple[str, ...]:
        """The wagers that a dealer can enter for a seat: the base (its companion follows it) and all others offered.

        A companion that may be more than the base is among them, and so is every hand that a seat may back.
        """
        sides = [name for name in self.book.order if self._is_entered(rules, name)]
        own = [self.companion.name] if self.companion and self.companion.companion == "at least" else []
        return (self.base, *sides, *own, *self.backable(rules, seat))

    def _is_entered(self, rules: Submission, name: str) -> bool:
        wager = self.wagers[name]
        return not (wager.required or wager.deciding or wager.of_meter) and wager.section in rules.paytables

    def backable(self, rules: Submission, seat: int) -> tuple[str, ...]:
        """The wagers of a seat on other hands, "super:dealer" first; () where these rules offer none."""
        return ()

    def default_stakes(self, rules: Submission) -> dict[str, Cents]:
        """The least that plays: the base at the table minimum, and the wager that goes with it."""
        with_it = [self.companion.name] if self.companion else []
        return dict.fromkeys([self.base, *with_it], rules.table_minimum)

    def restaked(self, rules: Submission, stakes: Mapping[str, Cents], wager: str, amount: Cents) -> dict[str, Cents]:
        """The stakes of a position after one of them was changed: what goes along with it follows, nothing stays at 0."""
        changed = dict(stakes) or self.default_stakes(rules)
        if amount and ":" in wager:  # on another hand: the first chip makes the table minimum (671a.7(c)(3))
            amount = max(amount, rules.table_minimum)
        changed[wager] = amount
        if self.companion and self.companion.companion == "at least":
            changed[self.companion.name] = max(changed[self.base], changed.get(self.companion.name, NO_MONEY))
        elif self.companion and wager == self.base:
            changed[self.companion.name] = amount
        return {name: stake for name, stake in changed.items() if stake}

    def tucked_under(self, wagers: Iterable[str]) -> tuple[str, ...]:
        """The part of these wagers that waits for the cards of a folded hand."""
        return tuple(wager for wager in wagers if wager not in self.forfeited)

    def settled_by(self, kind: SettledBy) -> tuple[str, ...]:
        """The wagers that are settled by this."""
        return self._settled_by[kind]

    def needs_board(self, wagers: Iterable[str]) -> bool:
        """Some of these wagers are settled by a hand that the community cards belong to."""
        return self.has_board and any(self.wagers[wager].settled_by is SettledBy.HAND for wager in wagers)

    # Its words at the table. The words are in the catalog of the game's folder ---------------------------------------

    def called(self, wager: str) -> Message:
        """The name of a wager: `Trips`, `Super on seat 4`."""
        name, _, hand = wager.partition(":")
        if hand.isdecimal():
            return say("wager-on.seat", wager=self.called(name), seat=int(hand))
        return say(f"wager.{_in_an_id(wager)}")

    def row_called(self, row: str) -> Message:
        """A row of a paytable, short enough for a key or a low seat: `4 KIND`."""
        return say(f"row.{_in_an_id(row)}")

    def question(self, street: Street) -> Message:
        """The question to players on a street: `Play 3× or 4×, or check`."""
        wager, times = self.called(street.wager), _either([f"{times}×" for times in sorted(street.times)])
        if street.last:
            return say("street.or-fold", wager=wager, times=times)
        return say("street.or-check", wager=wager, times=times)

    def dealt(self, street: Street) -> Message:
        """The community cards that are dealt after a street: `the flop`, `turn and river`."""
        return say(f"dealt.{street.deals}")

    def elected(self, name: str, cards: int = 0) -> Message:
        """The name of an election, short enough for a key or a seat; `cards`: how many, if the player says that."""
        if self.elections[name].counted:
            return say(f"election.{name}", cards=cards)
        return say(f"election.{name}")

    def elected_by_default(self) -> Message:
        """The election of every player who is not tapped, as a sentence."""
        name = next(name for name, one in self.elections.items() if one.choice == Choice.PLAY)
        return say(f"everyone.{name}")

    def asked(self, about: str) -> Message:
        """The name of a question about a seat, a key of `asks`."""
        if about.partition(":")[0] in self.wagers:
            return say("ask.row", wager=self.called(about))
        return say(f"ask.{_in_an_id(about)}")

    def qualified(self, qualifies: bool) -> Message:
        """The dealer's hand is enough, or is not: `PAIR OR BETTER`."""
        least = self.book.qualify
        if least is None:
            return say("dealer.any-hand") if qualifies else say("dealer.no-hand")
        return say(f"qualifies.{_in_an_id(least.least)}") if qualifies else say(f"less-than.{_in_an_id(least.least)}")

    # Reading a round file --------------------------------------------------------------------------------------------

    def keys_of_a_seat(self) -> tuple[str, ...]:
        """Keys that a seat of a round file may have beside its wagers."""
        boxes = ("player",) if "adjacent_boxes" in self.book.general else ()
        return ("cards", "decision", *boxes)

    @abstractmethod
    def read_seat(self, seat: Seat, given: Mapping[str, object], rules: Submission) -> Seat:
        """A seat with what else its object says; its cards and wagers have been read. Raises Refusal.

        In a void round it comes without its cards: decisions are not held against them.
        """

    def seat_with(self, number: int, stakes: Mapping[str, Cents]) -> Seat:
        """A seat with these first stakes, by wager, without cards or a decision."""
        return Seat(number, (), stakes)

    def check_backed(self, seat: Seat, at: str, rules: Submission) -> None:
        """The wagers of a seat on other hands, at the place of its wagers. Raises Refusal."""
        return

    def check_seats(self, seats: Mapping[int, Seat]) -> None:
        """Check the rules between seats. Raises Refusal."""
        return

    # The law ---------------------------------------------------------------------------------------------------------

    @abstractmethod
    def settle(self, round_: Round) -> Outcome:
        """A round from its cards: every payment, in the order in which a dealer pays them."""

    @abstractmethod
    def pay(self, rules: Submission, seat: Seat, told: Told, boxes: Iterable[Payment]) -> Iterable[Payment]:
        """A payment for every wager of a decided seat but those of meters, from what a dealer says."""

    @abstractmethod
    def asks(self, rules: Submission, seat: Seat, result: str, qualifies: bool) -> dict[str, tuple[str, ...]]:
        """The questions about a seat that did not leave, each with its choices (`Worlds.questions`)."""

    @abstractmethod
    def stakes(self, seat: Seat) -> Iterator[tuple[str, Cents]]:
        """Every stake that lies at a position, decided ones among them, in the order of its turn."""

    def legal_elections(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """The elections that these first cards allow; without cards all of them."""
        return tuple(self.elections)

    # Possible hands --------------------------------------------------------------------------------------------------

    def compared(self, result: str, dealer: str) -> frozenset[str]:
        """The names of a hand that compares so with a dealer's hand of this name; two royal flushes are equal."""
        return self._compared[result, dealer]

    def _compares(self, result: str, mine: str, dealer: str) -> bool:
        if self.procedure.hand_cards != FIVE:
            return True  # hands of other sizes stand in another order, which their names do not say
        if result == "equal":
            return self.may_equal({mine}, {dealer})
        winner, loser = (mine, dealer) if result == "higher" else (dealer, mine)
        return RANK_OF[winner] >= RANK_OF[loser] < len(RANKED) - 1

    def hands_with_prize(self, hand: str) -> frozenset[str]:
        """The names of a hand when the cards that a meter's wager wins on have this name."""
        return self.names & {hand}

    def prize_hand(self, own: tuple[str, ...], board: tuple[str, ...]) -> str:
        """The name of the cards that a meter's wager wins on; "" for too few."""
        return self.name_of(own) if len(own) == self.procedure.hand_cards else ""

    def hands_on_rows(self, rows: Mapping[str, str], option: int | None) -> frozenset[str]:
        """The names of a hand whose own cards win on these rows; every name if they say nothing.

        `option`: how many cards were exchanged for a fee, 0 where one was bought, None without a fee.
        """
        return self.names

    def hands_beside_second(self, rows: Mapping[str, str], option: int | None, second: str) -> frozenset[str]:
        """The names of the same hand beside this second combination, "" for none."""
        return self.names

    def dealers_on_row(self, row: str | None) -> frozenset[str]:
        """The names of a dealer's hand that wins declared wagers on this row, "" on none; None if nobody said."""
        return ANY_HAND

    def beside_the_dealer(self, qualifies: bool) -> frozenset[str]:
        """The names of a seat's hand, folded or not, beside a dealer's hand that qualifies, or does not."""
        return self.names

    def beside_a_tie(self, hand: str) -> Tie:
        """The hands of a round in which a seat ties with a dealer's hand of this name."""
        return ANY_TIE

    def can_be_dealt(self, wager: str, rows: Iterable[str], known: Iterable[str]) -> bool:
        """The deck has the cards for these rows of a wager on several hands' own cards, beside the `known` ones."""
        return True

    def flops(self, hands: Iterable[str], *, qualifies: bool = True) -> frozenset[Flop]:
        """The flops of a round in which hands of these names, each of two other cards and it, are dealt, beside a dealer's
        hand that qualifies, or does not.
        """
        return ANY_FLOP

    def may_equal(self, mine: Set[str], dealers: Set[str]) -> bool:
        """A hand of one of these names can tie with the dealer's, which has one of those."""
        return not mine.isdisjoint(dealers)

    def hands_on_row(self, row: str) -> frozenset[str]:
        """The names of five cards that win a declared wager on this row, "" for none."""
        return ANY_HAND

    def least_row(self, hand: str) -> str:
        """The lowest row on which five cards of this name win a declared wager; "" where some win on none."""
        return ""

    def paid_to_losers(self, rules: Submission, seat: Seat) -> frozenset[str]:
        """The rows on which a hand of this seat is paid because it lost, and would not be otherwise."""
        return frozenset()

    # Values of cards -------------------------------------------------------------------------------------------------

    def hand_of(self, cards: tuple[str, ...]) -> Hand:
        """The best five, by the names of this game."""
        return best_hand(cards)

    def name_of(self, cards: tuple[str, ...]) -> HandName:
        """The name of these cards, as many as make a hand or more."""
        return self.hand_of(cards).name

    def what_lies(self, cards: tuple[str, ...]) -> Hand:
        """The same for a void round, which can leave fewer cards than make a hand."""
        return self.hand_of(cards) if len(cards) >= self.procedure.hand_cards else few_cards(cards)

    def best_of(self, own: tuple[str, ...], board: tuple[str, ...]) -> Hand | None:
        """The best hand of somebody's cards with the board. None without cards of one's own: a board is nobody's hand."""
        cards = own + board
        return self.hand_of(cards) if own and len(cards) >= self.procedure.hand_cards else None

    def made_beside(
        self, rules: Submission, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
    ) -> Mapping[tuple[str, ...], Made]:
        """The value of every hand of own cards that can be dealt beside these; {} if a deck has too many."""
        return {}

    def row_of(self, rules: Submission, wager: str, cards: tuple[str, ...]) -> str:
        """The row on which a wager with cards of its own wins; "" for none, or for fewer cards than it needs.

        `cards`: the pocket's two, or these and the four of the Six Card box, or the first five of a declared hand.
        """
        return ""

    def second_of(self, rules: Submission, cards: tuple[str, ...]) -> str:
        """The row of a second combination in a winning hand; "" for none, or where the game knows none."""
        return ""

    def final_cards(self, seat: Seat) -> tuple[str, ...]:
        """The cards that lie before a player when hands are compared."""
        return seat.cards

    def hands(self, round_: Round) -> tuple[Hand | None, dict[int, Hand]]:
        """The dealer's hand and every seat's, as they are compared."""
        board = round_.board
        hands = {number: self.hand_of(self.final_cards(seat) + board) for number, seat in round_.seats.items()}
        return self.best_of(round_.dealer, board), hands

    def told_of_round(self, round_: Round, seat: Seat, own: Hand, dealer: Hand | None) -> Told:
        """The true words about a seat of a round, with the hands that are compared."""
        return self.told(round_.submission, seat, self.final_cards(seat), own, dealer, round_.six_card)

    def told(
        self,
        rules: Submission,
        seat: Seat,
        cards: tuple[str, ...],
        own: Hand | None,
        dealer: Hand | None,
        six_card: tuple[str, ...],
    ) -> Told:
        """The true words about a seat with these cards; an unknown answer is "".

        A hand of another size than five cards has no name: names are compared as five cards rank, and no wager asks.
        """
        hand, result, says_names = own.name if own else "", "", self.procedure.hand_cards == FIVE
        if own and dealer and seat.plays:
            result = RESULT_OF[(own.strength > dealer.strength) - (own.strength < dealer.strength)]
        qualifies = dealer is None or self.qualifies(dealer.name)  # a hand that nobody knows may be any
        return Told(
            qualifies=qualifies,
            result=result,
            hand=hand if says_names else "",
            dealer_hand=dealer.name if dealer and says_names else "",
            side={"instant": hand} if seat.choice is Choice.INSTANT else self.side_of(rules, seat, cards, six_card),
            second=self.second_of(rules, cards) if qualifies and result == "higher" else "",
        )

    def side_of(
        self, rules: Submission, seat: Seat, cards: tuple[str, ...], six_card: tuple[str, ...]
    ) -> dict[str, str]:
        """The rows on which the seat's wagers on its own cards win, and on these with the Six Card box."""
        found = {
            wager: self.row_of(rules, wager, cards + box)
            for kind, box in ((SettledBy.POCKET, ()), (SettledBy.SIX, six_card))
            for wager in self._settled_by[kind]
            if wager in seat.wagers
        }
        return {wager: row for wager, row in found.items() if row in rules.paytables[wager].rows}


def _in_an_id(name: str) -> str:
    """A wager or a row as an id of a message has it: `six-card-bonus`, `four-of-a-kind`."""
    return name.lower().translate(_DASHES)


_DASHES = str.maketrans({"_": "-", ":": "-", " ": "-", ",": None})


def _either(choices: list[str]) -> Message | str:
    """`3× or 4×`."""
    first, *rest = choices
    return say("list.or", first=first, rest=_either(rest)) if rest else first
