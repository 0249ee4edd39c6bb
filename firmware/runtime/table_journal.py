"""A table's journal: its vocabulary, what of it is sealed, how it is opened, and made once."""

from __future__ import annotations

from pathlib import Path

from firmware.rules.message import NOTHING
from firmware.runtime import seals
from firmware.runtime.anchor import AnchorFile, JournalLost, signs
from firmware.runtime.anchored_journal import take_back
from firmware.runtime.day_files import Journal
from firmware.runtime.journal import FileGone, Vocabulary, make
from firmware.runtime.signed_notes import PublicKey
from firmware.table import events as e

UP = "up"
"""The key of a table's owed messages in its journal."""


def _message(event: e.Event) -> tuple[str, int] | None:
    return (UP, event.seq) if isinstance(event, e.MessageOwed) else None


_SEALED = (e.Started, e.RecordAccepted, e.TableLive, e.RoundCleared, e.TableShut, FileGone)
SEALED = frozenset(kind.__name__ for kind in _SEALED)
"""Every row of a round that has ended has a seal; within a round no wager waits for a signature."""
VOCABULARY: Vocabulary[e.Event] = Vocabulary("table", e.EVENTS, e.UPGRADES, _message, SEALED)


def open_journal(path: Path) -> Journal[e.Event]:
    """A table's own journal. A table makes none by itself: `make_journal` does. Raises JournalLost, StoreError."""
    if path.exists():
        take_back(path, VOCABULARY)
        return Journal(path, VOCABULARY)
    if found := signs(path):
        raise JournalLost(
            f"{path}: the journal is gone, {found[0].name} says that there was one. Put it back; if it is lost, "
            f"move the whole folder away as evidence and make a new one: `felt table new`"
        )
    raise JournalLost(f"{path}: there is no journal; `felt table new` makes one, once, for a table that never had one")


def make_journal(path: Path, table: str, seats: int) -> tuple[str, PublicKey]:
    """The new journal of a table that never had one: shut, because nobody has brought cards.

    Gives its id, and the public key of what seals it: a key that is there already, or a new one. The id is what people
    compare of that key, so who adopts the journal by its digits knows the key with which the table seals what it says.
    Raises JournalLost where there is one, or was. One whose making the power cut is made to the end.
    """
    anchor = AnchorFile(path)
    begun = path.exists() and anchor.read() is None
    if not begun and (found := signs(path)):
        raise JournalLost(
            f"{path}: {found[0].name} is there; a table has one journal. Start the table, or, if its journal is lost, "
            "move the whole folder away as evidence, or name another home"
        )
    key = seals.first_key(seals.key_file(path, VOCABULARY), f"felt/table/{table}")
    if not begun:
        make(path, VOCABULARY.name, new_id=key.public.digits)
    journal = Journal(path, VOCABULARY)
    try:
        first: list[e.Event] = [e.TableOpened(table, journal.id, seats), e.TableShut(0, NOTHING)]
        written = list(journal.replay())
        journal.verify()
        if len(written) > len(first):
            raise JournalLost(f"{path}: this journal has {journal.rows} rows; a table has one: start the table")
        if written and written != first:
            raise JournalLost(f"{path}: this journal is of another table, or of other seats; name another home")
        if not written:
            journal.sealer = seals.Sealer(journal, key)
            journal.append(first)
        anchor.write(journal, running=False)
        return journal.id, key.public
    finally:
        journal.close()
