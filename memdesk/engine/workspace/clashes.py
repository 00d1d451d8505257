"""Clashing texts of one file: all sides are kept as versions until a person has chosen."""

from __future__ import annotations

import json

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace.disk import change_of
from memdesk.files.reading import TextFile
from memdesk.model.change import Change, Edit
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.errors import Conflict
from memdesk.store import proposing, records, versions
from memdesk.store.connection import Connection

CONFLICT = "conflict"
CLASHING = " was changed by two at once, in the same lines."


def kept_beside(
    engine: Engine, document: Document, *, base: str, ours: str, theirs: TextFile, author: str
) -> Conflict:
    """Keep a text that cannot be merged with the file's present text; return the Conflict to raise.

    A conflict is kept once, however often its text is sent again."""

    def verb(db: Connection) -> tuple[Change | None, str]:
        now: Document = records.need(db, DOCUMENT, document.id)
        sides = {"base": versions.keep(db, base), "ours": versions.keep(db, ours), "theirs": now.content_hash}
        for known in proposing.between(db, CONFLICT, now.id, None):
            if known.status == "open" and sides.items() <= json.loads(known.details).items():
                return None, known.id
        draft = Draft(
            engine=engine, db=db, user_id=now.user_id, channel=now.channel, agent_id=now.agent_id, at=engine.clock()
        )  # fmt: skip
        reason = now.path + CLASHING
        id = draft.question(CONFLICT, now.id, None, reason=reason, details={**sides, "author": author})
        flips = _there_and_back(now, sides["ours"], len(ours))
        title = f"Kept beside {now.path}: a text that clashes with it"
        return change_of(now, title, author, (*draft.edits, *flips)), id

    _, id = engine.store.decide(verb)
    return Conflict(
        f"{document.path} was changed on the disk since you opened it.",
        next="Read the file again and save on top of it; the desk's owner finds your text kept as a conflict.",
        details={
            "expected": base, "found": theirs.text, "found_hash": versions.hash_of(theirs.text), "conflict": id,
        },
    )  # fmt: skip


def _there_and_back(document: Document, other: str, size: int) -> tuple[Edit, Edit]:
    """Return two edits that add the other text to the file's history as a version and leave the file
    unchanged."""
    there = records.moved(DOCUMENT, document, content_hash=other, size=size)
    return there, there.mirrored()
