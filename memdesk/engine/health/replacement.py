"""Replacement of a desk's database as a whole: by a backup that is restored, by the memory of another desk, and by the
same in encryption or in clear.

The caller must have the desk's lock, so that no other process has it open. The next database is built and verified in a
separate folder and put in place by one rename: killed at any moment, the desk is the old one or the new one. Only the
database is replaced, and a restore keeps it as a backup; files in workspaces, the settings and Mem0's own stores stay
as they are, and files that differ count as edited outside. Small files are encrypted, or put in clear, at the next
start."""

from __future__ import annotations

import logging
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdesk.engine.backups import find_backup, note_restore, open_copy, verify_copy
from memdesk.engine.engine import Engine, now
from memdesk.engine.mark import Mark, line_of
from memdesk.engine.memory.draft import PERSON
from memdesk.engine.memory.erase import erase_again
from memdesk.engine.opening import open_store
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.files.atomic import overwrite_removed
from memdesk.files.encryption import forget_key, read_key_file, seal, unseal
from memdesk.files.notices import DAMAGED, LOST, Notices
from memdesk.files.places import Desk
from memdesk.model import desk_keys
from memdesk.model.backup import BEFORE_RESTORE, Backup, DeskCopied, RestoreBackup, RestoreOutcome
from memdesk.model.change import Change
from memdesk.model.desk_keys import AskEncryption, EncryptionMoved
from memdesk.model.errors import Conflict, MemDeskError, NotFound, StorageFailed
from memdesk.model.message import Message, joined, message
from memdesk.store import backups
from memdesk.store.copying import copy
from memdesk.store.encrypting import rewrite

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
            said = message("The desk was restored from the backup {backup}", backup=backup.name)
            mark = note_event(engine, said, backup=backup.name)
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


def note_event(engine: Engine, title: Message, **details: Any) -> Mark:
    """Write the desk's own event into the journal of a database that was built; return its mark."""
    engine.store.apply(Change.of_desk(title, author=f"{PERSON}{engine.person}", details=details))
    return Mark(*engine.store.mark)


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


def encrypt(desk: Desk, ask: AskEncryption, progress: Progress = ignore_progress) -> EncryptionMoved:
    """Encrypt a desk with the key that this process uses for it, or the backups of one that is encrypted.

    Raises StorageFailed; the desk is then unchanged. Raises Conflict where nothing is left to do."""
    key = desk_keys.key_for(desk.folder)
    assert key is not None
    _finish(desk)
    if was_clear := desk_keys.is_clear(desk.database):
        _move(desk, progress, clear=False)
    for file in desk.sealed_files():
        seal(file)
    moved, removed, kept = _moved_backups(desk, ask, progress, clear=False)
    if not (was_clear or moved or removed):
        raise Conflict(message("This desk is encrypted already."), next=message("`memdesk status` says so."))
    return EncryptionMoved(
        encrypted=True,
        moved=moved,
        removed=removed,
        kept=kept,
        in_clear=tuple(str(folder) for folder in (desk.workspaces, desk.mem0) if folder.exists()),
        key=key.hex() if was_clear and not ask.passphrase else "",
    )


def decrypt(desk: Desk, ask: AskEncryption, progress: Progress = ignore_progress) -> EncryptionMoved:
    """Write an encrypted desk in clear. Raises StorageFailed; the desk is then unchanged.

    The key is kept as long as there are backups that need it."""
    _finish(desk)
    for file in desk.sealed_files():
        unseal(file)
    if not desk_keys.is_clear(desk.database):
        _move(desk, progress, clear=True)
    moved, removed, kept = _moved_backups(desk, ask, progress, clear=True)
    forget_key(desk, backups_too=not kept)
    desk_keys.drop_key(desk.folder)
    return EncryptionMoved(encrypted=False, moved=moved, removed=removed, kept=kept)


def _finish(desk: Desk) -> None:
    """Finish what a kill had cut short. Raises NotFound where there is no desk yet."""
    desk.need_file()
    backups.finish_replacement(desk.database, desk.mark)
    backups.sweep(desk.backups)
    if not desk.database.exists():
        raise NotFound(
            message("There is no desk yet."), next=message("The first start makes it: `memdesk status`.")
        )


def _move(desk: Desk, progress: Progress, *, clear: bool) -> None:
    _need_room(desk)
    built = build(desk)
    try:
        progress(0, 3, message("Rewriting the database"))
        target = built / desk.database.name
        rewrite(desk.database, target, clear=clear)
        target.chmod(0o600)
        progress(1, 3, message("Testing what was written"))
        verify_copy(built)
        with open_copy(built) as engine:
            said = message("The desk was written in clear") if clear else message("The desk was encrypted")
            mark = note_event(engine, said)
        progress(2, 3, message("Putting it in place"))
        with overwrite_removed(desk.database), overwrite_removed(Path(f"{desk.database}-wal")):
            backups.replace_database(desk.database, desk.mark, line_of(mark))
    finally:
        shutil.rmtree(built, ignore_errors=True)
    log.info("the desk was %s", "written in clear" if clear else "encrypted")


def _need_room(desk: Desk) -> None:
    wanted, free = backups.size_of(desk.database), shutil.disk_usage(desk.folder).free
    if free < wanted + backups.SPARE_BYTES:
        raise StorageFailed(
            message(
                "There is no room for a second database of {needed} MB: {free} MB are free.",
                needed=f"{wanted / 1e6:,.0f}",
                free=f"{free / 1e6:,.0f}",
            ),
            next=message("Free some disk space."),
        )


def _moved_backups(
    desk: Desk, ask: AskEncryption, progress: Progress, *, clear: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the names of the backups that were moved, removed and kept, of those in the state before."""
    others = [
        each
        for each in backups.list_backups(desk.backups)
        if desk_keys.is_clear(backups.file_of(desk.backups, each)) is not clear
    ]
    names = tuple(each.name for each in others)
    if ask.backups == "keep":
        return (), (), names
    for number, each in enumerate(others):
        progress(number, len(others), message("Going through the backups"))
        file = backups.file_of(desk.backups, each)
        with overwrite_removed(file):
            if ask.backups == "remove":
                backups.remove(desk.backups, each)
            else:
                _move_backup(desk, file, clear=clear)
    return (names, (), ()) if ask.backups == "move" else ((), names, ())


def _move_backup(desk: Desk, file: Path, *, clear: bool) -> None:
    with backups.new_backup_folder(desk.backups, wanted_bytes=backups.size_of(file)) as place:
        built = place / file.name
        rewrite(file, built, clear=clear)
        backups.examine(built)
        backups.exchange(built, file)
