"""AgenticX's recall before a turn: its heading, its caps, and only the agent's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.bootstrap import HEADING, query_of, recall_section
from memdesk.model.errors import NotFound
from memdesk.model.workspace_files import AskRecallSection
from tests.fixtures.intake.worlds import take

SMITH = "agent:smith"


@pytest.fixture
def avatar(engine: Engine, tmp_path: Path) -> Path:
    """An avatar's workspace beside another one's, both imported."""
    for name, pool in (("smith", 25), ("wright", 99)):
        folder = tmp_path / ".agenticx" / "avatars" / name / "workspace"
        (folder / "memory").mkdir(parents=True)
        (folder / "IDENTITY.md").write_text(f"# {name}\n\nPatient.\n")
        (folder / "MEMORY.md").write_text(f"# MEMORY.md\n\n- The pool has {pool} connections per node\n")
        (folder / "notes.md").write_text("The pool in the garden has connections to the pond.\n")
    smith = tmp_path / ".agenticx" / "avatars" / "smith" / "workspace"
    (smith / "memory" / "2026-03-01.md").write_text(
        "# Daily Memory\n\n- Sam asked about the pool of workers\n"
    )
    take(engine, tmp_path / ".agenticx")
    return smith


def section(engine: Engine, *said: str) -> str:
    messages = tuple({"role": "user", "content": text} for text in said)
    return recall_section(engine, AskRecallSection(messages=messages), author=SMITH).text


def test_the_section_has_its_heading_and_the_agents_own_files_alone(engine: Engine, avatar: Path) -> None:
    told = section(engine, "How many connections does the pool have?")
    assert told.splitlines()[0] == HEADING == "## 相关历史记忆(自动召回)"
    assert "- # MEMORY.md - The pool has 25 connections per node" in told.splitlines()
    assert "99" not in told and "pond" not in told


@pytest.mark.parametrize(
    "said", ["pool?", "do I like (the pool", "pool AND", 'the "pool', "3.12: pool, please"]
)
def test_punctuation_breaks_no_recall(engine: Engine, avatar: Path, said: str) -> None:
    assert "25 connections" in section(engine, said)


def test_nothing_said_and_nothing_found_is_no_section(engine: Engine, avatar: Path) -> None:
    assert section(engine) == section(engine, "   ") == section(engine, "zzyzx quux") == ""


def test_the_query_is_the_last_five_of_the_user_each_and_all_cut() -> None:
    talk: list[dict[str, object]] = [{"role": "user", "content": f"{n}" * 300} for n in range(1, 8)]
    talk += [{"role": "assistant", "content": "an answer"}, {"role": "user", "content": None}]
    query = query_of(talk[:3])
    assert len(query) == 500 and query.startswith("1" * 200 + " " + "2" * 200 + " 3")
    assert query_of([*talk[:-1], {"role": "user", "content": "last"}])[:200] == "4" * 200


def test_snippets_stay_within_their_caps(engine: Engine, avatar: Path) -> None:
    for n in range(1, 9):
        text = f"# Day\n\n- The pool {'was measured again and again ' * 12}on dock {n}\n"
        (avatar / "memory" / f"2026-02-0{n}.md").write_text(text)
    take(engine, avatar)
    told = section(engine, "when was the pool measured again on the dock?").splitlines()[1:]
    assert told and all(len(line) <= 202 for line in told)
    assert sum(len(line) - 2 for line in told) <= 500


def test_an_agent_without_files_is_told_so(engine: Engine) -> None:
    with pytest.raises(NotFound, match="has no workspace"):
        section(engine, "pool")
