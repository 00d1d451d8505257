"""Taking back, and taking back the taking back. Undo is a change like any other."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.homing import homed
from memdesk.engine.progress import Progress
from memdesk.engine.workspace import undoing
from memdesk.model.change import Change
from memdesk.model.curation import Redo, Undo, Undone, UndoRun
from memdesk.model.errors import Conflict, NotFound
from memdesk.model.ids import new_id
from memdesk.store import journal
from memdesk.store.connection import Connection


def undo(engine: Engine, ask: Undo, *, author: str) -> Undone:
    """Take a change back, or the author's latest one in effect.

    Raises Conflict when something changed since or depends on it, NotFound when there is nothing to undo.
    """
    return _take_back(engine, ask.change, author, redo=False)


def redo(engine: Engine, ask: Redo, *, author: str) -> Undone:
    """Take the author's latest undo back."""
    return _take_back(engine, None, author, redo=True)


def undo_run(engine: Engine, ask: UndoRun, *, author: str, progress: Progress) -> dict[str, Any]:
    """Take back every change of a run, newest first, each by itself: what cannot be undone is named and left.

    Returns how many were undone, the last change that did so, and, by change, why others were not. Undoing a run is
    itself a run; called again, it goes on with what is left. Raises NotFound.
    """
    with engine.store.reading() as db:
        change = journal.newest_of(db, ask.run) if ask.run else ask.change
        if change is None:
            raise NotFound("That run changed nothing.")
        waiting = journal.run_of(db, change)
    run = new_id("run", engine.clock())
    left: dict[str, str] = {}
    last: int | None = None
    for done, change in enumerate(waiting):
        progress(done, len(waiting), "Taking changes back")
        try:
            last = _take_back(engine, change, author, redo=False, run=run).change
        except Conflict as conflict:
            left[str(change)] = conflict.says
    return {"undone": len(waiting) - len(left), "change": last, "left": left}


def _take_back(
    engine: Engine, change: int | None, author: str, *, redo: bool, run: str | None = None
) -> Undone:
    def wanted(db: Connection) -> int:
        return journal.latest_own(db, author, undo=redo) if change is None else change

    def verb(db: Connection) -> tuple[Change | None, Change]:
        mirrored = undoing.adapted(engine, db, homed(db, journal.mirrored(db, wanted(db), author, run=run)))
        return mirrored, mirrored

    with undoing.files_seen(engine, wanted):
        applied, mirrored = engine.store.decide(verb)
        assert applied is not None and mirrored.undoes is not None
        undoing.carry(engine, applied.id, applied.edits)
    return Undone(change=applied.id, undid=mirrored.undoes, title=mirrored.title)
