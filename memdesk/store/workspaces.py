"""Reads of workspaces and documents: who is where, and every version a file has had."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks, find, many


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One version of a file, and the change that made it so. `before` is the hash it replaced, None at birth."""

    change: int
    at: int
    op: str
    author: str
    before: str | None
    content_hash: str


def workspace_at(db: Connection, user_id: str, path: str) -> Workspace | None:
    """The workspace registered for this folder, retired ones included."""
    return next(iter(find(db, WORKSPACE, user_id=user_id, path=path)), None)


def document_at(db: Connection, workspace_id: str, path: str) -> Document | None:
    """The document of this path in a workspace, retired ones included."""
    return next(iter(find(db, DOCUMENT, workspace_id=workspace_id, path=path)), None)


def documents_of(db: Connection, agents: Sequence[str] = ()) -> list[tuple[Document, Workspace]]:
    """Every document in use with its workspace; `agents` empty for all. By workspace, then by path."""
    found: list[Document] = (
        [document for document in many(db, DOCUMENT, "agent_id", agents) if document.retired_at is None]
        if agents
        else find(db, DOCUMENT, retired_at=None)
    )
    workspaces = {
        workspace.id: workspace
        for workspace in many(db, WORKSPACE, "id", sorted({document.workspace_id for document in found}))
    }
    pairs = [(document, workspaces[document.workspace_id]) for document in found]
    return sorted(pairs, key=lambda pair: (pair[1].name, pair[1].seq, pair[0].path))


def versions_of(db: Connection, document_id: str) -> list[Kept]:
    """Every version of a document, oldest first; changes that moved something else are left out."""
    rows = db.rows(
        "SELECT changes.id, at, op, author, before, after FROM edits JOIN changes ON changes.id = edits.change "
        "WHERE record = ? ORDER BY edits.change, n",
        (document_id,),
    )
    found: list[Kept] = []
    for change, at, op, author, before, after in rows:
        was, now = (json.loads(side) if side else {} for side in (before, after))
        if "content_hash" in now:
            found.append(
                Kept(
                    change=change,
                    at=at,
                    op=op,
                    author=author,
                    before=was.get("content_hash"),
                    content_hash=now["content_hash"],
                )
            )
    return found


def turns_there(db: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Which of these turn ids exist, and in which conversation."""
    found: dict[str, str] = {}
    for chunk in chunks(ids):
        rows = db.rows(f"SELECT id, conversation_id FROM turns WHERE id IN ({marks(chunk)})", chunk)
        found.update(dict(rows))
    return found
