"""A circuit breaker: a server that keeps failing is left alone for a while, then tried once (Nygard, Release It!)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FAILURES = 3
"""Failures in a row after which a server is left alone. Each is a question that was tried several times."""
REST_SECONDS, LONGEST_REST_SECONDS = 30.0, 600.0
"""The first rest; each further failure doubles it up to the longest."""


class Breaker:
    """Counts failures in a row. Thread-safe. clock: seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0
        self.reason = ""

    def admit(self) -> float:
        """0 when the server may be asked now, else the seconds until then. After a rest one question goes first."""
        with self._lock:
            rest = self._until - self._clock()
            if rest > 0:
                return rest
            if self._failures >= FAILURES:
                self._until = self._clock() + REST_SECONDS
            return 0.0

    def rests_for(self) -> float:
        """Seconds for which the server is left alone, 0 when it is not."""
        with self._lock:
            return max(0.0, self._until - self._clock())

    def succeeded(self) -> None:
        """The server answered, whatever it said."""
        with self._lock:
            self._failures, self._until, self.reason = 0, 0.0, ""

    def failed(self, reason: str, *, rest_s: float = 0.0) -> None:
        """The server did not answer, and why. rest_s: for how long it asked to be left alone."""
        with self._lock:
            self._failures += 1
            self.reason = reason
            if self._failures >= FAILURES:
                doubled = REST_SECONDS * 2.0 ** min(self._failures - FAILURES, 10)
                rest_s = max(rest_s, min(doubled, LONGEST_REST_SECONDS))
            if rest_s:
                self._until = self._clock() + min(rest_s, LONGEST_REST_SECONDS)
