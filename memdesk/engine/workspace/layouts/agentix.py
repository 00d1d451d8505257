"""Agentix: memories of the main agent, and of sub-agents by scope (user, project or local). Files of any
name."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Layout, lies_in
from memdesk.engine.workspace.layouts.naming import slug
from memdesk.model.channel import GLOBAL


def scope(at: Path) -> str:
    """Return the Agentix scope of a folder: main, user, project or local; "" for none."""
    if lies_in(at, "memories", ".agentix"):
        return "main"
    if lies_in(at, None, "agent-memory-local", ".agentix"):
        return "local"
    if lies_in(at, None, "agent-memory", ".agentix"):
        return "user" if at.parents[2] == Path.home() else "project"
    return ""


def _agentix(at: Path, _: frozenset[str]) -> str:
    found = scope(at)
    told = {"main": "the main agent's memories", "": ""}.get(
        found, f"a sub-agent's memory of the scope {found}"
    )
    return f"it is {told} in .agentix" if told else ""


def _agent(at: Path) -> str | None:
    return _project(at) if scope(at) == "main" else at.name


def _channel(at: Path) -> str | None:
    return GLOBAL if scope(at) == "user" else slug(_project(at)) or None


def _project(at: Path) -> str:
    """Return the name of the folder in which Agentix was started."""
    hidden = next(folder for folder in at.parents if folder.name == ".agentix")
    return hidden.parent.name or "agentix"


AGENTIX = Layout(name="Agentix", knows=_agentix, alone=True, agent=_agent, channel=_channel, any_text=True)
