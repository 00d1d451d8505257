"""Backups of a desk's database: what is known of each, and what restoring one did."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

DAILY, BY_HAND = "daily", "by-hand"
BEFORE_MIGRATION, BEFORE_IMPORT, BEFORE_BULK = "before-migration", "before-import", "before-bulk"
BEFORE_ERASE, BEFORE_RESTORE, BEFORE_REPAIR = "before-erase", "before-restore", "before-repair"
AFTER_ERASE, DAMAGED = "after-erase", "damaged"
REASONS = (
    DAILY, BY_HAND, BEFORE_MIGRATION, BEFORE_IMPORT, BEFORE_BULK, BEFORE_ERASE, BEFORE_RESTORE, BEFORE_REPAIR,
    AFTER_ERASE, DAMAGED,
)  # fmt: skip
"""Why a backup was made. `damaged` is a database kept as it was found, which no test can pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One backup. verified_at: when it was opened as a desk, verified and counted; None for a file nobody tested.

    counts: records by kind. last_change: the newest event in it. bytes: of its files on the disk.
    """

    name: str
    reason: str
    made_at: datetime
    bytes: int
    verified_at: datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    last_change: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOutcome:
    """A restore that was tried. says: what became of it, in sentences. kept: the backup of what was replaced.

    ok: whether the desk is the restored one now; if not, it is as it was.
    """

    name: str
    at: datetime
    ok: bool
    says: str
    kept: str = ""
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupList:
    """Every backup of a desk, newest first. bytes: of all together; free_bytes: what the disk still takes.

    enabled: whether backups are made by themselves. last_restore: the latest restore, None before the first.
    """

    folder: str
    enabled: bool
    bytes: int
    free_bytes: int
    rows: tuple[Backup, ...]
    last_restore: RestoreOutcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreBackup:
    """Put a backup in the place of the desk's database.

    name: which one. at: in place of a name, a moment; the newest tested backup made by then is meant.
    """

    name: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoring:
    """The service ends, puts the backup in place and begins again. name: which backup was chosen."""

    name: str
    says: str
