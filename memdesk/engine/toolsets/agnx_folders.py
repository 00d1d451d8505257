"""Folders of agnx's agents: each agent's own, in a folder that agents share, where its agent.yaml says."""

from __future__ import annotations

import shlex
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.agent_folders import (
    ensure_workspace,
    folder_of,
    homes_of,
    inside,
    made_home,
    unconnected,
)
from memdesk.engine.toolsets.toolset import OfferedTools, ToolFault
from memdesk.engine.workspace.layouts import WORLD, slug
from memdesk.files.agent_config import AgnxConfig, agnx_config
from memdesk.model.channel import GLOBAL
from memdesk.model.document import WORKSPACE, Workspace
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.model.tools import ToolCall, ToolPlace
from memdesk.store import document_versions, records

LAYOUT, LATER = "agnx", "duragent"
_AGENTS = "agents"


def offered(names: tuple[str, ...], _settings: Settings, place: ToolPlace) -> OfferedTools:
    """Return the tools of an agent: none where its agent.yaml has no memory section."""
    config = _config(place.cwd, place.agent_id)
    return OfferedTools(names=() if config is not None and config.memory is None else names)


def home(engine: Engine, call: ToolCall) -> Workspace | None:
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
    return home(engine, call) or made_home(engine, call, LAYOUT, LAYOUT, "memory", _AGENTS)


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
    return ensure_workspace(engine, call, shared, below, WORLD, channel=GLOBAL)


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
    return ensure_workspace(
        engine,
        call,
        shared,
        (_AGENTS, folder_of(call.agent)),
        LAYOUT,
        agent_id=call.agent,
        channel=call.place.channel or slug(call.agent) or LAYOUT,
    )


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
