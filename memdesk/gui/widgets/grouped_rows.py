"""Table whose rows are in groups under headings, each row with its own height."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent

from memdesk.gui.widgets import Column, RowsModel, Table
from memdesk.gui.widgets.columns import Index, PaintRow
from memdesk.gui.widgets.rows import MOVES

Types = type | tuple[type, ...]
STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
LEAST_PX = 8


class GroupedRows(RowsModel[Any]):
    """Rows of which some are headings that cannot be selected."""

    def __init__(self, title: str, said: Callable[[Any], str], headings: Types) -> None:
        super().__init__((Column(title, said),))
        self._headings = headings

    def is_heading(self, record: Any) -> bool:
        return isinstance(record, self._headings)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the item flags; a heading is enabled but not selectable."""
        record = self.row(index.row())
        if record is not None and self.is_heading(record):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)


class Grouped(Table):
    """Table with headings between its rows. The arrows, J and K skip headings.

    said: returns a row as text for a screen reader. height: returns the height of a row in px for a table
    width in px. headings: the types of the rows that are headings."""

    def __init__(
        self,
        said: Callable[[Any], str],
        paint_row: PaintRow,
        height: Callable[[Any, int], int],
        *,
        name: str,
        headings: Types = (),
        token: str = "stage",
        pad: int = 20,
        hairlines: bool = False,
    ) -> None:
        self.rows = GroupedRows(name, said, headings)
        super().__init__(
            self.rows,
            name=name,
            token=token,
            row_px=LEAST_PX,
            pad=pad,
            hairlines=hairlines,
            paint_row=paint_row,
        )
        self._height = height
        self.horizontalHeader().hide()
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(20)

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Replace the rows. If their number is unchanged, selection and scroll position stay."""
        self.rows.set_rows(rows)
        self.fit_rows()

    def fit_rows(self) -> None:
        """Set the height of each row."""
        wide, head = self.viewport().width(), self.verticalHeader()
        for place, record in enumerate(self.rows.rows()):
            head.resizeSection(place, self._height(record, wide))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the row heights again if the width changed, because wrapped text depends on it."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit_rows()

    # Headings are passed by.

    def nearest(self, place: int, step: int) -> int:
        """Return the first selectable row from a place on in a direction, -1 if there is none."""
        rows = self.rows.rows()
        while 0 <= place < len(rows) and self.rows.is_heading(rows[place]):
            place += step
        return place if 0 <= place < len(rows) else -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from row to row with J, K and the arrows; go to the ends with Home and End."""
        key, plain = Qt.Key(event.key()), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        letters = MOVES.get(key, 0) if self.single_letters else 0
        step = STEPS.get(key, letters) if plain else 0
        here = self.currentIndex().row()
        if step:
            self._go(self.nearest(here + step, step))
        elif key == Qt.Key.Key_Home:
            self._go(self.nearest(0, 1))
        elif key == Qt.Key.Key_End:
            self._go(self.nearest(self.rows.rowCount() - 1, -1))
        else:
            super().keyPressEvent(event)

    def _go(self, place: int) -> None:
        self.by_keyboard = True
        if place < 0:
            return
        self.choose(place)
        if self.nearest(0, 1) == place:
            self.scrollToTop()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the first row that is not a heading, if nothing is selected yet."""
        if not self.currentIndex().isValid() and (first := self.nearest(0, 1)) >= 0:
            self.choose(first)
        super().focusInEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Keep headings from being highlighted under the pointer."""
        before = self.hover_row
        super().mouseMoveEvent(event)
        record = self.rows.row(self.hover_row)
        if record is not None and self.rows.is_heading(record):
            self.hover_row = -1
        if before != self.hover_row:
            self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        """Repaint the full viewport after leaving or scrolling, because rows differ in height."""
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Wheel):
            self.viewport().update()
        return bool(super().viewportEvent(event))
