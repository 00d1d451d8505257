"""Agentix's Memories: off by default, in four scopes, by its allow-list rules, and only where the owner wants it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memdesk.api.tools.tool import misfits
from memdesk.api.tools.toolsets import toolset
from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.agentix_tools import REFUSAL, offered
from memdesk.engine.toolsets.toolset import carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.engine.undo import undo
from memdesk.model.curation import Undo
from memdesk.model.document import WORKSPACE
from memdesk.model.errors import BadAsk
from memdesk.model.settings import DEFAULTS, Settings
from memdesk.model.tools import ToolAnswer, ToolCall, ToolPlace
from memdesk.store import records
from tests.engine.tools import Agent, bytes_of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that agents work in, in a home of its own."""
    home = tmp_path / "home"
    folder = home / "code" / "atlas"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return folder


def asked(
    engine: Engine,
    command: str,
    place: ToolPlace,
    *,
    agent: str = "researcher",
    owner: bool = False,
    **more: Any,
) -> ToolAnswer:
    tool = toolset("agentix").tools[0]
    arguments = {"command": command, **more}
    author = "person:Mara" if owner else f"agent:{agent}"
    call = ToolCall(agent=agent, author=author, owner=owner, place=place, arguments=arguments)
    return carry_out(engine, WORKING["agentix"], tool.name, call, misfits(tool, arguments))


def connected(engine: Engine, place: ToolPlace, agent: str = "researcher") -> None:
    said = asked(engine, "view", place, agent=agent, owner=True, path="/")
    assert not said.is_error, said.text


def main(project: Path) -> ToolPlace:
    return ToolPlace(cwd=str(project), memories_enabled=True)


def test_it_is_off_until_it_is_asked_for(engine: Engine, project: Path) -> None:
    for place in (
        ToolPlace(cwd=str(project)),
        ToolPlace(cwd=str(project), memory="none", memories_enabled=True),
    ):
        said = asked(engine, "view", place, owner=True, path="/")
        assert (said.text, said.is_error) == (REFUSAL, True)
    assert not (project / ".agentix").exists()
    engine.use(Settings(agentix_memories=True))
    assert not asked(engine, "view", ToolPlace(cwd=str(project)), owner=True, path="/").is_error


@pytest.mark.parametrize(
    ("place", "names", "allowed"),
    [
        (ToolPlace(), (), ()),
        (ToolPlace(memories_enabled=True), ("Memories",), ()),
        (
            ToolPlace(memories_enabled=True, allowed_tools=("Read", "Glob")),
            ("Memories",),
            ("Read", "Glob", "Memories"),
        ),
        (ToolPlace(memories_enabled=True, allowed_tools=("Memories",)), ("Memories",), ("Memories",)),
        (ToolPlace(memories_enabled=True, disallowed_tools=("Memories",)), (), ()),
        (
            ToolPlace(
                memories_enabled=True, allowed_tools=("Read", "Memories"), disallowed_tools=("Memories",)
            ),
            (),
            ("Read",),
        ),
        (ToolPlace(memories_enabled=True, memory="none"), (), ()),
        (ToolPlace(memories_enabled=False, memory="project"), ("Memories",), ()),
    ],
)
def test_the_options_of_an_agent_decide_whether_it_has_the_tool(
    place: ToolPlace, names: tuple[str, ...], allowed: tuple[str, ...]
) -> None:
    found = offered(DEFAULTS, place)
    assert (found.names, found.allowed) == (names, allowed)


def test_a_scope_that_there_is_not_is_named() -> None:
    with pytest.raises(BadAsk, match="none, user, project, local"):
        offered(DEFAULTS, ToolPlace(memory="team"))


@pytest.mark.parametrize(
    ("memory", "where"),
    [
        (None, "code/atlas/.agentix/memories"),
        ("user", ".agentix/agent-memory/researcher"),
        ("project", "code/atlas/.agentix/agent-memory/researcher"),
        ("local", "code/atlas/.agentix/agent-memory-local/researcher"),
    ],
)
def test_each_scope_keeps_its_files_where_agentix_does(
    engine: Engine, project: Path, memory: str | None, where: str
) -> None:
    place = ToolPlace(cwd=str(project), memory=memory, memories_enabled=True)
    connected(engine, place)
    made = asked(engine, "create", place, path="user_preferences.md", file_text="- likes tea\n")
    assert made.text == "File created successfully at: user_preferences.md"
    file = project.parent.parent / where / "user_preferences.md"
    assert file.read_text() == "- likes tea\n"
    asked(engine, "str_replace", place, path="/memories/user_preferences.md", old_str="tea", new_str="coffee")
    listed = asked(engine, "view", place, path="/").text.split("\n")
    assert listed[-1] == "15B\t./user_preferences.md"
    assert "likes coffee" in asked(engine, "view", place, path="./user_preferences.md").text
    asked(engine, "rename", place, old_path="user_preferences.md", new_path="people/mara.md")
    gone = asked(engine, "delete", place, path="people/mara.md")
    assert not (file.parent / "people" / "mara.md").exists()
    undo(engine, Undo(change=gone.change), author="person:Mara")
    assert (file.parent / "people" / "mara.md").read_text() == "- likes coffee\n"
    with engine.store.reading() as db:
        assert {each.layout for each in records.find(db, WORKSPACE)} == {"Agentix"}


def test_the_local_scope_keeps_itself_out_of_version_control_once(engine: Engine, project: Path) -> None:
    (project / ".agentix").mkdir()
    (project / ".agentix" / ".gitignore").write_text("sessions/")
    place = ToolPlace(cwd=str(project), memory="local")
    connected(engine, place)
    asked(engine, "create", place, path="a.md", file_text="1")
    assert (project / ".agentix" / ".gitignore").read_text() == "sessions/\nagent-memory-local/\n"
    connected(engine, ToolPlace(cwd=str(project), memory="project"))
    assert not (project / ".gitignore").exists()


def test_a_sub_agent_sees_nothing_of_the_main_agents_memories_nor_of_anothers(
    engine: Engine, project: Path
) -> None:
    connected(engine, main(project))
    asked(engine, "create", main(project), path="plan.md", file_text="the plan")
    place = ToolPlace(cwd=str(project), memory="project")
    connected(engine, place)
    asked(engine, "create", place, path="sources.md", file_text="sources")
    for agent in ("researcher", "writer"):
        assert asked(engine, "view", place, agent=agent, path="plan.md").is_error
    assert asked(engine, "view", place, agent="writer", path="sources.md").is_error
    outside = asked(engine, "view", place, path="../../memories/plan.md")
    assert outside.text == "Path ../../memories/plan.md would escape /memories directory"


def test_an_agent_cannot_have_files_written_where_the_owner_connected_nothing(
    engine: Engine, project: Path
) -> None:
    refused = asked(engine, "create", main(project), path="a.md", file_text="1")
    assert refused.is_error and f"--cwd {project}" in refused.text
    assert not (project / ".agentix").exists()
    connected(engine, main(project))
    assert not asked(engine, "create", main(project), path="a.md", file_text="1").is_error


def test_an_agent_works_in_no_other_agents_folder_on_the_desk(engine: Engine) -> None:
    vera = Agent(engine=engine, set="anthropic", name="vera")
    vera.says("memory", command="create", path="/memories/v.md", file_text="x")
    before = bytes_of(engine.desk.workspaces)
    place = main(engine.desk.workspaces / "vera" / "memories")
    assert "has not connected" in asked(engine, "create", place, agent="mal", path="m.md", file_text="x").text
    assert bytes_of(engine.desk.workspaces) == before


@pytest.mark.parametrize("cwd", [None, "code/atlas", "/nowhere/at/all", "HOME", "/"])
def test_a_folder_to_work_in_must_be_one(engine: Engine, project: Path, cwd: str | None) -> None:
    given = str(Path.home()) if cwd == "HOME" else cwd
    place = ToolPlace(cwd=given, memories_enabled=True)
    assert asked(engine, "view", place, owner=True, path="/").text.startswith("Error: ")
    assert not (Path.home() / ".agentix").exists()


def test_a_linked_memories_folder_is_not_followed(engine: Engine, project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (project / ".agentix").symlink_to(tmp_path / "elsewhere")
    said = asked(engine, "create", main(project), owner=True, path="a.md", file_text="1")
    assert (said.text, said.is_error) == ("Error: .agentix is a link.", True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with engine.store.reading() as db:
        assert records.find(db, WORKSPACE) == []


def test_a_sub_agents_folder_is_its_name_where_it_is_there_and_plain_letters_where_it_is_new(
    engine: Engine, project: Path
) -> None:
    place = ToolPlace(cwd=str(project), memory="project")
    (project / ".agentix" / "agent-memory" / "data.analyst").mkdir(parents=True)
    for agent in ("data.analyst", "web searcher/2"):
        connected(engine, place, agent)
        asked(engine, "create", place, agent=agent, path="a.md", file_text="1")
    found = sorted(path.parent.name for path in (project / ".agentix" / "agent-memory").rglob("a.md"))
    assert found == ["data.analyst", "web-searcher-2"]


def test_there_is_no_insert(engine: Engine, project: Path) -> None:
    schema = json.dumps(toolset("agentix").tools[0].schema)
    assert "insert" not in schema
    said = asked(engine, "insert", main(project), owner=True, path="a.md", insert_line=0, insert_text="x")
    assert said.is_error and "`command` must be one of view, create, str_replace, delete, rename" in said.text
