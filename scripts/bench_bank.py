"""How soon a bank says that it has booked a message, and how many it books a second: `scripts/bench bank` runs this.

The bank's own process over a real broker, and simulated tables that speak the wire: owed messages with their anchors,
heartbeats, how they stand. An acknowledgement is the time from publishing a message to the first `down` that holds it.
As many further connections hear what every table hears of its bank, so that the broker has all of its work; there is one
program for all tables, though, on the same machine. With `--flat-out` each table keeps messages under way as it does after
days without a bank; with `--against CHECKOUT` that bank, which speaks the same wire, is driven in turn with this one's.
"""

from __future__ import annotations

import argparse
import heapq
import json
import multiprocessing
import os
import random
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from firmware.config import LinkConfig, load_bank, submission
from firmware.proof.conformance.player import anchor_of
from firmware.proof.simulation.person import FLOOR, MANAGER
from firmware.proof.simulation.processes import Part, SimulatedBank, mosquitto_path
from firmware.rules.hands import HandName
from firmware.rules.money import cents
from firmware.runtime.adoption import SOCKET, Question, Signature, ask
from firmware.runtime.clock import utc_now
from firmware.runtime.link import Arrived, Connected, Link, NoLink
from firmware.runtime.outgoing import IN_FLIGHT_MAX, RESEND_NS, presence, with_anchor
from firmware.runtime.words import Heard, Voice
from firmware.wire.anchors import LedgerSeen
from firmware.wire.from_table import Body, ClaimMade, MadeWager, Owed, RefusedWords, Status, Verdict, Versions, Wagers
from firmware.wire.offers import WagerOffered, wagers_offered
from firmware.wire.payload import NO_HASH, hash_of, write
from firmware.wire.provenance import Echo, Said
from firmware.wire.topics import BankTopics, TableTopics
from hal.debounce import Inbox

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_latency import machine, p99, processor_s, verdict
from bench_start import journal_of, key_of, resident, write_config

ROOT = Path(__file__).resolve().parents[1]
S, MS = 1_000_000_000, 1_000_000
BANK = "felt"
BEAT_NS = 10 * S
"""A table's heart."""
AIM_MS, SHARE = 20.0, 0.8
CLAIM_ONE_IN = 20
ROWS_A_MESSAGE = 30
"""Rows of a table's journal for each message, about."""
PHASES = ("open", "count", "deal", "settle", "clear")
ON_A_LINK, QUEUED = 50, 1000
"""Tables that share one connection of this program at most: paho has a thread for each; and the messages that it keeps."""
CARDS = ("9h", "8h", "7h", "6h", "5h")
"""Keys that the wire before `firmware/wire` had not; it had no anchors, heartbeats of tables and standings either."""


def main() -> int:
    """Measure and print; the exit code."""
    options = options_of(sys.argv[1:])
    trees = [ROOT, *([options.against.resolve()] if options.against else [])]
    found: list[list[Taken]] = [[] for _ in trees]
    print(f"{machine(options.disk)}, {'mosquitto' if options.mosquitto else 'embedded broker'}", flush=True)
    for count in (int(count) for count in options.tables.split(",")):
        for turn in range(options.times):
            for tree, taken in zip(trees, found, strict=True):
                taken.append(measured(tree, count, options, options.seed + turn))
                print(f"{'here ' if tree is ROOT else 'there'} {taken[-1].told(count)}", flush=True)
        if len(trees) > 1:
            print(compared(*(taken[-options.times :] for taken in found)), flush=True)
    return 0


def options_of(given: Sequence[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="scripts/bench bank", description=__doc__)
    parser.add_argument("--tables", default="1,50,500", help="how many tables, one after the other (default 1,50,500)")
    parser.add_argument("--seconds", type=float, default=180, metavar="S", help="measured of each (default 180)")
    parser.add_argument("--period", type=float, default=45, metavar="S", help="from round to round (default 45)")
    parser.add_argument("--flat-out", action="store_true", help="as fast as the bank takes it, not a round a period")
    under_way = f"messages under way of each table, flat out (default 10; a table has at most {IN_FLIGHT_MAX})"
    parser.add_argument("--under-way", type=int, default=10, metavar="N", help=under_way)
    parser.add_argument("--times", type=int, default=1, metavar="N", help="runs of each (default 1)")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="the bank of another checkout, in turn")
    parser.add_argument("--mosquitto", action="store_true", help="this machine's mosquitto, not the embedded broker")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of rounds and claims (default 1)")
    parser.add_argument(
        "--disk", type=Path, default=Path("/var/tmp"), metavar="DIR", help="a folder on the disk (default /var/tmp)"
    )
    options = parser.parse_args(given)
    if options.mosquitto and mosquitto_path() is None:
        parser.error("--mosquitto: it is not installed; sudo apt-get install mosquitto")
    if not 1 <= options.under_way <= IN_FLIGHT_MAX:
        parser.error(f"--under-way: 1 to {IN_FLIGHT_MAX}")
    return options


# The view ------------------------------------------------------------------------------------------------------------


@dataclass
class Taken:
    """The result of one run. `acknowledged`: milliseconds of each message; the processor's are the bank's, in seconds."""

    flat_out: bool
    acknowledged: list[float] = field(default_factory=list)
    again: int = 0
    """Messages that were sent again, as they were not acknowledged in a table's time."""
    refused: int = 0
    """Tables whose messages the bank would not book: an alarm."""
    waiting: int = 0
    """Messages that were not acknowledged at the end."""
    seconds: float = 0.0
    processor: float = 0.0
    megabytes: float = 0.0
    load: float = 0.0

    @property
    def booked(self) -> float:
        """Messages a second."""
        return len(self.acknowledged) / self.seconds

    @property
    def processor_ms(self) -> float:
        """Milliseconds of the bank's processor a message, all else that it did counted in."""
        return 1000 * self.processor / max(1, len(self.acknowledged))

    def told(self, tables: int) -> str:
        """One line, and one of the aim."""
        times = self.acknowledged or [float("inf")]
        most = p99(times)
        aim = RESEND_NS / MS if self.flat_out else AIM_MS
        what = "under what a table waits before it sends again" if self.flat_out else "at most"
        return (
            f"{tables:>4} tables: acknowledged after {statistics.median(times):.1f} ms, p99 {most:.1f}, most "
            f"{max(times):.1f} (n {len(self.acknowledged)}); {self.booked:.1f} booked a second, "
            f"{self.processor_ms:.2f} ms of the bank's processor each, {self.megabytes:.1f} MB; sent again {self.again}, "
            f"waiting {self.waiting}, alarms {self.refused}; load {self.load:.1f}\n"
            f"      p99, aim: {what} {aim:g} ms: {verdict(most < aim)}"
        )


def compared(here: Sequence[Taken], there: Sequence[Taken]) -> str:
    """Medians of the runs, here beside there."""
    rates = [statistics.median(one.booked for one in taken) for taken in (here, there)]
    costs = [statistics.median(one.processor_ms for one in taken) for taken in (here, there)]
    return (
        f"      here {rates[0]:.0f} and there {rates[1]:.0f} a second: {rates[0] / rates[1]:.2f}; processor a message "
        f"{costs[0]:.2f} and {costs[1]:.2f} ms: {costs[1] / costs[0]:.2f}; aim, flat out: at least {SHARE}"
    )


def measured(tree: Path, count: int, options: argparse.Namespace, seed: int) -> Taken:
    """One run of a new bank."""
    tables = [f"t-{number}" for number in range(1, count + 1)]
    home = Path(tempfile.mkdtemp(prefix="felt-bench-", dir=options.disk))
    try:
        with started(tree, home, tables, mosquitto=options.mosquitto) as (bank, port, offered):
            run = Run(offered, tables, port, options, random.Random(seed))
            return run.measure(bank)
    finally:
        shutil.rmtree(home)


# Processes -----------------------------------------------------------------------------------------------------------


@contextmanager
def started(tree: Path, home: Path, tables: list[str], *, mosquitto: bool) -> Iterator[tuple[Part, int, WagerOffered]]:
    """Broker, the bank of that tree, and listeners; every table is adopted. Gives bank, port and its wager of a sensor."""
    write_config(home, tables)
    [offered, *_] = wagers_offered(submission(load_bank(home / "bank.toml"), home / "bank.toml").offers)
    around = SimulatedBank(home, mosquitto=mosquitto)
    listening = multiprocessing.get_context("fork").Process(
        target=listen, args=(around.broker_port, len(tables)), daemon=True
    )
    new = ["bank", "new", "--config", str(home / "bank.toml"), "--home", str(home)]
    command = [sys.executable, "-P", "-m", "firmware", *new]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tree)}, capture_output=True, check=False)
    with ExitStack() as stack:
        for part in (around.broker, bank_of(tree, home, around.bank)):
            stack.callback(part.stop)
            part.restart()
        bank = part
        listening.start()
        stack.callback(listening.join)
        stack.callback(listening.terminate)
        for number, table in enumerate(tables):
            adopt(home, table, journal_of(number))
        yield bank, around.broker_port, offered


def bank_of(tree: Path, home: Path, bank: Part) -> Part:
    """The same bank by the program of that tree: not of the folder where this one runs (-P)."""
    url = bank.command[list(bank.command).index("--broker") + 1]
    config = ["--config", str(home / "bank.toml"), "--home", str(home), "--broker", url]
    command = [sys.executable, "-P", "-m", "firmware", "--log", "INFO", "bank", *config]
    return Part("bank", command, home, {"PYTHONPATH": str(tree)})


def adopt(home: Path, table: str, journal: str) -> None:
    """The adoption of a new table by two people, at the bank that runs there."""
    answer = ask(home / SOCKET, Question(table, journal, (Signature(*FLOOR), Signature(*MANAGER))))
    if answer is None or answer.refused:
        raise SystemExit(f"{table} was not adopted: {answer.refused if answer else 'no bank listens'}")


def listen(port: int, count: int) -> None:
    """So many connections that hear board and heart, as each table does, and do nothing with it (MQTT 3.1.1, QoS 0)."""
    topics = BankTopics(BANK)
    selected = select.epoll()
    open_: dict[int, socket.socket] = {}
    for number in range(count):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(packet(0x10, text("MQTT"), b"\x04\x02\x00\x00", text(f"listener-{number}")))
        one.sendall(packet(0x82, b"\x00\x01", text(topics.meters), b"\x00", text(topics.alive), b"\x00"))
        open_[one.fileno()] = one
        selected.register(one, select.EPOLLIN)
    while open_:
        for found, _ in selected.poll():
            if not open_[found].recv(65536):
                selected.unregister(found)
                open_.pop(found).close()


def packet(kind: int, *parts: bytes) -> bytes:
    """A packet of MQTT shorter than 128 bytes."""
    body = b"".join(parts)
    assert len(body) < 128
    return bytes([kind, len(body)]) + body


def text(said: str) -> bytes:
    """Text in a packet of MQTT."""
    return len(said).to_bytes(2, "big") + said.encode()


# Tables --------------------------------------------------------------------------------------------------------------


@dataclass
class UnderWay:
    """A message that is not known to be booked; `at_ns`: when it was first sent."""

    seq: int
    payload: bytes
    at_ns: int


@dataclass
class Table:
    """A simulated table: how far it is, and what it heard."""

    name: str
    journal: str
    link: Link | NoLink
    topics: TableTopics
    seq: int = 0
    prev: str = NO_HASH
    round: int = 0
    rows: int = 1
    held: int = 0
    held_ns: int = 0
    """When it heard last that more is held."""
    claim: str = ""
    """The one that is to be paid."""
    claimed: int = 0
    """The last round with a claim."""
    priced: Mapping[str, Any] | None = None
    """As the bank said it."""
    seen: LedgerSeen | None = None
    epoch: str = ""
    sent_ns: int = 0
    under_way: deque[UnderWay] = field(default_factory=deque)
    voice: Voice | None = None
    """Seals what it says; None where the program that is measured knows no seals."""
    heard: Heard = field(default_factory=Heard)

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Say it as a table does."""
        said = self.voice.says(payload, self.heard.echoes) if self.voice else payload
        self.link.publish(topic, said, qos=qos, retain=retain)

    def hear(self, down: Mapping[str, Any], at_ns: int) -> Iterator[float]:
        """The message that the bank holds of this table; milliseconds of what it had not held before."""
        if down["seq"] > self.held:
            self.held, self.held_ns = down["seq"], at_ns
        self.epoch = down["epoch"]
        if said := down.get("said"):
            self.heard.hear(Said(said["key"], said["run"], said["number"], tuple(Echo(**one) for one in said["heard"])))
        if anchor := down.get("anchor"):
            self.seen = LedgerSeen(self.epoch, anchor["rows"], anchor["head"])
        self.priced = next((one for one in down["claims"] if one["claim"] == self.claim), None)
        while self.under_way and self.under_way[0].seq <= self.held:
            yield (at_ns - self.under_way.popleft().at_ns) / MS

    def say(self, offered: WagerOffered, chance: random.Random) -> bytes:
        """The next message, as it is hashed."""
        self.seq, self.rows = self.seq + 1, self.rows + ROWS_A_MESSAGE
        hashed = write(Owed(self.name, self.journal, self.seq, self.prev, self._next(offered, chance)))
        self.prev = hash_of(hashed)
        return hashed

    def anchored(self, hashed: bytes) -> bytes:
        """A message as it is sent now."""
        return with_anchor(hashed.decode(), anchor_of(self.journal, self.rows))

    def _next(self, offered: WagerOffered, chance: random.Random) -> Body:
        """Wagers; after some rounds a straight flush, which is paid as soon as it has a price."""
        if self.priced is not None:
            price, self.priced, name, self.claim = self.priced, None, self.claim, ""
            amount, version = cents(price["amount"]), price.get("version", 0)
            people = (FLOOR[0], MANAGER[0])
            return Verdict(name, True, amount, price["meter"], self.epoch, version, people, "bench")
        if self.claimed < self.round and not self.claim and chance.randrange(CLAIM_ONE_IN) == 0:
            self.claimed = self.round
            self.claim = f"{self.name}:{self.round}:3:{self.seq}"
            return ClaimMade(self.claim, self.round, 3, HandName.STRAIGHT_FLUSH, CARDS, FLOOR[0], offered.name, 1)
        self.round += 1
        return Wagers(self.round, (MadeWager.at(offered, 1, 3, 5),))


class Run:
    """All tables of one run, and who drives them."""

    def __init__(
        self,
        offered: WagerOffered,
        tables: Sequence[str],
        port: int,
        options: argparse.Namespace,
        chance: random.Random,
    ) -> None:
        self._offered, self._options, self._chance = offered, options, chance
        self._inbox = Inbox(0, capacity=1_000_000)
        self._due: list[tuple[int, int, str]] = []
        """A heap of moments, tables and what they do then."""
        self._taken = Taken(options.flat_out)
        self._tables: list[Table] = []
        self._links: list[Link] = []
        together = min(ON_A_LINK, QUEUED // options.under_way)
        for first in range(0, len(tables), together):
            names = tables[first : first + together]
            topics = [TableTopics.of(BANK, name) for name in names]
            link = Link(
                LinkConfig(broker=f"mqtt://127.0.0.1:{port}"),
                f"bench-{first}",
                [(one.down, 1) for one in topics],
                self._inbox.put,
            )
            self._links.append(link)
            for number, (name, topic) in enumerate(zip(names, topics, strict=True), start=first):
                voice = Voice(partial(key_of, number))
                self._tables.append(Table(name, journal_of(number), link, topic, voice=voice))
        self._by_topic = {table.topics.down: table for table in self._tables}

    def measure(self, bank: Part) -> Taken:
        """Connect, let things settle for a moment, measure."""
        try:
            for link in self._links:
                link.start()
            self._hear_all()
            self._begin(time.monotonic_ns())
            self._turn_until(time.monotonic_ns() + 5 * S)
            taken, began_ns, spent = self._taken, time.monotonic_ns(), processor_s(bank.pid)
            taken.acknowledged.clear()
            self._turn_until(began_ns + round(self._options.seconds * S))
            taken.seconds = (time.monotonic_ns() - began_ns) / S
            taken.processor, taken.megabytes = processor_s(bank.pid) - spent, resident(bank.pid)
            taken.waiting = sum(len(table.under_way) for table in self._tables)
            taken.load = os.getloadavg()[0]
            return taken
        finally:
            for link in self._links:
                link.close()

    def _hear_all(self) -> None:
        """Until every connection stands."""
        missing = len(self._links)
        while missing:
            missing -= sum(isinstance(signal, Connected) for signal in self._inbox.take(10))

    def _begin(self, now_ns: int) -> None:
        """Rounds, phases and hearts begin at moments of their own; flat out each table says all that it may."""
        period_ns = round(self._options.period * S)
        for number, table in enumerate(self._tables):
            if self._options.flat_out:
                self._fill(table)
                self._at(now_ns + RESEND_NS, number, "again")
            else:
                self._at(now_ns + self._chance.randrange(period_ns), number, "round")
                self._at(now_ns + self._chance.randrange(period_ns), number, "status")
            self._at(now_ns + self._chance.randrange(BEAT_NS), number, "beat")

    def _at(self, at_ns: int, number: int, what: str) -> None:
        heapq.heappush(self._due, (at_ns, number, what))

    def _turn_until(self, end_ns: int) -> None:
        while (now_ns := time.monotonic_ns()) < end_ns:
            due_ns = min(end_ns, self._due[0][0]) if self._due else end_ns
            for signal in self._inbox.take(max(0, due_ns - now_ns) / S):
                if isinstance(signal, Arrived) and not signal.retained:
                    self._hear(signal)
            now_ns = time.monotonic_ns()  # once: what falls due meanwhile waits until what came has been heard
            while self._due and self._due[0][0] <= now_ns:
                self._do(*heapq.heappop(self._due))

    def _hear(self, message: Arrived) -> None:
        table = self._by_topic[message.topic]
        down = json.loads(message.payload)  # no strict reader: what is measured is the bank, not these tables
        self._taken.refused += down["alarm"] is not None
        self._taken.acknowledged += table.hear(down, message.at_ns)
        if self._options.flat_out:
            self._fill(table)
        elif table.priced is not None:
            self._say(table)

    def _fill(self, table: Table) -> None:
        while len(table.under_way) < self._options.under_way:
            self._say(table)

    def _say(self, table: Table) -> None:
        """The next message."""
        hashed = table.say(self._offered, self._chance)
        table.sent_ns = time.monotonic_ns()
        table.under_way.append(UnderWay(table.seq, hashed, table.sent_ns))
        table.publish(table.topics.up, table.anchored(hashed))

    def _do(self, at_ns: int, number: int, what: str) -> None:
        """The act that is due at a table, and when it is due again."""
        table, period_ns = self._tables[number], round(self._options.period * S)
        if what == "round":
            self._say(table)
            self._at(at_ns + period_ns, number, what)
        elif what == "status":
            self._stand(table, at_ns)
            self._at(at_ns + period_ns // len(PHASES), number, what)
        elif what == "beat":
            beat = presence(
                table.name,
                table.journal,
                alive=True,
                anchor=anchor_of(table.journal, table.rows),
                ledger=table.seen,
            )
            table.publish(table.topics.alive, beat, qos=0, retain=True)
            self._at(at_ns + BEAT_NS, number, what)
        else:
            self._send_again(table, time.monotonic_ns())
            self._at(at_ns + RESEND_NS // 4, number, what)

    def _stand(self, table: Table, at_ns: int) -> None:
        phase = PHASES[at_ns * len(PHASES) // round(self._options.period * S) % len(PHASES)]
        versions = Versions("bench", "", 1)
        said = Status(
            table.name,
            table.journal,
            utc_now(),
            phase,
            table.round,
            "",
            None,
            (),
            versions,
            True,
            RefusedWords(0, 0, 0),
        )
        table.publish(table.topics.status, write(said), retain=True)

    def _send_again(self, table: Table, now_ns: int) -> None:
        """As a table does: all that is owed, where nothing was sent for so long, and nothing booked either."""
        last_ns = max(table.sent_ns, table.held_ns)
        if not table.under_way or now_ns - last_ns < RESEND_NS:
            return
        table.sent_ns = now_ns
        for one in table.under_way:
            self._taken.again += 1
            table.publish(table.topics.up, table.anchored(one.payload))


if __name__ == "__main__":
    sys.exit(main())
