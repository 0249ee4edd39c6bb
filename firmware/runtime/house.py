"""From table.toml to the house that the table's law asks: the one place that knows both."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.config import TableConfig
from firmware.rules import payout_bounds
from firmware.rules.approvals import Act, approvals
from firmware.rules.five_card import warning
from firmware.rules.money import Cents, cents, dollars, in_chips
from firmware.rules.paytable import Odds
from firmware.rules.submission import Submission
from firmware.rules.wager import FIVE_CARD
from firmware.runtime import pins
from firmware.table.house import Drawing, House, Person
from firmware.table.procedures import Equipment

MS = 1_000_000
SIGNERS_OF_A_SHARE = 2
"""One validates the hand, another ends its claim."""


def house_of(config: TableConfig, submission: Submission) -> House:
    """The house of one table. `config` as `load_table` gives it: checked, with the defaults of its book."""
    dealing = config.dealing
    return House(
        submission=submission,
        procedure=submission.book.procedure,
        equipment=Equipment(dealing.method, dealing.shuffler, dealing.colors, dealing.board_first),
        level=dealing.assist,
        debounce_ns=config.seats.debounce_ms * MS,
        people={person.badge: Person(person.badge, person.name, person.role) for person in config.people},
        drawing=_drawing(config, submission),
        approvals=approvals(cents(config.approvals.envy_from)),
    )


def _drawing(config: TableConfig, submission: Submission) -> Drawing:
    """A bonus that is not offered is never drawn."""
    drawn = {bonus for offer in submission.offers.values() for bonus in offer.drawn}
    return Drawing(
        config.bonus.magic_card_one_in if "magic_card" in drawn else 0,
        config.bonus.lucky_one_in if "lucky_bonus" in drawn else 0,
    )


def warnings(config: TableConfig, submission: Submission) -> tuple[str, ...]:
    """Settings that are allowed and probably not meant, one sentence each."""
    offer, bonus = submission.offers.get(FIVE_CARD[0]), config.bonus
    said = warning(offer, bonus.magic_card_one_in, bonus.lucky_one_in, config.seats.count) if offer else ""
    found = [f"[bonus]: {said}"] if said else []
    found += [f"[screen] denominations: {left}"] if (left := _left_over(config, submission)) else []
    low = payout_bounds.warning(submission, min(submission.adjacent_boxes, config.seats.count))
    found += [f"[rules] {low}"] if low else []
    house = house_of(config, submission)
    floor = sum(house.may_sign(badge, Act.CLAIM) for badge in house.people)
    if not floor:
        found.append("[[people]]: nobody is floorperson or manager; whatever the floor has to sign will stand still")
    elif floor < house.approvals[Act.CLAIM].people and house.offers_progressive:
        found.append(
            "[[people]]: only one is floorperson or manager; a share of a meter needs two of them, and will wait for ever"
        )
    return (*found, *pins.warnings(config.people))


def _left_over(config: TableConfig, submission: Submission) -> str:
    """The payments at the table minimum that the chips of the rack cannot make; "" where they make all of them."""
    stake, chips = submission.table_minimum, [cents(chip) for chip in config.screen.denominations]
    paid = {
        odds.payout(stake): f"{table.wager} {row}"
        for table in submission.paytables.values()
        for row, odds in table.rows.items()
        if isinstance(odds, Odds)
    }
    left = [(amount, row, rest) for amount, row in paid.items() if (rest := in_chips(amount, chips)[1])]
    if not left:
        return ""
    amount, row, rest = left[0]
    return (
        f"{len(left)} payments at the table minimum of ${dollars(stake)} leave a remainder, for example {row}: "
        f"${dollars(Cents(rest))} of ${dollars(amount)}; name a smaller chip, or file another minimum"
    )


def description(config: TableConfig, submission: Submission) -> Iterator[str]:
    """The lines of `felt table check` about a configuration that can be used."""
    house = house_of(config, submission)
    equipment = house.equipment
    yield f"table {config.id}: {submission.book.name}, {config.seats.count} seats, assist level {house.level}"
    yield f"dealt by: {equipment.method}; shuffler: {equipment.shuffler}; decks: {', '.join(equipment.colors)}"
    for wager in submission.on_sensor:
        yield f"{wager}: paytable {submission.offers[wager].paytable}"
    if not submission.on_sensor:
        yield "progressive: none: no sensors, no bank"
    if submission.by_account:
        drawing = house.drawing
        magic, lucky = (
            f"one round in {each}" if each else "never" for each in (drawing.magic_one_in, drawing.lucky_one_in)
        )
        yield f"five card hand: Magic Card {magic}, Lucky Bonus {lucky}"
    yield f"submission: {submission.submission_hash}"
