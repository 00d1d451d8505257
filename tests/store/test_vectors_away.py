"""A desk opened by a SQLite that cannot search vectors, and then by one that can: nothing stale, nothing missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.health.status import NO_VECTORS, status
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.curation import EditFact, Retire
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.store import binding
from memdesk.store.indexing import sign_bits

MARA = "person:Mara"

# A database has its vectors in a plain table, which needs no extension.
pytestmark = [
    pytest.mark.file,
    pytest.mark.skipif(not binding.can_load_extensions, reason="this SQLite never has vectors"),
]


def opened(folder: Path, monkeypatch: pytest.MonkeyPatch, *, vectors: bool) -> Engine:
    monkeypatch.setattr(binding, "can_load_extensions", vectors)
    engine = open_engine(Desk(folder))
    assert engine.store.vectors is vectors
    return engine


def learn(engine: Engine, claim: str) -> str:
    return learn_fact(engine, NewFact(claim=claim), author=MARA).id


def embed_all(engine: Engine) -> None:
    while embed_pending(engine):
        pass


def vectors_beside_records(engine: Engine) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """What the table of vectors holds, and what it should hold."""
    with engine.store.reading() as db:
        held = dict(db.rows("SELECT seq, bits FROM vectors"))
        vectors = db.rows("SELECT seq, vector FROM searchable JOIN embeddings ON embeddings.id = embedding")
        due = {seq: sign_bits(vector) for seq, vector in vectors}
    return held, due


def test_a_desk_without_vectors_answers_by_words_and_says_what_is_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = opened(tmp_path, monkeypatch, vectors=False)
    id = learn(engine, "Mara likes green tea")
    bundle = recall(engine, Query(text="green tea"), author=MARA)
    assert [hit.id for hit in bundle.hits] == [id] and bundle.notices
    assert status(engine, socket="", pid=1, started_at=to_datetime(0), jobs=()).notices == (NO_VECTORS,)
    engine.close()


def test_a_desk_made_without_vectors_has_them_all_once_they_can_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = opened(tmp_path, monkeypatch, vectors=False)
    learn(away, "Mara likes green tea")
    embed_all(away)
    learn(away, "Jun likes rain")
    away.close()
    back = opened(tmp_path, monkeypatch, vectors=True)
    embed_all(back)
    held, due = vectors_beside_records(back)
    assert held == due and len(held) == 2
    back.close()


def test_what_changed_while_vectors_were_away_leaves_none_stale_and_none_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(tmp_path, monkeypatch, vectors=True)
    edited, retired = learn(before, "Mara likes green tea"), learn(before, "Jun likes rain")
    embed_all(before)
    before.close()
    away = opened(tmp_path, monkeypatch, vectors=False)
    edit_fact(away, EditFact(fact_id=edited, claim="The violin is being repaired"), author=MARA)
    retire(away, Retire(id=retired), author=MARA)
    learn(away, "The garden needs water")
    embed_all(away)
    away.close()
    back = opened(tmp_path, monkeypatch, vectors=True)
    held, due = vectors_beside_records(back)
    assert held == due and len(held) == 2
    back.close()
