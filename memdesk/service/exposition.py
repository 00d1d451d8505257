"""Metrics in Prometheus's text format, at `GET /v1/metrics`: open to every caller without bounds, since they contain no
memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector, CollectorRegistry
from starlette.requests import Request
from starlette.responses import Response

from memdesk.model.status import Metrics
from memdesk.service.app import DeskApp, respond_or_refuse

PATH = "/v1/metrics"
QUANTILES = ("0.5", "0.95", "0.99")


def answer_exposition(app: DeskApp, read: Callable[[], Metrics]) -> None:
    """Register the call. read: returns the present metrics."""

    async def handle(request: Request) -> Response:
        return await respond_or_refuse(app, "metrics", lambda: respond(request))

    async def respond(request: Request) -> Response:
        who, door = await app.caller(request), app.admission
        shown = read if door is None else lambda: door.shown(who, read())
        text = await asyncio.get_running_loop().run_in_executor(app.readers, lambda: exposed(shown()))
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    app.add_api_route(
        PATH,
        handle,
        methods=["GET"],
        name="metrics",
        operation_id="metrics",
        summary="The metrics in Prometheus text form",
        description="What upkeep.metrics answers, for a scraper. No token, and not a word of memory.",
        tags=["upkeep"],
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {}}, "description": "Metrics by Prometheus's conventions."}
        },
    )


def exposed(metrics: Metrics) -> bytes:
    """Return the metrics in Prometheus's text format: base units, seconds and bytes, and counters that end in
    `_total`."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Taken(metrics))
    return generate_latest(registry)


class _Taken(Collector):
    """Collector of metrics that were read before."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        for families in (_memory, _recall, _consolidation, _jobs, _service):
            yield from families(self._metrics)


def _memory(metrics: Metrics) -> Iterator[Metric]:
    memory = metrics.memory
    yield _labelled(
        "memdesk_records", "Records by kind, retired ones included.", "kind", memory.records.items()
    )
    yield GaugeMetricFamily("memdesk_database_bytes", "Size of the database.", memory.database_bytes)
    yield GaugeMetricFamily("memdesk_wal_bytes", "Size of the write-ahead log.", memory.wal_bytes)
    yield GaugeMetricFamily("memdesk_working_keys", "Keys of working memory.", memory.working_keys)
    yield GaugeMetricFamily("memdesk_working_bytes", "Size of working memory.", memory.working_bytes)
    gone = (("expired", memory.working_expired), ("evicted", memory.working_evicted))
    yield _counted("memdesk_working_gone", "Keys of working memory that went, by why.", "why", gone)


def _recall(metrics: Metrics) -> Iterator[Metric]:
    took = GaugeMetricFamily(
        "memdesk_recall_seconds",
        "Latency of recall, whole and by technique.",
        labels=("technique", "quantile"),
    )
    for name, each in metrics.recall.items():
        for quantile, ms in zip(QUANTILES, (each.p50_ms, each.p95_ms, each.p99_ms), strict=True):
            took.add_metric((name, quantile), ms / 1000)
    yield took
    shares = metrics.recall.items()
    yield _counted(
        "memdesk_recall_runs", "How often a technique looked.", "technique", ((n, s.runs) for n, s in shares)
    )
    yield _counted(
        "memdesk_recall_aside",
        "How often a technique could not look.",
        "technique",
        ((n, s.aside) for n, s in shares),
    )
    yield _counted(
        "memdesk_recall_found", "Memories a technique found.", "technique", ((n, s.found) for n, s in shares)
    )
    caches = metrics.caches.items()
    yield _counted("memdesk_cache_hits", "Answers a cache had.", "cache", ((n, c.hits) for n, c in caches))
    yield _counted(
        "memdesk_cache_misses", "Answers a cache lacked.", "cache", ((n, c.misses) for n, c in caches)
    )


def _consolidation(metrics: Metrics) -> Iterator[Metric]:
    lag = metrics.consolidation
    took = GaugeMetricFamily(
        "memdesk_consolidation_lag_seconds", "From a last turn to its consolidation.", labels=("quantile",)
    )
    for quantile, seconds in zip(QUANTILES, (lag.p50_s, lag.p95_s, lag.p99_s), strict=True):
        took.add_metric((quantile,), seconds)
    yield took
    yield GaugeMetricFamily("memdesk_consolidation_waiting", "Conversations with unread turns.", lag.waiting)
    yield GaugeMetricFamily(
        "memdesk_consolidation_oldest_waiting_seconds", "Age of the oldest unread turn.", lag.oldest_waiting_s
    )


def _jobs(metrics: Metrics) -> Iterator[Metric]:
    runs = GaugeMetricFamily("memdesk_job_runs", "Runs of jobs on record.", labels=("job", "state"))
    last = GaugeMetricFamily("memdesk_job_last_seconds", "What a job's latest run took.", labels=("job",))
    ended = GaugeMetricFamily(
        "memdesk_job_last_finished_timestamp_seconds", "When a job's latest run ended.", labels=("job",)
    )
    for name, job in metrics.jobs.items():
        for state, count in job.runs.items():
            runs.add_metric((name, state), count)
        if job.last_s is not None and job.last_finished is not None:
            last.add_metric((name,), job.last_s)
            ended.add_metric((name,), job.last_finished.timestamp())
    yield from (runs, last, ended)
    newest = metrics.decay[-1:]
    decayed = [
        pair
        for day in newest
        for pair in (("entities", day.faded_entities), ("facts", day.faded_facts), ("retired", day.retired))
    ]
    yield _labelled("memdesk_decayed", "What decay counted on its latest day.", "what", decayed)


def _service(metrics: Metrics) -> Iterator[Metric]:
    writes = metrics.writes
    grouped = SummaryMetricFamily("memdesk_write_group_size", "Writes that one commit carried.")
    grouped.add_metric((), count_value=writes.groups, sum_value=writes.pieces)
    yield grouped
    yield _counted("memdesk_writes_refused", "Writes rolled back, by error.", "code", writes.refused.items())
    yield _counted("memdesk_errors", "Answers that were errors, by error.", "code", metrics.errors.items())
    yield _counted(
        "memdesk_events", "Events of the timeline, by operation.", "operation", metrics.events.items()
    )


def _labelled(name: str, says: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    family = GaugeMetricFamily(name, says, labels=(label,))
    for value, number in values:
        family.add_metric((value,), number)
    return family


def _counted(name: str, says: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    family = CounterMetricFamily(name, says, labels=(label,))
    for value, number in values:
        family.add_metric((value,), number)
    return family
