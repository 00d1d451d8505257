"""List of a file's versions, newest first, with the unsaved text above them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.editor.authors import Author
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import List, RowState, author
from memdesk.gui.widgets.paint import RIGHT, draw_text, text_width

ROW_PX = 28
MARK_PX = 16
MOVED_PX = 62
WHEN_FROM_PX = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """Row of the list. id: the change that made the version, 0 for the unsaved text. at: None for now.

    is_base: other versions are compared with this one. beside: a conflicting text that was kept but never
    became the file."""

    id: int
    content_hash: str
    label: str
    author: Author
    at: datetime | None
    added: int
    removed: int
    is_base: bool = False
    beside: bool = False

    @property
    def name(self) -> str:
        """Return the author's name, with notes about a conflict and a comparison."""
        known = [tr("clashed, kept beside")] * self.beside + [tr("compared")] * self.is_base
        return ", ".join([self.author.name, *known])


def moved(added: int, removed: int) -> str:
    """Return the changed lines in short form: “+3”, “−2”, “+1 −1”; empty if there are none."""
    return " ".join(
        part for part in (f"+{added:,}" if added else "", f"−{removed:,}" if removed else "") if part
    )


def when(at: datetime | None) -> str:
    """Return a time in short form: “now”, “today 08:52”, “yesterday 21:10”, “18 Nov 19:02”."""
    if at is None:
        return tr("now")
    days = {date.today(): tr("today"), date.today() - timedelta(days=1): tr("yesterday")}
    day = days.get(times.local(at).date())
    return f"{day} {times.clock(at)}" if day else times.minute(at)


def said(row: VersionRow) -> str:
    """Return a row as text for a screen reader."""
    parts = (row.label, row.name, when(row.at), moved(row.added, row.removed))
    return ", ".join(part for part in parts if part)


class VersionsList(List):
    """List of selectable versions. Enter or a double click restores one."""

    def __init__(self) -> None:
        super().__init__(said, _paint, name=tr("Versions"), token="stage", row_px=ROW_PX, hairlines=False)


def _paint(painter: QPainter, area: QRectF, row: VersionRow, state: RowState) -> None:
    label = draw_text(painter, area, row.label, look.font(12, 600), c("t1"))
    mark = QRectF(area.x() + max(30, label + 10), round(area.center().y() - MARK_PX / 2), MARK_PX, MARK_PX)
    author(painter, mark, row.author.name, row.author.shape, row.author.who)
    face = look.font(12, tabular=True)
    lines = moved(row.added, row.removed)
    wide = max(MOVED_PX, text_width(lines, face))
    right = QRectF(area.right() - wide, area.y(), wide, area.height())
    draw_text(painter, right, lines, face, c("t2"), RIGHT)
    at = when(row.at) if area.width() >= WHEN_FROM_PX else ""
    wide = text_width(at, face) if at else 0
    draw_text(painter, QRectF(right.x() - 8 - wide, area.y(), wide, area.height()), at, face, c("t3"), RIGHT)
    name = QRectF(mark.right() + 6, area.y(), right.x() - 20 - wide - mark.right(), area.height())
    draw_text(
        painter,
        name,
        row.name,
        look.font(12),
        c("t2"),
    )
