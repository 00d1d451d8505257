"""Rows and columns of the table of tools: each tool, and below it its task types if there are several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.procedures import success
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.paint import draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.procedures import ToolSpread, ToolStats, ToolUse

INDENT_PX = 18
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow:
    """Use of a tool, in total or for one task type. task_type: None for the total; spread: None if it is
    unknown.

    only_task: the only task type the tool was called for; empty for several, and for none."""

    tool_name: str
    task_type: str | None
    use: ToolUse
    spread: ToolSpread | None
    only_task: str = ""

    @property
    def id(self) -> str:
        return self.tool_name if self.task_type is None else f"{self.tool_name}\n{self.task_type}"


def tool_rows(
    stats: Sequence[ToolStats], spreads: Sequence[ToolSpread], by: str, *, descending: bool
) -> list[ToolRow]:
    """Return the tools in an order, each followed by its task types if it has several."""
    known = {(spread.tool_name, spread.task_type): spread for spread in spreads}
    whole = [
        ToolRow(
            tool_name=tool.tool_name, task_type=None, use=tool.total, spread=known.get((tool.tool_name, None))
        )
        for tool in stats
    ]
    parts = {tool.tool_name: tool.by_task for tool in stats}
    rows: list[ToolRow] = []
    for row in _ordered(whole, by, descending=descending):
        tasks = parts[row.tool_name]
        rows.append(replace(row, only_task=tasks[0].task_type if len(tasks) == 1 else ""))
        if len(tasks) > 1:
            rows += [
                ToolRow(
                    tool_name=row.tool_name, task_type=use.task_type, use=use,
                    spread=known.get((row.tool_name, use.task_type)),
                )
                for use in tasks
            ]  # fmt: skip
    return rows


def _ordered(rows: Sequence[ToolRow], by: str, *, descending: bool) -> list[ToolRow]:
    """Return the rows in an order; rows without a value come last in both directions."""
    if by == "name":
        return sorted(rows, key=lambda row: row.tool_name.casefold(), reverse=descending)
    values = {row.id: _value(row, by) for row in rows}
    known = [row for row in rows if values[row.id] is not None]
    known.sort(key=lambda row: values[row.id] or 0.0, reverse=descending)
    return [*known, *(row for row in rows if values[row.id] is None)]


def _value(row: ToolRow, by: str) -> float | None:
    spread = row.spread
    match by:
        case "calls":
            return row.use.usage_count
        case "success":
            return row.use.success_rate
        case "median":
            return None if spread is None else spread.median_latency_ms
        case "p95":
            return None if spread is None else spread.p95_latency_ms
        case _:
            return None if spread is None else (spread.last_used - LONG_AGO).total_seconds()


def columns() -> tuple[Column[ToolRow], ...]:
    """Return the columns: tool, calls, success, durations, last use and last error."""
    return (
        Column(title=tr("Tool"), text=name, paint=_paint_name, sort="name", tip=lambda row: plain(name(row))),
        Column(
            title=tr("Calls"), text=lambda row: times.count(row.use.usage_count), width=74, numeric=True, sort="calls"
        ),
        Column(
            title=tr("Worked"), text=lambda row: success.words(row.use.success_rate, tried(row)), width=178,
            paint=lambda painter, area, row, _: success.paint(
                painter, area, row.use.success_rate, tried(row)
            ),
            sort="success",
        ),
        Column(title=tr("Median"), text=_median, width=80, numeric=True, sort="median", hidden_below=560),
        Column(title=tr("95th"), text=_p95, width=80, numeric=True, sort="p95", hidden_below=660, tip=lambda _: plain(
            tr("One call in twenty took longer"))),
        Column(
            title=tr("Last used"), text=_last, width=112, sort="used", hidden_below=760,
            tip=lambda row: times.full(row.spread.last_used) if row.spread else "",
        ),
        Column(
            title=tr("Last error"), text=error, width=190, token="bad", hidden_below=860,
            tip=lambda row: plain(error(row)),
        ),
    )  # fmt: skip


def tried(row: ToolRow) -> int:
    """Return the number of calls with a known outcome."""
    return row.use.success_count + row.use.failure_count


def name(row: ToolRow) -> str:
    """Return the name of the tool, or of the task type."""
    if row.task_type is not None:
        return row.task_type or tr("no type of task")
    return f"{row.tool_name}, {row.only_task}" if row.only_task else row.tool_name


def error(row: ToolRow) -> str:
    """Return the message of the last failed call; empty if there is none."""
    if row.spread is None or row.spread.last_error is None:
        return ""
    return " ".join(row.spread.last_error.message.split()) or tr("failed without a word")


def _median(row: ToolRow) -> str:
    return success.milliseconds(row.spread.median_latency_ms if row.spread else None)


def _p95(row: ToolRow) -> str:
    return success.milliseconds(row.spread.p95_latency_ms if row.spread else None)


def _last(row: ToolRow) -> str:
    return times.ago(row.spread.last_used) if row.spread else ""


def _paint_name(painter: QPainter, area: QRectF, row: ToolRow, state: RowState) -> None:
    if row.task_type is None:
        taken = draw_text(painter, area, row.tool_name, look.font(12, mono=True), c("t1"))
        draw_text(painter, area.adjusted(taken + 10, 0, 0, 0), row.only_task, look.font(12), c("t3"))
    else:
        draw_text(painter, area.adjusted(INDENT_PX, 0, 0, 0), name(row), look.font(12), c("t2"))
