"""Backups of a desk's database: copies by SQLite's backup API, a small JSON file for each, and restoring one.

A backup is made under a temporary name, tested, flushed to the disk, and only then renamed; its JSON file is
written last. So a backup with a JSON file is complete and passed its test. A restore is built in a separate
folder and replaces the database by one rename; a note on the disk lets the next start finish an interrupted
restore."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdesk.model.backup import BEFORE_MIGRATION, BY_HAND, DAMAGED, REASONS, Backup
from memdesk.model.desk_keys import is_clear
from memdesk.model.errors import StorageFailed
from memdesk.model.instant import to_datetime
from memdesk.model.message import message
from memdesk.store import binding
from memdesk.store.connection import Connection

PAGES = 4096
"""Pages copied in one step; 16 MB with the usual page size."""
SPARE_BYTES = 64 * 1024 * 1024
"""Space that a backup leaves free on the disk, so that the desk itself can continue."""
_MAKING = ".making-"
_FILES = ("", "-wal", "-shm")
ProgressCallback = Callable[[int, int], None]
"""Progress callback for (pages copied, pages in all); may raise to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Content of a database. counts: records by kind; last_change: the newest event."""

    counts: dict[str, int]
    last_change: int


# Making one.


@contextmanager
def new_backup_folder(folder: Path, *, wanted_bytes: int) -> Iterator[Path]:
    """Provide a new folder for building and testing a backup, removed at the end of the block. Raises
    StorageFailed."""
    with _raising_storage_failed("The folder of backups cannot be written"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        free = shutil.disk_usage(folder).free
    if free < wanted_bytes + SPARE_BYTES:
        raise StorageFailed(
            message(
                "There is no room for a backup: it takes {needed} MB, and {free} MB are free.",
                needed=f"{wanted_bytes / 1e6:,.0f}",
                free=f"{free / 1e6:,.0f}",
            ),
            next=message("Free some disk space, or remove old backups in {folder}.", folder=folder),
        )
    place = folder / f"{_MAKING}{uuid.uuid4().hex}"
    with _raising_storage_failed("The folder of backups cannot be written"):
        place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def copy(source: Path, target: Path, report: ProgressCallback = lambda _done, _total: None) -> None:
    """Copy a database as it is at one moment, while others write to it. Raises StorageFailed."""
    if not source.is_file():
        raise StorageFailed(
            message("There is no database {source}.", source=source),
            next=message("`memdesk doctor` says what can be done."),
        )
    try:
        with (
            closing(Connection(source)) as reader,
            closing(binding.connect(target, clear=is_clear(source))) as writer,
        ):
            # Within one transaction every step sees the same moment; without, each write would start it over.
            reader.run("BEGIN")
            reader.value("SELECT count(*) FROM sqlite_schema")
            reader.raw.backup(
                writer, pages=PAGES, progress=lambda _status, left, total: report(total - left, total)
            )
            reader.run("ROLLBACK")
    except binding.sqlite.Error as error:
        raise StorageFailed(
            message("The database could not be copied: {error}.", error=error),
            next=message("`memdesk doctor` says what is wrong with it."),
        ) from error


def examine(database: Path) -> Content:
    """Check a database with SQLite's quick_check and count its records. Raises StorageFailed if it is
    damaged."""
    try:
        with closing(Connection(database)) as db:
            if (wrong := db.value("PRAGMA quick_check(1)")) != "ok":
                raise StorageFailed(message("The database is damaged: {error}.", error=wrong))
            return content(db)
    except binding.sqlite.Error as error:
        raise StorageFailed(message("The database is damaged: {error}.", error=error)) from error


def content(db: Connection) -> Content:
    """Count the records and events of an open database of any schema."""
    counts: dict[str, int] = dict(db.rows("SELECT kind, count(*) FROM records GROUP BY kind ORDER BY kind"))
    return Content(counts=counts, last_change=db.value("SELECT ifnull(max(id), 0) FROM events"))


def keep(folder: Path, database: Path, held: Content, *, reason: str, at: int) -> Backup:
    """Move a tested copy to its name among the backups, then write its JSON file. at: in UTC microseconds."""
    with _raising_storage_failed("The backup could not be written"):
        name = _free_name(folder, reason, at)
        database.chmod(0o600)
        size = database.stat().st_size
        _sync(database)
        database.rename(folder / f"{name}.db")
        _sync(folder)
        backup = Backup(
            name=name,
            reason=reason,
            made_at=to_datetime(at),
            bytes=size,
            verified_at=datetime.now(UTC),
            counts=held.counts,
            last_change=held.last_change,
        )
        _write(folder / f"{name}.json", _metadata(backup))
    return backup


def keep_damaged(folder: Path, database: Path, *, at: int) -> str:
    """Copy a damaged database and its WAL unchanged to the backups, for later analysis; return its name."""
    with _raising_storage_failed("The damaged database could not be kept"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = _free_name(folder, DAMAGED, at)
        for suffix in _FILES[:2]:
            if (source := Path(f"{database}{suffix}")).exists():
                shutil.copy2(source, folder / f"{name}.db{suffix}")
                _sync(folder / f"{name}.db{suffix}")
        _sync(folder)
    return name


def exchange(built: Path, backup: Path) -> None:
    """Replace a backup's database by one that was tested, which is closed. Raises StorageFailed."""
    with _raising_storage_failed("The backup could not be replaced"):
        built.chmod(0o600)
        _sync(built)
        for suffix in _FILES[1:]:
            Path(f"{backup}{suffix}").unlink(missing_ok=True)
        built.replace(backup)
        _sync(backup.parent)


def before_migration(database: Path, folder: Path, *, at: int) -> Backup:
    """Make a backup of a desk whose schema is about to be migrated. Raises StorageFailed.

    It is checked and counted, but not opened as a desk: that would migrate it."""
    with new_backup_folder(folder, wanted_bytes=size_of(database)) as place:
        built = place / database.name
        copy(database, built)
        held = examine(built)
        return keep(folder, built, held, reason=BEFORE_MIGRATION, at=at)


# What is there.


def list_backups(folder: Path) -> list[Backup]:
    """Return every backup in a folder, newest first; one without a JSON file is untested."""
    found = [_read(file) for file in folder.glob("*.db")] if folder.is_dir() else []
    return sorted(found, key=lambda each: (each.made_at, each.name), reverse=True)


def file_of(folder: Path, backup: Backup) -> Path:
    return folder / f"{backup.name}.db"


def expired(backups: Sequence[Backup], *, days: int, weeks: int) -> list[Backup]:
    """Return the backups that rotation deletes.

    It keeps the newest of each of the last `days` days and `weeks` weeks that have one, the newest `days` of
    those made before a large operation, all made by hand, and untested ones, which a person has to examine.
    """
    tested = [each for each in backups if each.verified_at is not None and each.reason != BY_HAND]
    tested.sort(key=lambda each: each.made_at, reverse=True)
    stays = _newest_of_each(tested, lambda at: at.astimezone().date(), days)
    stays |= _newest_of_each(tested, lambda at: at.astimezone().isocalendar()[:2], weeks)
    stays |= {each.name for each in [one for one in tested if one.reason.startswith("before-")][:days]}
    return [each for each in tested if each.name not in stays]


def _newest_of_each(backups: Sequence[Backup], stretch: Callable[[datetime], object], most: int) -> set[str]:
    """Return the names of the newest backup of each period, for the `most` latest periods. backups: newest
    first."""
    newest: dict[object, str] = {}
    for each in backups:
        newest.setdefault(stretch(each.made_at), each.name)
    return set(list(newest.values())[:most])


def remove(folder: Path, backup: Backup) -> None:
    """Delete a backup, its JSON file first, so that after an interruption the rest counts as untested. Raises
    StorageFailed."""
    with _raising_storage_failed("The backup could not be removed"):
        (folder / f"{backup.name}.json").unlink(missing_ok=True)
        for suffix in _FILES:
            (folder / f"{backup.name}.db{suffix}").unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove the remains of interrupted backups. Call only while no backup is being made."""
    for left in folder.glob(f"{_MAKING}*"):
        shutil.rmtree(left, ignore_errors=True)


def has_user_data(database: Path, user_id: str) -> bool | None:
    """Return True if a database of any schema has data of a user; None if it cannot be read."""
    try:
        with closing(Connection(database)) as db:
            return any(
                db.value(f"SELECT 1 FROM {table} WHERE user_id = ? LIMIT 1", (user_id,))
                for table in _of_users(db)
            )
    except binding.sqlite.Error:
        return None


def users(db: Connection) -> set[str]:
    """Return the ids of all users with any data. Rows of the audit log may be about nobody."""
    return {
        row[0]
        for table in _of_users(db)
        for row in db.rows(f"SELECT DISTINCT user_id FROM {table} WHERE user_id IS NOT NULL")
    }


def _of_users(db: Connection) -> list[str]:
    return [table for table in db.tables() if "user_id" in db.columns(table)]


# What a restore has to erase again.


def note_erased(folder: Path, digest: str, *, spare: Collection[str] = ()) -> None:
    """Mark every backup except those in `spare` so that restoring it erases a user again."""
    for backup in list_backups(folder):
        if backup.verified_at is not None and backup.name not in spare:
            file = folder / f"{backup.name}.json"
            said = json.loads(file.read_text(encoding="utf-8"))
            said["erased"] = sorted({*said.get("erased", ()), digest})
            with _raising_storage_failed("The backup's note could not be written"):
                _write(file, said)


def erased_since(folder: Path, backup: Backup) -> set[str]:
    """Return digests of the users that were erased after a backup was made."""
    try:
        return set(json.loads((folder / f"{backup.name}.json").read_text(encoding="utf-8")).get("erased", ()))
    except (OSError, ValueError):
        return set()


# Putting one in place.


def staging_folder(database: Path) -> Path:
    """Return the folder in which the replacement of this database is built."""
    return database.with_name(".restoring")


def replace_database(database: Path, mark: Path, position: str) -> None:
    """Replace a database with the one built in `becoming`. If this is interrupted at any moment, one of the
    two is in place.

    No process may have either open. mark, position: the file outside the database that records its position,
    and the new content of that file. Raises StorageFailed."""
    built = staging_folder(database) / database.name
    if Path(f"{built}-wal").exists():
        raise StorageFailed(message("The new database was not closed, so nothing was put in place."))
    with _raising_storage_failed("The database could not be put in place"):
        _sync(built)
        _sync(built.parent)
        _write(_note_of(database), {"mark": position})
    finish_replacement(database, mark)


def finish_replacement(database: Path, mark: Path) -> bool:
    """Finish an interrupted replacement of a database, or discard one that was not decided yet.

    Call before a desk's database is opened. Returns True if there was a decided replacement to finish."""
    note = _note_of(database)
    decided = note.exists()
    with _raising_storage_failed("The database could not be put in place"):
        if decided:
            built = staging_folder(database) / database.name
            if built.exists():
                # The log of the old database must not be read as the new one's.
                for suffix in _FILES[1:]:
                    Path(f"{database}{suffix}").unlink(missing_ok=True)
                built.replace(database)
                _sync(database.parent)
            _set_mark(mark, note)
            note.unlink()
        shutil.rmtree(staging_folder(database), ignore_errors=True)
    return decided


def _set_mark(mark: Path, note: Path) -> None:
    mark.parent.mkdir(mode=0o700, exist_ok=True)
    mark.write_text(json.loads(note.read_text(encoding="utf-8"))["mark"], encoding="ascii")


def _note_of(database: Path) -> Path:
    return database.with_name("restoring.json")


# Files.


def size_of(database: Path) -> int:
    """Return the bytes of a database and its WAL on the disk."""
    files = (Path(f"{database}{suffix}") for suffix in _FILES[:2])
    return sum(file.stat().st_size for file in files if file.exists())


def _free_name(folder: Path, reason: str, at: int) -> str:
    name = f"{to_datetime(at):%Y%m%dT%H%M%SZ}-{reason}"
    numbered = (name if number == 1 else f"{name}-{number}" for number in range(1, 10_000))
    return next(each for each in numbered if not (folder / f"{each}.db").exists())


def _metadata(backup: Backup) -> dict[str, Any]:
    assert backup.verified_at is not None
    return {
        "reason": backup.reason,
        "made_at": backup.made_at.isoformat(),
        "verified_at": backup.verified_at.isoformat(),
        "bytes": backup.bytes,
        "counts": backup.counts,
        "last_change": backup.last_change,
    }


def _read(file: Path) -> Backup:
    """Read the metadata of a backup from its JSON file, or from the database file alone."""
    found = file.stat()
    size = size_of(file)
    try:
        said = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        return Backup(
            name=file.stem,
            reason=str(said["reason"]),
            made_at=datetime.fromisoformat(said["made_at"]),
            verified_at=datetime.fromisoformat(said["verified_at"]),
            bytes=size,
            counts={str(kind): int(n) for kind, n in said["counts"].items()},
            last_change=int(said["last_change"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        reason = next((each for each in REASONS if each in file.stem), "")
        made = datetime.fromtimestamp(found.st_mtime, UTC)
        return Backup(name=file.stem, reason=reason, made_at=made, bytes=size)


def _write(file: Path, said: dict[str, Any]) -> None:
    """Write a JSON file atomically."""
    new = file.with_name(f".{file.name}.new")
    new.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    new.chmod(0o600)
    _sync(new)
    new.replace(file)
    _sync(file.parent)


def _sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        # A network file system that cannot sync a folder is no reason to fail.
        with suppress(OSError) if path.is_dir() else nullcontext():
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _raising_storage_failed(sentence: str) -> Iterator[None]:
    """Turn an OSError into StorageFailed with this sentence."""
    try:
        yield
    except OSError as error:
        raise StorageFailed(
            message("{sentence}: {what}.", sentence=sentence, what=error.strerror or error)
        ) from error
