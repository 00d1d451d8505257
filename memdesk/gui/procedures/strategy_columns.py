"""Columns and sort order of the table of strategies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.procedures import success
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column
from memdesk.gui.widgets.paint import channel
from memdesk.gui.widgets.tips import plain
from memdesk.model.procedures import StrategyRow

ARROW = " → "


def columns(session: Session) -> tuple[Column[StrategyRow], ...]:
    """Return the columns: description, success, tools, last use and channel."""
    return (
        Column(
            title=tr("Strategy"), text=lambda row: row.description, px=13, sort="description",
            token=lambda row: "t3" if row.retired_at else "t1", italic=lambda row: row.retired_at is not None,
            tip=lambda row: plain(row.description),
        ),
        Column(
            title=tr("Worked"), text=lambda row: success.words(row.success_rate, tried(row)), width=168, sort="success",
            paint=lambda painter, area, row, _: success.paint(painter, area, row.success_rate, tried(row)),
        ),
        Column(title=tr("Tools"), text=sequence, width=200, hidden_below=700, tip=lambda row: plain(sequence(row))),
        Column(
            title=tr("Last used"), text=lambda row: times.ago(row.last_used) if row.last_used else tr("never"),
            width=104, hidden_below=560, sort="used",
            tip=lambda row: times.full(row.last_used) if row.last_used else "",
        ),
        Column(
            title=tr("Channel"), text=lambda row: row.channel, width=124, hidden_below=820,
            paint=lambda painter, area, row, _: _paint_channel(painter, area, row, session),
        ),
    )  # fmt: skip


def tried(row: StrategyRow) -> int:
    """Return the number of uses with a known outcome."""
    return row.success_count + row.failure_count


def sequence(row: StrategyRow) -> str:
    """Return the tools in order."""
    return ARROW.join(row.tool_sequence)


def ordered(rows: Sequence[StrategyRow], by: str, *, descending: bool) -> list[StrategyRow]:
    """Return the rows in an order; rows without a value come last in both directions."""
    match by:
        case "success":
            known = [row for row in rows if row.success_rate is not None]
            # Of two that always worked, the one that was tried more often says more.
            known.sort(key=lambda row: (row.success_rate or 0.0, tried(row)), reverse=descending)
            return [*known, *(row for row in rows if row.success_rate is None)]
        case "used":
            known = [row for row in rows if row.last_used is not None]
            known.sort(key=lambda row: row.last_used or row.created_at, reverse=descending)
            return [*known, *(row for row in rows if row.last_used is None)]
        case _:
            return sorted(rows, key=lambda row: row.description.casefold(), reverse=descending)


def _paint_channel(painter: QPainter, area: QRectF, row: StrategyRow, session: Session) -> None:
    channel(painter, area, row.channel, session.channel_number(row.channel))
