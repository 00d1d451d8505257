"""OpenClaw's tools on its workspace: passages with their lines, parts of files, and nothing outside its memory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from tests.engine.conftest import embed_all
from tests.engine.tools import Agent, bytes_of, opened

FILES = {
    "iris/AGENTS.md": "# Agents\n\nRouters are mentioned here too\n",
    "iris/TOOLS.md": "# Tools\n",
    "iris/IDENTITY.md": "# Identity\n",
    "iris/MEMORY.md": "# Memory\n\n- Decision: use Postgres\n",
    "iris/memory/2026-02-20.md": "# 2026-02-20\n\nTalked about routers.\n\nAnd kiwis.\n",
}


@pytest.fixture
def root(engine: Engine, tmp_path: Path) -> Path:
    opened(engine, tmp_path / "home", FILES)
    embed_all(engine)
    return tmp_path / "home"


@pytest.fixture
def iris(engine: Engine, root: Path) -> Agent:
    return Agent(engine=engine, set="openclaw")


def test_a_search_names_files_and_lines_of_memory_alone(iris: Agent, root: Path) -> None:
    before = bytes_of(root)
    said = iris.asks("memory_search", query="routers")
    (row,) = said.data["results"]
    assert json.loads(said.text) == said.data
    assert (row["path"], row["startLine"], row["source"]) == ("memory/2026-02-20.md", 1, "memory")
    assert row["endLine"] >= 3 and "routers" in row["snippet"] and 0 < row["score"] <= 1
    assert iris.asks("memory_search", query="routers", minScore=row["score"]).data == said.data
    assert said.data["model"] == iris.engine.embedder.name
    assert bytes_of(root) == before


def test_a_passage_under_the_asked_score_is_left_out(iris: Agent) -> None:
    whole = iris.asks("memory_search", query="routers by the shore at noon", minScore=0).data["results"]
    scores = [row["score"] for row in whole]
    assert scores and max(scores) < 1
    assert iris.asks("memory_search", query="routers by the shore at noon", minScore=1).data["results"] == []


def test_a_file_is_read_whole_or_by_lines_and_a_missing_one_is_empty(iris: Agent) -> None:
    path = "memory/2026-02-20.md"
    assert iris.asks("memory_get", path="MEMORY.md").data == {
        "text": "# Memory\n\n- Decision: use Postgres\n",
        "path": "MEMORY.md",
    }
    part = {"from_": 3, "lines": 1}
    assert iris.asks("memory_get", path=path, **part).data["text"] == "Talked about routers."
    assert iris.asks("memory_get", path="memory/2020-01-01.md").data["text"] == ""


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md",
        "../iris/MEMORY.md",
        "/etc/passwd",
        "memory/../AGENTS.md",
        "memory/%2e%2e/x.md",
        "memory/x.txt",
    ],
)
def test_nothing_else_is_read(iris: Agent, path: str) -> None:
    told = json.loads(iris.fails("memory_get", path=path))
    assert told == {"path": path, "text": "", "disabled": True, "error": "path required"}


def test_what_is_no_file_of_this_folder_alone_is_refused(iris: Agent, root: Path) -> None:
    memory = root / "iris" / "memory"
    (root / "secret.md").write_text("secret")
    (memory / "link.md").symlink_to(root / "secret.md")
    os.link(root / "secret.md", memory / "hard.md")
    os.mkfifo(memory / "pipe.md")
    (memory / "folder.md").mkdir()
    (memory / "linked").symlink_to(root)
    for path in ("link.md", "hard.md", "pipe.md", "folder.md", "linked/secret.md"):
        said = json.loads(iris.fails("memory_get", path=f"memory/{path}"))
        assert said == {"path": f"memory/{path}", "text": "", "disabled": True, "error": "path required"}


def test_an_agent_without_a_workspace_finds_nothing(engine: Engine) -> None:
    bo = Agent(engine=engine, set="openclaw", name="bo")
    assert bo.asks("memory_search", query="routers").data["results"] == []
    assert bo.asks("memory_get", path="MEMORY.md").data["text"] == ""
    assert json.loads(bo.fails("memory_search", query=" "))["results"] == []
