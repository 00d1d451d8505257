"""Erasure of one user: the only operation that cannot be undone; it leaves only numbers behind."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from memdesk.engine import backups as desk_backups
from memdesk.engine.engine import Engine
from memdesk.engine.progress import Progress
from memdesk.model.backup import AFTER_ERASE, BEFORE_ERASE
from memdesk.model.change import Change
from memdesk.model.curation import EraseUser
from memdesk.model.document import WORKSPACE
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.message import Message, message
from memdesk.store import backups, erasing, records
from memdesk.store.connection import Connection
from memdesk.store.erasing import Erased
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal

STEPS = 2
PAUSE_SECONDS = 0.5
"""Pause between two attempts to rewrite the file, so that other writes can run."""


def check(ask: EraseUser) -> None:
    """Raise BadAsk unless the user is named twice alike: erased memory cannot be brought back."""
    if ask.confirm != ask.user_id:
        raise BadAsk(
            message("confirm does not repeat user_id, so nothing was erased."),
            next=message("Name the user in both."),
        )


def erase_user(
    engine: Engine, ask: EraseUser, *, author: str, progress: Progress, again: bool = False
) -> dict[str, Any]:
    """Erase all data of a user, then rewrite the file without it.

    again: True if an earlier attempt was stopped, which may have erased the user already.

    A backup is made first, the only one the user can be restored from: older ones erase the user again when
    they are restored. With `backups` none is made, and every backup that includes the user is deleted
    completely. A desk in a database has no backups. Returns the erased counts, the change that records the
    erasure, the backup made before, those removed, and the names of untouched files: those in workspaces, and
    backups. Raises BadAsk if `confirm` is not the user, NotFound if there is no data
    of theirs, StorageFailed if the backup cannot be made."""
    check(ask)
    with engine.store.reading() as db:
        folders = [each.path for each in records.find(db, WORKSPACE, user_id=ask.user_id)]
        known = ask.user_id in backups.users(db)
    beside = engine.mem0.place(ask.user_id).exists()
    kept = desk_backups.ensure_backup(engine, BEFORE_ERASE, progress) if known and not ask.backups else None
    progress(0, STEPS, message("Erasing"))
    if known or beside:
        backups.note_erased(
            engine.desk.backups, _digest(ask.user_id), spare=() if kept is None else (kept.name,)
        )
    change, erased = engine.store.maintain(
        lambda db, index, journal: _erase(db, index, journal, ask.user_id, author, beside=beside or again)
    ).result()
    engine.forget()
    engine.mem0.erase(ask.user_id)
    shutil.rmtree(engine.desk.taken_back, ignore_errors=True)
    progress(1, STEPS, message("Rewriting the file without it"))
    while not engine.store.alone(erasing.compact).result():
        progress(1, STEPS, message("Waiting for readers to end, to rewrite the file without it"))
        time.sleep(PAUSE_SECONDS)
    removed = _remove_backups(engine, ask.user_id) if ask.backups else []
    if removed and engine.settings.backup_before:
        desk_backups.make_backup(engine, AFTER_ERASE, progress)
    untouched = [*folders, *_backups_left(engine, ask.user_id)]
    return {
        "change": change,
        "erased": {name: n for name, n in erased.counts.items() if n},
        "untouched": untouched,
        "removed": removed,
        "backup": None if kept is None else kept.name,
        "says": _summary(erased, untouched, database=engine.desk.address is not None),
    }


def erase_again(engine: Engine, digests: Collection[str]) -> int:
    """Erase the users of a restored desk that were erased after its backup; return how many there were."""
    with engine.store.reading() as db:
        found = [user for user in backups.users(db) if _digest(user) in digests]
    for user in found:
        engine.store.maintain(partial(_again, user)).result()
    if found:
        engine.forget()
        engine.store.alone(erasing.compact).result()
    return len(found)


def _again(user_id: str, db: Connection, index: Index, journal: Journal) -> None:
    _erase(db, index, journal, user_id, "job:restore", beside=False)


def _backups_left(engine: Engine, user_id: str) -> list[str]:
    """Return the files of backups that include a user, or may: the contents of an untested one are unknown."""
    folder = engine.desk.backups
    files = [
        (backups.file_of(folder, each), each.verified_at is not None) for each in backups.list_backups(folder)
    ]
    return sorted(
        str(file) for file, tested in files if not tested or backups.has_user_data(file, user_id) is not False
    )


def _remove_backups(engine: Engine, user_id: str) -> list[str]:
    """Delete the backups that include a user and return their names; one that cannot be read stays."""
    folder = engine.desk.backups
    holding = [
        each
        for each in backups.list_backups(folder)
        if backups.has_user_data(backups.file_of(folder, each), user_id)
    ]
    for each in holding:
        backups.remove(folder, each)
    return [each.name for each in holding]


def _erase(
    db: Connection, index: Index, journal: Journal, user_id: str, author: str, *, beside: bool
) -> tuple[int, Erased]:
    """Erase the user and write the change that records it, in one transaction. Runs on the writer thread.

    beside: True if there is data of the user outside the file. Raises NotFound if there is none anywhere."""
    erased = erasing.erase(db, index, user_id, by=journal.last_id + 1)
    if not erased.anything and not beside:
        raise NotFound(
            message("There is nothing of a user {user_id} here.", user_id=user_id),
            next=message("Check the name."),
        )
    details = {"user": _digest(user_id), "erased": erased.counts, "hashes": erased.digest}
    title = message("Everything of one user, erased for good")
    applied = journal.apply(Change.of_desk(title, author=author, op="delete", details=details))
    return applied.id, erased


def _digest(user_id: str) -> str:
    return hashlib.blake2b(user_id.encode(), digest_size=16).hexdigest()


def _summary(erased: Erased, untouched: Iterable[str], *, database: bool) -> Message:
    count = f"{sum(erased.counts.values()):,}"
    left = "".join(f"\n  {each}" for each in untouched)
    if database:
        return message(
            "Erased {count} rows for good. No backup was made: dumps, replicas and archived WAL of the database have "
            "the user until you delete them. Files in workspaces are not touched.{left}",
            count=count,
            left=left,
        )
    if left:
        return message(
            "Erased {count} rows for good. Not touched, and yours to judge:{left}", count=count, left=left
        )
    return message("Erased {count} rows for good.", count=count)
