"""Expectations: each one against the view of people, and the sentence when it fails."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.player import Outcome, stands
from firmware.proof.rehearse.table import Table
from firmware.proof.rehearse.trial import Trial
from firmware.rules.money import Cents, dollars
from firmware.rules.payment import Payment
from ui.dealer.widgets import Screen

Failure = str
"""The actual value; "" if the expectation holds."""


def texts(shown: Screen) -> list[str]:
    """The text of every widget, line breaks read as spaces."""
    said = (" ".join(" ".join(line.text for line in widget.lines).split()) for widget in shown.widgets)
    return [text for text in said if text]


def failure(table: Table, expected: s.Expectation, last: Outcome) -> Failure:
    """Why an expectation does not hold, "" where it does."""
    match expected:
        case s.PhaseIs(phase):
            return "" if stands(table, phase) else f"the table stands at {where(table)}"
        case s.TextShown(text, there):
            return _text(table, text, there)
        case s.KeyOffered(word, there):
            return _key(table, word, there)
        case s.WasRefused(text):
            return _refused(last, text)
        case s.LampIs() | s.LockIs():
            return _lights(table, expected)
        case s.PaymentMade() | s.NoPayment() | s.InOrder():
            return _payments(table, expected)
        case s.VoidBy(cite):
            found = table.account.void_cites
            held = not found if cite is None else any(one.startswith(cite) for one in found)
            void = f"void by {', '.join(found)}" if found else "not void"
            return "" if held else f"the round is {void}"
        case s.DeckIs(number, playable):
            return _deck(table, number, playable)
        case s.MeterStands():
            return _meter(table, expected)
        case s.AccountHolds(seat, amount):
            accounts = table.state.felt.accounts
            holds = Cents(accounts[seat - 1] if seat <= len(accounts) else 0)
            return "" if holds == amount else f"{dollars(holds)} stands in it"
        case s.AlarmIs(kind):
            found_kinds = alarms(table)
            held = kind in found_kinds if kind else not found_kinds
            return "" if held else f"{'alarm ' + ' '.join(found_kinds) if found_kinds else 'no alarm stands'}"
        case s.TapsAre(number):
            return "" if table.account.taps == number else f"{table.account.taps} taps so far in this round"


def where(table: Table) -> str:
    """The phase, and the street where questions are asked."""
    streets = (street.name for street in table.house.procedure.streets if stands(table, street.name))
    return " ".join((str(table.state.phase), *streets))


def _text(table: Table, text: str, there: bool) -> Failure:
    wanted = " ".join(text.split()).casefold()
    found = [one for one in texts(table.screen()) if wanted in one.casefold()]
    if bool(found) == there:
        return ""
    return f'"{found[0]}"' if found else "no text on the screen contains it"


def _key(table: Table, word: str, there: bool) -> Failure:
    trial = Trial(table)
    offered = trial.path_to(word, deepest=1) is not None
    return "" if offered == there else "it is offered" if offered else trial.why_not(word)


def _refused(last: Outcome, text: str) -> Failure:
    if last.refused is None:
        return "the step before was not refused"
    if last.changed:
        return f"the step before was refused ({last.refused}), and yet it changed the table"
    held = " ".join(text.split()).casefold() in " ".join(last.refused.split()).casefold()
    return "" if held else f'it was refused with "{last.refused}"'


def _lights(table: Table, expected: s.LampIs | s.LockIs) -> Failure:
    if isinstance(expected, s.LockIs):
        return "" if table.locked == expected.locked else f"the lock is {'locked' if table.locked else 'open'}"
    lamp = table.lamps.get(expected.seat)
    if lamp is None:
        return f"seat {expected.seat} has no lamp"
    return "" if lamp == expected.lamp else f"its lamp is {lamp}"


# Money -------------------------------------------------------------------------------------------------------------------


def _payments(table: Table, expected: s.PaymentMade | s.NoPayment | s.InOrder) -> Failure:
    made = table.payments
    match expected:
        case s.PaymentMade():
            if any(_is(one, expected) for one in made):
                return ""
            same = [one for one in made if (one.seat, one.wager) == (expected.seat, expected.wager)]
            return f"payments made: {_listed(same or made)}"
        case s.NoPayment(seat, wager):
            same = [one for one in made if (one.seat, one.wager) == (seat, wager)]
            return f"payments made: {_listed(same)}" if same else ""
        case s.InOrder(wanted):
            found = [(one.seat, one.wager) for one in made if (one.seat, one.wager) in wanted]
            rest = iter(found)
            return "" if all(one in rest for one in wanted) else f"payments made: {_listed(made)}"


def _is(one: Payment, expected: s.PaymentMade) -> bool:
    said = (one.seat, one.wager, str(one.result), one.returned, one.payout, one.limited)
    wanted = (
        *(expected.seat, expected.wager, expected.result),
        *(expected.returned, expected.payout, expected.limited),
    )
    return said == wanted and expected.for_seat in (None, one.for_seat) and one.cite.startswith(expected.cite)


def _listed(payments: Iterable[Payment]) -> str:
    said = []
    for one in payments:
        more = " limited" if one.limited else ""
        more += f" for {one.for_seat}" if one.for_seat else ""
        said.append(
            f"{one.seat} {one.wager} {one.result} {dollars(one.returned)} {dollars(one.payout)}{more} cite {one.cite}"
        )
    return "; ".join(said) or "none"


def _meter(table: Table, expected: s.MeterStands) -> Failure:
    if table.bank is None or expected.meter not in table.bank.names:
        names = ", ".join(table.bank.names) if table.bank else "none"
        return f"no meter {expected.meter}; meters of this table: {names}"
    found = table.bank.pending(expected.meter) if expected.pending else table.bank.stands(expected.meter)
    what = "is pending" if expected.pending else "stands on it"
    return "" if found == expected.amount else f"{dollars(found)} {what}"


# Decks and alarms ----------------------------------------------------------------------------------------------------------


def _deck(table: Table, number: int, playable: bool) -> Failure:
    """A deck that was counted wrong is never dealt here again, from that moment on (653a.5(b))."""
    decks = table.state.decks
    here = number in [deck.number for deck in decks.here]
    if not here and number > table.state.history.deck_number:
        return f"no deck {number} has come to this table"
    playable_now = here and number not in dict(decks.miscounted)
    return "" if playable_now == playable else f"deck {number} is {'playable' if playable_now else 'removed'}"


SHUFFLER_ALARM = "shuffler"


def alarms(table: Table) -> tuple[str, ...]:
    """The alarms that stand: the bank's, by its kind; the shuffler's that nobody has seen, also by its fault."""
    neighbors = table.state.neighbors
    found = [neighbors.bank_alarm] if neighbors.bank_alarm else []
    if neighbors.shuffler.alarm > neighbors.shuffler.acknowledged:
        found += [SHUFFLER_ALARM, *([neighbors.shuffler.fault] if neighbors.shuffler.fault else [])]
    return tuple(found)
