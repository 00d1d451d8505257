"""Versions of files that an agent last saw; a file it rewrites is based on this version, so that changes by
others are merged."""

from __future__ import annotations

from collections.abc import Iterable

from memdesk.engine.engine import Engine
from memdesk.engine.memory import ephemeral
from memdesk.engine.toolsets.agent_notes import LIFE_S
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.workspace import files, placing, writing
from memdesk.engine.workspace.disk import one_writer
from memdesk.model.document import Document, Workspace
from memdesk.model.message import Message
from memdesk.model.tools import ToolCall
from memdesk.model.workspace import Saved
from memdesk.store import document_versions, working
from memdesk.store.connection import Connection

_IMPORTED = "import"
"""Operation of a first version that existed before the desk knew the file: the agent's own system had shown
it."""


def note(engine: Engine, call: ToolCall, versions: Iterable[tuple[str, str]]) -> None:
    """Record the versions this agent was shown: (document id, content hash). If this record expires, an older
    version is the base."""
    place = working.Place(user_id=call.place.user_id)

    def work(db: Connection, at: int) -> None:
        for id, content_hash in versions:
            working.put(db, _key(call, id), content_hash, at=at, ttl_s=LIFE_S, place=place)

    ephemeral.write(engine, work)


def read(engine: Engine, workspace: Workspace, path: str) -> tuple[Document, str] | None:
    """Return (the current document, its text), None if there is no readable file."""
    found = files.read(engine, workspace, path)
    if found is None:
        return None
    with engine.store.reading() as db:
        return document_versions.in_use(db, workspace.id).get(path, found[0]), found[1].text


def rewrite(
    engine: Engine, call: ToolCall, workspace: Workspace, path: str, text: str, *, title: Message
) -> tuple[int, bool]:
    """Replace the text of a file. Returns the change, and True if changes by others since the agent saw it
    were merged.

    Raises ToolFault if the agent never saw the file's text, Conflict if both changes cannot be combined."""
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
    """Return the version that the agent knows after a write; after a merge it does not know the changes by
    others."""
    return base if saved.merged else saved.content_hash


def _base(engine: Engine, call: ToolCall, document: Document) -> str | None:
    """Return the version that this agent last saw: shown to it, written by it, or imported when the desk
    first read the file."""
    at = engine.clock()
    with engine.store.reading() as db:
        shown = working.get(db, _key(call, document.id), at=at)
        if shown is not None:
            return str(shown.value)
        kept = document_versions.versions_of(db, document.id)
    own = [each for each in kept if each.author == call.author and not each.beside]
    first = kept[:1] if kept and kept[0].op == _IMPORTED else []
    return next((each.content_hash for each in reversed([*first, *own])), None)


def _key(call: ToolCall, document_id: str) -> str:
    return f"seen:{document_id}:{call.author}"
