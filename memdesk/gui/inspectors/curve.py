"""Salience of one memory over time: past values, days with a recall, and the forecast without further
recalls."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, draw_text
from memdesk.model.browse import SalienceCurve

PLOT_PX = 74
TICKS_PX = 8
LABELS_PX = 14
FADE_BELOW = 0.10
"""A memory with lower salience counts as faded (AgentX)."""


class CurveView(QWidget):
    """Plot of the past as a line, the days ahead dashed, a tick for each day with a recall, the 0.10 line
    dotted."""

    def __init__(self, curve: SalienceCurve) -> None:
        super().__init__()
        self._curve = curve
        self._days = max(2, len(curve.past) + len(curve.ahead))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(PLOT_PX + TICKS_PX + LABELS_PX)
        self.setAccessibleName(tr("Salience over time"))
        days = tr("recalled on %Ln day(s)", "", len(set(curve.recall_days)))
        self.setAccessibleDescription(f"{salience_words(curve)}, {days}")

    def sizeHint(self) -> QSize:
        """Return the inspector's usual width."""
        return QSize(308, self.height())

    def _x(self, day: float) -> float:
        return day / (self._days - 1) * (self.width() - 8) + 4

    def _y(self, salience: float) -> float:
        return PLOT_PX - 6 - salience * (PLOT_PX - 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background of the days ahead, threshold, curve, ticks and labels."""
        painter = QPainter(self)
        today = self._x(len(self._curve.past) - 1)
        painter.fillRect(QRectF(today, 0, self.width() - today, PLOT_PX), c("hover"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c("bad"), 1, Qt.PenStyle.DotLine))
        level = round(self._y(FADE_BELOW)) + 0.5
        painter.drawLine(QPointF(0, level), QPointF(self.width(), level))
        self._paint_past(painter)
        self._paint_ahead(painter, today)
        self._paint_ticks(painter)
        self._paint_labels(painter, today)

    def _paint_past(self, painter: QPainter) -> None:
        path, drawing = QPainterPath(), False
        for day, salience in enumerate(self._curve.past):
            if salience is None:
                continue
            point = QPointF(self._x(day), self._y(salience))
            path.lineTo(point) if drawing else path.moveTo(point)
            drawing = True
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(c("acc"), 1.5))
        painter.drawPath(path)

    def _paint_ahead(self, painter: QPainter, today: float) -> None:
        now = QPointF(today, self._y(self._curve.now))
        path = QPainterPath(now)
        first = len(self._curve.past)
        for ahead, salience in enumerate(self._curve.ahead):
            path.lineTo(self._x(first + ahead), self._y(salience))
        painter.setPen(QPen(c("acc"), 1.5, Qt.PenStyle.DashLine))
        painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c("acc"))
        painter.drawEllipse(now, 3, 3)
        fades = self._curve.fades_in_days
        if fades is not None and 0 < fades <= len(self._curve.ahead):
            painter.setPen(QPen(c("bad"), 1.5))
            painter.setBrush(c("panel"))
            painter.drawEllipse(QPointF(self._x(first - 1 + fades), self._y(FADE_BELOW)), 3.5, 3.5)

    def _paint_ticks(self, painter: QPainter) -> None:
        for day in self._curve.recall_days:
            painter.fillRect(QRectF(round(self._x(day)), PLOT_PX + 2, 1, TICKS_PX - 3), c("t2"))

    def _paint_labels(self, painter: QPainter, today: float) -> None:
        top = PLOT_PX + TICKS_PX
        axis = look.font(10, 500)
        start = datetime.now().astimezone() - timedelta(days=len(self._curve.past) - 1)
        draw_text(painter, QRectF(0, top, 80, LABELS_PX), times.day(start), axis, c("t3"), LEFT)
        place = QRectF(min(today - 30, self.width() - 60), top, 60, LABELS_PX)
        draw_text(painter, place, tr("today"), look.font(10, 600), c("t1"), CENTER)
        right = QRectF(self.width() - 70, top, 70, LABELS_PX)
        if today + 24 < right.right() - 52:
            draw_text(painter, right, tr("fades {salience}", salience="0.10"), axis, c("bad"), RIGHT)


def salience_words(curve: SalienceCurve) -> str:
    """Describe a curve as “0.66 now · fades in 37 days”."""
    return tr("{salience} now · {fades}", salience=f"{curve.now:.2f}", fades=fade_words(curve))


def fade_words(curve: SalienceCurve) -> str:
    """Describe in words when a memory will fade."""
    if curve.fades_in_days is None:
        return tr("does not fade")
    if curve.fades_in_days <= 0:
        return tr("has faded")
    days = round(curve.fades_in_days)
    return tr("fades today") if days == 0 else tr("fades in %Ln day(s)", "", days)
