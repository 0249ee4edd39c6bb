"""The sign's process says whether any screen draws its page."""

from __future__ import annotations

import logging
from datetime import time as time_of_day
from types import SimpleNamespace

import pytest

from firmware.runtime.sign import UNDRAWN_S, SignService
from hal.debounce import Inbox


def test_a_sign_that_nobody_draws_any_more_is_told_once_and_stands_in_the_status(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said: list[str] = []
    server = SimpleNamespace(publish=lambda _: None, undrawn_s=None)
    watchdog = SimpleNamespace(status=said.append, pet=lambda: None)
    sign = SignService("felt", time_of_day(6), Inbox(0), None, server, watchdog)  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING):
        for undrawn_s in (None, 4.0, UNDRAWN_S, UNDRAWN_S + 5, 1.0):
            server.undrawn_s = undrawn_s
            sign.turn([])
    seen, unseen = "waiting, drawn on a screen", "waiting, not drawn on any screen"
    assert said == [unseen, seen, unseen, seen]
    assert caplog.messages == ["no browser has drawn the sign for 30 s; look at its screen"]
