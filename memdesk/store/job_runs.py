"""Runs of jobs, and paused jobs, on which the schedule is based. They are not memory, so they are not
journalled."""

from __future__ import annotations

import json
from typing import Any

from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.job import JobRun
from memdesk.store.connection import Connection, Row, marks

KEPT = 1000
"""Number of runs kept per job: ten days of one that runs every 15 minutes. Their changes stay in the journal."""
_COLUMNS = "id, job, author, dry, started_at, finished_at, state, says, result"


def begin(db: Connection, run: JobRun, *, at: int) -> None:
    """Store the start of a run, at `at` in UTC microseconds; the oldest runs beyond KEPT are deleted."""
    db.run(
        f"INSERT INTO job_runs ({_COLUMNS}) VALUES (?,?,?,?,?,NULL,?,?,'{{}}')",
        (run.id, run.job, run.author, run.dry, at, run.state, run.says),
    )
    db.run(
        "DELETE FROM job_runs WHERE id IN (SELECT id FROM job_runs WHERE job = ? "
        "ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?)",
        (run.job, KEPT),
    )


def finish(db: Connection, id: str, *, at: int, state: str, says: str, result: dict[str, Any]) -> None:
    """Store the end of a run."""
    db.run(
        "UPDATE job_runs SET finished_at = ?, state = ?, says = ?, result = ? WHERE id = ?",
        (at, state, says, json.dumps(result, ensure_ascii=False), id),
    )


def interrupt(db: Connection, *, at: int, says: str) -> int:
    """Mark unfinished runs of an earlier service as interrupted; return how many there were."""
    return db.run(
        "UPDATE job_runs SET finished_at = ?, state = 'interrupted', says = ? WHERE finished_at IS NULL",
        (at, says),
    )


def last_ended(db: Connection, job: str, *, at: int) -> JobRun | None:
    """Return the latest run of a job that ended normally; dry and interrupted ones are skipped.

    Runs that began after `at` are skipped too: the clock was set back since, and they would stay the latest
    until then."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM job_runs WHERE job = ? AND NOT dry AND state NOT IN ('running', 'interrupted') "
        "AND started_at <= ? ORDER BY started_at DESC, id DESC LIMIT 1",
        (job, at),
    )
    return _runs(db, rows)[0] if rows else None


def last(db: Connection, job: str) -> JobRun | None:
    """Return the latest run of a job that was not a dry run, in any state."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM job_runs WHERE job = ? AND NOT dry ORDER BY started_at DESC, id DESC LIMIT 1",
        (job,),
    )
    return _runs(db, rows)[0] if rows else None


def page(db: Connection, job: str, first: int, limit: int) -> tuple[int, list[JobRun]]:
    """Return (number of runs, rows `first` on), newest first; of every job if `job` is empty."""
    where, params = ("job = ?", (job,)) if job else ("1", ())
    total: int = db.value(f"SELECT count(*) FROM job_runs WHERE {where}", params)
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM job_runs WHERE {where} ORDER BY started_at DESC, id DESC LIMIT ? OFFSET ?",
        (*params, limit, first),
    )
    return total, _runs(db, rows)


def paused(db: Connection) -> frozenset[str]:
    """Return the names of the jobs that a person paused."""
    return frozenset(row[0] for row in db.rows("SELECT job FROM paused_jobs"))


def pause(db: Connection, job: str, *, at: int) -> bool:
    """Pause a job; return False if it was paused already. Call inside a verb."""
    return db.run("INSERT OR IGNORE INTO paused_jobs VALUES (?,?)", (job, at)) > 0


def resume(db: Connection, job: str) -> bool:
    """Resume a paused job; return False if it was not paused. Call inside a verb."""
    return db.run("DELETE FROM paused_jobs WHERE job = ?", (job,)) > 0


def _runs(db: Connection, rows: list[Row]) -> list[JobRun]:
    """Return rows as records, each with the counts of its changes."""
    made = {
        row[0]: row[1:]
        for row in db.rows(
            "SELECT run, count(*), count(undone_by), min(id), max(id) FROM changes "
            f"WHERE run IN ({marks(rows)}) GROUP BY run",
            [row[0] for row in rows],
        )
    }
    return [_run(row, made.get(row[0], (0, 0, None, None))) for row in rows]


def _run(row: Row, made: tuple[Any, ...]) -> JobRun:
    changes, undone, first, newest = made
    return JobRun(
        id=row[0], job=row[1], author=row[2], dry=bool(row[3]), started_at=to_datetime(row[4]),
        finished_at=optional_datetime(row[5]), state=row[6], says=row[7], result=json.loads(row[8]), changes=changes,
        undone=undone, first_change=first, last_change=newest,
    )  # fmt: skip
