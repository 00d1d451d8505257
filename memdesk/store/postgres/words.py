"""Memories by their words and vectors in PostgreSQL: own postings with the tokens of the file's index, and sign bits in
a plain table, so that both databases find the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from pathlib import Path

from memdesk.model.errors import StorageFailed
from memdesk.model.message import message
from memdesk.store import binding
from memdesk.store.connection import Connection
from memdesk.store.counters import SOUND
from memdesk.store.indexing import (
    FIRST_DIMENSION,
    Index,
    place_of,
    scope_of,
    scope_token,
    sign_bits,
    texts_of,
)
from memdesk.store.postgres import walling
from memdesk.store.postgres.engines import others
from memdesk.store.search import EVERY_SEQ, Scope, Sought, versions
from memdesk.store.timeline_query import BEYOND
from memdesk.store.words import segment

POSTINGS = """
CREATE TABLE postings (
  scope TEXT NOT NULL, term TEXT NOT NULL, seq INTEGER NOT NULL, places BIGINT[] NOT NULL,
  PRIMARY KEY (scope, term, seq));
CREATE INDEX postings_seq ON postings (seq);
CREATE TABLE titles (word TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (word, id));
CREATE TABLE vectors (seq INTEGER NOT NULL PRIMARY KEY, scope TEXT NOT NULL, bits BLOB NOT NULL);
CREATE INDEX vectors_scope ON vectors (scope)
"""
"""Terms of memories, by scope, with their places in the text, for phrases; words of the titles of events; sign bits of
vectors."""

TOGETHER = 1000
"""Memories that are indexed together when a desk is copied."""


class Cutter:
    """Cuts texts into the terms of the file's index, by SQLite itself. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._db = binding.connect(
            Path(":memory:"), clear=True, isolation_level=None, check_same_thread=False
        )
        self._db.execute(
            "CREATE VIRTUAL TABLE cut USING fts5 (body, content='', tokenize='porter unicode61 remove_diacritics 2')"
        )
        self._db.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (cut, instance)")

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, in its order."""
        with self._lock:
            self._db.execute("BEGIN")
            self._db.execute("INSERT INTO cut (rowid, body) VALUES (1, ?)", (text,))
            found = self._db.execute('SELECT term FROM terms ORDER BY "offset"').fetchall()
            self._db.execute("ROLLBACK")
        return [term for (term,) in found]


@cache
def _cutter() -> Cutter:
    return Cutter()


class PostgresIndex(Index):
    """Index whose words are postings, and whose vectors are sign bits that readers cache by scope."""

    def use_model(self, model: str) -> None:
        """Make `model` the embedder in use. Raises StorageFailed while other engines use another one."""
        before = self.db.value("SELECT model FROM embedder")
        if before not in (None, model) and others(self.db):
            raise StorageFailed(
                message("The vectors of this desk's database are of the embedder {before}.", before=before),
                next=message("Choose the same one here; or stop the other services of this desk first."),
            )
        super().use_model(model)

    def _lay_out(self, dimension: int) -> None:
        """Do nothing: the table takes sign bits of any dimension."""

    def _empty_vectors(self, dimension: int) -> None:
        self.db.run("DELETE FROM vectors")

    def _add_vector(self, seq: int, scope: str, vector: bytes) -> None:
        self.db.send("INSERT INTO vectors VALUES (?,?,?)", (seq, scope, sign_bits(vector)))

    def _add_words(self, seq: int, body: str, scope: str) -> None:
        user_id, channel, _ = place_of(scope)
        self.db.send(walling.PLACE, (scope_token(scope), scope, user_id, channel))
        self.db.run_many("INSERT INTO postings VALUES (?,?,?,?)", _postings(seq, body, scope))

    def fill(self) -> None:
        walling.fill_places(self.db)
        self._empty_vectors(self.dimension or FIRST_DIMENSION)
        memories = self.db.each(
            f"SELECT seq, kind, user_id, channel, {SOUND} FROM searchable "
            "LEFT JOIN embeddings ON embeddings.id = embedding"
        )
        while some := list(islice(memories, TOGETHER)):
            texts = texts_of(self.db, [(seq, kind) for seq, kind, *_ in some])
            places = [(seq, scope_of(user_id, channel, kind)) for seq, kind, user_id, channel, _ in some]
            self.db.load(
                "postings",
                ("scope", "term", "seq", "places"),
                (row for seq, scope in places for row in _postings(seq, texts[seq], scope)),
            )
            self.db.load(
                "vectors",
                ("seq", "scope", "bits"),
                ((*place, sign_bits(row[-1])) for place, row in zip(places, some, strict=True) if row[-1]),
            )

    def _remove_words(self, seq: int) -> None:
        self.db.send("DELETE FROM postings WHERE seq = ?", (seq,))


def _postings(seq: int, body: str, scope: str) -> list[tuple[str, str, int, list[int]]]:
    """Return the rows of `postings` for a text."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(_cutter().terms(segment(body))):
        places.setdefault(term, []).append(place)
    name = scope_token(scope)
    return [(name, term, seq, found) for term, found in places.items()]


def postings_of(db: Connection, sought: Sequence[Sought], scope: Scope) -> list[list[int]]:
    """Return search numbers of the memories of a scope with each of these words, newest first. Words of one term
    each, as most are, are found by one statement."""
    # Each word is looked up in each of them. A recall knows already which ones hold anything.
    parts = scope.parts if db.snapshot is None else [part for part, _ in versions(db, scope)]
    scopes, seqs = [scope_token(part) for part in parts], scope.seqs or EVERY_SEQ
    if not scopes:
        return [[] for _ in sought]
    cut = [[_terms(text) for text in each.terms] for each in sought]
    plain = [
        n for n, each in enumerate(sought) if not each.beginning and all(len(terms) == 1 for terms in cut[n])
    ]
    # A memory has one scope, so no scope's list holds a number of another.
    asked = list(dict.fromkeys((n, term) for n in plain for (term,) in cut[n]))
    found: list[list[list[int]]] = [[] for _ in sought]
    rows = (
        db.rows(
            "SELECT n, ARRAY (SELECT seq FROM postings WHERE term = word AND scope = ANY (?) AND seq BETWEEN ? AND ? "
            "ORDER BY seq DESC LIMIT asked.most) FROM unnest(?::bigint[], ?::text[], ?::bigint[]) "
            "AS asked (n, word, most)",
            (
                scopes,
                *seqs,
                [n for n, _ in asked],
                [term for _, term in asked],
                [sought[n].most for n, _ in asked],
            ),
        )
        if asked
        else []
    )
    for n, newest in rows:
        found[n].append(newest)
    return [
        _joined(found[n], each.most) if n in plain else _newest(db, each, cut[n], scopes, seqs)
        for n, each in enumerate(sought)
    ]


def _joined(lists: Sequence[list[int]], most: int) -> list[int]:
    """Return the newest of lists that each have theirs first."""
    return lists[0] if len(lists) == 1 else sorted({*chain.from_iterable(lists)}, reverse=True)[:most]


def _newest(
    db: Connection, sought: Sought, cut: list[tuple[str, ...]], scopes: list[str], seqs: tuple[int, int]
) -> list[int]:
    parts = list(_phrases(sought, cut))
    if not parts:
        return []
    sql = " UNION ".join(part for part, _ in parts)
    params = [value for _, given in parts for value in (*given, scopes, *seqs, sought.most)]
    rows = db.rows(f"SELECT seq FROM ({sql}) AS found ORDER BY seq DESC LIMIT ?", (*params, sought.most))
    return [seq for (seq,) in rows]


@lru_cache(maxsize=4096)
def _terms(text: str) -> tuple[str, ...]:
    """Return the terms of a word that is sought; the same ones are sought again and again."""
    return tuple(_cutter().terms(text))


def _phrases(sought: Sought, cut: list[tuple[str, ...]]) -> Iterator[tuple[str, list[str]]]:
    """Yield (SELECT of the newest memories with a phrase, its terms)."""
    for number, terms in enumerate(cut, 1):
        begun = sought.beginning and number == len(sought.terms)
        conditions = [f"p{n}.term = ?" for n in range(len(terms))]
        given = list(terms)
        if begun and terms:
            conditions[-1] = f"p{len(terms) - 1}.term >= ? AND p{len(terms) - 1}.term < ?"
            given.append(terms[-1] + BEYOND)
        conditions += [
            f"p{n}.scope = p0.scope AND p{n}.seq = p0.seq AND EXISTS "
            f"(SELECT 1 FROM unnest(p0.places) AS place WHERE place + {n} = ANY (p{n}.places))"
            for n in range(1, len(terms))
        ]
        if terms:
            tables = ", ".join(f"postings AS p{n}" for n in range(len(terms)))
            yield (
                f"(SELECT DISTINCT p0.seq FROM {tables} WHERE {' AND '.join(conditions)} "
                "AND p0.scope = ANY (?) AND p0.seq BETWEEN ? AND ? ORDER BY p0.seq DESC LIMIT ?)",
                given,
            )
