"""agnx and its later form duragent: a folder per agent with curated memory and days, and a shared world."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import WORLD, Days, Layout, lies_in, nobody
from memdesk.model.channel import GLOBAL

_OPENING, _ENTRY = "# {day}\n", "\n## {time}\n\n{text}\n"


def _world(at: Path, _: frozenset[str]) -> str:
    return "it is the folder world in a folder memory" if lies_in(at, "world", "memory") else ""


def _agent(at: Path, has: frozenset[str]) -> str:
    inside = lies_in(at, None, "agents", "memory") and {"memory.md", "daily/"} & has
    return "it lies in memory/agents and holds MEMORY.md or daily" if inside else ""


def _duragent(at: Path, has: frozenset[str]) -> str:
    inside = lies_in(at, None, "agents") and "agent.yaml" in has
    return "it lies in agents and holds agent.yaml" if inside else ""


AGNX_WORLD = Layout(name=WORLD, knows=_world, alone=True, agent=nobody, channel=lambda _: GLOBAL)
AGNX = Layout(
    name="agnx", knows=_agent, alone=True, days=Days(folder="daily", opening=_OPENING, entry=_ENTRY),
    begins=("MEMORY.md",),
)  # fmt: skip
DURAGENT = Layout(
    name="duragent", knows=_duragent, alone=True, days=Days(folder="memory/daily", opening=_OPENING, entry=_ENTRY),
    begins=("memory/MEMORY.md",),
)  # fmt: skip
