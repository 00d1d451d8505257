"""Retries: what a caller's key was answered with before, for verbs that would otherwise refuse to do a thing twice."""

from __future__ import annotations

from memdesk.store.connection import Connection
from memdesk.store.journal import edits_of


def answered(db: Connection, key: str | None) -> tuple[int, tuple[str, ...]] | None:
    """The change made under this key and the ids of what it moved, in order; None when the key is new or None."""
    change = None if key is None else db.value("SELECT id FROM changes WHERE key = ?", (key,))
    return None if change is None else (change, tuple(edit.id for edit in edits_of(db, change)))
