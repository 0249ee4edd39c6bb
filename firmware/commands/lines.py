"""`felt lines`: the wires of a table while no table runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware.commands import REFUSED
from firmware.commands.options import Commands


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt lines safe`."""
    lines = commands.add_parser("lines", help="the wires of a table while no table runs")
    second = lines.add_subparsers(dest="lines_command", metavar="COMMAND", required=True)
    safe = second.add_parser("safe", help="lamps dark, lock line low; reads a broken table.toml as far as it goes")
    safe.add_argument("--config", type=Path, metavar="FILE", required=True, help="a table.toml")
    safe.set_defaults(run=_safe)


def _safe(options: argparse.Namespace) -> int:
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
