"""Access to one file of a workspace by its path, known to the desk or not: read it, add to it, or rewrite it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import outside_edits, placing, writing
from memdesk.engine.workspace.disk import one_writer
from memdesk.files.reading import TextFile
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import NotFound, Refused
from memdesk.model.message import Message
from memdesk.store import bookkeeping, document_versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """Result of a write. repeated: True if it had been done before under the same key."""

    document_id: str
    change: int
    repeated: bool = False


def text_of(engine: Engine, workspace: Workspace, path: str) -> str | None:
    """Return a file's present text; None when there is none that can be read."""
    found = read(engine, workspace, path)
    return None if found is None else found[1].text


def read(engine: Engine, workspace: Workspace, path: str) -> tuple[Document, TextFile] | None:
    """Return a file's document and its present content; None when there is none that can be read."""
    document = _known(engine, workspace, path)
    if document is None:
        return None
    try:
        return document, writing.current(engine, document, workspace)
    except (NotFound, Refused):
        return None


def add(
    engine: Engine,
    workspace: Workspace,
    path: str,
    text: str,
    *,
    opening: str = "",
    author: str,
    title: Message,
    key: str | None = None,
    carried: Mapping[str, str] | None = None,
) -> Added:
    """Append a text to a file, or create it with `opening` before the text. key: makes a retry harmless.

    carried: ids of facts by the lines that were written from them."""
    with one_writer:
        if key is not None and (done := _repeated(engine, workspace, path, author, key)) is not None:
            return done
        document = _known(engine, workspace, path)
        if document is None:
            made = placing.create(
                engine,
                workspace.id,
                path,
                opening + text,
                author=author,
                title=title,
                key=key,
                carried=carried,
            )
            return Added(document_id=made.document_id, change=made.change)
        empty = not writing.current(engine, document, workspace).text
        whole = opening + text if empty else text
        saved = writing.append(
            engine, document.id, whole, author=author, title=title, key=key, carried=carried
        )
        return Added(document_id=document.id, change=saved.change)


def rewrite(
    engine: Engine, workspace: Workspace, path: str, text: str, *, author: str, title: Message
) -> Added:
    """Replace a file's text, or create the file; the version before is kept."""
    with one_writer:
        document = _known(engine, workspace, path)
        if document is None:
            made = placing.create(engine, workspace.id, path, text, author=author, title=title)
            return Added(document_id=made.document_id, change=made.change)
        now = document_versions.hash_of(writing.current(engine, document, workspace).text)
        saved = writing.replace(engine, document.id, text, base_hash=now, author=author, title=title)
        return Added(document_id=document.id, change=saved.change)


def _known(engine: Engine, workspace: Workspace, path: str) -> Document | None:
    """Return the document of a path; a file only on the disk is taken in first, one that is gone is removed first."""
    with engine.store.reading() as db:
        document = document_versions.in_use(db, workspace.id).get(path)
    there = Path(workspace.path, path).exists()
    if there == (document is not None):
        return document
    outside_edits.take_in_changes(engine, [Path(workspace.path, path)], empty=True)
    with engine.store.reading() as db:
        return document_versions.in_use(db, workspace.id).get(path)


def _repeated(engine: Engine, workspace: Workspace, path: str, author: str, key: str) -> Added | None:
    with engine.store.reading() as db:
        done = bookkeeping.answered(db, workspace.user_id, author, key)
        document = document_versions.in_use(db, workspace.id).get(path)
    if done is None:
        return None
    return Added(document_id="" if document is None else document.id, change=done[0], repeated=True)
