"""What travels with a channel or a conversation, and what must wait for what."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channel_merge import merge_channels, rename_channel
from memdesk.engine.memory.channels import create_channel
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, store_turns, upsert_entity
from memdesk.engine.memory.scope import move
from memdesk.engine.memory.working import get_value, set_value
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.undo import undo
from memdesk.model.channel import MergeChannels, NewChannel, RenameChannel
from memdesk.model.curation import Move, Retire, Undo
from memdesk.model.errors import Cancelled, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.turn import TURN
from memdesk.model.working import AskValue, SetValue
from memdesk.store import records
from tests.engine.conftest import redo
from tests.store.agreement import assert_agreement

IRIS, MARA = "agent:iris", "person:Mara"


def merge(engine: Engine, channel: str, into: str, progress: Progress = ignore_progress) -> dict[str, Any]:
    return merge_channels(engine, MergeChannels(channel=channel, into=into), author=MARA, progress=progress)


def stopped(done: int, total: int, says: str) -> None:
    if says.startswith("Moving"):
        raise Cancelled("Stopped.")


def say(engine: Engine, **place: Any) -> None:
    store_turn(engine, NewTurn(content="Hello.", role="user", **place), author=IRIS)


def value(engine: Engine, **place: Any) -> Any:
    return get_value(engine, AskValue(key="draft", **place), author=IRIS).value


def place_of(engine: Engine, kind: Kind[Any], id: str) -> str:
    with engine.store.reading() as db:
        return str(records.need(db, kind, id).channel)


def test_a_channel_does_not_leave_while_another_is_on_its_way_into_it(engine: Engine) -> None:
    for name in ("a", "b", "c"):
        learn_fact(engine, NewFact(claim=f"Told in {name}.", channel=name), author=IRIS)
    with pytest.raises(Cancelled):
        merge(engine, "a", "b", stopped)
    with pytest.raises(Conflict, match="a is on its way into b"):
        merge(engine, "b", "c")
    merge(engine, "a", "b")
    merge(engine, "b", "c")
    with engine.store.reading() as db:
        assert {fact.channel for fact in records.find(db, FACT)} == {"c"}


def test_the_session_at_hand_goes_along_when_its_channel_is_renamed(engine: Engine) -> None:
    say(engine, channel="harbour", conversation_id="c1")
    for talk in ("c1", None):
        set_value(engine, SetValue(key="draft", value="tide tables", channel="harbour", conversation_id=talk))
    rename_channel(
        engine, RenameChannel(channel="harbour", name="häfen"), author=MARA, progress=ignore_progress
    )
    assert value(engine, channel="harbour", conversation_id="c1") == "tide tables"
    assert value(engine, channel="häfen") == "tide tables"
    engine.store.close()
    assert_agreement(engine.desk.database)


def test_merging_channels_leaves_the_session_of_the_target_as_it_is(engine: Engine) -> None:
    for name in ("a", "b"):
        create_channel(engine, NewChannel(name=name), author=MARA)
        set_value(engine, SetValue(key="draft", value=name, channel=name))
    merge(engine, "a", "b")
    assert value(engine, channel="a") == value(engine, channel="b") == "b"
    engine.store.close()
    assert_agreement(engine.desk.database)


def test_the_session_at_hand_goes_along_when_its_conversation_moves(engine: Engine) -> None:
    say(engine, channel="a", conversation_id="c1")
    set_value(engine, SetValue(key="draft", value=1, conversation_id="c1"))
    set_value(engine, SetValue(key="draft", value=2, channel="a"))
    move(engine, Move(id="c1", channel="b"), author=MARA)
    assert value(engine, conversation_id="c1") == 1 and value(engine, channel="a") == 2


def test_a_channel_that_holds_but_a_relation_is_not_taken_back(engine: Engine) -> None:
    ends = [upsert_entity(engine, NewEntity(name=name), author=IRIS).id for name in ("Gull", "Roof")]
    made = create_channel(engine, NewChannel(name="a"), author=MARA)
    relate(engine, NewRelation(source=ends[0], target=ends[1], type="KNOWS", channel="a"), author=IRIS)
    with pytest.raises(Conflict, match="holds memory"):
        undo(engine, Undo(change=made.change), author=MARA)


def test_what_is_redone_after_its_channel_was_renamed_is_found_under_the_new_name(engine: Engine) -> None:
    learned = learn_fact(engine, NewFact(claim="Gulls like bread.", channel="a"), author=IRIS)
    undo(engine, Undo(change=learned.change), author=MARA)
    rename_channel(engine, RenameChannel(channel="a", name="b"), author=MARA, progress=ignore_progress)
    redo(engine, MARA)
    assert place_of(engine, FACT, learned.id) == "b"
    engine.store.close()
    assert_agreement(engine.desk.database)


def test_what_was_said_since_a_conversation_moved_goes_back_with_it(engine: Engine) -> None:
    say(engine, channel="a", conversation_id="c1", turn_id="t1")
    moved = move(engine, Move(id="c1", channel="b"), author=MARA)
    say(engine, channel="b", conversation_id="c1", turn_id="t2")
    undo(engine, Undo(change=moved.change), author=MARA)
    assert {place_of(engine, TURN, id) for id in ("t1", "t2")} == {"a"}
    redo(engine, MARA)
    assert {place_of(engine, TURN, id) for id in ("t1", "t2")} == {"b"}


def test_a_turn_that_is_redone_joins_its_conversation_where_that_went(engine: Engine) -> None:
    for id in ("t1", "t2"):
        say(engine, channel="a", conversation_id="c1", turn_id=id)
    undo(engine, Undo(), author=IRIS)
    move(engine, Move(id="c1", channel="b"), author=MARA)
    redo(engine, IRIS)
    assert place_of(engine, TURN, "t2") == "b"


def test_more_than_a_change_holds_does_not_follow_a_conversation_back(engine: Engine) -> None:
    say(engine, channel="a", conversation_id="c1")
    moved = move(engine, Move(id="c1", channel="b"), author=MARA)
    for first in (0, 300):
        turns = tuple(
            NewTurn(content=f"{n}", channel="b", conversation_id="c1") for n in range(first, first + 300)
        )
        store_turns(engine, NewTurns(turns=turns), author=IRIS)
    with pytest.raises(Conflict, match="Too much was said"):
        undo(engine, Undo(change=moved.change), author=MARA)


def test_a_fact_does_not_come_back_beside_one_that_was_told_since(engine: Engine) -> None:
    first = learn_fact(engine, NewFact(claim="port: 80", key="port", value="80", channel="a"), author=IRIS)
    gone = retire(engine, Retire(id=first.id), author=MARA)
    learn_fact(engine, NewFact(claim="port: 443", key="port", value="443", channel="a"), author=IRIS)
    with pytest.raises(Conflict, match="port: 443"):
        undo(engine, Undo(change=gone.change), author=MARA)


def test_a_value_that_gave_way_comes_back_when_the_new_one_is_taken_back(engine: Engine) -> None:
    facts = [
        learn_fact(engine, NewFact(claim=f"port: {n}", key="port", value=n, channel="a"), author=IRIS)
        for n in ("80", "443")
    ]
    undo(engine, Undo(change=facts[1].change), author=MARA)
    with engine.store.reading() as db:
        fact: Fact = records.need(db, FACT, facts[0].id)
    assert fact.superseded_by is None and fact.temporal is None
