"""Table of a folder's files: state and reason, layer, length and size."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.transfer import sizes
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.paint import LEFT, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.gui.workspaces import words
from memdesk.model.folders import FolderFile

NEAR = 0.85
"""Share of its budget from which a file counts as nearly full."""


def columns() -> tuple[Column[FolderFile], ...]:
    """Return the columns: state, path, layer, characters against the budget, size on disk and last change."""
    return (
        Column(title=tr("State"), text=words.state, width=120, paint=_paint_state, tip=_tip),
        Column(title=tr("File"), text=lambda row: row.path, token="t1", mono=True, tip=_tip),
        Column(title=tr("Layer"), text=lambda row: words.layer(row.layer), width=100),
        Column(
            title=tr("Characters"), text=_characters, width=150, numeric=True, token=_fullness,
            tip=lambda row: tr("What its layout has room for") if row.budget else "",
        ),
        Column(
            title=tr("On disk"), text=lambda row: sizes.size(row.size_bytes) if row.size_bytes else "", width=80,
            numeric=True,
        ),
        Column(
            title=tr("Changed"), text=lambda row: times.ago(row.updated_at) if row.updated_at else "", width=110,
            align="right", token="t3", tip=lambda row: times.full(row.updated_at) if row.updated_at else "",
        ),
    )  # fmt: skip


def _paint_state(painter: QPainter, area: QRectF, row: FolderFile, state: RowState) -> None:
    icon, tone, _ = words.STATES[row.state]
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), tone)
    draw_text(painter, area.adjusted(22, 0, 0, 0), words.state(row), look.font(12), c("t2"), LEFT)


def _tip(row: FolderFile) -> str:
    return plain("\n".join(filter(None, (row.path, words.why(row.why)))))


def _characters(row: FolderFile) -> str:
    if row.document_id is None:
        return ""
    return f"{row.size:,} / {row.budget:,}" if row.budget else times.count(row.size)


def _fullness(row: FolderFile) -> str:
    if not row.budget or row.size < NEAR * row.budget:
        return "t2"
    return "bad" if row.size > row.budget else "warn"
