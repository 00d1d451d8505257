"""Completion, at the service's start, of file writes that were journalled but not carried out."""

from __future__ import annotations

import logging
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.disk import last_meant, on_disk, path_of, unwritten
from memdesk.files.atomic import create, remove, sweep, write_atomic
from memdesk.files.manner import Manner
from memdesk.model.change import OUTSIDE
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.store import records, versions, workspaces

log = logging.getLogger(__name__)


def reconcile(engine: Engine) -> int:
    """Finish the writes that a kill interrupted; return the number of files."""
    with engine.store.reading() as db:
        homes = {each.id: each for each in records.find(db, WORKSPACE)}
        known: list[Document] = records.find(db, DOCUMENT)
    found = [(each, homes[each.workspace_id]) for each in known]
    for folder in sorted({Path(workspace.path, document.path).parent for document, workspace in found}):
        sweep(folder)
    return sum(_finish(engine, document, workspace) for document, workspace in found)


def _finish(engine: Engine, document: Document, workspace: Workspace) -> bool:
    try:
        if document.retired_at is not None:
            return _finish_removal(engine, document, workspace)
        if not path_of(document, workspace).exists():
            return _finish_coming(engine, document, workspace)
        return _finish_save(engine, document, workspace)
    except (NotFound, Refused, Conflict):
        return False
    except StorageFailed:
        log.warning("A write of %s could not be finished", document.path, exc_info=True)
        return False


def _finish_save(engine: Engine, document: Document, workspace: Workspace) -> bool:
    with engine.store.reading() as db:
        last = last_meant(db, document)
        text = "" if last is None else versions.text_of(db, last.content_hash)
    if last is None:
        return False
    file = on_disk(engine, document, workspace)
    if not unwritten(last, file):
        return False
    write_atomic(path_of(document, workspace), file.manner.exact(text))
    return True


def _finish_coming(engine: Engine, document: Document, workspace: Workspace) -> bool:
    """Create a file that was to be created, if no folder on its path was touched since; return True if it
    was."""
    path = path_of(document, workspace)
    at = _meant_at(engine, document)
    above = next(folder for folder in path.parents if folder.is_dir())
    if at is None or not Path(workspace.path).is_dir() or above.stat().st_mtime_ns // 1000 > at:
        return False
    with engine.store.reading() as db:
        text = versions.text_of(db, document.content_hash)
    create(path, Manner().exact(text))
    return True


def _finish_removal(engine: Engine, document: Document, workspace: Workspace) -> bool:
    """Remove a file that was to be removed, if neither it nor its name was touched since; return True if it
    was."""
    path = path_of(document, workspace)
    at = _meant_at(engine, document)
    if at is None or not path.exists() or path.stat().st_ctime_ns // 1000 > at:
        return False
    file = on_disk(engine, document, workspace)
    if versions.hash_of(file.text) != document.content_hash:
        return False
    remove(path, file.manner.exact(file.text))
    return True


def _meant_at(engine: Engine, document: Document) -> int | None:
    """Return when MemDesk last decided to create or remove this file; None when that was found on the disk."""
    with engine.store.reading() as db:
        last = workspaces.last_move(db, document.id, "retired_at")
    if last is None or last[1].files_stay or last[2] == OUTSIDE:
        return None
    return last[0]
