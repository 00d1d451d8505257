"""Tools over the real socket: listed in every vendor's shape, called with their own JSON, described, and refused."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from memdesk.api.history import PAGE
from memdesk.api.tools import calls
from memdesk.api.tools.toolsets import NAMES, toolset
from memdesk.client.client import Client
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.history import AskHistory
from memdesk.model.status import Nothing
from memdesk.model.tools import AskDirective, AskTools

ALICE = {"name": "Alice", "entityType": "person", "observations": ["has a dog"]}


def asked(service: Any, endpoint: Any, ask: Any) -> Any:
    async def go() -> Any:
        async with Client(service.desk, agent="Forge") as agent:
            return await agent.call(endpoint, ask)

    return asyncio.run(go())


def wire(service: Any, agent: str | None = "Forge") -> httpx.Client:
    headers = {"x-memdesk-agent": agent} if agent else {}
    transport = httpx.HTTPTransport(uds=str(service.desk.socket))
    return httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60)


def test_every_tool_has_one_declaration_and_one_verb() -> None:
    declared = {name: {tool.name for tool in toolset(name).tools} for name in NAMES}
    assert {name: set(working.verbs) for name, working in WORKING.items()} == declared


def test_the_sets_and_their_directives_are_listed(running_service: Any) -> None:
    rows = asked(running_service, calls.SETS, Nothing()).rows
    assert [(row.name, len(row.tools)) for row in rows] == [
        (each.name, len(each.tools)) for each in map(toolset, NAMES)
    ]
    for row in rows:
        assert isinstance(asked(running_service, calls.DIRECTIVE, AskDirective(set=row.name)).text, str)


def test_each_vendor_finds_its_own_shape(running_service: Any) -> None:
    def listed(format: str) -> dict[str, Any]:
        tools = asked(running_service, calls.LIST, AskTools(set="mcp-memory", format=format)).tools
        assert len(tools) == 9
        return dict(tools[0])

    openai, anthropic, mcp = listed("openai"), listed("anthropic"), listed("mcp")
    assert openai["type"] == "function" and set(openai["function"]) == {"name", "description", "parameters"}
    assert set(anthropic) == {"name", "description", "input_schema"}
    assert {"name", "title", "description", "inputSchema", "outputSchema", "annotations"} == set(mcp)
    assert openai["function"]["parameters"] == anthropic["input_schema"] == mcp["inputSchema"]
    assert mcp["annotations"]["openWorldHint"] is False


def test_an_agent_calls_a_tool_with_its_own_json_and_the_journal_names_it(running_service: Any) -> None:
    made = asked(running_service, calls.call_of("mcp-memory", "create_entities"), {"entities": [ALICE]})
    assert (made.is_error, made.data) == (False, {"entities": [ALICE]})

    async def journal() -> Any:
        async with Client(running_service.desk) as owner:
            return await owner.call(PAGE, AskHistory(limit=1))

    row = asyncio.run(journal()).rows[0]
    assert (row.author, row.id, row.title) == ("agent:Forge", made.change, "Entities: Alice")
    there = calls.call_of("mcp-memory", "read_graph", channel="elsewhere")
    assert asked(running_service, there, {}).data == {"entities": [], "relations": []}


def test_agentix_memories_are_off_until_an_agents_options_or_the_settings_turn_them_on(
    running_service: Any,
) -> None:
    def listed(**options: Any) -> tuple[int, tuple[str, ...]]:
        found = asked(running_service, calls.LIST, AskTools(set="agentix", **options))
        return len(found.tools), found.allowed_tools

    assert listed() == (0, ())
    assert listed(memories_enabled=True) == (1, ())
    assert listed(memories_enabled=True, allowed_tools=("Read",)) == (1, ("Read", "Memories"))
    assert listed(memories_enabled=True, disallowed_tools=("Memories",)) == (0, ())
    assert listed(memory="project", allowed_tools=("WebSearch",)) == (1, ("WebSearch", "Memories"))
    with wire(running_service) as client:
        said = client.post("/v1/tools/agentix/Memories", json={"command": "view", "path": "/"}).json()
    assert said["is_error"] and "memories_enabled" in said["text"]


def test_agentix_memories_lie_in_the_folder_that_the_owner_connected(
    running_service: Any, short_folder: Path
) -> None:
    (short_folder / "work").mkdir()
    place = {"cwd": str(short_folder / "work"), "memory": "project"}
    view = {"command": "view", "path": "/"}
    create = {"command": "create", "path": "a.md", "file_text": "tea"}

    async def connect() -> Any:
        async with Client(running_service.desk) as owner:
            return await owner.call(calls.call_of("agentix", "Memories", **place, agent_id="Forge"), view)

    assert asked(running_service, calls.call_of("agentix", "Memories", **place), create).is_error
    assert not asyncio.run(connect()).is_error
    assert not asked(running_service, calls.call_of("agentix", "Memories", **place), create).is_error
    assert (short_folder / "work/.agentix/agent-memory/Forge/a.md").read_text() == "tea"


def test_agentx_tools_work_on_the_conversation_that_the_query_names(running_service: Any) -> None:
    def called(tool: str, **arguments: Any) -> Any:
        place = {"channel": "atlas", "conversation_id": "monday"}
        return asked(running_service, calls.call_of("agentx", tool, **place), arguments).data

    assert called("checkpoint", summary="half way")["checkpoint_count"] == 1
    goal = called("add_goal", description="Arrive")["goal_id"]
    state = called("scratchpad_note")
    assert [each["summary"] for each in state["checkpoints"]] == ["half way"]
    assert [each["goal_id"] for each in state["active_goals"]] == [goal]
    assert called("complete_goal", goal_id=goal)["status"] == "completed"


def test_what_the_tool_cannot_do_is_its_own_answer_and_what_is_no_tool_is_an_error(
    running_service: Any,
) -> None:
    with wire(running_service) as client:
        wrong = client.post("/v1/tools/mcp-memory/open_nodes", json={"names": "Alice"})
        assert wrong.status_code == 200 and wrong.json()["is_error"]
        assert "expected array, received string at names" in wrong.json()["text"]
        listed = client.post("/v1/tools/mcp-memory/open_nodes", json=["Alice"]).json()
        assert "expected object, received array" in listed["text"]
        assert client.post("/v1/tools/mcp-memory/open_nodes", content=b"{").json()["code"] == "bad_ask"
        assert client.post("/v1/tools/mcp-memory/fly", json={}).json()["code"] == "not_found"
        assert client.post("/v1/tools/nosuch/fly", json={}).json()["code"] == "not_found"
        odd = client.post("/v1/tools/mcp-memory/read_graph", params={"chanel": "x"}, json={}).json()
        assert odd["next"] == "Did you mean `channel`?"
    with pytest.raises(NotFound, match="no set"):
        asked(running_service, calls.LIST, AskTools(set="nosuch"))
    with pytest.raises(BadAsk, match="format"):
        asked(running_service, calls.LIST, AskTools(set="mcp-memory", format="xml"))


def test_the_description_shows_the_path_and_whose_memory_is_meant(running_service: Any) -> None:
    with wire(running_service) as client:
        described = client.get("/openapi.json").json()["paths"]
    call = described["/v1/tools/{set}/{name}"]["post"]
    places = {each["name"]: each["in"] for each in call["parameters"]}
    assert (places["set"], places["name"], places["channel"]) == ("path", "path", "query")
    assert {each["name"] for each in described["/v1/tools"]["get"]["parameters"]} >= {"set", "format"}


def test_agents_at_once_lose_nothing(running_service: Any) -> None:
    team = {"channel": "team"}
    asked(
        running_service, calls.call_of("mcp-memory", "create_entities", channel="team"), {"entities": [ALICE]}
    )

    def write(writer: int) -> None:
        with wire(running_service, f"w{writer}") as client:
            for number in range(10):
                told = {"observations": [{"entityName": "Alice", "contents": [f"{writer} said {number}"]}]}
                assert not client.post(
                    "/v1/tools/mcp-memory/add_observations", json=told, params=team
                ).json()["is_error"]

    with ThreadPoolExecutor(6) as writers:
        list(writers.map(write, range(6)))
    graph = asked(running_service, calls.call_of("mcp-memory", "read_graph", channel="team"), {}).data
    assert len(graph["entities"][0]["observations"]) == 61
