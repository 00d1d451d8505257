"""EXPORTS: importers of files that other programs write, alone or in a folder. The first that recognises a
file reads it."""

from __future__ import annotations

from memdesk.engine.interop.agenticx import AGENTICX
from memdesk.engine.interop.agentx import AGENTX
from memdesk.engine.interop.hindsight import HINDSIGHT
from memdesk.engine.interop.items import Importer
from memdesk.engine.interop.letta import LETTA
from memdesk.engine.interop.locomo import LOCOMO
from memdesk.engine.interop.mcp_lines import MCP_LINES
from memdesk.engine.interop.mem0 import MEM0, MEM0_HISTORY, MEM0_NOTES
from memdesk.engine.interop.openclaw import OPENCLAW
from memdesk.engine.interop.openlegion import OPENLEGION
from memdesk.engine.interop.transcript import TRANSCRIPT

EXPORTS: tuple[Importer, ...] = (
    MCP_LINES, AGENTX, MEM0, MEM0_HISTORY, MEM0_NOTES, LETTA, HINDSIGHT, OPENLEGION, AGENTICX, OPENCLAW, LOCOMO,
    TRANSCRIPT,
)  # fmt: skip
"""Importers in order. The transcript importer accepts any file with a role and a content, so it comes last."""
