"""A game against a dealer, street by street: one seat is settled completely before the next; void rounds.

A game of this kind is a subclass with `against_the_dealer`: its base, its companion and its deciding wagers. All other
wagers are settled by what its book says they are settled by.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping

from firmware.rules.book import Book
from firmware.rules.flop import FLOP_CARDS
from firmware.rules.games.game import Game
from firmware.rules.hands import RANKED, Hand, HandName
from firmware.rules.meter_wagers import (
    contributions,
    envy_payments,
    envy_receivers,
    lucky_payment,
    magic_card_payment,
    meter_payment,
    price_of,
    prize_of,
)
from firmware.rules.money import NO_MONEY, Cents, dollars
from firmware.rules.payment import Outcome, Payment, StandingMeters, limited, lose, push, void, win
from firmware.rules.paytable import Paytable, Share
from firmware.rules.procedure import Street
from firmware.rules.seat import DEALER, FOLDS, LEAVES, Choice, Decision, Round, Seat
from firmware.rules.strict import Keys, Refusal, amount, fields, shown, text, under
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, RESULTS, Told
from firmware.rules.wager import SettledBy, Wager

LABEL_MAX = 40
_LEFT = {"fold": FOLDS, "abandoned": LEAVES}
_PLAY = Keys("at", "wager")


class Streets(Game):
    """A game with streets. `sides`: the wagers beside the comparison, in the order of a seat's turn, those that a
    payout limit covers apart.
    """

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        beside = [book.wagers[name] for name in book.order]
        self.of_section = {
            wager.section: tuple(one for one in beside if one.section == wager.section)
            for wager in beside
            if wager.of_meter
        }
        together = {wager for wagers in self.of_section.values() for wager in wagers[1:]}
        sides = [wager for wager in beside if wager.settled_by is not SettledBy.COMPARISON and wager not in together]
        covers = book.limit.covers if book.limit else ()
        last = max((place + 1 for place, wager in enumerate(sides) if wager.name in covers), default=0)
        self.sides_within_the_limit = sides[:last]
        self.sides = [(wager, wager.of_meter) for wager in sides[last:]]
        of_meters = [place for place, wager in enumerate(sides) if wager.of_meter]
        self.after_meters = frozenset(wager.name for wager in sides[max(of_meters, default=len(sides)) :][1:])
        self.streets: Mapping[str, Street] = {street.name: street for street in book.procedure.streets}

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
        """Without a qualifying dealer it is returned in any case (readings 9, 10); else it follows the comparison."""
        number, stake, cites = seat.number, seat.wagers[self.base], rules.book.cites
        if not told.qualifies:
            return push(number, self.base, stake, cites["no_pair"])
        if told.compared > 0:
            return at_even_money(rules, seat, self.base, stake)
        return (lose if told.compared else push)(number, self.base, stake, cites[told.result])

    def lost_by_fold(self, rules: Submission, seat: Seat) -> Iterator[Payment]:
        """Ante and companion of a folded hand, and its wagers of earlier streets."""
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
        """The part of a player's payout limit that these payments use up; nothing if each hand has its own."""
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
        """The rows of the paytables that are read for the hand after a loss only."""
        whatever = [table.wager for table in self.paid_by_the_hand(rules, seat, "")]
        after_a_loss = self.paid_by_the_hand(rules, seat, "lower")
        return frozenset(row for table in after_a_loss if table.wager not in whatever for row in table.rows)

    # From the cards --------------------------------------------------------------------------------------------------

    def settle(self, round_: Round) -> Outcome:
        """From the last seat down, one seat completely before the next."""
        if round_.void:
            return self.settle_void(round_)
        return _Dealt(self, round_).settle()

    def settle_void(self, round_: Round) -> Outcome:
        """Every wager is returned, also of a folded or left hand, except for those that are still settled (reading 12)."""
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
                    hand = shown_hands[seat.number] = self.what_lies((*seat.cards, *round_.board))
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

    def __init__(self, game: Streets, round_: Round) -> None:
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
        """The wagers with a meter of one section, on the own hand and on the dealer's, with the bonuses that follow them.

        Two cards and the flop (653a.11(k), (l), .12(d)(2), (e), Maryland .11J, reading 1), folded or not; the meter as it
        stands. Then envy, Magic Card and Lucky Bonus, each in the same order.
        """
        if (offer := self.rules.offers.get(wager.name)) is None:
            return
        made = [one for one in self.game.of_section[wager.section] if one.name in seat.wagers]
        for one in made:
            hand = self.with_the_flop(self.hole(seat, one))
            yield meter_payment(self.rules, seat.number, one.name, hand, self.price(one.name, hand))
        if offer.envy and (hand := self.with_the_flop(seat.cards)) in offer.envy:
            yield from envy_payments(self.rules, seat.number, hand, envy_receivers(self.rules, self.seats, seat))
        if "magic_card" in offer.drawn:
            for one in made:
                if self.magic_on_the_flop or self.round.magic_card in self.hole(seat, one):
                    yield magic_card_payment(self.rules, seat.number, one.name)
        if "lucky_bonus" in offer.drawn:
            for one in made:
                if self.round.lucky == (DEALER if one.on_dealer else seat.number):
                    yield lucky_payment(self.rules, seat.number, one.name)

    def with_the_flop(self, cards: tuple[str, ...]) -> HandName:
        """The name of two cards and the flop; asked for several wagers, found once."""
        if cards not in self.flopped:
            self.flopped[cards] = self.game.name_of(cards + self.flop)
        return self.flopped[cards]

    def hole(self, seat: Seat, wager: Wager) -> tuple[str, ...]:
        return self.round.dealer if wager.on_dealer else seat.cards

    # A share of a meter

    def price(self, wager: str, hand: HandName) -> Cents | None:
        """The share of a meter, which is taken off it; None if the hand wins none.

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

    `below`: the result of a wager that wins on no row; None: it is lost.
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


def _player(given: object, at: str) -> str:
    if type(given) is not str or not 0 < len(given) <= LABEL_MAX:
        raise Refusal(under(at, "player"), f"is {shown(given)}; a label of 1 to {LABEL_MAX} characters is wanted")
    return given
