"""Error strip with the failure and the next step. It stays until it is dismissed."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Control, Icon, Text, row, span
from memdesk.gui.widgets.tips import plain as as_tip
from memdesk.model.errors import Conflict, MemDeskError

HEIGHT_PX = 34


class Notice(QWidget):
    """A failure as a sentence. A conflict is not a failure, so it is shown as a warning."""

    def __init__(self) -> None:
        super().__init__()
        self._tone = "bad"
        self._icon = Icon("warning", "bad")
        self.sentence = Text("", 12, "t1", elide=True)
        self._close = Control("ghost", "", "close", small=True, tip=tr("Dismiss") + "  Esc")
        self._close.clicked.connect(self.hide)
        layout = row(self._icon, self.sentence, self._close, gap=7, margins=(11, 0, 8, 0))
        layout.setStretchFactor(self.sentence, 1)
        self.setLayout(layout)
        self.setFixedHeight(HEIGHT_PX)
        self.hide()

    def show_wrong(self, wrong: MemDeskError) -> None:
        """Show the error and the next step."""
        self._tone = "warn" if isinstance(wrong, Conflict) else "bad"
        self._icon.set_icon("conflict" if isinstance(wrong, Conflict) else "warning", self._tone)
        plain = f"{wrong.says} {wrong.next}".strip()
        self.sentence.set_markup(lambda: f"{span(wrong.says, 't1')}&nbsp; {span(wrong.next, 't2')}", plain)
        self.sentence.setToolTip(as_tip(plain))
        self.setAccessibleName(plain)
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background."""
        QPainter(self).fillRect(QRectF(self.rect()), c(self._tone + "bg"))
