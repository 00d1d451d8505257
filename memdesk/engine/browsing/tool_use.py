"""Tool calls and strategies for a person: their success, durations, errors and outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby
from typing import Any, TypeVar

from memdesk.engine.browsing.heatmap import day_start
from memdesk.engine.browsing.lists import checked_limit, cursor, next_page, parse_cursor, split_page
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import row_of, strategy_row
from memdesk.engine.recall_cache import percentile
from memdesk.model.errors import BadAsk
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.message import message
from memdesk.model.strategy import (
    STRATEGY,
    AskStrategy,
    ListStrategies,
    OutcomeRow,
    StrategiesPage,
    StrategyView,
)
from memdesk.model.tool_call import (
    TOOL_CALL,
    AskToolCall,
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    ToolCall,
    ToolCallRow,
    ToolCallsPage,
    ToolCallView,
    ToolDay,
    ToolDays,
    ToolError,
    ToolSpread,
    ToolSpreadList,
    ToolStats,
    ToolStatsList,
    ToolUse,
)
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import procedures, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.procedures import UNTRIED, LateCall
from memdesk.store.records import Walk

SHOWN_CHARACTERS = 500
"""Most characters of an input or an output in a list (OpenLegion keeps no more of an outcome at all)."""


def tool_calls(engine: Engine, ask: ListToolCalls) -> ToolCallsPage:
    """Return recorded calls, newest first."""
    with engine.store.reading() as db:
        asked = next_page(db, ask)
        found = procedures.list_calls(
            db,
            asked,
            conversation_id=ask.conversation_id,
            tool_name=ask.tool_name or None,
            task_type=ask.task_type or None,
            agent_id=ask.agent_id,
            success=ask.success,
        )
        page, last = split_page(found, ask.limit)
        rows = _rows(db, page)
    return ToolCallsPage(rows=rows, next=None if last is None else cursor(last.created_at, last.seq))


def tool_call(engine: Engine, ask: AskToolCall) -> ToolCallView:
    """Return one recorded call in full. Raises NotFound."""
    with engine.store.reading() as db:
        call = records.need(db, TOOL_CALL, ask.invocation_id)
        (row,) = _rows(db, [call])
    return ToolCallView(
        row=row,
        tool_input=json.loads(call.tool_input),
        tool_output=None if call.tool_output is None else json.loads(call.tool_output),
        retired=call.retired_at is not None,
    )


def tool_stats(engine: Engine, ask: AskToolStats) -> ToolStatsList:
    """Return the success and latency of tools, most used first, by task type. Reads stored sums, not the call
    history."""
    with engine.store.reading() as db:
        found = procedures.use_of_tools(db, _in_present_channels(db, ask))
    tools = [_stats(name, list(rows)) for name, rows in groupby(sorted(found), key=lambda row: row[0])]
    return ToolStatsList(
        rows=tuple(sorted(tools, key=lambda tool: (-tool.total.usage_count, tool.tool_name)))
    )


def _rows(db: Connection, calls: Sequence[ToolCall]) -> tuple[ToolCallRow, ...]:
    turns = records.many(db, TURN, "id", sorted({call.turn_id for call in calls if call.turn_id}))
    indexes = {turn.id: turn.turn_index for turn in turns}
    return tuple(_row(call, indexes.get(call.turn_id or "")) for call in calls)


def _row(call: ToolCall, turn_index: int | None) -> ToolCallRow:
    return row_of(
        ToolCallRow,
        call,
        tool_input=_beginning(call.tool_input),
        tool_output=None if call.tool_output is None else _beginning(call.tool_output),
        turn_index=turn_index,
        timestamp=to_datetime(call.created_at),
    )


def _beginning(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def _stats(name: str, rows: Sequence[tuple[Any, ...]]) -> ToolStats:
    uses = [_use(task, [counts]) for _, task, *counts in rows]
    return ToolStats(
        tool_name=name,
        total=_use("", [row[2:] for row in rows]),
        by_task=tuple(sorted(uses, key=lambda use: (-use.usage_count, use.task_type))),
    )


def _use(task_type: str, counts: Iterable[Sequence[int]]) -> ToolUse:
    used, worked, failed, latency, timed = (sum(column) for column in zip(*counts, strict=True))
    return ToolUse(
        task_type=task_type,
        usage_count=used,
        success_count=worked,
        failure_count=failed,
        success_rate=worked / (worked + failed) if worked + failed else None,
        avg_latency_ms=latency / timed if timed else None,
    )


Asked = TypeVar("Asked", AskToolStats, AskToolSpread, AskToolDays)
LATEST = 1_000
"""Calls read per tool: enough for its slowest twentieth to be fifty calls."""
DAYS_AT_MOST = 366


def tool_spread(engine: Engine, ask: AskToolSpread) -> ToolSpreadList:
    """Return the latencies and the last error of each tool's latest calls, for all its calls and by task type."""
    with engine.store.reading() as db:
        wanted = _in_present_channels(db, ask)
        names = sorted({row[0] for row in procedures.use_of_tools(db, wanted)})
        rows: list[ToolSpread] = []
        for name in names:
            rows += _spreads(name, procedures.latest_calls(db, wanted, name, LATEST))
    return ToolSpreadList(of_latest=LATEST, rows=tuple(rows))


def tool_days(engine: Engine, ask: AskToolDays) -> ToolDays:
    """Return the calls of a tool per day, in the viewer's time zone. Raises BadAsk for a number of days out
    of range."""
    if not 1 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(message("days lies between 1 and {count}.", count=DAYS_AT_MOST))
    if abs(ask.utc_offset_minutes) > 24 * 60:
        raise BadAsk(message("utc_offset_minutes lies within a day."))
    since = day_start(engine.clock(), ask.utc_offset_minutes) - (ask.days - 1) * DAY
    first = (to_datetime(since) + timedelta(minutes=ask.utc_offset_minutes)).date()
    with engine.store.reading() as db:
        found = procedures.days_of_tool(db, _in_present_channels(db, ask), since)
    return ToolDays(
        rows=tuple(_day(first + timedelta(days=each), found.get(each)) for each in range(ask.days))
    )


def _in_present_channels(db: Connection, ask: Asked) -> Asked:
    return replace(ask, channels=semantic.current_channels(db, ask.user_id, ask.channels))


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
        tool_name=name,
        task_type=task_type,
        calls=len(calls),
        median_latency_ms=_percentile(timed, 50),
        p95_latency_ms=_percentile(timed, 95),
        last_used=to_datetime(calls[0].created_at),
        last_error=None
        if failed is None
        else ToolError(
            invocation_id=failed.id, message=failed.error_message, at=to_datetime(failed.created_at)
        ),
    )


def _percentile(timed: Sequence[int], percent: int) -> int | None:
    return int(percentile(timed, percent)) if timed else None


def _day(day: date, counts: procedures.DayCounts | None) -> ToolDay:
    used, worked, failed, latency, timed = counts or (0, 0, 0, 0, 0)
    return ToolDay(
        day=day,
        usage_count=used,
        success_count=worked,
        failure_count=failed,
        avg_latency_ms=latency / timed if timed else None,
    )


OUTCOMES_SHOWN = 100


def strategies(engine: Engine, ask: ListStrategies) -> StrategiesPage:
    """Return strategies, newest first. Raises BadAsk for an unknown state."""
    limit, after = checked_limit(ask.limit), parse_cursor(ask.after)
    if ask.state not in procedures.STATES:
        raise BadAsk(message("state should be one of {list}.", list=", ".join(procedures.STATES)))
    with engine.store.reading() as db:
        channels = semantic.current_channels(db, ask.user_id, ask.channels)
        asked = Walk(user_id=ask.user_id, channels=channels, after=after, limit=limit + 1)
        found = procedures.list_strategies(
            db, asked, text=ask.text.strip(), tool_name=ask.tool_name, state=ask.state
        )
        page, last = split_page(found, limit)
        tallied = procedures.tallies(db, [each.id for each in page])
    rows = tuple(strategy_row(each, tallied.get(each.id, UNTRIED)) for each in page)
    return StrategiesPage(rows=rows, next=None if last is None else cursor(last.created_at, last.seq))


def strategy(engine: Engine, ask: AskStrategy) -> StrategyView:
    """Return a strategy with its latest outcomes, good and bad. Raises NotFound."""
    with engine.store.reading() as db:
        found = records.need(db, STRATEGY, ask.strategy_id)
        tally = procedures.tallies(db, [found.id]).get(found.id, UNTRIED)
        outcomes = procedures.latest_outcomes(db, found.id, OUTCOMES_SHOWN)
        talks = sorted({each.conversation_id for each in outcomes if each.conversation_id})
        titles = {talk.id: talk.title for talk in records.many(db, CONVERSATION, "id", talks)}
    return StrategyView(
        strategy=strategy_row(found, tally),
        outcomes=tuple(
            OutcomeRow(
                id=each.id,
                success=bool(each.success),
                conversation_id=each.conversation_id,
                conversation_title=titles.get(each.conversation_id or ""),
                at=to_datetime(each.created_at),
            )
            for each in outcomes
        ),
    )
