"""Index of event titles, which lags the journal: extended a little before each search, otherwise in the
background."""

from __future__ import annotations

from contextlib import suppress

from memdesk.engine.engine import Engine
from memdesk.model.errors import StorageFailed
from memdesk.store import timeline, titles

BATCH = 2_000
"""Titles indexed in one transaction, which delays other writers by about 15 ms."""
AT_ONCE = 20_000
"""Most titles indexed before a search is answered: as a rule, all that were added since the last search."""


def catch_up(engine: Engine) -> None:
    """Index the titles that a search needs. On a full disk the search uses the titles indexed so far."""
    with suppress(StorageFailed):
        done = 0
        while done < AT_ONCE and (more := index_titles(engine, least=1)):
            done += more


def index_titles(engine: Engine, *, least: int = BATCH) -> int:
    """Index the next batch of titles if at least `least` wait; return how many were indexed. Raises
    StorageFailed."""
    with engine.store.reading() as db:
        waiting = titles.waiting(db, timeline.newest(db))
    if waiting < least:
        return 0
    return engine.store.maintain(lambda db, *_: titles.extend(db, timeline.newest(db), BATCH)).result()
