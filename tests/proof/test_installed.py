"""An installation has no proof of the product in it, and says so."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

import pytest

from firmware.__main__ import PROOF, main


class Missing(MetaPathFinder):
    """Finds everything but the proof."""

    def find_spec(self, name: str, *_: object) -> None:
        """Nothing, so that the next finder is asked; an error as Python's for the proof."""
        if name == PROOF:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As at a table: the packages below `firmware.proof` are not there."""
    for name in [name for name in sys.modules if name.startswith(PROOF)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "command",
    [["rehearse", "--words"], ["conformance", "bank", "--url", "mqtt://127.0.0.1:1", "--table", "uth-04"]],
    ids=lambda command: str(command[0]),
)
def test_a_command_that_is_not_installed_says_where_it_is(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert capsys.readouterr().err == f"felt {command[0]}: is not installed here; run it in a checkout of Felt\n"


@pytest.mark.usefixtures("installed")
def test_all_other_commands_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "pa-653a"]) == 0
    assert "653a" in capsys.readouterr().out
