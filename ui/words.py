"""The words of every message, from the catalogs: one in `ui/words`, one in each game's folder (docs/words.md).

`ENGLISH(message)` is what people read. `PSEUDO` is made from the English for the tests: every text of a catalog is longer,
accented and stands in ⟦ ⟧, so that a text that is in no catalog is seen.
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from firmware.rules import games
from firmware.rules.message import AS_IS, Argument, Message

HERE = Path(__file__).with_name("words")
ALL = (("felt", HERE),)
"""(domain, folder) of the catalogs that are no game's."""


class Words:
    """One language: `words(message)` is the text that people read."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, message: Message | str) -> str:
        """The text of a message; a text is data and stays. Raises KeyError for an id that no catalog has."""
        if isinstance(message, str):
            return message
        if not message:
            return ""
        fields = dict(message.args)
        if message.id == AS_IS:
            return str(fields["text"])
        return _Formatter(self).vformat(self.template(message.id, fields.get("n")), (), fields)

    def template(self, id_: str, number: Argument | None = None) -> str:
        """The text of an id with its fields unfilled; `number`: of how many, where it has a plural."""
        catalog = _catalog(self.language, games.folders())
        if isinstance(number, int):
            return catalog.ngettext(id_, id_, number)
        return catalog.gettext(id_)


class Pseudo(Words):
    """A language that nobody speaks."""

    def template(self, id_: str, number: Argument | None = None) -> str:
        """The English, longer, accented, in brackets; its fields are as they were."""
        return _pseudo(super().template(id_, number))


OPEN, CLOSE = "⟦⟧"
_ACCENTED = str.maketrans(dict(zip("AaCcEeIiNnOoUuYy", "ÅåÇçÉéÎîÑñÖöÛûÝý", strict=True)))
LONGER = 0.3
"""By so much the texts of other languages are longer than the English ones."""


@lru_cache(maxsize=4096)
def _pseudo(template: str) -> str:
    said: list[str] = []
    for text, field, spec, _ in string.Formatter().parse(template):
        said.append(_longer(text).replace("{", "{{").replace("}", "}}"))
        if field is not None:
            said.append(f"{{{field}:{spec}}}" if spec else f"{{{field}}}")
    return f"{OPEN}{''.join(said)}{CLOSE}"


def _longer(text: str) -> str:
    """Words stay words: each grows by a third of its letters, and one of two letters stays."""
    grown = []
    for word in text.split(" "):
        more = round(sum(map(str.isalpha, word)) * LONGER)
        last = next((place for place in range(len(word), 0, -1) if word[place - 1].isalpha()), 0)
        grown.append(word[:last] + word[last - 1 : last] * more + word[last:] if last else word)
    return " ".join(grown).translate(_ACCENTED)


class _Formatter(string.Formatter):
    """The fields of a message. Kinds: money, exact, list, signed, upper, lower, capital; else what Python's format knows."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def format_field(self, value: Any, format_spec: str) -> str:
        """One field in its kind."""
        if format_spec == "list":
            return self._list(value)
        if isinstance(value, Message):
            value = self._words(value)
        match format_spec:
            case "money":
                return short_money(value)
            case "exact":
                return money(value)
            case "signed":
                return f"{value:+,}"
            case "seconds":
                return _seconds(value)
            case "upper":
                return str(value).upper()
            case "lower":
                return str(value).lower()
            case "capital":
                return str(value)[:1].upper() + str(value)[1:]
            case _:
                return format(value, format_spec)

    def _list(self, values: Sequence[Argument]) -> str:
        """`1, 3 and 5`."""
        said = [self._words(one) if isinstance(one, Message) else str(one) for one in values]
        if len(said) < 2:
            return "".join(said)
        return self._words(Message("list.and", (("first", ", ".join(said[:-1])), ("last", said[-1]))))


def _seconds(ms: int) -> str:
    """Milliseconds as seconds and tenths, from a hundred seconds on without the tenths; what is below is cut off."""
    tenths = abs(ms) // 100
    said = f"{tenths // 10:,}" if tenths >= 1_000 else f"{tenths // 10}.{tenths % 10}"
    return f"{'-' if ms < 0 else '+'}{said}"


def money(cents: int) -> str:
    """`$1,234.50`."""
    return f"${cents // 100:,}.{cents % 100:02d}"


def short_money(cents: int) -> str:
    """`$15`, and `$1.50` where there are cents."""
    return money(cents).removesuffix(".00")


class _Missing(gettext.NullTranslations):
    """The end of the chain: nobody knows the id."""

    def gettext(self, message: str) -> str:
        raise KeyError(f"no catalog has the message {message!r}")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(f"no catalog has the message {msgid1!r} with a plural")


@lru_cache(maxsize=16)
def _catalog(language: str, games_folders: tuple[Path, ...]) -> gettext.NullTranslations:
    """All catalogs of a language as one; a game without words of its own has none."""
    chain: gettext.NullTranslations = _Missing()
    places = (*ALL, *(("game", folder / "words") for folder in games_folders))
    for domain, folder in reversed(places):
        file = folder / language / "LC_MESSAGES" / f"{domain}.mo"
        if file.exists():
            with file.open("rb") as opened:
                one = gettext.GNUTranslations(opened)
            one.add_fallback(chain)
            chain = one
    return chain


KINDS: Mapping[str, str] = {
    "money": "cents, as $1,250 or $7.50",
    "exact": "cents, always with two decimals",
    "list": "several, with an and before the last",
    "signed": "a number with its sign",
    "seconds": "milliseconds, as +12.3 and +120 seconds with their sign",
    "upper": "in capitals",
    "lower": "in small letters",
    "capital": "with a capital first",
}
"""The formats that may stand after the colon of a field."""


def languages() -> tuple[str, ...]:
    """Every language that has catalogs, by its code."""
    return tuple(sorted(folder.name for folder in HERE.iterdir() if (folder / "LC_MESSAGES").is_dir()))


ENGLISH = Words("en")
PSEUDO = Pseudo("en")
