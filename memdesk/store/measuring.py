"""Reads for the metrics: counts and times, never a word of memory."""

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
"""When a turn came in: an imported one was said long before."""


def records_by_kind(db: Connection) -> dict[str, int]:
    """How many rows there are of every kind, retired ones included."""
    return {kind.name: int(db.value(f"SELECT count(*) FROM {kind.table}")) for kind in KINDS}


def consolidation_lags(db: Connection, limit: int) -> list[int]:
    """Microseconds from the last turn that a consolidation read to the consolidation, ascending; newest `limit`."""
    rows = db.rows(
        f"SELECT consolidated_at - {_STORED} FROM (SELECT id, consolidated_at, consolidated_index FROM conversations "
        "WHERE consolidated_at IS NOT NULL ORDER BY consolidated_at DESC LIMIT ?) AS talk "
        "JOIN turns ON turns.conversation_id = talk.id AND turn_index = consolidated_index",
        (limit,),
    )
    return sorted(max(0, lag) for (lag,) in rows)


def oldest_unread(db: Connection) -> int | None:
    """When the oldest turn came in that no consolidation has read, None when all were read."""
    found: int | None = db.value(
        f"SELECT min((SELECT {_STORED} FROM turns WHERE conversation_id = conversations.id "
        "AND turn_index > consolidated_index ORDER BY turn_index LIMIT 1)) FROM conversations WHERE retired_at IS NULL"
    )
    return found


def runs_by_state(db: Connection) -> Iterator[tuple[str, str, int]]:
    """(job, state, runs) of every job, dry runs aside."""
    yield from db.rows("SELECT job, state, count(*) FROM job_runs WHERE NOT dry GROUP BY 1, 2")


def last_runs(db: Connection) -> dict[str, tuple[int, int]]:
    """(started, finished) of the latest run of every job that has ended, dry runs aside."""
    rows = db.rows(
        "SELECT job, started_at, max(finished_at) FROM job_runs WHERE NOT dry AND finished_at IS NOT NULL GROUP BY job"
    )
    return {job: (started, finished) for job, started, finished in rows}


def results_since(db: Connection, job: str, since: int) -> list[tuple[int, dict[str, Any]]]:
    """(finished, result) of a job's runs since then, oldest first, dry runs aside."""
    rows = db.rows(
        "SELECT finished_at, result FROM job_runs WHERE job = ? AND NOT dry AND finished_at >= ? ORDER BY finished_at",
        (job, since),
    )
    return [(finished, json.loads(result)) for finished, result in rows]


def events_by_operation(db: Connection) -> dict[str, int]:
    """How many events the timeline has, by operation."""
    return dict(db.rows("SELECT op, sum(n) FROM rollup GROUP BY op"))
