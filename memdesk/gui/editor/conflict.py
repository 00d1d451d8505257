"""Strip with the choices for a file that was changed elsewhere during editing; no text is overwritten unseen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Control, Icon, Text, row

HEIGHT_PX = 40


class ConflictStrip(QWidget):
    """Strip that names the author of the other change and offers three choices. The versions below show the
    difference."""

    merged = Signal()
    kept = Signal()
    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sentence = Text("", 12, "t1", elide=True)
        self.merge = Control(
            "button", tr("Merge both"), "merge", small=True, tip=tr("Put both changes together in the editor")
        )
        self.keep = Control(
            "button", tr("Keep mine"), small=True, tip=tr("Save my text over the other; its version is kept")
        )
        self.take = Control(
            "button", tr("Take theirs"), small=True, tip=tr("Put the other text in; Ctrl+Z brings mine back")
        )
        self.merge.clicked.connect(lambda: self.merged.emit())
        self.keep.clicked.connect(lambda: self.kept.emit())
        self.take.clicked.connect(lambda: self.taken.emit())
        self.setFixedHeight(HEIGHT_PX)
        buttons = row(self.merge, self.keep, self.take, gap=6)
        layout = row(Icon("conflict", "bad"), self.sentence, buttons, gap=8, margins=(16, 0, 12, 0))
        layout.setStretchFactor(self.sentence, 1)
        self.setLayout(layout)
        self.hide()

    def show_conflict(self, sentence: str) -> None:
        """Show the strip with this sentence."""
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tinted background."""
        QPainter(self).fillRect(QRectF(self.rect()), c("badbg"))
