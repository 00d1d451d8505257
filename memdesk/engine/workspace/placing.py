"""Registration, creation, removal and renaming of files: each one change, in the journal first, then on the disk."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace import fact_updates
from memdesk.engine.workspace.disk import (
    as_written,
    change_of,
    document_and_workspace,
    file_in_open_folder,
    one_writer,
    path_of,
    refuse_not_utf8,
    version_edit,
)
from memdesk.engine.workspace.fact_updates import FactUpdates
from memdesk.engine.workspace.git_history import Commit, commits_of
from memdesk.engine.workspace.layouts import Place, day_of, holds_facts, layer_of, slug
from memdesk.engine.workspace.line_facts import (
    LineChoice,
    LineFacts,
    Step,
    TextChange,
    read_text_change,
    text_change_of,
)
from memdesk.engine.workspace.statements import voice_of
from memdesk.engine.workspace.writing import current, refuse_unstorable, undone_on_failure
from memdesk.files.atomic import create as create_file
from memdesk.files.atomic import is_temporary, move, remove
from memdesk.files.reading import TextFile, printable, real_within, within
from memdesk.files.walk import NAME_BYTES
from memdesk.model.change import Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.entity import ENTITY
from memdesk.model.errors import Conflict, NotFound, Refused
from memdesk.model.fact import FACT, IMPORTED
from memdesk.model.kind import new_id
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.model.trust import APPROVED, FILE, IMPORT, Door, door, of_lines
from memdesk.model.workspace import Placed
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportContext:
    """Author, user and run of an import. channel, agent_id: override those of the source.

    found: it was found on the disk, not sent. trusted: a person says that what it brings is their own."""

    author: str
    run: str
    user_id: str
    channel: str | None = None
    agent_id: str | None = None
    found: bool = False
    trusted: bool = False

    @property
    def door(self) -> Door:
        """Door of what is brought in: an import, or a file, of a stranger unless the person trusts it."""
        return (IMPORT, APPROVED) if self.trusted else door(IMPORT)

    @property
    def file_door(self) -> Door:
        """Door of the lines of a file that is registered."""
        return (FILE, APPROVED) if self.trusted else door(FILE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """File of a workspace that was read. known: the desk has this text already. is_new: it never had the file."""

    place: Place
    relative: str
    file: TextFile
    known: bool
    text_change: TextChange
    is_new: bool

    @property
    def found(self) -> LineFacts:
        """Facts and entities read from its new lines."""
        return self.text_change.line_facts


def read_new_file(
    engine: Engine,
    place: Place,
    relative: str,
    file: TextFile,
    user_id: str,
    choice: LineChoice | None = None,
) -> Reading:
    """Return what importing this file would add. Lines that the desk has read before are not read again."""
    with engine.store.reading() as db:
        document = _document(db, user_id, place, relative)
        found = read_text_change(
            db,
            document,
            file.text,
            believes=holds_facts(relative, place.layout),
            voice=voice_of(engine, relative, place.agent_id, place.layout),
            choice=choice,
        )
    known = document is not None and document.retired_at is None and document.content_hash == found.after
    return Reading(
        place=place, relative=relative, file=file, known=known, text_change=found, is_new=document is None
    )


def import_file(engine: Engine, reading: Reading, context: ImportContext) -> Counter[str]:
    """Import a file; return counts of what it added: documents, facts, entities. A known file adds nothing.

    A file with very many facts takes several changes. Its version is recorded with the last of them, so that
    an interrupted import begins this file again."""
    added: Counter[str] = Counter()
    if reading.known:
        return added
    ensure_channel(engine, context.user_id, channel_of(reading.place, context), author=context.author)
    groups = reading.text_change.steps or ((),)
    commits = commits_of(reading.place.path / reading.relative) if reading.is_new else ()
    for number, group in enumerate(groups, 1):
        last = number == len(groups)
        added += _one_change(engine, reading, group, context, last=last, commits=commits if last else ())
    added["documents"] = 1
    return added


def _one_change(
    engine: Engine,
    reading: Reading,
    group: tuple[Step, ...],
    context: ImportContext,
    *,
    last: bool,
    commits: tuple[Commit, ...],
) -> Counter[str]:
    def verb(db: Connection) -> tuple[Change, Counter[str]]:
        place = reading.place
        draft = Draft(
            engine=engine,
            db=db,
            user_id=context.user_id,
            channel=channel_of(place, context),
            agent_id=agent_of(place, context),
            at=engine.clock(),
            door=context.file_door,
        )
        document_id = _register(draft, reading, last=last)
        engine.vault.keep(reading.file.text, document_id, file=str(place.path / reading.relative))
        FactUpdates(
            draft=draft,
            text_change=reading.text_change,
            document_id=document_id,
            author=context.author,
            source=IMPORTED,
        ).take(group)
        creations = Counter(edit.kind for edit in draft.edits if edit.before is None)
        change = draft.change(
            "import",
            message("Found {path}", path=reading.relative)
            if context.found
            else message("Imported {path}", path=reading.relative),
            author=context.author,
            layer="workspace",
            run=context.run,
            details={
                "path": str(place.path / reading.relative),
                "layout": place.layout,
                **_earlier(db, commits, document_id),
            },
        )
        return change, Counter(facts=creations[FACT.name], entities=creations[ENTITY.name])

    return engine.store.decide(verb)[1]


def _earlier(
    db: Connection, commits: tuple[Commit, ...], document_id: str
) -> dict[str, list[list[str | int]]]:
    """Store the texts of earlier commits; return the details that make them versions of the imported file."""
    kept: list[list[str | int]] = [
        [document_versions.keep(db, each.text, document_id), each.author, each.at] for each in commits
    ]
    return {document_versions.COMMITS: kept} if kept else {}


def _register(draft: Draft, reading: Reading, *, last: bool) -> str:
    """Draft the workspace and the document for this file; return the document's id.

    Until its last change a new document is out of use, and a known one keeps its version."""
    place, text = reading.place, reading.file.text
    workspace = document_versions.workspace_at(draft.db, draft.user_id, str(place.path))
    workspace_id = workspace.id if workspace is not None else new_workspace(draft, place)
    if workspace is not None and workspace.retired_at is not None:
        draft.edits.append(records.update_edit(WORKSPACE, workspace, retired_at=None))
    document = document_versions.document_at(draft.db, workspace_id, reading.relative)
    content_hash = document_versions.keep(draft.db, text)
    if document is None:
        return draft.create(
            DOCUMENT,
            channel=draft.channel,
            agent_id=draft.agent_id,
            workspace_id=workspace_id,
            path=reading.relative,
            layer=layer_of(reading.relative, place.layout),
            day=day_of(reading.relative),
            content_hash=content_hash,
            size=len(text),
            created_at=draft.at,
            updated_at=reading.file.modified_at,
            retired_at=None if last else draft.at,
        )
    if last:
        now = {"content_hash": content_hash, "size": len(text), "updated_at": reading.file.modified_at}
        draft.edits.append(records.update_edit(DOCUMENT, document, **now, retired_at=None))
    return document.id


def new_workspace(draft: Draft, place: Place) -> str:
    return draft.create(
        WORKSPACE,
        channel=draft.channel,
        agent_id=draft.agent_id,
        name=place.name,
        path=str(place.path),
        layout=place.layout,
        created_at=draft.at,
    )


def _document(db: Connection, user_id: str, place: Place, relative: str) -> Document | None:
    workspace = document_versions.workspace_at(db, user_id, str(place.path))
    return None if workspace is None else document_versions.document_at(db, workspace.id, relative)


def channel_of(place: Place, context: ImportContext) -> str:
    """Return the workspace's channel: its own if it is registered, else the import's, the layout's, or its name."""
    if place.registered and place.channel:
        return place.channel
    return context.channel or place.channel or slug(place.name) or "imported"


def agent_of(place: Place, context: ImportContext) -> str | None:
    """Return the workspace's agent: a registered one keeps its own, else the import's or the layout's."""
    return place.agent_id if place.registered else context.agent_id or place.agent_id


PATH_BYTES = 1_000
"""Length limit of a path in bytes, far below the limits of file systems."""


def create(
    engine: Engine,
    workspace_id: str,
    path: str,
    text: str,
    *,
    author: str,
    title: Message = NO_MESSAGE,
    key: str | None = None,
    carried: Mapping[str, str] | None = None,
) -> Placed:
    """Create a new file in a workspace, with Unix line ends in UTF-8, private to its owner.

    carried: ids of facts by the lines that were written from them. Raises Conflict when there is one already,
    Refused for a path that leads elsewhere, StorageFailed."""
    refuse_unstorable(text)
    with one_writer:
        workspace = workspace_in_use(engine, workspace_id)
        target = free_path(workspace, path)

        title = title or message("Wrote {path}", path=path)
        text_change = _text_change(engine, workspace, path, text, carried)
        run = new_id("run", engine.clock()) if len(text_change.steps) > 1 else None

        def verb(db: Connection) -> tuple[Change, str]:
            draft, id = _draft_creation(engine, db, workspace, path, text, author)
            place = records.need(db, WORKSPACE, workspace.id)
            FactUpdates(draft=draft, text_change=text_change, document_id=id, author=author).take(
                *text_change.steps[:1]
            )
            return replace(
                change_of(place, title, author, tuple(draft.edits), op="store"), key=key, run=run
            ), id

        with file_in_open_folder(workspace, target, made=True) as there:
            applied, id = engine.store.decide(verb)
            assert applied is not None
            with undone_on_failure(engine, applied.id, author):
                create_file(there, as_written(engine, None, text, target, author=author).exact(text))
        document, _ = document_and_workspace(engine, id)
        fact_updates.apply_groups(
            engine, document, text_change, text_change.steps[1:], author=author, title=title, run=run
        )
    return Placed(document_id=id, path=path, change=applied.id, content_hash=document_versions.hash_of(text))


def retire(engine: Engine, document_id: str, *, author: str) -> Placed:
    """Remove a file; its versions stay, and undo brings it back. Raises NotFound, Conflict, StorageFailed."""
    with one_writer:
        document, workspace = document_and_workspace(engine, document_id)
        file = current(engine, document, workspace)
        refuse_not_utf8(document, file)
        path = path_of(document, workspace)
        manners = {
            "encoding": file.manner.encoding,
            "bom": file.manner.bom.hex(),
            "mode": stat.S_IMODE(path.stat().st_mode),
        }

        title = message("Removed {path}", path=document.path)
        text_change = text_change_of(engine, document, workspace, "")
        run = fact_updates.apply_all_but_last(engine, document, text_change, author=author, title=title)

        def verb(db: Connection) -> tuple[Change, None]:
            now = records.need(db, DOCUMENT, document.id)
            gone = records.update_edit(DOCUMENT, now, retired_at=engine.clock())
            edits = (gone, *fact_updates.last_group_edits(engine, db, now, text_change, author=author))
            return replace(change_of(now, title, author, edits, op="retire", details=manners), run=run), None

        with file_in_open_folder(workspace, path) as there:
            applied, _ = engine.store.decide(verb)
            assert applied is not None
            with undone_on_failure(engine, applied.id, author):
                remove(there, file.manner.exact(file.text))
    hash = document_versions.hash_of(file.text)
    return Placed(document_id=document.id, path=document.path, change=applied.id, content_hash=hash)


def rename(engine: Engine, document_id: str, path: str, *, author: str) -> Placed:
    """Give a file another path in its workspace; its versions stay with it.

    Raises NotFound, Conflict when the path is taken, Refused when it leads elsewhere, StorageFailed."""
    with one_writer:
        document, workspace = document_and_workspace(engine, document_id)
        source = path_of(document, workspace)
        if not source.exists():
            raise NotFound(
                message("{path} is no longer in {workspace}.", path=document.path, workspace=workspace.path)
            )
        target = free_path(workspace, path)

        def verb(db: Connection) -> tuple[Change, None]:
            now = records.need(db, DOCUMENT, document.id)
            edits = (*make_room(engine, db, workspace.id, path), moved_to(now, path, workspace))
            return change_of(
                now, message("Renamed {path} to {new_path}", path=now.path, new_path=path), author, edits
            ), None

        with (
            file_in_open_folder(workspace, source) as old,
            file_in_open_folder(workspace, target, made=True) as new,
        ):
            applied, _ = engine.store.decide(verb)
            assert applied is not None
            with undone_on_failure(engine, applied.id, author):
                move(old, new)
    return Placed(document_id=document.id, path=path, change=applied.id, content_hash=document.content_hash)


def _text_change(
    engine: Engine, workspace: Workspace, path: str, text: str, carried: Mapping[str, str] | None
) -> TextChange:
    """Return the text change of a file that is created or comes back."""
    voice = voice_of(engine, path, workspace.agent_id, workspace.layout)
    with engine.store.reading() as db:
        known = document_versions.document_at(db, workspace.id, path)
        believes = holds_facts(path, workspace.layout)
        return read_text_change(db, known, text, believes=believes, voice=voice, carried=carried)


def moved_to(document: Document, path: str, workspace: Workspace) -> Edit:
    """Return the edit that gives a document another path, with its layer and day."""
    layer = layer_of(path, workspace.layout)
    return records.update_edit(DOCUMENT, document, path=path, layer=layer, day=day_of(path))


def make_room(engine: Engine, db: Connection, workspace_id: str, path: str) -> tuple[Edit, ...]:
    """Return the edit that frees the path of a removed file; () when the path was never used. Raises Conflict
    when it is in use."""
    there = document_versions.document_at(db, workspace_id, path)
    if there is None:
        return ()
    if there.retired_at is None:
        raise Conflict(message("{path} is there already.", path=path))
    gone = PurePosixPath(path)
    return (records.update_edit(DOCUMENT, there, path=f"{path} (gone {there.id}){gone.suffix}"),)


def workspace_in_use(engine: Engine, workspace_id: str) -> Workspace:
    """Return a workspace whose folder exists. Raises NotFound."""
    with engine.store.reading() as db:
        workspace = records.need(db, WORKSPACE, workspace_id)
    if workspace.retired_at is not None or not Path(workspace.path).is_dir():
        raise NotFound(
            message("The folder {path} is not there.", path=workspace.path),
            next=message("Put it back, or import it where it is."),
        )
    return workspace


def free_path(workspace: Workspace, path: str) -> Path:
    """Return the real path for a new file. Raises Refused for a path that leads elsewhere, Conflict when it
    is taken."""
    parts = PurePosixPath(path).parts
    odd = (
        not parts
        or path.startswith("/")
        or ".." in parts
        or "\0" in path
        or "\\" in path
        or path.endswith("/")
    )
    longest = max((len(part.encode("utf-8", "replace")) for part in parts), default=0)
    long = longest > NAME_BYTES or len(path.encode("utf-8", "replace")) > PATH_BYTES
    if odd or long or is_temporary(parts[-1]):
        raise Refused(
            message("“{path}” is no path in a workspace.", path=printable(path[:100])),
            next=message("Name a file such as notes/tea.md."),
        )
    target = within(Path(workspace.path), path)
    if target.is_symlink() or target.exists():
        raise Conflict(
            message("{path} is there already.", path=path), next=message("Read it, and save on top of it.")
        )
    return real_within(Path(workspace.path), path)


def _draft_creation(
    engine: Engine, db: Connection, workspace: Workspace, path: str, text: str, author: str
) -> tuple[Draft, str]:
    """Draft the creation of a file, new or with the history it had; return the draft and the document's id."""
    draft = Draft.of(engine, db, workspace, workspace.channel, door=of_lines(author))
    known = document_versions.document_at(db, workspace.id, path)
    if known is not None:
        if known.retired_at is None:
            raise Conflict(
                message("{path} is known, and its file is gone from the disk only now.", path=path),
                next=message("Try it once more."),
            )
        draft.edits.append(version_edit(db, known, text, draft.at, retired_at=None))
        return draft, known.id
    id = draft.create(
        DOCUMENT,
        channel=draft.channel,
        agent_id=draft.agent_id,
        workspace_id=workspace.id,
        path=path,
        layer=layer_of(path, workspace.layout),
        day=day_of(path),
        content_hash=document_versions.keep(db, text),
        size=len(text),
        created_at=draft.at,
        updated_at=draft.at,
        retired_at=draft.at,
    )
    draft.edits.append(Edit(DOCUMENT.name, id, {"retired_at": draft.at}, {"retired_at": None}))
    return draft, id
