"""What an agent last saw of a file, and writing a file anew on top of just that: what others wrote since is merged."""

from __future__ import annotations

from collections.abc import Iterable

from memdesk.engine.engine import Engine
from memdesk.engine.memory import ephemeral
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.toolsets.workbench import LIFE_S
from memdesk.engine.workspace import files, placing, writing
from memdesk.engine.workspace.disk import one_writer
from memdesk.model.document import Document, Workspace
from memdesk.model.tools import ToolCall
from memdesk.model.workspace import Saved
from memdesk.store import working, workspaces
from memdesk.store.connection import Connection

_IMPORTED = "import"
"""What brought a file in that was there before the desk knew it: the agent's own system had shown it."""


def note(engine: Engine, call: ToolCall, versions: Iterable[tuple[str, str]]) -> None:
    """Keep which version of a file this agent was shown: (document id, content hash). Forgotten, it merges more."""
    place = working.Place(user_id=call.place.user_id)

    def work(db: Connection, at: int) -> None:
        for id, content_hash in versions:
            working.put(db, _key(call, id), content_hash, at=at, ttl_s=LIFE_S, place=place)

    ephemeral.write(engine, work)


def read(engine: Engine, workspace: Workspace, path: str) -> tuple[Document, str] | None:
    """(the document as it is now, its text), None where there is none that can be read."""
    found = files.read(engine, workspace, path)
    if found is None:
        return None
    with engine.store.reading() as db:
        return workspaces.in_use(db, workspace.id).get(path, found[0]), found[1].text


def rewrite(
    engine: Engine, call: ToolCall, workspace: Workspace, path: str, text: str, *, title: str
) -> tuple[int, bool]:
    """Write a file anew. Returns the change, and whether what others wrote since the agent saw it was merged.

    Raises ToolFault where it holds what this agent never saw, Conflict where both cannot stand together.
    """
    with one_writer:
        found = read(engine, workspace, path)
        if found is None:
            made = placing.create(engine, workspace.id, path, text, author=call.author, title=title)
            note(engine, call, [(made.document_id, made.content_hash)])
            return made.change, False
        base = _base(engine, call, found[0])
        if base is None:
            raise ToolFault(f"Error: {path} holds what you have not read yet. Recall it, and write it then.")
        saved = writing.replace(engine, found[0].id, text, base_hash=base, author=call.author, title=title)
        note(engine, call, [(found[0].id, _shown(saved, base))])
        return saved.change, saved.merged


def _shown(saved: Saved, base: str) -> str:
    """What the agent knows after a write: not what others wrote, where that was merged."""
    return base if saved.merged else saved.content_hash


def _base(engine: Engine, call: ToolCall, document: Document) -> str | None:
    """The version that this agent last saw: shown to it, written by it, or there before the desk was."""
    at = engine.clock()
    with engine.store.reading() as db:
        shown = working.get(db, _key(call, document.id), at=at)
        if shown is not None:
            return str(shown.value)
        kept = workspaces.versions_of(db, document.id)
    own = [each for each in kept if each.author == call.author and not each.beside]
    first = kept[:1] if kept and kept[0].op == _IMPORTED else []
    return next((each.content_hash for each in reversed([*first, *own])), None)


def _key(call: ToolCall, document_id: str) -> str:
    return f"seen:{document_id}:{call.author}"
