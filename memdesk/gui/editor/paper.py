"""Monospaced text with a fixed line height of 20 px in all scripts, and backgrounds across full lines."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QTextBlock, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit

from memdesk.gui import look
from memdesk.gui.look import c

PITCH_PX = 20
TEXT_PX = 12
DROP_PX = 2
"""Offset of line backgrounds: Qt sets the baseline of a fixed line at four fifths, so lines look centred this
much lower."""
RIGHT_PX = 12
PARAGRAPH = "\u2029"
"""Separator that Qt uses between lines."""


def pitched(format: QTextBlockFormat | None = None, pitch: int = PITCH_PX) -> QTextBlockFormat:
    """Return a block format with the fixed line height, so that Chinese lines have the same spacing as
    others."""
    made = QTextBlockFormat(format) if format is not None else QTextBlockFormat()
    made.setRightMargin(RIGHT_PX)
    made.setLineHeight(pitch, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


class Paper(QTextEdit):
    """Plain-text widget with one block per line. Subclasses return the background of a line from `band`."""

    def __init__(self, name: str, *, token: str = "t2") -> None:
        super().__init__()
        self._token = token
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setFont(look.font(TEXT_PX, mono=True))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        look.keep(self, self.retheme)

    def text(self) -> str:
        """Return the exact text: unlike toPlainText, it keeps hard spaces and line separators."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def set_text(self, text: str) -> None:
        """Replace the text and clear the undo history."""
        self.document().setUndoRedoEnabled(False)
        self.setPlainText(text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(pitched())
        self.document().setUndoRedoEnabled(True)
        self.document().setModified(False)

    def band(self, block: QTextBlock) -> str:
        """Return the colour token of the background of a line, empty for none."""
        return ""

    def retheme(self) -> None:
        """Apply the theme's colours."""
        made = QPalette(self.palette())
        made.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        made.setColor(QPalette.ColorRole.Text, c(self._token))
        made.setColor(QPalette.ColorRole.Highlight, look.mix(c("acc"), c("stage"), 0.28))
        made.setColor(QPalette.ColorRole.HighlightedText, c("t1"))
        self.setPalette(made)
        self.viewport().setAutoFillBackground(False)

    def seen(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Yield the lines in view with the area of each, in px of the viewport."""
        layout = self.document().documentLayout()
        top = self.verticalScrollBar().value()
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            place = layout.blockBoundingRect(block)
            high = max(1, block.layout().lineCount()) * PITCH_PX
            if place.top() - top > self.viewport().height():
                return
            yield block, QRectF(0, place.y() - top + DROP_PX, self.viewport().width(), high)
            block = block.next()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the backgrounds, then the text."""
        painter = QPainter(self.viewport())
        for block, place in self.seen():
            if token := self.band(block):
                painter.fillRect(place, c(token))
        painter.end()
        super().paintEvent(event)
