"""What people read of a meter comes from bank.toml, for sign and dealers alike; a wrong order of ranks is said."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
import pytest

from firmware.config import MeterConfig
from firmware.table.wire import decode_meters
from firmware.wire.payload import canonical
from tests.runtime.world import BankWorld

METERS = "felt/felt/meters"


def renamed(bank: BankWorld, *meters: MeterConfig) -> dict[str, Any]:
    """The board of a new bank with a Five Card Hand and these sections `[[meters]]`."""
    rules = dict(bank.config.rules) | {"five_card_hand": {"wager": "5.00"}}  # type: ignore[arg-type]
    bank.config = msgspec.structs.replace(bank.config, rules=rules, meters=meters)
    bank.folder = bank.folder / "another"
    bank.folder.mkdir()
    bank.starts()
    return bank.link.last(METERS)


MAIN, FIVE_CARD = MeterConfig("main", "Jackpot", 1), MeterConfig("five_card", "Five Card Jackpot", 2)


def test_the_dealers_screen_and_the_sign_read_the_same_names(bank: BankWorld) -> None:
    board = renamed(bank, FIVE_CARD, MAIN)
    assert [meter["display_name"] for meter in board["meters"]] == ["Jackpot", "Five Card Jackpot"]
    assert decode_meters(canonical(board)) == (
        ("main", "Jackpot", "10000.00"),
        ("five_card", "Five Card Jackpot", "50000.00"),
    )


def test_without_a_section_a_meter_has_its_own_name(bank: BankWorld) -> None:
    assert [meter["display_name"] for meter in renamed(bank)["meters"]] == ["main", "five card"]


def test_a_bank_warns_once_where_the_lower_rank_holds_more(bank: BankWorld, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "felt.bank"):
        renamed(bank, MAIN, FIVE_CARD)
        bank.link.drops()
        bank.link.connects()
        bank.turns()
    said = [said for record in caplog.records if (said := record.getMessage()).startswith("[[meters]]")]
    assert said == ["[[meters]]: Five Card Jackpot holds more than Jackpot, which ranks above it"]


def test_it_does_not_warn_where_ranks_follow_the_amounts(bank: BankWorld, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "felt.bank"):
        board = renamed(bank, MeterConfig("five_card", "Five Card", 1), MeterConfig("main", "Jackpot", 2))
    assert [meter["name"] for meter in board["meters"]] == ["five_card", "main"]
    assert caplog.records == []
