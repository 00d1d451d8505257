"""Anthropic's own SDK keeps memory on a desk: its tool runner, a builtin memory tool, and a model that is scripted."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

anthropic = pytest.importorskip("anthropic")
httpx2 = pytest.importorskip("httpx2")
tools = pytest.importorskip("anthropic.lib.tools")

SCRIPT: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/progress.md", "file_text": "step one\nstep two\n"},
    {"command": "create", "path": "/memories/progress.md", "file_text": "again"},
    {"command": "str_replace", "path": "/memories/progress.md", "old_str": "two", "new_str": "three"},
    {"command": "insert", "path": "/memories/progress.md", "insert_line": 2, "insert_text": "step four"},
    {"command": "rename", "old_path": "/memories/progress.md", "new_path": "/memories/done/progress.md"},
    {"command": "view", "path": "/memories/done/progress.md"},
    {"command": "delete", "path": "/memories/done"},
    {"command": "view", "path": "/memories/../secrets"},
]
"""What the model asks for, one command a turn."""


def wire(service: Any) -> httpx.Client:
    transport = httpx.HTTPTransport(uds=str(service.desk.socket))
    headers = {"x-memdesk-agent": "claude"}
    return httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60)


class DeskMemory(tools.BetaBuiltinFunctionTool):  # type: ignore[misc]
    """What a runtime writes to keep Claude's memory on a desk: one request a call."""

    def __init__(self, client: httpx.Client) -> None:
        super().__init__()
        self.client = client
        params = {"set": "anthropic", "format": "anthropic"}
        self.tool: dict[str, Any] = client.get("/v1/tools", params=params).json()["tools"][0]

    def to_dict(self) -> dict[str, Any]:
        return self.tool

    def call(self, input: object) -> str:
        place = {"dialect": "python"}
        said = self.client.post("/v1/tools/anthropic/memory", params=place, json=input).json()
        if said["is_error"]:
            raise tools.ToolError(said["text"])
        return str(said["text"])


class ScriptedModel:
    """Stands where Anthropic's API would be: asks for one command after the other, and keeps what it was told."""

    def __init__(self) -> None:
        self.asked = iter(enumerate(SCRIPT))
        self.told: list[tuple[str, bool]] = []
        self.offered: list[dict[str, Any]] = []

    def __call__(self, request: Any) -> Any:
        sent = json.loads(request.content)
        self.offered = sent.get("tools", self.offered)
        last = sent["messages"][-1]["content"]
        if isinstance(last, list):
            result = last[0]
            text = result["content"] if isinstance(result["content"], str) else result["content"][0]["text"]
            self.told.append((text, bool(result.get("is_error"))))
        number, step = next(self.asked, (0, None))
        block = {"type": "text", "text": "Done."}
        if step is not None:
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": "memory", "input": step}  # type: ignore[dict-item]
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [block],
            "stop_reason": "end_turn" if step is None else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=message)


def test_the_sdks_tool_runner_keeps_its_memory_on_the_desk(running_service: Any) -> None:
    model = ScriptedModel()
    transport = httpx2.MockTransport(model)
    client = anthropic.Anthropic(api_key="none", http_client=httpx2.Client(transport=transport))
    with wire(running_service) as desk:
        runner = client.beta.messages.tool_runner(
            model="scripted",
            max_tokens=100,
            tools=[DeskMemory(desk)],
            messages=[{"role": "user", "content": "Go on where you were."}],
        )
        runner.until_done()
    assert model.offered == [{"type": "memory_20250818", "name": "memory"}]
    assert [wrong for _, wrong in model.told] == [False, False, True, False, False, False, False, False, True]
    texts = [text for text, _ in model.told]
    assert texts[1] == "File created successfully at: /memories/progress.md"
    assert texts[2] == "File /memories/progress.md already exists"
    assert texts[6] == (
        "Here's the content of /memories/done/progress.md with line numbers:\n"
        "     1\tstep one\n     2\tstep three\n     3\tstep four\n     4\t"
    )
    assert texts[8] == "Path /memories/../secrets would escape /memories directory"


def test_the_directive_and_the_dialect_are_asked_for_by_query(running_service: Any) -> None:
    with wire(running_service) as desk:
        directive = desk.get("/v1/tools/directive", params={"set": "anthropic"}).json()["text"]
        assert directive.startswith("IMPORTANT: ALWAYS VIEW YOUR MEMORY DIRECTORY") and "`view`" in directive
        asked = {"command": "delete", "path": "/memories/none"}
        docs = desk.post("/v1/tools/anthropic/memory", json=asked).json()["text"]
        python = desk.post("/v1/tools/anthropic/memory", params={"dialect": "python"}, json=asked).json()[
            "text"
        ]
        assert (docs, python) == (f"Error: {python}", "The path /memories/none does not exist")
        wrong = desk.post("/v1/tools/anthropic/memory", params={"dialect": "klingon"}, json=asked).json()
        assert wrong["is_error"] and "docs, python" in wrong["text"]
