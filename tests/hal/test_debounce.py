"""The definition of a settled level and of a standing wager, against an oracle that keeps every raw edge."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.debounce import LATE, STEADY_NS, Burst, Debouncer, Inbox, LineHistory, Reading, Settled
from hal.ports import LOCKOUT, Badge, Complaint, DeviceFound, DeviceLost, Edge, Level, ShufflerStatus

D = 20
MS = 1_000_000
LINES = (0, 1, 2, 3)


@dataclass
class Raw:
    """The oracle: every edge of one line, nothing coalesced."""

    edges: list[tuple[bool, int]]

    def stands_at(self, lock_ns: int) -> bool:
        """The definition of the design, word by word."""
        before = [edge for edge in self.edges if edge[1] <= lock_ns]
        return bool(before) and before[-1][0] and lock_ns - before[-1][1] >= D

    def reading(self, t_ns: int) -> Reading | None:
        """Level and age after the last edge up to t; None where the next edge comes within D."""
        before = [edge for edge in self.edges if edge[1] <= t_ns]
        after = [edge for edge in self.edges if edge[1] > t_ns]
        if not before:
            return Reading(not self.edges[0][0] if self.edges else False, None)
        if after and after[0][1] - before[-1][1] < D:
            return None
        return Reading(before[-1][0], t_ns - before[-1][1])

    def settled(self, line: int, until_ns: int) -> list[Settled]:
        """Every change that lasted D, in order."""
        changes, told = [], False
        for number, (on, at_ns) in enumerate(self.edges):
            next_ns = self.edges[number + 1][1] if number + 1 < len(self.edges) else until_ns + D + 1
            if next_ns - at_ns >= D and at_ns + D <= until_ns and on != told:
                told = on
                changes.append(Settled(line, on, at_ns, at_ns + D))
        return changes


GAPS = st.one_of(st.integers(1, 5), st.integers(D - 2, D + 2), st.integers(1, 100))


@st.composite
def raw_edges(draw: st.DrawFn, edges_max: int = 12) -> Raw:
    """Edges of one line with rising times. The level usually alternates; sometimes an edge between was lost."""
    at_ns, on, edges = 100, False, []
    for _ in range(draw(st.integers(0, edges_max))):
        at_ns += draw(GAPS)
        on = draw(st.sampled_from([not on, not on, not on, on]))
        edges.append((on, at_ns))
    return Raw(edges)


Table = tuple[dict[int, Raw], list[Edge]]


@st.composite
def a_table(draw: st.DrawFn) -> Table:
    """All lines of a table, and their edges in an order of arrival that is true to each line only."""
    raw = {line: draw(raw_edges()) for line in LINES}
    order = draw(st.permutations([line for line, lines in raw.items() for _ in lines.edges]))
    queues = {line: [Edge(line, on, at_ns) for on, at_ns in lines.edges] for line, lines in raw.items()}
    return raw, [queues[line].pop(0) for line in order]


@given(raw_edges(), st.integers(0, 1500))
def test_a_wager_stands_exactly_by_the_definition(raw: Raw, lock_ns: int) -> None:
    history = LineHistory(D)
    history.level(False, 0)
    for on, at_ns in raw.edges:
        history.edge(on, at_ns)
    reading = history.at(lock_ns)
    stands = reading.on and reading.held_ns is not None and reading.held_ns >= D
    assert stands == raw.stands_at(lock_ns)


@given(raw_edges(), st.lists(st.integers(0, 1500), min_size=1, max_size=8))
def test_coalescing_loses_no_reading(raw: Raw, instants: list[int]) -> None:
    history = LineHistory(D)
    for on, at_ns in raw.edges:
        history.edge(on, at_ns)
    for t_ns in instants:
        expected = raw.reading(t_ns)
        if expected is None:
            assert history.at(t_ns).held_ns == 0
        else:
            assert history.at(t_ns) == expected
    assert all(a.end_ns + D <= b.start_ns for a, b in pairwise(history.bursts))


@given(a_table(), st.integers(0, 1500))
def test_any_arrival_order_between_the_lines_settles_the_same(table: Table, now: int) -> None:
    raw, arrivals = table
    debouncer = Debouncer(D, LINES)
    for edge in arrivals:
        debouncer.feed(edge)
    told = [*debouncer.settled(now), *debouncer.settled(now + 2000)]
    assert debouncer.settled(now + 4000) == ()
    for line in LINES:
        assert [change for change in told if change.line == line] == raw[line].settled(line, now + 2000)


@given(a_table())
def test_asked_at_every_deadline_each_change_is_told_once_and_at_its_time(table: Table) -> None:
    raw, arrivals = table
    debouncer = Debouncer(D, LINES)
    told: list[Settled] = []

    def run_to(now_ns: int) -> None:
        while (deadline := debouncer.next_deadline()) is not None and deadline < now_ns:
            changes = debouncer.settled(deadline)
            assert changes, "a deadline at which nothing settles would spin the loop"
            assert all(change.at_ns == deadline for change in changes)
            told.extend(changes)

    for edge in sorted(arrivals, key=lambda edge: edge.at_ns):
        run_to(edge.at_ns)
        debouncer.feed(edge)
    run_to(10_000)
    for line in LINES:
        # an edge exactly D after another does not undo the settled change before it
        assert [change for change in told if change.line == line] == raw[line].settled(line, 9_000)


@given(a_table(), st.lists(st.integers(1, 9), max_size=8), st.integers(0, 1500))
def test_the_inbox_coalesces_without_loss(table: Table, takes: list[int], now: int) -> None:
    """Whenever the loop takes: readings, standing wagers and settled changes are those of all raw edges."""
    _, arrivals = table
    inbox = Inbox(D)
    whole, thinned = Debouncer(D, LINES), Debouncer(D, LINES)
    for number, edge in enumerate(arrivals):
        whole.feed(edge)
        inbox.put(edge)
        if number in takes:
            for signal in inbox.take(0):
                assert isinstance(signal, Edge)
                thinned.feed(signal)
    for signal in inbox.take(0):
        assert isinstance(signal, Edge)
        thinned.feed(signal)
    for line in LINES:
        assert thinned._history[line].bursts == whole._history[line].bursts
        assert thinned.at(line, now) == whole.at(line, now)
    assert thinned.settled(now) == whole.settled(now)


@given(raw_edges(), st.data())
def test_a_level_read_that_overtakes_the_edges_changes_nothing_in_the_end(raw: Raw, data: st.DataObject) -> None:
    """Levels are read by the loop and edges come from another thread: a true level may arrive before older edges."""
    plain, mixed = LineHistory(D), LineHistory(D)
    if data.draw(st.booleans(), label="read at the start"):
        plain.level(False, 0)
        mixed.level(False, 0)
    alternating = [(number % 2 == 0, at_ns) for number, (_, at_ns) in enumerate(raw.edges)]
    reads = data.draw(st.lists(st.tuples(st.integers(0, len(alternating)), st.integers(0, 3)), max_size=4))
    for number, (on, at_ns) in enumerate(alternating):
        for position, ahead in reads:
            seen = min(position + ahead, len(alternating))
            if position == number and seen > 0:
                level_on, level_ns = alternating[seen - 1]
                next_ns = alternating[seen][1] if seen < len(alternating) else level_ns + 100
                mixed.level(level_on, data.draw(st.integers(level_ns, next_ns - 1), label="read at"))
        plain.edge(on, at_ns)
        mixed.edge(on, at_ns)
    assert mixed.bursts == plain.bursts


def test_a_level_that_contradicts_the_edges_is_an_edge_at_its_time() -> None:
    history = LineHistory(D)
    history.level(False, 0)
    history.edge(True, 100)
    history.level(True, 200)
    assert history.at(200) == Reading(True, 100)
    history.level(False, 300)
    history.level(False, 340)
    assert history.at(350) == Reading(False, 50)
    assert history.at(299) == Reading(True, 199)
    history.edge(False, 260)
    assert history.at(350) == Reading(False, 90), "the edge itself came late; its own time is the truth"


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        pytest.param([(True, 50)], Reading(True, None), id="covered since before we watched"),
        pytest.param([(False, 50)], Reading(False, None), id="never covered"),
        pytest.param([(True, 50), (False, 80)], Reading(False, 120), id="taken unseen"),
        pytest.param([(True, 50), (False, 80), (True, 150)], Reading(True, 50), id="taken and put back unseen"),
        pytest.param([(True, 50), (False, 80), (True, 70)], Reading(False, 120), id="an old level comes late"),
    ],
)
def test_levels_alone(read: list[tuple[bool, int]], expected: Reading) -> None:
    history = LineHistory(D)
    for on, at_ns in read:
        history.level(on, at_ns)
    assert history.at(200) == expected


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 200)), max_size=40))
def test_times_that_stand_still_or_run_back_break_nothing(reports: list[tuple[bool, bool, int]]) -> None:
    history = LineHistory(D, limit=4)
    for is_edge, on, at_ns in reports:
        (history.edge if is_edge else history.level)(on, at_ns)
    bursts = history.bursts
    assert len(bursts) <= 5
    assert all(burst.start_ns <= burst.end_ns for burst in bursts)
    assert all(a.end_ns + D <= b.start_ns for a, b in pairwise(bursts))
    last_edge = next((on for is_edge, on, _ in reversed(reports) if is_edge), None)
    if last_edge is not None and all(is_edge for is_edge, _, _ in reports):
        assert history.at(1000).on == last_edge


def test_old_bursts_are_forgotten_and_leave_their_level() -> None:
    history = LineHistory(D, limit=2)
    for number in range(6):
        history.edge(number % 2 == 0, 100 * (number + 1))
    assert history.bursts == [Burst(500, 500, True), Burst(600, 600, False)]
    assert history.at(450) == Reading(False, None)
    assert history.forgotten_ns == 400


def test_a_line_that_the_table_does_not_have_is_named() -> None:
    with pytest.raises(ValueError, match=r"line=9.*lines \(0, 1, 2, 3\); check the seats"):
        Debouncer(D, LINES).feed(Edge(9, True, 1))


class TestAfterAStart:
    """Design, Trust: after a start no uncovering counts until the sensors have been steady for a second."""

    T = 1_000_000_000_000

    def started(self, *covered: int) -> Debouncer:
        debouncer = Debouncer(D, LINES)
        debouncer.start(self.T, dict.fromkeys(covered, True))
        return debouncer

    def test_a_chip_that_was_taken_while_the_power_was_off_counts_after_a_steady_second(self) -> None:
        debouncer = self.started(1, 2)
        debouncer.feed(Level(1, False, self.T + 5))
        debouncer.feed(Level(2, True, self.T + 5))
        assert debouncer.next_deadline() == self.T + STEADY_NS
        assert debouncer.settled(self.T + STEADY_NS - 1) == ()
        assert debouncer.settled(self.T + STEADY_NS) == (Settled(1, False, self.T + 5, self.T + STEADY_NS),)
        assert debouncer.next_deadline() is None

    def test_a_sensor_that_flickers_at_power_up_loses_no_wager(self) -> None:
        debouncer = self.started(1)
        debouncer.feed(Level(1, False, self.T + 5))
        debouncer.feed(Edge(1, True, self.T + 500_000_000))
        assert debouncer.settled(self.T + 3 * STEADY_NS) == ()

    def test_any_line_that_moves_puts_the_second_off(self) -> None:
        debouncer = self.started(1)
        debouncer.feed(Level(1, False, self.T + 5))
        debouncer.feed(Edge(3, True, self.T + 900_000_000))
        (placed,) = debouncer.settled(self.T + 900_000_000 + D)
        assert placed == Settled(3, True, self.T + 900_000_000, self.T + 900_000_000 + D)
        assert debouncer.next_deadline() == self.T + 900_000_000 + STEADY_NS
        (taken,) = debouncer.settled(self.T + 2 * STEADY_NS)
        assert taken == Settled(1, False, self.T + 5, self.T + 900_000_000 + STEADY_NS)

    def test_a_covering_counts_at_once(self) -> None:
        debouncer = self.started()
        debouncer.feed(Level(2, True, self.T + 5))
        assert debouncer.settled(self.T + 5 + D) == (Settled(2, True, self.T + 5, self.T + 5 + D),)

    def test_a_lock_counts_at_once(self) -> None:
        debouncer = self.started(LOCKOUT)
        debouncer.feed(Level(LOCKOUT, True, self.T))
        debouncer.feed(Edge(LOCKOUT, False, self.T + 50))
        assert debouncer.settled(self.T + 50 + D) == (Settled(LOCKOUT, False, self.T + 50, self.T + 50 + D),)

    def test_the_steady_second_counts_also_when_nobody_asked_meanwhile(self) -> None:
        debouncer = self.started(1)
        debouncer.feed(Level(1, True, self.T))
        debouncer.feed(Edge(1, False, self.T + 5 * STEADY_NS))
        (taken,) = debouncer.settled(self.T + 5 * STEADY_NS + D)
        assert taken.at_ns == self.T + 5 * STEADY_NS + D

    def test_what_is_believed_already_is_not_told_again(self) -> None:
        debouncer = self.started(1)
        debouncer.feed(Level(1, True, self.T + 5))
        assert debouncer.settled(self.T + 5 * STEADY_NS) == ()

    def test_a_line_that_never_moved_is_known_for_as_long_as_it_was_watched_once_all_were_steady(self) -> None:
        debouncer = self.started(2)
        for line in (1, 2):
            debouncer.feed(Level(line, False, self.T + 5))
        debouncer.feed(Edge(1, True, self.T + 3 * STEADY_NS))
        debouncer.settled(self.T + 4 * STEADY_NS)
        assert debouncer.at(1, self.T + 2 * STEADY_NS) == Reading(False, 2 * STEADY_NS - 5), "before its first edge"
        assert debouncer.at(2, self.T + STEADY_NS - 1) == Reading(False, None), "no uncovering counts so early"

    def test_a_device_that_comes_back_starts_a_new_past(self) -> None:
        debouncer = self.started()
        debouncer.feed(Edge(1, True, self.T))
        assert debouncer.settled(self.T + D) != ()
        debouncer.start(self.T + 100, {1: True})
        debouncer.feed(Level(1, True, self.T + 110))
        assert debouncer.at(1, self.T + 200) == Reading(True, None)


class TestTheInbox:
    def test_a_contact_that_chatters_for_ever_cannot_fill_it(self) -> None:
        inbox = Inbox(D)
        for at_ns in range(10_000):
            inbox.put(Edge(3, at_ns % 2 == 0, at_ns))
        taken = inbox.take(0)
        assert len(taken) <= 2 * 10_000 / D + 2
        assert taken[0] == Edge(3, True, 0)
        assert taken[-1] == Edge(3, False, 9_999)

    def test_what_it_must_forget_it_complains_of(self) -> None:
        inbox = Inbox(D)
        for number in range(Inbox.line_max + 7):
            inbox.put(Edge(3, True, number * D))
        taken = inbox.take(0)
        assert len(taken) == Inbox.line_max + 1
        assert taken[-1] == Complaint(
            "inbox", "7 edges forgotten while the table was busy, the last: line 3; check its contact"
        )

    def test_signals_keep_their_order(self) -> None:
        inbox = Inbox(D)
        put = [Badge("2001", 1), Edge(1, True, 2), "count 3", Level(1, True, 3), {"topic": "felt"}, Edge(1, False, 4)]
        for signal in put:
            inbox.put(signal)
        assert inbox.take(0) == put
        assert inbox.take(0) == []

    def test_of_a_shuffler_and_of_a_device_only_the_latest_counts(self) -> None:
        inbox = Inbox(D)
        statuses = [ShufflerStatus(True, "u", "ready", count, "blue", "", 0, 0) for count in (50, 51, 52)]
        for signal in (DeviceLost("cabinet", "gone"), statuses[0], statuses[1], DeviceFound("cabinet"), statuses[2]):
            inbox.put(signal)
        assert inbox.take(0) == [DeviceFound("cabinet"), statuses[2]]

    def test_of_levels_that_agree_the_first_and_the_last_are_kept(self) -> None:
        inbox = Inbox(D)
        for at_ns in range(100):
            inbox.put(Level(2, True, at_ns))
        assert inbox.take(0) == [Level(2, True, 0), Level(2, True, 99)]

    def test_complaints_are_bounded_and_counted_beyond(self) -> None:
        inbox = Inbox(D)
        for number in range(100):
            inbox.put(Complaint("shuffler", f"refused {number}"))
        taken = inbox.take(0)
        assert len(taken) == Inbox.complaints_max + 1
        assert taken[-1] == Complaint(
            "inbox", "68 more complaints while the table was busy, the last: shuffler: refused 99"
        )

    def test_what_does_not_fit_is_refused_aloud(self) -> None:
        inbox = Inbox(D, capacity=2)
        for number in range(5):
            inbox.put(Badge(str(number), number))
        assert inbox.take(0) == [
            Badge("0", 0),
            Badge("1", 1),
            Complaint("inbox", "3 signals that did not fit while the table was busy, the last: Badge"),
        ]
        inbox.put(Badge("5", 5))
        assert inbox.take(0) == [Badge("5", 5)]

    def test_the_loop_sleeps_until_something_comes(self) -> None:
        inbox = Inbox(D)
        assert inbox.take(0.001) == []
        taken: list[object] = []
        loop = threading.Thread(target=lambda: taken.extend(inbox.take(10)))
        loop.start()
        inbox.put(Badge("2001", 1))
        loop.join(10)
        assert taken == [Badge("2001", 1)]


class TestLateness:
    """An edge that is put later than the window after its stamp is kept, and its lateness is complained of."""

    @staticmethod
    def inbox(monkeypatch: pytest.MonkeyPatch, now_ns: list[int], window_ns: int = 10 * MS) -> Inbox:
        monkeypatch.setattr("hal.debounce.time", SimpleNamespace(monotonic_ns=lambda: now_ns[0]))
        return Inbox(20 * MS, window_ns=window_ns)

    def test_the_latest_is_told_and_every_edge_is_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now_ns = [100 * MS]
        inbox = self.inbox(monkeypatch, now_ns)
        edges = [Edge(1, True, 90 * MS), Edge(2, True, 65 * MS), Edge(3, True, 89 * MS)]
        for edge in edges:
            inbox.put(edge)
        *kept, complaint = inbox.take(0)
        assert kept == edges
        assert isinstance(complaint, Complaint) and complaint.place == LATE
        assert complaint.text == "machine too busy: contacts told up to 35 ms late, 2 times (window_ms is 10)"
        assert inbox.take(0) == [], "told once"

    def test_within_the_window_and_of_levels_nothing_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now_ns = [100 * MS]
        inbox = self.inbox(monkeypatch, now_ns)
        signals = [Edge(1, True, 90 * MS), Level(2, True, 5 * MS)]
        for signal in signals:
            inbox.put(signal)
        now_ns[0] = 900 * MS  # a loop that was busy takes them later: that is no report's lateness
        assert inbox.take(0) == signals
