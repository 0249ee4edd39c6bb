"""`felt conformance table`: our table keeps every rule, and for each there is a wrong table that it finds by that rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware.proof.conformance.command import check_table
from firmware.proof.conformance.of_table import REPORTS, TERM, AsBank
from firmware.proof.conformance.sheet import OF_TABLE, Sheet
from firmware.table.inputs import Pressed
from firmware.wire.payload import WireError, object_in
from tests.proof.conformance.wrongs import AtWorld, Bend, Message, encoded
from tests.runtime.world import EPOCH, Clock, TableWorld

UP = "felt/felt/table/uth-04/up"
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")


class PlayedTable(TableWorld):
    """A table whose bank is the check."""

    def beats(self, **changes: object) -> None:
        """The check's own heart beats."""


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> TableWorld:
    return PlayedTable(tmp_path, clock)


def checked(table: TableWorld, bend: Bend, *, claim: bool = True, reports: bool = True) -> Sheet:
    """People at the table do what the check asks of them."""
    table.link.connects()
    talk = AtWorld(table.link, table.clock, table.turns, bend)
    own = AsBank("felt", "uth-04", "main", EPOCH, "d" * 32, claim, wait_s=60, reports=reports)
    asked: list[str] = []

    def people(asks: str) -> None:
        asked.append(asks)
        if asks == "claim":
            claims(table)
        elif asks.startswith("pay"):
            pays_a_prize(table)
            closes_the_day(table)
        else:
            table.counted(3)

    def tends(ms: int) -> None:
        """Somebody pays as soon as there is a price, and deals on."""
        table.turns(ms)
        if table.state.phase == "hold":
            pays(table)

    talk.turns = tends
    return check_table(talk, own, people)


def claims(table: TableWorld) -> None:
    """Seat 3's royal flush."""
    table.presses("seat-3")
    table.presses("hand-royal-flush")
    for card in ROYAL:
        table.presses(f"rank-{card[0]}")
        table.presses(f"suit-{card[1]}")
    table.presses("primary")
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)


def pays_a_prize(table: TableWorld) -> None:
    """A flush of the seat that has wagered, while somebody puts down a chip too late."""
    table.places(6)
    table.presses(f"seat-{table.state.wagers[0]}")
    table.presses("hand-flush")
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)
    table.presses("primary", held_ms=1_500)


def closes_the_day(table: TableWorld) -> None:
    """The felt is cleared; bets are open."""
    table.presses("primary")
    table.service._spine.take([Pressed("problem close-day"), Pressed("apply", "2001", 1_800_000_000, "2027-01-11")])


def pays(table: TableWorld) -> None:
    """By another person; then the felt is cleared and one more round is counted."""
    table.identifies("3001")
    table.presses("primary", held_ms=1_500)
    assert table.state.phase == "settle", table.text
    table.presses("primary")
    table.sensors.moves(3, False)
    table.turns(30)
    if not table.state.neighbors.bank_alarm:
        table.counted(1)


def test_our_table_keeps_every_rule(table: TableWorld) -> None:
    sheet = checked(table, Bend())
    assert not sheet.broken
    assert sheet.kept == set(OF_TABLE)


class Seals(Bend):
    """Every word says who says it, as over a wire: no message's hash covers that."""

    number = 0

    def says(self, topic: str, said: Message) -> Message | None:
        self.number += 1
        by = {"key": "a" * 64, "run": "b" * 32, "number": self.number, "heard": []}
        return said | {"said": by, "seal": f"{self.number:0128x}"}


def test_a_table_whose_words_are_sealed_keeps_every_rule(table: TableWorld) -> None:
    assert not checked(table, Seals(), reports=False).broken


def test_what_nobody_played_is_said_to_be_skipped(table: TableWorld) -> None:
    sheet = checked(table, Bend(), claim=False, reports=False)
    assert not sheet.broken and sheet.kept == set(OF_TABLE) - {"T-18", "T-19", *REPORTS}
    assert sheet.skipped == ("T-18", "T-19", *REPORTS)
    assert "T-19 skipped: no claim was asked for (--claim)" in list(sheet.lines())


class Bent(Bend):
    """A table that can be wrong in what it owes, in its heart, and in what it hears of its bank."""

    def says(self, topic: str, said: Message) -> Message | None:
        match topic:
            case "up":
                return self.owed(said)
            case "status":
                return self.status(said)
            case _:
                return self.alive(said)

    def owed(self, said: Message) -> Message | None:
        return said

    def alive(self, said: Message) -> Message | None:
        return said

    def status(self, said: Message) -> Message | None:
        return said

    def hears(self, topic: str, payload: bytes) -> bytes | None:
        if topic != "down":
            return payload
        try:
            return self.down(object_in(payload), payload)
        except WireError:
            return self.unreadable(payload)

    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return payload

    def unreadable(self, payload: bytes) -> bytes | None:
        return payload


class SaysMore(Bent):
    def alive(self, said: Message) -> Message | None:
        return said | {"color": "red"}


class IsAnother(Bent):
    def alive(self, said: Message) -> Message | None:
        return said | {"table": "uth-05"}


class IsKept(Bent):
    def keeps(self, kept: Mapping[str, bytes]) -> Mapping[str, bytes]:
        return {**kept, UP: b"{}"}


class IsDeafAfterNoise(Bent):
    deaf = False

    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return None if self.deaf else payload

    def unreadable(self, payload: bytes) -> bytes | None:
        self.deaf = True
        return payload


class IsNotThere(Bent):
    def alive(self, said: Message) -> Message | None:
        return None


class BeginsAtTwo(Bent):
    def owed(self, said: Message) -> Message | None:
        return said | {"seq": said["seq"] + 1}


class FollowsNothing(Bent):
    def owed(self, said: Message) -> Message | None:
        return said | {"prev": "f" * 64}


class WritesWithSpaces(Bent):
    def writes(self, topic: str, payload: bytes) -> bytes:
        return json.dumps(json.loads(payload), indent=1).encode() if topic == "up" else payload


class SaysItOnce(Bent):
    def __init__(self) -> None:
        self.said: set[int] = set()

    def owed(self, said: Message) -> Message | None:
        again = said["seq"] in self.said
        self.said.add(said["seq"])
        return None if again else said


class SaysItOtherwise(SaysItOnce):
    def owed(self, said: Message) -> Message | None:
        again = super().owed(said) is None
        return said | {"body": said["body"] | {"round": 99}} if again and said["kind"] == "wagers" else said


class NeverStops(Bent):
    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return encoded(heard | {"seq": 0, "hash": "0" * 64})


class ForgetsWhatWasHeld(Bent):
    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return None if "before" in heard else payload


class TakesAnyLedger(Bent):
    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return encoded(heard | {"epoch": EPOCH}) if heard["epoch"] not in (EPOCH, "d" * 32) else payload


class HeedsAnOlderBank(Bent):
    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return encoded(heard | {"term": max(TERM, heard["term"])})


class HidesItsJournal(Bent):
    def owed(self, said: Message) -> Message | None:
        return {key: value for key, value in said.items() if key != "anchor"}


class SawNothing(Bent):
    def alive(self, said: Message) -> Message | None:
        return {key: value for key, value in said.items() if key != "ledger"}


class MindsNoAlarm(Bent):
    def down(self, heard: Message, payload: bytes) -> bytes | None:
        return encoded(heard | {"alarm": None})


class MindsAStranger(Bent):
    silent = False

    def down(self, heard: Message, payload: bytes) -> bytes | None:
        self.silent = bool(heard["alarm"]) and heard["alarm"]["kind"] == "journal"
        return payload

    def owed(self, said: Message) -> Message | None:
        return None if self.silent else said


class PlaysOneRound(Bent):
    def owed(self, said: Message) -> Message | None:
        return said | {"body": said["body"] | {"round": 1}} if said["kind"] == "wagers" else said


class ClaimsForAnother(Bent):
    def owed(self, said: Message) -> Message | None:
        if said["kind"] != "claim":
            return said
        name = said["body"]["claim"].replace(":3:", ":5:")
        return said | {"body": said["body"] | {"claim": name, "seat": 5}}


class PaysOtherwise(Bent):
    def owed(self, said: Message) -> Message | None:
        return said | {"body": said["body"] | {"amount": "99.00"}} if said["kind"] == "verdict" else said


class StandsStill(Bent):
    def status(self, said: Message) -> Message | None:
        return said | {"round": 0}


class OwesInATest(Bent):
    def status(self, said: Message) -> Message | None:
        return said | {"live": False}


class OfDay(Bent):
    """Wrong in what it tells of one kind."""

    kind = "day"

    def owed(self, said: Message) -> Message | None:
        return said | {"body": self.body(said["body"])} if said["kind"] == self.kind else said

    def body(self, said: Message) -> Message:
        raise NotImplementedError


class PaysWhoDidNotWager(OfDay):
    kind = "payment"

    def body(self, said: Message) -> Message:
        return said | {"lines": [line | {"seat": 5} for line in said["lines"]]}


class TellsALateChipTwice(OfDay):
    kind = "count"

    def body(self, said: Message) -> Message:
        return said | {"late": said["late"] * 2}


class LeavesADayOut(OfDay):
    def body(self, said: Message) -> Message:
        return said | {"number": said["number"] + 1}


class TakesAnyChip(OfDay):
    kind = "wagers"

    def body(self, said: Message) -> Message:
        first, *others = said["made"]
        return said | {"made": [first | {"amounts": ["2.00" for _ in first["amounts"]]}, *others]}


WRONG: dict[str, type[Bent]] = {
    "W-01": SaysMore,
    "W-02": IsAnother,
    "W-03": IsKept,
    "W-04": IsDeafAfterNoise,
    "T-01": IsNotThere,
    "T-03": BeginsAtTwo,
    "T-04": FollowsNothing,
    "T-05": WritesWithSpaces,
    "T-06": SaysItOnce,
    "T-07": SaysItOtherwise,
    "T-08": NeverStops,
    "T-10": ForgetsWhatWasHeld,
    "T-11": TakesAnyLedger,
    "T-12": HeedsAnOlderBank,
    "T-13": HidesItsJournal,
    "T-14": SawNothing,
    "T-15": MindsNoAlarm,
    "T-16": MindsAStranger,
    "T-17": PlaysOneRound,
    "T-18": ClaimsForAnother,
    "T-19": PaysOtherwise,
    "T-23": StandsStill,
    "T-24": PaysWhoDidNotWager,
    "T-25": TellsALateChipTwice,
    "T-26": LeavesADayOut,
    "T-28": OwesInATest,
    "T-33": TakesAnyChip,
}
CLAIMING = ("T-17", "T-18", "T-19")
ALONE = ("W-03", "T-01", "T-04", "T-05", "T-10", "T-13", "T-14", "T-15", "T-16", "T-17", "T-23", "T-28")
"""Wrong in one thing only: no other rule is said to be broken."""


def test_there_is_a_wrong_table_for_every_rule() -> None:
    assert set(WRONG) == set(OF_TABLE)


@pytest.mark.parametrize("rule", WRONG)
@pytest.mark.slow
def test_a_wrong_table_is_found_by_the_rule_that_it_breaks(rule: str, table: TableWorld) -> None:
    sheet = checked(table, WRONG[rule](), claim=rule in CLAIMING, reports=rule in REPORTS)
    assert rule in sheet.broken, sheet.broken
    assert rule not in ALONE or set(sheet.broken) == {rule}, sheet.broken
    (line,) = [line for line in sheet.lines() if line.startswith(f"{rule} FAIL ")]
    assert len(line) > len(f"{rule} FAIL ") + 10, "what was seen stands there"


def test_a_table_at_which_nobody_plays_is_not_judged_by_what_it_owes(table: TableWorld) -> None:
    table.link.connects()
    own = AsBank("felt", "uth-04", "main", EPOCH, "d" * 32, True, wait_s=60)
    sheet = check_table(AtWorld(table.link, table.clock, table.turns, Bend()), own, lambda _: None)
    assert not sheet.broken and {"T-01", "W-01"} <= sheet.kept
    assert "T-06 skipped: no round with a progressive wager was played" in list(sheet.lines())
