"""The law of every game by the name of its book: `game_of`. A game in another folder is added with `register`."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from firmware.rules import games
from firmware.rules.games.game import Game


@lru_cache(maxsize=64)
def game_of(name: str) -> Game:
    """The game of a book. Raises Refusal for a name that is no book's."""
    folder = games.folder_of(name)
    if folder.parent == Path(games.__file__).parent:
        return _made(import_module(f"{games.__name__}.{folder.name}.game"), name)
    return _made(_module_in(folder), name)


def register(folder: Path) -> Game:
    """Add a game from its folder (`book.toml`, `readings.toml`, `game.py` with its class as `GAME`).

    From then on it is a game like the others. Raises ValueError where another game has its name.
    """
    return game_of(games.add(folder))


def withdraw(name: str) -> None:
    """Take an added game away again."""
    games.remove(name)
    game_of.cache_clear()


def _module_in(folder: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location  # not needed for a shipped game

    spec = spec_from_file_location(f"{folder.name}_game", folder / "game.py")
    if spec is None or spec.loader is None:
        raise ValueError(f"{folder.name}/game.py is no Python module")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _made(module: ModuleType, name: str) -> Game:
    made = module.GAME(games.load_book(name))
    if not isinstance(made, Game):
        raise TypeError(f"{module.__name__}.GAME is no class of a game")
    return made
