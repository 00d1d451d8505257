"""What a person pastes: the printed settings for a runtime, and the protocol's own inspector as that runtime."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from memdesk.files.places import Desk
from tests.mcp.runtimes import CHECKOUT, Hands

INSPECTOR = ("npx", "--offline", "--yes", "@modelcontextprotocol/inspector")
JUN = {"name": "Jun", "entityType": "person", "observations": ["sails"]}


@functools.cache
def inspector_is_here() -> bool:
    """Whether npx finds the inspector without the network."""
    if shutil.which("npx") is None:
        return False
    return subprocess.run([*INSPECTOR, "--help"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def path_with_memdesk(tmp_path: Path) -> str:
    program = tmp_path / "bin" / "memdesk"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -m memdesk "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def settings(page: str) -> dict[str, Any]:
    """The settings of a runtime on a page."""
    (block,) = re.findall(r"```json\n(.*?)```", (CHECKOUT / page).read_text(encoding="utf-8"), re.DOTALL)
    found: dict[str, Any] = json.loads(block)
    return found


@pytest.mark.parametrize("page", ["README.md", "resources/docs/runtimes.md"])
def test_the_printed_settings_plug_a_desk_into_a_runtime(
    page: str, desk: Desk, path_with_memdesk: str
) -> None:
    ((name, server),) = settings(page)["mcpServers"].items()
    assert name == "memory" and server.keys() == {"command", "args"}
    env = {"PATH": path_with_memdesk, "MEMDESK_DESK": str(desk.folder)}

    async def go() -> None:
        async with Client(StdioServerParameters(**server, env=env)) as client:
            hands = Hands(client)
            await hands("create_entities", entities=[JUN])
            assert "sails" in await hands("search_nodes", query="Jun")

    asyncio.run(go())


def test_the_inspector_lists_and_calls_reads_and_prompts(
    desk: Desk, path_with_memdesk: str, tmp_path: Path
) -> None:
    if not inspector_is_here():
        pytest.skip("needs npx and @modelcontextprotocol/inspector in its cache")
    (tmp_path / "mcp.json").write_text(json.dumps(settings("README.md")))
    env = os.environ | {"PATH": path_with_memdesk, "MEMDESK_DESK": str(desk.folder)}

    def inspect(*words: str) -> Any:
        config = ("--cli", "--config", str(tmp_path / "mcp.json"), "--server", "memory")
        variables = ("-e", f"PATH={env['PATH']}", "-e", f"MEMDESK_DESK={desk.folder}")
        done = subprocess.run(
            [*INSPECTOR, *config, *variables, "--method", *words],
            env=env,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    assert len(inspect("tools/list")["tools"]) == 9
    made = inspect(
        "tools/call", "--tool-name", "create_entities", "--tool-arg", f"entities={json.dumps([JUN])}"
    )
    assert made["isError"] is False
    assert inspect("resources/read", "--uri", "memdesk://facts")["contents"][0]["text"].count("sails") == 1
    prompt = inspect("prompts/get", "--prompt-name", "recall", "--prompt-args", "query=who sails?")
    assert "Jun: sails" in prompt["messages"][0]["content"]["text"]
