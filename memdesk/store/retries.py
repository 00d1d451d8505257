"""Retries: what a caller's key was answered with before, for verbs that would otherwise refuse to do a thing twice."""

from __future__ import annotations

from memdesk.model.change import Edit
from memdesk.model.errors import Conflict
from memdesk.store.connection import Connection
from memdesk.store.journal import edits_of, made_under


def answered(
    db: Connection, user_id: str, author: str, key: str | None
) -> tuple[int, tuple[Edit, ...]] | None:
    """The change that an author made for a user under this key, and its edits; None when the key is new or None."""
    change = made_under(db, user_id, author, key)
    return None if change is None else (change, tuple(edits_of(db, change)))


def misused(change: int) -> Conflict:
    """What is said of a key whose change was another call, or left nothing to answer with."""
    return Conflict(
        f"This retry_key belongs to change {change}, which was another call or was taken back.",
        next="Use a new retry_key.",
    )
