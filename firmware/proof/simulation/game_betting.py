"""The work of the scripted dealer and the players while bets are open, at the lock, and at the count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from firmware.proof.simulation.at_table import Act, AtTable
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.person import (
    Stuck,
    changed,
    field_at,
    key_at,
    lines_at,
    not_shown,
    number_at,
    place_of,
    says,
    shown,
    tile_says,
    words,
)
from firmware.rules.message import say
from firmware.runtime.glass import Observation

LOCKED = ("count", "deal")
"""If progressive bets were off and none is on the felt, there is nothing to count."""
CHIPS = (10_000, 2_500, 500, 100)
BUY_IN = 2_500
MONEY = re.compile(r"\$([\d,]+)(?:\.(\d\d))?")
"""An amount that is data, the same in every language."""
HANDS = {"own": say("seat.own"), "dealer": say("seat.dealer")}


def bet(dealer: AtTable) -> None:
    """Players put chips down and see that their lamps light (653a.7(d)(3))."""
    script = dealer.round.script
    if dealer.game.progressive:
        dealer.person.screen("open")
    if dealer.game.level:
        _boxes(dealer)
    for seat in sorted(dealer.dead ^ ({script.dead} - {0})):
        _mark_sensor(dealer, seat)
    _buy_in(dealer, {seat for seat, _ in script.five})
    for seat in script.chips:
        if seat not in dealer.dead:
            _place(dealer, seat)
    for seat in script.chips:
        (_bet_by_hand if seat in dealer.dead else _verify_accepted)(dealer, seat)
    for seat, hand in script.five:
        dealer.world.button(seat, hand)
        dealer.person.see(
            lambda seen, seat=seat, hand=hand: tile_says(seen, seat, HANDS[hand]),  # type: ignore[misc]
            f"{hand} at seat {seat}",
        )
    dealer.moment("running")


LIFT = "seat.take-it-off"
"""A seat's words about a chip that is no bet."""


def _place(dealer: AtTable, seat: int) -> None:
    if seat not in dealer.on_felt:
        dealer.world.place(seat)
        dealer.on_felt.add(seat)


def _take(dealer: AtTable, seat: int) -> None:
    if seat in dealer.on_felt:
        dealer.world.take(seat)
        dealer.on_felt.discard(seat)


def _verify_accepted(dealer: AtTable, seat: int) -> None:
    """A player looks at the lamp (653a.7(d)(3)); where the seat asks for the chip to be lifted, that is done."""

    def lift(seen: Observation) -> bool:
        return says(seen, LIFT, place_of(seat))

    def lit(seen: Observation) -> bool:
        return seen.lamps[str(seat)] == "lit"

    while not lit(dealer.person.see(lambda seen: lit(seen) or lift(seen), f"seat {seat} lit, or why not")):
        _take(dealer, seat)
        dealer.person.see(lambda seen: seen.screen == "open" and not lift(seen), f"seat {seat} free")
        _place(dealer, seat)


# Dead sensors, accounts -----------------------------------------------------------------------------------------------


def _mark_sensor(dealer: AtTable, seat: int) -> None:
    """A sensor does not answer any more, and its wagers are entered by hand; or it works again."""
    dealer.dead ^= {seat}
    dealer.tell("sensors")
    marked = changed(dealer.person.screen("sensors"), place_of(seat))
    dealer.person.tile(seat, until=lambda seen: seen.screen == "sensors" and marked(seen))
    dealer.person.key("primary", until=lambda seen: seen.screen != "sensors")


def _bet_by_hand(dealer: AtTable, seat: int) -> None:
    place = f"hand-bet-{seat}" if dealer.game.level else f"seat-{seat}"
    dealer.person.key(place, until=lambda seen: seen.lamps[str(seat)] == "lit")


def _buy_in(dealer: AtTable, seats: set[int]) -> None:
    """Chips become credit, where somebody wants to push a button and has none."""
    for _ in _at_accounts(dealer, [seat for seat in sorted(seats) if not _balance(dealer, seat)]):
        dealer.person.key(f"chips-{BUY_IN}", until=lambda seen: number_at(seen, "cash-out", "amount") >= BUY_IN)


def _at_accounts(dealer: AtTable, seats: Iterable[int]) -> Iterator[int]:
    """Each of these seats with its account shown; the panel is opened and left where there is one."""
    for seat in seats:
        if dealer.person.look().screen != "accounts":
            dealer.person.key("accounts", until=shown("accounts"))
        dealer.person.tile(seat, until=_asks(seat, "work"))
        yield seat
    if dealer.person.look().screen == "accounts":
        dealer.person.key("primary", until=not_shown("accounts"))


def _asks(seat: int, place: str) -> Callable[[Observation], bool]:
    """The content of this place is about this seat."""
    return lambda seen: number_at(seen, place, "seat") == seat


def _balance(dealer: AtTable, seat: int) -> bool:
    """Something is in this seat's account: enough for both buttons, as the tile says."""
    return number_at(dealer.person.look(), place_of(seat), "amount", ACCOUNT) >= FOR_BOTH


ACCOUNT, FOR_BOTH = "seat.account", 1_000


def cash_out(dealer: AtTable) -> None:
    """Every account is paid out before the table closes."""
    if not dealer.game.five_card:
        return
    seen = dealer.person.screen("open")
    rich = [seat for seat in range(1, dealer.game.seats + 1) if says(seen, ACCOUNT, place_of(seat))]
    for _ in _at_accounts(dealer, rich):
        dealer.person.key("cash-out", until=lambda seen: key_at(seen, "cash-out") is None)


# Players and stakes ---------------------------------------------------------------------------------------------------


def _boxes(dealer: AtTable) -> None:
    """The players and their wagers; most bet as in the round before."""
    script, game = dealer.round.script, dealer.game
    for seat in range(1, game.seats + 1):
        plays = seat in dealer.round.cards.first
        seen = dealer.person.screen("open", "link-down")
        if bool(_staked(seen, seat)) != plays:
            dealer.person.tile(seat, until=changed(seen, place_of(seat)))
            dealer.stakes.pop(seat, None)
    others: dict[int, dict[str, int]] = {}
    for seat in sorted(dealer.round.cards.first):
        least: dict[str, int] = dict(game.law.default_stakes(game.submission))
        wanted = dict(least)
        wanted |= {wager: 100 * dollars for number, wager, dollars in script.sides if number == seat}
        lying = dealer.stakes.get(seat, least)
        if wanted != lying or _said_of(game, wanted) != _staked(dealer.person.look(), seat):
            others[seat] = wanted
    if others:
        _enter_stakes(dealer, others)


def _other_stake(wager: str, was: int) -> Callable[[Observation], bool]:
    return lambda seen: _lying(seen, zero=True).get(wager, was) != was


def _said_of(game: Game, stakes: Mapping[str, int]) -> tuple[int, ...]:
    """A tile's words about these stakes: the base, and side wagers if there are some."""
    sides = sum(cents for wager, cents in stakes.items() if wager not in game.law.along_with_base)
    base = stakes[game.law.base]
    return (base, sides) if sides else (base,)


def _staked(seen: Observation, seat: int) -> tuple[int, ...]:
    """The stakes on a tile, () where nobody plays; what a lamp recognized is a message."""
    said = (line for line in lines_at(seen, place_of(seat)) if isinstance(line, str))
    return tuple(cents for line in said for cents in _amounts(line))


def _amounts(text: str) -> Iterator[int]:
    for dollars, cents in MONEY.findall(text):
        yield int(dollars.replace(",", "")) * 100 + int(cents or 0)


def _enter_stakes(dealer: AtTable, others: Mapping[int, dict[str, int]]) -> None:
    person = dealer.person
    person.key("wagers", until=lambda seen: seen.screen == "stakes")
    for seat, wanted in others.items():
        seen = person.tile(seat, until=_asks_of(dealer, seat, dealer.game.law.base))
        lying = _lying(seen)
        for wager in [wager for wager in reversed(lying) if wager not in wanted]:
            _set_stake(dealer, seat, wager, 0)
        for wager, cents in wanted.items():
            if wager in _lying(person.screen("stakes"), zero=True):
                _set_stake(dealer, seat, wager, cents)
        dealer.stakes[seat] = dict(wanted)
    person.key("primary", until=lambda seen: seen.screen != "stakes")


def _lying(seen: Observation, *, zero: bool = False) -> dict[str, int]:
    """The words of the keys of the wagers; `zero`: those without money too."""
    keys = [one.id for one in seen.widgets if one.press.startswith("stakes ") and not one.id.startswith("seat-")]
    amounts = {wager: number_at(seen, wager, "amount") for wager in keys}
    return {wager: cents for wager, cents in amounts.items() if cents or zero}


def _asks_of(dealer: AtTable, seat: int, wager: str) -> Callable[[Observation], bool]:
    """The keys are about this wager of this seat."""
    name = dealer.game.law.called(wager)
    about = _asks(seat, "prompt")
    return lambda seen: about(seen) and field_at(seen, "prompt", "wager") == name


def _set_stake(dealer: AtTable, seat: int, wager: str, cents: int) -> None:
    """Tap the wager, take away what is too much, add chips until it is right."""
    person = dealer.person
    lies = _lying(person.screen("stakes"), zero=True)[wager]
    if lies == cents:
        return
    person.key(wager, until=_asks_of(dealer, seat, wager))
    if lies > cents:
        person.key("no-chips", until=lambda seen: _lying(seen, zero=True).get(wager, lies) < lies)
        lies = _lying(person.screen("stakes"), zero=True)[wager]
    for chip in CHIPS:
        while cents - lies >= chip:
            seen = person.key(f"chips-{chip}", until=_other_stake(wager, lies))
            lies = _lying(seen, zero=True)[wager]
    if lies != cents:
        raise Stuck(f"seat {seat}, {wager}: {lies} and not {cents}; the table shows {words(seen)}")


# The lock and the count -----------------------------------------------------------------------------------------------


def lock(dealer: AtTable) -> None:
    """No more bets, by the switch or the screen; somebody may be late."""
    script, person = dealer.round.script, dealer.person
    if script.by_switch:
        dealer.world.lockout(True)
        person.screen(*LOCKED)
    else:
        person.key("primary", until=shown(*LOCKED))
    if script.late:
        dealer.world.place(script.late)
        person.lamp(script.late, "late")
        dealer.world.take(script.late)
        person.lamp(script.late, "dark")


def _count(dealer: AtTable, _seen: Observation) -> None:
    """Sweep the chips off the sensors, count them in front of the rack."""
    script = dealer.round.script
    for seat in script.chips:
        _take(dealer, seat)
    there = len(script.chips) + {"missing": -1, "unlit": +1}.get(script.difference, 0)
    dealer.person.key(f"count-{there}", until=lambda seen: seen.screen != "count")


def _difference(dealer: AtTable, _seen: Observation) -> None:
    """Settle the seat that differs."""
    script = dealer.round.script
    if script.difference == "missing":
        seat, place = script.chips[-1], "settle-taken-back"
    else:
        seat = next(seat for seat in range(1, dealer.game.seats + 1) if seat not in script.chips)
        place = "settle-returned"
    person = dealer.person
    asked = _asks(seat, "prompt")
    person.tile(seat, until=lambda seen: asked(seen) or seen.screen != "difference")
    person.key(place, until=lambda seen: seen.screen != "difference")


def lit(dealer: AtTable) -> tuple[int, ...]:
    """The seats whose progressive wager was recognized."""
    script = dealer.round.script
    return script.chips[:-1] if script.difference == "missing" else script.chips


def _back(dealer: AtTable, seen: Observation) -> None:
    """A panel that was left open."""
    way = "back" if key_at(seen, "back") is not None else "primary"
    dealer.person.key(way, until=not_shown(seen.screen))


ACTS: Mapping[str, Act] = {
    "count": _count,
    "difference": _difference,
    **dict.fromkeys(("stakes", "accounts", "sensors", "irregularity", "table", "sign", "left", "correct"), _back),
}
