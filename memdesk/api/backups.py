"""Backups: list them, make one now, or restore one."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
from memdesk.model.backup import BackupList, RestoreBackup, Restoring
from memdesk.model.status import JobState, Nothing

LIST = Endpoint(
    "backups.list",
    "GET",
    Nothing,
    BackupList,
    "Every backup, newest first",
    owner=True,
    verb="service.desk_calls:list_backups",
)
MAKE = Endpoint(
    "backups.make",
    "POST",
    Nothing,
    JobState,
    "Back up the desk now, and test the copy",
    owner=True,
    verb="service.job_calls:make_backup",
)
RESTORE = Endpoint(
    "backups.restore",
    "POST",
    RestoreBackup,
    Restoring,
    "Put a backup in the desk's place; the service begins again with it",
    owner=True,
    verb="service.desk_calls:restore_backup",
)
