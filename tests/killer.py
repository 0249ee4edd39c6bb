"""Ends a thread as a mistake in it would: an exception at whatever it does next."""

from __future__ import annotations

import ctypes
import threading


class Killed(BaseException):
    """Nothing catches it but what has to survive everything."""


def kill(thread: threading.Thread) -> None:
    """It ends with the next step that it takes; one that sleeps has to be woken by who kills it."""
    assert thread.ident is not None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Killed))


def named(name: str) -> list[threading.Thread]:
    """The threads of this process that have this name."""
    return [thread for thread in threading.enumerate() if thread.name == name]
