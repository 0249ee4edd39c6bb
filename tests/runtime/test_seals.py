"""Seals: who changes a journal and makes its chain again still lacks the key; who cuts it is told by what was kept."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from firmware.__main__ import main
from firmware.bank import events as b
from firmware.rules.message import NOTHING
from firmware.runtime import bank as bank_runtime
from firmware.runtime import seals, signed_notes
from firmware.runtime.anchor import AnchorFile
from firmware.runtime.day_files import Journal
from firmware.runtime.table_journal import VOCABULARY, make_journal
from firmware.table import events as e
from tests.runtime.test_adoption import PINS
from tests.runtime.test_anchor import refused
from tests.runtime.test_journal import edited
from tests.runtime.world import BankWorld, Clock, TableWorld

NAME, KEY, PUBLIC = "table.journal", "table-seal.key", "table-seal.pub"
CHANGE = "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 5"
EVIDENCE = "Do not delete anything: it is evidence"


@pytest.fixture
def ended(table: TableWorld) -> TableWorld:
    """A table that played a round and ended in order."""
    table.counted(3)
    table.presses("primary")
    table.journal.close()
    return table


def said_by(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str]:
    """What `felt` ends with, and its last line."""
    capsys.readouterr()
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    lines = (said.err if code else said.out).splitlines()
    assert not code or (len(lines) == 1 and not said.out), "a refusal is one line"
    return code, lines[-1]


def verified(home: Path, capsys: pytest.CaptureFixture[str], *more: str | Path) -> tuple[int, str]:
    """`felt journal verify` with the public key that lies in `home`."""
    return said_by(capsys, "journal", "verify", home / NAME, "--key", home / PUBLIC, *more)


def stored(path: Path) -> list[tuple[int, int, str]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT number, row, note FROM seal ORDER BY number").fetchall()
    connection.close()
    return found


def anchored(path: Path) -> None:
    """Whoever can write the journal can write the file beside it too."""
    journal = Journal(path, VOCABULARY)
    for _ in journal.entries():
        pass
    AnchorFile(path).write(journal, running=False)
    journal.database.close()


# A seal is what outsiders can check --------------------------------------------------------------------------------------


def test_a_seal_is_a_checkpoint_that_anybody_checks_with_the_public_key(ended: TableWorld) -> None:
    """C2SP signed-note and tlog-checkpoint, taken apart here by nothing but the standard library and the signature."""
    number, row, text = stored(ended.folder / NAME)[-1]
    body, signature = text.split("\n\n")
    origin, rows, head, of = body.split("\n")
    name, _, written = (ended.folder / PUBLIC).read_text().strip().split("+", 2)
    raw = base64.b64decode(written)
    assert origin == f"felt/table/uth-04/{ended.journal.id}" and name == "felt/table/uth-04"
    assert (int(rows), of) == (row, f"seal {number}")
    assert base64.b64decode(head).hex() == ended.journal.head and row == ended.journal.rows
    dash, by, value = signature.removesuffix("\n").split(" ")
    signed = base64.b64decode(value)
    assert (dash, by) == ("—", name) and signed[:4] == hashlib.sha256(f"{name}\n".encode() + raw).digest()[:4]
    key = Ed25519PublicKey.from_public_bytes(raw[1:])
    key.verify(signed[4:], f"{body}\n".encode())


def test_the_example_of_the_standard_is_read_as_the_standard_says() -> None:
    """https://c2sp.org/signed-note, whose example is made by Go's note package."""
    key = signed_notes.public_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    signature = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    note = signed_notes.note(f"{text}\n— PeterNeumann {signature}\n")
    assert note.text == text and note.signed_by(key) is True
    assert signed_notes.note(f"{text[:-2]}!\n\n— PeterNeumann {signature}\n").signed_by(key) is False


@pytest.mark.parametrize(
    "changed", ["PRIVATE+KEY+", "x+00000000+AA==", "felt+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]
)
def test_a_key_that_was_copied_with_a_mistake_is_no_key(changed: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        signed_notes.public_key(changed)


# When it is written ------------------------------------------------------------------------------------------------------


def test_every_start_every_end_of_a_round_and_every_end_is_sealed(ended: TableWorld) -> None:
    sealed = [row for _, row, _ in stored(ended.folder / NAME)]
    connection = sqlite3.connect(ended.folder / NAME)
    kinds = connection.execute(
        "SELECT row FROM event WHERE kind IN ('TableShut', 'TableLive', 'Started', 'RoundCleared')"
    ).fetchall()
    (last,) = connection.execute("SELECT max(row) FROM event").fetchone()
    connection.close()
    assert len(kinds) == 4 and sealed == sorted({*(row for (row,) in kinds), last})


def test_at_the_latest_a_thousand_rows_are_one_seal(tmp_path: Path) -> None:
    make_journal(tmp_path / NAME, "uth-04", 6)
    journal = Journal(tmp_path / NAME, VOCABULARY)
    journal.verify()
    seals.take_up(journal)
    journal.append([e.CountEntered("progressive", None, 0)] * (2 * seals.EVERY + 1))
    journal.close()
    assert [row for _, row, _ in stored(tmp_path / NAME)] == [2, 2 + seals.EVERY, 2 + 2 * seals.EVERY]


def test_a_bank_is_sealed_once_a_minute_while_anything_is_written(tmp_path: Path, clock: Clock) -> None:
    bank = BankWorld(tmp_path, clock)
    rule, since = bank.journal.vocabulary, seals.Mark(10, "boot", 0)
    minute = bank_runtime.SEALED_AFTER_NS
    assert not seals.is_due(rule, since, seals.Mark(11, "boot", minute - 1), "WagersHeld")
    assert seals.is_due(rule, since, seals.Mark(11, "boot", minute), "WagersHeld")
    assert not seals.is_due(VOCABULARY, since, seals.Mark(11, "boot", minute), "WagerPlaced"), (
        "a lamp waits for no seal"
    )


def test_a_transaction_that_fails_leaves_no_seal_and_no_number_behind(tmp_path: Path) -> None:
    make_journal(tmp_path / NAME, "uth-04", 6)
    journal = Journal(tmp_path / NAME, VOCABULARY)
    journal.verify()
    seals.take_up(journal)

    def fails(_: object) -> None:
        raise OSError("the power has failed")

    with pytest.raises(OSError, match="power"):
        journal.append([e.TableShut(0, NOTHING)], also=fails)
    journal.append([e.TableShut(0, NOTHING)])
    journal.close()
    assert [(number, row) for number, row, _ in stored(tmp_path / NAME)] == [(1, 2), (2, 3)]


def test_a_kill_leaves_rows_of_one_round_without_a_seal_and_the_next_start_seals_them(
    table: TableWorld, tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    table.counted(3)
    home = tmp_path / "killed"
    shutil.copytree(table.folder, home, ignore=shutil.ignore_patterns("*.sock", "*-shm"))
    code, said = verified(home, capsys)
    assert code == 0 and "not sealed yet" in said
    TableWorld(home, clock).journal.close()
    code, said = verified(home, capsys)
    assert code == 0 and said.endswith("every row sealed")


# Who attacks -------------------------------------------------------------------------------------------------------------


def rewritten(home: Path) -> None:
    edited(home / NAME, CHANGE, rechained=True)
    anchored(home / NAME)


def rewritten_without_its_seals(home: Path) -> None:
    edited(home / NAME, "DELETE FROM seal WHERE row >= 5", CHANGE, rechained=True)
    anchored(home / NAME)


def all_seals_deleted(home: Path) -> None:
    edited(home / NAME, "DELETE FROM seal")


def seal_table_dropped(home: Path) -> None:
    edited(home / NAME, "DROP TABLE seal")


def newest_seal_changed(home: Path) -> None:
    edited(
        home / NAME,
        "UPDATE seal SET note = replace(note, 'seal ', 'seal 1') WHERE number = (SELECT max(number) FROM seal)",
    )


def sealed_by_another(home: Path) -> None:
    """The thief has a key, and it is not the table's."""
    edited(home / NAME, CHANGE, rechained=True)
    other = signed_notes.PrivateKey("felt/table/uth-04", b"x" * 32)
    connection = sqlite3.connect(home / NAME)
    (journal,) = connection.execute("SELECT value FROM about WHERE key = 'id'").fetchone()
    joined = "SELECT number, seal.row, hash FROM seal JOIN event ON event.row = seal.row"
    for number, row, head in connection.execute(joined).fetchall():
        note = other.sign(seals.Checkpoint(f"felt/table/uth-04/{journal}", row, head, number).text)
        connection.execute("UPDATE seal SET note = ? WHERE number = ?", (note, number))
    connection.commit()
    connection.close()
    anchored(home / NAME)


def seal_of_another_journal(home: Path) -> None:
    (home / "other").mkdir()
    make_journal(home / "other" / NAME, "uth-04", 6)
    ((_, _, note),) = stored(home / "other" / NAME)
    edited(home / NAME)
    connection = sqlite3.connect(home / NAME)
    connection.execute("UPDATE seal SET note = ? WHERE number = (SELECT max(number) FROM seal)", (note,))
    connection.commit()
    connection.close()


def seal_is_a_number(home: Path) -> None:
    edited(home / NAME, "UPDATE seal SET note = x'00ff' WHERE number = (SELECT max(number) FROM seal)")


ATTACKS = {
    "a row is rewritten and chain and anchor made again": (rewritten, "is not the one that was sealed (seal "),
    "and the seals after it are deleted": (rewritten_without_its_seals, "has no seal, which it must have"),
    "all seals are deleted": (all_seals_deleted, "no seal"),
    "the table of seals is dropped": (seal_table_dropped, "seal"),
    "the newest seal is changed": (newest_seal_changed, "was made as seal 1"),
    "all seals are made with another key": (sealed_by_another, "was signed by key felt/table/uth-04+"),
    "the newest seal is another journal's": (seal_of_another_journal, "is of journal "),
    "the newest seal is no text": (seal_is_a_number, "is not what was written"),
}


@pytest.mark.parametrize(("attack", "why"), ATTACKS.values(), ids=ATTACKS)
def test_who_lacks_the_key_is_found_by_verify_and_by_the_start(
    ended: TableWorld, capsys: pytest.CaptureFixture[str], attack: Callable[[Path], None], why: str
) -> None:
    assert verified(ended.folder, capsys)[0] == 0
    attack(ended.folder)
    code, said = verified(ended.folder, capsys)
    assert code == 2 and why in said
    assert why in refused(ended.folder, capsys)


def test_a_seal_taken_out_of_the_middle_is_missed_by_its_number(
    ended: TableWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(ended.folder / NAME, "DELETE FROM seal WHERE number = 2")
    code, said = verified(ended.folder, capsys)
    assert code == 2 and ("seal 2 is missing, seal 3 follows" in said or "(TableLive) has no seal" in said)


def test_without_a_key_verify_says_that_no_signature_was_checked(
    ended: TableWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = said_by(capsys, "journal", "verify", ended.folder / NAME)
    assert code == 0 and "signatures not checked (give --key)" in said
    sealed_by_another(ended.folder)
    assert said_by(capsys, "journal", "verify", ended.folder / NAME)[0] == 0, (
        "the seals fit; whose they are, nobody asked"
    )


def test_a_bad_seal_in_the_middle_is_named_by_its_number(ended: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    edited(ended.folder / NAME)
    connection = sqlite3.connect(ended.folder / NAME)
    ((note,),) = connection.execute("SELECT note FROM seal WHERE number = 2")
    other = signed_notes.PrivateKey("felt/table/uth-04", b"x" * 32).sign(signed_notes.note(note).text)
    connection.execute("UPDATE seal SET note = ? WHERE number = 2", (other,))
    connection.commit()
    connection.close()
    code, said = verified(ended.folder, capsys)
    assert code == 2 and "seal 2 (row 3) was signed by key felt/table/uth-04+" in said and EVIDENCE in said


# What was kept elsewhere -------------------------------------------------------------------------------------------------


def cut_to_an_older_seal(home: Path) -> None:
    """All that the file holds agrees: rows, index, seals and the anchor beside it end at seal 2."""
    cut = "(SELECT row FROM seal WHERE number = 2)"
    edited(
        home / NAME,
        f"DELETE FROM message WHERE row > {cut}",
        f"DELETE FROM snapshot WHERE row > {cut}",
        f"DELETE FROM event WHERE row > {cut}",
        "DELETE FROM seal WHERE number > 2",
    )


def test_a_journal_cut_to_an_older_seal_is_found_by_the_anchor_and_by_a_checkpoint_that_was_kept(
    ended: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said_by(capsys, "journal", "checkpoint", ended.folder / NAME)[0] == 0
    kept = tmp_path / "kept.txt"
    kept.write_text(stored(ended.folder / NAME)[-1][2], encoding="utf-8")
    code, said = verified(ended.folder, capsys, "--checkpoint", kept)
    assert code == 0 and f"the checkpoint of row {ended.journal.rows} is in it" in said
    cut_to_an_older_seal(ended.folder)
    assert verified(ended.folder, capsys)[0] == 0, "by itself the file is sound"
    assert "rows were cut off" in refused(ended.folder, capsys), "the anchor"
    anchored(ended.folder / NAME)
    code, said = verified(ended.folder, capsys, "--checkpoint", kept)
    assert code == 2 and "does not contain the checkpoint of row" in said and "fewer rows" in said


def test_a_checkpoint_is_printed_as_it_was_signed(ended: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["journal", "checkpoint", str(ended.folder / NAME)]) == 0
    assert capsys.readouterr().out == stored(ended.folder / NAME)[-1][2]


def test_a_checkpoint_of_another_journal_or_with_a_false_signature_proves_nothing(
    ended: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.txt"
    text = stored(ended.folder / NAME)[-1][2]
    kept.write_text(text.replace(ended.journal.id, "0" * 32), encoding="utf-8")
    code, said = verified(ended.folder, capsys, "--checkpoint", kept)
    assert code == 2 and "is of journal 00000000" in said
    false = signed_notes.PrivateKey("felt/table/uth-04", b"x" * 32).sign(signed_notes.note(text).text)
    kept.write_text(false, encoding="utf-8")
    assert "was signed by key" in verified(ended.folder, capsys, "--checkpoint", kept)[1]
    kept.write_text("nothing\n", encoding="utf-8")
    assert "give the file as `felt` wrote it" in verified(ended.folder, capsys, "--checkpoint", kept)[1]


# The key -----------------------------------------------------------------------------------------------------------------


def others_may_read(key: Path) -> None:
    key.chmod(0o640)


def garbage(key: Path) -> None:
    key.write_bytes(b"\xff\x00 no key")


def torn(key: Path) -> None:
    key.write_text(key.read_text()[:-9])


def empty(key: Path) -> None:
    key.write_bytes(b"")


def gone(key: Path) -> None:
    key.unlink()


def folder(key: Path) -> None:
    key.unlink()
    key.mkdir(mode=0o700)


def pipe(key: Path) -> None:
    key.unlink()
    os.mkfifo(key, 0o600)


def link(key: Path) -> None:
    key.rename(key.with_suffix(".elsewhere"))
    key.symlink_to(key.with_suffix(".elsewhere"))


def another(key: Path) -> None:
    key.unlink()
    seals.make_key(key, "felt/table/uth-04")


KEYS = {
    "others may read it": (others_may_read, "others than its owner may use this key (mode 640"),
    "it is garbage": (garbage, "this is no key that seals a journal"),
    "it is torn": (torn, "this is no key that seals a journal"),
    "it is empty": (empty, "this is no key that seals a journal"),
    "it is gone": (gone, "the key that seals this journal is missing"),
    "it is a folder": (folder, "is a folder, a pipe or a device"),
    "it is a FIFO": (pipe, "is a folder, a pipe or a device"),
    "it is a link": (link, "is a link"),
    "it is another": (another, "was signed by key felt/table/uth-04+"),
}


@pytest.mark.parametrize(("change", "why"), KEYS.values(), ids=KEYS)
def test_a_key_that_cannot_be_used_is_refused_in_one_line(
    ended: TableWorld, capsys: pytest.CaptureFixture[str], change: Callable[[Path], None], why: str
) -> None:
    change(ended.folder / KEY)
    assert why in refused(ended.folder, capsys)


def test_a_key_of_somebody_else_is_refused(ended: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    if os.geteuid():
        pytest.skip("only root gives a file away")
    os.chown(ended.folder / KEY, 65534, 65534)
    assert "belongs to user 65534" in refused(ended.folder, capsys)


def test_a_new_key_is_for_its_user_alone_and_its_public_half_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    was = os.umask(0)
    try:
        code, said = said_by(capsys, "table", "new", "--home", tmp_path)
    finally:
        os.umask(was)
    assert code == 0 and (tmp_path / PUBLIC).read_text().strip() in said
    assert (tmp_path / KEY).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / KEY).read_text().startswith("PRIVATE+KEY+felt/table/uth-04+")


def two_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """They show their badges and type their PINs."""
    badges, pins = iter(PINS), iter(PINS.values())
    monkeypatch.setattr("builtins.input", lambda _prompt: next(badges))
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(pins))


def test_two_people_take_a_new_key_where_it_is_lost_and_both_public_keys_verify_the_journal(
    ended: TableWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "before.pub"
    shutil.copy(ended.folder / PUBLIC, before)
    gone(ended.folder / KEY)
    two_people(monkeypatch)
    code, said = said_by(capsys, "table", "accept", "key", "--home", ended.folder)
    assert code == 0 and (ended.folder / PUBLIC).read_text().strip() in said
    ended.starts()
    (accepted,) = ended.events(e.RecordAccepted)
    assert (accepted.what, accepted.people) == ("key", ("2001", "3001"))
    assert accepted.why == (ended.folder / PUBLIC).read_text().strip()
    ended.journal.close()
    code, said = verified(ended.folder, capsys)
    assert code == 2 and "was signed by key" in said
    assert verified(ended.folder, capsys, "--key", before)[0] == 0


@pytest.mark.parametrize("of", ["table", "bank"])
def test_a_missing_key_names_a_command_that_there_is(
    of: str, ended: TableWorld, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    BankWorld(ended.folder, clock).journal.close()
    ended.journal.close()
    key = ended.folder / f"{of}-seal.key"
    gone(key)
    with pytest.raises(seals.KeyRefused) as refused:
        seals.load_key(key)
    _, command, *words = str(refused.value).split("`")[1].split()
    two_people(monkeypatch)
    code, _ = said_by(capsys, command, "--home", ended.folder, *words)
    assert code == 0 and key.exists()


# The bank ----------------------------------------------------------------------------------------------------------------


def test_a_bank_makes_its_key_with_its_ledger_and_never_again(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock)
    bank.journal.close()
    ledger, public = tmp_path / "bank.ledger", tmp_path / "bank-seal.pub"
    code, said = said_by(capsys, "bank", "verify", ledger, "--key", public.read_text().strip())
    assert code == 0 and said.endswith("every row sealed") and "signed by felt/bank/felt+" in said
    (tmp_path / "bank-seal.key").unlink()
    with pytest.raises(seals.KeyRefused, match="is missing"):
        bank.starts()


def test_a_ledger_whose_chain_was_made_again_is_found_by_verify_and_by_the_start(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock)
    bank.journal.close()
    edited(bank.path, "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 1", rechained=True)
    code, said = said_by(capsys, "bank", "verify", bank.path, "--key", tmp_path / "bank-seal.pub")
    assert code == 2 and "row 1 is not the one that was sealed (seal 1): the journal was rewritten" in said
    with pytest.raises(seals.SealBroken, match="the journal was rewritten"):
        bank.starts()


def test_two_people_take_a_new_key_of_a_bank_and_the_ledger_says_so(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock)
    bank.journal.close()
    public, before = tmp_path / "bank-seal.pub", tmp_path / "before.pub"
    shutil.copy(public, before)
    others_may_read(tmp_path / "bank-seal.key")
    with pytest.raises(seals.KeyRefused, match="others than its owner"):
        bank.starts()
    bank.journal.close()
    two_people(monkeypatch)
    code, said = said_by(capsys, "bank", "--home", tmp_path, "accept-key")
    assert code == 0 and public.read_text().strip() in said
    bank.starts()
    (accepted,) = bank.events(b.KeyAccepted)
    assert (accepted.key, accepted.why, accepted.by) == (public.read_text().strip(), "", ("2001", "3001"))
    bank.journal.close()
    assert said_by(capsys, "bank", "verify", bank.path, "--key", public)[0] == 2
    assert said_by(capsys, "bank", "verify", bank.path, "--key", public, "--key", before)[0] == 0


def test_a_ledger_that_two_people_accept_with_a_bad_seal_says_what_was_wrong(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock)
    bank.journal.close()
    edited(bank.path, "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 1", rechained=True)
    two_people(monkeypatch)
    assert said_by(capsys, "bank", "--home", tmp_path, "accept-key")[0] == 0
    bank.starts()
    (accepted,) = bank.events(b.KeyAccepted)
    assert "the journal was rewritten" in accepted.why
    assert said_by(capsys, "bank", "verify", bank.path)[0] == 2, "the bad seal is still there, and is named"
