"""Columns of a table, which turn a record into text or paint it, and a model of records kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter

from memdesk.gui.help import asking

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """State of the row that a painter paints a part of."""

    selected: bool = False
    hovered: bool = False
    focused: bool = False


# Without slots: a frozen, slotted, generic dataclass cannot be made as Column[Record](...) on Python 3.11.
@dataclass(frozen=True, kw_only=True)
class Column(Generic[Row]):
    """Column of a table.

    text: the cell in words, also for screen readers and copying. width: px, 0 takes the rest. paint: draws
    the cell instead of its text. token, weight, strike, italic: the text's look, each possibly by row. tip:
    tool tip. numeric: right-aligned tabular figures. pressable: the pointer becomes a hand over the cell.
    sort: the order asked for when the title is pressed; empty if the column cannot be sorted. hidden_below:
    width of the table in px below which the column is hidden to make room for the others."""

    title: str
    text: Callable[[Row], str]
    width: int = 0
    align: Literal["left", "right"] = "left"
    numeric: bool = False
    px: int = 12
    token: str | Callable[[Row], str] = "t2"
    weight: int = 400
    strike: Callable[[Row], bool] | None = None
    italic: Callable[[Row], bool] | None = None
    mono: bool = False
    paint: Callable[[QPainter, QRectF, Row, RowState], None] | None = None
    tip: Callable[[Row], str] | None = None
    pressable: Callable[[Row], bool] | None = None
    sort: str = ""
    hidden_below: int = 0

    @property
    def flush_right(self) -> bool:
        """True if the cell and its title are aligned to the right."""
        return self.numeric or self.align == "right"


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
                return asking.tip(title)
            case Qt.ItemDataRole.WhatsThisRole:
                return asking.whats_this(title)
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
            return asking.whats_this(self.columns[index.column()].title)
        return None

    def _tip(self, index: Index) -> str | None:
        tip, record = self.columns[index.column()].tip, self.row(index.row())
        return tip(record) if tip is not None and record is not None else None


class RowsModel(ColumnsModel[Row]):
    """Records kept in memory, for lists that are short by nature."""

    def __init__(
        self, columns: Sequence[Column[Row]], rows: Sequence[Row] = (), parent: QObject | None = None
    ) -> None:
        super().__init__(columns, parent)
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
