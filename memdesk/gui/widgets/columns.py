"""Columns of a table, which turn a record into text or paint it; a model of records kept in memory; and the delegate
that paints the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets import explaining
from memdesk.gui.widgets.badges import Who, author, paint_bar
from memdesk.gui.widgets.paint import (
    LEFT,
    RIGHT,
    channel,
    channel_square,
    cut_texts,
    draw_text,
    ring,
    text_width,
)
from memdesk.gui.widgets.placeholders import skeleton_bar
from memdesk.gui.widgets.text import tip_text

Row = TypeVar("Row")
ICON_PX, SQUARE_PX, BAR_GAP_PX = 22, 13, 8
"""Width of an icon and of a channel's square before the text, and the gap after a bar."""
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """State of the row that a painter paints a part of."""

    selected: bool = False
    hovered: bool = False
    focused: bool = False


# Without slots: a frozen, slotted, generic dataclass cannot be made as Column[Record](...) on Python 3.11.
@dataclass(frozen=True)
class Column(Generic[Row]):
    """Column of a table.

    text: the cell in words, also for screen readers and copying. below: a second, quiet line. width: px, 0 takes the
    rest. px, token, weight, mono, strike, italic: the text's look, each possibly by row. Before the text: icon, with
    its tone; bar, a share from 0 to 1 with its tone; channel, the square of the channel that is the text, by its
    number. mark: the mark of an author in place of the text. note: a small text at the right edge, in the colour of
    note_token. paint: draws the cell. tip: tool tip; a text that is cut
    is always shown in full. numeric: right-aligned tabular figures. pressable: the pointer becomes a hand over the
    cell. sort: the order asked for when the title is pressed; empty if the column cannot be sorted. hidden_below:
    width of the table in px below which the column is hidden to make room for the others."""

    title: str
    text: Callable[[Row], str]
    _: KW_ONLY
    width: int = 0
    align: Literal["left", "right"] = "left"
    numeric: bool = False
    px: int | Callable[[Row], int] = 12
    token: str | Callable[[Row], str] = "t2"
    weight: int | Callable[[Row], int] = 400
    strike: Callable[[Row], bool] | None = None
    italic: Callable[[Row], bool] | None = None
    mono: bool | Callable[[Row], bool] = False
    below: Callable[[Row], str] | None = None
    icon: Callable[[Row], tuple[str, str] | None] | None = None
    bar: Callable[[Row], tuple[float, str] | None] | None = None
    bar_px: int = 0
    channel: Callable[[str], int] | None = None
    mark: Callable[[Row], tuple[str, int, Who] | None] | None = None
    note: Callable[[Row], str] | None = None
    note_token: str = "t3"
    paint: Callable[[QPainter, QRectF, Row, RowState], None] | None = None
    tip: Callable[[Row], str] | None = None
    pressable: Callable[[Row], bool] | None = None
    sort: str = ""
    hidden_below: int = 0

    @property
    def flush_right(self) -> bool:
        """True if the cell and its title are aligned to the right."""
        return self.numeric or self.align == "right"

    def face(self, record: Row) -> QFont:
        return look.font(
            self.px(record) if callable(self.px) else self.px,
            self.weight(record) if callable(self.weight) else self.weight,
            mono=self.mono(record) if callable(self.mono) else self.mono,
            italic=bool(self.italic and self.italic(record)),
            strike=bool(self.strike and self.strike(record)),
            tabular=self.numeric,
        )

    def lead_px(self, record: Row) -> int:
        """Return the width of the parts before the text, in px."""
        bar = self.bar_px + BAR_GAP_PX if self.bar is not None and self.bar(record) is not None else 0
        icon = ICON_PX if self.icon is not None and self.icon(record) else 0
        return bar + icon + (SQUARE_PX if self.channel else 0)


class ColumnsModel(QAbstractTableModel, Generic[Row]):
    """A table model over typed records. Qt.UserRole gives a cell's record, None while it is loading."""

    def __init__(self, columns: Sequence[Column[Row]]) -> None:
        super().__init__()
        self.columns = tuple(columns)

    def row(self, place: int) -> Row | None:
        """Return the record at a place, None while it is loading."""
        raise NotImplementedError

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's title, and its explanation if the title is a term of the help."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        title = self.columns[section].title
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title
            case Qt.ItemDataRole.ToolTipRole:
                return explaining.tip(title)
            case Qt.ItemDataRole.WhatsThisRole:
                return explaining.whats_this(title)
            case _:
                return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the record, or one cell of it as text."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.UserRole:
            return self.row(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            record = self.row(index.row())
            return "" if record is None else self.columns[index.column()].text(record)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(index)
        if role == Qt.ItemDataRole.WhatsThisRole:
            return explaining.whats_this(self.columns[index.column()].title)
        return None

    def _tip(self, index: Index) -> str | None:
        tip, record = self.columns[index.column()].tip, self.row(index.row())
        return tip(record) if tip is not None and record is not None else None


class RowsModel(ColumnsModel[Row]):
    """Records kept in memory, for lists that are short by nature. said: a row for a screen reader, in place of its
    first cell."""

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        rows: Sequence[Row] = (),
        *,
        said: Callable[[Row], str] | None = None,
    ) -> None:
        super().__init__(columns)
        self._rows: list[Row] = list(rows)
        self._said = said

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def row(self, place: int) -> Row | None:
        """Return the record at a place, None outside the list."""
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def rows(self) -> tuple[Row, ...]:
        return tuple(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_said = role == Qt.ItemDataRole.AccessibleTextRole and index.isValid() and index.column() == 0
        record = self.row(index.row()) if is_said else None
        return super().data(index, role) if record is None or self._said is None else self._said(record)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other records. If their number is the same as before, selection and scroll position stay."""
        if len(rows) == len(self._rows):
            self._rows = list(rows)
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()


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
        if not any(column.sort for column in model.columns):
            return  # A table that sorts its own rows follows Qt's mark.
        self._mark()
        column, (sort, descending) = model.columns[section], self._asked
        if column.sort:
            self._asked = (column.sort, not descending if column.sort == sort else column.flush_right)
            self.sort_asked.emit(*self._asked)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
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
    if column.note is not None and (note := column.note(record)):
        taken = draw_text(painter, area, note, look.font(11, tabular=True), c(column.note_token), RIGHT)
        area = area.adjusted(0, 0, -taken - 10, 0)
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
