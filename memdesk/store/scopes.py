"""Cache of the sign bits of scopes, as last read from the table of vectors; shared by a desk's connections."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

HELD_BYTES = 64 * 2**20
"""Maximum size of all cached scopes: 1.6 million vectors of 256 bits."""

Bits = npt.NDArray[np.uint64] | npt.NDArray[np.uint8]
"""Sign bits in words of 64, or in bytes where they do not fill such words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Scope as of a version. words: the first word of each vector, then the second, ...; seqs: their search
    numbers."""

    version: int
    words: Bits
    seqs: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        return self.words.nbytes + self.seqs.nbytes


class Scopes:
    """Cache of the scopes of one desk that were read last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._bytes = 0

    def at(self, scope: str, version: int) -> Held | None:
        """Return a scope if it is cached at this version."""
        with self._lock:
            held = self._held.get(scope)
            if held is None or held.version != version:
                return None
            self._held.move_to_end(scope)
            return held

    def keep(self, scope: str, held: Held) -> None:
        """Cache a scope; the least recently requested ones are removed to make room."""
        with self._lock:
            if (before := self._held.pop(scope, None)) is not None:
                self._bytes -= before.size
            self._held[scope] = held
            self._bytes += held.size
            while len(self._held) > 1 and self._bytes > HELD_BYTES:
                _, gone = self._held.popitem(last=False)
                self._bytes -= gone.size

    def clear(self) -> None:
        """Remove all scopes, as after an erasure."""
        with self._lock:
            self._held.clear()
            self._bytes = 0
