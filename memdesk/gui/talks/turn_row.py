"""One turn as every list of turns shows it: its number, who said it, and the words on an even pitch."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.calendar.wrapping import PITCH_PX, wrapped
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import author
from memdesk.gui.widgets.marks import Who
from memdesk.gui.widgets.paint import RIGHT, draw_text

NUMBER_PX, MARK_X, TEXT_X, ABOVE_PX = 32, 40, 64, 5
TOOLS = ("tool", "function")

Speaker = tuple[str, int, Who]
"""Name, shape and kind, as `author` paints them."""


def speaker_of(session: Session, role: str, speaker: str, agent_id: str | None) -> Speaker:
    """Who said a turn: a person, the conversation's agent, or a tool."""
    if role == "user":
        return speaker or tr("user"), 0, "person"
    if role in TOOLS:
        return speaker or tr("tool"), 0, "job"
    return session.mark(f"agent:{agent_id or speaker or role}")


def height(text: str, room: int) -> int:
    """Of a turn whose words have so many px to their right edge."""
    return wrapped(text, max(80, room - TEXT_X)).height + 2 * ABOVE_PX


def paint_turn(
    painter: QPainter, at: QPointF, number: int, by: Speaker, text: str, room: int, token: str
) -> None:
    """Paint a turn from its top left corner on. number: as a person counts; room: px to the words' right edge."""
    top = at.y() + ABOVE_PX
    place = QRectF(at.x(), top, NUMBER_PX, PITCH_PX)
    draw_text(painter, place, f"{number:,}", look.font(12, tabular=True), c("t3"), RIGHT)
    author(painter, QRectF(at.x() + MARK_X, top + 2, 16, 16), *by)
    wrapped(text, max(80, room - TEXT_X)).draw(painter, QPointF(at.x() + TEXT_X, top), token)
