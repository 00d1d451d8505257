"""Import and export: import memory from files, export it in another program's format, take out what comes from a
source, or erase a user for good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.api import curation, exports, workspace
from memdesk.api.endpoint import Endpoint
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.transfer.export_form import ExportForm
from memdesk.gui.panels.transfer.import_form import ImportForm
from memdesk.gui.session import Session
from memdesk.gui.shell.job_footer import JobFooter, JobForm
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Field,
    Ground,
    Icon,
    Option,
    RowsModel,
    Segments,
    Table,
    Text,
    column,
    laid_out,
    pages,
    row,
)
from memdesk.gui.widgets.text import tip_text
from memdesk.model.curation import Descendant, EraseUser, Revocation, RevocationPreview, UndoRun
from memdesk.model.history import FeedEvent
from memdesk.model.interop import AskExportPreview
from memdesk.model.kinds import BY_NAME
from memdesk.model.status import Nothing

FIELD_PX = 260
WORDS_PX = 620


class Erasing(QWidget):
    """Form of an erasure: the user, the amount of data, the name as a confirmation, and the foot.

    The signal `erased` reports the end of the job."""

    erased = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.users = Drop(name=tr("User"), lead=tr("User"))
        self.holds = Text("", 12, "t2", wrap=True)
        self.confirm = Field(
            name=tr("The name once more"), placeholder=tr("the name, letter by letter"), width=FIELD_PX
        )
        self.backups = Control(
            "chip",
            tr("Delete the backups that hold them too"),
            "check",
            tip=tr("Nothing of this user is left in any backup then"),
        )
        self.footer = JobFooter(
            session, verb=tr("Erase for good"), icon="trash", more="", more_icon="undo", again=tr("Done")
        )
        self._furnish()
        self.users.chosen.connect(lambda _: self._choose())
        self.confirm.textChanged.connect(lambda _: self._offer())
        self.confirm.returnPressed.connect(self.footer.press)
        self.footer.started.connect(self._begin)
        self.footer.again.connect(self._choose)

    def _furnish(self) -> None:
        says = tr(
            "Everything that is kept of one user goes for good: what was said, what was learned, history and logs. "
            "Exports, and files in folders of agents, are not touched. No undo brings it back."
        )
        kept = tr(
            "Left off: one more backup is made first (not in PostgreSQL), from which alone this user can come "
            "back; an older one, when it is restored, erases them again. Switched on: no backup is made first, and "
            "every backup that holds anything of theirs is deleted whole, with all that others have in it."
        )
        never = Text(tr("This cannot be taken back"), 13, "t1", weight=500)
        warning = row(Icon("warning", "bad", name=tr("Warning")), never, None)
        words = Text(says, 12, "t2", wrap=True)
        of_backups = Text(kept, 12, "t2", wrap=True)
        for text in (words, self.holds, of_backups):
            text.setMaximumWidth(WORDS_PX)
        again = row(Text(tr("Type the name once more to confirm:"), 12, "t2"), self.confirm, None)
        page = column(
            warning,
            words,
            row(self.users, None),
            self.holds,
            row(self.backups, None),
            of_backups,
            again,
            None,
            gap=12,
            margins=(20, 20, 20, 20),
        )
        layout = column(Ground("stage", layout=page), self.footer, gap=0)
        layout.setStretch(0, 1)
        self.setLayout(column(Ground("stage", layout=layout), gap=0))
        self.setFocusProxy(self.users)

    async def load(self) -> None:
        """Load the users, and the counts of the selected user's records."""
        everybody = await self.session.call(exports.PREVIEW, AskExportPreview(format="archive"))
        self.users.set_options([Option(each, each) for each in everybody.users])
        if self.name:
            found = await self.session.call(
                exports.PREVIEW, AskExportPreview(format="archive", user_id=self.name)
            )
            counts = formatting.counted(found.goes)
            self.holds.setText(tr("Kept of {user}: {counts}.", user=self.name, counts=counts))
        else:
            self.holds.setText(tr("Nothing is kept of anybody here."))
        self._offer()

    def _choose(self) -> None:
        """Reset the confirmation, and load the counts of the selected user."""
        self.confirm.clear()
        self.backups.setChecked(False)
        self.session.spawn(self.load(), failed=self.footer.fail)

    @property
    def name(self) -> str:
        """Return the user to erase; empty if there is none."""
        value = self.users.value()
        return value if isinstance(value, str) else ""

    def _offer(self) -> None:
        if self.footer.is_busy:
            return
        agreed = bool(self.name) and self.confirm.text() == self.name
        self.footer.offer(
            tr("Erases everything of {user}.", user=self.name) if agreed else "",
            why_not="" if agreed else tr("Type the name once more first."),
        )

    def _begin(self) -> None:
        """Start the erasure with the name selected now, even if the inputs change later."""
        ask = EraseUser(user_id=self.name, confirm=self.confirm.text(), backups=self.backups.isChecked())
        self.session.spawn(self._erase(ask), failed=self.footer.fail)

    async def _erase(self, ask: EraseUser) -> None:
        job = await self.session.call(curation.ERASE_USER, ask)
        ended = await self.footer.follow(job)
        self.confirm.clear()
        self.backups.setChecked(False)
        if ended.state == "cancelled":
            self.footer.show_result(ended.says, icon="minus", token="warn", more=False)
        else:
            self.footer.show_result(tr("Everything of {user} was erased.", user=ask.user_id), more=False)
        self.session.refresh_status()
        self.erased.emit()


IMPORT, EXPORT, REVOKE, ERASE, BACKUP = "import", "export", "revoke", "erase", "backup"
PAGES = (IMPORT, EXPORT, REVOKE, ERASE)
LEADS_TO: dict[str, Endpoint[Any, Any]] = {
    EXPORT: exports.FETCH,
    REVOKE: curation.REVOKE,
    ERASE: curation.ERASE_USER,
}
"""Calls that the pages lead to; an import's says itself where it is made."""


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
        says = self.session.did_undo(ended, lambda number: tr("Brought back: %Ln change(s)", "", number))
        self.footer.show_result(says, icon="undo", token="t2", more=False)
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


class TransferPanel(Panel):
    """Pages under one bar: import, export, take out by source, erase."""

    name = "transfer"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.pages = Segments(
            (
                (IMPORT, tr("Import")),
                (EXPORT, tr("Export")),
                (REVOKE, tr("Take out by source")),
                (ERASE, tr("Erase a user")),
            ),
            name=tr("What to do"),
        )
        self.folders = Control("button", tr("Workspaces"), "file")
        self.backup = Control(
            "button",
            tr("Back everything up"),
            "backup",
            tip=tr("Write an archive of everything, which an import brings back"),
        )
        self.bringing, self.sending, self.erasing = ImportForm(session), ExportForm(session), Erasing(session)
        self.revoking = RevokeForm(session)
        self._shown = pages(self.bringing, self.sending, self.revoking, self.erasing)
        bar = row(self.pages, None, margins=(20, 0, 20, 0))
        self.furnish(self._shown, filters=bar, actions=(self.folders, self.backup))
        self.setFocusProxy(self.bringing.source)
        self.pages.chosen.connect(self.open_page)
        self.folders.clicked.connect(lambda: inspector.navigated.emit("workspaces", ""))
        self.backup.clicked.connect(self._back_up)
        session.able.connect(self._show_able)
        self._show_able()
        if session.is_remote:
            self._turn_to(EXPORT)
        self.erasing.erased.connect(session.refresh_status)
        self.bringing.folder_came.connect(self._show_agent)

    def _show_able(self) -> None:
        for page, call in LEADS_TO.items():
            why_not = self.session.why_not_call(call)
            self.pages.button(page).set_enabled(not why_not, why_not)
        self.folders.setVisible(not self.session.why_not_call(workspace.LIST))
        why_not = self.session.why_not_call(exports.START)
        self.backup.set_enabled(not why_not, why_not)

    def concerned(self, event: FeedEvent) -> bool:
        """Return False: agents' changes must not reset a form that a person is filling in."""
        return False

    async def load(self) -> None:
        """Load the data that the open page needs."""
        if not self.session.is_remote:
            self.bringing.offer_layouts((await self.session.call(workspace.LIST, Nothing())).layouts)
        await self._load_page()

    async def _load_page(self) -> None:
        page = str(self.pages.value())
        if page in LEADS_TO and (why_not := self.session.why_not_call(LEADS_TO[page])):
            self.show_empty(why_not)
            return
        if page == IMPORT and self.session.is_remote:
            self.show_empty(
                tr("An import reads files on the computer of this desk."),
                tr("Do it there: in a window, or with memdesk import."),
            )
            return
        if page == EXPORT and not self.sending.footer.is_busy:
            await self.sending.load()
        elif page == ERASE and not self.erasing.footer.is_busy:
            await self.erasing.load()
        self.show_content()

    def open_page(self, page: object) -> None:
        """Show a page of PAGES."""
        self._turn_to(page)
        self.session.spawn(self._load_page(), failed=self.show_failure)

    def _turn_to(self, page: object) -> None:
        self.pages.set_value(page)
        self._shown.setCurrentIndex(PAGES.index(str(page)))
        first = (self.bringing.source, self.sending, self.revoking, self.erasing)
        self.setFocusProxy(first[PAGES.index(str(page))])

    def select(self, id: str) -> None:
        """Open a page by its name, or examine a file or folder by its path; BACKUP begins a backup, and
        `revoke:KIND:SOURCE` shows what descends from a source."""
        if id == BACKUP:
            self._back_up()
        elif id.startswith(f"{REVOKE}:"):
            self.open_page(REVOKE)
            self.revoking.choose(*id.split(":", 2)[1:])
        elif id in PAGES:
            self.open_page(id)
        else:
            self.open_page(IMPORT)
            self.bringing.look_at(id)

    def _show_agent(self) -> None:
        """Go from an import that brought files in to the page that says whose they are, unless the person has left."""
        if self.isVisible():
            self.inspector.navigated.emit("who", "")

    def _back_up(self) -> None:
        """Prepare an export of all memory; the person confirms once the place is right."""
        self._turn_to(EXPORT)
        self.session.spawn(self._backed_up(), failed=self.show_failure)

    async def _backed_up(self) -> None:
        await self.sending.load()
        self.sending.back_up()
