"""The nearest vectors, counted from vec0's own pages, are the nearest that vec0 finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memdesk.store import connection, search
from memdesk.store.connection import CachedScope, Connection
from memdesk.store.indexing import place_of, scope_of
from memdesk.store.search import Scope

LIMIT = 64
MANY, FEW, NONE = (scope_of("local", name, "fact") for name in ("many", "few", "none"))


def only(part: str) -> Scope:
    user_id, channel, kind = place_of(part)
    return Scope(user_id=user_id, channels=(channel,), kinds=(kind,))


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Connection:
    """6,000 vectors in one scope and 50 in another, some of them gone and some written anew."""
    opened = Connection(Path(tmp_path_factory.mktemp("desk")) / "vectors.db", writer=True)
    if not opened.vectors:
        pytest.skip("this SQLite has no sqlite-vec")
    opened.run(
        "CREATE VIRTUAL TABLE vectors USING vec0(seq INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, bits BIT[256])"
    )
    opened.run("CREATE TABLE scopes (user_id TEXT, channel TEXT, kind TEXT, version INTEGER)")
    opened.run("INSERT INTO scopes VALUES ('local', 'many', 'fact', 1), ('local', 'few', 'fact', 1)")
    drawn = np.random.default_rng(4)
    with opened.transaction():
        for seq in range(1, 6_051):
            opened.run(
                "INSERT INTO vectors VALUES (?, ?, vec_bit(?))",
                (seq, FEW if seq % 121 == 0 else MANY, drawn.bytes(32)),
            )
        opened.run("DELETE FROM vectors WHERE seq BETWEEN 900 AND 1400 AND scope = ?", (MANY,))
        for seq in range(950, 1_000):
            if seq % 121:
                opened.run("INSERT INTO vectors VALUES (?, ?, vec_bit(?))", (seq, MANY, drawn.bytes(32)))
    return opened


@pytest.mark.parametrize("scope", [MANY, FEW, NONE])
def test_the_same_are_near_as_by_vec0(db: Connection, scope: str) -> None:
    drawn = np.random.default_rng(9)
    for _ in range(10):
        bits = drawn.bytes(32)
        rows = db.rows(
            "SELECT seq, distance FROM vectors WHERE bits MATCH vec_bit(?) AND k = ? AND scope = ?",
            (bits, LIMIT, scope),
        )
        found = search.nearest(db, bits, only(scope), LIMIT)
        last = max((distance for _, distance in rows), default=0)
        assert len(found) == len(rows)
        assert {seq for seq, distance in rows if distance < last} <= set(found)


def test_vectors_of_any_number_of_bytes_are_counted(tmp_path: Path) -> None:
    db = Connection(tmp_path / "vectors.db", writer=True)
    if not db.vectors:
        pytest.skip("this SQLite has no sqlite-vec")
    db.run(
        "CREATE VIRTUAL TABLE vectors USING vec0(seq INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, bits BIT[40])"
    )
    db.run("CREATE TABLE scopes (user_id TEXT, channel TEXT, kind TEXT, version INTEGER)")
    db.run("INSERT INTO scopes VALUES ('local', 'few', 'fact', 1)")
    for seq, bits in enumerate((b"\x00" * 5, b"\x00" * 4 + b"\x01", b"\xff" * 5), start=1):
        db.run("INSERT INTO vectors VALUES (?, ?, vec_bit(?))", (seq, FEW, bits))
    assert search.nearest(db, b"\x00" * 5, only(FEW), 2) == [1, 2]
    assert db.scopes.at(FEW, 1) is not None
    db.close()


def test_pages_kept_otherwise_are_left_to_vec0(db: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    read = set(search.nearest(db, b"\x01" * 32, only(MANY), 6_000))
    db.scopes.clear()
    monkeypatch.setattr(search, "PAGES", "pages_of_another_make")
    assert set(search.nearest(db, b"\x01" * 32, only(MANY), 4_000)) < read
    db.scopes.clear()


def test_what_was_read_of_a_scope_serves_until_its_version_moves(db: Connection) -> None:
    bits = b"\x55" * 32
    before = search.nearest(db, bits, only(MANY), LIMIT)
    with db.transaction():
        db.run("DELETE FROM vectors WHERE seq = ?", (before[0],))
        assert search.nearest(db, bits, only(MANY), LIMIT) == before
        db.run("UPDATE scopes SET version = 2")
        after = search.nearest(db, bits, only(MANY), LIMIT)
        assert before[0] not in after and after[: LIMIT - 1] == before[1:]
        db.run("INSERT INTO vectors VALUES (?, ?, vec_bit(?))", (before[0], MANY, bits))
        db.run("UPDATE scopes SET version = 3")
        assert search.nearest(db, bits, only(MANY), LIMIT)[0] == before[0]


def test_the_scopes_that_were_asked_for_last_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    held = CachedScope(version=7, words=np.zeros((4, 100), np.uint64), seqs=np.arange(100))
    monkeypatch.setattr(connection, "CACHE_BYTES", 2 * held.size)
    some = connection.Scopes()
    for name in ("a", "b"):
        some.keep(name, held)
    assert some.at("a", 7) is held and some.at("a", 8) is None
    some.keep("c", held)
    assert (some.at("a", 7), some.at("b", 7), some.at("c", 7)) == (held, None, held)
