"""What a stray or forged message does to an honest table, and how it is cured while the bank runs."""

from __future__ import annotations

from firmware.runtime.bank import REPEAT_NS
from tests.runtime.world import MS, BankWorld

DOWN, BOARD = "felt/felt/table/uth-04/down", "felt/felt/meters"


def test_the_bank_says_its_board_and_what_it_holds_again_once_a_minute(bank: BankWorld) -> None:
    """Whatever took their place at the broker goes, though no table speaks."""
    said = len(bank.link.all(DOWN)), len(bank.link.all(BOARD))
    bank.turns(REPEAT_NS // MS - 1)
    assert (len(bank.link.all(DOWN)), len(bank.link.all(BOARD))) == said
    bank.turns(1)
    bank.turns(1_000)
    assert (len(bank.link.all(DOWN)), len(bank.link.all(BOARD))) == (said[0] + 1, said[1] + 1)
