"""Pictures of the sign in a headless Chromium, where there is one."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

CHROMIUM_S = 60
SETTLE_MS = 4_000
"""The page's meters climb for a while after it is loaded."""


def chromium_path() -> str | None:
    """The Chromium of this machine."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class SignPictures:
    """One picture of each moment, the first time it comes. address: of the page; "" where there is no sign."""

    def __init__(self, address: str, folder: Path) -> None:
        self._address, self._folder = address, folder
        self._chromium = chromium_path() if address else None
        self._taken: set[str] = set()

    def take(self, moment: str) -> None:
        """Photograph the sign now, unless this moment was photographed before."""
        if self._chromium is None or moment in self._taken:
            return
        self._taken.add(moment)
        photograph(self._chromium, self._address, self._folder / f"sign-{moment}.png")


def photograph(chromium: str, address: str, path: Path) -> None:
    """A page of 1920 x 1080 as PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                f"--user-data-dir={profile}",
                "--window-size=1920,1080",
                f"--timeout={SETTLE_MS}",
                f"--screenshot={path}",
                address,
            ],
            check=True,
            timeout=CHROMIUM_S,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
