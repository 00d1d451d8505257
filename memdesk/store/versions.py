"""Every version of every file, kept by the hash of its text, compressed."""

from __future__ import annotations

import hashlib
import zlib

from memdesk.model.errors import NotFound, StorageFailed
from memdesk.store import gathering
from memdesk.store.connection import Connection


def hash_of(text: str) -> str:
    """The name of a version: BLAKE2b of its text, 32 hex digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def keep(db: Connection, text: str) -> str:
    """Keep a version, once; returns its hash. To be called inside a verb, on the writer's connection.

    A rehearsal, which has a reader's, keeps none.
    """
    name = hash_of(text)
    if gathering.is_rehearsal():
        return name
    body = zlib.compress(text.encode("utf-8", "surrogatepass"), 6)
    db.run("INSERT OR IGNORE INTO versions (hash, body) VALUES (?, ?)", (name, body))
    return name


def text_of(db: Connection, content_hash: str) -> str:
    """The text of a kept version. Raises NotFound, or StorageFailed when it is damaged."""
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
    """Tell whether a kept version is the text that its name is the hash of."""
    try:
        return hash_of(_text(body)) == content_hash
    except (zlib.error, UnicodeDecodeError):
        return False


def _text(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
