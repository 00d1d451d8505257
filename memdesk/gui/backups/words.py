"""Columns and sentences about backups."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.transfer import sizes
from memdesk.gui.widgets import Column
from memdesk.gui.widgets.tips import plain
from memdesk.model.backup import Backup, BackupList
from memdesk.model.status import Status

REASONS = {
    "daily": marked("daily"), "by-hand": marked("by hand"), "before-migration": marked("before an upgrade"),
    "before-import": marked("before an import"), "before-bulk": marked("before a change to many"),
    "before-erase": marked("before an erasure"), "after-erase": marked("after an erasure"),
    "before-restore": marked("before a restore"), "before-repair": marked("before a repair"),
    "damaged": marked("kept as it was found"),
}  # fmt: skip
"""Labels for the reasons a backup was made."""
SHOWN = (("turn", "turns"), ("fact", "facts"), ("entity", "entities"))
"""Record kinds counted in the summary of a desk, each with the name of its count in a status."""
UNTESTED = marked("Nobody has tested this one, so it is not put in place.")


def columns() -> tuple[Column[Backup], ...]:
    """Return the columns of the backups table: time, reason, content, test and size."""
    return (
        Column(
            title=tr("Made"), text=lambda row: times.minute(row.made_at), width=150, token="t1",
            tip=lambda row: times.full(row.made_at),
        ),
        Column(title=tr("Why"), text=reason, width=170),
        Column(title=tr("Holds"), text=holds, tip=lambda row: plain(f"{row.name}\n{sizes.counted(_all(row))}")),
        Column(
            title=tr("Tested"), text=tested, width=150,
            token=lambda row: "t2" if row.verified_at else "warn",
            tip=lambda row: times.full(row.verified_at) if row.verified_at else tr(UNTESTED),
        ),
        Column(title=tr("Size"), text=lambda row: sizes.size(row.bytes), width=104, numeric=True),
    )  # fmt: skip


def reason(backup: Backup) -> str:
    """Return the reason for a backup: “before an import”."""
    return tr(REASONS.get(backup.reason, backup.reason))


def holds(backup: Backup) -> str:
    """Return the content in counts: “1,204 turns, 310 facts, 42 entities”; empty if it was not counted."""
    return sizes.counted({many: backup.counts.get(one, 0) for one, many in SHOWN})


def tested(backup: Backup) -> str:
    """Return the time at which the backup was opened as a desk and verified, or “never”."""
    return times.minute(backup.verified_at) if backup.verified_at else tr("never")


def together(found: BackupList) -> str:
    """Return a sentence with the number of backups, their total size, and the free space on the disk."""
    return tr(
        "%Ln backup(s), {size} · {free} free on the disk", "", len(found.rows),
        size=sizes.size(found.bytes), free=sizes.size(found.free_bytes),
    )  # fmt: skip


def replaces(backup: Backup, status: Status | None) -> str:
    """Return a sentence about the content that restoring a backup would replace. status: of the desk now,
    None if unknown."""
    then = holds(backup) or tr("nothing")
    when = times.minute(backup.made_at)
    if status is None:
        return tr(
            "Goes back to {when}, with {then}. The database as it is now is kept first.", when=when, then=then
        )
    now = sizes.counted({many: getattr(status, many) for _, many in SHOWN}) or tr("nothing")
    return tr(
        "Goes back to {when}: {then}, in place of {now}. What is there now is backed up first.",
        when=when, then=then, now=now,
    )  # fmt: skip


def not_after(found: BackupList, moment: datetime) -> Backup | None:
    """Return the newest tested backup made at or before a moment, or None."""
    return next((each for each in found.rows if each.verified_at and each.made_at <= moment), None)


def _all(backup: Backup) -> Mapping[str, object]:
    names = dict(SHOWN)
    return {names.get(kind, f"{kind}s"): number for kind, number in backup.counts.items()}
