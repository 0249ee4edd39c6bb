"""What scenarios have in common: fault, dark, locked, playable, and the journal at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from firmware.proof.simulation import game_betting
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import ready, saying, shown
from firmware.proof.simulation.plan import Round
from firmware.proof.simulation.summary import is_right, summarise
from tests.hil.promises import Promise
from tests.hil.rig import Lines, Rig, Unit, glance

Measure = Callable[[Promise, float], None]


def is_dark(lines: Lines) -> bool:
    """No lamp is lit."""
    return lines.dark


def is_locked(lines: Lines) -> bool:
    """The lock line is low."""
    return not lines.open


def lamps_are(*seats: int) -> Callable[[Lines], bool]:
    """These lamps are lit, and no other."""
    return lambda lines: {seat for seat, lit in lines.lamps.items() if lit} == set(seats)


def seen(rig: Rig, measure: Measure, since: float, *, promised: Mapping[Promise, Callable[[Lines], bool]]) -> None:
    """Look at the lines until each of these was so once, and measure each from the fault on."""
    waiting = dict(promised)
    while waiting:
        lines = rig.lines()
        for promise in [promise for promise, is_so in waiting.items() if is_so(lines)]:
            del waiting[promise]
            measure(promise, lines.at - since)
        for promise in waiting:
            assert time.monotonic() - since < rig.most_s(promise), f"{promise.text}: not seen; the lines are {lines}"


def playable(rig: Rig, measure: Measure, since: float, promise: Promise) -> None:
    """The lock line is high and the screen says that bets are open: measured from `since`."""
    at = rig.until(lambda lines: lines.open, promise.text, rig.most_s(promise))
    rig.person.see(shown("open"), promise.text, rig.most_s(promise))
    measure(promise, at - since)


def is_ready(rig: Rig, measure: Measure, since: float, unit: Unit, promise: Promise) -> None:
    """A unit that was lost is there again: measured from `since`."""
    deadline = since + rig.most_s(promise)
    while rig.runs(unit):  # nobody has noticed yet that it is gone
        assert time.monotonic() < deadline, f"{unit} was never missed"
        glance()
    while not rig.runs(unit):
        assert time.monotonic() < deadline, f"{promise.text}: it is not"
        glance()
    measure(promise, time.monotonic() - since)


LINK, NO_LINK = "", "status.no-link"


def link_is(rig: Rig, said: str) -> None:
    """The corner of the screen says so of the bank, "" for nothing."""
    seen = saying(said, "link") if said else ready("link")
    rig.person.see(seen, said or "the bank heard", rig.most_s(Promise.NETWORK_PLAYABLE))


def opens(dealer: Dealer) -> None:
    """Bets are open, and the sensors have been steady for long enough: a chip was recognized, and lifted again."""
    bets(dealer, 1)
    dealer.world.take(1)
    dealer.on_felt.discard(1)
    dealer.person.lamp(1, "dark")


def bets(dealer: Dealer, *seats: int) -> None:
    """Bets are open, these chips lie, and their lamps are lit."""
    dealer.open()
    dealer.sit(1, Round(seats))
    game_betting.bet(dealer)


def lit(rig: Rig, *seats: int) -> None:
    """These lamps are lit, and no other: on the wire too, of which the glass may tell a moment earlier."""
    rig.until(lamps_are(*seats), f"the lamps of {seats} lit", rig.most_s(Promise.LAMP))


def ends(dealer: Dealer, script: Round, number: int = 1) -> None:
    """The round whose chips lie is locked, and played to open bets."""
    dealer.sit(number, script)
    game_betting.lock(dealer)
    dealer.finish()


def right(rig: Rig, folder: Path, rounds: Sequence[Round]) -> None:
    """Journal and ledger hold: every row, every wager that was played, none lost and none twice."""
    copies = rig.journal(folder)
    summary = summarise([copies.journal], copies.ledger or folder / "none", len(rounds))
    assert is_right(summary), summary
    assert summary["wagers"] == sum(len(round.chips) - (round.difference == "missing") for round in rounds), summary
