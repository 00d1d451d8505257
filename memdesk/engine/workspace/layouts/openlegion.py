"""OpenLegion: a workspace with learnings, days in UTC with one line per entry, and a bootstrap that is cut by
budgets."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Bootstrap, Days, Layout, Part

_CAPS = (("SYSTEM", 6_000), ("AGENTS", 8_000), ("SOUL", 4_000), ("USER", 4_000), ("MEMORY", 16_000))


def _openlegion(_: Path, has: frozenset[str]) -> str:
    if "learnings/" in has:
        return "it holds the folder learnings"
    return "it holds INSTRUCTIONS.md and SOUL.md" if {"instructions.md", "soul.md"} <= has else ""


OPENLEGION = Layout(
    name="OpenLegion",
    knows=_openlegion,
    days=Days(utc=True, entry="- [{time}] {text}\n"),
    bootstrap=Bootstrap(
        parts=(Part(path="PROJECT.md"), *(Part(path=f"{stem}.md", characters=cap) for stem, cap in _CAPS)),
        joint="\n\n---\n\n",
        characters=40_000,
        cut="\n\n... (truncated, use memory_search for full content)",
    ),
    writable=("HEARTBEAT.md", "USER.md"),
    learnings=True,
    budgets=_CAPS,
)
