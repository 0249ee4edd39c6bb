"""The work of the scripted dealer from the first card to CLEAR: decisions, the dealer's hand, settlement, prizes, voids.

The dealer enters the values that `firmware.rules` gives the cards as they lie; a floorperson signs, and a manager
ends a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from firmware.proof.simulation.at_table import Act, AtTable
from firmware.proof.simulation.game_betting import lit
from firmware.proof.simulation.hands import HANDS, declared_row, instant_row, qualifies, seat_of, truth, won
from firmware.proof.simulation.person import (
    FLOOR,
    MANAGER,
    Stuck,
    changed,
    field_at,
    key_at,
    lines_at,
    not_shown,
    number_at,
    place_of,
    press_at,
    said_at,
    says,
    shown,
    tile_says,
    words,
)
from firmware.rules.message import Message, say
from firmware.runtime.glass import Observation, Text

SUITS = {"cards.spades": "s", "cards.hearts": "h", "cards.diamonds": "d", "cards.clubs": "c"}
PLACES = {"entry.place-board": "board", "seat.dealer": "dealer", "entry.place-six": "six", "entry.place-seat": "seat"}
"""The heading above the cards to be entered -> their owner."""
ASKED = ("hand", "dealer_hand", "second", "instant")
"""Questions to a dealer about a seat, beside the result and rows of wagers."""
LEFT, FOLDED = "choice.abandoned", "choice.fold"


# Irregularities -------------------------------------------------------------------------------------------------------


def _trouble(dealer: AtTable, seen: Observation) -> bool:
    """The trouble on this screen, told once; True if the screen is another one now, or may be."""
    play, script = dealer.round, dealer.round.script
    where = seen.screen
    at = where if dealer.game.level else "deal"
    if script.left and where == ("ask" if dealer.game.level else "deal") and play.once("left"):
        _leaves(dealer, script.left)
        return True
    if script.notes and where == "deal" and play.once("notes"):
        for note in script.notes:
            dealer.tell(note)
        return True
    if script.void and at == script.void_at and play.once("void"):
        dealer.tell(script.void)
        return True
    return False


def _leaves(dealer: AtTable, seat: int) -> None:
    """A player leaves the table: a floorperson has the wagers treated as losing (653a.7(b))."""
    dealer.tell("left")
    place = f"left-{seat}"
    dealer.signed(FLOOR, place, changed(dealer.person.screen("left"), place))
    dealer.person.key("primary", until=not_shown("left"))
    dealer.stakes.pop(seat, None)


# The deal and the decisions -------------------------------------------------------------------------------------------


def _deal(dealer: AtTable, seen: Observation) -> None:
    script = dealer.round.script
    _look_at_drawn(dealer, seen)
    if dealer.round.once("machine"):
        _shuffler_hands(dealer, seen)
    if _trouble(dealer, seen):
        return
    if dealer.game.level:
        asks = script.acts or script.left or script.undo or (script.void and script.void_at == "ask")
        dealer.person.step("dealt" if asks and key_at(seen, "dealt") is not None else "primary")
    elif not script.void and not _stub_first(seen) and (want := next(_prizes(dealer), None)) is not None:
        _pick(dealer, want[0])
    else:
        dealer.person.step("primary")


def _stub_first(seen: Observation) -> bool:
    """The stub is counted before any prize is named (653a.8(e) to (h))."""
    return press_at(seen, "primary") == "stub-right"


def _look_at_drawn(dealer: AtTable, seen: Observation) -> None:
    """The Magic Card of this round, where the screen shows one."""
    card = field_at(seen, "", "card", "drawn.magic-card")
    if isinstance(card, Message):
        rank, suit = (value for _, value in card.args)
        assert isinstance(suit, Message), f"a suit has a name: {card}"
        dealer.round.magic = str(rank).replace("10", "T") + SUITS[suit.id]


def _shuffler_hands(dealer: AtTable, seen: Observation) -> None:
    """The other deck goes into the shuffler while this one is dealt; then the shuffler may give trouble with it."""
    if says(seen, "status.shuffler-off", "machine"):
        return
    dealer.person.see(lambda now: not says(now, "status.shuffler-counts", "machine"), "the shuffled deck")
    dealer.world.swap_deck()
    alarm = dealer.round.script.alarm
    if alarm == "jam":
        dealer.world.jam()
    elif alarm == "door":
        dealer.world.door(True)


def _ask(dealer: AtTable, seen: Observation) -> None:
    """Players answer; only who answers otherwise than the screen says is tapped."""
    if _trouble(dealer, seen):
        return
    if dealer.game.elects:
        _elect(dealer)
    else:
        _answer_street(dealer, seen)
        if "street" in dealer.round.script.undo and dealer.round.once("street"):
            dealer.person.step("primary")
            if dealer.person.screen("ask", "reveal").screen == "ask":
                dealer.person.step("undo")
            return
    dealer.person.step("primary")


def _answer_street(dealer: AtTable, seen: Observation) -> None:
    asked = set(said_at(seen, "work"))
    law = dealer.game.law
    street = next(street for street in dealer.game.procedure.streets if law.question(street) in asked)
    acts = dict(dealer.round.script.acts)
    for seat in sorted(dealer.round.cards.first):
        if key_at(seen, place_of(seat)) is None:
            continue
        where, _, times = acts.get(seat, "").partition(" ")
        wanted = _plays(dealer, street.times[0]) if street.last else say("choice.check")
        if where == street.name:
            wanted = _plays(dealer, int(times))
        elif where == "fold" and street.last:
            wanted = say("choice.fold")
        _tap_until(dealer, seat, wanted)


def _plays(dealer: AtTable, times: int) -> Message:
    """A tile's words about a hand that plays for so many times the ante."""
    return say("decided.multiple", times=times)


def _tap_until(dealer: AtTable, seat: int, wanted: Message) -> None:
    """Each tap on a seat turns its answer."""
    while not tile_says(seen := dealer.person.screen("ask"), seat, wanted):
        dealer.person.tile(seat, until=changed(seen, place_of(seat)))


def _elect(dealer: AtTable) -> None:
    """The players who do not simply bet (671a.11(b))."""
    person = dealer.person
    for seat, act in dealer.round.script.acts:
        place = act.replace(" ", "-")
        name, _, number = act.partition(" ")
        wanted = dealer.game.law.elected(name, int(number or 0))
        seen = person.screen("ask")
        if tile_says(seen, seat, wanted) or says(seen, LEFT, place_of(seat)):
            continue
        person.tile(seat, until=_asks(seat))
        person.key(place, until=lambda now, seat=seat, wanted=wanted: tile_says(now, seat, wanted))  # type: ignore[misc]


def _asks(seat: int) -> Callable[[Observation], bool]:
    """The keys are about this seat."""
    return lambda seen: number_at(seen, "prompt", "seat") == seat


def _supers(dealer: AtTable, _seen: Observation) -> None:
    """The first pass: who has something declares it."""
    person, cards = dealer.person, dealer.round.cards
    acts = dict(dealer.round.script.acts)
    for seat in sorted(cards.first):
        row = declared_row(dealer.game.submission, cards.first[seat])
        if dealer.round.script.left == seat:
            continue
        if dealer.game.level > 1 and (row or acts.get(seat) == "instant"):
            if dealer.round.once(f"declared {seat}"):
                _show_cards(dealer, seat)
                return
            continue
        if acts.get(seat) == "instant" and dealer.round.once(f"instant {seat}"):
            _declare(dealer, seat, f"instant {instant_row(dealer.game.submission, cards.first[seat])}")
        if row and not tile_says(person.screen("supers"), seat, dealer.game.law.row_called(row)):
            _declare(dealer, seat, row)
    person.step("primary")


def _show_cards(dealer: AtTable, seat: int) -> None:
    """At assist level 2 the cards say what was declared."""
    _choose_declared(dealer, seat)
    dealer.person.key("cards", until=shown("hand"))


def _declare(dealer: AtTable, seat: int, row: str) -> None:
    _choose_declared(dealer, seat)
    dealer.person.key(row, until=changed(dealer.person.screen("supers"), place_of(seat)))


def _choose_declared(dealer: AtTable, seat: int) -> None:
    if not _asks(seat)(dealer.person.screen("supers")):
        dealer.person.tile(seat, until=_asks(seat))


def _draw(dealer: AtTable, seen: Observation) -> None:
    """A player gets the cards of the fee, and gives up with less than a pair."""
    seat = number_at(seen, "primary", "seat")
    assert seat, f"whose draw? {words(seen)}"
    cards, act = dealer.round.cards, dict(dealer.round.script.acts)[seat]
    if dealer.round.once(f"draw {seat}"):
        cards.draw(seat, int(act.partition(" ")[2] or 0))
    good = len({card[0] for card in cards.hands[seat]}) < len(cards.hands[seat])
    dealer.person.step("primary" if good else "folds")


def _reveal(dealer: AtTable, seen: Observation) -> None:
    """The stub where it is due, Supers on the dealer's hand, then the dealer's cards."""
    if _trouble(dealer, seen):
        return
    game, cards, person = dealer.game, dealer.round.cards, dealer.person
    if not _dealer_is_asked(seen) and key_at(seen, "none") is None:
        person.step("primary")  # the stub is counted
    elif not _dealer_is_asked(seen):
        row = declared_row(game.submission, cards.dealer)
        person.key(row or "none", until=lambda now: _dealer_is_asked(now) or now.screen != "reveal")
    elif game.level > 1:
        person.key("primary", until=shown("hand"))
    elif dealer.round.script.enter == "board" and dealer.round.once("board"):
        person.key("cards", until=shown("hand"))
    else:
        person.step("better" if qualifies(game.submission, cards) else "less")


def _dealer_is_asked(seen: Observation) -> bool:
    """Whether the dealer's hand qualifies; the row that was told may leave one answer dark."""
    return any(key_at(seen, one) is not None for one in ("better", "less"))


# Cards are entered ----------------------------------------------------------------------------------------------------


def _hand(dealer: AtTable, seen: Observation) -> None:
    """Cards for the places that the screen asks for."""
    cards = dealer.round.cards
    groups = [widget for widget in seen.widgets if widget.id.startswith("group-")]
    seat = number_at(seen, "prompt", "seat")
    own = cards.hands[seat] if seat else ()
    lies = {"seat": own, "board": cards.board, "dealer": cards.dealer, "six": cards.six}
    wanted: list[str] = []
    left = {place: list(cards) for place, cards in lies.items()}
    for slot in _slots(seen):
        above = [one for one in groups if one.x - 0.1 <= slot.x < one.x + one.w and one.y <= slot.y]
        whose = next(said_at(seen, max(above, key=lambda one: one.y).id)).id
        wanted.append(left[PLACES[whose]].pop(0))
    enter(dealer, tuple(wanted))
    dealer.person.step("primary")


def _slots(seen: Observation) -> list[Text]:
    return [widget for widget in seen.widgets if widget.id.startswith("slot-")]


def enter(dealer: AtTable, cards: tuple[str, ...]) -> None:
    """Two taps a card, until every place is filled."""
    person = dealer.person
    for place, card in enumerate(cards, start=1):
        slot, rank, suit = f"slot-{place}", f"rank-{card[0]}", f"suit-{card[1]}"

        def filled(seen: Observation, slot: str = slot) -> bool:
            return any(widget.id == slot and widget.shape for widget in seen.widgets) or not _slots(seen)

        def asks(seen: Observation, suit: str = suit) -> bool:
            """This suit; one with which the card lies there already is dark after a rank too."""
            return key_at(seen, suit) is not None

        while not filled(person.look()):
            person.key(rank, until=lambda seen: asks(seen) or filled(seen))
            person.key(suit, until=lambda seen: filled(seen) or not asks(seen))


def _cards(dealer: AtTable, _seen: Observation) -> None:
    """The five cards of a share: the two of the prize that is being named, and the flop."""
    cards = dealer.round.cards
    own = cards.dealer if dealer.round.wager == "five dealer" else cards.hands[dealer.round.turn]
    enter(dealer, (*own, *cards.board[:3]))
    dealer.person.key("primary", until=not_shown("cards"))


# Prizes ---------------------------------------------------------------------------------------------------------------


def _prizes(dealer: AtTable, only: int = 0) -> Iterator[tuple[int, str, str]]:
    """(seat, wager, key) of every prize that is not named yet, from the last seat down."""
    play, cards = dealer.round, dealer.round.cards
    if play.script.void or not dealer.game.progressive:
        return
    for seat in range(dealer.game.seats, 0, -1):
        if (only and seat != only) or seat not in cards.hands or seat == play.script.left:
            continue
        wagers = [
            *(["hand"] if seat in lit(dealer) else []),
            *(f"five {hand}" for n, hand in play.script.five if n == seat),
        ]
        for wager, made, _ in won(dealer.game.submission, cards, seat, wagers, play.magic):
            once = f"{wager} magic" if made == "magic" else wager
            if (seat, once) not in play.named:
                yield seat, once, f"{wager} {made}".replace(" ", "-")


def _name(dealer: AtTable, want: tuple[int, str, str]) -> None:
    """Press the key of a hand: it is validated, or credited at once and its key is gone."""
    seat, wager, key = want
    dealer.round.turn, dealer.round.wager = seat, wager
    dealer.person.key(key, until=lambda seen: shown("validate", "cards", "pay")(seen) or key_at(seen, key) is None)
    dealer.round.named.add((seat, wager))


def _winners(dealer: AtTable, seen: Observation) -> None:
    """Level 0: tap the seat that won, name its hand."""
    _look_at_drawn(dealer, seen)
    want = next(_prizes(dealer), None)
    picked = key_at(seen, "primary") is None
    if picked and want is not None and want[0] == dealer.round.turn:
        _name(dealer, want)
    elif picked:
        _let_go(dealer, seen)
    elif want is not None:
        _pick(dealer, want[0])
    else:
        dealer.person.step("primary")


def _pick(dealer: AtTable, seat: int) -> None:
    """Tap the seat that won."""
    dealer.round.turn = seat
    dealer.person.tile(seat, until=lambda now: now.screen == "winners" and key_at(now, "primary") is None)


def _let_go(dealer: AtTable, seen: Observation) -> None:
    """The seat that was tapped wins nothing more: its tile once more. A payment to it cannot be undone."""
    dealer.person.tile(
        dealer.round.turn, until=lambda now: now.screen != seen.screen or key_at(now, "primary") is not None
    )


def _validate(dealer: AtTable, _seen: Observation) -> None:
    dealer.signed(FLOOR, "primary", not_shown("validate"))


def _price(dealer: AtTable, _seen: Observation) -> None:
    dealer.person.see(not_shown("price"), "the bank's answer")


def _hold(dealer: AtTable, seen: Observation) -> None:
    """A second person ends the claim: paid by the cage, or not a winner."""
    dealer.moment("pending")
    seat = number_at(seen, "facts", "seat")
    rejected = any(winner.seat == seat and not winner.paid for winner in dealer.round.script.winners)
    if rejected and dealer.round.wager == "hand":
        dealer.signed(MANAGER, "claim-rejected", not_shown("hold"))
        return
    dealer.signed(MANAGER, "primary", not_shown("hold"))
    dealer.moment("won")


def _press_primary(dealer: AtTable, seen: Observation) -> None:
    dealer.person.key("primary", until=not_shown(seen.screen))


def _envy(dealer: AtTable, seen: Observation) -> None:
    """From the house's amount on a floorperson signs; the page asks for a badge then."""
    if any(widget.id == "badge" for widget in seen.widgets):
        dealer.signed(FLOOR, "primary", not_shown("envy"))
    else:
        _press_primary(dealer, seen)


# Settlement -----------------------------------------------------------------------------------------------------------


def _settle(dealer: AtTable, seen: Observation) -> None:
    """One seat completely before the next: answers, prizes, money; then the round is cleared."""
    _look_at_drawn(dealer, seen)
    if _correct(dealer, seen):
        return
    if dealer.game.level == 1 and not dealer.round.script.void:
        if dealer.round.script.enter == "seat" and key_at(seen, "cards") and dealer.round.once("seat cards"):
            dealer.person.key("cards", until=shown("hand"))
            return
        if dealer.round.once("results"):
            _tell_results(dealer)
            return
        if key_at(seen, "primary") is None and _asked_of(seen) and _has_answers(seen):
            _answer(dealer, seen)
            return
    elif _has_answers(seen):
        _answer(dealer, seen)
        return
    for prize in _prizes(dealer):
        if key_at(seen, prize[2]) is not None and _whose(seen) == prize[0]:
            _name(dealer, prize)
            return
        if prize[0] > _whose(seen) > 0 and key_at(seen, f"seat-{prize[0]}") is not None:  # its turn is before
            _pick_first(dealer, *prize)
            return
    if key_at(seen, "primary") is None:
        _let_go(dealer, seen)
    elif _whose(seen):
        dealer.person.step("primary")
    elif (want := next(_prizes(dealer), None)) is not None:
        dealer.person.tile(want[0], until=lambda now: key_at(now, want[2]) is not None)
    else:
        dealer.person.step("primary")


def _pick_first(dealer: AtTable, seat: int, _wager: str, key: str) -> None:
    """The tile of a seat whose prize comes before the one that is being settled."""
    dealer.person.tile(seat, until=lambda now: key_at(now, key) is not None)


def _whose(seen: Observation) -> int:
    """The seat that is being settled, or was picked, as the screen says; 0 for none."""
    back = says(seen, "key.back-to-seat", "primary")  # from a picked seat to another one
    found = (number_at(seen, place, "seat") for place in (("total", "primary") if back else ("primary", "total")))
    return next(filter(None, found), 0)


def _correct(dealer: AtTable, seen: Observation) -> bool:
    """A floorperson has the last seat that was paid settled again."""
    if not dealer.round.script.correct or says(seen, "key.or-name-the-hand"):
        return False
    paid = [seat for seat in dealer.round.cards.first if says(seen, "seat.paid", place_of(seat))]
    if not paid or not dealer.round.once("correct"):
        return False
    person = dealer.person
    person.key("problem", until=shown("irregularity"))
    person.key("problem-correct", until=shown("correct"))
    place = f"correct-{paid[0]}"
    person.key(place, until=lambda now: key_at(now, place) is None)
    dealer.signed(FLOOR, "reason-wrong-amount", not_shown("correct"))
    return True


def _answer(dealer: AtTable, seen: Observation) -> None:
    """The answer of the cards to the question; or the cards themselves."""
    seat = _asked_of(seen)
    assert seat, f"about whom? {words(seen)}"
    if dealer.game.level > 1:
        dealer.person.key("primary", until=shown("hand"))
        return
    said = _truth(dealer, seat).get(_question(dealer, seen), "")
    if key_at(seen, f"answer-{said or 'none'}") is None:
        said = ""
    before = seen.key
    dealer.person.key(f"answer-{said or 'none'}", until=lambda now: now.key != before)


RESULTS = {"higher": "result-tile.wins", "equal": "result-tile.ties", "lower": "result-tile.lost"}
UNTOLD = "seat.undecided"
OPEN = (*RESULTS.values(), UNTOLD, "result-tile.bad-beat", FOLDED)
"""The tile of a seat that is still to be settled."""


def _tell_results(dealer: AtTable) -> None:
    """A seat that is not tapped lost; a tapped one wins, and ties with another tap. The special answers follow."""
    if dealer.game.elects and not qualifies(dealer.game.submission, dealer.round.cards):
        return  # no hands are compared, everybody is paid the same (671a.11(f)(1))
    sides = {number for number, _, _ in dealer.round.script.sides}
    for seat in sorted(dealer.round.cards.first, reverse=True):
        seen = dealer.person.look()
        if not any(says(seen, id_, place_of(seat)) for id_ in OPEN):
            continue
        known = _truth(dealer, seat)
        result = "" if says(seen, FOLDED, place_of(seat)) else known.get("result", "")
        beaten = result == "lower" and known.get("hand") in HANDS
        if result in ("higher", "equal") or seat in sides or beaten:
            _tell(dealer, seat, known)


def _tell(dealer: AtTable, seat: int, known: Mapping[str, str]) -> None:
    """Taps on the seat until it says so, then an answer to all that the screen asks of it.

    A seat that lost is asked nothing before it is chosen: taps go around to that result.
    """
    person = dealer.person
    wanted = RESULTS.get(known.get("result", ""), "")
    for _ in range(6):
        seen = person.look()
        asked = _asked_of(seen)
        chosen, folded = asked == seat, says(seen, FOLDED, place_of(seat))
        lost = wanted == RESULTS["lower"]
        there = says(seen, wanted, place_of(seat)) or (lost and says(seen, UNTOLD, place_of(seat)))
        if chosen if folded else there and (chosen or not lost):
            break
        person.tile(seat, until=_tapped(seen, seat, asked))
    while _asked_of(seen := person.look()) == seat and _has_answers(seen):
        _answer(dealer, seen)


def _tapped(seen: Observation, seat: int, asked: int) -> Callable[[Observation], bool]:
    said = lines_at(seen, place_of(seat))
    return lambda now: lines_at(now, place_of(seat)) != said or _asked_of(now) != asked


def _has_answers(seen: Observation) -> bool:
    return any(widget.id.startswith("answer-") for widget in seen.widgets)


def _asked_of(seen: Observation) -> int:
    """The seat that the keys are about, 0 for none."""
    return number_at(seen, "title", "seat")


def _question(dealer: AtTable, seen: Observation) -> str:
    """The question of the title."""
    if any(key_at(seen, f"answer-{result}") is not None for result in RESULTS):
        return "result"
    law = dealer.game.law
    asked = set(said_at(seen, "title"))
    found = next((name for name in (*ASKED, *law.wagers) if law.asked(name) in asked), None)
    if found is None:
        raise Stuck(f"what is asked? {words(seen)}")
    return found


def _truth(dealer: AtTable, seat: int) -> Mapping[str, str]:
    script = dealer.round.script
    sides = [wager for number, wager, _ in script.sides if number == seat]
    act = dict(script.acts).get(seat, "")
    decision = "fold" if script.void else act if act in ("fold", "instant") else "play"
    known = seat_of(dealer.game.law, seat, sides, decision, dealer.round.cards)
    return truth(dealer.game.submission, known, dealer.round.cards, void=bool(script.void))


ACTS: Mapping[str, Act] = {
    "deal": _deal,
    "ask": _ask,
    "supers": _supers,
    "draw": _draw,
    "reveal": _reveal,
    "hand": _hand,
    "winners": _winners,
    "settle": _settle,
    "cards": _cards,
    "validate": _validate,
    "price": _price,
    "hold": _hold,
    "pay": _press_primary,
    "envy": _envy,
    "void": _press_primary,
}
