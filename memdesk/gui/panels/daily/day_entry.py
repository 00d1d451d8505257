"""Bar below a day that adds an entry to an agent's day file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from memdesk.gui.language import tr
from memdesk.gui.panels.daily.year_strip import full
from memdesk.gui.widgets import Control, Drop, Field, Ground, Option, row
from memdesk.model.workspace import Day, WorkspaceRow
from memdesk.model.workspace_files import WriteDay


class EntryBar(Ground):
    """Field for one entry, and the folder it goes to where there are several. Hidden until it is opened.

    Signals: asked carries a WriteDay; closed."""

    asked = Signal(object)
    closed = Signal()

    def __init__(self) -> None:
        self._day = date.today()
        self.folder = Drop((), lead=tr("For"), name=tr("Folder"))
        self.folder.enter_opens = False
        self.text = Field(name=tr("Entry"))
        self.add = Control("primary", tr("Add"), "plus", keys="Enter")
        line = row(self.folder, self.text, self.add, gap=8, margins=(14, 6, 20, 7))
        line.setStretchFactor(self.text, 1)
        super().__init__("stage", "top", line)
        self.text.returnPressed.connect(self.submit)
        self.add.clicked.connect(self.submit)
        self.hide()

    def show_day(self, day: Day, folders: Sequence[WorkspaceRow]) -> None:
        """Offer the folders that may get an entry on this day; the one that has a file of the day comes first."""
        self._day = day.day
        written = {each.agent_id for each in day.files}
        ordered = sorted(folders, key=lambda each: each.agent_id not in written)
        self.folder.set_options([Option(value=each.id, text=each.name) for each in ordered])
        self.folder.setVisible(len(ordered) > 1)
        self.text.setPlaceholderText(tr("Entry for {day}", day=full(self._day, date.today())))

    def open(self) -> None:
        """Show the bar, and focus its field."""
        self.show()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def submit(self) -> None:
        """Ask for the entry, at this time of day, if there are words."""
        text, folder = self.text.text().strip(), self.folder.value()
        if text and folder is not None:
            now = datetime.now().astimezone()
            at = (
                None
                if self._day == now.date()
                else now.replace(year=self._day.year, month=self._day.month, day=self._day.day)
            )
            self.asked.emit(WriteDay(text=text, workspace_id=str(folder), at=at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.closed.emit()
        else:
            super().keyPressEvent(event)
