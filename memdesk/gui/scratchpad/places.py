"""Conversations and sessions that have working memory now, the last used first."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.scratchpad import words
from memdesk.gui.session import Session
from memdesk.gui.widgets import List, RowState, author
from memdesk.gui.widgets.paint import RIGHT, channel, draw_text
from memdesk.model.channel import LOCAL_USER
from memdesk.model.working import HeldPlace


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Row of a place, with an id that keeps it selected."""

    held: HeldPlace

    @property
    def id(self) -> str:
        return words.place_id(self.held)


class Places(List):
    """List with one place per row."""

    def __init__(self, session: Session) -> None:
        self._session = session
        super().__init__(said, self._paint, name=tr("Who holds working memory"))

    def _paint(self, painter: QPainter, area: QRectF, row: PlaceRow, state: RowState) -> None:
        held = row.held
        if held.agent_id:
            _, shape, who = self._session.mark(f"agent:{held.agent_id}")
            author(painter, QRectF(area.x(), area.y() + 9, 16, 16), held.agent_id, shape, who)
        top = QRectF(area.x() + 24, area.y() + 7, area.width() - 24, 20)
        face = look.font(11, tabular=True)
        when = draw_text(painter, top, times.ago(held.used_at), face, c("t3"), RIGHT)
        draw_text(painter, top.adjusted(0, 0, -when - 10, 0), words.place(held), look.font(13), c("t1"))
        low = QRectF(top.x(), area.y() + 30, top.width(), 16)
        much = draw_text(painter, low, _much(held), face, c("t3"), RIGHT)
        room = low.adjusted(0, 0, -much - 10, 0)
        if held.session_id is None:
            channel(painter, room, held.channel, self._session.channel_number(held.channel), c("t3"))
        else:
            draw_text(painter, room, _whose(held), look.font(12), c("t3"))


def said(row: PlaceRow) -> str:
    """Return a place as text for a screen reader."""
    held = row.held
    where = held.channel if held.session_id is None else _whose(held)
    return ", ".join(part for part in (words.place(held), held.agent_id or "", where, _much(held)) if part)


def _much(held: HeldPlace) -> str:
    many = tr("%Ln key(s)", "", held.keys)
    return tr("{keys}, {size}", keys=many, size=words.size(held.bytes))


def _whose(held: HeldPlace) -> str:
    return tr("scratchpad") if held.user_id == LOCAL_USER else tr("scratchpad of {user}", user=held.user_id)
