"""Form that takes out of memory all that descends from a source: the source, a look at what goes and what stays, and
one button that undoes the run."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.api import curation
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.job_footer import JobFooter, JobForm
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Field,
    Option,
    RowsModel,
    Table,
    Text,
    column,
    laid_out,
    row,
)
from memdesk.gui.widgets.text import tip_text
from memdesk.model.curation import Descendant, Revocation, RevocationPreview, UndoRun
from memdesk.model.kinds import BY_NAME

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


class RevokeForm(JobForm):
    """Form of a revocation with its preview and foot."""

    def __init__(self, session: Session) -> None:
        footer = JobFooter(
            session,
            verb=tr("Take it out"),
            icon="trash",
            more=tr("Bring it back"),
            more_icon="undo",
            again=tr("Done"),
        )
        super().__init__(session, footer, missing=tr("Look first at what would go."))
        self._asked: Revocation | None = None
        self.kinds = Drop(
            [Option(name, tr(says)) for name, says in NAMES.items()], name=tr("Source"), lead=tr("From")
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
        self.nothing.set_words(
            tr("Take out all that comes from one source."),
            tr(
                "Choose a conversation, a session, an agent, a tool, a file or an import. You see everything that was "
                "stored by it, read from it, promoted or summarised before anything happens. One undo brings it back, "
                "and what went is not learned again."
            ),
        )
        words = column(self.counts, self.files, gap=4, margins=(20, 8, 20, 8))
        self._preview = laid_out(column(words, self.table, gap=0))
        asked = row(self.kinds, self.source, self.look, None, gap=8, margins=(20, 10, 20, 10))
        self.lay_out(asked, self._preview, focus=self.source)
        self.look.clicked.connect(self.look_at)
        self.source.returnPressed.connect(self.look_at)
        self.source.textEdited.connect(lambda _: self.outdate())
        self.kinds.chosen.connect(lambda _: self.outdate())
        self.failure.retried.connect(self.look_at)
        self.wait.cancelled.connect(self.outdate)
        self.footer.started.connect(lambda: self.begin(self._take_out()))
        self.footer.more.connect(lambda: self.begin(self._bring_back()))
        self.footer.again.connect(self.outdate)
        self.outdate()

    def choose(self, kind: str, source: str) -> None:
        """Enter a source and look at it."""
        self.kinds.set_value(kind)
        self.source.setText(source)
        self.look_at()

    def look_at(self) -> None:
        """Load the preview of taking this source out."""
        source = self.source.text().strip()
        if not source or self.footer.is_busy:
            return
        self.outdate()
        self.load_preview(self._look(Revocation(source_kind=str(self.kinds.value()), source=source)))

    async def _look(self, ask: Revocation) -> None:
        found = await self.session.call(curation.PREVIEW_REVOCATION, ask)
        self._asked = ask
        self._show(found)
        going = sum(found.counts.values())
        self.footer.offer(
            tr("%Ln memor(y|ies) would go.", "", going),
            why_not="" if going else tr("Nothing of it is in memory."),
        )

    def _show(self, found: RevocationPreview) -> None:
        parts = ((tr("goes"), found.rows), (tr("stays"), found.stays), (tr("comes back"), found.returns))
        self.rows.set_rows(tuple(LineageRow(fate=fate, memory=each) for fate, rows in parts for each in rows))
        self.counts.setText(tr("What goes: {counts}.", counts=formatting.counted(found.counts)))
        self.files.setText(tr("Files that are removed: {files}", files=", ".join(found.files)))
        self.files.setVisible(bool(found.files))
        self.views.setCurrentWidget(self._preview)

    def outdate(self) -> None:
        self._asked = None
        super().outdate()

    async def _take_out(self) -> None:
        if self._asked is None:
            return
        self._run = ""
        job = await self.session.call(curation.REVOKE, self._asked)
        self._run = str(job.result.get("run", ""))
        ended = await self.footer.follow(job)
        change = ended.result.get("change")
        self.footer.show_result(ended.says, more=isinstance(change, int))
        if isinstance(change, int):
            self.session.did_run(change, ended.says, "retire")
        self.session.refresh_status()

    async def _bring_back(self) -> None:
        """Undo the run of the revocation."""
        job = await self.session.call(curation.UNDO_RUN, UndoRun(run=self._run))
        ended = await self.footer.follow(job)
        undone, newest = int(ended.result.get("undone", 0)), ended.result.get("change")
        says = tr("Brought back: %Ln change(s).", "", undone)
        self.footer.show_result(says, icon="undo", token="t2", more=False)
        if isinstance(newest, int):
            self.session.did_run(newest, says, "undo")
        self.session.refresh_status()


def _columns() -> tuple[Column[LineageRow], ...]:
    return (
        Column(tr("What happens"), lambda each: each.fate, width=110),
        Column(tr("What it is"), lambda each: tr(BY_NAME[each.memory.kind].label), width=120),
        Column(
            tr("Name"),
            lambda each: each.memory.title,
            token="t1",
            tip=lambda each: tip_text(f"{each.memory.title}\n{each.memory.id}"),
        ),
        Column(tr("Channel"), lambda each: each.memory.channel, width=110),
        Column(tr("Why"), lambda each: tr(each.memory.why), width=230),
    )
