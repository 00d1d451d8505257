"""Reads of tags: the memories that have them, and their counts."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.model.tag import TAG, Tag
from memdesk.store.connection import Connection, marks
from memdesk.store.records import columns_of, many, read_all

TAGGED = "user_id = ? AND name IN ({}) AND retired_at IS NULL"
"""Condition for a user's current tags with one of several names."""


def tag_name(name: str) -> str:
    """Return a tag in its stored form: on one line, in lower case."""
    return " ".join(name.split()).lower()


def tagged(db: Connection, user_id: str, names: Sequence[str]) -> set[str]:
    """Return the ids of a user's records that have any of these tags, ignoring case."""
    rows = db.rows(
        f"SELECT record_id FROM tags WHERE {TAGGED.format(marks(names))}", (user_id, *map(tag_name, names))
    )
    return {row[0] for row in rows}


def tags_on(db: Connection, record_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of each of these records, sorted by name; records without one are left out."""
    found: dict[str, list[str]] = {}
    tags: list[Tag] = many(db, TAG, "record_id", record_ids)
    for tag in sorted(tags, key=lambda tag: tag.name):
        if tag.retired_at is None:
            found.setdefault(tag.record_id, []).append(tag.name)
    return {id: tuple(names) for id, names in found.items()}


def tag_counts(db: Connection, user_id: str, channels: Sequence[str]) -> list[tuple[str, int]]:
    """Return (name, number of memories with it) in these channels, empty for all; the most used first."""
    where, params = "user_id = ? AND retired_at IS NULL", [user_id]
    if channels:
        where += f" AND channel IN ({marks(channels)})"
        params.extend(channels)
    rows = db.rows(
        f"SELECT name, count(*) FROM tags WHERE {where} GROUP BY name ORDER BY count(*) DESC, name", params
    )
    return [(name, number) for name, number in rows]


def tags_named(db: Connection, user_id: str, name: str, limit: int) -> list[Tag]:
    """Return tags of a user with this name, oldest first."""
    columns = columns_of(TAG)
    rows = db.rows(
        f"SELECT {columns} FROM tags WHERE user_id = ? AND name = ? AND retired_at IS NULL ORDER BY seq LIMIT ?",
        (user_id, name, limit),
    )
    return read_all(db, TAG, rows)
