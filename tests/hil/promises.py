"""What Felt promises, in seconds, and where it says so. A scenario asserts ten times as much, and prints what it saw.

A rig whose processor is emulated takes a promise as many times longer as it is slower than a Raspberry Pi
(`Rig.expected_s`): what must happen, and in which order, is the same.
"""

from __future__ import annotations

from enum import Enum

MARGIN = 10
"""A rig is no Raspberry Pi: it fails at so many times the promise, and prints the figure beside it."""
SLOW_MARGIN = 3
"""An emulated one fails at so many times what is promised in its own time, where that is more."""


class Promise(Enum):
    """Its words in a report, seconds, the document that promises it, and the words there."""

    LAMP = ("chip laid: its lamp is lit", 0.1, "install.md", "that seat's lamp lights within a tenth of a second")
    LIFTED = ("chip lifted: its lamp is dark", 0.1, "install.md", "lifted, it is dark as soon")
    LOCKED = (
        "lockout turned: the lock line is low",
        0.1,
        "install.md",
        "locked within a tenth of a second",
    )
    KILLED_DARK = ("table killed: dark", 2.0, "install.md", "lamps dark and bets locked within a second or two")
    KILLED_LOCKED = ("table killed: locked", 2.0, "install.md", "lamps dark and bets locked within a second or two")
    KILLED_PLAYABLE = ("table killed: playable", 10.0, "install.md", "bets can be open again after ten")
    HUNG_DARK = ("table hung: dark", 8.0, "install.md", "the same within eight seconds", "table")
    HUNG_LOCKED = ("table hung: locked", 8.0, "install.md", "the same within eight seconds", "table")
    HUNG_PLAYABLE = (
        "table hung: playable",
        18.0,
        "install.md",
        "bets can be open again ten seconds after that",
        "table",
    )
    STOPPED_DARK = (
        "table stopped: dark",
        2.0,
        "hil.md",
        "is stopped is dark and locked within two seconds",
    )
    STOPPED_LOCKED = (
        "table stopped: locked",
        2.0,
        "hil.md",
        "is stopped is dark and locked within two seconds",
    )
    STARTED_PLAYABLE = ("table started: playable", 10.0, "hil.md", "started again, bets can be open after ten")
    SCREEN_KILLED = (
        "screen killed: it shows the truth",
        3.0,
        "../ARCHITECTURE.md",
        "it shows the truth within three seconds",
    )
    SCREEN_HUNG = (
        "screen hung: it shows the truth",
        13.0,
        "hil.md",
        "A screen that hangs is ended after ten seconds",
        "screen",
    )
    BANK_LOCKED = ("bank killed: locked", 1.0, "hil.md", "A bank that dies is heard of within a second")
    BANK_PLAYABLE = ("bank killed: playable", 10.0, "hil.md", "its link is back ten seconds after")
    BANK_HUNG_LOCKED = ("bank hung: locked", 8.0, "mqtt.md", "last heartbeat is older than six seconds")
    BANK_HUNG_PLAYABLE = (
        "bank hung: playable",
        30.0,
        "hil.md",
        "A bank that hangs is ended after fifteen seconds",
        "bank",
    )
    BROKER_LOCKED = ("broker gone: locked", 1.0, "hil.md", "A broker that dies is noticed within a second")
    BROKER_PLAYABLE = ("broker back: playable", 10.0, "hil.md", "its link is back ten seconds after")
    NETWORK_LOCKED = ("network pulled: locked", 8.0, "mqtt.md", "last heartbeat is older than six seconds")
    NETWORK_PLAYABLE = ("network back: playable", 10.0, "hil.md", "its link is back ten seconds after")
    SIGN_KILLED = (
        "sign killed: it is there again",
        10.0,
        "hil.md",
        "A sign that dies is there again after ten seconds",
    )
    SIGN_HUNG = (
        "sign hung: it is there again",
        40.0,
        "hil.md",
        "one that hangs is ended after thirty",
        "sign",
    )
    SERIAL_TOLD = ("shuffler unplugged: the screen says so", 3.0, "shuffler.md", "Three seconds")
    SERIAL_BACK = ("shuffler plugged in: the screen says so", 5.0, "hil.md", "the shuffler is heard five seconds after")
    DEVICE_TOLD = ("touch or badge reader unplugged: the screen says so", 2.0, "hil.md", "is missed within two seconds")
    DEVICE_BACK = ("touch or badge reader plugged in: the screen says so", 5.0, "hil.md", "and taken again within five")
    CHIP_DARK = ("GPIO chip lost: dark", 2.0, "install.md", "whose GPIO chip is lost ends within two seconds")
    CHIP_LOCKED = ("GPIO chip lost: locked", 2.0, "install.md", "whose GPIO chip is lost ends within two seconds")
    CHIP_PLAYABLE = ("GPIO chip back: playable", 10.0, "hil.md", "A chip that is back is taken within ten seconds")
    BOOT_PLAYABLE = ("power back: playable", 60.0, "hil.md", "A minute after its power came back bets can be open")
    PANIC_DARK = (
        "kernel panic: dark",
        12.0,
        "hil.md",
        "is reset by the hardware's watchdog within twelve seconds",
        "machine",
    )
    PANIC_LOCKED = (
        "kernel panic: locked",
        12.0,
        "hil.md",
        "is reset by the hardware's watchdog within twelve seconds",
        "machine",
    )
    PANIC_PLAYABLE = (
        "kernel panic: playable",
        90.0,
        "hil.md",
        "the table is back within a minute and a half",
        "machine",
    )
    BOOT_LIT = ("power back, without the time: lamps lit", 60.0, "hil.md", "a minute after, with no bank heard")
    TIME_LINK = (
        "time told: the bank is heard",
        10.0,
        "hil.md",
        "Ten seconds after a time server was heard the bank is",
    )
    FULL_LOCKED = (
        "disk full, then a chip: locked",
        2.0,
        "hil.md",
        "cannot write is dark and locked within two seconds",
    )
    FULL_DARK = (
        "disk full, then a chip: dark",
        2.0,
        "hil.md",
        "cannot write is dark and locked within two seconds",
    )
    READ_ONLY_LOCKED = (
        "disk read-only, then a chip: locked",
        2.0,
        "hil.md",
        "cannot write is dark and locked within two seconds",
    )
    READ_ONLY_DARK = (
        "disk read-only, then a chip: dark",
        2.0,
        "hil.md",
        "cannot write is dark and locked within two seconds",
    )
    FREED_PLAYABLE = ("disk freed: playable", 20.0, "hil.md", "plays by itself twenty seconds after it can again")

    def __init__(self, text: str, seconds: float, document: str, words: str, watched: str = "") -> None:
        """`watched`: the unit whose watchdog must bite first; "machine": the hardware's."""
        self.text, self.seconds, self.document, self.words, self.watched = text, seconds, document, words, watched
