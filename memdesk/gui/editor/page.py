"""Page for reading and writing one file: its source and its preview, side by side or one at a time; and the watch for
changes that other programs make to files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QFileSystemWatcher, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent

from memdesk.gui.editor.authors import Legend, author_of
from memdesk.gui.editor.markdown_preview import Preview, parse
from memdesk.gui.editor.source import FindBar, Plain, Source
from memdesk.gui.editor.text_compare import carry_authors
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground, Segments, Splitter, Text, column, delayed, pages, row

HEAD_PX = 34
BOTH_FROM_PX = 880
"""Width from which source and preview are shown together; a narrower page shows one of them."""
LARGE_CHARACTERS = 200_000
"""Size above which a file is shown as plain text, because colouring and rendering would be too slow."""
SETTLED_AFTER_MS = 180
"""Pause in typing after which the text is rendered, compared and matched with its authors."""
MS_PER_KILOBYTE = 4
"""Additional pause per 1,000 characters, because a longer file takes longer to render."""
Mode = Literal["source", "both", "preview"]


class Page(Ground):
    """Page of one file. The signal `changed` follows every change of the text at once, `settled` comes after
    a pause in typing, `followed` carries the path of a link to another file."""

    changed = Signal()
    settled = Signal()
    followed = Signal(str)

    def __init__(self, session: Session) -> None:
        self._session = session
        self._mode: Mode = "both"
        self._base, self._base_authors = "", list[str]()
        self._work = Newest(session)
        self.source = Source(lambda author: author_of(session, author).name)
        self.plain = Plain()
        self.preview = Preview(lambda line: self.source.author(line).startswith("job:"))
        self.find_bar = FindBar(self.source)
        self._build()
        self._settle = delayed(self.settle, self)
        self._wire()

    def _build(self) -> None:
        self._legend = Legend()
        self._note = Text("", 11, "t3")
        self._wide = Segments(
            (("source", tr("Source", "as it is written")), ("both", tr("Both")), ("preview", tr("Preview"))),
            "both",
            name=tr("View"),
        )
        self._narrow = Segments(
            (("source", tr("Source", "as it is written")), ("preview", tr("Preview"))), name=tr("View")
        )
        self._stack = pages(self.source, self.plain)
        heading = Text(tr("Source", "as it is written"), 12, "t2", weight=600)
        self._source_slot, self._preview_slot = row(gap=8), row(gap=8)
        head = row(heading, self._note, None, self._legend, self._source_slot, gap=12, margins=(16, 0, 10, 1))
        source_head = Ground("stage", "bottom", head, height=HEAD_PX)
        self._source_side = Ground("stage", layout=column(source_head, self.find_bar, self._stack, gap=0))
        words = (Text(tr("Preview"), 12, "t2", weight=600), Text(tr("as the agent reads it"), 12, "t3"))
        head = row(*words, None, self._preview_slot, gap=10, margins=(16, 0, 10, 1))
        preview_head = Ground("stage", "bottom", head, height=HEAD_PX)
        self._preview_side = Ground("stage", layout=column(preview_head, self.preview, gap=0))
        self._splitter = Splitter(self._source_side, self._preview_side)
        self._splitter.setStretchFactor(0, 10)
        self._splitter.setStretchFactor(1, 9)
        super().__init__("stage", layout=column(self._splitter, gap=0))

    def _wire(self) -> None:
        for switch in (self._wide, self._narrow):
            switch.chosen.connect(self.set_mode)
        for editor in (self.source, self.plain):
            editor.textChanged.connect(self._touched)
        self.preview.followed.connect(self.followed.emit)
        self.source.verticalScrollBar().valueChanged.connect(lambda _: self._scroll_along())

    # What it holds.

    @property
    def is_large(self) -> bool:
        """Return True if the file is shown as plain text."""
        return self._stack.currentWidget() is self.plain

    @property
    def editor(self) -> Source | Plain:
        return self.plain if self.is_large else self.source

    def text(self) -> str:
        return self.editor.text()

    @property
    def characters(self) -> int:
        """Return the number of characters; for a large text in UTF-16 units as Qt counts them, which is fast."""
        return self.plain.document().characterCount() - 1 if self.is_large else len(self.source.text())

    def differs(self, base: str) -> bool:
        """Return True if the text differs from `base`. A large text counts as different as soon as it was
        edited."""
        return self.plain.document().isModified() if self.is_large else self.source.text() != base

    def show_text(self, text: str, base: str, authors: Sequence[str], *, keep_place: bool) -> bool:
        """Show a text based on another one whose lines have these authors, and clear the undo history.

        keep_place: keep cursor and scroll position. Returns True if the editor keeps the text character for
        character; otherwise the text is read-only."""
        self._stack.setCurrentWidget(self.plain if len(text) > LARGE_CHARACTERS else self.source)
        editor = self.editor
        at, top = editor.textCursor().position(), editor.verticalScrollBar().value()
        self.set_base(base, authors)
        with QSignalBlocker(editor):
            editor.set_text(text)
        # A draft differs from the version it is based on from the start, and setting a text clears the mark.
        self.plain.document().setModified(text != base)
        self.source.set_authors(self._base_authors if text == base else [], self._mine())
        self.source.go_to(at if keep_place else 0)
        editor.verticalScrollBar().setValue(top if keep_place else 0)
        is_exact = editor.text() == text
        editor.setReadOnly(not is_exact)
        self._arrange()
        self.settle()
        return is_exact

    def set_base(self, base: str, authors: Sequence[str]) -> None:
        """Set the version that the text is based on; lines that differ from it count as written by the
        person."""
        self._base, self._base_authors = base, list(authors)
        known = list(dict.fromkeys(author for author in authors if author))
        self._legend.set_authors([author_of(self._session, author) for author in known])

    def replace_text(self, text: str) -> None:
        """Replace the text as one edit, which Ctrl+Z undoes."""
        self.editor.replace_text(text)

    def _mine(self) -> str:
        return f"person:{self._session.person}"

    # Following what is typed.

    def _touched(self) -> None:
        self._settle.start(
            SETTLED_AFTER_MS + self.editor.document().characterCount() // 1000 * MS_PER_KILOBYTE
        )
        self.changed.emit()

    def settle(self) -> None:
        """Render the text, compare it and find the authors now."""
        self._settle.stop()
        self._work.start(self._follow_text())

    async def _follow_text(self) -> None:
        """Render and find the authors in a worker, then show both. A newer call of `settle` cancels this one."""
        if not self.is_large:
            text = self.text()
            parsed = await asyncio.to_thread(parse, text)
            authors = await asyncio.to_thread(
                carry_authors, self._base, text, self._base_authors, self._mine()
            )
            if self._base_authors:
                self.source.set_authors(authors, self._mine())
            self.preview.show_parsed(parsed)
            self._scroll_along()
        self.settled.emit()

    def _scroll_along(self) -> None:
        bar = self.source.verticalScrollBar()
        if self._shown_mode() != "both":
            return
        if bar.value() == bar.maximum() > 0:
            self.preview.verticalScrollBar().setValue(self.preview.verticalScrollBar().maximum())
        else:
            self.preview.show_line(self.source.top_line())

    # Source, both, preview.

    def set_mode(self, mode: Mode) -> None:
        """Show the source, the preview or both."""
        self._mode = mode
        self._arrange()

    def _shown_mode(self) -> Mode:
        if self.is_large:
            return "source"
        return "source" if self._mode == "both" and self.width() < BOTH_FROM_PX else self._mode

    def _arrange(self) -> None:
        mode, both_fit = self._shown_mode(), self.width() >= BOTH_FROM_PX
        shown, other = (self._wide, self._narrow) if both_fit else (self._narrow, self._wide)
        focus = self.window().focusWidget()
        had_focus = focus is not None and (shown.isAncestorOf(focus) or other.isAncestorOf(focus))
        self._source_side.setVisible(mode != "preview")
        self._preview_side.setVisible(mode != "source")
        self._note.setText(tr("Plain text: the file is larger than 200 KB") if self.is_large else "")
        self._legend.setVisible(not self.is_large)
        slot = self._source_slot if mode == "source" else self._preview_slot
        for switch in (shown, other):
            slot.addWidget(switch)
        shown.setVisible(not self.is_large)
        other.hide()
        shown.set_value(mode)
        if had_focus and not self.is_large:
            # Moving to the other side has taken the keyboard from them.
            shown.button(mode).setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show one part at a time if there is no space for both."""
        super().resizeEvent(event)
        self._arrange()

    def open_find(self) -> None:
        if not self.is_large:
            self.set_mode("both" if self._shown_mode() == "preview" else self._mode)
            self.find_bar.open()


GATHER_MS = 120
"""Delay that joins the several steps in which an editor writes a file."""


class FileWatch(QObject):
    """Watcher for a few files. The signal `changed` is emitted once for changes close together.

    If the system cannot watch files, there is no signal; a save still finds the change as a conflict."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._paths: frozenset[str] = frozenset()
        self._soon = delayed(self._announce, self)
        self._watcher.fileChanged.connect(lambda _: self._soon.start(GATHER_MS))
        self._watcher.directoryChanged.connect(lambda _: self._look_for_files())

    def follow(self, paths: Iterable[Path]) -> None:
        """Follow only these files. Their folders are followed too, because programs replace files instead of
        changing them."""
        wanted = [str(path) for path in paths]
        self._paths = frozenset(wanted)
        folders = {str(Path(path).parent) for path in wanted}
        held = set(self._watcher.files() + self._watcher.directories())
        if gone := held - self._paths - folders:
            self._watcher.removePaths(sorted(gone))
        if new := (self._paths | folders) - held:
            self._watcher.addPaths(sorted(new))

    def _look_for_files(self) -> None:
        """Follow replaced files again, and report the change."""
        if lost := self._paths - set(self._watcher.files()):
            found = set(lost) - set(self._watcher.addPaths(sorted(lost)))
            if found:
                self._soon.start(GATHER_MS)

    def _announce(self) -> None:
        self._look_for_files()
        self.changed.emit()
