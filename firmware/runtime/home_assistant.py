"""The values of `firmware.runtime.view` as one device of Home Assistant, by its MQTT device discovery."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from firmware.runtime.view import Kind, Reading

_MONEY = {"device_class": "monetary", "unit_of_measurement": "USD", "suggested_display_precision": 2}
_NUMBER = {"state_class": "measurement"}
_YES_NO = {"payload_on": "1", "payload_off": "0"}
_AS: Mapping[Kind, tuple[str, Mapping[str, object]]] = {
    Kind.MONEY: ("sensor", _MONEY),
    Kind.NUMBER: ("sensor", _NUMBER),
    Kind.YES_NO: ("binary_sensor", _YES_NO),
    Kind.WORD: ("sensor", {}),
}
"""Kind of a value -> the platform, and the keys that it has there."""


def topic(prefix: str, bank: str) -> str:
    """The topic under which the device is made known."""
    return f"{prefix}/device/felt-{bank}/config"


def device(bank: str, root: str, mirror: str, version: str, readings: Sequence[Reading]) -> bytes:
    """The device with a component for each value. `root`: above their paths; `mirror`: where the mirror says 1 or 0."""
    known: dict[str, object] = {
        "device": {"identifiers": [f"felt-{bank}"], "name": f"Felt {bank}", "sw_version": version},
        "origin": {"name": "felt mirror", "sw_version": version},
        "availability": [{"topic": mirror, "payload_available": "1", "payload_not_available": "0"}],
        "components": {_id(bank, reading): _component(bank, root, reading) for reading in readings},
    }
    return json.dumps(known, separators=(",", ":")).encode()


def _component(bank: str, root: str, reading: Reading) -> dict[str, object]:
    platform, keys = _AS[reading.measure.kind]
    own = {"platform": platform, "name": reading.title, "unique_id": _id(bank, reading)}
    return {**own, "state_topic": f"{root}/{reading.path}", **keys}


def _id(bank: str, reading: Reading) -> str:
    return f"felt-{bank}-{reading.path.replace('/', '-')}"
