"""What table and bank play is compared at the first heart that beats: before a lamp is lit, and both values are named."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from firmware.rules.money import Cents
from firmware.rules.submission import parse_submission
from firmware.wire.anchors import Anchor
from firmware.wire.from_table import Presence
from firmware.wire.offers import Difference, MeterOffered, Offer, WagerOffered, differences, offer_of
from firmware.wire.payload import write
from firmware.wire.structs import replace
from hal.ports import Lamp
from tests.runtime.world import BankWorld, Clock, TableWorld
from tests.table.table import house_of

DOLLAR = WagerOffered("progressive", Cents(100), "A")
OURS = Offer("0.1.0", "pa-653a", (DOLLAR,), (MeterOffered("main", Cents(1_000_000), 210_000),))
PROGRESSIVE = {"name": "progressive", "wager": "1.00", "paytable": "A"}
OTHERS: dict[str, tuple[Offer, Difference]] = {
    "book": (replace(OURS, book="md-36.05.16"), Difference("book", "pa-653a", "md-36.05.16")),
    "wagers": (
        replace(OURS, wagers=(DOLLAR, replace(DOLLAR, name="five_card_player"))),
        Difference("wagers", "progressive", "progressive, five card player"),
    ),
    "wager": (
        replace(OURS, wagers=(replace(DOLLAR, wager=Cents(500)),)),
        Difference("wager", "1.00", "5.00", "progressive"),
    ),
    "paytable": (
        replace(OURS, wagers=(replace(DOLLAR, paytable="B"),)),
        Difference("paytable", "A", "B", "progressive"),
    ),
    "meters": (replace(OURS, meters=(replace(OURS.meters[0], name="mega"),)), Difference("meters", "main", "mega")),
    "program": (replace(OURS, program="0.2.0"), Difference("program", "0.1.0", "0.2.0")),
    "seed": (
        replace(OURS, meters=(replace(OURS.meters[0], seed=Cents(2_000_000)),)),
        Difference("seed", "10000.00", "20000.00", "main"),
    ),
    "rate": (
        replace(OURS, meters=(replace(OURS.meters[0], feeds=210_001),)),
        Difference("rate", "0.21", "0.210001", "main"),
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_two_offers_differ_in_what_they_differ(what: str) -> None:
    other, found = OTHERS[what]
    assert list(differences(OURS, other)) == [found]


def test_an_offer_is_what_a_submission_says() -> None:
    assert offer_of(house_of("A", "1.00").submission, "0.1.0") == OURS
    without = {"book": "pa-671a", "table_minimum": "15.00", "instant": {"paytable": "A"}}
    assert offer_of(parse_submission(without), "0.1.0") is None, "no meter, no bank"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"wagers": [PROGRESSIVE | {"wager": "5.00"}]}, ("$5.00", "$1.00")),
        ({"wagers": [PROGRESSIVE | {"paytable": "D"}]}, ("paytable D at the bank", "A at this table")),
        ({"book": "md-36.05.16"}, ("md-36.05.16", "pa-653a")),
        ({"program": "0.0.9"}, ("Felt 0.0.9", "Felt test")),
        ({"meters": [{"name": "main", "seed": "20000.00", "feeds": 210_000}]}, ("$20000.00", "$10000.00")),
    ],
    ids=str,
)
def test_a_bank_that_plays_otherwise_lights_no_lamp_and_both_values_stand_on_the_glass(
    table: TableWorld, changes: dict[str, Any], named: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    table.opens()
    table.beats(offer=table.offer | changes)
    table.turns()
    table.places(2)
    assert not table.state.neighbors.link_up and table.sensors.lamps[2] is not Lamp.LIT
    assert all(value in table.text for value in named), table.text
    assert all(value in caplog.text for value in named), "and in the log"
    table.beats()
    table.turns()
    table.sensors.moves(2, False)
    table.turns(1_100)
    table.places(2)
    assert table.sensors.lamps[2] is Lamp.LIT, "the bank plays the same: nobody had to sign"


def test_a_bank_that_does_not_say_what_it_plays_lights_no_lamp(table: TableWorld) -> None:
    table.opens()
    table.link.deliver(
        "felt/felt/alive", json.dumps({one: said for one, said in table.heart.items() if one != "offer"}).encode()
    )
    table.turns()
    assert not table.state.neighbors.link_up and "does not say which rules it has" in table.text


def test_what_was_lit_before_stands_when_the_bank_plays_otherwise(table: TableWorld) -> None:
    table.opens()
    table.places(2)
    table.beats(offer=table.offer | {"wagers": [PROGRESSIVE | {"wager": "5.00"}]})
    table.turns()
    assert table.sensors.lamps[2] is Lamp.LIT and table.sensors.locked


def test_the_bank_logs_a_table_that_plays_otherwise_once_and_when_it_plays_the_same_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    bank = BankWorld(tmp_path, Clock())
    offer = bank.service._offer
    assert offer is not None

    def says(offer: Offer) -> None:
        said = Presence("uth-04", True, "2026-11-21T14:07:05.123Z", "a" * 32, Anchor(1, "b" * 64), offer=offer)
        bank.link.deliver("felt/felt/table/uth-04/alive", write(said))
        bank.turns()

    for _ in range(3):
        says(replace(offer, wagers=(replace(offer.wagers[0], wager=Cents(500)),)))
    assert caplog.text.count("uth-04: wager of progressive: the table has 5.00, the bank 1.00") == 1
    says(offer)
    assert "uth-04: plays what the bank plays again" in caplog.text
