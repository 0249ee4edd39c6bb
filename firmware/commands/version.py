"""`felt --version`."""

from __future__ import annotations

import argparse


def version() -> str:
    """The program's version."""
    from importlib import metadata

    return metadata.version("felt")


class Version(argparse.Action):
    """Looked up only when it is asked for: it takes longer than settling a round."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"felt {version()}")
        parser.exit()
