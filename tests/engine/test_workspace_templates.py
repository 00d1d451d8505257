"""A standing file that a workspace lacks begins from a template that fits its system, and tells nothing by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, placing
from memdesk.engine.workspace.documents import initial_text, offered, templates
from memdesk.engine.workspace.layouts import LAYOUTS, Layout, budget_of
from memdesk.files.places import resource
from memdesk.model.curation import Undo
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT
from memdesk.model.workspace import ListFiles, ReadFile, Template
from memdesk.store import records
from tests.fixtures.intake.worlds import MARA, take

OFFERED = {
    "AgenticX": {"IDENTITY.md", "USER.md", "SOUL.md", "MEMORY.md"},
    "OpenClaw": {"AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "MEMORY.md"},
    "OpenLegion": {"PROJECT.md", "SYSTEM.md", "AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md", "HEARTBEAT.md"},
    "Hermes": {"SOUL.md", "MEMORY.md", "USER.md"},
    "agnx": {"MEMORY.md"},
    "duragent": {"memory/MEMORY.md"},
    "workspace": {"IDENTITY.md", "SOUL.md", "USER.md", "MEMORY.md", "AGENTS.md", "HEARTBEAT.md"},
}


@pytest.fixture
def folder(engine: Engine, tmp_path: Path) -> Path:
    """A workspace of AgenticX with an identity and nothing else."""
    home = tmp_path / ".agenticx" / "avatars" / "Iris" / "workspace"
    home.mkdir(parents=True)
    (home / "identity.md").write_text("# Iris\n\nThe harbour's clerk.\n")
    take(engine, home)
    return home


def missing(engine: Engine) -> dict[str, Template]:
    return {each.path: each for each in templates(engine).rows}


def begin(engine: Engine, path: str) -> tuple[str, int]:
    one = missing(engine)[path]
    made = placing.create(engine, one.workspace_id, one.path, one.text, author=MARA)
    return made.document_id, made.change


def test_every_system_is_offered_what_its_agents_carry() -> None:
    assert {each.name: set(offered(each)) for each in LAYOUTS if offered(each)} == OFFERED
    used = {place.name for place in resource("templates").rglob("*.md")}
    assert used == {path.rpartition("/")[2] for paths in OFFERED.values() for path in paths}


@pytest.mark.parametrize("layout", [each for each in LAYOUTS if offered(each)], ids=lambda each: each.name)
def test_a_template_leaves_most_of_the_budget_and_names_the_agent(layout: Layout) -> None:
    for path in offered(layout):
        text = initial_text(layout, path, "Iris")
        assert text.startswith("# ") and text.endswith("\n") and "{" not in text
        assert len(text) < (budget_of(path, layout.name) or 2_000) / 2


def test_what_is_there_is_not_offered_whatever_the_case_of_its_letters(engine: Engine, folder: Path) -> None:
    assert set(missing(engine)) == {"USER.md", "SOUL.md", "MEMORY.md"}
    soul = missing(engine)["SOUL.md"]
    assert (soul.agent_id, soul.layer, soul.budget) == ("Iris", "core", None)
    assert "How Iris thinks and speaks" in soul.text
    assert missing(engine)["MEMORY.md"].text.startswith("# MEMORY.md - Long-Term Anchors")


def test_a_begun_file_stands_on_the_disk_tells_no_facts_and_one_undo_takes_it_away(
    engine: Engine, folder: Path
) -> None:
    for path in ("SOUL.md", "USER.md", "MEMORY.md"):
        wanted = missing(engine)[path].text
        document, change = begin(engine, path)
        assert (folder / path).read_text() == wanted
        assert documents.read(engine, ReadFile(document_id=document)).text == wanted
        assert path not in missing(engine)
        with engine.store.reading() as db:
            assert records.find(db, FACT) == []
        undo(engine, Undo(change=change), author=MARA)
        assert not (folder / path).exists() and path in missing(engine)
    begin(engine, "SOUL.md")
    assert len(documents.list_files(engine, ListFiles()).rows) == 2


def test_a_file_that_came_meanwhile_is_not_written_over(engine: Engine, folder: Path) -> None:
    soul = missing(engine)["SOUL.md"]
    (folder / "SOUL.md").write_text("Mine.\n")
    with pytest.raises(Conflict):
        placing.create(engine, soul.workspace_id, soul.path, soul.text, author=MARA)
    assert (folder / "SOUL.md").read_text() == "Mine.\n"
