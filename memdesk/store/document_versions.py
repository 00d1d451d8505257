"""Reads of workspaces and documents: their locations, and every version of a file."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import NotFound, StorageFailed
from memdesk.model.message import message
from memdesk.store import run_context
from memdesk.store.connection import Connection
from memdesk.store.records import find, many, rows_among


def has_documents(db: Connection) -> bool:
    """Return True if any file was ever read."""
    return db.value("SELECT max(seq) FROM documents") is not None


def hash_of(text: str) -> str:
    """Return the name of a version: BLAKE2b of its text, 32 hex digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def keep(db: Connection, text: str, document_id: str = "") -> str:
    """Store a version once; return its hash. Call inside a verb, on the writer's connection. document_id: the file
    that its secrets are found in.

    A rehearsal, which runs on a reader's connection, stores none."""
    text = db.guard(text, document_id, "")
    name = hash_of(text)
    if run_context.is_rehearsal():
        return name
    body = zlib.compress(text.encode("utf-8", "surrogatepass"), 6)
    db.run("INSERT INTO versions (hash, body) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, body))
    return name


def text_of(db: Connection, content_hash: str) -> str:
    """Return the text of a stored version. Raises NotFound, or StorageFailed if it is damaged."""
    with db.as_owner():
        body = db.value("SELECT body FROM versions WHERE hash = ?", (content_hash,))
    if body is None:
        raise NotFound(message("There is no version {content_hash}.", content_hash=content_hash))
    if not matches_hash(content_hash, body):
        raise StorageFailed(
            message(
                "The text of version {content_hash} is damaged on the disk, and is not shown.",
                content_hash=content_hash[:8],
            ),
            next=message("Run `memdesk verify` to see what else is, then restore a backup."),
        )
    return _text(body)


def text_of_file(db: Connection, document_id: str, content_hash: str) -> str:
    """Return the text of a version of a document. Raises NotFound if it never was one, and StorageFailed."""
    if not had_version(db, document_id, content_hash):
        raise NotFound(
            message(
                "File {document_id} has no version {content_hash}.",
                document_id=document_id,
                content_hash=content_hash,
            )
        )
    return text_of(db, content_hash)


def matches_hash(content_hash: str, body: bytes) -> bool:
    """Return True if a stored version matches its hash."""
    try:
        return hash_of(_text(body)) == content_hash
    except (zlib.error, UnicodeDecodeError):
        return False


def _text(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")


COMMITS = "commits"
"""Key in the details of an import: the earlier versions that Git knows, oldest first, as [hash, author, time]."""
FILES_STAY = "files_stay"
"""Key in the details of a change that removes documents from the desk and leaves their files in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Version of a file, and the change that made it. `before` is the hash it replaced, None for the first.

    beside: it was never the file's text: it clashed with that text, and was kept."""

    change: int
    at: int
    op: str
    author: str
    before: str | None
    content_hash: str
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """Original change that an undo, or a redo, goes back to."""

    op: str
    details: dict[str, Any]

    @property
    def files_stay(self) -> bool:
        """Return True if the change affected only records of files, and no file: an import, or the removal of
        a folder."""
        return self.op == "import" or FILES_STAY in self.details


def workspace_at(db: Connection, user_id: str, path: str) -> Workspace | None:
    """Return the workspace registered for this folder, retired ones included."""
    return next(iter(find(db, WORKSPACE, user_id=user_id, path=path)), None)


def document_at(db: Connection, workspace_id: str, path: str) -> Document | None:
    """Return the document of this path in a workspace, retired ones included."""
    return next(iter(find(db, DOCUMENT, workspace_id=workspace_id, path=path)), None)


def documents_of(db: Connection, agents: Sequence[str] = ()) -> list[tuple[Document, Workspace]]:
    """Return every document in use with its workspace; `agents` empty for all. By workspace, then by path."""
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


def lines_reader(db: Connection) -> str:
    """Return the name of the rules by which the lines of all files were last read; "" for none that had a name."""
    return str(db.value("SELECT lines_reader FROM upkeep"))


def note_lines_reader(db: Connection, name: str) -> None:
    db.run("UPDATE upkeep SET lines_reader = ?", (name,))


def in_use(db: Connection, workspace_id: str) -> dict[str, Document]:
    """Return the documents in use of a workspace, by path."""
    found = find(db, DOCUMENT, workspace_id=workspace_id, retired_at=None)
    return {document.path: document for document in found}


def had_version(db: Connection, document_id: str, content_hash: str) -> bool:
    """Return True if this was ever a version of the document, including conflicting ones that were kept."""
    sql = (
        "SELECT 1 FROM edits JOIN changes ON changes.id = edits.change WHERE record = ?1 AND "
        "(?2 IN (before ->> 'content_hash', after ->> 'content_hash') OR EXISTS "
        "(SELECT 1 FROM json_each(changes.details, ?3) AS commits WHERE commits.value ->> 0 = ?2)) LIMIT 1"
    )
    return db.value(sql, (document_id, content_hash, f"$.{COMMITS}")) is not None


def versions_of(db: Connection, document_id: str, *, limit: int = -1) -> list[Kept]:
    """Return the latest versions of a document, oldest first; changes that did not affect the text are left
    out.

    A conflicting text precedes the version it clashed with, which is still the file's. The commits of a file that was
    imported from a Git repository come before its import, with their own authors and times."""
    rows = db.rows(
        "SELECT changes.id, at, op, author, before ->> 'content_hash', after ->> 'content_hash', "
        f"details -> '$.{COMMITS}' "
        "FROM edits JOIN changes ON changes.id = edits.change WHERE record = ? "
        "AND after ->> 'content_hash' IS NOT NULL ORDER BY edits.change DESC, n DESC LIMIT ?",
        (document_id, limit),
    )
    found: list[Kept] = []
    commits: dict[int, list[tuple[str, str, int]]] = {}
    for change, at, op, author, before, after, known in reversed(rows):
        found.append(Kept(change=change, at=at, op=op, author=author, before=before, content_hash=after))
        commits[change] = json.loads(known or "[]")
    versions = [
        each for kept in _with_conflicts_marked(found) for each in _with_commits(kept, commits[kept.change])
    ]
    return versions[-limit:] if limit > 0 else versions


def _with_commits(kept: Kept, commits: Sequence[tuple[str, str, int]]) -> Iterator[Kept]:
    """Yield the commits before an imported version, then that version."""
    before = kept.before
    for name, author, at in commits:
        yield Kept(change=kept.change, at=at, op="update", author=author, before=before, content_hash=name)
        before = name
    yield replace(kept, before=before)


def _with_conflicts_marked(found: list[Kept]) -> list[Kept]:
    """Mark conflicting versions: a change that sets a file's text and reverts it keeps that text as a
    conflicting one."""
    marked: list[Kept] = []
    for each in found:
        if marked and marked[-1].change == each.change and marked[-1].before == each.content_hash:
            marked.insert(-1, replace(marked.pop(), beside=True))
        else:
            marked.append(each)
    return marked


def last_move(db: Connection, document_id: str, field: str) -> tuple[int, Root, str] | None:
    """Return (time, original change, author) of the latest change of this field of a document, or None."""
    row = db.row(
        "SELECT at, changes.id, author FROM edits JOIN changes ON changes.id = edits.change WHERE record = ? "
        "AND (before IS NULL OR after IS NULL OR after -> ('$.' || ?) IS NOT NULL) "
        "ORDER BY edits.change DESC LIMIT 1",
        (document_id, field),
    )
    return None if row is None else (row[0], root_change(db, row[1]), row[2])


def root_change(db: Connection, change: int) -> Root:
    """Return the original change behind a change, following undo and redo."""
    row = db.row("SELECT op, details, undoes FROM changes WHERE id = ?", (change,))
    if row is None:
        return Root(op="", details={})
    return Root(op=row[0], details=json.loads(row[1])) if row[2] is None else root_change(db, row[2])


def indexed(db: Connection, workspace_id: str) -> dict[str, tuple[int, int]]:
    """Return, by document in use of a workspace, how many passages it has, and how many of them wait for a
    vector."""
    rows = db.rows(
        "SELECT documents.id, count(passages.seq), count(*) - count(searchable.embedding) FROM documents "
        "JOIN passages ON passages.document_id = documents.id JOIN searchable ON searchable.seq = passages.seq "
        "WHERE workspace_id = ? AND retired_at IS NULL GROUP BY documents.id",
        (workspace_id,),
    )
    return {id: (passages, waiting) for id, passages, waiting in rows}


def count_line_facts(db: Connection, workspace_id: str) -> int:
    """Return the number of current facts that are read from lines of a workspace's files."""
    count: int = db.value(
        "SELECT count(DISTINCT facts.id) FROM relations JOIN documents ON documents.id = relations.target_id "
        "JOIN facts ON facts.id = relations.source_id WHERE workspace_id = ? AND documents.retired_at IS NULL "
        "AND relations.type = 'DERIVED_FROM' AND relations.retired_at IS NULL AND facts.retired_at IS NULL "
        "AND facts.superseded_by IS NULL",
        (workspace_id,),
    )
    return count


def existing_turns(db: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return those of these turn ids that exist, with their conversation."""
    return dict(rows_among(db, "SELECT id, conversation_id FROM turns WHERE id IN (*)", ids))
