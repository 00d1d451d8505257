"""Recall as an agent meets it: scoped, explained, reinforced only by what was returned."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.browsing.tables import find
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, store_turns, upsert_entity
from memdesk.engine.recall.pipeline import preview, recall
from memdesk.engine.undo import undo
from memdesk.model.browse import Find, Inspect, ListFacts
from memdesk.model.curation import EditFact, Promote, Retire, Undo
from memdesk.model.errors import BadAsk
from memdesk.model.history import AskEvent, AskHistory
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn, NewTurns
from tests.engine.conftest import Clock, embed_all

FORGE, MARA = "agent:Forge", "person:Mara"


def learn(engine: Engine, claim: str, channel: str = "tidepool", **more: object) -> str:
    return learn_fact(engine, NewFact(claim=claim, channel=channel, **more), author=FORGE).id  # type: ignore[arg-type]


def asked(engine: Engine, text: str, channel: str = "tidepool", **more: object) -> list[str]:
    embed_all(engine)
    bundle = recall(engine, Query(text=text, channel=channel, **more), author=FORGE)  # type: ignore[arg-type]
    return [hit.id for hit in bundle.hits]


def settle(engine: Engine) -> None:
    """Wait until the recalls so far are written down."""
    engine.store.submit(lambda _: None).result()


def test_recall_reads_the_active_channel_and_global_and_nothing_else(engine: Engine) -> None:
    here = learn(engine, "The pool size is 25 per node")
    everywhere = learn(engine, "Pool sizes are written in the runbook", "_global")
    elsewhere = learn(engine, "The pool opens at nine", "family")
    found = asked(engine, "pool size")
    assert {here, everywhere} <= set(found) and elsewhere not in found
    assert elsewhere in asked(engine, "pool", every_channel=True)


def test_another_users_memory_is_never_returned(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node", user_id="someone")
    assert asked(engine, "pool size") == []


@pytest.mark.both
def test_the_parts_of_a_hit_add_up_and_its_source_is_named(engine: Engine) -> None:
    stored = store_turns(
        engine,
        NewTurns(
            turns=(
                NewTurn(
                    content="Ingest goes through PgBouncer.",
                    speaker="Mara",
                    channel="tidepool",
                    conversation_id="c",
                    title="Pooling under load",
                ),
            )
        ),
        author=FORGE,
    ).turns[0]
    id = learn(engine, "Tidepool ingest goes through PgBouncer", source_turn_id=stored.id)
    embed_all(engine)
    bundle = recall(
        engine, Query(text="how does ingest connect? PgBouncer?", channel="tidepool"), author=FORGE
    )
    hit = next(hit for hit in bundle.hits if hit.id == id)
    assert hit.score == pytest.approx(sum(part.value for part in hit.parts))
    assert (hit.provenance.conversation_title, hit.provenance.speaker) == ("Pooling under load", "Mara")
    assert hit.provenance.turn_id == stored.id


@pytest.mark.both
def test_chinese_is_found_by_two_characters_and_by_one(engine: Engine) -> None:
    id = learn(engine, "数据库的连接池是二十五个", "_global")
    assert id in asked(engine, "连接池有多大？")
    assert id in asked(engine, "池")


@pytest.mark.parametrize(
    "text", ["what's up?", "a:b", "(x", "python AND", "3.12", '"', "NEAR(", "*", "？", "-"]
)
def test_no_punctuation_upsets_a_recall(engine: Engine, text: str) -> None:
    learn(engine, "Python 3.12 runs the tests")
    asked(engine, text)


def test_an_entity_is_found_by_its_other_name(engine: Engine) -> None:
    made = upsert_entity(
        engine, NewEntity(name="PostgreSQL", aliases=("Elephant",), channel="tidepool"), author=FORGE
    )
    assert asked(engine, "the elephant", kinds=("entity",)) == [made.id]


def test_the_search_box_finds_by_beginnings_and_names_an_entity_first_and_once(engine: Engine) -> None:
    fact = learn(engine, "Postgres is what Tidepool runs on, and Tidepool is large")
    for channel in ("tidepool", "homelab"):
        ask = NewEntity(name="Tidepool", description="The ingest platform", channel=channel)
        upsert_entity(engine, ask, author=FORGE)
    upsert_entity(engine, NewEntity(name="Tidepool_2%", channel="tidepool"), author=FORGE)
    embed_all(engine)
    rows = find(engine, Find(text="tidepool")).rows
    assert [(row.kind, row.title) for row in rows[:2]] == [("entity", "Tidepool"), ("entity", "Tidepool_2%")]
    assert [row.title for row in rows].count("Tidepool") == 1
    assert [row.title for row in find(engine, Find(text="Tidepool_2", kinds=("entity",))).rows][
        0
    ] == "Tidepool_2%"
    assert fact in {row.id for row in find(engine, Find(text="postg", kinds=("fact",))).rows}


def test_the_search_box_lists_what_holds_a_word_or_is_near_enough_in_meaning(engine: Engine) -> None:
    tea, spice = learn(engine, "奶奶喜欢喝绿茶"), learn(engine, "表弟在上海的华为工作")
    allergy = learn(engine, "Jun is allergic to penicillin")
    learn(engine, "The router is in the hall cupboard")
    for channel in ("tidepool", "homelab"):
        ask = NewEntity(name="Lisbon", description="The capital of Portugal", channel=channel)
        upsert_entity(engine, ask, author=FORGE)
    embed_all(engine)

    def found(text: str) -> list[str]:
        return [row.id if row.kind == "fact" else row.title for row in find(engine, Find(text=text)).rows]

    assert found("绿茶") == [tea] and found("华为") == [spice]
    assert found("penicilin") == [allergy]
    assert found("xylophone") == []
    assert found("portugal") == ["Lisbon"]


def test_a_retired_memory_is_not_recalled_until_undo_brings_it_back(engine: Engine) -> None:
    id = learn(engine, "The pool size is 40 per node")
    retire(engine, Retire(id=id), author=MARA)
    assert asked(engine, "pool size") == []
    undo(engine, Undo(), author=MARA)
    assert asked(engine, "pool size") == [id]


def test_an_edit_moves_the_words_and_the_meaning(engine: Engine) -> None:
    id = learn(engine, "Jun commutes by tram")
    edit_fact(engine, EditFact(fact_id=id, claim="Jun cycles to work"), author=MARA)
    assert id in asked(engine, "cycles")
    hits = recall(engine, Query(text="tram", channel="tidepool"), author=FORGE).hits
    assert "words" not in {part.name for hit in hits for part in hit.parts}


def test_of_a_promoted_fact_and_its_original_one_comes_back(engine: Engine) -> None:
    id = learn(engine, "Every migration needs a down step")
    copy = promote(engine, Promote(fact_id=id), author=MARA).id
    assert len({id, copy} & set(asked(engine, "migration down step"))) == 1
    assert asked(engine, "migration down step", "harbor-web") == [copy]


def test_only_what_was_returned_is_reinforced_and_looking_is_not_recalling(engine: Engine) -> None:
    returned, other = learn(engine, "The pool size is 25 per node"), learn(engine, "Pool sizes vary")
    asked(engine, "pool size per node 25", limit=1)
    find(engine, Find(text="pool size"))
    recall(engine, Query(text="pool size", channel="tidepool"), author=MARA)
    inspect(engine, Inspect(id=other))
    settle(engine)
    counts = {row.id: row.recalled for row in facts(engine, ListFacts()).rows}
    assert counts == {returned: 1, other: 0}


def test_a_recall_lifts_salience_and_time_lets_it_fade(engine: Engine, clock: Clock) -> None:
    learn(engine, "The pool size is 25 per node")

    def strength() -> float:
        return facts(engine, ListFacts()).rows[0].salience

    assert strength() == pytest.approx(0.5)
    clock.pass_days(10)
    assert strength() == pytest.approx(0.5 * 0.95**10)
    before = strength()
    asked(engine, "pool size")
    settle(engine)
    assert strength() == pytest.approx(before + (1 - before) * 0.25, abs=1e-6)


def test_a_recall_is_in_the_timeline_with_what_it_returned(engine: Engine) -> None:
    id = learn(engine, "The pool size is 25 per node")
    asked(engine, "pool size")
    settle(engine)
    (row,) = history.page(engine, AskHistory(operations=("recall",))).rows
    assert row.title == "“pool size” → 1 hit" and row.author == FORGE and not row.undoable
    assert [ref.id for ref in history.event(engine, AskEvent(id=row.id)).returned] == [id]


def test_a_time_window_bounds_what_comes_back(engine: Engine, clock: Clock) -> None:
    old = learn(engine, "The pool size is 25 per node")
    clock.pass_days(10)
    new = learn(engine, "The pool size is 40 per node")
    edge = to_datetime(clock.at) - timedelta(days=1)
    assert asked(engine, "pool size", since=edge) == [new]
    assert asked(engine, "pool size", until=edge) == [old]


def test_words_answer_alone_and_say_so_when_vectors_are_off(engine: Engine) -> None:
    id = learn(engine, "The pool size is 25 per node")
    with engine.store.reading() as db:
        db.vectors = False
    bundle = recall(engine, Query(text="pool size", channel="tidepool"), author=FORGE)
    assert [hit.id for hit in bundle.hits] == [id]
    assert any("words alone" in notice for notice in bundle.notices)


@pytest.mark.parametrize(
    "query",
    [Query(text=" "), Query(text="x" * 10_001), Query(text="x", limit=0), Query(text="x", kinds=("dream",))],
)
def test_a_question_that_makes_no_sense_is_refused(engine: Engine, query: Query) -> None:
    with pytest.raises(BadAsk):
        recall(engine, query, author=FORGE)


def test_an_entity_found_by_another_name_is_reinforced_and_never_returned_once_retired(
    engine: Engine,
) -> None:
    entity = upsert_entity(
        engine, NewEntity(name="Robert", aliases=("Bob",), channel="tidepool"), author=FORGE
    ).id
    assert asked(engine, "Bob") == [entity]
    settle(engine)
    assert inspect(engine, Inspect(id=entity)).recalled == 1
    retire(engine, Retire(id=entity), author=MARA)
    assert asked(engine, "Bob") == []


def test_a_turn_from_before_1970_is_recalled(engine: Engine) -> None:
    turn = NewTurn(
        content="The lighthouse was lit for the first time.",
        channel="tidepool",
        created_at=datetime(1850, 6, 1, tzinfo=UTC),
    )
    id = store_turns(engine, NewTurns(turns=(turn,)), author=FORGE).turns[0].id
    assert asked(engine, "lighthouse") == [id]


def test_two_recalls_in_a_row_lift_twice(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    embed_all(engine)
    blocked = threading.Event()
    engine.store.submit(lambda _: blocked.wait(5))
    for _ in range(2):
        recall(engine, Query(text="pool size", channel="tidepool"), author=FORGE)
    blocked.set()
    settle(engine)
    assert facts(engine, ListFacts()).rows[0].salience == pytest.approx(1 - 0.5 * 0.75**2, abs=1e-6)


def test_a_preview_returns_what_a_recall_would_and_leaves_no_trace(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    settle(engine)
    query = Query(text="pool size", channel="tidepool")
    head = history.head(engine)
    seen = preview(engine, query)
    settle(engine)
    assert history.head(engine) == head
    assert facts(engine, ListFacts()).rows[0].recalled == 0
    told = recall(engine, query, author=FORGE)
    assert [hit.id for hit in told.hits] == [hit.id for hit in seen.hits]
    assert [hit.score for hit in told.hits] == pytest.approx([hit.score for hit in seen.hits])
    assert not told.cached


def test_in_a_chinese_group_a_name_means_the_turns_of_its_speaker(engine: Engine) -> None:
    people = {"小林": "上小学", "何军": "读初中", "欧阳娜": "读高中", "阿芳": "刚出生"}
    turns = [
        NewTurn(content=text, speaker=name, channel="tidepool", conversation_id="群聊", turn_id=f"{name}-{n}")
        for name, school in people.items()
        for n, text in enumerate((f"我家孩子今年{school}，接送真累。", "大家辛苦了", "@小林 早上好"))
    ]
    store_turns(engine, NewTurns(turns=tuple(turns)), author=FORGE)
    for name in people:
        assert asked(engine, f"你知道{name}的孩子上什么学校？", kinds=("turn",))[:1] == [f"{name}-0"]
