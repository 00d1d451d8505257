"""Keys of a place: their content, size and time left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QShowEvent

from memdesk.gui import icons, look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.scratchpad import left, words
from memdesk.gui.widgets import Column, RowsModel, RowState, Table, paint_bar
from memdesk.gui.widgets.columns import Index
from memdesk.gui.widgets.paint import RIGHT, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.working import HeldKey

LEFT_COLUMN, BAR_PX = 3, 44
Clock = Callable[[], datetime]


class KeyRow:
    """Row of a key, identified by its full name."""

    def __init__(self, key: HeldKey) -> None:
        self.key = key

    @property
    def id(self) -> str:
        return self.key.key


class KeysModel(RowsModel[KeyRow]):
    """Rows with a countdown; a screen reader gets the time in words."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell, with the accessible text of the time left."""
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid() and index.column() == LEFT_COLUMN:
            row = self.row(index.row())
            return None if row is None else left.spoken(row.key, now())
        return super().data(index, role)

    def tick(self) -> None:
        """Repaint the time left in every row."""
        if self.rowCount():
            last = self.index(self.rowCount() - 1, LEFT_COLUMN)
            self.dataChanged.emit(self.index(0, LEFT_COLUMN), last)


class Keys(Table):
    """Table of keys. The signal `expired` reports that a key has expired, so the rows must be read again.

    The countdown runs only while the table is visible, and only as often as the text of a row changes."""

    expired = Signal()

    def __init__(self) -> None:
        self.keys_model = KeysModel(columns())
        super().__init__(self.keys_model, name=tr("Keys of working memory"))
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.timeout.connect(self._ticked)

    def listed(self) -> tuple[HeldKey, ...]:
        """Return all keys, in order."""
        return tuple(row.key for row in self.keys_model.rows())

    def set_keys(self, keys: Sequence[HeldKey]) -> None:
        """Replace the keys."""
        self.keys_model.set_rows([KeyRow(key) for key in keys])
        self._wait()

    def _wait(self) -> None:
        wait = left.next_change_ms(self.listed(), now()) if self.isVisible() else None
        if wait is None:
            self._tick.stop()
        else:
            self._tick.start(wait)

    def _ticked(self) -> None:
        self.keys_model.tick()
        if any(left.seconds_left(key, now()) == 0 for key in self.listed()):
            self.expired.emit()
        else:
            self._wait()

    @property
    def counts(self) -> bool:
        """Return True if the countdown timer is active."""
        return self._tick.isActive()

    def showEvent(self, event: QShowEvent) -> None:
        """Continue the countdown."""
        super().showEvent(event)
        self.keys_model.tick()
        self._wait()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the countdown."""
        super().hideEvent(event)
        self._tick.stop()


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def columns() -> tuple[Column[KeyRow], ...]:
    """Return the columns: key, content, size, time left and last use."""
    return (
        Column(
            title=tr("Key"), text=lambda row: words.name(row.key), width=200, paint=_paint_name,
            tip=lambda row: plain("\n".join(filter(None, (row.key.key, words.meaning(row.key))))),
        ),
        Column(
            title=tr("Holds"), text=lambda row: words.holds(row.key), tip=lambda row: plain(words.holds(row.key))
        ),
        Column(title=tr("Size"), text=lambda row: words.size(row.key.bytes), width=74, numeric=True),
        Column(
            title=tr("Time left"), text=lambda row: left.words(row.key, now()), width=128, paint=_paint_left,
            align="right", tip=lambda row: times.full(row.key.expires_at) if row.key.expires_at else "",
        ),
        Column(
            title=tr("Used"), text=lambda row: times.ago(row.key.used_at), width=104,
            tip=lambda row: times.full(row.key.used_at),
        ),
    )  # fmt: skip


def _paint_name(painter: QPainter, area: QRectF, row: KeyRow, state: RowState) -> None:
    key = row.key
    icons.paint(painter, words.icon(key), QPointF(area.x(), round(area.center().y() - 8)), "t3")
    face = look.font(12, mono=True) if key.name else look.font(13, 500)
    draw_text(painter, area.adjusted(24, 0, 0, 0), words.name(key), face, c("t1"))


def _paint_left(painter: QPainter, area: QRectF, row: KeyRow, state: RowState) -> None:
    share = left.share(row.key, now())
    near = share is not None and share < left.SOON
    text = left.words(row.key, now())
    face = look.font(12, 600 if near else 400, tabular=True)
    draw_text(painter, area, text, face, c("t3" if share is None else "warn" if near else "t1"), RIGHT)
    if share is not None:
        bar = QRectF(area.x() + 6, area.y(), BAR_PX, area.height())
        paint_bar(painter, bar, share, "warn" if near else "acc")
