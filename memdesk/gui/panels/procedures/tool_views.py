"""Details of one tool: its use by day, and its calls one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QEvent, QRect, QRectF, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.panels.procedures import strategies_view
from memdesk.gui.panels.procedures.strategies_view import milliseconds
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import Action, DetailLine, DetailLines, Heading, Item, RecordDetail
from memdesk.gui.widgets import Column, Empty, RowState, Segments, Text, column, row
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, draw_text
from memdesk.gui.widgets.text import tip_text
from memdesk.model.tool_call import ToolCallRow, ToolDay, ToolSpread, ToolStats, ToolUse

HEIGHT_PX, AXIS_PX, LEAST_PX = 92, 16, 2


class Days(QWidget):
    """Bar chart of calls. Failed calls are red, with a gap; above them, successful and unknown calls are in
    the accent colour."""

    def __init__(self) -> None:
        super().__init__()
        self._days: tuple[ToolDay, ...] = ()
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_days(self, days: Sequence[ToolDay]) -> None:
        """Show these days, the oldest first."""
        self._days = tuple(days)
        calls, failed = sum(day.usage_count for day in days), sum(day.failure_count for day in days)
        busy = max(days, key=lambda day: day.usage_count, default=None)
        said = [tr("%Ln call(s)", "", calls), tr("%Ln failed", "", failed)]
        if busy is not None and calls:
            day, number = formatting.date_of(busy.day), f"{busy.usage_count:,}"
            said.append(tr("most on {day}: {number}", day=day, number=number))
        self.setAccessibleName(tr("{number} days by day", number=len(self._days)))
        self.setAccessibleDescription(", ".join(said))
        self.update()

    def _bar(self, place: int) -> QRect:
        """Return the column of a day, from edge to edge."""
        left, right = (round(self.width() * n / len(self._days)) for n in (place, place + 1))
        return QRect(left, 0, right - left, self.height() - AXIS_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars above a line, the first day, today, and the highest count."""
        painter = QPainter(self)
        base = self.height() - AXIS_PX
        painter.fillRect(0, base, self.width(), 1, c("line2"))
        most = max((day.usage_count for day in self._days), default=0)
        if not self._days:
            return
        for place, day in enumerate(self._days):
            self._paint_day(painter, place, day, most)
        axis = QRectF(0, base + 2, self.width(), AXIS_PX - 2)
        face = look.font(10, 500)
        draw_text(painter, axis, formatting.date_of(self._days[0].day), face, c("t3"), LEFT)
        draw_text(painter, axis, tr("today"), face, c("t3"), RIGHT)
        if most:
            at_most = tr("at most {number} a day", number=f"{most:,}")
            draw_text(painter, axis, at_most, face, c("t3"), CENTER)

    def _paint_day(self, painter: QPainter, place: int, day: ToolDay, most: int) -> None:
        if not day.usage_count:
            return
        column = self._bar(place)
        gap = 1 if column.width() > 3 else 0
        room = column.height() - 6
        high = max(LEAST_PX, round(room * day.usage_count / most))
        failed = round(high * day.failure_count / day.usage_count)
        failed = max(LEAST_PX, failed) if day.failure_count else 0
        rest = max(0, high - failed - (1 if failed else 0))
        x, wide, base = column.x(), max(1, column.width() - gap), column.bottom() + 1
        painter.fillRect(x, base - failed, wide, failed, c("bad"))
        painter.fillRect(x, base - high, wide, rest, c("acc"))

    def event(self, event: QEvent) -> bool:
        """Show the numbers of a day in its tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._days:
            place = min(
                len(self._days) - 1, max(0, event.pos().x() * len(self._days) // max(1, self.width()))
            )
            QToolTip.showText(event.globalPos(), tip_text(said(self._days[place])), self, self._bar(place))
            return True
        return bool(super().event(event))


def said(day: ToolDay) -> str:
    """Return a day in words."""
    parts = [formatting.long_date(day.day), tr("%Ln call(s)", "", day.usage_count)]
    parts += [tr("%Ln failed", "", day.failure_count)] if day.failure_count else []
    if day.avg_latency_ms is not None:
        parts.append(tr("{time} on average", time=milliseconds(day.avg_latency_ms)))
    return ", ".join(parts)


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
    for tool_row in _ordered(whole, by, descending=descending):
        tasks = parts[tool_row.tool_name]
        rows.append(replace(tool_row, only_task=tasks[0].task_type if len(tasks) == 1 else ""))
        if len(tasks) > 1:
            rows += [
                ToolRow(
                    tool_name=tool_row.tool_name,
                    task_type=use.task_type,
                    use=use,
                    spread=known.get((tool_row.tool_name, use.task_type)),
                )
                for use in tasks
            ]
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
        Column(tr("Tool"), name, paint=_paint_name, sort="name", tip=lambda row: tip_text(name(row))),
        Column(
            tr("Calls"),
            lambda row: formatting.count(row.use.usage_count),
            width=74,
            numeric=True,
            sort="calls",
        ),
        Column(
            tr("Worked"),
            lambda row: strategies_view.words(row.use.success_rate, known_outcomes(row)),
            width=178,
            bar=lambda row: strategies_view.rate_bar(row.use.success_rate),
            bar_px=strategies_view.BAR_PX,
            sort="success",
        ),
        Column(tr("Median"), _median, width=80, numeric=True, sort="median", hidden_below=560),
        Column(
            tr("95th"),
            _p95,
            width=80,
            numeric=True,
            sort="p95",
            hidden_below=660,
            tip=lambda _: tip_text(tr("One call in twenty took longer")),
        ),
        Column(
            tr("Last used"),
            _last,
            width=112,
            sort="used",
            hidden_below=760,
            tip=lambda row: formatting.full(row.spread.last_used) if row.spread else "",
        ),
        Column(tr("Last error"), error, width=190, token="bad", hidden_below=860),
    )


def known_outcomes(row: ToolRow) -> int:
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
    return strategies_view.milliseconds(row.spread.median_latency_ms if row.spread else None)


def _p95(row: ToolRow) -> str:
    return strategies_view.milliseconds(row.spread.p95_latency_ms if row.spread else None)


def _last(row: ToolRow) -> str:
    return formatting.ago(row.spread.last_used) if row.spread else ""


def _paint_name(painter: QPainter, area: QRectF, row: ToolRow, state: RowState) -> None:
    if row.task_type is None:
        taken = draw_text(painter, area, row.tool_name, look.font(12, mono=True), c("t1"))
        draw_text(painter, area.adjusted(taken + 10, 0, 0, 0), row.only_task, look.font(12), c("t3"))
    else:
        draw_text(painter, area.adjusted(INDENT_PX, 0, 0, 0), name(row), look.font(12), c("t2"))


ACTS: dict[str, Action] = {
    "talk": (marked("Conversation"), "conversations", "C"),
    "whole": (marked("Whole call"), "inspector", "Enter"),
}
SPANS = ((30, marked("30 days")), (90, marked("90 days")), (365, marked("A year")))


class ToolDetail(RecordDetail):
    """Detail of a tool. Signals: led carries the id of a call; turned asks for other calls or days; more_asked
    asks for more calls."""

    turned = Signal()
    more_asked = Signal()

    def __init__(self, session: Session) -> None:
        self._calls: tuple[ToolCallRow, ...] = ()
        self.heading = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.figures = Text("", 12, "t2", wrap=True)
        self.span = Segments([(n, tr(says)) for n, says in SPANS], 30, name=tr("How many days"))
        self.days = Days()
        which = [("all", tr("All calls")), ("failed", tr("Failed"))]
        self.which = Segments(which, "all", name=tr("Which calls"))
        self.calls = DetailLines(tr("Calls of the tool"))
        spans, whichs = row(self.span, None), row(self.which, None)
        parts = (self.heading, self.figures, spans, self.days, whichs)
        head = column(*parts, gap=10, margins=(16, 14, 16, 6))
        nothing = Empty(tr("No tool is chosen."), tr("Choose one to see its days and its calls."))
        super().__init__(session, head, self.calls, ACTS, nothing=nothing)
        self.show_nothing()
        self.span.chosen.connect(lambda _: self.turned.emit())
        self.which.chosen.connect(lambda _: self.turned.emit())
        self.calls.picked.connect(lambda _: self.show_acts())
        self.acts.asked.connect(self._act)
        bar = self.calls.verticalScrollBar()
        bar.valueChanged.connect(lambda at: self.more_asked.emit() if at >= bar.maximum() > 0 else None)

    def show_tool(self, chosen: ToolRow, of_latest: int) -> None:
        """Show the figures of a tool. of_latest: the number of calls that its durations are computed from."""
        task = chosen.task_type or tr("no type of task")
        self.heading.setText(
            chosen.tool_name
            if chosen.task_type is None
            else tr("{tool} for {task}", tool=chosen.tool_name, task=task)
        )
        self.figures.setText(_figures(chosen, of_latest))

    def show_calls(self, calls: Sequence[ToolCallRow], *, more: bool) -> None:
        """Show the calls, newest first. more: True if there are older ones."""
        self._calls = tuple(calls)
        note = f"{len(calls):,}" + (tr(" and older ones") if more else "")
        lines: list[DetailLine] = [Heading(title=tr("Calls"), note=note if calls else tr("none"))]
        top = self.calls.verticalScrollBar().value()
        self.calls.show_lines([*lines, *(_call(each) for each in calls)])
        self.calls.executeDelayedItemsLayout()
        self.calls.verticalScrollBar().setValue(top)
        self.show_detail()

    def chosen_call(self) -> ToolCallRow | None:
        """Return the selected call, or None."""
        return next((each for each in self._calls if each.id == self.calls.opens), None)

    def shown_acts(self) -> tuple[str, ...]:
        """Return the actions available for the selected call."""
        call = self.chosen_call()
        return () if call is None else ("whole", "talk") if call.conversation_id else ("whole",)

    def why_not(self, act: str) -> str:
        """Return an empty text: these actions change nothing."""
        return ""

    def _act(self, act: str) -> None:
        call = self.chosen_call()
        if call is not None and act == "whole":
            self.led.emit(call.id)
        elif call is not None and call.conversation_id:
            self.talked.emit(call.conversation_id)


def _figures(chosen: ToolRow, of_latest: int) -> str:
    use, spread = chosen.use, chosen.spread
    parts = [tr("%Ln call(s)", "", use.usage_count)]
    parts.append(tr("worked {share}", share=strategies_view.words(use.success_rate, known_outcomes(chosen))))
    if spread is not None and spread.median_latency_ms is not None:
        parts.append(
            tr(
                "median {median}, 95th {p95}",
                median=strategies_view.milliseconds(spread.median_latency_ms),
                p95=strategies_view.milliseconds(spread.p95_latency_ms),
            )
        )
        if use.usage_count > of_latest:
            parts[-1] += tr(" of the latest {number}", number=f"{of_latest:,}")
    return " · ".join(parts)


def _call(call: ToolCallRow) -> Item:
    icon, tone = {True: ("check", "ok"), False: ("cross", "bad"), None: ("tools", "t3")}[call.success]
    parts = [formatting.minute(call.timestamp)]
    parts += [strategies_view.milliseconds(call.latency_ms)] if call.latency_ms is not None else []
    parts += [part for part in (call.task_type, call.agent_id, call.channel) if part]
    text = " ".join((call.error_message or call.tool_input).split())
    return Item(icon=icon, tone=tone, text=text, note=" · ".join(parts), opens=call.id)
