"""Side part next to the content if there is room, otherwise over the content's right part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.api import workspace
from memdesk.gui.editor.authors import authors_by_line
from memdesk.gui.editor.page import LARGE_CHARACTERS
from memdesk.gui.editor.source import Plain, Source
from memdesk.gui.editor.version_history import plain_ends
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, Field, Ground, Splitter, Text, column, delayed, row
from memdesk.model.workspace import AskDay, Day, DayEntry, FileText

FIELD_PX, TYPED_MS = 196, 200


def entries_with(entries: Iterable[DayEntry], words: str) -> list[DayEntry]:
    """Return the entries that contain these words in text or heading, ignoring case; all of them for no
    words."""
    sought = words.casefold()
    return [each for each in entries if sought in f"{each.section}\n{each.text}".casefold()]


class Finder(Field):
    """Search field with its results: the open day at once, then day after day from their files, newest first.

    `changed` is emitted for other words, `found` for another day that contains them. days: returns the days
    that have entries."""

    changed = Signal()
    found = Signal()

    def __init__(self, session: Session, days: Callable[[], Iterable[date]]) -> None:
        super().__init__(
            placeholder=tr("Find in the logs"), icon="search", keys="Ctrl F", quiet=True, width=FIELD_PX
        )
        self._session, self._days = session, days
        self._task = Newest(session)
        self._typed = delayed(self.seek, self)
        self.lines: dict[date, int] = {}
        self.textChanged.connect(lambda _: self._typed.start(TYPED_MS))

    @property
    def words(self) -> str:
        """Words searched for; empty for none."""
        return self.text().strip()

    @property
    def is_typed(self) -> bool:
        """True if the words are newer than the results."""
        return self._typed.isActive()

    def open(self) -> None:
        """Take the keyboard focus."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def leave(self) -> None:
        self.clear()
        self.seek()

    def seek(self) -> None:
        self._typed.stop()
        self._task.cancel()
        self.lines = {}
        if self.words:
            self._task.start(self._sought(self.words))
        self.changed.emit()

    async def _sought(self, words: str) -> None:
        agents = self._session.agents
        for day in sorted(self._days(), reverse=True):
            read = await self._session.call(workspace.DAY, AskDay(day=day, agents=agents))
            if many := len(entries_with(read.entries, words)):
                self.lines[day] = many
                self.found.emit()

    def nearest(self, day: Day) -> tuple[date | None, date | None]:
        """Return the days before and after a day that contain the words; without words, those that have
        entries."""
        if not self.words:
            return day.previous, day.next
        before = max((each for each in self.lines if each < day.day), default=None)
        return before, min((each for each in self.lines if each > day.day), default=None)


HEAD_PX = 34


class DaySources(Ground):
    """Read-only texts of files. name_of: turns an author such as "agent:Iris" into words, for the bars next
    to the lines."""

    def __init__(self, session: Session, name_of: Callable[[str], str]) -> None:
        super().__init__("stage")
        self._session, self._name_of = session, name_of
        self.files: tuple[FileText, ...] = ()
        self._parts: list[Ground] = []
        self._splitter = Splitter(vertical=True)
        self.setLayout(column(self._splitter, gap=0))

    def show_files(self, files: Sequence[FileText]) -> None:
        """Show other texts. If they are the same, the scroll position stays."""
        if tuple(files) == self.files:
            return
        self.files = tuple(files)
        for part in self._parts:
            part.setParent(None)
            part.deleteLater()
        self._parts = [self._part(file) for file in files]
        for part in self._parts:
            self._splitter.add(part)

    def _part(self, file: FileText) -> Ground:
        marks = (
            [AgentMark(file.agent_id, self._session.mark(f"agent:{file.agent_id}")[1])]
            if file.agent_id
            else []
        )
        name = Text(file.path, 12, "t2", weight=600, elide=True)
        size = Text(tr("%Ln character(s)", "", len(file.text)), 12, "t3")
        head = row(*marks, name, size, gap=8, margins=(20, 0, 20, 1), stretch=name)
        return Ground(
            "stage", layout=column(Ground("stage", "bottom", head, height=HEAD_PX), self._text(file), gap=0)
        )

    def _text(self, file: FileText) -> Source | Plain:
        text = plain_ends(file.text)
        if len(text) > LARGE_CHARACTERS:
            plain = Plain()
            plain.set_text(text)
            plain.setReadOnly(True)
            return plain
        source = Source(self._name_of, name=file.path)
        source.set_text(text)
        source.set_authors(authors_by_line(text, file.authors), "")
        source.setReadOnly(True)
        return source


LEAST_BESIDE_PX = 480
"""Width that the content keeps; if less were left, the side part overlays it."""


class SidePart(QWidget):
    """Content, and at its right a part of fixed width that is shown or not."""

    def __init__(self, content: QWidget, side: QWidget, *, width: int) -> None:
        super().__init__()
        self._content, self._side, self._wide = content, side, width
        content.setParent(self)
        side.setParent(self)
        side.hide()

    @property
    def is_open(self) -> bool:
        return not self._side.isHidden()

    def open_side(self, is_open: bool) -> None:
        self._side.setVisible(is_open)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place both parts for the new size."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        wide, high = self.width(), self.height()
        side = min(self._wide, wide)
        beside = side if self.is_open and wide - side >= LEAST_BESIDE_PX else 0
        self._content.setGeometry(0, 0, wide - beside, high)
        self._side.setGeometry(wide - side, 0, side, high)
        self._side.raise_()
