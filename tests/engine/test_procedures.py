"""Tool calls and strategies: recorded once, judged by how they turned out, found for the task they fit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.tool_use import (
    strategies,
    strategy,
    tool_call,
    tool_calls,
    tool_days,
    tool_spread,
    tool_stats,
)
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import pin, retire
from memdesk.engine.memory.procedures import (
    edit_strategy,
    learn_strategy,
    record_invocation,
    record_invocations,
    reinforce_strategy,
)
from memdesk.engine.memory.remember import store_turn
from memdesk.engine.recall.fitting_strategies import find_strategies
from memdesk.engine.undo import undo
from memdesk.model.browse import Inspect
from memdesk.model.curation import Pin, Retire, Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.instant import SECOND, to_datetime
from memdesk.model.remember import NewTurn
from memdesk.model.strategy import (
    AskStrategy,
    EditStrategy,
    FindStrategies,
    ListStrategies,
    NewStrategy,
    ReinforceStrategy,
)
from memdesk.model.tool_call import (
    AskToolCall,
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    NewToolCall,
    NewToolCalls,
    ToolCallRow,
)
from memdesk.store import recalls, records
from tests.engine.conftest import START, Clock, embed_all

FORGE = "agent:Forge"


def say(engine: Engine, content: str, conversation: str = "c", channel: str = "harbor") -> str:
    turn = NewTurn(content=content, conversation_id=conversation, channel=channel, agent_id="Forge")
    return store_turn(engine, turn, author=FORGE).id


def call(engine: Engine, tool: str, **more: Any) -> str:
    return record_invocation(engine, NewToolCall(tool_name=tool, **more), author=FORGE).id


def learn(engine: Engine, description: str, *tools: str, **more: Any) -> str:
    ask = NewStrategy(description=description, tool_sequence=tools or ("search", "edit"), **more)
    return learn_strategy(engine, ask, author=FORGE).id


def listed(engine: Engine, **more: Any) -> list[ToolCallRow]:
    return list(tool_calls(engine, ListToolCalls(**more)).rows)


def test_a_tool_call_is_kept_whole_with_its_turn_and_conversation(engine: Engine) -> None:
    turn = say(engine, "Find the leak in the pool")
    id = call(
        engine,
        "search_code",
        tool_input={"query": "连接池", "deep": [1, {"a": None}]},
        tool_output=["pool.py:12"],
        success=True,
        latency_ms=120,
        task_type="debugging",
        turn_id=turn,
    )
    seen = tool_call(engine, AskToolCall(invocation_id=id))
    assert seen.tool_input == {"query": "连接池", "deep": [1, {"a": None}]}
    assert seen.tool_output == ["pool.py:12"]
    row = seen.row
    assert (row.conversation_id, row.turn_id, row.turn_index, row.channel) == ("c", turn, 0, "harbor")
    assert (row.success, row.latency_ms, row.task_type, row.agent_id) == (True, 120, "debugging", "Forge")


def test_a_turn_may_be_named_by_its_place_in_the_conversation(engine: Engine) -> None:
    say(engine, "one")
    second = say(engine, "two")
    call(engine, "ls", conversation_id="c", turn_index=1)
    assert [row.turn_id for row in listed(engine)] == [second]


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"conversation_id": "nowhere"}, NotFound),
        ({"turn_id": "nowhere"}, NotFound),
        ({"conversation_id": "c", "turn_index": 7}, NotFound),
        ({"turn_index": 0}, BadAsk),
        ({"conversation_id": "c", "channel": "homelab"}, Conflict),
        ({"conversation_id": "c", "user_id": "somebody else"}, NotFound),
        ({"latency_ms": -1}, BadAsk),
        ({"success": True, "error_message": "it broke"}, BadAsk),
        ({"tool_input": {"text": "x" * 100_001}}, BadAsk),
        ({"tool_output": "x" * 100_001}, BadAsk),
        ({"error_message": "x" * 10_001}, BadAsk),
        ({"task_type": "x" * 101}, BadAsk),
    ],
)
def test_a_call_that_has_no_place_or_no_bounds_is_refused(
    engine: Engine, more: dict[str, Any], error: type[Exception]
) -> None:
    say(engine, "one")
    with pytest.raises(error):
        call(engine, "ls", **more)
    assert listed(engine) == []


def test_a_turn_of_another_conversation_is_a_conflict(engine: Engine) -> None:
    turn = say(engine, "one", "c")
    say(engine, "two", "d")
    with pytest.raises(Conflict, match="belongs to conversation c"):
        call(engine, "ls", conversation_id="d", turn_id=turn)


def test_a_call_sent_again_under_its_id_is_recorded_once_and_counted_once(engine: Engine) -> None:
    first = NewToolCall(tool_name="ls", invocation_id="x-1", success=True, tool_input={"path": "/"})
    assert record_invocation(engine, first, author=FORGE).change is not None
    again = record_invocation(engine, first, author=FORGE)
    assert (again.id, again.repeated, again.change) == ("x-1", True, None)
    assert tool_stats(engine, AskToolStats()).rows[0].total.usage_count == 1
    with pytest.raises(Conflict, match="another success"):
        call(engine, "ls", invocation_id="x-1", success=False, tool_input={"path": "/"})


def test_a_batch_with_one_bad_call_records_nothing(engine: Engine) -> None:
    batch = NewToolCalls(calls=(NewToolCall(tool_name="ls"), NewToolCall(tool_name="rm", turn_id="nowhere")))
    with pytest.raises(NotFound):
        record_invocations(engine, batch, author=FORGE)
    assert listed(engine) == []


def test_an_error_message_is_a_failure(engine: Engine) -> None:
    call(engine, "deploy", error_message="no such host")
    (row,) = listed(engine, success=False)
    assert (row.success, row.error_message) == (False, "no such host")


def test_calls_are_listed_by_tool_task_conversation_outcome_and_time(engine: Engine, clock: Clock) -> None:
    say(engine, "one")
    call(engine, "ls", conversation_id="c", success=True)
    clock.pass_days(1)
    call(engine, "ls", task_type="review", channel="homelab", success=False)
    call(engine, "cat", task_type="review", channel="homelab")
    assert [row.tool_name for row in listed(engine)] == ["cat", "ls", "ls"]
    assert [row.channel for row in listed(engine, tool_name="ls")] == ["homelab", "harbor"]
    assert [row.tool_name for row in listed(engine, task_type="review", success=False)] == ["ls"]
    assert len(listed(engine, conversation_id="c")) == len(listed(engine, channels=("harbor",))) == 1
    since = to_datetime(START) + timedelta(hours=12)
    assert len(listed(engine, since=since)) == 2 and len(listed(engine, until=since)) == 1


def test_pages_of_calls_neither_repeat_nor_skip_while_others_record(engine: Engine) -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    batch = tuple(NewToolCall(tool_name=f"tool{n}", created_at=moment) for n in range(25))
    record_invocations(engine, NewToolCalls(calls=batch), author=FORGE)
    seen: list[str] = []
    after = ""
    while True:
        page = tool_calls(engine, ListToolCalls(after=after, limit=4))
        seen.extend(row.tool_name for row in page.rows)
        call(engine, "newer")
        call(engine, "older", created_at=moment - timedelta(days=len(seen)))
        if page.next is None or len(seen) >= 25:
            break
        after = page.next
    assert [name for name in seen if name.startswith("tool")] == [f"tool{n}" for n in reversed(range(25))]


@pytest.mark.parametrize("after", ["x", "1", "1_", "_1", "1_x", "1_1_1", "9" * 50 + "_1"])
def test_a_cursor_that_no_page_handed_out_is_refused(engine: Engine, after: str) -> None:
    with pytest.raises(BadAsk):
        tool_calls(engine, ListToolCalls(after=after))


def test_stats_tell_use_success_and_latency_by_task_and_follow_undo_and_retirement(engine: Engine) -> None:
    call(engine, "ls", task_type="review", success=True, latency_ms=100)
    call(engine, "ls", task_type="review", success=False, latency_ms=300)
    last = record_invocation(engine, NewToolCall(tool_name="ls", task_type="debugging"), author=FORGE)
    (tool,) = tool_stats(engine, AskToolStats()).rows
    assert (tool.total.usage_count, tool.total.success_rate, tool.total.avg_latency_ms) == (3, 0.5, 200.0)
    assert [(use.task_type, use.usage_count) for use in tool.by_task] == [("review", 2), ("debugging", 1)]
    assert tool.by_task[1].success_rate is None and tool.by_task[1].avg_latency_ms is None
    (reviews,) = tool_stats(engine, AskToolStats(task_type="review")).rows
    assert reviews.total.usage_count == 2
    undo(engine, Undo(change=last.change), author=FORGE)
    retire(engine, Retire(id=listed(engine)[0].id), author="person:Mara")
    (tool,) = tool_stats(engine, AskToolStats()).rows
    assert (tool.total.usage_count, tool.total.success_rate) == (1, 1.0)
    assert tool_stats(engine, AskToolStats(channels=("homelab",))).rows == ()


def test_the_same_tools_for_the_same_pattern_are_reinforced_and_not_doubled(engine: Engine) -> None:
    say(engine, "one")
    first = learn(engine, "Fix a test", "run", "edit", context_pattern="a test fails", channel="harbor")
    again = learn_strategy(
        engine,
        NewStrategy(
            description="Repair tests",
            tool_sequence=("run", "edit"),
            context_pattern="A test  fails",
            success=False,
            channel="harbor",
            from_conversation_id="c",
        ),
        author=FORGE,
    )
    assert again.repeated and again.id == first
    seen = strategy(engine, AskStrategy(strategy_id=first))
    assert (seen.strategy.success_count, seen.strategy.failure_count) == (1, 1)
    assert seen.strategy.tool_sequence == ("run", "edit") and seen.strategy.description == "Fix a test"
    assert [(each.success, each.conversation_title) for each in seen.outcomes] == [
        (False, "one"),
        (True, None),
    ]
    assert (
        learn(engine, "Fix a test", "run", "edit", context_pattern="a test is slow", channel="harbor")
        != first
    )
    assert (
        learn(engine, "Fix a test", "run", "edit", context_pattern="a test fails", channel="homelab") != first
    )


def test_a_strategy_learned_again_under_its_key_counts_once(engine: Engine) -> None:
    first, second = (learn(engine, "Fix a test", retry_key="call-1") for _ in range(2))
    assert first == second
    assert strategy(engine, AskStrategy(strategy_id=first)).strategy.success_count == 1


@pytest.mark.parametrize("tools", [(), ("",), ("x",) * 101, ("x" * 201,)])
def test_a_strategy_without_sane_tools_is_refused(engine: Engine, tools: tuple[str, ...]) -> None:
    with pytest.raises(BadAsk):
        learn_strategy(engine, NewStrategy(description="Fix", tool_sequence=tools), author=FORGE)


def test_reinforcement_moves_the_counts_and_undo_moves_them_back(engine: Engine) -> None:
    id = learn(engine, "Fix a test")
    worked = reinforce_strategy(engine, ReinforceStrategy(strategy_id=id, success=True), author=FORGE)
    failed = reinforce_strategy(
        engine, ReinforceStrategy(strategy_id=id, success=False, retry_key="k"), author=FORGE
    )
    again = reinforce_strategy(
        engine, ReinforceStrategy(strategy_id=id, success=False, retry_key="k"), author=FORGE
    )
    assert (worked.success_count, failed.failure_count, again.failure_count) == (2, 1, 1)
    assert again.change == failed.change
    undo(engine, Undo(change=worked.change), author=FORGE)
    seen = strategy(engine, AskStrategy(strategy_id=id)).strategy
    assert (seen.success_count, seen.failure_count, seen.success_rate) == (1, 1, 0.5)


def test_a_retired_strategy_is_neither_found_nor_reinforced(engine: Engine) -> None:
    id = learn(engine, "Fix a failing test")
    retire(engine, Retire(id=id), author="person:Mara")
    assert find_strategies(engine, FindStrategies(task_description="failing test"), author=FORGE).rows == ()
    with pytest.raises(Conflict, match="retired"):
        reinforce_strategy(engine, ReinforceStrategy(strategy_id=id, success=True), author=FORGE)
    assert strategies(engine, ListStrategies()).rows == ()
    assert [row.id for row in strategies(engine, ListStrategies(state="retired")).rows] == [id]


def test_a_channel_that_holds_only_procedures_is_not_undone(engine: Engine) -> None:
    learn(engine, "Fix a test", channel="a")
    call(engine, "ls", channel="b")
    for name in "ab":
        with engine.store.reading() as db:
            change = db.value("SELECT id FROM changes WHERE title = ?", (f"Channel {name}",))
        with pytest.raises(Conflict, match="holds memory"):
            undo(engine, Undo(change=change), author="person:Mara")


def found(engine: Engine, task: str, **more: Any) -> list[str]:
    answer = find_strategies(engine, FindStrategies(task_description=task, **more), author=FORGE)
    return [each.strategy.description for each in answer.rows]


def test_strategies_that_worked_come_before_those_that_often_failed(engine: Engine) -> None:
    learn(engine, "Fix a failing test by reading the trace", "read")
    shaky = learn(engine, "Fix a failing test by trying again", "retry")
    for _ in range(3):
        reinforce_strategy(engine, ReinforceStrategy(strategy_id=shaky, success=False), author=FORGE)
    learn(engine, "Book a table for two", "phone")
    embed_all(engine)
    best = found(engine, "a failing test should be fixed")
    assert best[:2] == ["Fix a failing test by reading the trace", "Fix a failing test by trying again"]


def test_the_score_is_the_success_rate_times_the_similarity(engine: Engine) -> None:
    learn(engine, "Fix a failing test")
    (hit,) = find_strategies(engine, FindStrategies(task_description="fix a failing test"), author=FORGE).rows
    assert hit.similarity == pytest.approx(1.0) and hit.score == pytest.approx(1.0)
    reinforce_strategy(engine, ReinforceStrategy(strategy_id=hit.strategy.id, success=False), author=FORGE)
    embed_all(engine)
    (hit,) = find_strategies(engine, FindStrategies(task_description="fix a broken test"), author=FORGE).rows
    assert 0 < hit.similarity < 1 and hit.score == pytest.approx(0.5 * hit.similarity)


def test_only_what_has_succeeded_is_found_unless_the_untried_are_asked_for(engine: Engine) -> None:
    learn(engine, "Fix a failing test by force", success=False)
    assert found(engine, "failing test") == []
    assert found(engine, "failing test", proven=False) == ["Fix a failing test by force"]


def test_a_chinese_task_of_two_characters_finds_its_strategy(engine: Engine) -> None:
    learn(engine, "部署网站：先构建，再上传", "build", "upload", context_pattern="用户要求部署")
    assert found(engine, "部署") == ["部署网站：先构建，再上传"]


def test_strategies_are_found_in_the_asked_channels_and_global_and_for_their_user_alone(
    engine: Engine,
) -> None:
    learn(engine, "Fix a test here", channel="harbor")
    learn(engine, "Fix a test anywhere")
    learn(engine, "Fix a test elsewhere", channel="homelab")
    learn(engine, "Fix a test of Jun", user_id="jun", channel="harbor")
    assert set(found(engine, "fix test", channels=("harbor",))) == {"Fix a test here", "Fix a test anywhere"}
    assert len(found(engine, "fix test")) == 3
    assert found(engine, "fix test", user_id="jun") == ["Fix a test of Jun"]


def test_what_an_agent_found_is_reinforced_and_what_a_person_looked_at_is_not(engine: Engine) -> None:
    id = learn(engine, "Fix a failing test")

    def uses() -> int:
        engine.store.maintain(lambda _db, _index, _journal: None).result()
        with engine.store.reading() as db:
            seq = records.any_record(db, id)[1].seq
            return sum(use.access_count for use in recalls.uses(db, [seq]).values())

    find_strategies(engine, FindStrategies(task_description="failing test"), author="person:Mara")
    assert uses() == 0
    find_strategies(engine, FindStrategies(task_description="failing test"), author=FORGE)
    assert uses() == 1


@pytest.mark.parametrize("bad", [{"task_description": " "}, {"task_description": "x" * 10_001}, {"limit": 0}])
def test_a_search_for_nothing_or_out_of_range_is_refused(engine: Engine, bad: dict[str, Any]) -> None:
    with pytest.raises(BadAsk):
        find_strategies(engine, FindStrategies(**({"task_description": "x"} | bad)), author=FORGE)


def test_strategies_are_listed_by_text_and_tool_a_page_at_a_time(engine: Engine) -> None:
    for n in range(5):
        learn(engine, f"Way {n}", f"tool{n % 2}", "edit")
    first = strategies(engine, ListStrategies(limit=2))
    second = strategies(engine, ListStrategies(limit=3, after=first.next or ""))
    assert [row.description for row in (*first.rows, *second.rows)] == [f"Way {n}" for n in (4, 3, 2, 1, 0)]
    assert second.next is None
    assert [row.description for row in strategies(engine, ListStrategies(tool_name="tool1")).rows] == [
        "Way 3",
        "Way 1",
    ]
    assert [row.description for row in strategies(engine, ListStrategies(text="way 4")).rows] == ["Way 4"]


def test_a_strategy_can_be_pinned_and_is_inspected_with_its_tools(engine: Engine) -> None:
    id = learn(engine, "Look before you edit", "search", "edit", context_pattern="a file somebody else wrote")
    pin(engine, Pin(id=id), author="person:Mara")
    seen = inspect(engine, Inspect(id=id))
    assert seen.pinned and {field.name: field.value for field in seen.fields} == {
        "when to use it": "a file somebody else wrote",
        "tools": "search → edit",
    }


def test_a_tool_call_is_inspected_with_what_came_of_it(engine: Engine) -> None:
    id = call(engine, "restart", task_type="operations", error_message="permission denied", latency_ms=30)
    seen = {field.name: field.value for field in inspect(engine, Inspect(id=id)).fields}
    assert (seen["ended"], seen["error"], seen["took"]) == ("badly", "permission denied", "30 ms")


def test_the_latest_calls_of_a_tool_tell_how_long_it_takes_and_what_failed_last(
    engine: Engine, clock: Clock
) -> None:
    for took in range(1, 101):
        call(engine, "search", latency_ms=took, success=True, task_type="review")
    clock.at += SECOND
    late = call(engine, "search", error_message="no index", task_type="answering")
    call(engine, "search", task_type="answering")
    call(engine, "edit", success=True)
    retire(engine, Retire(id=call(engine, "gone", latency_ms=3)), author="person:Mara")
    spread = tool_spread(engine, AskToolSpread())
    edit, whole, answering, review = (spread.rows[place] for place in (0, 2, 3, 4))
    assert [(row.tool_name, row.task_type) for row in spread.rows[:3]] == [
        ("edit", None),
        ("edit", ""),
        ("search", None),
    ]
    assert (edit.calls, edit.median_latency_ms, edit.p95_latency_ms, edit.last_error) == (1, None, None, None)
    assert (whole.calls, whole.median_latency_ms, whole.p95_latency_ms) == (102, 50, 95)
    assert whole.last_error is not None and answering.last_error == whole.last_error
    assert (whole.last_error.invocation_id, whole.last_error.message) == (late, "no index")
    assert (review.calls, review.last_error) == (100, None) and whole.last_used > whole.last_error.at
    (only,) = tool_spread(engine, AskToolSpread(tool_name="edit", task_type="")).rows[:1]
    assert only.calls == 1
    assert tool_spread(engine, AskToolSpread(channels=("elsewhere",))).rows == ()


def test_a_tool_is_counted_day_by_day_where_the_asker_lives(engine: Engine, clock: Clock) -> None:
    start = to_datetime(clock.at)
    for days_ago, success in ((0, True), (0, False), (2, True), (9, True)):
        call(engine, "search", success=success, latency_ms=10, created_at=start - timedelta(days=days_ago))
    days = tool_days(engine, AskToolDays(tool_name="search", days=3)).rows
    assert [(day.usage_count, day.failure_count) for day in days] == [(1, 0), (0, 0), (2, 1)]
    assert days[-1].day == start.date() and days[1].avg_latency_ms is None and days[2].avg_latency_ms == 10
    # Who lives far enough west still has yesterday.
    west = -(start.hour * 60 + start.minute + 1)
    there = tool_days(engine, AskToolDays(tool_name="search", days=3, utc_offset_minutes=west)).rows
    assert there[-1].day == start.date() - timedelta(days=1) and there[-1].usage_count == 2
    with pytest.raises(BadAsk):
        tool_days(engine, AskToolDays(tool_name="search", days=0))


def test_a_strategy_is_corrected_as_it_was_seen_and_the_correction_is_taken_back(engine: Engine) -> None:
    id = learn(engine, "Search, then edit", context_pattern="a typo", channel="harbor")
    asked = EditStrategy(
        strategy_id=id,
        was="Search, then edit",
        description="Search, edit, test",
        context_pattern="",
        tool_sequence=("search", "edit", "test"),
    )
    done = edit_strategy(engine, asked, author="person:Mara")
    row = strategy(engine, AskStrategy(strategy_id=id)).strategy
    assert (row.description, row.context_pattern) == ("Search, edit, test", "")
    assert row.tool_sequence == ("search", "edit", "test") and row.success_count == 1
    found = find_strategies(engine, FindStrategies(task_description="test an edit"), author=FORGE)
    assert [each.strategy.id for each in found.rows] == [id]
    with pytest.raises(Conflict, match="changed while you were editing"):
        edit_strategy(
            engine, EditStrategy(strategy_id=id, was="Search, then edit", description="X"), author="p"
        )
    for nothing in (
        EditStrategy(strategy_id=id),
        EditStrategy(strategy_id=id, tool_sequence=("search", "edit", "test")),
    ):
        with pytest.raises(BadAsk):
            edit_strategy(engine, nothing, author="person:Mara")
    undo(engine, Undo(change=done.change), author="person:Mara")
    assert strategy(engine, AskStrategy(strategy_id=id)).strategy.tool_sequence == ("search", "edit")
