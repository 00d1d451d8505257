"""Caches and measures of recall, bounded and in memory: the vectors of recent queries, recent answers while no memory
changed, and the latencies and results of recalls and their techniques."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from memdesk.engine.providers.embedder import Embedder, Vectors
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.message import message
from memdesk.model.recall import Bundle
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
    """Return the smallest of these ascending values that `percent` of them do not exceed; 0 if there are none."""
    if not ordered:
        return 0.0
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


VECTORS = 2048
"""Query vectors kept: 2 MB with the bundled table."""
ANSWERS = 128
"""Answers kept; each takes some kilobytes."""

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Bounded map that drops the least recently used value. Thread-safe; counts its hits under a name."""

    def __init__(self, name: str, size: int, metrics: RecallMetrics) -> None:
        self._name, self._size, self._metrics = name, size, metrics
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
        self._metrics.cache(self._name, hit=value is not None)
        return value

    def keep(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """Memory returned by a recall. source: the record whose salience is raised under this search number."""

    seq: int
    score: float
    parts: tuple[tuple[str, float], ...]
    source: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Cached bundle with the time it was made (UTC microseconds), and the memories it reinforces each time it
    reaches an agent."""

    at: int
    bundle: Bundle
    returned: tuple[Returned, ...]


class RememberingEmbedder:
    """Embedder that caches the vectors of the latest single texts; batches are passed through."""

    def __init__(self, embedder: Embedder, metrics: RecallMetrics, held: Callable[[], int]) -> None:
        """Wrap an embedder. held: returns the dimension of the desk's vectors, 0 if it has none."""
        self._embedder, self._held = embedder, held
        self._kept: BoundedCache[Vectors] = BoundedCache("query_vectors", VECTORS, metrics)

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the wrapped embedder's vectors; a cached vector is read-only.

        Raises EmbedderUnavailable also while the desk's vectors have another dimension."""
        if len(texts) != 1:
            return self._comparable(self._embedder.embed(texts))
        known = self._kept.get(texts[0])
        if known is None:
            known = np.asarray(self._embedder.embed(texts))
            known.flags.writeable = False
            self._kept.keep(texts[0], known)
        return self._comparable(known)

    def _comparable(self, vectors: Vectors) -> Vectors:
        held = self._held()
        if held and len(vectors) and vectors.shape[1] != held:
            raise EmbedderUnavailable(
                message(
                    "The embedder {name} answers with {shape} dimensions, the desk's vectors have {held}.",
                    name=self.name,
                    shape=vectors.shape[1],
                    held=held,
                ),
                next=message("They are made anew in the background."),
            )
        return vectors

    def forget(self) -> None:
        """Drop all cached queries."""
        self._kept.clear()
