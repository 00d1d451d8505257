"""Rows that can be hovered, chosen and reached by keyboard: a table of columns, and a list painted row by
row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QRect,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from memdesk.gui import look
from memdesk.gui.look import c
from memdesk.gui.widgets.columns import (
    PAD_PX,
    Column,
    ColumnsModel,
    Head,
    Index,
    Row,
    RowsModel,
    RowState,
    cell_area,
)
from memdesk.gui.widgets.paint import LEFT, NO_RING_REASONS, RETURN_REASONS, RIGHT, draw_text, ring
from memdesk.gui.widgets.placeholders import skeleton_bar

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


TABLE_ROW_PX = 30
LIST_ROW_PX = 54
FLASH_MS = 600
MOVES = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)


class Table(QTableView):
    """A table of painted rows over a ColumnsModel. One row is chosen at a time, or with `many` several.

    `picked` carries the record of the row just chosen, `opened` the record of a row opened by Enter or double
    click, `pressed` the record and the column's title when a pressable cell is clicked. With many, Shift and
    Ctrl choose as usual, Ctrl+A all; `gathered` is emitted when other rows are chosen, and ranges() returns
    them. `sort_asked` carries the sort key of a pressed title, and True for descending order. single_letters:
    J and K move; off if the person wants no single-letter keys."""

    picked = Signal(object)
    opened = Signal(object)
    pressed = Signal(object, str)
    gathered = Signal()
    sort_asked = Signal(str, bool)

    def __init__(
        self,
        model: ColumnsModel[Any],
        *,
        name: str,
        many: bool = False,
        token: str = "stage",
        row_px: int = TABLE_ROW_PX,
        pad: int = PAD_PX,
        hairlines: bool = True,
        single_letters: bool = True,
        paint_row: PaintRow | None = None,
    ) -> None:
        super().__init__()
        self.single_letters = single_letters
        self.hover_row, self.by_keyboard = -1, False
        self._acting = QModelIndex()
        self.flashes: dict[int, float] = {}
        self._row_px, self._token = row_px, token
        self._awaited = -1
        self.setAccessibleName(name)
        self._head = Head(token, pad)
        self._head.sort_asked.connect(self.sort_asked)
        self.setHorizontalHeader(self._head)
        self.setItemDelegate(
            RowPainter(
                self, self, token=token, pad=pad, row_px=row_px, hairlines=hairlines, paint_row=paint_row
            )
        )
        self._shape()
        if many:
            self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setModel(model)
        self._size_columns(model)
        self._wire(model)

    def _shape(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(self._row_px)
        rows.setDefaultSectionSize(self._row_px)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)

    def _size_columns(self, model: ColumnsModel[Any]) -> None:
        head = self.horizontalHeader()
        for place, column in enumerate(model.columns):
            stretch = QHeaderView.ResizeMode.Stretch
            head.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed if column.width else stretch)
            if column.width:
                self.setColumnWidth(place, column.width)

    def _wire(self, model: ColumnsModel[Any]) -> None:
        self.selectionModel().currentRowChanged.connect(self._tell_picked)
        self.selectionModel().selectionChanged.connect(lambda *_: self.gathered.emit())
        self.doubleClicked.connect(lambda index: self._tell(self.opened, index))
        model.dataChanged.connect(self._tell_awaited)
        model.modelReset.connect(self._forget)

    # What happened to a row.

    def record(self) -> Any:
        """Return the record of the current row, None if there is none or it is loading."""
        index = self.currentIndex()
        return index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None

    def choose(self, place: int) -> None:
        """Make a row the current one and bring it into view."""
        index = self.model().index(place, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def ranges(self) -> list[tuple[int, int]]:
        """Return the chosen rows as (first, last) places, in order; a fully chosen table is one range."""
        chosen = self.selectionModel().selection()
        parts = (chosen.at(place) for place in range(chosen.count()))
        return sorted({(each.top(), each.bottom()) for each in parts})

    def show_sort(self, sort: str, *, descending: bool) -> None:
        """Mark the column that the rows are sorted by; pressing a title asks for another order with
        `sort_asked`."""
        self._head.show_sort(sort, descending=descending)

    def flash(self, place: int) -> None:
        """Show that a row has just changed: a tint that fades in 600 ms, or nothing with reduced motion."""
        fade = QVariantAnimation(self)
        fade.setStartValue(1.0)
        fade.setEndValue(0.0)
        fade.setDuration(look.motion_ms(FLASH_MS))
        fade.valueChanged.connect(lambda share: self._fade(place, share))
        fade.start(QVariantAnimation.DeletionPolicy.DeleteWhenStopped)

    def _fade(self, place: int, share: float) -> None:
        self.flashes[place] = share
        if share <= 0:
            self.flashes.pop(place)
        self._update_row(place)

    def _tell(self, signal: Any, index: QModelIndex) -> None:
        record = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        if record is not None:
            signal.emit(record)

    def _tell_picked(self, index: QModelIndex, before: QModelIndex) -> None:
        """Emit `picked` for a row; for a row that is still loading, emit it when its record arrives."""
        loading = index.isValid() and index.data(Qt.ItemDataRole.UserRole) is None
        self._awaited = index.row() if loading else -1
        self._tell(self.picked, index)
        self.viewport().update()

    def _tell_awaited(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.row() <= self._awaited <= last.row():
            index = self.model().index(self._awaited, 0)
            if index.data(Qt.ItemDataRole.UserRole) is not None:
                self._awaited = -1
                self._tell(self.picked, index)

    def stop_waiting(self) -> None:
        """Forget a chosen row that is still loading, because the person has gone on to other content."""
        self._awaited = -1

    def _pressable(self, index: Index) -> Column[Any] | None:
        """Return the column of a cell that can be pressed, otherwise None."""
        model = self.model()
        if not index.isValid() or not isinstance(model, ColumnsModel):
            return None
        column, record = model.columns[index.column()], index.data(Qt.ItemDataRole.UserRole)
        can = column.pressable is not None and record is not None and column.pressable(record)
        return column if can else None

    def _forget(self) -> None:
        self.hover_row, self._awaited = -1, -1
        self.flashes.clear()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the table's own ground, also below its last row; then the rows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), look.c(self._token))
        painter.end()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the columns that would leave no room for the text."""
        super().resizeEvent(event)
        model = self.model()
        for place, column in enumerate(model.columns if isinstance(model, ColumnsModel) else ()):
            if column.hidden_below:
                self.setColumnHidden(place, self.width() < column.hidden_below)

    # Pointer.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hover the full row; show a hand over a pressable cell."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._hover(index.row() if index.isValid() else -1)
        hand = self._pressable(index) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note that the pointer is used instead of the keyboard. A press on a cell that acts chooses no row."""
        self.by_keyboard = False
        index = self.indexAt(event.position().toPoint())
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._acting = index if is_left and self._pressable(index) is not None else QModelIndex()
        if not self._acting.isValid():
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit `pressed` for a cell that acts, if the pointer is still on it."""
        index, self._acting = self._acting, QModelIndex()
        if not index.isValid():
            super().mouseReleaseEvent(event)
        elif index == self.indexAt(event.position().toPoint()):
            column = self._pressable(index)
            if column is not None:
                self.pressed.emit(index.data(Qt.ItemDataRole.UserRole), column.title)

    def viewportEvent(self, event: QEvent) -> bool:
        """Clear the hover after the pointer has left, or the rows have moved under it."""
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Wheel):
            self._hover(-1)
        return bool(super().viewportEvent(event))

    def _hover(self, row: int) -> None:
        if row != self.hover_row:
            self._update_row(self.hover_row)
            self.hover_row = row
            self._update_row(row)

    def _update_row(self, row: int) -> None:
        if row >= 0:
            top = self.rowViewportPosition(row)
            self.viewport().update(QRect(0, top, self.viewport().width(), self._row_px))

    # Keyboard.

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the current row if the focus came by keyboard, making the first row current if none is; focus
        that returns chooses no row."""
        returns, has_current = event.reason() in RETURN_REASONS, self.currentIndex().isValid()
        if returns and not has_current:
            # The view would make the first row current.
            QWidget.focusInEvent(self, event)
        else:
            super().focusInEvent(event)
        if not returns:
            self.by_keyboard = event.reason() not in NO_RING_REASONS
        if not returns and self.by_keyboard and not self.currentIndex().isValid() and self.model().rowCount():
            self.choose(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the ring."""
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with J, K or the arrows; open with Enter."""
        self.by_keyboard = True
        step = MOVES.get(Qt.Key(event.key()), 0) if self.single_letters and not event.modifiers() else 0
        if step:
            self._step(step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._tell(self.opened, self.currentIndex())
        elif self.single_letters and event.text().isalpha() and event.modifiers() in PLAIN:
            # A letter is a command; Qt would look for a row that begins with it.
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _step(self, step: int) -> None:
        place = self.currentIndex().row() + step
        if 0 <= place < self.model().rowCount():
            self.choose(place)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are commands, not a search; the filter field searches."""


class List(Table):
    """A list of records, each row painted by one function over its full width.

    paint_row(painter, area, record, state) paints; text(record) is the row for a screen reader."""

    def __init__(
        self,
        text: Callable[[Row], str],
        paint_row: Callable[[QPainter, Any, Row, Any], None],
        *,
        name: str,
        rows: tuple[Row, ...] = (),
        token: str = "panel",
        row_px: int = LIST_ROW_PX,
        pad: int = 16,
        hairlines: bool = True,
        single_letters: bool = True,
    ) -> None:
        self.rows: RowsModel[Any] = RowsModel((Column(title=name, text=text),), rows)
        super().__init__(
            self.rows,
            name=name,
            token=token,
            row_px=row_px,
            pad=pad,
            hairlines=hairlines,
            single_letters=single_letters,
            paint_row=paint_row,
        )
        self.horizontalHeader().hide()
