"""Folders of agents through the public door: a refusal names a command, the command is run, and the agent works."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import workspace
from memdesk.api.tools import calls
from memdesk.client.client import SyncClient
from memdesk.files.places import Desk
from memdesk.model.tools import ToolAnswer
from memdesk.model.workspace_files import RewriteFile

Said = Callable[..., ToolAnswer]


@pytest.fixture
def agent(memdesk: Any, desk: Desk) -> Iterator[Said]:
    """`agent("iris", "agnx", "recall", place, **arguments)` over the desk's socket, as the agent itself."""
    memdesk("status")

    def asks(name: str, set: str, tool: str, place: dict[str, str], **arguments: Any) -> ToolAnswer:
        with SyncClient(desk, agent=name) as client:
            return client.call(calls.call_of(set, tool, **place), arguments)

    yield asks


def files(root: Path) -> dict[str, str]:
    return {each.relative_to(root).as_posix(): each.read_text() for each in root.rglob("*") if each.is_file()}


def remedied(memdesk: Any, refusal: str) -> None:
    """Run what a refusal tells the desk's owner to run."""
    command = re.search(r"(?:mkdir -p \S+ && )?memdesk [^`]*", refusal)
    assert command is not None, refusal
    for part in command[0].strip().rstrip(".").replace("\\n", "").split(" && "):
        words = shlex.split(part)
        if words[0] == "mkdir":
            Path(words[-1]).mkdir(parents=True, exist_ok=True)
        else:
            done = memdesk(*words[1:], *(["--yes"] if words[1] == "import" else []))
            assert done.code == 0, (command[0], done.err)


CASES: dict[str, tuple[str, dict[str, str], str, str, dict[str, Any], str]] = {
    "an empty OpenLegion workspace": (
        "iris",
        {},
        "openlegion",
        "memory_save",
        {"content": "cat: Tom"},
        "memory/*.md",
    ),
    "a scaffold of OpenLegion's of another name": (
        "iris",
        {
            "SOUL.md": "# Identity\n",
            "AGENTS.md": "# A\n",
            "USER.md": "# U\n",
            "MEMORY.md": "# M\n",
            "HEARTBEAT.md": "# H\n",
        },
        "openlegion",
        "memory_save",
        {"content": "cat: Tom"},
        "memory/*.md",
    ),
    "AgenticX's files under the name of their identity": (
        "meta",
        {"IDENTITY.md": "- Name: Near\n", "MEMORY.md": "# M\n"},
        "agenticx",
        "memory_append",
        {"target": "daily", "content": "tea at four"},
        "memory/*.md",
    ),
    "an agent's own agent.yaml that names a new folder": (
        "otto",
        {"agent.yaml": "spec:\n  memory:\n    workspace: ../shared/otto\n"},
        "agnx",
        "remember",
        {"content": "tea at four"},
        "../shared/otto/agents/otto/daily/*.md",
    ),
    "a main agent of Agentix": (
        "vera",
        {"code.py": "1\n"},
        "agentix",
        "Memories",
        {"command": "create", "path": "a.md", "file_text": "tea"},
        ".agentix/memories/a.md",
    ),
    "a sub-agent of Agentix": (
        "vera",
        {"code.py": "1\n"},
        "agentix",
        "Memories",
        {"command": "create", "path": "a.md", "file_text": "tea"},
        ".agentix/agent-memory/vera/a.md",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_command_that_a_refusal_names_connects_the_folder(
    memdesk: Any, agent: Said, tmp_path: Path, case: str
) -> None:
    name, held, set, tool, arguments, written = CASES[case]
    folder = tmp_path / "a folder of mine"
    folder.mkdir()
    for path, text in held.items():
        (folder / path).write_text(text)
    if len(held) > 1:
        memdesk("import", str(folder), "--yes")
    place = {"cwd": str(folder)}
    if set == "agentix":
        refused = agent(name, set, tool, place, **arguments)
        assert refused.is_error and "--memories on" in refused.text and "--memory project" in refused.text
        place |= {"memory": "project"} if "sub-agent" in case else {"memories_enabled": "true"}
    refused = agent(name, set, tool, place, **arguments)
    assert refused.is_error and refused.change is None
    remedied(memdesk, json.loads(refused.text)["error"] if refused.text.startswith("{") else refused.text)
    done = agent(name, set, tool, place, **arguments)
    assert not done.is_error, done.text
    (file,) = (folder / Path(written).parent).resolve().glob(Path(written).name)
    assert any(each in file.read_text() for each in ("tea", "Tom"))


def test_an_agent_that_is_new_to_a_shared_folder_of_agnx_joins_it(
    memdesk: Any, agent: Said, tmp_path: Path
) -> None:
    shared = tmp_path / "atlas" / ".agnx" / "memory"
    (shared / "world").mkdir(parents=True)
    (shared / "agents" / "ann").mkdir(parents=True)
    (shared / "world" / "people.md").write_text("- Rosa likes tea\n")
    (shared / "agents" / "ann" / "MEMORY.md").write_text("- one\n")
    memdesk("import", str(tmp_path / "atlas"), "--yes")
    place = {"cwd": str(tmp_path / "atlas")}
    assert agent("bob", "agnx", "recall", place).text.startswith("# World Knowledge\n\n## people")
    agent("bob", "agnx", "remember", place, content="joined")
    agent("bob", "agnx", "learn_fact", place, topic="tools", content="hammer")
    told = agent("ann", "agnx", "recall", place).text
    assert "hammer" in told and "joined" not in told and "- one" in told
    assert "joined" not in agent("bob", "agnx", "recall", place, days=0).text
    assert "hammer" in agent("bob", "agnx", "recall", place, days=0).text
    assert {each.split("/")[1] for each in files(shared) if each.startswith("agents/")} == {"ann", "bob"}


def test_an_empty_scaffold_of_agnx_is_connected_and_its_agents_join(
    memdesk: Any, agent: Said, tmp_path: Path
) -> None:
    (tmp_path / "new" / ".agnx" / "memory" / "world").mkdir(parents=True)
    memdesk("import", str(tmp_path / "new"), "--yes")
    done = agent("cleo", "agnx", "remember", {"cwd": str(tmp_path / "new")}, content="hello")
    assert not done.is_error and str(tmp_path / "new" / ".agnx") in done.text


def test_an_agent_yaml_decides_where_agnx_keeps_memory_and_if_at_all(
    memdesk: Any, agent: Said, tmp_path: Path
) -> None:
    with_memory = "spec:\n  memory:\n    backend: filesystem\n    workspace: ../../shared\n"
    for name, text in (("dora", with_memory), ("enno", "spec:\n  tools: []\n")):
        (tmp_path / "agents" / name).mkdir(parents=True)
        (tmp_path / "agents" / name / "agent.yaml").write_text(text)
    (tmp_path / "shared" / "world").mkdir(parents=True)
    (tmp_path / "shared" / "world" / "people.md").write_text("- Rosa likes tea\n")
    memdesk("import", str(tmp_path), "--yes")
    there = {name: str(tmp_path / "agents" / name) for name in ("dora", "enno")}
    assert "Rosa" in agent("dora", "agnx", "recall", {"cwd": there["dora"]}).text
    done = agent("dora", "agnx", "remember", {"cwd": there["dora"]}, content="hello")
    assert str(tmp_path / "shared" / "agents" / "dora") in done.text
    refused = agent("enno", "agnx", "recall", {"cwd": there["enno"]})
    assert refused.is_error and "no section `memory`" in refused.text
    listed = memdesk("tools", "agnx", "--cwd", there["enno"], "--agent", "enno", "--json").json
    assert listed["tools"] == []
    assert (
        len(memdesk("tools", "agnx", "--cwd", there["dora"], "--agent", "dora", "--json").json["tools"]) > 3
    )


def test_agenticx_names_its_workspace_by_variable_or_config(
    memdesk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "IDENTITY.md").write_text(f"- Name: {name}-near\n")
        memdesk("import", str(tmp_path / name), "--yes")
    (tmp_path / ".agenticx").mkdir()
    config = tmp_path / ".agenticx" / "config.yaml"
    note = json.dumps({"target": "daily", "content": "tea at four"})

    def noted_in() -> set[str]:
        done = memdesk("tool", "agenticx", "memory_append", note)
        assert done.code == 0, done.err
        return {each.parts[-3] for each in tmp_path.glob("*/memory/*.md")}

    config.write_text(f"memory:\n  backend: sqlite\n  path: {tmp_path / 'two'}\n")
    assert noted_in() == {"two"}
    monkeypatch.setenv("AGX_WORKSPACE_ROOT", str(tmp_path / "one"))
    assert noted_in() == {"one", "two"}
    monkeypatch.delenv("AGX_WORKSPACE_ROOT")
    config.write_text("memory:\n  backend: redis\n")
    refused = memdesk("tool", "agenticx", "memory_append", note)
    assert refused.code != 0 and "in redis" in refused.err and "--cwd" in refused.err


def test_openlegion_works_at_once_in_a_fresh_workspace_and_writes_its_bytes(
    memdesk: Any, desk: Desk, tmp_path: Path
) -> None:
    assert memdesk("import", str(tmp_path), "--as", "OpenLegion", "--agent", "leo", "--yes").code == 0
    save = ("openlegion", "memory_save", json.dumps({"content": "dog: Rex"}))
    assert memdesk("tool", *save, "--agent", "leo").code == 0
    learned = {"kind": "correction", "subject": "It is Tuesday", "text": "no, Wednesday"}
    assert memdesk("tool", "openlegion", "record_learning", json.dumps(learned), "--agent", "leo").code == 0
    with SyncClient(desk, agent="leo") as client:
        client.call(workspace.REWRITE, RewriteFile(path="USER.md", text="# User\nlikes tea"))
    kept = files(tmp_path)
    assert kept["USER.md"] == "# User\nlikes tea" and "no, Wednesday" in kept["learnings/corrections.md"]
    assert any(path.startswith("memory/") and "dog: Rex" in text for path, text in kept.items())
    found = memdesk("tool", "openlegion", "memory_recall", '{"query": "dog"}', "--agent", "leo")
    assert "Rex" in found.out
    assert "(follow these)" in memdesk("prompt", "learnings", "--agent", "leo").out


def test_two_sub_agents_whose_names_have_the_same_letters_have_two_folders(
    memdesk: Any, agent: Said, tmp_path: Path
) -> None:
    place = {"cwd": str(tmp_path), "memory": "project"}
    for name in ("My Agent!", "My-Agent"):
        note = {"command": "create", "path": "a.md", "file_text": name}
        remedied(memdesk, agent(name, "agentix", "Memories", place, **note).text)
        assert not agent(name, "agentix", "Memories", place, **note).is_error
    assert sorted(files(tmp_path / ".agentix" / "agent-memory").values()) == ["My Agent!", "My-Agent"]


def test_the_allow_lists_of_agentix_hold_on_the_command_line(memdesk: Any, tmp_path: Path) -> None:
    view = json.dumps({"command": "view", "path": "/"})
    words = ("agentix", "Memories", view, "--cwd", str(tmp_path))
    assert memdesk("tool", *words).code != 0
    assert memdesk("tool", *words, "--memories", "on").code == 0
    assert memdesk("tool", *words, "--memories", "on", "--disallow", "Memories").code != 0
    told = memdesk(
        "tools", "agentix", "--memories", "on", "--allow", "Read", "--allow", "Glob", "--json"
    ).json
    assert told["allowed_tools"] == ["Read", "Glob", "Memories"] and len(told["tools"]) == 1
    assert memdesk("tools", "agentix", "--memories", "off", "--json").json["tools"] == []


def test_a_fork_of_a_session_begins_a_conversation_of_its_own(memdesk: Any) -> None:
    first = memdesk("sessions", "create", "s-1", "--channel", "lab", "--policy", "agentix", "--json").json
    fork = memdesk("sessions", "create", "s-2", "--fork-of", "s-1", "--json").json
    assert (fork["channel"], fork["policy"]) == ("lab", "agentix")
    assert fork["conversation_id"] != first["conversation_id"]
    assert memdesk("sessions", "show", "s-1", "--json").json["conversation_id"] == first["conversation_id"]
    assert memdesk("sessions", "create", "s-3", "--fork-of", "nobody").code != 0
