"""OpenClaw: a workspace of many standing files, with days as plain paragraphs."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Bootstrap, Days, Layout, Part

_CUT = 20_000
_PROMPT = ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP", "MEMORY")


def _openclaw(_: Path, has: frozenset[str]) -> str:
    beside = sorted({"agents.md", "tools.md"} & has)
    return (
        f"it holds IDENTITY.md beside {beside[0].upper()[:-2]}md" if "identity.md" in has and beside else ""
    )


OPENCLAW = Layout(
    name="OpenClaw",
    knows=_openclaw,
    days=Days(opening="# {day}\n", entry="\n{text}\n"),
    bootstrap=Bootstrap(parts=tuple(Part(path=f"{stem}.md", characters=_CUT) for stem in _PROMPT)),
)
