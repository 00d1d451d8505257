"""Overview: the layers of memory, their state, and the changes since the last visit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting
from memdesk.gui.inspectors.actions import perform
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.audit import audit_table
from memdesk.gui.panels.overview import overview_layers
from memdesk.gui.panels.overview.overview_layers import CHANGES_SHOWN, LayerRow, OverviewData
from memdesk.gui.panels.overview.overview_side import Aside
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import Control, Empty, Ground, RowsModel, Skeleton, Table, Text, column, pages, row
from memdesk.gui.widgets.toolbar import Summary
from memdesk.model.errors import MemDeskError
from memdesk.model.history import EventRow, FeedEvent


class Changes(Table):
    """Table that rings a row, but does not pick it, when it gets the keyboard focus: the inspector takes the
    place of agents and jobs, and a person who moves through the panel by Tab would never reach them."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the current row without a signal; moving, Enter and the pointer emit one."""
        with QSignalBlocker(self):
            super().focusInEvent(event)


LAYER_PX = 50
HEAD_PX = 28
AT_FIRST = timedelta(days=7)
"""Time span of changes shown on a first visit."""
AGAIN_MS = 60_000
TIME, OPERATION, _, WHAT, CHANNEL, BY, _, UNDO = range(8)
"""Columns of the audit timeline."""
SHOWN_COLUMNS = (TIME, BY, OPERATION, WHAT, CHANNEL, UNDO)
VERBS = (
    ("learn", marked("%Ln learned")),
    ("promote", marked("%Ln promoted")),
    ("update", marked("%Ln updated")),
    ("retire", marked("%Ln retired")),
    ("import", marked("%Ln imported")),
    ("undo", marked("%Ln undone")),
)
NOTHING = marked("Nothing changed since.")
ASIDE_FROM_PX = 980
"""Least panel width with the part to the right of the layers; the panel may be narrower, as with the
inspector open."""
CHANNEL_FROM_PX = 720
"""In a narrower part these columns make room for the words."""


class OverviewPanel(Panel):
    """Six layers, the changes since the last visit, and next to them review, agents, jobs and fading
    memories."""

    name = "overview"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._since: datetime | None = None
        self._visited = False
        self.model: RowsModel[LayerRow] = RowsModel(overview_layers.columns())
        self.table = Table(self.model, name=tr("Memory layers"), row_px=LAYER_PX)
        self.heading = Text("", 12, "t2", weight=600)
        self.summary = Summary("", 12, "t3", elide=True)
        self.mark = Control("ghost", tr("Mark all as seen"), keys="Shift Esc")
        every = list(audit_table.columns(session))
        every[CHANNEL] = replace(every[CHANNEL], hidden_below=CHANNEL_FROM_PX)
        self.changes_model: RowsModel[EventRow] = RowsModel([every[place] for place in SHOWN_COLUMNS])
        self.changes = Changes(self.changes_model, name=tr("Changes"))
        self._none = Empty(tr(NOTHING), tr("What agents and people do next will stand here."))
        self.aside = Aside(session, reviews="review" in inspector.leads_to)
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        self._none.setContentsMargins(5, 0, 5, 0)
        self.table.setFixedHeight(HEAD_PX + LAYER_PX * len(overview_layers.NAMES))
        head = row(
            self.heading, self.summary, self.mark, gap=12, margins=(20, 14, 20, 6), stretch=self.summary
        )
        self._rows = pages(self.changes, self._none)
        self.changes.horizontalHeader().hide()
        title = Text(tr("Memory layers"), 12, "t2", weight=600)
        title.setContentsMargins(20, 14, 20, 2)
        main = column(title, self.table, head, self._rows, gap=0, stretch=self._rows)
        content = QWidget()
        whole = row(Ground("stage", layout=main), self.aside, gap=0)
        whole.setStretch(0, 1)
        content.setLayout(whole)
        self.furnish(content, skeleton=Skeleton(rows=8, pitch=50, shares=(0.2, 0.3, 0.2)))
        self.setFocusProxy(self.changes)

    def _wire(self) -> None:
        leads = self.inspector.navigated
        self.table.opened.connect(lambda each: leads.emit(each.leads, ""))
        for asked in (self.changes.picked, self.changes.opened):
            asked.connect(lambda event: self.inspector.show_event(event.id))
        self.changes.pressed.connect(lambda event, _: audit_table.take_back(self.session, event))
        self.mark.clicked.connect(self.mark_seen)
        self.aside.review_asked.connect(lambda type: leads.emit("review", type))
        self.aside.conversation_asked.connect(lambda id: leads.emit("conversations", id))
        self.aside.jobs_asked.connect(lambda name: leads.emit("jobs", name))
        self.aside.salience_asked.connect(lambda: leads.emit("salience", ""))
        self.aside.picked.connect(self.inspector.show_memory)
        self.aside.pin_asked.connect(lambda each: self.session.spawn(perform(self.session, "pin", each)))
        on_key("Shift+Esc", self.mark_seen, self, inside=True)
        by_the_minute = QTimer(self)
        by_the_minute.timeout.connect(self.reload_soon)
        by_the_minute.start(AGAIN_MS)

    def concerned(self, event: FeedEvent) -> bool:
        """Return True: every event affects the overview."""
        return True

    def _memo(self) -> Memo | None:
        status = self.session.status
        return None if status is None else Memo(Path(status.desk) / "window.ini")

    def mark_seen(self) -> None:
        """Mark all changes as seen; only later ones count as new."""
        self._since, self._visited = datetime.now(UTC), True
        memo = self._memo()
        if memo is not None:
            memo.visited_at = self._since
        self.reload()

    # Loading.

    async def load(self) -> None:
        """Load all parts in parallel; a part that fails shows its own error."""
        if self._since is None:
            memo = self._memo()
            visited = memo.visited_at if memo else None
            self._visited = visited is not None
            self._since = visited or datetime.now(UTC) - AT_FIRST
        seen = await overview_layers.fetch_overview(self.session, self._since)
        status = seen.status
        if not isinstance(status, MemDeskError) and not (status.turns or status.facts or status.documents):
            self.show_unfilled(
                tr("Nothing is remembered here yet."),
                tr("Connect an agent with `memdesk mcp`, or bring in a chat or an agent's folder."),
            )
            return
        self.model.set_rows(overview_layers.rows(seen))
        self._show_changes(seen)
        self.aside.show_seen(seen)
        looked = tr("You last looked {when}", when=formatting.ago(self._since))
        self.say(looked if self._visited else tr("The last 7 days"))
        self.show_content()

    def _show_changes(self, seen: OverviewData) -> None:
        self.heading.setText(tr("Changed since {when}", when=_when(seen.since)))
        if isinstance(seen.changes, MemDeskError):
            self._none.set_words(seen.changes.says, seen.changes.next)
            self._rows.setCurrentWidget(self._none)
            return
        page = seen.changes
        self.changes.replace_rows(page.rows, or_first=False)
        self.summary.setText(_summed(seen, cut=len(page.rows) == CHANGES_SHOWN))
        self.mark.setVisible(page.total > 0)
        if not page.rows:
            self._none.set_words(tr(NOTHING), tr("What agents and people do next will stand here."))
        self._rows.setCurrentWidget(self.changes if page.rows else self._none)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the right part if the panel is too narrow for it."""
        super().resizeEvent(event)
        self.aside.setVisible(self.width() >= ASIDE_FROM_PX)


def _summed(seen: OverviewData, *, cut: bool) -> str:
    """Return the counts as “38 learned · 4 promoted”, and the number shown if not all are."""
    try:
        found = overview_layers.counts(seen)
    except MemDeskError:
        found = {}
    words = [tr(said, "", found[op]) for op, said in VERBS if found.get(op)]
    if cut:
        words.append(tr("the newest %Ln shown", "", CHANGES_SHOWN))
    return " · ".join(words)


def _when(since: datetime) -> str:
    """Format a time as “09:04” if today, as the weekday within 7 days, else as the day."""
    here, now = formatting.local(since), datetime.now().astimezone()
    if here.date() == now.date():
        return formatting.clock(since)
    return formatting.weekday(here) if (now.date() - here.date()).days < 7 else formatting.day(since)
