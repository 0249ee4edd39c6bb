"""What the overhead sign shows, told by the bank alone, and when it stops believing what it was told."""

from __future__ import annotations

import copy
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.runtime.bank import last_words
from firmware.wire.payload import WireError
from firmware.wire.records import document
from tests.ui.sign_payloads import CLAIM, at, board, heartbeat, meter, offer, payload, pending, won
from ui.sign.board import SignBoard

PITTSBURGH = ZoneInfo("America/New_York")
"""The tests' bank opens at nine in the morning there."""


def new_sign(now: float, begins: str = "06:00") -> SignBoard:
    """Switched on at `now`, with a gaming day that begins at that local time."""
    return SignBoard(now, time.fromisoformat(begins), PITTSBURGH)


def sign(*boards: dict[str, Any], now: float = 100.0) -> SignBoard:
    shown = new_sign(now)
    shown.alive(payload(heartbeat()), now)
    for published in boards:
        shown.meters(payload(published), now)
    return shown


def page(shown: SignBoard, now: float) -> dict[str, Any]:
    """What the page is told."""
    return document(shown.page(now))


def test_before_the_first_board_it_waits() -> None:
    empty = new_sign(0.0)
    assert empty.freshness(5.0) == "waiting"
    assert page(empty, 5.0)["waiting"] is True


def test_a_running_meter_in_whole_cents() -> None:
    shown = page(sign(board()), 100.0)
    assert shown["title"] == "Ultimate Texas Hold 'Em Progressive"
    assert shown["meters"] == [{"name": "main", "display_name": "Jackpot", "cents": 1_001_234, "steps": 0}]
    assert (shown["tables"], shown["pending"], shown["won"], shown["silence_ms"]) == (1, [], [], 0)


def pays(offered: dict[str, Any] | None) -> list[dict[str, Any]]:
    shown = sign(board())
    shown.alive(payload(heartbeat() | ({"offer": offered} if offered else {})), 100.0)
    told: list[dict[str, Any]] = page(shown, 100.0)["pays"]
    return told


def test_653a_12d_the_sign_says_what_a_wager_costs_and_what_it_pays_by_its_book() -> None:
    progressive, five_card = pays(offer("A", "five_card_player"))
    assert (progressive["name"], progressive["cents"], five_card["name"]) == ("progressive", 100, "five_card_player")
    first, second, third, *_, last = progressive["rows"]
    assert first == {"hand": "royal flush", "percent": 100, "meter": "main", "cents": 0}
    assert (second["percent"], second["hand"]) == (10, "straight flush")
    assert third == {"hand": "four of a kind", "percent": 0, "meter": "", "cents": 30_000}
    assert (last["hand"], last["cents"]) == ("three of a kind", 900)
    assert [(one["hand"], one["cents"]) for one in progressive["envy"]] == [
        ("royal flush", 100_000), ("straight flush", 30_000),
    ]  # fmt: skip


@pytest.mark.parametrize("offered", [None, offer(book="pa-999"), offer("Z"), offer("A", "no_such_wager")])
def test_an_offer_that_this_program_cannot_read_shows_no_prize(offered: dict[str, Any] | None) -> None:
    assert pays(offered) == []


def test_a_claim_shows_as_pending_with_its_frozen_amount_and_without_its_table() -> None:
    shown = page(sign(board("10000.00", pending=[pending(amount="9001.41")])), 100.0)
    assert shown["pending"] == [{"meter": "main", "cents": 900_141}]
    assert shown["meters"][0]["cents"] == 1_000_000
    assert "uth-04" not in str(shown)


def test_two_claims_of_one_meter_are_both_listed_in_the_order_of_their_turn() -> None:
    claims = [pending(amount="9001.41"), pending(amount="1000.00", claim="uth-04:12:2:19")]
    shown = page(sign(board("9000.00", pending=claims)), 100.0)
    assert [claim["cents"] for claim in shown["pending"]] == [900_141, 100_000]


def test_meters_stand_in_the_order_and_under_the_names_that_the_bank_gives_them() -> None:
    meters = [meter("five_card", "50000.00", display_name="Five Card"), meter("main", "9000.00")]
    shown = page(sign(board(meters=meters)), 100.0)["meters"]
    assert [(one["name"], one["display_name"]) for one in shown] == [("five_card", "Five Card"), ("main", "Jackpot")]


def test_a_win_shows_table_hand_and_amount_for_a_minute_of_the_banks_time() -> None:
    shown = sign(board("10000.21", seconds=10, won=[won(seconds=8)]))
    (win,) = page(shown, 100.0)["won"]
    assert win == {
        "claim": CLAIM, "meter": "main", "table": "uth-04", "hand": "royal flush", "cents": 1_001_234,
        "left_ms": 58_000,
    }  # fmt: skip
    assert page(shown, 157.9)["won"][0]["left_ms"] == 100
    assert page(shown, 158.0)["won"] == []


def today(shown: SignBoard, now: float) -> list[str]:
    """What the page is told of this gaming day's wins."""
    return [f"{win['clock']} {win['cents']}" for win in page(shown, now)["today"]]


HOUR = 3600.0


def test_a_win_stays_for_the_evening_with_its_local_time() -> None:
    """21:07 in Pittsburgh is 02:07 of the next day in UTC, and 12 hours and 7 minutes after the tests' bank opened."""
    shown = sign(board(seconds=12 * HOUR + 430, won=[won(seconds=12 * HOUR + 420, amount="9001.41")]))
    assert today(shown, 100.0) == ["21:07 900141"]
    assert page(shown, 100.0 + 3 * HOUR)["won"] == []
    assert today(shown, 100.0 + 3 * HOUR) == ["21:07 900141"], "long after it was celebrated, and after midnight"


def test_it_is_gone_when_the_next_gaming_day_begins() -> None:
    shown = sign(board(seconds=12 * HOUR, won=[won(seconds=12 * HOUR)]))
    assert today(shown, 100.0 + 8.9 * HOUR) == ["21:00 1001234"]
    assert today(shown, 100.0 + 9 * HOUR) == [], "six in the morning"


def test_a_gaming_day_begins_when_the_casino_says() -> None:
    shown = new_sign(100.0, begins="03:30")
    shown.meters(payload(board(seconds=17 * HOUR, won=[won(seconds=16.5 * HOUR), won(seconds=12 * HOUR)])), 100.0)
    assert today(shown, 100.0) == ["01:30 1001234", "21:00 1001234"], "a win after midnight belongs to the evening"
    assert today(shown, 100.0 + 1.5 * HOUR) == []


def test_a_sign_switched_on_in_the_evening_still_tells_it() -> None:
    shown = new_sign(0.0)
    shown.meters(payload(board(seconds=10, won=[won(seconds=8)])), 0.0)
    shown.alive(payload(heartbeat(seconds=2 * HOUR)), 0.1)
    assert today(shown, 0.2) == ["09:00 1001234"]


def test_a_time_beyond_which_nothing_can_be_counted_is_refused_and_the_next_board_is_shown() -> None:
    shown = new_sign(0.0)
    with pytest.raises(WireError, match=r"^at: "):
        shown.meters(payload(board() | {"at": "9999-12-31T23:59:59Z"}), 1.0)
    with pytest.raises(WireError, match=r"^at: "):
        shown.alive(payload(heartbeat() | {"at": "9999-12-31T23:59:59Z"}), 1.0)
    shown.meters(payload(board()), 2.0)
    assert shown.freshness(3.0) == "live"


def test_a_sign_switched_on_an_hour_after_a_win_does_not_celebrate_it() -> None:
    shown = new_sign(0.0)
    shown.meters(payload(board(seconds=10, won=[won(seconds=8)])), 0.0, retained=True)
    shown.alive(payload(heartbeat(seconds=3600)), 0.1)
    assert page(shown, 0.2)["won"] == []


def test_a_sign_switched_on_in_the_minute_of_a_win_shows_the_rest_of_it() -> None:
    shown = new_sign(0.0)
    shown.meters(payload(board(seconds=10, won=[won(seconds=8)])), 0.0, retained=True)
    shown.alive(payload(heartbeat(seconds=30)), 0.0)
    assert page(shown, 0.0)["won"][0]["left_ms"] == 38_000


def test_a_heartbeat_three_hours_ahead_does_not_hide_the_next_win() -> None:
    shown = sign(board(version=1))
    shown.alive(payload(heartbeat(3 * HOUR)), 102.0)
    shown.alive(payload(heartbeat(4)), 104.0)
    shown.meters(payload(board("10000.00", version=2, seconds=5, won=[won(seconds=5)])), 105.0)
    assert [win["left_ms"] for win in page(shown, 105.0)["won"]] == [60_000]
    assert today(shown, 105.0) == ["09:00 1001234"]


def test_a_clock_put_back_in_the_middle_of_a_win_changes_nothing() -> None:
    shown = sign(board("10000.00", version=2, seconds=3 * HOUR, won=[won(seconds=3 * HOUR)]))
    shown.alive(payload(heartbeat(2, board=2)), 102.0)
    shown.meters(payload(board("10000.21", version=3, seconds=4, won=[won(seconds=3 * HOUR)])), 104.0)
    assert [win["left_ms"] for win in page(shown, 130.0)["won"]] == [30_000]
    assert page(shown, 160.0)["won"] == []


def test_a_win_from_a_clock_ahead_of_the_bank_is_shown_a_minute_and_no_longer() -> None:
    assert page(sign(board(seconds=0, won=[won(seconds=500)])), 100.0)["won"][0]["left_ms"] == 60_000


@pytest.mark.parametrize(
    ("silence", "freshness"),
    [
        (0, "live"),
        (9.9, "live"),
        (10, "still"),
        (19.9, "still"),
        (20, "updating"),
        (29.9, "updating"),
        (30, "paused"),
        (9999, "paused"),
    ],
)
def test_how_long_it_believes_a_silent_bank(silence: float, freshness: str) -> None:
    shown = sign(board())
    assert shown.freshness(100.0 + silence) == freshness
    assert page(shown, 100.0 + silence)["silence_ms"] == silence * 1000


def test_a_heartbeat_ends_the_silence() -> None:
    shown = sign(board())
    shown.alive(payload(heartbeat(25)), 125.0)
    assert shown.freshness(126.0) == "live"


def test_after_the_banks_farewell_the_progressive_is_paused_at_once() -> None:
    shown = sign(board())
    shown.alive(payload(heartbeat(alive=False)), 101.0)
    assert shown.freshness(101.0) == "paused"
    assert page(shown, 101.0)["silence_ms"] >= page(shown, 101.0)["stale"]["paused_ms"], "so the page pauses too"
    shown.alive(payload(heartbeat(21)), 121.0)
    assert shown.freshness(121.0) == "live"


def test_the_last_will_of_a_bank_knows_no_epoch() -> None:
    """The broker was given it before the ledger was opened."""
    shown = sign(board())
    shown.alive(last_words("felt"), 101.0)
    assert shown.freshness(101.0) == "paused"


def test_a_sign_switched_on_after_the_last_will_hears_what_the_broker_kept() -> None:
    shown = new_sign(100.0)
    shown.meters(payload(board()), 100.0)
    shown.alive(last_words("felt"), 100.0)
    assert shown.freshness(100.0) == "paused"


def test_the_bank_never_heard_since_the_start() -> None:
    shown = new_sign(50.0)
    shown.meters(payload(board()), 50.0)
    assert [shown.freshness(now) for now in (50.0, 60.0, 70.0, 80.0)] == ["live", "still", "updating", "paused"]


def test_an_older_version_of_the_same_epoch_is_refused_and_changes_nothing() -> None:
    shown = sign(board("10012.34", version=7))
    with pytest.raises(WireError, match="version: 6 is older than 7"):
        shown.meters(payload(board("10010.00", version=6)), 101.0)
    assert page(shown, 101.0)["meters"][0]["cents"] == 1_001_234


def test_a_board_of_an_older_bank_is_refused_and_changes_nothing() -> None:
    shown = sign(board("10012.34", version=7) | {"term": 3})
    with pytest.raises(WireError, match="term: 2 is older than 3"):
        shown.meters(payload(board("10010.00", version=8) | {"term": 2}), 101.0)
    assert page(shown, 101.0)["meters"][0]["cents"] == 1_001_234


FORGED = board("9999999.99", version=2**53 - 1, title="FREE MONEY", won=[won(claim="uth-04:99:1:99")])


def test_a_forged_board_of_the_highest_version_is_gone_with_the_next_heartbeat() -> None:
    shown = sign(board("10012.34", version=7))
    shown.alive(payload(heartbeat(2, board=7)), 102.0)
    shown.meters(payload(FORGED), 103.0)
    shown.alive(payload(heartbeat(4, board=7)), 104.0)
    assert page(shown, 104.0)["meters"][0]["cents"] == 1_001_234
    shown.meters(payload(board("10013.00", version=8, seconds=5)), 105.0)
    assert page(shown, 105.0)["meters"][0]["cents"] == 1_001_300


def test_the_board_that_came_while_a_forged_one_was_shown_is_shown_with_its_win() -> None:
    """It is refused as older when it comes; the heartbeat that names it lets it in."""
    shown = sign(board("10012.34", version=7))
    shown.alive(payload(heartbeat(2, board=7)), 102.0)
    shown.meters(payload(FORGED), 103.0)
    with pytest.raises(WireError, match="version: 8 is older"):
        shown.meters(payload(board("10000.00", version=8, seconds=3.5, won=[won(seconds=3.5)])), 103.5)
    shown.alive(payload(heartbeat(4, board=8)), 104.0)
    told = page(shown, 104.0)
    assert (told["version"], [win["claim"] for win in told["won"]]) == (8, [CLAIM])


def test_a_sign_switched_on_to_a_forged_board_shows_none_until_the_bank_says_its_own_again() -> None:
    shown = new_sign(100.0)
    shown.meters(payload(FORGED), 100.0, retained=True)
    shown.alive(payload(heartbeat(2, board=7)), 102.0)
    assert shown.freshness(102.0) == "waiting"
    shown.meters(payload(board("10012.34", version=7)), 103.0)
    assert page(shown, 103.0)["meters"][0]["cents"] == 1_001_234


def test_a_forged_board_of_another_epoch_is_gone_with_the_next_heartbeat_and_celebrates_nothing_again() -> None:
    shown = sign(board("10000.00", version=7, won=[won()]))
    shown.alive(payload(heartbeat(2, board=7)), 102.0)
    shown.meters(payload(FORGED | {"epoch": "f" * 32}), 203.0)
    shown.alive(payload(heartbeat(104, board=7)), 204.0)
    assert page(shown, 204.0)["meters"][0]["cents"] == 1_000_000
    assert page(shown, 204.0)["won"] == []


def test_a_heartbeat_that_the_broker_kept_takes_no_newer_board_away() -> None:
    """After a broken connection the broker says what it kept: the beat may be from before the board."""
    shown = sign(board("10012.34", version=7))
    shown.alive(payload(heartbeat(2, board=7)), 102.0)
    shown.meters(payload(board("10013.00", version=8)), 110.0, retained=True)
    shown.alive(payload(heartbeat(2, board=7)), 110.0, retained=True)
    assert page(shown, 110.0)["version"] == 8


def test_the_same_version_again_and_an_older_one_of_a_new_epoch_are_taken() -> None:
    shown = sign(board(version=7), board(version=7))
    shown.meters(payload(board("10001.00", version=2, epoch="f" * 32)), 101.0)
    assert page(shown, 101.0)["meters"][0]["cents"] == 1_000_100


NO_MONEY: list[Any] = [
    "1e9",
    "-1.00",
    "1",
    "1.0",
    "1.000",
    "01.00",
    "NaN",
    "1,000.00",
    "٣.00",
    " 1.00",
    1.0,
    100,
    None,
    [],
]
HOSTILE: list[tuple[str, Any, str]] = [
    ("v", 2, "v: is 2"),
    ("v", True, "v: is True"),
    ("version", -1, "version: is -1; right would be a whole number"),
    ("version", 1.5, "numbers are whole"),
    ("version", True, "^version: is "),
    ("epoch", "", "^epoch: is "),
    ("title", "x" * 121, "^title: is "),
    ("title", "two\nlines", "^title: is "),
    ("title", None, "^title: is "),
    ("at", "2026-11-21 14:07:05", "^at: is "),
    ("at", "2026-06-31T14:07:05.123Z", "^at: is "),
    ("at", 1700000000, "^at: is "),
    ("at", "0001-01-01T00:00:00Z", "^at: is "),
    ("tables", "uth-04", "tables: is 'uth-04'; right would be a list"),
    ("tables", [7], "tables.0"),
    ("meters", [], "meters: is a list of 0; right would be a list of 1 to 6"),
    (
        "meters",
        [meter("main", "1.00")] * 2,
        "1.name: is 'main', which stands there twice",
    ),
    (
        "meters",
        [meter(str(n)) for n in range(7)],
        "a list of 7; right would be",
    ),
    ("meters", [{"name": "main", "display_name": "Jackpot", "amount": "1.00"}], "meters.0.seed: is missing"),
    ("meters", [meter() | {"display_name": ""}], "^meters.0.display_name: is "),
    ("meters", [meter() | {"steps": -1}], "^meters.0.steps: is "),
    ("meters", ["main"], "meters.0: is 'main'; an object with"),
    *[
        (
            "meters",
            [meter() | {"amount": amount}],
            "numbers are whole" if isinstance(amount, float) else "meters.0.amount",
        )
        for amount in NO_MONEY
    ],
    ("pending", [pending("other")], "pending.0.meter: is 'other', which is not on this board"),
    ("pending", [pending(amount="9001.4")], "^pending.0.amount: is "),
    ("won", [won(), won(), won(), won(), won(), won()], "a list of 6; right would be a list of 0 to 5"),
    ("won", [won(seat=0)], "won.0.seat"),
    ("won", [won(hand="<script>\x00")], "won.0.hand"),
]


@pytest.mark.parametrize(("field", "value", "complaint"), HOSTILE)
def test_a_board_that_is_not_one_is_refused_and_the_next_one_works(field: str, value: Any, complaint: str) -> None:
    shown = sign(board("10012.34"))
    with pytest.raises(WireError, match=complaint):
        shown.meters(payload(board("10099.00", version=2) | {field: value}), 101.0)
    assert page(shown, 101.0)["meters"][0]["cents"] == 1_001_234
    shown.meters(payload(board("10013.00", version=2)), 102.0)
    assert page(shown, 102.0)["meters"][0]["cents"] == 1_001_300


@pytest.mark.parametrize("field", list(board()))
def test_a_missing_field_is_named(field: str) -> None:
    given = board()
    del given[field]
    with pytest.raises(WireError, match=f"^{field}: is missing"):
        sign(given)


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(WireError, match=r"^color: is not a key here"):
        sign(board(color="red"))


@pytest.mark.parametrize("given", [None, [], "alive", 7, {}])
def test_what_is_no_object_is_no_board_and_no_heartbeat(given: Any) -> None:
    shown = sign(board())
    with pytest.raises(WireError):
        shown.meters(payload(given), 101.0)
    with pytest.raises(WireError):
        shown.alive(payload(given), 101.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [("alive", 1), ("alive", None), ("at", "now"), ("board", "1"), ("bank", ""), ("epoch", 3), ("v", 0), ("more", 1)],
)
def test_a_heartbeat_that_is_none_does_not_end_the_silence(field: str, value: Any) -> None:
    shown = sign(board())
    with pytest.raises(WireError, match=f"^{field}: is "):
        shown.alive(payload(heartbeat(**{field: value})), 140.0)
    assert shown.freshness(140.0) == "paused"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["meters", "pending", "won", "tables", "at", "title", "v", "version", "epoch"]), JSON)
def test_whatever_arrives_the_sign_shows_a_board_or_says_what_is_wrong(field: str, value: Any) -> None:
    shown = sign(board())
    before = copy.deepcopy(page(shown, 101.0))
    try:
        shown.meters(payload(board(version=2) | {field: value}), 101.0)
    except WireError:
        assert page(shown, 101.0) == before


def test_the_banks_time_is_written_with_z_or_an_offset_of_zero() -> None:
    assert sign(board() | {"at": at(0).replace("Z", "+00:00")}).freshness(100.0) == "live"
