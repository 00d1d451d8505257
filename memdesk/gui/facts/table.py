"""The table of one kind: what a person has chosen in it stays chosen while its rows are replaced."""

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
    """Rows of one kind, fetched as they are looked at. `windowed` is its model."""

    def __init__(self, kind: str, name: str, session: Session, fetch: Fetch[TableRow]) -> None:
        self._fetch = fetch
        self._lost: set[str] = set()
        self.windowed: WindowedModel[TableRow] = WindowedModel(columns(kind, session), fetch, session.spawn)
        super().__init__(self.windowed, name=name, many=True)
        self.windowed.replacing.connect(self._let_go)
        self.windowed.arrived.connect(self._choose_again)

    def add_key(self, keys: str, act: Callable[[], object]) -> None:
        """A key that acts while the table has the keyboard."""
        shortcut = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(act)

    def fit(self, wide: int, sort: str) -> None:
        """Leave columns out where they would leave no room for the words. wide: of the panel, in px."""
        gone = yielded(self.windowed.columns, wide, sort)
        for place, each in enumerate(self.windowed.columns):
            self.setColumnHidden(place, each.title in gone)

    # Other rows.

    def replace(self, page: TablePage, *, keep: bool) -> None:
        """Show other rows.

        keep: what was chosen is chosen again where it is found, and the scroll place stays; else the current row."""
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
        """Choose no longer a place where another row is about to stand; its row is chosen again where it is found."""
        model, chooser = self.windowed, self.selectionModel()
        for place in range(first, min(first + PAGE_ROWS, model.rowCount())):
            before, after = model.row(place), next(iter(rows[place - first : place - first + 1]), None)
            if before is None or before.id == (after and after.id) or not chooser.isRowSelected(place):
                continue
            self._lost.add(before.id)
            alone = QItemSelection(model.index(place, 0), model.index(place, len(model.columns) - 1))
            chooser.select(alone, QItemSelectionModel.SelectionFlag.Deselect)

    def _choose_again(self, first: int, number: int) -> None:
        """Choose what was chosen before, among rows that have just come."""
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
        """How many rows are chosen."""
        return sum(last - first + 1 for first, last in self.ranges())

    def held(self) -> list[TableRow]:
        """The chosen rows that are here."""
        ranges = ((first, min(last, first + BULK_AT_MOST)) for first, last in self.ranges())
        rows = (self.windowed.row(place) for first, last in ranges for place in range(first, last + 1))
        return [row for row in rows if row is not None]

    async def chosen(self) -> list[TableRow]:
        """The chosen rows, those too that were never looked at; where they are too many for one act, too many."""
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
        """Let go of what is chosen."""
        self._lost.clear()
        self.clearSelection()
