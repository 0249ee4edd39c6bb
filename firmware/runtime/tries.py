"""Wrong PINs at the commands of one machine: `felt bank adopt` and its like, `felt table accept` and its like.

A file beside the ledger or journal keeps them, because these commands run while the program does and while it does not. The
rules are those of the glass: each wrong PIN of a badge doubles its wait, ten within an hour lock it until a manager unlocks
it, and its next right PIN says how many there were and when. A running bank tells of them in its log and ledger.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from firmware.config import ConfigError, PersonConfig
from firmware.plain import opened
from firmware.runtime import whole
from firmware.runtime.clock import local, utc_s
from firmware.runtime.pins import had_failed, is_pin, wait_s
from firmware.runtime.sqlite import StoreError
from firmware.table.state import WARNS_AT, WrongPins
from ui.words import ENGLISH


class Tried(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file: by badge its wrong PINs since its last right one, and the manager who unlocked it last."""

    wrong: Mapping[str, WrongPins] = {}
    unlocked: Mapping[str, str] = {}


class Tries:
    """The wrong PINs at the commands that change `beside`, a ledger or a journal. `unlock`: what a manager types."""

    def __init__(self, beside: Path, unlock: str) -> None:
        self._path, self._unlock = beside.with_name(f"{beside.name}.wrong-pins"), unlock
        self._seen: tuple[int, int] | None = None
        self._told = Tried()

    def refusal(self, person: PersonConfig, pin: str) -> tuple[str, str]:
        """Why this person does not sign, "" to sign; and the sentence about wrong PINs before.

        Takes tens of milliseconds, on purpose. Raises Unchecked, StoreError.
        """
        with self._alone():
            tried, now = self._read(), utc_s()
            wrong = tried.wrong.get(person.badge, WrongPins(person.badge, 0))
            if wrong.locked:
                return self._is_locked(wrong), ""
            if (passed := now - wrong.last) in range(wait := wait_s(wrong)):
                return f"badge {person.badge!r} had {wrong.count} wrong PINs; try again in {wait - passed} s", ""
            right = is_pin(person, pin)
            if right and not wrong.count:
                return "", ""
            failed = wrong.one_more(now)
            others = {badge: one for badge, one in tried.wrong.items() if badge != person.badge}
            self._write(Tried(others if right else {**others, person.badge: failed}, tried.unlocked))
        if right:
            return "", f"badge {person.badge}: {ENGLISH(had_failed(wrong))}"
        if failed.locked:
            return self._is_locked(failed), ""
        return f"badge {person.badge!r}: wrong PIN {failed.count}; the next try in {wait_s(failed)} s", ""

    def unlock(self, badge: str, by: str) -> int:
        """A manager unlocked it. Gives how many wrong PINs it had. Raises ConfigError where it is not locked, StoreError."""
        with self._alone():
            tried = self._read()
            wrong = tried.wrong.get(badge, WrongPins(badge, 0))
            if not wrong.locked:
                locked = ", ".join(one.badge for one in tried.wrong.values() if one.locked) or "none"
                raise ConfigError(f"badge {badge!r} is not locked here; those that are: {locked}")
            self._write(Tried({**tried.wrong, badge: wrong.unlocked()}, {**tried.unlocked, badge: by}))
        return wrong.count

    def news(self) -> list[tuple[str, str]]:
        """By badge, the news for the operator since the last question; at first all that stands.

        Raises StoreError.
        """
        try:
            seen = self._path.stat()
        except OSError:
            return []
        if self._seen == (seen.st_mtime_ns, seen.st_ino):
            return []
        self._seen = seen.st_mtime_ns, seen.st_ino
        before, self._told = self._told, self._read()
        news = []
        for badge, wrong in self._told.wrong.items():
            if wrong.count >= WARNS_AT and wrong.tries and wrong != before.wrong.get(badge):
                when = f"{wrong.count} wrong PINs, {local(wrong.first)} to {local(wrong.last)}"
                news.append((badge, f"badge {badge}: {when}" + (f"; locked: {self._unlock} {badge}" * wrong.locked)))
        for badge, was in before.wrong.items():
            if was.locked and not self._told.wrong.get(badge, WrongPins(badge, 0)).locked:
                by = self._told.unlocked.get(badge, "")
                news.append((badge, f"badge {badge} was unlocked by manager {by}"))
        return news

    def _is_locked(self, wrong: WrongPins) -> str:
        cure = f"another manager unlocks it: {self._unlock} {wrong.badge}"
        return f"badge {wrong.badge!r} is locked: {wrong.count} wrong PINs; {cure}"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One command after the other: of two that try at once none is forgotten. Raises StoreError."""
        try:
            folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise StoreError(f"{self._path.parent}: {error.strerror}. May this user read it?") from error
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _read(self) -> Tried:
        """Raises StoreError: who cannot read it checks no PIN."""
        try:
            with opened(self._path) as file:
                return msgspec.json.decode(file.read(), type=Tried)
        except FileNotFoundError:
            return Tried()
        except (OSError, ValueError) as error:
            said = f"{self._path}: {error}; no PIN is checked. May this user read it? Else keep a copy and remove it"
            raise StoreError(said) from error

    def _write(self, tried: Tried) -> None:
        """Raises StoreError."""
        whole.put(self._path, msgspec.json.encode(tried))
        if not os.geteuid():  # the service's user reads it too
            owner = self._path.parent.stat()
            os.chown(self._path, owner.st_uid, owner.st_gid)
