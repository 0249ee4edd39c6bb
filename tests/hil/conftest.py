"""One set of scenarios, three rigs: `pytest tests/hil -m rig --rig sim|vm|pi`.

The rig is made once for a run and tests itself first. Once it is broken it stays so: every scenario after that fails and
says why. A scenario is skipped for a capability that the rig lacks, and for nothing else. What was skipped, what was
measured beside what is promised, and how long each scenario took is printed at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from importlib import import_module

import pytest

from firmware.config import DEFAULT_BOOK
from tests.hil.promises import Promise
from tests.hil.rig import Broken, Capability, Rig
from tests.hil.self_test import self_test

RIGS = {"sim": ("tests.hil.sim", "SimRig"), "vm": ("tests.hil.vm", "VmRig"), "pi": ("tests.hil.pi", "PiRig")}
SEEN = "seen"
"""The property of a report that carries the name of a promise and the seconds that were seen."""
REHEARSED = "rehearsed"
"""The property with the steps of a rehearsal that were played, and the word of the one that could not be."""
PART = "part"
"""The property with a part of a boot, and its seconds."""
PLANTED = "planted"
"""The property with a fault that was planted, and who found it."""
WHY_LETTERS = 1_500
VM_TIMEOUT_S = 4 * 3600
"""A scenario of the virtual machine, where other programs have every processor most of the time."""
LACKS = "the rig cannot "

BENCH = pytest.StashKey["Bench"]()
Measure = Callable[[Promise, float], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rig", choices=RIGS, default="sim", help="what the scenarios of tests/hil are played on")
    parser.addoption("--all", action="store_true", help="every scenario; vm and pi play those of the gate otherwise")
    parser.addoption("--rounds", type=int, default=2, help="how many rounds of each book are played there")
    parser.addoption("--cuts", type=int, default=4, help="in how many rounds in a row the power is cut there")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A slow rig plays the scenarios of the gate, unless all are asked for; a virtual machine may wait for a processor."""
    if config.getoption("rig", "sim") == "vm":
        for item in items:
            item.add_marker(pytest.mark.timeout(VM_TIMEOUT_S), append=False)
    if config.getoption("rig", "sim") == "sim" or config.getoption("all", False):
        return
    left_out = [item for item in items if item.get_closest_marker("rig") and not item.get_closest_marker("gate")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


class Bench:
    """The one rig of a run, and whether it is still whole."""

    def __init__(self, name: str) -> None:
        module, kind = RIGS[name]
        self.kind: type[Rig] = getattr(import_module(module), kind)
        self.broken = ""
        self._rig: Rig | None = None

    def rig(self, book: str) -> Rig:
        """With a new table of this book. Fails the scenario where the rig is broken."""
        if not self.broken:
            try:
                return self._with_table(book)
            except Broken as why:
                self.broken = str(why)
        pytest.fail(f"the rig is broken: {self.broken}", pytrace=False)

    def _with_table(self, book: str) -> Rig:
        if self._rig is None:
            self._rig = self.kind()
            self._rig.start()
            self._rig.self_test()
            self_test(self._rig)
        self._rig.table(book)
        return self._rig

    @property
    def made(self) -> Rig:
        """The rig that plays."""
        assert self._rig is not None, "no scenario asked for a rig yet"
        return self._rig

    @property
    def told(self) -> str:
        """What the rig has said of itself."""
        return self._rig.told if self._rig is not None else ""

    def close(self) -> None:
        if self._rig is not None:
            self._rig.stop()


@pytest.fixture(scope="session")
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = request.config.stash[BENCH] = Bench(request.config.getoption("rig", "sim"))
    yield made
    made.close()


@pytest.fixture
def rig(request: pytest.FixtureRequest, bench: Bench) -> Rig:
    """With a new table: of the scenario's parameter `book`, or the usual one."""
    needed: set[Capability] = set()
    for marker in request.node.iter_markers("needs"):
        needed.update(marker.args)
    callspec = getattr(request.node, "callspec", None)
    given = callspec.params if callspec else {}
    needed.update(value for value in given.values() if isinstance(value, Capability))
    for lacking in sorted(needed - bench.kind.capabilities):
        pytest.skip(f"{LACKS}{lacking}")
    return bench.rig(given.get("book", DEFAULT_BOOK))


@pytest.fixture
def measure(request: pytest.FixtureRequest, bench: Bench) -> Measure:
    """Note how long something took beside its promise, and assert ten times the promise."""

    def note(promise: Promise, seconds: float) -> None:
        expected_s = bench.made.expected_s(promise)
        request.node.user_properties.append((SEEN, (promise.name, seconds, expected_s)))
        said = f"{promise.text} after {seconds:.2f} s; promised: {promise.seconds} s, here {expected_s:.1f} s"
        assert seconds <= bench.made.most_s(promise), said

    return note


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    bench = item.config.stash.get(BENCH, None) if item.get_closest_marker("rig") else None
    if bench is not None:
        if call.excinfo is not None and call.excinfo.errisinstance(Broken):
            bench.broken = str(call.excinfo.value)
        if report.failed:  # on a slow rig the end of the run, where pytest says why, is an hour away
            item.config.get_terminal_writer().line(f"\n{item.name}: {report.longreprtext[-WHY_LETTERS:]}")
        if report.skipped and not _lacked(report):
            report.outcome, report.longrepr = "failed", f"a scenario is skipped by a capability only: {report.longrepr}"
    return report


def _lacked(report: pytest.TestReport) -> str:
    """The capability for which this was skipped."""
    why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
    return why.partition(LACKS)[2]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reports = [
        report
        for kind in ("", "passed", "failed", "error", "skipped")
        for report in terminalreporter.stats.get(kind, ())
        if isinstance(report, pytest.TestReport) and "rig" in report.keywords
    ]
    if not reports:
        return
    terminalreporter.section(f"rig {config.getoption('rig', 'sim')}")
    told = config.stash[BENCH].told if BENCH in config.stash else ""
    if told:
        terminalreporter.line(told)
    for line in (
        *_seconds(reports),
        *_measured(reports),
        *_rehearsed(reports),
        *_planted(reports),
        *_boots(reports),
        *_skipped(reports),
    ):
        terminalreporter.line(line)


def _seconds(reports: list[pytest.TestReport]) -> Iterator[str]:
    """How long each scenario took, with setting its table up, and how it ended."""
    took: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        took[report.nodeid] += report.duration
    ended = {report.nodeid: report.outcome for report in reports if report.when == "call" or not report.passed}
    for name, outcome in ended.items():
        if outcome != "skipped":
            yield f"{took[name]:7.1f} s  {outcome}  {name.rpartition('::')[2]}"


def _measured(reports: list[pytest.TestReport]) -> Iterator[str]:
    """What was seen beside what is promised: the slowest of each, and how many there were."""
    seen: dict[str, list[tuple[float, float]]] = {}
    for report in reports:
        for name, value in report.user_properties if report.when == "call" else ():
            if name == SEEN and isinstance(value, tuple):
                seen.setdefault(value[0], []).append(value[1:])
    yield f"{'seen at most':>14} {'promised':>9} {'here':>9}    n"
    for promise in Promise:
        if promise.name in seen:
            took, expected = max(seen[promise.name])
            times = len(seen[promise.name])
            yield f"{took:12.3f} s {promise.seconds:7.1f} s {expected:7.1f} s {times:4}  {promise.text}"


def _boots(reports: list[pytest.TestReport]) -> Iterator[str]:
    """What a boot was made of."""
    for report in reports:
        for name, value in report.user_properties if report.when == "call" else ():
            if name == PART and isinstance(value, tuple):
                yield f"boot: {value[1]:7.1f} s  {value[0]}"


def _planted(reports: list[pytest.TestReport]) -> Iterator[str]:
    """Who found each fault that was planted."""
    for report in reports:
        for name, value in report.user_properties if report.when == "call" else ():
            if name == PLANTED and isinstance(value, tuple):
                yield f"planted: {value[0]}; named by: {value[1] or 'NOBODY'}"


def _rehearsed(reports: list[pytest.TestReport]) -> Iterator[str]:
    """How many steps of rehearsals were played, and at which words scripts ended early."""
    told = [
        value
        for report in reports
        for name, value in (report.user_properties if report.when == "call" else ())
        if name == REHEARSED and isinstance(value, tuple)
    ]
    if told:
        yield f"{sum(steps for steps, _ in told)} steps of {len(told)} rehearsals played"
    for word, times in sorted(Counter(word for _, word in told if word).items()):
        yield f"{times:4}  ended where the rig cannot do: {word}"


def _skipped(reports: list[pytest.TestReport]) -> Iterator[str]:
    """How many scenarios were skipped for each capability."""
    lacked = Counter(_lacked(report) for report in reports if report.skipped)
    yield f"{sum(lacked.values())} scenarios skipped"
    for capability, times in sorted(lacked.items()):
        yield f"{times:4}  the rig cannot {capability}"
