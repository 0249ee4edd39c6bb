"""`felt --version`."""

from __future__ import annotations

import argparse


def version() -> str:
    """The program's version."""
    from importlib import metadata

    return metadata.version("felt")


def commit() -> str:
    """Eight digits of the commit that was installed, or that is checked out; "" where neither is known."""
    import subprocess
    from pathlib import Path

    here = Path(__file__).resolve().parent
    installed = here / "commit.txt"
    if installed.is_file():
        return installed.read_text(encoding="ascii").strip()
    if not (here.parents[1] / ".git").exists():
        return ""
    git = ["git", "-C", str(here), "rev-parse", "--short=8", "HEAD"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


class Version(argparse.Action):
    """Looked up only when it is asked for: it takes longer than settling a round."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        of = commit()
        print(f"felt {version()}" + (f", commit {of}" if of else ""))
        parser.exit()
