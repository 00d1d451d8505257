"""Source view of a very large file: plain text without colours, line numbers or preview, so that it stays
fast."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from memdesk.gui import look
from memdesk.gui.editor.paper import PARAGRAPH
from memdesk.gui.language import tr
from memdesk.gui.look import c


class Plain(QPlainTextEdit):
    """Plain-text editor with the part of the Source interface that a large file needs."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Source", "as it is written"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(look.font(12, mono=True))
        self.setViewportMargins(20, 8, 12, 8)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        look.keep(self, self._retheme)

    def text(self) -> str:
        """Return the exact text."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def set_text(self, text: str) -> None:
        """Replace the text and clear the undo history."""
        self.setPlainText(text)

    def replace_text(self, text: str) -> None:
        """Replace the text as one edit, which Ctrl+Z undoes."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def _retheme(self) -> None:
        made = QPalette(self.palette())
        made.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        made.setColor(QPalette.ColorRole.Text, c("t2"))
        made.setColor(QPalette.ColorRole.Highlight, look.mix(c("acc"), c("stage"), 0.28))
        made.setColor(QPalette.ColorRole.HighlightedText, c("t1"))
        self.setPalette(made)
        self.viewport().setAutoFillBackground(False)
