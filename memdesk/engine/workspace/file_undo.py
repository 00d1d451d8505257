"""Undo of changes to files. A file's text is merged back to its earlier version, so that later edits stay."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links
from memdesk.engine.memory.line_links import Tie, line_numbers_by_words
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import fact_updates
from memdesk.engine.workspace.disk import (
    as_written,
    change_of,
    document_and_workspace,
    on_disk,
    one_writer,
    path_of,
    version_edit,
)
from memdesk.engine.workspace.fact_updates import FactUpdates
from memdesk.engine.workspace.line_facts import text_change_on_connection
from memdesk.engine.workspace.writing import current
from memdesk.files.atomic import create, remove, write_over
from memdesk.files.atomic import move as rename
from memdesk.files.encryption import seal, unseal
from memdesk.files.merge import merge
from memdesk.files.reading import plain, text_format_of, within
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.fact import FACT, claim_hash
from memdesk.model.message import message
from memdesk.store import document_versions, journal, records
from memdesk.store.connection import Connection
from memdesk.store.document_versions import FILES_STAY, Root
from memdesk.store.run_undo import RunUndo


def refuse_missing_lines(db: Connection, edits: Sequence[Edit], now: Mapping[str, str]) -> None:
    """Raise Conflict where a fact would be tied again to a line that has left its file.

    now: content hashes, by document id, of the files that the undo changes too."""
    for edit in edits:
        spot = line_links.new_tie_spot(edit)
        if spot is None or edit.after is None:
            continue
        document = records.get(db, DOCUMENT, edit.after["target_id"])
        if document is None or document.retired_at is not None:
            continue
        if spot.said not in line_numbers_by_words(
            document_versions.text_of(db, now.get(document.id, document.content_hash))
        ):
            raise Conflict(
                message("The line that this was learned from is no longer in {path}.", path=document.path)
            )


def refuse_stated_claims(db: Connection, edits: Sequence[Edit], moved: Collection[str]) -> None:
    """Raise Conflict where a fact's claim would change although a line that stays in its file still states
    the present one.

    moved: ids of documents that the undo changes too; their lines are not checked."""
    claims = {
        edit.id: edit.after["claim"]
        for edit in edits
        if edit.kind == FACT.name and edit.before and edit.after and "claim" in edit.after
    }
    for tie in line_links.ties_of_facts(db, list(claims)):
        stated, then = claim_hash(tie.fact.claim), claim_hash(claims[tie.fact.id])
        if tie.follows and tie.holds and tie.relation.target_id not in moved and stated != then:
            document = records.need(db, DOCUMENT, tie.relation.target_id)
            stands = tie.spot.said in line_numbers_by_words(
                document_versions.text_of(db, document.content_hash)
            )
            if document.retired_at is None and stands and claim_hash(tie.spot.said) == stated:
                raise Conflict(
                    message(
                        "{path} says “{claim}” since.", path=document.path, claim=shortened(tie.fact.claim)
                    ),
                    next=message("Edit the fact instead."),
                )


def refuse_disagreeing(tied: Sequence[Tie], moved: set[str], text: str) -> None:
    """Raise Conflict where a line would come back whose fact was retired since, or the other way round.

    tied: the ties of a file. moved: ids of the facts and relations that the undo changes. text: the file's
    text after it."""
    stands = line_numbers_by_words(text)
    stated = {each.spot.said for each in tied if each.holds}
    for each in tied:
        if {each.fact.id, each.relation.id} & moved and (each.spot.said in stands) != (
            each.spot.said in stated
        ):
            raise Conflict(
                message(
                    "“{claim}” was decided over since, and its line would not agree with it.",
                    claim=shortened(each.fact.claim),
                ),
                next=message("Take that back first.") if each.holds else message("Restore it first."),
                details={"id": each.fact.id},
            )


FILES = "job:files"
_TEXT = ("content_hash", "size", "updated_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """Net effect of a change on one file, from its first edit of it to its last. None: that part did not
    change.

    came, went: the file is created or removed. path: (old, new). gone: the document as it last was, where the
    change deletes its record."""

    document_id: str
    was: str | None
    now: str | None
    came: bool
    went: bool
    path: tuple[str, str] | None
    gone: Document | None

    @property
    def rewritten(self) -> bool:
        return self.was is not None and self.now is not None and self.was != self.now


@contextmanager
def files_locked(engine: Engine, wanted: Callable[[Connection], int], plan: RunUndo | None) -> Iterator[None]:
    """Keep files unchanged by MemDesk while a change is undone, after recording outside edits in the files it
    moved.

    plan: the run undo that the change is part of; files that the run only read are left alone."""
    with one_writer:
        with engine.store.reading() as db:
            ids = {edit.id for edit in journal.edits_of(db, wanted(db)) if edit.kind == DOCUMENT.name}
        for id in sorted(ids if plan is None else ids - plan.brought):
            _record_outside_edit(engine, id)
        yield


def merge_back_files(engine: Engine, db: Connection, change: Change, plan: RunUndo | None) -> Change:
    """Return the undoing change, with files that were edited since merged back. Call it on the writer thread.

    Facts read since from lines that are now removed go with them. plan: the run undo that the change is part
    of, which handles its own facts. Raises Conflict with both texts where a file was changed in the same
    lines since, and when the change would have more edits than one may have."""
    edits = change.edits
    brought = plan.brought if plan is not None else frozenset[str]()
    for move in _moves(edits, brought):
        document = records.get(db, DOCUMENT, move.document_id)
        if move.rewritten and document is not None and document.content_hash != move.was:
            edits = _merged_back(db, edits, document, move)
    moves = _moves(edits, brought)
    for move in moves if not _facts_stay(db, change) else ():
        edits = (*edits, *_followed(engine, db, edits, move, change.author, plan))
    if plan is None and len(edits) > EDITS_AT_MOST:
        raise Conflict(
            message(
                "{count} memories follow from this, more than one change holds.", count=f"{len(edits):,}"
            ),
            next=message("Take the whole run back."),
        )
    every = _moves(edits, ())
    now = {move.document_id: move.now for move in every if move.now is not None}
    refuse_missing_lines(db, edits, now)
    refuse_stated_claims(db, edits, {move.document_id for move in every})
    return replace(change, edits=edits)


def _facts_stay(db: Connection, change: Change) -> bool:
    """Return True if the undone change removed a folder from the desk, or brought it back: its facts stay
    either way."""
    return (
        change.undoes is not None and FILES_STAY in document_versions.root_change(db, change.undoes).details
    )


def _followed(
    engine: Engine, db: Connection, edits: tuple[Edit, ...], move: _Move, author: str, plan: RunUndo | None
) -> Sequence[Edit]:
    """Return the edits of facts whose lines come or go with an undo that does not mention them."""
    document = records.get(db, DOCUMENT, move.document_id)
    if document is None or document.retired_at is not None or not (move.rewritten or move.went):
        return ()
    workspace = records.need(db, WORKSPACE, document.workspace_id)
    text = "" if move.went or move.now is None else document_versions.text_of(db, move.now)
    found = text_change_on_connection(engine, db, document, workspace, text)
    draft = fact_updates.draft_for(engine, db, document, author)
    seen_to = frozenset[str]() if plan is None else plan.touched
    following = FactUpdates(
        draft=draft, text_change=found, document_id=document.id, author=author, apart=edits, seen_to=seen_to
    )
    for group in found.steps:
        following.take(group)
    moved = (*edits, *draft.edits)
    refuse_disagreeing(line_links.ties_after(db, document.id, moved), {edit.id for edit in moved}, text)
    return draft.edits


def writes_files(edits: Sequence[Edit], besides: Collection[str]) -> bool:
    """Return True if edits change the text, path or existence of a file other than these documents."""
    return bool(_moves(edits, besides))


def write_undo(engine: Engine, change: int, edits: Sequence[Edit], plan: RunUndo | None) -> None:
    """Write the result of an undo to the disk, except for files that the run of `plan` only read.

    Raises StorageFailed, or Conflict when another program wrote at the same moment: the undo is then taken
    back."""
    with engine.store.reading() as db:
        root = document_versions.root_change(db, change)
    if root.op == "import":
        _carry_copies(engine, edits)
    for move in _moves(edits, plan.brought if plan is not None else frozenset()):
        try:
            _carry(engine, move, root)
        except (StorageFailed, Conflict):
            _take_back(engine, move, edits)
            raise


def _carry_copies(engine: Engine, edits: Sequence[Edit]) -> None:
    """Move files that an import copied onto the desk aside where their documents are deleted, and back where
    they return.

    Moved files keep every byte, which versions of a file that is not UTF-8 do not."""
    homes = {edit.id: edit.before or edit.after or {} for edit in edits if edit.kind == WORKSPACE.name}
    for edit in edits:
        if edit.kind != DOCUMENT.name or (edit.before is not None and edit.after is not None):
            continue
        known: dict[str, Any] = edit.before or edit.after or {}
        folder = Path(
            homes.get(known["workspace_id"], {}).get("path") or _folder(engine, known["workspace_id"])
        )
        path, aside = folder / known["path"], engine.desk.taken_back / edit.id
        if not folder.is_relative_to(engine.desk.workspaces):
            continue
        if edit.after is None and path.is_file():
            rename(path, aside)
            seal(aside)
            _sweep_up(path.parent, engine.desk.workspaces)
        elif edit.before is None and aside.is_file():
            unseal(aside)
            rename(aside, path)


def _folder(engine: Engine, workspace_id: str) -> str:
    with engine.store.reading() as db:
        workspace = records.need(db, WORKSPACE, workspace_id)
    return workspace.path


def _sweep_up(folder: Path, top: Path) -> None:
    """Remove an empty folder, and the folders above it, up to `top`, that are empty then."""
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _record_outside_edit(engine: Engine, id: str) -> None:
    try:
        document, workspace = document_and_workspace(engine, id)
        if document.retired_at is None:
            current(engine, document, workspace)
    except (NotFound, Refused):
        return  # What cannot be read is met when the undo comes to it.


def _moves(edits: Sequence[Edit], besides: Collection[str]) -> list[_Move]:
    """Return the net effect on each edited file, except on these documents."""
    found: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.kind == DOCUMENT.name and edit.id not in besides:
            found.setdefault(edit.id, []).append(edit)
    return [_net(id, each) for id, each in found.items()]


def _net(id: str, edits: list[Edit]) -> _Move:
    """Return the net effect of one document's edits. Creating or deleting its record leaves the disk alone;
    other edits may change the disk."""
    lived = [
        (edit.before, edit.after) for edit in edits if edit.before is not None and edit.after is not None
    ]
    texts = [(was, now) for was, now in lived if "content_hash" in now]
    uses = [now["retired_at"] is None for _, now in lived if "retired_at" in now]
    paths = [(was["path"], now["path"]) for was, now in lived if "path" in now]
    return _Move(
        document_id=id,
        was=texts[0][0]["content_hash"] if texts else None,
        now=texts[-1][1]["content_hash"] if texts else None,
        came=bool(uses) and uses[-1],
        went=bool(uses) and not uses[-1],
        path=(paths[0][0], paths[-1][1]) if paths else None,
        gone=next(
            (
                Document(**(DOCUMENT.defaults | edit.before))
                for edit in edits
                if edit.before and edit.after is None
            ),
            None,
        ),
    )


def _merged_back(
    db: Connection, edits: tuple[Edit, ...], document: Document, move: _Move
) -> tuple[Edit, ...]:
    assert move.was is not None and move.now is not None
    was, now, stands = (
        document_versions.text_of(db, each) for each in (move.was, move.now, document.content_hash)
    )
    both = merge(plain(was), plain(now), plain(stands))
    if both.clashes:
        raise Conflict(
            message("{path} was changed on the disk since.", path=document.path),
            details={"expected": was, "found": stands},
        )
    text = text_format_of(stands, encoding="utf-8", bom=b"").with_manner(stands, both.text)
    rest = [_without_text(edit) if edit.id == document.id else edit for edit in edits]
    return (*(edit for edit in rest if edit.after), version_edit(db, document, text, document.updated_at))


def _without_text(edit: Edit) -> Edit:
    return replace(
        edit,
        before={name: value for name, value in (edit.before or {}).items() if name not in _TEXT},
        after={name: value for name, value in (edit.after or {}).items() if name not in _TEXT},
    )


def _carry(engine: Engine, each: _Move, root: Root) -> None:
    """Apply a file's net effect to the disk. Where the root change leaves files in place, no file is created
    or removed."""
    document, workspace = _placed(engine, each)
    if document is None or workspace is None:
        return
    folder = Path(workspace.path)
    if each.path is not None:
        rename(within(folder, each.path[0]), within(folder, each.path[1]))
    if each.came and not root.files_stay:
        _bring(engine, document, within(folder, document.path), root)
    elif each.went and not root.files_stay:
        file = on_disk(engine, document, workspace)
        if document_versions.hash_of(file.text) != (each.was or document.content_hash):
            raise Conflict(
                message("{path} was changed on the disk since.", path=document.path),
                details={"found": file.text},
            )
        remove(path_of(document, workspace), file.manner.exact(file.text))
    elif each.rewritten and document.retired_at is None:
        _rewrite(engine, document, workspace, each.was or "")


def _placed(engine: Engine, each: _Move) -> tuple[Document | None, Workspace | None]:
    with engine.store.reading() as db:
        document: Document | None = each.gone or records.get(db, DOCUMENT, each.document_id)
        workspace = None if document is None else records.get(db, WORKSPACE, document.workspace_id)
    return document, workspace


def _bring(engine: Engine, document: Document, path: Path, root: Root) -> None:
    """Create a removed file again, in its former encoding and with its former permissions."""
    kept = root.details
    text = _text(engine, document.content_hash)
    manner = replace(
        as_written(engine, None, text, path, author=FILES),
        encoding=kept.get("encoding", "utf-8"),
        bom=bytes.fromhex(kept.get("bom", "")),
    )
    create(path, manner.exact(text), mode=kept.get("mode", 0o600))


def _rewrite(engine: Engine, document: Document, workspace: Workspace, was: str) -> None:
    file = on_disk(engine, document, workspace)
    if document_versions.hash_of(file.text) == document.content_hash:
        return
    path, standing = path_of(document, workspace), file.manner.exact(file.text)
    text = _text(engine, document.content_hash)
    data = as_written(engine, file, text, path, author=FILES).exact(text)
    stood = None if document_versions.hash_of(file.text) == was and not file.mended else standing
    if stood is None:
        stood = write_over(path, data, standing)
    if stood is not None:
        raise Conflict(
            message("{path} was changed on the disk since.", path=document.path),
            details={"expected": _text(engine, was), "found": file.text},
        )


def _text(engine: Engine, content_hash: str) -> str:
    with engine.store.reading() as db:
        return document_versions.text_of(db, content_hash)


def _take_back(engine: Engine, move: _Move, edits: Sequence[Edit]) -> None:
    with engine.store.reading() as db:
        document = move.gone or records.need(db, DOCUMENT, move.document_id)
    title = message("{path} could not be written; the undo was taken back", path=document.path)
    engine.store.apply(change_of(document, title, FILES, tuple(edit.mirrored() for edit in reversed(edits))))
