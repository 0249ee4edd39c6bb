"""`felt settle` and `felt rules` as a person or another program uses them: files, standard streams, exit codes."""

from __future__ import annotations

import argparse
import bisect
import copy
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.commands import rules, settle
from firmware.rules.games import books
from firmware.rules.poster import WIDTH, readings, table_readings
from firmware.settle import LINE_BYTES_MAX, RULES_KEPT_MAX
from tests.rules.test_malformed import HEADS_UP, LUNAR, MD, PA, ROUNDS, VOID

COMMAND = """
import argparse, sys
from firmware.commands import rules, settle
felt = argparse.ArgumentParser("felt")
commands = felt.add_subparsers(required=True)
settle.add_command(commands)
rules.add_command(commands)
args = felt.parse_args()
sys.exit(args.run(args))
"""
ROOT = Path(__file__).resolve().parents[2]
RULES_TOML = """
book = "pa-653a"
table_minimum = "15.00"
[blind]
paytable = "A"
[trips]
paytable = "C"
"""


def felt(*arguments: str) -> int:
    """The command's exit code, in this process."""
    parser = argparse.ArgumentParser("felt")
    commands = parser.add_subparsers(required=True)
    settle.add_command(commands)
    rules.add_command(commands)
    args = parser.parse_args(arguments)
    code: int = args.run(args)
    return code


def a_process(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments], cwd=ROOT, input=given, capture_output=True, timeout=30, check=False
    )


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """Write a file into a directory of its own and say where it is."""

    def write(content: object, name: str = "round.json") -> str:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return write


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error; nothing on standard output."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert err.isascii()
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize("which", ROUNDS)
def test_one_round_is_one_object_on_standard_output(
    which: str, written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert felt("settle", written(ROUNDS[which])) == 0
    out, err = capsys.readouterr()
    assert err == ""
    settled = json.loads(out)
    assert list(settled) == ["book", "void", "dealer", "seats", "payments", "totals", "meters"]
    assert settled["void"] is (which == "VOID")


def test_the_contracts_example() -> None:
    """The example of the contract, from standard input, as a process of its own."""
    round_ = {
        "rules": {
            "book": "pa-653a",
            "table_minimum": "15.00",
            "blind": {"paytable": "A"},
            "trips": {"paytable": "A"},
            "progressive": {"paytable": "A", "wager": "1.00"},
        },
        "cards": {"board": ["Ah", "Kh", "Qh", "2c", "9d"], "dealer": ["7c", "7d"]},
        "meters": {"main": "123456.78"},
        "irregularity": None,
        "seats": {
            "2": {
                "cards": ["Jh", "Th"],
                "wagers": {"ante": "15.00", "blind": "15.00", "trips": "5.00", "progressive": "1.00"},
                "decision": {"at": "preflop", "wager": "60.00"},
            }
        },
    }
    done = a_process("settle", "-", given=json.dumps(round_).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    settled = json.loads(done.stdout)
    assert settled["dealer"] == {"hand": "pair", "cards": ["7c", "7d", "Ah", "Kh", "Qh"], "qualifies": True}
    assert settled["seats"] == {"2": {"hand": "royal flush", "cards": ["Ah", "Kh", "Qh", "Jh", "Th"]}}
    assert settled["payments"][0] == {
        "seat": 2, "wager": "ante", "result": "win", "stake": "15.00", "returned": "15.00", "payout": "15.00",
        "odds": "1 to 1", "source": "rack", "floor": False, "cite": "653a.12(a)",
    }  # fmt: skip
    assert settled["payments"][-1] == {
        "seat": 2, "wager": "progressive", "result": "win", "stake": "1.00", "returned": "0.00", "payout": "123456.78",
        "odds": "100% of main", "meter": "main", "source": "cage", "floor": True, "cite": "653a.12(d)",
    }  # fmt: skip
    assert settled["totals"] == {"2": {"staked": "96.00", "received": "131376.78"}}
    assert settled["meters"] == {"main": "10000.00"}


WRONG_FILES = [
    (b"", "not JSON"),
    (b"   \n", "not JSON"),
    (b"{", "not JSON"),
    (b"[]", "this is a list of 0; an object with"),
    (b'"round"', "an object with"),
    (b'{"rules": 1e999}', "rules: is a float"),
    (b'{"rules": NaN, "seats": {}}', "rules: is a float"),
    (b'{"a": ' + b"1" * 5000 + b"}", "holds a number of thousands of digits"),
    (b"[" * 100_000, "nested too deeply"),
    (b'{"a":' * 100_000, "nested too deeply"),
    (b'{"rules": "\xff"}', "not UTF-8 at byte 11"),
    (b"\xef\xbb\xbf{}", "not JSON"),
    (b"{} {}", "not JSON"),
    (b"\x00", "not JSON"),
    (b" " * (LINE_BYTES_MAX + 1), "longer than 1048576 bytes"),
    (b'{"rules": 1, "rules": 2}', "rules: stands twice"),
    (
        b'{"seats": {"3": {"wagers": {"ante": "15.00", "blind": "15.00", "ante": "15.00"}}}}',
        "seats.3.wagers.ante: stands twice",
    ),
    (b'{"seats": [{"a": 1}, {"b": 1, "b": 2}]}', "seats.1.b: stands twice"),
    (b'{"rules": {"x": 1, "x": 2}, "rules": 3}', "rules: stands twice"),
    (b'{"seats": {"1": {"cards": [], "cards": []}, "2": 3}, "z": "later"}', "seats.1.cards: stands twice"),
    (b'{"rules": "no/such.toml", "seats": {}}', "rules: "),
    (b'{"rules": "a\\u0000b", "seats": {}}', "rules: "),
    (b'{"rules": "/", "seats": {}}', "rules: "),
    (b'{"rules": "/dev/zero", "seats": {}}', "rules: '/dev/zero' is a device or a pipe"),
]


@pytest.mark.parametrize(("content", "said"), WRONG_FILES, ids=[said for _, said in WRONG_FILES])
def test_a_file_that_is_no_round(content: bytes, said: str, written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("settle", written(content)) == 2
    assert said in refused(capsys)


def nested(depth: int) -> str:
    """A round whose `rules` have lists in lists."""
    return f'{{"seats": {{}}, "rules": {{"book": {"[" * depth}{"]" * depth}}}}}'


def deepest_that_json_reads() -> int:
    """Python's JSON reader gives up at a depth that differs from version to version."""

    def is_too_deep(depth: int) -> bool:
        try:
            json.loads(nested(depth))
        except RecursionError:
            return True
        return False

    return bisect.bisect_left(range(100_000), True, key=is_too_deep) - 1


def test_nesting_of_every_depth_is_refused_without_a_trace(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """What the JSON reader just lets through must not be too deep for what comes after it."""
    deepest = deepest_that_json_reads()
    depths = [2, 10, 100, *range(deepest - 60, deepest + 10)]
    assert felt("settle", "--batch", written("\n".join(map(nested, depths)))) == 2
    said = [json.loads(line)["error"].split(";")[0] for line in capsys.readouterr().out.splitlines()]
    assert len(said) == len(depths) and set(said) == {"is a list of 1", "nested too deeply"}


def test_a_round_that_is_refused_names_its_place(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    round_ = copy.deepcopy(PA)
    round_["seats"]["3"]["wagers"]["blind"] = "10.00"
    assert felt("settle", written(round_)) == 2
    assert "felt settle: seats.3.wagers.blind: is 10.00" in refused(capsys)


@pytest.mark.parametrize("name", ["no/such/file.json", ".", "bad\nname\x1b[31m.json", "null\0byte"])
def test_a_file_that_cannot_be_read(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("settle", name) == 2
    assert "cannot be read" in refused(capsys)
    assert felt("settle", "--batch", name) == 2
    assert "cannot be read" in refused(capsys)


@pytest.mark.parametrize("command", [("settle",), ("settle", "--batch"), ("rules", "check"), ("rules", "show")])
def test_a_pipe_or_a_device_is_refused_and_nobody_waits_for_it(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for given in (str(pipe), "/dev/zero") if command != ("rules", "show") else (str(pipe),):
        assert felt(*command, given) == 2
        assert "is a device or a pipe, not a file; name a plain file" in refused(capsys)


@pytest.mark.parametrize("parts", [64, 1_000, 100_000])
@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "x = 1\n  [[ {} ]]"])
def test_a_submission_of_a_thousand_keys_in_one_is_refused_at_once(
    parts: int, line: str, written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reader of TOML takes minutes for them, and everything after it gives up in a trace."""
    content = line.format(".".join(["a"] * (parts + 2)))
    assert felt("rules", "check", written(content.encode(), "deep.toml")) == 2
    assert "is nested too deeply; a submission has two levels" in refused(capsys)


def test_many_dots_in_a_comment_are_no_nesting(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    content = ("# " + "." * 500 + "\n").encode()
    assert felt("rules", "check", written(content, "dots.toml")) == 2
    assert "book: is missing" in refused(capsys)


def test_a_file_that_fails_while_it_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("settle", "/proc/self/mem") == 2
    assert "cannot be read" in refused(capsys)


def test_rules_may_be_a_path_relative_to_the_round(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    written(RULES_TOML, "rules.toml")
    round_ = copy.deepcopy(PA)
    round_["rules"] = "rules.toml"
    del round_["drawn"], round_["meters"], round_["cards"]["six_card"]
    round_["seats"]["2"]["wagers"] = {"ante": "15.00", "blind": "15.00", "trips": "5.00"}
    for seat in round_["seats"].values():
        del seat["player"]
    assert felt("settle", written(round_)) == 0
    assert json.loads(capsys.readouterr().out)["book"] == "pa-653a"
    written(RULES_TOML.replace('"C"', '"Q"'), "rules.toml")
    assert felt("settle", written(round_)) == 2
    assert "rules.trips.paytable: is 'Q'" in refused(capsys)


def test_a_batch_goes_on_after_a_bad_line(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    spoilt = copy.deepcopy(PA)
    spoilt["cards"]["board"][3] = "Ah"
    lines = [
        json.dumps(PA).encode(),
        b"",
        b"   \t ",
        b"nonsense",
        json.dumps(spoilt).encode(),
        b"x" * (3 * LINE_BYTES_MAX + 5),
        b" " * (LINE_BYTES_MAX + 1),
        b'{"rules": "\xff"}',
        json.dumps(LUNAR).encode() + b"\r",
        json.dumps(VOID).encode(),
        json.dumps(MD).encode() + b" " * (LINE_BYTES_MAX - len(json.dumps(MD))),
        json.dumps(HEADS_UP).encode(),
    ]
    assert felt("settle", "--batch", written(b"\n".join(lines), "rounds.jsonl")) == 2
    out, err = capsys.readouterr()
    assert err == ""
    answers = [json.loads(line) for line in out.splitlines()]
    errors = [(set(answer), answer["at"]) for answer in answers if "error" in answer]
    keys = {"error", "at"}
    assert errors == [(keys, None), (keys, "cards.board.3"), (keys, None), (keys, None), (keys, None)]
    assert [answer["book"] for answer in answers if "book" in answer] == [
        "pa-653a", "pa-671a", "pa-653a", "md-36.05.16", "pa-677a",
    ]  # fmt: skip
    assert ["error" in answer for answer in answers] == [
        False,
        True,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_a_good_batch_from_standard_input_exits_0() -> None:
    done = a_process("settle", "--batch", "-", given=b"\n".join(json.dumps(PA).encode() for _ in range(3)))
    assert (done.returncode, done.stderr) == (0, b"")
    first, *others = done.stdout.splitlines()
    assert others == [first, first]


def test_standard_input_in_this_process(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(PA).encode())))
    assert felt("settle", "-") == 0
    assert json.loads(capsys.readouterr().out)["book"] == "pa-653a"


def test_a_reader_that_goes_away_ends_the_batch_quietly(monkeypatch: pytest.MonkeyPatch, written: Any) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert felt("settle", "--batch", written(PA)) == 2


def test_a_batch_tells_rules_apart_that_look_alike(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A submission read once is remembered; a number where a string stood is another submission, and refused."""
    unquoted = json.dumps(PA).replace('"table_minimum": "15.00"', '"table_minimum": 15.00')
    flagged = json.dumps(PA).replace('"adjacent_boxes": 2', '"adjacent_boxes": true')
    assert felt("settle", "--batch", written("\n".join([json.dumps(PA), unquoted, flagged]))) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("at") for answer in answers] == [None, "rules.table_minimum", "rules.adjacent_boxes"]


def test_a_batch_of_many_submissions_remembers_only_some(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = []
    for least in range(RULES_KEPT_MAX + 2):
        round_ = copy.deepcopy(PA)
        round_["rules"]["table_minimum"] = f"{least + 1}.00"
        rounds.append(json.dumps(round_))
    assert felt("settle", "--batch", written("\n".join(rounds))) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("at") for answer in answers] == [None] * 15 + ["seats.2.wagers.ante"] * (RULES_KEPT_MAX - 13)


# ---- felt rules


def test_rules_check_says_what_was_filed(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", "check", written(RULES_TOML, "rules.toml")) == 0
    out = capsys.readouterr().out
    assert "pa-653a, allowed by 58 Pa. Code Chapter 653a" in out
    assert felt("rules", "check", written("# the same\n" + RULES_TOML, "again.toml")) == 0
    assert capsys.readouterr().out == out, "the hash is of what is filed, not of the file"
    assert felt("rules", "check", written(RULES_TOML.replace('"C"', '"D"'), "other.toml")) == 0
    assert capsys.readouterr().out != out


WRONG_SUBMISSIONS = [
    (RULES_TOML.replace('"15.00"', "15.00"), "table_minimum: is a float"),
    (RULES_TOML.replace('"C"', '"E"'), "trips.paytable: is 'E'; right would be A or B or C or D"),
    ("book = 'pa-653a'\nbook = 'pa-671a'\n", "not TOML"),
    ("", "book: is missing; right would be pa-653a or md-36.05.16 or pa-671a or pa-677a"),
    ("[[[", "not TOML"),
    ("a = " + "[" * 20_000, "nested too deeply"),
    (b"book = '\xff'", "not UTF-8"),
    ("#" * (LINE_BYTES_MAX + 1), "longer than"),
    ("d = 2026-11-21", "book: is missing"),
]


@pytest.mark.parametrize(("content", "said"), WRONG_SUBMISSIONS, ids=[said for _, said in WRONG_SUBMISSIONS])
def test_rules_check_refuses(content: str | bytes, said: str, written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", "check", written(content, "rules.toml")) == 2
    assert said in refused(capsys)


def test_rules_check_of_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", "check", "no/such.toml") == 2
    assert "cannot be read (No such file or directory)" in refused(capsys)


@pytest.mark.parametrize("book", books())
def test_rules_show_is_a_poster(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", "show", book) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 96
    assert all(line == line.rstrip() for line in lines)


def test_rules_show_of_653a_in_a_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", "show", "pa-653a") == 0
    posted = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "ULTIMATE TEXAS HOLD 'EM POKER",
        "Blind [653a.12(b)]",
        "Royal flush 500 to 1 500 to 1",
        "Straight 1 to 1 -",
        "Winning hand below these push push",
        "Royal flush 100% of main 100% of mega 100% of mega 100% of mega",
        "C: meter minor, seed 250 for 1, grows by 3% of each wager [653a.12(d)(3)]",
        "Envy on a $5.00 wager: royal flush $5,000, straight flush $1,500 [653a.12(d)(5)]",
        "Six-card royal flush, diamonds - - - - 200,000 to 1",
        "An Ante wager will push if the dealer has less than a pair.",
        "Payout limit: at least $50,000.00 and 505 times the table minimum [653a.12(h)]",
    ):
        assert line in posted


def test_a_drawn_bonus_is_posted_where_it_is_offered(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    offered = RULES_TOML + "[five_card_hand]\nwager = '5.00'\nlucky_bonus = true\n"
    assert felt("rules", "show", written(offered, "rules.toml")) == 0
    posted = capsys.readouterr().out
    assert "Lucky Bonus" in posted
    assert "Magic Card" not in posted


def test_rules_show_of_a_submission_shows_what_that_table_offers(
    written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert felt("rules", "show", written(RULES_TOML + "[progressive]\npaytable='D'\nwager='1.00'\n", "rules.toml")) == 0
    posted = capsys.readouterr().out
    assert "Trips  (paytable C)" in posted
    assert "Table minimum $15.00" in posted
    assert "Six Card" not in posted
    assert "meter minor, seed 250 for 1, grows by 3% of each wager" in posted
    assert "meter main" not in posted
    assert "Magic Card" not in posted
    assert felt("rules", "show", written("payout_limit = '60000.00'\n" + RULES_TOML, "rules.toml")) == 0
    assert "Payout limit: $60,000.00" in capsys.readouterr().out


@pytest.mark.parametrize("book", books())
def test_rules_explain_cites_every_reading(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", "explain", book) == 0
    explained = capsys.readouterr().out
    found = [*readings(book), *table_readings(book)]
    for reading in found:
        assert f"{reading.number}. {reading.title}   [{reading.cite}]" in explained
    for part in ("The text: ", "Felt: ", "Why: ", "Read otherwise: ", "Ask the regulator: "):
        assert explained.count(f"   {part}") == len(found)
    assert max(map(len, explained.splitlines())) <= WIDTH


def test_all_nineteen_readings_are_explained_somewhere() -> None:
    assert {reading.number for book in books() for reading in readings(book)} == set(range(1, 20))


@pytest.mark.parametrize("command", ["show", "explain"])
def test_there_are_four_books(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt("rules", command, "nj-653a") == 2
    assert "right would be pa-653a or md-36.05.16 or pa-671a or pa-677a" in refused(capsys)
