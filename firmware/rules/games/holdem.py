"""What the Hold'em games have in common: streets, a board, one seat settled completely before the next, void rounds.

A game of this kind is a subclass with `against_the_dealer`: its ante, its companion and its deciding wagers. All other
wagers are settled by what its book says they are settled by.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product

from firmware.rules.book import Book
from firmware.rules.cards import DECK
from firmware.rules.flop import FLOP_CARDS, NOT_OF_FIVE_RANKS, Flop, flops
from firmware.rules.games.game import ANY_HAND, Game
from firmware.rules.hands import RANKED, Hand, HandName, best_hand, few_cards, name_of, strength
from firmware.rules.meter_wagers import (
    FIVE_CARD,
    PROGRESSIVE,
    contributions,
    envy_payments,
    envy_receivers,
    five_card_payment,
    lucky_payment,
    magic_card_payment,
    price_of,
    prize_of,
    progressive_payment,
)
from firmware.rules.money import NO_MONEY, Cents, dollars
from firmware.rules.payment import Outcome, Payment, StandingMeters, limited, lose, push, void, win
from firmware.rules.paytable import Paytable, Share
from firmware.rules.procedure import FIVE, Street
from firmware.rules.seat import DEALER, FOLDS, LEAVES, Choice, Decision, Round, Seat
from firmware.rules.six_cards import one_box_makes
from firmware.rules.strict import Keys, Refusal, amount, fields, shown, text, under
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, RESULT_OF, RESULTS, Made, Told
from firmware.rules.wager import SettledBy, Wager

LABEL_MAX = 40
SIX_CARD_ROYAL_OF_DIAMONDS = "six-card royal flush, diamonds"

NO_LESS: Mapping[str, frozenset[str]] = {
    HandName.FLUSH: frozenset({HandName.FLUSH, HandName.STRAIGHT_FLUSH, HandName.ROYAL_FLUSH}),
    HandName.FOUR_OF_A_KIND: frozenset({HandName.FOUR_OF_A_KIND}),
    HandName.STRAIGHT_FLUSH: frozenset({HandName.STRAIGHT_FLUSH, HandName.ROYAL_FLUSH}),
    HandName.ROYAL_FLUSH: frozenset({HandName.ROYAL_FLUSH}),
}
"""What everybody's hand can be called where the board alone makes one of this name."""


_LEFT = {"fold": FOLDS, "abandoned": LEAVES}
_PLAY = Keys("at", "wager")


class Holdem(Game):
    """A game with streets. `sides`: the wagers beside the comparison, in the order of a seat's turn, those that a
    payout limit covers apart.
    """

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.names = ANY_HAND - {HandName.ACE_KING}
        self.dealers_hands = {qualifies: hands & self.names for qualifies, hands in self.dealers_hands.items()}
        beside = [book.wagers[name] for name in book.order]
        sides = [
            wager for wager in beside if wager.settled_by is not SettledBy.COMPARISON and wager.name != FIVE_CARD[1]
        ]
        covers = book.limit.covers if book.limit else ()
        last = max((place + 1 for place, wager in enumerate(sides) if wager.name in covers), default=0)
        self.sides_within_the_limit = sides[:last]
        self.sides = [(wager, wager.of_meter) for wager in sides[last:]]
        of_meters = [place for place, wager in enumerate(sides) if wager.of_meter]
        self.after_meters = frozenset(wager.name for wager in sides[max(of_meters, default=len(sides)) :][1:])
        self.streets: Mapping[str, Street] = {street.name: street for street in book.procedure.streets}

    # What can be -----------------------------------------------------------------------------------------------------

    def beside_the_dealer(self, qualifies: bool) -> frozenset[str]:
        """A dealer below a pair leaves a board of five ranks: with two cards more nobody has a full house or four of a
        kind, whatever he did with them.
        """
        below_a_pair = self.dealers_hands[False] <= {HandName.HIGH_CARD}
        return self.names - NOT_OF_FIVE_RANKS if below_a_pair and not qualifies else self.names

    def beside_a_tie(self, hand: str) -> frozenset[str]:
        """Of two equal hands that are a flush, four of a kind, a straight or royal flush all that decides lies on the board,
        so that nobody has less.

        Four of one rank are four cards: both hands hold them, and no card lies before two people. A flush takes three cards
        of the board at the least, so that two flushes with five board cards are of one suit; equal, they are the same five
        cards. Other names can be equal by cards that both hold (two kings beside one on the board), and leave anything.
        """
        return NO_LESS.get(hand, self.names)

    def beside_a_winner(self, hand: str) -> frozenset[str]:
        """A second royal flush is of the same suit, and so the same five cards: they lie on the board, and nobody wins."""
        return self.names - {HandName.ROYAL_FLUSH} if hand == HandName.ROYAL_FLUSH else self.names

    def can_be_dealt(self, wager: str, rows: Iterable[str], known: Iterable[str]) -> bool:
        """The Six Card hands have the four cards of one box in them."""
        return self.wagers[wager].settled_by is not SettledBy.SIX or one_box_makes(rows)

    def flops(self, hands: Iterable[str]) -> frozenset[Flop]:
        """Every hand has the flop in it."""
        return flops(hands)

    # Reading ---------------------------------------------------------------------------------------------------------

    def read_seat(self, seat: Seat, given: Mapping[str, object], rules: Submission) -> Seat:
        """A fold, an abandoned seat, or the wager of a street; a label where one person may have several boxes."""
        at = f"seats.{seat.number}"
        decisions = self._decisions(given["decision"], at, seat.wagers[self.base]) if "decision" in given else ()
        player = _player(given["player"], at) if "player" in given else None
        return Seat(seat.number, seat.cards, seat.wagers, decisions, player)

    def _decisions(self, given: object, at: str, base: Cents) -> tuple[Decision, ...]:
        if type(given) is str and given in _LEFT:
            return _LEFT[given]
        if not isinstance(given, Mapping):
            raise Refusal(
                under(at, "decision"),
                f'is {shown(given)}; right would be {{"at": ..., "wager": ...}}, "fold" or "abandoned"',
            )
        at = under(at, "decision")
        play = fields(given, at, _PLAY)
        street = self.streets[text(play["at"], at, "at", self.streets)]
        stake = amount(play["wager"], at, "wager")
        if not street.allows(base, stake):
            joint = " to " if street.between else " or "
            ends = {min(street.times), max(street.times)} if street.between else set(street.times)
            right = joint.join(dollars(Cents(times * base)) for times in sorted(ends))
            raise Refusal(under(at, "wager"), f"is {dollars(stake)}; right at the {street.name} would be {right}")
        return (Decision(Choice.PLAY, street.name, stake, street.wager),)

    # One seat --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def against_the_dealer(self, rules: Submission, seat: Seat, told: Told) -> Iterator[Payment]:
        """Ante, companion and deciding wagers of a seat that did not leave."""

    def ante(self, rules: Submission, seat: Seat, told: Told) -> Payment:
        """Without a qualifying dealer it is returned, whoever wins (readings 9, 10); else it follows the comparison."""
        number, stake, cites = seat.number, seat.wagers[self.base], rules.book.cites
        if not told.qualifies:
            return push(number, self.base, stake, cites["no_pair"])
        if told.compared > 0:
            return at_even_money(rules, seat, self.base, stake)
        return (lose if told.compared else push)(number, self.base, stake, cites[told.result])

    def lost_by_fold(self, rules: Submission, seat: Seat) -> Iterator[Payment]:
        """Ante and companion of a folded hand, and whatever was wagered on an earlier street."""
        cite = rules.book.cites["fold"]
        for wager, stake in self.stakes(seat):
            if self.wagers[wager].settled_by is SettledBy.COMPARISON:
                yield lose(seat.number, wager, stake, cite)

    def turn(
        self,
        rules: Submission,
        seat: Seat,
        told: Told,
        meters: Callable[[Seat, Wager], Iterable[Payment]] | None,
        already: Cents,
    ) -> list[Payment]:
        """One seat's wagers, in the order of the paragraphs, within what is left of the casino's payout limit.

        `meters`: settles a wager that a meter belongs to; None leaves those out. `already`: what the limit has let
        through for the same player.
        """
        lines = list(self.against_the_dealer(rules, seat, told))
        for wager in self.sides_within_the_limit:
            if wager.name in seat.wagers:
                lines.append(self.side(rules, seat, wager, told))
        lines = self.within_the_limit(rules, lines, already)
        for wager, of_meter in self.sides:
            if of_meter:
                if meters is not None:
                    lines += meters(seat, wager)
            elif wager.name in seat.wagers:
                lines.append(self.side(rules, seat, wager, told))
        return lines

    def side(self, rules: Submission, seat: Seat, wager: Wager, told: Told) -> Payment:
        """A wager against its own paytable; of a folded hand too, unless a fold loses it (reading 2)."""
        name, kind = wager.name, wager.settled_by
        if kind is SettledBy.HAND:
            row = told.hand
        elif kind is not SettledBy.BEATEN:
            row = told.side.get(name, "")
        elif seat.plays:
            row = told.beaten
        else:
            return lose(seat.number, name, seat.wagers[name], rules.book.cites["fold"])
        return on_its_paytable(rules, seat, name, row)

    def within_the_limit(self, rules: Submission, payments: list[Payment], already: Cents) -> list[Payment]:
        """Payments, those that the limit covers brought down to what is left of it (reading 11)."""
        limit, most = rules.book.limit, rules.payout_limit
        return limited(payments, limit.covers, Cents(most - already)) if limit and most else payments

    def counted(self, rules: Submission, payments: Iterable[Payment]) -> Cents:
        """What these payments use up of a player's payout limit; nothing where each hand has its own."""
        limit = rules.book.limit
        if limit is None or not limit.per_player:
            return NO_MONEY
        return Cents(sum(payment.payout for payment in payments if payment.wager in limit.covers))

    def abandoned(self, rules: Submission, seat: Seat) -> Iterator[Payment]:
        """A player who leaves loses every wager, decided ones too (653a.7(b), 677a.7(b), Maryland .07C(2))."""
        cite = rules.book.cites["abandoned"]
        for wager, stake in self.stakes(seat):
            yield lose(seat.number, wager, stake, cite)

    def stakes(self, seat: Seat) -> Iterator[tuple[str, Cents]]:
        """In the order of the book."""
        for wager in self.book.order:
            stake = seat.decided(wager) if self.wagers[wager].deciding else seat.wagers.get(wager)
            if stake is not None:
                yield wager, stake

    # From what a dealer says -----------------------------------------------------------------------------------------

    def pay(self, rules: Submission, seat: Seat, told: Told, boxes: Iterable[Payment]) -> Iterable[Payment]:
        """Every wager of a decided seat but those of meters."""
        if seat.abandoned:
            lost = self.abandoned(rules, seat)
            return [payment for payment in lost if not self.wagers[payment.wager].of_meter]
        return self.turn(rules, seat, told, None, self.counted(rules, boxes))

    def asks(self, rules: Submission, seat: Seat, result: str, qualifies: bool) -> dict[str, tuple[str, ...]]:
        """Only what changes a payment: the comparison, the hand where a paytable knows it, rows to be picked."""
        asked: dict[str, tuple[str, ...]] = {}
        if seat.plays:
            asked |= {"qualifies": ("yes", "no"), "result": tuple(RESULTS)}
        paid = {row for table in self.paid_by_the_hand(rules, seat, result if seat.plays else "") for row in table.rows}
        if paid:
            asked["hand"] = (*[name for name in reversed(RANKED) if name in paid], NONE_OF_THESE)
        if seat.plays and result == "higher":
            for wager in self.settled_by(SettledBy.BEATEN):
                if wager in seat.wagers:
                    asked["dealer_hand"] = (*rules.paytables[wager].rows, NONE_OF_THESE)
        for wager in self.wagers:
            if wager in seat.wagers and self.wagers[wager].picked:
                asked[wager] = (*rules.paytables[wager].rows, NONE_OF_THESE)
        return asked

    def paid_by_the_hand(self, rules: Submission, seat: Seat, result: str) -> Iterator[Paytable]:
        """The paytables on which what the player's hand is called decides, after a result ("" of a folded hand)."""
        for wager in self.settled_by(SettledBy.HAND):
            if wager in seat.wagers:
                yield rules.paytables[wager]
        if result == "higher" and self.companion:
            yield rules.paytables[self.companion.name]
        if result == "lower":
            for wager in self.settled_by(SettledBy.BEATEN):
                if wager in seat.wagers:
                    yield rules.paytables[wager]

    def paid_to_losers(self, rules: Submission, seat: Seat) -> frozenset[str]:
        """Of the paytables that are read for the hand after a loss, and not otherwise."""
        whatever = [table.wager for table in self.paid_by_the_hand(rules, seat, "")]
        after_a_loss = self.paid_by_the_hand(rules, seat, "lower")
        return frozenset(row for table in after_a_loss if table.wager not in whatever for row in table.rows)

    def made_beside(
        self, rules: Submission, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
    ) -> Mapping[tuple[str, ...], Made]:
        """The two cards of 990 to 1,081 hands; who counts them keeps them as long as the board lies there."""
        against = strength(dealer + board) if dealer else None
        lying = {*board, *dealer, *six_card}
        boxes = {SettledBy.POCKET: (), **({SettledBy.SIX: six_card} if six_card else {})}
        on_own = [(wager, box) for kind, box in boxes.items() for wager in self.settled_by(kind)]
        on_own = [(wager, box) for wager, box in on_own if wager in rules.paytables]
        flop = board[:FLOP_CARDS] if rules.progressive or rules.five_card_hand else ()
        pocket = any(self.wagers[wager].settled_by is SettledBy.POCKET for wager, _ in on_own)
        of_flushes = _suits_of_flushes(board) | _suits_of_flushes(six_card)
        made: dict[tuple[str, ...], Made] = {}
        for alike in _alike([card for card in DECK if card not in lying], of_flushes, suited=pocket):
            own = alike[0]
            mine = strength(own + board)
            result = None if against is None else RESULT_OF[(mine > against) - (mine < against)]
            rows = tuple([(wager, self.row_of(rules, wager, own + box)) for wager, box in on_own])
            flopped = name_of(strength(own + flop)) if flop else ""
            made.update(dict.fromkeys(alike, Made(result, name_of(mine), rows, flopped)))
        return made

    def row_of(self, rules: Submission, wager: str, cards: tuple[str, ...]) -> str:
        """Of the own cards with the Six Card box; a game with a bonus on other cards says what those make."""
        if self.wagers[wager].settled_by is SettledBy.SIX and len(cards) == self.hole_cards + self.procedure.box_cards:
            return six_card_row(rules.paytables[wager], cards)
        return ""

    # From the cards --------------------------------------------------------------------------------------------------

    def settle(self, round_: Round) -> Outcome:
        """From the last seat down, one seat completely before the next."""
        if round_.void:
            return self.settle_void(round_)
        return _Dealt(self, round_).settle()

    def settle_void(self, round_: Round) -> Outcome:
        """Every wager is returned, whatever was folded or abandoned, but for what is still settled (reading 12)."""
        rules = round_.submission
        shown_hands: dict[int, Hand] = {}
        payments: list[Payment] = []
        for seat in from_the_last_seat_down(round_):
            for wager, stake in self.stakes(seat):
                if cite := round_.returned_by(wager):
                    payments.append(void(seat.number, wager, stake, cite))
                elif seat.abandoned:
                    payments.append(lose(seat.number, wager, stake, rules.book.cites["abandoned"]))
                else:
                    hand = shown_hands[seat.number] = _of_what_lies_there((*seat.cards, *round_.board))
                    told = self.told(rules, seat, seat.cards, hand, None, round_.six_card)
                    line = self.side(rules, seat, self.wagers[wager], told)
                    payments += self.within_the_limit(rules, [line], NO_MONEY)
        meters = StandingMeters(round_.meters)
        meters.take_back(contributions(round_))
        return Outcome(None, False, dict(sorted(shown_hands.items())), payments, meters.standing)


class _Dealt:
    """A round while it is settled from its cards: the dealer's hand, every seat's, the meters as they stand at each turn.

    `paid`: what the payout limit has let through so far, by player.
    """

    def __init__(self, game: Holdem, round_: Round) -> None:
        self.game = game
        self.round = round_
        self.rules = round_.submission
        self.seats = from_the_last_seat_down(round_)
        self.dealer, self.hands = game.hands(round_)
        self.qualifies = self.dealer is not None and game.qualifies(self.dealer.name)
        self.meters = StandingMeters(round_.meters)
        self.flop = round_.board[:FLOP_CARDS]
        self.magic_on_the_flop = round_.magic_card in self.flop
        self.flopped: dict[tuple[str, ...], HandName] = {}
        self.dealers_share: Cents | None = None
        self.paid: dict[str | int, Cents] = {}

    def settle(self) -> Outcome:
        payments: list[Payment] = []
        for seat in self.seats:
            payments += self.game.abandoned(self.rules, seat) if seat.abandoned else self.turn(seat)
        return Outcome(self.dealer, self.qualifies, self.hands, payments, self.meters.standing)

    def turn(self, seat: Seat) -> list[Payment]:
        told = self.game.told_of_round(self.round, seat, self.hands[seat.number], self.dealer)
        player = seat.number if seat.player is None else seat.player
        already = self.paid.get(player, NO_MONEY)
        lines = self.game.turn(self.rules, seat, told, self.of_meter, already)
        self.paid[player] = Cents(already + self.game.counted(self.rules, lines))
        return lines

    def of_meter(self, seat: Seat, wager: Wager) -> Iterator[Payment]:
        """A wager that a meter belongs to, with the bonuses that follow it."""
        if wager.settled_by is SettledBy.PROGRESSIVE:
            return self.progressive(seat)
        return self.five_card(seat)

    # Progressive and Envy: 653a.11(k), .12(d), Maryland .11J, .12D

    def progressive(self, seat: Seat) -> Iterator[Payment]:
        """The player's two cards and the flop (653a.12(d)(2), reading 1), folded or not; the meter as it stands."""
        if not self.rules.progressive:
            return
        hand = self.with_the_flop(seat.cards)
        if PROGRESSIVE in seat.wagers:
            yield progressive_payment(self.rules, seat.number, hand, self.price(PROGRESSIVE, hand))
        if hand in self.rules.progressive.envy:
            yield from envy_payments(self.rules, seat.number, hand, envy_receivers(self.seats, seat))

    def with_the_flop(self, cards: tuple[str, ...]) -> HandName:
        """What two cards and the flop are called; asked for several wagers, found once."""
        if cards not in self.flopped:
            self.flopped[cards] = name_of(strength(cards + self.flop))
        return self.flopped[cards]

    # Five Card Hand, Magic Card and Lucky Bonus: 653a.11(l), .12(e)

    def five_card(self, seat: Seat) -> Iterator[Payment]:
        """The wagers on the own hand and on the dealer's, then Magic Card and Lucky Bonus in the same order."""
        backed = [wager for wager in FIVE_CARD if wager in seat.wagers]
        for wager in backed:
            hand = self.with_the_flop(self.hole(seat, wager))
            yield five_card_payment(self.rules, seat.number, wager, hand, self.price(wager, hand))
        for wager in backed:
            if self.magic_on_the_flop or self.round.magic_card in self.hole(seat, wager):
                yield magic_card_payment(self.rules, seat.number, wager)
        for wager in backed:
            if self.round.lucky == (DEALER if self.game.wagers[wager].on_dealer else seat.number):
                yield lucky_payment(self.rules, seat.number, wager)

    def hole(self, seat: Seat, wager: str) -> tuple[str, ...]:
        return self.round.dealer if self.game.wagers[wager].on_dealer else seat.cards

    # A share of a meter

    def price(self, wager: str, hand: HandName) -> Cents | None:
        """What a share of a meter is, which is taken off it; None where the hand wins none.

        On the dealer's hand it is fixed, and taken off, at the turn of the first seat that backed it (reading 4).
        """
        prize = prize_of(self.rules, wager, hand)
        if not isinstance(prize, Share):
            return None
        if not self.game.wagers[wager].on_dealer:
            return price_of(self.rules, wager, prize, self.meters)
        if self.dealers_share is None:
            backers = [seat for seat in self.seats if wager in seat.wagers and not seat.abandoned]
            self.dealers_share = price_of(self.rules, wager, prize, self.meters, len(backers))
        return self.dealers_share


def from_the_last_seat_down(round_: Round) -> list[Seat]:
    """From the player farthest to the dealer's right, counterclockwise (653a.11(h), 677a.11(g), Maryland .11H)."""
    return list(round_.seats.values())[::-1]


def on_its_paytable(
    rules: Submission, seat: Seat, wager: str, row: str, below: Payment | None = None, section: str = ""
) -> Payment:
    """A wager against its posted paytable, or that of another section: paid by the row it wins on.

    Where that is no row of it, `below` is what becomes of the wager; None: it is lost.
    """
    table = rules.paytables[section or wager]
    prize = table.rows.get(row)
    if prize is None:
        return below or lose(seat.number, wager, seat.wagers[wager], rules.book.cites[wager])
    return win(seat.number, wager, seat.wagers[wager], prize, table.cite)


def at_even_money(rules: Submission, seat: Seat, wager: str, stake: Cents) -> Payment:
    """An Ante, Play or Raise of the higher hand (653a.12(a), 677a.12(a), Maryland .12A)."""
    table = rules.paytables[wager]
    return win(seat.number, wager, stake, table.rows["winning hand"], table.cite)


def six_card_row(table: Paytable, cards: tuple[str, ...]) -> str:
    """The best row of six cards, once; without a row of its own a six-card royal is a royal flush (reading 15)."""
    hand = name_of(strength(cards))
    if hand is not HandName.ROYAL_FLUSH:
        return hand
    suit = best_hand(cards).cards[0][1]
    royal: list[str] = [HandName.ROYAL_FLUSH]
    if "9" + suit in cards:
        royal.insert(0, HandName.SIX_CARD_ROYAL_FLUSH)
        if suit == "d":
            royal.insert(0, SIX_CARD_ROYAL_OF_DIAMONDS)
    return next(row for row in royal if row in table.rows)


def _player(given: object, at: str) -> str:
    if type(given) is not str or not 0 < len(given) <= LABEL_MAX:
        raise Refusal(under(at, "player"), f"is {shown(given)}; a label of 1 to {LABEL_MAX} characters is wanted")
    return given


def _alike(cards: list[str], of_flushes: frozenset[str], *, suited: bool) -> Iterator[list[tuple[str, ...]]]:
    """Every two of these cards, those together that make the same: of the same ranks, unless a card is of a suit that a
    flush can be made of, or the two are `suited` and that decides.

    In the order of the deck, the cards and the two of each.
    """
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(card if card[1] in of_flushes else card[0], []).append(card)
    for one in groups.values():
        if len(one) > 1:
            yield [*combinations(one, 2)]
    for one, other in combinations(groups.values(), 2):
        pairs: list[tuple[str, ...]] = [*product(one, other)]
        if one[0][0] == other[0][0]:
            yield [(*sorted(pair),) for pair in pairs]
        elif suited:
            of_two_suits = [pair for pair in pairs if pair[0][1] != pair[1][1]]
            of_one_suit = [pair for pair in pairs if pair[0][1] == pair[1][1]]
            yield from (same for same in (of_two_suits, of_one_suit) if same)
        else:
            yield pairs


def _suits_of_flushes(cards: tuple[str, ...]) -> frozenset[str]:
    """The suits of which two cards more can make a flush with these."""
    suits = [card[1] for card in cards]
    return frozenset(suit for suit in suits if suits.count(suit) >= FIVE - 2)


def _of_what_lies_there(cards: tuple[str, ...]) -> Hand:
    return best_hand(cards) if len(cards) >= FIVE else few_cards(cards)
