"""Real clients of the Model Context Protocol on a real desk: every set, every tool, both doors, both revisions."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS

from memdesk.__main__ import Program
from memdesk.api.history import PAGE
from memdesk.api.tools import toolsets
from memdesk.api.tools.tool import mcp
from memdesk.api.tools.toolsets import NAMES, toolset
from memdesk.cli.program import main
from memdesk.client.client import Client
from memdesk.engine.toolsets.agentix_tools import REFUSAL
from memdesk.files.places import Desk
from memdesk.model.history import AskHistory
from tests.mcp.runtimes import BEFORE, CURRENT, OPENCLAW, SCRIPTS, Hands, over_http, over_stdio

DOORS = {"stdio": over_stdio, "http": over_http}
both_doors = pytest.mark.parametrize("door", DOORS)
both_revisions = pytest.mark.parametrize("revision", [CURRENT, BEFORE])


@both_doors
@pytest.mark.parametrize("set", SCRIPTS)
def test_every_tool_of_every_set_is_listed_and_works(desk: Desk, door: str, set: str) -> None:
    agent = "iris" if set == "openclaw" else f"{door}-{set}"

    async def go() -> None:
        # A session, and with it a scratchpad, is one agent's.
        async with DOORS[door](desk, set, agent=agent, channel=door, session=f"monday-{agent}") as client:
            hands = Hands(client)
            listed = {tool.name for tool in (await client.list_tools()).tools}
            await SCRIPTS[set](hands)
            assert listed <= hands.used
            assert client.instructions == (toolset(set).directive or None)

    asyncio.run(go())


def test_there_is_a_script_for_every_set() -> None:
    assert SCRIPTS.keys() == set(NAMES)


@both_doors
@both_revisions
def test_a_tool_is_declared_called_and_refused_alike_in_both_revisions(
    desk: Desk, door: str, revision: str
) -> None:
    async def go() -> None:
        async with DOORS[door](desk, "mcp-memory", agent="jo", revision=revision) as client:
            shown = [
                each.model_dump(by_alias=True, exclude_none=True)
                for each in (await client.list_tools()).tools
            ]
            assert shown == [mcp(tool) for tool in toolsets.MCP_MEMORY.tools]
            graph = await client.call_tool("open_nodes", {"names": ["Nobody"]})
            assert graph.structured_content == {"entities": [], "relations": []}
            wrong = await client.call_tool("open_nodes", {"names": "Nobody"})
            assert wrong.is_error and wrong.structured_content is None
            with pytest.raises(MCPError, match="has no tool fly"):
                await client.call_tool("fly", {})

    asyncio.run(go())


@both_doors
@both_revisions
def test_an_agent_reads_its_files_days_and_facts(desk: Desk, door: str, revision: str) -> None:
    async def go() -> None:
        async with DOORS[door](desk, "openclaw", revision=revision) as client:
            listed = {each.name: str(each.uri) for each in (await client.list_resources()).resources}
            assert list(listed) == [
                "AGENTS.md",
                "IDENTITY.md",
                "MEMORY.md",
                "TOOLS.md",
                "2026-02-21",
                "2026-02-20",
                "facts",
            ]

            async def text(uri: str) -> str:
                (content,) = (await client.read_resource(uri)).contents
                return str(content.text)  # type: ignore[union-attr]

            assert await text(listed["IDENTITY.md"]) == OPENCLAW["IDENTITY.md"]
            assert await text("memdesk://day/2026-02-21") == OPENCLAW["memory/2026-02-21.md"]
            assert "use Postgres" in await text("memdesk://facts")
            templates = (await client.list_resource_templates()).resource_templates
            assert {each.name for each in templates} == {"file", "day", "fact"}
            with pytest.raises(MCPError, match="There is nothing to read"):
                await text("memdesk://day/1999-01-01")

    asyncio.run(go())


@both_doors
@both_revisions
def test_a_prompt_brings_what_is_remembered(desk: Desk, door: str, revision: str) -> None:
    async def go() -> None:
        async with DOORS[door](desk, "openclaw", revision=revision) as client:
            names = [each.name for each in (await client.list_prompts()).prompts]
            assert names == ["recall", "session-start"]
            asked = {"query": "which database did we decide on: Postgres?"}
            (said,) = (await client.get_prompt("recall", asked)).messages
            assert said.role == "user" and "- Decision: use Postgres" in said.content.text  # type: ignore[union-attr]
            (start,) = (await client.get_prompt("session-start")).messages
            assert "fond of boats" in start.content.text  # type: ignore[union-attr]
            with pytest.raises(MCPError, match="takes query"):
                await client.get_prompt("recall", {})

    asyncio.run(go())


def test_an_option_that_there_is_not_is_refused_in_a_sentence(desk: Desk) -> None:
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": BEFORE}
    transport = httpx.HTTPTransport(uds=str(desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk", headers=headers) as http:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        error = http.post("/v1/mcp/agentix?memory=everywhere", json=asked).json()["error"]
    assert (error["code"], error["data"]) == (INVALID_PARAMS, {"code": "bad_ask"})
    assert error["message"] == "memory must be one of none, user, project, local."


def test_one_agent_sees_nothing_of_anothers_files(desk: Desk) -> None:
    async def go() -> None:
        async with over_http(desk, "openclaw") as iris, over_http(desk, "openclaw", agent="bo") as bo:
            (file, *_) = (await iris.list_resources()).resources
            assert [each.name for each in (await bo.list_resources()).resources] == ["facts"]
            for uri in (str(file.uri), "memdesk://day/2026-02-21", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await bo.read_resource(uri)

    asyncio.run(go())


@both_doors
def test_what_an_agent_writes_is_signed_with_its_name(desk: Desk, door: str) -> None:
    async def go() -> Any:
        async with DOORS[door](desk, "agnx", agent=f"wren-{door}") as client:
            await client.call_tool("remember", {"content": "Wrens nest early"})
        async with Client(desk) as owner:
            return (await owner.call(PAGE, AskHistory(limit=1))).rows[0].author

    assert asyncio.run(go()) == f"agent:wren-{door}"


def test_the_options_of_agentix_decide_over_mcp_what_is_listed_and_called(desk: Desk, tmp_path: Path) -> None:
    def listed(*options: str) -> tuple[list[str], str]:
        said = "".join(
            json.dumps({"jsonrpc": "2.0", "id": id, "method": f"tools/{name}", "params": params}) + "\n"
            for id, name, params in (
                (1, "list", {}),
                (2, "call", {"name": "Memories", "arguments": {"command": "view", "path": "/"}}),
            )
        )
        words = [sys.executable, "-m", "memdesk", "mcp", "--set", "agentix", "--desk", str(desk.folder)]
        words += ["--agent", "vera", "--cwd", str(tmp_path), *options]
        done = subprocess.run(words, input=said, capture_output=True, text=True, timeout=60, check=True)
        told = {each["id"]: each["result"] for each in map(json.loads, done.stdout.splitlines())}
        return [tool["name"] for tool in told[1]["tools"]], told[2]["content"][0]["text"]

    assert listed() == ([], REFUSAL)
    names, text = listed("--memories", "on", "--allow", "Read")
    assert names == ["Memories"] and "has not connected" in text
    assert listed("--memories", "on", "--disallow", "Memories") == ([], REFUSAL)
    assert listed("--memory", "project")[0] == ["Memories"]


def test_agenticx_finds_its_workspace_over_mcp_by_its_variable(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "IDENTITY.md").write_text("- Name: near\n")
    (tmp_path / "MEMORY.md").write_text("\n".join(f"line {n} of the log" for n in range(1, 96)))
    assert main(("import", str(tmp_path), "--agent", "near", "--desk", str(desk.folder)), Program()) == 0
    call = {"name": "memory_search", "arguments": {"query": "line 55 of the log", "limit": 1}}
    said = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}) + "\n"
    words = [sys.executable, "-m", "memdesk", "mcp", "--set", "agenticx", "--desk", str(desk.folder)]
    done = subprocess.run(
        [*words, "--agent", "near"],
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "AGX_WORKSPACE_ROOT": str(tmp_path)},
    )
    text = json.loads(done.stdout)["result"]["content"][0]["text"]
    assert "MEMORY.md:41-80" in text
