"""Backups: list them, make one now, or restore one."""

from __future__ import annotations

from memdesk.api import backups
from memdesk.engine.backups import find_backup, listing, make_by_hand
from memdesk.model.backup import RestoreBackup, Restoring
from memdesk.model.status import JobState, Nothing
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host

BACKUP = "backup"


def register(app: DeskApp, host: Host) -> None:
    def make(_ask: Nothing, _author: str) -> JobState:
        return host.jobs.start(BACKUP, lambda progress: make_by_hand(host.engine, progress))

    def restore(ask: RestoreBackup, _author: str) -> Restoring:
        """End the service and start it again with the backup: the database can be replaced only while no call
        uses it."""
        backup = find_backup(host.desk, ask)
        host.restore(RestoreBackup(name=backup.name))
        return Restoring(
            name=backup.name,
            says=f"The service restores {backup.name} and begins again; backups.list says how that ended.",
        )

    answer(app, backups.LIST, lambda _ask, _: listing(host.desk))
    answer(app, backups.MAKE, make)
    answer(app, backups.RESTORE, restore)
