"""Two people adopt a table's journal, end its alarm, end a verdict that is held, or open a claim again, while the bank runs.

`felt bank adopt`, `accept`, `refuse` and `reopen` ask through a socket in the bank's home, which only the bank's user can
open. One thread answers, one question after the other: it checks both PINs, and the bank's loop commits what was signed
between two messages. A PIN is never written anywhere; a wrong one is counted (`firmware.runtime.tries`), and a complaint in
the ledger's journal.
"""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from firmware.config import ConfigError, PersonConfig
from firmware.rules.approvals import APPROVALS, Act
from firmware.runtime.pins import Unchecked
from firmware.runtime.sqlite import StoreError
from firmware.runtime.tries import Tries
from hal.ports import Complaint
from hal.workers import Worker

SOCKET = "bank.sock"
LEDGER = "bank.ledger"
ADOPT, UNLOCK = "felt bank adopt", "felt bank unlock"
LINE_MAX = 4096
ANSWER_S = 20.0
"""A question, or the commit that follows, that takes longer is given up."""
ENDS_S = 1.0
"""A stop does not wait longer for a question that is being answered."""
UNSIGNED = "it takes two different people of bank.toml, each a floorperson or manager with the right PIN"


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A badge, and the PIN that was typed for it."""

    badge: str
    pin: str

    def __repr__(self) -> str:
        return f"Signature({self.badge!r})"


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """This journal ("": the table's own) is the table's from here on, and its alarms are over.

    With a `claim` instead of a table: the verdict on it that is held, message `seq` with this `hash`, is `accepted`, or the
    claim is no winner. `signed` by nobody (`None`), it is shown what is held. With a `claim` and a `reason`: it was
    rejected, and is opened again by that order. With a `day`: that gaming day of the ledger is closed. `key`: the digits
    of the table's new key. `command`: what these people typed, with the options that name this bank; an answer may say how
    to go on.
    """

    table: str
    journal: str
    signed: tuple[Signature, Signature] | None
    claim: str = ""
    accepted: bool = True
    day: str = ""
    seq: int = 0
    hash: str = ""
    command: str = ADOPT
    key: str = ""
    reason: str = ""


class HeldShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A verdict that is held, as people are shown it before they sign: number and hash of its message, and `text`."""

    seq: int
    hash: str
    text: str


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The journal that was adopted, or the day that was closed; or why none was. `held`: what was asked to be shown."""

    journal: str = ""
    refused: str = ""
    held: HeldShown | None = None


@dataclass(frozen=True, slots=True)
class AdoptionAsked:
    """Two people have signed; the loop answers once it is committed."""

    table: str
    journal: str
    by: tuple[str, str]
    answer: Callable[[Answer], None]
    command: str = ADOPT
    key: str = ""


@dataclass(frozen=True, slots=True)
class VerdictAsked:
    """Two people have looked at a verdict that is held; the loop answers once it is committed."""

    claim: str
    accepted: bool
    by: tuple[str, str]
    seq: int
    hash: str
    answer: Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class HeldAsked:
    """Somebody wants to see the verdict on this claim that is held, and whether it may be `accepted`, or refused; or the
    rejected claim that is to be opened `again`.
    """

    claim: str
    accepted: bool
    again: bool
    answer: Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class ReopeningAsked:
    """By order of the regulator two people open a claim again; the loop answers once it is committed."""

    claim: str
    reason: str
    by: tuple[str, str]
    answer: Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class ClosingAsked:
    """Two people close the ledger's gaming day; the loop answers once it is committed."""

    day: str
    by: tuple[str, str]
    answer: Callable[[Answer], None]


def unsigned(
    people: Sequence[PersonConfig], act: Act, one: Signature, first: str, tries: Tries, told: Callable[[str], None]
) -> str:
    """Why this person does not sign for it, "" to sign; `first`: who signed before. `told` says the wrong PINs.

    Takes tens of milliseconds, on purpose. Raises Unchecked, StoreError.
    """
    person = next((each for each in people if each.badge == one.badge), None)
    if person is None or person.role not in APPROVALS[act].roles or one.badge == first:
        return f"badge {one.badge!r}: not signed; {UNSIGNED}"
    why, before = tries.refusal(person, one.pin)
    if before:
        told(before)
    return f"not signed: {why}; {UNSIGNED}" if why else ""


class AdoptionDesk:
    """The bank's end of the socket, in a thread of its own from `start` on."""

    def __init__(self, path: Path, people: Sequence[PersonConfig], put: Callable[[object], None]) -> None:
        self._path, self._people, self._put = path, people, put
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._closed = threading.Event()
        self._worker = Worker("adoption", self._serve)
        self._tries = Tries(path.with_name(LEDGER), UNLOCK)

    def start(self) -> None:
        """Listen; only this user may connect. Raises ConfigError."""
        before = os.umask(0o177)
        try:
            self._path.unlink(missing_ok=True)
            self._socket.bind(str(self._path))
        except OSError as error:
            raise ConfigError(
                f"{self._path}: {error.strerror or error}; take away what lies there, or name a home with a shorter path "
                "that this user owns"
            ) from error
        finally:
            os.umask(before)
        self._socket.listen()
        self._worker.start()

    def close(self) -> None:
        """Take no more questions."""
        self._closed.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._worker.end(within_s=ENDS_S)
        self._path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                if self._closed.is_set():
                    return
                raise  # no file to give: the loop complains, and this is begun again
            with connection, contextlib.suppress(OSError):  # who went away hears no answer
                connection.settimeout(ANSWER_S)
                connection.sendall(msgspec.json.encode(self._answer(connection)) + b"\n")

    def _tell(self, text: str) -> None:
        self._put(Complaint("PINs", text))

    def _answer(self, connection: socket.socket) -> Answer:
        with connection.makefile("rb") as lines:
            line = lines.readline(LINE_MAX)
        try:
            question = msgspec.json.decode(line, type=Question)
        except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
            return Answer(refused=f"not a question of `felt bank adopt`: {error}")
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        if question.signed is None:  # nothing follows from it
            self._put(HeldAsked(question.claim, question.accepted, bool(question.reason), answers.put))
            return _in_time(answers)
        first = ""
        for one in question.signed:
            try:
                why = unsigned(self._people, _act(question), one, first, self._tries, self._tell)
            except (Unchecked, StoreError) as error:
                return Answer(refused=f"the bank says: {error}")
            if why:
                about = question.day or question.claim or question.table
                self._put(Complaint("adoption", f"badge {one.badge or '?'} did not sign for {about}"))
                return Answer(refused=why)
            first = one.badge
        by = (question.signed[0].badge, question.signed[1].badge)
        if question.claim and question.reason:
            self._put(ReopeningAsked(question.claim, question.reason, by, answers.put))
        elif question.claim:
            asked = VerdictAsked(question.claim, question.accepted, by, question.seq, question.hash, answers.put)
            self._put(asked)
        elif question.day:
            self._put(ClosingAsked(question.day, by, answers.put))
        else:
            self._put(AdoptionAsked(question.table, question.journal, by, answers.put, question.command, question.key))
        return _in_time(answers)


def _act(question: Question) -> Act:
    if question.claim:
        return Act.REOPENING if question.reason else Act.VERDICT
    return Act.BANK_DAY if question.day else Act.ADOPTION


def _in_time(answers: queue.SimpleQueue[Answer]) -> Answer:
    try:
        return answers.get(timeout=ANSWER_S)
    except queue.Empty:
        return Answer(refused="the bank does not answer; look at its log, then ask again")


def ask(path: Path, question: Question) -> Answer | None:
    """The running bank's answer; None if none listens there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(3 * ANSWER_S)
        try:
            connection.connect(str(path))
        except OSError:
            return None
        try:
            connection.sendall(msgspec.json.encode(question) + b"\n")
            with connection.makefile("rb") as lines:
                return msgspec.json.decode(lines.readline(LINE_MAX), type=Answer)
        except (OSError, ValueError, RecursionError):
            return Answer(refused="the bank ended before it answered; look whether the alarm stands, then ask again")
