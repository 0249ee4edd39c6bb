"""The work of the scripted dealer before bets are open: decks, inspection, shuffle and cut, the shuffler, idle and
closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware.proof.simulation.at_table import Act, AtTable
from firmware.proof.simulation.game_betting import cash_out
from firmware.proof.simulation.person import (
    FLOOR,
    Stuck,
    changed,
    field_at,
    key_at,
    not_shown,
    press_at,
    says,
    words,
)
from firmware.runtime.glass import Observation

NEXT_DECK = ("shuffler.put-in", "deck.next-by", "deck.take")
"""The screen's words about the deck that has to be in the shuffler."""
WAIT_S = 20.0


def _primary(dealer: AtTable, _seen: Observation) -> None:
    dealer.person.step("primary")


def _shut(dealer: AtTable, _seen: Observation) -> None:
    """Decks come: preinspected ones in the first opening, others are inspected at the table."""
    dealer.person.step("preinspected" if dealer.preinspected else "primary")


def _inspect(dealer: AtTable, _seen: Observation) -> None:
    if dealer.refuses:
        dealer.refuses = False
        dealer.person.step("defect")
    else:
        dealer.person.step("primary")


def _verify(dealer: AtTable, _seen: Observation) -> None:
    dealer.signed(FLOOR, "primary", not_shown("verify"))


def _shuffle(dealer: AtTable, seen: Observation) -> None:
    """By the machine, when it has finished; by hand, and cut, in two steps or in one."""
    if key_at(seen, "shuffled") is not None:
        dealer.person.step("shuffled" if dealer.round.once("shuffled by hand") else "primary")
    elif _see_to_shuffler(dealer, seen):
        return
    elif _is_shuffling(seen):
        dealer.person.see(lambda now: not _is_shuffling(now), "the end of the shuffle", WAIT_S)
    else:
        dealer.person.step("primary")


def _is_shuffling(seen: Observation) -> bool:
    return field_at(seen, "work", "mode") == "shuffling"


def _idle(dealer: AtTable, seen: Observation) -> None:
    """A player asks to see the faces; then the first one comes."""
    if dealer.round.once("faces"):
        dealer.person.key("face-up", until=changed(seen, "face-up"))
    else:
        dealer.person.step("primary")


def _closed(dealer: AtTable, seen: Observation) -> None:
    """Bets do not open: the screen says why, and what to do."""
    if key_at(seen, "primary") is not None:
        dealer.person.step("primary")
    elif not _see_to_shuffler(dealer, seen):
        if says(seen, "switch.locked"):
            dealer.world.lockout(False)
        said_else = changed(seen, "work")
        dealer.person.see(lambda now: now.screen != "closed" or said_else(now), "a change")


def _see_to_shuffler(dealer: AtTable, seen: Observation) -> bool:
    """Do at the unit what the screen asks for; False where it asks for nothing there."""
    wanted = next_deck(seen)
    if says(seen, "covered.cards", "work") or says(seen, "covered.unknown", "work"):
        dealer.world.empty()
    elif field_at(seen, "work", "mode", "shuffler.mode") == "service":
        dealer.world.service(False)
    elif wanted:
        dealer.world.load(wanted)
    elif fault := field_at(seen, "work", "fault", "shuffler.fault"):
        _clear_fault(dealer, str(fault))
    else:
        return False
    said_else = changed(seen, "work")
    dealer.person.see(lambda now: now.screen != seen.screen or said_else(now), "what the shuffler says then", WAIT_S)
    return True


def next_deck(seen: Observation) -> str:
    """The color of the deck that the screen wants in the shuffler; "" where it wants none."""
    found = (field_at(seen, "work", "color", id_) for id_ in NEXT_DECK)
    return next((str(color) for color in found if color is not None), "")


def _clear_fault(dealer: AtTable, fault: str) -> None:
    if fault == "door":
        dealer.world.door(False)
    elif fault == "jam":
        dealer.world.clear_jam()
    else:
        raise Stuck(f"nobody knows what to do about: {fault}")


def _alarm(dealer: AtTable, seen: Observation) -> None:
    """An alarm: the fault is cleared, then somebody acknowledges it."""
    if says(seen, "fault.door"):
        dealer.world.door(False)
    elif says(seen, "fault.jam"):
        dealer.world.clear_jam()
    dealer.person.key("primary", until=lambda now: now.screen != "shuffler")


ACTS: Mapping[str, Act] = {
    "shut": _shut,
    "inspect": _inspect,
    "verify": _verify,
    "spread": _primary,
    "wash": _primary,
    "shuffle": _shuffle,
    "cut": _primary,
    "idle": _idle,
    "closed": _closed,
    "shuffler": _alarm,
}


# Between two rounds ---------------------------------------------------------------------------------------------------


def _new_decks(dealer: AtTable) -> None:
    """The house changes its decks; the new ones are inspected, the first of them has a defect."""
    dealer.preinspected, dealer.refuses = False, True
    cash_out(dealer)
    dealer.tell("change-decks")


def _nobody_plays(dealer: AtTable) -> None:
    cash_out(dealer)
    dealer.tell("idle")


def _cover(dealer: AtTable) -> None:
    """The shuffler breaks down: it is covered, emptied, and cards are shuffled by hand."""
    dealer.tell("cover")
    dealer.world.empty()


def _uncover(dealer: AtTable) -> None:
    dealer.tell("uncover")


def _recut(dealer: AtTable) -> None:
    """A floorperson orders another cut."""
    dealer.tell("recut")
    dealer.person.key("recut", until=lambda now: key_at(now, "recut") is None)


BETWEEN: Mapping[str, Callable[[AtTable], None]] = {
    "idle": _nobody_plays,
    "new decks": _new_decks,
    "cover": _cover,
    "recut": _recut,
    "uncover": _uncover,
}
"""The events between two rounds of a script."""


def close(dealer: AtTable) -> None:
    """Every card is counted; the first count is wrong."""
    person = dealer.person
    dealer.tell("close")
    seen = person.screen("empty")
    right = press_at(seen, "primary").removeprefix("emptied ")
    wrong = f"emptied-{int(right) - 1}"
    if key_at(seen, wrong) is None:
        raise Stuck(f"no key for a card that is missing; the table shows {words(seen)}")
    person.key(wrong, until=lambda now: key_at(now, f"emptied-{right}") is not None and not key_at(now, wrong))
    dealer.world.empty()
    person.key(f"emptied-{right}", until=lambda now: now.screen == "shut")
