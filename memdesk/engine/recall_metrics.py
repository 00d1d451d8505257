"""RecallMetrics: latencies and results of recalls and their techniques, kept in memory and bounded."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from memdesk.model.status import Latency

KEPT = 2048
"""Latencies kept per technique; percentiles are computed over these newest ones."""
RECALL = "recall"
"""Name for a complete recall, in addition to the names of its techniques."""
BASE = "base"
"""Name for gathering by words and vectors, which every recall does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Figures of every technique by name, with RECALL for complete recalls, and (hits, misses) of each cache."""

    techniques: dict[str, Latency]
    caches: dict[str, tuple[int, int]]


@dataclass(slots=True)
class _Ring:
    took_ms: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    runs: int = 0
    aside: int = 0
    found: int = 0
    added: int = 0


class RecallMetrics:
    """Counts and latencies of recalls. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rings: dict[str, _Ring] = {}
        self._caches: dict[str, tuple[int, int]] = {}

    def ran(self, name: str, took_ms: float, *, found: int = 0, added: int = 0) -> None:
        """Record the latency and results of a technique or, with RECALL, of a complete recall."""
        with self._lock:
            ring = self._rings.setdefault(name, _Ring())
            ring.took_ms.append(took_ms)
            ring.runs += 1
            ring.found += found
            ring.added += added

    def stepped_aside(self, name: str) -> None:
        """Record that a requested technique could not search."""
        with self._lock:
            self._rings.setdefault(name, _Ring()).aside += 1

    def cache(self, name: str, *, hit: bool) -> None:
        """Record a hit or a miss of a cache."""
        with self._lock:
            hits, misses = self._caches.get(name, (0, 0))
            self._caches[name] = (hits + hit, misses + (not hit))

    def snapshot(self) -> Snapshot:
        """Return all figures as of now."""
        with self._lock:
            return Snapshot(
                techniques={name: _latency(ring) for name, ring in sorted(self._rings.items())},
                caches=dict(sorted(self._caches.items())),
            )


def _latency(ring: _Ring) -> Latency:
    ordered = sorted(ring.took_ms)
    return Latency(
        runs=ring.runs,
        aside=ring.aside,
        found=ring.found,
        added=ring.added,
        p50_ms=percentile(ordered, 50),
        p95_ms=percentile(ordered, 95),
        p99_ms=percentile(ordered, 99),
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the smallest of these ascending values that `percent` of them do not exceed; 0 if there are
    none."""
    if not ordered:
        return 0.0
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
