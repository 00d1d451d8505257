"""Workspace that a file tool's call works on: the agent's own of that system, or one created for it on the desk; and
the versions of its files that the agent last saw. A file it rewrites is based on this version, so that changes by
others are merged."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.memory import ephemeral
from memdesk.engine.toolsets.memories import MemoryFolder
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.workspace import files, placing, writing
from memdesk.engine.workspace.disk import change_of, one_writer
from memdesk.engine.workspace.layouts import slug
from memdesk.engine.workspace.layouts.systems import FOLDER
from memdesk.engine.workspace.layouts.systems import WORKSPACE as ANY_WORKSPACE
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.document import WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.message import Message, message
from memdesk.model.tools import ToolCall
from memdesk.model.workspace import Saved
from memdesk.store import document_versions, records, working
from memdesk.store.connection import Connection

_CHARACTERS = 60
_USERS = "_users"
"""Folder of other users' agents: no agent's folder begins with an underscore."""
_TAKEN = frozenset(("memories",))
"""Names that the memory tool uses for a folder inside an agent's own."""
_UNKNOWN = frozenset((ANY_WORKSPACE.name, FOLDER.name))
"""Layouts of folders that no system is known by."""


def folder_of(name: str) -> str:
    """Return a name for the folder of an agent or a user: its own name if that is plain, else a unique one."""
    plain = slug(name)[:_CHARACTERS]
    return plain if plain == name and plain not in _TAKEN else unique_folder(name)


def unique_folder(name: str) -> str:
    """Return a folder's name that no other name has: its plain letters, and a mark of the exact name."""
    mark = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{slug(name)[:_CHARACTERS] or 'agent'}-{mark}"


def user_folder(user_id: str) -> tuple[str, ...]:
    """Return the path below the desk's workspaces that contains a user's agents; empty for the desk's own user."""
    return () if user_id == LOCAL_USER else (_USERS, folder_of(user_id))


def home_of(engine: Engine, call: ToolCall, *layouts: str) -> Workspace | None:
    """Return the agent's workspace of one of these layouts; None if it has none. `cwd` and `channel` of the
    call choose among several.

    A folder of no known system, or one of no agent in `cwd`, becomes the agent's workspace of the first layout.
    Raises NotFound if none is in `cwd`, BadAsk if several are left."""
    every = homes_of(engine, call)
    mine = [each for each in every if each.layout in layouts]
    if call.place.cwd is not None:
        mine = inside(mine, call.place.cwd) or _settled(engine, call, every, layouts)
        if not mine:
            raise unconnected(call, call.place.cwd, layouts[0])
    elif not mine:
        mine = _settled(engine, call, every, layouts)
    mine = [each for each in mine if call.place.channel == each.channel] or mine
    if len(mine) > 1:
        listed = ", ".join(each.path for each in mine[:5])
        raise BadAsk(
            message("Several workspaces could be meant: {listed}.", listed=listed),
            next=message("Name one as cwd."),
        )
    return mine[0] if mine else None


def unconnected(call: ToolCall, folder: str, layout: str) -> NotFound:
    """Return the refusal for a folder in which the agent has no workspace of this layout."""
    return NotFound(
        message("{folder} holds no workspace of this agent.", folder=folder),
        next=message(
            "The desk's owner connects it: `memdesk import {folder} --as {layout}`.",
            folder=shlex.quote(folder),
            layout=shlex.quote(layout),
        )
        if call.owner and call.place.agent_id is None
        else message(
            "The desk's owner connects it: `memdesk import {folder} --as {layout} --agent {agent}`.",
            folder=shlex.quote(folder),
            layout=shlex.quote(layout),
            agent=shlex.quote(call.agent),
        ),
    )


def _settled(
    engine: Engine, call: ToolCall, own: Sequence[Workspace], layouts: Sequence[str]
) -> list[Workspace]:
    """Give the one folder that is the agent's by its connection, but of no system or no agent, both; return it.

    own: the workspaces that the agent may see. A folder of no agent is taken only where `cwd` names it."""
    found = [each for each in own if each.layout in _UNKNOWN]
    if call.place.cwd is not None:
        with engine.store.reading() as db:
            free = records.find(db, WORKSPACE, user_id=call.place.user_id, agent_id=None, retired_at=None)
        found += [each for each in free if each.layout in (*_UNKNOWN, *layouts) and each not in found]
        found = inside(found, call.place.cwd)
    if len(found) != 1 or set(layouts) & _UNKNOWN:
        return []
    (folder,) = found
    layout = folder.layout if folder.layout in layouts else layouts[0]
    agent_id = (
        folder.agent_id if call.owner and call.place.agent_id is None else folder.agent_id or call.agent
    )
    settled = replace(folder, layout=layout, agent_id=agent_id)
    if settled != folder:
        edit = records.update_edit(WORKSPACE, folder, layout=layout, agent_id=agent_id)
        engine.store.apply(
            change_of(
                folder,
                message("{folder} is {layout}'s", folder=folder.name, layout=layout),
                call.author,
                (edit,),
                op="update",
            )
        )
    return [settled]


def homes_of(engine: Engine, call: ToolCall) -> list[Workspace]:
    """Return every workspace that this agent may see; the owner, naming no agent, sees all of the user's."""
    with engine.store.reading() as db:
        found = records.find(db, WORKSPACE, user_id=call.place.user_id, retired_at=None)
    return [each for each in found if _is_whose(each, call)]


def made_home(engine: Engine, call: ToolCall, layout: str, *system: str) -> Workspace:
    """Create a folder of this layout on the desk, below `system`, for an agent without a workspace of that system."""
    base = engine.desk.workspaces
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    below = (*user_folder(call.place.user_id), *system, folder_of(call.agent))
    return ensure_workspace(engine, call, base, below, layout)


def ensure_workspace(
    engine: Engine, call: ToolCall, base: Path, below: tuple[str, ...], layout: str, *, shared: bool = False
) -> Workspace:
    """Return the workspace at a path below a folder that the desk trusts; both are created if missing. It is the
    agent's own, with a channel of its own, unless it is shared."""
    agent_id = None if shared else call.agent
    channel = GLOBAL if shared else call.place.channel or slug(call.agent) or slug(layout)
    folder = MemoryFolder(
        engine=engine,
        base=base,
        prefix=below,
        name=agent_id or below[-1],
        layout=layout,
        channel=channel,
        agent_id=agent_id,
        user_id=call.place.user_id,
        author=call.author,
    )
    folder.look(())
    return folder.workspace()


def _is_whose(workspace: Workspace, call: ToolCall) -> bool:
    """Return True if the workspace is the agent's own; the owner, naming no agent, may use any."""
    if call.owner and call.place.agent_id is None:
        return True
    return (workspace.agent_id or "").casefold() == call.agent.casefold()


def inside(homes: Sequence[Workspace], folder: str) -> list[Workspace]:
    """Return the workspaces in a folder."""
    try:
        real = Path(folder).resolve()
    except RuntimeError:  # Links that lead to each other lead nowhere.
        real = Path(folder)
    return [each for each in homes if Path(each.path).is_relative_to(real)]


SEEN_S = 7 * 86_400
"""Seconds for which it is remembered which version an agent saw."""
_IMPORTED = "import"
"""Operation of a first version that existed before the desk knew the file: the agent's own system had shown it."""


def note_seen(engine: Engine, call: ToolCall, versions: Iterable[tuple[str, str]]) -> None:
    """Record the versions this agent was shown: (document id, content hash). If this record expires, an older
    version is the base."""
    place = working.Place(user_id=call.place.user_id)

    def work(db: Connection, at: int) -> None:
        for id, content_hash in versions:
            working.put(db, _seen_key(call, id), content_hash, at=at, ttl_s=SEEN_S, place=place)

    ephemeral.write(engine, work)


def read_file(engine: Engine, workspace: Workspace, path: str) -> tuple[Document, str] | None:
    """Return (the current document, its text), None if there is no readable file."""
    found = files.read(engine, workspace, path)
    if found is None:
        return None
    with engine.store.reading() as db:
        return document_versions.in_use(db, workspace.id).get(path, found[0]), found[1].text


def rewrite_seen(
    engine: Engine, call: ToolCall, workspace: Workspace, path: str, text: str, *, title: Message
) -> tuple[int, bool]:
    """Replace the text of a file. Returns the change, and True if changes by others since the agent saw it
    were merged.

    Raises ToolFault if the agent never saw the file's text, Conflict if both changes cannot be combined."""
    with one_writer:
        found = read_file(engine, workspace, path)
        if found is None:
            made = placing.create(engine, workspace.id, path, text, author=call.author, title=title)
            note_seen(engine, call, [(made.document_id, made.content_hash)])
            return made.change, False
        base = _seen_base(engine, call, found[0])
        if base is None:
            raise ToolFault(f"Error: {path} holds what you have not read yet. Recall it, and write it then.")
        saved = writing.replace(engine, found[0].id, text, base_hash=base, author=call.author, title=title)
        note_seen(engine, call, [(found[0].id, _shown(saved, base))])
        return saved.change, saved.merged


def _shown(saved: Saved, base: str) -> str:
    """Return the version that the agent knows after a write; after a merge it does not know the changes by others."""
    return base if saved.merged else saved.content_hash


def _seen_base(engine: Engine, call: ToolCall, document: Document) -> str | None:
    """Return the version that this agent last saw: shown to it, written by it, or imported when the desk
    first read the file."""
    at = engine.clock()
    with engine.store.reading() as db:
        shown = working.get(db, _seen_key(call, document.id), at=at)
        if shown is not None:
            return str(shown.value)
        kept = document_versions.versions_of(db, document.id)
    own = [each for each in kept if each.author == call.author and not each.beside]
    first = kept[:1] if kept and kept[0].op == _IMPORTED else []
    return next((each.content_hash for each in reversed([*first, *own])), None)


def _seen_key(call: ToolCall, document_id: str) -> str:
    return f"seen:{document_id}:{call.author}"
