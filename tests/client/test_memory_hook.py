"""The Python library: the same calls without an event loop, and memory for a loop that never costs it a turn."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memdesk.api import context, goals, history, memory, procedures, upkeep
from memdesk.client import AgentMemory, Client, MemoryHook, SyncClient, connect
from memdesk.client.find import stop_service
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, NotFound, ServiceAway
from memdesk.model.goal import ListGoals
from memdesk.model.history import AskAudit
from memdesk.model.session import NamedSession
from memdesk.model.status import Nothing
from memdesk.model.timeline import AskTurnLog
from memdesk.model.tool_call import ListToolCalls
from tests.conftest import Service

ASKED = [{"role": "user", "content": "How do ingest writes reach Postgres?"}]
FACT = "Ingest writes go through PgBouncer"


@pytest.fixture
def client(running_service: Service) -> Iterator[SyncClient]:
    with SyncClient(running_service.desk, agent="forge", session="s-1") as opened:
        yield opened


@pytest.fixture
def hook(client: SyncClient) -> MemoryHook:
    return MemoryHook(client, session_id="s-1", channel="tidepool")


def statuses(client: SyncClient) -> dict[str, str]:
    wanted = ("active", "completed", "abandoned", "blocked")
    return {row.description: row.status for row in client.call(goals.LIST, ListGoals(statuses=wanted)).rows}


def test_both_clients_give_the_same_answers_and_the_same_errors(
    running_service: Service, client: SyncClient
) -> None:
    async def ask() -> tuple[str, int]:
        async with Client(running_service.desk) as other:
            with pytest.raises(NotFound):
                await other.call(context.RESUME_SESSION, NamedSession(session_id="none"))
            found = await other.call(upkeep.STATUS, Nothing())
            return found.desk, found.pid

    found = client.call(upkeep.STATUS, Nothing())
    assert (found.desk, found.pid) == asyncio.run(ask())
    with pytest.raises(NotFound):
        client.call(context.RESUME_SESSION, NamedSession(session_id="none"))


def test_connect_starts_the_service_where_it_is_away(short_folder: Path) -> None:
    desk = Desk(short_folder / "desk")
    try:
        with connect(str(desk.folder)) as client:
            assert client.call(upkeep.STATUS, Nothing()).desk == str(desk.folder)
    finally:
        asyncio.run(stop_service(desk))


def test_many_threads_share_one_client(client: SyncClient) -> None:
    memories = AgentMemory(client=client, channel="tidepool", conversation_id="monday")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: memories.store_turn("user", f"Number {n}", turn_id=f"t-{n}"), range(40)))
    assert len(client.call(memory.TURN_LOG, AskTurnLog(conversation_id="monday")).rows) == 40


def test_an_agents_memory_stores_learns_and_remembers(client: SyncClient) -> None:
    memories = AgentMemory(client=client, channel="tidepool")
    turn = memories.store_turn(
        "user", "From today on ingest writes go through PgBouncer.", turn_id="monday-1"
    )
    assert memories.store_turn(
        "user", "From today on ingest writes go through PgBouncer.", turn_id="monday-1"
    ).repeated
    memories.learn_fact(FACT, category="decision", source_turn_id=turn.id)
    assert FACT in [
        hit.text for hit in memories.remember("How do ingest writes reach Postgres?", limit=3).hits
    ]
    with pytest.raises(TypeError):
        memories.remember("anything", no_such_field=1)
    with pytest.raises(BadAsk):
        memories.remember("anything", limit=1000)


def test_what_the_desk_knows_goes_in_before_the_question_and_is_not_kept_as_said(
    client: SyncClient, hook: MemoryHook
) -> None:
    assert hook.memory.learn_fact(FACT).change is not None
    messages = hook.with_memory(ASKED)
    assert messages[-1] == ASKED[0] and messages[0]["role"] == "system" and FACT in messages[0]["content"]
    kept = hook.after_turn([*ASKED, {"role": "assistant", "content": "Through PgBouncer."}])
    assert [each["content"] for each in kept] == [ASKED[0]["content"], "Through PgBouncer."]
    log = client.call(memory.TURN_LOG, AskTurnLog(channels=("tidepool",)))
    assert [row.content for row in reversed(log.rows)] == [each["content"] for each in kept]


def test_a_long_conversation_comes_back_shorter_and_nothing_of_it_is_lost(client: SyncClient) -> None:
    hook = MemoryHook(client, session_id="long", channel="tidepool", policy="agenticx")
    messages: list[dict[str, str]] = []
    for n in range(30):
        messages.append({"role": "user", "content": f"Question {n}: what comes after {n}?"})
        messages.append({"role": "assistant", "content": f"After {n} comes {n + 1}."})
        messages = hook.after_turn(messages)
        assert len(messages) <= 22
    log = client.call(memory.TURN_LOG, AskTurnLog(channels=("tidepool",), limit=200))
    assert len([row for row in log.rows if row.role in ("user", "assistant")]) == 60


def test_a_planned_task_is_a_goal_that_ends_as_the_task_does(client: SyncClient, hook: MemoryHook) -> None:
    with hook.task("Move the writers"):
        assert statuses(client) == {"Move the writers": "active"}
    with pytest.raises(ZeroDivisionError), hook.task("Divide by nothing"):
        _ = 1 / 0
    assert statuses(client) == {"Move the writers": "completed", "Divide by nothing": "abandoned"}


def test_calls_of_tools_are_kept_and_the_audit_log_names_the_session(
    client: SyncClient, hook: MemoryHook
) -> None:
    hook.on_tool("restart", tool_input={"node": "ingest-3"}, success=True, latency_ms=900)
    with SyncClient(client.desk) as owner:
        (call,) = owner.call(procedures.INVOCATIONS, ListToolCalls()).rows
        assert (call.tool_name, call.success) == ("restart", True)
        rows = owner.call(history.AUDIT, AskAudit(session_id="s-1")).rows
    assert rows and {row.author for row in rows} == {"agent:forge"}


def test_what_one_session_told_is_known_in_the_next_after_a_reset_and_a_restart(
    running_service: Service, hook: MemoryHook
) -> None:
    hook.after_turn([{"role": "user", "content": "The harbour pump is called Sirena."}])
    before = hook.memory.conversation_id
    hook.reset()
    assert hook.memory.conversation_id != before
    running_service.stop()
    running_service.start()
    assert "Sirena" in hook.before_turn([{"role": "user", "content": "What is the harbour pump called?"}])


def test_a_desk_that_is_away_costs_an_agent_its_memory_and_never_its_turn(
    short_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "memdesk")
    with SyncClient(Desk(short_folder / "none"), agent="forge") as client:
        hook = MemoryHook(client, session_id="s-1")
        assert hook.before_turn(ASKED) == "" and hook.with_memory(ASKED) == ASKED
        assert hook.after_turn(ASKED) == ASKED
        hook.on_tool("restart")
        hook.reset()
        with hook.task("Go on"):
            pass
        with pytest.raises(ServiceAway):
            _ = hook.memory
    assert "No service answers" in caplog.text


def test_the_library_needs_no_qt_and_no_engine() -> None:
    told = (
        "import sys, memdesk.client\n"
        "print([name for name in ('PySide6', 'memdesk.engine', 'memdesk.service') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
