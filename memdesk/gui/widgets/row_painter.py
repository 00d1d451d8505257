"""Painter of rows: the ground in the row's state, then each cell by its column, or the full row by one
function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QModelIndex, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from memdesk.gui import look
from memdesk.gui.look import c
from memdesk.gui.widgets.columns import Column, ColumnsModel, Index, RowState
from memdesk.gui.widgets.head import cell_area
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text, ring
from memdesk.gui.widgets.states import skeleton_bar

PaintRow = Callable[[QPainter, QRectF, Any, RowState], None]


class RowsView(Protocol):
    """Attributes of the view that the painter needs. flashes: rows that just changed, 1 fading to 0."""

    hover_row: int
    by_keyboard: bool
    flashes: dict[int, float]

    def hasFocus(self) -> bool: ...
    def isActiveWindow(self) -> bool: ...
    def currentIndex(self) -> QModelIndex: ...


class RowPainter(QStyledItemDelegate):
    """Delegate of a Table. paint_row, if given, paints the full row instead of its columns."""

    def __init__(
        self,
        view: RowsView,
        parent: QObject,
        *,
        token: str,
        pad: int,
        row_px: int,
        hairlines: bool,
        paint_row: PaintRow | None,
    ) -> None:
        super().__init__(parent)
        self._view, self._token, self._pad, self._row_px = view, token, pad, row_px
        self._line_px = 1 if hairlines else 0
        self._paint_row = paint_row

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the table's row height."""
        return QSize(0, self._row_px)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint ground, content, hairline, and the row's ring."""
        painter.save()
        rect, state = QRectF(option.rect), self._state(option, index)
        content = rect.adjusted(0, 0, 0, -self._line_px)
        first = index.column() == 0
        last = index.column() == index.model().columnCount() - 1
        self._paint_ground(painter, rect, content, state, index.row(), first=first)
        area = cell_area(content, first=first, last=last, pad=self._pad)
        self._paint_content(painter, area, index, state)
        if state.focused:
            painter.setClipRect(content)
            ring(painter, content.adjusted(0 if first else -8, 0, 0 if last else 8, 0), 3)
        painter.restore()

    def _state(self, option: QStyleOptionViewItem, index: Index) -> RowState:
        view = self._view
        return RowState(
            selected=bool(option.state & QStyle.StateFlag.State_Selected),
            hovered=view.hover_row == index.row(),
            focused=view.by_keyboard and view.hasFocus() and view.currentIndex().row() == index.row(),
        )

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, content: QRectF, state: RowState, row: int, *, first: bool
    ) -> None:
        painter.fillRect(rect, self._ground(state, row))
        if self._line_px:
            painter.fillRect(QRectF(rect.x(), content.bottom(), rect.width(), 1), c("line"))
        if state.selected and first and self._view.isActiveWindow():
            painter.fillRect(QRectF(rect.x(), rect.y(), 2, content.height()), c("acc"))

    def _ground(self, state: RowState, row: int) -> QColor:
        if state.selected:
            return c("sel" if self._view.isActiveWindow() else "sel2")
        ground = c("hover" if state.hovered else self._token)
        share = self._view.flashes.get(row, 0.0)
        return look.mix(c("accbg"), ground, share) if share else ground

    def _paint_content(self, painter: QPainter, area: QRectF, index: Index, state: RowState) -> None:
        record = index.data(Qt.ItemDataRole.UserRole)
        model = index.model()
        assert isinstance(model, ColumnsModel)
        if record is None:
            skeleton_bar(painter, area.x(), area.center().y(), max(12.0, area.width() * 0.6))
        elif self._paint_row is not None:
            self._paint_row(painter, area, record, state)
        else:
            paint_cell(painter, area, model.columns[index.column()], record, state)


def paint_cell(painter: QPainter, area: QRectF, column: Column[Any], record: Any, state: RowState) -> None:
    """Paint one cell: by the column's own painter, or its text in the column's look."""
    if column.paint is not None:
        column.paint(painter, area, record, state)
        return
    face = look.font(
        column.px,
        column.weight,
        mono=column.mono,
        italic=bool(column.italic and column.italic(record)),
        strike=bool(column.strike and column.strike(record)),
        tabular=column.numeric,
    )
    token = column.token if isinstance(column.token, str) else column.token(record)
    draw_text(painter, area, column.text(record), face, c(token), RIGHT if column.flush_right else LEFT)
