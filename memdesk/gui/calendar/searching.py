"""Search in all the logs: the lines that contain words, and their number on each day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import date

from PySide6.QtCore import Qt, QTimer, Signal

from memdesk.contract import workspace
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Field
from memdesk.model.workspace import AskDay, Day, DayEntry

FIELD_PX, TYPED_MS = 196, 200


def saying(entries: Iterable[DayEntry], words: str) -> list[DayEntry]:
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
        self._task: asyncio.Task[None] | None = None
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.timeout.connect(self.seek)
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
        """End the search."""
        self.clear()
        self.seek()

    def seek(self) -> None:
        """Start the search again."""
        self._typed.stop()
        if self._task is not None:
            self._task.cancel()
        self.lines = {}
        if self.words:
            self._task = self._session.spawn(self._sought(self.words))
        self.changed.emit()

    async def _sought(self, words: str) -> None:
        agents = self._session.agents
        for day in sorted(self._days(), reverse=True):
            read = await self._session.call(workspace.DAY, AskDay(day=day, agents=agents))
            if many := len(saying(read.entries, words)):
                self.lines[day] = many
                self.found.emit()

    def nearest(self, day: Day) -> tuple[date | None, date | None]:
        """Return the days before and after a day that contain the words; without words, those that have
        entries."""
        if not self.words:
            return day.previous, day.next
        before = max((each for each in self.lines if each < day.day), default=None)
        return before, min((each for each in self.lines if each > day.day), default=None)
