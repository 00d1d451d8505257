"""Finding memories by words, by vectors and by neighbourhood. Every read is scoped to one user and to channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memdesk.store.connection import Connection, marks
from memdesk.store.indexing import scope_of
from memdesk.store.records import chunks

Vector = npt.NDArray[np.float32]
NEAREST = 64
"""Candidates taken by sign bits from each scope, then scored exactly. vec0 slows steeply beyond a hundred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory, in which channels, of which kinds (turn, fact, entity, alias, passage)."""

    user_id: str
    channels: tuple[str, ...]
    kinds: tuple[str, ...]


def channels_of(db: Connection, user_id: str) -> tuple[str, ...]:
    """Every channel of a user, `_global` first, then in the order they were made."""
    rows = db.rows(
        "SELECT name FROM channels WHERE user_id = ? AND retired_at IS NULL ORDER BY number, seq", (user_id,)
    )
    return tuple(row[0] for row in rows)


def by_words(db: Connection, match: str, scope: Scope, limit: int) -> list[tuple[int, float]]:
    """(seq, BM25) of memories matching an FTS5 expression, best first. BM25 is positive; larger is better."""
    if not match:
        return []
    rows = db.rows(
        "SELECT words.rowid, -bm25(words) FROM words JOIN searchable ON searchable.seq = words.rowid "
        f"WHERE words MATCH ? AND user_id = ? AND channel IN ({marks(scope.channels)}) "
        f"AND kind IN ({marks(scope.kinds)}) ORDER BY bm25(words) LIMIT ?",
        (match, scope.user_id, *scope.channels, *scope.kinds, limit),
    )
    return [(seq, score) for seq, score in rows]


def by_vector(db: Connection, vector: Vector, scope: Scope, model: str) -> list[tuple[int, float]]:
    """(seq, cosine) of the nearest memories in each scope, best first. Empty without sqlite-vec."""
    if not db.vectors:
        return []
    bits = np.packbits(vector > 0, bitorder="little").tobytes()
    near: list[int] = []
    for channel in scope.channels:
        for kind in scope.kinds:
            rows = db.rows(
                "SELECT seq FROM vectors WHERE bits MATCH vec_bit(?) AND k = ? AND scope = ?",
                (bits, NEAREST, scope_of(scope.user_id, channel, kind)),
            )
            near.extend(row[0] for row in rows)
    return sorted(cosines(db, vector, near, model).items(), key=lambda item: (-item[1], item[0]))


def cosines(db: Connection, vector: Vector, seqs: Sequence[int], model: str) -> dict[int, float]:
    """Exact cosine of these memories with a unit vector; those without a vector are left out."""
    found: dict[int, float] = {}
    for chunk in chunks(seqs):
        rows = db.rows(
            "SELECT seq, vector FROM searchable JOIN embeddings ON hash = text_hash AND model = ? "
            f"WHERE seq IN ({marks(chunk)})",
            (model, *chunk),
        )
        if rows:
            stacked = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
            found.update(zip((row[0] for row in rows), (stacked @ vector).tolist(), strict=True))
    return found


def turns_around(db: Connection, places: Sequence[tuple[str, int]], reach: int) -> dict[tuple[str, int], int]:
    """Search numbers of the turns within `reach` of these (conversation_id, turn_index) places, by place."""
    found: dict[tuple[str, int], int] = {}
    wanted = sorted({(c, i + step) for c, i in places for step in range(-reach, reach + 1) if i + step >= 0})
    for chunk in chunks(wanted):
        values = ",".join(["(?,?)"] * len(chunk))
        rows = db.rows(
            f"SELECT conversation_id, turn_index, seq FROM turns WHERE (conversation_id, turn_index) IN "
            f"(VALUES {values}) AND retired_at IS NULL",
            [part for place in chunk for part in place],
        )
        found.update({(conversation, index): seq for conversation, index, seq in rows})
    return found


def document_frequency(db: Connection, terms: Sequence[str], scope: Scope) -> dict[str, int]:
    """How many memories of the whole index hold each term. Terms are as `words.tokens` gives them."""
    return {term: _frequency(db, term) for term in terms}


def _frequency(db: Connection, term: str) -> int:
    found: int = db.value(
        "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT 5000)", (f'"{term}"',)
    )
    return found


def passages_at(db: Connection, seqs: Sequence[int]) -> dict[int, tuple[str, str, int, int, str]]:
    """(document_id, heading, first_line, last_line, text) of passages by search number."""
    found: dict[int, tuple[str, str, int, int, str]] = {}
    for chunk in chunks(seqs):
        for row in db.rows(
            "SELECT seq, document_id, heading, first_line, last_line, text FROM passages "
            f"WHERE seq IN ({marks(chunk)})",
            chunk,
        ):
            found[row[0]] = (row[1], row[2], row[3], row[4], row[5])
    return found
