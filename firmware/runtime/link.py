"""MQTT, the one door to paho. It carries bytes both ways and says whether there is a connection; it promises nothing.

paho's thread only puts into the process's inbox. What must not be lost lives in an outbox and is sent until the other
side has committed it (docs/mqtt.md); so nothing here queues beyond what paho has in flight.
"""

from __future__ import annotations

import queue
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from firmware.config import ConfigError, LinkConfig, parse_address, read_plain
from firmware.rules.message import Message, say
from firmware.wire.payload import PAYLOAD_MAX

KEEPALIVE_S = 5
RECONNECT_MIN_S, RECONNECT_MAX_S = 1, 3


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message came in. At most PAYLOAD_MAX + 1 bytes are kept of a payload: enough to refuse it."""

    topic: str
    payload: bytes
    at_ns: int
    retained: bool = False
    """The broker kept it for whoever comes later: said once, who knows when."""


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker took us; subscriptions are made anew, retained messages follow."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """There is no broker, and why."""

    why: Message
    at_ns: int


LinkSignal = Arrived | Connected | Disconnected


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker says of us when we are gone."""

    topic: str
    payload: bytes


class Link:
    """One MQTT connection that reconnects for ever."""

    def __init__(
        self,
        config: LinkConfig,
        name: str,
        topics: Sequence[tuple[str, int]],
        put: Callable[[LinkSignal], None],
        will: Will | None = None,
        *,
        lasting: bool = True,
    ) -> None:
        """`name` is the client's and must be unique at the broker. Raises ConfigError.

        `lasting`: with a will, the broker keeps for this name what is said while it is away.
        """
        self._address = parse_address(config.broker)
        self._topics = list(topics)
        self._put = put
        self.connected = False
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            clean_session=will is None or not lasting,
            protocol=mqtt.MQTTv311,
        )
        client.max_queued_messages_set(1000)
        client.max_inflight_messages_set(200)
        client.reconnect_delay_set(RECONNECT_MIN_S, RECONNECT_MAX_S)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        client.on_socket_open = _without_delay
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        if config.username:
            client.username_pw_set(config.username, _secret(config.password_file))
        if self._address.tls:
            _trust(client, config)
        self._client = client

    def start(self) -> None:
        """Connect in the background."""
        self._client.connect_async(self._address.host, self._address.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Send now if there is a connection; otherwise it is not sent, and whoever owes it sends it again."""
        if self.connected:
            self._client.publish(topic, payload, qos=qos, retain=retain)

    def close(self) -> None:
        """Say goodbye and end the thread."""
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(
        self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        if reason.is_failure:
            self._put(Disconnected(say("link.broker-refused", reason=str(reason)), time.monotonic_ns()))
            return
        if self._topics:
            client.subscribe(self._topics)
        self.connected = True
        self._put(Connected(time.monotonic_ns()))

    def _on_disconnect(self, *_args: object) -> None:
        self.connected = False
        self._put(Disconnected(say("link.broker-gone"), time.monotonic_ns()))

    def _on_connect_fail(self, *_args: object) -> None:
        self.connected = False
        self._put(Disconnected(say("link.no-broker"), time.monotonic_ns()))

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        payload = bytes(message.payload[: PAYLOAD_MAX + 1])
        self._put(Arrived(message.topic, payload, time.monotonic_ns(), bool(message.retain)))


class NoLink:
    """The link of a table without a progressive wager: it never connects, and owes nobody anything."""

    connected = False

    def start(self) -> None:
        """There is no broker to connect to."""

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Nobody would hear it."""

    def close(self) -> None:
        """There is nothing to say goodbye to."""


@dataclass(frozen=True, slots=True)
class Visited:
    """How far a visit to a broker came.

    failed: "reach", "tls" or "taken", "" where nothing did, and `why`. may_write: the broker's own word, None where it gives
    none. heard: something was said under the topic that was listened to.
    """

    failed: str = ""
    why: str = ""
    may_write: bool | None = None
    heard: bool | None = None


VISIT_S = 10.0


def visit(config: LinkConfig, name: str, writes: str, payload: bytes, listens: str) -> Visited:
    """Connect once as `name`, say `payload` under `writes` to be kept, listen, and leave. Raises ConfigError.

    By MQTT 5, in which a broker says that it did not take a message. Nobody else may be connected under that name.
    """
    address = parse_address(config.broker)
    try:
        with socket.create_connection((address.host, address.port), VISIT_S) as reached:
            if address.tls:
                _context(config).wrap_socket(reached, server_hostname=address.host).close()
    except ssl.SSLError as error:
        return Visited("tls", getattr(error, "verify_message", "") or str(error))
    except OSError as error:
        return Visited("reach", str(error))
    return _Visit(config, name, writes, payload, listens).made()


def _context(config: LinkConfig) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=config.ca_file or None)
    if config.certificate:
        context.load_cert_chain(config.certificate, config.key)
    return context


class _Visit:
    """One visit after the broker was reached."""

    def __init__(self, config: LinkConfig, name: str, writes: str, payload: bytes, listens: str) -> None:
        self._said: queue.Queue[tuple[str, object]] = queue.Queue()
        self._writes, self._payload, self._listens = writes, payload, listens
        self._address = parse_address(config.broker)
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
        client.on_connect = lambda _c, _d, _f, reason, _p: self._said.put(("connected", reason))
        client.on_disconnect = lambda _c, _d, _f, reason, _p: self._said.put(("gone", reason))
        client.on_connect_fail = lambda *_: self._said.put(("gone", "it closed the connection"))
        client.on_publish = lambda _c, _d, _mid, reason, _p: self._said.put(("written", reason))
        client.on_message = lambda *_: self._said.put(("heard", None))
        if config.username:
            client.username_pw_set(config.username, _secret(config.password_file))
        if self._address.tls:
            _trust(client, config)
        self._client = client

    def made(self) -> Visited:
        """What came of it."""
        self._client.connect_async(self._address.host, self._address.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()
        try:
            what, reason = self._next("connected")
            if what != "connected" or getattr(reason, "is_failure", False):
                return Visited("taken", str(reason or "it does not answer"))
            self._client.subscribe(self._listens, qos=1)
            self._client.publish(self._writes, self._payload, qos=1, retain=True)
            written, reason = self._next("written")
            may_write = not getattr(reason, "is_failure", False) if written == "written" else None
            return Visited("", "", may_write, self._next("heard")[0] == "heard")
        finally:
            self._client.disconnect()
            self._client.loop_stop()

    def _next(self, wanted: str) -> tuple[str, object]:
        """The first word of that kind, or that the connection is gone; ("", None) where nothing comes in time."""
        until, held = time.monotonic() + VISIT_S, list[tuple[str, object]]()
        try:
            while True:
                said = self._said.get(timeout=max(0.0, until - time.monotonic()))
                if said[0] in (wanted, "gone"):
                    return said
                held.append(said)
        except queue.Empty:
            return "", None
        finally:
            for one in held:
                self._said.put(one)


def _without_delay(_client: mqtt.Client, _data: object, sock: mqtt.SocketLike) -> None:
    """paho leaves Nagle's delay on: up to 40 ms a message."""
    if isinstance(sock, socket.socket):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _trust(client: mqtt.Client, config: LinkConfig) -> None:
    """TLS: whom we trust, and who we are."""
    for named in filter(None, (config.ca_file, config.certificate, config.key)):
        read_plain(Path(named))
    try:
        client.tls_set(config.ca_file or None, config.certificate or None, config.key or None)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        named = ", ".join(filter(None, (config.ca_file, config.certificate, config.key)))
        raise ConfigError(f"link: {named}: {error}; ca_file, certificate and key are PEM files") from error


def _secret(path: str) -> str:
    try:
        return read_plain(Path(path)).decode("utf-8").strip()
    except (ConfigError, UnicodeDecodeError) as error:
        raise ConfigError(f"link.password_file: {path}: {error}; name a file that this user can read") from error
