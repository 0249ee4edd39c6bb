"""Two people end a table's alarm at the bank, from the command line, while it runs or is stopped; one person cannot."""

from __future__ import annotations

import contextlib
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.bank import events as e
from firmware.bank.state import BankState, evolve
from firmware.runtime.adoption import SOCKET, AdoptionDesk, Answer, Question, Signature, ask
from firmware.runtime.bank import open_journal
from firmware.wire.payload import canonical
from tests.bank import casino
from tests.runtime.world import BankWorld, Clock

PINS = {"2001": "4826", "3001": "7391"}
STRANGE = "f" * 32


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Who answers the questions of `felt bank adopt`: badges and the PINs that they type."""

    def answer(*answers: tuple[str, str]) -> None:
        badges: Iterator[str] = iter([badge for badge, _ in answers])
        pins = iter([pin for _, pin in answers])
        monkeypatch.setattr("builtins.input", lambda _prompt: next(badges))
        monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(pins))

    return answer


def wagers(journal: str) -> bytes:
    """The first message of a journal of table uth-04."""
    body = {"round": 1, "made": [casino.Table().made("progressive", [1], "1.00", "A")]}
    message = {
        "v": 1,
        "table": "uth-04",
        "journal": journal,
        "seq": 1,
        "prev": "0" * 64,
        "kind": "wagers",
        "body": body,
    }
    return canonical(message)


def journal_of_table(home: Path) -> tuple[str, int]:
    """The journal that the bank takes for table uth-04's own, and how many alarms stand."""
    state = BankState()
    with closing(open_journal(home / "bank.ledger", read_only=True)) as ledger:
        for event in ledger.replay():
            state = evolve(state, event)
    book = state.book("uth-04")
    return book.journal, len(book.alarms)


@pytest.fixture
def alarmed(tmp_path: Path, clock: Clock) -> Path:
    """A stopped bank that heard uth-04 speak from its own journal and then from a strange one."""
    bank = BankWorld(tmp_path, clock)
    bank.hears(wagers("a" * 32))
    bank.hears(wagers(STRANGE))
    bank.journal.close()
    assert journal_of_table(tmp_path)[1] == 1
    return tmp_path


def adopt(home: Path, *journal: str) -> int:
    return main(["bank", "--home", str(home), "adopt", "uth-04", *journal])


@pytest.mark.parametrize("journal", [STRANGE, "a" * 32])
def test_two_people_adopt_the_journal_that_they_name(alarmed: Path, people: Callable[..., None], journal: str) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert adopt(alarmed, journal) == 0
    assert journal_of_table(alarmed) == (journal, 0)


def test_a_strangers_journal_is_adopted_by_no_default(
    alarmed: Path, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever can send one message would otherwise have the honest table closed by those who end the alarm."""
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert adopt(alarmed) == 2
    said = capsys.readouterr().err
    which = f"felt bank --home {alarmed} adopt uth-04"
    assert f"{which} {STRANGE}" in said and f"{which} {'a' * 32}" in said
    assert journal_of_table(alarmed)[1] == 1


# While the bank runs --------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(bank: BankWorld) -> Iterator[AdoptionDesk]:
    """The socket of a running bank that heard uth-04 speak from its own journal and then from a strange one."""
    bank.hears(wagers("a" * 32))
    bank.hears(wagers(STRANGE))
    desk = AdoptionDesk(bank.folder / SOCKET, bank.config.people, bank.inbox.put)
    desk.start()
    yield desk
    desk.close()


def while_it_runs(bank: BankWorld, command: Callable[[], int]) -> int:
    """What the command ends with, beside a bank whose loop turns."""
    ended: list[int] = []
    beside = threading.Thread(target=lambda: ended.append(command()))
    beside.start()
    while beside.is_alive():
        bank.service.turn(bank.inbox.take(0.05))
    return ended[0]


@pytest.mark.usefixtures("desk")
def test_two_people_end_an_alarm_while_the_bank_runs_and_another_table_plays(
    bank: BankWorld, people: Callable[..., None]
) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert bank.down["alarm"]["kind"] == "journal"
    assert while_it_runs(bank, lambda: adopt(bank.folder, "a" * 32)) == 0
    assert bank.down["alarm"] is None, "and the table has been told"
    (_, adopted) = bank.events(e.TableAdopted)
    assert (adopted.journal, adopted.by) == ("a" * 32, ("2001", "3001"))


@pytest.mark.usefixtures("desk")
def test_a_new_card_is_adopted_while_the_bank_runs(bank: BankWorld, people: Callable[..., None]) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(bank, lambda: adopt(bank.folder, STRANGE)) == 0
    bank.hears(wagers(STRANGE))
    assert (bank.down["journal"], bank.down["seq"], bank.down["alarm"]) == (STRANGE, 1, None)


@pytest.mark.usefixtures("desk")
def test_the_running_bank_says_why_it_adopts_nothing(
    bank: BankWorld, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(bank, lambda: adopt(bank.folder)) == 2
    assert "if another machine spoke" in capsys.readouterr().err
    assert bank.down["alarm"]["kind"] == "journal"


def signed(*answers: tuple[str, str]) -> Question:
    first, second = (Signature(badge, pin) for badge, pin in answers)
    return Question("uth-04", "a" * 32, (first, second))


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    "question",
    [
        pytest.param(signed(("2001", "4826"), ("2001", "4826")), id="the same person twice"),
        pytest.param(signed(("2001", "4826"), ("3001", "0000")), id="a wrong PIN"),
        pytest.param(signed(("9999", "4826"), ("3001", "7391")), id="a stranger"),
    ],
)
def test_the_bank_checks_both_signatures_itself_and_keeps_the_failure(bank: BankWorld, question: Question) -> None:
    """Whoever can open the socket is not yet two people."""
    answers: list[Answer | None] = []

    def asks() -> int:
        answers.append(ask(bank.folder / SOCKET, question))
        return 0

    while_it_runs(bank, asks)
    (answer,) = answers
    assert answer is not None and "two different people" in answer.refused
    assert bank.down["alarm"]["kind"] == "journal"
    bank.turns()
    (complained,) = bank.events(e.Complained)
    assert complained.place == "adoption" and "did not sign" in complained.text
    for pin in ("4826", "0000", "7391"):
        assert pin not in repr(question) and pin not in complained.text


def test_only_the_banks_user_may_open_its_socket(bank: BankWorld, desk: AdoptionDesk) -> None:
    assert stat.S_IMODE((bank.folder / SOCKET).stat().st_mode) == 0o600
    desk.close()
    assert not (bank.folder / SOCKET).exists()


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"\xff" * 100 + b"\n", b"x" * 10_000 + b"\n", b'{"table":"\xff"}\n'])
def test_what_is_no_question_is_answered_and_the_next_one_works(
    bank: BankWorld, desk: AdoptionDesk, line: bytes, people: Callable[..., None]
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stranger:
        stranger.connect(str(bank.folder / SOCKET))
        stranger.sendall(line)
        with contextlib.suppress(ConnectionResetError):
            assert b"not a question" in stranger.recv(4096)
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(bank, lambda: adopt(bank.folder, "a" * 32)) == 0


# A verdict that is held -----------------------------------------------------------------------------------------------

HELD = "uth-04:1:1:1"


def closed_by_nobody(bank: BankWorld) -> None:
    """A royal flush of table uth-04, which somebody closed whom the bank does not know."""
    table = casino.Table("uth-04", "a" * 32)
    bank.hears(table.wagers(1, 1), table.claim(1, 1, "royal flush"))
    table.told(bank.service.state)
    bank.hears(table.verdict(1, 1, paid=True, by=("2001", "nobody")))


def judge(home: Path, word: str, claim: str = HELD) -> int:
    return main(["bank", "--home", str(home), word, claim])


@pytest.fixture
def judging(bank: BankWorld) -> Iterator[BankWorld]:
    """A running bank that holds such a verdict."""
    closed_by_nobody(bank)
    desk = AdoptionDesk(bank.folder / SOCKET, bank.config.people, bank.inbox.put)
    desk.start()
    yield bank
    desk.close()


@pytest.mark.parametrize(("word", "status"), [("accept", "paid"), ("refuse", "rejected")])
def test_two_people_end_a_held_verdict_while_the_bank_runs(
    judging: BankWorld, people: Callable[..., None], word: str, status: str
) -> None:
    (claim,) = judging.down["claims"]
    assert (claim["status"], judging.down["alarm"]["kind"], judging.down["seq"]) == ("held", "verdict", 3)
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(judging, lambda: judge(judging.folder, word)) == 0
    (claim,) = judging.down["claims"]
    assert (claim["status"], judging.down["alarm"]) == (status, None), "and the table has been told"


def test_the_running_bank_says_which_verdicts_are_held(
    judging: BankWorld, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(judging, lambda: judge(judging.folder, "accept", "uth-04:9:9:9")) == 2
    said = capsys.readouterr().err
    assert f"claim 'uth-04:9:9:9': no verdict on it is held; those that are: {HELD}" in said


def test_two_people_sign_the_verdict_that_they_were_shown_and_no_other_one(
    judging: BankWorld, capsys: pytest.CaptureFixture[str], people: Callable[..., None]
) -> None:
    """The command shows which message is held, and what it says was paid, before anybody signs."""
    signed = (Signature("2001", PINS["2001"]), Signature("3001", PINS["3001"]))
    answers: list[Answer | None] = []

    def asks(question: Question) -> int:
        answers.append(ask(judging.folder / SOCKET, question))
        return 0

    while_it_runs(judging, lambda: asks(Question("", "", None, HELD)))
    while_it_runs(judging, lambda: asks(Question("", "", signed, HELD, seq=3, hash="0" * 64)))
    while_it_runs(judging, lambda: asks(Question("", "", signed, HELD)))
    shown, *refused = answers
    assert shown is not None and shown.held is not None
    assert (shown.held.seq, shown.held.hash) == (judging.down["seq"], judging.down["hash"])
    assert "message 3" in shown.held.text and "paid $10,000.21 of main" in shown.held.text
    assert all(
        answer is not None and "another verdict is held than you were shown" in answer.refused for answer in refused
    )
    assert judging.down["claims"][0]["status"] == "held"
    people(*PINS.items())
    assert while_it_runs(judging, lambda: judge(judging.folder, "accept")) == 0
    assert capsys.readouterr().out.startswith(shown.held.text)


@pytest.mark.parametrize("question", [Question("uth-04", "", None), Question("", "", None, day="2026-11-21")])
def test_what_nobody_signed_changes_nothing(judging: BankWorld, question: Question) -> None:
    answers: list[Answer | None] = []
    rows = judging.journal.rows

    def asks() -> int:
        answers.append(ask(judging.folder / SOCKET, question))
        return 0

    while_it_runs(judging, asks)
    (answer,) = answers
    assert answer is not None and "no verdict on it is held" in answer.refused
    assert judging.journal.rows == rows and judging.down["alarm"]["kind"] == "verdict"


def test_one_person_accepts_no_verdict(judging: BankWorld, people: Callable[..., None]) -> None:
    people(("2001", PINS["2001"]), ("2001", PINS["2001"]))
    assert while_it_runs(judging, lambda: judge(judging.folder, "accept")) == 2
    assert judging.down["claims"][0]["status"] == "held"


def test_a_held_verdict_is_accepted_while_the_bank_is_stopped(
    tmp_path: Path, clock: Clock, people: Callable[..., None]
) -> None:
    bank = BankWorld(tmp_path, clock)
    closed_by_nobody(bank)
    bank.journal.close()
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert judge(tmp_path, "accept") == 0
    bank.starts()
    assert bank.service.state.book("uth-04").claims[0].paid > 0 and not bank.service.state.book("uth-04").alarms


@pytest.mark.parametrize(("word", "status"), [("accept", "paid"), ("refuse", "rejected")])
def test_a_claim_that_a_lost_card_has_left_is_ended_by_two_people(
    tmp_path: Path,
    clock: Clock,
    people: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    word: str,
    status: str,
) -> None:
    bank, table = BankWorld(tmp_path, clock), casino.Table("uth-04", "a" * 32)
    bank.hears(table.wagers(1, 1), table.claim(1, 1, "royal flush"))
    bank.journal.close()
    assert judge(tmp_path, word) == 2
    assert "no verdict on it is held; those that are: none" in capsys.readouterr().err
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert adopt(tmp_path, STRANGE) == 0
    assert judge(tmp_path, word, "uth-04:9:9:9") == 2
    assert f"those that are: {HELD}" in capsys.readouterr().err
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert judge(tmp_path, word) == 0
    assert "$10,000.21 of main wait to be paid" in capsys.readouterr().out
    bank.starts()
    assert [str(claim.status) for claim in bank.service.state.book("uth-04").claims] == [status]


# A claim that is opened again ----------------------------------------------------------------------------------------


ORDER = "order 2026-17 of November 20"


def reopen(home: Path, claim: str = HELD, reason: str = ORDER) -> int:
    return main(["bank", "--home", str(home), "reopen", claim, reason])


def test_two_people_open_a_rejected_claim_again_while_the_bank_runs(
    judging: BankWorld, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    people(*PINS.items())
    assert while_it_runs(judging, lambda: judge(judging.folder, "refuse")) == 0
    capsys.readouterr()
    people(*PINS.items())
    assert while_it_runs(judging, lambda: reopen(judging.folder)) == 0
    shown, done = capsys.readouterr().out.splitlines()
    assert shown.startswith(f"Claim {HELD}: $10,000.21 of main, rejected ")
    assert done == f"claim {HELD}: opened again and owed as it stood, signed by badges 2001 and 3001"
    (claim,) = judging.down["claims"]
    assert (claim["status"], claim["owed"], judging.down["alarm"]["kind"]) == ("paid", "10000.21", "owed")
    people()
    assert while_it_runs(judging, lambda: reopen(judging.folder)) == 2, "nobody is asked for a badge"
    assert f"claim {HELD!r} is paid; only a rejected one is opened again" in capsys.readouterr().err


def test_a_rejected_claim_is_opened_again_while_the_bank_is_stopped_and_verified(
    tmp_path: Path, clock: Clock, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock)
    closed_by_nobody(bank)
    bank.journal.close()
    people(*PINS.items())
    assert judge(tmp_path, "refuse") == 0
    people(("2001", PINS["2001"]), ("2001", PINS["2001"]))
    assert reopen(tmp_path) == 2, "one person opens nothing"
    assert reopen(tmp_path, reason=" ") == 2
    assert "the reason is empty; name the order" in capsys.readouterr().err
    people(*PINS.items())
    assert reopen(tmp_path) == 0
    assert "start the bank again" in capsys.readouterr().out
    assert main(["journal", "verify", str(tmp_path / "bank.ledger")]) == 0
    bank.starts()
    (claim,) = bank.service.state.book("uth-04").claims
    assert (str(claim.status), claim.owed) == ("paid", 1_000_021)


def test_what_two_people_sign_at_a_stopped_bank_is_sealed(
    tmp_path: Path, clock: Clock, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock)
    closed_by_nobody(bank)
    bank.journal.close()
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert judge(tmp_path, "accept") == 0
    assert main(["journal", "verify", str(tmp_path / "bank.ledger")]) == 0
    assert "every row sealed" in capsys.readouterr().out


# While it is stopped --------------------------------------------------------------------------------------------------


def test_a_bank_without_a_ledger_is_refused_before_anybody_is_asked_and_none_is_made(
    tmp_path: Path, people: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people()
    assert adopt(tmp_path) == 2
    assert f"{tmp_path / 'bank.ledger'}: there is no ledger; name the bank with --config" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    monkeypatch.chdir(tmp_path)
    assert main(["bank", "adopt", "uth-04"]) == 2, "the line as it was once written"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([("2001", "4826"), ("2001", "4826")], id="the same person twice"),
        pytest.param([("2001", "4826"), ("3001", "0000")], id="a wrong PIN"),
        pytest.param([("9999", "4826"), ("3001", "7391")], id="a stranger"),
    ],
)
def test_anything_less_than_two_people_changes_nothing(
    alarmed: Path, people: Callable[..., None], answers: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    before = journal_of_table(alarmed)
    people(*answers)
    assert adopt(alarmed) == 2
    assert "two different people" in capsys.readouterr().err
    assert journal_of_table(alarmed) == before


@pytest.mark.usefixtures("bank")
def test_a_running_bank_cannot_be_written_by_a_second_program(
    tmp_path: Path, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert adopt(tmp_path) == 2
    assert "another program writes to it" in capsys.readouterr().err


# A table that nobody adopted yet ---------------------------------------------------------------------------------------


def test_two_people_adopt_a_new_table_by_its_digits_while_the_bank_runs(
    tmp_path: Path, clock: Clock, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    bank = BankWorld(tmp_path, clock, signed_first=True)
    bank.hears(wagers("a" * 32))
    assert (bank.down["alarm"]["kind"], bank.down["journal"], bank.down["seq"]) == ("new", "", 0)
    desk = AdoptionDesk(tmp_path / SOCKET, bank.config.people, bank.inbox.put)
    desk.start()
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(bank, lambda: adopt(tmp_path)) == 2, "no journal is adopted by default"
    said = capsys.readouterr().err
    assert "was never adopted" in said and f"felt bank --home {tmp_path} adopt uth-04 {'a' * 32}" in said
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert while_it_runs(bank, lambda: adopt(tmp_path, "a" * 32)) == 0
    desk.close()
    assert (bank.down["alarm"], bank.down["journal"]) == (None, "a" * 32)
    bank.hears(wagers("a" * 32))
    assert bank.down["seq"] == 1 and [event.by for event in bank.events(e.TableAdopted)] == [("2001", "3001")]
