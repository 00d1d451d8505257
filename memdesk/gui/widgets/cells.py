"""Painting of a table's rows: the delegate, cells of columns, and rows of two lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets.badges import Who, author
from memdesk.gui.widgets.bars import paint_bar
from memdesk.gui.widgets.columns import Column, ColumnsModel, Index, RowState, cell_area
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel, channel_square, cut_texts, draw_text, ring
from memdesk.gui.widgets.placeholders import skeleton_bar
from memdesk.gui.widgets.text import tip_text

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

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Show the texts of a cell or row that are cut, in full, unless its column has a tool tip."""
        record = index.data(Qt.ItemDataRole.UserRole)
        is_own = record is None or index.data(Qt.ItemDataRole.ToolTipRole)
        if is_own or event.type() != QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        cut = cut_texts(lambda painter: self.paint(painter, option, index))
        QToolTip.showText(event.globalPos(), tip_text("\n".join(cut)), view)
        return bool(cut)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
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


LEAST_TEXT_PX = 12
"""Width below which a cell shows its icon alone."""


def paint_cell(painter: QPainter, area: QRectF, column: Column[Any], record: Any, state: RowState) -> None:
    """Paint one cell: by the column's own painter, or its text in the column's look."""
    if column.paint is not None:
        column.paint(painter, area, record, state)
        return
    middle = round(area.center().y() - 8)
    if column.below is not None:
        low = QRectF(area.x() + column.lead_px(record), area.center().y() + 2, area.width(), 16)
        low.setRight(area.right())
        draw_text(painter, low, column.below(record), look.font(11), c("t3"))
        area = QRectF(area.x(), area.center().y() - 18, area.width(), 20)
        middle = round(area.center().y() - 8)
    if column.icon is not None and (icon := column.icon(record)):
        icons.paint(painter, icon[0], QPointF(area.x(), middle), icon[1])
    if column.mark is not None:
        if mark := column.mark(record):
            author(painter, QRectF(area.x(), middle, 16, 16), *mark)
        return
    text = column.text(record)
    if column.bar is not None and (bar := column.bar(record)):
        paint_bar(painter, QRectF(area.x(), area.y(), column.bar_px, area.height()), *bar)
    if column.channel is not None and text:
        channel_square(painter, QPointF(area.x(), round(area.center().y() - 4)), column.channel(text))
    token = column.token if isinstance(column.token, str) else column.token(record)
    area = area.adjusted(column.lead_px(record), 0, 0, 0)
    if area.width() >= LEAST_TEXT_PX:
        draw_text(painter, area, text, column.face(record), c(token), RIGHT if column.flush_right else LEFT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLines:
    """Row of a list on two lines, each with a quiet note at its right.

    mark or icon: leads the row. channel: number of the channel whose square leads the second line. quiet,
    italic: the look of the title."""

    title: str
    note: str
    below: str
    below_note: str
    mark: tuple[str, int, Who] | None = None
    icon: tuple[str, str] | None = None
    channel: int | None = None
    quiet: bool = False
    italic: bool = False

    def paint(self, painter: QPainter, area: QRectF) -> None:
        spot = QRectF(area.x(), area.y() + 9, 16, 16)
        if self.icon is not None:
            icons.paint(painter, self.icon[0], spot.topLeft(), self.icon[1])
        elif self.mark is not None:
            author(painter, spot, *self.mark)
        top = QRectF(area.x() + 24, area.y() + 7, area.width() - 24, 20)
        low = QRectF(top.x(), area.y() + 30, top.width(), 16)
        face = look.font(11, tabular=True)
        taken = draw_text(painter, top, self.note, face, c("t3"), RIGHT)
        title = look.font(13, italic=self.italic)
        draw_text(
            painter, top.adjusted(0, 0, -taken - 10, 0), self.title, title, c("t3" if self.quiet else "t1")
        )
        room = low.adjusted(0, 0, -draw_text(painter, low, self.below_note, face, c("t3"), RIGHT) - 10, 0)
        if self.channel is not None:
            channel(painter, room, self.below, self.channel, c("t3"))
        else:
            draw_text(painter, room, self.below, look.font(12), c("t3"))
