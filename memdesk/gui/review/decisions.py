"""Bar below the question: the answers as numbered buttons, the suggested one filled, and hints for the keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.review.answers import Answer
from memdesk.gui.widgets import Ground, KeyCap, Text, column, row
from memdesk.gui.widgets.paint import LEFT, box, cap_width, draw_text, key_cap
from memdesk.gui.widgets.pressable import Pressable

HIGH_PX, LEAST_PX = 52, 112
BESIDE_FROM_PX = 720
HINTS = {
    "suggested": (("Enter",), marked("suggestion")),
    "": (("S",), marked("until tomorrow")),
    "quarantine": (("Q",), marked("quarantine")),
    "always": (("T",), marked("always for this source")),
    "writes": (("E",), marked("write")),
    "sides": (("A", "B"), marked("inspect")),
}
"""Key hints, by the condition under which the keys work."""


class AnswerButton(Pressable):
    """Button for one answer: key, name and meaning. The signal `pointed` reports hover or focus."""

    pointed = Signal()

    def __init__(self, number: int, answer: Answer, *, suggested: bool) -> None:
        super().__init__()
        self.answer, self._number, self.is_suggested = answer, number, suggested
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HIGH_PX)
        said = [f"{number} {tr(answer.name)}", tr(answer.says)] + [tr("suggested")] * suggested
        self.setAccessibleName(", ".join(said))

    def sizeHint(self) -> QSize:
        """Return the same width for all buttons."""
        return QSize(LEAST_PX, HIGH_PX)

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
        left = 11 + cap_width(key) + 8
        name = QRectF(left, 8, area.width() - left - 8, 20)
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
        self._alike = QWidget()
        self._alike.setLayout(
            row(KeyCap("Shift"), Text(tr("+ number answers all alike"), 11, "t3"), None, gap=6)
        )
        self._hints = {name: _hint(keys, says) for name, (keys, says) in HINTS.items()}
        hints = row(*self._hints.values(), None, gap=12)
        self._line = row(hints, self._alike, gap=4)
        self.unsuggested = Text("", 12, "warn", weight=500, wrap=True)
        self.unsuggested.hide()
        parts = column(self.unsuggested, self._buttons, self._line, gap=9, margins=(20, 12, 20, 9))
        super().__init__("panel", "top", parts)
        self.buttons: tuple[AnswerButton, ...] = ()
        self.setAccessibleName(tr("Answers"))

    def show_answers(self, answers: Sequence[Answer], suggested: str) -> None:
        """Replace the answers. suggested: the decision of the suggested one, empty for none."""
        self.unsuggested.hide()
        for old in self.buttons:
            self._buttons.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.buttons = tuple(
            AnswerButton(place, each, suggested=each.decision == suggested)
            for place, each in enumerate(answers, 1)
        )
        for button in self.buttons:
            self._buttons.addWidget(button)
            button.clicked.connect(lambda _=False, answer=button.answer: self.given.emit(answer))
            button.pointed.connect(lambda answer=button.answer: self.pointed.emit(answer))

    def ask_for_one(self) -> None:
        """Show that no answer is suggested, and which keys answer. The notice stays until another question is
        shown."""
        last = len(self.buttons)
        self.unsuggested.setText(
            tr("Nothing is suggested here. Press 1 or 2 to answer.")
            if last == 2
            else tr("Nothing is suggested here. Press a number from 1 to {last} to answer.", last=last)
        )
        self.unsuggested.show()

    def offer(self, *, alike: bool, quarantine: bool) -> None:
        """Show the hints for the keys that work. alike: Shift, T, and A and B for the sides; quarantine: Q."""
        self._alike.setVisible(alike)
        self._hints["sides"].setVisible(alike)
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
        for button in self.buttons:
            button.setEnabled(enabled)
            button.setToolTip("" if enabled else why_not)
            button.setAccessibleDescription("" if enabled else why_not)


def _hint(keys: Sequence[str], says: str) -> QWidget:
    """Return a widget with keys and their function."""
    made = QWidget()
    made.setLayout(row(*(KeyCap(each) for each in keys), Text(tr(says), 11, "t3"), gap=6))
    return made
