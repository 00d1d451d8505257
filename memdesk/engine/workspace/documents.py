"""Identity files and notes as a person reads and saves them. The disk is the truth; every version of it is kept.

A save is journalled first and written then: what was meant survives a crash, and `reconcile` finishes it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.authorship import line_authors, moved_lines
from memdesk.engine.workspace.disk import change_of, current, last_meant, moved, on_disk, placed, unwritten
from memdesk.engine.workspace.layouts import budget_of
from memdesk.files.atomic import sweep, write_atomic
from memdesk.files.reading import TextFile, sound
from memdesk.model.change import Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, Conflict, NotFound, Refused, StorageFailed
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
from memdesk.store import journal, records, versions, workspaces
from memdesk.store.connection import Connection
from memdesk.store.workspaces import Kept

log = logging.getLogger(__name__)
FILES = "job:files"
VERSIONS_SHOWN = 200
COMPARED_CHARACTERS = 4_000_000
"""Of all versions together: above it, older ones are listed without their line counts."""
_writing = threading.RLock()
"""Files are written one at a time: what was read just before a write is still so when it happens."""


def list_workspaces(engine: Engine) -> WorkspaceList:
    """Every registered folder, and whether it is still on the disk."""
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
        )
        for each in found
    )
    return WorkspaceList(rows=tuple(rows))


def files(engine: Engine, ask: ListFiles) -> FileList:
    """Every file that is not a day's log, as last seen."""
    with engine.store.reading() as db:
        found = workspaces.documents_of(db, ask.agents)
    return FileList(
        rows=tuple(_row(document, workspace) for document, workspace in found if document.day is None)
    )


def read(engine: Engine, ask: ReadFile) -> FileText:
    """A file as it is on the disk now, with its versions. An edit made outside is recorded first.

    Raises NotFound when the file is gone, Refused when it can no longer be read as text.
    """
    document, workspace = placed(engine, ask.document_id)
    file = current(engine, document, workspace)
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
        kept = workspaces.versions_of(db, document.id)
        texts = _texts(db, kept)
    return FileText(
        document_id=document.id,
        path=document.path,
        layer=document.layer,
        agent_id=document.agent_id,
        text=file.text,
        content_hash=versions.hash_of(file.text),
        budget=budget_of(document.path),
        versions=_shown(kept, texts),
        authors=line_authors(file.text, kept, texts),
    )


def version(engine: Engine, ask: ReadVersion) -> VersionText:
    """The text of one version of a file. Raises NotFound."""
    with engine.store.reading() as db:
        if all(kept.content_hash != ask.content_hash for kept in workspaces.versions_of(db, ask.document_id)):
            raise NotFound(f"File {ask.document_id} has no version {ask.content_hash}.")
        return VersionText(content_hash=ask.content_hash, text=versions.text_of(db, ask.content_hash))


def save(engine: Engine, ask: SaveFile, *, author: str) -> Saved:
    """Save a file atomically, in the line ends and encoding it had.

    Raises Conflict with both texts when the disk moved since `base_hash`, Refused when the bytes on the disk are no
    text that could be kept, StorageFailed when it cannot be written; the file is then as it was.
    """
    if sound(ask.text) != ask.text:
        raise BadAsk("The text holds a NUL or half a character, which no text file can.")
    with _writing:
        document, workspace = placed(engine, ask.document_id)
        file = current(engine, document, workspace)
        _check_base(engine, document, file, ask)
        text = file.manner.kept(ask.text)
        saved = _intend(engine, document, text, author)
        if saved is None:
            return _as_it_is(engine, document.id)
        try:
            write_atomic(Path(workspace.path, document.path), file.manner.exact(text))
        except StorageFailed:
            engine.store.decide(lambda db: (journal.mirrored(db, saved.change, author), None))
            raise
        return saved


def before_undo(engine: Engine, db: Connection, edits: Sequence[Edit]) -> None:
    """Refuse to undo a change of files that were changed on the disk since. Runs on the writer thread.

    edits: as the undo would carry them out. Raises Conflict with both texts.
    """
    for edit, before, after in _file_moves(edits):
        document: Document = records.need(db, DOCUMENT, edit.id)
        workspace: Workspace = records.need(db, WORKSPACE, document.workspace_id)
        file = on_disk(engine, document, workspace)
        if versions.hash_of(file.text) not in (before, after):
            raise Conflict(
                f"{document.path} was changed on the disk since.",
                details={"expected": versions.text_of(db, before), "found": file.text},
            )


def after_undo(engine: Engine, edits: Sequence[Edit]) -> None:
    """Write the versions that an undo brought back to the disk.

    Raises StorageFailed when a file cannot be written: the undo is then taken back.
    """
    with _writing:
        for edit, before, after in _file_moves(edits):
            document, workspace = placed(engine, edit.id)
            with engine.store.reading() as db:
                text = versions.text_of(db, after)
            file = on_disk(engine, document, workspace)
            if versions.hash_of(file.text) != before:
                continue
            try:
                write_atomic(Path(workspace.path, document.path), file.manner.exact(text))
            except StorageFailed:
                _take_back(engine, document, edits)
                raise


def reconcile(engine: Engine) -> int:
    """At the service's start: finish saves that were journalled and not written; returns how many there were."""
    with engine.store.reading() as db:
        found = workspaces.documents_of(db)
    for folder in sorted({Path(workspace.path, document.path).parent for document, workspace in found}):
        sweep(folder)
    return sum(_finish(engine, document, workspace) for document, workspace in found)


def _finish(engine: Engine, document: Document, workspace: Workspace) -> bool:
    with engine.store.reading() as db:
        last = last_meant(db, document)
        text = "" if last is None else versions.text_of(db, last.content_hash)
    if last is None:
        return False
    try:
        file = on_disk(engine, document, workspace)
        if not unwritten(last, file):
            return False
        write_atomic(Path(workspace.path, document.path), file.manner.exact(text))
    except (NotFound, Refused):
        return False
    except StorageFailed:
        log.warning("A save of %s could not be finished", document.path, exc_info=True)
        return False
    return True


def _intend(engine: Engine, document: Document, text: str, author: str) -> Saved | None:
    """Journal what is about to be written; None when the file reads so already."""

    def verb(db: Connection) -> tuple[Change | None, None]:
        now: Document = records.need(db, DOCUMENT, document.id)
        return moved(db, now, text, engine.clock(), f"Edited {now.path}", author), None

    applied, _ = engine.store.decide(verb)
    return None if applied is None else Saved(change=applied.id, content_hash=versions.hash_of(text))


def _check_base(engine: Engine, document: Document, file: TextFile, ask: SaveFile) -> None:
    if file.mended:
        raise Refused(
            f"{document.path} holds bytes that are not UTF-8; saving would lose them.",
            next="Convert the file to UTF-8 first.",
        )
    if versions.hash_of(file.text) == ask.base_hash:
        return
    with engine.store.reading() as db:
        known = any(kept.content_hash == ask.base_hash for kept in workspaces.versions_of(db, document.id))
        base = versions.text_of(db, ask.base_hash) if known else ""
    raise Conflict(
        f"{document.path} was changed on the disk since you opened it.",
        details={"expected": base, "found": file.text, "found_hash": versions.hash_of(file.text)},
    )


def _as_it_is(engine: Engine, document_id: str) -> Saved:
    with engine.store.reading() as db:
        last = workspaces.versions_of(db, document_id)[-1]
    return Saved(change=last.change, content_hash=last.content_hash)


def _file_moves(edits: Sequence[Edit]) -> list[tuple[Edit, str, str]]:
    """The edits that move a file from one version to another; births and deaths leave the disk alone."""
    return [
        (edit, edit.before["content_hash"], edit.after["content_hash"])
        for edit in edits
        if edit.kind == DOCUMENT.name and edit.before and edit.after and "content_hash" in edit.after
    ]


def _take_back(engine: Engine, document: Document, edits: Sequence[Edit]) -> None:
    title = f"{document.path} could not be written; the undo was taken back"
    engine.store.apply(change_of(document, title, FILES, tuple(edit.mirrored() for edit in reversed(edits))))


def _texts(db: Connection, kept: Sequence[Kept]) -> dict[str, str]:
    """The texts of the latest versions, as many as may be compared, by their hashes."""
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
        budget=budget_of(document.path),
        updated_at=to_datetime(document.updated_at),
    )


def _shown(kept: Sequence[Kept], texts: dict[str, str]) -> tuple[FileVersion, ...]:
    """The latest versions, newest first."""
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
            )
        )
    return tuple(reversed(rows))
