"""What is found within a scope is all of the scope and nothing else, by whichever way is faster, while it changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.curation import EditFact, EraseUser, Retire, Undo
from memdesk.model.remember import NewFact
from memdesk.store import search
from memdesk.store.connection import Connection
from memdesk.store.indexing import scope_of
from memdesk.store.search import Scope, Sought

MARA = "person:Mara"
WORDS = ("pump", "valve", "river", "kiwi", "lantern", "harbour")
SCOPES = tuple(
    Scope(user_id=user, channels=channels, kinds=kinds)
    for user in ("local", "ben")
    for channels in (("garden",), ("garden", "_global"))
    for kinds in (("fact",), ("fact", "entity", "turn"))
)


def all_ways(db: Connection, monkeypatch: pytest.MonkeyPatch, scope: Scope, word: str) -> list[list[int]]:
    """The hits of a word as they are found where few, some, and many memories lie outside of the scope."""
    found = []
    for few in (0, 3, 400):
        with monkeypatch.context() as patched:
            patched.setattr(search, "FEW", few)
            outside = search.others(db, scope)
            assert outside is None or len(outside) <= few
            sought = [Sought(terms=(word,), most=5)]
            found += [search.postings_of(db, sought, scope, others=each)[0] for each in {outside, None}]
    return found


def scanned(db: Connection, scope: Scope, word: str) -> list[int]:
    """The same, by reading every memory."""
    rows = db.rows(
        "SELECT searchable.seq, searchable.user_id, searchable.channel, searchable.kind FROM searchable "
        "JOIN facts ON facts.seq = searchable.seq WHERE claim LIKE ? ORDER BY searchable.seq DESC",
        (f"%{word}%",),
    )
    return [
        row[0]
        for row in rows
        if row[1] == scope.user_id and row[2] in scope.channels and row[3] in scope.kinds
    ][:5]


def check(engine: Engine, monkeypatch: pytest.MonkeyPatch, query: bytes) -> None:
    """Every scope, by words and by vectors, by the fast ways and the plain one."""
    with engine.store.reading() as db:
        for scope in SCOPES:
            for word in WORDS:
                assert all(way == scanned(db, scope, word) for way in all_ways(db, monkeypatch, scope, word))
            if db.vectors:
                near = set(search.nearest(db, query, scope, 500))
                assert near == embedded(db, scope)
                assert not db.virtual_tables or near == by_vec0(db, query, scope.parts)


def embedded(db: Connection, scope: Scope) -> set[int]:
    """All memories of a scope that have a vector, by reading every one."""
    rows = db.rows("SELECT seq, user_id, channel, kind FROM searchable WHERE embedding IS NOT NULL")
    return {seq for seq, *place in rows if scope_of(*place) in scope.parts}


def by_vec0(db: Connection, query: bytes, parts: Sequence[str]) -> set[int]:
    """All memories of some scopes, as the table of vectors itself finds them."""
    asked = "SELECT seq FROM vectors WHERE bits MATCH vec_bit(?) AND k = 500 AND scope = ?"
    return {row[0] for part in parts for row in db.rows(asked, (query, part))}


def test_the_fast_ways_find_what_the_plain_ones_do_through_every_kind_of_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, drawn = open_engine(Desk(tmp_path / "desk")), random.Random(8)
    query = np.random.default_rng(8).bytes(32)
    standing: list[str] = []
    for step in range(60):
        act = drawn.choice(("learn", "learn", "learn", "edit", "retire", "undo"))
        claim = f"The {drawn.choice(WORDS)} of {step} beside the {drawn.choice(WORDS)}"
        if act == "learn" or not standing:
            ask = NewFact(
                claim=claim,
                user_id=drawn.choice(("local", "local", "ben")),
                channel=drawn.choice(("garden", "_global", "sea")),
            )
            standing.append(learn_fact(engine, ask, author=MARA).id)
        elif act == "edit":
            edit_fact(engine, EditFact(fact_id=standing[-1], claim=claim), author=MARA)
        elif act == "retire":
            retire(engine, Retire(id=standing.pop()), author=MARA)
        else:
            undo(engine, Undo(), author=MARA)
            standing = _standing(engine)
        if step % 3 == 0:
            while embed_pending(engine):
                pass
        if step % 6 == 0:
            check(engine, monkeypatch, query)
    erase_user(engine, EraseUser(user_id="ben", confirm="ben"), author=MARA, progress=lambda *_: None)
    check(engine, monkeypatch, query)
    engine.close()


def _standing(engine: Engine) -> list[str]:
    with engine.store.reading() as db:
        rows = db.rows("SELECT id FROM facts WHERE retired_at IS NULL AND superseded_by IS NULL ORDER BY seq")
    return [row[0] for row in rows]
