"""First offers on an empty desk: explore the sample desk, import memory, connect an agent."""

from __future__ import annotations

import subprocess
import sys

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memdesk.files.places import Desk, default_desk
from memdesk.gui.frame.memo import Memo
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Control, Text, column, row
from memdesk.gui.widgets.paint import box
from memdesk.model.status import Status

WIDTH_PX, GAP_PX = 680, 20
EMPTY_PX = 64
"""Distance from the middle of an empty panel to above its text."""
SAMPLE = "sample"


class Welcome(QWidget):
    """Card shown once over an empty desk. Signals: import_asked; connect_asked; sample_asked."""

    import_asked = Signal()
    connect_asked = Signal()
    sample_asked = Signal()

    def __init__(self, window: QWidget, memo: Memo, stage: QWidget) -> None:
        super().__init__(window)
        self._memo, self._stage = memo, stage
        self.setAccessibleName(tr("First steps"))
        self.hide()

    def _furnish(self) -> None:
        """Create the widgets when they are first needed."""
        self.sample = Control("primary", tr("Look around on the sample desk"), "play")
        self.bring = Control("button", tr("Bring in what your agents keep"), "merge")
        self.connect_agent = Control("button", tr("Connect an agent"), "link")
        self.later = Control("ghost", tr("Not now"), keys="Esc", small=True)
        self.setFixedWidth(WIDTH_PX)
        title = Text(tr("This desk is empty."), 17, "t1", weight=500)
        says = Text(
            tr("MemDesk shows what your agents believe and why, and takes back any change. Where to begin?"),
            13, "t2", wrap=True,
        )  # fmt: skip
        offers = ((self.sample, self.sample_asked), (self.bring, self.import_asked),
                  (self.connect_agent, self.connect_asked))  # fmt: skip
        for button, asked in offers:
            button.clicked.connect(lambda _=False, asked=asked: self._take(asked))
        self.later.clicked.connect(self.close_card)
        choice = row(*(button for button, _ in offers), None, gap=8)
        self.setLayout(column(title, says, 6, choice, row(None, self.later), gap=8, margins=(24, 20, 20, 16)))

    def offer(self, status: Status) -> None:
        """Show the card on an empty desk, the first time the desk is seen."""
        empty = not (status.turns or status.facts or status.documents)
        if empty and not self._memo.welcomed and self.isHidden():
            self.open()

    def open(self) -> None:
        """Show the card."""
        self._memo.welcomed = True
        if self.layout() is None:
            self._furnish()
        self.resize(WIDTH_PX, self.heightForWidth(WIDTH_PX))
        self._place()
        self._stage.installEventFilter(self)
        self.show()
        self.raise_()
        self.sample.setFocus(Qt.FocusReason.TabFocusReason)

    def _place(self) -> None:
        # Above the middle of the stage and in line with what an empty panel says there.
        corner = self._stage.mapTo(self.window(), QPoint(GAP_PX, 0))
        above = corner.y() + self._stage.height() // 2 - EMPTY_PX - self.height()
        self.move(corner.x(), max(GAP_PX, above))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the position when the stage changes."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def close_card(self) -> None:
        """Hide the card; it is not offered again automatically."""
        self.hide()

    def step_back(self) -> bool:
        """Handle Esc; returns False while the card is not shown."""
        shown = self.isVisible()
        self.hide()
        return shown

    def _take(self, asked: Signal) -> None:
        self.close_card()
        asked.emit()  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move through the offers with Up and Down, hide the card with Esc."""
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_card()
            case Qt.Key.Key_Down:
                self.focusNextChild()
            case Qt.Key.Key_Up:
                self.focusPreviousChild()
            case _:
                super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card."""
        box(QPainter(self), QRectF(self.rect()), 6, c("panel"), c("line2"))


def sample_desk() -> Desk:
    """Return the place of this user's sample desk, next to the user's default desk."""
    return Desk(default_desk().folder.parent / SAMPLE)


def show_sample() -> subprocess.Popen[bytes]:
    """Start a process that opens the sample desk in its own window, with the tour if the desk is created now.
    It outlives this window."""
    words = [sys.executable, "-m", "memdesk", "demo", "--keep", str(sample_desk().folder)]
    return subprocess.Popen(words, start_new_session=True, stdin=subprocess.DEVNULL)
