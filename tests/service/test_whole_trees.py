"""A folder of each system, copied and opened: panels read it, its tools write it, and nothing else moves a byte."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import curation, history, memory, upkeep, workspace
from memdesk.files.places import Desk
from tests.conftest import Service
from tests.fixtures import trees
from tests.service.test_keeping_calls import Caller

TODAY = r"\d{4}-\d{2}-\d{2}"
UNDO = "{undo}"
Bytes = dict[str, bytes]
Moves = dict[str, str | None]


@dataclass(frozen=True, kw_only=True)
class Deed:
    """One call by an agent, and every file it may move: path and new bytes, as patterns; {was} is what stood there.

    None for bytes: the file is gone. tool: set and name; else call is the endpoint. An argument UNDO is what the last
    answer named so. more: what the call's query says beside. who: another agent.
    """

    arguments: dict[str, Any]
    tool: tuple[str, str] | None = None
    call: Any = None
    more: dict[str, Any] = field(default_factory=dict)
    moves: Moves = field(default_factory=dict)
    refused: bool = False
    who: str = ""


@dataclass(frozen=True, kw_only=True)
class Tree:
    """A system's folder. opened: what is imported, below its root, and for whom. layouts: of what is found in it."""

    files: dict[str, str]
    agent: str
    layouts: set[str]
    opened: tuple[tuple[str, str | None], ...] = ((".", None),)
    deeds: tuple[Deed, ...] = ()
    saved: str


def tool(
    set: str,
    name: str,
    *,
    more: dict[str, Any] | None = None,
    moves: Moves | None = None,
    refused: bool = False,
    **arguments: Any,
) -> Deed:
    return Deed(tool=(set, name), arguments=arguments, more=more or {}, moves=moves or {}, refused=refused)


def call(endpoint: Any, *, moves: Moves | None = None, who: str = "", **arguments: Any) -> Deed:
    return Deed(call=endpoint, arguments=arguments, moves=moves or {}, who=who)


def agentix(
    memory: str | None, command: str, *, moves: Moves | None = None, refused: bool = False, **arguments: Any
) -> Deed:
    more = {"cwd": "{root}/home/code", "memories_enabled": "true"} | ({"memory": memory} if memory else {})
    return tool("agentix", "Memories", more=more, moves=moves, refused=refused, command=command, **arguments)


def every_command(memory: str | None, folder: str, also: Moves | None = None) -> tuple[Deed, ...]:
    """All that Memories can do in a scope, whose files lie in a folder. also: what the first call moves besides."""
    return (
        agentix(
            memory,
            "create",
            path="a.md",
            file_text="New.\n",
            moves={f"{folder}/a.md": r"New\.\n", **(also or {})},
        ),
        agentix(memory, "view", path="/"),
        agentix(memory, "view", path="a.md"),
        agentix(
            memory,
            "str_replace",
            path="a.md",
            old_str="New.",
            new_str="Newer.",
            moves={f"{folder}/a.md": r"Newer\.\n"},
        ),
        agentix(memory, "str_replace", path="a.md", old_str="Older.", new_str="Old.", refused=True),
        agentix(
            memory,
            "rename",
            old_path="a.md",
            new_path="more/b.md",
            moves={f"{folder}/a.md": None, f"{folder}/more/b.md": r"Newer\.\n"},
        ),
        agentix(memory, "delete", path="a.md", refused=True),
        agentix(memory, "delete", path="more/b.md", moves={f"{folder}/more/b.md": None}),
        agentix(memory, "create", path="../out.md", file_text="Out.\n", refused=True),
    )


SMITH, LEGION, NIX, DURA = (
    ".agenticx/avatars/smith/workspace",
    "legion",
    ".agnx/memory/agents/nix",
    ".duragent/agents/dura",
)
SESSION = (
    {"role": "user", "content": "Please set the pool to 25 connections per node."},
    {"role": "assistant", "content": "The pool is configured and the tests pass."},
) * 3
ANCHORS, TEA, WALLS = (
    r"# MEMORY\.md - Long-Term Anchors\n\n",
    r"- Mara prefers black tea\n",
    r"- Sam likes walls\n",
)
TREES = {
    "AgenticX": Tree(
        files=trees.AGENTICX,
        agent="smith",
        layouts={"AgenticX"},
        saved=f"{SMITH}/SOUL.md",
        deeds=(
            tool(
                "agenticx",
                "memory_append",
                target="daily",
                content="Sam measured the wall",
                moves={
                    f"{SMITH}/memory/{TODAY}.md": rf"# Daily Memory\n\n- Date: {TODAY}\n- Notes:\n"
                    r"  - Sam measured the wall\n"
                },
            ),
            tool(
                "agenticx",
                "memory_append",
                target="long_term",
                content="Sam likes walls",
                moves={f"{SMITH}/MEMORY.md": r"{was}- Sam likes walls\n"},
            ),
            tool("agenticx", "memory_forget", query="black TEA", preview=True),
            tool(
                "agenticx",
                "memory_forget",
                query="black TEA",
                moves={f"{SMITH}/MEMORY.md": rf"{ANCHORS}{WALLS}"},
            ),
            tool(
                "agenticx",
                "memory_forget",
                undo=UNDO,
                moves={f"{SMITH}/MEMORY.md": rf"{ANCHORS}{TEA}{WALLS}"},
            ),
            tool(
                "agenticx",
                "memory_forget",
                query="walls",
                scope="graph",
                moves={f"{SMITH}/MEMORY.md": rf"{ANCHORS}{TEA}"},
            ),
            tool(
                "agenticx",
                "memory_forget",
                undo=UNDO,
                moves={f"{SMITH}/MEMORY.md": rf"{ANCHORS}{TEA}{WALLS}"},
            ),
            tool("agenticx", "memory_forget", query="nowhere told"),
            tool("agenticx", "memory_search", query="pump"),
            tool("agenticx", "scratchpad_write", more={"session_id": "s1"}, key="plan", value="x"),
            tool("agenticx", "scratchpad_read", more={"session_id": "s1"}, key="plan"),
            tool("agenticx", "session_search", query="pump"),
            call(
                workspace.KEEP_SESSION,
                messages=SESSION,
                moves={
                    f"{SMITH}/memory/{TODAY}.md": rf"{{was}}## Session Facts \({TODAY}\)\n(- .+\n)+\n",
                    f"{SMITH}/MEMORY.md": rf"{{was}}\n## Auto-extracted \({TODAY}\)\n(- .+\n)+",
                },
            ),
            call(workspace.RECALL_SECTION, messages=SESSION),
            call(
                workspace.WRITE_DAY,
                text="Met at noon",
                who="group_harbor",
                moves={
                    f".agenticx/groups/harbor/workspace/memory/{TODAY}.md": r"(?s)# Daily.*\n  - Met at noon\n"
                },
            ),
            call(
                workspace.WRITE_DAY,
                text="Slept",
                who="agenticx",
                moves={f".agenticx/workspace/memory/{TODAY}.md": r"(?s)# Daily.*\n  - Slept\n"},
            ),
            call(workspace.BOOTSTRAP),
        ),
    ),
    "OpenLegion": Tree(
        files=trees.OPENLEGION,
        agent="legion",
        layouts={"OpenLegion"},
        saved=f"{LEGION}/USER.md",
        deeds=(
            tool(
                "openlegion",
                "memory_save",
                content="city: Lisbon",
                moves={f"{LEGION}/memory/{TODAY}.md": r"- \[\d\d:\d\d\] city: Lisbon\n"},
            ),
            tool("openlegion", "memory_search", query="cat"),
            tool("openlegion", "memory_recall", query="city"),
            call(
                workspace.RECORD_LEARNING,
                kind="error",
                subject="exec",
                text="no such tool",
                moves={
                    f"{LEGION}/learnings/errors.md": rf"{{was}}- \[{TODAY} \d\d:\d\d\] \*\*exec\*\*: no such tool\n"
                },
            ),
            call(
                workspace.REWRITE,
                path="HEARTBEAT.md",
                text="# Heartbeat Rules\n",
                moves={
                    f"{LEGION}/HEARTBEAT.md": r"# Heartbeat Rules\n",
                    f"{LEGION}/backups/HEARTBEAT.md.\\d{{8}}_\\d{{6}}_\\d{{6}}.bak": (
                        r"# Heartbeat Rules\n\n1. Check the inbox\n"
                    ),
                    f"{LEGION}/memory/{TODAY}.md": r"{was}- \[\d\d:\d\d\] Updated workspace file: HEARTBEAT.md\n",
                },
            ),
            call(workspace.LEARNINGS),
            call(workspace.BOOTSTRAP),
            call(workspace.RECENT),
        ),
    ),
    "OpenClaw": Tree(
        files=trees.OPENCLAW,
        agent="claw",
        layouts={"OpenClaw"},
        saved="claw/TOOLS.md",
        deeds=(
            tool("openclaw", "memory_search", query="routers"),
            tool("openclaw", "memory_get", path="MEMORY.md"),
            call(
                workspace.WRITE_DAY,
                text="Fed the claw",
                moves={f"claw/memory/{TODAY}.md": r"(?s).*Fed the claw\n"},
            ),
        ),
    ),
    "agnx": Tree(
        files=trees.AGNX,
        agent="nix",
        layouts={"agnx", "agnx world"},
        saved=f"{NIX}/MEMORY.md",
        deeds=(
            tool("agnx", "recall"),
            tool(
                "agnx",
                "remember",
                content="Sailed",
                moves={f"{NIX}/daily/{TODAY}.md": rf"# {TODAY}\n\n## \d\d:\d\d\n\nSailed\n"},
            ),
            tool("agnx", "reflect", content="# Nix", moves={f"{NIX}/MEMORY.md": "# Nix"}),
            tool(
                "agnx",
                "learn_fact",
                topic="Boats",
                content="They float",
                moves={".agnx/memory/world/boats.md": "They float"},
            ),
            tool("agnx", "search_memory", query="router"),
            call(workspace.BOOTSTRAP),
        ),
    ),
    "duragent": Tree(
        files=trees.DURAGENT,
        agent="dura",
        layouts={"duragent", "agnx world", "folder"},
        saved=f"{DURA}/memory/MEMORY.md",
        deeds=(
            tool("agnx", "memory", action="recall"),
            tool(
                "agnx",
                "memory",
                action="remember",
                content="Sailed",
                moves={f"{DURA}/memory/daily/{TODAY}.md": rf"# {TODAY}\n\n## \d\d:\d\d\n\nSailed\n"},
            ),
            tool(
                "agnx",
                "memory",
                action="update_world",
                topic="people",
                content="Alice left",
                moves={".duragent/memory/world/people.md": "Alice left"},
            ),
            call(workspace.BOOTSTRAP),
        ),
    ),
    "Agentix": Tree(
        files=trees.AGENTIX,
        agent="tix",
        layouts={"Agentix"},
        saved="home/code/.agentix/agent-memory/tix/notes.md",
        opened=(("home/.agentix", None), ("home/code/.agentix", None)),
        deeds=(
            agentix("none", "create", path="a.md", file_text="New.\n", refused=True),
            *every_command(None, "home/code/.agentix/memories"),
            *every_command("user", "home/.agentix/agent-memory/tix"),
            *every_command("project", "home/code/.agentix/agent-memory/tix"),
            *every_command(
                "local",
                "home/code/.agentix/agent-memory-local/tix",
                {"home/code/.agentix/.gitignore": r"agent-memory-local/\n"},
            ),
        ),
    ),
    "Claude Code": Tree(
        files=trees.CLAUDE_CODE,
        agent="acme",
        layouts={"Claude Code"},
        saved="acme/CLAUDE.md",
        opened=(("acme", "acme"), (".claude/projects/-home-mara-acme", None)),
        deeds=(call(workspace.BOOTSTRAP),),
    ),
    "markdown": Tree(files=trees.MARKDOWN, agent="notes", layouts={"folder"}, saved="notes/boats.md"),
}


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """Everybody's home: the service looks for Agentix's folders there."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def service(home: Path) -> Iterator[Service]:
    """One service for all trees, whose agents do not see each other's."""
    before = os.environ.get("HOME", "")
    os.environ["HOME"] = str(home / "Agentix" / "home")
    service = Service(Desk(home / "desk"))
    service.start()
    yield service
    service.stop()
    os.environ["HOME"] = before


@pytest.fixture
def owner(service: Service) -> Iterator[Caller]:
    caller = Caller(service, owner=True)
    yield caller
    caller.http.close()


@pytest.mark.parametrize("name", TREES)
def test_only_what_was_meant_moves_in_a_systems_folder(
    name: str, home: Path, service: Service, owner: Caller
) -> None:
    tree, root = TREES[name], home / name
    for path, text in tree.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    first = bytes_of(root)
    for path, agent_id in tree.opened:
        bring_in(owner, root / path, agent_id)
    places = [row for row in owner(workspace.LIST)["rows"] if Path(row["path"]).is_relative_to(root)]
    assert {row["layout"] for row in places} == tree.layouts
    assert all(row["why"] and row["present"] for row in places)
    read_every_panel(owner, [row["id"] for row in places])
    assert bytes_of(root) == first
    agent, told = Caller(service, owner=False), dict[str, Any]()
    for deed in tree.deeds:
        before = bytes_of(root)
        agent.http.headers["x-memdesk-agent"] = deed.who or tree.agent
        refusal = carried_out(deed, agent, owner, root, told)
        assert bool(refusal) == deed.refused, (deed, refusal)
        assert_moved(before, bytes_of(root), deed)
    agent.http.close()
    saved_and_taken_back(owner, tree.saved, root, places)


def bring_in(owner: Caller, path: Path, agent_id: str | None) -> None:
    job = owner(workspace.IMPORT, path=str(path), agent_id=agent_id)
    while job["state"] in ("waiting", "running"):
        time.sleep(0.02)
        job = owner(upkeep.JOB, id=job["id"])
    assert job["state"] == "done", job


def read_every_panel(owner: Caller, places: list[str]) -> None:
    """What the window asks for: identity files, days, facts, the graph, salience, the audit timeline."""
    rows = [row for row in owner(workspace.FILES)["rows"] if row["workspace_id"] in places]
    assert rows and all(owner(workspace.READ, document_id=row["document_id"])["versions"] for row in rows)
    for day in owner(workspace.CALENDAR)["days"]:
        assert owner(workspace.DAY, day=day["day"])["entries"]
    facts = owner(memory.FACTS)["rows"]
    for fact in facts[:5]:
        assert owner(memory.INSPECT, id=fact["id"])["provenance"]["path"]
        assert owner(memory.GRAPH, center=fact["id"])
    assert owner(memory.SALIENCE)["total"] >= len(facts) > 0 or not facts
    assert owner(history.PAGE)["total"]


def carried_out(deed: Deed, agent: Caller, owner: Caller, root: Path, told: dict[str, Any]) -> str:
    """Do it; what the tool says if it refuses. told: what the last tool answered."""
    if deed.tool is None:
        agent(deed.call, **deed.arguments)
        return ""
    query = {key: str(value).replace("{root}", str(root)) for key, value in deed.more.items()}
    path = "/v1/tools/{}/{}".format(*deed.tool)
    if "cwd" in query and not deed.refused:
        # Only the desk's owner connects a folder.
        who = {"agent_id": agent.http.headers["x-memdesk-agent"]}
        shown = owner.http.post(path, params={**query, **who}, json={"command": "view", "path": "/"}).json()
        assert not shown["is_error"], shown
    arguments = {key: told["undo"] if value == UNDO else value for key, value in deed.arguments.items()}
    said = agent.http.post(path, params=query, json=arguments)
    assert said.status_code == 200, said.text
    told.update(said.json()["data"] or {})
    return said.json()["text"] if said.json()["is_error"] else ""


def assert_moved(before: Bytes, after: Bytes, deed: Deed) -> None:
    """Every file reads as it did, but for those that were to move."""
    moved = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    for pattern, text in deed.moves.items():
        (path,) = (each for each in moved if re.fullmatch(pattern, each))
        was = re.escape(before.get(path, b"").decode())
        if text is None:
            assert path not in after, path
        else:
            assert re.fullmatch(text.replace("{was}", was), after[path].decode()), (path, after[path])
        moved.remove(path)
    assert not moved, (deed, moved)


def saved_and_taken_back(owner: Caller, path: str, root: Path, places: list[dict[str, Any]]) -> None:
    """A person adds a line to one file and takes it back: the line alone comes and goes."""
    home = {row["id"]: Path(row["path"]) for row in places}
    rows = [row for row in owner(workspace.FILES)["rows"] if row["workspace_id"] in home]
    (id,) = (row["document_id"] for row in rows if home[row["workspace_id"]] / row["path"] == root / path)
    file, before = owner(workspace.READ, document_id=id), bytes_of(root)
    text = file["text"] + ("" if file["text"].endswith("\n") else "\n") + "- One more line\n"
    done = owner(workspace.SAVE, document_id=id, text=text, base_hash=file["content_hash"])
    after = bytes_of(root)
    assert {name for name in after if after[name] != before.get(name)} == {path}
    assert after[path].splitlines() == [*before[path].splitlines(), b"- One more line"]
    assert after[path].startswith(before[path])
    owner(curation.UNDO, change=done["change"])
    assert bytes_of(root) == before


def bytes_of(root: Path) -> Bytes:
    """Every file below a folder, byte for byte."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}
