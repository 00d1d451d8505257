"""A workspace's folder: compared with the desk's records (files indexed, waiting, and left out with the reason),
removed, and registered without its files: one that is still empty, or one that gets a layout or an agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.rows import row_of
from memdesk.engine.workspace.disk import change_of, limit_of, one_writer
from memdesk.engine.workspace.layouts import (
    KNOWN_HIDDEN,
    Place,
    budget_of,
    is_memory,
    layer_of,
    layout_named,
    why_of,
)
from memdesk.engine.workspace.placing import ImportContext, agent_of, channel_of, new_workspace
from memdesk.engine.workspace.writing import CONFLICT
from memdesk.files.reading import MEGABYTE, Entry, Left, read_text, walk
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.entity import DERIVED_FROM, RELATION
from memdesk.model.errors import NotFound, Refused
from memdesk.model.fact import FACT
from memdesk.model.instant import to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.model.workspace_files import (
    INDEXED,
    LEFT_OUT,
    WAITING,
    AskFolder,
    Folder,
    FolderFile,
    FolderRemoved,
)
from memdesk.store import document_versions, proposing, records
from memdesk.store.connection import Connection
from memdesk.store.document_versions import FILES_STAY
from memdesk.store.proposing import Wanted


def remove(engine: Engine, ask: AskFolder, *, author: str) -> FolderRemoved:
    """Retire a workspace and its documents, as one run that can be undone. Raises NotFound.

    The workspace itself is retired with the last change, so that after an interruption it is still there with
    its remaining files."""
    run = new_id("run", engine.clock())
    with one_writer:
        workspace = in_use(engine, ask.workspace_id)
        with engine.store.reading() as db:
            ids = sorted(each.id for each in document_versions.in_use(db, workspace.id).values())
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
        workspace = records.get(db, WORKSPACE, workspace_id)
    if workspace is None or workspace.retired_at is not None:
        raise NotFound(
            message("There is no such folder on this desk."), next=message("`memdesk workspaces` lists them.")
        )
    return workspace


def _leaving(
    engine: Engine, workspace: Workspace, ids: Sequence[str], author: str, run: str, *, last: bool
) -> Callable[[Connection], tuple[Change | None, None]]:
    """Return the verb that retires these documents, and with the last of them the workspace."""

    def verb(db: Connection) -> tuple[Change | None, None]:
        at = engine.clock()
        now = records.need(db, WORKSPACE, workspace.id)
        edits: list[Edit] = [
            records.update_edit(DOCUMENT, each, retired_at=at)
            for each in records.many(db, DOCUMENT, "id", ids)
            if each.retired_at is None
        ]
        if last and now.retired_at is None:
            edits.append(records.update_edit(WORKSPACE, now, retired_at=at))
        change = change_of(
            now,
            message("Removed the folder {now}; its files stay on the disk", now=now.name),
            author,
            tuple(edits),
            op="retire",
            details={"path": now.path, FILES_STAY: True},
        )
        return (replace(change, run=run) if edits else None), None

    return verb


READ_AT_MOST = 200
"""Limit of unknown files that are opened to find the reason; more of them mean that an import is under way."""
LEFT_AT_MOST = 500
CONFLICTS_AT_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Desk's records of a workspace. documents: by path. indexed: (passages, passages without a vector) by
    document id."""

    documents: dict[str, Document]
    indexed: dict[str, tuple[int, int]]
    facts: int
    conflicts: int


def folder(engine: Engine, ask: AskFolder, *, watched: Collection[Path]) -> Folder:
    """Return one workspace with its files as on the disk now. watched: the watched folders. Raises NotFound."""
    workspace = in_use(engine, ask.workspace_id)
    known, root = _known(engine, workspace), Path(workspace.path)
    lying = list(walked(engine, workspace)) if root.is_dir() else []
    memory = {
        item.name: item
        for item in lying
        if isinstance(item, Entry) and is_memory(item.path.name, workspace.layout)
    }
    layout = layout_named(workspace.layout)
    return row_of(
        Folder,
        workspace,
        why=why_of(root, workspace.layout),
        present=root.is_dir(),
        watched=root.is_dir() and any(root.is_relative_to(each) for each in watched),
        added_at=to_datetime(workspace.created_at),
        files=(*_files(engine, workspace, known, memory), *_left_out(lying)),
        others=sum(isinstance(item, Entry) and item.name not in memory for item in lying),
        size_bytes=sum(entry.size_bytes for entry in memory.values()),
        passages=sum(passages for passages, _ in known.indexed.values()),
        unembedded=sum(waiting for _, waiting in known.indexed.values()),
        facts=known.facts,
        conflicts=known.conflicts,
        day_folder=layout.days.folder if layout.days else "",
        days_utc=bool(layout.days and layout.days.utc),
        day_characters=layout.days.characters if layout.days else None,
        prompt_characters=layout.bootstrap.characters if layout.bootstrap else None,
        writable=layout.writable,
        largest_megabytes=engine.settings.import_file_megabytes,
    )


def walked(engine: Engine, workspace: Workspace) -> Iterator[Entry | Left]:
    """Yield the files of a workspace's folder; files of workspaces inside it belong to those."""
    root = Path(workspace.path)
    with engine.store.reading() as db:
        others = records.find(db, WORKSPACE, user_id=workspace.user_id, retired_at=None)
    inner = [Path(each.path) for each in others if root in Path(each.path).parents]
    for item in walk(root, known_hidden=KNOWN_HIDDEN):
        if not any((root / item.name).is_relative_to(each) for each in inner):
            yield item


def _known(engine: Engine, workspace: Workspace) -> _Known:
    wanted = Wanted(user_id=workspace.user_id, state="open", types=(CONFLICT,))
    with engine.store.reading() as db:
        documents = document_versions.in_use(db, workspace.id)
        ids = {each.id for each in documents.values()}
        asked = proposing.questions(db, wanted, CONFLICTS_AT_MOST)
        return _Known(
            documents=documents,
            indexed=document_versions.indexed(db, workspace.id),
            facts=document_versions.count_line_facts(db, workspace.id),
            conflicts=sum(each.subject_id in ids for each in asked),
        )


def _files(
    engine: Engine, workspace: Workspace, known: _Known, memory: dict[str, Entry]
) -> Iterator[FolderFile]:
    """Yield every file that the desk knows or could know, by path; files that are left out come last."""
    strange = [entry for name, entry in memory.items() if name not in known.documents]
    judged = {entry.name: _judged(engine, entry, looks=len(strange) <= READ_AT_MOST) for entry in strange}
    there = Path(workspace.path).is_dir()
    for path, each in sorted(known.documents.items()):
        passages, waiting = known.indexed.get(each.id, (0, 0))
        why = (
            message("It is gone from the disk; it leaves at the next look.")
            if there and path not in memory
            else NO_MESSAGE
        )
        if not why and waiting:
            why = message(
                "{waiting} of {passages} passages wait for a vector; their words are found already.",
                waiting=waiting,
                passages=passages,
            )
        yield FolderFile(
            path=path,
            layer=each.layer,
            state=WAITING if why else INDEXED,
            why=why,
            document_id=each.id,
            size=each.size,
            size_bytes=memory[path].size_bytes if path in memory else 0,
            budget=budget_of(path, workspace.layout),
            updated_at=to_datetime(each.updated_at),
        )
    for state in (WAITING, LEFT_OUT):
        for path, (judgement, why) in sorted(judged.items()):
            if judgement == state:
                yield FolderFile(
                    path=path,
                    layer=layer_of(path, workspace.layout),
                    state=state,
                    why=why,
                    document_id=None,
                    size=0,
                    size_bytes=memory[path].size_bytes,
                    budget=budget_of(path, workspace.layout),
                    updated_at=None,
                )


def _judged(engine: Engine, entry: Entry, *, looks: bool) -> tuple[str, Message]:
    """Return (state, reason) of a file that the desk does not know: left out or waiting."""
    limit = limit_of(engine)
    if entry.size_bytes > limit:
        return (
            LEFT_OUT,
            message(
                "It is larger than {count} MB; import_file_megabytes in Settings says so.",
                count=limit // MEGABYTE,
            ),
        )
    if entry.size_bytes == 0:
        return LEFT_OUT, message("It is empty.")
    if looks:
        try:
            if not read_text(entry.path, entry.name, limit_bytes=limit).text.strip():
                return LEFT_OUT, message("It is empty.")
        except Refused as refused:
            return LEFT_OUT, Left.because(entry.name, refused).why
    return WAITING, message("It has not been read yet; it comes in at the next look.")


def _left_out(lying: list[Entry | Left]) -> Iterator[FolderFile]:
    found = [item for item in lying if isinstance(item, Left)]
    for item in found[:LEFT_AT_MOST]:
        yield FolderFile(
            path=item.name,
            layer="",
            state=LEFT_OUT,
            why=item.why,
            document_id=None,
            size=0,
            size_bytes=0,
            budget=None,
            updated_at=None,
        )
    if len(found) > LEFT_AT_MOST:
        yield FolderFile(
            path=f"{len(found) - LEFT_AT_MOST} more",
            layer="",
            state=LEFT_OUT,
            why=message("For reasons like these."),
            document_id=None,
            size=0,
            size_bytes=0,
            budget=None,
            updated_at=None,
        )


def is_registered(db: Connection, user_id: str, place: Place) -> bool:
    """Return True if a folder is a workspace of the desk, as a person gives it."""
    known = document_versions.workspace_at(db, user_id, str(place.path))
    if known is None or known.retired_at is not None:
        return False
    return not place.given or (known.layout, known.agent_id) == (place.layout, place.agent_id)


def register(engine: Engine, place: Place, context: ImportContext) -> Counter[str]:
    """Register a folder that has no file yet; return the counts of what it added."""
    channel = ensure_channel(engine, context.user_id, channel_of(place, context), author=context.author)

    def verb(db: Connection) -> tuple[Change | None, Counter[str]]:
        if is_registered(db, context.user_id, place):
            return None, Counter()
        draft = Draft(
            engine=engine,
            db=db,
            user_id=context.user_id,
            channel=channel,
            agent_id=agent_of(place, context),
            at=engine.clock(),
        )
        known = document_versions.workspace_at(db, draft.user_id, str(place.path))
        if known is None:
            new_workspace(draft, place)
        else:
            given = {"layout": place.layout, "agent_id": agent_of(place, context)} if place.given else {}
            draft.edits.append(records.update_edit(WORKSPACE, known, retired_at=None, **given))
            draft.edits += _handed_over(db, known, given.get("agent_id", known.agent_id))
        change = draft.change(
            "import",
            message("Imported {place}, still empty", place=place.name)
            if known is None
            else message(
                "Imported {place}, of {what}", place=place.name, what=draft.agent_id or message("no agent")
            ),
            author=context.author,
            layer="workspace",
            run=context.run,
            details={"path": str(place.path), "layout": place.layout},
        )
        return change, Counter(workspaces=1)

    return engine.store.decide(verb)[1]


def _handed_over(db: Connection, workspace: Workspace, agent_id: str | None) -> list[Edit]:
    """Return the edits that give a workspace's files, and the facts read from them, to another agent.

    Raises Refused for more than fit in one change."""
    if agent_id == workspace.agent_id:
        return []
    files = records.find(db, DOCUMENT, workspace_id=workspace.id)
    read = [
        edge.source_id
        for file in files
        for edge in records.find(db, RELATION, target_id=file.id, type=DERIVED_FROM)
    ]
    facts = records.many(db, FACT, "id", list(dict.fromkeys(read)))
    if len(files) + len(facts) >= EDITS_AT_MOST:
        raise Refused(
            message(
                "{workspace} has {files} files with {facts} facts, more than are handed over at once.",
                workspace=workspace.name,
                files=f"{len(files):,}",
                facts=f"{len(facts):,}",
            ),
            next=message("Remove the folder from the desk, and import it anew for the agent."),
        )
    edits = [records.update_edit(DOCUMENT, each, agent_id=agent_id) for each in files]
    own = [each for each in facts if each.agent_id == workspace.agent_id]
    return edits + [records.update_edit(FACT, each, agent_id=agent_id) for each in own]
