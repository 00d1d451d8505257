"""Fields of facts as of an earlier moment, read backwards from the journal."""

from __future__ import annotations

import json
from typing import Any

from memdesk.model.fact import FACT
from memdesk.store.connection import Connection

Fields = dict[str, Any]


def changed_since(db: Connection, change: int, limit: int) -> tuple[dict[str, Fields | None], bool]:
    """Return for each fact that was edited since a change, it included, the edited fields as they were before it.

    None: the fact did not exist. The fact edited last comes first. True if more than `limit` edits were made, of which
    the newest were read."""
    rows = db.rows(
        "SELECT record, before FROM edits WHERE change >= ? AND kind = ? ORDER BY change DESC, n DESC LIMIT ?",
        (change, FACT.name, limit + 1),
    )
    found: dict[str, Fields | None] = {}
    for record, before in rows[:limit]:
        found[record] = None if before is None else {**(found.get(record) or {}), **json.loads(before)}
    return found, len(rows) > limit
