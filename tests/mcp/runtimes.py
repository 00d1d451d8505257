"""A runtime as it plugs a desk in: the official client over standard input and output or over HTTP on the socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pydantic.errors  # noqa: F401 - before mcp: Qt's import hook trips over pydantic's first import of it
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from memdesk.api.tools.calls import mcp_path
from memdesk.files.places import Desk
from tests.conftest import PATIENCE_S
from tests.warm import memdesk

CHECKOUT = Path(__file__).parent.parent.parent
CURRENT, BEFORE = "2026-07-28", "2025-11-25"
"""The protocol's revisions; the one before opens with a handshake."""
OPENCLAW = {
    "AGENTS.md": "# Agents\n",
    "TOOLS.md": "# Tools\n",
    "IDENTITY.md": "# Identity\n\nCurt, and fond of boats.\n",
    "MEMORY.md": "# Memory\n\n- Decision: use Postgres\n",
    "memory/2026-02-20.md": "# 2026-02-20\n\nTalked about routers.\n",
    "memory/2026-02-21.md": "# 2026-02-21\n\nPlanted kiwis.\n",
}
"""An agent's folder, for what only reads."""
SAID = "The pump sings before it breaks."
"""In the conversation `friday`."""


def stdio(desk: Desk, set: str, *words: str) -> StdioServerParameters:
    """The bridge as a runtime starts it."""
    program, *arguments = memdesk()
    arguments += ["mcp", "--set", set, *words, "--desk", str(desk.folder)]
    return StdioServerParameters(command=program, args=arguments, cwd=CHECKOUT)


@asynccontextmanager
async def over_stdio(
    desk: Desk,
    set: str,
    *,
    agent: str = "iris",
    revision: str = CURRENT,
    channel: str | None = None,
    session: str = "monday",
) -> AsyncIterator[Client]:
    mode = "legacy" if revision == BEFORE else "auto"
    words = ["--agent", agent, "--session", session, *(["--channel", channel] if channel else [])]
    async with Client(stdio(desk, set, *words), mode=mode) as client:
        assert client.protocol_version == revision
        yield client


@asynccontextmanager
async def over_http(
    desk: Desk,
    set: str,
    *,
    agent: str = "iris",
    revision: str = CURRENT,
    channel: str | None = None,
    session: str = "monday",
) -> AsyncIterator[Client]:
    mode = "legacy" if revision == BEFORE else "auto"
    transport = httpx2.AsyncHTTPTransport(uds=str(desk.socket))
    headers = {"x-memdesk-agent": agent}
    async with httpx2.AsyncClient(transport=transport, headers=headers, timeout=PATIENCE_S) as http:
        place = {"session_id": session, "conversation_id": session} | (
            {"channel": channel} if channel else {}
        )
        url = "http://desk" + mcp_path(set, **place)
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            assert client.protocol_version == revision
            yield client


@dataclass
class Hands:
    """Calls tools as a model does and reads what they say. used: which were called."""

    client: Client
    used: set[str] = field(default_factory=set)

    async def __call__(self, tool: str, **arguments: Any) -> str:
        """arguments: with a final _ where Python has the word to itself."""
        self.used.add(tool)
        told = {name.rstrip("_"): value for name, value in arguments.items()}
        said = await self.client.call_tool(tool, told)
        (content,) = said.content
        assert not said.is_error, content
        return str(content.text)


async def mcp_memory(say: Hands) -> None:
    jun = {"name": "Jun", "entityType": "person", "observations": ["sails"]}
    boat = {"name": "Boat", "entityType": "thing", "observations": []}
    owns = {"from": "Jun", "to": "Boat", "relationType": "owns"}
    assert json.loads(await say("create_entities", entities=[jun, boat])) == [jun, boat]
    assert "owns" in await say("create_relations", relations=[owns])
    added = {"entityName": "Boat", "contents": ["is blue", "leaks"]}
    assert "is blue" in await say("add_observations", observations=[added])
    assert "Jun" in await say("search_nodes", query="sails")
    await say("delete_observations", deletions=[{"entityName": "Boat", "observations": ["leaks"]}])
    assert "leaks" not in await say("open_nodes", names=["Boat"])
    await say("delete_relations", relations=[owns])
    await say("delete_entities", entityNames=["Boat"])
    assert json.loads(await say("read_graph")) == {"entities": [jun], "relations": []}


async def anthropic(say: Hands) -> None:
    await say("memory", command="create", path="/memories/a.md", file_text="kiwis\n")
    assert "kiwis" in await say("memory", command="view", path="/memories/a.md")


async def agentix(say: Hands) -> None:
    with pytest.raises(AssertionError):
        await say("Memories", command="view", path="/memories")


async def agentx(say: Hands) -> None:
    fact = json.loads(await say("remember_fact", claim="The harbour pump leaks"))
    assert "pump leaks" in json.dumps(json.loads(await say("recall_user_history", topic="harbour pump")))
    await say("forget_fact", fact_id=fact["fact_id"])
    goal = json.loads(await say("add_goal", description="Mend the pump"))
    await say("complete_goal", goal_id=goal["goal_id"], result="done")
    await say("checkpoint", summary="The pump is mended", next_step="Test it")
    await say("scratchpad_note", note="valve 3")
    assert "valve 3" in await say("scratchpad_note", read=True)
    assert SAID in await say("read_thread", conversation_id="friday")


async def agnx(say: Hands) -> None:
    await say("remember", content="Planted kiwis")
    await say("recall")
    await say("reflect", content="Mara grows kiwis")
    await say("learn_fact", topic="kiwis", content="They climb")
    recalled = await say("recall", days=1)
    assert all(each in recalled for each in ("Planted kiwis", "Mara grows kiwis", "They climb"))
    assert "kiwis" in await say("search_memory", query="kiwis")


async def openlegion(say: Hands) -> None:
    assert json.loads(await say("memory_save", content="cat's name: Whiskerino"))["saved"]
    assert "Whiskerino" in await say("memory_recall", query="cat name")
    assert "Whiskerino" in await say("memory_search", query="Whiskerino")
    await say("record_learning", kind="correction", subject="The cat is a dog", text="It is a cat")


async def openclaw(say: Hands) -> None:
    (found,) = json.loads(await say("memory_search", query="routers"))["results"]
    lines = {"from_": found["startLine"], "lines": found["endLine"]}
    assert "Talked about routers." in await say("memory_get", path=found["path"], **lines)


async def agenticx(say: Hands) -> None:
    await say("scratchpad_write", key="plan", value="quinces first")
    assert await say("scratchpad_read", key="plan") == "quinces first"
    await say("memory_append", target="long_term", content="Mara grows quinces")
    assert "Mara grows quinces" in await say("memory_search", query="quinces")
    gone = json.loads(await say("memory_forget", query="quinces"))
    # The entry, and the fact that was read from it.
    assert (gone["text"], gone["graph"], gone["deleted"]) == (
        ["- Mara grows quinces"],
        ["Mara grows quinces"],
        2,
    )
    assert json.loads(await say("memory_forget", undo=gone["undo"]))["ok"]
    assert json.loads(await say("session_search"))["mode"] == "recent"


async def mem0(say: Hands) -> None:
    kept = json.loads(await say("add_memory", text="Mara grows quinces"))["results"][0]["id"]
    assert "Mara grows quinces" in await say("search_memories", query="fruit that Mara grows")
    assert "Mara grows quinces" in await say("get_memories")
    await say("update_memory", memory_id=kept, text="Mara grows figs")
    assert json.loads(await say("get_memory", memory_id=kept))["memory"] == "Mara grows figs"
    await say("delete_memory", memory_id=kept)
    await say("add_memory", text="Figs ripen in August")
    await say("delete_all_memories")
    assert json.loads(await say("get_memories"))["results"] == []


SCRIPTS: dict[str, Callable[[Hands], Awaitable[None]]] = {
    "mcp-memory": mcp_memory,
    "anthropic": anthropic,
    "agentix": agentix,
    "agentx": agentx,
    "agnx": agnx,
    "openlegion": openlegion,
    "openclaw": openclaw,
    "agenticx": agenticx,
    "mem0": mem0,
}
"""What a model does with each set; every tool that is listed."""
