"""`felt conformance bank`: our bank keeps every rule, and for each rule there is a wrong bank that it finds by that rule."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from firmware.bank.decide import held_verdict
from firmware.bank.events import VerdictHeld
from firmware.bank.inputs import AdoptionSigned
from firmware.config import LEAST_SECONDS_MOST
from firmware.proof.conformance.command import check_bank
from firmware.proof.conformance.of_bank import AsTable
from firmware.proof.conformance.sheet import OF_BANK, Sheet
from firmware.rules.money import Cents
from firmware.runtime.adoption import VerdictAsked
from firmware.wire.offers import WagerOffered
from firmware.wire.payload import WireError, canonical, object_in
from firmware.wire.structs import replace
from tests.proof.conformance.wrongs import AtWorld, Bend, Message, cents_more
from tests.runtime.world import EPOCH, BankWorld
from tests.sample import some

OWN = AsTable("felt", "uth-04", "a" * 32, "b" * 32, WagerOffered("progressive", Cents(100), "A"), ("2001", "3001"))


def checked(bank: BankWorld, bend: Bend) -> Sheet:
    def signed(asked: str) -> None:
        """Two people do what the check asks of them."""
        at = "2026-11-21T14:07:05.123Z"
        if asked.startswith("accept"):
            claim = asked.rsplit(" ", 1)[1]
            held = held_verdict(bank.service.state, claim)
            assert held is not None
            seen = held.position
            bank.inbox.put(VerdictAsked(claim, True, OWN.people, seen.seq, seen.hash, lambda _: None))
        else:
            _, table, journal = asked.rsplit(" ", 2)
            bank.service._spine.take([AdoptionSigned(at, table, journal, OWN.people)])

    return check_bank(AtWorld(bank.link, bank.clock, bank.turns, bend), OWN, signed)


def test_our_bank_keeps_every_rule(bank: BankWorld) -> None:
    sheet = checked(bank, Bend())
    assert not sheet.broken
    assert sheet.kept == set(OF_BANK)


def test_a_bank_that_takes_no_verdict_too_soon_keeps_every_rule(bank: BankWorld) -> None:
    bank.service._rules = replace(bank.service._rules, least_seconds=LEAST_SECONDS_MOST, signed_first=True)
    assert not checked(bank, Bend()).broken


def test_a_bank_that_does_not_know_the_people_of_the_check_keeps_every_rule(bank: BankWorld) -> None:
    bank.service._rules = replace(bank.service._rules, people={})
    assert not checked(bank, Bend()).broken
    assert len(bank.events(VerdictHeld)) == 3, "one paid, one rejected, one of strangers"


class Bent(Bend):
    """A bank that also remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[Message] = []
        self.board: Message = {}
        self.showed = 0

    def hears(self, topic: str, payload: bytes) -> bytes | None:
        if topic == "up":
            try:
                self.told.append(object_in(payload))
            except WireError:
                return self.unreadable(payload)
        return payload

    def unreadable(self, payload: bytes) -> bytes | None:
        return payload

    def count(self, kind: str) -> int:
        """How many messages of that kind it was told, each once."""
        return len({one["seq"] for one in self.told if one["kind"] == kind})

    def says(self, topic: str, said: Message) -> Message | None:
        match topic:
            case "down":
                return self.down(said)
            case "meters":
                return self.meters(said)
            case _:
                return self.alive(said)

    def down(self, said: Message) -> Message | None:
        return said | {"claims": [self.claim(one) for one in said["claims"]], "alarm": self.alarm(said["alarm"])}

    def meters(self, said: Message) -> Message | None:
        self.board, self.showed = said, self.more()
        meters = [one | {"amount": cents_more(one["amount"], self.showed)} for one in said["meters"]]
        return said | {"meters": meters}

    def also(self, topic: str) -> Sequence[tuple[str, Message]]:
        """A board, as soon as its meters would show something else."""
        if topic != "down" or self.more() == self.showed:
            return ()
        said = self.meters(self.board)
        return [("felt/felt/meters", said)] if said else ()

    def alive(self, said: Message) -> Message | None:
        return said

    def claim(self, said: Message) -> Message:
        return said

    def alarm(self, said: Message | None) -> Message | None:
        return said

    def more(self) -> int:
        """Cents that its meters show too many."""
        return 0


class SaysMore(Bent):
    def meters(self, said: Message) -> Message | None:
        return said | {"color": "red"}


class TalksToAnother(Bent):
    def down(self, said: Message) -> Message | None:
        return said | {"table": "uth-05"}


class IsNotKept(Bent):
    def keeps(self, kept: Mapping[str, bytes]) -> Mapping[str, bytes]:
        return {}


class IsDeafAfterNoise(Bent):
    deaf = False

    def hears(self, topic: str, payload: bytes) -> bytes | None:
        heard = super().hears(topic, payload)
        return None if self.deaf and topic == "up" else heard

    def unreadable(self, payload: bytes) -> bytes | None:
        self.deaf = True
        return None


class BeatsTooSeldom(Bent):
    beats = 0

    def alive(self, said: Message) -> Message | None:
        self.beats += 1
        return said if self.beats % 2 else None


class NeverAnswers(Bent):
    def down(self, said: Message) -> Message | None:
        return None


class NamesNoHash(Bent):
    def down(self, said: Message) -> Message | None:
        return said | {"hash": "0" * 64}


class CountsTwice(Bent):
    def more(self) -> int:
        seqs = [one["seq"] for one in self.told if one["kind"] == "wagers" and one["seq"] == 1]
        return 63 * max(0, len(seqs) - 1)


class HoldsWhateverCame(Bent):
    def down(self, said: Message) -> Message | None:
        return said | {"seq": max((one["seq"] for one in self.told), default=0)}


class TakesAnyForm(Bent):
    def hears(self, topic: str, payload: bytes) -> bytes | None:
        try:
            return canonical(object_in(payload))
        except WireError:
            return payload


class KeepsAlarmsToItself(Bent):
    kinds: tuple[str, ...] = ("hash",)

    def alarm(self, said: Message | None) -> Message | None:
        return None if said and said["kind"] in self.kinds else said


class LetsStrangersSpeak(KeepsAlarmsToItself):
    kinds = ("journal",)


class CountsARoundTwice(Bent):
    def more(self) -> int:
        again = [one for one in self.told if one["seq"] > 5 and one["kind"] == "wagers" and one["body"]["round"] == 1]
        return 42 * len(again)


class BlamesAnother(Bent):
    def alarm(self, said: Message | None) -> Message | None:
        return said and said | {"seq": said["seq"] + 1}


class ForgetsItsName(Bent):
    def meters(self, said: Message) -> Message | None:
        return said | {"epoch": "f" * 32}


class NamesNoBoard(Bent):
    def alive(self, said: Message) -> Message | None:
        return said | {"board": said["board"] + 1}


class KeepsWhatIsVoid(Bent):
    def more(self) -> int:
        return 84 * self.count("reversal")


class PaysADollarLess(Bent):
    def claim(self, said: Message) -> Message:
        return said | {"amount": cents_more(said["amount"], -100)}


class PricesAgain(Bent):
    def claim(self, said: Message) -> Message:
        return said | {"amount": cents_more(said["amount"], 21 * self.count("wagers"))}


class TellsNobody(Bent):
    def meters(self, said: Message) -> Message | None:
        return said | {"pending": []}


class ForgetsWhoWon(Bent):
    def meters(self, said: Message) -> Message | None:
        return said | {"won": []}


class KeepsWhatWasWrong(Bent):
    def more(self) -> int:
        wrong = {one["seq"] for one in self.told if one["kind"] == "verdict" and not one["body"]["paid"]}
        return -100 * len(wrong)


class HidesItsLedger(Bent):
    def down(self, said: Message) -> Message | None:
        return {key: value for key, value in said.items() if key != "anchor"}


class BooksPrizes(Bent):
    def more(self) -> int:
        return -100 * self.count("payment")


class GivesBackWhatWasPaidFor(Bent):
    def more(self) -> int:
        paid = {one["body"]["round"] for one in self.told if one["kind"] == "payment"}
        return -42 * sum(bool(one["kind"] == "reversal" and one["body"]["round"] in paid) for one in self.told)


class PricesWhatWasPaid(Bent):
    def more(self) -> int:
        return -100 * sum(bool(one["kind"] == "claim" and one["body"]["claim"].endswith(":4")) for one in self.told)


class HoldsAnyPayment(Bent):
    def down(self, said: Message) -> Message | None:
        lines = self.told[-1]["body"].get("lines", ()) if self.told else ()
        return said | {"seq": said["seq"] + any("for_seat" in line and line["for_seat"] == 1 for line in lines)}


class KnowsEverybody(Bent):
    def claim(self, said: Message) -> Message:
        strange = [one["body"]["claim"] for one in self.told if "conformance-1" in one["body"].get("by", "")]
        return said | {"status": "paid"} if said["claim"] in strange else said


class HidesWhatItPlays(Bent):
    def alive(self, said: Message) -> Message | None:
        return {name: value for name, value in said.items() if name != "offer"}


WRONG: dict[str, type[Bent]] = {
    "W-01": SaysMore,
    "W-02": TalksToAnother,
    "W-03": IsNotKept,
    "W-04": IsDeafAfterNoise,
    "B-01": BeatsTooSeldom,
    "B-03": NeverAnswers,
    "B-04": NamesNoHash,
    "B-05": CountsTwice,
    "B-06": HoldsWhateverCame,
    "B-07": TakesAnyForm,
    "B-08": KeepsAlarmsToItself,
    "B-09": LetsStrangersSpeak,
    "B-10": CountsARoundTwice,
    "B-11": BlamesAnother,
    "B-12": ForgetsItsName,
    "B-14": NamesNoBoard,
    "B-15": KeepsWhatIsVoid,
    "B-16": PaysADollarLess,
    "B-17": PricesAgain,
    "B-18": TellsNobody,
    "B-19": ForgetsWhoWon,
    "B-20": KeepsWhatWasWrong,
    "B-21": HidesItsLedger,
    "B-26": BooksPrizes,
    "B-28": KnowsEverybody,
    "B-29": GivesBackWhatWasPaidFor,
    "B-30": PricesWhatWasPaid,
    "B-31": HoldsAnyPayment,
    "B-35": HidesWhatItPlays,
}
ALONE = set(WRONG) - {"W-01", "W-02", "W-04", "B-03", "B-04", "B-05", "B-06", "B-07", "B-15", "B-16", "B-17"}
"""Wrong in one thing only: no other rule is said to be broken."""


def test_there_is_a_wrong_bank_for_every_rule() -> None:
    assert set(WRONG) == set(OF_BANK)


@pytest.mark.parametrize("rule", some(WRONG, keep=list(WRONG)[::4]))
def test_a_wrong_bank_is_found_by_the_rule_that_it_breaks(rule: str, bank: BankWorld) -> None:
    sheet = checked(bank, WRONG[rule]())
    assert rule in sheet.broken, sheet.broken
    assert rule not in ALONE or set(sheet.broken) == {rule}, sheet.broken
    (line,) = [line for line in sheet.lines() if line.startswith(f"{rule} FAIL ")]
    assert len(line) > len(f"{rule} FAIL ") + 10, "what was seen stands there"


def test_a_bank_that_is_not_there_breaks_one_rule_and_the_others_are_not_looked_at(bank: BankWorld) -> None:
    bank.link.carries()
    bank.link.connected = False
    sheet = checked(bank, Bend())
    assert set(sheet.broken) == {"B-01"} and not sheet.kept
    assert sum("skipped: the check ended before" in line for line in sheet.lines()) == len(OF_BANK) - 1


def test_the_alarms_of_a_check_are_those_that_it_wanted(bank: BankWorld) -> None:
    checked(bank, Bend())
    down = json.loads(bank.link.kept["felt/felt/table/uth-04/down"])
    assert down["epoch"] == EPOCH and down["alarm"]["kind"] == "verdict", "money comes first"
