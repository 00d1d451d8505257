"""Retries: the earlier answer to a caller's key, for verbs that would otherwise refuse to repeat an
operation."""

from __future__ import annotations

from memdesk.model.change import Edit
from memdesk.model.errors import Conflict
from memdesk.store.connection import Connection
from memdesk.store.journal import edits_of, made_under


def answered(
    db: Connection, user_id: str, author: str, key: str | None
) -> tuple[int, tuple[Edit, ...]] | None:
    """Return the change that an author made for a user under this key, and its edits; None if the key is new
    or None."""
    change = made_under(db, user_id, author, key)
    return None if change is None else (change, tuple(edits_of(db, change)))


def misused(change: int) -> Conflict:
    """Return the error for a key whose change was another call, or was undone."""
    return Conflict(
        f"This retry_key belongs to change {change}, which was another call or was taken back.",
        next="Use a new retry_key.",
    )
