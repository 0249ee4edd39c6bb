"""A casino's auditor at one table: chips, meters, accounts and decks as they truly lie, followed by hand and by law.

The auditor knows four things. The people of a simulation tell the cards as they lay and the chips that players put down,
for they did it. The dealer's screen (`reading`) says the work of hands, which is taken as done. The round as a file,
settled as `felt settle` settles it, is right. The bank publishes its meters.

The auditor never sees an event, the state of a table, or its memory. When a round is cleared everything is compared; a
difference is one line that names the round, the seat, the paragraph and the money.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, takewhile
from operator import itemgetter
from typing import Any

from firmware.proof.simulation.account_books import Books, Choice, Moved
from firmware.proof.simulation.account_law import AtTable, Right, holder, right_of
from firmware.proof.simulation.hands import Cards
from firmware.proof.simulation.screen_reader import (
    Glass,
    Remembering,
    cents,
    deck_in_play,
    decks,
    in_chips,
    named_in,
    rows,
    seat_in,
    to_pay,
    to_take,
)
from firmware.rules.games.registry import game_of
from firmware.rules.meter_wagers import LUCKY, MAGIC_CARD, fed_by
from firmware.rules.money import Cents, Micros
from firmware.rules.payment import Payment
from firmware.rules.seat import DEALER
from firmware.rules.submission import Submission
from firmware.rules.wager import FIVE_CARD, PROGRESSIVE

CARDS = ("hand", "cards")
"""Screens on which cards are entered, one after the other."""
OF_METERS = frozenset({PROGRESSIVE, "envy", *FIVE_CARD, *MAGIC_CARD.values(), *LUCKY.values()})
VOIDS: Mapping[str, Mapping[str, Any]] = {
    "face-up": {"kind": "cards_face_up", "after_initial_deal": False},
    "face-up-later": {"kind": "cards_face_up", "after_initial_deal": True},
    "wrong-number": {"kind": "incorrect_number_of_cards"},
    "dealer-exposed": {"kind": "dealer_card_exposed"},
    "shoe-fault": {"kind": "dealing_shoe_fault"},
    "shuffler-fault": {"kind": "shuffler_fault"},
    "misdealt": {"kind": "stub_count", "cards": 51},
    "not-52": {"kind": "stub_count", "cards": 51},
    "fouled": {"kind": "fouled_deck"},
}
"""A floorperson's act -> its name in a round's file. Misdealt cards void it like a count that is off."""
KEPT = 24
"""Presses that may be taken back one after the other."""
GOES_BACK = re.compile(r"\bgo(es)? back\b")
"""The kinds that void a round; after one that returned all a deck leaves, and no more."""
ON_DEALER = re.compile(r"DEALER: .*")
DECK_LEAVES = "The deck leaves the table"
DECK_CARDS = 52
CHIPS = " × "
_ENGLISH = Remembering()


class Unbalanced(AssertionError):
    """The moved money differs from the cards, the chips and the law."""


class Account:
    """One table's auditor. `who`: what a difference is introduced with, the book and the seed. `counts`: its shuffler says
    after every shuffle whether 52 cards are there.
    """

    def __init__(self, submission: Submission, level: int, seats: int, who: str = "", *, counts: bool = False) -> None:
        self.submission, self.level, self.seats, self.who, self.counts = submission, level, seats, who, counts
        self.game = game_of(submission.book.name)
        self.names = dict(_names(self))
        self.books = Books(meters={name: meter.seed for name, meter in submission.meters.items()})
        self._past: list[Books] = []
        self._deeds: Mapping[str, Callable[[Glass, str, Glass], None]] = {
            "box": self._sits,
            "left": self._leaves,
            "next": self._answered,
            "choose": self._elected,
            "seat": self._tapped,
            "supers-settled": self._first_pass,
            "bets": self._drawn,
            "folds": self._drawn,
            "hand": self._named,
            "five": self._named,
            "paid": self._prize,
            "claim-paid": self._claimed,
            "claim-rejected": self._rejected,
            "envy-paid": self._envied,
            "chips": self._buys_in,
            "cash-out": self._cashes_out,
            "problem": self._troubled,
            "apply": self._signed,
            "correct": self._corrected,
            "received": self._decks_come,
            "preinspected": self._decks_come,
            "defect": self._decks_go,
            "fetch": self._decks_go,
            "shut-short": self._decks_go,
            "emptied": self._emptied,
            "dealt": self._dealt,
            "stub-right": self._stub_counted,
            "clear": self._cleared,
        }

    @property
    def tally(self) -> Counter[str]:
        """How many rounds were compared."""
        return Counter({"rounds in the account": self.books.compared})

    # Deeds of people ------------------------------------------------------------------------------------------------------

    def deals(self, cards: Cards) -> None:
        """The cards of this round, as they lie."""
        self.books.cards = cards

    def draws(self, magic: str, lucky: int | None) -> None:
        """The Magic Card and the lucky position that would be drawn in this round, "" and None for none."""
        self.books.drawn = (magic, lucky)

    def holds_both(self, seat: int, *, both: bool) -> None:
        """The player of this box holds the one before it too (677a.7(e)), or they are two people's from now on."""
        self.books.joined = self.books.joined | {seat} if both else self.books.joined - {seat}

    def pushes(self, seat: int, hand: str) -> None:
        """A Five Card Hand button: the wager leaves the player's account (653a.7(d)(4))."""
        self.books.pushed |= {(seat, hand)}
        self.books.credits[seat] -= self.submission.offers[FIVE_CARD[hand == "dealer"]].wager

    def can_push(self, seat: int) -> bool:
        """This player's account holds the price of a button."""
        offers = self.submission.offers
        return any(self.books.credits[seat] >= offers[wager].wager for wager in self.submission.by_account)

    def sweeps(self, seats: Iterable[int]) -> None:
        """The progressive chips that truly lay: into the table inventory, not into the drop box (653a.8(b)).

        Each feeds its meters (653a.12(d)(3)), as each button does.
        """
        offer, books = self.submission.offers[PROGRESSIVE], self.books
        books.lit = frozenset(seats)
        for seat in books.lit:
            books.players[seat] -= offer.wager
            books.rack += offer.wager
        for wager in (*(PROGRESSIVE for _ in books.lit), *(FIVE_CARD[hand == "dealer"] for _, hand in books.pushed)):
            for meter in fed_by(wager, self.submission):
                books.meters[meter.name] = Micros(books.meters[meter.name] + meter.contribution)

    # Orders to hands ------------------------------------------------------------------------------------------------------

    def sees(self, before: Glass, word: str, after: Glass) -> None:
        """A key was pressed on one screen, and there is another: hands did what the first one said.

        A press that changed nothing to be seen was refused. UNDO takes chips back to where they lay.
        """
        if before == after:
            if word in before.keys and word.startswith("choose "):  # what everybody does who is not tapped
                self._elected(before, word, after)
            return
        if word == "undo" and before.name == after.name in CARDS:
            return
        if word == "undo":
            self.books = self._past.pop() if self._past else self.books
        else:
            self._past = [*self._past[1 - KEPT :], self.books]
            self.books = self.books.copy()
            if self._open_at(before):
                self._pays_by_tiles(before, word, after)
            else:
                self._pays_seat(before, word)
            self._pays_on_dealer(before, after)
            if deed := self._deeds.get(word.partition(" ")[0]):
                deed(before, word, after)
            self._paid_with_an_envy(after)
        self.looks(after)

    def looks(self, glass: Glass) -> None:
        """A screen's own words: stakes as they are entered, accounts, returns, decks, recipes of chips."""
        books = self.books
        self._chips_add_up(glass)
        self._names_whom(glass)
        if glass.name == "stakes":
            self._staked(glass)
        elif glass.name == "ask" and not self.game.elections:
            for seat in [seat for seat, one in books.choices.items() if one.at == self._street(glass)]:
                self._decides(glass, seat)
        elif glass.name == "void":
            books.returned = dict(books.earlier)
            for seat, (wagers, chip) in self._returned(glass):
                before = books.earlier.get(seat, (0, 0))
                books.returned[seat] = before[0] + wagers, before[1] + chip
            books.taken_back = dict(_of_seats(glass, "Take back"))
            books.of_left = dict(_of_seats(glass, "Player left"))
        elif glass.name in ("open", "accounts"):
            self._check_credits(glass)
        if "rail-decks" in glass.said:
            self._decks_seen(glass)

    def _sits(self, before: Glass, word: str, after: Glass) -> None:
        """A player takes part with the least that plays, or takes the chips back, and so do the backers of that hand."""
        seat, boxes = _number(word), self.books.boxes
        if seat not in boxes:
            boxes[seat] = dict(self.game.default_stakes(self.submission))
            return
        del boxes[seat]
        self._gets_up(seat)

    def _gets_up(self, seat: int) -> None:
        """Nobody backs a hand that is not dealt, or holds the box and the one beside it."""
        boxes = self.books.boxes
        self.books.joined -= {seat, seat + 1}
        for other, stakes in boxes.items():
            boxes[other] = {wager: stake for wager, stake in stakes.items() if wager != self.game.on_hand(seat)}

    def _staked(self, glass: Glass) -> None:
        """The dealer enters what lies there until the keys of the wagers say so."""
        said: dict[str, int] = {}
        seat = 0
        for word, widget in glass.keys.items():
            found = re.fullmatch(r"stakes (\d+) (\S+)", word)
            if found:
                seat = int(found[1])
                said[found[2]] = cents(glass.text(widget))
        if seat in self.books.boxes and said.get(self.game.base):
            said |= {name: said.get(name, said[self.game.base]) for name in self.game.along_with_base}
            self.books.boxes[seat] = {wager: stake for wager, stake in said.items() if stake}

    def _leaves(self, before: Glass, word: str, after: Glass) -> None:
        """A player leaves, or is still there: with all boxes whose turn is not over (653a.7(b), .7(e))."""
        books = self.books
        if seat := _number(word):
            over = {one.seat for one in books.moves if one.why == "seat"}
            his = {box for box in books.boxes if holder(books, box) == holder(books, seat)} - over
            books.left ^= {seat, *(box for box in his if (box in books.left) == (seat in books.left))}

    # Decisions

    def _tapped(self, before: Glass, word: str, after: Glass) -> None:
        """A tapped player has answered: the wager lies there, also while others are still asked."""
        if before.name == "deal" and after.name == "ask":
            self._dealt(before, word, after)
        if before.name in ("ask", "deal") and after.name == "ask" and not self.game.elections:
            self._decides(after, _number(word))

    def _elected(self, before: Glass, word: str, after: Glass) -> None:
        """A bet or an options fee lies there from then on; a player who is not tapped puts the bet down when all have
        answered.
        """
        self._decides(after, seat_in(before.text("prompt")))

    def _answered(self, before: Glass, word: str, after: Glass) -> None:
        """All have answered as their tiles say; while the cards are dealt nobody was tapped yet."""
        if before.name == "deal":
            self._dealt(before, word, after)
            for seat in self.books.boxes if self.game.elections else ():
                self._bets(seat)
        if before.name == "ask":
            for seat in self.books.boxes:
                if self.game.elections or f"seat {seat}" in before.keys:
                    self._decides(before, seat)

    def _decides(self, glass: Glass, seat: int) -> None:
        """A tile's answer: the player's choice, and its stake."""
        if seat in self.books.left:
            return
        said = " ".join(glass.tile(seat)).upper()
        if self.game.elections:
            self.books.choices[seat] = self._election(said)
            return
        street = self._street(glass)
        if said.startswith("FOLD"):
            self.books.choices[seat] = Choice("fold", street)
        elif (amount := cents(said)) and not said.startswith("CHECK"):
            self.books.choices[seat] = Choice("play", street, amount)
        else:
            self.books.choices.pop(seat, None)

    def _bets(self, seat: int) -> None:
        """A player who is not tapped puts down the least of the deciding wager."""
        street, base = self.game.procedure.streets[0], self.books.boxes[seat][self.game.base]
        if seat not in self.books.left:
            self.books.choices[seat] = Choice("play", street.wager, street.least(Cents(base)))

    def _street(self, glass: Glass) -> str:
        """The street that is asked, by its question."""
        streets = self.game.procedure.streets
        return next(one.name for one in streets if _ENGLISH(self.game.question(one)) in glass.words)

    def _election(self, said: str) -> Choice:
        game = self.game
        for name, one in game.elections.items():
            if any(_ENGLISH(game.elected(name, cards)).upper() in said for cards in (one.draws or (0,))):
                return Choice(one.choice, name, cents(said))
        return Choice("left")

    # Money that crosses the table

    def _pays_seat(self, before: Glass, word: str) -> None:
        """Lines of a seat and the key that settles its turn: taken and paid as they say."""
        seat = before.seats.get(word, 0) if word == SETTLED else 0
        for wager, take, pay in rows(before, self.names) if seat else ():
            if wager not in FIVE_CARD:  # a share on the dealer's hand is claimed; at its backer's turn the cage pays it
                self._move(Moved("seat", seat, wager, take, pay))

    def _pays_by_tiles(self, before: Glass, word: str, after: Glass) -> None:
        """Results of all seats were told: a seat whose turn is over with this key was taken and paid as its tile said.

        The key has the seat that it is about; a prize is named after its holder's wagers against the dealer, and after
        the seats before it. A holder whose turn is over, or has no place in this round, was picked out of turn.
        """
        at = before.seats.get(word, 0)
        if after.name == "settle":
            over = [seat for seat in self._open_at(before) if seat not in self._open_at(after)]
            over += [at] if word == SETTLED and at and at not in over else []
            over += [
                seat
                for seat in self._credited(before, word, after)
                if self._begins(seat) or _of_a_tile(after, seat) != _of_a_tile(before, seat)
            ]
        else:
            holder = at if word.startswith(NAMES_A_PRIZE) else 0
            waits = self._open_at(before)
            reached = [seat for seat in waits if seat > holder or (seat == holder and self._begins(seat))]
            over = reached if holder in waits else []
            if word.startswith("envy ") and holder not in over:
                self.books.envy_named = holder, _of_a_tile(before, holder)
        for seat in sorted(over, reverse=True):
            self._move(Moved("seat", seat, "", *_of_a_tile(before, seat)))

    def _open_at(self, glass: Glass) -> tuple[int, ...]:
        """The seats that are still to be settled where results are told together."""
        if glass.name != "settle" or self.level != 1 or self.books.void:
            return ()
        tiles = takewhile(itemgetter(1), ((seat, glass.said.get(f"seat-{seat}")) for seat in count(1)))
        return tuple(seat for seat, said in tiles if said and _is_told(said))

    def _credited(self, before: Glass, word: str, after: Glass) -> Iterator[int]:
        """The open seat to which a key credited a prize: no screen of its own follows, and that row of hands is gone."""
        if word.startswith("five ") and set(before.keys) != set(after.keys):
            yield from {before.seats.get(word, 0)}.intersection(self._open_at(before), self._open_at(after))

    def _paid_with_an_envy(self, after: Glass) -> None:
        """An envy was named late, after its holder's shares: amounts that left the tile were settled with its key."""
        if self.books.envy_named is None or after.name != "settle":
            return
        seat, said = self.books.envy_named
        if said != _of_a_tile(after, seat):
            self._move(Moved("seat", seat, "", *said))
        self.books.envy_named = None

    def _begins(self, seat: int) -> bool:
        """Wagers against the dealer lie there that nobody took or paid yet. The amounts of a later tile follow the
        wagers of a meter, and so does all that a fold leaves of some seats.
        """
        folded = self._folded(seat)
        first = [wager for wager in self.books.boxes.get(seat, ()) if wager not in self.game.after_meters]
        moved = any(one.why == "seat" and one.seat == seat for one in self.books.moves)
        return not moved and any(not (folded and wager in self.game.forfeited) for wager in first)

    def _folded(self, seat: int) -> bool:
        """This player folded, and what that loses is taken at once."""
        choice = self.books.choices.get(seat)
        return bool(choice and choice.kind == "fold" and not self.game.elections)

    def _pays_on_dealer(self, before: Glass, after: Glass) -> None:
        """The dealer's hand is shown: tiles say what wagers on it bring, before any seat's turn (671a.11(e))."""
        if after.name != "settle" or any(one.why == "dealer" for one in self.books.moves):
            return
        for seat in self.books.boxes:
            if found := ON_DEALER.search(" ".join(after.tile(seat))):
                self._move(Moved("dealer", seat, "", to_take(found[0]), to_pay(found[0])))

    def _first_pass(self, before: Glass, word: str, after: Glass) -> None:
        """Every tile says what to take and to pay before the draws (671a.11(c))."""
        for seat in self.books.boxes:
            said = " ".join(before.tile(seat))
            self._move(Moved("pass", seat, "", to_take(said), to_pay(said)))

    def _drawn(self, before: Glass, word: str, after: Glass) -> None:
        """The fee is collected, and the player bets or forfeits the ante (671a.11(d))."""
        if before.name != "draw":
            return
        seat, fee = seat_in(before.text("work")), cents(before.text("work"))
        widget = before.keys[word]
        bets = word == "bets"
        forfeit = 0 if bets else to_take(before.text(widget))
        self.books.choices[seat] = Choice(
            "play" if bets else "fold", "drawn", cents(before.text(widget)) if bets else 0
        )
        self.books.fees[seat] = fee
        self._move(Moved("draw", seat, "", fee + forfeit, 0))

    def _named(self, before: Glass, word: str, after: Glass) -> None:
        """The wager that is claimed: the progressive one, or a button's by its hand."""
        kind, _, hand = word.partition(" ")
        self.books.named = PROGRESSIVE if kind == "hand" else FIVE_CARD[hand.startswith("dealer")]

    def _prize(self, before: Glass, word: str, after: Glass) -> None:
        """A validated prize: chips from the rack or by an attendant. No hand moves a credit."""
        said = before.text("work")
        if not said.upper().count("CREDIT "):
            source = "attendant" if "attendant" in said else "rack"
            self._move(Moved("prize", seat_in(said), PROGRESSIVE, 0, to_pay(said), source))

    def _claimed(self, before: Glass, word: str, after: Glass) -> None:
        """A share of a meter, from the cage; one on the dealer's hand to everybody who backed it (reading 4)."""
        said = before.text("facts")
        seat, whole = seat_in(said), cents(said)
        each = re.search(r"(\$\S+) to each of (\d+)", said)
        shared = [
            n for n, hand in sorted(self.books.pushed, reverse=True) if hand == "dealer" and n not in self.books.left
        ]
        for one in shared if each else [seat]:
            self._move(Moved("claim", one, self.books.named, 0, cents(each[1]) if each else whole, "cage"))

    def _rejected(self, before: Glass, word: str, after: Glass) -> None:
        """A second person finds that the hand is no winner, against the cards."""
        self.books.rejected |= {(seat_in(before.text("facts")), self.books.named)}

    def _envied(self, before: Glass, word: str, after: Glass) -> None:
        for seat in range(1, self.seats + 1):
            said = before.tile(seat)
            if said and said[0] == "ENVY":
                self._move(Moved("envy", seat, "envy", 0, cents(" ".join(said))))

    def _buys_in(self, before: Glass, word: str, after: Glass) -> None:
        """Chips of a player into the rack, and onto the account."""
        if before.name == "accounts":
            seat, chips = seat_in(before.text("work")), _number(word)
            self.books.credits[seat] += chips
            self._crosses(seat, chips)

    def _cashes_out(self, before: Glass, word: str, after: Glass) -> None:
        """The amount to pay by the screen, and the account is empty."""
        seat, paid = seat_in(before.text("work")), to_pay(before.text("cash-out"))
        if paid != self.books.credits[seat]:
            self._differs(
                f"seat {seat}: its account holds {_usd(self.books.credits[seat])}; paid out were {_usd(paid)}"
            )
        self.books.credits[seat] = 0
        self._crosses(seat, -paid)

    def _crosses(self, seat: int, amount: int) -> None:
        """Chips from a player into the rack; below zero the other way."""
        self.books.players[seat] -= amount
        self.books.rack += amount

    def _move(self, moved: Moved) -> None:
        self.books.moves = (*self.books.moves, moved)

    def _chips_add_up(self, glass: Glass) -> None:
        """A recipe of chips makes what is to be paid: for one wager, for one seat, or of an envy bonus for each."""
        for widget, lines in glass.said.items():
            made = sum(in_chips(line) for line in lines if CHIPS in line)
            if not made:
                continue
            said = glass.text(widget)
            right = cents(said) if glass.name == "envy" else to_pay(said)
            if made != (right or sum(row.pay for row in rows(glass, self.names))):
                self._differs(f"the chips make {_usd(made)} where {said!r} is to be paid")

    def _names_whom(self, glass: Glass) -> None:
        """A seat that the primary key names is the one that the key is about."""
        said, seat = seat_in(glass.text("primary")), glass.seats.get(glass.primary, 0)
        if said and seat and said != seat:
            self._differs(f"the key says {glass.text('primary')!r} and is about seat {seat}")

    # Corrections and void rounds

    def _troubled(self, before: Glass, word: str, after: Glass) -> None:
        """PROBLEM, and which."""
        self.books.problem = word.partition(" ")[2]

    def _signed(self, before: Glass, word: str, after: Glass) -> None:
        """A floorperson's signature: a void round, hands that are called again, a deck that goes."""
        books = self.books
        kind = books.problem
        if after.name == "sign":  # the first of two people
            return
        if after.name == "void" and GOES_BACK.search(before.text("facts")):
            # something was seen of the cards, so they were dealt
            books.earlier = dict(books.returned)
            books.void = (*books.void, VOIDS[kind])
            books.counted |= kind == "misdealt"  # 52 cards remain
            self._deals_from(deck_in_play(before))
            stays = tuple(one for one in books.moves if one.why == "claim")  # the cage has paid it
            for one in books.moves:
                books.paid_before[one.seat] += 0 if one in stays else one.pay
            settled_again = {one.seat for one in books.moves if one not in stays}
            books.paid_before.update({n: out for n, out in books.still_out.items() if n not in settled_again})
            books.still_out.clear()
            books.moves = stays
        elif kind == "correct-declared":
            self._again(lambda one: one.why == "pass")
        elif kind == "correct-dealer":
            folded = [seat for seat, choice in books.choices.items() if choice.kind == "fold"]  # compared with nobody
            self._again(lambda one: one.why == "dealer" or (one.why == "seat" and one.seat not in folded))
        elif kind in ("cover", "uncover"):
            books.covered = kind == "cover"
        elif kind == "elsewhere":  # the casino's choice (653a.11(k)(4))
            books.attended |= {seat_in(after.text("work"))}
        if DECK_LEAVES in before.text("facts"):
            number = kind.rpartition("-")[2]
            if not kind.startswith("remove"):
                self._deals_from(deck_in_play(before))
            self._deck_leaves(int(number) if kind.startswith("remove") else deck_in_play(before))

    def _corrected(self, before: Glass, word: str, after: Glass) -> None:
        """The floor has a seat settled again: what is named goes back to where it lay."""
        if word.count(" ") < 2:
            return
        seat, said = _number(word), before.said.get("facts", ("", ""))
        undone = named_in(" ".join(said[1:]), self.names)
        if PROGRESSIVE in undone:  # whether an attendant brings it is asked again
            self.books.attended -= {seat}
        if after.name == "settle":
            whole = not undone <= frozenset(OF_METERS)
            mine = [one for one in self.books.moves if one.seat == seat and one.why != "claim"]  # the cage has paid it
            self._again(lambda one: one in mine and (one.wager in undone or (whole and _of_tile(one))))
        else:
            self._again(lambda one: one.seat == seat and one.why == "pass")

    def _again(self, undone: Callable[[Moved], bool]) -> None:
        """Chips that were paid lie with the player until the seat is settled again, or the round is void."""
        for one in self.books.moves:
            self.books.still_out[one.seat] += one.pay if undone(one) else 0
        self.books.moves = tuple(one for one in self.books.moves if not undone(one))
        self.books.corrected = True

    def _returned(self, glass: Glass) -> Iterator[tuple[int, tuple[int, int]]]:
        """Seat -> what the screen returns: wagers, and the progressive chip."""
        for seat in range(1, self.seats + 1):
            said = glass.tile(seat)
            if said and said[0] == "RETURN":
                chip = sum(cents(line) for line in said[1:] if line.startswith("+") or not self.level)
                yield seat, (sum(cents(line) for line in said[1:]) - chip, chip)

    # Accounts

    def _check_credits(self, glass: Glass) -> None:
        """A tile's amount of an account is right."""
        if not self.submission.by_account:
            return
        for seat in range(1, self.seats + 1):
            said = " ".join(glass.tile(seat))
            found = re.search(r"account (\$\S+)", said)
            shown = cents(found[1]) if found else cents(said) if glass.name == "accounts" else 0
            pushed = any(number == seat for number, _ in self.books.pushed)
            if shown != self.books.credits[seat] and not (pushed and glass.name == "open"):
                right, cite = _usd(self.books.credits[seat]), self.submission.book.cites["five_card_hand"]
                self._differs(f"seat {seat}: its account should hold {right} ({cite}); it says {said!r}")

    # Decks

    def _decks_come(self, before: Glass, word: str, after: Glass) -> None:
        """New decks, which have new numbers; those that are there already stay."""
        books, seen = self.books, decks(after)
        if not set(books.here) & set(seen):  # all are new, and were counted when they were inspected
            books.uncounted = 0
        for number in sorted(set(seen) - set(books.here)):
            if number <= books.highest:
                self._differs(
                    f"deck {number} comes back{self._by('machine count')}; the highest number was {books.highest}"
                )
            books.highest = number
            books.here[number] = seen[number]
        books.came = frozenset(set(seen) - set(decks(before)))

    def _decks_go(self, before: Glass, word: str, after: Glass) -> None:
        """A defect, an age, an order of the house: the decks that the screen no longer names are taken away."""
        for number in set(self.books.here) - set(decks(after)):
            self._deck_leaves(number)

    def _deck_leaves(self, number: int) -> None:
        if self.books.here.pop(number, ""):
            self.books.gone |= {number}

    def _decks_seen(self, glass: Glass) -> None:
        """No deck is there that went, or never came; one that must be there is."""
        seen, here = set(decks(glass)), set(self.books.here)
        for number in sorted(seen - here):
            why = "was removed" if number in self.books.gone else "never came"
            self._differs(f"deck {number} {why}{self._by('machine count')}, and the screen has it at the table")
        for number in sorted(here - seen):  # brought away because of its age, or because the house changes decks
            self._deck_leaves(number)

    def _dealt(self, before: Glass, word: str, after: Glass) -> None:
        """Cards leave a deck that is here; of two decks one, then the other (653a.3(b)(3))."""
        self._deals_from(deck_in_play(before))

    def _deals_from(self, number: int) -> None:
        books = self.books
        if books.dealing:
            return
        if number not in books.here:
            self._differs(f"cards are dealt from deck {number}; at the table are {sorted(books.here)}")
        if number == books.dealt and len(books.here) > 1 and not books.stays:
            self._differs(
                f"deck {number} is dealt twice in a row{self._by('two decks')}; at the table are {sorted(books.here)}"
            )
        books.dealing = books.dealt = number

    def _stub_counted(self, before: Glass, word: str, after: Glass) -> None:
        self.books.counted = True

    def _stub_waits(self) -> None:
        """The stub is counted after so many rounds, unless a machine counts; the cards of a void round too, as long as they
        were dealt and are here (653a.8(f)).
        """
        books, procedure = self.books, self.game.procedure
        books.uncounted = 0 if books.counted else books.uncounted + 1
        by_machine = self.counts and not books.covered
        nothing = books.void and books.dealing not in books.here
        if books.uncounted >= procedure.stub_every and not (by_machine or nothing):
            self._differs(f"no stub was counted in {books.uncounted} rounds; {procedure.stub_every} are right")

    def _emptied(self, before: Glass, word: str, after: Glass) -> None:
        """Closed for gaming: as many cards as decks that are here have."""
        right = DECK_CARDS * len(self.books.here)
        if after.name == "shut" and _number(word) != right:
            self._differs(f"{_number(word)} cards shut the table; {right} are right")

    # The end of a round ---------------------------------------------------------------------------------------------------

    def _cleared(self, before: Glass, word: str, after: Glass) -> None:
        books = self.books
        right = right_of(AtTable(books, self.submission, self.game, self.level, self.seats))
        if right is not None:
            books.compared += 1
            from_ = [*self._boxes_differ(before, right), *self._prizes_differ(right), *self._turns_differ(right)]
            if from_:
                self._differs("; ".join(from_))
            books.meters.update(right.meters)
        self._post(right)
        if not self.level:
            self._deals_from(deck_in_play(before))
        self._stub_waits()
        books.stays = books.covered
        for seat in books.left:
            books.boxes.pop(seat, None)
            self._gets_up(seat)
        books.next_round()
        books.round += 1

    def _boxes_differ(self, before: Glass, right: Right) -> Iterator[str]:
        """Every wager against the dealer: taken, paid and returned."""
        for seat in self.books.boxes if self.level else ():
            taken, paid, back = self._moved_at(seat, before)
            law = [one for one in right.payments if one.seat == seat and one.wager not in OF_METERS]
            gone = right.extra.get(seat, 0)
            voided = sum(one.returned for one in law if one.result == "void") + (gone if self.books.void else 0)
            lost = sum(one.stake - one.returned for one in law) + (0 if self.books.void else gone)
            won = sum(one.payout for one in law)
            if (taken, paid) != (lost, won):
                yield (
                    f"seat {seat}: to take {_usd(lost)} and to pay {_usd(won)} by {_lines(law)}; "
                    f"moved were {_usd(taken)} and {_usd(paid)} by {_moves(self.books.moves, seat)}"
                )
            if self.books.void and back != voided:
                yield f"seat {seat}: to return {_usd(voided)} by {_lines(law)}; returned were {_usd(back)}"
            if self.books.taken_back.get(seat, 0) != self.books.paid_before[seat]:
                yield (
                    f"seat {seat}: {_usd(self.books.paid_before[seat])} was paid before the round was void; "
                    f"taken back were {_usd(self.books.taken_back.get(seat, 0))}"
                )
            yield from self._rows_differ(seat, law)
            claimed = sum(one.pay for one in self.books.moves if (one.why, one.seat) == ("claim", seat))
            yield from _tile_differs(seat, before, won + claimed)

    def _moved_at(self, seat: int, before: Glass) -> tuple[int, int, int]:
        """(taken, paid, returned as void) at a box, by what hands were told."""
        books = self.books
        mine = [one for one in books.moves if one.seat == seat and one.source == "rack" and one.why in OF_BOXES]
        taken, paid = sum(one.take for one in mine), sum(one.pay for one in mine)
        back = books.returned.get(seat, (0, 0))[0] if books.void else 0
        stakes = books.boxes[seat]
        if self._folded(seat) and not books.void:
            taken += sum(stake for wager, stake in stakes.items() if wager in self.game.forfeited)
        taken += books.of_left.get(seat, 0)
        word = next(iter(before.tile(seat)), "")
        if word == "LOST":
            taken = self._all_lost(seat, mine) - back
        return taken, paid, back

    def _all_lost(self, seat: int, mine: Iterable[Moved]) -> int:
        """The chips that lie there when its turn is lost; wagers on hands were taken or paid before it."""
        books, choice = self.books, self.books.choices.get(seat)
        stakes, amount = books.boxes[seat], choice.amount if choice else 0
        if not self.game.elections or seat in books.left:
            return sum(stakes.values()) + amount + books.fees.get(seat, 0)
        before = sum(one.take for one in mine)
        if (choice and choice.kind != "play") or any(one.why == "seat" for one in mine):
            return before
        return before + amount + sum(stake for wager, stake in stakes.items() if not self.game.is_declared(wager))

    def _rows_differ(self, seat: int, law: Iterable[Payment]) -> Iterator[str]:
        """Wager by wager, where the screen said so."""
        for one in self.books.moves:
            if one.seat != seat or one.why != "seat" or not one.wager:
                continue
            known = [line for line in law if line.wager == one.wager]
            if (one.take, one.pay) != (
                sum(line.stake - line.returned for line in known),
                sum(line.payout for line in known),
            ):
                yield f"seat {seat}, {one.wager}: right is {_lines(known)}; taken {_usd(one.take)}, paid {_usd(one.pay)}"

    def _prizes_differ(self, right: Right) -> Iterator[str]:
        """Progressive prizes with a stake that comes back, shares, envy, chips of a void round: to whom, from where."""
        books = self.books
        for seat in range(1, self.seats + 1):
            law = [one for one in right.payments if one.seat == seat and one.wager in OF_METERS]
            due = Counter[tuple[str, int]]()
            for one in law:
                over = one.payout + one.returned
                credit = one.source == "account" or (one.wager in FIVE_CARD and one.source != "cage")
                source = "attendant" if one.wager == PROGRESSIVE and seat in books.attended else one.source
                if over and not credit:
                    due[(str(source or "rack"), over)] += 1
            got = Counter((one.source, one.pay) for one in books.moves if one.seat == seat and one.why in OF_PRIZES)
            chip = books.returned.get(seat, (0, 0))[1] if books.void else 0
            got.update([("rack", chip)] if chip else [])
            if due != got:
                yield (
                    f"seat {seat}: due were {_prizes(due)} by {_lines(law)}; "
                    f"handed over were {_prizes(got)} by {_moves(books.moves, seat)}"
                )

    def _turns_differ(self, right: Right) -> Iterator[str]:
        """Seat by seat in the law's order; shares of a meter in the order of their turns."""
        books = self.books
        if books.corrected or books.void:
            return
        moved = list(dict.fromkeys(one.seat for one in books.moves if one.why == "seat"))
        law = list(dict.fromkeys(one.seat for one in reversed(right.payments) if one.wager not in OF_METERS))[::-1]
        if moved != [seat for seat in law if seat in moved]:
            yield f"settled were seats {moved}; their turn is {law}{self._by('settle')}"
        for seat in dict.fromkeys(moved):
            if after := self._own_after_a_prize(seat):
                yield f"seat {seat}: {_moves(after, seat)} after its prize{self._by('settle')}"
        claimed = _claims((one.seat, one.wager) for one in books.moves if one.why == "claim")
        turns = _claims((one.seat, one.wager) for one in right.payments if one.source == "cage")
        if not books.rejected and sorted(claimed) == sorted(turns) and claimed != turns:
            yield (
                f"shares of meters were claimed for {_claims_in_words(claimed)}; "
                f"their turn is {_claims_in_words(turns)}{self._by('settle')}"
            )

    def _own_after_a_prize(self, seat: int) -> list[Moved]:
        """A move of a seat's wagers against the dealer after its own prize: these come first (653a.11(h) to (k)).

        A share of the dealer's hand goes to all its backers at once. A single sum on a tile may be of lines after
        the wagers of a meter.
        """
        mine = [one for one in self.books.moves if one.seat == seat and one.why in ("seat", *OF_PRIZES)]
        prize = [
            place for place, one in enumerate(mine) if one.why in OF_PRIZES and one.wager in (PROGRESSIVE, FIVE_CARD[0])
        ]
        later = mine[prize[0] :] if prize else []
        last = self.game.after_meters
        follows = last.intersection(self.books.boxes.get(seat, ()))
        return [
            one
            for one in later
            if one.why == "seat" and (one.take or one.pay) and one.wager not in last and (one.wager or not follows)
        ]

    def _post(self, right: Right | None) -> None:
        """Chips and credits as they lie now."""
        books = self.books
        for one in books.moves:
            if one.source == "rack":
                self._crosses(one.seat, one.take - one.pay)
            else:
                books.players[one.seat] += one.pay
                books.elsewhere[one.source] += one.pay
        for seat, (_, chip) in books.returned.items() if books.void else ():
            self._crosses(seat, -chip)
        for payment in right.payments if right else ():
            if payment.source == "account" or (payment.wager in FIVE_CARD and payment.result == "void"):
                books.credits[payment.seat] += payment.payout + payment.returned

    def publishes(self, meters: Mapping[str, Micros]) -> None:
        """The bank's published meters between two rounds, to the micro-dollar (653a.12(d)(3), (4))."""
        for name, stands in self.books.meters.items():
            if meters[name] != stands:
                self._differs(f"meter {name}: {_micros(stands)} is right; the bank has {_micros(meters[name])}")

    def closes(self) -> None:
        """The end of the shift: what players have less, the rack and the drop box have more, and nothing is left over."""
        books = self.books
        players, paid = sum(books.players.values()), sum(books.elsewhere.values())
        if players + books.rack + books.drop != paid or books.drop or any(books.credits.values()):
            self._differs(
                f"players {_usd(players)}, rack {_usd(books.rack)}, drop box {_usd(books.drop)}, "
                f"from the cage and by attendants {_usd(paid)}, accounts {dict(books.credits)}"
            )

    def _by(self, concern: str) -> str:
        """Its paragraph in this book, where it has one."""
        procedure = self.game.procedure
        return f" ({procedure.cite(concern)})" if procedure.has(concern) else ""

    def _differs(self, what: str) -> None:
        number = self.books.round + (self.books.cards is not None)  # the one that is played, or the last one
        raise Unbalanced(f"{self.who}round {number}: {what}")


OF_BOXES = ("seat", "pass", "draw", "dealer")
OF_PRIZES = ("prize", "claim", "envy")


def _names(account: Account) -> Iterator[tuple[str, str]]:
    """The name of every wager at this table -> the wager."""
    game = account.game
    hands = [game.on_hand(seat) for seat in range(DEALER, account.seats + 1)] if game.declared else []
    for wager in (*game.wagers, *hands, f"{game.procedure.play}:second"):
        try:
            yield _ENGLISH(game.called(wager)), wager
        except KeyError:  # no wager of this game
            continue


TOLD = ("–", "LOSE", "WIN", "PUSH", "BAD BEAT", "FOLD", "AGAIN")
"""A tile's words about a seat before its turn, with or without its result; then the amounts to take and to pay."""
DONE = "✓"
"""Beside the number of a seat that is settled."""
NAMES_A_PRIZE, SETTLED = ("hand ", "five ", "envy "), "settled"


def _of_a_tile(glass: Glass, seat: int) -> tuple[int, int]:
    """The amounts to take and pay on a seat's tile, except for shares on the dealer's hand."""
    said = ON_DEALER.sub("", " ".join(glass.tile(seat)))
    lost = [cents(line) for line in glass.tile(seat) if line.startswith("-$")]
    return to_take(said) + sum(lost), to_pay(said)


def _of_tile(one: Moved) -> bool:
    """A seat's turn as its tile said it, all wagers together."""
    return one.why == "seat" and not one.wager


def _is_told(lines: tuple[str, ...]) -> bool:
    return len(lines) > 1 and lines[1] in TOLD and DONE not in lines[0]


def _tile_differs(seat: int, glass: Glass, won: int) -> Iterator[str]:
    """The tile's sum is what was paid; a wager that lost beside a prize has a minus."""
    word, amount, *_ = (*glass.tile(seat), "", "")
    if glass.name == "settle" and word == "PAID" and not amount.startswith("-") and cents(amount) > won:
        yield f"seat {seat}: its tile says {amount}; {_usd(won)} was to be paid"


def _of_seats(glass: Glass, begins: str) -> Iterator[tuple[int, int]]:
    """Seat -> what is taken from there where the round is void: what was paid before, or what who left has lost."""
    for line in glass.said.get("work", ()):
        if line.startswith(begins):
            for found in re.finditer(r"seat (\d+) (\$[\d,.]*\d)", line):
                yield int(found[1]), cents(found[2])


def _number(word: str) -> int:
    """The number in a press, 0 for none."""
    second = word.split(" ")[1:2]
    return int(second[0]) if second and second[0].isdecimal() else 0


def _usd(amount: int) -> str:
    return f"{'-' if amount < 0 else ''}${abs(amount) // 100}.{abs(amount) % 100:02d}"


def _micros(amount: int) -> str:
    return f"${amount // 1_000_000}.{amount % 1_000_000:06d}"


def _lines(law: Iterable[Payment]) -> str:
    said = [
        f"{one.wager} {one.result} {_usd(one.stake)} returned {_usd(one.returned)} paid {_usd(one.payout)} ({one.cite})"
        for one in law
    ]
    return ", ".join(said) or "no paragraph"


def _moves(moves: Iterable[Moved], seat: int) -> str:
    said = [f"{m.why} {m.wager} take {_usd(m.take)} pay {_usd(m.pay)} {m.source}" for m in moves if m.seat == seat]
    return ", ".join(said) or "nothing"


def _claims(shares: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """(seat, wager) of each claim: the share on the dealer's hand is one, at its first backer's turn (reading 4)."""
    claims: list[tuple[int, str]] = []
    for seat, wager in shares:
        if wager != FIVE_CARD[1] or wager not in (other for _, other in claims):
            claims.append((seat, wager))
    return claims


def _claims_in_words(claims: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"seat {seat} ({wager})" for seat, wager in claims)


def _prizes(found: Counter[tuple[str, int]]) -> str:
    return ", ".join(f"{times} × {_usd(cents_)} from {source}" for (source, cents_), times in found.items()) or "none"
