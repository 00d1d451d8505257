"""Metrics of the desk: size, latencies, lag, caches, decay, jobs and writes. No metric contains text of
memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.recall_metrics import percentile
from memdesk.model.instant import DAY, SECOND, to_datetime
from memdesk.model.metrics import (
    CacheUse,
    ConsolidationLag,
    DecayDay,
    JobUse,
    Latency,
    MemorySize,
    Metrics,
    WriteUse,
)
from memdesk.store import measuring, semantic, working
from memdesk.store.connection import Connection

DECAY_DAYS = 30
LAGS = 500
"""Newest conversations whose lag is measured."""


def metrics(engine: Engine, *, errors: Mapping[str, int]) -> Metrics:
    """Return every metric as of now. errors: how many times the caller answered with each error."""
    with engine.store.reading() as db:
        memory = _memory(engine, db)
        consolidation, decay = _consolidation(engine, db), _decay(engine, db)
        jobs, events = _jobs(db), measuring.events_by_operation(db)
    known = engine.recall_metrics.snapshot()
    return Metrics(
        at=to_datetime(engine.clock()), memory=memory, consolidation=consolidation, decay=decay, jobs=jobs,
        recall={
            name: Latency(
                runs=each.runs, aside=each.aside, found=each.found, added=each.added, p50_ms=each.p50_ms,
                p95_ms=each.p95_ms, p99_ms=each.p99_ms,
            )
            for name, each in known.techniques.items()
        },
        caches={name: _cache(*each) for name, each in known.caches.items()},
        writes=_writes(engine), events=events, errors=dict(errors),
    )  # fmt: skip


def _memory(engine: Engine, db: Connection) -> MemorySize:
    held, database = working.size(db), engine.desk.database
    return MemorySize(
        records=measuring.records_by_kind(db), database_bytes=_bytes(database),
        wal_bytes=_bytes(database.with_name(database.name + "-wal")), working_keys=held.keys,
        working_bytes=held.bytes, working_expired=held.expired, working_evicted=held.evicted,
    )  # fmt: skip


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _cache(hits: int, misses: int) -> CacheUse:
    asked = hits + misses
    return CacheUse(hits=hits, misses=misses, rate=hits / asked if asked else None)


def _consolidation(engine: Engine, db: Connection) -> ConsolidationLag:
    lags = [lag / SECOND for lag in measuring.consolidation_lags(db, LAGS)]
    oldest = measuring.oldest_unread(db)
    return ConsolidationLag(
        measured=len(lags), p50_s=percentile(lags, 50), p95_s=percentile(lags, 95), p99_s=percentile(lags, 99),
        waiting=semantic.count_unconsolidated(db),
        oldest_waiting_s=0.0 if oldest is None else max(0.0, (engine.clock() - oldest) / SECOND),
    )  # fmt: skip


def _decay(engine: Engine, db: Connection) -> tuple[DecayDay, ...]:
    """Return the results of the decay job of the last thirty days, per day on which it ran, oldest first."""
    by_day: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for finished, result in measuring.results_since(db, "decay", engine.clock() - DECAY_DAYS * DAY):
        by_day[finished // DAY].update({name: n for name, n in result.items() if isinstance(n, int)})
    return tuple(
        DecayDay(
            day=to_datetime(day * DAY).date(), faded_entities=counts["faded_entities"],
            faded_facts=counts["faded_facts"], retired=counts["retired"],
        )
        for day, counts in sorted(by_day.items())
    )  # fmt: skip


def _jobs(db: Connection) -> dict[str, JobUse]:
    by_job: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for job, state, runs in measuring.runs_by_state(db):
        by_job[job][state] = runs
    last = measuring.last_runs(db)
    return {job: _job(runs, last.get(job)) for job, runs in sorted(by_job.items())}


def _job(runs: dict[str, int], last: tuple[int, int] | None) -> JobUse:
    if last is None:
        return JobUse(runs=runs, last_finished=None, last_s=None)
    started, finished = last
    return JobUse(runs=runs, last_finished=to_datetime(finished), last_s=(finished - started) / SECOND)


def _writes(engine: Engine) -> WriteUse:
    traffic = engine.store.traffic
    return WriteUse(
        groups=traffic.groups, pieces=traffic.pieces,
        per_group=traffic.pieces / traffic.groups if traffic.groups else 0.0, refused=dict(traffic.refused),
    )  # fmt: skip
