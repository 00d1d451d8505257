"""Vectors follow the words: storing never waits for a model."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal


def embed_pending(engine: Engine, limit: int = 512) -> int:
    """Embed up to `limit` memories that wait for a vector; returns how many there were.

    Raises EmbedderUnavailable: they go on waiting, and words answer alone.
    """
    waiting = engine.store.maintain(lambda _db, index, _journal: index.waiting(limit)).result()
    if not waiting:
        return 0
    vectors = engine.embedder.embed([text for _, text in waiting])

    def keep(_db: Connection, index: Index, _journal: Journal) -> None:
        for (seq, text), vector in zip(waiting, vectors, strict=True):
            index.embedded(seq, text, vector.tobytes())

    engine.store.maintain(keep).result()
    return len(waiting)
