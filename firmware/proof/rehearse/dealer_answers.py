"""The dealer's answers and the keys that enter them: `tell` and `cards` of a script.

Each function presses on a `Trial` until the table has the answer; an answer that it has already costs no press. An answer
that comes before its question is kept until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.script import NONE, UNDECLARED
from firmware.proof.rehearse.trial import Refused, Trial, keys
from firmware.rules.hands import RANKED
from firmware.rules.message import say
from firmware.rules.meter_wagers import MAGIC_CARD
from firmware.rules.money import Cents, dollars
from firmware.rules.payline import rows
from firmware.rules.seat import Choice
from firmware.rules.wager import FIVE_CARD, SettledBy
from firmware.table import deciding, pricing, results, settling
from firmware.table.card_entry import entry_of, fewest_keys
from firmware.table.house import House
from firmware.table.projections import next_turn, to_settle
from firmware.table.state import HANDS, Phase, TableState
from ui.words import ENGLISH

RESULTS = {"win": "higher", "lose": "lower", "tie": "equal"}
TAPS_MOST = 12
"""No answer of a seat lies further away."""


def tell(trial: Trial, told: s.Told | s.EnterCards) -> None:
    """The presses that tell it. Raises Refused."""
    number = getattr(told, "seat", 0)
    if number > len(trial.state.round.seats):
        raise Refused(f"no seat {number} at this table")
    match told:
        case s.TellIn():
            _in(trial, told)
        case s.TellOut():
            if _stakes(trial, told.seat):
                trial.press_back(f"box {told.seat}")
        case s.TellSamePlayer():
            _same_player(trial, told)
        case s.TellChoice():
            _choice(trial, told)
        case s.TellLeft():
            if not trial.state.seat(told.seat).left:
                trial.press_back(f"left {told.seat}")
                if trial.offers("back"):
                    trial.press("back")
        case s.TellDealer():
            trial.press_back(f"dealer {'yes' if told.qualifies else 'no'}")
        case s.TellResult():
            _result(trial, told)
        case s.TellRow():
            _row(trial, told)
        case s.EnterCards():
            _cards(trial, told)
    _answer_stashed(trial)
    _look_there(trial)


# Players -------------------------------------------------------------------------------------------------------------------


def _stakes(trial: Trial, seat: int) -> Mapping[str, int]:
    return dict(trial.state.seat(seat).position.stakes)


def _in(trial: Trial, told: s.TellIn) -> None:
    wanted = _wanted(trial, told)
    if not _stakes(trial, told.seat):
        if trial.state.phase is Phase.DEAL:  # a floorperson had the positions opened: MINIMUM puts one there
            trial.press_back(f"stakes {told.seat} {trial.house.game.base}")
            trial.press("no-chips")
        else:
            trial.press_back(f"box {told.seat}")
    positions = {number: seat.position.stakes for number, seat in trial.state.numbered()}
    if why_not := pricing.refusal(trial.house, {**positions, told.seat: tuple(wanted.items())}):
        raise Refused(ENGLISH(why_not))
    offered = trial.house.game.offered(trial.house.submission, told.seat)
    gone = [wager for wager in reversed(offered) if wager not in wanted]  # what needs another wager goes before it
    for wager in (*gone, *offered):
        _stake(trial, told.seat, wager, wanted.get(wager, 0))
    if dict(wanted) != _stakes(trial, told.seat):
        raise Refused(f"seat {told.seat} cannot stake that here")
    if trial.offers("back"):
        trial.press("back")


def _same_player(trial: Trial, told: s.TellSamePlayer) -> None:
    """Two seats, and those between them, are one player's: each is joined to the one before it.

    At level 0 nobody says who plays: the box beside the winner's is named at ENVY, where its own hand brings it none.
    """
    first, last = sorted((told.seat, told.other))
    if last > len(trial.state.round.seats):
        raise Refused(f"no seat {last} at this table")
    if not trial.state.program.level:
        winner = trial.state.round.turn
        if trial.state.phase is not Phase.ENVY or winner not in (first, last):
            raise Refused("at level 0 two boxes of one player are told at ENVY, of the winner's and the one beside it")
        trial.press_back(f"seat {last if winner == first else first}")
        return
    for number in range(first + 1, last + 1):
        marks = [trial.state.seat(one).player for one in (number - 1, number)]
        if not marks[0] or marks[0] != marks[1]:
            trial.press_back(f"same-player {number}")
    if trial.offers("back"):
        trial.press("back")


def _wanted(trial: Trial, told: s.TellIn) -> Mapping[str, int]:
    """The stakes of the seat: the ante and its companion at the minimum, and the named wagers."""
    game, rules = trial.house.game, trial.house.submission
    named = dict(told.stakes)
    offered = (*game.offered(rules, told.seat), *game.default_stakes(rules))
    for wager in named:
        if wager not in offered:
            instead = "; a chip on the sensor makes it" if wager in trial.state.program.sensed else ""
            raise Refused(f"seat {told.seat} cannot stake {wager} here{instead}")
    wanted = game.default_stakes(rules)
    if game.base in named:
        wanted = game.restaked(rules, wanted, game.base, named[game.base])
    found: dict[str, int] = {wager: cents for wager, cents in {**wanted, **named}.items() if cents}
    return found


def _stake(trial: Trial, seat: int, wager: str, wanted: int) -> None:
    """Chips on one wager, until so much lies there."""
    lying = _stakes(trial, seat).get(wager, 0)
    if lying == wanted:
        return
    trial.press_back(f"stakes {seat} {wager}")
    if lying > wanted:
        trial.press("no-chips")
    for _ in range(10 * TAPS_MOST):
        lying = _stakes(trial, seat).get(wager, 0)
        if lying == wanted:
            return
        chip = next((one for one in trial.table.denominations if lying + one <= wanted), 0)
        if not chip or not trial.offers(f"chips {chip}"):
            break
        trial.press(f"chips {chip}")
        if _stakes(trial, seat).get(wager, 0) > wanted:
            break
    raise Refused(f"no chips of this table make {dollars(Cents(wanted))} on {wager}")


# Decisions -----------------------------------------------------------------------------------------------------------------


def _choice(trial: Trial, told: s.TellChoice) -> None:
    house, state = trial.house, trial.state
    if state.phase is Phase.DRAW:
        if told.choice not in ("bet", "fold") or state.round.turn != told.seat:
            raise Refused(f"seat {state.round.turn} gets its cards now: bet or fold")
        trial.press_back("bets" if told.choice == "bet" else "folds")
    elif state.phase is not Phase.ASK and not (state.phase is Phase.DEAL and state.players):
        raise Refused(f"nobody is asked for a decision in phase {state.phase}")
    elif not deciding.asked(house, state, state.seat(told.seat)):
        raise Refused(ENGLISH(say("street.not-asked", seat=told.seat)))
    elif house.game.has_pass("elections"):
        _elect(trial, told)
    else:
        _answer_street(trial, told)


def _answer_street(trial: Trial, told: s.TellChoice) -> None:
    """Tap the seat until its answer is this one."""
    now = deciding.street(trial.house, trial.state)
    ante = trial.state.seat(told.seat).position.base
    choice, times = (told.choice, 0), 0
    if told.choice == "play":
        times = told.number
    elif told.choice == "raise":
        times = next((many for many in now.times if many * ante == told.number), max(now.times))
    if told.choice in ("play", "raise"):
        if told.choice == "raise" and now.wager != "raise":
            raise Refused(f"this street knows no raise; its wager is {now.wager}")
        choice = ("play", times)
    if choice not in now.cycle:
        answers = " or ".join(f"{name} {many}" if many else name for name, many in now.cycle)
        raise Refused(f"{told.choice} is no answer on this street; right would be {answers}")
    for _ in range(TAPS_MOST):
        if _answered(trial, told.seat) == choice:
            break
        trial.press_back(f"seat {told.seat}")
    if told.choice == "raise":
        _size_raise(trial, told)


def _answered(trial: Trial, seat: int) -> tuple[str, int]:
    now, position = deciding.street(trial.house, trial.state), trial.state.seat(seat).position
    return (str(position.choice), position.times) if position.street == now.name else now.default


def _raised(trial: Trial, seat: int) -> int:
    """The stake of the answer that stands; a player who was not tapped on the last street plays."""
    position = trial.state.seat(seat).position
    if position.street != deciding.street(trial.house, trial.state).name:
        return _answered(trial, seat)[1] * position.base
    return position.staked(position.decision)


def _size_raise(trial: Trial, told: s.TellChoice) -> None:
    """Chips on a raise between two multiples of the ante."""
    if _raised(trial, told.seat) == told.number:
        return
    trial.press_back(f"raise {told.seat}")
    if _raised(trial, told.seat) > told.number:
        trial.press("no-chips")
    for _ in range(10 * TAPS_MOST):
        lying = _raised(trial, told.seat)
        if lying == told.number:
            trial.press("back")
            return
        chip = next((one for one in trial.table.denominations if lying + one <= told.number), 0)
        if not chip or not trial.offers(f"chips {chip}"):
            break
        trial.press(f"chips {chip}")
    raise Refused(f"no chips of this table make a raise to {dollars(Cents(told.number))} here")


def _elect(trial: Trial, told: s.TellChoice) -> None:
    """The player's election before any card is drawn."""
    elections = trial.house.game.elections
    if told.choice not in elections:
        raise Refused(f"{told.choice} is no election here; right would be {', '.join(elections)}")
    word = f"choose {told.choice} {told.number}" if told.number else f"choose {told.choice}"
    position = trial.state.seat(told.seat).position
    if elections[told.choice].choice == Choice.PLAY and position.choice is Choice.PLAY:
        return
    if trial.state.round.turn != told.seat:
        trial.press_back(f"seat {told.seat}")
    trial.press_back(word)


# Settlement ----------------------------------------------------------------------------------------------------------------


def _result(trial: Trial, told: s.TellResult) -> None:
    state = trial.state
    if not settling.in_question(state):
        raise Refused(f"no seat is compared in phase {state.phase}")
    wanted = RESULTS[told.result]
    alone = state.round.turn == told.seat == next_turn(state)
    known = _decided(trial, told.seat, "result") if told.seat in to_settle(state) else ""
    if told.seat in to_settle(state) and not known and not pricing.is_compared(trial.house, state, told.seat):
        raise Refused(f"seat {told.seat} is not compared with the dealer: the rules say what becomes of its wagers")
    if known and known != wanted:
        raise Refused(f"what is known of seat {told.seat} and of the dealer's hand says otherwise")
    if results.by_exception(state) and told.seat in to_settle(state):
        if known:
            _choose(trial, told.seat)
            return
        given = results.result_of(state, told.seat)
        if wanted == results.LOSES and not given:
            _choose(trial, told.seat)
            alone = trial.offers(f"answer {wanted}")
        if alone and not given:
            trial.press_back(f"answer {wanted}")
        else:
            _tap_until(trial, told.seat, wanted)
            if wanted == results.LOSES and results.turn_of(trial.house, trial.state, told.seat).asked == "result":
                trial.press_back(f"answer {wanted}")  # of a seat that is settled again it is no default
        return
    if state.round.turn != told.seat:
        raise Refused(ENGLISH(say("settle.one-at-a-time", seat=state.round.turn)))
    given = dict(state.seat(told.seat).position.called).get("result", "")
    if given and given != wanted:
        raise Refused(f"seat {told.seat} was told otherwise; undo that first")
    if not (given or known):
        trial.press_back(f"answer {wanted}")


def _decided(trial: Trial, seat: int, question: str) -> str:
    """The one answer that what was said before leaves, which nobody asks for; "" for none."""
    state, house = trial.state, trial.house
    open_ = question in dict(state.seat(seat).position.called) or question in pricing.questions(house, state, seat)
    return "" if open_ else pricing.told(house, state, seat).answer(question)


def _tap_until(trial: Trial, seat: int, wanted: str) -> None:
    """Each tap on a seat turns its result; who is not tapped lost."""
    for _ in range(TAPS_MOST):
        given = results.result_of(trial.state, seat) or results.LOSES
        if given == wanted and (trial.state.round.turn == seat or wanted == results.LOSES):
            return
        trial.press_back(f"seat {seat}")
    raise Refused(f"seat {seat} cannot have that result")


def _choose(trial: Trial, seat: int) -> None:
    """The next keys are about this seat; what was told of its result stays."""
    if trial.state.round.turn == seat:
        return
    if not (results.by_exception(trial.state) and seat in to_settle(trial.state)):
        trial.press_back(f"seat {seat}")
    elif trial.offers("look") and results.stop(trial.house, trial.state) == seat:
        trial.press_back("look")
    else:
        given = results.result_of(trial.state, seat)
        trial.press_back(f"seat {seat}")
        for _ in range(TAPS_MOST):
            if results.result_of(trial.state, seat) == given:
                break
            trial.press_back(f"seat {seat}")


def _look_there(trial: Trial) -> None:
    """On to the lit seat whose turn it is: it is settled, and its prize named, by keys that lie there."""
    state = trial.state
    if results.by_exception(state) and trial.offers("look"):
        there = results.stop(trial.house, state)
        if not results.turn_of(trial.house, state, there).asked:
            trial.press("look")


def _row(trial: Trial, told: s.TellRow) -> None:
    name = told.wager.partition(":")[0]
    if name in trial.state.program.sensed:
        _progressive(trial, told)
    elif name in (*FIVE_CARD, *MAGIC_CARD.values()):
        _five_card(trial, told)
    elif trial.state.phase is Phase.SUPERS:
        _declare(trial, told)
    elif trial.state.phase is Phase.REVEAL and told.wager == trial.house.game.on_hand(0):
        if trial.state.round.dealer_row != told.row.replace(NONE, ""):
            trial.press_back(f"dealer-row {told.row}")
    elif settling.in_question(trial.state):
        _answer_row(trial, told)
    else:
        raise Refused(f"the row of {told.wager} is not asked in phase {trial.state.phase}")


def _progressive(trial: Trial, told: s.TellRow) -> None:
    if told.row == NONE:
        _no_prize(trial, told, there=bool(trial.state.seat(told.seat).staked(told.wager)))
        return
    _choose(trial, told.seat)
    trial.press_back(f"hand {told.row}")


def _no_prize(trial: Trial, told: s.TellRow, there: bool) -> None:
    """No key says that a wager with a meter wins nothing: it stands until somebody names a prize of it."""
    if not there or trial.state.phase not in (Phase.DEAL, Phase.SETTLE):
        raise Refused(f"no prize of {told.wager} is asked of seat {told.seat} in phase {trial.state.phase}")
    if any(prize.wager == told.wager for prize in trial.state.seat(told.seat).prizes):
        raise Refused(f"seat {told.seat} has a prize of {told.wager}; undo that first")


def _five_card(trial: Trial, told: s.TellRow) -> None:
    hands = dict(zip(FIVE_CARD, HANDS, strict=True))
    magic = {MAGIC_CARD[wager]: hand for wager, hand in hands.items()}
    if told.row == NONE:
        _no_prize(trial, told, there={**hands, **magic}[told.wager] in trial.state.seat(told.seat).five_card)
        return
    _choose(trial, told.seat)
    if told.wager in magic:
        trial.press_back(f"five {magic[told.wager]} magic")
    else:
        trial.press_back(f"five {hands[told.wager]} {told.row}")


def _declare(trial: Trial, told: s.TellRow) -> None:
    """The first pass: a declared hand of its owner, or an instant payout."""
    game = trial.house.game
    name, _, on = told.wager.partition(":")
    owner = told.seat if not on else int(on) if on.isdecimal() else 0
    if (name != game.declared and told.wager != game.base) or not owner:
        raise Refused(f"the row of {told.wager} is not asked in phase {trial.state.phase}")
    position = trial.state.seat(owner).position
    held = dict(position.called).get("instant", "") if told.wager == game.base else position.super_row
    wanted = "" if told.row in (NONE, UNDECLARED) else told.row
    by_cards = told.row == UNDECLARED and deciding.cards_decide(trial.state, position)
    if position.undeclared if by_cards else held == wanted:
        return
    if trial.state.round.turn != owner:
        trial.press_back(f"seat {owner}")
    trial.press_back(f"row {UNDECLARED if by_cards else wanted or held}")


def _answer_row(trial: Trial, told: s.TellRow) -> None:
    """A question about the seat in turn; one that is not asked yet is answered when it is."""
    if results.by_exception(trial.state) and told.seat in to_settle(trial.state):
        _choose(trial, told.seat)
    state, house = trial.state, trial.house
    if state.round.turn != told.seat:
        raise Refused(ENGLISH(say("settle.one-at-a-time", seat=state.round.turn)))
    called = dict(state.seat(told.seat).position.called)
    asked = pricing.questions(house, state, told.seat)
    for question in _questions_of(trial, told.seat, told.wager):
        if question in called:
            _none_of_its_rows(trial, told, question, called[question])
            if told.row == NONE or _agrees(house, told, called[question]):
                return
            raise Refused(f"this hand was called {called[question] or NONE}; undo that first")
        if question in asked:
            choice = _choice_of(house, asked[question], told)
            _none_of_its_rows(trial, told, question, choice)
            if choice or not _says_no_more(trial, told, question, asked[question]):
                trial.stash[(state.round.number, told.seat, question)] = choice
            return
        known = _decided(trial, told.seat, question)
        if known == told.row:
            return
        own_cards = question in (told.wager, "hand", "second")
        if told.row == NONE and own_cards and known in _own_rows(house, told.wager):
            raise Refused(f"what is known of seat {told.seat} leaves nothing but {known}, a row of {told.wager}")
    staked = dict(state.seat(told.seat).position.stakes)
    if told.row != NONE or (told.wager in house.game.offered(house.submission, told.seat) and told.wager not in staked):
        raise Refused(f"the row of {told.wager} is not asked of seat {told.seat}")


def _none_of_its_rows(trial: Trial, told: s.TellRow, question: str, choice: str) -> None:
    """`none` of one wager is none of that wager's rows: another wager on the same cards may have one below them.

    Raises Refused where the hand is called by a row of a wager that was told none, before or now.
    """
    without = _without(trial, told.seat, question)
    wagers = {*_told_none(trial, without), *([told.wager] if told.row == NONE else [])}
    for wager in sorted(wagers):
        if choice and choice in _rows_of(trial.house, wager):
            raise Refused(f"{wager} was told {NONE}, and {choice} is a row of it; undo that first")
    trial.stash[without] = frozenset(wagers)


def _without(trial: Trial, number: int, question: str) -> tuple[object, ...]:
    """The place for wagers that were told none; a wager that a floorperson has settled again is told again."""
    seat = trial.state.seat(number)
    return (trial.state.round.number, number, question, NONE, seat.corrected, seat.position.undone)


def _told_none(trial: Trial, key: tuple[object, ...]) -> frozenset[str]:
    found = trial.stash.get(key)
    return found if isinstance(found, frozenset) else frozenset()


def _says_no_more(trial: Trial, told: s.TellRow, question: str, choices: tuple[str, ...]) -> bool:
    """The key for none would answer for another wager on the same cards too, which one of these choices still pays."""
    if not results.by_exception(trial.state) or results.beaten_well(trial.house, trial.state, told.seat):
        return False
    told_none = _told_none(trial, _without(trial, told.seat, question))
    without = _paid_by(trial, told.seat, question, "")  # nothing where the law refuses that answer, and says why
    return bool(without) and any(
        changed.partition(":")[0] not in {one.partition(":")[0] for one in told_none}
        for choice in choices
        if choice
        for changed, paid in _paid_by(trial, told.seat, question, choice).items()
        if paid != without.get(changed)
    )


def _paid_by(trial: Trial, seat: int, question: str, choice: str) -> Mapping[str, tuple[int, int]]:
    """Wager -> what goes back and what is paid on it, were this the answer; nothing where it cannot be."""
    first = next(iter(pricing.questions(trial.house, trial.state, seat)), "")
    said = choice or NONE
    state = trial.after(f"answer {said}" if question == first else f"answer {question} = {said}")
    lines = results.turn_of(trial.house, state, seat).lines if state is not None else ()
    return {line.wager: (line.returned, line.payout) for line in lines}


def _own_rows(house: House, wager: str) -> tuple[str, ...]:
    """The rows of a wager that this seat's own cards decide."""
    beaten = house.game.settled_by(SettledBy.BEATEN)  # by the lower of two hands
    return () if wager in beaten else _rows_of(house, wager)


def _rows_of(house: House, wager: str) -> tuple[str, ...]:
    """The rows of a wager's paytable; () where these rules have none."""
    with suppress(KeyError):
        return rows(house.submission, wager)
    return ()


def _agrees(house: House, told: s.TellRow, called: str) -> bool:
    """The name of the hand equals the answer; called none, it may be any hand that is no row of this wager."""
    return called == told.row or (not called and told.row in RANKED and told.row not in _rows_of(house, told.wager))


def _questions_of(trial: Trial, seat: int, wager: str) -> tuple[str, ...]:
    """The questions that the row of a wager answers; the first that is asked counts."""
    if ":second" in wager:
        return ("second",)
    kind = trial.house.game.wagers.get(wager.partition(":")[0])
    by = kind.settled_by if kind else SettledBy.COMPARISON
    if by == SettledBy.BEATEN and results.result_of(trial.state, seat) == RESULTS["win"]:
        return (wager, "dealer_hand")  # the lower of the two hands is the dealer's
    more = {SettledBy.HAND: ("hand",), SettledBy.BEATEN: ("dealer_hand", "hand"), SettledBy.COMPARISON: ("hand",)}
    return (wager, *more.get(by, ()))


def _choice_of(house: House, choices: tuple[str, ...], told: s.TellRow) -> str:
    if told.row in choices:
        return told.row
    least = min((RANKED.index(one) for one in choices if one in RANKED), default=len(RANKED))
    below = told.row in RANKED and told.row not in _rows_of(house, told.wager) and RANKED.index(told.row) < least
    if "" in choices and (told.row == NONE or below):
        return ""
    raise Refused(f"{told.row} is no row here; right would be {', '.join(one or NONE for one in choices)}")


def _answer_stashed(trial: Trial) -> None:
    """An answer is given as soon as it is asked, or by its key beside the question that is asked first."""
    for _ in range(TAPS_MOST):
        word = next(_keys_of_stashed(trial), "")
        if not word:
            return
        trial.press_back(word)


def _keys_of_stashed(trial: Trial) -> Iterator[str]:
    """The keys that answer what was told of the seat in turn, as far as the screen has them; taken out of the stash."""
    number, turn = trial.state.round.number, trial.state.round.turn
    first, _choices = settling.question(trial.house, trial.state)
    if results.by_exception(trial.state) and turn in to_settle(trial.state):
        first = next(iter(pricing.questions(trial.house, trial.state, turn)), "")
    for question in dict.fromkeys((first, *_stashed_of(trial, turn))):
        key = (number, turn, question)
        if not question or key not in trial.stash:
            continue
        choice = str(trial.stash[key]) or NONE
        word = f"answer {choice}" if question == first else f"answer {question} = {choice}"
        if question == first or _is_beside(trial, question):
            del trial.stash[key]
            yield word


def _is_beside(trial: Trial, question: str) -> bool:
    """The screen has keys for this question beside the first one."""
    return any(word.startswith(f"answer {question} = ") for word in keys(trial.screen()))


def _stashed_of(trial: Trial, seat: int) -> tuple[str, ...]:
    """The questions about a seat that were answered before they are asked."""
    this = (trial.state.round.number, seat)
    return tuple(str(key[2]) for key in trial.stash if len(key) == 3 and key[:2] == this)


def unasked(trial: Trial, before: TableState) -> str:
    """An answer about a seat that was settled since, whose question nobody reached; "" for none."""
    for number, seat in trial.state.numbered():
        if seat.position.settled and not before.seat(number).position.settled:
            open_ = pricing.questions(trial.house, before, number)
            if told := next((question for question in _stashed_of(trial, number) if question in open_), ""):
                return f"what was told of seat {number} ({told}) is asked after {next(iter(open_))}: tell that first"
    return ""


# Cards ---------------------------------------------------------------------------------------------------------------------


def _cards(trial: Trial, told: s.EnterCards) -> None:
    """Cards where the table takes them; those of a place that comes later wait."""
    if trial.state.phase is Phase.SUPERS and told.place.isdecimal() and trial.state.round.turn != int(told.place):
        trial.press_back(f"seat {told.place}")
    if _known_already(trial, told):
        return
    if trial.state.phase in (Phase.SUPERS, Phase.REVEAL, Phase.SETTLE):
        trial.press_back("cards")
    enters: Mapping[Phase, Callable[[Trial], None]] = {Phase.HAND: _enter, Phase.CARDS: _show}
    if trial.state.phase not in enters:
        raise Refused(f"no cards are entered in phase {trial.state.phase}")
    place = told.place
    if place == str(trial.state.round.turn):
        place = settling.FIRST if settling.FIRST in entry_of(trial.state).want else "seat"
    if trial.state.phase is Phase.CARDS:
        place = _place_of_prize(trial, told)
    wanted = entry_of(trial.state).want.count(place)
    if len(told.cards) != wanted:
        raise Refused(f"{wanted} cards of {told.place} are wanted here, not {len(told.cards)}")
    trial.stash[_stashed(trial, place)] = _in_place_of_those_shown(trial, place, told.cards)
    enters[trial.state.phase](trial)


def _known_already(trial: Trial, told: s.EnterCards) -> bool:
    """These very cards were entered when the seat declared them, and decide: the screen asks for none."""
    state = trial.state
    if state.phase is not Phase.SETTLE or told.place != str(state.round.turn) or trial.offers("cards"):
        return False
    known = pricing.by_first_cards(state, state.round.turn)
    if known and {*told.cards} != {*known}:
        raise Refused(ENGLISH(say("settle.by-cards", seat=state.round.turn, cards=" ".join(known))))
    return bool(known)


def _in_place_of_those_shown(trial: Trial, place: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards in the order of their places: one that the screen shows there, and that is not told, is replaced."""
    entry = entry_of(trial.state)
    first = entry.want.index(place)
    there = list(entry.cards[first : first + len(cards)])
    more = [card for card in cards if card not in there]
    for at, card in enumerate(there):
        if card not in cards:
            there[at] = more.pop(0)
            for key in (f"slot {first + at + 1}", f"rank {there[at][0]}", f"suit {there[at][1]}"):
                trial.press(key)
    return (*there, *more)


def _place_of_prize(trial: Trial, told: s.EnterCards) -> str:
    prize = trial.state.seat(trial.state.round.turn).prize
    assert prize is not None, "cards of a prize without a prize"
    wanted = "dealer" if prize.wager == FIVE_CARD[1] else str(trial.state.round.turn)
    if told.place != wanted:
        raise Refused(f"the five cards of {wanted} are wanted here")
    return "seat"


def _stashed(trial: Trial, place: str) -> tuple[object, ...]:
    return "cards", trial.state.round.number, trial.state.round.turn, place


def _tap_cards(trial: Trial) -> bool:
    """All cards that are known by now, in the order of their places; True when none is missing."""
    while len(entry_of(trial.state).cards) < len(entry_of(trial.state).want):
        entry = entry_of(trial.state)
        place = entry.want[len(entry.cards)]
        known = trial.stash.get(_stashed(trial, place))
        if not isinstance(known, tuple):
            return False
        card = known[len(entry.cards) - entry.want.index(place)]
        trial.press(f"rank {card[0]}")
        trial.press(f"suit {card[1]}")
    return True


def _enter(trial: Trial) -> None:
    if _tap_cards(trial):
        _forget(trial)
        trial.press("enter")


def _show(trial: Trial) -> None:
    prize, known = trial.state.seat(trial.state.round.turn).prize, trial.stash.get(_stashed(trial, "seat"))
    if prize is not None and isinstance(known, tuple) and not (prize.cards or prize.rank):
        for word in fewest_keys(prize.hand, known):
            trial.press(word)
    if _tap_cards(trial):
        _forget(trial)
        trial.press("show")


def _forget(trial: Trial) -> None:
    trial.stash = {key: kept for key, kept in trial.stash.items() if key[0] != "cards"}
