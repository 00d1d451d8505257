"""Memories by their words and vectors in PostgreSQL: own postings with the tokens of the file's index, and sign bits in
a plain table, so that both databases find the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from memdesk.store import binding
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index, scope_token, sign_bits
from memdesk.store.search import EVERY_SEQ, Scope, Sought
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

    def _lay_out(self, dimension: int) -> None:
        """Do nothing: the table takes sign bits of any dimension."""

    def _empty_vectors(self, dimension: int) -> None:
        self.db.run("DELETE FROM vectors")

    def _add_vector(self, seq: int, scope: str, vector: bytes) -> None:
        self.db.run("INSERT INTO vectors VALUES (?,?,?)", (seq, scope, sign_bits(vector)))

    def _add_words(self, seq: int, body: str, scope: str) -> None:
        places: dict[str, list[int]] = {}
        for place, term in enumerate(_cutter().terms(segment(body))):
            places.setdefault(term, []).append(place)
        name = scope_token(scope)
        self.db.run_many(
            "INSERT INTO postings VALUES (?,?,?,?)",
            [(name, term, seq, found) for term, found in places.items()],
        )

    def _remove_words(self, seq: int) -> None:
        self.db.run("DELETE FROM postings WHERE seq = ?", (seq,))


def postings_of(db: Connection, sought: Sequence[Sought], scope: Scope) -> list[list[int]]:
    """Return search numbers of the memories of a scope with each of these words, newest first."""
    scopes = [scope_token(part) for part in scope.parts]
    return [_newest(db, each, scopes, scope.seqs or EVERY_SEQ) for each in sought]


def _newest(db: Connection, sought: Sought, scopes: list[str], seqs: tuple[int, int]) -> list[int]:
    # A memory has one scope, so no scope's list holds a number of another.
    parts = list(_phrases(sought))
    if not parts or not scopes:
        return []
    sql = " UNION ".join(part for part, _ in parts)
    params = [value for _, given in parts for value in (*given, scopes, *seqs, sought.most)]
    rows = db.rows(f"SELECT seq FROM ({sql}) AS found ORDER BY seq DESC LIMIT ?", (*params, sought.most))
    return [seq for (seq,) in rows]


def _phrases(sought: Sought) -> Iterator[tuple[str, list[str]]]:
    """Yield (SELECT of the newest memories with a phrase, its terms)."""
    for number, text in enumerate(sought.terms, 1):
        terms = _cutter().terms(text)
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
