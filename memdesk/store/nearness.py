"""The nearest memories of one scope by the sign bits of their vectors.

sqlite-vec 0.1.9 has no SIMD: its own scan of 100,000 vectors of 256 bits takes 8 ms. In a large scope numpy counts in a
third of a millisecond what was read once from vec0's own pages, and reads them anew when the scope's version has moved
in the reader's snapshot. Where a sqlite-vec keeps its pages otherwise, vec0 is asked instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from memdesk.store.connection import Connection, marks
from memdesk.store.indexing import place_of
from memdesk.store.scopes import Held

SMALL = 4_096
"""In a scope with fewer vectors vec0 itself is as fast."""
_PAGES = frozenset(("chunk_id", "size", "partition00", "validity", "rowids"))


def nearest(db: Connection, bits: bytes, scopes: Sequence[str], limit: int) -> list[int]:
    """Search numbers of the `limit` memories of each scope whose sign bits differ least. Needs sqlite-vec."""
    found: list[int] = []
    room = _room(db, scopes)
    for scope in scopes if room is None else room:
        if room is not None and room[scope] >= SMALL:
            found += _counted(_read(db, scope), np.frombuffer(bits, np.uint64), limit)
        else:
            rows = db.rows(
                "SELECT seq FROM vectors WHERE bits MATCH vec_bit(?) AND k = ? AND scope = ?",
                (bits, limit, scope),
            )
            found += [row[0] for row in rows]
    return found


def _counted(held: Held, bits: npt.NDArray[np.uint64], limit: int) -> list[int]:
    apart = np.zeros(len(held.seqs), np.uint16)
    for words, word in zip(held.words, bits, strict=True):
        apart += np.bitwise_count(words ^ word)
    # Few distances are possible: counting them finds the limit's faster than sorting would.
    within = int(np.searchsorted(np.cumsum(np.bincount(apart, minlength=1)), limit))
    near = np.flatnonzero(apart <= within)
    seqs = held.seqs[near]
    found: list[int] = seqs[np.lexsort((seqs, apart[near]))][:limit].tolist()
    return found


def _read(db: Connection, scope: str) -> Held:
    """A scope as this reader sees it."""
    version = db.value(
        "SELECT version FROM scopes WHERE (user_id, channel, kind) = (?, ?, ?)", place_of(scope)
    )
    held = None if version is None else db.scopes.at(scope, version)
    if held is None:
        held = _from_pages(db, scope, version or 0)
        if version is not None:
            db.scopes.keep(scope, held)
    return held


def _from_pages(db: Connection, scope: str, version: int) -> Held:
    rows = db.rows(
        "SELECT validity, rowids, vectors FROM vectors_chunks JOIN vectors_vector_chunks00 "
        "ON vectors_vector_chunks00.rowid = chunk_id WHERE partition00 = ?",
        (scope,),
    )
    there = np.frombuffer(b"".join(row[0] for row in rows), np.uint8)
    valid = np.unpackbits(there, bitorder="little").astype(bool)
    vectors = np.frombuffer(b"".join(row[2] for row in rows), np.uint64).reshape(len(valid), -1)
    seqs = np.frombuffer(b"".join(row[1] for row in rows), np.int64)
    return Held(version=version, words=np.ascontiguousarray(vectors[valid].T), seqs=seqs[valid])


def _room(db: Connection, scopes: Sequence[str]) -> Mapping[str, int] | None:
    """For how many vectors each scope has room, those without any left out; None where vec0's pages are others."""
    if not _readable(db):
        return None
    rows = db.rows(
        "SELECT partition00, sum(size) FROM vectors_chunks "
        f"WHERE partition00 IN ({marks(scopes)}) GROUP BY partition00",
        tuple(scopes),
    )
    return dict(rows)


def _readable(db: Connection) -> bool:
    """Whether vec0 keeps its pages as this module reads them."""
    columns = {row[1] for row in db.rows("PRAGMA table_info(vectors_chunks)")}
    inner = {row[1] for row in db.rows("PRAGMA table_info(vectors_vector_chunks00)")}
    return columns >= _PAGES and {"rowid", "vectors"} <= inner
