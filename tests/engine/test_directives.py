"""agnx's directives: files that a prompt gains, in order, and never the memory itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.bootstrap import bootstrap
from memdesk.model.workspace_files import AskPrompt
from tests.fixtures.intake.worlds import MARA, take

USAGE = "Use your memory."
CONFIG = "kind: Agent\nspec:\n  memory:\n    backend: filesystem\n"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """A duragent agent's folder beside directives for all agents."""
    own = tmp_path / ".duragent" / "agents" / "iris"
    (own / "memory").mkdir(parents=True)
    (own / "agent.yaml").write_text(CONFIG)
    (own / "memory" / "MEMORY.md").write_text("Mara prefers short answers")
    for folder in (own, tmp_path / ".duragent"):
        (folder / "directives").mkdir()
    return own


def begins(engine: Engine, agent: Path) -> tuple[str, list[str]]:
    take(engine, agent.parents[1])
    told = bootstrap(engine, AskPrompt(agent_id="iris"), author=MARA, usage=USAGE)
    return told.text, [Path(part.path).name for part in told.parts]


def test_directives_of_all_agents_stand_before_the_agents_own_each_by_name(
    engine: Engine, agent: Path
) -> None:
    shared = agent.parents[1] / "directives"
    (shared / "b.md").write_text("Be brief.\n")
    (shared / "a.md").write_text("Be kind.\n")
    (shared / "empty.md").write_text(" \n")
    (shared / "note.txt").write_text("Not a directive.\n")
    (agent / "directives" / "a.md").write_text("Speak of boats.\n")
    assert begins(engine, agent) == (
        f"Be kind.\n\nBe brief.\n\nSpeak of boats.\n\n{USAGE}",
        ["a.md", "b.md", "a.md"],
    )


def test_a_memory_directive_takes_the_place_of_the_built_in_one(engine: Engine, agent: Path) -> None:
    (agent / "directives" / "memory.md").write_text("Write everything down.\n")
    assert begins(engine, agent) == ("Write everything down.", ["memory.md"])


def test_an_agent_configured_without_memory_is_told_nothing_of_it(engine: Engine, agent: Path) -> None:
    (agent / "agent.yaml").write_text("kind: Agent\nspec:\n  tools: []\n")
    (agent / "directives" / "memory.md").write_text("Write everything down.\n")
    (agent / "directives" / "a.md").write_text("Be kind.\n")
    assert begins(engine, agent) == ("Be kind.", ["a.md"])


def test_agnx_itself_adds_its_usage_and_no_memories(engine: Engine, tmp_path: Path) -> None:
    own = tmp_path / ".agnx" / "memory" / "agents" / "iris"
    (own / "daily").mkdir(parents=True)
    (own / "MEMORY.md").write_text("Mara prefers short answers")
    take(engine, tmp_path / ".agnx")
    assert bootstrap(engine, AskPrompt(agent_id="iris"), author=MARA, usage=USAGE).text == USAGE
