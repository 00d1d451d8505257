"""WORKING: every implemented tool set, by its name."""

from __future__ import annotations

from memdesk.engine.toolsets import (
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
from memdesk.engine.toolsets.toolset import WorkingSet

WORKING: dict[str, WorkingSet] = {
    "mcp-memory": mcp_memory.WORKING,
    "anthropic": anthropic.WORKING,
    "agentix": agentix.WORKING,
    "agentx": agentx.WORKING,
    "agnx": agnx.WORKING,
    "openlegion": openlegion.WORKING,
    "openclaw": openclaw.WORKING,
    "agenticx": agenticx.WORKING,
    "mem0": mem0.WORKING,
}
