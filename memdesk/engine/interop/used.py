"""Import of use: how often a memory was recalled elsewhere, and its salience there. It is not a change of
memory."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.interop.items import Uses
from memdesk.store import archiving
from memdesk.store.connection import Connection
from memdesk.store.recalls import Use


def bring(engine: Engine, uses: Uses) -> None:
    """Record the use of memories that have no use recorded on this desk."""

    def noted(db: Connection) -> None:
        for each in uses.rows:
            use = Use(
                access_count=each.access_count, last_accessed=each.last_accessed, salience=each.salience
            )
            archiving.bring_use(db, each.id, each.lines, use)

    engine.store.maintain(lambda db, *_: noted(db)).result()
