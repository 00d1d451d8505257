"""The rows of the timeline: they stay where a person reads them, and what is newer waits behind a chip."""

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
"""More new rows at once are a flood, not news."""
LAYER_FROM_PX = 760
TOOK_FROM_PX = 680
"""In narrower room these columns make way for what happened."""


class Rows(QStackedWidget):
    """The table, or the word that nothing matches. The signal `newer_asked` is told when what is newer is wanted.

    asked: the question they answer. total: how many there are."""

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
        """Whether a person has scrolled down in the answer to this very question."""
        shown = ask == self.asked and self._newest_shown is not None
        return shown and self.table.verticalScrollBar().value() > 0

    def pinned(self) -> AskHistory:
        """The question without what came since its rows were counted."""
        if self._newest_shown is None:
            return self.asked
        return replace(self.asked, before=self._newest_shown + 1)

    async def _fetch(self, first: int, limit: int) -> Sequence[EventRow]:
        """A page of the rows as they were when they were counted, so that new events do not shift them."""
        ask = replace(self.pinned(), first=first, limit=limit, count=False)
        page: HistoryPage = await self._session.call(history.PAGE, ask)
        return page.rows

    def show_page(self, ask: AskHistory, page: HistoryPage) -> None:
        """Show rows from the newest on; the event that was chosen stays chosen, however far down it went."""
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
        """Say how many came on top; the rows stay."""
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
        """Back at the top, what is newer comes in."""
        if place == 0 and self.newer.isVisible():
            self.newer_asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave columns out where they would leave no room for what happened."""
        super().resizeEvent(event)
        self.table.setColumnHidden(audit_table.LAYER, self.width() < LAYER_FROM_PX)
        self.table.setColumnHidden(audit_table.TOOK, self.width() < TOOK_FROM_PX)
        self._place_newer()


def _place(rows: Sequence[EventRow], was: EventRow | None) -> int | None:
    return next((place for place, each in enumerate(rows) if was is not None and each.id == was.id), None)
