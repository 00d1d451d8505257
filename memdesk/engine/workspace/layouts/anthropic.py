"""Anthropic's memory tool: any folder called memories."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Layout, lies_in, nobody


def _memories(at: Path, _: frozenset[str]) -> str:
    return "it is called memories" if lies_in(at, "memories") else ""


ANTHROPIC = Layout(name="Anthropic memory", knows=_memories, alone=True, agent=nobody, any_text=True)
