"""Hashes of the tokens of a desk in a database: a table beside its memory, which no copy and no archive takes along."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.store.connection import Connection


def prepare(db: Connection) -> None:
    """Make the table if it is missing."""
    db.run("CREATE TABLE IF NOT EXISTS access_tokens (hash TEXT PRIMARY KEY, body TEXT NOT NULL)")


def find(db: Connection, hash: str) -> str | None:
    """Return the JSON of the token with a hash, None if there is none."""
    found: str | None = db.value("SELECT body FROM access_tokens WHERE hash = ?", (hash,))
    return found


def all_rows(db: Connection) -> list[str]:
    """Return the JSON of every token."""
    return [body for (body,) in db.rows("SELECT body FROM access_tokens")]


def change(db: Connection, made: Sequence[tuple[str, str]], gone: Sequence[str]) -> None:
    """Add tokens, each as its hash and its JSON, and remove those with these hashes."""
    db.run_many("DELETE FROM access_tokens WHERE hash = ?", [(hash,) for hash in gone])
    db.run_many("INSERT INTO access_tokens VALUES (?, ?)", made)
