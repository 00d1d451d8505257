"""Words and vectors kept beside the records, in the same transaction. Both can be rebuilt from the records.

Embeddings are kept by the hash of their text and the model that made them, so undoing an edit needs no model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from memdesk.model.document import passages_of
from memdesk.model.fact import FACT, claim_hash
from memdesk.model.kind import Kind
from memdesk.store import tallies, versions
from memdesk.store.connection import Connection
from memdesk.store.words import segment

FIRST_DIMENSION = 256
"""The bundled embedder's, in which a new desk lays its table of vectors out."""
FLOAT32 = 4
_PARTING = "\x1f"
Fields = dict[str, Any]


def text_hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def scope_of(user_id: str, channel: str, kind: str) -> str:
    """The partition of the vector table that holds one kind of one channel of one user."""
    return _PARTING.join((user_id, channel, kind))


def place_of(scope: str) -> tuple[str, str, str]:
    """User, channel and kind of a scope; no channel's name holds what parts them."""
    user_id, channel, kind = scope.rsplit(_PARTING, 2)
    return user_id, channel, kind


def scope_token(scope: str) -> str:
    """A scope as one word, so that FTS5 itself can narrow a search to it."""
    return "x" + hashlib.blake2b(scope.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


class Index:
    """Keeps words and vectors in step with the records. `model` names the embedder in use; "" for none."""

    def __init__(self, db: Connection, new_seq: Callable[[], int]) -> None:
        self.db = db
        self.new_seq = new_seq
        self.model = ""
        self.last_dimension = 0
        if db.value("SELECT words_behind FROM upkeep"):
            self._cut_words_anew()
        if db.vectors:
            self._lay_out(self.dimension or FIRST_DIMENSION)
            if db.value("SELECT vectors_behind FROM upkeep"):
                self._catch_up()

    @property
    def dimension(self) -> int:
        """Of the vectors in use, 0 before the first; other threads see the `last_dimension`."""
        self.last_dimension = int(self.db.value("SELECT dimension FROM embedder") or 0)
        return self.last_dimension

    def _lay_out(self, dimension: int) -> None:
        """Make the table of vectors where there is none. They are searched by their signs, one bit a dimension."""
        bits = dimension + -dimension % 8
        self.db.run(
            "CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING "
            f"vec0(seq INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, bits BIT[{bits}])"
        )

    def follow(self, kind: Kind, was: Fields | None, now: Fields | None) -> None:
        """Bring the index from what a record was to what it is."""
        if kind.name == "document":
            self._follow_document(was, now)
        elif kind.name == "tool_call":
            tallies.follow_call(self.db, was, now)
        elif kind.text:
            if kind is FACT:
                self._follow_past_claim(was, now)
            old, new = body_of(kind, was), body_of(kind, now)
            if (old, _place(was)) == (new, _place(now)):
                return
            if old is not None and was is not None:
                if kind is FACT:
                    self._leave_category(was)
                self._remove(was["seq"])
            if new is not None and now is not None:
                vector = self._add(now["seq"], kind.name, now["user_id"], now["channel"], new)
                if kind is FACT:
                    self._enter_category(now, vector)

    def _follow_document(self, was: Fields | None, now: Fields | None) -> None:
        if was and now and all(was[name] == now[name] for name in ("content_hash", "channel", "retired_at")):
            return
        if was:
            for (seq,) in self.db.rows("SELECT seq FROM passages WHERE document_id = ?", (was["id"],)):
                self._remove(seq)
            self.db.run("DELETE FROM passages WHERE document_id = ?", (was["id"],))
        if now and now["retired_at"] is None:
            for passage in passages_of(versions.text_of(self.db, now["content_hash"])):
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
            self.db.run("DELETE FROM past_claims WHERE seq = ?", (was["seq"],))
        if new is not None and now is not None:
            self.db.run("INSERT INTO past_claims VALUES (?, ?)", (now["seq"], new))

    def _leave_category(self, fact: Fields) -> None:
        vector = self.db.value(
            "SELECT vector FROM searchable JOIN embeddings ON embeddings.id = embedding WHERE seq = ?",
            (fact["seq"],),
        )
        if vector is not None:
            tallies.follow_category(self.db, *_place(fact), vector, -1)

    def _enter_category(self, fact: Fields, vector: bytes | None) -> None:
        self.db.run(
            "UPDATE searchable SET claim_hash = ? WHERE seq = ?", (claim_hash(fact["claim"]), fact["seq"])
        )
        if vector is not None:
            tallies.follow_category(self.db, *_place(fact), vector, 1)

    def _add(self, seq: int, kind: str, user_id: str, channel: str, body: str) -> bytes | None:
        """Make a text searchable; returns its vector where one is known."""
        name, scope = text_hash(body), scope_of(user_id, channel, kind)
        known = self.db.row(
            "SELECT id, vector FROM embeddings WHERE hash = ? AND model = ?", (name, self.model)
        )
        embedding: int | None
        vector: bytes | None
        embedding, vector = known or (None, None)
        if vector is not None:
            self.fit(len(vector) // FLOAT32)
        self.db.run(
            "INSERT INTO searchable VALUES (?,?,?,?,?,?,NULL)", (seq, kind, user_id, channel, name, embedding)
        )
        self.db.run(
            "INSERT INTO words (rowid, body, scope) VALUES (?,?,?)", (seq, segment(body), scope_token(scope))
        )
        self._moved(user_id, channel, kind)
        if vector is not None:
            self._add_vector(seq, scope, vector)
        return vector

    def _moved(self, user_id: str, channel: str, kind: str) -> None:
        """Give a scope another version, as what is found in it is another."""
        self.db.run(
            "INSERT INTO scopes VALUES (?, ?, ?, random()) "
            "ON CONFLICT (user_id, channel, kind) DO UPDATE SET version = excluded.version",
            (user_id, channel, kind),
        )

    def _add_vector(self, seq: int, scope: str, vector: bytes) -> None:
        self._on_vectors(
            "INSERT INTO vectors (seq, scope, bits) VALUES (?, ?, vec_quantize_binary(?))",
            (seq, scope, whole_bytes(vector)),
        )

    def fit(self, dimension: int) -> None:
        """Make room for vectors of this dimension. Those of another, made under the same name, are no use any more."""
        before = self.dimension
        if dimension == before:
            return
        self.db.run("UPDATE embedder SET dimension = ?", (dimension,))
        self.last_dimension = dimension
        if before:
            self._leave_search()
            self.db.run(
                "DELETE FROM embeddings WHERE model = ? AND length(vector) != ?",
                (self.model, FLOAT32 * dimension),
            )
        if self.db.vectors:
            self.db.run("DROP TABLE vectors")
            self._lay_out(dimension)

    def _leave_search(self) -> None:
        """Take every vector out of the search; the memories wait for new ones."""
        self.db.run("UPDATE searchable SET embedding = NULL")
        self.db.run("DELETE FROM categories")
        self._on_vectors("DELETE FROM vectors")
        self.db.run("UPDATE scopes SET version = random()")

    def _on_vectors(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Move the table of vectors, or note that it fell behind while this SQLite cannot read it."""
        if self.db.vectors:
            self.db.run(sql, params)
        else:
            self.db.run("UPDATE upkeep SET vectors_behind = 1 WHERE NOT vectors_behind")

    def _cut_words_anew(self) -> None:
        """Fill the text index anew: what filled it before cut words otherwise."""
        with self.db.transaction():
            self.db.run("INSERT INTO words (words) VALUES ('delete-all')")
            self.db.run_many(
                "INSERT INTO words (rowid, body, scope) VALUES (?,?,?)",
                (
                    (seq, segment(text_at(self.db, seq, kind)), scope_token(scope_of(user_id, channel, kind)))
                    for seq, kind, user_id, channel in self.db.rows(
                        "SELECT seq, kind, user_id, channel FROM searchable"
                    )
                ),
            )
            self.db.run("UPDATE upkeep SET words_behind = 0")

    def _catch_up(self) -> None:
        """Fill the table of vectors anew from what is searchable."""
        with self.db.transaction():
            self.db.run("DROP TABLE vectors")
            self._lay_out(self.dimension or FIRST_DIMENSION)
            self.db.run_many(
                "INSERT INTO vectors (seq, scope, bits) VALUES (?, ?, vec_quantize_binary(?))",
                (
                    (seq, scope_of(user_id, channel, kind), whole_bytes(vector))
                    for seq, user_id, channel, kind, vector in self.db.rows(
                        "SELECT searchable.seq, user_id, channel, kind, vector FROM searchable "
                        "JOIN embeddings ON embeddings.id = embedding"
                    )
                ),
            )
            tallies.sum_categories(self.db)
            self.db.run("UPDATE scopes SET version = random()")
            self.db.run("UPDATE upkeep SET vectors_behind = 0")

    def _remove(self, seq: int) -> None:
        self.db.run("DELETE FROM words WHERE rowid = ?", (seq,))
        place = self.db.row("SELECT user_id, channel, kind FROM searchable WHERE seq = ?", (seq,))
        self.db.run("DELETE FROM searchable WHERE seq = ?", (seq,))
        self._on_vectors("DELETE FROM vectors WHERE seq = ?", (seq,))
        if place is not None:
            self._moved(*place)

    def use_model(self, model: str) -> None:
        """Make `model` the embedder in use. Vectors of another leave the search and are made anew in the background."""
        self.model = model
        before = self.db.value("SELECT model FROM embedder")
        if before is None:
            self.db.run("INSERT INTO embedder (model, dimension) VALUES (?, 0)", (model,))
        elif before != model:
            self.db.run("UPDATE embedder SET model = ?, dimension = 0", (model,))
            self.last_dimension = 0
            self._leave_search()

    def waiting(self, limit: int) -> tuple[int, list[tuple[int, str]]]:
        """(how many of `limit` memories without a vector got theirs now, (seq, text) of the others).

        A text that this model has read before needs no model.
        """
        rows = self.db.rows(
            "SELECT seq, kind, text_hash FROM searchable WHERE embedding IS NULL ORDER BY seq LIMIT ?",
            (limit,),
        )
        new = [(seq, kind) for seq, kind, name in rows if not self._take_known(seq, name)]
        return len(rows) - len(new), [(seq, text_at(self.db, seq, kind)) for seq, kind in new]

    def _take_known(self, seq: int, name: bytes) -> bool:
        """Give a memory the vector that is kept under the hash of its text; returns False where there is none."""
        known = self.db.row(
            "SELECT id, vector FROM embeddings WHERE hash = ? AND model = ?", (name, self.model)
        )
        if known is not None:
            self._give(seq, *known)
        return known is not None

    def embedded(self, seq: int, text: str, vector: bytes, model: str) -> None:
        """Keep the vector (float32) that `model` made of a memory's text, if both are as they were."""
        name = text_hash(text)
        if model != self.model or not self.db.value(
            "SELECT 1 FROM searchable WHERE seq = ? AND text_hash = ? AND embedding IS NULL", (seq, name)
        ):
            return
        self.fit(len(vector) // FLOAT32)
        self.db.run(
            "INSERT OR IGNORE INTO embeddings (hash, model, vector) VALUES (?,?,?)", (name, model, vector)
        )
        known = self.db.row("SELECT id, vector FROM embeddings WHERE hash = ? AND model = ?", (name, model))
        assert known is not None
        self._give(seq, *known)

    def _give(self, seq: int, embedding: int, vector: bytes) -> None:
        """Have a memory found by this vector."""
        self.fit(len(vector) // FLOAT32)
        self.db.run("UPDATE searchable SET embedding = ? WHERE seq = ?", (embedding, seq))
        user_id, channel, kind = self.db.rows(
            "SELECT user_id, channel, kind FROM searchable WHERE seq = ?", (seq,)
        )[0]
        self._add_vector(seq, scope_of(user_id, channel, kind), vector)
        self._moved(user_id, channel, kind)
        if kind == FACT.name:
            category = self.db.value("SELECT category FROM facts WHERE seq = ?", (seq,))
            tallies.follow_category(self.db, user_id, channel, category, vector, 1)


def whole_bytes(vector: bytes) -> bytes:
    """A vector (float32) as sqlite-vec takes its signs: filled up with zeros to a multiple of eight dimensions."""
    return vector + bytes(-len(vector) % (8 * FLOAT32))


def text_at(db: Connection, seq: int, kind: str) -> str:
    """The searched text of a memory by its search number."""
    from_record = {
        "turn": "SELECT content FROM turns WHERE seq = ?",
        "fact": "SELECT claim FROM facts WHERE seq = ?",
        "entity": "SELECT name || CASE description WHEN '' THEN '' ELSE char(10) || description END"
        " FROM entities WHERE seq = ?",
        "alias": "SELECT name FROM aliases WHERE seq = ?",
        "goal": "SELECT description || CASE result WHEN '' THEN '' ELSE char(10) || result END"
        " FROM goals WHERE seq = ?",
        "strategy": "SELECT description || CASE context_pattern WHEN '' THEN '' ELSE char(10) || context_pattern END"
        " FROM strategies WHERE seq = ?",
        "passage": "SELECT text FROM passages WHERE seq = ?",
    }
    return str(db.value(from_record[kind], (seq,)))


def _place(fields: Fields | None) -> tuple[str, str, str]:
    """Where a record is searched: user, channel and, for a fact, category."""
    return (
        ("", "", "") if fields is None else (fields["user_id"], fields["channel"], fields.get("category", ""))
    )


def body_of(kind: Kind, fields: Fields | None) -> str | None:
    """The searched text of a record, None when it is not to be found (absent, retired, superseded)."""
    if fields is None or _is_past(fields):
        return None
    return "\n".join(str(fields[name]) for name in kind.text if fields[name])


def _past_claim(fields: Fields | None) -> str | None:
    """The hash of what a fact claims that is out of recall, None for any other."""
    return claim_hash(fields["claim"]) if fields is not None and _is_past(fields) else None


def _is_past(fields: Fields) -> bool:
    """Tell whether a record is retired or superseded."""
    return fields.get("retired_at") is not None or fields.get("superseded_by") is not None
