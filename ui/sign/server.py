"""Serves the overhead sign to browsers: one page, and what it shows, pushed as server-sent events.

Standard library only. Each browser has a thread that waits for the newest document; a slow one misses the documents in
between, it never holds up the publisher or the others. The page's files are read once, at the start, so no request ever
reaches the disk, and a name that is not one of them does not exist.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from importlib import resources
from typing import Any, ClassVar

from ui.sign.theme import Pages, theme_of
from ui.web import Request, WebServer

KEEP_ALIVE_S = 5.0
"""A comment is sent at least so often: a browser that is gone is noticed by it."""
DRAWN_MOST = 16
"""Digits of the version of a board that a page says it has drawn."""
MOST_BROWSERS = 64

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}
_FONTS = {
    "roboto-regular.ttf": ("font_roboto", "Roboto-Regular.ttf"),
    "roboto-bold.ttf": ("font_roboto", "Roboto-Bold.ttf"),
    "cinzel.ttf": ("fontpkg_cinzel", "Cinzel[wght].ttf"),
}
"""Name on the page -> package and file: a photograph of the sign is the same wherever it is taken."""
_LENGTHS = {str(digits) for digits in range(1, DRAWN_MOST + 1)}
_SAFE = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class SignServer(WebServer):
    """The sign on `http://host:port/`, in threads of its own from the moment it is made.

    `port` 0 takes a free one (`address` tells which). `now` gives seconds of a monotonic clock: a browser that comes
    later is told how old the document is. `theme`: files of `ui.sign.theme`, None for the first theme.
    Raises `OSError` where the port cannot be had.
    """

    def __init__(
        self,
        host: str,
        port: int,
        now: Callable[[], float],
        keep_alive_s: float = KEEP_ALIVE_S,
        *,
        theme: Pages | None = None,
    ) -> None:
        self._now = now
        self._keep_alive_s = keep_alive_s
        self._news = threading.Condition()
        self._document = ""
        self._number = 0
        self._published = 0.0
        self._drawn: tuple[int, float] | None = None
        """The board that a page has drawn last, by its version, and when."""
        self._closed = False
        self._browsers = 0
        self._pages = {**_pages(), **(theme_of({}, {}) if theme is None else theme)}
        super().__init__("sign", host, port, type("_OfThisSign", (_Connection,), {"sign": self}))

    @property
    def browsers(self) -> int:
        """How many are watching now."""
        return self._browsers

    @property
    def undrawn_s(self) -> float | None:
        """Seconds since a browser has last drawn the page on a screen, None before the first time."""
        return None if self._drawn is None else self._now() - self._drawn[1]

    def publish(self, document: dict[str, Any]) -> None:
        """Push this to every browser, and to each that comes later. Never waits for any of them."""
        text = json.dumps(document, separators=(",", ":"), allow_nan=False)
        with self._news:
            self._document, self._published = text, self._now()
            self._number += 1
            self._news.notify_all()

    def close(self) -> None:
        """End every connection and free the port."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        super().close()

    # For the connections

    def page(self, path: str) -> tuple[str, bytes] | None:
        """Type and bytes of a file of the page."""
        return self._pages.get(path)

    def health(self) -> bytes:
        """One line for a watching program: the age of the newest document, the browsers, the board drawn and when."""
        with self._news:
            age_ms = round((self._now() - self._published) * 1000) if self._number else None
        drawn = None if self._drawn is None else self._drawn[0]
        drawn_age_ms = None if self.undrawn_s is None else round(self.undrawn_s * 1000)
        told = {"document_age_ms": age_ms, "browsers": self._browsers, "drawn": drawn, "drawn_age_ms": drawn_age_ms}
        return json.dumps(told).encode()

    def drew(self, version: int) -> None:
        """A page has drawn a frame of the board of this version."""
        self._drawn = version, self._now()

    def enter(self) -> bool:
        """A browser wants to watch; False when there are too many."""
        with self._news:
            if self._closed or self._browsers >= MOST_BROWSERS:
                return False
            self._browsers += 1
            return True

    def leave(self) -> None:
        """A browser that entered is gone."""
        with self._news:
            self._browsers -= 1

    def next_event(self, seen: int) -> tuple[int, bytes] | None:
        """Wait for a document newer than `seen`: its number and event, a comment after a while, None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._number > seen, self._keep_alive_s)
            if self._closed:
                return None
            if self._number == seen:
                return seen, b": here\n\n"
            age_ms = max(0, round((self._now() - self._published) * 1000))
            event = f'id: {self._number}\ndata: {{"age_ms":{age_ms},"board":{self._document}}}\n\n'
            return self._number, event.encode()


class _Connection(Request):
    server_version = "Felt"
    protocol_version = "HTTP/1.1"
    sign: ClassVar[SignServer]

    def do_GET(self) -> None:
        sign, path = self.sign, self.path.partition("?")[0]
        if path == "/events":
            self._events(sign)
        elif path == "/healthz":
            self._answer(200, "application/json", sign.health())
        elif page := sign.page(path):
            self._answer(200, *page)
        else:
            self._answer(404, "text/plain; charset=utf-8", b"Nothing here. The sign is at /\n")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        said = self.rfile.read(int(length)) if length in _LENGTHS else b""
        self.has_read()
        self.close_connection = True  # of a longer one the rest is not read
        if self.path == "/drawn" and said.isdigit():
            self.sign.drew(int(said))
            self._answer(204, "text/plain; charset=utf-8", b"")
        else:
            self._answer(400, "text/plain; charset=utf-8", b"A page says /drawn and the version of its board.\n")

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self._head(status, kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in _SAFE.items():
            self.send_header(name, value)

    def _events(self, sign: SignServer) -> None:
        self.close_connection = True
        if not sign.enter():
            self._answer(503, "text/plain; charset=utf-8", b"Too many browsers are watching. Close one.\n")
            return
        try:
            self._head(200, "text/event-stream; charset=utf-8")
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self._push(sign)
        except OSError:
            pass  # it went away, or took nothing for STUCK_S: the connection ends, the browser comes back if it lives
        finally:
            sign.leave()

    def _push(self, sign: SignServer) -> None:
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.wfile.write(b"retry: 1000\n\n")
        seen = 0
        while (event := sign.next_event(seen)) is not None:
            seen, text = event
            self.wfile.write(text)


def _pages() -> dict[str, tuple[str, bytes]]:
    """Every file of the page by the path it is asked for, and its fonts; `/` is the index."""
    pages = {}
    for file in resources.files("ui.sign").joinpath("page").iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind:
            pages[f"/page/{file.name}"] = (kind, file.read_bytes())
    for name, (package, font) in _FONTS.items():
        pages[f"/font/{name}"] = (_TYPES["ttf"], resources.files(package).joinpath("files", font).read_bytes())
    pages["/"] = pages["/page/index.html"]
    return pages
