"""A script is read strictly: every form of the contract becomes a value, and what is malformed says what would be right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.script import Malformed, read_script
from firmware.rules.money import Cents, Micros


def said(line: str) -> object:
    return read_script(f"open\n{line}\n".encode(), "x").lines[-1].says


GOOD: dict[str, object] = {
    "chip 3": s.Chip(3, lies=True),
    "lift 3": s.Chip(3, lies=False),
    "button 2 dealer": s.Button(2, "dealer"),
    "lockout cut": s.Lockout("cut"),
    "next-key": s.NextKey(),
    "sensors gone": s.Device("sensors", there=False),
    "badge-reader back": s.Device("badge-reader", there=True),
    "link up": s.Device("link", there=True),
    "shuffler gone": s.Device("shuffler", there=False),
    "shuffler auto": s.ShufflerAuto(),
    "shuffler mode=fault fault=jam alarm=yes": s.ShufflerSays(mode="fault", fault="jam", alarm=True),
    "shuffler count=51 deck=unknown": s.ShufflerSays(count=51, deck=""),
    "shuffler count=unknown fault=none": s.ShufflerSays(uncounted=True, fault=""),
    "badge 2001 4826": s.Badge("2001", "4826"),
    "badge none": s.Badge(),
    "press count 3": s.Press("count 3"),
    "hold approve": s.Press("approve", "hold"),
    "force seat 9": s.Press("seat 9", "force"),
    "go on": s.GoOn(),
    "go on to flop": s.GoOn("flop"),
    "tell 3 in": s.TellIn(3),
    "tell 3 in ante 30.00 super:4 15.00": s.TellIn(3, (("ante", Cents(3000)), ("super:4", Cents(1500)))),
    "tell 3 out": s.TellOut(3),
    "tell 3 same-player 4": s.TellSamePlayer(3, 4),
    "tell 3 check": s.TellChoice(3, "check"),
    "tell 3 play 4": s.TellChoice(3, "play", 4),
    "tell 3 raise 22.50": s.TellChoice(3, "raise", 2250),
    "tell 3 bet": s.TellChoice(3, "bet"),
    "tell 3 exchange 2": s.TellChoice(3, "exchange", 2),
    "tell 3 left": s.TellLeft(3),
    "tell dealer does-not-qualify": s.TellDealer(qualifies=False),
    "tell 3 tie": s.TellResult(3, "tie"),
    "tell 5 progressive royal flush": s.TellRow(5, "progressive", "royal flush"),
    "tell 2 bet pair": s.TellRow(2, "bet", "pair"),
    "tell 2 bet:second none": s.TellRow(2, "bet:second", "none"),
    "tell 4 super:dealer straight": s.TellRow(4, "super:dealer", "straight"),
    "tell 3 super undeclared": s.TellRow(3, "super", "undeclared"),
    "tell 2 pocket_bonus ace and king, queen or jack, same suit": s.TellRow(
        2, "pocket_bonus", "ace and king, queen or jack, same suit"
    ),
    "cards board Ah Kh Qh 2c 9d": s.EnterCards("board", ("Ah", "Kh", "Qh", "2c", "9d")),
    "cards 3 Ah Kh": s.EnterCards("3", ("Ah", "Kh")),
    "draw magic Qh": s.Draw(magic="Qh"),
    "draw lucky dealer": s.Draw(lucky=0),
    "draw none": s.Draw(),
    "wait 8h": s.Wait(8 * 3_600_000_000_000),
    "power  # and back": s.Power(),
    "table t2": s.OnTable("t2"),
    "expect phase river": s.PhaseIs("river"),
    'expect text "PAY  $50"': s.TextShown("PAY  $50"),
    'expect no text "no"': s.TextShown("no", there=False),
    "expect key count 3": s.KeyOffered("count 3"),
    "expect no key undo": s.KeyOffered("undo", there=False),
    "expect refused": s.WasRefused(),
    "expect lamp 3 late": s.LampIs(3, "late"),
    "expect lock locked": s.LockIs(locked=True),
    "expect payment 2 envy win 0.00 300.00 for 5": s.PaymentMade(
        2, "envy", "win", Cents(0), Cents(30000), False, 5, ""
    ),
    "expect payment 2 blind win 15.00 5.00 limited cite 653a.12(f)": s.PaymentMade(
        2, "blind", "win", Cents(1500), Cents(500), True, None, "653a.12(f)"
    ),
    "expect no payment 3 envy": s.NoPayment(3, "envy"),
    "expect order 3 ante, 2 ante": s.InOrder(((3, "ante"), (2, "ante"))),
    "expect void 653a.13(c)": s.VoidBy("653a.13(c)"),
    "expect not void": s.VoidBy(None),
    "expect deck 1 removed": s.DeckIs(1, playable=False),
    "expect meter main 10000.21": s.MeterStands("main", Cents(1_000_021)),
    "expect pending main 0.00": s.MeterStands("main", Cents(0), pending=True),
    "expect alarm hash": s.AlarmIs("hash"),
    "expect no alarm": s.AlarmIs(),
    "expect taps 15": s.TapsAre(15),
}


@pytest.mark.parametrize("line", GOOD)
def test_every_form_is_read(line: str) -> None:
    assert said(line) == GOOD[line]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("given rules.blind.paytable B", s.Given("", ("rules", "blind", "paytable"), "B")),
        ("given t2 rules.table_minimum 10.00", s.Given("t2", ("rules", "table_minimum"), "10.00")),
        ("given rules.trips absent", s.Given("", ("rules", "trips"), "absent")),
        ("given meter main 123.456789", s.GivenMeter("", "main", Micros(123_456_789))),
        ("given table.decks 2", s.Given("", ("table", "decks"), "2")),
    ],
)
def test_what_is_given_is_read(line: str, read: object) -> None:
    assert read_script(line.encode(), "x").lines[0].says == read


def test_a_step_may_start_so_long_after_the_start_of_the_one_before() -> None:
    assert read_script(b"chip 1\n+15ms chip 2", "x").lines[1].after_ns == 15_000_000


MALFORMED: dict[str, str] = {
    "chipp 3": "chip, lift",
    "chip": "chip SEAT",
    "chip 0": "from 1",
    "chip three": "whole number",
    "chip 3 4": "chip SEAT",
    "button 3": "own",
    "lockout up": "on, off, cut",
    "next-key now": "alone",
    "sensors lost": "gone, back",
    "shuffler": "KEY=VALUE",
    "shuffler mode=broken": "selftest",
    "shuffler mode=off mode=ready": "once",
    "shuffler count=-1": "0 to 104",
    "badge 2001": "badge NUMBER PIN",
    "badge 2001 abcd": "digits",
    "press": "press WORD",
    "go to flop": "go on to PHASE",
    "go on to turn": "preflop",
    "tell 3": "same-player",
    "tell 3 in ante": "its amount",
    "tell 3 in ante 15": "15.00",
    "tell 3 in ante 15.00 ante 30.00": "twice",
    "tell 3 in rainbow 5.00": "trips",
    "tell 3 play": "play N",
    "tell 3 play x": "whole number",
    "tell 3 win big": "tell SEAT win",
    "tell 3 trips flsh": "flush",
    "tell dealer maybe": "qualifies",
    "cards 3": "CARD",
    "cards 3 1h": "Ah",
    "cards 3 Ah Ah": "twice",
    "draw magic queen": "Ah",
    "draw unlucky 3": "magic, lucky",
    "wait": "DURATION",
    "wait 5": "15ms",
    "wait 99999h": "a year",
    "open now": "alone",
    "+5 chip 3": "15ms",
    "+5ms expect phase open": "takes no time",
    "+5ms": "takes no time",
    "given rules.trips absent": "before the first step",
    "expect": "phase, text",
    "expect nothing": "phase, text",
    "expect phase nowhere": "open",
    "expect text PAY MORE": "quotation marks",
    'expect text "PAY': "quotation",
    "expect lamp 3 on": "dark, lit",
    "expect payment 3 ante win 15.00": "PAYOUT",
    "expect payment 3 ante won 15.00 15.00": "win, lose",
    "expect payment 3 ante win 15.00 15.00 for": "for SEAT",
    "expect order 3 ante": "two or more",
    "expect not open": "expect not void",
    "expect deck 1 there": "playable, removed",
    "expect meter main 10": "15.00",
    "expect no payment 3": "SEAT WAGER",
    "expect no money": "text, key",
}


@pytest.mark.parametrize("line", MALFORMED)
def test_what_is_malformed_says_what_would_be_right(line: str) -> None:
    with pytest.raises(Malformed) as wrong:
        said(line)
    assert wrong.value.line == 2
    assert MALFORMED[line] in wrong.value.text


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"open\n\xff\n", 2), (b"expect refused\n", 1), (b"+5ms open\n", 1), (b"given rules.blind B C D\n", 1)],
)
def test_a_script_that_is_no_script(content: bytes, line: int) -> None:
    with pytest.raises(Malformed) as wrong:
        read_script(content, "x")
    assert wrong.value.line == line


def test_a_script_that_is_too_long_is_not_read() -> None:
    with pytest.raises(Malformed, match="longer"):
        read_script(b"#" * (1 << 21), "x")


WORDS = sorted({word for line in (*GOOD, *MALFORMED) for word in line.split()})


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=7), max_size=5))
def test_any_words_are_read_or_refused(lines: list[list[str]]) -> None:
    try:
        read_script("\n".join(map(" ".join, lines)).encode(), "x")
    except Malformed as wrong:
        assert wrong.text and 1 <= wrong.line <= len(lines)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read_script(content, "x")
    except Malformed as wrong:
        assert wrong.text
