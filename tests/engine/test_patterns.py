"""Strategies are learned from what worked in several conversations, once, and never against a person's word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memdesk.engine.browsing.tool_use import strategies, strategy, tool_calls
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.patterns import attempts, frequent, keywords, patterns, same_kind
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.schedule import BY_NAME
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.procedures import learn_strategy, record_invocations
from memdesk.engine.memory.remember import store_turn
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.fitting_strategies import find_strategies
from memdesk.engine.undo import undo_run
from memdesk.model.curation import Retire, UndoRun
from memdesk.model.errors import Cancelled
from memdesk.model.remember import NewTurn
from memdesk.model.strategy import AskStrategy, FindStrategies, ListStrategies, NewStrategy, StrategyRow
from memdesk.model.tool_call import ListToolCalls, NewToolCall, NewToolCalls, ToolCall
from memdesk.model.turn import CONVERSATION, Turn
from memdesk.store import journal, records

FORGE = "agent:Forge"
DEPLOY = ("build", "upload", "restart")


def talk(
    engine: Engine,
    name: str,
    request: str,
    tools: Sequence[str],
    *,
    task: str = "",
    closing: str = "",
    channel: str = "harbor",
) -> None:
    """One conversation: a request, calls (`!` marks one that failed), and what the person said at the end."""
    say(engine, name, request, channel)
    record(engine, name, tools, task)
    if closing:
        say(engine, name, closing, channel)


def say(engine: Engine, name: str, content: str, channel: str = "harbor") -> None:
    store_turn(engine, NewTurn(content=content, conversation_id=name, channel=channel), author=FORGE)


def record(engine: Engine, name: str, tools: Sequence[str], task: str = "") -> None:
    calls = tuple(
        NewToolCall(
            tool_name=tool.strip("!"), success=not tool.endswith("!"), conversation_id=name, task_type=task
        )
        for tool in tools
    )
    record_invocations(engine, NewToolCalls(calls=calls), author=FORGE)


def run(engine: Engine) -> dict[str, int]:
    return patterns(begin(engine, "patterns"))


def learned(engine: Engine, **more: str) -> list[StrategyRow]:
    return list(strategies(engine, ListStrategies(**more)).rows)  # type: ignore[arg-type]


def test_what_two_conversations_did_alike_becomes_a_strategy_with_its_outcomes(engine: Engine) -> None:
    talk(engine, "a", "Please deploy the website to staging", DEPLOY)
    assert run(engine) == {"conversations": 1, "strategies": 0, "outcomes": 0}
    talk(engine, "b", "Could you deploy our website now?", ["build", "build", *DEPLOY, "notify"])
    assert run(engine) == {"conversations": 1, "strategies": 1, "outcomes": 2}
    (row,) = learned(engine)
    assert row.tool_sequence == DEPLOY and row.channel == "harbor"
    assert row.context_pattern == "deploy website"
    assert row.description == "build → upload → restart, for deploy website"
    assert (row.success_count, row.failure_count) == (2, 0)
    outcomes = strategy(engine, AskStrategy(strategy_id=row.id)).outcomes
    assert {each.conversation_id for each in outcomes} == {"a", "b"}


def test_a_learned_strategy_is_found_for_the_next_such_task(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY)
    run(engine)
    answer = find_strategies(
        engine, FindStrategies(task_description="how do I deploy a website"), author=FORGE
    )
    assert [each.strategy.tool_sequence for each in answer.rows] == [DEPLOY]


def test_a_later_conversation_reinforces_and_doubles_nothing(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY)
    run(engine)
    talk(engine, "c", "deploy the website again", DEPLOY)
    assert run(engine) == {"conversations": 1, "strategies": 0, "outcomes": 1}
    assert run(engine) == {"conversations": 0, "strategies": 0, "outcomes": 0}
    (row,) = learned(engine)
    assert row.success_count == 3


def test_calls_that_come_later_are_read_at_the_next_run(engine: Engine) -> None:
    talk(engine, "a", "deploy the website", DEPLOY)
    talk(engine, "b", "deploy the website", ["build"])
    run(engine)
    assert learned(engine) == []
    record(engine, "b", DEPLOY[1:])
    assert run(engine)["strategies"] == 1


def test_requests_that_read_otherwise_are_not_one_kind(engine: Engine) -> None:
    talk(engine, "a", "deploy the website", DEPLOY)
    talk(engine, "b", "tidy the holiday photos", DEPLOY)
    assert run(engine)["strategies"] == 0


def test_a_type_of_task_makes_one_kind_whatever_was_asked(engine: Engine) -> None:
    talk(engine, "a", "The leak is back", ["search", "read", "edit"], task="debugging")
    talk(engine, "b", "Tests are red", ["search", "read", "edit"], task="debugging")
    talk(engine, "c", "Where is Mara?", ["search", "read"], task="lookup")
    run(engine)
    (row,) = learned(engine)
    assert row.context_pattern == "debugging"
    assert row.description == "search → read → edit, for debugging"


def test_channels_learn_for_themselves(engine: Engine) -> None:
    talk(engine, "a", "deploy the website", DEPLOY, channel="harbor")
    talk(engine, "b", "deploy the website", DEPLOY, channel="homelab")
    assert run(engine)["strategies"] == 0


def test_a_conversation_whose_last_call_failed_or_that_was_objected_to_counts_against_it(
    engine: Engine,
) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY, closing="Thanks, that's great.")
    talk(engine, "c", "deploy the website", ["build", "upload", "restart!"])
    talk(engine, "d", "deploy the website", DEPLOY, closing="No, that's not what I asked for.")
    run(engine)
    (row,) = learned(engine)
    assert (row.success_count, row.failure_count) == (2, 2)


def test_failures_alone_teach_nothing(engine: Engine) -> None:
    for name in "abc":
        talk(engine, name, "deploy the website", [*DEPLOY, "check!"])
    assert run(engine)["strategies"] == 0


def test_a_call_that_failed_on_the_way_is_no_part_of_the_strategy(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "find the leak", ["grep!", "search", "read"])
    run(engine)
    assert [row.tool_sequence for row in learned(engine)] == [("search", "read")]


def test_a_detour_that_few_of_many_took_is_no_strategy(engine: Engine) -> None:
    for n in range(28):
        talk(engine, f"c{n}", "find the leak", ["search", "read!" if n < 2 else "read", "edit"])
    run(engine)
    assert [row.tool_sequence for row in learned(engine)] == [("search", "read", "edit")]


def test_the_setting_says_how_many_conversations_it_takes(engine: Engine) -> None:
    engine.use(replace(engine.settings, pattern_calls=3))
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY)
    assert run(engine)["strategies"] == 0
    talk(engine, "c", "deploy the website", DEPLOY)
    assert run(engine)["strategies"] == 1


def test_a_dry_run_lists_what_it_would_learn_and_writes_nothing(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY)
    dry = begin(engine, "patterns", dry=True)
    assert patterns(dry) == {"conversations": 2, "strategies": 1, "outcomes": 2}
    assert [each.op for each in dry.planned] == ["learn", "update"]
    assert dry.planned[0].title.startswith("build → upload → restart")
    assert learned(engine) == []
    assert run(engine)["strategies"] == 1


def test_what_a_person_retired_is_not_learned_again(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY)
    run(engine)
    retire(engine, Retire(id=learned(engine)[0].id), author="person:Mara")
    talk(engine, "c", "deploy the website", DEPLOY)
    assert run(engine) == {"conversations": 1, "strategies": 0, "outcomes": 0}
    assert learned(engine) == []


def test_a_strategy_that_an_agent_told_gains_outcomes_and_no_double(engine: Engine) -> None:
    say(engine, "a", "deploy the website")
    told = NewStrategy(
        description="Ship the site",
        context_pattern="website deploy",
        tool_sequence=DEPLOY,
        channel="harbor",
        from_conversation_id="a",
    )
    learn_strategy(engine, told, author=FORGE)
    record(engine, "a", DEPLOY)
    talk(engine, "b", "deploy the website", DEPLOY)
    assert run(engine) == {"conversations": 2, "strategies": 0, "outcomes": 1}
    (row,) = learned(engine)
    assert (row.description, row.success_count) == ("Ship the site", 2)


def test_the_whole_run_is_one_undo(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", DEPLOY)
    run(engine)
    with engine.store.reading() as db:
        last = journal.latest_own(db, "job:patterns", undo=False)
    undone = undo_run(engine, UndoRun(change=last), author="person:Mara", progress=ignore_progress)
    assert (undone["undone"], undone["left"]) == (2, {})
    assert learned(engine, state="all") == []
    with engine.store.reading() as db:
        assert {each.patterns_at for each in records.find(db, CONVERSATION)} == {None}


def test_a_run_stopped_midway_goes_on_without_a_second_outcome(engine: Engine) -> None:
    for channel in ("harbor", "homelab"):
        for name in "ab":
            talk(engine, f"{channel}-{name}", "deploy the website", DEPLOY, channel=channel)

    def stop(done: int, total: int, says: str) -> None:
        if done:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        patterns(begin(engine, "patterns", progress=stop))
    assert len(learned(engine)) == 1
    assert run(engine) == {"conversations": 2, "strategies": 1, "outcomes": 2}
    assert [row.success_count for row in learned(engine)] == [2, 2]


def test_chinese_requests_teach_a_strategy_in_their_own_words(engine: Engine) -> None:
    talk(engine, "a", "请部署网站到测试环境", DEPLOY)
    talk(engine, "b", "部署网站吧", DEPLOY, closing="谢谢")
    talk(engine, "c", "部署网站", DEPLOY, closing="不对，重来")
    run(engine)
    (row,) = learned(engine)
    assert row.context_pattern == "部署网站"
    assert (row.success_count, row.failure_count) == (2, 1)


def test_the_job_is_known_by_its_name_and_clock(engine: Engine) -> None:
    assert BY_NAME["patterns"].minutes(engine.settings) == 60


@pytest.mark.parametrize(
    ("some", "others", "one_kind"),
    [
        ("deploy the website", "Deploying websites to staging", True),
        ("deploy the website", "delete the website", False),
        ("deploy", "please deploy everything to production", True),
        ("fix the failing tests", "the tests fail, please fix them", True),
        ("book a table", "fix the tests", False),
        ("please help me with the boat", "hello, please help with the taxes", False),
        ("", "fix the tests", False),
    ],
)
def test_requests_are_one_kind_by_their_telling_words(some: str, others: str, one_kind: bool) -> None:
    assert same_kind(keywords(some), keywords(others)) is one_kind


@pytest.mark.parametrize(
    ("said", "succeeded"),
    [
        ("Thanks!", True),
        ("No, that's all, thank you.", True),
        ("No problem at all", True),
        ("Not bad!", True),
        ("Great. Now stop by the shop.", True),
        ("No, use the other one", False),
        ("That's wrong", False),
        ("That’s not what I meant", False),
        ("It still doesn't work", False),
        ("please undo that", False),
        ("Actually, the port is 8080, not 80.", False),
        ("还是不行", False),
        ("違います", False),
    ],
)
def test_an_objection_at_the_end_is_told_from_thanks(said: str, succeeded: bool) -> None:
    common = {"user_id": "local", "channel": "harbor", "agent_id": None, "conversation_id": "c"}
    call = ToolCall(
        seq=2,
        id="x",
        turn_id=None,
        tool_name="build",
        task_type="",
        tool_input="{}",
        tool_output=None,
        success=1,
        latency_ms=None,
        error_message="",
        created_at=2,
        **common,
    )  # type: ignore[arg-type]
    opening, closing = (
        Turn(
            seq=at,
            id=f"t{at}",
            turn_index=at,
            role="user",
            speaker="user",
            content=content,
            token_count=None,
            model=None,
            metadata="{}",
            created_at=at,
            **common,
        )  # type: ignore[arg-type]
        for at, content in ((1, "build it"), (3, said))
    )
    (attempt,) = attempts([call], opening, closing)
    assert attempt.succeeded is succeeded


def test_the_longest_shared_sequence_is_taken_and_a_rare_ending_does_not_hide_a_common_way() -> None:
    way = ("search", "read", "edit")
    assert frequent([way, way], 2) == [(way, 2)]
    assert frequent([way] * 8 + [(*way, "commit")] * 2, 2) == [(way, 10), ((*way, "commit"), 2)]
    assert frequent([("ls",), ("ls",)], 2) == []
    assert frequent([("a", "b"), ("b", "a")], 2) == []


def test_retired_calls_teach_nothing(engine: Engine) -> None:
    for name in "ab":
        talk(engine, name, "deploy the website", ["build", "upload"])
    for row in tool_calls(engine, ListToolCalls(tool_name="upload")).rows:
        retire(engine, Retire(id=row.id), author="person:Mara")
    assert run(engine)["strategies"] == 0


def test_a_word_of_two_requests_is_the_tasks_also_when_there_are_more_of_them(engine: Engine) -> None:
    for name, said in (("a", "deploy the website"), ("b", "deploy our website"), ("c", "deploy the shop")):
        talk(engine, name, said, DEPLOY)
    run(engine)
    assert learned(engine)[0].context_pattern == "deploy website"
