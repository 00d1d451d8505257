"""Preview table: each memory that an action would change, what moves with it, or why it is left unchanged."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.paint import channel
from memdesk.gui.widgets.tips import plain
from memdesk.model.bulk import Touch

ALSO = {
    "other name": marked("%Ln other name(s)"), "profile entry": marked("%Ln profile entr(y|ies)"),
    "outcome": marked("%Ln outcome(s)"), "tool call": marked("%Ln tool call(s)"), "entity": marked("%Ln entit(y|ies)"),
    "fact": marked("%Ln fact(s)"), "goal": marked("%Ln goal(s)"), "proposal": marked("%Ln question(s)"),
    "relation": marked("%Ln relation(s)"), "strategy": marked("%Ln strateg(y|ies)"), "tag": marked("%Ln tag(s)"),
}  # fmt: skip
"""Counted names of the records that move with a memory."""


def columns(session: Session) -> tuple[Column[Touch], ...]:
    """Return the columns: outcome, title, channel, and further effects."""
    return (
        Column(
            title="", text=lambda row: tr("left") if row.why_not else tr("will be"), width=44, paint=_paint_mark,
            tip=lambda row: row.why_not,
        ),
        Column(
            title=tr("What"), text=lambda row: " ".join(row.title.split()), tip=lambda row: plain(row.title),
            token=lambda row: "t3" if row.why_not else "t1",
        ),
        Column(
            title=tr("Channel"), text=lambda row: row.channel, width=122,
            paint=lambda painter, area, row, _: _paint_channel(painter, area, row, session),
        ),
        Column(
            title=tr("Touches"), text=touches, width=320, token=lambda row: "warn" if row.why_not else "t2",
            tip=lambda row: plain(touches(row)),
        ),
    )  # fmt: skip


def touches(row: Touch) -> str:
    """Return why a memory is left unchanged, or what moves with it: “2 relations, 1 tag · writes MEMORY.md”."""
    if row.why_not:
        return row.why_not
    also = ", ".join(
        tr(ALSO[what], "", number) if what in ALSO else f"{number:,} {what}"
        for what, number in sorted(row.also.items())
    )
    files = tr("writes {files}", files=", ".join(row.files)) if row.files else ""
    return " · ".join(part for part in (also, files) if part) or tr("itself alone")


def _paint_mark(painter: QPainter, area: QRectF, row: Touch, state: RowState) -> None:
    icon, token = ("minus", "warn") if row.why_not else ("check", "ok")
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), token)


def _paint_channel(painter: QPainter, area: QRectF, row: Touch, session: Session) -> None:
    if row.channel:
        channel(painter, area, row.channel, session.channel_number(row.channel))
