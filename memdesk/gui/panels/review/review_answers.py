"""Forms for answers that need input: one claim for two, a day, or a merged text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from memdesk.files.merge import BETWEEN, MINE, THEIRS
from memdesk.gui import look
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.panels.review.review_words import Answer
from memdesk.gui.widgets import (
    Area,
    Control,
    Field,
    Ground,
    KeyCap,
    Text,
    column,
    laid_out,
    remove_widgets,
    row,
)
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.paint import LEFT, box, cap_width, draw_text, key_cap, text_width
from memdesk.gui.widgets.paper import PARAGRAPH
from memdesk.gui.widgets.text import shorten

HIGH_PX = 52
BESIDE_FROM_PX = 720
HINTS = {
    "suggested": (("Enter",), marked("suggestion")),
    "": (("S",), marked("until tomorrow")),
    "quarantine": (("Q",), marked("quarantine")),
    "always": (("T",), marked("always for this source")),
    "writes": (("E",), marked("write")),
    "one side": (("A",), marked("inspect")),
    "sides": (("A", "B"), marked("inspect")),
}
"""Key hints, by the condition under which the keys work."""


class AnswerButton(Pressable):
    """Button for one answer: key, name and meaning. The signal `pointed` reports hover or focus."""

    pointed = Signal()

    def __init__(self, number: int, answer: Answer, *, suggested: bool) -> None:
        super().__init__()
        self.answer, self._number, self.is_suggested = answer, number, suggested
        self._left = 11 + cap_width(str(number)) + 8
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HIGH_PX)
        said = [f"{number} {tr(answer.name)}", tr(answer.says)] + [tr("suggested")] * suggested
        self.setAccessibleName(", ".join(said))

    def sizeHint(self) -> QSize:
        """Return a size that cuts neither name nor meaning; buttons with more space have one width."""
        name = self._left + text_width(tr(self.answer.name), look.font(13, 500)) + 8
        return QSize(max(name, text_width(tr(self.answer.says), look.font(11)) + 20), HIGH_PX)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Emit `pointed`."""
        super().enterEvent(event)
        self.pointed.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Emit `pointed`."""
        super().focusInEvent(event)
        self.pointed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background, the key cap, the name and the meaning."""
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.6)
        area = QRectF(self.rect())
        filled = self.is_suggested
        if filled:
            box(painter, area, 5, c("fillpress" if self.isDown() else "accfill"))
        else:
            ground = "press" if self.isDown() else "hover" if self.underMouse() else "ctl"
            box(painter, area, 5, c(ground), c("line2"))
        key = str(self._number)
        key_cap(painter, QPointF(11, 10), key, filled=filled)
        name = QRectF(self._left, 8, area.width() - self._left - 8, 20)
        draw_text(
            painter, name, tr(self.answer.name), look.font(13, 500), c("onfill" if filled else "t1"), LEFT
        )
        says = QRectF(11, 28, area.width() - 20, 16)
        draw_text(painter, says, tr(self.answer.says), look.font(11), c("onfill" if filled else "t3"), LEFT)


class Decisions(Ground):
    """Answers of the question shown. Signals: given (answer), pointed (answer)."""

    given = Signal(object)
    pointed = Signal(object)

    def __init__(self) -> None:
        self._buttons = row(gap=8)
        self._alike = laid_out(
            row(KeyCap("Shift"), Text(tr("+ number answers all alike"), 11, "t3"), None, gap=6)
        )
        self._hints = {name: _hint(keys, says) for name, (keys, says) in HINTS.items()}
        hints = row(*self._hints.values(), None, gap=12)
        self._line = row(hints, self._alike, gap=4)
        self.notice = Text("", 12, "warn", weight=500, wrap=True)
        self.notice.hide()
        parts = column(self.notice, self._buttons, self._line, gap=9, margins=(20, 12, 20, 9))
        super().__init__("panel", "top", parts)
        self.buttons: tuple[AnswerButton, ...] = ()
        self.setAccessibleName(tr("Answers"))

    def show_answers(self, answers: Sequence[Answer], suggested: str) -> None:
        """Replace the answers. suggested: the decision of the suggested one, empty for none."""
        self.notice.hide()
        remove_widgets(self._buttons)
        self.buttons = tuple(
            AnswerButton(place, each, suggested=each.decision == suggested)
            for place, each in enumerate(answers, 1)
        )
        for button in self.buttons:
            self._buttons.addWidget(button)
            button.clicked.connect(lambda _=False, answer=button.answer: self.given.emit(answer))
            button.pointed.connect(lambda answer=button.answer: self.pointed.emit(answer))

    def ask_for_one(self) -> None:
        """Show that no answer is suggested, and which keys answer."""
        last = len(self.buttons)
        self.notify(
            tr("Nothing is suggested here. Press 1 or 2 to answer.")
            if last == 2
            else tr("Nothing is suggested here. Press a number from 1 to {last} to answer.", last=last)
        )

    def notify(self, why: str) -> None:
        """Say why a key gave no answer, until another question is shown."""
        self.notice.setText(why)
        self.notice.show()

    def offer(self, *, alike: bool, sides: int, quarantine: bool) -> None:
        """Show the hints for the keys that work. alike: Shift and T; sides: number of memories that A and B open;
        quarantine: Q."""
        self._alike.setVisible(alike)
        self._hints["one side"].setVisible(sides == 1)
        self._hints["sides"].setVisible(sides == 2)
        self._hints["always"].setVisible(alike)
        self._hints["quarantine"].setVisible(quarantine)
        self._hints["writes"].setVisible(any(button.answer.writes for button in self.buttons))
        self._hints["suggested"].setVisible(any(button.is_suggested for button in self.buttons))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the hints on two lines if the bar is narrow."""
        super().resizeEvent(event)
        beside = event.size().width() >= BESIDE_FROM_PX
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._line.setDirection(way)

    def set_enabled(self, enabled: bool, why_not: str = "") -> None:
        """Enable or disable the buttons. why_not: the reason shown in the tool tip."""
        if enabled:
            self.notice.hide()
        for button in self.buttons:
            button.setEnabled(enabled)
            button.setToolTip("" if enabled else why_not)
            button.setAccessibleDescription("" if enabled else why_not)


def _hint(keys: Sequence[str], says: str) -> QWidget:
    """Return a widget with keys and their function."""
    return laid_out(row(*(KeyCap(each) for each in keys), Text(tr(says), 11, "t3"), gap=6))


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
        line = row(self.give, self.cancel, self.wrong, gap=8, stretch=self.wrong)
        head = Text(heading, 12, "t2", weight=600, wrap=True)
        super().__init__("panel", "top", column(head, body, line, gap=8, margins=(20, 12, 20, 12)))
        self.setAccessibleName(heading)
        self.setProperty("form", True)
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
        shown = [shorten(" ".join(title.split()), 110) for title in titles[:LISTED]]
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
                on_key(keys, self.finish, self, inside=True)
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
            tr("Since when B is true, and A no longer"),
            tr("Both in time"),
            Field(day.isoformat(), name=tr("Day"), placeholder="2026-05-01", width=180),
        )

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
        self._underlines = 0
        mine, _, between = self._marks(text)
        self._underlines = between - mine
        super().__init__(tr("{path}, both put together", path=path), tr("Save"), self._area)

    def value(self) -> str:
        """Return the exact text: unlike toPlainText, it keeps hard spaces."""
        return self._area.editor.document().toRawText().replace(PARAGRAPH, "\n")

    def why_not(self) -> str:
        """Return how many marked conflicts are left; empty if none."""
        left = max(self._marks(self.value()))
        if left <= 0:
            return ""
        return tr("%Ln (clash|clashes) left: choose, and delete the marks.", "", left)

    def _marks(self, text: str) -> tuple[int, int, int]:
        """Return how many marks of each sort are in a text. Lines between two texts count beyond the underlines
        of headings that look like them."""
        lines = text.splitlines()
        mine, theirs = (sum(line.startswith(mark) for line in lines) for mark in (MINE, THEIRS))
        return mine, theirs, lines.count(BETWEEN) - self._underlines
