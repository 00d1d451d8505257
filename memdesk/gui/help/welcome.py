"""What an empty desk offers at first: look around on the sample desk, bring something in, connect an agent."""

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
"""From the middle of an empty panel to above what it says."""
SAMPLE = "sample"


class Welcome(QWidget):
    """A card over an empty desk, once. Signals: import_asked; connect_asked; sample_asked."""

    import_asked = Signal()
    connect_asked = Signal()
    sample_asked = Signal()

    def __init__(self, window: QWidget, memo: Memo, stage: QWidget) -> None:
        super().__init__(window)
        self._memo, self._stage = memo, stage
        self.setAccessibleName(tr("First steps"))
        self.hide()

    def _furnish(self) -> None:
        """Make the parts when they are first wanted."""
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
        """Show it on a desk that holds nothing, the first time it is seen."""
        empty = not (status.turns or status.facts or status.documents)
        if empty and not self._memo.welcomed and self.isHidden():
            self.open()

    def open(self) -> None:
        """Show it, as when it is asked for."""
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
        """Stay in its place when the stage changes."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def close_card(self) -> None:
        """Put it away; it does not come by itself again."""
        self.hide()

    def step_back(self) -> bool:
        """What Esc does; False while it is not shown."""
        shown = self.isVisible()
        self.hide()
        return shown

    def _take(self, asked: Signal) -> None:
        self.close_card()
        asked.emit()  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down go through the offers, Esc puts it away."""
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
    """Where the sample desk is kept for this user, beside the user's own."""
    return Desk(default_desk().folder.parent / SAMPLE)


def show_sample() -> subprocess.Popen[bytes]:
    """Open the sample desk in a window of its own, with the tour where it is made first. It outlives this window."""
    words = [sys.executable, "-m", "memdesk", "demo", "--keep", str(sample_desk().folder)]
    return subprocess.Popen(words, start_new_session=True, stdin=subprocess.DEVNULL)
