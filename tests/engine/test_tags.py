"""Tags stand on any memory, are counted and renamed, narrow lists, and are taken back like any other change."""

from __future__ import annotations

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory import tags as verbs
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.memory.tags import list_tags, rename_tag, tag, untag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo, undo_run
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.curation import ListTags, RenameTag, Tagging, Undo, UndoRun
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from memdesk.store.semantic import tagged

FORGE, MARA = "agent:Forge", "person:Mara"


@pytest.fixture
def fact(engine: Engine) -> str:
    return learn_fact(engine, NewFact(claim="Tea is at four", channel="kitchen"), author=FORGE).id


def counts(engine: Engine, *channels: str) -> dict[str, int]:
    return {row.tag: row.memories for row in list_tags(engine, ListTags(channels=channels)).rows}


def test_any_memory_carries_tags_and_lists_are_narrowed_to_them(engine: Engine, fact: str) -> None:
    turn = store_turn(engine, NewTurn(content="Tea?", channel="kitchen"), author=FORGE).id
    entity = upsert_entity(engine, NewEntity(name="Tea", channel="garden"), author=FORGE).id
    learn_fact(engine, NewFact(claim="Coffee is at nine", channel="kitchen"), author=FORGE)
    assert tag(engine, Tagging(id=fact, tags=(" Daily ", "tea  time")), author=MARA).tags == (
        "daily",
        "tea time",
    )
    for id in (turn, entity):
        tag(engine, Tagging(id=id, tags=("daily",)), author=FORGE)
    assert counts(engine) == {"daily": 3, "tea time": 1} and counts(engine, "garden") == {"daily": 1}
    (row,) = facts(engine, ListFacts(tags=("DAILY", "nothing"))).rows
    assert (row.id, row.tags) == (fact, ("daily", "tea time"))
    assert inspect(engine, Inspect(id=turn)).tags == ("daily",)
    with engine.store.reading() as db:
        assert tagged(db, "local", ("daily",)) == {fact, turn, entity}
        assert tagged(db, "else", ("daily",)) == set()


def test_a_tag_is_added_once_taken_away_and_added_again(engine: Engine, fact: str) -> None:
    first = tag(engine, Tagging(id=fact, tags=("daily",)), author=MARA)
    assert first.change and tag(engine, Tagging(id=fact, tags=("Daily",)), author=FORGE).change is None
    assert untag(engine, Tagging(id=fact, tags=("daily",)), author=MARA).tags == ()
    with pytest.raises(NotFound, match="no tag daily"):
        untag(engine, Tagging(id=fact, tags=("daily",)), author=MARA)
    undo(engine, Undo(), author=MARA)
    assert counts(engine) == {"daily": 1}
    untag(engine, Tagging(id=fact, tags=("daily",)), author=MARA)
    assert tag(engine, Tagging(id=fact, tags=("daily",)), author=MARA).tags == ("daily",)


def test_a_renamed_tag_joins_one_of_that_name_and_comes_back_by_undo(engine: Engine, fact: str) -> None:
    other = learn_fact(engine, NewFact(claim="Coffee is at nine", channel="kitchen"), author=FORGE).id
    tag(engine, Tagging(id=fact, tags=("daily", "everyday")), author=MARA)
    tag(engine, Tagging(id=other, tags=("daily",)), author=MARA)
    done = rename_tag(engine, RenameTag(tag="Daily", name="everyday"), author=MARA)
    assert counts(engine) == {"everyday": 2}
    undo_run(engine, UndoRun(change=done.change), author=MARA, progress=ignore_progress)
    assert counts(engine) == {"daily": 2, "everyday": 1}


def test_a_tag_on_very_many_memories_is_renamed_in_several_changes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "EDITS_AT_MOST", 4)
    for n in range(5):
        id = learn_fact(engine, NewFact(claim=f"Claim {n}"), author=FORGE).id
        tag(engine, Tagging(id=id, tags=("daily",)), author=MARA)
    done = rename_tag(engine, RenameTag(tag="daily", name="every day"), author=MARA)
    assert counts(engine) == {"every day": 5}
    assert undo_run(engine, UndoRun(change=done.change), author=MARA, progress=ignore_progress)["undone"] == 3
    assert counts(engine) == {"daily": 5}


def test_bad_tags_and_what_is_no_memory_are_refused(engine: Engine, fact: str) -> None:
    for bad in ((), ("",), ("x" * 61,)):
        with pytest.raises(BadAsk):
            tag(engine, Tagging(id=fact, tags=bad), author=MARA)
    with pytest.raises(NotFound):
        tag(engine, Tagging(id="f_nowhere", tags=("x",)), author=MARA)
    with engine.store.reading() as db:
        channel = db.value("SELECT id FROM channels")
    with pytest.raises(BadAsk, match="carries no tags"):
        tag(engine, Tagging(id=channel, tags=("x",)), author=MARA)
    with pytest.raises(NotFound):
        rename_tag(engine, RenameTag(tag="nothing", name="something"), author=MARA)
    with pytest.raises(BadAsk):
        rename_tag(engine, RenameTag(tag="a", name="A"), author=MARA)
