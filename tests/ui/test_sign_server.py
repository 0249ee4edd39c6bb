"""The sign's server over real sockets: the first state at once, every news pushed, nobody held up by anybody."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware.runtime.metrics import Metrics
from ui import web
from ui.sign import server as sign_server
from ui.sign.server import SignServer
from ui.web import WebServer


class Watcher:
    """A browser: reads the events one by one."""

    def __init__(self, sign: SignServer) -> None:
        self.socket = socket.create_connection(sign.address, timeout=5)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: sign\r\n\r\n")
        self.stream = self.socket.makefile("rb")
        self.status = self.stream.readline().decode()
        self.head = "".join(line.decode() for line in iter(self.stream.readline, b"\r\n"))

    def lines(self) -> Iterator[str]:
        for line in self.stream:
            yield line.decode().rstrip("\n")

    def next(self, start: str = "data: ") -> str:
        return next(line[len(start) :] for line in self.lines() if line.startswith(start))

    def board(self) -> Any:
        return json.loads(self.next())["board"]

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


@pytest.fixture
def clock() -> list[float]:
    return [1000.0]


@pytest.fixture
def sign(clock: list[float]) -> Iterator[SignServer]:
    server = SignServer("127.0.0.1", 0, lambda: clock[0], keep_alive_s=0.05)
    yield server
    server.close()


def ask(sign: WebServer, path: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(*sign.address, timeout=5)
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), body


def until(true: Any) -> None:
    deadline = time.monotonic() + 5
    while not true():
        assert time.monotonic() < deadline, "it never became true"
        threading.Event().wait(0.005)


def test_the_first_state_comes_at_once(sign: SignServer) -> None:
    sign.publish({"n": 1})
    watcher = Watcher(sign)
    assert "200" in watcher.status and "text/event-stream" in watcher.head
    assert watcher.board() == {"n": 1}
    watcher.close()


def test_a_browser_that_comes_late_is_told_how_old_the_document_is(sign: SignServer, clock: list[float]) -> None:
    sign.publish({"n": 1})
    clock[0] += 42.5
    watcher = Watcher(sign)
    assert json.loads(watcher.next()) == {"age_ms": 42_500, "board": {"n": 1}}
    watcher.close()


def test_every_browser_is_told_the_news(sign: SignServer) -> None:
    watchers = [Watcher(sign) for _ in range(10)]
    until(lambda: sign.browsers == 10)
    for n in (1, 2):
        sign.publish({"n": n})
        assert [watcher.board() for watcher in watchers] == [{"n": n}] * 10
    for watcher in watchers:
        watcher.close()


def test_a_quiet_connection_is_kept_alive_by_comments(sign: SignServer) -> None:
    watcher = Watcher(sign)
    assert watcher.next(": ") == "here"
    watcher.close()


def test_a_browser_that_went_away_is_forgotten(sign: SignServer) -> None:
    watcher = Watcher(sign)
    until(lambda: sign.browsers == 1)
    watcher.close()
    until(lambda: sign.browsers == 0)


def test_a_browser_that_reads_nothing_holds_up_nobody(sign: SignServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_server._Connection, "timeout", 0.5)
    slow, quick = Watcher(sign), Watcher(sign)
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    until(lambda: sign.browsers == 2)
    for n in range(60):
        started = time.monotonic()
        sign.publish({"n": n, "filler": "x" * 200_000})
        assert time.monotonic() - started < 0.5
        assert quick.board()["n"] == n
    until(lambda: sign.browsers == 1)
    sign.publish({"n": "after"})
    assert quick.board() == {"n": "after"}
    slow.close()
    quick.close()


def test_too_many_browsers_are_sent_away(sign: SignServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_server, "MOST_BROWSERS", 1)
    first = Watcher(sign)
    until(lambda: sign.browsers == 1)
    second = Watcher(sign)
    assert "503" in second.status
    second.close()
    first.close()
    until(lambda: sign.browsers == 0)
    third = Watcher(sign)
    assert "200" in third.status
    third.close()


def drips(sign: WebServer) -> socket.socket:
    """A reader that has begun to ask, and never ends."""
    line = socket.create_connection(sign.address, timeout=5)
    line.sendall(b"GET / HTTP/1.1\r\n")
    return line


def is_closed(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    "serve",
    [lambda: SignServer("127.0.0.1", 0, time.monotonic), lambda: Metrics("127.0.0.1", 0, "felt")],
    ids=["sign", "mirror"],
)
def test_a_crowd_that_drips_its_requests_is_bounded_and_makes_room_by_itself(
    monkeypatch: pytest.MonkeyPatch, serve: Callable[[], WebServer]
) -> None:
    """Three hundred of them made the sign deaf to browsers and to its bank."""
    monkeypatch.setattr(web, "MOST_CONNECTIONS", 8)
    monkeypatch.setattr(web, "REQUEST_S", 0.6)
    sign = serve()
    crowd = [drips(sign) for _ in range(8)]
    until(lambda: len(sign._http._due) == 8)
    assert is_closed(socket.create_connection(sign.address, timeout=5)), "the ninth is closed unheard"
    alive = list(crowd)
    while alive:  # each drips on, ten times faster than the deadline
        threading.Event().wait(0.05)
        for line in list(alive):
            try:
                line.sendall(b"X")
            except OSError:
                alive.remove(line)
    assert ask(sign, "/")[0] == 200
    sign.close()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/?kiosk=1", "text/html"),
        ("/page/sign.css", "text/css"),
        ("/page/sign.mjs", "text/javascript"),
        ("/page/pacing.mjs", "text/javascript"),
        ("/page/chip.svg", "image/svg+xml"),
    ],
)
def test_the_page_and_its_files(sign: SignServer, path: str, kind: str) -> None:
    status, head, body = ask(sign, path)
    assert status == 200 and head["Content-Type"].startswith(kind) and len(body) == int(head["Content-Length"])
    assert head["X-Content-Type-Options"] == "nosniff" and "default-src 'self'" in head["Content-Security-Policy"]


def test_the_page_asks_nobody_else_for_anything(sign: SignServer) -> None:
    for path in ("/", "/page/sign.css", "/page/sign.mjs", "/page/pacing.mjs"):
        text = ask(sign, path)[2].decode()
        assert "http://" not in text and "https://" not in text and "@import" not in text, path


@pytest.mark.parametrize(
    "path",
    [
        "/page/",
        "/page/../server.py",
        "/page/%2e%2e/server.py",
        "//etc/passwd",
        "/page/none.js",
        "/favicon.ico",
        "/events/",
    ],
)
def test_nothing_else_exists(sign: SignServer, path: str) -> None:
    assert ask(sign, path)[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_nobody_can_tell_the_sign_anything_but_that_it_was_drawn(sign: SignServer, method: str) -> None:
    assert ask(sign, "/events", method)[0] == 501


UNDRAWN = {"drawn": None, "drawn_age_ms": None}


def says_drawn(sign: SignServer, body: bytes | None, path: str = "/drawn") -> int:
    connection = http.client.HTTPConnection(*sign.address, timeout=5)
    connection.request("POST", path, body)
    status = connection.getresponse().status
    connection.close()
    return status


def test_what_a_page_has_drawn_and_when_is_told(sign: SignServer, clock: list[float]) -> None:
    assert sign.undrawn_s is None
    assert says_drawn(sign, b"311") == 204
    clock[0] += 4
    found = json.loads(ask(sign, "/healthz")[2])
    assert (found["drawn"], found["drawn_age_ms"], sign.undrawn_s) == (311, 4000, 4.0)


@pytest.mark.parametrize(
    ("body", "path"), [(b"", "/drawn"), (b"x", "/drawn"), (b"-1", "/drawn"), (b"1" * 17, "/drawn"), (b"1", "/events")]
)
def test_a_word_that_no_page_says_draws_nothing(sign: SignServer, body: bytes, path: str) -> None:
    assert says_drawn(sign, body, path) == 400
    assert sign.undrawn_s is None


@pytest.mark.parametrize("path", ["/", "/healthz", "/events"])
def test_a_head_has_no_body(sign: SignServer, path: str) -> None:
    status, _, body = ask(sign, path, "HEAD")
    assert (status, body) == (200, b"")


def test_its_health(sign: SignServer, clock: list[float]) -> None:
    assert json.loads(ask(sign, "/healthz")[2]) == {"document_age_ms": None, "browsers": 0, **UNDRAWN}
    sign.publish({})
    clock[0] += 3
    assert json.loads(ask(sign, "/healthz")[2]) == {"document_age_ms": 3000, "browsers": 0, **UNDRAWN}


@pytest.mark.parametrize(
    "junk", [b"\x00\xff\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"a" * 70_000]
)
def test_junk_on_the_line_ends_that_connection_only(sign: SignServer, junk: bytes) -> None:
    with socket.create_connection(sign.address, timeout=5) as line:
        line.sendall(junk + b"\r\n\r\n")
        line.recv(65536)
    assert ask(sign, "/")[0] == 200


def test_a_document_that_is_no_json_is_refused(sign: SignServer) -> None:
    with pytest.raises(ValueError, match="JSON"):
        sign.publish({"cents": float("nan")})


def test_closing_ends_every_connection_and_frees_the_port() -> None:
    sign = SignServer("127.0.0.1", 0, time.monotonic)
    watcher = Watcher(sign)
    until(lambda: sign.browsers == 1)
    sign.close()
    assert list(watcher.lines())[-1:] in ([], [""])
    watcher.close()
    SignServer("127.0.0.1", sign.address[1], time.monotonic).close()


def test_a_port_in_use_is_an_error(sign: SignServer) -> None:
    with pytest.raises(OSError, match="in use"):
        SignServer("127.0.0.1", sign.address[1], time.monotonic)
