"""Detail of a record next to a list: its head, lines about it under headings, its actions, and forms over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QLayout, QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, FormStack, Ground, RowState, column
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text, text_width
from memdesk.gui.widgets.paper import wrap_text

CONVERSATION = "conversation:"
"""Prefix of a conversation id in the `opens` of a line."""
PAD_PX, TEXT_X, ABOVE_PX = 16, 26, 6
HEADING_PX, NOTE_PX = 38, 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading of the lines below it."""

    title: str
    note: str
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Line with an icon and its tone, a text, and a note below it.

    opens: the id of a memory to show; turns: the indexes of the turns it is about."""

    icon: str
    tone: str
    text: str
    note: str
    opens: str = ""
    turns: tuple[int, ...] = ()


DetailLine = Heading | Item


class DetailLines(Grouped):
    """List of lines about a record, under headings."""

    def __init__(self, name: str) -> None:
        super().__init__(
            said, self._paint, self._height_of, name=name, headings=Heading, token="panel", pad=PAD_PX
        )

    def show_lines(self, lines: Sequence[DetailLine]) -> None:
        """Replace the lines; the selected line stays selected if it is still there."""
        chosen = self.record()
        self.choose_nothing()
        self.set_rows(lines)
        if isinstance(chosen, Item) and chosen in lines:
            with QSignalBlocker(self):
                self.choose(list(lines).index(chosen))

    @property
    def opens(self) -> str:
        """Target of the chosen line; empty if none is chosen."""
        line = self.record()
        return line.opens if isinstance(line, Item) else ""

    def _height_of(self, line: DetailLine, wide: int) -> int:
        if isinstance(line, Heading):
            return HEADING_PX
        note = NOTE_PX if line.note else 0
        return wrap_text(line.text, self._room(wide)).height + note + 2 * ABOVE_PX

    def _room(self, wide: int) -> int:
        return max(80, wide - 2 * PAD_PX - TEXT_X)

    def _paint(self, painter: QPainter, area: QRectF, line: DetailLine, state: RowState) -> None:
        if isinstance(line, Heading):
            paint_heading(painter, area.adjusted(0, 8, 0, 0), line)
            return
        top = area.y() + ABOVE_PX
        if line.icon:
            icons.paint(painter, line.icon, QPointF(area.x(), top + 2), line.tone)
        words = wrap_text(line.text, self._room(self.viewport().width()))
        words.draw(painter, QPointF(area.x() + TEXT_X, top), "t1")
        note = QRectF(area.x() + TEXT_X, top + words.height, area.width() - TEXT_X, NOTE_PX)
        draw_text(painter, note, line.note, look.font(11, tabular=True), c("t3"), LEFT)


def said(line: DetailLine) -> str:
    """Return a row as text for a screen reader."""
    parts = (line.title, line.note) if isinstance(line, Heading) else (line.text, line.note)
    return ", ".join(part for part in parts if part)


def paint_heading(painter: QPainter, line: QRectF, heading: Heading) -> None:
    """Paint a heading with its note at the right edge, if there is space."""
    if heading.icon:
        icons.paint(painter, heading.icon, QPointF(line.x(), round(line.center().y() - 8)), "acc")
        line = line.adjusted(TEXT_X, 0, 0, 0)
    taken = draw_text(painter, line, heading.title, look.font(12, 600), c("t2"))
    room = line.adjusted(taken + 10, 0, 0, 0)
    align = RIGHT if text_width(heading.note, look.font(11)) < room.width() else LEFT
    draw_text(painter, room, heading.note, look.font(11), c("t3"), align)


Action = tuple[str, str, str]
"""Label, icon and key of one action."""


class ActionBar(Ground):
    """Action buttons of a record. acts: by name. The signal `asked` carries the name of the button pressed.

    The chosen record may still be loading: a key or a button that is pressed after `expect` waits until `arrived`
    reports that the record is shown, so that nothing is done to the record that was chosen before."""

    asked = Signal(str)

    def __init__(self, acts: dict[str, Action], *, primary: str = "") -> None:
        self.keys = {name: keys for name, (_, _, keys) in acts.items()}
        self._awaited, self._pressed = "", ""
        self._shown: tuple[str, ...] = ()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(16, 12, 16, 12)
        self._grid.setSpacing(8)
        super().__init__("panel", "top", self._grid)
        self.buttons = {
            name: Control("primary" if name == primary else "button", tr(says), icon, keys=keys, parent=self)
            for name, (says, icon, keys) in acts.items()
        }
        for name, button in self.buttons.items():
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.hide()
            button.clicked.connect(lambda _=False, name=name: self._ask(name))

    def expect(self, id: str) -> None:
        """Note that a record was chosen and is loading, or the same record again. A key already waiting is
        kept only for the same record."""
        self._pressed = self._pressed if id == self._awaited else ""
        self._awaited = id

    def show_acts(self, names: Sequence[str], why_not: Callable[[str], str]) -> None:
        """Show these actions in this order, two per line; why_not gives the reason for a disabled one, empty
        if enabled."""
        self._shown = tuple(names)
        for name, button in self.buttons.items():
            self._grid.removeWidget(button)
            button.setVisible(name in names)
            reason = why_not(name)
            button.set_enabled(not reason, reason)
        for place, name in enumerate(names):
            self._grid.addWidget(self.buttons[name], place // 2, place % 2)
        self.setVisible(bool(names))

    def arrived(self) -> None:
        """Note that the chosen record is shown, and run the action whose key was pressed meanwhile."""
        pressed, self._awaited, self._pressed = self._pressed, "", ""
        if pressed:
            self.press(pressed)

    def press(self, name: str) -> None:
        """Run an action by its name, as its key does; wait if the chosen record is still loading."""
        if self._awaited:
            self._pressed = name
        elif name in self._shown:
            self.buttons[name].click()

    def _ask(self, name: str) -> None:
        if self._awaited:
            self._pressed = name
        else:
            self.asked.emit(name)

    @property
    def shown(self) -> tuple[str, ...]:
        return self._shown


class RecordDetail(Ground):
    """Detail of the chosen record: a head, a body and actions. Subclasses return the actions for a record.

    nothing: shown while no record is chosen. edges: hairlines, as of Ground. Signals: asked carries the name of an
    action and the record it is for; led, the target of an opened line; talked, the id of a conversation. `stack` shows
    forms."""

    record: Any
    """The record shown, None for none. Subclasses declare its type."""
    asked = Signal(str, object)
    led = Signal(str)
    talked = Signal(str)

    def __init__(
        self,
        session: Session,
        head: QLayout,
        body: QWidget,
        acts: dict[str, Action],
        *,
        nothing: Empty,
        primary: str = "",
        edges: str = "",
    ) -> None:
        self._session, self._nothing, self.body = session, nothing, body
        self.record = None
        self.acts = ActionBar(acts, primary=primary)
        self.acts.asked.connect(self._ask)
        super().__init__("panel", edges)
        layout = column(head, body, self.acts, gap=0, stretch=body)
        self._shown = Ground("panel", layout=layout)
        self.stack = FormStack(nothing, self._shown)
        self.setLayout(column(self.stack, gap=0, margins=(1 if "left" in edges else 0, 0, 0, 0)))
        if isinstance(body, DetailLines):
            body.opened.connect(lambda _: self._open(body.opens))
        session.able.connect(self.show_acts)

    def show_nothing(self) -> None:
        self.record = None
        self.acts.show_acts((), lambda _: "")
        self.stack.show_page(self._nothing)

    def show_detail(self, record: Any = None) -> None:
        """Show the record whose head and body are set. An open form stays on top."""
        self.record = record
        self.show_acts()
        self.stack.show_page(self._shown)
        self.acts.arrived()

    def shown_acts(self) -> tuple[str, ...]:
        """Return the actions available now; none if there is no record."""
        return () if self.record is None else self.acts_for(self.record)

    def acts_for(self, record: Any) -> tuple[str, ...]:
        """Return the actions available for a record."""
        return tuple(self.acts.buttons)

    def show_acts(self) -> None:
        """Show the actions available now, disabled while nothing can be changed."""
        self.acts.show_acts(self.shown_acts(), self.why_not)

    def why_not(self, act: str) -> str:
        """Return the reason why an action is disabled, empty if it is not."""
        return self._session.why_not

    def _ask(self, act: str) -> None:
        if self.record is not None:
            self.asked.emit(act, self.record)

    def _open(self, opens: str) -> None:
        if opens.startswith(CONVERSATION):
            self.talked.emit(opens.removeprefix(CONVERSATION))
        elif opens:
            self.led.emit(opens)
