"""Syntax colours for markdown source: headings, bold words, comments, code and links; no text is hidden."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from memdesk.gui.look import c, themed

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
                made.setFontWeight(QFont.Weight.DemiBold)
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
