"""Values drawn as bars: a value against its threshold, and a value that fills up towards its limit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import box

BAR_PX = 5
METER_PX = 4
NEAR_LIMIT = 0.85
"""Share of its limit from which a meter warns."""


def paint_bar(
    painter: QPainter,
    rect: QRectF,
    value: float,
    token: str,
    *,
    marks: Sequence[float] = (),
    thick: int = BAR_PX,
) -> None:
    """Paint a bar centred in a rectangle; value and marks from 0 to 1, each mark a 1 px line across the bar."""
    top = round(rect.center().y() - thick / 2)
    box(painter, QRectF(rect.x(), top, rect.width(), thick), 2, c("track"))
    filled = round(rect.width() * min(1.0, max(0.0, value)))
    if filled:
        box(painter, QRectF(rect.x(), top, filled, thick), 2, c(token))
    for mark in marks:
        x = round(rect.x() + rect.width() * mark)
        painter.fillRect(QRectF(x, top - 3, 1, thick + 5), c("t1"))


class Bar(QWidget):
    """A value from 0 to 1 with a threshold mark. token: its colour, such as ok when the threshold is met."""

    def __init__(
        self, value: float = 0.0, mark: float | None = None, token: str = "ok", *, width: int = 96
    ) -> None:
        super().__init__()
        self.setFixedSize(width, 16)
        self.set_value(value, mark, token)

    def set_value(self, value: float, mark: float | None = None, token: str = "ok") -> None:
        """Show another value."""
        self._value, self._mark, self._token = value, mark, token
        share, against = f"{value:.0%}", "" if mark is None else f"{mark:.0%}"
        said = tr("{share} against {mark}", share=share, mark=against) if against else share
        self.setAccessibleName(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        marks = () if self._mark is None else (self._mark,)
        paint_bar(QPainter(self), QRectF(self.rect()), self._value, self._token, marks=marks)


class Meter(QWidget):
    """Fill level from 0 to 1, with marks; it warns from `warn_at` and is bad above 1."""

    def __init__(
        self,
        value: float = 0.0,
        *,
        marks: Sequence[float] = (),
        warn_at: float = NEAR_LIMIT,
        width: int = 0,
        name: str = "",
        thick: int = METER_PX,
    ) -> None:
        super().__init__()
        self._marks, self._warn_at, self._name, self._thick = tuple(marks), warn_at, name, thick
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(16 if marks else max(8, thick + 4))
        if width:
            self.setFixedWidth(width)
        self.set_value(value)

    def set_value(self, value: float) -> None:
        """Show another value."""
        self._value = value
        self.setAccessibleName(f"{self._name} {value:.0%}".strip())
        self.update()

    def tone(self) -> str:
        """Token of the bar's present colour."""
        return "bad" if self._value > 1 else "warn" if self._value >= self._warn_at else "acc"

    def paintEvent(self, event: QPaintEvent) -> None:
        rect = QRectF(self.rect())
        paint_bar(QPainter(self), rect, self._value, self.tone(), marks=self._marks, thick=self._thick)


SEGMENTS_MOST = 20
"""More steps than this are shown as one bar."""
SEGMENT_PX, SEGMENT_GAP_PX, STEPS_HIGH_PX, STEPS_BAR_PX = 13, 3, 6, 160


class Steps(QWidget):
    """A segment for each step: those done, the next one, those left. Many steps are one bar."""

    def __init__(self) -> None:
        super().__init__()
        self._done, self._total = 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_done(self, done: int, total: int, name: str) -> None:
        """Show that `done` of `total` steps are done. name: the same in words."""
        self._done, self._total = done, total
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = self._total * (SEGMENT_PX + SEGMENT_GAP_PX) - SEGMENT_GAP_PX
        return QSize(max(0, wide) if self._total <= SEGMENTS_MOST else STEPS_BAR_PX, STEPS_HIGH_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._total > SEGMENTS_MOST:
            box(painter, QRectF(0, 0, STEPS_BAR_PX, STEPS_HIGH_PX), STEPS_HIGH_PX / 2, c("track"))
            filled = STEPS_BAR_PX * self._done / self._total
            box(painter, QRectF(0, 0, filled, STEPS_HIGH_PX), STEPS_HIGH_PX / 2, c("ok"))
            return
        for place in range(self._total):
            at = QRectF(place * (SEGMENT_PX + SEGMENT_GAP_PX), 0, SEGMENT_PX, STEPS_HIGH_PX)
            if place == self._done:
                box(painter, at, 2, c("sel"), c("acc"))
            else:
                box(painter, at, 2, c("ok" if place < self._done else "track"))
