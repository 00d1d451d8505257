"""List of folders: name, layout, agent, channel, number of files, and availability."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import List, RowState, author
from memdesk.gui.widgets.paint import RIGHT, channel, draw_text
from memdesk.model.workspace import WorkspaceRow


class Listing(List):
    """List with one folder per row. shape_of: returns the shape of an agent's mark; number_of: a channel's
    number."""

    def __init__(self, shape_of: Callable[[str], int], number_of: Callable[[str], int]) -> None:
        self._shape_of, self._number_of = shape_of, number_of
        super().__init__(said, self._paint, name=tr("Folders"))

    def _paint(self, painter: QPainter, area: QRectF, row: WorkspaceRow, state: RowState) -> None:
        spot = QRectF(area.x(), area.y() + 9, 16, 16)
        if not row.present:
            icons.paint(painter, "warning", QPointF(spot.x(), spot.y()), "warn")
        elif row.agent_id:
            author(painter, spot, row.agent_id, self._shape_of(row.agent_id), "agent")
        else:
            icons.paint(painter, "file", QPointF(spot.x(), spot.y()), "t3")
        top = QRectF(area.x() + 24, area.y() + 7, area.width() - 24, 20)
        face = look.font(11, tabular=True)
        layout = draw_text(painter, top, row.layout, face, c("t3"), RIGHT)
        ink = c("t1" if row.present else "t3")
        name = row.name if row.present else tr("{name} (away)", name=row.name)
        draw_text(painter, top.adjusted(0, 0, -layout - 10, 0), name, look.font(13), ink)
        low = QRectF(top.x(), area.y() + 30, top.width(), 16)
        many = draw_text(painter, low, tr("%Ln file(s)", "", row.files), face, c("t3"), RIGHT)
        channel(
            painter, low.adjusted(0, 0, -many - 10, 0), row.channel, self._number_of(row.channel), c("t3")
        )


def said(row: WorkspaceRow) -> str:
    """Return a row as text for a screen reader."""
    many = tr("%Ln file(s)", "", row.files)
    parts = [row.name, row.layout, row.agent_id or tr("no agent"), row.channel, many]
    return ", ".join([*parts, *([] if row.present else [tr("the folder is away")])])
