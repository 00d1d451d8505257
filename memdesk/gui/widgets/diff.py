"""Fields of a record before and after a change, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import LEFT, draw_text
from memdesk.gui.widgets.text import tip_text

PITCH_PX = 25
CELL_PX = 24
GAP_PX = 4
NAME_PX = 110
ABSENT = marked("none")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """Field of a record before and after a change, in words. None: the field had no value."""

    name: str
    before: str | None
    after: str | None

    @property
    def moved(self) -> bool:
        return self.before != self.after


class Diff(QWidget):
    """Rows of field, before, after: changed fields on red and green, then unchanged fields in grey."""

    def __init__(self, rows: Sequence[FieldChange] = ()) -> None:
        super().__init__()
        self._rows: tuple[FieldChange, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[FieldChange]) -> None:
        """Show another change; changed fields come first."""
        self._rows = tuple(sorted(rows, key=lambda row: not row.moved))
        self.setAccessibleName(tr("Before and after"))
        self.setAccessibleDescription("; ".join(_said(row) for row in self._rows))
        self.setFixedHeight(PITCH_PX * len(self._rows))
        self.update()

    def moved(self) -> int:
        """Return the number of changed fields."""
        return sum(row.moved for row in self._rows)

    def sizeHint(self) -> QSize:
        return QSize(308, PITCH_PX * len(self._rows))

    def _cells(self, place: int) -> tuple[QRectF, QRectF, QRectF]:
        """Return the rectangles of name, before and after of a row; a cell that is not shown is null."""
        top = place * PITCH_PX
        name, whole = (
            QRectF(0, top, NAME_PX - 6, CELL_PX),
            QRectF(NAME_PX, top, self.width() - NAME_PX, CELL_PX),
        )
        # What is new has no before, and what is gone no after; the values need the room.
        if all(row.before is None for row in self._rows):
            return name, QRectF(), whole
        if all(row.after is None for row in self._rows):
            return name, whole, QRectF()
        wide = (whole.width() - GAP_PX) / 2
        return (
            name,
            QRectF(NAME_PX, top, wide, CELL_PX),
            QRectF(NAME_PX + wide + GAP_PX, top, wide, CELL_PX),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, row in enumerate(self._rows):
            name, before, after = self._cells(place)
            draw_text(painter, name, row.name, look.font(12), c("t1" if row.moved else "t3"), LEFT)
            for cell, value, tone in ((before, row.before, "bad"), (after, row.after, "ok")):
                if not cell.isNull():
                    _paint_value(painter, cell, value, tone if row.moved else "")

    def event(self, event: QEvent) -> bool:
        """Show the full value in the tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = event.pos().y() // PITCH_PX
            text = _said(self._rows[row]) if 0 <= row < len(self._rows) else ""
            QToolTip.showText(event.globalPos(), tip_text(text), self)
            return True
        return bool(super().event(event))


def _paint_value(painter: QPainter, rect: QRectF, value: str | None, tone: str) -> None:
    toned = bool(tone) and value is not None
    if toned:
        painter.fillRect(rect, c(tone + "bg"))
    ink = c(tone) if toned else c("t2")
    text = tr(ABSENT) if value is None else value
    draw_text(painter, rect.adjusted(8, 0, -4, 0), text, look.font(12, mono=True), ink, LEFT)


def _said(row: FieldChange) -> str:
    before = tr(ABSENT) if row.before is None else row.before
    after = tr(ABSENT) if row.after is None else row.after
    return f"{row.name}: {before} → {after}" if row.moved else f"{row.name}: {after}"
