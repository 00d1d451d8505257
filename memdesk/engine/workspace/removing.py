"""Removal of a folder from the desk: its files are no longer watched, searched or shown, and stay on the
disk.

Facts read from its lines stay too; they can be retired one by one, or with their channel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.disk import change_of, one_writer
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Workspace
from memdesk.model.errors import NotFound
from memdesk.model.folders import AskFolder, FolderRemoved
from memdesk.model.ids import new_id
from memdesk.store import records, workspaces
from memdesk.store.connection import Connection
from memdesk.store.workspaces import FILES_STAY


def remove(engine: Engine, ask: AskFolder, *, author: str) -> FolderRemoved:
    """Retire a workspace and its documents, as one run that can be undone. Raises NotFound.

    The workspace itself is retired with the last change, so that after an interruption it is still there with
    its remaining files."""
    run = new_id("run", engine.clock())
    with one_writer:
        workspace = in_use(engine, ask.workspace_id)
        with engine.store.reading() as db:
            ids = sorted(each.id for each in workspaces.in_use(db, workspace.id).values())
        groups = [ids[start : start + EDITS_AT_MOST - 1] for start in range(0, len(ids), EDITS_AT_MOST - 1)]
        change = 0
        for number, group in enumerate(groups or [[]], 1):
            applied, _ = engine.store.decide(
                _leaving(engine, workspace, group, author, run, last=number >= len(groups))
            )
            change = change if applied is None else applied.id
    return FolderRemoved(id=workspace.id, name=workspace.name, files=len(ids), change=change)


def in_use(engine: Engine, workspace_id: str) -> Workspace:
    """Return a workspace that is on the desk, even if its folder is missing. Raises NotFound."""
    with engine.store.reading() as db:
        workspace: Workspace | None = records.get(db, WORKSPACE, workspace_id)
    if workspace is None or workspace.retired_at is not None:
        raise NotFound("There is no such folder on this desk.", next="`memdesk workspaces` lists them.")
    return workspace


def _leaving(
    engine: Engine, workspace: Workspace, ids: Sequence[str], author: str, run: str, *, last: bool
) -> Callable[[Connection], tuple[Change | None, None]]:
    """Return the verb that retires these documents, and with the last of them the workspace."""

    def verb(db: Connection) -> tuple[Change | None, None]:
        at = engine.clock()
        now: Workspace = records.need(db, WORKSPACE, workspace.id)
        edits: list[Edit] = [
            records.moved(DOCUMENT, each, retired_at=at)
            for each in records.many(db, DOCUMENT, "id", ids)
            if each.retired_at is None
        ]
        if last and now.retired_at is None:
            edits.append(records.moved(WORKSPACE, now, retired_at=at))
        change = change_of(
            now, f"Removed the folder {now.name}; its files stay on the disk", author, tuple(edits), op="retire",
            details={"path": now.path, FILES_STAY: True},
        )  # fmt: skip
        return (replace(change, run=run) if edits else None), None

    return verb
