"""agnx: its tools on a workspace of the agnx or duragent layout, with exactly its wording.

An agent must have seen a text before it replaces it: a text that others changed since is merged, never
overwritten."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.agent_search import Passage, passages
from memdesk.engine.toolsets import agent_folders
from memdesk.engine.toolsets.agent_folders import (
    ensure_workspace,
    folder_of,
    homes_of,
    inside,
    made_home,
    unconnected,
)
from memdesk.engine.toolsets.toolset import OfferedTools, ToolFault, WorkingSet
from memdesk.engine.workspace.day_files import AGNX_DAYS, DAYS_AT_MOST, recalled, write_day
from memdesk.engine.workspace.layouts import WORLD
from memdesk.files.agent_config import AgnxConfig, agnx_config
from memdesk.files.walk import NAME_BYTES
from memdesk.model.document import WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.model.tools import ToolAnswer, ToolCall, ToolPlace
from memdesk.model.workspace_files import WriteDay
from memdesk.store import document_versions, records

LAYOUT, LATER = "agnx", "duragent"
_AGENTS = "agents"


def offered(names: tuple[str, ...], _settings: Settings, place: ToolPlace) -> OfferedTools:
    """Return the tools of an agent: none where its agent.yaml has no memory section."""
    config = _config(place.cwd, place.agent_id)
    return OfferedTools(names=() if config is not None and config.memory is None else names)


def home_of(engine: Engine, call: ToolCall) -> Workspace | None:
    """Return the agent's folder, in the folder that its agent.yaml, `cwd` or the desk's owner names; None if
    nothing is connected yet.

    An agent that is new to a shared folder joins it. Raises ToolFault, NotFound, BadAsk if several could be meant."""
    own = [each for each in homes_of(engine, call) if each.layout in (LAYOUT, LATER) and _is_of_agent(each)]
    own = [each for each in own if call.owner or each.agent_id is not None]
    config = _config(call.place.cwd, call.agent)
    if config is not None and config.memory is not None and (config.named or config.memory.is_dir()):
        return _joined(engine, call, _connected(engine, call, config.memory))
    if call.place.cwd is not None:
        own = inside(own, call.place.cwd)
    own = [each for each in own if call.place.channel == each.channel] or own
    if len(own) == 1:
        return own[0]
    if own:
        raise _several([Path(each.path) for each in own])
    shared = _shared_folders(engine, call)
    if len(shared) > 1:
        raise _several(shared)
    if shared and not (call.owner and call.place.agent_id is None):
        return _joined(engine, call, shared[0])
    if call.place.cwd is not None and not shared:
        raise unconnected(call, call.place.cwd, LAYOUT)
    return None


def made(engine: Engine, call: ToolCall) -> Workspace:
    """Return the agent's folder; one on the desk where none is connected."""
    return home_of(engine, call) or made_home(engine, call, LAYOUT, LAYOUT, "memory", _AGENTS)


def world_place(workspace: Workspace) -> tuple[Path, tuple[str, ...]]:
    """Return the folder that agents share, and the path of the world in it."""
    return Path(workspace.path).parents[1], ("world",) if workspace.layout == LAYOUT else ("memory", "world")


def world(engine: Engine, call: ToolCall, workspace: Workspace) -> Workspace | None:
    """Return the world that an agent shares, None if it has no file yet."""
    shared, below = world_place(workspace)
    with engine.store.reading() as db:
        found = document_versions.workspace_at(db, call.place.user_id, str(shared.joinpath(*below)))
    return None if found is None or found.retired_at is not None else found


def made_world(engine: Engine, call: ToolCall, workspace: Workspace) -> Workspace:
    """Return the world that an agent shares, created if missing."""
    shared, below = world_place(workspace)
    return ensure_workspace(engine, call, shared, below, WORLD, shared=True)


def _config(cwd: str | None, agent: str | None) -> AgnxConfig | None:
    return None if cwd is None or not Path(cwd).is_absolute() else agnx_config(Path(cwd), agent or "")


def _connected(engine: Engine, call: ToolCall, folder: Path) -> Path:
    """Return a shared folder, created if missing. Raises ToolFault unless the desk's owner connected it, a folder
    around it or one in it."""
    with engine.store.reading() as db:
        known = records.find(db, WORKSPACE, user_id=call.place.user_id, retired_at=None)
    paths = [Path(each.path) for each in known]
    if (
        not any(folder.is_relative_to(path) or path.is_relative_to(folder) for path in paths)
        and not call.owner
    ):
        named = shlex.quote(str(folder))
        raise ToolFault(
            f"Error: the desk's owner has not connected {folder} yet. They do so with: "
            f"mkdir -p {named} && memdesk import {named} --as {LAYOUT}"
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _joined(engine: Engine, call: ToolCall, shared: Path) -> Workspace:
    """Return the agent's folder below a shared one; it is registered at the first call."""
    return ensure_workspace(engine, call, shared, (_AGENTS, folder_of(call.agent)), LAYOUT)


def _shared_folders(engine: Engine, call: ToolCall) -> list[Path]:
    """Return the folders that agnx's agents share; one on the desk only where there is no other."""
    with engine.store.reading() as db:
        known = records.find(db, WORKSPACE, user_id=call.place.user_id, retired_at=None)
    if call.place.cwd is not None:
        known = inside(known, call.place.cwd)
    agnx = [each for each in known if each.layout == LAYOUT]
    found = {Path(each.path).parents[1] if _is_of_agent(each) else Path(each.path) for each in agnx}
    found |= {Path(each.path).parent for each in known if each.layout == WORLD and not _is_later(each, known)}
    desk = engine.desk.workspaces.resolve()
    return sorted(path for path in found if not path.is_relative_to(desk)) or sorted(found)


def _is_of_agent(workspace: Workspace) -> bool:
    return workspace.layout == LATER or Path(workspace.path).parent.name == _AGENTS


def _is_later(world: Workspace, known: list[Workspace]) -> bool:
    """Return True if a world belongs to duragent, whose agents have their folders next to its memory."""
    around = Path(world.path).parents[1]
    return any(each.layout == LATER and Path(each.path).is_relative_to(around) for each in known)


def _several(folders: list[Path]) -> BadAsk:
    listed = ", ".join(map(str, folders[:5]))
    return BadAsk(
        message("Several workspaces could be meant: {listed}.", listed=listed),
        next=message("Name one as cwd."),
    )


NOTHING = "No memories found"
PASSAGES = 5
MERGED = " (merged with what others wrote since you read it; recall it before you write it again)"


def recall(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return world, curated memory and the last days, joined as agnx does."""
    home = home_of(engine, call)
    if home is None:
        return ToolAnswer(text=NOTHING)
    days = max(0, min(_number(call, "days", AGNX_DAYS), DAYS_AT_MOST))
    agent_folders.note_seen(engine, call, _replaceable(engine, call, home))
    return ToolAnswer(text=recalled(engine, home, days).text or NOTHING)


def remember(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add an experience to today's day file."""
    home = made(engine, call)
    ask = WriteDay(text=_needed(call, "content"), workspace_id=home.id)
    done = write_day(engine, ask, author=call.author)
    return ToolAnswer(text=f"Remembered. Written to {Path(home.path, done.path)}", change=done.change)


def reflect(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace the curated memory; without a content, return it."""
    home = made(engine, call)
    path = _curated(home)
    if call.arguments.get("content") is None:
        return _shown(engine, call, home, path)
    change, merged = agent_folders.rewrite_seen(
        engine, call, home, path, call.arguments["content"], title=message("Reflected: {path}", path=path)
    )
    return _written(f"Reflected. Updated {Path(home.path, path)}", change, merged=merged)


def learn_fact(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace a topic of the world."""
    return _learned(engine, call, "Learned. Written to {path}")


def update_world(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace a topic of the world; the later name of learn_fact."""
    return _learned(engine, call, "Updated world knowledge at {path}")


def memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Run one of the four tools, by `action`."""
    actions: dict[str, Callable[[Engine, ToolCall], ToolAnswer]] = {
        "recall": recall,
        "remember": remember,
        "reflect": reflect,
        "update_world": update_world,
    }
    return actions[call.arguments["action"]](engine, call)


def search_memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return passages of the agent's own files and of the world; if a day is named, only of its day files of
    that time."""
    home = home_of(engine, call)
    first, last = _day(call, "from"), _day(call, "to")
    if home is None:
        return ToolAnswer(text=NOTHING)

    def fits(document: Document) -> bool:
        if first is None and last is None:
            return True
        day = document.day
        return day is not None and (first or day) <= day <= (last or day)

    shared = world(engine, call, home)
    homes = [home] if shared is None else [home, shared]
    found = passages(engine, call, call.arguments["query"], homes, _number(call, "limit", PASSAGES), fits)
    data = [_row(each, {other.id: other for other in homes}) for each in found]
    text = "\n\n---\n\n".join(
        f"## {row['path']}:{row['first_line']}-{row['last_line']}\n\n{row['text']}" for row in data
    )
    return ToolAnswer(text=text or NOTHING, data={"results": data})


def topic_file(topic: str) -> str:
    """Return the file name of a topic: letters and digits of any script, - and _ stay, ASCII in lower case.

    Every other character becomes one hyphen."""
    kept = (each.lower() if each.isascii() else each for each in topic)
    return "".join(each if each.isalnum() or each in "-_" else "-" for each in kept) + ".md"


def _learned(engine: Engine, call: ToolCall, says: str) -> ToolAnswer:
    topic, content = _needed(call, "topic"), _needed(call, "content")
    path = topic_file(topic)
    if len(path.encode()) > NAME_BYTES:
        raise ToolFault("topic is too long for a file's name")
    home = made(engine, call)
    shared = world(engine, call, home) or made_world(engine, call, home)
    change, merged = agent_folders.rewrite_seen(
        engine, call, shared, path, content, title=message("Learned of the world: {path}", path=path)
    )
    return _written(says.format(path=Path(shared.path, path)), change, merged=merged)


def _written(says: str, change: int, *, merged: bool) -> ToolAnswer:
    return ToolAnswer(text=says + (MERGED if merged else ""), change=change)


def _shown(engine: Engine, call: ToolCall, home: Workspace, path: str) -> ToolAnswer:
    found = agent_folders.read_file(engine, home, path)
    if found is None or not found[1]:
        return ToolAnswer(text="MEMORY.md is empty. Call reflect with content to create it.")
    agent_folders.note_seen(engine, call, [(found[0].id, found[0].content_hash)])
    return ToolAnswer(text=f"Current MEMORY.md:\n\n{found[1]}")


def _replaceable(engine: Engine, call: ToolCall, home: Workspace) -> list[tuple[str, str]]:
    """Return (document id, content hash) of the replaceable texts that a recall shows: the curated memory and
    the world."""
    shared = world(engine, call, home)
    places = [(home, _curated(home))]
    if shared is not None:
        with engine.store.reading() as db:
            places += [(shared, path) for path in document_versions.in_use(db, shared.id)]
    read = (agent_folders.read_file(engine, place, path) for place, path in places)
    return [(found[0].id, found[0].content_hash) for found in read if found is not None]


def _curated(home: Workspace) -> str:
    return "MEMORY.md" if home.layout == LAYOUT else "memory/MEMORY.md"


def _row(found: Passage, homes: dict[str, Workspace]) -> dict[str, Any]:
    home = homes[found.document.workspace_id]
    path = found.document.path if home.layout != WORLD else f"world/{found.document.path}"
    return {
        "path": path,
        "day": found.document.day,
        "first_line": found.first_line,
        "last_line": found.last_line,
        "score": round(found.score, 4),
        "text": found.text,
    }


def _needed(call: ToolCall, name: str) -> str:
    text = str(call.arguments.get(name) or "")
    if not text.strip():
        raise ToolFault(f"{name} is required")
    return text


def _number(call: ToolCall, name: str, default: int) -> int:
    given = call.arguments.get(name)
    return default if given is None else int(given)


def _day(call: ToolCall, name: str) -> str | None:
    """Return a day in the form of file names. Raises ToolFault if it is not a day."""
    given = call.arguments.get(name)
    try:
        return date.fromisoformat(given).isoformat() if given else None
    except ValueError:
        raise ToolFault(f"{name} must be a day such as 2026-01-31") from None


_VERBS = {
    "recall": recall,
    "remember": remember,
    "reflect": reflect,
    "learn_fact": learn_fact,
    "search_memory": search_memory,
    "update_world": update_world,
    "memory": memory,
}
WORKING = WorkingSet(
    verbs=_VERBS,
    offered=partial(offered, tuple(_VERBS)),
    refusal="The agent.yaml of this agent has no section `memory`, so it has no memory tools. Add one: spec.memory.",
)
