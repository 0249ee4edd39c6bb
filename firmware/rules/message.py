"""Messages to people without their words: an id and its arguments. Pure.

The words of an id stand in a catalog (docs/words.md), and only a screen looks there. So state, law and journal hold no
sentence, and a table can be read in another language than it was written in.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """An id of a catalog with what stands in its fields; the empty message says nothing and is false.

    `args`: (field, value) in the order in which they were given. A text among them is data (a name, a paragraph, a row of a
    paytable) and never a sentence: a part that is words is a message itself. Amounts are cents.
    """

    id: str = ""
    args: tuple[tuple[str, Argument], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.id)


Argument = str | int | Message | tuple[str | int | Message, ...]
"""The values of a field."""

NOTHING = Message()
_BARE: dict[str, Message] = {}
"""The messages without arguments that were said: as many as the catalogs have."""
AS_IS = "as-is"
"""The id of a text that is the same in every language."""


def say(id_: str, /, **args: Argument) -> Message:
    """A message of a catalog. The id is written out where it is used, so that `scripts/words check` finds it."""
    if args:
        return Message(id_, tuple(args.items()))
    found = _BARE.get(id_)
    if found is None:
        found = _BARE[id_] = Message(id_)
    return found


def as_is(text: str) -> Message:
    """A text that is data: a name, a number, what another machine wrote. Nothing, where it is empty."""
    return Message(AS_IS, (("text", text),)) if text else NOTHING
