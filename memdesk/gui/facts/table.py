"""Table of one kind that keeps its selection while its rows are replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QKeySequence, QShortcut

from memdesk.gui.facts.columns import columns, yielded
from memdesk.gui.session import Session
from memdesk.gui.widgets import Table, WindowedModel
from memdesk.gui.widgets.windowed import PAGE_ROWS, Fetch
from memdesk.model.bulk import BULK_AT_MOST
from memdesk.model.table import TablePage, TableRow


class FactsTable(Table):
    """Table with rows of one kind, fetched as they come into view. `windowed` is its model."""

    def __init__(self, kind: str, name: str, session: Session, fetch: Fetch[TableRow]) -> None:
        self._fetch = fetch
        self._lost: set[str] = set()
        self.windowed: WindowedModel[TableRow] = WindowedModel(columns(kind, session), fetch, session.spawn)
        super().__init__(self.windowed, name=name, many=True)
        self.windowed.replacing.connect(self._let_go)
        self.windowed.arrived.connect(self._choose_again)

    def add_key(self, keys: str, act: Callable[[], object]) -> None:
        """Add a shortcut that acts while the table has the keyboard focus."""
        shortcut = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(act)

    def fit(self, wide: int, sort: str) -> None:
        """Hide columns that would leave too little space for the title. wide: of the panel, in px."""
        gone = yielded(self.windowed.columns, wide, sort)
        for place, each in enumerate(self.windowed.columns):
            self.setColumnHidden(place, each.title in gone)

    # Other rows.

    def replace(self, page: TablePage, *, keep: bool) -> None:
        """Replace the rows.

        keep: select the selected rows again as they are found, and keep the scroll position; otherwise only
        the current row."""
        current, top = self.record(), self.verticalScrollBar().value()
        self._lost = (
            {row.id for row in self.held()} if keep else {current.id} if current is not None else set()
        )
        blocked = self.blockSignals(True)
        self.windowed.reset(page.total, page.rows)
        self.verticalScrollBar().setValue(top if keep else 0)
        self._choose_again(0, len(page.rows))
        self.blockSignals(blocked)

    def _let_go(self, first: int, rows: Sequence[TableRow]) -> None:
        """Deselect places that get another row; the old rows are selected again as they are found."""
        model, chooser = self.windowed, self.selectionModel()
        for place in range(first, min(first + PAGE_ROWS, model.rowCount())):
            before, after = model.row(place), next(iter(rows[place - first : place - first + 1]), None)
            if before is None or before.id == (after and after.id) or not chooser.isRowSelected(place):
                continue
            self._lost.add(before.id)
            alone = QItemSelection(model.index(place, 0), model.index(place, len(model.columns) - 1))
            chooser.select(alone, QItemSelectionModel.SelectionFlag.Deselect)

    def _choose_again(self, first: int, number: int) -> None:
        """Select the previously selected rows among rows that have just arrived."""
        if not self._lost:
            return
        model, found = self.windowed, QItemSelection()
        for place in range(first, min(first + number, model.rowCount())):
            row = model.row(place)
            if row is not None and row.id in self._lost:
                self._lost.discard(row.id)
                found.select(model.index(place, 0), model.index(place, len(model.columns) - 1))
        if not found.isEmpty():
            chooser = self.selectionModel()
            chooser.select(found, QItemSelectionModel.SelectionFlag.Select)
            chooser.setCurrentIndex(found.indexes()[0], QItemSelectionModel.SelectionFlag.NoUpdate)

    # What is chosen.

    def number_chosen(self) -> int:
        """Return the number of selected rows."""
        return sum(last - first + 1 for first, last in self.ranges())

    def held(self) -> list[TableRow]:
        """Return the selected rows that are loaded."""
        ranges = ((first, min(last, first + BULK_AT_MOST)) for first, last in self.ranges())
        rows = (self.windowed.row(place) for first, last in ranges for place in range(first, last + 1))
        return [row for row in rows if row is not None]

    async def chosen(self) -> list[TableRow]:
        """Return the selected rows, fetching those not loaded; stops above BULK_AT_MOST, so that the caller
        sees the excess."""
        held = self.held() if self.number_chosen() <= BULK_AT_MOST else []
        if len(held) == self.number_chosen():
            return held
        rows: list[TableRow] = []
        for first, last in self.ranges():
            while first <= last and len(rows) <= BULK_AT_MOST:
                rows += await self._fetch(first, min(BULK_AT_MOST, last - first + 1))
                first += BULK_AT_MOST
        return rows

    def choose_nothing(self) -> None:
        """Clear the selection."""
        self._lost.clear()
        self.clearSelection()
