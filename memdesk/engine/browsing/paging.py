"""Keyset paging for callers: a cursor that names the last row they saw, and the page after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from memdesk.model.errors import BadAsk
from memdesk.model.instant import optional_instant
from memdesk.store import semantic
from memdesk.store.connection import Connection
from memdesk.store.keyset import Place, Walk

Row = TypeVar("Row")
ROWS_AT_MOST = 1000
_CURSOR = re.compile(r"-?[0-9]{1,18}_[0-9]{1,18}")


def checked(limit: int) -> int:
    """Return a valid page size. Raises BadAsk."""
    if not 1 <= limit <= ROWS_AT_MOST:
        raise BadAsk(f"limit lies between 1 and {ROWS_AT_MOST}.")
    return limit


class Paged(Protocol):
    """Fields that every request for a page of rows in time has."""

    @property
    def user_id(self) -> str: ...
    @property
    def channels(self) -> tuple[str, ...]: ...
    @property
    def since(self) -> datetime | None: ...
    @property
    def until(self) -> datetime | None: ...
    @property
    def after(self) -> str: ...
    @property
    def limit(self) -> int: ...


def next_page(db: Connection, ask: Paged) -> Walk:
    """Return the range to read for a page: one row more than asked, to know if another page follows. Raises
    BadAsk."""
    return Walk(
        user_id=ask.user_id, channels=semantic.channels_standing(db, ask.user_id, ask.channels),
        since=optional_instant(ask.since),
        until=optional_instant(ask.until), after=place_of(ask.after), limit=checked(ask.limit) + 1,
    )  # fmt: skip


def place_of(after: str) -> Place | None:
    """Return the position a cursor names, None for the beginning. Raises BadAsk for a malformed cursor."""
    if not after:
        return None
    if _CURSOR.fullmatch(after) is None:
        raise BadAsk("`after` is the `next` of the page before, as it came.")
    order, _, seq = after.partition("_")
    return int(order), int(seq)


def cut(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], Row | None]:
    """Return (a page, its last row if more follow) from up to limit + 1 rows read."""
    return (rows[:limit], rows[limit - 1]) if len(rows) > limit else (rows, None)


def cursor(order: int, seq: int) -> str:
    """Return the cursor for the page after a row, from the row's time or position in order and its search
    number."""
    return f"{order}_{seq}"
