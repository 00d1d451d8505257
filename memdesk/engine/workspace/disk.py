"""A file on the disk against what the desk last saw of it, and the change that brings the two together."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import facts_follow
from memdesk.engine.workspace.news import news_of
from memdesk.files import walk
from memdesk.files.reading import MEGABYTE, TextFile, read_text, real_within
from memdesk.model.change import OUTSIDE, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import NotFound, Refused
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection
from memdesk.store.workspaces import Kept

one_writer = threading.RLock()
"""Files are written one at a time: what was read just before a write is still so when it happens."""

one_comparer = threading.RLock()
"""Held by who compares folders with the desk, and by a run that brings files in or lets them go: neither is to take
what the other has not come to yet for news."""


def placed(engine: Engine, document_id: str) -> tuple[Document, Workspace]:
    """A document and the workspace it lies in. Raises NotFound."""
    with engine.store.reading() as db:
        document: Document = records.need(db, DOCUMENT, document_id)
        return document, records.need(db, WORKSPACE, document.workspace_id)


def path_of(document: Document, workspace: Workspace) -> Path:
    """Where a file's bytes lie, links inside its workspace followed. Raises Refused when one leads out of it."""
    return real_within(Path(workspace.path), document.path)


@contextmanager
def held(workspace: Workspace, path: Path, *, made: bool = False) -> Iterator[Path]:
    """A file of a workspace by way of its folder, held open: what takes that folder's place meanwhile is not met.

    path: as `path_of` tells it. made: the folder is made where it is missing. Raises NotFound when it is gone, Refused
    when a link lies on the way by now.
    """
    root = Path(workspace.path).resolve()
    if not path.is_relative_to(root):
        raise Refused(f"{path.name} leads out of {root.name}.")
    try:
        with walk.held(root, path.relative_to(root).parts, made=made) as there:
            yield there
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"{path.name} is no longer in {workspace.path}.") from None


def on_disk(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """A file as it is on the disk. Raises NotFound when it is gone, Refused when it is no text or leads elsewhere."""
    path = path_of(document, workspace)
    if not path.exists():
        raise NotFound(
            f"{document.path} is no longer in {workspace.path}.",
            next="Its versions are kept; put the file back, or look at them in the audit timeline.",
            details={"content_hash": document.content_hash},
        )
    with held(workspace, path) as there:
        return read_text(there, document.path, limit_bytes=limit_of(engine), follow=False)


def limit_of(engine: Engine) -> int:
    """The size of the largest file that is read, in bytes."""
    return int(engine.settings.import_file_megabytes * MEGABYTE)


def last_meant(db: Connection, document: Document) -> Kept | None:
    """The last version if it was for us to write, by a save or an undo; None if it was found on the disk."""
    last = next(reversed(workspaces.versions_of(db, document.id, limit=3)), None)
    return None if last is None or last.op == "import" or last.author == OUTSIDE else last


def unwritten(last: Kept | None, file: TextFile) -> bool:
    """Whether what was meant is not on the disk yet: the file holds the version before, and was not touched since."""
    return last is not None and versions.hash_of(file.text) == last.before and file.modified_at <= last.at


def note(engine: Engine, document: Document, file: TextFile) -> bool:
    """Record what somebody wrote with another program; whether that is what the file holds."""
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
        workspace: Workspace = records.need(db, WORKSPACE, document.workspace_id)
        if unwritten(last_meant(db, document), file):
            return False
    title = f"Edited outside: {document.path}"
    moved(engine, document, workspace, file.text, at=file.modified_at, title=title, author=OUTSIDE)
    return True


def moved(
    engine: Engine, document: Document, workspace: Workspace, text: str, *, at: int, title: str, author: str,
    also: tuple[Edit, ...] = (), carried: Mapping[str, str] | None = None, key: str | None = None,
) -> int | None:  # fmt: skip
    """Make `text` a file's version, and let the facts of its lines follow; the change, None when nothing changes.

    also: edits that belong into the same change, and see to their own facts. carried: ids of facts by the lines that
    were written from them. Called by whoever holds `one_writer`.
    """
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
    news = news_of(engine, document, workspace, text, carried)
    run = facts_follow.ahead(engine, document, news, author=author, title=title, apart=also)

    def verb(db: Connection) -> tuple[Change | None, None]:
        now: Document = records.need(db, DOCUMENT, document.id)
        edits = also
        if versions.hash_of(text) != now.content_hash:
            followed = facts_follow.last(engine, db, now, news, author=author, apart=also)
            edits = (version_edit(db, now, text, at), *followed, *also)
        return (replace(change_of(now, title, author, edits), run=run, key=key) if edits else None), None

    applied, _ = engine.store.decide(verb)
    return None if applied is None else applied.id


def version_edit(db: Connection, document: Document, text: str, at: int, **other: object) -> Edit:
    """The edit that makes `text` a file's version, keeping it. Called on the writer's connection."""
    return records.moved(
        DOCUMENT, document, content_hash=versions.keep(db, text), size=len(text), updated_at=at, **other
    )


def change_of(
    placed: Document | Workspace, title: str, author: str, edits: tuple[Edit, ...], *, op: str = "update",
    details: dict[str, Any] | None = None,
) -> Change:  # fmt: skip
    return Change(
        op=op,
        layer="workspace",
        title=title,
        author=author,
        edits=edits,
        channel=placed.channel,
        user_id=placed.user_id,
        details=details or {},
    )


def refuse_mended(document: Document, file: TextFile) -> None:
    """Raise Refused when a file holds bytes that writing it anew would lose."""
    if file.mended:
        raise Refused(
            f"{document.path} holds bytes that are not UTF-8; saving would lose them.",
            next="Convert the file to UTF-8 first.",
        )
