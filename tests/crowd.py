"""Callers who say nothing, as many as are asked for, at a port of loopback."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def crowd(port: int, callers: int) -> Iterator[list[socket.socket]]:
    """They hold their connections until the block ends."""
    with ExitStack() as held:
        yield [held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10)) for _ in range(callers)]
