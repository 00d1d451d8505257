"""Message for a day without entries, with buttons to the nearest days that have some."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Signal

from memdesk.gui.calendar.days import full
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Ground, Text, column, row
from memdesk.model.workspace import Day


class EmptyDay(Ground):
    """A sentence and two next steps. `day_asked` carries the day that was pressed."""

    day_asked = Signal(object)

    def __init__(self) -> None:
        self.sentence = Text("", 13, "t1", weight=500, wrap=True)
        self.detail = Text("", 12, "t2", wrap=True)
        self.before = Control("button", "", "left", small=True)
        self.after = Control("button", "", "right", small=True)
        self._days: dict[Control, date | None] = {self.before: None, self.after: None}
        for button in self._days:
            button.clicked.connect(lambda _, button=button: self.day_asked.emit(self._days[button]))
        steps = row(self.before, self.after, None, gap=8)
        super().__init__(
            "stage",
            layout=column(self.sentence, self.detail, 2, steps, None, gap=6, margins=(20, 24, 20, 20)),
        )

    def show_day(self, day: Day, words: str = "") -> None:
        """Show that the day has no entries, and the nearest days that have some. words: the words searched
        for, if any."""
        today = date.today()
        named = full(day.day, today)
        unsaid = tr("No line of {day} says “{words}”.", day=named, words=words)
        self.sentence.setText(unsaid if words else tr("No entries on {day}.", day=named))
        near = [each for each in (day.previous, day.next) if each is not None]
        self.detail.setText(tr("These are the nearest days that have some:") if near else "")
        for button, other in ((self.before, day.previous), (self.after, day.next)):
            self._days[button] = other
            button.setText(full(other, today) if other is not None else "")
            button.setVisible(other is not None)
