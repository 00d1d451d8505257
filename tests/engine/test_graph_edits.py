"""Corrections of the graph: an entity's names, type and description, a relation's type."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.engine.browsing.details import entity, inspect
from memdesk.engine.browsing.graph import graph
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.graph_edits import edit_entity, edit_relation
from memdesk.engine.memory.remember import learn_fact, relate, upsert_entity
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.browse import Inspect
from memdesk.model.curation import Curated, EditEntity, EditRelation, Retire, Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.graph import AskEntity, AskGraph, EntityView
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation

IRIS, MARA = "agent:Iris", "person:Mara"


def make(engine: Engine, name: str, **more: Any) -> str:
    return upsert_entity(engine, NewEntity(name=name, channel="harbor", **more), author=IRIS).id


def join(engine: Engine, source: str, type: str, target: str) -> str:
    return relate(
        engine, NewRelation(source=source, type=type, target=target, channel="harbor"), author=IRIS
    ).id


def edit(engine: Engine, id: str, **wanted: Any) -> Curated:
    return edit_entity(engine, EditEntity(entity_id=id, **wanted), author=MARA)


def seen(engine: Engine, id: str) -> EntityView:
    return entity(engine, AskEntity(entity=id, channel="harbor"))


def test_a_renamed_entity_is_found_by_both_names_and_undo_gives_the_old_one_back(engine: Engine) -> None:
    id = make(engine, "Atlass", aliases=("the proxy",))
    learn_fact(engine, NewFact(claim="Atlass is slow", about=("Atlass",), channel="harbor"), author=IRIS)
    done = edit(engine, id, was="Atlass", name="Atlas", type="technology", description="Reverse proxy")
    view = seen(engine, "atlas")
    assert (view.id, view.type, view.description) == (id, "Technology", "Reverse proxy")
    assert set(view.aliases) == {"the proxy", "Atlass"} and view.total_facts == 1
    assert make(engine, "Atlass") == id, "an agent that says the old name means the same entity"
    hits = recall(engine, Query(text="reverse proxy", kinds=("entity",), channel="harbor"), author=IRIS).hits
    assert [hit.id for hit in hits] == [id]
    undo(engine, Undo(change=done.change), author=MARA)
    view = seen(engine, "Atlass")
    assert (view.name, view.type, view.description, view.aliases) == ("Atlass", "Entity", "", ("the proxy",))


def test_other_names_are_added_and_removed_and_the_old_name_may_go(engine: Engine) -> None:
    id = make(engine, "Bob", aliases=("Bobby", "Rob"))
    edit(engine, id, aliases=("Robert", "bobby"), drop_aliases=("rob",))
    assert set(seen(engine, id).aliases) == {"Bobby", "Robert"}
    edit(engine, id, name="Robert", drop_aliases=("Bob",))
    assert (seen(engine, id).name, set(seen(engine, id).aliases)) == ("Robert", {"Bobby"})
    edit(engine, id, name="ROBERT")
    assert (seen(engine, id).name, set(seen(engine, id).aliases)) == ("ROBERT", {"Bobby"})


def test_a_person_who_describes_an_entity_makes_it_trusted(engine: Engine) -> None:
    id = make(engine, "Atlas", description="told by an agent")
    assert (inspect(engine, Inspect(id=id)).trust or 0) < 1
    edit(engine, id, description="Reverse proxy")
    assert inspect(engine, Inspect(id=id)).trust == 1


@pytest.mark.parametrize(
    ("wanted", "error", "says"),
    [
        ({"name": "Quay"}, Conflict, "is the name of"),
        ({"aliases": ("quay",)}, Conflict, "is the name of"),
        ({"was": "Atlantis", "name": "Atlas 2"}, Conflict, "changed while you were editing"),
        ({"drop_aliases": ("Nothing",)}, NotFound, "not another name of Atlas"),
        ({"name": "Atlas", "type": "Entity"}, BadAsk, "Nothing to correct"),
        ({}, BadAsk, "Nothing to correct"),
        ({"name": "  "}, BadAsk, "empty"),
        ({"description": "x" * 10_001}, BadAsk, "at most"),
    ],
)
def test_a_correction_that_cannot_be_made_is_refused(
    engine: Engine, wanted: dict[str, Any], error: type[Exception], says: str
) -> None:
    id, before = make(engine, "Atlas"), make(engine, "Quay")
    with pytest.raises(error, match=says):
        edit(engine, id, **wanted)
    assert (seen(engine, "atlas").id, seen(engine, "quay").id) == (id, before)


def test_a_retired_entity_is_not_corrected(engine: Engine) -> None:
    id = make(engine, "Atlas")
    retire(engine, Retire(id=id), author=MARA)
    with pytest.raises(Conflict, match="is retired"):
        edit(engine, id, name="Atlas 2")


def test_an_entity_says_when_it_was_first_mentioned(engine: Engine) -> None:
    atlas = make(engine, "Atlas")
    assert "first_mentioned_at" not in {each.name for each in inspect(engine, Inspect(id=atlas)).fields}
    facts = [
        learn_fact(engine, NewFact(claim=claim, about=("Atlas",), channel="harbor"), author=IRIS).id
        for claim in ("Atlas is slow", "Atlas has two masts")
    ]
    first = min(inspect(engine, Inspect(id=id)).created_at for id in facts)
    told = {each.name: each.value for each in inspect(engine, Inspect(id=atlas)).fields}
    assert told["first_mentioned_at"] == first.isoformat(timespec="minutes")


def test_a_relation_gets_another_type_and_is_removed_and_both_are_undone(engine: Engine) -> None:
    mara, tide = make(engine, "Mara"), make(engine, "Tidepool")
    id = join(engine, "Mara", "knows", "Tidepool")

    def drawn() -> list[tuple[str, str, str, str]]:
        edges = graph(engine, AskGraph(center=mara, hops=1)).edges
        return [(edge.id, edge.source, edge.type, edge.target) for edge in edges]

    assert drawn() == [(id, mara, "KNOWS", tide)]
    (neighbour,) = inspect(engine, Inspect(id=mara)).related
    assert (neighbour.relation_id, neighbour.relation) == (id, "KNOWS")
    done = edit_relation(engine, EditRelation(relation_id=id, type="works for"), author=MARA)
    assert str(done.title) == "Mara works for Tidepool" and drawn() == [(id, mara, "WORKS_FOR", tide)]
    gone = retire(engine, Retire(id=id), author=MARA)
    assert str(gone.title) == "Mara works for Tidepool" and drawn() == []
    undo(engine, Undo(change=gone.change), author=MARA)
    undo(engine, Undo(change=done.change), author=MARA)
    assert drawn() == [(id, mara, "KNOWS", tide)]


@pytest.mark.parametrize(
    ("wanted", "error", "says"),
    [
        ({"type": "part of"}, Conflict, "place is taken"),
        ({"type": "about"}, BadAsk, "not written by hand"),
        ({"type": "knows"}, BadAsk, "Nothing to correct"),
        ({"confidence": 2.0}, BadAsk, "between 0 and 1"),
    ],
)
def test_a_type_that_a_relation_cannot_have_is_refused(
    engine: Engine, wanted: dict[str, Any], error: type[Exception], says: str
) -> None:
    make(engine, "Mara"), make(engine, "Tidepool")
    join(engine, "Mara", "part of", "Tidepool")
    id = join(engine, "Mara", "knows", "Tidepool")
    with pytest.raises(error, match=says):
        edit_relation(engine, EditRelation(relation_id=id, **wanted), author=MARA)


def test_the_link_of_a_fact_to_an_entity_is_not_retyped(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="Atlas is slow", about=("Atlas",), channel="harbor"), author=IRIS)
    id = make(engine, "Atlas")
    (about,) = inspect(engine, Inspect(id=id)).related
    with pytest.raises(BadAsk, match="not written by hand"):
        edit_relation(engine, EditRelation(relation_id=about.relation_id, type="knows"), author=MARA)


def test_a_relation_that_was_removed_is_not_retyped(engine: Engine) -> None:
    make(engine, "Mara"), make(engine, "Tidepool")
    id = join(engine, "Mara", "knows", "Tidepool")
    retire(engine, Retire(id=id), author=MARA)
    with pytest.raises(Conflict, match="retired"):
        edit_relation(engine, EditRelation(relation_id=id, type="works for"), author=MARA)
