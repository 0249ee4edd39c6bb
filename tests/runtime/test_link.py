"""The link against brokers that do what real ones do: refuse, hang up, fall silent, talk nonsense, throw off."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from firmware.config import LinkConfig
from firmware.proof.simulation.processes import free_port
from firmware.runtime import link as link_runtime
from firmware.runtime.link import Arrived, Connected, Disconnected, Link, LinkSignal
from hal.workers import AGAIN_NS, revived
from tests.killer import kill, named
from ui.words import ENGLISH

TAKEN = bytes([0x20, 2, 0, 0])
"""CONNACK: accepted (MQTT 3.1.1, 3.2)."""
GOODBYE = bytes([0xE0, 0])

Call = Callable[[socket.socket], None]


class Broker:
    """Serves each call by the next of the scripts, the last one again and again."""

    def __init__(self, *scripts: Call, context: ssl.SSLContext | None = None) -> None:
        self._scripts, self._context = list(scripts), context
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.calls = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                call, _ = self._listening.accept()
                script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                self.calls += 1
                threading.Thread(target=self._answer, args=(call, script), daemon=True).start()

    def _answer(self, call: socket.socket, script: Call) -> None:
        with contextlib.suppress(OSError), call:
            script(self._context.wrap_socket(call, server_side=True) if self._context else call)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


def takes(call: socket.socket) -> None:
    """A broker as it should be: takes the client, answers its subscription and pings, until it says goodbye."""
    call.recv(4096)
    call.sendall(TAKEN)
    while said := call.recv(4096):
        if said.endswith(GOODBYE):
            return
        if said[0] == 0xC0:
            call.sendall(bytes([0xD0, 0]))


def refuses(code: int) -> Call:
    def script(call: socket.socket) -> None:
        call.recv(4096)
        call.sendall(bytes([0x20, 2, 0, code]))
        call.recv(4096)

    return script


def throws_off(call: socket.socket) -> None:
    """What a broker does when another client of this name comes: it ends this one's connection."""
    call.recv(4096)
    call.sendall(TAKEN)


def hangs_up(call: socket.socket) -> None:
    """A broker that has too many callers ends the connection unread."""


def says_nothing(call: socket.socket) -> None:
    while call.recv(4096):
        pass


def babbles(call: socket.socket) -> None:
    """A PUBLISH whose topic is longer than the message, and not UTF-8."""
    call.recv(4096)
    call.sendall(TAKEN + bytes([0x30, 6, 0, 200]) + b"\xff\xfe\xfd\xfc" + bytes([0x30, 4, 0, 2]) + b"\xff\xfe")
    call.recv(4096)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds at a table takes tenths here."""
    monkeypatch.setattr(link_runtime, "RECONNECT_MIN_S", 0.01)
    monkeypatch.setattr(link_runtime, "RECONNECT_MAX_S", 0.01)


@pytest.fixture
def opened() -> Iterator[Callable[..., tuple[Link, Queue[LinkSignal]]]]:
    links: list[Link] = []

    def start(broker: Broker | str, **given: str) -> tuple[Link, Queue[LinkSignal]]:
        heard: Queue[LinkSignal] = Queue()
        url = broker if isinstance(broker, str) else f"mqtt://127.0.0.1:{broker.port}"
        link = Link(LinkConfig(broker=url, **given), "felt-table-x", [("a", 1)], heard.put)
        links.append(link)
        link.start()
        return link, heard

    yield start
    for link in links:
        link.close()


Opened = Callable[..., tuple[Link, "Queue[LinkSignal]"]]


def why(heard: Queue[LinkSignal]) -> str:
    """The next reason for which there is no link."""
    while not isinstance(signal := heard.get(timeout=20), Disconnected):
        pass
    return ENGLISH(signal.why)


def until(kind: type, heard: Queue[LinkSignal]) -> None:
    while not isinstance(heard.get(timeout=20), kind):
        pass


# Each cause has its own sentence --------------------------------------------------------------------------------------


def test_a_port_at_which_nobody_listens(opened: Opened) -> None:
    port = free_port()
    _, heard = opened(f"mqtt://127.0.0.1:{port}")
    assert why(heard) == f"no broker runs at 127.0.0.1, port {port}"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "the broker's name bank.example is unknown"),
        (UnicodeError("label too long"), "the broker's name bank.example is unknown"),
        (TimeoutError("timed out"), "nobody answers at bank.example"),
        (OSError(113, "No route to host"), "no way to bank.example: No route to host"),
        (OSError(24, "Too many open files"), "no way to bank.example: Too many open files"),
        (MemoryError(), "the link failed: MemoryError: "),
    ],
)
def test_a_host_that_cannot_be_reached(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def fails(*_: object, **__: object) -> socket.socket:
        raise error

    monkeypatch.setattr(socket, "create_connection", fails)
    _, heard = opened("mqtt://bank.example")
    assert why(heard) == says


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (1, "Unsupported protocol version"),
        (2, "Client identifier not valid"),
        (3, "Server unavailable"),
        (4, "Bad user name or password"),
        (5, "Not authorized"),
    ],
)
def test_a_broker_that_refuses_says_why(opened: Opened, code: int, reason: str) -> None:
    _, heard = opened(Broker(refuses(code)))
    assert why(heard) == f"the broker refused: {reason}"


def test_a_broker_with_too_many_callers_hangs_up(opened: Opened) -> None:
    link, heard = opened(Broker(hangs_up, hangs_up, takes))
    assert why(heard) == "the broker hangs up at once; it may have too many callers"
    until(Connected, heard)
    assert link.connected


def test_a_broker_that_takes_the_call_and_says_nothing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_runtime, "KEEPALIVE_S", 1)
    monkeypatch.setattr(link_runtime, "ANSWER_S", 1.0)
    _, heard = opened(Broker(says_nothing, takes))
    assert why(heard) == "the broker does not answer; it may have too many callers"
    until(Connected, heard)


# TLS ------------------------------------------------------------------------------------------------------------------

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.now(datetime.UTC)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


class Papers:
    """An authority and what it signs, in a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.root = self._written(f"{name}.crt", self._signed(name, self._key, NOW - 900 * DAY, NOW + 900 * DAY, True))

    def certificate(
        self, begins: datetime.timedelta = -DAY, ends: datetime.timedelta = DAY, host: str = "127.0.0.1"
    ) -> tuple[str, str]:
        """The files of a certificate and of its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        signed = self._signed(host, key, NOW + begins, NOW + ends, False)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return self._written(f"{self._name}-own.crt", signed), self._written(f"{self._name}-own.key", pem)

    def _written(self, name: str, pem: bytes) -> str:
        (self._folder / name).write_bytes(pem)
        return str(self._folder / name)

    def _signed(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        begins: datetime.datetime,
        ends: datetime.datetime,
        authority: bool,
    ) -> bytes:
        builder = x509.CertificateBuilder(_name(self._name), _name(name), key.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(begins).not_valid_after(ends)
        builder = builder.add_extension(x509.BasicConstraints(authority, None), True)
        if not authority:
            names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(name))])
            builder = builder.add_extension(names, False)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


@pytest.fixture
def ours(tmp_path: Path) -> Papers:
    return Papers(tmp_path, "ours")


def tls(chain: tuple[str, str], trusts: str = "") -> Broker:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*chain)
    if trusts:
        context.load_verify_locations(trusts)
        context.verify_mode = ssl.CERT_REQUIRED
    return Broker(takes, context=context)


@pytest.mark.parametrize(
    ("begins", "ends", "host", "says"),
    [
        (-60 * DAY, -DAY, "127.0.0.1", "the broker's certificate has expired"),
        (DAY, 60 * DAY, "127.0.0.1", "the broker's certificate is not valid yet; is this clock right?"),
        (-DAY, DAY, "192.0.2.7", "the broker's certificate is not of the name 127.0.0.1"),
    ],
)
def test_a_certificate_that_is_not_believed(
    opened: Opened, ours: Papers, begins: datetime.timedelta, ends: datetime.timedelta, host: str, says: str
) -> None:
    broker = tls(ours.certificate(begins, ends, host))
    _, heard = opened(f"mqtts://127.0.0.1:{broker.port}", ca_file=ours.root)
    assert why(heard) == says


def test_the_link_is_back_by_itself_once_a_certificate_is_valid(opened: Opened, ours: Papers) -> None:
    """As after a clock that stood in the past was put right: nobody starts anything again."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*ours.certificate(DAY, 60 * DAY))
    _, heard = opened(f"mqtts://127.0.0.1:{Broker(takes, context=context).port}", ca_file=ours.root)
    assert why(heard) == "the broker's certificate is not valid yet; is this clock right?"
    context.load_cert_chain(*ours.certificate())
    until(Connected, heard)


def test_a_certificate_of_an_unknown_authority(opened: Opened, ours: Papers, tmp_path: Path) -> None:
    broker = tls(Papers(tmp_path, "theirs").certificate())
    _, heard = opened(f"mqtts://127.0.0.1:{broker.port}", ca_file=ours.root)
    assert why(heard) == "the broker's certificate is of an unknown authority"


def test_a_broker_that_refuses_the_certificate_of_this_machine(opened: Opened, ours: Papers) -> None:
    broker = tls(ours.certificate(), trusts=ours.root)
    _, heard = opened(f"mqtts://127.0.0.1:{broker.port}", ca_file=ours.root)
    assert why(heard) == "the broker refuses this machine's certificate: certificate required"


def test_an_own_certificate_that_has_expired(opened: Opened, ours: Papers, tmp_path: Path) -> None:
    broker = tls(ours.certificate(), trusts=ours.root)
    old, key = ours.certificate(-60 * DAY, -DAY)
    _, heard = opened(f"mqtts://127.0.0.1:{broker.port}", ca_file=ours.root, certificate=old, key=key)
    assert why(heard) == "the broker refuses this machine's certificate: certificate expired"


def test_a_broker_that_speaks_no_tls(opened: Opened, ours: Papers) -> None:
    def speaks_plainly(call: socket.socket) -> None:
        call.recv(4096)
        call.sendall(TAKEN * 2)

    broker = Broker(speaks_plainly)
    _, heard = opened(f"mqtts://127.0.0.1:{broker.port}", ca_file=ours.root)
    assert why(heard).startswith("the broker does not speak TLS as it should: ")


def test_a_broker_that_hangs_up_before_the_handshake(opened: Opened, ours: Papers) -> None:
    _, heard = opened(f"mqtts://127.0.0.1:{Broker(hangs_up).port}", ca_file=ours.root)
    assert why(heard) == "the broker hangs up: too many callers, or no TLS at this port"


def test_a_broker_that_is_silent_before_the_handshake(
    opened: Opened, ours: Papers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_runtime, "ANSWER_S", 0.5)
    broker = Broker(says_nothing)
    _, heard = opened(f"mqtts://127.0.0.1:{broker.port}", ca_file=ours.root)
    assert why(heard) == "the broker does not answer; it may have too many callers"


class Lines(logging.Handler):
    """The lines of a log as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.come: Queue[str] = Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.come.put(record.getMessage())


@pytest.fixture
def log() -> Iterator[Queue[str]]:
    lines = Lines()
    link_runtime.log.setLevel(logging.INFO)
    link_runtime.log.addHandler(lines)
    yield lines.come
    link_runtime.log.removeHandler(lines)
    link_runtime.log.setLevel(logging.NOTSET)


# Another machine of this name -----------------------------------------------------------------------------------------


def test_a_link_that_is_thrown_off_again_and_again_names_another_machine(
    opened: Opened, log: Queue[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Broker(throws_off, throws_off, throws_off, throws_off, takes)
    link, heard = opened(broker)
    assert [why(heard) for _ in range(4)] == ["the broker is gone", *["another machine uses the name felt-table-x"] * 3]
    until(Connected, heard)
    assert link.connected and link.contested, "a moment later it may be thrown off again"
    monkeypatch.setattr(link_runtime, "STANDS_NS", 0)
    link._wire.wake()
    place = f"127.0.0.1:{broker.port}"
    assert [log.get(timeout=10) for _ in range(5)] == [
        f"felt-table-x: linked to {place}",
        f"felt-table-x: no link to {place}: the broker is gone",
        f"felt-table-x: linked to {place}",
        f"felt-table-x: no link to {place}: another machine uses the name felt-table-x",
        f"felt-table-x: linked to {place}",
    ]
    assert not link.contested


def test_a_broker_that_was_started_again_is_no_other_machine(opened: Opened) -> None:
    link, heard = opened(Broker(throws_off, hangs_up, throws_off, hangs_up, takes))
    assert {why(heard) for _ in range(4)} == {
        "the broker is gone",
        "the broker hangs up at once; it may have too many callers",
    }
    assert not link.contested


# The thread, and the end ----------------------------------------------------------------------------------------------


def test_what_a_broker_says_wrong_ends_a_connection_and_no_thread(opened: Opened) -> None:
    link, heard = opened(Broker(babbles, takes))
    until(Disconnected, heard)
    until(Connected, heard)
    assert link.connected
    assert all(thread.is_alive() for thread in named("link"))


def test_a_link_whose_thread_died_is_not_connected_and_comes_back(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, heard = opened(Broker(takes))
    until(Connected, heard)
    (thread,) = [one for one in named("link") if one is link._worker._thread]
    kill(thread)
    link._wire.wake()
    thread.join(10)
    assert not thread.is_alive()
    with monkeypatch.context() as later:
        later.setattr(link_runtime, "DEAF_NS", 0)
        assert not link.connected, "nothing was heard and nothing was sent for a while"
    (said,) = [one for one in revived(time.monotonic_ns() + AGAIN_NS) if one.place == "thread link"]
    assert said.text == "it ended: Killed: ; it is started again"
    until(Connected, heard)
    assert link.connected


def test_what_was_said_before_the_end_is_sent_before_the_goodbye() -> None:
    said: Queue[bytes] = Queue()

    def hears(call: socket.socket) -> None:
        call.recv(4096)
        call.sendall(TAKEN)
        all_said = b""
        while chunk := call.recv(4096):
            all_said += chunk
        said.put(all_said)

    heard: Queue[LinkSignal] = Queue()
    link = Link(LinkConfig(broker=f"mqtt://127.0.0.1:{Broker(hears).port}"), "felt-table-x", [], heard.put)
    link.start()
    until(Connected, heard)
    link.publish("a", b"the last word")
    link.close()
    assert b"the last word" in (all_said := said.get(timeout=10)) and all_said.endswith(GOODBYE)
    assert not link.connected


def test_a_stop_at_any_moment_ends_without_a_trace(hasty: None) -> None:
    """paho's own `disconnect` and `loop_stop` raced with its ending thread, and one stop in a hundred was a crash."""
    broker, moment = Broker(takes, throws_off, hangs_up, takes, refuses(5), takes, throws_off), threading.Event()
    for number in range(60):
        link = Link(LinkConfig(broker=f"mqtt://127.0.0.1:{broker.port}"), "felt-table-x", [], lambda _: None)
        link.start()
        moment.wait(number % 6 / 1000)
        link.publish("a", b"")
        link.close()
        assert link._worker._thread is not None and not link._worker._thread.is_alive()


def test_a_message_that_this_link_did_not_ask_for_is_not_heard(opened: Opened) -> None:
    """amqtt 0.12.1 hands a client that connects every retained message; a neighbor's was taken for a second bank's."""

    def tells(call: socket.socket) -> None:
        call.recv(4096)
        call.sendall(TAKEN + bytes([0x31, 5, 0, 1]) + b"b" + b"no" + bytes([0x31, 5, 0, 1]) + b"a" + b"hi")
        while call.recv(4096):
            pass

    _, heard = opened(Broker(tells))
    until(Connected, heard)
    signal = heard.get(timeout=10)
    assert isinstance(signal, Arrived) and (signal.topic, signal.payload) == ("a", b"hi")


def test_a_retained_message_arrives_as_it_was_said(opened: Opened) -> None:
    def tells(call: socket.socket) -> None:
        call.recv(4096)
        call.sendall(TAKEN + bytes([0x31, 5, 0, 1]) + b"a" + b"hi")
        while call.recv(4096):
            pass

    _, heard = opened(Broker(tells))
    until(Connected, heard)
    signal = heard.get(timeout=10)
    assert isinstance(signal, Arrived) and (signal.topic, signal.payload, signal.retained) == ("a", b"hi", True)
