"""The command `felt`. The only place that builds the parts together; each part's own imports stay inside its command."""

from __future__ import annotations

import argparse
import io
import logging
import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from firmware import settle
from firmware.conformance import options as conformance
from firmware.rehearse import options as rehearsal

if TYPE_CHECKING:
    from firmware.bank.decide import BankRules
    from firmware.bank.events import Event as BankEvent
    from firmware.config import BankConfig, LinkConfig, PersonConfig, TableConfig
    from firmware.rules.message import Message
    from firmware.rules.submission import Submission
    from firmware.runtime.adoption import Answer, Question, Signature
    from firmware.runtime.clock import SteadyClock
    from firmware.runtime.glass import Glass
    from firmware.runtime.journal import Journal
    from firmware.runtime.link import Carrier
    from firmware.runtime.seals import Trusted
    from firmware.runtime.tries import Tries
    from firmware.table.events import Event
    from hal.debounce import Inbox
    from hal.ports import BadgeReader, Button, SensorsAndLamps, Shuffler

REFUSED = 2
"""Exit code for input, configuration or a file that cannot be used."""
PRIVATE = 0o077
"""What no program leaves to group and others, under systemd or not: journals, ledgers, keys and the folders around them."""
KEY_DIGITS = 32
SERVICES = ("table", "bank", "sign", "screen")
"""Commands that run for years beside a log that may fail."""
PUBLISHES = ("wire",)
"""Commands that write documents for everybody, and nothing else."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    _print_anywhere()
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return REFUSED
    if options.command not in PUBLISHES:
        os.umask(PRIVATE)  # whoever may open a socket besides this user is let in where it is made (runtime/glass.py)
    if options.command in SERVICES:
        from firmware.runtime import logs

        logs.never_wait()
    logging.basicConfig(level=options.log, format="%(asctime)s %(name)s %(levelname)s %(message)s", stream=sys.stderr)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except BrokenPipeError:
        return REFUSED
    except EOFError:
        print(f"felt {options.command}: nobody answers; run it in a terminal", file=sys.stderr)
        return REFUSED
    except Exception as error:
        if not _is_expected(error):
            raise
        print(f"felt {options.command}: {error}", file=sys.stderr)
        return REFUSED


def _print_anywhere() -> None:
    """A letter that a terminal or a pipe cannot write is written as its number: no command dies of a name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _is_expected(error: Exception) -> bool:
    """An error that says what is wrong and what to do; anything else is a fault of the program and keeps its trace."""
    from firmware.bank.decide import RulesChanged
    from firmware.bank.ledger import LedgerBroken
    from firmware.config import ConfigError
    from firmware.runtime.journal import JournalDamaged
    from firmware.runtime.pins import Unchecked
    from firmware.runtime.sqlite import StoreError
    from firmware.runtime.table import DeviceDied
    from hal.cabinet.peers import CabinetFault
    from hal.cabinet.world import WorldFault
    from hal.chips import NoChip
    from hal.gpio import PinFault
    from ui.dealer.display import DisplayFault

    files = ConfigError | JournalDamaged | StoreError | LedgerBroken | RulesChanged
    expected = files | Unchecked | DeviceDied | PinFault | NoChip | CabinetFault | WorldFault | DisplayFault
    return isinstance(error, expected)


def version() -> str:
    """The program's version."""
    from importlib import metadata

    return metadata.version("felt")


class _Version(argparse.Action):
    """Looked up only when it is asked for: it takes longer than settling a round."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"felt {version()}")
        parser.exit()


# The commands -------------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="felt", description="Open firmware for casino poker tables. Start with scripts/run; see README.md."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    parser.add_argument("--log", default="WARNING", choices=("DEBUG", "INFO", "WARNING", "ERROR"), help="log level")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_table_commands(commands)
    _add_bank_commands(commands)
    _add_reading_commands(commands)
    said = "play a table by a script, without hardware, and check what is seen"
    rehearsal.add_options(commands.add_parser("rehearse", help=said))
    said = "hold another maker's table or bank to the wire's rules, by playing the other side"
    conformance.add_options(commands.add_parser("conformance", help=said))
    settle.add_commands(commands)
    return parser


Commands = argparse._SubParsersAction  # argparse has no public name for what add_subparsers gives


def _add_table_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    table = commands.add_parser("table", help="the loop of one table: sensors, lamps, journal, link")
    _config(table, "table.toml")
    _link(table)
    table.add_argument("--observe", action="store_true", help="offer the read-only observation on the table's socket")
    table.set_defaults(run=_table)
    table_commands = table.add_subparsers(dest="table_command", metavar="")
    check = table_commands.add_parser("check", help="read table.toml as the table would, and say what is odd")
    check.add_argument("--config", type=Path, metavar="FILE", default=argparse.SUPPRESS, help="a table.toml")
    check.set_defaults(run=_table_check)
    new = table_commands.add_parser("new", help="make the journal of a table that never had one; once")
    _table_file(new)
    new.set_defaults(run=_table_new)
    accept = table_commands.add_parser("accept", help="two people accept what this table does not accept by itself")
    accept.add_argument(
        "what",
        choices=("journal", "bank", "key", "days"),
        help="its journal as it is, a bank's other ledger, a new key, that files of earlier days are lost",
    )
    _table_file(accept)
    accept.set_defaults(run=_table_accept)
    live = table_commands.add_parser("live", help="two people say that the tests are over and money counts; once")
    _table_file(live)
    live.set_defaults(run=_table_live)
    force = table_commands.add_parser("force", help="a technician says what stands on a meter of a test")
    force.add_argument("meter", metavar="METER")
    force.add_argument("amount", metavar="DOLLARS")
    _table_file(force)
    force.set_defaults(run=_table_force)
    old = table_commands.add_parser("retention", help="which files of earlier days may go, and why the others may not")
    _table_file(old)
    _retained(old, "table.journal")
    _table_file(_unlocks(table_commands, "table.journal"))
    states = table_commands.add_parser("states", help="every phase of a table: its keys, and which event leads where")
    drawn = states.add_mutually_exclusive_group()
    drawn.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    drawn.add_argument("--svg", action="store_true", help="as the drawing docs/pictures/phases.svg")
    states.set_defaults(run=_table_states)

    lines = commands.add_parser("lines", help="the wires of a table while no table runs")
    lines_commands = lines.add_subparsers(dest="lines_command", metavar="COMMAND", required=True)
    safe = lines_commands.add_parser(
        "safe", help="lamps dark, lock line low; reads a broken table.toml as far as it goes"
    )
    safe.add_argument("--config", type=Path, metavar="FILE", required=True, help="a table.toml")
    safe.set_defaults(run=_lines_safe)

    _add_doctor(commands)

    screen = commands.add_parser("screen", help="the dealer's touchscreen; may be killed and restarted at any time")
    _config(screen, "table.toml")
    screen.add_argument(
        "--touch",
        default="auto",
        choices=("auto", "cabinet", "evdev", "none"),
        help="where touches come from besides SDL; auto: the cabinet in a simulation, else evdev",
    )
    screen.add_argument("--cabinet", action="store_true", help="show the simulated cabinet below the screen")
    screen.add_argument("--pictures", type=Path, metavar="DIR", help="write a picture of every kind of screen there")
    screen.add_argument("--trace", type=Path, metavar="FILE", help="add a line for every frame drawn, with its time")
    screen.set_defaults(run=_screen)

    cabinet = commands.add_parser("cabinet", help="the simulated world: chips, lockout, lamps, shuffler")
    _config(cabinet, "table.toml")
    cabinet.add_argument("--seed", type=int, default=0, help="of the contacts' bounce")
    cabinet.set_defaults(run=_cabinet)


def _add_doctor(commands: Commands[argparse.ArgumentParser]) -> None:
    doctor = commands.add_parser(
        "doctor", help="look at a table's whole machine before it opens: what is wrong, what to do"
    )
    _config(doctor, "table.toml")
    doctor.add_argument("--report", type=Path, metavar="FILE", help="write the signed report there too")
    asks = "whether somebody is there who looks at lamps and turns the switch; auto: in a terminal"
    doctor.add_argument("--questions", choices=("auto", "yes", "no"), default="auto", help=asks)
    doctor.add_argument("--lockout", choices=("open", "locked"), default="", help="how the lockout switch stands now")
    doctor.add_argument("--verify", type=Path, metavar="REPORT", help="only say whether this report is signed by --key")
    key = "the public key of the journal's seals (or the file that has it), for --verify"
    doctor.add_argument("--key", action="append", default=[], metavar="PUBLIC", help=key)
    doctor.set_defaults(run=_doctor)


def _unlocks(commands: Commands[argparse.ArgumentParser], journal: str) -> argparse.ArgumentParser:
    unlock = commands.add_parser("unlock", help="a manager unlocks a badge that had ten wrong PINs at these commands")
    unlock.add_argument("badge", help="its number")
    unlock.set_defaults(run=_unlock, journal=journal)
    return unlock


def _add_bank_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    bank = commands.add_parser("bank", help="the meters, the ledger and the claims of a bank of tables")
    _config(bank, "bank.toml")
    _link(bank)
    bank.add_argument("--restored", action="store_true", help="the ledger was restored from a backup: take a new epoch")
    bank.set_defaults(run=_bank)
    bank_commands = bank.add_subparsers(dest="bank_command", metavar="")
    new = bank_commands.add_parser("new", help="make the ledger of a bank that never had one; once")
    _bank_file(new)
    new.set_defaults(run=_bank_new)
    check = bank_commands.add_parser("verify", help="derive every meter from the ledger alone and compare")
    check.add_argument("ledger", type=Path, nargs="?", help="the ledger (default: the configured one)")
    _trusted(check)
    check.set_defaults(run=_bank_verify)
    renew = bank_commands.add_parser(
        "accept-key", help="two people take a new key that seals the stopped bank's ledger"
    )
    renew.set_defaults(run=_bank_accept_key)
    lost = bank_commands.add_parser(
        "accept-days", help="two people sign that files of the stopped bank's earlier days are lost"
    )
    lost.set_defaults(run=_bank_accept_days)
    _retained(
        bank_commands.add_parser("retention", help="which files of earlier days may go, and why the others may not"),
        "bank.ledger",
    )
    adopt = bank_commands.add_parser(
        "adopt",
        help="two people end a table's alarm, or take its new journal; the bank may run",
    )
    adopt.add_argument("table", help="the table's id, as its table.toml has it")
    adopt.add_argument("journal", nargs="?", default="", help="32 hex digits (default: the one that the table has)")
    adopt.add_argument(
        "key", nargs="?", default="", type=_digits, help="32 hex digits of its new key, where it took one"
    )
    adopt.set_defaults(run=_bank_adopt)
    for word, meant in (
        ("accept", "book a verdict that is held, or what a lost card left to be paid"),
        ("refuse", "find that a held payment, or a claim that a lost card left, was no winner"),
    ):
        judge = bank_commands.add_parser(word, help=f"two people {meant}; the bank may run")
        judge.add_argument(
            "claim", help="the claim's name, as the alarm says it: TABLE:ROUND:SEAT:NUMBER; any other one lists them"
        )
        judge.set_defaults(run=_bank_verdict)
    _unlocks(bank_commands, "bank.ledger")
    again = bank_commands.add_parser(
        "reopen", help="by order of the regulator two people open a rejected claim again; the bank may run"
    )
    again.add_argument("claim", help="the claim's name: TABLE:ROUND:SEAT:NUMBER")
    again.add_argument("reason", help="the order: its date and number, at most 100 characters")
    again.set_defaults(run=_bank_reopen)
    day = bank_commands.add_parser("close-day", help="two people close the ledger's gaming day; the bank may run")
    day.add_argument("day", nargs="?", default="", help="its date, 2026-11-21 (default: by the clock of this machine)")
    day.set_defaults(run=_bank_close_day)

    sign = commands.add_parser("sign", help="the overhead sign: a web page that follows the meters")
    _config(sign, "bank.toml")
    _link(sign)
    sign.add_argument("--host", default="127.0.0.1", help="address to serve on (default 127.0.0.1)")
    sign.add_argument("--port", type=int, default=8653, help="port to serve on (default 8653, 0: any)")
    sign.set_defaults(run=_sign)

    broker = commands.add_parser("broker", help="the embedded MQTT broker of a laptop (mosquitto in a casino)")
    broker.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    broker.add_argument("--port", type=int, default=18830, help="port to listen on (default 18830)")
    broker.set_defaults(run=_broker)


def _add_reading_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    journal = commands.add_parser("journal", help="read a journal: show, verify, export")
    journal_commands = journal.add_subparsers(dest="journal_command", metavar="COMMAND", required=True)
    for name, what in (
        ("show", "print every event, one line each"),
        ("verify", "check the chain of hashes and the seals; names the first bad row or seal"),
        ("checkpoint", "print the newest seal: rows, head and signature, for accounting to keep"),
        ("export", "write JSON Lines with hashes to standard output"),
    ):
        each = journal_commands.add_parser(name, help=what)
        each.add_argument("file", type=Path, help="a table's or a bank's journal, for example run/table.journal")
        if name == "verify":
            _trusted(each)
        each.set_defaults(run=_journal)
    both = commands.add_parser("reconcile", help="hold a bank's ledger and its tables' journals against each other")
    both.add_argument("ledger", type=Path, help="the bank's ledger")
    both.add_argument("journals", type=Path, nargs="+", metavar="journal", help="a table's journal")
    both.set_defaults(run=_reconcile)
    wire = commands.add_parser("wire", help="what travels between table, bank and sign")
    wire_commands = wire.add_subparsers(dest="wire_command", metavar="COMMAND", required=True)
    schema = wire_commands.add_parser("schema", help="print the JSON Schema of every message, generated from its type")
    schema.add_argument("--out", type=Path, metavar="DIR", help="write one file a message there instead")
    schema.set_defaults(run=_wire_schema)
    export = wire_commands.add_parser("export", help="write asyncapi.yaml, and the schemas beside it, for outsiders")
    export.add_argument("--out", type=Path, metavar="DIR", default=Path("docs"), help="folder (default docs)")
    export.set_defaults(run=_wire_export)
    pin = commands.add_parser("pin", help="read a PIN and print the two lines of it for the section of its owner")
    pin.add_argument(
        "--role",
        default="floorperson",
        choices=("dealer", "floorperson", "manager", "technician"),
        help="of its owner: who may close a claim needs six digits at least (default floorperson)",
    )
    pin.set_defaults(run=_pin)


def _config(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"a {name}; without one, the simulation's defaults")
    parser.add_argument("--home", type=Path, metavar="DIR", help="folder of journal and sockets instead of the file's")


def _bank_file(parser: argparse.ArgumentParser) -> None:
    """The same as before the second word, where it may stand too."""
    _named_again(parser, "a bank.toml", "folder of the ledger")


def _table_file(parser: argparse.ArgumentParser) -> None:
    """The same as before the second word, where it may stand too."""
    _named_again(parser, "a table.toml", "folder of the journal")


def _named_again(parser: argparse.ArgumentParser, file: str, folder: str) -> None:
    for name, kind, what in (("--config", "FILE", file), ("--home", "DIR", folder)):
        parser.add_argument(name, type=Path, metavar=kind, default=argparse.SUPPRESS, help=what)


def _retained(parser: argparse.ArgumentParser, journal: str) -> None:
    """What may go of this journal's files."""
    parser.add_argument("--exports", type=Path, metavar="FOLDER", help="where copies of the files are, byte for byte")
    parser.add_argument(
        "--remove", action="store_true", help="remove what may go; two people sign, the service is stopped"
    )
    _trusted(parser)
    parser.set_defaults(run=_retention, journal=journal)


def _trusted(parser: argparse.ArgumentParser) -> None:
    """What somebody who verifies a file has kept elsewhere."""
    key = "the public key that signed the seals (or the file that has it); again where there was more than one"
    parser.add_argument("--key", action="append", default=[], metavar="PUBLIC", help=key)
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="a checkpoint that was kept: is it in there?")


def _link(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--broker", metavar="URL", help="mqtt://HOST:PORT or mqtts://HOST:PORT instead of the file's")


# Building the parts ---------------------------------------------------------------------------------------------------


def _until_signalled(stop: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop())


def _broker_of(config: LinkConfig, options: argparse.Namespace) -> LinkConfig:
    import msgspec

    return msgspec.structs.replace(config, broker=options.broker) if options.broker else config


def _in_force(submission: Submission, what: str, clock: SteadyClock | None = None) -> None:
    """A table opens on a text that is in force today, by its journal's clock where it has one."""
    from datetime import UTC, datetime

    from firmware.config import ConfigError
    from firmware.rules.strict import Refusal

    try:
        now = datetime.fromtimestamp(clock.utc_s(), UTC) if clock else datetime.now(UTC)
        submission.refuse_if_lapsed(now.astimezone().date())
    except Refusal as refusal:
        raise ConfigError(f"{what}: rules: {refusal}") from refusal


def _shared(submission: Submission, what: str) -> None:
    """A bank keeps the meters of a progressive wager."""
    from firmware.config import ConfigError

    if submission.progressive is None:
        raise ConfigError(f"{what}: rules: no [progressive] section; a bank would have no meter to keep")


def _table(options: argparse.Namespace) -> int:
    import msgspec

    from firmware import config as c
    from firmware.runtime.house import warnings
    from firmware.runtime.readers import exposed
    from firmware.runtime.table import open_journal

    config = c.load_table(options.config)
    config = msgspec.structs.replace(config, link=_broker_of(config.link, options))
    if options.observe:
        config = msgspec.structs.replace(config, screen=msgspec.structs.replace(config.screen, observe=True))
    home = options.home or c.home(config, options.config)
    submission = c.submission(config, options.config)
    for said in (*warnings(config, submission), *exposed(c.people_at(config, options.config))):
        logging.getLogger("felt.table").warning("%s", said)
    journal = open_journal(home / "table.journal")
    try:
        _in_force(submission, str(options.config or "table.toml"), journal.clock)
        return _run_table(config, submission, home, journal)
    finally:
        journal.close()


def _run_table(config: TableConfig, submission: Submission, home: Path, journal: Journal[Event]) -> int:
    from firmware.runtime.house import house_of
    from firmware.runtime.table import TableService
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog

    seats = config.seats
    inbox = Inbox(seats.debounce_ms * 1_000_000, window_ns=seats.window_ms * 1_000_000)

    def known() -> str:
        return config.link.bank_key or service.state.neighbours.ledger.key

    service = TableService(
        config,
        house_of(config, submission),
        journal,
        inbox,
        _sensors(config, submission, home, inbox),
        _shuffler(config, home, inbox),
        _table_link(config, submission, journal, inbox, known),
        _glass(config, home, inbox),
        Watchdog(),
        _badges(config, inbox),
        _faults(config, submission),
    )
    _until_signalled(service.stop)
    service.run(version(), submission.submission_hash)
    return 0


def _table_new(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.table import make_journal

    config = c.load_table(options.config)
    path = (options.home or c.home(config, options.config)) / "table.journal"
    journal, key = make_journal(path, config.id, config.seats.count)
    there = f"two people adopt it at its bank: felt bank --config /etc/felt/bank.toml adopt {config.id} {journal}"
    print(f"{path}: journal {journal} of table {config.id}; {there}")
    print("what is played at it is a test until two people say LIVE, under TABLE or: felt table live")
    print(f"public key of its seals, for accounting: {key.text}")
    return 0


def _table_accept(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.table import accept_bank, accept_days, accept_journal, accept_key

    config = c.load_table(options.config)
    path = (options.home or c.home(config, options.config)) / "table.journal"
    first, second = (one.badge for one in _signed(config.people, path))
    if options.what == "bank":
        known = accept_bank(path, (first, second))
        said = f"the ledger that is heard of next is accepted, instead of {known or 'none'}"
    elif options.what == "key":
        journal, key = accept_key(path, (first, second))
        said = f"sealed with a new key from here on, for accounting: {key.text}; two people adopt it at its bank, if it has "
        said += f"one: felt bank adopt {config.id} {journal} {key.digits}"
    elif options.what == "days":
        said = "; ".join(map(str, accept_days(path, (first, second))))
    else:
        said = f"accepted, though {accept_journal(path, (first, second))}"
    print(f"{path}: {said}; signed by badges {first} and {second}. Start the table")
    return 0


def _table_live(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.clock import utc_s
    from firmware.runtime.table import go_live

    config = c.load_table(options.config)
    path = (options.home or c.home(config, options.config)) / "table.journal"
    signed = _signed(config.people, path)
    first, second = (one.badge for one in signed)
    go_live(path, (first, second), utc_s())
    print(f"{path}: table {config.id} is live; signed by badges {first} and {second}. Start the table")
    return 0


def _table_force(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.rules.money import MoneyError, cents
    from firmware.runtime.table import force_meter

    config = c.load_table(options.config)
    meters = c.submission(config, options.config).meters
    if options.meter not in meters:
        raise c.ConfigError(f"meter {options.meter!r}: these rules have {', '.join(meters) or 'none'}")
    try:
        amount = cents(options.amount)
    except MoneyError as error:
        raise c.ConfigError(f"{options.amount}: {error}") from error
    path = (options.home or c.home(config, options.config)) / "table.journal"
    by = _one_signed(config.people, path, ("technician", *c.FLOOR_ROLES), "technician of table.toml or above").badge
    force_meter(path, options.meter, amount, by)
    print(f"{path}: ${options.amount} on {options.meter}, in tests only; signed by badge {by}. Start the table")
    return 0


def _table_check(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.house import description, warnings
    from firmware.runtime.readers import exposed

    config = c.load_table(options.config)
    submission = c.submission(config, options.config)
    _in_force(submission, str(options.config or "table.toml"))
    for line in description(config, submission):
        print(line)
    for said in (*warnings(config, submission), *exposed(c.people_at(config, options.config))):
        print(f"warning: {said}")
    return 0


def _table_states(options: argparse.Namespace) -> int:
    from firmware.runtime import states, states_picture

    if options.svg:
        print(states_picture.svg(), end="")
        return 0 if states.is_sound() else 1
    for line in states.dot() if options.dot else states.text():
        print(line)
    return 0 if states.is_sound() else 1


def _table_link(
    config: TableConfig, submission: Submission, journal: Journal[Event], inbox: Inbox, bank: Callable[[], str]
) -> Carrier:
    """A table without a progressive wager connects to no bank. `bank`: the digits of its bank's key, "" for none known."""
    from firmware.runtime.link import Link, NoLink, Will
    from firmware.runtime.outgoing import presence
    from firmware.runtime.seals import own_key
    from firmware.runtime.words import TableLink, Voice
    from firmware.wire.topics import TableTopics

    if submission.progressive is None:
        return NoLink()
    topics = TableTopics.of(config.link.bank, config.id)
    edge = TableLink(Voice(lambda: own_key(journal)), inbox.put, bank)

    def will() -> Will:
        return Will(topics.alive, edge.sealed(topics.alive, presence(config.id, journal.id, alive=False)))

    subscriptions = [(topics.down, 1), (topics.bank, 1), (topics.meters, 1)]
    edge.over(Link(config.link, f"felt-table-{config.id}", subscriptions, edge.arrived, will))
    return edge


def _sensors(config: TableConfig, submission: Submission, home: Path, inbox: Inbox) -> SensorsAndLamps:
    seats = config.seats
    debounce_ns = seats.debounce_ms * 1_000_000
    if seats.hardware == "cabinet":
        from hal.cabinet.ends import SimulatedTable
        from hal.cabinet.wire import DEVICE_SOCKET

        return SimulatedTable(inbox.put, home / DEVICE_SOCKET, debounce_ns)
    from hal.ports import NEXT_KEY

    next_key = {NEXT_KEY: seats.next_pin} if seats.next_pin >= 0 else {}
    if submission.progressive is None and not next_key:
        from hal.no_sensors import NoSensors

        return NoSensors(inbox.put)
    from firmware.table.state import HANDS
    from hal.gpio import GpioTable

    if submission.progressive is None:
        return GpioTable(inbox.put, {}, {}, None, None, buttons=next_key, button_debounce_ns=debounce_ns)
    wired = submission.five_card_hand is not None

    def by_seat(pins: Sequence[int]) -> dict[int, int]:
        return dict(enumerate(pins, start=1))

    def by_button(*each: Sequence[int]) -> dict[Button, int]:
        named = zip(HANDS, each, strict=True) if wired else ()
        return {(seat, hand): pin for hand, pins in named for seat, pin in by_seat(pins).items()}

    return GpioTable(
        inbox.put,
        by_seat(seats.sensor_pins),
        by_seat(seats.lamp_pins),
        seats.lockout_pin,
        seats.lock_pin,
        buttons={
            **by_button(seats.own_button_pins, seats.dealer_button_pins),
            **next_key,
        },
        button_lamps=by_button(seats.own_button_lamp_pins, seats.dealer_button_lamp_pins),
        button_debounce_ns=debounce_ns,
        chip_labels=seats.gpio_chips,
        lock_wave_hz=config.lock.frequency_hz if config.lock.dynamic else 0,
    )


def _faults(config: TableConfig, submission: Submission) -> tuple[Message, ...]:
    """What of the machine a technician has to mend: said in the log, and on the glass until it is."""
    if config.seats.hardware == "cabinet" or submission.progressive is None:
        return ()
    from firmware.rules.message import say
    from hal.chips import keeps_levels

    parameter = keeps_levels()
    if parameter is None:
        return ()
    logging.getLogger("felt.table").warning(
        "%s is Y: lamps and lock line stay as they are when this program dies; "
        "add dtparam=strict_gpiod to config.txt and boot again",
        parameter,
    )
    return (say("pins.stay"),)


def _lines_safe(options: argparse.Namespace) -> int:
    from firmware.runtime.safe_lines import outputs_of
    from hal.gpio import make_safe

    outputs = outputs_of(options.config)
    if not outputs.pins:
        print(f"{options.config}: no lamps and no lock line on pins")
        return 0
    failed = make_safe(outputs.pins, outputs.chip_labels)
    for said in failed:
        print(f"felt lines safe: {said}", file=sys.stderr)
    print(f"low: {len(outputs.pins) - len(failed)} of {len(outputs.pins)} outputs, the lock line first")
    return REFUSED if failed else 0


def _doctor(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.doctor.machine import ThisMachine
    from firmware.runtime.doctor.round import Round, verify

    if options.verify is not None:
        return 0 if verify(options.verify, options.key, print) else REFUSED
    config = c.load_table(options.config)
    submission = c.submission(config, options.config)
    home = options.home or c.home(config, options.config)
    asked = options.questions == "yes" or (options.questions == "auto" and sys.stdin.isatty())
    os.environ.setdefault("LG_WD", str(home))  # lgpio makes pipes in its working directory
    visit = Round(config, submission, home)
    machine = ThisMachine(visit.subject, home, options.config, _ask if asked else None, options.lockout)
    return 0 if visit.make(machine, options.report, print) else 1


def _ask(question: str) -> str:
    """What the person at the terminal types. Raises ConfigError where nobody is there."""
    from firmware.config import ConfigError

    try:
        return input(question)
    except EOFError as error:
        raise ConfigError("--questions: nobody answers; run it in a terminal, or with --questions no") from error


def _badges(config: TableConfig, inbox: Inbox) -> BadgeReader | None:
    """The reader at the table's hardware; the cabinet brings its own."""
    if config.seats.hardware == "cabinet":
        return None
    from hal import badge

    return badge.BadgeReader(inbox.put, badge.reader(Path(config.badge.device)))


def _shuffler(config: TableConfig, home: Path, inbox: Inbox) -> Shuffler:
    from firmware.table.procedures import NO_SHUFFLER

    if config.dealing.shuffler == NO_SHUFFLER:
        from hal.no_shuffler import NoShuffler

        return NoShuffler()
    from hal.serial import SerialShuffler

    return SerialShuffler(inbox.put, Path(config.shuffler.port or home / "shuffler"), config.shuffler.baud)


def _glass(config: TableConfig, home: Path, inbox: Inbox) -> Glass:
    from firmware import config as c
    from firmware.runtime.glass import Glass

    path = c.glass_socket(config, home)
    return Glass(path, inbox.put, observable=config.screen.observe, shared=bool(config.screen.socket))


def _screen(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.screen import CabinetWindow, Pictures, ScreenService, Trace, extra_height_px
    from hal.cabinet.ends import CabinetPanel
    from hal.cabinet.wire import DEVICE_SOCKET, WORLD_SOCKET
    from hal.cabinet.world import World
    from hal.watchdog import Watchdog
    from ui.dealer.display import Display
    from ui.dealer.panels import PANELS

    config = c.load_table(options.config, people=False)
    home = options.home or c.home(config, options.config)
    panel = PANELS[config.screen.panel]
    touch = options.touch
    if touch == "auto":
        touch = "cabinet" if config.seats.hardware == "cabinet" else "evdev"
    cabinet = CabinetWindow(World(home / WORLD_SOCKET), panel) if options.cabinet else None
    service = ScreenService(
        c.glass_socket(config, home),
        Display(panel, f"Felt {config.id.upper()}", extra_height_px(panel, cabinet=cabinet is not None)),
        panel,
        Watchdog(),
        Pictures(options.pictures) if options.pictures else None,
        cabinet,
        Trace(options.trace) if options.trace else None,
    )
    if touch == "cabinet":
        CabinetPanel(service.put, home / DEVICE_SOCKET).start()
    elif touch == "evdev":
        from hal.touch import TouchPanel
        from hal.touch import panel as open_panel

        path = Path(config.screen.touch) if config.screen.touch else None
        TouchPanel(service.put, open_panel(panel.width_mm, panel.height_mm, path)).start()
    _until_signalled(service.stop)
    service.run()
    return 0


def _cabinet(options: argparse.Namespace) -> int:
    import threading

    from firmware import config as c
    from firmware.table.procedures import AUTOMATED, COUNTS, RESHUFFLES
    from firmware.table.state import HANDS
    from hal.cabinet.cabinet import Cabinet
    from hal.watchdog import Watchdog

    config = c.load_table(options.config)
    home = options.home or c.home(config, options.config)
    submission = c.submission(config, options.config)
    stop = threading.Event()
    cabinet = Cabinet(
        home,
        config.seats.count,
        options.seed,
        sensors=submission.progressive is not None,
        buttons=HANDS if submission.five_card_hand is not None else (),
        counts=config.dealing.shuffler in (COUNTS, RESHUFFLES),
        shoe=config.dealing.method == AUTOMATED,
    )
    _until_signalled(stop.set)
    cabinet.run(stop, Watchdog().ready)
    return 0


def _bank(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.bank import open_journal, rules_of
    from firmware.runtime.pins import warnings
    from firmware.runtime.readers import exposed

    config = c.load_bank(options.config)
    home = options.home or c.home(config, options.config)
    submission = c.submission(config, options.config)
    _shared(submission, str(options.config or "bank.toml"))
    c.check_meter_names(config, submission, options.config)
    rules = rules_of(config, submission, options.config)
    for said in (*warnings(config.people), *exposed(options.config)):
        logging.getLogger("felt.bank").warning("%s", said)
    journal = open_journal(home / "bank.ledger")
    try:
        _in_force(submission, str(options.config or "bank.toml"), journal.clock)
        return _run_bank(config, rules, home, journal, options)
    finally:
        journal.close()


def _run_bank(
    config: BankConfig, rules: BankRules, home: Path, journal: Journal[BankEvent], options: argparse.Namespace
) -> int:
    import secrets
    import signal

    from firmware import config as c
    from firmware.runtime.adoption import SOCKET, AdoptionDesk
    from firmware.runtime.bank import BankService, last_words
    from firmware.runtime.link import Link, Will
    from firmware.runtime.seals import own_key
    from firmware.runtime.words import BankLink, Voice
    from firmware.wire.offers import offer_of
    from firmware.wire.topics import BankTopics
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog

    inbox, topics = Inbox(0), BankTopics(config.id)
    edge = BankLink(Voice(lambda: own_key(journal)), inbox.put, topics)
    edge.over(
        Link(
            _broker_of(config.link, options),
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
    _until_signalled(service.stop)
    try:
        service.run(restored=options.restored)
    finally:
        desk.close()
    return 0


def _bank_new(options: argparse.Namespace) -> int:
    import secrets

    from firmware import config as c
    from firmware.runtime.bank import make_ledger, rules_of

    config = c.load_bank(options.config)
    submission = c.submission(config, options.config)
    _shared(submission, str(options.config or "bank.toml"))
    c.check_meter_names(config, submission, options.config)
    path = (options.home or c.home(config, options.config)) / "bank.ledger"
    rules = rules_of(config, submission, options.config)
    key = make_ledger(path, config.id, rules, secrets.token_hex(16))
    print(f"{path}: ledger of bank {config.id}; its meters hold their seeds")
    print(f"public key of its seals, for accounting: {key.text}")
    return 0


def _bank_verify(options: argparse.Namespace) -> int:
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


def _bank_accept_key(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.bank import accept_key, ledger_at

    config = c.load_bank(options.config)
    path = ledger_at((options.home or c.home(config, options.config)) / "bank.ledger")
    first, second = (one.badge for one in _signed(config.people, path))
    key = accept_key(path, config.id, (first, second))
    print(f"{path}: sealed with a new key from here on, signed by badges {first} and {second}. Start the bank")
    print(f"public key of its seals, for accounting: {key.text}")
    return 0


def _bank_accept_days(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.bank import accept_days, ledger_at

    config = c.load_bank(options.config)
    path = ledger_at((options.home or c.home(config, options.config)) / "bank.ledger")
    first, second = (one.badge for one in _signed(config.people, path))
    for gone in accept_days(path, (first, second)):
        print(f"{path}: {gone}")
    print("Start the bank")
    return 0


def _bank_adopt(options: argparse.Namespace) -> int:
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import adopt

    ledger, rules, signed = _signing(options)
    by = (signed[0].badge, signed[1].badge)
    command = f"felt bank{_which(options)} adopt"
    asked = Question(options.table, options.journal, signed, command=command, key=options.key)
    journal = _asked(ledger, asked)
    further = "" if journal else "; start the bank again"
    journal = journal or adopt(ledger, rules, options.table, options.journal, by, command, options.key)
    print(f"table {options.table}: journal {journal} is its own, signed by badges {by[0]} and {by[1]}{further}")
    return 0


def _digits(text: str) -> str:
    """An argument that names a key as people compare it, "" for none."""
    if len(text) not in (0, KEY_DIGITS) or set(text) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError(f"{text!r}; `felt table accept key` said its {KEY_DIGITS} hex digits")
    return text


def _which(options: argparse.Namespace) -> str:
    """The options that name this bank, as they were typed."""
    named = (("--config", options.config), ("--home", options.home))
    return "".join(f" {option} {path}" for option, path in named if path is not None)


def _bank_verdict(options: argparse.Namespace) -> int:
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import end_verdict, held_at

    config, ledger, rules = _signable_at(options)
    accepted = options.bank_command == "accept"
    answer = _answer(ledger, Question("", "", None, options.claim, accepted))
    seen = answer.held if answer and answer.held else held_at(ledger, rules, options.claim, accepted=accepted)
    print(seen.text)
    signed = _signed(config.people, ledger)
    by = (signed[0].badge, signed[1].badge)
    question = Question("", "", signed, options.claim, accepted, seq=seen.seq, hash=seen.hash)
    answered = _asked(ledger, question)
    if not answered:
        end_verdict(ledger, rules, options.claim, by, seen, accepted=accepted)
    booked = "is booked" if accepted else "is refused: no winner"
    further = "" if answered else "; start the bank again"
    print(f"claim {options.claim}: its verdict {booked}, signed by badges {by[0]} and {by[1]}{further}")
    return 0


def _bank_reopen(options: argparse.Namespace) -> int:
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
    signed = _signed(config.people, ledger)
    by = (signed[0].badge, signed[1].badge)
    answered = _asked(ledger, Question("", "", signed, options.claim, reason=reason))
    if not answered:
        reopen(ledger, rules, options.claim, by, reason)
    further = "" if answered else "; start the bank again"
    print(f"claim {options.claim}: opened again and owed as it stood, signed by badges {by[0]} and {by[1]}{further}")
    return 0


def _signing(options: argparse.Namespace) -> tuple[Path, BankRules, tuple[Signature, Signature]]:
    """The ledger of the bank that is named, its rules, and the two people who sign. Raises ConfigError."""
    config, ledger, rules = _signable_at(options)
    return ledger, rules, _signed(config.people, ledger)


def _signable_at(options: argparse.Namespace) -> tuple[BankConfig, Path, BankRules]:
    """The bank that is named: its configuration, ledger and rules. Raises ConfigError."""
    from firmware import config as c
    from firmware.runtime.bank import ledger_at, rules_of

    config = c.load_bank(options.config)
    submission = c.submission(config, options.config)
    _in_force(submission, str(options.config or "bank.toml"))
    _shared(submission, str(options.config or "bank.toml"))
    rules = rules_of(config, submission, options.config)
    ledger = ledger_at((options.home or c.home(config, options.config)) / "bank.ledger")
    return config, ledger, rules


def _asked(ledger: Path, question: Question) -> str:
    """The journal of the table that the running bank names when it is done; "" where none runs. Raises ConfigError."""
    answer = _answer(ledger, question)
    return answer.journal if answer else ""


def _answer(ledger: Path, question: Question) -> Answer | None:
    """What the running bank answers; None where none runs. Raises ConfigError where it refuses."""
    from firmware.config import ConfigError
    from firmware.runtime.adoption import SOCKET, ask

    answer = ask(ledger.parent / SOCKET, question)
    if answer is not None and answer.refused:
        raise ConfigError(answer.refused)
    return answer


def _bank_close_day(options: argparse.Namespace) -> int:
    from datetime import date

    from firmware import config as c
    from firmware.runtime.adoption import Question
    from firmware.runtime.bank import close_day

    try:
        day = date.fromisoformat(options.day).isoformat() if options.day else ""
    except ValueError as error:
        raise c.ConfigError(f"day {options.day!r}; it is a date like 2026-11-21") from error
    ledger, rules, signed = _signing(options)
    day = day or _clock_of(ledger).gaming_day(c.gaming_day(c.load_bank(options.config)))
    by = (signed[0].badge, signed[1].badge)
    if not _asked(ledger, Question("", "", signed, day=day)):
        close_day(ledger, rules, day, by)
    print(f"gaming day {day} is closed, signed by badges {by[0]} and {by[1]}")
    return 0


def _clock_of(path: Path) -> SteadyClock:
    """What time it is by a journal that is there."""
    from contextlib import closing

    from firmware.runtime.files import open_any

    with closing(open_any(path)) as journal:
        return journal.clock


def _signed(people: Sequence[PersonConfig], path: Path) -> tuple[Signature, Signature]:
    """Two different floorpersons or managers, each with the right PIN, for this ledger or journal. Raises ConfigError."""
    from firmware.config import ConfigError
    from firmware.runtime.adoption import unsigned

    signed: list[Signature] = []
    for who in ("First person", "Second person"):
        one, first = _typed(who), signed[0].badge if signed else ""
        if why := unsigned(people, one, first, _tries(path), print):
            raise ConfigError(why)
        signed.append(one)
    return signed[0], signed[1]


def _one_signed(people: Sequence[PersonConfig], path: Path, roles: Collection[str], meant: str) -> Signature:
    """Somebody of one of these roles, with the right PIN. Raises ConfigError."""
    from firmware.config import ConfigError

    signed = _typed(meant.capitalize())
    person = next((one for one in people if one.badge == signed.badge and one.role in roles), None)
    why, told = _tries(path).refusal(person, signed.pin) if person else (f"badge {signed.badge!r} is none", "")
    if told:
        print(told)
    if why:
        raise ConfigError(f"not signed: {why}; it takes a {meant}")
    return signed


def _typed(who: str) -> Signature:
    """A badge and a PIN, which is not seen."""
    from getpass import getpass

    from firmware.runtime.adoption import Signature

    return Signature(input(f"{who}, badge: ").strip(), getpass("PIN: "))


def _tries(path: Path) -> Tries:
    """The wrong PINs at the commands for this ledger or journal."""
    from firmware.runtime.adoption import LEDGER, UNLOCK
    from firmware.runtime.tries import Tries

    return Tries(path, UNLOCK if path.name == LEDGER else "felt table unlock")


def _unlock(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.table.people import MANAGER

    config = c.load_table(options.config) if options.journal == "table.journal" else c.load_bank(options.config)
    path = (options.home or c.home(config, options.config)) / options.journal
    by = _one_signed(config.people, path, (MANAGER,), MANAGER).badge
    count = _tries(path).unlock(options.badge, by)
    print(
        f"badge {options.badge}: unlocked after {count} wrong PINs by badge {by}. Ask its owner whether they were his"
    )
    return 0


def _sign(options: argparse.Namespace) -> int:
    import secrets
    import time

    from firmware import config as c
    from firmware.runtime.link import Link
    from firmware.runtime.sign import SignService
    from firmware.runtime.words import Listener
    from firmware.wire.topics import BankTopics
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog
    from ui.sign.server import SignServer

    config = c.load_bank(options.config)
    topics = BankTopics(config.id)
    inbox = Inbox(0)
    edge = Listener(inbox.put, lambda: config.link.bank_key)
    heard = [(topics.meters, 1), (topics.alive, 1)]
    link = Link(_broker_of(config.link, options), f"felt-sign-{secrets.token_hex(4)}", heard, edge.arrived)
    try:
        server = SignServer(options.host, options.port, time.monotonic)
    except OSError as error:
        raise c.ConfigError(f"--port: {options.host}:{options.port}: {error.strerror}; choose another") from error
    service = SignService(config.id, c.gaming_day(config), inbox, link, server, Watchdog())
    _until_signalled(service.stop)
    service.run()
    return 0


def _broker(options: argparse.Namespace) -> int:
    from firmware.runtime.broker import run_broker
    from hal.watchdog import Watchdog

    run_broker(options.host, options.port, Watchdog().ready)
    return 0


def _wire_schema(options: argparse.Namespace) -> int:
    from firmware.wire import schema

    if options.out is None:
        print(schema.text_of_all(), end="")
    else:
        _write_all(options.out, schema.files())
    return 0


def _wire_export(options: argparse.Namespace) -> int:
    from firmware.wire import asyncapi, schema

    _write_all(options.out, {"asyncapi.yaml": asyncapi.text()})
    _write_all(options.out / asyncapi.SCHEMAS, schema.files())
    return 0


def _write_all(folder: Path, files: Mapping[str, str]) -> None:
    """Each file by its name. Raises ConfigError."""
    from firmware.config import ConfigError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"--out: {folder}: {error.strerror}; name a folder that this user can write") from error


def _journal(options: argparse.Namespace) -> int:
    from firmware.runtime.before_live import BeforeLive
    from firmware.runtime.exports import lines
    from firmware.runtime.files import in_folder, newest_checkpoint, open_any
    from firmware.runtime.seals import trusted

    if options.journal_command == "verify":
        return _verify(options.file, trusted(options.key, options.checkpoint))
    if options.journal_command == "checkpoint":
        print(newest_checkpoint(options.file), end="")
        return 0
    journal = open_any(in_folder(options.file))
    try:
        if options.journal_command == "export":
            for line in lines(journal):
                print(line.decode("utf-8"))
            return 0
        is_test = BeforeLive()
        for entry in journal.own_entries():
            mark = "test  " if is_test.of(entry.event) else ""
            print(f"{entry.row:>6}  {entry.utc}  {mark}{entry.kind:<18} {entry.body}")
    finally:
        journal.close()
    return 0


def _verify(path: Path, keys: Trusted) -> int:
    from firmware.runtime import exports
    from firmware.runtime.files import verify

    if exports.is_export(path):
        print(exports.verify(path, keys.keys))
        return 0
    found = verify(path, keys)
    files = f" in {found.files} files" if found.files > 1 else ""
    if found.missing:
        print(f"{path}: rows {found.first} to {found.rows}{files}, unbroken; head {found.head}")
        print(found.sealed)
        print(f"{path.parent / found.missing}: this file is missing; rows 1 to {found.first - 1} were not looked at")
        return REFUSED
    print(f"{path}: {found.rows} rows{files}, unbroken{' but for what is gone' * bool(found.gone)}; head {found.head}")
    print(found.sealed)
    for gone in found.gone:
        print(gone)
    return 0


def _retention(options: argparse.Namespace) -> int:
    from datetime import date

    from firmware import config as c
    from firmware.runtime.retention import Terms, listed, removed
    from firmware.runtime.seals import trusted

    config = c.load_table(options.config) if options.journal == "table.journal" else c.load_bank(options.config)
    path = (options.home or c.home(config, options.config)) / options.journal
    terms = Terms(
        config.keep_days, options.exports, date.fromisoformat(_clock_of(path).gaming_day(c.gaming_day(config)))
    )
    keys = trusted(options.key, options.checkpoint)
    days = listed(path, terms, keys)
    for day in days:
        print(day)
    if not options.remove or all(day.stays for day in days):
        return 0
    first, second = (one.badge for one in _signed(config.people, path))
    for gone in removed(path, terms, keys, (first, second)):
        print(gone)
    return 0


def _reconcile(options: argparse.Namespace) -> int:
    from firmware.runtime.reconcile import reconcile

    wrong = False
    for finding in reconcile(options.ledger, options.journals):
        wrong = wrong or finding.wrong
        print(f"WRONG {finding.text}" if finding.wrong else finding.text)
    print("the two sides contradict each other" if wrong else "both sides agree")
    return REFUSED if wrong else 0


def _pin(options: argparse.Namespace) -> int:
    from getpass import getpass

    from firmware import config as c
    from firmware.runtime.pins import digits_least, hash_pin

    pin, least = getpass("PIN: "), digits_least(options.role)
    if not (pin.isascii() and pin.isdecimal() and least <= len(pin) <= c.PIN_MAX):
        raise c.ConfigError(f"a {options.role}'s PIN is {least} to {c.PIN_MAX} digits")
    if getpass("The same again: ") != pin:
        raise c.ConfigError("the two PINs differ; begin again")
    print(f'pin_hash = "{hash_pin(pin)}"')
    print(f"pin_digits = {len(pin)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
