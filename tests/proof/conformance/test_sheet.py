"""What a check prints: a line for each rule, and an exit code that a script can go by."""

from __future__ import annotations

import pytest

from firmware.proof.conformance.command import told
from firmware.proof.conformance.sheet import Sheet


def test_a_broken_rule_stays_broken_and_makes_the_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = Sheet(("T-01", "T-03", "T-04", "T-05"))
    sheet.holds("T-01", True, "")
    assert told(sheet) == 3, "nothing is broken, and three were not looked at"
    assert capsys.readouterr().out.splitlines()[-1] == "not checked: T-03, T-04, T-05"
    sheet.holds("T-03", False, "message 7 follows 5")
    sheet.holds("T-03", True, "")
    sheet.skips("nobody played", "T-04")
    capsys.readouterr()
    assert told(sheet) == 1
    assert capsys.readouterr().out.splitlines() == [
        "T-01 pass",
        "T-03 FAIL message 7 follows 5",
        "T-04 skipped: nobody played",
        "T-05 skipped: the check ended before",
        "4 rules: 1 pass, 1 FAIL, 2 skipped, not checked",
        "not checked: T-04, T-05",
    ]


def test_only_a_check_that_looked_at_every_rule_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = Sheet(("T-01", "T-03"))
    sheet.holds("T-01", True, "")
    sheet.holds("T-03", True, "")
    assert told(sheet) == 0 and "not checked:" not in capsys.readouterr().out
