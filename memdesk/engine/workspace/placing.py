"""Creation, removal and renaming of files by MemDesk. Each is one change, written to the journal first and
then carried out.

Within a change, a file is on the disk exactly while its document is in use. The creation of a document alone,
as an import journals it, creates no file."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace import facts_follow
from memdesk.engine.workspace.disk import (
    change_of,
    held,
    one_writer,
    path_of,
    placed,
    refuse_mended,
    version_edit,
)
from memdesk.engine.workspace.facts_follow import Following
from memdesk.engine.workspace.layouts import day_of, holds_facts, layer_of
from memdesk.engine.workspace.news import News, news_of, read_news
from memdesk.engine.workspace.telling import voice_of
from memdesk.engine.workspace.writing import current, refuse_unsound, taken_back
from memdesk.files.atomic import create as create_file
from memdesk.files.atomic import is_temporary, move, remove
from memdesk.files.manner import Manner
from memdesk.files.reading import printable, real_within, within
from memdesk.files.walk import NAME_BYTES
from memdesk.model.change import Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import Conflict, NotFound, Refused
from memdesk.model.ids import new_id
from memdesk.model.workspace import Placed
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection

PATH_BYTES = 1_000
"""Length limit of a path in bytes, far below the limits of file systems."""


def create(
    engine: Engine,
    workspace_id: str,
    path: str,
    text: str,
    *,
    author: str,
    title: str = "",
    key: str | None = None,
    carried: Mapping[str, str] | None = None,
) -> Placed:
    """Create a new file in a workspace, with Unix line ends in UTF-8, private to its owner.

    carried: ids of facts by the lines that were written from them. Raises Conflict when there is one already,
    Refused for a path that leads elsewhere, StorageFailed."""
    refuse_unsound(text)
    with one_writer:
        workspace = workspace_in_use(engine, workspace_id)
        target = free_path(workspace, path)

        title = title or f"Wrote {path}"
        news = _news(engine, workspace, path, text, carried)
        run = new_id("run", engine.clock()) if len(news.steps) > 1 else None

        def verb(db: Connection) -> tuple[Change, str]:
            draft, id = _coming(engine, db, workspace, path, text)
            place: Workspace = records.need(db, WORKSPACE, workspace.id)
            Following(draft=draft, news=news, document_id=id, author=author).take(*news.steps[:1])
            return replace(
                change_of(place, title, author, tuple(draft.edits), op="store"), key=key, run=run
            ), id

        with held(workspace, target, made=True) as there:
            applied, id = engine.store.decide(verb)
            assert applied is not None
            with taken_back(engine, applied.id, author):
                create_file(there, Manner().exact(text))
        document, _ = placed(engine, id)
        facts_follow.carry_out(engine, document, news, news.steps[1:], author=author, title=title, run=run)
    return Placed(document_id=id, path=path, change=applied.id, content_hash=versions.hash_of(text))


def retire(engine: Engine, document_id: str, *, author: str) -> Placed:
    """Remove a file; its versions stay, and undo brings it back. Raises NotFound, Conflict, StorageFailed."""
    with one_writer:
        document, workspace = placed(engine, document_id)
        file = current(engine, document, workspace)
        refuse_mended(document, file)
        path = path_of(document, workspace)
        manners = {
            "encoding": file.manner.encoding, "bom": file.manner.bom.hex(), "mode": stat.S_IMODE(path.stat().st_mode),
        }  # fmt: skip

        title = f"Removed {document.path}"
        news = news_of(engine, document, workspace, "")
        run = facts_follow.ahead(engine, document, news, author=author, title=title)

        def verb(db: Connection) -> tuple[Change, None]:
            now: Document = records.need(db, DOCUMENT, document.id)
            gone = records.moved(DOCUMENT, now, retired_at=engine.clock())
            edits = (gone, *facts_follow.last(engine, db, now, news, author=author))
            return replace(change_of(now, title, author, edits, op="retire", details=manners), run=run), None

        with held(workspace, path) as there:
            applied, _ = engine.store.decide(verb)
            assert applied is not None
            with taken_back(engine, applied.id, author):
                remove(there, file.manner.exact(file.text))
    hash = versions.hash_of(file.text)
    return Placed(document_id=document.id, path=document.path, change=applied.id, content_hash=hash)


def rename(engine: Engine, document_id: str, path: str, *, author: str) -> Placed:
    """Give a file another path in its workspace; its versions stay with it.

    Raises NotFound, Conflict when the path is taken, Refused when it leads elsewhere, StorageFailed."""
    with one_writer:
        document, workspace = placed(engine, document_id)
        source = path_of(document, workspace)
        if not source.exists():
            raise NotFound(f"{document.path} is no longer in {workspace.path}.")
        target = free_path(workspace, path)

        def verb(db: Connection) -> tuple[Change, None]:
            now: Document = records.need(db, DOCUMENT, document.id)
            edits = (*make_room(engine, db, workspace.id, path), moved_to(now, path, workspace))
            return change_of(now, f"Renamed {now.path} to {path}", author, edits), None

        with held(workspace, source) as old, held(workspace, target, made=True) as new:
            applied, _ = engine.store.decide(verb)
            assert applied is not None
            with taken_back(engine, applied.id, author):
                move(old, new)
    return Placed(document_id=document.id, path=path, change=applied.id, content_hash=document.content_hash)


def _news(
    engine: Engine, workspace: Workspace, path: str, text: str, carried: Mapping[str, str] | None
) -> News:
    """Return the news of a file that is created or comes back."""
    voice = voice_of(path, workspace.agent_id, engine.person)
    with engine.store.reading() as db:
        known = workspaces.document_at(db, workspace.id, path)
        believes = holds_facts(path, workspace.layout)
        return read_news(db, known, text, believes=believes, voice=voice, carried=carried)


def moved_to(document: Document, path: str, workspace: Workspace) -> Edit:
    """Return the edit that gives a document another path, with its layer and day."""
    layer = layer_of(path, workspace.layout)
    return records.moved(DOCUMENT, document, path=path, layer=layer, day=day_of(path))


def make_room(engine: Engine, db: Connection, workspace_id: str, path: str) -> tuple[Edit, ...]:
    """Return the edit that frees the path of a removed file; () when the path was never used. Raises Conflict
    when it is in use."""
    there = workspaces.document_at(db, workspace_id, path)
    if there is None:
        return ()
    if there.retired_at is None:
        raise Conflict(f"{path} is there already.")
    gone = PurePosixPath(path)
    return (records.moved(DOCUMENT, there, path=f"{path} (gone {there.id}){gone.suffix}"),)


def workspace_in_use(engine: Engine, workspace_id: str) -> Workspace:
    """Return a workspace whose folder exists. Raises NotFound."""
    with engine.store.reading() as db:
        workspace: Workspace = records.need(db, WORKSPACE, workspace_id)
    if workspace.retired_at is not None or not Path(workspace.path).is_dir():
        raise NotFound(
            f"The folder {workspace.path} is not there.", next="Put it back, or import it where it is."
        )
    return workspace


def free_path(workspace: Workspace, path: str) -> Path:
    """Return the real path for a new file. Raises Refused for a path that leads elsewhere, Conflict when it
    is taken."""
    parts = PurePosixPath(path).parts
    odd = (
        not parts
        or path.startswith("/")
        or ".." in parts
        or "\0" in path
        or "\\" in path
        or path.endswith("/")
    )
    longest = max((len(part.encode("utf-8", "replace")) for part in parts), default=0)
    long = longest > NAME_BYTES or len(path.encode("utf-8", "replace")) > PATH_BYTES
    if odd or long or is_temporary(parts[-1]):
        raise Refused(
            f"“{printable(path[:100])}” is no path in a workspace.", next="Name a file such as notes/tea.md."
        )
    target = within(Path(workspace.path), path)
    if target.is_symlink() or target.exists():
        raise Conflict(f"{path} is there already.", next="Read it, and save on top of it.")
    return real_within(Path(workspace.path), path)


def _coming(engine: Engine, db: Connection, workspace: Workspace, path: str, text: str) -> tuple[Draft, str]:
    """Draft the creation of a file, new or with the history it had; return the draft and the document's id."""
    draft = Draft(
        engine=engine, db=db, user_id=workspace.user_id, channel=workspace.channel, agent_id=workspace.agent_id,
        at=engine.clock(),
    )  # fmt: skip
    known = workspaces.document_at(db, workspace.id, path)
    if known is not None:
        if known.retired_at is None:
            raise Conflict(
                f"{path} is known, and its file is gone from the disk only now.", next="Try it once more."
            )
        draft.edits.append(version_edit(db, known, text, draft.at, retired_at=None))
        return draft, known.id
    id = draft.bear(
        DOCUMENT, channel=draft.channel, agent_id=draft.agent_id, workspace_id=workspace.id, path=path,
        layer=layer_of(path, workspace.layout), day=day_of(path), content_hash=versions.keep(db, text), size=len(text),
        created_at=draft.at, updated_at=draft.at, retired_at=draft.at,
    )  # fmt: skip
    draft.edits.append(Edit(DOCUMENT.name, id, {"retired_at": draft.at}, {"retired_at": None}))
    return draft, id
