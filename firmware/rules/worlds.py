"""The hands that may lie on the table: what fits all that is known, what is still to be asked, and what contradicts what.

A world is a name for the dealer's hand, a kind of flop, and a name for every hand. A world lives if each seat has a name
left that fits what was said of it, beside all the others. An answer is offered if a world lives with it; a fact is refused
if none does, for the facts that `conflict` names. Cards that are known leave a seat only what they make: of a whole board
every two cards of the deck that lie nowhere else are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from firmware.rules.cards import DECK
from firmware.rules.flop import FLOP_CARDS, Flop, flop_of, least
from firmware.rules.games.game import ANY_TIE
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANK_OF, RANKED, HandName
from firmware.rules.known import Fact, Known, Said, facts, without
from firmware.rules.payline import told_of_cards
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, Made, Told
from firmware.rules.wager import SettledBy

Choices = Mapping[str, tuple[str, ...]]
"""Question -> its choices, highest first; NONE_OF_THESE is below them all, or on no row."""
Hands = Iterable[tuple[str, frozenset[str]]]
"""The result of each seat, "" of one that is not compared or was not told, and the names that its hand can have."""

ASKED_MAX = 4096
"""Questions of seats that are kept: of all seats with the same wagers they are the same, and again in later rounds."""
BOARDS_MAX = 4
BOUGHT_MAX = 64
HANDS_MAX = 256

NO_HAND = ""
"""The value of fewer than five cards, which leave any name."""
NO_NAME: frozenset[str] = frozenset()


class _Room(NamedTuple):
    """The rest that other seats leave to one more: the rows for which a deck is counted; the results with the names of
    hands by their own words alone; the names that are left to the dealer's hand; the names if nobody's is below the
    flop; the cards before players; names of two cards and the flop.
    """

    counted: tuple[Said, ...]
    hands: Hands
    dealers: frozenset[str]
    at_least: frozenset[str]
    lying: frozenset[str]
    prizes: frozenset[str]


class Worlds:
    """The reasoner of one table: the law of its game, and the wagers that it offers."""

    def __init__(self, rules: Submission) -> None:
        self.rules = rules
        self.game = game = game_of(rules.book.name)
        self._on_cards = (*game.settled_by(SettledBy.POCKET), *game.settled_by(SettledBy.SIX))
        self._never_asked = frozenset({"qualifies", *game.settled_by(SettledBy.DECLARED)})
        self._by_hand = frozenset(game.settled_by(SettledBy.HAND))
        self._at_once = frozenset(rules.paytables["instant"].rows) if "instant" in rules.paytables else NO_NAME
        self._of_meters = bool(rules.offers)
        self._on_the_board = game.on_the_board
        self.questions = lru_cache(maxsize=ASKED_MAX)(self._questions)
        self._possible = lru_cache(maxsize=ASKED_MAX)(self._that_may_be)
        self.possible = lru_cache(maxsize=ASKED_MAX)(self._is_possible)
        self._every_choice = lru_cache(maxsize=ASKED_MAX)(self._all_that_is_asked)
        self._of_cards = lru_cache(maxsize=HANDS_MAX)(self._made_of_cards)
        self._of_board = lru_cache(maxsize=BOARDS_MAX)(self._every_two_cards)
        self._of_bought = lru_cache(maxsize=BOUGHT_MAX)(self._every_sixth_card)

    # Questions ---------------------------------------------------------------------------------------------------------

    def _questions(self, known: Known, said: Said) -> Choices:
        """All that the law wants to know of a seat, each with the choices that may be true; an answer that was given, or
        that alone may be true, is the only choice. `known`: the facts beside this seat.

        If the words contradict themselves, the seat's own words count, and then none.
        """
        alone = known.alone()
        found = self._possible(alone, said, self._room(known, said))
        if not all(found.values()):
            found = self._possible(alone, said, self._room(alone, said))
            found = {about: found[about] or choices for about, choices in self._asked(known, said).items()}
        result = found.get("result", ())
        if len(result) == 1 and not said.result:  # what else is asked depends on it
            return {**self.questions(known, said.saying("result", *result)), "result": result}
        return found

    def open(self, known: Known, said: Said) -> Choices:
        """The questions about a seat that only the dealer can answer: those with more than one choice."""
        return {about: choices for about, choices in self.questions(known, said).items() if len(choices) > 1}

    def _that_may_be(self, known: Known, said: Said, room: _Room) -> Choices:
        """Each question's choices with which a world lives; the answer alone if there is one."""
        asked, made = self._asked(known, said), self._made(known, said, room.lying)
        fits = None if made is None else self._that_fit(made, said, asked)
        found: dict[str, tuple[str, ...]] = {}
        for about, choices in asked.items():
            held, given = self._held(known, said, room, fits, about, choices), said.answer(about)
            found[about] = tuple([one for one in choices if given is None and self._lives(known, room, *held(one))])
            found[about] = found[about] if given is None else (given,)
        return found

    def _held(
        self, known: Known, said: Said, room: _Room, fits: list[Made] | None, about: str, choices: tuple[str, ...]
    ) -> Callable[[str], tuple[Said, frozenset[str]]]:
        """The words about a seat after an answer, and the names of its hand that are left then.

        `fits`: the values of its cards by all words about it; None if nothing is known of them. A hand that is none of
        the choices is another one after each result.
        """
        by_name = fits is None or (about == "result" and said.answer("hand") is not None)

        def held(choice: str) -> tuple[Said, frozenset[str]]:
            after = self.answering(said, about, choice)
            if by_name or after.compared != said.compared:
                return after, self._names(known, after, room.lying)
            return after, self._named([one.hand for one in fits or () if one.agrees(about, choice, choices)])

        return held

    def answering(self, said: Said, about: str, choice: str) -> Said:
        """The words about a seat after this answer: a hand that an instant payout follows has no Bet (671a.11(c)(3))."""
        if about == "hand" and choice in self.owed(said):
            return said.paid_at_once(choice)
        return said.saying(about, choice)

    def _asked(self, known: Known, said: Said) -> Choices:
        """Every question of a seat with all choices there are."""
        return self._every_choice(said.asked_about, said.result, bool(known.qualifies), known.still)

    def _all_that_is_asked(self, said: Said, result: str, qualifies: bool, still: tuple[str, ...] | None) -> Choices:
        seat = said.seat(self.game)
        if seat.abandoned:
            return {}
        asked = self.game.asks(self.rules, seat, result, qualifies)
        by_hand = still is not None and not self._by_hand.isdisjoint(still)
        return {
            about: choices
            for about, choices in asked.items()
            if about.partition(":")[0] not in self._never_asked
            and (still is None or about in still or (about == "hand" and by_hand))
        }

    def told(self, known: Known, said: Said) -> Told:
        """All that is known of a seat in the law's form; an answer that alone may be true needs nobody to give it."""
        found = {about: choices[0] for about, choices in self.questions(known, said).items() if len(choices) == 1}
        given = {**found, **dict(said.answers)}
        hands = {about: given.pop(about, "") for about in ("result", "hand", "dealer_hand", "second")}
        return Told(
            qualifies=bool(known.qualifies) if said.compared else known.qualifies is not False,
            result=hands["result"],
            hand=hands["hand"],
            dealer_hand=hands["dealer_hand"] or known.hand or self._dealers_row(known),
            side={**{wager: row for wager, row in given.items() if row}, **dict(said.rows)},
            second=hands["second"],
            dealer_row=known.row,
        )

    def _dealers_row(self, known: Known) -> str:
        """The row of the dealer's hand as it was told at any seat (653a.11(j)(2))."""
        told = (said.answer("dealer_hand") for _, said in known.seats)
        return next((row for row in told if row), "")

    def may_be_beaten_well(self, known: Known, said: Said) -> bool:
        """A good hand of this seat that loses is paid for it, and can be: a bad beat (653a.12(g), 677a.12(c))."""
        paid = self.game.paid_to_losers(self.rules, said.seat(self.game)) if said.compared else frozenset()
        if not paid:
            return False
        lost = said.answering((("result", "lower"),))
        others, choices = self._room(known, lost), self._asked(known, lost).get("hand", ())
        beaten = (lost.saying("hand", one) for one in choices if one in paid)
        return any(self._lives(known, others, said, self._names(known, said, others.lying)) for said in beaten)

    # Possible hands ----------------------------------------------------------------------------------------------------

    def _is_possible(self, known: Known) -> bool:
        """A world lives: nothing that is known contradicts itself."""
        room = self._room(known, Said())
        return self._some_world_lives(known, room.hands, room.dealers & self._of_prizes(known.prizes), room.prizes)

    def conflict(self, known: Known) -> tuple[Fact, ...]:
        """Facts that cannot all be true, and could without any one of them, cards rather than words; () where all can."""
        if self.possible(known):
            return ()
        for one in sorted(facts(known), key=lambda one: one.lies_open):
            if not self.possible(fewer := without(known, one)):
                known = fewer
        return tuple(facts(known))

    def consistent(self, known: Known) -> Known:
        """The same without words that contradict others, or cards."""
        while found := self.conflict(known):
            known = without(known, max(found, key=lambda one: (not one.lies_open, one.seat)))
        return known

    def deck_has_the_rows(self, known: Known) -> bool:
        """The cards of one deck are enough for every row that was told (671a.3(a), 653a.6(d))."""
        return self._deck_has(known, [said for _, said in known.seats])

    def least(self, known: Known) -> HandName:
        """The lowest hand that anybody has, by what is known of the flop (653a.12(d)(2))."""
        return least(self._flops(known, [said for _, said in known.seats]))

    def names(self, known: Known, said: Said) -> frozenset[str]:
        """The names that a seat's hand can have by what was said of it alone."""
        return self._names(known, said, self._lying([said, *[other for _, other in known.seats]]))

    def hand_of(self, known: Known, said: Said) -> str:
        """The name of a seat's hand by its cards."""
        return self._of_cards(known.open_cards(), said.bare()).hand

    def _room(self, known: Known, said: Said) -> _Room:
        """The rest that all other seats leave to one more, before any answer about it."""
        seats = [other for _, other in known.seats]
        lying, flops = self._lying(seats), self._flops(known, [*seats, said])
        at_least = self._not_below(least(flops)) if flops and self._deck_has(known, [*seats, said]) else NO_NAME
        hands = [(other.compared_as, self._names(known, other, lying) & at_least) for other in seats]
        dealers = self._dealers(known, seats) & at_least if self._dealer_has_the_prizes(known) else NO_NAME
        twice = [name for name in self._on_the_board if sum(names == {name} for _, names in hands) > 1]
        for name in twice:
            at_least, dealers = at_least & {name}, dealers & {name}
        prizes = frozenset([*known.prizes, *[prize for other in seats for prize in other.prizes]])
        return _Room(self._counted(seats), frozenset(hands), dealers, at_least, lying, prizes)

    def _not_below(self, name: HandName) -> frozenset[str]:
        """The names of hands that are no lower."""
        return self.game.names if name is HandName.HIGH_CARD else frozenset(RANKED[RANK_OF[name] :])

    def _lives(self, known: Known, room: _Room, said: Said, mine: frozenset[str]) -> bool:
        """A world lives with this said of one more seat, whose hand has one of these names."""
        mine &= room.at_least
        hands = [*room.hands, (said.compared_as, mine)]
        prizes = room.prizes.union(said.prizes)
        if not (mine and self._some_world_lives(known, hands, self._as_told(room.dealers, said), prizes)):
            return False
        about = said.answers[-1][0]
        return not (about == "instant" or about in self._on_cards) or self._deck_has(known, [*room.counted, said])

    def _counted(self, seats: Iterable[Said]) -> tuple[Said, ...]:
        """Only what the deck is counted by."""
        counted = (*self._on_cards, "instant")
        answers = [tuple([one for one in said.answers if one[0] in counted]) for said in seats]
        there = zip(seats, answers, strict=True)
        return tuple([said.counted(rows) for said, rows in there if rows or said.rows or said.first or said.cards])

    def _lying(self, seats: Iterable[Said]) -> frozenset[str]:
        """The cards that lie before a player; those of the board and the dealer are known by themselves."""
        return frozenset([card for said in seats for card in (*said.cards, *said.first)])

    def _some_world_lives(self, known: Known, hands: Hands, dealers: frozenset[str], prizes: frozenset[str]) -> bool:
        if known.void or known.qualifies is None:
            return bool(dealers) and all(names for _, names in hands)
        return any(self._fits(dealer, hands, prizes) for dealer in dealers)

    def _fits(self, dealer: str, hands: Hands, prizes: frozenset[str]) -> bool:
        """A name is left for every seat beside a dealer's hand of this name."""
        game, names, tied, lost = self.game, list[frozenset[str]](), False, False
        for result, left in hands:
            if result:
                left &= game.compared(result, dealer)
                tied, lost = tied or result == "equal", lost or result == "lower"
            if not left:
                return False
            names.append(left)
        everybodys = game.names
        if tied and (tie := game.beside_a_tie(dealer)) is not ANY_TIE:
            if not (prizes <= tie.prizes and (tie.leaves_less or not lost)):
                return False
            everybodys = tie.names
        for name in self._on_the_board:
            if sum(left == {name} for left in names) + (dealer == name) > 1:
                everybodys &= {name}
        return everybodys is game.names or (dealer in everybodys and all(left & everybodys for left in names))

    def _dealers(self, known: Known, seats: Iterable[Said]) -> frozenset[str]:
        """The names that the dealer's hand can have by all that was said of it (653a.11(g), (j)(2), 671a.11(e))."""
        game = self.game
        names = game.names if known.qualifies is None else game.dealers_hands[known.qualifies]
        names &= game.dealers_on_row(known.row)
        names &= {known.hand} if known.hand else names
        if known.qualifies:  # one that was found not to qualify leaves no answer out: the prize is put right
            names &= self._of_prizes(known.prizes)
        for said in seats:
            names = self._as_told(names, said)
        return names

    def _as_told(self, dealers: frozenset[str], said: Said) -> frozenset[str]:
        """The part of these names that the answer about the dealer's hand leaves; none of its rows is below them all."""
        row = said.answer("dealer_hand")
        if row is None:
            return dealers
        return dealers & {row} if row else dealers.difference(self._dealers_rows(said))

    def _dealers_rows(self, said: Said) -> Iterable[str]:
        return self.game.asks(self.rules, said.seat(self.game), said.result, True).get("dealer_hand", ())

    def _dealer_has_the_prizes(self, known: Known) -> bool:
        """A player's two cards and the flop are one hand, and by their cards this one (653a.11(l))."""
        made = self.game.prize_hand(known.dealer, known.board) if known.prizes else ""
        return len({*known.prizes, *([made] if made else [])}) <= 1

    # One seat ------------------------------------------------------------------------------------------------------------

    def _names(self, known: Known, said: Said, lying: frozenset[str]) -> frozenset[str]:
        made = self._made(known, said, lying)
        if made is not None:
            return self._named([one.hand for one in self._that_fit(made, said, self._asked(known, said))])
        rows = dict((*said.rows, *said.answers))
        names = self.game.hands_on_rows(rows, said.option)
        if known.qualifies is False and not known.void:
            names &= self.game.beside_the_dealer(False)
        names = (names & self._of_prizes(said.prizes)).difference(self.owed(said))
        for about, answer in said.answers:
            if about == "instant" or (about == "hand" and answer):
                names &= {answer}
            elif about == "hand":
                names = names.difference(self._asked(known, said).get("hand", ()))
            elif about == "second":
                names &= self.game.hands_beside_second(rows, said.option, answer)
        return names

    def _that_fit(self, made: Iterable[Made], said: Said, asked: Choices) -> list[Made]:
        """The known cards that fit the words about the seat."""
        told = [(about, answer, asked[about]) for about, answer in said.answers if about in asked]
        at_once = said.answer("instant")
        return [
            one
            for one in made
            if at_once in (None, one.hand)
            and all(one.agrees(*each) for each in told)
            and all(prize == (one.flopped or prize) for prize in said.prizes)
        ]

    def _named(self, hands: Iterable[str]) -> frozenset[str]:
        """These names; any, where too few cards make one."""
        named = frozenset(hands)
        return self.game.names if NO_HAND in named else named

    def owed(self, said: Said) -> frozenset[str]:
        """The hands that are owed the instant payout, so that no Bet is won with them: of the first five cards, and not of
        what was drawn for a fee (671a.11(b)(2), (c)(3)).
        """
        return self._at_once if said.compared and said.option is None else NO_NAME

    def _made(self, known: Known, said: Said, lying: frozenset[str]) -> frozenset[Made] | None:
        if said.cards:
            return frozenset([self._of_cards(known.open_cards(), said.bare())])
        if said.first and said.option == 0 and said.compared:
            return self._of_bought(said.bare(), known.dealer, lying.difference(said.first))
        if len(known.board) < self.game.board_cards or not known.board:
            return None
        found = self._of_board(known.board, known.dealer, known.six)
        return frozenset([made for made, owns in found.items() if any(lying.isdisjoint(own) for own in owns)])

    def _made_of_cards(self, known: Known, said: Said) -> Made:
        """The values of a seat's cards; without a known dealer there is no result."""
        seat, cards = said.seat(self.game), said.cards
        told = told_of_cards(self.rules, replace(seat, cards=cards), known.board, known.dealer, known.six)
        rows = {wager: told.side.get(wager, NONE_OF_THESE) for wager in self._on_cards if wager in said.wagers}
        if not known.six:
            rows = {wager: row for wager, row in rows.items() if wager not in self.game.settled_by(SettledBy.SIX)}
        rows["second"] = self.game.second_of(self.rules, cards)
        flopped = self.game.prize_hand(cards, known.board) if self._of_meters else ""
        return Made(told.result or None, told.hand, tuple(rows.items()), flopped)

    def _every_two_cards(
        self, board: tuple[str, ...], dealer: tuple[str, ...], six: tuple[str, ...]
    ) -> Mapping[Made, list[tuple[str, ...]]]:
        """The values that a whole board allows, each with its two cards."""
        found: dict[Made, list[tuple[str, ...]]] = {}
        last, owns = None, list[tuple[str, ...]]()
        for own, made in self.game.made_beside(self.rules, board, dealer, six).items():
            if made is not last:
                last, owns = made, found.setdefault(made, [])
            owns.append(own)
        return found

    def _every_sixth_card(self, said: Said, dealer: tuple[str, ...], lying: frozenset[str]) -> frozenset[Made]:
        """Five cards that are known, and any one of the deck that lies nowhere else (671a.11(d)(1)(i))."""
        known = Known(dealer=dealer)
        left = [card for card in DECK if card not in lying.union(dealer, said.first)]
        return frozenset([self._made_of_cards(known, said.holding(*said.first, card)) for card in left])

    def _of_prizes(self, prizes: tuple[str, ...]) -> frozenset[str]:
        """The names that a hand can have when the cards of its prize were named so; two names cannot both be."""
        if not prizes:
            return self.game.names
        return self.game.hands_with_prize(prizes[0]) if len({*prizes}) == 1 else NO_NAME

    # All seats ---------------------------------------------------------------------------------------------------------

    def _flops(self, known: Known, seats: Iterable[Said]) -> frozenset[Flop]:
        """The flops that are possible with the hands that were named (653a.12(d)(2))."""
        named = {*known.prizes}
        hands = [*list(named)[:1], *[said.prizes[0] for said in seats if said.prizes]]
        left = self.game.flops(hands, qualifies=known.void or known.qualifies is not False)
        if known.board:
            left &= {flop_of(known.board[:FLOP_CARDS])}
        return left

    def _deck_has(self, known: Known, seats: Sequence[Said]) -> bool:
        """One deck has the cards for all rows that were told (671a.3(a), 653a.6(d))."""
        return all(self._deck_has_rows(known, seats, wager) for wager in self._on_cards) and self._deck_has_declared(
            known, seats
        )

    def _deck_has_rows(self, known: Known, seats: Sequence[Said], wager: str) -> bool:
        rows = [row for said in seats if not said.cards and (row := said.answer(wager)) is not None]
        return not rows or self.game.can_be_dealt(
            wager, rows, (*self._lying(seats), *known.board, *known.dealer, *known.six)
        )

    def _deck_has_declared(self, known: Known, seats: Sequence[Said]) -> bool:
        """Beside the first five cards of every hand that are known."""
        declared = self.game.declared
        if not declared:
            return True
        first = [said.first or (said.cards if said.option is None else ()) for said in seats]
        told = [said.answer("instant") or dict(said.rows).get(declared, "") for said in seats]
        rows = [row for row, cards in zip(told, first, strict=True) if row and not cards]
        rows += [known.row] if known.row and not known.dealer else []
        return not rows or self.game.can_be_dealt(
            declared, rows, [*known.dealer, *(card for cards in first for card in cards)]
        )
