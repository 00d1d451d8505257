"""Drawings of a portrait: the agent's first lines, the lines of its files as a bar, and its days as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import paint
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, box, draw_text, text_width
from memdesk.model.portrait import FolderRead
from memdesk.model.workspace import DayCount

MARK_PX, BAR_PX, LEGEND_PX, GAP_PX = 44, 10, 18, 18
CHART_PX, AXIS_PX, LATEST_DAYS = 72, 20, 3


class BigMark(QWidget):
    """First letter of an agent in its shape, large."""

    def __init__(self) -> None:
        super().__init__()
        self._name, self._shape = "", 0
        self.setFixedSize(MARK_PX, MARK_PX)

    def show_agent(self, name: str, shape: int) -> None:
        """Show the mark of an agent; nothing for an empty name."""
        self._name, self._shape = name, shape
        self.setAccessibleName(name)
        self.setVisible(bool(name))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, rect = QPainter(self), QRectF(self.rect())
        paint.agent(painter, rect, "", self._shape)
        draw_text(painter, rect, self._name[:1].upper(), look.font(20, 600), c("t1"), CENTER)


class Coverage(QWidget):
    """Bar of the lines of a folder: those that are facts, then the others by their reason."""

    TOKENS = ("t2", "t3", "line2", "track")

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[tuple[int, str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_folder(self, folder: FolderRead) -> None:
        """Show the account of a folder."""
        others = [(number, tr(reason)) for reason, number in folder.others.items()]
        shown, rest = others[: len(self.TOKENS) - 1], others[len(self.TOKENS) - 1 :]
        if rest:
            shown.append((sum(number for number, _ in rest), tr("other lines")))
        self._parts = [(folder.facts, tr("facts"), "acc")]
        self._parts += [
            (number, words, token) for (number, words), token in zip(shown, self.TOKENS, strict=False)
        ]
        self.setAccessibleName(", ".join(f"{number} {words}" for number, words, _ in self._parts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BAR_PX + 8 + LEGEND_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, total = QPainter(self), sum(number for number, _, _ in self._parts) or 1
        x = 0.0
        for number, _, token in self._parts:
            wide = self.width() * number / total
            painter.fillRect(QRectF(x, 0, max(1.0, wide - 1), BAR_PX), c(token))
            x += wide
        x, face, figures = 0.0, look.font(12), look.font(12, 600, tabular=True)
        for number, words, token in self._parts:
            said = formatting.count(number)
            wide = 14 + text_width(said, figures) + 5 + text_width(words, face)
            if x + wide > self.width():
                return
            area = QRectF(x, BAR_PX + 8, wide, LEGEND_PX)
            box(painter, QRectF(x, area.center().y() - 4, 8, 8), 1.5, c(token))
            used = draw_text(painter, area.adjusted(14, 0, 0, 0), said, figures, c("t1"), LEFT)
            draw_text(painter, area.adjusted(14 + used + 5, 0, 2, 0), words, face, c("t2"), LEFT)
            x += wide + GAP_PX


class Days(QWidget):
    """Chart of entries per day, with the months below it; the last days are in the accent colour."""

    def __init__(self) -> None:
        super().__init__()
        self._days: list[tuple[date, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(CHART_PX + AXIS_PX)

    def show_days(self, days: Sequence[DayCount], number: int, today: date) -> None:
        """Show the last days. number: how many, including today."""
        known = {each.day: each.entries for each in days}
        every = [today - timedelta(days=back) for back in reversed(range(number))]
        self._days = [(day, known.get(day, 0)) for day in every]
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._days:
            return
        painter = QPainter(self)
        most = max(number for _, number in self._days) or 1
        step = self.width() / len(self._days)
        face, taken = look.font(11), 0.0
        for place, (day, number) in enumerate(self._days):
            high = max(1, round((CHART_PX - 4) * number / most)) if number else 1
            token = "line" if not number else "acc" if place >= len(self._days) - LATEST_DAYS else "t3"
            painter.fillRect(QRectF(place * step, CHART_PX - high, max(1.0, step - 2), high), c(token))
            x = place * step
            if (place == 0 or day.day == 1) and x >= taken and self.width() - x > 2 * 60:
                area = QRectF(x, CHART_PX + 2, 60, AXIS_PX - 2)
                taken = x + 8 + draw_text(painter, area, formatting.date_of(day), face, c("t3"), LEFT)
        painter.fillRect(QRectF(0, CHART_PX, self.width(), 1), c("line2"))
        today = QRectF(self.width() - 60, CHART_PX + 2, 60, AXIS_PX - 2)
        draw_text(painter, today, tr("today"), look.font(11, 600), c("t1"), RIGHT)


def longest_gap(days: Sequence[DayCount]) -> int:
    """Return the number of days without an entry in the longest stretch between two days that have one."""
    gaps = ((after.day - before.day).days - 1 for before, after in zip(days, days[1:], strict=False))
    return max(gaps, default=0)


TOP = Qt.AlignmentFlag.AlignTop
