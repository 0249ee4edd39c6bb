"""The protocols that card shufflers speak, by their names in the configuration."""

from __future__ import annotations

from collections.abc import Callable

from hal.shuffler.codec import Codec, NeutralCodec

FELT = "felt"

SHUFFLERS: dict[str, Callable[[], Codec]] = {FELT: NeutralCodec}
"""The maker of the codec of each line. A new unit is a new line here."""
