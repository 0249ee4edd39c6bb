"""The page `/metrics`, the one door to prometheus-client: the values of `firmware.runtime.view` in Prometheus's words."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from http.server import ThreadingHTTPServer
from typing import Any

from prometheus_client import CollectorRegistry, MetricsHandler
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from firmware.runtime.view import Kind, Reading
from hal.workers import Worker

STUCK_S = 10.0
"""A reader that takes nothing for so long is dropped."""
THREADS_MOST = 32
"""The threads of this process at most; one more reader is hung up on."""


class Metrics:
    """Serves `http://host:port/metrics`, from the moment it is made. Raises OSError where the port cannot be had.

    `port` 0 takes a free one (`address` tells which).
    """

    def __init__(self, host: str, port: int, bank: str) -> None:
        self._collector = _Readings(bank)
        registry = CollectorRegistry()
        registry.register(self._collector)
        handler: Any = MetricsHandler.factory(registry)
        handler.timeout = STUCK_S
        self._http = _Http((host, port), handler)
        self._worker = Worker("metrics", lambda: self._http.serve_forever(0.25))
        self._worker.start()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port it listens on."""
        host, port = self._http.server_address[:2]
        return str(host), int(port)

    def show(self, readings: Sequence[Reading]) -> None:
        """From now on these are served."""
        self._collector.readings = readings

    def close(self) -> None:
        """End it, and free the port."""
        self._http.shutdown()
        self._worker.end()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """A thread for a reader, as long as there are not too many."""
        return threading.active_count() < THREADS_MOST

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that went away in the middle of a sentence is no error of ours."""


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
