"""Seals: signed checkpoints of a journal. A forger who makes rows and hashes again still lacks the key (docs/journal.md).

A seal says how many rows a journal has and the hash of the last one, signed by the program that wrote them; so it covers
every row before it. It stands in the table `seal` of the same file, written in the transaction of the row that made it due:
no power cut comes between the two. One rule says which rows make one due, for the writer and for the verifier
(`is_due`), so a seal that somebody took away is missed.
"""

from __future__ import annotations

import base64
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from firmware.config import read_plain
from firmware.runtime import signed_notes, whole
from firmware.runtime.day_files import Journal
from firmware.runtime.journal import Entry, Seal, Vocabulary
from firmware.runtime.signed_notes import Note, PrivateKey, PublicKey
from firmware.runtime.sqlite import StoreError, Value

T = TypeVar("T")

EVERY = 1_000
"""Rows between two seals, at most."""
KEY_BYTES_MAX = 1_000
READ_SEALS = "SELECT number, row, note FROM seal ORDER BY number"


class KeyRefused(StoreError):
    """The private key beside a journal cannot be used: which file, why, what to do."""


class SealBroken(StoreError):
    """A seal and the journal contradict each other: which seal, why, what to do."""

    def __init__(self, path: Path, why: str) -> None:
        self.why = why
        super().__init__(
            f"{path}: {why}. Do not delete anything: it is evidence. docs/operations.md says what to do "
            '("A seal that does not fit")'
        )


# The text of a seal ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The text of a seal, as https://c2sp.org/tlog-checkpoint has it: the third line is the head of a chain, not of a tree.

    `origin` ends with the journal's id; `head`: 64 hex digits; `number`: which seal of the journal it is, from 1.
    """

    origin: str
    rows: int
    head: str
    number: int

    @property
    def text(self) -> str:
        """Four lines."""
        head = base64.b64encode(bytes.fromhex(self.head)).decode()
        return f"{self.origin}\n{self.rows}\n{head}\nseal {self.number}\n"

    @property
    def journal(self) -> str:
        """The id of the journal."""
        return self.origin.rpartition("/")[2]


def checkpoint(text: str) -> Checkpoint:
    """The seal in these four lines. Raises ValueError."""
    origin, rows, head, seal, end = (*text.split("\n"), "", "", "", "", "")[:5]
    said = Checkpoint(origin, _whole(rows), base64.b64decode(head, validate=True).hex(), _whole(seal[5:]))
    if said.text != text or end or len(said.head) != 64:
        raise ValueError("it is not written as origin, rows, head and number")
    return said


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


# When a seal is due ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """A row by its number and its clock."""

    row: int = 0
    boot: str = ""
    mono_ns: int = 0


def is_due(of: Vocabulary[Any], since: Mark, row: Mark, kind: str) -> bool:
    """Whether a seal stands at this row, where the one before it stands at `since`."""
    if kind in of.sealed or row.row - since.row >= EVERY:
        return True
    waited_ns = row.mono_ns - since.mono_ns if row.boot == since.boot else 0
    return 0 < of.sealed_after_ns <= waited_ns


class Sealer:
    """Seals what one journal writes, with the key of its table or bank. A journal has it as `Journal.sealer`."""

    def __init__(self, journal: Journal[Any], key: PrivateKey) -> None:
        """The journal was read through."""
        newest = newest_seal(journal)
        self._key, self._vocabulary, self._journal = key, journal.vocabulary, journal.id
        self._number, self._since = (newest[0], _mark(journal, newest[1])) if newest else (0, Mark())
        self._next = (self._number, self._since)

    def seals_of(self, rows: Sequence[Sequence[Value]]) -> list[Seal]:
        """The seals that these rows of the table `event` make due; they count once `written` says so."""
        number, since = self._number, self._since
        made: list[Seal] = []
        for row in rows:
            mark = _mark_of(row)
            if is_due(self._vocabulary, since, mark, str(row[4])):
                number, since = number + 1, mark
                made.append(self._seal(number, mark.row, str(row[7])))
        self._next = (number, since)
        return made

    def seal_of(self, row: Sequence[Value]) -> list[Seal]:
        """One of this row of the table `event`, due or not, where it has none; it counts once `written` says so."""
        mark = _mark_of(row)
        if mark.row <= self._since.row:
            return []
        self._next = (self._number + 1, mark)
        return [self._seal(self._number + 1, mark.row, str(row[7]))]

    def written(self) -> None:
        """The last order is on disk."""
        self._number, self._since = self._next

    def _seal(self, number: int, row: int, head: str) -> Seal:
        said = Checkpoint(f"{self._key.public.name}/{self._journal}", row, head, number)
        return number, row, self._key.sign(said.text)


def _mark_of(row: Sequence[Value]) -> Mark:
    """The hash of the first columns of a row of the table `event`. The chain tells whether they are as they were written."""
    number, boot, mono_ns = row[:3]
    return Mark(number if isinstance(number, int) else 0, str(boot), mono_ns if isinstance(mono_ns, int) else 0)


def _mark(journal: Journal[Any], row: int) -> Mark:
    found = journal.database.execute("SELECT row, boot, mono_ns FROM event WHERE row = ?", (row,))
    return _mark_of(found[0]) if found else Mark(row)


def newest_seal(journal: Journal[Any]) -> Seal | None:
    """The last one in the file, not checked yet; None where there is none. Raises SealBroken."""
    found = journal.database.execute(f"{READ_SEALS} DESC LIMIT 1")
    return _stored(journal.path, found[0]) if found else None


def _stored(path: Path, row: Sequence[object]) -> Seal:
    try:
        seal: Seal = msgspec.convert(row, Seal)
        return seal
    except msgspec.ValidationError as error:
        raise SealBroken(path, f"seal {row[0]!r}: a field is not what was written: {error}") from error


# The key --------------------------------------------------------------------------------------------------------------


def key_file(path: Path, of: Vocabulary[Any]) -> Path:
    """The place of the private key of a table or a bank: beside its journal, which is, or will be, at that path."""
    return path.with_name(f"{of.name}-seal.key")


def _is_there(path: Path) -> bool:
    """Anything, and be it a link to nowhere."""
    return path.is_symlink() or path.exists()


def make_key(path: Path, name: str) -> PrivateKey:
    """A new key of that name, whole or not at all, in a folder that may be new; the public one lies beside it as `.pub`.

    Raises StoreError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path.parent}: {error.strerror}. {whole.REMEDY}") from error
    key = PrivateKey(name, secrets.token_bytes(signed_notes.BYTES))
    whole.put(path.with_suffix(".pub"), f"{key.public.text}\n".encode())
    whole.put(path, f"{key.text}\n".encode())
    return key


def new_key(journal: Journal[Any], name: str) -> PrivateKey:
    """A new key in place of the old file, which is kept under another name. Raises StoreError."""
    path = key_file(journal.path, journal.vocabulary)
    try:
        if _is_there(path):
            path.rename(path.with_name(f"{path.name}.until-row-{journal.rows}"))
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}. May this user write there?") from error
    return make_key(path, name)


def renewal(path: Path) -> str:
    """The command with which two people take a new key in place of this one; `felt bank accept` is of a verdict."""
    return "bank accept-key" if path.name.startswith("bank-") else "table accept key"


def load_key(path: Path) -> PrivateKey:
    """The private key in that file, which nobody but this user may read. Raises KeyRefused."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise KeyRefused(
            f"{path}: the key that seals this journal is missing. Put it back from its copy; if it is lost, two people "
            f"take a new one: `felt {renewal(path)}` (docs/operations.md)"
        ) from None
    except OSError as error:
        why = "is a link" if error.errno == errno.ELOOP else str(error.strerror)
        raise KeyRefused(f"{path}: {why}; put the key itself there, as a file that only this user can read") from error
    try:
        _refuse_unsafe(path, os.fstat(file))
        content = os.read(file, KEY_BYTES_MAX)
    finally:
        os.close(file)
    try:
        return signed_notes.private_key(content.decode("ascii"))
    except ValueError as error:  # UnicodeDecodeError is one, and shows no byte of a key
        why = "it is not ASCII" if isinstance(error, UnicodeDecodeError) else str(error)
        raise KeyRefused(f"{path}: this is no key that seals a journal: {why}. Put it back from its copy") from None


def _refuse_unsafe(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise KeyRefused(f"{path}: is a folder, a pipe or a device; put the key itself there, as a plain file")
    if found.st_uid != os.geteuid():
        raise KeyRefused(f"{path}: belongs to user {found.st_uid}, this program runs as {os.geteuid()}: `chown` it")
    if mode := stat.S_IMODE(found.st_mode) & 0o077:
        raise KeyRefused(
            f"{path}: others than its owner may use this key (mode {stat.S_IMODE(found.st_mode):o}, {mode:o} too much): "
            "`chmod 600`; if somebody may have seen it, two people take a new one (docs/operations.md)"
        )


# At a start -----------------------------------------------------------------------------------------------------------


def take_up(journal: Journal[Any]) -> PublicKey:
    """Hold the newest seal against a journal that was read through, and seal from now on what is written.

    Raises KeyRefused, SealBroken, StoreError.
    """
    key = own_key(journal)
    if why := objection(journal, [key.public]):
        raise SealBroken(journal.path, why)
    journal.sealer = Sealer(journal, key)
    return key.public


def own_key(journal: Journal[Any], name: str = "") -> PrivateKey:
    """The key beside this journal; of one without a row it is made under `name`. Raises KeyRefused, StoreError."""
    path = key_file(journal.path, journal.vocabulary)
    return first_key(path, name) if name and not journal.rows else load_key(path)


def first_key(path: Path, name: str) -> PrivateKey:
    """The key in that file, made under `name` where there is none. Raises KeyRefused, StoreError."""
    return load_key(path) if _is_there(path) else make_key(path, name)


def objection(journal: Journal[Any], keys: Sequence[PublicKey]) -> str:
    """The fault of the newest seal of a journal that was read through, or a missing one after it; "" for none."""
    newest = newest_seal(journal)
    if newest is None:
        return f"there are {journal.rows} rows and no seal: the seals were deleted" if journal.rows else ""
    if why := wrong(newest, journal.id, journal.hash_at(newest[1]), keys):
        return why
    since = _mark(journal, newest[1])
    for row in journal.database.rows(
        "SELECT row, boot, mono_ns, kind FROM event WHERE row > ? ORDER BY row", (since.row,)
    ):
        mark, kind = _mark_of(row), str(row[3])
        if is_due(journal.vocabulary, since, mark, kind):
            return _missed(mark.row, kind, newest[0])
    return ""


def _missed(row: int, kind: str, last: int) -> str:
    return f"row {row} ({kind}) has no seal, which it must have; the last before it is seal {last}: seals were deleted"


def wrong(seal: Seal, journal: str, head: str, keys: Sequence[PublicKey]) -> str:
    """The fault of one seal, "" for none.

    `head`: the hash of its row in the journal of that id, "" if there is no such row. Without keys its signature is not
    checked.
    """
    number, row, text = seal
    try:
        note = signed_notes.note(text)
        said = checkpoint(note.text)
    except ValueError as error:
        return f"seal {number} cannot be read: {error}"
    if said.journal != journal:
        return f"seal {number} is of journal {said.journal[:8]}, this is {journal[:8]}"
    if (said.number, said.rows) != (number, row):
        return f"seal {number} of row {row} was made as seal {said.number} of row {said.rows}"
    if why := unsigned(note, keys):
        return f"seal {number} (row {row}) {why}"
    if not head:
        return f"seal {number} is of row {row}, which is not there: rows were cut off"
    if head != said.head:
        return f"row {row} is not the one that was sealed (seal {number}): the journal was rewritten"
    return ""


def unsigned(note: Note, keys: Sequence[PublicKey]) -> str:
    """Why none of these keys stands for this note; "" where one does, or no key was given."""
    answers = {key.called: note.signed_by(key) for key in keys}
    if not keys or (True in answers.values() and False not in answers.values()):
        return ""
    if bad := [called for called, answer in answers.items() if answer is False]:
        return f"has a wrong signature of key {bad[0]}"
    return f"was signed by key {note.signatures[0].called}, and not by {' or '.join(answers)}"


# All of them ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trusted:
    """The notes that a verifier keeps elsewhere: public keys, and a checkpoint."""

    keys: tuple[PublicKey, ...] = ()
    kept: Note | None = None


NOBODY = Trusted()


class SealCheck:
    """Every seal of a journal, held against its rows while they go by: give each row to `see`, and then ask `report`."""

    def __init__(
        self, journal: Journal[Any], trusted: Trusted = NOBODY, files: Sequence[Journal[Any]] | None = None
    ) -> None:
        """`files`: those of its files that are looked at, oldest first; without them, all."""
        self._journal, self._trusted = journal, trusted
        self._files = None if files is None else list(files)
        """Those whose rows are still to come; None: all, before the first row."""
        self._seals: Iterator[Seal] = iter(())
        self._waiting: Seal | None = None
        self._expected = 1
        self._count, self._since = 0, Mark()

    def see(self, entry: Entry[Any]) -> None:
        """The next row. Raises SealBroken."""
        if self._files is None:
            self._files = self._journal.there
        if self._files and self._files[0].first <= entry.row:
            self._begin(self._files.pop(0))
        if entry.row != self._expected:  # the files before are not there
            self._count, self._since = (self._waiting[0] - 1 if self._waiting else 0), Mark(entry.row - 1)
        self._expected = entry.row + 1
        row = Mark(entry.row, entry.boot, entry.mono_ns)
        while self._waiting is not None and self._waiting[1] <= entry.row:
            self._hold(self._waiting, entry.hash)
            self._since = row
            self._waiting = next(self._seals, None)
        if self._since.row < entry.row and is_due(self._journal.vocabulary, self._since, row, entry.kind):
            self._refuse(_missed(entry.row, entry.kind, self._count))

    def _begin(self, file: Journal[Any]) -> None:
        """The seals of the file whose first row this is: only now, so that rows and seals are those of one moment."""
        if self._waiting is not None:
            self._hold(self._waiting, "")
        self._seals = (_stored(file.path, row) for row in file.database.rows(READ_SEALS))
        self._waiting = next(self._seals, None)

    def _hold(self, seal: Seal, head: str) -> None:
        if seal[0] != self._count + 1:
            self._refuse(f"seal {self._count + 1} is missing, seal {seal[0]} follows")
        self._refuse(wrong(seal, self._journal.id, head if seal[1] > self._since.row else "", self._trusted.keys))
        self._count += 1

    def _refuse(self, why: str) -> None:
        if why:
            raise SealBroken(self._journal.path, why)

    def report(self) -> str:
        """One line about what was found. Raises SealBroken."""
        if self._waiting is not None:
            self._hold(self._waiting, "")
        count, rows = self._count, self._journal.rows
        keys = " or ".join(key.called for key in self._trusted.keys)
        how = f"signed by {keys}" if keys else "signatures not checked (give --key)"
        open_ = rows - self._since.row
        tail = f"the last {open_} rows, from {self._since.row + 1} on, not sealed yet" if open_ else "every row sealed"
        return f"{count} seals, {how}; {tail}{self._kept()}"

    def _kept(self) -> str:
        """The words about the checkpoint that somebody kept. Raises SealBroken."""
        note, keys = self._trusted.kept, self._trusted.keys
        if note is None:
            return ""
        said = checkpoint(note.text)
        what = f"the checkpoint of row {said.rows}"
        there = self._journal.hash_at(said.rows)
        if said.journal != self._journal.id:
            self._refuse(f"{what} is of journal {said.journal[:8]}, this is {self._journal.id[:8]}")
        if why := unsigned(note, keys):
            self._refuse(f"{what} {why}")
        if there != said.head:
            has = (
                "another row there: it was rewritten" if there else "fewer rows: it was put back, or rows were cut off"
            )
            self._refuse(f"this journal does not contain {what}: it has {has}")
        return f"; {what} is in it"


# Given by people ------------------------------------------------------------------------------------------------------


def trusted(keys: Sequence[str], kept: Path | None) -> Trusted:
    """Public keys by their text or by the file that has it, and the file of a checkpoint. Raises StoreError."""
    return Trusted(tuple(map(_public, keys)), None if kept is None else _given(kept, _checked_note))


def _public(given: str) -> PublicKey:
    try:
        return signed_notes.public_key(given)
    except ValueError as error:
        if not Path(given).exists():
            raise StoreError(f"--key {given}: {error}; give NAME+ID+BASE64, or the file that has it") from error
    return _given(Path(given), signed_notes.public_key)


def _checked_note(text: str) -> Note:
    note = signed_notes.note(text)
    checkpoint(note.text)
    return note


def _given(path: Path, read: Callable[[str], T]) -> T:
    """The content of a small file that people keep. Raises ConfigError, StoreError."""
    try:
        return read(read_plain(path).decode())
    except ValueError as error:
        raise StoreError(f"{path}: {error}; give the file as `felt` wrote it") from error
