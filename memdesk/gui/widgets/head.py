"""The header of a table: quiet titles over a hairline, with a chevron on the sorted column."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets.columns import ColumnsModel
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text, text_width

HEIGHT_PX = 28
PAD_PX = 20


class Head(QHeaderView):
    """A painted horizontal header, 28 px. The titles of sortable columns can be pressed.

    The signal `sort_asked` carries the sort key, and True if the order is descending."""

    sort_asked = Signal(str, bool)

    def __init__(self, token: str = "stage", pad: int = PAD_PX) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._token, self._pad = token, pad
        self._shown = self._asked = ("", False)
        self.setFixedHeight(HEIGHT_PX)
        self.setSectionsClickable(False)
        self.sectionClicked.connect(self._press)
        # Of two quick presses Qt tells the second as this alone.
        self.sectionDoubleClicked.connect(self._press)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(20)
        self.setFrameShape(self.Shape.NoFrame)

    def show_sort(self, sort: str, *, descending: bool) -> None:
        """Mark the column that the rows are sorted by."""
        self._shown = self._asked = (sort, descending)
        self._mark()

    def _mark(self) -> None:
        model, (sort, descending) = self.model(), self._shown
        assert isinstance(model, ColumnsModel)
        place = next((place for place, column in enumerate(model.columns) if column.sort == sort), -1)
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(place >= 0)
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.setSortIndicator(place, order)

    def _press(self, section: int) -> None:
        """Ask for another order. Qt has already moved its sort mark, so it is put back until the sorted rows
        arrive.

        A second press before they arrive reverses the order asked for, not the order shown."""
        model = self.model()
        if not self.sectionsClickable() or not isinstance(model, ColumnsModel):
            return
        self._mark()
        column, (sort, descending) = model.columns[section], self._asked
        if column.sort:
            self._asked = (column.sort, not descending if column.sort == sort else column.flush_right)
            self.sort_asked.emit(*self._asked)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint one title."""
        painter.save()
        painter.fillRect(rect, c(self._token))
        painter.fillRect(QRect(rect.x(), rect.bottom(), rect.width(), 1), c("line"))
        model = self.model()
        if isinstance(model, ColumnsModel):
            column = model.columns[section]
            last = section == len(model.columns) - 1
            area = cell_area(QRectF(rect), first=section == 0, last=last, pad=self._pad)
            align = RIGHT if column.flush_right else LEFT
            draw_text(painter, area, column.title, look.font(12), c("t3"), align)
            self._paint_sort(painter, area, section, column.title, right=column.flush_right)
        painter.restore()

    def _paint_sort(self, painter: QPainter, area: QRectF, section: int, title: str, *, right: bool) -> None:
        if not self.isSortIndicatorShown() or self.sortIndicatorSection() != section:
            return
        wide = text_width(title, look.font(12)) + 3
        x = area.right() - wide - 16 if right else area.left() + wide
        name = "up" if self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder else "down"
        icons.paint(painter, name, QPointF(x, round(area.center().y() - 8)), "t3")


def cell_area(rect: QRectF, *, first: bool, last: bool, pad: int) -> QRectF:
    """Return the area of a cell's content: panel padding at the table's ends, 10 px between columns."""
    return rect.adjusted(pad if first else 0, 0, -(pad if last else 10), 0)
