"""Rows of the timeline: they stay in place while a person reads them, and newer ones are announced by a
button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget

from memdesk.contract import history
from memdesk.gui.language import tr
from memdesk.gui.panels import audit_table
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, Table, WindowedModel
from memdesk.model.history import AskHistory, EventRow, HistoryPage

FLASHED_AT_MOST = 10
"""Most new rows that are highlighted; more than that are shown without highlight."""
LAYER_FROM_PX = 760
TOOK_FROM_PX = 680
"""Least table width with a duration column, as LAYER_FROM_PX for the layer; a narrower table needs the space
for the title."""


class Rows(QStackedWidget):
    """The table, or a message that nothing matches. The signal `newer_asked` is sent when newer rows are
    requested.

    asked: the request that the rows answer. total: the number of rows."""

    newer_asked = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.asked, self.total = AskHistory(), 0
        self._newest_shown: int | None = None
        self.newer = Control("primary", "", "up", small=True, tip=tr("Scroll up to them"))
        self.model = WindowedModel(audit_table.columns(session), self._fetch, session.spawn)
        self.table = Table(self.model, name=tr("Audit timeline"))
        self.nothing = Empty(tr("Nothing matches."), "", step=tr("Show everything"))
        self.newer.hide()
        self.newer.setParent(self.table)
        self.addWidget(self.table)
        self.addWidget(self.nothing)
        self.table.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.newer.clicked.connect(self.table.scrollToTop)

    def is_read(self, ask: AskHistory) -> bool:
        """Return True if a person has scrolled down in the answer to this same request."""
        shown = ask == self.asked and self._newest_shown is not None
        return shown and self.table.verticalScrollBar().value() > 0

    def pinned(self) -> AskHistory:
        """Return the request without events newer than the shown rows."""
        if self._newest_shown is None:
            return self.asked
        return replace(self.asked, before=self._newest_shown + 1)

    async def _fetch(self, first: int, limit: int) -> Sequence[EventRow]:
        """Return a page of the rows without newer events, which would shift them."""
        ask = replace(self.pinned(), first=first, limit=limit, count=False)
        page: HistoryPage = await self._session.call(history.PAGE, ask)
        return page.rows

    def show_page(self, ask: AskHistory, page: HistoryPage) -> None:
        """Show rows from the newest on; the chosen event stays chosen if it is among the given rows."""
        was, came = self.table.record(), page.total - self.total
        same, newest = ask == self.asked, self._newest()
        self.asked, self.total = ask, page.total
        self._newest_shown = page.rows[0].id if page.rows else None
        self.newer.hide()
        blocked = self.table.blockSignals(True)
        self.model.reset(page.total, page.rows)
        place = _place(page.rows, was)
        if place is not None:
            self.table.choose(place)
            self.table.scrollToTop()
        self.table.blockSignals(blocked)
        self.setCurrentWidget(self.table if page.total else self.nothing)
        if same and newest is not None and 0 < came <= FLASHED_AT_MOST:
            for place in range(came):
                self.table.flash(place)

    def _newest(self) -> EventRow | None:
        return self.model.row(0) if self.model.rowCount() else None

    def show_newer(self, total: int) -> None:
        """Show the number of newer rows in a button; the rows stay."""
        came = total - self.total
        self.model.refresh()
        self.newer.setVisible(came > 0)
        self.newer.setText(tr("%Ln new", "", came))
        self._place_newer()

    def _place_newer(self) -> None:
        self.newer.adjustSize()
        x = (self.table.width() - self.newer.width()) // 2
        self.newer.move(x, self.table.horizontalHeader().height() + 8)
        self.newer.raise_()

    def _scrolled(self, place: int) -> None:
        """Request the newer rows once the table is scrolled to the top."""
        if place == 0 and self.newer.isVisible():
            self.newer_asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide columns if they leave no space for the title."""
        super().resizeEvent(event)
        self.table.setColumnHidden(audit_table.LAYER, self.width() < LAYER_FROM_PX)
        self.table.setColumnHidden(audit_table.TOOK, self.width() < TOOK_FROM_PX)
        self._place_newer()


def _place(rows: Sequence[EventRow], was: EventRow | None) -> int | None:
    return next((place for place, each in enumerate(rows) if was is not None and each.id == was.id), None)
