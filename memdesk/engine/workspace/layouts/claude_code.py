"""Claude Code: standing instructions in CLAUDE.md, and its auto memory in a project's folder under ~/.claude."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Layout, lies_in
from memdesk.engine.workspace.layouts.marks import MARKS


def _project(at: Path, _: frozenset[str]) -> str:
    return "it lies in .claude/projects" if lies_in(at, None, "projects", ".claude") else ""


def _instructions(_: Path, has: frozenset[str]) -> str:
    return "it holds CLAUDE.md" if "claude.md" in has and not MARKS & has else ""


def _claude(_: Path) -> str:
    return "claude-code"


CLAUDE_PROJECT = Layout(name="Claude Code", knows=_project, alone=True, agent=_claude)
CLAUDE_CODE = Layout(name="Claude Code", knows=_instructions, agent=_claude)
