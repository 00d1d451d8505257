"""Side-by-side view of texts: rows as high as their longest side, with a background on differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QTimer
from PySide6.QtGui import QFont, QPainter, QTextBlock, QTextCharFormat, QTextCursor, QTextLayout

from memdesk.gui import look
from memdesk.gui.editor.text_compare import Cell, Comparison, Gap, Hunk, Row, SideRow
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Ground, Piece, RowState, Text, column
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import draw_text
from memdesk.gui.widgets.paper import PITCH_PX, TEXT_PX, Paper, fixed_height_format, lay_lines
from memdesk.model.hidden import revealed

Detail = Literal["lines", "words"]
DIFF_GROUNDS = {"removed": "badbg", "added": "okbg"}
DIFF_TONES = {"removed": "bad", "added": "ok", "same": "t2"}
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
        shape = fixed_height_format()
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
            yield DIFF_GROUNDS.get(row.change, ""), _by_lines(row)
        elif row.change == "removed":
            yield "", [("~ ", _words("t3")), *_by_words(row.pieces)]


def _by_lines(row: Row) -> list[tuple[str, QTextCharFormat]]:
    sign = (SIGNS[row.change], _words(DIFF_TONES[row.change]))
    if not row.pieces:
        return [sign, (row.text, _words(DIFF_TONES[row.change]))]
    shown = [piece for piece in row.pieces if piece.change in ("same", row.change)]
    return [sign] + [
        (piece.text, _words(DIFF_TONES[row.change], marked=piece.change != "same")) for piece in shown
    ]


def _by_words(pieces: tuple[Piece, ...]) -> Iterator[tuple[str, QTextCharFormat]]:
    last = ""
    for piece in pieces:
        if (last, piece.change) == ("removed", "added"):
            # Between a word struck out and the one in its place the eye needs a gap.
            yield THIN_SPACE, _words("t2")
        made = _words(DIFF_TONES[piece.change], ground=DIFF_GROUNDS.get(piece.change, ""))
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


PAD_PX, INSET_PX, GAP_PX = 12, 8, 26
TITLES_PX = 24
SIDE_GROUNDS = {"before": "badbg", "after": "okbg"}
SIDE_TONES = {"before": "bad", "after": "ok"}


class SidesView(Ground):
    """Two or three texts under their titles. Read only."""

    def __init__(self) -> None:
        self._titles = [Text("", 11, "t3", elide=True) for _ in range(3)]
        self.rows = SideRows()
        self._head = Ground("stage", "bottom", height=TITLES_PX)
        for title in self._titles:
            title.setParent(self._head)
        super().__init__("stage", layout=column(self._head, self.rows, gap=0))
        self.rows.installEventFilter(self)

    def show_sides(self, titles: Sequence[str], rows: Sequence[SideRow]) -> None:
        """Show texts; scroll to the beginning if the titles changed. titles: one per side."""
        same = [title.text() for title in self._titles[: self.rows.sides]] == list(titles)
        self.rows.sides = len(titles)
        for place, title in enumerate(self._titles):
            title.setVisible(place < len(titles))
            title.setText(titles[place] if place < len(titles) else "")
        self.rows.set_rows(rows)
        if not same:
            self.rows.scrollToTop()
        self._place_titles()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the titles above their sides after a resize."""
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._place_titles)
        return False

    def _place_titles(self) -> None:
        for place, title in enumerate(self._titles[: self.rows.sides]):
            x, wide = self.rows.side(place, self.rows.viewport().width())
            title.setGeometry(round(x), 0, round(wide), TITLES_PX - 1)


class SideRows(Grouped):
    """Rows under the titles."""

    def __init__(self) -> None:
        self.sides = 2
        super().__init__(
            accessible_text, self._paint, self._high, name=tr("Side by side"), headings=Gap, pad=0
        )

    def side(self, place: int, wide: int) -> tuple[float, float]:
        """Return the left edge and the width available for the text of a side, in px."""
        each = (wide - 2 * PAD_PX) / self.sides
        return PAD_PX + place * each + INSET_PX, each - 2 * INSET_PX

    def _high(self, row: SideRow, wide: int) -> int:
        if isinstance(row, Gap):
            return GAP_PX
        _, room = self.side(0, wide)
        return max(_height(cell, round(room)) for cell in row.cells)

    def _paint(self, painter: QPainter, area: QRectF, row: SideRow, state: RowState) -> None:
        wide = self.viewport().width()
        if isinstance(row, Gap):
            lines = _left_out(row) or tr("lines {numbers}", numbers=row.lines)
            words = " · ".join(part for part in (row.heading, lines) if part)
            line = QRectF(PAD_PX + INSET_PX, area.y() + 4, wide - 2 * PAD_PX, area.height() - 4)
            draw_text(painter, line, words, look.font(11), c("t3"))
            return
        for place, cell in enumerate(row.cells):
            x, room = self.side(place, wide)
            kind = "before" if self.sides == 2 and place == 0 else "after"
            ground = QRectF(x - INSET_PX, area.y(), room + INSET_PX, area.height())
            if cell.text is None:
                painter.fillRect(ground, c("panel"))
                continue
            if cell.changed:
                painter.fillRect(ground, c(SIDE_GROUNDS[kind]))
            painter.setPen(c(SIDE_TONES[kind] if cell.changed else "t2"))
            _wrapped_layout(cell.text, round(room), cell.pieces).draw(painter, QPointF(x, area.y()))


def accessible_text(row: SideRow) -> str:
    """Return a row as text for a screen reader."""
    if isinstance(row, Gap):
        return _left_out(row) or f"{row.heading} {row.lines}".strip()
    return " | ".join(cell.text if cell.text is not None else tr("no line") for cell in row.cells)


def _left_out(row: Gap) -> str:
    return tr("%Ln more line(s) differ", "", row.left_out) if row.left_out else ""


def _height(cell: Cell, room: int) -> int:
    return (
        PITCH_PX
        if cell.text is None
        else PITCH_PX * max(1, _wrapped_layout(cell.text, room, cell.pieces).lineCount())
    )


@lru_cache(maxsize=2048)
def _wrapped_layout(text: str, room: int, pieces: tuple[Piece, ...]) -> QTextLayout:
    """Return a line wrapped at the fixed line height, its changed words bold. The result is cached: draw it,
    never change it."""
    layout = QTextLayout(revealed(text), look.font(TEXT_PX, mono=True))
    formats, at = [], 0
    for piece in pieces:
        units = len(revealed(piece.text).encode("utf-16-le")) // 2
        if piece.change != "same":
            formats.append(_bold(at, units))
        at += units
    layout.setFormats(formats)
    lay_lines(layout, max(40, room))
    return layout


def _bold(start: int, length: int) -> QTextLayout.FormatRange:
    made = QTextCharFormat()
    made.setFontWeight(QFont.Weight.Bold)
    made.setFontUnderline(True)
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, made
    return found
