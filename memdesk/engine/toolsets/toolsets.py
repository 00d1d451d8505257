"""WORKING: every implemented tool set, by its name."""

from __future__ import annotations

from memdesk.engine.toolsets import (
    agenticx_tools,
    agentix_tools,
    agentx_tools,
    agnx_tools,
    anthropic_tools,
    mcp_memory_tools,
    mem0_tools,
    openclaw_tools,
    openlegion_tools,
)
from memdesk.engine.toolsets.toolset import WorkingSet

WORKING: dict[str, WorkingSet] = {
    "mcp-memory": mcp_memory_tools.WORKING,
    "anthropic": anthropic_tools.WORKING,
    "agentix": agentix_tools.WORKING,
    "agentx": agentx_tools.WORKING,
    "agnx": agnx_tools.WORKING,
    "openlegion": openlegion_tools.WORKING,
    "openclaw": openclaw_tools.WORKING,
    "agenticx": agenticx_tools.WORKING,
    "mem0": mem0_tools.WORKING,
}
