"""The page `/metrics`, the one door to prometheus-client: the values of `firmware.runtime.view` in Prometheus's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, MetricsHandler
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from firmware.runtime.view import Kind, Reading
from ui.web import Request, WebServer


class Metrics(WebServer):
    """Serves `http://host:port/metrics`, from the moment it is made. Raises OSError where the port cannot be had.

    `port` 0 takes a free one (`address` tells which).
    """

    def __init__(self, host: str, port: int, bank: str) -> None:
        self._collector = _Readings(bank)
        registry = CollectorRegistry()
        registry.register(self._collector)
        super().__init__("metrics", host, port, type("_OfThisBank", (_Connection,), {"registry": registry}))

    def show(self, readings: Sequence[Reading]) -> None:
        """From now on these are served."""
        self._collector.readings = readings


class _Connection(Request, MetricsHandler):
    """A request of Prometheus, within the bounds of every request."""


class _Readings(Collector):
    def __init__(self, bank: str) -> None:
        self._bank = bank
        self.readings: Sequence[Reading] = ()

    def collect(self) -> Iterator[Metric]:
        """A family for each measure, in the order of the values."""
        families: dict[str, GaugeMetricFamily] = {}
        for reading in self.readings:
            measure, labels = reading.measure, {"bank": self._bank}
            if measure.of:
                labels[measure.of] = reading.label
            if measure.kind is Kind.WORD:
                labels["word"] = reading.text
            name = f"felt_{measure.name}"
            family = families.setdefault(name, GaugeMetricFamily(name, measure.means, labels=list(labels)))
            family.add_metric(list(labels.values()), 1.0 if measure.kind is Kind.WORD else float(reading.text))
        yield from families.values()
