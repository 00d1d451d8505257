"""EXPORTS: files that other programs write, by themselves or in a folder. The first format that fits reads one."""

from __future__ import annotations

from memdesk.engine.interop.agentx import AGENTX
from memdesk.engine.interop.items import Importer
from memdesk.engine.interop.locomo import LOCOMO
from memdesk.engine.interop.mcp_lines import MCP_LINES
from memdesk.engine.interop.transcript import TRANSCRIPT

EXPORTS: tuple[Importer, ...] = (MCP_LINES, AGENTX, LOCOMO, TRANSCRIPT)
"""A transcript is anything that keeps a role and a content, so it is asked last."""
