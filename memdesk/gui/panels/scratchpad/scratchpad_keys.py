"""Keys of a place: their content, size and time left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent

from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Column, RowsModel, Table, delayed
from memdesk.gui.widgets.columns import Index
from memdesk.gui.widgets.text import tip_text
from memdesk.model.working import CHECKPOINT, FACTS, HINTS, PENDING, RESULTS, HeldKey, HeldPlace

SORTS = {
    "turns": (marked("Turns"), "conversations"),
    "thoughts": (marked("Thoughts"), "info"),
    "goal": (marked("Active goal"), "goals"),
    "value": (marked("Context value"), "facts"),
    "note": (marked("Note"), "file"),
}
"""Label and icon of each sort of key."""
RESERVED = {
    FACTS: marked("lines that were learned in this session, each once"),
    PENDING: marked("reports of sub-agents that nobody has read yet"),
    HINTS[0]: marked("where the tools of the session work"),
    HINTS[1]: marked("where the tools of the session work"),
}
EDITABLE = ("value", "note")


def sort(row: HeldKey) -> str:
    """Return the label of a key's sort."""
    return tr(SORTS[row.sort][0]) if row.sort in SORTS else row.sort


def icon(row: HeldKey) -> str:
    """Return the icon of a key."""
    return "lock" if row.reserved else SORTS.get(row.sort, ("", "facts"))[1]


def name(row: HeldKey) -> str:
    """Return the name of a value or note, otherwise the label of its sort."""
    return row.name or sort(row)


def meaning(row: HeldKey) -> str:
    """Return the meaning of a reserved key for the runtime; empty for any other key."""
    if not row.reserved:
        return ""
    if row.name.startswith(CHECKPOINT):
        return tr("Reserved: a checkpoint of a thread, from which its program goes on.")
    if row.name.startswith(RESULTS):
        return tr("Reserved: what a sub-agent or a delegate found.")
    return tr("Reserved: {meaning}.", meaning=tr(RESERVED[row.name]))


def holds(row: HeldKey) -> str:
    """Return the beginning of a key's content; for turns and thoughts also their number."""
    if row.items is None:
        return row.begins
    many = tr("%Ln turn(s)", "", row.items) if row.sort == "turns" else tr("%Ln thought(s)", "", row.items)
    return tr("{many}, the latest: {begins}", many=many, begins=row.begins) if row.begins else many


def place(held: HeldPlace) -> str:
    """Return the name of a place: the title of its conversation or session, or an id."""
    title = " ".join(held.title.split())
    if held.session_id is not None:
        return title or tr("Session {id}", id=held.session_id)
    if held.conversation_id is not None:
        return title or tr("Conversation {id}", id=held.conversation_id)
    return tr("No conversation")


def place_id(held: HeldPlace) -> str:
    """Return the id of a place for comparison."""
    return "\n".join((held.user_id, held.channel, held.conversation_id or "", held.session_id or ""))


BY_THE_SECOND = 10 * formatting.MINUTE
"""Time left in seconds below which seconds are shown."""
SOON = 0.1
"""Share of the lifetime below which a key is shown as close to its end."""
AT_LEAST_MS, AT_MOST_MS = 50, 3_600_000


def seconds_left(row: HeldKey, now: datetime) -> float | None:
    """Return the seconds until a key expires if it is not used before; None if it does not expire."""
    return None if row.expires_at is None else max(0.0, (row.expires_at - now).total_seconds())


def words(row: HeldKey, now: datetime) -> str:
    """Return the time left: “4:05”, “42 min”, “3 h”, “6 d”, or “stays”."""
    left = seconds_left(row, now)
    if left is None:
        return tr("stays")
    if left < BY_THE_SECOND:
        return f"{int(left) // 60}:{int(left) % 60:02d}"
    return formatting.span(left)


def spoken(row: HeldKey, now: datetime) -> str:
    """Return the time left for a screen reader, which would read “4:05” as a time of day."""
    left = seconds_left(row, now)
    return (
        tr("stays until it is forgotten") if left is None else tr("{time} left", time=formatting.span(left))
    )


def share_left(row: HeldKey, now: datetime) -> float | None:
    """Return the share of its lifetime that a key has left, 0 to 1; None if it does not expire."""
    left = seconds_left(row, now)
    return None if left is None or not row.ttl_seconds else min(1.0, left / row.ttl_seconds)


def next_change_ms(rows: tuple[HeldKey, ...], now: datetime) -> int | None:
    """Return the ms until the text of one of these rows changes next; None if no row expires.

    Seconds are shown only near the end, so for keys with hours left the timer wakes once a minute or an hour.
    """
    waits = [_wait(left) for row in rows if (left := seconds_left(row, now)) is not None]
    return max(AT_LEAST_MS, min(AT_MOST_MS, round(1000 * min(waits)) + 1)) if waits else None


def _wait(left: float) -> float:
    unit = (
        1
        if left < BY_THE_SECOND
        else next(size for size in (formatting.DAY, formatting.HOUR, formatting.MINUTE) if left >= size)
    )
    return left % unit


LEFT_COLUMN, BAR_PX = 3, 44


class KeysModel(RowsModel[HeldKey]):
    """Rows with a countdown; a screen reader gets the time in words."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell, with the accessible text of the time left."""
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid() and index.column() == LEFT_COLUMN:
            row = self.row(index.row())
            return None if row is None else spoken(row, now())
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
        super().__init__(self.keys_model, name=tr("Keys of working memory"), id_of=attrgetter("key"))
        self._tick = delayed(self._ticked, self)

    def listed(self) -> tuple[HeldKey, ...]:
        """Return all keys, in order."""
        return self.keys_model.rows()

    def replace_rows(self, rows: Sequence[Any], choose: str = "", *, or_first: bool = True) -> Any:
        """Replace the keys, and continue the countdown."""
        chosen = super().replace_rows(rows, choose, or_first=or_first)
        self._wait()
        return chosen

    def _wait(self) -> None:
        wait = next_change_ms(self.listed(), now()) if self.isVisible() else None
        if wait is None:
            self._tick.stop()
        else:
            self._tick.start(wait)

    def _ticked(self) -> None:
        self.keys_model.tick()
        if any(seconds_left(key, now()) == 0 for key in self.listed()):
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


def columns() -> tuple[Column[HeldKey], ...]:
    """Return the columns: key, content, size, time left and last use."""
    return (
        Column(
            tr("Key"),
            name,
            width=200,
            icon=lambda row: (icon(row), "t3"),
            mono=lambda row: bool(row.name),
            px=lambda row: 12 if row.name else 13,
            weight=lambda row: 400 if row.name else 500,
            token="t1",
            tip=lambda row: tip_text("\n".join(filter(None, (row.key, meaning(row))))),
        ),
        Column(tr("Holds"), holds),
        Column(tr("Size"), lambda row: formatting.size(row.bytes), width=74, numeric=True, hidden_below=520),
        Column(
            tr("Time left"),
            lambda row: words(row, now()),
            width=128,
            numeric=True,
            bar=_bar,
            bar_px=BAR_PX,
            weight=lambda row: 600 if _is_near(row) else 400,
            token=lambda row: "t3" if row.expires_at is None else "warn" if _is_near(row) else "t1",
            tip=lambda row: formatting.full(row.expires_at) if row.expires_at else "",
        ),
        Column(
            tr("Used"),
            lambda row: formatting.ago(row.used_at),
            width=104,
            hidden_below=700,
            tip=lambda row: formatting.full(row.used_at),
        ),
    )


def _is_near(row: HeldKey) -> bool:
    share = share_left(row, now())
    return share is not None and share < SOON


def _bar(row: HeldKey) -> tuple[float, str] | None:
    share = share_left(row, now())
    return None if share is None else (share, "warn" if _is_near(row) else "acc")
