"""Automatic backups: every day and before large operations. A copy counts once it was opened as a desk and verified."""

from __future__ import annotations

import json
import logging
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from memdesk.engine.engine import Engine, now
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.providers.embedder import StaticTable
from memdesk.engine.verify import verify
from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk
from memdesk.files.settings import load_settings
from memdesk.model.backup import BY_HAND, Backup, BackupList, RestoreBackup, RestoreOutcome
from memdesk.model.errors import BadAsk, Conflict, MemDeskError, NotFound, StorageFailed
from memdesk.model.message import as_message, message, packed
from memdesk.model.settings import DEFAULTS
from memdesk.store import backups
from memdesk.store.backups import Content
from memdesk.store.store import Store

LARGE_IMPORT, LARGE_BULK = 1000, 100
"""From how many records on an import or an act on many is backed up before."""
_SAID = "last-restore.json"
_ONE = threading.Lock()
"""Lock for the time one backup is made: two at once would only use twice the disk."""
log = logging.getLogger(__name__)


def make_backup(engine: Engine, reason: str, progress: Progress = ignore_progress) -> Backup:
    """Copy the desk's database, open the copy as a desk, verify and count it, and keep it among the backups.

    Then remove the backups that rotation drops. Raises StorageFailed, with nothing kept, if the disk is full
    or the copy differs from the data written; Cancelled; BadAsk for a desk in a database."""
    engine.desk.need_file()
    folder, database = engine.desk.backups, engine.desk.database
    with _ONE:
        backups.sweep(folder)
        with backups.new_backup_folder(folder, wanted_bytes=backups.size_of(database)) as place:
            backups.copy(
                database,
                place / database.name,
                lambda done, total: progress(done, total, message("Copying the database")),
            )
            held = verify_copy(place, progress)
            made = backups.keep(folder, place / database.name, held, reason=reason, at=engine.clock())
        rotate(engine)
    log.info("backup %s: %d bytes", made.name, made.bytes)
    return made


def ensure_backup(engine: Engine, reason: str, progress: Progress = ignore_progress) -> Backup | None:
    """Return a backup to go back to after a large operation: the newest one if nothing changed since, else a
    new one.

    None if the settings turn these backups off, and for a desk in a database. Raises StorageFailed if it cannot be
    made: the operation must not begin then."""
    if not engine.settings.backup_before or engine.desk.address is not None:
        return None
    try:
        return unchanged_since(engine) or make_backup(engine, reason, progress)
    except StorageFailed as failed:
        raise StorageFailed(
            message(
                "The backup that comes before this could not be made, so nothing was done. {says}",
                says=failed.says,
            ),
            next=failed.next,
        ) from failed


def unchanged_since(engine: Engine) -> Backup | None:
    """Return the newest tested backup if it includes the latest event, None if there is a later event."""
    newest = next((each for each in backups.list_backups(engine.desk.backups) if each.verified_at), None)
    return newest if newest is not None and newest.last_change == engine.store.mark[0] else None


def make_by_hand(engine: Engine, progress: Progress) -> dict[str, object]:
    """Make a backup that a person asked for; return the result of its job."""
    made = make_backup(engine, BY_HAND, progress)
    return {
        "backup": made.name,
        "bytes": made.bytes,
        "says": message("{made} is made and tested.", made=made.name),
    }


def rotate(engine: Engine) -> list[Backup]:
    """Remove the backups that the settings no longer keep; return them."""
    folder, settings = engine.desk.backups, engine.settings
    gone = backups.expired(
        backups.list_backups(folder), days=settings.backup_days, weeks=settings.backup_weeks
    )
    for each in gone:
        backups.remove(folder, each)
    return gone


def listing(desk: Desk) -> BackupList:
    """List every backup of a desk, even if the desk itself cannot be opened."""
    rows = tuple(backups.list_backups(desk.backups))
    there = next(folder for folder in (desk.backups, *desk.backups.parents) if folder.is_dir())
    try:
        enabled = bool(load_settings(desk.settings).backup_minutes)
    except BadAsk:
        enabled = False
    return BackupList(
        folder=str(desk.backups),
        enabled=enabled,
        bytes=sum(each.bytes for each in rows),
        free_bytes=shutil.disk_usage(there).free,
        rows=rows,
        last_restore=last_restore(desk),
    )


def find_backup(desk: Desk, ask: RestoreBackup) -> Backup:
    """Return the requested backup. Raises BadAsk, NotFound, and Conflict for one that was never tested."""
    if bool(ask.name) == (ask.at is not None):
        raise BadAsk(
            message("Name a backup, or a moment."), next=message("`memdesk backup list` shows them.")
        )
    rows = backups.list_backups(desk.backups)
    if ask.at is not None:
        at = ask.at if ask.at.tzinfo else ask.at.astimezone()
        found = next((each for each in rows if each.verified_at and each.made_at <= at), None)
    else:
        found = next((each for each in rows if each.name == ask.name), None)
    if found is None:
        raise NotFound(
            message("There is no such backup."), next=message("`memdesk backup list` shows those there are.")
        )
    if found.verified_at is None:
        raise Conflict(
            message("The backup {found} was never tested.", found=found.name),
            next=message("Choose one that was."),
        )
    return found


def verify_copy(folder: Path, progress: Progress = ignore_progress) -> Content:
    """Open the copy in a folder as a separate desk, verify and count it. Raises StorageFailed."""
    held = backups.examine(Desk(folder).database)
    with open_copy(folder) as engine:
        found = verify(engine, progress)
    if not found.whole:
        wrong = [] if found.first_break is None else [found.first_break.says]
        wrong += [each.says for each in found.findings if not each.harmless]
        raise StorageFailed(
            message("The copy does not hold what was written: {wrong}", wrong=wrong[0]),
            next=message("`memdesk doctor` says what is wrong, and what can be done."),
        )
    return held


@contextmanager
def open_copy(folder: Path) -> Iterator[Engine]:
    """Open the database in a folder as a desk without models: no vector waits for another embedder afterwards."""
    desk = Desk(folder)
    store = Store(desk.database, backups=desk.backups, clock=now)
    engine = Engine(desk, store, StaticTable(), DEFAULTS, now)
    try:
        yield engine
    finally:
        engine.close()


def note_restore(desk: Desk, restored: RestoreOutcome) -> None:
    """Record how a restore ended. A failure to write the record is only logged: the restore itself is done."""
    said = {
        "name": restored.name,
        "at": restored.at.isoformat(),
        "ok": restored.ok,
        "says": packed(restored.says),
        "kept": restored.kept,
        "counts": restored.counts,
    }
    try:
        desk.backups.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(desk.backups / _SAID, json.dumps(said, indent=2).encode())
    except (MemDeskError, OSError) as refused:
        log.warning("how the restore ended could not be noted: %s", refused)


def last_restore(desk: Desk) -> RestoreOutcome | None:
    """Return how the latest restore ended; None before the first or if the record cannot be read."""
    try:
        said = json.loads((desk.backups / _SAID).read_text(encoding="utf-8"))
        at = datetime.fromisoformat(said.pop("at")).astimezone(UTC)
        return RestoreOutcome(at=at, says=as_message(said.pop("says")), **said)
    except (OSError, ValueError, KeyError, TypeError):
        return None
