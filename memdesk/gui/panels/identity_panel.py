"""Identity files: read and edit an agent's files within their budget; every version is kept."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent

from memdesk.api import workspace
from memdesk.gui.editor.editor import CloseGuard, Draft, Editor
from memdesk.gui.editor.page import FileWatch
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.identity_files import FilesList, NewFileButton, fullness, lines_of
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import (
    Control,
    Drop,
    Failure,
    Ground,
    Icon,
    Option,
    Splitter,
    Text,
    column,
    pages,
    row,
)
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.model.errors import NotFound, Refused
from memdesk.model.status import Nothing
from memdesk.model.workspace import FileRow, FileText, ListFiles, ReadFile

LIST_PX, LIST_MOST_PX = 264, 352
LIST_FROM_PX = 720
"""Least panel width with a list of files; a narrower panel has a drop-down instead."""
BAR_PX = 40
FIRST = "MEMORY.md"
"""File shown first, because it changes most."""
LAYERS = {
    "core": marked("core, always in the prompt"),
    "workspace": marked("workspace, always in the prompt"),
    "long-term": marked("long-term, always in the prompt"),
    "learnings": marked("learnings"),
    "notes": marked("notes"),
    "day": marked("daily log"),
}


class IdentityPanel(Panel):
    """Files of every agent at the left, the chosen one with its versions in the editor."""

    name = "identity"
    kinds = ("document", "workspace")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._rows: tuple[FileRow, ...] = ()
        self._folders: dict[str, Path] = {}
        self._wanted = ""
        self._was_unsaved = False
        self.files, self.editor = FilesList(), Editor(session)
        self.watch = FileWatch(self)
        self.leaving = CloseGuard(self, self.editor, session)
        self.begin = NewFileButton(session)
        self._lay_out()
        self._wire()
        self._show_state()

    def _lay_out(self) -> None:
        self.failure = Failure()
        self._shown = pages(self.editor, self.failure)
        self._side = Ground("panel", layout=column(self.files, gap=0, margins=(0, 6, 0, 0)))
        self._side.setMinimumWidth(LIST_PX)
        self._side.setMaximumWidth(LIST_MOST_PX)
        body = Splitter(self._side, self._shown, grows=1)
        self._near, self._size = Icon("warning", "warn", name=tr("Nearly full")), Text("", 12, "t3")
        self._short_size = Text("", 12, "t3")
        for size in (self._size, self._short_size):
            explain_terms(size, "budget")
        self.revert = Control("button", tr("Revert"), keys="Esc")
        self.save = Control("primary", tr("Save"), keys="Ctrl S")
        self._choice = Drop(name=tr("File"), icon="file")
        bar = row(self._choice, None, self._short_size, margins=(20, 0, 20, 1))
        self._bar = Ground("stage", "bottom", bar, height=BAR_PX)
        content = Ground("stage", layout=column(self._bar, body, gap=0))
        self.furnish(content, actions=(self._near, self._size, 4, self.begin, self.revert, self.save))
        self.setFocusProxy(self.files)

    def _wire(self) -> None:
        self.files.picked.connect(lambda line: self._choose(line.id))
        self.files.opened.connect(lambda _: self.editor.page.editor.setFocus())
        self._choice.chosen.connect(self._choose)
        self.editor.changed.connect(self._show_state)
        self.editor.page.settled.connect(self._list_files)
        self.editor.followed.connect(self._follow_link)
        self.begin.begun.connect(self._open_begun)
        self.revert.clicked.connect(self.editor.revert)
        self.save.clicked.connect(self.save_file)
        self.failure.retried.connect(self.reload)
        self.watch.changed.connect(self._read_again)
        self.session.away.connect(lambda _: self._show_state())
        self.session.back.connect(self._show_state)
        for keys, act in (("Ctrl+S", self.save_file), ("Ctrl+F", self.editor.page.open_find)):
            on_key(keys, act, self, inside=True)

    # Unsaved texts.

    def keep_drafts(self) -> None:
        """Let the window close without asking: its state keeps the unsaved texts."""
        self.leaving.keeps_drafts = True

    def drafts(self) -> list[Any]:
        """Return the unsaved texts that the window's state keeps."""
        kept = self.editor.unsaved().values() if self.leaving.keeps_drafts else ()
        return [draft.data() for draft in kept]

    def resume_drafts(self, drafts: Iterable[Any]) -> None:
        """Take over the texts of drafts(), and begin with the first; data that are no drafts are skipped."""
        found = []
        for each in drafts:
            with suppress(KeyError, TypeError):
                found.append(Draft.of_data(each))
        self.editor.resume(found)
        self._wanted = found[0].base.document_id if found else self._wanted

    # Loading.

    async def load(self) -> None:
        """Load the list, the files that can be created, and the chosen file."""
        await self.begin.load()
        ask = ListFiles(agents=self.session.agents, day_file=self._wanted or None)
        found = await self.session.call(workspace.FILES, ask)
        self._rows = found.rows
        if not self._rows:
            self._show_none()
            return
        folders = await self.session.call(workspace.LIST, Nothing())
        self._folders = {each.id: Path(each.path) for each in folders.rows}
        if self._wanted not in [each.document_id for each in self._rows]:
            self._wanted = _first(self._rows).document_id
        self._list_files()
        await self._read(self._wanted)
        self.show_content()

    def _show_none(self) -> None:
        if self.session.agents:
            self.show_filtered(tr("These agents keep no files on this desk."), by="agents")
        else:
            self.show_unfilled(
                tr("No agent keeps its files here yet."),
                tr("Bring in the folder that an agent keeps its memory in."),
            )

    async def _read(self, id: str) -> None:
        """Read a file and show it, unless another one was chosen meanwhile."""
        try:
            file = await self.session.call(workspace.READ, ReadFile(document_id=id))
        except (NotFound, Refused) as wrong:
            if id == self._wanted:
                self.editor.close_file()
                self.failure.set_words(wrong.says, wrong.next)
                self._shown.setCurrentWidget(self.failure)
                self._show_state()
            return
        if id == self._wanted:
            self._shown.setCurrentWidget(self.editor)
            self.editor.show_file(file)
            self._watch(file)

    def _watch(self, file: FileText) -> None:
        row = self._row(file.document_id)
        folder = self._folders.get(row.workspace_id) if row else None
        self.watch.follow([folder / file.path] if folder else [])

    def _read_again(self) -> None:
        """Read the open file again, because another program may have changed it."""
        if self.isVisible() and self._wanted and not self.session.is_away:
            self.session.spawn(self._read(self._wanted), failed=lambda _: None)

    def changeEvent(self, event: QEvent) -> None:
        """Read the file again when the window becomes active."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._read_again()

    # Choosing a file.

    def select(self, id: str) -> None:
        """Open a file by its document's id. A day's file is listed while it is open."""
        self._wanted = id
        if self._row(id) is not None:
            self._choose(id)
        elif self._rows:
            self.reload()

    @property
    def at(self) -> str:
        return self._wanted

    def _choose(self, id: object) -> None:
        self._wanted = str(id)
        self._mark_chosen()
        self.session.spawn(self._read(self._wanted))

    def _mark_chosen(self) -> None:
        with QSignalBlocker(self.files):
            self.files.choose_file(self._wanted)
        self.files.viewport().update()
        self._choice.set_value(self._wanted)

    def _follow_link(self, path: str) -> None:
        """Open another file of the same workspace, for a link in the preview."""
        here = self._row(self._wanted)
        target = PurePosixPath(normpath(PurePosixPath(here.path).parent / path)) if here else None
        for file in self._rows:
            if here and file.workspace_id == here.workspace_id and PurePosixPath(file.path) == target:
                self._choose(file.document_id)

    def _row(self, id: str) -> FileRow | None:
        return next((row for row in self._rows if row.document_id == id), None)

    def focus_filter(self) -> None:
        """Move the focus to the list, which is too short for a filter."""
        self.files.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # What is said.

    def _list_files(self) -> None:
        agents = {file.agent_id for file in self._rows if file.agent_id}
        shapes = {agent: self.session.mark(f"agent:{agent}")[1] for agent in agents}
        self.files.set_rows(lines_of(self._rows, shapes, self.editor.unsaved_sizes()))
        self._choice.set_options(
            [Option(line.id, f"{_owner(line.file)} / {line.file.path}") for line in self.files.files()]
        )
        self._mark_chosen()

    def _show_state(self) -> None:
        """Show the file's name, its size and budget, and enable the buttons accordingly."""
        file = self.editor.file
        row = self._row(self._wanted)
        layer = tr(LAYERS.get(row.layer, row.layer)) if row else ""
        self.say(f"{_owner(row)} / {row.path} · {layer}" if row else "")
        size = self.editor.page.characters if file else 0
        budget = file.budget if file else None
        token = fullness(size, budget)
        self._size.setText(
            tr("{size} of {budget} characters", size=f"{size:,}", budget=f"{budget:,}")
            if file and budget
            else tr("%Ln character(s)", "", size)
            if file
            else ""
        )
        self._short_size.setText(self._size.text())
        for text in (self._size, self._short_size):
            text.set_token(token)
        self._near.set_icon("warning", token)
        self._near.setVisible(token != "t3")
        unsaved, why_not = self.editor.is_unsaved, self.editor.may_save
        self.revert.set_enabled(unsaved, tr("Nothing to revert."))
        self.save.set_enabled(not why_not, why_not)
        if unsaved != self._was_unsaved:
            self._was_unsaved = unsaved
            self._list_files()

    # Acting.

    def _open_begun(self, id: str) -> None:
        self._wanted = id
        self.reload()

    def save_file(self) -> None:
        """Write the open text to the disk."""
        self.session.spawn(self.editor.save())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the search on Esc, or else revert unsaved text; other keys go to the window."""
        find_bar = self.editor.page.find_bar
        if event.key() == Qt.Key.Key_Escape and find_bar.isVisible():
            find_bar.shut()
        elif event.key() == Qt.Key.Key_Escape and self.editor.is_unsaved:
            self.editor.revert()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Replace the list by a drop-down in a narrow panel."""
        super().resizeEvent(event)
        narrow = event.size().width() < LIST_FROM_PX
        self._side.setVisible(not narrow)
        self._bar.setVisible(narrow)
        self._size.setVisible(not narrow)
        self.setFocusProxy(self._choice if narrow else self.files)


def _first(rows: tuple[FileRow, ...]) -> FileRow:
    return next((row for row in rows if row.path == FIRST), rows[0])


def _owner(row: FileRow) -> str:
    return row.agent_id or row.workspace
