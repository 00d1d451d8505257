"""Restore of a backup: the desk's database is replaced completely or not at all, and is kept as a backup.

The caller must have the desk's lock, so that no other process has it open. Only the database goes back; files
in workspaces, the settings and Mem0's own stores stay as they are, and files that differ count as edited
outside."""

from __future__ import annotations

import logging
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from memdesk.engine.backups import find_backup, note_restore, open_copy, verify_copy
from memdesk.engine.engine import Engine, now
from memdesk.engine.mark import Mark, line_of
from memdesk.engine.memory.erase import erase_again
from memdesk.engine.opening import open_store
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.files.encryption import read_key_file
from memdesk.files.notices import DAMAGED, LOST, Notices
from memdesk.files.places import Desk
from memdesk.model import desk_keys
from memdesk.model.backup import BEFORE_RESTORE, Backup, DeskCopied, RestoreBackup, RestoreOutcome
from memdesk.model.change import Change
from memdesk.model.errors import Conflict, MemDeskError, NotFound, StorageFailed
from memdesk.model.message import joined, message
from memdesk.store import backups
from memdesk.store.copying import copy
from memdesk.store.encrypting import rewrite

FILES_STAY = message(
    "Files in workspaces and the settings were not taken back; files that differ now count as edited outside."
)
log = logging.getLogger(__name__)


def restore(desk: Desk, ask: RestoreBackup, progress: Progress = ignore_progress) -> RestoreOutcome:
    """Replace the desk's database with a backup, after making a backup of the replaced one.

    A user erased since is erased again, unless the backup is the one made right before the erasure. Raises
    NotFound, BadAsk, Conflict or StorageFailed; the desk is then unchanged."""
    desk.need_file()
    backups.finish_replacement(desk.database, desk.mark)
    backup = find_backup(desk, ask)
    try:
        return _restored(desk, backup, progress)
    except MemDeskError as wrong:
        note_restore(
            desk,
            RestoreOutcome(
                name=backup.name, at=datetime.now(UTC), ok=False, says=joined(wrong.says, wrong.next)
            ),
        )
        raise


def _restored(desk: Desk, backup: Backup, progress: Progress) -> RestoreOutcome:
    built = build(desk)
    try:
        progress(0, 3, message("Testing the backup"))
        _bring(desk, backups.file_of(desk.backups, backup), built / desk.database.name)
        held = verify_copy(built)
        progress(1, 3, message("Keeping what is there"))
        kept = keep_current(desk, BEFORE_RESTORE)
        progress(2, 3, message("Putting the backup in place"))
        with open_copy(built) as engine:
            erase_again(engine, backups.erased_since(desk.backups, backup))
            _note_in_the_journal(engine, backup)
            mark = Mark(*engine.store.mark)
        put_in_place(desk, mark)
    finally:
        shutil.rmtree(built, ignore_errors=True)
    done = RestoreOutcome(
        name=backup.name,
        at=datetime.now(UTC),
        ok=True,
        kept=kept,
        counts=held.counts,
        says=message(
            "The desk is as it was on {count}. What it was until now is kept as {kept}. Files in "
            "workspaces and the settings were not taken back; files that differ now count as edited "
            "outside.",
            count=f"{backup.made_at.astimezone():%Y-%m-%d at %H:%M}",
            kept=kept,
        ),
    )
    note_restore(desk, done)
    log.info("restored %s; what was there is kept as %s", backup.name, kept)
    return done


def put_in_place(desk: Desk, mark: Mark) -> None:
    """Make the built database the desk's own, and drop the notices about the previous one."""
    backups.replace_database(desk.database, desk.mark, line_of(mark))
    notices = Notices(desk.notices)
    for sort in (LOST, DAMAGED):
        notices.forget(sort)


def build(desk: Desk) -> Path:
    """Create the empty folder in which the next database is built. Raises StorageFailed."""
    place = backups.staging_folder(desk.database)
    try:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700)
    except OSError as error:
        raise StorageFailed(
            message("Nothing can be written beside the database: {strerror}.", strerror=error.strerror)
        ) from error
    return place


def keep_current(desk: Desk, reason: str) -> str:
    """Back up and test the present database; if it is damaged, keep its files unchanged. Returns the name of
    the backup."""
    database, folder = desk.database, desk.backups
    if not database.exists():
        return ""
    try:
        with backups.new_backup_folder(folder, wanted_bytes=backups.size_of(database)) as place:
            backups.copy(database, place / database.name)
            held = verify_copy(place)
            return backups.keep(folder, place / database.name, held, reason=reason, at=now()).name
    except MemDeskError as damaged:
        log.warning("what is to be replaced is damaged: %s", damaged.says)
        return backups.keep_damaged(folder, database, at=now())


def _bring(desk: Desk, source: Path, target: Path) -> None:
    """Copy a backup to where the next database is built, encrypted if the desk is. Raises Conflict, StorageFailed."""
    encrypted = desk_keys.key_for(target) is not None
    if not encrypted and not desk_keys.is_clear(source) and read_key_file(desk) is not None:
        raise Conflict(
            message("The backup {stem} is encrypted, and this desk is not.", stem=source.stem),
            next=message("Encrypt the desk with the same passphrase first: `memdesk encrypt`."),
        )
    if encrypted and desk_keys.is_clear(source):
        rewrite(source, target, clear=False)
        return
    try:
        shutil.copyfile(source, target)
        target.chmod(0o600)
    except OSError as error:
        raise StorageFailed(
            message("The backup could not be copied: {strerror}.", strerror=error.strerror)
        ) from error


def _note_in_the_journal(engine: Engine, backup: Backup) -> None:
    engine.store.apply(
        Change.of_desk(
            message("The desk was restored from the backup {backup}", backup=backup.name),
            author="person:" + engine.person,
            details={"backup": backup.name},
        )
    )


COPIED_FILES = ("settings.toml", "agents.json", "secrets.json", "secrets.key", "archive.key")
"""Files of a desk's folder that belong to its memory on any computer."""


def copy_desk(source: Desk, target: Desk, progress: Progress = ignore_progress) -> DeskCopied:
    """Copy the memory of a desk, and the files that belong to it, into a desk without memory.

    Raises NotFound, Conflict or StorageFailed; the target has no memory then. Killed at any moment, the target is empty
    or complete."""
    if source.address is None and not source.database.exists():
        raise NotFound(
            message("There is no desk in {folder}.", folder=source.folder), next=message("Check the name.")
        )
    with closing(open_store(source, now)) as old, closing(open_store(target, now)) as new:
        counts, hash = copy(old, new, lambda rows: progress(rows, 0, message("Copying rows")))
    for name in COPIED_FILES:
        if (source.folder / name).exists():
            shutil.copy2(source.folder / name, target.folder / name)
    return DeskCopied(rows=counts, hash=hash.hex())
