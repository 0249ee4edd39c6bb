"""`python -m tests.scenarios.mortal ARGUMENTS`: the command `felt`, whose threads die at their next step after SIGUSR1."""

from __future__ import annotations

import signal
import sys
import threading

from firmware.__main__ import main
from tests.killer import kill


def kill_all(*_: object) -> None:
    """Every thread but the first, which is the loop."""
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            kill(thread)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, kill_all)
    sys.exit(main())
