"""`felt table`: the loop of one table, and what is done to its journal while it stands still."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands import retention, unlock
from firmware.commands.devices import badges, faults, hardware, shuffler
from firmware.commands.options import Commands, add_again, add_config, add_link, broker_of
from firmware.commands.signatures import signed_by_one, signed_by_two
from firmware.commands.submission import in_force
from firmware.commands.version import version
from firmware.rules.approvals import Act

if TYPE_CHECKING:
    from firmware.config import TableConfig
    from firmware.rules.submission import Submission
    from firmware.runtime.day_files import Journal
    from firmware.runtime.glass import Glass
    from firmware.runtime.link import Carrier
    from firmware.table.events import Event
    from hal.debounce import Inbox


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt table` and its second words."""
    table = commands.add_parser("table", help="the loop of one table: sensors, lamps, journal, link")
    add_config(table, "table.toml")
    add_link(table)
    table.add_argument("--observe", action="store_true", help="offer the read-only observation on the table's socket")
    table.set_defaults(run=_run)
    second = table.add_subparsers(dest="table_command", metavar="")
    check = second.add_parser("check", help="read table.toml as the table would, and say what is odd")
    check.add_argument("--config", type=Path, metavar="FILE", default=argparse.SUPPRESS, help="a table.toml")
    check.set_defaults(run=_check)
    new = second.add_parser("new", help="make the journal of a table that never had one; once")
    _where(new)
    new.set_defaults(run=_new)
    accept = second.add_parser("accept", help="two people accept what this table does not accept by itself")
    accept.add_argument(
        "what",
        choices=("journal", "bank", "key", "days"),
        help="its journal as it is, a bank's other ledger, a new key, that files of earlier days are lost",
    )
    _where(accept)
    accept.set_defaults(run=_accept)
    live = second.add_parser("live", help="two people say that the tests are over and money counts; once")
    _where(live)
    live.set_defaults(run=_live)
    force = second.add_parser("force", help="a technician says what stands on a meter of a test")
    force.add_argument("meter", metavar="METER")
    force.add_argument("amount", metavar="DOLLARS")
    _where(force)
    force.set_defaults(run=_force)
    old = second.add_parser("retention", help="which files of earlier days may go, and why the others may not")
    _where(old)
    retention.add_options(old, "table.journal")
    _where(unlock.add_to(second, "table.journal"))
    states = second.add_parser("states", help="every phase of a table: its keys, and which event leads where")
    drawn = states.add_mutually_exclusive_group()
    drawn.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    drawn.add_argument("--svg", action="store_true", help="as the drawing docs/pictures/phases.svg")
    states.set_defaults(run=_states)


def _where(parser: argparse.ArgumentParser) -> None:
    add_again(parser, "a table.toml", "folder of the journal")


def _run(options: argparse.Namespace) -> int:
    import msgspec

    from firmware import config as c
    from firmware.runtime.house import warnings
    from firmware.runtime.readers import exposed
    from firmware.runtime.table_journal import open_journal

    config = c.load_table(options.config)
    config = msgspec.structs.replace(config, link=broker_of(config.link, options))
    if options.observe:
        config = msgspec.structs.replace(config, screen=msgspec.structs.replace(config.screen, observe=True))
    home = options.home or c.home(config, options.config)
    submission = c.submission(config, options.config)
    for said in (*warnings(config, submission), *exposed(c.people_at(config, options.config))):
        logging.getLogger("felt.table").warning("%s", said)
    journal = open_journal(home / "table.journal")
    try:
        in_force(submission, str(options.config or "table.toml"), journal.clock)
        return _serve(config, submission, home, journal)
    finally:
        journal.close()


def _serve(config: TableConfig, submission: Submission, home: Path, journal: Journal[Event]) -> int:
    from firmware.runtime.house import house_of
    from firmware.runtime.stopping import until_signalled
    from firmware.runtime.table import TableService
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog

    seats = config.seats
    inbox = Inbox(seats.debounce_ms * 1_000_000, window_ns=seats.window_ms * 1_000_000)

    def known() -> str:
        return config.link.bank_key or service.state.neighbors.ledger.key

    service = TableService(
        config,
        house_of(config, submission),
        journal,
        inbox,
        hardware(config, submission, home, inbox),
        shuffler(config, home, inbox),
        _carrier(config, submission, journal, inbox, known),
        _glass(config, home, inbox),
        Watchdog(),
        badges(config, inbox),
        faults(config, submission),
    )
    until_signalled(service.stop)
    service.run(version(), submission.submission_hash)
    return 0


def _carrier(
    config: TableConfig, submission: Submission, journal: Journal[Event], inbox: Inbox, bank: Callable[[], str]
) -> Carrier:
    """A table without a progressive wager connects to no bank. `bank`: the digits of its bank's key, "" for none known."""
    from firmware.runtime.link import Link, NoLink, Will
    from firmware.runtime.outgoing import presence
    from firmware.runtime.seals import own_key
    from firmware.runtime.words import TableLink, Voice
    from firmware.wire.topics import TableTopics

    if not submission.on_sensor:
        return NoLink()
    topics = TableTopics.of(config.link.bank, config.id)
    edge = TableLink(Voice(lambda: own_key(journal)), inbox.put, bank)

    def will() -> Will:
        return Will(topics.alive, edge.sealed(topics.alive, presence(config.id, journal.id, alive=False)))

    subscriptions = [(topics.down, 1), (topics.bank, 1), (topics.meters, 1)]
    edge.over(Link(config.link, f"felt-table-{config.id}", subscriptions, edge.arrived, will))
    return edge


def _glass(config: TableConfig, home: Path, inbox: Inbox) -> Glass:
    from firmware import config as c
    from firmware.runtime.glass import Glass

    path = c.glass_socket(config, home)
    return Glass(path, inbox.put, observable=config.screen.observe, shared=bool(config.screen.socket))


def _check(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.house import description, warnings
    from firmware.runtime.readers import exposed

    config = c.load_table(options.config)
    submission = c.submission(config, options.config)
    in_force(submission, str(options.config or "table.toml"))
    for line in description(config, submission):
        print(line)
    for said in (*warnings(config, submission), *exposed(c.people_at(config, options.config))):
        print(f"warning: {said}")
    return 0


def _new(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.table_journal import make_journal

    config = c.load_table(options.config)
    path = (options.home or c.home(config, options.config)) / "table.journal"
    journal, key = make_journal(path, config.id, config.seats.count)
    there = f"two people adopt it at its bank: felt bank --config /etc/felt/bank.toml adopt {config.id} {journal}"
    print(f"{path}: journal {journal} of table {config.id}; {there}")
    print("what is played at it is a test until two people say LIVE, under TABLE or: felt table live")
    print(f"public key of its seals, for accounting: {key.text}")
    return 0


def _accept(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.table_signatures import accept_bank, accept_days, accept_journal, accept_key

    config = c.load_table(options.config)
    path = (options.home or c.home(config, options.config)) / "table.journal"
    first, second = (one.badge for one in signed_by_two(config.people, path, Act.RECORD))
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


def _live(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.clock import utc_s
    from firmware.runtime.table_signatures import go_live

    config = c.load_table(options.config)
    path = (options.home or c.home(config, options.config)) / "table.journal"
    signed = signed_by_two(config.people, path, Act.LIVE)
    first, second = (one.badge for one in signed)
    go_live(path, (first, second), utc_s())
    print(f"{path}: table {config.id} is live; signed by badges {first} and {second}. Start the table")
    return 0


def _force(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.rules.money import MoneyError, cents
    from firmware.runtime.table_signatures import force_meter

    config = c.load_table(options.config)
    meters = c.submission(config, options.config).meters
    if options.meter not in meters:
        raise c.ConfigError(f"meter {options.meter!r}: these rules have {', '.join(meters) or 'none'}")
    try:
        amount = cents(options.amount)
    except MoneyError as error:
        raise c.ConfigError(f"{options.amount}: {error}") from error
    path = (options.home or c.home(config, options.config)) / "table.journal"
    by = signed_by_one(config.people, path, Act.FORCE, "technician of table.toml or above").badge
    force_meter(path, options.meter, amount, by)
    print(f"{path}: ${options.amount} on {options.meter}, in tests only; signed by badge {by}. Start the table")
    return 0


def _states(options: argparse.Namespace) -> int:
    from firmware.runtime import states, states_picture

    if options.svg:
        print(states_picture.svg(), end="")
        return 0 if states.is_sound() else 1
    for line in states.dot() if options.dot else states.text():
        print(line)
    return 0 if states.is_sound() else 1
