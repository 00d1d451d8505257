"""TOOLSETS: every tool set in one tuple."""

from __future__ import annotations

from memdesk.api.tools import (
    agenticx,
    agentix,
    agentx,
    agnx,
    anthropic,
    mcp_memory,
    mem0,
    openclaw,
    openlegion,
)
from memdesk.api.tools.tool import Toolset

TOOLSETS: tuple[Toolset, ...] = (
    mcp_memory.TOOLSET,
    anthropic.TOOLSET,
    agentix.TOOLSET,
    agentx.TOOLSET,
    agnx.TOOLSET,
    openlegion.TOOLSET,
    openclaw.TOOLSET,
    agenticx.TOOLSET,
    mem0.TOOLSET,
)
BY_NAME = {each.name: each for each in TOOLSETS}
