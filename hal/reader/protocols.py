"""What senses the chips of a table, by its name in the configuration."""

from __future__ import annotations

from collections.abc import Callable

from hal.reader.codec import Codec, FeltTags

CONTACTS = "contacts"

SENSORS: dict[str, Callable[[], Codec] | None] = {CONTACTS: None, "felt": FeltTags}
"""What makes the codec of a reader's line; a contact at a pin has none. A new reader is a new line here."""
