"""What a stray or forged message does to an honest table, and how it is cured while the bank runs."""

from __future__ import annotations

import json
from datetime import time as time_of_day
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.bank import events as b
from firmware.bank.state import ALARMS_MAX
from firmware.runtime.bank import REPEAT_NS
from firmware.runtime.link import Arrived
from firmware.runtime.sign import SignService
from firmware.runtime.table import PRESENT_NS
from firmware.table import events as e
from hal.debounce import Inbox
from hal.watchdog import Watchdog
from tests.bank.casino import Table as Stranger
from tests.bank.casino import with_seat_2
from tests.runtime.world import MS, BankWorld, Clock, TableWorld

DOWN, BOARD = "felt/felt/table/uth-04/down", "felt/felt/meters"


class Casino:
    """A table and its bank, and the broker between them, which keeps what is retained."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        for name in ("bank", "table"):
            (folder / name).mkdir()
        self.bank, self.table = BankWorld(folder / "bank", clock), TableWorld(folder / "table", clock)
        self.kept: dict[str, bytes] = {}

    def carries(self) -> None:
        """Whatever either has said arrives at the other, until neither says more."""
        links = self.bank.link, self.table.link
        while any(link.published for link in links):
            for link, other in (links, links[::-1]):
                said, link.published = link.published, []
                for topic, payload in said:
                    self.kept[topic] = payload
                    if other.connected:
                        other.deliver(topic, payload)
            self.bank.turns()
            self.table.turns()

    def passes(self, ms: int) -> None:
        """So much time, a second at a time."""
        for _ in range(ms // 1_000):
            self.table.turns(500)
            self.bank.turns(500)
            self.carries()

    def connects(self) -> None:
        """The table comes to the broker, and is told what that had kept."""
        self.table.link.connects()
        for topic in (DOWN, BOARD):
            if topic in self.kept:
                self.table.link.deliver(topic, self.kept[topic], retained=True)
        self.table.turns()
        self.carries()

    def forges(self, topic: str, document: dict[str, Any], *, retained: bool = False) -> None:
        """Somebody who may write everything says this once."""
        self.kept[topic] = payload = json.dumps(document).encode()
        self.table.link.deliver(topic, payload, retained=retained)
        self.table.turns()

    def plays(self, *seats: int) -> None:
        """A round with these wagers, up to the agreed count."""
        self.table.opens()
        self.table.places(*seats)
        self.table.locks()
        self.table.presses(f"count-{len(seats)}")
        self.carries()


@pytest.fixture
def casino(tmp_path: Path, clock: Clock) -> Casino:
    casino = Casino(tmp_path, clock)
    casino.connects()
    return casino


def strange_down(casino: Casino, **changes: Any) -> dict[str, Any]:
    """A `down` of another journal, of long ago."""
    bank = casino.bank.service.state
    return casino.table.down(epoch=bank.epoch, term=bank.term, journal="b" * 32, seq=7, hash="c" * 64) | changes


def told_of_strangers(casino: Casino) -> list[e.Complained]:
    """What the dealer was told of others who speak under the table's name."""
    return [one for one in casino.table.events(e.Complained) if one.place == "bank"]


def test_the_bank_says_its_board_and_what_it_holds_again_once_a_minute(bank: BankWorld) -> None:
    """Whatever took their place at the broker goes, though no table speaks."""
    bank.link.published.clear()
    for _ in range(REPEAT_NS // MS // 1_000):
        bank.turns(1_000)
    assert (len(bank.link.all(DOWN)), len(bank.link.all(BOARD))) == (1, 1)


def test_many_tables_are_told_again_one_after_the_other(bank: BankWorld) -> None:
    """Five hundred at once would hold up the answers to those that play."""
    bank.service._tables = lambda: (*bank.config.tables, *(f"uth-{number}" for number in range(100, 500)))
    bank.service.reread()
    bank.turns()
    burst, told = 0, 0
    for _ in range(30):
        bank.link.published.clear()
        bank.turns(2_000)
        downs = [topic for topic, _ in bank.link.published if topic.endswith("/down")]
        burst, told = max(burst, len(downs)), told + len(downs)
    assert (told, burst <= 15) == (len(bank.service._rules.tables), True)


def test_a_sign_that_starts_on_what_the_broker_kept_of_a_forgery_shows_the_banks_own_board(bank: BankWorld) -> None:
    """The sign's whole process, but for its server and its link: what is retained is told apart from what is said now."""
    shown: list[dict[str, Any]] = []
    server = SimpleNamespace(publish=shown.append, address=("", 0), close=lambda: None, undrawn_s=None)
    sign = SignService("felt", time_of_day(6), Inbox(0), bank.link, server, Watchdog({}))  # type: ignore[arg-type]
    board, beat = bank.link.last(BOARD), bank.link.last("felt/felt/alive")
    forged = board | {"version": 2**53 - 1, "title": "FREE MONEY"}
    sign.turn([Arrived(BOARD, json.dumps(forged).encode(), 0, retained=True)])
    sign.turn([Arrived("felt/felt/alive", json.dumps(beat).encode(), 0, retained=True)])
    assert shown[-1]["title"] == "FREE MONEY", "what was kept decides nothing"
    sign.turn([Arrived("felt/felt/alive", json.dumps(beat).encode(), 0)])
    assert shown[-1]["waiting"] is True
    sign.turn([Arrived(BOARD, json.dumps(board).encode(), 0)])
    assert shown[-1]["title"] == board["title"]


def test_a_table_that_bank_toml_names_anew_is_heard_while_the_others_play(bank: BankWorld) -> None:
    first, second = Stranger("uth-04"), Stranger("uth-77", journal="7" * 32)
    bank.hears(second.wagers(1, 1), table="uth-77")
    assert not bank.link.all("felt/felt/table/uth-77/down")
    tables = [*bank.config.tables, "uth-77"]
    bank.service._tables = lambda: tuple(tables)
    bank.service.reread()
    bank.turns()
    bank.hears(first.wagers(1, 2))
    bank.hears(second.said[0], table="uth-77")
    assert bank.link.last("felt/felt/table/uth-77/down")["seq"] == 1 and bank.down["seq"] == 1
    assert "uth-77" in bank.link.last(BOARD)["tables"]
    tables.remove("uth-04")
    bank.service.reread()
    bank.turns()
    assert any("uth-04 is not named any more" in one.text for one in bank.events(b.Complained))
    bank.hears(first.wagers(2, 2))
    assert bank.down["seq"] == 2


@pytest.mark.parametrize(
    "alarm", [None, {"kind": "hash", "journal": "b" * 32, "seq": 7, "hash": "d" * 64, "text": "x"}]
)
def test_a_stale_down_that_the_broker_kept_closes_no_table(casino: Casino, alarm: dict[str, Any] | None) -> None:
    casino.plays(1)
    casino.forges(DOWN, strange_down(casino, alarm=alarm), retained=True)
    assert not casino.table.state.neighbors.bank_alarm
    casino.table.link.drops()
    casino.kept[DOWN] = json.dumps(strange_down(casino, alarm=alarm)).encode()
    casino.connects()
    casino.passes(3_000)
    assert not casino.table.state.neighbors.bank_alarm and casino.table.events(e.BankAlarm) == []
    assert json.loads(casino.kept[DOWN])["journal"] == casino.table.state.program.journal, "the bank has said its own"


def test_a_stray_down_closes_the_progressive_for_ten_seconds_and_needs_no_restart(casino: Casino) -> None:
    """It was for ever: the bank spoke only when the table did, and a table in alarm does not."""
    casino.plays(1)
    casino.forges(DOWN, strange_down(casino))
    assert casino.table.state.neighbors.bank_alarm == "journal"
    casino.passes(PRESENT_NS // MS + 1_000)
    assert not casino.table.state.neighbors.bank_alarm


def test_a_table_in_alarm_says_that_it_is_there_every_ten_seconds(casino: Casino) -> None:
    casino.plays(1)
    casino.forges(DOWN, strange_down(casino))
    casino.table.link.published.clear()
    for _ in range(30):
        casino.table.turns(1_000)
    here = casino.table.link.all("felt/felt/table/uth-04/alive")
    assert len(here) == 3 and all(one["alive"] for one in here)


def test_a_forged_up_of_an_unknown_journal_names_the_stranger_and_closes_nobody(casino: Casino) -> None:
    casino.plays(1, 2)
    casino.bank.hears(Stranger("uth-04", journal="f" * 32).wagers(1, 1))
    casino.carries()
    (raised,) = casino.bank.events(b.AlarmRaised)
    assert (raised.kind, raised.journal) == ("journal", "f" * 32)
    assert not casino.table.state.neighbors.bank_alarm and casino.table.events(e.BankAlarm) == []
    (named,) = told_of_strangers(casino)
    assert named.text == "Journal ffffffff is not the one this table has"
    assert named.text not in casino.table.text, "not on a screen where money is paid"
    casino.passes(130_000)
    assert len(told_of_strangers(casino)) == 1, "told once a round, not with every word of the bank"


def test_a_forged_up_under_the_tables_own_journal_closes_nobody(casino: Casino) -> None:
    """Whoever reads `down` knows the journal's name; the message is not the table's all the same."""
    casino.plays(1, 2)
    forged = Stranger("uth-04", journal=casino.table.state.program.journal)
    casino.bank.hears(forged.wagers(1, 3))
    forged.said.append(b"{}")
    casino.bank.hears(forged.wagers(9, 3))
    casino.carries()
    assert {raised.kind for raised in casino.bank.events(b.AlarmRaised)} == {"hash"}
    assert not casino.table.state.neighbors.bank_alarm
    casino.passes(70_000)
    assert not casino.table.state.neighbors.bank_alarm and casino.table.state.neighbors.bank_seq == 1


def test_strangers_leave_room_for_the_alarm_about_the_tables_own_journal(bank: BankWorld) -> None:
    table = Stranger("uth-04")
    bank.hears(table.wagers(1, 1))
    for number in range(2 * ALARMS_MAX):
        bank.hears(Stranger("uth-04", journal=f"{number:032x}").wagers(1, 1))
    assert bank.down["alarm"]["kind"] == "journal"
    bank.hears(with_seat_2(table.said[0]))
    assert (bank.down["alarm"]["kind"], bank.down["alarm"]["journal"]) == ("hash", table.journal)


def test_a_replaced_card_is_an_alarm_all_the_same(casino: Casino) -> None:
    """The table's own message is the one that the bank does not know: nothing is recognized until two people adopt it."""
    casino.bank.hears(Stranger("uth-04", journal="d" * 32).wagers(1, 1))
    casino.carries()
    assert casino.table.state.neighbors.bank_alarm == "journal"
