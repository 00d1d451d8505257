"""Form that takes out of memory all that descends from a source: the source, a look at what goes and what stays, and
one button that undoes the run."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.api import curation
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.job_foot import JobFoot
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Empty,
    Failure,
    Field,
    Ground,
    Option,
    RowsModel,
    Skeleton,
    Table,
    Text,
    column,
    row,
)
from memdesk.gui.widgets.text import tip_text
from memdesk.model.curation import UndoRun
from memdesk.model.errors import MemDeskError
from memdesk.model.kinds import BY_NAME
from memdesk.model.revoking import Descendant, Revocation, RevocationPreview

NAMES = {
    "conversation": marked("Conversation"),
    "session": marked("Session"),
    "agent": marked("Agent"),
    "tool": marked("Tool"),
    "file": marked("File"),
    "run": marked("Import or job"),
}
FIELD_PX = 420


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageRow:
    """Row of the table: a memory, and if it goes, stays or comes back."""

    fate: str
    memory: Descendant


class RevokeForm(QWidget):
    """Form of a revocation with its preview and foot."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._asked: Revocation | None = None
        self._task: asyncio.Task[None] | None = None
        self._run = ""
        self.kinds = Drop(
            [Option(value=name, text=tr(says)) for name, says in NAMES.items()],
            name=tr("Source"),
            lead=tr("From"),
        )
        self.kinds.set_value("conversation")
        self.source = Field(
            name=tr("Id, name or path"), placeholder=tr("its id, name or path"), width=FIELD_PX
        )
        self.look = Control("button", tr("Look"), "recall", tip=tr("See what would go; nothing changes"))
        self.rows: RowsModel[LineageRow] = RowsModel(_columns())
        self.table = Table(self.rows, name=tr("What descends from it"))
        self.counts = Text("", 12, "t2", wrap=True)
        self.files = Text("", 12, "warn", wrap=True)
        self.failure, self.wait = Failure(""), Skeleton(rows=8)
        self.nothing = Empty(
            tr("Take out all that comes from one source."),
            tr(
                "Choose a conversation, a session, an agent, a tool, a file or an import. You see everything that was "
                "stored by it, read from it, promoted or summarised before anything happens. One undo brings it back, "
                "and what went is not learned again."
            ),
        )
        self.foot = JobFoot(
            session,
            verb=tr("Take it out"),
            icon="trash",
            more=tr("Bring it back"),
            more_icon="undo",
            again=tr("Done"),
        )
        self._views = QStackedWidget()
        self._furnish()
        self._outdate()

    def _furnish(self) -> None:
        asked = row(self.kinds, self.source, self.look, None, gap=8, margins=(20, 10, 20, 10))
        shown = QWidget()
        words = column(self.counts, self.files, gap=4, margins=(20, 8, 20, 8))
        shown.setLayout(column(words, self.table, gap=0))
        self._preview = shown
        for view in (self.nothing, self.wait, self.failure, shown):
            self._views.addWidget(view)
        layout = column(Ground("stage", "bottom", asked), self._views, self.foot, gap=0, stretch=self._views)
        self.setLayout(column(Ground("stage", layout=layout), gap=0))
        self.setFocusProxy(self.source)
        self.look.clicked.connect(self.look_at)
        self.source.returnPressed.connect(self.look_at)
        self.source.textEdited.connect(lambda _: self._outdate())
        self.kinds.chosen.connect(lambda _: self._outdate())
        self.failure.retried.connect(self.look_at)
        self.wait.cancelled.connect(self._outdate)
        self.foot.started.connect(lambda: self.session.spawn(self._take_out(), failed=self._failed))
        self.foot.more.connect(lambda: self.session.spawn(self._bring_back(), failed=self._failed))
        self.foot.again.connect(self._outdate)

    def choose(self, kind: str, source: str) -> None:
        """Enter a source and look at it."""
        self.kinds.set_value(kind)
        self.source.setText(source)
        self.look_at()

    def look_at(self) -> None:
        """Load the preview of taking this source out."""
        source = self.source.text().strip()
        if not source or self.foot.is_busy:
            return
        self._outdate()
        self._views.setCurrentWidget(self.wait)
        ask = Revocation(source_kind=str(self.kinds.value()), source=source)
        self._task = self.session.spawn(self._look(ask), failed=self._refused)

    async def _look(self, ask: Revocation) -> None:
        found = await self.session.call(curation.PREVIEW_REVOCATION, ask)
        self._asked = ask
        self._show(found)
        going = sum(found.counts.values())
        self.foot.offer(
            tr("%Ln memor(y|ies) would go.", "", going),
            why_not="" if going else tr("Nothing of it is in memory."),
        )

    def _show(self, found: RevocationPreview) -> None:
        parts = ((tr("goes"), found.rows), (tr("stays"), found.stays), (tr("comes back"), found.returns))
        self.rows.set_rows(tuple(LineageRow(fate=fate, memory=each) for fate, rows in parts for each in rows))
        self.counts.setText(tr("What goes: {counts}.", counts=formatting.counted(found.counts)))
        self.files.setText(tr("Files that are removed: {files}", files=", ".join(found.files)))
        self.files.setVisible(bool(found.files))
        self._views.setCurrentWidget(self._preview)

    def _outdate(self) -> None:
        """Discard the preview, because the inputs have changed."""
        if self.foot.is_busy:
            return
        if self._task is not None:
            self._task.cancel()
        self._task = self._asked = None
        self._views.setCurrentWidget(self.nothing)
        self.foot.offer("", why_not=tr("Look first at what would go."))

    def _refused(self, wrong: MemDeskError) -> None:
        self.failure.set_words(wrong.says, wrong.next)
        self._views.setCurrentWidget(self.failure)

    def _failed(self, wrong: MemDeskError) -> None:
        self.foot.fail(wrong, more=bool(self._run))

    async def _take_out(self) -> None:
        if self._asked is None:
            return
        self._run = ""
        job = await self.session.call(curation.REVOKE, self._asked)
        self._run = str(job.result.get("run", ""))
        ended = await self.foot.follow(job)
        change = ended.result.get("change")
        self.foot.show_result(ended.says, more=isinstance(change, int))
        if isinstance(change, int):
            self.session.did_run(change, ended.says, "retire")
        self.session.refresh_status()

    async def _bring_back(self) -> None:
        """Undo the run of the revocation."""
        job = await self.session.call(curation.UNDO_RUN, UndoRun(run=self._run))
        ended = await self.foot.follow(job)
        undone, newest = int(ended.result.get("undone", 0)), ended.result.get("change")
        says = tr("Brought back: %Ln change(s).", "", undone)
        self.foot.show_result(says, icon="undo", token="t2", more=False)
        if isinstance(newest, int):
            self.session.did_run(newest, says, "undo")
        self.session.refresh_status()


def _columns() -> tuple[Column[LineageRow], ...]:
    return (
        Column(title=tr("What happens"), text=lambda each: each.fate, width=110),
        Column(title=tr("What it is"), text=lambda each: tr(BY_NAME[each.memory.kind].label), width=120),
        Column(
            title=tr("Name"),
            text=lambda each: each.memory.title,
            token="t1",
            tip=lambda each: tip_text(f"{each.memory.title}\n{each.memory.id}"),
        ),
        Column(title=tr("Channel"), text=lambda each: each.memory.channel, width=110),
        Column(title=tr("Why"), text=lambda each: tr(each.memory.why), width=230),
    )
