"""What a promotion takes along and asks; the ways out of recall and back: demote, forget, restore, move, link."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory import scope
from memdesk.engine.memory.curate import demote, forget, pin, restore, retire
from memdesk.engine.memory.duplicates import similar_to
from memdesk.engine.memory.merge import merge
from memdesk.engine.memory.promotion import preview_promotion, promote
from memdesk.engine.memory.remember import learn_fact, store_turn, store_turns, upsert_entity
from memdesk.engine.memory.review_queue import review
from memdesk.engine.memory.scope import link, move, unlink
from memdesk.engine.memory.tags import tag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo, undo_run
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.curation import (
    Demote,
    Forget,
    Link,
    Merge,
    Move,
    Pin,
    PreviewPromotion,
    Promote,
    Restore,
    Retire,
    Tagging,
    Undo,
    UndoRun,
    Unlink,
)
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.kinds import KINDS
from memdesk.model.remember import NewEntity, NewFact, NewTurn, NewTurns
from memdesk.model.review import AskReview
from memdesk.store import records
from tests.engine.conftest import embed_all, stored_fact

FORGE, MARA = "agent:Forge", "person:Mara"


def learn(engine: Engine, claim: str, channel: str = "harbour", **more: Any) -> str:
    return learn_fact(engine, NewFact(claim=claim, channel=channel, **more), author=FORGE).id


def entity(engine: Engine, name: str, channel: str = "harbour", **more: Any) -> str:
    return upsert_entity(engine, NewEntity(name=name, channel=channel, **more), author=FORGE).id


def fact_of(engine: Engine, id: str) -> Fact:
    with engine.store.reading() as db:
        found: Fact = records.need(db, FACT, id)
    return found


def current(engine: Engine, channel: str) -> list[str]:
    return [row.claim for row in facts(engine, ListFacts(channels=(channel,))).rows]


def state(engine: Engine) -> dict[str, list[Any]]:
    with engine.store.reading() as db:
        return {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}


@pytest.mark.both
def test_a_promoted_copy_keeps_tags_key_and_time(engine: Engine) -> None:
    id = learn(engine, "deploy day: Tuesday", key="deploy day", value="Tuesday")
    tag(engine, Tagging(id=id, tags=("weekly",)), author=MARA)
    copy = promote(engine, Promote(fact_id=id), author=MARA).id
    assert (fact_of(engine, copy).key, fact_of(engine, copy).value) == ("deploy day", "Tuesday")
    assert inspect(engine, Inspect(id=copy)).tags == ("weekly",)


OWN = {
    "seq",
    "id",
    "channel",
    "promoted_from",
    "superseded_by",
    "pinned",
    "salience",
    "salience_at",
    "created_at",
}
OWN |= {"retired_at", "origin", "trust"}
"""Fields that belong to a fact alone, and not to what it states."""


def test_a_promoted_copy_has_every_field_of_what_the_fact_states(engine: Engine) -> None:
    turn = store_turn(
        engine, NewTurn(content="We deploy on Tuesdays from May", channel="harbour"), author=FORGE
    )
    id = learn(
        engine,
        "deploy day: Tuesday",
        agent_id="Forge",
        key="deploy day",
        value="Tuesday",
        category="decision",
        confidence=0.7,
        temporal="current",
        source_turn_id=turn.id,
        quote="on Tuesdays",
        valid_from=datetime(2026, 1, 1, tzinfo=UTC),
        valid_to=datetime(2030, 1, 1, tzinfo=UTC),
    )
    fact = fact_of(engine, id)
    stated = [name for name in FACT.columns if name not in OWN]
    assert [name for name in stated if getattr(fact, name) == FACT.defaults.get(name)] == []
    copy = fact_of(engine, promote(engine, Promote(fact_id=id), author=MARA).id)
    assert {name: getattr(copy, name) for name in stated} == {name: getattr(fact, name) for name in stated}


def test_another_value_in_global_under_the_same_key_refuses_a_promotion(engine: Engine) -> None:
    learn(engine, "deploy day: Monday", "_global", key="deploy day", value="Monday")
    id = learn(engine, "deploy day: Tuesday", key="deploy day", value="Tuesday")
    with pytest.raises(Conflict, match="another value"):
        promote(engine, Promote(fact_id=id), author=MARA)


def test_what_global_says_to_the_contrary_is_shown_before_and_asked_afterwards(engine: Engine) -> None:
    old = learn(engine, "Mara lives in Brest", "_global", about=("Mara",))
    id = learn(engine, "Mara lives in Porto", about=("Mara",))
    (conflict,) = preview_promotion(engine, PreviewPromotion(fact_id=id)).conflicts
    assert conflict.id == old and "Porto" in conflict.reason.title()
    copy = promote(engine, Promote(fact_id=id, reason="she moved"), author=MARA).id
    (question,) = review(engine, AskReview()).rows
    assert (question.type, question.subject.id, question.other and question.other.id) == (
        "contradiction",
        copy,
        old,
    )
    undo(engine, Undo(), author=MARA)
    assert review(engine, AskReview()).rows == ()


def test_what_global_says_in_other_words_is_asked_about(engine: Engine) -> None:
    known = learn(engine, "Mara likes coffee", "_global", about=("Mara",))
    id = learn(engine, "Mara really likes coffee", about=("Mara",))
    embed_all(engine)
    copy = promote(engine, Promote(fact_id=id), author=MARA).id
    (question,) = review(engine, AskReview()).rows
    assert (question.type, question.subject.id, question.other and question.other.id) == (
        "duplicate",
        copy,
        known,
    )


def test_what_global_says_alike_is_shown_before_and_a_copy_is_no_such_thing(engine: Engine) -> None:
    alike = stored_fact(engine, "The old crane lifts 12 tonnes", "_global")
    id = stored_fact(engine, "The old crane lifts 12 tonnes today", "harbour")
    embed_all(engine)
    assert [each.id for each in preview_promotion(engine, PreviewPromotion(fact_id=id)).similar] == [alike]
    copy = promote(engine, Promote(fact_id=id, reason="all"), author=MARA).id
    embed_all(engine)
    with engine.store.reading() as db:
        found = similar_to(engine, db, fact_of(engine, id), channels=("_global", "harbour"))
    assert [each.id for each in found] == [alike] != [copy]


def test_a_demoted_copy_leaves_global_and_still_names_its_original(engine: Engine) -> None:
    id = learn(engine, "Lights need a yearly check")
    copy = promote(engine, Promote(fact_id=id), author=MARA).id
    done = demote(engine, Demote(fact_id=copy, reason="only here"), author=MARA)
    assert current(engine, "_global") == [] and current(engine, "harbour") == ["Lights need a yearly check"]
    assert fact_of(engine, copy).promoted_from == id
    with pytest.raises(Conflict):
        demote(engine, Demote(fact_id=copy), author=MARA)
    again = promote(engine, Promote(fact_id=id), author=MARA)
    with pytest.raises(Conflict, match="taken by"):
        restore(engine, Restore(id=copy), author=MARA)
    undo(engine, Undo(change=again.change), author=MARA)
    undo(engine, Undo(change=done.change), author=MARA)
    assert current(engine, "_global") == ["Lights need a yearly check"]
    with pytest.raises(BadAsk, match="was promoted"):
        demote(engine, Demote(fact_id=id), author=MARA)


def test_a_forgotten_fact_is_past_faint_and_unsure_and_comes_back_by_undo(engine: Engine) -> None:
    id = learn(engine, "The old pier is open", confidence=0.95)
    pin(engine, Pin(id=id), author=MARA)
    before = fact_of(engine, id)
    forget(engine, Forget(fact_id=id, reason="torn down"), author=MARA)
    gone = fact_of(engine, id)
    assert (gone.confidence, gone.temporal, gone.salience, gone.pinned) == (0.285, "past", 0.05, 0)
    with pytest.raises(Conflict, match="forgotten already"):
        forget(engine, Forget(fact_id=id), author=MARA)
    undo(engine, Undo(), author=MARA)
    assert fact_of(engine, id) == before
    faint = learn(engine, "Gulls may nest there", confidence=0.1)
    forget(engine, Forget(fact_id=faint), author=MARA)
    assert fact_of(engine, faint).confidence == 0.05


def test_a_retired_or_superseded_memory_is_restored_by_hand(engine: Engine) -> None:
    old = learn(engine, "The ferry leaves at nine", temporal="current")
    new = learn(engine, "The ferry leaves at ten", supersedes=old)
    assert fact_of(engine, old).temporal == "past"
    restore(engine, Restore(id=old, reason="the winter timetable"), author=MARA)
    assert (fact_of(engine, old).temporal, fact_of(engine, old).superseded_by) == ("current", None)
    retire(engine, Retire(id=new), author=MARA)
    learn(engine, "the ferry leaves at TEN.")
    with pytest.raises(Conflict, match="taken by"):
        restore(engine, Restore(id=new), author=MARA)
    with pytest.raises(Conflict, match="is not retired"):
        restore(engine, Restore(id=old), author=MARA)


def test_a_merged_entity_is_not_restored_beside_the_one_that_took_its_name(engine: Engine) -> None:
    kept, lost = entity(engine, "PostgreSQL"), entity(engine, "Postgres")
    merge(engine, Merge(id=lost, into_id=kept), author=MARA)
    with pytest.raises(Conflict, match="taken by"):
        restore(engine, Restore(id=lost), author=MARA)
    retire(engine, Retire(id=kept), author=MARA)
    restore(engine, Restore(id=lost), author=MARA)
    assert not inspect(engine, Inspect(id=lost)).retired


def test_a_moved_fact_is_about_the_entities_of_its_new_channel(engine: Engine) -> None:
    there = entity(engine, "Ferry", "island")
    id = learn(engine, "The ferry leaves at nine", about=("Ferry", "Pier"))
    tag(engine, Tagging(id=id, tags=("daily",)), author=MARA)
    before = state(engine)
    move(engine, Move(id=id, channel="island", reason="filed wrongly"), author=MARA)
    assert current(engine, "island") == ["The ferry leaves at nine"] and current(engine, "harbour") == []
    about = inspect(engine, Inspect(id=id)).about
    assert {(each.title, each.channel) for each in about} == {("Ferry", "island"), ("Pier", "island")}
    assert there in {each.id for each in about}
    undo(engine, Undo(), author=MARA)
    assert state(engine) == before


def test_a_moved_entity_takes_its_names_and_a_conversation_its_turns(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = entity(engine, "Ferry", aliases=("the boat",))
    talk = store_turn(engine, NewTurn(content="When?", channel="harbour"), author=FORGE).conversation_id
    for n in range(4):
        store_turn(engine, NewTurn(content=f"At {n}.", channel="harbour", conversation_id=talk), author=FORGE)
    learn(engine, "Islands are small", "island")
    before = state(engine)
    moved = move(engine, Move(id=id, channel="island"), author=MARA)
    assert (moved.title, moved.run) == ("Ferry", None)
    monkeypatch.setattr(scope, "STEP", 2)
    done = move(engine, Move(id=talk, channel="island"), author=MARA)
    assert done.run is not None
    with engine.store.reading() as db:
        for table in ("turns", "conversations", "entities", "aliases"):
            assert db.rows(f"SELECT DISTINCT channel FROM {table}") == [("island",)]
    assert undo_run(engine, UndoRun(change=done.change), author=MARA, progress=ignore_progress)["undone"] == 3
    undo(engine, Undo(), author=MARA)
    assert state(engine) == before


def test_a_move_onto_its_own_like_or_of_a_part_is_refused(engine: Engine) -> None:
    id, other = learn(engine, "Tea is at four"), entity(engine, "Tea")
    learn(engine, "tea is at four", "kitchen", about=("Tea",))
    for moved in (id, other):
        with pytest.raises(Conflict, match="holds the same"):
            move(engine, Move(id=moved, channel="kitchen"), author=MARA)
    with pytest.raises(Conflict, match="already"):
        move(engine, Move(id=id, channel="harbour"), author=MARA)
    with pytest.raises(BadAsk, match="promotion"):
        move(engine, Move(id=id, channel="_global"), author=MARA)
    turn = store_turn(engine, NewTurn(content="Tea?", channel="harbour"), author=FORGE).id
    with pytest.raises(BadAsk, match="does not move"):
        move(engine, Move(id=turn, channel="kitchen"), author=MARA)


def test_a_fact_is_linked_to_an_entity_and_unlinked_again(engine: Engine) -> None:
    fact, boat = learn(engine, "The ferry leaves at nine"), entity(engine, "Ferry")
    link(engine, Link(fact_id=fact, entity_id=boat, reason="it says so"), author=MARA)
    assert [each.id for each in inspect(engine, Inspect(id=fact)).about] == [boat]
    with pytest.raises(Conflict, match="already"):
        link(engine, Link(fact_id=fact, entity_id=boat), author=MARA)
    unlink(engine, Unlink(fact_id=fact, entity_id=boat), author=MARA)
    assert inspect(engine, Inspect(id=fact)).about == ()
    with pytest.raises(NotFound):
        unlink(engine, Unlink(fact_id=fact, entity_id=boat), author=MARA)
    link(engine, Link(fact_id=fact, entity_id=boat), author=MARA)
    undo(engine, Undo(), author=MARA)
    undo(engine, Undo(), author=MARA)
    assert [each.id for each in inspect(engine, Inspect(id=fact)).about] == [boat]


def test_a_fact_of_a_thousand_sources_and_hundreds_of_tags_is_promoted_in_one_change(engine: Engine) -> None:
    id = learn(engine, "The tide is high.")
    turns = tuple(NewTurn(content=f"{n} gulls", channel="harbour", conversation_id="c") for n in range(400))
    for source in store_turns(engine, NewTurns(turns=turns), author=FORGE).turns:
        learn(engine, "The tide is high.", source_turn_id=source.id)
    for first in range(0, 250, 50):
        names = tuple(f"tag {number}" for number in range(first, first + 50))
        tag(engine, Tagging(id=id, tags=names), author=MARA)
    before = state(engine)
    done = promote(engine, Promote(fact_id=id), author=MARA)
    undo(engine, Undo(change=done.change), author=MARA)
    assert state(engine)["relation"] == before["relation"] and state(engine)["tag"] == before["tag"]
