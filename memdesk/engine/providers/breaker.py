"""Circuit breaker: a server that keeps failing is not asked for a while, then asked once (Nygard, Release
It!)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FAILURES = 3
"""Consecutive failures after which a server is not asked for a while. Each is a request that was tried
several times."""
REST_SECONDS, LONGEST_REST_SECONDS = 30.0, 600.0
"""First rest; each further failure doubles it, up to the longest."""


class Breaker:
    """Counter of consecutive failures. Thread-safe. clock: seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0
        self.reason = ""

    def admit(self) -> float:
        """Return 0 if the server may be asked now, else the seconds until then. After a rest, one request
        goes first."""
        with self._lock:
            rest = self._until - self._clock()
            if rest > 0:
                return rest
            if self._failures >= FAILURES:
                self._until = self._clock() + REST_SECONDS
            return 0.0

    def rests_for(self) -> float:
        """Return the seconds until the server may be asked, 0 if it may be asked now."""
        with self._lock:
            return max(0.0, self._until - self._clock())

    def succeeded(self) -> None:
        """Record that the server answered, even if it refused the request."""
        with self._lock:
            self._failures, self._until, self.reason = 0, 0.0, ""

    def failed(self, reason: str, *, rest_s: float = 0.0) -> None:
        """Record that the server did not answer. reason: why. rest_s: the seconds it asked to be left alone."""
        with self._lock:
            self._failures += 1
            self.reason = reason
            if self._failures >= FAILURES:
                doubled = REST_SECONDS * 2.0 ** min(self._failures - FAILURES, 10)
                rest_s = max(rest_s, min(doubled, LONGEST_REST_SECONDS))
            if rest_s:
                self._until = self._clock() + min(rest_s, LONGEST_REST_SECONDS)
