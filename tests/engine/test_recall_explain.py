"""Why a memory is not recalled, stage by stage, and what surfaces unasked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import pin, retire
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import store_turns, upsert_entity
from memdesk.engine.recall.explain import explain
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.recall.salient import salient
from memdesk.model.browse import ListFacts
from memdesk.model.curation import Pin, Promote, Retire
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.recall import AskSalient, Explain, Explanation, Query, Stage
from memdesk.model.remember import NewEntity, NewTurn, NewTurns
from tests.engine.conftest import Clock, embed_all
from tests.engine.test_recall import FORGE, MARA, asked, learn, settle
from tests.fixtures.intake.worlds import copy_of, take


def why(engine: Engine, id: str, text: str, **more: object) -> Explanation:
    embed_all(engine)
    query = Query(text=text, channel="tidepool", **more)  # type: ignore[arg-type]
    return explain(engine, Explain(query=query, id=id))


def at(told: Explanation, name: str) -> Stage:
    return next(stage for stage in told.stages if stage.name == name)


def fell_at(told: Explanation) -> str:
    assert told.place is None and told.says.startswith("It is not recalled.")
    return told.stages[-1].name


def test_what_is_recalled_is_followed_to_its_place(engine: Engine) -> None:
    id = learn(engine, "The pool size is 25 per node")
    told = why(engine, id, "pool size")
    assert (told.place, told.says) == (1, "It is recalled at place 1.")
    assert [stage.name for stage in told.stages] == [
        "scope",
        "words",
        "vector",
        "graph",
        "search",
        "time",
        "filters",
        "ranking",
        "duplicate",
        "floor",
        "diversity",
        "budget",
    ]
    assert at(told, "words").numbers == {"place": 1.0, "held": 2.0, "asked": 2.0}
    assert at(told, "ranking").numbers["score"] == pytest.approx(
        sum(value for name, value in at(told, "ranking").numbers.items() if name not in ("place", "score"))
    )


def test_every_stage_says_how_many_memories_are_left(engine: Engine) -> None:
    for number in range(15):
        learn(engine, f"The pool of node {number} holds {number} connections")
    id = learn(engine, "Pools", channel="harbor-web")
    learn(engine, "Mara prefers window seats")
    told = why(engine, learn(engine, "The pool of node 99 holds 99"), "pool of a node", limit=4)
    left = {stage.name: stage.left for stage in told.stages if stage.left is not None}
    assert left["scope"] == 17 and left["search"] <= 17
    assert [left[name] for name in left] == sorted(left.values(), reverse=True)
    if "budget" in left:
        assert left["budget"] == 4
    assert at(told, "words").left is None
    assert [stage.left for stage in why(engine, id, "pool").stages] == [17]


def test_every_hit_of_a_recall_is_explained_at_its_own_place(engine: Engine) -> None:
    for number in range(15):
        learn(engine, f"The pool of node {number} holds {number} connections")
    turns = tuple(
        NewTurn(content=f"pool talk {n}", channel="tidepool", conversation_id="c") for n in range(8)
    )
    store_turns(engine, NewTurns(turns=turns), author=FORGE)
    embed_all(engine)
    found = recall(engine, Query(text="pool of node 7", channel="tidepool"), author=MARA).hits
    places = [why(engine, hit.id, "pool of node 7").place for hit in found]
    assert places == list(range(1, len(found) + 1))


def test_it_is_told_where_a_memory_falls(engine: Engine) -> None:
    here = learn(engine, "The pool size is 25 per node", category="decision")
    there = learn(engine, "The pool opens at nine", "family")
    gone = learn(engine, "The pool size was 10 per node once")
    retire(engine, Retire(id=gone), author=MARA)
    assert fell_at(why(engine, there, "pool")) == "scope"
    assert "family" in why(engine, there, "pool").says
    assert fell_at(why(engine, gone, "pool")) == "scope"
    assert fell_at(why(engine, here, "pool", kinds=("turn",))) == "scope"
    assert fell_at(why(engine, here, "pool", user_id="someone")) == "scope"
    assert fell_at(why(engine, here, "pool", categories=("event",))) == "filters"
    assert fell_at(why(engine, here, "pool", until=to_datetime(0))) == "time"
    talk = store_turns(engine, NewTurns(turns=(NewTurn(content="A pool", channel="tidepool"),)), author=FORGE)
    yesterday = why(engine, talk.turns[0].id, "what did I say yesterday about the pool")
    assert yesterday.place is not None and at(yesterday, "time").passed


def test_a_memory_that_ranks_too_low_falls_at_the_budget(engine: Engine) -> None:
    last = learn(engine, "A pool")
    for number in range(12):
        learn(engine, f"The connection pool of node {number} holds 25 connections")
    told = why(engine, last, "connection pool of node connections", floor=0.0)
    assert fell_at(told) == "budget" and at(told, "budget").numbers["limit"] == 10.0


def test_nonsense_falls_at_the_floor(engine: Engine) -> None:
    ids = [learn(engine, f"Note {n}: ingest writes go through PgBouncer") for n in range(60)]
    told = why(engine, ids[0], "boiling point of tungsten")
    assert (
        fell_at(told) == "floor"
        and at(told, "floor").numbers["relevance"] < at(told, "floor").numbers["floor"]
    )


def test_the_original_of_a_promoted_fact_falls_as_a_duplicate(engine: Engine) -> None:
    id = learn(engine, "Every migration needs a down step")
    copy = promote(engine, Promote(fact_id=id), author=MARA).id
    places = {each: why(engine, each, "migration down step").place for each in (id, copy)}
    lost = next(each for each, place in places.items() if place is None)
    assert sorted(place or 0 for place in places.values()) == [0, 1]
    assert fell_at(why(engine, lost, "migration down step")) == "duplicate"


def test_what_waits_for_its_vector_is_told(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    embed_all(engine)
    id = learn(engine, "The pool size is 40 per node")
    told = explain(engine, Explain(query=Query(text="pool size", channel="tidepool"), id=id))
    assert not at(told, "vector").passed and "no vector yet" in at(told, "vector").says
    assert told.place is not None


def test_an_entity_is_followed_by_the_name_that_finds_it(engine: Engine) -> None:
    ask = NewEntity(name="PostgreSQL", aliases=("Elephant",), channel="tidepool")
    id = upsert_entity(engine, ask, author=FORGE).id
    assert why(engine, id, "the elephant").place == 1


def test_explaining_reinforces_nothing_and_is_not_written_down(engine: Engine) -> None:
    id = learn(engine, "The pool size is 25 per node")
    why(engine, id, "pool size")
    settle(engine)
    assert facts(engine, ListFacts()).rows[0].recalled == 0


def test_what_cannot_be_explained_is_refused(engine: Engine) -> None:
    with pytest.raises(NotFound):
        why(engine, "f_nobody", "pool")
    turn = NewTurn(content="Hello", channel="tidepool", conversation_id="c")
    store_turns(engine, NewTurns(turns=(turn,)), author=FORGE)
    with pytest.raises(BadAsk):
        why(engine, "c", "pool")


def strongest(engine: Engine, **more: object) -> list[str]:
    ask = AskSalient(channel="tidepool", **more)  # type: ignore[arg-type]
    return [row.id for row in salient(engine, ask).rows]


def test_the_most_and_latest_used_surface_first(engine: Engine, clock: Clock) -> None:
    often, once, never = (learn(engine, f"The {name} pool") for name in ("first", "second", "third"))
    for text in ("first pool", "first pool", "first pool", "second pool"):
        asked(engine, text, limit=1)
    settle(engine)
    assert strongest(engine) == [often, once, never]
    assert strongest(engine, limit=1) == [often]
    clock.pass_days(30)
    asked(engine, "second pool", limit=1)
    settle(engine)
    assert strongest(engine)[0] == once


def test_the_salient_core_is_what_is_strong_and_present(engine: Engine, clock: Clock) -> None:
    weak = learn(engine, "A weak pool")
    strong = learn(engine, "A strong pool")
    past = learn(engine, "A past pool", temporal="past")
    entity = upsert_entity(engine, NewEntity(name="Kepler", channel="tidepool"), author=FORGE).id
    elsewhere = learn(engine, "A strong pool there", "family")
    for id in (strong, past, elsewhere):
        pin(engine, Pin(id=id), author=MARA)
    for _ in range(4):
        asked(engine, "strong pool", limit=1)
        asked(engine, "Kepler", limit=1, kinds=("entity",))
    settle(engine)
    assert strongest(engine, by="salience") == [strong, entity]
    assert weak in strongest(engine) and elsewhere not in strongest(engine) and past not in strongest(engine)
    clock.pass_days(60)
    assert entity not in strongest(engine, by="salience")


def test_surfacing_reinforces_nothing(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    strongest(engine)
    settle(engine)
    assert facts(engine, ListFacts()).rows[0].recalled == 0


@pytest.mark.parametrize("wrong", [{"by": "luck"}, {"limit": 0}, {"limit": 101}])
def test_an_unknown_order_is_refused(engine: Engine, wrong: dict[str, object]) -> None:
    with pytest.raises(BadAsk):
        strongest(engine, **wrong)


def test_the_explanation_follows_a_switched_fusion(engine: Engine) -> None:
    id = learn(engine, "The pool size is 25 per node")
    engine.use(replace(engine.settings, fusion="rrf"))
    parts = at(why(engine, id, "pool size"), "ranking").numbers
    assert parts["words"] == pytest.approx(0.3 / 61)
    assert recall(engine, Query(text="pool size", channel="tidepool"), author=FORGE).hits[0].id == id


def test_a_passage_of_a_file_is_explained_and_filtered_by_its_layer(engine: Engine, tmp_path: Path) -> None:
    take(engine, copy_of("harbour", tmp_path))
    embed_all(engine)
    query = Query(text="harbour", channel="runa", kinds=("passage",), floor=0.0)
    found = recall(engine, query, author=MARA)
    hit = found.hits[0]
    assert "#L" in hit.id and explain(engine, Explain(query=query, id=hit.id)).place == 1
    narrowed = replace(query, categories=(hit.category,))
    assert {each.category for each in recall(engine, narrowed, author=MARA).hits} == {hit.category}
    other = Explain(query=replace(query, categories=("none such",)), id=hit.id)
    assert fell_at(explain(engine, other)) == "filters"
    with pytest.raises(NotFound):
        explain(engine, Explain(query=query, id=hit.id.partition("#")[0] + "#L9000-9001"))


def test_what_was_used_years_ago_is_looked_at_for_its_boost(engine: Engine, clock: Clock) -> None:
    often = learn(engine, "The first pool")
    asked(engine, "first pool", limit=1)
    settle(engine)
    clock.pass_days(3000)
    learn(engine, "The second pool")
    assert strongest(engine, by="boost")[0] == often


def test_a_chinese_question_that_names_a_speaker_is_explained_by_the_words_it_was_searched_by(
    engine: Engine,
) -> None:
    said = (("小林", "我养的橘猫昨晚又把杯子打翻了。"), ("何军", "今天好热"), ("小林", "@何军 早上好"))
    turns = tuple(
        NewTurn(content=text, speaker=name, channel="tidepool", conversation_id="群聊", turn_id=f"t-{n}")
        for n, (name, text) in enumerate(said)
    )
    store_turns(engine, NewTurns(turns=turns), author=FORGE)
    told = why(engine, "t-0", "小林的家里养了什么宠物？", kinds=("turn",))
    assert told.place == 1
    assert at(told, "words").says.startswith("It holds 小林, 养 of ")
