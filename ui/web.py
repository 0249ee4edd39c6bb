"""A web server in threads of its own that no crowd and no slow reader can use up: for the sign's page, and for /metrics."""

from __future__ import annotations

import contextlib
import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hal.workers import Worker

STUCK_S = 10.0
"""A reader that takes nothing for so long is dropped; it comes back by itself."""
REQUEST_S = 10.0
"""A request that is not whole after so long ends its connection, however steadily it drips."""
MOST_CONNECTIONS = 128
"""At once, watching or asking; one more is closed unheard, so that no crowd uses up the files and the processor."""
BACKLOG = 64
"""Connections that the kernel keeps until they are taken: a burst waits no second."""


class WebServer:
    """Serves `http://host:port/` from the moment it is made. `port` 0 takes a free one (`address` tells which).

    `handler`: a class of requests on top of `Request`. Raises OSError where the port cannot be had.
    """

    def __init__(self, name: str, host: str, port: int, handler: type[Request]) -> None:
        self._http = _Http((host, port), handler)
        self._worker = Worker(name, lambda: self._http.serve_forever(0.25))
        self._worker.start()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port it listens on."""
        host, port = self._http.server_address[:2]
        return str(host), int(port)

    def close(self) -> None:
        """End it, and free the port."""
        self._http.shutdown()
        self._worker.end()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = BACKLOG

    def __init__(self, address: tuple[str, int], handler: type[Request]) -> None:
        self._open: set[socket.socket] = set()
        self._due: dict[socket.socket, float] = {}
        """Until when each connection's request has to be whole."""
        super().__init__(address, handler)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """A thread for a connection, as long as there are not too many; only the accepting thread asks."""
        if len(self._open) >= MOST_CONNECTIONS:
            return False
        self._open.add(request)
        return True

    def shutdown_request(self, request: Any) -> None:
        """The end of a connection, by either side."""
        self.has_read(request)
        self._open.discard(request)
        super().shutdown_request(request)

    def expects(self, connection: socket.socket) -> None:
        """A request begins on this connection."""
        self._due[connection] = time.monotonic() + REQUEST_S

    def has_read(self, connection: socket.socket) -> None:
        """It is whole."""
        self._due.pop(connection, None)

    def service_actions(self) -> None:
        """Now and then, from the accepting thread: end the connections whose request is overdue."""
        now = time.monotonic()
        for connection, due in list(self._due.items()):
            if now >= due:
                self.has_read(connection)
                with contextlib.suppress(OSError):  # it is gone already
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that went away in the middle of a sentence is no error of ours, and there is nobody to tell."""


class Request(BaseHTTPRequestHandler):
    """One connection's requests. Its head has to be whole in time; one with a body says `has_read` itself."""

    sys_version = ""
    timeout = STUCK_S
    server: _Http

    def handle_one_request(self) -> None:
        """Wait for a request, from now on within its time."""
        self.server.expects(self.connection)
        super().handle_one_request()

    def parse_request(self) -> bool:
        """Read its head: of a request without a body that is all."""
        is_whole = super().parse_request()
        if is_whole and self.command in ("GET", "HEAD"):
            self.has_read()
        return is_whole

    def has_read(self) -> None:
        """The request is whole; its answer may take its time."""
        self.server.has_read(self.connection)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not worth a line each."""
