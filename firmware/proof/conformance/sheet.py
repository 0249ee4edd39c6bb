"""The findings of a check, rule by rule: kept, broken with the evidence, or not looked at and why. Ids are
docs/mqtt.md's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

OF_BOTH = ("W-01", "W-02", "W-03", "W-04")
OF_TABLE = (*OF_BOTH, "T-01", *(f"T-{number:02}" for number in (*range(3, 9), *range(10, 20), *range(23, 27), 28, 33)))
OF_BANK = (*OF_BOTH, "B-01", *(f"B-{number:02}" for number in (*range(3, 13), *range(14, 22), 26, *range(28, 32), 35)))
"""The rules that a bank is held to, in the order in which they are told."""

UNREACHED = "the check ended before"


class Sheet:
    """The findings of one check."""

    def __init__(self, rules: Sequence[str]) -> None:
        self._rules = rules
        self._kept: set[str] = set()
        self._broken: dict[str, str] = {}
        self._skipped: dict[str, str] = {}

    def holds(self, rule: str, right: bool, seen: str) -> bool:
        """One look at a rule; `seen` is the evidence that broke it. A broken rule stays broken."""
        assert rule in self._rules, rule
        if right:
            self._kept.add(rule)
        else:
            self._broken.setdefault(rule, seen)
        return right

    def skips(self, why: str, *rules: str) -> None:
        """These rules could not be looked at."""
        for rule in rules:
            assert rule in self._rules, rule
            self._skipped.setdefault(rule, why)

    @property
    def broken(self) -> Mapping[str, str]:
        """The rules that were broken, and what was seen first."""
        return self._broken

    @property
    def kept(self) -> frozenset[str]:
        """The rules that were looked at and never broken."""
        return frozenset(self._kept - self._broken.keys())

    @property
    def skipped(self) -> tuple[str, ...]:
        """The rules that were not looked at."""
        return tuple(rule for rule in self._rules if rule not in self._kept and rule not in self._broken)

    def lines(self) -> Iterator[str]:
        """One line a rule."""
        for rule in self._rules:
            if rule in self._broken:
                yield f"{rule} FAIL {self._broken[rule]}"
            elif rule in self._kept:
                yield f"{rule} pass"
            else:
                yield f"{rule} skipped: {self._skipped.get(rule, UNREACHED)}"
