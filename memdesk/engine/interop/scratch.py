"""Import of scratchpads: a note is added if its session has none of this key. As working memory it is not
journalled."""

from __future__ import annotations

from collections import Counter
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.interop.items import Scratch
from memdesk.engine.memory.scratchpad import write_note
from memdesk.engine.workspace.register import Bringer
from memdesk.files.reading import Left
from memdesk.model.errors import MemDeskError
from memdesk.model.scratchpad import WriteNote
from memdesk.model.working import session_key
from memdesk.store import working

Notes = list[tuple[str, str, Any]]


def fresh(engine: Engine, scratch: Scratch, bringer: Bringer) -> Notes:
    """Return the notes whose key has no note on the desk."""
    at = engine.clock()
    with engine.store.reading() as db:
        return [
            note
            for note in scratch.notes
            if working.get(db, session_key(bringer.user_id, note[0], note[1]), at=at) is None
        ]


def bring(engine: Engine, scratch: Scratch, bringer: Bringer) -> tuple[Counter[str], tuple[Left, ...]]:
    """Write the new notes; return the counts, and the notes that a scratchpad cannot store."""
    left: list[Left] = []
    new = fresh(engine, scratch, bringer)
    for session, key, value in new:
        try:
            write_note(engine, WriteNote(session_id=session, user_id=bringer.user_id, key=key, value=value))
        except MemDeskError as error:
            left.append(Left(name=f"{scratch.file}, note “{key[:60]}”", why=error.says))
    counts = Counter(scratch_notes=len(new) - len(left), known=len(scratch.notes) - len(new))
    return +counts, tuple(left)
