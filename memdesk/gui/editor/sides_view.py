"""Side-by-side view of texts: rows as high as their longest side, with a background on differences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QTimer
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from memdesk.gui import look
from memdesk.gui.editor.grouped import Grouped
from memdesk.gui.editor.paper import PITCH_PX, TEXT_PX
from memdesk.gui.editor.sides import Cell, Gap, SideRow
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Ground, Piece, RowState, Text, column
from memdesk.gui.widgets.paint import draw_text

PAD_PX, INSET_PX, GAP_PX = 12, 8, 26
TITLES_PX = 24
GROUNDS = {"before": "badbg", "after": "okbg"}
TONES = {"before": "bad", "after": "ok"}


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
            said, self._paint, is_heading=lambda row: isinstance(row, Gap), height=self._high,
            name=tr("Side by side"), pad=0, hairlines=False,
        )  # fmt: skip

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
            words = " · ".join(
                part for part in (row.heading, tr("lines {numbers}", numbers=row.lines)) if part
            )
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
                painter.fillRect(ground, c(GROUNDS[kind]))
            painter.setPen(c(TONES[kind] if cell.changed else "t2"))
            _laid(cell.text, round(room), cell.pieces).draw(painter, QPointF(x, area.y()))


def said(row: SideRow) -> str:
    """Return a row as text for a screen reader."""
    if isinstance(row, Gap):
        return f"{row.heading} {row.lines}".strip()
    return " | ".join(cell.text if cell.text is not None else tr("no line") for cell in row.cells)


def _height(cell: Cell, room: int) -> int:
    return (
        PITCH_PX if cell.text is None else PITCH_PX * max(1, _laid(cell.text, room, cell.pieces).lineCount())
    )


@lru_cache(maxsize=2048)
def _laid(text: str, room: int, pieces: tuple[Piece, ...]) -> QTextLayout:
    """Return a line wrapped at the fixed line height, its changed words bold. The result is cached: draw it,
    never change it."""
    layout = QTextLayout(text, look.font(TEXT_PX, mono=True))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    formats, at = [], 0
    for piece in pieces:
        units = len(piece.text.encode("utf-16-le")) // 2
        if piece.change != "same":
            formats.append(_bold(at, units))
        at += units
    layout.setFormats(formats)
    layout.setCacheEnabled(True)
    layout.beginLayout()
    count = 0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(40, room))
        line.setPosition(QPointF(0, count * PITCH_PX + 14.5 - line.ascent()))
        count += 1
    layout.endLayout()
    return layout


def _bold(start: int, length: int) -> QTextLayout.FormatRange:
    made = QTextCharFormat()
    made.setFontWeight(QFont.Weight.DemiBold)
    made.setFontUnderline(True)
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, made
    return found
