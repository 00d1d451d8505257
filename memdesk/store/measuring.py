"""Reads for the metrics: counts and times, without any text from memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memdesk.model.kinds import KINDS
from memdesk.store.connection import Connection

_STORED = (
    "max(turns.created_at, ifnull((SELECT changes.at FROM edits JOIN changes ON changes.id = change "
    "WHERE record = turns.id AND before IS NULL ORDER BY change LIMIT 1), 0))"
)
"""Expression for the time a turn was stored, which for an imported turn is later than its own time."""


def records_by_kind(db: Connection) -> dict[str, int]:
    """Return the number of rows of every kind, retired ones included."""
    return {kind.name: int(db.value(f"SELECT count(*) FROM {kind.table}")) for kind in KINDS}


def consolidation_lags(db: Connection, limit: int) -> list[int]:
    """Return the microseconds from the last consolidated turn to the consolidation, ascending; of the newest
    `limit`."""
    rows = db.rows(
        f"SELECT consolidated_at - {_STORED} FROM (SELECT id, consolidated_at, consolidated_index FROM conversations "
        "WHERE consolidated_at IS NOT NULL ORDER BY consolidated_at DESC LIMIT ?) AS talk "
        "JOIN turns ON turns.conversation_id = talk.id AND turn_index = consolidated_index",
        (limit,),
    )
    return sorted(max(0, lag) for (lag,) in rows)


def oldest_unread(db: Connection) -> int | None:
    """Return when the oldest unconsolidated turn was stored, None if all are consolidated."""
    found: int | None = db.value(
        f"SELECT min((SELECT {_STORED} FROM turns WHERE conversation_id = conversations.id "
        "AND turn_index > consolidated_index ORDER BY turn_index LIMIT 1)) FROM conversations WHERE retired_at IS NULL"
    )
    return found


def runs_by_state(db: Connection) -> Iterator[tuple[str, str, int]]:
    """Yield (job, state, runs) of every job, without dry runs."""
    yield from db.rows("SELECT job, state, count(*) FROM job_runs WHERE NOT dry GROUP BY 1, 2")


def last_runs(db: Connection) -> dict[str, tuple[int, int]]:
    """Return (started, finished) of the latest finished run of every job, without dry runs."""
    rows = db.rows(
        "SELECT job, started_at, max(finished_at) FROM job_runs WHERE NOT dry AND finished_at IS NOT NULL GROUP BY job"
    )
    return {job: (started, finished) for job, started, finished in rows}


def results_since(db: Connection, job: str, since: int) -> list[tuple[int, dict[str, Any]]]:
    """Return (finished, result) of a job's runs since a time, oldest first, without dry runs."""
    rows = db.rows(
        "SELECT finished_at, result FROM job_runs WHERE job = ? AND NOT dry AND finished_at >= ? ORDER BY finished_at",
        (job, since),
    )
    return [(finished, json.loads(result)) for finished, result in rows]


def events_by_operation(db: Connection) -> dict[str, int]:
    """Return the number of events in the timeline, by operation."""
    return dict(db.rows("SELECT op, sum(n) FROM rollup GROUP BY op"))
