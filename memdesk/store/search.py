"""Search of memories by words, by vectors and by neighbourhood. Every read is limited to one user and to
channels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memdesk.model.message import Message
from memdesk.store import binding, digests
from memdesk.store.connection import Bits, CachedScope, Connection, Head, Row, marks
from memdesk.store.indexing import HALF, STORED, place_of, scope_of, scope_token, texts_of
from memdesk.store.records import chunks, rows_among
from memdesk.store.words import match

PAGES = "vectors_chunks JOIN vectors_vector_chunks00 ON vectors_vector_chunks00.rowid = chunk_id"
"""Tables in which sqlite-vec 0.1 stores search numbers and sign bits, about a thousand to a row."""


def nearest(db: Connection, bits: bytes, scope: Scope, limit: int) -> list[int]:
    """Return search numbers of the `limit` memories of each part of a scope whose sign bits differ least. Needs
    sqlite-vec."""
    found: list[int] = []
    # sqlite-vec takes any number of whole bytes.
    asked: Bits = np.frombuffer(bits, np.uint8) if len(bits) % 8 else np.frombuffer(bits, np.uint64)
    for part, version in versions(db, scope):
        held = _read(db, part, version, asked)
        found += _asked(db, bits, part, limit) if held is None else _counted(held, asked, limit)
    return found


def head(db: Connection) -> Head:
    """Return the head of a desk, read once in a snapshot."""
    if db.snapshot is not None and db.snapshot.head is not None:
        return db.snapshot.head
    row = db.row(
        f"SELECT {db.newest('changes')}, {db.newest('embeddings')}, "
        f"{db.newest('searchable')}, ifnull((SELECT model FROM embedder), ''), "
        "ifnull((SELECT dimension FROM embedder), 0)"
    ) or (0, 0, 0, "", 0)
    change, embedding, newest, model, dimension = row
    found = Head(change=change, embedding=embedding, newest=newest, model=model, dimension=dimension)
    if db.snapshot is not None:
        db.snapshot.head = found
    return found


def versions(db: Connection, scope: Scope) -> Iterator[tuple[str, int]]:
    """Yield (part, its version) of the parts of a scope that ever held anything."""
    known = _versions(db, scope.user_id, scope.channels)
    for channel in scope.channels:
        for kind in scope.kinds:
            if (version := known.get((channel, kind))) is not None:
                yield scope_of(scope.user_id, channel, kind), version


def _versions(db: Connection, user_id: str, channels: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Return the versions of these channels by channel and kind, read once in a snapshot."""
    found = None if db.snapshot is None else db.snapshot.versions.get((user_id, channels))
    if found is None:
        rows = db.rows(
            "SELECT channel, kind, version FROM json_each(?) AS asked CROSS JOIN scopes "
            "ON user_id = ? AND channel = asked.value",
            (json.dumps(channels), user_id),
        )
        found = {(channel, kind): version for channel, kind, version in rows}
        if db.snapshot is not None:
            db.snapshot.versions[user_id, channels] = found
    return found


def _asked(db: Connection, bits: bytes, scope: str, limit: int) -> list[int]:
    """Return the nearest memories by a query of vec0."""
    rows = db.rows(
        "SELECT seq FROM vectors WHERE bits MATCH vec_bit(?) AND k = ? AND scope = ?", (bits, limit, scope)
    )
    return [row[0] for row in rows]


def _counted(held: CachedScope, bits: Bits, limit: int) -> list[int]:
    if not held.seqs.size:
        return []
    apart = np.zeros(len(held.seqs), np.uint16)
    for words, word in zip(held.words, bits, strict=True):
        apart += np.bitwise_count(words ^ word)
    # Counted by distance: to select the last one itself takes three times as long on a large desk.
    within = np.searchsorted(np.cumsum(np.bincount(apart)), min(limit, apart.size))
    near = np.flatnonzero(apart <= within)
    seqs = held.seqs[near]
    found: list[int] = seqs[np.lexsort((seqs, apart[near]))][:limit].tolist()
    return found


def _read(db: Connection, scope: str, version: int, like: Bits) -> CachedScope | None:
    """Return a scope in this reader's snapshot, in words like `like`; None if vec0 stores its pages
    differently."""
    held = db.scopes.at(scope, version)
    if held is None:
        if not db.virtual_tables:
            held = _from_rows(db, scope, version, like)
        else:
            try:
                held = _from_pages(db, scope, version, like)
            except (binding.sqlite.OperationalError, ValueError):
                return None
        db.scopes.keep(scope, held)
    return held


def _from_pages(db: Connection, scope: str, version: int, like: Bits) -> CachedScope:
    rows = db.rows(f"SELECT validity, rowids, vectors FROM {PAGES} WHERE partition00 = ?", (scope,))
    there = np.frombuffer(b"".join(row[0] for row in rows), np.uint8)
    valid = np.unpackbits(there, bitorder="little").astype(bool)
    vectors = np.frombuffer(b"".join(row[2] for row in rows), like.dtype).reshape(len(valid), like.size)
    seqs = np.frombuffer(b"".join(row[1] for row in rows), np.int64)
    return CachedScope(version=version, words=np.ascontiguousarray(vectors[valid].T), seqs=seqs[valid])


def _from_rows(db: Connection, scope: str, version: int, like: Bits) -> CachedScope:
    """Return a scope from a plain table of sign bits, without the damaged ones, which a verification names."""
    sql = "SELECT seq, bits FROM vectors WHERE scope = ? AND length(bits) = ?"
    rows = db.rows(sql, (scope, like.nbytes))
    words = np.frombuffer(b"".join(bits for _, bits in rows), like.dtype).reshape(len(rows), like.size)
    seqs = np.fromiter((seq for seq, _ in rows), np.int64, len(rows))
    return CachedScope(version=version, words=np.ascontiguousarray(words.T), seqs=seqs)


Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
NEAR_TURN = ("seq", "content", "created_at", "conversation_id", "turn_index", "speaker", "channel")
"""Columns read of candidate turns: hundreds of candidates are examined for every ten turns returned."""
NEAREST = 64
"""Number of candidates taken by sign bits from each scope, then scored exactly. vec0 slows steeply beyond a
hundred."""

FEW = 400
"""Number of memories with a word, in any scope, up to which filtering the results by scope is faster."""
UNIT_TOLERANCE = 2e-3
"""Most that the squared length of an undamaged vector differs from 1: rounding to STORED makes half of it, damage of
a few numbers more."""
VECTORS_KEPT = 1024
"""Vectors of a snapshot from which on no more are kept."""
EVERY_SEQ = (0, 2**62)
"""Span of all search numbers."""
COUNTED = 2000
"""Maximum number of memories of a kind and channel that are counted exactly: counting every row of a large
desk costs milliseconds a recall, and an estimate is enough for the rarity of a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Scope of a search: a user, channels and kinds (turn, fact, entity, alias, passage, strategy, goal).

    seqs: words are searched among these search numbers, both ends included; None for all."""

    user_id: str
    channels: tuple[str, ...]
    kinds: tuple[str, ...]
    seqs: tuple[int, int] | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """Partitions that make up this scope, one for each channel and kind."""
        return tuple(
            scope_of(self.user_id, channel, kind) for channel in self.channels for kind in self.kinds
        )


def channels_of(db: Connection, user_id: str) -> tuple[Message, ...]:
    """Return every current channel of a user, `_global` first, then in order of creation."""
    rows = db.rows(
        "SELECT name FROM channels WHERE user_id = ? AND retired_at IS NULL ORDER BY number, seq", (user_id,)
    )
    return tuple(row[0] for row in rows)


def others(db: Connection, scope: Scope) -> frozenset[int] | None:
    """Return search numbers of all memories outside a scope, ignoring its `seqs`; None for more than FEW, and where
    words are not found by FTS5."""
    if db.find_words is not None:
        return None
    rows = db.rows(
        "SELECT seq FROM scopes CROSS JOIN searchable USING (user_id, channel, kind) WHERE NOT (user_id = ? "
        f"AND channel IN ({marks(scope.channels)}) AND kind IN ({marks(scope.kinds)})) LIMIT ?",
        (scope.user_id, *scope.channels, *scope.kinds, FEW + 1),
    )
    return frozenset(row[0] for row in rows) if len(rows) <= FEW else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Memories to find by words: those with any of the terms, the newest `most` of them. beginning: also those with
    a word that begins with the last term."""

    terms: tuple[str, ...]
    most: int
    beginning: bool = False

    @property
    def phrase(self) -> str:
        """Return the expression of FTS5 for these terms."""
        return f"body:({match(self.terms)}{'*' if self.beginning else ''})"


def postings(db: Connection, term: str, scope: Scope, most: int) -> list[int]:
    """Return search numbers of memories with a term, newest first, at most `most`."""
    return postings_of(db, [Sought(terms=(term,), most=most)], scope)[0]


def postings_of(
    db: Connection, sought: Sequence[Sought], scope: Scope, *, others: frozenset[int] | None = None
) -> list[list[int]]:
    """Return search numbers of the memories of a scope with each of these words, newest first, in one or two
    statements: FTS5's bm25() on a common term would cost a second on a large desk.

    FTS5 itself narrows to the scope. Results of a rare phrase are filtered by scope afterwards, since FTS5
    would look each up in a list of the complete scope, which takes ten times as long. So are all results if
    few memories are outside the scope. others: the memories outside, if they are known to be few."""
    if db.find_words is not None:
        return db.find_words(sought, scope)
    found: list[list[int]] = [[] for _ in sought]
    left = [n for n, each in enumerate(sought) if each.terms] if scope.channels and scope.kinds else []
    if others is not None:
        wider = [(sought[n].phrase, sought[n].most + len(others)) for n in left]
        for n, seqs in zip(left, _newest(db, wider, scope), strict=True):
            found[n] = [seq for seq in seqs if seq not in others][: sought[n].most]
        return found
    common = []
    for n, (count, seqs) in zip(left, _few(db, [sought[n].phrase for n in left], scope), strict=True):
        found[n] = sorted(seqs, reverse=True)[: sought[n].most]
        if count > FEW:
            common.append(n)
    scopes = " OR ".join(scope_token(each) for each in scope.parts)
    within = [(f"{sought[n].phrase} AND scope:({scopes})", sought[n].most) for n in common]
    for n, seqs in zip(common, _newest(db, within, scope), strict=True):
        found[n] = seqs
    return found


def _few(db: Connection, phrases: Sequence[str], scope: Scope) -> list[tuple[int, list[int]]]:
    """Return (how many memories of any scope have a phrase, FEW + 1 at most, those of them in the scope)."""
    if not phrases:
        return []
    within = f"user_id = ? AND channel IN ({marks(scope.channels)}) AND kind IN ({marks(scope.kinds)})"
    rows = db.rows(
        f"SELECT (SELECT json_array(count(*), json_group_array(seq) FILTER (WHERE {within})) FROM "
        "(SELECT rowid AS seq FROM words WHERE words MATCH asked.value AND rowid BETWEEN ? AND ? LIMIT ?) "
        "CROSS JOIN searchable USING (seq)) FROM json_each(?) AS asked ORDER BY asked.key",
        (
            scope.user_id,
            *scope.channels,
            *scope.kinds,
            *(scope.seqs or EVERY_SEQ),
            FEW + 1,
            json.dumps(phrases),
        ),
    )
    return [(count, seqs) for count, seqs in (json.loads(row[0]) for row in rows)]


def _newest(db: Connection, asked: Sequence[tuple[str, int]], scope: Scope) -> list[list[int]]:
    """Return the newest memories for each (phrase, most), regardless of their scope but within its `seqs`."""
    if not asked:
        return []
    # A LIMIT takes no value of the row outside of it, so the longest list sets it for all.
    rows = db.rows(
        "SELECT (SELECT json_group_array(seq) FROM (SELECT rowid AS seq FROM words WHERE words MATCH asked.value "
        "AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?)) FROM json_each(?) AS asked ORDER BY asked.key",
        (
            *(scope.seqs or EVERY_SEQ),
            max(most for _, most in asked),
            json.dumps([phrase for phrase, _ in asked]),
        ),
    )
    lists = [sorted(json.loads(row[0]), reverse=True) for row in rows]
    return [seqs[:most] for seqs, (_, most) in zip(lists, asked, strict=True)]


def kinds_of(db: Connection, scope: Scope, seqs: Sequence[int]) -> dict[str, list[int]]:
    """Group those of these memories that are in a scope and current by their kind: retired or superseded memory is
    not searchable."""
    found: dict[str, list[int]] = {}
    for chunk in chunks(list(dict.fromkeys(seqs))):
        for seq, kind in db.rows(
            f"SELECT seq, kind FROM searchable WHERE seq IN ({marks(chunk)}) AND user_id = ? "
            f"AND channel IN ({marks(scope.channels)}) AND kind IN ({marks(scope.kinds)})",
            (*chunk, scope.user_id, *scope.channels, *scope.kinds),
        ):
            found.setdefault(kind, []).append(seq)
    return found


def size_of(db: Connection, scope: Scope) -> tuple[int, int]:
    """Return (approximate number of memories in the scope, the newest search number of the index)."""
    count = sum(_part_size(db, part, version) for part, version in versions(db, scope))
    return count, head(db).newest


def has_any(db: Connection, user_id: str, channels: Sequence[str], kind: str) -> bool:
    """Return True if these channels have any memory of a kind."""
    wanted = Scope(user_id=user_id, channels=tuple(channels), kinds=(kind,))
    return any(_part_size(db, part, version) for part, version in versions(db, wanted))


def _part_size(db: Connection, part: str, version: int) -> int:
    size = db.scopes.size_at(part, version)
    if size is None:
        size = _counted_size(db, *place_of(part))
        db.scopes.keep_size(part, version, size)
    return size


def _counted_size(db: Connection, user_id: str, channel: str, kind: str) -> int:
    """Return the number of memories of one kind in a channel; past COUNTED it is estimated by the density of
    the newest ones."""
    part = "FROM searchable WHERE user_id = ? AND channel = ? AND kind = ?"
    found = db.row(
        f"SELECT count(*), min(seq), max(seq) FROM (SELECT seq {part} ORDER BY seq DESC LIMIT {COUNTED})",
        (user_id, channel, kind),
    )
    if found is None or found[0] < COUNTED:
        return 0 if found is None else int(found[0])
    counted, since, newest = found
    oldest = db.value(f"SELECT min(seq) {part}", (user_id, channel, kind))
    return int(counted + (since - oldest) * counted / (newest - since + 1))


def by_vector(db: Connection, vector: Vector, scope: Scope, model: str) -> list[tuple[int, float]]:
    """Return (seq, cosine) of the nearest memories in each scope, best first; as `near`."""
    found = cosines(db, vector, near(db, vector, scope, model), model)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def near(db: Connection, vector: Vector, scope: Scope, model: str) -> list[int]:
    """Return the NEAREST memories of each channel and kind by the sign bits of their vectors.

    Empty without sqlite-vec, and if the vectors in use are not of this model and dimension."""
    now = head(db)
    if not db.vectors or (now.model, now.dimension) != (model, vector.size):
        return []
    return nearest(db, np.packbits(vector > 0, bitorder="little").tobytes(), scope, NEAREST)


def cosines(db: Connection, vector: Vector, seqs: Sequence[int], model: str) -> dict[int, float]:
    """Return the exact cosine of these memories with a unit vector; those without a vector are left out."""
    held, stacked = vectors(db, seqs, model)
    if stacked.shape[1] != vector.size:
        return {}
    return dict(zip(held, (stacked @ vector).tolist(), strict=True))


VECTORS = (
    "SELECT seq, vector, (SELECT dimension FROM embedder) FROM searchable "
    "JOIN embeddings ON embeddings.id = embedding WHERE seq IN (*) AND model = ?"
)


def vectors(db: Connection, seqs: Sequence[int], model: str) -> tuple[list[int], Matrix]:
    """Return (seqs, their unit vectors as rows) of these memories; those that have none by this model are
    left out, and damaged ones, which are reported to the connection."""
    # A recall compares the same memories several times.
    known = {} if db.snapshot is None else db.snapshot.vectors.setdefault(model, {})
    wanted = set(seqs)
    found: list[Row] = [known[seq] for seq in wanted & known.keys()]
    read = list(rows_among(db, VECTORS, sorted(wanted - known.keys()), model))
    if len(known) < VECTORS_KEPT:
        known.update((row[0], row) for row in read)
    found = sorted(found + read)
    held, stacked = _stacked(found)
    if len(held) < len(found):
        for seq in {row[0] for row in found}.difference(held):
            db.found_damaged_vector(seq)
    return held, stacked


def fact_vectors(db: Connection, seqs: Sequence[int], model: str, dimension: int) -> tuple[list[int], Matrix]:
    """Return (seqs, their unit vectors as rows) of these facts by a model for facts; those without a sound one are
    left out."""
    found: list[Row] = []
    for chunk in chunks(seqs):
        found += db.rows(
            "SELECT seq, vector FROM searchable JOIN embeddings ON hash = text_hash AND model = ? "
            f"WHERE seq IN ({marks(chunk)})",
            (model, *chunk),
        )
    return _stacked([(*row, dimension) for row in found])


def facts_without(db: Connection, model: str, after: int, limit: int) -> list[tuple[int, str]]:
    """Return (seq, text) of up to `limit` facts with a higher search number that have no vector by a model for
    facts, in the order of their numbers."""
    rows = db.rows(f"SELECT seq {_FACTS_WITHOUT} AND seq > ? ORDER BY seq LIMIT ?", (model, after, limit))
    return sorted(texts_of(db, [(seq, "fact") for (seq,) in rows]).items())


def count_facts_without(db: Connection, model: str) -> int:
    """Return the number of facts that have no vector by a model for facts."""
    return int(db.value(f"SELECT count(*) {_FACTS_WITHOUT}", (model,)))


_FACTS_WITHOUT = (
    "FROM searchable WHERE kind = 'fact' AND NOT EXISTS "
    "(SELECT 1 FROM embeddings WHERE hash = text_hash AND model = ?)"
)


def _stacked(found: Sequence[Row]) -> tuple[list[int], Matrix]:
    """Return (seqs, unit vectors) of rows (seq, stored vector, dimension), without the damaged ones."""
    held = [row for row in found if isinstance(row[1], bytes) and len(row[1]) == row[2] * HALF]
    stacked = np.frombuffer(b"".join(row[1] for row in held), STORED).astype(np.float32)
    stacked = stacked.reshape(len(held), -1) if held else np.zeros((0, 0), np.float32)
    sound = _are_sound(stacked)
    if not sound.all():
        held = [row for row, is_sound in zip(held, sound, strict=True) if is_sound]
        stacked = stacked[sound]
    return [row[0] for row in held], stacked


def _are_sound(stacked: Matrix) -> npt.NDArray[np.bool_]:
    """Return which rows are of unit length, or zero as for a text without a known word."""
    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", stacked, stacked)
        sound: npt.NDArray[np.bool_] = (np.abs(squares - 1) < UNIT_TOLERANCE) | (squares == 0)
    return sound


def vector_of(db: Connection, seq: int, model: str) -> Vector | None:
    """Return the unit vector of one memory; None if it has none by this model."""
    _, stacked = vectors(db, (seq,), model)
    return stacked[0] if len(stacked) else None


def turns_around(db: Connection, seqs: Sequence[int], reach: int) -> list[Row]:
    """Return the turns among these and those within `reach` of them in their conversations, without retired
    ones.

    Rows have the columns of NEAR_TURN: only the few returned turns are worth reading completely."""
    found: dict[int, Row] = {}
    for chunk in chunks(seqs):
        rows = db.rows(
            f"SELECT {','.join(NEAR_TURN)} FROM turns WHERE retired_at IS NULL AND seq IN ("
            "SELECT near.seq FROM turns AS hit JOIN turns AS near ON near.conversation_id = hit.conversation_id "
            "AND near.turn_index BETWEEN hit.turn_index - ? AND hit.turn_index + ? "
            f"WHERE hit.seq IN ({marks(chunk)}))",
            (reach, reach, *chunk),
        )
        found.update((row[0], row) for row in rows)
    return list(found.values())


def facts_read_from(db: Connection, scope: Scope, turns: Sequence[int]) -> list[tuple[int, int]]:
    """Return (fact, turn) of the current facts of a scope that were read from these turns."""
    if not turns:
        return []
    # CROSS JOIN keeps SQLite to the order written: from the turns, by the index of their facts.
    return [
        (fact, turn)
        for fact, turn in db.rows(
            "SELECT facts.seq, turns.seq FROM json_each(?) AS asked CROSS JOIN turns "
            "ON turns.seq = CAST(asked.value AS INTEGER) "
            "CROSS JOIN facts ON source_turn_id = turns.id CROSS JOIN searchable ON searchable.seq = facts.seq "
            f"WHERE searchable.user_id = ? AND searchable.channel IN ({marks(scope.channels)})",
            (json.dumps(turns), scope.user_id, *scope.channels),
        )
    ]


def sound_passages(db: Connection, seqs: Sequence[int]) -> set[int]:
    """Return those of these passages whose rows are undamaged."""
    found: set[int] = set()
    sql = (
        "SELECT seq, document_id, heading, first_line, last_line, text, digest FROM passages WHERE seq IN (*)"
    )
    for *row, digest in rows_among(db, sql, seqs):
        if digests.holds(db, "passages", row, digest):
            found.add(row[0])
        else:
            db.found_damaged("passage", row[0])
    return found


def passages_at(db: Connection, seqs: Sequence[int]) -> dict[int, tuple[str, str, int, int, str]]:
    """Return (document_id, heading, first_line, last_line, text) of passages by search number."""
    sql = "SELECT seq, document_id, heading, first_line, last_line, text FROM passages WHERE seq IN (*)"
    return {row[0]: (row[1], row[2], row[3], row[4], row[5]) for row in rows_among(db, sql, seqs)}


def cosine_between(db: Connection, seq: int, other: int, model: str) -> float | None:
    """Return the cosine of two memories; None if one has no vector by this model."""
    held, stacked = vectors(db, (seq, other), model)
    return float(stacked[0] @ stacked[1]) if len(held) == 2 else None
