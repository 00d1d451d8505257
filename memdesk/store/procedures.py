"""Reads of procedural memory: outcomes of strategies, statistics of tools, and tool calls of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.model.instant import DAY
from memdesk.model.strategy import OUTCOME, STRATEGY, Outcome, Strategy
from memdesk.model.tool_call import TOOL_CALL, AskToolDays, AskToolSpread, AskToolStats, ToolCall
from memdesk.model.turn import TURN, Turn
from memdesk.store.connection import Connection, conditions
from memdesk.store.records import Walk, columns_of, find, many, read, read_all, rows_among, walk

_STATES = {"current": " AND retired_at IS NULL", "retired": " AND retired_at IS NOT NULL", "all": ""}
STATES = tuple(_STATES)
_NARROW = {"conversation_id": "tool_calls_conversation", "tool_name": "tool_calls_name"}
"""Columns that narrow tool calls more than their time does, the narrowest first, with their indexes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts of a strategy's outcomes, and when it was last used (UTC microseconds; None for never)."""

    successes: int = 0
    failures: int = 0
    last_used: int | None = None

    @property
    def rate(self) -> float | None:
        """Share of successes, None for a strategy that was never tried."""
        tried = self.successes + self.failures
        return self.successes / tried if tried else None


UNTRIED = Tally()


@dataclass(frozen=True, slots=True)
class LateCall:
    """Recent call of a tool. success: 1, 0, or None if unknown."""

    id: str
    task_type: str
    success: int | None
    latency_ms: int | None
    error_message: str
    created_at: int


DayCounts = tuple[int, int, int, int, int]
"""Counts of one day: calls, successes, failures, the sum of latencies in ms, and calls with a latency."""


def tallies(db: Connection, strategy_ids: Sequence[str]) -> dict[str, Tally]:
    """Return the outcome counts of these strategies; those never tried are left out."""
    sql = (
        "SELECT strategy_id, sum(success), sum(1 - success), max(created_at) FROM outcomes "
        "WHERE strategy_id IN (*) AND retired_at IS NULL GROUP BY strategy_id"
    )
    return {
        id: Tally(successes=successes, failures=failures, last_used=last_used)
        for id, successes, failures, last_used in rows_among(db, sql, strategy_ids)
    }


def calls_at(db: Connection, conversation_id: str, first: int, last: int) -> list[tuple[int, ToolCall]]:
    """Return the tool calls of these turns of a conversation, each with the index of its turn, in order."""
    columns = columns_of(TOOL_CALL, qualified=True)
    rows = db.rows(
        f"SELECT turn_index, {columns} FROM turns JOIN tool_calls ON tool_calls.turn_id = turns.id "
        "WHERE turns.conversation_id = ? AND turn_index BETWEEN ? AND ? AND tool_calls.retired_at IS NULL "
        "ORDER BY turn_index, tool_calls.seq",
        (conversation_id, first, last),
    )
    return [(index, call) for index, *row in rows if (call := read(db, TOOL_CALL, row)) is not None]


def latest_outcomes(db: Connection, strategy_id: str, limit: int) -> list[Outcome]:
    """Return the newest outcomes of a strategy, newest first."""
    rows = db.rows(
        f"SELECT {columns_of(OUTCOME)} FROM outcomes WHERE strategy_id = ? AND retired_at IS NULL "
        "ORDER BY seq DESC LIMIT ?",
        (strategy_id, limit),
    )
    return read_all(db, OUTCOME, rows)


def conversations_tried(db: Connection, strategy_id: str) -> set[str]:
    """Return the conversations in which a strategy has an outcome."""
    rows = db.rows(
        "SELECT DISTINCT conversation_id FROM outcomes WHERE strategy_id = ? AND conversation_id IS NOT NULL "
        "AND retired_at IS NULL",
        (strategy_id,),
    )
    return {row[0] for row in rows}


def strategies_using(db: Connection, user_id: str, channel: str, tool_sequence: str) -> list[Strategy]:
    """Return the strategies of a channel with exactly this sequence of tools (JSON as stored), retired ones
    too, oldest first."""
    return find(db, STRATEGY, user_id=user_id, channel=channel, tool_sequence=tool_sequence)


def list_strategies(db: Connection, asked: Walk, *, text: str, tool_name: str, state: str) -> list[Strategy]:
    """Return strategies in order of creation. text, tool_name: only those with it; empty for any."""
    where, params = _STATES[state], list[str]()
    if text:
        where += " AND instr(lower(description || char(10) || context_pattern), lower(?)) > 0"
        params.append(text)
    if tool_name:
        where += " AND EXISTS (SELECT 1 FROM json_each(tool_sequence) WHERE value = ?)"
        params.append(tool_name)
    return walk(db, STRATEGY, replace(asked, where=where, params=tuple(params)))


def list_calls(db: Connection, asked: Walk, **wanted: str | bool | None) -> list[ToolCall]:
    """Return current tool calls in the order of their time. wanted: column values, None for any."""
    named = {name: value for name, value in wanted.items() if value is not None}
    index = next((_NARROW[name] for name in _NARROW if name in named), None)
    where = " AND retired_at IS NULL" + "".join(f" AND {name} = ?" for name in named)
    return walk(db, TOOL_CALL, replace(asked, where=where, params=tuple(named.values()), index=index))


OfTools = AskToolStats | AskToolSpread | AskToolDays
"""Requests about the calls of tools. Their channels are the present ones."""


def use_of_tools(db: Connection, wanted: OfTools) -> list[tuple[str, str, int, int, int, int, int]]:
    """Return (tool, task type, uses, successes, failures, sum of latencies in ms, calls with a latency), by
    tool and task."""
    where, params = _of_tool(wanted, wanted.tool_name)
    rows: list[Any] = db.rows(
        "SELECT tool_name, task_type, sum(usage_count), sum(success_count), sum(failure_count), sum(latency_ms), "
        f"sum(latency_count) FROM tool_stats WHERE {where} GROUP BY tool_name, task_type",
        params,
    )
    return rows


def latest_calls(db: Connection, wanted: OfTools, tool_name: str, limit: int) -> list[LateCall]:
    """Return the latest current calls of a tool, newest first."""
    where, params = _of_tool(wanted, tool_name)
    rows = db.rows(
        "SELECT id, task_type, success, latency_ms, error_message, created_at FROM tool_calls "
        f"INDEXED BY tool_calls_name WHERE {where} AND retired_at IS NULL "
        "ORDER BY created_at DESC, seq DESC LIMIT ?",
        (*params, limit),
    )
    return [LateCall(*row) for row in rows]


def days_of_tool(db: Connection, wanted: AskToolDays, since: int) -> dict[int, DayCounts]:
    """Return a tool's current calls by day, counted from `since` (UTC microseconds) on; days without calls
    are left out."""
    where, params = _of_tool(wanted, wanted.tool_name)
    rows = db.rows(
        "SELECT (created_at - ?) / ? AS day, count(*), count(*) FILTER (WHERE success = 1), "
        "count(*) FILTER (WHERE success = 0), coalesce(sum(latency_ms), 0), "
        f"count(latency_ms) FROM tool_calls INDEXED BY tool_calls_name WHERE {where} AND retired_at IS NULL "
        "AND created_at >= ? AND created_at < ? GROUP BY day",
        (since, DAY, *params, since, since + wanted.days * DAY),
    )
    return {day: (used, worked, failed, took, timed) for day, used, worked, failed, took, timed in rows}


def _of_tool(wanted: OfTools, tool_name: str) -> tuple[str, list[Any]]:
    compared = {
        "user_id = ?": wanted.user_id,
        "tool_name = ?": tool_name or None,
        "task_type = ?": wanted.task_type,
    }
    return conditions(compared, {"channel": wanted.channels})


def conversations_unread(db: Connection) -> list[tuple[str, str, str]]:
    """Return (id, user, channel) of conversations with calls newer than those read for strategies, oldest
    first."""
    rows: list[Any] = db.rows(
        "SELECT id, user_id, channel FROM conversations WHERE retired_at IS NULL AND EXISTS (SELECT 1 FROM tool_calls "
        "WHERE conversation_id = conversations.id AND tool_calls.retired_at IS NULL "
        "AND (patterns_at IS NULL OR created_at > patterns_at)) ORDER BY started_at, seq"
    )
    return rows


def conversations_with_calls(db: Connection, user_id: str, channel: str, limit: int) -> list[str]:
    """Return the conversations of a channel that have tool calls, the latest to begin first."""
    rows = db.rows(
        "SELECT id FROM conversations WHERE user_id = ? AND channel = ? AND retired_at IS NULL AND EXISTS "
        "(SELECT 1 FROM tool_calls WHERE conversation_id = conversations.id AND tool_calls.retired_at IS NULL) "
        "ORDER BY started_at DESC, seq DESC LIMIT ?",
        (user_id, channel, limit),
    )
    return [row[0] for row in rows]


def calls_of(db: Connection, conversation_ids: Sequence[str]) -> dict[str, list[ToolCall]]:
    """Return the current calls of each of these conversations in the order of their time."""
    found: dict[str, list[ToolCall]] = {id: [] for id in conversation_ids}
    calls = many(db, TOOL_CALL, "conversation_id", list(conversation_ids))
    for call in sorted(calls, key=lambda each: (each.created_at, each.seq)):
        if call.retired_at is None and call.conversation_id is not None:
            found[call.conversation_id].append(call)
    return found


def spoken_ends(db: Connection, conversation_id: str) -> tuple[Turn | None, Turn | None]:
    """Return the first and the last turn of a person in a conversation."""
    ends = []
    for order in ("ASC", "DESC"):
        row = db.row(
            f"SELECT {columns_of(TURN)} FROM turns WHERE conversation_id = ? AND role IN ('user', 'human') "
            f"AND retired_at IS NULL ORDER BY turn_index {order} LIMIT 1",
            (conversation_id,),
        )
        ends.append(None if row is None else read(db, TURN, row))
    return ends[0], ends[1]
