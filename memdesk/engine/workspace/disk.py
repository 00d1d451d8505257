"""A file on the disk against what the desk last saw of it, and the change that brings the two together."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.files.reading import MEGABYTE, TextFile, read_text, within
from memdesk.model.change import Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import NotFound
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection
from memdesk.store.workspaces import Kept

OUTSIDE = "outside"
"""The author of what somebody wrote into a file by another program."""


def current(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """A file as it is on the disk; when it is not as last seen, that is recorded as an edit made outside."""
    file = on_disk(engine, document, workspace)
    if versions.hash_of(file.text) != document.content_hash:
        _note(engine, document, file)
    return file


def placed(engine: Engine, document_id: str) -> tuple[Document, Workspace]:
    """A document and the workspace it lies in. Raises NotFound."""
    with engine.store.reading() as db:
        document: Document = records.need(db, DOCUMENT, document_id)
        return document, records.need(db, WORKSPACE, document.workspace_id)


def on_disk(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """A file as it is on the disk. Raises NotFound when it is gone, Refused when it is no text or leads elsewhere."""
    path = within(Path(workspace.path), document.path)
    if not path.exists():
        raise NotFound(
            f"{document.path} is no longer in {workspace.path}.",
            next="Its versions are kept; put the file back, or look at them in the audit timeline.",
            details={"content_hash": document.content_hash},
        )
    return read_text(path, document.path, limit_bytes=engine.settings.import_file_megabytes * MEGABYTE)


def last_meant(db: Connection, document: Document) -> Kept | None:
    """The last version if it was for us to write, by a save or an undo; None if it was found on the disk."""
    last = next(reversed(workspaces.versions_of(db, document.id)), None)
    return None if last is None or last.op == "import" or last.author == OUTSIDE else last


def unwritten(last: Kept | None, file: TextFile) -> bool:
    """Whether what was meant is not on the disk yet: the file holds the version before, and was not touched since."""
    return last is not None and versions.hash_of(file.text) == last.before and file.modified_at <= last.at


def _note(engine: Engine, document: Document, file: TextFile) -> None:
    """Record what somebody wrote with another program."""

    def verb(db: Connection) -> tuple[Change | None, None]:
        now: Document = records.need(db, DOCUMENT, document.id)
        if unwritten(last_meant(db, now), file):
            return None, None
        return moved(db, now, file.text, file.modified_at, f"Edited outside: {now.path}", OUTSIDE), None

    engine.store.decide(verb)


def moved(db: Connection, document: Document, text: str, at: int, title: str, author: str) -> Change | None:
    """The change that makes `text` a file's version; None when it reads so already."""
    if versions.hash_of(text) == document.content_hash:
        return None
    edit = records.moved(
        DOCUMENT, document, content_hash=versions.keep(db, text), size=len(text), updated_at=at
    )
    return change_of(document, title, author, (edit,))


def change_of(document: Document, title: str, author: str, edits: tuple[Edit, ...]) -> Change:
    return Change(
        op="update",
        layer="workspace",
        title=title,
        author=author,
        edits=edits,
        channel=document.channel,
        user_id=document.user_id,
    )
