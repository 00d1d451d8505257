"""Identity files and notes as a person reads and saves them. The disk decides the content; every version is
kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import writing
from memdesk.engine.workspace.authorship import line_authors, moved_lines
from memdesk.engine.workspace.disk import placed
from memdesk.engine.workspace.layouts import LAYOUTS, budget_of, why_of
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.workspace import (
    FileList,
    FileRow,
    FileText,
    FileVersion,
    ListFiles,
    ReadFile,
    ReadVersion,
    Saved,
    SaveFile,
    VersionText,
    WorkspaceList,
    WorkspaceRow,
)
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection
from memdesk.store.workspaces import Kept

VERSIONS_SHOWN = 200
COMPARED_CHARACTERS = 4_000_000
"""Limit on the text of all versions together; beyond it, older ones are listed without their line counts."""


def list_workspaces(engine: Engine) -> WorkspaceList:
    """Return every registered folder, and for each if it is still on the disk."""
    with engine.store.reading() as db:
        found: list[Workspace] = records.find(db, WORKSPACE, retired_at=None)
        held = [workspace.id for _, workspace in workspaces.documents_of(db)]
    rows = (
        WorkspaceRow(
            id=each.id,
            name=each.name,
            path=each.path,
            layout=each.layout,
            agent_id=each.agent_id,
            channel=each.channel,
            files=held.count(each.id),
            present=Path(each.path).is_dir(),
            why=why_of(Path(each.path), each.layout),
        )
        for each in found
    )
    return WorkspaceList(rows=tuple(rows), layouts=tuple(each.name for each in LAYOUTS))


def files(engine: Engine, ask: ListFiles) -> FileList:
    """Return every file that is not a day file, as last recorded."""
    with engine.store.reading() as db:
        found = workspaces.documents_of(db, ask.agents)
    return FileList(
        rows=tuple(_row(document, workspace) for document, workspace in found if document.day is None)
    )


def read(engine: Engine, ask: ReadFile) -> FileText:
    """Return a file as it is on the disk now, with its versions. An edit made outside is recorded first.

    Raises NotFound when the file is gone, Refused when it can no longer be read as text."""
    document, workspace = placed(engine, ask.document_id)
    file = writing.current(engine, document, workspace)
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
        kept = workspaces.versions_of(db, document.id, limit=VERSIONS_SHOWN)
        texts = _texts(db, kept)
    return FileText(
        document_id=document.id,
        path=document.path,
        layer=document.layer,
        agent_id=document.agent_id,
        text=file.text,
        content_hash=versions.hash_of(file.text),
        budget=budget_of(document.path, workspace.layout),
        versions=_shown(kept, texts),
        authors=line_authors(file.text, kept, texts),
    )


def version(engine: Engine, ask: ReadVersion) -> VersionText:
    """Return the text of one version of a file. Raises NotFound."""
    with engine.store.reading() as db:
        if not workspaces.had_version(db, ask.document_id, ask.content_hash):
            raise NotFound(f"File {ask.document_id} has no version {ask.content_hash}.")
        return VersionText(content_hash=ask.content_hash, text=versions.text_of(db, ask.content_hash))


def save(engine: Engine, ask: SaveFile, *, author: str) -> Saved:
    """Save a file atomically, with its line ends and encoding; changes made since `base_hash` are merged.

    Raises Conflict with both texts when they clash, Refused when the file's bytes would be lost,
    StorageFailed when it cannot be written; the file is then unchanged."""
    return writing.replace(
        engine, ask.document_id, ask.text, base_hash=ask.base_hash, author=author, merging=ask.merge
    )


def _texts(db: Connection, kept: Sequence[Kept]) -> dict[str, str]:
    """Return the texts of the latest versions by their hashes, as many as may be compared."""
    found: dict[str, str] = {}
    characters = 0
    for each in reversed(kept[-VERSIONS_SHOWN:]):
        if each.content_hash not in found:
            text = versions.text_of(db, each.content_hash)
            characters += len(text)
            if characters > COMPARED_CHARACTERS:
                break
            found[each.content_hash] = text
    return found


def _row(document: Document, workspace: Workspace) -> FileRow:
    return FileRow(
        document_id=document.id,
        workspace_id=workspace.id,
        workspace=workspace.name,
        agent_id=document.agent_id,
        path=document.path,
        layer=document.layer,
        size=document.size,
        budget=budget_of(document.path, workspace.layout),
        updated_at=to_datetime(document.updated_at),
    )


def _shown(kept: Sequence[Kept], texts: dict[str, str]) -> tuple[FileVersion, ...]:
    """Return the latest versions, newest first."""
    rows: list[FileVersion] = []
    for each in kept[-VERSIONS_SHOWN:]:
        there = each.content_hash in texts and (each.before is None or each.before in texts)
        before = texts.get(each.before or "", "")
        added, removed = moved_lines(before, texts[each.content_hash]) if there else (0, 0)
        rows.append(
            FileVersion(
                content_hash=each.content_hash,
                change=each.change,
                author=each.author,
                at=to_datetime(each.at),
                added=added,
                removed=removed,
                beside=each.beside,
            )
        )
    return tuple(reversed(rows))
