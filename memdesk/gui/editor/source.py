"""Source view of a file: line numbers, the author of each line, the current line, and search matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os.path import commonprefix

from PySide6.QtCore import QEvent, QRect, QRectF
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QTextEdit, QToolTip, QWidget

from memdesk.gui import look
from memdesk.gui.editor.authors import BAR_PX, paint_stroke, stroke_of
from memdesk.gui.editor.highlight import MarkdownHighlighter
from memdesk.gui.editor.paper import PITCH_PX, Paper
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import RIGHT, draw_text, text_width
from memdesk.gui.widgets.tips import plain

BAR_GAP_PX = 11
TEXT_GAP_PX = 12
LEAST_DIGITS = 2
FOUND_AT_MOST = 2000
"""Limit of matches that are marked; more would only colour the page."""


class Gutter(QWidget):
    """Line numbers, and a bar that shows the last author of each line."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._source = source
        self.setAccessibleName(tr("Line numbers and authors"))

    def wide(self) -> int:
        """Return the width of the numbers, the bar and the gaps."""
        digits = max(LEAST_DIGITS, len(str(self._source.document().blockCount())))
        return 16 + text_width("0" * digits, look.font(11, mono=True)) + BAR_GAP_PX + BAR_PX + TEXT_GAP_PX

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines in view."""
        painter = QPainter(self)
        current = self._source.textCursor().block()
        for block, place in self._source.seen():
            if self._source.band(block):
                painter.fillRect(QRectF(0, place.y(), self.width(), place.height()), c("hover"))
            number = QRectF(0, place.y(), self.width() - BAR_GAP_PX - BAR_PX - TEXT_GAP_PX, PITCH_PX)
            token = "t1" if block == current else "t3"
            draw_text(
                painter, number, str(block.blockNumber() + 1), look.font(11, mono=True), c(token), RIGHT
            )
            self._paint_author(painter, block, place)

    def _paint_author(self, painter: QPainter, block: QTextBlock, place: QRectF) -> None:
        author = self._source.author(block.blockNumber())
        if author and block.text().strip():
            x = self.width() - TEXT_GAP_PX - BAR_PX
            paint_stroke(painter, QRectF(x, place.y(), BAR_PX, place.height()), stroke_of(author))

    def event(self, event: QEvent) -> bool:
        """Show the author in the tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            block = self._source.cursorForPosition(event.pos()).block()
            QToolTip.showText(event.globalPos(), plain(self._source.author_name(block.blockNumber())), self)
            return True
        return bool(super().event(event))


class Source(Paper):
    """Editor for markdown source. name_of: turns an author such as "agent:Iris" into a name."""

    def __init__(self, name_of: Callable[[str], str] = str, *, name: str = "") -> None:
        super().__init__(name or tr("Source", "as it is written"))
        self._name_of = name_of
        self._authors: list[str] = []
        self._lines, self._mine = 1, ""
        self._gutter = Gutter(self)
        self._highlighter = MarkdownHighlighter(self.document())
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.document().contentsChange.connect(self._carry_authors)
        self.document().blockCountChanged.connect(lambda _: self._make_room())
        self.verticalScrollBar().valueChanged.connect(lambda _: self._gutter.update())
        self.textChanged.connect(self._gutter.update)
        self.cursorPositionChanged.connect(self._show_current)
        self._make_room()

    # Authors.

    def set_authors(self, authors: Sequence[str], mine: str) -> None:
        """Set the last author of each line; lines typed from now on get the author `mine`."""
        self._authors, self._mine = list(authors), mine
        self._gutter.update()

    def author(self, line: int) -> str:
        """Return the author of a line, counted from 0; empty if unknown."""
        return self._authors[line] if 0 <= line < len(self._authors) else ""

    def author_name(self, line: int) -> str:
        """Return the name of a line's author; empty if unknown."""
        author = self.author(line)
        return self._name_of(author) if author else ""

    def _carry_authors(self, place: int, removed: int, added: int) -> None:
        """Move the authors with their lines after an edit; the edited lines get the author `mine`."""
        count = self.document().blockCount()
        grown, self._lines = count - self._lines, count
        if not self._authors or not (removed or added):
            return
        first = self.document().findBlock(place).blockNumber()
        last = self.document().findBlock(place + added)
        touched = (last.blockNumber() if last.isValid() else count - 1) - first + 1
        self._authors[first : first + max(0, touched - grown)] = [self._mine] * touched

    # The view.

    def _make_room(self) -> None:
        wide = self._gutter.wide()
        if self.viewportMargins().left() != wide:
            self.setViewportMargins(wide, 6, 0, 6)
        self._place_gutter()

    def _place_gutter(self) -> None:
        inside = self.contentsRect()
        self._gutter.setGeometry(
            QRect(inside.left(), self.viewport().y(), self._gutter.wide(), self.viewport().height())
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the gutter aligned with the lines."""
        super().resizeEvent(event)
        self._place_gutter()

    def _show_current(self) -> None:
        self._gutter.update()
        self.viewport().update()

    def band(self, block: QTextBlock) -> str:
        """Return the hover background for the line with the cursor, unless the text is read-only."""
        return "hover" if not self.isReadOnly() and block == self.textCursor().block() else ""

    def retheme(self) -> None:
        """Apply the theme's colours, also to the gutter."""
        super().retheme()
        self.update()

    def top_line(self) -> int:
        """Return the number of the first line in view, from 0."""
        return self.cursorForPosition(self.viewport().rect().topLeft()).blockNumber()

    # Typing, and changing the whole text as a person would: in one step of undo.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Treat Shift+Enter as Enter, because a line separator inside a line would be invisible."""
        if event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def replace_text(self, text: str) -> None:
        """Replace the text as one edit, which Ctrl+Z undoes. Changes only the part that differs."""
        now = self.text()
        start = commonprefix((now, text))
        rest, wanted = now[len(start) :], text[len(start) :]
        end = commonprefix((rest[::-1], wanted[::-1]))
        cursor = QTextCursor(self.document())
        cursor.setPosition(_units(start))
        cursor.setPosition(_units(now[: len(now) - len(end)]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(wanted[: len(wanted) - len(end)])

    def go_to(self, position: int) -> None:
        """Move the cursor to a position, or to the end of a shorter text."""
        cursor = self.textCursor()
        cursor.setPosition(min(position, max(0, self.document().characterCount() - 1)))
        self.setTextCursor(cursor)

    # Looking for something.

    def mark_found(self, text: str) -> list[QTextCursor]:
        """Mark all matches of a text, ignoring case, and return them in order."""
        places: list[QTextCursor] = []
        cursor = self.document().find(text) if text else QTextCursor()
        while not cursor.isNull() and len(places) < FOUND_AT_MOST:
            places.append(QTextCursor(cursor))
            cursor = self.document().find(text, cursor)
        self.setExtraSelections([_mark(place) for place in places])
        return places

    def show_found(self, place: QTextCursor) -> None:
        """Select one of the matches and scroll it into view."""
        self.setTextCursor(place)
        self.ensureCursorVisible()


def _mark(place: QTextCursor) -> QTextEdit.ExtraSelection:
    mark = QTextEdit.ExtraSelection()
    mark.cursor = place
    mark.format.setBackground(c("warnbg"))
    mark.format.setForeground(c("warn"))
    return mark


def _units(text: str) -> int:
    """Return the length in UTF-16 units, as Qt counts it: characters beyond the first plane, such as emoji,
    count as two."""
    return len(text.encode("utf-16-le")) // 2
