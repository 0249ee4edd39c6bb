"""Parts of the rig `vm` that need no virtual machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.config import load_bank, load_table
from firmware.rules import games
from hal.ports import Lamp
from tests.hil import provision
from tests.hil.far import Bulb, wiring

MS = 1_000_000


def test_every_line_of_the_installation_is_executed_or_known_to_be_done_otherwise() -> None:
    lines = list(provision.commands())
    elsewhere = [line for line in lines if any(mark in line for mark in provision.ELSEWHERE)]
    assert any("felt table new" in line for line in lines)
    assert any("felt-bank.service" in line for line in lines)
    for mark in provision.ELSEWHERE:
        assert any(mark in line for line in elsewhere), f"the document no longer says {mark!r}"
    for part in provision.NOT_YET:
        assert any(part in line for line in lines), f"the document no longer says {part!r}"
    assert "issue uth-04 clientAuth" in provision.certificates()


@pytest.mark.parametrize("book", games.books())
def test_a_machine_can_be_configured_for_every_book(book: str, tmp_path: Path) -> None:
    for name, text in provision.configuration(book).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    table = load_table(tmp_path / "table.toml")
    assert (table.id, table.home, table.seats.hardware) == (provision.TABLE, "/var/lib/felt", "gpio")
    assert (table.badge.device, table.shuffler.port) == (provision.BADGE, provision.SHUFFLER)
    assert table.screen.observe
    if (tmp_path / "bank.toml").exists():
        bank = load_bank(tmp_path / "bank.toml")
        assert (bank.tables, bank.link.broker) == ((table.id,), table.link.broker)
        assert len(wiring(table, sensors=True).lamps) == table.seats.count


@pytest.mark.parametrize(("half_ms", "lamp"), [(500, Lamp.LATE), (125, Lamp.FAULT)], ids=["half a second", "an eighth"])
def test_a_meter_at_a_lamp_tells_how_it_blinks(half_ms: int, lamp: Lamp) -> None:
    bulb, now_ns, high = Bulb(), 10_000 * MS, False
    for _ in range(4):
        high, now_ns = not high, now_ns + half_ms * MS
        bulb.change(high, now_ns)
    assert bulb.look(now_ns + half_ms * MS // 2) is lamp
    assert bulb.look(now_ns + 5_000 * MS) is Lamp.DARK


def test_a_lamp_that_was_lit_once_is_lit_and_one_that_went_out_is_dark() -> None:
    bulb = Bulb()
    bulb.change(True, 10_000 * MS)
    assert bulb.look(10_001 * MS) is bulb.look(90_000 * MS) is Lamp.LIT
    bulb.change(False, 90_000 * MS)
    assert bulb.look(90_001 * MS) is Lamp.DARK
