"""Pages by keyset as callers see them: a cursor that names the last row they saw, and the page after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from memdesk.model.errors import BadAsk
from memdesk.store.keyset import Place

Row = TypeVar("Row")
ROWS_AT_MOST = 1000
_CURSOR = re.compile(r"-?[0-9]{1,18}_[0-9]{1,18}")


def checked(limit: int) -> int:
    """A page's size. Raises BadAsk."""
    if not 1 <= limit <= ROWS_AT_MOST:
        raise BadAsk(f"limit lies between 1 and {ROWS_AT_MOST}.")
    return limit


def place_of(after: str) -> Place | None:
    """The place a cursor names, None for the beginning. Raises BadAsk for what no page handed out."""
    if not after:
        return None
    if _CURSOR.fullmatch(after) is None:
        raise BadAsk("`after` is the `next` of the page before, as it came.")
    order, _, seq = after.partition("_")
    return int(order), int(seq)


def cut(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], Row | None]:
    """(a page, its last row if more follow) of up to limit + 1 rows that were read."""
    return (rows[:limit], rows[limit - 1]) if len(rows) > limit else (rows, None)


def cursor(order: int, seq: int) -> str:
    """What asks for the page after a row: its time or place in order, and its search number."""
    return f"{order}_{seq}"
