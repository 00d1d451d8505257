"""Every set in OpenAI's shape is what that API takes: the SDK's own types, a name it allows, a sound JSON Schema."""

from __future__ import annotations

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from memdesk.api.tools.tool import Tool, anthropic, openai
from memdesk.api.tools.toolsets import NAMES, toolset

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Of OpenAI's API and of Anthropic's."""
DESCRIPTION_CHARACTERS = 1024
"""OpenAI's."""
TOOLS = [
    pytest.param(tool, id=f"{each.name}-{tool.name}") for each in map(toolset, NAMES) for tool in each.tools
]


@pytest.mark.parametrize("tool", TOOLS)
def test_openais_types_take_a_tool_as_it_is_shown(tool: Tool) -> None:
    types = pytest.importorskip("openai.types.chat")
    shown = openai(tool)
    taken: Any = TypeAdapter(types.ChatCompletionFunctionToolParam).validate_python(shown)
    assert taken == shown


@pytest.mark.parametrize("tool", TOOLS)
def test_anthropics_types_take_a_tool_as_it_is_shown(tool: Tool) -> None:
    types = pytest.importorskip("anthropic.types.beta")
    shown = anthropic(tool)
    taken: Any = TypeAdapter(types.BetaToolUnionParam).validate_python(shown)
    assert dict(taken) == shown


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_has_a_name_a_description_and_a_schema_that_both_apis_allow(tool: Tool) -> None:
    assert NAME.fullmatch(tool.name)
    assert 0 < len(tool.description) <= DESCRIPTION_CHARACTERS
    for schema in filter(None, (tool.schema, tool.output)):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object" and isinstance(schema["properties"], dict)
        assert set(schema.get("required", ())) <= schema["properties"].keys()
        assert not {"oneOf", "anyOf", "allOf", "enum", "not", "$ref"} & schema.keys()
