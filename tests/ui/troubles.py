"""What can be wrong at a table, played by the tests' own dealer on the real law: the pictures of docs/operations.md.

The words of an alarm of the bank are those of the real bank that was sent what raises it; no sentence is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from firmware.bank import wire
from firmware.rules.message import say
from firmware.rules.money import Cents
from firmware.table.inputs import Anchors, BankSaid, DiskSeen, LinkSeen, Pressed
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from tests.bank import casino
from tests.table.table import DIAZ, OKAFOR, PEOPLE, Dealer, Table
from ui.dealer.frame import frame_of
from ui.dealer.panels import SEVEN_INCH, Panel
from ui.dealer.pieces import Live
from ui.dealer.screens import screen
from ui.dealer.widgets import Screen
from ui.words import ENGLISH, Words

MONDAY, TUESDAY, WEDNESDAY = "2027-01-11", "2027-01-12", "2027-01-13"
LIVE = Live("10:14 PM", (MeterHeard("main", "main", "10012.34"),), "22:14")
LEDGER, OTHER_LEDGER = "3f9c62a1" * 4, "91c4d07e" * 4


class Seen(NamedTuple):
    """A table in trouble. `by`: the badge whose PIN was right there, "" for nobody. `day`: of the house's clock."""

    table: Table
    by: str = ""
    day: str = TUESDAY

    def shown(self, panel: Panel = SEVEN_INCH, words: Words = ENGLISH) -> Screen:
        """What is on the glass."""
        name = PEOPLE[self.by].name if self.by else ""
        live = replace(LIVE, badge=self.by, by=self.by, name=name, day=self.day)
        return screen(self.table.house, self.table.state, live, frame_of(panel), words)


# Alarms that the table finds by itself in what the bank says ----------------------------------------------------------


def not_adopted() -> Seen:
    """The bank was never told of this table."""
    table = Table().opens()
    table.hears(table.bank.said(alarm="new", alarm_text="never adopted"))
    return Seen(table)


def hears(change: Callable[[BankSaid], BankSaid]) -> Seen:
    """Two rounds were played and reported; then the bank's word is another one."""
    table, _ = played()
    table.hears(change(table.bank.said()))
    return Seen(table)


def played() -> tuple[Table, Dealer]:
    """Bets are open; two rounds with wagers are over, and the bank holds them."""
    table = Table().opens()
    table.bank.epoch = LEDGER
    dealer = Dealer(table)
    for seats in ((2, 5), (3,)):
        dealer.deals(*seats)
        dealer.presses("clear")
        table.bank.listens()
    return table, dealer


def another_message() -> Seen:
    return hears(lambda said: replace(said, hash="b" * 64))


def another_journal() -> Seen:
    return hears(lambda said: replace(said, journal="b" * 32))


def ahead() -> Seen:
    return hears(lambda said: replace(said, seq=said.seq + 4))


def behind() -> Seen:
    return hears(lambda said: replace(said, anchors=Anchors(seen_rows=4_711, seen_head="b" * 64)))


def fork() -> Seen:
    anchors = Anchors(seen_rows=12, seen_head="b" * 64, own_head="c" * 64)
    return hears(lambda said: replace(said, anchors=anchors))


def another_ledger() -> Seen:
    return hears(lambda said: replace(said, epoch=OTHER_LEDGER))


# Alarms of the bank, in its own words ---------------------------------------------------------------------------------


def alarm(told: Callable[[casino.Bank, casino.Table], None]) -> Callable[[], Seen]:
    """The real bank is sent this by table uth-04, and the table hears what it says about it."""

    def play() -> Seen:
        bank, spoke = casino.Bank(casino.rules(tables=("uth-04",))), casino.Table("uth-04")
        told(bank, spoke)
        bank.hears_all(spoke)
        raised = wire.down(bank.state, "uth-04").alarm
        assert raised is not None, "an alarm"
        table, _ = played()
        table.hears(table.bank.said(alarm=raised.kind, alarm_text=raised.text))
        return Seen(table)

    return play


def other_rules(_: casino.Bank, table: casino.Table) -> None:
    table.paytable = "B"
    table.wagers(12, 3)


def earlier_round(_: casino.Bank, table: casino.Table) -> None:
    table.wagers(12, 3)
    table.wagers(11, 3)


def void_of_nothing(_: casino.Bank, table: casino.Table) -> None:
    table.void(12)


def claim_without_wager(_: casino.Bank, table: casino.Table) -> None:
    table.wagers(12, 2)
    table.claim(12, 3, "royal flush")


def other_amount(bank: casino.Bank, table: casino.Table) -> None:
    bank.hears(table, table.wagers(12, 3))
    bank.hears(table, table.claim(12, 3, "royal flush"))
    table.verdict(12, 3, paid=True, price={"amount": "10003.78"})


def unknown_people(bank: casino.Bank, table: casino.Table) -> None:
    bank.hears(table, table.wagers(12, 3))
    bank.hears(table, table.claim(12, 3, "royal flush"))
    table.verdict(12, 3, paid=True, by=("2001", "2044"))


def payment_without_wager(_: casino.Bank, table: casino.Table) -> None:
    table.wagers(12, 2)
    line = {"seat": 3, "wager": "progressive", "result": "win", "stake": "1.00", "returned": "0.00", "payout": "300.00"}
    table.says("payment", {"round": 12, "what": "prize", "lines": [line | {"cite": "653a.12(d)(1)", "source": "rack"}]})


def day_left_out(_: casino.Bank, table: casino.Table) -> None:
    counted = dict.fromkeys(("rounds", "voids", "late", "differences"), 0) | {"bought": "0.00", "cashed": "0.00"}
    totals: dict[str, Any] = counted | {name: [] for name in ("staked", "returned", "paid", "awards", "contributions")}
    days = {"totals": totals, "perpetual": totals, "round": 0, "claims": []}
    table.says("day", {"day": "2027-01-12", "number": 2, "by": "2001"} | days)


# A claim --------------------------------------------------------------------------------------------------------------


def claimed(seat: int = 3) -> tuple[Table, Dealer]:
    """A royal flush at this seat: the bank is asked."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(seat)
    dealer.claims(seat, "royal flush")
    return table, dealer


def price_too_high() -> Seen:
    """The bank says more than its meter ever held."""
    table, _ = claimed()
    table.bank.listens_in_silence()
    [answer] = table.bank.claims.values()
    high = replace(answer, amount=Cents(9_999_999))
    table.hears(table.bank.said(claims=(high,), most=(("main", Cents(1_001_234)),)))
    return Seen(table)


def changed_amount() -> Seen:
    """An amount that was shown, and then another one."""
    table, _ = claimed()
    table.bank.listens()
    [answer] = table.bank.claims.values()
    table.hears(table.bank.said(claims=(replace(answer, amount=answer.amount + 12_345, version=9),)))
    return Seen(table, OKAFOR)


def owed() -> Seen:
    """An earlier claim was no winner: the winner of a round long past is owed more."""
    table, dealer = claimed(5)
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    table.bank.listens()
    dealer.presses("clear")
    table.bank.listens()
    [answer] = table.bank.claims.values()
    more = Cents(62_895)
    table.hears(table.bank.said(claims=(replace(answer, amount=Cents(answer.amount + more), version=9, owed=more),)))
    return Seen(table)


def owed_first() -> Seen:
    """A floorperson begins."""
    table, _, _ = owed()
    Dealer(table).presses("problem", "problem owed")
    return Seen(table, DIAZ)


def owed_second() -> Seen:
    """The second person ends it."""
    table, by, _ = owed_first()
    dealer = Dealer(table)
    dealer.presses("apply", by=by)
    dealer.presses("problem owed-paid")
    return Seen(table, OKAFOR)


# The table's own equipment, and the way to the bank -------------------------------------------------------------------


def out_of_order() -> Seen:
    """A floorperson put the progressive out of order."""
    table, dealer = played()
    dealer.presses("problem", "problem progressive-off")
    dealer.presses("apply", by=DIAZ)
    table.waits(100)
    return Seen(table)


def disk() -> Seen:
    """The reserve is all that is left, between rounds."""
    table, dealer = played()
    dealer.deals(2)
    table.hears(DiskSeen(True))
    dealer.presses("clear")
    return Seen(table)


def sensors() -> Seen:
    """The wires are gone while a lamp is lit."""
    table, _ = played()
    table.seats(2).place()
    table.sensors(False, "seat 2 cannot be read on GPIO6: No such device; check the GPIO chip and its driver")
    return Seen(table)


def silent() -> Seen:
    """The bank says nothing any more while a lamp is lit."""
    table, _ = played()
    table.seats(2, 5).place()
    table.hears(LinkSeen(False, say("link.bank-silent")))
    return Seen(table)


# A gaming day ---------------------------------------------------------------------------------------------------------


def day_is_over() -> Seen:
    """Monday was closed; Tuesday is over, and TABLE asks for it."""
    table, dealer = played()
    dealer.presses("problem table", "problem close-day")
    table.hears(Pressed("apply", DIAZ, table.clock, MONDAY))
    return Seen(table, day=WEDNESDAY)


def day_among_the_rest() -> Seen:
    table, _, day = day_is_over()
    Dealer(table).presses("problem table")
    return Seen(table, day=day)


def day_is_signed() -> Seen:
    table, _, day = day_among_the_rest()
    Dealer(table).presses("problem close-day")
    return Seen(table, DIAZ, day)


PICTURES: Mapping[str, Callable[[], Seen]] = {
    "new": not_adopted, "hash": another_message, "journal": another_journal, "ahead": ahead, "behind": behind,
    "fork": fork, "rules": alarm(other_rules), "round": alarm(earlier_round), "void": alarm(void_of_nothing),
    "claim": alarm(claim_without_wager), "amount": alarm(other_amount), "verdict": alarm(unknown_people),
    "payment": alarm(payment_without_wager), "day": alarm(day_left_out),
    "epoch": another_ledger, "price": price_too_high, "was-now": changed_amount,
    "owed": owed, "owed-first": owed_first, "owed-second": owed_second,
    "out-of-order": out_of_order, "disk": disk, "sensors": sensors, "silent": silent,
    "day-over": day_is_over, "day-menu": day_among_the_rest, "day-signed": day_is_signed,
}  # fmt: skip
"""Name of a picture -> how the table got there; an alarm's picture has the alarm's name."""
