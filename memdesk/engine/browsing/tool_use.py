"""Tool use over time: how long the latest calls took, the last errors, and the calls of each day.

The sums that tools are judged by are in `tools`; this module reads calls, only the latest ones of each tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from memdesk.engine.browsing.curve import day_start
from memdesk.engine.engine import Engine
from memdesk.engine.recall_metrics import percentile
from memdesk.model.errors import BadAsk
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.procedures import (
    AskToolDays,
    AskToolSpread,
    ToolDay,
    ToolDays,
    ToolError,
    ToolSpread,
    ToolSpreadList,
)
from memdesk.store import procedures, semantic
from memdesk.store.procedures import LateCall

LATEST = 1_000
"""Calls read per tool: enough for its slowest twentieth to be fifty calls."""
DAYS_AT_MOST = 366


def tool_spread(engine: Engine, ask: AskToolSpread) -> ToolSpreadList:
    """Return the latencies and the last error of each tool's latest calls, for all its calls and by task
    type."""
    with engine.store.reading() as db:
        channels = semantic.channels_standing(db, ask.user_id, ask.channels)
        used = procedures.use_of_tools(
            db, user_id=ask.user_id, channels=channels, task_type=ask.task_type, tool_name=ask.tool_name
        )
        rows: list[ToolSpread] = []
        for name in sorted({row[0] for row in used}):
            calls = procedures.latest_calls(
                db,
                user_id=ask.user_id,
                channels=channels,
                tool_name=name,
                task_type=ask.task_type,
                limit=LATEST,
            )
            rows += _spreads(name, calls)
    return ToolSpreadList(of_latest=LATEST, rows=tuple(rows))


def tool_days(engine: Engine, ask: AskToolDays) -> ToolDays:
    """Return the calls of a tool per day, in the viewer's time zone. Raises BadAsk for a number of days out
    of range."""
    if not 1 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(f"days lies between 1 and {DAYS_AT_MOST}.")
    if abs(ask.utc_offset_minutes) > 24 * 60:
        raise BadAsk("utc_offset_minutes lies within a day.")
    since = day_start(engine.clock(), ask.utc_offset_minutes) - (ask.days - 1) * DAY
    first = (to_datetime(since) + timedelta(minutes=ask.utc_offset_minutes)).date()
    with engine.store.reading() as db:
        found = procedures.days_of_tool(
            db, user_id=ask.user_id, channels=semantic.channels_standing(db, ask.user_id, ask.channels),
            tool_name=ask.tool_name, task_type=ask.task_type, since=since, days=ask.days,
        )  # fmt: skip
    return ToolDays(
        rows=tuple(_day(first + timedelta(days=each), found.get(each)) for each in range(ask.days))
    )


def _spreads(name: str, calls: Sequence[LateCall]) -> list[ToolSpread]:
    """Return the figures of a tool, then those of each task type. calls: newest first; without current calls
    there are none."""
    if not calls:
        return []
    tasks = sorted({call.task_type for call in calls})
    parts: list[tuple[str | None, Iterable[LateCall]]] = [(None, calls)]
    parts += [(task, [call for call in calls if call.task_type == task]) for task in tasks]
    return [_spread(name, task, list(part)) for task, part in parts]


def _spread(name: str, task_type: str | None, calls: Sequence[LateCall]) -> ToolSpread:
    timed = sorted(call.latency_ms for call in calls if call.latency_ms is not None)
    failed = next((call for call in calls if call.success == 0), None)
    return ToolSpread(
        tool_name=name, task_type=task_type, calls=len(calls), median_latency_ms=_percentile(timed, 50),
        p95_latency_ms=_percentile(timed, 95), last_used=to_datetime(calls[0].created_at),
        last_error=None if failed is None else ToolError(
            invocation_id=failed.id, message=failed.error_message, at=to_datetime(failed.created_at)
        ),
    )  # fmt: skip


def _percentile(timed: Sequence[int], percent: int) -> int | None:
    return int(percentile(timed, percent)) if timed else None


def _day(day: date, counts: procedures.DayCounts | None) -> ToolDay:
    used, worked, failed, latency, timed = counts or (0, 0, 0, 0, 0)
    return ToolDay(
        day=day, usage_count=used, success_count=worked, failure_count=failed,
        avg_latency_ms=latency / timed if timed else None,
    )  # fmt: skip
