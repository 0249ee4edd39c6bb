"""The law of every game by the name of its book: `game_of`. A game in another folder is added with `register`."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from zlib import crc32

from firmware.rules import games
from firmware.rules.games.game import Game
from firmware.rules.procedure import FIVE
from firmware.rules.strict import Refusal


@lru_cache(maxsize=64)
def game_of(name: str) -> Game:
    """The game of a book. Raises Refusal for a name that is no book's."""
    folder = games.folder_of(name)
    if folder.parent == Path(games.__file__).parent:
        return _made(import_module(f"{games.__name__}.{folder.name}.game"), name)
    return _made(_module_in(folder), name)


def register(folder: Path) -> Game:
    """Add a game from its folder (`book.toml`, `readings.toml`, `game.py` with its class as `GAME`).

    From then on it is a game like the others; of one whose book or law cannot be loaded nothing stays behind. Raises
    ValueError where another game has its name.
    """
    name = games.add(folder)
    try:
        return game_of(name)
    except Exception:
        withdraw(name)
        raise


def withdraw(name: str) -> None:
    """Take an added game away again."""
    folder = games.remove(name)
    if folder is not None:
        sys.modules.pop(_module_name(folder), None)
    game_of.cache_clear()


def _module_in(folder: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location  # not needed for a shipped game

    spec = spec_from_file_location(_module_name(folder), folder / "game.py")
    if spec is None or spec.loader is None:
        raise ValueError(f"{folder.name}/game.py is no Python module")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its own module up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module


def _module_name(folder: Path) -> str:
    """One name for every folder, with any name at any place."""
    where = crc32(str(folder.resolve()).encode())
    return f"felt_game_{re.sub('[^0-9A-Za-z]', '_', folder.name)}_{where:08x}"


def _made(module: ModuleType, name: str) -> Game:
    made = module.GAME(games.load_book(name))
    if not isinstance(made, Game):
        raise TypeError(f"{module.__name__}.GAME is no class of a game")
    if made.procedure.hand_cards != FIVE and type(made).hand_of is Game.hand_of:
        count = made.procedure.hand_cards
        raise Refusal(f"{name}.procedure", f"hands of {count} cards, and its game.py does not say what they are called")
    return made
