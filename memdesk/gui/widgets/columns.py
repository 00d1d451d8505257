"""Columns of a table, which turn a record into text or paint it, and a model of records kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, Literal, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QHeaderView

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets import explaining
from memdesk.gui.widgets.badges import Who
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text, text_width

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
    number. mark: the mark of an author in place of the text. paint: draws the cell. tip: tool tip; a text that is cut
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
        """Return the font of a cell."""
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

    def __init__(self, columns: Sequence[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
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
    """Records kept in memory, for lists that are short by nature."""

    def __init__(self, columns: Sequence[Column[Row]], rows: Sequence[Row] = ()) -> None:
        super().__init__(columns)
        self._rows: list[Row] = list(rows)

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of records."""
        return 0 if parent.isValid() else len(self._rows)

    def row(self, place: int) -> Row | None:
        """Return the record at a place, None outside the list."""
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def rows(self) -> tuple[Row, ...]:
        """Return all records."""
        return tuple(self._rows)

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
