"""File conflicts for a person to resolve: every side to read, and both merged with conflict marks."""

from __future__ import annotations

import json

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import writing
from memdesk.engine.workspace.disk import document_and_workspace
from memdesk.engine.workspace.writing import CLASHING, CONFLICT
from memdesk.files.merge import merge
from memdesk.files.reading import plain
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.instant import to_datetime
from memdesk.model.message import message
from memdesk.model.review import PROPOSAL, Proposal
from memdesk.model.workspace import (
    AskConflict,
    AskConflicts,
    FileConflict,
    FileConflicts,
    FileConflictText,
    ResolveConflict,
    Saved,
)
from memdesk.store import document_versions, proposing, records
from memdesk.store.connection import Connection
from memdesk.store.proposing import Wanted

LISTED_AT_MOST = 200
SIDES = ("ours", "theirs", "text")


def conflicts(engine: Engine, ask: AskConflicts) -> FileConflicts:
    """Return conflicts of files, newest first: the open ones, or all."""
    wanted = Wanted(user_id=ask.user_id, state="all" if ask.resolved else "open", types=(CONFLICT,))
    with engine.store.reading() as db:
        found = proposing.questions(db, wanted, LISTED_AT_MOST)
        rows = tuple(_row(each, records.need(db, DOCUMENT, each.subject_id)) for each in found)
    return FileConflicts(rows=rows)


def conflict(engine: Engine, ask: AskConflict) -> FileConflictText:
    """Return one conflict with all its texts, and with both sides merged between conflict marks. Raises NotFound."""
    with engine.store.reading() as db:
        question = _need(db, ask.conflict_id)
        row = _row(question, records.need(db, DOCUMENT, question.subject_id))
        base, ours, theirs = (
            document_versions.text_of(db, each) for each in (row.base_hash, row.ours_hash, row.theirs_hash)
        )
    document, workspace = document_and_workspace(engine, row.document_id)
    now = writing.current(engine, document, workspace)
    both = merge(plain(base), plain(ours), plain(now.text))
    return FileConflictText(
        conflict=row,
        base=base,
        ours=ours,
        theirs=theirs,
        now=now.text,
        now_hash=document_versions.hash_of(now.text),
        marked=both.text,
        clashes=both.clashes,
    )


def resolve(engine: Engine, ask: ResolveConflict, *, author: str) -> Saved:
    """Save one side, or a text of the person's own, as the file, and close the conflict, in one change.

    base_hash: the file's text when the person decided; later changes are merged. Raises NotFound, BadAsk, and
    Conflict when it is decided already or clashes again."""
    if ask.side not in SIDES:
        raise BadAsk(message("side is one of {sides}.", sides=", ".join(SIDES)))
    with engine.store.reading() as db:
        question = _need(db, ask.conflict_id)
        if question.status != "open":
            raise Conflict(
                message("This conflict was decided already: {decision}.", decision=question.decision)
            )
        text = (
            ask.text
            if ask.side == "text"
            else document_versions.text_of(db, json.loads(question.details)[ask.side])
        )
        stands = (
            document_versions.text_of_file(db, question.subject_id, ask.base_hash)
            if ask.side == "theirs"
            else text
        )
    closing = records.update_edit(
        PROPOSAL,
        question,
        status="dismissed" if ask.side == "theirs" else "accepted",
        decision=ask.side,
        decided_at=engine.clock(),
    )
    title = message("Resolved a conflict: {question}", question=question.reason.removesuffix(CLASHING))
    return writing.replace(
        engine,
        question.subject_id,
        stands,
        base_hash=ask.base_hash,
        author=author,
        title=title,
        also=(closing,),
    )


def _need(db: Connection, id: str) -> Proposal:
    found = records.need(db, PROPOSAL, id)
    if found.type != CONFLICT:
        raise BadAsk(
            message("{id} is no conflict of a file.", id=id), next=message("The review queue answers it.")
        )
    return found


def _row(question: Proposal, document: Document) -> FileConflict:
    details = json.loads(question.details)
    return FileConflict(
        id=question.id,
        document_id=document.id,
        path=document.path,
        agent_id=document.agent_id,
        author=details["author"],
        at=to_datetime(question.created_at),
        status=question.status,
        decision=question.decision,
        base_hash=details["base"],
        ours_hash=details["ours"],
        theirs_hash=details["theirs"],
    )
