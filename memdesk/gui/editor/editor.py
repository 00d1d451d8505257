"""Editor of one file at a time; it keeps every unsaved text, and never overwrites another text unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QWidget

from memdesk.api import workspace
from memdesk.files.merge import BETWEEN, MINE, THEIRS, Merged, merge
from memdesk.gui.editor.authors import author_of, authors_by_line
from memdesk.gui.editor.page import Page
from memdesk.gui.editor.version_history import VersionHistory, plain_ends, when
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Ground, Icon, Splitter, Strip, Text, column, row
from memdesk.model.errors import Conflict
from memdesk.model.workspace import FileText, ReadFile, SaveFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Unsaved text of one file, and the version it is based on."""

    base: FileText
    text: str

    def data(self) -> dict[str, Any]:
        """Return the draft as JSON data, without the history of its file."""
        kept = ("document_id", "path", "layer", "agent_id", "text", "content_hash", "budget")
        return {"base": {name: getattr(self.base, name) for name in kept}, "text": self.text}

    @classmethod
    def of_data(cls, said: Any) -> Draft:
        """Return the draft of data(). Raises KeyError or TypeError if it is none."""
        return cls(base=FileText(**said["base"], versions=(), authors=()), text=str(said["text"]))


def base_text(file: FileText) -> str:
    """Return the text of a file with the line ends of the editor."""
    return plain_ends(file.text)


def file_title(file: FileText) -> str:
    """Return the name of a file with its agent: “MEMORY.md of Iris”."""
    return tr("{file} of {agent}", file=file.path, agent=file.agent_id) if file.agent_id else file.path


def base_authors(file: FileText) -> list[str]:
    return authors_by_line(base_text(file), file.authors)


def alike(one: str, other: str) -> bool:
    """Return True if two texts differ at most in their final newlines, which the file keeps in its own form."""
    return one.rstrip("\n") == other.rstrip("\n")


def is_half_merged(text: str) -> bool:
    """Return True if a text still contains the marks of a merge conflict."""
    lines = set(text.split("\n")) if MINE in text else set()
    return {MINE, BETWEEN, THEIRS} <= lines


HEIGHT_PX = 40


class ConflictStrip(Ground):
    """Strip that names the author of the other change and offers three choices. The versions below show the
    difference."""

    merged = Signal()
    kept = Signal()
    taken = Signal()

    def __init__(self) -> None:
        self.sentence = Text("", 12, "t1", elide=True)
        self.merge = Control(
            "button", tr("Merge both"), "merge", small=True, tip=tr("Put both changes together in the editor")
        )
        self.keep = Control(
            "button", tr("Keep mine"), small=True, tip=tr("Save my text over the other; its version is kept")
        )
        self.take = Control(
            "button", tr("Take theirs"), small=True, tip=tr("Put the other text in; Ctrl+Z brings mine back")
        )
        self.merge.clicked.connect(lambda: self.merged.emit())
        self.keep.clicked.connect(lambda: self.kept.emit())
        self.take.clicked.connect(lambda: self.taken.emit())
        buttons = row(self.merge, self.keep, self.take, gap=6)
        layout = row(
            Icon("conflict", "bad"),
            self.sentence,
            buttons,
            gap=8,
            margins=(16, 0, 12, 0),
            stretch=self.sentence,
        )
        super().__init__("badbg", layout=layout, height=HEIGHT_PX)
        self.hide()

    def show_conflict(self, sentence: str) -> None:
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()


PAGE_PX, PAST_PX = 520, 252
KEPT = marked("This text was not saved when the window was closed. Save it, or revert to the file.")
CANNOT_HOLD = marked("This file holds signs that no editor keeps, so it is shown here and cannot be edited.")


class Editor(Ground):
    """Page and versions of a file. The signal `changed` follows any change of the text, its state or the
    file.

    The signal `followed` carries the path of a link to another file."""

    changed = Signal()
    followed = Signal(str)

    def __init__(self, session: Session) -> None:
        self._session = session
        self.file: FileText | None = None
        self.theirs: FileText | None = None
        self.is_saving = False
        self._drafts: dict[str, Draft] = {}
        self._resumed: set[str] = set()
        self.page, self.past = Page(session), VersionHistory(session)
        self.conflict, self.note = ConflictStrip(), Strip(tr(CANNOT_HOLD), flush=True)
        self.kept = Strip(tr(KEPT), flush=True)
        for strip in (self.note, self.kept):
            strip.hide()
        top = Ground("stage", layout=column(self.conflict, self.note, self.kept, self.page, gap=0))
        splitter = Splitter(top, self.past, grows=0, vertical=True)
        splitter.setSizes([PAGE_PX, PAST_PX])
        top.setMinimumHeight(200)
        self.past.setMinimumHeight(140)
        super().__init__("stage", layout=column(splitter, gap=0))
        self._wire()

    def _wire(self) -> None:
        self.page.changed.connect(self.changed.emit)
        self.page.settled.connect(self._show_unsaved)
        self.page.followed.connect(self.followed.emit)
        self.past.restored.connect(self._restore)
        self.conflict.merged.connect(self._merge)
        self.conflict.kept.connect(self._keep_mine)
        self.conflict.taken.connect(self._take_theirs)

    # What is open.

    @property
    def is_unsaved(self) -> bool:
        """Return True if the open text differs from the version it is based on."""
        return self.file is not None and self.page.differs(base_text(self.file))

    @property
    def may_save(self) -> str:
        """Return the reason why the text cannot be saved now; empty if it can."""
        if not self.is_unsaved:
            return tr("Nothing to save.")
        if self.is_saving:
            return tr("It is being saved.")
        if self._session.is_away:
            return tr("The service is away; your text stays here until it is back.")
        if self.theirs is not None:
            return tr("The file was changed meanwhile: choose above which text should stand.")
        if not self.page.is_large and is_half_merged(self.page.text()):
            return tr(
                "Both changed the same lines: choose between the texts marked with {mark} first.",
                mark=MINE[:7],
            )
        return ""

    def unsaved(self) -> dict[str, Draft]:
        """Return every unsaved text by document id."""
        found = dict(self._drafts)
        if self.file is not None and self.is_unsaved:
            found[self.file.document_id] = Draft(base=self.file, text=self.page.text())
        return found

    def resume(self, drafts: Iterable[Draft]) -> None:
        """Take over the texts that were unsaved when the window was closed."""
        self._drafts = {draft.base.document_id: draft for draft in drafts}
        self._resumed = set(self._drafts)

    def unsaved_sizes(self) -> dict[str, int]:
        """Return the sizes of the unsaved texts by document id, in characters."""
        found = {id: len(draft.text) for id, draft in self._drafts.items()}
        if self.file is not None and self.is_unsaved:
            found[self.file.document_id] = self.page.characters
        return found

    # A file was read.

    def show_file(self, file: FileText) -> None:
        """Open a file, or update the open one. Never replaces an unsaved text."""
        if self.file is None or file.document_id != self.file.document_id:
            self._open(file)
        elif self.is_saving:
            return  # The file is read once more when the save is over.
        elif file.content_hash == self.file.content_hash:
            self._bring_up_to_date(file)
        elif not self.is_unsaved or alike(self.page.text(), base_text(file)):
            self._base_on(file)
            self._show_text(base_text(file), keep_place=True)
        else:
            self._meet(file)
        self.changed.emit()

    def close_file(self) -> None:
        """Keep the open text as a draft and close its file, for example if the file can no longer be read."""
        self._stash()
        self.file = self.theirs = None

    def _stash(self) -> None:
        if self.file is None:
            return
        self._drafts.pop(self.file.document_id, None)
        if self.is_unsaved:
            self._drafts[self.file.document_id] = Draft(base=self.file, text=self.page.text())

    def _open(self, file: FileText) -> None:
        self._stash()
        draft = self._drafts.pop(file.document_id, None)
        if draft is not None and alike(draft.text, base_text(file)):
            draft = None
        clashes = draft is not None and draft.base.content_hash != file.content_hash
        self._base_on(draft.base if draft and clashes else file)
        self._show_text(draft.text if draft else base_text(file), keep_place=False)
        if clashes:
            self._meet(file)
        self._show_kept()

    def _bring_up_to_date(self, file: FileText) -> None:
        """Take over a newer reading of the same text, whose history may differ. A conflict ends if the disk
        has the base again."""
        self._base_on(file)
        self.page.set_base(base_text(file), base_authors(file))

    def _base_on(self, file: FileText) -> None:
        self.file, self.theirs = file, None
        self.conflict.hide()
        self.past.show_file(file)

    def _show_text(self, text: str, *, keep_place: bool) -> None:
        assert self.file is not None
        base = base_text(self.file)
        is_exact = self.page.show_text(text, base, base_authors(self.file), keep_place=keep_place)
        self.note.setVisible(not is_exact)
        self.page.editor.setAccessibleName(tr("Source of {file}", file=self.file.path))

    def _show_unsaved(self) -> None:
        """Compare the unsaved text with its versions. A large text is compared only in a conflict."""
        shown = self.is_unsaved and (self.theirs is not None or not self.page.is_large)
        self.past.show_unsaved(self.page.text() if shown else None)
        self._show_kept()

    def _show_kept(self) -> None:
        """Say that a text is of the last time, until it is saved or reverted."""
        if self.file is not None and not self.is_unsaved:
            self._resumed.discard(self.file.document_id)
        self.kept.setVisible(self.file is not None and self.file.document_id in self._resumed)

    def _restore(self, text: str) -> None:
        self.page.replace_text(text)

    def revert(self) -> None:
        """Discard the unsaved text for the version it is based on, or for the newer file in a conflict.
        Ctrl+Z undoes it."""
        if self.file is not None and self.is_unsaved:
            if self.theirs is not None:
                self._take_theirs()
            else:
                self.page.replace_text(base_text(self.file))
            self.changed.emit()

    # Saving.

    async def save(self) -> None:
        """Save the text on top of the version it is based on. Another text found on the disk is shown, not
        overwritten."""
        if self.may_save or self.file is None:
            return
        await self._write(self.file, self.page.text())

    async def _write(self, base: FileText, text: str) -> None:
        self.is_saving = True
        self.changed.emit()
        try:
            # After a Conflict, what stands on the disk now is met below.
            with suppress(Conflict):
                await save_text(self._session, base, text)
            now = await self._session.call(workspace.READ, ReadFile(document_id=base.document_id))
        finally:
            self.is_saving = False
            self.changed.emit()
        if self.file is None or self.file.document_id != base.document_id:
            self._forget_draft(now)
        elif alike(base_text(now), text):
            self._adopt(now, text)
        else:
            self.show_file(now)

    def _forget_draft(self, now: FileText) -> None:
        """Drop the draft of a file whose save ended while another file was open."""
        draft = self._drafts.get(now.document_id)
        if draft is not None and alike(draft.text, base_text(now)):
            del self._drafts[now.document_id]
        self.changed.emit()

    def _adopt(self, now: FileText, written: str) -> None:
        """Take over the file as saved; text typed since then is unsaved on top of it."""
        untouched = self.page.text() == written
        self._base_on(now)
        self.page.set_base(base_text(now), base_authors(now))
        if untouched:
            self.page.replace_text(base_text(now))
            self.page.editor.document().setModified(False)
        self.page.settle()
        self.changed.emit()

    # Somebody else changed the file.

    def _meet(self, file: FileText) -> None:
        """Keep the person's text and show the changed file as a conflict."""
        self.theirs = file
        self.past.show_file(file)
        if self.file is not None:
            self.past.show_clash(base_text(self.file), base_text(file))
        self._show_unsaved()
        latest = file.versions[0] if file.versions else None
        if latest is None:
            self.conflict.show_conflict(tr("{file} was changed while you were writing", file=file.path))
            return
        says = tr(
            "{file} was changed by {author}, {when}, while you were writing",
            file=file.path,
            author=author_of(self._session, latest.author).name,
            when=when(latest.at),
        )
        self.conflict.show_conflict(says)

    def _keep_mine(self) -> None:
        """Save on top of the text that was shown; if the file changed again, that is a new conflict."""
        if self.theirs is not None:
            base = self.theirs
            self._base_on(base)
            self._session.spawn(self._write(base, self.page.text()))

    def _take_theirs(self) -> None:
        if self.theirs is not None:
            file = self.theirs
            self._base_on(file)
            self.page.set_base(base_text(file), base_authors(file))
            self.page.replace_text(base_text(file))

    def _merge(self) -> None:
        if self.theirs is not None and self.file is not None:
            self._session.spawn(self._merged(self.file, self.theirs, self.page.text()))

    async def _merged(self, base: FileText, theirs: FileText, mine: str) -> None:
        both = await asyncio.to_thread(merge, base_text(base), mine, base_text(theirs))
        if self.theirs is theirs and self.page.text() == mine:
            self._base_on(theirs)
            self.page.set_base(base_text(theirs), base_authors(theirs))
            self.page.replace_text(both.text)
            self._point_at_clash(both)

    def _point_at_clash(self, both: Merged) -> None:
        if both.clashes and not self.page.is_large:
            self.page.source.show_found(self.page.source.document().find(MINE))


async def save_text(session: Session, base: FileText, text: str) -> None:
    """Save a text on top of a version, and report it in the status line. Raises Conflict if the file changed
    since."""
    ask = SaveFile(document_id=base.document_id, text=text, base_hash=base.content_hash, merge=False)
    await session.do(workspace.SAVE, ask, says=tr("Edited {file}", file=file_title(base)))


WIDTH_PX = 420


class LeaveDialog(QDialog):
    """Dialog that lists the unsaved files. Emitting `save_chosen` or `discard_chosen` closes it; Esc keeps
    the window open."""

    save_chosen = Signal()
    discard_chosen = Signal()

    def __init__(self, parent: QWidget, names: Sequence[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Unsaved text"))
        self.setFixedWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        many = len(names) != 1
        asks = tr("Save these texts before closing?") if many else tr("Save this text before closing?")
        question = Text(asks, 15, "t1", weight=600)
        files = Text("\n".join(names), 13, "t2", wrap=True)
        self.save = Control("primary", tr("Save all") if many else tr("Save"))
        self.discard = Control("button", tr("Close without saving"))
        stay = Control("ghost", tr("Stay"), keys="Esc")
        self.save.clicked.connect(lambda: self._end(self.save_chosen))
        self.discard.clicked.connect(lambda: self._end(self.discard_chosen))
        stay.clicked.connect(self.reject)
        buttons = row(self.save, self.discard, None, stay)
        ground = Ground("panel", layout=column(question, files, 8, buttons, margins=(20, 18, 20, 18)))
        self.setLayout(column(ground, gap=0))

    def _end(self, chosen: SignalInstance) -> None:
        chosen.emit()
        self.accept()


class CloseGuard(QObject):
    """Event filter that blocks closing the window of `panel` while the editor has unsaved texts.

    keeps_drafts: set if the window closes without asking, because its state then has the texts."""

    def __init__(self, panel: QWidget, editor: Editor, session: Session) -> None:
        super().__init__(panel)
        self._panel, self._editor, self._session = panel, editor, session
        self._window: QWidget | None = None
        self.dialog: LeaveDialog | None = None
        self.keeps_drafts = False
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Find the window as soon as the panel is shown in it, then intercept its close event."""
        if watched is self._panel and event.type() == QEvent.Type.Show:
            self._listen_to(self._panel.window())
        asks = watched is self._window and event.type() == QEvent.Type.Close and not self.keeps_drafts
        if asks and self._editor.unsaved():
            event.ignore()
            self._ask()
            return True
        return False

    def _listen_to(self, window: QWidget) -> None:
        if window is not self._window:
            self._window = window
            window.installEventFilter(self)

    def _ask(self) -> None:
        if self.dialog is not None:
            return
        names = [file_title(draft.base) for draft in self._editor.unsaved().values()]
        self.dialog = LeaveDialog(self._panel.window(), names)
        self.dialog.save_chosen.connect(lambda: self._session.spawn(self._save_all()))
        self.dialog.discard_chosen.connect(self._close)
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def _forget(self) -> None:
        self.dialog = None

    async def _save_all(self) -> None:
        """Save every text, then close. After a conflict the window stays open to show it."""
        for draft in self._editor.unsaved().values():
            await save_text(self._session, draft.base, draft.text)
        self._close()

    def _close(self) -> None:
        """Close without asking again; if the window stays open for another reason, watch it again."""
        if self._window is not None:
            self._window.removeEventFilter(self)
            if not self._window.close():
                self._window.installEventFilter(self)
