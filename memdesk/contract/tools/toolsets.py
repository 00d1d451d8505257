"""TOOLSETS: every set of tools in one tuple."""

from __future__ import annotations

from memdesk.contract.tools import agentix, agentx, agnx, anthropic, mcp_memory, openlegion
from memdesk.contract.tools.tool import Toolset

TOOLSETS: tuple[Toolset, ...] = (
    mcp_memory.TOOLSET,
    anthropic.TOOLSET,
    agentix.TOOLSET,
    agentx.TOOLSET,
    agnx.TOOLSET,
    openlegion.TOOLSET,
)
BY_NAME = {each.name: each for each in TOOLSETS}
