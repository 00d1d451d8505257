"""Search numbers: each is used only once on a desk, even after its record was undone.

Redo restores a record under its old number, and its use and recalls are stored by that number."""

from __future__ import annotations

import threading

from memdesk.store.connection import Connection


class Numbers:
    """Source of search numbers for any thread; the writer stores its state with every commit."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._lock = threading.Lock()
        self._next: int = db.value("SELECT next_seq FROM upkeep")

    def take(self) -> int:
        with self._lock:
            self._next += 1
            return self._next - 1

    def keep(self) -> None:
        """Store the next number in the current transaction."""
        self._db.run("UPDATE upkeep SET next_seq = ? WHERE next_seq < ?", (self._next, self._next))
