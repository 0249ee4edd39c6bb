"""No word is believed before its speaker is shown, and an older one is no news: both programs, over their links' edge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.bank import events as b
from firmware.bank.inputs import AdoptionSigned
from firmware.runtime.bank import last_words
from firmware.runtime.doctor.machine import refused_words
from firmware.runtime.link import Arrived
from firmware.runtime.seals import key_file, load_key
from firmware.runtime.signed_notes import PrivateKey
from firmware.runtime.words import SILENT_NS, BankLink, Hearing, Listener, Refused, Sealed, Voice
from firmware.table import events as e
from firmware.wire.provenance import Echo, Said, digits_of
from tests.bank.casino import AT
from tests.runtime.test_two_records import ALIVE, House, plays_another_round, swapped
from tests.runtime.world import EPOCH, BankWorld, Clock, MemoryLink, TableWorld

STRANGER = PrivateKey("felt/bank/felt", b"s" * 32)
PEOPLE = ("2001", "3001")


class SealedTable(TableWorld):
    """Its bank is a program too: its heart beats by itself."""

    sealed = True
    house: House

    def beats(self, **changes: Any) -> None:
        self.house.talk()


class SealedBank(BankWorld):
    sealed = True


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> House:
    """Adopted, a round counted and held; every word is sealed."""
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    table = SealedTable(tmp_path / "table", clock)
    house = table.house = House(table, SealedBank(tmp_path / "bank", clock, signed_first=True))
    table.link.connects()
    house.goes_on()
    adopts(house, table.journal.id)
    table.counted(3)
    house.goes_on()
    assert house.alarms == ("", ["new"]) and not table.state.owed
    return house


def adopts(house: House, journal: str, key: str = "") -> None:
    """Two people at the bank."""
    service = house.bank.service
    service._spine.take([AdoptionSigned(AT, "uth-04", journal, PEOPLE, key)])
    house.goes_on(12)


def edge_of(world: TableWorld | BankWorld) -> Sealed:
    link: Any = world.service._link
    assert isinstance(link, Sealed)
    return link


def is_in_play(house: House) -> None:
    """The next round is played with the progressive, and the bank holds its wagers."""
    held = house.table.state.neighbors.bank_seq
    house.table.sensors.moves(3, False)
    plays_another_round(house)
    house.goes_on(3)
    them = house.table.state.neighbors
    assert (them.link_up, them.bank_alarm, them.bank_seq) == (True, "", held + 1), house.table.text


def complaints(house: House, of: str) -> list[str]:
    """What was refused, as the table's journal or the bank's ledger has it."""
    house.goes_on(12)
    kind: type[Any] = e.Complained if of == "table" else b.Complained
    world: Any = house.table if of == "table" else house.bank
    return [one.text for one in world.events(kind)]


# Order and age ----------------------------------------------------------------------------------------------------------


def test_a_tables_word_that_comes_once_more_fifteen_seconds_late_is_no_news(house: House) -> None:
    """Taken for a journal that was put back, it closed the progressive until two people had adopted the table."""
    late = [payload for topic, payload in house.table.link.published if topic == f"{house.table.topic}/alive"]
    house.goes_on(15)
    for payload in late:
        house.bank.link.deliver(f"{house.table.topic}/alive", payload)
    house.goes_on(3)
    assert house.alarms == ("", ["new"])
    is_in_play(house)


@pytest.mark.parametrize("speaker", ["table", "bank"])
def test_every_word_that_is_doubled_and_late_changes_nothing(house: House, speaker: str) -> None:
    """All that was ever said, over and over, in any kind."""
    of, to = (house.table, house.bank) if speaker == "table" else (house.bank, house.table)
    for seconds in (1, 4, 15):
        for topic, payload in list(of.link.published):
            to.link.deliver(topic, payload)
        house.goes_on(seconds)
        assert house.alarms == ("", ["new"]) and house.table.state.neighbors.link_up
    is_in_play(house)


@pytest.mark.parametrize("restarted", ["table", "bank", "both"])
def test_what_was_said_before_a_restart_is_no_news_after_it(house: House, restarted: str) -> None:
    """The bank forgot what it had heard, or the table began to count anew: an old word was believed again."""
    of_table, of_bank = list(house.table.link.published), list(house.bank.link.published)
    if restarted in ("bank", "both"):
        house.bank.starts()
    if restarted in ("table", "both"):
        house.table.starts()
        house.table.link.connects()
    for _ in range(3):
        for topic, payload in of_table:
            house.bank.link.deliver(topic, payload)
        for topic, payload in of_bank:
            house.table.link.deliver(topic, payload)
        house.goes_on(3)
    assert house.alarms == ("", ["new"])
    is_in_play(house)


def test_a_journal_that_was_put_back_is_still_found_whatever_it_says(house: House) -> None:
    """The same run would count from one again: that it is later, it shows by what it has heard."""
    backup = house.copy(house.table)
    is_in_play(house)
    house.table.journal.close()
    swapped(house.table.folder, backup)
    house.table.starts()
    house.table.link.connects()
    house.goes_on(3)
    at_table, at_bank = house.alarms
    assert at_table in ("behind", "ahead") and at_bank == ["new", "behind"]


def test_a_ledger_that_was_put_back_is_still_found(house: House) -> None:
    backup = house.copy(house.bank)
    is_in_play(house)
    house.bank.journal.close()
    swapped(house.bank.folder, backup)
    house.bank.starts()
    house.goes_on(12)
    assert house.table.state.neighbors.bank_alarm or not house.table.state.neighbors.link_up


def test_the_last_will_of_a_connection_ends_the_link_once_and_comes_again_in_vain(house: House) -> None:
    """Whoever recorded it could say it again and again."""
    edge = edge_of(house.bank)
    will = edge.sealed(ALIVE, last_words("felt"))
    house.table.link.deliver(ALIVE, will)
    house.table.turns()
    assert not house.table.state.neighbors.link_up
    house.goes_on(3)
    assert house.table.state.neighbors.link_up
    house.table.link.deliver(ALIVE, will)
    house.table.turns()
    assert house.table.state.neighbors.link_up


def test_another_run_counts_when_it_says_back_what_was_said_after_the_last_word_of_the_known_one() -> None:
    own, hearing = Voice(lambda: STRANGER), Hearing()
    of = digits_of("a" * 64)

    def said(run: str, number: int, echo: int) -> Said:
        return Said("a" * 64, run * 32, number, (Echo(own.run, echo),) if echo else ())

    assert len(of) == 32
    assert not hearing.is_news(said("1", 1, 0), "k", own), "nothing of this run was heard"
    own.number = 5
    assert hearing.is_news(said("1", 2, 5), "k", own)
    assert not hearing.is_news(said("1", 2, 5), "k", own), "it came twice"
    assert hearing.is_news(said("1", 1, 5), "other", own), "each kind has an order of its own"
    assert not hearing.is_news(said("2", 9, 5), "k", own), "it may be older, whatever its number"
    own.number = 6
    assert hearing.is_news(said("2", 1, 6), "k", own)
    assert not hearing.is_news(said("1", 99, 6), "k", own)


# Who speaks ---------------------------------------------------------------------------------------------------------------

FORGED: dict[str, Callable[[House], tuple[str, dict[str, Any]]]] = {
    "a down of a higher term": lambda house: (f"{house.table.topic}/down", house.bank.down | {"term": 2**53 - 1}),
    "a down that saw more rows": lambda house: (
        f"{house.table.topic}/down",
        house.bank.down | {"seen": {"rows": 2**53 - 1, "head": "f" * 64}},
    ),
    "a down of a restored ledger": lambda house: (
        f"{house.table.topic}/down",
        house.bank.down | {"epoch": "f" * 32, "before": [EPOCH], "journal": "", "seq": 0, "hash": "0" * 64},
    ),
    "a down with an alarm": lambda house: (
        f"{house.table.topic}/down",
        house.bank.down
        | {"alarm": house.table.alarm("hash", house.table.state.seq, "forged") | {"hash": house.bank.down["hash"]}},
    ),
    "a heart of a higher term": lambda house: (ALIVE, house.bank.link.last(ALIVE) | {"term": 2**53 - 1}),
    "a heart of another ledger": lambda house: (ALIVE, house.bank.link.last(ALIVE) | {"epoch": "f" * 32}),
    "a farewell": lambda house: (ALIVE, house.bank.link.last(ALIVE) | {"alive": False, "epoch": ""}),
    "a board": lambda house: ("felt/felt/meters", a_board(house)),
}


def a_board(house: House) -> dict[str, Any]:
    board = house.bank.link.last("felt/felt/meters")
    board["meters"][0]["amount"] = "99.99"
    return board


def plain(document: dict[str, Any]) -> dict[str, Any]:
    """What was said, without who said it."""
    return {key: value for key, value in document.items() if key not in ("said", "seal")}


def forgeries(document: dict[str, Any], now: Sealed) -> dict[str, bytes]:
    """Without a seal; with another key's; under the true speaker's name; with the true speaker's seal of another word."""
    bare = plain(document)
    said = {"key": STRANGER.public.raw.hex(), "run": now.voice.run, "number": 2**40, "heard": []}
    stranger = Voice(lambda: STRANGER)
    named = json.loads(stranger.says(json.dumps(bare).encode()))
    named["said"]["key"] = json.loads(now.sealed("", json.dumps(bare).encode()))["said"]["key"]
    borrowed = json.loads(now.sealed("", json.dumps(bare | {"v": 1, "at": bare.get("at", "")}).encode()))
    return {
        "no seal": json.dumps(bare).encode(),
        "said, and no seal": json.dumps(bare | {"said": said}).encode(),
        "a stranger's": stranger.says(json.dumps(bare).encode()),
        "a stranger's, in the speaker's name": json.dumps(named).encode(),
        "the speaker's, of another word": json.dumps(borrowed | {"v": 2}).encode(),
        "garbage": b"{",
        "a list": b"[1]",
    }


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_forged_word_of_the_bank_closes_nothing_and_is_counted(
    house: House, forged: Callable[[House], tuple[str, dict[str, Any]]]
) -> None:
    """One `down` of a high term closed a table's link until two people acted at the stopped table."""
    topic, document = forged(house)
    before = house.table.state.neighbors
    for payload in forgeries(document, edge_of(house.bank)).values():
        house.table.link.deliver(topic, payload)
        house.table.turns()
        assert house.table.state.neighbors == before and "99.99" not in house.table.text
    assert any("seal" in text or "said.key" in text for text in complaints(house, "table"))
    is_in_play(house)


@pytest.mark.parametrize("kind", ["alive", "up", "status"])
def test_a_forged_word_of_a_table_is_not_believed_and_is_counted(house: House, kind: str) -> None:
    """Whoever had read a table.toml wrote wagers, a royal and its verdict as the table: booked as paid."""
    topic = f"{house.table.topic}/{kind}"
    document = house.table.link.last(topic)
    if kind == "up":
        document |= {"seq": 2, "prev": house.bank.down["hash"]}
        document["body"] |= {"round": 2}
    if kind == "alive":
        document |= {"anchor": {"rows": 1, "head": "f" * 64}, "found": "behind"}
    before = house.bank.service.state
    for payload in forgeries(document, edge_of(house.table)).values():
        house.bank.link.deliver(topic, payload)
        house.bank.turns()
        assert house.bank.service.state.book("uth-04") == before.book("uth-04")
    assert any("seal" in text or "said.key" in text for text in complaints(house, "bank"))
    is_in_play(house)


def test_one_forged_heart_of_a_rival_stops_no_bank(house: House) -> None:
    """It ended the program, and its unit did not start it again."""
    for document in ({"epoch": "f" * 32}, {"term": 2**40}):
        for payload in forgeries(house.bank.link.last(ALIVE) | document, edge_of(house.table)).values():
            house.bank.link.deliver(ALIVE, payload)
            house.bank.turns()
    house.goes_on(3)
    assert house.bank.link.last(ALIVE)["alive"] is True
    assert any("seal" in text or "said.key" in text for text in complaints(house, "bank"))
    is_in_play(house)


def test_hearts_that_this_banks_own_key_sealed_long_ago_stop_no_bank(house: House) -> None:
    """Another epoch, a higher term: all true once, and recorded."""
    key = load_key(key_file(house.bank.path, house.bank.journal.vocabulary))
    earlier = Voice(lambda: key)
    for changes in ({"epoch": "f" * 32}, {"term": 2**40}):
        beat = plain(house.bank.link.last(ALIVE)) | changes
        house.bank.link.deliver(ALIVE, earlier.says(json.dumps(beat).encode()))
    house.goes_on(3)
    assert "felt/felt/rival" not in [topic for topic, _ in house.bank.link.published]
    is_in_play(house)


def test_a_true_rival_is_found_and_the_bank_comes_back_when_it_is_gone(house: House) -> None:
    """A copy of the ledger and its key on another machine: it has heard this bank, and says so."""
    key = load_key(key_file(house.bank.path, house.bank.journal.vocabulary))
    twin = Voice(lambda: key)
    put: list[object] = []
    rival = BankLink(twin, put.append, edge_of(house.bank)._topics)  # type: ignore[attr-defined]
    rival.over(MemoryLink(put.append, house.table.clock, connected=True))
    beat = plain(house.bank.link.last(ALIVE)) | {"epoch": "f" * 32}
    for _ in range(3):
        house.bank.turns(ms=2_000)
        said = next(one for one in reversed(house.bank.link.published) if one[0] in (ALIVE, "felt/felt/rival"))
        rival.arrived(Arrived(*said, 0))
        house.bank.link.deliver(ALIVE, rival.sealed(ALIVE, json.dumps(beat).encode()))
        house.bank.turns()
    assert house.bank.link.published[-1][0] == "felt/felt/rival"
    house.goes_on(12)
    assert house.bank.link.published[-1][0] != "felt/felt/rival"
    is_in_play(house)


def hears_a_copy(house: House, more: int) -> int:
    """Table and bank hear a bank on a copy of the ledger that has so many rows more; gives the bank's term before."""
    key = load_key(key_file(house.bank.path, house.bank.journal.vocabulary))
    put: list[object] = []
    rival = BankLink(Voice(lambda: key), put.append, edge_of(house.bank)._topics)  # type: ignore[attr-defined]
    rival.over(MemoryLink(put.append, house.table.clock, connected=True))
    rival.adopted = house.bank.service.adopted
    known = plain(house.bank.link.last(ALIVE))
    anchor = {"rows": house.bank.journal.rows + more, "head": "c" * 64}
    beat = known | {"term": known["term"] + 1, "anchor": anchor}
    alive = f"{house.table.topic}/alive"
    for _ in range(6):
        house.table.turns(ms=2_000)
        house.bank.turns()
        said = next(one for one in reversed(house.bank.link.published) if one[0] in (ALIVE, "felt/felt/rival"))
        rival.arrived(Arrived(*said, 0))
        rival.arrived(Arrived(alive, house.table.link.kept[alive], 0))
        for to in (house.bank, house.table):
            to.link.deliver(ALIVE, rival.sealed(ALIVE, json.dumps(beat).encode()))
            to.turns()
    assert house.bank.link.published[-1][0] == "felt/felt/rival"
    term: int = known["term"]
    return term


@pytest.mark.parametrize("more", [1, 50])
def test_after_a_copy_of_the_ledger_that_tables_heard_the_bank_comes_back_to_them_by_itself(
    house: House, more: int
) -> None:
    """Its term was lower than the copy's: the table said "only an older bank is there" until the bank was restarted."""
    term = hears_a_copy(house, more)
    house.goes_on(20)
    assert house.bank.service.state.term == term + 2
    is_in_play(house)
    assert house.alarms == ("", ["new"])


# A sign ---------------------------------------------------------------------------------------------------------------


class Sign:
    """A sign's edge, and what came through it: boards by their term, refused words by why."""

    def __init__(self, wanted: str = "") -> None:
        self.put: list[object] = []
        self.edge = Listener(self.put.append, lambda: wanted)

    def hears(self, voice: Voice, term: int = 1, epoch: str = EPOCH, at_ns: int = 0) -> bytes:
        said = voice.says(json.dumps({"epoch": epoch, "term": term}).encode())
        self.edge.arrived(Arrived("felt/felt/meters", said, at_ns))
        return said

    @property
    def taken(self) -> list[object]:
        return [json.loads(one.payload)["term"] for one in self.put if isinstance(one, Arrived)]

    @property
    def refused(self) -> list[str]:
        return [one.kind for one in self.put if isinstance(one, Refused)]


BANK_KEY = PrivateKey("felt/bank/felt", b"b" * 32)


def test_a_sign_shows_each_word_of_its_bank_once() -> None:
    sign, bank = Sign(), Voice(lambda: BANK_KEY)
    first = sign.hears(bank, 1)
    sign.hears(bank, 1)
    sign.edge.arrived(Arrived("felt/felt/meters", first, 0))
    assert sign.taken == [1, 1] and not sign.refused


def test_a_sign_shows_no_word_of_a_stranger_and_none_without_a_seal() -> None:
    sign = Sign(wanted=BANK_KEY.public.digits)
    sign.hears(Voice(lambda: STRANGER))
    sign.edge.arrived(Arrived("felt/felt/meters", b'{"epoch":"","term":1}', 0))
    sign.hears(Voice(lambda: BANK_KEY), 7)
    assert sign.taken == [7] and sign.refused == ["stranger", "unsealed"]


def test_a_sign_that_knows_no_key_shows_neither_of_two_banks() -> None:
    sign, bank = Sign(), Voice(lambda: BANK_KEY)
    sign.hears(bank, 1)
    sign.hears(Voice(lambda: STRANGER), 2)
    sign.hears(bank, 3)
    assert sign.taken == [1] and sign.refused == ["stranger", "stranger"]


BEAT_NS = 2_000_000_000


def hears_both(sign: Sign, bank: Voice, stranger: Voice, beats: range) -> None:
    for beat in beats:
        sign.hears(bank, beat, at_ns=beat * BEAT_NS)
        sign.hears(stranger, -beat, at_ns=beat * BEAT_NS + 1)


def test_one_word_of_a_stranger_from_the_start_stops_a_sign_until_it_is_silent_for_long() -> None:
    """One word, sealed with a fresh key, stopped a sign for good."""
    sign, bank = Sign(), Voice(lambda: BANK_KEY)
    sign.hears(bank, 0)
    sign.hears(Voice(lambda: STRANGER), -1, at_ns=1)
    for beat in range(1, 6):
        sign.hears(bank, beat, at_ns=beat * BEAT_NS)
    assert sign.taken == [0, 4, 5] and sign.refused == ["stranger"] * 4


def test_a_bank_that_was_heard_alone_stays_while_a_stranger_speaks_on_and_on() -> None:
    sign, bank, stranger = Sign(), Voice(lambda: BANK_KEY), Voice(lambda: STRANGER)
    for beat in range(5):
        sign.hears(bank, beat, at_ns=beat * BEAT_NS)
    hears_both(sign, bank, stranger, range(5, 30))
    assert sign.taken == list(range(30)) and sign.refused == ["stranger"] * 25


@pytest.mark.parametrize("stays", ["first", "second"])
def test_of_two_that_speak_from_the_start_neither_is_shown_until_the_other_is_silent(stays: str) -> None:
    sign, first, second = Sign(), Voice(lambda: BANK_KEY), Voice(lambda: STRANGER)
    hears_both(sign, first, second, range(20))
    assert sign.taken == [0]
    for beat in range(20, 30):
        sign.hears(first if stays == "first" else second, beat, at_ns=beat * BEAT_NS)
    assert sign.taken == [0, *range(23, 30)]


@pytest.mark.parametrize(
    ("term", "epoch", "after_ns", "shown"),
    [
        (2, EPOCH, 1, True),  # a later start on the same ledger
        (1, EPOCH, 1, False),  # recorded, perhaps
        (2, "f" * 32, 1, False),  # another ledger, while the bank is heard
        (1, "f" * 32, SILENT_NS + 1, True),  # the bank has been silent for long
    ],
)
def test_another_run_of_a_bank_is_shown_where_it_is_later_or_the_first_one_is_silent(
    term: int, epoch: str, after_ns: int, shown: bool
) -> None:
    sign = Sign()
    sign.hears(Voice(lambda: BANK_KEY), 1)
    sign.hears(Voice(lambda: BANK_KEY), term, epoch, after_ns)
    assert len(sign.taken) == (2 if shown else 1) and not sign.refused


def test_words_that_were_refused_are_counted_in_the_tables_status_and_in_its_journal(
    house: House, tmp_path: Path
) -> None:
    """A word that the broker had kept comes again with every connection: it is no old one."""
    before = house.table.link.last(f"{house.table.topic}/status")["refused"]
    assert before == {"unsealed": 0, "stranger": 0, "old": 0}
    topic, document = f"{house.table.topic}/down", house.bank.down
    old = next(payload for at, payload in house.bank.link.published if at == topic)
    words = forgeries(document, edge_of(house.bank))
    for payload in (words["no seal"], words["garbage"], words["a stranger's"], old):
        house.table.link.deliver(topic, payload)
    house.table.link.deliver(topic, old, retained=True)
    house.goes_on(12)
    assert house.table.link.last(f"{house.table.topic}/status")["refused"] == {"unsealed": 2, "stranger": 1, "old": 1}
    assert refused_words(house.table.journal.path) == 3
