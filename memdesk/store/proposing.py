"""Reads of the review queue: what waits for a person, and what was asked before."""

from __future__ import annotations

from memdesk.store.connection import Connection


def asked(db: Connection, type: str, subject_id: str, other_id: str | None) -> bool:
    """Whether this was ever proposed, either way round: nothing is decided twice."""
    return bool(
        db.value(
            "SELECT 1 FROM proposals WHERE type = ? AND retired_at IS NULL AND "
            "((subject_id = ? AND other_id IS ?) OR (other_id IS ? AND subject_id = ?))",
            (type, subject_id, other_id, subject_id, other_id),
        )
    )
