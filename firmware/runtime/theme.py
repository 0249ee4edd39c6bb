"""The theme of a sign, from its folder. It is read once, at the start."""

from __future__ import annotations

import logging
from importlib import resources
from pathlib import Path

from firmware.config import ConfigError, read_toml
from firmware.plain import content
from ui.sign.theme import Pages, ThemeFault, files_named, theme_of

log = logging.getLogger("felt.sign")

_SHIPPED = Path(str(resources.files("ui.sign").joinpath("themes")))


def theme(name: str) -> Pages:
    """The files of a theme: "" for the first one, the name of a shipped one, or a folder.

    The log says why a theme cannot be used, and the first one is shown: a sign is never dark for its colors.
    """
    try:
        return _read(name) if name else theme_of({}, {})
    except (ThemeFault, ConfigError) as error:
        log.error("theme %s: %s; the sign shows its own", name, error)
        return theme_of({}, {})


def shipped() -> tuple[str, ...]:
    """The names of the themes that come with Felt."""
    return tuple(sorted(path.name for path in _SHIPPED.iterdir() if path.is_dir()))


def _read(name: str) -> Pages:
    folder = (_SHIPPED if name in shipped() else Path()) / name
    given = read_toml(folder / "theme.toml")
    files = {}
    for file, most in files_named(given):
        try:
            files[file] = content(folder / file, most)
        except FileNotFoundError:
            continue  # the theme says where it is named
        except (OSError, ValueError) as error:
            raise ThemeFault(f"{file}: {error}") from error
    return theme_of(given, files)
