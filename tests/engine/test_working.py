"""Working memory: the session at hand lives while it is used, is bounded, survives restarts and is never journalled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory import goals, scratchpad, working
from memdesk.engine.memory.ephemeral import add_turn, forget_expired, recent_turns
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact, store_turn, store_turns
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.curation import EraseUser, Undo
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.goal import CompleteGoal, NewGoal
from memdesk.model.instant import SECOND
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.working import (
    PENDING,
    AddTurn,
    AskHeld,
    AskPlaces,
    AskRecent,
    AskValue,
    ExtendLife,
    ForgetKey,
    Forgotten,
    PushThought,
    SetActiveGoal,
    SetValue,
    WorkingPlace,
    WorkingValue,
    WriteNote,
    lock_key,
    session_key,
    working_key,
)
from memdesk.store import working as store
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock

IRIS = "agent:Iris"
MARA = "person:Mara"


def keep(engine: Engine, key: str, value: Any = 1, **more: Any) -> None:
    working.set_value(engine, SetValue(key=key, value=value, **more))


def value(engine: Engine, key: str, *, author: str = IRIS, **more: Any) -> WorkingValue:
    found = working.get_value(engine, AskValue(key=key, **more), author=author)
    settle(engine)
    return found


def settle(engine: Engine) -> None:
    """Wait until what a reading wrote behind its answer is written."""
    engine.store.submit(lambda _: None).result()


def pass_seconds(clock: Clock, seconds: float) -> None:
    clock.at += round(seconds * SECOND)


def contents(engine: Engine, **more: Any) -> list[str]:
    return [turn.content for turn in recent_turns(engine, AskRecent(**more), author=IRIS).turns]


def stored_keys(engine: Engine) -> set[str]:
    with engine.store.reading() as db:
        return {row[0] for row in db.rows("SELECT key FROM working")}


def held_bytes(db: Connection) -> tuple[int, int]:
    return db.value("SELECT count(*) FROM working"), db.value("SELECT ifnull(sum(bytes), 0) FROM working")


def test_a_value_is_kept_read_and_forgotten(engine: Engine) -> None:
    keep(engine, "draft", {"to": "Jun", "lines": [1, None, "ü"]})
    assert value(engine, "draft").value == {"to": "Jun", "lines": [1, None, "ü"]}
    assert working.delete_value(engine, AskValue(key="draft")) == Forgotten(keys=1)
    assert not value(engine, "draft").found
    assert working.delete_value(engine, AskValue(key="draft")).keys == 0


def test_null_is_a_value_and_nothing_is_none(engine: Engine) -> None:
    keep(engine, "empty", None)
    assert value(engine, "empty").found and not value(engine, "missing").found


def test_a_value_lives_an_hour_after_its_last_use(engine: Engine, clock: Clock) -> None:
    keep(engine, "draft")
    for _ in range(3):
        pass_seconds(clock, 3000)
        assert value(engine, "draft").found
    pass_seconds(clock, 3601)
    assert not value(engine, "draft").found


def test_a_person_who_looks_does_not_keep_a_value_alive(engine: Engine, clock: Clock) -> None:
    keep(engine, "draft")
    pass_seconds(clock, 3000)
    assert value(engine, "draft", author=MARA).found
    pass_seconds(clock, 700)
    assert not value(engine, "draft").found


def test_a_value_may_have_a_life_of_its_own_that_slides_too(engine: Engine, clock: Clock) -> None:
    keep(engine, "draft", ttl_seconds=10)
    pass_seconds(clock, 9)
    assert value(engine, "draft").found
    pass_seconds(clock, 9)
    assert value(engine, "draft").found
    pass_seconds(clock, 11)
    assert not value(engine, "draft").found


def test_what_has_expired_is_swept_at_the_next_write(engine: Engine, clock: Clock) -> None:
    keep(engine, "old", ttl_seconds=10)
    pass_seconds(clock, 11)
    keep(engine, "new")
    assert stored_keys(engine) == {"working:local:_global:global:context:new"}
    size = working.size(engine)
    assert (size.keys, size.expired, size.evicted) == (1, 1, 0)


def test_places_are_apart_by_user_channel_and_conversation(engine: Engine) -> None:
    places: list[dict[str, Any]] = [
        {},
        {"user_id": "jun"},
        {"channel": "lisbon"},
        {"conversation_id": "c"},
        {"conversation_id": "global"},
        {"user_id": "a:b", "channel": "c"},
        {"user_id": "a", "channel": "b:c"},
    ]
    for n, place in enumerate(places):
        keep(engine, "n", n, **place)
    assert [value(engine, "n", **place).value for place in places] == list(range(len(places)))


def test_keys_read_as_agentx_writes_them() -> None:
    assert working_key("mara", "lisbon", "c-1", "turns") == "working:mara:lisbon:c-1:turns"
    assert (
        working_key("mara", "_global", None, "context:draft") == "working:mara:_global:global:context:draft"
    )
    assert session_key("local", "s-1", "plan") == "session:s-1:plan"
    assert session_key("jun", "s-1", "plan") != session_key("local", "jun@s-1", "plan")
    assert lock_key("c-1") == "consolidation:lock:c-1"


def test_stored_turns_enter_their_conversations_working_memory_newest_first(engine: Engine) -> None:
    store_turns(
        engine,
        NewTurns(turns=tuple(NewTurn(content=f"line {n}", conversation_id="c") for n in range(3))),
        author=IRIS,
    )
    store_turn(engine, NewTurn(content="line 3", conversation_id="c"), author=IRIS)
    assert contents(engine, conversation_id="c", limit=3) == ["line 3", "line 2", "line 1"]
    assert contents(engine) == []


def test_a_conversation_is_found_by_its_id_whatever_its_channel(engine: Engine) -> None:
    store_turn(engine, NewTurn(content="hello", conversation_id="c", channel="lisbon"), author=IRIS)
    keep(engine, "draft", conversation_id="c")
    assert contents(engine, conversation_id="c") == contents(engine, conversation_id="c", channel="lisbon")
    assert value(engine, "draft", conversation_id="c", channel="lisbon").found


def test_a_turn_that_was_taken_back_is_gone_from_working_memory_too(engine: Engine) -> None:
    store_turn(engine, NewTurn(content="kept", conversation_id="c"), author=IRIS)
    said = store_turn(engine, NewTurn(content="a slip", conversation_id="c"), author=IRIS)
    undo(engine, Undo(change=said.change), author=MARA)
    assert contents(engine, conversation_id="c") == ["kept"]


def test_a_refused_or_repeated_turn_adds_nothing(engine: Engine) -> None:
    turn = NewTurn(content="once", conversation_id="c", turn_id="t-1")
    store_turn(engine, turn, author=IRIS)
    store_turn(engine, turn, author=IRIS)
    bad = NewTurns(turns=(NewTurn(content="new", conversation_id="c"), replace(turn, content="other")))
    with pytest.raises(Exception, match="other content"):
        store_turns(engine, bad, author=IRIS)
    assert contents(engine, conversation_id="c") == ["once"]


def test_turns_that_are_not_stored_stand_beside_those_that_are(engine: Engine) -> None:
    store_turn(engine, NewTurn(content="stored", conversation_id="c", speaker="Mara"), author=IRIS)
    add_turn(
        engine, AddTurn(content="passing", role="tool", conversation_id="c", metadata={"tool": "search"})
    )
    newest, older = recent_turns(engine, AskRecent(conversation_id="c"), author=IRIS).turns
    assert (newest.content, newest.role, newest.id, newest.metadata) == (
        "passing",
        "tool",
        None,
        {"tool": "search"},
    )
    assert (older.content, older.speaker, older.turn_index) == ("stored", "Mara", 0)


def test_a_conversation_holds_so_many_turns_as_the_setting_says(engine: Engine) -> None:
    engine.use(replace(engine.settings, working_turns=3))
    for n in range(5):
        store_turn(engine, NewTurn(content=f"line {n}", conversation_id="c"), author=IRIS)
    assert contents(engine, conversation_id="c") == ["line 4", "line 3", "line 2"]


def test_long_turns_push_the_oldest_out_before_their_number_does(engine: Engine) -> None:
    for n in range(8):
        add_turn(engine, AddTurn(content=f"{n}" + "x" * 50_000))
    assert [content[0] for content in contents(engine, limit=50)] == ["7", "6", "5", "4", "3"]


def test_an_answer_to_a_push_is_what_is_kept(engine: Engine) -> None:
    def push(text: str) -> tuple[Any, Any]:
        def work(db: Connection) -> tuple[Any, Any]:
            answered = store.push(db, "list", [text], most=9, most_bytes=200, at=0, ttl_s=60)
            found = store.get(db, "list", at=0)
            return answered.value, found and found.value

        return engine.store.submit(work).result()

    for n in range(4):
        answered, kept = push(f"{n}" + "x" * 80)
        assert answered == kept and len(kept) == min(n + 1, 2)


def test_turns_live_on_while_the_conversation_goes_on(engine: Engine, clock: Clock) -> None:
    for n in range(4):
        store_turn(engine, NewTurn(content=f"line {n}", conversation_id="c"), author=IRIS)
        pass_seconds(clock, 3000)
    assert len(contents(engine, conversation_id="c")) == 4
    settle(engine)
    pass_seconds(clock, 3601)
    assert contents(engine, conversation_id="c") == []


def test_thoughts_come_newest_first(engine: Engine) -> None:
    for text in ("first", "second", "third"):
        working.push_thought(engine, PushThought(thought=text, conversation_id="c"))
    found = working.thoughts(engine, AskRecent(conversation_id="c", limit=2), author=IRIS).thoughts
    assert [thought.text for thought in found] == ["third", "second"]


def test_the_active_goal_is_named_by_its_goal_and_tells_how_that_stands(engine: Engine) -> None:
    goal = goals.add(engine, NewGoal(description="Find a flat"), author=IRIS)
    working.set_active_goal(engine, SetActiveGoal(goal_id=goal.id))
    goals.complete(engine, CompleteGoal(goal_id=goal.id), author=IRIS)
    at_hand = working.active_goal(engine, WorkingPlace(), author=IRIS).goal
    assert at_hand is not None
    assert (at_hand.goal_id, at_hand.description, at_hand.status) == (goal.id, "Find a flat", "completed")


def test_an_active_goal_need_not_be_stored_but_must_say_what_it_is(engine: Engine) -> None:
    working.set_active_goal(engine, SetActiveGoal(goal_id="step-3", description="Compare rents"))
    at_hand = working.active_goal(engine, WorkingPlace(), author=IRIS).goal
    assert at_hand is not None and (at_hand.description, at_hand.status) == ("Compare rents", None)
    with pytest.raises(NotFound):
        working.set_active_goal(engine, SetActiveGoal(goal_id="step-4"))
    assert working.active_goal(engine, WorkingPlace(conversation_id="other"), author=IRIS).goal is None


def test_another_users_goal_lends_no_description(engine: Engine) -> None:
    theirs = goals.add(engine, NewGoal(description="A secret", user_id="jun"), author=IRIS)
    with pytest.raises(NotFound):
        working.set_active_goal(engine, SetActiveGoal(goal_id=theirs.id))


def test_the_context_is_everything_and_clearing_forgets_it_alone(engine: Engine) -> None:
    store_turn(engine, NewTurn(content="hello", conversation_id="c"), author=IRIS)
    keep(engine, "draft", "dear Jun", conversation_id="c")
    keep(engine, "draft", "elsewhere", conversation_id="c2")
    working.push_thought(engine, PushThought(thought="hm", conversation_id="c"))
    working.set_active_goal(engine, SetActiveGoal(goal_id="g", description="Write", conversation_id="c"))
    whole = working.context(engine, AskRecent(conversation_id="c"), author=IRIS)
    assert [turn.content for turn in whole.turns] == ["hello"]
    assert [thought.text for thought in whole.thoughts] == ["hm"]
    assert whole.goal is not None and whole.goal.description == "Write"
    assert whole.values == {"draft": "dear Jun"}
    assert working.clear_session(engine, WorkingPlace(conversation_id="c")).keys == 4
    left = working.context(engine, AskRecent(conversation_id="c"), author=IRIS)
    assert (left.turns, left.thoughts, left.goal, left.values) == ((), (), None, {})
    assert value(engine, "draft", conversation_id="c2").value == "elsewhere"


@pytest.mark.parametrize(
    "bad",
    [
        {"key": " "},
        {"key": "k" * 201},
        {"value": "x" * 70_000},
        {"value": float("nan")},
        {"value": {1, 2}},
        {"ttl_seconds": 0},
        {"ttl_seconds": 10**9},
        {"channel": " "},
    ],
)
def test_a_bad_key_value_or_life_is_refused(engine: Engine, bad: dict[str, Any]) -> None:
    with pytest.raises(BadAsk):
        keep(engine, **{"key": "fine", **bad})
    assert stored_keys(engine) == set()


@pytest.mark.parametrize("limit", [0, 1001])
def test_a_limit_out_of_range_is_refused(engine: Engine, limit: int) -> None:
    with pytest.raises(BadAsk):
        recent_turns(engine, AskRecent(limit=limit), author=IRIS)


def test_empty_turns_and_thoughts_are_refused(engine: Engine) -> None:
    with pytest.raises(BadAsk):
        add_turn(engine, AddTurn(content=" "))
    with pytest.raises(BadAsk):
        working.push_thought(engine, PushThought(thought=""))


def test_past_the_cap_the_least_recently_used_goes_first(engine: Engine, clock: Clock) -> None:
    engine.use(replace(engine.settings, working_megabytes=1))
    for n in range(15):
        pass_seconds(clock, 60)
        keep(engine, f"k{n}", "x" * 62_000)
    pass_seconds(clock, 60)
    assert value(engine, "k0").found
    keep(engine, "k15", "x" * 62_000)
    keep(engine, "k16", "x" * 62_000)
    size = working.size(engine)
    assert (size.keys, size.evicted) == (16, 1) and size.bytes <= size.limit_bytes == 1024 * 1024
    assert value(engine, "k0").found and not value(engine, "k1").found


def test_claims_outlast_eviction_and_only_one_holds_each(engine: Engine) -> None:
    key = lock_key("c")

    def claim(holder: str, at: int = 0) -> bool:
        return engine.store.submit(
            lambda db: store.claim(db, key, at=at * SECOND, ttl_s=60, holder=holder)
        ).result()

    assert claim("run-1") and not claim("run-2") and claim("run-1")
    engine.store.submit(lambda db: store.evict(db, most_bytes=0)).result()
    assert not claim("run-2", at=59)
    assert claim("run-2", at=60)
    assert not engine.store.submit(lambda db: store.release(db, key, holder="run-1")).result()
    assert engine.store.submit(lambda db: store.release(db, key, holder="run-2")).result()
    assert claim("run-3", at=61)


def test_a_claim_of_a_verb_that_fails_is_not_held(engine: Engine) -> None:
    def fails(db: Connection) -> None:
        assert store.claim(db, lock_key("c"), at=0, ttl_s=60)
        raise BadAsk("No.")

    with pytest.raises(BadAsk):
        engine.store.submit(fails).result()
    assert stored_keys(engine) == set()


def test_the_size_follows_whatever_happens(engine: Engine, clock: Clock) -> None:
    engine.use(replace(engine.settings, working_megabytes=1))
    for n in range(60):
        keep(engine, f"k{n % 25}", "ü" * (n * 900 % 30_000), ttl_seconds=40 + n)
        if n % 7 == 0:
            working.delete_value(engine, AskValue(key=f"k{n % 5}"))
        add_turn(engine, AddTurn(content="x" * (n * 1000 + 1), conversation_id=f"c{n % 3}"))
        pass_seconds(clock, 5)
        with engine.store.reading() as db:
            size = store.size(db)
            assert (size.keys, size.bytes) == held_bytes(db)
    assert size.expired > 0


def test_working_memory_survives_a_restart_until_it_expires(tmp_path: Path, clock: Clock) -> None:
    desk = Desk(tmp_path / "desk")
    first = open_engine(desk, clock=clock)
    keep(first, "draft", "dear Jun")
    store_turn(first, NewTurn(content="hello", conversation_id="c"), author=IRIS)
    first.close()
    second = open_engine(desk, clock=clock)
    try:
        assert value(second, "draft").value == "dear Jun"
        assert contents(second, conversation_id="c") == ["hello"]
        pass_seconds(clock, 3700)
        assert not value(second, "draft").found
    finally:
        second.close()


def test_working_memory_is_neither_journalled_nor_undone(engine: Engine) -> None:
    keep(engine, "draft")
    working.push_thought(engine, PushThought(thought="hm"))
    with engine.store.reading() as db:
        assert db.value("SELECT count(*) FROM events") == 0
    with pytest.raises(NotFound):
        undo(engine, Undo(), author=IRIS)


def test_places_tell_who_holds_what_the_last_used_first(engine: Engine, clock: Clock) -> None:
    keep(engine, "one", conversation_id="c1")
    pass_seconds(clock, 60)
    keep(engine, "one", conversation_id="c2", channel="lisbon")
    keep(engine, "two", conversation_id="c2", channel="lisbon")
    engine.store.submit(lambda db: store.claim(db, lock_key("c1"), at=clock(), ttl_s=60)).result()
    first, second = working.places(engine, AskPlaces()).places
    assert (first.channel, first.conversation_id, first.keys) == ("lisbon", "c2", 2)
    assert (second.conversation_id, second.keys) == ("c1", 1)


def test_a_person_sees_every_key_of_a_place_and_lets_none_of_them_live_on(
    engine: Engine, clock: Clock
) -> None:
    where = {"channel": "harbor", "conversation_id": "c"}
    store_turn(
        engine, NewTurn(content="The crane lifts 12.", title="Cranes", agent_id="Forge", **where), author=IRIS
    )
    working.push_thought(engine, PushThought(thought="Ask Mara", **where))
    working.set_active_goal(engine, SetActiveGoal(goal_id="g", description="Weigh it", **where))
    keep(engine, "plan", {"step": 1}, ttl_seconds=60, **where)
    before = working.list_keys(engine, AskHeld(**where))
    rows = {row.sort: row for row in before.rows}
    assert {sort: row.begins for sort, row in rows.items()} == {
        "turns": "The crane lifts 12.",
        "thoughts": "Ask Mara",
        "goal": "Weigh it",
        "value": '{"step": 1}',
    }
    assert (rows["value"].name, rows["value"].ttl_seconds, rows["turns"].items) == ("plan", 60, 1)
    (place,) = working.places(engine, AskPlaces()).places
    assert (place.title, place.agent_id, place.keys) == ("Cranes", "Forge", 4)
    assert sum(row.bytes for row in before.rows) == place.bytes == working.size(engine).bytes
    pass_seconds(clock, 30)
    assert {row.key: row.expires_at for row in working.list_keys(engine, AskHeld(**where)).rows} == {
        row.key: row.expires_at for row in before.rows
    }
    pass_seconds(clock, 31)
    assert "value" not in {row.sort for row in working.list_keys(engine, AskHeld(**where)).rows}


def refuses(engine: Engine, key: str) -> None:
    with pytest.raises(NotFound, match="no longer held"):
        working.extend(engine, ExtendLife(key=key))
    with pytest.raises(NotFound, match="no longer held"):
        working.forget(engine, ForgetKey(key=key))


def test_a_key_is_kept_as_long_again_or_longer_or_forgotten(engine: Engine, clock: Clock) -> None:
    keep(engine, "plan", 1, ttl_seconds=60)
    (row,) = working.list_keys(engine, AskHeld()).rows
    pass_seconds(clock, 50)
    working.extend(engine, ExtendLife(key=row.key))
    pass_seconds(clock, 50)
    assert value(engine, "plan", author=MARA).value == 1
    kept = working.extend(engine, ExtendLife(key=row.key, ttl_seconds=3600))
    (again,) = working.list_keys(engine, AskHeld()).rows
    assert (
        again.ttl_seconds == 3600
        and again.expires_at == kept.expires_at
        and again.created_at == row.created_at
    )
    assert working.forget(engine, ForgetKey(key=row.key)) == Forgotten(keys=1)
    refuses(engine, row.key)
    with pytest.raises(BadAsk):
        working.extend(engine, ExtendLife(key=row.key, ttl_seconds=0))


def test_a_scratchpad_shows_what_its_runtime_reserved_and_no_claim_of_a_job_is_touched(
    engine: Engine,
) -> None:
    for key, text in ((PENDING, ["a report"]), ("plan", "node by node")):
        scratchpad.write_note(engine, WriteNote(session_id="s", key=key, value=text))
    rows = working.list_keys(engine, AskHeld(session_id="s")).rows
    assert [(row.name, row.sort, row.reserved) for row in rows] == [
        (PENDING, "note", True),
        ("plan", "note", False),
    ]
    engine.store.submit(lambda db: store.claim(db, lock_key("c"), at=engine.clock(), ttl_s=60)).result()
    refuses(engine, lock_key("c"))
    assert lock_key("c") in stored_keys(engine)


def test_whatever_moves_working_memory_is_counted_and_what_does_not_is_not(
    engine: Engine, clock: Clock
) -> None:
    seen = 0

    def moved() -> bool:
        nonlocal seen
        settle(engine)
        before, seen = seen, engine.store.working_moves
        return seen > before

    note = WriteNote(session_id="s-1", key="note", value="x")
    for work in (
        lambda: keep(engine, "plan"),
        lambda: keep(engine, "plan"),
        lambda: scratchpad.write_note(engine, note),
        lambda: store_turn(engine, NewTurn(content="Hello", conversation_id="c"), author=IRIS),
        lambda: working.delete_value(engine, AskValue(key="plan")),
        lambda: erase_user(
            engine,
            EraseUser(user_id="local", confirm="local"),
            author="person:Mara",
            progress=ignore_progress,
        ),
        # The file was rewritten, and the connection listens as before.
        lambda: keep(engine, "brief", ttl_seconds=100),
    ):
        work()
        assert moved()
    pass_seconds(clock, 50)
    value(engine, "brief", author="person:Mara")
    assert not moved()
    value(engine, "brief")
    assert moved()
    engine.store.submit(lambda db: store.claim(db, "consolidation:lock:c", at=0, ttl_s=9)).result()
    learn_fact(engine, NewFact(claim="Mara likes tea"), author=IRIS)
    assert not moved()
    assert forget_expired(engine) == pytest.approx(100)
    # A database tells of the statement, whichever rows it touched.
    assert not moved() or engine.desk.address
    pass_seconds(clock, 101)
    assert forget_expired(engine) is None and moved()
