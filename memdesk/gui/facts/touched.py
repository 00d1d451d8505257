"""The table of a preview: each memory that an act would touch, what moves with it, or why it would be left."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons
from memdesk.gui.frame import times
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.paint import channel
from memdesk.gui.widgets.tips import plain
from memdesk.model.bulk import Touch

MANY = {"entity": "entities", "strategy": "strategies", "profile entry": "profile entries"}
"""Words whose plural takes more than an s."""


def columns(session: Session) -> tuple[Column[Touch], ...]:
    """Whether it will be, what it is, its channel, and what else."""
    return (
        Column(
            title="", text=lambda row: "left" if row.why_not else "will be", width=44, paint=_paint_mark,
            tip=lambda row: row.why_not,
        ),
        Column(
            title="What", text=lambda row: " ".join(row.title.split()), tip=lambda row: plain(row.title),
            token=lambda row: "t3" if row.why_not else "t1",
        ),
        Column(
            title="Channel", text=lambda row: row.channel, width=122,
            paint=lambda painter, area, row, _: _paint_channel(painter, area, row, session),
        ),
        Column(
            title="Touches", text=touches, width=320, token=lambda row: "warn" if row.why_not else "t2",
            tip=lambda row: plain(touches(row)),
        ),
    )  # fmt: skip


def touches(row: Touch) -> str:
    """Why it is left, or what moves with it: “2 relations, 1 tag · writes MEMORY.md”."""
    if row.why_not:
        return row.why_not
    also = ", ".join(
        times.plural(number, what, MANY.get(what, "")) for what, number in sorted(row.also.items())
    )
    files = f"writes {', '.join(row.files)}" if row.files else ""
    return " · ".join(part for part in (also, files) if part) or "itself alone"


def _paint_mark(painter: QPainter, area: QRectF, row: Touch, state: RowState) -> None:
    icon, token = ("minus", "warn") if row.why_not else ("check", "ok")
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), token)


def _paint_channel(painter: QPainter, area: QRectF, row: Touch, session: Session) -> None:
    if row.channel:
        channel(painter, area, row.channel, session.channel_number(row.channel))
