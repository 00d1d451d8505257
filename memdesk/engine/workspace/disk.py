"""Files of workspaces on the disk: compared with their last recorded version, and read with placeholders for the
secrets that a write puts back; and the workspace that a call may use."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import PERSON
from memdesk.engine.secrets.detector import MARK, PLACEHOLDER
from memdesk.engine.workspace import fact_updates
from memdesk.engine.workspace.layouts import Layout, layout_named
from memdesk.engine.workspace.line_facts import text_change_of
from memdesk.files import walk
from memdesk.files.reading import MEGABYTE, TextFile, TextFormat, read_text, real_within
from memdesk.model.change import OUTSIDE, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, NotAllowed, NotFound, Refused
from memdesk.model.message import Message, message
from memdesk.model.trust import of_lines
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection
from memdesk.store.document_versions import Kept


def hidden(engine: Engine, file: TextFile, path: Path | None = None) -> TextFile:
    """Return a file with placeholders in its text; its manner turns them back into its bytes.

    path: the file of a workspace, to which an earlier version with the same secret may be written back."""
    own = (
        frozenset(match["id"] for match in PLACEHOLDER.finditer(file.text))
        if MARK in file.text
        else frozenset()
    )
    text = engine.vault.masked(file.text, again=own)
    if text == file.text:
        return file
    there = {match[0] for match in PLACEHOLDER.finditer(file.text)}
    values = tuple(
        (match[0], value)
        for match in PLACEHOLDER.finditer(text)
        if match[0] not in there and (value := engine.vault.value(match["id"])) is not None
    )
    if path is not None:
        engine.vault.keep(text, file=str(path))
    return replace(file, text=text, manner=replace(file.manner, hidden=tuple(dict.fromkeys(values))))


def as_written(engine: Engine, file: TextFile | None, text: str, path: Path, *, author: str) -> TextFormat:
    """Return the manner in which a text is written to a file: with the secrets that this file has or had.

    A person's text may bring secrets into a file; in the text of anybody else they stay placeholders."""
    manner = TextFormat() if file is None else file.manner
    if MARK not in text:
        return manner
    known = dict(manner.hidden)
    own = {match[0] for match in PLACEHOLDER.finditer("" if file is None else file.text)} - known.keys()
    by_person = author.startswith(PERSON)
    for match in PLACEHOLDER.finditer(text):
        if match[0] in known or match[0] in own:
            continue
        if by_person or engine.vault.is_in(match["id"], str(path)):
            value = engine.vault.value(match["id"])
            if value is not None:
                known[match[0]] = value
    if by_person:
        engine.vault.keep("".join(known), author=author, file=str(path))
    return replace(manner, hidden=tuple(known.items()))


AGENT = "agent:"


def home(engine: Engine, workspace_id: str | None, agent_id: str | None, *, author: str) -> Workspace:
    """Return the workspace that a call is about. Raises NotFound, NotAllowed, BadAsk where several are possible."""
    own = author.removeprefix(AGENT) if author.startswith(AGENT) else None
    if own is not None and agent_id is not None and agent_id.casefold() != own.casefold():
        raise NotAllowed(message("{own} may not use the workspace of another agent.", own=own))
    if workspace_id is not None:
        with engine.store.reading() as db:
            return _allowed(records.need(db, WORKSPACE, workspace_id), own)
    found = engine.store.kept(WORKSPACE.table, None, lambda db: records.find(db, WORKSPACE, retired_at=None))
    name = own or agent_id
    mine = [each for each in found if name is None or (each.agent_id or "").casefold() == name.casefold()]
    if not mine:
        raise NotFound(
            message("{name} has no workspace on this desk.", name=name)
            if name
            else message("There is no workspace on this desk."),
            next=message(
                "The desk's owner connects its folder: `memdesk import FOLDER --agent {name}`.",
                name=shlex.quote(name),
            )
            if name
            else message("The desk's owner connects its folder: `memdesk import FOLDER`."),
        )
    if len(mine) > 1:
        listed = ", ".join(f"{each.id} ({each.path})" for each in mine[:5])
        raise BadAsk(
            message("Several workspaces could be meant: {listed}.", listed=listed),
            next=message("Name one as workspace_id."),
        )
    return mine[0]


def layout_of(workspace: Workspace) -> Layout:
    """Return the layout of a workspace."""
    return layout_named(workspace.layout)


def _allowed(workspace: Workspace, own: str | None) -> Workspace:
    if own is not None and (workspace.agent_id or "").casefold() != own.casefold():
        raise NotAllowed(
            message("{own} may not use the workspace {workspace}.", own=own, workspace=workspace.name)
        )
    return workspace


one_writer = threading.RLock()
"""Lock for writing files, one at a time: a text read just before a write is still the file's text at the write."""

one_comparer = threading.RLock()
"""Lock for comparing folders with the desk and for runs that import or remove files, so that neither mistakes
the other's unfinished work for outside changes."""


def document_and_workspace(engine: Engine, document_id: str) -> tuple[Document, Workspace]:
    """Return a document and its workspace. Raises NotFound."""
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document_id)
        return document, records.need(db, WORKSPACE, document.workspace_id)


def path_of(document: Document, workspace: Workspace) -> Path:
    """Return a file's real path, with links inside its workspace followed. Raises Refused when a link leads
    out of it."""
    return real_within(Path(workspace.path), document.path)


@contextmanager
def file_in_open_folder(workspace: Workspace, path: Path, *, made: bool = False) -> Iterator[Path]:
    """Yield the path of a file through its opened folder, so that another folder put in its place meanwhile
    is not used.

    path: as from `path_of`. made: create the folder where it is missing. Raises NotFound when it is gone,
    Refused when a link is on the way by now."""
    root = Path(workspace.path).resolve()
    if not path.is_relative_to(root):
        raise Refused(message("{path} leads out of {root}.", path=path.name, root=root.name))
    try:
        with walk.in_open_folder(root, path.relative_to(root).parts, made=made) as there:
            yield there
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(
            message("{path} is no longer in {workspace}.", path=path.name, workspace=workspace.path)
        ) from None


def on_disk(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """Return a file as it is on the disk. Raises NotFound when it is gone, Refused when it is no text or
    leads elsewhere."""
    path = path_of(document, workspace)
    if not path.exists():
        raise NotFound(
            message("{path} is no longer in {workspace}.", path=document.path, workspace=workspace.path),
            next=message("Its versions are kept; put the file back, or look at them in the audit timeline."),
            details={"content_hash": document.content_hash},
        )
    with file_in_open_folder(workspace, path) as there:
        file = read_text(there, document.path, limit_bytes=limit_of(engine), follow=False)
    return hidden(engine, file, path)


def limit_of(engine: Engine) -> int:
    """Return the size of the largest file that is read, in bytes."""
    return int(engine.settings.import_file_megabytes * MEGABYTE)


def last_own_version(db: Connection, document: Document) -> Kept | None:
    """Return the last version if MemDesk had to write it, by a save or an undo; None if it was found on the disk."""
    last = next(reversed(document_versions.versions_of(db, document.id, limit=3)), None)
    return None if last is None or last.op == "import" or last.author == OUTSIDE else last


def is_write_missing(last: Kept | None, file: TextFile) -> bool:
    """Return True if MemDesk's last version is not on the disk yet: the file has the version before,
    unmodified since."""
    return (
        last is not None
        and document_versions.hash_of(file.text) == last.before
        and file.modified_at <= last.at
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteEntry:
    """Journal entry of a write. also: edits for the same change, which handle their own facts. carried: ids of facts by
    the lines that were written from them. key: the caller's id, for retries."""

    title: Message
    author: str
    also: tuple[Edit, ...] = ()
    carried: Mapping[str, str] | None = None
    key: str | None = None


def record_outside_edit(engine: Engine, document: Document, file: TextFile) -> bool:
    """Record a text written by another program and return True; False where MemDesk's own last version is not
    written yet."""
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
        workspace = records.need(db, WORKSPACE, document.workspace_id)
        if is_write_missing(last_own_version(db, document), file):
            return False
    meant = WriteEntry(title=message("Edited outside: {path}", path=document.path), author=OUTSIDE)
    record_version(engine, document, workspace, file.text, meant, at=file.modified_at)
    return True


def record_version(
    engine: Engine, document: Document, workspace: Workspace, text: str, meant: WriteEntry, *, at: int
) -> int | None:
    """Record `text` as a file's new version, with the facts of its lines; return the change's id, None when
    nothing changes. Call it with `one_writer` acquired."""
    title, author, also = meant.title, meant.author, meant.also
    with engine.store.reading() as db:
        document = records.need(db, DOCUMENT, document.id)
    text_change = text_change_of(engine, document, workspace, text, meant.carried)
    run = fact_updates.apply_all_but_last(
        engine, document, text_change, author=author, title=title, apart=also
    )

    def verb(db: Connection) -> tuple[Change | None, None]:
        now = records.need(db, DOCUMENT, document.id)
        edits = also
        if document_versions.hash_of(text) != now.content_hash:
            followed = fact_updates.last_group_edits(engine, db, now, text_change, author=author, apart=also)
            edits = (version_edit(db, now, text, at, **trust_after(now, author)), *followed, *also)
        return (
            replace(change_of(now, title, author, edits), run=run, key=meant.key) if edits else None
        ), None

    applied, _ = engine.store.decide(verb)
    return None if applied is None else applied.id


def version_edit(db: Connection, document: Document, text: str, at: int, **other: object) -> Edit:
    """Return the edit that makes `text` a file's version, and store the text. Call it on the writer's connection."""
    return records.update_edit(
        DOCUMENT,
        document,
        content_hash=document_versions.keep(db, text),
        size=len(text),
        updated_at=at,
        **other,
    )


def trust_after(document: Document, author: str) -> dict[str, object]:
    """Return the changed trust of a file that this author wrote: a person's own, or that of a file."""
    origin, trust = of_lines(author)
    return {} if (document.origin, document.trust) == (origin, trust) else {"origin": origin, "trust": trust}


def change_of(
    placed: Document | Workspace,
    title: Message,
    author: str,
    edits: tuple[Edit, ...],
    *,
    op: str = "update",
    details: dict[str, Any] | None = None,
) -> Change:
    return Change.about(placed, op, title, author=author, edits=edits, layer="workspace", details=details)


def refuse_not_utf8(document: Document, file: TextFile) -> None:
    """Raise Refused when a file has bytes that are not UTF-8 and would be lost by writing it."""
    if file.mended:
        raise Refused(
            message("{path} holds bytes that are not UTF-8; saving would lose them.", path=document.path),
            next=message("Convert the file to UTF-8 first."),
        )
