"""Monospaced text on an even pitch of 20 px, whatever scripts it holds, with grounds that span whole lines."""

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
"""Qt sets the baseline of a fixed line at four fifths of it; lines look centred this much lower."""
RIGHT_PX = 12
PARAGRAPH = "\u2029"
"""What Qt keeps between lines."""


def pitched(format: QTextBlockFormat | None = None, pitch: int = PITCH_PX) -> QTextBlockFormat:
    """A block format with the fixed line height, so that Chinese lines stand no further apart than others."""
    made = QTextBlockFormat(format) if format is not None else QTextBlockFormat()
    made.setRightMargin(RIGHT_PX)
    made.setLineHeight(pitch, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


class Paper(QTextEdit):
    """Plain text, one block a line. Subclasses say which ground a line stands on, in `band`."""

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
        """The text, to the character: unlike toPlainText, hard spaces and line separators stay what they are."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def set_text(self, text: str) -> None:
        """Show another text; undo starts afresh."""
        self.document().setUndoRedoEnabled(False)
        self.setPlainText(text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(pitched())
        self.document().setUndoRedoEnabled(True)
        self.document().setModified(False)

    def band(self, block: QTextBlock) -> str:
        """Token of the ground behind a line, empty for none."""
        return ""

    def retheme(self) -> None:
        """Take the tokens' colours."""
        made = QPalette(self.palette())
        made.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        made.setColor(QPalette.ColorRole.Text, c(self._token))
        made.setColor(QPalette.ColorRole.Highlight, look.mix(c("acc"), c("stage"), 0.28))
        made.setColor(QPalette.ColorRole.HighlightedText, c("t1"))
        self.setPalette(made)
        self.viewport().setAutoFillBackground(False)

    def seen(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The lines in view with the place of each, in px of the viewport."""
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
        """Paint the grounds, then the text."""
        painter = QPainter(self.viewport())
        for block, place in self.seen():
            if token := self.band(block):
                painter.fillRect(place, c(token))
        painter.end()
        super().paintEvent(event)
