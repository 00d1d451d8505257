"""Ids of records: a kind's letter and a ULID, so that ids sort by creation time and never collide between
desks."""

from __future__ import annotations

from ulid import ULID

from memdesk.model.instant import SECOND


def new_id(prefix: str, at: int) -> str:
    """Return an id such as `f_01J9ZQ…` for a record created at `at` (UTC microseconds)."""
    return f"{prefix}_{ULID.from_timestamp(at / SECOND)}"
