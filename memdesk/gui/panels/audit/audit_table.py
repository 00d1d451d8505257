"""Columns of the audit timeline: their texts and painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QStackedWidget

from memdesk.api import curation, history
from memdesk.gui import formatting
from memdesk.gui.inspectors import fields
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import subject_of
from memdesk.gui.widgets import Column, Empty, Table, WindowedModel
from memdesk.gui.widgets.text import tip_text
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.history import AskHistory, EventRow, HistoryPage

"""Indexes of the columns that a narrow panel omits."""
LAYERS = {
    "episodic": marked("Episodic"),
    "semantic": marked("Semantic"),
    "procedural": marked("Procedural"),
    "working": marked("Working"),
    "identity": marked("Identity"),
    "workspace": marked("Workspace"),
    "audit": marked("Audit"),
}
WHO = {"person": marked("person"), "job": marked("job"), "agent": marked("agent")}


def columns(session: Session) -> tuple[Column[EventRow], ...]:
    """Return the columns: time, operation, layer, title, channel, author, duration, undo."""

    def may_undo(row: EventRow) -> bool:
        return undoable(row) and not session.why_not_call(curation.UNDO)

    return (
        Column(
            tr("Time"),
            lambda row: formatting.second(row.at),
            width=146,
            tip=lambda row: formatting.full(row.at),
        ),
        Column(
            tr("Operation"),
            lambda row: fields.word(row.op),
            width=86,
            token="t1",
            icon=lambda row: fields.picture(row.op),
        ),
        Column(tr("Layer"), lambda row: layer(row.layer), width=82, hidden_below=LAYER_FROM_PX),
        Column(
            tr("What"),
            what,
            token=lambda row: "t3" if row.undone_by else "t1",
            strike=lambda row: row.undone_by is not None,
            tip=lambda row: tip_text(row.title),
        ),
        Column(
            tr("Channel"),
            lambda row: row.channel,
            width=116,
            channel=session.channel_number,
            tip=lambda row: tip_text(row.channel),
        ),
        Column(
            tr("By"),
            lambda row: row.author.partition(":")[2],
            width=56,
            mark=lambda row: session.mark(row.author),
            tip=lambda row: tip_text(by(row.author)),
        ),
        Column(tr("Took"), took, width=64, numeric=True, hidden_below=TOOK_FROM_PX),
        Column(
            "",
            lambda row: undo_word(row) if row.undone_by or may_undo(row) else "",
            width=74,
            align="right",
            token=lambda row: "acc" if undoable(row) else "t3",
            tip=undo_tip,
            pressable=may_undo,
        ),
    )


def what(row: EventRow) -> str:
    """Return the subject of an event, on one line; of a row for all of a run, after how many changes it has."""
    subject = subject_of(row.title).replace("\n", " ")
    if row.of_run == 1:
        return subject
    # The number first: what is cut of a long row is its end, and Undo takes all of it back.
    return tr("%Ln change(s): {change}", "", row.of_run, change=subject)


def layer(name: str) -> str:
    return tr(LAYERS[name]) if name in LAYERS else name.capitalize()


def who(kind: str) -> str:
    """Return the name of an author type: person, job or agent."""
    return tr(WHO[kind]) if kind in WHO else kind


def by(author: str) -> str:
    """Return an author as “agent Iris”."""
    kind, _, name = author.partition(":")
    return f"{who(kind)} {name}"


def took(row: EventRow) -> str:
    """Return an event's duration as “12 s”, “14 ms” or “0.6 ms”."""
    ms = row.took_us / 1000
    if ms >= 10_000:
        return formatting.span(ms / 1000)
    return f"{ms:,.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def undoable(row: EventRow) -> bool:
    return row.undoable and row.undone_by is None


def undo_word(row: EventRow) -> str:
    """Return the text of the last column: Undo, undone, or empty."""
    if row.undone_by is not None:
        return tr("undone")
    return tr("Undo") if row.undoable else ""


def undo_tip(row: EventRow) -> str:
    """Return the tool tip of the last column."""
    if row.undone_by is not None:
        return tr("Taken back by change #{number}", number=row.undone_by)
    if row.of_run > 1:
        return tr("Take all %Ln change(s) back", "", row.of_run)
    return tr("Take this change back") if row.undoable else ""


def take_back(session: Session, row: EventRow) -> None:
    """Undo the change of a row, or the run that the row is for."""
    if row.of_run > 1:
        session.spawn(session.undo_run(row.id))
    else:
        session.undo(row.id)


RUNS_SHOWN = 2 * PAGE_ROWS
"""Most rows where a run is one row."""
FLASHED_AT_MOST = 10
"""Most new rows that are highlighted; more than that are shown without highlight."""
LAYER_FROM_PX = 760
TOOK_FROM_PX = 680
"""Least table width with a duration column, as LAYER_FROM_PX for the layer; a narrower table needs the space
for the title."""


class Rows(QStackedWidget):
    """The table, or a message that nothing matches.

    asked: the request that the rows answer. total: the number of events, of which a run's are one row."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.asked, self.total = AskHistory(), 0
        self._newest_shown: int | None = None
        self.model = WindowedModel(columns(session), self._fetch, session.spawn)
        self.table = Table(self.model, name=tr("Audit timeline"))
        self.nothing = Empty(tr("Nothing matches."), "", step=tr("Show everything"))
        self.addWidget(self.table)
        self.addWidget(self.nothing)

    def is_read(self, ask: AskHistory) -> bool:
        """Return True if a person uses the rows that answer this same request: then they stay where they are."""
        return ask == self.asked and self._newest_shown is not None and self.table.is_in_use

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
        number = len(page.rows) if ask.by_run else page.total
        was, came = self.table.record(), number - self.model.rowCount()
        same, newest = ask == self.asked, self._newest()
        self.asked, self.total = ask, page.total
        self._newest_shown = page.rows[0].id if page.rows else None
        self.table.newer.hide()
        with QSignalBlocker(self.table):
            self.model.reset(number, page.rows)
            place = _place(page.rows, was)
            if place is not None:
                self.table.choose(place)
                self.table.scrollToTop()
        self.setCurrentWidget(self.table if page.total else self.nothing)
        if same and newest is not None and 0 < came <= FLASHED_AT_MOST:
            for place in range(came):
                self.table.flash(place)

    def _newest(self) -> EventRow | None:
        return self.model.row(0) if self.model.rowCount() else None

    @property
    def is_cut(self) -> bool:
        """True if there are older rows than those of the newest runs."""
        return self.asked.by_run and self.model.rowCount() == RUNS_SHOWN

    def show_newer(self, page: HistoryPage) -> None:
        """Show the number of newer rows in a button; the rows stay."""
        newest = self._newest_shown or 0
        by_run = self.asked.by_run
        came = sum(row.id > newest for row in page.rows) if by_run else page.total - self.total
        self.model.refresh()
        self.table.newer.say(came)

    def forget_place(self) -> None:
        """Have newer rows shown by the next page."""
        self._newest_shown = None


def _place(rows: Sequence[EventRow], was: EventRow | None) -> int | None:
    """Return the row of an event, or of the run that it was the newest change of."""

    def is_same(row: EventRow, was: EventRow) -> bool:
        return row.id == was.id or (row.of_run > 1 and row.run == was.run)

    return next((place for place, each in enumerate(rows) if was is not None and is_same(each, was)), None)
