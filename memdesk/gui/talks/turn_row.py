"""Painting of one turn for every list of turns: its number, its speaker, and the text with a fixed line
height."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.calendar.wrapping import LINES_AT_MOST, PITCH_PX, wrapped
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import author
from memdesk.gui.widgets.marks import Who
from memdesk.gui.widgets.paint import RIGHT, draw_text

NUMBER_PX, MARK_X, TEXT_X, ABOVE_PX = 32, 40, 64, 5
LEFT_PX = 8
"""Part of the margin that a long number uses."""
TOOLS = ("tool", "function")
WHOLE = 200
"""Limit of lines for a turn shown in full; a longer one is read in the inspector."""

Speaker = tuple[str, int, Who]
"""Name, shape and kind, as `author` paints them."""


def speaker_of(session: Session, role: str, speaker: str, agent_id: str | None) -> Speaker:
    """Return the speaker of a turn: a person, the conversation's agent, or a tool."""
    if role == "user":
        return speaker or tr("user"), 0, "person"
    if role in TOOLS:
        return speaker or tr("tool"), 0, "job"
    return session.mark(f"agent:{agent_id or speaker or role}")


def height(text: str, room: int, most: int = LINES_AT_MOST) -> int:
    """Return the height of a turn in px. room: px to the right edge of its text; most: limit of lines."""
    return wrapped(text, max(80, room - TEXT_X), most).height + 2 * ABOVE_PX


def paint_turn(
    painter: QPainter,
    at: QPointF,
    number: int,
    by: Speaker,
    text: str,
    room: int,
    token: str,
    most: int = LINES_AT_MOST,
) -> None:
    """Paint a turn from its top left corner. number: from 1; room: px to the right edge of the text; most:
    limit of lines."""
    top = at.y() + ABOVE_PX
    place = QRectF(at.x() - LEFT_PX, top, NUMBER_PX + LEFT_PX, PITCH_PX)
    face = look.font(12 if number < 1_000 else 11, tabular=True)
    draw_text(painter, place, f"{number:,}", face, c("t3"), RIGHT)
    author(painter, QRectF(at.x() + MARK_X, top + 2, 16, 16), *by)
    wrapped(text, max(80, room - TEXT_X), most).draw(painter, QPointF(at.x() + TEXT_X, top), token)


def ground_words(painter: QPainter, at: QPointF, text: str, room: int, sought: str) -> None:
    """Paint the background of the search matches in a turn; the turn is painted over it."""
    if sought and sought.casefold() in text.casefold():
        shown = wrapped(text, max(80, room - TEXT_X), WHOLE)
        for area in shown.places(sought):
            painter.fillRect(area.translated(at.x() + TEXT_X, at.y() + ABOVE_PX), c("warnbg"))
