"""Source view of a file: line numbers, the author of each line, the current line, and search matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os.path import commonprefix

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from memdesk.gui import look
from memdesk.gui.editor.authors import BAR_PX, paint_stroke, stroke_of
from memdesk.gui.language import tr
from memdesk.gui.look import c, themed
from memdesk.gui.widgets import Control, Field, Ground, Text, row
from memdesk.gui.widgets.paint import RIGHT, draw_text, text_width
from memdesk.gui.widgets.paper import PARAGRAPH, PITCH_PX, Paper, clear_ground
from memdesk.gui.widgets.text import tip_text

TEXT, FENCE, COMMENT = -1, 1, 2
"""Block states: the construct that a line leaves open for the next one."""
FENCED = re.compile(r"^ {0,3}(```|~~~)")
HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")
COMMENT_ENDS = re.compile(r"-->")
MARKS: tuple[tuple[re.Pattern[str], str, bool], ...] = (
    (re.compile(r"(\*\*|__)(?=\S).+?(?<=\S)\1"), "t1", True),
    (re.compile(r"`[^`]+`"), "t1", False),
    (re.compile(r"!?\[[^\]]*\]\([^)]*\)|<https?://[^>]*>"), "acc", False),
    (re.compile(r"^\s*(?:[-*+]|\d+[.)])(?=\s)"), "t3", False),
    (re.compile(r"^ {0,3}>.*$"), "t3", False),
    (re.compile(r"<!--.*?-->"), "t3", False),
)
"""Pattern, colour token and bold flag, applied in this order."""


class MarkdownHighlighter(QSyntaxHighlighter):
    """Highlighter that colours a document in theme colours, and again if the theme changes."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[tuple[str, bool], QTextCharFormat] = {}
        themed.changed.connect(self._retheme)

    def _retheme(self) -> None:
        self._formats.clear()
        self.rehighlight()

    def _format(self, token: str, bold: bool = False) -> QTextCharFormat:
        if (token, bold) not in self._formats:
            made = QTextCharFormat()
            made.setForeground(c(token))
            if bold:
                made.setFontWeight(QFont.Weight.Bold)
            self._formats[token, bold] = made
        return self._formats[token, bold]

    def highlightBlock(self, text: str) -> None:
        """Colour one line, using the construct that the previous line left open."""
        self.setCurrentBlockState(TEXT)
        line: Callable[[str], None] = {FENCE: self._fenced, COMMENT: self._comment}.get(
            self.previousBlockState(), self._line
        )
        line(text)

    def _fenced(self, text: str) -> None:
        closed = FENCED.match(text) is not None
        self.setFormat(0, len(text), self._format("t3" if closed else "t1"))
        self.setCurrentBlockState(TEXT if closed else FENCE)

    def _comment(self, text: str) -> None:
        end = COMMENT_ENDS.search(text)
        self.setFormat(0, end.end() if end else len(text), self._format("t3"))
        self.setCurrentBlockState(TEXT if end else COMMENT)

    def _line(self, text: str) -> None:
        if FENCED.match(text):
            self.setFormat(0, len(text), self._format("t3"))
            self.setCurrentBlockState(FENCE)
        elif HEADING.match(text):
            self.setFormat(0, len(text), self._format("acc", bold=True))
        else:
            self._marks(text)

    def _marks(self, text: str) -> None:
        for pattern, token, bold in MARKS:
            for found in pattern.finditer(text):
                self.setFormat(found.start(), found.end() - found.start(), self._format(token, bold))
        begun = text.rfind("<!--")
        if begun >= 0 and "-->" not in text[begun:]:
            self.setFormat(begun, len(text) - begun, self._format("t3"))
            self.setCurrentBlockState(COMMENT)


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
            QToolTip.showText(
                event.globalPos(), tip_text(self._source.author_name(block.blockNumber())), self
            )
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


HEIGHT_PX = 40


class FindBar(Ground):
    """Find bar, hidden until it is opened. Enter goes to the next match, Shift+Enter to the previous one, Esc
    closes it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._places: list[QTextCursor] = []
        self._at = -1
        self.field = Field(placeholder=tr("Find in this file"), icon="search", quiet=True)
        self.count = Text("", 11, "t3")
        back = Control("ghost", icon="up", small=True, tip=tr("Previous place, Shift+Enter"))
        on = Control("ghost", icon="down", small=True, tip=tr("Next place, Enter"))
        close = Control("ghost", icon="close", small=True, tip=tr("Close, Esc"))
        layout = row(self.field, self.count, back, on, close, gap=6, margins=(12, 0, 8, 1))
        super().__init__("stage", "bottom", layout, height=HEIGHT_PX)
        self.field.textChanged.connect(lambda _: self._look(keep=False))
        self.field.installEventFilter(self)
        back.clicked.connect(lambda: self.step(-1))
        on.clicked.connect(lambda: self.step(1))
        close.clicked.connect(self.shut)
        source.textChanged.connect(lambda: self._look(keep=True) if self.isVisible() else None)
        self.hide()

    def open(self) -> None:
        """Show the bar, and search for the selected text if there is any."""
        chosen = self._source.textCursor().selectedText()
        if chosen and len(chosen) < 200:
            self.field.setText(chosen)
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._look(keep=True)

    def shut(self) -> None:
        """Hide the bar and its marks, and return the focus to the source."""
        self.hide()
        self._source.mark_found("")
        self._source.setFocus()

    def step(self, by: int) -> None:
        """Go to the next match, or with -1 to the previous one, wrapping around at the ends."""
        if self._places:
            self._at = (self._at + by) % len(self._places)
            self._source.show_found(self._places[self._at])
        self._say()

    def _look(self, *, keep: bool) -> None:
        """Find all matches. Unless `keep` is set, show the first one from the cursor on."""
        self._places = self._source.mark_found(self.field.text())
        here = self._source.textCursor().selectionStart()
        later = (n for n, place in enumerate(self._places) if place.selectionStart() >= here)
        self._at = next(later, 0 if self._places else -1)
        if self._places and not keep:
            self._source.show_found(self._places[self._at])
        self._say()

    def _say(self) -> None:
        found = (
            tr("{place} of {all}", place=self._at + 1, all=len(self._places))
            if self._places
            else tr("not in this file")
        )
        self.count.setText(found if self.field.text() else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Enter and Esc in the field."""
        if event.type() == QEvent.Type.ShortcutOverride and _key(event) == Qt.Key.Key_Escape:
            event.accept()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.shut()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        return False


def _key(event: QEvent) -> int:
    return event.key() if isinstance(event, QKeyEvent) else 0


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
        look.keep_palette(self, self._retheme)

    def text(self) -> str:
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
        clear_ground(self, "t2")
