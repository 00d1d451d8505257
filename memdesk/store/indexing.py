"""Word and vector indexes, updated in the transaction of the records. Both can be rebuilt from the records.

Embeddings are stored by the hash of their text and the model that made them, so undoing an edit needs no
model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from memdesk.model.document import passages_of
from memdesk.model.fact import FACT, claim_hash
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, PASSAGE
from memdesk.store import beliefs, counters, document_versions, fading
from memdesk.store.connection import Connection, Row, marks
from memdesk.store.records import chunks
from memdesk.store.words import segment

FIRST_DIMENSION = 256
"""Dimension of the bundled embedder, with which a new desk's table of vectors is created."""
STORED = np.float16
"""Number type of stored vectors: half of float32's bytes, and a cosine that differs in its fourth decimal."""
HALF = STORED().nbytes
STORED_VECTOR = "SELECT id, vector FROM embeddings WHERE hash = ? AND model = ?"
_PARTING = "\x1f"
Fields = dict[str, Any]


def text_hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def foresee_vector(db: Connection, text: str, model: str) -> None:
    """Read the vector of a text that becomes searchable, to be read ahead."""
    db.row(STORED_VECTOR, (text_hash(text), model))


def scope_of(user_id: str, channel: str, kind: str) -> str:
    """Return the partition of the vector table for one kind in one channel of one user."""
    return _PARTING.join((user_id, channel, kind))


def place_of(scope: str) -> tuple[str, str, str]:
    """Return user, channel and kind of a scope; no channel name contains the separator."""
    user_id, channel, kind = scope.rsplit(_PARTING, 2)
    return user_id, channel, kind


def scope_token(scope: str) -> str:
    """Return a scope as one word, so that FTS5 itself can restrict a search to it."""
    return "x" + hashlib.blake2b(scope.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


class Index:
    """Index of words and vectors, kept in step with the records. `model` names the embedder in use; "" for
    none."""

    def __init__(self, db: Connection, new_seq: Callable[[], int]) -> None:
        self.db = db
        self.new_seq = new_seq
        self.model = ""
        self.claim_keys: beliefs.Keys | None = None
        self.last_dimension = 0
        fading.provide_functions(db)
        if db.value("SELECT words_behind FROM upkeep"):
            self._cut_words_anew()
        if db.vectors:
            self._lay_out(self.dimension or FIRST_DIMENSION)
            if db.value("SELECT vectors_behind FROM upkeep"):
                self._catch_up()

    @property
    def dimension(self) -> int:
        """Dimension of the vectors in use, 0 before the first; other threads read `last_dimension`."""
        self.last_dimension = int(self.db.value("SELECT dimension FROM embedder") or 0)
        return self.last_dimension

    def _lay_out(self, dimension: int) -> None:
        """Create the table of vectors if it is missing. Vectors are searched by their signs, one bit a
        dimension."""
        bits = dimension + -dimension % 8
        self.db.run(
            "CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING "
            f"vec0(seq INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, bits BIT[{bits}])"
        )

    def _empty_vectors(self, dimension: int) -> None:
        """Empty the table of vectors, for those of this dimension."""
        if self.db.vectors:
            self.db.run("DROP TABLE vectors")
            self._lay_out(dimension)

    def follow(self, kind: Kind[Any], was: Fields | None, now: Fields | None) -> None:
        """Update the index from a record's old fields to its new ones."""
        if kind.name == "document":
            self._follow_document(was, now)
        elif kind.name == "tool_call":
            counters.update_tool_stats(self.db, was, now)
        elif kind.text:
            if kind is FACT:
                self._follow_past_claim(was, now)
                beliefs.follow(self.db, self.claim_keys, was, now)
            if kind.fades:
                fading.follow(self.db, kind, was, now)
            old, new = body_of(kind, was), body_of(kind, now)
            if (old, _place(was)) == (new, _place(now)):
                return
            if old is not None and was is not None:
                if kind is FACT:
                    self._leave_category(was)
                self._remove(was["seq"])
            if new is not None and now is not None:
                claim = claim_hash(now["claim"]) if kind is FACT else None
                vector = self._add(now["seq"], kind.name, now["user_id"], now["channel"], new, claim)
                if kind is FACT and vector is not None:
                    counters.add_to_categories(self.db, [(*_place(now), vector)])

    def _follow_document(self, was: Fields | None, now: Fields | None) -> None:
        if was and now and all(was[name] == now[name] for name in ("content_hash", "channel", "retired_at")):
            return
        if was:
            for (seq,) in self.db.rows("SELECT seq FROM passages WHERE document_id = ?", (was["id"],)):
                self._remove(seq)
            self.db.run("DELETE FROM passages WHERE document_id = ?", (was["id"],))
        if now and now["retired_at"] is None:
            for passage in passages_of(document_versions.text_of(self.db, now["content_hash"])):
                seq = self.new_seq()
                self.db.run(
                    "INSERT INTO passages (seq, document_id, heading, first_line, last_line, text) "
                    "VALUES (?,?,?,?,?,?)",
                    (seq, now["id"], passage.heading, passage.first_line, passage.last_line, passage.text),
                )
                self._add(seq, "passage", now["user_id"], now["channel"], passage.text)

    def _follow_past_claim(self, was: Fields | None, now: Fields | None) -> None:
        old, new = _past_claim(was), _past_claim(now)
        if old == new:
            return
        if old is not None and was is not None:
            self.db.send("DELETE FROM past_claims WHERE seq = ?", (was["seq"],))
        if new is not None and now is not None:
            self.db.send("INSERT INTO past_claims VALUES (?, ?)", (now["seq"], new))

    def _leave_category(self, fact: Fields) -> None:
        vector = self.db.value(
            f"SELECT {counters.SOUND} FROM searchable JOIN embeddings ON embeddings.id = embedding WHERE seq = ?",
            (fact["seq"],),
        )
        if vector is not None:
            counters.add_to_categories(self.db, [(*_place(fact), vector)], -1)

    def _add(
        self, seq: int, kind: str, user_id: str, channel: str, body: str, claim: str | None = None
    ) -> bytes | None:
        """Make a text searchable; return its vector if one is stored. claim: hash of a fact's claim."""
        name, scope = text_hash(body), scope_of(user_id, channel, kind)
        with self.db.as_owner():
            known = self.db.row(STORED_VECTOR, (name, self.model))
        embedding: int | None
        vector: bytes | None
        embedding, vector = known or (None, None)
        if vector is not None:
            self.fit(len(vector) // HALF)
        self.db.send(
            "INSERT INTO searchable VALUES (?,?,?,?,?,?,?)",
            (seq, kind, user_id, channel, name, embedding, claim),
        )
        self._add_words(seq, body, scope)
        self._moved(user_id, channel, kind)
        if vector is not None:
            self._add_vector(seq, scope, vector)
        return vector

    def _add_words(self, seq: int, body: str, scope: str) -> None:
        self.db.run(
            "INSERT INTO words (rowid, body, scope) VALUES (?,?,?)", (seq, segment(body), scope_token(scope))
        )

    def _remove_words(self, seq: int) -> None:
        self.db.run("DELETE FROM words WHERE rowid = ?", (seq,))

    def _moved(self, user_id: str, channel: str, kind: str) -> None:
        """Give a scope a new version, since its content changed."""
        self.db.send(
            "INSERT INTO scopes VALUES (?, ?, ?, random()) "
            "ON CONFLICT (user_id, channel, kind) DO UPDATE SET version = excluded.version",
            (user_id, channel, kind),
        )

    def _add_vector(self, seq: int, scope: str, vector: bytes) -> None:
        self._on_vectors(
            "INSERT INTO vectors (seq, scope, bits) VALUES (?, ?, vec_bit(?))",
            (seq, scope, sign_bits(vector)),
        )

    def fit(self, dimension: int) -> None:
        """Recreate the vector table for this dimension. Vectors of another dimension, made under the same
        model name, are deleted."""
        before = self.dimension
        if dimension == before:
            return
        with self.db.as_owner():
            self._refit(dimension, before)

    def _refit(self, dimension: int, before: int) -> None:
        self.db.run("UPDATE embedder SET dimension = ?", (dimension,))
        self.last_dimension = dimension
        if before:
            self._leave_search()
            self.db.run(
                "DELETE FROM embeddings WHERE model = ? AND length(vector) != ?",
                (self.model, HALF * dimension),
            )
        self._empty_vectors(dimension)

    def _leave_search(self) -> None:
        """Remove every vector from the search; the memories wait for new ones."""
        self.db.run("UPDATE searchable SET embedding = NULL")
        self.db.run("DELETE FROM categories")
        self._on_vectors("DELETE FROM vectors")
        self.db.run("UPDATE scopes SET version = random()")

    def _on_vectors(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Update the table of vectors, or mark it as outdated if this SQLite cannot access it."""
        if self.db.vectors:
            self.db.run(sql, params)
        else:
            self.db.run("UPDATE upkeep SET vectors_behind = 1 WHERE NOT vectors_behind")

    def _cut_words_anew(self) -> None:
        """Rebuild the word index after a change of how text is split into words."""
        with self.db.transaction():
            self.db.run("INSERT INTO words (words) VALUES ('delete-all')")
            for seq, *place in self.db.rows("SELECT seq, user_id, channel, kind FROM searchable"):
                self._add_words(seq, text_at(self.db, seq, place[-1]), scope_of(*place))
            self.db.run("UPDATE upkeep SET words_behind = 0")

    def fill(self) -> None:
        """Index the words and vectors of all searchable memories, in the current transaction."""
        self._empty_vectors(self.dimension or FIRST_DIMENSION)
        for seq, kind, user_id, channel, vector in self.db.each(
            f"SELECT seq, kind, user_id, channel, {counters.SOUND} FROM searchable "
            "LEFT JOIN embeddings ON embeddings.id = embedding"
        ):
            scope = scope_of(user_id, channel, kind)
            self._add_words(seq, text_at(self.db, seq, kind), scope)
            if vector:
                self._add_vector(seq, scope, vector)

    def _catch_up(self) -> None:
        """Rebuild the table of vectors from the searchable memories."""
        with self.db.transaction():
            self._empty_vectors(self.dimension or FIRST_DIMENSION)
            for seq, *place, vector in self.db.rows(
                f"SELECT searchable.seq, user_id, channel, kind, {counters.SOUND} FROM searchable "
                "JOIN embeddings ON embeddings.id = embedding"
            ):
                if vector:
                    self._add_vector(seq, scope_of(*place), vector)
            counters.sum_categories(self.db)
            self.db.run("UPDATE scopes SET version = random()")
            self.db.run("UPDATE upkeep SET vectors_behind = 0")

    def take_out(self, seq: int) -> None:
        """Remove the words and the vector of a memory from the search."""
        self._remove_words(seq)
        self._on_vectors("DELETE FROM vectors WHERE seq = ?", (seq,))

    def _remove(self, seq: int) -> None:
        self.take_out(seq)
        place = self.db.row("SELECT user_id, channel, kind FROM searchable WHERE seq = ?", (seq,))
        self.db.send("DELETE FROM searchable WHERE seq = ?", (seq,))
        if place is not None:
            self._moved(*place)

    def read_claims(self, keys: beliefs.Keys, reader: str) -> None:
        """Index claims by the keys of this reader from now on. reader: its name, which changes with its rules."""
        self.claim_keys = keys
        beliefs.use_reader(self.db, keys, reader)

    def use_model(self, model: str) -> None:
        """Make `model` the embedder in use. Vectors of another leave the search, and new ones are made in the
        background."""
        self.model = model
        before = self.db.value("SELECT model FROM embedder")
        if before is None:
            self.db.run("INSERT INTO embedder (model, dimension) VALUES (?, 0)", (model,))
        elif before != model:
            self.db.run("UPDATE embedder SET model = ?, dimension = 0", (model,))
            self.last_dimension = 0
            self._leave_search()

    def waiting(self, limit: int) -> tuple[int, list[tuple[int, str]]]:
        """Return (how many of `limit` memories without a vector got a stored one now, (seq, text) of the
        others).

        A text that this model has embedded before needs no model."""
        rows = self.db.rows(
            "SELECT seq, kind FROM searchable WHERE embedding IS NULL ORDER BY seq LIMIT ?", (limit,)
        )
        given = self._give([seq for seq, _ in rows])
        texts = texts_of(self.db, [row for row in rows if row[0] not in given])
        return len(given), sorted(texts.items())

    def embedded_facts(self, made: Iterable[tuple[str, bytes]], model: str) -> None:
        """Store the vectors (float32) that a model for facts made of facts' texts. They are found by the texts' hashes,
        so a fact whose text has moved on since does not get one."""
        self.db.run_many(_STORE_VECTOR, [(text_hash(text), model, _stored(vector)) for text, vector in made])

    def embedded(self, made: Sequence[tuple[int, str, bytes]], model: str) -> None:
        """Store the vectors that `model` made of memories (seq, text, float32), if the model and their texts are
        unchanged."""
        if model != self.model:
            return
        names = dict[int, bytes]()
        for chunk in chunks([seq for seq, *_ in made]):
            sql = f"SELECT seq, text_hash FROM searchable WHERE embedding IS NULL AND seq IN ({marks(chunk)})"
            names.update(self.db.rows(sql, chunk))
        self.db.run_many(
            _STORE_VECTOR,
            [
                (text_hash(text), model, _stored(vector))
                for seq, text, vector in made
                if names.get(seq) == text_hash(text)
            ],
        )
        self._give(list(names))

    def _give(self, seqs: Sequence[int]) -> set[int]:
        """Make those of the memories searchable by vectors whose texts have a stored one; return their numbers."""
        found: list[Row] = []
        for chunk in chunks(seqs):
            found += self.db.rows(
                "SELECT seq, searchable.user_id, searchable.channel, searchable.kind, category, embeddings.id, vector "
                "FROM searchable JOIN embeddings ON hash = text_hash AND model = ? LEFT JOIN facts USING (seq) "
                f"WHERE seq IN ({marks(chunk)})",
                (self.model, *chunk),
            )
        for size in dict.fromkeys(len(vector) for *_, vector in found):
            self.fit(size // HALF)
        # Vectors of another dimension than the last one's were deleted.
        given = [row for row in found if len(row[-1]) == len(found[-1][-1])]
        self.db.run_many(
            "UPDATE searchable SET embedding = ? WHERE seq = ?",
            [(embedding, seq) for seq, *_, embedding, _ in given],
        )
        for seq, user_id, channel, kind, *_, vector in given:
            self._add_vector(seq, scope_of(user_id, channel, kind), vector)
        for place in dict.fromkeys((user_id, channel, kind) for _, user_id, channel, kind, *_ in given):
            self._moved(*place)
        counters.add_to_categories(
            self.db,
            (
                (user_id, channel, category, vector)
                for _, user_id, channel, kind, category, _, vector in given
                if kind == FACT.name
            ),
        )
        return {row[0] for row in given}


_STORE_VECTOR = "INSERT INTO embeddings (hash, model, vector) VALUES (?,?,?) ON CONFLICT DO NOTHING"
FACTS_MODEL = "facts:"
"""Beginning of the names of models that embed facts alone, in addition to the desk's embedder."""
ORPHANED = (
    "id NOT IN (SELECT embedding FROM searchable WHERE embedding IS NOT NULL) "
    f"AND NOT (model LIKE '{FACTS_MODEL}%' AND hash IN (SELECT text_hash FROM searchable))"
)
"""Condition of a stored vector whose text is in no memory any more."""


def sign_bits(vector: bytes) -> bytes:
    """Return the signs of a stored vector, one bit a dimension, filled up to bytes."""
    return np.packbits(np.frombuffer(vector, STORED) > 0, bitorder="little").tobytes()


def _stored(vector: bytes) -> bytes:
    """Return a vector of float32 as it is stored."""
    return np.frombuffer(vector, np.float32).astype(STORED).tobytes()


def text_at(db: Connection, seq: int, kind: str) -> str:
    """Return the searchable text of a memory by its search number."""
    return texts_of(db, [(seq, kind)])[seq]


def texts_of(db: Connection, memories: Sequence[tuple[int, str]]) -> dict[int, str]:
    """Return the searchable texts of memories (search number, kind) by their numbers."""
    texts: dict[int, str] = {}
    for name in dict.fromkeys(kind for _, kind in memories):
        table, columns = (
            ("passages", ("text",)) if name == PASSAGE else (BY_NAME[name].table, BY_NAME[name].text)
        )
        for chunk in chunks([seq for seq, kind in memories if kind == name]):
            rows = db.rows(
                f"SELECT seq, {', '.join(columns)} FROM {table} WHERE seq IN ({marks(chunk)})", chunk
            )
            texts.update((seq, "\n".join(str(part) for part in parts if part)) for seq, *parts in rows)
    return texts


def _place(fields: Fields | None) -> tuple[str, str, str]:
    """Return the place in which a record is searched: user, channel and, for a fact, category."""
    return (
        ("", "", "") if fields is None else (fields["user_id"], fields["channel"], fields.get("category", ""))
    )


def body_of(kind: Kind[Any], fields: Fields | None) -> str | None:
    """Return the searchable text of a record, None if it is not searchable (absent, retired, superseded)."""
    if fields is None or _is_past(fields):
        return None
    return "\n".join(str(fields[name]) for name in kind.text if fields[name])


def _past_claim(fields: Fields | None) -> str | None:
    """Return the claim hash of a retired or superseded fact, None for any other."""
    return claim_hash(fields["claim"]) if fields is not None and _is_past(fields) else None


def _is_past(fields: Fields) -> bool:
    """Return True if a record is retired or superseded."""
    return fields.get("retired_at") is not None or fields.get("superseded_by") is not None
