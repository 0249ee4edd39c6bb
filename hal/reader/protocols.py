"""What senses the chips of a table, by its name in the configuration."""

from __future__ import annotations

from collections.abc import Callable

from hal.reader.codec import Codec, FeltTags

CONTACTS = "contacts"

"""At pins: no line of a reader, and so no codec."""

SENSORS: dict[str, Callable[[], Codec]] = {"felt": FeltTags}
"""What makes the codec of a reader's line. A new reader is a new line here."""
