"""What one user's agent keeps by its tools is nobody else's, though the agent's name is the same on every side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.model.tools import ToolPlace
from tests.engine.conftest import embed_all
from tests.engine.tools import Agent

KEPT = "rhubarb"
Asked = tuple[str, dict[str, Any]]
KEEPS: dict[str, tuple[Asked, Asked]] = {
    "anthropic": (
        ("memory", {"command": "create", "path": "/memories/a.md", "file_text": KEPT}),
        ("memory", {"command": "view", "path": "/memories/a.md"}),
    ),
    "openlegion": (("memory_save", {"content": f"cake: {KEPT}"}), ("memory_search", {"query": KEPT})),
    "agnx": (("remember", {"content": KEPT}), ("recall", {})),
    "agenticx": (
        ("memory_append", {"target": "daily", "content": KEPT}),
        ("memory_search", {"query": KEPT}),
    ),
    "agentx": (("remember_fact", {"claim": f"I like {KEPT}"}), ("recall_user_history", {"topic": KEPT})),
    "mcp-memory": (
        ("create_entities", {"entities": [{"name": KEPT, "entityType": "plant", "observations": []}]}),
        ("read_graph", {}),
    ),
}
"""A call of each set that keeps something, and the one that brings it back."""


@pytest.mark.parametrize("set", KEEPS)
def test_two_users_of_an_agent_see_nothing_of_each_other(engine: Engine, set: str) -> None:
    (keep, kept), (look, looked) = KEEPS[set]
    ann, bob = (Agent(engine=engine, set=set, place=ToolPlace(user_id=user)) for user in ("ann", "bob"))
    ann.says(keep, **kept)
    bob.says(keep, **_other(kept))
    embed_all(engine)
    assert KEPT in ann.says(look, **looked)
    found = bob.asks(look, **looked).text
    assert KEPT not in found.replace("“" + KEPT, "").replace(f'"topic": "{KEPT}"', "")


def test_no_two_agents_or_users_have_one_folder_whatever_they_are_called(engine: Engine) -> None:
    def home(set: str, agent: str, user: str) -> None:
        (keep, kept), _ = KEEPS[set]
        Agent(engine=engine, set=set, name=agent, place=ToolPlace(user_id=user)).says(keep, **kept)

    names = ("openlegion", "memories", "_users", "local", "../local", "agnx")
    for user in names:
        for agent in names:
            home("openlegion", agent, user)
            home("anthropic", agent, user)
    days = list(engine.desk.workspaces.rglob("memory/*.md"))
    notes = list(engine.desk.workspaces.rglob("memories/a.md"))
    assert len(days) == len(notes) == len(names) ** 2
    assert {len(day.read_text().splitlines()) for day in days} == {1}


@pytest.mark.parametrize("set", ["agnx", "openlegion", "agenticx"])
def test_a_folder_of_links_that_lead_to_each_other_holds_no_workspace(
    engine: Engine, tmp_path: Path, set: str
) -> None:
    (keep, kept), _ = KEEPS[set]
    Agent(engine=engine, set=set).says(keep, **kept)
    (tmp_path / "round").symlink_to(tmp_path / "round")
    lost = Agent(engine=engine, set=set, place=ToolPlace(cwd=str(tmp_path / "round")))
    assert "holds no workspace of this agent" in lost.fails(keep, **kept)


def _other(kept: dict[str, Any]) -> dict[str, Any]:
    """The same call about something else."""
    return {
        name: each.replace(KEPT, "nothing")
        if isinstance(each, str)
        else [{**entity, "name": "nothing"} for entity in each]
        for name, each in kept.items()
    }
