"""Erasing one user for good: the one thing that cannot be taken back, and leaves only numbers behind."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.progress import Progress
from memdesk.model.change import Change
from memdesk.model.curation import EraseUser
from memdesk.model.document import WORKSPACE
from memdesk.model.errors import BadAsk, NotFound
from memdesk.store import erasing, records
from memdesk.store.connection import Connection
from memdesk.store.erasing import Erased
from memdesk.store.journal import Journal

STEPS = 2
PAUSE_SECONDS = 0.5
"""Between two tries to rewrite the file, for what else wants to be written."""


def check(ask: EraseUser) -> None:
    """Raises BadAsk unless the user is named twice alike: what is erased does not come back."""
    if ask.confirm != ask.user_id:
        raise BadAsk("confirm does not repeat user_id, so nothing was erased.", next="Name the user in both.")


def erase_user(engine: Engine, ask: EraseUser, *, author: str, progress: Progress) -> dict[str, Any]:
    """Erase all that is kept of a user, then rewrite the file without it.

    Returns what was erased, the change that says so, and by name what was not touched: files in workspaces, and
    backups made before. Raises BadAsk when `confirm` is not the user, NotFound when there is nothing of theirs.
    """
    check(ask)
    progress(0, STEPS, "Erasing")
    with engine.store.reading() as db:
        folders = [each.path for each in records.find(db, WORKSPACE, user_id=ask.user_id)]
    beside = engine.mem0.place(ask.user_id).exists()
    change, erased = engine.store.maintain(
        lambda db, _index, journal: _erase(db, journal, ask.user_id, author, beside=beside)
    ).result()
    engine.forget()
    engine.mem0.erase(ask.user_id)
    progress(1, STEPS, "Rewriting the file without it")
    while not engine.store.alone(erasing.compact).result():
        progress(1, STEPS, "Waiting for readers to end, to rewrite the file without it")
        time.sleep(PAUSE_SECONDS)
    untouched = [*folders, *sorted(str(file) for file in engine.desk.backups.glob("*"))]
    return {
        "change": change, "erased": {name: n for name, n in erased.counts.items() if n}, "untouched": untouched,
        "says": _told(erased, untouched),
    }  # fmt: skip


def _erase(
    db: Connection, journal: Journal, user_id: str, author: str, *, beside: bool
) -> tuple[int, Erased]:
    """Runs on the writer thread: the erasure and the change that tells of it, whole or not at all.

    beside: there is something of theirs outside the file."""
    erased = erasing.erase(db, user_id, by=journal.last_id + 1)
    if not erased.anything and not beside:
        raise NotFound(f"There is nothing of a user {user_id} here.", next="Check the name.")
    whose = hashlib.blake2b(user_id.encode(), digest_size=16).hexdigest()
    details = {"user": whose, "erased": erased.counts, "hashes": erased.digest}
    applied = journal.apply(
        Change(
            op="delete", layer="workspace", title="Everything of one user, erased for good", author=author,
            user_id="", edits=(), details=details,
        )
    )  # fmt: skip
    return applied.id, erased


def _told(erased: Erased, untouched: Iterable[str]) -> str:
    rows = sum(erased.counts.values())
    left = "".join(f"\n  {each}" for each in untouched)
    return f"Erased {rows:,} rows for good." + (f" Not touched, and yours to judge:{left}" if left else "")
