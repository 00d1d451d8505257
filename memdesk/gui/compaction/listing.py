"""List of compactions: conversation, time, sizes, facts kept and statements lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.compaction.coverage import alarm
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import List, RowState, author
from memdesk.gui.widgets.paint import RIGHT, box, draw_text
from memdesk.model.context import CompactionRow

BAR_PX, BAR_HIGH = 52, 4


class Listing(List):
    """List with one compaction per row, newest first. shape_of: returns the shape of an agent's mark."""

    def __init__(self, shape_of: Callable[[str], int]) -> None:
        self._shape_of = shape_of
        super().__init__(said, self._paint, name=tr("Compactions"))

    def _paint(self, painter: QPainter, area: QRectF, row: CompactionRow, state: RowState) -> None:
        past = row.restored
        ink = "t3" if past else "t1"
        if row.agent_id:
            mark = QRectF(area.x(), area.y() + 9, 16, 16)
            author(painter, mark, row.agent_id, self._shape_of(row.agent_id), "agent")
        top = QRectF(area.x() + 24, area.y() + 7, area.width() - 24, 20)
        when = draw_text(painter, top, times.minute(row.at), look.font(11, tabular=True), c("t3"), RIGHT)
        title = tr("{title} (taken back)", title=title_of(row)) if past else title_of(row)
        draw_text(painter, top.adjusted(0, 0, -when - 10, 0), title, look.font(13, italic=past), c(ink))
        _paint_figures(painter, QRectF(top.x(), area.y() + 30, top.width(), 16), row)


def title_of(row: CompactionRow) -> str:
    """Return the title of the conversation, or a placeholder if it has none."""
    return " ".join(row.title.split()) or tr("Conversation without a title")


def kept(row: CompactionRow) -> str:
    """Return the count of kept facts: “7 kept”."""
    return tr("{number} kept", number=f"{row.facts:,}")


def lost(row: CompactionRow) -> str:
    """Return the count of lost statements: “2 lost”."""
    return tr("{number} lost", number=f"{row.lost:,}")


def said(row: CompactionRow) -> str:
    """Return a row as text for a screen reader."""
    sizes = tr("{before} to {after} tokens", before=f"{row.tokens_before:,}", after=f"{row.tokens_after:,}")
    parts = [title_of(row), row.agent_id or tr("no agent"), times.minute(row.at), sizes, kept(row), lost(row)]
    parts += [tr("taken back")] * row.restored
    return f"{', '.join(parts)}. {alarm(row)}".strip()


def _paint_figures(painter: QPainter, line: QRectF, row: CompactionRow) -> None:
    share = row.tokens_after / row.tokens_before if row.tokens_before else 1.0
    y = round(line.center().y() - BAR_HIGH / 2)
    box(painter, QRectF(line.x(), y, BAR_PX, BAR_HIGH), 2, c("line2"))
    box(painter, QRectF(line.x(), y, max(2, round(BAR_PX * min(1.0, share))), BAR_HIGH), 2, c("acc"))
    face = look.font(11, tabular=True)
    size = f"{short(row.tokens_before)} → {short(row.tokens_after)}"
    x = line.x() + BAR_PX + 8
    x += draw_text(painter, QRectF(x, line.y(), line.right() - x, line.height()), size, face, c("t2")) + 12
    draw_text(painter, QRectF(x, line.y(), line.right() - x, line.height()), kept(row), face, c("t3"))
    wrong = "bad" if row.lost or alarm(row) else "t3"
    taken = draw_text(painter, line, lost(row), face, c(wrong), RIGHT)
    if alarm(row):
        at = QPointF(line.right() - taken - 18, line.y() + 1)
        icons.paint(painter, "warning", at, "bad", 14)


def short(tokens: int) -> str:
    """Return a short token count: “732”, “66.4k”, “1.2M”."""
    for size, letter in ((1_000_000, "M"), (10_000, "k")):
        if tokens >= size:
            return f"{tokens / (1_000 if letter == 'k' else size):.1f}{letter}"
    return f"{tokens:,}"
