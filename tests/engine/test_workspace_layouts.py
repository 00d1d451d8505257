"""Which folder is whose, and what each file in it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.workspace.layouts import (
    budget_of,
    day_of,
    layer_of,
    name_in,
    named_after,
    places_of,
    slug,
)
from memdesk.engine.workspace.layouts.systems import WORKSPACE


def test_a_plain_workspace_is_known_by_the_first_of_its_files_by_name() -> None:
    assert WORKSPACE.knows(Path("iris"), frozenset(("user.md", "soul.md", "notes.md"))) == "it holds SOUL.md"
    assert WORKSPACE.knows(Path("iris"), frozenset(("notes.md", "memory/"))) == ""


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("# Identity\n\n- **Name:** Iris\n- Mark: circle\n", "Iris"),
        ("- Name: Iris Lind (assistant)\n", "Iris Lind"),
        ("Name: Forge", "Forge"),
        ("* **Name**: C-3PO\n", "C-3PO"),
        ("- 名字：小艾\n", "小艾"),
        ("名前: ハナ\n", "ハナ"),
        ("- **Name:** (pick something you like)\n", None),
        ("- **Name:**\n- **Mark:** circle\n", None),
        ("# Identity\n", None),
        ("Filename: iris.md\n", None),
    ],
)
def test_the_name_in_an_identity_file(identity: str, name: str | None) -> None:
    assert name_in(identity) == name


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-03-01.md", "2026-03-01"),
        ("memory/2026-03-01-new.md", "2026-03-01"),
        ("daily/2026-03-01.md", "2026-03-01"),
        ("2026-03-01.md", "2026-03-01"),
        ("posts/2026-03-01-on-boats.md", None),
        ("memory/2026-02-30.md", None),
        ("memory/notes.md", None),
    ],
)
def test_the_day_a_file_tells_of(path: str, day: str | None) -> None:
    assert day_of(path) == day


@pytest.mark.parametrize(
    ("path", "layer", "budget"),
    [
        ("IDENTITY.md", "core", 2000),
        ("SOUL.md", "core", 2000),
        ("CLAUDE.md", "workspace", None),
        ("HEARTBEAT.md", "workspace", 1000),
        ("memory/MEMORY.md", "long-term", 4000),
        ("learnings/corrections.md", "learnings", 4000),
        ("Learnings/errors.md", "learnings", 4000),
        ("memory/2026-03-01.md", "day", None),
        ("recipes/soup.md", "notes", None),
    ],
)
def test_layers_and_budgets(path: str, layer: str, budget: int | None) -> None:
    assert (layer_of(path, "workspace"), budget_of(path)) == (layer, budget)


def layouts(root: str, *names: str) -> dict[str, str]:
    return {str(place.path): place.layout for place in places_of(Path(root), names, ())}


def test_each_systems_folders_are_known_by_sight() -> None:
    assert layouts("/h/ws", "IDENTITY.md", "AGENTS.md", "memory/2026-03-01.md") == {"/h/ws": "OpenClaw"}
    assert layouts("/h/ws", "IDENTITY.md", "USER.md", "MEMORY.md") == {"/h/ws": "AgenticX"}
    assert layouts("/h/ws", "SOUL.md", "learnings/errors.md") == {"/h/ws": "OpenLegion"}
    assert layouts("/h/code", "CLAUDE.md", "docs/a.md") == {"/h/code": "Claude Code"}
    assert layouts("/h/plain", "a.md", "b/c.md") == {"/h/plain": "folder"}
    assert layouts("/h/x", ".duragent/agents/kai/agent.yaml", ".duragent/agents/kai/memory/MEMORY.md") == {
        "/h/x/.duragent/agents/kai": "duragent",
        "/h/x": "folder",
    }
    assert layouts("/h/x", ".claude/projects/-srv-app/memory/MEMORY.md") == {
        "/h/x/.claude/projects/-srv-app": "Claude Code",
        "/h/x": "folder",
    }


def test_code_with_agents_files_in_every_corner_is_one_workspace() -> None:
    assert layouts("/h/code", "AGENTS.md", "api/AGENTS.md", "web/CLAUDE.md") == {"/h/code": "Codex"}


def test_a_plain_name_gives_way_to_the_folder_above() -> None:
    assert named_after(Path("/home/kim/.openclaw/workspace")) == "openclaw"
    assert named_after(Path("/srv/memory")) == "srv"
    assert named_after(Path("/srv/boats")) == "boats"


def test_channels_are_named_in_any_script() -> None:
    assert slug("Lisbon move, 2026!") == "lisbon-move-2026"
    assert slug("引っ越し の 計画") == "引っ越し-の-計画"
