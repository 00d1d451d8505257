"""Rows of the heatmap; only those near the view are kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.salience.days import has_faded
from memdesk.gui.widgets import Column, ColumnsModel
from memdesk.gui.widgets.columns import ROOT, Index
from memdesk.gui.widgets.paint import channel_square, draw_text
from memdesk.model.heatmap import Heatmap, HeatRow

PAGE_ROWS = 100
ROWS_KEPT = 4000
IN_FLIGHT = 2

Fetch = Callable[[int, int], Awaitable[Sequence[HeatRow]]]
"""Fetch(first, limit) -> the rows from `first` on."""
Spawn = Callable[[Coroutine[Any, Any, None]], object]


class HeatRows(ColumnsModel[HeatRow]):
    """Model with as many rows as there are memories; a page is fetched when one of its rows is looked at.

    show() replaces all rows: answers to earlier requests are ignored. A page that failed is not asked for
    again until then. The signal `arrived` is emitted when rows arrive."""

    arrived = Signal()

    def __init__(self, fetch: Fetch, spawn: Spawn) -> None:
        super().__init__(())
        self._fetch, self._spawn = fetch, spawn
        self._total, self._age = 0, 0
        self._rows: dict[int, HeatRow] = {}
        self._asked: set[int] = set()
        self._flying = 0

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows given to show()."""
        return 0 if parent.isValid() else self._total

    def show(self, shown: Heatmap, columns: Sequence[Column[HeatRow]]) -> None:
        """Show another answer; the other rows of its list are fetched when they are looked at."""
        same = (shown.total, len(columns)) == (self._total, len(self.columns))
        if not same:
            self.beginResetModel()
        self._age, self._flying, self._total = self._age + 1, 0, shown.total
        self._asked.clear()
        self._rows = dict(enumerate(shown.rows, shown.first))
        self.columns = tuple(columns)
        if same:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, len(columns) - 1))
            self._changed(0, self._total)
        else:
            self.endResetModel()

    def put(self, first: int, rows: Sequence[HeatRow]) -> None:
        """Keep rows that were fetched elsewhere."""
        self._rows.update(enumerate(rows, first))
        self._changed(first, first + len(rows))

    def row(self, place: int) -> HeatRow | None:
        """Return the record at a place; if it has not arrived yet, ask for its page and return None."""
        found = self._rows.get(place)
        if found is None and 0 <= place < self._total:
            self._want(place // PAGE_ROWS)
        return found

    def place_of(self, id: str) -> int | None:
        """Return the place of a memory, None if its row is not kept."""
        return next((place for place, row in self._rows.items() if row.id == id), None)

    def by_id(self) -> dict[str, HeatRow]:
        """Return the rows that are kept, by their ids."""
        return {row.id: row for row in self._rows.values()}

    def _want(self, page: int) -> None:
        # A dragged scroll bar passes many pages; what is still looked at when one lands is asked for again.
        if page not in self._asked and self._flying < IN_FLIGHT:
            self._asked.add(page)
            self._flying += 1
            self._spawn(self._load(page, self._age))

    async def _load(self, page: int, age: int) -> None:
        try:
            rows = await self._fetch(page * PAGE_ROWS, PAGE_ROWS)
        finally:
            if age == self._age:
                self._flying -= 1
        if age == self._age:
            self._keep(page, rows)

    def _keep(self, page: int, rows: Sequence[HeatRow]) -> None:
        if len(self._rows) + len(rows) > ROWS_KEPT:
            self._rows.clear()
            self._asked.clear()
        self._asked.discard(page)
        self.put(page * PAGE_ROWS, rows)
        self.arrived.emit()

    def _changed(self, first: int, end: int) -> None:
        if end > first and self.columns:
            self.dataChanged.emit(self.index(first, 0), self.index(end - 1, len(self.columns) - 1))


def kind_of(row: HeatRow) -> str:
    """Return the name of a memory's shape."""
    return "entity" if row.kind == "entity" else row.category


def paint_name(painter: QPainter, area: QRectF, row: HeatRow, number: int, *, weight: int = 400) -> None:
    """Paint channel square, shape of the kind and title, from the left edge of an area."""
    middle = round(area.center().y())
    channel_square(painter, QPointF(area.x(), middle - 4), number)
    icons.kind_shape(painter, QRectF(area.x() + 15, middle - 5, 10, 10), kind_of(row), c("t3"))
    token = "t3" if has_faded(row) and weight == 400 else "t1"
    draw_text(painter, area.adjusted(32, 0, 0, 0), row.title, look.font(12, weight), c(token))
