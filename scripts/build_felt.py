"""The build of Felt: setuptools, and the commit of the checkout, which `felt --version` prints from an installed program."""

from __future__ import annotations

import subprocess
from pathlib import Path

from setuptools import build_meta  # type: ignore[import-untyped]
from setuptools.build_meta import (  # type: ignore[import-untyped]
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parent.parent
COMMIT = ROOT / "firmware" / "commands" / "commit.txt"


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, str | list[str] | None] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """The wheel of setuptools with the commit in it; without git, or outside a checkout, the wheel alone."""
    try:
        head = subprocess.run(
            ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
    COMMIT.write_text(head.stdout, encoding="ascii")
    try:
        return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
    finally:
        COMMIT.unlink()
