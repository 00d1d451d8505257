"""Forms for answers that need input: one claim for two, a day, or a merged text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from memdesk.files.merge import MINE
from memdesk.gui.editor.paper import PARAGRAPH
from memdesk.gui.language import tr
from memdesk.gui.review.answers import Answer
from memdesk.gui.widgets import Area, Control, Field, Ground, Text, column, row
from memdesk.gui.widgets.tips import shortened

CLAIM_LINES, TEXT_LINES = 3, 14
LISTED = 5


class Form(Ground):
    """Form shown in place of the answers. Signals: done (the value), cancelled, changed (the current value)."""

    done = Signal(object)
    cancelled = Signal()
    changed = Signal(object)

    def __init__(self, heading: str, button: str, keys: str, body: QWidget) -> None:
        self.wrong = Text("", 12, "bad", elide=True)
        self.give = Control("primary", button, keys=keys)
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        line = row(self.give, self.cancel, self.wrong, gap=8)
        line.setStretchFactor(self.wrong, 1)
        head = Text(heading, 12, "t2", weight=600, wrap=True)
        super().__init__("panel", "top", column(head, body, line, gap=8, margins=(20, 12, 20, 12)))
        self.setAccessibleName(heading)
        self.give.clicked.connect(self.finish)
        self.cancel.clicked.connect(lambda: self.cancelled.emit())

    def begin(self) -> None:
        """Give the keyboard focus to the form."""
        self.give.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def finish(self) -> None:
        """Emit `done` with the value."""
        self.done.emit(self.value())

    def value(self) -> object:
        """Return the current value."""
        return None


class AlikeForm(Form):
    """Form that asks before one answer is given to many questions, and names some of them."""

    def __init__(self, answer: Answer, where: str, titles: Sequence[str]) -> None:
        shown = [shortened(" ".join(title.split()), 110) for title in titles[:LISTED]]
        more = len(titles) - len(shown)
        named = "\n".join([*shown, *([tr("and %Ln more", "", more)] if more else [])])
        heading = tr(
            "“{answer}” for {what}, as one run that is taken back at once", answer=tr(answer.name), what=where
        )
        body = Text(named, 12, "t2", wrap=True)
        super().__init__(heading, f"{tr(answer.name)}: {len(titles):,}", "Enter", body)


class WriteForm(Form):
    """Form with a text input. It can be finished only with a valid input."""

    def __init__(self, heading: str, button: str, body: Area | Field) -> None:
        self.body = body
        super().__init__(heading, button, "Ctrl Enter" if isinstance(body, Area) else "Enter", body)
        if isinstance(body, Area):
            for keys in ("Ctrl+Return", "Ctrl+Enter"):
                context = Qt.ShortcutContext.WidgetWithChildrenShortcut
                QShortcut(QKeySequence(keys), self, context=context).activated.connect(self.finish)
            body.changed.connect(lambda _: self._check())
        else:
            body.returnPressed.connect(self.finish)
            body.textChanged.connect(lambda _: self._check())

    def begin(self) -> None:
        """Put the cursor into the input."""
        self._check()
        self.body.setFocus(Qt.FocusReason.OtherFocusReason)

    def value(self) -> object:
        """Return the input, or None if it is invalid."""
        return self.body.text().strip() or None

    def why_not(self) -> str:
        """Return why the input is invalid; empty if it is valid."""
        return "" if self.value() is not None else tr("Write it first.")

    def finish(self) -> None:
        """Emit `done` with the value if it is valid."""
        if not self.why_not():
            self.done.emit(self.value())

    def _check(self) -> None:
        why = self.why_not()
        self.give.set_enabled(not why, why)
        self.wrong.setText(why if self.body.text().strip() else "")
        if not why:
            self.changed.emit(self.value())


class ClaimForm(WriteForm):
    """Form for one claim that replaces both."""

    def __init__(self, text: str) -> None:
        super().__init__(
            tr("The claim that takes the place of both"),
            tr("Say as one"),
            Area(text, name=tr("Claim"), lines=CLAIM_LINES),
        )


class DayForm(WriteForm):
    """Form for the day from which B is true and A is not. Its value is a datetime: the local start of that
    day, in UTC."""

    def __init__(self, day: date) -> None:
        super().__init__(
            tr("Since when B is true, and A no longer"), tr("Both in time"),
            Field(day.isoformat(), name=tr("Day"), placeholder="2026-05-01", width=180),
        )  # fmt: skip

    def value(self) -> object:
        """Return the start of the day, or None if the input is not a date."""
        try:
            day = date.fromisoformat(self.body.text().strip())
        except ValueError:
            return None
        return datetime.combine(day, time.min).astimezone().astimezone(UTC)

    def why_not(self) -> str:
        """Return why the input is invalid: it is not a date."""
        return "" if self.value() is not None else tr("Write a day as 2026-05-01.")


class TextForm(WriteForm):
    """Form for the merged text of a file. It cannot be finished while a conflict is marked in it."""

    def __init__(self, path: str, text: str) -> None:
        self._area = Area(
            text, name=tr("Text of {path}", path=path), lines=TEXT_LINES, mono=True, tab_moves_on=False
        )
        super().__init__(tr("{path}, both put together", path=path), tr("Save"), self._area)

    def value(self) -> str:
        """Return the exact text: unlike toPlainText, it keeps hard spaces."""
        return self._area.editor.document().toRawText().replace(PARAGRAPH, "\n")

    def why_not(self) -> str:
        """Return how many marked conflicts are left; empty if none."""
        left = sum(line.startswith(MINE) for line in self.value().splitlines())
        if not left:
            return ""
        return tr("%Ln (clash|clashes) left: choose, and delete the marks.", "", left)
