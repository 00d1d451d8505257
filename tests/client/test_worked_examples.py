"""The worked examples run as a reader would run them, against a real desk and a real server of models."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.api import goals, memory, projects
from memdesk.client import AgentMemory, SyncClient
from memdesk.model.goal import ListGoals
from memdesk.model.graph import AskEntity
from memdesk.model.project import ListProjects
from memdesk.model.timeline import AskTurnLog
from tests.conftest import Service
from tests.model_server import Asked, ModelServer, Raw, Reply, Text

CHECKOUT = Path(__file__).parent.parent.parent
EXAMPLES = CHECKOUT / "resources" / "examples"
RUNTIMES = (CHECKOUT / "resources" / "docs" / "runtimes.md").read_text(encoding="utf-8")
FACT = "Ingest writes go through PgBouncer"
QUESTION = "How do ingest writes reach Postgres?"


def run(service: Service, example: str, *words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), *words],
        env={**os.environ, "MEMDESK_DESK": str(service.desk.folder), "NO_PROXY": "127.0.0.1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs(*packages: str) -> pytest.MarkDecorator:
    away = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(away), reason=f"{', '.join(away)} not installed")


@pytest.fixture
def owner(running_service: Service) -> Iterator[SyncClient]:
    with SyncClient(running_service.desk) as client:
        AgentMemory(client=client, channel="examples").learn_fact(FACT)
        yield client


def said(owner: SyncClient) -> list[str]:
    log = owner.call(memory.TURN_LOG, AskTurnLog(channels=("examples",)))
    return [row.content for row in reversed(log.rows)]


def asked_with_the_fact(server: ModelServer) -> bool:
    return all(FACT in json.dumps(asked.body["messages"]) for asked in server.asked)


def openai_at(server: ModelServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}


@needs("openai")
def test_a_plain_loop_asks_with_memory_and_keeps_what_was_said(
    running_service: Service, owner: SyncClient
) -> None:
    with ModelServer(Text("Through PgBouncer."), Text("25.")) as server:
        told = run(running_service, "openai_loop.py", "small", QUESTION, "How many?", **openai_at(server))
    assert told == "Through PgBouncer.\n25.\n"
    assert FACT in json.dumps(server.asked[0].body["messages"])
    assert said(owner) == [QUESTION, "Through PgBouncer.", "How many?", "25."]
    (goal,) = owner.call(goals.LIST, ListGoals(channels=("examples",), statuses=("completed",))).rows
    assert goal.description == f"Answer {QUESTION}"


@needs("anthropic")
def test_claude_keeps_its_files_on_the_desk(running_service: Service, owner: SyncClient) -> None:
    def claude(asked: Asked) -> Reply:
        if len(server.asked) > 1:
            return Text("Remembered.")
        call = {
            "command": "create",
            "path": "/memories/ingest.md",
            "file_text": "ingest-3 waits until Friday.\n",
        }
        block = {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": call}
        usage = {"input_tokens": 9, "output_tokens": 9}
        whole = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "small",
            "content": [block],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": usage,
        }
        return Raw(json.dumps(whole).encode())

    with ModelServer(claude) as server:
        told = run(
            running_service,
            "anthropic_memory_tool.py",
            "small",
            "Remember that ingest-3 waits until Friday.",
            ANTHROPIC_BASE_URL=server.url.removesuffix("/v1"),
            ANTHROPIC_API_KEY="none",
        )
    assert told == "Remembered.\n"
    (result,) = server.asked[1].body["messages"][-1]["content"]
    assert (
        result["tool_use_id"] == "toolu_1"
        and not result["is_error"]
        and "created" in result["content"].lower()
    )


@needs("mcp")
def test_a_client_of_mcp_keeps_a_note_and_finds_it(running_service: Service) -> None:
    told = run(running_service, "mcp_client.py")
    assert "tools, among them" in told and "Ingest writes go through it." in told
    with SyncClient(running_service.desk) as owner:
        (project,) = owner.call(projects.LIST, ListProjects()).rows
        asked = AskEntity(entity="PgBouncer", channel=project.channel)
        assert owner.call(memory.ENTITY, asked).type == "Technology"


@needs("langgraph", "openai")
def test_a_graph_recalls_before_it_answers_and_keeps_after(
    running_service: Service, owner: SyncClient
) -> None:
    with ModelServer(Text("Through PgBouncer.")) as server:
        told = run(running_service, "langgraph_agent.py", "small", QUESTION, **openai_at(server))
    assert told == "Through PgBouncer.\n" and asked_with_the_fact(server)
    assert said(owner) == [QUESTION, "Through PgBouncer."]


@needs("agents", "openai")
def test_an_agent_of_the_agents_sdk_has_the_desk_in_its_instructions(
    running_service: Service, owner: SyncClient
) -> None:
    with ModelServer(Text("Through PgBouncer.")) as server:
        told = run(running_service, "openai_agents.py", "small", QUESTION, **openai_at(server))
    assert told == "Through PgBouncer.\n" and asked_with_the_fact(server)
    assert said(owner) == [QUESTION, "Through PgBouncer."]


def test_the_lines_of_python_in_the_docs_work_as_printed(running_service: Service, owner: SyncClient) -> None:
    blocks = re.findall(r"```python\n(.*?)```", RUNTIMES, re.DOTALL)
    for block in blocks:
        environment = {**os.environ, "MEMDESK_DESK": str(running_service.desk.folder)}
        subprocess.run([sys.executable, "-c", block], env=environment, check=True, timeout=60)
    assert blocks and owner.call(memory.TURN_LOG, AskTurnLog(channels=("tidepool",))).rows


def test_every_example_is_run_here() -> None:
    told = Path(__file__).read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.glob("*.py") if f'"{path.name}"' not in told] == []
