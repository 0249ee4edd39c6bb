"""The embedded broker is an extra: a casino's machine does not have its library."""

from __future__ import annotations

import sys

import pytest

from firmware.__main__ import main


def test_a_machine_without_the_library_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "amqtt"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "amqtt", None)
    assert main(["broker", "--port", "0"]) != 0
    said = capsys.readouterr().err
    assert said.startswith("felt broker: no embedded broker here: ") and said.count("\n") == 1
    assert "mosquitto" in said and "felt[broker]" in said
