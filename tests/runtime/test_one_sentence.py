"""Things that lie in the way of a start, and things that no keyboard types: one sentence each, at once."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from firmware import __main__ as felt
from firmware.__main__ import main
from firmware.config import ConfigError
from firmware.runtime.adoption import AdoptionDesk
from firmware.runtime.glass import Glass
from tests.runtime.world import BankWorld, Clock, TableWorld


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """The one line that a command says that does not start."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == 2
    said = capsys.readouterr()
    assert not said.out and len(said.err.splitlines()) == 1
    return said.err


def put_in_place(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal", ".lock", ".anchor"])
def test_a_pipe_in_place_of_a_tables_file_is_refused_and_nobody_waits_for_it(
    clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    TableWorld(tmp_path, clock).journal.close()
    put_in_place(tmp_path / f"table.journal{ending}")
    said = refused(capsys, "table", "--home", tmp_path)
    assert f"table.journal{ending}: " in said and ("is a device or a pipe" in said or "is no plain file" in said)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal", ".lock", ".anchor", ".epochs"])
def test_a_pipe_in_place_of_a_banks_file_is_refused_and_nobody_waits_for_it(
    clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    BankWorld(tmp_path, clock).journal.close()
    put_in_place(tmp_path / f"bank.ledger{ending}")
    assert f"bank.ledger{ending}: " in refused(capsys, "bank", "--home", tmp_path)


def test_a_pipe_in_place_of_the_wrong_pins_is_refused_and_nobody_waits_for_it(
    clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    BankWorld(tmp_path, clock).journal.close()
    put_in_place(tmp_path / "bank.ledger.wrong-pins")
    monkeypatch.setattr("builtins.input", lambda _: "2001")
    monkeypatch.setattr("getpass.getpass", lambda _: "200100")
    said = refused(capsys, "bank", "--home", tmp_path, "close-day")
    assert "bank.ledger.wrong-pins: " in said and "no PIN is checked" in said


def test_a_folder_where_a_socket_goes_is_named(tmp_path: Path) -> None:
    for name in ("table.sock", "bank.sock"):
        (tmp_path / name).mkdir()
    with pytest.raises(ConfigError, match=r"table.sock: Is a directory; take away what lies there"):
        Glass(tmp_path / "table.sock", lambda _: None, observable=False).start()
    with pytest.raises(ConfigError, match=r"bank.sock: Is a directory; take away what lies there"):
        AdoptionDesk(tmp_path / "bank.sock", (), lambda _: None).start()


@pytest.mark.parametrize("port", ["99999", "-1", "65536", "x", "9" * 5000])
@pytest.mark.parametrize("command", ["sign", "broker"])
def test_a_port_that_is_none_is_refused(command: str, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, f"--port={port}"])
    assert ended.value.code == 2 and "a port is 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("host", [os.fsdecode(b"\xff"), "ü" * 100])
def test_a_host_that_no_machine_can_have_is_refused(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sign", "--host", host, "--port", "0"])
    assert ended.value.code == 2 and "is no address of a machine" in capsys.readouterr().err


def test_a_word_that_is_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "table: '\\udcff' is not UTF-8" in refused(capsys, "bank", "--home", tmp_path, "adopt", os.fsdecode(b"\xff"))


@pytest.mark.parametrize("line", ['home = "\\u0000"', '[link]\nuser = "a\\u0000b"', 'tables = ["\\u0000"]'])
def test_a_nul_in_a_configuration_is_refused(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bank.toml").write_text(f"{line}\n")
    assert "has a character NUL" in refused(capsys, "bank", "--config", tmp_path / "bank.toml")


@pytest.mark.parametrize("typed", ["12\udcff456", None])
def test_a_pin_that_is_no_text_is_refused(
    clock: Clock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str | None,
) -> None:
    BankWorld(tmp_path, clock).journal.close()

    def types(_: str) -> str:
        return typed or b"12\xff456".decode()

    monkeypatch.setattr("builtins.input", lambda _: "2001")
    monkeypatch.setattr("getpass.getpass", types)
    for words in (("bank", "--home", tmp_path, "adopt", "uth-04"), ("pin",)):
        assert "a byte that was typed is not UTF-8" in refused(capsys, *words)


def test_ctrl_c_during_a_start_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def interrupted(_: object) -> argparse.Namespace:
        raise KeyboardInterrupt

    monkeypatch.setattr("firmware.config.load_bank", interrupted)
    assert main(["bank", "--home", str(tmp_path)]) == felt.INTERRUPTED == 130
    assert capsys.readouterr().err == "felt bank: stopped by Ctrl-C\n"
