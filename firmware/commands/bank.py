"""`felt bank`: the meters, the ledger and the claims of a bank, and what people sign there."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands import retention, unlock
from firmware.commands.options import Commands, add_again, add_config, add_link, add_trusted, broker_of
from firmware.commands.signatures import signed_by_two
from firmware.commands.submission import has_meters, in_force
from firmware.commands.version import version
from firmware.rules.approvals import Act

if TYPE_CHECKING:
    from firmware.bank.decide import BankRules
    from firmware.bank.events import Event
    from firmware.config import BankConfig
    from firmware.runtime.adoption import Answer, Question, Signature
    from firmware.runtime.day_files import Journal

KEY_DIGITS = 32


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt bank` and its second words."""
    bank = commands.add_parser("bank", help="the meters, the ledger and the claims of a bank of tables")
    add_config(bank, "bank.toml")
    add_link(bank)
    bank.add_argument("--restored", action="store_true", help="the ledger was restored from a backup: take a new epoch")
    bank.set_defaults(run=_run)
    second = bank.add_subparsers(dest="bank_command", metavar="")
    new = second.add_parser("new", help="make the ledger of a bank that never had one; once")
    _where(new)
    new.set_defaults(run=_new)
    check = second.add_parser("verify", help="derive every meter from the ledger alone and compare")
    check.add_argument("ledger", type=Path, nargs="?", help="the ledger (default: the configured one)")
    add_trusted(check)
    check.set_defaults(run=_verify)
    renew = second.add_parser("accept-key", help="two people take a new key that seals the stopped bank's ledger")
    renew.set_defaults(run=_accept_key)
    lost = second.add_parser(
        "accept-days", help="two people sign that files of the stopped bank's earlier days are lost"
    )
    lost.set_defaults(run=_accept_days)
    old = second.add_parser("retention", help="which files of earlier days may go, and why the others may not")
    retention.add_options(old, "bank.ledger")
    _add_signed(second)


def _add_signed(second: Commands[argparse.ArgumentParser]) -> None:
    """The acts that two people sign while the bank runs, or not."""
    adopt = second.add_parser(
        "adopt",
        help="two people end a table's alarm, or take its new journal; the bank may run",
    )
    adopt.add_argument("table", help="the table's id, as its table.toml has it")
    adopt.add_argument("journal", nargs="?", default="", help="32 hex digits (default: the one that the table has)")
    adopt.add_argument(
        "key", nargs="?", default="", type=_digits, help="32 hex digits of its new key, where it took one"
    )
    adopt.set_defaults(run=_adopt)
    for word, meant in (
        ("accept", "book a verdict that is held, or what a lost card left to be paid"),
        ("refuse", "find that a held payment, or a claim that a lost card left, was no winner"),
    ):
        judge = second.add_parser(word, help=f"two people {meant}; the bank may run")
        judge.add_argument(
            "claim", help="the claim's name, as the alarm says it: TABLE:ROUND:SEAT:NUMBER; any other one lists them"
        )
        judge.set_defaults(run=_judge)
    unlock.add_to(second, "bank.ledger")
    again = second.add_parser(
        "reopen", help="by order of the regulator two people open a rejected claim again; the bank may run"
    )
    again.add_argument("claim", help="the claim's name: TABLE:ROUND:SEAT:NUMBER")
    again.add_argument("reason", help="the order: its date and number, at most 100 characters")
    again.set_defaults(run=_reopen)
    day = second.add_parser("close-day", help="two people close the ledger's gaming day; the bank may run")
    day.add_argument("day", nargs="?", default="", help="its date, 2026-11-21 (default: by the clock of this machine)")
    day.set_defaults(run=_close_day)


def _digits(text: str) -> str:
    """An argument that names a key as people compare it, "" for none."""
    if len(text) not in (0, KEY_DIGITS) or set(text) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError(f"{text!r}; `felt table accept key` said its {KEY_DIGITS} hex digits")
    return text


def _where(parser: argparse.ArgumentParser) -> None:
    add_again(parser, "a bank.toml", "folder of the ledger")


def _run(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.bank import open_journal, rules_of
    from firmware.runtime.pins import warnings
    from firmware.runtime.readers import exposed

    config = c.load_bank(options.config)
    home = options.home or c.home(config, options.config)
    submission = c.submission(config, options.config)
    has_meters(submission, str(options.config or "bank.toml"))
    c.check_meter_names(config, submission, options.config)
    rules = rules_of(config, submission, options.config)
    for said in (*warnings(config.people), *exposed(options.config)):
        logging.getLogger("felt.bank").warning("%s", said)
    journal = open_journal(home / "bank.ledger")
    try:
        in_force(submission, str(options.config or "bank.toml"), journal.clock)
        return _serve(config, rules, home, journal, options)
    finally:
        journal.close()


def _serve(
    config: BankConfig, rules: BankRules, home: Path, journal: Journal[Event], options: argparse.Namespace
) -> int:
    import secrets
    import signal

    from firmware import config as c
    from firmware.runtime.adoption import SOCKET, AdoptionDesk
    from firmware.runtime.bank import BankService, last_words
    from firmware.runtime.link import Link, Will
    from firmware.runtime.seals import own_key
    from firmware.runtime.stopping import until_signalled
    from firmware.runtime.words import BankLink, Voice
    from firmware.wire.offers import offer_of
    from firmware.wire.topics import BankTopics
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog

    inbox, topics = Inbox(0), BankTopics(config.id)
    edge = BankLink(Voice(lambda: own_key(journal)), inbox.put, topics)
    edge.over(
        Link(
            broker_of(config.link, options),
            f"felt-bank-{config.id}-{secrets.token_hex(4)}",  # two of a bank's name would throw each other off, unheard
            [(topics.up, 1), (topics.presence, 0), (topics.status, 1), (topics.alive, 0), (topics.rival, 0)],
            edge.arrived,
            lambda: Will(topics.alive, edge.sealed(topics.alive, last_words(config.id))),
            lasting=False,
        )
    )
    tables, offer = (
        (lambda: c.load_bank(options.config).tables),
        offer_of(c.submission(config, options.config), version()),
    )
    service = BankService(config, rules, journal, inbox, edge, Watchdog(), tables, offer)
    edge.adopted = service.adopted
    signal.signal(signal.SIGHUP, lambda *_: service.reread())
    desk = AdoptionDesk(home / SOCKET, config.people, inbox.put)
    desk.start()
    until_signalled(service.stop)
    try:
        service.run(restored=options.restored)
    finally:
        desk.close()
    return 0


def _new(options: argparse.Namespace) -> int:
    import secrets

    from firmware import config as c
    from firmware.runtime.bank import make_ledger, rules_of

    config = c.load_bank(options.config)
    submission = c.submission(config, options.config)
    has_meters(submission, str(options.config or "bank.toml"))
    c.check_meter_names(config, submission, options.config)
    path = (options.home or c.home(config, options.config)) / "bank.ledger"
    rules = rules_of(config, submission, options.config)
    key = make_ledger(path, config.id, rules, secrets.token_hex(16))
    print(f"{path}: ledger of bank {config.id}; its meters hold their seeds")
    print(f"public key of its seals, for accounting: {key.text}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.bank.ledger import Account
    from firmware.bank.reported import in_words
    from firmware.rules.money import meter_dollars
    from firmware.runtime.bank import examined, reported_at
    from firmware.runtime.seals import trusted

    config = c.load_bank(options.config)
    path = options.ledger or (options.home or c.home(config, options.config)) / "bank.ledger"
    accounts, sealed = examined(path, trusted(options.key, options.checkpoint))
    for meter in accounts.balances:
        print(f"meter {meter:<17} {meter_dollars(accounts.stands(meter)):>18}")
    for account in Account:
        total = accounts.total(account)
        sign = "-" if total < 0 else ""
        print(f"{account:<23} {sign + meter_dollars(type(total)(abs(total))):>18}")
    print(
        "seeds + contributions - reversals"
        " = meters + reserve + overflow + pending + owed + awards + advances + transfers: holds"
    )
    for table, told in sorted(reported_at(path).items()):
        counted = f"late chips {told.late}, differences {told.differences}, gaming days {told.days}"
        print(f"table {table}: {in_words(told.paid)}, {counted}")
    print(sealed)
    return 0


def _accept_key(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.bank import accept_key, ledger_at

    config = c.load_bank(options.config)
    path = ledger_at((options.home or c.home(config, options.config)) / "bank.ledger")
    first, second = (one.badge for one in signed_by_two(config.people, path, Act.RECORD))
    key = accept_key(path, config.id, (first, second))
    print(f"{path}: sealed with a new key from here on, signed by badges {first} and {second}. Start the bank")
    print(f"public key of its seals, for accounting: {key.text}")
    return 0


def _accept_days(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.bank import accept_days, ledger_at

    config = c.load_bank(options.config)
    path = ledger_at((options.home or c.home(config, options.config)) / "bank.ledger")
    first, second = (one.badge for one in signed_by_two(config.people, path, Act.RECORD))
    for gone in accept_days(path, (first, second)):
        print(f"{path}: {gone}")
    print("Start the bank")
    return 0


def _adopt(options: argparse.Namespace) -> int:
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import adopt

    ledger, rules, signed = _signing(options, Act.ADOPTION)
    by = (signed[0].badge, signed[1].badge)
    command = f"felt bank{_which(options)} adopt"
    asked = Question(options.table, options.journal, signed, command=command, key=options.key)
    journal = _asked(ledger, asked)
    further = "" if journal else "; start the bank again"
    journal = journal or adopt(ledger, rules, options.table, options.journal, by, command, options.key)
    print(f"table {options.table}: journal {journal} is its own, signed by badges {by[0]} and {by[1]}{further}")
    return 0


def _judge(options: argparse.Namespace) -> int:
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import end_verdict, held_at

    config, ledger, rules = _signable_at(options)
    accepted = options.bank_command == "accept"
    answer = _answer(ledger, Question("", "", None, options.claim, accepted))
    seen = answer.held if answer and answer.held else held_at(ledger, rules, options.claim, accepted=accepted)
    print(seen.text)
    signed = signed_by_two(config.people, ledger, Act.VERDICT)
    by = (signed[0].badge, signed[1].badge)
    question = Question("", "", signed, options.claim, accepted, seq=seen.seq, hash=seen.hash)
    answered = _asked(ledger, question)
    if not answered:
        end_verdict(ledger, rules, options.claim, by, seen, accepted=accepted)
    booked = "is booked" if accepted else "is refused: no winner"
    further = "" if answered else "; start the bank again"
    print(f"claim {options.claim}: its verdict {booked}, signed by badges {by[0]} and {by[1]}{further}")
    return 0


def _reopen(options: argparse.Namespace) -> int:
    from firmware.config import ConfigError
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import reopen, reopenable_at

    reason = options.reason.strip()
    if not reason:
        raise ConfigError("the reason is empty; name the order, its date and number")
    config, ledger, rules = _signable_at(options)
    answer = _answer(ledger, Question("", "", None, options.claim, reason=reason))
    seen = answer.held if answer and answer.held else reopenable_at(ledger, rules, options.claim)
    print(seen.text)
    signed = signed_by_two(config.people, ledger, Act.REOPENING)
    by = (signed[0].badge, signed[1].badge)
    answered = _asked(ledger, Question("", "", signed, options.claim, reason=reason))
    if not answered:
        reopen(ledger, rules, options.claim, by, reason)
    further = "" if answered else "; start the bank again"
    print(f"claim {options.claim}: opened again and owed as it stood, signed by badges {by[0]} and {by[1]}{further}")
    return 0


def _close_day(options: argparse.Namespace) -> int:
    from datetime import date

    from firmware import config as c
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import close_day
    from firmware.runtime.files import clock_of

    try:
        day = date.fromisoformat(options.day).isoformat() if options.day else ""
    except ValueError as error:
        raise c.ConfigError(f"day {options.day!r}; it is a date like 2026-11-21") from error
    ledger, rules, signed = _signing(options, Act.BANK_DAY)
    begins = c.gaming_day(c.load_bank(options.config))
    day = day or clock_of(ledger).gaming_day(begins)
    by = (signed[0].badge, signed[1].badge)
    if not _asked(ledger, Question("", "", signed, day=day)):
        close_day(ledger, rules, begins, day, by)
    print(f"gaming day {day} is closed, signed by badges {by[0]} and {by[1]}")
    return 0


def _signing(options: argparse.Namespace, act: Act) -> tuple[Path, BankRules, tuple[Signature, Signature]]:
    """The ledger of the bank that is named, its rules, and the two people who sign. Raises ConfigError."""
    config, ledger, rules = _signable_at(options)
    return ledger, rules, signed_by_two(config.people, ledger, act)


def _signable_at(options: argparse.Namespace) -> tuple[BankConfig, Path, BankRules]:
    """The bank that is named: its configuration, ledger and rules. Raises ConfigError."""
    from firmware import config as c
    from firmware.runtime.bank import ledger_at, rules_of

    config = c.load_bank(options.config)
    submission = c.submission(config, options.config)
    in_force(submission, str(options.config or "bank.toml"))
    has_meters(submission, str(options.config or "bank.toml"))
    rules = rules_of(config, submission, options.config)
    ledger = ledger_at((options.home or c.home(config, options.config)) / "bank.ledger")
    return config, ledger, rules


def _which(options: argparse.Namespace) -> str:
    """The options that name this bank, as they were typed."""
    named = (("--config", options.config), ("--home", options.home))
    return "".join(f" {option} {path}" for option, path in named if path is not None)


def _asked(ledger: Path, question: Question) -> str:
    """The journal of the table that the running bank names when it is done; "" where none runs. Raises ConfigError."""
    answer = _answer(ledger, question)
    return answer.journal if answer else ""


def _answer(ledger: Path, question: Question) -> Answer | None:
    """The answer of the running bank; None if none runs. Raises ConfigError where it refuses."""
    from firmware.config import ConfigError
    from firmware.runtime.adoption import SOCKET, ask

    answer = ask(ledger.parent / SOCKET, question)
    if answer is not None and answer.refused:
        raise ConfigError(answer.refused)
    return answer
