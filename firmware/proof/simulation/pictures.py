"""Pictures of the sign in a headless Chromium, where there is one."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_S = 120
SETTLE_MS = 4_000
"""The page's meters climb for a while after it is loaded."""


class SignPictures:
    """One picture of each moment, the first time it comes.

    address: of the page; "" where there is no sign. folder: where the PNGs go; it is there. size: in pixels. settle_ms: how
    long the page is looked at before; a busy machine needs longer until it has heard its server.
    """

    def __init__(
        self, address: str, folder: Path, size: tuple[int, int] = (1920, 1080), settle_ms: int = SETTLE_MS
    ) -> None:
        self._address, self._folder, self._size, self._settle_ms = address, folder, size, settle_ms
        self._chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None) if address else None
        self._taken: set[str] = set()

    @property
    def possible(self) -> bool:
        """There is a sign, and a Chromium to look at it."""
        return self._chromium is not None

    def take(self, moment: str) -> None:
        """Photograph the sign now, unless this moment was photographed before."""
        if self._chromium is None or moment in self._taken:
            return
        self._taken.add(moment)
        path = self._folder / f"sign-{moment}.png"
        with tempfile.TemporaryDirectory() as profile:
            subprocess.run(
                [
                    self._chromium,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--hide-scrollbars",
                    f"--user-data-dir={profile}",
                    "--window-size={},{}".format(*self._size),
                    f"--timeout={self._settle_ms}",
                    f"--screenshot={path}",
                    self._address,
                ],
                check=True,
                timeout=CHROMIUM_S,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
