"""Records of a table (`firmware.rules.records`)."""

from __future__ import annotations

from firmware.rules.records import named_record as named_record
from firmware.rules.records import record as record
from firmware.rules.records import replace as replace
