"""Workspaces: the folders of agents' memory files; add one after a preview, rescan it, remove it."""

from __future__ import annotations

from pathlib import PurePath

from memdesk.api import workspace
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.panels.transfer.import_form import ImportForm
from memdesk.gui.panels.workspace_detail import Detail
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import Control, Failure, Ground, List, Splitter, TwoLines, column, pages
from memdesk.gui.widgets.path_field import Dropping, reveal
from memdesk.model.errors import MemDeskError, NotFound
from memdesk.model.history import FeedEvent
from memdesk.model.status import JobState, Nothing
from memdesk.model.workspace import WorkspaceRow
from memdesk.model.workspace_files import AskFolder, FolderFile


def said(row: WorkspaceRow) -> str:
    """Return a row as text for a screen reader."""
    many = tr("%Ln file(s)", "", row.files)
    parts = [row.name, row.layout, row.agent_id or tr("no agent"), row.channel, many]
    return ", ".join([*parts, *([] if row.present else [tr("the folder is away")])])


LIST_PX, LIST_MOST_PX = 280, 352
JOBS = ("files", "import")
"""Jobs that read files; the panel shows their progress."""
DAY, ADD = "day", "add"


class WorkspacesPanel(RecordPanel):
    """List of folders at the left, the chosen one at the right; the form that adds one replaces both."""

    name = "workspaces"
    kinds = ("workspace", "document", "proposal")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._wanted, self._busy = "", False
        self.add = Control("primary", tr("Add a folder"), "plus", keys="A")
        self.transfer = Control("button", tr("Import and export"), "merge")
        self.folders = List(said, name=tr("Folders"), lines=self._lines)
        self.detail = Detail(session)
        self.failure = Failure()
        self.bringing = ImportForm(session, folders_only=True)
        self.back = Control("button", tr("Back to the folders"), "left", keys="Esc")
        self._shown = pages(self.detail, self.failure)
        self.failure.setContentsMargins(5, 0, 5, 0)
        side = Ground("panel", layout=column(self.folders, gap=0, margins=(0, 6, 0, 0)))
        side.setMinimumWidth(LIST_PX)
        side.setMaximumWidth(LIST_MOST_PX)
        body = Splitter(side, self._shown, grows=1)
        self._pages = pages(body, self.bringing)
        self.back.hide()
        self.filter = self._filter_field = self.detail.filter
        self.lay_out(self._pages, focus=self.folders, actions=(self.transfer, self.back, self.add))
        self.folders.picked.connect(lambda row: self._choose(row.id))
        self.folders.opened.connect(lambda _: self.detail.table.setFocus())
        self.failure.retried.connect(self.reload)
        self.add.clicked.connect(lambda: self.open_form())
        self.back.clicked.connect(self.close_form)
        self.transfer.clicked.connect(lambda: self.inspector.navigated.emit("transfer", ""))
        self.bringing.shown_more.connect(self.close_form)
        self.bringing.settled.connect(self.reload_soon)
        self.detail.opened.connect(self._open_file)
        self.detail.conflicts_asked.connect(lambda: self.inspector.navigated.emit("identity", ""))
        buttons = self.detail.buttons
        buttons["look"].clicked.connect(lambda: self.session.spawn(self._look()))
        buttons["show"].clicked.connect(self._reveal)
        buttons["remove"].clicked.connect(lambda: self.session.spawn(self._remove()))
        for keys, button in (("R", buttons["look"]), ("O", buttons["show"]), ("A", self.add)):
            on_key(keys, button.click, self.folders, self.detail.table)
        Dropping(self).dropped.connect(self.open_form)
        self.session.status_changed.connect(lambda _: self._show_job())

    def _lines(self, row: WorkspaceRow) -> TwoLines:
        icon = ("warning", "warn") if not row.present else None if row.agent_id else ("file", "t3")
        return TwoLines(
            title=row.name if row.present else tr("{name} (away)", name=row.name),
            note=row.layout,
            below=row.channel,
            below_note=tr("%Ln file(s)", "", row.files),
            mark=self.session.mark(f"agent:{row.agent_id}") if row.agent_id else None,
            icon=icon,
            channel=self.session.channel_number(row.channel),
            quiet=not row.present,
        )

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for changes of folders, files and proposals, and for imports. New vectors send no
        event; a panel that waits for them polls."""
        return super().concerned(event) or event.op == "import"

    # Loading.

    async def load(self) -> None:
        """Load the list, and the chosen folder in full."""
        found = await self.session.call(workspace.LIST, Nothing())
        self.bringing.offer_layouts(found.layouts)
        if not found.rows and self._pages.currentWidget() is not self.bringing:
            self.say("")
            self.show_empty(
                tr("No folder of an agent is on this desk yet."),
                tr(
                    "Add the folder an agent keeps its memory in. It stays where it is, and MemDesk watches it there."
                ),
                step=tr("Add a folder"),
                take=self.open_form,
            )
            return
        rows = tuple(each for each in found.rows if self._is_shown(each))
        if not rows and self._pages.currentWidget() is not self.bringing:
            self.say("")
            self.show_empty(
                tr("No folder is of the agents and channels that are shown."),
                step=tr("Show all of them"),
                take=self.show_all,
            )
            return
        self._list(rows)
        self.show_content()
        if self._wanted:
            await self._read(self._wanted)
        self._show_job()

    def _is_shown(self, row: WorkspaceRow) -> bool:
        """Return True if a folder matches the filters of the top bar."""
        agents, channels = self.session.agents, self.session.channels
        return (not agents or row.agent_id in agents) and (not channels or row.channel in channels)

    def _list(self, rows: tuple[WorkspaceRow, ...]) -> None:
        chosen = self.folders.replace_rows(rows, self._wanted)
        self._wanted = chosen.id if chosen is not None else ""
        files = tr("%Ln file(s)", "", sum(each.files for each in rows))
        folders = tr("%Ln folder(s)", "", len(rows))
        self.say(f"{folders} · {files}")

    async def _read(self, id: str) -> None:
        """Load a folder and show it, unless another one was chosen meanwhile."""
        try:
            found = await self.session.call(workspace.FOLDER, AskFolder(workspace_id=id))
        except NotFound as wrong:
            if id == self._wanted:
                self._fail(wrong)
            return
        if id == self._wanted:
            self.detail.show_folder(found)
            self._shown.setCurrentWidget(self.detail)

    def _fail(self, wrong: MemDeskError) -> None:
        self.failure.set_words(wrong.says, wrong.next)
        self._shown.setCurrentWidget(self.failure)

    # Choosing.

    def select(self, id: str) -> None:
        """Choose a folder by its id, begin to add one by its path, or with ADD open an empty form."""
        if id == ADD or id.startswith("/"):
            self.open_form(id.removeprefix(ADD))
            return
        self.close_form()
        self._choose(id)
        self.folders.choose_id(id)

    def _choose(self, id: str) -> None:
        self._wanted = id
        self.session.spawn(self._read(id), failed=self._fail)

    def _open_file(self, file: FolderFile) -> None:
        if file.document_id is not None:
            self.inspector.navigated.emit("daily" if file.layer == DAY else "identity", file.document_id)

    def _reveal(self) -> None:
        if self.detail.folder is not None:
            reveal(self.detail.folder.path)

    # The form that adds.

    def open_form(self, path: str = "") -> None:
        """Show the form that adds a folder; with a path, preview its content."""
        self._pages.setCurrentWidget(self.bringing)
        self.show_content()
        self.add.hide()
        self.back.show()
        self.bringing.source.field.setFocus()
        if path:
            self.bringing.look_at(path)

    def close_form(self) -> None:
        """Return to the folders; a running import continues, and the form shows its progress when opened
        again."""
        if self._pages.currentWidget() is not self.bringing:
            return
        if not self.bringing.footer.is_busy:
            self.bringing.begin_anew()
        self._pages.setCurrentIndex(0)
        self.back.hide()
        self.add.show()
        self.folders.setFocus()
        self.reload()

    def step_back(self) -> bool:
        """Close the form on Esc; returns False if it is not open."""
        was_open = self._pages.currentWidget() is self.bringing
        self.close_form()
        return was_open

    # Acting.

    def act(self, action: str) -> bool:
        """Remove the chosen folder on Del; returns False for other letters."""
        if action == "retire" and self.detail.buttons["remove"].isEnabled():
            self.detail.buttons["remove"].click()
        return action == "retire"

    async def _look(self) -> None:
        folder = self.detail.folder
        if folder is None:
            return
        job = await self.session.call(workspace.LOOK_THROUGH, AskFolder(workspace_id=folder.id))
        await self.session.finish(job, self.detail.show_job)
        self.detail.show_job(None)
        self.reload()

    async def _remove(self) -> None:
        """Remove a folder; the sentence that offers Undo contains its name."""
        folder = self.detail.folder
        if folder is None:
            return
        gone = await self.session.call(workspace.REMOVE, AskFolder(workspace_id=folder.id))
        says = tr(
            "{name} left the desk; its files stay in {path}", name=gone.name, path=PurePath(folder.path)
        )
        self._wanted = ""
        self.session.did_run(gone.change, says, "retire")
        self.reload()

    def _show_job(self) -> None:
        """Show the progress of jobs that read files, and reload after they end or while vectors are missing."""
        job = self._job()
        self.detail.show_job(job)
        folder = self.detail.folder
        waits = folder is not None and (folder.unembedded > 0 or (folder.present and not folder.watched))
        if self.isVisible() and (job is not None or self._busy or waits):
            self._busy = job is not None
            self.reload_soon()

    def _job(self) -> JobState | None:
        running = self.session.status.jobs if self.session.status else ()
        return next((job for job in running if job.name in JOBS and job.open), None)

    def show_away(self, why_not: str) -> None:
        self.detail.show_away(why_not)
