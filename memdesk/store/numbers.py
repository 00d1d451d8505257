"""Search numbers: each is given once in a desk's life, also after what bore it was taken back.

Redo brings a record back under the number it had, and its use and recalls are kept by that number.
"""

from __future__ import annotations

import threading

from memdesk.store.connection import Connection


class Numbers:
    """Gives numbers on any thread; the writer keeps how far they went with every commit."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._lock = threading.Lock()
        self._next: int = db.value("SELECT next_seq FROM upkeep")

    def take(self) -> int:
        with self._lock:
            self._next += 1
            return self._next - 1

    def keep(self) -> None:
        """Write down, in the transaction under way, where the next start goes on."""
        self._db.run("UPDATE upkeep SET next_seq = ? WHERE next_seq < ?", (self._next, self._next))
