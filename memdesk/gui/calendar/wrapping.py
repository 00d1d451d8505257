"""Text of an entry on an even pitch of 20 px, wrapped to a width, with bold words and code formatted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from memdesk.gui import look
from memdesk.gui.look import c

PITCH_PX = 20
LINES_AT_MOST = 12
"""Number of lines after which an entry ends with an ellipsis; the source shows all of it."""
MARK = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`|\[(?P<words>[^\]\n]+)\]\([^)\n]*\)")
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


def spoken(text: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
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


@lru_cache(maxsize=2048)
def wrapped(text: str, width: int, most: int = LINES_AT_MOST) -> Wrapped:
    """Return a text wrapped to a width in px, with at most so many lines. The result is shared: draw it,
    change no part of it."""
    plain, marks = spoken(text)
    layout = QTextLayout(plain.replace("\n", LINE_SEPARATOR), look.font(13))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_format(start, length, kind) for start, length, kind in marks])
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
    return Wrapped(layout, max(1, lines), more)


def _x(line: QTextLine, at: int) -> float:
    """Return the x where a letter of a line begins, in px."""
    place: Any = line.cursorToX(at)
    return float(place[0])


def _format(start: int, length: int, kind: str) -> QTextLayout.FormatRange:
    made = QTextCharFormat()
    if kind == "bold":
        made.setFontWeight(QFont.Weight.DemiBold)
    else:
        made.setFont(look.font(12, mono=True))
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, made
    return found


def _units(text: str) -> int:
    """Return the length of a text as Qt counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2
