"""Chart of the use of a tool by day: a bar for each day, with the failed calls at its foot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.procedures.success import milliseconds
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.procedures import ToolDay

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
            said.append(
                tr("most on {day}: {number}", day=times.date_of(busy.day), number=f"{busy.usage_count:,}")
            )
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
        draw_text(painter, axis, times.date_of(self._days[0].day), face, c("t3"), LEFT)
        draw_text(painter, axis, tr("today"), face, c("t3"), RIGHT)
        if most:
            middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
            draw_text(
                painter,
                axis,
                tr("at most {number} a day", number=f"{most:,}"),
                face,
                c("t3"),
                int(middle.value),
            )

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
            QToolTip.showText(event.globalPos(), plain(said(self._days[place])), self, self._bar(place))
            return True
        return bool(super().event(event))


def said(day: ToolDay) -> str:
    """Return a day in words."""
    parts = [times.long_date(day.day), tr("%Ln call(s)", "", day.usage_count)]
    parts += [tr("%Ln failed", "", day.failure_count)] if day.failure_count else []
    if day.avg_latency_ms is not None:
        parts.append(tr("{time} on average", time=milliseconds(day.avg_latency_ms)))
    return ", ".join(parts)
