"""agentix: the Memories tool on the folders where Agentix keeps them, for the main agent and for its
sub-agents.

It is off unless requested; a sub-agent sees only the memories of the scope given to it, and none of the main
agent's."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.agent_folders import unique_folder
from memdesk.engine.toolsets.anthropic_tools import COMMANDS, DOCS, FileCall
from memdesk.engine.toolsets.memories import MemoryFolder, Parts
from memdesk.engine.toolsets.toolset import OfferedTools, ToolFault, WorkingSet
from memdesk.engine.workspace.layouts import slug
from memdesk.files.atomic import append, create
from memdesk.files.reading import MEGABYTE
from memdesk.files.walk import opened, parts_of
from memdesk.model.channel import LOCAL_USER
from memdesk.model.document import WORKSPACE
from memdesk.model.errors import BadAsk, Refused
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.model.tools import SCOPES, ToolAnswer, ToolCall, ToolPlace
from memdesk.store import document_versions, records

TOOL = "Memories"
LAYOUT = "Agentix"
_HOME = ".agentix"
_FOLDERS = {"user": "agent-memory", "project": "agent-memory", "local": "agent-memory-local"}
_IGNORE_FILE = ".gitignore"
_IGNORED = "agent-memory-local/"
"""Line that excludes the scope `local` from version control."""
REFUSAL = (
    "Memories is not enabled for this agent. Set memories_enabled (on the command line and for MCP: --memories on; for "
    "every agent: `memdesk settings agentix_memories true`), or give a sub-agent the memory scope user, project or "
    "local (--memory project), and leave Memories out of disallowed_tools."
)


def offered(settings: Settings, place: ToolPlace) -> OfferedTools:
    """Return the tools of an agent with these options: Memories or none, with its allow-list (empty: every
    tool).

    Raises BadAsk for an unknown scope."""
    if place.memory is not None:
        if place.memory not in SCOPES:
            raise BadAsk(message("memory must be one of {scopes}.", scopes=", ".join(SCOPES)))
        enabled = place.memory != "none"
    else:
        enabled = settings.agentix_memories if place.memories_enabled is None else place.memories_enabled
    allowed = tuple(dict.fromkeys(place.allowed_tools))
    if not enabled or TOOL in place.disallowed_tools:
        return OfferedTools(names=(), allowed=tuple(name for name in allowed if name != TOOL))
    if allowed and TOOL not in allowed:
        allowed = (*allowed, TOOL)
    return OfferedTools(names=(TOOL,), allowed=allowed)


def memories(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Execute one command in the folder of the agent's scope."""
    base, prefix = _scope(engine, call)
    folder = MemoryFolder(
        engine=engine,
        base=base,
        prefix=prefix,
        name=call.agent,
        layout=LAYOUT,
        channel=call.place.channel
        or slug(base.name if call.place.memory != "user" else call.agent)
        or "agentix",
        agent_id=call.agent,
        user_id=call.place.user_id,
        author=call.author,
    )
    if call.owner:
        folder.look(())
        folder.workspace()
    else:
        _refuse_unconnected(folder, call)
    if call.place.memory == "local":
        _ignore(folder)
    return COMMANDS[call.arguments["command"]](
        FileCall(folder=folder, words=DOCS, relative=True), call.arguments
    )


def _scope(engine: Engine, call: ToolCall) -> tuple[Path, Parts]:
    """Return the trusted folder, and the path of the agent's memories below it."""
    scope = call.place.memory
    base = Path.home() if scope == "user" else _working_folder(call.place.cwd)
    if scope is None:
        return base, (_HOME, "memories")
    return base, (_HOME, _FOLDERS[scope], _folder_name(engine, call, base / _HOME / _FOLDERS[scope]))


def _working_folder(cwd: str | None) -> Path:
    """Return the folder an agent works in. Raises ToolFault if there is none, or for a home folder or a root."""
    if cwd is None or not Path(cwd).is_absolute() or not Path(cwd).is_dir():
        raise ToolFault("Error: cwd must be the absolute path of the folder the agent works in")
    folder = Path(cwd).resolve()
    if folder in (Path.home().resolve(), Path(folder.anchor)):
        raise ToolFault(f"Error: {cwd} is a whole home; let the agent work in a folder of its own")
    return folder


def _folder_name(engine: Engine, call: ToolCall, above: Path) -> str:
    """Return a sub-agent's folder: its exact name if that folder exists, else its name reduced to plain letters.

    Where that folder is another agent's, whose name has the same plain letters, it gets its own name."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", call.agent).strip("-") or "agent"
    for name in (call.agent, plain):
        usable = _is_one_folder(name) and (name == plain or (above / name).is_dir())
        if usable and not _is_of_another(engine, call, above / name):
            return name
    return unique_folder(call.agent)


def _is_one_folder(name: str) -> bool:
    try:
        return len(parts_of(name)) == 1
    except Refused:
        return False  # A name that is no path has no folder yet.


def _is_of_another(engine: Engine, call: ToolCall, folder: Path) -> bool:
    with engine.store.reading() as db:
        known = document_versions.workspace_at(db, call.place.user_id, str(folder))
    return known is not None and (known.agent_id or "").casefold() != call.agent.casefold()


def _refuse_unconnected(folder: MemoryFolder, call: ToolCall) -> None:
    """Raise ToolFault unless a workspace shows that the desk's owner wants memory kept in this folder."""
    if call.place.memory == "user":
        return
    with folder.engine.store.reading() as db:
        known = records.find(db, WORKSPACE, user_id=folder.user_id, retired_at=None)
    if folder.base.is_relative_to(folder.engine.desk.folder.resolve()):
        # What lies on the desk itself is one agent's, and no place where another works.
        known = [each for each in known if (each.agent_id or "").casefold() == call.agent.casefold()]
    if not any(
        folder.root.is_relative_to(each.path) or folder.base.is_relative_to(each.path) for each in known
    ):
        raise ToolFault(
            f"Error: the desk's owner has not connected {folder.base} yet. They do so with: {_connecting(folder, call)}"
        )


def _connecting(folder: MemoryFolder, call: ToolCall) -> str:
    """Return the command by which the desk's owner connects the folder."""
    words = [
        "memdesk",
        "tool",
        "agentix",
        TOOL,
        '{"command": "view", "path": "/"}',
        "--cwd",
        str(folder.base),
    ]
    words += ["--memories", "on"] if call.place.memory is None else ["--memory", call.place.memory]
    words += ["--agent", call.agent]
    words += [] if call.place.user_id == LOCAL_USER else ["--user", call.place.user_id]
    return shlex.join(words)


def _ignore(folder: MemoryFolder) -> None:
    """Exclude the scope `local` from version control, by a line in the `.gitignore` of its parent folder."""
    path, line = folder.base / _HOME / _IGNORE_FILE, f"{_IGNORED}\n".encode()
    with opened(folder.base) as tree:
        tree.make_folders((_HOME,))
        if tree.look((_HOME, _IGNORE_FILE)) is None:
            create(path, line, mode=0o644)
            return
        patterns, _ = tree.read((_HOME, _IGNORE_FILE), limit_bytes=MEGABYTE)
    if line.strip() not in patterns.splitlines():
        append(path, line if patterns.endswith(b"\n") or not patterns else b"\n" + line)


WORKING = WorkingSet(verbs={TOOL: memories}, offered=offered, refusal=REFUSAL)
