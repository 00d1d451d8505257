"""Column of cells for all turns removed by a compaction: the fate of each, and a frame around the turns in
view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from memdesk.gui import look
from memdesk.gui.compaction.coverage import Cover, Fate
from memdesk.gui.language import tr
from memdesk.gui.look import c

WIDTH_PX, CELL_PX, PAD_PX = 28, 9, 10
CELL_HIGH_MOST = 11
GRAVITY: tuple[Fate, ...] = ("nothing", "summary", "fact", "lost")
"""Fates from least to most grave; turns that share a cell show the gravest."""


class Strip(QWidget):
    """Column of turn cells. The signal `asked` carries the index of the turn that was pressed."""

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._turns: tuple[int, ...] = ()
        self._fates: tuple[Fate, ...] = ()
        self._seen: tuple[int, int] | None = None
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(tr("All turns"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_covers(self, covers: dict[int, Cover]) -> None:
        """Replace the turns shown."""
        self._turns, self._fates = tuple(covers), tuple(cover.fate for cover in covers.values())
        self.update()

    def show_seen(self, seen: tuple[int, int] | None) -> None:
        """Frame the turns that are in view in the list."""
        self._seen = seen
        self.update()

    def cells(self) -> int:
        """Return the number of cells: one per turn as long as there is space."""
        return min(len(self._turns), max(1, int((self.height() - 2 * PAD_PX) / 3)))

    def binned(self) -> tuple[Fate, ...]:
        """Return the fate that each cell shows."""
        many = self.cells()
        return tuple(_gravest(self._fates[self._first(n) : self._first(n + 1)]) for n in range(many))

    def _first(self, cell: int) -> int:
        return cell * len(self._turns) // max(1, self.cells())

    def _pitch(self) -> float:
        return min(CELL_HIGH_MOST, (self.height() - 2 * PAD_PX) / max(1, self.cells()))

    def _y(self, turn: int) -> float:
        place = turn - self._turns[0]
        return PAD_PX + place * self.cells() / len(self._turns) * self._pitch()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the turn."""
        self._ask(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go to the turn under the pointer while a button is pressed."""
        self._ask(event)

    def _ask(self, event: QMouseEvent) -> None:
        cell = int((event.position().y() - PAD_PX) / self._pitch()) if self._turns else -1
        if 0 <= cell < self.cells():
            self.asked.emit(self._turns[self._first(cell)])

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells, and the frame around the turns in view."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), c("stage"))
        if not self._turns:
            return
        x, pitch = (WIDTH_PX - CELL_PX) / 2, self._pitch()
        for place, fate in enumerate(self.binned()):
            _paint_cell(painter, QRectF(x, PAD_PX + place * pitch, CELL_PX, max(1.0, pitch - 1)), fate)
        if self._seen is not None:
            top, bottom = self._y(self._seen[0]), self._y(self._seen[1] + 1)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(c("t1"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(x - 3.5, top - 2.5, CELL_PX + 7, bottom - top + 4), 3, 3)


def _gravest(fates: Sequence[Fate]) -> Fate:
    return max(fates, key=GRAVITY.index, default="nothing")


def _paint_cell(painter: QPainter, cell: QRectF, fate: Fate) -> None:
    match fate:
        case "summary":
            painter.fillRect(cell, look.mix(c("acc"), c("stage"), 0.5))
        case "fact":
            painter.fillRect(cell, c("ok"))
        case "lost" if cell.height() >= 4:
            painter.setPen(QPen(c("bad"), 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(cell.adjusted(0.7, 0.7, -0.7, -0.7))
        case "lost":
            painter.fillRect(cell, c("bad"))
        case "nothing":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c("t3"))
            painter.drawEllipse(QPointF(cell.center()), 1.2, 1.2)
