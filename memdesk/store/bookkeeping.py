"""Bookkeeping of a desk's own work: runs of jobs, the ledger of tokens, changes made for requests that may come twice,
counts for the metrics, and the settings that all services of a desk in a database share."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memdesk.model.change import Edit
from memdesk.model.errors import Conflict
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
from memdesk.model.job import JobRun, JobTotals
from memdesk.model.kinds import KINDS
from memdesk.model.message import (
    MESSAGE,
    Message,
    kept_message,
    message,
    packed,
    unpacked,
    with_stored_parts,
    without_message,
)
from memdesk.model.status import Spent
from memdesk.store.connection import Connection, Row, marks
from memdesk.store.guarding import guarded_json, guarded_message
from memdesk.store.journal import change_by_key, edits_of

KEPT = 1000
"""Number of runs kept per job: ten days of one that runs every 15 minutes. Their changes stay in the journal."""
_COLUMNS = "id, job, author, dry, started_at, finished_at, state, says, result"


def begin(db: Connection, run: JobRun, *, at: int) -> None:
    """Store the start of a run, at `at` in UTC microseconds; the oldest runs beyond KEPT are deleted."""
    db.run(
        f"INSERT INTO job_runs ({_COLUMNS}) VALUES (?,?,?,?,?,NULL,?,?,?)",
        (run.id, run.job, run.author, run.dry, at, run.state, run.says, _result(db, run.says, {})),
    )
    db.run(
        "DELETE FROM job_runs WHERE id IN (SELECT id FROM job_runs WHERE job = ? "
        "ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?)",
        (run.job, KEPT),
    )


def finish(db: Connection, id: str, *, at: int, state: str, says: Message, result: dict[str, Any]) -> None:
    """Store the end of a run."""
    db.run(
        "UPDATE job_runs SET finished_at = ?, state = ?, says = ?, result = ? WHERE id = ?",
        (at, state, guarded_message(db.guard, says), _result(db, says, result), id),
    )


def _result(db: Connection, says: Message, result: dict[str, Any]) -> str:
    """Return the JSON of a run's result, with the id and parts of its sentence."""
    kept = kept_message(guarded_message(db.guard, says))
    return json.dumps(packed(guarded_json(db.guard, result, "", "")) | kept, ensure_ascii=False)


def unfinished(db: Connection) -> list[str]:
    """Return the ids of the runs that have not ended, as far as is known."""
    return [id for (id,) in db.rows("SELECT id FROM job_runs WHERE finished_at IS NULL")]


def interrupt(db: Connection, ids: Sequence[str], *, at: int, says: Message) -> int:
    """Mark these runs as interrupted, unless they have ended; return how many there were."""
    return db.run(
        "UPDATE job_runs SET finished_at = ?, state = 'interrupted', says = ?, result = ? "
        f"WHERE finished_at IS NULL AND id IN ({marks(ids)})",
        (at, says, _result(db, says, {}), *ids),
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
    where, params = ("job = ?", (job,)) if job else ("true", ())
    total: int = db.value(f"SELECT count(*) FROM job_runs WHERE {where}", params)
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM job_runs WHERE {where} ORDER BY started_at DESC, id DESC LIMIT ? OFFSET ?",
        (*params, limit, first),
    )
    return total, _runs(db, rows)


def totals(db: Connection, job: str, since: int) -> JobTotals:
    """Return the totals of a job's runs since a time in UTC microseconds, except dry ones."""
    where = "job = ? AND started_at >= ? AND NOT dry"
    runs, failed, took = db.row(
        "SELECT count(*), count(*) FILTER (WHERE state = 'failed'), sum(finished_at - started_at) "
        f"FROM job_runs WHERE {where}",
        (job, since),
    ) or (0, 0, 0)
    counts: Counter[str] = Counter()
    # At most KEPT results.
    for (result,) in db.rows(
        f"SELECT result FROM job_runs WHERE {where} ORDER BY started_at, id", (job, since)
    ):
        counts.update({name: n for name, n in json.loads(result).items() if type(n) is int})
    turns = counts.get("turns", 0)
    return JobTotals(
        name=job,
        runs=runs,
        failed=failed or 0,
        seconds=(took or 0) / SECOND,
        counts=dict(counts),
        skip_rate=counts.get("skipped", 0) / turns if turns else None,
    )


def paused(db: Connection) -> frozenset[str]:
    """Return the names of the jobs that a person paused."""
    return frozenset(row[0] for row in db.rows("SELECT job FROM paused_jobs"))


def pause(db: Connection, job: str, *, at: int) -> bool:
    """Pause a job; return False if it was paused already. Call inside a verb."""
    return db.run("INSERT INTO paused_jobs VALUES (?,?) ON CONFLICT DO NOTHING", (job, at)) > 0


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
    result = json.loads(row[8])
    return JobRun(
        id=row[0],
        job=row[1],
        author=row[2],
        dry=bool(row[3]),
        started_at=to_datetime(row[4]),
        finished_at=optional_datetime(row[5]),
        state=row[6],
        says=with_stored_parts(row[7], result.get(MESSAGE)),
        result=unpacked(without_message(result)),
        changes=changes,
        undone=undone,
        first_change=first,
        last_change=newest,
    )


def add(db: Connection, spent: Spent) -> None:
    """Add requests to the row of their day, role, model and purpose."""
    db.run(
        "INSERT INTO spending (day, role, model, purpose, calls, failures, tokens_in, tokens_out, guessed) "
        "VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (day, role, model, purpose) "
        "DO UPDATE SET calls = spending.calls + excluded.calls, "
        "failures = spending.failures + excluded.failures, tokens_in = spending.tokens_in + excluded.tokens_in, "
        "tokens_out = spending.tokens_out + excluded.tokens_out, guessed = max(spending.guessed, excluded.guessed)",
        (
            spent.day,
            spent.role,
            spent.model,
            spent.purpose,
            spent.calls,
            spent.failures,
            spent.tokens_in,
            spent.tokens_out,
            spent.guessed,
        ),
    )


def tokens_on(db: Connection, day: str) -> dict[str, int]:
    """Return the tokens of a day (a local date, such as 2026-11-22), by role."""
    return dict(
        db.rows("SELECT role, sum(tokens_in + tokens_out) FROM spending WHERE day = ? GROUP BY role", (day,))
    )


def ledger(db: Connection, since: str) -> tuple[Spent, ...]:
    """Return every row from a day on, newest day first, most tokens first."""
    rows = db.rows(
        "SELECT day, role, model, purpose, calls, failures, tokens_in, tokens_out, guessed FROM spending "
        "WHERE day >= ? ORDER BY day DESC, tokens_in + tokens_out DESC, role, model, purpose",
        (since,),
    )
    return tuple(
        Spent(
            day=row[0],
            role=row[1],
            model=row[2],
            purpose=row[3],
            calls=row[4],
            failures=row[5],
            tokens_in=row[6],
            tokens_out=row[7],
            guessed=bool(row[8]),
        )
        for row in rows
    )


def answered(
    db: Connection, user_id: str, author: str, key: str | None
) -> tuple[int, tuple[Edit, ...]] | None:
    """Return the change that an author made for a user under this key, and its edits; None if the key is new
    or None."""
    change = change_by_key(db, user_id, author, key)
    return None if change is None else (change, tuple(edits_of(db, change)))


def misused(change: int) -> Conflict:
    """Return the error for a key whose change was another call, or was undone."""
    return Conflict(
        message(
            "This retry_key belongs to change {change}, which was another call or was taken back.",
            change=change,
        ),
        next=message("Use a new retry_key."),
    )


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
        "SELECT job, started_at, finished_at FROM (SELECT job, started_at, finished_at, "
        "row_number() OVER (PARTITION BY job ORDER BY finished_at DESC) AS place "
        "FROM job_runs WHERE NOT dry AND finished_at IS NOT NULL) AS runs WHERE place = 1"
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


SETTINGS_TABLE = "desk_settings"
SETTINGS_LAYOUT = f"CREATE TABLE {SETTINGS_TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL)"


def read_settings(db: Connection) -> dict[str, Any]:
    """Return the settings that were ever changed, with their values."""
    return {name: json.loads(value) for name, value in db.rows(f"SELECT name, value FROM {SETTINGS_TABLE}")}


def write_settings(db: Connection, values: Mapping[str, Any]) -> None:
    """Write settings, in the current transaction."""
    db.run_many(
        f"INSERT INTO {SETTINGS_TABLE} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [(name, json.dumps(value)) for name, value in values.items()],
    )
