"""List of conversations: title, start, agent, channel and number of turns."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import List, RowState, author
from memdesk.gui.widgets.paint import RIGHT, channel, draw_text
from memdesk.model.timeline import ConversationRow


class Listing(List):
    """List with one conversation per row. shape_of: returns the shape of an agent's mark; number_of: a
    channel's number."""

    def __init__(self, shape_of: Callable[[str], int], number_of: Callable[[str], int]) -> None:
        self._shape_of, self._number_of = shape_of, number_of
        super().__init__(said, self._paint, name=tr("Conversations"))

    def _paint(self, painter: QPainter, area: QRectF, row: ConversationRow, state: RowState) -> None:
        past = row.archived_at is not None
        if row.agent_id:
            mark = QRectF(area.x(), area.y() + 9, 16, 16)
            author(painter, mark, row.agent_id, self._shape_of(row.agent_id), "agent")
        top = QRectF(area.x() + 24, area.y() + 7, area.width() - 24, 20)
        face = look.font(11, tabular=True)
        when = draw_text(painter, top, times.minute(row.started_at), face, c("t3"), RIGHT)
        title = tr("{title} (archived)", title=title_of(row)) if past else title_of(row)
        ink = c("t3" if past else "t1")
        draw_text(painter, top.adjusted(0, 0, -when - 10, 0), title, look.font(13, italic=past), ink)
        low = QRectF(top.x(), area.y() + 30, top.width(), 16)
        many = draw_text(painter, low, tr("%Ln turn(s)", "", row.turns), face, c("t3"), RIGHT)
        channel(
            painter, low.adjusted(0, 0, -many - 10, 0), row.channel, self._number_of(row.channel), c("t3")
        )


def title_of(row: ConversationRow) -> str:
    """Return the title, or a placeholder if there is none."""
    return " ".join(row.title.split()) or tr("Conversation without a title")


def said(row: ConversationRow) -> str:
    """Return a row as text for a screen reader."""
    many = tr("%Ln turn(s)", "", row.turns)
    parts = [title_of(row), row.agent_id or tr("no agent"), row.channel, times.minute(row.started_at), many]
    return ", ".join([*parts, *([tr("archived")] if row.archived_at else [])])
