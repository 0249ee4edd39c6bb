"""The page itself: its pacing in node, and what it shows in a headless Chromium. The product needs neither."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import time as time_of_day
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.sync.client import connect

import ui.sign
from firmware.wire.records import document
from tests.sample import some
from tests.ui.sign_payloads import board, heartbeat, meter, offer, payload, pending, won
from ui.sign.board import SignBoard
from ui.sign.server import SignServer

PACING = Path(ui.sign.__file__).parent / "page" / "pacing.mjs"
NODE = shutil.which("node")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

DRIVER = """
import { createInterface } from "node:readline";
const pacing = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const seen = [];
  let pace = null;
  for (const [what, now, cents] of JSON.parse(line)) {
    if (what === "true") pace = pace ? pacing.receive(pace, cents, now) : pacing.begin(cents, now);
    if (what === "leap") pace = pacing.receive(pace, cents, now, true);
    if (what === "stop") pace = pacing.stop(pace, now);
    if (what === "go") pace = pacing.go(pace, now);
    seen.push(what === "money" ? pacing.money(cents) : pacing.shown(pace, now));
  }
  console.log(JSON.stringify(seen));
}
"""
Step = tuple[str, int, int]


class Pacing:
    """The page's pacing module, asked through a running node."""

    def __init__(self, node: subprocess.Popen[str]) -> None:
        self.node = node

    def seen(self, *steps: Step) -> list[Any]:
        """What is shown right after each step."""
        assert self.node.stdin and self.node.stdout
        self.node.stdin.write(json.dumps(steps) + "\n")
        self.node.stdin.flush()
        return list(json.loads(self.node.stdout.readline()))


@pytest.fixture(scope="module")
def pacing() -> Iterator[Pacing]:
    if NODE is None:
        pytest.skip("node is not installed: the page's pacing is not tested here")
    command = [NODE, "--input-type=module", "-e", DRIVER, PACING.as_uri()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        yield Pacing(node)
        assert node.stdin
        node.stdin.close()


def test_the_first_amount_stands_at_once(pacing: Pacing) -> None:
    assert pacing.seen(("true", 0, 1_001_234)) == [1_001_234]


def test_it_climbs_evenly_to_a_new_amount(pacing: Pacing) -> None:
    looks = [("look", now, 0) for now in (0, 750, 1500, 2999, 3000, 9000)]
    assert pacing.seen(("true", 0, 1000), ("true", 0, 1100), *looks)[2:] == [1000, 1025, 1050, 1099, 1100, 1100]


def test_it_climbs_over_one_and_a_half_gaps_between_updates(pacing: Pacing) -> None:
    updates = [("true", now, 1000 + now) for now in (0, 4000, 8000)]
    looks = [("look", now, 0) for now in (8000 + 3000, 8000 + 6000)]
    middle, end = pacing.seen(*updates, *looks)[3:]
    assert end == 9000 and middle < 9000


def test_however_rare_updates_are_it_has_climbed_after_ten_seconds(pacing: Pacing) -> None:
    hour = 3_600_000
    steps = [("true", 0, 1000), ("true", hour, 2000), ("true", 2 * hour, 5000)]
    almost, there = pacing.seen(*steps, ("look", 2 * hour + 9_990, 0), ("look", 2 * hour + 10_000, 0))[3:]
    assert almost == 4997 and there == 5000


def test_an_award_steps_down_at_once(pacing: Pacing) -> None:
    assert pacing.seen(("true", 0, 1_001_234), ("true", 5000, 1_000_000))[-1] == 1_000_000


@pytest.mark.parametrize(("before", "after"), [(900_141, 1_000_000), (4_821_375, 1_000_000), (1_000_000, 4_821_375)])
def test_a_reseed_steps_both_ways_and_is_never_climbed_to(pacing: Pacing, before: int, after: int) -> None:
    looks = [("look", now, 0) for now in (5001, 6000, 9000)]
    assert pacing.seen(("true", 0, before), ("leap", 5000, after), *looks)[1:] == [after] * 4


def test_a_step_ends_a_climb_even_to_the_same_amount(pacing: Pacing) -> None:
    seen = pacing.seen(("true", 0, 1000), ("true", 1000, 1300), ("look", 1500, 0), ("leap", 1600, 1300))
    assert seen[2] < 1300 and seen[3] == 1300


def test_the_silence_of_the_bank_stops_it_and_a_heartbeat_lets_it_go_on(pacing: Pacing) -> None:
    steps = [("true", 0, 1000), ("true", 0, 1300), ("stop", 1000, 0), ("look", 60_000, 0), ("go", 61_000, 0)]
    seen = pacing.seen(*steps, ("look", 62_500, 0), ("look", 64_000, 0))
    assert seen[2:] == [1100, 1100, 1100, 1200, 1300]


@pytest.mark.parametrize(
    ("cents", "money"),
    [
        *[(0, "$0.00"), (7, "$0.07"), (99_999, "$999.99"), (100_000, "$1,000.00"), (1_001_234, "$10,012.34")],
        *[(999_999_999, "$9,999,999.99"), (12_345_678_901_234, "$123,456,789,012.34")],
    ],
)
def test_money_is_written_from_whole_cents(pacing: Pacing, cents: int, money: str) -> None:
    assert pacing.seen(("money", 0, cents)) == [money]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["true", "leap", "rise", "rise", "rise", "look", "look", "stop", "go"]),
        st.integers(0, 30_000),
        st.integers(0, 10_000_000),
    ),
    max_size=30,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 1_000_000_000), STEPS)
def test_shown_is_never_above_the_truth_never_falls_unless_the_truth_did_and_catches_up(
    pacing: Pacing, first: int, story: list[tuple[str, int, int]]
) -> None:
    steps, truths, now, truth = [("true", 0, first)], [first], 0, first
    for what, after, cents in story:
        now += after
        truth = cents if what in ("true", "leap") else truth + cents // 1000 if what == "rise" else truth
        steps.append(("true" if what == "rise" else what, now, truth))
        truths.append(truth)
    steps += [("go", now, truth), ("look", now + 10_000, truth)]
    truths += [truth, truth]
    seen = pacing.seen(*steps)
    assert all(isinstance(cents, int) and 0 <= cents <= truth for cents, truth in zip(seen, truths, strict=True))
    for (before, after), (truth_before, truth_after) in zip(pairwise(seen), pairwise(truths), strict=True):
        assert after >= before or (truth_after < truth_before and after == truth_after)
    assert all(cents == now for (what, _, now), cents in zip(steps, seen, strict=True) if what == "leap")
    assert seen[-1] == truth


class Browser:
    """A headless Chromium with one page, driven over its debugging socket."""

    def __init__(self, port: int) -> None:
        with urlopen(f"http://127.0.0.1:{port}/json/list") as pages:
            url = next(page["webSocketDebuggerUrl"] for page in json.load(pages) if page["type"] == "page")
        self.socket = connect(url, max_size=None)
        self.number = 0

    def do(self, method: str, **params: Any) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv(timeout=20))).get("id") != self.number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def ask(self, expression: str) -> Any:
        answer = self.do("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, sign: SignServer, width: int = 1920, height: int = 1080) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.do("Emulation.setDeviceMetricsOverride", **size)
        self.do("Page.navigate", url=f"http://127.0.0.1:{sign.address[1]}/")

    def becomes(self, look: str) -> str:
        """The page's text once its body has this class."""
        deadline = time.monotonic() + 10
        while (found := self.ask("document.readyState === 'complete' && document.body.className")) != look:
            assert time.monotonic() < deadline, f"the page is {found!r}, not {look!r}"
        self.ask("new Promise((done) => setTimeout(done, 60))")
        return str(self.ask("document.body.innerText"))

    def sees(self, amounts: set[str]) -> None:
        """Until the page has shown all of them; WATCH is on it."""
        deadline = time.monotonic() + 10
        while lacking := amounts - set(self.ask("[...seenAmounts]")):
            assert time.monotonic() < deadline, f"the page never showed {sorted(lacking)}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: the page is not looked at here")
    home = tmp_path_factory.mktemp("chromium")
    quiet = ["--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-gpu"]
    command = [CHROMIUM, "--headless", "--no-sandbox", *quiet, f"--user-data-dir={home}", "--remote-debugging-port=0"]
    with subprocess.Popen([*command, "about:blank"], stderr=subprocess.PIPE, text=True) as chromium:
        assert chromium.stderr
        port = next(int(found[1]) for line in chromium.stderr if (found := re.search(r"ws://127.0.0.1:(\d+)/", line)))
        opened = Browser(port)
        yield opened
        opened.socket.close()
        chromium.terminate()


@pytest.fixture
def server() -> Iterator[SignServer]:
    sign = SignServer("127.0.0.1", 0, time.monotonic, keep_alive_s=0.5)
    yield sign
    sign.close()


def told(board: dict[str, Any], silence: float = 0.0, bank_time: float = 0.0) -> dict[str, Any]:
    """The document of a sign that was told this board, so many seconds after the bank was last heard.

    `bank_time`: seconds since the bank opened, as its last heartbeat told. A board's own key "offer" is the heartbeat's.
    """
    board = dict(board)
    offered = {"offer": board.pop("offer")} if "offer" in board else {}
    sign = SignBoard(0.0, time_of_day(6), ZoneInfo("America/New_York"))
    sign.meters(payload(board), 0.0, retained=True)
    sign.alive(payload(heartbeat(bank_time, board=board["version"], **offered)), 0.0)
    return document(sign.page(silence))


def meters(*amounts: str) -> list[dict[str, Any]]:
    names = ("mega", "major", "minor", "mini", "micro", "nano")
    return [meter(name, amount) for name, amount in zip(names, amounts, strict=False)]


WON = board("10000.21", seconds=2, won=[won(hand="royal flush<b>", seconds=1)])
THREE = board(meters=meters("48213.75", "3120.40", "612.05"), pending=[pending("major")])
PENDING = board(meters=[meter("main", "10000.00", 1)], pending=[pending(amount="48213.75")])
TWO = board(
    meters=[meter("main", "9000.00", 2)],
    pending=[pending(amount="9001.41"), pending(amount="1000.00", claim="uth-04:12:2:19")],
)
TWO_METERS = board(
    meters=[meter("main", "10000.00", 1), meter("five_card", "50000.00", 1, "Five Card")],
    pending=[pending(amount="9001.41"), pending("five_card", "9999999.99")],
)
CROWDED = board(
    meters=meters(*["9999999.99"] * 3),
    pending=[pending(name, "9999999.99") for name in ("mega", "mega", "major", "minor")],
    won=[won(meter="mega", amount="9999999.99")],
)
EVENING = board(
    meters=meters("48213.75", "3120.40", "612.05"),
    won=[won(f"uth-04:{n}:3:18", -600 * n, meter="mega", amount="9999999.99") for n in range(1, 6)],
)
PAYS, PAYS_THREE = board(offer=offer("A")), board(meters=meters("48213.75", "3120.40", "612.05"), offer=offer("C"))
LONGEST = board(meters=meters(*["9999999.99"] * 3), won=[won(meter="mega", amount="9999999.99")])


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("payload", "silence", "look", "words"),
    [
        (board(), 0, "live", ["ULTIMATE TEXAS HOLD ’EM PROGRESSIVE", "JACKPOT", "$10,012.34"]),
        (PENDING, 0, "live", ["PENDING · BEING VERIFIED", "$48,213.75", "NEXT JACKPOT", "$10,000.00"]),
        (TWO, 0, "live", ["2 PENDING · BEING VERIFIED", "HAND 1", "$9,001.41", "HAND 2", "$1,000.00", "$9,000.00"]),
        (TWO_METERS, 0, "live", ["JACKPOT", "$9,001.41", "FIVE CARD", "$9,999,999.99", "$50,000.00"]),
        (WON, 0, "live winning", ["JACKPOT WON", "$10,012.34", "oyal flush<b> · table UTH-04", "$10,000.21"]),
        (board(), 21, "updating", ["$10,012.34", "UPDATING"]),
        (board(), 31, "paused", ["Progressive paused"]),
        (PENDING, 31, "paused", ["Progressive paused"]),
    ],
)
def test_what_the_page_shows(
    browser: Browser, server: SignServer, payload: dict[str, Any], silence: float, look: str, words: list[str]
) -> None:
    server.publish(told(payload, silence))
    browser.open(server)
    text = browser.becomes(look).replace("\u00a0", " ")
    assert [word for word in words if word not in text] == [], text
    if look == "paused":
        assert "$" not in text and "dealer" not in text
    if payload["pending"]:
        assert "uth-04" not in text.lower()


@pytest.mark.chromium
def test_before_any_board_the_page_shows_no_amount(browser: Browser, server: SignServer) -> None:
    browser.open(server)
    text = browser.becomes("waiting")
    assert "CONNECTING" in text and "$" not in text


@pytest.mark.chromium
def test_news_are_pushed_and_a_meter_falls_only_with_an_award(browser: Browser, server: SignServer) -> None:
    server.publish(told(board("10012.34")))
    browser.open(server)
    browser.becomes("live")
    server.publish(told(board("10000.00", version=2, pending=[pending()])))
    browser.ask("new Promise((done) => setTimeout(done, 200))")
    text = browser.becomes("live")
    assert "$10,000.00" in text and "PENDING · BEING VERIFIED" in text
    server.publish(told(board("10000.00", version=3, won=[won()])))
    assert "$10,012.34" in browser.becomes("live winning")


@pytest.mark.chromium
def test_when_the_server_is_gone_the_page_grows_stale_by_itself(browser: Browser) -> None:
    server = SignServer("127.0.0.1", 0, time.monotonic)
    server.publish(told(board()) | {"stale": {"still_ms": 300, "updating_ms": 600, "paused_ms": 900}})
    browser.open(server)
    deadline = time.monotonic() + 10
    while browser.ask("document.readyState !== 'complete' || document.body.className === 'waiting'"):
        assert time.monotonic() < deadline, "the page never heard of a board"
    server.close()
    assert "$" not in browser.becomes("paused")


WATCH = """
  window.seenAmounts = new Set();
  (function look() {
    for (const amount of document.querySelectorAll(".amount")) seenAmounts.add(amount.textContent);
    requestAnimationFrame(look);
  })();
"""


def royal(amount: str, *others: str, steps: int, back: str = "") -> list[dict[str, Any]]:
    """Boards of a claim: the meter stands at `amount`, is frozen, plays on to the others, and is paid or given `back`."""
    story = [board(meters=[meter("main", amount, steps)])]
    for cents, stands in enumerate(("10000.00", *others)):
        story.append(board(meters=[meter("main", stands, steps + 1)], pending=[pending(amount=amount)], seconds=cents))
    last, after = (back, steps + 2) if back else (others[-1], steps + 1)
    return [*story, board(meters=[meter("main", last, after)])]


STORIES = [
    royal("9001.41", "10000.21", "10000.42", steps=2),
    royal("48213.75", "10000.21", "10009.99", steps=0),
    royal("48213.75", "10000.21", steps=0, back="48213.96"),
    royal("9001.41", "10000.21", steps=4, back="9001.62"),
]


@pytest.mark.chromium
@pytest.mark.parametrize(
    "story",
    some(STORIES, keep=STORIES[1:2]),
    ids=["reseeded upward", "reseeded downward", "given back upward", "given back downward"],
)
def test_while_a_win_is_pending_every_figure_is_the_win_or_the_meter(
    browser: Browser, server: SignServer, story: list[dict[str, Any]]
) -> None:
    server.publish(told(story[0]))
    browser.open(server)
    browser.becomes("live")
    browser.ask(WATCH)
    true: set[str] = set()
    for one in story:
        true |= {f"${float(each['amount']):,.2f}" for each in (*one["meters"], *one["pending"])}
        server.publish(told(one))
        browser.sees(true)
    browser.ask("new Promise((done) => setTimeout(done, 400))")
    assert set(browser.ask("[...seenAmounts]")) <= true | {""}


@pytest.mark.chromium
def test_a_win_stays_for_the_evening_and_is_not_said_twice(browser: Browser, server: SignServer) -> None:
    """21:07 in Pittsburgh: 12 hours and 7 minutes after the bank opened."""
    paid = 12 * 3600.0 + 420
    one = board(seconds=paid, won=[won(seconds=paid, amount="9001.41")])
    server.publish(told(one, bank_time=paid + 1))
    browser.open(server)
    assert "Won today" not in browser.becomes("live winning")
    server.publish(told(one, bank_time=paid + 3600))
    browser.ask("new Promise((done) => setTimeout(done, 200))")
    assert "Won today 9:07 PM $9,001.41" in browser.becomes("live").replace("\u00a0", " ")
    server.publish(told(one, bank_time=paid + 9 * 3600))
    browser.ask("new Promise((done) => setTimeout(done, 200))")
    assert "Won today" not in browser.becomes("live")


FROM_THE_START = (
    "(() => { const real = performance.now.bind(performance), at = real(); performance.now = () => real() - at; })()"
)
EIGHT_SECONDS_LATER = (
    "(() => { const real = performance.now.bind(performance); performance.now = () => real() + 8000; })()"
)


@pytest.mark.chromium
def test_the_sign_says_in_turn_what_a_bet_costs_and_pays_and_what_envy_brings(
    browser: Browser, server: SignServer
) -> None:
    server.publish(told(PAYS))
    browser.open(server)
    browser.becomes("live")
    browser.ask(FROM_THE_START)
    strip = "document.querySelector('#pays').innerText.replaceAll(/\\s+/g, ' ')"
    browser.ask("new Promise((done) => setTimeout(done, 100))")
    said = browser.ask(strip)
    assert "$1 LIGHTS YOUR SEAT ROYAL FLUSH 100% STRAIGHT FLUSH 10% FOUR OF A KIND $300" in said, said
    browser.ask(EIGHT_SECONDS_LATER)
    browser.ask("new Promise((done) => setTimeout(done, 100))")
    assert browser.ask(strip) == "Envy ANOTHER’S HAND WINS YOU ROYAL FLUSH $1,000 STRAIGHT FLUSH $300"


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("payload", "silence", "look"), [(WON | {"offer": offer()}, 0, "live winning"), (PAYS, 31, "paused")]
)
def test_no_bet_is_offered_beside_a_win_or_while_none_is_taken(
    browser: Browser, server: SignServer, payload: dict[str, Any], silence: float, look: str
) -> None:
    server.publish(told(payload, silence))
    browser.open(server)
    browser.becomes(look)
    assert browser.ask("document.querySelector('#pays').offsetParent") is None


@pytest.mark.chromium
def test_the_page_tells_that_it_was_drawn(browser: Browser, server: SignServer) -> None:
    server.publish(told(board()))
    browser.open(server)
    browser.becomes("live")
    deadline = time.monotonic() + 10
    while server.undrawn_s is None:
        assert time.monotonic() < deadline
    assert server.undrawn_s < 10


@pytest.mark.chromium
def test_the_sign_has_its_fonts_with_it(browser: Browser, server: SignServer) -> None:
    server.publish(told(board()))
    browser.open(server)
    browser.becomes("live")
    faces = "[...await document.fonts.ready].filter((one) => one.status === 'loaded').map((one) => one.family)"
    assert set(browser.ask(f"(async () => {faces})()")) == {"Sign Figures", "Sign Words"}
    families = "[...document.querySelectorAll('body *')].map((one) => getComputedStyle(one).fontFamily)"
    firsts = {family.split(",")[0].strip('"') for family in browser.ask(families)}
    assert firsts == {"Sign Figures", "Sign Words"}


@pytest.mark.chromium
def test_who_wants_less_motion_sees_none(browser: Browser, server: SignServer) -> None:
    prefers = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    browser.do("Emulation.setEmulatedMedia", **prefers)
    try:
        for payload, look in ((CROWDED, "live winning"), (PAYS, "live")):
            server.publish(told(payload))
            browser.open(server)
            browser.becomes(look)
            assert browser.ask("document.getAnimations().length") == 0
        server.publish(told(board("10012.34")))
        browser.ask("new Promise((done) => setTimeout(done, 200))")
        server.publish(told(board("10912.34")))
        browser.ask("new Promise((done) => setTimeout(done, 200))")
        assert "$10,912.34" in browser.becomes("live"), "it steps"
    finally:
        browser.do("Emulation.setEmulatedMedia", features=[])


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("payload", "silence", "look", "said"),
    [
        (board(), 0, "live", ""),
        (PENDING, 0, "live", "Jackpot: $48,213.75 pending, being verified."),
        (board(won=[won()]), 0, "live winning", "Jackpot won: $10,012.34, royal flush."),
        (PENDING, 31, "paused", "Progressive paused."),
    ],
    ids=["running", "pending", "won", "paused"],
)
def test_what_a_screen_reader_says_is_what_changed_and_never_the_running_figures(
    browser: Browser, server: SignServer, payload: dict[str, Any], silence: float, look: str, said: str
) -> None:
    server.publish(told(payload, silence))
    browser.open(server)
    browser.becomes(look)
    assert browser.ask("document.querySelector('[aria-live=polite]').textContent") == said
    assert browser.ask("document.querySelectorAll('[aria-live]').length") == 1


OUTSIDE = """
[...document.querySelectorAll(
  "h1, h2, .amount, .which, .notice, .pending, .next, .crown, .who, .also, #today, #linked, #mark, "
  + "#pays li > *, #pays p > *")]
  .filter((element) => element.offsetParent !== null && element.textContent !== "")
  .map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const place = (element.closest(".meter, #won, #pays li, #pays p") ?? element.parentElement).getBoundingClientRect();
    const out = Math.max(place.left - text.left, text.right - place.right, place.top - text.top,
      text.bottom - Math.min(place.bottom, innerHeight));
    return [element.className || element.localName, element.textContent, Math.round(out)];
  })
  .filter(([, , out]) => out > 1)
"""


OVERLAPS = """
(() => {
  const texts = "h1, h2, .amount, .which, .notice, .pending, .next, .crown, .who, .also, #today, footer, "
    + "#pays li > *, #pays p > *";
  const boxes = [...document.querySelectorAll(texts)]
    .filter((element) => element.offsetParent !== null && element.textContent.trim() !== "")
    .map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right, top, bottom, height } = range.getBoundingClientRect();
      const ink = { left, right, top: top + 0.19 * height, bottom: bottom - 0.19 * height }; // of capitals and figures
      return [element.className || element.id || element.localName, element.textContent, ink];
    });
  return boxes.flatMap(([a, said, one], at) => boxes.slice(at + 1)
    .filter(([, , other]) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0)
    .map(([b, also]) => [a, said, b, also]));
})()
"""


@pytest.mark.chromium
@pytest.mark.parametrize(
    "size", some([(1920, 1080), (3840, 2160), (1080, 1920), (800, 480), (1280, 720)], keep=[(1920, 1080)])
)
@pytest.mark.parametrize(
    ("payload", "silence", "look"),
    [
        *[(board(), 0, "live"), (THREE, 0, "live"), (LONGEST, 0, "live winning"), (THREE, 40, "paused")],
        *[(PENDING, 0, "live"), (TWO, 0, "live"), (TWO_METERS, 0, "live"), (CROWDED, 0, "live winning")],
        *[(EVENING, 0, "live"), (CROWDED, 40, "paused winning")],
        *[(PAYS, 0, "live"), (PAYS_THREE, 0, "live"), (PENDING | {"offer": offer()}, 0, "live")],
        *[(THREE | {"offer": offer("C")}, 0, "live"), (TWO_METERS | {"offer": offer()}, 0, "live")],
    ],
    ids=[
        "one",
        "three",
        "longest",
        "paused",
        "pending",
        "two",
        "two meters",
        "crowded",
        "evening",
        "crowded paused",
        "prizes",
        "prizes of three",
        "prizes, pending",
        "prizes, one of three pending",
        "prizes, two meters pending",
    ],
)
def test_no_text_leaves_its_place(
    browser: Browser, server: SignServer, size: tuple[int, int], payload: dict[str, Any], silence: float, look: str
) -> None:
    server.publish(told(payload, silence))
    browser.open(server, *size)
    browser.becomes(look)
    assert browser.ask(OUTSIDE) == []
    assert browser.ask(OVERLAPS) == []


@pytest.mark.chromium
def test_upright_the_title_is_not_broken_before_its_last_word(browser: Browser, server: SignServer) -> None:
    """It was: ULTIMATE TEXAS HOLD / 'EM PROGRESSIVE."""
    server.publish(told(board()))
    browser.open(server, 1080, 1920)
    browser.becomes("live")
    lines = """(() => {
      const text = document.getElementById("title").firstChild, lines = [];
      [...text.data].forEach((letter, at) => {
        const range = document.createRange();
        range.setStart(text, at); range.setEnd(text, at + 1);
        const top = Math.round(range.getBoundingClientRect().top);
        if (letter !== " " && (!lines.length || Math.abs(lines.at(-1).top - top) > 5)) lines.push({ top, said: "" });
        lines.at(-1).said += letter;
      });
      return lines.map((line) => line.said.trim());
    })()"""
    said = [line.replace("\u00a0", " ") for line in browser.ask(lines)]
    assert any("Hold ’Em" in line for line in said), said


@pytest.mark.chromium
@pytest.mark.parametrize("amount", ["10012.34", "999999.99"])
def test_upright_the_amount_fills_the_panel(browser: Browser, server: SignServer, amount: str) -> None:
    server.publish(told(board(amount)))
    browser.open(server, 1080, 1920)
    browser.becomes("live")
    heading, figures = "document.querySelector('.tier0 h2')", "document.querySelector('.tier0 .amount')"
    tall = browser.ask(f"{figures}.getBoundingClientRect().bottom - {heading}.getBoundingClientRect().top")
    assert tall >= 1920 / 3


@pytest.mark.chromium
@pytest.mark.parametrize("amounts", [["9999999.99"], ["9999999.99"] * 3])
def test_the_top_meter_has_figures_of_200_pixels(browser: Browser, server: SignServer, amounts: list[str]) -> None:
    server.publish(told(board(meters=meters(*amounts))))
    browser.open(server)
    browser.becomes("live")
    assert browser.ask("parseFloat(getComputedStyle(document.querySelector('.tier0 .amount')).fontSize)") >= 200


@pytest.mark.chromium
def test_a_climbing_meter_does_not_jitter(browser: Browser, server: SignServer) -> None:
    """All figures are equally wide, so the amount keeps its width while it climbs."""
    widths = []
    for amount in ("11111.11", "48213.75", "98888.88"):
        server.publish(told(board(amount)))
        browser.open(server)
        browser.becomes("live")
        box = "const r = document.createRange(); r.selectNodeContents(document.querySelector('.tier0 .amount'));"
        widths.append(browser.ask(f"(() => {{ {box} return r.getBoundingClientRect().width; }})()"))
    assert max(widths) - min(widths) < 1
