"""Whole shifts at one table, seeded: eight hours of rounds with irregularities, mistakes, corrections and power cuts.

`Shift` is everybody at the table but the firmware: players with chips, a dealer with real cards, a floorperson and a
manager, a shuffler, a bank. It presses keys and moves chips; what the table says is compared with the settlement of
the whole round by `firmware.rules` from the cards as they lay. With `checks` every step is proved: replay equals live, a
refused press changes nothing, signatures are right, no chip is lost.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from typing import Any

from firmware.rules.hands import five_card_hand
from firmware.rules.money import dollars
from firmware.rules.payline import dealer_of_cards, row_of_cards, rows, told_of_cards
from firmware.rules.paytable import Share
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.submission import parse_submission
from firmware.runtime.journal import Vocabulary
from firmware.table import deciding, irregularity, opening, pricing, settling
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
    Chance,
    ClaimAnswer,
    Input,
    LinkSeen,
    NoMoreBets,
    Pressed,
    SeatReading,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    Started,
    SwitchSettled,
    Ticked,
)
from firmware.table.interlock import machine_used, obstacles, stub_due
from firmware.table.procedures import (
    AUTOMATED,
    COUNTS,
    HAND,
    NO_SHUFFLER,
    RESHUFFLES,
    SHOE,
    SHUFFLES,
    Equipment,
)
from firmware.table.state import Drawing, House, Person, Phase, TableState

VOCABULARY: Vocabulary[e.Event] = Vocabulary("table", e.EVENTS, e.UPGRADES)
FLOOR, CHIEF = "2001", "3001"
PEOPLE = {FLOOR: Person(FLOOR, "R. Diaz", "floorperson"), CHIEF: Person(CHIEF, "M. Okafor", "manager")}
ROUND_S = 120
"""Thirty rounds an hour."""
SHIFT_ROUNDS = 240
"""Eight hours of them."""
DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")

RULES: Mapping[str, dict[str, Any]] = {
    "pa-653a": {
        "blind": {"paytable": "A"},
        "trips": {"paytable": "B"},
        "progressive": {"paytable": "C", "wager": "1.00"},
        "five_card_hand": {"wager": "1.00", "magic_card": True, "lucky_bonus": True},
        "six_card_bonus": {"paytable": "E"},
        "bad_beat_bonus": {"paytable": "A"},
    },
    "md-36.05.16": {
        "blind": {"paytable": "B"},
        "trips": {"paytable": "A"},
        "progressive": {"wager": "5.00", "seed": "10000.00", "rate": "21"},
        "six_card_bonus": {"paytable": "A"},
    },
    "pa-671a": {"instant": {"paytable": "A"}, "super_on_others": {}},
    "pa-677a": {"pocket_bonus": {"paytable": "A"}, "trips_plus": {"paytable": "B"}},
}
EQUIPMENT = (
    Equipment(HAND, COUNTS, ("blue", "red")),
    Equipment(HAND, SHUFFLES, ("blue",)),
    Equipment(SHOE, NO_SHUFFLER, ("blue",)),
    Equipment(SHOE, COUNTS, ("blue", "red")),
    Equipment(AUTOMATED, RESHUFFLES, ("blue",)),
    Equipment(AUTOMATED, SHUFFLES, ("blue", "red")),
)
LUNAR = "pa-671a"


class Wrong(AssertionError):
    """The table did something that it may never do."""


def house_of(book: str, level: int, equipment: Equipment) -> House:
    """A house of this book that offers everything."""
    submission = parse_submission({"book": book, "table_minimum": "15.00", **RULES[book]})
    return House(submission, submission.book.procedure, equipment, level, 20_000_000, PEOPLE, Drawing(2, 2))


@dataclass
class Cards:
    """What was dealt in this round."""

    seats: dict[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    board: tuple[str, ...]
    six: tuple[str, ...]
    rest: list[str]


class Shift:
    """One table, one seed. `play` plays rounds; `tally` counts what happened."""

    def __init__(self, book: str, seed: int, *, level: int | None = None, checks: bool = True, trouble: float = 1.0):
        self.chance = random.Random(f"{book} {seed}")
        lowest = 0 if "progressive" in RULES[book] else 1
        chosen = self.chance.randint(lowest, 2)
        self.house = house_of(book, chosen if level is None else level, self.chance.choice(EQUIPMENT))
        self.checks, self.trouble = checks, trouble
        self.state = TableState()
        self.rows: list[tuple[str, int, str]] = []
        self.replayed, self.proved = TableState(), 0
        self.tally: Counter[str] = Counter()
        self.now_s = 1_800_000_000
        self.now_ns = 1_000_000_000
        self.boots = 0
        self.covered: set[int] = set()
        self.numbers: set[int] = set()
        self.claims: dict[str, ClaimAnswer] = {}
        self._write([e.TableOpened("t", "a" * 32, self.house.seats), e.TableShut(0, "", "")])
        self._boot()

    # Taking inputs ---------------------------------------------------------------------------------------------------

    def take(self, given: Input) -> tuple[e.Event, ...]:
        """One input, all that follows, and what must hold after it."""
        before = self.state
        events = decide(self.house, before, given)
        self._write(events)
        if self.checks:
            self._check(before, given, events)
        return events

    def _write(self, events: Iterable[e.Event]) -> None:
        for event in events:
            if self.checks:
                self.rows.append(VOCABULARY.encode(event))
            self.state = evolve(self.state, event)
            self._follow(event)

    def press(self, word: str, by: str = "") -> tuple[e.Event, ...]:
        """A key that the table must take."""
        events = self.take(Pressed(word, by, self.now_s))
        for event in events:
            if isinstance(event, e.PressRefused):
                raise Wrong(f"{word!r} in {self.state.phase}: {event.why}")
        self._mistake()
        self._power_cut()
        return events

    def sometimes(self, share: float) -> bool:
        """Chance, scaled by how much trouble this shift shall have."""
        return self.chance.random() < share * self.trouble

    def _mistake(self) -> None:
        """A key that means nothing here is refused and changes nothing."""
        if self.sometimes(0.02):
            self.tally["refused press"] += 1
            before = self.state
            events = self.take(Pressed(self.chance.choice(("count 99", "hand pair", "apply", "seat 0", "slot 99"))))
            if not any(isinstance(event, e.PressRefused) for event in events):
                raise Wrong(f"{before.phase} took a press without meaning: {events}")
            if replace(self.state, notice="") != replace(before, notice=""):
                raise Wrong("a refused press changed the table")

    def _power_cut(self) -> None:
        """Between any two steps: the journal alone gives the same table."""
        if self.checks and self.sometimes(0.003):
            self.tally["power cut"] += 1
            since = self.rows[self.proved :]
            self.replayed = reduce(evolve, (VOCABULARY.decode(*row) for row in since), self.replayed)
            self.proved = len(self.rows)
            if self.replayed != self.state:
                raise Wrong("replay differs from live")
            self.state = self.replayed
            self._boot()

    def _boot(self) -> None:
        self.boots += 1
        self.take(Started(f"boot-{self.boots}", "program", "submission"))
        if self.house.offers_progressive:
            self.take(LinkSeen(True, ""))
            self.take(SensorsSeen(True, ""))
            self.take(SwitchSettled(False))
        self._machine()

    def _machine(self) -> None:
        """The shuffler has shuffled the deck that is next."""
        equipment = self.house.equipment
        if self.state.covered:  # its cards were taken out
            self.take(ShufflerSeen(True, "S-1", "service", 0, "", "", 0))
        elif equipment.machine:
            deck = self.state.deck.colour if self.state.deck else equipment.colours[0]
            count = 52 if equipment.counts else None
            self.take(ShufflerSeen(True, "S-1", "ready", count, deck, "", 0))

    # What must hold --------------------------------------------------------------------------------------------------

    def _check(self, before: TableState, given: Input, events: tuple[e.Event, ...]) -> None:
        state = self.state
        if any(isinstance(event, e.PressRefused) for event in events):
            if len(events) != 1 or not isinstance(given, Pressed):
                raise Wrong(f"a refusal among {events}")
            if replace(state, notice="") != replace(before, notice=""):
                raise Wrong("a refused press changed the table")
        for event in events:
            self._signed(before, event)
        if min(state.accounts, default=0) < 0:
            raise Wrong("an account below nothing")
        if state.deck and any(deck.number > state.deck_number for deck in state.decks):
            raise Wrong("a deck without a number")

    def _signed(self, before: TableState, event: e.Event) -> None:
        """Two-person rules, and what needs a floorperson."""
        match event:
            case e.DecksVerified() | e.RecutOrdered() | e.DeviceCovered() | e.SettlementCorrected() | e.RoundVoided():
                if event.by not in PEOPLE:
                    raise Wrong(f"nobody signed {event}")
            case e.ClaimPaid() | e.ClaimRejected():
                if len(set(event.by)) != 2:
                    raise Wrong(f"one person alone: {event}")
            case e.PrizePaid():
                prize = before.seat(event.seat).prize
                if prize is None or not prize.by:
                    raise Wrong("paid without validation")
            case e.RoundCleared():
                waiting = [n for n, seat in before.numbered() if seat.box.plays and not seat.box.settled]
                if waiting:
                    raise Wrong(f"seats {waiting} were forgotten")
                self._chips(before)

    def _follow(self, event: e.Event) -> None:
        """What hands do when the table says so."""
        match event:
            case e.DecksReceived() | e.PreinspectedReceived():
                for number, _ in event.decks:
                    if number in self.numbers:
                        raise Wrong("a deck came back")
                    self.numbers.add(number)

    # A shift ---------------------------------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """Open the table, play, close it."""
        self._open_table()
        for _ in range(rounds):
            self._between()
            self._round()
        self._between(calm=True)
        self._close_table()

    def _open_table(self) -> None:
        self.tally["opened"] += 1
        if self.sometimes(0.3):
            self.press("preinspected")
        else:
            self.press("received")
            if self.sometimes(0.1):
                self.press("undo")
                self.press("received")
            self.press("inspected")
            self.press("verify", FLOOR)
            self._first_player()
        self._shuffle()

    def _first_player(self) -> None:
        self.press("looked")
        if self.sometimes(0.1):
            self.press("undo")
            self.press("looked")
        self.press("stacked")

    def _shuffle(self) -> None:
        """From the stack to open bets."""
        self._machine()
        while self.state.phase in (Phase.SHUFFLE, Phase.CUT):
            if self.state.phase is Phase.CUT:
                self.press("cut")
            else:
                self.press("shuffled")
        if self.state.phase is Phase.CLOSED and self.state.deck_due:
            self._decks_come()
        if self.state.phase is not Phase.OPEN:
            raise Wrong(f"bets did not open: {self.state.phase}, {obstacles(self.house, self.state)}")

    def _between(self, *, calm: bool = False) -> None:
        """The time between two rounds: time passes, decks grow old, machines fail, nobody plays."""
        self.now_s += ROUND_S
        self.now_ns += ROUND_S * 1_000_000_000
        self._machine()
        self._shuffle_if_wanted()
        self.take(Ticked(self.now_s))
        self._floor_orders(calm)
        if self.state.phase in (Phase.CLOSED, Phase.SHUT):
            self._decks_come()
        self._shuffle_if_wanted()

    def _shuffle_if_wanted(self) -> None:
        if self.state.phase in (Phase.SHUFFLE, Phase.CUT):
            self._shuffle()

    def _floor_orders(self, calm: bool) -> None:
        if calm or self.state.phase is not Phase.OPEN:
            return
        known = {problem.key for problem in irregularity.problems(self.house, self.state)}
        if "idle" in known and self.sometimes(0.01):
            self.tally["idle"] += 1
            self._cash_out()
            self._tell("idle")
            self.press("face-up")
            self._first_player()
            self._shuffle()
        elif "cover" in known and self.sometimes(0.01):
            self.tally["device covered"] += 1
            self._tell("cover")
            self._machine()
        elif "uncover" in known and self.sometimes(0.2):
            self._tell("uncover")
            self._machine()
        if self.state.cards == "cut" and self.sometimes(0.02) and self.state.phase is Phase.OPEN:
            self.tally["recut"] += 1
            self._tell("recut")
            self.press("recut")

    def _decks_come(self) -> None:
        """A deck is due or missing: others come."""
        self.tally["decks changed"] += 1
        if self.state.phase is Phase.CLOSED:
            self.press("fetch")
        self.press("received")
        self.press("inspected")
        self.press("verify", CHIEF)
        self._first_player()
        self._shuffle()

    def _tell(self, key: str) -> None:
        """PROBLEM, what happened, and the floorperson's signature where it is asked for."""
        self.press("problem")
        self.press(f"problem {key}")
        if self.state.panel == f"problem {key}":
            self.press("apply", FLOOR)

    def _close_table(self) -> None:
        self._cash_out()
        if self.state.phase is Phase.OPEN:
            self._tell("close")
        else:
            raise Wrong(f"not open at the end: {self.state.phase}")
        if self.sometimes(0.2):
            self.press(f"emptied {opening.expected(self.state) - 1}")
            self.press("shut-short", FLOOR)
        else:
            self.press(f"emptied {opening.expected(self.state)}")
        if self.state.phase is not Phase.SHUT:
            raise Wrong("the table did not shut")

    def _cash_out(self) -> None:
        for seat, credit in enumerate(self.state.accounts, start=1):
            if credit:
                self.press(f"account {seat}")
                self.press("cash-out")
        if self.state.panel:
            self.press("back")

    # Chips -----------------------------------------------------------------------------------------------------------

    def _chips(self, state: TableState) -> None:
        """Every chip that was wagered went somewhere, once, and as the whole round's settlement says."""
        for number, seat in state.numbered():
            box = seat.box
            if not box.plays:
                continue
            wagered = Counter(dict(box.stakes))
            decided = box.stayed or box
            if decided.choice == "play" and decided.times:
                wagered[self.house.procedure.play.lower()] = decided.played
            if decided.option:
                wagered["options_fee"] = box.ante
            lines = [line for line in (*box.lines, *box.final) if line.wager != "bet:second"]
            settled = Counter({line.wager: line.stake for line in lines})
            if settled != wagered or len(settled) != len(lines):
                raise Wrong(f"seat {number} wagered {dict(wagered)}, settled were {lines}")

    def _compare(self, state: TableState, cards: Cards) -> None:
        """The same lines as the law's own settlement of the whole round."""
        document = self._document(state, cards)
        if document is None:
            return
        paid = settle(parse_round(document, self.house.submission)).payments
        for number, seat in state.numbered():
            if not seat.box.plays:
                continue
            ours = sorted(
                (one.wager, one.result, one.stake, one.returned, one.payout)
                for one in (*seat.box.lines, *seat.box.final)
            )
            law = sorted(
                (one.wager, str(one.result), one.stake, one.returned, one.payout) for one in paid if one.seat == number
            )
            if seat.box.choice == "abandoned":  # the contract's round cannot say what he had put up before he left
                ours = [line for line in ours if line[0] in [one[0] for one in law]]
            if ours != law:
                raise Wrong(f"seat {number}: {ours}, and the law says {law}; {document}")
        self.tally["rounds compared"] += 1

    def _document(self, state: TableState, cards: Cards) -> dict[str, Any] | None:
        """The round as a file: None where the table need not know all that a file says."""
        seats: dict[str, Any] = {}
        for number in state.players:
            box = state.seat(number).box
            wagers: dict[str, Any] = {w: dollars(s) for w, s in box.stakes if not w.startswith("super:")}  # type: ignore[arg-type]
            backed = {w[6:]: dollars(s) for w, s in box.stakes if w.startswith("super:")}  # type: ignore[arg-type]
            if backed:
                wagers["super_on"] = backed
            seat: dict[str, Any] = {"cards": list(self.first[number]), "wagers": wagers}
            if box.option:
                seat["option"] = self.options[number]
            if self.house.procedure.book == LUNAR:
                seat["decision"] = {"play": "bet"}.get(box.choice, box.choice)
                seat["declared"] = self.declared[number]
            elif box.choice == "play":
                seat["decision"] = {"at": box.street, "wager": dollars(box.played)}  # type: ignore[arg-type]
            else:
                seat["decision"] = box.choice
            seats[str(number)] = seat
        dealt: dict[str, Any] = {"dealer": list(cards.dealer)}
        if cards.board:
            dealt["board"] = list(cards.board)
        if cards.six:
            dealt["six_card"] = list(cards.six)
        return {"rules": {}, "cards": dealt, "seats": seats} if seats else None

    # A round ---------------------------------------------------------------------------------------------------------

    def _round(self) -> None:
        """From open bets to open bets (or to whatever keeps them closed)."""
        if self.state.phase is not Phase.OPEN:
            raise Wrong(f"a round begins in {self.state.phase}")
        self.tally["rounds"] += 1
        self._players_come()
        lit = self._progressive_chips()
        self._lock()
        if self.state.phase is Phase.COUNT:
            self._count(lit)
        cards = self._deal_cards()
        voided = self._maybe_void()
        if not voided:
            if self.house.level:
                voided = self._play_hands(cards)
            else:
                self._level_zero(cards)
        if not voided:
            self._stub()
        self._clear(voided, cards)

    def _players_come(self) -> None:
        """Who plays, and with what; most bet as in the round before."""
        if not self.house.level:
            return
        seats = range(1, self.house.seats + 1)
        for seat in seats:
            if (not self.state.players and seat <= 3) or self.chance.random() < 0.05:
                self.press(f"box {seat}")
        if not self.state.players:
            self.press("box 1")
        for seat in self.state.players:
            if self.chance.random() < 0.15:
                self._bet(seat)

    def _bet(self, seat: int) -> None:
        """Somebody changes his wagers."""
        self.press("stakes")
        for wager in pricing.offered(self.house, seat):
            playing = wager[6:] == "dealer" or not wager.startswith("super:") or int(wager[6:]) in self.state.players
            trips = "trips" in dict(self.state.seat(seat).box.stakes)
            needs = wager == "bad_beat_bonus" or (wager == "six_card_bonus" and self.house.procedure.book != "pa-653a")
            if not playing or (needs and not trips) or self.chance.random() < 0.5:
                continue
            self.press(f"stakes {seat} {wager}")
            if wager not in ("trips", "ante", "super") and wager in dict(self.state.seat(seat).box.stakes):
                self.press("no-chips")
            else:
                self.press("chips 1500" if wager.startswith("super:") else "chips 500")
        self.press("back")

    def _progressive_chips(self) -> list[int]:
        """Chips onto sensors, and buttons."""
        if not self.house.offers_progressive:
            return []
        playing = self.state.players or tuple(range(1, self.house.seats + 1))
        lit = [seat for seat in playing if self.chance.random() < 0.6]
        for seat in lit:
            self.take(SensorSettled(seat, True, self.now_ns))
        if self.house.submission.five_card_hand is not None:
            self._buttons(playing)
        return lit

    def _buttons(self, playing: Iterable[int]) -> None:
        for seat in playing:
            if self.state.accounts[seat - 1] < 200 and self.chance.random() < 0.05:
                self.press(f"account {seat}")
                self.press("chips 2500")
                self.press("back")
            for hand in ("own", "dealer"):
                if self.state.accounts[seat - 1] >= 100 and self.chance.random() < 0.5:
                    self.take(ButtonPushed(seat, hand, self.now_ns))

    def _lock(self) -> None:
        seats = range(1, len(self.state.seats) + 1) if self.house.offers_progressive else ()
        readings = tuple(SeatReading(seat, self.state.seat(seat).covered, 1_000_000_000) for seat in seats)
        card = self.chance.choice(DECK)
        chance = Chance(
            card, self.chance.randint(0, self.house.seats), self.chance.random() < 0.5, self.chance.random() < 0.5
        )
        self.now_ns += 10_000_000_000
        self.take(NoMoreBets(self.now_ns, "screen", readings, chance))
        self._power_cut()

    def _count(self, lit: list[int]) -> None:
        """The chips are swept and counted; sometimes the count is wrong first, or a chip is missing."""
        for seat in lit:
            self.take(SensorSettled(seat, False, self.now_ns))
        if lit and self.sometimes(0.03):
            self.tally["recount"] += 1
            self.press(f"count {len(lit) - 1}")
            self.press("undo")
        if lit and self.sometimes(0.02):
            self.tally["difference"] += 1
            self.press(f"count {len(lit) - 1}")
            self.press(f"seat {lit[-1]}")
            self.press("settle taken-back")
        else:
            self.press(f"count {len(lit)}")

    def _deal_cards(self) -> Cards:
        deck = self.chance.sample(DECK, 52)
        cards = iter(deck)
        holes = self.house.procedure.hole_cards
        seats = self.state.players or tuple(range(1, self.house.seats + 1))
        six = tuple(islice(cards, 4)) if self._six_card() else ()
        hands = {seat: tuple(islice(cards, holes)) for seat in seats}
        dealer = tuple(islice(cards, holes))
        board = () if self.house.procedure.book == LUNAR else tuple(islice(cards, 5))
        self.first = dict(hands)
        self.options: dict[int, dict[str, Any]] = {}
        return Cards(hands, dealer, board, six, list(cards))

    def _six_card(self) -> bool:
        return any("six_card_bonus" in dict(seat.box.stakes) for seat in self.state.seats)

    def _maybe_void(self) -> bool:
        """Anything irregular that may happen in this phase, or nothing."""
        if not self.sometimes(0.01):
            return False
        known = irregularity.problems(self.house, self.state)
        notes = [
            problem for problem in known if not problem.floor and problem.key not in ("left", "sensors", "correct")
        ]
        voids = [problem for problem in known if problem.voids]
        chosen = self.chance.choice([*notes, *voids] or [None])  # type: ignore[list-item]
        if chosen is None:
            return False
        self.tally[f"{chosen.key} in {self.state.phase}"] += 1
        self._tell(chosen.key)
        return bool(chosen.voids)

    def _stub(self) -> None:
        if stub_due(self.house, self.state) and self.state.phase in (Phase.DEAL, Phase.SETTLE):
            self.tally["stub counted"] += 1
            self.press("stub-right")

    def _clear(self, voided: bool, cards: Cards) -> None:
        if voided and self.state.still and self.house.level:
            self._settle_after_void(cards)
        elif self.checks and not voided and self.house.level:
            self._compare(self.state, cards)
        self._next_deck()
        self.press("clear")
        if not voided and self.state.before and self.sometimes(0.02):
            self.tally["clear taken back"] += 1
            self.press("undo")
            self.press("clear")

    def _next_deck(self) -> None:
        """Two decks alternate: while this round was played the machine shuffled the other one."""
        equipment = self.house.equipment
        if machine_used(self.house, self.state) and len(self.state.decks) == len(equipment.colours):
            other = self.state.decks[(self.state.in_play + 1) % len(self.state.decks)]
            self.take(ShufflerSeen(True, "S-1", "ready", 52 if equipment.counts else None, other.colour, "", 0))

    # Level 0 ---------------------------------------------------------------------------------------------------------

    def _level_zero(self, cards: Cards) -> None:
        for seat in sorted(self.state.wagers, reverse=True):
            hand = five_card_hand(cards.seats[seat] + cards.board[:3])
            if hand in self.house.progressive.prizes:
                self.press(f"seat {seat}")
                self._progressive(seat, str(hand), cards)
        if self.house.submission.five_card_hand is not None:
            for seat in range(len(self.state.seats), 0, -1):
                if self.state.seat(seat).five_card:
                    self._five_card(seat, cards, pick=True)

    def _progressive(self, seat: int, hand: str, cards: Cards) -> None:
        """A winning progressive wager: validated, paid or claimed."""
        self.tally[f"progressive {hand}"] += 1
        self.press(f"hand {hand}")
        if self.sometimes(0.1):
            self.press("cancel")
            if self.state.turn != seat:
                self.press(f"seat {seat}")
            self.press(f"hand {hand}")
        self._validated((*cards.seats[seat], *cards.board[:3]))

    def _validated(self, five: tuple[str, ...]) -> None:
        if self.state.phase is Phase.CARDS:
            for card in five:
                self.press(f"rank {card[0]}")
                self.press(f"suit {card[1]}")
            self.press("show")
        self.press("approve", FLOOR)
        if self.state.phase is Phase.PAY:
            self.press("paid")
            return
        self._bank_prices()
        if self.sometimes(0.2):
            self.tally["claim rejected"] += 1
            self.press("claim-rejected", CHIEF)
        else:
            self.tally["claim paid"] += 1
            self.press("claim-paid", CHIEF)
            if self.state.phase is Phase.ENVY:
                self.press("envy-paid")

    def _bank_prices(self) -> None:
        """The bank holds all that is owed, and freezes the share."""
        prize = self.state.seat(self.state.turn).prize
        if prize is None:
            raise Wrong("a claim without a prize")
        self.claims[prize.claim] = ClaimAnswer(prize.claim, "pending", prize.meter, prize.odds, 1_234_500, prize.cite)  # type: ignore[arg-type]
        last = self.state.outbox[-1]
        self.take(BankSaid("e" * 32, self.state.journal, last.seq, last.hash, (self.claims[prize.claim],)))
        if self.state.phase is not Phase.HOLD:
            raise Wrong("a priced claim is not on hold")

    def _five_card(self, seat: int, cards: Cards, *, pick: bool) -> None:
        """Own hand and dealer's hand with the flop."""
        offer = self.house.submission.five_card_hand
        if offer is None:
            return
        for hand in self.state.seat(seat).five_card:
            five = (*(cards.seats[seat] if hand == "own" else cards.dealer), *cards.board[:3])
            made = five_card_hand(five)
            prize = offer.prizes.get(made)
            if prize is not None and not self._shared_already(prize):
                self.tally[f"five card {made}"] += 1
                if pick and self.state.turn != seat:
                    self.press(f"seat {seat}")
                self.press(f"five {hand} {made}")
                if self.state.phase is not Phase.SETTLE:
                    self._validated(five)
            if self.state.game.magic_card in five:
                self.tally["magic card"] += 1
                if pick and self.state.turn != seat:
                    self.press(f"seat {seat}")
                self.press(f"five {hand} magic")
        if pick and self.state.turn:
            self.press("undo")

    def _shared_already(self, prize: Any) -> bool:
        return isinstance(prize, Share) and any(
            one.wager == "five_card_dealer" and one.meter for seat in self.state.seats for one in seat.prizes
        )

    # Levels 1 and 2 --------------------------------------------------------------------------------------------------

    def _play_hands(self, cards: Cards) -> bool:
        """Deal, ask, show, settle; True where the round became void."""
        if deciding.needs_stub(self.house, self.state):
            self._stub()
        self.press("dealt")
        if self.sometimes(0.02):
            self.press("undo")
            self.press("dealt")
        if self.house.procedure.book == LUNAR:
            if self._lunar(cards):
                return True
        else:
            while self.state.phase is Phase.ASK:
                self._ask()
                if self._maybe_void():
                    return True
                self.press("next")
        if self._maybe_void():
            return True
        if self.state.phase is Phase.REVEAL and self.house.procedure.book != LUNAR and self.sometimes(0.02):
            self.press("undo")
            self.press("next")
        self._reveal(cards)
        while settling.in_question(self.state):
            self._turn(cards)
        return False

    def _ask(self) -> None:
        """Each player answers; a wrong tap is tapped away."""
        street = deciding.street(self.house, self.state)
        for number, seat in self.state.numbered():
            if not deciding.asked(self.house, self.state, seat):
                continue
            cycle = len(street.times) + 1
            for _ in range(self.chance.randrange(cycle)):
                self.press(f"seat {number}")
            self._size(number)
            if self.sometimes(0.02):
                for _ in range(cycle):
                    self.press(f"seat {number}")
        self._leaves()

    def _size(self, number: int) -> None:
        """A raise between two multiples of the ante, where the book allows it (677a.11(b), (d))."""
        if deciding.sizes_raise(self.house, self.state, self.state.seat(number)) and self.chance.random() < 0.1:
            self.tally["raise sized"] += 1
            self.press(f"raise {number}")
            self.press("no-chips")
            self.press("chips 500")
            self.press("back")

    def _leaves(self) -> None:
        if self.sometimes(0.005) and self.state.players:
            self.tally["left"] += 1
            seat = self.chance.choice(self.state.players)
            self.press("problem")
            self.press("problem left")
            self.press(f"left {seat}")
            if self.sometimes(0.3):
                self.press(f"left {seat}")
            self.press("back")

    def _reveal(self, cards: Cards) -> None:
        """The dealer's hand."""
        if deciding.needs_stub(self.house, self.state):
            self.tally["stub counted"] += 1
            self.press("stub-right")
        if settling.backs_dealer(self.state):
            row = self._super_row(cards.dealer)
            self.press(f"dealer-row {row or 'none'}")
        if self.house.level == 2 or self.chance.random() < 0.05:
            self.tally["board entered"] += 1
            self.press("cards")
            self._enter({"board": cards.board, "dealer": cards.dealer, "six": cards.six})
            return
        _, qualifies = dealer_of_cards(self.house.submission, cards.board, cards.dealer)
        if self.sometimes(0.02) and not settling.backs_dealer(self.state):
            self.press(f"dealer {'no' if qualifies else 'yes'}")
            if not any(seat.box.final for seat in self.state.seats) and settling.in_question(self.state):
                self.press("undo")
        if self.state.phase is Phase.REVEAL:
            self.press(f"dealer {'yes' if qualifies else 'no'}")

    def _enter(self, places: Mapping[str, tuple[str, ...]]) -> None:
        left = {place: list(cards) for place, cards in places.items()}
        for place in self.state.game.entry.want:
            card = left[place].pop(0)
            self.press(f"rank {card[0]}")
            self.press(f"suit {card[1]}")
            if self.sometimes(0.01):
                self.press("card-back")
                self.press(f"rank {card[0]}")
                self.press(f"suit {card[1]}")
        self.press("enter")

    def _turn(self, cards: Cards) -> None:
        """One seat, completely."""
        number = self.state.turn
        by_cards = self.house.level == 2 or self.chance.random() < 0.03
        if by_cards and settling.question(self.house, self.state)[0]:
            self.press("cards")
            self._enter({"seat": cards.seats[number], "board": cards.board, "dealer": cards.dealer, "six": cards.six})
        else:
            self._answers(number, cards)
        if self.state.seat(number).box.settled:
            self._undo_collected(number, cards)
            return
        self._prizes(number, cards)
        paid = any(line.payout for line in self.state.seat(number).box.due)
        self.press("settled")
        if paid and self.sometimes(0.01):
            self.tally["corrected by the floor"] += 1
            self.press("problem")
            self.press("problem correct")
            self.press(f"correct {number}")
            self.press(f"correct {number} wrong-amount", FLOOR)

    def _prizes(self, number: int, cards: Cards) -> None:
        """Progressive and Five Card wagers, in the seat's own turn."""
        if self.state.void_cite or self.state.seat(number).mark == "left":
            return
        if self.state.seat(number).wager and not any(p.status == "paid" for p in self.state.seat(number).prizes):
            hand = five_card_hand(cards.seats[number] + cards.board[:3])
            if hand in self.house.progressive.prizes:
                self._progressive(number, str(hand), cards)
        credited = {wager for seat, wager, _ in self.state.game.credited if seat == number}
        if self.state.seat(number).five_card and not credited:
            self._five_card(number, cards, pick=False)

    def _answers(self, number: int, cards: Cards) -> None:
        """What the dealer sees, said question by question; sometimes wrong, and taken back."""
        given = self._truth(number, cards)
        while (asked := settling.question(self.house, self.state))[0] and self.state.turn == number:
            question, choices = asked
            choice = given.get(question, "")
            if self.sometimes(0.02) and question == "hand":
                before = len(self.state.seat(number).box.told)
                self.take(Pressed(f"answer {self.chance.choice(choices) or 'none'}", "", self.now_s))
                while self.state.turn == number and len(self.state.seat(number).box.told) > before:
                    self.press("undo")
                if self.state.seat(number).box.settled:  # a wrong answer by which everything was lost
                    self.tally["collected, taken back"] += 1
                    self.press("undo")
                continue
            self.press(f"answer {choice if choice in choices and choice else 'none'}")
            if self.state.seat(number).box.settled:
                return

    def _undo_collected(self, number: int, cards: Cards) -> None:
        if self.state.game.last_settled == number and self.sometimes(0.05):
            self.tally["collected, taken back"] += 1
            while self.state.turn and self.state.turn != number and self.state.seat(self.state.turn).box.told:
                self.press("undo")
            self.press("undo")

    def _truth(self, number: int, cards: Cards) -> dict[str, str]:
        box = self.state.seat(number).box
        seat = replace(
            pricing.rules_seat(self.house, number, box, pricing.FOLDED if self.state.void_cite else None),
            cards=cards.seats[number],
        )
        dealer = () if self.state.void_cite else cards.dealer
        said = told_of_cards(self.house.submission, seat, cards.board, dealer, cards.six)
        return {
            **said.side,
            "result": said.result,
            "hand": said.hand,
            "dealer_hand": said.dealer_hand,
            "second": said.second,
        }

    def _settle_after_void(self, cards: Cards) -> None:
        """Trips, Pocket Bonus and the like are settled although the round is void."""
        self.tally["settled in a void round"] += 1
        if settling.unsettled(self.state) or any(not seat.box.settled for seat in self.state.seats if seat.box.plays):
            self.press("winners")
            while settling.in_question(self.state):
                self._turn(cards)

    # Lunar Poker -----------------------------------------------------------------------------------------------------

    def _lunar(self, cards: Cards) -> bool:
        """Elections, Supers, draws; True where the round became void."""
        for number in self.state.players:
            self._elect(number, cards)
        self._leaves()
        if self._maybe_void():
            return True
        self.press("next")
        if self.sometimes(0.02):
            self.press("undo")
            self.press("next")
        for number in self.state.players:
            row = self._super_row(self.first[number])
            verified = [row] if row and self.chance.random() < 0.97 else []
            if self.state.seat(number).box.choice == "instant":
                self.tally["instant payout"] += 1
                verified.append(str(five_card_hand(self.first[number])))
            if verified:
                self.press(f"seat {number}")
                for one in verified:
                    self.press(f"row {one}")
                self.press(f"seat {number}")
        self.declared = {n: bool(self.state.seat(n).box.super_row) for n in self.state.players}
        self.press("supers-settled")
        while self.state.phase is Phase.DRAW:
            self._draw(self.state.turn, cards)
        return False

    def _super_row(self, hand: tuple[str, ...]) -> str:
        return row_of_cards(self.house.submission, "super", hand)

    def _elect(self, number: int, cards: Cards) -> None:
        hand = five_card_hand(cards.seats[number])
        choices = ["bet", "bet", "fold", "buy", "exchange 2", "exchange 5"]
        left = deciding.cards_left(self.house, self.state) - deciding.draws_wanted(self.state)
        if left < 5:
            choices = ["bet", "fold"]
        choice = "instant" if hand in rows(self.house.submission, "instant") else self.chance.choice(choices)
        if choice == "bet" and not self.sometimes(0.1):
            return
        self.press(f"seat {number}")
        if self.sometimes(0.05):
            self.press("choose fold")
        self.press(f"choose {choice}")
        self.press(f"seat {number}")

    def _draw(self, number: int, cards: Cards) -> None:
        """New cards for the fee; then bet or fold."""
        box = self.state.seat(number).box
        if number not in self.options:
            hand = cards.seats[number]
            if box.option == "buy":
                bought = cards.rest.pop(0)
                self.options[number] = {"buy": bought}
                cards.seats[number] = (*hand, bought)
            else:
                drawn = [cards.rest.pop(0) for _ in range(box.exchanged)]
                self.options[number] = {"exchange": {"discard": list(hand[: box.exchanged]), "draw": drawn}}
                cards.seats[number] = (*hand[box.exchanged :], *drawn)
        self.press("bets" if self.chance.random() < 0.7 else "folds")
        if self.sometimes(0.03) and self.state.phase in (Phase.DRAW, Phase.REVEAL):
            self.press("undo")


def play(book: str, seed: int, rounds: int, *, checks: bool = True, level: int | None = None) -> Counter[str]:
    """One shift of so many rounds; what happened. Raises Wrong, naming book and seed."""
    shift = Shift(book, seed, checks=checks, level=level)
    try:
        shift.play(rounds)
    except Exception as error:
        error.add_note(
            f"book {book}, seed {seed}, level {shift.house.level}, {shift.house.equipment}, round {shift.state.round}"
        )
        raise
    return shift.tally
