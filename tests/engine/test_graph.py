"""The graph around one memory: ways from one to another, and what is said of a neighbourhood too large to walk."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing import graph as graph_module
from memdesk.engine.browsing.graph import graph
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import relate, upsert_entity
from memdesk.model.errors import NotFound
from memdesk.model.graph import AskGraph, Graph
from memdesk.model.remember import NewEntity, NewRelation
from tests.effort import examples

AGENT = "agent:Forge"
NUMBERS = count()
"""Examples of one property share an engine, in which names are to be fresh."""


def entity(engine: Engine, name: str, channel: str = "harbor-web") -> str:
    return upsert_entity(engine, NewEntity(name=name, type="Concept", channel=channel), author=AGENT).id


def tie(engine: Engine, source: str, target: str) -> None:
    relate(engine, NewRelation(source=source, target=target, type="RELATED_TO"), author=AGENT)


def way(engine: Engine, start: str, end: str, hops: int = 3) -> Graph:
    return graph(engine, AskGraph(center=start, to=end, hops=hops))


def titles(found: Graph) -> list[str]:
    return [node.title for node in found.nodes]


@pytest.mark.both
def test_a_way_leads_from_the_centre_to_the_other_end_in_order(engine: Engine) -> None:
    ids = [entity(engine, name) for name in "ABCDEF"]
    for one, other in zip(ids, ids[1:], strict=False):
        tie(engine, one, other)
    found = way(engine, ids[0], ids[-1])
    assert titles(found) == list("ABCDEF")
    assert [node.hop for node in found.nodes] == [0, 1, 2, 3, 4, 5]
    assert [node.parent for node in found.nodes] == [None, *ids[:-1]]
    assert len(found.edges) == 5 and found.total == 6


def test_a_way_is_a_shortest_one(engine: Engine) -> None:
    ids = [entity(engine, name) for name in "ABCDE"]
    for one, other in zip(ids, ids[1:], strict=False):
        tie(engine, one, other)
    tie(engine, ids[1], ids[4])
    assert titles(way(engine, ids[0], ids[4])) == ["A", "B", "E"]


def test_a_way_leads_through_entities_of_one_name_in_two_channels(engine: Engine) -> None:
    start, end = entity(engine, "Iris"), entity(engine, "Forge", "tidepool")
    tie(engine, start, entity(engine, "Postgres"))
    tie(engine, end, entity(engine, "Postgres", "tidepool"))
    found = way(engine, start, end)
    assert titles(found) == ["Iris", "Postgres", "Forge"] and len(found.edges) == 2


def test_where_there_is_no_way_the_centre_stands_alone(engine: Engine) -> None:
    start, end = entity(engine, "A"), entity(engine, "B")
    found = way(engine, start, end)
    assert titles(found) == ["A"] and not found.more
    with pytest.raises(NotFound):
        way(engine, start, "e_gone")


def test_a_way_to_itself_is_the_centre(engine: Engine) -> None:
    start = entity(engine, "A")
    assert titles(way(engine, start, start)) == ["A"]


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ties=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12))
def test_every_step_of_a_way_is_an_edge_and_none_is_shorter(
    engine: Engine, ties: set[tuple[int, int]]
) -> None:
    ids = [entity(engine, f"Entity {next(NUMBERS)}") for _ in range(8)]
    near: dict[int, set[int]] = {number: set() for number in range(8)}
    for one, other in ties:
        if one != other:
            tie(engine, ids[one], ids[other])
            near[one].add(other)
            near[other].add(one)
    found = way(engine, ids[0], ids[7])
    far = _steps(near, 0, 7)
    if far is None or far > 6:
        assert len(found.nodes) == 1
        return
    assert len(found.nodes) == far + 1
    drawn = {frozenset((edge.source, edge.target)) for edge in found.edges}
    places = [node.id for node in found.nodes]
    assert all(frozenset(pair) in drawn for pair in zip(places, places[1:], strict=False))


def _steps(near: dict[int, set[int]], start: int, end: int) -> int | None:
    front, seen, steps = {start}, {start}, 0
    while front:
        if end in front:
            return steps
        front = {far for each in front for far in near[each]} - seen
        seen |= front
        steps += 1
    return None


def test_a_neighbourhood_too_large_to_walk_says_that_there_is_more(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_module, "EDGES_AT_MOST", 5)
    hub = entity(engine, "Hub")
    for number in range(4):
        tie(engine, hub, entity(engine, f"Leaf {number}"))
    assert not graph(engine, AskGraph(center=hub)).more
    for number in range(4, 8):
        tie(engine, hub, entity(engine, f"Leaf {number}"))
    found = graph(engine, AskGraph(center=hub))
    assert found.more and found.total < 9


def test_without_a_centre_the_entities_that_most_leads_to_are_where_to_begin(engine: Engine) -> None:
    hub, less, *others = [entity(engine, name) for name in "ABCDEFGHIJKLMNOP"]
    for other in others[:3]:
        tie(engine, other, hub)
    tie(engine, hub, less)
    assert titles_of_beginnings(engine)[:2] == ["A", "B"]


def titles_of_beginnings(engine: Engine) -> list[str]:
    return [node.title for node in graph(engine, AskGraph()).suggestions]
