"""TOOLSETS: every set of tools in one tuple."""

from __future__ import annotations

from memdesk.contract.tools import agentix, agentx, agnx, anthropic, mcp_memory
from memdesk.contract.tools.tool import Toolset

TOOLSETS: tuple[Toolset, ...] = (
    mcp_memory.TOOLSET,
    anthropic.TOOLSET,
    agentix.TOOLSET,
    agentx.TOOLSET,
    agnx.TOOLSET,
)
BY_NAME = {each.name: each for each in TOOLSETS}
