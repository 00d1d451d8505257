"""What agents bring: stored once, however often it is sent, and never over something else."""

from __future__ import annotations

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import conversation, facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, store_turns, upsert_entity
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.browse import Inspect, ListFacts, ReadConversation
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.store import search

IRIS = "agent:Iris"


def say(engine: Engine, content: str, **more: object) -> str:
    return store_turn(engine, NewTurn(content=content, **more), author=IRIS).id  # type: ignore[arg-type]


def test_a_turn_sent_again_under_its_id_is_stored_once(engine: Engine) -> None:
    turn = NewTurn(
        content="The lease starts in January.", turn_id="t-1", conversation_id="c-1", channel="lisbon"
    )
    first, second = store_turn(engine, turn, author=IRIS), store_turn(engine, turn, author=IRIS)
    assert (first.id, first.repeated) == ("t-1", False)
    assert (second.id, second.repeated, second.change) == ("t-1", True, None)
    assert conversation(engine, ReadConversation(conversation_id="c-1")).total == 1


def test_the_same_id_with_other_content_is_a_conflict(engine: Engine) -> None:
    say(engine, "January", turn_id="t-1")
    with pytest.raises(Conflict):
        say(engine, "February", turn_id="t-1")


def test_the_same_place_in_a_conversation_with_other_content_is_a_conflict(engine: Engine) -> None:
    say(engine, "January", conversation_id="c", turn_index=0)
    assert store_turn(
        engine, NewTurn(content="January", conversation_id="c", turn_index=0), author=IRIS
    ).repeated
    with pytest.raises(Conflict):
        say(engine, "February", conversation_id="c", turn_index=0)


def test_turns_without_an_index_are_appended_in_order(engine: Engine) -> None:
    batch = NewTurns(turns=tuple(NewTurn(content=f"line {n}", conversation_id="c") for n in range(5)))
    store_turns(engine, batch, author=IRIS)
    say(engine, "line 5", conversation_id="c")
    turns = conversation(engine, ReadConversation(conversation_id="c")).turns
    assert [(turn.turn_index, turn.content) for turn in turns] == [(n, f"line {n}") for n in range(6)]


def test_a_batch_with_one_bad_turn_stores_nothing(engine: Engine) -> None:
    say(engine, "January", turn_id="t-1", conversation_id="c")
    batch = NewTurns(
        turns=(NewTurn(content="new", conversation_id="d"), NewTurn(content="other", turn_id="t-1"))
    )
    with pytest.raises(Conflict):
        store_turns(engine, batch, author=IRIS)
    with pytest.raises(NotFound):
        conversation(engine, ReadConversation(conversation_id="d"))


def test_a_conversation_keeps_its_channel(engine: Engine) -> None:
    say(engine, "one", conversation_id="c", channel="lisbon")
    say(engine, "two", conversation_id="c")
    assert conversation(engine, ReadConversation(conversation_id="c")).total == 2
    with pytest.raises(Conflict, match="belongs to channel lisbon"):
        say(engine, "three", conversation_id="c", channel="homelab")


@pytest.mark.parametrize("content", ["", "  \n "])
def test_an_empty_turn_is_refused(engine: Engine, content: str) -> None:
    with pytest.raises(BadAsk):
        say(engine, content)


def test_a_claim_is_learned_once_and_gains_a_source_each_time_it_is_said(engine: Engine) -> None:
    turns = [say(engine, "The flat allows pets", conversation_id=f"c{n}", channel="lisbon") for n in range(2)]
    first, second = (
        learn_fact(engine, NewFact(claim=claim, channel="lisbon", source_turn_id=turn), author=IRIS)
        for claim, turn in zip(("The flat allows pets", "the  flat allows PETS"), turns, strict=True)
    )
    assert second.repeated and second.id == first.id
    (row,) = facts(engine, ListFacts(channels=("lisbon",))).rows
    assert row.conversations == 2


def test_the_same_claim_may_stand_in_two_channels(engine: Engine) -> None:
    for channel in ("lisbon", "homelab"):
        assert not learn_fact(
            engine, NewFact(claim="Backups run at night", channel=channel), author=IRIS
        ).repeated


def test_a_call_repeated_under_its_key_learns_once(engine: Engine) -> None:
    ask = NewFact(claim="Jun is allergic to penicillin", retry_key="call-1")
    first = learn_fact(engine, ask, author=IRIS)
    again = learn_fact(engine, ask, author=IRIS)
    assert again.repeated and again.id == first.id


def test_a_fact_that_supersedes_another_makes_it_past_and_undo_brings_it_back(engine: Engine) -> None:
    old = learn_fact(engine, NewFact(claim="The NAS runs Postgres 15", channel="homelab"), author=IRIS)
    new = learn_fact(
        engine, NewFact(claim="The NAS runs Postgres 16", channel="homelab", supersedes=old.id), author=IRIS
    )
    seen = inspect(engine, Inspect(id=old.id))
    assert seen.fact is not None and (seen.fact.temporal, seen.fact.superseded_by) == ("past", new.id)
    undo(engine, Undo(change=new.change), author="person:Mara")
    back = inspect(engine, Inspect(id=old.id)).fact
    assert back is not None and (back.temporal, back.superseded_by) == (None, None)


@pytest.mark.parametrize(
    "bad", [{"claim": " "}, {"confidence": 1.5}, {"temporal": "someday"}, {"claim": "x" * 5000}]
)
def test_a_fact_out_of_range_is_refused(engine: Engine, bad: dict[str, object]) -> None:
    with pytest.raises(BadAsk):
        learn_fact(engine, NewFact(**{"claim": "fine", **bad}), author=IRIS)  # type: ignore[arg-type]


def test_a_fact_from_a_turn_that_is_not_there_is_refused(engine: Engine) -> None:
    with pytest.raises(NotFound):
        learn_fact(engine, NewFact(claim="The flat allows pets", source_turn_id="t-none"), author=IRIS)


def test_an_entity_is_completed_and_never_overwritten(engine: Engine) -> None:
    first = upsert_entity(engine, NewEntity(name="PostgreSQL", aliases=("Postgres",)), author=IRIS)
    second = upsert_entity(
        engine, NewEntity(name="postgres", type="Technology", description="A database"), author=IRIS
    )
    third = upsert_entity(
        engine, NewEntity(name="PostgreSQL", type="Product", description="Other"), author=IRIS
    )
    assert (first.id, first.created) == (second.id, True) and not second.created
    assert third.change is None
    seen = inspect(engine, Inspect(id=first.id))
    assert (seen.title, seen.category) == ("PostgreSQL", "Technology")
    assert {field.name: field.value for field in seen.fields} == {
        "description": "A database",
        "also known as": "Postgres",
    }


def test_a_relation_joins_entities_by_name_or_other_name_once(engine: Engine) -> None:
    upsert_entity(engine, NewEntity(name="PostgreSQL", aliases=("Postgres",)), author=IRIS)
    upsert_entity(engine, NewEntity(name="PgBouncer"), author=IRIS)
    ask = NewRelation(source="PgBouncer", target="Postgres", type="part of")
    assert not relate(engine, ask, author=IRIS).repeated
    assert relate(engine, ask, author=IRIS).repeated
    with pytest.raises(NotFound, match="no entity called"):
        relate(engine, NewRelation(source="PgBouncer", target="Oracle"), author=IRIS)
    with pytest.raises(BadAsk):
        relate(engine, NewRelation(source="PgBouncer", target="pgbouncer"), author=IRIS)


def test_undoing_the_first_memory_of_a_channel_keeps_the_channel(engine: Engine) -> None:
    first = learn_fact(engine, NewFact(claim="The flat allows pets", channel="lisbon"), author=IRIS)
    learn_fact(engine, NewFact(claim="The deposit is two months", channel="lisbon"), author=IRIS)
    undo(engine, Undo(change=first.change), author="person:Mara")
    with engine.store.reading() as db:
        assert search.channels_of(db, "local") == ("lisbon",)


def test_a_channel_that_holds_memory_is_not_undone(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="The flat allows pets", channel="lisbon"), author=IRIS)
    with pytest.raises(Conflict, match="holds memory"):
        undo(engine, Undo(change=1), author="person:Mara")


def test_a_channel_named_with_stray_spaces_is_one_channel_for_everything_in_it(engine: Engine) -> None:
    untidy, tidy = "  harbor   web ", "harbor web"
    learned = learn_fact(engine, NewFact(claim="Deploys happen on Tuesdays", channel=untidy), author=IRIS)
    entity = upsert_entity(engine, NewEntity(name="Tuesday", channel=untidy), author=IRIS)
    relate(engine, NewRelation(source=learned.id, target="Tuesday", channel=untidy), author=IRIS)
    assert {inspect(engine, Inspect(id=id)).channel for id in (learned.id, entity.id)} == {tidy}
    assert recall(engine, Query(text="deploys", channel=untidy), author=IRIS).channels == (tidy, "_global")


def test_turns_that_begin_too_many_conversations_for_one_change_are_refused_in_a_sentence(
    engine: Engine,
) -> None:
    batch = NewTurns(turns=tuple(NewTurn(content=f"line {n}") for n in range(400)))
    with pytest.raises(BadAsk, match="800 records"):
        store_turns(engine, batch, author=IRIS)


def test_a_known_claim_may_supersede_another_and_doing_so_again_changes_nothing(engine: Engine) -> None:
    old = learn_fact(engine, NewFact(claim="The lease ends in May"), author=IRIS)
    new = learn_fact(engine, NewFact(claim="The lease ends in June"), author=IRIS)
    ask = NewFact(claim="The lease ends in June", supersedes=old.id)
    assert learn_fact(engine, ask, author=IRIS).id == new.id
    assert [row.id for row in facts(engine, ListFacts()).rows] == [new.id]
    again = learn_fact(engine, ask, author=IRIS)
    assert (again.id, again.repeated, again.change) == (new.id, True, None)


def test_an_index_that_no_conversation_reaches_is_refused(engine: Engine) -> None:
    with pytest.raises(BadAsk, match="turn_index"):
        say(engine, "January", conversation_id="c", turn_index=2**62)


def test_an_entity_with_more_names_than_one_change_holds_is_refused_in_a_sentence(engine: Engine) -> None:
    aliases = tuple(f"name {n}" for n in range(600))
    with pytest.raises(BadAsk, match="records at once"):
        upsert_entity(engine, NewEntity(name="Legion", aliases=aliases), author=IRIS)
    with pytest.raises(BadAsk, match="records at once"):
        learn_fact(engine, NewFact(claim="They are many", about=aliases), author=IRIS)
