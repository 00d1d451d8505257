"""Entities whole: their properties, the facts about them, and the graph their relations make."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.engine.browsing.details import entity, entity_graph
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.remember import learn_fact, relate, upsert_entity
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.curation import Retire, Undo
from memdesk.model.entity import ENTITY_RELATIONS
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.graph import AskEntity, AskEntityGraph, EntityGraph
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation

IRIS = "agent:Iris"


def make(engine: Engine, name: str, **more: Any) -> str:
    return upsert_entity(engine, NewEntity(name=name, **more), author=IRIS).id


def join(engine: Engine, source: str, type: str, target: str, **more: Any) -> str:
    return relate(engine, NewRelation(source=source, type=type, target=target, **more), author=IRIS).id


def graph(engine: Engine, *ids: str, **more: Any) -> EntityGraph:
    return entity_graph(engine, AskEntityGraph(entity_ids=ids, **more))


def names(found: EntityGraph) -> list[str]:
    return [node.name for node in found.nodes]


def test_an_entity_is_seen_whole_by_id_name_or_other_name(engine: Engine) -> None:
    id = make(
        engine,
        "Atlas",
        type="Technology",
        aliases=("阿特拉斯",),
        description="the proxy",
        channel="harbor",
        properties={"port": 8080},
    )
    for claim, confidence in (("Atlas is slow", 0.5), ("Atlas listens on 8080", 0.95)):
        learn_fact(
            engine,
            NewFact(claim=claim, about=("Atlas",), confidence=confidence, channel="harbor"),
            author=IRIS,
        )
    for named in (id, "atlas", "阿特拉斯"):
        seen = entity(engine, AskEntity(entity=named, channel="harbor"))
        assert seen.id == id
    assert (seen.type, seen.aliases, seen.properties) == ("Technology", ("阿特拉斯",), {"port": 8080})
    assert [fact.claim for fact in seen.facts] == ["Atlas listens on 8080", "Atlas is slow"]
    assert (seen.total_facts, seen.access_count, seen.last_accessed) == (2, 0, None)
    assert [fact.claim for fact in entity(engine, AskEntity(entity=id, facts=1)).facts] == [
        "Atlas listens on 8080"
    ]
    with pytest.raises(NotFound):
        entity(engine, AskEntity(entity="Atlas", channel="homelab"))
    with pytest.raises(NotFound):
        entity(engine, AskEntity(entity=id, user_id="jun"))


def test_use_by_agents_is_shown_and_looking_is_no_use(engine: Engine) -> None:
    id = make(engine, "Atlas", description="the proxy")
    entity(engine, AskEntity(entity=id))
    recall(engine, Query(text="Atlas proxy", kinds=("entity",)), author=IRIS)
    engine.store.maintain(lambda _db, _index, _journal: None).result()
    seen = entity(engine, AskEntity(entity=id))
    assert seen.access_count == 1 and seen.last_accessed is not None and seen.last_accessed > seen.first_seen


def test_properties_are_set_one_by_one_and_undo_gives_them_back(engine: Engine) -> None:
    make(engine, "Atlas", properties={"port": 8080, "host": "a"})
    moved = upsert_entity(
        engine, NewEntity(name="Atlas", properties={"port": 9090, "host": None, "区": [1]}), author=IRIS
    )
    assert entity(engine, AskEntity(entity="Atlas")).properties == {"port": 9090, "区": [1]}
    same = upsert_entity(engine, NewEntity(name="Atlas", properties={"port": 9090}), author=IRIS)
    assert same.change is None
    undo(engine, Undo(change=moved.change), author=IRIS)
    assert entity(engine, AskEntity(entity="Atlas")).properties == {"port": 8080, "host": "a"}
    with pytest.raises(BadAsk, match="as JSON"):
        make(engine, "Atlas", properties={"text": "x" * 20_000})


def test_a_relation_keeps_properties_and_gains_more_when_told_again(engine: Engine) -> None:
    mara, atlas = make(engine, "Mara"), make(engine, "Atlas")
    id = join(engine, "Mara", "created by", "Atlas", properties={"since": 2023})
    again = relate(
        engine,
        NewRelation(source=mara, type="CREATED_BY", target=atlas, properties={"role": "author"}),
        author=IRIS,
    )
    assert (again.id, again.repeated) == (id, True) and again.change is not None
    (edge,) = graph(engine, mara).edges
    assert (edge.id, edge.type, edge.properties) == (id, "CREATED_BY", {"since": 2023, "role": "author"})
    undo(engine, Undo(change=again.change), author=IRIS)
    assert graph(engine, mara).edges[0].properties == {"since": 2023}
    same = relate(engine, NewRelation(source=mara, type="CREATED_BY", target=atlas), author=IRIS)
    assert (same.id, same.repeated, same.change) == (id, True, None)


@pytest.mark.parametrize("type", [*ENTITY_RELATIONS, "PAIRS_WITH"])
def test_every_type_of_relation_and_free_ones_make_the_graph(engine: Engine, type: str) -> None:
    mara = make(engine, "Mara")
    make(engine, "Atlas")
    join(engine, "Mara", type, "Atlas")
    found = graph(engine, mara, types=(type,), depth=1)
    assert names(found) == ["Mara", "Atlas"] and [edge.type for edge in found.edges] == [type]
    assert names(graph(engine, mara, types=("OTHERWISE",))) == ["Mara"]


def chain(engine: Engine, *names: str) -> list[str]:
    ids = [make(engine, name) for name in names]
    for source, target in zip(names, names[1:], strict=False):
        join(engine, source, "KNOWS", target)
    return ids


@pytest.mark.parametrize(("depth", "reached"), [(1, "AB"), (2, "ABC"), (3, "ABCD")])
def test_the_graph_is_followed_to_its_depth_in_either_direction(
    engine: Engine, depth: int, reached: str
) -> None:
    ids = chain(engine, *"ABCDE")
    assert "".join(names(graph(engine, ids[0], depth=depth))) == reached
    assert [node.hop for node in graph(engine, ids[0], depth=depth).nodes] == list(range(depth + 1))
    assert set(names(graph(engine, ids[4], depth=1))) == {"E", "D"}


def test_the_walk_ends_at_its_number_of_nodes_and_says_so(engine: Engine) -> None:
    hub = make(engine, "Hub")
    for n in range(12):
        make(engine, f"Spoke {n}")
        join(engine, "Hub", "KNOWS", f"Spoke {n}", confidence=0.5 + n / 100)
    found = graph(engine, hub, nodes=5)
    assert found.cut and names(found) == ["Hub", *(f"Spoke {n}" for n in (11, 10, 9, 8))]
    assert len(found.edges) == 4
    assert not graph(engine, hub, nodes=13).cut


def test_several_beginnings_share_one_graph(engine: Engine) -> None:
    ids = chain(engine, *"ABC")
    found = graph(engine, ids[0], ids[2], depth=1)
    assert sorted(names(found)) == ["A", "B", "C"] and len(found.edges) == 2


def test_facts_lead_from_entity_to_entity_where_asked_for(engine: Engine) -> None:
    mara = make(engine, "Mara")
    make(engine, "Porto")
    learn_fact(engine, NewFact(claim="Mara met Jun in Porto", about=("Mara", "Porto")), author=IRIS)
    assert names(graph(engine, mara)) == ["Mara"]
    found = graph(engine, mara, facts=True)
    assert names(found) == ["Mara", "Mara met Jun in Porto", "Porto"]
    assert {edge.type for edge in found.edges} == {"ABOUT"}
    assert [node.kind for node in found.nodes] == ["entity", "fact", "entity"]


def test_the_graph_stays_with_its_user_its_channels_and_what_is_current(engine: Engine) -> None:
    mara = make(engine, "Mara", channel="harbor")
    make(engine, "Here", channel="harbor")
    there, gone = make(engine, "There"), make(engine, "Gone", channel="harbor")
    for name in ("Here", "There", "Gone"):
        join(engine, "Mara", "KNOWS", name, channel="harbor")
    retire(engine, Retire(id=gone), author="person:Mara")
    assert sorted(names(graph(engine, mara))) == ["Here", "Mara", "There"]
    assert sorted(names(graph(engine, mara, channels=("harbor",)))) == ["Here", "Mara"]
    for id, user_id in ((gone, "local"), (there, "jun"), ("e_nowhere", "local")):
        with pytest.raises(NotFound):
            graph(engine, id, user_id=user_id)


@pytest.mark.parametrize("bad", [{"depth": 0}, {"depth": 4}, {"nodes": 0}, {"nodes": 10_001}])
def test_a_graph_out_of_range_is_refused(engine: Engine, bad: dict[str, int]) -> None:
    mara = make(engine, "Mara")
    with pytest.raises(BadAsk):
        graph(engine, mara, **bad)
    with pytest.raises(BadAsk):
        graph(engine)
