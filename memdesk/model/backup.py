"""Backups of a desk's database: their metadata, and the outcome of a restore."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import Name

DAILY, BY_HAND = "daily", "by-hand"
BEFORE_MIGRATION, BEFORE_IMPORT, BEFORE_BULK = "before-migration", "before-import", "before-bulk"
BEFORE_ERASE, BEFORE_RESTORE, BEFORE_REPAIR = "before-erase", "before-restore", "before-repair"
AFTER_ERASE, DAMAGED = "after-erase", "damaged"
REASONS = (
    DAILY,
    BY_HAND,
    BEFORE_MIGRATION,
    BEFORE_IMPORT,
    BEFORE_BULK,
    BEFORE_ERASE,
    BEFORE_RESTORE,
    BEFORE_REPAIR,
    AFTER_ERASE,
    DAMAGED,
)
"""Reasons for which a backup was made. `damaged` is a copy of a database as it was found; it can pass no
test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """Backup of a desk's database. verified_at: when it was opened as a desk, verified and counted; None if
    never tested.

    counts: records by kind. last_change: the newest event in it. bytes: the size of its files on the disk."""

    name: str
    reason: str
    made_at: datetime
    bytes: int
    verified_at: datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    last_change: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOutcome:
    """Outcome of a restore. says: the outcome in sentences. kept: the backup of the replaced database.

    ok: whether the restore succeeded; if not, the desk is unchanged."""

    name: str
    at: datetime
    ok: bool
    says: Message
    kept: str = ""
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupList:
    """Every backup of a desk, newest first. bytes: their total size; free_bytes: free space on the disk.

    enabled: whether backups are made automatically. last_restore: the latest restore, None before the first.
    """

    folder: str
    enabled: bool
    bytes: int
    free_bytes: int
    rows: tuple[Backup, ...]
    last_restore: RestoreOutcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreBackup:
    """Request to replace the desk's database with a backup.

    name: the backup. at: a moment, instead of a name; selects the newest tested backup made by then."""

    name: Name = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoring:
    """Answer to a restore request: the service stops, installs the backup and starts again. name: the chosen
    backup."""

    name: str
    says: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one check. ok: whether it passed; next: the suggested action. mends: whether a repair fixes
    it."""

    area: str
    ok: bool
    says: Message
    next: Message = NO_MESSAGE
    mends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """Result of examining a desk. plan: the steps of a repair, in order; empty if nothing needs repair."""

    desk: str
    findings: tuple[Finding, ...]
    plan: tuple[Message, ...] = ()

    @property
    def is_well(self) -> bool:
        return all(each.ok for each in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostRecord:
    """Memory that could not be recovered. title: the title if it is still known."""

    kind: str
    id: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """Result of a repair. kept: the name, among the backups, under which the damaged database was kept.

    again: how many records were rebuilt, by source. changes: how many changes of the journal are now only
    stubs, which may have been all that had the name of a record. missing: how many of the newest events of the desk are
    lost completely, including the names of their records. since: if a backup replaced the database, its name; later
    memory is also lost."""

    says: Message
    kept: str
    again: dict[str, int] = field(default_factory=dict)
    lost: tuple[LostRecord, ...] = ()
    changes: int = 0
    missing: int = 0
    since: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskCopied:
    """Outcome of a copy of a desk. rows: number of copied rows by table. hash: that of the journal's newest change, in
    hexadecimal digits, the same in both desks."""

    rows: Mapping[str, int]
    hash: str
