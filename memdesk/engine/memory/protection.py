"""Protection from jobs: no job changes memory that a person pinned, wrote, corrected or restored."""

from __future__ import annotations

from collections.abc import Collection

from memdesk.store import records
from memdesk.store.connection import Connection
from memdesk.store.journal import moved_by_people

PERSON = "person:"


def protected(db: Connection, ids: Collection[str]) -> set[str]:
    """Return the ids of these records that no job may retire, replace, archive or delete.

    Pinned, or decided by a person in any change but an import: a person who imports a folder has not read
    every line."""
    pinned = {id for id, (_, record) in records.by_ids(db, ids).items() if getattr(record, "pinned", 0)}
    return pinned | moved_by_people(db, [id for id in ids if id not in pinned])


def shielded(db: Connection, ids: Collection[str], author: str) -> set[str]:
    """Return the ids of these records that this author may not supersede: none for a person."""
    return set() if author.startswith(PERSON) else protected(db, ids)
