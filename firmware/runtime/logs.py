"""The log of a program that runs for years: standard error, which may be closed, full, or read by nobody any more."""

from __future__ import annotations

import contextlib
import logging
import os
import stat

STANDARD = (0, 1, 2)


def never_wait() -> None:
    """From now on a line that nobody takes is lost, and the loop that said it goes on. A terminal is left as it is.

    A standard file that is closed gets /dev/null in its place: no file of ours gets its number, and a library's words.
    """
    for number in STANDARD:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    logging.raiseExceptions = False  # a line that cannot be written is no reason to write more
    kind = os.fstat(2).st_mode
    if stat.S_ISSOCK(kind):  # systemd's, one for each service
        os.set_blocking(2, False)
    elif stat.S_ISFIFO(kind):  # opened for this program alone: another writer into the pipe may wait
        with contextlib.suppress(OSError):
            own = os.open("/proc/self/fd/2", os.O_WRONLY | os.O_NONBLOCK)
            os.dup2(own, 2)
            os.close(own)
