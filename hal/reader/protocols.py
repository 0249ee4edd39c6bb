"""The sensors of a table by their names in the configuration."""

from __future__ import annotations

from collections.abc import Callable

from hal.reader.codec import Codec, FeltTags

CONTACTS = "contacts"

"""At pins: no line of a reader, and so no codec."""

SENSORS: dict[str, Callable[[], Codec]] = {"felt": FeltTags}
"""The maker of the codec of each reader's line. A new reader is a new line here."""
