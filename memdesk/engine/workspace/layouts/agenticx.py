"""AgenticX: the main agent's workspace, one for each avatar and one for each group, each a separate subject."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Bootstrap, Days, Layout, Part, lies_in
from memdesk.engine.workspace.layouts.naming import named_after

DAILY_CHARACTERS = 8_000
"""Size limit of a day file for additions by MemoryHook."""


def _agenticx(at: Path, has: frozenset[str]) -> str:
    kind = subject(at)
    if kind:
        return f"it is the workspace of {kind} in .agenticx"
    return "it holds IDENTITY.md" if "identity.md" in has else ""


def _group_or_agent(at: Path) -> str | None:
    name = named_after(at)
    return f"group_{name}" if subject(at) == "a group" else name


def subject(at: Path) -> str:
    """Return the AgenticX subject that a folder belongs to by its place; "" for none."""
    if lies_in(at, "workspace", ".agenticx"):
        return "the main agent"
    for folder, kind in (("avatars", "an avatar"), ("groups", "a group")):
        if lies_in(at, None, folder, ".agenticx") or lies_in(at, "workspace", None, folder, ".agenticx"):
            return kind
    return ""


AGENTICX = Layout(
    name="AgenticX",
    knows=_agenticx,
    agent=_group_or_agent,
    days=Days(
        opening="# Daily Memory\n\n- Date: {day}\n- Notes:\n",
        entry="  - {text}\n",
        characters=DAILY_CHARACTERS,
    ),
    bootstrap=Bootstrap(
        parts=tuple(Part(path=f"{stem}.md") for stem in ("IDENTITY", "USER", "SOUL", "MEMORY"))
    ),
    budgets=(("MEMORY", 4_000),),
)
