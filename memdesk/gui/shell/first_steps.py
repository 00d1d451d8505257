"""First steps on a desk: the page of an empty desk, with memory that agents keep on this machine; the tour; the sample
desk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memdesk.files.places import Desk, default_desk
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.shell.body import Memo
from memdesk.gui.widgets import (
    Column,
    Control,
    Empty,
    Ground,
    Icon,
    RowsModel,
    Table,
    Text,
    column,
    pages,
    row,
    rule,
)
from memdesk.gui.widgets.paint import Frame
from memdesk.model.interop import Discovered, DiscoveredPlace

CARD_PX = 340
CARD_GAP_PX = 14
RADIUS = 6


ROW_PX, HEAD_PX, SHOWN = 58, 30, 6
HOLDS_PX, SIZE_PX, STATE_PX, BRING_PX = 190, 80, 170, 96


class FirstRun(Ground):
    """Page of the places found, and below them a folder of one's own, an agent of one's own and the sample.

    Signals: bring_asked (a path, or empty to choose one), connect_asked, sample_asked."""

    bring_asked = Signal(str)
    connect_asked = Signal()
    sample_asked = Signal()

    def __init__(self) -> None:
        self.model: RowsModel[DiscoveredPlace] = RowsModel(_found_columns())
        self.table = Table(self.model, name=tr("Found on this machine"), row_px=ROW_PX)
        self.none = Empty(
            tr("No agent of a known system has left memory on this machine."),
            tr("Bring in a folder or an export, connect an agent, or look around on the sample desk."),
        )
        self.none.setContentsMargins(5, 0, 5, 0)
        self.choose = Control("button", tr("Choose…"))
        self.connect_agent = Control("button", tr("Show how"))
        self.sample = Control("link", tr("Open the sample desk"))
        self.missing = Text("", 12, "t3", wrap=True)
        self._places = pages(self.table, self.none)
        super().__init__("stage", layout=self._laid_out())
        self.table.opened.connect(lambda place: self.bring_asked.emit(place.path))
        self.table.pressed.connect(lambda place, _: self.bring_asked.emit(place.path))
        self.choose.clicked.connect(lambda: self.bring_asked.emit(""))
        self.connect_agent.clicked.connect(lambda: self.connect_asked.emit())
        self.sample.clicked.connect(lambda: self.sample_asked.emit())
        self.setFocusProxy(self.table)

    def _laid_out(self) -> QVBoxLayout:
        says = Text(
            tr(
                "Only names, sizes and times were read so far. Nothing leaves this machine; every step can be undone."
            ),
            13,
            "t2",
            wrap=True,
        )
        folder = _offer(
            "file",
            tr("A folder, a file or an export"),
            tr("mem0, Zep, Letta, LangGraph, chats, plain Markdown"),
            self.choose,
        )
        own = _offer(
            "plug",
            tr("An agent of your own"),
            tr("a few lines of Python, MCP, or plain HTTP"),
            self.connect_agent,
        )
        others = column(
            Text(tr("Not in the list?"), 12, "t2", weight=600),
            folder,
            rule(),
            own,
            rule(),
            self.missing,
            gap=8,
            margins=(20, 14, 20, 14),
        )
        around = Text(tr("Only looking around?"), 13, "t1", weight=500)
        what = Text(tr("Two agents, ninety days of memory. Kept apart from yours."), 12, "t2")
        footer = row(Icon("play", "t2"), around, what, None, self.sample, gap=10, margins=(20, 14, 20, 14))
        says.setContentsMargins(20, 12, 20, 10)
        return column(
            says, self._places, Ground("stage", layout=others), None, Ground("panel", "top", footer), gap=0
        )

    def show_found(self, found: Discovered) -> None:
        """Show the findings; the first place is chosen."""
        self.model.set_rows(found.rows)
        shown = min(SHOWN, len(found.rows))
        self._places.setFixedHeight(HEAD_PX + ROW_PX * shown + 2 if shown else 2 * ROW_PX)
        self._places.setCurrentWidget(self.table if found.rows else self.none)
        self.setFocusProxy(self.table if found.rows else self.choose)
        if found.rows and not self.table.currentIndex().isValid():
            self.table.choose(0)
        self.missing.setText(
            tr("Looked for and not there: {names}", names=", ".join(found.missing)) if found.missing else ""
        )


def _offer(icon: str, title: str, says: str, button: Control) -> Ground:
    line = row(
        Icon(icon, "t2"),
        Text(title, 13, "t1", weight=500),
        Text(says, 12, "t3", elide=True),
        None,
        button,
        gap=10,
    )
    return Ground("stage", layout=line)


def found_words(found: Discovered) -> str:
    """Return “3 of 13 known systems, looked up in 0.8 s”."""
    systems = {each.system for each in found.rows}
    return tr(
        "{found} of {all} known systems, looked up in {time} s",
        found=len(systems),
        all=len(systems) + len(found.missing),
        time=f"{max(0.1, found.took_ms / 1000):.1f}",
    )


def _found_columns() -> tuple[Column[DiscoveredPlace], ...]:
    return (
        Column(
            tr("Agent"),
            lambda each: each.system,
            below=lambda each: formatting.short_path(each.path),
            icon=lambda _: ("file", "t2"),
            px=13,
            weight=500,
            token="t1",
        ),
        Column(tr("What it keeps"), _holds, width=HOLDS_PX, token="t1"),
        Column(tr("Size"), lambda each: formatting.size(each.size_bytes), width=SIZE_PX, numeric=True),
        Column(tr("State"), _state, width=STATE_PX),
        Column(
            "",
            lambda each: tr("is here") if each.known else tr("Bring in…"),
            width=BRING_PX,
            align="right",
            token="acc",
            pressable=lambda each: not each.known,
        ),
    )


def _holds(each: DiscoveredPlace) -> str:
    parts = [tr("%Ln note(s)", "", each.notes)] if each.notes else []
    parts += [tr("%Ln conversation(s)", "", each.transcripts)] if each.transcripts else []
    return ", ".join(parts) or tr("a knowledge graph")


def _state(each: DiscoveredPlace) -> str:
    return tr("changed {when}", when=formatting.ago(each.changed_at)) if each.changed_at else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of the tour. part: the part of the window that is framed; panel: the panel opened meanwhile."""

    part: str
    panel: str
    title: str
    says: str


STEPS = (
    Step(
        part="stage",
        panel="overview",
        title=marked("What is there"),
        says=marked("Six layers of memory, what changed since you looked, and what waits for you."),
    ),
    Step(
        part="rail",
        panel="overview",
        title=marked("A place for each question"),
        says=marked(
            "What do the agents believe, why, and what should change? Ctrl+1 to Ctrl+7 go to the places."
        ),
    ),
    Step(
        part="stage",
        panel="facts",
        title=marked("Everything that is believed"),
        says=marked(
            "Choose a row: the inspector tells where it comes from, to the very turn, and what you can do."
        ),
    ),
    Step(
        part="stage",
        panel="salience",
        title=marked("What fades"),
        says=marked(
            "Memory that nobody recalls fades, day by day. Rescue with R what should stay, or pin it with I."
        ),
    ),
    Step(
        part="stage",
        panel="review",
        title=marked("What waits for you"),
        says=marked(
            "What jobs and agents may not decide alone is asked here, with both sides and their evidence."
        ),
    ),
    Step(
        part="stage",
        panel="audit",
        title=marked("Everything that happened"),
        says=marked("Who did what, when and why. Choose a change to see before and after, and take it back."),
    ),
    Step(
        part="top",
        panel="audit",
        title=marked("Find anything"),
        says=marked("Ctrl+K searches every memory and every command. F1 explains the panel you are at."),
    ),
    Step(
        part="foot",
        panel="overview",
        title=marked("Nothing breaks"),
        says=marked(
            "Your last change stands here with its Undo. Ctrl+Z takes back whatever you try: so try things."
        ),
    ),
)


class Tour(Ground):
    """Card of the tour. begin() starts from the first step; take_up() continues a tour that was left.

    parts: the parts of the window by name. open_panel: shows a panel without giving it the keyboard focus."""

    def __init__(
        self, window: QWidget, memo: Memo, parts: Mapping[str, QWidget], open_panel: Callable[[str], object]
    ) -> None:
        super().__init__("panel", radius=RADIUS, rim="acc", parent=window)
        self._memo, self._parts, self._open_panel = memo, parts, open_panel
        self.frame = Frame(window, RADIUS)
        self.frame.hide()
        self.setAccessibleName(tr("Tour of the window"))
        self.hide()

    def _furnish(self) -> None:
        """Create the widgets when they are first needed: most windows begin without a tour."""
        self.title = Text("", 15, "t1", weight=600)
        self.says = Text("", 13, "t2", wrap=True)
        self.number = Text("", 12, "t3")
        self.skip = Control("ghost", tr("Skip"), keys="Esc", small=True)
        self.back = Control("button", tr("Back", "step"), small=True)
        self.next = Control("primary", tr("Next", "step"), small=True)
        self.setFixedWidth(CARD_PX)
        buttons = row(self.skip, None, self.back, self.next, gap=8)
        head = row(self.title, None, self.number)
        self.setLayout(column(head, self.says, 4, buttons, gap=8, margins=(16, 14, 16, 14)))
        self.next.clicked.connect(lambda: self._go(1))
        self.back.clicked.connect(lambda: self._go(-1))
        self.skip.clicked.connect(self.end)

    def begin(self) -> None:
        self._show(0)

    def take_up(self) -> None:
        """Continue a tour that was requested or left; otherwise do nothing."""
        if self.isHidden() and 0 <= self._memo.tour < len(STEPS):
            self._show(self._memo.tour)

    def end(self) -> None:
        """Close the tour; it starts again only on request."""
        self._memo.tour = -1
        self.hide()
        self.frame.hide()
        self.window().removeEventFilter(self)

    def step_back(self) -> bool:
        """Handle Esc; returns False while there is no tour."""
        if not self.isVisible():
            return False
        self.end()
        return True

    def _go(self, by: int) -> None:
        place = self._memo.tour + by
        if place < len(STEPS):
            self._show(max(0, place))
        else:
            self.end()

    def _show(self, place: int) -> None:
        if self.layout() is None:
            self._furnish()
        step = STEPS[place]
        self._memo.tour = place
        self._open_panel(step.panel)
        self.title.setText(tr(step.title))
        self.says.setText(tr(step.says))
        self.number.setText(tr("{place} of {all}", place=place + 1, all=len(STEPS)))
        self.back.set_enabled(place > 0)
        self.next.setText(tr("Next", "step") if place + 1 < len(STEPS) else tr("Done"))
        for part in (self.frame, self):
            part.show()
            part.raise_()
        self._place()
        self.window().installEventFilter(self)
        self.next.setFocus(Qt.FocusReason.TabFocusReason)

    # Its place.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the framed part when the window is resized, after its layout is done."""
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._place)
        return False

    def _place(self) -> None:
        if not self.isVisible():
            return
        self.resize(CARD_PX, self.heightForWidth(CARD_PX))
        part = self._parts[STEPS[self._memo.tour].part]
        around = QRect(part.mapTo(self.window(), QPoint(0, 0)), part.size())
        self.frame.setGeometry(around.adjusted(-1, -1, 1, 1).intersected(self.window().rect()))
        self.move(card_position(around, self.rect(), self.window().rect()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go forward and back with the arrow keys, end the tour with Esc."""
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        if event.key() in steps:
            self._go(steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)


def card_position(part: QRect, card: QRect, window: QRect) -> QPoint:
    """Return the position of a card: right of the part, below it, above it, or in its lower right corner, the
    first that fits."""
    wide, high = card.width() + CARD_GAP_PX, card.height() + CARD_GAP_PX
    x = min(part.x(), window.width() - wide)
    if part.right() + wide <= window.width():
        return QPoint(part.right() + CARD_GAP_PX, min(part.y() + CARD_GAP_PX, window.height() - high))
    if part.bottom() + high <= window.height():
        return QPoint(x, part.bottom() + CARD_GAP_PX)
    if part.y() >= high:
        return QPoint(x, part.y() - high)
    return QPoint(part.right() - wide - CARD_GAP_PX, part.bottom() - high - CARD_GAP_PX)


SAMPLE = "sample"


def sample_desk() -> Desk:
    """Return the place of this user's sample desk, next to the user's default desk."""
    return Desk(default_desk().folder.parent / SAMPLE)


def show_sample() -> subprocess.Popen[bytes]:
    """Start a process that opens the sample desk in its own window, with the tour if the desk is created now.
    It outlives this window."""
    words = [sys.executable, "-m", "memdesk", "demo", "--keep", str(sample_desk().folder)]
    return subprocess.Popen(words, start_new_session=True, stdin=subprocess.DEVNULL)
