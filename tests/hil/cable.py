"""A network cable that can be pulled: it lies between two ports of loopback, and carries what is said over TCP.

While it is pulled nobody hangs up and nothing arrives, as with a real one; put back, it carries what was said meanwhile.
"""

from __future__ import annotations

import contextlib
import socket
import threading

CHUNK = 65_536


class Cable:
    """From `port`, which is its own, to another port of 127.0.0.1."""

    def __init__(self, to_port: int) -> None:
        self._to = ("127.0.0.1", to_port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._plugged = threading.Event()
        self._plugged.set()
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, name="cable", daemon=True).start()

    def unplug(self) -> None:
        """Nothing gets through from now on, in either direction."""
        self._plugged.clear()

    def replug(self) -> None:
        """Everything gets through again."""
        self._plugged.set()

    def close(self) -> None:
        """Take it away; both sides are hung up on."""
        self._listening.close()
        with self._lock:
            for end in self._ends:
                _hang_up(end)
        self._plugged.set()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:  # taken away
                return
            threading.Thread(target=self._connect, args=(near,), name="cable-dial", daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self._plugged.wait()
        try:
            far = socket.create_connection(self._to, timeout=5)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        with self._lock:
            self._ends += [near, far]
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._carry, args=(one, other), name="cable-wire", daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := one.recv(CHUNK):
                self._plugged.wait()
                other.sendall(chunk)
        self._plugged.wait()
        for end in (one, other):
            _hang_up(end)


def _hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
