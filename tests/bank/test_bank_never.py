"""What the bank must never do, under any interleaving, doubling, loss, reordering, forgery and restart.

The oracle is written apart from the bank: it knows the law's numbers by heart, keeps each meter as a plain history of
what happened to it, and is told only which message the bank should hold now, never what the bank made of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware.bank import wire
from firmware.bank.events import AlarmRaised, Complained
from firmware.bank.ledger import Account, verify
from firmware.bank.state import ALARMS_MAX
from firmware.rules.money import Cents, dollars
from firmware.wire.payload import write
from firmware.wire.records import document
from firmware.wire.structs import replace
from tests.bank.casino import AT, CARDS, Bank, Table, encode, rules

PERCENT = {
    "A": {"main": 21},
    "B": {"mega": 11, "major": 10},
    "C": {"mega": 9, "major": 7, "minor": 3},
    "D": {"mega": 10, "major": 8, "minor": 3},
}
FIVE_CARD_PERCENT = {"five_card": 13, "five_card_reserve": 8}
SEED_FOR_ONE = {
    "main": 10_000,
    "mega": 10_000,
    "major": 1_000,
    "minor": 250,
    "five_card": 10_000,
    "five_card_reserve": 0,
}
SHARES = {
    "A": {"royal flush": ("main", 100), "straight flush": ("main", 10)},
    "B": {"royal flush": ("mega", 100), "straight flush": ("major", 100)},
    "C": {"royal flush": ("mega", 100), "straight flush": ("major", 100), "four of a kind": ("minor", 100)},
    "D": {"royal flush": ("mega", 100), "straight flush": ("major", 100), "four of a kind": ("minor", 100)},
}
FIVE_CARD_SHARES = {"royal flush": ("five_card", 100), "straight flush": ("five_card", 10)}
PROGRESSIVE, OWN, DEALER = "progressive", "five_card_player", "five_card_dealer"
RESERVE = "five_card_reserve"
CENT = 10_000


def cents_of(amount: str) -> int:
    return int(amount.replace(".", ""))


SEATS = st.sets(st.integers(1, 6))
TABLE = st.integers(0, 2)
MOSTLY = st.sampled_from((True, True, True, False))


@dataclass
class Oracle:
    """Micro-dollars on each meter, and the histories that say which void round finds its contribution gone."""

    paytable: str
    dollars: int
    five_card: int
    """What a Five Card Hand wager costs, 0 where it is not offered."""
    log: list[tuple[str, str]] = field(default_factory=list)
    """All rounds, void rounds and claims, in the order in which the bank heard them."""
    fed: dict[str, dict[str, int]] = field(default_factory=dict)
    claims: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What each claim is due and was paid, in cents; `told`: what it gets in the history without those rejected."""
    meters: dict[str, int] = field(default_factory=dict)
    contributions: int = 0
    reversals: int = 0
    awards: int = 0
    transfers: int = 0
    reseeds: int = 0

    def __post_init__(self) -> None:
        self.tell_again()

    @property
    def names(self) -> tuple[str, ...]:
        return (*PERCENT[self.paytable], *(FIVE_CARD_PERCENT if self.five_card else ()))

    def seed(self, meter: str) -> int:
        return SEED_FOR_ONE[meter] * (self.five_card if meter in FIVE_CARD_PERCENT else self.dollars) * 1_000_000

    def rise(self, meter: str) -> int:
        if meter in FIVE_CARD_PERCENT:
            return FIVE_CARD_PERCENT[meter] * self.five_card * CENT
        return PERCENT[self.paytable][meter] * self.dollars * CENT

    def wagers(self, round: str, wagers: int, five_card: int) -> None:
        self.fed[round] = {
            meter: self.rise(meter) * (five_card if meter in FIVE_CARD_PERCENT else wagers) for meter in self.names
        }
        self.contributions += sum(self.fed[round].values())
        self.happened("round", round)

    def void(self, round: str) -> None:
        self.reversals += sum(self.fed[round].values())
        self.happened("void", round)

    def claim(self, name: str, hand: str, wager: str, backers: int) -> None:
        meter, percent = (SHARES[self.paytable] if wager == PROGRESSIVE else FIVE_CARD_SHARES)[hand]
        said = {"meter": meter, "percent": percent, "backers": backers, "status": "pending"}
        self.claims[name] = said | {"due": 0, "paid": 0, "told": 0, "beyond": 0, "fixed": False}
        self.happened("claim", name)

    def verdict(self, name: str, paid: bool, cents: int) -> None:
        """`cents`: what the table had as its price."""
        self.claims[name]["status"] = "paid" if paid else "rejected"
        if paid:
            self.more(name, cents)
        self.tell_again()

    def more(self, name: str, cents: int) -> None:
        """So much was paid in all. What is beyond its price the house pays, and the claim is never priced again."""
        claim = self.claims[name]
        self.awards += (cents - claim["paid"]) * CENT
        if cents > claim["due"]:
            claim |= {"fixed": True, "beyond": cents - claim["due"], "due": cents}
        claim["paid"] = cents

    def happened(self, what: str, name: str) -> None:
        self.log.append((what, name))
        self.tell_again()

    def tell_again(self) -> None:
        """The whole history without the claims that were rejected; a true winner gets what he has in it, or more."""
        self.meters = {meter: self.seed(meter) for meter in self.names}
        self.transfers = -sum(claim["beyond"] for claim in self.claims.values()) * CENT
        self.reseeds = 0
        for place, (what, name) in enumerate(self.log):
            if what == "round":
                for meter, amount in self.fed[name].items():
                    self.meters[meter] += amount
            elif what == "void":
                self.give_back(name, self.log[self.log.index(("round", name)) : place])
            elif self.claims[name]["status"] != "rejected":
                self.freeze(self.claims[name])

    def give_back(self, round: str, since: list[tuple[str, str]]) -> None:
        claims = [self.claims[name] for what, name in since if what == "claim"]
        won = {claim["meter"] for claim in claims if claim["status"] != "rejected"}
        royal = any(
            claim["meter"] == "five_card" and claim["percent"] == 100
            for claim in claims
            if claim["status"] != "rejected"
        )
        for meter, amount in self.fed[round].items():
            gone = royal if meter == RESERVE else meter in won
            off = 0 if gone else min(amount, self.meters[meter])
            self.meters[meter] -= off
            self.transfers -= amount - off

    def freeze(self, claim: dict[str, Any]) -> None:
        meter = claim["meter"]
        cents = self.meters[meter] * claim["percent"] // (100 * CENT)
        cents = claim["told"] if claim["fixed"] else cents - cents % claim["backers"]
        self.meters[meter] -= cents * CENT
        if claim["percent"] == 100 and meter != "five_card":
            self.meters[meter] += self.seed(meter)
            self.reseeds += self.seed(meter)
        elif claim["percent"] == 100:
            self.meters[meter] += self.meters[RESERVE]
            self.meters[RESERVE] = 0
        claim["told"], claim["due"] = cents, max(cents, claim["due"])

    @property
    def seeds(self) -> int:
        """What the house put in: every seed, and what a wrong claim had let a later one take too much."""
        first = sum(self.seed(meter) for meter in self.names)
        standing = [claim for claim in self.claims.values() if claim["status"] != "rejected"]
        kept: list[int] = [claim["due"] - claim["told"] - claim["beyond"] for claim in standing]
        return first + self.reseeds + sum(kept) * CENT

    @property
    def pending(self) -> int:
        due: list[int] = [claim["due"] for claim in self.claims.values() if claim["status"] == "pending"]
        return sum(due) * CENT

    @property
    def owed(self) -> int:
        rest: list[int] = [claim["due"] - claim["paid"] for claim in self.claims.values() if claim["status"] == "paid"]
        return sum(rest) * CENT


class Casino(RuleBasedStateMachine):
    """Honest tables over a network that doubles, loses, reorders and forges, and a bank that is killed."""

    @initialize(
        paytable=st.sampled_from("ABCD"), dollars=st.sampled_from((1, 5)), five_card=st.sampled_from((0, 1, 1, 3))
    )
    def opens(self, paytable: str, dollars: int, five_card: int) -> None:
        wager, electronic = f"{dollars}.00", f"{five_card}.00"
        self.bank = Bank(rules(paytable, wager, five_card=electronic if five_card else ""))
        self.oracle = Oracle(paytable, dollars, five_card)
        self.tables = [Table(f"uth-0{n}", f"{n}" * 32, wager, paytable, electronic) for n in (1, 2, 3)]
        self.effects: dict[str, list[tuple[str, tuple[Any, ...]]]] = {table.name: [] for table in self.tables}
        self.rounds: dict[str, dict[int, dict[str, list[int]]]] = {table.name: {} for table in self.tables}
        self.voided: set[tuple[str, int]] = set()
        self.claimed: dict[str, tuple[Table, int, int, str, int]] = {}
        self.open_claims: list[str] = []
        self.forged = self.paid_otherwise = False
        self.version = self.bank.state.version
        self.downs = wire.Downs()

    def table_at(self, at: int) -> Table:
        return self.tables[at % len(self.tables)]

    def held(self, table: Table) -> int:
        seq: int = wire.down(self.bank.state, table.name).seq
        return seq

    def arrives(self, table: Table, payload: bytes, seq: int) -> None:
        """A payload reaches the bank; the oracle is told its meaning if, and only if, it is the table's next one."""
        held = self.held(table)
        events = self.bank.hears(table, payload)
        if seq <= held:
            assert events == ()
        elif seq > held + 1:
            assert [type(event) for event in events] == [Complained]
        else:
            assert self.held(table) == held + 1
            does, arguments = self.effects[table.name][seq - 1]
            getattr(self.oracle, does)(*arguments)

    def says(self, table: Table, effect: str, *arguments: Any, at_once: bool) -> None:
        """The table has said it; mostly it arrives at once, with all that was owed before it."""
        self.effects[table.name].append((effect, arguments))
        if at_once:
            self.the_next_messages_arrive(self.tables.index(table), len(table.said))

    # The tables ----------------------------------------------------------------------------------------------------

    @rule(at=TABLE, seats=SEATS, own=SEATS, dealer=SEATS, skipped=st.integers(1, 3), at_once=MOSTLY)
    def plays_a_round(
        self, at: int, seats: set[int], own: set[int], dealer: set[int], skipped: int, at_once: bool
    ) -> None:
        table = self.table_at(at)
        backed = {OWN: sorted(own), DEALER: sorted(dealer)} if self.oracle.five_card else {OWN: [], DEALER: []}
        electronic = len(backed[OWN]) + len(backed[DEALER])
        if not seats and not electronic:
            return
        played = self.rounds[table.name]
        round = max(played, default=0) + skipped
        played[round] = {PROGRESSIVE: sorted(seats), **backed}
        table.wagers(round, *sorted(seats), own=backed[OWN], dealer=backed[DEALER])
        self.says(table, "wagers", f"{table.name}:{round}", len(seats), electronic, at_once=at_once)

    @rule(at=TABLE, data=st.data(), at_once=MOSTLY)
    def claims_a_share(self, at: int, data: st.DataObject, at_once: bool) -> None:
        table = self.table_at(at)
        free = [
            (round, seat, wager)
            for round, wagers in self.rounds[table.name].items()
            if (table.name, round) not in self.voided
            for wager, seats in wagers.items()
            for seat in seats
            if not self.has_its_prize(table, round, seat, wager)
        ]
        if not free:
            return
        round, seat, wager = data.draw(st.sampled_from(free))
        hand = data.draw(st.sampled_from(sorted(SHARES[table.paytable] if wager == PROGRESSIVE else FIVE_CARD_SHARES)))
        number = len(table.said) + 1
        name = f"{table.name}:{round}:{seat}:{number}"
        self.claimed[name] = (table, round, seat, wager, number)
        self.open_claims.append(name)
        said: dict[str, Any] = {} if wager == PROGRESSIVE else {"wager": wager}
        backers = 1
        if wager == DEALER:
            backers = data.draw(st.integers(1, len(self.rounds[table.name][round][DEALER])))
            said = {"wager": wager, "backers": backers}
        table.claim(round, seat, hand, number, **said)
        self.says(table, "claim", name, hand, wager, backers, at_once=at_once)

    def has_its_prize(self, table: Table, round: int, seat: int, wager: str) -> bool:
        """One claim a seat for its own wagers, one for all who backed the dealer's hand."""
        return any(
            (table, round, wager) == (by, in_round, of) and (wager == DEALER or seat == at) and not self.over(name)
            for name, (by, in_round, at, of, _) in self.claimed.items()
        )

    def over(self, name: str) -> bool:
        """The table itself has rejected this claim, so that its seat may claim again."""
        said = [arguments for effects in self.effects.values() for does, arguments in effects if does == "verdict"]
        return any(arguments[:2] == (name, False) for arguments in said)

    @property
    def priced(self) -> list[str]:
        """The open claims whose price the table has heard: nobody pays another one."""
        return [name for name in self.open_claims if name in self.claimed[name][0].prices]

    @precondition(lambda self: self.priced)
    @rule(data=st.data(), paid=st.booleans(), at_once=MOSTLY)
    def ends_a_claim(self, data: st.DataObject, paid: bool, at_once: bool) -> None:
        name = data.draw(st.sampled_from(self.priced))
        self.open_claims.remove(name)
        table, round, seat, _, number = self.claimed[name]
        table.verdict(round, seat, paid=paid, number=number)
        self.says(table, "verdict", name, paid, cents_of(table.prices[name]["amount"]), at_once=at_once)

    @precondition(lambda self: self.priced)
    @rule(data=st.data(), more=st.sampled_from((-1, 1, 250_000)), at_once=MOSTLY)
    def pays_another_amount(self, data: st.DataObject, more: int, at_once: bool) -> None:
        """Less stays owed, more is the house's; with an alarm."""
        name = data.draw(st.sampled_from(self.priced))
        table, round, seat, _, number = self.claimed[name]
        cents = max(0, cents_of(table.prices[name]["amount"]) + more)
        self.open_claims.remove(name)
        self.paid_otherwise = True
        table.verdict(round, seat, paid=True, number=number, price={"amount": dollars(Cents(cents))})
        self.says(table, "verdict", name, True, cents, at_once=at_once)

    @rule(at=TABLE, at_once=MOSTLY)
    def pays_what_a_claim_is_owed(self, at: int, at_once: bool) -> None:
        """A second payment, when nothing that the table has said is on its way."""
        table = self.table_at(at)
        if self.held(table) < len(table.said):
            return
        for held in wire.down(self.bank.state, table.name).claims:
            if held.owed:
                round, seat, number = (int(part) for part in held.claim.split(":")[1:])
                price = {"amount": dollars(held.amount), "version": held.version}
                table.verdict(round, seat, paid=True, number=number, price=price)
                self.says(table, "more", held.claim, held.amount, at_once=at_once)
                return

    @rule(at=TABLE, data=st.data(), at_once=MOSTLY)
    def voids_a_round(self, at: int, data: st.DataObject, at_once: bool) -> None:
        """Not where a claim was made and the table has not rejected it: that stands in the way of a void round."""
        table = self.table_at(at)
        claimed = {round for name, (by, round, *_) in self.claimed.items() if by is table and not self.over(name)}
        standing = [
            round
            for round in self.rounds[table.name]
            if (table.name, round) not in self.voided and round not in claimed
        ]
        if not standing:
            return
        round = data.draw(st.sampled_from(standing))
        self.voided.add((table.name, round))
        table.void(round)
        self.says(table, "void", f"{table.name}:{round}", at_once=at_once)

    # The network ---------------------------------------------------------------------------------------------------

    @rule(at=TABLE, how_many=st.integers(1, 20))
    def the_next_messages_arrive(self, at: int, how_many: int) -> None:
        table = self.table_at(at)
        held = self.held(table)
        for seq, payload in list(enumerate(table.said, start=1))[held : held + how_many]:
            self.arrives(table, payload, seq)

    @rule(at=TABLE, data=st.data())
    def any_message_arrives(self, at: int, data: st.DataObject) -> None:
        """Early, doubled, late: any that the table has ever said."""
        table = self.table_at(at)
        if table.said:
            seq = data.draw(st.integers(1, len(table.said)))
            self.arrives(table, table.said[seq - 1], seq)

    @rule(at=TABLE, data=st.data(), how=st.sampled_from(["content", "prev", "journal"]))
    def a_forgery_arrives(self, at: int, data: st.DataObject, how: str) -> None:
        """Another content under a held number, a next one that does not follow, or another box under the name."""
        table = self.table_at(at)
        held = self.held(table)
        body = {"round": 999, "made": [table.made("progressive", [2], table.wager, "A")]}
        document = table.document("wagers", body)
        if how == "content" or (how == "journal" and not held):
            if not held:
                return
            document["seq"] = data.draw(st.integers(1, held))
        elif how == "prev":
            document |= {"seq": held + 1, "prev": "9" * 64}
        else:
            document |= {"seq": 1, "journal": "9" * 32}
        before = self.bank.state.accounts, self.bank.state.version, self.held(table)
        events = self.bank.hears(table, encode(document))
        assert all(isinstance(event, AlarmRaised | Complained) for event in events)
        assert (self.bank.state.accounts, self.bank.state.version, self.held(table)) == before
        alarms = self.bank.state.book(table.name).alarms
        assert any(alarm.kind in ("hash", "journal") for alarm in alarms) or len(alarms) >= ALARMS_MAX
        self.forged = True

    @rule(at=TABLE)
    def two_people_look(self, at: int) -> None:
        table = self.table_at(at)
        if wire.down(self.bank.state, table.name).journal:
            self.bank.adopts(table, "3001", "4001")
            assert self.bank.alarm(table) in (None, "owed"), "that one ends when it is paid"

    @rule()
    def the_bank_is_killed_and_starts_again(self) -> None:
        before = self.bank.state
        self.bank.restarts()
        assert self.bank.state == replace(before, term=before.term + 1)

    # Never ---------------------------------------------------------------------------------------------------------

    @invariant()
    def every_account_is_the_oracles(self) -> None:
        total = self.bank.state.accounts.total
        assert {name: self.bank.meter(name) for name in self.oracle.meters} == self.oracle.meters
        assert total(Account.SEEDS) == self.oracle.seeds
        assert total(Account.CONTRIBUTIONS) == self.oracle.contributions
        assert total(Account.REVERSALS) == self.oracle.reversals
        assert total(Account.PENDING) == self.oracle.pending
        assert total(Account.OWED) == self.oracle.owed
        assert total(Account.AWARDS) == self.oracle.awards
        assert total(Account.TRANSFERS) == self.oracle.transfers
        assert total(Account.RESERVE) == self.oracle.meters.get("five_card_reserve", 0)
        assert total(Account.METERS) + total(Account.RESERVE) == sum(self.oracle.meters.values())
        assert total(Account.OVERFLOW) == 0
        assert not any(self.bank.state.accounts.imbalance(meter) for meter in self.oracle.meters)

    @invariant()
    def the_equation_holds_to_the_micro_dollar_and_no_meter_is_negative(self) -> None:
        of = self.oracle
        assert (
            of.seeds + of.contributions - of.reversals
            == sum(of.meters.values()) + of.pending + of.owed + of.awards + of.transfers
        )
        assert all(micros >= 0 for micros in of.meters.values())

    @invariant()
    def every_claim_was_priced_once_and_a_true_winner_gets_what_he_would_have_got(self) -> None:
        """Had the claims that were rejected never been made; what he was frozen or paid before is never taken from him."""
        assert len({event.claim.claim for event in self.bank.claims}) == len(self.bank.claims)
        for table in self.tables:
            for priced in self.bank.state.book(table.name).claims:
                claim = self.oracle.claims[priced.claim.claim]
                assert priced.status.value == claim["status"]
                assert claim["status"] == "rejected" or (priced.due, priced.paid) == (claim["due"], claim["paid"])

    @invariant()
    def the_board_never_shows_more_than_a_meter_holds_and_its_version_never_falls(self) -> None:
        board = document(wire.board(self.bank.state, AT))
        assert [meter["name"] for meter in board["meters"]] == [name for name in self.oracle.meters if name != RESERVE]
        for meter in board["meters"]:
            shown = int(meter["amount"].replace(".", "")) * CENT
            assert 0 <= self.oracle.meters[meter["name"]] - shown < CENT
        assert board["version"] >= self.version
        self.version = board["version"]
        pending = [name for name, claim in self.oracle.claims.items() if claim["status"] == "pending"]
        assert [claim["claim"] for claim in board["pending"]] == pending
        frozen = [int(claim["amount"].replace(".", "")) for claim in board["pending"]]
        assert frozen == [self.oracle.claims[name]["due"] for name in pending]

    @invariant()
    def no_price_is_above_its_share_of_the_most_that_the_board_says(self) -> None:
        """A table that hears the board first refuses no true price, raised or not."""
        most = {meter.name: meter.most for meter in wire.board(self.bank.state, AT).meters}
        for priced in self.bank.state.pending:
            claim = priced.claim
            assert priced.due <= most[claim.meter] * claim.percent // 100

    @invariant()
    def what_is_said_of_claims_is_what_they_are_now(self) -> None:
        """Though it is kept from one word to the next."""
        for table in self.tables:
            assert self.downs.payload(self.bank.state, table.name) == write(wire.down(self.bank.state, table.name))

    @invariant()
    def an_honest_table_raises_no_alarm(self) -> None:
        if not self.forged:
            alarms = (None, "owed", *(("amount",) if self.paid_otherwise else ()))
            assert all(self.bank.alarm(table) in alarms for table in self.tables)

    @invariant()
    def what_happened_since_the_oldest_pending_claim_is_the_ledger(self) -> None:
        """Booked again, with all claims that stand, it gives every meter as it stands."""
        story = self.bank.state.story
        assert bool(story.steps) == bool(self.bank.state.pending)
        if story.steps:
            accounts = story.told().meters.accounts
            assert {name: accounts.earned(name) for name in self.oracle.meters} == self.oracle.meters

    def teardown(self) -> None:
        """At last everything arrives, and the ledger alone says the same."""
        if not hasattr(self, "bank"):
            return
        for table in self.tables:
            for seq, payload in enumerate(table.said, start=1):
                self.arrives(table, payload, seq)
            assert self.held(table) == len(table.said)
        self.every_account_is_the_oracles()
        assert verify(self.bank.ledger) == self.bank.state.accounts
        assert self.bank.replayed() == self.bank.state


assert set(CARDS) == {hand for shares in SHARES.values() for hand in shares}

TestCasino = pytest.mark.slow(Casino.TestCase)
TestCasino.settings = settings(
    max_examples=30, stateful_step_count=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


MANY = settings(TestCasino.settings, max_examples=300)
TestManyCasinos = pytest.mark.slow(type("TestManyCasinos", (Casino.TestCase,), {"settings": MANY}))
"""The same, ten times as often."""
