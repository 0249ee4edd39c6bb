"""SERVICE: sensors, lamps, shuffler, badge and touch tried out before a table opens. Nothing of it is in a journal.

It is shown while the runtime says so (`Live.service`), signed like the floor's acts, and moves no money: its keys
are the runtime's own, and the table's law never hears of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.rules.approvals import Act
from firmware.rules.message import say
from firmware.table.house import House
from firmware.table.state import TableState
from firmware.wire.structs import replace
from ui.dealer.frame import Area, Frame
from ui.dealer.pieces import (
    Body,
    Live,
    Title,
    back_key,
    bar,
    key,
    label,
    nothing_yet,
    pin_pad,
    primary,
    refusal,
)
from ui.dealer.service import CROSSES, LOCKOUT, Service
from ui.dealer.widgets import Line, Shape, Text, Tone, Widget

SEATS_SHARE, LINE_MM, LEVEL_SHARE = 0.3, 12.0, 0.5
"""Heights of the page: the seats' keys, which show their contacts and light their lamps; a line below them, with the
lockout's level."""


def service(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """The signature first; then the lines, or the crosses to be touched."""
    seen = live.service
    assert seen is not None, "screens asks"
    if not seen.opened:
        yield from _sign(house, state, live, frame)
    elif seen.touching:
        yield from _crosses(house, seen, state, frame)
    else:
        yield from _lines(house, seen, state, frame)


def _bar(house: House, state: TableState, frame: Frame) -> Iterator[Widget]:
    """FLOOR alone: nothing is taken back and nothing has happened here."""
    for widget in bar(house, state, frame):
        yield widget if widget.id == "floor" else replace(widget, enabled=False, press="")


def _sign(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    lines = (Line(say("service.what"), "strong"), Line(say("service.no-money"), "body"))
    yield label("facts", frame.facts, *refusal(state, live, *lines), fill="tile", border=Tone.FLOOR)
    yield from pin_pad(house, state, live, frame, "service-open")
    yield from _bar(house, state, frame)
    yield back_key(frame, "service-leave")
    opens = primary(frame, "service-open", say("key.service-open"), fill="floor", beside_back=True)
    yield replace(opens, enabled=house.may_sign(live.by, Act.SERVICE))


def _lines(house: House, seen: Service, state: TableState, frame: Frame) -> Iterator[Widget]:
    page, offered = frame.page, [("touch-test", "service-touch 0", say("key.touch-test"))]
    if seen.seats:
        across = 3 if frame.upright else seen.seats
        above, page = page.top(SEATS_SHARE * page.h)
        places = above.grid(across, -(-seen.seats // across))
        for seat, place in enumerate(places[: seen.seats], start=1):
            yield _seat(seen, seat, place)
        offered.insert(0, ("all-lamps", "service-lamp 0", say("key.all-lamps")))
    line, told = page.top(frame.for_words(LINE_MM))
    level, keys = line.left(LEVEL_SHARE * line.w) if seen.seats else (None, line)
    if level is not None:
        yield label("lockout", level, _lockout(seen), fill="tile")
    for (name, press, words), place in zip(offered, keys.columns(len(offered)), strict=True):
        lit = Tone.NEXT if name == "all-lamps" and len(seen.lit) == seen.seats else None
        yield key(name, press, place, words, size="label", border=lit, group="service")
    yield label("told", told, *_told(seen), fill="tile")
    yield from _bar(house, state, frame)
    yield primary(frame, "service-leave", say("key.service-leave"))


def _seat(seen: Service, seat: int, place: Area) -> Widget:
    """A key that lights its lamp, and says of its contact what is on the wire just now."""
    level = seen.levels.get(seat)
    word = say("service.not-heard") if level is None else say("service.closed") if level else say("service.open")
    lit = Tone.NEXT if seat in seen.lit else None
    return key(
        f"lamp-{seat}", f"service-lamp {seat}", place, say("key.seat", seat=seat), word,
        size="label", border=lit, group="lamps",
    )  # fmt: skip


def _lockout(seen: Service) -> Line:
    level = seen.levels.get(LOCKOUT)
    if level is None:
        return Line(say("service.lockout-not-heard"), "small", Tone.CAUTION)
    return Line(say("service.lockout-closed") if level else say("service.lockout-open"), "small")


def _told(seen: Service) -> Iterator[Line]:
    unit: Text = say("service.no-shuffler")
    if seen.shuffler:
        unit = say("service.shuffler", mode=seen.shuffler)
    yield Line(unit, "small")
    yield Line(say("service.badge", badge=seen.badge) if seen.badge else say("service.no-badge"), "small")
    if not seen.doctor:
        yield Line(say("service.no-doctor"), "small", Tone.MUTED)
    for said in seen.doctor:
        yield Line(say("service.doctor", text=said), "small", Tone.CAUTION if said.startswith("FAIL") else Tone.MUTED)


def _crosses(house: House, seen: Service, state: TableState, frame: Frame) -> Iterator[Widget]:
    """A cross in each part of the panel; one that was touched is lit."""
    across = 3 if frame.upright else 4
    for number, place in enumerate(frame.page.grid(across, CROSSES // across), start=1):
        touched = number in seen.touched
        yield Widget(
            f"cross-{number}", place.x, place.y, place.w, place.h, (Line("+", "key", align="center"),),
            Shape.NONE, fill="next" if touched else "key", press=f"service-touch {number}",
        )  # fmt: skip
    yield from _bar(house, state, frame)
    yield back_key(frame, "service-lines")
    if len(seen.touched) == CROSSES:
        yield primary(frame, "service-lines", say("service.all-touched"), beside_back=True)
    else:
        left = say("service.touch", touched=len(seen.touched), all=CROSSES)
        yield nothing_yet(frame, say("key.touch-test"), left, beside_back=True)


BODIES: Mapping[str, Body] = {"service": service}
TITLES: Mapping[str, Title] = {"service": (say("title.service"), Tone.NEXT)}
