"""What events say, indexed behind the journal: by a little before each question, by the rest in the background."""

from __future__ import annotations

from contextlib import suppress

from memdesk.engine.engine import Engine
from memdesk.model.errors import StorageFailed
from memdesk.store import timeline, titles

BATCH = 2_000
"""Titles indexed in one transaction, for which a writer waits some 15 ms."""
AT_ONCE = 20_000
"""So many are indexed at most before a question is answered: what came since the last one, as a rule."""


def catch_up(engine: Engine) -> None:
    """Index what a question waits for. On a disk that is full it is answered from what is indexed already."""
    with suppress(StorageFailed):
        done = 0
        while done < AT_ONCE and (more := index_titles(engine, least=1)):
            done += more


def index_titles(engine: Engine, *, least: int = BATCH) -> int:
    """Index the next titles, if at least so many wait; returns how many were indexed. Raises StorageFailed."""
    with engine.store.reading() as db:
        waiting = titles.waiting(db, timeline.newest(db))
    if waiting < least:
        return 0
    return engine.store.maintain(lambda db, *_: titles.extend(db, timeline.newest(db), BATCH)).result()
