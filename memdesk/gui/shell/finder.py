"""Search field for a memory, with a list of answers below it while it has the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QWidget

from memdesk.api import memory
from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.terms import term
from memdesk.gui.widgets import Column, Field, Ground, RowsModel, RowState, Table, column, delayed
from memdesk.gui.widgets.columns import Index
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel_square, draw_text, text_width
from memdesk.gui.widgets.paper import plain_line
from memdesk.model.browse import Find, Found

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
        self.model = ChoicesModel((Column(tr("Found"), lambda choice: choice.text),))
        self.table = Table(
            self.model,
            name=tr("Found"),
            token="panel",
            row_px=ROW_PX,
            pad=PAD_PX,
            hairlines=False,
            paint_row=paint_choice,
        )
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


WAIT_MS = 120
"""Time after the last letter before the search starts, in ms."""
FOUND_AT_MOST = 8
LIST_PX = 500
ICONS = {"fact": "facts", "entity": "graph"}


class Answers(Ground):
    """List of answers, shown over the content below the field."""

    def __init__(self, parent: QWidget) -> None:
        self.choices = Choices()
        over = column(self.choices, margins=(1, 1, 1, 1))
        super().__init__("panel", layout=over, radius=6, rim="line2", parent=parent)
        self.hide()


class Finder(Field):
    """A search field for entities and facts. Arrows choose, Enter takes, Esc closes.

    chosen: the id of the answer taken. left: Esc in an empty field; the focus should go elsewhere. A subclass
    overrides look_up to find other things, and sets offers_first to offer choices before a letter is typed.
    """

    chosen = Signal(str)
    left = Signal()
    offers_first: ClassVar[bool] = False

    def __init__(self, session: Session, *, placeholder: str, keys: str = "", width: int = 0) -> None:
        super().__init__(placeholder=placeholder, icon="search", keys=keys, quiet=True, width=width)
        self._session = session
        self._task = Newest(session)
        self._take_first = False
        self._answers: Answers | None = None
        self._wait = delayed(self._search, self)
        self.textEdited.connect(lambda _: self._typed())

    # Asking.

    def _typed(self) -> None:
        self._take_first = False
        self._stop()
        if self.text().strip() or self.offers_first:
            self._wait.start(WAIT_MS)
        else:
            self._close()

    def _stop(self) -> None:
        self._wait.stop()
        self._task.cancel()

    def _search(self) -> None:
        self._stop()
        self._task.start(self._find(self.text().strip()))

    async def _find(self, text: str) -> None:
        found = await self.look_up(text)
        if not self.hasFocus():
            return
        first = next((choice for choice in found if not choice.is_heading), None)
        if self._take_first and first is not None:
            first.act()
        else:
            self._show(found or [Choice.heading(tr("Nothing like it was found."))])

    async def look_up(self, text: str) -> list[Choice]:
        """Return the choices for a text."""
        ask = Find(text=text, channels=self._session.channels, kinds=("entity", "fact"), limit=FOUND_AT_MOST)
        return [self._choice(row) for row in (await self._session.call(memory.FIND, ask)).rows]

    def _choice(self, row: Found) -> Choice:
        return Choice(
            text=plain_line(row.title),
            note=f"{row.channel} · {term(row.category)}",
            icon=ICONS.get(row.kind, ""),
            act=self._taking(row.id),
        )

    def _taking(self, id: str) -> Callable[[], None]:
        return lambda: self._take(id)

    def _take(self, id: str) -> None:
        self.settle()
        self.chosen.emit(id)

    def settle(self) -> None:
        """Clear the field and close its answers after one was taken."""
        self._stop()
        self._close()
        self.clear()

    # The answers below the field.

    def _show(self, choices: list[Choice]) -> None:
        if self._answers is None:
            self._answers = Answers(self.window())
            self._answers.choices.chosen.connect(lambda choice: choice.act())
        answers = self._answers
        answers.choices.show_choices(choices)
        answers.setFixedWidth(max(LIST_PX, self.width()))
        answers.adjustSize()
        at = self.mapTo(self.window(), QPoint(0, self.height() + 4))
        right = self.window().width() - answers.width() - 8
        answers.move(max(8, min(at.x(), right)), at.y())
        answers.show()
        answers.raise_()

    def _close(self) -> None:
        if self._answers is not None:
            self._answers.hide()

    @property
    def answers(self) -> Answers | None:
        """List of answers, None before the first search."""
        return self._answers

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys that choose an answer; all others type."""
        open_now = self._answers is not None and self._answers.isVisible()
        match Qt.Key(event.key()):
            case Qt.Key.Key_Down if open_now and self._answers is not None:
                self._answers.choices.step(1)
            case Qt.Key.Key_Up if open_now and self._answers is not None:
                self._answers.choices.step(-1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter()
            case Qt.Key.Key_Escape:
                self._escape()
            case _:
                super().keyPressEvent(event)

    def _enter(self) -> None:
        """Take the chosen answer, or the first one as soon as the search ends."""
        if not self.text().strip() and not self.offers_first:
            return
        if self._wait.isActive() or self._task.goes_on:
            self._take_first = True
            if self._wait.isActive():
                self._search()
        elif self._answers is not None and self._answers.isVisible():
            self._answers.choices.take()
        else:
            self._take_first = True
            self._search()

    def _escape(self) -> None:
        self._stop()
        if self.text():
            self.clear()
            self._close()
        else:
            self.left.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Offer the choices that need no letter, if there are any."""
        super().focusInEvent(event)
        if self.offers_first and not self.text():
            self._wait.start(0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close the answers when the focus leaves."""
        super().focusOutEvent(event)
        self._close()
