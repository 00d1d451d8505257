"""Anthropic's memory tool on the desk, as its SDK's own loop calls it."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("anthropic.lib.tools", reason="Anthropic's SDK is not installed")
from anthropic import Anthropic
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from memdesk.client import SyncClient
from memdesk.integrations import AsyncMemDeskMemoryTool, MemDeskMemoryTool
from tests.conftest import Service
from tests.model_server import Asked, ModelServer, Raw, Reply, Text

NOTE = "/memories/trips/oslo.md"
STEPS = [
    ({"command": "create", "path": NOTE, "file_text": "Ferry at nine.\n"}, "created"),
    ({"command": "view", "path": NOTE}, "Ferry at nine."),
    ({"command": "insert", "path": NOTE, "insert_line": 1, "insert_text": "Quay 4.\n"}, "edited"),
    ({"command": "str_replace", "path": NOTE, "old_str": "nine", "new_str": "ten"}, "edited"),
    ({"command": "rename", "old_path": NOTE, "new_path": "/memories/ferry.md"}, "renamed"),
    ({"command": "view", "path": "/memories/ferry.md"}, "Ferry at ten."),
    ({"command": "view", "path": "/memories", "view_range": None}, "ferry.md"),
    ({"command": "delete", "path": "/memories/ferry.md"}, "deleted"),
]


def test_every_command_is_answered_and_a_wrong_one_is_an_error_of_the_tool(service: Service) -> None:
    tool = MemDeskMemoryTool(agent="claude", desk=str(service.desk.folder))
    assert isinstance(tool, BetaAbstractMemoryTool)
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    for command, told in STEPS:
        assert told in str(tool.call(command)).lower().replace("ferry at", "Ferry at"), command
    with pytest.raises(ToolError):
        tool.call({"command": "view", "path": "/memories/nowhere.md"})
    with pytest.raises(ToolError):
        tool.call({"command": "view", "path": "/memories/../../etc/passwd"})


def test_it_is_the_same_from_an_event_loop_and_each_agent_has_a_folder_of_its_own(service: Service) -> None:
    async def told() -> list[str]:
        tool = AsyncMemDeskMemoryTool(agent="opus", desk=str(service.desk.folder))
        assert isinstance(tool, BetaAsyncAbstractMemoryTool)
        return [str(await tool.call(command)) for command, _ in STEPS[:2]]

    assert "Ferry at nine." in asyncio.run(told())[1]
    other = MemDeskMemoryTool(agent="haiku", desk=str(service.desk.folder))
    with pytest.raises(ToolError):
        other.call({"command": "view", "path": NOTE})


def test_the_sdks_own_loop_keeps_a_file_on_the_desk(service: Service, owner: SyncClient) -> None:
    def claude(asked: Asked) -> Reply:
        if len(server.asked) > 1:
            return Text("Kept.")
        block = {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": STEPS[0][0]}
        whole = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "small",
            "content": [block],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 9},
        }
        return Raw(json.dumps(whole).encode())

    tool = MemDeskMemoryTool(agent="sonnet", desk=str(service.desk.folder))
    with ModelServer(claude) as server:
        client = Anthropic(api_key="none", base_url=server.url.removesuffix("/v1"))
        runner = client.beta.messages.tool_runner(
            model="small",
            max_tokens=100,
            messages=[{"role": "user", "content": "Remember the ferry"}],
            tools=[tool],
        )
        runner.until_done()
    result = server.asked[1].body["messages"][-1]["content"][0]
    assert result["tool_use_id"] == "toolu_1" and not result.get("is_error")
    assert "Ferry at nine." in str(tool.call(STEPS[1][0]))
