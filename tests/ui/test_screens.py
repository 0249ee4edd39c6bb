"""Every screen of the dealer: nothing cut off, no two keys in one place, keys large enough, one primary key."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.rules.hands import RANKED, HandName
from firmware.rules.message import as_is, say
from firmware.rules.meter_wagers import envy_payments, meter_payment
from firmware.rules.money import Cents
from firmware.rules.payment import Payment, award
from firmware.rules.paytable import Fixed
from firmware.runtime.link import HOST_SHOWN, NAME_SHOWN
from firmware.table.card_entry import RANKS
from firmware.table.decide import KEYS
from firmware.table.house import House, Person
from firmware.table.inputs import ButtonPushed, Chance, SensorSettled, ShufflerSeen
from firmware.table.opening import expected
from firmware.table.state import (
    Debt,
    Decks,
    Envied,
    Felt,
    Neighbors,
    Panel,
    PanelKind,
    Phase,
    Price,
    Prize,
    PrizeStatus,
    Program,
    Round,
    Seat,
    Sensor,
    Shuffler,
    TableState,
)
from firmware.wire.structs import replace
from tests.sample import some
from tests.table.table import DIAZ, OKAFOR, cards_of
from tests.ui.walk import HOUSES, LIVE, Walk
from ui.dealer.display import Display
from ui.dealer.frame import KEY_MM, MARGIN, Area, Frame, frame_of
from ui.dealer.panels import PANELS, SEVEN_INCH
from ui.dealer.pieces import Live, recipe
from ui.dealer.screens import BODIES, TITLES, screen, screen_key
from ui.dealer.service import CROSSES, Service
from ui.dealer.widgets import Screen, Widget
from ui.words import ENGLISH, money

Shown = tuple[House, TableState, Live]
FEATHERSTONE = Person("2001", "Bartholomew Featherstone", "floorperson")
LONGEST = 999_999_999


# The longest things that can be said, at level 0 ------------------------------------------------------------------

SHARE = award(1, "progressive", Cents(100), Cents(LONGEST), "100% of major", "major", "653a.12(d)(1)")
ROYAL = Prize(
    "straight flush",
    "100% of major",
    "653a.12(d)(1)",
    (SHARE,),
    "major",
    100,
    ("Th", "Jh", "Qh", "Kh", "9h"),
    backers=(1,),
)
SHUFFLER = Shuffler(True, "felt-1", "shuffling", 52, "blue", "", 0, 0)

PROGRESSIVE_WAGER = ("progressive", 100)
MIXED = (
    Seat((PROGRESSIVE_WAGER,)),
    Seat(late=(("progressive", 12_345),)),
    Seat(),
    Seat(),
    Seat((PROGRESSIVE_WAGER,), prize=replace(ROYAL, status=PrizeStatus.PAID)),
    Seat((PROGRESSIVE_WAGER,), prize=replace(ROYAL, status=PrizeStatus.PENDING, by=("2001",))),
)
SENSORS = (Sensor(True), Sensor(True), Sensor(dead=True), Sensor(True, before_lock=True), Sensor(), Sensor())


def from_the_rack(house: House) -> tuple[Seat, ...]:
    """A prize that is paid in chips, the largest that this table's law knows: $1,500.00 for a $5.00 wager at most."""
    fixed = {
        hand: prize for hand, prize in house.submission.offers["progressive"].prizes.items() if isinstance(prize, Fixed)
    }
    hand = max(fixed, key=lambda one: fixed[one].amount)
    paid = meter_payment(house.submission, 6, "progressive", hand)
    return (*MIXED[:5], Seat((PROGRESSIVE_WAGER,), prize=Prize(str(hand), str(paid.odds), paid.cite, (paid,))))


def envied(house: House) -> tuple[Payment, ...]:
    """What seats 5 and 1 get for the royal flush of seat 6, by this table's law."""
    return tuple(envy_payments(house.submission, 6, HandName.ROYAL_FLUSH, (5, 1)))


OFFERED = ("progressive", "five_card_player", "five_card_dealer")
TABLE = TableState(
    program=Program("uth-04", "0" * 32, "boot", "pa-653a", wagers=OFFERED, sensed=OFFERED[:1]),
    round=Round(
        99_999, MIXED, turn=6, chips=1, question=1,
        void_cite="653a.13(d)", void_kind="dealer_card_exposed",
    ),
    decks=Decks(unit=SHUFFLER.unit),
    felt=Felt(SENSORS, up=True, switch_locked=False, accounts=(0,) * 6),
    neighbors=Neighbors(SHUFFLER, link_up=True),
)  # fmt: skip
OF_METERS = (
    Phase.CLOSED, Phase.OPEN, Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL, Phase.SETTLE, Phase.CARDS, Phase.VALIDATE,
    Phase.PRICE, Phase.HOLD, Phase.PAY, Phase.ENVY, Phase.VOID,
)  # fmt: skip
"""The phases that a table without decisions goes through."""


def with_parts(state: TableState, **parts: dict[str, Any]) -> TableState:
    """The same table with other values in some fields of some of its parts."""
    return replace(state, **{name: replace(getattr(state, name), **changed) for name, changed in parts.items()})


def longest(house: House = HOUSES["pa-653a 0"]) -> Iterator[tuple[TableState, Live]]:
    """Every phase and panel of level 0, with and without the longest things that can be said."""
    refused = say("people.second-differs", badge="2001")
    for phase in OF_METERS:
        seats = from_the_rack(house) if phase is Phase.PAY else MIXED
        table = with_parts(replace(TABLE, phase=phase), round={"seats": seats, "envy": envied(house)})
        yield table, LIVE
        yield (
            with_parts(table, desk={"notice": refused, "refused": "2001"}),
            replace(LIVE, badge="2001", by="2001"),
        )
    for fault in ("jam", "door", "count", "color", "cycle", "motor", "card", ""):
        shuffler = replace(SHUFFLER, alarm=3, fault=fault)
        yield with_parts(replace(TABLE, phase=Phase.CLOSED), neighbors={"shuffler": shuffler}), LIVE
    host = "h" * HOST_SHOWN
    for why in (
        say("link.bank-silent"),
        say("link.bank-stopped"),
        say("link.same-name", name="felt-table-".ljust(NAME_SHOWN, "t")),
        say("link.certificate-early"),
        say("link.certificate-name", host=host),
        say("link.own-certificate", reason="unsupported certificate"),
        say("link.port-closed", host=host, port=65535),
        say("link.no-way", host=host, reason="Network is unreachable"),
    ):
        yield with_parts(replace(TABLE, phase=Phase.OPEN), neighbors={"link_up": False, "link_why": why}), LIVE
    who = replace(LIVE, badge="2001", name=FEATHERSTONE.name)
    yield replace(TABLE, phase=Phase.VALIDATE), replace(who, typed=8)
    yield replace(TABLE, phase=Phase.VALIDATE), replace(who, wait_s=60)
    yield replace(TABLE, phase=Phase.VALIDATE), replace(who, by="2001")
    for phase in (Phase.SHUT, Phase.CLOSED, Phase.OPEN, Phase.VALIDATE):
        yield replace(TABLE, phase=phase), replace(LIVE, reader_gone=True)
        yield replace(TABLE, phase=phase), replace(LIVE, faults=(say("pins.stay"),))
        yield replace(TABLE, phase=phase), replace(LIVE, reader_gone=True, faults=(say("pins.stay"),))
        chip = as_is("no GPIO chip pinctrl-bcm2711 or pinctrl-rp1 or pinctrl-bcm2835: /dev has no gpiochip")
        yield with_parts(replace(TABLE, phase=phase), felt={"up": False, "why": chip}), replace(LIVE, reader_gone=True)
    complaint = "felt/felt/table/uth-04/down: not JSON: Expecting property name enclosed in double quotes"
    desk = {"complaint": complaint, "complaints": 1_234}
    yield with_parts(replace(TABLE, phase=Phase.OPEN), desk=desk), LIVE
    yield from owing()
    yield from serving()
    for slot in range(6):
        prize = replace(ROYAL, cards=ROYAL.cards[:slot], slot=slot, rank="T" if slot < 5 else "")
        seats = (*MIXED[:5], Seat((PROGRESSIVE_WAGER,), prize=prize))
        yield with_parts(replace(TABLE, phase=Phase.CARDS), round={"seats": seats}), LIVE


def voided_by_two(house: House) -> Iterator[tuple[TableState, Live]]:
    """A share and envy bonuses were paid, and the round is void: signed for by both people, and what goes back and stays."""
    share = award(6, "progressive", Cents(100), Cents(LONGEST), "100% of major", "major", "653a.12(d)(1)")
    paid = replace(ROYAL, status=PrizeStatus.PAID, payments=(share,))
    seats = (*(Seat((PROGRESSIVE_WAGER,)),) * 5, Seat((PROGRESSIVE_WAGER,), prize=paid))
    envy = tuple(envy_payments(house.submission, 6, HandName.ROYAL_FLUSH, (5, 4, 3, 2, 1)))
    parts = {"seats": seats, "envied": (Envied(6, envy, envy),), "sent_wagers": True, "void_cite": "", "void_kind": ""}
    table = with_parts(replace(TABLE, phase=Phase.SETTLE), round=parts)
    first = Panel(PanelKind.PROBLEM, 0, "wrong-number")
    for panel in (first, replace(first, signed="2001"), replace(first, what="face-up-later")):
        why = say("void.second", badge="2001") if panel.signed else say("people.floor-first-by", cite="653a.13(c)")
        yield with_parts(table, desk={"panel": panel}), LIVE
        yield (
            with_parts(table, desk={"panel": panel, "notice": why, "refused": "2001"}),
            replace(LIVE, badge="2001"),
        )
    back = {"taken_back": tuple((one, 100_000) for one in range(1, 6)), "envied": ()}
    void = {"void_cite": "653a.13(d)", "void_kind": "dealer_card_exposed", "settled_anyway": ("trips",)}
    yield with_parts(replace(table, phase=Phase.VOID), round=back | void), LIVE


def owing() -> Iterator[tuple[TableState, Live]]:
    """A claim of long ago is owed more: told while bets are open, listed, and signed for by both people."""
    claim, price = "uth-04:1234567:6:1234", Price(999_999_999, "main", "e" * 32, 9)
    first, second = Debt(claim, price, 999_999_999, gone=False), Debt(claim, price, 999_999_999, gone=False, by="2001")
    panels = {first: ("owed",), second: ("owed-paid", "owed-gone")}
    for debt, keys in panels.items():
        table = with_parts(replace(TABLE, phase=Phase.OPEN), neighbors={"debts": (debt,)})
        yield table, LIVE
        for what in ("", *(f"{key} {claim}" for key in keys)):
            yield with_parts(table, desk={"panel": Panel(PanelKind.PROBLEM, 0, what)}), LIVE
        notice = {"panel": Panel(PanelKind.PROBLEM, 0, f"{keys[0]} {claim}"), "refused": "2001"}
        notice["notice"] = say("problem.owed-second", badge="2001")
        yield with_parts(table, desk=notice), replace(LIVE, badge="2001", by="2001")


def serving() -> Iterator[tuple[TableState, Live]]:
    """A table that is not open: SERVICE under TABLE, signed for, its lines with the longest report, its crosses."""
    table = replace(TABLE, phase=Phase.SHUT)
    yield with_parts(table, desk={"panel": Panel(PanelKind.TABLE)}), replace(LIVE, can_serve=True)
    signing = replace(LIVE, service=Service(), badge="2001", name=FEATHERSTONE.name)
    for live in (
        replace(LIVE, service=Service()),
        replace(signing, typed=8),
        replace(signing, by="2001"),
    ):
        yield table, live
    said = ("felt doctor 2026-11-21 14:07: 10 PASS, 10 FAIL, 10 CANNOT TELL", *3 * (f"CANNOT TELL {'wear ' * 9}wea",))
    levels = {0: False, 1: True, 2: False, 3: True}
    lines = Service(True, False, 6, levels, frozenset({1, 3}), frozenset(), "selftest", "A" * 32, said)
    yield table, replace(LIVE, service=lines)
    yield (
        table,
        replace(
            LIVE,
            service=replace(lines, levels={0: True}, lit=frozenset(range(1, 7)), shuffler="", doctor=()),
        ),
    )
    yield table, replace(LIVE, service=replace(lines, seats=0, levels={}, badge=""))
    for touched in (frozenset[int](), frozenset({1, 6}), frozenset(range(1, CROSSES + 1))):
        yield table, replace(LIVE, service=replace(lines, touching=True, touched=touched))


# Every procedure, played on the screens ----------------------------------------------------------------------------------

Acts = Iterator[tuple[TableState, Live]]
BROUGHT = ("received", "inspected")
WASHED = ("looked", "stacked")


def cards_come(table: Walk, shuffled: tuple[str, ...] = ("shuffled",)) -> Acts:
    yield from table.presses(*BROUGHT)
    yield from table.presses("verify", by=DIAZ)
    yield from table.presses(*WASHED, *shuffled)


def entered(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for card in cards for word in (f"rank {card[0]}", f"suit {card[1]}"))


def opening_and_closing(house: House) -> Acts:
    """A defect, decks verified, nobody plays, the table closed with a wrong count, preinspected decks."""
    table = Walk(house, 0)
    by_hand = ("shuffled-and-cut",) if not house.equipment.machine else ("shuffled",)
    yield from table.presses("received", "defect", "received", "undo", *BROUGHT, "defect", *BROUGHT)
    yield from table.presses("verify", by=DIAZ)
    yield from table.presses("undo")
    yield from table.presses("verify", by=DIAZ)
    yield from table.presses("looked", "undo", "looked", "stacked", "undo", "stacked", *by_hand)
    if "idle" in _problems(table):
        yield from table.presses("problem table", "problem idle", "face-up", "face-up", *WASHED, *by_hand)
    if not house.equipment.machine:
        yield from table.presses("problem table", "problem idle", *WASHED, "shuffled", "undo", "shuffled", "cut")
    yield from table.presses("problem table", "problem close", "undo", "back")
    yield from table.presses("problem table", "problem close", f"emptied {expected(table.state) - 1}")
    yield from table.presses("shut-short", by=DIAZ)
    yield from table.presses("preinspected", *(("cut",) if table.state.phase is Phase.CUT else ()))


def _problems(table: Walk) -> list[str]:
    table.press("problem table")
    keys = [widget.press.removeprefix("problem ") for widget in table.shown().widgets]
    table.press("back")
    return keys


def a_lit_seat(table: Walk, number: int) -> None:
    table.hears(SensorSettled(number, True, table.at))


def locked_and_counted(table: Walk, *seats: int) -> Acts:
    """Nobody is asked for a count where no lamp is lit (653a.8(b))."""
    if table.state.program.progressive:
        for number in seats:
            a_lit_seat(table, number)
    yield from table.presses("no-more-bets", *((f"count {len(seats)}",) if seats else ()))


def prizes_of_a_meter(house: House) -> Acts:
    """A difference, a fixed prize, a share that is rejected and one that is paid, with envy where it is due."""
    table = Walk(house, 0)
    yield from cards_come(table)
    a_lit_seat(table, 2)
    yield from table.presses("no-more-bets", "reopen", "no-more-bets", "count 0", "undo", "count 0", "seat 2")
    yield from table.presses("settle no-chip", "clear", "undo")
    yield from table.presses("clear")
    table.hears(SensorSettled(2, False, table.at))
    yield from locked_and_counted(table, 2, 3, 4, 6)
    yield from table.presses("seat 4", "undo", "seat 4", "hand flush")
    yield from table.presses("approve", by=DIAZ)
    yield from table.presses("paid", "seat 2", "hand royal flush", "rank A", "undo", "cancel")
    yield from table.presses("seat 2", "hand royal flush", *entered(cards_of("royal flush")), "slot 1", "rank J")
    yield from table.presses("suit h", "show")
    yield from table.presses("not-a-winner", by=DIAZ)
    yield from table.presses("seat 2", "hand royal flush", "royal h", "show", "cancel")
    yield from table.presses("seat 2", "hand straight flush", "rank 9", "suit h", "highest", "undo", "cancel")
    yield from table.presses("seat 2", "hand royal flush", *entered(cards_of("royal flush")), "show")
    yield from table.presses("approve", by=DIAZ)
    table.bank_prices()
    yield from table.presses("claim-rejected", by=OKAFOR)
    yield from table.presses("seat 2", "hand royal flush")
    prize = table.state.seat(2).prize
    yield from table.presses(*(() if prize and prize.cards else entered(cards_of("royal flush"))), "show")
    yield from table.presses("approve", by=DIAZ)
    table.bank_prices()
    table.bank_prices(999_999_998)
    yield from table.presses("accept-price", by=DIAZ)
    yield from table.presses("claim-paid", by=OKAFOR)
    if table.state.phase is Phase.ENVY:
        yield from gone_and_back(table, 6)
        same = ("seat 3", "seat 3") if house.submission.adjacent_boxes > 1 else ()
        yield from table.presses(*same)
        yield from table.presses("envy-paid", by=DIAZ)
    yield from table.presses("clear")


def holdem(house: House) -> Acts:
    """Side wagers, every street, a fold, a player who left, the dealer's hand, seats settled, one corrected."""
    table = Walk(house, 0)
    yield from cards_come(table)
    side = "pocket_bonus" if house.game.name == "pa-677a" else "trips"
    yield from table.presses("box 1", "box 3", "box 4", "box 5", "box 5", "stakes", "stakes 1", f"stakes 1 {side}")
    yield from table.presses("chips 500", "no-chips", "chips 2500", "stakes 3", "chips 10000", "no-chips", "back")
    if table.state.program.progressive:
        yield from table.presses("problem table", "problem sensors", "sensor 6", "back", "seat 6", "seat 6")
    if house.submission.adjacent_boxes > 1:
        yield from table.presses("stakes", "stakes 4", "same-player 4", "back")
    lit = (2, 3) if table.state.program.progressive else ()
    yield from locked_and_counted(table, *lit)
    if lit:
        yield from table.presses("recount", "count 1", "seat 2", "seat 2", "recount", "count 2")
        yield from table.presses("seat 2", "settle no-ante")
    if not lit:
        yield from table.presses("reopen", "back", "reopen")
        yield from table.presses("reopen too-early", by=DIAZ)
        yield from table.presses("no-more-bets")
    yield from gone_and_back(table, 1)
    yield from table.presses("problem", "problem boxes")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses("stakes 4", "stakes 5", "no-chips", "chips 500", "box 5", "back")
    yield from table.presses("dealt", "undo", "dealt", "seat 1", "undo", "seat 1")
    if house.game.name == "pa-677a":
        yield from table.presses("raise 1", "no-chips", "chips 500", "back")
    yield from table.presses("next", "undo", "next", "seat 3", "undo", "seat 3")
    yield from table.presses("seat 3", "next")
    yield from gone_and_back(table, 4)
    while table.state.phase is Phase.ASK:
        yield from table.presses("seat 4", "next")
    yield from gone_and_back(table, 1)
    if house.level > 1:
        yield from table.presses("cards", "rank A", "undo", *entered(("Ah",)), "slot 1", "cancel")
    yield from table.presses("dealer no", "undo", "dealer yes")
    yield from gone_and_back(table, 1)
    if lit and house.level == 1:  # a result told of the last one: a lit seat before it is looked at first
        yield from table.presses("seat 1", "look")
    yield from settled(table)
    yield from table.presses("problem", "problem correct", "correct 1")
    yield from table.presses("correct 1 wrong-result", by=DIAZ)
    yield from settled(table)
    yield from table.presses("clear", "undo")


def gone_and_back(table: Walk, seat: int) -> Acts:
    """A floorperson has a player left, and here again."""
    yield from table.presses("problem", "problem left")
    yield from table.presses(f"left {seat}", f"left {seat}", "back", by=DIAZ)


def settled(table: Walk) -> Acts:
    """Every seat in its turn: the middle one of the answers, or those that pay most, then what is due."""
    while table.state.round.turn:
        shown = [widget.press for widget in table.shown().widgets if widget.press and widget.enabled]
        answers = [word for word in shown if word == "look" or word.startswith("answer ")]
        yield from table.presses("look" if "look" in answers else answers[0] if answers else "settled")


def one_result_left(house: House) -> Acts:
    """Level 2: a royal flush on the board, and so nothing is asked of a seat; its cards may be entered all the same."""
    table = Walk(house, 0)
    yield from cards_come(table)
    yield from table.presses("box 1", "box 3", "stakes", "stakes 3", "stakes 3 trips", "chips 500", "back")
    yield from locked_and_counted(table, *((1, 3) if table.state.program.progressive else ()))
    yield from table.presses("dealt", "seat 1", "seat 3")
    while table.state.phase is Phase.ASK:
        yield from table.presses("next")
    yield from table.presses("cards", *entered(["As", "Ks", "Qs", "Js", "Ts", "2h", "2d"]), "enter")
    yield from table.presses("cards", *entered(("3h", "3d")), "enter", "undo")


def void_and_settled(house: House) -> Acts:
    """A dealer's card was exposed: the side wagers are settled, the rest goes back (653a.13(d))."""
    table = Walk(house, 0)
    yield from cards_come(table)
    side = "pocket_bonus" if house.game.name == "pa-677a" else "trips"
    yield from table.presses("box 1", "box 2", "stakes", "stakes 1", f"stakes 1 {side}", "chips 500", "back")
    yield from locked_and_counted(table)
    yield from table.presses("dealt", "problem", "problem dealer-exposed", "back", "problem", "problem dealer-exposed")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses("winners")
    yield from settled(table)
    yield from table.presses("clear")


def another_cut(house: House) -> Acts:
    """The floor orders another cut while bets are open, at the count, and before the deal (653a.5(e))."""
    table = Walk(house, 0)
    yield from cards_come(table, ("shuffled-and-cut",))
    a_lit_seat(table, 2)
    yield from table.presses(*(("box 2",) if house.level else ()))
    for before in ((), ("no-more-bets",), ("count 1",)):
        yield from table.presses(*before, "problem", "problem recut")
        yield from table.presses("apply", by=DIAZ)
        yield from table.presses("recut")


def elected(table: Walk) -> Acts:
    """Lunar's elections are locked in: one of each, and a Super on the dealer's hand."""
    yield from cards_come(table)
    yield from table.presses(*(f"box {number}" for number in (1, 2, 3, 4, 5)), "stakes", "stakes 3")
    yield from table.presses("stakes 3 super:dealer", "chips 2500", "back", "no-more-bets", "dealt")
    for number, election in ((1, "instant"), (2, "fold"), (3, "exchange 5"), (4, "buy"), (5, "bet")):
        yield from table.presses(f"seat {number}", f"choose {election}")
    yield from gone_and_back(table, 5)
    yield from table.presses("next", "undo", "next")


def lunar_poker_by_cards(house: House) -> Acts:
    """The cards of an instant payout, of a declared Super and of the dealer say the rows (671a.11(b), (c))."""
    table = Walk(house, 0)
    yield from elected(table)
    royal = entered(cards_of("royal flush"))
    yield from table.presses("seat 1", "cards", *royal, "undo", royal[-1], "enter")
    yield from table.presses("seat 3", "cards", *entered(("Kd", "Jd", "9d", "5d", "2d")), "enter")
    yield from table.presses("supers-settled")
    yield from gone_and_back(table, 4)
    yield from table.presses("bets", "folds")
    yield from table.presses("cards", *entered(("Ac", "Kc", "7s", "5s", "3s")), "enter")
    yield from settled(table)
    yield from table.presses("clear")


def lunar_poker(house: House) -> Acts:
    """Elections, Supers, draws, a Super on the dealer's hand (671a.11)."""
    table = Walk(house, 0)
    yield from elected(table)
    yield from table.presses("seat 1", "row royal flush", "seat 3", "row flush", "row flush", "row flush")
    yield from table.presses(
        "problem", "problem left", "back", "supers-settled", "problem", "problem correct", "correct 3"
    )
    yield from table.presses("correct 3 wrong-amount", by=DIAZ)
    yield from table.presses("row flush", "supers-settled", "bets", "undo", "bets", "folds")
    yield from table.presses("problem", "problem correct", "correct 1")
    yield from table.presses("correct 1 wrong-result", by=DIAZ)
    yield from table.presses("row royal flush", "supers-settled", "problem", "problem wrong-number", "back")
    yield from table.presses("dealer-row none", "dealer-row flush", "dealer yes")
    yield from settled(table)
    yield from table.presses("clear")


def an_instant_payout_that_is_none(house: House) -> Acts:
    """It is withdrawn before it is paid, once it was paid, and when the dealer's cards are seen (671a.11(b), (c)(3))."""
    table = Walk(house, 0)
    yield from cards_come(table)
    yield from table.presses(*(f"box {number}" for number in (1, 2, 3, 4, 5)), "no-more-bets", "dealt")
    for number in (1, 2, 3, 4, 5):
        yield from table.presses(f"seat {number}", "choose instant")
    yield from table.presses("next")
    yield from withdrawn(table, 1, "choose bet", "next")
    yield from withdrawn(table, 2, "choose buy", "next")
    for number, row in ((3, "straight"), (4, "royal"), (5, "straight")):
        yield from table.presses(f"seat {number}", f"row {row} flush")
    yield from table.presses("supers-settled", "problem", "problem correct", "correct 3")
    yield from table.presses("correct 3 wrong-result", by=DIAZ)
    yield from withdrawn(table, 3, "choose exchange 5", "next", "supers-settled", "bets", "bets", "dealer yes")
    yield from table.presses("problem", "problem correct-declared")
    yield from table.presses("apply", by=DIAZ)
    yield from withdrawn(table, 4, "supers-settled")


def withdrawn(table: Walk, seat: int, *then: str) -> Acts:
    """A floorperson finds that this seat has no instant payout."""
    yield from table.presses("problem", f"problem not-instant-{seat}")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses(*then)


def six_rounds(house: House) -> Acts:
    """After five rounds the stub is counted (653a.8(f), 671a.11(h))."""
    table = Walk(house, 0)
    yield from rounds(table, 5)


def a_void_fifth_round(house: House) -> Acts:
    """It is counted after a void round as well (653a.8(f))."""
    table = Walk(house, 0)
    yield from rounds(table, 4)
    yield from locked_and_counted(table, 2)
    yield from table.presses("problem", "problem wrong-number")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses("stub-right", "clear")


def rounds(table: Walk, number: int) -> Acts:
    """So many rounds of a table where hands shuffle, from a shut one on."""
    house = table.house
    yield from cards_come(table, ("shuffled-and-cut",))
    for _ in range(number):
        yield from table.presses(*(("box 1",) if house.level and not table.state.players else ()))
        yield from locked_and_counted(table)
        if house.level:
            yield from table.presses("dealt", "next")
            if table.state.program.book == "pa-671a":
                yield from table.presses("supers-settled")
            while table.state.phase is Phase.ASK:
                yield from table.presses("next")
            yield from stub_counted(table)
            yield from table.presses("dealer yes")
            yield from settled(table)
        yield from stub_counted(table)
        yield from table.presses("clear", "shuffled-and-cut")


def the_machine_stops(house: House) -> Acts:
    """It jams while cards are dealt: nothing but the void round is left (653a.13(f)). It is the fifth round."""
    table = Walk(house, 0)
    yield from cards_come(table)
    for number in range(1, 6):
        yield from table.presses(*(() if table.state.players else ("box 1",)), "no-more-bets", "dealt")
        if number < 5:
            yield from table.presses("next", "next", "next", "dealer yes")
            yield from settled(table)
            yield from table.presses("clear")
    table.hears(ShufflerSeen(True, "felt-1", "fault", None, "blue", "jam", 1))
    yield from table.presses("problem shoe-fault")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses("clear")


def stub_counted(table: Walk) -> Acts:
    if any(widget.press == "stub-right" for widget in table.shown().widgets):
        yield from table.presses("stub-right")


def five_card_hand(house: House) -> Acts:
    """Accounts, buttons, a credit, a credit taken back, Magic Card (653a.11(l))."""
    table = Walk(house, 0, drawn=Chance("Ah", 2, True, True))
    yield from cards_come(table)
    yield from table.presses("account 1", "account 2", "chips 10000", "cash-out", "chips 2500", "back")
    for hand in ("own", "dealer"):
        table.hears(ButtonPushed(2, hand, table.at))
    a_lit_seat(table, 2)
    yield from table.presses(*(("box 2",) if house.level else ()), "no-more-bets", "count 1")
    if house.level:
        yield from table.presses("dealt", "seat 2", "next", "dealer yes")
        yield from settled_questions(table)
    else:
        yield from table.presses("seat 2")
    offered = {widget.press for widget in table.shown().widgets}
    assert {"hand flush", "five own flush", "five dealer flush", "five own magic", "five dealer magic"} <= offered
    yield from table.presses("five dealer flush")
    if table.state.round.turn == 0:
        yield from table.presses("seat 2")
    yield from table.presses("five own magic")


def bets_stay_closed(house: House) -> Acts:
    """The shuffler is in sort mode after a round: accounts, sensors and UNDO are still there."""
    table = Walk(house, 0)
    yield from cards_come(table)
    yield from table.presses("account 1", "account 3", "chips 2500", "back", "no-more-bets", "problem", "problem left")
    yield from table.presses("back")
    table.hears(ShufflerSeen(True, "felt-1", "sort", 52, "blue", "", 0))
    yield from table.presses(
        "clear",
        "undo",
        "clear",
        "account 1",
        "account 3",
        "chips 500",
        "cash-out",
        "back",
        "problem table",
        "problem sensors",
    )
    yield from table.presses("sensor 2", "back", "problem", "problem remove-1")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses("fetch", *BROUGHT)


def credit_taken_back(house: House) -> Acts:
    """Four of a kind is verified first; a full house on the dealer's hand is credited at once (653a.11(l)(2), (3))."""
    table = Walk(house, 0)
    yield from cards_come(table)
    yield from table.presses("account 1", "account 2", "chips 10000", "back")
    for hand in ("own", "dealer"):
        table.hears(ButtonPushed(2, hand, table.at))
    yield from table.presses("no-more-bets", "count 0", "seat 2", "five own four of a kind")
    yield from table.presses("approve", by=DIAZ)
    yield from table.presses("paid", "seat 2", "five dealer full house")
    yield from table.presses("problem", "problem correct")
    yield from table.presses("uncredit", by=DIAZ)


def a_deck_goes(house: House) -> Acts:
    """The machine counted 51: that deck is removed, another is brought (653a.5(b))."""
    table = Walk(house, 0)
    table.hears(ShufflerSeen(True, "felt-1", "ready", 51, "blue", "", 0))
    yield from cards_come(table, ())
    yield from table.presses("problem", "problem remove-1")
    yield from table.presses("apply", by=DIAZ)
    yield from table.presses(*BROUGHT)


def settled_questions(table: Walk) -> Acts:
    while answers := [widget.press for widget in table.shown().widgets if widget.press.startswith("answer ")]:
        yield from table.presses(answers[0])


AT_LEVEL_1 = [HOUSES[name] for name in ("pa-653a 1", "pa-653a 2", "md-36.05.16 1", "pa-677a 1", "pa-677a 2")]


def played() -> Iterator[Shown]:
    """Every procedure of every book, key by key."""
    for name in ("pa-653a 0", "md-36.05.16 by hand", "pa-671a 1", "pa-677a automated", "two decks"):
        yield from ((HOUSES[name], *one) for one in opening_and_closing(HOUSES[name]))
    for name in ("pa-653a 0", "md-36.05.16 0"):
        yield from ((HOUSES[name], *one) for one in prizes_of_a_meter(HOUSES[name]))
    for house in AT_LEVEL_1:
        yield from ((house, *one) for one in holdem(house))
        yield from ((house, *one) for one in void_and_settled(house))
    for name in ("pa-653a by hand", "md-36.05.16 by hand"):
        yield from ((HOUSES[name], *one) for one in another_cut(HOUSES[name]))
        yield from ((HOUSES[name], *one) for one in six_rounds(HOUSES[name]))
    yield from ((HOUSES["pa-653a by hand"], *one) for one in a_void_fifth_round(HOUSES["pa-653a by hand"]))
    yield from ((HOUSES["pa-677a automated"], *one) for one in the_machine_stops(HOUSES["pa-677a automated"]))
    yield from ((HOUSES["pa-671a 1"], *one) for one in lunar_poker(HOUSES["pa-671a 1"]))
    yield from ((HOUSES["pa-671a 1"], *one) for one in an_instant_payout_that_is_none(HOUSES["pa-671a 1"]))
    yield from ((HOUSES["pa-671a 2"], *one) for one in lunar_poker_by_cards(HOUSES["pa-671a 2"]))
    yield from ((HOUSES["pa-671a by hand"], *one) for one in six_rounds(HOUSES["pa-671a by hand"]))
    yield from ((HOUSES["five card 0"], *one) for one in bets_stay_closed(HOUSES["five card 0"]))
    yield from ((HOUSES["five card 0"], *one) for one in credit_taken_back(HOUSES["five card 0"]))
    yield from ((HOUSES["two decks"], *one) for one in a_deck_goes(HOUSES["two decks"]))
    for name in ("pa-653a 2", "md-36.05.16 2"):
        yield from ((HOUSES[name], *one) for one in one_result_left(HOUSES[name]))
    for name in ("five card 0", "five card 1"):
        yield from ((HOUSES[name], *one) for one in five_card_hand(HOUSES[name]))


STEPS = 150
"""Of a walk at random through each house."""


FRAME = frame_of(SEVEN_INCH)


@lru_cache
def shown(name: str, frame: Frame = FRAME) -> tuple[Screen, ...]:
    """Different screens of a house, of the longest words, of what two people void, or ("played") of every procedure."""
    found: dict[tuple[object, ...], Screen] = {}
    for house, state, live in states(name):
        one = screen(house, state, live, frame)
        found[one.name, one.widgets] = one
    return tuple(found.values())


@lru_cache
def states(name: str) -> tuple[Shown, ...]:
    """What is shown of a house, of the longest words, or ("played") of every procedure."""
    if name == "played":
        return tuple(played())
    if name == "longest":
        houses = [HOUSES["pa-653a 0"], *(HOUSES[f"paytable {table}"] for table in "BCD")]
        with_a_long_name = [replace(house, people={"2001": FEATHERSTONE}) for house in houses]
        return tuple((house, *one) for house in with_a_long_name for one in longest(house))
    if name == "void by two":
        return tuple((HOUSES["pa-653a 0"], *one) for one in voided_by_two(HOUSES["pa-653a 0"]))
    return tuple((HOUSES[name], *one) for one in Walk(HOUSES[name], len(name)).goes(STEPS))


FEW = [name for name in HOUSES if name.endswith((" 1", "by hand", "paytable D"))]
"""Every book at a level; where somebody plays at random in each of them, no other kind of screen is met."""
EVERYWHERE = pytest.mark.parametrize("name", ["played", "longest", "void by two", *some(HOUSES, keep=FEW)])
ON_EVERY_PANEL = pytest.mark.parametrize(
    "panel",
    [pytest.param(name, marks=[] if panel is SEVEN_INCH else [pytest.mark.slow]) for name, panel in PANELS.items()],
)
"""The first panel in every run, the others where the slow tests run."""


def display(panel: str) -> Display:
    return Display(PANELS[panel], "test")


@ON_EVERY_PANEL
@EVERYWHERE
def test_nothing_is_cut_off_and_every_sign_can_be_drawn(name: str, panel: str) -> None:
    glass = display(panel)
    for one in shown(name, frame_of(PANELS[panel])):
        assert glass.overflows(one) == [], one
        said = "".join(line.text for widget in one.widgets for line in widget.lines)
        assert glass.undrawable(said) == "", one


@ON_EVERY_PANEL
@EVERYWHERE
def test_every_widget_is_on_the_panel_and_none_lies_on_another(name: str, panel: str) -> None:
    frame = frame_of(PANELS[panel])
    right, foot = frame.panel.width_mm - MARGIN, frame.panel.height_mm - MARGIN
    for one in shown(name, frame):
        for widget in one.widgets:
            assert widget.x >= MARGIN and widget.y >= 0, widget
            assert widget.x + widget.w <= right + 0.01 and widget.y + widget.h <= foot + 0.01, widget
        for a, b in itertools.combinations(one.widgets, 2):
            apart = max(b.x - a.x - a.w, a.x - b.x - b.w, b.y - a.y - a.h, a.y - b.y - b.h)
            keys = bool(a.press and b.press)
            assert apart >= (0.4 if keys else -0.001), f"{one.name}: {a.id} and {b.id}"


@ON_EVERY_PANEL
@EVERYWHERE
def test_keys_are_large_enough_for_a_finger_and_money_keys_for_a_hurried_one(name: str, panel: str) -> None:
    for one in shown(name, frame_of(PANELS[panel])):
        for widget in one.widgets:
            if widget.press:
                assert min(widget.w, widget.h) >= KEY_MM, (one.name, widget)
        primary = [widget for widget in one.widgets if widget.id == "primary"]
        assert len(primary) == 1, one.name
        assert primary[0].w >= 20 and primary[0].h >= 14
        ids = [widget.id for widget in one.widgets]
        assert len(ids) == len(set(ids)), one.name


@pytest.mark.parametrize("name", ["played", "longest"])
@pytest.mark.slow
def test_every_key_to_be_held_says_so_in_its_last_line_where_let_go_takes_nothing_else_away(name: str) -> None:
    held = [widget for one in shown(name) for widget in one.widgets if widget.hold_ms]
    assert [widget for widget in held if widget.lines[-1].text != ENGLISH(say("key.hold"))] == []
    assert name != "played" or "uncredit" in {widget.id for widget in held}


@pytest.mark.parametrize("panel", some(PANELS, keep=["800x480"]))
def test_hands_stand_the_best_first_and_none_is_the_last_and_has_one_name(panel: str) -> None:
    """From left to right and down: wherever a hand is named, it lies where the dealer looks for it."""
    asked = 0
    for one in shown("played", frame_of(PANELS[panel])):
        for group in {widget.group for widget in one.widgets if widget.group}:
            keys = [widget for widget in one.widgets if widget.group == group and widget.press]
            hands = [_hand_of(widget) for widget in sorted(keys, key=lambda widget: (widget.y, widget.x))]
            ranked = [RANKED.index(hand) for hand in hands if hand in RANKED]
            order = [place for place in ranked if hands.count(RANKED[place]) == 1]
            assert order == sorted(order, reverse=True), (one.name, hands)
            if ranked and "none" in hands:
                asked += 1
                assert hands[-1] == "none", (one.name, hands)
        nones = {key.lines[0].text for key in one.widgets if key.press.endswith(" none") and key.id != "primary"}
        assert nones <= {ENGLISH(say("answer.none"))}, one.name
    assert asked


def _hand_of(key: Widget) -> str:
    """The hand that a key names, "none", or what else it says."""
    said = key.press.partition(" ")[2]
    found = [str(hand) for hand in RANKED if said == hand or said.endswith(f" {hand}")]
    return max(found, key=len, default=said)


@ON_EVERY_PANEL
@EVERYWHERE
def test_floor_problem_undo_and_the_way_back_are_always_in_the_same_place(name: str, panel: str) -> None:
    frame = frame_of(PANELS[panel])
    always = {"floor": frame.floor, "problem": frame.problem, "undo": frame.undo}
    for one in shown(name, frame):
        there = {widget.id: Area(widget.x, widget.y, widget.w, widget.h) for widget in one.widgets}
        assert {key: there.get(key) for key in always} == always, one.name
        assert there.get("back", frame.back) == frame.back
        assert there["primary"] == (frame.next_beside_back if "back" in there else frame.next)


def test_every_phase_has_a_screen_and_every_screen_a_title() -> None:
    assert set(BODIES) == set(TITLES)
    assert {str(phase) for phase in Phase if phase is not Phase.SETTLE} <= set(BODIES)
    assert {"settle", "winners"} <= set(BODIES)


@pytest.mark.slow
def test_every_kind_of_screen_is_among_the_cases() -> None:
    assert {one.name for name in ("played", "longest") for one in shown(name)} == set(BODIES)


@pytest.mark.slow
def test_whatever_a_key_may_say_in_a_phase_some_screen_offers_there() -> None:
    offered = {
        (state.phase, widget.press.split(" ")[0])
        for house, state, live in (*states("played"), *states("longest"))
        for widget in screen(house, state, live, FRAME).widgets
        if widget.press
    }
    known = {(phase, verb) for phase, verbs in KEYS.items() for verb in verbs}
    assert known <= offered


def test_a_table_without_a_progressive_never_speaks_of_meters_links_or_sensors() -> None:
    for name in ("pa-671a 0", "pa-671a 1", "pa-677a 2"):
        for one in shown(name):
            said = " ".join(line.text.lower() for widget in one.widgets for line in widget.lines)
            assert not [word for word in ("meter", "link", "sensor", "lamp") if word in said], said


def test_a_touch_meant_for_the_last_seat_does_not_count_for_the_next() -> None:
    """Seat by seat the keys lie in the same place, so every step of settling is another screen to the touch guard."""
    house = HOUSES["pa-653a 1"]
    keys = [screen_key(state) for state, _ in holdem(house) if state.phase is Phase.SETTLE]
    changes = [key for key, _ in itertools.groupby(keys)]
    assert len(changes) > 8


def test_two_taps_a_card_are_one_screen_to_the_touch_guard() -> None:
    """Nobody waits 350 ms between rank and suit."""
    house = HOUSES["pa-653a 0"]
    keys = {screen_key(state) for state, _ in prizes_of_a_meter(house) if state.phase is Phase.CARDS}
    assert len(keys) == 1 and len(RANKS) == 13


def test_two_screens_that_differ_only_by_color_do_not_exist() -> None:
    """A seat's four lamp states are told apart by shape and word as well (8 % of men are color-blind)."""
    one = screen(HOUSES["pa-653a 0"], replace(TABLE, phase=Phase.OPEN), LIVE, FRAME)
    tiles = [widget for widget in one.widgets if widget.id.startswith("seat-")][:4]
    assert len({widget.shape for widget in tiles}) == 4
    assert len({widget.lines[1].text for widget in tiles}) == 4


@pytest.mark.parametrize(
    ("amount", "chips"),
    [
        (20_000, "2 × $100"),
        (4_500, "1 × $25 + 4 × $5"),
        (900, "1 × $5 + 4 × $1"),
        (150, "1 × $1 + 1 × 50¢"),
        (0, "nothing"),
    ],
)
def test_the_fewest_chips_make_an_amount(amount: int, chips: str) -> None:
    assert ENGLISH(recipe(Cents(amount), LIVE.denominations)) == chips


def test_money_is_shown_with_its_thousands() -> None:
    assert money(LONGEST) == "$9,999,999.99"
