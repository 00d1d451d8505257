"""Monospaced text with a fixed line height of 20 px in all scripts, and backgrounds across full lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from memdesk.gui import look
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import draw_text, text_width
from memdesk.model.hidden import hidden_names, revealed

PITCH_PX = 20
LINES_AT_MOST = 12
"""Number of lines after which an entry ends with an ellipsis; the source shows all of it."""
MARK = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`|\[(?P<words>[^\]\n]+)\]\([^)\n]*\)")
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
LINE_SEPARATOR = "\u2028"


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A laid out text. lines: number of lines shown; cut: True if there are more."""

    layout: QTextLayout
    lines: int
    cut: bool

    @property
    def height(self) -> int:
        """Height of the shown lines, in px."""
        return self.lines * PITCH_PX

    def draw(self, painter: QPainter, at: QPointF, token: str) -> None:
        """Draw the shown lines."""
        painter.setPen(c(token))
        for number in range(self.lines):
            self.layout.lineAt(number).draw(painter, at)
        if self.cut:
            last = self.layout.lineAt(self.lines - 1)
            painter.setFont(self.layout.font())
            end = at + QPointF(last.naturalTextWidth() + 2, last.y() + last.ascent())
            painter.drawText(end, "…")

    def places(self, words: str) -> Iterator[QRectF]:
        """Yield the rectangles of words in the shown lines, ignoring case."""
        text = self.layout.text()
        for found in re.finditer(re.escape(words), text, re.IGNORECASE):
            start = _units(text[: found.start()])
            end = start + _units(found[0])
            for number in range(self.lines):
                line = self.layout.lineAt(number)
                first, last = line.textStart(), line.textStart() + line.textLength()
                if start < last and end > first:
                    x, right = (_x(line, max(first, min(last, at))) for at in (start, end))
                    yield QRectF(x, number * PITCH_PX, right - x, PITCH_PX)


def strip_markdown(text: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """Return the text without its markdown, and the places of bold words and code in it: (start, length,
    kind), in UTF-16 units."""
    plain, marks, at = "", [], 0
    for found in MARK.finditer(text):
        plain += text[at : found.start()]
        kind = found.lastgroup or "words"
        words = found[kind]
        if kind != "words":
            marks.append((_units(plain), _units(words), kind))
        plain, at = plain + words, found.end()
    return plain + text[at:], tuple(marks)


def plain_line(text: str) -> str:
    """Return a text as one line without its markdown: headings, bold words, code, links."""
    return " ".join(HEADING.sub("", strip_markdown(text)[0]).split())


@lru_cache(maxsize=2048)
def wrap_text(text: str, width: int, most: int = LINES_AT_MOST) -> Wrapped:
    """Return a text wrapped to a width in px, with at most so many lines. The result is shared: draw it,
    change no part of it."""
    plain, marks = strip_markdown(revealed(text))
    layout = QTextLayout(plain.replace("\n", LINE_SEPARATOR), look.font(13))
    layout.setFormats([_format(start, length, kind) for start, length, kind in marks])
    lines, more = lay_lines(layout, width, most)
    return Wrapped(layout, max(1, lines), more)


def lay_lines(layout: QTextLayout, width: int, most: int | None = None) -> tuple[int, bool]:
    """Break a text into lines of one height; return their number, and True if there would be more than `most`."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    layout.beginLayout()
    lines, more = 0, False
    while (line := layout.createLine()).isValid():
        if lines == most:
            more = True
            break
        line.setLineWidth(width)
        # Set by the baseline, so that a line of Chinese stands no lower than its neighbours.
        line.setPosition(QPointF(0, lines * PITCH_PX + 14.5 - line.ascent()))
        lines += 1
    layout.endLayout()
    return lines, more


def _x(line: QTextLine, at: int) -> float:
    """Return the x where a letter of a line begins, in px."""
    place: Any = line.cursorToX(at)
    return float(place[0])


def _format(start: int, length: int, kind: str) -> QTextLayout.FormatRange:
    made = QTextCharFormat()
    if kind == "bold":
        made.setFontWeight(QFont.Weight.Bold)
    else:
        made.setFont(look.font(12, mono=True))
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, made
    return found


def _units(text: str) -> int:
    """Return the length of a text as Qt counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


TEXT_PX = 12
DROP_PX = 2
"""Offset of line backgrounds: Qt sets the baseline of a fixed line at four fifths, so lines look centred this
much lower."""
RIGHT_PX = 12
PARAGRAPH = "\u2029"
"""Separator that Qt uses between lines."""


def fixed_height_format(format: QTextBlockFormat | None = None, pitch: int = PITCH_PX) -> QTextBlockFormat:
    """Return a block format with the fixed line height, so that Chinese lines have the same spacing as
    others."""
    made = QTextBlockFormat(format) if format is not None else QTextBlockFormat()
    made.setRightMargin(RIGHT_PX)
    made.setLineHeight(pitch, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


def clear_ground(view: QPlainTextEdit | QTextEdit, token: str) -> None:
    """Give a text the theme's colours on a transparent ground. token: of its words."""
    made = QPalette(view.palette())
    made.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
    made.setColor(QPalette.ColorRole.Text, c(token))
    made.setColor(QPalette.ColorRole.Highlight, look.mix(c("acc"), c("stage"), 0.28))
    made.setColor(QPalette.ColorRole.HighlightedText, c("t1"))
    view.setPalette(made)
    view.viewport().setAutoFillBackground(False)


class Paper(QTextEdit):
    """Plain-text widget with one block per line. The names of invisible characters are painted at the end of
    their line; the text stays as it is. Subclasses return the background of a line from `band`."""

    def __init__(self, name: str, *, token: str = "t2") -> None:
        super().__init__()
        self._token = token
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setFont(look.font(TEXT_PX, mono=True))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        look.keep_palette(self, self.retheme)

    def text(self) -> str:
        """Return the exact text: unlike toPlainText, it keeps hard spaces and line separators."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def set_text(self, text: str) -> None:
        """Replace the text and clear the undo history."""
        self.document().setUndoRedoEnabled(False)
        self.setPlainText(text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(fixed_height_format())
        self.document().setUndoRedoEnabled(True)
        self.document().setModified(False)

    def band(self, block: QTextBlock) -> str:
        """Return the colour token of the background of a line, empty for none."""
        return ""

    def retheme(self) -> None:
        """Apply the theme's colours."""
        clear_ground(self, self._token)

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
        painter = QPainter(self.viewport())
        for block, place in self.seen():
            if token := self.band(block):
                painter.fillRect(place, c(token))
        painter.end()
        super().paintEvent(event)
        marked = [(names, place) for block, place in self.seen() if (names := hidden_names(block.text()))]
        if marked:
            painter = QPainter(self.viewport())
            for names, place in marked:
                self._paint_names(painter, names, place)
            painter.end()

    def _paint_names(self, painter: QPainter, names: str, place: QRectF) -> None:
        """Paint the names of a line's hidden characters at its right end."""
        font = look.font(10)
        width = min(text_width(names, font) + 8, int(place.width()))
        rect = QRectF(place.right() - width, place.bottom() - PITCH_PX, width, PITCH_PX)
        painter.fillRect(rect, c("panel"))
        draw_text(painter, rect, names, font, c("warn"))
