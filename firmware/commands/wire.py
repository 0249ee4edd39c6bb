"""`felt wire`: what travels between table, bank and sign, for outsiders."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from firmware.commands.options import Commands


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt wire` and its second words."""
    wire = commands.add_parser("wire", help="what travels between table, bank and sign")
    second = wire.add_subparsers(dest="wire_command", metavar="COMMAND", required=True)
    schema = second.add_parser("schema", help="print the JSON Schema of every message, generated from its type")
    schema.add_argument("--out", type=Path, metavar="DIR", help="write one file a message there instead")
    schema.set_defaults(run=_schema)
    export = second.add_parser("export", help="write asyncapi.yaml, and the schemas beside it, for outsiders")
    export.add_argument("--out", type=Path, metavar="DIR", default=Path("docs"), help="folder (default docs)")
    export.set_defaults(run=_export)


def _schema(options: argparse.Namespace) -> int:
    from firmware.wire import schema

    if options.out is None:
        print(schema.text_of_all(), end="")
    else:
        _write_all(options.out, schema.files())
    return 0


def _export(options: argparse.Namespace) -> int:
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
