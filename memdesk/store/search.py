"""Finding memories by words, by vectors and by neighbourhood. Every read is scoped to one user and to channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memdesk.model.turn import TURN, Turn
from memdesk.store.connection import Connection, marks
from memdesk.store.indexing import scope_of, scope_token
from memdesk.store.records import chunks, many
from memdesk.store.words import match

Vector = npt.NDArray[np.float32]
NEAREST = 64
"""Candidates taken by sign bits from each scope, then scored exactly. vec0 slows steeply beyond a hundred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory, in which channels, of which kinds (turn, fact, entity, alias, passage)."""

    user_id: str
    channels: tuple[str, ...]
    kinds: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The partitions that make up this scope, one for each channel and kind."""
        return tuple(
            scope_of(self.user_id, channel, kind) for channel in self.channels for kind in self.kinds
        )


def channels_of(db: Connection, user_id: str) -> tuple[str, ...]:
    """Every channel of a user, `_global` first, then in the order they were made."""
    rows = db.rows(
        "SELECT name FROM channels WHERE user_id = ? AND retired_at IS NULL ORDER BY number, seq", (user_id,)
    )
    return tuple(row[0] for row in rows)


def postings(db: Connection, term: str, scope: Scope, limit: int, *, beginning: bool = False) -> list[int]:
    """Search numbers of the memories that hold a term (or a word that begins so), newest first, at most `limit`.

    FTS5 narrows to the scope itself and never ranks: its bm25() on a common term costs a second on a large desk.
    """
    scopes = " OR ".join(scope_token(each) for each in scope.parts)
    if not scopes:
        return []
    phrase = match((term,))
    if beginning and not phrase.endswith("*"):
        phrase += "*"
    rows = db.rows(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
        (f"body:({phrase}) AND scope:({scopes})", limit),
    )
    return [row[0] for row in rows]


def size_of(db: Connection, scope: Scope) -> tuple[int, int]:
    """(how many memories the scope holds, the newest search number of the whole index)."""
    count = db.value(
        f"SELECT count(*) FROM searchable WHERE user_id = ? AND channel IN ({marks(scope.channels)}) "
        f"AND kind IN ({marks(scope.kinds)})",
        (scope.user_id, *scope.channels, *scope.kinds),
    )
    return int(count), int(db.value("SELECT max(seq) FROM searchable") or 0)


def by_vector(db: Connection, vector: Vector, scope: Scope, model: str) -> list[tuple[int, float]]:
    """(seq, cosine) of the nearest memories in each scope, best first. Empty without sqlite-vec."""
    if not db.vectors:
        return []
    bits = np.packbits(vector > 0, bitorder="little").tobytes()
    near: list[int] = []
    for part in scope.parts:
        rows = db.rows(
            "SELECT seq FROM vectors WHERE bits MATCH vec_bit(?) AND k = ? AND scope = ?",
            (bits, NEAREST, part),
        )
        near.extend(row[0] for row in rows)
    return sorted(cosines(db, vector, near, model).items(), key=lambda item: (-item[1], item[0]))


def cosines(db: Connection, vector: Vector, seqs: Sequence[int], model: str) -> dict[int, float]:
    """Exact cosine of these memories with a unit vector; those without a vector are left out."""
    found: dict[int, float] = {}
    for chunk in chunks(seqs):
        rows = db.rows(
            "SELECT seq, vector FROM searchable JOIN embeddings ON embeddings.id = embedding "
            f"WHERE seq IN ({marks(chunk)}) AND model = ?",
            (*chunk, model),
        )
        if rows:
            stacked = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
            found.update(zip((row[0] for row in rows), (stacked @ vector).tolist(), strict=True))
    return found


def turns_around(db: Connection, seqs: Sequence[int], reach: int) -> list[Turn]:
    """The turns among these and those within `reach` of them in their conversations, retired ones left out."""
    near: set[int] = set()
    for chunk in chunks(seqs):
        rows = db.rows(
            "SELECT DISTINCT near.seq FROM turns AS hit JOIN turns AS near "
            "ON near.conversation_id = hit.conversation_id "
            f"AND near.turn_index BETWEEN hit.turn_index - ? AND hit.turn_index + ? WHERE hit.seq IN ({marks(chunk)})",
            (reach, reach, *chunk),
        )
        near.update(row[0] for row in rows)
    turns: list[Turn] = many(db, TURN, "seq", sorted(near))
    return [turn for turn in turns if turn.retired_at is None]


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
