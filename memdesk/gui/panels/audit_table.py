"""Columns of the audit timeline: their texts and painting."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.frame import times
from memdesk.gui.inspectors import operations
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowState, author
from memdesk.gui.widgets.paint import LEFT, channel, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.history import EventRow

LAYER, TOOK = 2, 6
"""Indexes of the columns that a narrow panel omits."""
LAYERS = {
    "episodic": marked("Episodic"),
    "semantic": marked("Semantic"),
    "procedural": marked("Procedural"),
    "working": marked("Working"),
    "identity": marked("Identity"),
    "workspace": marked("Workspace"),
    "audit": marked("Audit"),
}
WHO = {"person": marked("person"), "job": marked("job"), "agent": marked("agent")}


def columns(session: Session) -> tuple[Column[EventRow], ...]:
    """Return the columns: time, operation, layer, title, channel, author, duration, undo."""
    return (
        Column(
            title=tr("Time"),
            text=lambda row: times.second(row.at),
            width=146,
            tip=lambda row: times.full(row.at),
        ),
        Column(
            title=tr("Operation"), text=lambda row: operations.word(row.op), width=86, paint=paint_operation
        ),
        Column(title=tr("Layer"), text=lambda row: layer(row.layer), width=82),
        Column(
            title=tr("What"),
            text=what,
            token=lambda row: "t3" if row.undone_by else "t1",
            strike=lambda row: row.undone_by is not None,
            tip=lambda row: plain(row.title),
        ),
        Column(
            title=tr("Channel"),
            text=lambda row: row.channel,
            width=116,
            paint=lambda painter, area, row, state: paint_channel(painter, area, row, session),
            tip=lambda row: plain(row.channel),
        ),
        Column(
            title=tr("By"),
            text=lambda row: row.author.partition(":")[2],
            width=56,
            paint=lambda painter, area, row, state: paint_author(painter, area, row, session),
            tip=lambda row: plain(by(row.author)),
        ),
        Column(title=tr("Took"), text=took, width=64, numeric=True),
        Column(
            title="",
            text=undo_word,
            width=74,
            align="right",
            token=lambda row: "acc" if undoable(row) else "t3",
            tip=undo_tip,
            pressable=undoable,
        ),
    )


def what(row: EventRow) -> str:
    """Return the subject of an event, on one line."""
    return operations.subject(row.op, row.title).replace("\n", " ")


def layer(name: str) -> str:
    """Return the name of a memory layer for a column."""
    return tr(LAYERS[name]) if name in LAYERS else name.capitalize()


def who(kind: str) -> str:
    """Return the name of an author type: person, job or agent."""
    return tr(WHO[kind]) if kind in WHO else kind


def by(author: str) -> str:
    """Return an author as “agent Iris”."""
    kind, _, name = author.partition(":")
    return f"{who(kind)} {name}"


def took(row: EventRow) -> str:
    """Return an event's duration as “14 ms” or “0.6 ms”."""
    ms = row.took_us / 1000
    return f"{ms:,.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def undoable(row: EventRow) -> bool:
    """Return True if the change can be undone now."""
    return row.undoable and row.undone_by is None


def undo_word(row: EventRow) -> str:
    """Return the text of the last column: Undo, undone, or empty."""
    if row.undone_by is not None:
        return tr("undone")
    return tr("Undo") if row.undoable else ""


def undo_tip(row: EventRow) -> str:
    """Return the tool tip of the last column."""
    if row.undone_by is not None:
        return tr("Taken back by change #{number}", number=row.undone_by)
    return tr("Take this change back") if row.undoable else ""


def paint_operation(painter: QPainter, area: QRectF, row: EventRow, state: RowState) -> None:
    """Paint icon and name of the operation."""
    icon, tone = operations.picture(row.op)
    icons.paint(painter, icon, QPointF(area.x() - 1, round(area.center().y() - 8)), tone)
    words = area.adjusted(19, 0, 8, 0)
    draw_text(painter, words, operations.word(row.op), look.font(12), c("t1"), LEFT)


def paint_channel(painter: QPainter, area: QRectF, row: EventRow, session: Session) -> None:
    """Paint the channel's square and name."""
    channel(painter, area, row.channel, session.channel_number(row.channel))


def paint_author(painter: QPainter, area: QRectF, row: EventRow, session: Session) -> None:
    """Paint the author's mark."""
    name, shape, who = session.mark(row.author)
    author(painter, QRectF(area.x(), round(area.center().y() - 8), 16, 16), name, shape, who)
