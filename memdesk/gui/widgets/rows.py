"""Rows that can be hovered, chosen and reached by keyboard: a table of columns, and a list painted row by
row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QRectF,
    QSignalBlocker,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.widgets.columns import (
    PAD_PX,
    Column,
    ColumnsModel,
    Head,
    Index,
    PaintRow,
    Row,
    RowPainter,
    RowsModel,
    RowState,
    TwoLines,
)
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.paint import FLASH_MS, NO_RING_REASONS, RETURN_REASONS

TABLE_ROW_PX = 30
LIST_ROW_PX = 54
TEXT_LEAST_PX = 110
"""Least width of a column that takes the rest, in px."""
MOVES = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)


class Newer(Control):
    """Button over a table with the number of rows that wait, so that rows do not move while a person uses them."""

    def __init__(self, table: QTableView) -> None:
        super().__init__("primary", "", "up", small=True, tip=tr("Bring them in"))
        self.setParent(table)
        self._table = table
        self.hide()

    def say(self, count: int, *, changed: bool = False) -> None:
        """Show how many rows wait; hide for none. changed: rows wait that are in another order, or are gone."""
        self.setVisible(count > 0 or changed)
        self.setText(tr("%Ln new", "", count) if count else tr("Changed"))
        self.place()

    def place(self) -> None:
        """Move to the middle of the table, below its head."""
        self.adjustSize()
        head = self._table.horizontalHeader()
        top = 0 if head.isHidden() else head.height()
        self.move((self._table.width() - self.width()) // 2, top + 8)
        self.raise_()


class Table(QTableView):
    """A table of painted rows over a ColumnsModel. One row is chosen at a time, or with `many` several.

    `picked` carries the record of the row just chosen, `opened` the record of a row opened by Enter or double
    click, `pressed` the record and the column's title when a pressable cell is clicked. With many, Shift and
    Ctrl choose as usual, Ctrl+A all; `gathered` is emitted when other rows are chosen, and ranges() returns
    them. `sort_asked` carries the sort key of a pressed title, and True for descending order. single_letters:
    J and K move; off if the person wants no single-letter keys. id_of: the id by which a record stays chosen.

    keeps_still: while set, replace_rows() leaves the rows in their places if a person uses them, and `newer` offers
    the others; `newer_asked` is sent when it is pressed, or the table is scrolled to its top. is_read: True of a side
    list while the keyboard is beside it, where the chosen row is read."""

    picked = Signal(object)
    opened = Signal(object)
    pressed = Signal(object, str)
    gathered = Signal()
    sort_asked = Signal(str, bool)
    newer_asked = Signal()

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
        id_of: Callable[[Any], str] = attrgetter("id"),
    ) -> None:
        super().__init__()
        self.single_letters = single_letters
        self.hover_row, self.by_keyboard = -1, False
        self._acting = QModelIndex()
        self.flashes: dict[int, float] = {}
        self._row_px, self._token = row_px, token
        self._without_room: set[int] = set()
        self._awaited = -1
        self.id_of, self.wanted, self.keeps_still, self.is_read = id_of, "", False, False
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
        self.newer = Newer(self)
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
        self.selectionModel().currentRowChanged.connect(self._emit_picked)
        self.selectionModel().selectionChanged.connect(lambda *_: self.gathered.emit())
        self.doubleClicked.connect(lambda index: self._emit(self.opened, index))
        model.dataChanged.connect(self._emit_awaited)
        model.modelReset.connect(self._forget)
        self.newer.clicked.connect(self.bring_in)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    # What happened to a row.

    def record(self) -> Any:
        """Return the record of the current row, None if there is none or it is loading."""
        index = self.currentIndex()
        return index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None

    @property
    def is_in_use(self) -> bool:
        """True if rows must not move: a person scrolled down, points at one, or has chosen one, or reads it, while
        others write."""
        is_used = self.hasFocus() or (self.is_read and self.isVisible())
        return self.is_looked_at or (self.keeps_still and is_used and self.currentIndex().isValid())

    @property
    def is_looked_at(self) -> bool:
        """True if a person scrolled down, or points at a row."""
        return bool(self.verticalScrollBar().value() or (self.hover_row >= 0 and self.underMouse()))

    def bring_in(self) -> None:
        """Ask for the rows that wait, and go to the first."""
        self.newer.hide()
        self.scrollToTop()
        self.newer_asked.emit()

    def _scrolled(self, place: int) -> None:
        # While rows are replaced, it is no person who scrolls.
        if place == 0 and not self.newer.isHidden() and not self.signalsBlocked():
            self.bring_in()

    def _records(self) -> Sequence[Any]:
        model = self.model()
        return model.rows() if isinstance(model, RowsModel) else ()

    def still(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Return the rows to show: these, or while rows must not move, the shown ones as they are now."""
        shown = {self.id_of(row): row for row in self._records()}
        fresh = {self.id_of(row): row for row in rows}
        # Below a row that is chosen without the pointer, rows may come.
        bottom = self.rowAt(self.viewport().height() - 1) % (len(shown) or 1)
        last = bottom if self.is_looked_at else self.currentIndex().row()
        moves = list(fresh)[: last + 1] != list(shown)[: last + 1]
        waits = bool(shown) and self.keeps_still and self.is_in_use and not self.wanted and moves
        self.newer.say(len(fresh.keys() - shown.keys()) if waits else 0, changed=waits)
        return [fresh.get(id, row) for id, row in shown.items()] if waits else rows

    def choose(self, place: int) -> None:
        """Make a row the current one and bring it into view."""
        index = self.model().index(place, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def choose_id(self, id: str) -> bool:
        """Make the row of the record with this id the current one; returns False if there is none."""
        place = next((n for n, record in enumerate(self._records()) if self.id_of(record) == id), None)
        if place is not None:
            self.choose(place)
        return place is not None

    def select(self, id: str) -> bool:
        """Choose a record by its id and return True; one that is not there is wanted: chosen once it is."""
        found = self.choose_id(id)
        self.wanted = "" if found else id
        return found

    def replace_rows(self, rows: Sequence[Any], choose: str = "", *, or_first: bool = True) -> Any:
        """Replace the rows of a RowsModel, without signals. Returns the record that is chosen now.

        Chosen is the record with the id `choose`, by default the wanted one, else the one that was, else the next after
        it, else with or_first the first, else none. The scroll position stays unless `choose` is found."""
        if not choose or any(self.id_of(row) == choose for row in self._records()):
            rows = self.still(rows)
        else:
            self.newer.hide()
        model, record, top = self.model(), self.record(), self.verticalScrollBar().value()
        choose, self.wanted = choose or self.wanted, ""
        place = max(0, self.currentIndex().row())
        assert isinstance(model, RowsModel)
        with QSignalBlocker(self):
            hover = self.hover_row
            model.set_rows(rows)
            self.hover_row = hover if hover < len(rows) else -1  # The pointer did not move.
            if not (choose and self.choose_id(choose)):
                if record is None or not self.choose_id(self.id_of(record)):
                    self.choose_nothing()
                    if or_first and rows:
                        self.choose(min(place, len(rows) - 1))
                self.verticalScrollBar().setValue(top)
        return self.record()

    def choose_nothing(self) -> None:
        """Clear the choice."""
        self.clearSelection()
        self.setCurrentIndex(self.rootIndex())

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

    def _emit(self, signal: Any, index: QModelIndex) -> None:
        record = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        if record is not None:
            signal.emit(record)

    def _emit_picked(self, index: QModelIndex, before: QModelIndex) -> None:
        """Emit `picked` for a row; for a row that is still loading, emit it when its record arrives."""
        loading = index.isValid() and index.data(Qt.ItemDataRole.UserRole) is None
        self._awaited = index.row() if loading else -1
        self._emit(self.picked, index)
        self.viewport().update()

    def _emit_awaited(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.row() <= self._awaited <= last.row():
            index = self.model().index(self._awaited, 0)
            if index.data(Qt.ItemDataRole.UserRole) is not None:
                self._awaited = -1
                self._emit(self.picked, index)

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
        self.newer.place()
        model = self.model()
        columns = model.columns if isinstance(model, ColumnsModel) else ()
        for place in self._without_room:
            self.setColumnHidden(place, False)
        self._without_room.clear()
        for place, column in enumerate(columns):
            if column.hidden_below:
                self.setColumnHidden(place, self.width() < column.hidden_below)
        self._leave_room(columns)

    def _leave_room(self, columns: Sequence[Column[Any]]) -> None:
        """Hide columns from the last on, except those that act, until those without a width have the least."""
        shown = [place for place in range(len(columns)) if not self.isColumnHidden(place)]
        need = sum(self.columnWidth(place) if columns[place].width else TEXT_LEAST_PX for place in shown)
        for place in reversed(shown):
            if need > self.width() and columns[place].width and columns[place].pressable is None:
                self.setColumnHidden(place, True)
                self._without_room.add(place)
                need -= columns[place].width

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
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with J, K or the arrows; open with Enter."""
        self.by_keyboard = True
        step = MOVES.get(Qt.Key(event.key()), 0) if self.single_letters and not event.modifiers() else 0
        if step:
            self._step(step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._emit(self.opened, self.currentIndex())
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

    text(record) is the row for a screen reader. paint_row(painter, area, record, state) paints it; or lines(record)
    returns it as TwoLines; or it has columns, whose titles are not shown."""

    def __init__(
        self,
        text: Callable[[Row], str],
        paint_row: Callable[[QPainter, Any, Row, Any], None] | None = None,
        *,
        name: str,
        lines: Callable[[Any], TwoLines] | None = None,
        columns: Sequence[Column[Any]] = (),
        token: str = "panel",
        row_px: int = LIST_ROW_PX,
        pad: int = 16,
        hairlines: bool = True,
        id_of: Callable[[Any], str] = attrgetter("id"),
    ) -> None:
        if lines is not None:

            def paint_row(painter: QPainter, area: QRectF, record: Any, state: RowState) -> None:
                lines(record).paint(painter, area)

        self.rows: RowsModel[Any] = RowsModel(columns or (Column(name, text),), said=text)
        super().__init__(
            self.rows,
            name=name,
            token=token,
            row_px=row_px,
            pad=pad,
            hairlines=hairlines,
            single_letters=True,
            paint_row=paint_row,
            id_of=id_of,
        )
        self.horizontalHeader().hide()
