"""MQTT, the one door to paho. It carries bytes both ways and says whether there is a connection; it promises nothing.

paho runs no thread: a worker of this process turns its sockets, and only puts into the process's inbox. A message
that must not be lost lives in an outbox and is sent until the other side has committed it (docs/mqtt.md); so nothing
here queues more than paho has in flight.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from firmware.config import Address, ConfigError, LinkConfig, parse_address, read_plain
from firmware.rules.message import NOTHING, Message, say
from firmware.wire.payload import PAYLOAD_MAX
from hal.workers import Worker
from ui.words import ENGLISH

log = logging.getLogger("felt.link")

S = 1_000_000_000
KEEPALIVE_S = 5
"""A connection over which nothing came for so long is asked whether it lives."""
ANSWER_S = 5.0
"""A host that does not answer for so long, or a broker that does not take this connection, is given up and tried again."""
DEAF_NS = 2 * KEEPALIVE_S * S
"""A connection that heard nothing and sent nothing for so long counts as lost, even if its thread believes in it."""
RECONNECT_MIN_S, RECONNECT_MAX_S = 1.0, 3.0
STANDS_NS = 10 * S
"""A connection that the other side ends sooner was thrown off."""
THROWN = 2
"""So often on end, and another machine must use this name: a broker that has trouble of its own takes nobody."""
HOST_SHOWN, NAME_SHOWN = 24, 35
"""Letters of a host, and of this machine's name, that the glass has room for: the log has all of them."""
TURN_S = 1.0
LEAVE_S = 1.0
CLOSE_S = 2.0


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message came in. At most PAYLOAD_MAX + 1 bytes are kept of a payload: enough to refuse it."""

    topic: str
    payload: bytes
    at_ns: int
    retained: bool = False
    """The broker kept it for later listeners: it was said once, at an unknown time."""
    by: str = ""
    """The digits of the key that seals it, where that was checked (`firmware.runtime.words`)."""
    fresh: bool = True
    """It is later than what was heard of its kind."""


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker took us; subscriptions are made again, retained messages follow."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """There is no broker, and why."""

    why: Message
    at_ns: int


LinkSignal = Arrived | Connected | Disconnected


@dataclass(frozen=True, slots=True)
class Will:
    """The broker's word about us when we are gone."""

    topic: str
    payload: bytes


class Carrier(Protocol):
    """The way to the other side and back."""

    @property
    def connected(self) -> bool:
        """There is a way now."""
        ...

    @property
    def contested(self) -> bool:
        """As of `Link`."""
        ...

    def start(self) -> None:
        """Connect in the background."""
        ...

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Send now if there is a connection."""
        ...

    def close(self) -> None:
        """Say goodbye."""
        ...


class Link:
    """One MQTT connection that reconnects without end. Its thread is a worker of this process; paho has none."""

    def __init__(
        self,
        config: LinkConfig,
        name: str,
        topics: Sequence[tuple[str, int]],
        put: Callable[[LinkSignal], None],
        will: Callable[[], Will] | None = None,
        *,
        lasting: bool = True,
    ) -> None:
        """`name` is the client's and must be unique at the broker; `will` is asked before each connection.

        Raises ConfigError.

        `lasting`: with a will, the broker keeps for this name what is said while it is away.
        """
        self._address = parse_address(config.broker)
        self._topics = list(topics)
        self._put, self._name = put, name
        self._place = f"{self._address.host}:{self._address.port}"
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            clean_session=will is None or not lasting,
            protocol=mqtt.MQTTv311,
        )
        client.max_queued_messages_set(1000)
        client.max_inflight_messages_set(200)
        client.on_connect = self._on_connect
        client.on_message = self._on_message
        if will is not None:
            client.on_pre_connect = partial(_leave_will, will)
        if config.username:
            client.username_pw_set(config.username, _secret(config.password_file))
        if self._address.tls:
            _trust(client, config)
        self._client, self._wire = client, _Wire(client, self._address)
        self._up = False
        self._moved_ns = 0
        """When something was last heard or sent."""
        self._taken_ns: int | None = None
        """Since when the broker has taken this connection."""
        self._refused = NOTHING
        self._thrown = 0
        """How many connections on end the other side ended soon after it had taken them."""
        self._logged: Message | None = None
        self._closing = threading.Event()
        self._worker = Worker("link", self._run)

    @property
    def connected(self) -> bool:
        """There is a broker, and something was heard of it or sent to it a moment ago."""
        return self._up and time.monotonic_ns() - self._moved_ns < DEAF_NS

    @property
    def contested(self) -> bool:
        """Another machine of this name is throwing this one off: what is heard meanwhile is over in a moment."""
        return self._thrown >= THROWN

    def start(self) -> None:
        """Connect in the background."""
        self._worker.start()

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Send now if there is a connection; otherwise it is not sent, and the debtor sends it again."""
        if self.connected:
            self._client.publish(topic, payload, qos=qos, retain=retain)

    def close(self) -> None:
        """Say goodbye after what was said before, and end the thread. One that waits for a name or a host is left behind."""
        self._closing.set()
        self._wire.wake()
        self._worker.end(within_s=CLOSE_S)
        self._up = False

    def _run(self) -> None:
        """Connect, turn, and connect again, until the link is closed."""
        pause_s = RECONNECT_MIN_S
        while not self._closing.is_set():
            why = self._stay_connected()
            if self._closing.is_set():
                return
            stood = self._taken_ns is not None
            pause_s = RECONNECT_MIN_S if stood and not self._thrown else min(2 * pause_s, RECONNECT_MAX_S)
            self._lost(why)
            self._closing.wait(pause_s)

    def _stay_connected(self) -> Message:
        """Connect and turn until the connection ends; why it did."""
        self._up, self._taken_ns, self._refused = False, None, NOTHING
        try:
            self._wire.connect()
            began_s = time.monotonic()
            while self._wire.is_open:
                if self._closing.is_set():
                    self._wire.leave()
                    break
                if self._wire.turn(TURN_S):
                    self._moved_ns = time.monotonic_ns()
                self._settle()
        except Exception as error:  # by the network, by what the other side said, or by a mistake of a library
            return _reason(error, self._address)
        if self._refused:
            return self._refused
        if self._taken_ns is not None:
            return say("link.broker-gone")
        if alert := self._wire.refusal:
            return say("link.own-certificate", reason=alert)
        if time.monotonic() - began_s >= ANSWER_S:
            return say("link.broker-silent")
        return say("link.hung-up")

    def _settle(self) -> None:
        """A connection that has stood for a while is nobody else's."""
        if self._taken_ns is not None and time.monotonic_ns() - self._taken_ns >= STANDS_NS and self._thrown:
            self._thrown = 0
            self._log(NOTHING)

    def _lost(self, why: Message) -> None:
        soon = self._taken_ns is not None and time.monotonic_ns() - self._taken_ns < STANDS_NS
        self._thrown = self._thrown + 1 if soon else 0
        if self.contested:
            why = say("link.same-name", name=_cut(self._name, NAME_SHOWN))
        self._up = False
        self._put(Disconnected(why, time.monotonic_ns()))
        self._log(why)

    def _log(self, why: Message) -> None:
        """A line whenever the link goes or comes, and whenever the reason is another one."""
        if why == self._logged:
            return
        self._logged = why
        if why:
            log.warning("%s: no link to %s: %s", self._name, self._place, ENGLISH(why))
        else:
            log.info("%s: linked to %s", self._name, self._place)

    def _on_connect(
        self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        if reason.is_failure:
            self._refused = say("link.broker-refused", reason=str(reason))
            return
        if self._topics:
            client.subscribe(self._topics)
        self._up, self._taken_ns = True, time.monotonic_ns()
        self._moved_ns = self._taken_ns
        if not self.contested:
            self._log(NOTHING)
        self._put(Connected(self._taken_ns))

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        # amqtt hands every new connection all retained messages that anybody asked for: one of a neighbor is none of ours.
        if not any(mqtt.topic_matches_sub(asked, message.topic) for asked, _qos in self._topics):
            return
        payload = bytes(message.payload[: PAYLOAD_MAX + 1])
        self._put(Arrived(message.topic, payload, time.monotonic_ns(), bool(message.retain)))


class NoLink:
    """The link of a table without a progressive wager: it never connects, and owes nobody anything."""

    connected = False
    contested = False

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
        self._said: list[tuple[str, object]] = []
        self._writes, self._payload, self._listens = writes, payload, listens
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
        client.on_connect = lambda _c, _d, _f, reason, _p: self._said.append(("connected", reason))
        client.on_disconnect = lambda _c, _d, _f, reason, _p: self._said.append(("gone", reason))
        client.on_publish = lambda _c, _d, _mid, reason, _p: self._said.append(("written", reason))
        client.message_callback_add(listens, lambda *_: self._said.append(("heard", None)))
        if config.username:
            client.username_pw_set(config.username, _secret(config.password_file))
        address = parse_address(config.broker)
        if address.tls:
            _trust(client, config)
        self._client, self._wire = client, _Wire(client, address)

    def made(self) -> Visited:
        """The result."""
        try:
            self._wire.connect()
        except OSError as error:  # ssl.SSLError is one
            return Visited("taken", f"it closed the connection: {error}")
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
            self._wire.leave()

    def _next(self, wanted: str) -> tuple[str, object]:
        """The first word of that kind, or that the connection is gone; ("", None) where nothing comes in time."""
        until = time.monotonic() + VISIT_S
        while True:
            for one in self._said:
                if one[0] in (wanted, "gone"):
                    self._said.remove(one)
                    return one
            if not self._wire.is_open or (left_s := until - time.monotonic()) <= 0:
                return "", None
            self._wire.turn(min(left_s, TURN_S))


class _Wire:
    """paho's sockets, read and written by the caller of `turn`: paho starts no thread, and none of its ends unseen."""

    def __init__(self, client: mqtt.Client, address: Address) -> None:
        self._client, self._address = client, address
        self._awake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        client.connect_timeout = ANSWER_S
        client.on_socket_open = _without_delay
        client.on_socket_register_write = self._owes
        self._turner = 0
        """The thread that turns, which need not be woken."""
        self._failed: ssl.SSLError | None = None
        heeding = logging.Logger("paho", logging.ERROR)
        heeding.addFilter(self._heed)
        client.enable_logger(heeding)

    def __del__(self) -> None:
        os.close(self._awake)

    def connect(self) -> None:
        """Find the host, reach it, trust it, and say hello. Raises what went wrong: OSError, ssl.SSLError, UnicodeError."""
        self._failed = None
        self._client.connect(self._address.host, self._address.port, KEEPALIVE_S)

    @property
    def is_open(self) -> bool:
        """The connection has not ended."""
        return self._client.socket() is not None

    def wake(self) -> None:
        """End the wait of a turn. Safe from any thread."""
        os.eventfd_write(self._awake, 1)

    def turn(self, most_s: float) -> bool:
        """Wait so long for something to read or write, then do it. Whether something moved."""
        self._turner = threading.get_ident()
        wire = self._client.socket()
        if wire is None:
            return False
        held = isinstance(wire, ssl.SSLSocket) and wire.pending() > 0
        poll = select.poll()
        poll.register(self._awake, select.POLLIN)
        poll.register(wire, select.POLLIN | (select.POLLOUT if self._client.want_write() else 0))
        ready = dict(poll.poll(0 if held else most_s * 1000))
        if self._awake in ready:
            os.eventfd_read(self._awake)
        heard = held or bool(ready.get(wire.fileno(), 0) & ~select.POLLOUT)
        if heard:
            self._client.loop_read()
        says = self._client.want_write()
        if says:
            self._client.loop_write()
        self._client.loop_misc()
        return heard or says

    def leave(self) -> None:
        """Send what waits and a goodbye, for a moment at most."""
        until = time.monotonic() + LEAVE_S
        self._client.disconnect()
        while self.is_open and (left_s := until - time.monotonic()) > 0:
            self.turn(left_s)

    @property
    def refusal(self) -> str:
        """The other side's objection to this machine's certificate, as TLS says it; "" for none."""
        return _alert(self._failed) if self._failed else ""

    def _owes(self, *_: object) -> None:
        """Something is to be sent; another thread said it, and the one that turns sends it."""
        if threading.get_ident() != self._turner:
            self.wake()

    def _heed(self, record: logging.LogRecord) -> bool:
        """paho logs the error at which a connection ended, and raises it to nobody."""
        if isinstance(record.args, tuple) and record.args and isinstance(record.args[0], ssl.SSLError):
            self._failed = record.args[0]
        return False


def _alert(error: ssl.SSLError) -> str:
    """An alert of TLS, which is what the other side says: "certificate expired"; "" for what is none."""
    _, found, alert = (error.reason or "").partition("_ALERT_")
    return alert.replace("_", " ").lower() if found else ""


def _reason(error: Exception, address: Address) -> Message:
    """Each cause in its own sentence: a cable, a clock, a certificate and a name want different people."""
    host = _cut(address.host, HOST_SHOWN)
    match error:
        case ssl.SSLCertVerificationError():
            return _distrust(error, host)
        case ssl.SSLEOFError() | ssl.SSLZeroReturnError() | ConnectionResetError() if address.tls:
            return say("link.no-handshake")
        case ssl.SSLError() if alert := _alert(error):
            return say("link.own-certificate", reason=alert)
        case ssl.SSLError():
            return say("link.no-tls", reason=error.reason or str(error))
        case socket.gaierror() | UnicodeError():
            return say("link.no-such-name", host=host)
        case ConnectionRefusedError():
            return say("link.port-closed", host=host, port=address.port)
        case TimeoutError() if "handshake" in str(error):
            return say("link.broker-silent")
        case TimeoutError():
            return say("link.nobody-answers", host=host)
        case ConnectionError():
            return say("link.hung-up")
        case OSError():
            return say("link.no-way", host=host, reason=error.strerror or str(error))
    return say("link.fault", reason=f"{type(error).__name__}: {error}"[:100])


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _distrust(error: ssl.SSLCertVerificationError, host: str) -> Message:
    """The broker's certificate is not believed. The codes are OpenSSL's, X509_V_ERR_… in x509_vfy.h."""
    match error.verify_code:
        case 9:  # CERT_NOT_YET_VALID
            return say("link.certificate-early")
        case 10:  # CERT_HAS_EXPIRED
            return say("link.certificate-expired")
        case 62 | 64:  # HOSTNAME_MISMATCH, IP_ADDRESS_MISMATCH
            return say("link.certificate-name", host=host)
        case 18 | 19 | 20 | 21:  # self-signed, or no issuer that is known here
            return say("link.certificate-unknown")
    return say("link.certificate", reason=error.verify_message)


def _leave_will(will: Callable[[], Will], client: mqtt.Client, _data: object) -> None:
    """Each connection has one of its own: of two that the broker says, the later can be told."""
    said = will()
    client.will_set(said.topic, said.payload, qos=1, retain=True)


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
