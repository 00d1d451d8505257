"""Versions of files, stored by the hash of their text, compressed."""

from __future__ import annotations

import hashlib
import zlib

from memdesk.model.errors import NotFound, StorageFailed
from memdesk.store import gathering
from memdesk.store.connection import Connection


def hash_of(text: str) -> str:
    """Return the name of a version: BLAKE2b of its text, 32 hex digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def keep(db: Connection, text: str) -> str:
    """Store a version once; return its hash. Call inside a verb, on the writer's connection.

    A rehearsal, which runs on a reader's connection, stores none."""
    name = hash_of(text)
    if gathering.is_rehearsal():
        return name
    body = zlib.compress(text.encode("utf-8", "surrogatepass"), 6)
    db.run("INSERT OR IGNORE INTO versions (hash, body) VALUES (?, ?)", (name, body))
    return name


def text_of(db: Connection, content_hash: str) -> str:
    """Return the text of a stored version. Raises NotFound, or StorageFailed if it is damaged."""
    body = db.value("SELECT body FROM versions WHERE hash = ?", (content_hash,))
    if body is None:
        raise NotFound(f"There is no version {content_hash}.")
    if not holds(content_hash, body):
        raise StorageFailed(
            f"The text of version {content_hash[:8]} is damaged on the disk, and is not shown.",
            next="Run `memdesk verify` to see what else is, then restore a backup.",
        )
    return _text(body)


def holds(content_hash: str, body: bytes) -> bool:
    """Return True if a stored version matches its hash."""
    try:
        return hash_of(_text(body)) == content_hash
    except (zlib.error, UnicodeDecodeError):
        return False


def _text(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
