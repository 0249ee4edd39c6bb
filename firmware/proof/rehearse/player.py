"""Does what a script says, step by step: hands, devices and presses on the rig, at their times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.dealer_answers import tell, unasked
from firmware.proof.rehearse.rig import Rig
from firmware.proof.rehearse.table import MS, NO_MORE_BETS, S, Table
from firmware.proof.rehearse.trial import Refused, Trial, keys
from firmware.table import deciding
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.inputs import ButtonPushed
from firmware.table.state import Phase, TableState
from firmware.wire.structs import replace
from ui.words import ENGLISH

BETWEEN_STEPS_NS = 1 * S
BETWEEN_PRESSES_NS = 500 * MS
"""So long after a press of one step follows the next one."""
PRESSES_MOST = 40
"""No phase lies further away by usual presses alone."""

USUAL: Mapping[Phase, tuple[str, ...]] = {
    Phase.SHUT: ("preinspected",),
    Phase.SHUFFLE: ("shuffled-and-cut", "shuffled"),
    Phase.CUT: ("cut",),
    Phase.INSPECT: ("inspected",),
    Phase.SPREAD: ("looked",),
    Phase.WASH: ("stacked",),
    Phase.IDLE: ("looked",),
    Phase.CLOSED: ("fetch",),
}
"""The usual keys between two rounds; `open` and `clear` press them."""
GOES_ON: Mapping[Phase, tuple[str, ...]] = {
    **USUAL,
    Phase.OPEN: (NO_MORE_BETS,),
    Phase.DEAL: ("dealt", "next"),
    Phase.ASK: ("next",),
    Phase.SUPERS: ("supers-settled",),
}
"""Primary keys that record what everybody did who was not tapped; at any other something else is asked first."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a step. `refused`: why, None if it went. `changed`: the table is another one than before."""

    refused: str | None = None
    changed: bool = True


def unsaid(state: TableState) -> TableState:
    """The table without its last refusal, and what was complained of it."""
    desk = replace(state.desk.unsaid, complaint="", complaints=0)
    return replace(state, desk=desk)


EMPTY = TableState()
SETTLED = "settled"
SEEN = "acknowledge"
"""A machine that works by itself again leaves only its last alarm to be seen."""
APPLY, BACK = s.Press("apply"), s.Press("back")
AT_THE_SCREEN = (s.Press, s.GoOn, s.Told, s.EnterCards, s.NextKey, s.OpenBets, s.Clear)
"""The deeds of people with the keys of a screen."""


class Player:
    """Everybody at the tables of a rig. `table` is the one that is spoken of."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.table: Table = next(iter(rig.tables.values()))
        self.started_ns = -BETWEEN_STEPS_NS
        """When the last step began."""
        self._chosen: dict[str, str] = {}
        """Table -> the key of a problem that nobody signs: one tap does it, and the script says `press apply` for that."""

    def play(self, line: s.Line, *, joined: bool) -> Outcome:
        """One step; `joined`: the next one starts so long after the start of this one. Its outcome."""
        if line.after_ns is None:
            self.rig.advance(max(0, self.rig.now_ns + BETWEEN_STEPS_NS if self.started_ns >= 0 else 0))
        else:
            self.rig.advance(max(self.rig.now_ns, self.started_ns + line.after_ns))
        self.started_ns = self.rig.now_ns
        before = self.table.state
        try:
            self._is_free_for(line.says)
            self._do(line.says)  # type: ignore[arg-type]
        except Refused as refused:
            self._commit_refused(refused)
            return Outcome(refused.text, unsaid(self.table.state) != unsaid(before))
        if not joined:
            self.rig.settle()
        if isinstance(line.says, s.Badge) and self.table.failed_pin:
            return Outcome(self.table.failed_pin, changed=False)
        return Outcome()

    def _commit_refused(self, refused: Refused) -> None:
        """A key that lies on the screen and is refused was pressed: its screen says why."""
        if len(refused.tried) == 1:
            self._press(refused.tried[0])
        self.rig.settle()

    # Steps ------------------------------------------------------------------------------------------------------------

    def _do(self, step: s.Step) -> None:
        match step:
            case s.Chip() | s.Button() | s.Lockout() | s.Device() | s.ShufflerSays() | s.ShufflerAuto():
                self._device(step)
            case s.NextKey():
                self._next_key()
            case s.Badge():
                self.table.meet(step)
            case s.Press(word, "force"):
                self._force(word)
            case s.Press():
                self._press_key(step)
            case s.GoOn():
                self._go_on(step.to)
            case s.Draw():
                self._draw(step)
            case s.Wait():
                self.rig.advance(self.rig.now_ns + step.ns)
            case s.Power():
                self.rig.power(self.table)
            case s.OpenBets():
                self._usual(counts=False)
            case s.Clear():
                self._clear()
            case s.OnTable():
                self.table = self.rig.tables[step.name]
            case _:
                trial = Trial(self.table)
                tell(trial, step)
                self._commit(trial)

    def _next_key(self) -> None:
        """It presses the primary key in the deal and on the streets; elsewhere it does nothing, which is a refusal here."""
        if not self.table.push_next():
            raise Refused(f"the NEXT key does nothing in phase {self.table.state.phase}")

    def _device(self, step: s.Chip | s.Button | s.Lockout | s.Device | s.ShufflerSays | s.ShufflerAuto) -> None:
        table = self.table
        match step:
            case s.Chip():
                self._needs_sensors(step.seat)
                table.move_chip(step.seat, step.lies)
            case s.Button():
                if not table.house.submission.by_account or step.seat > table.seats:
                    raise Refused(f"seat {step.seat} has no Five Card Hand button at this table")
                self._push(step)
            case s.Lockout():
                self._needs_sensors(1)
                table.turn_switch(step.way)
            case s.Device():
                self._plug(step.name, step.there)
            case s.ShufflerSays() | s.ShufflerAuto():
                if not table.house.equipment.machine:
                    raise Refused("this table has no shuffler")
                table.machine.works_by_itself() if isinstance(step, s.ShufflerAuto) else table.machine.tell(step)
            case _:
                assert_never(step)

    def _push(self, step: s.Button) -> None:
        """While bets are open a button that would make no wager and take none back is refused, as the table says why."""
        table = self.table
        after = decide(table.house, table.state, ButtonPushed(step.seat, step.hand, table.monotonic_ns)).state
        if table.state.phase is Phase.OPEN and after.round == table.state.round:
            raise Refused(f"the button of seat {step.seat} changes nothing: {ENGLISH(after.desk.notice)}")
        table.push_button(step.seat, step.hand)

    def _needs_sensors(self, seat: int) -> None:
        if not self.table.has_sensors:
            raise Refused("this table has no progressive wager, and so no sensors and no lockout switch")
        if seat > self.table.seats:
            raise Refused(f"no seat {seat} at this table")

    def _plug(self, name: str, there: bool) -> None:
        table = self.table
        match name:
            case "sensors":
                self._needs_sensors(1)
                table.plug_sensors(there)
            case "badge-reader":
                table.reader = there
            case "shuffler":
                table.machine.plug(there)
            case _:
                if table.bank is None:
                    raise Refused("this table has no progressive wager, and so no link to a bank")
                self.rig.connect(table, there)

    def _draw(self, step: s.Draw) -> None:
        if not self.table.house.submission.by_account:
            raise Refused("this table draws nothing; it offers no Five Card Hand")
        self.table.draws.append(step)

    # Presses ----------------------------------------------------------------------------------------------------------

    def _is_free_for(self, step: object) -> None:
        """A problem that was chosen waits for APPLY; people do nothing else at the screen before."""
        chosen = self._chosen.get(self.table.name, "")
        if isinstance(step, s.Power):
            self._chosen.pop(self.table.name, None)
        elif chosen and isinstance(step, AT_THE_SCREEN) and step not in (APPLY, BACK):
            raise Refused(f"{chosen!r} was chosen and is not told yet; `press apply` tells it, `press back` does not")

    def _press_key(self, step: s.Press) -> None:
        trial = Trial(self.table)
        chosen = self._chosen.pop(self.table.name, "")
        if chosen and step == BACK:
            return
        if trial.acts_at_once(step.word):
            self._chosen[self.table.name] = step.word
            return
        before = trial.state
        trial.press(chosen or step.word, hold=step.manner == "hold")
        if step.word == SETTLED and (left := unasked(trial, before)):
            raise Refused(left)
        self._commit(trial)

    def _press(self, word: str) -> tuple[e.Event, ...]:
        self.table.sign_in()
        return self.table.press(word)

    def _commit(self, trial: Trial, *, counts: bool = True) -> None:
        """The tried keys are pressed, one after the other."""
        self.table.stash = trial.stash
        for place, word in enumerate(trial.presses):
            if place:
                self.rig.advance(self.rig.now_ns + BETWEEN_PRESSES_NS)
            if counts:
                self.table.account.tapped(self.table.state.round.number)
            events = self._press(word)
            if events and isinstance(events[0], e.PressRefused):
                raise Refused(ENGLISH(events[0].why))
            if place + 1 < len(trial.presses):
                self.rig.settle()

    def _force(self, word: str) -> None:
        before = self.table.state
        events = self._press(word)
        if events and isinstance(events[0], e.PressRefused):
            raise Refused(ENGLISH(events[0].why))
        if not events:
            self.rig.settle()
            if self.table.state == before:
                raise Refused(f"{word!r} had no effect")

    def _primary(self) -> str:
        widget = next((one for one in self.table.screen().widgets if one.id == "primary"), None)
        return widget.press if widget is not None and widget.enabled else ""

    def _go_on(self, to: str) -> None:
        self.table.sign_in()
        if not to:
            word = self._dealt_only(str(Phase.ASK)) or self._primary()
            if not word:
                raise Refused("no primary key is lit")
            self._tries(word)
            return
        for _ in range(PRESSES_MOST):
            if stands(self.table, to):
                return
            word = self._dealt_only(to) or self._primary()
            if word not in GOES_ON.get(self.table.state.phase, ()):
                raise Refused(f"something else is asked first, in phase {self.table.state.phase}")
            self._tries(word)
            self.rig.settle()
            if not stands(self.table, to):
                self.rig.advance(self.rig.now_ns + BETWEEN_PRESSES_NS)
        raise Refused(f"the way to {to} does not end")

    def _dealt_only(self, to: str) -> str:
        """To the first questions DEALT alone leads: the primary key of the deal answers them too."""
        asks = to in (str(Phase.ASK), self.table.house.procedure.streets[0].name)
        deal = self.table.state.phase is Phase.DEAL
        return "dealt" if asks and deal and "dealt" in keys(self.table.screen()) else ""

    def _tries(self, word: str, *, counts: bool = True) -> None:
        trial = Trial(self.table)
        trial.press(word)
        self._commit(trial, counts=counts)

    # Usual ways -------------------------------------------------------------------------------------------------------

    def _usual(self, *, counts: bool) -> None:
        """The usual keys until bets are open."""
        if self.table.state.phase is Phase.CLOSED and self.table.switch_locked and self.table.has_sensors:
            self.table.turn_switch("off")
        for _ in range(PRESSES_MOST):
            self.rig.settle()
            table = self.table
            if table.state.phase is Phase.OPEN:
                return
            offered = keys(table.screen())
            usual = (*USUAL.get(table.state.phase, ()), *([SEEN] if table.machine.by_itself else []))
            word = next((one for one in usual if one in offered), "")
            if word:
                self._tries(word, counts=counts)
            elif table.has_sensors and table.switch_locked:
                table.turn_switch("off")
            else:
                raise Refused(f"bets do not open, in phase {table.state.phase}")
            self.rig.settle()
            self.rig.advance(self.rig.now_ns + BETWEEN_PRESSES_NS)
        raise Refused("bets do not open")

    def _clear(self) -> None:
        if self.table.state.phase not in (Phase.CLOSED, Phase.SHUFFLE, Phase.OPEN):
            self._let_go()
            self._tries("clear")
            self.rig.settle()
        for seat in self.table.covered:
            self.table.move_chip(seat, lies=False)
        self.rig.settle()
        self._usual(counts=True)

    def _let_go(self) -> None:
        """A seat that was picked as a winner, with all its answers, is let go of: CLEAR is dark before."""
        state, offered = self.table.state, keys(self.table.screen())
        picked = f"seat {state.round.turn}"
        if state.phase is Phase.SETTLE and not state.in_turn and "clear" not in offered and picked in offered:
            self._tries(picked)
            self.rig.settle()


def stands(table: Table, phase: str) -> bool:
    """The table stands at this phase, or at this street of its questions."""
    if table.state.phase == phase:
        return True
    asks = table.state.phase is Phase.ASK and table.house.game.has_pass("streets")
    return asks and deciding.street(table.house, table.state).name == phase
