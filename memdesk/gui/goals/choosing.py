"""Field that finds one goal by typing part of its text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QWidget

from memdesk.gui import icons, look
from memdesk.gui.goals import words
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Field, List, RowState, column
from memdesk.gui.widgets.paint import draw_text
from memdesk.model.goals import GoalRef, GoalRow

ROW_PX, ROWS_AT_MOST = 28, 6


class GoalChoice(QWidget):
    """Field that selects one goal or none. `value` is its id; the signal `chosen` reports another choice.

    An emptied field means none; typed text that selects no goal leaves the choice unchanged."""

    chosen = Signal()

    def __init__(self, goals: Sequence[GoalRow], value: GoalRef | GoalRow | None, *, name: str) -> None:
        super().__init__()
        self._goals = tuple(goals)
        self.value: str | None = None if value is None else value.id
        self._text = "" if value is None else value.description
        self.field = Field(self._text, placeholder=tr("None"), name=name, icon="search")
        self.field.setCursorPosition(0)
        self.matches = List(
            lambda goal: goal.description, _paint, name=tr("Goals to choose from"), row_px=ROW_PX, pad=8,
            hairlines=False,
        )  # fmt: skip
        self.matches.hide()
        # Room for the focus ring of the field.
        self.setLayout(column(self.field, self.matches, gap=2, margins=(3, 3, 3, 3)))
        self.setFocusProxy(self.field)
        self.field.textEdited.connect(self._find)
        self.field.installEventFilter(self)
        self.matches.opened.connect(self._take)
        self.matches.clicked.connect(lambda _: self._take(self.matches.record()))

    def _find(self, typed: str) -> None:
        said = typed.strip().casefold()
        if not said:
            self.value, self._text = None, ""
            self.chosen.emit()
        found = [goal for goal in self._goals if said in goal.description.casefold()][:ROWS_AT_MOST]
        self.matches.rows.set_rows(found if said else ())
        self.matches.setFixedHeight(ROW_PX * len(found))
        self.matches.setVisible(bool(found and said))

    def _take(self, goal: GoalRow | None) -> None:
        if goal is None:
            return
        self.value, self._text = goal.id, goal.description
        self.matches.hide()
        self.field.setText(goal.description)
        self.field.setCursorPosition(0)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.chosen.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys while matches are shown: Down goes to the list, Enter takes the first match, Esc hides
        them.

        If the field loses the focus, it shows the text of the chosen goal again."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.matches.isVisible():
            if event.key() == Qt.Key.Key_Down:
                self.matches.choose(0)
                self.matches.setFocus(Qt.FocusReason.TabFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take(self.matches.rows.row(0))
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.matches.hide()
                self.field.setText(self._text)
                return True
        if event.type() == QEvent.Type.FocusOut and not self.matches.isVisible():
            self.field.setText(self._text)
        return super().eventFilter(watched, event)


def _paint(painter: QPainter, area: QRectF, goal: GoalRow, state: RowState) -> None:
    name, tone = words.icon(goal.status)
    icons.paint(painter, name, QPointF(area.x(), round(area.center().y() - 8)), tone)
    draw_text(painter, area.adjusted(22, 0, 0, 0), goal.description, look.font(12), c("t1"))
