"""Undo and redo, of single changes and of runs. Undo is a change like any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.retarget import retarget
from memdesk.engine.progress import Progress
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import file_undo
from memdesk.engine.workspace.disk import one_comparer
from memdesk.model.change import Change
from memdesk.model.curation import Undo, Undone, UndoRun
from memdesk.model.entity import RELATION
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.store import journal, records
from memdesk.store.connection import Connection
from memdesk.store.run_undo import RunUndo, changed_meanwhile, run_undo


def undo(engine: Engine, ask: Undo, *, author: str) -> Undone:
    """Undo a change, or the author's latest one in effect.

    Raises Conflict if a later change altered its records or depends on it, NotFound if there is nothing to
    undo."""
    return _take_back(engine, ask.change, author)


def latest_undo(engine: Engine, author: str) -> Undo | UndoRun:
    """Return the request that undoes the author's latest undo, with its run if it belongs to one.

    Raises NotFound if there is nothing to redo."""
    with engine.store.reading() as db:
        latest = journal.latest_own(db, author, undo=True)
        run = journal.run_of(db, latest)
    return Undo(change=latest) if run is None else UndoRun(change=latest)


def undo_run(
    engine: Engine, ask: UndoRun, *, author: str, progress: Progress, run: str = ""
) -> dict[str, Any]:
    """Undo a run with all that jobs derived from it; a run of undos is redone in the same way.

    Records that a person or an agent changed since stay, with their dependent records. run: name of the
    changes made here; called again with the same name after a stop, the undo continues. Returns how many
    changes of the run were undone, the last change that did so, why records were `left`, by id, and how many
    more stay because of those. Raises NotFound."""
    with one_comparer:
        return _undo_run(engine, ask, author, progress, run or new_id("run", engine.clock()))


def _undo_run(engine: Engine, ask: UndoRun, author: str, progress: Progress, run: str) -> dict[str, Any]:
    with engine.store.reading() as db:
        change = journal.newest_of(db, ask.run) if ask.run else ask.change
        if change is None:
            raise NotFound(message("That run changed nothing."))
        plan = run_undo(db, change, at=engine.clock())
        last = journal.newest_of(db, run)
        undone = journal.count_undone(db, journal.run_of(db, change), run)
    for done, each in enumerate(plan.changes):
        progress(done, len(plan.changes), message("Taking changes back"))
        try:
            last = _take_back(engine, each, author, run=run, plan=plan).change
            undone += each in plan.own
        except (Conflict, NotFound, Refused, StorageFailed) as wrong:
            if each in plan.own and not _all_explained(engine, each, plan):
                plan.kept[str(each)] = wrong.says
    left = _reasons_to_stay(engine, plan)
    return {"undone": undone, "change": last, "run": run, "left": left, "stays": len(plan.implied)}


def _reasons_to_stay(engine: Engine, plan: RunUndo) -> dict[str, Message]:
    """Return for each record that stays a sentence with its title and the reason."""
    with engine.store.reading() as db:
        known = records.by_ids(db, plan.kept)
    reasons: dict[str, Message] = {}
    for id, why in plan.kept.items():
        if id not in known:
            reasons[id] = why
            continue
        kind, record = known[id]
        if kind is RELATION and record.source_id in plan.kept:
            plan.implied.add(id)
        else:
            reasons[id] = _stays(shortened(str(getattr(record, kind.title))), why)
    return reasons


def _stays(title: str, why: Message) -> Message:
    return message("“{title}” stays. {why}", title=title, why=why)


def _all_explained(engine: Engine, change: int, plan: RunUndo) -> bool:
    """Return True if every record of a change has a recorded reason to stay."""
    with engine.store.reading() as db:
        return all(plan.stays(edit.id) for edit in journal.edits_of(db, change))


def _take_back(
    engine: Engine,
    change: int | None,
    author: str,
    *,
    run: str | None = None,
    plan: RunUndo | None = None,
) -> Undone:
    def wanted(db: Connection) -> int:
        return journal.latest_own(db, author, undo=False) if change is None else change

    def verb(db: Connection) -> tuple[Change | None, Change]:
        mirrored = retarget(db, journal.reversed_change(db, wanted(db), author, run=run), plan)
        if plan is not None:
            mirrored = _without_kept(db, mirrored, plan, run or "")
        mirrored = file_undo.merge_back_files(engine, db, mirrored, plan)
        return mirrored, mirrored

    with file_undo.files_locked(engine, wanted, plan):
        applied, mirrored = engine.store.decide(verb, sparing=plan)
        assert applied is not None and mirrored.undoes is not None
        file_undo.write_undo(engine, applied.id, applied.edits, plan)
    return Undone(change=applied.id, undid=mirrored.undoes, title=mirrored.title)


def _without_kept(db: Connection, mirrored: Change, plan: RunUndo, run: str) -> Change:
    """Return the change without the records that stay. Raises Conflict if it writes a file and some of its
    records stay: text and facts must be undone together."""
    goes = [edit.id for edit in mirrored.edits if edit.after is None]
    plan.kept.update(changed_meanwhile(db, goes, plan.newest, run))
    edits = tuple(plan.edits(mirrored.edits))
    staying = [edit.id for edit in mirrored.edits if plan.stays(edit.id)]
    if staying and file_undo.writes_files(edits, plan.brought):
        raise Conflict(plan.kept.get(staying[0], message("Part of it stays as it is.")))
    return replace(mirrored, edits=edits)
