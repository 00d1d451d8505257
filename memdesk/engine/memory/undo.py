"""Taking back, and taking back the taking back. Undo is a change like any other."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import documents
from memdesk.model.change import Change
from memdesk.model.curation import Redo, Undo, Undone
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


def _take_back(engine: Engine, change: int | None, author: str, *, redo: bool) -> Undone:
    def verb(db: Connection) -> tuple[Change | None, Change]:
        wanted = journal.latest_own(db, author, undo=redo) if change is None else change
        mirrored = journal.mirrored(db, wanted, author)
        documents.before_undo(engine, db, mirrored.edits)
        return mirrored, mirrored

    applied, mirrored = engine.store.decide(verb)
    assert applied is not None and mirrored.undoes is not None
    documents.after_undo(engine, applied.edits)
    return Undone(change=applied.id, undid=mirrored.undoes, title=mirrored.title)
