"""Procedures, episodes and entities over the real socket: each call once, with who may make it and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from memdesk.api import curation, jobs, memory, procedures, upkeep, working
from memdesk.client.client import Client
from memdesk.model.curation import Retire, Undo
from memdesk.model.errors import BadAsk, NotAllowed, NotFound
from memdesk.model.graph import AskEntity, AskEntityGraph
from memdesk.model.job import RunJob
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.status import AskJob, JobState
from memdesk.model.strategy import (
    AskStrategy,
    EditStrategy,
    FindStrategies,
    ListStrategies,
    NewStrategy,
    ReinforceStrategy,
)
from memdesk.model.timeline import AskRecentTurns, AskTimeline, AskTurnLog, ListConversations
from memdesk.model.tool_call import (
    AskToolCall,
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    NewToolCall,
    NewToolCalls,
)
from memdesk.model.working import AskHeld, ExtendLife, ForgetKey, SetValue

Journey = Callable[[Client, Client], Coroutine[Any, Any, None]]


def walked(service: Any, journey: Journey) -> None:
    """Let the desk's owner and an agent go through a journey together."""

    async def go() -> None:
        async with Client(service.desk) as owner, Client(service.desk, agent="Forge") as agent:
            await journey(owner, agent)

    asyncio.run(go())


def test_tool_calls_are_recorded_listed_tallied_and_taken_back(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        turn = await agent.call(memory.STORE_TURN, NewTurn(content="Find the leak", channel="harbor"))
        one = NewToolCall(
            tool_name="search",
            tool_input={"query": "泄漏"},
            tool_output={"hits": [1]},
            success=True,
            latency_ms=40,
            task_type="debugging",
            turn_id=turn.id,
            invocation_id="x-1",
        )
        first = await agent.call(procedures.RECORD_INVOCATION, one)
        assert (await agent.call(procedures.RECORD_INVOCATION, one)).repeated
        more = NewToolCalls(calls=(NewToolCall(tool_name="read", error_message="no such file"),))
        await agent.call(procedures.RECORD_INVOCATIONS, more)

        page = await agent.call(procedures.INVOCATIONS, ListToolCalls(limit=1))
        assert [row.tool_name for row in page.rows] == ["read"] and page.next is not None
        rest = await agent.call(procedures.INVOCATIONS, ListToolCalls(after=page.next, success=True))
        assert [row.id for row in rest.rows] == ["x-1"] and rest.next is None
        whole = await agent.call(procedures.INVOCATION, AskToolCall(invocation_id="x-1"))
        assert (whole.tool_input, whole.tool_output) == ({"query": "泄漏"}, {"hits": [1]})
        assert (whole.row.channel, whole.row.agent_id) == ("harbor", "Forge")

        stats = await agent.call(procedures.TOOL_STATS, AskToolStats(task_type="debugging"))
        assert [(row.tool_name, row.total.avg_latency_ms) for row in stats.rows] == [("search", 40.0)]
        await owner.call(curation.UNDO, Undo(change=first.change))
        assert (await agent.call(procedures.TOOL_STATS, AskToolStats(tool_name="search"))).rows == ()

    walked(running_service, journey)


def test_a_strategy_is_learned_found_reinforced_and_retired(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        told = NewStrategy(
            description="Fix a failing test", context_pattern="a test is red", tool_sequence=("run", "edit")
        )
        learned = await agent.call(procedures.LEARN_STRATEGY, told)
        assert (await agent.call(procedures.LEARN_STRATEGY, told)).id == learned.id
        ask = FindStrategies(task_description="a red test")
        (found,) = (await agent.call(procedures.FIND_STRATEGIES, ask)).rows
        assert found.strategy.success_count == 2 and found.score > 0
        worked = await agent.call(
            procedures.REINFORCE_STRATEGY, ReinforceStrategy(strategy_id=learned.id, success=False)
        )
        assert (worked.success_count, worked.failure_count) == (2, 1)
        seen = await agent.call(procedures.STRATEGY, AskStrategy(strategy_id=learned.id))
        assert len(seen.outcomes) == 3 and seen.strategy.last_used is not None
        (row,) = (await agent.call(procedures.STRATEGIES, ListStrategies(tool_name="edit"))).rows
        assert row.tool_sequence == ("run", "edit")
        await owner.call(curation.RETIRE, Retire(id=learned.id))
        assert (await agent.call(procedures.FIND_STRATEGIES, ask)).rows == ()

    walked(running_service, journey)


def test_a_person_corrects_a_strategy_and_sees_how_its_tools_do(
    running_service: Any,
) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        told = NewStrategy(description="Fix a failing test", tool_sequence=("run", "edit"))
        id = (await agent.call(procedures.LEARN_STRATEGY, told)).id
        asked = EditStrategy(strategy_id=id, tool_sequence=("run", "edit", "run"))
        done = await owner.call(procedures.EDIT_STRATEGY, asked)
        seen = await agent.call(procedures.STRATEGY, AskStrategy(strategy_id=id))
        assert seen.strategy.tool_sequence == ("run", "edit", "run")
        await owner.call(curation.UNDO, Undo(change=done.change))
        await agent.call(
            procedures.RECORD_INVOCATION, NewToolCall(tool_name="run", latency_ms=40, success=False)
        )
        spread = await agent.call(procedures.TOOL_SPREAD, AskToolSpread(tool_name="run"))
        assert [(row.task_type, row.median_latency_ms) for row in spread.rows] == [(None, 40), ("", 40)]
        days = await agent.call(procedures.TOOL_DAYS, AskToolDays(tool_name="run", days=2))
        assert [day.failure_count for day in days.rows] in ([0, 1], [1, 0])

    walked(running_service, journey)


def test_a_person_looks_into_working_memory_key_by_key(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        await agent.call(working.SET, SetValue(key="plan", value={"step": 1}, channel="harbor"))
        (key,) = (await owner.call(working.HELD, AskHeld(channel="harbor"))).rows
        kept = await owner.call(working.EXTEND, ExtendLife(key=key.key, ttl_seconds=90))
        assert kept.expires_at is not None and kept.expires_at - datetime.now(UTC) < timedelta(seconds=91)
        await owner.call(working.FORGET, ForgetKey(key=key.key))
        assert (await owner.call(working.HELD, AskHeld(channel="harbor"))).rows == ()

    walked(running_service, journey)


def test_what_only_a_person_may_do_is_refused_to_an_agent(running_service: Any) -> None:
    owners = (procedures.EDIT_STRATEGY, working.HELD, working.EXTEND, working.FORGET, working.PLACES)
    transport = httpx.HTTPTransport(uds=str(running_service.desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk") as agent:
        for endpoint in owners:
            said = agent.request(endpoint.method, endpoint.path, headers={"x-memdesk-agent": "Forge"})
            assert said.json()["code"] == NotAllowed.code, endpoint.name


def test_the_job_patterns_learns_what_conversations_did_alike(running_service: Any) -> None:
    async def run(owner: Client, *, dry: bool) -> JobState:
        job = await owner.call(jobs.RUN, RunJob(name="patterns", dry=dry))
        while job.state in ("waiting", "running"):
            await asyncio.sleep(0.01)
            job = await owner.call(upkeep.JOB, AskJob(id=job.id))
        return job

    async def journey(owner: Client, agent: Client) -> None:
        for name in ("a", "b"):
            turn = NewTurn(content="Deploy the website", conversation_id=name, channel="harbor")
            await agent.call(memory.STORE_TURN, turn)
            calls = tuple(
                NewToolCall(tool_name=tool, conversation_id=name, success=True)
                for tool in ("build", "upload")
            )
            await agent.call(procedures.RECORD_INVOCATIONS, NewToolCalls(calls=calls))
        ask = FindStrategies(task_description="deploy a website", channels=("harbor",))
        assert (await run(owner, dry=True)).result["strategies"] == 1
        assert (await agent.call(procedures.FIND_STRATEGIES, ask)).rows == ()
        assert (await run(owner, dry=False)).result["outcomes"] == 2
        (found,) = (await agent.call(procedures.FIND_STRATEGIES, ask)).rows
        assert found.strategy.tool_sequence == ("build", "upload")

    walked(running_service, journey)


def test_episodes_are_read_in_time_by_page(running_service: Any) -> None:
    async def journey(_owner: Client, agent: Client) -> None:
        now = datetime.now(UTC)
        turns = tuple(
            NewTurn(
                content=f"第{n}句", conversation_id="c", channel="harbor", created_at=now - timedelta(hours=n)
            )
            for n in range(5)
        )
        await agent.call(memory.STORE_TURNS, NewTurns(turns=turns))
        recent = await agent.call(memory.RECENT_TURNS, AskRecentTurns(hours=2.5, channels=("harbor",)))
        assert [row.content for row in recent.rows] == ["第0句", "第1句", "第2句"]
        page = await agent.call(memory.TURN_LOG, AskTurnLog(conversation_id="c", limit=3))
        rest = await agent.call(memory.TURN_LOG, AskTurnLog(conversation_id="c", after=page.next or ""))
        assert [row.turn_index for row in (*page.rows, *rest.rows)] == [0, 1, 2, 3, 4]
        (talk,) = (await agent.call(memory.CONVERSATIONS, ListConversations(channels=("harbor",)))).rows
        assert (talk.id, talk.turns) == ("c", 5)
        moments = await agent.call(memory.TIMELINE, AskTimeline(kinds=("turn",), limit=2))
        assert [row.summary for row in moments.rows] == ["第0句", "第1句"] and moments.next is not None
        with pytest.raises(BadAsk):
            await agent.call(memory.TIMELINE, AskTimeline(after="yesterday"))

    walked(running_service, journey)


def test_an_entity_has_properties_facts_and_a_graph(running_service: Any) -> None:
    async def journey(_owner: Client, agent: Client) -> None:
        mara = await agent.call(memory.UPSERT_ENTITY, NewEntity(name="Mara", properties={"born": 1990}))
        await agent.call(memory.UPSERT_ENTITY, NewEntity(name="Atlas"))
        await agent.call(
            memory.RELATE,
            NewRelation(source="Atlas", type="CREATED_BY", target="Mara", properties={"in": 2023}),
        )
        pair = NewFact(
            claim="city: Porto", key="city", value="Porto", about=("Mara",), valid_from=datetime.now(UTC)
        )
        await agent.call(memory.LEARN_FACT, pair)
        seen = await agent.call(memory.ENTITY, AskEntity(entity="mara"))
        assert seen.properties == {"born": 1990}
        assert [(fact.key, fact.value) for fact in seen.facts] == [("city", "Porto")]
        graph = await agent.call(memory.ENTITY_GRAPH, AskEntityGraph(entity_ids=(mara.id,), facts=True))
        assert {node.name for node in graph.nodes} == {"Mara", "Atlas", "city: Porto"}
        assert {edge.type for edge in graph.edges} == {"CREATED_BY", "ABOUT"}
        with pytest.raises(NotFound):
            await agent.call(memory.ENTITY, AskEntity(entity="Nobody"))

    walked(running_service, journey)


REFUSED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("record_invocation", {"tool_name": "a\nb"}),
    ("record_invocation", {"tool_name": "ls", "tool_input": {"a": "\x00"}}),
    ("record_invocation", {"tool_name": "ls", "latency_ms": 10**30}),
    ("record_invocation", {"tool_name": "ls", "success": "maybe"}),
    ("record_invocation", {"tool": "ls"}),
    ("record_invocations", {"calls": [{"tool_name": "ls", "channel": " "}]}),
    ("learn_strategy", {"description": "x", "tool_sequence": ["a\tb"]}),
    ("find_strategies", {"task_description": ""}),
)


def test_what_cannot_be_kept_is_refused_in_a_sentence(running_service: Any) -> None:
    transport = httpx.HTTPTransport(uds=str(running_service.desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk") as client:
        for call, body in REFUSED:
            said = client.post(f"/v1/procedures/{call}", json=body)
            assert (said.status_code, said.json()["code"]) == (422, "bad_ask"), said.text
            assert said.json()["says"].endswith(".")
