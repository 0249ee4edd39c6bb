"""The presses of a person on a table's screens, tried on a copy: nothing happens before all of it is known to go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from firmware.proof.rehearse.table import NO_MORE_BETS, Table, asks_to_sign
from firmware.table import events as e
from firmware.table.decide import ANY_TIME, KEYS, decide
from firmware.table.house import House
from firmware.table.inputs import Pressed
from firmware.table.irregularity import ProblemKind, problems
from firmware.table.offers import is_of_the_law
from firmware.table.state import Correction, PanelKind, Reopening, TableState
from firmware.table.turn import Turn
from firmware.table.wagering import SETTLEMENTS
from ui.dealer.widgets import Screen, Widget
from ui.words import ENGLISH

MENUS = ("problem", "stakes", "account", "raise", "correct", "reopen")
"""Keys that may only turn to a panel where other keys lie."""
BACK = "back"
ALWAYS_THERE = ("undo", "floor", BACK, "apply")
"""Keys of every screen do not lie in a menu, which would itself be undone; APPLY signs what was chosen, nothing else."""
DEEPEST = 3
"""So many menus may lie before a key."""

CORRECTING: Mapping[str, str] = {"seat": "correct"}
ON_A_SEATS_PAGE = ("envy",)
DEALER_AGAIN = ("problem correct-dealer", "apply")
"""The keys by which the dealer's hand is told again."""
REASON = "wrong-result"
"""On the screen of a correction: whose answers are asked again is named with a reason there."""


class Refused(Exception):
    """The table does not offer a key, or refuses it. `tried`: what was pressed, the refused key last, if it is there."""

    def __init__(self, text: str, tried: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.text, self.tried = text, tried


def keys(shown: Screen) -> dict[str, Widget]:
    """Every key that can be pressed, by its word."""
    return {widget.press: widget for widget in shown.widgets if widget.press and widget.enabled}


def exists(word: str) -> bool:
    """Some phase of this table knows a key of this verb."""
    return word == NO_MORE_BETS or is_of_the_law(word)


def meant(word: str) -> str:
    """The keys that a wrong word may mean: those that end with it, or look like it."""
    forms = {form for form in KEY_FORMS if word in form.split()[1:]}
    near = {form for form in KEY_FORMS if form.split()[0] in get_close_matches(word.split()[0], _verbs(), 2)}
    found = sorted(forms) or sorted(near)
    return f"; did you mean {' or '.join(repr(one) for one in found)}?" if found else ""


def _verbs() -> list[str]:
    return [form.split()[0] for form in KEY_FORMS]


KEY_FORMS = (
    *(f"settle {how}" for how in SETTLEMENTS),
    *(f"reopen {reason}" for reason in Reopening),
    *(f"correct N {reason}" for reason in Correction),
    *(f"problem {kind}" for kind in ProblemKind),
    *(f"dealer {how}" for how in ("yes", "no")),
    *(verb for known in KEYS.values() for verb in known),
    *ANY_TIME,
)
"""Keys as a script writes them, by the words that are theirs alone; the verbs of all of them."""


class Trial:
    """A table that is pressed on trial. `presses`: what went so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state: TableState = table.state
        self.stash = dict(table.stash)
        self.presses: list[str] = []

    @property
    def house(self) -> House:
        """The table's house."""
        return self.table.house

    def screen(self, state: TableState | None = None) -> Screen:
        """The screen after the person here has typed the PIN, if that is asked."""
        state = self.state if state is None else state
        shown = self.table.screen(state, "")
        if self.table.signer and asks_to_sign(shown):
            return self.table.screen(state, self.table.signer)
        return shown

    def offers(self, word: str) -> bool:
        """The screen has this key."""
        return word in keys(self.screen())

    def press(self, word: str, *, hold: bool = False, back: bool = False) -> None:
        """A key, the menus before it, and the way back where `back` says so. Raises Refused."""
        for alias in self._aliases(word):
            for one in self._way(alias, back=back or alias in DEALER_AGAIN):
                panel = self.state.desk.panel
                self._press(one, hold=hold and one == alias)
            if alias not in ALWAYS_THERE and panel != self.state.desk.panel and alias in keys(self.screen()):
                self._press(alias, hold=hold)  # it led to the panel where it is signed
        if word == "reopen" and self.state.desk.panel.kind is PanelKind.REOPEN:
            self.press(f"{word} {Reopening.BY_MISTAKE}")  # after the count it is a floorperson's, with a reason

    def press_back(self, word: str) -> None:
        """A key for which an open panel may be closed first."""
        self.press(word, back=True)

    def _aliases(self, word: str) -> Iterable[str]:
        """On the screen of a correction the words of a floorperson: who is named is corrected, with a reason."""
        panel = self.state.desk.panel
        if panel.kind is not PanelKind.PROBLEM or panel.what != "correct":
            return (word,)
        verb, _, rest = word.partition(" ")
        if word == "apply" and self.table.signer:
            return ()
        if word == "dealer":
            return DEALER_AGAIN
        if verb in CORRECTING and not panel.seat:
            return (f"{CORRECTING[verb]} {rest}", f"{CORRECTING[verb]} {rest} {REASON}")
        return (word,)

    def _way(self, word: str, *, back: bool) -> tuple[str, ...]:
        path = self.path_to(word, back=back)
        if path is None and (before := self._seat_before(word)):
            return (before, word)
        if path is None:
            raise Refused(self.why_not(word))
        return (*path, word)

    def _seat_before(self, word: str) -> str:
        """The seat's key where it opens the page on which this key lies; "" for none."""
        verb, _, rest = word.partition(" ")
        seat = f"seat {rest.partition(' ')[0]}"
        opens = verb in ON_A_SEATS_PAGE and seat in keys(self.screen())
        return seat if opens and self.state.round.turn != int(seat.split()[1]) else ""

    def path_to(self, word: str, *, deepest: int = DEEPEST, back: bool = False) -> tuple[str, ...] | None:
        """The menus before a key, () where it lies on the screen; None where it does not lie so near."""
        deepest = 0 if word in ALWAYS_THERE else deepest
        found = ways(self, deepest=deepest, back=back)
        return next((path for path, state in found if word in keys(self.screen(state))), None)

    def why_not(self, word: str) -> str:
        """Why a key is not offered, in the law's words."""
        if not exists(word):
            return f"this table does not offer the key {word!r}{meant(word)}"
        verb, _, kind = word.partition(" ")
        if verb == "problem" and kind and not self._is_problem(kind):
            return f"no problem {kind!r}; right would be {', '.join(map(str, ProblemKind))}"
        if refusal := self._decided(self.state, word).refusal:
            return ENGLISH(refusal) + (self._problems_here() if verb == "problem" and kind else "")
        return f"the screen does not offer {word!r}"

    def _problems_here(self) -> str:
        """The kinds that can be told now."""
        found = ", ".join(one.key for one in problems(self.house, self.state))
        return f" Here it could be {found}." if found else ""

    def _is_problem(self, kind: str) -> bool:
        """One of the kinds, perhaps about a seat or a deck: `remove-1`."""
        return any(kind == one or re.fullmatch(rf"{one}-\d+", kind) for one in ProblemKind)

    def _press(self, word: str, *, hold: bool) -> None:
        widget = keys(self.screen()).get(word)
        if widget is None:  # the key before it led to another page than this one lies on
            raise Refused(self.why_not(word), tuple(self.presses))
        if hold and not widget.hold_ms:
            raise Refused(f"{word!r} is not held; press it")
        self.presses.append(word)
        self.state = self._decided(self.state, word).state

    def _decided(self, state: TableState, word: str) -> Turn:
        if word == NO_MORE_BETS:
            return Turn(state)
        by = self.table.signer if asks_to_sign(self.screen(state)) else ""
        return decide(self.house, state, Pressed(word, by, self.table.utc_s))

    def acts_at_once(self, word: str) -> bool:
        """A problem that nobody has to sign: its key in the list does it, and opens no page of its own."""
        if word.partition(" ")[0] != "problem" or (path := self.path_to(word)) is None:
            return False
        state = next(state for way, state in ways(self) if way == path)
        turn = self._decided(state, word)
        return bool(turn.rows) and not turn.refusal and self.turned(state, word) is None

    def after(self, word: str) -> TableState | None:
        """The table after a key, which nobody presses; None where it is refused."""
        turn = self._decided(self.state, word)
        return turn.state if turn.rows and not turn.refusal else None

    def turned(self, state: TableState, word: str) -> TableState | None:
        """The table after a key that only turns to a panel; None where it does anything else."""
        turn = self._decided(state, word)
        only_turns = turn.rows and all(isinstance(event, e.PanelTurned) for event in turn.events)
        return turn.state if only_turns else None


def ways(trial: Trial, *, deepest: int = DEEPEST, back: bool = False) -> Iterator[tuple[tuple[str, ...], TableState]]:
    """Every screen that is so many menus away, the nearest first, and the keys that lead there."""
    seen = {trial.state.desk.panel}
    waiting: list[tuple[tuple[str, ...], TableState]] = [((), trial.state)]
    while waiting:
        path, state = waiting.pop(0)
        yield path, state
        if len(path) >= deepest:
            continue
        for word in keys(trial.screen(state)):
            if word.partition(" ")[0] not in (*MENUS, *([BACK] if back else [])):
                continue
            after = trial.turned(state, word)
            if after is not None and after.desk.panel not in seen:
                seen.add(after.desk.panel)
                waiting.append(((*path, word), after))
