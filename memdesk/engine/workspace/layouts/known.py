"""LAYOUTS: every known layout; those recognised by the folder's place alone come first."""

from __future__ import annotations

from memdesk.engine.workspace.layouts.agenticx import AGENTICX
from memdesk.engine.workspace.layouts.agentix import AGENTIX
from memdesk.engine.workspace.layouts.agnx import AGNX, AGNX_WORLD, DURAGENT
from memdesk.engine.workspace.layouts.anthropic import ANTHROPIC
from memdesk.engine.workspace.layouts.claude_code import CLAUDE_CODE, CLAUDE_PROJECT
from memdesk.engine.workspace.layouts.layout import Layout
from memdesk.engine.workspace.layouts.markdown import FOLDER, WORKSPACE
from memdesk.engine.workspace.layouts.openclaw import OPENCLAW
from memdesk.engine.workspace.layouts.openlegion import OPENLEGION

LAYOUTS: tuple[Layout, ...] = (
    AGNX_WORLD,
    AGNX,
    DURAGENT,
    CLAUDE_PROJECT,
    AGENTIX,
    ANTHROPIC,
    CLAUDE_CODE,
    OPENCLAW,
    AGENTICX,
    OPENLEGION,
    WORKSPACE,
    FOLDER,
)


def layout_named(name: str) -> Layout:
    """Return the layout of this name; that of a plain folder for a name that is not known."""
    return next((layout for layout in LAYOUTS if layout.name == name), FOLDER)
