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
"""Why a backup was made."""
SHOWN = (("turn", "turns"), ("fact", "facts"), ("entity", "entities"))
"""The kinds whose numbers tell one state of a desk from another, and what a status calls them."""
UNTESTED = marked("Nobody has tested this one, so it is not put in place.")


def columns() -> tuple[Column[Backup], ...]:
    """When and why, what it holds, how large, and whether it was tested."""
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
    """“before an import”."""
    return tr(REASONS.get(backup.reason, backup.reason))


def holds(backup: Backup) -> str:
    """“1,204 turns, 310 facts, 42 entities”; empty where nobody counted."""
    return sizes.counted({many: backup.counts.get(one, 0) for one, many in SHOWN})


def tested(backup: Backup) -> str:
    """When it was opened as a desk and verified, or that it never was."""
    return times.minute(backup.verified_at) if backup.verified_at else tr("never")


def together(found: BackupList) -> str:
    """Say how many backups there are, how much they take, and how much the disk has left."""
    return tr(
        "%Ln backup(s), {size} · {free} free on the disk", "", len(found.rows),
        size=sizes.size(found.bytes), free=sizes.size(found.free_bytes),
    )  # fmt: skip


def replaces(backup: Backup, status: Status | None) -> str:
    """Say what restoring a backup would replace. status: of the desk as it is, None where it is not known."""
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
    """The newest tested backup that was made by a moment."""
    return next((each for each in found.rows if each.verified_at and each.made_at <= moment), None)


def _all(backup: Backup) -> Mapping[str, object]:
    names = dict(SHOWN)
    return {names.get(kind, f"{kind}s"): number for kind, number in backup.counts.items()}
