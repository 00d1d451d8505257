"""`memdesk tools` and `memdesk tool`: what there is, and calling one as an agent does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memdesk.model.errors import BadAsk, NotFound, Refused

MADE = json.dumps({"entities": [{"name": "Jun", "entityType": "person", "observations": ["sails"]}]})


def test_sets_and_tools_are_listed_for_people_and_in_a_vendors_shape(memdesk: Any) -> None:
    assert "mcp-memory" in memdesk("tools").out
    assert "read_graph" in memdesk("tools", "mcp-memory").out
    tools = memdesk("tools", "mcp-memory", "--format", "openai", "--json").json["tools"]
    assert {tool["type"] for tool in tools} == {"function"}


def test_a_tool_is_called_and_prints_what_it_says(memdesk: Any) -> None:
    assert '"sails"' in memdesk("tool", "mcp-memory", "create_entities", MADE).out
    said = memdesk("tool", "mcp-memory", "open_nodes", '{"names": ["Jun"]}', "--json").json
    assert said["data"]["entities"][0]["observations"] == ["sails"]
    memdesk("undo")
    assert memdesk("tool", "mcp-memory", "read_graph", "--json").json["data"]["entities"] == []


def test_what_cannot_be_done_is_told_with_an_exit_code(memdesk: Any) -> None:
    wrong = memdesk("tool", "mcp-memory", "open_nodes", "{}")
    assert (wrong.code, wrong.out) == (Refused.exit_code, "") and "at names" in wrong.err
    assert memdesk("tool", "mcp-memory", "open_nodes", "[").code == BadAsk.exit_code
    assert memdesk("tool", "mcp-memory", "fly").code == NotFound.exit_code


def test_the_graph_goes_into_a_file_and_comes_out_of_it(memdesk: Any, tmp_path: Path) -> None:
    memdesk("tool", "mcp-memory", "create_entities", MADE, "--channel", "sea")
    file = str(tmp_path / "memory.jsonl")
    assert "1 entity" in memdesk("tools", "mcp-memory", "--export", file, "--channel", "sea").out
    said = memdesk("tools", "mcp-memory", "--import", file, "--channel", "shore").out
    assert said == "Brought in: 1 entity, 1 observation.\n"
    told = memdesk("tool", "mcp-memory", "read_graph", "--channel", "shore", "--json").json["data"]
    assert told["entities"] == json.loads(MADE)["entities"]
    assert memdesk("tools", "--export", file).code == BadAsk.exit_code
    Path(file).write_text("{")
    assert "Line 1" in memdesk("tools", "mcp-memory", "--import", file).err
