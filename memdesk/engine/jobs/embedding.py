"""Embedding job: computes vectors after texts are stored, so that storing never waits for a model."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.run import Run
from memdesk.store import browsing
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal

BATCH = 256
"""Texts embedded at once, between two checks for cancellation."""


def embedding(run: Run) -> dict[str, int]:
    """Embed every text that waits for a vector; a dry run only counts them. Raises EmbedderUnavailable."""
    with run.engine.store.reading() as db:
        waiting = browsing.counts(db)["unembedded"]
    if run.dry:
        return {"texts": waiting}
    run.step(0, waiting, "Computing vectors")
    while done := embed_pending(run.engine, BATCH):
        run.counts["texts"] += done
        run.step(run.counts["texts"], max(waiting, run.counts["texts"]), "Computing vectors")
    return dict(run.counts)


def embed_pending(engine: Engine, limit: int = BATCH) -> int:
    """Embed up to `limit` memories that wait for a vector; return how many were done.

    The model is called between two transactions. Raises EmbedderUnavailable: they keep waiting, and recall
    uses only words."""
    embedder = engine.models.embedder
    if embedder.dimension and engine.store.dimension not in (0, embedder.dimension):
        # It answers otherwise than it did: what it made before cannot be compared any more.
        engine.store.maintain(lambda _db, index, _journal: index.fit(embedder.dimension)).result()
    known, waiting = engine.store.maintain(lambda _db, index, _journal: index.waiting(limit)).result()
    if not waiting:
        return known
    vectors = embedder.embed([text for _, text in waiting])

    def keep(_db: Connection, index: Index, _journal: Journal) -> None:
        for (seq, text), vector in zip(waiting, vectors, strict=True):
            index.embedded(seq, text, vector.tobytes(), embedder.name)

    engine.store.maintain(keep).result()
    return known + len(waiting)
