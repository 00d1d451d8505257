"""Working memory in the database: JSON under keys, each with a time to live. Never journalled, and limited in
size.

All writes run on the writer thread, in the transaction of the calling verb. Times are UTC microseconds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from memdesk.model.channel import GLOBAL
from memdesk.model.instant import SECOND
from memdesk.store.connection import Connection, Row
from memdesk.store.guarding import guarded_text

_COLUMNS = "key, value, bytes, created_at, touched_at, expires_at"
_ALIVE = "(expires_at IS NULL OR expires_at > ?)"
_CLAIMS = "consolidation:"
"""Beginning of the keys of claims and notes of jobs. They are small and never evicted: without its lock a job could run
twice."""
_LAST = "\U0010ffff"
EVICTED_AT_ONCE = 64
FRESH = 0.01
"""Share of a key's lifetime after a use for which it counts as just used, so that not every use is written."""
FOREVER_FRESH_S = 60
"""The same for a key that never expires, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Owner of a key. Stored with the key, so that a user's or a session's keys are found without reading
    them."""

    user_id: str = ""
    channel: str = GLOBAL
    conversation_id: str | None = None
    session_id: str | None = None


NOBODY = Place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Unexpired key. expires_at: None for one that stays until it is deleted."""

    key: str
    value: Any
    bytes: int
    created_at: int
    touched_at: int
    expires_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Size of working memory: keys and bytes now; keys expired and evicted since the desk was created; and
    the latest use."""

    keys: int
    bytes: int
    expired: int
    evicted: int
    touched_at: int | None


def watch(db: Connection, moved: Callable[[], None]) -> None:
    """Call `moved` whenever this connection writes, uses or deletes a key that is not a job's."""
    db.watch("working", moved, unless=_CLAIMS)


def put(
    db: Connection,
    key: str,
    value: Any,
    *,
    at: int,
    ttl_s: float | None,
    place: Place = NOBODY,
    lasting: bool = False,
) -> Kept:
    """Store a JSON value under a key for `ttl_s` seconds, None for ever; an existing value is replaced.

    lasting: it is never evicted, and not part of the size."""
    return _put(db, key, _text(value), at, ttl_s, place, lasting=lasting)


def push(
    db: Connection,
    key: str,
    items: Sequence[Any],
    *,
    most: int,
    most_bytes: int,
    at: int,
    ttl_s: float | None,
    place: Place = NOBODY,
) -> Kept:
    """Put items (oldest first) before those of a stored list, newest first. The oldest beyond `most` items or
    bytes are dropped."""
    known = get(db, key, at=at)
    held = [*reversed(items), *([] if known is None else known.value)][:most]
    text = guarded_text(db.guard, _text(held))
    if len(text) * 4 > most_bytes:
        text = _cut(held, most_bytes)
        held = json.loads(text)
    if known is None or is_stale(known, at) or known.expires_at != _end(known.touched_at, ttl_s):
        return _put(db, key, text, at, ttl_s, place)
    db.send("UPDATE working SET value = ?, bytes = ? WHERE key = ?", (text, _size(key, text), key))
    return replace(known, value=held, bytes=_size(key, text))


def get(db: Connection, key: str, *, at: int) -> Kept | None:
    """Return the value of a key, None if it does not exist or has expired."""
    row = db.row(f"SELECT {_COLUMNS} FROM working WHERE key = ?", (key,))
    has_expired = row is not None and row[-1] is not None and row[-1] <= at
    return None if row is None or has_expired else _kept(row)


def entries_under(db: Connection, prefix: str, *, at: int, lasting: bool = True) -> list[Kept]:
    """Return all unexpired keys with this prefix, in the order of the keys; with or without those that last."""
    source = "working" if lasting else "working INDEXED BY working_brief"
    which = "" if lasting else "NOT lasting AND "
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM {source} WHERE {which}key >= ? AND key < ? AND {_ALIVE} ORDER BY key",
        (prefix, prefix + _LAST, at),
    )
    return [_kept(row) for row in rows]


def is_stale(kept: Kept, at: int) -> bool:
    """Return True if a use of this key at this time should be written; a use shortly after the last one is
    not.

    The order of eviction changes only by written uses."""
    if kept.expires_at is None:
        return at - kept.touched_at >= FOREVER_FRESH_S * SECOND
    return at - kept.touched_at >= FRESH * (kept.expires_at - kept.touched_at)


def touch(db: Connection, keys: Sequence[str], *, at: int) -> None:
    """Restart the lifetime of these keys from now, with the length it had at their last use."""
    db.run_many(
        "UPDATE working SET expires_at = ? + expires_at - touched_at, touched_at = ? WHERE key = ? AND touched_at < ? "
        f"AND {_ALIVE}",
        [(at, at, key, at, at) for key in keys],
    )


def set_lifetime(db: Connection, key: str, *, at: int, ttl_s: float) -> None:
    """Set a key's lifetime to `ttl_s` seconds from now, and as long again after each use."""
    db.run("UPDATE working SET expires_at = ?, touched_at = ? WHERE key = ?", (_end(at, ttl_s), at, key))


def delete(db: Connection, key: str) -> bool:
    """Delete a key; return True if it existed."""
    return db.run("DELETE FROM working WHERE key = ?", (key,)) > 0


def clear(db: Connection, prefix: str) -> int:
    """Delete every key with this prefix; return how many there were."""
    return db.run("DELETE FROM working WHERE key >= ? AND key < ?", (prefix, prefix + _LAST))


def rename(db: Connection, was: str, now: str, *, channel: str) -> None:
    """Move every key with the prefix `was` to the prefix `now` and to this channel; keys that exist there
    stay unchanged."""
    db.run(
        "UPDATE working SET key = ?1 || substr(key, ?2), channel = ?3, bytes = bytes + ?4 "
        "WHERE key >= ?5 AND key < ?6 "
        "AND NOT EXISTS (SELECT 1 FROM working AS there WHERE there.key = ?1 || substr(working.key, ?2))",
        (now, len(was) + 1, channel, len(now.encode()) - len(was.encode()), was, was + _LAST),
    )
    clear(db, was)


def claim(db: Connection, key: str, *, at: int, ttl_s: float, holder: str = "") -> bool:
    """Take a free key atomically; return True if `holder` has it now.

    A claim ends with `release`, or automatically after `ttl_s` seconds, in case its holder dies. The present
    holder may claim it again, which renews its lifetime."""
    held = get(db, key, at=at)
    if held is not None and (not holder or held.value != holder):
        return False
    put(db, key, holder, at=at, ttl_s=ttl_s)
    return True


def release(db: Connection, key: str, *, holder: str = "") -> bool:
    """Release a claim; return False if it had expired and is now free or another holder's."""
    return db.run("DELETE FROM working WHERE key = ? AND value = ?", (key, _text(holder))) > 0


def sweep(db: Connection, *, at: int) -> int:
    """Delete expired keys; return how many there were."""
    gone = db.run("DELETE FROM working WHERE expires_at <= ?", (at,))
    if gone:
        db.run("UPDATE working_size SET expired = expired + ?", (gone,))
    return gone


def evict(db: Connection, *, most_bytes: int) -> int:
    """Delete the least recently used keys until at most `most_bytes` are used; return how many keys were
    deleted."""
    with db.as_owner():
        return _evict(db, most_bytes)


def _evict(db: Connection, most_bytes: int) -> int:
    gone = 0
    while (over := bytes_used(db) - most_bytes) > 0:
        oldest = _oldest(db, over)
        if not oldest:
            break
        db.run_many("DELETE FROM working WHERE key = ?", [(key,) for key in oldest])
        gone += len(oldest)
    if gone:
        db.run("UPDATE working_size SET evicted = evicted + ?", (gone,))
    return gone


def next_end(db: Connection) -> int | None:
    """Return when the next key expires; None if none will."""
    end: int | None = db.value("SELECT min(expires_at) FROM working WHERE expires_at IS NOT NULL")
    return end


def bytes_used(db: Connection) -> int:
    """Return the bytes of all keys that may be evicted, from a stored counter."""
    return int(db.value("SELECT bytes FROM working_size") or 0)


def size(db: Connection) -> Size:
    """Return the size of working memory, from stored counters in constant time."""
    row = db.row("SELECT keys, bytes, expired, evicted FROM working_size")
    keys, bytes_, expired, evicted = row or (0, 0, 0, 0)
    latest: int | None = db.value("SELECT max(touched_at) FROM working")
    return Size(keys=keys, bytes=bytes_, expired=expired, evicted=evicted, touched_at=latest)


def places(db: Connection, *, at: int, limit: int) -> list[tuple[Place, int, int, int]]:
    """Return (place, keys, bytes, last use) of everyone with working memory now, the last used first, without
    jobs' keys."""
    rows = db.rows(
        "SELECT user_id, channel, conversation_id, session_id, count(*), sum(bytes), max(touched_at) FROM working "
        f"WHERE {_ALIVE} AND key NOT GLOB ? GROUP BY 1, 2, 3, 4 ORDER BY 7 DESC LIMIT ?",
        (at, f"{_CLAIMS}*", limit),
    )
    return [
        (Place(user_id=user, channel=channel, conversation_id=talk, session_id=session), *counts)
        for user, channel, talk, session, *counts in rows
    ]


def _oldest(db: Connection, over: int) -> list[str]:
    """Return the least recently used keys that make room for `over` bytes, at most EVICTED_AT_ONCE."""
    keys = []
    for key, held in db.rows(
        "SELECT key, bytes FROM working WHERE NOT lasting AND key NOT GLOB ? ORDER BY touched_at LIMIT ?",
        (f"{_CLAIMS}*", EVICTED_AT_ONCE),
    ):
        if over <= 0:
            break
        keys.append(key)
        over -= held
    return keys


def _put(
    db: Connection, key: str, text: str, at: int, ttl_s: float | None, place: Place, *, lasting: bool = False
) -> Kept:
    text = guarded_text(db.guard, text)
    row = db.row(
        "INSERT INTO working (key, user_id, channel, conversation_id, session_id, value, bytes, created_at, "
        "touched_at, expires_at, lasting) VALUES (?,?,?,?,?,?,?,?,?,?,?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value, "
        "created_at = iif(working.expires_at <= excluded.touched_at, excluded.created_at, working.created_at), "
        "bytes = excluded.bytes, touched_at = excluded.touched_at, expires_at = excluded.expires_at "
        f"RETURNING {_COLUMNS}",
        (
            key,
            place.user_id,
            place.channel,
            place.conversation_id,
            place.session_id,
            text,
            _size(key, text),
            at,
            at,
            _end(at, ttl_s),
            int(lasting),
        ),
    )
    assert row is not None
    return _kept(row)


def _cut(items: Sequence[Any], most_bytes: int) -> str:
    """Return the first items of a list that fit, as JSON."""
    texts = [_text(item) for item in items]
    ends = accumulate(len(text.encode()) + 1 for text in texts)
    return f"[{','.join(text for text, end in zip(texts, ends, strict=True) if end <= most_bytes)}]"


def _size(key: str, text: str) -> int:
    return len(key.encode()) + len(text.encode())


def _end(at: int, ttl_s: float | None) -> int | None:
    return None if ttl_s is None else at + round(ttl_s * SECOND)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _kept(row: Row) -> Kept:
    key, value, size, created_at, touched_at, expires_at = row
    return Kept(
        key=key,
        value=json.loads(value),
        bytes=size,
        created_at=created_at,
        touched_at=touched_at,
        expires_at=expires_at,
    )
