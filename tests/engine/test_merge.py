"""Two memories become one: names, relations, sources, tags and use come together, and undo takes them apart again."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory import merge as merge_module
from memdesk.engine.memory.merge import merge, preview_merge
from memdesk.engine.memory.remember import relate, store_turn, upsert_entity
from memdesk.engine.memory.tags import tag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo, undo_run
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.curation import Merge, PreviewMerge, Tagging, Undo, UndoRun
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT
from memdesk.model.kinds import KINDS
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewRelation, NewTurn
from memdesk.store import recalls, records, semantic
from tests.engine.conftest import embed_all, stored_fact
from tests.store.agreement import assert_agreement

FORGE, MARA = "agent:Forge", "person:Mara"


def entity(engine: Engine, name: str, **more: Any) -> str:
    return upsert_entity(engine, NewEntity(name=name, channel="harbour", **more), author=FORGE).id


def learn(engine: Engine, claim: str, channel: str = "harbour", **more: Any) -> str:
    return stored_fact(engine, claim, channel, **more)


def state(engine: Engine) -> dict[str, list[Any]]:
    with engine.store.reading() as db:
        return {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}


@pytest.fixture
def pair(engine: Engine) -> tuple[str, str]:
    """(an entity that is another one, that other one), both with facts, names and relations."""
    kept = entity(engine, "PostgreSQL", aliases=("Postgres",))
    lost = entity(engine, "pg", type="Technology", description="A database", aliases=("postgres", "PG 16"))
    for name in ("pg", "PostgreSQL"):
        learn(engine, f"The log runs on {name}", about=(name,))
        ask = NewRelation(source=name, target=entity(engine, "Mara"), type="KNOWS", channel="harbour")
        relate(engine, ask, author=FORGE)
    relate(engine, NewRelation(source="pg", target="PostgreSQL", channel="harbour"), author=FORGE)
    tag(engine, Tagging(id=lost, tags=("database",)), author=FORGE)
    return lost, kept


def test_a_merged_entity_leaves_its_names_facts_relations_and_tags_behind(
    engine: Engine, pair: tuple[str, str]
) -> None:
    lost, kept = pair
    found = preview_merge(engine, PreviewMerge(id=lost, into_id=kept))
    assert (found.about, found.relations, found.repeated, found.names, found.tags) == (1, 0, 2, 2, 1)
    merge(engine, Merge(id=lost, into_id=kept, reason="one database"), author=MARA)
    seen = inspect(engine, Inspect(id=kept))
    assert {each.title for each in seen.related} == {
        "The log runs on pg",
        "The log runs on PostgreSQL",
        "Mara",
    }
    assert seen.tags == ("database",) and seen.category == "Technology"
    with engine.store.reading() as db:
        assert sorted(semantic.aliases_of(db, kept)) == ["PG 16", "Postgres", "pg"]
        assert semantic.entity_named(db, "local", ("harbour",), "PG").id == kept  # type: ignore[union-attr]
        gone = records.need(db, ENTITY, lost)
        assert records.need(db, ENTITY, kept).description == "A database"
    assert gone.retired_at is not None and kept in gone.properties


def test_an_entity_that_has_a_description_keeps_it_in_a_merge(engine: Engine) -> None:
    kept = entity(engine, "PostgreSQL", description="A relational database")
    lost = entity(engine, "pg", description="A database")
    merge(engine, Merge(id=lost, into_id=kept), author=MARA)
    with engine.store.reading() as db:
        assert records.need(db, ENTITY, kept).description == "A relational database"


def test_a_merge_is_undone_whole(engine: Engine, pair: tuple[str, str]) -> None:
    before = state(engine)
    done = merge(engine, Merge(id=pair[0], into_id=pair[1]), author=MARA)
    assert done.run is None
    undo(engine, Undo(), author=MARA)
    assert state(engine) == before
    embed_all(engine)
    engine.store.close()
    assert_agreement(engine.desk.database)


def test_use_of_both_counts_for_the_one_that_is_kept(engine: Engine, pair: tuple[str, str]) -> None:
    for name in ("pg", "pg", "PostgreSQL"):
        query = Query(text=name, channel="harbour", kinds=("entity",), limit=1)
        assert recall(engine, query, author=FORGE).hits
    engine.store.submit(lambda _db: None).result()
    with engine.store.reading() as db:
        seqs = [records.need(db, ENTITY, id).seq for id in pair]
        before = {seq: use.access_count for seq, use in recalls.uses(db, seqs).items()}
    assert preview_merge(engine, PreviewMerge(id=pair[0], into_id=pair[1])).recalled == before[seqs[0]]
    merge(engine, Merge(id=pair[0], into_id=pair[1]), author=MARA)
    with engine.store.reading() as db:
        assert recalls.uses(db, seqs)[seqs[1]].access_count == sum(before.values())


def test_a_merge_too_long_for_one_change_is_a_run(
    engine: Engine, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(engine)
    monkeypatch.setattr(merge_module, "STEP", 2)
    changes = preview_merge(engine, PreviewMerge(id=pair[0], into_id=pair[1])).changes
    done = merge(engine, Merge(id=pair[0], into_id=pair[1]), author=MARA)
    assert done.run is not None and changes > 2
    with engine.store.reading() as db:
        assert sorted(semantic.aliases_of(db, pair[1])) == ["PG 16", "Postgres", "pg"]
    undone = undo_run(engine, UndoRun(change=done.change), author=MARA, progress=ignore_progress)
    assert undone["undone"] >= changes and undone["left"] == {} and state(engine) == before


@pytest.mark.both
def test_merged_facts_share_their_sources_and_the_surer_confidence(engine: Engine) -> None:
    turns = [
        store_turn(engine, NewTurn(content=f"Ferry at nine, {n}.", channel="harbour"), author=FORGE).id
        for n in (1, 2)
    ]
    kept = learn(
        engine, "The ferry leaves at nine", source_turn_id=turns[0], confidence=0.7, about=("Ferry",)
    )
    lost = learn(engine, "At nine the ferry leaves", source_turn_id=turns[1], about=("Ferry",))
    tag(engine, Tagging(id=lost, tags=("timetable",)), author=MARA)
    before = state(engine)
    merge(engine, Merge(id=lost, into_id=kept), author=MARA)
    (row,) = facts(engine, ListFacts()).rows
    assert (row.id, row.conversations, row.confidence, row.tags) == (kept, 2, 0.95, ("timetable",))
    with engine.store.reading() as db:
        assert records.need(db, FACT, lost).superseded_by == kept
    undo(engine, Undo(), author=MARA)
    assert state(engine) == before


def test_a_project_fact_goes_into_the_one_of_global(engine: Engine) -> None:
    lost, kept = learn(engine, "Tea is at four"), learn(engine, "Tea at four", "_global")
    merge(engine, Merge(id=lost, into_id=kept), author=MARA)
    assert [row.id for row in facts(engine, ListFacts()).rows] == [kept]


def test_what_cannot_be_one_is_refused(engine: Engine, pair: tuple[str, str]) -> None:
    fact, elsewhere = learn(engine, "Tea is at four"), learn(engine, "Tea is at five", "kitchen")
    for id, into in ((fact, pair[0]), (fact, fact), (fact, elsewhere)):
        with pytest.raises(BadAsk):
            merge(engine, Merge(id=id, into_id=into), author=MARA)
    merge(engine, Merge(id=pair[0], into_id=pair[1]), author=MARA)
    with pytest.raises(Conflict, match="is retired"):
        merge(engine, Merge(id=pair[0], into_id=pair[1]), author=MARA)
    with pytest.raises(NotFound):
        preview_merge(engine, PreviewMerge(id="e_nowhere", into_id=pair[1]))
