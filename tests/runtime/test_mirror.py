"""`felt mirror` in its own words, over a real broker, and as docs/tools.md shows it."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import time as time_of_day
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import IO, Any

import pytest
import yaml

from firmware.__main__ import main
from firmware.config import LinkConfig
from firmware.proof.simulation.processes import free_port
from firmware.runtime import mirror as m
from firmware.runtime import view
from firmware.runtime.link import Arrived, Connected, Link
from firmware.runtime.metrics import Metrics
from firmware.runtime.mirror import Ear, MirrorService
from firmware.runtime.signed_notes import PrivateKey
from firmware.runtime.view import Measure, View
from firmware.runtime.words import Refused, Voice
from firmware.wire.topics import BankTopics, TableTopics
from hal.debounce import Inbox
from hal.ports import Complaint
from hal.watchdog import Watchdog
from tests.test_systemd import mosquitto
from tests.ui.sign_payloads import board, heartbeat, meter, payload, pending, won

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
TOOLS = ROOT / "docs" / "examples" / "tools"
BLOCKS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
BANK, TABLE = BankTopics("felt"), TableTopics.of("felt", "uth-04")
MIDNIGHT = time_of_day(0)


def status(**other: Any) -> dict[str, Any]:
    return {
        "v": 1, "table": "uth-04", "journal": "0" * 32, "at": "2026-11-21T14:00:00.000Z", "phase": "deal", "round": 12,
        "dealer": "", "floor": None, "faults": [], "versions": {"program": "0.2.0", "rules": "", "wire": 1}, "live": True,
        "refused": {"unsealed": 0, "stranger": 0, "old": 0},
    } | other  # fmt: skip


def presence(**other: Any) -> dict[str, Any]:
    return {
        "v": 1, "table": "uth-04", "alive": True, "at": "2026-11-21T14:00:00.000Z", "journal": "0" * 32,
    } | other  # fmt: skip


WORDS = {
    BANK.meters: board("9001.41"),
    BANK.alive: heartbeat(),
    TABLE.status: status(),
    TABLE.alive: presence(),
}
"""One word of each kind that a mirror reads: docs/tools.md shows their values."""


class Broker:
    """A broker that keeps the words of a mirror."""

    connected = True

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.said: list[str] = []

    def start(self) -> None:
        """Nothing."""

    close = start

    def publish(self, topic: str, word: bytes, *, qos: int = 1, retain: bool = False) -> None:
        assert retain and qos == 1
        self.said.append(topic)
        if word:
            self.kept[topic] = word
        else:
            self.kept.pop(topic, None)


class Mirror(MirrorService):
    """One without a server and a broker."""

    def __init__(self, prefix: str = "") -> None:
        self.broker, self.shown = Broker(), list[Any]()
        served = SimpleNamespace(show=self.shown.append, address=("", 0), close=lambda: None)
        super().__init__("felt", MIDNIGHT, Inbox(0), self.broker, served, Watchdog({}), prefix=prefix, version="1")  # type: ignore[arg-type]

    def hears(self, words: dict[str, dict[str, Any]], *, retained: bool = False) -> None:
        self.turn([Arrived(topic, payload(word), 0, retained) for topic, word in words.items()])

    @property
    def values(self) -> dict[str, str]:
        return {topic: word.decode() for topic, word in sorted(self.broker.kept.items())}


def test_every_value_has_a_topic_of_its_own_and_is_what_the_document_shows() -> None:
    mirror = Mirror()
    mirror.hears(WORDS)
    assert "".join(f"{topic} {word}\n" for topic, word in mirror.values.items()) == BLOCKS[0]


def test_only_what_changed_is_said_and_all_of_it_to_a_broker_that_is_new() -> None:
    mirror = Mirror()
    mirror.hears(WORDS)
    mirror.broker.said.clear()
    mirror.hears({TABLE.status: status(round=13)})
    assert mirror.broker.said == ["felt-view/felt/table/uth-04/round"]
    mirror.broker.said.clear()
    mirror.turn([Connected(0)])
    assert sorted(mirror.broker.said) == sorted(mirror.values)


def test_a_meter_that_goes_is_forgotten_by_the_broker() -> None:
    mirror = Mirror()
    two = [meter("main"), meter("mini pot", "51.00")]
    mirror.hears({BANK.meters: board(meters=two)})
    assert mirror.values["felt-view/felt/meter/mini-pot"] == "51.00"
    mirror.hears({BANK.meters: board(version=2)})
    assert "felt-view/felt/meter/mini-pot" not in mirror.values


def test_claims_wins_the_floor_and_faults_are_counted() -> None:
    mirror = Mirror()
    wanted = {"reason": "called", "since": "2026-11-21T14:00:00.000Z"}
    mirror.hears({
        BANK.meters: board(pending=[pending()], won=[won()]),
        BANK.alive: heartbeat(),
        TABLE.status: status(floor=wanted, faults=["link", "shuffler"]),
    })  # fmt: skip
    values = {topic.removeprefix("felt-view/felt/"): word for topic, word in mirror.values.items()}
    assert (values["pending"], values["last-win"]) == ("1", "10012.34")
    assert (values["table/uth-04/floor"], values["table/uth-04/faults"]) == ("1", "2")


def seen(words: dict[str, dict[str, Any]], after_s: float = 0, *, retained: bool = False) -> dict[str, str]:
    """The values so long after these words came."""
    view = View("felt", MIDNIGHT, 0)
    for topic, word in words.items():
        view.hear(topic, payload(word), 0, retained=retained)
    return {reading.path: reading.text for reading in view.readings(after_s)}


def test_silence_and_farewells_are_seen_and_the_last_meters_stay() -> None:
    for gone in (seen(WORDS, 31), seen({**WORDS, BANK.alive: heartbeat(alive=False, epoch="")})):
        assert (gone["bank"], gone["meter/main"]) == ("0", "9001.41")
    assert seen(WORDS, 31)["table/uth-04/link"] == "0"
    assert seen({**WORDS, TABLE.alive: presence(alive=False)})["table/uth-04/link"] == "0"
    assert seen(WORDS, retained=True)["table/uth-04/link"] == "0", "what was kept says nothing about now"
    assert seen({})["bank"] == "0"


def test_a_word_that_is_none_changes_nothing_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    mirror = Mirror()
    mirror.hears(WORDS)
    before = mirror.values
    mirror.hears({BANK.meters: {"v": 1}, TABLE.status: status(table="uth-05", round=99), TABLE.alive: presence(v=9)})
    assert mirror.values == before
    assert [line.split(": ")[0] for line in caplog.messages] == [
        f"refused 1 at {topic}" for topic in (BANK.meters, TABLE.status, TABLE.alive)
    ]


def test_nothing_is_ever_said_under_felt() -> None:
    mirror = Mirror(prefix="homeassistant")
    mirror.hears(WORDS)
    assert {topic.partition("/")[0] for topic in mirror.broker.said} == {"felt-view", "homeassistant"}


@pytest.mark.parametrize("prefix", ["felt", "felt/felt/table", "felt-view", "a/#", "+", "", "/", "a//b"])
def test_a_prefix_that_is_felts_own_or_none_is_refused_in_one_line(
    prefix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["mirror", "--home-assistant", prefix])
    assert ended.value.code == 2
    assert "no prefix of topics" in capsys.readouterr().err.splitlines()[-1]


def test_home_assistant_is_told_of_every_value_once() -> None:
    mirror = Mirror(prefix="homeassistant")
    mirror.hears(WORDS)
    known = json.loads(mirror.broker.kept["homeassistant/device/felt-felt/config"])
    parts = known["components"].values()
    assert {part["state_topic"] for part in parts} == {*mirror.values} - {
        "felt-view/felt/mirror", "homeassistant/device/felt-felt/config",
    }  # fmt: skip
    assert len({part["unique_id"] for part in parts}) == len(parts)
    main_meter = known["components"]["felt-felt-meter-main"]
    assert main_meter["name"] == "Jackpot" and main_meter["unit_of_measurement"] == "USD"
    assert known["components"]["felt-felt-table-uth-04-floor"]["platform"] == "binary_sensor"
    mirror.broker.said.clear()
    mirror.hears({TABLE.status: status(round=13)})
    assert mirror.broker.said == ["felt-view/felt/table/uth-04/round"], "a value is no news of the device"


# The seals ------------------------------------------------------------------------------------------------------


class Heard:
    """The edge of a mirror's link."""

    def __init__(self) -> None:
        self.taken = list[Any]()
        self.ear = Ear("felt", self.taken.append, lambda: "")

    def hears(self, voice: Voice, topic: str, word: dict[str, Any]) -> Any:
        self.ear.arrived(Arrived(topic, voice.says(payload(word)), time.monotonic_ns()))
        return self.taken[-1]


def speaker(letter: bytes) -> Voice:
    return Voice(lambda: PrivateKey("felt/test", letter * 32))


def test_a_table_that_starts_again_is_believed_at_once_and_a_stranger_is_not() -> None:
    heard, first, again, stranger = Heard(), speaker(b"t"), speaker(b"t"), speaker(b"x")
    assert isinstance(heard.hears(first, TABLE.alive, presence()), Arrived)
    assert isinstance(heard.hears(again, TABLE.status, status()), Arrived)
    assert isinstance(heard.hears(stranger, TABLE.status, status(round=99)), Refused)
    assert isinstance(heard.hears(stranger, "felt/felt/table/uth-05/alive", presence(table="uth-05")), Arrived)


def test_a_crowd_of_made_up_tables_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(m, "TABLES_MOST", 1)
    heard, voice = Heard(), speaker(b"t")
    heard.hears(voice, TABLE.alive, presence())
    refused = heard.hears(voice, "felt/felt/table/uth-05/alive", presence(table="uth-05"))
    assert isinstance(refused, Complaint)


# As a process ---------------------------------------------------------------------------------------------------------


def follow(stream: IO[str], lines: Queue[str]) -> None:
    for line in stream:
        lines.put(line)


@contextmanager
def running(*told: str) -> Iterator[Queue[str]]:
    """`felt mirror`, and its lines as they come."""
    command = [sys.executable, "-m", "firmware", "--log", "INFO", "mirror", "--port", "0", *told]
    program = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    lines: Queue[str] = Queue()
    try:
        assert program.stderr is not None
        threading.Thread(target=follow, args=(program.stderr, lines), daemon=True).start()
        yield lines
    finally:
        program.send_signal(signal.SIGTERM)
        assert program.wait(10) == 0


def lines_with(lines: Queue[str], *parts: str) -> str:
    """The lines until each of these has stood in one, in any order."""
    told = ""
    while not all(part in told for part in parts):
        told += lines.get(timeout=20)
    return told


def speak(port: int, words: dict[str, dict[str, Any]]) -> Link:
    """A bank and a table at the broker, who say these words once."""
    linked: Queue[object] = Queue()
    link = Link(LinkConfig(broker=f"mqtt://127.0.0.1:{port}"), "bank-and-table", [], linked.put)
    link.start()
    while not isinstance(linked.get(timeout=20), Connected):
        pass
    bank, table = speaker(b"b"), speaker(b"t")
    for topic, word in words.items():
        link.publish(topic, (table if "/table/" in topic else bank).says(payload(word)))
    return link


def values_at(port: int, pattern: str, count: int) -> str:
    """The lines of mosquitto_sub until so many values have come."""
    program = shutil.which("mosquitto_sub")
    if not program:
        pytest.skip("mosquitto_sub is not installed: sudo apt-get install mosquitto-clients")
    told = ["--url", f"mqtt://127.0.0.1:{port}/{pattern}", "--verbose", "-C", str(count), "-W", "20"]
    return subprocess.run([program, *told], capture_output=True, text=True, timeout=30).stdout


@pytest.mark.mosquitto
def test_the_documented_line_prints_what_the_document_shows(tmp_path: Path) -> None:
    """The mirror is there before its broker; a bank and a table speak; mosquitto_sub and /metrics tell the same."""
    port = free_port()
    assert "mosquitto_sub --url mqtt://127.0.0.1:1883/felt-view/felt/# --verbose" in PAGE
    with running("--broker", f"mqtt://127.0.0.1:{port}") as lines:
        served = re.search(r"http://\S+/metrics", lines_with(lines, "/metrics", "no link"))
        with mosquitto(tmp_path, f"listener {port} 127.0.0.1\nallow_anonymous true\n"):
            lines_with(lines, "linked to")
            link = speak(port, WORDS)
            try:
                expected = set(BLOCKS[0].splitlines())
                until(lambda: expected <= set(values_at(port, "felt-view/felt/#", len(expected)).splitlines()))
                assert served
                metrics = urllib.request.urlopen(served[0], timeout=5).read().decode()
            finally:
                link.close()
    assert [line for line in BLOCKS[1].splitlines() if line not in metrics] == []
    if promtool := shutil.which("promtool"):
        checked = subprocess.run([promtool, "check", "metrics"], input=metrics, capture_output=True, text=True)
        assert (checked.returncode, checked.stderr) == (0, "")


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline


@pytest.mark.mosquitto
def test_a_house_hears_the_mirror_over_the_bridge_and_never_answers(tmp_path: Path) -> None:
    """The shipped lines, without TLS: a word of the house's broker does not come back."""
    ours, theirs = free_port(), free_port()
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    shipped = (TOOLS / "mosquitto-bridge.conf").read_text(encoding="ascii")
    bridge = re.sub(r"address .*", f"address 127.0.0.1:{theirs}", re.sub(r"bridge_cafile .*\n", "", shipped))
    plain = "listener {} 127.0.0.1\nallow_anonymous true\n"
    with (
        mosquitto(tmp_path / "theirs", plain.format(theirs)),
        mosquitto(tmp_path / "ours", plain.format(ours) + bridge),
    ):
        links = [
            told(ours, "felt-view/felt/meter/main", b"9001.41"),
            told(theirs, "felt-view/felt/meter/main", b"1"),
        ]
        line = "felt-view/felt/meter/main 9001.41\n"
        again = told(ours, "felt-view/felt/meter/main", b"9001.41")
        until(lambda: values_at(theirs, "felt-view/felt/#", 1) == line)
        assert values_at(ours, "felt-view/felt/#", 1) == line
        for link in (*links, again):
            link.close()


def told(port: int, topic: str, word: bytes) -> Link:
    linked: Queue[object] = Queue()
    link = Link(LinkConfig(broker=f"mqtt://127.0.0.1:{port}"), f"teller-{time.monotonic_ns()}", [], linked.put)
    link.start()
    while not isinstance(linked.get(timeout=20), Connected):
        pass
    link.publish(topic, word, retain=True)
    return link


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    taken = Metrics("127.0.0.1", 0, "felt")
    try:
        assert main(["mirror", "--port", str(taken.address[1])]) == 2
    finally:
        taken.close()
    [line] = capsys.readouterr().err.splitlines()
    assert "Address already in use; choose another" in line


# The files for other tools --------------------------------------------------------------------------------------------


METRICS = {f"felt_{one.name}" for one in vars(view).values() if isinstance(one, Measure)}


def test_the_dashboard_and_the_rules_ask_for_values_that_there_are() -> None:
    dashboard = json.loads((TOOLS / "grafana-felt.json").read_text(encoding="ascii"))
    rules = yaml.safe_load((TOOLS / "felt-alerts.yml").read_text(encoding="ascii"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    assert {name for one in asked for name in re.findall(r"felt_\w+", one)} <= METRICS
    assert all("felt_" in one for one in asked)


def test_promtool_takes_the_configuration_with_its_rules() -> None:
    promtool = shutil.which("promtool")
    if not promtool:
        pytest.skip("promtool is not installed: sudo apt-get install prometheus")
    checked = subprocess.run(
        [promtool, "check", "config", str(TOOLS / "prometheus.yml")], capture_output=True, text=True
    )
    assert checked.returncode == 0 and "6 rules found" in checked.stdout, checked.stdout + checked.stderr


def test_telegraf_and_node_red_listen_to_topics_that_there_are() -> None:
    telegraf = tomllib.loads((TOOLS / "telegraf.conf").read_text(encoding="ascii"))
    topics = telegraf["inputs"]["mqtt_consumer"][0]["topics"]
    flow = json.loads((TOOLS / "node-red-flow.json").read_text(encoding="ascii"))
    topics += [node["topic"] for node in flow if node["type"] == "mqtt in"]
    shown = dict(line.split(" ") for line in BLOCKS[0].splitlines())
    for topic in topics:
        found = [word for name, word in shown.items() if re.fullmatch(topic.replace("+", "[^/]+"), name)]
        assert found and all(re.fullmatch(r"[0-9.]+", word) for word in found), topic


def test_the_page_is_short() -> None:
    assert len(PAGE.split()) <= 900
