"""The nearest vectors, counted from vec0's own pages, are the nearest that vec0 finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memdesk.store import nearness
from memdesk.store.connection import Connection

LIMIT = 64


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Connection:
    """6,000 vectors in one scope and 50 in another, some of them gone and some written anew."""
    opened = Connection(Path(tmp_path_factory.mktemp("desk")) / "vectors.db", writer=True)
    if not opened.vectors:
        pytest.skip("this SQLite has no sqlite-vec")
    opened.run(
        "CREATE VIRTUAL TABLE vectors USING vec0(seq INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, bits BIT[256])"
    )
    drawn = np.random.default_rng(4)
    with opened.transaction():
        for seq in range(1, 6_051):
            opened.run(
                "INSERT INTO vectors VALUES (?, ?, vec_bit(?))",
                (seq, "few" if seq % 121 == 0 else "many", drawn.bytes(32)),
            )
        opened.run("DELETE FROM vectors WHERE seq BETWEEN 900 AND 1400 AND scope = 'many'")
        for seq in range(950, 1_000):
            if seq % 121:
                opened.run("INSERT INTO vectors VALUES (?, 'many', vec_bit(?))", (seq, drawn.bytes(32)))
    return opened


@pytest.mark.parametrize("scope", ["many", "few", "none"])
def test_the_same_are_near_by_either_way(db: Connection, scope: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(9)
    for _ in range(10):
        bits = drawn.bytes(32)
        rows = db.rows(
            "SELECT seq, distance FROM vectors WHERE bits MATCH vec_bit(?) AND k = ? AND scope = ?",
            (bits, LIMIT, scope),
        )
        found = nearness.nearest(db, bits, scope, LIMIT)
        last = max((distance for _, distance in rows), default=0)
        assert len(found) == len(rows)
        assert {seq for seq, distance in rows if distance < last} <= set(found)
        with monkeypatch.context() as patched:
            patched.setattr(nearness, "SMALL", 0)
            counted = nearness.nearest(db, bits, scope, LIMIT)
        assert len(counted) == len(rows)
        assert {seq for seq, distance in rows if distance < last} <= set(counted)


def test_pages_kept_otherwise_are_left_to_vec0(db: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "_PAGES", frozenset(("another",)))
    monkeypatch.setattr(nearness, "SMALL", 0)
    assert len(nearness.nearest(db, b"\x01" * 32, "many", LIMIT)) == LIMIT
