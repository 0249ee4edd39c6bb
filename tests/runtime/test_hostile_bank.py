"""What a table's program does with a bank, a broker or a stranger that says what nobody may say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware.runtime.grievances import COMPLAIN_NS, ELSEWHERE, PLACES_MAX, Grievances
from firmware.table import events as e
from firmware.table.wire import decode_alive, decode_down, decode_meters
from firmware.wire.payload import WireError
from hal.ports import LOCKOUT
from tests.runtime.world import BOARD, EPOCH, METER, MS, TableWorld

NO_HASH = "0" * 64
CLAIM = {
    "claim": "uth-04:1:3:2",
    "status": "pending",
    "meter": "main",
    "share": "100%",
    "amount": "10000.21",
    "owed": "0.00",
    "version": 3,
    "cite": "653a.12(d)(1)",
}
ABOUT = {"kind": "hash", "journal": "a" * 32, "seq": 1, "hash": NO_HASH, "text": "x"}


def down(**changes: Any) -> dict[str, Any]:
    good = {"v": 1, "epoch": EPOCH, "table": "uth-04", "journal": "", "seq": 0, "hash": NO_HASH, "claims": []}
    return good | {"alarm": None} | changes


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()


def without(key: str) -> bytes:
    document = down()
    del document[key]
    return encoded(document)


REFUSED_DOWN = {
    "nothing": (b"", "not JSON"),
    "not JSON": (b"{'v': 1}", "not JSON"),
    "half of it": (encoded(down())[:-9], "not JSON"),
    "two objects": (encoded(down()) * 2, "not JSON"),
    "a list": (b"[1, 2]", "is a list of 2; send one JSON object"),
    "null": (b"null", "is None; send one JSON object"),
    "not UTF-8": (b"\xff\xfe\x00", "not UTF-8 at byte 0"),
    "UTF-16, which JSON libraries guess": (json.dumps(down()).encode("utf-16"), "not UTF-8 at byte 0"),
    "a byte order mark": (b"\xef\xbb\xbf" + encoded(down()), "not JSON"),
    "half a surrogate pair as bytes": (encoded(down()).replace(EPOCH.encode(), b"\xed\xa0\x80"), "not UTF-8"),
    "half a surrogate pair escaped": (encoded(down(epoch="\ud800")), "epoch: is "),
    "half a surrogate pair as a key": (encoded(down() | {"\ud800": 1}), "is not a key here"),
    "70 KiB": (encoded(down()) + b" " * 70 * 1024, "a message has at most 65536"),
    "a doubled key": (encoded(down()).replace(b'"v": 1', b'"v": 1, "v": 1'), "v: stands there twice"),
    "an unknown key": (encoded(down(extra=1)), "extra: is not a key here; allowed: v, epoch"),
    "a missing key": (without("seq"), "seq: is missing; add it"),
    "another version": (encoded(down(v=2)), "v: is "),
    "true for one": (encoded(down(v=True)), "v: is "),
    "a number as text": (encoded(down(seq="1")), "seq: is "),
    "a float": (encoded(down(seq=1.0)), "holds the number '1.0'; numbers are whole"),
    "not a number": (encoded(down(seq=float("nan"))), "holds the number 'NaN'; numbers are whole"),
    "a huge exponent": (encoded(down()).replace(b'"seq": 0', b'"seq": 1e999999'), "numbers are whole"),
    "a negative seq": (encoded(down(seq=-1)), "seq: is "),
    "a seq beyond 2**53": (encoded(down(seq=2**63)), "seq: is "),
    "five thousand digits": (encoded(down()).replace(b'"seq": 0', b'"seq": ' + b"9" * 5000), "thousands of digits"),
    "nested 10,000 deep in lists": (b"[" * 10_000 + b"]" * 10_000, "nested too deeply"),
    "nested 10,000 deep in objects": (b'{"v":' * 10_000 + b"1" + b"}" * 10_000, "nested too deeply"),
    "another table's": (encoded(down(table="uth-05")), "table: is 'uth-05'; this topic is for table 'uth-04'"),
    "a table's name with a slash": (encoded(down(table="a/b")), "table: is "),
    "an epoch that is none": (encoded(down(epoch="E" * 32)), "epoch: is "),
    "an epoch with a line's end": (encoded(down(epoch=EPOCH + "\n")), "epoch: is "),
    "a journal that is none": (encoded(down(journal="x")), "journal: is "),
    "a hash that is none": (encoded(down(hash="0")), "hash: is "),
    "claims that are no list": (encoded(down(claims={})), "claims: is "),
    "a claim with a status of its own": (encoded(down(claims=[CLAIM | {"status": "won"}])), "claims.0.status: is "),
    "a claim of a name that is none": (encoded(down(claims=[CLAIM | {"claim": "x"}])), "claims.0.claim: is "),
    "an amount without cents": (encoded(down(claims=[CLAIM | {"amount": "10000"}])), "two decimals"),
    "an amount below zero": (encoded(down(claims=[CLAIM | {"amount": "-1.00"}])), "two decimals"),
    "an amount as a number": (encoded(down(claims=[CLAIM | {"amount": 1}])), "claims.0.amount: is "),
    "an alarm without words": (encoded(down(alarm=ABOUT | {"kind": ""})), "alarm.kind: is "),
    "an alarm with a NUL": (encoded(down(alarm=ABOUT | {"text": "a\0b"})), "alarm.text: is "),
    "an alarm of a thousand letters": (
        encoded(down(alarm=ABOUT | {"text": "a" * 999})),
        "alarm.text: is ",
    ),
}


@pytest.mark.parametrize(("payload", "why"), REFUSED_DOWN.values(), ids=REFUSED_DOWN)
def test_what_is_refused_is_counted_and_shown_and_the_next_valid_message_works(
    table: TableWorld, payload: bytes, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    table.counted(1, 3)
    before = table.state
    assert before.owed
    table.link.deliver(f"{table.topic}/down", payload)
    table.turns()
    (complained,) = table.events(e.Complained)
    assert (complained.place, complained.count) == (f"{table.topic}/down", 1)
    assert why in complained.text
    assert f"refused (1 times): {table.topic}/down: {complained.text}" in caplog.text and "Refused" not in table.text
    assert (table.state.owed, table.state.phase, table.state.neighbors.bank_alarm) == (before.owed, before.phase, "")
    table.bank_says()
    assert not table.state.owed and table.state.neighbors.bank_seq == 1


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"seq": 1, "hash": "1" * 64}, "another message 1"),
        ({"seq": 9, "hash": "1" * 64}, "The bank holds message 9, this journal ends at 1."),
        ({"journal": "b" * 32}, "The bank holds another journal of this table."),
        ({"alarm": ("hash", 1, "Message 1 was another one before")}, "was another one before"),
    ],
    ids=["another hash", "ahead of us", "another journal", "its own alarm"],
)
def test_a_bank_that_contradicts_the_journal_is_an_alarm_that_closes_the_progressive_until_it_is_over(
    table: TableWorld, changes: dict[str, Any], shown: str
) -> None:
    table.counted(1)
    if "alarm" in changes:
        changes = {"alarm": table.alarm(*changes["alarm"])}
    table.bank_says(**changes)
    assert table.state.owed, "what is owed stays owed"
    table.presses("primary")
    table.sensors.moves(LOCKOUT, True)
    table.beats()
    table.turns(50)
    assert table.state.phase == "open", "the base game goes on"
    assert shown in table.text and "PROGRESSIVE OFF" in table.text
    assert table.sensors.locked
    table.bank_says()
    table.turns()
    assert not table.state.neighbors.bank_alarm and not table.state.owed
    assert not table.sensors.locked


def claiming(table: TableWorld) -> str:
    """Seat 3's royal flush waits for its price; the claim's name."""
    table.counted(3)
    table.claims_a_royal()
    assert table.state.phase == "price", table.text
    return table.state.seat(3).prize.claim  # type: ignore[union-attr]


def test_a_claim_that_the_bank_holds_without_effect_ends_when_two_people_have_looked(table: TableWorld) -> None:
    """No price will ever come, and the table must not wait for one for ever."""
    name = claiming(table)
    table.bank_says(alarm=table.alarm("claim", 2, "the bank holds no wager of seat 3 in round 1"))
    assert table.state.phase == "price" and "no wager of seat 3" in table.text
    table.bank_says(refused=[{"claim": name, "by": ["2001", "3001"]}])
    assert table.state.phase == "settle" and "REJECTED" in table.text
    assert [(event.seat, event.signed) for event in table.events(e.ClaimRejected)] == [(3, ("2001", "3001"))]
    assert table.state.seq == 2, "there is no verdict on a claim that the bank does not have"
    table.presses("primary")
    assert table.events(e.RoundCleared)


def test_a_claim_is_dropped_by_no_word_that_is_silent_about_it(table: TableWorld) -> None:
    """A forged word between a claim and its price acknowledged the claim and did not name it: no royal, unsigned."""
    name = claiming(table)
    table.bank_says()
    assert table.state.phase == "price" and not table.events(e.ClaimRejected)
    table.bank_says(alarm=table.alarm("claim", 2, "the bank holds no wager of seat 3 in round 1"))
    table.bank_says()
    assert table.state.phase == "price" and not table.events(e.ClaimRejected), "an alarm that has passed names no claim"
    table.bank_says(refused=[{"claim": f"{name}1", "by": ["2001", "3001"]}])
    assert table.state.phase == "price", "another claim's end is not this one's"
    table.hears_board()
    table.bank_says(claims=[priced(name, "10000.21")], refused=[{"claim": name, "by": ["2001", "3001"]}])
    assert table.state.phase == "hold" and "$10,000.21" in table.text, "what is priced is not refused"


def test_a_price_from_a_bank_that_does_not_hold_the_claim_yet_is_another_claims(table: TableWorld) -> None:
    """A journal that was begun anew gives the same names again; what the broker kept may be of the old one."""
    answer = priced(claiming(table), "0.05")
    table.hears_board()
    table.bank_says(seq=1, hash=table.state.neighbors.outbox[0].hash, claims=[answer])
    assert table.state.phase == "price"
    table.bank_says(claims=[answer | {"amount": "10000.21"}])
    assert table.state.phase == "hold" and "$10,000.21" in table.text


def priced(claim: str, amount: str) -> dict[str, Any]:
    """A bank's word about a claim of the whole meter."""
    return CLAIM | {"claim": claim, "amount": amount}


def test_a_price_above_all_that_its_meter_ever_held_is_not_taken(table: TableWorld) -> None:
    """A forged word priced a true claim of $10,001.05 at $1,000,000.00, and two people signed it."""
    name = claiming(table)
    table.hears_board()
    table.bank_says(claims=[priced(name, "1000000.00")])
    assert table.state.phase == "price" and table.state.neighbors.bank_alarm == "price"
    assert "The bank says $1,000,000.00; its meter never held more than $10,012.34" in table.text
    table.bank_says(claims=[priced(name, "10012.35")])
    assert table.state.phase == "price", "a cent more is more"
    table.bank_says(claims=[priced(name, "10012.34")])
    assert table.state.phase == "hold" and not table.state.neighbors.bank_alarm


def test_a_price_waits_for_the_board_of_its_epoch(table: TableWorld) -> None:
    """The bank says its board first, and the broker keeps it: who prices without one is not the bank."""
    name = claiming(table)
    table.hears_board(epoch="f" * 32)
    table.bank_says(claims=[priced(name, "10000.21")])
    assert table.state.phase == "price" and table.state.neighbors.bank_alarm == "price"
    table.hears_board()
    table.bank_says(claims=[priced(name, "10000.21")])
    assert table.state.phase == "hold"


def test_a_bank_says_the_same_a_hundred_times_and_one_row_is_written(table: TableWorld) -> None:
    table.counted(1)
    table.bank_says()
    rows = table.journal.rows
    for _ in range(100):
        table.bank_says()
    assert table.journal.rows == rows


def test_a_restored_bank_that_lacks_a_message_is_sent_it_again(table: TableWorld) -> None:
    table.counted(1)
    table.bank_says()
    sent = len(table.link.all(f"{table.topic}/up"))
    table.hears_board(epoch="f" * 32)
    for _ in range(4):
        table.bank_says(**RESTORED)
        assert table.state.neighbors.ledger.epoch == EPOCH, "not before its heart alone has beaten for five seconds"
        table.beats(epoch="f" * 32)
        table.turns(2_000)
    assert len(table.link.all(f"{table.topic}/up")) == sent
    table.bank_says(**RESTORED)
    table.turns(2_000)
    assert len(table.link.all(f"{table.topic}/up")) > sent


RESTORED: dict[str, Any] = {"epoch": "f" * 32, "before": [EPOCH], "journal": "", "seq": 0, "hash": NO_HASH}


@pytest.mark.parametrize("boards", [EPOCH, "f" * 32])
def test_a_restore_that_is_announced_on_down_alone_moves_no_table(table: TableWorld, boards: str) -> None:
    """One forged word did, for good: neither the bank's own words nor two people at the bank brought the table back."""
    table.counted(1)
    table.bank_says()
    table.hears_board(epoch=boards)
    for _ in range(10):
        table.bank_says(**RESTORED)
        table.beats()
        table.turns(2_000)
    assert table.state.neighbors.ledger.epoch == EPOCH and not table.state.neighbors.bank_alarm
    assert any("was restored as ffffffff: not taken" in one.text for one in table.events(e.Complained))
    table.bank_says()
    assert table.state.neighbors.link_up and not table.state.owed


def test_a_stranger_with_a_heart_too_moves_no_table_while_its_banks_heart_beats(table: TableWorld) -> None:
    table.counted(1)
    table.bank_says()
    table.hears_board(epoch="f" * 32)
    for _ in range(10):
        table.beats()
        for _ in range(10):
            table.beats(epoch="f" * 32)
            table.bank_says(**RESTORED)
            table.turns(190)
    assert table.state.neighbors.ledger.epoch == EPOCH and not table.state.neighbors.bank_alarm


def test_the_same_garbage_a_thousand_times_is_one_row_at_once_and_one_ten_seconds_later(
    table: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    table.opens()
    for _ in range(5):
        for _ in range(200):
            table.link.deliver(f"{table.topic}/down", b"{")
        table.turns(100)
    assert [complained.count for complained in table.events(e.Complained)] == [200]
    table.turns(10_000)
    assert [complained.count for complained in table.events(e.Complained)] == [200, 800]
    assert table.state.desk.complaints == 1000
    assert [record.getMessage().partition(":")[0] for record in caplog.records if "refused" in record.getMessage()] == [
        "refused (200 times)",
        "refused (800 times)",
    ]


def test_a_flood_between_two_turns_is_bounded_and_counted_and_a_chip_is_not_lost(table: TableWorld) -> None:
    table.opens()
    for _ in range(5_000):
        table.link.deliver(f"{table.topic}/down", b"{")
    table.places(2)
    assert table.state.wagers == (2,)
    assert {complained.place: complained.count for complained in table.events(e.Complained)} == {
        f"{table.topic}/down": 4096,
        "inbox": 1,
    }


def test_the_heartbeat_of_another_bank_is_not_ours(table: TableWorld) -> None:
    table.opens()
    for _ in range(7):
        table.beats(bank="other")
        table.turns(1_000)
    assert not table.state.neighbors.link_up
    assert "PROGRESSIVE OFF" in table.text
    assert table.events(e.Complained)[0].place == "felt/felt/alive"
    table.beats()
    table.turns()
    assert table.state.neighbors.link_up


ALIVE = {"v": 1, "bank": "felt", "epoch": EPOCH, "alive": True, "at": "2026-11-21T14:07:05.123Z", "board": 3}


@pytest.mark.parametrize(
    "changes",
    [{"v": 2}, {"alive": 1}, {"alive": "true"}, {"epoch": "x"}, {"board": -1}, {"at": "a\nb"}, {"more": 1}],
    ids=str,
)
def test_a_heartbeat_that_is_none_does_not_beat(table: TableWorld, changes: dict[str, Any]) -> None:
    table.link.connects()
    table.beats(**changes)
    table.turns()
    assert not table.state.neighbors.link_up
    assert table.events(e.Complained)[0].place == "felt/felt/alive"
    table.beats()
    table.turns()
    assert table.state.neighbors.link_up


def test_a_silent_bank_is_no_link_after_six_seconds_and_a_farewell_at_once(table: TableWorld) -> None:
    table.opens()
    table.beats()
    table.turns(5_900)
    assert table.state.neighbors.link_up
    table.turns(200)
    assert not table.state.neighbors.link_up and "the bank is silent" in table.text
    table.beats()
    table.turns()
    table.beats(alive=False)
    table.turns()
    assert not table.state.neighbors.link_up and "the bank has stopped" in table.text
    table.beats()
    table.link.drops()
    table.turns()
    assert not table.state.neighbors.link_up and "the broker is gone" in table.text


def test_what_is_owed_goes_out_in_order_again_and_again_until_the_bank_holds_it(table: TableWorld) -> None:
    table.counted(1, 2)
    up = f"{table.topic}/up"
    assert [message["seq"] for message in table.link.all(up)] == [1]
    table.turns(2_000)
    assert [message["seq"] for message in table.link.all(up)] == [1, 1]
    table.link.drops()
    table.turns(2_000)
    table.link.connects()
    table.turns()
    assert [message["seq"] for message in table.link.all(up)] == [1, 1, 1]
    table.starts()
    table.link.connects()
    table.turns()
    assert [message["seq"] for message in table.link.all(up)] == [1]
    table.bank_says()
    table.turns(5_000)
    assert [message["seq"] for message in table.link.all(up)] == [1]


# The board ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meter",
    [
        METER | {"amount": "1e9"},
        METER | {"amount": "10012.345"},
        METER | {"amount": 10012.34},
        METER | {"name": "ma\0in"},
        METER | {"name": "\ud800"},
        METER | {"name": "m" * 60},
        METER | {"display_name": "Jack\0pot"},
        METER | {"display_name": "J" * 25},
        {key: METER[key] for key in METER if key != "seed"},
    ],
    ids=str,
)
def test_a_board_that_cannot_be_drawn_is_refused_and_the_next_one_is_shown(
    table: TableWorld, meter: dict[str, Any]
) -> None:
    table.opens()
    table.link.deliver("felt/felt/meters", encoded(BOARD | {"meters": [meter]}))
    table.turns()
    assert table.events(e.Complained)[0].place == "felt/felt/meters"
    assert "never heard from yet" in table.text
    table.link.deliver("felt/felt/meters", encoded(BOARD))
    table.turns()
    assert "JACKPOT / $10,012.34" in table.text


def test_the_decoders_take_what_the_page_of_the_wire_shows() -> None:
    assert decode_down(encoded(down(claims=[CLAIM])), "uth-04").claims[0].amount == 1_000_021
    assert decode_alive(encoded(ALIVE), "felt").board == 3
    assert decode_alive(encoded(ALIVE | {"epoch": "", "alive": False}), "felt").alive is False
    assert decode_meters(encoded(BOARD)) == (("main", "Jackpot", "10012.34"),)
    with pytest.raises(WireError, match="bank: is 'felt'; this table's is 'other'"):
        decode_alive(encoded(ALIVE), "other")


# Grievances ---------------------------------------------------------------------------------------------------------


def test_a_sender_that_names_a_new_place_each_time_is_one_place_among_thirty_two() -> None:
    grievances = Grievances()
    told = 0
    for number in range(1_000):
        grievances.hear(f"place {number}", "refused")
        told += len(grievances.due(number))
    assert told == PLACES_MAX + 1
    (rest,) = grievances.due(COMPLAIN_NS + 999)
    assert (rest.place, rest.count) == (ELSEWHERE, 1_000 - PLACES_MAX - 1)


def test_places_of_long_ago_make_room_for_new_ones() -> None:
    grievances = Grievances()
    for number in range(PLACES_MAX):
        grievances.hear(f"place {number}", "refused")
    grievances.due(0)
    grievances.due(COMPLAIN_NS)
    grievances.hear("a new place", "refused")
    assert [grievance.place for grievance in grievances.due(COMPLAIN_NS)] == ["a new place"]


def test_a_text_that_no_file_can_hold_is_made_fit_for_one() -> None:
    grievances = Grievances()
    grievances.hear("a\nplace", "half a \ud800 pair, a \0" + "x" * 1_000)
    (grievance,) = grievances.due(0)
    assert grievance.place == "a?place"
    assert grievance.text.startswith("half a ? pair, a ?x") and len(grievance.text) == 200


def test_the_clock_of_a_machine_that_just_booted_starts_near_zero() -> None:
    grievances = Grievances()
    grievances.hear("here", "refused")
    assert len(grievances.due(5 * MS)) == 1
