"""The connections of a cabinet: its listening sockets, one select, lines in and lines out."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hal.cabinet.wire import LINE_MAX, line_of

UNSENT_MAX = 1 << 20
"""Bytes that wait for a slow reader at most; then it is cut off and may come back."""


class CabinetFault(Exception):
    """The cabinet cannot stand where it was told to; the text says why and what to do."""


@dataclass(eq=False, slots=True)
class Peer:
    """One connection. `role`: world, or on the device socket "" until it said hello, then table or panel."""

    socket: socket.socket
    role: str
    received: bytearray = field(default_factory=bytearray)
    unsent: bytearray = field(default_factory=bytearray)


class Peers:
    """All connections, served by one thread. hear: told of every line; left: of who hung up or was cut off."""

    def __init__(self, hear: Callable[[Peer, bytes], None], left: Callable[[Peer], None]) -> None:
        self._hear = hear
        self._left = left
        self._peers: dict[int, Peer] = {}
        self._listening: dict[int, tuple[socket.socket, str]] = {}
        self._wake_read, self._wake_write = socket.socketpair()

    def listen(self, path: Path, role: str) -> None:
        """Take connections there; `role` is theirs from the start. Raises CabinetFault."""
        listening = _listen(path)
        self._listening[listening.fileno()] = listening, role

    def close(self) -> None:
        """Hang up on everybody and take the sockets away."""
        for peer in list(self._peers.values()):
            self.drop(peer)
        for listening, _ in self._listening.values():
            Path(listening.getsockname()).unlink(missing_ok=True)
            listening.close()
        self._wake_read.close()
        self._wake_write.close()

    def wake(self) -> None:
        """End a wait. From any thread or a signal handler."""
        with contextlib.suppress(OSError):  # it is down already
            self._wake_write.send(b"!")

    def wait(self, pause_s: float | None) -> tuple[list[int], list[int]]:
        """Until somebody can be served, or for so long; who can be read, and who can be written to."""
        readers = [*self._listening, *self._peers, self._wake_read.fileno()]
        writers = [number for number, peer in self._peers.items() if peer.unsent]
        readable, writable, _ = select.select(readers, writers, [], pause_s)
        return readable, writable

    def serve(self, readable: list[int], writable: list[int]) -> None:
        """Send what waits, take new connections, hear what was said."""
        for number in writable:
            if (peer := self._peers.get(number)) is not None:
                self._send(peer)
        for number in readable:
            if number in self._listening:
                self._accept(*self._listening[number])
            elif (peer := self._peers.get(number)) is not None:
                self._receive(peer)

    def with_role(self, role: str) -> list[Peer]:
        """Those who are connected as this."""
        return [peer for peer in self._peers.values() if peer.role == role]

    def tell(self, peer: Peer, said: Mapping[str, Any]) -> None:
        """Send a line, at once as far as it goes."""
        if peer.socket.fileno() < 0:
            return
        peer.unsent += line_of(said)
        self._send(peer)

    def drop(self, peer: Peer) -> None:
        """Hang up on one."""
        if self._peers.pop(peer.socket.fileno(), None) is None:
            return
        peer.socket.close()
        self._left(peer)

    def _accept(self, listening: socket.socket, role: str) -> None:
        connection, _ = listening.accept()
        connection.setblocking(False)
        self._peers[connection.fileno()] = Peer(connection, role)

    def _receive(self, peer: Peer) -> None:
        try:
            chunk = peer.socket.recv(65_536)
        except BlockingIOError:
            return
        except ConnectionError:
            chunk = b""
        if not chunk:
            self.drop(peer)
            return
        peer.received += chunk
        while (end := peer.received.find(b"\n")) >= 0:
            line = bytes(peer.received[:end])
            del peer.received[: end + 1]
            self._hear(peer, line)
        if len(peer.received) > LINE_MAX:
            self.tell(peer, {"error": f"a line of more than {LINE_MAX} bytes; end each command with a line feed"})
            self.drop(peer)

    def _send(self, peer: Peer) -> None:
        try:
            sent = peer.socket.send(peer.unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.drop(peer)
            return
        del peer.unsent[:sent]
        if len(peer.unsent) > UNSENT_MAX:
            self.drop(peer)


def _listen(path: Path) -> socket.socket:
    """A listening Unix socket for this user alone. The socket that a killed cabinet left behind is removed."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
            if path.exists() and knock.connect_ex(str(path)) == 0:
                raise CabinetFault(f"{path}: a cabinet lives here already; stop it, or choose another home")
        path.unlink(missing_ok=True)
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(16)
    except OSError as error:
        listening.close()
        raise CabinetFault(
            f"{path}: {error}; choose a home with a short path (under 90 bytes) on a local disk"
        ) from error
    except CabinetFault:
        listening.close()
        raise
    listening.setblocking(False)
    return listening
