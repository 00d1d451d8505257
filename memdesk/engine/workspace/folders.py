"""Comparison of a workspace's folder with the desk's records: files indexed, waiting, and left out with the
reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.clashes import CONFLICT
from memdesk.engine.workspace.disk import limit_of
from memdesk.engine.workspace.layouts import (
    KNOWN_HIDDEN,
    budget_of,
    is_memory,
    layer_of,
    layout_named,
    why_of,
)
from memdesk.engine.workspace.removing import in_use
from memdesk.files.reading import MEGABYTE, Entry, Left, read_text, walk
from memdesk.model.document import WORKSPACE, Document, Workspace
from memdesk.model.errors import Refused
from memdesk.model.folders import INDEXED, LEFT, WAITING, AskFolder, Folder, FolderFile
from memdesk.model.instant import to_datetime
from memdesk.store import proposing, records, workspaces
from memdesk.store.proposing import Wanted

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
    return Folder(
        id=workspace.id,
        name=workspace.name,
        path=workspace.path,
        layout=workspace.layout,
        why=why_of(root, workspace.layout),
        agent_id=workspace.agent_id,
        channel=workspace.channel,
        present=root.is_dir(),
        watched=root.is_dir() and any(root.is_relative_to(each) for each in watched),
        added_at=to_datetime(workspace.created_at),
        files=(*_files(engine, workspace, known, memory), *_left(lying)),
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
        others: list[Workspace] = records.find(db, WORKSPACE, user_id=workspace.user_id, retired_at=None)
    inner = [Path(each.path) for each in others if root in Path(each.path).parents]
    for item in walk(root, known_hidden=KNOWN_HIDDEN):
        if not any((root / item.name).is_relative_to(each) for each in inner):
            yield item


def _known(engine: Engine, workspace: Workspace) -> _Known:
    wanted = Wanted(user_id=workspace.user_id, state="open", types=(CONFLICT,))
    with engine.store.reading() as db:
        documents = workspaces.in_use(db, workspace.id)
        ids = {each.id for each in documents.values()}
        asked = proposing.questions(db, wanted, CONFLICTS_AT_MOST)
        return _Known(
            documents=documents,
            indexed=workspaces.indexed(db, workspace.id),
            facts=workspaces.facts_told(db, workspace.id),
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
        why = "It is gone from the disk; it leaves at the next look." if there and path not in memory else ""
        if not why and waiting:
            why = f"{waiting} of {passages} passages wait for a vector; their words are found already."
        yield FolderFile(
            path=path, layer=each.layer, state=WAITING if why else INDEXED, why=why, document_id=each.id,
            size=each.size, size_bytes=memory[path].size_bytes if path in memory else 0,
            budget=budget_of(path, workspace.layout), updated_at=to_datetime(each.updated_at),
        )  # fmt: skip
    for state in (WAITING, LEFT):
        for path, (judgement, why) in sorted(judged.items()):
            if judgement == state:
                yield FolderFile(
                    path=path, layer=layer_of(path, workspace.layout), state=state, why=why, document_id=None,
                    size=0, size_bytes=memory[path].size_bytes, budget=budget_of(path, workspace.layout),
                    updated_at=None,
                )  # fmt: skip


def _judged(engine: Engine, entry: Entry, *, looks: bool) -> tuple[str, str]:
    """Return (state, reason) of a file that the desk does not know: left out or waiting."""
    limit = limit_of(engine)
    if entry.size_bytes > limit:
        return LEFT, f"It is larger than {limit // MEGABYTE} MB; import_file_megabytes in Settings says so."
    if entry.size_bytes == 0:
        return LEFT, "It is empty."
    if looks:
        try:
            if not read_text(entry.path, entry.name, limit_bytes=limit).text.strip():
                return LEFT, "It is empty."
        except Refused as refused:
            return LEFT, Left.because(entry.name, refused).why
    return WAITING, "It has not been read yet; it comes in at the next look."


def _left(lying: list[Entry | Left]) -> Iterator[FolderFile]:
    found = [item for item in lying if isinstance(item, Left)]
    for item in found[:LEFT_AT_MOST]:
        yield FolderFile(
            path=item.name, layer="", state=LEFT, why=item.why, document_id=None, size=0, size_bytes=0, budget=None,
            updated_at=None,
        )  # fmt: skip
    if len(found) > LEFT_AT_MOST:
        yield FolderFile(
            path=f"{len(found) - LEFT_AT_MOST} more", layer="", state=LEFT, why="For reasons like these.",
            document_id=None, size=0, size_bytes=0, budget=None, updated_at=None,
        )  # fmt: skip
