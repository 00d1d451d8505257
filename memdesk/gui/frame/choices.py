"""List of choices under headings, controlled from a text field that keeps the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Column, RowsModel, RowState, Table, column
from memdesk.gui.widgets.columns import Index
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel_square, draw_text, text_width

ROW_PX = 30
PAD_PX = 14
SHOWN_AT_MOST = 14


def _nothing() -> None:
    """Do nothing: the action of a heading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A line of the list. icon or channel is painted at its left, note at the right; a heading has neither
    and cannot be chosen."""

    text: str
    note: str = ""
    icon: str = ""
    channel: int | None = None
    act: Callable[[], object] = _nothing
    is_heading: bool = False

    @classmethod
    def heading(cls, text: str) -> Choice:
        """Return a line that names the ones below it."""
        return cls(text=text, is_heading=True)


class ChoicesModel(RowsModel[Choice]):
    """Rows of the list; headings cannot be selected."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return no flags for a heading, the usual ones for other rows."""
        choice = self.row(index.row())
        return Qt.ItemFlag.NoItemFlags if choice is None or choice.is_heading else super().flags(index)


class Choices(QWidget):
    """List widget. `chosen` carries the Choice that was taken by Enter or by a click."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.model = ChoicesModel((Column(title=tr("Found"), text=lambda choice: choice.text),))
        self.table = Table(
            self.model, name=tr("Found"), token="panel", row_px=ROW_PX, pad=PAD_PX, hairlines=False,
            paint_row=paint_choice,
        )  # fmt: skip
        self.table.horizontalHeader().hide()
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.clicked.connect(lambda index: self._take(index.row()))
        self.setLayout(column(self.table, gap=0, margins=(0, 4, 0, 4)))

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Show other lines and select the first that is not a heading."""
        self.model.set_rows(choices)
        self.setFixedHeight(ROW_PX * min(len(choices), SHOWN_AT_MOST) + 8)
        self.table.scrollToTop()
        first = next((place for place, each in enumerate(choices) if not each.is_heading), None)
        if first is not None:
            self.table.choose(first)

    def step(self, by: int) -> None:
        """Select the next or the previous line, skipping headings."""
        choices = self.model.rows()
        place = self.table.currentIndex().row() + by
        while 0 <= place < len(choices):
            if not choices[place].is_heading:
                self.table.choose(place)
                return
            place += by

    def take(self) -> None:
        """Take the selected line."""
        self._take(self.table.currentIndex().row())

    def _take(self, place: int) -> None:
        choice = self.model.row(place)
        if choice is not None and not choice.is_heading:
            self.chosen.emit(choice)


def paint_choice(painter: QPainter, area: QRectF, choice: Choice, state: RowState) -> None:
    """Paint one line: its icon or channel, its text, its note at the right."""
    if choice.is_heading:
        draw_text(painter, area.adjusted(0, 5, 0, 0), choice.text, look.font(11), c("t3"), LEFT)
        return
    middle = round(area.center().y())
    if choice.channel is not None:
        channel_square(painter, QPointF(area.x() + 4, middle - 4), choice.channel)
    else:
        icons.paint(painter, choice.icon or "right", QPointF(area.x(), middle - 8), "t2")
    note = text_width(choice.note, look.font(12))
    words = area.adjusted(25, 0, -note - 16, 0)
    draw_text(painter, words, choice.text, look.font(13), c("t1"), LEFT)
    draw_text(painter, area, choice.note, look.font(12), c("t3"), RIGHT)
