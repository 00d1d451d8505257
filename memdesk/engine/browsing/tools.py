"""Tool calls one by one, and the success of each tool."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from memdesk.engine.browsing.paging import cursor, cut, next_page
from memdesk.engine.engine import Engine
from memdesk.model.instant import to_datetime
from memdesk.model.procedure import TOOL_CALL, ToolCall
from memdesk.model.procedures import (
    AskToolCall,
    AskToolStats,
    ListToolCalls,
    ToolCallRow,
    ToolCallsPage,
    ToolCallView,
    ToolStats,
    ToolStatsList,
    ToolUse,
)
from memdesk.model.turn import TURN
from memdesk.store import procedures, records, semantic
from memdesk.store.connection import Connection

SHOWN_CHARACTERS = 500
"""Most characters of an input or an output in a list (OpenLegion keeps no more of an outcome at all)."""


def tool_calls(engine: Engine, ask: ListToolCalls) -> ToolCallsPage:
    """Return recorded calls, newest first."""
    with engine.store.reading() as db:
        asked = next_page(db, ask)
        found = procedures.list_calls(
            db, asked, conversation_id=ask.conversation_id, tool_name=ask.tool_name or None,
            task_type=ask.task_type or None, agent_id=ask.agent_id, success=ask.success,
        )  # fmt: skip
        page, last = cut(found, ask.limit)
        rows = _rows(db, page)
    return ToolCallsPage(rows=rows, next=None if last is None else cursor(last.created_at, last.seq))


def tool_call(engine: Engine, ask: AskToolCall) -> ToolCallView:
    """Return one recorded call in full. Raises NotFound."""
    with engine.store.reading() as db:
        call: ToolCall = records.need(db, TOOL_CALL, ask.invocation_id)
        (row,) = _rows(db, [call])
    return ToolCallView(
        row=row, tool_input=json.loads(call.tool_input),
        tool_output=None if call.tool_output is None else json.loads(call.tool_output),
        retired=call.retired_at is not None,
    )  # fmt: skip


def tool_stats(engine: Engine, ask: AskToolStats) -> ToolStatsList:
    """Return the success and latency of tools, most used first, by task type. Reads stored sums, not the call
    history."""
    with engine.store.reading() as db:
        found = procedures.use_of_tools(
            db, user_id=ask.user_id, channels=semantic.channels_standing(db, ask.user_id, ask.channels),
            task_type=ask.task_type,
            tool_name=ask.tool_name,
        )  # fmt: skip
    tools = [_stats(name, list(rows)) for name, rows in groupby(sorted(found), key=lambda row: row[0])]
    return ToolStatsList(
        rows=tuple(sorted(tools, key=lambda tool: (-tool.total.usage_count, tool.tool_name)))
    )


def _rows(db: Connection, calls: Sequence[ToolCall]) -> tuple[ToolCallRow, ...]:
    turns = records.many(db, TURN, "id", sorted({call.turn_id for call in calls if call.turn_id}))
    indexes = {turn.id: turn.turn_index for turn in turns}
    return tuple(_row(call, indexes.get(call.turn_id)) for call in calls)


def _row(call: ToolCall, turn_index: int | None) -> ToolCallRow:
    return ToolCallRow(
        id=call.id, tool_name=call.tool_name, task_type=call.task_type,
        success=None if call.success is None else bool(call.success), latency_ms=call.latency_ms,
        error_message=call.error_message, tool_input=_beginning(call.tool_input),
        tool_output=None if call.tool_output is None else _beginning(call.tool_output),
        conversation_id=call.conversation_id, turn_id=call.turn_id, turn_index=turn_index, channel=call.channel,
        agent_id=call.agent_id, timestamp=to_datetime(call.created_at),
    )  # fmt: skip


def _beginning(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def _stats(name: str, rows: Sequence[tuple[Any, ...]]) -> ToolStats:
    uses = [_use(task, [counts]) for _, task, *counts in rows]
    return ToolStats(
        tool_name=name, total=_use("", [row[2:] for row in rows]),
        by_task=tuple(sorted(uses, key=lambda use: (-use.usage_count, use.task_type))),
    )  # fmt: skip


def _use(task_type: str, counts: Iterable[Sequence[int]]) -> ToolUse:
    used, worked, failed, latency, timed = (sum(column) for column in zip(*counts, strict=True))
    return ToolUse(
        task_type=task_type, usage_count=used, success_count=worked, failure_count=failed,
        success_rate=worked / (worked + failed) if worked + failed else None,
        avg_latency_ms=latency / timed if timed else None,
    )  # fmt: skip
