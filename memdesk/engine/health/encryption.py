"""Move of a desk into encryption, or back into clear. The caller must have the desk's lock.

The next database is built and verified in a separate folder and put in place by one rename, as a restore does. Killed
at any moment, the desk is the old one or the new one; small files are brought into its state at the next start."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from memdesk.engine.backups import open_copy, verify_copy
from memdesk.engine.health.restore import build
from memdesk.engine.mark import Mark, line_of
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.files.atomic import overwrite_removed
from memdesk.files.encryption import forget_key, seal, unseal
from memdesk.files.places import Desk
from memdesk.model import desk_keys
from memdesk.model.change import Change
from memdesk.model.desk_keys import AskEncryption, EncryptionMoved
from memdesk.model.errors import Conflict, NotFound, StorageFailed
from memdesk.model.message import message
from memdesk.store import backups
from memdesk.store.encrypting import rewrite

log = logging.getLogger(__name__)


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
            engine.store.apply(Change.of_desk(said, author="person:" + engine.person))
            mark = Mark(*engine.store.mark)
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
