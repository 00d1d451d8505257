"""View of the difference between two texts: removed and added lines, or each changed line with its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor

from memdesk.gui import look
from memdesk.gui.editor.compare import Comparison, Hunk, Row
from memdesk.gui.editor.paper import TEXT_PX, Paper, pitched
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Piece

Detail = Literal["lines", "words"]
GROUNDS = {"removed": "badbg", "added": "okbg"}
TONES = {"removed": "bad", "added": "ok", "same": "t2"}
THIN_SPACE = "\u2009"
SIGNS = {"removed": "− ", "added": "+ ", "same": "  "}


class DiffView(Paper):
    """Read-only view of a difference; its text can be selected and copied."""

    def __init__(self) -> None:
        super().__init__(tr("Difference"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setViewportMargins(0, 4, 0, 4)
        self._comparison, self._detail = Comparison(), "lines"
        self._bands: list[str] = []

    def show_comparison(self, comparison: Comparison, detail: Detail) -> None:
        """Show a difference, scrolled to its beginning."""
        self._comparison, self._detail = comparison, detail
        self._write()
        self.verticalScrollBar().setValue(0)

    def retheme(self) -> None:
        """Write the difference again in the new colours."""
        super().retheme()
        if hasattr(self, "_bands"):
            self._write()

    def band(self, block: QTextBlock) -> str:
        """Return the background of a line: red for a removed line, green for an added one."""
        return self._bands[block.blockNumber()] if block.blockNumber() < len(self._bands) else ""

    def _write(self) -> None:
        self.clear()
        self._bands = []
        cursor = QTextCursor(self.document())
        # One edit, or Qt would lay the page out again after every line.
        cursor.beginEditBlock()
        for place, hunk in enumerate(self._comparison.hunks):
            self._line(cursor, "", [(_where(hunk), _words("t3", sans=True))], above=6 if place else 0)
            for band, pieces in _lines(hunk, self._detail == "words"):
                self._line(cursor, band, pieces)
        if self._comparison.left_out:
            more = tr("%Ln more line(s) differ", "", self._comparison.left_out)
            self._line(cursor, "", [(more, _words("t3", sans=True))], above=6)
        cursor.endEditBlock()

    def _line(
        self, cursor: QTextCursor, band: str, pieces: list[tuple[str, QTextCharFormat]], above: int = 0
    ) -> None:
        shape = pitched()
        shape.setTopMargin(above)
        shape.setLeftMargin(12)
        if self._bands:
            cursor.insertBlock(shape)
        else:
            cursor.setBlockFormat(shape)
        self._bands.append(band)
        for text, format in pieces:
            cursor.insertText(text, format)


def _where(hunk: Hunk) -> str:
    lines = (
        tr("line {number}", number=hunk.first)
        if hunk.first == hunk.last
        else tr("lines {first} to {last}", first=hunk.first, last=hunk.last)
    )
    return f"{hunk.heading}, {lines}" if hunk.heading else lines[:1].upper() + lines[1:]


def _lines(hunk: Hunk, by_words: bool) -> Iterator[tuple[str, list[tuple[str, QTextCharFormat]]]]:
    """Yield the rows of a hunk as (background, words). With by_words, a changed line appears once, with both
    versions in it."""
    for row in hunk.rows:
        if not by_words or not row.pieces:
            yield GROUNDS.get(row.change, ""), _by_lines(row)
        elif row.change == "removed":
            yield "", [("~ ", _words("t3")), *_by_words(row.pieces)]


def _by_lines(row: Row) -> list[tuple[str, QTextCharFormat]]:
    sign = (SIGNS[row.change], _words(TONES[row.change]))
    if not row.pieces:
        return [sign, (row.text, _words(TONES[row.change]))]
    shown = [piece for piece in row.pieces if piece.change in ("same", row.change)]
    return [sign] + [
        (piece.text, _words(TONES[row.change], marked=piece.change != "same")) for piece in shown
    ]


def _by_words(pieces: tuple[Piece, ...]) -> Iterator[tuple[str, QTextCharFormat]]:
    last = ""
    for piece in pieces:
        if (last, piece.change) == ("removed", "added"):
            # Between a word struck out and the one in its place the eye needs a gap.
            yield THIN_SPACE, _words("t2")
        made = _words(TONES[piece.change], ground=GROUNDS.get(piece.change, ""))
        made.setFontStrikeOut(piece.change == "removed")
        yield piece.text, made
        last = piece.change


def _words(token: str, *, ground: str = "", marked: bool = False, sans: bool = False) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setFont(look.font(11) if sans else look.font(TEXT_PX, 600 if marked else 400, mono=True))
    made.setForeground(c(token))
    made.setFontUnderline(marked)
    if ground:
        made.setBackground(c(ground))
    return made
